/* SPDX-License-Identifier: BSD-3-Clause */
/* Positions of all tiles from the shifts of pairs, by conjugate gradients on the normal equations. */
#include "stitch.h"

#include <string.h>

/*
 * Weight of the stage's positions. It places tiles that no pair links, and is too small to move linked tiles visibly.
 */
static const double stage_weight = 1e-6;

/* Multiplies the normal equations' matrix by a vector. */
static void multiply_matrix(const stitch_job *j, const double *x, double *y)
{
    for (int32_t i = 0; i < j->count; i++)
        y[i] = stage_weight * x[i];
    for (int32_t k = 0; k < j->pair_count; k++) {
        const stitch_pair *pair = &j->pairs[k];
        if (!pair->used)
            continue;
        const double difference = x[pair->second] - x[pair->first];
        y[pair->second] += difference;
        y[pair->first] -= difference;
    }
}

static double dot(const double *a, const double *b, int32_t count)
{
    double sum = 0;
    for (int32_t i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Solves for the differences from the stage's positions along an axis; `memory` has room for four vectors. */
static void solve_axis(stitch_job *j, int axis, double *memory)
{
    const int32_t n = j->count;
    double *x = memory, *rest = x + n, *way = rest + n, *image = way + n;
    memset(memory, 0, 4 * (size_t)n * sizeof *memory);
    for (int32_t k = 0; k < j->pair_count; k++) {
        const stitch_pair *pair = &j->pairs[k];
        if (!pair->used)
            continue;
        const double error = pair->shift[axis] - j->tiles[pair->second].stage[axis] + j->tiles[pair->first].stage[axis];
        rest[pair->second] += error;
        rest[pair->first] -= error;
    }
    memcpy(way, rest, (size_t)n * sizeof *way);
    double size = dot(rest, rest, n);
    const double min = 1e-20 * size;
    for (int32_t step = 0; step < 10 * n && size > min; step++) {
        multiply_matrix(j, way, image);
        const double length = size / dot(way, image, n), before = size;
        for (int32_t i = 0; i < n; i++) {
            x[i] += length * way[i];
            rest[i] -= length * image[i];
        }
        size = dot(rest, rest, n);
        for (int32_t i = 0; i < n; i++)
            way[i] = rest[i] + size / before * way[i];
    }
    for (int32_t i = 0; i < n; i++)
        j->tiles[i].at[axis] = j->tiles[i].stage[axis] + x[i];
}

static double contradiction_of(const stitch_job *j, const stitch_pair *pair)
{
    double squares = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double error = j->tiles[pair->second].at[axis] - j->tiles[pair->first].at[axis] - pair->shift[axis];
        squares += error * error;
    }
    return sqrt(squares);
}

static void note_left_out(drua_plan *p, const stitch_job *j)
{
    for (int32_t k = 0; k < j->pair_count; k++) {
        const stitch_pair *pair = &j->pairs[k];
        const int one = (int)pair->first + 1, other = (int)pair->second + 1;
        if (pair->used) /* pairs that contradict the others have already been reported */
            continue;
        if (pair->correlation <= -1)
            plan_add_message(p, "tiles %d and %d have no texture where they overlap; the pair is left out", one, other);
        else if (pair->correlation < j->threshold)
            plan_add_message(p, "tiles %d and %d correlate by %.2f, less than threshold %g; the pair is left out", one,
                             other, pair->correlation, j->threshold);
        else if (pair->correlation < pair->chance)
            plan_add_message(
                p,
                "tiles %d and %d correlate by %.2f, but over so few pixels unrelated tiles reach %.2f; the pair is "
                "left out",
                one, other, pair->correlation, fmin(pair->chance, 1));
        else if (stitch_is_ambiguous(pair))
            plan_add_message(
                p,
                "tiles %d and %d fit about equally well at two shifts, with correlations of %.2f and %.2f; the "
                "pair is left out",
                one, other, pair->correlation, pair->rival);
    }
    for (int32_t i = 0; i < j->count; i++)
        if (!j->tiles[i].links)
            plan_add_message(p, "tile %d keeps the position of the stage, because no overlap determines it%s",
                             (int)i + 1, j->tiles[i].empty ? "; all its pixels are 0, so it is not in the mosaic" : "");
}

void stitch_solve(drua_plan *p, stitch_job *j)
{
    double *memory = plan_host_memory(p, 4 * (size_t)j->count * sizeof *memory);
    if (plan_failed(p))
        return;
    for (bool again = true; again;) {
        for (int axis = 0; axis < 3; axis++)
            solve_axis(j, axis, memory);
        stitch_pair *worst = NULL;
        double max = j->tolerance;
        for (int32_t k = 0; k < j->pair_count; k++)
            if (j->pairs[k].used && contradiction_of(j, &j->pairs[k]) > max) {
                worst = &j->pairs[k];
                max = contradiction_of(j, worst);
            }
        again = worst != NULL;
        if (worst) {
            plan_add_message(p, "tiles %d and %d contradict the other pairs by %.1f pixels; the pair is left out",
                             (int)worst->first + 1, (int)worst->second + 1, max);
            worst->used = false;
        }
    }
    for (int32_t k = 0; k < j->pair_count; k++) {
        const stitch_pair *pair = &j->pairs[k];
        stitch_tile *both[2] = {&j->tiles[pair->first], &j->tiles[pair->second]};
        for (int i = 0; i < 2 && pair->used; i++) {
            both[i]->links++;
            both[i]->quality = fmax(both[i]->quality, pair->correlation);
        }
    }
    note_left_out(p, j);
}
