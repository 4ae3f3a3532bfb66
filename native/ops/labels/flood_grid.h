/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Images on the host for floods that go pixel by pixel. Each has a border of one pixel, which no flood enters, so
 * neighbours need no test.
 */
#ifndef DRUA_OPS_FLOOD_GRID_H
#define DRUA_OPS_FLOOD_GRID_H

#include "plan.h"

enum { FLOOD_NEIGHBOURS = 26 };

/** The extent of an image, its extent and number of pixels with the border, and the steps to neighbours in pixels. */
typedef struct flood_grid {
    int32_t extent[3], padded[3];
    int64_t count, offsets[FLOOD_NEIGHBOURS];
    int neighbours;
} flood_grid;

/**
 * The grid of an image, which also defines the order in which floods visit neighbours: plane by plane, and within a
 * plane column by column. With four neighbours in a plane, the order goes around the pixel instead. Fails the call if
 * the image is too large.
 */
flood_grid flood_grid_of(drua_plan *plan, const char *image, int64_t connectivity);

/** Number of a pixel. */
int64_t flood_grid_at(const flood_grid *grid, int64_t x, int64_t y, int64_t z);

/** The pixels of an image of the grid's extent with a border of zeros; they live as long as the call. NULL after a
 * failure. */
float *flood_grid_read(drua_plan *plan, const char *image, const flood_grid *grid);

/** Stores the labels above 0 in "destination", and 0 for all others. Overwrites `labels`. */
void flood_grid_write(drua_plan *plan, const flood_grid *grid, int32_t *labels);

/** An integer in the order of the grey values: NaN comes last, and -0 before 0. */
uint32_t flood_key(float value);

#endif
