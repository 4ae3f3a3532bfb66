/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes lists of spots and of tracks, and numbers the tracks. */
#include "track.h"

#include <math.h>
#include <stdlib.h>

/* ---- options */

track_options track_read_options(drua_plan *p, bool overlaps)
{
    track_options o = {.distance = plan_setting(p, "options", "distance"),
                       .initial_distance = plan_setting(p, "options", "initial_distance"),
                       .gap_distance = plan_setting(p, "options", "gap_distance"),
                       .split_distance = plan_setting(p, "options", "split_distance"),
                       .merge_distance = plan_setting(p, "options", "merge_distance"),
                       .size_penalty = plan_setting(p, "options", "size_penalty"),
                       .gap_frames = (int64_t)plan_setting(p, "options", "gap_frames"),
                       .predicts = plan_setting(p, "options", "predict") != 0};
    plan_setting_numbers(p, "options", "voxel", o.voxel);
    if (overlaps) {
        o.by_overlap = plan_setting(p, "options", "link") != 0;
        o.overlap = plan_setting(p, "options", "overlap");
    }
    if (o.by_overlap && o.predicts)
        plan_fail(p,
                  "options cannot have both link=overlap and predict, because a prediction has no pixels; remove one");
    return o;
}

/* ---- spots */

static int compare_spots(const void *a, const void *b)
{
    const track_spot *s = a, *t = b;
    if (s->frame != t->frame)
        return s->frame < t->frame ? -1 : 1;
    if (s->at[0] != t->at[0])
        return s->at[0] < t->at[0] ? -1 : 1;
    return s->source < t->source ? -1 : s->source > t->source;
}

static void sort_frame(void *payload, int worker, int64_t frame)
{
    const track_graph *g = payload;
    (void)worker;
    qsort(g->spots + g->first[frame], (size_t)(g->first[frame + 1] - g->first[frame]), sizeof *g->spots, compare_spots);
}

static int32_t *no_links(drua_plan *p, int64_t count)
{
    int32_t *links = plan_host_memory(p, (size_t)(count + 1) * sizeof *links);
    for (int64_t i = 0; i < count && links; i++)
        links[i] = -1;
    return links;
}

track_graph track_of_spots(drua_plan *p, track_spot *spots, int64_t count, int64_t frames)
{
    track_graph g = {.count = count, .frames = frames};
    g.first = plan_host_memory(p, (size_t)(frames + 2) * sizeof *g.first);
    g.spots = plan_host_memory(p, (size_t)(count + 1) * sizeof *g.spots);
    g.next = no_links(p, count);
    g.previous = no_links(p, count);
    g.mother = no_links(p, count);
    g.into = no_links(p, count);
    if (plan_failed(p))
        return (track_graph){0};
    for (int64_t i = 0; i < count; i++)
        g.first[spots[i].frame + 2]++;
    for (int64_t f = 0; f < frames; f++) {
        g.largest = g.first[f + 2] > g.largest ? g.first[f + 2] : g.largest;
        g.first[f + 2] += g.first[f + 1];
    }
    for (int64_t i = 0; i < count; i++)
        g.spots[g.first[spots[i].frame + 1]++] = spots[i];
    plan_on_cores(p, frames, sort_frame, &g);
    return g;
}

/* ---- lists in images */

/* Reads the rows of a list, each with as many numbers as the list has columns. */
static float *read_rows(drua_plan *p, const char *image, int64_t *columns, int64_t *rows)
{
    const drua_shape shape = plan_shape(p, image);
    *columns = shape.width;
    *rows = shape.height;
    if (shape.depth != 1 || shape.height < TRACK_Y + 1 || shape.height > TRACK_ROWS || shape.width > INT32_MAX - 1)
        plan_fail(p,
                  "%s must be a list with a column for each spot and %d to %d rows (frame, x, y, z, label, size, then "
                  "track, parent, merge), got %lld x %lld x %lld pixels",
                  image, TRACK_Y + 1, TRACK_ROWS, (long long)shape.width, (long long)shape.height,
                  (long long)shape.depth);
    if (plan_failed(p))
        return NULL;
    float *numbers = plan_host_memory(p, (size_t)(shape.width * shape.height) * sizeof *numbers);
    plan_read_floats(p, plan_operand_image(p, plan_operand(p, image)), numbers);
    return plan_failed(p) ? NULL : numbers;
}

static bool is_count(float number, float min)
{
    return number >= min && number <= (float)TRACK_MAX && number == floorf(number);
}

