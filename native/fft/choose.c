/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chooses the provider of a transform: the first one that passes the test, or the fastest one if providers are
 * measured.
 */
#include "kept.h"

#include "alloc.h"
#include "clock.h"
#include "error.h"
#include "variables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIPS = 3, KIND = 40 };

bool fft_wants(const char *what)
{
    return drua_variable_is(DRUA_VARIABLE_FFT, what);
}

static bool wants_another(const fft_provider *provider)
{
    for (const fft_provider *const *at = fft_providers; *at; at++)
        if (*at != provider && fft_wants((*at)->name))
            return true;
    return false;
}

bool fft_is_refusal(const drua_fft *fft, drua_status status)
{
    return status == DRUA_E_UNSUPPORTED || status == DRUA_E_ARGUMENT ||
           (status == DRUA_E_DEVICE && drua_device_answers(fft->device));
}

void fft_note_refusal(fft_kept *p, const fft_provider *provider)
{
    size_t used = strlen(p->refused);
    snprintf(p->refused + used, sizeof p->refused - used, "; %s: %s", provider->version(), drua_error_text());
}

/* Gives the provider's state to the transform, if it passes its test. */
static drua_status use_provider(drua_fft *fft, fft_kept *p, const fft_provider *provider, void *made)
{
    p->provider = provider;
    p->state = made;
    const drua_status status = fft_test(fft, p, false);
    if (status != DRUA_OK) {
        provider->discard(made);
        p->provider = NULL;
    }
    return status;
}

/* Measures the seconds of some round trips. */
static drua_status measure_round_trip(drua_fft *fft, fft_kept *p, double *seconds)
{
    drua_buffer *work;
    DRUA_TRY(drua_buffer_make(fft->device, fft_work_bytes(p->shape), &work));
    drua_status status = fft_fill_test_image(fft, p->shape, work);
    if (status == DRUA_OK)
        status = drua_device_finish(fft->device);
    const double start = drua_seconds();
    for (int i = 0; i < 2 * TRIPS && status == DRUA_OK; i++)
        status = fft_transform(fft, p, work, i % 2);
    if (status == DRUA_OK)
        status = drua_device_finish(fft->device);
    *seconds = drua_seconds() - start;
    drua_buffer_release(work);
    return status;
}

/*
 * Measures the seconds of copies that read and write as much as the round trips of measure_round_trip, at one pass per
 * axis.
 */
static drua_status measure_copies(drua_fft *fft, drua_shape s, double *seconds)
{
    enum { QUAD = 16, GROUP = 256 };
    const int64_t quads = (int64_t)(fft_work_bytes(s) / QUAD);
    const int passes = (s.width > 1) + (s.height > 1) + (s.depth > 1);
    drua_buffer *buffers[2] = {NULL, NULL};
    double start = 0;
    drua_status status = drua_buffer_make(fft->device, fft_work_bytes(s), &buffers[0]);
    if (status == DRUA_OK)
        status = drua_buffer_make(fft->device, fft_work_bytes(s), &buffers[1]);
    for (int i = 0; i <= 2 * TRIPS && status == DRUA_OK; i++) {
        if (i < 2) {            /* the first run warms up */
            status = drua_device_finish(fft->device);
            start = drua_seconds();
        }
        if (status == DRUA_OK)
            status = LAUNCH_FFT(fft, "copy_line", quads, 1, 1, GROUP, 1, BUFFER(buffers[0]), BUFFER(buffers[1]),
                                LONG(quads));
    }
    if (status == DRUA_OK)
        status = drua_device_finish(fft->device);
    *seconds = passes * (drua_seconds() - start);
    for (int i = 0; i < 2; i++)
        drua_buffer_release(buffers[i]);
    return status;
}

/*
 * Joining the ends of convolutions saves a quarter of an iteration's memory traffic, so the transforms of a provider
 * that joins them may take longer.
 */
static double share_of(const fft_provider *provider)
{
    return provider->join ? 0.85 : 1;
}

