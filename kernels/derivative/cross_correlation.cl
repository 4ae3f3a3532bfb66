/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * How far a window is the pattern times a number: 1 if it is, 0 where one of them is 0 everywhere. A work-item makes a vector of pixels
 * from a float32 copy with repeated borders; the pattern is dense.
 */
kernel void local_cross_correlation(INPUT(padded), INPUT(pattern), OUTPUT(to))
{
    const int x = LANES * (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    global const float *weight = (global const float *)pattern_pixels + pattern.offset;
    FLOATV both = 0.0f, image = 0.0f;
    float wanted = 0.0f;
    for (int k = 0; k < pattern.depth; k++)
        for (int j = 0; j < pattern.height; j++) {
            global const float *row = (global const float *)padded_pixels + AT(padded, x, y + j, z + k);
            for (int i = 0; i < pattern.width; i++, weight++) {
                const FLOATV a = JOIN(vload, LANES)(0, row + i);
                both += a * *weight;
                image += a * a;
                wanted += *weight * *weight;
            }
        }
    float product[LANES], square[LANES];
    JOIN(vstore, LANES)(both, 0, product);
    JOIN(vstore, LANES)(image, 0, square);
    for (int n = 0; n < LANES && x + n < to.width; n++) {
        const float size = sqrt(square[n]) * sqrt(wanted);
        STORE_SNAPPED(to, x + n, y, z, size == 0.0f ? 0.0f : product[n] / size);
    }
}
