/* SPDX-License-Identifier: BSD-3-Clause */
#include "matrix.h"

matrix matrix_identity(void)
{
    return matrix_scaling(1, 1, 1);
}

matrix matrix_translation(double x, double y, double z)
{
    return (matrix){{{1, 0, 0, x}, {0, 1, 0, y}, {0, 0, 1, z}}};
}

matrix matrix_scaling(double x, double y, double z)
{
    return (matrix){{{x, 0, 0, 0}, {0, y, 0, 0}, {0, 0, z, 0}}};
}

matrix matrix_rotation(int axis, double degrees)
{
    const double radians = degrees * (acos(-1) / 180), c = cos(radians), s = sin(radians);
    const int from = (axis + 1) % 3, to = (axis + 2) % 3;
    matrix m = matrix_identity();
    m.at[from][from] = m.at[to][to] = c;
    m.at[from][to] = -s;
    m.at[to][from] = s;
    return m;
}

matrix matrix_shear(int changed, int by, double factor)
{
    matrix m = matrix_identity();
    m.at[changed][by] = factor;
    return m;
}

matrix matrix_product(matrix left, matrix right)
{
    matrix m;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++) {
            m.at[row][column] = column == 3 ? left.at[row][3] : 0;
            for (int k = 0; k < 3; k++)
                m.at[row][column] += left.at[row][k] * right.at[k][column];
        }
    return m;
}

matrix matrix_inverse(matrix m)
{
    matrix inverse;
    double determinant = 0;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++) {
            const int r1 = (column + 1) % 3, r2 = (column + 2) % 3, c1 = (row + 1) % 3, c2 = (row + 2) % 3;
            inverse.at[row][column] = m.at[r1][c1] * m.at[r2][c2] - m.at[r1][c2] * m.at[r2][c1];
        }
    for (int k = 0; k < 3; k++)
        determinant += m.at[0][k] * inverse.at[k][0];
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++)
            inverse.at[row][column] = determinant == 0 ? NAN : inverse.at[row][column] / determinant;
        inverse.at[row][3] = 0;
        for (int k = 0; k < 3; k++)
            inverse.at[row][3] -= inverse.at[row][k] * m.at[k][3];
    }
    return inverse;
}

matrix matrix_to_middle(drua_shape shape)
{
    return matrix_translation((double)(shape.width / 2), (double)(shape.height / 2), (double)(shape.depth / 2));
}

matrix matrix_from_middle(drua_shape shape)
{
    return matrix_translation(-(double)(shape.width / 2), -(double)(shape.height / 2), -(double)(shape.depth / 2));
}

enum { MAX_BITS = 32, GROUP_BITS = 7 };

/*
 * Converts a matrix to integers in units of 2^-bits of a pixel. Positions are then the same on every device, exact for
 * translations by whole pixels, and fine enough for images of any size. Returns the number of bits, or 0 if positions
 * would not be finite.
 */
static int to_fixed(matrix m, const double *extent, int64_t *fixed)
{
    double reach = 1;
    for (int row = 0; row < 3; row++) {
        double sum = 0;
        for (int k = 0; k < 4; k++)
            sum += fabs(m.at[row][k]) * extent[k];
        if (!(sum < 0x1p60))
            return 0;
        reach = fmax(reach, sum);
    }
    int bits = MAX_BITS;
    while (bits > 1 && ldexp(reach, bits) >= 0x1p62)
        bits--;
    for (int i = 0; i < 12; i++)
        fixed[i] = llround(ldexp(m.at[i / 4][i % 4], bits));
    return bits;
}

/* Whether the transform neither rotates nor shears, and does not scale the first `axes` axes. */
static bool keeps_axes(const int64_t *fixed, int bits, int axes)
{
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            if (row != column ? fixed[4 * row + column] != 0
                              : row < axes && fixed[4 * row + column] != INT64_C(1) << bits)
                return false;
    return true;
}

/* Whether the transform is a translation by whole pixels; sets `shift`. */
static bool moves_whole_pixels(const int64_t *fixed, int bits, int64_t *shift)
{
    bool whole = keeps_axes(fixed, bits, 3);
    for (int row = 0; row < 3; row++) {
        whole = whole && !(fixed[4 * row + 3] & ((INT64_C(1) << bits) - 1));
        shift[row] = fixed[4 * row + 3] >> bits;
    }
    return whole;
}

