/* SPDX-License-Identifier: BSD-3-Clause */
/* Point spread functions from what is known of a microscope. A scalar wave: made on the host, in double. */
#include "plan.h"

#include <complex.h>
#include <string.h>

enum { STEPS = 1600, FINE = 4 };     /* intervals over the pupil; radii a pixel */

/* Half a minute on one core. */
static const double MOST_STEPS = 2e10;

static void extent(drua_plan *p, drua_shape *shape)
{
    *shape = (drua_shape){plan_integer(p, "width"), plan_integer(p, "height"), plan_integer(p, "depth"), 3};
}

#define EXTENT(name, preset_) DRUA_INTEGER(name, name " of the image; odd extents have a middle pixel", .unit = "pixel", DRUA_RANGE(1, 1024), .preset = preset_)

/* Scales pixels to a sum of 1 and makes them the destination. */
static void finish(drua_plan *p, float *pixels, size_t count)
{
    const drua_shape s = plan_shape(p, "destination");
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += pixels[i];
    for (size_t i = 0; i < count; i++)
        pixels[i] = sum > 0 ? (float)(pixels[i] / sum) : 0;
    for (drua_stretch part = {.count = 0}; plan_next_slices(p, "destination", &part);) {
        const bool slices = part.axis == 2;
        const int64_t layer = slices ? s.width * s.height : s.width;
        drua_view dense = plan_scratch(p, (drua_shape){s.width, slices ? s.height : part.count, slices ? part.count : 1, 3}, DRUA_FLOAT32);
        plan_write(p, dense, pixels + part.first * layer);
        plan_copy(p, dense, part.view, 0, slices ? 0 : part.first, slices ? part.first : 0);
        plan_drop(p, dense);
    }
}

static float *pixels_of(drua_plan *p, size_t *count)
{
    drua_shape s = plan_shape(p, "destination");
    *count = (size_t)(s.width * s.height * s.depth);
    return plan_host(p, *count * sizeof(float));
}

static void gaussian(drua_plan *p)
{
    size_t count, i = 0;
    float *pixels = pixels_of(p, &count);
    const drua_shape s = plan_shape(p, "destination");
    const double sigma[] = {plan_number(p, "sigma_x"), plan_number(p, "sigma_y"), plan_number(p, "sigma_z")};
    for (int64_t z = 0; pixels && z < s.depth; z++)
        for (int64_t y = 0; y < s.height; y++)
            for (int64_t x = 0; x < s.width; x++, i++) {
                const double at[] = {(double)(x - s.width / 2), (double)(y - s.height / 2), (double)(z - s.depth / 2)};
                double exponent = 0;
                for (int n = 0; n < 3; n++)
                    exponent += sigma[n] > 0 ? at[n] * at[n] / (2 * sigma[n] * sigma[n]) : at[n] != 0 ? 1e9 : 0;
                pixels[i] = (float)exp(-exponent);
            }
    if (pixels)
        finish(p, pixels, count);
}

#define SIGMA(axis, preset_) DRUA_NUMBER("sigma_" axis, "standard deviation along " axis, .unit = "pixel", DRUA_RANGE(0, 1000), .preset = preset_)

const drua_op drua_op_gaussian_psf = {
    .name = "gaussian_psf",
    .category = "deconvolution",
    .summary = "Makes a Gaussian point spread function with a sum of 1.",
    .source = "Gaussian at the pixel centres, divided by its sum",
    DRUA_PARAMS(DRUA_IMAGE_OUT("destination", "point spread function", .shape = extent, .type = DRUA_FLOAT32, .by_slices = true), EXTENT("width", 25),
                EXTENT("height", 25), EXTENT("depth", 25), SIGMA("x", 2), SIGMA("y", 2), SIGMA("z", 4)),
    .numeric = DRUA_DEVICE,
    .plan = gaussian,
};

/* ---- the light of a point, by Gibson and Lanni 1991 */

typedef struct optics {
    double wavenumber, aperture, immersion, sample, depth, glass;
} optics;

/* The pupil at the angle theta, where rho = limit sin(theta): the square root at the pupil's rim needs no finer steps then. */
typedef struct pupil {
    double rho[STEPS + 1], weight[STEPS + 1];
} pupil;

static void fill_pupil(const optics *o, pupil *q)
{
    const double limit = fmin(1, fmin(o->sample / o->aperture, o->immersion / o->aperture)), step = M_PI / 2 / STEPS;
    for (int i = 0; i <= STEPS; i++) {
        const double simpson = i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2;
        q->rho[i] = limit * sin(i * step);
        q->weight[i] = simpson * step / 3 * q->rho[i] * limit * cos(i * step);
    }
}

static double leg(double index, double sine)
{
    return sqrt(fmax(index * index - sine * sine, 0));
}

/* Phase over the pupil, z micrometres from where the stage has the point in focus by design. */
static double phase(const optics *o, double rho, double z)
{
    static const double glass_by_design = 1.515, glass_thickness = 170;
    const double sine = o->aperture * rho;
    return o->wavenumber * (o->depth * leg(o->sample, sine) + z * leg(o->immersion, sine) +
                            (o->glass > 0 ? glass_thickness * (leg(o->glass, sine) - leg(glass_by_design, sine)) : 0));
}

