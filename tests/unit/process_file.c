/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks that the result of drua_process_file is bit-identical to that of the whole image, that it reports progress and
 * resumes after a stop, and that it refuses wrong requests.
 */
#include "block_files.h"
#include "file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char settings[] = "block=8,8,8 chunk=8,8,8 compression=none memory='1 GB'";
static const char over_it[] = "block=8,8,8 chunk=8,8,8 compression=none memory='1 GB' overwrite";
static const char pipeline[] = "gaussian_blur sigma_x=2 sigma_y=1 sigma_z=0";

enum { BLOCKS = 5 * 3 * 2 };

static drua_context *context;
static char in[BLOCK_PATH_SIZE], out[BLOCK_PATH_SIZE], plan[BLOCK_PATH_SIZE + 16];

/* The values that the progress callback received, and the number of blocks after which it stops the work. */
typedef struct seen {
    int64_t stop_after, max;
    int plans;
    bool refuses; /* whether to refuse the plan */
    bool stopped, goes_on;
    int64_t last_done, last_all;
} seen;

static int note_progress(void *payload, const drua_process_progress *p)
{
    seen *s = payload;
    s->plans += p->plan && strstr(p->plan, "blocks  30 of 8 x 8 x 8") != NULL;
    s->goes_on =
        s->goes_on || (p->plan && strstr(p->plan, "\nresumed: ") && strstr(p->plan, " of 30 blocks are done\n"));
    ck_assert_msg(p->done >= 0 && (p->all == 0 || p->done <= p->all) && p->left >= 0 && p->what, "%lld of %lld",
                  (long long)p->done, (long long)p->all);
    if (!strcmp(p->what, "blocks"))
        s->max = p->done > s->max ? p->done : s->max;
    s->last_done = p->done;
    s->last_all = p->all;
    s->stopped = s->stopped || (s->refuses && p->plan) || (s->stop_after && p->done >= s->stop_after);
    return !s->stopped;
}

static void set_up(void)
{
    harness_random random = {7};
    block_folder_make();
    context = harness_open();
    reference_image pixels = harness_image(&random, DRUA_UINT8, (drua_shape){40, 20, 10, 3}, HARNESS_GREY);
    block_write_input(context, harness_push(context, &pixels), (const int64_t[]){16, 16, 16});
    reference_free(&pixels);
    block_folder_path("in.zarr", in);
    block_folder_path("out.zarr", out);
    block_folder_path("out.zarr.plan.json", plan);
}

static void tear_down(void)
{
    drua_close(context);
    block_folder_remove();
}

static void is_as_the_whole_image(void)
{
    REQUIRE(COMMAND(context, "CLIJ2_gaussianBlur3D", NAME("input"), NAME("blurred"), NUMBER(2), NUMBER(1), NUMBER(0)));
    block_compare_output(context, "blurred", pipeline);
}

START_TEST(blocks_have_the_bits_of_the_whole_image)
{
    seen s = {0};
    REQUIRE(drua_process_file(pipeline, in, out, settings, note_progress, &s));
    ck_assert_int_eq(s.plans, 1);
    ck_assert_int_eq(s.max, BLOCKS);
    ck_assert_int_eq(s.last_done, s.last_all);
    ck_assert(!drua_file_is_ordinary(plan));
    is_as_the_whole_image();
}
END_TEST

START_TEST(it_goes_on_after_it_was_stopped)
{
    seen first = {.stop_after = 2}, second = {0};
    ck_assert_int_eq(drua_process_file(pipeline, in, out, settings, note_progress, &first), DRUA_E_CANCELLED);
    ck_assert_msg(!drua_file_is_ordinary(out) && !drua_file_is_folder(out), "an unfinished image has its final name");
    ck_assert_msg(drua_file_is_ordinary(plan), "the plan is gone");
    REQUIRE(drua_process_file(pipeline, in, out, settings, note_progress, &second));
    ck_assert_msg(!first.goes_on && second.goes_on, "finished blocks are not reported");
    ck_assert_msg(!drua_file_is_ordinary(plan), "the plan was left");
    is_as_the_whole_image();
}
END_TEST

static void write_pipeline(const char *name, const char *text, char path[BLOCK_PATH_SIZE])
{
    block_folder_path(name, path);
    block_write_text(name, text);
}

