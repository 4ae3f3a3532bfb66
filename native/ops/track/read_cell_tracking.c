/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads movies in the format of the Cell Tracking Challenge; cell_tracking.c describes it. */
#include "cell_tracking.h"

#include <stdio.h>
#include <string.h>

enum { MAX_FRAMES = 1000000 };

static const double pixels[3] = {1, 1, 1};

typedef struct source {
    const char *folder, *name;
    int digits;
    int64_t frames;
    drua_shape shape;
} source;

/*
 * Fails the call if an image follows the first missing frame. Ground truths for segmentation may lack frames; the Log
 * then says that the movie ends before the first missing one.
 */
static void check_gap(drua_plan *p, const source *s)
{
    enum { FRAMES_SEARCHED = 1000 };
    char later[32];
    int64_t t = s->frames + 1;
    do {
        snprintf(later, sizeof later, "%s%0*lld.tif", s->name, s->digits, (long long)t++);
    } while (t <= s->frames + FRAMES_SEARCHED && !plan_is_file(text_path(p, s->folder, later)) && !plan_failed(p));
    if (plan_failed(p) || t > s->frames + FRAMES_SEARCHED)
        return;
    if (!strcmp(s->name, "man_seg"))
        plan_add_message(p, "folder %s lacks frame %lld; only the %lld frames before it are read", s->folder,
                         (long long)s->frames, (long long)s->frames);
    else
        plan_fail(p, "folder %s has %s, but lacks frame %lld; copy the missing images", s->folder, later,
                  (long long)s->frames);
}

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
    check_gap(p, &s);
    return s;
}

/*
 * Reads frames as one stack. Halves are read recursively and then concatenated, so that each frame is copied only a few
 * times.
 */
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

/* A line of the text file; `end` is -1 if the file has no such track. */
typedef struct text_track {
    int32_t begin, end, parent;
} text_track;

/* Checks a line and keeps it under its track. */
static void take_line(drua_plan *p, const char *path, const source *s, int line, int label, text_track t,
                      text_track *tracks)
{
    if (label < 1 || label > CELL_TRACKING_MAX_LABEL || t.parent < 0 || t.parent > CELL_TRACKING_MAX_LABEL ||
        t.begin < 0 || t.end < t.begin)
        plan_fail(p, "line %d of %s must have four whole numbers: track, first frame, last frame, parent", line, path);
    else if (t.end >= s->frames)
        plan_fail(p, "line %d of %s has frame %d, but the folder has images of frames 0 to %lld; copy all images", line,
                  path, (int)t.end, (long long)s->frames - 1);
    else if (tracks[label].end >= 0)
        plan_fail(p, "line %d of %s is a second line of track %d; correct the file", line, path, label);
    else
        tracks[label] = t;
}

/* Fails the call if a track's parent has no line, or does not begin before the track. */
static void check_parents(drua_plan *p, const source *s, const text_track *tracks)
{
    for (int32_t label = 1; label <= CELL_TRACKING_MAX_LABEL && !plan_failed(p); label++) {
        const text_track *t = &tracks[label], *parent = &tracks[t->end < 0 ? 0 : t->parent];
        if (parent == tracks)
            continue;
        if (parent->end < 0)
            plan_fail(p, "folder %s: the text has no line for track %d, the parent of track %d; copy the text again",
                      s->folder, (int)t->parent, (int)label);
        else if (parent->begin >= t->begin)
            plan_fail(p,
                      "folder %s: track %d begins in frame %d, and its parent, track %d, in frame %d; a parent must "
                      "begin before its daughters",
                      s->folder, (int)label, (int)t->begin, (int)t->parent, (int)parent->begin);
    }
}

/* Fails the call if a label lies outside the frames that the text gives its track. */
static void check_tracks(drua_plan *p, const source *s, const track_graph *g, const text_track *tracks)
{
    for (int64_t i = 0; i < g->count && !plan_failed(p); i++) {
        const text_track *t = &tracks[g->track[i]];
        const int frame = (int)g->spots[i].frame;
        if (t->end < 0)
            plan_fail(p,
                      "folder %s has label %d in frame %d, but its text has no line for this track; copy the text "
                      "again",
                      s->folder, (int)g->track[i], frame);
        else if (frame < t->begin || frame > t->end)
            plan_fail(p,
                      "folder %s has label %d in frame %d, but its text has this track in frames %d to %d; copy "
                      "images and text again",
                      s->folder, (int)g->track[i], frame, (int)t->begin, (int)t->end);
    }
    check_parents(p, s, tracks);
    int64_t missing = -g->count;
    for (int32_t label = 1; label <= CELL_TRACKING_MAX_LABEL; label++)
        missing += tracks[label].end < 0 ? 0 : tracks[label].end - tracks[label].begin + 1;
    if (!plan_failed(p) && missing > 0)
        plan_add_message(p, "folder %s: the images lack %lld labels that the text gives its tracks; these are gaps",
                         s->folder, (long long)missing);
}

