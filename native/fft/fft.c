/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps plans, chooses who makes them, and lets no plan be used that failed its test. */
#include "provider.h"

#include "alloc.h"
#include "error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Wide rows begin where 64 bytes do, which is how memory is read across them; libraries fail where very long ones do. */
enum { WIDE = 33, LONG = 4097, WHOLE = 8 };

enum { PLANS = 12, GROUP = 256, GROUPS = 256, MOST_PROVIDERS = 3 };

/* Of amplitudes of 1.5; rounding stays below 2e-6 in the longest transforms. */
static const float TOLERANCE = 2e-5f;

typedef struct plan {
    drua_shape shape;
    const fft_provider *provider;
    void *state;
    bool convolves;         /* convolutions will be asked for */
    bool convolution_tried, fused;
    uint64_t last_use;
    bool measured;
    char refused[256];
} plan;

struct drua_fft {
    drua_device *device;
    plan plans[PLANS];
    uint64_t uses;
    drua_fft_memory memory;
    char note[512];
};

const fft_provider *const fft_providers[] = {
#if defined(DRUA_VKFFT)
    &fft_vkfft,
#endif
    &fft_lines,
#if defined(DRUA_CLFFT)
    &fft_clfft,
#endif
    NULL,
};

/*
 * DRUA_FFT=steps sends the passes of a convolution one by one, to compare; lines, vkfft or clfft names who transforms; measure takes
 * the fastest one of each extent, whatever it costs to make plans.
 */
static bool wants(const char *what)
{
    const char *text = getenv("DRUA_FFT");
    return text && !strcmp(text, what);
}

static bool wants_another(const fft_provider *provider)
{
    for (const fft_provider *const *at = fft_providers; *at; at++)
        if (*at != provider && wants((*at)->name))
            return true;
    return false;
}

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

static void discard(plan *p)
{
    if (p->provider)
        p->provider->discard(p->state);
    memset(p, 0, sizeof *p);
}

void drua_fft_close(drua_fft *fft)
{
    if (!fft)
        return;
    for (int i = 0; i < PLANS; i++)
        discard(&fft->plans[i]);
    drua_free(fft);
}

bool drua_fft_is_there(void)
{
    for (const fft_provider *const *at = fft_providers; *at; at++)
        if (!(*at)->is_here || (*at)->is_here())
            return true;
    return false;
}

int64_t drua_fft_extent(int64_t least)
{
    static const int primes[] = {2, 3, 5, 7};
    for (int64_t extent = least < 1 ? 1 : least;; extent++) {
        int64_t rest = extent;
        for (size_t i = 0; i < sizeof primes / sizeof *primes; i++)
            while (rest % primes[i] == 0)
                rest /= primes[i];
        if (rest == 1)
            return extent;
    }
}

drua_layout drua_fft_image(drua_shape s)
{
    const int64_t pairs = s.width / 2 + 1, row = 2 * (pairs < WIDE || pairs > LONG ? pairs : (pairs + WHOLE - 1) / WHOLE * WHOLE);
    return (drua_layout){(int32_t)s.width, (int32_t)s.height, (int32_t)s.depth, DRUA_FLOAT32, 0, 1, row, row * s.height};
}

drua_layout drua_fft_spectrum(drua_shape s)
{
    drua_layout layout = drua_fft_image(s);
    layout.width = (int32_t)(2 * (s.width / 2 + 1));
    return layout;
}

static uint64_t bytes_of(drua_shape s)
{
    return (uint64_t)drua_fft_image(s).plane * (uint64_t)s.depth * sizeof(float);
}

/* ---- kernels */

#define SEND(fft, name, nx, ny, nz, gx, gy, ...)                                                                                 \
    drua_device_launch((fft)->device, name, GRID(nx, ny, nz, gx, gy, 1), (const drua_arg[]){__VA_ARGS__, {.kind = DRUA_LAUNCH_END}})

/* In rows of width 1 the second number of each pair is nobody's. */
static drua_status make_real(drua_fft *fft, drua_shape s, drua_buffer *work)
{
    if (s.width > 1)
        return DRUA_OK;
    return SEND(fft, "fft_make_real", s.height, s.depth, 1, 32, 1, VIEW(work, drua_fft_spectrum(s)));
}

