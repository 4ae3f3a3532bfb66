/* SPDX-License-Identifier: BSD-3-Clause */
/* Iterations of Richardson-Lucy deconvolution. */
#include "rl_state.h"
#include "plan_fft.h"

#include "../window/window.h"

#include <stdio.h>

static void swap_views(drua_view *a, drua_view *b)
{
    drua_view other = *a;
    *a = *b;
    *b = other;
}

/* Step length of the heavy-ball acceleration in the direction of the last step. */
static double momentum_of(const rl_state *s, int64_t iteration)
{
    return s->options->acceleration == RL_HEAVY_BALL && iteration > 1
               ? (double)(iteration - 1) / (double)(iteration + 2)
               : 0;
}

/* Returns the layers of a box that belong to this block alone; for a whole image, all layers. */
static drua_view steps_of(const rl_state *s, drua_view box)
{
    drua_layout *l = &box.layout;
    const rl_block *b = &s->block;
    const int axis = b->axis;
    const int64_t first = s->box.at[axis] + b->own.first[axis] - b->rim[0],
                  end = s->box.at[axis] + b->own.end[axis] + b->rim[1];
    const int64_t from = first > 0 ? first : 0, to = end < l->extent[axis] ? end : l->extent[axis];
    l->offset += from * l->stride[axis];
    l->extent[axis] = (int32_t)(to - from);
    return box;
}

/*
 * Computes the products of the last two steps, from which the next step length follows. A block keeps the products of
 * all iterations.
 */
static void compare_steps(drua_plan *p, rl_state *s)
{
    const drua_view last = steps_of(s, s->went[0]), before = steps_of(s, s->went[1]);
    const int first = s->block.axis ? (int)s->done * 2 * GROUPS : 0;
    LAUNCH(p, "rl_products", GRID(GROUPS * GROUP, 1, 1, GROUP, 1, 1), ARG(last), ARG(before),
           LONG(drua_layout_count(&last.layout)), POINTER(s->products), INT(first));
    LAUNCH(p, "rl_alpha", GRID(GROUP, 1, 1, GROUP, 1, 1), POINTER(s->products), INT(first), INT(GROUPS),
           POINTER(s->alpha));
}

static void extrapolate_estimate(drua_plan *p, rl_state *s)
{
    const bool compared = s->options->acceleration == RL_BIGGS_ANDREWS && s->done > 1,
               known = compared && s->done - 2 < s->step_count;
    if (compared)
        compare_steps(p, s);
    LAUNCH(p, "rl_predict", PAIRS_GRID(s), ARG(s->estimate), ARG(s->previous),
           REAL(known ? s->steps[s->done - 2] : momentum_of(s, s->done)), POINTER(compared ? s->alpha : s->previous),
           INT(compared && !known));
    swap_views(&s->estimate, &s->previous);
}

/* Predicts the image from the estimate. If steps are fused, `work` receives the prediction's transformed rows. */
static void blur_estimate(drua_plan *p, rl_state *s)
{
    if (s->fused)
        plan_fft_columns(p, s->work, s->spectrum, false);
    else
        plan_fft_convolve(p, s->estimate, s->spectrum, s->work, false);
}

static void project_back(drua_plan *p, rl_state *s)
{
    if (s->fused)
        plan_fft_columns(p, s->work, s->back, true);
    else
        plan_fft_convolve(p, s->work, s->back, s->work, true);
}

static void update_and_go_on(drua_plan *p, const rl_state *s, bool ahead)
{
    const bool moves = s->options->acceleration != RL_PLAIN;
    char constants[40];
    snprintf(constants, sizeof constants, "WEIGHTED=%d MOMENTUM=%d", s->weighted, moves);
    JOIN_ROWS(p, ahead, s->work, "rl_rows_update", constants, ARG(s->estimate), ARG(s->weight),
              ARG(moves ? s->previous : s->work), REAL(s->floor), REAL(momentum_of(s, s->done + 1)));
}

