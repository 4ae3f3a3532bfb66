/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares hulls and Feret diameters of measure_labels with all pairs of corners, with a hull of planes by gift
 * wrapping, and with a hull of stacks by all planes through three points.
 */
#include "measured.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct point {
    double x, y;
} point;

typedef struct polygon {
    point *points;
    int count;
} polygon;

static double side_of(point a, point b, point c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static double apart(point a, point b)
{
    return hypot(a.x - b.x, a.y - b.y);
}

/* Wraps a line around the points, from the lowest one on (Jarvis 1973). Scales them first. */
static polygon wrap(const point *points, int count, const double size[3])
{
    polygon hull = {reference_allocate((size_t)count + 1, sizeof *hull.points), 0};
    point *scaled = reference_allocate((size_t)count, sizeof *scaled);
    int start = 0;
    for (int i = 0; i < count; i++) {
        scaled[i] = (point){points[i].x * size[0], points[i].y * size[1]};
        if (points[i].y < points[start].y || (points[i].y == points[start].y && points[i].x < points[start].x))
            start = i;
    }
    for (int here = start, next; hull.count == 0 || here != start; here = next) {
        hull.points[hull.count++] = scaled[here];
        next = here == 0 ? 1 % count : 0;
        for (int i = 0; i < count; i++) {
            const double side = side_of(points[here], points[next], points[i]);
            if (side < 0 || (side == 0 && apart(points[here], points[i]) > apart(points[here], points[next])))
                next = i;
        }
        /* equal points count once */
        if (points[next].x == points[start].x && points[next].y == points[start].y)
            next = start;
    }
    free(scaled);
    return hull;
}

/* The corners of a label's pixels, or the middles of their sides. */
static int list_points(const reference_image *labels, int label, bool middles, point *points)
{
    int count = 0;
    REFERENCE_EACH_PIXEL (labels->shape, x, y, z) {
        if ((int)reference_at(labels, x, y, z) != label)
            continue;
        for (int k = 0; k < 4; k++) {
            const double across = k < 2 ? k : 0.5, down = k < 2 ? 0.5 : k - 2;
            points[count++] = middles ? (point){(double)x + across, (double)y + down}
                                      : (point){(double)(x + k % 2), (double)(y + k / 2)};
        }
    }
    return count;
}

static double area_of(polygon hull)
{
    double area = 0;
    for (int i = 1; i + 1 < hull.count; i++)
        area += side_of(hull.points[0], hull.points[i], hull.points[i + 1]) / 2;
    return fabs(area);
}

static double length_of(polygon hull)
{
    double length = 0;
    for (int i = 0; i < hull.count; i++)
        length += apart(hull.points[i], hull.points[(i + 1) % hull.count]);
    return length;
}

/* Number of pixel centres that lie on the inner side of all edges. */
static int64_t centres_in(polygon hull, drua_shape shape)
{
    int64_t count = 0;
    REFERENCE_EACH_PIXEL (shape, x, y, z) {
        bool inside = true;
        for (int i = 0; i < hull.count; i++)
            inside &= side_of(hull.points[i], hull.points[(i + 1) % hull.count],
                              (point){(double)x + 0.5, (double)y + 0.5}) >= -1e-9;
        count += inside;
    }
    return count;
}

/* The smallest extent of the hull across one of its edges. */
static double min_width(polygon hull)
{
    double min = INFINITY;
    for (int i = 0; i < hull.count; i++) {
        double width = 0;
        const point a = hull.points[i], b = hull.points[(i + 1) % hull.count];
        for (int k = 0; k < hull.count; k++)
            width = fmax(width, fabs(side_of(a, b, hull.points[k])) / apart(a, b));
        min = fmin(min, width);
    }
    return min;
}

static double extent_along(polygon hull, double angle)
{
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < hull.count; i++) {
        const double along = hull.points[i].x * cos(angle) + hull.points[i].y * sin(angle);
        low = fmin(low, along);
        high = fmax(high, along);
    }
    return high - low;
}

