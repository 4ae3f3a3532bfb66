/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns in space, such that none is far from one of them. No images. */
#ifndef DRUA_OPS_REGISTRATION_VOLUME_TURNS_H
#define DRUA_OPS_REGISTRATION_VOLUME_TURNS_H

#include "volume_fit.h"

enum { VOLUME_TURN_COUNT = 648 };

/** Lists turns about the origin and returns their number. Every turn is at most 21 degrees from one of them. */
int volume_list_turns(volume_map turns[VOLUME_TURN_COUNT]);

#endif
