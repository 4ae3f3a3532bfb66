/* SPDX-License-Identifier: BSD-3-Clause */
#include "richardson_lucy.h"

#include "../measure/tally.h"

#include <stdlib.h>

enum { GROUP = 256, GROUPS = 256 };

/* A voxel of which less than this share of its light was observed keeps the mean. */
static const double LEAST_SHARE = 0.01;

typedef struct state {
    const rl_options *options;
    fourier_box box;
    drua_view image, spectrum, work, weight;
    drua_view estimate, previous;       /* previous: where the next step starts, with acceleration */
    drua_view went[2], products, alpha; /* Biggs-Andrews: how far the last two steps went */
    drua_view divergences;              /* pairs of floats, GROUPS a divergence */
    bool weighted;
    int64_t recorded;
    double *divergence, *at;            /* what was read back, and after how many iterations */
} state;

fourier_box rl_box(drua_plan *p, const rl_options *options)
{
    return fourier_box_around(plan_shape(p, "source"), plan_shape(p, "psf"), options->edges);
}

int rl_boxes(const rl_options *o)
{
    static const int more[] = {[RL_PLAIN] = 0, [RL_HEAVY_BALL] = 1, [RL_BIGGS_ANDREWS] = 3};
    return 3 + (o->edges == EDGES_ZERO) + more[o->acceleration];
}

/* ---- what goes in */

static tally sum_up(drua_plan *p, drua_view image)
{
    return tally_read(p, tally_send(p, "tally_pixels", image, image, (drua_view){0}));
}

static double check_psf(drua_plan *p, drua_view psf)
{
    const tally t = sum_up(p, psf);
    if (plan_failed(p))
        return 1;
    if (!isfinite(t.sum[0]))
        plan_fail(p, "psf has pixels that are not numbers or infinite; replace them first");
    else if (t.low < 0)
        plan_fail(p, "psf has negative pixels, the smallest is %g; subtract its background so that none is left", t.low);
    else if (!(t.sum[0] > 0))
        plan_fail(p, "psf is empty: its sum is %g; give an image of the microscope's point spread function", t.sum[0]);
    return t.sum[0];
}

/* The mean above the background. */
static double check_image(drua_plan *p, drua_view image, double background)
{
    const tally t = sum_up(p, image);
    const double mean = t.sum[0] / (double)drua_layout_count(&image.layout);
    if (plan_failed(p))
        return 1;
    if (!isfinite(t.sum[0]))
        plan_fail(p, "source has pixels that are not numbers or infinite; replace them first");
    else if (t.low < 0)
        plan_fail(p, "source has negative pixels, the smallest is %g; counts of light are 0 or more: do not subtract the background, name it (background=...)", t.low);
    else if (!(mean > background))
        plan_fail(p, "source has a mean of %g, which is not above the background of %g", mean, background);
    return mean - background;
}

#define PLACE(s) INT((s)->box.x), INT((s)->box.y), INT((s)->box.z)
#define BOX_GRID(s) plan_grid((s)->work.layout)

static void weigh_edges(drua_plan *p, state *s)
{
    s->weighted = s->options->edges == EDGES_ZERO;
    s->weight = s->work;
    if (!s->weighted)
        return;
    s->weight = plan_fft_scratch(p, s->box.shape);
    LAUNCH(p, "rl_view", BOX_GRID(s), ARG(s->work), ARG(s->image), PLACE(s), INT(EDGES_ZERO));
    plan_fft_convolve(p, s->work, s->spectrum, s->work, true);
    LAUNCH(p, "rl_weight", BOX_GRID(s), ARG(s->work), ARG(s->weight), REAL(LEAST_SHARE));
}

static void start(drua_plan *p, state *s, drua_view box, double mean)
{
    LAUNCH(p, "rl_start", BOX_GRID(s), ARG(box), ARG(s->image), PLACE(s), INT(s->options->edges), REAL(s->options->background),
           REAL(s->weighted ? mean : -1));
}

