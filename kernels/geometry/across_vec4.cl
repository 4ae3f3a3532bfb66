/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Like copy_across if four neighbours are one aligned read or write, except at the end of a row; each work-item moves
 * four vectors.
 */
kernel void copy_across_vec4(INPUT(from), OUTPUT(to))
{
    enum { SIDE = 64, VECTORS = SIDE / 4 };
    local uint tile[SIDE][SIDE + 1];
    const int vector = 4 * (int)get_local_id(0), line = get_local_id(1), z = (int)get_group_id(2);
    const int x0 = (int)get_group_id(0) * SIDE, y0 = (int)get_group_id(1) * SIDE;
#define MOVE_VEC4(T)                                                                                                   \
    {                                                                                                                  \
        JOIN(T, 4) four[4];                                                                                            \
        for (int i = 0; i < 4; i++)                                                                                    \
            four[i] = *(global const JOIN(T, 4) *)((global const T *)from_pixels +                                     \
                AT(from, min(x0 + line + i * VECTORS, from.width - 1),                                                 \
                                                                                      min(y0 + vector, (from.height -  \
                                                                                          1) & ~3), z));               \
        for (int i = 0; i < 4; i++) {                                                                                  \
            local uint *pixels = tile[line + i * VECTORS] + vector;                                                    \
            pixels[0] = four[i].s0, pixels[1] = four[i].s1, pixels[2] = four[i].s2, pixels[3] = four[i].s3;            \
        }                                                                                                              \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
        for (int i = 0; i < 4; i++) {                                                                                  \
            const int row = line + i * VECTORS, left = y0 + row < to.height ? to.width - x0 - vector : 0;              \
            global T *target = (global T *)to_pixels + AT(to, x0 + vector, y0 + row, z);                               \
            if (left >= 4)                                                                                             \
                *(global JOIN(T, 4) *)target =                                                                         \
                    (JOIN(T, 4))((T)tile[vector][row], (T)tile[vector + 1][row], (T)tile[vector + 2][row],             \
                        (T)tile[vector + 3][row]);                                                                     \
            else                                                                                                       \
                for (int k = 0; k < left; k++)                                                                         \
                    target[k] = (T)tile[vector + k][row];                                                              \
        }                                                                                                              \
        break;                                                                                                         \
    }
    switch (from.type) {
    case UINT8:
    case INT8: MOVE_VEC4(uchar)
    case UINT16:
    case INT16: MOVE_VEC4(ushort)
    default: MOVE_VEC4(uint)
    }
}
