/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations whose pixels depend on pixels at any distance, on tiles with a margin. margin_check finds the pixels that
 * may differ because the tile does not show the whole image, and the call fails if one of them lies outside the margin.
 * The other pixels have the values of the whole image.
 */
#ifndef DRUA_OPS_MARGINS_H
#define DRUA_OPS_MARGINS_H

#include "plan.h"
#include "recorded_calls.h"

/**
 * Marks of a pixel; kernels use the same numbers. Doubt begins at OPEN pixels on cut sides and at STARTS pixels, and
 * spreads through OPEN pixels that touch by side or corner. The call fails if it reaches a MATTERS pixel outside the
 * margin.
 */
enum { MARGIN_OPEN = 1, MARGIN_STARTS = 2, MARGIN_MATTERS = 4 };

/** Rule for op->parts: a tile reads the parameter "margin" on all sides. */
void margin_parts(drua_plan *plan, drua_parts *parts);

/**
 * The sides of the tile of an image that lie inside the whole image: bit 2 * axis for the beginning, the next bit for
 * the end. 0: the tile is the whole image, so all its pixels are right.
 */
int margin_cuts(drua_plan *plan, const char *image);

/**
 * Fails the call if a pixel outside the margin is undecided; `marks` has one uint8 for each pixel of the tile, dense.
 * `what` names the thing that the margin should contain, such as "basin". Waits for the device.
 */
void margin_check(drua_plan *plan, const char *image, drua_view marks, const char *what);

#define MARGIN DRUA_INTEGER("margin", "pixels around a block that are read", .unit = "pixel", DRUA_RANGE(1, 65535))

#endif
