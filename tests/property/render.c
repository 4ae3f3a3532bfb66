/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests pictures of volumes: along the axes, where they are projections, from any direction against rays in double
 * precision, and of balls, whose outline and brightness are known.
 */
#include "harness.h"

#include <math.h>
#include <stdlib.h>

static drua_context *context;
static harness_random chance;

static void open_context(void)
{
    context = harness_open();
    chance.state = harness_new_seed("property_render");
}

static void close_context(void)
{
    drua_close(context);
}

typedef struct view {
    double angle_x, angle_y, level, slice_distance, zoom, width, height, step;
    char *mode;
} view;

static reference_image render(const reference_image *volume, const view *v)
{
    const drua_image source = harness_push(context, volume);
    drua_argument arguments[] = {IMAGE(source),
                                 NEW,
                                 NUMBER(v->angle_x),
                                 NUMBER(v->angle_y),
                                 NAME(v->mode),
                                 NUMBER(v->level),
                                 NUMBER(v->slice_distance),
                                 NUMBER(v->zoom),
                                 NUMBER(v->width),
                                 NUMBER(v->height),
                                 NUMBER(v->step)};
    REQUIRE(drua_invoke(context, "render_volume", arguments, 11, NULL));
    const reference_image picture = harness_pull(context, arguments[1].image);
    ck_assert_int_eq(picture.shape.width, (int64_t)v->width);
    ck_assert_int_eq(picture.shape.height, (int64_t)v->height);
    REQUIRE(drua_release(context, arguments[1].image));
    REQUIRE(drua_release(context, source));
    return picture;
}

/* The zoom with which a pixel of the picture is as wide as a pixel of the volume. */
static double natural_zoom(drua_shape s, double slice_distance, double width, double height)
{
    const double depth = (double)s.depth * slice_distance;
    return sqrt((double)(s.width * s.width + s.height * s.height) + depth * depth) / fmin(width, height);
}

/* The largest value, or the first one that is not 0, of a line of pixels. */
static double along(const reference_image *volume, const int64_t from[3], int axis, int64_t count, bool labels)
{
    double found = labels ? 0 : -INFINITY;
    for (int64_t i = 0; i < count; i++) {
        const int64_t at[3] = {axis == 0 ? i : from[0], axis == 1 ? i : from[1], axis == 2 ? i : from[2]};
        const double value = reference_at(volume, at[0], at[1], at[2]);
        found = labels ? (found != 0 ? found : value) : fmax(found, value);
    }
    return found;
}

/* From the front, from the left and from above, where positive angles turn the right and the lower side away. */
START_TEST(pictures_along_axes)
{
    enum { WIDTH = 11, HEIGHT = 7, DEPTH = 9 };
    const bool labels = _i % 2 == 1;
    const int axis = 2 - _i / 2;
    reference_image volume =
        harness_image(&chance, labels ? DRUA_UINT16 : DRUA_FLOAT32, (drua_shape){WIDTH, HEIGHT, DEPTH, 3},
                      labels ? HARNESS_LABELS : HARNESS_GREY);
    view v = {.slice_distance = 1, .step = 1, .mode = labels ? "labels" : "maximum"};
    v.width = axis == 0 ? DEPTH : WIDTH;
    v.height = axis == 1 ? DEPTH : HEIGHT;
    v.angle_x = axis == 1 ? 90 : 0;
    v.angle_y = axis == 0 ? 90 : 0;
    v.zoom = natural_zoom(volume.shape, 1, v.width, v.height);
    reference_image picture = render(&volume, &v);
    REFERENCE_EACH_PIXEL (picture.shape, x, y, z) {
        const int64_t from[3] = {axis == 0 ? 0 : x, axis == 1 ? 0 : y,
                                 axis == 0   ? DEPTH - 1 - x
                                 : axis == 1 ? DEPTH - 1 - y
                                             : z};
        const double expected = along(&volume, from, axis, axis == 0 ? WIDTH : axis == 1 ? HEIGHT : DEPTH, labels);
        ck_assert_double_eq_tol(reference_at(&picture, x, y, 0), expected, 1e-3 * (1 + fabs(expected)));
    }
    reference_free(&picture);
    reference_free(&volume);
}
END_TEST

static double clamped_pixel(const reference_image *volume, double x, double y, double z)
{
    const drua_shape s = volume->shape;
    return reference_at(volume, (int64_t)fmin(fmax(x, 0), (double)s.width - 1),
                        (int64_t)fmin(fmax(y, 0), (double)s.height - 1),
                        (int64_t)fmin(fmax(z, 0), (double)s.depth - 1));
}

static double interpolate_at(const reference_image *volume, const double at[3])
{
    double value = 0;
    for (int i = 0; i < 8; i++) {
        double weight = 1, corner[3];
        for (int axis = 0; axis < 3; axis++) {
            const double low = floor(at[axis]), share = at[axis] - low;
            weight *= i >> axis & 1 ? share : 1 - share;
            corner[axis] = low + (i >> axis & 1);
        }
        value += weight * clamped_pixel(volume, corner[0], corner[1], corner[2]);
    }
    return value;
}

