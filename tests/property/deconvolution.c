/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolution and deconvolution against sums in double precision that share nothing with the engine. */
#include "harness.h"

#include <complex.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static drua_context *context;
static harness_random chance;

static void open_context(void)
{
    context = harness_open();
}

static void close_context(void)
{
    drua_close(context);
}

/* ---- volumes of doubles */

typedef struct volume {
    int w, h, d;
    double *v;
} volume;

static volume make(int w, int h, int d)
{
    return (volume){w, h, d, calloc((size_t)w * (size_t)h * (size_t)d, sizeof(double))};
}

static int count(volume a)
{
    return a.w * a.h * a.d;
}

static double *at(volume a, int x, int y, int z)
{
    return &a.v[(z * a.h + y) * a.w + x];
}

static double uniform(void)
{
    return (harness_next(&chance) >> 8) / 16777216.0;
}

static volume random_volume(int w, int h, int d, double low, double high)
{
    volume a = make(w, h, d);
    for (int i = 0; i < count(a); i++)
        a.v[i] = (float)(low + (high - low) * uniform());
    return a;
}

/* Lopsided, so that a convolution is no correlation; rough or not. */
static volume lopsided(int w, int h, int d, bool rough)
{
    volume a = random_volume(w, h, d, rough ? 0.1 : 1, 1);
    for (int z = 0; z < d; z++)
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++) {
                const double dx = x - w / 2 - 0.4, dy = y - h / 2 + 0.3, dz = z - d / 2 - 0.2;
                *at(a, x, y, z) = (float)(*at(a, x, y, z) * exp(-(dx * dx + dy * dy) / 5 - dz * dz / 3));
            }
    return a;
}

static volume random_psf(int w, int h, int d)
{
    return lopsided(w, h, d, true);
}

static double sum(volume a)
{
    double s = 0;
    for (int i = 0; i < count(a); i++)
        s += a.v[i];
    return s;
}

static double distance(volume a, volume b)
{
    double wrong = 0, norm = 0;
    for (int i = 0; i < count(a); i++) {
        wrong += (a.v[i] - b.v[i]) * (a.v[i] - b.v[i]);
        norm += b.v[i] * b.v[i];
    }
    return sqrt(wrong / norm);
}

static int wrap(int i, int n)
{
    return ((i % n) + n) % n;
}

static double pixel(volume x, int i, int j, int k)
{
    i = i < 0 ? 0 : i >= x.w ? x.w - 1 : i;
    j = j < 0 ? 0 : j >= x.h ? x.h - 1 : j;
    k = k < 0 ? 0 : k >= x.d ? x.d - 1 : k;
    return *at(x, i, j, k);
}

/* Around nothing (zeros), or around the edges. The kernel's sum counts. Row by row of the image with what lies around it. */
static volume convolve(volume a, volume k, bool periodic, bool correlate)
{
    volume out = make(a.w, a.h, a.d), around = make(a.w + k.w, a.h + k.h, a.d + k.d);
    for (int z = 0; z < around.d; z++)
        for (int y = 0; y < around.h; y++)
            for (int x = 0; x < around.w; x++) {
                const int px = x - k.w / 2, py = y - k.h / 2, pz = z - k.d / 2;
                if (periodic)
                    *at(around, x, y, z) = *at(a, wrap(px, a.w), wrap(py, a.h), wrap(pz, a.d));
                else if (px >= 0 && py >= 0 && pz >= 0 && px < a.w && py < a.h && pz < a.d)
                    *at(around, x, y, z) = *at(a, px, py, pz);
            }
    for (int z = 0; z < a.d; z++)
        for (int y = 0; y < a.h; y++)
            for (int n = 0; n < count(k); n++) {
                const int i = n % k.w, b = n / k.w % k.h, c = n / k.w / k.h;
                const int dx = correlate ? i : 2 * (k.w / 2) - i, dy = correlate ? b : 2 * (k.h / 2) - b, dz = correlate ? c : 2 * (k.d / 2) - c;
                const double *from = at(around, dx, y + dy, z + dz), share = k.v[n];
                double *to = at(out, 0, y, z);
                for (int x = 0; x < a.w; x++)
                    to[x] += share * from[x];
            }
    free(around.v);
    return out;
}

/* ---- the engine's side */

static drua_image push(volume a)
{
    drua_image image;
    float *pixels = malloc((size_t)count(a) * sizeof *pixels);
    for (int i = 0; i < count(a); i++)
        pixels[i] = (float)a.v[i];
    REQUIRE(drua_push(context, (drua_shape){a.w, a.h, a.d, 3}, DRUA_FLOAT32, pixels, &image));
    free(pixels);
    return image;
}

static volume pull(drua_image image)
{
    drua_image_info info;
    REQUIRE(drua_get_info(context, image, &info));
    volume a = make((int)info.shape.width, (int)info.shape.height, (int)info.shape.depth);
    float *pixels = malloc((size_t)count(a) * sizeof *pixels);
    REQUIRE(drua_pull(context, image, pixels));
    for (int i = 0; i < count(a); i++)
        a.v[i] = pixels[i];
    free(pixels);
    return a;
}

static volume run_convolve(volume a, volume k, bool correlate, bool normalize, const char *edges)
{
    drua_argument arguments[] = {IMAGE(push(a)), IMAGE(push(k)), NEW, NUMBER(correlate), NUMBER(normalize), NAME(edges)};
    REQUIRE(drua_invoke(context, "convolve_fft", arguments, 6, NULL));
    volume out = pull(arguments[2].image);
    REQUIRE(drua_clear(context));
    return out;
}

static volume run_deconvolve(volume g, volume psf, const char *options, drua_table **table)
{
    drua_argument arguments[] = {IMAGE(push(g)), IMAGE(push(psf)), NEW, NAME(options)};
    REQUIRE(drua_invoke(context, "deconvolve", arguments, 4, table));
    volume out = pull(arguments[2].image);
    REQUIRE(drua_clear(context));
    return out;
}

/* ---- convolution. Extents are such that the boxes are few: each new one costs its kernels' compilation. */

START_TEST(direct_sums)
{
    static const int sizes[][6] = {{8, 6, 5, 3, 3, 3}, {6, 4, 5, 4, 5, 2}, {8, 6, 1, 3, 2, 7}, {2, 2, 1, 9, 6, 7}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int way = 0; way < 4; way++) {
            const bool correlate = way & 1, periodic = way & 2;
            if (periodic && i > 0)
                continue;
            volume a = random_volume(sizes[i][0], sizes[i][1], sizes[i][2], -1, 1), k = random_psf(sizes[i][3], sizes[i][4], sizes[i][5]);
            volume due = convolve(a, k, periodic, correlate), got = run_convolve(a, k, correlate, false, periodic ? "periodic" : "zero");
            const double error = distance(got, due);
            ck_assert_msg(error < 2e-6, "case %zu, way %d: off by %g", i, way, error);
            free(a.v), free(k.v), free(due.v), free(got.v);
        }
}
END_TEST

