/* SPDX-License-Identifier: BSD-3-Clause */
/* Normalised cross-correlation: the window under a template is compared with its own mean and deviation. */

/*
 * Sums pixels, and their squares, over `extent` pixels along an axis. A window that leaves the image is cut at the
 * border.
 */
kernel void window_sums(INPUT(values), INPUT(squares), OUTPUT(sums), OUTPUT(square_sums), int axis, int extent,
                        int first, float mean)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(sums, x, y, z))
        return;
    const int3 along = (int3)(axis == 0, axis == 1, axis == 2);
    const int at = axis == 0   ? x
                   : axis == 1 ? y
                               : z,
              n = axis == 0   ? values.width
                  : axis == 1 ? values.height
                              : values.depth;
    float sum = 0.0f, square = 0.0f;
    for (int i = max(-(extent / 2), -at); i < extent - extent / 2 && at + i < n; i++) {
        const int3 p = (int3)(x, y, z) + i * along;
        const float v = LOAD(values, p.x, p.y, p.z) - mean;
        sum += v;
        square += first ? v * v : LOAD(squares, p.x, p.y, p.z);
    }
    STORE(sums, x, y, z, sum);
    STORE(square_sums, x, y, z, square);
}

/* Writes the template minus its mean, scaled to length 1. */
kernel void template_normalize(INPUT(from), OUTPUT(to), float mean, float scale)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (INSIDE(to, x, y, z))
        STORE(to, x, y, z, scale * (LOAD(from, x, y, z) - mean));
}

/* Scores each position. The score is 0 where the template would leave the image, and where the window is constant. */
kernel void template_score(INPUT(products), INPUT(sums), INPUT(squares), OUTPUT(to), int w, int h, int d)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const bool fits = x >= w / 2 && y >= h / 2 && z >= d / 2 && x + (w - w / 2) <= sums.width &&
                      y + (h - h / 2) <= sums.height && z + (d - d / 2) <= sums.depth;
    const float sum = LOAD(sums, x, y, z), square = LOAD(squares, x, y, z),
                spread = square - sum * sum / ((float)w * (float)h * (float)d);
    STORE(to, x, y, z,
          fits && spread > 1e-5f * square ? clamp(LOAD(products, x, y, z) * rsqrt(spread), -1.0f, 1.0f) : 0.0f);
}
