/* SPDX-License-Identifier: BSD-3-Clause */
/* Along z, of some pixels only. */

/* Slices around the one whose number the first slice of `position` gives. */
kernel void slices_at(INPUT(from), INPUT(position), OUTPUT(to), int start)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const float place = clamp(trunc(LOAD_CLAMPED(position, x, y, 0)), -1e9f, 1e9f);
    const long at = clamp((long)place + start + z, 0L, (long)from.depth - 1);
    MOVE(from, AT(from, min(x, from.width - 1), min(y, from.height - 1), at), to, AT(to, x, y, z))
}

/* Mean of the values above the threshold, or below it with sign -1; what float32 rounds away is kept beside the sum. */
kernel void mean_of_chosen(INPUT(from), OUTPUT(to), float threshold, float sign)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), slice = (int)get_global_id(2);
    if (!INSIDE(to, x, y, slice))
        return;
    float sum = 0.0f, rest = 0.0f;
    int count = 0;
    for (int z = 0; z < from.depth; z++) {
        const float value = LOAD_CLAMPED(from, x, y, z);
        if (sign * value > sign * threshold) {
            const float next = sum + value;
            rest += fabs(sum) >= fabs(value) ? (sum - next) + value : (value - next) + sum;
            sum = next;
            count++;
        }
    }
    STORE_SNAPPED(to, x, y, slice, (sum + (isfinite(sum) ? rest : 0.0f)) / (float)count);
}

/* Smallest value above the threshold; 0 if there is none. */
kernel void minimum_above(INPUT(from), OUTPUT(to), float threshold, int first, int count)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), slice = (int)get_global_id(2);
    if (!INSIDE(to, x, y, slice))
        return;
    float least = NAN;
    for (int z = first; z < first + count; z++) {
        const float value = LOAD_CLAMPED(from, x, y, z);
        if (value > threshold)
            least = fmin(least, value);
    }
    STORE(to, x, y, slice, isnan(least) ? 0.0f : least);
}

/* As integers, floats have the order of their values; those below 0 turned over. */
inline uint order_of(float value)
{
    const uint bits = as_uint(value);
    return bits >> 31 ? ~bits : bits | 0x80000000u;
}

/* Element count / 2 of the sorted values that are not 0, found bit by bit; 0 if there is none. */
kernel void median_of_nonzero(INPUT(from), OUTPUT(to))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), slice = (int)get_global_id(2);
    if (!INSIDE(to, x, y, slice))
        return;
    int count = 0;
    for (int z = 0; z < from.depth; z++)
        count += LOAD_CLAMPED(from, x, y, z) != 0.0f;
    uint median = 0;
    for (int bit = 31; bit >= 0 && count > 0; bit--) {
        const uint higher = median | 1u << bit;
        int below = 0;
        for (int z = 0; z < from.depth; z++) {
            const float value = LOAD_CLAMPED(from, x, y, z);
            below += value != 0.0f && order_of(value) < higher;
        }
        if (below <= count / 2)
            median = higher;
    }
    STORE(to, x, y, slice, count == 0 ? 0.0f : as_float(median >> 31 ? median & 0x7fffffffu : ~median));
}
