/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pipelines by blocks: random graphs on images of random extents, chunks and blocks have the bits that the same commands have on the whole image;
 * deconvolution stays within a thousandth of the range.
 */
#include "block_pipeline.h"
#include "error.h"
#include "harness.h"
#include "zarr_folder.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STEPS = 6, TEXT = 8192, PATH = 256 };

/* A command that keeps an image's size: how many images it reads, and its numbers. */
typedef struct step {
    const char *command;
    int images;
    double numbers[3];
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

static char folder[PATH];

static void make_folder(void)
{
    snprintf(folder, sizeof folder, "/tmp/drua-blocks-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void remove_folder(void)
{
    zarr_folder_remove(folder);
}

static void path_of(const char *name, char path[2 * PATH])
{
    snprintf(path, 2 * PATH, "%s/%s", folder, name);
}

/* ---- whole images and files */

static void write_input(drua_context *context, drua_image image, const int64_t chunk[3])
{
    char path[2 * PATH], options[200];
    path_of("in.zarr", path);
    snprintf(options, sizeof options, "chunk=%" PRId64 ",%" PRId64 ",%" PRId64, chunk[0], chunk[1], chunk[2]);
    REQUIRE(drua_bind(context, "input", image));
    REQUIRE(COMMAND(context, "Drua_writeZarr", NAME("input"), NAME(path), NAME(options)));
}

static reference_image read_output(drua_context *context)
{
    char path[2 * PATH];
    drua_image image;
    path_of("out.zarr", path);
    REQUIRE(drua_read_tiff(context, path, 0, 0, &image));
    reference_image pixels = harness_pull(context, image);
    REQUIRE(drua_release(context, image));
    return pixels;
}

/* ---- random graphs */

/* Runs a step on the whole images and writes its line. */
static void run_step(drua_context *context, harness_random *random, int number, char *macro)
{
    const step *s = &steps[harness_below(random, sizeof steps / sizeof *steps)];
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

static void write_text(const char *name, const char *text)
{
    zarr_folder_put(folder, name, text, strlen(text));
}

static void process(const char *pipeline, const int64_t block[3], const int64_t chunk[3])
{
    char in[2 * PATH], out[2 * PATH], plan[2 * PATH];
    path_of("in.zarr", in);
    path_of("out.zarr", out);
    path_of("plan.json", plan);
    drua_text said = {0};
    drua_blocks_request request = {.pipeline = pipeline, .input = in, .output = out, .anew = true};
    memcpy(request.block, block, sizeof request.block);
    memcpy(request.chunk, chunk, sizeof request.chunk);
    if (drua_blocks_plan(&request, plan, &said) != DRUA_OK)
        ck_abort_msg("plan: %s", drua_error_text());
    drua_text_free(&said);
    if (drua_blocks_run(plan, &(drua_blocks_share){.first = 0}, NULL, NULL) != DRUA_OK)
        ck_abort_msg("run: %s", drua_error_text());
    if (drua_blocks_finish(plan, NULL, NULL) != DRUA_OK)
        ck_abort_msg("finish: %s", drua_error_text());
    if (drua_blocks_verify(plan, NULL, NULL) != DRUA_OK)
        ck_abort_msg("verify: %s", drua_error_text());
    drua_blocks_forget(plan);
}

static void compare(const reference_image *whole, const reference_image *blocks, const char *macro)
{
    ck_assert_msg(whole->shape.width == blocks->shape.width && whole->shape.height == blocks->shape.height && whole->shape.depth == blocks->shape.depth && whole->type == blocks->type,
                  "another shape or type by\n%s", macro);
    const int64_t count = whole->shape.width * whole->shape.height * whole->shape.depth;
    for (int64_t i = 0; i < count; i++) {
        const int64_t x = i % whole->shape.width, y = i / whole->shape.width % whole->shape.height, z = i / whole->shape.width / whole->shape.height;
        const double a = reference_at(whole, x, y, z), b = reference_at(blocks, x, y, z);
        if (memcmp(&a, &b, sizeof a) && !(isnan(a) && isnan(b)))
            ck_abort_msg("%.9g for %.9g at %" PRId64 ", %" PRId64 ", %" PRId64 " of %" PRId64 " x %" PRId64 " x %" PRId64 " by\n%s", b, a, x, y, z, whole->shape.width,
                         whole->shape.height, whole->shape.depth, macro);
    }
}

static void try_graph(drua_context *context, harness_random *random)
{
    static const drua_type types[] = {DRUA_UINT8, DRUA_UINT16, DRUA_FLOAT32};
    char macro[TEXT] = "Ext.Drua_push(input);\n", path[2 * PATH], last[16];
    int64_t chunk[3], block[3];
    const drua_shape shape = {8 + harness_below(random, 40), 8 + harness_below(random, 40), 4 + harness_below(random, 20), 3};
    const int64_t extent[3] = {shape.width, shape.height, shape.depth};
    for (int axis = 0; axis < 3; axis++) {
        chunk[axis] = 4 + harness_below(random, 9);
        chunk[axis] = chunk[axis] < extent[axis] ? chunk[axis] : extent[axis];
        block[axis] = chunk[axis] * (1 + harness_below(random, 3));
    }
    reference_image pixels = harness_image(random, types[harness_below(random, 3)], shape, HARNESS_GREY);
    write_input(context, harness_push(context, &pixels), chunk);
    const int count = 1 + harness_below(random, STEPS);
    for (int i = 1; i <= count; i++)
        run_step(context, random, i, macro);
    snprintf(last, sizeof last, "v%d", count);
    sprintf(macro + strlen(macro), "Ext.Drua_pull(%s);\n", last);
    write_text("pipeline.ijm", macro);
    path_of("pipeline.ijm", path);
    process(path, block, chunk);
    drua_image result;
    REQUIRE(drua_find(context, last, &result));
    reference_image whole = harness_pull(context, result), blocks = read_output(context);
    compare(&whole, &blocks, macro);
    reference_free(&pixels);
    reference_free(&whole);
    reference_free(&blocks);
    REQUIRE(drua_clear(context));
}

START_TEST(graphs_have_the_bits_of_the_whole_image)
{
    enum { GRAPHS = 24 };
    harness_random random = {harness_new_seed("block pipelines")};
    drua_context *context = harness_open();
    for (int i = 0; i < GRAPHS; i++)
        try_graph(context, &random);
    drua_close(context);
}
END_TEST

/* ---- deconvolution */

/* Balls of light on a dim floor, blurred: what blocks and the whole image restore. */
static reference_image blurred(drua_context *context, harness_random *random, drua_shape shape)
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

START_TEST(deconvolution_is_within_a_thousandth_of_the_range)
{
    harness_random random = {harness_new_seed("deconvolution by blocks")};
    drua_context *context = harness_open();
    const drua_shape shape = {60, 52, 40, 3};
    const int64_t chunk[3] = {16, 16, 16}, block[3] = {32, 32, 32};
    char path[2 * PATH], pipeline[4 * PATH];
    reference_image image = blurred(context, &random, shape), psf = psf_of(context);
    drua_image source = harness_push(context, &image), kernel = harness_push(context, &psf);
    path_of("psf.tif", path);
    REQUIRE(drua_write_tiff(context, kernel, path, NULL));
    drua_argument arguments[] = {IMAGE(source), IMAGE(kernel), NEW, NAME("iterations=20 background=50")};
    REQUIRE(drua_invoke(context, "deconvolve", arguments, 4, NULL));
    reference_image whole = harness_pull(context, arguments[2].image);
    write_input(context, source, chunk);
    snprintf(pipeline, sizeof pipeline, "deconvolve psf=%s iterations=20 background=50", path);
    process(pipeline, block, chunk);
    reference_image blocks = read_output(context);
    double range = 0, most = 0;
    REFERENCE_EACH_PIXEL(shape, x, y, z) {
        const double a = reference_at(&whole, x, y, z);
        range = fmax(range, a);
        most = fmax(most, fabs(a - reference_at(&blocks, x, y, z)));
    }
    ck_assert_msg(range > 0 && most <= range / 1000, "blocks differ by %g of a range of %g", most, range);
    reference_free(&image);
    reference_free(&psf);
    reference_free(&whole);
    reference_free(&blocks);
    drua_close(context);
}
END_TEST

/* ---- what is refused */

static void refuse(const char *macro, const char *part)
{
    char in[2 * PATH], out[2 * PATH], plan[2 * PATH], path[2 * PATH];
    drua_text said = {0};
    path_of("in.zarr", in);
    path_of("out.zarr", out);
    path_of("plan.json", plan);
    path_of("pipeline.ijm", path);
    write_text("pipeline.ijm", macro);
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
    write_input(context, harness_push(context, &pixels), (const int64_t[]){8, 8, 8});
    reference_free(&pixels);
    refuse("Ext.Drua_push(a);\n\nExt.CLIJ2_distanceMap(a, b);\nExt.Drua_pull(b);\n", "line 3");
    refuse("Ext.Drua_push(a);\nExt.CLIJ2_watershed(a, b);\nExt.Drua_pull(b);\n", "line 2");
    refuse("Ext.Drua_push(a);\nfor (i = 0; i < 3; i++) { }\n", "line 2 of the pipeline: 'for'");
    refuse("Ext.Drua_push(a);\nExt.CLIJ2_gausianBlur2D(a, b, 1, 1);\n", "gaussianBlur2D");
    refuse("Ext.Drua_push(a);\nExt.CLIJ2_gaussianBlur2D(a, b, 1);\n", "takes 4 arguments, got 3");
    refuse("Ext.Drua_push(a);\nExt.CLIJ2_gaussianBlur2D(c, b, 1, 1);\n", "there is no image 'c'");
    refuse("Ext.Drua_push(a);\nExt.Drua_push(b);\n", "one input");
    refuse("", "no command");
    drua_close(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("block pipelines");
    TCase *tests = tcase_create("blocks");
    tcase_add_checked_fixture(tests, make_folder, remove_folder);
    tcase_add_test(tests, graphs_have_the_bits_of_the_whole_image);
    tcase_add_test(tests, deconvolution_is_within_a_thousandth_of_the_range);
    tcase_add_test(tests, what_is_not_local_is_refused_with_its_line);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