/* Neighbours weighted, borders repeated; of an even extent the last weight counts once more. */
static volume weighted(volume a, volume k)
{
    volume out = make(a.w, a.h, a.d);
    const int cx = k.w / 2, cy = k.h / 2, cz = k.d / 2;
    for (int z = 0; z < a.d; z++)
        for (int y = 0; y < a.h; y++)
            for (int x = 0; x < a.w; x++)
                for (int c = -cz; c <= cz; c++)
                    for (int b = -cy; b <= cy; b++)
                        for (int i = -cx; i <= cx; i++)
                            *at(out, x, y, z) += pixel(k, i + cx, b + cy, c + cz) * pixel(a, x + i, y + b, z + c);
    return out;
}

/* Directly and, above 1000 weights, by a transform: within 1e-6 of the largest pixel times the sum of all weights' sizes. */
START_TEST(weighted_windows)
{
    static const int sizes[][6] = {{8, 6, 5, 3, 3, 3}, {9, 6, 5, 4, 1, 2}, {33, 6, 1, 5, 8, 1}, {2, 2, 1, 9, 6, 7}, {18, 15, 8, 13, 12, 9}, {30, 25, 1, 41, 34, 1}};
    for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
        volume a = random_volume(sizes[n][0], sizes[n][1], sizes[n][2], -100, 100), k = random_volume(sizes[n][3], sizes[n][4], sizes[n][5], -1, 2);
        double scale = 0;
        for (int i = 0; i < count(k); i++)
            scale += fabs(k.v[i]);
        drua_argument arguments[] = {IMAGE(push(a)), IMAGE(push(k)), NEW};
        REQUIRE(drua_invoke(context, "convolve", arguments, 3, NULL));
        volume due = weighted(a, k), got = pull(arguments[2].image);
        for (int i = 0; i < count(a); i++)
            ck_assert_msg(fabs(got.v[i] - due.v[i]) < 1e-6 * 100 * scale, "case %zu, pixel %d: %g instead of %g", n, i, got.v[i], due.v[i]);
        free(a.v), free(k.v), free(due.v), free(got.v);
    }
    /* what is no number stays where it is, and integers are summed directly */
    volume a = random_volume(40, 40, 1, 0, 100), k = make(33, 33, 1);
    for (int i = 0; i < count(k); i++)
        k.v[i] = 1;
    a.v[0] = NAN;
    drua_argument arguments[] = {IMAGE(push(a)), IMAGE(push(k)), NEW};
    REQUIRE(drua_invoke(context, "convolve", arguments, 3, NULL));
    volume got = pull(arguments[2].image);
    ck_assert(isnan(got.v[0]) && isfinite(*at(got, 39, 39, 0)));
    for (int i = 0; i < count(a); i++)
        a.v[i] = i == 820;
    drua_argument whole[] = {IMAGE(push(a)), IMAGE(push(k)), NEW};
    REQUIRE(drua_create(context, (drua_shape){40, 40, 1, 2}, DRUA_UINT8, &whole[2].image));
    whole[2].kind = DRUA_ARG_IMAGE;
    REQUIRE(drua_invoke(context, "convolve", whole, 3, NULL));
    uint8_t *bytes = malloc(1600);
    REQUIRE(drua_pull(context, whole[2].image, bytes));
    for (int i = 0; i < 1600; i++)
        ck_assert_int_eq(bytes[i], abs(i % 40 - 20) <= 16 && abs(i / 40 - 20) <= 16);
    free(bytes), free(a.v), free(k.v), free(got.v);
}
END_TEST

/* The image of a point is the kernel, at the point. */
START_TEST(point)
{
    for (int parity = 0; parity < 64; parity++) {
        volume a = make(9 + (parity & 1), 7 + (parity >> 1 & 1), 11 + (parity >> 2 & 1));
        volume k = random_psf(4 + (parity >> 3 & 1), 4 + (parity >> 4 & 1), 2 + (parity >> 5 & 1));
        const int x = a.w / 2, y = a.h / 2, z = a.d / 2;
        *at(a, x, y, z) = 1;
        volume got = run_convolve(a, k, false, true, "zero");
        const double all = sum(k);
        for (int c = 0; c < k.d; c++)
            for (int b = 0; b < k.h; b++)
                for (int i = 0; i < k.w; i++) {
                    const double due = *at(k, i, b, c) / all, is = *at(got, x + i - k.w / 2, y + b - k.h / 2, z + c - k.d / 2);
                    ck_assert_msg(fabs(is - due) < 1e-6, "parity %d at %d, %d, %d: %g instead of %g", parity, i, b, c, is, due);
                }
        ck_assert_msg(fabs(sum(got) - 1) < 1e-5, "parity %d: the sum is %g", parity, sum(got));
        free(a.v), free(k.v), free(got.v);
    }
}
END_TEST

/* ---- Richardson-Lucy */

typedef struct recipe {
    enum { NONCIRCULANT, MIRROR, CIRCULANT } edges;
    int acceleration;       /* 1: heavy ball, 2: Biggs-Andrews */
    double tv, background;
    int method;             /* 1: Wiener-Butterworth, 2: Landweber */
    double floor;           /* least gradient of the total variation, as a share of the pixel */
} recipe;

static int smooth_extent(int n)
{
    for (;; n++) {
        int rest = n;
        for (int p = 2; p < 8; p++)
            while (rest % p == 0)
                rest /= p;
        if (rest == 1)
            return n;
    }
}

static int mirror(int i, int n)
{
    i = wrap(i, 2 * n);
    return i < n ? i : 2 * n - 1 - i;
}

static double minmod(double a, double b)
{
    return a * b <= 0 ? 0 : fabs(a) < fabs(b) ? a : b;
}

