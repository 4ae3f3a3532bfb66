/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Movies in the format of the Cell Tracking Challenge: an image for each frame, counted from 0, whose pixels are the
 * numbers of tracks, and a text file with the lines "track first-frame last-frame parent". In this format, a track has
 * no gaps. A track with gaps therefore becomes several tracks, each with the previous one as its parent.
 */
#include "cell_tracking.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pixels[3] = {1, 1, 1};

/* Numbers the pieces of tracks without gaps. Returns the number of pieces; piece[i] is the piece of spot i. */
static int32_t number_pieces(const track_graph *g, const int64_t *order, int32_t *piece, int32_t *last_of_track)
{
    int32_t pieces = 0;
    for (int64_t k = 0; k < g->count; k++) {
        const int64_t i = order[k];
        const int32_t before = g->previous[i];
        const bool goes_on = before >= 0 && g->spots[before].frame + 1 == g->spots[i].frame;
        if (g->track[i]) {
            piece[i] = goes_on ? piece[before] : ++pieces;
            last_of_track[g->track[i]] = piece[i];
        }
    }
    return pieces;
}

static void print_pieces(drua_plan *p, drua_plan_text *text, const track_graph *g, const int32_t *piece,
                         const int32_t *last_of_track, int32_t pieces)
{
    int32_t *first = plan_host_memory(p, (size_t)(pieces + 1) * sizeof *first),
            *last = plan_host_memory(p, (size_t)(pieces + 1) * sizeof *last);
    for (int32_t i = 0; i < g->count && !plan_failed(p); i++) { /* the spots are in the order of frames */
        if (!piece[i])
            continue;
        if (g->previous[i] < 0 || piece[g->previous[i]] != piece[i])
            first[piece[i]] = i;
        last[piece[i]] = i;
    }
    for (int32_t k = 1; k <= pieces && !plan_failed(p); k++) {
        const int32_t i = first[k], before = g->previous[i], parent = g->parent[g->track[i]];
        plan_print(p, text, "%d %d %d %d\n", (int)k, (int)g->spots[i].frame, (int)g->spots[last[k]].frame,
                   (int)(before >= 0 ? piece[before]
                         : parent    ? last_of_track[parent]
                                     : 0));
    }
}

/* Sets the numbers of the movie's labels to those of their pieces. Fails the call if the list lacks a label. */
static void paint_pieces(drua_plan *p, const movie_labels *m, const track_graph *g, const int32_t *piece,
                         uint32_t *numbers)
{
    for (int64_t i = 0; i < g->count && !plan_failed(p); i++) {
        const int64_t t = g->spots[i].frame;
        const int64_t row = t < m->frames ? (int64_t)m->base[t] + g->track[i] - m->min[t] : -1;
        if (!g->track[i])
            continue;
        if (row < 0 || row < m->base[t] || row >= m->base[t + 1] || m->spot[row] < 0)
            plan_fail(p,
                      "tracks has track %d in frame %lld, where labels has no such label; pass the results of one "
                      "call of trackLabels",
                      (int)g->track[i], (long long)t + 1);
        else
            numbers[row] = (uint32_t)piece[i];
    }
    for (int64_t t = 0; t < m->frames && !plan_failed(p); t++)
        for (int64_t row = m->base[t]; row < m->base[t + 1]; row++)
            if (m->spot[row] >= 0 && !numbers[row]) {
                plan_fail(p,
                          "labels has label %lld in frame %lld, which is not a track of tracks; pass the results of "
                          "one call of trackLabels",
                          (long long)(m->min[t] + (row - m->base[t])), (long long)t + 1);
                break;
            }
}

static void write_masks(drua_plan *p, drua_operand painted, int64_t frames, int32_t slices)
{
    const char *folder = plan_text(p, "folder");
    const drua_shape shape = plan_shape(p, "labels");
    const int digits = frames > 1000 ? 4 : 3;
    const char *path = mask_path(p, folder, "mask", digits, frames);
    if (!plan_failed(p) && plan_is_file(path))
        plan_fail(p, "folder %s already has frames of another movie, such as %s; use an empty folder", folder, path);
    for (int64_t t = 0; t < frames && !plan_failed(p); t++) {
        drua_operand frame = CALL(p, "crop", DRUA_UINT16, painted, NUMBER(0), NUMBER(0), NUMBER((double)t * slices),
                                  NUMBER((double)shape.width), NUMBER((double)shape.height), NUMBER(slices));
        plan_write_operand(p, frame, mask_path(p, folder, "mask", digits, t));
        plan_release_image(p, frame);
        plan_progress(p, (double)(t + 1) / (double)frames);
    }
}

static void build_write(drua_plan *p)
{
    drua_plan_text text = {0};
    int64_t count;
    const track_graph g = track_read(p, "tracks", pixels);
    if (!plan_failed(p) && g.count > 0 && !g.track)
        plan_fail(p, "tracks has spots but no tracks; run trackLabels first");
    movie_labels m = movie_open_labels(p, "labels", plan_integer(p, "frames"));
    movie_spots(p, &m, pixels, &count);
    const int64_t *order = track_order(p, &g);
    int32_t *piece = plan_host_memory(p, (size_t)(g.count + 1) * sizeof *piece),
            *last = plan_host_memory(p, (size_t)(g.tracks + 1) * sizeof *last);
    uint32_t *numbers = plan_host_memory(p, (size_t)(m.rows + 1) * sizeof *numbers);
    if (plan_failed(p))
        return;
    const int32_t pieces = number_pieces(&g, order, piece, last);
    if (pieces > CELL_TRACKING_MAX_LABEL)
        plan_fail(p, "the movie has %d tracks without gaps, but the format can hold at most %d; split the movie",
                  (int)pieces, CELL_TRACKING_MAX_LABEL);
    print_pieces(p, &text, &g, piece, last, pieces);
    paint_pieces(p, &m, &g, piece, numbers);
    plan_make_folder(p, plan_text(p, "folder"));
    const drua_operand painted = movie_paint(p, "labels", &m, numbers);
    write_masks(p, painted, m.frames, m.slices);
    plan_write_text(p, text_path(p, plan_text(p, "folder"), "res_track.txt"), &text);
}

DRUA_OP(write_cell_tracking) = {
    .name = "write_cell_tracking",
    .category = "tracking",
    .summary = "Writes a tracked label movie as masks and a text file in the format of the Cell Tracking Challenge.",
    .source = CELL_TRACKING_FORMAT,
    DRUA_PARAMS(DRUA_IMAGE_IN("labels", "tracked labels, as trackLabels makes them"),
                DRUA_IMAGE_IN("tracks", "their track list"),
                CELL_TRACKING_FOLDER("folder to write to", .written = true, .example_text = "drua-example-masks"),
                DRUA_INTEGER("frames", "number of frames, which follow each other along z", DRUA_RANGE(1, 1000000),
                             .default_value = 1, .example = 4)),
    .numeric = DRUA_EXACT,
    .build = build_write,
};
