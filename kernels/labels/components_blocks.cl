/* SPDX-License-Identifier: BSD-3-Clause */
/* Labels components within tiles of 64 rows of blocks, with the links of components_block_links.cl. */
#include "components.cl"
#include "components_block_links.cl"

/*
 * The pixels of a row of blocks that can touch the row of blocks at dy, dz. `at` is the first row of pixels of the
 * former.
 */
inline block_row row_in_tile(local const uint *even, local const uint *odd, int at, int rows, int dy, int dz)
{
    block_row b = {0, 0};
    for (int z = dz > 0; z <= (dz >= 0); z++)
        for (int y = dy > 0; y <= (dy >= 0); y++) {
            b.even |= even[at + z * rows + y];
            b.odd |= odd[at + z * rows + y];
        }
    return b;
}

#define TILE_ROW(at, dy, dz) row_in_tile(even, odd, at, rows, dy, dz)

/* At first each set block is a run of one block. */
inline void begin_runs(volatile local uint *up, volatile local uint *first, local const uint *set, int lane, int lanes,
                       int blocks)
{
    for (int i = lane; i < blocks; i += lanes)
        if (set[i / ROW_BLOCKS] >> i % ROW_BLOCKS & 1) {
            up[i] = i;
            first[i] = NO_NODE;
        }
}

/*
 * Joins runs of two rows of a tile for each set bit of `bits`. The linked block of the other row is `step` blocks to
 * the right.
 */
inline void join_along(volatile local uint *up, uint bits, local const uint *linked, int my_row, int row, int step)
{
    for (uint left = bits; left; left &= left - 1) {
        const int i = BIT_NUMBER(ONE_BIT(left));
        join_in_tile(up, my_row * ROW_BLOCKS + run_start(linked[my_row], i),
                     row * ROW_BLOCKS + run_start(linked[row], i + step));
    }
}

/* Joins the runs of row `my_row` of a tile with those of another row, whose pixels are at dy and dz from `my_at`. */
inline void join_rows_of_blocks(volatile local uint *up, local const uint *even, local const uint *odd,
                                local const uint *linked, int rows, int my_row, int my_at, int dy, int dz)
{
    const int row = my_row + dz * (rows / 2) + dy, at = my_at + dz * 2 * rows + dy * 2;
    const block_links needed =
        needed_links(links_between(TILE_ROW(my_at, dy, dz), TILE_ROW(at, -dy, -dz)), linked[my_row], linked[row]);
    ROLLED for (int kind = 0; kind < 3; kind++) join_along(up,
                                                           kind == 0   ? needed.straight
                                                           : kind == 1 ? needed.left
                                                                       : needed.right,
                                                           linked, my_row, row, kind == 0 ? 0 : 2 * kind - 3);
}

/*
 * Stores the root of the run that begins with `block`, and lowers the first pixel of that root to the first pixel of
 * the run. The run is bits `run` of the rows from `at` on.
 */
inline void learn_root(volatile local uint *up, volatile local uint *first, local const uint *even,
                       local const uint *odd, int rows, int at, uint run, uint block)
{
    uint pixel = NO_NODE;
    for (int k = 3; k >= 0; k--) {
        const int line_at = at + k / 2 * rows + k % 2;
        const uint pixels_of_run = (even[line_at] | odd[line_at]) & run;
        if (pixels_of_run)
            pixel = line_at * ROW_BLOCKS + BIT_NUMBER(ONE_BIT(pixels_of_run));
    }
    uint root = block;
    for (uint above = up[root]; above != root; above = up[root])
        root = above;
    up[block] = root;
    if (first[root] > pixel)
        atomic_min(&first[root], pixel);
}

/* Makes the node of the component's first pixel the parent of a block's node. The root also marks this pixel. */
inline void name_block(global uint *parent, volatile local uint *marks, local const uint *first_node, uint block_node,
                       uint pixel, bool is_root)
{
    const uint line_at = pixel / ROW_BLOCKS, node = first_node[line_at] + pixel % ROW_BLOCKS;
    parent[block_node] = node;
    if (is_root) {
        atomic_or(&marks[line_at], 1u << pixel % ROW_BLOCKS);
        parent[node] = node;
    }
}