/* Forward difference along axis n over the gradient's length, which counts as `ease` times the pixel at least; 0 before the first pixel. */
static double flow(volume x, int n, int i, int j, int k, double ease)
{
    static const double spacing[] = {1, 1, 3};
    static const int step[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    if (i < 0 || j < 0 || k < 0)
        return 0;
    double along = 0, size = pow(ease * *at(x, i, j, k), 2);
    for (int axis = 0; axis < 3; axis++) {
        const int *s = step[axis];
        const double up = (pixel(x, i + s[0], j + s[1], k + s[2]) - pixel(x, i, j, k)) / spacing[axis];
        const double down = (pixel(x, i, j, k) - pixel(x, i - s[0], j - s[1], k - s[2])) / spacing[axis];
        const double part = axis == n ? up : minmod(up, down);
        size += part * part;
        if (axis == n)
            along = up;
    }
    return size > 0 ? along / sqrt(size) : 0;
}

static void divide_by_variation(volume u, volume x, double weight, double ease)
{
    for (int k = 0; k < x.d; k++)
        for (int j = 0; j < x.h; j++)
            for (int i = 0; i < x.w; i++) {
                const double divergence = flow(x, 0, i, j, k, ease) - flow(x, 0, i - 1, j, k, ease) + flow(x, 1, i, j, k, ease) -
                                          flow(x, 1, i, j - 1, k, ease) + (flow(x, 2, i, j, k, ease) - flow(x, 2, i, j, k - 1, ease)) / 3;
                *at(u, i, j, k) /= 1 - weight * divergence;
            }
}

static volume copy(volume a)
{
    volume b = make(a.w, a.h, a.d);
    memcpy(b.v, a.v, (size_t)count(a) * sizeof *a.v);
    return b;
}

/* The image in the box where the estimate lives; x0, y0, z0: where it lies there. */
static volume enlarge(volume g, volume psf, recipe r, int *x0, int *y0, int *z0)
{
    int w = g.w, h = g.h, d = g.d;
    if (r.edges != CIRCULANT) {
        w += 2 * (psf.w / 2);
        h += 2 * (psf.h / 2);
        d += 2 * (psf.d / 2);
    }
    if (r.edges == MIRROR) {
        w = smooth_extent(w);
        h = smooth_extent(h);
        d = smooth_extent(d);
    }
    volume box = make(w, h, d);
    *x0 = (w - g.w) / 2;
    *y0 = (h - g.h) / 2;
    *z0 = (d - g.d) / 2;
    for (int k = 0; k < d; k++)
        for (int j = 0; j < h; j++)
            for (int i = 0; i < w; i++) {
                const int x = i - *x0, y = j - *y0, z = k - *z0;
                const bool inside = x >= 0 && y >= 0 && z >= 0 && x < g.w && y < g.h && z < g.d;
                *at(box, i, j, k) = r.edges == NONCIRCULANT ? (inside ? *at(g, x, y, z) : -1) : *at(g, mirror(x, g.w), mirror(y, g.h), mirror(z, g.d));
            }
    return box;
}

/* ---- spectra, as the sums that define them */

typedef struct spectrum {
    int n[3];
    double complex *v;
} spectrum;

static void transform(spectrum s, int sign)
{
    const int all = s.n[0] * s.n[1] * s.n[2];
    double complex *line = malloc((size_t)all * sizeof *line);
    for (int axis = 0, step = 1; axis < 3; step *= s.n[axis++]) {
        memcpy(line, s.v, (size_t)all * sizeof *line);
        for (int i = 0; i < all; i++) {
            const int k = i / step % s.n[axis], first = i - k * step;
            s.v[i] = 0;
            for (int j = 0; j < s.n[axis]; j++)
                s.v[i] += line[first + j * step] * cexp(sign * 2 * M_PI * I * (j * k % s.n[axis]) / s.n[axis]);
        }
    }
    free(line);
}

static spectrum spectrum_of(volume a)
{
    spectrum s = {{a.w, a.h, a.d}, malloc((size_t)count(a) * sizeof *s.v)};
    for (int i = 0; i < count(a); i++)
        s.v[i] = a.v[i];
    transform(s, -1);
    return s;
}

/* The kernel of sum 1 on a periodic grid like that of `image`, its centre at the origin. */
static spectrum spectrum_of_kernel(volume psf, volume image)
{
    volume grid = make(image.w, image.h, image.d);
    const double all = sum(psf);
    for (int i = 0; i < count(psf); i++)
        *at(grid, wrap(i % psf.w - psf.w / 2, grid.w), wrap(i / psf.w % psf.h - psf.h / 2, grid.h), wrap(i / psf.w / psf.h - psf.d / 2, grid.d)) += psf.v[i] / all;
    spectrum s = spectrum_of(grid);
    free(grid.v);
    return s;
}

/* Back to numbers, of the product with `a`. */
static volume filtered(volume image, spectrum a)
{
    spectrum s = spectrum_of(image);
    volume out = make(image.w, image.h, image.d);
    for (int i = 0; i < count(image); i++)
        s.v[i] *= a.v[i];
    transform(s, 1);
    for (int i = 0; i < count(image); i++)
        out.v[i] = creal(s.v[i]) / count(image);
    free(s.v);
    return out;
}

static double cycles(int i, int n)
{
    return (double)(2 * i > n ? i - n : i) / n;
}

/* Full width at half of the middle's height. */
static double width_of(volume psf, int axis)
{
    const int n[] = {psf.w, psf.h, psf.d}, middle[] = {psf.w / 2, psf.h / 2, psf.d / 2};
    double line[64], ends[2] = {0};
    for (int i = 0; i < n[axis]; i++)
        line[i] = *at(psf, axis == 0 ? i : middle[0], axis == 1 ? i : middle[1], axis == 2 ? i : middle[2]);
    const double half = line[middle[axis]] / 2;
    for (int side = 0; side < 2; side++) {
        int i = middle[axis];
        while (line[i] > half)
            i += side ? 1 : -1;
        const int before = i + (side ? -1 : 1);
        ends[side] = before + (i - before) * (line[before] - half) / (line[before] - line[i]);
    }
    return ends[1] - ends[0];
}

static double gain(volume psf, int axis, double frequency)
{
    double complex s = 0;
    for (int i = 0; i < count(psf); i++) {
        const int where[] = {i % psf.w, i / psf.w % psf.h, i / psf.w / psf.h};
        s += psf.v[i] * cexp(-2 * M_PI * I * frequency * where[axis]);
    }
    return cabs(s) / sum(psf);
}

static spectrum butterworth(volume psf, volume image, double alpha, double order)
{
    spectrum back = spectrum_of_kernel(psf, image);
    const double size[] = {width_of(psf, 0), width_of(psf, 1), width_of(psf, 2)};
    double beta = 0;
    for (int axis = 0; axis < 3; axis++)
        beta += gain(psf, axis, 1 / size[axis]) / 3;
    const double at_x = gain(psf, 0, 1 / size[0]), wiener = at_x / (at_x * at_x + alpha), steepness = wiener * wiener / beta / beta - 1;
    for (int i = 0; i < count(image); i++) {
        const double f[] = {size[0] * cycles(i % image.w, image.w), size[1] * cycles(i / image.w % image.h, image.h), size[2] * cycles(i / image.w / image.h, image.d)};
        const double w = f[0] * f[0] + f[1] * f[1] + f[2] * f[2], square = creal(back.v[i] * conj(back.v[i]));
        back.v[i] = conj(back.v[i]) / (square + alpha) * (1 + alpha) / sqrt(1 + steepness * pow(w, order));
    }
    return back;
}

static volume view_of(volume box, volume g, int x0, int y0, int z0)
{
    volume out = make(g.w, g.h, g.d);
    for (int i = 0; i < count(out); i++)
        out.v[i] = *at(box, i % g.w + x0, i / g.w % g.h + y0, i / g.w / g.h + z0);
    return out;
}

/* What is there after each of `stops` iterations. `bad`: pixels that were not seen, or nothing; `start`: the first estimate, or below 0. */
static void deconvolve_until(volume g, volume raw, recipe r, const int *stops, int stop_count, volume bad, double start, volume *outs)
{
    int x0, y0, z0;
    const bool periodic = r.edges != NONCIRCULANT;
    volume psf = copy(raw), seen = enlarge(g, raw, r, &x0, &y0, &z0), x = copy(seen), weight = copy(seen);
    const double all = sum(raw), mean = start < 0 ? sum(g) / count(g) - r.background : start;
    for (int i = 0; bad.v && i < count(bad); i++)
        if (bad.v[i] != 0)
            *at(seen, i % g.w + x0, i / g.w % g.h + y0, i / g.w / g.h + z0) = -1;
    for (int i = 0; i < count(psf); i++)
        psf.v[i] /= all;
    for (int i = 0; i < count(x); i++) {
        x.v[i] = periodic ? fmax(seen.v[i] - r.background, 0) : mean;
        weight.v[i] = seen.v[i] >= 0;
    }
    volume share = convolve(weight, psf, periodic, true);
    for (int i = 0; i < count(x); i++)
        weight.v[i] = share.v[i] < 0.01 ? 0 : 1 / share.v[i];
    spectrum back = r.method == 1 ? butterworth(raw, x, 0.05, 10) : (spectrum){{0}, NULL};
    volume before = copy(x), went[2] = {make(x.w, x.h, x.d), make(x.w, x.h, x.d)};
    for (int k = 0, stop = 0; stop < stop_count; k++) {
        double alpha = 0, mixed = 0, square = 0;
        for (int i = 0; i < count(x); i++) {
            mixed += went[0].v[i] * went[1].v[i];
            square += went[1].v[i] * went[1].v[i];
        }
        if (r.acceleration == 1 && k > 1)
            alpha = (k - 1.0) / (k + 2.0);
        if (r.acceleration == 2 && k > 1)
            alpha = square > 0 ? fmin(fmax(mixed / square, 0), 1) : 0;
        volume y = copy(x);
        for (int i = 0; i < count(x); i++)
            y.v[i] = fmax(x.v[i] + alpha * (x.v[i] - before.v[i]), 0.1 * x.v[i]);
        volume q = convolve(y, psf, periodic, false);
        for (int i = 0; i < count(x); i++)
            if (r.method == 2)
                q.v[i] = seen.v[i] >= 0 ? seen.v[i] - q.v[i] - r.background : 0;
            else
                q.v[i] = seen.v[i] >= 0 && q.v[i] + r.background > 0 ? seen.v[i] / (q.v[i] + r.background) : 0;
        volume u = r.method == 1 ? filtered(q, back) : convolve(q, psf, periodic, true);
        if (r.tv > 0)
            divide_by_variation(u, y, r.tv, r.floor);
        memcpy(before.v, x.v, (size_t)count(x) * sizeof *x.v);
        memcpy(went[1].v, went[0].v, (size_t)count(x) * sizeof *x.v);
        for (int i = 0; i < count(x); i++) {
            x.v[i] = r.method == 2 ? fmax(y.v[i] + u.v[i], 0) : weight.v[i] > 0 ? fmax(y.v[i] * u.v[i] * weight.v[i], r.method == 1 ? 1e-3 * mean : 0) : y.v[i];
            went[0].v[i] = x.v[i] - y.v[i];
        }
        free(q.v), free(u.v), free(y.v);
        if (k + 1 == stops[stop])
            outs[stop++] = view_of(x, g, x0, y0, z0);
    }
    free(back.v);
    free(psf.v), free(seen.v), free(x.v), free(weight.v), free(share.v), free(before.v), free(went[0].v), free(went[1].v);
}

static volume deconvolve_seen(volume g, volume psf, recipe r, int iterations, volume bad, double start)
{
    volume out;
    deconvolve_until(g, psf, r, &iterations, 1, bad, start, &out);
    return out;
}

static volume deconvolve(volume g, volume psf, recipe r, int iterations)
{
    return deconvolve_seen(g, psf, r, iterations, (volume){0}, -1);
}

static volume deconvolve_where(volume g, volume psf, volume bad, int iterations, double start)
{
    return deconvolve_seen(g, psf, (recipe){NONCIRCULANT, 0, 0, 0, 0, 0}, iterations, bad, start);
}

/* Bright points on an uneven ground, blurred. */
static volume scene(int w, int h, int d, volume psf, double background)
{
    volume truth = make(w, h, d);
    for (int n = 0; n < w * h * d / 60 + 1; n++)
        *at(truth, harness_below(&chance, w), harness_below(&chance, h), harness_below(&chance, d)) += 200 * uniform();
    for (int i = 0; i < count(truth); i++)
        truth.v[i] += 5 + 20 * uniform();
    volume g = convolve(truth, psf, true, false);
    const double all = sum(psf);
    for (int i = 0; i < count(g); i++)
        g.v[i] = (float)(g.v[i] / all + background);
    free(truth.v);
    return g;
}

/*
 * How far what a convolution in float32 rounds away takes the reference itself at most, of several trials: total variation without
 * a floor turns some roundings into steps, and which ones is chance.
 */
static double sensitivity(volume g, volume psf, recipe r, int iterations, volume due)
{
    enum { TRIALS = 20 };
    double most = 0;
    for (int trial = 0; trial < TRIALS && r.tv != 0 && r.floor == 0; trial++) {
        volume other = copy(g);
        for (int i = 0; i < count(g); i++)
            other.v[i] *= 1 + 2e-7 * (harness_below(&chance, 3) - 1);
        volume moved = deconvolve(other, psf, r, iterations);
        most = fmax(most, distance(moved, due));
        free(other.v), free(moved.v);
    }
    return most;
}

START_TEST(iterations)
{
    static const struct {
        const char *options;
        recipe r;
        int most;           /* iterations; total variation without a floor goes its own way later */
    } cases[] = {{"", {NONCIRCULANT, 0, 0, 0, 0, 0}, 100},
                 {"edges=mirror", {MIRROR, 0, 0, 0, 0, 0}, 100},
                 {"edges=circulant", {CIRCULANT, 0, 0, 0, 0, 0}, 100},
                 {"tv=0.01", {NONCIRCULANT, 0, 0.01, 0, 0, 0}, 10},
                 {"tv=0.01 tv_floor=0.053", {.edges = NONCIRCULANT, .tv = 0.01, .floor = 0.053}, 100},
                 {"tv=0.2 tv_floor=1.056", {.edges = NONCIRCULANT, .tv = 0.2, .floor = 1.056}, 100},
                 {"accelerate", {NONCIRCULANT, 1, 0, 0, 0, 0}, 100},
                 {"accelerate=biggs_andrews background=10", {NONCIRCULANT, 2, 0, 10, 0, 0}, 100},
                 {"accelerate edges=circulant background=10 tv=0.002 tv_floor=0.0106", {CIRCULANT, 1, 0.002, 10, 0, 0.0106}, 100},
                 {"method=landweber", {NONCIRCULANT, 0, 0, 0, 2, 0}, 100},
                 {"method=landweber background=10 edges=circulant accelerate", {CIRCULANT, 1, 0, 10, 2, 0}, 100},
                 {"method=wiener_butterworth edges=circulant", {CIRCULANT, 0, 0, 0, 1, 0}, 10}};
    static const int stops[] = {1, 10, 50, 100};
    static const double tolerance[] = {1e-6, 3e-6, 2e-5, 4e-5};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        volume psf = lopsided(7, 6, 5, cases[i].r.method != 1);     /* whose width counts has one peak */
        volume g = scene(18, 15, 8, psf, cases[i].r.background), due[4];
        int n = 0;
        while (n < 4 && stops[n] <= cases[i].most)
            n++;
        deconvolve_until(g, psf, cases[i].r, stops, n, (volume){0}, -1, due);
        for (int k = 0; k < n; k++) {
            char options[128];
            snprintf(options, sizeof options, "iterations=%d %s", stops[k], cases[i].options);
            volume got = run_deconvolve(g, psf, options, NULL);
            const double error = distance(got, due[k]), most = tolerance[k] + 10 * sensitivity(g, psf, cases[i].r, stops[k], due[k]);
            printf("%s: relative error %.1e, at most %.1e\n", options, error, most);
            ck_assert_msg(error < most, "%s: off by %g", options, error);
            free(due[k].v), free(got.v);
        }
        free(psf.v), free(g.v);
    }
}
END_TEST

