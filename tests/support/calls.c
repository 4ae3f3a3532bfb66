/* SPDX-License-Identifier: BSD-3-Clause */
#include "rows.h"

#include "registry.h"

#include <stdio.h>

/* ---- rows */

void row_pointwise(call *c, const char *name)
{
    const reference_image *images[CALL_PARAMS];
    double scalars[CALL_PARAMS];
    for (int i = 0; i < c->input_count; i++)
        images[i] = IN(i);
    for (int i = 0; i < c->scalar_count; i++)
        scalars[i] = S(i);
    ck_assert_msg(reference_pointwise(name, images, scalars, OUT(0)), "the reference has no %s", name);
}

reference_image row_like(const reference_image *image, drua_type type)
{
    return reference_make(type, image->shape);
}

reference_image row_float(const reference_image *image)
{
    reference_image copy = row_like(image, DRUA_FLOAT32);
    reference_copy(image, &copy);
    return copy;
}

const call_row *call_row_of(const drua_op *op)
{
    static const call_row *const families[] = {rows_image,  rows_filter,   rows_measure,  rows_labels,
                                               rows_graph,  rows_maps,     rows_composed, rows_steps,
                                               rows_maxima, rows_geodesic, rows_elsewhere};
    for (size_t f = 0; f < sizeof families / sizeof *families; f++)
        for (const call_row *row = families[f]; row->op; row++)
            if (!strcmp(row->op, op->name))
                return row;
    return NULL;
}

static bool has_mark(const drua_op *op, char mark)
{
    const call_row *row = call_row_of(op);
    return row && strchr(row->contents, mark);
}

bool call_keeps_extent(const drua_op *op)
{
    return has_mark(op, '=');
}

bool call_needs_natural(const drua_op *op)
{
    return has_mark(op, '^');
}

bool call_makes_images(const drua_op *op)
{
    return has_mark(op, '!');
}

bool call_is_two_apart(const drua_op *op)
{
    return has_mark(op, '2');
}

/*
 * Whether the operation divides differences. The difference of two nearby positions keeps few digits, and a quotient
 * of two such differences also keeps few.
 */
bool call_divides_differences(const drua_op *op)
{
    return has_mark(op, '/');
}

/*
 * The factor by which later steps multiply the rounding error of an intermediate float32, such as the slope of a weight
 * function.
 */
double call_magnifies(const call *c, double scale)
{
    if (!has_mark(c->op, '*') && !has_mark(c->op, '%'))
        return 1;
    const double last = fabs(c->numbers[c->scalars[c->scalar_count - 1]]);
    return fmax(1, has_mark(c->op, '*') ? last : 0.02 * (scale / last) * (scale / last));
}

bool call_is_rounded(const drua_op *op)
{
    return op->numeric != DRUA_EXACT || has_mark(op, '~');
}

bool call_is_known(const drua_op *op, const char **note)
{
    int images, scalars;
    const call_row *row = call_row_of(op);
    if (row)
        *note = row->note;
    else if (op->traits & DRUA_HOST)
        *note = "needs a host program";
    else
        *note = op->expression ? "an expression that the reference lacks" : NULL;
    return row ? row->reference != NULL : op->expression && reference_pointwise_arity(op->name, &images, &scalars);
}

/* ---- random arguments */

static double number_for(harness_random *random, const drua_param *p)
{
    static const double some[] = {0, 1, 2, 0.5, 3, -1.5, 2.5, 17, 100, -3, 0.25};
    if (p->only) {
        int count = 0;
        while (p->only[count] >= 0)
            count++;
        return p->only[harness_below(random, count)];
    }
    for (int tries = 0; tries < 20; tries++) {
        double number = harness_below(random, 4) ? some[harness_below(random, (int)(sizeof some / sizeof *some))]
                                                 : p->default_value;
        if (p->kind == DRUA_KIND_INTEGER)
            number = trunc(number);
        if (p->kind == DRUA_KIND_BOOLEAN)
            number = harness_below(random, 2);
        if (!p->has_range || (number >= p->minimum && number <= fmin(p->maximum, 20)))
            return number;
    }
    return p->default_value;
}

