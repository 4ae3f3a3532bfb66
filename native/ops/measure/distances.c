/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums distances over pixels by integrals over their cells, with the Euler-Maclaurin formula for midpoints in three
 * axes. The sum is the integral, minus 1/24 of the integral of the Laplacian (2 / r for distances r), plus 1/2880 of
 * the integral of the fourth derivatives along the axes. These integrals have closed forms; the Laplacian of the
 * Laplacian is 0. The next term decreases with the fifth power of r, so pixels near the point are summed one by one.
 */
#include "distances.h"

#include <math.h>
#include <stdbool.h>

typedef struct box {
    double low[3], high[3];
} box;

/* asinh(a / sqrt(b b + c c)); 0 where this is undefined, because its factors are then 0. */
static double slope(double a, double b, double c)
{
    const double across = sqrt(b * b + c * c);
    return across > 0 ? asinh(a / across) : 0;
}

static double angle(double a, double b, double c, double diagonal)
{
    return a > 0 ? atan(b * c / (a * diagonal)) : 0;
}

/* Integral of the third derivative of r along a, over the rectangle from 0 to b and c in the plane at a. */
static double third_derivative(double a, double b, double c, double diagonal)
{
    const double below = diagonal * (a * a + b * b) * (a * a + c * c);
    return below > 0 ? a * b * c * (diagonal * diagonal + a * a) / below - 2 * angle(a, b, c, diagonal) : 0;
}

/*
 * Integral of r - 1 / (12 r) + 1/2880 of the fourth derivatives, from 0 to a corner. By the divergence theorem, the
 * integral of r is a quarter of its integrals over the three faces not through 0, each times the face's distance. The
 * integral of 1 / r is half of the same sum for 1 / r.
 */
static double integral_to(const double corner[3])
{
    double of_r = 0, of_inverse = 0, of_fourth = 0, sign = 1, side[3], slopes[3];
    for (int i = 0; i < 3; i++) {
        sign *= corner[i] < 0 ? -1 : 1;
        side[i] = fabs(corner[i]);
    }
    const double diagonal = sqrt(side[0] * side[0] + side[1] * side[1] + side[2] * side[2]);
    for (int i = 0; i < 3; i++)
        slopes[i] = slope(side[i], side[(i + 1) % 3], side[(i + 2) % 3]);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const double a = side[i], b = side[j], c = side[k];
        const double inverse = b * slopes[k] + c * slopes[j] - a * angle(a, b, c, diagonal);
        const double first = b * (c * diagonal + (a * a + b * b) * slopes[k]),
                     second = c * (b * diagonal + (a * a + c * c) * slopes[j]);
        of_r += a * ((first + second) / 2 + a * a * inverse) / 3;
        of_inverse += a * inverse;
        of_fourth += third_derivative(a, b, c, diagonal);
    }
    return sign * (of_r / 4 - of_inverse / 24 + of_fourth / 2880);
}

static double integral_over(const box *b)
{
    double sum = 0;
    for (int i = 0; i < 8; i++) {
        const double corner[] = {i & 1 ? b->high[0] : b->low[0], i & 2 ? b->high[1] : b->low[1],
                                 i & 4 ? b->high[2] : b->low[2]};
        const bool adds = ((i & 1) + (i >> 1 & 1) + (i >> 2)) % 2 == 1;
        sum += adds ? integral_to(corner) : -integral_to(corner);
    }
    return sum;
}

static double sum_one_by_one(const box *cells)
{
    double sum = 0;
    for (double z = cells->low[2] + 0.5; z < cells->high[2]; z++)
        for (double y = cells->low[1] + 0.5; y < cells->high[1]; y++)
            for (double x = cells->low[0] + 0.5; x < cells->high[0]; x++)
                sum += sqrt(x * x + y * y + z * z);
    return sum;
}

/*
 * The sum for a distant point: the distance to the centre of all pixels, corrected for the spread of the pixels around
 * this centre.
 */
static double sum_from_afar(const box *cells, double pixels)
{
    double square = 0, scatter = 0, along = 0;
    for (int i = 0; i < 3; i++) {
        const double middle = (cells->low[i] + cells->high[i]) / 2, size = cells->high[i] - cells->low[i],
                     spread = (size * size - 1) / 12;
        square += middle * middle;
        scatter += spread;
        along += spread * middle * middle;
    }
    return isfinite(square) ? pixels * (sqrt(square) + (scatter - along / square) / (2 * sqrt(square))) : square;
}

double distances_to(const double point[3], const int32_t extent[3])
{
    enum { NEAR = 5, FAR = 200 };
    box all, some;
    double pixels = 1, farthest = 0, size = 0;
    bool has_near = true;
    for (int i = 0; i < 3; i++) {
        const double nearest = floor(point[i] + 0.5);
        all.low[i] = -0.5 - point[i];
        all.high[i] = extent[i] - 0.5 - point[i];
        some.low[i] = fmax(all.low[i], nearest - NEAR - 0.5 - point[i]);
        some.high[i] = fmin(all.high[i], nearest + NEAR + 0.5 - point[i]);
        has_near = has_near && some.low[i] < some.high[i];
        pixels *= extent[i];
        size = fmax(size, extent[i]);
        farthest = fmax(farthest, fabs(all.high[i]));
    }
    if (farthest > FAR * size)
        return sum_from_afar(&all, pixels);
    const double sum = integral_over(&all);
    return has_near ? sum - integral_over(&some) + sum_one_by_one(&some) : sum;
}
