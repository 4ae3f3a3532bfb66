/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Central and raw moments of each label, and Hu's invariants of a plane (Hu 1962). The same source serves devices with
 * doubles and the host.
 */
#define TOGETHER
#ifdef __OPENCL_VERSION__
#include "shape_axes.cl"
#include "shape_cells.cl"
#include "statistics.cl"
#endif

#if !defined(__OPENCL_VERSION__) || defined(DOUBLES)

/* Longest box, in voxels, for which sums of order 3 stay exact. */
enum { LONGEST_FOR_THIRD = 32768, THIRD_POWERS = 10 };

/* Kinds of columns of moment_columns. */
enum { CENTRAL_COLUMNS, RAW_COLUMNS, SIZE_COLUMNS };

METHOD double second_moment(const shape_facts *f, const double centre[3], int i)
{
    const int a = i < 3 ? i : i == 5 ? 1 : 0, b = i < 3 ? i : i == 3 ? 1 : 2;
    return wide_sum(f->powers + 4 * i) - (double)pixels_of(f->row) * centre[a] * centre[b];
}

/* Sum of the products of three deviations along axes a, b and c. `second` has xx yy zz xy xz yz. */
METHOD double third_moment(double raw, const double centre[3], const double second[6], double n, int a, int b, int c)
{
    const int of_pair[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    return raw - centre[a] * second[of_pair[b][c]] - centre[b] * second[of_pair[a][c]] -
           centre[c] * second[of_pair[a][b]] - n * centre[a] * centre[b] * centre[c];
}

/* Moments of order 2 and 3 in units of length and area or volume. Moments of order 3 are NaN if the box is too long. */
METHOD void central_sums(const shape_facts *f, double second[6], double third[THIRD_POWERS])
{
    const int axes[THIRD_POWERS][3] = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {0, 0, 1}, {0, 0, 2},
                                       {0, 1, 1}, {1, 1, 2}, {0, 2, 2}, {1, 2, 2}, {0, 1, 2}};
    const int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    const double n = (double)pixels_of(f->row);
    SPACE const double *size = f->constants;
    const double voxel = size[0] * size[1] * (f->flat ? 1 : size[2]);
    double centre[3];
    int too_long = 0;
    for (int axis = 0; axis < 3; axis++) {
        centre[axis] = centre_in_box(f, axis);
        too_long |= f->row[HIGH + axis] - (WORD)~f->row[LOW + axis] >= LONGEST_FOR_THIRD;
    }
    for (int i = 0; i < 6; i++)
        second[i] = second_moment(f, centre, i);
    for (int i = 0; i < THIRD_POWERS; i++) {
        const int a = axes[i][0], b = axes[i][1], c = axes[i][2];
        const double moment = third_moment(wide_sum(f->powers + 4 * (6 + i)), centre, second, n, a, b, c);
        third[i] = too_long ? (double)NAN : moment * size[a] * size[b] * size[c] * voxel;
    }
    for (int i = 0; i < 6; i++)
        second[i] *= size[pairs[i][0]] * size[pairs[i][1]] * voxel;
}

/* `n` has the normalized moments of orders 20 02 11 30 03 21 12. */
METHOD void fill_hu(const double *n, SPACE double *hu)
{
    const double p = n[3] + n[6], q = n[5] + n[4], d = n[3] - 3 * n[6], e = 3 * n[5] - n[4];
    hu[0] = n[0] + n[1];
    hu[1] = (n[0] - n[1]) * (n[0] - n[1]) + 4 * n[2] * n[2];
    hu[2] = d * d + e * e;
    hu[3] = p * p + q * q;
    hu[4] = d * p * (p * p - 3 * q * q) + e * q * (3 * p * p - q * q);
    hu[5] = (n[0] - n[1]) * (p * p - q * q) + 4 * n[2] * p * q;
    hu[6] = e * p * (p * p - 3 * q * q) - d * q * (3 * p * p - q * q);
}

