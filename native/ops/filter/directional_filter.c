/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan.h"

#include <math.h>

enum { EROSION, DILATION, OPENING, CLOSING };
enum { MOST_SHIFTS = 1024 };

/* Pixels of a line around a pixel. */
typedef struct line {
    int32_t shifts[MOST_SHIFTS][2];
    int count;
} line;

/* The line of that length and angle in degrees, one pixel for each step along its longer axis. */
static void make_line(line *l, double length, double angle)
{
    const double dx = cos(angle * M_PI / 180), dy = sin(angle * M_PI / 180);
    const bool steep = fabs(dx) < fabs(dy);
    const int half = (int)floor((length * fmax(fabs(dx), fabs(dy)) - 1) / 2 + 0.5);
    l->count = 0;
    for (int i = -half; i <= half; i++, l->count++) {
        l->shifts[l->count][steep] = i;
        l->shifts[l->count][!steep] = (int32_t)floor(i * (steep ? dx / dy : dy / dx) + 0.5);
    }
}

static void launch_extrema(drua_plan *p, const line *l, drua_view from, drua_view best, drua_view to, int sign,
                           bool largest, int joins)
{
    LAUNCH(p, "extrema_of_lines", plan_grid(to.layout), ARG(from), ARG(best), ARG(to),
           TABLE(l->shifts, (uint64_t)l->count * sizeof *l->shifts), INT(l->count), INT(sign), INT(largest),
           INT(joins));
}

/* One of two images holds the result of the directions so far; the next direction writes the other image. */
static void launch_directional(drua_plan *p)
{
    const drua_view source = plan_image(p, "source");
    const drua_shape shape = plan_shape(p, "source");
    const int operation = plan_choice(p, "operation"), join = plan_choice(p, "keep") + 1;
    const int64_t directions = plan_integer(p, "directions");
    const bool twice = operation == OPENING || operation == CLOSING,
               largest_first = operation == DILATION || operation == CLOSING;
    const drua_view middle = twice ? plan_scratch(p, shape, DRUA_FLOAT32) : source;
    drua_view best = plan_scratch(p, shape, DRUA_FLOAT32), next = plan_scratch(p, shape, DRUA_FLOAT32);
    line *l = plan_host_memory(p, sizeof *l);
    for (int64_t i = 0; i < directions && !plan_failed(p); i++) {
        const drua_view to = i == directions - 1 ? plan_image(p, "destination") : next;
        make_line(l, (double)plan_integer(p, "length"), 180.0 * (double)i / (double)directions);
        if (twice)
            launch_extrema(p, l, source, source, middle, 1, largest_first, 0);
        launch_extrema(p, l, middle, best, to, twice ? -1 : 1, twice ? !largest_first : largest_first,
                       i > 0 ? join : 0);
        next = best;
        best = to;
    }
}

static void line_parts(drua_plan *p, drua_parts *parts)
{
    parts->halo[0] = parts->halo[1] = plan_integer(p, "length") + 1;
    parts->columns = true;
}

DRUA_OP(directional_filter) = {
    .name = "directional_filter",
    .category = "filter",
    .menu = true,
    .summary = "Keeps thin bright or dark lines of any direction: filters along lines and keeps the best direction.",
    .source = "Directional Filtering of MorphoLibJ, slice by slice, as float32: grey morphology with lines of evenly "
              "spaced directions; pixels outside the image do not count",
    DRUA_PARAMS(
        DRUA_IMAGE_IN("source", "image to filter"), DRUA_IMAGE_OUT("destination", "filtered image"),
        DRUA_CHOICE("keep", "keeps the largest or the smallest result of all directions",
                    DRUA_CHOICES("largest", "smallest"), .default_text = "largest"),
        DRUA_CHOICE("operation",
                    "opening with keep=largest keeps bright lines; closing with keep=smallest keeps dark lines",
                    DRUA_CHOICES("erosion", "dilation", "opening", "closing"), .default_text = "opening"),
        DRUA_INTEGER("length", "length of the lines", .unit = "pixel", DRUA_RANGE(1, 1000), .default_value = 20),
        DRUA_INTEGER("directions", "number of directions in 180 degrees", DRUA_RANGE(1, 180), .default_value = 32)),
    .numeric = DRUA_EXACT,
    .launch = launch_directional,
    .parts = line_parts,
};