static drua_status multiply(drua_fft *fft, drua_shape s, drua_buffer *work, drua_buffer *kernel, bool conjugate)
{
    return SEND(fft, "fft_multiply", s.width / 2 + 1, s.height, s.depth, 32, 4, VIEW(work, drua_fft_spectrum(s)),
                VIEW(kernel, drua_fft_spectrum(s)), INT(conjugate));
}

static bool is_point(drua_shape s)
{
    return s.width == 1 && s.height == 1 && s.depth == 1;
}

/* The engine orders its transfers by the kernels that it sends itself; a provider's kernels stand between two of those. */
static drua_status touch(drua_fft *fft, drua_buffer *a, drua_buffer *b, drua_buffer *c)
{
    return SEND(fft, "fft_touch", 1, 1, 1, 1, 1, BUFFER(a), BUFFER(b), BUFFER(c));
}

static drua_status transform(drua_fft *fft, plan *p, drua_buffer *work, bool inverse)
{
    if (!inverse)
        DRUA_TRY(make_real(fft, p->shape, work));
    if (is_point(p->shape))
        return DRUA_OK;
    DRUA_TRY(drua_buffer_pin(work));
    drua_status status = touch(fft, work, work, work);
    if (status == DRUA_OK)
        status = p->provider->transform(p->state, work, inverse);
    if (status == DRUA_OK)
        status = touch(fft, work, work, work);
    drua_buffer_unpin(work);
    return status;
}

/* The provider's own convolution, with all buffers on the device. */
static drua_status convolve_at_once(drua_fft *fft, plan *p, drua_buffer *from, drua_buffer *kernel, drua_buffer *to, bool correlate)
{
    drua_buffer *const buffers[] = {from, kernel, to};
    int pinned = 0;
    drua_status status = DRUA_OK;
    while (status == DRUA_OK && pinned < 3)
        if ((status = drua_buffer_pin(buffers[pinned])) == DRUA_OK)
            pinned++;
    if (status == DRUA_OK)
        status = touch(fft, from, kernel, to);
    if (status == DRUA_OK)
        status = p->provider->convolve(p->state, from, kernel, to, correlate);
    if (status == DRUA_OK)
        status = touch(fft, from, kernel, to);
    while (pinned > 0)
        drua_buffer_unpin(buffers[--pinned]);
    return status;
}

static drua_status copy(drua_fft *fft, drua_shape s, drua_buffer *from, drua_buffer *to)
{
    const drua_layout all = drua_fft_spectrum(s);
    if (from == to)
        return DRUA_OK;
    return SEND(fft, "fft_copy", all.width / 2, s.height, s.depth, 32, 4, VIEW(from, all), VIEW(to, all));
}

static drua_status convolve_in_steps(drua_fft *fft, plan *p, drua_buffer *from, drua_buffer *kernel, drua_buffer *to, bool correlate)
{
    DRUA_TRY(copy(fft, p->shape, from, to));
    DRUA_TRY(transform(fft, p, to, false));
    DRUA_TRY(multiply(fft, p->shape, to, kernel, correlate));
    return transform(fft, p, to, true);
}

/* ---- the test */

typedef struct place {
    int32_t x, y, z;
} place;

#define PLACES(a, b) INT((a).x), INT((a).y), INT((a).z), INT((b).x), INT((b).y), INT((b).z)

static place part(drua_shape s, int numerator, int denominator)
{
    return (place){(int32_t)(s.width * numerator / denominator), (int32_t)(s.height * numerator / denominator),
                   (int32_t)(s.depth * numerator / denominator)};
}

static place add(drua_shape s, place a, place b, int sign)
{
    return (place){(int32_t)((a.x + sign * b.x + s.width) % s.width), (int32_t)((a.y + sign * b.y + s.height) % s.height),
                   (int32_t)((a.z + sign * b.z + s.depth) % s.depth)};
}

static drua_status fill(drua_fft *fft, drua_shape s, drua_buffer *work, place a, place b)
{
    return SEND(fft, "fft_test_fill", s.width, s.height, s.depth, 32, 4, VIEW(work, drua_fft_image(s)), PLACES(a, b));
}

static drua_status judge(drua_fft *fft, drua_buffer *errors, const char *what)
{
    float worst = 0, each[GROUPS];
    drua_view view = {errors, drua_layout_dense((drua_shape){GROUPS, 1, 1, 3}, DRUA_FLOAT32)};
    DRUA_TRY(drua_device_read(fft->device, view, each, sizeof each));
    for (int i = 0; i < GROUPS; i++)
        worst = each[i] > worst || isnan(each[i]) ? each[i] : worst;
    return worst < TOLERANCE ? DRUA_OK : drua_fail(DRUA_E_DEVICE, "its %s is off by %.1e", what, (double)worst);
}

