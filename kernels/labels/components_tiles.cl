/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds components of runs in tiles, joins them across faces between tiles, and writes labels. */
#include "bit_lines.cl"
#include "components.cl"

inline span tile_span(local const uint *tile, uint word, int column)
{
    span s = {word, column > 0 ? tile[word - 1] : 0, tile[word]};
    return s;
}

/*
 * Finds the components of a tile of 256 words, one per work-item. Runs of the tile are numbered in the same order as in
 * an image. Stores for every node its root in the tile.
 */
kernel void runs_join_tiles(global const uint *bits, global uint *parent, int row_words, int height, int depth)
{
    local uint tile[256], first_node[256];
    volatile local uint up[256 * 16];
    const int row = get_local_size(0), rows = get_local_size(1), plane = row * rows;
    const int column = get_local_id(0), y = get_local_id(1), z = get_local_id(2), word = z * plane + y * row + column;
    const bool inside = get_global_id(0) < row_words && get_global_id(1) < height && get_global_id(2) < depth;
    const uint at = ((uint)get_global_id(2) * height + (uint)get_global_id(1)) * row_words + (uint)get_global_id(0);
    const uint here = inside ? bits[at] : 0, starts = here & ~(here << 1);
    tile[word] = here;
    first_node[word] = at * 16;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint left = starts; left; left &= left - 1) {
        const uint node = node_of(word, here, BIT_NUMBER(ONE_BIT(left)));
        const bool goes_on = (left & 1) && column > 0 && tile[word - 1] >> 31;
        up[node] = goes_on ? node_of(word - 1, tile[word - 1], 31) : node;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const span my = tile_span(tile, word, column);
    if (here && y > 0)
        join_rows_in_tile(up, my, tile_span(tile, word - row, column));
    if (here && z > 0)
        join_rows_in_tile(up, my, tile_span(tile, word - plane, column));
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint left = starts; left; left &= left - 1) {
        const uint node = node_of(word, here, BIT_NUMBER(ONE_BIT(left)));
        uint root = node;
        for (uint above = up[root]; above != root; above = up[root])
            root = above;
        parent[first_node[word] + node % 16] = first_node[root / 16] + root % 16;
    }
}

/*
 * Joins rows on both sides of the faces between tiles. The row before the face lies `back` words earlier, and the next
 * row along the face `line_step` words later.
 */
kernel void runs_join_faces(global const uint *bits, volatile global uint *parent, int row_words, uint face_step,
                            uint line_step, int lines, int faces, uint back)
{
    const int column = get_global_id(0), line = get_global_id(1), face = get_global_id(2);
    if (column >= row_words || line >= lines || face >= faces)
        return;
    const uint word = (face + 1) * face_step + line * line_step + column;
    if (bits[word] != 0)
        join_rows(parent, load_span(bits, word, column), load_span(bits, word - back, column));
}

/* Joins the first pixel of each row of a tile with the pixel before it, which belongs to the previous tile. */
kernel void runs_join_columns(global const uint *bits, volatile global uint *parent, int row_words, int tile_words,
                              int height, int depth, int faces)
{
    const int face = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (face >= faces || y >= height || z >= depth)
        return;
    const uint word = ((uint)z * height + y) * row_words + (face + 1) * tile_words, here = bits[word],
               before = bits[word - 1];
    if ((here & 1) && before >> 31)
        join(parent, node_of(word, here, 0), node_of(word - 1, before, 31));
}

/*
 * Stores the root of every node, and marks a root at the first pixel of its run. Only a node's own work-item may write
 * here, because shortening another node's path could undo its root.
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

/* A node stands for two pixels, and only one of them can be marked. */
#define LABEL_OF_ROOT(root) rank_of(roots, before, (root) / 16, (root) % 16 * 2)

/* For label images that have the extent of the bits and whose rows are aligned to four pixels. */
kernel void runs_label_vec4(global const uint *bits, global const uint *parent, global const uint *roots,
                            global const uint *before, int row_words, OUTPUT(labels))
{
    const int x = 4 * (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(labels, x, y, z))
        return;
    const uint word = ((uint)z * labels.height + y) * row_words + x / 32, here = bits[word];
    uint4 label = 0;
    uint last = 0;
    const uint four = here >> (x & 31) & 15;
    for (uint i = 0; four && i < 4; i++, label = label.yzwx) {
        const bool set = four >> i & 1, goes_on = i > 0 && four >> (i - 1) & 1;
        if (set && !goes_on)
            last = LABEL_OF_ROOT(parent[node_of(word, here, (x & 31) + i)]);
        label.x = set ? last : 0;
    }
    STORE_FOUR_LABELS(labels, x, y, z, label);
}

kernel void runs_label(global const uint *bits, global const uint *parent, global const uint *roots,
                       global const uint *before, int row_words, int width, int height, int depth, OUTPUT(labels))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(labels, x, y, z))
        return;
    const int from = min(x, width - 1);
    const uint word = ((uint)min(z, depth - 1) * height + min(y, height - 1)) * row_words + from / 32,
               here = bits[word];
    uint label = 0;
    if (here >> (from & 31) & 1) {
        const uint root = parent[node_of(word, here, from & 31)];
        label = LABEL_OF_ROOT(root);
    }
    STORE_LABEL(labels, x, y, z, label);
}

/* Writes labels of set pixels only, four pixels of a row per work-item; the stride of rows is `label_row` pixels. */
kernel void runs_label_spots(global const uint *bits, global const uint *parent, global const uint *roots,
                             global const uint *before, uint words, int row_words, int label_row, global uint *labels)
{
    enum { ITEMS = 8 };
    const uint word = (uint)(get_global_id(0) / ITEMS);
    const int first = (int)(get_global_id(0) % ITEMS) * 4;
    if (word >= words)
        return;
    const uint here = bits[word], four = here >> first & 15;
    global uint *row = labels + (ulong)(word / row_words) * label_row + word % row_words * 32 + first;
    uint label = 0;
    for (int i = 0; four && i < 4; i++) {
        if ((four >> i & 1) == 0)
            continue;
        if (i == 0 || (four >> (i - 1) & 1) == 0)
            label = LABEL_OF_ROOT(parent[node_of(word, here, first + i)]);
        row[i] = label;
    }
}
