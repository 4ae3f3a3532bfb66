/* SPDX-License-Identifier: BSD-3-Clause */
#include "run.h"

#include "by_devices.h"
#include "drift.h"
#include "stream.h"

#include <math.h>
#include <stdio.h>

/* One call: its settings, its movie, and its device memory. */
typedef struct work {
    esrrf_options options;
    esrrf_stream stream;
    esrrf_movie movie;
    /* frames of the movie, frames of a time point, slices of a time point's result */
    int32_t frames, group, slices;
    uint64_t bytes;                     /* device memory besides the result and, if it is resident, the movie */
} work;

static int64_t group_of(const esrrf_options *o, int64_t frames)
{
    if (o->projection == ESRRF_FRAMES)
        return 1;
    return o->frames_per_timepoint == 0 || o->frames_per_timepoint > frames ? frames : o->frames_per_timepoint;
}

drua_shape esrrf_result_shape(drua_plan *p, drua_shape movie)
{
    const esrrf_options o = esrrf_read_options(p);
    const int64_t group = group_of(&o, movie.depth), depth = (movie.depth + group - 1) / group * esrrf_projections(&o);
    return (drua_shape){movie.width * o.magnification, movie.height * o.magnification, depth, depth > 1 ? 3 : 2};
}

static work prepare_work(drua_plan *p, esrrf_movie_rule movie_of, drua_shape shape)
{
    work w = {.options = esrrf_read_options(p), .frames = (int32_t)shape.depth};
    w.group = (int32_t)group_of(&w.options, w.frames);
    w.slices = esrrf_projections(&w.options);
    w.stream = esrrf_measure(p, &w.options, (int32_t)shape.width, (int32_t)shape.height, w.group);
    w.bytes = esrrf_bytes(&w.stream);
    if (w.options.drift_correction)
        w.bytes += esrrf_drift_bytes(shape) + esrrf_moves_bytes(w.frames);
    w.movie = movie_of(p, w.bytes);
    w.bytes += esrrf_frame_bytes(&w.movie, w.stream.chunk);
    return w;
}

/* Adds the frames of a time point until all are added or the call is stopped. Returns the number of frames added. */
static int32_t add_group(drua_plan *p, work *w, drua_view moves, int32_t first, int32_t count)
{
    int32_t added = 0;
    while (added < count && !plan_failed(p) && !(added > 0 && plan_is_stopped(p))) {
        const int32_t now = count - added < w->stream.chunk ? count - added : w->stream.chunk;
        drua_view frames = esrrf_frames(p, &w->movie, first + added, now);
        esrrf_add(p, &w->stream, frames, plan_slices(moves, first + added, now));
        esrrf_drop_frames(p, &w->movie, frames);
        added += now;
        esrrf_report(p, &w->movie, first + added);
    }
    return added;
}

/* Adds a message if the last time point has only one frame, whose autocorrelation is NaN. */
static void note_lone_frame(drua_plan *p, const work *w)
{
    const bool correlates = w->options.projection == ESRRF_TAC2 || w->options.projection == ESRRF_ALL;
    if (correlates && !plan_failed(p) && (w->group == 1 || w->frames % w->group == 1))
        plan_add_message(
            p,
            "the last time point has one frame, so its TAC2 is NaN; for %d frames, choose a frames_per_timepoint "
            "other than %d",
            w->frames, w->group);
}

void esrrf_run(drua_plan *p, esrrf_movie_rule movie_of, drua_shape shape)
{
    work w = prepare_work(p, movie_of, shape);
    note_lone_frame(p, &w);
    if (*w.options.devices) {
        esrrf_run_on_devices(p, &w.options, &w.movie, w.stream.chunk, w.group);
        return;
    }
    drua_view moves = esrrf_find_moves(p, &w.movie, &w.options, w.stream.chunk, true);
    int32_t done = 0, first = 0;
    esrrf_open(p, &w.stream);
    if (w.options.keep_partial)
        plan_keep_partial(p);
    for (drua_tiles t = {.output = "destination", .axis = 2, .thickness = w.slices, .separate = true};
         plan_next_tile(p, &t); first += w.group)
        if (first > 0 && plan_is_stopped(p)) {
            plan_clear(p, t.to);
        } else {
            done += add_group(p, &w, moves, first, w.frames - first < w.group ? w.frames - first : w.group);
            esrrf_project(p, &w.stream, t.to);
        }
    plan_set_number(p, "frames", done);
}

