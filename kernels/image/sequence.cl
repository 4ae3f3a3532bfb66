/* SPDX-License-Identifier: BSD-3-Clause */
/* Images made of sequences over all pixels. */

/*
 * java.util.Random from its scrambled seed: pixel i has the state after i + 1 steps. steps[k] holds factor and summand of 2^k
 * steps; stride those of as many steps as there are work-items.
 */
kernel void random_line(OUTPUT(to), TABLE(steps), ulong seed, ulong stride_factor, ulong stride_summand, float least, float range, int dense)
{
    const ulong mask = (1UL << 48) - 1, count = (ulong)to.width * to.height * to.depth;
    constant ulong2 *step = TABLE_OF(ulong2, steps);
    ulong state = seed, left = get_global_id(0) + 1;
    for (int k = 0; left; k++, left >>= 1)
        if (left & 1)
            state = (state * step[k].x + step[k].y) & mask;
    for (ulong i = get_global_id(0); i < count; i += get_global_size(0)) {
        const float value = (float)(uint)(state >> 24) * 0x1p-24f * range + least;
        if (dense) {
            store_float(to_pixels, to.type, (INDEX)to.offset + (INDEX)i, value);
        } else {
            const ulong row = i / (ulong)to.width;
            STORE(to, (int)(i % (ulong)to.width), (int)(row % (ulong)to.height), (int)(row / (ulong)to.height), value);
        }
        state = (state * stride_factor + stride_summand) & mask;
    }
}

/* Counts z fastest, then y, then x, in an image of that height and depth where the pixel at 0, 0, 0 has the number `start`. */
kernel void nonzero_to_index(INPUT(from), OUTPUT(to), long height, long depth, long start)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const ulong index = (ulong)(start + (x * height + y) * depth + z) + 1;
    STORE_LABEL(to, x, y, z, LOAD_CLAMPED(from, x, y, z) != 0.0f ? (uint)min(index, 0xffffffffUL) : 0);
}