/* Keeps the faster one of the current transform and the new provider's. */
static drua_status compare_provider(drua_fft *fft, fft_kept *p, const fft_provider *provider, void *made)
{
    double old_time, new_time;
    fft_kept other = {.shape = p->shape};
    DRUA_TRY(use_provider(fft, &other, provider, made));
    drua_status status = measure_round_trip(fft, p, &old_time);
    if (status == DRUA_OK)
        status = measure_round_trip(fft, &other, &new_time);
    const bool better = status == DRUA_OK && new_time * share_of(provider) < old_time * share_of(p->provider);
    fft_kept *loser = better ? p : &other;
    loser->provider->discard(loser->state);
    if (better) {
        p->provider = other.provider;
        p->state = other.state;
        p->convolution_tried = p->fused = false;
    }
    return status;
}

static bool are_powers_of_two(drua_shape s)
{
    return !(s.width & (s.width - 1)) && !(s.height & (s.height - 1)) && !(s.depth & (s.depth - 1));
}

/* Extents between the same powers of two are one kind; powers of two are another. */
static void name_kind(drua_shape s, char *kind, size_t size)
{
    int powers[3] = {0};
    for (int i = 0; i < 3; i++)
        while (s.extent[i] >> (powers[i] + 1))
            powers[i]++;
    snprintf(kind, size, "fft_%d_%d_%d%s", powers[0], powers[1], powers[2], are_powers_of_two(s) ? "_exactly" : "");
}

static int64_t pixels_of(drua_shape s)
{
    return s.width * s.height * s.depth;
}

static bool may_try(const drua_fft *fft, const fft_kept *p, const fft_provider *provider)
{
    return !wants_another(provider) && provider->serves(fft->device, p->shape);
}

/* Tries a provider, and compares it with the current transform if the fastest provider is requested. */
static drua_status try_provider(drua_fft *fft, fft_kept *p, const fft_provider *provider)
{
    void *made;
    drua_status status = provider->make(fft->device, p->shape, p->convolves, false, &made);
    if (status == DRUA_OK)
        status = p->provider ? compare_provider(fft, p, provider, made) : use_provider(fft, p, provider, made);
    if (!fft_is_refusal(fft, status))
        return status;
    fft_note_refusal(p, provider);
    return DRUA_OK;
}

/*
 * Uses the first provider in the order of preference, the one that is known to be the fastest, or (`all`) the fastest
 * of all. Without measurements, GPUs use for convolutions a provider that joins their ends, which is the fastest for
 * nearly all extents.
 */
static drua_status make_in_order(drua_fft *fft, fft_kept *p, int known, bool all)
{
    const bool joins_first = p->convolves && known < 0 && !all && drua_device_get_info(fft->device)->is_gpu;
    for (int rank = 0; rank < 2; rank++)
        for (int i = 0; fft_providers[i] && (all || !p->provider); i++) {
            const fft_provider *provider = fft_providers[i];
            const int own = joins_first && !provider->join;
            if (own == rank && may_try(fft, p, provider) && (known < 0 || provider->number == known))
                DRUA_TRY(try_provider(fft, p, provider));
        }
    return DRUA_OK;
}

/* A refusal or a lack of memory does not fail the call if a transform already exists. */
static bool may_go_on(const drua_fft *fft, drua_status status)
{
    return fft_is_refusal(fft, status) || status == DRUA_E_MEMORY;
}

static drua_status go_on_without(const drua_fft *fft, fft_kept *p, const fft_provider *candidate, drua_status status)
{
    if (!may_go_on(fft, status))
        return status;
    fft_note_refusal(p, candidate);
    return DRUA_OK;
}

/* A preferred transform whose round trip takes little longer than copies needs no other candidate. */
static drua_status find_whether_near_copies(drua_fft *fft, fft_kept *p, bool *is_near_copies)
{
    static const double NEAR = 0.75;
    double time, copies;
    if (!p->provider->join)
        return DRUA_OK;
    drua_status status = measure_round_trip(fft, p, &time);
    if (status == DRUA_OK)
        status = measure_copies(fft, p->shape, &copies);
    *is_near_copies = status == DRUA_OK && copies > NEAR * time;
    return may_go_on(fft, status) ? DRUA_OK : status;
}

