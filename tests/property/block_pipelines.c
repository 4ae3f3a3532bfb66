/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests pipelines by blocks: random graphs on images of random extents, chunks and blocks must give the same bits as
 * the same commands on the whole image. Deconvolution may differ by at most a thousandth of the range.
 */
#include "block_files.h"
#include "error.h"
#include "tune.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 6, TEXT = 8192 };

/* A command that keeps an image's size: the number of images that it reads, and its numbers. */
typedef struct step {
    const char *command;
    int images;
    double numbers[5];
    int count;
} step;

static const step steps[] = {
    {"CLIJ2_gaussianBlur3D", 1, {1.5, 2, 1}, 3},
    {"CLIJ2_gaussianBlur2D", 1, {2, 1}, 2},
    {"CLIJ2_mean3DBox", 1, {1, 2, 1}, 3},
    {"CLIJ2_maximum3DBox", 1, {2, 1, 1}, 3},
    {"CLIJ2_minimum3DSphere", 1, {1, 1, 1}, 3},
    {"CLIJ2_median3DBox", 1, {1, 1, 1}, 3},
    {"CLIJ2_addImageAndScalar", 1, {3}, 1},
    {"CLIJ2_multiplyImages", 2, {0}, 0},
    {"CLIJ2_subtractImages", 2, {0}, 0},
    {"CLIJ2_maximumImages", 2, {0}, 0},
    {"CLIJ2_sobel", 1, {0}, 0},
    {"CLIJ2_laplaceBox", 1, {0}, 0},
    {"CLIJ2_topHatBox", 1, {2, 2, 1}, 3},
    {"CLIJ2_threshold", 1, {20}, 1},
    {"CLIJ2_erodeBox", 1, {0}, 0},
    {"CLIJ2_absolute", 1, {0}, 0},
    {"CLIJ2_translate3D", 1, {1.5, -2, 1}, 3},
    {"CLIJ2_multiplyImageAndCoordinate", 1, {2}, 1},
    {"CLIJ2_multiplyImageAndCoordinate", 1, {1}, 1},
    {"CLIJ2_flip3D", 1, {1, 0, 1}, 3},
    {"CLIJ2_gradientX", 1, {0}, 0},
    {"CLIJ2_gradientZ", 1, {0}, 0},
};

/* Possible last steps, which make a single plane with a separate kernel or with other commands. */
static const step projections[] = {
    {"CLIJ2_maximumZProjection", 1, {0}, 0},
    {"CLIJ2_meanZProjection", 1, {0}, 0},
    {"CLIJ2_zPositionOfMaximumZProjection", 1, {0}, 0},
    {"CLIJ2_extendedDepthOfFocusVarianceProjection", 1, {3, 3, 5}, 3},
    {"CLIJ2_extendedDepthOfFocusSobelProjection", 1, {2}, 1},
    {"CLIJ2_extendedDepthOfFocusTenengradProjection", 1, {1}, 1},
};

/* ---- random graphs */

/* Runs a step on the whole images and appends its line to the macro. */
static void run_step(drua_context *context, harness_random *random, const step *s, int number, char *macro)
{
    drua_argument arguments[8];
    char names[3][16];
    int count = 0;
    sprintf(macro + strlen(macro), "Ext.%s(", s->command);
    for (int i = 0; i < s->images; i++) {
        const int from = number - 1 - (i ? harness_below(random, number) : 0);
        snprintf(names[i], sizeof names[i], from ? "v%d" : "input", from);
        arguments[count++] = NAME(names[i]);
        sprintf(macro + strlen(macro), "%s, ", names[i]);
    }
    snprintf(names[2], sizeof names[2], "v%d", number);
    arguments[count++] = NAME(names[2]);
    sprintf(macro + strlen(macro), "%s", names[2]);
    for (int i = 0; i < s->count; i++) {
        arguments[count++] = NUMBER(s->numbers[i]);
        sprintf(macro + strlen(macro), ", %g", s->numbers[i]);
    }
    strcat(macro, ");\n");
    REQUIRE(drua_command(context, s->command, arguments, (size_t)count, NULL));
}

