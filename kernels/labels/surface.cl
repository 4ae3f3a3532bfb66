/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether another label lies behind a label, seen from a centre: from the label's point outwards in steps of a pixel. Labels
 * without a point, or with their point at the centre, have nothing behind them.
 */

enum { RAY_WAITS, RAY_OUTSIDE, RAY_WITHIN, RAY_FOUND };

/*
 * A ray for each label: where it is, and whether it met its label and then another; zeros at first. Goes on in the layers from
 * `first` to before `end` along an axis, the only ones of `labels` that are there. `way`: 1: rays that rise there, -1: that
 * fall, 0: all.
 */
kernel void follow_rays(INPUT(points), INPUT(labels), global float4 *rays, uint largest, float cx, float cy, float cz, int deep, int axis, int first,
                        int end, int way)
{
    const uint label = get_global_id(0);
    if (label == 0 || label > largest || label > (uint)points.width)
        return;
    const int at = (int)label - 1;
    float4 ray = rays[label];
    int state = (int)ray.w;
    const float sx = LOAD(points, at, 0, 0), sy = LOAD_CLAMPED(points, at, 1, 0), sz = deep ? LOAD(points, at, 2, 0) : 0.0f;
    const float dx = sx - cx, dy = sy - cy, dz = deep ? sz - cz : 0.0f, length = sqrt(dx * dx + dy * dy + dz * dz), rise = axis == 2 ? dz : dy;
    float x = state == RAY_WAITS ? sx : ray.x, y = state == RAY_WAITS ? sy : ray.y, z = state == RAY_WAITS ? sz : ray.z;
    if (way > 0 ? rise < 0.0f : way < 0 && !(rise < 0.0f))
        return;
    while (state != RAY_FOUND && length > 0.0f && x >= 0.0f && y >= 0.0f && z >= 0.0f && x < (float)labels.width && y < (float)labels.height &&
           z < (float)labels.depth && (axis == 2 ? z : y) >= (float)first && (axis == 2 ? z : y) < (float)end) {
        const uint here = LOAD_LABEL(labels, (int)x, (int)y, (int)z);
        state = here == label ? RAY_WITHIN : here > 0 && state == RAY_WITHIN ? RAY_FOUND : max(state, (int)RAY_OUTSIDE);
        x += dx / length;
        y += dy / length;
        z += dz / length;
    }
    rays[label] = (float4)(x, y, z, (float)state);
}

/* Flags labels by whether another one lies behind them. */
kernel void flag_surface(global const float4 *rays, global uint *flags, uint largest, int covered)
{
    const uint label = get_global_id(0);
    if (label <= largest)
        flags[label] = label > 0 && (rays[label].w == (float)RAY_FOUND) == (covered != 0);
}
