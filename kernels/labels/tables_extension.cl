/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the extension of labels from the rows of statistics.cl without the host. */
#include "statistics.cl"

/*
 * Stores the centroid as both centres of a row, relative to the box, with as many steps per pixel as keep the farthest
 * corner below 2^29.
 */
kernel void centroid_scales(global const uint *table, uint count, global float *centres)
{
    const uint i = get_global_id(0);
    if (i >= count)
        return;
    global const uint *row = table + (ulong)i * ROW;
    const ulong pixels = pixels_of(row);
    float centre[3], square = 0.0f;
    for (int axis = 0; axis < 3; axis++) {
        const ulong corner = ~row[LOW + axis], extent = pixels ? row[HIGH + axis] - corner : 0;
        const ulong sum = sum_of(row + SUM + 4 * axis) - pixels * corner;
        centre[axis] = pixels ? (float)(sum / pixels) + (float)(sum % pixels) / (float)pixels : 0.0f;
        const float farthest = fmax(centre[axis], (float)extent - centre[axis]);
        square += farthest * farthest;
    }
    const float steps = square > 0.0f ? ldexp(1.0f, SCALE_BITS - 2 - ilogb(sqrt(square))) : 1.0f;
    for (int k = 0; k < 2; k++) {
        vstore4((float4)(centre[0], centre[1], centre[2], steps), k, centres + (ulong)i * CENTRE_ROW);
        vstore4((float4)(0.0f), 2 + k, centres + (ulong)i * CENTRE_ROW);
    }
}

/* Values of labels 0 to `largest`; the table starts with label 1. */
kernel void extension_values(global const uint *table, global const uint *distances, global const float *centres,
                             global float *values, uint largest, int measurement)
{
    const uint label = get_global_id(0);
    if (label > largest)
        return;
    global const uint *row = table + (ulong)(label > 0 ? label - 1 : 0) * ROW;
    const ulong pixels = label > 0 ? pixels_of(row) : 0;
    float value = 0.0f;
    if (pixels > 0) {
        global const uint *reach = distances + (ulong)(label - 1) * DISTANCE_ROW;
        const float longest = as_float(reach[LONGEST + 1]);
        const ulong sum = sum_of(reach + DISTANCE_SUM + 4);
        const float mean = ((float)(sum / pixels) + (float)(sum % pixels) / (float)pixels) /
                           centres[(ulong)(label - 1) * CENTRE_ROW + 7];
        value = measurement == 0 ? mean : measurement == 1 ? longest : longest / mean;
    }
    values[label] = value;
}
