/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests which decoded chunks the cache keeps, also for several threads and for chunks of a few bytes. */
#include "harness.h"

#include "chunk_cache.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum { CHUNK = 64 };

/* Takes a chunk, decodes it if it is missing, and releases it. Returns whether it was missing. */
static bool decodes(drua_chunk_cache *cache, int64_t number)
{
    bool missing;
    int64_t *pixels = drua_chunk_cache_take(cache, number, &missing);
    ck_assert_ptr_nonnull(pixels);
    if (missing) {
        *pixels = number;
        drua_chunk_cache_put(cache, number, DRUA_OK);
    }
    ck_assert_int_eq(*pixels, number);
    drua_chunk_cache_release(cache, number);
    return missing;
}

START_TEST(the_least_recently_used_chunk_goes)
{
    drua_chunk_cache *cache = drua_chunk_cache_open(3 * CHUNK, CHUNK);
    for (int64_t number = 0; number < 3; number++)
        ck_assert(decodes(cache, number));
    ck_assert(!decodes(cache, 0));
    ck_assert(decodes(cache, 3));
    ck_assert(!decodes(cache, 0));
    ck_assert(!decodes(cache, 2));
    ck_assert(!decodes(cache, 3));
    ck_assert(decodes(cache, 1));
    drua_chunk_cache_close(cache);
}
END_TEST

START_TEST(chunks_in_use_stay)
{
    bool missing;
    drua_chunk_cache *cache = drua_chunk_cache_open(2 * CHUNK, CHUNK);
    for (int64_t number = 0; number < 2; number++) {
        int64_t *pixels = drua_chunk_cache_take(cache, number, &missing);
        *pixels = number;
        drua_chunk_cache_put(cache, number, DRUA_OK);
    }
    ck_assert_ptr_null(drua_chunk_cache_take(cache, 2, &missing));
    ck_assert(missing);
    drua_chunk_cache_release(cache, 0);
    ck_assert(decodes(cache, 2));
    ck_assert(!decodes(cache, 1));
    drua_chunk_cache_release(cache, 1);
    drua_chunk_cache_close(cache);
}
END_TEST

START_TEST(a_chunk_that_fails_is_decoded_again)
{
    bool missing;
    drua_chunk_cache *cache = drua_chunk_cache_open(2 * CHUNK, CHUNK);
    ck_assert(decodes(cache, 5));
    ck_assert_ptr_nonnull(drua_chunk_cache_take(cache, 7, &missing));
    ck_assert(missing);
    drua_chunk_cache_put(cache, 7, DRUA_E_ARGUMENT);
    ck_assert(decodes(cache, 7));
    ck_assert(!decodes(cache, 5));
    drua_chunk_cache_close(cache);
}
END_TEST

/* The chunks of an image may have a few bytes each, so the cache must have room for very many chunks. */
START_TEST(small_chunks_have_many_places)
{
    enum { CHUNKS = 30000 };
    drua_chunk_cache *cache = drua_chunk_cache_open((size_t)1 << 60, sizeof(int64_t));
    ck_assert_ptr_nonnull(cache);
    for (int64_t number = 0; number < CHUNKS; number++)
        ck_assert(decodes(cache, 1000 * number));
    for (int64_t number = 0; number < CHUNKS; number++)
        ck_assert(!decodes(cache, 1000 * number));
    drua_chunk_cache_close(cache);
}
END_TEST

typedef struct sharing {
    drua_chunk_cache *cache;
    atomic_int decoded, wrong;
    uint64_t seed;
} sharing;

static void *share(void *argument)
{
    enum { ROUNDS = 20000, NUMBERS = 40 };
    sharing *s = argument;
    harness_random chance = {s->seed};
    for (int round = 0; round < ROUNDS; round++) {
        bool missing;
        const int64_t number = harness_below(&chance, NUMBERS);
        int64_t *pixels = drua_chunk_cache_take(s->cache, number, &missing);
        if (!pixels)
            continue;
        const bool fails = missing && round % 7 == 0;
        if (missing) {
            *pixels = number;
            drua_chunk_cache_put(s->cache, number, fails ? DRUA_E_ARGUMENT : DRUA_OK);
        }
        s->decoded += missing;
        if (fails)
            continue;
        s->wrong += *pixels != number;
        drua_chunk_cache_release(s->cache, number);
    }
    return NULL;
}

START_TEST(threads_share_chunks)
{
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    sharing all[THREADS];
    drua_chunk_cache *cache = drua_chunk_cache_open(10 * CHUNK, CHUNK);
    for (int i = 0; i < THREADS; i++) {
        all[i] = (sharing){.cache = cache, .seed = (uint64_t)i};
        ck_assert_int_eq(pthread_create(&threads[i], NULL, share, &all[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++) {
        ck_assert_int_eq(all[i].wrong, 0);
        ck_assert_int_gt(all[i].decoded, 0);
    }
    drua_chunk_cache_close(cache);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("chunk_cache");
    TCase *tests = tcase_create("chunks");
    tcase_add_test(tests, the_least_recently_used_chunk_goes);
    tcase_add_test(tests, chunks_in_use_stay);
    tcase_add_test(tests, a_chunk_that_fails_is_decoded_again);
    tcase_add_test(tests, small_chunks_have_many_places);
    tcase_add_test(tests, threads_share_chunks);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
