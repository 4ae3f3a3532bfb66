/* SPDX-License-Identifier: BSD-3-Clause */
#include "tables.h"

#include <math.h>
#include <string.h>

/* The same numbers as in kernels/esrrf. */
enum {
    PHASES = ESRRF_PHASES,
    NEAR = ESRRF_NEAR,
    BORDER = ESRRF_BORDER,
    LANES = 16,
    TOGETHER = 2,
    AVERAGE_PLANES = 2,
    MOMENT_PLANES = 7
};
enum { NO_WEIGHT, INTERPOLATED, GIVEN };

/* Maximum number of taps that a work-group keeps in local memory; small devices have no room for more. */
enum { NEAR_TAPS = 1024 };

/*
 * Memory for the frames of a chunk. GPUs gain more from long launches than from caches; on CPUs, a chunk should stay in
 * the cache.
 */
static const int64_t CHUNK_OF_GPU = 512 << 20, CHUNK_OF_PROCESSOR = 32 << 20;

static int32_t round_up(int32_t value, int32_t step)
{
    return (value + step - 1) / step * step;
}

/*
 * Returns the number of frames in a chunk, so that their data fit the chunk's memory and the device's free memory. A
 * work-item processes up to `at_once` frames together, so fewer frames would waste some of its work.
 */
static int32_t chunk_of(drua_plan *p, int64_t bytes, int32_t frames)
{
    enum { LIMIT = 256, PART = 8 };
    const bool is_gpu = plan_device(p)->is_gpu;
    const int64_t at_once = is_gpu ? 8 : 4,
                  max = (is_gpu ? CHUNK_OF_GPU : CHUNK_OF_PROCESSOR) / bytes / at_once * at_once,
                  wanted = max < at_once ? at_once : max;
    const double room = (double)plan_memory_left(p) / PART / (double)bytes;
    return (int32_t)fmax(1, fmin(fmin(frames, LIMIT), fmin((double)wanted, room)));
}

static int32_t reach_of(const esrrf_options *o)
{
    return o->registration == ESRRF_NANOJ ? (int32_t)(4 * esrrf_sigma(o)) + 3 : (int32_t)(2 * o->radius);
}

/* Samples within reach are at most half as many pixels away, and each reads MORE pixels around it. */
esrrf_band esrrf_band_of(const esrrf_options *options, int32_t height, int32_t top, int32_t bottom)
{
    enum { MORE = 5 };
    const int32_t halo = (reach_of(options) + 1) / 2 + MORE;
    return (esrrf_band){top > halo ? top - halo : 0, height - bottom > halo ? bottom + halo : height, top, bottom,
                        height};
}

esrrf_stream esrrf_measure_band(drua_plan *p, const esrrf_options *options, int32_t width, const esrrf_band *band,
                                int32_t frames)
{
    const int32_t height = band->end - band->first, whole = band->height, rows = band->bottom - band->top;
    esrrf_stream s = {
        .options = *options, .width = width, .height = height, .band = *band, .rows = rows, .reach = reach_of(options)};
    const int m = options->magnification, phases = m * m;
    const bool nanoj = options->registration == ESRRF_NANOJ;
    if (nanoj && (width < 2 || whole < 2))
        plan_fail(p,
                  "registration=nanoj needs frames of at least 2 x 2 pixels, got %d x %d; choose registered or nanopyx",
                  width, whole);
    if (!nanoj && 2 * (int)(options->radius * m) >= m * fmin(width, whole))
        plan_fail(p,
                  "radius must be below half of the frames' shorter side, got %g pixel for frames of %d x %d pixels: a "
                  "border of that width stays 0",
                  options->radius, width, whole);
    /* the last coordinate is that of the magnified image, which matters only at magnification 1 */
    s.last_x = nanoj ? 2 * width - 1 : 2 * (int32_t)fmin(width, (double)m * width - 1);
    s.last_y = nanoj ? 2 * whole - 1 : 2 * (int32_t)fmin(whole, (double)m * whole - 1);
    const int32_t wide = round_up(width, LANES), half_row = wide + s.reach + 1, lines = 2 * height + 1 + 2 * s.reach;
    const int32_t magnified_rows = nanoj ? rows : rows + 2 * BORDER, magnified_planes = nanoj ? phases
                                                                                        : options->intensity_weighting
                                                                                            ? m
                                                                                            : 0;
    const int64_t magnified = (int64_t)wide * magnified_rows * magnified_planes;
    s.chunk = chunk_of(p, ((int64_t)half_row * lines * 4 + magnified) * (int64_t)sizeof(float), frames);
    const int planes =
        options->projection == ESRRF_AVG || options->projection == ESRRF_FRAMES ? AVERAGE_PLANES : MOMENT_PLANES;
    const int32_t together = plan_device(p)->is_gpu ? TOGETHER : 1;
    const drua_shape shape[ESRRF_IMAGES] = {
        {wide + 2 * BORDER, height + 2 * BORDER, s.chunk, 3},
        {2 * half_row, lines, 2 * round_up(s.chunk, together), 3},
        {wide, magnified_rows, magnified_planes * s.chunk, 3},
        {wide, rows, phases * planes, 3},
        {esrrf_make_items(p, &s, 2 * half_row) * (int32_t)(ESRRF_TAP_BYTES / sizeof(float)), 1, 1, 3}};
    memcpy(s.shape, shape, sizeof shape);
    return s;
}

