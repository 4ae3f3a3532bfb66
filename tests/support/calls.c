/* SPDX-License-Identifier: BSD-3-Clause */
#include "calls.h"

#include "registry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what stands for an operation */

#define IN(i) (&c->before[c->inputs[i]])
#define OUT(i) (&c->expected[c->outputs[i]])
#define S(i) (c->numbers[c->scalars[i]])
#define N(i) ((int64_t)c->numbers[c->scalars[i]])
#define RESULT(value) (c->values[c->value_count++] = (value))

static void from_array(call *c)
{
    for (size_t i = 0; i < c->length; i++)
        OUT(0)->pixels[i] = reference_store(OUT(0)->type, (float)c->array[i]);
}

/* Sum, sum of squares, least, largest and number of the pixels where the mask is not 0 (NULL: of all). */
typedef struct tally {
    double sum, squares, least, largest, count;
} tally;

static tally tally_of(const reference_image *image, const reference_image *mask)
{
    tally t = {.least = INFINITY, .largest = -INFINITY};
    size_t at = 0;
    REFERENCE_EACH_PIXEL(image->shape, x, y, z) {
        const double value = image->pixels[at++];
        if (mask && reference_at(mask, x, y, z) == 0)
            continue;
        t.sum += value;
        t.squares += value * value;
        t.least = fmin(t.least, value);
        t.largest = fmax(t.largest, value);
        t.count++;
    }
    return t;
}

static double variance(tally t)
{
    const double mean = t.sum / t.count;
    return t.squares / t.count - mean * mean;
}

static double squared_error(call *c)
{
    double sum = 0;
    REFERENCE_EACH_PIXEL(IN(0)->shape, x, y, z) {
        const double difference = reference_at(IN(0), x, y, z) - reference_at(IN(1), x, y, z);
        sum += difference * difference;
    }
    return sum / (double)reference_count(IN(0));
}

static void center_of_mass(call *c)
{
    double sum = 0, along[3] = {0};
    size_t at = 0;
    REFERENCE_EACH_PIXEL(IN(0)->shape, x, y, z) {
        const double value = IN(0)->pixels[at++];
        sum += value;
        along[0] += value * (double)x;
        along[1] += value * (double)y;
        along[2] += value * (double)z;
    }
    for (int i = 0; i < 3; i++)
        RESULT(along[i] / sum);
}

static double nonzero(const reference_image *image)
{
    double count = 0;
    for (size_t i = 0; i < reference_count(image); i++)
        count += image->pixels[i] != 0;
    return count;
}

static void pointwise(call *c, const char *name)
{
    const reference_image *images[CALL_PARAMS];
    double scalars[CALL_PARAMS];
    for (int i = 0; i < c->input_count; i++)
        images[i] = IN(i);
    for (int i = 0; i < c->scalar_count; i++)
        scalars[i] = S(i);
    ck_assert_msg(reference_pointwise(name, images, scalars, OUT(0)), "the reference has no %s", name);
}

static reference_image like(const reference_image *image, drua_type type)
{
    return reference_make(type, image->shape);
}

/* A radius of -1 is that of x; slice by slice there is none along z. */
static void extrema(call *c, double sign)
{
    const bool flat = S(3) != 0;
    const int64_t x = N(0), y = N(1) < 0 ? x : N(1), z = flat ? 0 : N(2) < 0 ? x : N(2);
    reference_image signed_source = like(IN(0), DRUA_FLOAT32);
    for (size_t i = 0; i < reference_count(&signed_source); i++)
        signed_source.pixels[i] = sign * IN(0)->pixels[i];
    reference_detect_maxima(&signed_source, x, y, z, !flat, OUT(0));
    reference_free(&signed_source);
}

/* first - second. Frees both. */
static void subtract(reference_image first, reference_image second, reference_image *output)
{
    reference_pointwise("subtract_images", (const reference_image *[]){&first, &second}, NULL, output);
    reference_free(&first);
    reference_free(&second);
}

static void difference_of_gaussian(call *c)
{
    reference_image first = like(IN(0), IN(0)->type), second = like(IN(0), IN(0)->type);
    reference_gaussian_blur(IN(0), S(0), S(1), S(2), &first);
    reference_gaussian_blur(IN(0), S(3), S(4), S(5), &second);
    subtract(first, second, OUT(0));
}

