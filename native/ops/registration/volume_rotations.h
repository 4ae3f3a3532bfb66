/* SPDX-License-Identifier: BSD-3-Clause */
/* A list of rotations in space. Any rotation is near one of the list. */
#ifndef DRUA_OPS_REGISTRATION_VOLUME_ROTATIONS_H
#define DRUA_OPS_REGISTRATION_VOLUME_ROTATIONS_H

#include "volume_fit.h"

enum { VOLUME_ROTATION_COUNT = 648 };

/**
 * Lists rotations about the origin and returns their number. Any rotation is at most 21 degrees from one of the list.
 */
int volume_list_rotations(volume_map rotations[VOLUME_ROTATION_COUNT]);

#endif
