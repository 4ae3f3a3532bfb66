/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the geometry of tiles pixel by pixel with an operation's declaration. Needs no device. */
#include "harness.h"

#include "tile.h"

#include <string.h>

enum { ROUNDS = 3000 };

/* Makes a random declaration. Outputs have the inputs' extents along the tiled axis, unless a reach changes them. */
static drua_tiling random_tiling(harness_random *chance)
{
    static const int orders[][3] = {{0, 1, 2}, {2, 1, 0}, {0, 2, 1}};
    drua_tiling t = {.parts = drua_parts_none()};
    const int *order = orders[harness_below(chance, 3)];
    for (int axis = 0; axis < 3; axis++)
        t.inputs[axis] = 1 + harness_below(chance, 40);
    for (int out = 0; out < 3; out++) {
        const int axis = t.parts.axis[out] = order[out];
        t.parts.halo[axis] = harness_below(chance, 5);
        t.parts.align[axis] = harness_below(chance, 4) ? 0 : 1 + harness_below(chance, 8);
        t.outputs[out] = t.inputs[axis];
        if (!harness_below(chance, 4)) {
            t.parts.range[out] = (drua_affine_range){true, harness_below(chance, 7) - 3, harness_below(chance, 9) - 6,
                                                     harness_below(chance, 5)};
            t.parts.range[out].max += t.parts.range[out].min;
            t.outputs[out] = 1 + harness_below(chance, 40);
        }
        t.cuts[out] = harness_below(chance, 3);
    }
    t.parts.equal_extents = harness_below(chance, 2);
    return t;
}

static drua_box random_box(harness_random *chance, const drua_tiling *t)
{
    drua_box box = drua_box_of(t->outputs);
    for (int out = 0; out < 3; out++)
        if (t->cuts[out]) {
            box.first[out] = harness_below(chance, (int)t->outputs[out]);
            box.end[out] = box.first[out] + 1 + harness_below(chance, (int)(t->outputs[out] - box.first[out]));
        }
    return box;
}

static int64_t nearest(int64_t at, int64_t extent)
{
    return at < 0 ? 0 : at < extent ? at : extent - 1;
}

/* A tile reads every pixel that its output pixels need. A pixel beyond the edge is replaced by the nearest one. */
START_TEST(what_is_needed_is_read)
{
    harness_random chance = {17};
    for (int round = 0; round < ROUNDS; round++) {
        const drua_tiling t = random_tiling(&chance);
        const drua_box wanted = random_box(&chance, &t);
        const drua_tile tile = drua_tile_for(&t, &wanted);
        for (int out = 0; out < 3; out++) {
            const int axis = t.parts.axis[out];
            const drua_affine_range *r = &t.parts.range[out];
            ck_assert_int_le(tile.made.first[out], wanted.first[out]);
            ck_assert_int_ge(tile.made.end[out], wanted.end[out]);
            ck_assert_int_ge(tile.read.first[axis], 0);
            ck_assert_int_le(tile.read.end[axis], t.inputs[axis]);
            for (int64_t i = wanted.first[out]; i < wanted.end[out] && t.cuts[out]; i++) {
                const int64_t low = r->set ? (int64_t)(r->step * (double)i + r->min) : i - t.parts.halo[axis];
                const int64_t high = r->set ? (int64_t)(r->step * (double)i + r->max) : i + t.parts.halo[axis];
                ck_assert_int_le(tile.read.first[axis], nearest(low, t.inputs[axis]));
                ck_assert_int_gt(tile.read.end[axis], nearest(high, t.inputs[axis]));
            }
            if (t.cuts[out] && !r->set && t.parts.align[axis])
                ck_assert_int_eq(tile.read.first[axis] % t.parts.align[axis], 0);
            if (t.cuts[out] && !r->set) {
                ck_assert_int_eq(tile.made.first[out], tile.read.first[axis]);
                ck_assert_int_eq(tile.made.end[out], tile.read.end[axis]);
            }
        }
    }
}
END_TEST

/* Without alignment, equal steps read equal extents, except at the ends of the image. */
START_TEST(tiles_are_alike)
{
    const int64_t extent[3] = {1, 1, 100};
    drua_tiling t = {.parts = drua_parts_none(),
                     .cuts = {false, false, true},
                     .inputs = {1, 1, 100},
                     .outputs = {1, 1, 100},
                     .usual = {0, 0, 30}};
    t.parts.halo[2] = 5;
    t.parts.equal_extents = true;
    for (int64_t first = 0; first < 100; first += 30) {
        drua_box wanted = drua_box_of(extent);
        wanted.first[2] = first;
        wanted.end[2] = first + 30 < 100 ? first + 30 : 100;
        const drua_tile tile = drua_tile_for(&t, &wanted);
        ck_assert_int_eq(tile.read.end[2] - tile.read.first[2], 40);
    }
}
END_TEST

START_TEST(halves_are_the_whole)
{
    harness_random chance = {18};
    for (int round = 0; round < ROUNDS; round++) {
        const drua_tiling t = random_tiling(&chance);
        const drua_box box = random_box(&chance, &t);
        const int axis = harness_below(&chance, 3);
        drua_box halves[2];
        if (box.end[axis] - box.first[axis] < 2)
            continue;
        drua_box_halve(&box, axis, halves);
        ck_assert_int_eq(halves[0].end[axis], halves[1].first[axis]);
        ck_assert_double_eq(drua_box_pixels(&halves[0]) + drua_box_pixels(&halves[1]), drua_box_pixels(&box));
        ck_assert_double_gt(drua_box_pixels(&halves[0]), 0);
        ck_assert_double_gt(drua_box_pixels(&halves[1]), 0);
    }
}
END_TEST

/* Every pixel lies in exactly one part, and parts follow in raster order. */
START_TEST(parts_are_the_whole)
{
    harness_random chance = {20};
    for (int round = 0; round < ROUNDS; round++) {
        drua_box box;
        int64_t step[3];
        double pixels = 0;
        for (int axis = 0; axis < 3; axis++) {
            box.first[axis] = harness_below(&chance, 9);
            box.end[axis] = box.first[axis] + 1 + harness_below(&chance, 20);
            step[axis] = 1 + harness_below(&chance, 25);
        }
        int64_t last[3] = {-1, -1, -1};
        for (int64_t number = 0; number < drua_box_parts(&box, step); number++) {
            const drua_box part = drua_box_part(&box, step, number);
            for (int axis = 0; axis < 3; axis++) {
                ck_assert_int_ge(part.first[axis], box.first[axis]);
                ck_assert_int_le(part.end[axis], box.end[axis]);
                ck_assert_int_gt(part.end[axis], part.first[axis]);
                ck_assert_int_le(part.end[axis] - part.first[axis], step[axis]);
            }
            int axis = 2;
            while (axis > 0 && part.first[axis] == last[axis])
                axis--;
            ck_assert_int_gt(part.first[axis], last[axis]);
            memcpy(last, part.first, sizeof last);
            pixels += drua_box_pixels(&part);
        }
        ck_assert_double_eq(pixels, drua_box_pixels(&box));
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tiles");
    TCase *tests = tcase_create("tiles");
    tcase_add_test(tests, what_is_needed_is_read);
    tcase_add_test(tests, tiles_are_alike);
    tcase_add_test(tests, halves_are_the_whole);
    tcase_add_test(tests, parts_are_the_whole);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