static bool count_names(const char *name, void *count)
{
    (void)name;
    ++*(int *)count;
    return true;
}

static int names_there(void)
{
    char folder[BLOCK_PATH_SIZE];
    int count = 0;
    block_folder_path(".", folder);
    drua_folder_visit(folder, count_names, &count);
    return count;
}

START_TEST(a_plan_that_is_refused_leaves_nothing)
{
    char several[BLOCK_PATH_SIZE], folder[BLOCK_PATH_SIZE], tiff[BLOCK_PATH_SIZE];
    write_pipeline("several.ijm",
                   "Ext.Drua_push(a);\nExt.CLIJ2_threshold(a, b, 200);\nExt.CLIJ2_invert(a, "
                   "c);\nExt.Drua_pull(b);\nExt.Drua_pull(c);\n",
                   several);
    block_folder_path("folder", folder);
    block_folder_path("out.tif", tiff);
    const char *const pipelines[] = {pipeline, pipeline, several}, *const outputs[] = {out, tiff, folder};
    const int before = names_there();
    for (int i = 0; i < 3; i++) {
        seen s = {.refuses = true};
        ck_assert_int_eq(drua_process_file(pipelines[i], in, outputs[i], settings, note_progress, &s),
                         DRUA_E_CANCELLED);
        ck_assert_msg(strstr(drua_error_message(), "stopped before the first block") != NULL, "%s",
                      drua_error_message());
        ck_assert_msg(names_there() == before, "%d files and folders more beside %s", names_there() - before,
                      outputs[i]);
    }
}
END_TEST

START_TEST(a_plan_that_is_refused_keeps_what_was_done)
{
    char labels[BLOCK_PATH_SIZE];
    seen first = {.stop_after = 2}, refused = {.refuses = true}, second = {0};
    ck_assert_int_eq(drua_process_file(pipeline, in, out, settings, note_progress, &first), DRUA_E_CANCELLED);
    ck_assert_int_eq(drua_process_file(pipeline, in, out, settings, note_progress, &refused), DRUA_E_CANCELLED);
    REQUIRE(drua_process_file(pipeline, in, out, settings, note_progress, &second));
    ck_assert_msg(refused.goes_on && second.goes_on, "finished blocks are not reported");
    is_as_the_whole_image();
    write_pipeline("labels.ijm",
                   "Ext.Drua_push(a);\nExt.CLIJ2_threshold(a, b, 200);\nExt.CLIJ2_connectedComponentsLabelingBox(b, "
                   "c);\nExt.Drua_pull(c);\n",
                   labels);
    seen found = {.refuses = true};
    ck_assert_int_eq(drua_process_file(labels, in, out, over_it, note_progress, &found), DRUA_E_CANCELLED);
    ck_assert_msg(drua_file_is_ordinary(plan), "the plan with the labels of a pass is gone");
}
END_TEST

static void refuse_request(const char *what, const char *from, const char *with, drua_status expected, const char *part)
{
    ck_assert_int_eq(drua_process_file(what, from, out, with, NULL, NULL), expected);
    ck_assert_msg(strstr(drua_error_message(), part) && !strchr(drua_error_message(), '\n'), "'%s' is not in: %s", part,
                  drua_error_message());
    ck_assert(!drua_file_is_ordinary(plan));
}

/* An existing output stays until its replacement is complete, and is replaced only with permission. */
START_TEST(outputs_of_others_stay)
{
    char tiff[BLOCK_PATH_SIZE], foreign[BLOCK_PATH_SIZE];
    block_folder_path("out.tif", tiff);
    block_folder_path("foreign.zarr", foreign);
    REQUIRE(drua_process_file(pipeline, in, out, settings, NULL, NULL));
    REFUSED(DRUA_E_ARGUMENT, drua_process_file(pipeline, in, out, settings, NULL, NULL), "out.zarr' already exists",
            "--overwrite");
    REQUIRE(drua_process_file(pipeline, in, out, over_it, NULL, NULL));
    is_as_the_whole_image();
    block_write_text("out.tif", "a letter");
    REFUSED(DRUA_E_ARGUMENT, drua_process_file(pipeline, in, tiff, settings, NULL, NULL), "out.tif' already exists");
    char *kept = block_read_text("out.tif");
    ck_assert_str_eq(kept, "a letter");
    free(kept);
    REQUIRE(drua_process_file(pipeline, in, tiff, over_it, NULL, NULL));
    ck_assert(drua_file_make_folder(foreign));
    block_write_text("foreign.zarr/0", "a letter");
    REFUSED(DRUA_E_ARGUMENT, drua_process_file(pipeline, in, foreign, settings, NULL, NULL), "foreign.zarr");
    REFUSED(DRUA_E_ARGUMENT, drua_process_file(pipeline, in, foreign, over_it, NULL, NULL), "foreign.zarr");
    kept = block_read_text("foreign.zarr/0");
    ck_assert_str_eq(kept, "a letter");
    free(kept);
}
END_TEST

