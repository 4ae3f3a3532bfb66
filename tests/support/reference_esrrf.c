/* SPDX-License-Identifier: BSD-3-Clause */
#include "reference_esrrf.h"

#include <math.h>

/* The cubic convolution kernel of Keys (1981) with a = -1/2. */
static double keys(double t)
{
    t = fabs(t);
    return t < 1 ? 1.5 * t * t * t - 2.5 * t * t + 1 : t < 2 ? -0.5 * t * t * t + 2.5 * t * t - 4 * t + 2 : 0;
}

typedef double (*grid)(const double *frame, int width, int height, int x, int y);

static double pixel_at(const double *frame, int width, int height, int x, int y)
{
    (void)height;
    return frame[y * width + x];
}

static double before(const double *frame, int width, int x, int y, int left, int up)
{
    int xx = x - left < 0 ? 0 : x - left, yy = y - up < 0 ? 0 : y - up;
    return frame[yy * width + xx];
}

static double gradient_x(const double *frame, int width, int height, int x, int y)
{
    (void)height;
    return (before(frame, width, x, y, 0, 0) - before(frame, width, x, y, 1, 0)) +
           (before(frame, width, x, y, 0, 1) - before(frame, width, x, y, 1, 1));
}

static double gradient_y(const double *frame, int width, int height, int x, int y)
{
    (void)height;
    return (before(frame, width, x, y, 0, 0) - before(frame, width, x, y, 0, 1)) +
           (before(frame, width, x, y, 1, 0) - before(frame, width, x, y, 1, 1));
}

/* The value at corner coordinates (x, y): pixel k has its centre at k + 1/2; neighbours outside count as 0. */
static double value_at(grid values, const double *frame, int width, int height, double x, double y)
{
    int first_x = (int)floor(x - 0.5) - 1, first_y = (int)floor(y - 0.5) - 1;
    double sum = 0;
    for (int j = first_y; j < first_y + 4; j++) {
        if (j < 0 || j >= height)
            continue;
        double line = 0;
        for (int i = first_x; i < first_x + 4; i++)
            if (i >= 0 && i < width)
                line += keys(x - (i + 0.5)) * values(frame, width, height, i, j);
        sum += keys(y - (j + 0.5)) * line;
    }
    return sum;
}

void reference_esrrf_magnify(const reference_esrrf *s, const double *frame, int width, int height, double *magnified)
{
    const int m = s->magnification;
    const double shift = s->registration == REFERENCE_REGISTERED ? 0.5 : 0;
    for (int y = 0; y < m * height; y++)
        for (int x = 0; x < m * width; x++)
            magnified[y * m * width + x] = value_at(pixel_at, frame, width, height, (x + shift) / m, (y + shift) / m);
}

/* The position where sample n of the half grid is read. */
static double sample_position(const reference_esrrf *s, int n, int size)
{
    if (s->registration == REFERENCE_REGISTERED)
        return fmin(n / 2.0 + 0.5, size - 0.5);
    return fmin(n / 2.0, size - 0.5 / s->magnification);
}

static double convergence(const reference_esrrf *s, const double *frame, int width, int height, int x, int y)
{
    const int m = s->magnification, reach = (int)(2 * s->radius);
    const double sigma = s->radius / 2.355, cx = (x + 0.5) / m, cy = (y + 0.5) / m;
    double sum = 0, all = 0;
    for (int j = -reach; j <= reach; j++)
        for (int i = -reach; i <= reach; i++) {
            const int nx = (2 * x + 1) / m + i, ny = (2 * y + 1) / m + j;
            const double dx = nx / 2.0 - cx, dy = ny / 2.0 - cy, d = sqrt(dx * dx + dy * dy);
            if (nx <= 0 || ny <= 0 || nx / 2.0 > m * width - 1 || ny / 2.0 > m * height - 1 || d == 0 ||
                d > 2 * sigma + 1)
                continue;
            const double weight = pow(d * exp(-d * d / (2 * sigma * sigma)), 4);
            all += weight;
            const double px = sample_position(s, nx, width), py = sample_position(s, ny, height);
            const double gx = value_at(gradient_x, frame, width, height, px, py),
                         gy = value_at(gradient_y, frame, width, height, px, py);
            if (gx * dx + gy * dy < 0)
                sum += weight * (1 - fabs(gy * dx - gx * dy) / sqrt(gx * gx + gy * gy) / d);
        }
    const double result = all > 0 ? fmax(sum / all, 0) : 0;
    return s->sensitivity > 1 ? pow(result, s->sensitivity) : result;
}

/* ---- NanoJ's variant: pixels lie at integer coordinates, straight lines at the rim, differences of two pixels */

