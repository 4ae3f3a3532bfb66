/* SPDX-License-Identifier: BSD-3-Clause */
/* Point lists have a column for each point, and rows x, y, z; positions are truncated. */

kernel void point_bounds(INPUT(points), volatile global uint *bounds)
{
    const int i = (int)get_global_id(0), axis = (int)get_global_id(1);
    if (i < points.width && axis < min(points.height, 3))
        atomic_max(&bounds[axis], LOAD_LABEL(points, i, axis, 0));
}

/* Offset of a point in an image that begins at row y0 and slice z0, as if it were dense, or -1 if it is outside. */
#define POSITION(i, position)                                                                                          \
    long position = -1;                                                                                                \
    const float3 at = (float3)(LOAD(points, i, 0, 0), axes > 1 ? LOAD(points, i, 1, 0) : 0.0f, axes > 2                \
        ? LOAD(points, i, 2, 0) : 0.0f);                                                                               \
    const int x = convert_int_sat_rtz(at.x), y = convert_int_sat_rtz(at.y) - y0, z = convert_int_sat_rtz(at.z) - z0;   \
    if (!isnan(at.x + at.y + at.z) && x >= 0 && y >= 0 && z >= 0 && INSIDE(image, x, y, z))                            \
        position = ((long)z * image.height + y) * image.width + x;

/* Finds the last point in the list at each pixel, because later points replace earlier ones. */
kernel void last_points(INPUT(points), int axes, volatile global uint *last, OUTPUT(image), int y0, int z0)
{
    const int i = (int)get_global_id(0);
    if (i >= points.width)
        return;
    POSITION(i, position)
    if (position >= 0)
        atomic_max(&last[position], (uint)i + 1);
}

/* Writes the value of each point: an entry of row `value_row` of the list, or the number of the point. */
kernel void write_points(INPUT(points), int axes, int value_row, global const uint *last, OUTPUT(image), int y0, int z0)
{
    const int i = (int)get_global_id(0);
    if (i >= points.width)
        return;
    POSITION(i, position)
    if (position < 0 || last[position] != (uint)i + 1)
        return;
    if (value_row < 0)
        STORE_LABEL(image, x, y, z, (uint)i + 1);
    else
        MOVE(points, AT(points, i, value_row, 0), image, AT(image, x, y, z))
}

/* Reads the map at each point. `map` is a part of a map of this height and depth, from row y0 and slice z0 on. */
kernel void read_points(INPUT(points), INPUT(map), int height, int depth, int y0, int z0, OUTPUT(values))
{
    const int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (!INSIDE(values, i, j, k))
        return;
    const float3 at = (float3)(LOAD_CLAMPED(points, i, 0, 0), LOAD_CLAMPED(points, i, 1, 0),
                               points.height > 2 ? LOAD_CLAMPED(points, i, 2, 0) : 0.0f);
    const int x = clamp(convert_int_sat_rtz(at.x), 0, map.width - 1);
    const int y = clamp(convert_int_sat_rtz(at.y), 0, height - 1), z = clamp(convert_int_sat_rtz(at.z), 0, depth - 1);
    if (y >= y0 && z >= z0 && INSIDE(map, x, y, z))
        STORE(values, i, j, k, isnan(at.x + at.y + at.z) ? NAN : LOAD(map, x, y, z));
}

inline float distance_to(INPUT(points), int i, float3 to)
{
    const float3 way = (float3)(LOAD(points, i, 0, 0), LOAD(points, i, 1, 0), LOAD(points, i, 2, 0)) - to;
    return sqrt(way.x * way.x + way.y * way.y + way.z * way.z);
}

/* `labels` and `map` begin at row y0 and slice z0 of the images that contain the points. */
kernel void distance_from_centroid(INPUT(labels), INPUT(points), OUTPUT(map), int y0, int z0)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(map, x, y, z))
        return;
    const uint label = LOAD_LABEL_CLAMPED(labels, x, y, z);
    const bool known = label > 0 && label <= (uint)points.width;
    STORE(map, x, y, z, known ? distance_to(points_pixels, points, label - 1, (float3)(x, y + y0, z + z0)) : 0.0f);
}

enum { NEAREST_LANES = 256 };  /* the largest work-group */

inline float4 point_of_list(global const uchar *points_pixels, const layout *list, int i)
{
    const layout points = *list;
    global const float *at = (global const float *)points_pixels;
    return (float4)(at[AT(points, i, 0, 0)], at[AT(points, i, 1, 0)], at[AT(points, i, 2, 0)], 0.0f);
}

/*
 * Distance of each point to the nearest point of another list; lists are float32. A point has `shares` work-items of a
 * group, a power of two; each work-item searches a share of the other list.
 */
kernel void nearest_points(INPUT(from), INPUT(to), int shares, global float *shortest)
{
    local float squares[NEAREST_LANES];
    const int i = (int)get_global_id(0) / shares, lane = (int)get_local_id(0), share = lane % shares;
    const float4 here = point_of_list(from_pixels, &from, min(i, from.width - 1));
    float min_square = INFINITY;
    for (int j = share; j < to.width; j += shares) {
        const float4 way = point_of_list(to_pixels, &to, j) - here;
        min_square = fmin(min_square, way.x * way.x + way.y * way.y + way.z * way.z);
    }
    squares[lane] = min_square;
    for (int others = shares / 2; others > 0; others /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (share < others)
            squares[lane] = fmin(squares[lane], squares[lane + others]);
    }
    if (share == 0 && i < from.width)
        shortest[i] = sqrt(squares[lane]);
}

kernel void store_flags(global const uint *flags, uint largest, OUTPUT(vector))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (INSIDE(vector, x, y, z))
        STORE(vector, x, y, z, (uint)x <= largest && flags[x] ? 1.0f : 0.0f);
}
