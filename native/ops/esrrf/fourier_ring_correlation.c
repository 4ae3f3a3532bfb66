/* SPDX-License-Identifier: BSD-3-Clause */
#include "quality.h"
#include "plan_fft.h"

#include <math.h>

enum { SUMS = 3, GROUP = 64, COLUMNS = ESRRF_RING_COLUMNS };

/* Savitzky-Golay smoothing with a parabola; fewer neighbours at the ends of the curve. */
static double smoothed_at(const double *curve, int count, int at, int half)
{
    const int m = at < half ? at : count - 1 - at < half ? count - 1 - at : half;
    double sum = 0;
    for (int i = -m; i <= m; i++)
        sum += curve[at + i] * 3 * (3.0 * m * m + 3.0 * m - 1 - 5.0 * i * i);
    return m == 0 ? curve[at] : sum / ((2.0 * m + 3) * (2.0 * m + 1) * (2.0 * m - 1));
}

/*
 * Returns the frequency, in cycles per pixel, at which the curve first falls below the threshold; 0.5 if it never does.
 */
static double first_crossing(const double *curve, int rings, int64_t extent, double threshold)
{
    for (int r = 1; r < rings; r++)
        if (curve[r] < threshold) {
            const double fall = curve[r - 1] - curve[r], part = fall > 0 ? (curve[r - 1] - threshold) / fall : 1;
            return (r - 1 + fmin(fmax(part, 0), 1)) / (double)extent;
        }
    return 0.5;
}

static drua_view send_transform(drua_plan *p, drua_shape shape, drua_view image)
{
    drua_view box = plan_fft_scratch(p, shape);
    LAUNCH(p, "esrrf_taper", plan_grid(box.layout), ARG(image), ARG(box));
    plan_fft_forward(p, box);
    return box;
}

/* Returns the sums of each ring, in host memory. */
static float *sums_of_rings(drua_plan *p, drua_shape shape, int rings, drua_view a, drua_view b)
{
    plan_fft_prepare(p, shape, false);
    drua_view first = send_transform(p, shape, a), second = send_transform(p, shape, b);
    drua_view sums = plan_scratch_bytes(p, (uint64_t)rings * SUMS * sizeof(float));
    LAUNCH(p, "esrrf_rings", GRID((int64_t)rings * GROUP, 1, 1, GROUP, 1, 1), ARG(plan_fft_spectrum(first)),
           ARG(plan_fft_spectrum(second)), POINTER(sums), INT(shape.width), INT(shape.height), INT(rings));
    float *s = plan_host_memory(p, (size_t)rings * SUMS * sizeof *s);
    plan_read(p, sums, s, (size_t)rings * SUMS * sizeof *s);
    plan_free_scratch(p, first);
    plan_free_scratch(p, second);
    plan_free_scratch(p, sums);
    return s;
}

double esrrf_ring_resolution(drua_plan *p, drua_view a, drua_view b, double threshold, double **cells, size_t *count)
{
    const drua_shape shape = {plan_fft_extent(a.layout.width), plan_fft_extent(a.layout.height), 1, 2};
    const int64_t extent = shape.width < shape.height ? shape.width : shape.height;
    const int rings = (int)(extent / 2) + 1;
    double *curve = plan_host_memory(p, (size_t)rings * sizeof *curve),
           *smooth = plan_host_memory(p, (size_t)rings * sizeof *smooth);
    double *all = cells ? plan_host_memory(p, (size_t)rings * COLUMNS * sizeof *all) : NULL;
    const float *s = sums_of_rings(p, shape, rings, a, b);
    if (plan_failed(p))
        return 0;
    bool finite = true;
    for (int r = 0; r < rings; r++) {
        for (int k = 0; k < SUMS; k++)
            finite = finite && isfinite(s[r * SUMS + k]);
        const double powers = sqrt((double)s[r * SUMS + 1]) * sqrt((double)s[r * SUMS + 2]);
        curve[r] = powers > 0 ? s[r * SUMS] / powers : 0;
    }
    for (int r = 0; r < rings; r++)
        smooth[r] = smoothed_at(curve, rings, r, (int)(0.035 * rings + 0.5));
    for (int r = 0; all && r < rings; r++) {
        all[r * COLUMNS] = (double)r / (double)extent;
        all[r * COLUMNS + 1] = curve[r];
        all[r * COLUMNS + 2] = smooth[r];
    }
    if (cells) {
        *cells = all;
        *count = (size_t)rings;
    }
    return finite ? 1 / first_crossing(smooth, rings, extent, threshold) : (double)NAN;
}

static void launch_fourier_ring_correlation(drua_plan *p)
{
    const drua_shape a = plan_shape(p, "source1"), b = plan_shape(p, "source2");
    if (a.width != b.width || a.height != b.height || a.width < ESRRF_MIN_EXTENT || a.height < ESRRF_MIN_EXTENT) {
        plan_fail(p, "source1 and source2 must have the same size, at least 4 x 4, got %lld x %lld and %lld x %lld",
                  (long long)a.width, (long long)a.height, (long long)b.width, (long long)b.height);
        return;
    }
    double *cells;
    size_t rings;
    const double pixels =
        esrrf_ring_resolution(p, plan_slices(plan_image(p, "source1"), 0, 1),
                              plan_slices(plan_image(p, "source2"), 0, 1), plan_number(p, "threshold"), &cells, &rings);
    if (!plan_failed(p) && isnan(pixels))
        plan_fail(p, "source1 or source2 has pixels that are NaN, infinite or too large; replace them first");
    if (plan_failed(p))
        return;
    for (size_t r = 0; r < rings; r++)
        cells[r * COLUMNS] /= plan_number(p, "pixel_size");
    plan_set_table(p, (const char *const[]){"Frequency", "Correlation", "Smoothed"}, COLUMNS, cells, rings);
    plan_set_number(p, "resolution", plan_number(p, "pixel_size") * pixels);
}

DRUA_OP(fourier_ring_correlation) = {
    .name = "fourier_ring_correlation",
    .category = "super-resolution",
    .summary = "Measures the resolution from two images of one scene, such as the means of odd and even frames: the "
               "wavelength below which their spectra are no longer alike.",
    .source = "Fourier ring correlation (Nieuwenhuizen et al. 2013): Tukey window of 1/4, rings one frequency step "
              "wide, curve smoothed by a Savitzky-Golay filter over 7 % of its length",
    DRUA_PARAMS(DRUA_IMAGE_IN("source1", "first image; first slice"),
                DRUA_IMAGE_IN("source2", "second image; first slice"),
                DRUA_NUMBER_OUT("resolution",
                                "wavelength at which the curve falls below the threshold; two pixels if it never does"),
                DRUA_TABLE_OUT("curve", "frequency, correlation and smoothed correlation of each ring"),
                DRUA_NUMBER("pixel_size", "size of a pixel in the unit of the result", DRUA_RANGE(1e-12, 1e12),
                            .default_value = 1),
                DRUA_NUMBER("threshold", "correlation below which details count as not resolved", DRUA_RANGE(0, 1),
                            .default_value = 1.0 / 7)),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_READS_PART | DRUA_WHOLE,
    .launch = launch_fourier_ring_correlation,
};
