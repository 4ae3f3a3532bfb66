/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests point spread functions that are computed from optics or measured from beads. */
#include "pictures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- optics: an integral over the pupil, in the sine of the angle, whose intervals are halved until it converges */

typedef struct light_wave {
    double length, aperture, immersion, sample, depth, glass;
} light_wave;

typedef struct amplitude {
    double re, im;
} amplitude;

static amplitude from_ray(const light_wave *w, double sine, double r, double z)
{
    const double k = 2 * M_PI / w->length, weight = sine * j0(k * sine * r);
    double path = z * sqrt(w->immersion * w->immersion - sine * sine);
    if (w->depth > 0)
        path += w->depth * sqrt(fmax(w->sample * w->sample - sine * sine, 0));
    if (w->glass > 0)
        path += 170 * (sqrt(fmax(w->glass * w->glass - sine * sine, 0)) - sqrt(1.515 * 1.515 - sine * sine));
    return (amplitude){weight * cos(k * path), weight * sin(k * path)};
}

static amplitude halved(const light_wave *w, double r, double z, double a, double b, amplitude fa, amplitude fm,
                        amplitude fb, double tolerance, int deep)
{
    const double m = (a + b) / 2, h = (b - a) / 6;
    const amplitude left = from_ray(w, (a + m) / 2, r, z), right = from_ray(w, (m + b) / 2, r, z);
    const amplitude once = {h * (fa.re + 4 * fm.re + fb.re), h * (fa.im + 4 * fm.im + fb.im)};
    const amplitude twice = {h / 2 * (fa.re + 4 * left.re + 2 * fm.re + 4 * right.re + fb.re),
                             h / 2 * (fa.im + 4 * left.im + 2 * fm.im + 4 * right.im + fb.im)};
    if (deep > 40 || (deep > 6 && fabs(once.re - twice.re) + fabs(once.im - twice.im) < 15 * tolerance))
        return (amplitude){twice.re + (twice.re - once.re) / 15, twice.im + (twice.im - once.im) / 15};
    const amplitude x = halved(w, r, z, a, m, fa, left, fm, tolerance / 2, deep + 1),
                    y = halved(w, r, z, m, b, fm, right, fb, tolerance / 2, deep + 1);
    return (amplitude){x.re + y.re, x.im + y.im};
}

static double light(const light_wave *w, double r, double z)
{
    const double inside = fmin(w->aperture, w->depth > 0 ? w->sample : w->immersion),
                 rim = w->glass > 0 ? fmin(inside, w->glass) : inside, all = rim * rim / 2;
    const amplitude f = halved(w, r, z, 0, rim, from_ray(w, 0, r, z), from_ray(w, rim / 2, r, z),
                               from_ray(w, rim, r, z), 1e-8 * all, 0);
    return (f.re * f.re + f.im * f.im) / all / all;
}

/* The light through a round hole around r: three Gauss points in each of several rings, at equal angles. */
static double light_through(const light_wave *w, double hole, double r, double z)
{
    const double radians = 4 * M_PI * w->aperture / w->length * hole;       /* phase of the finest detail */
    const int rings = 2 + (int)radians, rays = 8 + (int)radians;
    double sum = 0;
    for (int i = 0; i < 3 * rings; i++)
        for (int k = 0; k < rays; k++) {
            const double s = hole / rings * (i / 3 + 0.5 + 0.5 * sqrt(0.6) * (i % 3 - 1)),
                         share = (i % 3 == 1 ? 8 : 5) / 18.0;
            sum += share * s * light(w, sqrt(fmax(r * r + s * s - 2 * r * s * cos(M_PI * (k + 0.5) / rays), 0)), z);
        }
    return sum * hole / rings * 2 * M_PI / rays;
}

enum { WIDEFIELD, CONFOCAL, TWO_PHOTON, LIGHT_SHEET };

typedef struct instrument {
    int kind;
    light_wave seen, lit;     /* lit: the excitation of a confocal microscope */
    double hole, sheet;
} instrument;

static double on_axis(const instrument *m, double z)
{
    return light(&m->seen, 0, z) * (m->kind == CONFOCAL ? light(&m->lit, 0, z) : 1);
}

