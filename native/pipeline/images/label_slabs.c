/* SPDX-License-Identifier: BSD-3-Clause */
#include "label_slabs.h"

#include "alloc.h"
#include "error.h"
#include "parallel.h"

/* ---- the table of numbers */

static uint32_t *place_of(const label_meeting *m, uint32_t number)
{
    uint32_t at = number * 0x9e3779b1u & (m->room - 1);
    while (m->places[at] && m->numbers[at] != number)
        at = (at + 1) & (m->room - 1);
    m->numbers[at] = number;
    return &m->places[at];
}

static bool make_room(label_meeting *m)
{
    label_meeting grown = {.room = m->room ? 2 * m->room : 256, .count = m->count};
    grown.numbers = drua_alloc(grown.room * sizeof *grown.numbers);
    grown.places = drua_alloc(grown.room * sizeof *grown.places);
    if (!grown.numbers || !grown.places) {
        label_meeting_free(&grown);
        return false;
    }
    for (uint32_t i = 0; i < m->room; i++)
        if (m->places[i])
            *place_of(&grown, m->numbers[i]) = m->places[i];
    label_meeting_free(m);
    *m = grown;
    return true;
}

uint32_t label_meet(label_meeting *m, uint32_t number)
{
    if (2 * m->count >= m->room && !make_room(m)) {
        drua_fail_memory(2 * (size_t)m->room * sizeof *m->numbers);
        return 0;
    }
    uint32_t *place = place_of(m, number);
    if (!*place)
        *place = ++m->count;
    return *place;
}

void label_meeting_free(label_meeting *m)
{
    drua_free(m->numbers);
    drua_free(m->places);
    *m = (label_meeting){.room = 0};
}

/* ---- slabs */

typedef struct visiting {
    drua_status (*work)(void *payload, const label_slab *slab);
    void *payload;
    int64_t rows, in_slab;
} visiting;

static visiting slabs_of(const drua_box *box)
{
    enum { PIXELS = 1 << 18 };
    visiting v = {.rows = (box->end[1] - box->first[1]) * (box->end[2] - box->first[2])};
    v.in_slab = PIXELS / (box->end[0] - box->first[0]);
    v.in_slab = v.in_slab > 0 ? v.in_slab : 1;
    return v;
}

int64_t label_slab_count(const drua_box *box)
{
    const visiting v = slabs_of(box);
    return (v.rows + v.in_slab - 1) / v.in_slab;
}

static drua_status visit_slab(void *payload, int worker, int64_t item)
{
    const visiting *v = payload;
    label_slab slab = {item, item * v->in_slab, (item + 1) * v->in_slab};
    (void)worker;
    slab.end = slab.end < v->rows ? slab.end : v->rows;
    return v->work(v->payload, &slab);
}

drua_status label_slabs_each(const drua_box *box, drua_status (*work)(void *payload, const label_slab *slab),
                             void *payload)
{
    visiting v = slabs_of(box);
    v.work = work;
    v.payload = payload;
    return drua_parallel(label_slab_count(box), visit_slab, &v);
}
