/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Times chains of pointwise operations, alone and before and after filters. Three variants run: one kernel that
 * interprets any chain, a kernel compiled for each chain, and a compiled kernel for each step ("apart"). A time covers
 * calls and finish, median of nine after three. The floor counts each image once, except images between steps, at the
 * copy rate of the run.
 */
#include "bench.h"
#include "open_context.h"

#include <drua/drua.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { STEPS = 6, WARM_UP = 3, TIMED = 9 };

/*
 * `numbers`: how many times the number is passed; 0: once, unless the number is 0. `joins`: the step also takes a
 * second image.
 */
typedef struct step {
    const char *operation;
    double number;
    int numbers;
    bool joins;
} step;

/*
 * The steps of a work. With one result, each step works on the result of the previous one; with several, each step
 * works on the source. Arguments that are numbers, lines or planes do not count as images.
 */
typedef struct work {
    const char *name;
    const step *steps;
    int count, images, results;
} work;

#define POINT(operation, number) {operation, number, 0, false}
#define JOIN(operation) {operation, 0, 0, true}
#define FILTER(operation, number, numbers) {operation, number, numbers, false}

static const step exact[STEPS] = {POINT("multiply_image_and_scalar", 1.5),  POINT("add_image_and_scalar", 3),
                                  POINT("maximum_image_and_scalar", 2),     POINT("minimum_image_and_scalar", 200),
                                  POINT("subtract_image_from_scalar", 250), POINT("multiply_image_and_scalar", 0.5)};
static const step functions[STEPS] = {POINT("power", 1.1),     POINT("logarithm", 0), POINT("cosine", 0),
                                      POINT("exponential", 0), POINT("power", 0.5),   POINT("sine", 0)};
static const step sums[2] = {JOIN("add_images"), JOIN("multiply_images")};
static const step blur_threshold[] = {FILTER("gaussian_blur", 1, 3), POINT("greater_constant", 100)};
static const step subtract_blur[] = {JOIN("subtract_images"), FILTER("gaussian_blur", 1, 3)};
static const step subtract_blur_threshold[] = {JOIN("subtract_images"), FILTER("gaussian_blur", 1, 3),
                                               POINT("greater_constant", 20)};
static const step sobel_threshold[] = {FILTER("sobel", 0, 1), POINT("greater_constant", 100)};
static const step top_hat_multiply[] = {FILTER("top_hat_box", 3, 3), POINT("multiply_image_and_scalar", 2)};
static const step median_threshold[] = {{"median_box", 1, 2, false}, POINT("greater_constant", 100)};
static const step dilate_subtract[] = {FILTER("maximum_sphere", 2, 3), JOIN("subtract_images")};
static const step mean_subtract[] = {FILTER("mean_box", 2, 3), JOIN("subtract_images")};

static const step multiply_sum[] = {JOIN("multiply_images"), POINT("sum_of_all_pixels", 0)};
static const step threshold_count[] = {POINT("greater_constant", 100), POINT("count_nonzero_pixels", 0)};
static const step multiply_histogram[] = {POINT("multiply_image_and_scalar", 0.7), POINT("histogram", 0)};
static const step subtract_project[] = {JOIN("subtract_images"), POINT("maximum_z_projection", 0)};
static const step threshold_components[] = {POINT("greater_constant", 250), POINT("connected_components_box", 0)};

static const work works[] = {{"1 exact step", exact, 1, 1, 1},       {"6 exact steps", exact, STEPS, 1, 1},
                             {"1 function", functions, 1, 1, 1},     {"6 functions", functions, STEPS, 1, 1},
                             {"3 images, 2 steps", sums, 2, 3, 1},   {"2 results of 1 image", exact, 2, 1, 2},
                             {"blur, threshold", blur_threshold, 2, 1, 1},
                             {"subtract, blur", subtract_blur, 2, 2, 1},
                             {"subtract, blur, threshold", subtract_blur_threshold, 3, 2, 1},
                             {"sobel, threshold", sobel_threshold, 2, 1, 1},
                             {"top hat, multiply", top_hat_multiply, 2, 1, 1},
                             {"median, threshold", median_threshold, 2, 1, 1},
                             {"dilate, subtract", dilate_subtract, 2, 2, 1},
                             {"mean, subtract", mean_subtract, 2, 2, 1},
                             {"multiply, sum", multiply_sum, 2, 2, 0},
                             {"threshold, count", threshold_count, 2, 1, 0},
                             {"multiply, histogram", multiply_histogram, 2, 1, 0},
                             {"subtract, project", subtract_project, 2, 2, 0},
                             {"threshold, components", threshold_components, 2, 1, 1}};