/*
 * The letter for the contents of an input. If the row has no letter but 'g', an input of labels gets few labels,
 * because some operations compute matrices of all pairs.
 */
static char letter_of(const call *c, int input)
{
    const drua_param *param = &c->op->params[c->inputs[input]];
    const bool labels =
        strstr(param->name, "label") || strstr(c->op->category, "label") || strstr(c->op->category, "neighbor");
    if (c->op->expression && c->op->numeric == DRUA_EXACT)
        return 's';
    if (!c->row || (!c->row->reference && strspn(c->row->contents, "g") == strlen(c->row->contents)))
        return labels ? 'l' : 'g';
    const char *text = c->row->contents + strspn(c->row->contents, CALL_MARKS);
    const int last = (int)strlen(text) - 1;
    return last < 0 ? 'g' : text[input < last ? input : last];
}

/* Random points in different pixels of the image. */
static reference_image random_points(harness_random *random, drua_type type, drua_shape shape, int64_t count,
                                     bool with_values)
{
    const int64_t width = shape.width < 100 ? shape.width : 100, every = width * shape.height * shape.depth / count;
    const int axes = shape.dimension;
    reference_image points = reference_make(type, reference_plane(count, axes + with_values));
    for (int64_t i = 0; i < count; i++) {
        const int64_t pixel = i * every + harness_below(random, (int)every);
        const double position[3] = {(double)(pixel % width), (double)(pixel / width % shape.height),
                                    (double)(pixel / width / shape.height)};
        for (int axis = 0; axis < axes; axis++)
            reference_put(&points, i, axis, 0, position[axis] + (type == DRUA_FLOAT32 && i % 3 == 0 ? 0.25 : 0));
        reference_put(&points, i, axes, 0, harness_below(random, 100));
    }
    return points;
}

/* A random matrix: symmetric, or with entries only left of the diagonal. Row 0 and column 0 are the background. */
static reference_image random_matrix(harness_random *random, drua_type type, int64_t count, bool distances)
{
    reference_image matrix = reference_make(type, reference_plane(count + 1, count + 1));
    for (int64_t y = 1; y <= count; y++)
        for (int64_t x = distances; x < y; x++) {
            const double value = distances                  ? 1 + harness_below(random, 40) / 2.0
                                 : harness_below(random, 4) ? 0
                                                            : 1 + harness_below(random, 3);
            reference_put(&matrix, x, y, 0, value);
            if (distances)
                reference_put(&matrix, y, x, 0, reference_at(&matrix, x, y, 0));
        }
    return matrix;
}

static reference_image strong_diagonal(harness_random *random, drua_type type)
{
    reference_image matrix = reference_make(type, reference_plane(3, 3));
    REFERENCE_EACH_PIXEL(matrix.shape, x, y, z)
    reference_put(&matrix, x, y, z, harness_below(random, 4) + (x == y ? 10 : 0));
    return matrix;
}

/* A list of two tracks, of which the second is a daughter of the first. */
static reference_image short_tracks(void)
{
    static const double rows[9][3] = {{1, 2, 3}, {2, 3, 4}, {1, 1, 1}, {0, 0, 0}, {1, 1, 1},
                                      {9, 9, 9}, {1, 1, 2}, {0, 0, 1}, {0, 0, 0}};
    reference_image list = reference_make(DRUA_FLOAT32, reference_plane(3, 9));
    memcpy(list.pixels, rows, sizeof rows);
    return list;
}

/* A forest of two trees for two classes: a root with two leaves, and a root with a leaf and one more node. */
static reference_image two_trees(harness_random *random)
{
    static const double nodes[][3] = {{0, 0, 2}, {1, 0, 4}, {-1}, {-1}, {-1}, {0, 0, 6}, {-1}, {-1}};
    enum { NODES = sizeof nodes / sizeof *nodes };
    reference_image forest = reference_make(DRUA_FLOAT32, reference_plane(5, NODES));
    REFERENCE_EACH_PIXEL(forest.shape, x, y, z) {
        double value = 0;
        if (x == 1)
            value = harness_below(random, 200) / 4.0;
        else if (x < 3)
            value = nodes[y][x];
        else if (nodes[y][0] < 0)
            value = harness_below(random, 5) / 4.0;
        reference_put(&forest, x, y, z, value);
    }
    return forest;
}

