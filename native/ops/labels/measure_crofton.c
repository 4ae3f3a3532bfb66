/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Perimeter, surface, mean breadth and Euler number of digital objects, from counts of configurations of neighbouring
 * pixels (Legland, Kiêu and Devaux 2007; Ohser and Schladitz 2009). Directions have the weights of MorphoLibJ.
 */
#include "measure_labels.h"

#include <string.h>

enum { CORNERS = 8, DIRECTIONS = 7, EULER = 7, FULL_EULER = 8, SECTIONS = 9, TRIANGLES = 15 };

/* The corner offset of each direction: bits 1, 2 and 4 stand for x, y and z. */
static const int steps[DIRECTIONS] = {1, 2, 4, 3, 5, 6, 7};

static int bit_of(int configuration, int corner)
{
    return configuration >> corner & 1;
}

/* Number of corners in the object whose pixel across a step is not in the object. */
static int count_changes(int configuration, int step, int corners)
{
    int count = 0;
    for (int corner = 0; corner < corners; corner++)
        count += bit_of(configuration, corner) && !bit_of(configuration, corner ^ step);
    return count;
}

/*
 * Four times the Euler number of a plane tile, from the pixels at its corners 0, a, b and a + b. Diagonal pixels are
 * neighbours if `full`.
 */
static int tile_euler(int p0, int pa, int pb, int pab, bool full)
{
    const int count = p0 + pa + pb + pab;
    if (count == 1)
        return 1;
    if (count == 3)
        return -1;
    return count == 2 && p0 == pab ? full ? -2 : 2 : 0;
}

/* Four times the Euler number of the tile that the steps a and b span from the corner `at`. */
static int section_euler(int configuration, int at, int a, int b)
{
    return tile_euler(bit_of(configuration, at), bit_of(configuration, at ^ a), bit_of(configuration, at ^ b),
                      bit_of(configuration, at ^ a ^ b), true);
}

/*
 * Six times the sum of the Euler numbers of eight triangles. The triangle of a corner joins the three corners that lie
 * diagonally across the cube's faces from it.
 */
static int triangle_euler(int configuration)
{
    int sum = 0;
    for (int corner = 0; corner < CORNERS; corner++) {
        const int count =
            bit_of(configuration, corner ^ 3) + bit_of(configuration, corner ^ 5) + bit_of(configuration, corner ^ 6);
        sum += count == 1 ? 1 : count == 2 ? -1 : 0;
    }
    return sum;
}

/*
 * Number of edges (two corners) or faces (four corners) of the cube with all corners in the configuration or, without
 * `all`, with at least one.
 */
static int count_cells(int configuration, int corners, bool all)
{
    int count = 0;
    for (int axis = 1; axis < CORNERS; axis *= 2)
        for (int at = 0; at < CORNERS; at++) {
            const int other = axis == 1 ? 2 : 1, third = 7 ^ axis ^ other;
            const int edge[] = {at, at ^ axis}, face[] = {at, at ^ other, at ^ third, at ^ other ^ third};
            const int *cell = corners == 2 ? edge : face;
            int found = 0;
            for (int i = 0; i < corners; i++)
                found += bit_of(configuration, cell[i]);
            /* each cell is found once, from its first corner */
            count += (corners == 2 ? !(at & axis) : !(at & ~axis)) && (all ? found == corners : found > 0);
        }
    return count;
}

static void fill_plane(int configuration, signed char *features)
{
    const int along[] = {1, 2, 3};
    for (int i = 0; i < 3; i++)
        features[i] = (signed char)count_changes(configuration, along[i], 4);
    for (int full = 0; full < 2; full++)
        features[EULER + full] = (signed char)tile_euler(bit_of(configuration, 0), bit_of(configuration, 1),
                                                         bit_of(configuration, 2), bit_of(configuration, 3), full);
}

