/* SPDX-License-Identifier: BSD-3-Clause */
#include "resample.cl"

/*
 * Resamples a stack in spherical coordinates around a point; pixel z of the result lies z steps from it. Inclinations
 * are measured from a pole and azimuths around it. Both angles are given as sine and cosine, and one of them runs along
 * x of the result. `place` maps a direction times the distance to pixels of the stack: three rows of four.
 */
kernel void reslice_polar(INPUT(from), OUTPUT(to), global const float2 *inclinations, global const float2 *azimuths,
                          int inclinations_along_x, TABLE(place))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const float2 inclination = inclinations[inclinations_along_x ? x : y],
                 azimuth = azimuths[inclinations_along_x ? y : x];
    const float4 direction =
        (float4)(inclination.x * azimuth.y * z, inclination.x * azimuth.x * z, inclination.y * z, 1.0f);
    constant float4 *rows = TABLE_OF(float4, place);
    const float4 position = (float4)(dot(rows[0], direction), dot(rows[1], direction), dot(rows[2], direction), 0.0f),
                 whole = floor(position);
    const float4 part = position - whole;
    const int4 pixel = convert_int4_sat(whole);
    const float value = value_at(from_pixels, from, pixel.x, pixel.y, pixel.z, part.x, part.y, part.z);
    STORE_SNAPPED(to, x, y, z, value, ROUNDINGS_OF_INTERPOLATION);
}