static void check_ends(const drua_table *table, int label, const char *const names[4], double distance, double angle)
{
    const point a = {measured_cell(table, label, names[0]), measured_cell(table, label, names[1])},
                b = {measured_cell(table, label, names[2]), measured_cell(table, label, names[3])};
    ck_assert_double_eq_tol(apart(a, b), distance, 1e-9 * distance);
    const double turned = fmod(atan2(b.y - a.y, b.x - a.x) * 180 / M_PI + 360 - angle, 180);
    ck_assert_msg(turned < 1e-6 || turned > 180 - 1e-6, "angle %g of label %d", angle, label);
}

static void check_feret(const drua_table *table, int label, polygon hull)
{
    static const char *const max[] = {"FERET_MAX_X1", "FERET_MAX_Y1", "FERET_MAX_X2", "FERET_MAX_Y2"},
                             *const min[] = {"FERET_MIN_X1", "FERET_MIN_Y1", "FERET_MIN_X2", "FERET_MIN_Y2"};
    double longest = 0;
    for (int i = 0; i < hull.count; i++)
        for (int k = 0; k < i; k++)
            longest = fmax(longest, apart(hull.points[i], hull.points[k]));
    const double width = min_width(hull), angle = measured_cell(table, label, "ORIENTED_BOX_ANGLE") * M_PI / 180;
    measured_check(table, label, "FERET_MAX", longest, 1e-9 * longest);
    measured_check(table, label, "FERET_MIN", width, 1e-9 * longest);
    check_ends(table, label, max, longest, measured_cell(table, label, "FERET_MAX_ANGLE"));
    check_ends(table, label, min, width, measured_cell(table, label, "FERET_MIN_ANGLE"));
    measured_check(table, label, "ORIENTED_BOX_WIDTH", width, 1e-9 * longest);
    measured_check(table, label, "ORIENTED_BOX_LENGTH", extent_along(hull, angle), 1e-9 * longest);
    ck_assert_double_eq_tol(extent_along(hull, angle + M_PI / 2), width, 1e-9 * longest);
    const double x = measured_cell(table, label, "ORIENTED_BOX_CENTER_X"),
                 y = measured_cell(table, label, "ORIENTED_BOX_CENTER_Y");
    for (int i = 0; i < hull.count; i++) {
        const double dx = hull.points[i].x - x, dy = hull.points[i].y - y;
        ck_assert(fabs(dx * cos(angle) + dy * sin(angle)) <= extent_along(hull, angle) / 2 + 1e-9 * longest);
        ck_assert(fabs(dy * cos(angle) - dx * sin(angle)) <= width / 2 + 1e-9 * longest);
    }
}

static void check_plane(const drua_table *table, const reference_image *labels, int label, const double size[3])
{
    static const double unit[3] = {1, 1, 1};
    point *points = reference_allocate(4 * reference_count(labels), sizeof *points);
    const double pixel = size[0] * size[1];
    const int count = list_points(labels, label, false, points);
    polygon hull = wrap(points, count, size);
    measured_check(table, label, "HULL_AREA", area_of(hull), 1e-9 * area_of(hull));
    measured_check(table, label, "HULL_PERIMETER", length_of(hull), 1e-9 * length_of(hull));
    measured_check(table, label, "CONVEXITY", length_of(hull) / measured_cell(table, label, "PERIMETER"), 1e-9);
    check_feret(table, label, hull);
    free(hull.points);
    list_points(labels, label, true, points);
    hull = wrap(points, count, unit);
    const double convex = (double)centres_in(hull, labels->shape);
    measured_check(table, label, "CONVEX_AREA", convex * pixel, 1e-9 * convex * pixel);
    measured_check(table, label, "SOLIDITY", (double)measured_count(labels, label) / convex, 1e-12);
    free(hull.points);
    free(points);
}

/* ---- hulls of stacks */

/* A point in half voxels, or a normal. */
typedef struct spot {
    int64_t at[3];
} spot;

/* A plane with all points on its inner side. The normal points outwards. */
typedef struct side_plane {
    spot normal;
    int64_t offset;
} side_plane;

typedef struct solid {
    side_plane *planes;
    int count;
} solid;