/* ---- estimate */

static const double LONG_ENOUGH = 0.2;      /* seconds of a measurement */

/* Returns the time in seconds at which all work sent so far is done. */
static double time_when_done(drua_plan *p, drua_view sent)
{
    float any;
    plan_read(p, sent, &any, sizeof any);
    return plan_seconds();
}

/*
 * Returns the estimated seconds for all frames, extrapolated from a short measurement. The first frames are not timed,
 * because they include compilation.
 */
static double time_frames(drua_plan *p, work *w)
{
    int32_t added = 0, chunk = w->stream.chunk;
    add_group(p, w, (drua_view){0}, 0, chunk);
    const double start = time_when_done(p, w->stream.state);
    double spent = 0;
    while (spent < LONG_ENOUGH && added < w->frames && !plan_failed(p)) {
        const int32_t first = added + chunk <= w->frames ? added : 0;
        added += add_group(p, w, (drua_view){0}, first, chunk);
        spent = time_when_done(p, w->stream.state) - start;
    }
    return added > 0 ? spent * w->frames / added : 0;
}

static double time_projection(drua_plan *p, work *w)
{
    const int m = w->options.magnification;
    drua_view image =
        plan_scratch(p, (drua_shape){w->movie.shape.width * m, w->movie.shape.height * m, w->slices, 3}, DRUA_FLOAT32);
    esrrf_project(p, &w->stream, image);
    add_group(p, w, (drua_view){0}, 0, 1);
    const double start = time_when_done(p, image);
    esrrf_project(p, &w->stream, image);
    const double spent = time_when_done(p, image) - start;
    plan_free_scratch(p, image);
    return spent;
}

static double time_drift(drua_plan *p, const work *w)
{
    enum { GROUPS = 3 };
    const int64_t wanted = w->options.drift_frames * GROUPS;
    esrrf_movie part = w->movie;
    part.shape.depth = wanted < w->frames ? wanted : w->frames;
    if (!w->options.drift_correction)
        return 0;
    esrrf_find_drift(p, &part, (int32_t)w->options.drift_frames, w->stream.chunk);
    const double start = time_when_done(p, w->stream.state);
    esrrf_find_drift(p, &part, (int32_t)w->options.drift_frames, w->stream.chunk);
    return (time_when_done(p, w->stream.state) - start) * w->frames / (double)part.shape.depth;
}

void esrrf_estimate(drua_plan *p, esrrf_movie_rule movie_of, drua_shape shape)
{
    char text[256];
    const double mega = 1e6;
    work w = prepare_work(p, movie_of, shape);
    const drua_shape result = esrrf_result_shape(p, shape);
    const double result_bytes = (double)result.width * (double)result.height * (double)result.depth * sizeof(float);
    esrrf_open(p, &w.stream);
    double seconds = time_frames(p, &w);
    seconds += time_projection(p, &w) * ceil((double)w.frames / w.group) + time_drift(p, &w);
    if (plan_failed(p))
        return;
    snprintf(text, sizeof text,
             "%.3g s for %d frames; %.1f MB on the device and %.1f MB for the result of %lld x %lld x %lld pixels; "
             "%.1f MB are free",
             seconds, w.frames, (double)w.bytes / mega, result_bytes / mega, (long long)result.width,
             (long long)result.height, (long long)result.depth, (double)plan_memory_left(p) / mega);
    plan_set_number(p, "bytes", (double)w.bytes + result_bytes);
    plan_set_number(p, "seconds", seconds);
    plan_set_text(p, "estimate", text);
}