/* Reads the text file. Index i has the line of track i. Ground truths for segmentation have no text: NULL. */
static text_track *read_tracks(drua_plan *p, const source *s)
{
    text_track *tracks = plan_host_memory(p, (CELL_TRACKING_MAX_LABEL + 1) * sizeof *tracks);
    const char *path = text_path(p, s->folder, !strcmp(s->name, "mask") ? "res_track.txt" : "man_track.txt");
    if (!strcmp(s->name, "man_seg") || !tracks)
        return NULL;
    for (int32_t label = 0; label <= CELL_TRACKING_MAX_LABEL; label++)
        tracks[label].end = -1;
    const char *text = plan_read_text(p, path);
    for (int line = 1; text && *text && !plan_failed(p); line++) {
        int label, begin = 0, end = 0, parent = 0, used = 0;
        const size_t length = strcspn(text, "\n");
        const bool empty = strspn(text, " \t\r") >= length;
        if (!empty && (sscanf(text, "%d %d %d %d%n", &label, &begin, &end, &parent, &used) != 4 ||
                       (size_t)used + strspn(text + used, " \t\r") < length || (size_t)used > length))
            label = 0;
        if (!empty)
            take_line(p, path, s, line, label, (text_track){begin, end, parent}, tracks);
        text += length + (text[length] == '\n');
    }
    return tracks;
}

static void build_read(drua_plan *p)
{
    int64_t count;
    source s = find_masks(p);
    if (plan_failed(p))
        return;
    const drua_operand movie = read_frames(p, &s, 0, s.frames);
    const text_track *tracks = read_tracks(p, &s);
    movie_labels m = movie_open_operand(p, movie, "the movie", s.frames);
    track_spot *spots = movie_spots(p, &m, pixels, &count);
    track_graph g = {0};
    if (!plan_failed(p))
        g = track_of_spots(p, spots, count, m.frames);
    g.track = plan_host_memory(p, (size_t)(g.count + 1) * sizeof *g.track);
    for (int64_t i = 0; i < g.count && !plan_failed(p); i++) {
        g.track[i] = (int32_t)g.spots[i].label;
        g.tracks = g.track[i] > g.tracks ? g.track[i] : g.tracks;
        if (g.track[i] > CELL_TRACKING_MAX_LABEL)
            plan_fail(p, "frame %d in folder %s has label %d, but the format allows at most %d; renumber the labels",
                      (int)g.spots[i].frame, s.folder, (int)g.track[i], CELL_TRACKING_MAX_LABEL);
    }
    g.parent = plan_host_memory(p, (CELL_TRACKING_MAX_LABEL + 1) * sizeof *g.parent);
    g.ends_in = plan_host_memory(p, (CELL_TRACKING_MAX_LABEL + 1) * sizeof *g.ends_in);
    if (!plan_failed(p) && tracks)
        check_tracks(p, &s, &g, tracks);
    for (int32_t t = 1; t <= g.tracks && !plan_failed(p); t++)
        g.parent[t] = tracks && tracks[t].end >= 0 && tracks[t].parent <= g.tracks ? tracks[t].parent : 0;
    if (plan_failed(p))
        return;
    plan_set_number(p, "frames", (double)s.frames);
    plan_return(p, "labels", movie);
    track_return(p, "tracks", &g, pixels);
}

DRUA_OP(read_cell_tracking) = {
    .name = "read_cell_tracking",
    .category = "tracking",
    .summary = "Reads masks and tracks in the format of the Cell Tracking Challenge, results or ground truths.",
    .source = CELL_TRACKING_FORMAT,
    .before_example = "Ext.Drua_push(getTitle());\nExt.Drua_voronoiOtsuLabeling(getTitle(), cells, 3, 1);\n"
                      "Ext.Drua_trackLabels(cells, tracked, found, 1, \"\");\n"
                      "Ext.Drua_writeCellTracking(tracked, found, getDirectory(\"temp\") + \"drua-example-cells\", 1);",
    DRUA_PARAMS(CELL_TRACKING_FOLDER("folder with the masks", .example_text = "drua-example-cells"),
                DRUA_LABELS_OUT("labels", "label movie; its frames follow each other along z", .type = DRUA_FLOAT32,
                                .replaces = true, .shape = track_shape_until_read),
                DRUA_IMAGE_OUT("tracks", "its track list", .type = DRUA_FLOAT32, .replaces = true,
                               .shape = track_shape_until_read),
                DRUA_NUMBER_OUT("frames", "number of frames")),
    .numeric = DRUA_EXACT,
    .build = build_read,
};
