/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Computes the data of a frame that all its magnified pixels share: the frame as float32 with BORDER zeros around it,
 * and the direction of the gradient on a grid of half pixels. Sample n lies n / 2 pixels from the corner of a pixel.
 */
#include "add_in_time.cl"

enum { BORDER = 2 };
enum { REGISTERED, NANOPYX, NANOJ };

kernel void esrrf_pad_frames(INPUT(from), OUTPUT(to))
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const int fx = x - BORDER, fy = y - BORDER, inside = fx >= 0 && fy >= 0 && fx < from.width && fy < from.height;
    ((global float *)to_pixels)[AT(to, x, y, z)] = inside ? LOAD(from, fx, fy, z) : 0.0f;
}

/* Magnifies frames along x and keeps all their rows: one plane for each column of phases. */
kernel void esrrf_magnify_rows(INPUT(from), OUTPUT(to), TABLE(weights), int magnification, int width)
{
    const int x = WIDE * (int)get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (x >= width || y >= to.height || z * magnification >= to.depth)
        return;
    global const float *at = (global const float *)from_pixels + AT(from, x, y, z);
    REAL near[NEAR];
    EACH(i, NEAR)
        near[i] = READ(at + i);
    for (int p = 0; p < magnification; p++) {
        constant float *wx = TABLE_OF(float, weights) + p * NEAR;
        REAL line = (REAL)(0.0f);
        EACH(i, NEAR)
            line = fma((REAL)(wx[i]), near[i], line);
        WRITE((global float *)to_pixels + AT(to, x, y, z * magnification + p), line);
    }
}

/*
 * A sample of the half grid along one axis is interpolated from four gradients, of which the first has the number
 * `first`.
 */
/* the sample lies at the second gradient; between the second and the third; near the far side of the last pixel */
enum { ONE, MIDDLE, EDGE };

typedef struct {
    int first, kind;
} stencil;

inline stencil stencil_of(int n, int size, int registration)
{
    n = min(n, 2 * size);
    if (registration ==
        /* here gradients lie on pixel corners, half a pixel before the positions that the other methods use */
        REGISTERED) {
        if (n >= 2 * size - 1)
            return (stencil){size - 2, ONE};
        return n & 1 ? (stencil){(n + 1) / 2 - 2, MIDDLE} : (stencil){n / 2 - 1, ONE};
    }
    if (n == 2 * size)
        return (stencil){size - 2, EDGE};
    return n & 1 ? (stencil){(n - 1) / 2 - 1, ONE} : (stencil){n / 2 - 2, MIDDLE};
}

/*
 * Stencils of two neighbouring samples, counted from 1. Both use the four gradients from `first` on; those of the
 * second sample begin at number `later` of them.
 */
typedef struct {
    int first, kind[2], later[2];
} stencils;

inline stencils stencils_of(int n, int size, int registration)
{
    const stencil a = stencil_of(n, size, registration), b = stencil_of(n + 1, size, registration);
    const int first = n >= 1 && (a.kind == MIDDLE || b.kind != MIDDLE) ? a.first : b.first;
    return (stencils){first, {a.kind, b.kind}, {a.first - first, b.first - first}};
}

/*
 * Interpolates. In the middle the result is multiplied by 16; both components of a gradient then have that factor.
 * Whole numbers stay exact here, so the result is 0 if and only if the gradient is 0.
 */
inline float fold(const stencils *s, int which, const float *v, float2 edge)
{
    switch (s->kind[which]) {
    case ONE: return s->later[which] ? v[2] : v[1];
    case MIDDLE: return fma(9.0f, v[1] + v[2], -(v[0] + v[3]));
    default: return fma(edge.x, v[0], edge.y * v[1]);
    }
}

enum { LINE = 5 };              /* four pixels and the one before them */

/*
 * Roberts cross of four pixels from `first` on, 0 outside the frame. Differences are taken first, so that a small
 * gradient on a large grey level keeps its digits.
 */
