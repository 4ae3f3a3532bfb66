/* SPDX-License-Identifier: BSD-3-Clause */

#define TILE 32
#define TILE_ROWS 8

/*
 * Copies where neighbours along x of one image are neighbours along y of the other: through a tile, so that both are read and
 * written along their own memory. The border of `from` is repeated where `to` is larger.
 */
kernel void copy_across(INPUT(from), OUTPUT(to))
{
    local uint tile[TILE][TILE + 1];
    const int lx = get_local_id(0), ly = get_local_id(1), z = (int)get_group_id(2);
    const int x0 = (int)get_group_id(0) * TILE, y0 = (int)get_group_id(1) * TILE;
    const int same = from.type == to.type, fy = min(y0 + lx, from.height - 1), fz = min(z, from.depth - 1);
    for (int i = ly; i < TILE; i += TILE_ROWS) {
        const INDEX at = AT(from, min(x0 + i, from.width - 1), fy, fz);
        tile[i][lx] = same ? load_bits(from_pixels, from.type, at) : as_uint(load_float(from_pixels, from.type, at));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = ly; i < TILE; i += TILE_ROWS) {
        if (!INSIDE(to, x0 + lx, y0 + i, z))
            continue;
        const INDEX at = AT(to, x0 + lx, y0 + i, z);
        const uint bits = tile[lx][i];
        if (same)
            store_bits(to_pixels, to.type, at, bits);
        else
            store_float(to_pixels, to.type, at, as_float(bits));
    }
}