static int64_t dot(spot a, spot b)
{
    return a.at[0] * b.at[0] + a.at[1] * b.at[1] + a.at[2] * b.at[2];
}

static spot normal_through(spot a, spot b, spot c)
{
    spot n;
    for (int axis = 0; axis < 3; axis++) {
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        n.at[axis] = (b.at[u] - a.at[u]) * (c.at[v] - a.at[v]) - (b.at[v] - a.at[v]) * (c.at[u] - a.at[u]);
    }
    return n;
}

/* Returns whether a point lies between two others of the same line along an axis, so that no hull has it as vertex. */
static bool is_between(const spot *points, int count, spot p)
{
    for (int axis = 0; axis < 3; axis++) {
        bool before = false, after = false;
        for (int i = 0; i < count; i++) {
            const int u = (axis + 1) % 3, v = (axis + 2) % 3;
            if (points[i].at[u] != p.at[u] || points[i].at[v] != p.at[v])
                continue;
            before |= points[i].at[axis] < p.at[axis];
            after |= points[i].at[axis] > p.at[axis];
        }
        if (before && after)
            return true;
    }
    return false;
}

/* The corners of a label's voxels, or the middles of their faces, without those between others. */
static int list_spots(const reference_image *labels, int label, bool middles, spot *spots)
{
    int count = 0, kept = 0;
    spot *all = reference_allocate(8 * reference_count(labels), sizeof *all);
    REFERENCE_EACH_PIXEL (labels->shape, x, y, z)
        for (int k = 0; k < (middles ? 6 : 8) && (int)reference_at(labels, x, y, z) == label; k++) {
            spot s = {{2 * x + 1, 2 * y + 1, 2 * z + 1}};
            for (int axis = 0; axis < 3; axis++)
                s.at[axis] += middles ? (k / 2 == axis) * (2 * (k % 2) - 1) : 2 * (k >> axis & 1) - 1;
            bool known = false;
            for (int i = 0; i < count && !known; i++)
                known = !memcmp(&all[i], &s, sizeof s);
            if (!known)
                all[count++] = s;
        }
    for (int i = 0; i < count; i++)
        if (!is_between(all, count, all[i]))
            spots[kept++] = all[i];
    free(all);
    return kept;
}

/* Adds the plane through three points if no point lies outside it. */
static void try_plane(solid *h, const spot *points, int count, spot a, spot b, spot c)
{
    side_plane plane = {.normal = normal_through(a, b, c)};
    int64_t divisor = 0;
    bool outside = false, inside = false;
    for (int i = 0; i < count && !(outside && inside); i++) {
        const int64_t beyond = dot(plane.normal, points[i]) - dot(plane.normal, a);
        outside |= beyond > 0;
        inside |= beyond < 0;
    }
    if (outside == inside)
        return;
    for (int axis = 0; axis < 3; axis++)
        for (int64_t rest = llabs(plane.normal.at[axis]); rest;) {
            const int64_t next = divisor % rest;
            divisor = rest;
            rest = next;
        }
    for (int axis = 0; axis < 3; axis++)
        plane.normal.at[axis] /= outside ? -divisor : divisor;
    plane.offset = dot(plane.normal, a);
    for (int i = 0; i < h->count; i++)
        if (!memcmp(&h->planes[i], &plane, sizeof plane))
            return;
    h->planes[h->count++] = plane;
}

static solid solid_around(const spot *points, int count)
{
    solid h = {reference_allocate(10000, sizeof *h.planes), 0};
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++)
            for (int m = 0; m < k; m++)
                try_plane(&h, points, count, points[i], points[k], points[m]);
    return h;
}

