/* SPDX-License-Identifier: BSD-3-Clause */
#include "tile.h"

drua_parts drua_parts_none(void)
{
    return (drua_parts){.axis = {0, 1, 2}};
}

drua_box drua_box_of(const int64_t extent[3])
{
    return (drua_box){{0}, {extent[0], extent[1], extent[2]}};
}

double drua_box_pixels(const drua_box *box)
{
    double pixels = 1;
    for (int axis = 0; axis < 3; axis++)
        pixels *= (double)(box->end[axis] - box->first[axis]);
    return pixels;
}

void drua_box_clip(drua_box *box, const int64_t extent[3])
{
    for (int axis = 0; axis < 3; axis++) {
        int64_t *first = &box->first[axis], *end = &box->end[axis];
        *first = *first < 0 ? 0 : *first < extent[axis] ? *first : extent[axis] - 1;
        *end = *end > extent[axis] ? extent[axis] : *end > *first ? *end : *first + 1;
    }
}

void drua_box_halve(const drua_box *box, int axis, drua_box halves[2])
{
    halves[0] = halves[1] = *box;
    halves[0].end[axis] = halves[1].first[axis] = (box->first[axis] + box->end[axis]) / 2;
}

static int64_t parts_along(const drua_box *box, const int64_t step[3], int axis)
{
    return (box->end[axis] - box->first[axis] + step[axis] - 1) / step[axis];
}

int64_t drua_box_parts(const drua_box *box, const int64_t step[3])
{
    return parts_along(box, step, 0) * parts_along(box, step, 1) * parts_along(box, step, 2);
}

drua_box drua_box_part(const drua_box *box, const int64_t step[3], int64_t number)
{
    drua_box part;
    for (int axis = 0; axis < 3; axis++) {
        const int64_t parts = parts_along(box, step, axis);
        part.first[axis] = box->first[axis] + number % parts * step[axis];
        part.end[axis] =
            part.first[axis] + step[axis] < box->end[axis] ? part.first[axis] + step[axis] : box->end[axis];
        number /= parts;
    }
    return part;
}

/* Widens a range to the extent that a tile in the middle of the image reads, or to the whole image. */
static void widen_range(int64_t *first, int64_t *end, int64_t usual, int64_t extent)
{
    if (*end - *first >= usual)
        return;
    *end = *first + usual < extent ? *first + usual : extent;
    *first = *end > usual ? *end - usual : 0;
}

/* Computes the ranges that are read and made for a tile, along one axis of the outputs. */
static void set_ranges_along(const drua_tiling *t, int out, drua_tile *tile)
{
    const int axis = t->parts.axis[out];
    const drua_affine_range *r = &t->parts.range[out];
    const int64_t halo = t->parts.halo[axis];
    const double a = (double)tile->wanted.first[out], b = (double)(tile->wanted.end[out] - 1);
    const double low = r->set ? fmin(r->step * a, r->step * b) + r->min : a - (double)halo;
    const double high = r->set ? fmax(r->step * a, r->step * b) + r->max : b + (double)halo;
    int64_t *first = &tile->read.first[axis], *end = &tile->read.end[axis];
    /* Positions are limited to -1 ... 2^31 before they become integers; the clip below gives the same result. */
    *first = (int64_t)floor(fmin(fmax(low, -1), 0x1p31));
    *end = (int64_t)floor(fmin(fmax(high, -1), 0x1p31)) + 1;
    drua_box_clip(&tile->read, t->inputs);
    if (t->parts.equal_extents && !r->set) {
        const int64_t wanted = tile->wanted.end[out] - tile->wanted.first[out];
        widen_range(first, end, (t->usual[out] ? t->usual[out] : wanted) + 2 * halo, t->inputs[axis]);
    }
    *first -= t->parts.align[axis] ? *first % t->parts.align[axis] : 0;
    tile->made.first[out] = r->set ? tile->wanted.first[out] : *first;
    tile->made.end[out] = r->set ? tile->wanted.end[out] : *end;
}

drua_tile drua_tile_for(const drua_tiling *t, const drua_box *wanted)
{
    drua_tile tile = {*wanted, drua_box_of(t->inputs), drua_box_of(t->outputs)};
    for (int out = 0; out < 3; out++)
        if (t->cuts[out])
            set_ranges_along(t, out, &tile);
    return tile;
}
