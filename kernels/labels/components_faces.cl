/* SPDX-License-Identifier: BSD-3-Clause */
/* Joins blocks across the faces between the tiles of components_blocks.cl, then writes components as labels. */
#include "bit_lines.cl"
#include "components.cl"
#include "components_block_links.cl"
#define TOGETHER

/* Removes the links between two rows that follow from links of both rows to a third row. */
inline block_links links_without(block_links l, block_links to_third, block_links onwards)
{
    l.straight &= ~(to_third.straight & onwards.straight);
    l.left &= ~(to_third.straight & onwards.left) & ~(to_third.left & onwards.straight << 1);
    l.right &= ~(to_third.straight & onwards.right) & ~(to_third.right & onwards.straight >> 1);
    return l;
}

typedef struct {
    global const uint2 *bits;
    int row_words, height, depth;
} block_image;

inline uint2 row_of_pixels(const block_image b, int column, int y, int z)
{
    return y < b.height && z < b.depth ? b.bits[((uint)z * b.height + y) * b.row_words + column] : (uint2)(0);
}

/* ORs the four rows of 64 pixels that can touch the row of blocks at dy, dz. */
inline block_row row_of_blocks(const block_image b, int column, int line, int layer, int dy, int dz)
{
    uint2 w = 0;
    for (int z = dz > 0; z <= (dz >= 0); z++)
        for (int y = dy > 0; y <= (dy >= 0); y++)
            w |= row_of_pixels(b, column, 2 * line + y, 2 * layer + z);
    return blocks_of(w);
}

inline uint node_of_block(const block_image b, int column, int line, int layer, int i)
{
    return ((2 * (uint)layer * b.height + 2 * line) * b.row_words + column) * ROW_BLOCKS + i;
}

/* Drops a pair if the work-item `step` before this one has the same pair. Neighbours often join the same two
 * components; without this, all would wait for the same few roots. */
#define SKIP_PAIR_OF_PREVIOUS(pairs, mine, step)                                                                       \
    pairs[get_local_id(0)] = mine;                                                                                     \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                      \
    uint2 last = (int)get_local_id(0) >= (step) && all(pairs[get_local_id(0) - (step)] == mine) ? mine                 \
        : (uint2)(NO_NODE);

inline uint2 join_if_new_pair(volatile global uint *parent, uint a, uint b, uint2 last)
{
    const uint2 pair = (uint2)(parent[a], parent[b]);
    if (any(pair != last) && pair.x != pair.y)
        join(parent, pair.x, pair.y);
    return pair;
}

enum { FACE_LANES = 64 };

/*
 * Joins the rows of blocks directly after the faces along y (axis 1) or z (axis 2) with the three rows of blocks on the
 * other side of the face that touch them. The distance between faces is `tile` rows of blocks; each face has `lines`
 * rows.
 */
