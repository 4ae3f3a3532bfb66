/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls thresholds and segmentations on images in which nothing stands out or one pixel is NaN, and operations on label
 * maps without a label or with one label of one pixel. Results agree with the reference and are finite; masks of
 * thresholds are empty. The lists below name the exceptions, which follow from definitions.
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

static void fill(reference_image *image, scene s)
{
    const size_t count = reference_count(image);
    for (size_t i = 0; i < count; i++)
        image->pixels[i] = s == CONSTANT ? 7 : s == WITH_NAN ? (double)(i % 5) : 0;
    if (s == ONE_PIXEL)
        image->pixels[count / 2] = 1;
    if (s == WITH_NAN)
        image->pixels[count / 2] = NAN;
}

/* Numbers that are not finite: a mean of no pixel, or a quotient of zeros, as the pages of the operations say. */
static const char *const undefined[] = {"extension_ratio_map",
                                        "mean_of_pixels_above_threshold",
                                        "mean_z_projection_above_threshold",
                                        "mean_z_projection_below_threshold",
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

static void blame(const call *c, scene s, const char *what)
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
            blame(c, s, "a result is not finite");
            return;
        } else if (numbers[i] != 0 && nothing) {
            blame(c, s, "a pixel is marked");
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
            blame(c, s, message);
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
            fill(&c.before[c.inputs[k]], s);
        handles[c.inputs[k]] = harness_push(context, &c.before[c.inputs[k]]);
    }
    for (int k = 0; k < c.scalar_count && !strcmp(op->category, "threshold"); k++)
        c.numbers[c.scalars[k]] = op->params[c.scalars[k]].preset;
    const drua_status status =
        drua_invoke(context, op->name, arguments, call_arguments(&c, handles, arguments), &table);
    if (status == DRUA_OK)
        check_outputs(&c, s, arguments);
    else if (s != NO_LABEL || !is_in(refused, op->name) || !strstr(drua_error_message(), "empty"))
        blame(&c, s, drua_error_message());
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

int main(void)
{
    Suite *suite = suite_create("degenerate_images");
    TCase *tests = tcase_create("degenerate_images");
    tcase_set_timeout(tests, 1000);
    tcase_add_test(tests, nothing_to_find);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
