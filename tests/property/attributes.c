/* SPDX-License-Identifier: BSD-3-Clause */
/* Attribute filters of images with few grey values, so that most pixels lie on plateaus, and of images with NaN. */
#include "calls.h"

#include "registry.h"

#include <stdio.h>

enum { CALLS = 60 };

/* Replaces the pixels by small numbers; in float32 images also by NaN, infinity and both zeros. */
static void flatten(harness_random *random, reference_image *image, uint32_t levels)
{
    static const double odd[] = {NAN, NAN, INFINITY, -INFINITY, -0.0, 0};
    const bool has_odd = image->type == DRUA_FLOAT32 && harness_below(random, 2);
    for (size_t i = 0; i < reference_count(image); i++) {
        image->pixels[i] = harness_below(random, levels) + 90;
        if (has_odd && harness_below(random, 6) == 0)
            image->pixels[i] = odd[harness_below(random, sizeof odd / sizeof *odd)];
    }
}

static bool agrees(drua_context *context, harness_random *random, const drua_op *op, drua_shape shape, drua_type type)
{
    call c = call_make(random, op, shape, type);
    const int in = c.inputs[0], out = c.outputs[0];
    char message[256] = "";
    drua_image handles[CALL_PARAMS] = {0};
    reference_image results[CALL_PARAMS] = {{.pixels = NULL}};
    flatten(random, &c.before[in], 2 + harness_below(random, 30));
    c.expected[out] = reference_make(type, shape);
    call_reference(&c);
    handles[in] = harness_push(context, &c.before[in]);
    ck_assert_msg(call_run(&c, context, handles, results), "%s", drua_error_message());
    const bool equal = call_output_agrees(&c, out, &results[0], message, sizeof message);
    if (!equal)
        printf("%s %s %s: %s\n", call_text(&c), c.texts[2], c.texts[3], message);
    REQUIRE(drua_clear(context));
    reference_free(&results[0]);
    call_free(&c);
    return equal;
}

START_TEST(plateaus)
{
    static const drua_shape shapes[] = {{37, 29, 1, 2}, {70, 5, 1, 2}, {17, 13, 7, 3}, {33, 3, 9, 3}};
    harness_random random = {harness_new_seed("attributes")};
    drua_context *context = harness_open();
    const drua_op *op = drua_find_op("attribute_filter");
    int flawed = 0;
    for (int i = 0; i < CALLS; i++)
        flawed += !agrees(context, &random, op, shapes[harness_below(&random, 4)],
                          (drua_type)(DRUA_UINT8 + harness_below(&random, 7)));
    drua_close(context);
    ck_assert_int_eq(flawed, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("attributes");
    TCase *tests = tcase_create("attributes");
    tcase_set_timeout(tests, 3600);
    tcase_add_test(tests, plateaus);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