static void try_graph(drua_context *context, harness_random *random)
{
    static const drua_type types[] = {DRUA_UINT8, DRUA_UINT16, DRUA_FLOAT32};
    char macro[TEXT] = "Ext.Drua_push(input);\n", last[16];
    int64_t chunk[3], block[3];
    const drua_shape shape = {8 + harness_below(random, 40), 8 + harness_below(random, 40),
                              4 + harness_below(random, 20), 3};
    const int64_t extent[3] = {shape.width, shape.height, shape.depth};
    for (int axis = 0; axis < 3; axis++) {
        chunk[axis] = 4 + harness_below(random, 9);
        chunk[axis] = chunk[axis] < extent[axis] ? chunk[axis] : extent[axis];
        block[axis] = chunk[axis] * (1 + harness_below(random, 3));
    }
    reference_image pixels = harness_image(random, types[harness_below(random, 3)], shape, HARNESS_GREY);
    block_write_input(context, harness_push(context, &pixels), chunk);
    int count = 1 + harness_below(random, STEPS);
    for (int i = 1; i <= count; i++)
        run_step(context, random, &steps[harness_below(random, sizeof steps / sizeof *steps)], i, macro);
    if (harness_below(random, 2))
        run_step(context, random, &projections[harness_below(random, sizeof projections / sizeof *projections)],
                 ++count, macro);
    snprintf(last, sizeof last, "v%d", count);
    sprintf(macro + strlen(macro), "Ext.Drua_pull(%s);\n", last);
    block_process_macro(macro, block, chunk);
    block_compare_output(context, last, macro);
    reference_free(&pixels);
    REQUIRE(drua_clear(context));
}

START_TEST(graphs_have_the_bits_of_the_whole_image)
{
    enum { GRAPHS = 24 };
    harness_random random = {harness_new_seed("pipelines by blocks")};
    drua_context *context = harness_open();
    for (int i = 0; i < GRAPHS; i++)
        if (harness_is_sampled(i))
            try_graph(context, &random);
    drua_close(context);
}
END_TEST

/* ---- deconvolution */

/* Blurred balls of light on a dim background, which are restored by blocks and as a whole. */
static reference_image make_blurred(drua_context *context, harness_random *random, drua_shape shape)
{
    reference_image balls = harness_image(random, DRUA_FLOAT32, shape, HARNESS_SPOTS);
    drua_image a = harness_push(context, &balls), b = 0, c = 0;
    drua_argument blur[] = {IMAGE(a), NEW, NUMBER(2), NUMBER(2), NUMBER(2)};
    REQUIRE(drua_invoke(context, "gaussian_blur", blur, 5, NULL));
    b = blur[1].image;
    drua_argument scaled[] = {IMAGE(b), NEW, NUMBER(10000)};
    REQUIRE(drua_invoke(context, "multiply_image_and_scalar", scaled, 3, NULL));
    drua_argument lit[] = {IMAGE(scaled[1].image), NEW, NUMBER(100)};
    REQUIRE(drua_invoke(context, "add_image_and_scalar", lit, 3, NULL));
    c = lit[1].image;
    reference_image pixels = harness_pull(context, c);
    reference_free(&balls);
    REQUIRE(drua_clear(context));
    return pixels;
}

static reference_image psf_of(drua_context *context)
{
    const drua_shape shape = {9, 9, 9, 3};
    reference_image point = reference_make(DRUA_FLOAT32, shape);
    reference_put(&point, 4, 4, 4, 1);
    drua_argument blur[] = {IMAGE(harness_push(context, &point)), NEW, NUMBER(1.5), NUMBER(1.5), NUMBER(1.5)};
    REQUIRE(drua_invoke(context, "gaussian_blur", blur, 5, NULL));
    reference_image pixels = harness_pull(context, blur[1].image);
    reference_free(&point);
    REQUIRE(drua_clear(context));
    return pixels;
}