/* The largest value along the ray of a pixel; the volume is turned point by point, as if the camera stood still. */
static double ray_maximum(const reference_image *volume, const view *v, double pixel, double x, double y)
{
    const double degree = 3.14159265358979323846 / 180, a = v->angle_x * degree, b = v->angle_y * degree;
    const drua_shape s = volume->shape;
    const double size[3] = {(double)s.width, (double)s.height, (double)s.depth * v->slice_distance};
    const double reach = sqrt(size[0] * size[0] + size[1] * size[1] + size[2] * size[2]) / 2;
    double found = 0;
    bool any = false;
    for (double t = -ceil(reach / v->step) * v->step; t <= reach + v->step; t += v->step) {
        const double seen[3] = {(x - (v->width - 1) / 2) * pixel, (y - (v->height - 1) / 2) * pixel, t};
        const double level = cos(a) * seen[1] + sin(a) * seen[2], deep = cos(a) * seen[2] - sin(a) * seen[1];
        const double at[3] = {cos(b) * seen[0] + sin(b) * deep + size[0] / 2 - 0.5, level + size[1] / 2 - 0.5,
                              (cos(b) * deep - sin(b) * seen[0]) / v->slice_distance + (double)s.depth / 2 - 0.5};
        if (at[0] < -0.5 || at[1] < -0.5 || at[2] < -0.5 || at[0] >= (double)s.width - 0.5 ||
            at[1] >= (double)s.height - 0.5 || at[2] >= (double)s.depth - 0.5)
            continue;
        found = any ? fmax(found, interpolate_at(volume, at)) : interpolate_at(volume, at);
        any = true;
    }
    return found;
}

/* Samples at the border of the volume may be in or out by rounding, so a few pixels may differ. */
START_TEST(rays_from_any_direction)
{
    const drua_shape s = {20 + harness_below(&chance, 20), 15 + harness_below(&chance, 20),
                          5 + harness_below(&chance, 20), 3};
    reference_image volume = harness_image(&chance, DRUA_UINT8, s, HARNESS_GREY);
    const view v = {.angle_x = harness_below(&chance, 360),
                    .angle_y = harness_below(&chance, 360),
                    .slice_distance = 0.5 + harness_below(&chance, 4),
                    .zoom = 1 + harness_below(&chance, 3) * 0.5,
                    .width = 40,
                    .height = 30,
                    .step = 0.5 + 0.25 * harness_below(&chance, 4),
                    .mode = "maximum"};
    const double pixel = natural_zoom(s, v.slice_distance, v.width, v.height) / v.zoom;
    reference_image picture = render(&volume, &v);
    int differ = 0, inside = 0;
    REFERENCE_EACH_PIXEL (picture.shape, x, y, z) {
        const double expected = ray_maximum(&volume, &v, pixel, (double)x, (double)y);
        differ += fabs(reference_at(&picture, x, y, z) - expected) > 0.1;
        inside += expected > 0;
    }
    ck_assert_msg(inside > 50 && differ <= inside / 20, "%d of %d pixels differ", differ, inside);
    reference_free(&picture);
    reference_free(&volume);
}
END_TEST

/* A ball looks the same from all sides: a disc that is bright in the middle and dark at the edge. */
START_TEST(balls)
{
    enum { SIDE = 61, RADIUS = 22, PICTURE = 120 };
    static char *const modes[] = {"surface", "label_surface"};
    const double distance = 1 + harness_below(&chance, 2), margin = 3;
    reference_image volume = reference_make(DRUA_FLOAT32, reference_stack(SIDE, SIDE, (int64_t)(SIDE / distance)));
    const drua_shape s = volume.shape;
    REFERENCE_EACH_PIXEL (s, x, y, z) {
        const double dx = (double)x - (double)(s.width - 1) / 2, dy = (double)y - (double)(s.height - 1) / 2,
                     dz = ((double)z - (double)(s.depth - 1) / 2) * distance,
                     from_surface = RADIUS - sqrt(dx * dx + dy * dy + dz * dz);
        reference_put(&volume, x, y, z, _i == 0 ? 100 + 20 * fmin(fmax(from_surface, -5), 5) : from_surface > 0);
    }
    const view v = {.angle_x = harness_below(&chance, 360),
                    .angle_y = harness_below(&chance, 360),
                    .level = 100,
                    .slice_distance = distance,
                    .zoom = 1,
                    .width = PICTURE,
                    .height = PICTURE,
                    .step = 1,
                    .mode = modes[_i]};
    const double pixel = natural_zoom(s, distance, PICTURE, PICTURE);
    reference_image picture = render(&volume, &v);
    double errors = 0;
    int inside = 0;
    REFERENCE_EACH_PIXEL (picture.shape, x, y, z) {
        const double u = ((double)x - (PICTURE - 1) / 2.0) * pixel, w = ((double)y - (PICTURE - 1) / 2.0) * pixel;
        const double from_centre = sqrt(u * u + w * w), got = reference_at(&picture, x, y, z);
        if (from_centre > RADIUS + margin)
            ck_assert_double_eq(got, 0);
        if (from_centre < RADIUS - margin) {
            const double facing = sqrt(1 - from_centre * from_centre / (RADIUS * RADIUS)),
                         error = fabs(got - 255 * (0.2 + 0.8 * facing));
            ck_assert_double_lt(error, _i == 0 ? 15 : 80);
            errors += error;
            inside++;
        }
    }
    ck_assert_int_gt(inside, 1000);
    ck_assert_double_lt(errors / inside, _i == 0 ? 3 : 15); /* the surface of a label consists of steps */
    reference_free(&picture);
    reference_free(&volume);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("render");
    TCase *tests = tcase_create("render");
    tcase_add_checked_fixture(tests, open_context, close_context);
    tcase_set_timeout(tests, 600);
    harness_add(tests, pictures_along_axes, 6);
    harness_add(tests, rays_from_any_direction, 6);
    harness_add(tests, balls, 2);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
