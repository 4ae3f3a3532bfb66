/* SPDX-License-Identifier: BSD-3-Clause */
/* Distances to two centres, a lane each, given relative to the corner of the label's box with the steps of one pixel */

/* Within a unit of the last place or so; correctly rounded roots took GPUs longer than all else here. */
inline float2 quick_sqrt(float2 square)
{
    const float2 inverse = native_rsqrt(fmax(square, 0x1p-120f)), root = square * inverse;
    return fma(fma(-root, root, square), 0.5f * inverse, root);
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
                                 global const uint4 *list, global const float4 *centres, global const uint *rows_of_labels,
                                 volatile global uint *distances)
{
    EACH_RUN(DISTANCE_FIELDS,
        ulong2 sum = 0;
        float2 longest = 0.0f; float2 along_x = 0.0f; float2 centre_y = 0.0f; float2 along_z = 0.0f; float2 steps = 0.0f;
        int corner_y = 0;,
        ,
        global const uint *row = rows_of_labels + (ulong)label * ROW;
        const float4 mass = centres[2 * label]; const float4 centroid = centres[2 * label + 1];
        along_x = (float)(x - (int)~row[LOW]) - (float2)(mass.x, centroid.x);
        centre_y = (float2)(mass.y, centroid.y);
        along_z = (float)(z - (int)~row[LOW + 2]) - (float2)(mass.z, centroid.z);
        steps = (float2)(mass.w, centroid.w);
        corner_y = (int)~row[LOW + 1];
        sum = 0;
        longest = 0.0f;,
        const float2 along_y = (float)(y - corner_y) - centre_y;
        const float2 distance = quick_sqrt(along_x * along_x + along_y * along_y + along_z * along_z);
        sum += convert_ulong2(convert_uint2_sat_rte(distance * steps));
        longest = fmax(longest, distance);,
        keep_long(run + RUN_DISTANCES, sum.x);
        keep_long(run + RUN_DISTANCES + 2, sum.y);
        run[RUN_LONGEST] = as_uint(longest.x);
        run[RUN_LONGEST + 1] = as_uint(longest.y);,
        collect_distances(slot, run);,
        emit_distances(distances + (ulong)label * DISTANCE_ROW, run);)
}
