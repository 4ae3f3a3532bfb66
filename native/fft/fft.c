/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps plans and uses them. */
#include "plans.h"

#include "alloc.h"
#include "error.h"

#include <stdio.h>
#include <string.h>

drua_status drua_fft_open(drua_device *device, drua_fft **fft)
{
    *fft = drua_alloc(sizeof **fft);
    if (!*fft)
        return drua_fail_memory(sizeof **fft);
    (*fft)->device = device;
    return DRUA_OK;
}

void drua_fft_remember(drua_fft *fft, drua_fft_memory memory)
{
    fft->memory = memory;
}

drua_fft_choices drua_fft_chosen(const drua_fft *fft)
{
    drua_fft_choices chosen = {.count = 0};
    for (int i = 0; fft && i < FFT_PLANS; i++)
        if (fft->plans[i].last_use && fft->plans[i].provider) {
            chosen.shapes[chosen.count] = fft->plans[i].shape;
            chosen.numbers[chosen.count++] = fft->plans[i].provider->number;
        }
    return chosen;
}

void drua_fft_follow(drua_fft *fft, const drua_fft_choices *choices)
{
    fft->choices = choices;
}

int fft_followed(const drua_fft *fft, drua_shape shape)
{
    const drua_fft_choices *c = fft->choices;
    for (int i = 0; c && i < c->count; i++)
        if (drua_shape_is_same_size(c->shapes[i], shape))
            return c->numbers[i];
    return -1;
}

static void discard(fft_plan *p)
{
    if (p->provider)
        p->provider->discard(p->state);
    if (p->candidate)
        p->candidate->discard(p->candidate_state);
    memset(p, 0, sizeof *p);
}

void drua_fft_close(drua_fft *fft)
{
    if (!fft)
        return;
    for (int i = 0; i < FFT_PLANS; i++)
        discard(&fft->plans[i]);
    drua_free(fft);
}

uint64_t drua_fft_kept_bytes(const drua_fft *fft)
{
    uint64_t bytes = 0;
    for (int i = 0; fft && i < FFT_PLANS; i++)
        if (fft->plans[i].provider && fft->plans[i].provider->kept_bytes)
            bytes += fft->plans[i].provider->kept_bytes(fft->plans[i].state);
    return bytes;
}

static fft_plan *find_plan(drua_fft *fft, drua_shape s)
{
    for (int i = 0; i < FFT_PLANS; i++) {
        fft_plan *p = &fft->plans[i];
        if (p->last_use && drua_shape_is_same_size(p->shape, s))
            return p;
    }
    return NULL;
}

static bool is_followed(const drua_fft *fft, const fft_plan *p)
{
    const int number = fft_followed(fft, p->shape);
    return number < 0 || !p->provider || p->provider->number == number || p->followed == number;
}

static fft_plan *least_used(drua_fft *fft)
{
    fft_plan *p = &fft->plans[0];
    for (int i = 1; i < FFT_PLANS; i++)
        p = fft->plans[i].last_use < p->last_use ? &fft->plans[i] : p;
    return p;
}

static drua_status plan_for(drua_fft *fft, drua_shape shape, bool convolves, fft_plan **found)
{
    fft_plan *p = find_plan(fft, shape);
    if (!p || !is_followed(fft, p)) {
        p = p ? p : least_used(fft);
        if (p->last_use)
            DRUA_TRY(drua_device_finish(fft->device)); /* kernels of the old plan may still run */
        discard(p);
        p->shape = shape;
        p->convolves = convolves;
        p->followed = fft_followed(fft, shape);
        drua_status status = fft_make(fft, p);
        if (status != DRUA_OK) {
            discard(p);
            return status;
        }
    }
    p->last_use = ++fft->uses;
    *found = p;
    return DRUA_OK;
}

static drua_status prepare_convolution(drua_fft *fft, fft_plan *p)
{
    if (p->convolution_tried)
        return DRUA_OK;
    drua_status status = DRUA_E_UNSUPPORTED;
    if (p->provider && p->provider->make_convolution && !fft_wants("steps")) {
        status = p->provider->make_convolution(p->state);
        if (status == DRUA_OK)
            status = fft_test(fft, p, true);
        if (fft_is_refusal(fft, status))
            fft_note_refusal(p, p->provider);
    }
    p->fused = status == DRUA_OK;
    p->convolution_tried = p->fused || fft_is_refusal(fft, status);
    return p->convolution_tried ? DRUA_OK : status;
}

drua_status drua_fft_prepare(drua_fft *fft, drua_shape shape, bool convolution)
{
    fft_plan *p;
    const fft_provider *before;
    DRUA_TRY(plan_for(fft, shape, convolution, &p));
    do {
        before = p->provider;
        if (convolution)
            DRUA_TRY(prepare_convolution(fft, p));
        DRUA_TRY(fft_autotune(fft, p));
    } while (p->provider != before);
    return DRUA_OK;
}

drua_status drua_fft_forward(drua_fft *fft, drua_shape shape, drua_buffer *work)
{
    fft_plan *p;
    DRUA_TRY(plan_for(fft, shape, false, &p));
    return fft_transform(fft, p, work, false);
}

drua_status drua_fft_inverse(drua_fft *fft, drua_shape shape, drua_buffer *work)
{
    fft_plan *p;
    DRUA_TRY(plan_for(fft, shape, false, &p));
    return fft_transform(fft, p, work, true);
}

drua_status drua_fft_convolve(drua_fft *fft, drua_shape shape, drua_buffer *from, drua_buffer *kernel, drua_buffer *to,
                              bool correlate)
{
    fft_plan *p;
    DRUA_TRY(plan_for(fft, shape, true, &p));
    DRUA_TRY(prepare_convolution(fft, p));
    if (p->fused)
        return fft_convolve_at_once(fft, p, from, kernel, to, correlate);
    return fft_convolve_in_steps(fft, p, from, kernel, to, correlate);
}

bool drua_fft_joins(drua_fft *fft, drua_shape shape)
{
    const fft_plan *p = find_plan(fft, shape);
    return p && p->fused && p->provider->join && (!p->candidate || fft->choices);
}

drua_status drua_fft_rows(drua_fft *fft, drua_shape shape, drua_buffer *from, drua_buffer *to)
{
    const fft_plan *p = find_plan(fft, shape);
    return p->provider->rows(p->state, from, to);
}

drua_status drua_fft_columns(drua_fft *fft, drua_shape shape, drua_buffer *work, drua_buffer *kernel, bool correlate)
{
    const fft_plan *p = find_plan(fft, shape);
    return p->provider->columns(p->state, work, kernel, correlate);
}

drua_status drua_fft_join(drua_fft *fft, drua_shape shape, drua_buffer *work, const char *kernel, const char *constants,
                          const drua_arg *arguments, bool ahead)
{
    const fft_plan *p = find_plan(fft, shape);
    return p->provider->join(p->state, work, kernel, constants, arguments, ahead);
}

const char *drua_fft_note(drua_fft *fft, drua_shape shape)
{
    const fft_plan *p = find_plan(fft, shape);
    if (!p || !p->provider)
        return "no transform";
    const bool pends = p->candidate;
    snprintf(fft->note, sizeof fft->note, "%s%s%s%s%s", p->provider->version(),
             p->measured ? ", the fastest measured"
             : pends     ? ", not yet compared with "
                         : "",
             pends ? p->candidate->version() : "",
             !p->convolution_tried ? ""
             : p->fused            ? ", joined passes"
                                   : ", single passes",
             p->refused);
    return fft->note;
}
