/* SPDX-License-Identifier: BSD-3-Clause */
#include "loader.h"

#include "harness.h"

#include <check.h>
#include <dlfcn.h>

struct loader loader;

void loader_find(void)
{
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    const struct {
        void *place;
        const char *name;
    } functions[] = {{&loader.fail_after, "shim_fail_after"},
                     {&loader.break_after, "shim_break_after"},
                     {&loader.lose, "shim_lose"},
                     {&loader.limit_blocks, "shim_limit_blocks"},
                     {&loader.forget_peak, "shim_forget_peak"},
                     {&loader.fired, "shim_fired"},
                     {&loader.builds, "shim_builds"},
                     {&loader.lose_context, "shim_lose_context"},
                     {&loader.live_bytes, "shim_live_bytes"},
                     {&loader.live_objects, "shim_live_objects"},
                     {&loader.live_events, "shim_live_events"},
                     {&loader.peak_bytes, "shim_peak_bytes"},
                     {&loader.call_after, "shim_call_after"}};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *function = library ? dlsym(library, functions[i].name) : NULL;
        ck_assert_msg(function != NULL, "libOpenCL.so.1 is not the shim; run this by ctest");
        *(void **)functions[i].place = function;
    }
}

void loader_fail_until_left_out(bool (*attempt)(long n, int *left_out), long apart)
{
    enum { TRIES = 60 };
    harness_random random = {harness_new_seed("failing calls")};
    int left_out = 0;
    long n = 1;
    while (attempt(n, &left_out))
        n += 1 + n / apart;
    for (int tries = 0; left_out == 0 && tries < TRIES; tries++)
        attempt(1 + harness_below(&random, (int)n), &left_out);
    ck_assert_int_gt(left_out, 0);
}

void loader_expect_nothing_left(const char *what, long n)
{
    ck_assert_msg(loader.live_objects() == 0 && loader.live_bytes() == 0 && loader.live_events() == 0,
                  "%s %ld: %lld objects, %lld bytes and %lld references to events are left", what, n,
                  loader.live_objects(), loader.live_bytes(), loader.live_events());
}

void loader_expect_peak(uint64_t budget, uint64_t others)
{
    ck_assert_msg((uint64_t)loader.peak_bytes() <= budget + others, "%lld bytes on the device, with a budget of %llu",
                  loader.peak_bytes(), (unsigned long long)budget);
}
