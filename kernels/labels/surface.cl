/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Flags labels by whether another one lies behind them, seen from a centre: from the label's point outwards in steps of a pixel.
 * Labels without a point, or with their point at the centre, have nothing behind them.
 */
kernel void flag_surface(INPUT(points), INPUT(labels), global uint *flags, uint largest, float cx, float cy, float cz, int covered)
{
    const uint label = get_global_id(0);
    if (label > largest)
        return;
    bool found = false, self = false;
    if (label > 0 && label <= (uint)points.width) {
        const bool deep = labels.depth > 1 && points.height > 2;
        const int at = (int)label - 1;
        float x = LOAD(points, at, 0, 0), y = LOAD_CLAMPED(points, at, 1, 0), z = deep ? LOAD(points, at, 2, 0) : 0.0f;
        const float dx = x - cx, dy = y - cy, dz = deep ? z - cz : 0.0f, length = sqrt(dx * dx + dy * dy + dz * dz);
        while (!found && length > 0.0f && x >= 0.0f && y >= 0.0f && z >= 0.0f && x < (float)labels.width && y < (float)labels.height && z < (float)labels.depth) {
            const uint here = LOAD_LABEL(labels, (int)x, (int)y, (int)z);
            self = self || here == label;
            found = self && here != label && here > 0;
            x += dx / length;
            y += dy / length;
            z += dz / length;
        }
    }
    flags[label] = label > 0 && found == (covered != 0);
}
