/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of tracks. */
#include "track.h"

#include <math.h>

/* ---- a row for each spot */

static const double pixels[3] = {1, 1, 1};

static void build_list(drua_plan *p)
{
    static const char *const headings[] = {"FRAME", "LABEL", "TRACK", "X", "Y", "Z", "SIZE", "PARENT", "MERGES_INTO"};
    enum { COLUMNS = sizeof headings / sizeof *headings };
    const track_graph g = track_read(p, "tracks", pixels);
    const int64_t *order = track_order(p, &g);
    double *cells = plan_new_table(p, headings, COLUMNS, (size_t)g.count), *cell = cells;
    for (int64_t k = 0; k < g.count && cells && !plan_failed(p); k++, cell += COLUMNS) {
        const int64_t i = order[k];
        const track_spot *s = &g.spots[i];
        const int32_t track = g.track ? g.track[i] : 0;
        cell[0] = s->frame + 1;
        cell[1] = s->label;
        cell[2] = track;
        for (int axis = 0; axis < 3; axis++)
            cell[3 + axis] = s->at[axis];
        cell[6] = s->size;
        cell[7] = track ? g.parent[track] : 0;
        cell[8] = track ? g.ends_in[track] : 0;
    }
}

/* ---- a row for each track */

enum column {
    TRACK,
    START,
    END,
    SPOTS,
    PARENT,
    MERGES_INTO,
    GENERATION,
    LENGTH,
    DISPLACEMENT,
    MEAN_SPEED,
    DIRECTIONALITY,
    MEAN_SQUARE_DISPLACEMENT,
    COLUMNS
};

static double distance_of(const track_spot *a, const track_spot *b)
{
    return sqrt(track_cost(a, b, 0));
}

/* Mean of the squared distances of all pairs of the track's spots that are `lag` frames apart; NaN without a pair. */
static double mean_square(const track_graph *g, int32_t first, int64_t lag)
{
    double sum = 0;
    int64_t pairs = 0;
    int32_t later = first;
    for (int32_t i = first; i >= 0; i = g->next[i]) {
        while (later >= 0 && g->spots[later].frame < g->spots[i].frame + lag)
            later = g->next[later];
        if (later < 0)
            break;
        if (g->spots[later].frame == g->spots[i].frame + lag) {
            sum += track_cost(&g->spots[i], &g->spots[later], 0);
            pairs++;
        }
    }
    return pairs ? sum / (double)pairs : (double)NAN;
}

static void measure_track(const track_graph *g, int32_t first, double interval, int64_t lag, double *cell)
{
    int32_t last = first, spots = 1;
    double length = 0;
    for (; g->next[last] >= 0; last = g->next[last], spots++)
        length += distance_of(&g->spots[last], &g->spots[g->next[last]]);
    const int32_t frames = g->spots[last].frame - g->spots[first].frame;
    cell[START] = g->spots[first].frame + 1;
    cell[END] = g->spots[last].frame + 1;
    cell[SPOTS] = spots;
    cell[LENGTH] = length;
    cell[DISPLACEMENT] = distance_of(&g->spots[first], &g->spots[last]);
    cell[MEAN_SPEED] = frames ? length / (frames * interval) : (double)NAN;
    cell[DIRECTIONALITY] = length > 0 ? cell[DISPLACEMENT] / length : (double)NAN;
    cell[MEAN_SQUARE_DISPLACEMENT] = mean_square(g, first, lag);
}

/* Sets the generations of all tracks: 1 without a parent, else one more than the parent. */
static void set_generations(drua_plan *p, const track_graph *g, int32_t *generation)
{
    for (int32_t track = 1; track <= g->tracks; track++) {
        int32_t depth = 0, top = track;
        for (; top > 0 && !generation[top]; top = g->parent[top])
            if (++depth > g->tracks) {
                plan_fail(p, "tracks has track %d among its own ancestors; correct the parents", (int)track);
                return;
            }
        for (int32_t t = track, value = depth + (top > 0 ? generation[top] : 0); t != top; t = g->parent[t])
            generation[t] = value--;
    }
}