/* The settings name the mean, which blocks replace by that of the whole image. */
START_TEST(deconvolution_is_within_a_thousandth_of_the_range)
{
    static const char settings[] = "iterations=20 Mean=0, background=50";
    harness_random random = {harness_new_seed("deconvolution by blocks")};
    drua_context *context = harness_open();
    const drua_shape shape = {60, 52, 40, 3};
    const int64_t chunk[3] = {16, 16, 16}, block[3] = {32, 32, 32};
    char path[BLOCK_PATH_SIZE], pipeline[2 * BLOCK_PATH_SIZE];
    reference_image image = make_blurred(context, &random, shape), psf = psf_of(context);
    drua_image source = harness_push(context, &image), kernel = harness_push(context, &psf);
    block_folder_path("psf.tif", path);
    REQUIRE(drua_write_tiff(context, kernel, path, NULL));
    drua_argument arguments[] = {IMAGE(source), IMAGE(kernel), NEW, NAME(settings)};
    REQUIRE(drua_invoke(context, "deconvolve", arguments, 4, NULL));
    reference_image whole = harness_pull(context, arguments[2].image);
    block_write_input(context, source, chunk);
    snprintf(pipeline, sizeof pipeline, "deconvolve psf=%s %s", path, settings);
    block_process(pipeline, block, chunk);
    reference_image blocks = block_read_output(context);
    double range = 0, max = 0;
    REFERENCE_EACH_PIXEL(shape, x, y, z) {
        const double a = reference_at(&whole, x, y, z);
        range = fmax(range, a);
        max = fmax(max, fabs(a - reference_at(&blocks, x, y, z)));
    }
    ck_assert_msg(range > 0 && max <= range / 1000, "blocks differ by %g of a range of %g", max, range);
    reference_free(&image);
    reference_free(&psf);
    reference_free(&whole);
    reference_free(&blocks);
    drua_close(context);
}
END_TEST

/* Records this provider of transforms as the fastest for extents around those of the test. */
static void remember_provider(drua_context *context, int number)
{
    drua_device_info info;
    char kind[40];
    drua_context_device(context, &info);
    drua_tuner *tuner = drua_tuner_open(&info);
    ck_assert_ptr_nonnull(tuner);
    for (int deep = 6; deep <= 7; deep++)
        for (int exact = 0; exact < 2; exact++)
            for (int power = 20; power <= 22; power++) {
                snprintf(kind, sizeof kind, "fft_7_7_%d%s", deep, exact ? "_exactly" : "");
                drua_tune_keep(tuner, kind, (int64_t)1 << power, number);
            }
    drua_tuner_close(tuner);
}

/*
 * Whole images use the transforms that were fastest in earlier timings; providers of transforms differ in their bits.
 */
START_TEST(what_was_timed_changes_no_bit)
{
    enum { PROVIDERS = 2 };
    harness_random random = {harness_new_seed("what was timed")};
    const drua_shape shape = {120, 120, 60, 3};
    const int64_t block[3] = {128, 128, 64}, chunk[3] = {64, 64, 64};
    char path[BLOCK_PATH_SIZE], pipeline[2 * BLOCK_PATH_SIZE];
    block_folder_path("cache", path);
    setenv("DRUA_CACHE", path, 1);
    drua_context *context = harness_open();
    reference_image image = make_blurred(context, &random, shape), psf = psf_of(context), first = {0};
    block_folder_path("psf.tif", path);
    REQUIRE(drua_write_tiff(context, harness_push(context, &psf), path, NULL));
    block_write_input(context, harness_push(context, &image), chunk);
    snprintf(pipeline, sizeof pipeline, "deconvolve psf=%s iterations=3 background=50", path);
    for (int i = 0; i < PROVIDERS; i++) {
        remember_provider(context, i);
        block_process(pipeline, block, chunk);
        reference_image now = block_read_output(context);
        if (i)
            block_compare(&first, &now, pipeline);
        else
            first = reference_duplicate(&now);
        reference_free(&now);
    }
    reference_free(&first);
    reference_free(&image);
    reference_free(&psf);
    drua_close(context);
}
END_TEST

/* ---- thresholds and projections, which depend on many pixels */

START_TEST(thresholds_are_those_of_the_whole_image)
{
    static const char macro[] = "Ext.Drua_push(input);\nExt.CLIJ2_gaussianBlur3D(input, blurred, 1, 1, "
                                "1);\nExt.CLIJ2_thresholdOtsu(blurred, mask);\n"
                                "Ext.CLIJ2_mask(input, mask, masked);\n";
    harness_random random = {harness_new_seed("thresholds by blocks")};
    drua_context *context = harness_open();
    const drua_type types[] = {DRUA_UINT8, DRUA_UINT16, DRUA_FLOAT32};
    for (int i = 0; i < 3; i++) {
        reference_image pixels = harness_image(&random, types[i], (drua_shape){40, 30, 20, 3}, HARNESS_GREY);
        block_write_input(context, harness_push(context, &pixels), (const int64_t[]){8, 8, 8});
        REQUIRE(
            COMMAND(context, "CLIJ2_gaussianBlur3D", NAME("input"), NAME("blurred"), NUMBER(1), NUMBER(1), NUMBER(1)));
        REQUIRE(COMMAND(context, "CLIJ2_thresholdOtsu", NAME("blurred"), NAME("mask")));
        REQUIRE(COMMAND(context, "CLIJ2_mask", NAME("input"), NAME("mask"), NAME("masked")));
        block_process_macro(macro, (const int64_t[]){16, 16, 8}, (const int64_t[]){8, 8, 8});
        block_compare_output(context, "masked", macro);
        reference_free(&pixels);
        REQUIRE(drua_clear(context));
    }
    drua_close(context);
}
END_TEST