/*
 * Makes a transform that is ready soon. Compilers for GPUs take long and compile one program after another. The first
 * provider therefore has few programs, and joins the ends of convolutions. Another fast provider is compiled in the
 * background while the first one is used.
 */
static drua_status make_soon(drua_fft *fft, fft_kept *p)
{
    enum { JOINS, QUICK, SLOW, RANKS };
    bool is_near_copies = false;
    for (int rank = JOINS; rank < RANKS && !is_near_copies; rank++)
        for (int i = 0; fft_providers[i]; i++) {
            const fft_provider *provider = fft_providers[i];
            if ((provider->join ? JOINS : provider->is_quick ? QUICK : SLOW) != rank || !may_try(fft, p, provider))
                continue;
            if (!p->provider) {
                DRUA_TRY(try_provider(fft, p, provider));
                if (p->provider)
                    DRUA_TRY(find_whether_near_copies(fft, p, &is_near_copies));
            } else if (!p->candidate && provider->is_ready) {
                const drua_status status =
                    provider->make(fft->device, p->shape, p->convolves, true, &p->candidate_state);
                p->candidate = status == DRUA_OK ? provider : NULL;
                if (status != DRUA_OK)
                    DRUA_TRY(go_on_without(fft, p, provider, status));
            }
        }
    return DRUA_OK;
}

static bool stores_choices(const drua_fft *fft, const fft_kept *p)
{
    return fft->memory.recall && drua_device_get_info(fft->device)->is_gpu && pixels_of(p->shape) >= fft->memory.min &&
           !drua_variable_text(DRUA_VARIABLE_FFT);
}

static int recall_choice(const drua_fft *fft, const fft_kept *p)
{
    char kind[KIND];
    name_kind(p->shape, kind, sizeof kind);
    return fft->memory.recall(fft->memory.payload, kind, pixels_of(p->shape));
}

static void store_choice(const drua_fft *fft, fft_kept *p)
{
    char kind[KIND];
    name_kind(p->shape, kind, sizeof kind);
    fft->memory.keep(fft->memory.payload, kind, pixels_of(p->shape), p->provider->number);
    p->measured = true;
}

drua_status fft_autotune(const drua_fft_request *request, fft_kept *p)
{
    drua_fft *fft = request->fft;
    const fft_provider *candidate = p->candidate;
    if (!candidate || request->choices || !candidate->is_ready(p->candidate_state))
        return DRUA_OK;
    p->candidate = NULL;
    const drua_status status = compare_provider(fft, p, candidate, p->candidate_state);
    if (status == DRUA_OK || fft_is_refusal(fft, status))
        store_choice(fft, p);
    return status == DRUA_OK ? DRUA_OK : go_on_without(fft, p, candidate, status);
}

drua_status fft_make(const drua_fft_request *request, fft_kept *p)
{
    drua_fft *fft = request->fft;
    const bool memory = !request->choices && stores_choices(fft, p), all = !request->choices && fft_wants("measure");
    const int known = memory ? recall_choice(fft, p) : fft_requested_provider(request);
    if (fft_is_point(p->shape))
        return DRUA_OK;
    if (known >= 0)
        DRUA_TRY(make_in_order(fft, p, known, false));
    p->measured = (p->provider && memory) || all;
    if (!p->provider)
        DRUA_TRY(memory ? make_soon(fft, p) : make_in_order(fft, p, -1, all));
    if (p->provider && memory && !p->measured && !p->candidate)
        store_choice(fft, p);
    if (p->provider)
        return DRUA_OK;
    return drua_fail(
        DRUA_E_UNSUPPORTED,
        "no installed library can transform %lld x %lld x %lld pixels%s; install libvkfft-dev, or crop or pad "
        "the image to extents up to 32768 with small prime factors",
        (long long)p->shape.width, (long long)p->shape.height, (long long)p->shape.depth, p->refused);
}
