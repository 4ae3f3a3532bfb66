/* SPDX-License-Identifier: BSD-3-Clause */
#include "basic_fit.h"

#include "basic_state.h"

/* Defaults of BaSiC. */
enum { STEPS = 500, REWEIGHTS = 10, BASELINE_REWEIGHTS = 5, POWER_STEPS = 30 };
static const double MU = 12.5, MU_GROWTH = 1.5, MAX_MU = 1e7, FLAT_PART = 1 / 800.0, DARK_PART = 0.2, DARK_STEP = 10,
                    ENOUGH = 1e-6, SAME = 1e-3;

/* ---- statistics of the frames that the fit needs */

static void measure_frames(basic_state *f)
{
    plan_clear(f->p, f->rest);
    for (int32_t t = 0; t < f->count && !plan_failed(f->p); t++)
        f->brightness[t] = 1.0 / f->count;
    basic_combine(f, f->brightness, f->plane);
    basic_project(f, f->plane);
    const double sum = basic_sum(f, 0), mean = sum / ((double)f->count * BASIC_PIXELS);
    f->norm = sqrt(basic_sum(f, 2));
    if (!plan_failed(f->p) && !(isfinite(sum) && mean > 0))
        plan_fail(
            f->p,
            "source must have frames with light, and no pixel may be NaN or infinite; the mean of all pixels is %g",
            mean);
    basic_transform(f, f->plane, f->waves, false);
    basic_read_plane(f, f->waves);
    f->flat_limit = 0;
    for (int i = 0; i < BASIC_PIXELS && !plan_failed(f->p); i++)
        f->flat_limit += fabs((double)f->pixels[i]) / mean * FLAT_PART * f->options->smooth_flat;
    for (int i = 0; i < POWER_STEPS && !plan_failed(f->p); i++) { /* largest singular value, by the power method */
        double square = 0;
        for (int32_t t = 0; t < f->count; t++)
            square += f->sums[t].of[1] * f->sums[t].of[1];
        for (int32_t t = 0; t < f->count; t++)
            f->brightness[t] = f->sums[t].of[1] / sqrt(square);
        basic_combine(f, f->brightness, f->plane);
        basic_project(f, f->plane);
        f->spectral_norm = 0;
        for (int32_t t = 0; t < f->count; t++)
            f->spectral_norm += f->sums[t].of[1] * f->brightness[t];
    }
    f->spectral_norm = sqrt(f->spectral_norm);
}

/* ---- one step of the augmented Lagrange multipliers */

static void split_frames(basic_state *f, double mu)
{
    basic_send_numbers(f, f->brightness);
    LAUNCH(f->p, "shading_split", basic_frame_grid(f), ARG(f->frames), ARG(f->rest), ARG(f->multipliers),
           ARG(f->weights), ARG(f->flat), ARG(f->dark), POINTER(f->numbers), POINTER(f->results), REAL(mu),
           REAL(f->weight), REAL(f->mean));
    basic_read_sums(f);
}

static void update_flat(basic_state *f, double mu)
{
    basic_send_numbers(f, f->brightness);
    LAUNCH(f->p, "shading_unexplained", basic_plane_grid(), ARG(f->frames), ARG(f->rest), ARG(f->multipliers),
           ARG(f->flat), ARG(f->dark), ARG(f->plane), POINTER(f->numbers), REAL(1 / mu));
    basic_transform(f, f->plane, f->plane, false);
    basic_shrink(f, f->plane, f->waves, f->flat_limit / mu, true);
    basic_transform(f, f->waves, f->flat, true);
    float first = 0;
    plan_read(f->p, f->waves, &first, sizeof first);
    f->mean = (double)first / BASIC_EXTENT;
}

/* Sums over the frames that are darker than the mean. */
typedef struct dark_frames {
    double count, brightness, squares, contrast, products, mean;
} dark_frames;

static dark_frames sum_dark_frames(const basic_state *f, double mean)
{
    dark_frames d = {0};
    for (int32_t t = 0; t < f->count; t++) {
        const double *s = f->sums[t].of, b = f->brightness[t];
        if (!(b < 1))
            continue;
        const double contrast = (s[1] / fmax(s[3], 1) - s[2] / fmax(s[4], 1)) / mean;
        d.count++;
        d.brightness += b;
        d.squares += b * b;
        d.contrast += contrast;
        d.products += b * contrast;
        d.mean += s[0] / BASIC_PIXELS;
    }
    return d;
}

