/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests which devices take the last blocks of a run, and the estimate of the remaining time. */
#include "harness.h"

#include "device_rates.h"

static const device_rate fast = {.seconds = 1, .blocks = 9}, slow = {.seconds = 10, .blocks = 2},
                         fresh = {.seconds = 0};

static bool leaves(device_rate own, device_rate other, int64_t waiting, double now)
{
    return rates_leaves_to_others((const device_rate[]){own, other}, 2, 0, waiting, now);
}

/* A fast device does nine blocks in nine seconds; a slow one does one block in ten seconds. */
START_TEST(slow_devices_leave_the_last_blocks)
{
    ck_assert(leaves(slow, fast, 9, 0));
    ck_assert(!leaves(slow, fast, 10, 0));
    ck_assert(!leaves(fast, slow, 1, 0));
    ck_assert(!leaves(fast, fast, 1, 0));
    ck_assert(!leaves(slow, fast, 0, 0));
}
END_TEST

START_TEST(a_block_in_hand_counts)
{
    device_rate busy = fast;
    busy.busy = true;
    busy.since = 100;
    ck_assert(leaves(slow, busy, 9, 100.5)); /* the fast device needs 0.5 s for its current block, then 9 s */
    ck_assert(!leaves(slow, busy, 10, 100.5));
    ck_assert(leaves(slow, busy, 1, 104)); /* the current block takes at least 4 s, the next one 4 s */
    ck_assert(!leaves(slow, busy, 1, 130));
}
END_TEST

START_TEST(who_is_not_known_takes_a_block)
{
    device_rate gone = fast;
    gone.gone = true;
    ck_assert(!leaves(fresh, fast, 1, 0));
    ck_assert(!leaves(slow, fresh, 1, 0));
    ck_assert(!leaves(slow, gone, 1, 0));
}
END_TEST

/* At least one free device takes a block; otherwise a run would never end. */
START_TEST(one_of_those_that_are_free_always_takes_a_block)
{
    harness_random random = {7};
    for (int round = 0; round < 20000; round++) {
        device_rate devices[RATES_MAX] = {{.seconds = 0}};
        const int count = 1 + (int)(harness_below(&random, RATES_MAX));
        const int64_t waiting = 1 + (int64_t)harness_below(&random, 40);
        int takers = 0;
        for (int i = 0; i < count; i++)
            devices[i] = (device_rate){.seconds = (double)harness_below(&random, 50) / 4,
                                       .gone = harness_below(&random, 5) == 0 && i};
        for (int i = 0; i < count; i++)
            takers += !devices[i].gone && !rates_leaves_to_others(devices, count, i, waiting, 3);
        ck_assert_msg(takers > 0, "round %d: %d devices, %d blocks", round, count, (int)waiting);
    }
}
END_TEST

/* Replaces the clock that measures blocks (tests/CMakeLists.txt), so that a busy computer changes nothing. */
static double clock_seconds = 1;

double __wrap_drua_seconds(void);

double __wrap_drua_seconds(void)
{
    return clock_seconds;
}

static void do_block(device_rates *r, int device, double seconds)
{
    rates_take(r, device);
    clock_seconds += seconds;
    rates_done(r, device);
}

/* Two devices at 50 ms per block do 40 blocks a second; the slower writing determines the estimate. */
START_TEST(time_left)
{
    device_rates r;
    rates_open(&r, 2, 100);
    ck_assert_double_eq(rates_left(&r, 40), 0);
    for (int device = 0; device < 2; device++) {
        do_block(&r, device, 0.2); /* includes compilation */
        do_block(&r, device, 0.05);
    }
    ck_assert_double_eq_tol(rates_left(&r, 40), 1, 1e-9);
    ck_assert_double_eq(rates_left(&r, 0), 0);
    rates_written(&r);
    clock_seconds += 0.2;
    rates_written(&r);
    ck_assert_double_eq_tol(rates_left(&r, 40), 8, 1e-9);
    rates_close(&r);
}
END_TEST

/* A slow device waits, and takes a block as soon as the fast one fails. */
START_TEST(a_device_waits_until_it_is_needed)
{
    device_rates r;
    rates_open(&r, 2, 6);
    for (int i = 0; i < 2; i++)
        do_block(&r, 0, 0.3);
    for (int i = 0; i < 2; i++)
        do_block(&r, 1, 0.01);
    ck_assert(rates_leaves_to_others(r.devices, 2, 0, r.waiting, 0));
    rates_take(&r, 1);
    rates_leave(&r, 1, true);
    ck_assert_int_eq(r.waiting, 2);
    rates_wait(&r, 0);
    rates_close(&r);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rates of devices");
    TCase *tests = tcase_create("rates");
    tcase_add_test(tests, slow_devices_leave_the_last_blocks);
    tcase_add_test(tests, a_block_in_hand_counts);
    tcase_add_test(tests, who_is_not_known_takes_a_block);
    tcase_add_test(tests, one_of_those_that_are_free_always_takes_a_block);
    tcase_add_test(tests, time_left);
    tcase_add_test(tests, a_device_waits_until_it_is_needed);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