static reference_image one_bead(drua_type type, drua_shape shape)
{
    reference_image image = reference_make(type, shape);
    reference_put(&image, shape.width / 2, shape.height / 2, shape.depth / 2, 100);
    return image;
}

/* Pairs of points that determine a transform, or a transform of a stack that exchanges axes and shifts. */
static reference_image some_transform(drua_type type, bool points)
{
    static const double numbers[2][12] = {{0, 1, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0}, {0, 0, 1, 0, 9, 1, 9, 2, 2, 8, 1, 9}};
    reference_image image = reference_make(type, (drua_shape){4, 3, 1, 2});
    memcpy(image.pixels, numbers[points], sizeof numbers[points]);
    return image;
}

static reference_image input_image(harness_random *random, char letter, drua_type type, drua_shape shape)
{
    static const char letters[] = "gblpsLUVcvifPDETNMW";
    static const harness_content contents[] = {HARNESS_GREY,     HARNESS_BINARY, HARNESS_LABELS,  HARNESS_SPOTS,
                                               HARNESS_SPECIAL,  HARNESS_LABELS, HARNESS_SPECIAL, HARNESS_BINARY,
                                               HARNESS_GREY,     HARNESS_GREY,   HARNESS_INDICES, HARNESS_SHIFTS,
                                               HARNESS_POSITIVE, HARNESS_SHIFTS, HARNESS_GREY,    HARNESS_GREY,
                                               HARNESS_POSITIVE, HARNESS_SHIFTS, HARNESS_SHIFTS};
    enum { MAX_POINTS = 40, LABELS = 8 };
    const int64_t pixels = shape.width * shape.height * shape.depth,
                  points = pixels < MAX_POINTS ? pixels : MAX_POINTS;
    switch (letter) {
    case 'P': type = DRUA_FLOAT32; break;
    case 'q':
    case 'w': return random_points(random, type, shape, points, letter == 'w');
    case 'm':
    case 'd': return random_matrix(random, type, points, letter == 'd');
    case 'U':
    case 'V': shape = (drua_shape){LABELS, 1, 1, 3}; break;
    case 'v':
    case 'L': shape = (drua_shape){points + 1, 1, 1, 3}; break;
    case 'i': shape = (drua_shape){points + 1, 1 + shape.height % 4, 1, 2}; break;
    case 'k': return short_tracks();
    case 'H':
    case 'X': return some_transform(type, letter == 'H');
    case 'Z': return reference_make(type, (drua_shape){shape.width, 9, 1, 2});
    case 'D': shape = (drua_shape){shape.depth, 2, 1, 2}; break;
    case 'M': shape = (drua_shape){10, shape.depth, 1, 2}; break;
    case 'W':
        shape.depth *= shape.depth > 1 ? 3 : 2;
        shape.dimension = 3;
        break;
    case 'B': return one_bead(type, shape);
    case 'A': return strong_diagonal(random, type);
    case 'F': return two_trees(random);
    case 'N': shape = (drua_shape){3, 3, 1, 2}; break;
    case 'T': shape.depth = 12; shape.dimension = 3; break;
    case 'E': shape.width += shape.width % 2; break;
    case 'c': shape = (drua_shape){shape.width, shape.height, 3, 3}; break;
    default: break;
    }
    return harness_image(random, type, shape, contents[strchr(letters, letter) - letters]);
}

