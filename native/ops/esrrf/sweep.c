/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs eSRRF with many values of radius and sensitivity, and measures the quality of each result. */
#include "drift.h"
#include "quality.h"
#include "stream.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT = 100, PARTS = 3, COLUMNS = 5 }; /* parts: all frames, even frames, odd frames */

typedef struct list {
    int count;
    double number[LIMIT];
} list;

/* Parses numbers separated by spaces, commas or semicolons; each must be from `min` to `max`. */
static list read_list(drua_plan *p, const char *name, double min, double max)
{
    list l = {0};
    const char *text = plan_text(p, name);
    while (!plan_failed(p)) {
        while (isspace((unsigned char)*text) || *text == ',' || *text == ';')
            text++;
        if (!*text)
            break;
        char *end;
        const double number = strtod(text, &end);
        if (end == text || !(number >= min && number <= max) || l.count == LIMIT)
            plan_fail(p, "%s must be up to %d numbers from %g to %g separated by spaces or commas, got '%s'", name,
                      LIMIT, min, max, text);
        else
            l.number[l.count++] = number;
        text = end;
    }
    if (l.count == 0)
        plan_fail(p, "%s must have at least one number", name);
    return l;
}

static list read_radii(drua_plan *p)
{
    return read_list(p, "radii", ESRRF_MIN_RADIUS, ESRRF_MAX_RADIUS);
}

static list read_sensitivities(drua_plan *p)
{
    return read_list(p, "sensitivities", ESRRF_MIN_SENSITIVITY, ESRRF_MAX_SENSITIVITY);
}

static void sweep_shape(drua_plan *p, drua_shape *shape)
{
    const esrrf_options o = esrrf_read_options(p);
    const list r = read_radii(p), s = read_sensitivities(p);
    if (*o.devices)
        plan_fail(p, "options of a sweep cannot have devices, got devices=%s; remove it", o.devices);
    if (o.projection == ESRRF_ALL || o.projection == ESRRF_FRAMES || o.frames_per_timepoint != 0)
        plan_fail(p, "options of a sweep must have projection AVG, VAR or TAC2, and frames_per_timepoint 0");
    *shape = (drua_shape){shape->width * o.magnification, shape->height * o.magnification, r.count * s.count,
                          r.count * s.count > 1 ? 3 : 2};
}

/* Data shared by all settings. */
typedef struct sweep {
    drua_plan *p;
    esrrf_movie movie;
    esrrf_options options;
    drua_view moves, wide_field, image[PARTS];
    int32_t margin; /* width in pixels of the border that the largest radius leaves black */
    bool has_wide_field;
} sweep;

/* Returns the even (parity 0) or odd (1) frames of a view whose first slice is frame `first` of the movie. */
static drua_view every_other(drua_view view, int32_t first, int parity)
{
    const int32_t skip = (first + parity) % 2;
    view.layout.offset += skip * view.layout.plane;
    view.layout.plane *= 2;
    view.layout.depth = (view.layout.depth - skip + 1) / 2;
    return view;
}

/* Adds the frames to the sums of all parts. Returns false if the call was stopped. */
static bool add_frames(sweep *w, esrrf_stream *streams, int parts)
{
    drua_plan *p = w->p;
    const int32_t all = (int32_t)w->movie.shape.depth;
    for (int32_t first = 0; first < all && !plan_failed(p); first += streams->chunk) {
        const int32_t count = all - first < streams->chunk ? all - first : streams->chunk;
        drua_view frames = esrrf_frames(p, &w->movie, first, count), moves = plan_slices(w->moves, first, count);
        esrrf_add(p, &streams[0], frames, moves);
        if (!w->has_wide_field)
            LAUNCH(p, "esrrf_add_frames", plan_grid(w->wide_field.layout), ARG(esrrf_last_frames(streams, count)),
                   ARG(w->wide_field), INT(first == 0));
        for (int k = 1; k < parts; k++) {
            drua_view part = every_other(frames, first, k - 1);
            if (part.layout.depth > 0)
                esrrf_add(p, &streams[k], part, every_other(moves, first, k - 1));
        }
        esrrf_drop_frames(p, &w->movie, frames);
        esrrf_report(p, &w->movie, first + count);
        if (plan_is_stopped(p) && w->options.keep_partial)
            return false;
    }
    w->has_wide_field = true;
    return true;
}

static drua_view without_margin(drua_view view, int32_t margin)
{
    view.layout.offset += margin * (view.layout.row + view.layout.column);
    view.layout.width -= 2 * margin;
    view.layout.height -= 2 * margin;
    return view;
}

/* Fills a row: radius, sensitivity, resolution, correlation and error. */
static void measure_quality(const sweep *w, const drua_view *image, int parts, double *row)
{
    const int32_t m = w->options.magnification, margin = w->margin;
    const drua_view seen = without_margin(w->wide_field, margin);
    row[0] = w->options.radius;
    row[1] = w->options.sensitivity;
    row[2] = row[3] = row[4] = NAN;
    if (plan_failed(w->p) || seen.layout.width < 1 || seen.layout.height < 1)
        return;
    const esrrf_fit f = esrrf_compare(w->p, seen, without_margin(image[0], m * margin), (drua_view){0});
    row[3] = f.correlation;
    row[4] = f.error / (double)w->movie.shape.depth;
    if (parts == PARTS && seen.layout.width * m >= ESRRF_MIN_EXTENT && seen.layout.height * m >= ESRRF_MIN_EXTENT)
        row[2] = esrrf_ring_resolution(w->p, without_margin(image[1], m * margin), without_margin(image[2], m * margin),
                                       1.0 / 7, NULL, NULL) /
                 m;
}

