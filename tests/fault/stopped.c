/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stops a deconvolution at any of its commands. It must keep no result, or the result of as many iterations as it
 * reports, at least 1.
 */
#include "loader.h"

#include "harness.h"

#include <stdio.h>
#include <stdlib.h>

enum { ITERATIONS = 3 };

static drua_context *context;

static void cancel(void)
{
    drua_cancel(context);
}

static drua_status deconvolve(drua_image image, drua_image psf, const char *options, drua_image *restored,
                              drua_table **table)
{
    drua_argument arguments[] = {IMAGE(image), IMAGE(psf), NEW, NAME(options)};
    const drua_status status = drua_invoke(context, "deconvolve", arguments, 4, table);
    *restored = status == DRUA_OK ? arguments[2].image : 0;
    return status;
}

START_TEST(at_any_command)
{
    harness_random chance = {harness_new_seed("stopped")};
    setenv("DRUA_FFT", "steps", 1);     /* its kernels compile faster */
    loader_find();
    context = harness_open();
    reference_image pixels = harness_image(&chance, DRUA_FLOAT32, reference_stack(12, 10, 4), HARNESS_POSITIVE);
    reference_image kernel = harness_image(&chance, DRUA_FLOAT32, reference_stack(3, 3, 3), HARNESS_POSITIVE),
                    expected[ITERATIONS + 1];
    const drua_image image = harness_push(context, &pixels), psf = harness_push(context, &kernel);
    drua_image restored;
    for (int i = 1; i <= ITERATIONS; i++) {
        char text[32];
        snprintf(text, sizeof text, "iterations=%d", i);
        REQUIRE(deconvolve(image, psf, text, &restored, NULL));
        expected[i] = harness_pull(context, restored);
        REQUIRE(drua_release(context, restored));
    }
    int kept[ITERATIONS + 1] = {0}, nothing = 0;
    for (long n = 1, more = 1; more; n++) {
        drua_table *table = NULL;
        loader.call_after(n, cancel);
        const drua_status status = deconvolve(image, psf, "iterations=3 keep_partial", &restored, &table);
        more = loader.fired();
        loader.call_after(0, NULL);
        if (status == DRUA_E_CANCELLED) {
            nothing++;
            continue;
        }
        ck_assert_msg(status == DRUA_OK, "command %ld: %s", n, drua_error_message());
        const int done = (int)table->cells[0];
        ck_assert_msg(done >= 1 && done <= ITERATIONS, "stopped at command %ld it keeps %d iterations", n, done);
        kept[done]++;
        reference_image got = harness_pull(context, restored);
        char message[256];
        ck_assert_msg(reference_agrees(&expected[done], &got, 1e-5, false, message, sizeof message),
                      "command %ld, %d iterations: %s", n, done, message);
        reference_free(&got);
        drua_table_free(table);
        REQUIRE(drua_release(context, restored));
    }
    printf("stopped: nothing %d times, 1 to 3 iterations %d, %d and %d times\n", nothing, kept[1], kept[2], kept[3]);
    ck_assert(nothing && kept[1] && kept[2] && kept[3]);
    for (int i = 1; i <= ITERATIONS; i++)
        reference_free(&expected[i]);
    reference_free(&pixels);
    reference_free(&kernel);
    drua_close(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("stopped");
    TCase *tests = tcase_create("stopped");
    tcase_add_test(tests, at_any_command);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
