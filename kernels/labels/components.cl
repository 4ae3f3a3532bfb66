/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Components connected by faces, by union-find on runs. A node is a run of set bits inside one word, numbered word * 16
 * + bit / 2. Nodes are therefore in raster order, and the smallest node of a component, its root, holds the component's
 * first pixel.
 */

#define ONE_BIT(w) ((w) & -(w))
#define BIT_NUMBER(w) (31 - (int)clz(w))
/* Bits shifted to the next pixel, with the last bit of the previous word. */
#define TO_NEXT(w, before) ((w) << 1 | (before) >> 31)

typedef struct {
    uint word, before, here;
} span;

inline span load_span(global const uint *bits, uint word, int column)
{
    span s = {word, column > 0 ? bits[word - 1] : 0, bits[word]};
    return s;
}

/* Node of the run that holds bit i. */
inline uint node_of(uint word, uint here, int i)
{
    const uint gaps = ~here & ((2u << i) - 1);
    return word * 16 + (uint)(32 - (int)clz(gaps)) / 2;
}

/*
 * The same union-find in local and in global memory. Finding a root shortens the path, and a node's parent never grows.
 * JOIN_ROWS joins this row's runs with those of another row, once for each overlap.
 */
#define UNION_FIND(space, find, join, join_rows)                                                                       \
    inline uint find(volatile space uint *parent, uint node)                                                           \
    {                                                                                                                  \
        for (;;) {                                                                                                     \
            const uint up = parent[node];                                                                              \
            if (up == node)                                                                                            \
                return node;                                                                                           \
            const uint above = parent[up];                                                                             \
            if (above == up)                                                                                           \
                return up;                                                                                             \
            parent[node] = above;                                                                                      \
            node = above;                                                                                              \
        }                                                                                                              \
    }                                                                                                                  \
    inline void join(volatile space uint *parent, uint a, uint b)                                                      \
    {                                                                                                                  \
        for (;;) {                                                                                                     \
            a = find(parent, a);                                                                                       \
            b = find(parent, b);                                                                                       \
            if (a == b)                                                                                                \
                return;                                                                                                \
            const uint low = min(a, b), high = max(a, b), old = atomic_min(&parent[high], low);                        \
            if (old == high)                                                                                           \
                return;                                                                                                \
            a = old;                                                                                                   \
            b = low;                                                                                                   \
        }                                                                                                              \
    }                                                                                                                  \
    inline void join_rows(volatile space uint *parent, span my, span their)                                            \
    {                                                                                                                  \
        const uint both = my.here & their.here;                                                                        \
        for (uint left = both & ~TO_NEXT(both, my.before & their.before); left; left &= left - 1) {                    \
            const int i = BIT_NUMBER(ONE_BIT(left));                                                                   \
            join(parent, node_of(my.word, my.here, i), node_of(their.word, their.here, i));                            \
        }                                                                                                              \
    }

UNION_FIND(global, find_root, join, join_rows)
UNION_FIND(local, find_root_in_tile, join_in_tile, join_rows_in_tile)