/*
 * A work-item handles one row of pixels, but joins one pair of rows of blocks. A tile has 8 x 8 rows of blocks. In a
 * plane it has 64 x 1 rows of blocks and half as many work-items.
 */
kernel void blocks_join_tiles(global const uint2 *bits, global uint *parent, global uint *roots, int row_words,
                              int height, int depth)
{
    local uint even[PIXEL_ROWS], odd[PIXEL_ROWS], first_node[PIXEL_ROWS], linked[BLOCK_ROWS], set[BLOCK_ROWS];
    volatile local uint marks[PIXEL_ROWS], up[BLOCK_ROWS * ROW_BLOCKS], first[BLOCK_ROWS * ROW_BLOCKS];
    local int found;
    const int rows = get_local_size(1), lanes = rows * (int)get_local_size(2), lines = rows / 2,
              lane = (int)get_local_id(2) * rows + (int)get_local_id(1);
    const int column = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    const uint word = ((uint)z * height + y) * row_words + column;
    const bool inside = y < height && z < depth;
    const uint2 pixels = inside ? bits[word] : (uint2)(0);
    const block_row mine = blocks_of(pixels);
    if (lane == 0)
        found = 0;
    even[lane] = mine.even;
    odd[lane] = mine.odd;
    if (lanes < PIXEL_ROWS)     /* a plane has no second slice */
        even[lane + lanes] = odd[lane + lanes] = 0;
    first_node[lane] = word * ROW_BLOCKS;
    marks[lane] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (pixels.x | pixels.y)
        found = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    const int blocks = found ? BLOCK_ROWS * ROW_BLOCKS : 0;      /* an empty tile has nothing to do */
    const int my_row = lane % BLOCK_ROWS, line = my_row % lines, layer = my_row / lines,
              my_at = layer * 2 * rows + line * 2;
    if (lane < BLOCK_ROWS) {
        const block_row all = TILE_ROW(my_at, 0, 0);
        linked[lane] = links_inside(all);
        set[lane] = all.even | all.odd;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    begin_runs(up, first, set, lane, lanes, blocks);
    barrier(CLK_LOCAL_MEM_FENCE);
    const int pair = lanes < PIXEL_ROWS ? 3 - lane / BLOCK_ROWS : lane / BLOCK_ROWS, dy = pair == 3 ? -1 : pair - 1,
              dz = pair == 3 ? 0 : -1;
    if (line + dy >= 0 && line + dy < lines && layer + dz >= 0)
        join_rows_of_blocks(up, even, odd, linked, rows, my_row, my_at, dy, dz);
    barrier(CLK_LOCAL_MEM_FENCE);
    /* store the root of each run and the first pixel of each root */
    for (int block = lane; block < blocks; block += lanes) {
        const int row = block / ROW_BLOCKS, i = block % ROW_BLOCKS, at = row / lines * 2 * rows + row % lines * 2;
        if ((~set[row] | linked[row]) >> i & 1)
            continue;
        const uint later = ~linked[row] & ~((2u << i) - 1),
                   run = (later ? ONE_BIT(later) - 1 : NO_NODE) & ~((1u << i) - 1);
        learn_root(up, first, even, odd, rows, at, run, block);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int block = lane; block < blocks; block += lanes) {
        const int row = block / ROW_BLOCKS, i = block % ROW_BLOCKS, at = row / lines * 2 * rows + row % lines * 2;
        if (set[row] >> i & 1) {
            const uint pixel = first[up[row * ROW_BLOCKS + run_start(linked[row], i)]];
            name_block(parent, marks, first_node, first_node[at] + i, pixel, first[block] == pixel);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (inside)
        roots[word] = marks[lane];
}
