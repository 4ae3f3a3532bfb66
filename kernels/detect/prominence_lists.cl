/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers the peaks of an image, in any order, and lists the pixels on borders where they may merge, for GPUs. */
#include "prominence.cl"

/* For each peak: its top, the peak that it has joined, the height of its highest pass, and the peak beyond it. */
typedef struct {
    global uint *pixels, *ranks, *joined_to, *passes, *goals;
} peak_table;

#define PEAKS                                                                                                          \
    global uint *pixels, global uint *peak_ranks, global uint *joined_to, global uint *passes, global uint *goals
#define TABLE ((peak_table){pixels, peak_ranks, joined_to, passes, goals})

/* Returns the index of this work-item's entries in a list that grows; all work-items of the group call it together. */
#define PLACE_IN_LIST(entries, length, place)                                                                          \
    local uint group_entries, group_place;                                                                             \
    if (get_local_id(0) == 0)                                                                                          \
        group_entries = 0;                                                                                             \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                      \
    uint place = (entries) ? atomic_add((volatile local uint *)&group_entries, entries) : 0;                           \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                      \
    if (get_local_id(0) == 0)                                                                                          \
        group_place = group_entries ? atomic_add(length, group_entries) : 0;                                           \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                      \
    place += group_place

typedef struct {
    uint width, height, depth;
} extent;

/* The pixels after `at` along x, y and z; `at` at the end of a line. */
inline void pixels_after(uint at, extent e, uint after[3])
{
    const uint line = at / e.width, plane = e.width * e.height;
    after[0] = at % e.width < e.width - 1 ? at + 1 : at;
    after[1] = line % e.height < e.height - 1 ? at + e.width : at;
    after[2] = line / e.height < e.depth - 1 ? at + plane : at;
}

/*
 * Whether one of two peaks rises too little above their pass, so that they may merge there. Peaks only become higher
 * as they merge, so other passes never matter again.
 */
inline bool may_merge(uint a, uint b, uint pass, float tolerance)
{
    return !rises(a, pass, tolerance) || !rises(b, pass, tolerance);
}

/* Whether the peak of `at` may merge with that of a pixel that follows it. */
inline bool is_border(global const uint *ranks, global const uint *up, uint at, extent e, float tolerance)
{
    uint after[3];
    bool found = false;
    pixels_after(at, e, after);
    for (int axis = 0; axis < 3 && !found; axis++)
        found = up[after[axis]] != up[at] && may_merge(ranks[up[at]], ranks[up[after[axis]]],
                                                       min(ranks[at], ranks[after[axis]]), tolerance);
    return found;
}

/* Marks in `borders` and `tops` which of four pixels from `first` on are on a border, and which are tops. */
inline void classify_four(global const uint *ranks, global const uint *up, ulong first, uint count, extent e,
                          float tolerance, bool borders[4], bool tops[4])
{
    for (uint i = 0; i < 4; i++)
        borders[i] = tops[i] = false;
    if (first >= count)
        return;
    const uint4 own = load_four(up, first, count, (uint4)NOBODY), beside = load_four(up, first + 1, count, own),
                below = load_four(up, first + e.width, count, own),
                behind = load_four(up, first + (ulong)e.width * e.height, count, own);
    const uint of[4] = {own.x, own.y, own.z, own.w};
    const bool may = any(own != beside) || any(own != below) || any(own != behind);
    for (uint i = 0; i < 4 && first + i < count; i++) {
        tops[i] = of[i] == first + i;
        borders[i] = may && is_border(ranks, up, first + i, e, tolerance);
    }
}

/* lengths[0] and lengths[1] receive the numbers of border pixels and of tops, so that the host can make the lists. */
kernel void prominence_count(global const uint *ranks, global const uint *up, uint count, uint width, uint height,
                             uint depth, float tolerance, volatile global uint *lengths)
{
    local uint found[2];
    bool borders[4], tops[4];
    uint number[2] = {0, 0};
    if (get_local_id(0) < 2)
        found[get_local_id(0)] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    classify_four(ranks, up, (ulong)get_global_id(0) * 4, count, (extent){width, height, depth}, tolerance, borders,
                  tops);
    for (uint i = 0; i < 4; i++) {
        number[0] += borders[i];
        number[1] += tops[i];
    }
    for (uint k = 0; k < 2; k++)
        if (number[k])
            atomic_add((volatile local uint *)&found[k], number[k]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) < 2 && found[get_local_id(0)])
        atomic_add(&lengths[get_local_id(0)], found[get_local_id(0)]);
}

kernel void prominence_list_borders(global const uint *ranks, global const uint *up, uint count, uint width,
                                    uint height, uint depth, float tolerance, global uint *list,
                                    volatile global uint *lengths)
{
    const ulong first = (ulong)get_global_id(0) * 4;
    bool borders[4], tops[4];
    classify_four(ranks, up, first, count, (extent){width, height, depth}, tolerance, borders, tops);
    const uint entries = borders[0] + borders[1] + borders[2] + borders[3];
    PLACE_IN_LIST(entries, &lengths[0], place);
    for (uint i = 0; i < 4; i++)
        if (borders[i])
            list[place++] = first + i;
}

/* Numbers the tops. */
kernel void prominence_list_peaks(global const uint *ranks, global const uint *up, uint count, PEAKS, global uint *list,
                                  volatile global uint *lengths)
{
    const ulong first = (ulong)get_global_id(0) * 4;
    uint entries = 0;
    for (uint i = 0; i < 4 && first + i < count; i++)
        entries += up[first + i] == first + i;
    PLACE_IN_LIST(entries, &lengths[1], number);
    for (uint i = 0; i < 4 && first + i < count; i++)
        if (up[first + i] == first + i) {
            pixels[number] = first + i;
            peak_ranks[number] = ranks[first + i];
            joined_to[number] = list[number] = number;
            passes[number] = 0;
            goals[number] = NOBODY;
            number++;
        }
}

/*
 * Writes the peak's number at the top of each peak, and then at all other pixels, which still hold the position of
 * their top.
 */
kernel void prominence_name_tops(global uint *up, global const uint *pixels, uint peaks)
{
    const uint number = get_global_id(0);
    if (number < peaks)
        up[pixels[number]] = number;
}

kernel void prominence_name_pixels(global uint *up, uint count, global const uint *pixels, uint peaks)
{
    const ulong first = (ulong)get_global_id(0) * 4;
    for (uint i = 0; i < 4 && first + i < count; i++) {
        const uint at = first + i, known = up[at];
        if (known >= peaks || pixels[known] != at)
            up[at] = up[known];
    }
}
