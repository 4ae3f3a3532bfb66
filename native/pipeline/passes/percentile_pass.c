/* SPDX-License-Identifier: BSD-3-Clause */
#include "percentile_pass.h"
#include "pass_parts.h"

#include "alloc.h"
#include "error.h"
#include "parallel.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { DIGIT = 16, VALUES = 1 << DIGIT };

struct percentile_pass {
    drua_percentile_search selection;
    int digit;
    uint64_t counts[DRUA_SELECTED][VALUES]; /* of all blocks */
    uint32_t block[DRUA_SELECTED][VALUES]; /* of the block that is counted */
    pthread_mutex_t lock; /* guards `block` while threads add their counts */
};

percentile_pass *percentile_pass_new(drua_type type, const double percents[DRUA_SELECTED])
{
    percentile_pass *c = drua_alloc(sizeof *c);
    if (!c) {
        drua_fail_memory(sizeof *c);
        return NULL;
    }
    c->selection = drua_select(type, percents);
    pthread_mutex_init(&c->lock, NULL);
    return c;
}

void percentile_pass_free(percentile_pass *c)
{
    pthread_mutex_destroy(&c->lock);
    drua_free(c);
}

bool percentile_pass_is_next(const percentile_pass *c)
{
    return c->selection.left > 0;
}

void percentile_pass_numbers(const percentile_pass *c, double numbers[DRUA_SELECTED])
{
    drua_selected(&c->selection, numbers);
}

/* ---- counting a block on the CPU's cores */

/* Pixels that one thread counts at a time. */
enum { STRETCH = 1 << 20 };

typedef struct counted_block {
    percentile_pass *counted;
    const void *pixels;
    int64_t count;
} counted_block;

static inline uint32_t bits_of(const void *pixels, drua_type type, int64_t i)
{
    switch (type) {
    case DRUA_UINT8:
    case DRUA_INT8: return ((const uint8_t *)pixels)[i];
    case DRUA_UINT16:
    case DRUA_INT16: return ((const uint16_t *)pixels)[i];
    default: return ((const uint32_t *)pixels)[i];
    }
}

/* Counts pixels of all types by their next digit; `own` has a table for each percentile. */
static void count_pixels(const counted_block *b, int64_t first, int64_t end, uint32_t (*own)[VALUES])
{
    const percentile_pass *c = b->counted;
    const drua_percentile_search *s = &c->selection;
    const int shift = s->left - c->digit;
    const bool all = s->left == s->bits, two = s->known[0] != s->known[1];
    const uint32_t mask = (1u << c->digit) - 1;
    for (int64_t i = first; i < end; i++) {
        const uint32_t key = drua_sort_key(bits_of(b->pixels, s->type, i), s->type);
        const uint32_t known = all ? s->known[0] : key >> s->left, value = key >> shift & mask;
        if (known == s->known[0])
            own[0][value]++;
        else if (two && known == s->known[1])
            own[1][value]++;
    }
}

static drua_status count_stretch(void *payload, int worker, int64_t item)
{
    const counted_block *b = payload;
    percentile_pass *c = b->counted;
    const int64_t first = item * STRETCH, end = b->count - first < STRETCH ? b->count : first + STRETCH;
    uint32_t(*own)[VALUES] = drua_alloc(sizeof c->block);
    (void)worker;
    if (!own)
        return drua_fail_memory(sizeof c->block);
    count_pixels(b, first, end, own);
    pthread_mutex_lock(&c->lock);
    for (int i = 0; i < DRUA_SELECTED; i++)
        for (int value = 0; value < VALUES; value++)
            c->block[i][value] += own[i][value];
    pthread_mutex_unlock(&c->lock);
    drua_free(own);
    return DRUA_OK;
}

/* ---- counts as bytes: for each table the first value that occurs, the number of values up to the last, the counts */

static drua_status add_words(drua_bytes *bytes, const uint32_t *counts)
{
    uint32_t first = 0, end = VALUES;
    while (first < VALUES && !counts[first])
        first++;
    while (end > first && !counts[end - 1])
        end--;
    const uint32_t head[] = {first, end - first};
    const size_t length = sizeof head + head[1] * sizeof *counts;
    if (!drua_bytes_reserve(bytes, bytes->length + length))
        return drua_fail_memory(length);
    memcpy(bytes->data + bytes->length, head, sizeof head);
    memcpy(bytes->data + bytes->length + sizeof head, counts + first, length - sizeof head);
    bytes->length += length;
    return DRUA_OK;
}

static drua_status keep_counts(pass_block *block, void *payload)
{
    percentile_pass *c = payload;
    counted_block b = {c, block->pixels[0], (int64_t)drua_box_pixels(&block->own)};
    memset(c->block, 0, sizeof c->block);
    DRUA_TRY(drua_parallel((b.count + STRETCH - 1) / STRETCH, count_stretch, &b));
    for (int i = 0; i < DRUA_SELECTED; i++)
        DRUA_TRY(add_words(&block->found, c->block[i]));
    return DRUA_OK;
}

static drua_status fail_on_damage(void)
{
    return drua_fail(DRUA_E_ARGUMENT, "a result of a pass is damaged; make the plan again with --anew");
}

static drua_status add_counts(const drua_bytes *found, void *payload)
{
    percentile_pass *c = payload;
    const uint8_t *at = found->data;
    size_t left = found->length;
    for (int i = 0; i < DRUA_SELECTED; i++) {
        uint32_t head[2] = {VALUES, VALUES}, count;
        if (left >= sizeof head) {
            memcpy(head, at, sizeof head);
            at += sizeof head;
            left -= sizeof head;
        }
        if (head[0] > VALUES || head[1] > VALUES - head[0] || left < head[1] * sizeof count)
            return fail_on_damage();
        for (uint32_t value = head[0]; value < head[0] + head[1]; value++, at += sizeof count) {
            memcpy(&count, at, sizeof count);
            c->counts[i][value] += count;
        }
        left -= head[1] * sizeof count;
    }
    return DRUA_OK;
}

static drua_status save_counts(const void *payload, drua_bytes *joined)
{
    const percentile_pass *c = payload;
    return pass_bytes(c->counts, sizeof c->counts, joined);
}

static drua_status load_counts(void *payload, const drua_bytes *joined)
{
    percentile_pass *c = payload;
    if (joined->length != sizeof c->counts)
        return fail_on_damage();
    memcpy(c->counts, joined->data, sizeof c->counts);
    return DRUA_OK;
}

/* ---- one pass */

void percentile_pass_begin(percentile_pass *c, block_pass *pass)
{
    const drua_percentile_search *s = &c->selection;
    c->digit = s->left < DIGIT ? s->left : DIGIT;
    memset(c->counts, 0, sizeof c->counts);
    *pass =
        (block_pass){.keep = keep_counts, .add = add_counts, .save = save_counts, .load = load_counts, .payload = c};
    snprintf(pass->about, sizeof pass->about, " with keys %" PRIu32 " %" PRIu32 " above %d", s->known[0], s->known[1],
             s->left);
}

void percentile_pass_end(percentile_pass *c)
{
    const bool two = c->selection.known[0] != c->selection.known[1];
    drua_select_digit(&c->selection, c->digit, (const uint64_t *const[]){c->counts[0], c->counts[two]});
}
