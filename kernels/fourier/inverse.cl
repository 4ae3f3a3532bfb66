/* SPDX-License-Identifier: BSD-3-Clause */
/* Filters on half spectra: inverse filters made from the blur, and filters by size. */

#define HALF_SPECTRUM(image)                                                                                           \
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);                         \
    if (x >= image.width / 2 || y >= image.height || z >= image.depth)                                                 \
        return;
#define COMPLEX_AT(image) ((global float2 *)((global float *)image##_pixels + AT(image, 2 * x, y, z)))
#define CONST_COMPLEX_AT(image) ((global const float2 *)((global const float *)image##_pixels + AT(image, 2 * x, y, z)))

/* Returns a frequency in cycles per pixel. */
inline float cycles(int k, int n)
{
    return (float)(2 * k > n ? k - n : k) / (float)n;
}

/* Writes the Wiener inverse up to the resolution limit, with a sum of 1, to be used as the factor of a correlation. */
kernel void rl_butterworth(INPUT(blur), OUTPUT(back), int width, float sx, float sy, float sz, float alpha,
                           float steepness, float order)
{
    HALF_SPECTRUM(back)
    const float fx = sx * cycles(x, width), fy = sy * cycles(y, back.height), fz = sz * cycles(z, back.depth);
    const float2 k = *CONST_COMPLEX_AT(blur);
    const float mask =
        steepness > 0.0f ? rsqrt(1.0f + steepness * powr(fmin(fx * fx + fy * fy + fz * fz, 100.0f), order)) : 1.0f;
    *COMPLEX_AT(back) = k * (mask * (1.0f + alpha) / (k.x * k.x + k.y * k.y + alpha));
}

/* image = conj(blur) image / (|blur|^2 + weight, or weight |Laplace|^2) */
kernel void inverse_filter(OUTPUT(image), INPUT(blur), int width, float weight, int laplace)
{
    HALF_SPECTRUM(image)
    const float2 g = *COMPLEX_AT(image), k = *CONST_COMPLEX_AT(blur);
    const float l = 6.0f - 2.0f * (cospi(2.0f * cycles(x, width)) + cospi(2.0f * cycles(y, image.height)) +
                                   cospi(2.0f * cycles(z, image.depth)));
    const float below = k.x * k.x + k.y * k.y + weight * (laplace ? l * l : 1.0f),
                share = below > 0.0f ? 1.0f / below : 0.0f;
    *COMPLEX_AT(image) = (float2)(g.x * k.x + g.y * k.y, g.y * k.x - g.x * k.y) * share;
}

/* Halves the amplitude of waves of the lengths `smallest` and `largest`; a length of 0 disables that limit. */
kernel void band_pass(OUTPUT(image), int width, float smallest, float largest)
{
    HALF_SPECTRUM(image)
    const float fx = cycles(x, width), fy = cycles(y, image.height), fz = cycles(z, image.depth),
                f = fx * fx + fy * fy + fz * fz;
    *COMPLEX_AT(image) *=
        exp2(-f * smallest * smallest) * (largest > 0.0f ? 1.0f - exp2(-f * largest * largest) : 1.0f);
}