/* The brightest stage position between two positions, to full precision. */
static double brightest_position(const instrument *m, double low, double high)
{
    double at = low, best = 0;
    for (double z = low; z <= high; z += 0.05) {
        const double value = on_axis(m, z);
        if (value > best) {
            best = value;
            at = z;
        }
    }
    for (double step = 0.025; step > 1e-8; step /= 2)
        for (int side = -1; side <= 1; side += 2)
            while (on_axis(m, at + side * step) > best) {
                at += side * step;
                best = on_axis(m, at);
            }
    return at;
}

static double seen_at(const instrument *m, double r, double z, double focus)
{
    const double wide = m->hole > 0 ? light_through(&m->seen, m->hole, r, focus + z) : light(&m->seen, r, focus + z);
    switch (m->kind) {
    case CONFOCAL: return wide * light(&m->lit, r, focus + z);
    case TWO_PHOTON: return wide * wide;
    case LIGHT_SHEET: return wide * exp(-z * z / (2 * m->sheet * m->sheet));
    default: return wide;
    }
}

/* Checks that each slice is symmetric about its middle. */
static void expect_even(const float *v, int w, int h, int d, size_t n)
{
    for (int z = 0; z < d; z++)
        for (int y = 1; y < h; y++)
            for (int x = 1; x < w; x++)
                if (2 * (h / 2) - y < h && 2 * (w / 2) - x < w)
                    ck_assert_msg(v[(z * h + y) * w + x] == v[(z * h + 2 * (h / 2) - y) * w + 2 * (w / 2) - x],
                                  "case %zu: not even at %d, %d, %d", n, x, y, z);
}

