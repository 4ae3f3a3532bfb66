/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes the n-th host allocation or OpenCL call fail in a short program of commands, and while Drua starts. Names and
 * images must stay consistent, and the program must succeed the next time.
 */
#include "loader.h"
#include "source.h"

#include "context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static drua_status short_program(drua_context *context)
{
    const float numbers[] = {1, 2, 3};
    drua_image image;
    drua_status status = drua_push(context, reference_plane(3, 1), DRUA_FLOAT32, numbers, &image);
    if (status == DRUA_OK)
        status = drua_bind(context, "source", image);
    if (status == DRUA_OK)
        status = drua_set_metadata(context, image, "about=pairs\n");
    drua_argument blur[] = {NAME("source"), NAME("blurred"), NUMBER(1), NUMBER(1)};
    if (status == DRUA_OK)
        status = drua_command(context, "CLIJ2_gaussianBlur2D", blur, 4, NULL);
    drua_argument add[] = {NAME("blurred"), NEW, NUMBER(1)};
    if (status == DRUA_OK)
        status = drua_command(context, "CLIJ2_addImageAndScalar", add, 3, NULL);
    drua_argument copy[] = {NAME("blurred"), NAME("source")};
    if (status == DRUA_OK)
        status = drua_command(context, "CLIJ2_copy", copy, 2, NULL);
    drua_table *table = NULL;
    drua_argument sum[] = {NAME("source")};
    if (status == DRUA_OK)
        status = drua_command(context, "CLIJ2_sumOfAllPixels", sum, 1, &table);
    drua_table_free(table);
    if (status == DRUA_OK)
        status = drua_sync(context);
    return status;
}

static size_t live_images(const drua_context *context)
{
    size_t live = 0;
    for (size_t i = 0; i < context->slot_count; i++)
        live += context->slots[i].value != NULL;
    return live;
}

static void try_program(const fault_source *source)
{
    drua_context *context = harness_open();
    REQUIRE(short_program(context));
    for (long n = 1, more = 1; more; n++) {
        REQUIRE(drua_clear(context));
        source->arm(n);
        const drua_status status = short_program(context);
        more = source->fired();
        if (status != DRUA_OK)
            ck_assert_msg(more && *drua_error_message(), "%s %ld: status %d, '%s'", source->what, n, (int)status,
                          drua_error_message());
        ck_assert_msg(!strstr(drua_names(context), "\n\n") && *drua_names(context) != '\n', "a name is empty: '%s'",
                      drua_names(context));
        REQUIRE(short_program(context));
        const size_t live = live_images(context);
        ck_assert_msg(live <= context->name_count + 1, "%s %ld: %zu images have no name", source->what, n,
                      live - context->name_count);
    }
    drua_close(context);
}

/* Leaves just one free handle, so that the second new image needs memory for its handle. */
static void fill_handles(drua_context *context)
{
    drua_image image;
    while (live_images(context) + 1 < context->slot_capacity)
        REQUIRE(drua_create(context, reference_plane(1, 1), DRUA_FLOAT32, &image));
}

/* A call with two results: the first goes into an existing image, or both are new. */
static void try_results(const fault_source *source, bool into_old)
{
    enum { SIDE = 2 };
    const float complex_numbers[2 * SIDE] = {1, 2, 3, 4}, before[SIDE] = {7, 8};
    drua_context *context = harness_open();
    for (long n = 1, more = 1; more; n++) {
        drua_image pairs, old;
        const char *text;
        REQUIRE(drua_clear(context));
        REQUIRE(drua_push(context, reference_plane(2 * SIDE, 1), DRUA_FLOAT32, complex_numbers, &pairs));
        REQUIRE(drua_set_metadata(context, pairs, "about=pairs\n"));
        REQUIRE(drua_push(context, reference_plane(SIDE, 1), DRUA_FLOAT32, before, &old));
        fill_handles(context);
        const size_t live = live_images(context);
        drua_argument split[] = {IMAGE(pairs), into_old ? IMAGE(old) : NEW, NEW};
        source->arm(n);
        const drua_status status = drua_invoke(context, "split_complex_image", split, 3, NULL);
        more = source->fired();
        ck_assert_msg(status == DRUA_OK || (more && *drua_error_message()), "%s %ld: '%s'", source->what, n,
                      drua_error_message());
        ck_assert_msg(live_images(context) == live + (status == DRUA_OK ? 2 - into_old : 0),
                      "%s %ld: status %d, and %zu images more", source->what, n, (int)status,
                      live_images(context) - live);
        if (status != DRUA_OK) {
            ck_assert_msg(harness_first(context, old) == before[0], "%s %ld: a call that failed changed an image",
                          source->what, n);
            continue;
        }
        ck_assert_double_eq(harness_first(context, split[1].image), 1);
        REQUIRE(drua_get_metadata(context, split[2].image, &text));
        ck_assert_msg(!strcmp(text, "about=pairs\n"), "%s %ld: a new image has the text '%s'", source->what, n, text);
    }
    drua_close(context);
}

