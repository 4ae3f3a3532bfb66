/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests calls that fail during transfers, commands that a driver accepts but cannot execute, and a lost device. */
#include "harness.h"
#include "loader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Transfers of images in both directions. */
static void try_transfers(drua_shape shape)
{
    const size_t count = (size_t)(shape.width * shape.height * shape.depth);
    float *pixels = reference_allocate(count, sizeof *pixels), *got = reference_allocate(count, sizeof *got);
    drua_context *context = harness_open();
    const float numbers[] = {1, 2, 3};
    const drua_image kept = harness_line(context, numbers, 3);
    for (long n = 1, more = 1; more; n += 1 + n / 20) {
        drua_image image = 0;
        for (size_t i = 0; i < count; i++)
            pixels[i] = (float)((i + (size_t)n) % 1009);
        loader.fail_after(n);
        drua_status status = drua_push(context, shape, DRUA_FLOAT32, pixels, &image);
        if (status == DRUA_OK)
            status = drua_pull(context, image, got);
        more = loader.fired();
        loader.fail_after(0);
        ck_assert_msg(status == DRUA_OK ? !memcmp(pixels, got, count * sizeof *got) : more, "call %ld: %s", n,
                      status == DRUA_OK ? "other pixels" : drua_error_message());
        ck_assert_double_eq(harness_first(context, kept), 1);
        if (image)
            REQUIRE(drua_release(context, image));
    }
    drua_close(context);
    loader_expect_nothing_left("transfers", 0);
    free(pixels);
    free(got);
}

START_TEST(transfers_without_driver)
{
    loader_find();
    try_transfers(reference_plane(3, 1));
    try_transfers(reference_stack(700, 800, 2));
}
END_TEST

/* Uploads, runs kernels, and downloads pixels and a number. */
static drua_status there_and_back(drua_context *context, drua_shape shape, const float *pixels, float *got, double *sum)
{
    drua_image image = 0;
    drua_status status = drua_push(context, shape, DRUA_FLOAT32, pixels, &image);
    drua_argument blur[] = {IMAGE(image), NEW, NUMBER(1), NUMBER(0), NUMBER(0)}, half[] = {NEW, NEW, NUMBER(0.5)},
                  all[] = {NEW, NEW};
    if (status == DRUA_OK)
        status = drua_invoke(context, "mean_box", blur, 5, NULL);
    half[0] = IMAGE(blur[1].image);
    if (status == DRUA_OK)
        status = drua_invoke(context, "multiply_image_and_scalar", half, 3, NULL);
    all[0] = IMAGE(half[1].image);
    if (status == DRUA_OK)
        status = drua_invoke(context, "sum_of_all_pixels", all, 2, NULL);
    *sum = all[1].number;
    return status == DRUA_OK ? drua_pull(context, half[1].image, got) : status;
}

/* Commands that a driver accepts but cannot execute are reported at the latest when the pixels are pulled. */
static void try_broken(drua_shape shape)
{
    const size_t count = (size_t)(shape.width * shape.height * shape.depth);
    float *pixels = reference_allocate(count, sizeof *pixels), *wanted = reference_allocate(count, sizeof *wanted),
          *got = reference_allocate(count, sizeof *got);
    for (size_t i = 0; i < count; i++)
        pixels[i] = (float)(i % 1009);
    double right, sum;
    drua_context *context = harness_open();
    REQUIRE(there_and_back(context, shape, pixels, wanted, &right));
    long n = 1, refusals = 0;
    for (bool more = true; more; n++) {
        REQUIRE(drua_clear(context));
        memset(got, 0, count * sizeof *got);
        loader.break_after(n);
        const drua_status status = there_and_back(context, shape, pixels, got, &sum);
        /* a failure that shows only here is allowed if the pixels are right */
        const bool synced = drua_sync(context) == DRUA_OK;
        more = loader.fired();
        loader.break_after(0);
        ck_assert_msg(synced || more, "command %ld: %s", n, drua_error_message());
        refusals += status != DRUA_OK;
        ck_assert_msg(status != DRUA_OK ? more && *drua_error_message()
                                        : sum == right && !memcmp(wanted, got, count * sizeof *got),
                      "command %ld: %s", n, status == DRUA_OK ? "other pixels" : drua_error_message());
        if (drua_is_lost(context))
            REQUIRE(drua_restart(context));
    }
    printf("%ld of %ld commands broke a program\n", refusals, n - 1);
    ck_assert_int_gt(refusals, 0);
    drua_close(context);
    loader_expect_nothing_left("broken commands", 0);
    free(pixels);
    free(wanted);
    free(got);
}

START_TEST(commands_that_fail_later)
{
    loader_find();
    setenv("DRUA_CHAINS", "interpret", 1);      /* a background compiler would send commands at any time */
    try_broken(reference_plane(30, 1));
    try_broken(reference_stack(700, 800, 2));
    unsetenv("DRUA_CHAINS");
}
END_TEST

