/* SPDX-License-Identifier: BSD-3-Clause */
/* Unoptimized kernels, which a CPU may use for its first launches, give the same bits as optimized ones. */
#include "calls.h"
#include "sides.h"

#include "hash.h"
#include "registry.h"

#include <stdio.h>
#include <string.h>

enum { NOT_OPTIMIZED, OPTIMIZED };

static harness_random chance;
static int flawed;

static bool run_call(int side, const call *c, reference_image *results)
{
    drua_image handles[CALL_PARAMS] = {0};
    for (int k = 0; k < c->input_count; k++)
        handles[c->inputs[k]] = harness_push(sides[side], &c->before[c->inputs[k]]);
    const bool done = call_run(c, sides[side], handles, results);
    REQUIRE(drua_clear(sides[side]));
    return done;
}

static void compare_sides(const drua_op *op, drua_shape shape, drua_type type)
{
    call c = call_make(&chance, op, shape, type);
    reference_image results[SIDES][CALL_PARAMS] = {{{.pixels = NULL}}};
    const bool once = run_call(NOT_OPTIMIZED, &c, results[NOT_OPTIMIZED]),
               twice = run_call(OPTIMIZED, &c, results[OPTIMIZED]);
    ck_assert_msg(once == twice, "%s is refused once", call_text(&c));
    for (int k = 0; k < c.output_count; k++) {
        char message[256] = "";
        if (once &&
            !reference_agrees(&results[NOT_OPTIMIZED][k], &results[OPTIMIZED][k], 0, false, message, sizeof message)) {
            printf("%s, output %s: %s\n", call_text(&c), op->params[c.outputs[k]].name, message);
            flawed++;
        }
        for (int side = 0; side < SIDES; side++)
            reference_free(&results[side][k]);
    }
    call_free(&c);
}

START_TEST(same_bits)
{
    int number = 0;
    const uint64_t seed = harness_new_seed("same_bits");
    sides[NOT_OPTIMIZED] = open_with("DRUA_OPTIMIZE", "never");
    sides[OPTIMIZED] = open_with("DRUA_OPTIMIZE", "now");
    for (const drua_op *const *op = drua_op_table; *op; op++) {
        chance.state = drua_hash(seed, (*op)->name, strlen((*op)->name));
        if ((*op)->traits & DRUA_HOST || !harness_is_wanted((*op)->name, (*op)->category) ||
            !harness_is_sampled(number++))
            continue;
        compare_sides(*op, (drua_shape){37, 29, 1, 2}, DRUA_UINT8);
        compare_sides(*op, (drua_shape){17, 13, 7, 3}, DRUA_FLOAT32);
    }
    close_sides();
    ck_assert_int_eq(flawed, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("optimized");
    TCase *tests = tcase_create("optimized");
    tcase_set_timeout(tests, 3600);
    tcase_add_test(tests, same_bits);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
