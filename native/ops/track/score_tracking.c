/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Scores of the Cell Tracking Challenge. An object of the result matches an object of the truth if it covers more than
 * half of it. An edge joins successive objects of a track, or the last object of a parent and the first of its child.
 */
#include "movie_labels.h"

#include <math.h>
#include <stdlib.h>

static const double pixels[3] = {1, 1, 1};

/* One of the two movies: its objects are the rows with pixels. */
typedef struct side {
    movie_labels movie;
    track_graph tracks;
    int64_t *object; /* of each spot of the list: its row */
    track_spot *spots;
    int64_t count;
} side;

/* An edge between rows; `parent`: from parent to child. */
typedef struct edge {
    int64_t from, to;
    bool parent;
} edge;

typedef struct counts {
    double seg, objects, edges, split, missed, extra, redundant, missing, wrong;
} counts;

static side open_side(drua_plan *p, const char *labels, const char *tracks, int64_t frames)
{
    side s = {.movie = movie_open_labels(p, labels, frames)};
    s.spots = movie_spots(p, &s.movie, pixels, &s.count);
    s.tracks = track_read(p, tracks, pixels);
    if (!plan_failed(p) && s.tracks.count > 0 && !s.tracks.track)
        plan_fail(p, "%s has spots but no tracks; run trackLabels first", tracks);
    if (!plan_failed(p) && s.tracks.count != s.count)
        plan_fail(p, "%s has %lld spots and %s has %lld labels, counted in each frame; use a movie and its own tracks",
                  tracks, (long long)s.tracks.count, labels, (long long)s.count);
    const movie_labels *m = &s.movie;
    s.object = plan_host_memory(p, (size_t)(s.tracks.count + 1) * sizeof *s.object);
    for (int64_t i = 0; i < s.tracks.count && !plan_failed(p); i++) {
        const int64_t t = s.tracks.spots[i].frame;
        s.object[i] = t < m->frames ? (int64_t)m->base[t] + s.tracks.track[i] - m->min[t] : -1;
        if (s.object[i] < 0 || s.object[i] < m->base[t] || s.object[i] >= m->base[t + 1] || m->spot[s.object[i]] < 0)
            plan_fail(p, "%s has track %d in frame %lld, where %s has no such label; use a movie and its own tracks",
                      tracks, (int)s.tracks.track[i], (long long)t + 1, labels);
    }
    return s;
}

static int compare_edges(const void *a, const void *b)
{
    const edge *s = a, *t = b;
    return s->from != t->from ? (s->from > t->from) - (s->from < t->from) : (s->to > t->to) - (s->to < t->to);
}

static edge *list_edges(drua_plan *p, const side *s, int64_t *count)
{
    const track_graph *g = &s->tracks;
    int32_t *last = plan_host_memory(p, (size_t)(g->tracks + 1) * sizeof *last);
    edge *edges = plan_host_memory(p, (size_t)(g->count + 1) * sizeof *edges);
    *count = 0;
    for (int32_t i = 0; i < g->count && !plan_failed(p); i++)
        if (g->next[i] < 0)
            last[g->track[i]] = i + 1;
    for (int32_t i = 0; i < g->count && !plan_failed(p); i++) {
        const int32_t parent = last[g->parent[g->track[i]]] - 1;
        if (g->previous[i] >= 0)
            edges[(*count)++] = (edge){s->object[g->previous[i]], s->object[i], false};
        else if (g->parent[g->track[i]] && parent >= 0)
            edges[(*count)++] = (edge){s->object[parent], s->object[i], true};
    }
    if (!plan_failed(p))
        qsort(edges, (size_t)*count, sizeof *edges, compare_edges);
    return edges;
}

static double pixels_of(const side *s, int64_t row)
{
    return s->spots[s->movie.spot[row]].size;
}

/*
 * Matches the objects. match[row of the truth] is the row of the result, or -1, and matched[row of the result] the
 * number of objects of the truth that it matches.
 */
static void match_objects(drua_plan *p, const side *truth, const side *result, int64_t *match, int64_t *matched,
                          counts *c)
{
    int32_t slots;
    const uint32_t *pair = movie_shared(p, &truth->movie, result->movie.labels, 0, &slots);
    const movie_labels *m = &truth->movie, *r = &result->movie;
    for (int64_t t = 0; t < m->frames && pair && !plan_failed(p); t++)
        for (int64_t row = m->base[t]; row < m->base[t + 1]; row++) {
            match[row] = -1;
            for (int32_t k = 0; k < slots; k++, pair += 2) {
                if (m->spot[row] < 0 || 2.0 * pair[1] <= pixels_of(truth, row))
                    continue;
                const int64_t other = (int64_t)r->base[t] + pair[0] - r->min[t];
                match[row] = other;
                matched[other]++;
                c->seg += pair[1] / (pixels_of(truth, row) + pixels_of(result, other) - pair[1]);
            }
            c->objects += m->spot[row] >= 0;
            c->missed += m->spot[row] >= 0 && match[row] < 0;
        }
    for (int64_t row = 0; row < r->rows && !plan_failed(p); row++) {
        c->extra += r->spot[row] >= 0 && matched[row] == 0;
        c->split += matched[row] > 1 ? (double)(matched[row] - 1) : 0;
    }
}