inline void cross_of_rows(const float *above, const float *here, int first, int width, float *gx, float *gy)
{
    _Pragma("unroll") for (int i = 0; i < 4; i++) {
        const int x = first + i;
        const float left = x == 0 ? here[i + 1] : here[i], upper_left = x == 0 ? above[i + 1] : above[i];
        const int inside = x >= 0 && x < width;
        gx[i] = inside ? (here[i + 1] - left) + (above[i + 1] - upper_left) : 0.0f;
        gy[i] = inside ? (here[i + 1] - above[i + 1]) + (left - upper_left) : 0.0f;
    }
}

/*
 * Stores the direction of frame z. Devices that read vectors of many neighbours get a plane of x components and a plane
 * of y components. Other devices get pairs, with two frames side by side.
 */
inline void store_direction(global float *all, layout to, int column, int line, int z, float2 direction)
{
    const INDEX at = line * (INDEX)to.row + column;
#if LANES == 16
    all[AT(to, 0, 0, 2 * z) + at] = direction.x;
    all[AT(to, 0, 0, 2 * z + 1) + at] = direction.y;
#else
    vstore2(direction, 2 * at + z % TOGETHER, all + AT(to, 0, 0, 2 * (z - z % TOGETHER)));
#endif
}

/* Returns the unit vector of a gradient; 0 if the gradient is 0 or the method skips the sample. */
inline float2 unit(float gx, float gy)
{
    const float size = fmax(fabs(gx), fabs(gy));
    if (!(size > 0.0f))
        return (float2)(0.0f);
    gx /= size;
    gy /= size;
    const float length = sqrt(fma(gx, gx, gy * gy));
    return (float2)(gx / length, gy / length);
}

/*
 * A row of `to` holds the samples of the even columns, then those of the odd ones, including `reach` samples before the
 * frame. Each frame has two slices, one per component. Samples from 1 to `last_x` along x, and to `last_y` along y,
 * count. A work-item computes two samples on each of two lines, because these use the same pixels.
 */
kernel void esrrf_directions(INPUT(frames), OUTPUT(to), int reach, int width, int height, int last_x, int last_y,
                             int registration, float edge_before, float edge_last)
{
    const float2 edge = (float2)(edge_before, edge_last);
    const int column = get_global_id(0), line = 2 * (int)get_global_id(1), z = get_global_id(2),
              half_row = to.width / 2;
    if (column >= half_row || line >= to.height || 2 * z >= to.depth)
        return;
    const int nx = 2 * column - reach, ny = line - reach;
    float gx[2][4] = {{0}}, gy[2][4] = {{0}};       /* of both columns */
    const stencils sx = stencils_of(nx, width, registration), sy = stencils_of(ny, height, registration);
    if (nx >= 0 && nx <= last_x && ny >= 0 && ny <= last_y) {
        global const float *plane = (global const float *)frames_pixels + AT(frames, BORDER, BORDER, z);
        float above[LINE] = {0}, here[LINE] = {0};
        _Pragma("unroll") for (int i = -1; i < 4; i++) {
            const int y = sy.first + i;
            if (y < 0 || y >= height)
                continue;
            _Pragma("unroll") for (int k = 0; k < LINE; k++) {
                above[k] = here[k];
                here[k] = plane[y * (INDEX)frames.row + sx.first - 1 + k];
            }
            if (i < 0)
                continue;
            float cross_x[4], cross_y[4];
            cross_of_rows(y == 0 ? here : above, here, sx.first, width, cross_x, cross_y);
            _Pragma("unroll") for (int c = 0; c < 2; c++) {
                gx[c][i] = fold(&sx, c, cross_x, edge);
                gy[c][i] = fold(&sx, c, cross_y, edge);
            }
        }
    }
    _Pragma("unroll") for (int c = 0; c < 4; c++) {
        const int odd_x = c % 2, odd_y = c / 2, at_x = nx + odd_x, at_y = ny + odd_y;
        const int counts = at_x >= 1 && at_x <= last_x && at_y >= 1 && at_y <= last_y;
        const float2 direction =
            counts ? unit(fold(&sy, odd_y, gx[odd_x], edge), fold(&sy, odd_y, gy[odd_x], edge)) : (float2)(0.0f);
        if (line + odd_y < to.height)
            store_direction((global float *)to_pixels, to, column + odd_x * half_row, line + odd_y, z, direction);
    }
}
