/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Non-rigid registration by demons: each pixel steps along the slopes of both images towards equal brightness, steps
 * are smoothed and composed, and the deformation is smoothed. Smoothed steps of at most half a pixel cannot fold.
 *
 * Sources: Thirion, Medical Image Analysis 2, 243-260, 1998; Vercauteren et al., NeuroImage 45, S61-S72, 2009.
 */
#include "../filter/gaussian_weights.h"
#include "deformation.h"

#include <math.h>

enum { LEVELS = 16, MIN_EXTENT = 16 };

/* Standard deviations in pixels of a level: of the steps, and of the windows of the local correlation. */
static const double sigma_of_steps = 1, sigma_of_windows = 3;

typedef struct gaussian {
    float weights[3 * 100 + 2];
    int radius;
} gaussian;

static gaussian make_gaussian(double sigma)
{
    gaussian g = {.radius = (int)ceil(3 * sigma)};
    gaussian_half(sigma, g.radius, g.weights);
    return g;
}

/* A search on one level: dense float32 images, the deformation so far, and scratch of its extent. */
typedef struct level {
    drua_view reference, source, warped;
    deformation shifts, steps, spare;
} level;

typedef struct search {
    drua_plan *p;
    bool is_local;
    gaussian of_steps, of_shifts, of_windows;
    int64_t iterations;
} search;

static void swap_deformations(deformation *a, deformation *b)
{
    const deformation kept = *a;
    *a = *b;
    *b = kept;
}

/* Smooths along all axes that have more than one pixel. */
static void smooth_shifts(drua_plan *p, const gaussian *g, deformation *d, deformation *spare)
{
    const int32_t extent[3] = {d->width, d->height, d->depth};
    for (int axis = 0; axis < 3; axis++)
        if (extent[axis] > 1) {
            LAUNCH(p, "deformation_smooth", grid_of_turns(DEFORMATION_GRID(*d), 2 * g->radius + 1), POINTER(d->shifts),
                   POINTER(spare->shifts), DEFORMATION_SIZE(*d), INT(axis), INT(g->radius),
                   TABLE(g->weights, ((size_t)g->radius + 1) * sizeof *g->weights));
            swap_deformations(d, spare);
        }
}

static void warp_source(drua_plan *p, const level *l)
{
    LAUNCH(p, "deformation_warp", DEFORMATION_GRID(l->shifts), POINTER(l->source), POINTER(l->shifts.shifts),
           POINTER(l->warped), DEFORMATION_SIZE(l->shifts));
}

static void take_step(const search *s, level *l)
{
    drua_plan *p = s->p;
    warp_source(p, l);
    if (s->is_local) {
        LAUNCH(p, "deformation_products", DEFORMATION_GRID(l->spare), POINTER(l->reference), POINTER(l->warped),
               POINTER(l->spare.shifts), DEFORMATION_SIZE(l->spare));
        smooth_shifts(p, &s->of_windows, &l->spare, &l->steps);
    }
    LAUNCH(p, "deformation_step", DEFORMATION_GRID(l->shifts), POINTER(l->reference), POINTER(l->warped),
           POINTER(l->spare.shifts), INT(s->is_local), POINTER(l->shifts.shifts), POINTER(l->steps.shifts),
           DEFORMATION_SIZE(l->shifts));
    smooth_shifts(p, &s->of_steps, &l->steps, &l->spare);
    LAUNCH(p, "deformation_compose", DEFORMATION_GRID(l->shifts), POINTER(l->shifts.shifts), POINTER(l->steps.shifts),
           POINTER(l->spare.shifts), DEFORMATION_SIZE(l->shifts));
    swap_deformations(&l->shifts, &l->spare);
    smooth_shifts(p, &s->of_shifts, &l->shifts, &l->spare);
}

static drua_view halve_image(drua_plan *p, drua_view image, const deformation *fine, const deformation *coarse)
{
    const drua_view to = plan_scratch_bytes(p, deformation_pixels(coarse) * sizeof(float));
    LAUNCH(p, "deformation_halve", DEFORMATION_GRID(*coarse), POINTER(image), DEFORMATION_SIZE(*fine), POINTER(to),
           DEFORMATION_SIZE(*coarse));
    return to;
}

/* Makes the images of coarser levels. Halves the axes that keep enough pixels; returns the number of levels. */
static int make_levels(drua_plan *p, level levels[LEVELS])
{
    int count = 1;
    for (bool goes_on = true; goes_on && count < LEVELS; count += goes_on) {
        const level *fine = &levels[count - 1];
        deformation d = fine->shifts;
        int32_t *const extent[3] = {&d.width, &d.height, &d.depth};
        goes_on = false;
        for (int axis = 0; axis < 3; axis++)
            if (*extent[axis] >= 2 * MIN_EXTENT) {
                *extent[axis] /= 2;
                goes_on = true;
            }
        if (goes_on)
            levels[count] = (level){.reference = halve_image(p, fine->reference, &fine->shifts, &d),
                                    .source = halve_image(p, fine->source, &fine->shifts, &d),
                                    .shifts = d};
    }
    return count;
}

