/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests whether another label lies behind a label as seen from a centre, by following a ray outwards from the label's
 * point in steps of a pixel. Labels without a point, or with their point at the centre, have nothing behind them.
 */

enum { RAY_WAITS, RAY_OUTSIDE, RAY_WITHIN, RAY_FOUND };

/*
 * Continues the ray of each label. A ray holds its position and its state: whether it has met its label, and then
 * another one. Rays are 0 at first. `labels` holds only the layers from `first` up to `end` along an axis, and rays
 * stop at the borders of these layers. `way`: 1 for rays that rise along the axis, -1 for those that fall, 0 for all.
 */
kernel void follow_rays(INPUT(points), INPUT(labels), global float4 *rays, uint largest, float cx, float cy, float cz,
                        int deep, int axis, int first, int end, int way)
{
    const uint label = get_global_id(0);
    if (label == 0 || label > largest || label > (uint)points.width)
        return;
    const int at = (int)label - 1;
    float4 ray = rays[label];
    int state = (int)ray.w;
    const float sx = LOAD(points, at, 0, 0), sy = LOAD_CLAMPED(points, at, 1, 0),
                sz = deep ? LOAD(points, at, 2, 0) : 0.0f;
    const float dx = sx - cx, dy = sy - cy, dz = deep ? sz - cz : 0.0f, length = sqrt(dx * dx + dy * dy + dz * dz),
                rise = axis == 2 ? dz : dy;
    float x = state == RAY_WAITS ? sx : ray.x, y = state == RAY_WAITS ? sy : ray.y, z = state == RAY_WAITS ? sz : ray.z;
    if (way > 0 ? rise < 0.0f : way < 0 && !(rise < 0.0f))
        return;
    while (state != RAY_FOUND && length > 0.0f && x >= 0.0f && y >= 0.0f && z >= 0.0f && x < (float)labels.width &&
           y < (float)labels.height && z < (float)labels.depth && (axis == 2 ? z : y) >= (float)first &&
           (axis == 2 ? z : y) < (float)end) {
        const uint here = LOAD_LABEL(labels, (int)x, (int)y, (int)z);
        state = here == label ? RAY_WITHIN : here > 0 && state == RAY_WITHIN ? RAY_FOUND : max(state, (int)RAY_OUTSIDE);
        x += dx / length;
        y += dy / length;
        z += dz / length;
    }
    rays[label] = (float4)(x, y, z, (float)state);
}

/*
 * Like follow_rays, with one work-group per ray, in which each work-item takes one step. Steps are added one by one, so
 * the positions are the same.
 */
kernel void follow_rays_in_groups(INPUT(points), INPUT(labels), global float4 *rays, uint largest, float cx, float cy,
                                  float cz, int deep, int axis, int first, int end, int way)
{
    volatile local uint outside, own_first, other_last;
    const uint lanes = get_local_size(0), lane = get_local_id(0), label = get_global_id(0) / lanes;
    if (label == 0 || label > largest || label > (uint)points.width)
        return;
    const int at = (int)label - 1;
    const float4 ray = rays[label];
    const int state = (int)ray.w;
    const float sx = LOAD(points, at, 0, 0), sy = LOAD_CLAMPED(points, at, 1, 0),
                sz = deep ? LOAD(points, at, 2, 0) : 0.0f;
    const float dx = sx - cx, dy = sy - cy, dz = deep ? sz - cz : 0.0f, length = sqrt(dx * dx + dy * dy + dz * dz),
                rise = axis == 2 ? dz : dy;
    const float4 step = (float4)(dx / length, dy / length, dz / length, 0.0f);
    if (way > 0 ? rise < 0.0f : way < 0 && !(rise < 0.0f))
        return;
    float4 next = state == RAY_WAITS ? (float4)(sx, sy, sz, 0.0f) : ray, here;
    bool goes_on = state != RAY_FOUND && length > 0.0f, begun = state != RAY_WAITS;
    if (lane == 0) {
        own_first = state == RAY_WITHIN ? 0 : 0xffffffffu;
        other_last = 0;
    }
    for (uint taken = 1; goes_on; taken += lanes) {
        for (uint i = 0; i < lanes; i++) {
            here = i == lane ? next : here;
            next += step;
        }
        if (lane == 0)
            outside = lanes;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        const bool inside = here.x >= 0.0f && here.y >= 0.0f && here.z >= 0.0f && here.x < (float)labels.width &&
                            here.y < (float)labels.height && here.z < (float)labels.depth &&
                            (axis == 2 ? here.z : here.y) >= (float)first && (axis == 2 ? here.z : here.y) < (float)end;
        const uint met = inside ? LOAD_LABEL(labels, (int)here.x, (int)here.y, (int)here.z) : 0;
        if (!inside)
            atomic_min(&outside, lane);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < outside && met == label)
            atomic_min(&own_first, taken + lane);
        if (lane < outside && met > 0 && met != label)
            atomic_max(&other_last, taken + lane);
        barrier(CLK_LOCAL_MEM_FENCE);
        begun = begun || outside > 0;
        goes_on = outside == lanes && other_last <= own_first;
        const int missing = begun ? RAY_OUTSIDE : RAY_WAITS;
        if (!goes_on && lane == min(outside, lanes - 1))
            rays[label] = (float4)(here.xyz, (float)(other_last > own_first    ? RAY_FOUND
                                                     : own_first < 0xffffffffu ? RAY_WITHIN
                                                                               : missing));
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

/* Flags labels by whether another label lies behind them. */
kernel void flag_surface(global const float4 *rays, global uint *flags, uint largest, int covered)
{
    const uint label = get_global_id(0);
    if (label <= largest)
        flags[label] = label > 0 && (rays[label].w == (float)RAY_FOUND) == (covered != 0);
}
