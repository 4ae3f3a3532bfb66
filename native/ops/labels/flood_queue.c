/* SPDX-License-Identifier: BSD-3-Clause */
#include "flood_queue.h"

void flood_queue_make(drua_plan *p, flood_queue *q, size_t pixels)
{
    const size_t arrivals = pixels + 1;
    q->pixels = plan_host_memory(p, arrivals * sizeof *q->pixels);
    q->next = plan_host_memory(p, arrivals * sizeof *q->next);
    q->first = plan_host_memory(p, FLOOD_LEVELS * sizeof *q->first);
    q->last = plan_host_memory(p, FLOOD_LEVELS * sizeof *q->last);
    for (int layer = 0, words = FLOOD_LEVELS / FLOOD_WORD; layer < FLOOD_LAYERS; layer++, words /= FLOOD_WORD)
        q->filled[layer] = plan_host_memory(p, (size_t)words * sizeof *q->filled[layer]);
    if (q->shift)
        q->heap = plan_host_memory(p, arrivals * sizeof *q->heap);
}

static void mark_filled(flood_queue *q, uint32_t level)
{
    for (int layer = 0; layer < FLOOD_LAYERS; layer++, level /= FLOOD_WORD)
        q->filled[layer][level / FLOOD_WORD] |= (uint64_t)1 << level % FLOOD_WORD;
}

static void mark_empty(flood_queue *q, uint32_t level)
{
    for (int layer = 0; layer < FLOOD_LAYERS; layer++, level /= FLOOD_WORD) {
        uint64_t *word = q->filled[layer] + level / FLOOD_WORD;
        *word &= ~((uint64_t)1 << level % FLOOD_WORD);
        if (*word)
            return;
    }
}

static uint32_t lowest_bit(uint64_t word)
{
    uint32_t bit = 0;
    for (int half = FLOOD_WORD / 2; half > 0; half /= 2)
        if (!(word << (FLOOD_WORD - half))) {
            word >>= half;
            bit += (uint32_t)half;
        }
    return bit;
}

/* The lowest level with pixels; FLOOD_LEVELS if every level is empty. */
static uint32_t lowest_level(const flood_queue *q)
{
    uint32_t level = 0;
    if (!q->filled[FLOOD_LAYERS - 1][0])
        return FLOOD_LEVELS;
    for (int layer = FLOOD_LAYERS - 1; layer >= 0; layer--)
        level = level * FLOOD_WORD + lowest_bit(q->filled[layer][level]);
    return level;
}

static void push_heap(flood_queue *q, uint64_t entry)
{
    uint32_t at = q->heaped++;
    for (; at > 0 && q->heap[(at - 1) / 2] > entry; at = (at - 1) / 2)
        q->heap[at] = q->heap[(at - 1) / 2];
    q->heap[at] = entry;
}

static uint32_t pop_heap(flood_queue *q)
{
    const uint32_t arrival = (uint32_t)q->heap[0];
    const uint64_t last = q->heap[--q->heaped];
    uint32_t at = 0, child;
    for (; (child = 2 * at + 1) < q->heaped; at = child) {
        child += child + 1 < q->heaped && q->heap[child + 1] < q->heap[child];
        if (q->heap[child] >= last)
            break;
        q->heap[at] = q->heap[child];
    }
    q->heap[at] = last;
    return arrival;
}

void flood_queue_add(flood_queue *q, const uint32_t *keys, uint32_t pixel)
{
    const uint32_t key = keys[pixel], level = (key - q->lowest_key) >> q->shift, arrival = ++q->arrivals;
    q->pixels[arrival] = pixel;
    if (q->heaped > 0 && level <= q->heap_level) {
        push_heap(q, (uint64_t)key << 32 | arrival);
        return;
    }
    if (q->first[level])
        q->next[q->last[level]] = arrival;
    else {
        q->first[level] = arrival;
        mark_filled(q, level);
    }
    q->last[level] = arrival;
}

int64_t flood_queue_take(flood_queue *q, const uint32_t *keys)
{
    if (q->heaped > 0)
        return q->pixels[pop_heap(q)];
    const uint32_t level = lowest_level(q);
    if (level == FLOOD_LEVELS)
        return -1;
    uint32_t arrival = q->first[level];
    if (!q->shift) {
        q->first[level] = arrival == q->last[level] ? 0 : q->next[arrival];
        if (!q->first[level])
            mark_empty(q, level);
        return q->pixels[arrival];
    }
    for (const uint32_t last = q->last[level];; arrival = q->next[arrival]) {
        push_heap(q, (uint64_t)keys[q->pixels[arrival]] << 32 | arrival);
        if (arrival == last)
            break;
    }
    q->first[level] = 0;
    mark_empty(q, level);
    q->heap_level = level;
    return q->pixels[pop_heap(q)];
}
