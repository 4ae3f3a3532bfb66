/* SPDX-License-Identifier: BSD-3-Clause */
/* All strategies for a call must give the same bits, and drua_explain_launches must name the strategy used. */
#include "sides.h"

#include <string.h>

typedef struct strategy_case {
    const char *strategy, *operation;
    double numbers[3];
    int count;
    const char *said;           /* part of the last line of the explanation */
} strategy_case;

static const strategy_case cases[] = {
    {"whole", "gaussian_blur", {2, 2, 1}, 3, ", whole,"},
    {"tiled", "gaussian_blur", {2, 2, 1}, 3, ", a tile,"},
    {"tiled", "mean_box", {3, 2, 1}, 3, ", a tile,"},
    {"tiled", "maximum_box", {1, 2, 3}, 3, ", a tile,"},
    {"tiled", "transpose_xz", {0}, 0, ", a tile,"},
    {"large", "gaussian_blur", {2, 2, 1}, 3, ", whole,"},           /* the strategy does not apply */
    {"no such strategy", "gaussian_blur", {2, 2, 1}, 3, ", whole,"},
};

static drua_image run_case(drua_context *context, const strategy_case *c, drua_image source)
{
    drua_argument arguments[5] = {IMAGE(source), NEW};
    for (int i = 0; i < c->count; i++)
        arguments[2 + i] = (drua_argument)NUMBER(c->numbers[i]);
    REQUIRE(drua_invoke(context, c->operation, arguments, 2 + (size_t)c->count, NULL));
    return arguments[1].image;
}

static const char *last_line(const char *text)
{
    for (const char *line = strstr(text, "\n"); line && line[1]; line = strstr(line + 1, "\n"))
        text = line + 1;
    return text;
}

START_TEST(strategies_agree)
{
    const strategy_case *c = &cases[_i];
    harness_random chance = {11};
    reference_image pixels = harness_image(&chance, DRUA_UINT16, (drua_shape){40, 30, 50, 3}, HARNESS_GREY);
    drua_context *usual = harness_open(), *requested = open_with("DRUA_STRATEGY", c->strategy);
    const drua_image a = run_case(usual, c, harness_push(usual, &pixels)),
                     b = run_case(requested, c, harness_push(requested, &pixels));
    static uint8_t expected[40 * 30 * 50 * 4], got[sizeof expected];
    REQUIRE(drua_pull(usual, a, expected));
    REQUIRE(drua_pull(requested, b, got));
    ck_assert(!memcmp(expected, got, sizeof got));
    const char *said = last_line(drua_explain_launches(requested));
    ck_assert_msg(strstr(said, c->said), "%s", said);
    reference_free(&pixels);
    drua_close(usual);
    drua_close(requested);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("strategies");
    TCase *tests = tcase_create("strategies");
    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, strategies_agree, 0, sizeof cases / sizeof *cases);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
