/* SPDX-License-Identifier: BSD-3-Clause */
/* Images made of sequences over all pixels. */

/*
 * Computes the numbers of java.util.Random from its scrambled seed: pixel i has the state after i + 1 steps. Work-items
 * form `lines` lines of `across` items. In each line, the first `pixels` items have a pixel; the others do nothing. A
 * work-item writes its first pixel, and then each pixel that is lines * pixels further in the sequence and `stride`
 * elements further in memory. jump_factor and jump_summand advance the state to the work-item's next pixel; steps[k]
 * advances it by 2^k steps.
 */
kernel void random_line(OUTPUT(to), TABLE(steps), ulong seed, ulong jump_factor, ulong jump_summand, float min_value,
                        float range, int pixels, int across, long lines, long stride)
{
    const ulong mask = (1UL << 48) - 1, line = get_global_id(0) / (ulong)across, x = get_global_id(0) % (ulong)across;
    const ulong first = line * (ulong)pixels + x, row = first / (ulong)to.width,
                count = (ulong)to.width * to.height * to.depth;
    constant ulong2 *step = TABLE_OF(ulong2, steps);
    if (x >= (ulong)pixels || line >= (ulong)lines)
        return;
    ulong state = seed, left = first + 1;
    for (int k = 0; left; k++, left >>= 1)
        if (left & 1)
            state = (state * step[k].x + step[k].y) & mask;
    INDEX at = AT(to, first % (ulong)to.width, row % (ulong)to.height, row / (ulong)to.height);
    for (ulong i = first; i < count; i += (ulong)lines * pixels, at += stride) {
        store_float(to_pixels, to.type, at, (float)(uint)(state >> 24) * 0x1p-24f * range + min_value);
        state = (state * jump_factor + jump_summand) & mask;
    }
}

/*
 * Numbers the nonzero pixels by their position, from 1, with z fastest, then y, then x; other pixels become 0. height,
 * depth: of the whole image. start: position of this part's first pixel in the whole image, from 0.
 */
kernel void nonzero_to_index(INPUT(from), OUTPUT(to), long height, long depth, long start)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const ulong index = (ulong)(start + (x * height + y) * depth + z) + 1;
    STORE_LABEL(to, x, y, z, LOAD_CLAMPED(from, x, y, z) != 0.0f ? (uint)min(index, 0xffffffffUL) : 0);
}
