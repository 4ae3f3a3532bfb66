/* SPDX-License-Identifier: BSD-3-Clause */
#include "quadrature.h"

/* This many steps take about half a minute on one core. */
static const double MAX_STEPS = 2e10;

bool psf_is_too_much(drua_plan *p, double steps)
{
    if (steps > MAX_STEPS)
        plan_fail(p,
                  "the psf needs %.2g computation steps, but the limit is %.2g; use smaller extents, pixel_size, "
                  "pinhole or depth_of_point",
                  steps, MAX_STEPS);
    return plan_failed(p);
}

quadrature quadrature_of(drua_plan *p, int64_t n)
{
    quadrature q = {.n = n};
    if (psf_is_too_much(p, 4 * (double)n * (double)n))
        return q;
    q.at = plan_host_memory(p, (size_t)n * sizeof *q.at);
    q.weight = plan_host_memory(p, (size_t)n * sizeof *q.weight);
    for (int64_t i = 0; q.at && q.weight && i < (n + 1) / 2; i++) {
        double x = cos(M_PI * ((double)i + 0.75) / ((double)n + 0.5)), slope = 1, step = 1;
        for (int k = 0; k < 100 && fabs(step) > 1e-15; k++) {
            double value = 1, before = 0;
            for (int64_t j = 1; j <= n; j++) {
                const double next = ((double)(2 * j - 1) * x * value - (double)(j - 1) * before) / (double)j;
                before = value;
                value = next;
            }
            slope = (double)n * (x * value - before) / (x * x - 1);
            step = value / slope;
            x -= step;
        }
        q.at[i] = (1 - x) / 2;
        q.at[n - 1 - i] = (1 + x) / 2;
        q.weight[i] = q.weight[n - 1 - i] = 1 / ((1 - x * x) * slope * slope);
    }
    return q;
}

int64_t quadrature_nodes(double radians)
{
    return 64 + (int64_t)fmin(0.3 * radians, 1e9);
}