static const struct {
    drua_type type;
    const char *name;
    size_t element;
} types[] = {{DRUA_FLOAT32, "float32", 4}, {DRUA_UINT16, "uint16", 2}, {DRUA_UINT8, "uint8", 1}};

static drua_argument image(drua_image handle)
{
    return (drua_argument){.kind = DRUA_ARG_IMAGE, .image = handle};
}

static drua_status run_chain(drua_context *context, const work *w, const drua_image *sources)
{
    drua_image made[STEPS];
    drua_status status = DRUA_OK;
    for (int k = 0; k < w->count && status == DRUA_OK; k++) {
        const step *s = &w->steps[k];
        drua_argument arguments[6] = {image(k == 0 || w->results > 1 ? sources[0] : made[k - 1])};
        size_t out = 1;
        if (s->joins)
            arguments[out++] = image(sources[(k + 1) % 3]);
        const size_t numbers = s->numbers ? (size_t)s->numbers : s->number != 0;
        for (size_t i = 0; i < numbers; i++)
            arguments[out + 1 + i] = (drua_argument){.kind = DRUA_ARG_NUMBER, .number = s->number};
        status = drua_invoke(context, s->operation, arguments, out + 1 + numbers, NULL);
        made[k] = arguments[out].kind == DRUA_ARG_IMAGE ? arguments[out].image : 0;
        if (k > 0 && w->results <= 1)
            drua_release(context, made[k - 1]);
    }
    if (status == DRUA_OK)
        status = drua_sync(context);
    for (int k = w->results > 1 ? 0 : w->count - 1; k < w->count && status == DRUA_OK; k++)
        status = made[k] ? drua_release(context, made[k]) : DRUA_OK;
    return status;
}

static drua_status push_images(drua_context *context, drua_shape shape, drua_type type, size_t element,
                               drua_image *images)
{
    const size_t count = (size_t)(shape.width * shape.height * shape.depth);
    unsigned char *pixels = malloc(count * element);
    uint32_t seed = 12345;
    drua_status status = pixels ? DRUA_OK : DRUA_E_MEMORY;
    for (int n = 0; n < 3 && status == DRUA_OK; n++) {
        for (size_t i = 0; i < count; i++) {
            const unsigned char grey = (unsigned char)((seed = seed * 1664525u + 1013904223u) >> 24);
            if (type == DRUA_FLOAT32)
                ((float *)(void *)pixels)[i] = grey;
            else if (type == DRUA_UINT16)
                ((uint16_t *)(void *)pixels)[i] = grey;
            else
                pixels[i] = grey;
        }
        status = drua_push(context, shape, type, pixels, &images[n]);
    }
    free(pixels);
    return status;
}

static drua_status time_work(drua_context *context, const work *w, const drua_image *images, double *milliseconds)
{
    double time[TIMED];
    drua_status status = DRUA_OK;
    for (int i = 0; i < WARM_UP + TIMED && status == DRUA_OK; i++) {
        const double start = drua_bench_seconds();
        status = run_chain(context, w, images);
        if (i >= WARM_UP)
            time[i - WARM_UP] = drua_bench_seconds() - start;
    }
    *milliseconds = 1e3 * drua_bench_median(time, TIMED);
    return status;
}

/* Functions and labels give float32 results for any input type. */
static double bytes_of(const work *w, size_t count, size_t element)
{
    const size_t written = w->steps == functions || w->steps == threshold_components ? sizeof(float) : element;
    return (double)count * ((double)w->images * (double)element + (double)w->results * (double)written);
}