/*
 * Fits the dark field: contrast that does not grow with the brightness of the frames. Returns the part of the flat
 * field that belongs to the dark field.
 */
static double update_dark(basic_state *f, double mean, double mu, double *factors)
{
    const dark_frames d = sum_dark_frames(f, mean);
    const double bottom = d.brightness * d.contrast - d.count * d.products,
                 max = fmin(f->options->most_offset, f->min) / f->mean,
                 share = bottom == 0 ? 0 : (d.squares * d.contrast - d.brightness * d.products) / bottom,
                 offset = fmin(fmax(share, 0), max), limit = DARK_PART * f->options->smooth_dark * f->flat_limit;
    if (d.count == 0) {
        plan_clear(f->p, f->dark);
        return 0;
    }
    for (int32_t t = 0; t < f->count; t++)
        factors[t] = f->brightness[t] < 1 ? 1 / d.count : 0;
    const double slope = d.brightness / d.count, middle = d.mean / d.count - slope * f->mean;
    basic_combine(f, factors, f->plane);
    LAUNCH(f->p, "shading_add_flat", basic_plane_grid(), ARG(f->plane), ARG(f->flat), ARG(f->plane),
           REAL(offset - slope), REAL(-middle - offset * f->mean));
    basic_transform(f, f->plane, f->plane, false);
    basic_shrink(f, f->plane, f->plane, limit / (DARK_STEP * mu), false);
    basic_transform(f, f->plane, f->plane, true);
    basic_shrink(f, f->plane, f->plane, limit / (DARK_STEP * mu), false);
    LAUNCH(f->p, "shading_add_flat", basic_plane_grid(), ARG(f->plane), ARG(f->flat), ARG(f->dark), REAL(-offset),
           REAL(offset * f->mean));
    return offset;
}

/* Runs the steps from the start until model and rest explain the frames. Returns the same as update_dark. */
static double fit_once(basic_state *f, double *factors)
{
    double mu = MU / f->spectral_norm, offset = 0;
    const double max = mu * MAX_MU;
    const drua_view zeros[] = {f->rest, f->multipliers, f->waves, f->flat, f->dark};
    for (size_t i = 0; i < sizeof zeros / sizeof *zeros; i++)
        plan_clear(f->p, zeros[i]);
    for (int32_t t = 0; t < f->count; t++)
        f->brightness[t] = 1;
    for (int step = 0; step < STEPS && !plan_failed(f->p); step++, mu = fmin(mu * MU_GROWTH, max)) {
        update_flat(f, mu);
        split_frames(f, mu);
        const double mean = basic_sum(f, 0) / ((double)f->count * BASIC_PIXELS);
        for (int32_t t = 0; t < f->count; t++)
            f->brightness[t] = mean > 0 ? fmax(f->sums[t].of[0] / BASIC_PIXELS / mean, 0) : 0;
        if (f->options->dark && f->mean > 0)
            offset = update_dark(f, mean, mu, factors);
        if (sqrt(basic_sum(f, 5)) < ENOUGH * f->norm)
            break;
    }
    return offset;
}

/* Sets the weights of the rest from the model's mean of each frame. */
static void set_weights(basic_state *f, const double *means, bool inverse)
{
    basic_send_numbers(f, means);
    LAUNCH(f->p, "shading_weigh", basic_frame_grid(f), ARG(f->frames), ARG(f->rest), ARG(f->weights),
           POINTER(f->numbers), POINTER(f->results), INT(inverse));
    basic_read_sums(f);
    f->weight = (double)f->count * BASIC_PIXELS / basic_sum(f, 0);
}

/*
 * Returns the mean difference between a field and that of the previous round, relative to the mean of the previous
 * field. Stores the new field in `before`.
 */
static double change_of(const basic_state *f, float *before, double min)
{
    double change = 0, size = 0;
    for (int i = 0; i < BASIC_PIXELS; i++) {
        change += fabs((double)f->pixels[i] - (double)before[i]);
        size += fabs((double)before[i]);
        before[i] = f->pixels[i];
    }
    return change / fmax(size, min);
}

