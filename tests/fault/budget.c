/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Under a budget that is too small for the images, every operation gives the results of an unlimited run, by moving images to
 * the host and by running in parts; what can do neither is refused with a sentence. The OpenCL loader counts: never more
 * device memory than the budget. And nothing grows when a program is repeated.
 */
#include "calls.h"

#include "context.h"
#include "device.h"
#include "registry.h"
#include "shim.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long long (*peak_bytes)(void), (*live_bytes)(void), (*live_objects)(void), (*live_events)(void);
static void (*forget_peak)(void), (*limit_blocks)(long long);

static void find_shim(void)
{
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    *(void **)&peak_bytes = dlsym(library, "shim_peak_bytes");
    *(void **)&forget_peak = dlsym(library, "shim_forget_peak");
    *(void **)&live_bytes = dlsym(library, "shim_live_bytes");
    *(void **)&live_objects = dlsym(library, "shim_live_objects");
    *(void **)&live_events = dlsym(library, "shim_live_events");
    *(void **)&limit_blocks = dlsym(library, "shim_limit_blocks");
    ck_assert_msg(peak_bytes && forget_peak && live_bytes && live_objects && live_events && limit_blocks, "libOpenCL.so.1 is not the shim; run this by ctest");
}

static drua_statistics statistics(drua_context *context)
{
    drua_statistics s;
    drua_get_statistics(context, &s);
    return s;
}

/* Bytes that other contexts hold count too. */
static void expect_peak(uint64_t budget, uint64_t others)
{
    ck_assert_msg((uint64_t)peak_bytes() <= budget + others, "%lld bytes on the device, with a budget of %llu", peak_bytes(),
                  (unsigned long long)budget);
}

/* ---- one call in both contexts */

/* The budget, in MB. Images grow with it. */
static int64_t limit_mb = 1;
#define LIMIT ((uint64_t)limit_mb << 20)

static int flawed, refused;

typedef struct outcome {
    drua_status status;
    char sentence[512];
    drua_argument arguments[CALL_PARAMS];
    reference_image images[CALL_PARAMS];
    drua_table *table;
} outcome;

/* Images on the device that nobody uses: they have to leave. */
static void push_ballast(drua_context *context, drua_shape shape)
{
    reference_image image = reference_make(DRUA_FLOAT32, shape);
    for (int i = 0; i < 4; i++)
        harness_push(context, &image);
    reference_free(&image);
}

