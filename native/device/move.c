/* SPDX-License-Identifier: BSD-3-Clause */
#include "move.h"

#include "copy_threads.h"
#include "prefault.h"

#include <stdint.h>
#include <string.h>

enum { BOUNCE = 32 << 10 };

/* Copies through memory that stays in the caches, because a callback cannot bypass them. */
static void copy_streaming(const drua_planes *p, size_t z, size_t inside, char *to, size_t bytes)
{
    char bounce[BOUNCE];
    for (size_t n; bytes; inside += n, to += n, bytes -= n) {
        n = bytes < sizeof bounce ? bytes : sizeof bounce;
        p->copy(p->payload, z, inside, bounce, n);
        drua_copy_out(to, bounce, n);
    }
}

void drua_move_copy(void *payload, size_t at, void *memory, size_t bytes)
{
    const drua_move *m = payload;
    const drua_planes *p = m->planes;
    char *slot = memory;
    for (at += m->first; bytes;) {
        const size_t z = at / p->bytes, inside = at % p->bytes;
        const size_t n = p->bytes - inside < bytes ? p->bytes - inside : bytes;
        char *plane = p->copy ? NULL : ((char *const *)p->payload)[z] + inside;
        if (p->copy && m->streaming && !m->pull)
            copy_streaming(p, z, inside, slot, n);
        else if (p->copy)
            p->copy(p->payload, z, inside, slot, n);
        else if (m->streaming)
            drua_copy_out(m->pull ? plane : slot, m->pull ? slot : plane, n);
        else
            memcpy(m->pull ? plane : slot, m->pull ? slot : plane, n);
        at += n;
        slot += n;
        bytes -= n;
    }
}

void drua_move_find_untouched_memory(drua_move *m, size_t total)
{
    char *const *planes = m->planes->payload;
    const size_t bytes = m->planes->bytes, end = (m->first + total + bytes - 1) / bytes;
    if (!m->pull || m->planes->copy)
        return;
    for (size_t first = m->first / bytes, z = first; z < end; first = ++z) {
        while (z + 1 < end && planes[z + 1] == planes[z] + bytes)
            z++;
        m->untouched |= drua_is_untouched(planes[first], (z + 1 - first) * bytes);
    }
}

size_t drua_move_skew(const drua_move *m)
{
    const size_t plane = m->first / m->planes->bytes, inside = m->first % m->planes->bytes;
    return m->untouched ? ((uintptr_t)((char *const *)m->planes->payload)[plane] + inside) % DRUA_LARGE_PAGE : 0;
}

bool drua_move_prepare(const drua_move *m, size_t done, size_t end)
{
    const drua_planes *p = m->planes;
    return !p->prepare || p->prepare(p->payload, (m->first + done) / p->bytes, (m->first + end - 1) / p->bytes);
}

void drua_move_prefault(void *payload, size_t at, size_t bytes)
{
    const drua_move *m = payload;
    for (at += m->first; bytes;) {
        const size_t z = at / m->planes->bytes, inside = at % m->planes->bytes;
        const size_t n = m->planes->bytes - inside < bytes ? m->planes->bytes - inside : bytes;
        drua_prefault(((char *const *)m->planes->payload)[z] + inside, n);
        at += n;
        bytes -= n;
    }
}
