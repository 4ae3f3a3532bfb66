/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Turns the integers of a label into columns of shape. The same source serves devices with doubles and the host, which
 * defines SPACE, METHOD, WORD, WIDE and pixels_of itself. The order of the columns is that of the headings in
 * native/ops/labels/measure_shape.c. native/ops/labels/measure_labels.h lists the features of a configuration.
 */
#define TOGETHER
#ifdef __OPENCL_VERSION__
#include "shape_axes.cl"
#include "statistics.cl"
#endif

#if !defined(__OPENCL_VERSION__) || defined(DOUBLES)

enum { FEATURES = 16, CONSTANT_SIZE = 0, CONSTANT_OUTLINE = 3, CONSTANT_COARSE = 10, CONSTANT_BREADTH = 13,
       CONSTANT_COARSE_BREADTH = 20, CONSTANTS = 23,
       FEATURE_EULER = 7, FEATURE_FULL_EULER = 8, FEATURE_SECTIONS = 9 };

/* The integers of a label, and constants for all labels. */
typedef struct {
    SPACE const WORD *row, *powers, *configurations;
    SPACE const BYTE *features;
    SPACE const double *constants;
    int flat;
} shape_facts;

METHOD double wide_sum(SPACE const WORD *counters)
{
    return (double)pixels_of(counters) + 0x1p32 * (double)pixels_of(counters + 2);
}

/* The centre of a label relative to the corner of its box, in voxels. */
METHOD double centre_in_box(const shape_facts *f, int axis)
{
    const WIDE count = pixels_of(f->row), corner = (WORD)~f->row[LOW + axis];
    const WIDE sum = pixels_of(f->row + SUM + 4 * axis) + (pixels_of(f->row + SUM + 4 * axis + 2) << 32);
    return (double)(sum - count * corner) / (double)count;
}

/* Covariances of positions in units of length: xx yy zz xy xz yz, without the extent of the voxels. */
METHOD void covariances(const shape_facts *f, double c[6])
{
    const double n = (double)pixels_of(f->row);
    double centre[3];
    for (int axis = 0; axis < 3; axis++)
        centre[axis] = centre_in_box(f, axis);
    for (int i = 0; i < 6; i++) {
        const int a = i < 3 ? i : i == 5 ? 1 : 0, b = i < 3 ? i : i == 3 ? 1 : 2;
        c[i] = (wide_sum(f->powers + 4 * i) / n - centre[a] * centre[b]) * f->constants[CONSTANT_SIZE + a] *
               f->constants[CONSTANT_SIZE + b];
    }
}

METHOD void sum_features(const shape_facts *f, WHOLE features[FEATURES])
{
    const int last = f->flat ? 15 : 255;
    for (int i = 0; i < FEATURES; i++)
        features[i] = 0;
    for (int c = 1; c < last; c++) {
        const WHOLE times = f->configurations[c];
        for (int i = 0; times && i < FEATURES; i++)
            features[i] += times * f->features[c * FEATURES + i];
    }
}

METHOD double weigh(const WHOLE *features, SPACE const double *weights, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += weights[i] * (double)features[i];
    return sum;
}

/* Number of pixels, area or volume, centre and box; returns the next column. */
METHOD SPACE double *fill_place(const shape_facts *f, SPACE double *out)
{
    const int axes = f->flat ? 2 : 3;
    double size = (double)pixels_of(f->row);
    *out++ = size;
    for (int axis = 0; axis < axes; axis++)
        size *= f->constants[CONSTANT_SIZE + axis];
    *out++ = size;
    for (int axis = 0; axis < axes; axis++)
        *out++ = f->constants[CONSTANT_SIZE + axis] *
                 ((double)(WORD)~f->row[LOW + axis] + centre_in_box(f, axis) + 0.5);
    for (int axis = 0; axis < axes; axis++)
        *out++ = f->constants[CONSTANT_SIZE + axis] * (double)(WORD)~f->row[LOW + axis];
    for (int axis = 0; axis < axes; axis++)
        *out++ = f->constants[CONSTANT_SIZE + axis] * ((double)f->row[HIGH + axis] + 1);
    return out;
}

