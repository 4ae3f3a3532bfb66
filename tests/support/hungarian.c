/* SPDX-License-Identifier: BSD-3-Clause */
#include "hungarian.h"

#include "reference.h"

#include <math.h>
#include <stdlib.h>

double hungarian(int n, const double *cost, int *column)
{
    double *u = reference_allocate((size_t)n + 1, sizeof *u), *v = reference_allocate((size_t)n + 1, sizeof *v),
           *min = reference_allocate((size_t)n + 1, sizeof *min), sum = 0;
    int *row = reference_allocate((size_t)n + 1, sizeof *row), *way = reference_allocate((size_t)n + 1, sizeof *way);
    bool *used = reference_allocate((size_t)n + 1, sizeof *used);
    for (int i = 1; i <= n; i++) {
        int at = 0;
        row[0] = i;
        for (int j = 0; j <= n; j++) {
            min[j] = INFINITY;
            used[j] = false;
        }
        do {
            int next = 0;
            double step = INFINITY;
            used[at] = true;
            for (int j = 1; j <= n; j++) {
                if (used[j])
                    continue;
                const double reduced = cost[(row[at] - 1) * n + j - 1] - u[row[at]] - v[j];
                if (reduced < min[j]) {
                    min[j] = reduced;
                    way[j] = at;
                }
                if (min[j] < step) {
                    step = min[j];
                    next = j;
                }
            }
            for (int j = 0; j <= n; j++) {
                if (used[j]) {
                    u[row[j]] += step;
                    v[j] -= step;
                } else {
                    min[j] -= step;
                }
            }
            at = next;
        } while (row[at]);
        for (; at; at = way[at])
            row[at] = row[way[at]];
    }
    for (int j = 1; j <= n; j++) {
        column[row[j] - 1] = j - 1;
        sum += cost[(row[j] - 1) * n + j - 1];
    }
    free(u);
    free(v);
    free(min);
    free(row);
    free(way);
    free(used);
    return sum;
}

double hungarian_link(int rows, int columns, const double *cost, double alternative, int *target)
{
    const int n = rows + columns;
    double *all = reference_allocate((size_t)n * (size_t)n + 1, sizeof *all), sum = 0;
    int *assigned = reference_allocate((size_t)n + 1, sizeof *assigned);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double *cell = &all[i * n + j];
            if (i < rows && j < columns)
                *cell = cost[i * columns + j];
            else if (i < rows)
                *cell = j - columns == i ? alternative : HUNGARIAN_BLOCKED;
            else if (j < columns)
                *cell = i - rows == j ? alternative : HUNGARIAN_BLOCKED;
            else
                *cell = cost[(j - columns) * columns + i - rows] < HUNGARIAN_BLOCKED ? alternative : HUNGARIAN_BLOCKED;
        }
    hungarian(n, all, assigned);
    for (int i = 0; i < rows; i++) {
        target[i] = assigned[i] < columns ? assigned[i] : -1;
        sum += target[i] < 0 ? alternative : cost[i * columns + target[i]];
    }
    free(all);
    free(assigned);
    return sum;
}
