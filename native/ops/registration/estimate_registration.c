/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the transform of each frame of a movie. */
#include "registration_notes.h"
#include "search_frames.h"

/*
 * Turns transforms to the previous frame into transforms to the first frame. A frame without texture, or whose search
 * failed, moves like the frame before it.
 */
static void finish_transforms(const movie *m, const registration_notes *notes)
{
    const registration_row *last = NULL;
    for (int32_t i = 0; i < m->all.frames.layout.depth; i++) {
        registration_row *row = &m->rows[i];
        if (notes->state[i] != REGISTRATION_FOUND)
            row->map = last ? last->map : plane_identity();
        else if (last && m->reference == PREVIOUS)
            row->map = plane_product(row->map, last->map);
        if (notes->state[i] != REGISTRATION_EMPTY)
            last = row;
    }
}

/* ---- what counts */

static drua_view crop_to_differences(drua_view view)
{
    view.layout.width -= view.layout.width > 1;
    view.layout.height -= view.layout.height > 1;
    return view;
}

/* Measures all frames, and sets the offset and the scale of their values. */
static void measure_frames(movie *m)
{
    const int32_t frames = m->all.frames.layout.depth;
    double sum = 0, number = 0, low = INFINITY, high = -INFINITY;
    m->values = plan_host_memory(m->p, (size_t)frames * sizeof *m->values);
    counted_measure(m->p, &m->all, m->values);
    for (int32_t i = 0; i < frames && !plan_failed(m->p); i++) {
        const counted_values *v = &m->values[i];
        if (v->not_finite > 0)
            plan_fail(m->p,
                      "frame %d holds %.0f pixels that are NaN or infinite; replace them first, for example with "
                      "undefinedToZero",
                      (int)i + 1, v->not_finite);
        if (v->number > 0) {
            sum += v->mean;
            number++;
            low = fmin(low, v->low);
            high = fmax(high, v->high);
        }
    }
    m->offset = number > 0 ? sum / number : 0;
    /* a power of two, so that it changes no digit of a result */
    const double max = fmax(high - m->offset, m->offset - low);
    m->scale = max > 0 && isfinite(max) ? ldexp(1, -ilogb(max)) : 1;
}

/* Sets the frame with which all others are compared. */
static void make_still(movie *m)
{
    const int32_t frames = m->all.frames.layout.depth;
    int32_t first = 0;
    float *used = plan_host_memory(m->p, (size_t)frames * sizeof *used);
    if (plan_failed(m->p))
        return;
    for (int32_t i = 0; i < frames; i++)
        used[i] = has_texture(m, i);
    while (first < frames - 1 && used[first] == 0)
        first++;
    m->still = counted_part(&m->all, first, 1);
    if (m->reference != MEAN)
        return;
    const drua_layout l = m->all.frames.layout;
    m->still.frames = plan_scratch(m->p, (drua_shape){l.width, l.height, 1, 2}, DRUA_FLOAT32);
    if (used[first] == 0) { /* no frame has texture */
        plan_clear(m->p, m->still.frames);
        return;
    }
    counted_mean(m->p, &m->all, used, m->still.frames);
    m->still.rules = m->all.rules ? NOT_NAN : 0;
}

static counted_frames counted_of(drua_plan *p, bool masked)
{
    counted_frames all = {.frames = crop_to_differences(plan_image(p, "source"))};
    if (plan_choice(p, "missing") == 1)
        all.rules = NOT_ZERO;
    if (!masked)
        return all;
    const drua_shape source = plan_shape(p, "source"), mask = plan_shape(p, "mask");
    if (mask.width != source.width || mask.height != source.height || (mask.depth != 1 && mask.depth != source.depth))
        plan_fail(p,
                  "mask has %lld x %lld x %lld pixels and source %lld x %lld x %lld; use a mask of the same width and "
                  "height, with one slice or one for each frame",
                  (long long)mask.width, (long long)mask.height, (long long)mask.depth, (long long)source.width,
                  (long long)source.height, (long long)source.depth);
    all.mask = crop_to_differences(plan_image(p, "mask"));
    all.rules |= BY_MASK;
    return all;
}

static void plan_estimate(drua_plan *p, bool masked)
{
    movie m = {.p = p,
               .mode = (landmark_mode)plan_choice(p, "mode"),
               .reference = (movie_reference)plan_choice(p, "reference"),
               .all = counted_of(p, masked)};
    const int32_t frames = m.all.frames.layout.depth;
    if (m.mode == BILINEAR && m.reference == PREVIOUS)
        plan_fail(p, "mode bilinear needs the reference first or mean, because two bilinear transforms in sequence are "
                     "not bilinear");
    m.rows = plan_host_memory(p, (size_t)frames * sizeof *m.rows);
    measure_frames(&m);
    make_still(&m);
    search_frames(&m);
    if (plan_failed(p))
        return;
    registration_notes notes = {.state = plan_host_memory(p, (size_t)frames * sizeof *notes.state)};
    for (int32_t i = 0; i < frames && notes.state; i++)
        notes.state[i] = !has_texture(&m, i)                                      ? REGISTRATION_EMPTY
                         : registration_is_found(&m.rows[i], m.all.frames.layout) ? REGISTRATION_FOUND
                                                                                  : REGISTRATION_FAILED;
    if (plan_failed(p))
        return;
    finish_transforms(&m, &notes);
    registration_tell(p, &notes, m.rows, frames);
    registration_write(p, m.rows, frames, "transforms");
}

static void launch_estimate_registration(drua_plan *p)
{
    plan_estimate(p, false);
}

static void launch_estimate_registration_masked(drua_plan *p)
{
    plan_estimate(p, true);
}

static void shape_of_transforms(drua_plan *p, drua_shape *shape)
{
    *shape = (drua_shape){REGISTRATION_COLUMNS, plan_shape(p, "source").depth, 1, 2};
}

#define TRANSFORMS                                                                                                     \
    DRUA_IMAGE_OUT("transforms", REGISTRATION_TRANSFORMS, .shape = shape_of_transforms, .type = DRUA_FLOAT32)

DRUA_OP(estimate_registration) = {
    .name = "estimate_registration",
    .category = "transform",
    .summary = "Finds how each frame of a movie is shifted, rotated, scaled or sheared; applyRegistration undoes it.",
    .source = REGISTRATION_SOURCE,
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "frames, one per slice"), TRANSFORMS, REGISTRATION_MODE, REGISTRATION_REFERENCE,
                REGISTRATION_MISSING, REGISTRATION_TABLE),
    DRUA_ALIASES("Drua estimateRegistration: source, &transforms, mode, reference, missing=none"),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_SOURCE_EXTENT | DRUA_WHOLE,
    .launch = launch_estimate_registration,
};

DRUA_OP(estimate_registration_masked) = {
    .name = "estimate_registration_masked",
    .category = "transform",
    .summary = "Finds the movement of each frame of a movie from the pixels that a mask selects.",
    .source = REGISTRATION_SOURCE "; only pixels that the masks of both frames select are compared",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "frames, one per slice"),
                DRUA_IMAGE_WHOLE("mask", "mask of the pixels to compare; one slice, or one for each frame"), TRANSFORMS,
                REGISTRATION_MODE, REGISTRATION_REFERENCE, REGISTRATION_MISSING, REGISTRATION_TABLE),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_SOURCE_EXTENT | DRUA_WHOLE,
    .launch = launch_estimate_registration_masked,
};
