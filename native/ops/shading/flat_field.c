/* SPDX-License-Identifier: BSD-3-Clause */
/* Flat and dark fields: estimated from many frames, and applied. */
#include "../filter/gaussian_weights.h"
#include "basic_fit.h"

enum { MAX_TAPS = 512 };

/* Resizes along an axis. First blurs away details that are too fine for the new pixels, then interpolates linearly. */
static void resize_axis(drua_plan *p, drua_view from, drua_view to, int axis)
{
    const double length = axis == 0 ? from.layout.width : from.layout.height,
                 made = axis == 0 ? to.layout.width : to.layout.height, sigma = fmax((length / made - 1) / 2, 0);
    const int wanted = (int)ceil(4 * sigma), radius = wanted < MAX_TAPS ? wanted : MAX_TAPS - 1;
    float taps[MAX_TAPS];
    gaussian_half(sigma, radius, taps);
    LAUNCH(p, "shading_resize", grid_of_turns(plan_grid(to.layout), 2 * radius + 2), ARG(from), ARG(to),
           TABLE(taps, ((size_t)radius + 1) * sizeof *taps), INT(radius), INT(axis));
}

static void resize_image(drua_plan *p, drua_view from, drua_view to)
{
    drua_view half =
        plan_scratch(p, (drua_shape){to.layout.width, from.layout.height, from.layout.depth, 3}, DRUA_FLOAT32);
    resize_axis(p, from, half, 0);
    resize_axis(p, half, to, 1);
    plan_free_scratch(p, half);
}

/* Resizes the frames, a few at a time. */
static drua_view small_frames(drua_plan *p, drua_view source)
{
    const int32_t count = source.layout.depth;
    drua_view small = plan_scratch(p, (drua_shape){BASIC_EXTENT, BASIC_EXTENT, count, 3}, DRUA_FLOAT32);
    const uint64_t frame = (uint64_t)BASIC_EXTENT * (uint64_t)source.layout.height * sizeof(float),
                   room = plan_memory_left(p) / 2 / frame;
    const int32_t max = room < 1 ? 1 : room < (uint64_t)count ? (int32_t)room : count;
    for (int32_t first = 0, now; first < count && !plan_failed(p); first += now) {
        now = count - first < max ? count - first : max;
        resize_image(p, plan_slices(source, first, now), plan_slices(small, first, now));
    }
    return small;
}

/* Returns one flat field, in host memory, estimated from every other frame, beginning with frame `half`. */
static float *flat_field_of_half(drua_plan *p, drua_view frames, int32_t half, const basic_options *options)
{
    const drua_shape plane = {BASIC_EXTENT, BASIC_EXTENT, 1, 2};
    const int32_t count = (frames.layout.depth + 1 - half) / 2;
    drua_view part = plan_scratch(p, (drua_shape){BASIC_EXTENT, BASIC_EXTENT, count, 3}, DRUA_FLOAT32);
    drua_view flat = plan_scratch(p, plane, DRUA_FLOAT32), dark = plan_scratch(p, plane, DRUA_FLOAT32);
    double *brightness = plan_host_memory(p, (size_t)count * sizeof *brightness);
    float *pixels = plan_host_memory(p, BASIC_PIXELS * sizeof *pixels);
    for (int32_t k = 0; k < count; k++)
        plan_copy(p, plan_slices(frames, 2 * k + half, 1), plan_slices(part, k, 1), 0, 0, 0);
    basic_fit(p, part, options, flat, dark, brightness);
    if (!plan_failed(p))
        plan_read_floats(p, flat, pixels);
    plan_free_scratch(p, part);
    plan_free_scratch(p, flat);
    plan_free_scratch(p, dark);
    return pixels;
}

/* Whether there are four frames, and each half has more than a tenth of the total light, which the fit needs. */
static bool halves_have_light(const double *brightness, int32_t frames)
{
    double light[2] = {0}, all;
    for (int32_t t = 0; t < frames; t++)
        light[t % 2] += brightness[t];
    all = light[0] + light[1];
    return frames >= 4 && light[0] > 0.1 * all && light[1] > 0.1 * all;
}

/*
 * Estimates the standard error of the flat field. An estimate from half of the frames has twice the variance of the
 * full estimate; the difference of two has four times.
 */
static double error_of_flat_field(drua_plan *p, drua_view frames, const basic_options *options,
                                  const double *brightness)
{
    double squares = 0;
    if (plan_failed(p) || !halves_have_light(brightness, frames.layout.depth))
        return NAN;
    const float *halves[2];
    for (int32_t half = 0; half < 2; half++)
        halves[half] = flat_field_of_half(p, frames, half, options);
    for (int i = 0; i < BASIC_PIXELS && !plan_failed(p); i++) {
        const double difference = (double)halves[0][i] - halves[1][i];
        squares += difference * difference;
    }
    return sqrt(squares / BASIC_PIXELS) / 2;
}