static drua_status check_image(drua_fft *fft, drua_shape s, drua_buffer *work, place a, place b, drua_buffer *errors, const char *what)
{
    const drua_layout l = drua_fft_image(s);
    DRUA_TRY(SEND(fft, "fft_test_image", GROUPS * GROUP, 1, 1, GROUP, 1, VIEW(work, l), PLACES(a, b), LONG(drua_layout_count(&l)),
                  BUFFER(errors)));
    return judge(fft, errors, what);
}

static drua_status test_transform(drua_fft *fft, plan *p, drua_buffer *work, drua_buffer *errors)
{
    const drua_shape s = p->shape;
    const drua_layout l = drua_fft_spectrum(s);
    const place a = part(s, 1, 3), b = part(s, 4, 5);
    DRUA_TRY(fill(fft, s, work, a, b));
    DRUA_TRY(transform(fft, p, work, false));
    DRUA_TRY(SEND(fft, "fft_test_spectrum", GROUPS * GROUP, 1, 1, GROUP, 1, VIEW(work, l), INT(s.width), PLACES(a, b),
                  LONG(drua_layout_count(&l) / 2), BUFFER(errors)));
    DRUA_TRY(judge(fft, errors, "transform"));
    DRUA_TRY(transform(fft, p, work, true));
    return check_image(fft, s, work, a, b, errors, "inverse transform");
}

/* A point, moved by a kernel of two points there and back. */
static drua_status test_convolution(drua_fft *fft, plan *p, drua_buffer **work, drua_buffer *errors)
{
    const drua_shape s = p->shape;
    const place point = part(s, 1, 3), a = part(s, 1, 7), b = part(s, 3, 4);
    const place nowhere = {-1, -1, -1};
    DRUA_TRY(fill(fft, s, work[1], a, b));
    DRUA_TRY(transform(fft, p, work[1], false));
    for (int correlate = 0; correlate < 2; correlate++) {
        const int sign = correlate ? -1 : 1;
        DRUA_TRY(fill(fft, s, work[0], point, nowhere));
        DRUA_TRY(convolve_at_once(fft, p, work[0], work[1], work[2], correlate));
        DRUA_TRY(check_image(fft, s, work[2], add(s, point, a, sign), add(s, point, b, sign), errors,
                             correlate ? "correlation" : "convolution"));
    }
    return DRUA_OK;
}

static drua_status test(drua_fft *fft, plan *p, bool convolution)
{
    enum { MOST = 3 };
    drua_buffer *work[MOST] = {0}, *errors = NULL;
    drua_status status = drua_buffer_make(fft->device, GROUPS * sizeof(float), &errors);
    for (int i = 0; i < (convolution ? MOST : 1) && status == DRUA_OK; i++)
        status = drua_buffer_make(fft->device, bytes_of(p->shape), &work[i]);
    if (status == DRUA_OK)
        status = convolution ? test_convolution(fft, p, work, errors) : test_transform(fft, p, work[0], errors);
    for (int i = 0; i < MOST; i++)
        drua_buffer_release(work[i]);
    drua_buffer_release(errors);
    return status;
}

/* ---- plans */

/* Memory that is short is no fault of the provider. */
static bool is_refusal(drua_status status)
{
    return status == DRUA_E_DEVICE || status == DRUA_E_UNSUPPORTED || status == DRUA_E_ARGUMENT;
}

static void note_refusal(plan *p, const fft_provider *provider)
{
    size_t used = strlen(p->refused);
    snprintf(p->refused + used, sizeof p->refused - used, "; %s: %s", provider->version(), drua_error_text());
}

/* A plan of that provider, made by now or NULL, that has passed its test. */
static drua_status make_with(drua_fft *fft, plan *p, const fft_provider *provider, void *made)
{
    p->state = made;
    if (!made)
        DRUA_TRY(provider->make(fft->device, p->shape, p->convolves, &p->state));
    p->provider = provider;
    const drua_status status = test(fft, p, false);
    if (status != DRUA_OK) {
        provider->discard(p->state);
        p->provider = NULL;
    }
    return status;
}

