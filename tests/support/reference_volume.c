/* SPDX-License-Identifier: BSD-3-Clause */
#include "reference_volume.h"

#include "reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

volume volume_make(int w, int h, int d)
{
    return (volume){w, h, d, reference_allocate((size_t)w * (size_t)h * (size_t)d, sizeof(double))};
}

volume volume_copy(volume a)
{
    volume b = volume_make(a.w, a.h, a.d);
    memcpy(b.v, a.v, (size_t)volume_count(a) * sizeof *a.v);
    return b;
}

int volume_count(volume a)
{
    return a.w * a.h * a.d;
}

double *volume_at(volume a, int x, int y, int z)
{
    return &a.v[(z * a.h + y) * a.w + x];
}

double volume_pixel(volume x, int i, int j, int k)
{
    i = i < 0 ? 0 : i >= x.w ? x.w - 1 : i;
    j = j < 0 ? 0 : j >= x.h ? x.h - 1 : j;
    k = k < 0 ? 0 : k >= x.d ? x.d - 1 : k;
    return *volume_at(x, i, j, k);
}

double volume_sum(volume a)
{
    double s = 0;
    for (int i = 0; i < volume_count(a); i++)
        s += a.v[i];
    return s;
}

double volume_distance(volume a, volume b)
{
    double wrong = 0, norm = 0;
    for (int i = 0; i < volume_count(a); i++) {
        wrong += (a.v[i] - b.v[i]) * (a.v[i] - b.v[i]);
        norm += b.v[i] * b.v[i];
    }
    return sqrt(wrong / norm);
}

int volume_wrap(int i, int n)
{
    return ((i % n) + n) % n;
}

/* Computes row by row, from rows that are extended beyond the image's edges. */
volume volume_convolve(volume a, volume k, bool periodic, bool correlate)
{
    volume out = volume_make(a.w, a.h, a.d), around = volume_make(a.w + k.w, a.h + k.h, a.d + k.d);
    for (int z = 0; z < around.d; z++)
        for (int y = 0; y < around.h; y++)
            for (int x = 0; x < around.w; x++) {
                const int px = x - k.w / 2, py = y - k.h / 2, pz = z - k.d / 2;
                if (periodic)
                    *volume_at(around, x, y, z) =
                        *volume_at(a, volume_wrap(px, a.w), volume_wrap(py, a.h), volume_wrap(pz, a.d));
                else if (px >= 0 && py >= 0 && pz >= 0 && px < a.w && py < a.h && pz < a.d)
                    *volume_at(around, x, y, z) = *volume_at(a, px, py, pz);
            }
    for (int z = 0; z < a.d; z++)
        for (int y = 0; y < a.h; y++)
            for (int n = 0; n < volume_count(k); n++) {
                const int i = n % k.w, b = n / k.w % k.h, c = n / k.w / k.h;
                const int dx = correlate ? i : 2 * (k.w / 2) - i, dy = correlate ? b : 2 * (k.h / 2) - b,
                          dz = correlate ? c : 2 * (k.d / 2) - c;
                const double *from = volume_at(around, dx, y + dy, z + dz), share = k.v[n];
                double *to = volume_at(out, 0, y, z);
                for (int x = 0; x < a.w; x++)
                    to[x] += share * from[x];
            }
    free(around.v);
    return out;
}

/* ---- spectra */

static void transform_spectrum(spectrum s, int sign)
{
    const int all = s.n[0] * s.n[1] * s.n[2];
    double complex *line = reference_allocate((size_t)all, sizeof *line),
                   *waves = reference_allocate((size_t)all, sizeof *waves);
    for (int axis = 0, step = 1; axis < 3; step *= s.n[axis++]) {
        const int n = s.n[axis];
        memcpy(line, s.v, (size_t)all * sizeof *line);
        for (int k = 0; k < n; k++)
            waves[k] = cexp(sign * 2 * M_PI * I * k / n);
        for (int i = 0; i < all; i++) {
            const int k = i / step % n, first = i - k * step;
            s.v[i] = 0;
            for (int j = 0; j < n; j++)
                s.v[i] += line[first + j * step] * waves[j * k % n];
        }
    }
    free(waves);
    free(line);
}

spectrum spectrum_of(volume a)
{
    spectrum s = {{a.w, a.h, a.d}, reference_allocate((size_t)volume_count(a), sizeof *s.v)};
    for (int i = 0; i < volume_count(a); i++)
        s.v[i] = a.v[i];
    transform_spectrum(s, -1);
    return s;
}

spectrum spectrum_of_kernel(volume psf, volume image)
{
    volume grid = volume_make(image.w, image.h, image.d);
    const double all = volume_sum(psf);
    for (int i = 0; i < volume_count(psf); i++)
        *volume_at(grid, volume_wrap(i % psf.w - psf.w / 2, grid.w), volume_wrap(i / psf.w % psf.h - psf.h / 2, grid.h),
                   volume_wrap(i / psf.w / psf.h - psf.d / 2, grid.d)) += psf.v[i] / all;
    spectrum s = spectrum_of(grid);
    free(grid.v);
    return s;
}

volume spectrum_filter(volume image, spectrum a)
{
    spectrum s = spectrum_of(image);
    volume out = volume_make(image.w, image.h, image.d);
    for (int i = 0; i < volume_count(image); i++)
        s.v[i] *= a.v[i];
    transform_spectrum(s, 1);
    for (int i = 0; i < volume_count(image); i++)
        out.v[i] = creal(s.v[i]) / volume_count(image);
    free(s.v);
    return out;
}

double spectrum_cycles(int i, int n)
{
    return (double)(2 * i > n ? i - n : i) / n;
}
