/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls each operation with images of three sizes, then with images of other sizes and the same arguments: the later
 * calls compile nothing, except Fourier transforms. DRUA_SAMPLE=n tests every n-th operation.
 */
#include "calls.h"

#include "registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static drua_context *context;
static harness_random chance = {29};
static int flawed, tried;

static uint64_t count_programs(void)
{
    drua_statistics s;
    drua_get_statistics(context, &s);
    return s.programs_built + s.programs_loaded;
}

static drua_status run_to_end(const call *c)
{
    drua_image handles[CALL_PARAMS] = {0};
    drua_argument arguments[CALL_PARAMS];
    drua_table *table = NULL;
    for (int k = 0; k < c->input_count; k++)
        handles[c->inputs[k]] = harness_push(context, &c->before[c->inputs[k]]);
    drua_status status = drua_invoke(context, c->op->name, arguments, call_arguments(c, handles, arguments), &table);
    drua_table_free(table);
    for (size_t i = 0, at = 0; i < c->op->param_count && status == DRUA_OK;
         at += c->op->params[i++].kind != DRUA_KIND_TABLE_OUT)
        if (c->op->params[i].kind == DRUA_KIND_IMAGE_OUT || c->op->params[i].kind == DRUA_KIND_IMAGE_INOUT) {
            reference_image pulled = harness_pull(context, arguments[at].image);
            reference_free(&pulled);
        }
    REQUIRE(drua_clear(context));
    return status;
}

/* A call like `c`, with images of another extent. */
static call make_similar(const call *c, drua_shape shape)
{
    call other = call_make(&chance, c->op, shape, DRUA_FLOAT32);
    memcpy(other.numbers, c->numbers, sizeof other.numbers);
    memcpy(other.texts, c->texts, sizeof other.texts);
    for (int k = 0; k < c->input_count; k++) {
        reference_image *image = &other.before[c->inputs[k]];
        image->type = c->before[c->inputs[k]].type;
        for (size_t i = 0; i < reference_count(image); i++)
            image->pixels[i] = reference_store(image->type, image->pixels[i]);
    }
    return other;
}

/* Operations whose Fourier transforms are compiled for each extent. */
static const char *const transforms[] = {"band_pass",
                                         "convolve",
                                         "convolve_fft",
                                         "correlate_images",
                                         "deconvolve",
                                         "deconvolve_frames",
                                         "deconvolve_inverse",
                                         "deconvolve_masked",
                                         "deconvolve_richardson_lucy_fft",
                                         "esrrf_sweep",
                                         "estimate_deconvolution",
                                         "estimate_drift",
                                         "forward_fft",
                                         "fourier_ring_correlation",
                                         "inverse_fft",
                                         "match_template",
                                         "power_spectrum",
                                         "score_template",
                                         "stitch_grid",
                                         "stitch_positions",
                                         "translation_registration",
                                         "translation_registration_of_slices",
                                         NULL};

static bool has_transforms(const char *name)
{
    const char *const *at = transforms;
    while (*at && strcmp(*at, name))
        at++;
    return *at;
}

/*
 * Some operations have one kernel for small images and one for large ones, or one for few labels and one for many. Only
 * an operation that compiles for each of the other sizes depends on the size.
 */
static void try_operation(const drua_op *op)
{
    static const drua_shape first[] = {{12, 10, 6, 3}, {40, 24, 9, 3}, {100, 90, 2, 3}},
                            others[] = {{13, 11, 7, 3}, {41, 23, 8, 3}, {99, 91, 3, 3}};
    enum { SIZES = sizeof first / sizeof *first };
    call c = call_make(&chance, op, first[0], DRUA_FLOAT32);
    int compiled = 0;
    for (int s = 0; s < 2 * SIZES; s++) {
        call similar = make_similar(&c, s < SIZES ? first[s] : others[s - SIZES]);
        const uint64_t before = count_programs();
        const drua_status status = run_to_end(&similar);
        compiled += s >= SIZES && count_programs() > before;
        tried += s >= SIZES && status == DRUA_OK;
        call_free(&similar);
    }
    if (compiled == SIZES && !has_transforms(op->name)) {
        printf("%s compiles for each size\n", call_text(&c));
        flawed++;
    }
    call_free(&c);
}

START_TEST(compile_nothing)
{
    int number = 0, operations = 0;
    context = harness_open();
    for (const drua_op *const *op = drua_op_table; *op; op++)
        if (!((*op)->traits & DRUA_HOST) && harness_is_wanted((*op)->name, (*op)->category) &&
            harness_takes(number++, _i)) {
            try_operation(*op);
            operations++;
        }
    printf("%d calls of %d operations\n", tried, operations);
    ck_assert_int_gt(tried, operations);
    ck_assert_int_eq(flawed, 0);
    drua_close(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("other_sizes");
    TCase *sizes = tcase_create("sizes");
    tcase_set_timeout(sizes, 1500);
    tcase_add_loop_test(sizes, compile_nothing, 0, harness_shares());
    suite_add_tcase(suite, sizes);
    return harness_run(suite);
}