/* If a pixel is infinite, so is the threshold that the plan stores. */
START_TEST(infinite_thresholds_are_those_of_the_whole_image)
{
    static const char macro[] = "Ext.Drua_push(input);\nExt.CLIJ2_thresholdYen(input, mask);\n";
    harness_random random = {harness_new_seed("infinite thresholds by blocks")};
    drua_context *context = harness_open();
    reference_image pixels = harness_image(&random, DRUA_FLOAT32, (drua_shape){40, 30, 20, 3}, HARNESS_GREY);
    reference_put(&pixels, 21, 3, 5, INFINITY);
    block_write_input(context, harness_push(context, &pixels), (const int64_t[]){8, 8, 8});
    REQUIRE(COMMAND(context, "CLIJ2_thresholdYen", NAME("input"), NAME("mask")));
    block_process_macro(macro, (const int64_t[]){16, 16, 8}, (const int64_t[]){8, 8, 8});
    block_compare_output(context, "mask", macro);
    reference_free(&pixels);
    drua_close(context);
}
END_TEST

/* Ranges that come from the image are those of its finite pixels, also if some blocks have no such pixel. */
START_TEST(ranges_leave_out_infinite_pixels)
{
    static const step ranges[] = {{"CLIJx_normalize", 1, {0}, 0},
                                  {"Drua_enhanceLocalContrast", 1, {15, 64, 2.5}, 3},
                                  {"CLIJ2_thresholdOtsu", 1, {0}, 0}};
    harness_random random = {harness_new_seed("infinite pixels by blocks")};
    drua_context *context = harness_open();
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        char macro[TEXT] = "Ext.Drua_push(input);\n";
        reference_image pixels = harness_image(&random, DRUA_FLOAT32, (drua_shape){61, 47, 3, 3}, HARNESS_GREY);
        REFERENCE_EACH_PIXEL (pixels.shape, x, y, z)
            if (x < 9 || (x + y + z) % 17 == 0)
                reference_put(&pixels, x, y, z, x % 3 == 0 ? NAN : x % 3 == 1 ? INFINITY : -INFINITY);
        block_write_input(context, harness_push(context, &pixels), (const int64_t[]){9, 11, 1});
        run_step(context, &random, &ranges[i], 1, macro);
        strcat(macro, "Ext.Drua_pull(v1);\n");
        block_process_macro(macro, (const int64_t[]){18, 22, 1}, (const int64_t[]){9, 11, 1});
        block_compare_output(context, "v1", macro);
        reference_free(&pixels);
        REQUIRE(drua_clear(context));
    }
    drua_close(context);
}
END_TEST

/*
 * These operations need the extremes of the whole image, or have a ball or square whose radius is larger than a block.
 * ImageJ's ball shrinks the image by 1, 2 and 4 for these radii.
 */
START_TEST(contrast_and_background_are_those_of_the_whole_image)
{
    static const step wide[] = {{"CLIJx_normalize", 1, {0}, 0},
                                {"Drua_enhanceLocalContrast", 1, {31, 64, 2.5}, 3},
                                {"Drua_subtractBackground", 1, {6, 0, 0, 0, 0}, 5},
                                {"Drua_subtractBackground", 1, {12, 1, 1, 0, 1}, 5},
                                {"Drua_subtractBackground", 1, {31, 0, 1, 0, 0}, 5},
                                {"Drua_subtractBackground", 1, {12, 0, 0, 1, 0}, 5}};
    const drua_type types[] = {DRUA_UINT8, DRUA_UINT16, DRUA_FLOAT32};
    harness_random random = {harness_new_seed("contrast by blocks")};
    drua_context *context = harness_open();
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
        char macro[TEXT] = "Ext.Drua_push(input);\n";
        const drua_shape shape = {101 + harness_below(&random, 40), 90 + harness_below(&random, 40),
                                  1 + harness_below(&random, 3), 3};
        reference_image pixels = harness_image(&random, types[i % 3], shape, HARNESS_GREY);
        block_write_input(context, harness_push(context, &pixels), (const int64_t[]){9, 11, 1});
        run_step(context, &random, &wide[i], 1, macro);
        strcat(macro, "Ext.Drua_pull(v1);\n");
        block_process_macro(macro, (const int64_t[]){36, 22, 1}, (const int64_t[]){9, 11, 1});
        block_compare_output(context, "v1", macro);
        reference_free(&pixels);
        REQUIRE(drua_clear(context));
    }
    drua_close(context);
}
END_TEST

