/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps of eSRRF that are also operations. */
#include "finish.cl"

enum { MAX_NEAR = 9 };

/*
 * Interpolates with one table of `near` weights per phase, the same for both axes. Neighbours outside the image count
 * as 0; with `normalise` they are left out. A work-item computes the column of magnified pixels in the row of one
 * pixel.
 */
kernel void esrrf_magnify(INPUT(from), OUTPUT(to), TABLE(weights), int magnification, int near, int normalise)
{
    const int ox = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (ox >= to.width || y >= from.height || z >= to.depth)
        return;
    const int x = ox / magnification - near / 2;
    constant float *wx = TABLE_OF(float, weights) + ox % magnification * near;
    float line[MAX_NEAR], sum = 0.0f;
    for (int i = 0; i < near; i++)
        sum += normalise && (x + i < 0 || x + i >= from.width) ? 0.0f : wx[i];
    for (int j = 0; j < near; j++) {
        line[j] = 0.0f;
        const int fy = y + j - near / 2;
        for (int i = 0; i < near; i++)
            if (fy >= 0 && fy < from.height && x + i >= 0 && x + i < from.width)
                line[j] = fma(wx[i], LOAD(from, x + i, fy, z), line[j]);
        if (normalise)
            line[j] /= sum;
    }
    for (int q = 0; q < magnification; q++) {
        constant float *wy = TABLE_OF(float, weights) + q * near;
        float value = 0.0f, all = 0.0f;
        for (int j = 0; j < near; j++) {
            const int fy = y + j - near / 2;
            value = fma(wy[j], line[j], value);
            all += fy >= 0 && fy < from.height ? wy[j] : 0.0f;
        }
        STORE_SNAPPED(to, ox, y * magnification + q, z, normalise ? value / all : value, 2 * ROUNDINGS_OF_SUM(near));
    }
}

/* Each slice of `to` is the projection of `group` slices; the last one may have fewer. */
kernel void esrrf_project_slices(INPUT(from), OUTPUT(to), int group, int projection)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const int first = z * group, count = min(group, from.depth - first);
    const float start = LOAD(from, x, y, first);
    float mean = 0.0f, squares = 0.0f, products = 0.0f, before = 0.0f;     /* relative to the first value */
    for (int n = 1; n < count; n++) {
        const float value = LOAD(from, x, y, first + n) - start, away = value - mean, shift = away / (float)(n + 1),
                    now = mean + shift;
        squares = fma(away, value - now, squares);
        products += shift * ((before - mean) - mean) + (float)(n - 1) * shift * shift + (before - now) * (value - now);
        mean = now;
        before = value;
    }
    const float lag = count > 1 ? products / (float)(count - 1) : NAN;
    STORE(to, x, y, z,
          projection == VARIANCE          ? squares / (float)count
          : projection == AUTOCORRELATION ? lag
                                          : start + mean);
}

/* Divides each magnified pixel by the mean of its phase unless that mean is 0. */
kernel void esrrf_divide_phases(INPUT(from), OUTPUT(to), global const float *means, int magnification)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const float value = LOAD(from, x, y, z),
                mean = means[(z * magnification + y % magnification) * magnification + x % magnification];
    STORE(to, x, y, z, mean != 0.0f ? value / mean : value);
}