/* ---- brightness of each frame, for frames in their own order */

static void fit_brightness(basic_state *f, drua_view frames)
{
    const double dark = basic_mean(f, f->dark), max = MU / f->spectral_norm * MAX_MU;
    double *means = plan_host_memory(f->p, (size_t)f->count * sizeof *means);
    f->frames = frames;
    basic_start_weights(f);
    for (int round = 0; round < BASELINE_REWEIGHTS && !plan_failed(f->p); round++) {
        double mu = MU / f->spectral_norm;
        plan_clear(f->p, f->rest);
        plan_clear(f->p, f->multipliers);
        basic_project(f, f->flat);
        for (int32_t t = 0; t < f->count; t++)
            f->brightness[t] = f->sums[t].of[0] / BASIC_PIXELS;
        for (int step = 0; step < STEPS && !plan_failed(f->p); step++, mu = fmin(mu * MU_GROWTH, max)) {
            split_frames(f, mu);
            for (int32_t t = 0; t < f->count; t++)
                f->brightness[t] = fmax(f->sums[t].of[0] / BASIC_PIXELS - dark, 0);
            if (sqrt(basic_sum(f, 5)) < ENOUGH * f->norm)
                break;
        }
        for (int32_t t = 0; t < f->count && !plan_failed(f->p); t++)
            means[t] = f->brightness[t] + dark;
        set_weights(f, means, true);
    }
}

/* ---- the whole fit */

static void write_normalised(basic_state *f)
{
    basic_read_plane(f, f->flat);
    for (int i = 0; i < BASIC_PIXELS && !plan_failed(f->p); i++)
        f->pixels[i] = (float)((double)f->pixels[i] / f->mean);
    if (!plan_failed(f->p))
        plan_write(f->p, f->flat, f->pixels);
}

void basic_fit(drua_plan *p, drua_view frames, const basic_options *options, drua_view flat, drua_view dark,
               double *brightness)
{
    drua_view sorted = basic_plane(p, frames.layout.depth);
    plan_copy(p, frames, sorted, 0, 0, 0);
    LAUNCH(p, "shading_sort", basic_plane_grid(), ARG(sorted));
    basic_state f = basic_begin(p, sorted, options, flat, dark);
    float *flat_before = plan_host_memory(p, BASIC_PIXELS * sizeof *flat_before),
          *dark_before = plan_host_memory(p, BASIC_PIXELS * sizeof *dark_before);
    double *factors = plan_host_memory(p, (size_t)f.count * sizeof *factors), offset = 0;
    if (plan_failed(p))
        return;
    basic_read_plane(&f, sorted); /* the smallest value at each pixel */
    f.min = INFINITY;
    for (int i = 0; i < BASIC_PIXELS; i++)
        f.min = fmin(f.min, (double)f.pixels[i]);
    measure_frames(&f);
    basic_start_weights(&f);
    for (int round = 0; round < REWEIGHTS && !plan_failed(p); round++) {
        offset = fit_once(&f, factors);
        if (!plan_failed(p) && !(f.mean > 0))
            plan_fail(p, "source shows no light that its frames share; use more frames, or a smaller smooth_flat");
        const double dark_mean = basic_mean(&f, f.dark);
        for (int32_t t = 0; t < f.count; t++)
            factors[t] = f.brightness[t] * f.mean + dark_mean;
        set_weights(&f, factors, false);
        basic_read_plane(&f, f.dark);
        const double dark_change = change_of(&f, dark_before, 1e-6);
        write_normalised(&f);
        const double flat_change = change_of(&f, flat_before, 1e-6);
        if (round > 0 && flat_change <= SAME && (!options->dark || dark_change <= SAME))
            break;
    }
    LAUNCH(p, "shading_add_flat", basic_plane_grid(), ARG(f.dark), ARG(f.flat), ARG(f.dark), REAL(offset * f.mean),
           REAL(0));
    fit_brightness(&f, frames);
    for (int32_t t = 0; t < f.count && !plan_failed(p); t++)
        brightness[t] = f.brightness[t];
}
