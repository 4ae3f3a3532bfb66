/* SPDX-License-Identifier: BSD-3-Clause */

/* How far a window is the pattern times a number: 1 if it is, 0 where one of them is 0 everywhere. */
kernel void local_cross_correlation(INPUT(from), INPUT(pattern), OUTPUT(to))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    float both = 0.0f, image = 0.0f, wanted = 0.0f;
    for (int k = 0; k < pattern.depth; k++)
        for (int j = 0; j < pattern.height; j++)
            for (int i = 0; i < pattern.width; i++) {
                const float a = LOAD_CLAMPED(from, x + i - pattern.width / 2, y + j - pattern.height / 2, z + k - pattern.depth / 2);
                const float b = LOAD(pattern, i, j, k);
                both += a * b;
                image += a * a;
                wanted += b * b;
            }
    const float size = sqrt(image) * sqrt(wanted);
    STORE_SNAPPED(to, x, y, z, size == 0.0f ? 0.0f : both / size);
}