static reference_image two_boxes(call *c, reference_reduction first, reference_reduction second)
{
    reference_image inner = like(IN(0), DRUA_FLOAT32), outer = like(IN(0), DRUA_FLOAT32);
    reference_box(IN(0), first, N(0), N(1), N(2), &inner);
    reference_box(&inner, second, N(0), N(1), N(2), &outer);
    reference_free(&inner);
    return outer;
}

static void arg_maximum(call *c)
{
    reference_project(IN(0), REFERENCE_Z, REFERENCE_MAXIMUM, OUT(0));
    REFERENCE_EACH_PIXEL(OUT(1)->shape, x, y, slice) {
        int64_t best = 0;
        for (int64_t z = 1; z < IN(0)->shape.depth; z++)
            if (reference_at(IN(0), x, y, z) > reference_at(IN(0), x, y, best))
                best = z;
        reference_put(OUT(1), x, y, slice, (double)best);
    }
}

static void join(call *c, int64_t x, int64_t y, int64_t z)
{
    reference_paste(IN(0), 0, 0, 0, OUT(0));
    reference_paste(IN(1), x, y, z, OUT(0));
}

static void histogram(call *c)
{
    const bool measured = S(3) != 0;
    reference_histogram(IN(0), measured ? reference_reduce(IN(0), REFERENCE_MINIMUM) : S(1),
                        measured ? reference_reduce(IN(0), REFERENCE_MAXIMUM) : S(2), OUT(0));
}

static void statistics(call *c, bool with_background)
{
    c->rows = reference_statistics(IN(0), IN(1), with_background, &c->table);
}

#define TEXT_OF(name) (c->texts[drua_find_param(c->op, name)])

