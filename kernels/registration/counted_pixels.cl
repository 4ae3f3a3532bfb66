/* SPDX-License-Identifier: BSD-3-Clause */
/* Which pixels of a movie count in a registration. */

enum { COUNTED_GROUP = 128, RANGE_NUMBERS = 5 };

/* Rules by which pixels do not count: where a mask is 0, where the pixel is 0, where it is NaN. */
enum { BY_MASK = 1, NOT_ZERO = 2, NOT_NAN = 4 };

inline bool is_counted(INPUT(frames), INPUT(mask), int rules, int x, int y, int z)
{
    const float value = LOAD(frames, x, y, z);
    if (((rules & NOT_ZERO) && value == 0.0f) || ((rules & NOT_NAN) && isnan(value)))
        return false;
    return !(rules & BY_MASK) || LOAD(mask, x, y, mask.depth > 1 ? z : 0) != 0.0f;
}

/*
 * Writes five numbers for each work-group of each frame: the smallest and the largest value, the sum of values times
 * `share`, and the numbers of counted pixels that are finite and that are not.
 */
kernel void counted_range(INPUT(frames), INPUT(mask), const int rules, const float share, global float *results)
{
    local float part[RANGE_NUMBERS][COUNTED_GROUP];
    const int l = get_local_id(0), groups = get_num_groups(0), stride = groups * COUNTED_GROUP,
              count = frames.width * frames.height, z = get_group_id(2);
    float low = INFINITY, high = -INFINITY, sum = 0.0f, finite = 0.0f, others = 0.0f;
    ROLLED for (int i = get_global_id(0); i < count; i += stride) {
        const int x = i % frames.width, y = i / frames.width;
        const float value = LOAD(frames, x, y, z);
        if (!is_counted(frames_pixels, frames, mask_pixels, mask, rules, x, y, z))
            continue;
        if (!isfinite(value)) {
            others += 1.0f;
            continue;
        }
        low = fmin(low, value);
        high = fmax(high, value);
        sum = fma(value, share, sum);
        finite += 1.0f;
    }
    part[0][l] = low;
    part[1][l] = high;
    part[2][l] = sum;
    part[3][l] = finite;
    part[4][l] = others;
    ROLLED for (int half_size = COUNTED_GROUP / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < half_size) {
            part[0][l] = fmin(part[0][l], part[0][l + half_size]);
            part[1][l] = fmax(part[1][l], part[1][l + half_size]);
            for (int k = 2; k < RANGE_NUMBERS; k++)
                part[k][l] += part[k][l + half_size];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < RANGE_NUMBERS)
        results[(z * groups + (int)get_group_id(0)) * RANGE_NUMBERS + l] = part[l][0];
}

/* Copies frames with `fill` in place of the pixels that do not count, and writes 1 to `counted` where pixels count. */
kernel void counted_fill(INPUT(frames), INPUT(mask), const int rules, OUTPUT(filled), OUTPUT(counted),
                         global const float *fill)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (!INSIDE(filled, x, y, z))
        return;
    const bool yes = is_counted(frames_pixels, frames, mask_pixels, mask, rules, x, y, z);
    STORE(filled, x, y, z, yes ? LOAD(frames, x, y, z) : fill[z]);
    STORE(counted, x, y, z, yes ? 1.0f : 0.0f);
}

/* A pixel counts if all pixels from step * x - before to step * x + after, and likewise along y, count. */
kernel void counted_shrink(INPUT(from), OUTPUT(to), const int step, const int before, const int after)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    float all = 1.0f;
    ROLLED for (int j = -before; j <= after; j++)
        ROLLED for (int i = -before; i <= after; i++)
            all = fmin(all, LOAD_CLAMPED(from, step * x + i, step * y + j, z));
    STORE(to, x, y, z, all);
}

/* Mean of the counted pixels of those frames whose entry of `used` is not 0; NaN where none of them counts. */
kernel void counted_mean(INPUT(frames), INPUT(mask), const int rules, OUTPUT(to), global const float *used)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (!INSIDE(to, x, y, 0))
        return;
    float sum = 0.0f, lost = 0.0f, number = 0.0f;
    ROLLED for (int z = 0; z < frames.depth; z++) {
        if (used[z] == 0.0f || !is_counted(frames_pixels, frames, mask_pixels, mask, rules, x, y, z))
            continue;
        const float more = LOAD(frames, x, y, z) - lost, next = sum + more;
        lost = next - sum - more;
        sum = next;
        number += 1.0f;
    }
    STORE(to, x, y, 0, number > 0.0f ? sum / number : NAN);
}
