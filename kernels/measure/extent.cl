/* SPDX-License-Identifier: BSD-3-Clause */
#include "batches.cl"

/* `ends` has for each axis the complement of the low end, and the high end plus 1, so that both only grow. */
inline void grow_end(volatile global uint *end, uint value)
{
    if (*end < value)
        atomic_max(end, value);
}

/* A work-item reads WALK rows of four columns; `wide`: all of them are aligned vectors. */
kernel void bounding_box(INPUT(source), int first_row, int first_slice, volatile global uint *ends, int wide)
{
    enum { WALK = 32 };
    const int x = 4 * (int)get_global_id(0), start = (int)get_global_id(1) * WALK, z = (int)get_global_id(2);
    if (!INSIDE(source, x, start, z))
        return;
    const int4 keep = (int4)(0, 1, 2, 3) < (int4)(source.width - x);
    int first = -1, last = -1;
    int4 columns = (int4)(0);
    for (int y = start; y < min(start + WALK, source.height); y += BATCH) {
        float4 a[BATCH];
        if (wide && y + BATCH <= source.height)
            load_batch(source_pixels, source.type, AT(source, x, y, z), (INDEX)source.row, a);
        else
            for (int k = 0; k < BATCH; k++)
                a[k] = load_at(source_pixels, &source, x, min(y + k, source.height - 1), z);
        for (int k = 0; k < BATCH; k++) {
            const int4 found = (a[k] >= 1.0f) & keep & (int4)(-(y + k < source.height));
            if (any(found)) {
                first = first < 0 ? first_row + y + k : first;
                last = first_row + y + k;
                columns |= found;
            }
        }
    }
    if (first < 0)
        return;
    const bool ends_high = columns.s3 || columns.s2, begins_low = columns.s0 || columns.s1;
    const int after = x + (ends_high ? (columns.s3 ? 4 : 3) : 1 + (columns.s1 != 0));
    const int before = x + (begins_low ? columns.s0 == 0 : 2 + (columns.s2 == 0));
    grow_end(ends, ~(uint)before);
    grow_end(ends + 1, (uint)after);
    grow_end(ends + 2, ~(uint)first);
    grow_end(ends + 3, (uint)last + 1);
    const uint slice = (uint)(first_slice + z);
    grow_end(ends + 4, ~slice);
    grow_end(ends + 5, slice + 1);
}
