/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes track lists as files of TrackMate. A track of TrackMate is a tree of the tracks here, which splits and merges
 * connect. TrackMate counts frames from 0.
 */
#include "track_mate.h"

#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

typedef struct edge {
    int32_t from, to, tree;
    bool merges;
} edge;

/* The root of a tree in a forest of track numbers, which it flattens on the way. */
static int32_t root_of(int32_t *above, int32_t track)
{
    while (above[track] != track)
        track = above[track] = above[above[track]];
    return track;
}

/* First or last spot of each track, at its number; -1: the track has no spot. */
static int32_t *ends_of(drua_plan *p, const track_graph *g, const int32_t *links)
{
    int32_t *ends = plan_host_memory(p, (size_t)(g->tracks + 1) * sizeof *ends);
    for (int32_t t = 0; t <= g->tracks && ends; t++)
        ends[t] = -1;
    for (int32_t i = 0; i < g->count && ends; i++)
        if (links[i] < 0)
            ends[g->track[i]] = i;
    return ends;
}

/*
 * Orders edges by tree. Merges come last in a tree, so that a reader first finds the link along which a track
 * continues.
 */
static int compare_edges(const void *a, const void *b)
{
    const edge *s = a, *t = b;
    if (s->tree != t->tree)
        return s->tree < t->tree ? -1 : 1;
    if (s->merges != t->merges)
        return s->merges ? 1 : -1;
    return (s->from > t->from) - (s->from < t->from);
}

/* All links of the graph, sorted by the tree that they belong to. */
static edge *list_edges(drua_plan *p, const track_graph *g, int64_t *count)
{
    edge *edges = plan_host_memory(p, (size_t)(g->count + 2 * (int64_t)g->tracks + 1) * sizeof *edges);
    int32_t *first = ends_of(p, g, g->previous), *last = ends_of(p, g, g->next),
            *above = plan_host_memory(p, (size_t)(g->tracks + 1) * sizeof *above);
    *count = 0;
    if (plan_failed(p))
        return NULL;
    for (int32_t t = 0; t <= g->tracks; t++)
        above[t] = t;
    for (int32_t t = 1; t <= g->tracks; t++) {
        const int32_t parent = g->parent[t], into = g->ends_in[t];
        if (first[t] < 0)
            continue;
        if (parent && last[parent] >= 0) {
            edges[(*count)++] = (edge){last[parent], first[t], t, false};
            above[root_of(above, t)] = root_of(above, parent);
        }
        if (into && first[into] >= 0) {
            edges[(*count)++] = (edge){last[t], first[into], t, true};
            above[root_of(above, t)] = root_of(above, into);
        }
    }
    for (int32_t i = 0; i < g->count; i++)
        if (g->track[i] && g->next[i] >= 0)
            edges[(*count)++] = (edge){i, g->next[i], g->track[i], false};
    for (int64_t k = 0; k < *count; k++)
        edges[k].tree = root_of(above, edges[k].tree);
    qsort(edges, (size_t)*count, sizeof *edges, compare_edges);
    return edges;
}

static double radius_of(const track_spot *s, bool flat, const double voxel[3])
{
    const double size = fmax(s->size, 1) * voxel[0] * voxel[1] * (flat ? 1 : voxel[2]);
    return flat ? sqrt(size / pi) : cbrt(size * 3 / (4 * pi));
}

static void print_spots(drua_plan *p, drua_plan_text *t, const track_graph *g, const double voxel[3], double interval)
{
    const int64_t *order = track_order(p, g);
    bool flat = true;
    for (int64_t i = 0; i < g->count; i++)
        flat = flat && g->spots[i].at[2] == 0;
    plan_print(p, t, "    <AllSpots nspots=\"%lld\">\n", (long long)g->count);
    for (int64_t f = 0; f < g->frames && order && !plan_failed(p); f++) {
        plan_print(p, t, "      <SpotsInFrame frame=\"%lld\">\n", (long long)f);
        for (int64_t k = g->first[f]; k < g->first[f + 1]; k++) {
            const track_spot *s = &g->spots[order[k]];
            plan_print(p, t,
                       "        <Spot ID=\"%lld\" name=\"%u\" QUALITY=\"%g\" POSITION_X=\"%.9g\" POSITION_Y=\"%.9g\" "
                       "POSITION_Z=\"%.9g\" POSITION_T=\"%.9g\" FRAME=\"%lld\" RADIUS=\"%.9g\" VISIBILITY=\"1\" />\n",
                       (long long)order[k], (unsigned)s->label, s->size, s->at[0], s->at[1], s->at[2],
                       (double)f * interval, (long long)f, radius_of(s, flat, voxel));
        }
        plan_print(p, t, "      </SpotsInFrame>\n");
    }
    plan_print(p, t, "    </AllSpots>\n");
}

