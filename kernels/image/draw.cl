/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws shapes; `to` begins at row y0 and slice z0 of the whole image. */

kernel void draw_sphere(OUTPUT(to), int left, int top, int front, int width, int height, int depth, int y0, int z0,
                        float cx, float cy, float cz, float rx, float ry, float rz, float value)
{
    const int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (i >= width || j >= height || k >= depth)
        return;
    const float x = (float)(left + i) - cx, y = (float)(top + j) - cy, z = (float)(front + k) - cz;
    if (x * x / (rx * rx) + y * y / (ry * ry) + z * z / (rz * rz) <= 1.0f)
        STORE(to, left + i, top + j - y0, front + k - z0, value);
}

/*
 * Samples are one pixel apart, starting at the corner of the line's box, and are truncated to pixels. A line of odd
 * thickness therefore begins half a pixel early, as in CLIJ2.
 */
kernel void draw_line(OUTPUT(to), int axes, int width, int height, int depth, int y0, int z0, float left, float top,
                      float front, float x1, float y1, float z1, float x2, float y2, float z2, float radius,
                      float value, float value_at_end)
{
    const int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (i >= width || j >= height || k >= depth)
        return;
    const float3 start = (float3)(x1, y1, z1), end = (float3)(x2, y2, z2);
    const float3 at = (float3)(left + (float)i, top + (float)j, axes > 2 ? front + (float)k : 0.0f);
    const float distance = length(cross(start - end, at - end)) / length(start - end);
    const int x = (int)at.x, y = (int)at.y - y0, z = (int)at.z - z0;
    const float3 from_start = at - start, from_end = at - end;
    if (distance < radius && x >= 0 && y >= 0 && z >= 0 && INSIDE(to, x, y, z))
        STORE(to, x, y, z, dot(from_end, from_end) < dot(from_start, from_start) ? value_at_end : value);
}
