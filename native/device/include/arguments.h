/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Short names for kernel arguments: GRID(w, h, d, 32, 8, 1), ARG(view), INT(n), REAL(s), TABLE(bytes, length),
 * LOCAL(bytes).
 */
#ifndef DRUA_DEVICE_ARGUMENTS_H
#define DRUA_DEVICE_ARGUMENTS_H

#include "device.h"

#define GRID(nx, ny, nz, gx, gy, gz) ((drua_grid){.items = {nx, ny, nz}, .group = {gx, gy, gz}})
#define ARG(view_) ((drua_arg){.kind = DRUA_LAUNCH_VIEW, .as.view = (view_)})
#define POINTER(view_) ((drua_arg){.kind = DRUA_LAUNCH_POINTER, .as.view = (view_)})
#define INT(value) ((drua_arg){.kind = DRUA_LAUNCH_INT, .as.integer = (int32_t)(value)})
#define LONG(value) ((drua_arg){.kind = DRUA_LAUNCH_LONG, .as.wide = (value)})
#define REAL(value) ((drua_arg){.kind = DRUA_LAUNCH_FLOAT, .as.real = (float)(value)})
#define TABLE(bytes_, length_) ((drua_arg){.kind = DRUA_LAUNCH_TABLE, .as.table = {bytes_, length_}})
#define LOCAL(bytes_) ((drua_arg){.kind = DRUA_LAUNCH_LOCAL, .as.local = (bytes_)})

/** A grid for a kernel whose innermost loop has this many iterations. */
static inline drua_grid grid_of_turns(drua_grid grid, int64_t turns)
{
    grid.turns = turns;
    return grid;
}

#endif
