/* SPDX-License-Identifier: BSD-3-Clause */
#include "reference_shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_label(const reference_image *labels, int label, int64_t x, int64_t y, int64_t z)
{
    return reference_is_inside(labels->shape, x, y, z) && (int)reference_at(labels, x, y, z) == label;
}

int64_t shape_crossings(const reference_image *labels, int label, int dx, int dy, int dz)
{
    int64_t count = 0;
    const drua_shape s = labels->shape;
    for (int64_t z = -1; z <= s.depth; z++)
        for (int64_t y = -1; y <= s.height; y++)
            for (int64_t x = -1; x <= s.width; x++)
                count += is_label(labels, label, x, y, z) != is_label(labels, label, x + dx, y + dy, z + dz);
    return count;
}

/* A label's mean extent across a direction: length of a plane's projection, or area of a stack's. */
static double projection(const reference_image *labels, int label, const double size[3], int dx, int dy, int dz)
{
    const double length =
        sqrt(pow(dx * size[0], 2) + pow(dy * size[1], 2) + (labels->shape.depth > 1 ? pow(dz * size[2], 2) : 0));
    const double voxel = size[0] * size[1] * (labels->shape.depth > 1 ? size[2] : 1);
    return voxel / length * (double)shape_crossings(labels, label, dx, dy, dz) / 2;
}

double shape_perimeter(const reference_image *labels, int label, const double size[3], int directions)
{
    const double slope = atan2(size[1], size[0]), x = projection(labels, label, size, 1, 0, 0),
                 y = projection(labels, label, size, 0, 1, 0);
    if (directions == 2)
        return M_PI * (x + y) / 2;
    return slope * x + (M_PI / 2 - slope) * y +
           M_PI / 4 * (projection(labels, label, size, 1, 1, 0) + projection(labels, label, size, 1, -1, 0));
}

static const int directions_of_space[13][4] = {{1, 0, 0, 0},  {0, 1, 0, 1},  {0, 0, 1, 2}, {1, 1, 0, 3},  {1, -1, 0, 3},
                                               {1, 0, 1, 4},  {1, 0, -1, 4}, {0, 1, 1, 5}, {0, 1, -1, 5}, {1, 1, 1, 6},
                                               {1, 1, -1, 6}, {1, -1, 1, 6}, {-1, 1, 1, 6}};

double shape_surface(const reference_image *labels, int label, const double size[3], const double shares[7],
                     int directions)
{
    double sum = 0;
    for (int i = 0; i < directions; i++) {
        const int *d = directions_of_space[i];
        sum += 4 * (directions == 3 ? 1.0 / 3 : shares[d[3]]) * projection(labels, label, size, d[0], d[1], d[2]);
    }
    return sum;
}

/* A slice of a label across an axis, as a plane of 0 and 1. */
static reference_image slice_across(const reference_image *labels, int label, int axis, int64_t at)
{
    const drua_shape s = labels->shape;
    const int64_t extent[3] = {s.width, s.height, s.depth};
    const int a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2;
    reference_image plane = reference_make(DRUA_UINT8, reference_plane(extent[a], extent[b]));
    REFERENCE_EACH_PIXEL (plane.shape, x, y, z) {
        int64_t place[3];
        place[axis] = at;
        place[a] = x;
        place[b] = y;
        reference_put(&plane, x, y, z, is_label(labels, label, place[0], place[1], place[2]));
    }
    return plane;
}

double shape_breadth(const reference_image *labels, int label, const double size[3])
{
    const drua_shape s = labels->shape;
    const int64_t extent[3] = {s.width, s.height, s.depth};
    double sum = 0;
    for (int axis = 0; axis < 3; axis++)
        for (int64_t at = 0; at < extent[axis]; at++) {
            reference_image plane = slice_across(labels, label, axis, at);
            sum += size[axis] * shape_plane_euler(&plane, 1, true) / 3;
            reference_free(&plane);
        }
    return sum;
}

/* Fills a component of pixels of one kind in a plane with a border of one pixel around it. */
static void flood_component(unsigned char *kind, int64_t width, int64_t height, int64_t at, bool full, int64_t *stack)
{
    const unsigned char own = kind[at];
    int64_t waiting = 1;
    stack[0] = at;
    kind[at] = 2;
    while (waiting) {
        const int64_t here = stack[--waiting], x = here % width, y = here / width;
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                const int64_t next = here + dy * width + dx;
                if ((dx && dy && !full) || x + dx < 0 || y + dy < 0 || x + dx >= width || y + dy >= height ||
                    kind[next] != own)
                    continue;
                kind[next] = 2;
                stack[waiting++] = next;
            }
    }
}