/* X(operation, contents, call of the reference) */
#define OPERATIONS(X)                                                                                       \
    X(sine, "g", pointwise(c, "sinus"))                                                                     \
    X(cosine, "g", pointwise(c, "cosinus"))                                                                 \
    X(copy, "g", reference_copy(IN(0), OUT(0)))                                                             \
    X(convert_float, "g", reference_copy(IN(0), OUT(0)))                                                    \
    X(convert_uint8, "g", reference_copy(IN(0), OUT(0)))                                                    \
    X(convert_uint16, "g", reference_copy(IN(0), OUT(0)))                                                   \
    X(create_2d, "", (void)c)                                                                               \
    X(create_3d, "", (void)c)                                                                               \
    X(push_array, "", from_array(c))                                                                        \
    X(push_array_2d, "", from_array(c))                                                                     \
    X(gaussian_blur, "g", reference_gaussian_blur(IN(0), S(0), S(1), S(2), OUT(0)))                         \
    X(minimum_box, "g", reference_box(IN(0), REFERENCE_MINIMUM, N(0), N(1), N(2), OUT(0)))                  \
    X(maximum_box, "g", reference_box(IN(0), REFERENCE_MAXIMUM, N(0), N(1), N(2), OUT(0)))                  \
    X(mean_box, "~g", reference_box(IN(0), REFERENCE_MEAN, N(0), N(1), N(2), OUT(0)))                        \
    X(sum_of_all_pixels, "g", RESULT(reference_reduce(IN(0), REFERENCE_SUM)))                               \
    X(mean_of_all_pixels, "g", RESULT(reference_reduce(IN(0), REFERENCE_MEAN)))                             \
    X(minimum_of_all_pixels, "g", RESULT(reference_reduce(IN(0), REFERENCE_MINIMUM)))                       \
    X(maximum_of_all_pixels, "g", RESULT(reference_reduce(IN(0), REFERENCE_MAXIMUM)))                       \
    X(count_nonzero_pixels, "b", RESULT(nonzero(IN(0))))                                                    \
    X(variance_of_all_pixels, "g", RESULT(variance(tally_of(IN(0), NULL))))                                 \
    X(standard_deviation_of_all_pixels, "g", RESULT(sqrt(variance(tally_of(IN(0), NULL)))))                 \
    X(mean_of_masked_pixels, "gb", tally t = tally_of(IN(0), IN(1)); RESULT(t.sum / t.count))               \
    X(minimum_of_masked_pixels, "gb", tally t = tally_of(IN(0), IN(1)); RESULT(t.count ? t.least : NAN))    \
    X(maximum_of_masked_pixels, "gb", tally t = tally_of(IN(0), IN(1)); RESULT(t.count ? t.largest : NAN))  \
    X(variance_of_masked_pixels, "gb", RESULT(variance(tally_of(IN(0), IN(1)))))                            \
    X(standard_deviation_of_masked_pixels, "gb", RESULT(sqrt(variance(tally_of(IN(0), IN(1))))))            \
    X(mean_squared_error, "g", RESULT(squared_error(c)))                                                    \
    X(center_of_mass, "l", center_of_mass(c))                                                               \
    X(connected_components_box, "=b", reference_connected_components(IN(0), REFERENCE_BOX, OUT(0)))          \
    X(connected_components_diamond, "=b", reference_connected_components(IN(0), REFERENCE_DIAMOND, OUT(0)))  \
    X(detect_maxima, "g", extrema(c, 1))                                                                    \
    X(detect_minima, "g", extrema(c, -1))                                                                   \
    X(difference_of_gaussian, "2g", difference_of_gaussian(c))                                               \
    X(top_hat_box, "g", reference_image narrow = like(IN(0), DRUA_FLOAT32); reference_copy(IN(0), &narrow); \
      subtract(narrow, two_boxes(c, REFERENCE_MINIMUM, REFERENCE_MAXIMUM), OUT(0)))                         \
    X(bottom_hat_box, "g", reference_image wide = like(IN(0), DRUA_FLOAT32); reference_copy(IN(0), &wide);  \
      subtract(two_boxes(c, REFERENCE_MAXIMUM, REFERENCE_MINIMUM), wide, OUT(0)))                           \
    X(flip, "g", reference_flip(IN(0), S(0) != 0, S(1) != 0, S(2) != 0, OUT(0)))                            \
    X(transpose_xy, "=g", reference_transpose(IN(0), REFERENCE_X, REFERENCE_Y, OUT(0)))                     \
    X(transpose_xz, "=g", reference_transpose(IN(0), REFERENCE_X, REFERENCE_Z, OUT(0)))                     \
    X(transpose_yz, "=g", reference_transpose(IN(0), REFERENCE_Y, REFERENCE_Z, OUT(0)))                     \
    X(combine_horizontally, "=g", join(c, IN(0)->shape.width, 0, 0))                                        \
    X(combine_vertically, "=g", join(c, 0, IN(0)->shape.height, 0))                                         \
    X(concatenate_stacks, "=g", join(c, 0, 0, IN(0)->shape.depth))                                          \
    X(get_dimensions, "g", RESULT((double)IN(0)->shape.width); RESULT((double)IN(0)->shape.height);         \
      RESULT((double)IN(0)->shape.depth))                                                                   \
    X(set_column, "g", pointwise(c, c->op->name))                                                           \
    X(set_row, "g", pointwise(c, c->op->name))                                                              \
    X(set_plane, "g", pointwise(c, c->op->name))                                                            \
    X(set_image_borders, "g", pointwise(c, c->op->name))                                                    \
    X(crop, "g", reference_crop(IN(0), N(0), N(1), N(2), OUT(0)))                                           \
    X(sub_stack, "g", reference_crop(IN(0), 0, 0, N(0), OUT(0)))                                            \
    X(copy_slice, "g", reference_copy_slice(IN(0), N(0), OUT(0)))                                           \
    X(paste, "g", reference_paste(IN(0), N(0), N(1), N(2), OUT(0)))                                         \
    X(skeletonize, "b", reference_skeletonize(IN(0), OUT(0)))                                               \
    X(dilate_labels, "=l", reference_dilate_labels(IN(0), N(0), OUT(0)))                                    \
    X(voronoi_labeling, "=p", reference_voronoi_labeling(IN(0), OUT(0)))                                    \
    X(masked_voronoi_labeling, "=pb", reference_masked_voronoi_labeling(IN(0), IN(1), OUT(0)))              \
    X(label_spots, "=p", reference_label_spots(IN(0), OUT(0)))                                              \
    X(replace_intensities, "lg", reference_replace_intensities(IN(0), IN(1), OUT(0)))                       \
    X(generate_touch_matrix, "=l", reference_generate_touch_matrix(IN(0), OUT(0)))                          \
    X(statistics_of_labelled_pixels, "gl", statistics(c, false))                                            \
    X(statistics_of_background_and_labelled_pixels, "gl", statistics(c, true))                              \
    X(maximum_x_projection, "=g", reference_project(IN(0), REFERENCE_X, REFERENCE_MAXIMUM, OUT(0)))         \
    X(maximum_y_projection, "=g", reference_project(IN(0), REFERENCE_Y, REFERENCE_MAXIMUM, OUT(0)))         \
    X(maximum_z_projection, "=g", reference_project(IN(0), REFERENCE_Z, REFERENCE_MAXIMUM, OUT(0)))         \
    X(minimum_x_projection, "=g", reference_project(IN(0), REFERENCE_X, REFERENCE_MINIMUM, OUT(0)))         \
    X(minimum_y_projection, "=g", reference_project(IN(0), REFERENCE_Y, REFERENCE_MINIMUM, OUT(0)))         \
    X(minimum_z_projection, "=g", reference_project(IN(0), REFERENCE_Z, REFERENCE_MINIMUM, OUT(0)))         \
    X(mean_x_projection, "=~g", reference_project(IN(0), REFERENCE_X, REFERENCE_MEAN, OUT(0)))              \
    X(mean_y_projection, "=~g", reference_project(IN(0), REFERENCE_Y, REFERENCE_MEAN, OUT(0)))              \
    X(mean_z_projection, "=~g", reference_project(IN(0), REFERENCE_Z, REFERENCE_MEAN, OUT(0)))              \
    X(sum_x_projection, "=~g", reference_project(IN(0), REFERENCE_X, REFERENCE_SUM, OUT(0)))                \
    X(sum_y_projection, "=~g", reference_project(IN(0), REFERENCE_Y, REFERENCE_SUM, OUT(0)))                \
    X(sum_z_projection, "=~g", reference_project(IN(0), REFERENCE_Z, REFERENCE_SUM, OUT(0)))                \
    X(arg_maximum_z_projection, "=g", arg_maximum(c))                                                       \
    X(automatic_threshold, "g", reference_automatic_threshold(IN(0), TEXT_OF("method"), OUT(0)))            \
    X(get_automatic_threshold, "~g", RESULT(reference_threshold_value(IN(0), TEXT_OF("method"))))           \
    X(histogram, "!g", histogram(c))                                                                        \
    X(exclude_labels_on_edges, "=l", reference_exclude_labels_on_edges(IN(0), OUT(0)))                       \
    X(close_index_gaps_in_label_map, "=l", reference_close_index_gaps(IN(0), OUT(0)))