static void fill_param(call *c, harness_random *random, int i, drua_shape shape, drua_type type)
{
    const drua_param *p = &c->op->params[i];
    switch (p->kind) {
    case DRUA_KIND_IMAGE_INOUT:
    case DRUA_KIND_IMAGE_IN:
        if (c->input_count > 0)
            type = harness_types[harness_below(random, 7)];
        c->inputs[c->input_count] = i;
        c->before[i] = input_image(random, letter_of(c, c->input_count), type, shape);
        if (has_mark(c->op, '+'))
            c->before[i].pixels[0] = 1;
        c->input_count++;
        if (p->kind == DRUA_KIND_IMAGE_INOUT)
            c->outputs[c->output_count++] = i;
        break;
    case DRUA_KIND_IMAGE_OUT: c->outputs[c->output_count++] = i; break;
    case DRUA_KIND_NUMBER:
    case DRUA_KIND_INTEGER:
    case DRUA_KIND_BOOLEAN:
        if (!strcmp(p->name, "width"))
            c->numbers[i] = (double)shape.width;
        else if (!strcmp(p->name, "height"))
            c->numbers[i] = (double)shape.height;
        else
            c->numbers[i] = !strcmp(p->name, "depth") ? (double)shape.depth : number_for(random, p);
        c->scalars[c->scalar_count++] = i;
        break;
    case DRUA_KIND_CHOICE: {
        int count = 0;
        while (p->choices[count] && strcmp(p->choices[count], "shifts")) /* large transforms: property/volumes.c */
            count++;
        c->texts[i] = p->choices[harness_below(random, count)];
        break;
    }
    case DRUA_KIND_TEXT:
    case DRUA_KIND_OPTIONS:
    case DRUA_KIND_PATH: c->texts[i] = p->default_text ? p->default_text : ""; break;
    case DRUA_KIND_ARRAY_IN:
        call_fill_array(c, random,
                        (size_t)(shape.width * shape.height * (drua_find_param(c->op, "depth") < 0 ? 1 : shape.depth)));
        break;
    case DRUA_KIND_IMAGES:
    case DRUA_KIND_NUMBER_OUT:
    case DRUA_KIND_TEXT_OUT:
    case DRUA_KIND_TABLE_OUT: break;
    }
}

void call_fill_array(call *c, harness_random *random, size_t count)
{
    bool takes = false;
    for (size_t i = 0; i < c->op->param_count; i++)
        takes = takes || c->op->params[i].kind == DRUA_KIND_ARRAY_IN;
    if (!takes)
        return;
    free(c->array);
    c->array = reference_allocate(count, sizeof *c->array);
    c->length = count;
    for (size_t k = 0; k < count; k++)
        c->array[k] = harness_below(random, 2000) / 8.0 - 100;
}

static int64_t extent_along(drua_shape shape, char axis)
{
    return axis == 'x' ? shape.width : axis == 'y' ? shape.height : shape.depth;
}

static bool has_setting(const drua_param *p, const char *name)
{
    const drua_param *s = p->settings;
    while (s && s->name && strcmp(s->name, name))
        s++;
    return s && s->name;
}

/* Sets a text parameter; returns false if the operation needs no special text for it. */
static bool settle_text(call *c, size_t i, harness_random *random, drua_shape shape)
{
    static const char *const transforms[] = {"translateX=2 translateY=-1",
                                             "-center rotate=30 scaleX=1.5 shearXY=0.2 center", "translateZ=1 scale=2",
                                             "-center rotateX=20 rotateZ=100 shearYZ=0.3 center"};
    const drua_param *param = &c->op->params[i];
    if (!strcmp(param->name, "transform"))
        c->texts[i] = transforms[harness_below(random, 2) + (shape.dimension == 3 ? 2 : 0)];
    else if (has_setting(param, "iterations"))
        c->texts[i] = "iterations=2";
    else if (!strcmp(param->name, "radii"))
        c->texts[i] = "1";
    else if (!strcmp(param->name, "sensitivities"))
        c->texts[i] = "1 2";
    else
        return false;
    return true;
}

