/* SPDX-License-Identifier: BSD-3-Clause */
/* ImageJ's Subtract Background: a ball rolls, or a paraboloid slides, below the surface of grey values. */
#include "plan.h"

#include <math.h>

/* The part of the ball that can touch the image, in pixels of an image that is `shrink` times smaller. */
typedef struct ball {
    int shrink, half;
    double radius;
} ball;

static ball choose_ball(double radius)
{
    ball b = {.shrink = radius <= 10 ? 1 : radius <= 30 ? 2 : 4};
    int trimmed = radius <= 30 ? 24 : 32; /* percent */
    if (radius > 100) {
        b.shrink = 8;
        trimmed = 40;
    }
    b.radius = fmax(radius / b.shrink, 1);
    const int trim = (int)(trimmed * b.radius) / 100;
    b.half = (int)floor(b.radius - trim + 0.5);
    return b;
}

/* Sends the heights of the ball above its centre. */
static drua_view send_ball(drua_plan *p, const ball *b)
{
    const int side = 2 * b->half + 1;
    const drua_shape shape = {side, side, 1, 2};
    const drua_view sent = plan_scratch(p, shape, DRUA_FLOAT32);
    float *heights = plan_host_memory(p, (size_t)side * (size_t)side * sizeof *heights);
    if (plan_failed(p))
        return sent;
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            const double dx = x - b->half, dy = y - b->half, square = b->radius * b->radius - dx * dx - dy * dy;
            heights[y * side + x] = square > 0 ? (float)sqrt(square) : 0;
        }
    plan_write(p, sent, heights);
    return sent;
}

static uint64_t bytes_of(int64_t width, int64_t height, int64_t depth)
{
    return (uint64_t)width * (uint64_t)height * (uint64_t)depth * sizeof(float);
}

static void roll_ball(drua_plan *p, float sign, bool creates)
{
    const drua_view from = plan_image(p, "source"), to = plan_image(p, "destination");
    const ball b = choose_ball(plan_number(p, "radius"));
    const int width = (from.layout.width + b.shrink - 1) / b.shrink,
              height = (from.layout.height + b.shrink - 1) / b.shrink, depth = from.layout.depth,
              wide = width + 2 * b.half, high = height + 2 * b.half, side = 2 * b.half + 1;
    const drua_view heights_of_ball = send_ball(p, &b), small = plan_scratch_bytes(p, bytes_of(width, height, depth)),
                    heights = plan_scratch_bytes(p, bytes_of(wide, high, depth));
    drua_grid shrunk = GRID(width, height, depth, 16, 16, 1), rolled = GRID(wide, high, depth, 16, 16, 1);
    LAUNCH(p, "ball_shrink", shrunk, ARG(from), POINTER(small), INT(width), INT(height), INT(b.shrink),
           INT(!plan_flag(p, "disable_smoothing")), REAL(sign));
    shrunk.turns = rolled.turns = (int64_t)side * side;
    LAUNCH(p, "ball_heights", rolled, POINTER(small), INT(width), INT(height), INT(depth), POINTER(heights_of_ball),
           INT(b.half), POINTER(heights));
    LAUNCH(p, "ball_raise", shrunk, POINTER(heights), POINTER(heights_of_ball), INT(b.half), INT(width), INT(height),
           INT(depth), POINTER(small));
    LAUNCH(p, "ball_finish", plan_grid(to.layout), ARG(from), POINTER(small), INT(width), INT(height), INT(b.shrink),
           REAL(sign), INT(creates), ARG(to));
}

/* The image in which the parabolas slide. */
typedef struct sliding {
    drua_view pixels, next;
    int width, height, depth;
    float curvature;
} sliding;
#define SLIDING(s) POINTER((s)->pixels), POINTER((s)->next), INT((s)->width), INT((s)->height), INT((s)->depth)

