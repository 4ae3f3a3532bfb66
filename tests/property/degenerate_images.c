/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs thresholds and segmentations on images without foreground or with one NaN pixel, and operations that read labels
 * on label maps without a label or with one label of one pixel. Results must agree with the reference and be finite,
 * and masks of thresholds must be empty. The lists below name the exceptions, which follow from definitions.
 */
#include "calls.h"

#include "registry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum scene { ZEROS, CONSTANT, WITH_NAN, NO_LABEL, ONE_PIXEL, SCENES } scene;

static const char *const names[] = {"zeros", "constant", "NaN", "no label", "one pixel"};
static drua_context *context;
static harness_random chance = {3};
static int flawed;

static void fill_scene(reference_image *image, scene s)
{
    const size_t count = reference_count(image);
    for (size_t i = 0; i < count; i++)
        image->pixels[i] = s == CONSTANT ? 7 : s == WITH_NAN ? (double)(i % 5) : 0;
    if (s == ONE_PIXEL)
        image->pixels[count / 2] = 1;
    if (s == WITH_NAN)
        image->pixels[count / 2] = NAN;
}

/* Their results may be a mean of no pixels or a quotient of zeros, which is not finite, as their pages say. */
static const char *const undefined[] = {"extension_ratio_map",
                                        "mean_of_pixels_above_threshold",
                                        "mean_z_projection_above_threshold",
                                        "mean_z_projection_below_threshold",
                                        "measure_colocalization",
                                        "statistics_of_background_and_labelled_pixels",
                                        "statistics_of_labelled_pixels",
                                        NULL};

/* An image cannot be empty, so lists without an entry are refused. */
static const char *const refused[] = {"centroids_of_labels", "label_surface", "labelled_spots_to_point_list", NULL};

/* Their formulas mark a constant image, because its pixels equal the threshold or exceed it by the constant. */
static const char *const mark_constants[] = {"above_median_sphere",
                                             "local_threshold",
                                             "local_threshold_contrast",
                                             "local_threshold_mean",
                                             "local_threshold_median",
                                             "local_threshold_mid_grey",
                                             "local_threshold_sauvola",
                                             "threshold",
                                             NULL};

static bool is_in(const char *const *list, const char *name)
{
    while (*list && strcmp(*list, name))
        list++;
    return *list != NULL;
}

/* Returns whether the latest call has failed because its result would be an image without a pixel. */
static bool is_refused_rightly(const drua_op *op, scene s)
{
    if (!strcmp(op->name, "crop_label"))
        return strstr(drua_error_message(), "has no pixels in labels");
    return s == NO_LABEL && is_in(refused, op->name) && strstr(drua_error_message(), "empty");
}

static void report_flaw(const call *c, scene s, const char *what)
{
    printf("%s of %s: %s\n", call_text(c), names[s], what);
    flawed++;
}

static void check_numbers(const call *c, scene s, const double *numbers, size_t count)
{
    const bool is_mask = !strcmp(c->op->category, "threshold") && c->output_count > 0;
    const bool nothing = is_mask && (s == ZEROS || s == CONSTANT) && !is_in(mark_constants, c->op->name);
    for (size_t i = 0; i < count; i++)
        if (!isfinite(numbers[i]) && (s != WITH_NAN || is_mask) && !is_in(undefined, c->op->name)) {
            report_flaw(c, s, "a result is not finite");
            return;
        } else if (numbers[i] != 0 && nothing) {
            report_flaw(c, s, "a pixel is marked");
            return;
        }
}

static void check_outputs(call *c, scene s, const drua_argument *arguments)
{
    reference_image pulled[CALL_PARAMS];
    const char *note;
    int k = 0;
    for (size_t i = 0, at = 0; i < c->op->param_count; at += c->op->params[i++].kind != DRUA_KIND_TABLE_OUT) {
        const drua_kind kind = c->op->params[i].kind;
        if (kind == DRUA_KIND_NUMBER_OUT)
            check_numbers(c, s, &arguments[at].number, 1);
        if (kind != DRUA_KIND_IMAGE_OUT && kind != DRUA_KIND_IMAGE_INOUT)
            continue;
        pulled[k] = harness_pull(context, arguments[at].image);
        check_numbers(c, s, pulled[k].pixels, reference_count(&pulled[k]));
        c->expected[i] =
            c->before[i].pixels ? reference_duplicate(&c->before[i]) : reference_make(pulled[k].type, pulled[k].shape);
        k++;
    }
    const bool known = s != WITH_NAN && call_is_known(c->op, &note); /* the reference defines no order of NaN */
    if (known)
        call_reference(c);
    for (k = 0; k < c->output_count; k++) {
        char message[256];
        if (known && !call_output_agrees(c, c->outputs[k], &pulled[k], message, sizeof message))
            report_flaw(c, s, message);
        reference_free(&pulled[k]);
    }
}

