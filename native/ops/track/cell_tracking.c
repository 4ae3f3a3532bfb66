/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Movies in the format of the Cell Tracking Challenge: an image for each frame, counted from 0, whose pixels are the
 * numbers of tracks, and a text file with the lines "track first-frame last-frame parent". In this format, a track has
 * no gaps. A track with gaps therefore becomes several tracks, each with the previous one as its parent.
 */
#include "movie_labels.h"
#include "plan_files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LABEL = 65535, MAX_FRAMES = 1000000 };

static const double pixels[3] = {1, 1, 1};

/* Path of the image of a frame. Its memory lives as long as the call. */
static const char *mask_path(drua_plan *p, const char *folder, const char *name, int digits, int64_t frame)
{
    drua_plan_text path = {0};
    plan_print(p, &path, "%s/%s%0*lld.tif", folder, name, digits, (long long)frame);
    return path.characters;
}

static const char *text_path(drua_plan *p, const char *folder, const char *name)
{
    drua_plan_text path = {0};
    plan_print(p, &path, "%s/%s", folder, name);
    return path.characters;
}

/* ---- writing */

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
    if (pieces > MAX_LABEL)
        plan_fail(p, "the movie has %d tracks without gaps, but the format can hold at most %d; split the movie",
                  (int)pieces, MAX_LABEL);
    print_pieces(p, &text, &g, piece, last, pieces);
    paint_pieces(p, &m, &g, piece, numbers);
    plan_make_folder(p, plan_text(p, "folder"));
    const drua_operand painted = movie_paint(p, "labels", &m, numbers);
    write_masks(p, painted, m.frames, m.slices);
    plan_write_text(p, text_path(p, plan_text(p, "folder"), "res_track.txt"), &text);
}

/* ---- reading */

typedef struct source {
    const char *folder, *name;
    int digits;
    int64_t frames;
    drua_shape shape;
} source;

/* Finds the names of the images: results, or ground truths for tracking or segmentation. */
static source find_masks(drua_plan *p)
{
    static const char *const names[] = {"mask", "man_track", "man_seg"};
    source s = {.folder = plan_text(p, "folder")};
    for (int i = 0; i < 6 && !s.name && !plan_failed(p); i++) {
        if (!plan_is_file(mask_path(p, s.folder, names[i / 2], 3 + i % 2, 0)))
            continue;
        s.name = names[i / 2];
        s.digits = 3 + i % 2;
    }
    if (!plan_failed(p) && !s.name)
        plan_fail(p,
                  "folder %s has no mask000.tif, man_track000.tif or man_seg000.tif; choose a folder in the format of "
                  "the Cell Tracking Challenge",
                  s.folder);
    while (!plan_failed(p) && s.frames < MAX_FRAMES && plan_is_file(mask_path(p, s.folder, s.name, s.digits, s.frames)))
        s.frames++;
    return s;
}

/* Reads frames as one stack. Halves are joined recursively, so that each frame is copied only a few times. */
static drua_operand read_frames(drua_plan *p, source *s, int64_t first, int64_t count)
{
    if (count > 1) {
        const drua_operand left = read_frames(p, s, first, count / 2),
                           right = read_frames(p, s, first + count / 2, count - count / 2);
        if (plan_failed(p))
            return (drua_operand){0};
        const drua_operand both = CALL(p, "concatenate_stacks", DRUA_NO_TYPE, left, right);
        plan_release_image(p, left);
        plan_release_image(p, right);
        return both;
    }
    const char *path = mask_path(p, s->folder, s->name, s->digits, first);
    const drua_operand frame = CALL(p, "read", DRUA_NO_TYPE, TEXT(path));
    if (plan_failed(p))
        return (drua_operand){0};
    const drua_shape shape = plan_operand_shape(p, frame);
    if (first == 0)
        s->shape = shape;
    else if (!drua_shape_is_same_size(shape, s->shape))
        plan_fail(p,
                  "%s has %lld x %lld x %lld pixels, and the first frame has %lld x %lld x %lld; all frames must have "
                  "the same size",
                  path, (long long)shape.width, (long long)shape.height, (long long)shape.depth,
                  (long long)s->shape.width, (long long)s->shape.height, (long long)s->shape.depth);
    return frame;
}

