/* SPDX-License-Identifier: BSD-3-Clause */

#define TILE 32
#define TILE_ROWS 8

/* Reads the whole tile before it writes a pixel, so that the reads do not wait for each other. */
#define ACROSS(read, write)                                                                                            \
    {                                                                                                                  \
        uint bits[TILE / TILE_ROWS];                                                                                   \
        for (int i = 0; i < TILE / TILE_ROWS; i++)                                                                     \
            bits[i] = read(from_pixels, min(x0 + ly + i * TILE_ROWS, from.width - 1) * (INDEX)from.column + source);   \
        for (int i = 0; i < TILE / TILE_ROWS; i++)                                                                     \
            tile[ly + i * TILE_ROWS][lx] = bits[i];                                                                    \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
        for (int i = 0; i < TILE / TILE_ROWS; i++)                                                                     \
            if (x < to.width && y + i * TILE_ROWS < to.height)                                                         \
                write(to_pixels, target + i * TILE_ROWS * (INDEX)to.row, tile[lx][ly + i * TILE_ROWS]);                \
        break;                                                                                                         \
    }

#define READ8(pixels, at) (pixels)[at]
#define WRITE8(pixels, at, bits) (pixels)[at] = (uchar)(bits)
#define READ16(pixels, at) ((global const ushort *)(pixels))[at]
#define WRITE16(pixels, at, bits) ((global ushort *)(pixels))[at] = (ushort)(bits)
#define READ32(pixels, at) ((global const uint *)(pixels))[at]
#define WRITE32(pixels, at, bits) ((global uint *)(pixels))[at] = (bits)
#define READ_VALUE(pixels, at) as_uint(load_float(pixels, from.type, at))
#define WRITE_VALUE(pixels, at, bits) store_float(pixels, to.type, at, as_float(bits))

/*
 * Copies between images whose x and y axes are exchanged. A tile in local memory lets both sides be read and written
 * along their own rows. If `to` is larger, the border of `from` is repeated.
 */
kernel void copy_across(INPUT(from), OUTPUT(to))
{
    local uint tile[TILE][TILE + 1];
    const int lx = get_local_id(0), ly = get_local_id(1), z = (int)get_group_id(2);
    const int x0 = (int)get_group_id(0) * TILE, y0 = (int)get_group_id(1) * TILE, x = x0 + lx, y = y0 + ly;
    const INDEX source = AT(from, 0, min(y0 + lx, from.height - 1), min(z, from.depth - 1)), target = AT(to, x, y, z);
    switch (from.type == to.type ? from.type : 0) {
    case UINT8:
    case INT8: ACROSS(READ8, WRITE8)
    case UINT16:
    case INT16: ACROSS(READ16, WRITE16)
    case 0: ACROSS(READ_VALUE, WRITE_VALUE)
    default: ACROSS(READ32, WRITE32)
    }
}