static void prepare(drua_plan *p, state *s)
{
    const rl_options *o = s->options;
    drua_view psf = plan_image(p, "psf");
    fourier_check_memory(p, s->box, rl_boxes(o));
    const double sum = plan_failed(p) ? 1 : check_psf(p, psf);
    const double mean = plan_failed(p) ? 1 : check_image(p, s->image, o->background);
    plan_fft_prepare(p, s->box.shape, true);
    s->spectrum = fourier_kernel(p, s->box, psf, 1 / sum);
    s->work = plan_fft_scratch(p, s->box.shape);
    weigh_edges(p, s);
    s->estimate = plan_fft_scratch(p, s->box.shape);
    start(p, s, s->estimate, mean);
    if (o->acceleration != RL_PLAIN) {
        s->previous = plan_fft_scratch(p, s->box.shape);
        start(p, s, s->previous, mean);
    }
    if (o->acceleration == RL_BIGGS_ANDREWS) {
        s->went[0] = plan_fft_scratch(p, s->box.shape);
        s->went[1] = plan_fft_scratch(p, s->box.shape);
        s->products = plan_memory(p, 2 * GROUPS * 2 * sizeof(float));
        s->alpha = plan_memory(p, sizeof(float));
    }
    if (o->every) {
        const uint64_t most = (uint64_t)(o->iterations / o->every + 1);
        s->divergences = plan_memory(p, most * GROUPS * 2 * sizeof(float));
        s->divergence = plan_host(p, most * sizeof *s->divergence);
        s->at = plan_host(p, most * sizeof *s->at);
    }
}

/* ---- one iteration */

static void swap(drua_view *a, drua_view *b)
{
    drua_view other = *a;
    *a = *b;
    *b = other;
}

/* How far to go on in the direction of the last step. */
static void predict(drua_plan *p, state *s, int64_t iteration)
{
    const bool computed = s->options->acceleration == RL_BIGGS_ANDREWS && iteration > 1;
    double alpha = 0;
    if (s->options->acceleration == RL_HEAVY_BALL)
        alpha = iteration > 1 ? (double)(iteration - 1) / (double)(iteration + 2) : 0;
    if (computed) {
        const int64_t count = drua_layout_count(&s->work.layout);
        LAUNCH(p, "rl_products", GRID(GROUPS * GROUP, 1, 1, GROUP, 1, 1), ARG(s->went[0]), ARG(s->went[1]), LONG(count), POINTER(s->products));
        LAUNCH(p, "rl_alpha", GRID(GROUP, 1, 1, GROUP, 1, 1), POINTER(s->products), INT(GROUPS), POINTER(s->alpha));
    }
    LAUNCH(p, "rl_predict", BOX_GRID(s), ARG(s->estimate), ARG(s->previous), REAL(alpha), POINTER(computed ? s->alpha : s->previous), INT(computed));
    swap(&s->estimate, &s->previous);
}

static void update(drua_plan *p, state *s)
{
    if (s->options->acceleration == RL_BIGGS_ANDREWS) {
        swap(&s->went[0], &s->went[1]);
        LAUNCH(p, "rl_update_step", BOX_GRID(s), ARG(s->estimate), ARG(s->work), ARG(s->weight), INT(s->weighted), ARG(s->went[0]));
    } else {
        LAUNCH(p, "rl_update", BOX_GRID(s), ARG(s->estimate), ARG(s->work), ARG(s->weight), INT(s->weighted));
    }
}

/*
 * On even ground the step of the total variation is that of a diffusion, weight * estimate / gradient wide: the gradient must
 * count as 2 weight * estimate * (1/hx^2 + 1/hy^2 + 1/hz^2) at least, or rounding grows into steps. A quarter more for
 * acceleration.
 */
static double least_gradient(const rl_options *o)
{
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += 1 / (o->spacing[i] * o->spacing[i]);
    return 2.5 * sum * o->total_variation;
}

