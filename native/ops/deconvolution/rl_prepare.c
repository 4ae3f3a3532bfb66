/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks the inputs of Richardson-Lucy deconvolution and prepares the iteration. */
#include "rl_state.h"
#include "plan_fft.h"

#include "../measure/reduction.h"

/* If the image observed less than this fraction of a voxel's light, the voxel keeps the mean. */
static const double MIN_SHARE[] = {[RL_RICHARDSON_LUCY] = 0.01, [RL_WIENER_BUTTERWORTH] = 0.1, [RL_LANDWEBER] = 0};

/* Lower limit of a voxel as a fraction of the mean, for back projectors that can make it negative. */
static const double MIN_VALUE = 1e-3;

static reduction sum_up(drua_plan *p, drua_view image)
{
    return reduction_read(p, reduction_send(p, "reduce_pixels", image, (drua_view){0}));
}

double rl_check_psf(drua_plan *p, drua_view psf)
{
    const reduction t = sum_up(p, psf);
    if (plan_failed(p))
        return 1;
    if (!isfinite(t.sum[0]))
        plan_fail(p, "psf has pixels that are NaN or infinite; replace them first");
    else if (t.low < 0)
        plan_fail(
            p, "psf has negative pixels, the smallest is %g; correct its background so that all pixels are at least 0",
            t.low);
    else if (!(t.sum[0] > 0))
        plan_fail(p, "psf is empty: its sum is %g; use an image of the microscope's point spread function", t.sum[0]);
    return t.sum[0];
}

/* Sums and extremes of the known pixels. */
static reduction sum_up_known(drua_plan *p, const rl_state *s)
{
    if (!s->masked && !isfinite(s->options->saturated))
        return sum_up(p, s->image);
    const drua_layout *l = &s->image.layout;
    const drua_view known = plan_scratch(p, (drua_shape){l->width, l->height, l->depth, 3}, DRUA_UINT8);
    LAUNCH(p, "rl_known", plan_grid(known.layout), ARG(known), SOURCE(s));
    reduction t = reduction_read(p, reduction_send_two(p, "reduce_masked", s->image, known, (drua_view){0}));
    t.low = reduction_read(p, reduction_send_exactly(p, "reduce_masked_extremes", s->image, known)).low;
    plan_free_scratch(p, known);
    return t;
}

/*
 * Checks the image and returns its mean above the background, or the value given in the options. A block may consist of
 * bad pixels only.
 */
static double check_image(drua_plan *p, const rl_state *s)
{
    const double background = s->options->background,
                 given = s->options->start > 0 ? s->options->start : s->options->mean;
    const reduction t = sum_up_known(p, s);
    const double mean = t.sum[0] / t.sum[1];
    if (plan_failed(p))
        return 1;
    if (!isfinite(t.sum[0]))
        plan_fail(p, "source has pixels that are NaN or infinite; replace them first");
    else if (t.low < 0)
        plan_fail(
            p,
            "source has negative pixels, down to %g, but light cannot be negative; do not subtract the background, "
            "but give its grey value in options (background=...)",
            t.low);
    else if (!(t.sum[1] > 0) && !s->block.axis)
        rl_fail_unknown(p, s->options, sum_up(p, s->image).low, s->masked ? sum_up(p, s->bad).low : 0);
    else if (given == 0 && !(mean > background))
        rl_fail_dark(p, s->options, mean);
    return given > 0 ? given : mean - background;
}

static void weigh_edges(drua_plan *p, rl_state *s)
{
    s->weighted = rl_is_weighted(s->options, s->masked || s->block.cut);
    s->weight = s->work;
    if (!s->weighted)
        return;
    s->weight = plan_fft_scratch(p, s->box.shape);
    LAUNCH(p, "rl_view", BOX_GRID(s), ARG(s->work), SOURCE(s), PLACE(s), INT(s->edges));
    plan_fft_convolve(p, s->work, s->spectrum, s->work, true);
    LAUNCH(p, "rl_weight", BOX_GRID(s), ARG(s->work), ARG(s->weight), REAL(MIN_SHARE[s->options->method]));
}

