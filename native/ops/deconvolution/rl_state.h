/* SPDX-License-Identifier: BSD-3-Clause */
/* What a run of Richardson-Lucy deconvolution keeps, and its steps. */
#ifndef DRUA_RL_STATE_H
#define DRUA_RL_STATE_H

#include "blocks.h"

enum { GROUP = 256, GROUPS = 256 };

typedef struct state {
    const rl_options *options;
    rl_block block;
    const double *steps;                /* Biggs-Andrews: those that are known */
    int64_t step_count;
    int edges;                          /* two bits an axis */
    fourier_box box;
    drua_view image, bad, spectrum, back, work, weight;  /* back: the factor of the way back */
    bool masked;
    drua_view estimate, previous;       /* previous: where the next step starts, with acceleration */
    drua_view went[2], products, alpha; /* Biggs-Andrews: how far the last two steps went */
    drua_view divergences;              /* pairs of floats, GROUPS a divergence */
    bool weighted;
    bool joined; /* the ends of convolutions are joined with what comes between them: `work` has transformed rows */
    double floor;                       /* of the estimate; above 0 where a correction can be negative */
    int64_t done, recorded;
    double *divergence;                 /* what was read back */
    drua_view remains; /* sums over what is left of the image, as divergences */
    int64_t looked;
    int smooth_axes; /* that it is looked along */
    double *remainder; /* what was read back of them */
    double dark; /* light that all pixels have at least when their noise is guessed */
} rl_state;

#define SOURCE(s) ARG((s)->image), ARG((s)->bad), INT((s)->masked), REAL((s)->options->saturated)
#define PLACE(s) INT((s)->box.at[0]), INT((s)->box.at[1]), INT((s)->box.at[2])
#define BOX_GRID(s) plan_grid((s)->work.layout)
#define PAIRS_GRID(s) GRID(((s)->work.layout.width + 1) / 2, (s)->work.layout.height, (s)->work.layout.depth, 32, 4, 1)

/** Edges of a box, two bits an axis: all axes alike, but for the one that a block is cut along. */
int rl_packed_edges(int edges, int along_cut, int cut);

/** Where not all light is seen, its share is kept in a box of its own: what the psf, not another back projector, makes
 * of the view. */
bool rl_is_weighted(const rl_options *options, bool partly);

/** Checks what goes in and makes all that iterations need. */
void rl_prepare(drua_plan *plan, rl_state *state);

/** All iterations, or as many as are wanted before it is converged_after or stopped. */
void rl_iterate(drua_plan *plan, rl_state *state);

/** Reads the divergences that were recorded from number `first` on; waits. */
void rl_read_back(drua_plan *plan, rl_state *state, int64_t first);

/** The same of any sums in groups of pairs: those from number `first` to `end` are added to `sums`. */
void rl_read_sums(drua_plan *plan, drua_view pairs, int64_t first, int64_t end, double *sums);

/** Records what is left of the image, whose prediction lies in the work box. Whether it is all noise, which no block
 * tells by itself; may wait. */
bool rl_is_noise_left(drua_plan *plan, rl_state *state);

/** Of an image the pixels that are the block's own. */
drua_view rl_own(const rl_state *state, drua_view image);

#endif