/* The area of a face of the hull, divided by the length of its normal. */
static double share_of_normal(const side_plane *plane, const spot *points, int count)
{
    static const double unit[3] = {1, 1, 1};
    point *flat = reference_allocate((size_t)count, sizeof *flat);
    int axis = 0, on_plane = 0;
    for (int k = 1; k < 3; k++)
        if (llabs(plane->normal.at[k]) > llabs(plane->normal.at[axis]))
            axis = k;
    for (int i = 0; i < count; i++)
        if (dot(plane->normal, points[i]) == plane->offset)
            flat[on_plane++] =
                (point){(double)points[i].at[(axis + 1) % 3] / 2, (double)points[i].at[(axis + 2) % 3] / 2};
    polygon face = wrap(flat, on_plane, unit);
    const double area = area_of(face) / (double)llabs(plane->normal.at[axis]);
    free(face.points);
    free(flat);
    return area;
}

static int64_t voxels_in(const solid *h, drua_shape shape)
{
    int64_t count = 0;
    REFERENCE_EACH_PIXEL (shape, x, y, z) {
        const spot centre = {{2 * x + 1, 2 * y + 1, 2 * z + 1}};
        bool inside = true;
        for (int i = 0; i < h->count && inside; i++)
            inside = dot(h->planes[i].normal, centre) <= h->planes[i].offset;
        count += inside;
    }
    return count;
}

static void check_hull_of_stack(const drua_table *table, const reference_image *labels, int label, const double size[3])
{
    spot *spots = reference_allocate(8 * reference_count(labels), sizeof *spots);
    const double voxel = size[0] * size[1] * size[2];
    double volume = 0, surface = 0;
    int count = list_spots(labels, label, false, spots);
    solid h = solid_around(spots, count);
    for (int i = 0; i < h.count; i++) {
        const double share = share_of_normal(&h.planes[i], spots, count);
        double square = 0;
        for (int axis = 0; axis < 3; axis++)
            square += pow((double)h.planes[i].normal.at[axis] * share * voxel / size[axis], 2);
        surface += sqrt(square);
        volume += share * (double)h.planes[i].offset / 2 / 3 * voxel;
    }
    free(h.planes);
    measured_check(table, label, "HULL_VOLUME", volume, 1e-9 * volume);
    measured_check(table, label, "HULL_SURFACE_AREA", surface, 1e-9 * surface);
    const double convexity = surface / measured_cell(table, label, "SURFACE_AREA");
    measured_check(table, label, "CONVEXITY", convexity, 1e-9 * convexity);
    count = list_spots(labels, label, true, spots);
    h = solid_around(spots, count);
    const double convex = (double)voxels_in(&h, labels->shape);
    measured_check(table, label, "CONVEX_VOLUME", convex * voxel, 1e-9 * convex * voxel);
    measured_check(table, label, "SOLIDITY", (double)measured_count(labels, label) / convex, 1e-12);
    free(h.planes);
    free(spots);
}

static void check_stack(const drua_table *table, const reference_image *labels, int label, const double size[3])
{
    int64_t(*corners)[3] = reference_allocate(8 * reference_count(labels), sizeof *corners);
    int count = 0;
    double square = 0, ends = 0;
    REFERENCE_EACH_PIXEL (labels->shape, x, y, z)
        for (int k = 0; k < 8 && (int)reference_at(labels, x, y, z) == label; k++, count++) {
            corners[count][0] = x + k % 2;
            corners[count][1] = y + k / 2 % 2;
            corners[count][2] = z + k / 4;
        }
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++) {
            double sum = 0;
            for (int axis = 0; axis < 3; axis++)
                sum += pow(size[axis] * (double)(corners[i][axis] - corners[k][axis]), 2);
            square = fmax(square, sum);
        }
    measured_check(table, label, "FERET_MAX", sqrt(square), 1e-9 * sqrt(square));
    for (int axis = 0; axis < 3; axis++) {
        static const char *const names[3][2] = {
            {"FERET_MAX_X1", "FERET_MAX_X2"}, {"FERET_MAX_Y1", "FERET_MAX_Y2"}, {"FERET_MAX_Z1", "FERET_MAX_Z2"}};
        ends += pow(measured_cell(table, label, names[axis][1]) - measured_cell(table, label, names[axis][0]), 2);
    }
    ck_assert_double_eq_tol(ends, square, 1e-9 * square);
    check_hull_of_stack(table, labels, label, size);
    free(corners);
}

