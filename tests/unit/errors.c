/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests that a wrong call gives an error with operation, parameter, value and limit, and that all images stay
 * unchanged.
 */
#include "harness.h"

#include "context.h"
#include "registry.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static drua_context *context;
static drua_image blobs;

static void open_context(void)
{
    const float numbers[] = {1, 2, 3};
    context = harness_open();
    blobs = harness_line(context, numbers, 3);
    REQUIRE(drua_bind(context, "blobs.gif", blobs));
}

/* After every test the image is unchanged and still usable. */
static void close_context(void)
{
    ck_assert_double_eq(harness_first(context, blobs), 1);
    drua_argument add[] = {IMAGE(blobs), NEW, NUMBER(1)};
    REQUIRE(drua_invoke(context, "add_image_and_scalar", add, 3, NULL));
    ck_assert_double_eq(harness_first(context, add[1].image), 2);
    drua_close(context);
}

START_TEST(unknown_image)
{
    REFUSED(DRUA_E_NAME, COMMAND(context, "CLIJ2_copy", NAME("blob.gif"), NEW), "CLIJ2_copy", "source", "'blob.gif'",
            "'blobs.gif'");
    REFUSED(DRUA_E_NAME, COMMAND(context, "CLIJ2_addImages", NAME("blobs.gif"), NAME("nothing"), NEW),
            "CLIJ2_addImages", "source2", "'nothing'");
    REFUSED(DRUA_E_NAME, COMMAND(context, "CLIJ2_set", NAME("nothing"), NUMBER(1)), "CLIJ2_set", "'nothing'");
}
END_TEST

START_TEST(misspelt)
{
    REFUSED(DRUA_E_NAME, COMMAND(context, "CLIJ2_cpoy", NAME("blobs.gif"), NEW), "CLIJ2_cpoy", "CLIJ2_copy");
    REFUSED(DRUA_E_NAME, COMMAND(context, "gaussianBlur2D", NAME("blobs.gif"), NEW), "gaussianBlur2D");
    REFUSED(DRUA_E_NAME, INVOKE(context, "gausian_blur", IMAGE(blobs), NEW), "gausian_blur",
            "did you mean gaussian_blur?");
    REFUSED(DRUA_E_ARGUMENT,
            INVOKE(context, "deconvolve", IMAGE(blobs), IMAGE(blobs), NEW, NAME("iterations=3, Iterations=2")),
            "iterations in options is given twice");
    REFUSED(DRUA_E_NAME, INVOKE(context, "gaussianBlur3D", IMAGE(blobs), NEW), "did you mean gaussian_blur?");
    REFUSED(DRUA_E_NAME, INVOKE(context, "CLIJ2_thresholdOtsu", IMAGE(blobs), NEW),
            "did you mean automatic_threshold?");
    REFUSED(DRUA_E_NAME, INVOKE(context, "", IMAGE(blobs), NEW), "operation");
}
END_TEST

/* Names and files may contain line ends; the message stays one line. */
START_TEST(line_ends_in_names)
{
    REFUSED(DRUA_E_NAME, COMMAND(context, "CLIJ2_copy", NAME("two\r\nlines"), NEW), "CLIJ2_copy", "'two  lines'");
    REFUSED(DRUA_E_NAME, INVOKE(context, "gaus\nblur\x7f", IMAGE(blobs), NEW), "'gaus blur '");
}
END_TEST

START_TEST(not_a_number)
{
    REFUSED(DRUA_E_ARGUMENT, COMMAND(context, "CLIJ2_gaussianBlur2D", NAME("blobs.gif"), NEW, NUMBER(1), NUMBER(NAN)),
            "CLIJ2_gaussianBlur2D", "sigma_y", "NaN");
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "add_image_and_scalar", IMAGE(blobs), NEW, NUMBER(NAN)),
            "add_image_and_scalar", "scalar");
}
END_TEST

/* Tables need the square of the largest label. Sizes beyond all memory are refused before they overflow. */
START_TEST(huge_labels)
{
    static const uint32_t largest[] = {3221225472u, UINT32_MAX - 1};
    for (int i = 0; i < 2; i++) {
        drua_image labels;
        REQUIRE(drua_push(context, (drua_shape){2, 1, 1, 2}, DRUA_UINT32, (uint32_t[]){largest[i], 1}, &labels));
        REFUSED(DRUA_E_MEMORY, INVOKE(context, "median_touch_portion_map", IMAGE(labels), NEW),
                "median_touch_portion_map", "close_index_gaps_in_label_map");
        REQUIRE(drua_release(context, labels));
    }
}
END_TEST