static double nanoj_value(const double *frame, int width, int height, int x, int y, char what)
{
    x = x < 0 ? 0 : x >= width ? width - 1 : x;
    y = y < 0 ? 0 : y >= height ? height - 1 : y;
    const double here = frame[y * width + x];
    return what == 'x'   ? here - frame[y * width + (x > 0 ? x - 1 : 0)]
           : what == 'y' ? here - frame[(y > 0 ? y - 1 : 0) * width + x]
                         : here;
}

static double nanoj_sample(const double *frame, int width, int height, double x, double y, char what)
{
    const int bx = (int)floor(x), by = (int)floor(y);
    double sum = 0;
    if (bx > 0 && bx < width - 2 && by > 0 && by < height - 2) {
        for (int j = by - 1; j <= by + 2; j++)
            for (int i = bx - 1; i <= bx + 2; i++)
                sum += keys(x - i) * keys(y - j) * nanoj_value(frame, width, height, i, j, what);
        return sum;
    }
    const int lx = (int)fmin(fmax(x, 0), width - 2), ly = (int)fmin(fmax(y, 0), height - 2);
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < 2; i++)
            sum += (i ? x - lx : 1 - (x - lx)) * (j ? y - ly : 1 - (y - ly)) *
                   nanoj_value(frame, width, height, lx + i, ly + j, what);
    return sum;
}

static double half(int n, int size)
{
    return (n < 0 ? 0 : n > 2 * size - 1 ? 2 * size - 1 : n) / 2.0;
}

static double nanoj_pixel(const reference_esrrf *s, const double *frame, int width, int height, int x, int y)
{
    const int m = s->magnification;
    const double sigma = s->radius / 2.354, r = (int)(4 * sigma) / 2.0 + 1, cx = (x + 0.5) / m, cy = (y + 0.5) / m;
    double sum = 0, all = 0;
    for (int j = -(int)(2 * r); j <= (int)(2 * r + 1); j++)
        for (int i = -(int)(2 * r); i <= (int)(2 * r + 1); i++) {
            const int nx = (2 * x + 1) / m + i, ny = (2 * y + 1) / m + j;
            const double dx = nx / 2.0 - cx, dy = ny / 2.0 - cy, d = sqrt(dx * dx + dy * dy);
            if (nx <= 0 || ny <= 0 || nx >= 2 * width || ny >= 2 * height || d == 0 || d > 2 * sigma + 1)
                continue;
            const double weight = pow(d * exp(-d * d / (2 * sigma * sigma)), 4);
            const double gx = nanoj_sample(frame, width, height, half(nx, width), half(ny - 1, height), 'x');
            const double gy = nanoj_sample(frame, width, height, half(nx - 1, width), half(ny, height), 'y');
            all += weight;
            if (gx * dx + gy * dy < 0)
                sum += weight * (1 - fabs(gy * dx - gx * dy) / sqrt(gx * gx + gy * gy) / d);
        }
    return pow(all > 0 ? fmax(sum / all, 0) : 0, s->sensitivity) *
           (s->intensity_weighting ? nanoj_sample(frame, width, height, (double)x / m - 0.5, (double)y / m - 0.5, 'g')
                                   : 1);
}

void reference_esrrf_frame(const reference_esrrf *s, const double *frame, int width, int height, double *magnified)
{
    const int m = s->magnification, margin = (int)(s->radius * m);
    if (s->registration == REFERENCE_NANOJ) {
        for (int i = 0; i < m * width * m * height; i++)
            magnified[i] = nanoj_pixel(s, frame, width, height, i % (m * width), i / (m * width));
        return;
    }
    reference_esrrf_magnify(s, frame, width, height, magnified);
    for (int y = 0; y < m * height; y++)
        for (int x = 0; x < m * width; x++) {
            double *out = &magnified[y * m * width + x];
            const bool outside = x < margin || y < margin || x >= m * width - margin || y >= m * height - margin;
            *out = outside ? 0 : convergence(s, frame, width, height, x, y) * (s->intensity_weighting ? *out : 1);
        }
}

double reference_esrrf_projection(char which, const double *values, int count, int step)
{
    double mean = 0, sum = 0;
    for (int t = 0; t < count; t++)
        mean += values[t * step] / count;
    if (which == 'A')
        return mean;
    const int lag = which == 'V' ? 0 : 1;
    for (int t = 0; t + lag < count; t++)
        sum += (values[t * step] - mean) * (values[(t + lag) * step] - mean);
    return sum / (count - lag);
}

void reference_esrrf_macro_pixels(int m, double *image, int width, int height)
{
    for (int q = 0; q < m; q++)
        for (int p = 0; p < m; p++) {
            double mean = 0;
            for (int y = q; y < height; y += m)
                for (int x = p; x < width; x += m)
                    mean += image[y * width + x] / (width / m * (height / m));
            for (int y = q; y < height && mean != 0; y += m)
                for (int x = p; x < width; x += m)
                    image[y * width + x] /= mean;
        }
}
