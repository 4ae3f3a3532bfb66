/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves drifted frames back with subpixel accuracy. */
#include "frames.cl"

enum { MOVE_NEAR = 8 };

/* The source of a frame's pixel (0, 0): the first of MOVE_NEAR x MOVE_NEAR pixels, and their weights. */
typedef struct {
    int x, y;
    float wx[MOVE_NEAR], wy[MOVE_NEAR];
} move;

#define MOVED(out, from, x0, y0, z, m)                                                                                 \
    for (int j = 0; j < MOVE_NEAR; j++) {                                                                              \
        float line = 0.0f;                                                                                             \
        for (int i = 0; i < MOVE_NEAR; i++)                                                                            \
            line = fma((m)->wx[i], LOAD_CLAMPED(from, x0 + (m)->x + i, y0 + (m)->y + j, z), line);                     \
        out = fma((m)->wy[j], line, out);                                                                              \
    }

inline global const move *move_of(global const uchar *moves_pixels, layout moves, int z)
{
    return (global const move *)((global const float *)moves_pixels + AT(moves, 0, 0, z));
}

kernel void esrrf_move_frames(INPUT(from), OUTPUT(to), INPUT(moves))
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    float value = 0.0f;
    MOVED(value, from, x, y, z, move_of(moves_pixels, moves, z))
    STORE_SNAPPED(to, x, y, z, value, 2 * ROUNDINGS_OF_SUM(MOVE_NEAR));
}

/*
 * Like esrrf_pad_frames. `from` holds the rows of the frames from `first` on, and `to` receives `height` rows from
 * `top` on.
 */
kernel void esrrf_pad_moved(INPUT(from), OUTPUT(to), INPUT(moves), int first, int top, int height)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const int fx = x - BORDER, fy = y - BORDER;
    float value = 0.0f;
    if (fx >= 0 && fy >= 0 && fx < from.width && fy < height)
        MOVED(value, from, fx, fy + top - first, z, move_of(moves_pixels, moves, z))
    ((global float *)to_pixels)[AT(to, x, y, z)] = value;
}