/* Refuses every spelling of the input's path, and paths inside and around the input. */
START_TEST(outputs_are_no_inputs)
{
    static const char *const names[] = {"in.zarr",
                                        "./in.zarr",
                                        "in.zarr/",
                                        "in.zarr/../in.zarr",
                                        "in.zarr//.",
                                        "link.zarr",
                                        "link.zarr/",
                                        "dangling.zarr/../in.zarr",
                                        "in.zarr/0",
                                        "in.zarr/out.zarr",
                                        "in.zarr/a.tif",
                                        "",
                                        "link.zarr/0/../out.tif"};
    char link[BLOCK_PATH_SIZE], other[BLOCK_PATH_SIZE], output[BLOCK_PATH_SIZE];
    block_folder_path("link.zarr", link);
    block_folder_path("dangling.zarr", other);
    ck_assert(symlink("in.zarr", link) == 0 && drua_file_make_folder(other));
    const int before = names_there();
    char *metadata = block_read_text("in.zarr/0/.zarray");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        block_folder_path(names[i], output);
        REFUSED(DRUA_E_ARGUMENT, drua_process_file(pipeline, in, output, over_it, NULL, NULL), "output", "in.zarr",
                "another output");
        REFUSED(DRUA_E_ARGUMENT, drua_process_file(pipeline, link, output, over_it, NULL, NULL), "output", "link.zarr",
                "another output");
        ck_assert_int_eq(names_there(), before);
        char *now = block_read_text("in.zarr/0/.zarray");
        ck_assert_str_eq(now, metadata);
        free(now);
    }
    free(metadata);
}
END_TEST

/* Refuses files that commands read, and the file of commands itself. A hard link is another name of the same file. */
START_TEST(outputs_are_no_files_of_the_pipeline)
{
    char macro[BLOCK_PATH_SIZE], image[BLOCK_PATH_SIZE], link[BLOCK_PATH_SIZE], text[2 * BLOCK_PATH_SIZE + 200];
    block_folder_path("other.tif", image);
    block_folder_path("hard.tif", link);
    REQUIRE(drua_write_tiff(context, harness_line(context, (float[]){1, 2}, 2), image, NULL));
    ck_assert_int_eq(linkat(AT_FDCWD, image, AT_FDCWD, link, 0), 0);
    snprintf(text, sizeof text,
             "Ext.Drua_push(a);\nExt.Drua_read(\"%s\", b);\nExt.Drua_convolve(a, b, c);\nExt.Drua_pull(c);\n", image);
    write_pipeline("other.ijm", text, macro);
    REFUSED(DRUA_E_ARGUMENT, drua_process_file(macro, in, link, over_it, NULL, NULL), "hard.tif", "other.tif",
            "the pipeline reads");
    REFUSED(DRUA_E_ARGUMENT, drua_process_file(macro, in, macro, over_it, NULL, NULL), "the pipeline", "other.ijm");
}
END_TEST

