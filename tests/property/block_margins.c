/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs operations whose pixels depend on pixels at any distance block by block with a margin. Each result must be
 * bit-identical to that of the whole image, or the plan is refused with an error message that names the margin.
 * Objects, extents, blocks and margins are random.
 */
#include "block_files.h"
#include "error.h"
#include "remove_plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 4096, LINES = 6, MARGINS = 4 };

/* Commands and their arguments: images, then numbers. The last image of the last line is the result. */
typedef struct pipeline {
    const char *lines[LINES];
    bool grey; /* the input is grey; otherwise it has objects of value 1 */
} pipeline;

static const pipeline pipelines[] = {
    {{"CLIJ2_distanceMap input v"}, false},
    {{"CLIJ2_watershed input v"}, false},
    {{"CLIJx_parametricWatershed input v 1 1 0"}, false},
    {{"CLIJ2_voronoiLabeling input v"}, false},
    {{"CLIJx_skeletonize input v"}, false},
    {{"CLIJ2_connectedComponentsLabelingBox input labels", "CLIJ2_extendLabelingViaVoronoi labels v"}, false},
    {{"CLIJ2_detectMaximaBox input spots 1", "CLIJ2_threshold input mask 100",
      "CLIJ2_maskedVoronoiLabeling spots mask v"},
     true},
    {{"CLIJ2_voronoiOtsuLabeling input v 1 1"}, true},
    {{"CLIJ2_gaussianBlur3D input smooth 1 1 1", "CLIJ2_detectMaximaBox smooth spots 1", "CLIJ2_labelSpots spots seeds",
      "CLIJx_seededWatershed seeds smooth v 90"},
     true},
    {{"CLIJ2_gaussianBlur3D input smooth 1 1 1", "CLIJ2_detectMaximaBox smooth spots 2", "CLIJ2_labelSpots spots seeds",
      "CLIJ2_greaterConstant smooth mask 108", "CLIJ2_invert smooth deep",
      "Drua_markerControlledWatershed deep seeds mask v 26 1 0"},
     true},
};

/* Runs a line on the whole image, and adds it to the macro. */
static void run_line(drua_context *context, const char *line, char *macro)
{
    char words[200], *command, *word;
    drua_argument arguments[12];
    size_t count = 0;
    snprintf(words, sizeof words, "%s", line);
    command = strtok(words, " ");
    sprintf(macro + strlen(macro), "Ext.%s(", command);
    while ((word = strtok(NULL, " ")) != NULL) {
        arguments[count] = word[0] >= '0' && word[0] <= '9' ? NUMBER(strtod(word, NULL)) : NAME(word);
        sprintf(macro + strlen(macro), "%s%s", count++ ? ", " : "", word);
    }
    strcat(macro, ");\n");
    if (drua_command(context, command, arguments, count, NULL) != DRUA_OK)
        ck_abort_msg("%s: %s", line, drua_error_text());
}

/* Balls of value 1, some of which touch. */
static void put_balls(harness_random *random, reference_image *image, int count, int largest)
{
    const drua_shape s = image->shape;
    for (int i = 0; i < count; i++) {
        const int64_t radius = 1 + harness_below(random, largest), x0 = harness_below(random, (int)s.width),
                      y0 = harness_below(random, (int)s.height), z0 = harness_below(random, (int)s.depth);
        REFERENCE_EACH_PIXEL (s, x, y, z)
            if ((x - x0) * (x - x0) + (y - y0) * (y - y0) + (z - z0) * (z - z0) <= radius * radius)
                reference_put(image, x, y, z, 1);
    }
}

static void put_noise(harness_random *random, reference_image *image)
{
    REFERENCE_EACH_PIXEL (image->shape, x, y, z)
        reference_put(image, x, y, z, harness_below(random, 200));
}

/* Plans and runs the macro; returns whether blocks were exact. A refusal must name the margin. */
static bool process(const char *macro, const int64_t block[3], const int64_t chunk[3], int64_t margin)
{
    char said[32], plan[BLOCK_PATH_SIZE];
    drua_blocks_request request = {.anew = true, .margin = margin};
    memcpy(request.block, block, sizeof request.block);
    memcpy(request.chunk, chunk, sizeof request.chunk);
    block_write_text("pipeline.ijm", macro);
    drua_status status = block_plan(&request);
    if (status == DRUA_OK)
        status = block_run(NULL);
    if (status == DRUA_OK) {
        block_finish();
        return true;
    }
    snprintf(said, sizeof said, "more than %d pixels", (int)margin);
    ck_assert_msg(status == DRUA_E_ARGUMENT && strstr(drua_error_text(), said) &&
                      strstr(drua_error_text(), "a larger margin"),
                  "margin %d: %s\n%s", (int)margin, drua_error_text(), macro);
    block_folder_path("plan.json", plan);
    drua_blocks_forget(plan);
    return false;
}

