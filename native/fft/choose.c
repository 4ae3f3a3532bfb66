/* SPDX-License-Identifier: BSD-3-Clause */
/* Who makes a plan: the first provider that passes the test, or the fastest where it is measured. */
#include "plans.h"

#include "alloc.h"
#include "error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PROVIDERS = 3, TRIPS = 3 };

bool fft_wants(const char *what)
{
    const char *text = getenv("DRUA_FFT");
    return text && !strcmp(text, what);
}

static bool wants_another(const fft_provider *provider)
{
    for (const fft_provider *const *at = fft_providers; *at; at++)
        if (*at != provider && fft_wants((*at)->name))
            return true;
    return false;
}

bool fft_is_refusal(drua_status status)
{
    return status == DRUA_E_DEVICE || status == DRUA_E_UNSUPPORTED || status == DRUA_E_ARGUMENT;
}

void fft_note_refusal(fft_plan *p, const fft_provider *provider)
{
    size_t used = strlen(p->refused);
    snprintf(p->refused + used, sizeof p->refused - used, "; %s: %s", provider->version(), drua_error_text());
}

/* A plan of that provider, made by now or NULL, that has passed its test. */
static drua_status make_with(drua_fft *fft, fft_plan *p, const fft_provider *provider, void *made)
{
    p->state = made;
    if (!made)
        DRUA_TRY(provider->make(fft->device, p->shape, p->convolves, &p->state));
    p->provider = provider;
    const drua_status status = fft_test(fft, p, false);
    if (status != DRUA_OK) {
        provider->discard(p->state);
        p->provider = NULL;
    }
    return status;
}

