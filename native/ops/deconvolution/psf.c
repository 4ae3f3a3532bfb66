/* SPDX-License-Identifier: BSD-3-Clause */
/* Point spread functions computed from the parameters of a microscope, for scalar waves, on the host. */
#include "pupil.h"

static void shape_of_psf(drua_plan *p, drua_shape *shape)
{
    *shape = (drua_shape){plan_integer(p, "width"), plan_integer(p, "height"), plan_integer(p, "depth"), 3};
}

#define EXTENT(name, default_)                                                                                         \
    DRUA_INTEGER(name, name " of the image; odd extents have a middle pixel", .unit = "pixel", DRUA_RANGE(1, 1024),    \
                 .default_value = default_)

/* Scales pixels to a sum of 1 and makes them the destination. */
static void write_normalized(drua_plan *p, float *pixels, size_t count)
{
    const drua_shape s = plan_shape(p, "destination");
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += pixels[i];
    for (size_t i = 0; i < count; i++)
        pixels[i] = sum > 0 ? (float)(pixels[i] / sum) : 0;
    for (drua_tiles t = {.output = "destination", .separate = true}; plan_next_tile(p, &t);) {
        const int64_t *first = t.at.wanted.first;
        drua_view dense =
            plan_scratch(p, (drua_shape){t.to.layout.width, t.to.layout.height, t.to.layout.depth, 3}, DRUA_FLOAT32);
        plan_write(p, dense, pixels + (first[2] * s.height + first[1]) * s.width);
        plan_copy(p, dense, t.to, 0, 0, 0);
        plan_free_scratch(p, dense);
    }
}

static float *pixels_of(drua_plan *p, size_t *count)
{
    drua_shape s = plan_shape(p, "destination");
    *count = (size_t)(s.width * s.height * s.depth);
    return plan_host_memory(p, *count * sizeof(float));
}

static void launch_gaussian_psf(drua_plan *p)
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
        write_normalized(p, pixels, count);
}

DRUA_OP(gaussian_psf) = {
    .name = "gaussian_psf",
    .category = "deconvolution",
    .summary = "Makes a Gaussian point spread function with a sum of 1.",
    .source = "Gaussian at the pixel centres, divided by its sum",
    DRUA_PARAMS(DRUA_IMAGE_OUT("destination", "point spread function", .shape = shape_of_psf, .type = DRUA_FLOAT32,
                               .by_tiles = true),
                EXTENT("width", 25), EXTENT("height", 25), EXTENT("depth", 25), DRUA_SIGMA("x", 2), DRUA_SIGMA("y", 2),
                DRUA_SIGMA("z", 4)),
    .numeric = DRUA_DEVICE,
    .launch = launch_gaussian_psf,
};

/* ---- from optics */

enum { WIDEFIELD, CONFOCAL, TWO_PHOTON, LIGHT_SHEET };

/* Intensity profiles by ring for the one or two wavelengths of a microscope. */
typedef struct profile {
    int kind;
    rings seen, lit; /* lit: excitation, only of a confocal microscope */
    double slice, sheet;
} profile;

static double light_at(const profile *m, int64_t first, const double *weights, int64_t first_lit,
                       const double *weights_lit, int64_t plane)
{
    const double seen = fmax(rings_at(&m->seen, first, weights, plane), 0),
                 z = (double)(plane - m->seen.depth / 2) * m->slice;
    switch (m->kind) {
    case CONFOCAL:
        return seen * fmax(rings_at(&m->lit, first_lit, weights_lit, plane), 0);
    case TWO_PHOTON:
        return seen * seen;
    case LIGHT_SHEET:
        return seen * exp(-z * z / (2 * m->sheet * m->sheet));
    default:
        return seen;
    }
}

/* Fills the image. The psf is symmetric, so one quarter of each slice is computed and mirrored to the other three. */
static void draw_profile(drua_plan *p, const profile *m, double pixel, float *pixels, drua_shape s, piece part)
{
    double weights[RING_WEIGHTS], weights_lit[RING_WEIGHTS] = {0};
    for (int64_t j = 0; j <= s.height / 2 && report_piece(p, part, j, s.height / 2 + 1); j++)
        for (int64_t i = 0; i <= s.width / 2; i++) {
            const double radius = sqrt((double)(i * i + j * j)) * pixel;
            const int64_t first = rings_between(&m->seen, radius, weights),
                          first_lit = m->kind == CONFOCAL ? rings_between(&m->lit, radius, weights_lit) : 0;
            for (int64_t z = 0; z < s.depth; z++) {
                const float value = (float)light_at(m, first, weights, first_lit, weights_lit, z);
                for (int k = 0; k < 4; k++) {
                    const int64_t x = s.width / 2 + (k & 1 ? i : -i), y = s.height / 2 + (k & 2 ? j : -j);
                    if (x < s.width && y < s.height)
                        pixels[(z * s.height + y) * s.width + x] = value;
                }
            }
        }
}

