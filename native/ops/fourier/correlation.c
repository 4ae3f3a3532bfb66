/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the shift between two images from the peak of their correlation. */
#include "box.h"
#include "plan_fft.h"

#include "../measure/reduction.h"

enum { GROUP = 256, GROUPS = 64 };

typedef struct peak {
    int64_t at[3];
    double value;
} peak;

static peak find_peak(drua_plan *p, drua_view image)
{
    float values[GROUPS];
    int64_t places[GROUPS];
    drua_view best = plan_scratch_bytes(p, sizeof values), at = plan_scratch_bytes(p, sizeof places);
    LAUNCH(p, "peak_find", GRID(GROUPS * GROUP, 1, 1, GROUP, 1, 1), ARG(image), LONG(drua_layout_count(&image.layout)),
           POINTER(best), POINTER(at));
    plan_read(p, best, values, sizeof values);
    plan_read(p, at, places, sizeof places);
    int first = 0;
    for (int i = 1; i < GROUPS && !plan_failed(p); i++)
        if (values[i] > values[first] || (values[i] == values[first] && places[i] < places[first]))
            first = i;
    if (plan_failed(p))
        return (peak){0};
    const int64_t w = image.layout.width, h = image.layout.height;
    return (peak){{places[first] % w, places[first] / w % h, places[first] / w / h}, values[first]};
}

/* Returns the pixel `step` pixels away from a position along an axis. */
static double value_beside(drua_plan *p, drua_view image, const int64_t at[3], int axis, int step)
{
    float value = 0;
    for (int i = 0; i < 3; i++)
        image.layout.offset += (at[i] + (i == axis ? step : 0)) * image.layout.stride[i];
    plan_read(p, image, &value, sizeof value);
    return value;
}

/* Returns the position of the maximum of a parabola through a peak and its two neighbours. */
static double peak_offset(double before, double top, double after)
{
    const double bend = before - 2 * top + after;
    return bend < 0 ? (before - after) / (2 * bend) : 0;
}

static drua_view fill_box(drua_plan *p, fourier_box box, const char *name, bool fade, double *norm)
{
    drua_view image = plan_image(p, name), placed = fourier_place(p, box, image, EDGES_ZERO);
    const reduction t = reduction_read(p, reduction_send(p, "reduce_pixels", image, (drua_view){0}));
    const double mean = t.sum[0] / (double)drua_layout_count(&image.layout);
    drua_view part = fourier_crop(placed, box, plan_shape(p, name));
    LAUNCH(p, "box_subtract", plan_grid(part.layout), ARG(part), REAL(mean), INT(fade));
    const reduction rest = reduction_read(
        p, reduction_send(p, "reduce_deviations", part, reduction_send(p, "reduce_pixels", part, (drua_view){0})));
    *norm = sqrt(fmax(rest.sum[2], 0));
    if (!plan_failed(p) && !(*norm > 0 && isfinite(*norm)))
        plan_fail(p, "%s must have pixels of different values, and all of them must be numbers", name);
    plan_fft_forward(p, placed);
    return placed;
}

/* Puts both images at the same position of the box, padded by half of their extent. */
static void launch_correlate_images(drua_plan *p)
{
    const bool phase = plan_choice(p, "method") == 0;
    const drua_shape a = plan_shape(p, "reference");
    plan_check_same_extent(p, "reference", "moved");
    const fourier_box box = fourier_box_around(a, phase ? (drua_shape){1, 1, 1, 3} : a, EDGES_ZERO);
    double norm[2];
    fourier_check_memory(p, box, 2);
    plan_fft_prepare(p, box.shape, false);
    drua_view first = fill_box(p, box, "reference", phase, &norm[0]),
              second = fill_box(p, box, "moved", phase, &norm[1]);
    drua_view spectrum = plan_fft_spectrum(first);
    LAUNCH(p, "correlate_spectra",
           GRID(spectrum.layout.width / 2, spectrum.layout.height, spectrum.layout.depth, 32, 4, 1), ARG(spectrum),
           ARG(plan_fft_spectrum(second)), INT(phase));
    plan_fft_inverse(p, first);
    drua_view centred = plan_scratch(p, a, DRUA_FLOAT32);
    const double scale = phase ? 1 : 1 / (norm[0] * norm[1]);
    LAUNCH(p, "correlation_centre", plan_grid(centred.layout), ARG(first), ARG(centred), REAL(scale));
    const peak top = find_peak(p, centred);
    static const char *const names[] = {"shift_x", "shift_y", "shift_z"};
    for (int axis = 0; axis < 3 && !plan_failed(p); axis++) {
        const bool inside = top.at[axis] > 0 && top.at[axis] < a.extent[axis] - 1;
        const double before = inside ? value_beside(p, centred, top.at, axis, -1) : 0,
                     after = inside ? value_beside(p, centred, top.at, axis, 1) : 0;
        plan_set_number(p, names[axis],
                        (double)(top.at[axis] - a.extent[axis] / 2) +
                            (inside ? peak_offset(before, top.value, after) : 0));
    }
    plan_set_number(p, "peak", top.value);
    plan_copy(p, centred, plan_image(p, "destination"), 0, 0, 0);
}