/* Tries one pipeline with several margins; returns how many were exact. The last margin contains the whole image. */
static int try_pipeline(drua_context *context, harness_random *random, const pipeline *p)
{
    static const int64_t margins[MARGINS] = {2, 5, 12, 60};
    char macro[TEXT] = "Ext.Drua_push(input);\n";
    const drua_shape shape = {20 + harness_below(random, 30), 20 + harness_below(random, 30),
                              harness_below(random, 2) ? 1 + harness_below(random, 12) : 1, 3};
    const int64_t extent[] = {shape.width, shape.height, shape.depth};
    int64_t chunk[3], block[3];
    int exact = 0;
    bool last = false;
    for (int axis = 0; axis < 3; axis++) {
        chunk[axis] = 6 + harness_below(random, 6);
        chunk[axis] = chunk[axis] < extent[axis] ? chunk[axis] : extent[axis];
        block[axis] = chunk[axis] * (1 + harness_below(random, 2));
    }
    reference_image pixels = reference_make(DRUA_UINT8, shape);
    if (p->grey)
        put_noise(random, &pixels);
    else
        put_balls(random, &pixels, 1 + harness_below(random, 30), 5);
    block_write_input(context, harness_push(context, &pixels), chunk);
    for (int i = 0; i < LINES && p->lines[i]; i++)
        run_line(context, p->lines[i], macro);
    strcat(macro, "Ext.Drua_pull(v);\n");
    for (int i = 0; i < MARGINS; i++) {
        last = process(macro, block, chunk, margins[i]);
        exact += last;
        if (last)
            block_compare_output(context, "v", macro);
    }
    ck_assert_msg(last, "a margin with the whole image is refused: %s\n%s", drua_error_text(), macro);
    reference_free(&pixels);
    REQUIRE(drua_clear(context));
    return exact;
}

START_TEST(results_within_the_margin_are_those_of_the_whole_image)
{
    enum { IMAGES = 4, PIPELINES = sizeof pipelines / sizeof *pipelines };
    harness_random random = {harness_new_seed("margins of blocks")};
    drua_context *context = harness_open();
    for (int i = 0; i < PIPELINES; i++) {
        int exact = 0, tried = 0;
        for (int image = 0; image < IMAGES; image++)
            if (harness_is_sampled(i * IMAGES + image)) {
                exact += try_pipeline(context, &random, &pipelines[i]);
                tried += MARGINS;
            }
        printf("%s: %d of %d exact, the others refused\n", pipelines[i].lines[0], exact, tried);
    }
    drua_close(context);
}
END_TEST

/* ---- results known by hand */

/* A slab of 9 pixels along x has distances of 1, 2, 3, 4, 5, 4, 3, 2, 1. */
START_TEST(a_distance_beyond_the_margin_is_refused)
{
    static const char macro[] = "Ext.Drua_push(input);\nExt.CLIJ2_distanceMap(input, v);\nExt.Drua_pull(v);\n";
    const drua_shape shape = {40, 12, 6, 3};
    const int64_t block[] = {10, 6, 3};
    drua_context *context = harness_open();
    reference_image slab = reference_make(DRUA_UINT8, shape);
    REFERENCE_EACH_PIXEL (shape, x, y, z)
        reference_put(&slab, x, y, z, x >= 15 && x < 24);
    block_write_input(context, harness_push(context, &slab), block);
    ck_assert(!process(macro, block, block, 4));
    ck_assert_msg(strstr(drua_error_text(), "the distance of pixel 19, 0, 0 extends more than 4 pixels"), "%s",
                  drua_error_text());
    ck_assert(process(macro, block, block, 5));
    reference_image blocks = block_read_output(context);
    REFERENCE_EACH_PIXEL (shape, x, y, z)
        ck_assert_int_eq((int)reference_at(&blocks, x, y, z), x < 15 || x >= 24 ? 0 : x < 20 ? x - 14 : 24 - x);
    reference_free(&slab);
    reference_free(&blocks);
    drua_close(context);
}
END_TEST

/* The regions of two spots at the ends of a row meet in the middle, 10 pixels away from both. */
START_TEST(a_region_beyond_the_margin_is_refused)
{
    static const char macro[] = "Ext.Drua_push(input);\nExt.CLIJ2_voronoiLabeling(input, v);\nExt.Drua_pull(v);\n";
    const drua_shape shape = {20, 4, 1, 3};
    const int64_t block[] = {5, 4, 1};
    drua_context *context = harness_open();
    reference_image spots = reference_make(DRUA_UINT8, shape);
    for (int y = 0; y < 4; y++) {
        reference_put(&spots, 0, y, 0, 1);
        reference_put(&spots, 19, y, 0, 1);
    }
    block_write_input(context, harness_push(context, &spots), block);
    ck_assert(!process(macro, block, block, 8));
    ck_assert_msg(strstr(drua_error_text(), "the region of pixel 9, 0, 0 extends more than 8 pixels"), "%s",
                  drua_error_text());
    ck_assert(process(macro, block, block, 9));
    reference_image blocks = block_read_output(context);
    REFERENCE_EACH_PIXEL (shape, x, y, z)
        ck_assert_int_eq((int)reference_at(&blocks, x, y, z), x < 10 ? 1 : 2);
    reference_free(&spots);
    reference_free(&blocks);
    drua_close(context);
}
END_TEST

START_TEST(markers_without_numbers_are_refused)
{
    const int64_t block[] = {10, 10, 1};
    drua_context *context = harness_open();
    reference_image pixels = reference_make(DRUA_UINT8, (drua_shape){20, 20, 1, 3});
    block_write_input(context, harness_push(context, &pixels), block);
    block_write_text("pipeline.ijm", "Ext.Drua_push(a);\n"
                                     "Ext.CLIJx_morphoLibJMarkerControlledWatershed(a, a, a, b);\nExt.Drua_pull(b);\n");
    ck_assert(block_plan(&(drua_blocks_request){.anew = true}) == DRUA_E_ARGUMENT);
    ck_assert_msg(strstr(drua_error_text(), "number the markers with connectedComponentsLabelingBox"), "%s",
                  drua_error_text());
    reference_free(&pixels);
    drua_close(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("margins of blocks");
    TCase *tests = tcase_create("margins");
    tcase_add_checked_fixture(tests, block_folder_make, block_folder_remove);
    tcase_add_test(tests, results_within_the_margin_are_those_of_the_whole_image);
    harness_add(tests, a_distance_beyond_the_margin_is_refused, 1);
    harness_add(tests, a_region_beyond_the_margin_is_refused, 1);
    harness_add(tests, markers_without_numbers_are_refused, 1);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