static double intensity(const optics *o, const pupil *q, const double *bessel, double z)
{
    double complex field = 0;
    for (int i = 0; i <= STEPS; i++)
        field += q->weight[i] * (bessel ? bessel[i] : 1) * cexp(I * phase(o, q->rho[i], z));
    return creal(field * conj(field));
}

/* The stage position with the brightest axis: deep in the sample it is not the designed one. */
static double brightest(const optics *o, const pupil *q)
{
    const double shift = -o->depth * o->immersion / o->sample, reach = 2 + fabs(shift);
    double best = 0, at = 0;
    for (double z = shift - reach; z <= shift + reach; z += 0.05) {
        const double value = intensity(o, q, NULL, z);
        if (value > best) {
            best = value;
            at = z;
        }
    }
    return at;
}

/* Radial intensities of every plane, FINE radii a pixel. */
static double *radial_table(drua_plan *p, const optics *o, double pixel, double slice, int64_t radii, int64_t depth)
{
    pupil *q = plan_host(p, sizeof *q);
    double *bessel = plan_host(p, (size_t)radii * (STEPS + 1) * sizeof *bessel), *table = plan_host(p, (size_t)(radii * depth) * sizeof *table);
    double complex *wave = plan_host(p, (STEPS + 1) * sizeof *wave);
    if (plan_failed(p))
        return NULL;
    fill_pupil(o, q);
    for (int64_t r = 0; r < radii; r++)
        for (int i = 0; i <= STEPS; i++)
            bessel[r * (STEPS + 1) + i] = q->weight[i] * j0(o->wavenumber * o->aperture * q->rho[i] * (double)r * pixel / FINE);
    const double focus = brightest(o, q);
    for (int64_t z = 0; z < depth; z++) {
        for (int i = 0; i <= STEPS; i++)
            wave[i] = cexp(I * phase(o, q->rho[i], focus + (double)(z - depth / 2) * slice));
        for (int64_t r = 0; r < radii; r++) {
            double re = 0, im = 0;
            for (int i = 0; i <= STEPS; i++) {
                re += bessel[r * (STEPS + 1) + i] * creal(wave[i]);
                im += bessel[r * (STEPS + 1) + i] * cimag(wave[i]);
            }
            table[z * radii + r] = re * re + im * im;
        }
    }
    return table;
}

static float *render(drua_plan *p, const optics *o, double pixel, double slice)
{
    size_t count, i = 0;
    const drua_shape s = plan_shape(p, "destination");
    const double corner = hypot((double)(s.width / 2), (double)(s.height / 2));
    const int64_t radii = (int64_t)(corner * FINE) + 2;
    const double *table = radial_table(p, o, pixel, slice, radii, s.depth);
    float *pixels = pixels_of(p, &count);
    for (int64_t z = 0; table && pixels && z < s.depth; z++)
        for (int64_t y = 0; y < s.height; y++)
            for (int64_t x = 0; x < s.width; x++, i++) {
                const double r = hypot((double)(x - s.width / 2), (double)(y - s.height / 2)) * FINE;
                const int64_t below = (int64_t)r;
                const double part = r - (double)below, *row = table + z * radii;
                pixels[i] = (float)(row[below] * (1 - part) + row[below + 1] * part);
            }
    return plan_failed(p) ? NULL : pixels;
}

/* What a pinhole of that radius in pixels lets through. */
static void through_pinhole(drua_plan *p, float *pixels, double radius)
{
    const drua_shape s = plan_shape(p, "destination");
    const int64_t reach = (int64_t)radius;
    const double steps = (double)(s.width * s.height * s.depth) * (2 * radius + 1) * (2 * radius + 1);
    if (steps > MOST_STEPS)
        plan_fail(p, "pinhole has a radius of %.0f pixels, too many for %lld x %lld x %lld; give a smaller extent, or widefield", radius,
                  (long long)s.width, (long long)s.height, (long long)s.depth);
    if (plan_failed(p))
        return;
    float *plane = plan_host(p, (size_t)(s.width * s.height) * sizeof *plane);
    for (int64_t z = 0; plane && z < s.depth; z++) {
        float *own = pixels + z * s.width * s.height;
        memcpy(plane, own, (size_t)(s.width * s.height) * sizeof *plane);
        for (int64_t y = 0; y < s.height; y++)
            for (int64_t x = 0; x < s.width; x++) {
                double sum = 0;
                for (int64_t j = -reach; j <= reach; j++)
                    for (int64_t i = -reach; i <= reach; i++)
                        if ((double)(i * i + j * j) <= radius * radius && x + i >= 0 && y + j >= 0 && x + i < s.width && y + j < s.height)
                            sum += plane[(y + j) * s.width + x + i];
                own[y * s.width + x] = (float)sum;
            }
    }
}

enum { WIDEFIELD, CONFOCAL, TWO_PHOTON, LIGHT_SHEET };