kernel void blocks_join_faces(global const uint2 *bits, volatile global uint *parent, int row_words, int height,
                              int depth, int axis, int tile, int lines)
{
    local uint2 pairs[FACE_LANES];
    const block_image image = {bits, row_words, height, depth};
    const int along = (int)get_global_id(0) / row_words, column = (int)get_global_id(0) % row_words;
    const int face = ((int)get_global_id(1) / 3 + 1) * tile, d = (int)get_global_id(1) % 3 - 1;
    const int line = axis == 1 ? face : along, layer = axis == 1 ? along : face, dy = axis == 1 ? -1 : d,
              dz = axis == 1 ? d : -1;
    const bool inside =
        along < lines && line + dy >= 0 && 2 * (line + dy) < height && layer + dz >= 0 && 2 * (layer + dz) < depth;
    block_links needed = {0, 0, 0};
    uint2 mine = NO_NODE;
    const uint my_node = node_of_block(image, column, line, layer, 0),
               node = node_of_block(image, column, line + dy, layer + dz, 0);
    if (inside) {
        const uint my_links = links_inside(row_of_blocks(image, column, line, layer, 0, 0));
        const uint links = links_inside(row_of_blocks(image, column, line + dy, layer + dz, 0, 0));
        /* the third row lies directly before the face */
        const int ty = axis == 1 ? -1 : 0, tz = axis == 2 ? -1 : 0;
        block_links to_third = {0, 0, 0}, onwards = {0, 0, 0};
        /* pair 0: to the third row; 1: from the third row onwards; 2: directly */
        ROLLED for (int pair = d != 0 ? 0 : 2; pair < 3; pair++) {
            const int y = pair == 1 ? ty : 0, z = pair == 1 ? tz : 0, go_y = pair == 0 ? ty : dy - y,
                      go_z = pair == 0 ? tz : dz - z;
            const block_links found =
                links_between(row_of_blocks(image, column, line + y, layer + z, go_y, go_z),
                              row_of_blocks(image, column, line + y + go_y, layer + z + go_z, -go_y, -go_z));
            to_third = pair == 0 ? found : to_third;
            onwards = pair == 1 ? found : onwards;
            needed = found;
        }
        needed = links_without(needed_links(needed, my_links, links), to_third, onwards);
        if (needed.straight) {
            const int i = BIT_NUMBER(ONE_BIT(needed.straight));
            mine = (uint2)(parent[my_node + i], parent[node + i]);
        }
    }
    SKIP_PAIR_OF_PREVIOUS(pairs, mine, row_words)
    ROLLED for (int kind = 0; kind < 3; kind++) {       /* straight, to the left, to the right */
        ROLLED for (uint remaining = kind == 0   ? needed.straight
                                : kind == 1 ? needed.left
                                            : needed.right;
                    remaining; remaining &= remaining - 1)
        {
            const int i = BIT_NUMBER(ONE_BIT(remaining));
            last = join_if_new_pair(parent, my_node + i, node + i + (kind == 0 ? 0 : 2 * kind - 3), last);
        }
    }
}

/*
 * Joins the first block of each row of 32 blocks with the last blocks of the nine rows that precede it along x: in its
 * own line and the eight neighbouring lines. Each bit of `front` and `back` is a row of pixels.
 */
kernel void blocks_join_columns(global const uint2 *bits, volatile global uint *parent, int row_words, int height,
                                int depth)
{
    local uint2 pairs[FACE_LANES];
    const block_image image = {bits, row_words, height, depth};
    const int line = get_global_id(0), layer = get_global_id(1), column = (int)get_global_id(2) + 1;
    uint front = 0, back = 0;       /* rows -1 to 2 of layers -1 to 2 */
    uint2 mine = NO_NODE;
    for (int i = 0; i < 4; i++)
        front |= 2 * line < height ? (row_of_pixels(image, column, 2 * line + i % 2, 2 * layer + i / 2).x & 1)
                                         << (5 + i % 2 + i / 2 * 4)
                                   : 0;
    for (int i = 0; front && i < 16; i++) {
        const int y = 2 * line - 1 + i % 4, z = 2 * layer - 1 + i / 4;
        if (y >= 0 && z >= 0)
            back |= (row_of_pixels(image, column - 1, y, z).y >> 31) << i;
    }
    const uint my_node = node_of_block(image, column, line, layer, 0);
    const bool straight = front && (back & 0x0660);
    if (straight)
        mine = (uint2)(parent[my_node], parent[node_of_block(image, column - 1, line, layer, 31)]);
    SKIP_PAIR_OF_PREVIOUS(pairs, mine, 1)
    if (straight)
        last = join_if_new_pair(parent, my_node, node_of_block(image, column - 1, line, layer, 31), last);
    for (int k = 0; front && k < 9; k++) {
        const int dy = k % 3 - 1, dz = k / 3 - 1;
        const uint my_rows = (dy < 0   ? 0x2222u
                              : dy > 0 ? 0x4444u
                                       : 0x6666u) &
                             (dz < 0   ? 0x00f0u
                              : dz > 0 ? 0x0f00u
                                       : 0x0ff0u);
        const uint rows = (dy < 0   ? 0x1111u
                           : dy > 0 ? 0x8888u
                                    : 0x6666u) &
                          (dz < 0   ? 0x000fu
                           : dz > 0 ? 0xf000u
                                    : 0x0ff0u);
        /* the last block of the row before this one touches both, so the link is implied */
        const bool is_implied = straight && (back & my_rows & 0x0660);
        if (k != 4 && (front & my_rows) && (back & rows) && !is_implied)
            last = join_if_new_pair(parent, my_node, node_of_block(image, column - 1, line + dy, layer + dz, 31), last);
    }
}