START_TEST(inverse_filters)
{
    volume psf = random_psf(7, 6, 5), g = scene(18, 15, 8, psf, 0);
    for (int laplace = 0; laplace < 2; laplace++) {
        spectrum k = spectrum_of_kernel(psf, g);
        for (int i = 0; i < count(g); i++) {
            const double f[] = {cycles(i % g.w, g.w), cycles(i / g.w % g.h, g.h), cycles(i / g.w / g.h, g.d)};
            double l = 0;
            for (int n = 0; n < 3; n++)
                l += 4 * pow(sin(M_PI * f[n]), 2);
            k.v[i] = conj(k.v[i]) / (creal(k.v[i] * conj(k.v[i])) + 0.003 * (laplace ? l * l : 1));
        }
        volume due = filtered(g, k);
        drua_argument arguments[] = {IMAGE(push(g)), IMAGE(push(psf)), NEW, NAME(laplace ? "laplacian" : "wiener"), NUMBER(0.003), NAME("periodic")};
        REQUIRE(drua_invoke(context, "deconvolve_inverse", arguments, 6, NULL));
        volume got = pull(arguments[2].image);
        printf("inverse filter %d: relative error %.1e\n", laplace, distance(got, due));
        ck_assert_msg(distance(got, due) < 1e-5, "filter %d: off by %g", laplace, distance(got, due));
        free(k.v), free(due.v), free(got.v);
    }
    free(psf.v), free(g.v);
}
END_TEST

