/* SPDX-License-Identifier: BSD-3-Clause */
#include "label_sums.h"

#include "alloc.h"
#include "error.h"
#include "label_block.h"
#include "label_slabs.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The centres from which distances are measured, and the mean. */
typedef struct centres {
    double mean, at[CENTRES][3];
} centres;

/* Sums of the labels in a slab, in the order in which the labels occur. */
typedef struct slab_sums {
    label_meeting met;
    label_sums *of;
    centres *from; /* centres that the second pass uses */
    uint32_t room;
    double odd; /* the first odd pixel of the labels; 0: none */
} slab_sums;

/* The sums of one label within the bytes of a block, which list the labels slab by slab. The struct has no padding. */
typedef struct labelled_sums {
    uint64_t label;
    label_sums sums;
} labelled_sums;

/* ---- all labels */

static const label_sums none = {
    .min = DBL_MAX, .max = -DBL_MAX, .low = {INT64_MAX, INT64_MAX, INT64_MAX}, .high = {-1, -1, -1}};

drua_status tabulation_grow(tabulation *t, uint32_t label)
{
    const size_t room = (size_t)label + label / 2 + 1024;
    if (label >= t->room)
        DRUA_TRY(label_rows_fit(label, room < UINT32_MAX ? room * sizeof *t->of : SIZE_MAX));
    t->largest = label > t->largest ? label : t->largest;
    if (label < t->room)
        return DRUA_OK;
    label_sums *grown = drua_realloc(t->of, room * sizeof *grown);
    if (!grown)
        return drua_fail_memory(room * sizeof *grown);
    for (size_t i = t->room; i < room; i++)
        grown[i] = none;
    t->of = grown;
    t->room = (uint32_t)room;
    return DRUA_OK;
}

/* Kernels compare the bits of floats: a NaN is above infinity, and one with a minus sign below minus infinity. */
static int place_of_nan(double value)
{
    return !isnan(value) ? 0 : signbit(value) ? -1 : 1;
}

static double smaller(double a, double b)
{
    const int of_a = place_of_nan(a), of_b = place_of_nan(b);
    return (of_a || of_b ? of_a < of_b : a < b) ? a : b;
}

static double larger(double a, double b)
{
    const int of_a = place_of_nan(a), of_b = place_of_nan(b);
    return (of_a || of_b ? of_a > of_b : a > b) ? a : b;
}

static void merge_sums(label_sums *to, const label_sums *more)
{
    to->odd = to->odd != 0 ? to->odd : more->odd;
    to->pixels += more->pixels;
    to->min = smaller(more->min, to->min);
    to->max = larger(more->max, to->max);
    to->sum += more->sum;
    to->squares += more->squares;
    for (int axis = 0; axis < 3; axis++) {
        to->positions[axis] += more->positions[axis];
        to->weighted[axis] += more->weighted[axis];
        to->low[axis] = more->low[axis] < to->low[axis] ? more->low[axis] : to->low[axis];
        to->high[axis] = more->high[axis] > to->high[axis] ? more->high[axis] : to->high[axis];
    }
    for (int which = 0; which < CENTRES; which++) {
        to->distance[which] += more->distance[which];
        to->longest[which] = more->longest[which] > to->longest[which] ? more->longest[which] : to->longest[which];
    }
}

/* Fails because the bytes, which may come from a file, are damaged. */
static drua_status fail_damaged(const drua_bytes *bytes)
{
    return drua_fail(DRUA_E_ARGUMENT,
                     "the plan's sums of labels (%zu bytes) are damaged; make the plan again with --anew",
                     bytes->length);
}

drua_status tabulation_add(tabulation *t, const drua_bytes *found)
{
    labelled_sums one;
    if (found->length % sizeof one)
        return fail_damaged(found);
    for (size_t at = 0; at < found->length; at += sizeof one) {
        memcpy(&one, found->data + at, sizeof one);
        if (one.label > UINT32_MAX)
            return fail_damaged(found);
        DRUA_TRY(tabulation_grow(t, (uint32_t)one.label));
        merge_sums(&t->of[one.label], &one.sums);
    }
    return DRUA_OK;
}

drua_status tabulation_save(const tabulation *t, drua_bytes *bytes)
{
    const size_t length = ((size_t)t->largest + 1) * sizeof *t->of;
    *bytes = (drua_bytes){drua_alloc(length), length, length};
    if (!bytes->data)
        return drua_fail_memory(length);
    memcpy(bytes->data, t->of, length);
    return DRUA_OK;
}