static void smooth(drua_plan *p, state *s)
{
    const rl_options *o = s->options;
    if (o->total_variation > 0)
        LAUNCH(p, "rl_smooth", BOX_GRID(s), ARG(s->work), ARG(s->estimate), REAL(o->total_variation), REAL(o->spacing[0]), REAL(o->spacing[1]),
               REAL(o->spacing[2]), REAL(least_gradient(o)));
}

/* The divergence of what the estimate predicts, which lies in the work box. */
static void record(drua_plan *p, state *s, int64_t iteration)
{
    LAUNCH(p, "rl_divergence", GRID(GROUPS * GROUP, 1, 1, GROUP, 1, 1), ARG(s->work), ARG(s->image), PLACE(s), REAL(s->options->background),
           LONG(drua_layout_count(&s->image.layout)), POINTER(s->divergences), INT(s->recorded * GROUPS));
    if (s->at)
        s->at[s->recorded] = (double)iteration;
    s->recorded++;
}

/* Reads the divergences that were recorded from number `first` on; waits. */
static void read_back(drua_plan *p, state *s, int64_t first)
{
    const size_t count = (size_t)(s->recorded - first) * GROUPS;
    float(*pairs)[2] = plan_host(p, count * sizeof *pairs);
    drua_view part = s->divergences;
    part.layout.offset += first * GROUPS * 2;
    plan_read(p, part, pairs, count * sizeof *pairs);
    for (size_t i = 0; !plan_failed(p) && i < count; i++)
        s->divergence[first + (int64_t)(i / GROUPS)] += (double)pairs[i][0] + pairs[i][1];
}

/* Whether the divergence hardly changes any more; waits. */
static bool is_settled(drua_plan *p, state *s)
{
    if (s->options->stop <= 0 || plan_failed(p))
        return false;
    read_back(p, s, s->recorded - 1);
    if (plan_failed(p) || s->recorded < 2)
        return false;
    const double before = s->divergence[s->recorded - 2], now = s->divergence[s->recorded - 1];
    return fabs(before - now) <= s->options->stop * before;
}

static void iterate(drua_plan *p, state *s)
{
    for (int64_t i = 0; i < s->options->iterations && !plan_failed(p); i++) {
        if (s->options->acceleration != RL_PLAIN)
            predict(p, s, i);
        plan_fft_convolve(p, s->estimate, s->spectrum, s->work, false);
        if (s->options->every && i % s->options->every == 0) {
            record(p, s, i);
            if (is_settled(p, s)) {
                if (s->options->acceleration != RL_PLAIN)
                    swap(&s->estimate, &s->previous);
                return;
            }
        }
        LAUNCH(p, "rl_ratio", BOX_GRID(s), ARG(s->work), ARG(s->image), PLACE(s), INT(s->options->edges), REAL(s->options->background));
        plan_fft_convolve(p, s->work, s->spectrum, s->work, true);
        smooth(p, s);
        update(p, s);
    }
}

/* ---- what comes out */

static void tabulate(drua_plan *p, state *s)
{
    static const char *const headings[] = {"Iteration", "Divergence"};
    if (!s->options->every || plan_failed(p))
        return;
    if (s->options->stop <= 0)
        read_back(p, s, 0);
    double(*cells)[2] = plan_host(p, (size_t)s->recorded * sizeof *cells);
    for (int64_t i = 0; cells && i < s->recorded; i++) {
        cells[i][0] = s->at[i];
        cells[i][1] = s->divergence[i];
    }
    if (cells)
        plan_set_table(p, headings, 2, cells[0], (size_t)s->recorded);
}

void rl_run(drua_plan *p, const rl_options *options)
{
    state s = {.options = options, .box = rl_box(p, options), .image = plan_image(p, "source")};
    prepare(p, &s);
    iterate(p, &s);
    tabulate(p, &s);
    plan_copy(p, fourier_crop(s.estimate, s.box, plan_shape(p, "source")), plan_image(p, "destination"), 0, 0, 0);
}