static bool check_column(drua_plan *p, const char *image, const float *n, int64_t columns, int64_t rows, int64_t i)
{
    static const char *const names[] = {"frame", "x", "y", "z", "label", "size", "track", "parent", "merge"};
    for (int64_t row = 0; row < rows; row++) {
        const float number = n[row * columns + i];
        const bool is_whole = row == TRACK_FRAME || row == TRACK_LABEL || row >= TRACK_NUMBER;
        if (is_whole ? is_count(number, 0) : isfinite(number) && (row != TRACK_SIZE || number >= 0))
            continue;
        plan_fail(p, "the %s of spot %lld in %s is %g, but it must be %s", names[row], (long long)i + 1, image,
                  (double)number,
                  is_whole            ? "a whole number from 0 to 16777216"
                  : row == TRACK_SIZE ? "a finite number of at least 0"
                                      : "a finite number");
        return false;
    }
    return true;
}

static track_spot spot_of_column(const float *n, int64_t columns, int64_t rows, int64_t i, const double voxel[3])
{
    track_spot s = {.frame = (int32_t)n[i] - 1, .source = i};
    for (int axis = 0; axis < 3; axis++)
        s.at[axis] = TRACK_X + axis < rows ? n[(TRACK_X + axis) * columns + i] * voxel[axis] : 0;
    s.label = rows > TRACK_LABEL ? (uint32_t)n[TRACK_LABEL * columns + i] : 0;
    s.size = rows > TRACK_SIZE ? n[TRACK_SIZE * columns + i] : 0;
    return s;
}

/* Links the spots of each track in the order of frames, and restores the numbers of the tracks. */
static void restore_tracks(drua_plan *p, const char *image, track_graph *g, const float *n, int64_t columns)
{
    g->track = plan_host_memory(p, (size_t)(g->count + 1) * sizeof *g->track);
    for (int64_t i = 0; i < g->count && !plan_failed(p); i++) {
        g->track[i] = (int32_t)n[TRACK_NUMBER * columns + g->spots[i].source];
        g->tracks = g->track[i] > g->tracks ? g->track[i] : g->tracks;
    }
    int32_t *last = no_links(p, g->tracks + 1);
    g->parent = plan_host_memory(p, (size_t)(g->tracks + 1) * sizeof *g->parent);
    g->ends_in = plan_host_memory(p, (size_t)(g->tracks + 1) * sizeof *g->ends_in);
    for (int32_t i = 0; i < g->count && !plan_failed(p); i++) {
        const int32_t track = g->track[i];
        const int64_t source = g->spots[i].source;
        if (track == 0)
            continue;
        const float parent = n[TRACK_PARENT * columns + source], into = n[TRACK_INTO * columns + source];
        if (parent > (float)g->tracks || into > (float)g->tracks)
            plan_fail(p, "%s names track %g for spot %lld, but its last track is %d; correct the list", image,
                      (double)fmaxf(parent, into), (long long)source + 1, (int)g->tracks);
        if (last[track] >= 0 && g->spots[last[track]].frame == g->spots[i].frame)
            plan_fail(p, "%s has two spots of track %d in frame %d; a track has at most one spot in a frame", image,
                      (int)track, (int)g->spots[i].frame + 1);
        if (last[track] >= 0) {
            g->next[last[track]] = i;
            g->previous[i] = last[track];
        }
        last[track] = i;
        g->parent[track] = (int32_t)parent;
        g->ends_in[track] = (int32_t)into;
    }
}

track_graph track_read(drua_plan *p, const char *image, const double voxel[3])
{
    int64_t columns, rows, count = 0, frames = 0;
    const float *n = read_rows(p, image, &columns, &rows);
    track_spot *spots = n ? plan_host_memory(p, (size_t)columns * sizeof *spots) : NULL;
    for (int64_t i = 0; i < columns && spots; i++) {
        if (n[i] == 0)
            continue;
        if (!check_column(p, image, n, columns, rows, i))
            break;
        spots[count] = spot_of_column(n, columns, rows, i, voxel);
        frames = spots[count].frame + 1 > frames ? spots[count].frame + 1 : frames;
        count++;
    }
    track_graph g = {0};
    if (!plan_failed(p))
        g = track_of_spots(p, spots, count, frames);
    if (!plan_failed(p) && rows == TRACK_ROWS)
        restore_tracks(p, image, &g, n, columns);
    return g;
}

/* ---- numbering of tracks */

static int32_t new_track(track_graph *g, int32_t parent)
{
    g->parent[++g->tracks] = parent;
    return g->tracks;
}

