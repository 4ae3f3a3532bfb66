/* SPDX-License-Identifier: BSD-3-Clause */
#include "width.h"

#include <math.h>

/*
 * A parabola through the logarithms of three successive pixels, which is exact for a Gaussian: value, slope and
 * curvature at the middle pixel.
 */
typedef struct parabola {
    double value, slope, curvature;
} parabola;

static parabola parabola_through(const float *line, int64_t at, int64_t step)
{
    const double min = 1e-3 * line[at * step]; /* the logarithm of values near 0 is not meaningful */
    const double before = log(fmax(line[(at - 1) * step], min)), here = log(line[at * step]),
                 after = log(fmax(line[(at + 1) * step], min));
    return (parabola){here, (after - before) / 2, before - 2 * here + after};
}

/* Distance from the middle pixel at which the parabola falls to `value`. */
static double falls_to(parabola f, double value)
{
    const double root = sqrt(fmax(f.slope * f.slope - 2 * f.curvature * (f.value - value), 0));
    return f.slope > 0 ? -(f.slope + root) / f.curvature : 2 * (f.value - value) / (root - f.slope);
}

double psf_width(const float *pixels, drua_shape s, int axis)
{
    const int64_t n = s.extent[axis], middle = n / 2, steps[] = {1, s.width, s.width * s.height}, step = steps[axis];
    const float *line = pixels + (s.depth / 2 * s.height + s.height / 2) * s.width + s.width / 2 - middle * step;
    int64_t top = middle;
    for (int side = -1; side <= 1; side += 2)
        while (top + side >= 0 && top + side < n && line[(top + side) * step] > line[top * step])
            top += side;
    if (top == 0 || top == n - 1 || !(line[top * step] > 0))
        return NAN;
    const parabola peak = parabola_through(line, top, step);
    const double half = peak.value - (peak.curvature < 0 ? peak.slope * peak.slope / (2 * peak.curvature) : 0) - log(2);
    double width = 0;
    for (int side = -1; side <= 1; side += 2) {
        int64_t i = top;
        while (i > 0 && i < n - 1 && line[(i + side) * step] > exp(half))
            i += side;
        if (i == 0 || i == n - 1)
            return NAN;
        parabola f = parabola_through(line, i, step);
        f.slope *= side;
        width += (double)((i - top) * side) + falls_to(f, half);
    }
    return fmax(width, 1);      /* pixels cannot resolve a smaller width */
}