int shape_plane_euler(const reference_image *labels, int label, bool full)
{
    const int64_t width = labels->shape.width + 2, height = labels->shape.height + 2;
    unsigned char *kind = reference_allocate((size_t)(width * height), 1);
    int64_t *stack = reference_allocate((size_t)(width * height), sizeof *stack);
    int euler = 0;
    for (int64_t at = 0; at < width * height; at++)
        kind[at] = is_label(labels, label, at % width - 1, at / width - 1, 0);
    flood_component(kind, width, height, 0, !full, stack); /* the outside is not a hole */
    for (int64_t at = 0; at < width * height; at++)
        if (kind[at] < 2) {
            const bool inside = kind[at] == 1;
            euler += inside ? 1 : -1;
            flood_component(kind, width, height, at, inside == full, stack);
        }
    free(stack);
    free(kind);
    return euler;
}

/* Whether a box of 1 or 2 voxels along each axis is in the label: all of it, or any voxel. */
static bool has_box(const reference_image *labels, int label, const int64_t at[3], const int extent[3], bool all)
{
    for (int64_t z = at[2]; z < at[2] + extent[2]; z++)
        for (int64_t y = at[1]; y < at[1] + extent[1]; y++)
            for (int64_t x = at[0]; x < at[0] + extent[0]; x++)
                if (is_label(labels, label, x, y, z) != all)
                    return !all;
    return all;
}

int shape_stack_euler(const reference_image *labels, int label, bool full)
{
    const drua_shape s = labels->shape;
    int euler = 0;
    for (int64_t z = -1; z <= s.depth; z++)
        for (int64_t y = -1; y <= s.height; y++)
            for (int64_t x = -1; x <= s.width; x++)
                for (int kind = 0; kind < 8; kind++) {
                    const int extent[3] = {1 + (kind & 1), 1 + (kind >> 1 & 1), 1 + (kind >> 2)};
                    const int dimension = (kind & 1) + (kind >> 1 & 1) + (kind >> 2);
                    /*
                     * By sides, a cell between centres needs all its voxels. With corners, a cell where voxels meet
                     * needs any of them.
                     */
                    if (has_box(labels, label, (const int64_t[]){x, y, z}, extent, !full))
                        euler += (full ? 3 - dimension : dimension) % 2 ? -1 : 1;
                }
    return euler;
}

void shape_shares(const double size[3], double shares[7])
{
    enum { AROUND = 2000, UP = 500 };
    double length[13];
    memset(shares, 0, 7 * sizeof *shares);
    for (int i = 0; i < 13; i++)
        length[i] = sqrt(pow(directions_of_space[i][0] * size[0], 2) + pow(directions_of_space[i][1] * size[1], 2) +
                         pow(directions_of_space[i][2] * size[2], 2));
    for (int k = 0; k < UP; k++)
        for (int j = 0; j < AROUND; j++) {
            const double z = (k + 0.5) / UP, angle = 2 * M_PI * (j + 0.5) / AROUND, r = sqrt(1 - z * z);
            const double point[3] = {r * cos(angle) * size[0], r * sin(angle) * size[1], z * size[2]};
            int best = 0;
            double nearest = -1;
            for (int i = 0; i < 13; i++) {
                const int *d = directions_of_space[i];
                const double cosine = fabs(point[0] * d[0] + point[1] * d[1] + point[2] * d[2]) / length[i];
                if (cosine > nearest) {
                    nearest = cosine;
                    best = i;
                }
            }
            static const int alike[7] = {1, 1, 1, 2, 2, 2, 4};
            const int class = directions_of_space[best][3];
            shares[class] += 1.0 / alike[class] / UP / AROUND;
        }
}

double shape_moment(const reference_image *labels, int label, const double size[3], int p, int q, int r)
{
    long double n = 0, centre[3] = {0}, sum = 0;
    REFERENCE_EACH_PIXEL (labels->shape, x, y, z)
        if (is_label(labels, label, x, y, z)) {
            n += 1;
            centre[0] += x;
            centre[1] += y;
            centre[2] += z;
        }
    REFERENCE_EACH_PIXEL (labels->shape, x, y, z)
        if (is_label(labels, label, x, y, z))
            sum += powl((x - centre[0] / n) * size[0], p) * powl((y - centre[1] / n) * size[1], q) *
                   powl((z - centre[2] / n) * size[2], r);
    return (double)(sum * size[0] * size[1] * (labels->shape.depth > 1 ? size[2] : 1));
}

void shape_eigenvalues(double m[3][3], double values[3])
{
    const double mean = (m[0][0] + m[1][1] + m[2][2]) / 3;
    double squares = 0, b[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            b[i][j] = m[i][j] - (i == j ? mean : 0);
            squares += b[i][j] * b[i][j];
        }
    const double scale = sqrt(squares / 6), unit = scale > 0 ? scale : 1;
    const double determinant = b[0][0] * (b[1][1] * b[2][2] - b[1][2] * b[2][1]) -
                               b[0][1] * (b[1][0] * b[2][2] - b[1][2] * b[2][0]) +
                               b[0][2] * (b[1][0] * b[2][1] - b[1][1] * b[2][0]);
    const double angle = acos(fmax(-1, fmin(1, determinant / 2 / (unit * unit * unit)))) / 3;
    values[0] = mean + 2 * scale * cos(angle);
    values[2] = mean + 2 * scale * cos(angle + 2 * M_PI / 3);
    values[1] = 3 * mean - values[0] - values[2];
}