START_TEST(random_labels)
{
    enum { LABELS = 5, TYPES = 7 };
    static const drua_shape shapes[] = {{23, 19, 1, 2}, {64, 33, 1, 2}, {1, 17, 1, 2}, {9, 1, 1, 2}, {7, 1, 1, 2},
                                        {13, 11, 9, 3}, {12, 14, 5, 3}, {1, 7, 6, 3},  {5, 6, 2, 3}, {35, 4, 8, 3}};
    static const double sizes[][3] = {{1, 1, 1}, {1, 2, 3}, {0.25, 0.5, 0.5}};
    static const char *const options[] = {"all units=pixels", "all voxel=1,2,3", "all voxel=0.25,0.5,0.5"};
    drua_context *context = harness_open();
    harness_random chance = {(uint64_t)_i + 11};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const int which = harness_below(&chance, 3);
        reference_image labels = measured_labels(&chance, shapes[i], harness_types[(i + (size_t)_i) % TYPES], LABELS);
        drua_table *table = measured_table(context, &labels, options[which]);
        for (int label = 1; label <= (int)table->rows; label++)
            if (measured_count(&labels, label) == 0)
                measured_absent(table, label);
            else if (shapes[i].depth == 1)
                check_plane(table, &labels, label, sizes[which]);
            else
                check_stack(table, &labels, label, sizes[which]);
        drua_table_free(table);
        reference_free(&labels);
    }
    drua_close(context);
}
END_TEST

/* Labels of a few scattered voxels, whose boxes have so many lines that the host computes the hulls of some. */
START_TEST(scattered_voxels)
{
    enum { LABELS = 4, VOXELS = 10 };
    static const double size[3] = {1, 2, 3};
    static const int reach[LABELS] = {110, 6, 100, 30};
    drua_context *context = harness_open();
    harness_random chance = {(uint64_t)_i + 5};
    reference_image labels = reference_make(DRUA_UINT8, reference_stack(12, 110, 110));
    for (int label = 0; label < LABELS; label++)
        for (int i = 0; i < VOXELS; i++)
            reference_put(&labels, (int)harness_below(&chance, 12), (int)harness_below(&chance, reach[label]),
                          (int)harness_below(&chance, reach[label]), label + 1);
    drua_table *table = measured_table(context, &labels, "hull feret voxel=1,2,3");
    for (int label = 1; label <= LABELS; label++)
        check_stack(table, &labels, label, size);
    drua_table_free(table);
    reference_free(&labels);
    drua_close(context);
}
END_TEST

/* Areas in voxels of 1e-150 differ by a factor from those in voxels of 1. Areas in voxels of 1e-200 round to 0. */
START_TEST(tiny_voxels)
{
    drua_context *context = harness_open();
    reference_image labels = reference_make(DRUA_UINT8, reference_stack(5, 4, 3));
    for (int i = 0; i < 3; i++)
        reference_put(&labels, i, 1 + i / 2, i, 1);
    drua_table *ones = measured_table(context, &labels, "hull voxel=1,2,3"),
               *tiny = measured_table(context, &labels, "hull voxel=1e-150,2e-150,3e-150"),
               *none = measured_table(context, &labels, "hull voxel=1e-200,2e-200,3e-200");
    const double area = measured_cell(ones, 1, "HULL_SURFACE_AREA");
    ck_assert_double_gt(area, 0);
    measured_check(tiny, 1, "HULL_SURFACE_AREA", area * 1e-300, 1e-309);
    measured_check(tiny, 1, "SOLIDITY", measured_cell(ones, 1, "SOLIDITY"), 0);
    measured_check(none, 1, "HULL_SURFACE_AREA", 0, 0);
    drua_table_free(none);
    drua_table_free(tiny);
    drua_table_free(ones);
    reference_free(&labels);
    drua_close(context);
}
END_TEST

static void fill_box(reference_image *image, int x, int y, int width, int height, int label)
{
    for (int row = y; row < y + height; row++)
        for (int column = x; column < x + width; column++)
            reference_put(image, column, row, 0, label);
}

