/* SPDX-License-Identifier: BSD-3-Clause */
/* The z axis of a separable filter of large radius: a work-item computes RUN pixels of its columns at once. */
#include "separable_axes.cl"
#include "separable_windows.cl"
kernel void separable_z(INPUT(from), OUTPUT(to), OTHER_INPUT const many_numbers along_z,
                        const COUNT count EPILOGUE_PARAMETERS)
{
    const int x = VB * (int)get_global_id(0), y = (int)get_global_id(1), z = RUN * (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    COLUMN sum[RUN];
    global const FROM *pixels = CONST_ROW(FROM, from, y, 0) + x;
    WINDOWS_Z(sum, RZ, along_z, from, pixels, z)
    EACH(i, 0, RUN)
        if (z + i < to.depth)
            PUT(x, y, z + i, sum[i], count)
}
