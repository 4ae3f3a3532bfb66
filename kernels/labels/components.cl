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

/* Shortens the path while it walks; a node's parent never grows. */
inline uint find_root(volatile global uint *parent, uint node)
{
    for (uint up = parent[node]; up != node; up = parent[node]) {
        const uint above = parent[up];
        if (above != up)
            parent[node] = above;
        node = above;
    }
    return node;
}

inline void join(volatile global uint *parent, uint a, uint b)
{
    for (;;) {
        a = find_root(parent, a);
        b = find_root(parent, b);
        if (a == b)
            return;
        const uint low = min(a, b), high = max(a, b), old = atomic_min(&parent[high], low);
        if (old == high)
            return;
        a = old;
        b = low;
    }
}

kernel void runs_start(global const uint *bits, global uint *parent, uint words, int row_words)
{
    const uint word = get_global_id(0);
    if (word >= words)
        return;
    const uint here = bits[word];
    for (uint starts = here & ~(here << 1); starts; starts &= starts - 1) {
        const uint node = node_of(word, here, BIT_NUMBER(ONE_BIT(starts)));
        const bool goes_on = (starts & 1) && word % row_words > 0 && bits[word - 1] >> 31;
        parent[node] = goes_on ? node_of(word - 1, bits[word - 1], 31) : node;
    }
}

/*
 * Joins my runs with those of another row. Links that follow from others are left out: all but the first of an overlap,
 * and those of pixels in `implied`, which touch the other row through a third one.
 */
inline void join_rows(volatile global uint *parent, span my, span their, uint implied, int box)
{
    const uint both = my.here & their.here, both_before = my.before & their.before, both_after = my.after & their.after;
    for (uint left = both & ~TO_NEXT(both, both_before) & ~implied; left; left &= left - 1) {
        const int i = BIT_NUMBER(ONE_BIT(left));
        join(parent, node_of(my.word, my.here, i), node_of(their.word, their.here, i));
    }
    if (!box)
        return;
    const uint other = my.here & ~both & ~implied;
    for (uint left = other & TO_NEXT(their.here, their.before) & ~TO_NEXT(both, both_before); left; left &= left - 1) {
        const int i = BIT_NUMBER(ONE_BIT(left));
        join(parent, node_of(my.word, my.here, i),
             i > 0 ? node_of(their.word, their.here, i - 1) : node_of(their.word - 1, their.before, 31));
    }
    for (uint left = other & TO_PREVIOUS(their.here, their.after) & ~TO_PREVIOUS(both, both_after); left; left &= left - 1) {
        const int i = BIT_NUMBER(ONE_BIT(left));
        join(parent, node_of(my.word, my.here, i),
             i < 31 ? node_of(their.word, their.here, i + 1) : node_of(their.word + 1, their.after, 0));
    }
}

kernel void runs_join(global const uint *bits, volatile global uint *parent, uint words, int row_words, int height, int box,
                      int stack)
{
    const uint word = get_global_id(0);
    if (word >= words || bits[word] == 0)
        return;
    const int column = word % row_words, y = word / row_words % height;
    const uint plane = (uint)row_words * height;
    const bool has_above = y > 0, has_below = y + 1 < height;
    const span my = load_span(bits, word, column, row_words);
    if (has_above)
        join_rows(parent, my, load_span(bits, word - row_words, column, row_words), 0, box);
    if (!stack || word < plane)
        return;
    const span behind = load_span(bits, word - plane, column, row_words);
    join_rows(parent, my, behind, 0, box);
    if (box && has_above)
        join_rows(parent, my, load_span(bits, word - plane - row_words, column, row_words), behind.here | bits[word - row_words], box);
    if (box && has_below)
        join_rows(parent, my, load_span(bits, word - plane + row_words, column, row_words), behind.here | bits[word + row_words], box);
}

/*
 * Every node learns its root; roots are marked at their run's first pixel. Only a node's own item may write here: shortening
 * another item's path could undo its root.
 */
kernel void runs_flatten(global const uint *bits, volatile global uint *parent, global uint *roots, uint words)
{
    const uint word = get_global_id(0);
    if (word >= words)
        return;
    const uint here = bits[word];
    uint marks = 0;
    for (uint starts = here & ~(here << 1); starts; starts &= starts - 1) {
        const uint start = ONE_BIT(starts), node = node_of(word, here, BIT_NUMBER(start));
        uint root = node;
        for (uint up = parent[root]; up != root; up = parent[root])
            root = up;
        if (root == node)
            marks |= start;
        else
            parent[node] = root;
    }
    roots[word] = marks;
}

/* Root nodes count two pixels each, and only one of the two can be marked. */
kernel void runs_label(global const uint *bits, global const uint *parent, global const uint *roots, global const uint *before,
                       int row_words, int width, int height, int depth, OUTPUT(labels))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(labels, x, y, z))
        return;
    const int from = min(x, width - 1);
    const uint word = ((uint)min(z, depth - 1) * height + min(y, height - 1)) * row_words + from / 32, here = bits[word];
    uint label = 0;
    if (here >> (from & 31) & 1) {
        const uint root = parent[node_of(word, here, from & 31)];
        label = rank_of(roots, before, root / 16, root % 16 * 2);
    }
    STORE_LABEL(labels, x, y, z, label);
}
