/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A back projector that differs from the mirrored psf: it nearly inverts the blur up to the resolution limit, and
 * passes no finer detail.
 */
#include "richardson_lucy.h"
#include "plan_fft.h"

#include "width.h"

/* Computes the back projector `back` from the half spectrum of the blur. */
static void send_back_projector(drua_plan *p, drua_view spectrum, drua_view back, const double *size, double alpha,
                                double steepness, double order)
{
    const drua_view half = plan_fft_spectrum(spectrum);
    LAUNCH(p, "rl_butterworth", GRID(half.layout.width / 2, half.layout.height, half.layout.depth, 32, 4, 1), ARG(half),
           ARG(plan_fft_spectrum(back)), INT(spectrum.layout.width), REAL(size[0]), REAL(size[1]), REAL(size[2]),
           REAL(alpha), REAL(steepness), REAL(order));
}

static drua_view box_like(drua_plan *p, drua_view box)
{
    return plan_fft_scratch(p, (drua_shape){box.layout.width, box.layout.height, box.layout.depth, 3});
}

/* The Wiener filter alone, without a cut-off at the resolution limit. */
drua_view rl_preconditioner(drua_plan *p, const rl_options *o, drua_view spectrum)
{
    static const double nothing[3] = {0};
    drua_view back = box_like(p, spectrum);
    send_back_projector(p, spectrum, back, nothing, o->precondition, 0, 1);
    return back;
}

/* The psf's transfer at a frequency along an axis, in cycles per pixel. */
static double gain_at(const float *pixels, drua_shape s, int axis, double frequency)
{
    double real = 0, imaginary = 0, all = 0;
    for (int64_t z = 0, n = 0; z < s.depth; z++)
        for (int64_t y = 0; y < s.height; y++)
            for (int64_t x = 0; x < s.width; x++, n++) {
                const int64_t at[] = {x - s.width / 2, y - s.height / 2, z - s.depth / 2};
                const double angle = -2 * M_PI * frequency * (double)at[axis];
                real += pixels[n] * cos(angle);
                imaginary += pixels[n] * sin(angle);
                all += pixels[n];
            }
    return sqrt(real * real + imaginary * imaginary) / all;
}

/* Resolution (full width at half maximum) along each axis in pixels; 0 along an axis of extent 1. */
static void measure_resolutions(drua_plan *p, const float *pixels, drua_shape s, double *size)
{
    for (int axis = 0; axis < 3; axis++) {
        size[axis] = s.extent[axis] > 1 ? psf_width(pixels, s, axis) : 0;
        if (isnan(size[axis]))
            plan_fail(p,
                      "psf does not fall to half of its central height along %c; use a larger psf with its peak in the "
                      "middle",
                      "xyz"[axis]);
    }
}

static const float *read_psf(drua_plan *p, drua_view psf, drua_shape s)
{
    const size_t count = (size_t)(s.width * s.height * s.depth);
    float *pixels = plan_host_memory(p, count * sizeof *pixels);
    plan_read_floats(p, psf, pixels);
    return pixels;
}

/*
 * An axis counts if the psf suppresses waves shorter than four pixels along it, because neighbouring pixels are then
 * correlated.
 */
int rl_smooth_axes(drua_plan *p, drua_view psf)
{
    static const double SHORT = 0.25, LITTLE = 0.2;
    const drua_shape s = {psf.layout.width, psf.layout.height, psf.layout.depth, 3};
    const float *pixels = read_psf(p, psf, s);
    int axes = 0;
    for (int axis = 0; axis < 3 && !plan_failed(p); axis++)
        axes |= (gain_at(pixels, s, axis, SHORT) <= LITTLE) << axis;
    return axes;
}

drua_view rl_back_projector(drua_plan *p, const rl_options *o, drua_view psf, drua_view spectrum)
{
    const drua_shape s = {psf.layout.width, psf.layout.height, psf.layout.depth, 3};
    drua_view back = box_like(p, spectrum);
    const float *pixels = read_psf(p, psf, s);
    double size[3] = {0}, mean = 0;
    int axes = 0;
    if (!plan_failed(p))
        measure_resolutions(p, pixels, s, size);
    for (int axis = 0; axis < 3 && !plan_failed(p); axis++)
        if (size[axis] > 0) {
            mean += gain_at(pixels, s, axis, 1 / size[axis]);
            axes++;
        }
    if (!plan_failed(p) && size[0] <= 0)
        plan_fail(p, "psf must be wider than one pixel for method=wiener_butterworth");
    if (plan_failed(p))
        return back;
    const double beta = mean / axes, at_x = gain_at(pixels, s, 0, 1 / size[0]),
                 wiener = at_x / (at_x * at_x + o->alpha);
    const double steepness = beta > 0 ? fmax(wiener * wiener / (beta * beta) - 1, 0) : INFINITY;
    send_back_projector(p, spectrum, back, size, o->alpha, fmin(steepness, 1e30), o->order);
    return back;
}
