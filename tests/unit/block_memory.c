/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks that the memory pool of blocks reuses memory, never holds more than the peak in use, and works with several
 * threads.
 */
#include "alloc.h"
#include "block_memory.h"

#include "harness.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>

static block_memory *memory;

static void set_up(void)
{
    ck_assert_ptr_nonnull(memory = block_memory_open());
}

static void tear_down(void)
{
    block_memory_close(memory);
}

/* Cached memory is reused for a request of at least half its size. */
START_TEST(what_is_given_back_is_taken_again)
{
    void *const a = block_memory_take(memory, 1000), *const b = block_memory_take(memory, 3000);
    ck_assert(a && b && a != b);
    ck_assert_uint_eq((uintptr_t)a % 16, 0);
    memset(a, 1, 1000);
    memset(b, 2, 3000);
    block_memory_give(a);
    block_memory_give(b);
    void *const c = block_memory_take(memory, 501), *const d = block_memory_take(memory, 2999);
    ck_assert_ptr_eq(c, a);
    ck_assert_ptr_eq(d, b);
    block_memory_give(c);
    block_memory_give(d);
    block_memory_give(NULL);
}
END_TEST

/* The pool frees cached memory when it allocates, so that the total never exceeds the peak in use. */
START_TEST(no_more_is_held_than_was_in_use)
{
    void *const a = block_memory_take(memory, 4000);
    block_memory_give(a);
    /* the cached block is too small: a new one is allocated, and the larger one is freed */
    void *const small = block_memory_take(memory, 1500);
    void *const b = block_memory_take(memory, 2400);
    block_memory_give(small);
    block_memory_give(b);
    ck_assert_ptr_eq(block_memory_take(memory, 1500), small);
    ck_assert_ptr_eq(block_memory_take(memory, 2400), b);
    block_memory_give(small);
    block_memory_give(b);
}
END_TEST

START_TEST(without_memory)
{
    drua_alloc_fail_after(1);
    ck_assert_ptr_null(block_memory_take(memory, 100));
    ck_assert_ptr_null(block_memory_take(memory, SIZE_MAX));
    drua_alloc_fail_after(1);
    ck_assert_ptr_null(block_memory_open());
    void *const alone = block_memory_take(NULL, 100); /* without a pool */
    ck_assert_ptr_nonnull(alone);
    block_memory_give(alone);
}
END_TEST

static void *take_and_give(void *payload)
{
    const unsigned char own = *(unsigned char *)payload;
    for (int i = 0; i < 2000; i++) {
        const size_t bytes = (size_t)(200 + (i * 37 + own * 101) % 3000);
        unsigned char *p = block_memory_take(memory, bytes);
        memset(p, own, bytes);
        for (size_t k = 0; k < bytes; k += 97)
            if (p[k] != own)
                return payload;
        block_memory_give(p);
    }
    return NULL;
}

START_TEST(threads_have_their_own)
{
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    unsigned char numbers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = (unsigned char)(i + 1);
        ck_assert_int_eq(pthread_create(&threads[i], NULL, take_and_give, &numbers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        void *wrong;
        pthread_join(threads[i], &wrong);
        ck_assert_ptr_null(wrong);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("memory of blocks");
    TCase *tests = tcase_create("memory");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, what_is_given_back_is_taken_again);
    tcase_add_test(tests, no_more_is_held_than_was_in_use);
    tcase_add_test(tests, without_memory);
    tcase_add_test(tests, threads_have_their_own);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
