/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps transforms, each for one extent, and uses them. */
#include "kept.h"

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
    for (int i = 0; fft && i < FFT_KEPT; i++)
        if (fft->kept[i].last_use && fft->kept[i].provider) {
            chosen.shapes[chosen.count] = fft->kept[i].shape;
            chosen.numbers[chosen.count++] = fft->kept[i].provider->number;
        }
    return chosen;
}

int fft_requested_provider(const drua_fft_request *request)
{
    const drua_fft_choices *c = request->choices;
    for (int i = 0; c && i < c->count; i++)
        if (drua_shape_is_same_size(c->shapes[i], request->shape))
            return c->numbers[i];
    return -1;
}

static void discard_kept(fft_kept *p)
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
    for (int i = 0; i < FFT_KEPT; i++)
        discard_kept(&fft->kept[i]);
    drua_free(fft);
}

uint64_t drua_fft_kept_bytes(const drua_fft *fft, bool on_host)
{
    uint64_t bytes = 0;
    for (int i = 0; fft && i < FFT_KEPT; i++)
        if (fft->kept[i].provider && fft->kept[i].provider->kept_bytes)
            bytes += fft->kept[i].provider->kept_bytes(fft->kept[i].state, on_host);
    return bytes;
}

static fft_kept *find_kept(drua_fft *fft, drua_shape s)
{
    for (int i = 0; i < FFT_KEPT; i++) {
        fft_kept *p = &fft->kept[i];
        if (p->last_use && drua_shape_is_same_size(p->shape, s))
            return p;
    }
    return NULL;
}

static bool is_followed(const drua_fft_request *request, const fft_kept *p)
{
    const int number = fft_requested_provider(request);
    return number < 0 || !p->provider || p->provider->number == number || p->requested_provider == number;
}

static fft_kept *least_used(drua_fft *fft)
{
    fft_kept *p = &fft->kept[0];
    for (int i = 1; i < FFT_KEPT; i++)
        p = fft->kept[i].last_use < p->last_use ? &fft->kept[i] : p;
    return p;
}

static drua_status kept_for(const drua_fft_request *request, bool convolves, fft_kept **found)
{
    drua_fft *fft = request->fft;
    fft_kept *p = find_kept(fft, request->shape);
    if (!p || !is_followed(request, p)) {
        p = p ? p : least_used(fft);
        if (p->last_use)
            DRUA_TRY(drua_device_finish(fft->device)); /* kernels of the old transform may still run */
        discard_kept(p);
        p->shape = request->shape;
        p->convolves = convolves;
        p->requested_provider = fft_requested_provider(request);
        drua_status status = fft_make(request, p);
        if (status != DRUA_OK) {
            discard_kept(p);
            return status;
        }
    }
    p->last_use = ++fft->uses;
    *found = p;
    return DRUA_OK;
}

static drua_status prepare_convolution(drua_fft *fft, fft_kept *p)
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

drua_status drua_fft_prepare(const drua_fft_request *request, bool convolution)
{
    fft_kept *p;
    const fft_provider *before;
    DRUA_TRY(kept_for(request, convolution, &p));
    do {
        before = p->provider;
        if (convolution)
            DRUA_TRY(prepare_convolution(request->fft, p));
        DRUA_TRY(fft_autotune(request, p));
    } while (p->provider != before);
    return DRUA_OK;
}

drua_status drua_fft_forward(const drua_fft_request *request, drua_buffer *work)
{
    fft_kept *p;
    DRUA_TRY(kept_for(request, false, &p));
    return fft_transform(request->fft, p, work, false);
}

drua_status drua_fft_inverse(const drua_fft_request *request, drua_buffer *work)
{
    fft_kept *p;
    DRUA_TRY(kept_for(request, false, &p));
    return fft_transform(request->fft, p, work, true);
}

drua_status drua_fft_convolve(const drua_fft_request *request, drua_buffer *from, drua_buffer *kernel, drua_buffer *to,
                              bool correlate)
{
    drua_fft *fft = request->fft;
    fft_kept *p;
    DRUA_TRY(kept_for(request, true, &p));
    DRUA_TRY(prepare_convolution(fft, p));
    if (p->fused)
        return fft_convolve_at_once(fft, p, from, kernel, to, correlate);
    return fft_convolve_in_steps(fft, p, from, kernel, to, correlate);
}

bool drua_fft_joins(const drua_fft_request *request)
{
    const fft_kept *p = find_kept(request->fft, request->shape);
    return p && p->fused && p->provider->join && (!p->candidate || request->choices);
}

drua_status drua_fft_rows(const drua_fft_request *request, drua_buffer *from, drua_buffer *to)
{
    const fft_kept *p = find_kept(request->fft, request->shape);
    return p->provider->rows(p->state, from, to);
}

drua_status drua_fft_columns(const drua_fft_request *request, drua_buffer *work, drua_buffer *kernel, bool correlate)
{
    const fft_kept *p = find_kept(request->fft, request->shape);
    return p->provider->columns(p->state, work, kernel, correlate);
}

drua_status drua_fft_join(const drua_fft_request *request, drua_buffer *work, const char *kernel, const char *constants,
                          const drua_arg *arguments, bool ahead)
{
    const fft_kept *p = find_kept(request->fft, request->shape);
    return p->provider->join(p->state, work, kernel, constants, arguments, ahead);
}

const char *drua_fft_note(drua_fft *fft, drua_shape shape)
{
    const fft_kept *p = find_kept(fft, shape);
    if (!p || !p->provider)
        return "no transform";
    const bool pends = p->candidate;
    snprintf(fft->note, sizeof fft->note, "%s%s%s%s%s", p->provider->version(),
             p->measured ? ", the fastest measured"
             : pends     ? ", not yet compared with "
                         : "",
             pends ? p->candidate->version() : "",
             !p->convolution_tried ? ""
             : p->fused            ? ", fused passes"
                                   : ", single passes",
             p->refused);
    return fft->note;
}