/* Seconds of some round trips. */
static drua_status measure(drua_fft *fft, fft_plan *p, double *seconds)
{
    drua_buffer *work;
    DRUA_TRY(drua_buffer_make(fft->device, fft_bytes(p->shape), &work));
    drua_status status = fft_fill(fft, p->shape, work);
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

/* Seconds in which copies read and write as much as those round trips do, if every axis takes them one pass. */
static drua_status measure_copies(drua_fft *fft, drua_shape s, double *seconds)
{
    enum { QUAD = 16, GROUP = 256 };
    const int64_t quads = (int64_t)(fft_bytes(s) / QUAD);
    const int passes = (s.width > 1) + (s.height > 1) + (s.depth > 1);
    drua_buffer *buffers[2] = {NULL, NULL};
    double start = 0;
    drua_status status = drua_buffer_make(fft->device, fft_bytes(s), &buffers[0]);
    if (status == DRUA_OK)
        status = drua_buffer_make(fft->device, fft_bytes(s), &buffers[1]);
    for (int i = 0; i <= 2 * TRIPS && status == DRUA_OK; i++) {
        if (i < 2) {            /* the first one warms up */
            status = drua_device_finish(fft->device);
            start = drua_seconds();
        }
        if (status == DRUA_OK)
            status = SEND(fft, "copy_line", quads, 1, 1, GROUP, 1, BUFFER(buffers[0]), BUFFER(buffers[1]), LONG(quads));
    }
    if (status == DRUA_OK)
        status = drua_device_finish(fft->device);
    *seconds = passes * (drua_seconds() - start);
    for (int i = 0; i < 2; i++)
        drua_buffer_release(buffers[i]);
    return status;
}

static bool are_powers_of_two(drua_shape s)
{
    return !(s.width & (s.width - 1)) && !(s.height & (s.height - 1)) && !(s.depth & (s.depth - 1));
}

/*
 * Who joins the ends of convolutions saves a quarter of what an iteration reads and writes, so its transforms may take longer; of
 * other extents than powers of two it saved nothing on an H200.
 */
static double share_of(const fft_provider *provider, drua_shape s)
{
    return provider->join && are_powers_of_two(s) ? 0.85 : 1;
}

/* Keeps the faster of the plan that is there and one of that provider. */
static drua_status compare(drua_fft *fft, fft_plan *p, const fft_provider *provider, void *made)
{
    double old_time, new_time;
    fft_plan other = {.shape = p->shape, .convolves = p->convolves};
    DRUA_TRY(make_with(fft, &other, provider, made));
    drua_status status = measure(fft, p, &old_time);
    if (status == DRUA_OK)
        status = measure(fft, &other, &new_time);
    const bool better = status == DRUA_OK && new_time * share_of(provider, p->shape) < old_time * share_of(p->provider, p->shape);
    fft_plan *loser = better ? p : &other;
    loser->provider->discard(loser->state);
    if (better) {
        p->provider = other.provider;
        p->state = other.state;
    }
    return status;
}

/* Extents between the same powers of two are of one kind, powers of two of another. */
static void name_kind(drua_shape s, char *kind, size_t size)
{
    const int64_t extents[] = {s.width, s.height, s.depth};
    int powers[3] = {0};
    for (int i = 0; i < 3; i++)
        while (extents[i] >> (powers[i] + 1))
            powers[i]++;
    snprintf(kind, size, "fft_%d_%d_%d%s", powers[0], powers[1], powers[2], are_powers_of_two(s) ? "_exactly" : "");
}

/* Whose plan is worth trying beside the one that is there. */
typedef enum effort { FIRST_ONE, QUICK_ONES, ALL } effort;

static bool may_try(const drua_fft *fft, const fft_plan *p, const fft_provider *provider, int known)
{
    return !wants_another(provider) && provider->serves(fft->device, p->shape) && (known < 0 || provider->number == known);
}

/* A plan that is preferred and whose round trip comes near copies has no rival that is worth compiling. */
static drua_status make_unrivalled(drua_fft *fft, fft_plan *p, bool *is_enough)
{
    static const double NEAR = 0.75;
    double time, copies;
    for (int i = 0; fft_providers[i]; i++) {
        if (share_of(fft_providers[i], p->shape) == 1 || !may_try(fft, p, fft_providers[i], -1))
            continue;
        drua_status status = make_with(fft, p, fft_providers[i], NULL);
        if (status == DRUA_OK)
            status = measure(fft, p, &time);
        *is_enough = status == DRUA_OK && measure_copies(fft, p->shape, &copies) == DRUA_OK && copies > NEAR * time;
        return fft_is_refusal(status) ? DRUA_OK : status;
    }
    return DRUA_OK;
}

static drua_status make_best(drua_fft *fft, fft_plan *p, effort most, int known)
{
    void *made[MOST_PROVIDERS] = {0};
    bool is_done = false;
    drua_status status = most == QUICK_ONES ? make_unrivalled(fft, p, &is_done) : DRUA_OK;
    if (is_done || status != DRUA_OK)
        return status;
    const fft_provider *there = p->provider;
    /* what is compiled for several providers is compiled at the same time */
    for (int i = 0; fft_providers[i] && most != FIRST_ONE; i++)
        if (fft_providers[i] != there && fft_providers[i]->is_quick && may_try(fft, p, fft_providers[i], known))
            fft_providers[i]->make(fft->device, p->shape, p->convolves, &made[i]);
    for (int i = 0; fft_providers[i] && status == DRUA_OK; i++) {
        const fft_provider *provider = fft_providers[i];
        const bool is_enough = p->provider && (most == FIRST_ONE || (most == QUICK_ONES && !provider->is_quick));
        if (is_enough || provider == there || !may_try(fft, p, provider, known))
            continue;
        status = p->provider ? compare(fft, p, provider, made[i]) : make_with(fft, p, provider, made[i]);
        made[i] = NULL;
        if (fft_is_refusal(status)) {
            fft_note_refusal(p, provider);
            status = DRUA_OK;
        }
    }
    for (int i = 0; fft_providers[i]; i++)
        if (made[i])
            fft_providers[i]->discard(made[i]);
    return status;
}

drua_status fft_make(drua_fft *fft, fft_plan *p)
{
    enum { WORTH = 1 << 20 };       /* pixels; less is over before its time is worth knowing */
    char kind[40];
    const int64_t pixels = p->shape.width * p->shape.height * p->shape.depth;
    const bool remembers = fft->memory.recall && drua_device_facts(fft->device)->is_gpu && pixels >= WORTH && !getenv("DRUA_FFT");
    if (fft_is_point(p->shape))
        return DRUA_OK;
    name_kind(p->shape, kind, sizeof kind);
    const int known = remembers ? fft->memory.recall(fft->memory.payload, kind, pixels) : -1;
    if (known >= 0)
        DRUA_TRY(make_best(fft, p, FIRST_ONE, known));
    p->measured = p->provider || remembers || fft_wants("measure");
    if (!p->provider)
        DRUA_TRY(make_best(fft, p, fft_wants("measure") ? ALL : remembers ? QUICK_ONES : FIRST_ONE, -1));
    if (p->provider && remembers && p->provider->number != known)
        fft->memory.keep(fft->memory.payload, kind, pixels, p->provider->number);
    if (p->provider)
        return DRUA_OK;
    return drua_fail(DRUA_E_UNSUPPORTED, "no library here can transform %lld x %lld x %lld pixels%s; install libvkfft-dev, or crop or pad the image to extents up to 32768 with small prime factors",
                     (long long)p->shape.width, (long long)p->shape.height, (long long)p->shape.depth, p->refused);
}