/* A table has as many entries as the largest label plus one, and this number must fit in 32 bits. */
START_TEST(largest_label)
{
    static const char *const operations[] = {
        "close_index_gaps_in_label_map", "exclude_labels_on_edges", "join_touching_labels", "generate_touch_matrix",
        "generate_touch_count_matrix",   "centroids_of_labels",     "pixel_count_map"};
    drua_image labels;
    REQUIRE(drua_push(context, (drua_shape){2, 1, 1, 2}, DRUA_UINT32, (uint32_t[]){UINT32_MAX, 1}, &labels));
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        REFUSED(DRUA_E_ARGUMENT, INVOKE(context, operations[i], IMAGE(labels), NEW), operations[i],
                "has the label 4294967295", "at most 4294967294");
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "generate_jaccard_index_matrix", IMAGE(labels), IMAGE(labels), NEW),
            "labels1 has the label 4294967295");
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "read_values_from_map", IMAGE(labels), IMAGE(labels), NEW),
            "labels has the label 4294967295");
    REQUIRE(drua_release(context, labels));
}
END_TEST

START_TEST(out_of_range)
{
    REFUSED(DRUA_E_ARGUMENT, COMMAND(context, "CLIJ2_gaussianBlur2D", NAME("blobs.gif"), NEW, NUMBER(-1), NUMBER(1)),
            "sigma_x", "-1", "0 to 1000");
    REFUSED(DRUA_E_ARGUMENT, COMMAND(context, "CLIJ2_gaussianBlur2D", NAME("blobs.gif"), NEW, NUMBER(1), NUMBER(1e9)),
            "sigma_y", "1000000000", "0 to 1000");
    REFUSED(DRUA_E_ARGUMENT, COMMAND(context, "CLIJ2_create2D", NAME("new"), NUMBER(0), NUMBER(5), NUMBER(8)), "width",
            "got 0");
    REFUSED(DRUA_E_ARGUMENT, COMMAND(context, "CLIJ2_create2D", NAME("new"), NUMBER(-3), NUMBER(5), NUMBER(8)), "width",
            "-3");
    REFUSED(DRUA_E_ARGUMENT, COMMAND(context, "CLIJ2_create2D", NAME("new"), NUMBER(INFINITY), NUMBER(5), NUMBER(8)),
            "width");
    drua_image image;
    REFUSED(DRUA_E_NAME, drua_find(context, "new", &image), "'new'");
}
END_TEST

/* A size whose bytes exceed 64 bits must not wrap around to a small one. */
START_TEST(absurd_sizes)
{
    const drua_shape wrong[] = {{0, 1, 1, 2}, {1, -1, 1, 2}, {1, 1, 0, 3}, {1, 1, INT64_MAX, 3}, {INT64_MIN, 1, 1, 2}};
    drua_image image = 0;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        REFUSED(DRUA_E_ARGUMENT, drua_create(context, wrong[i], DRUA_UINT8, &image), "1 to 2147483647");
    const int64_t max = INT32_MAX;
    REFUSED(DRUA_E_ARGUMENT, drua_create(context, (drua_shape){max, max, max, 3}, DRUA_FLOAT32, &image), "pixels");
    REFUSED(DRUA_E_ARGUMENT, drua_create(context, (drua_shape){1 << 24, 1 << 24, 1 << 16, 3}, DRUA_FLOAT32, &image),
            "pixels");
    REFUSED(
        DRUA_E_ARGUMENT,
        COMMAND(context, "CLIJ2_create3D", NAME("new"), NUMBER(1 << 24), NUMBER(1 << 24), NUMBER(1 << 16), NUMBER(32)),
        "CLIJ2_create3D", "pixels");
    REFUSED(DRUA_E_ARGUMENT, drua_create(context, reference_plane(2, 2), DRUA_NO_TYPE, &image), "element type");
    REFUSED(DRUA_E_ARGUMENT, drua_create(context, reference_plane(2, 2), (drua_type)8, &image), "element type");
}
END_TEST

