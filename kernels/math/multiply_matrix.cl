/* SPDX-License-Identifier: BSD-3-Clause */

enum { TILE = 16 };

/* A group makes a tile of the product from tiles of both matrices in local memory; slice z from slices z. */
kernel void multiply_matrix(INPUT(left), INPUT(right), OUTPUT(product))
{
    local float left_tile[TILE][TILE + 1], right_tile[TILE][TILE + 1];
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    const int i = (int)get_local_id(0), j = (int)get_local_id(1), depth = min(left.width, right.height);
    const int left_z = min(z, left.depth - 1), right_z = min(z, right.depth - 1);
    float sum = 0.0f;
    for (int start = 0; start < depth; start += TILE) {
        left_tile[j][i] = start + i < depth && y < left.height ? LOAD(left, start + i, y, left_z) : 0.0f;
        right_tile[j][i] = start + j < depth && x < right.width ? LOAD(right, x, start + j, right_z) : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; k++)
            sum = fma(left_tile[j][k], right_tile[k][i], sum);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (INSIDE(product, x, y, z))
        STORE(product, x, y, z, sum);
}