/* Chooses arguments that must fit each other or the image, and the fewest steps that still exercise an iteration. */
static void choose_arguments(call *c, harness_random *random, drua_shape shape)
{
    enum { TINY = 100, SMALL = 1600 };
    const int64_t pixels = shape.width * shape.height * shape.depth;
    /* Without a matrix of distances, the limit must differ from all distances between centroids. */
    const double off_distances = drua_find_param(c->op, "distance_matrix") < 0 ? 0.37 : 0;
    for (size_t i = 0; i < c->op->param_count; i++) {
        const char *name = c->op->params[i].name;
        if (settle_text(c, i, random, shape))
            continue;
        if (!strcmp(name, "min_z") || !strcmp(name, "max_z"))
            c->numbers[i] = c->op->params[i].default_value;
        else if (!strcmp(name, "end_z"))
            c->numbers[i] = c->numbers[i - 1] + harness_below(random, 3);
        else if (!strcmp(name, "slice_index"))
            c->numbers[i] = harness_below(random, (int)shape.depth);
        /* few values, because the operation makes matrices of all pairs of values */
        else if (!strcmp(name, "maximum_intensity"))
            c->numbers[i] = c->numbers[i - 1] + harness_below(random, 200);
        else if (!strncmp(name, "destination_", 12) && c->op->params[i].kind == DRUA_KIND_INTEGER)
            c->numbers[i] = fabs(c->numbers[i]);
        else if (!strcmp(name, "lower_percent") || !strcmp(name, "upper_percent"))
            c->numbers[i] = harness_below(random, 50) + (name[0] == 'u' ? 50 : 0);
        else if (!strcmp(name, "number_of_bins"))
            c->numbers[i] = 1 + harness_below(random, 300);
        else if (!strncmp(name, "factor", 6) && !c->op->expression)
            c->numbers[i] = extent_along(shape, name[strlen(name) - 1]) < 4 ? 1 : (1 + harness_below(random, 12)) / 4.0;
        else if ((!strncmp(name, "radius", 6) || !strcmp(name, "steps")) &&
                 pixels > TINY) /* small windows, because the reference visits each pixel of each window */
            c->numbers[i] = fmin(c->numbers[i], pixels > SMALL ? 3 : shape.depth > 1 ? 5 : 10);
        else if (!strcmp(name, "maximum") || !strcmp(name, "maximum_size"))
            c->numbers[i] = c->numbers[i - 1] + harness_below(random, 30);
        else if (!strcmp(name, "minimum_distance") || !strcmp(name, "maximum_distance"))
            c->numbers[i] = harness_below(random, name[1] == 'i' ? 4 : 20) + off_distances;
        else if (!strcmp(name, "reduction_factor"))
            c->numbers[i] = 1 + harness_below(random, (int)shape.depth);
        else if (!strcmp(name, "dimension_x"))
            c->numbers[i] = harness_below(random, 3);
        else if (!strcmp(name, "dimension_y") || !strcmp(name, "projected_dimension"))
            c->numbers[i] = (int)(c->numbers[i - 1] + 1) % 3;
        else if (!strcmp(name, "image_pixel") || !strcmp(name, "image_slice"))       /* the psf's pixel size */
            c->numbers[i] = c->numbers[i - 2] * (1 + harness_below(random, 4)) / 2;
        else if (!strcmp(name, "trees"))
            c->numbers[i] = 1 + harness_below(random, 2);
        else if (!strncmp(name, "pixels_", 7))
            c->numbers[i] = 1 + harness_below(random, (int)fmin(4, (double)extent_along(shape, name[7])));
        else if (!strcmp(name, "pitch"))
            c->numbers[i] = 40;
        else if (!strcmp(name, "margin") || (!strcmp(name, "frame") && drua_find_param(c->op, "channel") < 0))
            c->numbers[i] = 1;
        else if (!strcmp(name, "num_iterations"))
            c->numbers[i] = 2;
        else if (!strcmp(c->op->name, "macro_pixel_correction") && !strcmp(name, "magnification"))
            c->numbers[i] = 1;
        else if (!strcmp(c->op->name, "measure_psf") &&
                 (!strcmp(name, "width") || !strcmp(name, "height") || !strcmp(name, "depth")))
            c->numbers[i] = 1 + 2 * (name[0] != 'd');
        else if (!strcmp(name, "offset"))
            c->numbers[i] = harness_below(random, (int)c->numbers[i - 1]);
    }
}

call call_make(harness_random *random, const drua_op *op, drua_shape shape, drua_type type)
{
    call c = {.op = op, .row = call_row_of(op)};
    for (size_t i = 0; i < op->param_count; i++)
        fill_param(&c, random, (int)i, shape, type);
    choose_arguments(&c, random, shape);
    return c;
}

void call_free(call *c)
{
    for (int i = 0; i < CALL_PARAMS; i++) {
        reference_free(&c->before[i]);
        reference_free(&c->expected[i]);
    }
    free(c->array);
    free(c->table);
}

void call_reference(call *c)
{
    c->value_count = 0;
    if (c->row)
        c->row->reference(c);
    else
        row_pointwise(c, c->op->name);
}

