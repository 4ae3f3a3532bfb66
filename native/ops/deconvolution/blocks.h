/* SPDX-License-Identifier: BSD-3-Clause */
/* Deconvolution of what does not fit the device at once, block by block along an axis: 1 is y, 2 z. */
#ifndef DRUA_DECONVOLUTION_BLOCKS_H
#define DRUA_DECONVOLUTION_BLOCKS_H

#include "richardson_lucy.h"

int64_t *rl_along(drua_shape *shape, int axis);

/** How many layers a block needs of its neighbours on both sides. */
int64_t rl_overlap(drua_plan *plan, const rl_options *options, int axis);

/** The axis along which blocks of the calling operation's images are least work, and how many they are; 0: none fits. */
int rl_best_axis(drua_plan *plan, const rl_options *options, int64_t *count);

/** The axis, where the image goes on around its edges: blocks get it from there, and only what lies beyond is estimated. Else 0. */
int rl_cut(const rl_options *options, int axis);

/** The box of the whole image begins anew after so many layers; the image is `room` layers behind that. */
typedef struct rl_repetition {
    int64_t period, room;
} rl_repetition;

rl_repetition rl_repetition_along(fourier_box box, int axis);

/* Parameters of the operations that work on blocks. */
#define RL_AXIS DRUA_CHOICE("axis", "along which blocks are cut", .preset_text = "z", DRUA_CHOICES("y", "z"))
#define RL_MARGIN(doc_, preset_) DRUA_INTEGER("margin", doc_, .unit = "pixel", DRUA_RANGE(0, 1e9), .preset = preset_)
#define RL_SOURCE DRUA_IMAGE_IN("source", "blurred image: counts of light, with their background")
#define RL_PSF DRUA_IMAGE_WHOLE("psf", "point spread function, its centre at half of its extent, rounded down")
int rl_axis(drua_plan *plan);
int64_t rl_margin(drua_plan *plan);

#endif
