/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the nearest rows of each column by insertion into a sorted list; the first row wins a tie. If there are few
 * columns, their rows are divided into parts. Each part has a separate list; the lists are stored one after another and
 * joined at the end. This file also has kernels that count near points.
 */
#include "bit_rows.cl"

/* Inserts a value of `row` into the list of column x. */
#define INSERT(value, row)                                                                                             \
    if (!isnan(value) && (kept < slots || value < worst)) {                                                            \
        uint slot = kept < slots ? kept++ : slots - 1;                                                                 \
        for (; slot > 0 && distances[(ulong)(slot - 1) * columns + x] > value; slot--) {                               \
            distances[(ulong)slot * columns + x] = distances[(ulong)(slot - 1) * columns + x];                         \
            indices[(ulong)slot * columns + x] = indices[(ulong)(slot - 1) * columns + x];                             \
        }                                                                                                              \
        distances[(ulong)slot * columns + x] = value;                                                                  \
        indices[(ulong)slot * columns + x] = row;                                                                      \
        worst = slot == kept - 1 ? value : distances[(ulong)(kept - 1) * columns + x];                                 \
    }

#define END_LIST                                                                                                       \
    for (uint slot = 0; slot < slots; slot++)                                                                          \
        if (slot < kept)                                                                                               \
            distances[(ulong)slot * columns + x] *= sign;                                                              \
        else {                                                                                                         \
            distances[(ulong)slot * columns + x] = NAN;                                                                \
            indices[(ulong)slot * columns + x] = 0;                                                                    \
        }

/* The list for this part of the rows. */
#define OWN_LIST                                                                                                       \
    distances += (ulong)get_global_id(1) * slots * columns;                                                            \
    indices += (ulong)get_global_id(1) * slots * columns;                                                              \
    uint kept = 0;                                                                                                     \
    float worst = INFINITY;

kernel void nearest_rows(INPUT(source), int points, uint columns, uint rows, uint thick, uint slots, int skip_self,
                         int skip_background, float sign, global float *distances, global uint *indices)
{
    const uint x = get_global_id(0), begin = get_global_id(1) * thick, end = min(begin + thick, rows);
    if (x >= columns)
        return;
    OWN_LIST
    for (uint row = max(begin, (uint)skip_background); row < end && (x > 0 || !points); row++) {
        float value;
        if (skip_self && row == x)
            continue;
        if (points) {
            DISTANCE(source, x - 1, source, row - 1, distance)
            value = sign * distance;
        } else {
            value = sign * LOAD(source, x, row, 0);
        }
        INSERT(value, row)
    }
    END_LIST
}

/*
 * Finds the nearest points, without a background. Points have at most MAX_AXES axes; a work-group reads TILE points at
 * a time.
 */
enum { TILE = 64 };

kernel void nearest_in_tiles(INPUT(source), uint columns, uint thick, uint slots, int skip_self, float sign,
                             global float *distances, global uint *indices)
{
    local float others[MAX_AXES * TILE];
    const uint x = get_global_id(0), lane = get_local_id(0), begin = 1 + get_global_id(1) * thick,
               end = min(begin + thick, columns);
    const bool is_point = x > 0 && x < columns;
    float here[MAX_AXES];
    for (int axis = 0; axis < MAX_AXES; axis++)
        here[axis] = is_point && axis < source.height ? LOAD(source, x - 1, axis, 0) : 0.0f;
    OWN_LIST
    for (uint first = begin; first < end; first += TILE) {
        const uint count = min((uint)TILE, end - first);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int axis = 0; axis < MAX_AXES && lane < count; axis++)
            others[axis * TILE + lane] = axis < source.height ? LOAD(source, first - 1 + lane, axis, 0) : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = 0; i < count && is_point; i++) {
            if (skip_self && first + i == x)
                continue;
            const float value = sign * distance_to(here, others, TILE, i);
            INSERT(value, first + i)
        }
    }
    if (x < columns) {
        END_LIST
    }
}

/* Joins the lists of all parts, with `held` entries each, into one of `slots`; the first part wins a tie. */
enum { MAX_PARTS = 32 };