static void update_estimate(drua_plan *p, rl_state *s)
{
    if (s->fused) {
        update_and_go_on(p, s, false);
    } else if (s->options->method == RL_LANDWEBER) {
        LAUNCH(p, "rl_add", BOX_GRID(s), ARG(s->estimate), ARG(s->work), REAL(s->options->step));
    } else if (s->options->acceleration == RL_BIGGS_ANDREWS) {
        swap_views(&s->went[0], &s->went[1]);
        LAUNCH(p, "rl_update_step", BOX_GRID(s), ARG(s->estimate), ARG(s->work), ARG(s->weight), INT(s->weighted),
               REAL(s->floor), ARG(s->went[0]));
    } else {
        LAUNCH(p, "rl_update", PAIRS_GRID(s), ARG(s->estimate), ARG(s->work), ARG(s->weight), INT(s->weighted),
               REAL(s->floor));
    }
}

/*
 * Returns the box in which the estimate is defined. It extends by the psf's reach around the view, or covers the whole
 * work box along an axis where the image continues past its edges.
 */
static drua_box seen_part(drua_plan *p, const rl_state *s)
{
    const drua_shape view = plan_shape(p, "source"), psf = rl_psf_shape(p, s->options);
    drua_box seen = drua_box_of(s->box.shape.extent);
    for (int axis = 0; axis < 3; axis++) {
        const int64_t at = s->box.at[axis];
        if (s->options->edges == EDGES_ZERO || (s->block.cut && axis == s->block.cut)) {
            seen.first[axis] = at - psf.extent[axis] / 2;
            seen.end[axis] = at + view.extent[axis] + psf.extent[axis] / 2;
        }
    }
    return seen;
}

/* Applies the correction for total variation. */
static void apply_total_variation(drua_plan *p, rl_state *s)
{
    const rl_options *o = s->options;
    const rl_block *b = &s->block;
    if (o->total_variation <= 0)
        return;
    const drua_box seen = seen_part(p, s);
    LAUNCH(p, "rl_smooth", BOX_GRID(s), ARG(s->work), ARG(s->estimate), ARG(s->weight), INT(s->weighted),
           REAL(o->total_variation), REAL(o->spacing[0]), REAL(o->spacing[1]), REAL(o->spacing[2]),
           REAL(o->min_gradient), INT(seen.first[0]), INT(seen.first[1]), INT(seen.first[2]), INT(seen.end[0] - 1),
           INT(seen.end[1] - 1), INT(seen.end[2] - 1), INT(b->cut), INT(b->seam + s->box.at[b->cut]), INT(b->period));
}

drua_view rl_own(const rl_state *s, drua_view image)
{
    drua_layout *l = &image.layout;
    for (int axis = 0; axis < 3; axis++) {
        l->offset += s->block.own.first[axis] * l->stride[axis];
        l->extent[axis] = (int32_t)(s->block.own.end[axis] - s->block.own.first[axis]);
    }
    return image;
}

/* Records the divergence between the block's own pixels and the prediction in the work box. */
static void record_divergence(drua_plan *p, rl_state *s)
{
    const int64_t *at = s->box.at, *own = s->block.own.first;
    const drua_view image = rl_own(s, s->image), bad = rl_own(s, s->bad);
    LAUNCH(p, "rl_divergence", GRID(GROUPS * GROUP, 1, 1, GROUP, 1, 1), ARG(s->work), ARG(image), ARG(bad),
           INT(s->masked), REAL(s->options->saturated), INT(at[0] + own[0]), INT(at[1] + own[1]), INT(at[2] + own[2]),
           REAL(s->options->background), LONG(drua_layout_count(&image.layout)), POINTER(s->divergences),
           INT(s->recorded * GROUPS));
    s->recorded++;
}

void rl_read_sums(drua_plan *p, drua_view sums, int64_t first, int64_t end, double *to)
{
    const size_t count = (size_t)(end - first) * GROUPS;
    float(*pairs)[2] = plan_host_memory(p, count * sizeof *pairs);
    sums.layout.offset += first * GROUPS * 2;
    plan_read(p, sums, pairs, count * sizeof *pairs);
    for (size_t i = 0; !plan_failed(p) && i < count; i++)
        to[first + (int64_t)(i / GROUPS)] += (double)pairs[i][0] + pairs[i][1];
}

