/* SPDX-License-Identifier: BSD-3-Clause */
/* The extent of a label's box, and which labels of stacks are so large that the host computes their hulls. */
#include "statistics.cl"

/* A work-item needs about 0.2 s for the hull of a label with so many lines. */
enum { MAX_LINES = 8192 };

inline uint extent_of(global const uint *row, int axis)
{
    return row[HIGH + axis] - ~row[LOW + axis] + 1;
}

inline ulong lines_of_label(global const uint *row)
{
    return (ulong)(extent_of(row, 1) + 2) * extent_of(row, 2);
}

inline bool is_for_host(global const uint *row)
{
    return lines_of_label(row) > MAX_LINES;
}