/* Allocates the scratch of a level. Its deformation starts as that of the coarser level, or without shifts. */
static void begin_level(drua_plan *p, level *l, const level *coarse)
{
    const deformation d = l->shifts;
    l->warped = plan_scratch_bytes(p, deformation_pixels(&d) * sizeof(float));
    l->shifts = deformation_new(p, d.width, d.height, d.depth);
    l->steps = deformation_new(p, d.width, d.height, d.depth);
    l->spare = deformation_new(p, d.width, d.height, d.depth);
    if (!coarse) {
        plan_clear(p, l->shifts.shifts);
        return;
    }
    LAUNCH(p, "deformation_grow", DEFORMATION_GRID(d), POINTER(coarse->shifts.shifts), DEFORMATION_SIZE(coarse->shifts),
           POINTER(l->shifts.shifts), DEFORMATION_SIZE(d));
    const drua_view scratch[] = {coarse->reference,     coarse->source,       coarse->warped,
                                 coarse->shifts.shifts, coarse->steps.shifts, coarse->spare.shifts};
    for (size_t i = 0; i < sizeof scratch / sizeof *scratch; i++)
        plan_free_scratch(p, scratch[i]);
}

static void search_levels(const search *s, level *levels, int count)
{
    uint64_t all = 0, done = 0;
    for (int i = 0; i < count; i++)
        all += deformation_pixels(&levels[i].shifts);
    for (int i = count - 1; i >= 0 && !plan_failed(s->p); i--) {
        const uint64_t pixels = deformation_pixels(&levels[i].shifts);
        begin_level(s->p, &levels[i], i + 1 < count ? &levels[i + 1] : NULL);
        for (int64_t k = 0; k < s->iterations && !plan_failed(s->p); k++) {
            take_step(s, &levels[i]);
            plan_progress(s->p,
                          ((double)done + (double)pixels * (double)(k + 1) / (double)s->iterations) / (double)all);
        }
        done += pixels;
    }
}

/* Reads an image as dense float32, less the mean of the reference. */
static drua_view load_image(drua_plan *p, const char *image, double offset)
{
    const drua_view from = plan_image(p, image);
    const drua_layout l = from.layout;
    const drua_view to = plan_scratch_bytes(p, (uint64_t)drua_layout_count(&l) * sizeof(float));
    LAUNCH(p, "deformation_load", GRID(l.width, l.height, l.depth, 64, 1, 1), ARG(from), REAL(offset), POINTER(to),
           INT(l.width), INT(l.height), INT(l.depth));
    return to;
}

/* How well the deformation fits, and its measures. */
typedef struct deformation_quality {
    deformation_fit fit;
    deformation_measures measures;
    bool has_texture; /* neither image has the same value everywhere */
} deformation_quality;

static void report_quality(drua_plan *p, const deformation_quality *q)
{
    static const char *const headings[] = {"Correlation_Before", "Correlation",   "Residual",
                                           "Smallest_Jacobian",  "Folded_Pixels", "Largest_Shift"};
    enum { COLUMNS = sizeof headings / sizeof *headings };
    const deformation_measures m = q->measures;
    const double cells[COLUMNS] = {q->fit.before, q->fit.after, q->fit.residual, m.jacobian, m.folded, m.longest};
    plan_set_table(p, headings, COLUMNS, cells, 1);
    if (!(q->fit.after >= 0.3))
        plan_add_message(p, !q->has_texture ? "source or reference has the same value everywhere; nothing is deformed"
                                            : "the correlation after the deformation is below 0.3; check whether both "
                                              "images show the same scene");
    if (m.folded > 0)
        plan_add_message(p, "the deformation folds at %.0f pixels (smallest Jacobian %.3g); raise smoothness", m.folded,
                         m.jacobian);
}

static void compare_finest(drua_plan *p, const level *l, deformation_quality *quality)
{
    warp_source(p, l);
    quality->fit = deformation_compare(p, &l->shifts, l->reference, l->source, l->warped);
}

static void search_deformation(drua_plan *p, deformation_quality *quality)
{
    plan_check_same_extent(p, "source", "reference");
    search s = {.p = p,
                .is_local = plan_choice(p, "similarity") == 1,
                .of_steps = make_gaussian(sigma_of_steps),
                .of_shifts = make_gaussian(plan_number(p, "smoothness")),
                .of_windows = make_gaussian(sigma_of_windows),
                .iterations = plan_integer(p, "iterations")};
    const drua_layout l = plan_image(p, "reference").layout;
    const double offset = deformation_finite_mean(p, "reference");
    deformation_finite_mean(p, "source");
    level levels[LEVELS] = {{.reference = load_image(p, "reference", offset),
                             .source = load_image(p, "source", offset),
                             .shifts = {.width = l.width, .height = l.height, .depth = l.depth}}};
    search_levels(&s, levels, make_levels(p, levels));
    quality->has_texture = deformation_has_texture(p, "reference") && deformation_has_texture(p, "source");
    if (!quality->has_texture) /* nothing determines a deformation */
        plan_clear(p, levels->shifts.shifts);
    compare_finest(p, levels, quality);
    if (!quality->has_texture)
        quality->fit.before = quality->fit.after = NAN;
    quality->measures = deformation_measure(p, &levels[0].shifts);
    deformation_write(p, &levels[0].shifts, "deformation");
}