/* Compares a row and a diagonal of several slices; returns the largest error as a share of the middle pixel. */
START_TEST(pupil_integral)
{
    static const char *const kinds[] = {"widefield", "confocal", "two_photon", "light_sheet"};
    static const struct {
        int kind;
        double pixel, slice, emission, aperture, immersion;
        double sample, depth, glass;    /* glass 0: the born_wolf model */
        double excitation, pinhole, sheet;
        double low, high;               /* range that contains the brightest stage position */
        double tolerance;
    } cases[] = {{WIDEFIELD, 0.08, 0.3, 520, 1.2, 1.33, 0, 0, 0, 488, 0, 1, 0, 0, 1e-6},
                 {WIDEFIELD, 0.1, 0.2, 600, 1.45, 1.515, 0, 0, 0, 488, 0, 1, 0, 0, 1e-6},
                 {WIDEFIELD, 1, 5, 520, 0.3, 1, 0, 0, 0, 488, 0, 1, 0, 0, 1e-6},
                 {WIDEFIELD, 0.1, 0.25, 600, 1.4, 1.515, 1.33, 2, 1.515, 488, 0, 1, -6, -1, 1e-6},
                 {WIDEFIELD, 0.1, 0.05, 600, 1.4, 1.515, 1.33, 5, 1.515, 488, 0, 1, -12, -4, 1e-6},
                 {WIDEFIELD, 0.1, 0.5, 600, 1.4, 1.515, 1.33, 20, 1.515, 488, 0, 1, -40, -20, 1e-6},
                 {WIDEFIELD, 0.1, 0.3, 520, 1.2, 1.33, 1.38, 10, 1.515, 488, 0, 1, -12, -8, 1e-6},
                 {WIDEFIELD, 0.1, 0.3, 520, 1.2, 1.33, 1.33, 0, 1.6, 488, 0, 1, 4, 14, 1e-6},
                 {WIDEFIELD, 0.1, 0.3, 520, 1.4, 1.515, 1.45, 2, 1.38, 488, 0, 1, -90, -10, 1e-6},
                 {CONFOCAL, 0.08, 0.3, 520, 1.2, 1.33, 0, 0, 0, 488, 1, 1, 0, 0, 1e-6},
                 {CONFOCAL, 0.08, 0.3, 600, 1.4, 1.515, 1.33, 5, 1.515, 561, 0.4, 1, -12, -4, 1e-6},
                 {CONFOCAL, 0.1, 0.3, 520, 1.2, 1.33, 0, 0, 0, 488, 3, 1, 0, 0, 1e-6},
                 {CONFOCAL, 0.1, 0.3, 520, 1.2, 1.33, 0, 0, 0, 488, 0, 1, 0, 0, 1e-6},
                 {TWO_PHOTON, 0.1, 0.3, 520, 1.0, 1.33, 1.36, 30, 1.515, 920, 0, 1, -34, -26, 1e-6},
                 {LIGHT_SHEET, 0.15, 0.5, 520, 0.8, 1.33, 0, 0, 0, 488, 0, 0.8, 0, 0, 1e-6}};
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        const int w = 21 + (int)(n & 1), h = 22 - (int)(n & 1), d = 9;
        const bool gibson_lanni = cases[n].glass > 0, confocal = cases[n].kind == CONFOCAL;
        const double seen = (cases[n].kind == TWO_PHOTON ? cases[n].excitation : cases[n].emission) / 1000;
        instrument m = {
            .kind = cases[n].kind,
            .seen = {seen, cases[n].aperture, cases[n].immersion, cases[n].sample, cases[n].depth, cases[n].glass},
            .hole = 0.61 * seen / cases[n].aperture * cases[n].pinhole,
            .sheet = cases[n].sheet};
        m.lit = m.seen;
        m.lit.length = cases[n].excitation / 1000;
        drua_shape s;
        drua_image image = RESULT(0, "microscope_psf", NEW, NUMBER(w), NUMBER(h), NUMBER(d), NAME(kinds[m.kind]),
                                  NAME(gibson_lanni ? "gibson_lanni" : "born_wolf"), NUMBER(cases[n].pixel),
                                  NUMBER(cases[n].slice), NUMBER(cases[n].emission), NUMBER(cases[n].aperture),
                                  NUMBER(cases[n].immersion), NUMBER(gibson_lanni ? cases[n].sample : 1.33),
                                  NUMBER(cases[n].depth), NUMBER(gibson_lanni ? cases[n].glass : 1.515),
                                  NUMBER(cases[n].excitation), NUMBER(cases[n].pinhole), NUMBER(cases[n].sheet));
        float *v = pull(image, &s);
        const double peak = v[(d / 2 * h + h / 2) * w + w / 2],
                     focus = gibson_lanni ? brightest_position(&m, cases[n].low, cases[n].high) : 0,
                     due_peak = seen_at(&m, 0, 0, focus);
        double sum = 0, worst = 0;
        for (size_t i = 0; i < count_of(s); i++)
            sum += v[i];
        ck_assert_msg(fabs(sum - 1) < 1e-5, "case %zu: sum %g", n, sum);
        for (int z = confocal ? 2 : 0; z < d; z += confocal ? 3 : 2)
            for (int i = 0; i <= 10; i += confocal ? 3 : 1)
                for (int diagonal = 0; diagonal < 2; diagonal++) {
                    const double r = cases[n].pixel * hypot(i, diagonal * i);
                    const float *slice = v + z * w * h;
                    const double expected = seen_at(&m, r, cases[n].slice * (z - d / 2), focus) / due_peak;
                    worst = fmax(worst, fabs(slice[(h / 2 - diagonal * i) * w + w / 2 - i] / peak - expected));
                }
        printf("%s, case %zu: off by %.1e of the peak\n", kinds[m.kind], n, worst);
        ck_assert_msg(worst < cases[n].tolerance, "%s, case %zu: off by %g of the peak", kinds[m.kind], n, worst);
        expect_even(v, w, h, d, n);
        free(v);
    }
}
END_TEST

