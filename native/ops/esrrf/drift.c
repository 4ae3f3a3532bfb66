/* SPDX-License-Identifier: BSD-3-Clause */
#include "drift.h"
#include "plan_fft.h"

#include <math.h>

/* As in kernels/esrrf: shifts.cl, slopes.cl and moves.cl. */
enum { GROUP = 256, NEWTON_STEPS = 12, ROWS_AT_ONCE = 4, NEAR = 8 };

typedef struct move {
    int32_t x, y;
    float wx[NEAR], wy[NEAR];
} move;

enum { BOXES = 4, PASSES = 2, MAX_PART = 4 }; /* MAX_PART: shifts up to a quarter of the view */

/*
 * Buffers through which work-groups exchange results: up to eight numbers for each group, in two copies, because a
 * launch reads one copy while it writes the other.
 */
enum {
    MAX_GROUPS = GROUP,
    PARTS_BYTES = 2 * MAX_GROUPS * 8 * sizeof(float),
    TRIED_BYTES = 2 * (NEWTON_STEPS + 1) * sizeof(float)
};

static drua_shape box_of(drua_shape movie)
{
    return (drua_shape){plan_fft_extent(movie.width), plan_fft_extent(movie.height), 1, 2};
}

uint64_t esrrf_drift_bytes(drua_shape movie)
{
    return BOXES * plan_fft_bytes(box_of(movie)) + (uint64_t)(movie.width * movie.height) * sizeof(float) +
           PARTS_BYTES + TRIED_BYTES;
}

static void add_up(drua_plan *p, const esrrf_movie *m, int32_t first, int32_t count, int32_t chunk, drua_view sum)
{
    for (int32_t added = 0; added < count && !plan_failed(p);) {
        const int32_t now = count - added < chunk ? count - added : chunk;
        drua_view frames = esrrf_frames(p, m, first + added, now);
        LAUNCH(p, "esrrf_add_frames", plan_grid(sum.layout), ARG(frames), ARG(sum), INT(added == 0));
        esrrf_drop_frames(p, m, frames);
        added += now;
    }
}

/* Returns the first frame of a group; the groups have nearly equal numbers of frames. */
static int32_t first_of(int32_t group, int32_t groups, int32_t frames)
{
    return (int32_t)((int64_t)group * frames / groups);
}

/* State of one search through a movie, with its device memory. */
typedef struct search {
    drua_plan *p;
    const esrrf_movie *movie;
    int32_t width, height, groups, chunk;   /* width and height of the transforms */
    drua_view sum, parts, mean, tried, moved, still, kept, work, shifts;
} search;

static search begin_search(drua_plan *p, const esrrf_movie *m, int32_t groups, int32_t chunk)
{
    const drua_shape shape = box_of(m->shape);
    search s = {.p = p,
                .movie = m,
                .width = (int32_t)shape.width,
                .height = (int32_t)shape.height,
                .groups = groups,
                .chunk = chunk};
    drua_view *const boxes[BOXES] = {&s.moved, &s.still, &s.kept, &s.work};
    s.sum = plan_scratch(p, (drua_shape){m->shape.width, m->shape.height, 1, 2}, DRUA_FLOAT32);
    s.parts = plan_scratch_bytes(p, PARTS_BYTES);
    s.mean = plan_scratch_bytes(p, sizeof(float));
    s.tried = plan_scratch_bytes(p, TRIED_BYTES);
    s.shifts = plan_scratch(p, (drua_shape){2, 1, groups, 3}, DRUA_FLOAT32);
    plan_fft_prepare(p, shape, false);
    for (int i = 0; i < BOXES; i++)
        *boxes[i] = plan_fft_scratch(p, shape);
    plan_clear(p, s.shifts);
    return s;
}

/*
 * Returns the number of work-groups. A CPU runs them one after another and loses time with each, so it gets one for
 * each compute unit.
 */
static int32_t groups_of(drua_plan *p, int64_t rows)
{
    const int64_t units = plan_device(p)->compute_units,
                  max = plan_device(p)->is_gpu || units > MAX_GROUPS ? MAX_GROUPS : units;
    return (int32_t)(rows < max ? rows : max);
}

static drua_grid grid_of(int32_t groups)
{
    return GRID(groups * GROUP, 1, 1, GROUP, 1, 1);
}