DRUA_OP(correlate_images) = {
    .name = "correlate_images",
    .category = "fourier",
    .summary = "Finds how far an image is shifted against another. The result holds the correlation for each shift, "
               "with shift 0 in the middle.",
    .source = "phase: Kuglin and Hines 1975, images fade towards their edges; normalized: covariance divided by both "
              "standard deviations, with images padded so that nothing wraps around; a parabola locates the peak "
              "between pixels",
    DRUA_PARAMS(DRUA_IMAGE_IN("reference", "image that stays in place"),
                DRUA_IMAGE_IN("moved", "image of the same size that is shifted"),
                DRUA_IMAGE_OUT("destination", "correlation", .type = DRUA_FLOAT32),
                DRUA_CHOICE("method",
                            "phase: a sharp peak, for two images of one scene; normalized: correlation from -1 to 1",
                            .default_text = "phase", DRUA_CHOICES("phase", "normalized")),
                DRUA_NUMBER_OUT("shift_x", "shift along x in pixels"),
                DRUA_NUMBER_OUT("shift_y", "shift along y in pixels"),
                DRUA_NUMBER_OUT("shift_z", "shift along z in slices"), DRUA_NUMBER_OUT("peak", "height of the peak")),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_WHOLE,
    .launch = launch_correlate_images,
};

/* ---- template matching */

typedef struct image_mean {
    double mean, norm;      /* norm: square root of the sum of squared differences from the mean */
} image_mean;

static image_mean mean_of(drua_plan *p, drua_view image)
{
    drua_view all = reduction_send(p, "reduce_pixels", image, (drua_view){0});
    const reduction t = reduction_read(p, all),
                    around = reduction_read(p, reduction_send(p, "reduce_deviations", image, all));
    const double mean = t.sum[0] / (double)drua_layout_count(&image.layout);
    return (image_mean){mean, sqrt(fmax(around.sum[2], 0))};
}

/* Sums the pixels under the template, and their squares, after subtraction of `mean`. */
static void window_sums(drua_plan *p, drua_view source, drua_shape window, double mean, drua_view *sums,
                        drua_view *squares)
{
    const drua_shape s = plan_shape(p, "source");
    drua_view now[2] = {source, source};
    for (int axis = 0; axis < 3; axis++) {
        drua_view next[2] = {plan_scratch(p, s, DRUA_FLOAT32), plan_scratch(p, s, DRUA_FLOAT32)};
        LAUNCH(p, "window_sums", plan_grid(next[0].layout), ARG(now[0]), ARG(now[1]), ARG(next[0]), ARG(next[1]),
               INT(axis), INT(window.extent[axis]), INT(axis == 0), REAL(axis == 0 ? mean : 0));
        for (int i = 0; i < 2; i++) {
            if (axis > 0)
                plan_free_scratch(p, now[i]);
            now[i] = next[i];
        }
    }
    *sums = now[0];
    *squares = now[1];
}

/*
 * Returns the mean of the whole image. All tiles subtract the same mean, because rounding in constant areas depends on
 * it.
 */
static double mean_of_whole(drua_plan *p, drua_view source, int64_t pixels)
{
    drua_view all =
        plan_tile_scratch(p).buffer ? plan_tile_scratch(p) : reduction_send(p, "reduce_pixels", source, (drua_view){0});
    return reduction_read(p, all).sum[0] / (double)pixels;
}