static void build_measure(drua_plan *p)
{
    static const char *const headings[COLUMNS] = {[TRACK] = "TRACK",
                                                  [START] = "START",
                                                  [END] = "END",
                                                  [SPOTS] = "SPOTS",
                                                  [PARENT] = "PARENT",
                                                  [MERGES_INTO] = "MERGES_INTO",
                                                  [GENERATION] = "GENERATION",
                                                  [LENGTH] = "LENGTH",
                                                  [DISPLACEMENT] = "DISPLACEMENT",
                                                  [MEAN_SPEED] = "MEAN_SPEED",
                                                  [DIRECTIONALITY] = "DIRECTIONALITY",
                                                  [MEAN_SQUARE_DISPLACEMENT] = "MEAN_SQUARE_DISPLACEMENT"};
    double voxel[3];
    plan_setting_numbers(p, "options", "voxel", voxel);
    const double interval = plan_setting(p, "options", "interval");
    const int64_t lag = (int64_t)plan_setting(p, "options", "lag");
    const track_graph g = track_read(p, "tracks", voxel);
    if (!plan_failed(p) && g.count > 0 && !g.track)
        plan_fail(p, "tracks has spots but no tracks; run trackSpots first");
    int32_t *first = plan_host_memory(p, (size_t)(g.tracks + 1) * sizeof *first),
            *generation = plan_host_memory(p, (size_t)(g.tracks + 1) * sizeof *generation), rows = 0;
    if (plan_failed(p))
        return;
    for (int32_t i = 0; i < g.count; i++)
        if (g.track[i] && g.previous[i] < 0) {
            first[g.track[i]] = i + 1;
            rows++;
        }
    set_generations(p, &g, generation);
    double *cells = plan_new_table(p, headings, COLUMNS, (size_t)rows), *cell = cells;
    for (int32_t track = 1; track <= g.tracks && cells && !plan_failed(p); track++) {
        if (!first[track])
            continue;
        cell[TRACK] = track;
        cell[PARENT] = g.parent[track];
        cell[MERGES_INTO] = g.ends_in[track];
        cell[GENERATION] = generation[track];
        measure_track(&g, first[track] - 1, interval, lag, cell);
        cell += COLUMNS;
    }
}

#define TRACKS DRUA_IMAGE_IN("tracks", "track list, as trackLabels and trackSpots make it")

DRUA_OP(list_tracked_spots) = {
    .name = "list_tracked_spots",
    .category = "tracking",
    .summary = "Lists the spots of a track list as a table: frame, label, track, position, size, parent, merge.",
    .source = "columns of the list, by frame",
    DRUA_PARAMS(TRACKS, DRUA_TABLE_OUT("table", "a row for each spot; positions and size in pixels")),
    .numeric = DRUA_EXACT,
    .build = build_list,
};

DRUA_OP(measure_tracks) = {
    .name = "measure_tracks",
    .category = "tracking",
    .menu = true,
    .summary = "Measures each track: start, end, parent, length, displacement, speed, directionality, mean square "
               "displacement.",
    .source = "length is the sum of the steps; speed is length over time; directionality is displacement over length",
    DRUA_PARAMS(TRACKS,
                DRUA_TABLE_OUT("table", "a row for each track; speed and mean square displacement are NaN for a single "
                                        "spot, directionality for a track of length 0"),
                {
                    .name = "options",
                    .doc = "settings as name=value words, such as \"voxel=0.2,0.2,1 interval=5\"",
                    .kind = DRUA_KIND_OPTIONS,
                    .default_text = "",
                    DRUA_SETTINGS({.name = "voxel",
                                   .doc = "extent of a pixel along x, y, z",
                                   .kind = DRUA_KIND_ARRAY_IN,
                                   .default_text = "1,1,1",
                                   DRUA_RANGE(1e-9, 1e9)},
                                  DRUA_NUMBER("interval", "time from one frame to the next", DRUA_RANGE(1e-9, 1e9),
                                              .default_value = 1),
                                  DRUA_INTEGER("lag", "frames between the spots of the mean square displacement",
                                               DRUA_RANGE(1, 1000000), .default_value = 1)),
                }),
    .numeric = DRUA_EXACT,
    .build = build_measure,
};
