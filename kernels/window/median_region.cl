/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of median_tile.cl. */
#include "chords.cl"

enum {
    TILE_WIDE = 16,
    TILE_LANES = 256,
    COLUMN = 4,             /* slices per work-item */
    REGION_ROWS = 1444,     /* this and the next as in native/ops/window/median.c */
    REGION_HALVES = 324,
    PORTION = 512           /* keys that are sorted at once */
};

/* Sorts keys: the position of each is the number of smaller keys. No two keys are equal. */
inline void sort_portion(local const ulong *list, int size, local ulong *sorted, int lane)
{
    for (int i = lane; i < size; i += TILE_LANES) {
        const ulong own = list[i];
        int place = 0;
        for (int k = 0; k < size; k++)
            place += list[k] < own;
        sorted[place] = own;
    }
}

/* The region that the windows of a tile cover. */
typedef struct {
    global const uint *keys;
    layout image;
    int left, top, front, wide, high, deep;
} key_region;

/* Returns a key of the region. Positions beyond the copy repeat its end; no window contains them. */
inline uint region_key(const key_region *r, int x, int y, int z)
{
    const layout image = r->image;
    return r->keys[AT(image, min(r->left + x, image.width - 1), min(r->top + y, image.height - 1),
                      min(r->front + z, image.depth - 1))];
}

/* Half lengths of chords and their masks, and empty chords beyond the last row and plane. */
inline void prepare_chords(local int *halves, local uint *masks, constant short *half_chords, int rx, int ry, int rz,
                           int lane)
{
    for (int i = lane; i < (ry + 2) * (rz + 2); i += TILE_LANES) {
        const int dy = i % (ry + 2), dz = i / (ry + 2);
        const int half_length = dy <= ry && dz <= rz ? half_chords[dz * (ry + 1) + dy] : -1;
        halves[i] = half_length;
        masks[i] = half_length < 0 ? 0 : ((2u << 2 * half_length) - 1) << (rx - half_length);
    }
}

inline void list_sample(local ulong *list, const key_region *r, int lane)
{
    for (int i = lane; i < PORTION; i += TILE_LANES) {
        const int at = (int)((uint)i * (uint)(r->wide * r->high * r->deep) / PORTION), row = at / r->wide;
        list[i] = (ulong)region_key(r, at % r->wide, row % r->high, row / r->high) << 32 | (ulong)i;
    }
}

/*
 * Starts the counts of a turn: from 0 if the turn counts all keys up to the limit (`counted`), otherwise from the keys
 * below `low`.
 */
inline void begin_turn(int *seen, int *place, const int *count, bool counted)
{
    EACH(j, COLUMN)
    {
        seen[j] = counted ? 0 : count[j];
        place[j] = 0;
    }
}

/* Returns the largest count among those windows of a work-item whose medians have not been found yet. */
inline int max_seen(const int *count, const int *seen, int rank)
{
    int max_below = 0;
    EACH(j, COLUMN)
        max_below = max(max_below, count[j] <= rank ? seen[j] : 0);
    return max_below;
}

/* Marks keys up to `last` as bits of rows. */
inline void mark_low_keys(local ulong *rows, const key_region *r, uint last, int lane)
{
    if (lane % 8 * 8 < r->wide)
        for (int row = lane / 8; row < r->high * r->deep; row += TILE_LANES / 8) {
            const int y = row % r->high, z = row / r->high;
            uint low_enough = 0;
            EACH(b, 8)
                low_enough |= (uint)(region_key(r, lane % 8 * 8 + b, y, z) <= last) << b;
            ((local uchar *)rows)[row * 8 + lane % 8] = (uchar)low_enough;
        }
}

/* Adds the number of marked keys in the windows of a work-item's slices. */
inline void count_low_keys(int *seen, local const ulong *rows, local const uint *masks, int high, int column, int line,
                           int slice, int ry, int rz)
{
    for (int plane = 0; plane < COLUMN + 2 * rz; plane++)
        for (int dy = -ry; dy <= ry; dy++) {
            const uint here = (uint)(rows[(slice + plane) * high + line + ry + dy] >> column);
            EACH(j, COLUMN)
                seen[j] += (int)popcount(here & masks[min((int)abs(plane - j - rz), rz + 1) * (ry + 2) + (int)abs(dy)]);
        }
}

