/* SPDX-License-Identifier: BSD-3-Clause */
#include "label_shapes.h"

#include "alloc.h"
#include "error.h"
#include "label_block.h"
#include "label_slabs.h"

#include <inttypes.h>
#include <string.h>

/* The integers of one label within the bytes of a block. Sums of blocks leave out the box. */
typedef struct labelled_shape {
    uint64_t label;
    drua_label_shape shape;
} labelled_shape;

/* Shapes of the labels in a slab, in the order in which the labels occur. */
typedef struct slab_shapes {
    label_meeting met;
    drua_label_shape *of;
    uint32_t room;
} slab_shapes;

typedef struct counting {
    const label_shapes *all;
    const drua_box *own, *box;
    drua_type type;
    const void *pixels;
    slab_shapes *slabs;
} counting;

/* ---- one slab */

static drua_status meet_label(slab_shapes *s, uint32_t label, drua_label_shape **shape)
{
    const uint32_t place = label_meet(&s->met, label);
    if (!place)
        return DRUA_E_MEMORY;
    if (place > s->room) {
        const uint32_t room = 2 * s->room + 16;
        drua_label_shape *grown = drua_realloc(s->of, room * sizeof *grown);
        if (!grown)
            return drua_fail_memory(room * sizeof *grown);
        memset(grown + s->room, 0, (room - s->room) * sizeof *grown);
        s->of = grown;
        s->room = room;
    }
    *shape = &s->of[place - 1];
    return DRUA_OK;
}

static void add_to_sum(uint64_t sum[2], uint64_t number)
{
    sum[0] += (uint32_t)number;
    sum[1] += number >> 32;
}

/* Adds a run of n pixels from x on; positions are relative to the box of the label. */
static void add_run(drua_label_shape *shape, uint64_t n, uint64_t x, uint64_t y, uint64_t z)
{
    uint64_t s1 = 0, s2 = 0, s3 = 0;
    for (uint64_t i = x; i < x + n; i++) {
        s1 += i;
        s2 += i * i;
        s3 += i * i * i;
    }
    const uint64_t powers[] = {s2,        n * y * y,  n * z * z,     y * s1,        z * s1,
                               n * y * z, s3,         n * y * y * y, n * z * z * z, y * s2,
                               z * s2,    y * y * s1, n * y * y * z, z * z * s1,    n * y * z * z,
                               y * z * s1};
    shape->pixels += n;
    add_to_sum(shape->positions[0], s1);
    add_to_sum(shape->positions[1], n * y);
    add_to_sum(shape->positions[2], n * z);
    for (size_t i = 0; i < sizeof powers / sizeof *powers; i++)
        add_to_sum(shape->powers[i], powers[i]);
}

/* Returns the label at a position of the image; 0 outside of the image. Numbers beyond the shapes are left out. */
static uint32_t label_at(const counting *c, int64_t x, int64_t y, int64_t z)
{
    const int64_t *first = c->box->first, *end = c->box->end;
    if (x < first[0] || y < first[1] || z < first[2] || x >= end[0] || y >= end[1] || z >= end[2])
        return 0;
    const int64_t at = ((z - first[2]) * (end[1] - first[1]) + y - first[1]) * (end[0] - first[0]) + x - first[0];
    const uint32_t label = label_value(c->type, c->pixels, (size_t)at);
    return label < c->all->count ? label : 0;
}

/* Adds the runs of a row. */
static drua_status add_runs(const counting *c, slab_shapes *s, int64_t y, int64_t z)
{
    for (int64_t x = c->own->first[0], next; x < c->own->end[0]; x = next) {
        const uint32_t label = label_at(c, x, y, z);
        drua_label_shape *shape;
        for (next = x + 1; next < c->own->end[0] && label_at(c, next, y, z) == label;)
            next++;
        if (!label)
            continue;
        const uint32_t *low = c->all->of[label].low;
        DRUA_TRY(meet_label(s, label, &shape));
        add_run(shape, (uint64_t)(next - x), (uint64_t)x - low[0], (uint64_t)y - low[1], (uint64_t)z - low[2]);
    }
    return DRUA_OK;
}

/* Counts the configuration of each label around the corner between a pixel and those before it. */
static drua_status add_corner(const counting *c, slab_shapes *s, int64_t x, int64_t y, int64_t z)
{
    const bool flat = c->all->extent[2] == 1;
    const int first = flat ? 4 : 0; /* a plane has no pixels before it along z */
    uint32_t labels[8] = {0};
    bool alike = true;
    for (int i = first; i < 8; i++) {
        labels[i] = label_at(c, x - 1 + (i & 1), y - 1 + (i >> 1 & 1), z - 1 + (i >> 2));
        alike = alike && labels[i] == labels[first];
    }
    for (int i = first; i < 8 && !alike; i++) {
        const uint32_t label = labels[i];
        unsigned configuration = 0;
        drua_label_shape *shape;
        if (!label)
            continue;
        for (int k = i; k < 8; k++)
            if (labels[k] == label) {
                configuration |= 1u << k;
                labels[k] = 0;
            }
        DRUA_TRY(meet_label(s, label, &shape));
        shape->configurations[flat ? configuration >> 4 : configuration]++;
    }
    return DRUA_OK;
}