static void try_call(const drua_op *op, drua_shape shape, scene s)
{
    call c = call_make(&chance, op, shape, s == WITH_NAN ? DRUA_FLOAT32 : DRUA_UINT16);
    drua_image handles[CALL_PARAMS] = {0};
    drua_argument arguments[CALL_PARAMS];
    drua_table *table = NULL;
    for (int k = 0; k < c.input_count; k++) {
        const bool is_label = strstr(op->params[c.inputs[k]].name, "label") || !strcmp(op->category, "labels");
        if (k == 0 || (s >= NO_LABEL && is_label))
            fill_scene(&c.before[c.inputs[k]], s);
        handles[c.inputs[k]] = harness_push(context, &c.before[c.inputs[k]]);
    }
    for (int k = 0; k < c.scalar_count && !strcmp(op->category, "threshold"); k++)
        c.numbers[c.scalars[k]] = op->params[c.scalars[k]].default_value;
    const drua_status status =
        drua_invoke(context, op->name, arguments, call_arguments(&c, handles, arguments), &table);
    if (status == DRUA_OK)
        check_outputs(&c, s, arguments);
    else if (!is_refused_rightly(op, s))
        report_flaw(&c, s, drua_error_message());
    if (table)
        check_numbers(&c, s, table->cells, table->rows * table->columns);
    drua_table_free(table);
    call_free(&c);
    REQUIRE(drua_clear(context));
}

/* property/tracks.c tests label movies that are empty, because tracks and frames must belong to the labels. */
static bool takes_labels(const drua_op *op)
{
    if (!strcmp(op->category, "tracking"))
        return false;
    for (size_t i = 0; i < op->param_count; i++)
        if (op->params[i].kind == DRUA_KIND_IMAGE_IN &&
            (strstr(op->params[i].doc, "label") || strstr(op->params[i].name, "label")))
            return true;
    return false;
}

static bool segments(const drua_op *op)
{
    return !strcmp(op->category, "threshold") || strstr(op->name, "threshold") || strstr(op->name, "labeling") ||
           strstr(op->name, "watershed") || strstr(op->name, "maxima") || strstr(op->name, "otsu") ||
           strstr(op->name, "intensity_correction");
}

START_TEST(nothing_to_find)
{
    context = harness_open();
    for (const drua_op *const *op = drua_op_table; *op; op++) {
        if ((*op)->traits & DRUA_HOST || (*op)->param_count == 0 || !harness_is_wanted((*op)->name, (*op)->category))
            continue;
        for (int s = 0; s < SCENES; s++)
            if (s < NO_LABEL ? segments(*op) : takes_labels(*op))
                try_call(*op, (drua_shape){9, 7, 4, 3}, (scene)s);
    }
    ck_assert_int_eq(flawed, 0);
    drua_close(context);
}
END_TEST

/* These make a table, a list, a matrix or numbers for the labels of a map. */
static const char *const count_labels[] = {"centroids_of_labels",
                                           "close_index_gaps_in_label_map",
                                           "exclude_labels_on_edges",
                                           "exclude_labels_outside_size_range",
                                           "generate_touch_count_matrix",
                                           "generate_touch_matrix",
                                           "keep_largest_label",
                                           "label_overlap_count_map",
                                           "measure_labels",
                                           "pixel_count_map",
                                           "statistics_of_labelled_pixels",
                                           "touching_neighbor_count_map",
                                           NULL};

/* A map of 6 x 4 pixels with one pixel of this number, and label 1 in the row below if `has_labels`. */
static drua_image odd_map(drua_type type, double number, bool has_labels)
{
    reference_image map = reference_make(type, (drua_shape){6, 4, 1, 2});
    reference_put(&map, 2, 1, 0, number);
    for (int x = 0; x < 3 && has_labels; x++)
        reference_put(&map, x, 2, 0, 1);
    const drua_image image = harness_push(context, &map);
    reference_free(&map);
    return image;
}