/* X(operation, contents, where its results are tested instead) */
#define ELSEWHERE(X) \
    X(center_of_mass_table, "g", "as center_of_mass; its table is golden") \
    X(rotate_clockwise, "g", "golden") \
    X(rotate_counter_clockwise, "g", "golden") \
    X(reslice_top, "g", "golden") \
    X(reslice_bottom, "g", "golden") \
    X(reslice_left, "g", "golden") \
    X(reslice_right, "g", "golden") \
    X(set_nonzero_pixels_to_pixel_index, "g", "golden") \
    X(reduce_stack, "g", "golden") \
    X(binary_fill_holes, "g", "golden") \
    X(binary_fill_holes_slice_by_slice, "g", "golden") \
    X(extend_labeling_via_voronoi, "g", "golden") \
    X(detect_label_edges, "g", "golden") \
    X(voronoi_octagon, "g", "golden") \
    X(statistics_of_image, "g", "golden") \
    X(standard_deviation_z_projection, "g", "golden") \
    X(z_position_of_maximum_z_projection, "g", "golden") \
    X(z_position_of_minimum_z_projection, "g", "golden") \
    X(image_size, "g", "golden") \
    X(push_string, "g", "golden") \
    X(pull_string, "g", "golden") \
    X(get_gpu_properties, "g", "names the device; unit/devices.c") \
    X(set_random, "g", "random numbers; golden") \
    X(voronoi_otsu_labeling, "g", "rounding of the blurs decides between thresholds; golden and macros") \
    X(affine_transform, "l", "golden") \
    X(translate, "l", "golden") \
    X(rotate, "l", "golden") \
    X(scale, "l", "golden") \
    X(scale_evenly, "l", "golden") \
    X(exclude_labels, "l", "golden") \
    X(exclude_labels_with_values_out_of_range, "l", "golden") \
    X(exclude_labels_with_values_within_range, "l", "golden") \
    X(exclude_labels_outside_size_range, "l", "golden") \
    X(mean_intensity_map, "l", "golden") \
    X(minimum_intensity_map, "l", "golden") \
    X(maximum_intensity_map, "l", "golden") \
    X(pixel_count_map, "l", "golden") \
    X(centroids_of_labels, "l", "golden") \
    X(centroids_of_background_and_labels, "l", "golden") \
    X(labelled_spots_to_point_list, "l", "golden") \
    X(spots_to_point_list, "l", "golden")