static double depth_width(const char *microscope)
{
    enum { W = 31, D = 41 };
    drua_shape s;
    int above = 0;
    drua_image image = RESULT(0, "microscope_psf", NEW, NUMBER(W), NUMBER(W), NUMBER(D), NAME(microscope),
                              NAME("born_wolf"), NUMBER(0.08), NUMBER(0.1), NUMBER(520), NUMBER(1.0), NUMBER(1.33),
                              NUMBER(1.33), NUMBER(0), NUMBER(1.515), NUMBER(488), NUMBER(1), NUMBER(0.6));
    float *v = pull(image, &s);
    const float peak = v[(D / 2 * W + W / 2) * W + W / 2];
    for (int i = 0; i < W * W * D; i++)
        ck_assert_msg(v[i] >= 0 && v[i] <= peak * 1.000001f, "%s: pixel %d is %g, the middle %g", microscope, i, v[i],
                      peak);
    for (int z = 0; z < D; z++)
        above += v[(z * W + W / 2) * W + W / 2] > peak / 2;
    free(v);
    return above * 0.1;
}

/* Confocal and light-sheet sections are thinner than wide-field sections. */
START_TEST(microscopes)
{
    const double wide = depth_width("widefield"), confocal = depth_width("confocal"),
                 sheet = depth_width("light_sheet");
    ck_assert_msg(confocal < wide && sheet < wide && depth_width("two_photon") > 0, "depths %g, %g, %g", wide, confocal,
                  sheet);
    REFUSED(DRUA_E_ARGUMENT,
            INVOKE(context, "microscope_psf", NEW, NUMBER(9), NUMBER(9), NUMBER(9), NAME("widefield"),
                   NAME("born_wolf"), NUMBER(0.1), NUMBER(0.1), NUMBER(500), NUMBER(1.4), NUMBER(1.33)),
            "numerical_aperture", "1.33", "1.4");
    REFUSED(DRUA_E_ARGUMENT,
            INVOKE(context, "microscope_psf", NEW, NUMBER(9), NUMBER(9), NUMBER(9), NAME("widefield"),
                   NAME("born_wolf"), NUMBER(0.1), NUMBER(0.1), NUMBER(500), NUMBER(1.33), NUMBER(1.33)),
            "numerical_aperture", "below", "1.33");
}
END_TEST

/* The peak is at half of each extent, rounded down, and the widths are the requested ones. */
START_TEST(gaussians)
{
    static const int extents[][3] = {{6, 4, 8}, {7, 6, 5}};
    for (int n = 0; n < 2; n++) {
        const int *e = extents[n];
        drua_shape s;
        double all = 0;
        float *v = pull(RESULT(0, "gaussian_psf", NEW, NUMBER(e[0]), NUMBER(e[1]), NUMBER(e[2]), NUMBER(1.1),
                               NUMBER(0.8), NUMBER(1.7)),
                        &s);
        for (int round = 0; round < 2; round++)
            for (int i = 0; i < e[0] * e[1] * e[2]; i++) {
                const double x = i % e[0] - e[0] / 2, y = i / e[0] % e[1] - e[1] / 2, z = i / e[0] / e[1] - e[2] / 2;
                const double expected =
                    exp(-x * x / (2 * 1.1 * 1.1) - y * y / (2 * 0.8 * 0.8) - z * z / (2 * 1.7 * 1.7));
                all += round ? 0 : expected;
                ck_assert_msg(round == 0 || fabs(v[i] - expected / all) < 1e-7, "pixel %d: %g instead of %g", i, v[i],
                              expected / all);
            }
        free(v);
    }
    drua_shape s;
    float *point =
        pull(RESULT(0, "gaussian_psf", NEW, NUMBER(5), NUMBER(4), NUMBER(3), NUMBER(0), NUMBER(0), NUMBER(0)), &s);
    for (int i = 0; i < 60; i++)
        ck_assert_msg(point[i] == (i == (1 * 4 + 2) * 5 + 2), "without extent: pixel %d is %g", i, point[i]);
    free(point);
}
END_TEST

/* ---- from beads */