static drua_status measure_map(const char *name, drua_image map, drua_table **table)
{
    const drua_op *op = drua_find_op(name);
    drua_argument arguments[CALL_PARAMS];
    size_t count = 0;
    for (size_t i = 0; i < op->param_count; i++) {
        const drua_param *p = &op->params[i];
        if (p->kind == DRUA_KIND_IMAGE_IN)
            arguments[count++] = IMAGE(map);
        else if (drua_kind_is_text(p->kind))
            arguments[count++] = NAME(p->default_text ? p->default_text : "");
        else if (p->kind != DRUA_KIND_TABLE_OUT)
            arguments[count++] = drua_kind_is_output(p->kind) ? NEW : NUMBER(p->default_value);
    }
    return drua_invoke(context, name, arguments, count, table);
}

/* A map without labels is refused. In a map with labels, NaN, negative numbers and fractions are background. */
START_TEST(numbers_that_are_no_labels)
{
    static const struct {
        drua_type type;
        double number;
        const char *text;
    } odd[] = {{DRUA_FLOAT32, -1, "-1"},          {DRUA_FLOAT32, NAN, "nan"}, {DRUA_FLOAT32, 0.5, "0.5"},
               {DRUA_FLOAT32, -INFINITY, "-inf"}, {DRUA_INT8, -128, "-128"},  {DRUA_INT16, -300, "-300"},
               {DRUA_INT32, -70000, "-70000"}};
    context = harness_open();
    for (const char *const *name = count_labels; *name; name++)
        for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
            drua_table *table = NULL;
            REFUSED(DRUA_E_ARGUMENT, measure_map(*name, odd_map(odd[i].type, odd[i].number, false), &table), *name,
                    "no label", odd[i].text);
            REQUIRE(measure_map(*name, odd_map(odd[i].type, odd[i].number, true), &table));
            if (table) {
                ck_assert_uint_eq(table->rows, 1);
                for (size_t k = 0; k < table->columns; k++)
                    if (!strcmp(table->headings[k], "PIXEL_COUNT") || !strcmp(table->headings[k], "PIXELS"))
                        ck_assert_double_eq(table->cells[k], 3);
            }
            drua_table_free(table);
            table = NULL;
            REFUSED(DRUA_E_ARGUMENT, measure_map(*name, odd_map(DRUA_FLOAT32, INFINITY, true), &table), *name,
                    "infinity");
            REQUIRE(drua_clear(context));
        }
    drua_close(context);
}
END_TEST

/*
 * A registered stack has NaN along its borders. The parabolas of subtract_background never touch NaN, so they continue
 * at the next pixel. Scratch memory holds numbers of earlier images, which must not be taken for positions.
 */
START_TEST(borders_of_nan)
{
    enum { WIDTH = 37, HEIGHT = 29, PIXELS = WIDTH * HEIGHT };
    static const float left[] = {-2, 1e-45f, 5e-45f}; /* as integers: far below 0, 1 and 4 */
    const drua_shape shape = {WIDTH, HEIGHT, 1, 2};
    float pixels[PIXELS], earlier[PIXELS], background[PIXELS];
    context = harness_open();
    for (int i = 0; i < PIXELS; i++) {
        const int x = i % WIDTH, y = i / WIDTH;
        pixels[i] = x == 0 || y == 0 || x == WIDTH - 1 ? NAN : (float)(50 + (7 * x + 13 * y) % 31);
    }
    for (size_t k = 0; k < sizeof left / sizeof *left; k++) {
        drua_image images[4], source;
        drua_table *table = NULL;
        for (int i = 0; i < PIXELS; i++)
            earlier[i] = left[k];
        for (int i = 0; i < 4; i++)
            REQUIRE(drua_push(context, shape, DRUA_FLOAT32, earlier, &images[i]));
        REQUIRE(drua_clear(context));
        REQUIRE(drua_push(context, shape, DRUA_FLOAT32, pixels, &source));
        drua_argument arguments[] = {IMAGE(source), NEW, NUMBER(20), NUMBER(0), NUMBER(1), NUMBER(1), NUMBER(1)};
        REQUIRE(drua_invoke(context, "subtract_background", arguments, sizeof arguments / sizeof *arguments, &table));
        REQUIRE(drua_pull(context, arguments[1].image, background));
        for (int i = 0; i < PIXELS; i++)
            ck_assert_msg(isnan(pixels[i]) || background[i] <= pixels[i], "pixel %d of %g is above it: %g", i,
                          (double)pixels[i], (double)background[i]);
        REQUIRE(drua_clear(context));
    }
    drua_close(context);
}
END_TEST

/* ---- NaN and infinite pixels among others */

