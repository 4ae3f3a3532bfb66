/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels for NanoJ-eSRRF's bicubic method, where it differs from Drua's: pixels lie on whole coordinates, and the
 * interpolation is cubic inside the frame and linear at its edge.
 */
#include "frames.cl"

/* Base and weights of four neighbours along one axis. */
typedef struct {
    int first;
    float4 weights;
} taps;

inline taps cubic(float at)
{
    const int base = (int)floor(at);
    const float t = at - base, u = 1.0f - t;
    return (taps){base - 1, (float4)(((-0.5f * t + 1.0f) * t - 0.5f) * t, (1.5f * t - 2.5f) * t * t + 1.0f,
                                     (1.5f * u - 2.5f) * u * u + 1.0f, ((-0.5f * u + 1.0f) * u - 0.5f) * u)};
}

/* Linear interpolation; beyond the edge, the line through the last two pixels continues. */
inline taps linear(float at, int size)
{
    const int base = min((int)fmax(at, 0.0f), size - 2);
    const float t = at - base;
    return (taps){base - 1, (float4)(0.0f, 1.0f - t, t, 0.0f)};
}

inline int is_inner(float at, int size)
{
    const int base = (int)floor(at);
    return base > 0 && base < size - 2;
}

enum { GREY, ALONG_X, ALONG_Y };

/* A pixel of the frame, or the difference between it and the pixel before it. */
inline float pixel_of(global const float *plane, INDEX row, int x, int y, int width, int height, int what)
{
    x = clamp(x, 0, width - 1);
    y = clamp(y, 0, height - 1);
    const float here = plane[y * row + x];
    return what == ALONG_X   ? here - plane[y * row + max(x - 1, 0)]
           : what == ALONG_Y ? here - plane[max(y - 1, 0) * row + x]
                             : here;
}

/* Adds pairs with equal weights first, so that sums of whole numbers are exact in the middle. */
inline float weighted(taps t, float4 v)
{
    if (t.weights.y == t.weights.z && t.weights.x == t.weights.w)
        return fma(t.weights.y, v.y + v.z, t.weights.x * (v.x + v.w));
    return fma(t.weights.x, v.x, fma(t.weights.y, v.y, fma(t.weights.z, v.z, t.weights.w * v.w)));
}

inline float sample(global const float *plane, INDEX row, float x, float y, int width, int height, int what)
{
    const int inner = is_inner(x, width) && is_inner(y, height);
    const taps tx = inner ? cubic(x) : linear(x, width), ty = inner ? cubic(y) : linear(y, height);
    float lines[4];
    for (int j = 0; j < 4; j++) {
        float v[4];
        for (int i = 0; i < 4; i++)
            v[i] = pixel_of(plane, row, tx.first + i, ty.first + j, width, height, what);
        lines[j] = weighted(tx, vload4(0, v));
    }
    return weighted(ty, vload4(0, lines));
}

/*
 * Like esrrf_directions. A difference lies half a pixel before its pixel, so the kernel shifts its position by half a
 * pixel along the other axis.
 */
kernel void esrrf_nanoj_directions(INPUT(frames), OUTPUT(to), int reach, int width, int height, int last_x, int last_y)
{
    const int column = get_global_id(0), line = get_global_id(1), z = get_global_id(2), half_row = to.width / 2;
    if (column >= to.width || line >= to.height || 2 * z >= to.depth)
        return;
    const int nx = 2 * (column % half_row) + column / half_row - reach, ny = line - reach;
    float2 direction = (float2)(0.0f);
    if (nx >= 1 && nx <= last_x && ny >= 1 && ny <= last_y) {
        global const float *plane = (global const float *)frames_pixels + AT(frames, BORDER, BORDER, z);
        const float gx = sample(plane, frames.row, 0.5f * nx, 0.5f * (ny - 1), width, height, ALONG_X);
        const float gy = sample(plane, frames.row, 0.5f * (nx - 1), 0.5f * ny, width, height, ALONG_Y);
        direction = unit(gx, gy);
    }
    store_direction((global float *)to_pixels, to, column, line, z, direction);
}

/*
 * Writes the phases of the frames as planes, from row `inner` of the frames on. The frames are a strip of larger frames
 * that starts at row `top`. Positions are rounded as in the larger frames; subtracting `top` is then exact.
 */
kernel void esrrf_nanoj_intensity(INPUT(frames), OUTPUT(to), int magnification, int width, int height, int inner,
                                  int top)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2),
              phase = z % (magnification * magnification);
    if (x >= width || y >= to.height || z >= to.depth)
        return;
    global const float *plane =
        (global const float *)frames_pixels + AT(frames, BORDER, BORDER, z / (magnification * magnification));
    const float at_x = (float)x + (float)(phase % magnification) / (float)magnification - 0.5f;
    const float at_y =
        (float)(y + inner + top) + (float)(phase / magnification) / (float)magnification - 0.5f - (float)top;
    ((global float *)to_pixels)[AT(to, x, y, z)] = sample(plane, frames.row, at_x, at_y, width, height, GREY);
}