#define DEFINE(name, contents, call_) \
    static void run_##name(call *c)   \
    {                                 \
        call_;                        \
    }
OPERATIONS(DEFINE)

#define LIST(name, contents, call_) {#name, contents, run_##name, NULL},
#define LIST_NOTE(name, contents, note) {#name, contents, NULL, note},
static const call_row rows[] = {OPERATIONS(LIST) ELSEWHERE(LIST_NOTE)};

const call_row *call_row_of(const drua_op *op)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(rows[i].op, op->name))
            return &rows[i];
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

bool call_makes_images(const drua_op *op)
{
    return has_mark(op, '!');
}

bool call_is_two_apart(const drua_op *op)
{
    return has_mark(op, '2');
}

bool call_is_rounded(const drua_op *op)
{
    return op->numeric != DRUA_EXACT || has_mark(op, '~');
}

bool call_is_known(const drua_op *op, const char **note)
{
    int images, scalars;
    const call_row *row = call_row_of(op);
    *note = row                                                                ? row->note
            : op->traits & DRUA_HOST                                           ? "needs a host program"
            : op->expression                                                   ? "an expression that the reference lacks"
                                                                               : NULL;
    return row ? row->reference != NULL : op->expression && reference_pointwise_arity(op->name, &images, &scalars);
}

/* ---- random arguments */

static double number_for(harness_random *random, const drua_param *p)
{
    static const double some[] = {0, 1, 2, 0.5, 3, -1.5, 2.5, 17, 100, -3, 0.25};
    for (int tries = 0; tries < 20; tries++) {
        double number = harness_below(random, 4) ? some[harness_below(random, (int)(sizeof some / sizeof *some))] : p->preset;
        if (p->kind == DRUA_KIND_INTEGER)
            number = trunc(number);
        if (p->kind == DRUA_KIND_BOOLEAN)
            number = harness_below(random, 2);
        if (!p->has_range || (number >= p->minimum && number <= fmin(p->maximum, 20)))
            return number;
    }
    return p->preset;
}