static void launch_estimate_deformation(drua_plan *p)
{
    deformation_quality q;
    search_deformation(p, &q);
    if (!plan_failed(p))
        report_quality(p, &q);
}

static void shape_of_deformation(drua_plan *p, drua_shape *shape)
{
    *shape = deformation_shape(plan_shape(p, "reference"));
}

/* Both images, their coarser levels, the warped image and three deformations. */
static uint64_t scratch_of_search(drua_plan *p)
{
    const drua_shape s = plan_shape(p, "reference");
    return 64 * (uint64_t)s.width * (uint64_t)s.height * (uint64_t)s.depth;
}

#define IMAGES                                                                                                         \
    DRUA_IMAGE_IN("source", "image or stack to deform"),                                                               \
        DRUA_IMAGE_IN("reference", "image or stack of the same extent, with the content in its wanted shape")
#define SEARCH                                                                                                         \
    DRUA_CHOICE("similarity",                                                                                          \
                "difference: both images have the same brightness; local_correlation: their brightness differs, for "  \
                "example between channels",                                                                            \
                .default_text = "difference", DRUA_CHOICES("difference", "local_correlation")),                        \
        DRUA_NUMBER("smoothness", "standard deviation of the Gaussian that smooths the deformation in each step",      \
                    .unit = "pixel", DRUA_RANGE(0.5, 100), .default_value = 2),                                        \
        DRUA_INTEGER("iterations", "steps on each level of the image pyramid", DRUA_RANGE(1, 1000),                    \
                     .default_value = 50)
#define QUALITY                                                                                                        \
    DRUA_TABLE_OUT("quality", "one row: Correlation_Before, Correlation (1: equal), Residual (root of the mean "       \
                              "square difference), Smallest_Jacobian (change of volume; 0 or below: folded), "         \
                              "Folded_Pixels, Largest_Shift (pixels)")
#define METHOD_OF_SEARCH                                                                                               \
    "demons: Thirion 1998; steps of at most half a pixel, smoothed and composed, as in Vercauteren et al. 2009"

#define DEFORMATION                                                                                                    \
    DRUA_IMAGE_OUT("deformation",                                                                                      \
                   "for each pixel of the reference, the shift to the same place in the source: slices along x, then " \
                   "y, then (for stacks) z",                                                                           \
                   .shape = shape_of_deformation, .type = DRUA_FLOAT32)

DRUA_OP(estimate_deformation) = {
    .name = "estimate_deformation",
    .category = "transform",
    .summary = "Finds how an image is deformed against a reference; applyDeformation undoes it, also in other "
               "channels.",
    .source = METHOD_OF_SEARCH,
    DRUA_PARAMS(IMAGES, DEFORMATION, SEARCH, QUALITY),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_SOURCE_EXTENT | DRUA_WHOLE,
    .scratch = scratch_of_search,
    .launch = launch_estimate_deformation,
};

/* ---- estimating and applying in one call */

static void launch_searching(drua_plan *p)
{
    search_deformation(p, plan_state(p));
}

static const drua_op searching = {
    .name = "deformation_search",
    DRUA_PARAMS(IMAGES, DEFORMATION, SEARCH),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_SOURCE_EXTENT | DRUA_WHOLE,
    .scratch = scratch_of_search,
    .launch = launch_searching,
};

static void build_register_deformable(drua_plan *p)
{
    deformation_quality q = {0};
    const drua_operand operands[] = {plan_operand(p, "source"), plan_operand(p, "reference"),
                                     TEXT(plan_text(p, "similarity")), NUMBER(plan_number(p, "smoothness")),
                                     NUMBER((double)plan_integer(p, "iterations"))};
    const drua_operand field =
        plan_call_private(p, &searching, &q, DRUA_FLOAT32, operands, sizeof operands / sizeof *operands);
    plan_operand_image(p, field); /* computes it, and `q` */
    if (plan_failed(p))
        return;
    report_quality(p, &q);
    plan_return(p, "destination", deformation_applied(p, field, plan_shape(p, "source")));
    plan_return(p, "deformation", field);
}

DRUA_OP(register_deformable) = {
    .name = "register_deformable",
    .category = "transform",
    .menu = true,
    .summary = "Deforms an image until it looks like a reference, for example one tissue section or time point like "
               "another.",
    .source = METHOD_OF_SEARCH,
    DRUA_PARAMS(IMAGES, DRUA_IMAGE_OUT("destination", "deformed image; 0 where shifts lead outside the source"),
                DEFORMATION, SEARCH, QUALITY),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_WHOLE,
    .build = build_register_deformable,
};
