/* SPDX-License-Identifier: BSD-3-Clause */
/* A simulated movie with known emitter positions, to test super-resolution. */
#include "plan.h"

#include <math.h>
#include <stdlib.h>

/* magnification of the true image; an emitter is drawn up to this many standard deviations from its centre */
enum { TRUTH = 5, REACH = 4 };

typedef struct emitter {
    float x, y;
} emitter;

static double random_number(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

static int by_row(const void *a, const void *b)
{
    const float x = ((const emitter *)a)->y, y = ((const emitter *)b)->y;
    return (x > y) - (x < y);
}

/*
 * Places emitters on two lines and, below them, on two rings. The lines diverge from 0 to 5 pixels, starting at a fifth
 * of the view's width. The rings are 3 pixels apart. The smallest distance that is resolved shows the resolution.
 */
static void place_emitters(emitter *e, int count, double width, double height, uint64_t *random)
{
    for (int i = 0; i < count; i++) {
        const double t = random_number(random), side = random_number(random) < 0.5 ? -1 : 1;
        if (i % 2) {
            const double angle = 6.283185307179586 * t, radius = 0.16 * height + 1.5 * side;
            e[i] = (emitter){(float)(0.5 * width + radius * cos(angle)), (float)(0.68 * height + radius * sin(angle))};
        } else {
            e[i] = (emitter){(float)(width * (0.1 + 0.8 * t)),
                             (float)(0.25 * height + side * 2.5 * fmax(0, t - 0.125) / 0.875)};
        }
    }
    qsort(e, (size_t)count, sizeof *e, by_row);
}

/*
 * On and off times follow geometric distributions with these means. Brightness varies slightly from one period of light
 * to the next.
 */
static void draw_brightness(float *light, int emitters, int frames, double photons, double on_frames, double on_share,
                            uint64_t *random)
{
    const double ends = 1 / on_frames, begins = fmin(1, ends * on_share / (1 - on_share));
    for (int e = 0; e < emitters; e++) {
        double level = random_number(random) < on_share ? 1 : 0;
        for (int t = 0; t < frames; t++) {
            if (level > 0 ? random_number(random) < ends : random_number(random) < begins)
                level = level > 0 ? 0 : 0.5 + random_number(random);
            light[(size_t)t * (size_t)emitters + (size_t)e] = (float)(photons * level);
        }
    }
}

static void movie_shape(drua_plan *p, drua_shape *shape)
{
    *shape = (drua_shape){plan_integer(p, "width"), plan_integer(p, "height"), plan_integer(p, "frames"), 3};
}

static void truth_shape(drua_plan *p, drua_shape *shape)
{
    *shape = (drua_shape){plan_integer(p, "width") * TRUTH, plan_integer(p, "height") * TRUTH, 1, 2};
}

static void launch_blinking_emitters(drua_plan *p)
{
    const int width = (int)plan_integer(p, "width"), height = (int)plan_integer(p, "height"),
              frames = (int)plan_integer(p, "frames");
    const int count = (int)plan_integer(p, "emitters");
    const double on_frames = plan_number(p, "on_frames"), on_share = plan_number(p, "on_share"),
                 max = on_frames / (on_frames + 1);
    if (on_share > max + 1e-9)
        plan_fail(
            p, "on_share must be at most %g, got %g: an emitter that is on for %g frames is then off for at least one",
            max, on_share, on_frames);
    const double sigma = plan_number(p, "sigma"), drift_x = plan_number(p, "drift_x"),
                 drift_y = plan_number(p, "drift_y");
    const double step = frames > 1 ? 1.0 / (frames - 1) : 0;
    uint64_t random = (uint64_t)plan_integer(p, "seed") * 2654435769u + 1;
    emitter *emitters = plan_host_memory(p, (size_t)count * sizeof *emitters);
    int32_t *rows = plan_host_memory(p, 2 * (size_t)height * sizeof *rows);
    float *light = plan_host_memory(p, (size_t)count * (size_t)frames * sizeof *light);
    float *truth = plan_host_memory(p, (size_t)(width * TRUTH) * (size_t)(height * TRUTH) * sizeof *truth);
    if (plan_failed(p))
        return;
    place_emitters(emitters, count, width, height, &random);
    draw_brightness(light, count, frames, plan_number(p, "photons"), on_frames, on_share, &random);
    for (int i = 0; i < count; i++) {
        const int x = (int)(emitters[i].x * TRUTH), y = (int)(emitters[i].y * TRUTH);
        if (x >= 0 && y >= 0 && x < width * TRUTH && y < height * TRUTH)
            truth[(size_t)y * (size_t)(width * TRUTH) + (size_t)x]++;
    }
    const double above = REACH * sigma + fmax(drift_y, 0), below = REACH * sigma - fmin(drift_y, 0);
    for (int y = 0; y < height; y++) {
        while (rows[2 * y] < count && emitters[rows[2 * y]].y < y - above)
            rows[2 * y]++;
        rows[2 * y + 1] = rows[2 * y];
        while (rows[2 * y + 1] < count && emitters[rows[2 * y + 1]].y < y + 1 + below)
            rows[2 * y + 1]++;
        if (y + 1 < height)
            rows[2 * y + 2] = rows[2 * y];
    }
    drua_view where = plan_scratch_bytes(p, (uint64_t)count * sizeof *emitters),
              lines = plan_scratch_bytes(p, 2 * (uint64_t)height * sizeof *rows);
    drua_view lit = plan_scratch(p, (drua_shape){count, frames, 1, 2}, DRUA_FLOAT32), out = plan_image(p, "truth");
    drua_view known = plan_scratch(p, (drua_shape){width * TRUTH, height * TRUTH, 1, 2}, DRUA_FLOAT32);
    plan_write(p, where, emitters);
    plan_write(p, lines, rows);
    plan_write(p, lit, light);
    plan_write(p, known, truth);
    plan_copy(p, known, out, 0, 0, 0);
    plan_free_scratch(p, known);
    for (drua_tiles t = {.output = "movie"}; plan_next_tile(p, &t);)
        LAUNCH(p, "esrrf_draw_emitters", plan_tile_grid(plan_grid(t.to.layout), &t), ARG(t.to), POINTER(where),
               POINTER(lines), ARG(lit), REAL(sigma), REAL(plan_number(p, "background")), REAL(step * drift_x),
               REAL(step * drift_y), INT(plan_integer(p, "seed")));
}

#define SIZE(name, doc_, max, default_)                                                                                \
    DRUA_INTEGER(name, doc_, .unit = "pixel", DRUA_RANGE(1, max), .default_value = default_)

#define DRIFT(name)                                                                                                    \
    DRUA_NUMBER(name, "how far all emitters move from the first to the last frame", .unit = "pixel",                   \
                DRUA_RANGE(-1000, 1000))

DRUA_OP(blinking_emitters) = {
    .name = "blinking_emitters",
    .category = "super-resolution",
    .summary =
        "Makes a movie of blinking emitters with photon noise, and the truth: how many emitters are in each pixel of a "
        "view magnified 5 times. The distance of two lines grows from 0 to 5 pixels; two rings are 3 pixels apart.",
    .source = "on and off times follow geometric distributions, photons a Poisson distribution; the image of an "
              "emitter is a Gaussian",
    DRUA_PARAMS(
        DRUA_IMAGE_OUT("movie", "frames, one per slice", .shape = movie_shape, .type = DRUA_UINT16, .by_tiles = true),
        DRUA_IMAGE_OUT("truth", "emitters of each magnified pixel", .shape = truth_shape, .type = DRUA_FLOAT32),
        SIZE("width", "width of a frame", 16384, 64), SIZE("height", "height of a frame", 16384, 64),
        DRUA_INTEGER("frames", "frames of the movie", DRUA_RANGE(1, 100000), .default_value = 200),
        DRUA_INTEGER("emitters", "number of emitters", DRUA_RANGE(1, 100000), .default_value = 1000),
        DRUA_NUMBER("sigma", "standard deviation of the image of an emitter", .unit = "pixel", DRUA_RANGE(0.3, 20),
                    .default_value = 1.2),
        DRUA_NUMBER("photons", "mean number of photons that an emitter sends in a frame while it is on",
                    DRUA_RANGE(0, 1e6), .default_value = 400),
        DRUA_NUMBER("background", "photons of the background in a pixel", DRUA_RANGE(0, 60000), .default_value = 20),
        DRUA_NUMBER("on_frames", "frames that an emitter stays on, on average", DRUA_RANGE(1, 1e6), .default_value = 2),
        DRUA_NUMBER("on_share", "share of its time that an emitter is on, at most on_frames / (on_frames + 1)",
                    DRUA_RANGE(0.0001, 0.99), .default_value = 0.03),
        DRUA_INTEGER("seed", "seed of the random numbers; another number gives another movie",
                     DRUA_RANGE(0, 2147483647), .default_value = 1),
        DRIFT("drift_x"), DRIFT("drift_y")),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_WHOLE,
    .launch = launch_blinking_emitters,
};