static void write_first_estimate(drua_plan *p, rl_state *s, drua_view box, double mean)
{
    const rl_options *o = s->options;
    const bool flat =
        rl_is_weighted(o, s->masked) || o->edges == EDGES_ZERO || (o->edges == EDGES_MIRROR && o->start > 0);
    LAUNCH(p, "rl_start", BOX_GRID(s), ARG(box), SOURCE(s), PLACE(s),
           INT(rl_packed_edges(o->edges, EDGES_MIRROR, s->block.cut)), REAL(o->background), REAL(flat ? mean : -1));
}

/* Whether only the standard steps lie between the convolutions of an iteration, so that kernels can be fused. */
static bool can_fuse(drua_plan *p, const rl_state *s)
{
    const rl_options *o = s->options;
    const bool usual =
        o->method != RL_LANDWEBER && o->acceleration != RL_BIGGS_ANDREWS && o->total_variation == 0 && !o->every;
    return usual && o->edges != EDGES_MIRROR && !s->masked && !s->block.cut && plan_fft_joins(p, s->box.shape);
}

void rl_prepare(drua_plan *p, rl_state *s)
{
    const rl_options *o = s->options;
    drua_view psf = plan_image(p, "psf");
    if (o->slices)
        psf = plan_slices(psf, psf.layout.depth / 2, 1);
    fourier_check_memory(p, s->box, rl_boxes(o, s->masked || s->block.cut));
    const double sum = plan_failed(p) ? 1 : rl_check_psf(p, psf);
    const double mean = plan_failed(p) ? 1 : check_image(p, s);
    plan_fft_prepare(p, s->box.shape, true);
    s->spectrum = fourier_kernel(p, s->box, psf, 1 / sum);
    s->back = o->method == RL_WIENER_BUTTERWORTH ? rl_back_projector(p, o, psf, s->spectrum) : s->spectrum;
    if (o->precondition > 0)
        s->back = rl_preconditioner(p, o, s->spectrum);
    s->dark = 0.01 * (mean + o->background);
    s->floor = o->method == RL_WIENER_BUTTERWORTH ? MIN_VALUE * mean : 0;
    s->work = plan_fft_scratch(p, s->box.shape);
    weigh_edges(p, s);
    s->estimate = plan_fft_scratch(p, s->box.shape);
    write_first_estimate(p, s, s->estimate, mean);
    if (o->acceleration != RL_PLAIN) {
        s->previous = plan_fft_scratch(p, s->box.shape);
        write_first_estimate(p, s, s->previous, mean);
    }
    s->fused = can_fuse(p, s);
    if (s->fused)
        plan_fft_rows(p, s->estimate, s->work);
    if (o->acceleration == RL_BIGGS_ANDREWS) {
        s->went[0] = plan_fft_scratch(p, s->box.shape);
        s->went[1] = plan_fft_scratch(p, s->box.shape);
        s->products =
            plan_scratch_bytes(p, (uint64_t)(s->block.axis ? o->iterations : 1) * 2 * GROUPS * 2 * sizeof(float));
        s->alpha = plan_scratch_bytes(p, sizeof(float));
    }
    if (rl_noise_checks(o)) {
        s->smooth_axes = rl_smooth_axes(p, psf);
        if (!s->smooth_axes && o->at_noise == RL_NOISE_STOP)
            plan_fail(p, "at_noise=stop compares neighbouring pixels to tell signal from noise, but psf is too narrow "
                         "for that; use a number of iterations");
        s->remains = plan_scratch_bytes(p, (uint64_t)rl_noise_checks(o) * GROUPS * 2 * sizeof(float));
        s->remainder = plan_host_memory(p, (size_t)rl_noise_checks(o) * sizeof *s->remainder);
    }
    if (o->every) {
        const uint64_t max = (uint64_t)rl_records(o);
        s->divergences = plan_scratch_bytes(p, max * GROUPS * 2 * sizeof(float));
        s->divergence = plan_host_memory(p, max * sizeof *s->divergence);
    }
}