/* A command gives its result a new name. */
static void try_name(const fault_source *source)
{
    const float numbers[] = {1, 2, 3};
    drua_context *context = harness_open();
    for (long n = 1, more = 1; more; n++) {
        drua_image image;
        char name[32];
        REQUIRE(drua_clear(context));
        REQUIRE(drua_push(context, reference_plane(3, 1), DRUA_FLOAT32, numbers, &image));
        REQUIRE(drua_bind(context, "source", image));
        snprintf(name, sizeof name, "result %ld", n);
        drua_argument add[] = {NAME("source"), NAME(name), NUMBER(1)};
        source->arm(n);
        const drua_status status = drua_command(context, "CLIJ2_addImageAndScalar", add, 3, NULL);
        more = source->fired();
        ck_assert_msg(live_images(context) == 1 + (status == DRUA_OK), "%s %ld: status %d, %zu images", source->what, n,
                      (int)status, live_images(context));
        ck_assert_msg((drua_find(context, name, &image) == DRUA_OK) == (status == DRUA_OK),
                      "%s %ld: status %d, names: %s", source->what, n, (int)status, drua_names(context));
    }
    drua_close(context);
}

/*
 * Checks that the image's text is the expected one after a round trip through a file, or that the call reports an
 * error.
 */
static void expect_text(drua_context *context, drua_image image, const char *wanted, const fault_source *source, long n)
{
    const char *text;
    REQUIRE(drua_get_metadata(context, image, &text));
    ck_assert_msg(!strcmp(text, wanted), "%s %ld: the file says '%s' in place of '%s'", source->what, n, text, wanted);
}

static void try_files(const fault_source *source, const char *compression)
{
    static const char about[] =
        "unit=\u00b5m\npixelWidth=0.5\npixelHeight=0.5\npixelDepth=2\nslices=3\nlabels=one\ttwo\tthree";
    const float pixels[] = {1, 2, 3, 4, 5, 6};
    const char *text, *folder = getenv("TMPDIR");
    char path[512], wanted[512];
    drua_context *context = harness_open();
    drua_image image, again;
    snprintf(path, sizeof path, "%s/drua-programs-%ld.tif", folder ? folder : "/tmp", (long)getpid());
    REQUIRE(drua_push(context, reference_stack(2, 1, 3), DRUA_FLOAT32, pixels, &image));
    REQUIRE(drua_set_metadata(context, image, about));
    REQUIRE(drua_write_tiff(context, image, path, compression));
    REQUIRE(drua_read_tiff(context, path, 0, 0, &again));
    REQUIRE(drua_get_metadata(context, again, &text));
    ck_assert_msg(strstr(text, "labels=one\ttwo\tthree") && strstr(text, "unit=\u00b5m"), "%s", text);
    snprintf(wanted, sizeof wanted, "%s", text);
    REQUIRE(drua_release(context, again));
    for (int reads = 0; reads < 2; reads++)
        for (long n = 1, more = 1; more; n++) {
            if (!reads)
                remove(path);
            source->arm(n);
            drua_status status = reads ? drua_read_tiff(context, path, 0, 0, &again)
                                       : drua_write_tiff(context, image, path, compression);
            more = source->fired();
            ck_assert_msg(status == DRUA_OK || (more && *drua_error_message()), "%s %ld: '%s'", source->what, n,
                          drua_error_message());
            ck_assert_msg(reads || (access(path, F_OK) == 0) == (status == DRUA_OK), "%s %ld: status %d", source->what,
                          n, (int)status);
            ck_assert_uint_eq(live_images(context), 1 + (reads && status == DRUA_OK));
            if (status != DRUA_OK)
                continue;
            if (!reads)
                REQUIRE(drua_read_tiff(context, path, 0, 0, &again));
            expect_text(context, again, wanted, source, n);
            ck_assert_double_eq(harness_first(context, again), 1);
            REQUIRE(drua_release(context, again));
        }
    remove(path);
    drua_close(context);
}

START_TEST(each_step_of_files)
{
    const fault_source *source = fault_start(_i);
    try_files(source, "none");
    try_files(source, "deflate");
}
END_TEST

START_TEST(each_step_of_results)
{
    const fault_source *source = fault_start(_i);
    try_results(source, false);
    try_results(source, true);
    try_name(source);
}
END_TEST

/* Tests opening, the first builds and closing. */
static void try_open(const fault_source *source)
{
    long n = 1;
    for (bool more = true; more; n++) {
        drua_context *context = NULL;
        if (!harness_is_sampled((int)n))
            continue;
        source->arm(n);
        drua_status status = drua_open(NULL, &context);
        ck_assert_msg((status == DRUA_OK) == (context != NULL), "%s %ld: status and context differ", source->what, n);
        if (status == DRUA_OK)
            status = short_program(context);
        more = source->fired();
        ck_assert_msg(status == DRUA_OK || (more && *drua_error_message()), "%s %ld: %s", source->what, n,
                      drua_error_message());
        drua_close(context);
        loader_expect_nothing_left(source->what, n);
    }
    printf("opening and a short program: %ld of %ss\n", n - 1, source->what);
}

START_TEST(each_step_of_a_program)
{
    try_program(fault_start(_i));
}
END_TEST

START_TEST(each_step_of_opening)
{
    try_open(fault_start(_i));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("programs");
    TCase *programs = tcase_create("programs"), *opening = tcase_create("opening");
    tcase_set_timeout(programs, 900);
    fault_add(programs, each_step_of_a_program, 1);
    fault_add(programs, each_step_of_results, 1);
    fault_add(programs, each_step_of_files, 1);
    suite_add_tcase(suite, programs);
    tcase_set_timeout(opening, 900);
    fault_add(opening, each_step_of_opening, 1);
    suite_add_tcase(suite, opening);
    return harness_run(suite);
}
