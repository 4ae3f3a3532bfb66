/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the transform of each frame of a movie, for all frames of a batch at once. */
#include "../measure/reduction.h"
#include "landmarks.h"
#include "registration.h"
#include "spline_levels.h"

/* As in kernels/registration/alignment_sums.cl. */
enum { GROUP = 128, MAX_GROUPS = 64, PIXELS_OF_ITEM = 16, MAX_FRAMES = 4096 };

typedef enum reference { PREVIOUS, FIRST, MEAN } reference;

/* A movie, cropped as StackReg does, and the transforms found so far. */
typedef struct movie {
    drua_plan *p;
    landmark_mode mode;
    reference reference;
    drua_view frames, still; /* `still`: the frame with which all others are compared, unless it is the previous */
    double offset; /* near the mean of all pixels, so that sums of squares keep their digits */
    registration_row *rows;
} movie;

/* Frames that are registered together, and their scratch memory. */
typedef struct batch {
    spline_levels levels;
    int32_t first, count; /* frames of the movie; frame 0 of the levels is the one before `first`, or `still` */
    landmark_search *searches;
    registration_job *jobs;
    int32_t *owners; /* the search of each job */
    float *sums;
    drua_view sent_jobs, sent_sums;
} batch;

static sum_frame frame_of(drua_layout l)
{
    const int32_t max = l.width > l.height ? l.width : l.height;
    return (sum_frame){{(l.width - 1) / 2.0, (l.height - 1) / 2.0}, 2.0 / max};
}

/* Compares the frames of all jobs, and adds the sums of their work-groups in double precision. */
static void compare(const movie *m, batch *b, int level, int32_t jobs, double *totals)
{
    const drua_view view = b->levels.level[level];
    const sum_frame frame = frame_of(view.layout);
    const int64_t pixels = (int64_t)view.layout.width * view.layout.height,
                  needed = pixels / (GROUP * PIXELS_OF_ITEM) + 1;
    const int32_t groups = (int32_t)(needed < MAX_GROUPS ? needed : MAX_GROUPS);
    plan_write(m->p, plan_slices(b->sent_jobs, 0, jobs), b->jobs);
    LAUNCH(m->p, "alignment_sums", grid_of_turns(GRID(groups * GROUP, 1, jobs, GROUP, 1, 1), pixels / (groups * GROUP)),
           ARG(view), POINTER(b->sent_jobs), POINTER(b->sent_sums), REAL(frame.middle[0]), REAL(frame.middle[1]),
           REAL(frame.scale));
    plan_read(m->p, b->sent_sums, b->sums, (size_t)jobs * (size_t)groups * ALIGNMENT_SUMS * sizeof *b->sums);
    for (int32_t j = 0; j < jobs; j++)
        for (int k = 0; k < ALIGNMENT_SUMS; k++) {
            double *total = &totals[j * ALIGNMENT_SUMS + k];
            *total = 0;
            for (int32_t g = 0; g < groups; g++)
                *total += (double)b->sums[(j * groups + g) * ALIGNMENT_SUMS + k];
        }
}

static int32_t still_of(const movie *m, int32_t search)
{
    return m->reference == PREVIOUS ? search : 0;
}

static void search_level(const movie *m, batch *b, int level, double *totals)
{
    const drua_layout l = b->levels.level[level].layout;
    const int64_t extent[2] = {l.width, l.height};
    const sum_frame frame = frame_of(l);
    for (int32_t i = 0; i < b->count; i++)
        landmarks_begin_level(&b->searches[i], level);
    for (int32_t jobs = 1; jobs > 0 && !plan_failed(m->p);) {
        jobs = 0;
        for (int32_t i = 0; i < b->count; i++)
            if (b->searches[i].stage != SEARCH_DONE) {
                b->jobs[jobs] = registration_job_of(i + 1, still_of(m, i), b->searches[i].tried_map);
                b->owners[jobs++] = i;
            }
        if (jobs > 0)
            compare(m, b, level, jobs, totals);
        for (int32_t j = 0; j < jobs && !plan_failed(m->p); j++) {
            const int32_t i = b->owners[j];
            if (!isfinite(totals[j * ALIGNMENT_SUMS + 1]))
                plan_fail(m->p,
                          "frame %d or the one it is compared with holds pixels that are not numbers; replace them "
                          "first, for example with undefinedToZero",
                          b->first + i + 1);
            landmarks_take(&b->searches[i], totals + j * ALIGNMENT_SUMS, &frame, extent);
        }
    }
}

