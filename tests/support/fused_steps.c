/* SPDX-License-Identifier: BSD-3-Clause */
#include "fused_steps.h"

#include <stdlib.h>
#include <string.h>

void use(int side)
{
    setenv("DRUA_CHAINS", side ? "compile" : "interpret", 1);
}

void open_step_sides(void)
{
    for (int s = 0; s < SIDES; s++) {
        use(s);
        sides[s] = open_with("DRUA_FUSE", s ? "1" : "0");
    }
}

uint64_t launches_of(drua_context *context)
{
    return statistics_of(context).launches;
}

drua_argument destination(drua_context *context, drua_shape shape, drua_type type)
{
    drua_argument made = NEW;
    if (type) {
        made.kind = DRUA_ARG_IMAGE;
        REQUIRE(drua_create(context, shape, type, &made.image));
    }
    return made;
}

drua_image apply(drua_context *context, const step *s, drua_image image, drua_image second, drua_shape shape)
{
    drua_argument arguments[3] = {IMAGE(image)};
    size_t count = 1;
    if (s->joins)
        arguments[count++] = IMAGE(second);
    const size_t out = count;
    arguments[count++] = destination(context, shape, s->made);
    if (!s->joins && s->number != 0)
        arguments[count++] = NUMBER(s->number);
    REQUIRE(drua_invoke(context, s->operation, arguments, count, NULL));
    REQUIRE(drua_release(context, image));
    return arguments[out].image;
}

void check_same(drua_image one, drua_image other, const char *what, size_t number)
{
    const drua_image images[SIDES] = {one, other};
    void *pixels[SIDES];
    drua_image_info info[SIDES];
    for (int s = 0; s < SIDES; s++) {
        use(s);
        REQUIRE(drua_get_info(sides[s], images[s], &info[s]));
        pixels[s] = reference_allocate(1, info[s].bytes);
        REQUIRE(drua_pull(sides[s], images[s], pixels[s]));
    }
    ck_assert_int_eq(info[0].type, info[1].type);
    ck_assert_uint_eq(info[0].bytes, info[1].bytes);
    ck_assert_msg(!memcmp(pixels[0], pixels[1], info[0].bytes), "%s: trial %zu", what, number);
    free(pixels[0]);
    free(pixels[1]);
}

drua_image with_number(drua_context *context, const char *operation, drua_image image, double number)
{
    drua_argument arguments[] = {IMAGE(image), NEW, NUMBER(number)};
    REQUIRE(drua_invoke(context, operation, arguments, 3, NULL));
    return arguments[1].image;
}

drua_image of_two(drua_context *context, const char *operation, drua_image a, drua_image b)
{
    drua_argument arguments[] = {IMAGE(a), IMAGE(b), NEW};
    REQUIRE(drua_invoke(context, operation, arguments, 3, NULL));
    return arguments[2].image;
}