size_t call_arguments(const call *c, const drua_image *handles, drua_argument *arguments)
{
    size_t count = 0;
    for (size_t i = 0; i < c->op->param_count; i++) {
        const drua_kind kind = c->op->params[i].kind;
        if (kind == DRUA_KIND_TABLE_OUT)
            continue;
        if (drua_kind_is_image(kind))
            arguments[count++] = handles[i] ? IMAGE(handles[i]) : NEW;
        else if (drua_kind_is_text(kind))
            arguments[count++] = NAME(c->texts[i]);
        else if (kind == DRUA_KIND_ARRAY_IN)
            arguments[count++] = ARRAY(c->array, c->length);
        else
            arguments[count++] = drua_kind_is_output(kind) ? NEW : NUMBER(c->numbers[i]);
    }
    return count;
}

bool call_run(const call *c, drua_context *context, const drua_image *handles, reference_image *results)
{
    drua_argument arguments[CALL_PARAMS];
    drua_table *table = NULL;
    const size_t count = call_arguments(c, handles, arguments);
    const drua_status status = drua_invoke(context, c->op->name, arguments, count, &table);
    drua_table_free(table);
    if (status != DRUA_OK)
        ck_assert_msg(*drua_error_message(), "%s fails without an error message", c->op->name);
    for (size_t i = 0, at = 0, k = 0; status == DRUA_OK && i < c->op->param_count;
         at += c->op->params[i++].kind != DRUA_KIND_TABLE_OUT)
        if (c->op->params[i].kind == DRUA_KIND_IMAGE_OUT || c->op->params[i].kind == DRUA_KIND_IMAGE_INOUT)
            results[k++] = harness_pull(context, arguments[at].image);
    return status == DRUA_OK;
}

const char *call_text(const call *c)
{
    static char text[512];
    int length = snprintf(text, sizeof text, "%s(", c->op->name);
    for (int i = 0; i < CALL_PARAMS && length < 300; i++)
        if (c->before[i].pixels)
            length +=
                snprintf(text + length, sizeof text - (size_t)length, "type %d %dx%dx%d, ", (int)c->before[i].type,
                         (int)c->before[i].shape.width, (int)c->before[i].shape.height, (int)c->before[i].shape.depth);
    for (int i = 0; i < c->scalar_count && length < 400; i++)
        length += snprintf(text + length, sizeof text - (size_t)length, "%g, ", c->numbers[c->scalars[i]]);
    snprintf(text + length, sizeof text - (size_t)length, ")");
    return text;
}

/* ---- comparison */

static double largest(const reference_image *image)
{
    double found = 0;
    for (size_t i = 0; i < reference_count(image); i++)
        found = isfinite(image->pixels[i]) ? fmax(found, fabs(image->pixels[i])) : found;
    return found;
}

bool call_output_agrees(call *c, int i, reference_image *pulled, char *message, size_t size)
{
    reference_image *wanted = &c->expected[i];
    for (size_t n = 0; n < reference_count(wanted); n++) {      /* the largest number of float32 */
        const double max = wanted->type == DRUA_UINT32  ? 4294967040.0
                           : wanted->type == DRUA_INT32 ? 2147483520.0
                                                        : INFINITY;
        wanted->pixels[n] = wanted->pixels[n] > max ? max : wanted->pixels[n];
    }
    const bool exact = !call_is_rounded(c->op);
    const double scale = fmax(largest(wanted), c->input_count ? largest(&c->before[c->inputs[0]]) : 0),
                 between = scale * call_magnifies(c, scale);
    double allowed = exact ? 0 : (call_divides_differences(c->op) ? 2e-4 : 1e-5) * between;
    if (!exact && between > 1e5) /* the rounding error of an intermediate float32 may exceed one integer */
        wanted->type = pulled->type = DRUA_FLOAT32;
    if (call_is_two_apart(c->op) && reference_is_integer(c->before[c->inputs[0]].type)) {
        wanted->type = pulled->type = DRUA_FLOAT32;
        allowed = fmax(allowed, 2);
    }
    return reference_agrees(wanted, pulled, allowed, !exact, message, size);
}
