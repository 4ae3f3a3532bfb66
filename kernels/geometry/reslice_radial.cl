/* SPDX-License-Identifier: BSD-3-Clause */
#include "resample.cl"

/* Position of a ray's pixel x in a slice; rays start and step in units of 2^-32 pixels. */
typedef struct {
    int x, y;
    float right, below;
} ray_point;

inline ray_point point_of(long4 ray, int x)
{
    const long px = ray.x + ray.z * x, py = ray.y + ray.w * x;
    return (ray_point){(int)(px >> 32), (int)(py >> 32), (float)(uint)px * 0x1p-32f, (float)(uint)py * 0x1p-32f};
}

/* Row y of slice a is the ray of slice y with the start and step of entry a; outside the image it is 0. */
kernel void reslice_radial(INPUT(from), OUTPUT(to), global const long4 *rays)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), a = (int)get_global_id(2);
    if (!INSIDE(to, x, y, a))
        return;
    const ray_point at = point_of(rays[a], x);
    const float value = value_at(from_pixels, from, at.x, at.y, y, at.right, at.below, 0.0f);
    STORE_SNAPPED(to, x, y, a, value, ROUNDINGS_OF_INTERPOLATION);
}

/*
 * As reslice_radial, if slices are adjacent in memory, as the columns of an image are; a work-item computes `rows`
 * rows.
 */
kernel void reslice_cylinder(INPUT(from), OUTPUT(to), global const long4 *rays, int rows)
{
    const int a = (int)get_global_id(0), x = (int)get_global_id(1), first = (int)get_global_id(2) * rows;
    if (!INSIDE(to, x, first, a))
        return;
    const ray_point at = point_of(rays[a], x);
    for (int y = first; y < min(first + rows, to.height); y++) {
        const float value = value_at(from_pixels, from, at.x, at.y, y, at.right, at.below, 0.0f);
        STORE_SNAPPED(to, x, y, a, value, ROUNDINGS_OF_INTERPOLATION);
    }
}
