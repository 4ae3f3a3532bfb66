/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs of labels down the columns: label from the first one on, x, y, and z with the length less 1. With them the sweeps that
 * follow read only what has a label. They come in no certain order, which exact sums do not see.
 */

enum { LONGEST_RUN = 256, RUNS_OF_A_GROUP = 2048, GROUP_COLUMNS = 128, GROUP_ROWS = 256 };

/* Runs of a group wait here: label, place in its tile with length. */
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
        l->found[place] = (uint2)(label, ((at.z * GROUP_ROWS + at.y) * GROUP_COLUMNS + at.x) * LONGEST_RUN + (uint)length - 1);
    } else if ((int)*l->count <= l->capacity) {
        const int next = (int)atomic_inc(l->count);
        if (next < l->capacity)
            l->list[next] = run_of(label, x, y, z, length);
    }
}

/* Words of four columns, see load_four_words; NOBODY beyond the row. */
inline uint4 words_across(global const uchar *pixels, const layout *image, int x, int y, int z, int fours)
{
    const layout l = *image;
    const INDEX at = AT(l, x, y, z), column = (INDEX)l.column;
    if (fours)
        return load_four_words(pixels, l.type, at);
    const int more = l.width - 1 - x;
    const uint4 words = (uint4)(load_word(pixels, l.type, at), load_word(pixels, l.type, at + column * min(more, 1)),
                                load_word(pixels, l.type, at + column * min(more, 2)), load_word(pixels, l.type, at + column * min(more, 3)));
    return select(words, (uint4)(NOBODY), (int4)(0, 1, 2, 3) > (int4)(more));
}

kernel void list_runs(INPUT(labels), uint first, uint last, int rows, int fours, int capacity, volatile global uint *count,
                      global uint4 *list)
{
    local uint2 found[RUNS_OF_A_GROUP];
    volatile local uint places, base;
    const int x = 4 * (int)get_global_id(0), top = (int)get_global_id(1) * rows, z = (int)get_global_id(2);
    const int lane = (int)((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0));
    const int3 tile = (int3)(x - 4 * (int)get_local_id(0), top - (int)get_local_id(1) * rows, z - (int)get_local_id(2));
    if (lane == 0)
        places = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const run_list runs = {&places, found, count, list, capacity, tile};
    const int bottom = x < labels.width && z < labels.depth ? min(top + rows, labels.height) : top;
    uint4 word = NOBODY;
    int4 start = top;
    for (int four = top; four <= bottom; four += 4) {
        uint4 next[4];
        for (int i = 0; i < 4; i++)
            next[i] = four + i < bottom ? words_across(labels_pixels, &labels, x, four + i, z, fours) : (uint4)(NOBODY);
        for (int i = 0; i < 4; i++) {
            if (all(next[i] == word))
                continue;
            const int y = four + i;
            for (int column = 0; column < 4; column++) {
                if (next[i].x != word.x) {
                    const uint label = label_of_word(word.x, labels.type) - first;
                    if (word.x != NOBODY && label <= last - first)
                        add_run(&runs, label, x + column, start.x, z, y - start.x);
                    start.x = y;
                }
                word = (uint4)(word.yzw, next[i].x);
                next[i] = next[i].yzwx;
                start = start.yzwx;
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint mine = min(places, (uint)RUNS_OF_A_GROUP);
    if (lane == 0 && mine > 0)
        base = atomic_add(count, mine);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = (uint)lane; i < mine && (int)(base + i) < capacity; i += (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2))) {
        const uint place = found[i].y / LONGEST_RUN;
        list[base + i] = run_of(found[i].x, tile.x + (int)(place % GROUP_COLUMNS), tile.y + (int)(place / GROUP_COLUMNS % GROUP_ROWS),
                                tile.z + (int)(place / GROUP_COLUMNS / GROUP_ROWS), (int)(found[i].y % LONGEST_RUN) + 1);
    }
}