/* Planes too, and kernels larger than the image. */
START_TEST(shapes)
{
    static const int sizes[][6] = {{18, 17, 1, 7, 4, 10}, {20, 17, 1, 5, 5, 1}, {16, 13, 6, 9, 8, 7}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        volume psf = random_psf(sizes[i][3], sizes[i][4], sizes[i][5]), g = random_volume(sizes[i][0], sizes[i][1], sizes[i][2], 5, 50);
        volume due = deconvolve(g, psf, (recipe){NONCIRCULANT, 0, 0, 0, 0, 0}, 5), got = run_deconvolve(g, psf, "iterations=5", NULL);
        ck_assert_msg(distance(got, due) < 1e-5, "size %zu: off by %g", i, distance(got, due));
        free(psf.v), free(g.v), free(due.v), free(got.v);
    }
}
END_TEST

START_TEST(constant_stays_constant)
{
    volume psf = random_psf(7, 6, 5), g = make(18, 15, 8);
    for (int i = 0; i < count(g); i++)
        g.v[i] = 42;
    static const struct {
        const char *options;
        double tolerance;
    } cases[] = {{"iterations=30 edges=mirror", 1e-6}, {"iterations=30 edges=circulant accelerate", 1e-6}, {"iterations=30", 1e-6}, {"iterations=20 accelerate", 1e-6},
                 {"iterations=50 tv=0.01 tv_floor=0.053", 1e-6}, {"iterations=50 tv=0.01 tv_floor=0.053 edges=circulant accelerate", 1e-6}};
    for (int k = 0; k < 6; k++) {
        volume got = run_deconvolve(g, psf, cases[k].options, NULL);
        double worst = 0;
        for (int i = 0; i < count(g); i++)
            worst = fmax(worst, fabs(got.v[i] / 42 - 1));
        printf("constant, %s: %.1e\n", cases[k].options, worst);
        ck_assert_msg(worst < cases[k].tolerance, "%s: off by %g", cases[k].options, worst);
        free(got.v);
    }
    free(psf.v), free(g.v);
}
END_TEST

START_TEST(divergence_falls)
{
    volume psf = random_psf(7, 6, 5), g = scene(18, 15, 8, psf, 0);
    static const char *const ways[] = {"iterations=60 curve", "iterations=60 curve edges=circulant", "iterations=60 curve edges=mirror"};
    for (int k = 0; k < 3; k++) {
        drua_table *table = NULL;
        volume got = run_deconvolve(g, psf, ways[k], &table);
        ck_assert_ptr_nonnull(table);
        ck_assert_uint_eq(table->rows, 60);
        for (size_t i = 1; i < table->rows; i++)
            ck_assert_msg(table->cells[2 * i + 1] <= table->cells[2 * i - 1] * (1 + 1e-6), "%s: divergence %g after %g in iteration %zu", ways[k],
                          table->cells[2 * i + 1], table->cells[2 * i - 1], i);
        ck_assert_msg(fabs(sum(got) / sum(g) - 1) < (k == 1 ? 1e-4 : 0.05), "%s: flux %g", ways[k], sum(got) / sum(g));
        drua_table_free(table);
        free(got.v);
    }
    drua_table *table = NULL;
    volume got = run_deconvolve(g, psf, "iterations=1000 stop=0.01", &table);
    ck_assert_uint_gt(table->rows, 5);
    ck_assert_uint_lt(table->rows, 999);
    drua_table_free(table);
    free(got.v), free(psf.v), free(g.v);
}
END_TEST

/* ---- stopped in the middle */

static atomic_int running, finished_before;     /* how many blocks, before the one that is stopped */

static void wait_for(bool more, double part)
{
    while (atomic_load(&running) && (drua_progress(context) > part) != more)
        usleep(200);
}

static void *stop_soon(void *unused)
{
    for (int i = 0; i < atomic_load(&finished_before); i++) {
        wait_for(true, 0.8);
        wait_for(false, 0.1);
    }
    wait_for(true, 0.1);
    if (atomic_load(&running))
        drua_cancel(context);
    return unused;
}

static drua_status stop(drua_argument *arguments, drua_table **table)
{
    pthread_t thread;
    atomic_store(&running, 1);
    pthread_create(&thread, NULL, stop_soon, NULL);
    const drua_status status = drua_invoke(context, "deconvolve", arguments, 4, table);
    atomic_store(&running, 0);
    pthread_join(thread, NULL);
    return status;
}

