/* SPDX-License-Identifier: BSD-3-Clause */
/* Means of a box whose pixels count the less the more they differ from something. A work-item makes a vector of pixels from float32 copies with repeated borders. */

/* v and w are pixels of two copies of one extent. */
#define EACH_IN_BOX(image, other, body)                                                                                          \
    for (int k = -rz; k <= rz; k++)                                                                                              \
        for (int j = -ry; j <= ry; j++) {                                                                                        \
            const INDEX at = AT(image, x, y + ry + j, z + rz + k);                                                               \
            EACH_TAP_OF_TWO((global const float *)image##_pixels + at, (global const float *)other##_pixels + at, 0, 2 * rx + 1, body)\
        }

#define POSITION                                                                                                                 \
    const int x = LANES * (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);                           \
    if (!INSIDE(to, x, y, z))                                                                                                    \
        return;

#define OWN(image) JOIN(vload, LANES)(0, (global const float *)image##_pixels + AT(image, x + rx, y + ry, z + rz))

#define STORE_MEAN                                                                                                               \
    float out[LANES];                                                                                                            \
    JOIN(vstore, LANES)(own + sum / weights, 0, out);                                                                            \
    for (int l = 0; l < LANES && x + l < to.width; l++)                                                                          \
        STORE_SNAPPED(to, x + l, y, z, out[l], ROUNDINGS_OF_ROOT);

/* Less with the square of the difference from the middle and of the distance to it. */
kernel void bilateral(INPUT(from), OUTPUT(to), int rx, int ry, int rz, float per_value, float per_pixel)
{
    POSITION
    const FLOATV own = OWN(from);
    FLOATV sum = 0.0f, weights = 0.0f;
    EACH_IN_BOX(from, from, {
        const float square = (float)(i - rx) * (float)(i - rx) + (float)j * (float)j + (float)k * (float)k;
        const FLOATV difference = v - own;
        const FLOATV weight = exp(-(difference * difference * per_value + square * per_pixel));
        sum += difference * weight;
        weights += weight;
    })
    STORE_MEAN
}

/* Of two images with borders, their difference. */
kernel void differ(INPUT(from), INPUT(other), OUTPUT(to))
{
    const int x = LANES * (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (INSIDE(to, x, y, z))
        *VECTOR_AT(float, to_pixels, AT(to, x, y, z)) =
            *CONST_VECTOR_AT(float, from_pixels, AT(from, x, y, z)) - *CONST_VECTOR_AT(float, other_pixels, AT(other, x, y, z));
}

/* Less with the square of the difference from another image; the best pixel of the box counts 1, so that there is always one. */
kernel void likely_mean(INPUT(from), INPUT(unlike), OUTPUT(to), int rx, int ry, int rz, float per_value)
{
    POSITION
    const FLOATV own = OWN(from);
    FLOATV least = INFINITY, sum = 0.0f, weights = 0.0f;
    EACH_IN_BOX(unlike, unlike, least = fmin(least, v * v);)
    EACH_IN_BOX(unlike, from, {
        const FLOATV weight = exp(-(v * v - least) * per_value);
        sum += (w - own) * weight;
        weights += weight;
    })
    STORE_MEAN
}