START_TEST(wrong_kind)
{
    const double numbers[] = {1, 2};
    REFUSED(DRUA_E_ARGUMENT, COMMAND(context, "CLIJ2_addImageAndScalar", NAME("blobs.gif"), NEW, NAME("two")), "scalar",
            "number", "string");
    REFUSED(DRUA_E_ARGUMENT, COMMAND(context, "CLIJ2_addImageAndScalar", NAME("blobs.gif"), NEW, ARRAY(numbers, 2)),
            "scalar", "array");
    REFUSED(DRUA_E_ARGUMENT, COMMAND(context, "CLIJ2_copy", NUMBER(5), NEW), "CLIJ2_copy", "source", "number");
    REFUSED(DRUA_E_ARGUMENT, COMMAND(context, "CLIJ2_copy", NAME(""), NEW), "source", "empty");
    REFUSED(DRUA_E_ARGUMENT, COMMAND(context, "CLIJ2_pushArray2D", NAME("new"), NUMBER(1), NUMBER(1), NUMBER(1)),
            "array");
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "copy", NUMBER(1), NEW), "copy", "source", "image");
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "copy", NEW, NEW), "source", "nothing");
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "copy", IMAGE(blobs), NAME("text")), "destination", "string");
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "copy", ((drua_argument){.kind = (drua_argument_kind)99}), NEW), "source");
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "set", NEW, NUMBER(1)), "set", "source");
}
END_TEST

START_TEST(wrong_count)
{
    REFUSED(DRUA_E_ARGUMENT, COMMAND(context, "CLIJ2_copy", NAME("blobs.gif")), "CLIJ2_copy", "2", "1");
    REFUSED(DRUA_E_ARGUMENT, COMMAND(context, "CLIJ2_copy", NAME("blobs.gif"), NEW, NUMBER(1)), "CLIJ2_copy", "2", "3");
    REFUSED(DRUA_E_ARGUMENT, drua_command(context, "CLIJ2_copy", NULL, 0, NULL), "2", "0");
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "copy", IMAGE(blobs), NEW, NEW), "copy", "2", "3");
    REFUSED(DRUA_E_ARGUMENT, drua_invoke(context, "copy", NULL, 0, NULL), "copy", "source");
}
END_TEST

START_TEST(arrays_of_another_length)
{
    const double numbers[] = {1, 2, 3};
    REFUSED(DRUA_E_ARGUMENT,
            COMMAND(context, "CLIJ2_pushArray2D", NAME("new"), ARRAY(numbers, 3), NUMBER(2), NUMBER(2)),
            "CLIJ2_pushArray2D", "array", "4", "3");
    REFUSED(DRUA_E_ARGUMENT, COMMAND(context, "CLIJ2_pushArray2D", NAME("new"), ARRAY(NULL, 3), NUMBER(3), NUMBER(1)),
            "array");
}
END_TEST

START_TEST(host_commands)
{
    REFUSED(DRUA_E_UNSUPPORTED, COMMAND(context, "CLIJ2_pull", NAME("blobs.gif")), "CLIJ2_pull", "ImageJ");
}
END_TEST

static drua_argument sound(const drua_param *param)
{
    static const double numbers[] = {1};
    if (drua_kind_is_image(param->kind))
        return param->kind == DRUA_KIND_IMAGE_OUT ? NEW : IMAGE(blobs);
    if ((param->kind == DRUA_KIND_TEXT || param->kind == DRUA_KIND_PATH) && !param->default_text)
        return NAME("");
    return param->kind == DRUA_KIND_ARRAY_IN ? ARRAY(numbers, 1) : NEW;
}

