/* SPDX-License-Identifier: BSD-3-Clause */
/* Total variation in the Richardson-Lucy update; see richardson_lucy.cl. */

inline float minmod(float a, float b)
{
    return a * b <= 0.0f ? 0.0f : fabs(a) < fabs(b) ? a : b;
}

/*
 * The region of voxels whose light was observed. Outside it, the estimate has no meaning, and the nearest voxel of the
 * region is repeated.
 */
typedef struct {
    int3 first, last;
} region;

#define PIXEL(dx, dy, dz)                                                                                              \
    LOAD(estimate, clamp(x + dx, in.first.x, in.last.x), clamp(y + dy, in.first.y, in.last.y),                         \
        clamp(z + dz, in.first.z, in.last.z))

/*
 * Divides the forward difference along an axis by the length of the gradient. The differences on both sides of the
 * pixel give the gradient's components along the other two axes.
 */
inline float slope(float forward, float side_forward, float side_back, float other_forward, float other_back,
                   float min_gradient)
{
    const float side = minmod(side_forward, side_back), other = minmod(other_forward, other_back);
    const float size = sqrt(forward * forward + side * side + other * other + min_gradient * min_gradient);
    return size > 0.0f ? forward / size : 0.0f;
}

#define SLOPE(name, fx, fy, fz, sx, sy, sz, ox, oy, oz, hf, hs, ho)                                                    \
    inline float name(global const uchar *estimate_pixels, const layout estimate, int x, int y, int z, region in,      \
                      float3 h, float epsilon)                                                                         \
    {                                                                                                                  \
        const float c = PIXEL(0, 0, 0);                                                                                \
        return slope((PIXEL(fx, fy, fz) - c) / hf, (PIXEL(sx, sy, sz) - c) / hs, (c - PIXEL(-sx, -sy, -sz)) / hs,      \
                     (PIXEL(ox, oy, oz) - c) / ho, (c - PIXEL(-ox, -oy, -oz)) / ho, epsilon * c);                      \
    }
SLOPE(slope_x, 1, 0, 0, 0, 1, 0, 0, 0, 1, h.x, h.y, h.z)
SLOPE(slope_y, 0, 1, 0, 1, 0, 0, 0, 0, 1, h.y, h.x, h.z)
SLOPE(slope_z, 0, 0, 1, 1, 0, 0, 0, 1, 0, h.z, h.x, h.y)

/* The slope into the first pixel is 0. */
#define INFLOW(name, dx, dy, dz, first)                                                                                \
    ((first) ? 0.0f : name(estimate_pixels, estimate, x - dx, y - dy, z - dz, in, h, epsilon))

/* In a block of a periodic image, limits the region to the period that contains the pixel. */
inline region repetition_of(region in, int axis, int at, int seam, int period)
{
    const int first = at - ((at - seam) % period + period) % period, last = first + period - 1;
    if (axis == 1) {
        in.first.y = max(in.first.y, first);
        in.last.y = min(in.last.y, last);
    } else {
        in.first.z = max(in.first.z, first);
        in.last.z = min(in.last.z, last);
    }
    return in;
}

/*
 * 1 + correction * seen is divided by 1 - weight * div(gradient / |gradient|). The length of the gradient is at least
 * `epsilon` times the estimate.
 */
kernel void rl_smooth(OUTPUT(correction), INPUT(estimate), INPUT(seen), int weighted, float weight, float hx, float hy,
                      float hz, float epsilon, int fx, int fy, int fz, int lx, int ly, int lz, int axis, int seam,
                      int period)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    const float3 h = (float3)(hx, hy, hz);
    region in = {(int3)(fx, fy, fz), (int3)(lx, ly, lz)};
    if (x < fx || y < fy || z < fz || x > lx || y > ly || z > lz)
        return;
    const float scale = weighted ? LOAD(seen, x, y, z) : 1.0f;
    if (scale <= 0.0f)
        return;
    if (period > 0)
        in = repetition_of(in, axis, axis == 1 ? y : z, seam, period);
    const float divergence =
        (slope_x(estimate_pixels, estimate, x, y, z, in, h, epsilon) - INFLOW(slope_x, 1, 0, 0, x == in.first.x)) / hx +
        (slope_y(estimate_pixels, estimate, x, y, z, in, h, epsilon) - INFLOW(slope_y, 0, 1, 0, y == in.first.y)) / hy +
        (slope_z(estimate_pixels, estimate, x, y, z, in, h, epsilon) - INFLOW(slope_z, 0, 0, 1, z == in.first.z)) / hz;
    const float part = weight * divergence;
    STORE(correction, x, y, z, (LOAD(correction, x, y, z) + part / scale) / (1.0f - part));
}