/* The result of a stopped call is that of as many iterations as it says. */
START_TEST(a_stopped_call_keeps_what_it_has)
{
    static const char *const ways[] = {"", " accelerate", " accelerate=biggs_andrews", " edges=circulant tv=0.005 tv_floor=0.027"};
    volume psf = random_psf(5, 5, 3), g = scene(48, 40, 12, psf, 0);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char text[128];
        drua_table *table = NULL;
        snprintf(text, sizeof text, "iterations=1000%s", ways[i]);
        drua_argument arguments[] = {IMAGE(push(g)), IMAGE(push(psf)), NEW, NAME(text)};
        ck_assert_int_eq(stop(arguments, &table), DRUA_E_CANCELLED);
        ck_assert_ptr_null(table);
        snprintf(text, sizeof text, "iterations=1000 keep_partial%s", ways[i]);
        REQUIRE(stop(arguments, &table));
        ck_assert_uint_eq(table->rows, 1);
        const int done = (int)table->cells[0];
        ck_assert_msg(done >= 100 && done < 1000, "%d iterations", done);
        snprintf(text, sizeof text, "iterations=%d%s", done, ways[i]);
        volume got = pull(arguments[2].image), due = run_deconvolve(g, psf, text, NULL);
        printf("stopped after %d iterations:%s differs by %.1e\n", done, ways[i], distance(got, due));
        ck_assert_double_le(distance(got, due), 1e-6);
        drua_table_free(table);
        free(due.v), free(got.v);
    }
    free(psf.v), free(g.v);
}
END_TEST

/* One sentence each, and the command of the peers refuses the same. */
START_TEST(bad_input)
{
    volume ok = random_volume(8, 8, 4, 1, 2), nan = copy(ok), negative = copy(ok), empty = make(3, 3, 3), huge = make(1, 1, 1);
    volume psf = random_psf(3, 3, 3), psf_nan = copy(psf), psf_negative = copy(psf);
    nan.v[5] = psf_nan.v[5] = NAN;
    negative.v[7] = psf_negative.v[7] = -3;
    huge.v[0] = 1;
#define SAYS(source, kernel, options, ...) \
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "deconvolve", IMAGE(push(source)), IMAGE(push(kernel)), NEW, NAME(options)), "deconvolve", __VA_ARGS__)
    SAYS(nan, psf, "", "source", "not numbers");
    SAYS(negative, psf, "", "source", "negative", "-3");
    SAYS(empty, psf, "", "source", "mean of 0");
    SAYS(ok, psf, "background=2", "background of 2");
    SAYS(ok, empty, "", "psf", "empty", "0");
    SAYS(ok, psf_nan, "", "psf", "not numbers");
    SAYS(ok, psf_negative, "", "psf", "negative", "-3");
    SAYS(ok, psf, "tv=0.22", "tv", "0.214", "0.22");
    SAYS(ok, psf, "iterations=0", "iterations", "'0'");
    SAYS(ok, psf, "iterations=-5", "iterations", "'-5'");
    SAYS(ok, psf, "iterations=many", "iterations", "'many'");
    SAYS(ok, psf, "edges=round", "edges", "noncirculant, mirror, circulant", "'round'");
    SAYS(ok, psf, "iteration=5", "'iteration'", "iterations");
    SAYS(ok, psf, "spacing=1,1", "spacing", "'1,1'");
    SAYS(ok, psf, "saturated=much", "saturated", "'much'");
    SAYS(ok, psf, "method=landweber tv=0.01", "landweber", "without tv");
    SAYS(ok, psf, "method=landweber step=2", "step", "'2'");
    SAYS(ok, huge, "method=wiener_butterworth", "psf", "one pixel");
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "convolve_fft", IMAGE(push(ok)), IMAGE(push(empty)), NEW), "convolution_kernel", "sum");
    REQUIRE(drua_bind(context, "image", push(ok)));
    REQUIRE(drua_bind(context, "psf", push(psf)));
    REFUSED(DRUA_E_ARGUMENT, COMMAND(context, "CLIJx_deconvolveRichardsonLucyFFT", NAME("image"), NAME("psf"), NAME("out"), NUMBER(0)), "num_iterations", "0");
    REFUSED(DRUA_E_ARGUMENT, COMMAND(context, "CLIJx_deconvolveRLTVFFT", NAME("image"), NAME("psf"), NAME("out"), NUMBER(5), NUMBER(0.3), NUMBER(1)),
            "regularization_factor", "0.21", "0.3");
    drua_image small, far;
    REQUIRE(drua_create(context, (drua_shape){1, 1, 4, 2}, DRUA_UINT8, &small));
    REQUIRE(INVOKE(context, "set", IMAGE(small), NUMBER(1)));
    REQUIRE(drua_create(context, (drua_shape){40000, 40000, 1, 3}, DRUA_UINT8, &far));
    REQUIRE(drua_set_memory(context, "2GB"));
    REFUSED(DRUA_E_MEMORY, INVOKE(context, "deconvolve", IMAGE(small), IMAGE(far), NEW), "needs", "MB", "crop");
    REQUIRE(drua_set_memory(context, ""));
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "deconvolve_masked", IMAGE(push(ok)), IMAGE(push(psf)), IMAGE(small), NEW), "mask", "8 x 8 x 4", "1 x 1 x 4");
    free(ok.v), free(nan.v), free(negative.v), free(empty.v), free(huge.v), free(psf.v), free(psf_nan.v), free(psf_negative.v);
}
END_TEST

/* ---- blocks: a budget in which the whole does not fit gives the same, up to the seams */

static volume run_within(const char *budget, volume g, volume psf, const char *options, uint64_t *parts, drua_table **table)
{
    drua_statistics statistics;
    REQUIRE(drua_set_memory(context, budget));
    drua_get_statistics(context, &statistics);
    const uint64_t before = statistics.slabs;
    volume out = run_deconvolve(g, psf, options, table);
    drua_get_statistics(context, &statistics);
    *parts = statistics.slabs - before;
    ck_assert_msg(statistics.budget_bytes > 1000000000 || statistics.device_bytes <= statistics.budget_bytes, "the budget is exceeded");
    return out;
}

/* Largest difference as a share of the range. */
static double seam(volume whole, volume joined)
{
    double low = INFINITY, high = -INFINITY, worst = 0;
    for (int i = 0; i < count(whole); i++) {
        low = fmin(low, whole.v[i]);
        high = fmax(high, whole.v[i]);
        worst = fmax(worst, fabs(whole.v[i] - joined.v[i]));
    }
    return worst / (high - low);
}