static void fill_stack(int configuration, signed char *features)
{
    int pixels = 0;
    for (int corner = 0; corner < CORNERS; corner++)
        pixels += bit_of(configuration, corner);
    for (int i = 0; i < DIRECTIONS; i++)
        features[i] = (signed char)count_changes(configuration, steps[i], CORNERS);
    features[EULER] = (signed char)(pixels - 2 * count_cells(configuration, 2, true) +
                                    4 * count_cells(configuration, 4, true) - 8 * (pixels == CORNERS));
    features[FULL_EULER] = (signed char)(8 * (pixels > 0) - 4 * count_cells(configuration, 4, false) +
                                         2 * count_cells(configuration, 2, false) - pixels);
    for (int i = 0; i < 3; i++) {
        const int a = i == 0 ? 2 : 1, b = 7 ^ steps[i] ^ a, diagonal = steps[3 + i], beside = i == 2 ? 2 : 1;
        features[SECTIONS + i] =
            (signed char)(section_euler(configuration, 0, a, b) + section_euler(configuration, steps[i], a, b));
        features[SECTIONS + 3 + i] = (signed char)(section_euler(configuration, 0, diagonal, 7 ^ diagonal) +
                                                   section_euler(configuration, beside, diagonal, 7 ^ diagonal));
    }
    features[TRIANGLES] = (signed char)triangle_euler(configuration);
}

void measure_features(bool flat, signed char features[MEASURE_CONFIGURATIONS * MEASURE_FEATURES])
{
    memset(features, 0, MEASURE_CONFIGURATIONS * MEASURE_FEATURES);
    for (int c = 0; c < (flat ? 16 : MEASURE_CONFIGURATIONS); c++)
        (flat ? fill_plane : fill_stack)(c, features + c * MEASURE_FEATURES);
}

/* ---- weights */

static void subtract(const double a[3], const double b[3], double difference[3])
{
    for (int axis = 0; axis < 3; axis++)
        difference[axis] = a[axis] - b[axis];
}