drua_status tabulation_load(tabulation *t, const drua_bytes *bytes)
{
    const size_t count = bytes->length / sizeof *t->of;
    if (count == 0 || count > UINT32_MAX || bytes->length % sizeof *t->of)
        return fail_damaged(bytes);
    DRUA_TRY(tabulation_grow(t, (uint32_t)(count - 1)));
    memcpy(t->of, bytes->data, bytes->length);
    return DRUA_OK;
}

double label_sums_centre(const label_sums *s, int which, int axis)
{
    return which == MASS ? s->weighted[axis] / s->sum : s->positions[axis] / s->pixels;
}

/* ---- one slab */

typedef struct adding {
    const tabulation *all;
    const tabulated_block *block;
    slab_sums *slabs;
} adding;

static drua_status make_room(slab_sums *s, bool second)
{
    const uint32_t room = 2 * s->room + 64;
    label_sums *of = drua_realloc(s->of, room * sizeof *of);
    centres *from = second && of ? drua_realloc(s->from, room * sizeof *from) : s->from;
    s->of = of ? of : s->of;
    s->from = from ? from : s->from;
    if (!of || (second && !from))
        return drua_fail_memory(room * sizeof *of);
    for (uint32_t i = s->room; i < room; i++)
        s->of[i] = none;
    s->room = room;
    return DRUA_OK;
}

static centres centres_of(const label_sums *s)
{
    centres c = {.mean = s->sum / s->pixels};
    for (int i = 0; i < CENTRES * 3; i++)
        c.at[i / 3][i % 3] = label_sums_centre(s, i / 3, i % 3);
    return c;
}

/* Finds the place of a label's sums, and makes room for a new label. */
static drua_status meet_label(const adding *a, slab_sums *s, uint32_t label, uint32_t *place)
{
    const uint32_t before = s->met.count;
    *place = label_meet(&s->met, label);
    if (!*place)
        return DRUA_E_MEMORY;
    if (*place > s->room)
        DRUA_TRY(make_room(s, a->all->second));
    --*place;
    if (s->met.count > before && a->all->second)
        s->from[*place] = centres_of(label < a->all->room ? &a->all->of[label] : &none);
    return DRUA_OK;
}

/* A run of pixels in a row with one label: the first one is at x = `first` and has index `at`. */
typedef struct run {
    size_t first;
    int64_t count, at[3];
} run;

static void add_pixels(const tabulated_block *b, const run *r, label_sums *s)
{
    const double count = (double)r->count;
    double sum = 0, weighted = 0;
    for (int64_t i = 0; i < r->count; i++) {
        const double value = label_pixel(b->type, b->pixels, r->first + (size_t)i);
        s->min = smaller(value, s->min);
        s->max = larger(value, s->max);
        sum += value;
        weighted += value * (double)(r->at[0] + i);
    }
    s->pixels += count;
    s->sum += sum;
    s->positions[0] += count * ((double)r->at[0] + (count - 1) / 2);
    s->weighted[0] += weighted;
    for (int axis = 0; axis < 3; axis++) {
        const int64_t last = r->at[axis] + (axis ? 0 : r->count - 1);
        s->low[axis] = r->at[axis] < s->low[axis] ? r->at[axis] : s->low[axis];
        s->high[axis] = last > s->high[axis] ? last : s->high[axis];
        s->positions[axis] += axis ? count * (double)r->at[axis] : 0;
        s->weighted[axis] += axis ? sum * (double)r->at[axis] : 0;
    }
}

static void add_distances(const tabulated_block *b, const run *r, const centres *from, label_sums *s)
{
    for (int64_t i = 0; i < r->count; i++) {
        const double beside = label_pixel(b->type, b->pixels, r->first + (size_t)i) - from->mean;
        s->squares += beside * beside;
    }
    for (int which = 0; which < CENTRES; which++) {
        const double *centre = from->at[which], y = (double)r->at[1] - centre[1], z = (double)r->at[2] - centre[2],
                     beside = y * y + z * z;
        double all = 0, longest = 0;
        for (int64_t i = 0; i < r->count; i++) {
            const double x = (double)(r->at[0] + i) - centre[0], distance = sqrt(x * x + beside);
            all += distance;
            longest = distance > longest ? distance : longest;
        }
        s->distance[which] += all;
        s->longest[which] = longest > s->longest[which] ? longest : s->longest[which];
    }
}

