/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Solves linear equations on the host. Matrices are small compared with images, and the host always has double
 * precision.
 */
#include "plan.h"

enum { MAX_UNKNOWNS = 4096 };

/*
 * A system of n equations. Each row holds n coefficients, followed by `sides` right-hand sides (a row of the other
 * image).
 */
typedef struct equations {
    double *rows;
    int64_t n, sides, width;
} equations;

/* Returns the numbers of a 2D image in host memory, row by row. */
static float *numbers_of(drua_plan *p, const char *name, drua_shape of)
{
    float *numbers = plan_host_memory(p, (size_t)(of.width * of.height) * sizeof *numbers);
    if (numbers)
        plan_read_floats(p, plan_image(p, name), numbers);
    return numbers;
}

static void swap_rows(double *a, double *b, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        const double was = a[i];
        a[i] = b[i];
        b[i] = was;
    }
}

/*
 * Gauss-Jordan elimination with pivoting: reduces the matrix to the identity matrix. Returns false if a column has no
 * pivot.
 */
static bool eliminate_columns(const equations *e)
{
    for (int64_t column = 0; column < e->n; column++) {
        int64_t best = column;
        double largest = 0;
        for (int64_t y = column; y < e->n; y++)
            if (fabs(e->rows[y * e->width + column]) > largest) {
                largest = fabs(e->rows[y * e->width + column]);
                best = y;
            }
        if (!(largest > 0) || !isfinite(largest))
            return false;
        double *row = e->rows + column * e->width;
        swap_rows(row, e->rows + best * e->width, best == column ? 0 : e->width);
        for (int64_t x = e->width - 1; x >= column; x--)
            row[x] /= row[column];
        for (int64_t y = 0; y < e->n; y++) {
            double *other = e->rows + y * e->width;
            const double factor = y == column ? 0 : other[column];
            for (int64_t x = column; factor != 0 && x < e->width; x++)
                other[x] -= factor * row[x];
        }
    }
    return true;
}

static bool is_row(drua_shape matrix, drua_shape right)
{
    return right.height == 1 && right.width == matrix.width;
}

static bool check_shapes(drua_plan *p, drua_shape matrix, drua_shape right)
{
    const long long width = matrix.width, height = matrix.height;
    if (width != height || matrix.depth > 1)
        plan_fail(p, "matrix must be square and have one slice, but it is %lld x %lld x %lld; crop it", width, height,
                  (long long)matrix.depth);
    else if (width > MAX_UNKNOWNS)
        plan_fail(p, "matrix has %lld unknowns, but the limit is %d; solve a smaller system", width, MAX_UNKNOWNS);
    else if (right.depth > 1 || (!is_row(matrix, right) && right.height != matrix.height))
        plan_fail(p, "right_side must be %lld high, or a row of %lld numbers, but it is %lld x %lld x %lld", height,
                  width, (long long)right.width, (long long)right.height, (long long)right.depth);
    return !plan_failed(p);
}

/* For integer images, returns the nearest integer if the value differs from it only by rounding. */
static float round_to_type(double value, drua_type type)
{
    const double nearest = round(value);
    return (float)(type != DRUA_FLOAT32 && fabs(value - nearest) <= 1e-9 * fmax(1, fabs(value)) ? nearest : value);
}

static void launch_solve(drua_plan *p)
{
    const drua_shape matrix = plan_shape(p, "matrix"), right = plan_shape(p, "right_side");
    if (!check_shapes(p, matrix, right))
        return;
    const bool row = is_row(matrix, right) && right.height != matrix.height;
    equations e = {NULL, matrix.width, row ? 1 : right.width, 0};
    e.width = e.n + e.sides;
    e.rows = plan_host_memory(p, (size_t)(e.n * e.width) * sizeof *e.rows);
    float *coefficients = numbers_of(p, "matrix", matrix), *sides = numbers_of(p, "right_side", right);
    if (plan_failed(p) || !e.rows || !coefficients || !sides)
        return;
    for (int64_t y = 0; y < e.n; y++)
        for (int64_t x = 0; x < e.width; x++)
            e.rows[y * e.width + x] = x < e.n ? coefficients[y * e.n + x] : sides[y * e.sides + x - e.n];
    if (!eliminate_columns(&e)) {
        plan_fail(p, "matrix has no unique solution: some equations follow from others, or it contains NaN or "
                     "infinity; check the equations");
        return;
    }
    for (int64_t y = 0; y < e.n; y++)
        for (int64_t x = 0; x < e.sides; x++)
            sides[y * e.sides + x] = round_to_type(e.rows[y * e.width + e.n + x], plan_type(p, "destination"));
    drua_view solved = plan_scratch(p, right, DRUA_FLOAT32);
    plan_write(p, solved, sides);
    plan_copy(p, solved, plan_image(p, "destination"), 0, 0, 0);
}

static void right_side_shape(drua_plan *p, drua_shape *shape)
{
    *shape = plan_shape(p, "right_side");
}

DRUA_OP(solve_linear_system) = {
    .name = "solve_linear_system",
    .category = "math",
    .summary = "Solves linear equations: finds the numbers whose product with the matrix is the right side.",
    .source = "elimination by Gauss and Jordan with the largest pivot of each column, in double precision",
    DRUA_PARAMS(DRUA_IMAGE_IN("matrix", "coefficients, a row for each equation"),
                DRUA_IMAGE_IN("right_side",
                              "a row for each equation, a column for each system; or one row for one system"),
                DRUA_IMAGE_OUT("destination", "solutions, in the extent of the right side", .shape = right_side_shape,
                               .type = DRUA_FLOAT32)),
    DRUA_ALIASES("CLIJx gaussJordan: matrix, right_side, &destination"),
    .numeric = DRUA_DEVICE,
    .traits = DRUA_WHOLE,
    .launch = launch_solve,
};