/* Scores each position of the template. A tile smaller than the template has no valid position. */
static void launch_match_template(drua_plan *p)
{
    int64_t origin[3];
    const drua_shape whole = plan_whole_shape(p, "source", origin), s = plan_shape(p, "source"),
                     t = plan_shape(p, "template");
    if (t.width > whole.width || t.height > whole.height || t.depth > whole.depth)
        plan_fail(p, "template must fit into source, %lld x %lld x %lld, got %lld x %lld x %lld",
                  (long long)whole.width, (long long)whole.height, (long long)whole.depth, (long long)t.width,
                  (long long)t.height, (long long)t.depth);
    const fourier_box box = fourier_box_around(s, t, EDGES_ZERO);
    drua_view source = plan_image(p, "source"), pattern = plan_image(p, "template"), sums, squares;
    fourier_check_memory(p, box, 4);
    const image_mean of_pattern = mean_of(p, pattern);
    const double mean = mean_of_whole(p, source, whole.width * whole.height * whole.depth);
    if (!plan_failed(p) && !(of_pattern.norm > 0 && isfinite(of_pattern.norm) && isfinite(mean)))
        plan_fail(p, "template must have pixels of different values, and all pixels must be numbers");
    window_sums(p, source, t, mean, &sums, &squares);
    drua_view normal = plan_scratch(p, t, DRUA_FLOAT32);
    LAUNCH(p, "template_normalize", plan_grid(normal.layout), ARG(pattern), ARG(normal), REAL(of_pattern.mean),
           REAL(1 / of_pattern.norm));
    plan_fft_prepare(p, box.shape, true);
    drua_view spectrum = fourier_kernel(p, box, normal, 1), filled = fourier_place(p, box, source, EDGES_ZERO),
              part = fourier_crop(filled, box, s);
    LAUNCH(p, "box_subtract", plan_grid(part.layout), ARG(part), REAL(mean), INT(false));
    plan_fft_convolve(p, filled, spectrum, filled, true);
    drua_view out = plan_image(p, "destination");
    LAUNCH(p, "template_score", plan_grid(out.layout), ARG(part), ARG(sums), ARG(squares), ARG(out), INT(t.width),
           INT(t.height), INT(t.depth));
}

static void score_parts(drua_plan *p, drua_parts *parts)
{
    const drua_shape t = plan_shape(p, "template");
    parts->halo[0] = t.width / 2;
    parts->halo[1] = t.height / 2;
    parts->halo[2] = t.depth / 2;
    parts->columns = parts->equal_extents = true;
    drua_view source = plan_image(p, "source");
    parts->scratch = reduction_send(p, "reduce_pixels", source, (drua_view){0}).buffer;
}

static void build_match(drua_plan *p)
{
    drua_operand scores =
        CALL(p, "score_template", DRUA_FLOAT32, plan_operand(p, "source"), plan_operand(p, "template"));
    drua_view all = plan_failed(p) ? (drua_view){0} : plan_operand_image(p, scores);
    peak top = {.value = -INFINITY};
    for (drua_tiles t = {.inputs = {all}, .separate = true}; all.buffer && plan_next_tile(p, &t);) {
        peak here = find_peak(p, t.from[0]);
        for (int axis = 0; axis < 3; axis++)
            here.at[axis] += t.at.wanted.first[axis];
        top = here.value > top.value ? here : top;
    }
    plan_set_number(p, "x", (double)top.at[0]);
    plan_set_number(p, "y", (double)top.at[1]);
    plan_set_number(p, "z", (double)top.at[2]);
    plan_set_number(p, "score", top.value);
    if (!plan_failed(p))
        plan_return(p, "destination", scores);
}

#define LIKENESS                                                                                                       \
    DRUA_IMAGE_IN("source", "image to search"), DRUA_IMAGE_WHOLE("template", "image to search for"),                   \
        DRUA_IMAGE_OUT("destination", "similarity from -1 to 1; 0 where the template would leave the image",           \
                       .type = DRUA_FLOAT32)
#define COVARIANCE                                                                                                     \
    "covariance of the template and the pixels under it, divided by both standard deviations; the template's middle, " \
    "half of its extent rounded down, marks the place"

DRUA_OP(score_template) = {
    .name = "score_template",
    .category = "fourier",
    .summary = "Gives each pixel the similarity of its surroundings to a small image; match_template also finds the "
               "best place.",
    .source = COVARIANCE,
    DRUA_PARAMS(LIKENESS),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_SOURCE_EXTENT,
    .launch = launch_match_template,
    .parts = score_parts,
};

DRUA_OP(match_template) = {
    .name = "match_template",
    .category = "fourier",
    .menu = true,
    .summary = "Finds a small image in a large one by normalised cross-correlation. The score is 1 if they differ only "
               "in brightness and contrast.",
    .source = COVARIANCE,
    DRUA_PARAMS(LIKENESS, DRUA_NUMBER_OUT("x", "best match along x"), DRUA_NUMBER_OUT("y", "the same along y"),
                DRUA_NUMBER_OUT("z", "the same along z"), DRUA_NUMBER_OUT("score", "correlation at the best match")),
    .numeric = DRUA_APPROXIMATE,
    .build = build_match,
};