static void run(drua_context *context, const call *c, drua_shape ballast, outcome *o)
{
    drua_image handles[CALL_PARAMS] = {0};
    for (int k = 0; k < c->input_count; k++)
        handles[c->inputs[k]] = harness_push(context, &c->before[c->inputs[k]]);
    if (ballast.width > 0)
        push_ballast(context, ballast);
    size_t count = call_arguments(c, handles, o->arguments);
    o->status = drua_invoke(context, c->op->name, o->arguments, count, &o->table);
    for (size_t i = 0, at = 0; o->status == DRUA_OK && i < c->op->param_count; at += c->op->params[i++].kind != DRUA_KIND_TABLE_OUT) {
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
    for (int k = 0; k < c->input_count; k++) {      /* nothing happened to the inputs, whatever came of the call */
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
    static const int size[] = {[DRUA_UINT8] = 1, [DRUA_INT8] = 1, [DRUA_UINT16] = 2, [DRUA_INT16] = 2, [DRUA_UINT32] = 4, [DRUA_INT32] = 4, [DRUA_FLOAT32] = 4};
    return image->pixels ? (uint64_t)(image->shape.width * image->shape.height * image->shape.depth) * (uint64_t)size[image->type] : 0;
}

static double largest_of(const reference_image *image)
{
    double largest = 0;
    for (int64_t i = 0; i < image->shape.width * image->shape.height * image->shape.depth; i++)
        largest = fmax(largest, isfinite(image->pixels[i]) ? fabs(image->pixels[i]) : 0);
    return largest;
}

static bool same_number(double a, double b, double tolerance)
{
    return a == b || (a != a && b != b) || (isfinite(a) && fabs(a - b) <= tolerance * fmax(1, fabs(a)));
}

static void blame(const call *c, const char *what)
{
    printf("%s: %s\n", call_text(c), what);
    flawed++;
}

static void compare(const call *c, const outcome *whole, const outcome *limited)
{
    const double tolerance = c->op->numeric == DRUA_APPROXIMATE ? 1e-5 : 0;
    for (size_t i = 0, at = 0; i < c->op->param_count; at += c->op->params[i++].kind != DRUA_KIND_TABLE_OUT) {
        char message[256];
        if (whole->images[i].pixels &&
            !reference_agrees(&whole->images[i], &limited->images[i], tolerance * fmax(1, largest_of(&whole->images[i])), false, message, sizeof message))
            blame(c, message);
        if (c->op->params[i].kind == DRUA_KIND_NUMBER_OUT && !same_number(whole->arguments[at].number, limited->arguments[at].number, tolerance))
            blame(c, "another number");
    }
    if (whole->table && limited->table) {
        bool same = whole->table->rows == limited->table->rows && whole->table->columns == limited->table->columns;
        for (size_t i = 0; same && i < whole->table->rows * whole->table->columns; i++)
            same = same_number(whole->table->cells[i], limited->table->cells[i], 0);
        if (!same)
            blame(c, "another table");
    }
}

static void drop(outcome *o)
{
    for (int i = 0; i < CALL_PARAMS; i++)
        reference_free(&o->images[i]);
    drua_table_free(o->table);
}

/*
 * Whether the call has to run under the budget: if all its images fit together, in any case; if not, where the descriptor does not
 * say that the operation needs all of an image at once, or of that input.
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

/* Patterns are as small as people use them: sums over one that is as large as the image take hours. Those of deconvolutions stay. */
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

static void try_call(drua_context *whole, drua_context *limited, harness_random *chance, const drua_op *op, drua_shape shape,
                     drua_shape ballast, drua_type type)
{
    call c = call_make(chance, op, shape, type);
    shrink_patterns(&c, chance);
    outcome expected = {.status = DRUA_OK}, got = {.status = DRUA_OK};
    const double start = drua_seconds();
    run(whole, &c, (drua_shape){0}, &expected);
    const uint64_t others = (uint64_t)live_bytes() - statistics(limited).device_bytes, slabs = statistics(limited).slabs;
    const double at_once = drua_seconds() - start;
    forget_peak();
    run(limited, &c, ballast, &got);
    if (getenv("DRUA_VERBOSE"))
        printf("%.2f s, at once %.2f s, %d slabs: %s\n", drua_seconds() - start - at_once, at_once, (int)(statistics(limited).slabs - slabs), call_text(&c));
    if ((uint64_t)peak_bytes() > LIMIT + others)
        blame(&c, "more bytes on the device than the budget allows");
    if (expected.status == DRUA_OK && got.status == DRUA_OK) {
        compare(&c, &expected, &got);
    } else if (got.status == DRUA_E_MEMORY) {
        refused++;
        if (has_to_run(&c, &expected) || !*got.sentence || strchr(got.sentence, '\n'))
            blame(&c, got.sentence);
        else if (getenv("DRUA_VERBOSE"))
            printf("refused: %s: %s\n", op->name, got.sentence);
    } else if (expected.status != got.status) {
        blame(&c, got.sentence);
    }
    drop(&expected);
    drop(&got);
    call_free(&c);
}

static drua_context *open_limited(const char *budget)
{
    drua_context *context = harness_open();
    REQUIRE(drua_set_memory(context, budget));
    forget_peak();
    return context;
}

static void try_operations(drua_shape shape, drua_shape ballast, bool parts)
{
    const char *every = getenv("DRUA_SAMPLE"), *only = getenv("DRUA_ONLY");
    const int sample = every ? atoi(every) : 1;
    find_shim();
    char budget[32];
    snprintf(budget, sizeof budget, "%lldMB", (long long)limit_mb);
    drua_context *whole = harness_open(), *limited = open_limited(budget);
    harness_random chance = {11};
    int number = 0, in_parts = 0;
    uint64_t slabs = 0;
    for (const drua_op *const *op = drua_op_table; *op; op++) {
        /* what tells of the memory there is tells another number */
        if ((*op)->traits & DRUA_HOST || !strcmp((*op)->category, "memory") || !strncmp((*op)->name, "estimate_", 9) ||
            (only && strcmp(only, (*op)->name) && strcmp(only, (*op)->category)) || number++ % sample)
            continue;
        const drua_type types[] = {DRUA_FLOAT32, DRUA_UINT8};
        for (int t = 0; t < 2; t++) {
            drua_shape extent = shape;
            if (parts && types[t] == DRUA_UINT8)
                *(shape.depth > 1 ? &extent.depth : &extent.height) *= 4;
            try_call(whole, limited, &chance, *op, extent, ballast, types[t]);
        }
        in_parts += statistics(limited).slabs > slabs;
        slabs = statistics(limited).slabs;
    }
    const drua_statistics s = statistics(limited);
    printf("%d calls refused, %d operations in %llu slabs, %.1f MB spilled, peak %.2f of %.2f MB\n", refused, in_parts,
           (unsigned long long)s.slabs, (double)s.spilled_bytes / 1e6, (double)s.peak_bytes / 1e6, (double)s.budget_bytes / 1e6);
    ck_assert_int_eq(flawed, 0);
    ck_assert_uint_le(s.peak_bytes, LIMIT);
    ck_assert(parts || s.spilled_bytes > 0);
    ck_assert(!parts || only || in_parts > number / sample / 5);
    ck_assert_uint_eq(s.host_bytes, 0);
    drua_close(whole);
    drua_close(limited);
}

/* Together with what others left there, three times as much as there is room for. */
START_TEST(operations_spill)
{
    const char *mb = getenv("DRUA_LIMIT");
    limit_mb = mb ? atoi(mb) : 1;
    try_operations((drua_shape){20, 18, 12, 3}, (drua_shape){40, 36, 150 * limit_mb, 3}, false);
}
END_TEST

START_TEST(operations_in_slabs)
{
    try_operations((drua_shape){40, 36, 200, 3}, (drua_shape){0}, true);
}
END_TEST

START_TEST(planes_in_bands)
{
    try_operations((drua_shape){500, 600, 1, 2}, (drua_shape){0}, true);
}
END_TEST

/* ---- a program with three times as many bytes as the budget */

enum { STACKS = 12 };

static void push_stacks(drua_context *context, drua_image *stacks)
{
    const drua_shape shape = {256, 256, 64, 3};
    const size_t count = 256 * 256 * 64;
    float *pixels = reference_allocate(count, sizeof *pixels);
    for (int i = 0; i < STACKS; i++) {
        for (size_t k = 0; k < count; k++)
            pixels[k] = (float)((k * 2654435761u >> 7) % 1000) + (float)i;
        REQUIRE(drua_push(context, shape, DRUA_FLOAT32, pixels, &stacks[i]));
    }
    free(pixels);
}

static drua_image last(drua_argument *a)
{
    return a->image;
}

#define STEP(result, name, ...)                                                                          \
    do {                                                                                                 \
        drua_argument arguments[] = {__VA_ARGS__};                                                       \
        REQUIRE(drua_invoke(context, name, arguments, sizeof arguments / sizeof *arguments, NULL));      \
        result = last(&arguments[output]);                                                               \
    } while (0)

/* Sums of all results, and one whole result. */
static reference_image pipeline(drua_context *context, double *sums)
{
    drua_image stacks[STACKS], blurred[STACKS], difference;
    push_stacks(context, stacks);
    int output = 1;
    for (int i = 0; i < STACKS; i++)
        STEP(blurred[i], "gaussian_blur", IMAGE(stacks[i]), NEW, NUMBER(1), NUMBER(1), NUMBER(1));
    for (int i = 0; i < STACKS; i++) {
        output = 2;
        STEP(difference, "subtract_images", IMAGE(blurred[i]), IMAGE(stacks[(i + 5) % STACKS]), NEW);
        drua_argument sum[] = {IMAGE(difference), NEW};
        REQUIRE(drua_invoke(context, "sum_of_all_pixels", sum, 2, NULL));
        sums[i] = sum[1].number;
        if (i < STACKS - 1)
            REQUIRE(drua_release(context, difference));
    }
    return harness_pull(context, difference);
}

START_TEST(three_times_the_budget)
{
    enum { BUDGET = 64 << 20 };
    double expected[STACKS], got[STACKS];
    find_shim();
    drua_context *whole = harness_open();
    reference_image a = pipeline(whole, expected);
    drua_close(whole);
    drua_context *limited = open_limited("64MB");
    reference_image b = pipeline(limited, got);
    const drua_statistics s = statistics(limited);
    printf("%.0f MB spilled, peak %.1f MB\n", (double)s.spilled_bytes / 1e6, (double)s.peak_bytes / 1e6);
    char message[256];
    ck_assert_msg(reference_agrees(&a, &b, 0, false, message, sizeof message), "%s", message);
    for (int i = 0; i < STACKS; i++)
        ck_assert_double_eq(expected[i], got[i]);
    ck_assert_uint_gt(s.spilled_bytes, 128 << 20);
    expect_peak(BUDGET, 0);
    ck_assert_msg(strstr(drua_report_memory(limited), "on the host"), "%s", drua_report_memory(limited));
    drua_close(limited);
    reference_free(&a);
    reference_free(&b);
}
END_TEST

/* One stack alone is larger than the budget, and than a block of the device may be. */
START_TEST(one_image_beyond_the_budget)
{
    find_shim();
    drua_context *context = open_limited("4MB");
    const drua_shape shape = {200, 200, 100, 3};
    float *pixels = reference_allocate(4000000, sizeof *pixels);
    for (size_t i = 0; i < 4000000; i++)
        pixels[i] = (float)(i % 251);
    drua_image source, result;
    REQUIRE(drua_push(context, shape, DRUA_FLOAT32, pixels, &source));
    int output = 1;
    STEP(result, "maximum_box", IMAGE(source), NEW, NUMBER(1), NUMBER(0), NUMBER(0));
    STEP(result, "add_image_and_scalar", IMAGE(result), NEW, NUMBER(1));
    float *got = reference_allocate(4000000, sizeof *got);
    REQUIRE(drua_pull(context, result, got));
    for (int i = 1; i < 199; i++)
        ck_assert_double_eq(got[i], fmax(fmax(pixels[i - 1], pixels[i]), pixels[i + 1]) + 1);
    ck_assert_uint_gt(statistics(context).slabs, 0);
    drua_argument labels[] = {IMAGE(source), NEW};
    REFUSED(DRUA_E_MEMORY, drua_invoke(context, "forward_fft", labels, 2, NULL), "forward_fft", "MB");
    REQUIRE(drua_pull(context, source, got));
    ck_assert_int_eq(memcmp(got, pixels, 4000000 * sizeof *got), 0);
    expect_peak(4 << 20, 0);
    free(got);
    free(pixels);
    drua_close(context);
}
END_TEST

/* ---- convolutions through Fourier transforms: a kernel that fits, whatever lies around the image */

static reference_image convolve(drua_context *context, const reference_image *image, const reference_image *kernel, bool correlate, const char *edges)
{
    int output = 2;
    drua_image result;
    STEP(result, "convolve_fft", IMAGE(harness_push(context, image)), IMAGE(harness_push(context, kernel)), NEW, NUMBER(correlate), NUMBER(1), NAME(edges));
    reference_image pixels = harness_pull(context, result);
    REQUIRE(drua_clear(context));
    return pixels;
}

START_TEST(convolutions_in_parts)
{
    static const char *const edges[] = {"zero", "repeat", "mirror", "periodic"};
    static const drua_shape images[] = {{96, 80, 70, 3}, {60, 1100, 7, 3}, {900, 800, 1, 2}}, kernels[] = {{9, 8, 5, 3}, {3, 40, 3, 3}, {31, 24, 1, 2}};
    harness_random chance = {5};
    find_shim();
    drua_context *whole = harness_open(), *limited = open_limited("3MB");
    for (int i = 0; i < 3; i++)
        for (int e = 0; e < 4; e++) {
            reference_image image = harness_image(&chance, e % 2 ? DRUA_UINT16 : DRUA_FLOAT32, images[i], HARNESS_POSITIVE);
            reference_image kernel = harness_image(&chance, DRUA_FLOAT32, kernels[i], HARNESS_POSITIVE);
            reference_image expected = convolve(whole, &image, &kernel, e > 1, edges[e]);
            const uint64_t others = (uint64_t)live_bytes() - statistics(limited).device_bytes, slabs = statistics(limited).slabs;
            forget_peak();
            reference_image got = convolve(limited, &image, &kernel, e > 1, edges[e]);
            char message[256];
            ck_assert_msg(reference_agrees(&expected, &got, 1e-6 * largest_of(&expected), false, message, sizeof message), "%s, case %d: %s", edges[e], i, message);
            ck_assert_uint_gt(statistics(limited).slabs, slabs + 1);
            expect_peak(3 << 20, others);
            reference_free(&image);
            reference_free(&kernel);
            reference_free(&expected);
            reference_free(&got);
        }
    drua_close(whole);
    drua_close(limited);
}
END_TEST

/* What lies under the template is found where it was cut out. */
START_TEST(templates_in_parts)
{
    static const drua_shape images[] = {{96, 80, 40, 3}, {900, 800, 1, 2}};
    static const int at[][3] = {{50, 33, 31}, {700, 601, 0}}, extents[][3] = {{9, 8, 6}, {30, 21, 1}};
    harness_random chance = {7};
    find_shim();
    drua_context *contexts[2] = {harness_open(), open_limited("3MB")};
    for (int i = 0; i < 2; i++) {
        reference_image image = harness_image(&chance, DRUA_FLOAT32, images[i], HARNESS_GREY), scores[2];
        const uint64_t slabs = statistics(contexts[1]).slabs;
        double best[2] = {0};
        for (int k = 0; k < 2; k++) {
            drua_context *context = contexts[k];
            drua_image source = harness_push(context, &image), piece;
            int output = 1;
            STEP(piece, "crop", IMAGE(source), NEW, NUMBER(at[i][0]), NUMBER(at[i][1]), NUMBER(at[i][2]), NUMBER(extents[i][0]), NUMBER(extents[i][1]),
                 NUMBER(extents[i][2]));
            drua_argument match[] = {IMAGE(source), IMAGE(piece), NEW, NEW, NEW, NEW, NEW};
            REQUIRE(drua_invoke(context, "match_template", match, 7, NULL));
            for (int axis = 0; axis < 3; axis++)
                ck_assert_double_eq(match[3 + axis].number, at[i][axis] + extents[i][axis] / 2);
            best[k] = match[6].number;
            scores[k] = harness_pull(context, match[2].image);
            REQUIRE(drua_clear(context));
        }
        char message[256];
        ck_assert_double_eq_tol(best[0], best[1], 1e-4);
        ck_assert_msg(reference_agrees(&scores[0], &scores[1], 1e-4, false, message, sizeof message), "%s", message);
        ck_assert_uint_gt(statistics(contexts[1]).slabs, slabs + 1);
        reference_free(&image);
        reference_free(&scores[0]);
        reference_free(&scores[1]);
    }
    drua_close(contexts[0]);
    drua_close(contexts[1]);
}
END_TEST

/* ---- images that are made of nothing */

static reference_image make(drua_context *context, const char *name, drua_argument *arguments, size_t count)
{
    REQUIRE(drua_invoke(context, name, arguments, count, NULL));
    reference_image image = harness_pull(context, arguments[0].image);
    REQUIRE(drua_clear(context));
    return image;
}

START_TEST(made_in_parts)
{
    static const struct {
        const char *name;
        drua_argument arguments[14];
        size_t count;
    } calls[] = {{"phantom", {NEW, NAME("bars"), NUMBER(50), NUMBER(40), NUMBER(301)}, 5},
                 {"phantom", {NEW, NAME("beads"), NUMBER(50), NUMBER(40), NUMBER(301), NUMBER(100), NUMBER(3), NUMBER(11), NUMBER(5)}, 9},
                 {"phantom", {NEW, NAME("beads"), NUMBER(700), NUMBER(801), NUMBER(1), NUMBER(100), NUMBER(3), NUMBER(11)}, 8},
                 {"gaussian_psf", {NEW, NUMBER(61), NUMBER(63), NUMBER(151), NUMBER(3), NUMBER(2), NUMBER(9)}, 7},
                 {"microscope_psf", {NEW, NUMBER(91), NUMBER(91), NUMBER(75), NAME("two_photon")}, 5},
                 {"blinking_emitters", {NEW, NEW, NUMBER(40), NUMBER(36), NUMBER(999), NUMBER(60)}, 6}};
    find_shim();
    drua_context *contexts[2] = {harness_open(), open_limited("2MB")};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        const uint64_t slabs = statistics(contexts[1]).slabs;
        reference_image images[2];
        for (int k = 0; k < 2; k++) {
            drua_argument arguments[14];
            memcpy(arguments, calls[i].arguments, sizeof arguments);
            images[k] = make(contexts[k], calls[i].name, arguments, calls[i].count);
        }
        char message[256];
        ck_assert_msg(reference_agrees(&images[0], &images[1], 0, false, message, sizeof message), "%s: %s", calls[i].name, message);
        ck_assert_msg(statistics(contexts[1]).slabs > slabs + 1, "%s was made at once", calls[i].name);
        reference_free(&images[0]);
        reference_free(&images[1]);
    }
    drua_close(contexts[0]);
    drua_close(contexts[1]);
}
END_TEST

/* ---- devices whose largest block is a quarter of their memory */

static reference_image walk_through(drua_context *context, double *sum)
{
    enum { WIDTH = 200, HEIGHT = 100, DEPTH = 40 };
    float *pixels = reference_allocate(WIDTH * HEIGHT * DEPTH, sizeof *pixels);
    for (size_t i = 0; i < WIDTH * HEIGHT * DEPTH; i++)
        pixels[i] = (float)((i * 2654435761u >> 9) % 200);
    drua_image source, smooth, turned, mask, labels;
    REQUIRE(drua_push(context, (drua_shape){WIDTH, HEIGHT, DEPTH, 3}, DRUA_FLOAT32, pixels, &source));
    free(pixels);
    int output = 1;
    STEP(smooth, "gaussian_blur", IMAGE(source), NEW, NUMBER(2), NUMBER(2), NUMBER(1));
    STEP(turned, "rotate", IMAGE(smooth), NEW, NUMBER(0), NUMBER(0), NUMBER(30), NUMBER(1));
    STEP(mask, "automatic_threshold", IMAGE(turned), NEW, NAME("Otsu"));
    STEP(labels, "connected_components_box", IMAGE(mask), NEW);
    drua_argument total[] = {IMAGE(labels), NEW};
    REQUIRE(drua_invoke(context, "sum_of_all_pixels", total, 2, NULL));
    *sum = total[1].number;
    return harness_pull(context, labels);
}

START_TEST(blocks_of_a_quarter)
{
    double expected, got;
    find_shim();
    drua_context *whole = harness_open();
    reference_image a = walk_through(whole, &expected);
    drua_close(whole);
    limit_blocks(1 << 20);
    drua_context *limited = open_limited("4MB");
    drua_device_info info;
    drua_context_device(limited, &info);
    ck_assert_uint_eq(info.largest_allocation, 1 << 20);
    reference_image b = walk_through(limited, &got);
    char message[256];
    ck_assert_msg(reference_agrees(&a, &b, 0, false, message, sizeof message), "%s", message);
    ck_assert_double_eq(expected, got);
    ck_assert_uint_gt(statistics(limited).slabs, 0);
    expect_peak(4 << 20, 0);
    drua_close(limited);
    limit_blocks(0);
    reference_free(&a);
    reference_free(&b);
}
END_TEST

/* ---- the same again and again */

static long resident_pages(void)
{
    long total = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%ld %ld", &total, &resident) != 2)
        resident = 0;
    if (file)
        fclose(file);
    return resident;
}

static void twenty_calls(drua_context *context, drua_image source)
{
    drua_image made[20], from = source;
    int output = 1;
    for (int i = 0; i < 20; i++) {
        switch (i % 5) {
        case 0: STEP(made[i], "add_image_and_scalar", IMAGE(from), NEW, NUMBER(1)); break;
        case 1: STEP(made[i], "maximum_box", IMAGE(from), NEW, NUMBER(1), NUMBER(1), NUMBER(0)); break;
        case 2: STEP(made[i], "multiply_image_and_scalar", IMAGE(from), NEW, NUMBER(0.5)); break;
        case 3: STEP(made[i], "copy", IMAGE(from), NEW); break;
        default: STEP(made[i], "flip", IMAGE(from), NEW, NUMBER(1), NUMBER(0), NUMBER(0)); break;
        }
        from = made[i];
    }
    float pixels[64];
    REQUIRE(drua_pull(context, from, pixels));
    for (int i = 0; i < 20; i++)
        REQUIRE(drua_release(context, made[i]));
}

START_TEST(nothing_grows)
{
    enum { WARM_UP = 500, REPETITIONS = 10000 };
#if defined(__SANITIZE_ADDRESS__)
    enum { PAGES = 1 << 17 };       /* it keeps what is freed */
#else
    enum { PAGES = 256 };
#endif
    setenv("DRUA_CHAINS", "interpret", 1);      /* a compiler that starts in between takes memory once */
    find_shim();
    drua_context *context = harness_open();
    const float numbers[64] = {1, 2, 3};
    const drua_image source = harness_line(context, numbers, 64);
    uint64_t bytes = 0, pooled = 0, slots = 0, used;
    long long objects = 0, events = 0;
    long pages = 0;
    for (int i = 0; i < REPETITIONS; i++) {
        twenty_calls(context, source);
        if (i == WARM_UP) {
            REQUIRE(drua_sync(context));
            bytes = statistics(context).device_bytes;
            drua_device_memory(context->device, &used, &pooled);
            slots = context->slot_count;
            objects = live_objects();
            events = live_events();
            pages = resident_pages();
        }
    }
    REQUIRE(drua_sync(context));
    const uint64_t pooled_before = pooled;
    drua_device_memory(context->device, &used, &pooled);
    ck_assert_uint_eq(pooled, pooled_before);
    ck_assert_int_eq(live_objects(), objects);
    ck_assert_msg(live_events() <= events + 2, "%lld references to events became %lld", events, live_events());
    ck_assert_uint_eq(statistics(context).device_bytes, bytes);
    ck_assert_uint_eq(context->slot_count, slots);
    ck_assert_msg(resident_pages() - pages < PAGES, "the process grew by %ld pages", resident_pages() - pages);
    drua_close(context);
    unsetenv("DRUA_CHAINS");
}
END_TEST

START_TEST(budgets_that_are_none)
{
    drua_context *context = harness_open();
    static const char *const wrong[] = {"abc", "0", "-3", "nan", "1e300", "2XB", "0.5MB", "MB"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        REFUSED(DRUA_E_ARGUMENT, drua_set_memory(context, wrong[i]), "memory must be", wrong[i]);
    static const struct { const char *text; uint64_t bytes; } right[] = {{"64MB", 64 << 20}, {"64 mb", 64 << 20}, {"64M", 64 << 20},
                                                                         {"100", 100 << 20}, {"4096KB", 4 << 20}};
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        REQUIRE(drua_set_memory(context, right[i].text));
        ck_assert_uint_eq(statistics(context).budget_bytes, right[i].bytes);
    }
    drua_argument told = NEW;
    REQUIRE(drua_invoke(context, "memory_budget", &told, 1, NULL));
    ck_assert_double_eq(told.number, 4 << 20);
    REQUIRE(drua_invoke(context, "memory_used", &told, 1, NULL));
    ck_assert_double_eq(told.number, (double)statistics(context).device_bytes);
    REQUIRE(drua_invoke(context, "memory_on_host", &told, 1, NULL));
    ck_assert_double_eq(told.number, 0);
    drua_device_info info;
    drua_context_device(context, &info);
    REQUIRE(drua_set_memory(context, "50%"));
    ck_assert_uint_le(statistics(context).budget_bytes, info.global_memory / 2);
    drua_close(context);
    setenv("DRUA_MEMORY", "much", 1);
    REFUSED(DRUA_E_ARGUMENT, drua_open(NULL, &context), "memory must be", "much");
    unsetenv("DRUA_MEMORY");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("budget");
    TCase *tests = tcase_create("programs"), *spill = tcase_create("spill"), *operations = tcase_create("operations"), *parts = tcase_create("parts");
    tcase_set_timeout(spill, 900);
    tcase_add_test(spill, operations_spill);
    suite_add_tcase(suite, spill);
    tcase_set_timeout(operations, 3600);
    tcase_add_test(operations, operations_in_slabs);
    tcase_add_test(operations, planes_in_bands);
    suite_add_tcase(suite, operations);
    tcase_set_timeout(parts, 600);
    tcase_add_test(parts, convolutions_in_parts);
    tcase_add_test(parts, templates_in_parts);
    tcase_add_test(parts, made_in_parts);
    suite_add_tcase(suite, parts);
    tcase_set_timeout(tests, 600);
    tcase_add_test(tests, budgets_that_are_none);
    tcase_add_test(tests, three_times_the_budget);
    tcase_add_test(tests, one_image_beyond_the_budget);
    tcase_add_test(tests, blocks_of_a_quarter);
    tcase_add_test(tests, nothing_grows);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
