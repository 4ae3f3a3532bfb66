/* SPDX-License-Identifier: BSD-3-Clause */
/* A point spread function from an image of beads: found, centred between pixels, averaged, freed of the background. On the host. */
#include "plan.h"

#include <stdlib.h>
#include <string.h>

typedef struct stack {
    int64_t w, h, d;
    float *v;
} stack;

static void extent(drua_plan *p, drua_shape *shape)
{
    *shape = (drua_shape){plan_integer(p, "width"), plan_integer(p, "height"), plan_integer(p, "depth"), 3};
}

static float at(const stack *s, int64_t x, int64_t y, int64_t z)
{
    return s->v[(z * s->h + y) * s->w + x];
}

static int ascending(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static float median(drua_plan *p, const float *values, size_t count)
{
    float *sorted = plan_host(p, count * sizeof *sorted);
    if (!sorted)
        return 0;
    memcpy(sorted, values, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, ascending);
    return sorted[count / 2];
}

/* The brightest pixel in its own box, which must lie inside the image. */
static bool is_bead(const stack *s, const stack *box, int64_t x, int64_t y, int64_t z, float least)
{
    const int64_t rx = box->w / 2, ry = box->h / 2, rz = box->d / 2;
    const float value = at(s, x, y, z);
    if (value < least || x < rx + 1 || y < ry + 1 || z < rz || x + rx + 1 >= s->w || y + ry + 1 >= s->h || z + rz >= s->d)
        return false;
    for (int64_t k = z - rz; k <= z + rz; k++)
        for (int64_t j = y - ry; j <= y + ry; j++)
            for (int64_t i = x - rx; i <= x + rx; i++)
                if (at(s, i, j, k) > value || (at(s, i, j, k) == value && (k - z) * s->w * s->h + (j - y) * s->w + i - x < 0))
                    return false;
    return true;
}

/* Centre of light near a pixel, above the background. */
static void centre(const stack *s, int64_t x, int64_t y, int64_t z, float background, double *c)
{
    double sum = 0, moment[3] = {0};
    const int64_t rz = s->d > 2 ? 2 : 0;
    for (int64_t k = -rz; k <= rz; k++)
        for (int64_t j = -2; j <= 2; j++)
            for (int64_t i = -2; i <= 2; i++) {
                if (x + i < 0 || y + j < 0 || z + k < 0 || x + i >= s->w || y + j >= s->h || z + k >= s->d)
                    continue;
                const double light = fmax((double)at(s, x + i, y + j, z + k) - background, 0);
                sum += light;
                moment[0] += light * (double)i;
                moment[1] += light * (double)j;
                moment[2] += light * (double)k;
            }
    const double whole[] = {(double)x, (double)y, (double)z};
    for (int n = 0; n < 3; n++)
        c[n] = whole[n] + (sum > 0 ? moment[n] / sum : 0);
}

static double clamped(const stack *s, int64_t x, int64_t y, int64_t z)
{
    x = x < 0 ? 0 : x >= s->w ? s->w - 1 : x;
    y = y < 0 ? 0 : y >= s->h ? s->h - 1 : y;
    z = z < 0 ? 0 : z >= s->d ? s->d - 1 : z;
    return at(s, x, y, z);
}

static double between(const stack *s, const double *c)
{
    const double x = floor(c[0]), y = floor(c[1]), z = floor(c[2]), fx = c[0] - x, fy = c[1] - y, fz = c[2] - z;
    double sum = 0;
    for (int n = 0; n < 8; n++)
        sum += (n & 1 ? fx : 1 - fx) * (n & 2 ? fy : 1 - fy) * (n & 4 ? fz : 1 - fz) *
               clamped(s, (int64_t)x + (n & 1), (int64_t)y + (n >> 1 & 1), (int64_t)z + (n >> 2 & 1));
    return sum;
}

static void add_bead(const stack *s, stack *box, const double *c, float background)
{
    for (int64_t k = 0, n = 0; k < box->d; k++)
        for (int64_t j = 0; j < box->h; j++)
            for (int64_t i = 0; i < box->w; i++, n++) {
                const double place[] = {c[0] + (double)(i - box->w / 2), c[1] + (double)(j - box->h / 2), c[2] + (double)(k - box->d / 2)};
                box->v[n] += (float)(between(s, place) - background);
            }
}

/* Full width at half of the middle's height, along one axis. */
static double width_at_half(const stack *b, int axis)
{
    const int64_t n = axis == 0 ? b->w : axis == 1 ? b->h : b->d, middle = n / 2;
    const int64_t step = axis == 0 ? 1 : axis == 1 ? b->w : b->w * b->h;
    const float *line = b->v + (b->d / 2 * b->h + b->h / 2) * b->w + b->w / 2 - middle * step;
    const double half = line[middle * step] / 2.0;
    double width = 0;
    for (int side = -1; side <= 1; side += 2)
        for (int64_t i = middle; i >= 0 && i < n; i += side) {
            const int64_t next = i + side;
            if (next < 0 || next >= n)
                return NAN;
            const double here = line[i * step], there = line[next * step];
            if (there <= half) {
                width += (double)(i - middle) * side + (here - half) / (here - there);
                break;
            }
        }
    return width;
}

static stack pull(drua_plan *p)
{
    const drua_shape shape = plan_shape(p, "source");
    const size_t count = (size_t)(shape.width * shape.height * shape.depth);
    stack s = {shape.width, shape.height, shape.depth, plan_host(p, count * sizeof(float))};
    drua_view dense = plan_scratch(p, shape, DRUA_FLOAT32);
    plan_copy(p, plan_image(p, "source"), dense, 0, 0, 0);
    if (s.v)
        plan_read(p, dense, s.v, count * sizeof *s.v);
    return s;
}

static void plan(drua_plan *p)
{
    const drua_shape shape = plan_shape(p, "destination");
    const size_t count = (size_t)(shape.width * shape.height * shape.depth);
    stack s = pull(p), box = {shape.width, shape.height, shape.depth, plan_host(p, count * sizeof(float))};
    if (plan_failed(p))
        return;
    const float background = median(p, s.v, (size_t)(s.w * s.h * s.d));
    float most = background;
    int64_t beads = 0;
    double sum = 0;
    for (int64_t i = 0; i < s.w * s.h * s.d; i++)
        most = fmaxf(most, s.v[i]);
    const float least = background + (float)plan_number(p, "threshold") * (most - background);
    for (int64_t z = 0; z < s.d && most > background; z++)
        for (int64_t y = 0; y < s.h; y++)
            for (int64_t x = 0; x < s.w; x++)
                if (is_bead(&s, &box, x, y, z, least)) {
                    double c[3];
                    centre(&s, x, y, z, background, c);
                    add_bead(&s, &box, c, background);
                    beads++;
                }
    if (!beads)
        plan_fail(p, "source shows no bead with a box of %lld x %lld x %lld of its own; give a smaller box or threshold", (long long)shape.width,
                  (long long)shape.height, (long long)shape.depth);
    if (plan_failed(p))
        return;
    for (size_t i = 0; i < count; i++)
        sum += box.v[i] = fmaxf(box.v[i], 0);
    for (size_t i = 0; i < count && sum > 0; i++)
        box.v[i] = (float)(box.v[i] / sum);
    if (plan_failed(p))
        return;
    drua_view dense = plan_scratch(p, shape, DRUA_FLOAT32);
    plan_write(p, dense, box.v);
    plan_copy(p, dense, plan_image(p, "destination"), 0, 0, 0);
    plan_set_number(p, "beads", (double)beads);
    plan_set_number(p, "width_x", width_at_half(&box, 0));
    plan_set_number(p, "width_y", width_at_half(&box, 1));
    plan_set_number(p, "width_z", width_at_half(&box, 2));
}

#define EXTENT(name, preset_) DRUA_INTEGER(name, name " of the result, and of a bead's own box", .unit = "pixel", DRUA_RANGE(1, 1024), .preset = preset_)

const drua_op drua_op_measure_psf = {
    .name = "measure_psf",
    .category = "deconvolution",
    .summary = "Measures the point spread function from an image of beads: each centred, all averaged, without background, with a sum of 1.",
    .source = "local maxima above the median; centre of light in 5 x 5 x 5 pixels; linear interpolation; negative rests are 0",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image of beads smaller than the resolution"),
                DRUA_IMAGE_OUT("destination", "point spread function", .shape = extent, .type = DRUA_FLOAT32), EXTENT("width", 25), EXTENT("height", 25),
                EXTENT("depth", 25),
                DRUA_NUMBER("threshold", "least brightness of a bead, as a share of the brightest", DRUA_RANGE(0.01, 1), .preset = 0.3),
                DRUA_NUMBER_OUT("beads", "number of beads"), DRUA_NUMBER_OUT("width_x", "full width at half maximum along x, in pixels"),
                DRUA_NUMBER_OUT("width_y", "the same along y"), DRUA_NUMBER_OUT("width_z", "the same along z, in slices")),
    .numeric = DRUA_DEVICE,
    .plan = plan,
};
