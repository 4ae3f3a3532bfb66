/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Components connected by faces, edges and corners. All set pixels of a block of 2x2x2 touch, so whole blocks are
 * joined. A word has one bit for each of 32 blocks in a row, which cover four rows of 64 pixels. Links between blocks
 * are computed as bits of such words, and redundant links are removed before anything is joined. A node is the number
 * of a pixel divided by 2, so 64 pixels of a row have 32 nodes. A block has the node of its upper left pixel. A
 * component has the node of its first pixel, so roots are in the order of first pixels.
 */

enum { BLOCK_ROWS = 64, ROW_BLOCKS = 32, PIXEL_ROWS = 256, NO_NODE = 0xffffffff };

/* A row of blocks. A bit says whether the block has a set pixel in its even column, or in its odd column. */
typedef struct {
    uint even, odd;
} block_row;

/*
 * Links from the blocks of a row to blocks of another row: to the block at the same place (straight), to the one on its
 * left, and to the one on its right.
 */
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

/* Links from each block to the block on its left in the same row. */
inline uint links_inside(block_row all)
{
    return all.even & all.odd << 1;
}

inline block_links links_between(block_row my, block_row their)
{
    const block_links l = {(my.even | my.odd) & (their.even | their.odd), my.even & their.odd << 1,
                           my.odd & their.even >> 1};
    return l;
}

/*
 * The links that do not follow from other links between the two rows; `my` and `their` are the links within the rows.
 */
inline block_links needed_links(block_links all, uint my, uint their)
{
    const block_links l = {all.straight & ~(all.straight << 1 & my & their),
                           all.left & ~(all.straight & their) & ~(all.straight << 1 & my),
                           all.right & ~(all.straight & their >> 1) & ~(all.straight >> 1 & my >> 1)};
    return l;
}

/* First block of the run of linked blocks that contains block i. */
inline int run_start(uint linked, int i)
{
    return 31 - (int)clz(~linked & ((2u << i) - 1));
}

/* The node of the block of a pixel. root_of_block gives the root of a block's node after blocks_flatten. */
inline uint node_of_pixel(int row_words, int height, int x, int y, int z)
{
    return (((uint)(z & ~1) * height + (y & ~1)) * row_words + x / 64) * ROW_BLOCKS + x / 2 % ROW_BLOCKS;
}

inline uint root_of_block(global const uint *parent, uint node)
{
    return parent[parent[node]];
}