int64_t *track_order(drua_plan *p, const track_graph *g)
{
    int64_t largest = 0;
    for (int64_t i = 0; i < g->count; i++)
        largest = g->spots[i].source > largest ? g->spots[i].source : largest;
    int32_t *place = no_links(p, largest + 1);
    int64_t *order = plan_host_memory(p, (size_t)(g->count + 1) * sizeof *order),
            *filled = plan_host_memory(p, (size_t)(g->frames + 1) * sizeof *filled);
    for (int64_t i = 0; i < g->count && !plan_failed(p); i++)
        place[g->spots[i].source] = (int32_t)i;
    for (int64_t source = 0; source <= largest && g->count > 0 && !plan_failed(p); source++)
        if (place[source] >= 0) {
            const int32_t frame = g->spots[place[source]].frame;
            order[g->first[frame] + filled[frame]++] = place[source];
        }
    return plan_failed(p) ? NULL : order;
}

void track_number(drua_plan *p, track_graph *g)
{
    const int64_t *order = track_order(p, g);
    bool *splits = plan_host_memory(p, (size_t)(g->count + 1)), *receives = plan_host_memory(p, (size_t)(g->count + 1));
    g->track = plan_host_memory(p, (size_t)(g->count + 1) * sizeof *g->track);
    g->parent = plan_host_memory(p, (size_t)(g->count + 1) * sizeof *g->parent);
    g->ends_in = plan_host_memory(p, (size_t)(g->count + 1) * sizeof *g->ends_in);
    if (plan_failed(p))
        return;
    for (int64_t i = 0; i < g->count; i++) {
        if (g->mother[i] >= 0)
            splits[g->mother[i]] = true;
        if (g->into[i] >= 0)
            receives[g->into[i]] = true;
    }
    g->tracks = 0;
    for (int64_t k = 0; k < g->count; k++) {
        const int64_t i = order[k];
        const int32_t before = g->previous[i] >= 0 ? g->previous[i] : g->mother[i];
        const bool goes_on = g->previous[i] >= 0 && !splits[g->previous[i]] && !receives[i];
        g->track[i] = goes_on ? g->track[before] : new_track(g, before < 0 ? 0 : g->track[before]);
    }
    for (int64_t i = 0; i < g->count; i++)
        if (g->into[i] >= 0)
            g->ends_in[g->track[i]] = g->track[g->into[i]];
    if (g->tracks > TRACK_MAX)
        plan_fail(p, "there are %d tracks, but at most %d can be numbered; split the movie", (int)g->tracks, TRACK_MAX);
}

/* ---- results */

static void write_list(drua_plan *p)
{
    const float *numbers = plan_state(p);
    drua_view list = plan_image(p, "list"),
              dense = plan_scratch(p, (drua_shape){list.layout.width, TRACK_ROWS, 1, 2}, DRUA_FLOAT32);
    plan_write(p, dense, numbers);
    plan_copy(p, dense, list, 0, 0, 0);
}

static void shape_of_list(drua_plan *p, drua_shape *shape)
{
    *shape = (drua_shape){plan_integer(p, "columns"), TRACK_ROWS, 1, 2};
}

static const drua_op list = {
    .name = "list",
    DRUA_PARAMS(DRUA_INTEGER("columns", "number of spots", DRUA_RANGE(1, 2147483647)),
                DRUA_IMAGE_OUT("list", "track list", .shape = shape_of_list, .type = DRUA_FLOAT32)),
    .numeric = DRUA_EXACT,
    .launch = write_list,
};

void track_shape_until_read(drua_plan *p, drua_shape *shape)
{
    *shape = (drua_shape){1, 1, 1, 2};
    (void)p;
}

void track_return(drua_plan *p, const char *output, const track_graph *g, const double voxel[3])
{
    int64_t columns = 1;
    for (int64_t i = 0; i < g->count; i++)
        columns = g->spots[i].source >= columns ? g->spots[i].source + 1 : columns;
    float *numbers = plan_host_memory(p, (size_t)columns * TRACK_ROWS * sizeof *numbers);
    for (int64_t i = 0; i < g->count && !plan_failed(p); i++) {
        const track_spot *s = &g->spots[i];
        float *column = numbers + s->source;
        column[TRACK_FRAME * columns] = (float)(s->frame + 1);
        for (int axis = 0; axis < 3; axis++)
            column[(TRACK_X + axis) * columns] = (float)(s->at[axis] / voxel[axis]);
        column[TRACK_LABEL * columns] = (float)s->label;
        column[TRACK_SIZE * columns] = (float)s->size;
        if (!g->track)
            continue;
        column[TRACK_NUMBER * columns] = (float)g->track[i];
        column[TRACK_PARENT * columns] = (float)g->parent[g->track[i]];
        column[TRACK_INTO * columns] = (float)g->ends_in[g->track[i]];
    }
    if (!plan_failed(p))
        plan_return(p, output,
                    plan_call_private(p, &list, numbers, DRUA_FLOAT32, (drua_operand[]){NUMBER((double)columns)}, 1));
}
