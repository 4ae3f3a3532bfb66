/* SPDX-License-Identifier: BSD-3-Clause */
/* What a transfer copies: bytes of planes in ordinary memory, from and to chunks of pinned or mapped memory. */
#ifndef DRUA_DEVICE_MOVE_H
#define DRUA_DEVICE_MOVE_H

#include "internal.h"

typedef struct drua_move {
    const drua_planes *planes;
    size_t first;               /* byte of all planes where the transfer begins */
    bool pull;
    bool untouched;             /* a pull to memory that nobody has touched */
    bool streaming;             /* past the caches */
} drua_move;

/* `at` is the first byte of the transfer that lies in `memory`. Any thread; so is drua_move_prefault. */
void drua_move_copy(void *move, size_t at, void *memory, size_t bytes);

/* Lets the system clear the pages of a chunk while its bytes are on their way. */
void drua_move_prefault(void *move, size_t at, size_t bytes);

/* Sets `untouched`. Planes that lie one behind the other are one range of memory. */
void drua_move_look_for_untouched_memory(drua_move *move, size_t total);

/* Bytes between the page before untouched memory and its start: a page is cleared by one thread only. */
size_t drua_move_skew(const drua_move *move);

/* Bytes before `done` are over, those before `end` come next. False where the source gives no more. */
bool drua_move_prepare(const drua_move *move, size_t done, size_t end);

#endif