static harness_content content_of(const call *c, int input)
{
    static const char letters[] = "gblp";
    static const harness_content contents[] = {HARNESS_GREY, HARNESS_BINARY, HARNESS_LABELS, HARNESS_SPOTS};
    if (c->op->expression && c->op->numeric == DRUA_EXACT)
        return HARNESS_SPECIAL;
    const drua_param *param = &c->op->params[c->inputs[input]];
    const bool labels = strstr(param->name, "label") || strstr(c->op->category, "label") || strstr(c->op->category, "neighbor");
    if (labels && !(c->row && c->row->reference))       /* few labels: some operations make matrices of all pairs */
        return HARNESS_LABELS;
    const char *text = c->row ? c->row->contents + strspn(c->row->contents, "=~!2") : "g";
    size_t last = strlen(text) ? strlen(text) - 1 : 0, at = (size_t)input < last ? (size_t)input : last;
    const char *found = text[at] ? strchr(letters, text[at]) : letters;
    return contents[found - letters];
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
        c->before[i] = harness_image(random, type, shape, content_of(c, c->input_count));
        c->input_count++;
        if (p->kind == DRUA_KIND_IMAGE_INOUT)
            c->outputs[c->output_count++] = i;
        break;
    case DRUA_KIND_IMAGE_OUT: c->outputs[c->output_count++] = i; break;
    case DRUA_KIND_NUMBER:
    case DRUA_KIND_INTEGER:
    case DRUA_KIND_BOOLEAN:
        c->numbers[i] = !strcmp(p->name, "width")    ? (double)shape.width
                        : !strcmp(p->name, "height") ? (double)shape.height
                        : !strcmp(p->name, "depth")  ? (double)shape.depth
                                                     : number_for(random, p);
        c->scalars[c->scalar_count++] = i;
        break;
    case DRUA_KIND_CHOICE: {
        int count = 0;
        while (p->choices[count])
            count++;
        c->texts[i] = p->choices[harness_below(random, count)];
        break;
    }
    case DRUA_KIND_TEXT:
    case DRUA_KIND_OPTIONS:
    case DRUA_KIND_PATH: c->texts[i] = p->preset_text ? p->preset_text : ""; break;
    case DRUA_KIND_ARRAY_IN:
        call_fill_array(c, random, (size_t)(shape.width * shape.height * (drua_find_param(c->op, "depth") < 0 ? 1 : shape.depth)));
        break;
    case DRUA_KIND_NUMBER_OUT:
    case DRUA_KIND_TEXT_OUT:
    case DRUA_KIND_TABLE_OUT:
    case DRUA_KIND_ROI_OUT: break;
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

/* Arguments that must fit each other or the image. */
static void settle(call *c, harness_random *random, drua_shape shape)
{
    static const char *const methods[] = {"Default", "Huang", "IsoData", "Li", "MaxEntropy", "Mean", "Otsu", "RenyiEntropy", "Triangle", "yen"};
    for (size_t i = 0; i < c->op->param_count; i++) {
        const char *name = c->op->params[i].name;
        if (!strcmp(name, "method"))
            c->texts[i] = methods[harness_below(random, (int)(sizeof methods / sizeof *methods))];
        else if (!strcmp(name, "min_z") || !strcmp(name, "max_z"))
            c->numbers[i] = c->op->params[i].preset;
        else if (!strcmp(name, "end_z"))
            c->numbers[i] = c->numbers[i - 1] + harness_below(random, 3);
        else if (!strcmp(name, "slice_index"))
            c->numbers[i] = harness_below(random, (int)shape.depth);
        else if (!strcmp(name, "maximum_intensity"))
            c->numbers[i] = c->numbers[i - 1] + harness_below(random, 300);
        else if (!strncmp(name, "destination_", 12) && c->op->params[i].kind == DRUA_KIND_INTEGER)
            c->numbers[i] = fabs(c->numbers[i]);
        else if (!strcmp(name, "number_of_bins"))
            c->numbers[i] = 1 + harness_below(random, 300);
    }
}

call call_make(harness_random *random, const drua_op *op, drua_shape shape, drua_type type)
{
    call c = {.op = op, .row = call_row_of(op)};
    for (size_t i = 0; i < op->param_count; i++)
        fill_param(&c, random, (int)i, shape, type);
    settle(&c, random, shape);
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
        pointwise(c, c->op->name);
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

const char *call_text(const call *c)
{
    static char text[512];
    int length = snprintf(text, sizeof text, "%s(", c->op->name);
    for (int i = 0; i < CALL_PARAMS && length < 300; i++)
        if (c->before[i].pixels)
            length += snprintf(text + length, sizeof text - (size_t)length, "type %d %dx%dx%d, ", (int)c->before[i].type,
                               (int)c->before[i].shape.width, (int)c->before[i].shape.height, (int)c->before[i].shape.depth);
    for (int i = 0; i < c->scalar_count && length < 400; i++)
        length += snprintf(text + length, sizeof text - (size_t)length, "%g, ", c->numbers[c->scalars[i]]);
    snprintf(text + length, sizeof text - (size_t)length, ")");
    return text;
}