static void copy_shifted(drua_plan *p, drua_view from, drua_view to, const int64_t *shift)
{
    bool covered = true;
    for (int i = 0; i < 3; i++)
        covered = covered && shift[i] >= 0 && shift[i] + to.layout.extent[i] <= from.layout.extent[i];
    if (!covered)
        plan_clear(p, to);
    plan_copy(p, from, to, -shift[0], -shift[1], -shift[2]);
}

enum { FEW_ROWS = 4, MAX_ROWS = 16, GROUPS_A_UNIT = 8 };

/*
 * Returns the number of rows in a column that a work-item computes, in vectors of `lanes` pixels. Larger columns read
 * fewer pixels twice, but leave fewer work-groups to keep the device busy.
 */
static int rows_of(drua_plan *p, drua_layout l, int lanes)
{
    const int64_t enough = MAX_ROWS * GROUPS_A_UNIT * (int64_t)plan_device(p)->compute_units << GROUP_BITS;
    return plan_device(p)->is_gpu && drua_layout_count(&l) >= enough * lanes ? MAX_ROWS : FEW_ROWS;
}

/*
 * Resamples vectors on GPUs if the transform neither rotates nor shears and does not scale x and y. Otherwise returns
 * false.
 */
static bool send_shifted(drua_plan *p, drua_view from, drua_view to, const int64_t *fixed, int bits)
{
    enum { LANES = 4, WIDE = 32, DEEP = 4 };
    const drua_layout l = to.layout;
    if (!plan_device(p)->is_gpu || bits != MAX_BITS || !keeps_axes(fixed, bits, 2) ||
        !drua_layout_is_in_vectors(&from.layout, LANES) || !drua_layout_is_in_vectors(&l, LANES))
        return false;
    const bool flat = l.depth == 1;
    const int rows = rows_of(p, l, LANES);
    LAUNCH(p, "resample_linear_shifted",
           GRID((l.width + LANES - 1) / LANES, (l.height + rows - 1) / rows, l.depth, WIDE, flat ? DEEP : 1,
                flat ? 1 : DEEP),
           ARG(from), ARG(to), TABLE(fixed, 12 * sizeof *fixed), INT(rows));
    return true;
}

/*
 * Resamples any transform. On GPUs, neighbouring work-items read together, so a work-group covers a compact area, which
 * is efficient for rotated images. CPUs read rows.
 */
static void launch_resampling(drua_plan *p, const char *kernel, drua_view from, drua_view to, const int64_t *fixed,
                              int bits)
{
    const drua_layout l = to.layout;
    const bool near = plan_device(p)->is_gpu, flat = l.depth == 1;
    const int bits_x = near ? 4 : 5, bits_y = !near ? 2 : flat ? 3 : 1, bits_z = GROUP_BITS - bits_x - bits_y;
    const int rows = rows_of(p, l, 1);
    const int64_t across = ((l.width - 1) >> bits_x) + 1, down = ((l.height - 1) >> bits_y) / rows + 1,
                  deep = ((l.depth - 1) >> bits_z) + 1;
    LAUNCH(p, kernel, GRID(across << GROUP_BITS, down, deep, 1 << GROUP_BITS, 1, 1), ARG(from), ARG(to),
           TABLE(fixed, 12 * sizeof *fixed), INT(bits), INT(bits_x), INT(bits_y), INT(rows));
}

/*
 * Resamples vectors on CPUs if a row of the result stays within a slice of the source or between two. Otherwise returns
 * false.
 */
static bool send_rows(drua_plan *p, drua_view from, drua_view to, const int64_t *fixed, int bits)
{
    enum { RUN = 256 }; /* as in kernels/geometry/resample_rows.cl */
    const int64_t widest =
        INT64_C(1) << 57; /* vectors extend past the end of a row, where positions must still fit in 63 bits */
    const drua_layout l = to.layout;
    bool narrow = true;
    for (int row = 0; row < 2; row++)
        narrow = narrow && fixed[4 * row] <= widest && fixed[4 * row] >= -widest;
    if (plan_device(p)->is_gpu || bits != MAX_BITS || fixed[8] != 0 || !narrow)
        return false;
    LAUNCH(p, "resample_linear_rows", GRID(((int64_t)l.width + RUN - 1) / RUN, l.height, l.depth, 1, 1, 1), ARG(from),
           ARG(to), TABLE(fixed, 12 * sizeof *fixed));
    return true;
}