static void cross(const double a[3], const double b[3], double product[3])
{
    for (int axis = 0; axis < 3; axis++)
        product[axis] = a[(axis + 1) % 3] * b[(axis + 2) % 3] - a[(axis + 2) % 3] * b[(axis + 1) % 3];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The unit vector along a step, whose parts are -1, 0 or 1 voxel. */
static void direction_of(const int step[3], const double size[3], double unit[3])
{
    double square = 0;
    for (int axis = 0; axis < 3; axis++)
        square += step[axis] * size[axis] * step[axis] * size[axis];
    for (int axis = 0; axis < 3; axis++)
        unit[axis] = step[axis] * size[axis] / sqrt(square);
}

/* The angle at a corner of a polygon on the sphere, between the arcs to the corners before and after it. */
static double corner_angle(const double before[3], const double corner[3], const double after[3])
{
    double a[3], b[3], between[3];
    cross(corner, before, a);
    cross(corner, after, b);
    cross(a, b, between);
    return atan2(sqrt(dot(between, between)), dot(a, b));
}

/*
 * Returns the share of a half sphere that is nearer to a direction than to its neighbours, which `around` lists in
 * their order. The share follows from the angles of a polygon on the sphere.
 */
static double share_of_sphere(const int step[3], const int (*around)[3], int count, const double size[3])
{
    enum { LIMIT = 8 };
    double direction[3], planes[LIMIT][3], corners[LIMIT][3], angles = 0;
    direction_of(step, size, direction);
    for (int i = 0; i < count; i++) {
        double other[3];
        direction_of(around[i], size, other);
        subtract(other, direction, planes[i]);
    }
    for (int i = 0; i < count; i++)
        cross(planes[i], planes[(i + 1) % count], corners[i]);
    for (int i = 0; i < count; i++)
        angles += corner_angle(corners[i], corners[(i + 1) % count], corners[(i + 2) % count]);
    return (angles - (count - 2) * 3.141592653589793) / (2 * 3.141592653589793);
}

/* Shares of the directions x, y, z, xy, xz, yz, xyz. */
static void share_sphere(const double size[3], double shares[DIRECTIONS])
{
    static const int around_axis[8][3] = {{1, -1, -1}, {1, -1, 0}, {1, -1, 1}, {1, 0, 1},
                                          {1, 1, 1},   {1, 1, 0},  {1, 1, -1}, {1, 0, -1}};
    static const int around_corner[6][3] = {{1, 0, 1}, {0, 0, 1}, {0, 1, 1}, {0, 1, 0}, {1, 1, 0}, {1, 0, 0}};
    static const int corner[3] = {1, 1, 1};
    for (int axis = 0; axis < 3; axis++) {
        const int a = axis, b = (axis + 1) % 3, c = (axis + 2) % 3;
        int around[8][3], along[3] = {0};
        along[a] = 1;
        for (int i = 0; i < 8; i++) {
            around[i][a] = around_axis[i][0];
            around[i][b] = around_axis[i][1];
            around[i][c] = around_axis[i][2];
        }
        shares[axis] = share_of_sphere(along, (const int(*)[3])around, 8, size);
        /* the diagonal of axes b and c, between both axes and both corners of the cube beside it */
        int diagonal[3] = {0}, beside[4][3] = {{0}};
        diagonal[b] = diagonal[c] = 1;
        for (int i = 1; i < 4; i += 2) {
            beside[i][a] = i == 1 ? 1 : -1;
            beside[i][b] = beside[i][c] = 1;
        }
        beside[0][b] = beside[2][c] = 1;
        shares[5 - axis] = share_of_sphere(diagonal, (const int(*)[3])beside, 4, size);
    }
    shares[6] = share_of_sphere(corner, around_corner, 6, size);
}

/* The diagonal of a rectangle; hypot of the C library needs a newer glibc. */
static double diagonal(double width, double height)
{
    return sqrt(width * width + height * height);
}

static void weigh_plane(const double size[3], double *outline, double *coarse)
{
    const double pi = 3.141592653589793, area = size[0] * size[1], slope = atan2(size[1], size[0]);
    const double along_x = pi * area / size[0], along_y = pi * area / size[1];
    outline[0] = along_x / 4 * slope / pi;
    outline[1] = along_y / 4 * (pi / 2 - slope) / pi;
    outline[2] = pi * area / diagonal(size[0], size[1]) / 2 / 4;
    coarse[0] = along_x / 8;
    coarse[1] = along_y / 8;
}

static void weigh_stack(const double size[3], double *outline, double *coarse, double *breadth, double *coarse_breadth)
{
    static const int occurs[DIRECTIONS] = {8, 8, 8, 4, 4, 4, 2}, parts[DIRECTIONS] = {8, 8, 8, 4, 4, 4, 6};
    const double volume = size[0] * size[1] * size[2], xy = diagonal(size[0], size[1]), xz = diagonal(size[0], size[2]),
                 yz = diagonal(size[1], size[2]), half = (xy + xz + yz) / 2;
    const double lengths[DIRECTIONS] = {size[0], size[1], size[2], xy, xz, yz, diagonal(xy, size[2])};
    const double areas[DIRECTIONS] = {size[1] * size[2],
                                      size[0] * size[2],
                                      size[0] * size[1],
                                      size[2] * xy,
                                      size[1] * xz,
                                      size[0] * yz,
                                      2 * sqrt(half * (half - xy) * (half - xz) * (half - yz))};
    double shares[DIRECTIONS];
    share_sphere(size, shares);
    for (int i = 0; i < DIRECTIONS; i++) {
        outline[i] = 4 * volume / lengths[i] / occurs[i] * shares[i];
        breadth[i] = volume / areas[i] / parts[i] * shares[i];
    }
    for (int i = 0; i < 3; i++) {
        coarse[i] = volume / lengths[i] / 2 / 3;
        coarse_breadth[i] = volume / areas[i] / 4 / 6;
    }
}

void measure_weights(bool flat, const double size[3], double constants[MEASURE_CONSTANTS])
{
    memset(constants, 0, MEASURE_CONSTANTS * sizeof *constants);
    memcpy(constants, size, 3 * sizeof *size);
    if (flat)
        weigh_plane(size, constants + 3, constants + 10);
    else
        weigh_stack(size, constants + 3, constants + 10, constants + 13, constants + 20);
}