static void compare_graphs(drua_plan *p, const side *truth, const side *result, const int64_t *match,
                           const int64_t *matched, counts *c)
{
    int64_t true_count, count, found = 0;
    const edge *true_edges = list_edges(p, truth, &true_count), *edges = list_edges(p, result, &count);
    for (int64_t k = 0; k < count && !plan_failed(p); k++)
        c->redundant += matched[edges[k].from] == 1 && matched[edges[k].to] == 1;
    for (int64_t k = 0; k < true_count && !plan_failed(p); k++) {
        const edge wanted = {match[true_edges[k].from], match[true_edges[k].to], false}, *same = NULL;
        if (wanted.from >= 0 && wanted.to >= 0 && matched[wanted.from] == 1 && matched[wanted.to] == 1)
            same = bsearch(&wanted, edges, (size_t)count, sizeof *edges, compare_edges);
        found += same != NULL;
        c->wrong += same && same->parent != true_edges[k].parent;
    }
    c->edges = (double)true_count;
    c->missing = (double)(true_count - found);
    c->redundant -= (double)found;
}

static double score_of_cost(double cost, double all)
{
    return all > 0 ? 1 - fmin(cost, all) / all : (double)NAN;
}

static void build_score(drua_plan *p)
{
    const int64_t frames = plan_integer(p, "frames");
    plan_check_same_extent(p, "true_labels", "labels");
    const side truth = open_side(p, "true_labels", "true_tracks", frames),
               result = open_side(p, "labels", "tracks", frames);
    int64_t *match = plan_host_memory(p, (size_t)(truth.movie.rows + 1) * sizeof *match),
            *matched = plan_host_memory(p, (size_t)(result.movie.rows + 1) * sizeof *matched);
    counts c = {0};
    if (!plan_failed(p))
        match_objects(p, &truth, &result, match, matched, &c);
    if (!plan_failed(p))
        compare_graphs(p, &truth, &result, match, matched, &c);
    const double vertices = 5 * c.split + 10 * c.missed + c.extra,
                 graph = vertices + c.redundant + 1.5 * c.missing + c.wrong;
    plan_set_number(p, "seg", c.objects > 0 ? c.seg / c.objects : (double)NAN);
    plan_set_number(p, "tra", score_of_cost(graph, 10 * c.objects + 1.5 * c.edges));
    plan_set_number(p, "det", score_of_cost(vertices, 10 * c.objects));
    static const char *const headings[] = {"SPLITS_NEEDED", "MISSED_OBJECTS", "EXTRA_OBJECTS", "REDUNDANT_EDGES",
                                           "MISSING_EDGES", "WRONG_EDGES",    "TRUE_OBJECTS",  "TRUE_EDGES"};
    const double cells[] = {c.split, c.missed, c.extra, c.redundant, c.missing, c.wrong, c.objects, c.edges};
    plan_set_table(p, headings, sizeof cells / sizeof *cells, cells, 1);
}

DRUA_OP(score_tracking) = {
    .name = "score_tracking",
    .category = "tracking",
    .summary =
        "Compares a tracked movie with the ground truth and computes the scores SEG, TRA and DET of the Cell Tracking "
        "Challenge.",
    .source = "SEG: mean Jaccard index; TRA and DET: weighted corrections of the graph (Matula et al. 2015)",
    DRUA_PARAMS(DRUA_IMAGE_IN("true_labels", "label movie of the ground truth, numbered by tracks"),
                DRUA_IMAGE_IN("true_tracks", "track list of the ground truth"),
                DRUA_IMAGE_IN("labels", "tracked label movie to score"), DRUA_IMAGE_IN("tracks", "its track list"),
                DRUA_INTEGER("frames", "number of frames, which follow each other along z", DRUA_RANGE(1, 2147483647),
                             .default_value = 1, .example = 4),
                DRUA_NUMBER_OUT("seg", "segmentation, 0 to 1; NaN if the ground truth is empty"),
                DRUA_NUMBER_OUT("tra", "tracking, 0 to 1"), DRUA_NUMBER_OUT("det", "detection, 0 to 1"),
                DRUA_TABLE_OUT("table",
                               "one row: numbers of corrections, and of objects and edges of the ground truth")),
    .numeric = DRUA_EXACT,
    .traits = DRUA_WHOLE,
    .build = build_score,
};
