/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The nearest rows of each column, by insertion into a sorted list; of equal ones the first row comes first. And how many points
 * are near.
 */

/* A value of `row` goes to its place in the list of column x. */
#define INSERT(value, row)                                                                                                       \
    if (!isnan(value) && (kept < slots || value < worst)) {                                                                      \
        uint slot = kept < slots ? kept++ : slots - 1;                                                                           \
        for (; slot > 0 && distances[(ulong)(slot - 1) * columns + x] > value; slot--) {                                         \
            distances[(ulong)slot * columns + x] = distances[(ulong)(slot - 1) * columns + x];                                   \
            indices[(ulong)slot * columns + x] = indices[(ulong)(slot - 1) * columns + x];                                       \
        }                                                                                                                        \
        distances[(ulong)slot * columns + x] = value;                                                                            \
        indices[(ulong)slot * columns + x] = row;                                                                                \
        worst = distances[(ulong)(kept - 1) * columns + x];                                                                      \
    }

#define END_LIST                                                                                                                 \
    for (uint slot = 0; slot < slots; slot++)                                                                                    \
        if (slot < kept)                                                                                                         \
            distances[(ulong)slot * columns + x] *= sign;                                                                        \
        else {                                                                                                                   \
            distances[(ulong)slot * columns + x] = NAN;                                                                          \
            indices[(ulong)slot * columns + x] = 0;                                                                              \
        }

kernel void nearest_rows(INPUT(source), int points, uint columns, uint rows, uint slots, int skip_self, int skip_background, float sign,
                         global float *distances, global uint *indices)
{
    const uint x = get_global_id(0);
    if (x >= columns)
        return;
    uint kept = 0;
    float worst = INFINITY;
    for (uint row = skip_background; row < rows && (x > 0 || !points); row++) {
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

/* The same for points in at most MOST_AXES axes without the background: a group reads TILE of them at a time. */
enum { TILE = 64, MOST_AXES = 3 };

kernel void nearest_in_tiles(INPUT(source), uint columns, uint slots, int skip_self, float sign, global float *distances, global uint *indices)
{
    local float others[MOST_AXES * TILE];
    const uint x = get_global_id(0), lane = get_local_id(0);
    const bool is_point = x > 0 && x < columns;
    float here[MOST_AXES];
    for (int axis = 0; axis < MOST_AXES; axis++)
        here[axis] = is_point && axis < source.height ? LOAD(source, x - 1, axis, 0) : 0.0f;
    uint kept = 0;
    float worst = INFINITY;
    for (uint first = 1; first < columns; first += TILE) {
        const uint count = min((uint)TILE, columns - first);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int axis = 0; axis < MOST_AXES && lane < count; axis++)
            others[axis * TILE + lane] = axis < source.height ? LOAD(source, first - 1 + lane, axis, 0) : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = 0; i < count && is_point; i++) {
            if (skip_self && first + i == x)
                continue;
            float square = 0.0f;
            for (int axis = 0; axis < MOST_AXES; axis++) {
                const float difference = here[axis] - others[axis * TILE + i];
                square = fma(difference, difference, square);
            }
            const float value = sign * sqrt(square);
            INSERT(value, first + i)
        }
    }
    if (x < columns) {
        END_LIST
    }
}

/* How many points of another list lie in a range of distances; point i is label i + 1. */
kernel void proximal_counts(INPUT(points1), INPUT(points2), float low, float high, OUTPUT(result))
{
    local float others[MOST_AXES * TILE];
    const int i = (int)get_global_id(0), lane = (int)get_local_id(0);
    float here[MOST_AXES];
    for (int axis = 0; axis < MOST_AXES; axis++)
        here[axis] = i > 0 && i <= points1.width && axis < points1.height ? LOAD(points1, i - 1, axis, 0) : 0.0f;
    uint number = 0;
    for (int first = 0; first < points2.width; first += TILE) {
        const int count = min((int)TILE, points2.width - first);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int axis = 0; axis < MOST_AXES && lane < count; axis++)
            others[axis * TILE + lane] = axis < points1.height ? LOAD(points2, first + lane, axis, 0) : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < count; j++) {
            float square = 0.0f;
            for (int axis = 0; axis < MOST_AXES; axis++) {
                const float difference = here[axis] - others[axis * TILE + j];
                square = fma(difference, difference, square);
            }
            const float distance = sqrt(square);
            number += distance >= low && distance <= high;
        }
    }
    if (i < result.width)
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

/* Columns of the list stand for labels from 1 on. */
kernel void nearest_from_image(INPUT(list), uint columns, global uint *indices)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1);
    if (x < list.width && y < list.height)
        indices[(ulong)y * columns + x + 1] = LOAD_LABEL(list, x, y, 0);
}