void rl_read_back(drua_plan *p, rl_state *s, int64_t first)
{
    rl_read_sums(p, s->divergences, first, s->recorded, s->divergence);
}

/* Whether the divergence has converged; waits if a stopping rule is set. */
static bool has_converged(drua_plan *p, rl_state *s)
{
    if (s->options->stop <= 0 || plan_failed(p))
        return false;
    rl_read_back(p, s, s->recorded - 1);
    return !plan_failed(p) && s->recorded > 1 &&
           rl_has_converged(s->options, s->divergence[s->recorded - 2], s->divergence[s->recorded - 1]);
}

/* Whether pairs of pixels in the box are aligned pairs of pixels in the image. */
static bool is_in_pairs(const rl_state *s)
{
    const drua_layout *l = &s->image.layout;
    return l->column == 1 && (s->box.at[0] | l->width | l->offset | l->row | l->plane) % 2 == 0;
}

static void compare_and_go_on(drua_plan *p, const rl_state *s, bool ahead)
{
    char constants[40];
    snprintf(constants, sizeof constants, "FROM=%s PAIRS=%d", window_element(s->image), is_in_pairs(s));
    JOIN_ROWS(p, ahead, s->work, "rl_rows_ratio", constants, ARG(s->image), REAL(s->options->saturated), PLACE(s),
              REAL(s->options->background));
}

/* Writes the ratio (or, for Landweber, the difference) of image and prediction to the work box. */
static void compare_with_image(drua_plan *p, rl_state *s)
{
    const bool differs = s->options->method == RL_LANDWEBER;
    if (s->fused) {
        compare_and_go_on(p, s, false);
        return;
    }
    LAUNCH(p, differs ? "rl_difference" : "rl_ratio", differs ? BOX_GRID(s) : PAIRS_GRID(s), ARG(s->work), SOURCE(s),
           PLACE(s), INT(s->edges), REAL(s->options->background));
}

static bool is_stopped(drua_plan *p, const rl_state *s)
{
    return s->options->keep_partial && s->done > 0 && plan_is_stopped(p);
}

/*
 * Tests whether the residual is only noise. Fused passes keep no prediction, so the test computes it again and then
 * restores the work box for the next iteration.
 */
static bool is_at_noise(drua_plan *p, rl_state *s)
{
    if (!rl_is_noise_check(s->options, s->done))
        return false;
    if (s->fused)
        plan_fft_convolve(p, s->estimate, s->spectrum, s->work, false);
    const bool has_ended = rl_is_noise_left(p, s);
    if (s->fused && !has_ended)
        plan_fft_rows(p, s->estimate, s->work);
    return has_ended;
}

void rl_iterate(drua_plan *p, rl_state *s)
{
    const rl_options *o = s->options;
    bool has_ended = false;
    if (o->keep_partial)
        plan_keep_partial(p);
    if (s->fused) { /* compile both kernels while the first convolution runs */
        compare_and_go_on(p, s, true);
        update_and_go_on(p, s, true);
    }
    for (; s->done < o->iterations && !is_stopped(p, s) && !plan_failed(p); s->done++) {
        plan_progress(p, (double)s->done / (double)o->iterations);
        if (o->acceleration != RL_PLAIN && !s->fused)
            extrapolate_estimate(p, s);
        if (s->fused && (has_ended = is_at_noise(p, s)))
            break;
        blur_estimate(p, s);
        if (o->every && s->done % o->every == 0) {
            record_divergence(p, s);
            has_ended = has_converged(p, s);
        }
        if (has_ended || (!s->fused && (has_ended = is_at_noise(p, s))))
            break;
        compare_with_image(p, s);
        project_back(p, s);
        apply_total_variation(p, s);
        update_estimate(p, s);
    }
    if ((s->fused || has_ended) && o->acceleration != RL_PLAIN)
        swap_views(&s->estimate, &s->previous); /* `estimate` holds the starting point of the next step */
}