METHOD void fill_moments(const shape_facts *f, SPACE double *cell)
{
    const int plane[7] = {0, 1, 3, 6, 7, 9, 11};        /* 20 02 11 30 03 21 12 */
    double all[6 + THIRD_POWERS], normal[7];
    central_sums(f, all, all + 6);
    if (!f->flat) {
        for (int i = 0; i < 6 + THIRD_POWERS; i++)
            cell[i] = all[i];
        return;
    }
    const double area = (double)pixels_of(f->row) * f->constants[0] * f->constants[1];
    for (int i = 0; i < 7; i++) {
        cell[i] = all[plane[i]];
        normal[i] = cell[i] / (i < 3 ? area * area : area * area * sqrt(area));
    }
    fill_hu(normal, cell + 7);
}

/*
 * Moments about the image's corner: of order 0 and 1, then of order 2 and 3 as in central_sums. Sums of the central
 * moments and of products of the centre's coordinates lose no digits, unlike sums of powers of large positions.
 */
METHOD void fill_raw_moments(const shape_facts *f, SPACE double *cell)
{
    const int axes[6 + THIRD_POWERS][3] = {{0, 0, -1}, {1, 1, -1}, {2, 2, -1}, {0, 1, -1}, {0, 2, -1}, {1, 2, -1},
                                           {0, 0, 0},  {1, 1, 1},  {2, 2, 2},  {0, 0, 1},  {0, 0, 2},  {0, 1, 1},
                                           {1, 1, 2},  {0, 2, 2},  {1, 2, 2},  {0, 1, 2}};
    const int of_pair[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    double all[6 + THIRD_POWERS], size = (double)pixels_of(f->row), centre[3];
    central_sums(f, all, all + 6);
    for (int axis = 0; axis < (f->flat ? 2 : 3); axis++) {
        size *= f->constants[axis];
        centre[axis] = f->constants[axis] * ((double)(WORD)~f->row[LOW + axis] + centre_in_box(f, axis) + 0.5);
    }
    *cell++ = size;
    for (int axis = 0; axis < (f->flat ? 2 : 3); axis++)
        *cell++ = size * centre[axis];
    for (int i = 0; i < 6 + THIRD_POWERS; i++) {
        const int a = axes[i][0], b = axes[i][1], c = axes[i][2];
        if (f->flat && (a == 2 || b == 2 || c == 2))
            continue;
        *cell++ = c < 0 ? all[i] + size * centre[a] * centre[b]
                        : all[i] + centre[a] * all[of_pair[b][c]] + centre[b] * all[of_pair[a][c]] +
                              centre[c] * all[of_pair[a][b]] + size * centre[a] * centre[b] * centre[c];
    }
}

/* Diameter of a disc of the label's area, or ball of its volume; area or volume of its box; share that it fills. */
METHOD void fill_size(const shape_facts *f, SPACE double *cell)
{
    double size = (double)pixels_of(f->row), box = 1;
    for (int axis = 0; axis < (f->flat ? 2 : 3); axis++) {
        size *= f->constants[axis];
        box *= f->constants[axis] * ((double)f->row[HIGH + axis] - (double)(WORD)~f->row[LOW + axis] + 1);
    }
    cell[0] = f->flat ? 2 * sqrt(size / 3.141592653589793) : cbrt(6 * size / 3.141592653589793);
    cell[1] = box;
    cell[2] = size / box;
}

#ifdef __OPENCL_VERSION__
kernel void moment_columns(global const uint *rows, global const uint *powers, global const double *constants, int flat,
                           int kind, uint count, global double *cells, int columns, int column, int width)
{
    const uint i = get_global_id(0);
    if (i >= count)
        return;
    const shape_facts f = {rows + (ulong)i * ROW, powers + (ulong)i * 64, 0, 0, constants, flat};
    global double *cell = cells + (ulong)i * columns + column;
    if (pixels_of(f.row) == 0)
        for (int c = 0; c < width; c++)
            cell[c] = (double)NAN;
    else if (kind == CENTRAL_COLUMNS)
        fill_moments(&f, cell);
    else if (kind == RAW_COLUMNS)
        fill_raw_moments(&f, cell);
    else
        fill_size(&f, cell);
}
#endif
#endif