/* Takes the maximum of 3 x 3 pixels, then their mean. Returns by how much the maximum raised each line. */
static drua_view smooth_image(drua_plan *p, const sliding *s)
{
    const drua_view rises = plan_scratch_bytes(p, 2 * bytes_of(s->width + s->height, 1, s->depth));
    for (int mean = 0; mean < 2; mean++)
        for (int down = 0; down < 2; down++)
            LAUNCH(p, "slide_filter", GRID(down ? s->width : s->height, s->depth, 1, 64, 1, 1), POINTER(s->pixels),
                   INT(s->width), INT(s->height), INT(s->depth), INT(down), INT(mean), POINTER(rises));
    return rises;
}

/*
 * Lowers corners that objects cover. Lines that share pixels also share the point lists of these pixels, so they are
 * processed one after another: two rows together, then two columns, then each diagonal.
 */
static void correct_corners(drua_plan *p, const sliding *s)
{
    const int longest = s->width > s->height ? s->width : s->height;
    const bool apart = s->width > 1 && s->height > 1;
    const drua_view copies = plan_scratch_bytes(p, bytes_of(4, longest, s->depth)),
                    estimates = plan_scratch_bytes(p, bytes_of(16, 1, s->depth));
    for (int edge = 0, count; edge < 8; edge += count) {
        count = edge < 4 && apart ? 2 : 1;
        LAUNCH(p, "slide_edges", GRID(count, s->depth, 1, 1, 1, 1), POINTER(s->pixels), POINTER(s->next),
               POINTER(copies), POINTER(estimates), INT(s->width), INT(s->height), INT(s->depth), INT(edge), INT(count),
               REAL(s->curvature));
    }
    LAUNCH(p, "slide_lower_corners", GRID(s->depth, 1, 1, 1, 1, 1), POINTER(s->pixels), POINTER(estimates),
           INT(s->width), INT(s->height), INT(s->depth));
}

static void slide_all_lines(drua_plan *p, const sliding *s)
{
    enum { ROWS, COLUMNS, FALLING_FROM_TOP, FALLING_FROM_LEFT, RISING_FROM_TOP, RISING_FROM_RIGHT };
    static const int order[] = {ROWS,
                                COLUMNS,
                                ROWS,
                                FALLING_FROM_TOP,
                                FALLING_FROM_LEFT,
                                RISING_FROM_TOP,
                                RISING_FROM_RIGHT,
                                FALLING_FROM_TOP,
                                FALLING_FROM_LEFT};
    const int first[] = {0, 0, 0, 1, 2, 0}, /* lines of one or two pixels stay */
        end[] = {s->height, s->width, s->width - 2, s->height - 2, s->width, s->height - 2};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        const int direction = order[i], lines = end[direction] - first[direction];
        if (lines > 0)
            LAUNCH(p, "slide_lines", GRID(lines, s->depth, 1, 64, 1, 1), SLIDING(s), INT(direction),
                   INT(first[direction]), INT(end[direction]),
                   REAL(direction < FALLING_FROM_TOP ? s->curvature : 2 * s->curvature));
    }
}

/* Sends, for each slice, the mean amount by which the maximum raised its pixels. */
static drua_view send_shifts(drua_plan *p, const sliding *s, drua_view rises)
{
    const size_t lines = (size_t)(s->width + s->height), depth = (size_t)s->depth;
    const drua_shape shape = {s->depth, 1, 1, 2};
    const drua_view sent = plan_scratch(p, shape, DRUA_FLOAT32);
    float *shifts = plan_host_memory(p, depth * sizeof *shifts);
    if (rises.buffer) {
        float *parts = plan_host_memory(p, 2 * lines * depth * sizeof *parts);
        if (parts)
            plan_read(p, rises, parts, 2 * lines * depth * sizeof *parts);
        for (size_t z = 0; z < depth && !plan_failed(p); z++) {
            double sum = 0;
            for (size_t i = 0; i < lines; i++)
                sum += (double)parts[2 * (z * lines + i)] + (double)parts[2 * (z * lines + i) + 1];
            shifts[z] = (float)(sum / s->width / s->height);
        }
    }
    if (!plan_failed(p))
        plan_write(p, sent, shifts);
    return sent;
}