/* Numbers that MorphoLibJ's public tests expect of small images. */
START_TEST(known_planes)
{
    drua_context *context = harness_open();
    reference_image image = reference_make(DRUA_UINT8, reference_plane(16, 10));
    fill_box(&image, 1, 1, 10, 4, 3);
    fill_box(&image, 1, 6, 10, 2, 4);
    fill_box(&image, 13, 1, 2, 7, 5);
    drua_table *table = measured_table(context, &image, "feret");
    static const double boxes[][3] = {{10, 4, 0}, {10, 2, 0}, {7, 2, 90}};
    for (int i = 0; i < 3; i++) {
        measured_check(table, 3 + i, "ORIENTED_BOX_LENGTH", boxes[i][0], 1e-12);
        measured_check(table, 3 + i, "ORIENTED_BOX_WIDTH", boxes[i][1], 1e-12);
        measured_check(table, 3 + i, "ORIENTED_BOX_ANGLE", boxes[i][2], 1e-12);
    }
    drua_table_free(table);
    reference_free(&image);
    image = reference_make(DRUA_UINT8, reference_plane(8, 8));
    for (int i = 0; i < 4; i++)
        reference_put(&image, 1 + i % 2 * 4, 1 + i / 2 * 4, 0, 1);
    table = measured_table(context, &image, "hull");
    measured_check(table, 1, "AREA", 4, 0);
    measured_check(table, 1, "CONVEX_AREA", 25, 0);
    measured_check(table, 1, "SOLIDITY", 4.0 / 25, 1e-12);
    drua_table_free(table);
    reference_free(&image);
    image = reference_make(DRUA_UINT8, reference_stack(10, 10, 10));
    for (int i = 1; i < 9; i++)
        reference_put(&image, i, i, i, 1);
    table = measured_table(context, &image, "feret");
    measured_check(table, 1, "FERET_MAX", 8 * sqrt(3), 1e-12);
    drua_table_free(table);
    reference_free(&image);
    drua_close(context);
}
END_TEST

/* Pixel counts of scikit-image 0.26's area_convex for these ellipsoids, one of them with a gap. */
START_TEST(convex_volumes_of_scikit_image)
{
    static const struct {
        double centre[3], radius[3], voxels, convex;
    } labels[] = {{{14, 12, 10}, {13, 11, 9}, 5367, 5799},
                  {{50, 15, 28}, {15, 6, 8}, 2494, 3148},
                  {{20, 45, 20}, {7, 10, 15}, 4369, 4797},
                  {{55, 45, 30}, {12, 12, 5}, 2971, 3259}};
    drua_context *context = harness_open();
    reference_image image = reference_make(DRUA_UINT8, reference_stack(70, 60, 40));
    for (int i = 0; i < 4; i++)
        REFERENCE_EACH_PIXEL (image.shape, x, y, z)
            if (pow(((double)x - labels[i].centre[0]) / labels[i].radius[0], 2) +
                    pow(((double)y - labels[i].centre[1]) / labels[i].radius[1], 2) +
                    pow(((double)z - labels[i].centre[2]) / labels[i].radius[2], 2) <=
                1)
                reference_put(&image, x, y, z, i == 1 && x > 45 && x < 52 && y > 14 ? 0 : i + 1);
    drua_table *table = measured_table(context, &image, "hull units=pixels");
    for (int i = 0; i < 4; i++) {
        measured_check(table, i + 1, "VOLUME", labels[i].voxels, 0);
        measured_check(table, i + 1, "CONVEX_VOLUME", labels[i].convex, 0);
        measured_check(table, i + 1, "SOLIDITY", labels[i].voxels / labels[i].convex, 1e-12);
    }
    drua_table_free(table);
    reference_free(&image);
    drua_close(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("label_hulls");
    TCase *tests = tcase_create("label_hulls");
    tcase_set_timeout(tests, 600);
    harness_add(tests, random_labels, 6);
    harness_add(tests, scattered_voxels, 4);
    harness_add(tests, tiny_voxels, 1);
    harness_add(tests, known_planes, 1);
    harness_add(tests, convex_volumes_of_scikit_image, 1);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