START_TEST(blocks)
{
    static const struct {
        const char *options, *budget;
    } ways[] = {{"iterations=10", "4MB"},
                {"iterations=50", "4MB"},
                {"iterations=25 accelerate tv=0.005 tv_floor=0.027", "5MB"},
                {"iterations=25 edges=mirror accelerate tv=0.005 tv_floor=0.027 background=3", "4MB"},
                {"iterations=20 edges=circulant saturated=90", "2800KB"},
                {"iterations=2 method=wiener_butterworth", "3MB"},
                {"iterations=2 method=wiener_butterworth edges=mirror", "3MB"},
                {"iterations=30 method=landweber", "3200KB"},
                {"iterations=10 accelerate=biggs_andrews", "6MB"}};
    volume rough = lopsided(9, 9, 9, true), smooth = lopsided(9, 9, 9, false), scenes[] = {scene(40, 72, 60, rough, 0), scene(24, 20, 200, smooth, 0)};
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        uint64_t none, some;
        const bool peaked = strstr(ways[k].options, "wiener");
        volume psf = peaked ? smooth : rough, g = scenes[peaked];
        volume whole = run_within("2GB", g, psf, ways[k].options, &none, NULL), joined = run_within(ways[k].budget, g, psf, ways[k].options, &some, NULL);
        const double worst = seam(whole, joined);
        printf("blocks, %s: %d parts, largest error %.1e of the range\n", ways[k].options, (int)some, worst);
        ck_assert_uint_eq(none, 0);
        ck_assert_uint_gt(some, 1);
        ck_assert_msg(worst < (peaked ? 3e-3 : 1e-3), "%s: off by %g of the range", ways[k].options, worst);
        free(whole.v), free(joined.v);
    }
    volume mask = make(40, 72, 60), seen[2];
    for (int i = 0; i < count(mask); i += 41)
        mask.v[i] = 1;
    for (int k = 0; k < 2; k++) {
        REQUIRE(drua_set_memory(context, k ? "4MB" : "2GB"));
        drua_argument masked[] = {IMAGE(push(scenes[0])), IMAGE(push(rough)), IMAGE(push(mask)), NEW, NAME("iterations=10")};
        REQUIRE(drua_invoke(context, "deconvolve_masked", masked, 5, NULL));
        seen[k] = pull(masked[3].image);
        REQUIRE(drua_clear(context));
    }
    printf("blocks with a mask: largest error %.1e of the range\n", seam(seen[0], seen[1]));
    ck_assert_double_lt(seam(seen[0], seen[1]), 1e-3);
    ck_assert_double_gt(seam(seen[0], seen[1]), 0);
    free(mask.v), free(seen[0].v), free(seen[1].v);
    REQUIRE(drua_set_memory(context, "3MB"));
    drua_argument arguments[] = {IMAGE(push(scenes[0])), IMAGE(push(rough)), NAME("edges=mirror"), NEW, NEW};
    REQUIRE(drua_invoke(context, "estimate_deconvolution", arguments, 5, NULL));
    ck_assert_msg(strstr(arguments[3].text, "blocks"), "the estimate says '%s'", arguments[3].text);
    ck_assert_double_gt(arguments[4].number, 3e6);
    REQUIRE(drua_set_memory(context, "2GB"));
    free(rough.v), free(smooth.v), free(scenes[0].v), free(scenes[1].v);
}
END_TEST

/* The divergence of the whole is the sum over blocks, and so is the iteration where it settles. */
START_TEST(blocks_stop)
{
    static const struct {
        const char *options, *budget;
    } ways[] = {{"iterations=24 curve=7 accelerate", "5MB"}, {"iterations=500 stop=0.03 edges=mirror", "3300KB"}, {"iterations=12 stop=0.001 accelerate=biggs_andrews", "6MB"}};
    volume psf = lopsided(9, 9, 9, true), g = scene(40, 72, 60, psf, 0);
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        uint64_t none, some;
        drua_table *due = NULL, *table = NULL;
        volume whole = run_within("2GB", g, psf, ways[k].options, &none, &due), joined = run_within(ways[k].budget, g, psf, ways[k].options, &some, &table);
        double worst = 0;
        ck_assert_uint_gt(some, 1);
        ck_assert_uint_eq(table->columns, 2);
        ck_assert_msg(table->rows == due->rows, "%s: %zu divergences instead of %zu", ways[k].options, table->rows, due->rows);
        for (size_t i = 0; i < due->rows; i++) {
            ck_assert_double_eq(table->cells[2 * i], due->cells[2 * i]);
            worst = fmax(worst, fabs(table->cells[2 * i + 1] / due->cells[2 * i + 1] - 1));
        }
        printf("blocks, %s: %zu divergences, off by %.1e; largest error %.1e of the range\n", ways[k].options, table->rows, worst, seam(whole, joined));
        ck_assert_double_lt(worst, 1e-3);
        ck_assert_double_lt(seam(whole, joined), 1e-3);
        drua_table_free(due), drua_table_free(table);
        free(whole.v), free(joined.v);
    }
    REQUIRE(drua_set_memory(context, "2GB"));
    free(psf.v), free(g.v);
}
END_TEST

/* ---- stopped in blocks: those that are done, the one at work as far as it is, of the rest the image without its background */

static volume layers_of(volume a, int first, int n)
{
    volume part = make(a.w, a.h, n);
    memcpy(part.v, at(a, 0, 0, first), (size_t)count(part) * sizeof *part.v);
    return part;
}

START_TEST(stopped_blocks)
{
    static const char *const ways[] = {" background=3", " edges=mirror accelerate curve=9"};
    enum { ALL = 60 };
    volume psf = lopsided(9, 9, 9, true), g = scene(20, 24, 160, psf, 3);
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        char text[128];
        drua_table *table = NULL;
        snprintf(text, sizeof text, "iterations=%d keep_partial%s", ALL, ways[k]);
        REQUIRE(drua_set_memory(context, "1900KB"));
        drua_argument arguments[] = {IMAGE(push(g)), IMAGE(push(psf)), NEW, NAME(text)};
        atomic_store(&finished_before, 1);
        REQUIRE(stop(arguments, &table));
        atomic_store(&finished_before, 0);
        volume got = pull(arguments[2].image);
        REQUIRE(drua_clear(context));
        ck_assert_uint_eq(table->columns, 3);
        ck_assert_uint_eq(table->rows, 3);
        int next = 0;
        for (size_t i = 0; i < table->rows; i++) {
            const int done = (int)table->cells[3 * i], first = (int)table->cells[3 * i + 1], n = (int)table->cells[3 * i + 2];
            printf("stopped in blocks,%s: %d iterations from slice %d to %d\n", ways[k], done, first, first + n - 1);
            ck_assert_int_eq(first, next);
            ck_assert(n > 0 && (i == 0 ? done == ALL : i == 1 ? done > 0 && done < ALL : done == 0));
            next = first + n;
            snprintf(text, sizeof text, "iterations=%d%s", done, ways[k]);
            REQUIRE(drua_set_memory(context, "2GB"));
            volume whole = done ? run_deconvolve(g, psf, text, NULL) : copy(g);
            for (int p = 0; p < count(whole) && !done; p++)
                whole.v[p] = fmax((float)whole.v[p] - (k == 0 ? 3 : 0), 0);
            volume due = layers_of(whole, first, n), is = layers_of(got, first, n);
            const double worst = seam(due, is);
            ck_assert_msg(worst < (done ? 1e-3 : 1e-7), "%d iterations from slice %d: off by %g of the range", done, first, worst);
            free(whole.v), free(due.v), free(is.v);
        }
        ck_assert_int_eq(next, g.d);
        drua_table_free(table);
        free(got.v);
    }
    /* all blocks have been done once, and the second round is stopped: the first one stays */
    uint64_t some;
    drua_table *table = NULL;
    REQUIRE(drua_set_memory(context, "1900KB"));
    drua_argument again[] = {IMAGE(push(g)), IMAGE(push(psf)), NEW, NAME("iterations=500 stop=1e-9 keep_partial")};
    atomic_store(&finished_before, 4);
    REQUIRE(stop(again, &table));
    atomic_store(&finished_before, 0);
    volume got = pull(again[2].image);
    REQUIRE(drua_clear(context));
    REQUIRE(drua_set_memory(context, "2GB"));
    ck_assert(table->rows == 1 && table->cells[0] == 25 && table->cells[1] == 0 && table->cells[2] == g.d);
    volume due = run_deconvolve(g, psf, "iterations=25", NULL);
    ck_assert_double_lt(seam(due, got), 1e-3);
    drua_table_free(table);
    free(got.v), free(due.v);

    table = NULL;
    volume whole = run_within("1900KB", g, psf, "iterations=5 keep_partial", &some, &table);
    ck_assert_uint_gt(some, 1);
    ck_assert_uint_eq(table->rows, 1);
    ck_assert(table->cells[0] == 5 && table->cells[1] == 0 && table->cells[2] == g.d);
    REQUIRE(drua_set_memory(context, "2GB"));
    drua_table_free(table);
    free(whole.v), free(psf.v), free(g.v);
}
END_TEST

