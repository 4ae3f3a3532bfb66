/* SPDX-License-Identifier: BSD-3-Clause */
#include "moving_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOBS = 60 };

typedef struct scene {
    double x[BLOBS], y[BLOBS], width[BLOBS], height[BLOBS];
} scene;

static scene make_scene(harness_random *chance, int width, int height)
{
    scene s;
    for (int i = 0; i < BLOBS; i++) {
        s.x[i] = harness_below(chance, 1000) * width / 1000.0;
        s.y[i] = harness_below(chance, 1000) * height / 1000.0;
        s.width[i] = 2 + harness_below(chance, 100) / 25.0;
        s.height[i] = 100 + harness_below(chance, 900);
    }
    return s;
}

static double brightness_at(const scene *s, double x, double y)
{
    double sum = 200;
    for (int i = 0; i < BLOBS; i++) {
        const double dx = x - s->x[i], dy = y - s->y[i], square = (dx * dx + dy * dy) / (2 * s->width[i] * s->width[i]);
        sum += square < 30 ? s->height[i] * exp(-square) : 0;
    }
    return sum;
}

moving_frame moving_by(double width, double height, double turn, double scale, double shear, double x, double y)
{
    moving_frame k = {
        .xx = scale * cos(turn), .xy = -scale * sin(turn) + shear, .yx = scale * sin(turn), .yy = scale * cos(turn)};
    k.x0 = x + width / 2 - k.xx * width / 2 - k.xy * height / 2;
    k.y0 = y + height / 2 - k.yx * width / 2 - k.yy * height / 2;
    return k;
}

/* Position of the scene that lies at x, y of a frame. The twist is small, so that the steps converge. */
static void scene_position(const moving_frame *k, double x, double y, double at[2])
{
    const double det = k->xx * k->yy - k->xy * k->yx;
    at[0] = at[1] = 0;
    for (int step = 0; step < 60; step++) {
        const double dx = x - k->x0 - k->twist_x * at[0] * at[1], dy = y - k->y0 - k->twist_y * at[0] * at[1];
        at[0] = (k->yy * dx - k->xy * dy) / det;
        at[1] = (k->xx * dy - k->yx * dx) / det;
    }
}

static void draw_frame(harness_random *chance, const scene *s, const moving_frame *k, double noise,
                       reference_image *movie, int64_t z)
{
    REFERENCE_EACH_PIXEL (((drua_shape){movie->shape.width, movie->shape.height, 1, 2}), x, y, none) {
        const double random = harness_below(chance, 2001) / 1000.0 - 1;
        double at[2];
        (void)none;
        scene_position(k, (double)x, (double)y, at);
        reference_put(movie, x, y, z, brightness_at(s, at[0], at[1]) + noise * random);
    }
}

reference_image moving_movie(harness_random *chance, const moving_frame *frames, int64_t count, int64_t width,
                             int64_t height, double noise)
{
    const scene s = make_scene(chance, (int)width, (int)height);
    reference_image movie = reference_make(DRUA_UINT16, reference_stack(width, height, count));
    for (int64_t z = 0; z < count; z++)
        draw_frame(chance, &s, &frames[z], noise, &movie, z);
    return movie;
}

double moving_error(const moving_frame *k, const double *row, double width, double height)
{
    double max = 0;
    for (int i = 0; i < 9; i++) {
        const double x = i % 3 * width / 2, y = i / 3 * height / 2;
        max = fmax(max, hypot(k->xx * x + k->xy * y + k->x0 + k->twist_x * x * y - row[MOVED_XX] * x -
                                  row[MOVED_XX + 1] * y - row[MOVED_XX + 2] - row[MOVED_TWIST] * x * y,
                              k->yx * x + k->yy * y + k->y0 + k->twist_y * x * y - row[MOVED_XX + 3] * x -
                                  row[MOVED_XX + 4] * y - row[MOVED_XX + 5] - row[MOVED_TWIST + 1] * x * y));
    }
    return max;
}

drua_table *moving_estimate(drua_context *context, drua_image movie, const char *mode, const char *reference,
                            drua_image *transforms)
{
    drua_table *table = NULL;
    drua_argument arguments[] = {IMAGE(movie), NEW, NAME(mode), NAME(reference)};
    REQUIRE(drua_invoke(context, "estimate_registration", arguments, 4, &table));
    ck_assert_uint_eq(table->columns, MOVED_COLUMNS);
    if (transforms)
        *transforms = arguments[1].image;
    else
        drua_release(context, arguments[1].image);
    return table;
}