static void launch_estimate_flat_field(drua_plan *p)
{
    enum { COLUMNS = 3 };
    static const char *const headings[] = {"Frame", "Baseline", "Flat_Field_Error"};
    const double max_error = 0.05;
    drua_view source = plan_image(p, "source");
    const int32_t frames = source.layout.depth;
    if (frames < 2)
        plan_fail(p, "source has one slice, from which illumination and objects cannot be told apart; use a stack of "
                     "tiles or frames, better 20 or more");
    drua_view small = small_frames(p, source);
    const basic_options options = {.dark = plan_flag(p, "with_dark"),
                                   .smooth_flat = plan_number(p, "smooth_flat"),
                                   .smooth_dark = plan_number(p, "smooth_dark"),
                                   .most_offset = plan_number(p, "most_offset")};
    const drua_shape plane = {BASIC_EXTENT, BASIC_EXTENT, 1, 2};
    drua_view flat = plan_scratch(p, plane, DRUA_FLOAT32), dark = plan_scratch(p, plane, DRUA_FLOAT32);
    double *brightness = plan_host_memory(p, (size_t)frames * sizeof *brightness),
           *cells = plan_host_memory(p, COLUMNS * (size_t)frames * sizeof *cells);
    basic_fit(p, small, &options, flat, dark, brightness);
    resize_image(p, flat, plan_image(p, "flat_field"));
    resize_image(p, dark, plan_image(p, "dark_field"));
    const double error = error_of_flat_field(p, small, &options, brightness);
    for (int32_t t = 0; t < frames && !plan_failed(p); t++) {
        cells[COLUMNS * t] = t + 1;
        cells[COLUMNS * t + 1] = brightness[t];
        cells[COLUMNS * t + 2] = error;
    }
    if (!plan_failed(p))
        plan_set_table(p, headings, COLUMNS, cells, (size_t)frames);
    if (!plan_failed(p) && !(error <= max_error))
        plan_add_message(p,
                         isnan(error) ? "the error of the flat field is not known, because too few frames show light"
                                      : "the flat field has an error of about %.0f %%; use more frames",
                         100 * error);
}

static void shape_of_field(drua_plan *p, drua_shape *shape)
{
    const drua_shape source = plan_shape(p, "source");
    *shape = (drua_shape){source.width, source.height, 1, 2};
}

#define FIELD_OUT(name, doc) DRUA_IMAGE_OUT(name, doc, .shape = shape_of_field, .type = DRUA_FLOAT32)

DRUA_OP(estimate_flat_field) = {
    .name = "estimate_flat_field",
    .category = "math",
    .menu = true,
    .summary = "Estimates uneven illumination, and the grey values of the camera in the dark, from many tiles or "
               "frames (BaSiC).",
    .source = "BaSiC: Peng et al. 2017; frames of 128 x 128 pixels, sorted at each pixel; a flat field of few cosine "
              "waves times a brightness per frame, a dark field and sparse objects",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "tiles or frames, one per slice; 20 or more"),
                FIELD_OUT("flat_field", "relative illumination, mean 1"),
                FIELD_OUT("dark_field", "grey values without light; 0 unless with_dark is on"),
                DRUA_BOOLEAN("with_dark", "whether to estimate the dark field too", .default_value = 0),
                DRUA_NUMBER("smooth_flat", "smoothness of the flat field; 1: as published", DRUA_RANGE(0.001, 1000),
                            .default_value = 1),
                DRUA_NUMBER("smooth_dark", "smoothness of the dark field, if with_dark is on", DRUA_RANGE(0.001, 1000),
                            .default_value = 1),
                DRUA_NUMBER("most_offset", "largest mean of the dark field, such as the camera's offset",
                            DRUA_RANGE(0, 1000000), .unit = "grey value", .default_value = 10),
                DRUA_TABLE_OUT("baseline",
                               "brightness of each frame without its bright objects; each row also has the standard "
                               "error of the flat field, from two estimates, each of every other frame")),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_SOURCE_EXTENT | DRUA_WHOLE,
    .launch = launch_estimate_flat_field,
};

/*
 * Fails the call if a field differs in extent from the source. Otherwise, a smaller field would silently be extended by
 * its border pixels.
 */
static void check_field(drua_plan *p, const char *name)
{
    const drua_shape field = plan_shape(p, name), source = plan_shape(p, "source");
    if (field.width != source.width || field.height != source.height ||
        (field.depth != 1 && field.depth != source.depth))
        plan_fail(
            p,
            "%s has %lld x %lld x %lld pixels and source %lld x %lld x %lld; use a plane of the same width and height",
            name, (long long)field.width, (long long)field.height, (long long)field.depth, (long long)source.width,
            (long long)source.height, (long long)source.depth);
}

static void shape_of_corrected(drua_plan *p, drua_shape *shape)
{
    check_field(p, "flat_field");
    check_field(p, "dark_field");
    *shape = plan_shape(p, "source");
}

DRUA_OP(apply_flat_field) = {
    .name = "apply_flat_field",
    .category = "math",
    .menu = true,
    .summary = "Removes uneven illumination: subtracts the dark field and divides by the flat field.",
    .source = "(pixel - dark field) / flat field; NaN where the flat field is 0, negative, infinite or NaN",
    .expression = "IF((b > 0.0f) & (b < INFINITY), DIVIDE(a - c, b), NAN)",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "tile, stack or movie"),
                DRUA_IMAGE_IN("flat_field", "relative illumination, a plane of the tile's size"),
                DRUA_IMAGE_IN("dark_field", "grey values without light, a plane of the tile's size"),
                DRUA_IMAGE_OUT("destination",
                               "corrected image, float32; NaN where the flat field is 0, negative, infinite or NaN",
                               .shape = shape_of_corrected, .type = DRUA_FLOAT32)),
    .numeric = DRUA_EXACT,
    .steps = plan_same_voxels,
};
