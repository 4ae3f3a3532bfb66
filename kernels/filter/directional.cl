/* SPDX-License-Identifier: BSD-3-Clause */
/* Extrema along lines of several directions, in slices. */

/* The smallest or largest pixel of a line around a pixel; pixels outside the image do not count. `sign` -1 reflects. */
inline float extremum_of_line(global const uchar *from_pixels, const layout from, int x, int y, int z,
                              constant int2 *shift, int count, int sign, int largest)
{
    float best = NAN;
    for (int i = 0; i < count; i++) {
        const int a = x + sign * shift[i].x, b = y + sign * shift[i].y;
        if (a < 0 || b < 0 || a >= from.width || b >= from.height)
            continue;
        const float value = LOAD(from, a, b, z);
        best = largest ? fmax(best, value) : fmin(best, value);
    }
    return best;
}

/* Stores the extremum of each line. With `joins`, stores the larger (1) or smaller (2) one of it and `best`. */
kernel void extrema_of_lines(INPUT(from), INPUT(best), OUTPUT(to), TABLE(shifts), int count, int sign, int largest,
                             int joins)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const int i = min(x, from.width - 1), j = min(y, from.height - 1), k = min(z, from.depth - 1);
    const float value =
        extremum_of_line(from_pixels, from, i, j, k, TABLE_OF(int2, shifts), count, sign, largest);
    float result = value;
    if (joins == 1)
        result = fmax(value, LOAD(best, i, j, k));
    else if (joins == 2)
        result = fmin(value, LOAD(best, i, j, k));
    STORE(to, x, y, z, result);
}
