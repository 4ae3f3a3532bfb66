/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Joins segments, which are chains of at least two linked spots, by one assignment for the whole movie. The end of a
 * segment may continue at the start of another after a gap, or merge into a spot inside another. A spot inside a
 * segment may split into the start of another. As in TrackMate, splits and merges take one frame, and the first and
 * last spots of a segment neither split nor receive a merge.
 */
#include "track.h"

typedef struct joining {
    const track_graph *graph;
    const track_options *options;
    int64_t *start;
    int32_t *column;
    double *cost;
} joining;

static bool is_start(const track_graph *g, int64_t i)
{
    return g->previous[i] < 0 && g->next[i] >= 0;
}

static bool is_end(const track_graph *g, int64_t i)
{
    return g->previous[i] >= 0 && g->next[i] < 0;
}

static bool is_inside(const track_graph *g, int64_t i)
{
    return g->previous[i] >= 0 && g->next[i] >= 0;
}

typedef bool is_wanted(const track_graph *g, int64_t i);

/* Lists the wanted spots of a frame within a distance, from index `count` on. Returns the new count. */
static int64_t list_in_frame(const joining *w, int64_t spot, int64_t frame, double distance, is_wanted *wanted,
                             int64_t count, int64_t at)
{
    const track_graph *g = w->graph;
    const track_spot *from = &g->spots[spot];
    if (frame >= g->frames || !(distance > 0))
        return count;
    for (int64_t j = track_from(g, frame, from->at[0] - distance); j < g->first[frame + 1]; j++) {
        if (g->spots[j].at[0] > from->at[0] + distance)
            break;
        const double cost = track_cost(from, &g->spots[j], w->options->size_penalty);
        if (cost > distance * distance || !wanted(g, j))
            continue;
        if (w->column) {
            w->column[at + count] = (int32_t)j;
            w->cost[at + count] = cost;
        }
        count++;
    }
    return count;
}

static int64_t list_joins(const joining *w, int64_t i, int64_t at)
{
    const track_graph *g = w->graph;
    const track_options *o = w->options;
    const int64_t frame = g->spots[i].frame;
    int64_t count = 0;
    if (is_end(g, i)) {
        for (int64_t later = 1; later <= o->gap_frames && frame + later < g->frames; later++)
            count = list_in_frame(w, i, frame + later, o->gap_distance, is_start, count, at);
        count = list_in_frame(w, i, frame + 1, o->merge_distance, is_inside, count, at);
    } else if (is_inside(g, i)) {
        count = list_in_frame(w, i, frame + 1, o->split_distance, is_start, count, at);
    }
    return count;
}

static void count_joins(void *payload, int worker, int64_t frame)
{
    const joining *w = payload;
    (void)worker;
    for (int64_t i = w->graph->first[frame]; i < w->graph->first[frame + 1]; i++)
        w->start[i + 1] = list_joins(w, i, 0);
}

static void fill_joins(void *payload, int worker, int64_t frame)
{
    const joining *w = payload;
    (void)worker;
    for (int64_t i = w->graph->first[frame]; i < w->graph->first[frame + 1]; i++)
        list_joins(w, i, w->start[i]);
}

static void keep_join(track_graph *g, int32_t from, int32_t to, bool is_last, bool is_first)
{
    if (!is_first) {
        g->into[from] = to;
    } else if (!is_last) {
        g->mother[to] = from;
    } else {
        g->next[from] = to;
        g->previous[to] = from;
    }
}

void track_join_segments(drua_plan *plan, track_graph *g, const track_options *options)
{
    const double part = 0.9;
    joining w = {.graph = g, .options = options};
    w.start = plan_host_memory(plan, (size_t)(g->count + 1) * sizeof *w.start);
    if (plan_failed(plan))
        return;
    plan_on_cores(plan, g->frames, count_joins, &w);
    for (int64_t i = 0; i < g->count; i++)
        w.start[i + 1] += w.start[i];
    const int64_t count = w.start[g->count];
    if (count == 0)
        return;
    w.cost = plan_host_memory(plan, (size_t)count * sizeof *w.cost);
    w.column = plan_host_memory(plan, (size_t)count * sizeof *w.column);
    double *sorted = plan_host_memory(plan, (size_t)count * sizeof *sorted);
    int32_t *assigned = plan_host_memory(plan, (size_t)g->count * sizeof *assigned);
    void *scratch = plan_host_memory(plan, track_assign_bytes(g->count, g->count));
    bool *ends = plan_host_memory(plan, (size_t)g->count), *starts = plan_host_memory(plan, (size_t)g->count);
    if (plan_failed(plan))
        return;
    plan_on_cores(plan, g->frames, fill_joins, &w);
    for (int64_t k = 0; k < count; k++)
        sorted[k] = w.cost[k];
    const track_candidates c = {.rows = g->count,
                                .columns = g->count,
                                .start = w.start,
                                .column = w.column,
                                .cost = w.cost,
                                .unlinked = track_unlinked_cost(sorted, count, part)};
    track_assign(&c, assigned, scratch);
    for (int64_t i = 0; i < g->count; i++) {
        ends[i] = is_end(g, i);
        starts[i] = is_start(g, i);
    }
    for (int64_t i = 0; i < g->count; i++)
        if (assigned[i] >= 0)
            keep_join(g, (int32_t)i, assigned[i], ends[i], starts[assigned[i]]);
}