static void extents_of(drua_shape shape, double *extent)
{
    extent[0] = (double)shape.width, extent[1] = (double)shape.height, extent[2] = (double)shape.depth, extent[3] = 1;
}

/*
 * Adjusts the translation if the images are parts that begin at `source` and `result` of the whole images. The
 * arithmetic is exact.
 */
static void between_parts(int64_t *fixed, int bits, const int64_t *source, const int64_t *result)
{
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++)
            fixed[4 * row + 3] += fixed[4 * row + column] * result[column];
        fixed[4 * row + 3] -= source[row] * (INT64_C(1) << bits);
    }
}

enum { MARGIN = 2 };        /* one pixel for the interpolation, one for rounding */

void matrix_region(matrix m, const drua_box *made, drua_box *read)
{
    const double max = 0x1p31;
    for (int axis = 0; axis < 3; axis++) {
        const double *row = m.at[axis];
        double low = row[3] - MARGIN, high = row[3] + MARGIN;
        for (int column = 0; column < 3; column++) {
            const double a = row[column] * (double)made->first[column], b = row[column] * (double)made->end[column];
            low += fmin(a, b);
            high += fmax(a, b);
        }
        read->first[axis] = (int64_t)floor(fmin(fmax(low, -max), max));
        read->end[axis] = (int64_t)ceil(fmin(fmax(high, -max), max)) + 1;
    }
}

/*
 * Whether a cut into layers is efficient. If a layer reads a larger share of the source than the limit, cutting into
 * boxes is better.
 */
static bool is_well_cut(double share)
{
    return share <= 0.25;
}

void matrix_parts(drua_plan *p, drua_parts *parts, matrix m)
{
    int64_t origin[3];
    double has[4], wants[4];
    extents_of(plan_whole_shape(p, "source", origin), has);
    extents_of(plan_whole_shape(p, "destination", origin), wants);
    for (int out = 1; out < 3; out++) {
        double best = INFINITY;
        /* choose the source axis along which the part reads the smallest share */
        for (int axis = 2; axis >= 0; axis--) {
            const double *row = m.at[axis];
            double min = row[3] - MARGIN, max = row[3] + MARGIN;
            for (int column = 0; column < 3; column++) {
                min += column == out ? fmin(row[column], 0) : fmin(row[column] * wants[column], 0);
                max += column == out ? fmax(row[column], 0) : fmax(row[column] * wants[column], 0);
            }
            if ((max - min) / has[axis] < best && has[axis] > 1) {
                best = (max - min) / has[axis];
                parts->axis[out] = axis;
                parts->range[out] = (drua_affine_range){true, row[out], min, max};
            }
        }
        if (isinf(best))        /* the source has one pixel, or the matrix is not valid */
            parts->range[out] = (drua_affine_range){true, 0, 0, 0};
        else if (!is_well_cut(best))
            parts->axis[out] = -1, parts->range[out].set = false;
    }
}

void matrix_resample(drua_plan *p, matrix m, bool linear)
{
    drua_view from = plan_image(p, "source"), to = plan_image(p, "destination");
    double extent[4];
    int64_t fixed[12], shift[3], source[3], result[3];
    plan_whole_shape(p, "source", source);
    extents_of(plan_whole_shape(p, "destination", result), extent);
    for (int row = 0; row < 3; row++)
        m.at[row][3] += (m.at[row][0] + m.at[row][1] + m.at[row][2]) / 2 - (linear ? 0.5 : 0);
    const int bits = to_fixed(m, extent, fixed);
    if (!bits) {
        plan_fail(p, "the transform has no finite size; scale factors must not be 0 or nearly 0");
        return;
    }
    between_parts(fixed, bits, source, result);
    if (linear && moves_whole_pixels(fixed, bits, shift))
        copy_shifted(p, from, to, shift);
    else if (!linear || (!send_shifted(p, from, to, fixed, bits) && !send_rows(p, from, to, fixed, bits)))
        launch_resampling(p, linear ? "resample_linear" : "resample_nearest", from, to, fixed, bits);
}

void matrix_steps(matrix m, double steps[3][3])
{
    for (int axis = 0; axis < 3; axis++)
        for (int k = 0; k < 3; k++)
            steps[axis][k] = m.at[k][axis];
}

void matrix_place(matrix m, double first[3])
{
    for (int k = 0; k < 3; k++)
        first[k] = 0.5 * (m.at[k][0] + m.at[k][1] + m.at[k][2]) + m.at[k][3] - 0.5;
}
