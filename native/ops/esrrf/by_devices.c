/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Distributes eSRRF over several devices. Sums over time are accumulated in order, so one device processes all frames
 * of a magnified pixel. A piece of work is one or more whole time points. If there are few time points, a piece is some
 * rows of one time point, plus the surrounding rows that they read. Two steps need whole frames and run on the call's
 * own device: the measurement of drift before the pieces, and the correction of macro-pixels after them.
 */
#include "by_devices.h"
#include "plan_devices.h"
#include "plan_files.h"

#include "drift.h"
#include "stream.h"

#include <stdatomic.h>

typedef struct shared {
    esrrf_options options;
    const esrrf_movie *movie;
    const char *pixels; /* pixels of an image on the host; NULL: the movie is a file */
    size_t frame_stride; /* bytes from one frame to the next */
    const double *shifts; /* NULL: no drift correction */
    int32_t frames, group, slices;
    int64_t points;
    float *slots; /* buffers for results of pieces until they are collected */
    size_t slot; /* size of the buffer of one piece, in floats */
    drua_tiles tiles; /* tiles of the result, one for each time point */
    atomic_llong done; /* rows of frames finished so far */
} shared;

/* ---- pieces */

static size_t plane_of(const shared *w, const drua_box *box)
{
    const size_t m = (size_t)w->options.magnification;
    return (size_t)w->movie->shape.width * m * (size_t)(box->end[1] - box->first[1]) * m;
}

static float *slot_of(const shared *w, const drua_spread *spread, int64_t number)
{
    return w->slots + (size_t)(number % spread->room) * w->slot;
}

/* Uploads some rows of some frames. */
static drua_view send_rows(drua_plan *p, const shared *w, int32_t first, int32_t count, const int32_t rows[2])
{
    const esrrf_movie *m = w->movie;
    if (m->is_file)
        return plan_file_rows(p, m->name, first, count, rows[0], rows[1] - rows[0]);
    const drua_view sent = plan_scratch(p, (drua_shape){m->shape.width, rows[1] - rows[0], count, 3}, m->type);
    const size_t row = (size_t)m->shape.width * drua_type_size(m->type);
    plan_write_slices(p, sent, w->pixels + (size_t)first * w->frame_stride + (size_t)rows[0] * row, w->frame_stride);
    return sent;
}

static double done_part(const shared *w)
{
    const double all = (double)w->frames * (double)w->movie->shape.height, done = (double)atomic_load(&w->done);
    return done < all ? done / all : 1;
}

/* Adds all frames of a time point. */
static void add_point(drua_plan *p, shared *w, esrrf_stream *s, drua_view moves, int32_t point, double from)
{
    const int32_t first = point * w->group, end = w->frames - first < w->group ? w->frames : first + w->group;
    for (int32_t t = first; t < end && !plan_failed(p); t += s->chunk) {
        const int32_t count = end - t < s->chunk ? end - t : s->chunk;
        int32_t rows[2] = {s->band.first, s->band.end};
        if (w->shifts)
            esrrf_moved_rows(w->shifts, w->frames, t, count, &s->band, rows);
        const drua_view frames = send_rows(p, w, t, count, rows);
        esrrf_add_rows(p, s, frames, plan_slices(moves, t, count), rows[0]);
        plan_free_scratch(p, frames);
        atomic_fetch_add(&w->done, (long long)count * s->rows);
        plan_progress(p, from + (1 - from) * done_part(w));
    }
}

/*
 * Copies the rows to their position in the piece's buffer. In the buffer, all rows of one slice of a time point precede
 * those of the next slice.
 */
static void hand_over(drua_plan *p, const shared *w, const drua_piece *piece, int64_t point, drua_view made)
{
    const drua_box whole = drua_box_part(&piece->spread->all, piece->spread->step, piece->number);
    const size_t plane = plane_of(w, &whole), m = (size_t)w->options.magnification;
    float *to = slot_of(w, piece->spread, piece->number) + (size_t)(point - whole.first[2]) * (size_t)w->slices * plane;
    to += (size_t)(piece->box.first[1] - whole.first[1]) * m * (size_t)w->movie->shape.width * m;
    plan_read_slices(p, made, to, plane * sizeof *to);
}

static void do_piece(drua_plan *p)
{
    const drua_piece *piece = plan_state(p);
    shared *w = piece->spread->payload;
    const drua_shape movie = w->movie->shape;
    const int m = w->options.magnification;
    const esrrf_band band =
        esrrf_band_of(&w->options, (int32_t)movie.height, (int32_t)piece->box.first[1], (int32_t)piece->box.end[1]);
    esrrf_options options = w->options;
    options.macro_pixel_correction = false;
    esrrf_stream s = esrrf_measure_band(p, &options, (int32_t)movie.width, &band, w->group);
    const drua_view moves = w->shifts ? esrrf_send_moves(p, w->shifts, w->frames) : (drua_view){0};
    const drua_view made =
        plan_scratch(p, (drua_shape){movie.width * m, (int64_t)s.rows * m, w->slices, 3}, DRUA_FLOAT32);
    esrrf_open(p, &s);
    for (int64_t point = piece->box.first[2]; point < piece->box.end[2] && !plan_failed(p); point++) {
        add_point(p, w, &s, moves, (int32_t)point, w->movie->from);
        esrrf_project(p, &s, made);
        hand_over(p, w, piece, point, made);
    }
}

