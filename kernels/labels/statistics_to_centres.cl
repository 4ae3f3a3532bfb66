/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Distances of pixels to two centres, one per lane, in steps relative to the corner of the label's box. A float cannot
 * hold an exact squared distance, so a second float (`plane_more`, `more`) holds the rounding errors and the effect of
 * the centre's remainder. With 0 steps per pixel, the result is not used.
 */
#include "statistics.cl"
#include "statistics_runs.cl"

inline float2 lost_in_sum(float2 a, float2 b, float2 sum)
{
    const float2 part = sum - a;
    return (a - (sum - part)) + (b - part);
}

inline float2 lost_in_square(float2 a, float2 square)
{
    return fma(a, a, -square);
}

/*
 * Returns an approximate root of square + more. `missing` receives its error, found by one Newton iteration. On GPUs,
 * correctly rounded roots would take longer than the rest of this file.
 */
inline float2 root_of(float2 square, float2 more, float2 *missing)
{
    const float2 inverse = native_rsqrt(fmax(square, 0x1p-120f)), root = square * inverse, again = root * root;
    *missing = ((square - again) + (more - lost_in_square(root, again))) * (0.5f * inverse);
    return root;
}

enum { RUN_DISTANCES = 0, RUN_LONGEST = 4, DISTANCE_FIELDS = 6 };

inline void collect_distances(volatile local uint *slot, const uint *run)
{
    for (int centre = 0; centre < 2; centre++) {
        add_words(slot + RUN_DISTANCES + 2 * centre, long_of(run + RUN_DISTANCES + 2 * centre));
        raise_word(slot + RUN_LONGEST + centre, run[RUN_LONGEST + centre]);
    }
}

inline void emit_distances(volatile global uint *row, const uint *run)
{
    for (int centre = 0; centre < 2; centre++) {
        add_sum(row + DISTANCE_SUM + 4 * centre, long_of(run + RUN_DISTANCES + 2 * centre));
        atomic_max(row + LONGEST + centre, run[RUN_LONGEST + centre]);
    }
}

kernel void statistics_distances(INPUT(labels), uint first, uint last, int rows, int capacity, global const uint *count,
                                 global const uint4 *list, global const float4 *centres,
                                 global const uint *rows_of_labels, volatile global uint *distances)
{
    EACH_RUN(DISTANCE_FIELDS, ulong2 sum = 0; float2 longest = 0.0f; float2 plane = 0.0f; float2 plane_more = 0.0f;
             float2 centre_y = 0.0f; float2 rest_y = 0.0f; float2 steps = 0.0f; int corner_y = 0;
             , , global const uint *row = rows_of_labels + (ulong)label * ROW; const float4 mass = centres[4 * label];
             const float4 centroid = centres[4 * label + 1]; const float4 mass_rest = centres[4 * label + 2];
             const float4 centroid_rest = centres[4 * label + 3];
             const float2 along_x = (float)(x - (int)~row[LOW]) - (float2)(mass.x, centroid.x);
             const float2 along_z = (float)(z - (int)~row[LOW + 2]) - (float2)(mass.z, centroid.z);
             const float2 square_x = along_x * along_x; const float2 square_z = along_z * along_z;
             plane = square_x + square_z;
             plane_more = lost_in_square(along_x, square_x) + lost_in_square(along_z, square_z) +
                          lost_in_sum(square_x, square_z, plane) -
                          2.0f * (along_x * (float2)(mass_rest.x, centroid_rest.x) +
                                  along_z * (float2)(mass_rest.z, centroid_rest.z));
             centre_y = (float2)(mass.y, centroid.y); rest_y = (float2)(mass_rest.y, centroid_rest.y);
             steps = (float2)(mass.w, centroid.w); corner_y = (int)~row[LOW + 1]; sum = 0; longest = 0.0f;
             , const float2 along_y = (float)(y - corner_y) - centre_y; const float2 square_y = along_y * along_y;
             const float2 square = plane + square_y;
             const float2 more = plane_more + lost_in_square(along_y, square_y) + lost_in_sum(plane, square_y, square) -
                                 2.0f * along_y * rest_y;
             float2 missing; const float2 distance = root_of(square, more, &missing);
             sum += convert_ulong2(convert_int2_rte(distance * steps) + convert_int2_rte(missing * steps));
             longest = fmax(longest, distance + missing);, keep_long(run + RUN_DISTANCES, sum.x);
             keep_long(run + RUN_DISTANCES + 2, sum.y); run[RUN_LONGEST] = as_uint(longest.x);
             run[RUN_LONGEST + 1] = as_uint(longest.y);, collect_distances(slot, run);
             , emit_distances(distances + (ulong)label * DISTANCE_ROW, run);)
}