METHOD void fill_plane(const shape_facts *f, SPACE double *cell)
{
    const double pi = 3.141592653589793, degrees = 180 / 3.141592653589793;
    WHOLE features[FEATURES];
    double c[6];
    SPACE double *out = fill_place(f, cell);
    const double area = cell[1];
    sum_features(f, features);
    covariances(f, c);
    const double perimeter = weigh(features, f->constants + CONSTANT_OUTLINE, 7);
    *out++ = perimeter;
    *out++ = weigh(features, f->constants + CONSTANT_COARSE, 3);
    *out++ = (double)features[FEATURE_EULER] / 4;
    *out++ = (double)features[FEATURE_FULL_EULER] / 4;
    const double xx = c[0] + f->constants[0] * f->constants[0] / 12, yy = c[1] + f->constants[1] * f->constants[1] / 12;
    const double apart = sqrt((xx - yy) * (xx - yy) + 4 * c[3] * c[3]);
    const double largest = (xx + yy + apart) / 2, smallest = (xx * yy - c[3] * c[3]) / largest;
    const double long_radius = 2 * sqrt(largest), short_radius = 2 * sqrt(fmax(smallest, 0.0));
    *out++ = long_radius;
    *out++ = short_radius;
    *out++ = degrees * atan2(2 * c[3], xx - yy) / 2;
    *out++ = long_radius / short_radius;
    *out++ = 1 - short_radius / long_radius;
    *out++ = sqrt(fmax(1 - smallest / largest, 0.0));
    *out++ = 4 * pi * area / (perimeter * perimeter);
    *out++ = area / (pi * long_radius * long_radius);
    *out++ = sqrt(4 * area / pi) / (2 * long_radius);
}

METHOD SPACE double *fill_ellipsoid(const shape_facts *f, double radius[3], SPACE double *out)
{
    const double degrees = 180 / 3.141592653589793;
    double c[6], m[3][3], v[3][3];
    covariances(f, c);
    for (int axis = 0; axis < 3; axis++)
        c[axis] += f->constants[axis] * f->constants[axis] / 12;
    find_axes(c, m, v);
    for (int axis = 0; axis < 3; axis++)
        *out++ = radius[axis] = sqrt(5 * fmax(m[axis][axis], 0.0));
    const double level = sqrt(v[0][0] * v[0][0] + v[1][0] * v[1][0]);
    const int upright = level < 1e-9;
    *out++ = upright ? 0.0 : degrees * atan2(v[1][0], v[0][0]);
    *out++ = degrees * atan2(-v[2][0], level);
    *out++ = degrees * (upright ? atan2(-v[1][2], v[1][1]) : atan2(v[2][1], v[2][2]));
    for (int axis = 0; axis < 3; axis++)
        for (int row = 0; row < 3; row++)
            *out++ = v[row][axis];
    *out++ = radius[0] / radius[1];
    *out++ = radius[0] / radius[2];
    *out++ = radius[1] / radius[2];
    *out++ = sqrt(fmax(1 - m[2][2] / m[0][0], 0.0));
    return out;
}

METHOD void fill_solid(const shape_facts *f, SPACE double *cell)
{
    const double pi = 3.141592653589793;
    WHOLE features[FEATURES];
    double radius[3];
    SPACE double *out = fill_place(f, cell);
    const double volume = cell[1];
    sum_features(f, features);
    const double surface = weigh(features, f->constants + CONSTANT_OUTLINE, 7);
    *out++ = surface;
    *out++ = weigh(features, f->constants + CONSTANT_COARSE, 3);
    *out++ = weigh(features + FEATURE_SECTIONS, f->constants + CONSTANT_BREADTH, 7);
    *out++ = weigh(features + FEATURE_SECTIONS, f->constants + CONSTANT_COARSE_BREADTH, 3);
    *out++ = (double)features[FEATURE_EULER] / 8;
    *out++ = (double)features[FEATURE_FULL_EULER] / 8;
    out = fill_ellipsoid(f, radius, out);
    const double sphericity = 36 * pi * volume * volume / (surface * surface * surface);
    *out++ = sphericity;
    *out++ = cbrt(sphericity);
    *out++ = volume / (4 * pi / 3 * radius[0] * radius[0] * radius[0]);
    *out++ = cbrt(6 * volume / pi) / (2 * radius[0]);
}

#ifdef __OPENCL_VERSION__
/* Writes the labels into the first column. */
kernel void number_rows(global double *cells, int columns, uint first, uint count)
{
    const uint i = get_global_id(0);
    if (i < count)
        cells[(ulong)i * columns] = (double)first + i;
}

/* The columns of shape of each label; NaN in all but the first for a label without pixels. */
kernel void shape_columns(global const uint *rows, global const uint *powers, global const uint *configurations,
                          global const char *features, global const double *constants, int flat, uint count,
                          global double *cells, int columns, int column, int width)
{
    const uint i = get_global_id(0);
    if (i >= count)
        return;
    const shape_facts f = {rows + (ulong)i * ROW, powers + (ulong)i * 64, configurations + ((ulong)i << (flat ? 4 : 8)),
                           features, constants, flat};
    global double *cell = cells + (ulong)i * columns + column;
    if (pixels_of(f.row) == 0) {
        for (int c = 0; c < width; c++)
            cell[c] = c == 0 ? 0.0 : (double)NAN;
        return;
    }
    if (flat)
        fill_plane(&f, cell);
    else
        fill_solid(&f, cell);
}
#endif
#endif