/* Covers all pixel types, negative, infinite and undefined pixels, and images that another step computes. */
START_TEST(percentiles_are_those_of_the_whole_image)
{
    static const drua_type types[] = {DRUA_UINT8,  DRUA_INT8,  DRUA_UINT16, DRUA_INT16,
                                      DRUA_UINT32, DRUA_INT32, DRUA_FLOAT32};
    static const step steps_of[] = {{"CLIJ2_mean3DBox", 1, {1, 1, 1}, 3},
                                    {"Drua_normalizePercentiles", 1, {3, 97.5}, 2}};
    harness_random random = {harness_new_seed("percentiles by blocks")};
    drua_context *context = harness_open();
    for (size_t i = 0; i < 2 * sizeof types / sizeof *types; i++) {
        char macro[TEXT] = "Ext.Drua_push(input);\n";
        if (!harness_is_sampled((int)i))
            continue;
        const drua_shape shape = {31 + harness_below(&random, 20), 23 + harness_below(&random, 20), 7, 3};
        const int count = 1 + (int)(i % 2);
        reference_image pixels = harness_image(&random, types[i / 2], shape, HARNESS_GREY);
        if (types[i / 2] == DRUA_FLOAT32)
            for (int k = 0; k < 40; k++)
                reference_put(&pixels, k % 31, k % 23, k % 7, k % 2 ? NAN : k % 4 ? INFINITY : -INFINITY);
        block_write_input(context, harness_push(context, &pixels), (const int64_t[]){9, 7, 3});
        for (int k = 0; k < count; k++)
            run_step(context, &random, &steps_of[k + 2 - count], k + 1, macro);
        sprintf(macro + strlen(macro), "Ext.Drua_pull(v%d);\n", count);
        block_process_macro(macro, (const int64_t[]){18, 7, 3}, (const int64_t[]){9, 7, 3});
        block_compare_output(context, count > 1 ? "v2" : "v1", macro);
        reference_free(&pixels);
        REQUIRE(drua_clear(context));
    }
    drua_close(context);
}
END_TEST

/* Structures that a filter keeps or removes extend over several blocks. */
START_TEST(structures_are_those_of_the_whole_image)
{
    static const char *const operations[] = {"opening", "closing", "top-hat", "bottom-hat"}, *const attributes[] = {
                                                                                                 "area",
                                                                                                 "box-diagonal"};
    static const drua_type types[] = {DRUA_UINT8, DRUA_INT16, DRUA_FLOAT32};
    harness_random random = {harness_new_seed("attributes by blocks")};
    drua_context *context = harness_open();
    for (int i = 0; i < 24; i++) {
        const char *operation = operations[i % 4], *attribute = attributes[i / 4 % 2];
        const int minimum = 1 + harness_below(&random, 12), neighbours = i % 3 ? 26 : 6;
        const drua_shape shape = {31 + harness_below(&random, 20), 23 + harness_below(&random, 20),
                                  1 + harness_below(&random, 9), 3};
        char macro[TEXT];
        if (!harness_is_sampled(i))
            continue;
        sprintf(macro,
                "Ext.Drua_push(input);\nExt.Drua_attributeFilter(input, v, \"%s\", \"%s\", %d, "
                "%d);\nExt.Drua_pull(v);\n",
                operation, attribute, minimum, neighbours);
        reference_image pixels = harness_image(&random, types[i % 3], shape, HARNESS_SPECIAL);
        block_write_input(context, harness_push(context, &pixels), (const int64_t[]){9, 7, 1});
        REQUIRE(COMMAND(context, "Drua_attributeFilter", NAME("input"), NAME("v"), NAME(operation), NAME(attribute),
                        NUMBER(minimum), NUMBER(neighbours)));
        block_process_macro(macro, (const int64_t[]){9, 14, 2}, (const int64_t[]){9, 7, 1});
        block_compare_output(context, "v", macro);
        reference_free(&pixels);
        REQUIRE(drua_clear(context));
    }
    drua_close(context);
}
END_TEST

