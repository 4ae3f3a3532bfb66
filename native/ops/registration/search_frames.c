/* SPDX-License-Identifier: BSD-3-Clause */
#include "search_frames.h"

#include "landmarks.h"
#include "spline_levels.h"

/* As in kernels/registration/alignment_sums.cl. */
enum { GROUP = 128, MAX_GROUPS = 64, PIXELS_OF_ITEM = 16, MAX_FRAMES = 4096 };

/* Frames that are registered together, and their scratch memory. */
typedef struct batch {
    spline_levels levels;
    drua_view masks[SPLINE_LEVELS]; /* of the levels, if not all pixels count */
    int32_t first, count; /* frames of the movie; frame 0 of the levels is a frame before `first`, or `still` */
    int32_t *stills; /* for each frame, the frame of the levels with which it is compared; NONE: it has no texture */
    landmark_search *searches;
    registration_job *jobs;
    int32_t *owners; /* the search of each job */
    float *sums;
    drua_view sent_jobs, sent_sums;
} batch;

enum { NONE = -1 };

static sum_frame frame_of(drua_layout l)
{
    const int32_t max = l.width > l.height ? l.width : l.height;
    return (sum_frame){{(l.width - 1) / 2.0, (l.height - 1) / 2.0}, 2.0 / max};
}

/* The job of a frame of the batch: bilinear maps lead from the still to the moved frame, others the opposite way. */
static registration_job job_of(const movie *m, const batch *b, int32_t frame, plane_map map)
{
    const int32_t moved = frame + 1, still = b->stills[frame];
    return m->mode == BILINEAR ? registration_job_of(still, moved, map) : registration_job_of(moved, still, map);
}

/* Compares the frames of all jobs, and adds the sums of their work-groups in double precision. */
static void compare_frames(const movie *m, batch *b, int level, int32_t jobs, double *totals)
{
    const drua_view view = b->levels.level[level];
    const sum_frame frame = frame_of(view.layout);
    const int64_t pixels = (int64_t)view.layout.width * view.layout.height,
                  needed = pixels / (GROUP * PIXELS_OF_ITEM) + 1;
    const int32_t groups = (int32_t)(needed < MAX_GROUPS ? needed : MAX_GROUPS);
    const int numbers = landmark_sums(m->mode);
    const bool masked = m->all.rules != 0;
    plan_write(m->p, plan_slices(b->sent_jobs, 0, jobs), b->jobs);
    LAUNCH(m->p, m->mode == BILINEAR ? "bilinear_sums" : "alignment_sums",
           grid_of_turns(GRID(groups * GROUP, 1, jobs, GROUP, 1, 1), pixels / (groups * GROUP)), ARG(view),
           ARG(masked ? b->masks[level] : view), INT(masked), POINTER(b->sent_jobs), POINTER(b->sent_sums),
           REAL(frame.middle[0]), REAL(frame.middle[1]), REAL(frame.scale));
    plan_read(m->p, b->sent_sums, b->sums, (size_t)jobs * (size_t)groups * (size_t)numbers * sizeof *b->sums);
    for (int32_t j = 0; j < jobs; j++)
        for (int k = 0; k < numbers; k++) {
            double *total = &totals[j * numbers + k];
            *total = 0;
            for (int32_t g = 0; g < groups; g++)
                *total += (double)b->sums[(j * groups + g) * numbers + k];
        }
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
            if (b->searches[i].stage != SEARCH_DONE && b->stills[i] != NONE) {
                b->jobs[jobs] = job_of(m, b, i, b->searches[i].tried_map);
                b->owners[jobs++] = i;
            }
        if (jobs > 0)
            compare_frames(m, b, level, jobs, totals);
        for (int32_t j = 0; j < jobs && !plan_failed(m->p); j++)
            landmarks_take(&b->searches[b->owners[j]], totals + j * landmark_sums(m->mode), &frame, extent);
    }
}

/*
 * Measures how well the registered frames match: correlation, remaining difference, and the part of each frame inside
 * the reference.
 */
static void measure_quality(const movie *m, batch *b, double *totals)
{
    const double min = 1e-6; /* a variance below this share of the squares is rounding */
    const int numbers = landmark_sums(m->mode);
    const drua_layout l = b->levels.level[0].layout;
    int32_t jobs = 0;
    for (int32_t i = 0; i < b->count; i++) {
        const plane_map map = landmarks_result(&b->searches[i]);
        m->rows[b->first + i] = (registration_row){map, NAN, NAN, NAN};
        if (b->stills[i] == NONE)
            continue;
        b->jobs[jobs] = job_of(m, b, i, m->mode == BILINEAR ? map : plane_inverse(map));
        b->owners[jobs++] = i;
    }
    if (jobs > 0)
        compare_frames(m, b, 0, jobs, totals);
    for (int32_t j = 0; j < jobs; j++) {
        const double *s = totals + j * numbers, *v = s + numbers - SUMS_OF_VALUES, n = s[0],
                     moved = v[2] - v[0] * v[0] / n, still = v[3] - v[1] * v[1] / n,
                     both = (v[2] + v[3] - s[1]) / 2 - v[0] * v[1] / n;
        registration_row *row = &m->rows[b->first + b->owners[j]];
        if (moved > min * v[2] && still > min * v[3])
            row->correlation = fmax(-1, fmin(1, both / sqrt(moved * still)));
        row->residual = sqrt(s[1] / n) / m->scale;
        row->overlap = n / ((double)l.width * l.height);
    }
}

