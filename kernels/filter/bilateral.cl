/* SPDX-License-Identifier: BSD-3-Clause */
/* Means of a box whose pixels count the less the more they differ from something. */

#define EACH_IN_BOX(i, j, k)                                                                                                     \
    for (int k = -rz; k <= rz; k++)                                                                                              \
        for (int j = -ry; j <= ry; j++)                                                                                          \
            for (int i = -rx; i <= rx; i++)

/* Less with the square of the difference from the middle and of the distance to it. */
kernel void bilateral(INPUT(from), OUTPUT(to), int rx, int ry, int rz, float per_value, float per_pixel)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const float own = LOAD_CLAMPED(from, x, y, z);
    float sum = 0.0f, weights = 0.0f;
    EACH_IN_BOX(i, j, k) {
        const float difference = LOAD_CLAMPED(from, x + i, y + j, z + k) - own;
        const float square = (float)i * (float)i + (float)j * (float)j + (float)k * (float)k;
        const float weight = exp(-(difference * difference * per_value + square * per_pixel));
        sum += difference * weight;
        weights += weight;
    }
    STORE_SNAPPED(to, x, y, z, own + sum / weights);
}

/* Less with the square of the difference from another image; the best pixel of the box counts 1, so that there is always one. */
kernel void likely_mean(INPUT(from), INPUT(likely), OUTPUT(to), int rx, int ry, int rz, float per_value)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const float own = LOAD_CLAMPED(from, x, y, z);
    float least = INFINITY, sum = 0.0f, weights = 0.0f;
    EACH_IN_BOX(i, j, k) {
        const float difference = LOAD_CLAMPED(from, x + i, y + j, z + k) - LOAD_CLAMPED(likely, x + i, y + j, z + k);
        least = fmin(least, difference * difference);
    }
    EACH_IN_BOX(i, j, k) {
        const float value = LOAD_CLAMPED(from, x + i, y + j, z + k), difference = value - LOAD_CLAMPED(likely, x + i, y + j, z + k);
        const float weight = exp(-(difference * difference - least) * per_value);
        sum += (value - own) * weight;
        weights += weight;
    }
    STORE_SNAPPED(to, x, y, z, own + sum / weights);
}
