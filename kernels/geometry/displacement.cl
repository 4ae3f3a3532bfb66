/* SPDX-License-Identifier: BSD-3-Clause */
/* Estimates how far the surroundings of each pixel have moved between two images. The arrays here have no gaps. */

/*
 * Writes the difference between each pixel and the mean of a box around it, or 0 if rounding alone may explain it.
 * Borders are repeated.
 */
kernel void displacement_differences(INPUT(from), global float *differences, int width, int height, int depth, int rx,
                                     int ry, int rz)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (x >= width || y >= height || z >= depth)
        return;
    float sum = 0.0f;
    for (int k = -rz; k <= rz; k++)
        for (int j = -ry; j <= ry; j++)
            for (int i = -rx; i <= rx; i++)
                sum += LOAD_CLAMPED(from, x + i, y + j, z + k);
    const float count = (float)(2 * rx + 1) * (float)(2 * ry + 1) * (float)(2 * rz + 1), mean = sum / count;
    const float difference = LOAD_CLAMPED(from, x, y, z) - mean;
    differences[((ulong)z * height + y) * width + x] =
        fabs(difference) <= LITTLE(mean, ROUNDINGS_OF_SUM(count)) ? 0.0f : difference;
}

#define AT_CLAMPED(numbers, x, y, z)                                                                                   \
    numbers[((ulong)clamp(z, 0, depth - 1) * height + clamp(y, 0, height - 1)) * width + clamp(x, 0, width - 1)]

/*
 * Returns the correlation of the window around a pixel with the shifted window in the other image; 0 if either is
 * constant.
 */
inline float correlation_at(global const float *one, global const float *other, int width, int height, int depth,
                            int4 at, int4 window, int4 shift)
{
    float both = 0.0f, first = 0.0f, second = 0.0f;
    for (int z = at.z - window.z; z <= at.z + window.z; z++)
        for (int y = at.y - window.y; y <= at.y + window.y; y++)
            for (int x = at.x - window.x; x <= at.x + window.x; x++) {
                const float a = AT_CLAMPED(one, x, y, z), b = AT_CLAMPED(other, x + shift.x, y + shift.y, z + shift.z);
                both += a * b;
                first += a * a;
                second += b * b;
            }
    const float size = sqrt(first) * sqrt(second);
    return size == 0.0f ? 0.0f : both / size;
}

/* `search` holds two vectors: the reach of windows and the largest shift, each along x, y and z. */

/* Index of the shift with the largest coefficient. In a tie, a shift of 0 wins, then the first along x, y, z. */
kernel void displacement_search(global const float *one, global const float *other, long ahead, int width, int height,
                                int depth, TABLE(search), global int *found)
{
    const int4 window = TABLE_OF(int4, search)[0], max_shift = TABLE_OF(int4, search)[1];
    const int4 at = (int4)((int)get_global_id(0), (int)get_global_id(1), (int)get_global_id(2), 0);
    if (at.x >= width || at.y >= height || at.z >= depth)
        return;
    const int rows = 2 * max_shift.y + 1, slices = 2 * max_shift.z + 1;
    float best = correlation_at(one, other + ahead, width, height, depth, at, window, (int4)(0));
    int number = (max_shift.x * rows + max_shift.y) * slices + max_shift.z;
    for (int i = 0; i < (2 * max_shift.x + 1) * rows * slices; i++) {
        const int4 shift = (int4)(i / slices / rows, i / slices % rows, i % slices, 0) - max_shift;
        const float coefficient = correlation_at(one, other + ahead, width, height, depth, at, window, shift);
        if (coefficient > best) {
            best = coefficient;
            number = i;
        }
    }
    found[((ulong)at.z * height + at.y) * width + at.x] = number;
}

/* Writes one component of the shifts. If `to` differs in extent, the border is repeated. */
kernel void displacement_component(global const int *found, int width, int height, int depth, TABLE(search), int axis,
                                   OUTPUT(to))
{
    const int4 max_shift = TABLE_OF(int4, search)[1];
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const int rows = 2 * max_shift.y + 1, slices = 2 * max_shift.z + 1, number = AT_CLAMPED(found, x, y, z);
    STORE(to, x, y, z,
          (float)(axis == 0   ? number / slices / rows - max_shift.x
                  : axis == 1 ? number / slices % rows - max_shift.y
                              : number % slices - max_shift.z));
}
