/* SPDX-License-Identifier: BSD-3-Clause */
#include "bit_rows.cl"

/* All touches store the same 1, so their order does not matter; testing first saves most stores. */
#define TOUCH(a, b)                                                                                                    \
    if ((a) != (b) && max(a, b) < (uint)matrix.height && min(a, b) < (uint)matrix.width &&                             \
        LOAD(matrix, min(a, b), max(a, b), 0) == 0.0f)                                                                 \
        STORE(matrix, min(a, b), max(a, b), 0, 1.0f);

kernel void touch_matrix(INPUT(labels), OUTPUT(matrix))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(labels, x, y, z))
        return;
    const uint label = LOAD_LABEL(labels, x, y, z), right = LOAD_LABEL_CLAMPED(labels, x + 1, y, z);
    const uint below = LOAD_LABEL_CLAMPED(labels, x, y + 1, z), behind = LOAD_LABEL_CLAMPED(labels, x, y, z + 1);
    TOUCH(label, right)
    TOUCH(label, below)
    TOUCH(label, behind)
}

kernel void touch_matrix_vec4(INPUT(labels), OUTPUT(matrix), int slices)
{
    EACH_TOUCH(slices, , TOUCH(low, high), )
}
