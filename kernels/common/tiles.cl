/* SPDX-License-Identifier: BSD-3-Clause */
/* Helpers for launches that run several steps on each tile. */

/*
 * Each tile stores the last launch that changed it. Returns whether one of the neighbouring tiles was changed by the
 * launch before `launch`.
 */
inline int is_changed_around(global const uint *last_change, int column, int row, int columns, int rows, uint launch)
{
    int is_changed = 0;
    for (int j = max(row - 1, 0); j <= min(row + 1, rows - 1); j++)
        for (int i = max(column - 1, 0); i <= min(column + 1, columns - 1); i++)
            is_changed |= last_change[j * columns + i] + 1 >= launch;
    return is_changed;
}
