/* SPDX-License-Identifier: BSD-3-Clause */
#include "counted_pixels.h"

/* As in kernels/registration/counted_pixels.cl. */
enum { GROUP = 128, NUMBERS = 5, MAX_GROUPS = 64, PIXELS_OF_ITEM = 32 };

/* A cubic spline's coefficients depend visibly on two more pixels on each side. */
enum { REACH = 2 };

static const drua_view *mask_of(const counted_frames *all)
{
    return all->rules & BY_MASK ? &all->mask : &all->frames;
}

counted_frames counted_part(const counted_frames *all, int32_t first, int32_t count)
{
    counted_frames part = *all;
    part.frames = plan_slices(all->frames, first, count);
    if ((all->rules & BY_MASK) && all->mask.layout.depth > 1)
        part.mask = plan_slices(all->mask, first, count);
    return part;
}

static counted_values values_of(const float *numbers, int32_t groups, double share)
{
    counted_values v = {.low = INFINITY, .high = -INFINITY};
    double sum = 0;
    for (int32_t g = 0; g < groups; g++, numbers += NUMBERS) {
        v.low = fmin(v.low, (double)numbers[0]);
        v.high = fmax(v.high, (double)numbers[1]);
        sum += (double)numbers[2];
        v.number += (double)numbers[3];
        v.not_finite += (double)numbers[4];
    }
    v.mean = sum / share / v.number;
    return v;
}

void counted_measure(drua_plan *p, const counted_frames *all, counted_values *values)
{
    const drua_layout l = all->frames.layout;
    const int64_t pixels = (int64_t)l.width * l.height, needed = pixels / (GROUP * PIXELS_OF_ITEM) + 1;
    const int32_t groups = (int32_t)(needed < MAX_GROUPS ? needed : MAX_GROUPS);
    const float share = 1.0f / (float)pixels;
    const size_t bytes = (size_t)l.depth * (size_t)groups * NUMBERS * sizeof(float);
    float *numbers = plan_host_memory(p, bytes);
    drua_view sent = plan_scratch_bytes(p, bytes);
    if (plan_failed(p))
        return;
    LAUNCH(p, "counted_range", grid_of_turns(GRID(groups * GROUP, 1, l.depth, GROUP, 1, 1), pixels / (groups * GROUP)),
           ARG(all->frames), ARG(*mask_of(all)), INT(all->rules), REAL(share), POINTER(sent));
    plan_read(p, sent, numbers, bytes);
    plan_free_scratch(p, sent);
    for (int32_t i = 0; i < l.depth && !plan_failed(p); i++)
        values[i] = values_of(numbers + (size_t)i * (size_t)groups * NUMBERS, groups, (double)share);
}

/* Sends a number for each frame. */
static drua_view send_numbers(drua_plan *p, const float *numbers, int32_t count)
{
    drua_view sent = plan_scratch(p, (drua_shape){count, 1, 1, 2}, DRUA_FLOAT32);
    plan_write(p, sent, numbers);
    return sent;
}

void counted_fill(drua_plan *p, const counted_frames *all, const float *fill, drua_view filled, drua_view counted)
{
    drua_view sent = send_numbers(p, fill, all->frames.layout.depth);
    LAUNCH(p, "counted_fill", plan_grid(filled.layout), ARG(all->frames), ARG(*mask_of(all)), INT(all->rules),
           ARG(filled), ARG(counted), POINTER(sent));
    plan_free_scratch(p, sent);
}

static drua_view shrink_mask(drua_plan *p, drua_view from, int step, int before, int after)
{
    const drua_layout l = from.layout;
    drua_view to = plan_scratch(p, (drua_shape){l.width / step, l.height / step, l.depth, 3}, DRUA_UINT8);
    LAUNCH(p, "counted_shrink", grid_of_turns(plan_grid(to.layout), (before + after + 1) * (before + after + 1)),
           ARG(from), ARG(to), INT(step), INT(before), INT(after));
    return to;
}

void counted_levels(drua_plan *p, drua_view *levels, int count)
{
    drua_view finest = shrink_mask(p, levels[0], 1, REACH, REACH);
    plan_free_scratch(p, levels[0]);
    levels[0] = finest;
    for (int i = 1; i < count; i++)
        levels[i] = shrink_mask(p, levels[i - 1], 2, 1, 2);
}

void counted_mean(drua_plan *p, const counted_frames *all, const float *used, drua_view mean)
{
    drua_view sent = send_numbers(p, used, all->frames.layout.depth);
    LAUNCH(p, "counted_mean", plan_grid(mean.layout), ARG(all->frames), ARG(*mask_of(all)), INT(all->rules), ARG(mean),
           POINTER(sent));
    plan_free_scratch(p, sent);
}
