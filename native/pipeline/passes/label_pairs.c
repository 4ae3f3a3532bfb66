/* SPDX-License-Identifier: BSD-3-Clause */
#include "label_pairs.h"

#include "alloc.h"
#include "error.h"
#include "label_block.h"
#include "label_slabs.h"

#include <stdlib.h>
#include <string.h>

/* ---- the table */

static const uint32_t MAX_ROOM = 1u << 31;

/* Returns the slot of a pair, which may be empty. */
static label_pair *slot_of(const label_pairs *p, uint32_t a, uint32_t b)
{
    uint32_t slot = (a * 0x9e3779b1u ^ b * 0x85ebca6bu) * 0xc2b2ae35u;
    slot ^= slot >> 15;
    for (;; slot++) {
        label_pair *found = &p->of[slot & (p->room - 1)];
        if (!found->labels[0] || (found->labels[0] == a && found->labels[1] == b))
            return found;
    }
}

static drua_status grow(label_pairs *p)
{
    label_pairs larger = *p;
    larger.room = p->room ? 2 * p->room : 256;
    const size_t bytes = larger.room * sizeof *larger.of;
    larger.of = p->room < MAX_ROOM ? drua_alloc(bytes) : NULL;
    if (!larger.of)
        return drua_fail_memory(bytes);
    for (uint32_t i = 0; i < p->room; i++)
        if (p->of[i].labels[0])
            *slot_of(&larger, p->of[i].labels[0], p->of[i].labels[1]) = p->of[i];
    drua_free(p->of);
    *p = larger;
    return DRUA_OK;
}

/* Finds a pair of two different labels, and adds it if it is new. */
static drua_status meet_pair(label_pairs *p, uint32_t a, uint32_t b, label_pair **pair)
{
    if (p->count >= p->room / 2)
        DRUA_TRY(grow(p));
    *pair = slot_of(p, a < b ? a : b, a < b ? b : a);
    if (!(*pair)->labels[0]) {
        (*pair)->labels[0] = a < b ? a : b;
        (*pair)->labels[1] = a < b ? b : a;
        p->count++;
    }
    return DRUA_OK;
}

void label_pairs_free(label_pairs *p)
{
    drua_free(p->of);
    *p = (label_pairs){.of = NULL};
}

/* ---- one slab */

typedef struct pairing {
    const drua_box *own, *box;
    drua_type type;
    const void *pixels;
    label_pairs *slabs;
} pairing;

/* Returns the label at a position of the image; 0 before the box, which begins with the image there. */
static uint32_t label_at(const pairing *c, int64_t x, int64_t y, int64_t z)
{
    const int64_t *first = c->box->first, *end = c->box->end;
    if (x < first[0] || y < first[1] || z < first[2])
        return 0;
    const int64_t at = ((z - first[2]) * (end[1] - first[1]) + y - first[1]) * (end[0] - first[0]) + x - first[0];
    return label_value(c->type, c->pixels, (size_t)at);
}

/*
 * The steps that are counted at a pixel, between pixels of the 2 x 2 x 2 pixels that end there: both pixels, and the
 * kind of step (DRUA_PAIR_STEPS in op.h). Bits 1, 2 and 4 of a pixel's number mean one pixel back along x, y and z.
 */
static const unsigned char ends[][3] = {{0, 1, 0}, {0, 2, 1}, {0, 4, 2}, {0, 3, 3}, {1, 2, 3}, {0, 5, 4}, {1, 4, 4},
                                        {0, 6, 5}, {2, 4, 5}, {0, 7, 6}, {1, 6, 6}, {2, 5, 6}, {3, 4, 6}};

static drua_status add_steps(const pairing *c, label_pairs *p, int64_t x, int64_t y, int64_t z)
{
    uint32_t labels[8];
    bool alike = true;
    for (int i = 0; i < 8; i++) {
        labels[i] = label_at(c, x - (i & 1), y - (i >> 1 & 1), z - (i >> 2));
        alike = alike && labels[i] == labels[0];
    }
    p->labelled += labels[0] != 0;
    for (size_t i = 0; i < sizeof ends / sizeof *ends && !alike; i++) {
        const uint32_t a = labels[ends[i][0]], b = labels[ends[i][1]];
        label_pair *pair;
        if (!a || !b || a == b)
            continue;
        DRUA_TRY(meet_pair(p, a, b, &pair));
        pair->steps[ends[i][2]]++;
    }
    return DRUA_OK;
}

static drua_status pair_rows(void *payload, const label_slab *slab)
{
    const pairing *c = payload;
    const int64_t rows = c->own->end[1] - c->own->first[1];
    drua_status status = DRUA_OK;
    for (int64_t row = slab->first; row < slab->end && status == DRUA_OK; row++)
        for (int64_t x = c->own->first[0]; x < c->own->end[0] && status == DRUA_OK; x++)
            status =
                add_steps(c, &c->slabs[slab->number], x, c->own->first[1] + row % rows, c->own->first[2] + row / rows);
    return status;
}

