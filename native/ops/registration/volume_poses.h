/* SPDX-License-Identifier: BSD-3-Clause */
/* The search among all shifts, or all rotations and shifts, of a volume. */
#ifndef DRUA_OPS_REGISTRATION_VOLUME_POSES_H
#define DRUA_OPS_REGISTRATION_VOLUME_POSES_H

#include "volumes.h"

/** Where a search begins: with the volumes as they are, with all shifts, or with all rotations and shifts. */
typedef enum volume_reach { VOLUME_NEAR, VOLUME_SHIFTS, VOLUME_ROTATIONS } volume_reach;

/** Bytes of device memory that the search needs besides the levels of the volumes. */
uint64_t volume_poses_bytes(volume_reach reach);

/**
 * Sets *map to the alignment with the largest correlation, in units of the search. Alignments share at least a fifth of
 * the smaller volume. Coarse volumes are correlated by Fourier transforms, for VOLUME_ROTATIONS at 648 rotations. The
 * best alignments are refined on all levels. Returns the peak of the coarse correlation at *map divided by the highest
 * peak of other alignments; 0 if nothing was found. Waits.
 */
double volume_search_poses(const volume_search *search, volume_reach reach, volume_map *map);

#endif