/* Reads the parents of tracks from the text file. Index i has the parent of track i. */
static int32_t *read_parents(drua_plan *p, const source *s)
{
    int32_t *parents = plan_host_memory(p, (MAX_LABEL + 1) * sizeof *parents);
    const char *path = text_path(p, s->folder, !strcmp(s->name, "mask") ? "res_track.txt" : "man_track.txt");
    if (!strcmp(s->name, "man_seg")) /* ground truths for segmentation have no tracks */
        return parents;
    const char *text = plan_read_text(p, path);
    for (int line = 1; text && *text && !plan_failed(p); line++) {
        int label, begin, end, parent, used = 0;
        const size_t length = strcspn(text, "\n");
        const bool empty = strspn(text, " \t\r") >= length;
        if (!empty &&
            (sscanf(text, "%d %d %d %d%n", &label, &begin, &end, &parent, &used) != 4 || (size_t)used > length ||
             label < 1 || label > MAX_LABEL || parent < 0 || parent > MAX_LABEL || begin < 0 || end < begin))
            plan_fail(p, "line %d of %s must have four whole numbers: track, first frame, last frame, parent", line,
                      path);
        else if (!empty)
            parents[label] = parent;
        text += length + (text[length] == '\n');
    }
    return parents;
}

static void build_read(drua_plan *p)
{
    int64_t count;
    source s = find_masks(p);
    if (plan_failed(p))
        return;
    const drua_operand movie = read_frames(p, &s, 0, s.frames);
    const int32_t *parents = read_parents(p, &s);
    movie_labels m = movie_open_operand(p, movie, "the movie", s.frames);
    track_spot *spots = movie_spots(p, &m, pixels, &count);
    track_graph g = {0};
    if (!plan_failed(p))
        g = track_of_spots(p, spots, count, m.frames);
    g.track = plan_host_memory(p, (size_t)(g.count + 1) * sizeof *g.track);
    for (int64_t i = 0; i < g.count && !plan_failed(p); i++) {
        g.track[i] = (int32_t)g.spots[i].label;
        g.tracks = g.track[i] > g.tracks ? g.track[i] : g.tracks;
        if (g.track[i] > MAX_LABEL)
            plan_fail(p, "frame %d in folder %s has label %d, but the format allows at most %d; renumber the labels",
                      (int)g.spots[i].frame, s.folder, (int)g.track[i], MAX_LABEL);
    }
    g.parent = plan_host_memory(p, (MAX_LABEL + 1) * sizeof *g.parent);
    g.ends_in = plan_host_memory(p, (MAX_LABEL + 1) * sizeof *g.ends_in);
    for (int32_t t = 0; t <= g.tracks && !plan_failed(p); t++)
        g.parent[t] = parents[t] <= g.tracks ? parents[t] : 0;
    if (plan_failed(p))
        return;
    plan_set_number(p, "frames", (double)s.frames);
    plan_return(p, "labels", movie);
    track_return(p, "tracks", &g, pixels);
}

#define FORMAT                                                                                                         \
    "conventions of the Cell Tracking Challenge: mask000.tif and res_track.txt of results, man_track000.tif, "         \
    "man_seg000.tif and man_track.txt of truths"
#define FOLDER(doc_, ...)                                                                                              \
    {                                                                                                                  \
        .name = "folder", .doc = doc_, .kind = DRUA_KIND_PATH, __VA_ARGS__                                             \
    }

DRUA_OP(write_cell_tracking) = {
    .name = "write_cell_tracking",
    .category = "tracking",
    .summary = "Writes a tracked label movie as masks and a text file in the format of the Cell Tracking Challenge.",
    .source = FORMAT,
    DRUA_PARAMS(DRUA_IMAGE_IN("labels", "tracked labels, as trackLabels makes them"),
                DRUA_IMAGE_IN("tracks", "their track list"),
                FOLDER("folder to write to", .written = true, .example_text = "drua-example-masks"),
                DRUA_INTEGER("frames", "number of frames, which follow each other along z", DRUA_RANGE(1, 1000000),
                             .default_value = 1, .example = 4)),
    .numeric = DRUA_EXACT,
    .build = build_write,
};

DRUA_OP(read_cell_tracking) = {
    .name = "read_cell_tracking",
    .category = "tracking",
    .summary = "Reads masks and tracks in the format of the Cell Tracking Challenge, results or ground truths.",
    .source = FORMAT,
    .before_example = "Ext.Drua_push(getTitle());\nExt.Drua_voronoiOtsuLabeling(getTitle(), cells, 3, 1);\n"
                      "Ext.Drua_trackLabels(cells, tracked, found, 1, \"\");\n"
                      "Ext.Drua_writeCellTracking(tracked, found, getDirectory(\"temp\") + \"drua-example-cells\", 1);",
    DRUA_PARAMS(FOLDER("folder with the masks", .example_text = "drua-example-cells"),
                DRUA_LABELS_OUT("labels", "label movie; its frames follow each other along z", .type = DRUA_FLOAT32,
                                .replaces = true, .shape = track_shape_until_read),
                DRUA_IMAGE_OUT("tracks", "its track list", .type = DRUA_FLOAT32, .replaces = true,
                               .shape = track_shape_until_read),
                DRUA_NUMBER_OUT("frames", "number of frames")),
    .numeric = DRUA_EXACT,
    .build = build_read,
};
