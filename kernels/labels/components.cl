/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Connected components by union-find on runs. A node is a run of set bits inside one word, numbered word * 16 + bit / 2,
 * so node order is raster order and the smallest node of a component, its root, holds the component's first pixel.
 */

#define ONE_BIT(w) ((w) & -(w))
#define BIT_NUMBER(w) (31 - (int)clz(w))
/* Bits moved to the next and to the previous pixel, with the neighbour word's last or first bit. */
#define TO_NEXT(w, before) ((w) << 1 | (before) >> 31)
#define TO_PREVIOUS(w, after) ((w) >> 1 | (after) << 31)

typedef struct {
    uint word, before, here, after;
} span;

inline span load_span(global const uint *bits, uint word, int column, int row_words)
{
    span s = {word, column > 0 ? bits[word - 1] : 0, bits[word], column + 1 < row_words ? bits[word + 1] : 0};
    return s;
}

/* Node of the run that holds bit i. */
inline uint node_of(uint word, uint here, int i)
{
    const uint gaps = ~here & ((2u << i) - 1);
    return word * 16 + (uint)(32 - (int)clz(gaps)) / 2;
}

/*
 * The same union-find in a group's memory and in the device's. Finding shortens the path while it walks; a node's parent never
 * grows. JOIN_ROWS joins my runs with those of another row. Links that follow from others are left out: all but the first of an
 * overlap, and those of pixels in `implied`, which touch the other row through a third one.
 */
#define UNION_FIND(space, find, join, join_rows)                                                                                 \
    inline uint find(volatile space uint *parent, uint node)                                                                     \
    {                                                                                                                            \
        for (uint up = parent[node]; up != node; up = parent[node]) {                                                            \
            const uint above = parent[up];                                                                                       \
            if (above != up)                                                                                                     \
                parent[node] = above;                                                                                            \
            node = above;                                                                                                        \
        }                                                                                                                        \
        return node;                                                                                                             \
    }                                                                                                                            \
    inline void join(volatile space uint *parent, uint a, uint b)                                                                \
    {                                                                                                                            \
        for (;;) {                                                                                                               \
            a = find(parent, a);                                                                                                 \
            b = find(parent, b);                                                                                                 \
            if (a == b)                                                                                                          \
                return;                                                                                                          \
            const uint low = min(a, b), high = max(a, b), old = atomic_min(&parent[high], low);                                  \
            if (old == high)                                                                                                     \
                return;                                                                                                          \
            a = old;                                                                                                             \
            b = low;                                                                                                             \
        }                                                                                                                        \
    }                                                                                                                            \
    inline void join_rows(volatile space uint *parent, span my, span their, uint implied, int box)                               \
    {                                                                                                                            \
        const uint both = my.here & their.here, before = my.before & their.before, after = my.after & their.after;               \
        for (uint left = both & ~TO_NEXT(both, before) & ~implied; left; left &= left - 1) {                                     \
            const int i = BIT_NUMBER(ONE_BIT(left));                                                                             \
            join(parent, node_of(my.word, my.here, i), node_of(their.word, their.here, i));                                      \
        }                                                                                                                        \
        if (!box)                                                                                                                \
            return;                                                                                                              \
        const uint other = my.here & ~both & ~implied;                                                                           \
        for (uint left = other & TO_NEXT(their.here, their.before) & ~TO_NEXT(both, before); left; left &= left - 1) {           \
            const int i = BIT_NUMBER(ONE_BIT(left));                                                                             \
            join(parent, node_of(my.word, my.here, i),                                                                           \
                 i > 0 ? node_of(their.word, their.here, i - 1) : node_of(their.word - 1, their.before, 31));                    \
        }                                                                                                                        \
        for (uint left = other & TO_PREVIOUS(their.here, their.after) & ~TO_PREVIOUS(both, after); left; left &= left - 1) {     \
            const int i = BIT_NUMBER(ONE_BIT(left));                                                                             \
            join(parent, node_of(my.word, my.here, i),                                                                           \
                 i < 31 ? node_of(their.word, their.here, i + 1) : node_of(their.word + 1, their.after, 0));                     \
        }                                                                                                                        \
    }

UNION_FIND(global, find_root, join, join_rows)
UNION_FIND(local, find_root_in_tile, join_in_tile, join_rows_in_tile)
