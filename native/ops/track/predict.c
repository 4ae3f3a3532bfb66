/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Links spots to the positions that a Kalman filter with constant velocity predicts for each track. A track without a
 * spot in a frame follows its prediction for up to gap_frames - 1 frames. Spots that no track takes are linked between
 * successive frames by distance and begin tracks.
 */
#include "track.h"

#include <string.h>

/*
 * Standard deviations as shares of the largest distance: of the motion of a spot, as in TrackMate, and of its measured
 * position.
 */
static const double deviation_of_motion = 1.0 / 3, deviation_of_position = 0.1;

/* A track: position and velocity along each axis, and their covariance, which is the same for all axes. */
typedef struct filter {
    track_spot predicted;
    /* variance of the position, covariance of position and velocity, variance of the velocity */
    double velocity[3], variance[3];
    int32_t spot; /* last spot */
    int32_t missed;
} filter;

typedef struct predicting {
    track_graph *graph;
    const track_options *options;
    filter *filters;
    int64_t live;
    int64_t *start;
    int32_t *column, *assigned;
    double *cost;
    int64_t capacity;
    void *scratch;
} predicting;

static void predict_spot(filter *f, double noise)
{
    for (int axis = 0; axis < 3; axis++)
        f->predicted.at[axis] += f->velocity[axis];
    f->variance[0] += 2 * f->variance[1] + f->variance[2] + noise;
    f->variance[1] += f->variance[2];
    f->variance[2] += noise;
}

static void correct_filter(filter *f, const track_spot *seen, double noise)
{
    const double gain[2] = {f->variance[0] / (f->variance[0] + noise), f->variance[1] / (f->variance[0] + noise)};
    for (int axis = 0; axis < 3; axis++) {
        const double error = seen->at[axis] - f->predicted.at[axis];
        f->predicted.at[axis] += gain[0] * error;
        f->velocity[axis] += gain[1] * error;
    }
    f->predicted.size = seen->size;
    f->variance[2] -= gain[1] * f->variance[1];
    f->variance[1] *= 1 - gain[0];
    f->variance[0] *= 1 - gain[0];
}

/* Adds a row of free spots of a frame within the distance of `from`; the columns are indices in that frame. */
static int64_t add_row(drua_plan *plan, predicting *w, const track_spot *from, int64_t frame, double distance,
                       int64_t count)
{
    const track_graph *g = w->graph;
    for (int64_t j = track_from(g, frame, from->at[0] - distance); j < g->first[frame + 1]; j++) {
        if (g->spots[j].at[0] > from->at[0] + distance)
            break;
        const double cost = track_cost(from, &g->spots[j], w->options->size_penalty);
        if (cost >= distance * distance || g->previous[j] >= 0)
            continue;
        if (count == w->capacity) {
            const int64_t more = 2 * w->capacity + 1024;
            int32_t *column = plan_host_memory(plan, (size_t)more * sizeof *column);
            double *costs = plan_host_memory(plan, (size_t)more * sizeof *costs);
            if (plan_failed(plan))
                return count;
            if (count > 0) {
                memcpy(column, w->column, (size_t)count * sizeof *column);
                memcpy(costs, w->cost, (size_t)count * sizeof *costs);
            }
            w->column = column;
            w->cost = costs;
            w->capacity = more;
        }
        w->column[count] = (int32_t)(j - g->first[frame]);
        w->cost[count++] = cost;
    }
    return count;
}

static void assign_rows(const predicting *w, int64_t rows, int64_t frame)
{
    const track_candidates c = {.rows = rows,
                                .columns = w->graph->first[frame + 1] - w->graph->first[frame],
                                .start = w->start,
                                .column = w->column,
                                .cost = w->cost,
                                .unlinked = track_unlinked_cost(w->cost, w->start[rows], 1)};
    track_assign(&c, w->assigned, w->scratch);
}

static void connect_spots(track_graph *g, int32_t from, int32_t to)
{
    g->next[from] = to;
    g->previous[to] = from;
}

/* Continues the live tracks in a frame, and drops those that have missed too many spots. */
static void continue_tracks(drua_plan *plan, predicting *w, int64_t frame)
{
    track_graph *g = w->graph;
    const double distance = w->options->distance, motion = deviation_of_motion * distance,
                 position = deviation_of_position * distance;
    int64_t count = 0, kept = 0;
    for (int64_t i = 0; i < w->live; i++) {
        predict_spot(&w->filters[i], motion * motion);
        w->start[i] = count;
        count = add_row(plan, w, &w->filters[i].predicted, frame, distance, count);
    }
    w->start[w->live] = count;
    if (plan_failed(plan))
        return;
    assign_rows(w, w->live, frame);
    for (int64_t i = 0; i < w->live; i++) {
        filter f = w->filters[i];
        if (w->assigned[i] >= 0) {
            const int32_t spot = (int32_t)(g->first[frame] + w->assigned[i]);
            connect_spots(g, f.spot, spot);
            correct_filter(&f, &g->spots[spot], position * position);
            f.spot = spot;
            f.missed = 0;
        } else {
            f.missed++;
        }
        if (f.missed == 0 || f.missed < w->options->gap_frames)
            w->filters[kept++] = f;
    }
    w->live = kept;
}

/* Begins tracks with free spots of the frame before and of this frame. */
static void begin_tracks(drua_plan *plan, predicting *w, int64_t frame)
{
    track_graph *g = w->graph;
    int64_t count = 0, rows = 0;
    for (int64_t i = g->first[frame - 1]; i < g->first[frame]; i++) {
        w->start[rows] = count;
        if (g->previous[i] < 0 && g->next[i] < 0)
            count = add_row(plan, w, &g->spots[i], frame, w->options->initial_distance, count);
        rows++;
    }
    w->start[rows] = count;
    if (plan_failed(plan))
        return;
    assign_rows(w, rows, frame);
    for (int64_t i = 0; i < rows; i++) {
        if (w->assigned[i] < 0)
            continue;
        const int32_t from = (int32_t)(g->first[frame - 1] + i), to = (int32_t)(g->first[frame] + w->assigned[i]);
        filter f = {.predicted = g->spots[to], .spot = to};
        for (int axis = 0; axis < 3; axis++)
            f.velocity[axis] = g->spots[to].at[axis] - g->spots[from].at[axis];
        connect_spots(g, from, to);
        w->filters[w->live++] = f;
    }
}

void track_predict(drua_plan *plan, track_graph *g, const track_options *options)
{
    predicting w = {.graph = g, .options = options};
    /* each live filter has its own last spot, so there are at most as many as spots */
    const int64_t max = g->count + 1;
    w.filters = plan_host_memory(plan, (size_t)max * sizeof *w.filters);
    w.start = plan_host_memory(plan, (size_t)(max + 1) * sizeof *w.start);
    w.assigned = plan_host_memory(plan, (size_t)max * sizeof *w.assigned);
    w.scratch = plan_host_memory(plan, track_assign_bytes(max, g->largest));
    for (int64_t frame = 1; frame < g->frames && !plan_failed(plan); frame++) {
        continue_tracks(plan, &w, frame);
        begin_tracks(plan, &w, frame);
    }
}
