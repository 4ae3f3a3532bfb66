/* SPDX-License-Identifier: BSD-3-Clause */
#include "reference_deconvolution.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the box that holds the estimate */

typedef struct place {
    int x, y, z;
} place;

static int smooth_extent(int n)
{
    for (;; n++) {
        int rest = n;
        for (int p = 2; p < 8; p++)
            while (rest % p == 0)
                rest /= p;
        if (rest == 1)
            return n;
    }
}

static int mirror(int i, int n)
{
    i = volume_wrap(i, 2 * n);
    return i < n ? i : 2 * n - 1 - i;
}

/* Whether the back projector reaches farther than the blur. */
static bool reaches_far(reference_recipe r)
{
    return r.method == WIENER_BUTTERWORTH || r.precondition > 0;
}

static int reach_of_edges(int extent, reference_recipe r)
{
    return r.edges == CIRCULANT ? 0 : reaches_far(r) ? extent - 1 : extent / 2;
}

/*
 * Puts the image into its box. The pixels around it follow the edge rule: mirrored pixels, or -1 where nothing was
 * measured. If the result depends on the whole box, the box is as large as the engine's.
 */
static volume enlarge_to_box(volume image, volume psf, reference_recipe r, place *at)
{
    int w = image.w + 2 * reach_of_edges(psf.w, r), h = image.h + 2 * reach_of_edges(psf.h, r),
        d = image.d + 2 * reach_of_edges(psf.d, r);
    if (r.edges == MIRROR || (r.edges == NONCIRCULANT && reaches_far(r))) {
        w = 2 * smooth_extent((w + 1) / 2);
        h = smooth_extent(h);
        d = smooth_extent(d);
    }
    volume box = volume_make(w, h, d);
    *at = (place){(w - image.w) / 2, (h - image.h) / 2, (d - image.d) / 2};
    for (int k = 0; k < d; k++)
        for (int j = 0; j < h; j++)
            for (int i = 0; i < w; i++) {
                const int x = i - at->x, y = j - at->y, z = k - at->z;
                const bool inside = x >= 0 && y >= 0 && z >= 0 && x < image.w && y < image.h && z < image.d;
                *volume_at(box, i, j, k) =
                    inside ? *volume_at(image, x, y, z)
                    : r.edges == NONCIRCULANT
                        ? -1
                        : *volume_at(image, mirror(x, image.w), mirror(y, image.h), mirror(z, image.d));
            }
    return box;
}

static double *in_box(volume box, volume image, place at, int i)
{
    return volume_at(box, i % image.w + at.x, i / image.w % image.h + at.y, i / image.w / image.h + at.z);
}

static volume view_of(volume box, volume image, place at)
{
    volume out = volume_make(image.w, image.h, image.d);
    for (int i = 0; i < volume_count(out); i++)
        out.v[i] = *in_box(box, image, at, i);
    return out;
}

/* ---- total variation */

static double minmod(double a, double b)
{
    return a * b <= 0 ? 0 : fabs(a) < fabs(b) ? a : b;
}

/*
 * The forward difference along axis n, divided by the gradient's length. `ease` times the pixel's value counts as one
 * more component of the gradient, so the length is never smaller than this. Returns 0 for positions before the first
 * pixel.
 */
