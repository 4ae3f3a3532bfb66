/* SPDX-License-Identifier: BSD-3-Clause */
/* Ridges and tubes from the eigenvalues of the second derivatives of a smoothed image. */
#include "hessian.cl"

enum { RIDGES_SATO, RIDGES_FRANGI, RIDGES_STRENGTH };

/* The eigenvalues, smallest first. In a plane, the first one is 0 and has no meaning. */
inline float3 eigenvalues_at(global const uchar *from_pixels, const layout from)
{
    PLACES
    const float xx = SECOND(FLOAT_AT, 1, 0, 0), yy = SECOND(FLOAT_AT, 0, 1, 0), xy = MIXED(FLOAT_AT, 1, 0, 0, 0, 1, 0);
    if (from.depth == 1) {
        const float middle = 0.5f * (xx + yy), half_gap = 0.5f * sqrt(4.0f * xy * xy + (xx - yy) * (xx - yy));
        return (float3)(0.0f, middle - half_gap, middle + half_gap);
    }
    const float zz = SECOND(FLOAT_AT, 0, 0, 1), xz = MIXED(FLOAT_AT, 1, 0, 0, 0, 0, 1),
                yz = MIXED(FLOAT_AT, 0, 1, 0, 0, 0, 1);
    return eigenvalues_of(xx, yy, zz, xy, xz, yz);
}

/* Sorts by absolute values, smallest first. */
inline float3 sorted_by_size(float3 v)
{
    if (fabs(v.x) > fabs(v.y))
        v = v.yxz;
    if (fabs(v.y) > fabs(v.z))
        v = v.xzy;
    return fabs(v.x) > fabs(v.y) ? v.yxz : v;
}

/* The vesselness of Frangi 1998; dark ridges have two large eigenvalues above 0, in planes one. */
inline float frangi_of(float3 eigenvalues, bool flat, float alpha, float beta, float gamma)
{
    const float3 v = sorted_by_size(eigenvalues);
    const float strength = 1.0f - exp(-dot(v, v) / (2.0f * gamma * gamma));
    if (v.z <= 0.0f || (!flat && v.y <= 0.0f))
        return 0.0f;
    const float line = flat ? v.y / v.z : v.x / sqrt(v.y * v.z), plate = v.y / v.z;
    const float thin = flat ? 1.0f : 1.0f - exp(-plate * plate / (2.0f * alpha * alpha));
    return thin * exp(-line * line / (2.0f * beta * beta)) * strength;
}

/* Stores the value at this scale or, after the first scale, the larger of it and `best`. `square`: sigma squared. */
kernel void ridges(INPUT(from), INPUT(best), OUTPUT(to), int has_best, int kind, int bright, float square, float alpha,
                   float beta, float gamma)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const bool flat = from.depth == 1;
    const float3 rising = eigenvalues_at(from_pixels, from) * square;
    float3 v = bright ? -rising.zyx : rising; /* as for dark ridges */
    if (flat && bright)
        v = (float3)(0.0f, v.x, v.y);
    float value;
    if (kind == RIDGES_STRENGTH)
        value = sqrt(dot(v, v));
    else if (kind == RIDGES_FRANGI)
        value = frangi_of(v, flat, alpha, beta, gamma);
    else
        value = flat ? fmax(v.z, 0.0f) : sqrt(fmax(v.y, 0.0f) * fmax(v.z, 0.0f));
    STORE(to, x, y, z, has_best ? fmax(value, LOAD(best, x, y, z)) : value);
}
