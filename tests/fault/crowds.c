/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes the n-th host allocation or OpenCL call fail while images move to the host and one operation runs in parts. No
 * pixel may be lost.
 */
#include "loader.h"
#include "source.h"

#include "context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CROWD = 5, SIDE = 40, SLICES = 50, MORE_SLICES = 200 };

static void fill_ramp(float *pixels, size_t count, int number)
{
    for (size_t i = 0; i < count; i++)
        pixels[i] = (float)((i + (size_t)number) % 97);
}

/* Makes more images than fit at once, then filters an image that does not fit alone. */
static drua_status crowded_program(drua_context *context, const drua_image *crowd, drua_image large)
{
    drua_status status = DRUA_OK;
    for (int i = 0; i + 1 < CROWD && status == DRUA_OK; i++) {
        drua_argument add[] = {IMAGE(crowd[i]), IMAGE(crowd[i + 1]), NEW};
        status = drua_invoke(context, "add_images", add, 3, NULL);
        drua_argument blur[] = {add[2], NEW, NUMBER(1), NUMBER(0), NUMBER(1)};
        if (status == DRUA_OK)
            status = drua_invoke(context, "gaussian_blur", blur, 5, NULL);
    }
    drua_argument erode[] = {IMAGE(large), NEW, NUMBER(1), NUMBER(1), NUMBER(1)};
    if (status == DRUA_OK)
        status = drua_invoke(context, "minimum_box", erode, 5, NULL);
    drua_argument square[] = {IMAGE(large), NEW, NUMBER(2)};
    if (status == DRUA_OK)
        status = drua_invoke(context, "power", square, 3, NULL);
    float *got = reference_allocate(SIDE * SIDE * MORE_SLICES, sizeof *got);
    if (status == DRUA_OK)
        status = drua_pull(context, square[1].image, got);
    free(got);
    return status;
}

static void expect_pixels(drua_context *context, drua_image image, size_t count, int number, long n)
{
    float *wanted = reference_allocate(count, sizeof *wanted), *got = reference_allocate(count, sizeof *got);
    fill_ramp(wanted, count, number);
    REQUIRE(drua_pull(context, image, got));
    ck_assert_msg(!memcmp(wanted, got, count * sizeof *got), "fault %ld: image %d changed", n, number);
    free(wanted);
    free(got);
}

static void try_crowd(const fault_source *source)
{
    const size_t count = SIDE * SIDE * SLICES, many = SIDE * SIDE * MORE_SLICES;
    float *pixels = reference_allocate(many, sizeof *pixels);
    drua_context *context = harness_open();
    REQUIRE(drua_set_memory(context, "1MB"));
    long refusals = 0;
    bool more = true;
    for (long n = 1; more; n += 1 + n / 10) {
        drua_image crowd[CROWD], large;
        for (int i = 0; i < CROWD; i++) {
            fill_ramp(pixels, count, i);
            REQUIRE(drua_push(context, reference_stack(SIDE, SIDE, SLICES), DRUA_FLOAT32, pixels, &crowd[i]));
        }
        fill_ramp(pixels, many, CROWD);
        REQUIRE(drua_push(context, reference_stack(SIDE, SIDE, MORE_SLICES), DRUA_FLOAT32, pixels, &large));
        source->arm(n);
        const drua_status status = crowded_program(context, crowd, large);
        more = source->fired();
        refusals += status != DRUA_OK;
        ck_assert_msg(status == DRUA_OK || (more && *drua_error_message()), "%s %ld: '%s'", source->what, n,
                      drua_error_message());
        for (int i = 0; i < CROWD; i++)
            expect_pixels(context, crowd[i], count, i, n);
        expect_pixels(context, large, many, CROWD, n);
        REQUIRE(drua_clear(context));
        drua_statistics s;
        drua_get_statistics(context, &s);
        uint64_t used, pooled;
        drua_device_memory(context->device, &used, &pooled);
        ck_assert_msg(used == 0 && s.host_bytes == 0, "%s %ld: %llu bytes are left on the host", source->what, n,
                      (unsigned long long)s.host_bytes);
        ck_assert(s.spilled_bytes > 0 && (status != DRUA_OK || s.tiles > 0));
    }
    printf("%ld crowded programs refused because the n-th %s failed\n", refusals, source->what);
    ck_assert_int_gt(refusals, 0);
    drua_close(context);
    free(pixels);
}

/* Drawing in parts into an existing image draws everything or nothing. */
static void try_drawing(const fault_source *source)
{
    const size_t count = SIDE * SIDE * MORE_SLICES;
    float *pixels = reference_allocate(count, sizeof *pixels), *got = reference_allocate(count, sizeof *got);
    drua_context *context = harness_open();
    REQUIRE(drua_set_memory(context, "1MB"));
    fill_ramp(pixels, count, 0);
    bool more = true;
    for (long n = 1; more; n++) {
        drua_image image;
        REQUIRE(drua_push(context, reference_stack(SIDE, SIDE, MORE_SLICES), DRUA_FLOAT32, pixels, &image));
        source->arm(n);
        const drua_status status = INVOKE(context, "draw_box", IMAGE(image), NUMBER(3), NUMBER(4), NUMBER(5),
                                          NUMBER(20), NUMBER(20), NUMBER(190), NUMBER(-1));
        more = source->fired();
        ck_assert_msg(status == DRUA_OK || (more && *drua_error_message()), "%s %ld: '%s'", source->what, n,
                      drua_error_message());
        REQUIRE(drua_pull(context, image, got));
        size_t drawn = 0;
        for (size_t i = 0; i < count; i++)
            drawn += got[i] == -1;
        ck_assert_msg(drawn == (status == DRUA_OK ? 21 * 21 * 191 : 0), "%s %ld: status %d, and %zu pixels are drawn",
                      source->what, n, (int)status, drawn);
        ck_assert_msg(status == DRUA_OK || !memcmp(pixels, got, count * sizeof *got), "%s %ld: other pixels changed",
                      source->what, n);
        /* a slice beyond the last one is accepted */
        REQUIRE(INVOKE(context, "set_plane", IMAGE(image), NUMBER(MORE_SLICES), NUMBER(3)));
        REQUIRE(drua_clear(context));
    }
    drua_close(context);
    free(pixels);
    free(got);
}

START_TEST(each_step_of_drawing)
{
    try_drawing(fault_start(_i));
    loader_expect_nothing_left("drawing", 0);
}
END_TEST

START_TEST(each_step_of_a_crowd)
{
    try_crowd(fault_start(_i));
    loader_expect_nothing_left("crowds", 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("crowds");
    TCase *tests = tcase_create("crowds");
    tcase_set_timeout(tests, 1800);
    fault_add(tests, each_step_of_a_crowd, 1);
    fault_add(tests, each_step_of_drawing, 1);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