/* Runs many kernels between two transfers: a command may fail although the host has seen earlier ones complete. */
static drua_status many_steps(drua_context *context, const float *pixels, float *got, long broken)
{
    enum { SIDE = 30, STEPS = 20 };
    drua_argument blur[] = {NEW, NEW, NUMBER(1), NUMBER(1), NUMBER(0)};
    REQUIRE(drua_push(context, reference_plane(SIDE, SIDE), DRUA_FLOAT32, pixels, &blur[1].image));
    REQUIRE(drua_sync(context));
    loader.break_after(broken);
    drua_status status = DRUA_OK;
    for (int i = 0; i < STEPS && status == DRUA_OK; i++) {
        blur[0] = IMAGE(blur[1].image);
        blur[1] = NEW;
        status = drua_invoke(context, "mean_box", blur, 5, NULL);
    }
    return status == DRUA_OK ? drua_pull(context, blur[1].image, got) : status;
}

START_TEST(steps_that_fail_later)
{
    enum { COUNT = 30 * 30 };
    float pixels[COUNT], wanted[COUNT], got[COUNT];
    long n = 1, refusals = 0;
    loader_find();
    drua_context *context = harness_open();
    for (bool more = true; more; n++) {
        for (int i = 0; i < COUNT; i++)
            pixels[i] = (float)((i * (n + 3)) % 1009);
        REQUIRE(many_steps(context, pixels, wanted, 0));
        REQUIRE(drua_clear(context));
        for (int i = 0; i < COUNT; i++)
            pixels[i]++;        /* so that no recycled memory holds the expected result */
        const drua_status status = many_steps(context, pixels, got, n);
        more = loader.fired();
        loader.break_after(0);
        for (int i = 0; i < COUNT && status == DRUA_OK; i++)
            ck_assert_msg(fabs(got[i] - wanted[i] - 1) < 0.01, "command %ld: pixel %d is %g in place of %g", n, i,
                          got[i], wanted[i] + 1);
        ck_assert_msg(status == DRUA_OK || (more && *drua_error_message()), "command %ld: %s", n, drua_error_message());
        refusals += status != DRUA_OK;
        REQUIRE(drua_is_lost(context) ? drua_restart(context) : drua_clear(context));
    }
    printf("%ld of %ld commands broke many steps\n", refusals, n - 1);
    ck_assert_int_gt(refusals, 0);
    drua_close(context);
    loader_expect_nothing_left("many steps", 0);
}
END_TEST

/* After the device is lost, every call reports the same error until the device is opened again. */
START_TEST(a_lost_device)
{
    enum { NOT_AVAILABLE = -2, OUT_OF_RESOURCES = -5, INVALID_QUEUE = -36 };
    const int codes[] = {NOT_AVAILABLE, OUT_OF_RESOURCES, INVALID_QUEUE};
    loader_find();
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        drua_context *context = harness_open();
        const float numbers[] = {1, 2, 3};
        float got[3];
        drua_image image = harness_line(context, numbers, 3);
        REQUIRE(drua_bind(context, "name", image));
        REQUIRE(drua_sync(context));
        ck_assert(!drua_is_lost(context));
        loader.lose(codes[i]);
        drua_argument blur[] = {IMAGE(image), NEW, NUMBER(1)};
        drua_status status = drua_invoke(context, "gaussian_blur", blur, 3, NULL);
        if (status == DRUA_OK)
            status = drua_sync(context);
        ck_assert_int_eq(status, DRUA_E_DEVICE);
        REFUSED(DRUA_E_DEVICE, drua_pull(context, image, got), "was lost", "start Drua again");
        ck_assert(drua_is_lost(context));
        ck_assert_int_ne(drua_restart(context), DRUA_OK);
        loader.lose(0);
        REFUSED(DRUA_E_DEVICE, drua_pull(context, image, got), "was lost");
        REQUIRE(drua_restart(context));
        ck_assert_str_eq(drua_names(context), "");
        REFUSED(DRUA_E_NAME, drua_pull(context, image, got), "released");
        image = harness_line(context, numbers, 3);
        ck_assert_double_eq(harness_first(context, image), 1);
        drua_close(context);
        loader_expect_nothing_left("loss", (long)i);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("transfers");
    TCase *transfers = tcase_create("transfers"), *loss = tcase_create("loss");
    tcase_set_timeout(transfers, 900);
    tcase_add_test(transfers, transfers_without_driver);
    tcase_add_test(transfers, commands_that_fail_later);
    tcase_add_test(transfers, steps_that_fail_later);
    suite_add_tcase(suite, transfers);
    tcase_add_test(loss, a_lost_device);
    suite_add_tcase(suite, loss);
    return harness_run(suite);
}
