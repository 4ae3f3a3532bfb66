/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Times the groups of columns of measure_labels: 4,913 balls and 103,823 touching cells in 512 x 512 x 512 pixels,
 * 4,624 discs and 2,025 touching cells in 2048 x 2048.
 */
#include "bench.h"

static const drua_bench_work works[] = {
    {"shape of labels", "measure_labels", "grey labels shape"},
    {"shape of cells", "measure_labels", "grey cells shape"},
    {"moments of labels", "measure_labels", "grey labels shape,moments"},
    {"moments of cells", "measure_labels", "grey cells shape,moments"},
    {"intensities of labels", "measure_labels", "grey labels intensity"},
    {"intensities of cells", "measure_labels", "grey cells intensity"},
    {"inscribed balls of labels", "measure_labels", "grey labels inscribed"},
    {"inscribed balls of cells", "measure_labels", "grey cells inscribed"},
    {"neighbors of labels", "measure_labels", "grey labels neighbors"},
    {"neighbors of cells", "measure_labels", "grey cells neighbors"},
    {"Feret diameters of labels", "measure_labels", "grey labels feret"},
    {"Feret diameters of cells", "measure_labels", "grey cells feret"},
    {"hulls of labels", "measure_labels", "grey labels hull"},
    {"hulls of cells", "measure_labels", "grey cells hull"},
    {"textures of labels", "measure_labels", "grey labels texture"},
    {"textures of cells", "measure_labels", "grey cells texture"},
    {"shells of labels", "measure_labels", "grey labels radial"},
    {"shells of cells", "measure_labels", "grey cells radial"},
    {"rims of labels", "measure_labels", "grey labels rim"},
    {"rims of cells", "measure_labels", "grey cells rim"},
    {"skeletons of labels", "measure_labels", "grey labels skeleton"},
    {"skeletons of cells", "measure_labels", "grey cells skeleton"},
    {"geodesic diameters of labels", "measure_labels", "grey labels geodesic"},
    {"geodesic diameters of cells", "measure_labels", "grey cells geodesic"},
    {"outlines of labels", "measure_labels", "grey labels outline"},
    {"outlines of cells", "measure_labels", "grey cells outline"},
    {"colocalization of labels", "measure_colocalization", "grey grey labels"},
    {"colocalization of cells", "measure_colocalization", "grey grey cells"},
    {"all columns of labels", "measure_labels", "grey labels all"},
    {"all columns of cells", "measure_labels", "grey cells all"},
    {"pairs of cells", "measure_label_pairs", "cells units=pixels"},
};

int drua_bench_labels(const char *device, int scale)
{
    return drua_bench_works(device, scale, works, sizeof works / sizeof *works);
}
