/* SPDX-License-Identifier: BSD-3-Clause */
/* Estimates the shift between frames from their spectra. */
#include "rings.cl"

enum { SHIFT_GROUP = 256 };

/* Adds all slices in order to a plane of float32. If `begins` is set, the plane has no values yet. */
kernel void esrrf_add_frames(INPUT(from), OUTPUT(to), int begins)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (!INSIDE(to, x, y, 0))
        return;
    global float *sum = (global float *)to_pixels + AT(to, x, y, 0);
    float value = begins ? 0.0f : *sum;
    for (int z = 0; z < from.depth; z++)
        value += LOAD(from, x, y, z);
    *sum = value;
}

/* Computes for each work-group the sum of its rows' pixels times the window, and the sum of the window. */
kernel void esrrf_window_sums(INPUT(image), global float *sums)
{
    local float part[SHIFT_GROUP];
    const int l = get_local_id(0), group = get_group_id(0);
    float sum = 0.0f, all = 0.0f;
    for (int y = group; y < image.height; y += get_num_groups(0)) {
        const float beside = tukey(y, image.height);
        for (int x = l; x < image.width; x += SHIFT_GROUP) {
            const float weight = tukey(x, image.width) * beside;
            sum = fma(weight, LOAD(image, x, y, 0), sum);
            all += weight;
        }
    }
    sum = fold_group(part, sum);
    all = fold_group(part, all);
    if (l == 0)
        vstore2((float2)(sum, all), group, sums);
}

/* Computes, in one work-group, the mean under the window. Subtracting it gives the windowed image mean 0. */
kernel void esrrf_window_mean(global const float *sums, global float *mean, int groups)
{
    local float part[SHIFT_GROUP];
    const int l = get_local_id(0);
    const float2 sums_there = l < groups ? vload2(l, sums) : (float2)(0.0f);
    const float sum = fold_group(part, sums_there.x), all = fold_group(part, sums_there.y);
    if (l == 0)
        *mean = all > 0.0f ? sum / all : 0.0f;
}

/* Multiplies the image, less its mean, by the window, and pads it with zeros. */
kernel void esrrf_taper_around(INPUT(from), OUTPUT(to), global const float *mean)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (!INSIDE(to, x, y, 0))
        return;
    const int inside = x < from.width && y < from.height;
    STORE(to, x, y, 0, inside ? (LOAD(from, x, y, 0) - *mean) * tukey(x, from.width) * tukey(y, from.height) : 0.0f);
}

/*
 * Frequencies below this number of waves across the field of view come from illumination and background rather than
 * from the sample.
 */
constant float COARSE = 2.5f;

inline float2 complex_at(global const float *pixels, layout l, int x, int y)
{
    return vload2(0, pixels + AT(l, 2 * x, y, 0));
}

/*
 * Writes the spectrum of the correlation twice, because the inverse transform overwrites one copy. Width and height are
 * those of the images. The highest frequencies have no direction, so they carry no information about a shift.
 */
kernel void esrrf_correlate(INPUT(moved), INPUT(still), OUTPUT(kept), OUTPUT(work), int width, int height)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (2 * x >= moved.width || y >= moved.height)
        return;
    const float2 a = complex_at((global const float *)moved_pixels, moved, x, y),
                 b = complex_at((global const float *)still_pixels, still, x, y);
    const float ky = y <= height / 2 ? y : y - height, kx = x;
    const int counts = fma(kx, kx, ky * ky) >= COARSE * COARSE && 2 * x != width && 2 * y != height;
    const float2 product = counts ? (float2)(fma(a.x, b.x, a.y * b.y), fma(a.y, b.x, -(a.x * b.y))) : (float2)(0.0f);
    vstore2(product, 0, (global float *)kept_pixels + AT(kept, 2 * x, y, 0));
    vstore2(product, 0, (global float *)work_pixels + AT(work, 2 * x, y, 0));
}

/*
 * Finds the highest value of a work-group and its position, and stores both in the first entries. The first position
 * wins a tie.
 */
inline void find_highest(local float *best, local int *place, float top, int at)
{
    const int l = get_local_id(0);
    best[l] = top;
    place[l] = at;
    for (int half_size = SHIFT_GROUP / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const int other = l + half_size;
        if (l < half_size && (best[other] > best[l] || (best[other] == best[l] && place[other] < place[l]))) {
            best[l] = best[other];
            place[l] = place[other];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/*
 * Writes, for each work-group, the bits and the position of the highest value in its rows, for shifts up to `max_x`
 * and `max_y`. Shifts wrap around the image.
 */
kernel void esrrf_find_peaks(INPUT(image), global int *peaks, int max_x, int max_y)
{
    local float best[SHIFT_GROUP];
    local int place[SHIFT_GROUP];
    const int l = get_local_id(0), group = get_group_id(0), row = 2 * max_x + 1, rows = 2 * max_y + 1;
    float top = -INFINITY;
    int at = 0;
    for (int j = group; j < rows; j += get_num_groups(0))
        for (int i = l; i < row; i += SHIFT_GROUP) {
            const int x = (i - max_x + image.width) % image.width, y = (j - max_y + image.height) % image.height;
            const float value = LOAD(image, x, y, 0);
            if (value > top) {
                top = value;
                at = j * row + i;
            }
        }
    find_highest(best, place, top, at);
    if (l == 0)
        vstore2((int2)(as_int(best[0]), place[0]), group, peaks);
}

/* Finds, in one work-group, the shift with the highest of the values from esrrf_find_peaks. */
kernel void esrrf_find_shift(global const int *peaks, OUTPUT(shift), int groups, int max_x, int max_y)
{
    local float best[SHIFT_GROUP];
    local int place[SHIFT_GROUP];
    const int l = get_local_id(0), row = 2 * max_x + 1;
    const int2 peak = l < groups ? vload2(l, peaks) : (int2)(as_int(-INFINITY), 0);
    find_highest(best, place, as_float(peak.x), peak.y);
    if (l == 0) {
        STORE(shift, 0, 0, 0, best[0] > -INFINITY ? place[0] % row - max_x : 0);
        STORE(shift, 1, 0, 0, best[0] > -INFINITY ? place[0] / row - max_y : 0);
    }
}

/*
 * Shifts a spectrum back, multiplies it by `factor`, and adds it to a sum. If `begins` is set, the sum has no values
 * yet.
 */
kernel void esrrf_add_aligned(INPUT(moved), OUTPUT(still), INPUT(shift), int width, int height, int begins,
                              float factor)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (2 * x >= moved.width || y >= moved.height)
        return;
    const float2 a = factor * complex_at((global const float *)moved_pixels, moved, x, y);
    global float *sum = (global float *)still_pixels + AT(still, 2 * x, y, 0);
    const float ky = y <= height / 2 ? y : y - height,
                angle = 2.0f * M_PI_F * (x * LOAD(shift, 0, 0, 0) / width + ky * LOAD(shift, 1, 0, 0) / height);
    const float cosine = cos(angle), sine = sin(angle);
    const float2 before = begins ? (float2)(0.0f) : vload2(0, sum);
    vstore2(before + (float2)(fma(a.x, cosine, -(a.y * sine)), fma(a.x, sine, a.y * cosine)), 0, sum);
}