/* ---- bad pixels */

START_TEST(bad_pixels)
{
    volume psf = random_psf(5, 5, 3), g = scene(16, 14, 8, psf, 0), mask = make(16, 14, 8), spoilt = copy(g), dimmed = copy(g);
    double most = 0;
    for (int i = 0; i < count(g); i++)
        most = fmax(most, g.v[i]);
    for (int i = 0; i < count(g); i += 37) {
        mask.v[i] = 1;
        spoilt.v[i] = 100 * most;
        dimmed.v[i] = 0;
    }
    drua_argument by_mask[] = {IMAGE(push(spoilt)), IMAGE(push(psf)), IMAGE(push(mask)), NEW, NAME("iterations=10 start=40")};
    REQUIRE(drua_invoke(context, "deconvolve_masked", by_mask, 5, NULL));
    drua_argument other[] = {IMAGE(push(dimmed)), IMAGE(push(psf)), IMAGE(push(mask)), NEW, NAME("iterations=10 start=40")};
    REQUIRE(drua_invoke(context, "deconvolve_masked", other, 5, NULL));
    volume a = pull(by_mask[3].image), b = pull(other[3].image), c = run_deconvolve(spoilt, psf, "iterations=10 start=40 saturated=1e6", NULL);
    char level[64];
    snprintf(level, sizeof level, "iterations=10 start=40 saturated=%g", 50 * most);
    volume d = run_deconvolve(spoilt, psf, level, NULL), due = deconvolve_where(g, psf, mask, 10, 40);
    ck_assert_msg(distance(a, due) < 1e-5, "off by %g", distance(a, due));
    ck_assert_msg(distance(a, b) == 0, "bad pixels count: %g", distance(a, b));
    ck_assert_msg(distance(a, d) == 0, "saturated pixels count: %g", distance(a, d));
    ck_assert_msg(distance(a, c) > 0.1, "a level above all pixels means nothing");
    free(psf.v), free(g.v), free(mask.v), free(spoilt.v), free(dimmed.v), free(a.v), free(b.v), free(c.v), free(d.v), free(due.v);
}
END_TEST

/* Slice by slice with the middle of the psf is what each slice gives alone. */
START_TEST(slices)
{
    volume psf = random_psf(5, 6, 3), flat = make(5, 6, 1), g = scene(16, 14, 5, psf, 0);
    memcpy(flat.v, at(psf, 0, 0, 1), (size_t)count(flat) * sizeof *flat.v);
    volume all = run_deconvolve(g, psf, "iterations=10 tv=0.01 tv_floor=0.05 slices start=30", NULL);
    for (int z = 0; z < g.d; z++) {
        volume one = make(g.w, g.h, 1), part = make(g.w, g.h, 1);
        memcpy(one.v, at(g, 0, 0, z), (size_t)count(one) * sizeof *one.v);
        memcpy(part.v, at(all, 0, 0, z), (size_t)count(one) * sizeof *one.v);
        volume due = run_deconvolve(one, flat, "iterations=10 tv=0.01 tv_floor=0.05 slices start=30", NULL);
        ck_assert_msg(distance(part, due) < 1e-5, "slice %d: off by %g", z, distance(part, due));
        free(one.v), free(part.v), free(due.v);
    }
    free(psf.v), free(flat.v), free(g.v), free(all.v);
}
END_TEST

/* The peers' commands are the same iterations under other names. */
START_TEST(commands)
{
    volume psf = random_psf(5, 4, 3), g = scene(20, 17, 10, psf, 0);
    REQUIRE(drua_bind(context, "g", push(g)));
    REQUIRE(drua_bind(context, "psf", push(psf)));
    REQUIRE(COMMAND(context, "CLIJx_deconvolveRichardsonLucyFFT", NAME("g"), NAME("psf"), NAME("plain"), NUMBER(10)));
    REQUIRE(COMMAND(context, "CLIJx_deconvolveRLTVFFT", NAME("g"), NAME("psf"), NAME("smooth"), NUMBER(10), NUMBER(0.01), NUMBER(1)));
    drua_image plain, smooth;
    REQUIRE(drua_find(context, "plain", &plain));
    REQUIRE(drua_find(context, "smooth", &smooth));
    volume got_plain = pull(plain), got_smooth = pull(smooth);
    volume due_plain = deconvolve(g, psf, (recipe){MIRROR, 0, 0, 0, 0, 0}, 10), due_smooth = deconvolve(g, psf, (recipe){NONCIRCULANT, 0, 0.01, 0, 0, 0}, 10);
    ck_assert_msg(distance(got_plain, due_plain) < 1e-5, "off by %g", distance(got_plain, due_plain));
    const double most = 1e-5 + 10 * sensitivity(g, psf, (recipe){NONCIRCULANT, 0, 0.01, 0, 0, 0}, 10, due_smooth);
    ck_assert_msg(distance(got_smooth, due_smooth) < most, "off by %g, at most %g", distance(got_smooth, due_smooth), most);
    free(psf.v), free(g.v), free(got_plain.v), free(got_smooth.v), free(due_plain.v), free(due_smooth.v);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("deconvolution");
    TCase *tests = tcase_create("deconvolution"), *parts = tcase_create("blocks"), *stopped = tcase_create("stopped");
    chance.state = harness_new_seed("deconvolution");
    tcase_add_checked_fixture(tests, open_context, close_context);
    tcase_add_test(tests, direct_sums);
    tcase_add_test(tests, weighted_windows);
    tcase_add_test(tests, point);
    tcase_add_test(tests, iterations);
    tcase_add_test(tests, inverse_filters);
    tcase_add_test(tests, shapes);
    tcase_add_test(tests, constant_stays_constant);
    tcase_add_test(tests, divergence_falls);
    tcase_add_test(tests, bad_pixels);
    tcase_add_test(tests, slices);
    tcase_add_test(tests, bad_input);
    tcase_add_test(tests, commands);
    tcase_add_checked_fixture(parts, open_context, close_context);
    tcase_add_test(parts, blocks);
    tcase_add_test(parts, blocks_stop);
    tcase_add_checked_fixture(stopped, open_context, close_context);
    tcase_add_test(stopped, a_stopped_call_keeps_what_it_has);
    tcase_add_test(stopped, stopped_blocks);
    suite_add_tcase(suite, tests);
    suite_add_tcase(suite, parts);
    suite_add_tcase(suite, stopped);
    return harness_run(suite);
}
