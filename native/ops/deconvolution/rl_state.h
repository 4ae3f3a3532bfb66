/* SPDX-License-Identifier: BSD-3-Clause */
/* State of a Richardson-Lucy run, and its steps. */
#ifndef DRUA_RL_STATE_H
#define DRUA_RL_STATE_H

#include "blocks.h"

enum { GROUP = 256, GROUPS = 256 };

typedef struct state {
    const rl_options *options;
    rl_block block;
    const double *steps;                /* Biggs-Andrews: known step lengths */
    int64_t step_count;
    int edges;                          /* two bits for each axis */
    fourier_box box;
    drua_view image, bad, spectrum, back, work, weight;  /* back: spectrum of the back projector */
    bool masked;
    drua_view estimate, previous;       /* previous: starting point of the next step, with acceleration */
    drua_view went[2], products, alpha; /* Biggs-Andrews: the last two steps */
    drua_view divergences;              /* pairs of floats, GROUPS for each divergence */
    bool weighted;
    bool fused; /* convolutions are fused with the steps between them: `work` holds transformed rows */
    double floor;                       /* lower limit of the estimate; above 0 if corrections can be negative */
    int64_t done, recorded;
    double *divergence;                 /* divergences read back to the host */
    drua_view remains; /* sums of products of neighbouring residuals, stored like divergences */
    int64_t looked; /* number of these sums so far */
    int smooth_axes; /* axes along which the residual is tested for noise, one bit each */
    double *remainder; /* residual sums read back to the host */
    double dark; /* smallest light that a pixel is assumed to have when its noise is estimated */
} rl_state;

#define SOURCE(s) ARG((s)->image), ARG((s)->bad), INT((s)->masked), REAL((s)->options->saturated)
#define PLACE(s) INT((s)->box.at[0]), INT((s)->box.at[1]), INT((s)->box.at[2])
#define BOX_GRID(s) plan_grid((s)->work.layout)
#define PAIRS_GRID(s) GRID(((s)->work.layout.width + 1) / 2, (s)->work.layout.height, (s)->work.layout.depth, 32, 4, 1)

/** Returns the edges of a box, two bits for each axis: `along_cut` for the axis `cut`, `edges` for the others. */
int rl_packed_edges(int edges, int along_cut, int cut);

/**
 * Whether a separate box holds the fraction of each voxel's light that the image observes. The fraction is the view
 * projected with the psf, even if the method uses another back projector.
 */
bool rl_is_weighted(const rl_options *options, bool partly);

/** Checks the inputs and creates all that the iterations need. */
void rl_prepare(drua_plan *plan, rl_state *state);

/** Runs the iterations until all are done, the estimate has converged, or the call is stopped. */
void rl_iterate(drua_plan *plan, rl_state *state);

/** Reads the recorded divergences from number `first` on; waits. */
void rl_read_back(drua_plan *plan, rl_state *state, int64_t first);

/** Reads sums stored as groups of pairs; adds those from number `first` to before `end` to `sums`; waits. */
void rl_read_sums(drua_plan *plan, drua_view pairs, int64_t first, int64_t end, double *sums);

/**
 * Records the sum of products of neighbouring residuals; the prediction must be in the work box. Returns whether only
 * noise remains. Always returns false for a block, which cannot tell for the whole image. May wait.
 */
bool rl_is_noise_left(drua_plan *plan, rl_state *state);

/** Returns the block's own pixels of an image. */
drua_view rl_own(const rl_state *state, drua_view image);

#endif