/* Returns the labels of a row, converted into `room` if they have another type. */
static const uint32_t *labels_of(const tabulated_block *b, size_t first, int64_t width, uint32_t *room)
{
    if (b->label_type == DRUA_UINT32)
        return (const uint32_t *)b->labels + first;
    for (int64_t i = 0; i < width; i++)
        room[i] = label_value(b->label_type, b->labels, first + (size_t)i);
    return room;
}

static drua_status add_row(const adding *a, int64_t row, uint32_t *room, slab_sums *s)
{
    const tabulated_block *b = a->block;
    const int64_t *first = b->box->first, *end = b->box->end, width = end[0] - first[0], rows = end[1] - first[1];
    const uint32_t *labels = labels_of(b, (size_t)(row * width), width, room);
    for (int64_t i = 0, next; i < width; i = next) {
        run r = {.first = (size_t)(row * width + i),
                 .at = {first[0] + i, first[1] + row % rows, first[2] + row / rows}};
        uint32_t place;
        for (next = i + 1; next < width && labels[next] == labels[i];)
            next++;
        if (!labels[i] && s->odd == 0)
            s->odd = label_odd_pixel(b->label_type, b->labels, r.first, r.first + (size_t)(next - i));
        if (!labels[i] && !a->all->any)
            continue;
        r.count = next - i;
        DRUA_TRY(meet_label(a, s, labels[i], &place));
        if (a->all->second)
            add_distances(b, &r, &s->from[place], &s->of[place]);
        else
            add_pixels(b, &r, &s->of[place]);
    }
    return DRUA_OK;
}

static drua_status add_rows(void *payload, const label_slab *slab)
{
    const adding *a = payload;
    slab_sums *s = &a->slabs[slab->number];
    const size_t bytes = (size_t)(a->block->box->end[0] - a->block->box->first[0]) * sizeof(uint32_t);
    uint32_t *room = drua_alloc(bytes);
    drua_status status = room ? DRUA_OK : drua_fail_memory(bytes);
    for (int64_t row = slab->first; row < slab->end && status == DRUA_OK; row++)
        status = add_row(a, row, room, s);
    drua_free(room);
    return status;
}

/* ---- a block */

static void put_sums(drua_bytes *found, size_t *at, const labelled_sums *one)
{
    memcpy(found->data + *at, one, sizeof *one);
    *at += sizeof *one;
}

static drua_status flatten_slabs(const slab_sums *slabs, int64_t count, drua_bytes *found)
{
    size_t all = 0, at = 0;
    for (int64_t i = 0; i < count; i++)
        all += slabs[i].met.count + (slabs[i].odd != 0);
    *found = (drua_bytes){drua_alloc((all + 1) * sizeof(labelled_sums)), all * sizeof(labelled_sums),
                          all * sizeof(labelled_sums)};
    if (!found->data)
        return drua_fail_memory(all * sizeof(labelled_sums));
    for (int64_t slab = 0; slab < count; slab++) {
        const slab_sums *s = &slabs[slab];
        labelled_sums odd = {0, none};
        odd.sums.odd = s->odd;
        if (s->odd != 0)
            put_sums(found, &at, &odd);
        for (uint32_t i = 0; i < s->met.room; i++)
            if (s->met.places[i])
                put_sums(found, &at, &(labelled_sums){s->met.numbers[i], s->of[s->met.places[i] - 1]});
    }
    return DRUA_OK;
}

drua_status block_sums_find(const tabulation *t, const tabulated_block *b, drua_bytes *found)
{
    const int64_t count = label_slab_count(b->box);
    slab_sums *slabs = drua_alloc((size_t)count * sizeof *slabs);
    if (!slabs)
        return drua_fail_memory((size_t)count * sizeof *slabs);
    drua_status status = label_slabs_each(b->box, add_rows, &(adding){t, b, slabs});
    if (status == DRUA_OK)
        status = flatten_slabs(slabs, count, found);
    for (int64_t i = 0; i < count; i++) {
        label_meeting_free(&slabs[i].met);
        drua_free(slabs[i].of);
        drua_free(slabs[i].from);
    }
    drua_free(slabs);
    return status;
}