/* The extreme of a neighbourhood is NaN only if all its pixels are NaN. */
static const char *const extremes[] = {
    "minimum_box",           "maximum_box",           "minimum_sphere",         "maximum_sphere",
    "minimum_octagon",       "maximum_octagon",       "maximum_x_projection",   "maximum_y_projection",
    "maximum_z_projection",  "minimum_x_projection",  "minimum_y_projection",   "minimum_z_projection",
    "minimum_of_all_pixels", "maximum_of_all_pixels", "morphological_gradient", NULL};

/* Ranges that come from the image are those of its finite pixels. */
static const char *const ranges[] = {
    "histogram",   "automatic_threshold",    "get_automatic_threshold",     "normalize",
    "entropy_box", "enhance_local_contrast", "grey_level_attribute_filter", NULL};

typedef enum odd { ALL_NAN, HALF_NAN, ONE_INFINITE, INFINITIES, ALL_INFINITE, ODDS } odd;

static void make_odd(reference_image *image, odd kind)
{
    size_t at = 0;
    REFERENCE_EACH_PIXEL (image->shape, x, y, z) {
        double *pixel = &image->pixels[at++];
        const bool is_last = (int64_t)at == image->shape.width * image->shape.height * image->shape.depth;
        if (kind == ALL_NAN || (kind == HALF_NAN && 3 * x < 2 * image->shape.width))
            *pixel = NAN;
        else if (kind == ALL_INFINITE || (kind == ONE_INFINITE && is_last) || (kind == INFINITIES && x % 5 == 2))
            *pixel = kind != ONE_INFINITE && (y + z) % 2 ? -INFINITY : INFINITY;
    }
}

static void try_odd(const char *name, drua_shape shape, odd kind)
{
    const drua_op *op = drua_find_op(name);
    call c = call_make(&chance, op, shape, DRUA_FLOAT32);
    drua_image handles[CALL_PARAMS] = {0};
    drua_argument arguments[CALL_PARAMS];
    make_odd(&c.before[c.inputs[0]], kind);
    for (int k = 0; k < c.input_count; k++)
        handles[c.inputs[k]] = harness_push(context, &c.before[c.inputs[k]]);
    for (size_t i = 0; i < op->param_count; i++)
        if (!strcmp(op->params[i].name, "determine_min_max"))
            c.numbers[i] = 1;
    REQUIRE(drua_invoke(context, name, arguments, call_arguments(&c, handles, arguments), NULL));
    reference_image pulled[CALL_PARAMS];
    for (int k = 0; k < c.output_count; k++) {
        pulled[k] = harness_pull(context, arguments[c.outputs[k]].image);
        c.expected[c.outputs[k]] = reference_make(pulled[k].type, pulled[k].shape);
    }
    call_reference(&c);
    for (int k = 0; k < c.output_count; k++) {
        char message[256];
        ck_assert_msg(call_output_agrees(&c, c.outputs[k], &pulled[k], message, sizeof message), "%s, scene %d: %s",
                      call_text(&c), (int)kind, message);
        reference_free(&pulled[k]);
    }
    for (size_t i = 0, at = 0, k = 0; i < op->param_count; at += op->params[i++].kind != DRUA_KIND_TABLE_OUT)
        if (op->params[i].kind == DRUA_KIND_NUMBER_OUT) {
            const double found = arguments[at].number, wanted = c.values[k++];
            ck_assert_msg(found == wanted || (isnan(found) && isnan(wanted)), "%s, scene %d: %g instead of %g", name,
                          (int)kind, found, wanted);
        }
    call_free(&c);
    REQUIRE(drua_clear(context));
}

START_TEST(pixels_that_are_no_numbers)
{
    static const drua_shape shapes[] = {{23, 19, 11, 3}, {64, 48, 9, 3}, {40, 33, 1, 2}};
    const char *const *const lists[] = {extremes, ranges};
    context = harness_open();
    for (int list = 0; list < 2; list++)
        for (const char *const *name = lists[list]; *name; name++)
            for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
                for (int kind = 0; kind < ODDS; kind++)
                    for (int turn = 0; turn < 3; turn++)
                        try_odd(*name, shapes[s], (odd)kind);
    drua_close(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("degenerate_images");
    TCase *tests = tcase_create("degenerate_images");
    tcase_set_timeout(tests, 1000);
    tcase_add_test(tests, nothing_to_find);
    tcase_add_test(tests, numbers_that_are_no_labels);
    tcase_add_test(tests, borders_of_nan);
    tcase_add_test(tests, pixels_that_are_no_numbers);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