/*
 * Measures how well the registered frames match: correlation, remaining difference, and the part of each frame inside
 * the reference.
 */
static void measure_quality(const movie *m, batch *b, double *totals)
{
    const double min = 1e-6; /* a variance below this share of the squares is rounding */
    const drua_layout l = b->levels.level[0].layout;
    for (int32_t i = 0; i < b->count; i++)
        b->jobs[i] = registration_job_of(i + 1, still_of(m, i), plane_inverse(landmarks_result(&b->searches[i])));
    compare(m, b, 0, b->count, totals);
    for (int32_t i = 0; i < b->count; i++) {
        const double *s = totals + i * ALIGNMENT_SUMS, n = s[0], moved = s[28] - s[26] * s[26] / n,
                     still = s[29] - s[27] * s[27] / n, both = (s[28] + s[29] - s[1]) / 2 - s[26] * s[27] / n;
        registration_row *row = &m->rows[b->first + i];
        row->map = landmarks_result(&b->searches[i]);
        row->correlation =
            moved > min * s[28] && still > min * s[29] ? fmax(-1, fmin(1, both / sqrt(moved * still))) : NAN;
        row->residual = sqrt(s[1] / n);
        row->overlap = n / ((double)l.width * l.height);
    }
}

static void make_levels(const movie *m, batch *b)
{
    const drua_layout l = m->frames.layout;
    b->levels.count = spline_level_count(l.width, l.height);
    drua_view finest = plan_scratch(m->p, (drua_shape){l.width, l.height, b->count + 1, 3}, DRUA_FLOAT32);
    const bool previous = m->reference == PREVIOUS;
    if (previous) {
        const int32_t before = b->first > 0 ? b->first - 1 : 0;
        spline_coefficients(m->p, plan_slices(m->frames, before, 1), plan_slices(finest, 0, 1), m->offset);
    } else
        spline_coefficients(m->p, m->still, plan_slices(finest, 0, 1), m->offset);
    spline_coefficients(m->p, plan_slices(m->frames, b->first, b->count), plan_slices(finest, 1, b->count), m->offset);
    b->levels.level[0] = finest;
    spline_coarser_levels(m->p, &b->levels);
}

static void register_batch(const movie *m, batch *b, double *totals)
{
    const drua_layout l = m->frames.layout;
    make_levels(m, b);
    for (int32_t i = 0; i < b->count; i++)
        /* StackReg takes its landmarks from the extent before it crops the frames */
        b->searches[i] = landmarks_begin(m->mode, l.width + 1, l.height + 1, b->levels.count);
    for (int level = b->levels.count - 1; level >= 0 && !plan_failed(m->p); level--) {
        search_level(m, b, level, totals);
        for (int32_t i = 0; i < b->count && level > 0; i++)
            landmarks_double(&b->searches[i]);
    }
    if (!plan_failed(m->p))
        measure_quality(m, b, totals);
    spline_drop_levels(m->p, &b->levels);
}

/* Returns the number of frames in a batch: as many as fit in a part of the free memory. */
static int32_t frames_at_once(const movie *m)
{
    const uint64_t frame = spline_level_bytes(m->frames.layout.width, m->frames.layout.height),
                   room = plan_memory_left(m->p) / 2 / (frame + MAX_GROUPS * ALIGNMENT_SUMS * sizeof(float));
    const int64_t max = room > 2 ? (int64_t)room - 1 : 1, frames = m->frames.layout.depth;
    const int64_t capped = max < MAX_FRAMES ? max : MAX_FRAMES;
    return (int32_t)(capped < frames ? capped : frames);
}

