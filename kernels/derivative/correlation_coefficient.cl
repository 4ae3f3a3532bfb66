/* SPDX-License-Identifier: BSD-3-Clause */

enum { RUN = 4 };

#define EACH(e, count) _Pragma("unroll") for (int e = 0; e < count; e++)

/* The difference between a pixel at position `place` along the axis and the image's mean. */
#define DIFFERENCE(image, mean, place)                                                                                 \
    (LOAD_CLAMPED(image, x + (place) * i, y + (place) * j, z + (place) * k) -                                          \
     LOAD_CLAMPED(mean, x + (place) * i, y + (place) * j, z + (place) * k))

/*
 * Correlates a line of pixels around each position with the line `shift` pixels further in the other image. A work-item
 * computes RUN consecutive pixels along the axis, so each pair of pixels is read once.
 */
kernel void correlation_coefficient(INPUT(one), INPUT(mean_one), INPUT(other), INPUT(mean_other), OUTPUT(to),
                                    int radius, int shift, int axis)
{
    const int i = axis == 0, j = axis == 1, k = axis == 2;
    const int x = (int)get_global_id(0) * (i ? RUN : 1), y = (int)get_global_id(1) * (j ? RUN : 1),
              z = (int)get_global_id(2) * (k ? RUN : 1);
    if (!INSIDE(to, x, y, z))
        return;
    float both[RUN], first[RUN], second[RUN];
    EACH(e, RUN)
        both[e] = first[e] = second[e] = 0.0f;
    for (int n = -radius; n < radius + RUN; n++) {
        const float a = DIFFERENCE(one, mean_one, n), b = DIFFERENCE(other, mean_other, n + shift);
        EACH(e, RUN)
            if (n - e >= -radius && n - e <= radius) {
                both[e] += a * b;
                first[e] += a * a;
                second[e] += b * b;
            }
    }
    EACH(e, RUN)
        if (INSIDE(to, x + e * i, y + e * j, z + e * k)) {
            const float size = sqrt(first[e]) * sqrt(second[e]);
            STORE_SNAPPED(to, x + e * i, y + e * j, z + e * k, size == 0.0f ? 0.0f : both[e] / size,
                          4 * ROUNDINGS_OF_SUM(2 * radius + 1));
        }
}
