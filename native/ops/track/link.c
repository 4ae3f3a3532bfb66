/* SPDX-License-Identifier: BSD-3-Clause */
/* Links the spots of successive frames, each pair of frames by one linear assignment. */
#include "track.h"

#include <math.h>
#include <string.h>

enum { MAX_AT_ONCE = 1 << 25 }; /* candidates that are in memory at the same time, except for a single frame */

typedef struct linking {
    track_graph *graph;
    const track_options *options;
    const track_overlaps *overlaps;
    int64_t *start; /* index of the first candidate of each spot */
    int64_t base, first_frame;
    int32_t *column;
    double *cost;
    int32_t *assigned;
    unsigned char *scratch;
    size_t scratch_bytes;
} linking;

double track_cost(const track_spot *a, const track_spot *b, double size_penalty)
{
    double squares = 0;
    for (int axis = 0; axis < 3; axis++)
        squares += (a->at[axis] - b->at[axis]) * (a->at[axis] - b->at[axis]);
    if (size_penalty > 0 && a->size + b->size > 0) {
        const double factor = 1 + 3 * size_penalty * fabs(a->size - b->size) / (a->size + b->size);
        squares *= factor * factor;
    }
    return squares;
}

int64_t track_from(const track_graph *graph, int64_t frame, double x)
{
    int64_t low = graph->first[frame], high = graph->first[frame + 1];
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (graph->spots[middle].at[0] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Lists the spots of the next frame within the distance, if `column` is not NULL. Returns their number. */
static int64_t list_near(const linking *w, int64_t spot, int32_t *column, double *cost)
{
    const track_graph *g = w->graph;
    const track_spot *from = &g->spots[spot];
    const double distance = w->options->distance;
    const int64_t frame = from->frame + 1, first = g->first[frame];
    int64_t count = 0;
    for (int64_t j = track_from(g, frame, from->at[0] - distance); j < g->first[frame + 1]; j++) {
        if (g->spots[j].at[0] > from->at[0] + distance)
            break;
        const double square = track_cost(from, &g->spots[j], w->options->size_penalty);
        if (square >= distance * distance)
            continue;
        if (column) {
            column[count] = (int32_t)(j - first);
            cost[count] = square;
        }
        count++;
    }
    return count;
}

/* Like list_near, for spots that share enough pixels. The cost is 1 minus the shared part of their union. */
static int64_t list_overlapping(const linking *w, int64_t spot, int32_t *column, double *cost)
{
    const track_graph *g = w->graph;
    const track_overlaps *o = w->overlaps;
    int64_t count = 0;
    for (int64_t k = o->first[spot]; k < o->first[spot + 1]; k++) {
        const track_spot *to = &g->spots[o->spot[k]];
        const double shared = o->pixels[k], all = g->spots[spot].size + to->size - shared;
        if (shared < w->options->overlap * all)
            continue;
        if (column) {
            column[count] = (int32_t)(o->spot[k] - g->first[to->frame]);
            cost[count] = 1 - shared / all;
        }
        count++;
    }
    return count;
}

static int64_t list_candidates(const linking *w, int64_t spot, int32_t *column, double *cost)
{
    return w->options->by_overlap ? list_overlapping(w, spot, column, cost) : list_near(w, spot, column, cost);
}

static void count_frame(void *payload, int worker, int64_t frame)
{
    const linking *w = payload;
    (void)worker;
    for (int64_t i = w->graph->first[frame]; i < w->graph->first[frame + 1]; i++)
        w->start[i + 1] = list_candidates(w, i, NULL, NULL);
}

static void link_frame(void *payload, int worker, int64_t item)
{
    const linking *w = payload;
    const track_graph *g = w->graph;
    const int64_t frame = w->first_frame + item, first = g->first[frame], second = g->first[frame + 1];
    for (int64_t i = first; i < second; i++)
        list_candidates(w, i, w->column + (w->start[i] - w->base), w->cost + (w->start[i] - w->base));
    const int64_t from = w->start[first] - w->base, to = w->start[second] - w->base;
    const track_candidates c = {.rows = second - first,
                                .columns = g->first[frame + 2] - second,
                                .base = w->base,
                                .start = w->start + first,
                                .column = w->column,
                                .cost = w->cost,
                                .unlinked = track_unlinked_cost(w->cost + from, to - from, 1)};
    int32_t *assigned = w->assigned + first;
    track_assign(&c, assigned, w->scratch + (size_t)worker * w->scratch_bytes);
    for (int64_t i = 0; i < c.rows; i++)
        if (assigned[i] >= 0) {
            g->next[first + i] = (int32_t)(second + assigned[i]);
            g->previous[second + assigned[i]] = (int32_t)(first + i);
        }
}

/* Returns the frame after the last one whose candidates fit in memory together with those of `frame`. */
static int64_t end_of_batch(const linking *w, int64_t frame)
{
    const int64_t *first = w->graph->first;
    int64_t end = frame + 1;
    while (end < w->graph->frames - 1 && w->start[first[end + 1]] - w->start[first[frame]] <= MAX_AT_ONCE)
        end++;
    return end;
}

void track_link(drua_plan *plan, track_graph *g, const track_options *options, const track_overlaps *overlaps)
{
    linking w = {.graph = g, .options = options, .overlaps = overlaps};
    const int64_t pairs = g->frames - 1;
    w.start = plan_host_memory(plan, (size_t)(g->count + 1) * sizeof *w.start);
    w.assigned = plan_host_memory(plan, (size_t)(g->count + 1) * sizeof *w.assigned);
    if (plan_failed(plan) || pairs < 1)
        return;
    plan_on_cores(plan, pairs, count_frame, &w);
    int64_t max = 0;
    for (int64_t i = 0; i < g->count; i++)
        w.start[i + 1] += w.start[i];
    for (int64_t f = 0, end; f < pairs; f = end) {
        end = end_of_batch(&w, f);
        const int64_t count = w.start[g->first[end]] - w.start[g->first[f]];
        max = count > max ? count : max;
    }
    w.scratch_bytes = track_assign_bytes(g->largest, g->largest);
    w.scratch_bytes += -w.scratch_bytes % sizeof(double);
    w.scratch = plan_host_memory(plan, w.scratch_bytes * (size_t)plan_workers(pairs));
    w.column = plan_host_memory(plan, (size_t)max * sizeof *w.column + 1);
    w.cost = plan_host_memory(plan, (size_t)max * sizeof *w.cost + 1);
    for (int64_t end; w.first_frame < pairs && !plan_failed(plan); w.first_frame = end) {
        end = end_of_batch(&w, w.first_frame);
        w.base = w.start[g->first[w.first_frame]];
        plan_on_cores(plan, end - w.first_frame, link_frame, &w);
    }
}