/* Sets each parameter of every operation to wrong values: NaN, a number beyond each end of its range, another kind. */
START_TEST(every_parameter_wrong_in_turn)
{
    const double array[] = {1};
    size_t refused = 0;
    for (const drua_op *const *at = drua_op_table; *at; at++) {
        const drua_op *op = *at;
        if (op->traits & DRUA_HOST)
            continue;
        drua_argument arguments[32];
        int place[32];
        size_t count = 0;
        for (size_t i = 0; i < op->param_count; i++)
            if (op->params[i].kind != DRUA_KIND_TABLE_OUT) {
                place[count] = (int)i;
                arguments[count++] = sound(&op->params[i]);
            }
        for (size_t i = 0; i < count; i++) {
            const drua_param *p = &op->params[place[i]];
            const bool number =
                p->kind == DRUA_KIND_NUMBER || p->kind == DRUA_KIND_INTEGER || p->kind == DRUA_KIND_BOOLEAN;
            const drua_argument wrong[] = {NUMBER(NAN),
                                           number ? NAME("text") : ARRAY(array, 1),
                                           IMAGE(drua_kind_is_image(p->kind) ? 4711 : blobs),
                                           NUMBER(p->minimum - 1),
                                           NUMBER(p->maximum + fmax(1, p->maximum * 1e-6))};
            if (drua_kind_is_output(p->kind) && p->kind != DRUA_KIND_IMAGE_OUT)
                continue;
            for (size_t k = 0; k < (number && p->has_range ? 5 : 3); k++) {
                if (k == 1 && p->kind == DRUA_KIND_ARRAY_IN)
                    continue;
                drua_argument call[32];
                memcpy(call, arguments, sizeof call);
                call[i] = wrong[k];
                drua_status status = drua_invoke(context, op->name, call, count, NULL);
                ck_assert_msg(status != DRUA_OK, "%s: %s took wrong argument %zu", op->name, p->name, k);
                const char *sentence = drua_error_message();
                ck_assert_msg(strstr(sentence, op->name) == sentence, "%s: '%s'", op->name, sentence);
                ck_assert_msg(strstr(sentence, p->name), "%s: no '%s' in '%s'", op->name, p->name, sentence);
                refused++;
            }
        }
    }
    printf("%zu wrong calls refused\n", refused);
    ck_assert_double_eq(harness_first(context, blobs), 1);
}
END_TEST

/*
 * Wrong choices, fractions and switches are errors. Commands with CLIJ's prefixes convert them as CLIJ2 does and report
 * each conversion once.
 */
START_TEST(what_does_not_fit_is_told)
{
    reference_image pixels[2];
    drua_image mask, line = harness_line(context, (const float[]){1, 2, 3, 50, 60, 70}, 6);
    REQUIRE(drua_bind(context, "line", line));
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "automatic_threshold", IMAGE(line), NEW, NAME("Ots")),
            "automatic_threshold", "method", "'Ots'; did you mean Otsu?", "Triangle");
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "automatic_threshold", IMAGE(line), NEW, NAME("")), "method", "''");
    REFUSED(DRUA_E_ARGUMENT, COMMAND(context, "Drua_automaticThreshold", NAME("line"), NAME("mask"), NAME("nonsense")),
            "Drua_automaticThreshold", "method", "'nonsense'");
    REQUIRE(INVOKE(context, "automatic_threshold", IMAGE(line), NEW, NAME("otsu")));
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "median_box", IMAGE(line), NEW, NUMBER(1.7), NUMBER(1), NUMBER(0)),
            "radius_x must be a whole number, got 1.7");
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "flip", IMAGE(line), NEW, NUMBER(2), NUMBER(0), NUMBER(0)),
            "flip_x must be 0 (false) or 1 (true), got 2");
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "create_2d", NEW, NUMBER(2), NUMBER(2), NUMBER(12)),
            "bit_depth must be 8, 16 or 32, got 12");
    ck_assert_str_eq(drua_take_messages(context), "");
    for (int i = 0; i < 2; i++) {
        REQUIRE(COMMAND(context, "CLIJ2_automaticThreshold", NAME("line"), NAME("mask"), NAME("Ots")));
        REQUIRE(COMMAND(context, "CLIJx_flip3D", NAME("line"), NAME("turned"), NUMBER(2), NUMBER(0), NUMBER(0)));
        REQUIRE(COMMAND(context, "CLIJ2_create2D", NAME("made"), NUMBER(2.5), NUMBER(2), NUMBER(12)));
    }
    ck_assert_str_eq(
        drua_take_messages(context),
        "CLIJ2_automaticThreshold: method 'Ots' does not exist, so Default is used, as in CLIJ2; did you "
        "mean Otsu?\n"
        "CLIJx_flip3D: flip_x is neither 0 nor 1, so it counts as 1, as in CLIJ2\n"
        "CLIJ2_create2D: width is not a whole number, so digits after the decimal point are dropped, as in "
        "CLIJ2\n"
        "CLIJ2_create2D: bit_depth should be 8, 16 or 32; 12 counts as 32, as in CLIJ2\n");
    REQUIRE(COMMAND(context, "CLIJ2_automaticThreshold", NAME("line"), NAME("expected"), NAME("Default")));
    for (int i = 0; i < 2; i++) {
        REQUIRE(drua_find(context, i ? "mask" : "expected", &mask));
        pixels[i] = harness_pull(context, mask);
    }
    for (int x = 0; x < 6; x++)
        ck_assert_double_eq(pixels[1].pixels[x], pixels[0].pixels[x]);
    reference_free(&pixels[0]);
    reference_free(&pixels[1]);
}
END_TEST