/* Computes the spectrum of a group of frames. */
static void transform_group(search *s, int32_t g)
{
    const int32_t frames = (int32_t)s->movie->shape.depth, first = first_of(g, s->groups, frames),
                  end = first_of(g + 1, s->groups, frames);
    add_up(s->p, s->movie, first, end - first, s->chunk, s->sum);
    const int32_t groups = groups_of(s->p, s->sum.layout.height);
    LAUNCH(s->p, "esrrf_window_sums", grid_of(groups), ARG(s->sum), POINTER(s->parts));
    LAUNCH(s->p, "esrrf_window_mean", grid_of(1), POINTER(s->parts), POINTER(s->mean), INT(groups));
    LAUNCH(s->p, "esrrf_taper_around", plan_grid(s->moved.layout), ARG(s->sum), ARG(s->moved), POINTER(s->mean));
    plan_fft_forward(s->p, s->moved);
}

/* Adds an aligned group to the sum of all groups, or with factor -1 removes it. */
static void add_aligned(search *s, int32_t g, bool begins, double factor)
{
    LAUNCH(s->p, "esrrf_add_aligned", GRID(s->width / 2 + 1, s->height, 1, 32, 4, 1), ARG(plan_fft_spectrum(s->moved)),
           ARG(plan_fft_spectrum(s->still)), ARG(plan_slices(s->shifts, g, 1)), INT(s->width), INT(s->height),
           INT(begins), REAL(factor));
}

/*
 * Refines an integer shift to subpixel precision with a fixed number of Newton steps, without waiting for convergence
 * on the host.
 */
static void refine_shift(search *s, drua_view spectrum, drua_view shift)
{
    const int32_t groups = groups_of(s->p, (s->height + ROWS_AT_ONCE - 1) / ROWS_AT_ONCE);
    for (int32_t step = 0; step <= NEWTON_STEPS; step++)
        LAUNCH(s->p, "esrrf_refine_shift", grid_of(step < NEWTON_STEPS ? groups : 1), ARG(spectrum), ARG(shift),
               POINTER(s->tried), POINTER(s->parts), INT(s->width), INT(s->height), INT(groups), INT(step));
}

/* Measures the shift of a group against the sum of the other groups. */
static void find_shift(search *s, int32_t g)
{
    const int32_t max_x = (int32_t)(s->movie->shape.width / MAX_PART),
                  max_y = (int32_t)(s->movie->shape.height / MAX_PART);
    const int32_t groups = groups_of(s->p, 2 * max_y + 1);
    drua_view shift = plan_slices(s->shifts, g, 1), kept = plan_fft_spectrum(s->kept);
    LAUNCH(s->p, "esrrf_correlate", GRID(s->width / 2 + 1, s->height, 1, 32, 4, 1), ARG(plan_fft_spectrum(s->moved)),
           ARG(plan_fft_spectrum(s->still)), ARG(kept), ARG(plan_fft_spectrum(s->work)), INT(s->width), INT(s->height));
    plan_fft_inverse(s->p, s->work);
    LAUNCH(s->p, "esrrf_find_peaks", grid_of(groups), ARG(s->work), POINTER(s->parts), INT(max_x), INT(max_y));
    LAUNCH(s->p, "esrrf_find_shift", grid_of(1), POINTER(s->parts), ARG(shift), INT(groups), INT(max_x), INT(max_y));
    refine_shift(s, kept, shift);
}

/*
 * Measures the shift of each group against the groups before it. A second pass measures each group against all others,
 * because the first pass had few groups to compare with at its start. Returns the shift of each group along x and y, in
 * host memory.
 */
static float *shifts_of_groups(drua_plan *p, const esrrf_movie *m, int32_t groups, int32_t chunk)
{
    search s = begin_search(p, m, groups, chunk);
    for (int32_t turn = 0, last = PASSES * groups; turn < last && groups > 1 && !plan_failed(p); turn++) {
        const int32_t g = turn % groups;
        transform_group(&s, g);
        if (turn >= groups)
            add_aligned(&s, g, false, -1);
        if (turn > 0)
            find_shift(&s, g);
        add_aligned(&s, g, turn == 0, 1);
        esrrf_report(p, m, (int32_t)((int64_t)(turn + 1) * m->shape.depth / last));
    }
    float *host = plan_host_memory(p, 2 * (size_t)groups * sizeof *host);
    plan_read(p, s.shifts, host, 2 * (size_t)groups * sizeof *host);
    const drua_view views[] = {s.sum, s.parts, s.mean, s.tried, s.moved, s.still, s.kept, s.work, s.shifts};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        plan_free_scratch(p, views[i]);
    return host;
}

static double middle_of(int32_t group, int32_t groups, int32_t frames)
{
    return (first_of(group, groups, frames) + first_of(group + 1, groups, frames)) / 2.0;
}

