/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests all operations under a budget that is too small for their images. An operation gives the results of an
 * unlimited run, because it moves images to the host or runs in parts. An operation that can do neither is refused with
 * an error message. The OpenCL shim checks that device memory never exceeds the budget. DRUA_SAMPLE=n tests every n-th
 * operation.
 */
#include "calls.h"
#include "limited.h"

#include "clock.h"
#include "context.h"
#include "device.h"
#include "fft.h"
#include "registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The budget in MB; the images grow with it. */
static int64_t limit_mb = 1;
#define LIMIT ((uint64_t)limit_mb << 20)

static int flawed, refused;

/* Lowers the budget after the images were pushed, when their rows are already padded. */
static bool late;

/* Bytes on the device that do not belong to the engine's images. */
static uint64_t others;

typedef struct outcome {
    drua_status status;
    char sentence[512];
    drua_argument arguments[CALL_PARAMS];
    reference_image images[CALL_PARAMS];
    drua_table *table;
} outcome;

/* Unused images on the device, which must be moved away. */
static void push_ballast(drua_context *context, drua_shape shape)
{
    float *zeros = reference_allocate((size_t)(shape.width * shape.height * shape.depth), sizeof *zeros);
    drua_image image;
    for (int i = 0; i < 4; i++)
        REQUIRE(drua_push(context, shape, DRUA_FLOAT32, zeros, &image));
    free(zeros);
}

static const char *budget(void)
{
    static char text[32];
    snprintf(text, sizeof text, "%lldMB", (long long)limit_mb);
    return text;
}

static void run_within_limit(drua_context *context, bool limited, const call *c, drua_shape ballast, outcome *o)
{
    drua_image handles[CALL_PARAMS] = {0};
    if (limited && late)
        REQUIRE(drua_set_memory(context, "2GB"));
    for (int k = 0; k < c->input_count; k++)
        handles[c->inputs[k]] = harness_push(context, &c->before[c->inputs[k]]);
    if (limited && late) {
        REQUIRE(drua_set_memory(context, budget()));
        others = (uint64_t)loader.live_bytes() - limited_statistics(context).device_bytes;
        loader.forget_peak();
    }
    if (ballast.width > 0)
        push_ballast(context, ballast);
    size_t count = call_arguments(c, handles, o->arguments);
    o->status = drua_invoke(context, c->op->name, o->arguments, count, &o->table);
    for (size_t i = 0, at = 0; o->status == DRUA_OK && i < c->op->param_count;
         at += c->op->params[i++].kind != DRUA_KIND_TABLE_OUT) {
        if (c->op->params[i].kind != DRUA_KIND_IMAGE_OUT && c->op->params[i].kind != DRUA_KIND_IMAGE_INOUT)
            continue;
        drua_image_info info;
        o->status = drua_get_info(context, o->arguments[at].image, &info);
        void *pixels = reference_allocate(1, info.bytes);
        if (o->status == DRUA_OK)
            o->status = drua_pull(context, o->arguments[at].image, pixels);
        o->images[i] = reference_from_memory(info.type, info.shape, pixels);
        free(pixels);
    }
    snprintf(o->sentence, sizeof o->sentence, "%s", o->status == DRUA_OK ? "" : drua_error_message());
    for (int k = 0; k < c->input_count; k++) {      /* whatever the call returned, the inputs are unchanged */
        if (c->op->params[c->inputs[k]].kind != DRUA_KIND_IMAGE_IN)
            continue;
        reference_image now = harness_pull(context, handles[c->inputs[k]]);
        char message[256];
        if (!reference_agrees(&c->before[c->inputs[k]], &now, 0, false, message, sizeof message)) {
            printf("%s changed an input: %s\n", call_text(c), message);
            flawed++;
        }
        reference_free(&now);
    }
    REQUIRE(drua_clear(context));
}

static uint64_t bytes_of(const reference_image *image)
{
    static const int size[] = {[DRUA_UINT8] = 1,  [DRUA_INT8] = 1,  [DRUA_UINT16] = 2, [DRUA_INT16] = 2,
                               [DRUA_UINT32] = 4, [DRUA_INT32] = 4, [DRUA_FLOAT32] = 4};
    return image->pixels
               ? (uint64_t)(image->shape.width * image->shape.height * image->shape.depth) * (uint64_t)size[image->type]
               : 0;
}

static bool same_number(double a, double b, double tolerance)
{
    return a == b || (a != a && b != b) || (isfinite(a) && fabs(a - b) <= tolerance * fmax(1, fabs(a)));
}

static void report_flaw(const call *c, const char *what)
{
    printf("%s: %s\n", call_text(c), what);
    flawed++;
}

