/* SPDX-License-Identifier: BSD-3-Clause */

enum { GROUP = 16, EACH_ITEM = 4, TILE = GROUP * EACH_ITEM, STEP = 16 };

#define EACH(a, count) _Pragma("unroll") for (int a = 0; a < count; a++)

/*
 * A work-group computes a tile of the product from strips of both matrices in local memory. A work-item computes
 * EACH_ITEM x EACH_ITEM of its pixels, with a stride of GROUP. Slice z is the product of slices z. The next strips are
 * loaded while the current ones are multiplied.
 */
__attribute__((reqd_work_group_size(GROUP, GROUP, 1))) kernel void multiply_matrix(INPUT(left), INPUT(right),
                                                                                   OUTPUT(product))
{
    local float left_strip[STEP][TILE + 1], right_strip[STEP][TILE];
    const int i = (int)get_local_id(0), j = (int)get_local_id(1), depth = min(left.width, right.height),
              z = (int)get_global_id(2);
    const int x = EACH_ITEM * ((int)get_global_id(0) - i), y = EACH_ITEM * ((int)get_global_id(1) - j),
              left_z = min(z, left.depth - 1), right_z = min(z, right.depth - 1);
    float sum[EACH_ITEM][EACH_ITEM], next_left[EACH_ITEM], next_right[EACH_ITEM];
    EACH(a, EACH_ITEM)
        EACH(b, EACH_ITEM)
            sum[a][b] = 0.0f;
    for (int start = 0; start < depth + STEP; start += STEP) {
        if (start > 0)
            EACH(a, EACH_ITEM) {
                left_strip[i][j + a * GROUP] = next_left[a];
                right_strip[j][i + a * GROUP] = next_right[a];
            }
        EACH(a, EACH_ITEM) {
            const int row = y + j + a * GROUP, column = x + i + a * GROUP;
            next_left[a] = start + i < depth && row < left.height ? LOAD(left, start + i, row, left_z) : 0.0f;
            next_right[a] = start + j < depth && column < right.width ? LOAD(right, column, start + j, right_z) : 0.0f;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (start > 0)
            EACH(k, STEP) {
                float across[EACH_ITEM];
                EACH(b, EACH_ITEM)
                    across[b] = right_strip[k][i + b * GROUP];
                EACH(a, EACH_ITEM)
                    EACH(b, EACH_ITEM)
                        sum[a][b] = fma(left_strip[k][j + a * GROUP], across[b], sum[a][b]);
            }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    EACH(a, EACH_ITEM)
        EACH(b, EACH_ITEM)
            if (INSIDE(product, x + i + b * GROUP, y + j + a * GROUP, z))
                STORE(product, x + i + b * GROUP, y + j + a * GROUP, z, sum[a][b]);
}
