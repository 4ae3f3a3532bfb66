/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests maxima that depend on pixels far away, which random images are too rough to contain: on ridges of one height,
 * on mountains in noise, and on a rising background. Several work-items search each image.
 */
#include "calls.h"

#include "registry.h"

#include <math.h>
#include <stdio.h>

typedef enum scene { RIDGES, MOUNTAINS, SLOPE, SCENES } scene;

/* Parallel ridges, joined at alternating ends, with peaks of many heights on top. */
static double ridge(harness_random *chance, drua_shape s, int64_t x, int64_t y)
{
    const bool is_bridge = y % 4 == 2 && x == (y / 4 % 2 ? 0 : s.width - 1);
    const double ground = y % 4 == 0 || is_bridge ? 60 : y % 2 ? 55 : 10;
    return harness_below(chance, 40) ? ground : ground + harness_below(chance, 100);
}

static double value_of(scene what, harness_random *chance, drua_shape s, int64_t x, int64_t y, int64_t z)
{
    switch (what) {
    case RIDGES: return ridge(chance, s, x, y);
    case MOUNTAINS:
        return floor(60 + 40 * sin((double)x / 9) * cos((double)(y + 2 * z) / 7)) + harness_below(chance, 12);
    default: return floor((double)(x + s.width * y) / 40) + harness_below(chance, 5) + (double)z;
    }
}

static void try_scene(drua_context *context, harness_random *chance, drua_shape shape, drua_type type, scene what,
                      double tolerance)
{
    call c = call_make(chance, drua_find_op("prominent_maxima"), shape, type);
    char message[256];
    REFERENCE_EACH_PIXEL(shape, x, y, z)
    reference_put(&c.before[0], x, y, z, value_of(what, chance, shape, x, y, z));
    c.numbers[c.scalars[0]] = tolerance;
    c.expected[c.outputs[0]] = reference_make(type, shape);
    call_reference(&c);
    const drua_image source = harness_push(context, &c.before[0]);
    drua_argument arguments[] = {IMAGE(source), NEW, NUMBER(tolerance)};
    REQUIRE(drua_invoke(context, "prominent_maxima", arguments, 3, NULL));
    reference_image got = harness_pull(context, arguments[1].image);
    ck_assert_msg(reference_agrees(&c.expected[c.outputs[0]], &got, 0, false, message, sizeof message),
                  "scene %d of %d x %d x %d, type %d, tolerance %g: %s", (int)what, (int)shape.width, (int)shape.height,
                  (int)shape.depth, (int)type, tolerance, message);
    reference_free(&got);
    call_free(&c);
    REQUIRE(drua_clear(context));
}

static void try_all(uint64_t seed)
{
    static const drua_shape shapes[] = {{61, 83, 1, 2}, {200, 40, 1, 2}, {19, 21, 15, 3}};
    static const double tolerances[] = {0, 1, 7, 20, 48, 75, 1000};
    drua_context *context = harness_open();
    harness_random chance = {seed};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (size_t t = 0; t < sizeof tolerances / sizeof *tolerances; t++)
            for (int what = 0; what < SCENES; what++)
                try_scene(context, &chance, shapes[s], harness_types[(s + t + (size_t)what) % 7], (scene)what,
                          tolerances[t]);
    drua_close(context);
}

START_TEST(fixed_seed)
{
    try_all(1);
}
END_TEST

START_TEST(new_seed)
{
    try_all(harness_new_seed("property_maxima"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("maxima");
    TCase *tests = tcase_create("maxima");
    tcase_add_test(tests, fixed_seed);
    tcase_add_test(tests, new_seed);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