/* Interpolates linearly between the middles of the groups; the first and last segments extend to the ends. */
static void interpolate_shifts(const float *at, int32_t groups, int32_t frames, double *shift)
{
    for (int32_t t = 0, g = 0; t < frames && groups > 1; t++) {
        while (g < groups - 2 && t + 0.5 > middle_of(g + 1, groups, frames))
            g++;
        const double here = middle_of(g, groups, frames), next = middle_of(g + 1, groups, frames);
        shift[t] = at[2 * g] - at[0] + (at[2 * g + 2] - at[2 * g]) * (t + 0.5 - here) / (next - here);
    }
}

double *esrrf_find_drift(drua_plan *p, const esrrf_movie *m, int32_t together, int32_t chunk)
{
    const int32_t frames = (int32_t)m->shape.depth, groups = together < frames ? frames / together : 1;
    double *shifts = plan_host_memory(p, 2 * (size_t)frames * sizeof *shifts);
    const float *at = shifts_of_groups(p, m, groups, chunk);
    for (int axis = 0; axis < 2 && !plan_failed(p); axis++)
        interpolate_shifts(at + axis, groups, frames, shifts + axis * frames);
    return shifts;
}

void esrrf_set_drift_table(drua_plan *p, const double *shifts, int32_t frames)
{
    enum { COLUMNS = 3 };
    double *cells = plan_host_memory(p, COLUMNS * (size_t)frames * sizeof *cells);
    for (int32_t t = 0; t < frames && !plan_failed(p); t++) {
        cells[t * COLUMNS] = t + 1;
        cells[t * COLUMNS + 1] = shifts[t];
        cells[t * COLUMNS + 2] = shifts[frames + t];
    }
    if (!plan_failed(p))
        plan_set_table(p, (const char *const[]){"Frame", "Drift_X", "Drift_Y"}, COLUMNS, cells, (size_t)frames);
}

/* ---- correction */

/* Lanczos weights with 4 lobes, normalized to a sum of 1. */
static int32_t lanczos_weights(double shift, float *weights)
{
    const double pi = 3.14159265358979323846, whole = floor(shift), lobes = NEAR / 2;
    double w[NEAR], sum = 0;
    for (int i = 0; i < NEAR; i++) {
        const double t = shift - whole - (i - NEAR / 2 + 1);
        w[i] = t == 0 ? 1 : fabs(t) < lobes ? lobes * sin(pi * t) * sin(pi * t / lobes) / (pi * pi * t * t) : 0;
        sum += w[i];
    }
    for (int i = 0; i < NEAR; i++)
        weights[i] = (float)(w[i] / sum);
    return (int32_t)whole - NEAR / 2 + 1;
}

uint64_t esrrf_moves_bytes(int32_t frames)
{
    return (uint64_t)frames * sizeof(move);
}

drua_view esrrf_send_moves(drua_plan *p, const double *shifts, int32_t frames)
{
    move *moves = plan_host_memory(p, (size_t)esrrf_moves_bytes(frames));
    drua_view sent = plan_scratch(p, (drua_shape){sizeof *moves / sizeof(float), 1, frames, 3}, DRUA_FLOAT32);
    for (int32_t t = 0; t < frames && !plan_failed(p); t++) {
        moves[t].x = lanczos_weights(shifts[t], moves[t].wx);
        moves[t].y = lanczos_weights(shifts[frames + t], moves[t].wy);
    }
    plan_write(p, sent, moves);
    return sent;
}

void esrrf_moved_rows(const double *shifts, int32_t frames, int32_t first, int32_t count, const esrrf_band *band,
                      int32_t rows[2])
{
    const double *down = shifts + frames + first;
    double min = down[0], max = down[0];
    for (int32_t t = 1; t < count; t++) {
        min = fmin(min, down[t]);
        max = fmax(max, down[t]);
    }
    const double from = band->first + floor(min) - NEAR / 2 + 1, end = band->end + floor(max) + NEAR / 2;
    rows[0] = (int32_t)fmin(fmax(from, 0), band->height - 1);
    rows[1] = (int32_t)fmin(fmax(end, rows[0] + 1), band->height);
}

const double *esrrf_find_shifts(drua_plan *p, esrrf_movie *m, const esrrf_options *o, int32_t chunk, bool tells)
{
    const double part = 0.2;
    if (!o->drift_correction)
        return NULL;
    m->to = part;
    const double *shifts = esrrf_find_drift(p, m, (int32_t)o->drift_frames, chunk);
    if (tells)
        esrrf_set_drift_table(p, shifts, (int32_t)m->shape.depth);
    m->from = part;
    m->to = 1;
    return shifts;
}

drua_view esrrf_find_moves(drua_plan *p, esrrf_movie *m, const esrrf_options *o, int32_t chunk, bool tells)
{
    const double *shifts = esrrf_find_shifts(p, m, o, chunk, tells);
    return o->drift_correction ? esrrf_send_moves(p, shifts, (int32_t)m->shape.depth) : (drua_view){0};
}
