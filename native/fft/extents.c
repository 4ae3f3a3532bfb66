/* SPDX-License-Identifier: BSD-3-Clause */
/* Extents that transform well, and the layout of their images in memory. */
#include "kept.h"

/*
 * Wide rows begin at multiples of 64 bytes, because memory is read across rows in such units. Libraries fail if very
 * long rows do.
 */
enum { WIDE = 33, LONG = 4097, WHOLE = 8 };

static bool has_factors_up_to(int largest, int64_t extent)
{
    for (int factor = 2; factor <= largest; factor++)
        while (extent % factor == 0)
            extent /= factor;
    return extent == 1;
}

int64_t drua_fft_extent(int64_t min)
{
    int64_t extent = min < 1 ? 1 : min;
    while (!has_factors_up_to(7, extent))
        extent++;
    return extent;
}

bool fft_is_smooth(int64_t extent)
{
    return has_factors_up_to(13, extent);
}

drua_layout drua_fft_image(drua_shape s)
{
    const int64_t pairs = s.width / 2 + 1,
                  row = 2 * (pairs < WIDE || pairs > LONG ? pairs : (pairs + WHOLE - 1) / WHOLE * WHOLE);
    return (drua_layout){.extent = {(int32_t)s.width, (int32_t)s.height, (int32_t)s.depth},
                         .type = DRUA_FLOAT32,
                         .stride = {1, row, row * s.height}};
}

drua_layout drua_fft_spectrum(drua_shape s)
{
    drua_layout layout = drua_fft_image(s);
    layout.width = (int32_t)(2 * (s.width / 2 + 1));
    return layout;
}

uint64_t fft_work_bytes(drua_shape s)
{
    return (uint64_t)drua_fft_image(s).plane * (uint64_t)s.depth * sizeof(float);
}

bool fft_is_point(drua_shape s)
{
    return s.width == 1 && s.height == 1 && s.depth == 1;
}
