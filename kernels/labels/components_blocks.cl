/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Components by side and corner. All set pixels of a block of 2x2x2 touch, so blocks are what is joined: rows of 32 blocks, four
 * rows of 64 pixels each, are words whose links are found, and those that follow from others left out, before anything is joined.
 * A node is named by half the number of a pixel, 32 nodes a row of 64. Blocks have the node of their upper left pixel, components
 * that of their first pixel, so the order of roots is that of first pixels.
 */

enum { BLOCK_ROWS = 64, ROW_BLOCKS = 32, PIXEL_ROWS = 256, NO_NODE = 0xffffffff };

/* Pixels of rows of blocks in even and in odd columns. */
typedef struct {
    uint even, odd;
} block_row;

/* Links of blocks with those of another row: at the same place, one to the left, one to the right. */
typedef struct {
    uint straight, left, right;
} block_links;

inline uint even_bits(uint w)
{
    w &= 0x55555555;
    w = (w | w >> 1) & 0x33333333;
    w = (w | w >> 2) & 0x0f0f0f0f;
    w = (w | w >> 4) & 0x00ff00ff;
    return (w | w >> 8) & 0xffff;
}

inline block_row blocks_of(uint2 w)
{
    const block_row b = {even_bits(w.x) | even_bits(w.y) << 16, even_bits(w.x >> 1) | even_bits(w.y >> 1) << 16};
    return b;
}

/* Links to the left in a row. */
inline uint links_inside(block_row all)
{
    return all.even & all.odd << 1;
}

inline block_links links_between(block_row my, block_row their)
{
    const block_links l = {(my.even | my.odd) & (their.even | their.odd), my.even & their.odd << 1, my.odd & their.even >> 1};
    return l;
}

/* Links that do not follow from others of the two rows, whose links inside are `my` and `their`. */
inline block_links needed_links(block_links all, uint my, uint their)
{
    const block_links l = {all.straight & ~(all.straight << 1 & my & their), all.left & ~(all.straight & their) & ~(all.straight << 1 & my),
                           all.right & ~(all.straight & their >> 1) & ~(all.straight >> 1 & my >> 1)};
    return l;
}

/* First block of the run of linked blocks that holds block i. */
inline int run_start(uint linked, int i)
{
    return 31 - (int)clz(~linked & ((2u << i) - 1));
}

/* Of a pixel its block's node, and of a node its root when all are flat. */
inline uint node_of_pixel(int row_words, int height, int x, int y, int z)
{
    return (((uint)(z & ~1) * height + (y & ~1)) * row_words + x / 64) * ROW_BLOCKS + x / 2 % ROW_BLOCKS;
}

inline uint root_of_block(global const uint *parent, uint node)
{
    return parent[parent[node]];
}

/* ---- a tile of 64 rows of blocks */

/* Pixels of a row of blocks that touch the row at dy, dz; `at` is its first row of pixels. */
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

/*
 * One work-item a row of pixels, in the middle one a pair of rows of blocks. Tiles are 8x8 rows of blocks, in planes 64x1 with half as
 * many items.
 */
kernel void blocks_join_tiles(global const uint2 *bits, global uint *parent, global uint *roots, int row_words, int height, int depth)
{
    local uint even[PIXEL_ROWS], odd[PIXEL_ROWS], first_node[PIXEL_ROWS], linked[BLOCK_ROWS], set[BLOCK_ROWS];
    volatile local uint marks[PIXEL_ROWS], up[BLOCK_ROWS * ROW_BLOCKS], first[BLOCK_ROWS * ROW_BLOCKS];
    local int found;
    const int rows = get_local_size(1), lanes = rows * (int)get_local_size(2), lines = rows / 2, lane = (int)get_local_id(2) * rows + (int)get_local_id(1);
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
    const int my_row = lane % BLOCK_ROWS, line = my_row % lines, layer = my_row / lines, my_at = layer * 2 * rows + line * 2;
    if (lane < BLOCK_ROWS) {
        const block_row all = TILE_ROW(my_at, 0, 0);
        linked[lane] = links_inside(all);
        set[lane] = all.even | all.odd;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = lane; i < blocks; i += lanes)
        if (set[i / ROW_BLOCKS] >> i % ROW_BLOCKS & 1) {
            up[i] = i;
            first[i] = NO_NODE;
        }
    barrier(CLK_LOCAL_MEM_FENCE);

    const int pair = lanes < PIXEL_ROWS ? 3 - lane / BLOCK_ROWS : lane / BLOCK_ROWS, dy = pair == 3 ? -1 : pair - 1, dz = pair == 3 ? 0 : -1;
    if (line + dy >= 0 && line + dy < lines && layer + dz >= 0) {
        const int row = my_row + dz * lines + dy, at = my_at + dz * 2 * rows + dy * 2;
        const block_links needed = needed_links(links_between(TILE_ROW(my_at, dy, dz), TILE_ROW(at, -dy, -dz)), linked[my_row], linked[row]);
#define JOIN_ALONG(which, step)                                                                                                  \
    for (uint left = needed.which; left; left &= left - 1) {                                                                     \
        const int i = BIT_NUMBER(ONE_BIT(left));                                                                                 \
        join_in_tile(up, my_row * ROW_BLOCKS + run_start(linked[my_row], i), row * ROW_BLOCKS + run_start(linked[row], i + step)); \
    }
        JOIN_ALONG(straight, 0)
        JOIN_ALONG(left, -1)
        JOIN_ALONG(right, 1)
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int block = lane; block < blocks; block += lanes) {       /* runs learn their root, roots their first pixel */
        const int row = block / ROW_BLOCKS, i = block % ROW_BLOCKS, at = row / lines * 2 * rows + row % lines * 2;
        if ((~set[row] | linked[row]) >> i & 1)
            continue;
        const uint later = ~linked[row] & ~((2u << i) - 1), run = (later ? ONE_BIT(later) - 1 : NO_NODE) & ~((1u << i) - 1);
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
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int block = lane; block < blocks; block += lanes) {
        const int row = block / ROW_BLOCKS, i = block % ROW_BLOCKS, at = row / lines * 2 * rows + row % lines * 2;
        if (set[row] >> i & 1) {
            const uint pixel = first[up[row * ROW_BLOCKS + run_start(linked[row], i)]], line_at = pixel / ROW_BLOCKS;
            const uint node = first_node[line_at] + pixel % ROW_BLOCKS;
            parent[first_node[at] + i] = node;
            if (first[block] == pixel) {        /* the root */
                atomic_or(&marks[line_at], 1u << pixel % ROW_BLOCKS);
                parent[node] = node;
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (inside)
        roots[word] = marks[lane];
}
