/* SPDX-License-Identifier: BSD-3-Clause */
/* Correlates two spectra in rings of equal frequency. */

/* Tukey window that falls to 0 in the first and the last eighth of an axis. */
inline float tukey(int x, int size)
{
    const float at = fmin(x + 0.5f, size - x - 0.5f) / size;
    return at < 0.125f ? 0.5f - 0.5f * cos(8.0f * M_PI_F * at) : 1.0f;
}

/* Multiplies by the window, and pads with zeros after the image. */
kernel void esrrf_taper(INPUT(from), OUTPUT(to))
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (!INSIDE(to, x, y, 0))
        return;
    const int inside = x < from.width && y < from.height;
    STORE(to, x, y, 0, inside ? LOAD(from, x, y, 0) * tukey(x, from.width) * tukey(y, from.height) : 0.0f);
}

enum { RING_SUMS = 3, RING_GROUP = 64 };

/*
 * One work-group per ring. A pixel belongs to the ring whose number is its frequency times the shorter extent, rounded.
 * Sums the real part of the cross spectrum and both power spectra. The half spectra interleave real and imaginary parts
 * along x. All columns count twice except column 0 and, if `width` is even, column width / 2.
 */
kernel void esrrf_rings(INPUT(first), INPUT(second), global float *sums, int width, int height, int rings)
{
    local float part[RING_SUMS][RING_GROUP];
    const int lane = get_local_id(0), ring = get_group_id(0), shorter = min(width, height);
    const float step_x = (float)shorter / (float)width, step_y = (float)shorter / (float)height;
    float sum[RING_SUMS] = {0};
    for (int y = lane; y < height; y += RING_GROUP) {
        const float fy = step_y * (y <= height / 2 ? y : y - height), inner = ring - 0.5f, outer = ring + 0.5f;
        if (fabs(fy) > outer + 1.0f)
            continue;
        const int first_x = max(0, (int)(sqrt(fmax(inner * inner - fy * fy, 0.0f)) / step_x) - 1);
        const int last_x = min(width / 2, (int)(sqrt(fmax(outer * outer - fy * fy, 0.0f)) / step_x) + 1);
        for (int x = first_x; x <= last_x; x++) {
            const float fx = step_x * x;
            if ((int)(sqrt(fma(fx, fx, fy * fy)) + 0.5f) != ring)
                continue;
            const float weight = x == 0 || 2 * x == width ? 1.0f : 2.0f;
            const float a = LOAD(first, 2 * x, y, 0), b = LOAD(first, 2 * x + 1, y, 0), c = LOAD(second, 2 * x, y, 0),
                        d = LOAD(second, 2 * x + 1, y, 0);
            sum[0] += weight * (a * c + b * d);
            sum[1] += weight * (a * a + b * b);
            sum[2] += weight * (c * c + d * d);
        }
    }
    for (int k = 0; k < RING_SUMS; k++)
        part[k][lane] = sum[k];
    for (int half_size = RING_GROUP / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < half_size)
            for (int k = 0; k < RING_SUMS; k++)
                part[k][lane] += part[k][lane + half_size];
    }
    if (lane == 0)
        for (int k = 0; k < RING_SUMS; k++)
            sums[ring * RING_SUMS + k] = part[k][0];
}