/* ---- batches */

/* Writes coefficients of frames into the finest level, from frame `to` on. */
static void add_to_level(const movie *m, batch *b, const counted_frames *from, const counted_values *values, int32_t to)
{
    const int32_t count = from->frames.layout.depth;
    const drua_view coefficients = plan_slices(b->levels.level[0], to, count);
    if (!m->all.rules) {
        spline_coefficients(m->p, from->frames, coefficients, m->offset, m->scale);
        return;
    }
    const drua_layout l = from->frames.layout;
    float *fill = plan_host_memory(m->p, (size_t)count * sizeof *fill);
    drua_view filled = plan_scratch(m->p, (drua_shape){l.width, l.height, count, 3}, DRUA_FLOAT32);
    if (plan_failed(m->p))
        return;
    for (int32_t i = 0; i < count; i++)
        fill[i] = (float)(values && values[i].number > 0 ? values[i].mean : m->offset);
    counted_fill(m->p, from, fill, filled, plan_slices(b->masks[0], to, count));
    spline_coefficients(m->p, filled, coefficients, m->offset, m->scale);
    plan_free_scratch(m->p, filled);
}

/* Chooses the frame with which each frame is compared. Returns the number in the movie of frame 0 of the levels. */
static int32_t choose_stills(const movie *m, batch *b)
{
    int32_t before = b->first - 1;
    while (before >= 0 && !has_texture(m, before))
        before--;
    int32_t last = before >= 0 || m->reference != PREVIOUS ? 0 : NONE;
    for (int32_t i = 0; i < b->count; i++) {
        const bool full = has_texture(m, b->first + i);
        b->stills[i] = !full ? NONE : last == NONE ? i + 1 : last; /* the first frame is compared with itself */
        if (full && m->reference == PREVIOUS)
            last = i + 1;
    }
    return before >= 0 ? before : b->first;
}

static void make_levels(const movie *m, batch *b)
{
    const drua_layout l = m->all.frames.layout;
    const drua_shape shape = {l.width, l.height, b->count + 1, 3};
    const int32_t before = choose_stills(m, b);
    b->levels.count = spline_level_count(l.width, l.height);
    b->levels.level[0] = plan_scratch(m->p, shape, DRUA_FLOAT32);
    if (m->all.rules)
        b->masks[0] = plan_scratch(m->p, shape, DRUA_UINT8);
    const counted_frames still = m->reference == PREVIOUS ? counted_part(&m->all, before, 1) : m->still,
                         moved = counted_part(&m->all, b->first, b->count);
    add_to_level(m, b, &still, m->reference == PREVIOUS ? m->values + before : NULL, 0);
    add_to_level(m, b, &moved, m->values + b->first, 1);
    spline_coarser_levels(m->p, &b->levels);
    if (m->all.rules)
        counted_levels(m->p, b->masks, b->levels.count);
}

static void register_batch(const movie *m, batch *b, double *totals)
{
    const drua_layout l = m->all.frames.layout;
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
    for (int level = 0; level < b->levels.count && m->all.rules; level++)
        plan_free_scratch(m->p, b->masks[level]);
}

/* Returns the number of frames in a batch: as many as fit in a part of the free memory. */
static int32_t frames_at_once(const movie *m)
{
    const drua_layout l = m->all.frames.layout;
    const uint64_t masks = m->all.rules ? 7 * (uint64_t)l.width * (uint64_t)l.height : 0, /* and filled frames */
        frame = spline_level_bytes(l.width, l.height) + masks,
                   room = plan_memory_left(m->p) / 2 / (frame + MAX_GROUPS * BILINEAR_SUMS * sizeof(float));
    const int64_t max = room > 2 ? (int64_t)room - 1 : 1, frames = l.depth;
    const int64_t capped = max < MAX_FRAMES ? max : MAX_FRAMES;
    return (int32_t)(capped < frames ? capped : frames);
}

void search_frames(const movie *m)
{
    const int32_t frames = m->all.frames.layout.depth, max = frames_at_once(m);
    const size_t room = (size_t)max, sums = MAX_GROUPS * (size_t)landmark_sums(m->mode);
    batch b = {.stills = plan_host_memory(m->p, room * sizeof *b.stills),
               .searches = plan_host_memory(m->p, room * sizeof *b.searches),
               .jobs = plan_host_memory(m->p, room * sizeof *b.jobs),
               .owners = plan_host_memory(m->p, room * sizeof *b.owners),
               .sums = plan_host_memory(m->p, room * sums * sizeof *b.sums)};
    double *totals = plan_host_memory(m->p, room * BILINEAR_SUMS * sizeof *totals);
    b.sent_jobs = plan_scratch(m->p, (drua_shape){sizeof *b.jobs / sizeof(float), 1, max, 3}, DRUA_FLOAT32);
    b.sent_sums = plan_scratch_bytes(m->p, room * sums * sizeof *b.sums);
    for (b.first = 0; b.first < frames && !plan_failed(m->p); b.first += b.count) {
        b.count = frames - b.first < max ? frames - b.first : max;
        register_batch(m, &b, totals);
        plan_progress(m->p, (double)(b.first + b.count) / frames);
    }
}