esrrf_stream esrrf_measure(drua_plan *p, const esrrf_options *options, int32_t width, int32_t height, int32_t frames)
{
    return esrrf_measure_band(p, options, width, &(esrrf_band){0, height, 0, height, height}, frames);
}

uint64_t esrrf_bytes(const esrrf_stream *s)
{
    const int64_t phases = s->options.magnification * s->options.magnification * esrrf_projections(&s->options);
    int64_t numbers = phases * (1 + 2 * ((s->height + ESRRF_BLOCK_ROWS - 1) / ESRRF_BLOCK_ROWS));
    for (int i = 0; i < ESRRF_IMAGES; i++)
        numbers += s->shape[i].width * s->shape[i].height * s->shape[i].depth;
    return (uint64_t)numbers * sizeof(float);
}

void esrrf_open(drua_plan *p, esrrf_stream *s)
{
    drua_view *const views[ESRRF_IMAGES] = {&s->frames, &s->directions, &s->magnified, &s->state, &s->taps};
    for (int i = 0; i < ESRRF_IMAGES; i++)
        if (s->shape[i].depth > 0)
            *views[i] = plan_scratch(p, s->shape[i], DRUA_FLOAT32);
    plan_write(p, s->taps, s->tap_list);
}

drua_view esrrf_last_frames(const esrrf_stream *s, int32_t count)
{
    drua_view frames = plan_slices(s->frames, 0, count);
    frames.layout.offset += BORDER * (frames.layout.row + frames.layout.column);
    frames.layout.width = s->width;
    frames.layout.height = s->height;
    return frames;
}

void esrrf_close(drua_plan *p, esrrf_stream *s)
{
    const drua_view views[ESRRF_IMAGES] = {s->frames, s->directions, s->magnified, s->state, s->taps};
    for (int i = 0; i < ESRRF_IMAGES; i++)
        if (views[i].buffer)
            plan_free_scratch(p, views[i]);
}

/* NanoJ always applies the power, the other registrations only if sensitivity exceeds 1. */
static double power_of(const esrrf_options *o)
{
    return o->registration == ESRRF_NANOJ || o->sensitivity > 1 ? o->sensitivity : 1;
}

/* Skips the first `rows` rows of a view. */
static drua_view skip_rows(drua_view view, int64_t rows)
{
    view.layout.offset += rows * view.layout.row;
    return view;
}

/* Returns a grid whose work-items each process `lanes` pixels: one on GPUs, a vector on CPUs. */
static drua_grid grid_of_lanes(int32_t lanes, int64_t width, int64_t rows, int64_t slices)
{
    const int64_t columns = (width + lanes - 1) / lanes;
    return lanes == 1 ? GRID(columns, rows, slices, 32, 4, 1) : GRID(columns, rows, slices, 4, 1, 1);
}

