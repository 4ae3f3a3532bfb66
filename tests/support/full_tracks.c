/* SPDX-License-Identifier: BSD-3-Clause */
#include "full_tracks.h"

#include "hungarian.h"
#include "reference.h"

#include <math.h>
#include <stdlib.h>

enum { LIMIT = REFERENCE_MAX_SPOTS };

static double cost_of_pair(const reference_spot *a, const reference_spot *b, double penalty)
{
    double square = 0;
    for (int axis = 0; axis < 3; axis++)
        square += pow(a->at[axis] - b->at[axis], 2);
    const double sum = a->size + b->size;
    return sum > 0 ? square * pow(1 + 3 * penalty * fabs(a->size - b->size) / sum, 2) : square;
}

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Links `rows` spots to `columns` spots by a cost matrix. The cost of no link follows from the quantile `part`. */
static void link_spots(int rows, int columns, const double *cost, double part, int *target)
{
    double *finite = reference_allocate((size_t)(rows * columns) + 1, sizeof *finite);
    int count = 0;
    for (int i = 0; i < rows * columns; i++)
        if (cost[i] < HUNGARIAN_BLOCKED)
            finite[count++] = cost[i];
    for (int i = 0; i < rows; i++)
        target[i] = -1;
    if (count > 0) {
        qsort(finite, (size_t)count, sizeof *finite, compare_numbers);
        hungarian_link(rows, columns, cost, 1.05 * finite[(int)floor((count - 1) * part + 0.5)], target);
    }
    free(finite);
}

static void link_frames(const reference_spot *s, int count, const reference_linking *how, int *next, int *previous)
{
    int last = 0;
    for (int i = 0; i < count; i++)
        last = s[i].frame > last ? s[i].frame : last;
    for (int frame = 0; frame < last; frame++) {
        int from[LIMIT], to[LIMIT], target[LIMIT], rows = 0, columns = 0;
        for (int i = 0; i < count; i++) {
            if (s[i].frame == frame)
                from[rows++] = i;
            if (s[i].frame == frame + 1)
                to[columns++] = i;
        }
        double *cost = reference_allocate((size_t)(rows * columns) + 1, sizeof *cost);
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++) {
                const reference_spot *a = &s[from[i]], *b = &s[to[j]];
                const double square = how->cost ? how->cost(a, b, how->data) : cost_of_pair(a, b, how->size_penalty);
                const double max = how->cost ? HUNGARIAN_BLOCKED : how->distance * how->distance;
                cost[i * columns + j] = square < max ? square : HUNGARIAN_BLOCKED;
            }
        link_spots(rows, columns, cost, 1, target);
        free(cost);
        for (int i = 0; i < rows; i++)
            if (target[i] >= 0) {
                next[from[i]] = to[target[i]];
                previous[to[target[i]]] = from[i];
            }
    }
}

/* Largest distance at which spot i of a segment may be joined to spot j; 0 if it may not. */
static double reach_of_join(const reference_spot *s, const reference_linking *how, const int *next, const int *previous,
                            int i, int j)
{
    const bool ends = previous[i] >= 0 && next[i] < 0, inside = previous[i] >= 0 && next[i] >= 0;
    const bool starts = previous[j] < 0 && next[j] >= 0, receives = previous[j] >= 0 && next[j] >= 0;
    const int later = s[j].frame - s[i].frame;
    if (ends && starts && later >= 1 && later <= how->gap_frames)
        return how->gap_distance;
    if (ends && receives && later == 1)
        return how->merge_distance;
    return inside && starts && later == 1 ? how->split_distance : 0;
}

static void join_segments(const reference_spot *s, int count, const reference_linking *how, int *next, int *previous,
                          int *mother, int *into)
{
    double *cost = reference_allocate((size_t)count * (size_t)count + 1, sizeof *cost);
    int target[LIMIT];
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            const double max = reach_of_join(s, how, next, previous, i, j);
            const double square = cost_of_pair(&s[i], &s[j], how->size_penalty);
            cost[i * count + j] = max > 0 && square <= max * max ? square : HUNGARIAN_BLOCKED;
        }
    link_spots(count, count, cost, 0.9, target);
    free(cost);
    bool ends[LIMIT], starts[LIMIT];
    for (int i = 0; i < count; i++) {
        ends[i] = next[i] < 0;
        starts[i] = previous[i] < 0;
    }
    for (int i = 0; i < count; i++) {
        const int j = target[i];
        if (j < 0)
            continue;
        if (ends[i] && starts[j]) {
            next[i] = j;
            previous[j] = i;
        } else if (ends[i]) {
            into[i] = j;
        } else {
            mother[j] = i;
        }
    }
}

int reference_track(reference_spot *s, int count, const reference_linking *how)
{
    int next[LIMIT], previous[LIMIT], mother[LIMIT], into[LIMIT], last = 0, tracks = 0;
    for (int i = 0; i < count; i++) {
        next[i] = previous[i] = mother[i] = into[i] = -1;
        s[i].track = s[i].parent = s[i].into = 0;
        last = s[i].frame > last ? s[i].frame : last;
    }
    link_frames(s, count, how, next, previous);
    join_segments(s, count, how, next, previous, mother, into);
    for (int frame = 0; frame <= last; frame++)
        for (int i = 0; i < count; i++) {
            if (s[i].frame != frame)
                continue;
            const int before = previous[i] >= 0 ? previous[i] : mother[i];
            bool goes_on = previous[i] >= 0;
            /* a split of the spot before it, or a merge into this spot, ends the track */
            for (int k = 0; k < count; k++)
                goes_on = goes_on && !(mother[k] >= 0 && mother[k] == previous[i]) && into[k] != i;
            s[i].track = goes_on ? s[before].track : ++tracks;
            s[i].parent = goes_on ? s[before].parent : before < 0 ? 0 : s[before].track;
        }
    for (int i = 0; i < count; i++)
        for (int k = 0; k < count; k++)
            if (into[i] >= 0 && s[k].track == s[i].track)
                s[k].into = s[into[i]].track;
    return tracks;
}
