/* SPDX-License-Identifier: BSD-3-Clause */
/* Times the correction of raw images at usual sizes: flat field, deskew and registration. */
#include "bench.h"
#include "open_context.h"

#include <drua/drua.h>

#include <stdio.h>

enum { TIMED = 5, MAX_ARGUMENTS = 7, MAX_RESULTS = 2 };

#define NUMBER(value)                                                                                                  \
    {                                                                                                                  \
        .kind = DRUA_ARG_NUMBER, .number = value                                                                       \
    }
#define WORD(word)                                                                                                     \
    {                                                                                                                  \
        .kind = DRUA_ARG_TEXT, .text = word                                                                            \
    }

/*
 * A call on one image. If the call takes two inputs, the same image is the reference. New images for the results
 * follow, then the arguments `more`.
 */
typedef struct task {
    const char *operation, *note;
    int64_t width, height, depth;
    int inputs, results;
    drua_argument more[MAX_ARGUMENTS];
    size_t count;
} task;

static const task tasks[] = {
    {"estimate_flat_field", "flat field", 2048, 2048, 100, 1, 2, {NUMBER(0)}, 1},
    {"estimate_flat_field", "with dark field", 2048, 2048, 100, 1, 2, {NUMBER(1)}, 1},
    {"deskew", "shear", 934, 512, 768, 1, 1, {NUMBER(31.5), NUMBER(0.115), NUMBER(0.4), WORD("forward"), NUMBER(0)}, 5},
    {"deskew",
     "rotate",
     934,
     512,
     768,
     1,
     1,
     {NUMBER(31.5), NUMBER(0.115), NUMBER(0.4), WORD("forward"), NUMBER(1)},
     5},
    {"register_stack", "translation", 512, 512, 400, 1, 1, {WORD("translation"), WORD("previous")}, 2},
    {"register_stack", "rigid_body", 512, 512, 400, 1, 1, {WORD("rigid_body"), WORD("previous")}, 2},
    {"register_stack", "affine", 512, 512, 400, 1, 1, {WORD("affine"), WORD("first")}, 2},
    {"register_deformable", "difference", 256, 256, 256, 2, 2, {WORD("difference"), NUMBER(2), NUMBER(50)}, 3},
    {"register_deformable", "local_correlation", 256, 256, 256, 2, 2, {WORD("local_correlation")}, 1},
    {"register_deformable", "difference", 512, 512, 512, 2, 2, {WORD("difference"), NUMBER(2), NUMBER(50)}, 3}};

/* Runs a task once and sets its time in seconds. */
static drua_status time_once(drua_context *context, const task *t, drua_image source, double *time)
{
    drua_argument arguments[2 + MAX_RESULTS + MAX_ARGUMENTS] = {{.kind = DRUA_ARG_IMAGE, .image = source},
                                                                  {.kind = DRUA_ARG_IMAGE, .image = source}};
    drua_argument *const results = arguments + t->inputs, *const more = results + t->results;
    for (int i = 0; i < t->results; i++)
        results[i] = (drua_argument){.kind = DRUA_ARG_NONE};
    for (size_t i = 0; i < t->count; i++)
        more[i] = t->more[i];
    const double start = drua_bench_seconds();
    drua_status status =
        drua_invoke(context, t->operation, arguments, (size_t)(t->inputs + t->results) + t->count, NULL);
    if (status == DRUA_OK)
        status = drua_sync(context);
    *time = drua_bench_seconds() - start;
    for (int i = 0; i < t->results && status == DRUA_OK; i++)
        status = drua_release(context, results[i].image);
    return status;
}

static drua_status bench_task(drua_context *context, const task *t, int scale)
{
    const int64_t depth = t->depth / scale > 4 ? t->depth / scale : 4;
    const drua_shape shape = {t->width / scale, t->height / scale, depth, 3};
    drua_image source = 0;
    double times[TIMED], first;
    drua_status status = drua_bench_push(context, shape, DRUA_UINT16, DRUA_BENCH_GREY, &source);
    if (status == DRUA_OK)
        status = time_once(context, t, source, &first);
    for (int i = 0; i < TIMED && status == DRUA_OK; i++)
        status = time_once(context, t, source, &times[i]);
    if (status == DRUA_OK) {
        printf("%s\t%lldx%lldx%lld\tuint16\t%.3f\t%s\n", t->operation, (long long)shape.width, (long long)shape.height,
               (long long)shape.depth, 1e3 * drua_bench_median(times, TIMED), t->note);
        fflush(stdout);
    }
    if (source)
        drua_release(context, source);
    return status;
}

int drua_bench_raw(const char *device, int scale)
{
    drua_context *context;
    drua_status status = drua_tool_open(device, &context);
    if (status != DRUA_OK) {
        fprintf(stderr, "%s\n", drua_error_message());
        return 1;
    }
    puts("operation\tsize\ttype\tms\tnote");
    for (size_t i = 0; i < sizeof tasks / sizeof *tasks && status == DRUA_OK; i++)
        status = bench_task(context, &tasks[i], scale);
    if (status != DRUA_OK)
        fprintf(stderr, "%s\n", drua_error_message());
    drua_close(context);
    return status != DRUA_OK;
}
