/* SPDX-License-Identifier: BSD-3-Clause */
#include "drift.h"
#include "stream.h"

static int64_t group_of(const esrrf_options *o, int64_t frames)
{
    if (o->projection == ESRRF_FRAMES)
        return 1;
    return o->frames_per_timepoint == 0 || o->frames_per_timepoint > frames ? frames : o->frames_per_timepoint;
}

static drua_shape magnified(drua_plan *p, drua_shape movie)
{
    const esrrf_options o = esrrf_read_options(p);
    const int64_t group = group_of(&o, movie.depth), depth = (movie.depth + group - 1) / group * esrrf_projections(&o);
    return (drua_shape){movie.width * o.magnification, movie.height * o.magnification, depth, depth > 1 ? 3 : 2};
}

/* Adds the frames of a time point until somebody wants to stop; returns their number. */
static int32_t add_group(drua_plan *p, esrrf_stream *s, const esrrf_movie *m, drua_view moves, int32_t first, int32_t count)
{
    int32_t added = 0;
    while (added < count && !plan_failed(p) && !(added > 0 && plan_is_stopped(p))) {
        const int32_t now = count - added < s->chunk ? count - added : s->chunk;
        drua_view frames = esrrf_frames(p, m, first + added, now);
        esrrf_add(p, s, frames, plan_slices(moves, first + added, now));
        esrrf_drop_frames(p, m, frames);
        added += now;
        esrrf_report(p, m, first + added);
    }
    return added;
}

static void run(drua_plan *p, esrrf_movie (*movie_of)(drua_plan *, uint64_t), drua_shape shape)
{
    const esrrf_options o = esrrf_read_options(p);
    const int32_t frames = (int32_t)shape.depth, group = (int32_t)group_of(&o, frames), slices = esrrf_projections(&o);
    esrrf_stream s = esrrf_measure(p, &o, (int32_t)shape.width, (int32_t)shape.height, group);
    esrrf_movie m = movie_of(p, esrrf_bytes(&s) + (o.drift_correction ? esrrf_drift_bytes(shape) + esrrf_moves_bytes(frames) : 0));
    drua_view moves = esrrf_find_moves(p, &m, &o, s.chunk, true);
    int32_t done = 0;
    esrrf_open(p, &s);
    if (o.keep_partial)
        plan_keep_partial(p);
    for (int32_t first = 0, t = 0; first < frames && !plan_failed(p); first += group, t++) {
        drua_view image = plan_write_slices(p, "destination", t * slices, slices);
        if (first > 0 && plan_is_stopped(p)) {
            plan_clear(p, image);
        } else {
            done += add_group(p, &s, &m, moves, first, frames - first < group ? frames - first : group);
            esrrf_project(p, &s, image);
        }
        plan_end_slices(p, "destination", t * slices, image);
    }
    plan_set_number(p, "frames", done);
}

#define SOURCE                                                                                                                   \
    "enhanced super-resolution radial fluctuations (Laine et al. 2023): gradients by Roberts' cross, radial gradient convergence on " \
    "the magnified grid, projection over time"
#define DESTINATION(rule)                                                                                                        \
    DRUA_IMAGE_OUT("destination", "magnified image, one slice for each time point; with projection=all three: AVG, VAR, TAC2", .shape = rule, \
                   .type = DRUA_FLOAT32, .by_slices = true)
#define FRAMES DRUA_NUMBER_OUT("frames", "number of frames that went into the result; fewer than all if it was stopped with keep_partial")

#define DRIFT DRUA_TABLE_OUT("drift", "with drift_correction: number and shift of each frame in pixels")

/* ---- of images */

static void magnified_image(drua_plan *p, drua_shape *shape)
{
    *shape = magnified(p, plan_shape(p, "source"));
}

static void plan_image_movie(drua_plan *p)
{
    run(p, esrrf_movie_of_image, plan_shape(p, "source"));
}

const drua_op drua_op_esrrf = {
    .name = "esrrf",
    .category = "super-resolution",
    .summary = "Makes one sharper, magnified image from many frames of a scene whose fluorophores fluctuate (eSRRF). Slices are frames.",
    .source = SOURCE,
    DRUA_IN_MENU(DRUA_PARAMS(DRUA_IMAGE_IN("source", "frames, one a slice"), DESTINATION(magnified_image), ESRRF_OPTIONS, FRAMES, DRIFT)),
    DRUA_ALIASES("Drua eSRRF: source, &destination, options"),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_SOURCE_EXTENT,
    .plan = plan_image_movie,
};

/* ---- of files */

static void magnified_file(drua_plan *p, drua_shape *shape)
{
    *shape = magnified(p, plan_file_shape(p, "path"));
}

static void plan_file_movie(drua_plan *p)
{
    run(p, esrrf_movie_of_file, plan_file_shape(p, "path"));
}

const drua_op drua_op_esrrf_from_file = {
    .name = "esrrf_from_file",
    .category = "super-resolution",
    .summary = "As eSRRF, of the frames of a TIFF file, which are read a few at a time: the file may be larger than all memory.",
    .source = SOURCE,
    .before_example = "Ext.Drua_blinkingEmitters(movie, truth, 32, 32, 40, 300, 1.2, 400, 20, 2, 0.03, 1, 0, 0);\n"
                      "Ext.Drua_write(movie, getDirectory(\"temp\") + \"drua-example.tif\");",
    DRUA_PARAMS({.name = "path", .doc = "TIFF file of grey frames; of several channels the first", .kind = DRUA_KIND_PATH},
                DESTINATION(magnified_file), ESRRF_OPTIONS, FRAMES, DRIFT),
    DRUA_ALIASES("Drua eSRRFFromFile: path, &destination, options"),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_SOURCE_EXTENT,
    .plan = plan_file_movie,
};