/* A projection reads all slices at its pixels, so blocks are columns. */
START_TEST(projections_are_those_of_the_whole_image)
{
    static const char macro[] = "Ext.Drua_push(input);\nExt.CLIJ2_mean3DBox(input, mean, 1, 1, "
                                "1);\nExt.CLIJ2_maximumZProjection(mean, highest);\n";
    harness_random random = {harness_new_seed("projections by blocks")};
    drua_context *context = harness_open();
    reference_image pixels = harness_image(&random, DRUA_UINT16, (drua_shape){50, 40, 20, 3}, HARNESS_GREY);
    block_write_input(context, harness_push(context, &pixels), (const int64_t[]){8, 8, 8});
    REQUIRE(COMMAND(context, "CLIJ2_mean3DBox", NAME("input"), NAME("mean"), NUMBER(1), NUMBER(1), NUMBER(1)));
    REQUIRE(COMMAND(context, "CLIJ2_maximumZProjection", NAME("mean"), NAME("highest")));
    block_process_macro(macro, (const int64_t[]){16, 16, 1}, (const int64_t[]){16, 16, 1});
    block_compare_output(context, "highest", macro);
    reference_free(&pixels);
    drua_close(context);
}
END_TEST

/* These operations consist of commands with wide neighbourhoods, so a block reads more than its column. */
START_TEST(sharpest_slices_are_those_of_the_whole_image)
{
    static const char macro[] =
        "Ext.Drua_push(input);\nExt.CLIJ2_extendedDepthOfFocusVarianceProjection(input, sharp, 3, 3, 5);\n";
    harness_random random = {harness_new_seed("sharpest slices by blocks")};
    drua_context *context = harness_open();
    reference_image pixels = harness_image(&random, DRUA_UINT16, (drua_shape){67, 61, 13, 3}, HARNESS_GREY);
    block_write_input(context, harness_push(context, &pixels), (const int64_t[]){16, 16, 4});
    REQUIRE(COMMAND(context, "CLIJ2_extendedDepthOfFocusVarianceProjection", NAME("input"), NAME("sharp"), NUMBER(3),
                    NUMBER(3), NUMBER(5)));
    block_process_macro(macro, (const int64_t[]){16, 16, 1}, (const int64_t[]){16, 16, 1});
    block_compare_output(context, "sharp", macro);
    reference_free(&pixels);
    drua_close(context);
}
END_TEST

/* ---- refused pipelines */

static void refuse_macro(const char *macro, const char *part)
{
    char in[BLOCK_PATH_SIZE], out[BLOCK_PATH_SIZE], plan[BLOCK_PATH_SIZE], path[BLOCK_PATH_SIZE];
    drua_text said = {0};
    block_folder_path("in.zarr", in);
    block_folder_path("out.zarr", out);
    block_folder_path("plan.json", plan);
    block_folder_path("pipeline.ijm", path);
    block_write_text("pipeline.ijm", macro);
    const drua_blocks_request request = {.pipeline = path, .input = in, .output = out};
    ck_assert_msg(drua_blocks_plan(&request, plan, &said) != DRUA_OK, "this was planned:\n%s", macro);
    ck_assert_msg(strstr(drua_error_text(), part), "'%s' is not in: %s", part, drua_error_text());
    drua_text_free(&said);
}

