/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pixels that wait for a flood, in the order of grey values and, for equal ones, of arrival. Each pixel waits at most
 * once.
 */
#ifndef DRUA_OPS_FLOOD_QUEUE_H
#define DRUA_OPS_FLOOD_QUEUE_H

#include "plan.h"

enum { FLOOD_WORD = 64, FLOOD_LAYERS = 3, FLOOD_LEVELS = FLOOD_WORD * FLOOD_WORD * FLOOD_WORD };

/**
 * A pixel is known by the number of its arrival, from 1. Its level is (key - lowest_key) >> shift, below FLOOD_LEVELS;
 * the caller sets both before flood_queue_make. Each level is a list in the order of arrival. If shift is not 0, the
 * pixels of the lowest level are sorted in a heap, whose entries are a key and the number of the arrival. `filled` has
 * a bit for each level with pixels, then a bit for each of its words that is not 0, and so on.
 */
typedef struct flood_queue {
    uint32_t lowest_key;
    int shift;
    uint32_t *pixels, *next, *first, *last, arrivals;
    uint64_t *heap, *filled[FLOOD_LAYERS];
    uint32_t heaped, heap_level;
} flood_queue;

/** Memory for that many pixels; lives as long as the call. */
void flood_queue_make(drua_plan *plan, flood_queue *queue, size_t pixels);

/** `keys`: of all pixels. */
void flood_queue_add(flood_queue *queue, const uint32_t *keys, uint32_t pixel);

/** Removes the first pixel and returns it; -1 if none waits. */
int64_t flood_queue_take(flood_queue *queue, const uint32_t *keys);

#endif