static int bench_shape(const char *device, const char *variant, drua_shape shape)
{
    const size_t count = (size_t)(shape.width * shape.height * shape.depth);
    drua_context *context;
    double rate = 0;
    const bool apart = !strcmp(variant, "apart");
    drua_bench_set("DRUA_CHAINS", apart ? "compile" : variant);
    drua_bench_set("DRUA_FUSE", apart ? "0" : "1");
    drua_status status = drua_tool_open(device, &context);
    for (size_t t = 0; t < sizeof types / sizeof *types && status == DRUA_OK; t++) {
        drua_image images[3];
        status = drua_measure_copy(context, count * types[t].element, &rate);
        if (status == DRUA_OK)
            status = push_images(context, shape, types[t].type, types[t].element, images);
        for (size_t i = 0; i < sizeof works / sizeof *works && status == DRUA_OK; i++) {
            double ms;
            status = time_work(context, &works[i], images, &ms);
            const double floor = 1e3 * bytes_of(&works[i], count, types[t].element) / rate;
            printf("%s\t%lldx%lldx%lld\t%s\t%.4f\t%.4f\t%.3f\t%s\n", works[i].name, (long long)shape.width,
                   (long long)shape.height, (long long)shape.depth, types[t].name, ms, floor, floor / ms, variant);
            fflush(stdout);
        }
        drua_clear(context);
    }
    if (status != DRUA_OK)
        fprintf(stderr, "%s\n", drua_error_message());
    drua_close(context);
    return status != DRUA_OK;
}

int drua_bench_chains(const char *device, int scale)
{
    static const char *const variants[] = {"interpret", "apart", "compile"};
    const drua_shape shapes[] = {{512 / scale, 512 / scale, 512 / scale, 3}, {1024, 1024, 1, 2}};
    int failed = 0;
    printf("name\tsize\ttype\tms\tfloor_ms\tshare\tvariant\n");
    for (int s = 0; s < 2; s++)
        for (int v = 0; v < 3; v++)
            failed |= bench_shape(device, variants[v], shapes[s]);
    return failed;
}

/* Runs the filters that choose among kernels, each alone, with the radii that macros use most. */
static drua_status run_filters(drua_context *context, drua_shape shape, const drua_image *images)
{
    static const char *const names[] = {"gaussian_blur",  "mean_box",    "minimum_box",
                                        "maximum_box",    "mean_sphere", "minimum_sphere",
                                        "maximum_sphere", "median_box",  "median_sphere"};
    static const step projection = {"median_z_projection", 0, 0, false};
    drua_status status = shape.depth > 1 ? run_chain(context, &(work){NULL, &projection, 1, 1, 1}, images) : DRUA_OK;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (int radius = 1; radius <= 3 && status == DRUA_OK; radius++)
            status = run_chain(
                context, &(work){NULL, &(step){names[i], radius, shape.depth > 1 ? 3 : 2, false}, 1, 1, 1}, images);
    return status;
}

/* Runs each work until the engine has compiled its kernel and timed its variants. */
static drua_status warm_up(drua_context *context, drua_shape shape, const drua_image *images)
{
    enum { RUNS = 40, FILTER_RUNS = 16 };
    const struct timespec pause = {0, 25000000};
    drua_status status = DRUA_OK;
    for (int run_count = 0; run_count < RUNS && status == DRUA_OK; run_count++) {
        for (size_t i = 0; i < sizeof works / sizeof *works && status == DRUA_OK; i++)
            status = run_chain(context, &works[i], images);
        if (run_count < FILTER_RUNS && status == DRUA_OK)
            status = run_filters(context, shape, images);
        nanosleep(&pause, NULL);
    }
    return status;
}

int drua_tune(const char *device, int scale)
{
    const drua_shape shapes[] = {{512 / scale, 512 / scale, 512 / scale, 3},
                                 {256 / scale, 256 / scale, 256 / scale, 3},
                                 {2048 / scale, 2048 / scale, 1, 2}};
    drua_context *context;
    drua_status status = drua_tool_open(device, &context);
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes && status == DRUA_OK; s++)
        for (size_t t = 0; t < sizeof types / sizeof *types && status == DRUA_OK; t++) {
            drua_image images[3];
            status = push_images(context, shapes[s], types[t].type, types[t].element, images);
            if (status == DRUA_OK)
                status = warm_up(context, shapes[s], images);
            drua_clear(context);
        }
    if (status == DRUA_OK)
        fputs(drua_explain(context), stdout);
    else
        fprintf(stderr, "%s\n", drua_error_message());
    drua_close(context);
    return status != DRUA_OK;
}