static void compare_outcomes(const call *c, const outcome *whole, const outcome *limited)
{
    const double tolerance = c->op->numeric == DRUA_APPROXIMATE ? 1e-5 : 0;
    for (size_t i = 0, at = 0; i < c->op->param_count; at += c->op->params[i++].kind != DRUA_KIND_TABLE_OUT) {
        char message[256];
        if (whole->images[i].pixels &&
            !reference_agrees(&whole->images[i], &limited->images[i],
                              tolerance * fmax(1, limited_largest(&whole->images[i])), false, message, sizeof message))
            report_flaw(c, message);
        if (c->op->params[i].kind == DRUA_KIND_NUMBER_OUT &&
            !same_number(whole->arguments[at].number, limited->arguments[at].number, tolerance)) {
            snprintf(message, sizeof message, "another number: %.17g, not %.17g", limited->arguments[at].number,
                     whole->arguments[at].number);
            report_flaw(c, message);
        }
    }
    if (whole->table && limited->table) {
        bool same = whole->table->rows == limited->table->rows && whole->table->columns == limited->table->columns;
        for (size_t i = 0; same && i < whole->table->rows * whole->table->columns; i++)
            same = same_number(whole->table->cells[i], limited->table->cells[i], 0);
        if (!same)
            report_flaw(c, "another table");
    }
}

static void free_outcome(outcome *o)
{
    for (int i = 0; i < CALL_PARAMS; i++)
        reference_free(&o->images[i]);
    drua_table_free(o->table);
}

/*
 * Returns whether the call must succeed under the budget. It must if all its images fit together. Otherwise it must
 * too, unless the descriptor says that the operation, or an input that is too large, is needed as a whole.
 */
static bool has_to_run(const call *c, const outcome *whole)
{
    enum { ROOM = 4 };
    uint64_t bytes = 0;
    bool whole_fits = true;
    for (size_t i = 0; i < c->op->param_count; i++) {
        bytes += bytes_of(&c->before[i]) + bytes_of(&whole->images[i]);
        whole_fits = whole_fits && (!c->op->params[i].whole || bytes_of(&c->before[i]) <= LIMIT / ROOM);
    }
    return (whole->status == DRUA_OK && bytes <= LIMIT / ROOM) || (!(c->op->traits & DRUA_WHOLE) && whole_fits);
}

/*
 * Shrinks convolution kernels, patterns and templates to a usual size, because sums over a kernel as large as the image
 * take hours. PSFs keep their size.
 */
static void shrink_patterns(call *c, harness_random *chance)
{
    static const char *const names[] = {"convolution_kernel", "pattern", "template"};
    for (int k = 1; k < c->input_count; k++)
        for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
            reference_image *image = &c->before[c->inputs[k]];
            if (strcmp(c->op->params[c->inputs[k]].name, names[n]))
                continue;
            const drua_shape shape = {7, 6, image->shape.depth > 1 ? 5 : 1, 3};
            const drua_type type = image->type;
            reference_free(image);
            *image = harness_image(chance, type, shape, HARNESS_POSITIVE);
        }
}

static void try_call(drua_context *whole, drua_context *limited, harness_random *chance, const drua_op *op,
                     drua_shape shape, drua_shape ballast, drua_type type)
{
    call c = call_make(chance, op, shape, type);
    shrink_patterns(&c, chance);
    outcome expected = {.status = DRUA_OK}, got = {.status = DRUA_OK};
    const double start = drua_seconds();
    run_within_limit(whole, false, &c, (drua_shape){0}, &expected);
    const uint64_t slabs = limited_statistics(limited).tiles;
    others = (uint64_t)loader.live_bytes() - limited_statistics(limited).device_bytes;
    const double at_once = drua_seconds() - start;
    loader.forget_peak();
    run_within_limit(limited, true, &c, ballast, &got);
    if (getenv("DRUA_VERBOSE"))
        printf("%.2f s, at once %.2f s, %d slabs: %s\n", drua_seconds() - start - at_once, at_once,
               (int)(limited_statistics(limited).tiles - slabs), call_text(&c));
    /* kept transforms may have moved their tables to the host */
    if (limited_statistics(limited).host_bytes != drua_fft_kept_bytes(limited->engine.fft, true))
        report_flaw(&c, "keeps memory of the host after its images were released");
    if ((uint64_t)loader.peak_bytes() > LIMIT + others)
        report_flaw(&c, "more bytes on the device than the budget allows");
    if (expected.status == DRUA_OK && got.status == DRUA_OK) {
        compare_outcomes(&c, &expected, &got);
    } else if (got.status == DRUA_E_MEMORY) {
        refused++;
        if (has_to_run(&c, &expected) || !*got.sentence || strchr(got.sentence, '\n'))
            report_flaw(&c, got.sentence);
        else if (getenv("DRUA_VERBOSE"))
            printf("refused: %s: %s\n", op->name, got.sentence);
    } else if (expected.status != got.status) {
        report_flaw(&c, got.sentence);
    }
    free_outcome(&expected);
    free_outcome(&got);
    call_free(&c);
}