START_TEST(dimensions_are_two_or_three)
{
    static const int wrong[] = {0, 1, 4, 7, -1};
    drua_image image;
    for (int i = 0; i < 5; i++) {
        const drua_shape shape = {4, 3, 1, wrong[i]};
        REFUSED(DRUA_E_ARGUMENT, drua_create(context, shape, DRUA_UINT8, &image), "dimension must be 2");
        REFUSED(DRUA_E_ARGUMENT, drua_push(context, shape, DRUA_UINT8, "123456789012", &image), "dimension must be 2");
    }
}
END_TEST

/* A name with another format's extension is refused before anything is computed or written. */
START_TEST(endings_are_those_of_the_format)
{
    static const char *const wrong[] = {"/nowhere/out.png", "/nowhere/out.JPG", "/nowhere/out.n5",
                                        "/nowhere/a.zarr.bmp"};
    const drua_image line = harness_line(context, (const float[]){1, 2, 3}, 3);
    for (int i = 0; i < 4; i++) {
        REFUSED(DRUA_E_ARGUMENT, drua_write_tiff(context, line, wrong[i], NULL), wrong[i],
                ".tif, .tiff, .zarr or .ozx");
        REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "write", IMAGE(line), NAME(wrong[i])), "write", wrong[i], ".zarr");
        REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "write_zarr", IMAGE(line), NAME(wrong[i]), NAME("")), wrong[i],
                ".zarr");
    }
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "write_zarr", IMAGE(line), NAME("/nowhere/out.tif"), NAME("")), "out.tif",
            "an OME-Zarr");
}
END_TEST

START_TEST(lines_are_named)
{
    drua_set_line_number(context, 12);
    REFUSED(DRUA_E_ARGUMENT, COMMAND(context, "CLIJ2_copy", NAME("blobs.gif")), "CLIJ2_copy");
    drua_set_line_number(context, 0);
}
END_TEST

/* Drua returns any number of lines, because a run in tiles reports a line for each tile. */
START_TEST(all_lines_are_told)
{
    enum { LINES = 1000 };
    for (int i = 0; i < LINES; i++)
        drua_text_add(&context->engine.lines, "tile %3d\n", i);
    const char *const lines = drua_take_messages(context);
    ck_assert_uint_eq(strlen(lines), 9 * LINES);
    ck_assert_str_eq(lines + 9 * (LINES - 1), "tile 999\n");
    ck_assert_str_eq(drua_take_messages(context), "");
}
END_TEST

START_TEST(devices_that_are_not_there)
{
    drua_device_info info;
    REFUSED(DRUA_E_ARGUMENT, drua_device_describe(9999, &info), "9999");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("errors");
    TCase *tests = tcase_create("errors");
    tcase_add_checked_fixture(tests, open_context, close_context);
    tcase_add_test(tests, unknown_image);
    tcase_add_test(tests, misspelt);
    tcase_add_test(tests, line_ends_in_names);
    tcase_add_test(tests, not_a_number);
    tcase_add_test(tests, out_of_range);
    tcase_add_test(tests, huge_labels);
    tcase_add_test(tests, largest_label);
    tcase_add_test(tests, absurd_sizes);
    tcase_add_test(tests, wrong_kind);
    tcase_add_test(tests, wrong_count);
    tcase_add_test(tests, arrays_of_another_length);
    tcase_add_test(tests, host_commands);
    tcase_add_test(tests, every_parameter_wrong_in_turn);
    tcase_add_test(tests, what_does_not_fit_is_told);
    tcase_add_test(tests, dimensions_are_two_or_three);
    tcase_add_test(tests, endings_are_those_of_the_format);
    tcase_add_test(tests, lines_are_named);
    tcase_add_test(tests, all_lines_are_told);
    tcase_add_test(tests, devices_that_are_not_there);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
