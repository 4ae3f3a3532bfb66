/* SPDX-License-Identifier: BSD-3-Clause */
/* Fourier transforms for operations, which the room fft computes. */
#include "call.h"
#include "plan_fft.h"

#include "fft.h"
#include "record.h"
#include "tune.h"

#include <stdio.h>

static int recall_choice(void *tuner, const char *kind, int64_t pixels)
{
    return drua_tune_recall(tuner, kind, pixels);
}

static void keep_choice(void *tuner, const char *kind, int64_t pixels, int number)
{
    drua_tune_keep(tuner, kind, pixels, number);
}

static void open_fft(drua_plan *plan)
{
    drua_engine *engine = plan->engine;
    plan_try(plan, drua_fft_open(engine->device, &engine->fft));
    if (plan->status == DRUA_OK && engine->tuner)
        drua_fft_remember(engine->fft,
                          (drua_fft_memory){recall_choice, keep_choice, engine->tuner, DRUA_WORTHWHILE_PIXELS});
}

static drua_fft *fft_of(drua_plan *plan)
{
    if (plan->status == DRUA_OK && !plan->engine->fft)
        open_fft(plan);
    if (plan->status != DRUA_OK)
        return NULL;
    return plan->engine->fft;
}

static drua_fft_request request_of(drua_plan *plan, drua_shape shape)
{
    return (drua_fft_request){.fft = fft_of(plan), .shape = shape, .choices = plan->scope.transforms};
}

static drua_shape shape_of(drua_view image)
{
    return (drua_shape){image.layout.width, image.layout.height, image.layout.depth, 3};
}

uint64_t plan_memory_left(drua_plan *plan)
{
    return drua_device_memory_left(plan->engine->device);
}

bool plan_fft_is_available(drua_plan *plan)
{
    (void)plan;
    return drua_fft_is_available();
}

int64_t plan_fft_extent(int64_t min)
{
    return drua_fft_extent(min);
}

uint64_t plan_fft_bytes(drua_shape shape)
{
    return (uint64_t)drua_fft_image(shape).plane * (uint64_t)shape.depth * sizeof(float);
}

/* Records the library in the description of the last launches. */
static void record_library(drua_plan *plan, drua_fft *fft, drua_shape shape)
{
    drua_record *record = drua_record_new(plan->engine);
    if (!record)
        return;
    snprintf(record->what, sizeof record->what, "transforms of %lld x %lld x %lld", (long long)shape.width,
             (long long)shape.height, (long long)shape.depth);
    snprintf(record->how, sizeof record->how, "%.199s", drua_fft_note(fft, shape));
}

void plan_fft_prepare(drua_plan *plan, drua_shape shape, bool convolution)
{
    const drua_fft_request request = request_of(plan, shape);
    if (request.fft && plan_try(plan, drua_fft_prepare(&request, convolution)))
        record_library(plan, request.fft, shape);
}

drua_view plan_fft_scratch(drua_plan *plan, drua_shape shape)
{
    drua_view view = plan_scratch_bytes(plan, plan_fft_bytes(shape));
    view.layout = drua_fft_image(shape);
    return view;
}

drua_view plan_fft_spectrum(drua_view image)
{
    image.layout.width = 2 * (image.layout.width / 2 + 1);
    return image;
}

void plan_fft_forward(drua_plan *plan, drua_view image)
{
    const drua_fft_request request = request_of(plan, shape_of(image));
    if (request.fft)
        plan_try(plan, drua_fft_forward(&request, image.buffer));
}

void plan_fft_inverse(drua_plan *plan, drua_view image)
{
    const drua_fft_request request = request_of(plan, shape_of(image));
    if (request.fft)
        plan_try(plan, drua_fft_inverse(&request, image.buffer));
}

void plan_fft_convolve(drua_plan *plan, drua_view from, drua_view kernel, drua_view to, bool correlate)
{
    const drua_fft_request request = request_of(plan, shape_of(to));
    if (request.fft)
        plan_try(plan, drua_fft_convolve(&request, from.buffer, kernel.buffer, to.buffer, correlate));
}

bool plan_fft_joins(drua_plan *plan, drua_shape shape)
{
    const drua_fft_request request = request_of(plan, shape);
    return request.fft && drua_fft_joins(&request);
}

void plan_fft_rows(drua_plan *plan, drua_view from, drua_view to)
{
    const drua_fft_request request = request_of(plan, shape_of(to));
    if (request.fft)
        plan_try(plan, drua_fft_rows(&request, from.buffer, to.buffer));
}

void plan_fft_columns(drua_plan *plan, drua_view work, drua_view kernel, bool correlate)
{
    const drua_fft_request request = request_of(plan, shape_of(work));
    if (request.fft)
        plan_try(plan, drua_fft_columns(&request, work.buffer, kernel.buffer, correlate));
}

void plan_fft_join(drua_plan *plan, drua_view work, const char *kernel, const char *constants,
                   const drua_arg *arguments, bool ahead)
{
    const drua_fft_request request = request_of(plan, shape_of(work));
    if (request.fft)
        plan_try(plan, drua_fft_join(&request, work.buffer, kernel, constants, arguments, ahead));
}

const char *plan_fft_note(drua_plan *plan, drua_shape shape)
{
    drua_fft *fft = fft_of(plan);
    return fft ? drua_fft_note(fft, shape) : "";
}