static void launch_microscope_psf(drua_plan *p)
{
    const bool gibson_lanni = plan_choice(p, "model") == 1;
    const double pixel = plan_number(p, "pixel_size"), aperture = plan_number(p, "numerical_aperture"),
                 immersion = plan_number(p, "immersion_index");
    const double emission = plan_number(p, "wavelength") / 1000,
                 excitation = plan_number(p, "excitation_wavelength") / 1000;
    profile m = {.kind = plan_choice(p, "microscope"),
                 .slice = plan_number(p, "slice_distance"),
                 .sheet = plan_number(p, "sheet_sigma")};
    optics waves[2] = {{.aperture = aperture, .immersion = immersion, .sample = immersion}};
    if (gibson_lanni) {
        waves[0].sample = plan_number(p, "sample_index");
        waves[0].depth = plan_number(p, "depth_of_point");
        waves[0].glass = plan_number(p, "glass_index");
    }
    if (aperture >= immersion)
        plan_fail(p, "numerical_aperture must be below immersion_index, %g, got %g", immersion, aperture);
    if (plan_failed(p))
        return;
    size_t count;
    const drua_shape s = plan_shape(p, "destination");
    const bool confocal = m.kind == CONFOCAL;
    const double corner = sqrt((double)(s.width / 2 * (s.width / 2) + s.height / 2 * (s.height / 2))) * pixel,
                 hole = confocal ? 0.61 * emission / aperture * plan_number(p, "pinhole") : 0;
    waves[1] = waves[0];
    waves[0].wavenumber = 2 * M_PI / (m.kind == TWO_PHOTON ? excitation : emission);
    waves[1].wavenumber = 2 * M_PI / excitation;
    const double focus = pupil_focus(p, waves, confocal ? 2 : 1);
    piece part = {0, 2 + confocal + (hole > 0)};
    m.seen = pupil_light(p, &waves[0], corner + hole, m.slice, s.depth, focus, part);
    part.done++;
    if (confocal) {
        m.lit = pupil_light(p, &waves[1], corner, m.slice, s.depth, focus, part);
        part.done++;
    }
    if (hole > 0) {
        m.seen = pupil_through_hole(p, &m.seen, &waves[0], hole, part);
        part.done++;
    }
    float *pixels = pixels_of(p, &count);
    if (!plan_failed(p)) {
        draw_profile(p, &m, pixel, pixels, s, part);
        write_normalized(p, pixels, count);
    }
}

#define INDEX(name, doc, default_, when_)                                                                              \
    DRUA_NUMBER(name, "refractive index of the " doc, DRUA_RANGE(1, 2), .default_value = default_, .enabled_if = when_)
#define IN_SAMPLE "model=gibson_lanni"

DRUA_OP(microscope_psf) = {
    .name = "microscope_psf",
    .category = "deconvolution",
    .summary = "Makes the point spread function of a microscope from its optics, in micrometres, with a sum of 1, "
               "brightest in the middle.",
    .source = "scalar Born-Wolf and Gibson-Lanni integrals at the pixels' centres, Gauss-Legendre quadrature over the "
              "angle in the pupil; confocal: times the excitation, with a round pinhole; two-photon: squared "
              "excitation; light sheet: times a Gaussian in z",
    DRUA_PARAMS(
        DRUA_IMAGE_OUT("destination", "point spread function", .shape = shape_of_psf, .type = DRUA_FLOAT32,
                       .by_tiles = true),
        EXTENT("width", 65), EXTENT("height", 65), EXTENT("depth", 33),
        DRUA_CHOICE("microscope", "kind of microscope", .default_text = "widefield",
                    DRUA_CHOICES("widefield", "confocal", "two_photon", "light_sheet")),
        DRUA_CHOICE("model", "born_wolf: a perfect objective; gibson_lanni: in a sample of another refractive index",
                    .default_text = "born_wolf", DRUA_CHOICES("born_wolf", "gibson_lanni")),
        DRUA_NUMBER("pixel_size", "size of a pixel in the object", .unit = "um", DRUA_RANGE(0.001, 100),
                    .default_value = 0.1),
        DRUA_NUMBER("slice_distance", "distance between slices", .unit = "um", DRUA_RANGE(0.001, 100),
                    .default_value = 0.25),
        DRUA_NUMBER("wavelength", "wavelength of the emitted light", .unit = "nm", DRUA_RANGE(100, 5000),
                    .default_value = 520, .enabled_if = "microscope=widefield|confocal|light_sheet"),
        DRUA_NUMBER("numerical_aperture", "numerical aperture of the objective", DRUA_RANGE(0.01, 2),
                    .default_value = 1.2),
        INDEX("immersion_index", "immersion: air 1, water 1.33, oil 1.515", 1.33, NULL),
        INDEX("sample_index", "sample, for gibson_lanni", 1.33, IN_SAMPLE),
        DRUA_NUMBER("depth_of_point", "depth below the cover glass, for gibson_lanni", .unit = "um",
                    DRUA_RANGE(0, 1000), .default_value = 0, .enabled_if = IN_SAMPLE),
        INDEX("glass_index", "cover glass of 170 um, for gibson_lanni; 1.515 by design", 1.515, IN_SAMPLE),
        DRUA_NUMBER("excitation_wavelength", "wavelength of the excitation, for confocal and two_photon", .unit = "nm",
                    DRUA_RANGE(100, 5000), .default_value = 488, .enabled_if = "microscope=confocal|two_photon"),
        DRUA_NUMBER("pinhole", "diameter of the pinhole, for confocal", .unit = "Airy units", DRUA_RANGE(0, 100),
                    .default_value = 1, .enabled_if = "microscope=confocal"),
        DRUA_NUMBER("sheet_sigma", "thickness of the light sheet, as the standard deviation of a Gaussian",
                    .unit = "um", DRUA_RANGE(0.001, 1000), .default_value = 2, .enabled_if = "microscope=light_sheet")),
    .numeric = DRUA_DEVICE,
    .launch = launch_microscope_psf,
};