/* The number of corners along an axis of a block. The last block also has the corner after its last pixel. */
static int64_t corners_end(const counting *c, int axis)
{
    const bool flat = axis == 2 && c->all->extent[2] == 1;
    return c->own->end[axis] + (c->own->end[axis] == c->all->extent[axis] && !flat);
}

/* A slab has rows of `own`; its last rows also have the corners after them. */
static drua_status count_rows(void *payload, const label_slab *slab)
{
    const counting *c = payload;
    slab_shapes *s = &c->slabs[slab->number];
    const int64_t rows = c->own->end[1] - c->own->first[1];
    drua_status status = DRUA_OK;
    for (int64_t row = slab->first; row < slab->end && status == DRUA_OK; row++) {
        const int64_t y = c->own->first[1] + row % rows, z = c->own->first[2] + row / rows;
        const int64_t y_end = y + 1 == c->own->end[1] ? corners_end(c, 1) : y + 1,
                      z_end = z + 1 == c->own->end[2] ? corners_end(c, 2) : z + 1;
        status = add_runs(c, s, y, z);
        for (int64_t k = z; k < z_end; k++)
            for (int64_t j = y; j < y_end; j++)
                for (int64_t x = c->own->first[0]; x < corners_end(c, 0) && status == DRUA_OK; x++)
                    status = add_corner(c, s, x, j, k);
    }
    return status;
}

/* ---- a block */

static drua_status flatten_slabs(const slab_shapes *slabs, int64_t count, drua_bytes *found)
{
    size_t all = 0, at = 0;
    for (int64_t i = 0; i < count; i++)
        all += slabs[i].met.count;
    *found = (drua_bytes){drua_alloc((all + 1) * sizeof(labelled_shape)), all * sizeof(labelled_shape),
                          all * sizeof(labelled_shape)};
    if (!found->data)
        return drua_fail_memory(all * sizeof(labelled_shape));
    for (int64_t slab = 0; slab < count; slab++)
        for (uint32_t i = 0; i < slabs[slab].met.room; i++) {
            const slab_shapes *s = &slabs[slab];
            if (!s->met.places[i])
                continue;
            const labelled_shape one = {s->met.numbers[i], s->of[s->met.places[i] - 1]};
            memcpy(found->data + at, &one, sizeof one);
            at += sizeof one;
        }
    return DRUA_OK;
}

drua_status block_shapes_find(const label_shapes *shapes, const drua_box *own, const drua_box *box, drua_type type,
                              const void *pixels, drua_bytes *found)
{
    const int64_t count = label_slab_count(own);
    slab_shapes *slabs = drua_alloc((size_t)count * sizeof *slabs);
    if (!slabs)
        return drua_fail_memory((size_t)count * sizeof *slabs);
    drua_status status = label_slabs_each(own, count_rows, &(counting){shapes, own, box, type, pixels, slabs});
    if (status == DRUA_OK)
        status = flatten_slabs(slabs, count, found);
    for (int64_t i = 0; i < count; i++) {
        label_meeting_free(&slabs[i].met);
        drua_free(slabs[i].of);
    }
    drua_free(slabs);
    return status;
}

/* ---- all blocks */

/* Fails because the bytes, which may come from a file, are damaged. */
static drua_status fail_damaged(const drua_bytes *bytes)
{
    return drua_fail(DRUA_E_ARGUMENT,
                     "the plan's shapes of labels (%zu bytes) are damaged; make the plan again with --anew",
                     bytes->length);
}

static drua_status merge_shapes(drua_label_shape *to, const drua_label_shape *more, uint64_t label)
{
    to->pixels += more->pixels;
    for (int part = 0; part < 2; part++) {
        for (int axis = 0; axis < 3; axis++)
            to->positions[axis][part] += more->positions[axis][part];
        for (int i = 0; i < 16; i++)
            to->powers[i][part] += more->powers[i][part];
    }
    for (int i = 0; i < 256; i++) {
        if (more->configurations[i] > UINT32_MAX - to->configurations[i])
            return drua_fail(DRUA_E_UNSUPPORTED, "the surface of label %" PRIu64 " has more than 4294967295 pixels",
                             label);
        to->configurations[i] += more->configurations[i];
    }
    return DRUA_OK;
}

drua_status label_shapes_add(label_shapes *shapes, const drua_bytes *found)
{
    labelled_shape one;
    if (found->length % sizeof one)
        return fail_damaged(found);
    for (size_t at = 0; at < found->length; at += sizeof one) {
        memcpy(&one, found->data + at, sizeof one);
        if (one.label >= shapes->count)
            return fail_damaged(found);
        DRUA_TRY(merge_shapes(&shapes->of[one.label], &one.shape, one.label));
    }
    return DRUA_OK;
}

drua_status label_shapes_save(const label_shapes *shapes, drua_bytes *bytes)
{
    const size_t length = (size_t)shapes->count * sizeof *shapes->of;
    *bytes = (drua_bytes){drua_alloc(length + 1), length, length};
    if (!bytes->data)
        return drua_fail_memory(length);
    memcpy(bytes->data, shapes->of, length);
    return DRUA_OK;
}

drua_status label_shapes_load(label_shapes *shapes, const drua_bytes *bytes)
{
    if (bytes->length != (size_t)shapes->count * sizeof *shapes->of)
        return fail_damaged(bytes);
    memcpy(shapes->of, bytes->data, bytes->length);
    return DRUA_OK;
}