kernel void nearest_join(global const float *distances, global const uint *indices, uint columns, uint parts, uint held,
                         uint slots, float sign, global float *joined_distances, global uint *joined_indices)
{
    const uint x = get_global_id(0);
    if (x >= columns)
        return;
    uint next[MAX_PARTS];
    float value[MAX_PARTS];         /* NaN: this part has no entries left */
    for (uint part = 0; part < parts; part++) {
        next[part] = 0;
        value[part] = sign * distances[(ulong)part * held * columns + x];
    }
    for (uint slot = 0; slot < slots; slot++) {
        uint best = 0;
        float min_distance = value[0];
        for (uint part = 1; part < parts; part++)
            if (value[part] < min_distance || isnan(min_distance)) {
                best = part;
                min_distance = value[part];
            }
        const ulong at = (ulong)slot * columns + x;
        joined_distances[at] = sign * min_distance;
        joined_indices[at] = isnan(min_distance) ? 0 : indices[((ulong)best * held + next[best]) * columns + x];
        next[best]++;
        value[best] = next[best] < held ? sign * distances[((ulong)best * held + next[best]) * columns + x] : NAN;
    }
}

/*
 * Counts the points of another list within a range of distances; point i is label i + 1. A work-group reads as many
 * points at a time as it has work-items; work-items with the same y share a point.
 */
enum { NEAR_ITEMS = 256 };

kernel void proximal_counts(INPUT(points1), INPUT(points2), float low, float high, OUTPUT(result))
{
    local float others[MAX_AXES * NEAR_ITEMS];
    local uint numbers[NEAR_ITEMS];
    const int i = (int)get_global_id(0), width = (int)get_local_size(0), shares = (int)get_local_size(1),
              share = (int)get_local_id(1);
    const int items = width * shares, lane = share * width + (int)get_local_id(0);
    float here[MAX_AXES];
    for (int axis = 0; axis < MAX_AXES; axis++)
        here[axis] = i > 0 && i <= points1.width && axis < points1.height ? LOAD(points1, i - 1, axis, 0) : 0.0f;
    uint number = 0;
    for (int first = 0; first < points2.width; first += items) {
        const int count = min(items, points2.width - first);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int axis = 0; axis < MAX_AXES && lane < count; axis++)
            others[axis * NEAR_ITEMS + lane] = axis < points1.height ? LOAD(points2, first + lane, axis, 0) : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = share; j < count; j += shares) {
            const float distance = distance_to(here, others, NEAR_ITEMS, j);
            number += distance >= low && distance <= high;
        }
    }
    numbers[lane] = number;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int other = 1; other < shares && share == 0; other++)
        number += numbers[other * width + lane];
    if (i < result.width && share == 0)
        STORE(result, i, 0, 0, i > 0 ? (float)number : 0.0f);
}

kernel void nearest_mean(global const float *distances, uint columns, uint slots, OUTPUT(result))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(result, x, y, z))
        return;
    float sum = 0.0f;
    uint number = 0;
    for (; (uint)x < columns && number < slots && !isnan(distances[(ulong)number * columns + x]); number++)
        sum += distances[(ulong)number * columns + x];
    STORE(result, x, y, z, x > 0 && number > 0 ? sum / (float)number : 0.0f);
}

kernel void nearest_distances(global const float *distances, uint columns, uint slots, OUTPUT(result))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(result, x, y, z))
        return;
    const float value = (uint)x < columns && (uint)y < slots ? distances[(ulong)y * columns + x] : NAN;
    STORE(result, x, y, z, isnan(value) ? 0.0f : value);
}

kernel void nearest_indices(global const uint *indices, uint columns, uint slots, OUTPUT(result))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (INSIDE(result, x, y, z))
        STORE_LABEL(result, x, y, z, (uint)x < columns && (uint)y < slots ? indices[(ulong)y * columns + x] : 0);
}

/* Reads a list whose columns belong to labels from 1 on. */
kernel void nearest_from_image(INPUT(list), uint columns, global uint *indices)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1);
    if (x < list.width && y < list.height)
        indices[(ulong)y * columns + x + 1] = LOAD_LABEL(list, x, y, 0);
}
