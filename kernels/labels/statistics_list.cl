/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lists runs of labels down the columns, so that later kernels read only labelled pixels. A run consists of the label
 * counted from the first one, x, y, and z combined with the length minus 1. The runs are in no particular order,
 * because exact sums do not depend on the order.
 */
#include "bit_lines.cl"
#include "statistics.cl"
#define TOGETHER

enum { LONGEST_RUN = 256, RUNS_OF_A_GROUP = 2048, GROUP_COLUMNS = 128, GROUP_ROWS = 256 };

/* Buffer for a work-group's runs: the label, and the position in the tile together with the length. */
typedef struct {
    volatile local uint *places;
    local uint2 *found;
    volatile global uint *count;
    global uint4 *list;
    int capacity;
    int3 tile;
} run_list;

inline uint4 run_of(uint label, int x, int y, int z, int length)
{
    return (uint4)(label, (uint)x, (uint)y, (uint)z * LONGEST_RUN + (uint)length - 1);
}

inline void add_run(const run_list *l, uint label, int x, int y, int z, int length)
{
    const uint place = atomic_inc(l->places);
    if (place < RUNS_OF_A_GROUP) {
        const uint3 at = (uint3)(x - l->tile.x, y - l->tile.y, z - l->tile.z);
        l->found[place] =
            (uint2)(label, ((at.z * GROUP_ROWS + at.y) * GROUP_COLUMNS + at.x) * LONGEST_RUN + (uint)length - 1);
    } else if ((int)*l->count <= l->capacity) {
        const int next = (int)atomic_inc(l->count);
        if (next < l->capacity)
            l->list[next] = run_of(label, x, y, z, length);
    }
}

/* Words of four columns, see load_four_words; undefined past the row. */
inline uint4 words_across(global const uchar *pixels, const layout *image, int x, int y, int z, int vec4)
{
    const layout l = *image;
    const INDEX at = AT(l, x, y, z), column = (INDEX)l.column;
    if (vec4)
        return load_four_words(pixels, l.type, at);
    const int more = l.width - 1 - x;
    return (uint4)(load_word(pixels, l.type, at), load_word(pixels, l.type, at + column * min(more, 1)),
                   load_word(pixels, l.type, at + column * min(more, 2)),
                   load_word(pixels, l.type, at + column * min(more, 3)));
}

/* Ends the runs that do not continue in row y, whose words are `next`. */
inline void end_runs(const run_list *l, uint4 *word, int4 *start, uint4 next, int x, int y, int z, int type, uint first,
                     uint last)
{
    ROLLED for (int column = 0; column < 4; column++) {
        if (next.x != word->x) {
            const uint label = label_of_word(word->x, type) - first;
            if (word->x != NOBODY && label <= last - first)
                add_run(l, label, x + column, start->x, z, y - start->x);
            start->x = y;
        }
        *word = (uint4)(word->yzw, next.x);
        next = next.yzwx;
        *start = start->yzwx;
    }
}

/* If the type is a constant, the loads of four rows overlap. */
#define WORDS_DOWN(i) (four + (i) < bottom ? ACROSS(min(four + (i), bottom - 1)) : (uint4)(NOBODY))
#define FOUR_ROWS                                                                                                      \
    row0 = WORDS_DOWN(0);                                                                                              \
    row1 = WORDS_DOWN(1);                                                                                              \
    row2 = WORDS_DOWN(2);                                                                                              \
    row3 = WORDS_DOWN(3);
#define END_RUNS(words, y)                                                                                             \
    {                                                                                                                  \
        const uint4 next = select((uint4)(NOBODY), words, inside);                                                     \
        if (any(next != word))                                                                                         \
            end_runs(&runs, &word, &start, next, x, y, z, labels.type, first, last);                                   \
    }

/*
 * Estimates the number of runs from a sample of pixels all over the image, in one work-group. Usually the count becomes
 * 0. If the list is far too small, the count exceeds the capacity, so that no work-item lists runs.
 */
kernel void sample_runs(INPUT(labels), uint first, uint last, int capacity, global uint *count)
{
    enum { ITEMS = 256, EACH = 4, SURELY = 2 };
    local uint found;
    const uint lane = get_local_id(0);
    const ulong pixels = (ulong)labels.width * labels.height * labels.depth, part = pixels / (ITEMS * EACH) + 1;
    uint mine = 0;
    if (lane == 0)
        found = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint number = lane * EACH; number < lane * EACH + EACH; number++) {
        const ulong at = number * part + (number * 0x9e3779b1u >> 8) % part, line = at / labels.width;
        const int x = (int)(at % labels.width), y = (int)(line % labels.height), z = (int)(line / labels.height);
        if (at >= pixels)
            break;
        const uint label = LOAD_LABEL(labels, x, y, z), above = LOAD_LABEL(labels, x, max(y - 1, 0), z);
        mine += label - first <= last - first && (y == 0 || label != above);
    }
    atomic_add(&found, mine);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane == 0)
        *count = found * part > SURELY * (ulong)capacity ? (uint)capacity + 1 : 0;
}

kernel void list_runs(INPUT(labels), uint first, uint last, int rows, int vec4, int capacity,
                      volatile global uint *count, global uint4 *list)
{
    local uint2 found[RUNS_OF_A_GROUP];
    volatile local uint places, base;
    const int x = 4 * (int)get_global_id(0), top = (int)get_global_id(1) * rows, z = (int)get_global_id(2);
    const int lane =
        (int)((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0));
    const int3 tile = (int3)(x - 4 * (int)get_local_id(0), top - (int)get_local_id(1) * rows, z - (int)get_local_id(2));
    if (lane == 0) {
        places = 0;
        base = *count;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const run_list runs = {&places, found, count, list, capacity, tile};
    const bool goes_on = (int)base <= capacity && x < labels.width && z < labels.depth;
    const int bottom = goes_on ? min(top + rows, labels.height) : top;
    const int4 inside = FIRST_OF_FOUR(labels.width - x);
    uint4 word = NOBODY;
    int4 start = top;
    ROLLED for (int four = top; four <= bottom; four += 4) {        /* all runs end after the last row */
        uint4 row0, row1, row2, row3;
        if (vec4 && labels.type == FLOAT32) {
#define ACROSS(y) load_four_words(labels_pixels, FLOAT32, AT(labels, x, y, z))
            FOUR_ROWS
#undef ACROSS
        } else if (vec4 && labels.type == UINT32) {
#define ACROSS(y) load_four_words(labels_pixels, UINT32, AT(labels, x, y, z))
            FOUR_ROWS
#undef ACROSS
        } else {
#define ACROSS(y) words_across(labels_pixels, &labels, x, y, z, vec4)
            FOUR_ROWS
#undef ACROSS
        }
        END_RUNS(row0, four)
        END_RUNS(row1, four + 1)
        END_RUNS(row2, four + 2)
        END_RUNS(row3, four + 3)
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint mine = min(places, (uint)RUNS_OF_A_GROUP);
    if (lane == 0 && mine > 0)
        base = atomic_add(count, mine);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = (uint)lane; i < mine && (int)(base + i) < capacity;
         i += (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2))) {
        const uint place = found[i].y / LONGEST_RUN;
        list[base + i] = run_of(
            found[i].x, tile.x + (int)(place % GROUP_COLUMNS), tile.y + (int)(place / GROUP_COLUMNS % GROUP_ROWS),
            tile.z + (int)(place / GROUP_COLUMNS / GROUP_ROWS), (int)(found[i].y % LONGEST_RUN) + 1);
    }
}