static void microscope(drua_plan *p)
{
    const int kind = plan_choice(p, "microscope");
    const bool gibson_lanni = plan_choice(p, "model") == 1;
    const double pixel = plan_number(p, "pixel_size"), slice = plan_number(p, "slice_distance"), aperture = plan_number(p, "numerical_aperture");
    const double emission = plan_number(p, "wavelength") / 1000, excitation = plan_number(p, "excitation_wavelength") / 1000;
    optics o = {.aperture = aperture, .immersion = plan_number(p, "immersion_index")};
    o.sample = gibson_lanni ? plan_number(p, "sample_index") : o.immersion;
    o.depth = gibson_lanni ? plan_number(p, "depth_of_point") : 0;
    o.glass = gibson_lanni ? plan_number(p, "glass_index") : 0;
    if (aperture >= o.immersion)
        plan_fail(p, "numerical_aperture must be below immersion_index, %g, got %g", o.immersion, aperture);
    if (plan_failed(p))
        return;
    size_t count;
    const drua_shape s = plan_shape(p, "destination");
    o.wavenumber = 2 * M_PI / (kind == TWO_PHOTON ? excitation : emission);
    float *pixels = render(p, &o, pixel, slice), *lit = NULL;
    if (kind == CONFOCAL && pixels) {
        o.wavenumber = 2 * M_PI / excitation;
        lit = render(p, &o, pixel, slice);
        through_pinhole(p, pixels, 0.61 * emission / aperture * plan_number(p, "pinhole") / pixel);
    }
    pixels_of(p, &count);
    for (size_t i = 0; pixels && !plan_failed(p) && i < count; i++) {
        const double z = ((double)(i / (size_t)(s.width * s.height)) - (double)(s.depth / 2)) * slice, sheet = plan_number(p, "sheet_sigma");
        if (kind == CONFOCAL)
            pixels[i] *= lit[i];
        if (kind == TWO_PHOTON)
            pixels[i] *= pixels[i];
        if (kind == LIGHT_SHEET)
            pixels[i] *= (float)exp(-z * z / (2 * sheet * sheet));
    }
    if (pixels && !plan_failed(p))
        finish(p, pixels, count);
}

#define INDEX(name, doc, preset_) DRUA_NUMBER(name, "refractive index of the " doc, DRUA_RANGE(1, 2), .preset = preset_)

const drua_op drua_op_microscope_psf = {
    .name = "microscope_psf",
    .category = "deconvolution",
    .summary = "Makes the point spread function of a microscope from its optics, in micrometres, with a sum of 1, brightest in the middle.",
    .source = "scalar Born-Wolf and Gibson-Lanni integrals, Simpson's rule over the angle in the pupil; confocal: times the excitation, "
              "behind a pinhole; two-photon: squared excitation; light sheet: times a Gaussian in z",
    DRUA_PARAMS(DRUA_IMAGE_OUT("destination", "point spread function", .shape = extent, .type = DRUA_FLOAT32, .by_slices = true), EXTENT("width", 65), EXTENT("height", 65),
                EXTENT("depth", 33),
                DRUA_CHOICE("microscope", "what is imaged", .preset_text = "widefield", DRUA_CHOICES("widefield", "confocal", "two_photon", "light_sheet")),
                DRUA_CHOICE("model", "born_wolf: a perfect objective; gibson_lanni: in a sample of another index", .preset_text = "born_wolf",
                            DRUA_CHOICES("born_wolf", "gibson_lanni")),
                DRUA_NUMBER("pixel_size", "size of a pixel in the object", .unit = "um", DRUA_RANGE(0.001, 100), .preset = 0.1),
                DRUA_NUMBER("slice_distance", "distance of slices", .unit = "um", DRUA_RANGE(0.001, 100), .preset = 0.25),
                DRUA_NUMBER("wavelength", "wavelength of the light that is seen", .unit = "nm", DRUA_RANGE(100, 5000), .preset = 520),
                DRUA_NUMBER("numerical_aperture", "of the objective", DRUA_RANGE(0.01, 2), .preset = 1.2),
                INDEX("immersion_index", "immersion: air 1, water 1.33, oil 1.515", 1.33), INDEX("sample_index", "sample, for gibson_lanni", 1.33),
                DRUA_NUMBER("depth_of_point", "depth below the cover glass, for gibson_lanni", .unit = "um", DRUA_RANGE(0, 1000), .preset = 0),
                INDEX("glass_index", "cover glass of 170 um, for gibson_lanni; 1.515 by design", 1.515),
                DRUA_NUMBER("excitation_wavelength", "for confocal and two_photon", .unit = "nm", DRUA_RANGE(100, 5000), .preset = 488),
                DRUA_NUMBER("pinhole", "diameter of the pinhole, for confocal", .unit = "Airy units", DRUA_RANGE(0, 100), .preset = 1),
                DRUA_NUMBER("sheet_sigma", "standard deviation of the light sheet's thickness", .unit = "um", DRUA_RANGE(0.001, 1000), .preset = 2)),
    .numeric = DRUA_DEVICE,
    .plan = microscope,
};