/* Writes the root of each component of a tile. Only a node's own work-item may write its entry, as in runs_flatten. */
kernel void blocks_flatten(volatile global uint *parent, global uint *roots, uint words)
{
    const uint word = get_global_id(0);
    if (word >= words)
        return;
    const uint found = roots[word];
    uint marks = found;
    for (uint remaining = found; remaining; remaining &= remaining - 1) {
        const uint mark = ONE_BIT(remaining), node = word * ROW_BLOCKS + BIT_NUMBER(mark);
        uint root = node;
        for (uint up = parent[root]; up != root; up = parent[root])
            root = up;
        if (root != node) {
            parent[node] = root;
            marks ^= mark;
        }
    }
    if (marks != found)
        roots[word] = marks;
}

inline uint label_of_block(global const uint *parent, global const uint *roots, global const uint *before, uint node)
{
    const uint root = root_of_block(parent, node);
    return rank_of(roots, before, root / ROW_BLOCKS, root % ROW_BLOCKS);
}

/* For label images that have the extent of the bits and whose rows are aligned to four pixels. */
kernel void blocks_label_vec4(global const uint *bits, global const uint *parent, global const uint *roots,
                              global const uint *before, int row_words, OUTPUT(labels))
{
    const int x = 4 * (int)get_global_id(0), y = 2 * (int)get_global_id(1), z = 2 * (int)get_global_id(2);
    if (!INSIDE(labels, x, y, z))
        return;
    uint set[4];
    for (int k = 0; k < 4; k++) {
        const int row = y + k % 2, slice = z + k / 2;
        set[k] =
            row < labels.height && slice < labels.depth
                ? bits[(((uint)slice * labels.height + row) * row_words + x / 64) * 2 + x / 32 % 2] >> (x & 31) & 15
                : 0;
    }
    const uint all = set[0] | set[1] | set[2] | set[3],
               node = (((uint)z * labels.height + y) * row_words + x / 64) * ROW_BLOCKS + x / 2 % ROW_BLOCKS;
    const uint2 label = (uint2)(all & 3 ? label_of_block(parent, roots, before, node) : 0,
                                all & 12 ? label_of_block(parent, roots, before, node + 1) : 0);
    for (int k = 0; k < 4; k++)
        if (y + k % 2 < labels.height && z + k / 2 < labels.depth)
            STORE_FOUR_LABELS(labels, x, y + k % 2, z + k / 2,
                              select((uint4)(0), label.xxyy, (set[k] & (uint4)(1, 2, 4, 8)) != 0));
}

kernel void blocks_label(global const uint *bits, global const uint *parent, global const uint *roots,
                         global const uint *before, int row_words, int width, int height, int depth, OUTPUT(labels))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(labels, x, y, z))
        return;
    const int from_x = min(x, width - 1), from_y = min(y, height - 1), from_z = min(z, depth - 1);
    const uint row = ((uint)from_z * height + from_y) * row_words + from_x / 64;
    const bool set = bits[row * 2 + from_x / 32 % 2] >> (from_x & 31) & 1;
    STORE_LABEL(labels, x, y, z,
                set ? label_of_block(parent, roots, before, node_of_pixel(row_words, height, from_x, from_y, from_z))
                    : 0);
}
