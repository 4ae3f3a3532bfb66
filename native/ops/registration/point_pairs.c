/* SPDX-License-Identifier: BSD-3-Clause */
#include "point_pairs.h"

#include <string.h>

/* A pivot below this share of the largest one is rounding. */
static const double min_pivot = 1e-11;

/*
 * Solves a x = b for three right-hand sides by elimination with partial pivoting, in place: x replaces b. Returns false
 * if the matrix is singular.
 */
static bool solve_equations(double *a, double (*b)[3], int n)
{
    double max = 0;
    for (int i = 0; i < n * n; i++)
        max = fmax(max, fabs(a[i]));
    for (int i = 0; i < n; i++) {
        int pivot = i;
        for (int j = i + 1; j < n; j++)
            if (fabs(a[j * n + i]) > fabs(a[pivot * n + i]))
                pivot = j;
        if (!(fabs(a[pivot * n + i]) > min_pivot * max))
            return false;
        for (int k = 0; k < n && pivot != i; k++) {
            const double kept = a[i * n + k];
            a[i * n + k] = a[pivot * n + k];
            a[pivot * n + k] = kept;
        }
        for (int k = 0; k < 3 && pivot != i; k++) {
            const double kept = b[i][k];
            b[i][k] = b[pivot][k];
            b[pivot][k] = kept;
        }
        for (int j = i + 1; j < n; j++) {
            const double factor = a[j * n + i] / a[i * n + i];
            for (int k = i; k < n && factor != 0; k++)
                a[j * n + k] -= factor * a[i * n + k];
            for (int k = 0; k < 3; k++)
                b[j][k] -= factor * b[i][k];
        }
    }
    for (int i = n - 1; i >= 0; i--)
        for (int k = 0; k < 3; k++) {
            for (int j = i + 1; j < n; j++)
                b[i][k] -= a[i * n + j] * b[j][k];
            b[i][k] /= a[i * n + i];
        }
    return true;
}

/* Sets the terms 1, x, y, z of a position in the units of the fit. */
static void terms_of(const point_fit *fit, const double at[3], double terms[AFFINE_ROWS])
{
    terms[0] = 1;
    for (int axis = 0; axis < 3; axis++)
        terms[1 + axis] = (at[axis] - fit->center[axis]) / fit->extent;
}

/* The function of the distance between two points. */
static double bend_between(const point_fit *fit, const point_pairs *pairs, int a, int b)
{
    double square = 0;
    for (int axis = 0; axis < pairs->dimension; axis++) {
        const double way = (pairs->at[a][axis] - pairs->at[b][axis]) / fit->extent;
        square += way * way;
    }
    if (pairs->dimension == 3)
        return sqrt(square);
    return square > 0 ? square * log(square) : 0;
}

static void set_units(point_fit *fit, const point_pairs *pairs)
{
    fit->extent = 1;
    for (int axis = 0; axis < 3; axis++) {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < pairs->count; i++) {
            low = fmin(low, pairs->at[i][axis]);
            high = fmax(high, pairs->at[i][axis]);
        }
        fit->center[axis] = (low + high) / 2;
        fit->extent = fmax(fit->extent, (high - low) / 2);
    }
}

/* Fits the affine part by the normal equations of least squares. */
static bool fit_affine(point_fit *fit, const point_pairs *pairs)
{
    const int n = pairs->dimension + 1;
    double products[AFFINE_ROWS * AFFINE_ROWS] = {0}, terms[AFFINE_ROWS];
    for (int i = 0; i < pairs->count; i++) {
        terms_of(fit, pairs->at[i], terms);
        for (int j = 0; j < n; j++) {
            for (int k = 0; k < n; k++)
                products[j * n + k] += terms[j] * terms[k];
            for (int axis = 0; axis < 3; axis++)
                fit->rows[j][axis] += terms[j] * pairs->shift[i][axis];
        }
    }
    return solve_equations(products, fit->rows, n);
}

/* Solves for the weights of all points and the affine part, whose terms must not change the weights' moments. */
static bool fit_thin_plate(drua_plan *p, point_fit *fit, const point_pairs *pairs)
{
    const int terms = pairs->dimension + 1, n = pairs->count + terms;
    double *a = plan_host_memory(p, (size_t)n * (size_t)n * sizeof *a),
           (*b)[3] = plan_host_memory(p, (size_t)n * sizeof *b);
    if (plan_failed(p))
        return false;
    for (int i = 0; i < pairs->count; i++) {
        double row[AFFINE_ROWS];
        terms_of(fit, pairs->at[i], row);
        for (int j = 0; j < pairs->count; j++)
            a[i * n + j] = bend_between(fit, pairs, i, j);
        for (int k = 0; k < terms; k++)
            a[i * n + pairs->count + k] = a[(pairs->count + k) * n + i] = row[k];
        memcpy(b[i], pairs->shift[i], sizeof b[i]);
    }
    if (!solve_equations(a, b, n))
        return false;
    for (int k = 0; k < terms; k++)
        memcpy(fit->rows[k], b[pairs->count + k], sizeof *fit->rows);
    memcpy(fit->rows + AFFINE_ROWS, b, (size_t)pairs->count * sizeof *b);
    return true;
}

static void check_distinct(drua_plan *p, const point_pairs *pairs)
{
    for (int i = 0; i < pairs->count; i++)
        for (int j = 0; j < i; j++)
            if (!memcmp(pairs->at[i], pairs->at[j], sizeof pairs->at[i])) {
                plan_fail(p,
                          "landmarks %d and %d have the same position in the result, %g, %g, %g, which a thin-plate "
                          "spline cannot fit; delete one of them",
                          j + 1, i + 1, pairs->at[i][0], pairs->at[i][1], pairs->at[i][2]);
                return;
            }
}

point_fit point_fit_of(drua_plan *p, const point_pairs *pairs, bool thin_plate)
{
    point_fit fit = {.bends = thin_plate};
    const int min = pairs->dimension + 1;
    if (!plan_failed(p) && pairs->count < min)
        plan_fail(p, "landmarks has %d pairs of points; use at least %d that do not lie %s", pairs->count, min,
                  pairs->dimension == 2 ? "on a line" : "in a plane");
    fit.rows = plan_host_memory(p, (size_t)(AFFINE_ROWS + pairs->count) * sizeof *fit.rows);
    if (plan_failed(p))
        return fit;
    set_units(&fit, pairs);
    if (thin_plate)
        check_distinct(p, pairs);
    if (!plan_failed(p) && !(thin_plate ? fit_thin_plate(p, &fit, pairs) : fit_affine(&fit, pairs)))
        plan_fail(p, "landmarks lie %s, so that they do not determine a transform; add a point elsewhere",
                  pairs->dimension == 2 ? "on a line" : "in a plane");
    return fit;
}

double point_error(const point_fit *fit, const point_pairs *pairs, int point)
{
    double terms[AFFINE_ROWS], squares = 0;
    terms_of(fit, pairs->at[point], terms);
    for (int axis = 0; axis < 3; axis++) {
        double error = -pairs->shift[point][axis];
        for (int k = 0; k < AFFINE_ROWS; k++)
            error += fit->rows[k][axis] * terms[k];
        for (int k = 0; k < pairs->count && fit->bends; k++)
            error += fit->rows[AFFINE_ROWS + k][axis] * bend_between(fit, pairs, point, k);
        squares += error * error;
    }
    return sqrt(squares);
}
