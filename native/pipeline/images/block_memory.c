/* SPDX-License-Identifier: BSD-3-Clause */
#include "block_memory.h"

#include "alloc.h"

#include <pthread.h>
#include <stdint.h>

/* Header of a piece. The pixels follow it; its size keeps them aligned for all vector types. */
typedef union piece {
    struct {
        block_memory *owner; /* NULL: not part of a pool */
        size_t bytes; /* number of bytes of pixels */
        union piece *next; /* next free piece, which was freed before this one */
    } of;
    char room[64];
} piece;

struct block_memory {
    pthread_mutex_t lock; /* protects the fields below */
    piece *kept;
    size_t kept_bytes, used_bytes, most_used;
};

block_memory *block_memory_open(void)
{
    block_memory *m = drua_alloc(sizeof *m);
    if (m)
        pthread_mutex_init(&m->lock, NULL);
    return m;
}

/* Frees the oldest free pieces until at most `max` bytes are left. */
static void free_oldest(block_memory *m, size_t max)
{
    while (m->kept && m->kept_bytes > max) {
        piece **last = &m->kept;
        while ((*last)->of.next)
            last = &(*last)->of.next;
        m->kept_bytes -= (*last)->of.bytes;
        drua_free(*last);
        *last = NULL;
    }
}

void block_memory_close(block_memory *m)
{
    if (!m)
        return;
    free_oldest(m, 0);
    pthread_mutex_destroy(&m->lock);
    drua_free(m);
}

/*
 * Removes and returns the smallest free piece with at least `bytes` bytes and at most twice as many; NULL if there is
 * no such piece.
 */
static piece *find_kept(block_memory *m, size_t bytes)
{
    piece **best = NULL;
    for (piece **p = &m->kept; *p; p = &(*p)->of.next)
        if ((*p)->of.bytes >= bytes && (*p)->of.bytes / 2 <= bytes && (!best || (*p)->of.bytes < (*best)->of.bytes))
            best = p;
    piece *found = best ? *best : NULL;
    if (found) {
        *best = found->of.next;
        m->kept_bytes -= found->of.bytes;
    }
    return found;
}

static void count_used(block_memory *m, size_t bytes)
{
    m->used_bytes += bytes;
    m->most_used = m->used_bytes > m->most_used ? m->used_bytes : m->most_used;
}

void *block_memory_take(block_memory *m, size_t bytes)
{
    piece *p = NULL;
    if (m) {
        pthread_mutex_lock(&m->lock);
        p = find_kept(m, bytes);
        count_used(m, p ? p->of.bytes : bytes);
        free_oldest(m, m->most_used - m->used_bytes);
        pthread_mutex_unlock(&m->lock);
    }
    if (!p && (p = bytes < SIZE_MAX - sizeof *p ? drua_alloc(sizeof *p + bytes) : NULL) != NULL)
        p->of.owner = m, p->of.bytes = bytes;
    if (!p && m) {
        pthread_mutex_lock(&m->lock);
        m->used_bytes -= bytes;
        pthread_mutex_unlock(&m->lock);
    }
    return p ? p + 1 : NULL;
}

void block_memory_give(void *pixels)
{
    piece *p = pixels ? (piece *)pixels - 1 : NULL;
    block_memory *m = p ? p->of.owner : NULL;
    if (!m) {
        drua_free(p);
        return;
    }
    pthread_mutex_lock(&m->lock);
    m->used_bytes -= p->of.bytes;
    p->of.next = m->kept;
    m->kept = p;
    m->kept_bytes += p->of.bytes;
    free_oldest(m, m->most_used - m->used_bytes);
    pthread_mutex_unlock(&m->lock);
}