/* ---- a block */

static drua_status merge(label_pairs *to, const label_pair *more)
{
    label_pair *pair;
    DRUA_TRY(meet_pair(to, more->labels[0], more->labels[1], &pair));
    for (int i = 0; i < DRUA_PAIR_STEPS; i++)
        pair->steps[i] += more->steps[i];
    return DRUA_OK;
}

static drua_status merge_slabs(const label_pairs *slabs, int64_t count, label_pairs *all)
{
    for (int64_t slab = 0; slab < count; slab++) {
        all->labelled += slabs[slab].labelled;
        for (uint32_t i = 0; i < slabs[slab].room; i++)
            if (slabs[slab].of[i].labels[0])
                DRUA_TRY(merge(all, &slabs[slab].of[i]));
    }
    return DRUA_OK;
}

drua_status block_pairs_find(const drua_box *own, const drua_box *box, drua_type type, const void *pixels,
                             drua_bytes *found)
{
    const int64_t count = label_slab_count(own);
    label_pairs all = {.of = NULL}, *slabs = drua_alloc((size_t)count * sizeof *slabs);
    if (!slabs)
        return drua_fail_memory((size_t)count * sizeof *slabs);
    drua_status status = label_slabs_each(own, pair_rows, &(pairing){own, box, type, pixels, slabs});
    if (status == DRUA_OK)
        status = merge_slabs(slabs, count, &all);
    if (status == DRUA_OK && !all.labelled)
        all.odd = label_odd_pixel(type, pixels, 0, (size_t)drua_box_pixels(box));
    if (status == DRUA_OK)
        status = label_pairs_save(&all, found);
    for (int64_t i = 0; i < count; i++)
        label_pairs_free(&slabs[i]);
    drua_free(slabs);
    label_pairs_free(&all);
    return status;
}

/* ---- bytes: the number of pixels with a label, the odd pixel, then the pairs */

enum { HEAD = 16 };

static int compare_pairs(const void *a, const void *b)
{
    const uint32_t *p = ((const label_pair *)a)->labels, *q = ((const label_pair *)b)->labels;
    return p[0] != q[0] ? (p[0] > q[0]) - (p[0] < q[0]) : (p[1] > q[1]) - (p[1] < q[1]);
}

/* Lists pairs in their order after `head` bytes; `touching`: only pairs that share a side of pixels. */
static drua_status list_pairs(const label_pairs *pairs, bool touching, size_t head, drua_bytes *bytes)
{
    const size_t room = head + ((size_t)pairs->count + 1) * sizeof *pairs->of;
    *bytes = (drua_bytes){drua_alloc(room), head, room};
    if (!bytes->data)
        return drua_fail_memory(room);
    label_pair *list = (label_pair *)(void *)(bytes->data + head);
    size_t count = 0;
    for (uint32_t i = 0; i < pairs->room; i++) {
        const label_pair *pair = &pairs->of[i];
        if (pair->labels[0] && (!touching || pair->steps[0] + pair->steps[1] + pair->steps[2] > 0))
            list[count++] = *pair;
    }
    qsort(list, count, sizeof *list, compare_pairs);
    bytes->length += count * sizeof *list;
    return DRUA_OK;
}

drua_status label_pairs_list(const label_pairs *pairs, drua_bytes *list)
{
    return list_pairs(pairs, true, 0, list);
}

drua_status label_pairs_save(const label_pairs *pairs, drua_bytes *bytes)
{
    DRUA_TRY(list_pairs(pairs, false, HEAD, bytes));
    memcpy(bytes->data, &pairs->labelled, sizeof pairs->labelled);
    memcpy(bytes->data + 8, &pairs->odd, sizeof pairs->odd);
    return DRUA_OK;
}

drua_status label_pairs_add(label_pairs *pairs, const drua_bytes *found)
{
    uint64_t labelled;
    double odd;
    label_pair one;
    if (found->length < HEAD || (found->length - HEAD) % sizeof one)
        return drua_fail(DRUA_E_ARGUMENT,
                         "the plan's pairs of labels (%zu bytes) are damaged; make the plan again with --anew",
                         found->length);
    memcpy(&labelled, found->data, sizeof labelled);
    memcpy(&odd, found->data + 8, sizeof odd);
    pairs->labelled += labelled;
    pairs->odd = pairs->odd != 0 ? pairs->odd : odd;
    for (size_t at = HEAD; at < found->length; at += sizeof one) {
        memcpy(&one, found->data + at, sizeof one);
        if (!one.labels[0] || one.labels[0] >= one.labels[1])
            return drua_fail(DRUA_E_ARGUMENT,
                             "the plan's pairs of labels are damaged; make the plan again with --anew");
        DRUA_TRY(merge(pairs, &one));
    }
    return DRUA_OK;
}