START_TEST(what_cannot_be_done_is_one_sentence)
{
    char macro[BLOCK_PATH_SIZE];
    block_folder_path("pipeline.ijm", macro);
    block_write_text("pipeline.ijm",
                     "Ext.Drua_push(a);\n\nExt.Drua_equalizeMeanIntensitiesOfSlices(a, b, 1);\nExt.Drua_pull(b);\n");
    refuse_request(macro, in, NULL, DRUA_E_UNSUPPORTED, "line 3");
    block_write_text("pipeline.ijm",
                     "Ext.Drua_push(a);\n\nExt.Drua_classicWatershed(a, a, b, 0, 65535, 4);\nExt.Drua_pull(b);\n");
    refuse_request(macro, in, NULL, DRUA_E_UNSUPPORTED, "cannot run block by block");
    refuse_request("gaussian_blur sigma_x=1", in, "memory=1GB anew memory=2GB", DRUA_E_ARGUMENT,
                   "memory is given twice; give it once");
    refuse_request("gausian_blur", in, "", DRUA_E_ARGUMENT, "neither a file of commands nor an operation");
    refuse_request(pipeline, "/nowhere/in.zarr", "", DRUA_E_ARGUMENT, "/nowhere/in.zarr");
    refuse_request(pipeline, in, "blok=16,16,16", DRUA_E_ARGUMENT, "unknown setting or value 'blok=16,16,16'");
    refuse_request(pipeline, in, "memory=1GB block=16,16", DRUA_E_ARGUMENT, "unknown setting or value 'block=16,16'");
    refuse_request(pipeline, in, "anew fast", DRUA_E_ARGUMENT, "unknown setting or value 'fast'");
    refuse_request(pipeline, in, "block=9223372036854775807,1,1", DRUA_E_ARGUMENT,
                   "unknown setting or value 'block=9223372036854775807,1,1'");
    refuse_request("opening_box steps=1e300", in, settings, DRUA_E_ARGUMENT,
                   "steps must be -10000 to 10000 pixel, got 1e+300");
    refuse_request("opening_box steps=5e18", in, settings, DRUA_E_ARGUMENT,
                   "steps must be -10000 to 10000 pixel, got 5e+18");
    refuse_request("automatic_threshold method=Ots", in, settings, DRUA_E_ARGUMENT, "got 'Ots'; did you mean Otsu?");
}
END_TEST

START_TEST(an_output_of_another_format_is_refused)
{
    static const char *const names[] = {"out.png", "out.jpg", "out.n5"};
    for (int i = 0; i < 3; i++) {
        char path[BLOCK_PATH_SIZE];
        block_folder_path(names[i], path);
        ck_assert_int_eq(drua_process_file(pipeline, in, path, settings, NULL, NULL), DRUA_E_ARGUMENT);
        ck_assert_msg(strstr(drua_error_message(), names[i]) &&
                          strstr(drua_error_message(), ".tif, .tiff, .zarr or .ozx"),
                      "%s", drua_error_message());
        ck_assert(!drua_file_is_ordinary(path) && !drua_file_is_folder(path));
    }
}
END_TEST

static int keep_plan(void *payload, const drua_process_progress *p)
{
    if (p->plan)
        snprintf(payload, 2048, "%s", p->plan);
    return 1;
}

/* The plan reports wrong words in CLIJ2's commands, which CLIJ2 replaces by Default. */
START_TEST(what_clij2_takes_as_something_else_is_told)
{
    char macro[BLOCK_PATH_SIZE], said[2048] = "";
    write_pipeline("misspelt.ijm",
                   "Ext.Drua_push(a);\nExt.CLIJ2_automaticThreshold(a, b, \"Ots\");\nExt.Drua_pull(b);\n", macro);
    REQUIRE(drua_process_file(macro, in, out, settings, keep_plan, said));
    ck_assert_msg(strstr(said, "note    CLIJ2_automaticThreshold: method 'Ots' does not exist, so Default is used"),
                  "%s", said);
    REQUIRE(COMMAND(context, "CLIJ2_automaticThreshold", NAME("input"), NAME("mask"), NAME("Default")));
    block_compare_output(context, "mask", "misspelt method");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("process file");
    TCase *tests = tcase_create("process file");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, blocks_have_the_bits_of_the_whole_image);
    tcase_add_test(tests, it_goes_on_after_it_was_stopped);
    tcase_add_test(tests, a_plan_that_is_refused_leaves_nothing);
    tcase_add_test(tests, a_plan_that_is_refused_keeps_what_was_done);
    tcase_add_test(tests, outputs_of_others_stay);
    tcase_add_test(tests, outputs_are_no_inputs);
    tcase_add_test(tests, outputs_are_no_files_of_the_pipeline);
    tcase_add_test(tests, what_cannot_be_done_is_one_sentence);
    tcase_add_test(tests, an_output_of_another_format_is_refused);
    tcase_add_test(tests, what_clij2_takes_as_something_else_is_told);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
