/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies the bytes of a transfer between planes in ordinary memory and chunks of pinned or mapped memory. */
#ifndef DRUA_DEVICE_MOVE_H
#define DRUA_DEVICE_MOVE_H

#include "internal.h"

typedef struct drua_move {
    const drua_planes *planes;
    size_t first;               /* byte, counted over all planes, at which the transfer begins */
    bool pull;
    bool untouched;             /* a pull into memory that was never touched */
    bool streaming;             /* bypasses the caches */
} drua_move;

/* `at` is the first byte of the transfer that is in `memory`. Any thread, also for drua_move_prefault. */
void drua_move_copy(void *move, size_t at, void *memory, size_t bytes);

/* Lets the system clear the pages of a chunk while its bytes are in flight. */
void drua_move_prefault(void *move, size_t at, size_t bytes);

/* Sets `untouched`. Contiguous planes are treated as one range of memory. */
void drua_move_find_untouched_memory(drua_move *move, size_t total);

/* Bytes between the start of the first page and the start of untouched memory, so that one thread clears each page. */
size_t drua_move_skew(const drua_move *move);

/* Bytes before `done` are finished and those before `end` come next. Returns false if the source stops. */
bool drua_move_prepare(const drua_move *move, size_t done, size_t end);

#endif