bool fft_is_smooth(int64_t extent)
{
    static const int primes[] = {2, 3, 5, 7, 11, 13};
    for (size_t i = 0; i < sizeof primes / sizeof *primes; i++)
        while (extent % primes[i] == 0)
            extent /= primes[i];
    return extent == 1;
}

/* Seconds of some round trips. */
static drua_status measure(drua_fft *fft, plan *p, double *seconds)
{
    enum { TRIPS = 3 };
    drua_buffer *work;
    DRUA_TRY(drua_buffer_make(fft->device, bytes_of(p->shape), &work));
    drua_status status = fill(fft, p->shape, work, part(p->shape, 1, 3), part(p->shape, 4, 5));
    if (status == DRUA_OK)
        status = drua_device_finish(fft->device);
    const double start = drua_seconds();
    for (int i = 0; i < 2 * TRIPS && status == DRUA_OK; i++)
        status = transform(fft, p, work, i % 2);
    if (status == DRUA_OK)
        status = drua_device_finish(fft->device);
    *seconds = drua_seconds() - start;
    drua_buffer_release(work);
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
static drua_status compare(drua_fft *fft, plan *p, const fft_provider *provider, void *made)
{
    double old_time, new_time;
    plan other = {.shape = p->shape, .convolves = p->convolves};
    DRUA_TRY(make_with(fft, &other, provider, made));
    drua_status status = measure(fft, p, &old_time);
    if (status == DRUA_OK)
        status = measure(fft, &other, &new_time);
    const bool better = status == DRUA_OK && new_time * share_of(provider, p->shape) < old_time * share_of(p->provider, p->shape);
    plan *loser = better ? p : &other;
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

/* What is compiled for two providers is compiled at the same time, if both are to be tried. */
static drua_status make_best(drua_fft *fft, plan *p, effort most, int known)
{
    void *made[MOST_PROVIDERS] = {0};
    drua_status status = DRUA_OK;
    for (int round = most == FIRST_ONE; round < 2; round++)
        for (int i = 0; fft_providers[i] && status == DRUA_OK; i++) {
            const fft_provider *provider = fft_providers[i];
            if (wants_another(provider) || !provider->serves(fft->device, p->shape) || (known >= 0 && provider->number != known))
                continue;
            if (round == 0 && provider->is_quick)
                provider->make(fft->device, p->shape, p->convolves, &made[i]);
            if (round == 0 || (p->provider && (most == FIRST_ONE || (most == QUICK_ONES && !provider->is_quick))))
                continue;
            status = p->provider ? compare(fft, p, provider, made[i]) : make_with(fft, p, provider, made[i]);
            made[i] = NULL;
            if (is_refusal(status)) {
                note_refusal(p, provider);
                status = DRUA_OK;
            }
        }
    for (int i = 0; fft_providers[i]; i++)
        if (made[i])
            fft_providers[i]->discard(made[i]);
    return status;
}

static drua_status make(drua_fft *fft, plan *p)
{
    enum { WORTH = 1 << 20 };       /* pixels; less is over before its time is worth knowing */
    char kind[40];
    const int64_t pixels = p->shape.width * p->shape.height * p->shape.depth;
    const bool remembers = fft->memory.recall && drua_device_facts(fft->device)->is_gpu && pixels >= WORTH && !getenv("DRUA_FFT");
    if (is_point(p->shape))
        return DRUA_OK;
    name_kind(p->shape, kind, sizeof kind);
    const int known = remembers ? fft->memory.recall(fft->memory.payload, kind, pixels) : -1;
    if (known >= 0)
        DRUA_TRY(make_best(fft, p, FIRST_ONE, known));
    p->measured = p->provider || remembers || wants("measure");
    if (!p->provider)
        DRUA_TRY(make_best(fft, p, wants("measure") ? ALL : remembers ? QUICK_ONES : FIRST_ONE, -1));
    if (p->provider && remembers && p->provider->number != known)
        fft->memory.keep(fft->memory.payload, kind, pixels, p->provider->number);
    if (p->provider)
        return DRUA_OK;
    return drua_fail(DRUA_E_UNSUPPORTED, "no library here can transform %lld x %lld x %lld pixels%s; install libvkfft-dev, or crop or pad the image to extents up to 32768 with small prime factors",
                     (long long)p->shape.width, (long long)p->shape.height, (long long)p->shape.depth, p->refused);
}

static plan *find(drua_fft *fft, drua_shape s)
{
    for (int i = 0; i < PLANS; i++) {
        plan *p = &fft->plans[i];
        if (p->last_use && p->shape.width == s.width && p->shape.height == s.height && p->shape.depth == s.depth)
            return p;
    }
    return NULL;
}

static drua_status plan_for(drua_fft *fft, drua_shape shape, bool convolves, plan **found)
{
    plan *p = find(fft, shape);
    if (!p) {
        p = &fft->plans[0];
        for (int i = 1; i < PLANS; i++)
            if (fft->plans[i].last_use < p->last_use)
                p = &fft->plans[i];
        if (p->last_use)
            DRUA_TRY(drua_device_finish(fft->device));      /* its kernels may still run */
        discard(p);
        p->shape = shape;
        p->convolves = convolves;
        drua_status status = make(fft, p);
        if (status != DRUA_OK) {
            discard(p);
            return status;
        }
    }
    p->last_use = ++fft->uses;
    *found = p;
    return DRUA_OK;
}

static drua_status prepare_convolution(drua_fft *fft, plan *p)
{
    if (p->convolution_tried)
        return DRUA_OK;
    drua_status status = DRUA_E_UNSUPPORTED;
    if (p->provider && p->provider->make_convolution && !wants("steps")) {
        status = p->provider->make_convolution(p->state);
        if (status == DRUA_OK)
            status = test(fft, p, true);
        if (is_refusal(status))
            note_refusal(p, p->provider);
    }
    p->fused = status == DRUA_OK;
    p->convolution_tried = p->fused || is_refusal(status);
    return p->convolution_tried ? DRUA_OK : status;
}

drua_status drua_fft_prepare(drua_fft *fft, drua_shape shape, bool convolution)
{
    plan *p;
    DRUA_TRY(plan_for(fft, shape, convolution, &p));
    return convolution ? prepare_convolution(fft, p) : DRUA_OK;
}

drua_status drua_fft_forward(drua_fft *fft, drua_shape shape, drua_buffer *work)
{
    plan *p;
    DRUA_TRY(plan_for(fft, shape, false, &p));
    return transform(fft, p, work, false);
}

drua_status drua_fft_inverse(drua_fft *fft, drua_shape shape, drua_buffer *work)
{
    plan *p;
    DRUA_TRY(plan_for(fft, shape, false, &p));
    return transform(fft, p, work, true);
}

drua_status drua_fft_convolve(drua_fft *fft, drua_shape shape, drua_buffer *from, drua_buffer *kernel, drua_buffer *to, bool correlate)
{
    plan *p;
    DRUA_TRY(plan_for(fft, shape, true, &p));
    DRUA_TRY(prepare_convolution(fft, p));
    if (p->fused)
        return convolve_at_once(fft, p, from, kernel, to, correlate);
    return convolve_in_steps(fft, p, from, kernel, to, correlate);
}

bool drua_fft_joins(drua_fft *fft, drua_shape shape)
{
    const plan *p = find(fft, shape);
    return p && p->fused && p->provider->join;
}

drua_status drua_fft_rows(drua_fft *fft, drua_shape shape, drua_buffer *from, drua_buffer *to)
{
    const plan *p = find(fft, shape);
    return p->provider->rows(p->state, from, to);
}

drua_status drua_fft_columns(drua_fft *fft, drua_shape shape, drua_buffer *work, drua_buffer *kernel, bool correlate)
{
    const plan *p = find(fft, shape);
    return p->provider->columns(p->state, work, kernel, correlate);
}

drua_status drua_fft_join(drua_fft *fft, drua_shape shape, drua_buffer *work, const char *kernel, const char *constants, const drua_arg *arguments, bool ahead)
{
    const plan *p = find(fft, shape);
    return p->provider->join(p->state, work, kernel, constants, arguments, ahead);
}

const char *drua_fft_note(drua_fft *fft, drua_shape shape)
{
    const plan *p = find(fft, shape);
    if (!p || !p->provider)
        return "no transform";
    snprintf(fft->note, sizeof fft->note, "%s%s%s%s", p->provider->version(), p->measured ? ", the fastest measured" : "",
             !p->convolution_tried ? "" : p->fused ? ", joined passes" : ", single passes", p->refused);
    return fft->note;
}
