/* SPDX-License-Identifier: BSD-3-Clause */
/* How far frames are shifted against each other, from their spectra. */

enum { SHIFT_GROUP = 256 };

/* Adds all slices, one after the other, to a plane of float32; `begins`: it holds nothing yet. */
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

/* One group: the mean under the window, so that what is left has none there. */
kernel void esrrf_window_mean(INPUT(image), global float *mean)
{
    local float part[SHIFT_GROUP];
    float sum = 0.0f, all = 0.0f;
    for (int y = 0; y < image.height; y++)
        for (int x = get_local_id(0); x < image.width; x += SHIFT_GROUP) {
            const float weight = tukey(x, image.width) * tukey(y, image.height);
            sum = fma(weight, LOAD(image, x, y, 0), sum);
            all += weight;
        }
    sum = fold_group(part, sum);
    all = fold_group(part, all);
    if (get_local_id(0) == 0)
        *mean = all > 0.0f ? sum / all : 0.0f;
}

/* With zeros behind the image. */
kernel void esrrf_taper_around(INPUT(from), OUTPUT(to), global const float *mean)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (!INSIDE(to, x, y, 0))
        return;
    const int inside = x < from.width && y < from.height;
    STORE(to, x, y, 0, inside ? (LOAD(from, x, y, 0) - *mean) * tukey(x, from.width) * tukey(y, from.height) : 0.0f);
}

/* Frequencies below this many waves across the view are light and background, not the sample. */
constant float COARSE = 2.5f;

inline float2 complex_at(global const float *pixels, layout l, int x, int y)
{
    return vload2(0, pixels + AT(l, 2 * x, y, 0));
}

/*
 * The correlation's spectrum, twice: the inverse transform overwrites one. Width and height are those of the images. The
 * highest frequencies have no direction, so they tell nothing of a shift.
 */
kernel void esrrf_correlate(INPUT(moved), INPUT(still), OUTPUT(kept), OUTPUT(work), int width, int height)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (2 * x >= moved.width || y >= moved.height)
        return;
    const float2 a = complex_at((global const float *)moved_pixels, moved, x, y), b = complex_at((global const float *)still_pixels, still, x, y);
    const float ky = y <= height / 2 ? y : y - height, kx = x;
    const int counts = fma(kx, kx, ky * ky) >= COARSE * COARSE && 2 * x != width && 2 * y != height;
    const float2 product = counts ? (float2)(fma(a.x, b.x, a.y * b.y), fma(a.y, b.x, -(a.x * b.y))) : (float2)(0.0f);
    vstore2(product, 0, (global float *)kept_pixels + AT(kept, 2 * x, y, 0));
    vstore2(product, 0, (global float *)work_pixels + AT(work, 2 * x, y, 0));
}

/* One group: the highest of the shifts up to `most_x`, `most_y`; of equal ones the first. Shifts wrap around the image. */
kernel void esrrf_find_shift(INPUT(image), OUTPUT(shift), int most_x, int most_y)
{
    local float best[SHIFT_GROUP];
    local int place[SHIFT_GROUP];
    const int l = get_local_id(0), row = 2 * most_x + 1, count = row * (2 * most_y + 1);
    float top = -INFINITY;
    int at = 0;
    for (int i = l; i < count; i += SHIFT_GROUP) {
        const int x = (i % row - most_x + image.width) % image.width, y = (i / row - most_y + image.height) % image.height;
        const float value = LOAD(image, x, y, 0);
        if (value > top) {
            top = value;
            at = i;
        }
    }
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
    if (l == 0) {
        STORE(shift, 0, 0, 0, best[0] > -INFINITY ? place[0] % row - most_x : 0);
        STORE(shift, 1, 0, 0, best[0] > -INFINITY ? place[0] / row - most_y : 0);
    }
}

enum { NEWTON_STEPS = 12 };
constant float CLOSE = 1e-4f;

/*
 * One group: from the nearest whole shift to where the correlation, as the waves of its spectrum continue it between pixels,
 * is highest, by Newton's method. Further away than a pixel there is no peak of these images: then the whole shift stays.
 */
kernel void esrrf_refine_shift(INPUT(spectrum), OUTPUT(shift), int width, int height)
{
    local float part[SHIFT_GROUP];
    const float start_x = LOAD(shift, 0, 0, 0), start_y = LOAD(shift, 1, 0, 0), turn_x = 2.0f * M_PI_F / width, turn_y = 2.0f * M_PI_F / height;
    const int half_row = width / 2 + 1;
    float sx = start_x, sy = start_y;
    for (int step = 0; step < NEWTON_STEPS; step++) {
        float gx = 0.0f, gy = 0.0f, xx = 0.0f, xy = 0.0f, yy = 0.0f;
        for (int y = 0; y < height; y++) {
            const float wave_y = turn_y * (y <= height / 2 ? y : y - height);
            for (int x = get_local_id(0); x < half_row; x += SHIFT_GROUP) {
                const float2 c = complex_at((global const float *)spectrum_pixels, spectrum, x, y);
                const float wave_x = turn_x * x, angle = fma(wave_x, sx, wave_y * sy), twice = x == 0 ? 1.0f : 2.0f;
                const float cosine = twice * cos(angle), sine = twice * sin(angle);
                const float along = fma(c.x, cosine, -(c.y * sine)), across = fma(c.x, sine, c.y * cosine);
                gx = fma(-wave_x, across, gx);
                gy = fma(-wave_y, across, gy);
                xx = fma(-wave_x * wave_x, along, xx);
                xy = fma(-wave_x * wave_y, along, xy);
                yy = fma(-wave_y * wave_y, along, yy);
            }
        }
        gx = fold_group(part, gx);
        gy = fold_group(part, gy);
        xx = fold_group(part, xx);
        xy = fold_group(part, xy);
        yy = fold_group(part, yy);
        const float bend = fma(xx, yy, -(xy * xy));
        if (!(bend > 0.0f && xx < 0.0f))
            break;
        const float step_x = clamp((gx * yy - gy * xy) / bend, -0.5f, 0.5f), step_y = clamp((gy * xx - gx * xy) / bend, -0.5f, 0.5f);
        sx -= step_x;
        sy -= step_y;
        if (fabs(step_x) + fabs(step_y) < CLOSE)
            break;
    }
    const int lost = !(fabs(sx - start_x) <= 1.0f && fabs(sy - start_y) <= 1.0f);
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0 && !lost) {
        STORE(shift, 0, 0, 0, sx);
        STORE(shift, 1, 0, 0, sy);
    }
}

/* Adds a spectrum, put back by its shift and times `factor`, to a sum; `begins`: that holds nothing yet. */
kernel void esrrf_add_aligned(INPUT(moved), OUTPUT(still), INPUT(shift), int width, int height, int begins, float factor)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (2 * x >= moved.width || y >= moved.height)
        return;
    const float2 a = factor * complex_at((global const float *)moved_pixels, moved, x, y);
    global float *sum = (global float *)still_pixels + AT(still, 2 * x, y, 0);
    const float ky = y <= height / 2 ? y : y - height, angle = 2.0f * M_PI_F * (x * LOAD(shift, 0, 0, 0) / width + ky * LOAD(shift, 1, 0, 0) / height);
    const float cosine = cos(angle), sine = sin(angle);
    const float2 before = begins ? (float2)(0.0f) : vload2(0, sum);
    vstore2(before + (float2)(fma(a.x, cosine, -(a.y * sine)), fma(a.x, sine, a.y * cosine)), 0, sum);
}