START_TEST(what_is_not_local_is_refused_with_its_line)
{
    harness_random random = {1};
    drua_context *context = harness_open();
    reference_image pixels = harness_image(&random, DRUA_UINT8, (drua_shape){20, 20, 10, 3}, HARNESS_GREY);
    block_write_input(context, harness_push(context, &pixels), (const int64_t[]){8, 8, 8});
    reference_free(&pixels);
    refuse_macro("Ext.Drua_push(a);\n\nExt.CLIJx_morphoLibJClassicWatershed(a, a, b, 0, 255);\nExt.Drua_pull(b);\n",
                 "line 3");
    refuse_macro("Ext.Drua_push(a);\nExt.CLIJx_morphoLibJClassicWatershed(a, a, b, 0, 255);\nExt.Drua_pull(b);\n",
                 "flood from them with Drua_markerControlledWatershed");
    refuse_macro("Ext.Drua_push(a);\nExt.CLIJx_greyLevelAtttributeFiltering(a, b, 256, 10);\nExt.Drua_pull(b);\n",
                 "use Drua_attributeFilter");
    refuse_macro("Ext.Drua_push(a);\nExt.CLIJx_findMaximaPlateaus(a, b);\nExt.Drua_pull(b);\n", "line 2");
    refuse_macro("Ext.Drua_push(a);\nExt.Drua_measureLabels(a, a, \"shape texture\");\nExt.Drua_pull(a);\n",
                 "measure_labels: options asks for the columns of texture, which need all pixels of a label at once");
    refuse_macro("Ext.Drua_push(a);\nExt.Drua_measureLabels(a, a, \"all\");\nExt.Drua_pull(a);\n",
                 "options asks for the columns of hull");
    refuse_macro("Ext.Drua_push(a);\nExt.Drua_measureLabelPairs(a, \"dams\");\nExt.Drua_pull(a);\n",
                 "measure_label_pairs: options asks for dams, which cannot be counted block by block");
    refuse_macro("Ext.Drua_push(a);\nExt.CLIJx_meanClosestSpotDistance(a, a, 0);\nExt.Drua_pull(a);\n",
                 "makes a table, and the tables of several blocks cannot be joined");
    refuse_macro("Ext.Drua_push(a);\nExt.Drua_measureLabelsMap(a, a, b, \"AREA\", \"\");\nExt.Drua_pull(b);\n",
                 "line 2");
    refuse_macro("Ext.Drua_push(a);\nwhile (true) { }\n", "line 2 of the pipeline: 'while'");
    refuse_macro("Ext.Drua_push(a);\nif (i < 3) { }\n", "line 2 of the pipeline: 'if'");
    refuse_macro("Ext.Drua_push(a);\nfor (i = 0; i < 3; i--) { }\n",
                 "line 2 of the pipeline: loops have more than 10000");
    refuse_macro("Ext.Drua_push(a);\nrun(\"Invert\", \"stack\");\nExt.Drua_pull(a);\n",
                 "line 2 of the pipeline: run(\"Invert\")");
    refuse_macro("Ext.Drua_push(a);\nExt.CLIJ2_gausianBlur2D(a, b, 1, 1);\n", "gaussianBlur2D");
    refuse_macro("Ext.Drua_push(a);\nExt.CLIJ2_gaussianBlur2D(a, b, 1);\n",
                 "takes 4 arguments (source, destination, sigma_x, sigma_y), got 3");
    refuse_macro("Ext.Drua_push(a);\nExt.CLIJ2_gaussianBlur2D(c, b, 1, 1);\n", "there is no image 'c'");
    refuse_macro("Ext.Drua_push(a);\nExt.Drua_push(b);\n", "one input");
    refuse_macro("", "no command");
    drua_close(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pipelines by blocks");
    TCase *tests = tcase_create("blocks");
    tcase_add_checked_fixture(tests, block_folder_make, block_folder_remove);
    tcase_add_test(tests, graphs_have_the_bits_of_the_whole_image);
    harness_add(tests, deconvolution_is_within_a_thousandth_of_the_range, 1);
    tcase_add_test(tests, thresholds_are_those_of_the_whole_image);
    tcase_add_test(tests, contrast_and_background_are_those_of_the_whole_image);
    tcase_add_test(tests, percentiles_are_those_of_the_whole_image);
    tcase_add_test(tests, structures_are_those_of_the_whole_image);
    tcase_add_test(tests, projections_are_those_of_the_whole_image);
    tcase_add_test(tests, sharpest_slices_are_those_of_the_whole_image);
    tcase_add_test(tests, what_is_not_local_is_refused_with_its_line);
    TCase *timed = tcase_create("timed");
    tcase_add_checked_fixture(timed, block_folder_make, block_folder_remove);
    harness_add(timed, what_was_timed_changes_no_bit, 1);
    TCase *infinite = tcase_create("infinite");
    tcase_set_timeout(infinite, 300);
    tcase_add_checked_fixture(infinite, block_folder_make, block_folder_remove);
    tcase_add_test(infinite, infinite_thresholds_are_those_of_the_whole_image);
    tcase_add_test(infinite, ranges_leave_out_infinite_pixels);
    suite_add_tcase(suite, tests);
    suite_add_tcase(suite, timed);
    suite_add_tcase(suite, infinite);
    return harness_run(suite);
}