static void print_tracks(drua_plan *p, drua_plan_text *t, const track_graph *g)
{
    int64_t count, trees = 0;
    const edge *e = list_edges(p, g, &count);
    plan_print(p, t, "    <AllTracks>\n");
    for (int64_t k = 0; k < count && e && !plan_failed(p); k++) {
        if (k == 0 || e[k].tree != e[k - 1].tree)
            plan_print(p, t, "      <Track name=\"Track_%lld\" TRACK_INDEX=\"%lld\" TRACK_ID=\"%lld\">\n",
                       (long long)trees, (long long)trees, (long long)trees);
        plan_print(p, t, "        <Edge SPOT_SOURCE_ID=\"%d\" SPOT_TARGET_ID=\"%d\" LINK_COST=\"%.9g\" />\n",
                   (int)e[k].from, (int)e[k].to, track_cost(&g->spots[e[k].from], &g->spots[e[k].to], 0));
        if (k + 1 == count || e[k + 1].tree != e[k].tree) {
            plan_print(p, t, "      </Track>\n");
            trees++;
        }
    }
    plan_print(p, t, "    </AllTracks>\n    <FilteredTracks>\n");
    for (int64_t k = 0; k < trees && !plan_failed(p); k++)
        plan_print(p, t, "      <TrackID TRACK_ID=\"%lld\" />\n", (long long)k);
    plan_print(p, t, "    </FilteredTracks>\n");
}

static void print_features(drua_plan *p, drua_plan_text *t)
{
    static const char *const features[][4] = {
        {"QUALITY", "Quality", "QUALITY", "false"}, {"POSITION_X", "X", "POSITION", "false"},
        {"POSITION_Y", "Y", "POSITION", "false"},   {"POSITION_Z", "Z", "POSITION", "false"},
        {"POSITION_T", "T", "TIME", "false"},       {"FRAME", "Frame", "NONE", "true"},
        {"RADIUS", "Radius", "LENGTH", "false"},    {"VISIBILITY", "Visibility", "NONE", "true"}};
    plan_print(p, t, "    <FeatureDeclarations>\n      <SpotFeatures>\n");
    for (size_t i = 0; i < sizeof features / sizeof *features; i++)
        plan_print(p, t,
                   "        <Feature feature=\"%s\" name=\"%s\" shortname=\"%s\" dimension=\"%s\" isint=\"%s\" />\n",
                   features[i][0], features[i][1], features[i][1], features[i][2], features[i][3]);
    plan_print(p, t,
               "      </SpotFeatures>\n      <EdgeFeatures>\n"
               "        <Feature feature=\"SPOT_SOURCE_ID\" name=\"Source spot ID\" shortname=\"Source ID\" "
               "dimension=\"NONE\" isint=\"true\" />\n"
               "        <Feature feature=\"SPOT_TARGET_ID\" name=\"Target spot ID\" shortname=\"Target ID\" "
               "dimension=\"NONE\" isint=\"true\" />\n"
               "        <Feature feature=\"LINK_COST\" name=\"Edge cost\" shortname=\"Cost\" dimension=\"COST\" "
               "isint=\"false\" />\n"
               "      </EdgeFeatures>\n      <TrackFeatures>\n"
               "        <Feature feature=\"TRACK_INDEX\" name=\"Track index\" shortname=\"Index\" dimension=\"NONE\" "
               "isint=\"true\" />\n"
               "        <Feature feature=\"TRACK_ID\" name=\"Track ID\" shortname=\"ID\" dimension=\"NONE\" "
               "isint=\"true\" />\n"
               "      </TrackFeatures>\n    </FeatureDeclarations>\n");
}

static void build_write(drua_plan *p)
{
    double voxel[3], max[3] = {0};
    drua_plan_text t = {0};
    plan_setting_numbers(p, "options", "voxel", voxel);
    const double interval = plan_setting(p, "options", "interval");
    const track_graph g = track_read(p, "tracks", voxel);
    if (!plan_failed(p) && g.count > 0 && !g.track)
        plan_fail(p, "tracks has spots but no tracks; run trackSpots first");
    if (plan_failed(p))
        return;
    for (int64_t i = 0; i < g.count; i++)
        for (int axis = 0; axis < 3; axis++)
            max[axis] = fmax(max[axis], ceil(g.spots[i].at[axis] / voxel[axis]));
    plan_print(p, &t,
               "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<TrackMate version=\"7.11.1\">\n"
               "  <Model spatialunits=\"%s\" timeunits=\"frame\">\n",
               voxel[0] == 1 ? "pixel" : "micron");
    print_features(p, &t);
    print_spots(p, &t, &g, voxel, interval);
    print_tracks(p, &t, &g);
    plan_print(p, &t,
               "  </Model>\n  <Settings>\n"
               "    <ImageData filename=\"\" folder=\"\" width=\"%.0f\" height=\"%.0f\" nslices=\"%.0f\" "
               "nframes=\"%lld\" pixelwidth=\"%.9g\" pixelheight=\"%.9g\" voxeldepth=\"%.9g\" timeinterval=\"%.9g\" "
               "/>\n  </Settings>\n</TrackMate>\n",
               max[0] + 1, max[1] + 1, max[2] + 1, (long long)g.frames, voxel[0], voxel[1], voxel[2], interval);
    plan_write_text(p, plan_text(p, "path"), &t);
}

DRUA_OP(write_track_mate) = {
    .name = "write_track_mate",
    .category = "tracking",
    .summary = "Writes a track list as a file of TrackMate, with its splits and merges.",
    .source = TRACK_MATE_FORMAT,
    DRUA_PARAMS(DRUA_IMAGE_IN("tracks", "track list, as trackLabels and trackSpots make it"),
                {.name = "path",
                 .doc = "file to write",
                 .kind = DRUA_KIND_PATH,
                 .written = true,
                 .example_text = "drua-example.xml"},
                TRACK_MATE_OPTIONS(TRACK_MATE_VOXEL, DRUA_NUMBER("interval", "time from one frame to the next",
                                                                 DRUA_RANGE(1e-9, 1e9), .default_value = 1))),
    .numeric = DRUA_EXACT,
    .build = build_write,
};
