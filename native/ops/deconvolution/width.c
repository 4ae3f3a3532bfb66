/* SPDX-License-Identifier: BSD-3-Clause */
#include "width.h"

#include <math.h>

double psf_width(const float *pixels, drua_shape s, int axis)
{
    const int64_t n = axis == 0 ? s.width : axis == 1 ? s.height : s.depth, middle = n / 2;
    const int64_t step = axis == 0 ? 1 : axis == 1 ? s.width : s.width * s.height;
    const float *line = pixels + (s.depth / 2 * s.height + s.height / 2) * s.width + s.width / 2 - middle * step;
    const double half = line[middle * step] / 2.0;
    double width = 0;
    for (int side = -1; side <= 1; side += 2)
        for (int64_t i = middle;; i += side) {
            const int64_t next = i + side;
            if (next < 0 || next >= n)
                return NAN;
            const double here = line[i * step], there = line[next * step];
            if (there <= half) {
                width += (double)(i - middle) * side + (here - half) / (here - there);
                break;
            }
        }
    return width;
}