static void try_operations(drua_shape shape, drua_shape ballast, bool parts, int share)
{
    loader_find();
    drua_context *whole = harness_open(), *limited = limited_open(budget());
    harness_random chance = {11 + (uint64_t)share};
    enum { ENOUGH = 16 }; /* fewer operations may include none that can run in parts */
    int number = 0, tried = 0, in_parts = 0;
    uint64_t slabs = 0;
    for (const drua_op *const *op = drua_op_table; *op; op++) {
        /* operations that report the available memory return another number */
        if ((*op)->traits & DRUA_HOST || !strcmp((*op)->category, "memory") || !strncmp((*op)->name, "estimate_", 9) ||
            !harness_is_wanted((*op)->name, (*op)->category) || (late && strcmp((*op)->category, "measurement")) ||
            !harness_takes(number++, share))
            continue;
        tried++;
        const drua_type types[] = {DRUA_FLOAT32, DRUA_UINT8};
        for (int t = 0; t < 2; t++) {
            drua_shape extent = shape;
            if (parts && types[t] == DRUA_UINT8)
                *(shape.depth > 1 ? &extent.depth : &extent.height) *= 4;
            try_call(whole, limited, &chance, *op, extent, ballast, types[t]);
        }
        in_parts += limited_statistics(limited).tiles > slabs;
        slabs = limited_statistics(limited).tiles;
    }
    const drua_statistics s = limited_statistics(limited);
    printf("%d calls refused, %d operations in %llu slabs, %.1f MB spilled, peak %.2f of %.2f MB\n", refused, in_parts,
           (unsigned long long)s.tiles, (double)s.spilled_bytes / 1e6, (double)s.peak_bytes / 1e6,
           (double)s.budget_bytes / 1e6);
    ck_assert_int_eq(flawed, 0);
    ck_assert(late || s.peak_bytes <= LIMIT);
    ck_assert(parts || s.spilled_bytes > 0);
    ck_assert(!parts || getenv("DRUA_ONLY") || tried < ENOUGH || in_parts > (harness_sample() > 1 ? 0 : tried / 5));
    drua_close(whole);
    drua_close(limited);
}

/* Together with unused images, the data is three times as large as the budget. */
START_TEST(operations_spill)
{
    const char *mb = getenv("DRUA_LIMIT");
    limit_mb = mb ? atoi(mb) : 1;
    try_operations((drua_shape){20, 18, 12, 3}, (drua_shape){40, 36, 150 * limit_mb, 3}, false, _i);
}
END_TEST

START_TEST(operations_in_slabs)
{
    try_operations((drua_shape){40, 36, 200, 3}, (drua_shape){0}, true, _i);
}
END_TEST

START_TEST(planes_in_bands)
{
    try_operations((drua_shape){500, 600, 1, 2}, (drua_shape){0}, true, _i);
}
END_TEST

/*
 * As on a GPU, images are pushed while there is room for them. Measurements then run in parts of the operation's
 * choice.
 */
START_TEST(rows_apart)
{
    late = true;
    setenv("DRUA_AS_GPU", "1", 1);
    setenv("DRUA_ROWS", "9", 1);
    try_operations((drua_shape){41, 36, 200, 3}, (drua_shape){0}, true, _i);
    try_operations((drua_shape){501, 600, 1, 2}, (drua_shape){0}, true, _i);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("budget");
    TCase *spill = tcase_create("spill"), *operations = tcase_create("operations"), *rows = tcase_create("rows");
    tcase_set_timeout(spill, 2000);
    tcase_add_loop_test(spill, operations_spill, 0, harness_shares());
    suite_add_tcase(suite, spill);
    tcase_set_timeout(operations, 2000);
    tcase_add_loop_test(operations, operations_in_slabs, 0, harness_shares());
    tcase_add_loop_test(operations, planes_in_bands, 0, harness_shares());
    suite_add_tcase(suite, operations);
    tcase_set_timeout(rows, 2000);
    tcase_add_loop_test(rows, rows_apart, 0, harness_shares());
    suite_add_tcase(suite, rows);
    return harness_run(suite);
}