void esrrf_add_rows(drua_plan *p, esrrf_stream *s, drua_view stack, drua_view moves, int32_t first)
{
    const int32_t count = stack.layout.depth, before = s->band.first, inner = s->band.top - before;
    const esrrf_options *o = &s->options;
    const double edge = 0.5 / o->magnification;
    const int32_t lanes = plan_device(p)->is_gpu ? 1 : LANES;
    const int weighting = !o->intensity_weighting ? NO_WEIGHT : o->registration == ESRRF_NANOJ ? GIVEN : INTERPOLATED;
    const bool moments = o->projection != ESRRF_AVG && o->projection != ESRRF_FRAMES;
    drua_view frames = plan_slices(s->frames, 0, count), directions = plan_slices(s->directions, 0, 2 * count);
    if (moves.buffer)
        LAUNCH(p, "esrrf_pad_moved", plan_grid(frames.layout), ARG(stack), ARG(frames), ARG(moves), INT(first),
               INT(before), INT(s->height));
    else
        LAUNCH(p, "esrrf_pad_frames", plan_grid(frames.layout), ARG(stack), ARG(frames));
    const int32_t row = directions.layout.width, lines = directions.layout.height;
    const drua_grid samples = GRID(row, lines, count, 32, 4, 1),
                    fours = GRID(row / 2, (lines + 1) / 2, count, 32, 4, 1);
    if (o->registration == ESRRF_NANOJ) {
        LAUNCH(p, "esrrf_nanoj_directions", samples, ARG(frames), ARG(directions), INT(s->reach), INT(s->width),
               INT(s->height), INT(s->last_x), INT(s->last_y - 2 * before));
        drua_view magnified = plan_slices(s->magnified, 0, count * o->magnification * o->magnification);
        LAUNCH(p, "esrrf_nanoj_intensity", plan_grid(magnified.layout), ARG(frames), ARG(magnified),
               INT(o->magnification), INT(s->width), INT(s->height), INT(inner), INT(before));
        frames = magnified;
    } else {
        LAUNCH(p, "esrrf_directions", fours, ARG(frames), ARG(directions), INT(s->reach), INT(s->width), INT(s->height),
               INT(s->last_x), INT(s->last_y - 2 * before), INT(o->registration), REAL(esrrf_cubic(1.5 - edge)),
               REAL(esrrf_cubic(0.5 - edge)));
        frames = skip_rows(frames, inner);
    }
    if (weighting == INTERPOLATED) {
        drua_view magnified = plan_slices(s->magnified, 0, count * o->magnification);
        LAUNCH(p, "esrrf_magnify_rows", grid_of_lanes(lanes, s->width, magnified.layout.height, count), ARG(frames),
               ARG(magnified), TABLE(s->weights, (size_t)(o->magnification * NEAR) * sizeof(float)),
               INT(o->magnification), INT(s->width));
        frames = magnified;
    }
    directions = skip_rows(directions,
                           /* directions lie in pairs of frames, or in one plane for each component */
                           2 * inner * (lanes == 1 ? 2 * TOGETHER : 1));
    const int32_t slices = lanes == 1 ? s->item_count : 1;
    const drua_grid grid = grid_of_lanes(lanes, s->width, (int64_t)s->rows * s->item_count / slices, slices);
    const int64_t turns = (int64_t)count * (2 * s->reach + 1) * (2 * s->reach + 1);
    const int32_t room = lanes == 1 && s->max_taps > NEAR_TAPS ? NEAR_TAPS
                         : s->max_taps > PHASES                ? s->max_taps
                                                               : PHASES;
    LAUNCH(p, moments ? "esrrf_accumulate_moments" : "esrrf_accumulate", grid_of_turns(grid, turns), ARG(directions),
           ARG(frames), ARG(s->state), POINTER(s->taps), TABLE(s->items, s->item_bytes),
           LOCAL((size_t)(lanes == 1 ? room : 1) * ESRRF_TAP_BYTES), INT(room), INT(s->item_count),
           INT(o->magnification), INT(s->width), INT(s->rows), INT(count), INT(s->done), INT(weighting),
           REAL(power_of(o)));
    s->done += count;
}

void esrrf_add(drua_plan *p, esrrf_stream *s, drua_view stack, drua_view moves)
{
    esrrf_add_rows(p, s, stack, moves, 0);
}

void esrrf_project(drua_plan *p, esrrf_stream *s, drua_view destination)
{
    const esrrf_options *o = &s->options;
    const int m = o->magnification, margin = o->registration == ESRRF_NANOJ ? 0 : (int)(o->radius * m);
    const int projection = o->projection == ESRRF_FRAMES ? ESRRF_AVG : o->projection;
    LAUNCH(p, "esrrf_project", GRID(s->width, s->rows, s->item_count * PHASES, 32, 8, 1), ARG(s->state),
           POINTER(s->taps), TABLE(s->items, s->item_bytes), INT(s->item_count), INT(m), INT(s->width),
           INT(s->band.height), INT(s->rows), INT(s->band.top), INT(margin), INT(s->reach),
           INT(s->directions.layout.width), INT(s->last_x), INT(s->last_y), INT(s->done), INT(projection),
           REAL(power_of(o)));
    const bool correct = o->macro_pixel_correction && s->rows == s->band.height;
    const int32_t planes = m * m * esrrf_projections(o);
    drua_view images = plan_slices(s->state, 0, planes),
              means = correct ? esrrf_phase_means(p, images, s->width, s->height, planes, 1) : s->taps;
    LAUNCH(p, "esrrf_interleave", plan_grid(destination.layout), ARG(images), ARG(destination), POINTER(means), INT(m),
           INT(correct));
    s->done = 0;
}