/* Computes the image and the row of one setting. Returns false if it was stopped before it was complete. */
static bool run_setting(sweep *w, drua_view picture, double *row)
{
    const int32_t frames = (int32_t)w->movie.shape.depth, of_part[PARTS] = {frames, (frames + 1) / 2, frames / 2};
    const int parts = frames > 1 ? PARTS : 1;
    esrrf_stream streams[PARTS];
    drua_view image[PARTS] = {picture, w->image[1], w->image[2]};
    for (int k = 0; k < parts; k++) {
        streams[k] =
            esrrf_measure(w->p, &w->options, (int32_t)w->movie.shape.width, (int32_t)w->movie.shape.height, of_part[k]);
        esrrf_open(w->p, &streams[k]);
    }
    const bool complete = add_frames(w, streams, parts);
    for (int k = 0; k < parts; k++) {
        if (complete)
            esrrf_project(w->p, &streams[k], image[k]);
        esrrf_close(w->p, &streams[k]);
    }
    if (complete)
        measure_quality(w, image, parts, row);
    return complete;
}

static sweep begin_sweep(drua_plan *p, const esrrf_options *o, const list *r)
{
    const drua_shape movie = plan_shape(p, "source");
    sweep w = {.p = p, .options = *o};
    for (int i = 0; i < r->count; i++)
        w.margin = (int32_t)fmax(w.margin, ceil(r->number[i]));
    esrrf_stream s = esrrf_measure(p, o, (int32_t)movie.width, (int32_t)movie.height, (int32_t)movie.depth);
    w.movie = esrrf_movie_of_image(p, PARTS * esrrf_bytes(&s) + esrrf_drift_bytes(movie));
    w.moves = esrrf_find_moves(p, &w.movie, o, s.chunk, false);
    w.wide_field = plan_scratch(p, (drua_shape){movie.width, movie.height, 1, 2}, DRUA_FLOAT32);
    for (int k = 1; k < PARTS; k++)
        w.image[k] = plan_scratch(
            p, (drua_shape){movie.width * o->magnification, movie.height * o->magnification, 1, 2}, DRUA_FLOAT32);
    return w;
}

static void launch_esrrf_sweep(drua_plan *p)
{
    const esrrf_options o = esrrf_read_options(p);
    const list r = read_radii(p), s = read_sensitivities(p);
    const int settings = r.count * s.count;
    double *cells = plan_host_memory(p, (size_t)(settings * COLUMNS) * sizeof *cells);
    int32_t rows = 0;
    bool complete = true;
    sweep w = begin_sweep(p, &o, &r);
    const double start = w.movie.from, share = (1 - start) / settings;
    if (o.keep_partial)
        plan_keep_partial(p);
    for (drua_tiles t = {.output = "destination", .axis = 2, .thickness = 1, .separate = true};
         plan_next_tile(p, &t);) {
        const int i = (int)t.at.wanted.first[2];
        w.options.radius = r.number[i / s.count];
        w.options.sensitivity = s.number[i % s.count];
        w.movie.from = start + i * share;
        w.movie.to = w.movie.from + share;
        complete = complete && run_setting(&w, t.to, cells + rows * COLUMNS);
        rows += complete;
        if (!complete)
            plan_clear(p, t.to);
    }
    plan_set_table(p, (const char *const[]){"Radius", "Sensitivity", "FRC", "RSP", "RSE"}, COLUMNS, cells,
                   (size_t)rows);
}

DRUA_OP(esrrf_sweep) = {
    .name = "esrrf_sweep",
    .category = "super-resolution",
    .summary = "Runs eSRRF with every pair of a radius and a sensitivity. Makes an image of each pair, and a table: "
               "how well it fits the mean of the frames, and how well odd and even frames agree.",
    .source = "Fourier ring correlation (FRC, in pixels of the movie) at 1/7, resolution-scaled Pearson value (RSP) "
              "and error (RSE); without the border that the largest radius leaves black",
    DRUA_IN_MENU(DRUA_PARAMS(
        DRUA_IMAGE_IN("source", "frames, one per slice"),
        DRUA_IMAGE_OUT("destination", "one slice for each pair: first all sensitivities with the first radius",
                       .shape = sweep_shape, .type = DRUA_FLOAT32, .by_tiles = true),
        DRUA_TEXT("radii", "radii in pixels, separated by spaces", .default_text = "1 1.5 2", .example_text = "1 2"),
        DRUA_TEXT("sensitivities", "sensitivities, separated by spaces", .default_text = "1 2 4",
                  .example_text = "1 2"),
        ESRRF_OPTIONS, DRUA_TABLE_OUT("settings", "radius, sensitivity, FRC, RSP and RSE of each pair"))),
    DRUA_ALIASES("Drua eSRRFSweep: source, &destination, radii, sensitivities, options"),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_SOURCE_EXTENT | DRUA_WHOLE,
    .launch = launch_esrrf_sweep,
    .steps = esrrf_steps,
};