static void register_movie(const movie *m)
{
    const int32_t frames = m->frames.layout.depth, max = frames_at_once(m);
    const size_t room = (size_t)max;
    batch b = {.searches = plan_host(m->p, room * sizeof *b.searches),
               .jobs = plan_host(m->p, room * sizeof *b.jobs),
               .owners = plan_host(m->p, room * sizeof *b.owners),
               .sums = plan_host(m->p, room * MAX_GROUPS * ALIGNMENT_SUMS * sizeof *b.sums)};
    double *totals = plan_host(m->p, room * ALIGNMENT_SUMS * sizeof *totals);
    b.sent_jobs = plan_scratch(m->p, (drua_shape){sizeof *b.jobs / sizeof(float), 1, max, 3}, DRUA_FLOAT32);
    b.sent_sums = plan_memory(m->p, room * MAX_GROUPS * ALIGNMENT_SUMS * sizeof *b.sums);
    for (b.first = 0; b.first < frames && !plan_failed(m->p); b.first += b.count) {
        b.count = frames - b.first < max ? frames - b.first : max;
        register_batch(m, &b, totals);
        plan_progress(m->p, (double)(b.first + b.count) / frames);
    }
}

/* Turns transforms to the previous frame into transforms to the first frame. */
static void chain_transforms(const movie *m)
{
    for (int32_t i = 1; i < m->frames.layout.depth; i++)
        m->rows[i].map = plane_product(m->rows[i].map, m->rows[i - 1].map);
}

static drua_view cropped(drua_view view)
{
    view.layout.width -= view.layout.width > 1;
    view.layout.height -= view.layout.height > 1;
    return view;
}

static void plan_estimate_registration(drua_plan *p)
{
    drua_view source = plan_image(p, "source");
    movie m = {.p = p,
               .mode = (landmark_mode)plan_choice(p, "mode"),
               .reference = (reference)plan_choice(p, "reference"),
               .frames = cropped(source)};
    const int32_t frames = source.layout.depth;
    m.rows = plan_host(p, (size_t)frames * sizeof *m.rows);
    m.still = plan_slices(m.frames, 0, 1);
    if (m.reference == MEAN) {
        m.still = plan_scratch(p, (drua_shape){m.frames.layout.width, m.frames.layout.height, 1, 2}, DRUA_FLOAT32);
        LAUNCH(p, "spline_mean_frame", plan_grid(m.still.layout), ARG(m.frames), ARG(m.still));
    }
    const drua_view first = plan_slices(source, 0, 1);
    m.offset = reduction_sum(p, first) / (double)drua_layout_count(&first.layout);
    if (!plan_failed(p) && !isfinite(m.offset))
        plan_fail(p, "frame 1 holds pixels that are not numbers; replace them first, for example with undefinedToZero");
    register_movie(&m);
    if (plan_failed(p))
        return;
    if (m.reference == PREVIOUS)
        chain_transforms(&m);
    registration_write(p, m.rows, frames, "transforms");
}

static void shape_of_transforms(drua_plan *p, drua_shape *shape)
{
    *shape = (drua_shape){REGISTRATION_COLUMNS, plan_shape(p, "source").depth, 1, 2};
}

DRUA_OP(estimate_registration) = {
    .name = "estimate_registration",
    .category = "transform",
    .summary = "Finds how each frame of a movie is shifted, turned, scaled or sheared; applyRegistration undoes it.",
    .source = REGISTRATION_SOURCE,
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "frames, one per slice"),
                DRUA_IMAGE_OUT("transforms", REGISTRATION_TRANSFORMS, .shape = shape_of_transforms,
                               .type = DRUA_FLOAT32),
                REGISTRATION_MODE, REGISTRATION_REFERENCE, REGISTRATION_TABLE),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_SOURCE_EXTENT | DRUA_WHOLE,
    .plan = plan_estimate_registration,
};
