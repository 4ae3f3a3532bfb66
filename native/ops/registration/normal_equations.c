/* SPDX-License-Identifier: BSD-3-Clause */
#include "normal_equations.h"

#include <math.h>

static void exchange_rows(double *a, double *b, int count)
{
    for (int k = 0; k < count; k++) {
        const double kept = a[k];
        a[k] = b[k];
        b[k] = kept;
    }
}

bool solve_linear_equations(double *rows, int n, int stride)
{
    for (int i = 0; i < n; i++) {
        int pivot = i;
        for (int j = i + 1; j < n; j++)
            pivot = fabs(rows[j * stride + i]) > fabs(rows[pivot * stride + i]) ? j : pivot;
        if (!(fabs(rows[pivot * stride + i]) > 0))
            return false;
        double *own = rows + i * stride;
        exchange_rows(own, rows + pivot * stride, n + 1);
        for (int j = 0; j < n; j++) {
            double *other = rows + j * stride;
            const double factor = j == i ? 0 : other[i] / own[i];
            for (int k = i; k <= n; k++)
                other[k] -= factor * own[k];
        }
    }
    for (int i = 0; i < n; i++)
        rows[i * stride + n] /= rows[i * stride + i];
    return true;
}