static const drua_op of_image = {.name = "esrrf", .numeric = DRUA_APPROXIMATE, .launch = do_piece};

static const drua_op of_file = {
    .name = "esrrf_from_file",
    DRUA_PARAMS({.name = "path", .doc = "the movie", .kind = DRUA_KIND_PATH}),
    .numeric = DRUA_APPROXIMATE,
    .launch = do_piece,
};

/* ---- all pieces */

static int64_t clamp(int64_t value, int64_t min, int64_t max)
{
    return value < min ? min : value > max ? max : value;
}

/*
 * Chooses the size of pieces. With two pieces for each of several equal devices, all devices finish at about the same
 * time. Unequal devices get more and shorter pieces, so that the slow device's last piece is short.
 */
static void choose_pieces(drua_plan *p, drua_spread *spread, int devices, bool alike)
{
    enum { EQUAL = 2, UNEQUAL = 8, MIN_ROWS = 8, MAX_BYTES = 64 << 20 };
    shared *w = spread->payload;
    const int64_t height = w->movie->shape.height, wanted = devices == 1 ? 1 : devices * (alike ? EQUAL : UNEQUAL);
    spread->all = (drua_box){{0, 0, 0}, {1, height, w->points}};
    const int64_t strips = w->points >= EQUAL * wanted
                               ? 1
                               : clamp((wanted + w->points - 1) / w->points, 1, (height + MIN_ROWS - 1) / MIN_ROWS);
    const size_t bytes = plane_of(w, &spread->all) * (size_t)w->slices * sizeof(float);
    spread->step[0] = 1;
    spread->step[1] = (height + strips - 1) / strips;
    spread->step[2] = strips > 1 ? 1 : clamp(w->points / wanted, 1, clamp((int64_t)(MAX_BYTES / bytes), 1, w->points));
    const int64_t pieces = drua_box_parts(&spread->all, spread->step);
    spread->room = clamp(2 * devices + 1, devices + 1, pieces > devices ? pieces : devices + 1);
    const drua_box largest = drua_box_part(&spread->all, spread->step, 0);
    w->slot = plane_of(w, &largest) * (size_t)w->slices * (size_t)spread->step[2];
    w->slots = plan_host_memory(p, (size_t)spread->room * w->slot * sizeof *w->slots);
}

/* Corrects macro-pixels in place; each work-item reads only the pixel that it writes. */
static void correct_macro_pixels(drua_plan *p, const shared *w, drua_view image)
{
    const int m = w->options.magnification;
    const drua_shape movie = w->movie->shape;
    const drua_view means =
        esrrf_phase_means(p, image, (int32_t)movie.width, (int32_t)movie.height, m * m * w->slices, m);
    LAUNCH(p, "esrrf_divide_phases", plan_grid(image.layout), ARG(image), ARG(image), POINTER(means), INT(m));
    plan_free_scratch(p, means);
}

static void collect_piece(drua_plan *p, drua_spread *spread, int64_t number)
{
    shared *w = spread->payload;
    const drua_box box = drua_box_part(&spread->all, spread->step, number);
    const int64_t m = w->options.magnification, width = w->movie->shape.width * m,
                  height = (box.end[1] - box.first[1]) * m;
    const float *from = slot_of(w, spread, number);
    for (int64_t point = box.first[2]; point < box.end[2] && !plan_failed(p); point++) {
        if (box.first[1] == 0 && !plan_next_tile(p, &w->tiles))
            return;
        const drua_view sent = plan_scratch(p, (drua_shape){width, height, w->slices, 3}, DRUA_FLOAT32);
        plan_write(p, sent, from);
        plan_copy(p, sent, w->tiles.to, 0, box.first[1] * m, 0);
        plan_free_scratch(p, sent);
        from += plane_of(w, &box) * (size_t)w->slices;
        if (box.end[1] == spread->all.end[1] && w->options.macro_pixel_correction)
            correct_macro_pixels(p, w, w->tiles.to);
    }
}

static double movie_progress(const drua_spread *spread)
{
    return done_part(spread->payload);
}

void esrrf_run_on_devices(drua_plan *p, const esrrf_options *options, esrrf_movie *movie, int32_t chunk, int32_t group)
{
    shared w = {.options = *options,
                .movie = movie,
                .frames = (int32_t)movie->shape.depth,
                .group = group,
                .slices = esrrf_projections(options)};
    plan_check_devices(p, options->devices);
    if (options->keep_partial)
        plan_fail(p,
                  "options cannot have both devices=%s and keep_partial, because each device works on another part of "
                  "the result; remove one of them",
                  options->devices);
    w.points = (w.frames + group - 1) / group;
    w.tiles = (drua_tiles){.output = "destination", .axis = 2, .thickness = w.slices, .separate = true};
    w.shifts = esrrf_find_shifts(p, movie, options, chunk, true);
    if (!movie->is_file)
        w.pixels = esrrf_host_frames(p, movie, &w.frame_stride);
    drua_spread spread = {.devices = options->devices,
                          .op = movie->is_file ? &of_file : &of_image,
                          .text = movie->is_file ? plan_text(p, movie->name) : NULL,
                          .payload = &w,
                          .cut = choose_pieces,
                          .collect = collect_piece,
                          .progress = movie_progress};
    plan_spread(p, &spread, movie->from);
    if (plan_next_tile(p, &w.tiles))
        plan_fail(p, "internal error: a time point of the result is missing");
    plan_set_number(p, "frames", w.frames);
}