START_TEST(measured)
{
    drua_image beads = RESULT(0, "phantom", NEW, NAME("beads"), NUMBER(96), NUMBER(96), NUMBER(64), NUMBER(5000),
                              NUMBER(0.3), NUMBER(30));
    drua_image psf = gaussian(17, 21, 2, 3);
    drua_image blurred = RESULT(2, "convolve_fft", IMAGE(beads), IMAGE(psf), NEW);
    drua_image lit = RESULT(1, "add_image_and_scalar", IMAGE(blurred), NEW, NUMBER(20));
    drua_argument arguments[] = {IMAGE(lit), NEW, NUMBER(17), NUMBER(17), NUMBER(21), NUMBER(0.3), NEW, NEW, NEW, NEW};
    REQUIRE(drua_invoke(context, "measure_psf", arguments, 10, NULL));
    const double widths[] = {arguments[7].number, arguments[8].number, arguments[9].number},
                 expected[] = {4.71, 4.71, 7.06};
    printf("beads %g, widths %g %g %g\n", arguments[6].number, widths[0], widths[1], widths[2]);
    ck_assert(arguments[6].number >= 3);
    for (int n = 0; n < 3; n++)
        ck_assert_msg(fabs(widths[n] / expected[n] - 1) < 0.1, "width %d: %g instead of %g", n, widths[n], expected[n]);
    ck_assert(difference(arguments[1].image, psf) < 1e-4);
    drua_image empty;
    REQUIRE(drua_create(context, (drua_shape){40, 40, 30, 3}, DRUA_FLOAT32, &empty));
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "measure_psf", IMAGE(empty), NEW, NUMBER(5), NUMBER(5), NUMBER(5)),
            "no bead");
}
END_TEST

/*
 * Measures beads between pixels: neither their subpixel positions nor the interpolation may widen the result. Linear
 * interpolation would widen it by 4 %.
 */
START_TEST(measured_between_pixels)
{
    enum { ACROSS = 4, STEP = 18, WIDE = ACROSS * STEP, DEEP = 2 * 20 };
    static const double sigma[] = {1.3, 1.3, 1.8};
    static float pixels[DEEP][WIDE][WIDE];
    for (int z = 0; z < DEEP; z++)
        for (int y = 0; y < WIDE; y++)
            for (int x = 0; x < WIDE; x++) {
                const int n = x / STEP + ACROSS * (y / STEP + ACROSS * (z / 20));
                const double u = fmod(n * 0.618034, 1), v = fmod(n * 0.754878, 1), w = fmod(n * 0.569840, 1);
                const double dx = (x % STEP - STEP / 2 - u + 0.5) / sigma[0],
                             dy = (y % STEP - STEP / 2 - v + 0.5) / sigma[1], dz = (z % 20 - 10 - w + 0.5) / sigma[2];
                pixels[z][y][x] = (float)(10 + 1000 * exp(-0.5 * (dx * dx + dy * dy + dz * dz)));
            }
    drua_image image;
    REQUIRE(drua_push(context, (drua_shape){WIDE, WIDE, DEEP, 3}, DRUA_FLOAT32, pixels, &image));
    drua_argument arguments[] = {IMAGE(image), NEW, NUMBER(11), NUMBER(11), NUMBER(13),
                                 NUMBER(0.3),  NEW, NEW,        NEW,        NEW};
    REQUIRE(drua_invoke(context, "measure_psf", arguments, 10, NULL));
    ck_assert_double_eq(arguments[6].number, ACROSS * ACROSS * 2);
    for (int axis = 0; axis < 3; axis++) {
        const double width = arguments[7 + axis].number, expected = sqrt(8 * log(2)) * sigma[axis];
        printf("beads between pixels: width %d is %.3f, due %.3f\n", axis, width, expected);
        ck_assert_msg(fabs(width / expected - 1) < 0.02, "width %d: %g instead of %g", axis, width, expected);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("point_spread");
    TCase *beads = tcase_create("beads");
    tcase_add_checked_fixture(beads, open_context, close_context);
    harness_add(beads, gaussians, 1);
    harness_add(beads, measured, 1);
    harness_add(beads, measured_between_pixels, 1);
    suite_add_tcase(suite, beads);
    TCase *optics = tcase_create("optics");
    tcase_add_checked_fixture(optics, open_context, close_context);
    harness_add(optics, pupil_integral, 1);
    harness_add(optics, microscopes, 1);
    suite_add_tcase(suite, optics);
    return harness_run(suite);
}
