/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares moved frames with still ones, and moves frames. */
#include "group_sums.cl"
#include "spline_line.cl"

enum { ALIGNMENT_GROUP = 128, ALIGNMENT_SUMS = 30 };

/*
 * A comparison of two frames of a level. Pixel u, v of frame `moved` is compared with position u, v + shift of frame
 * `still`, where shift = start + u * by_x + v * by_y + u * v * by_xy.
 */
typedef struct {
    int moved, still;
    float2 start, by_x, by_y, by_xy;
} alignment_job;

inline float2 shift_of(const alignment_job *j, float x, float y)
{
    return j->start + j->by_x * x + j->by_y * y + j->by_xy * (x * y);
}

/* Whether a pixel of one frame, and the pixel of another frame that is nearest to x, y + shift, both count. */
inline bool both_count(INPUT(masks), const alignment_job *j, int x, int y, float2 shift)
{
    const int2 near = (int2)(x, y) + convert_int2(floor(clamp(shift, -1e6f, 1e6f) + 0.5f));
    return LOAD(masks, x, y, j->moved) != 0.0f && LOAD_CLAMPED(masks, near.x, near.y, j->still) != 0.0f;
}

/* Value of a frame and its slopes along x and y at a pixel, from the coefficients around it. */
inline float3 value_and_slopes(INPUT(coefficients), int x, int y, int z)
{
    const int3 columns = (int3)(mirrored(x - 1, coefficients.width), x, mirrored(x + 1, coefficients.width));
    float3 sum = 0.0f;
    UNROLLED(j, 3)
    {
        const int row = mirrored(y - 1 + j, coefficients.height);
        const float before = LOAD(coefficients, columns.x, row, z), here = LOAD(coefficients, columns.y, row, z),
                    after = LOAD(coefficients, columns.z, row, z);
        const float smooth = (before + 4.0f * here + after) / 6.0f, slope = 0.5f * (after - before),
                    share = j == 1 ? 4.0f / 6.0f : 1.0f / 6.0f;
        sum += (float3)(share * smooth, share * slope, 0.5f * (j - 1) * smooth);
    }
    return sum;
}

/*
 * Adds one pair of pixels. `p`: value and slopes of the moved frame; `b`: value of the still frame; x, y: position from
 * the middle.
 */
inline void add_pair(float *sums, float3 p, float b, float x, float y)
{
    const float difference = p.x - b, moments[6] = {1.0f, x, y, x * x, x * y, y * y};
    const float2 g = p.yz * difference;
    sums[0] += 1.0f;
    sums[1] = fma(difference, difference, sums[1]);
    UNROLLED(i, 3)
    {
        sums[2 + i] = fma(g.x, moments[i], sums[2 + i]);
        sums[5 + i] = fma(g.y, moments[i], sums[5 + i]);
    }
    UNROLLED(i, 6)
    {
        sums[8 + i] = fma(p.y * p.y, moments[i], sums[8 + i]);
        sums[14 + i] = fma(p.y * p.z, moments[i], sums[14 + i]);
        sums[20 + i] = fma(p.z * p.z, moments[i], sums[20 + i]);
    }
    sums[26] += p.x;
    sums[27] += b;
    sums[28] = fma(p.x, p.x, sums[28]);
    sums[29] = fma(b, b, sums[29]);
}

/*
 * Computes sums for each job, over those pixels of its moved frame whose position lies inside the still frame. The sums
 * are the number of pixels, the squared differences, slopes times differences and products of slopes (both times
 * moments of the position), and the values and squares of both frames. Each work-group writes ALIGNMENT_SUMS numbers.
 * Positions are relative to `middle_x` and `middle_y`, in units of 1 / `scale` pixels. If `masked`, only pixels that
 * count in both frames are compared.
 */
kernel void alignment_sums(INPUT(coefficients), INPUT(masks), const int masked, global const alignment_job *jobs,
                           global float *results, const float middle_x, const float middle_y, const float scale)
{
    local float part[ALIGNMENT_GROUP];
    const int groups = get_num_groups(0), stride = groups * ALIGNMENT_GROUP,
              count = coefficients.width * coefficients.height, job = get_group_id(2);
    const alignment_job j = jobs[job];
    float sums[ALIGNMENT_SUMS];
    UNROLLED(i, ALIGNMENT_SUMS)
    sums[i] = 0.0f;
    ROLLED for (int i = get_global_id(0); i < count; i += stride) {
        const int y = i / coefficients.width, x = i - y * coefficients.width;
        const float2 shift = shift_of(&j, (float)x, (float)y);
        float still;
        if ((!masked || both_count(masks_pixels, masks, &j, x, y, shift)) &&
            cubic_at(coefficients_pixels, coefficients, x, y, j.still, shift, &still))
            add_pair(sums, value_and_slopes(coefficients_pixels, coefficients, x, y, j.moved), still,
                     (x - middle_x) * scale, (y - middle_y) * scale);
    }
    UNROLLED(i, ALIGNMENT_SUMS)
    write_group_sum(sums[i], part, ALIGNMENT_GROUP,
                    results + (job * groups + (int)get_group_id(0)) * ALIGNMENT_SUMS + i);
}

/* Moves each frame: pixel x, y becomes the spline at x + shift of its job. Pixels from outside become 0. */
kernel void alignment_move_frames(INPUT(coefficients), OUTPUT(to), global const alignment_job *jobs)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z) || z >= coefficients.depth)
        return;
    const alignment_job j = jobs[z];
    const float2 shift = shift_of(&j, (float)x, (float)y);
    float value = 0.0f;
    cubic_at(coefficients_pixels, coefficients, x, y, z, shift, &value);
    STORE(to, x, y, z, to.type == FLOAT32 ? value : floor(value + 0.5f));
}
