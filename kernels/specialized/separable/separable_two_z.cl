/* SPDX-License-Identifier: BSD-3-Clause */
/* The z axis of two filters, and their difference: a work-item computes RUN pixels of its columns at once. */
#include "separable_axes.cl"
#include "separable_windows.cl"
kernel void separable_two_z(INPUT(from), INPUT(second), OUTPUT(to), const numbers z_1, const numbers z_2,
                            const float roundings_1, const float roundings_2 EPILOGUE_PARAMETERS)
{
    const int x = VB * (int)get_global_id(0), y = (int)get_global_id(1), z = RUN * (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    COLUMN sum_1[RUN], sum_2[RUN];
    global const FROM *pixels_1 = CONST_ROW(FROM, from, y, 0) + x, *pixels_2 = CONST_ROW(FROM, second, y, 0) + x;
    WINDOWS_Z(sum_1, RZ, z_1, from, pixels_1, z)
    WINDOWS_Z(sum_2, RZ2, z_2, second, pixels_2, z)
    EACH(i, 0, RUN)
        if (z + i < to.depth)
            PUT_VALUES(to, x, y, z + i, finish(sum_1[i], roundings_1) - finish(sum_2[i], roundings_2))
}