static double flow(volume x, int n, int i, int j, int k, double ease, const double *spacing)
{
    static const int step[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    if (i < 0 || j < 0 || k < 0)
        return 0;
    double along = 0, size = pow(ease * *volume_at(x, i, j, k), 2);
    for (int axis = 0; axis < 3; axis++) {
        const int *s = step[axis];
        const double up = (volume_pixel(x, i + s[0], j + s[1], k + s[2]) - volume_pixel(x, i, j, k)) / spacing[axis];
        const double down = (volume_pixel(x, i, j, k) - volume_pixel(x, i - s[0], j - s[1], k - s[2])) / spacing[axis];
        const double part = axis == n ? up : minmod(up, down);
        size += part * part;
        if (axis == n)
            along = up;
    }
    return size > 0 ? along / sqrt(size) : 0;
}

static void divide_by_variation(volume u, volume x, const reference_recipe *r)
{
    const double *h = r->spacing;
    for (int k = 0; k < x.d; k++)
        for (int j = 0; j < x.h; j++)
            for (int i = 0; i < x.w; i++) {
                const double along_x = flow(x, 0, i, j, k, r->floor, h) - flow(x, 0, i - 1, j, k, r->floor, h);
                const double along_y = flow(x, 1, i, j, k, r->floor, h) - flow(x, 1, i, j - 1, k, r->floor, h);
                const double along_z = flow(x, 2, i, j, k, r->floor, h) - flow(x, 2, i, j, k - 1, r->floor, h);
                *volume_at(u, i, j, k) /= 1 - r->tv * (along_x / h[0] + along_y / h[1] + along_z / h[2]);
            }
}

/* ---- the back projector of Wiener and Butterworth */

/* The logarithm at t pixels after pixel i: a parabola through the logarithms of pixel i and its two neighbours. */
static double log_between(const double *line, int i, double t)
{
    const double min = 1e-3 * line[i], a = log(fmax(line[i - 1], min)), b = log(line[i]),
                 c = log(fmax(line[i + 1], min));
    return a * t * (t - 1) / 2 - b * (t - 1) * (t + 1) + c * t * (t + 1) / 2;
}

/* The position between `from` and `to`, on one side of the peak, where the logarithm falls to `value`. */
static double where_log_is(const double *line, int i, double from, double to, double value)
{
    for (int n = 0; n < 60; n++) {
        const double t = (from + to) / 2;
        *(log_between(line, i, t) > value ? &from : &to) = t;
    }
    return from;
}

/* Full width at half maximum along an axis through the middle; the line has a single peak. */
static double width_of(volume psf, int axis)
{
    const int n[] = {psf.w, psf.h, psf.d}, middle[] = {psf.w / 2, psf.h / 2, psf.d / 2};
    double line[64], ends[2] = {0}, low = -0.5, high = 0.5;
    int top = 0;
    for (int i = 0; i < n[axis]; i++) {
        line[i] = *volume_at(psf, axis == 0 ? i : middle[0], axis == 1 ? i : middle[1], axis == 2 ? i : middle[2]);
        top = line[i] > line[top] ? i : top;
    }
    for (int round = 0; round < 100; round++) {
        const double a = (2 * low + high) / 3, b = (low + 2 * high) / 3;
        *(log_between(line, top, a) < log_between(line, top, b) ? &low : &high) =
            log_between(line, top, a) < log_between(line, top, b) ? a : b;
    }
    const double peak = log_between(line, top, low), half = peak - log(2);
    for (int side = 0; side < 2; side++) {
        const int step = side ? 1 : -1;
        int i = top;
        while (log(line[i + step]) > half)
            i += step;
        ends[side] = i + where_log_is(line, i, i == top ? low : 0, step, half);
    }
    return ends[1] - ends[0];
}

static double gain(volume psf, int axis, double frequency)
{
    double complex s = 0;
    for (int i = 0; i < volume_count(psf); i++) {
        const int where[] = {i % psf.w, i / psf.w % psf.h, i / psf.w / psf.h};
        s += psf.v[i] * cexp(-2 * M_PI * I * frequency * where[axis]);
    }
    return cabs(s) / volume_sum(psf);
}

static spectrum butterworth(volume psf, volume image, double alpha, double order)
{
    spectrum back = spectrum_of_kernel(psf, image);
    const double size[] = {width_of(psf, 0), width_of(psf, 1), width_of(psf, 2)};
    double beta = 0;
    for (int axis = 0; axis < 3; axis++)
        beta += gain(psf, axis, 1 / size[axis]) / 3;
    const double at_x = gain(psf, 0, 1 / size[0]), wiener = at_x / (at_x * at_x + alpha),
                 steepness = fmax(wiener * wiener / beta / beta - 1, 0); /* the filter may only attenuate */
    for (int i = 0; i < volume_count(image); i++) {
        const double f[] = {size[0] * spectrum_cycles(i % image.w, image.w),
                            size[1] * spectrum_cycles(i / image.w % image.h, image.h),
                            size[2] * spectrum_cycles(i / image.w / image.h, image.d)};
        const double w = f[0] * f[0] + f[1] * f[1] + f[2] * f[2], square = creal(back.v[i] * conj(back.v[i]));
        back.v[i] = conj(back.v[i]) / (square + alpha) * (1 + alpha) / sqrt(1 + steepness * pow(w, order));
    }
    return back;
}

/* Tikhonov's inverse as a preconditioner (Piana and Bertero), scaled to keep the mean light. */
static spectrum preconditioned(volume psf, volume image, double noise)
{
    spectrum back = spectrum_of_kernel(psf, image);
    for (int i = 0; i < volume_count(image); i++) {
        const double size = cabs(back.v[i]);
        back.v[i] = conj(back.v[i]) * (1 + noise) / (size * size + noise);
    }
    return back;
}

/* ---- iterations */

/*
 * Returns alpha: the prediction is x + alpha * (x - before). `went` holds the last two corrections, each an estimate
 * minus its prediction.
 */
static double momentum(reference_recipe *r, int k, const volume *went)
{
    double mixed = 0, square = 0;
    if (r->acceleration == PLAIN || k < 2)
        return 0;
    if (r->acceleration == HEAVY_BALL)
        return (k - 1.0) / (k + 2.0);
    for (int i = 0; i < volume_count(went[0]); i++) {
        mixed += went[0].v[i] * went[1].v[i];
        square += went[1].v[i] * went[1].v[i];
    }
    if (r->steps && square > 0) {
        r->steps[0] = fmin(r->steps[0], mixed / square);
        r->steps[1] = fmax(r->steps[1], mixed / square);
    }
    return square > 0 ? fmin(fmax(mixed / square, 0), 1) : 0;
}

/*
 * Replaces the blurred prediction q with the image to back-project. The back projector of Wiener-Butterworth is not the
 * blur's adjoint: it does not turn a ratio of 1 everywhere into the share of light that was seen. Only the ratio minus
 * 1 is therefore back-projected, and the caller adds that share afterwards.
 */
static void correct_prediction(volume q, volume seen, const reference_recipe *r)
{
    for (int i = 0; i < volume_count(q); i++) {
        const double predicted = q.v[i] + r->background;
        if (r->method == LANDWEBER)
            q.v[i] = seen.v[i] >= 0 ? seen.v[i] - predicted : 0;
        else
            q.v[i] = seen.v[i] >= 0 && predicted > 0 ? seen.v[i] / predicted - (r->method == WIENER_BUTTERWORTH) : 0;
    }
}

/* The divergence over the pixels of the image, without those around it. */
static double divergence(volume q, volume seen, volume image, place at, double background)
{
    double sum = 0;
    for (int i = 0; i < volume_count(image); i++) {
        const double g = *in_box(seen, image, at, i), r = *in_box(q, image, at, i) + background;
        if (g >= 0)
            sum += (g > 0 ? g * log(g / r) : 0) - g + r;
    }
    return sum;
}

/*
 * The residual divided by the standard deviation of photon noise, sqrt(predicted + `dark`); 0 where nothing was
 * measured.
 */
static double surprise(volume q, volume seen, place at, int x, int y, int z, double background, double dark)
{
    const double g = *volume_at(seen, x + at.x, y + at.y, z + at.z),
                 r = *volume_at(q, x + at.x, y + at.y, z + at.z) + background;
    return g < 0 ? 0 : (g - r) / sqrt((r > 0 ? r : 0) + dark);
}

/*
 * Whether the residuals of neighbouring pixels are no longer positively correlated. Axes along which the psf keeps more
 * than 20 % of the amplitude of a wave of period 4 pixels are left out. If no axis remains, returns false.
 */
static bool is_white(volume q, volume seen, volume image, volume psf, place at, double background, double dark)
{
    double alike = 0;
    int counted = 0;
    for (int axis = 0; axis < 3; axis++) {
        if (gain(psf, axis, 0.25) > 0.2)
            continue;
        counted++;
        for (int z = axis == 2; z < image.d; z++)
            for (int y = axis == 1; y < image.h; y++)
                for (int x = axis == 0; x < image.w; x++)
                    alike += surprise(q, seen, at, x, y, z, background, dark) *
                             surprise(q, seen, at, x - (axis == 0), y - (axis == 1), z - (axis == 2), background, dark);
    }
    return counted > 0 && alike <= 0;
}

static void set_defaults(reference_recipe *r)
{
    static const double spacing[] = {1, 1, 3};
    if (r->spacing[0] == 0)
        memcpy(r->spacing, spacing, sizeof spacing);
    r->step = r->step == 0 ? 1 : r->step;
    r->alpha = r->alpha == 0 ? 0.05 : r->alpha;
    r->order = r->order == 0 ? 10 : r->order;
}

/* The reciprocal of the share of light that was seen, or 0 where this share is too small. */
static volume edge_weights(volume seen, volume psf, const reference_recipe *r)
{
    volume light = volume_copy(seen);
    for (int i = 0; i < volume_count(seen); i++)
        light.v[i] = seen.v[i] >= 0;
    volume weight = volume_convolve(light, psf, r->edges != NONCIRCULANT, true);
    for (int i = 0; i < volume_count(seen); i++)
        weight.v[i] = weight.v[i] < (r->method == WIENER_BUTTERWORTH ? 0.1 : 0.01) ? 0 : 1 / weight.v[i];
    free(light.v);
    return weight;
}

/* The image, with -1 where a pixel is bad. */
static volume mark_bad(volume image, volume bad)
{
    volume out = volume_copy(image);
    for (int i = 0; bad.v && i < volume_count(image); i++)
        out.v[i] = bad.v[i] != 0 ? -1 : image.v[i];
    return out;
}

static double mean_of_measured(volume image)
{
    double sum = 0;
    int count = 0;
    for (int i = 0; i < volume_count(image); i++)
        if (image.v[i] >= 0) {
            sum += image.v[i];
            count++;
        }
    return sum / count;
}

void reference_deconvolve_until(volume image, volume raw, reference_recipe r, const int *stops, int stop_count,
                                volume *outs, double *divergences)
{
    place at;
    set_defaults(&r);
    const bool periodic = r.edges != NONCIRCULANT, flat = !periodic || r.bad.v || (r.edges == MIRROR && r.start > 0);
    volume known = mark_bad(image, r.bad), psf = volume_copy(raw), seen = enlarge_to_box(known, raw, r, &at),
           x = volume_copy(seen);
    const double all = volume_sum(raw), mean = r.start > 0 ? r.start : mean_of_measured(known) - r.background;
    free(known.v);
    for (int i = 0; i < volume_count(psf); i++)
        psf.v[i] /= all;
    for (int i = 0; i < volume_count(x); i++)
        x.v[i] = flat ? mean : fmax(seen.v[i] - r.background, 0);
    volume weight = edge_weights(seen, psf, &r), before = volume_copy(x),
           went[2] = {volume_make(x.w, x.h, x.d), volume_make(x.w, x.h, x.d)};
    spectrum back = r.method == WIENER_BUTTERWORTH ? butterworth(raw, x, r.alpha, r.order)
                    : r.precondition > 0           ? preconditioned(raw, x, r.precondition)
                                                   : (spectrum){{0}, NULL};
    bool ends = false;
    for (int k = 0, stop = 0; stop < stop_count && !ends; k++) {
        const double alpha = momentum(&r, k, went);
        volume y = volume_copy(x);
        for (int i = 0; i < volume_count(x); i++)
            y.v[i] = fmax(x.v[i] + alpha * (x.v[i] - before.v[i]), 0.1 * x.v[i]);
        volume q = volume_convolve(y, psf, periodic, false);
        if (divergences)
            divergences[k] = divergence(q, seen, image, at, r.background);
        ends = r.at_noise && k >= 10 && k % 5 == 0 &&
               is_white(q, seen, image, raw, at, r.background, (mean + r.background) / 100);
        if (ends) {
            *r.at_noise = k;
            while (stop < stop_count)
                outs[stop++] = view_of(x, image, at);
        }
        correct_prediction(q, seen, &r);
        volume u = back.v ? spectrum_filter(q, back) : volume_convolve(q, psf, periodic, true);
        for (int i = 0; i < volume_count(u) && r.method == WIENER_BUTTERWORTH; i++)
            u.v[i] += weight.v[i] > 0 ? 1 / weight.v[i] : 0;
        if (r.tv > 0)
            divide_by_variation(u, y, &r);
        memcpy(before.v, x.v, (size_t)volume_count(x) * sizeof *x.v);
        memcpy(went[1].v, went[0].v, (size_t)volume_count(x) * sizeof *x.v);
        for (int i = 0; i < volume_count(x); i++) {
            if (r.method == LANDWEBER)
                x.v[i] = fmax(y.v[i] + r.step * u.v[i], 0);
            else
                x.v[i] = weight.v[i] > 0
                             ? fmax(y.v[i] * u.v[i] * weight.v[i], r.method == WIENER_BUTTERWORTH ? 1e-3 * mean : 0)
                             : y.v[i];
            went[0].v[i] = x.v[i] - y.v[i];
        }
        free(q.v), free(u.v), free(y.v);
        if (stop < stop_count && k + 1 == stops[stop])
            outs[stop++] = view_of(x, image, at);
    }
    free(back.v);
    free(psf.v), free(seen.v), free(x.v), free(weight.v), free(before.v), free(went[0].v), free(went[1].v);
}

volume reference_deconvolve(volume image, volume psf, reference_recipe r, int iterations)
{
    volume out;
    reference_deconvolve_until(image, psf, r, &iterations, 1, &out, NULL);
    return out;
}
