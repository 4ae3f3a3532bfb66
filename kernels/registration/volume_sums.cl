/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares and moves volumes. */
#include "group_sums.cl"
#include "deformation_samples.cl"

enum { VOLUME_GROUP = 128, VOLUME_SUMS = 38 };

/* Twelve numbers of a map from reference to source, then factors and offsets from pixels to the units of moments. */
enum { MAP_FACTORS = 12, MAP_OFFSETS = 15 };

/* Value and slopes of the linear interpolation between the eight pixels around a position inside a volume. */
inline float4 value_and_slopes_at(global const float *pixels, SIZE, float4 position)
{
    const float4 last = (float4)(width - 1, height - 1, depth - 1, 0), inside = clamp(position, 0.0f, last),
                 low = floor(inside), t = inside - low;
    const int x0 = (int)low.x, y0 = (int)low.y, z0 = (int)low.z, x1 = min(x0 + 1, width - 1),
              y1 = min(y0 + 1, height - 1), z1 = min(z0 + 1, depth - 1);
    const float4 left = (float4)(pixels[PIXEL(x0, y0, z0)], pixels[PIXEL(x0, y1, z0)], pixels[PIXEL(x0, y0, z1)],
                                 pixels[PIXEL(x0, y1, z1)]),
                 right = (float4)(pixels[PIXEL(x1, y0, z0)], pixels[PIXEL(x1, y1, z0)], pixels[PIXEL(x1, y0, z1)],
                                  pixels[PIXEL(x1, y1, z1)]);
    const float4 line = mix(left, right, t.x), by_x = right - left;
    const float2 plane = mix(line.s02, line.s13, t.y), by_y = line.s13 - line.s02;
    return (float4)(mix(plane.x, plane.y, t.z), mix(mix(by_x.s0, by_x.s1, t.y), mix(by_x.s2, by_x.s3, t.y), t.z),
                    mix(by_y.x, by_y.y, t.z), plane.y - plane.x);
}

/*
 * Sums over the pixels of the reference whose mapped position lies inside the source, without missing pixels.
 * Work-group number p along y (0 to 2) handles axis p. Let r and s be the values of the reference and the source, g the
 * slope of the source along axis p, h its slope along the next axis, and m each of 1 and the three coordinates of the
 * mapped position. The sums are, in this order:
 *
 * - 1, r, s, r r, s s, r s
 * - g m, g m s, g m r
 * - g g and g h, each times the products of two m
 */
kernel void volume_sums(global const float *reference, SIZE, global const float *source, const int source_width,
                        const int source_height, const int source_depth, global const float *map,
                        global float *results)
{
    local float part[VOLUME_GROUP];
    const int groups = get_num_groups(0), axis = get_group_id(1), next = (axis + 1) % 3;
    const ulong count = (ulong)width * height * depth, stride = (ulong)groups * VOLUME_GROUP;
    float sums[VOLUME_SUMS];
    UNROLLED(i, VOLUME_SUMS)
    sums[i] = 0.0f;
    ROLLED for (ulong i = get_global_id(0); i < count; i += stride) {
        const int x = i % width, y = i / width % height, z = i / ((ulong)width * height);
        const float4 position = mapped(map, x, y, z);
        if (!is_covered(source_width, source_height, source_depth, position))
            continue;
        const float4 at = value_and_slopes_at(source, source_width, source_height, source_depth, position);
        const float r = reference[i], s = at.x;
        if (isnan(r + at.x + at.y + at.z + at.w)) /* a missing pixel is NaN */
            continue;
        const float slopes[3] = {at.y / map[MAP_FACTORS], at.z / map[MAP_FACTORS + 1], at.w / map[MAP_FACTORS + 2]},
                    m[4] = {1.0f, position.x * map[MAP_FACTORS] + map[MAP_OFFSETS],
                            position.y * map[MAP_FACTORS + 1] + map[MAP_OFFSETS + 1],
                            position.z * map[MAP_FACTORS + 2] + map[MAP_OFFSETS + 2]};
        const float g = slopes[axis], same = g * g, other = g * slopes[next];
        const float scalars[6] = {1.0f, r, s, r * r, s * s, r * s};
        UNROLLED(k, 6)
        sums[k] += scalars[k];
        UNROLLED(k, 4)
        {
            sums[6 + k] = fma(g, m[k], sums[6 + k]);
            sums[10 + k] = fma(g * s, m[k], sums[10 + k]);
            sums[14 + k] = fma(g * r, m[k], sums[14 + k]);
        }
        const float products[10] = {1.0f,        m[1],        m[2],        m[3],        m[1] * m[1],
                                    m[1] * m[2], m[1] * m[3], m[2] * m[2], m[2] * m[3], m[3] * m[3]};
        UNROLLED(k, 10)
        {
            sums[18 + k] = fma(same, products[k], sums[18 + k]);
            sums[28 + k] = fma(other, products[k], sums[28 + k]);
        }
    }
    UNROLLED(i, VOLUME_SUMS)
    write_group_sum(sums[i], part, VOLUME_GROUP, results + (axis * groups + (int)get_group_id(0)) * VOLUME_SUMS + i);
}

/* Reads an image as floats, less `offset`. Missing pixels are NaN: those that are NaN, or 0 if `is_zero_missing`. */
kernel void volume_load(INPUT(from), const int is_zero_missing, const float offset, global float *to, SIZE)
{
    EACH_PIXEL
    const float value = LOAD(from, x, y, z);
    to[at] = is_zero_missing && value == 0.0f ? NAN : value - offset;
}

/* Halves the axes along which the result is smaller: the mean of 2 pixels along each. NaN if most of them are NaN. */
kernel void volume_halve(global const float *from, const int from_width, const int from_height, const int from_depth,
                         global float *to, SIZE)
{
    EACH_PIXEL
    const int3 step = (int3)(from_width > width ? 2 : 1, from_height > height ? 2 : 1, from_depth > depth ? 2 : 1);
    float sum = 0.0f, number = 0.0f;
    for (int k = 0; k < step.z; k++)
        for (int j = 0; j < step.y; j++)
            for (int i = 0; i < step.x; i++) {
                const float value =
                    from[((ulong)(step.z * z + k) * from_height + step.y * y + j) * from_width + step.x * x + i];
                sum += isnan(value) ? 0.0f : value;
                number += isnan(value) ? 0.0f : 1.0f;
            }
    to[at] = 2 * number >= step.x * step.y * step.z ? sum / number : NAN;
}

/* Moves a volume: each pixel becomes the linear interpolation at its mapped position, or 0 outside the source. */
kernel void volume_move(INPUT(from), OUTPUT(to), global const float *map)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const float4 position = mapped(map, x, y, z);
    float value = 0.0f;
    if (is_covered(from.width, from.height, from.depth, position)) {
        const float4 low = floor(position), t = position - low;
        ROLLED for (int i = 0; i < 8; i++) {
            const int dx = i & 1, dy = i >> 1 & 1, dz = i >> 2;
            value += (dx ? t.x : 1.0f - t.x) * (dy ? t.y : 1.0f - t.y) * (dz ? t.z : 1.0f - t.z) *
                     LOAD_CLAMPED(from, (int)low.x + dx, (int)low.y + dy, (int)low.z + dz);
        }
    }
    STORE(to, x, y, z, to.type == FLOAT32 ? value : floor(value + 0.5f));
}
