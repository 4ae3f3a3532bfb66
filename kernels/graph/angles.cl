/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Writes slopes as angles from -90 degrees (up) over 0 (level) to 90 (down), because y points down. The result is the
 * same if the points are exchanged.
 */
kernel void angle_matrix(INPUT(points1), INPUT(points2), OUTPUT(matrix))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(matrix, x, y, z))
        return;
    float value = 0.0f;
    if (x > 0 && y > 0 && x <= points1.width && y <= points2.width) {
        const float right = LOAD(points2, y - 1, 0, 0) - LOAD(points1, x - 1, 0, 0);
        const float down = LOAD_CLAMPED(points2, y - 1, 1, 0) - LOAD_CLAMPED(points1, x - 1, 1, 0);
        value = right == 0.0f && down == 0.0f ? NAN : right == 0.0f ? copysign(M_PI_2_F, down) : atan(down / right);
    }
    STORE(matrix, x, y, z, value);
}