static void slide_paraboloid(drua_plan *p, float sign, bool creates)
{
    const drua_view from = plan_image(p, "source"), to = plan_image(p, "destination");
    const drua_layout l = from.layout;
    const uint64_t bytes = bytes_of(l.width, l.height, l.depth);
    const sliding s = {plan_scratch_bytes(p, bytes),          plan_scratch_bytes(p, bytes), l.width, l.height, l.depth,
                       0.5f / (float)plan_number(p, "radius")};
    drua_view rises = {0};
    LAUNCH(p, "slide_begin", plan_grid(l), ARG(from), POINTER(s.pixels), REAL(sign));
    if (!plan_flag(p, "disable_smoothing"))
        rises = smooth_image(p, &s);
    correct_corners(p, &s);
    slide_all_lines(p, &s);
    LAUNCH(p, "slide_finish", plan_grid(to.layout), ARG(from), POINTER(s.pixels), POINTER(send_shifts(p, &s, rises)),
           REAL(sign), INT(creates), ARG(to));
}

static void launch_subtract_background(drua_plan *p)
{
    const float sign = plan_flag(p, "light_background") ? -1 : 1;
    const bool creates = plan_flag(p, "create_background");
    if (plan_flag(p, "sliding_paraboloid"))
        slide_paraboloid(p, sign, creates);
    else
        roll_ball(p, sign, creates);
}

/* Bytes of scratch memory: two numbers for each pixel, or two for each pixel of the small image with its margin. */
static uint64_t scratch_of_background(drua_plan *p)
{
    const drua_shape of = plan_shape(p, "source");
    const ball b = choose_ball(plan_number(p, "radius"));
    if (plan_flag(p, "sliding_paraboloid"))
        return 2 * bytes_of(of.width + 4, of.height + 4, of.depth) + 4 * bytes_of(of.width + of.height, 2, of.depth);
    return 2 * bytes_of(of.width / b.shrink + 1 + 2 * b.half, of.height / b.shrink + 1 + 2 * b.half, of.depth) +
           bytes_of(2 * b.half + 1, 2 * b.half + 1, 1);
}

/*
 * The paraboloid slides over whole slices. The ball touches pixels up to `half` from its centre, and raises the same
 * pixels. Tiles begin at whole pixels of the small image.
 */
static void background_parts(drua_plan *p, drua_parts *parts)
{
    const ball b = choose_ball(plan_number(p, "radius"));
    if (plan_flag(p, "sliding_paraboloid")) {
        plan_parts_slices(p, parts);
        return;
    }
    for (int axis = 0; axis < 2; axis++) {
        parts->halo[axis] = (int64_t)b.shrink * (2 * b.half + 3) + 1;
        parts->align[axis] = b.shrink;
    }
    parts->columns = true;
}

DRUA_OP(subtract_background) = {
    .name = "subtract_background",
    .category = "filter",
    .menu = true,
    .summary = "Subtracts the background that a rolling ball or a sliding paraboloid finds in each slice, as ImageJ's "
               "Subtract Background does.",
    .source = "Sternberg 1983, in the order and with the rounding of ImageJ 1.54: 8-bit, 16-bit and float32 results "
              "are those of the command. Light backgrounds of 8 and 16 bits are subtracted from white; images of 32 "
              "bits then get values below 0",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to filter"),
                DRUA_IMAGE_OUT("destination", "image without background, or the background"),
                DRUA_NUMBER("radius",
                            "radius of the ball, or of the curvature of the paraboloid; at least that of "
                            "the largest object",
                            .unit = "pixel", DRUA_RANGE(0.001, 1000), .default_value = 50),
                DRUA_BOOLEAN("light_background", "objects are darker than the background"),
                DRUA_BOOLEAN("create_background", "returns the background instead of the image without it"),
                DRUA_BOOLEAN("sliding_paraboloid", "uses a sliding paraboloid instead of a rolling ball"),
                DRUA_BOOLEAN("disable_smoothing", "estimates the background from the image itself; off: from the image "
                                                  "smoothed by 3 x 3 pixels")),
    .numeric = DRUA_EXACT,
    .traits = DRUA_WHOLE, /* a paraboloid needs whole slices */
    .launch = launch_subtract_background,
    .scratch = scratch_of_background,
    .parts = background_parts,
};
