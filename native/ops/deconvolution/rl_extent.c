/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory, boxes and sums that Richardson-Lucy deconvolution needs for given options. */
#include "rl_state.h"

drua_shape rl_psf_shape(drua_plan *p, const rl_options *o)
{
    drua_shape shape = plan_shape(p, "psf");
    if (o->slices)
        shape.depth = 1;
    return shape;
}

fourier_box rl_box_of_block(drua_shape block, drua_shape psf, const rl_options *o, int cut)
{
    /* the back projector reaches further than the psf */
    if (o->method == RL_WIENER_BUTTERWORTH || o->precondition > 0)
        psf = (drua_shape){2 * psf.width - 1, 2 * psf.height - 1, 2 * psf.depth - 1, 3};
    fourier_box box = fourier_box_around(block, psf, o->edges), open = fourier_box_around(block, psf, EDGES_ZERO);
    if (cut) {
        box.shape.extent[cut] = open.shape.extent[cut];
        box.at[cut] = open.at[cut];
    }
    return box;
}

fourier_box rl_box(drua_plan *p, const rl_options *options)
{
    return rl_box_of_block(plan_shape(p, "source"), rl_psf_shape(p, options), options, 0);
}

int rl_packed_edges(int edges, int along_cut, int cut)
{
    int packed = 0;
    for (int axis = 0; axis < 3; axis++)
        packed |= (cut && axis == cut ? along_cut : edges) << 2 * axis;
    return packed;
}

bool rl_is_weighted(const rl_options *o, bool partly)
{
    return o->method != RL_LANDWEBER && (o->edges == EDGES_ZERO || isfinite(o->saturated) || partly);
}

int rl_boxes(const rl_options *o, bool partly)
{
    static const int more[] = {[RL_PLAIN] = 0, [RL_HEAVY_BALL] = 1, [RL_BIGGS_ANDREWS] = 3};
    return 3 + rl_is_weighted(o, partly) + (o->method == RL_WIENER_BUTTERWORTH || o->precondition > 0) +
           more[o->acceleration];
}

int64_t rl_records(const rl_options *o)
{
    return o->every ? (o->iterations - 1) / o->every + 1 : 0;
}

int64_t rl_products(const rl_options *o)
{
    return o->acceleration == RL_BIGGS_ANDREWS && o->iterations > 2 ? 2 * (o->iterations - 2) : 0;
}

enum { FIRST_CHECK = 10, CHECK_INTERVAL = 5 };

static bool checks_noise(const rl_options *o)
{
    return o->at_noise == RL_NOISE_STOP ||
           (o->at_noise == RL_NOISE_AUTOMATIC && o->acceleration != RL_PLAIN && o->stop <= 0);
}

bool rl_is_noise_check(const rl_options *o, int64_t iteration)
{
    return checks_noise(o) && iteration >= FIRST_CHECK && (iteration - FIRST_CHECK) % CHECK_INTERVAL == 0;
}

int64_t rl_noise_checks(const rl_options *o)
{
    return checks_noise(o) && o->iterations > FIRST_CHECK ? (o->iterations - 1 - FIRST_CHECK) / CHECK_INTERVAL + 1 : 0;
}

int64_t rl_noise_check(int64_t number)
{
    return FIRST_CHECK + number * CHECK_INTERVAL;
}

int64_t rl_sums(const rl_options *o)
{
    return rl_records(o) + rl_products(o) + rl_noise_checks(o);
}

bool rl_has_converged(const rl_options *o, double before, double now)
{
    return fabs(before - now) <= o->stop * before;
}