/* Lists keys from `low` to `last` with their positions. `taken` counts all of them, even if the list holds fewer. */
inline void list_keys(local ulong *list, local int *taken, const key_region *r, uint low, uint last, int column,
                      int lane)
{
    for (int row = lane / TILE_WIDE; row < r->high * r->deep; row += TILE_LANES / TILE_WIDE) {
        const int y = row % r->high, z = row / r->high;
        for (int x = column; x < r->wide; x += TILE_WIDE) {
            const uint key = region_key(r, x, y, z);
            if (key - low <= last - low) {
                const int free = atomic_inc(taken);
                if (free < PORTION)
                    list[free] = (ulong)key << 32 | (ulong)(x | y << 8 | z << 16);
            }
        }
    }
}

/*
 * Counts sorted keys from `first` up to `end` that lie in a work-item's windows; `place` is the position of each median
 * among them.
 */
inline void count_sorted(int *seen, int *place, local const ulong *sorted, local const int *halves, int first, int end,
                         int rank, int3 centre, int ry, int rz)
{
    for (int i = first; i < end; i++) {
        const uint here = (uint)sorted[i];
        const int dx = abs((int)(here & 255) - centre.x), dy = min((int)abs((int)(here >> 8 & 255) - centre.y), ry + 1);
        const int dz = (int)(here >> 16) - centre.z;
        EACH(j, COLUMN)
        {
            seen[j] += dx <= halves[min((int)abs(dz - j), rz + 1) * (ry + 2) + dy];
            place[j] += seen[j] <= rank;
        }
    }
}

/*
 * State of a tile's search. No median is below `low`; the next keys to examine are those up to `last`. While `searches`
 * is set, the first limit is sought. `counts`: all keys up to the limit are counted; otherwise those from `low` on are
 * taken. `at` is the position in the sample. The sample up to `below` is known to be below all medians.
 */
typedef struct {
    uint low, last;
    int at, below, turns;
    bool searches, counts;
} key_search;

/*
 * Advances in the sample by the share of keys that the windows still need; the fullest window has `max_below` keys up
 * to the limit.
 */
inline void move_limit(key_search *s, int max_below, int rank, int pixels, int step)
{
    enum { NEAR = 8 };
    const int change = (rank - max_below) * PORTION / pixels;
    if (max_below <= rank) {
        s->low = s->last + 1;
        s->below = s->at;
    }
    s->at = max_below > rank ? max(s->at + change - NEAR, -1) : change > step ? min(s->at + change - 1, PORTION - 1)
        : -1;
    s->turns--;
    s->searches = s->at > s->below && (s->turns > 0 || s->below < 0);
    s->counts = s->searches;
    s->at = s->searches ? s->at : max(s->below, 0);
}

/* Evaluates the counts: sets where the search continues, and stores medians that are found. */
inline void advance(key_search *s, int *count, uint *median, const int *seen, const int *place,
                    local const ulong *sorted, local const uint *sample, int max_below, bool crowded, int rank,
                        int pixels,
                    int step)
{
    if (s->searches) {
        EACH(j, COLUMN)
            count[j] = max_below <= rank && count[j] <= rank ? seen[j] : count[j];
        move_limit(s, max_below, rank, pixels, step);
    } else if (crowded) {       /* fewer keys, or all of one value at once */
        s->counts = s->last == s->low;
        s->last = s->low + (s->last - s->low) / 2;
    } else {
        EACH(j, COLUMN)
            if (count[j] <= rank) {
                if (seen[j] > rank)
                    median[j] = s->counts ? s->low : (uint)(sorted[place[j]] >> 32);
                count[j] = seen[j];
            }
        s->counts = false;
        s->low = s->last + 1;
    }
    if (!s->searches && !s->counts && !crowded) {
        while (s->at < PORTION - 1 && sample[s->at] <= s->low)
            s->at = min(s->at + step, PORTION - 1);
        s->last = sample[s->at] > s->low ? sample[s->at] - 1 : UINT_MAX;
    }
}

/* The smallest of a work-item's four. */
inline int min_of(const int *v)
{
    return min(min(v[0], v[1]), min(v[2], v[3]));
}
