/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests handles, which consist of context, slot and generation. A released handle must give an error, never another
 * image or a crash.
 */
#include "harness.h"
#include "context.h"

static drua_context *context;

static void open_context(void)
{
    context = harness_open();
}

static void close_context(void)
{
    drua_close(context);
}

static drua_image line_of(float first)
{
    const float numbers[] = {first, 2, 3};
    return harness_line(context, numbers, 3);
}

START_TEST(slots_are_used_again_under_another_generation)
{
    drua_image a = line_of(1);
    REQUIRE(drua_release(context, a));
    drua_image b = line_of(5);
    ck_assert_uint_eq(context->slot_count, 1);
    ck_assert_uint_ne(a, b);
    float pixels[3];
    REFUSED(DRUA_E_NAME, drua_pull(context, a, pixels), "released");
    ck_assert_double_eq(harness_first(context, b), 5);
}
END_TEST

/* Handles are never reused. A slot whose generations are all used up gets no new image. */
START_TEST(generations_do_not_begin_again)
{
    drua_image a = line_of(1);
    REQUIRE(drua_release(context, a));
    context->slots[0].generation = (1u << 18) - 1;
    drua_image last = line_of(2);
    ck_assert_uint_eq(context->slot_count, 1);
    REQUIRE(drua_release(context, last));
    drua_image b = line_of(3);
    ck_assert_uint_eq(context->slot_count, 2);
    drua_image_info info;
    REFUSED(DRUA_E_NAME, drua_get_info(context, a, &info), "released");
    REFUSED(DRUA_E_NAME, drua_get_info(context, last, &info), "released");
    ck_assert_double_eq(harness_first(context, b), 3);
}
END_TEST

START_TEST(use_after_release)
{
    drua_image a = line_of(1), b = line_of(2);
    REQUIRE(drua_release(context, a));
    drua_image_info info;
    float pixels[3];
    const void *planes[] = {pixels};
    const char *text;
    REFUSED(DRUA_E_NAME, drua_release(context, a), "released");
    REFUSED(DRUA_E_NAME, drua_get_info(context, a, &info), "released");
    REFUSED(DRUA_E_NAME, drua_pull(context, a, pixels), "released");
    REFUSED(DRUA_E_NAME, drua_overwrite_planes(context, a, planes), "released");
    REFUSED(DRUA_E_NAME, drua_bind(context, "a", a), "released");
    REFUSED(DRUA_E_NAME, drua_set_metadata(context, a, "text"), "released");
    REFUSED(DRUA_E_NAME, drua_get_metadata(context, a, &text), "released");
    REFUSED(DRUA_E_NAME, INVOKE(context, "copy", IMAGE(a), NEW), "copy", "source", "released");
    REFUSED(DRUA_E_NAME, INVOKE(context, "copy", IMAGE(b), IMAGE(a)), "copy", "destination", "released");
    ck_assert_double_eq(harness_first(context, b), 2);
}
END_TEST

START_TEST(what_was_never_an_image)
{
    static const drua_image wrong[] = {0, 1, 12345, (drua_image)1 << 32, UINT64_MAX, (drua_image)7 << 32 | 1};
    drua_image_info info;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        REFUSED(DRUA_E_NAME, drua_get_info(context, wrong[i], &info), "image");
        REFUSED(DRUA_E_NAME, drua_release(context, wrong[i]), "image");
    }
}
END_TEST

/* Recorded work reads the values that its images had when it was recorded. */
START_TEST(release_and_overwrite_before_the_work_runs)
{
    drua_image a = line_of(1);
    drua_argument add[] = {IMAGE(a), NEW, NUMBER(10)};
    REQUIRE(drua_invoke(context, "add_image_and_scalar", add, 3, NULL));
    drua_argument twice[] = {IMAGE(add[1].image), IMAGE(a), NEW};
    REQUIRE(drua_invoke(context, "add_images", twice, 3, NULL));
    const float other[] = {100, 200, 300};
    const void *planes[] = {other};
    REQUIRE(drua_overwrite_planes(context, a, planes));
    REQUIRE(drua_release(context, add[1].image));
    ck_assert_double_eq(harness_first(context, a), 100);
    REQUIRE(drua_release(context, a));
    ck_assert_double_eq(harness_first(context, twice[2].image), 12);
}
END_TEST

START_TEST(copies_part_when_one_changes)
{
    drua_image a = line_of(1);
    drua_argument copy[] = {IMAGE(a), NEW};
    REQUIRE(drua_invoke(context, "copy", copy, 2, NULL));
    REQUIRE(INVOKE(context, "set", IMAGE(a), NUMBER(7)));
    ck_assert_double_eq(harness_first(context, copy[1].image), 1);
    ck_assert_double_eq(harness_first(context, a), 7);
    drua_argument again[] = {IMAGE(copy[1].image), NEW};
    REQUIRE(drua_invoke(context, "copy", again, 2, NULL));
    REQUIRE(INVOKE(context, "set_where_x_equals_y", IMAGE(again[1].image), NUMBER(9)));
    ck_assert_double_eq(harness_first(context, copy[1].image), 1);
    ck_assert_double_eq(harness_first(context, again[1].image), 9);
}
END_TEST

START_TEST(clear_releases_all)
{
    drua_image images[40];
    for (int i = 0; i < 40; i++)
        images[i] = line_of((float)i);
    REQUIRE(drua_bind(context, "named", images[3]));
    REQUIRE(drua_clear(context));
    drua_image_info info;
    for (int i = 0; i < 40; i++)
        REFUSED(DRUA_E_NAME, drua_get_info(context, images[i], &info), "released");
    ck_assert_str_eq(drua_names(context), "");
    ck_assert_double_eq(harness_first(context, line_of(4)), 4);
}
END_TEST

/* A destination keeps its handle, metadata and shape; only its value changes. */
START_TEST(handles_survive_being_overwritten)
{
    drua_image a = line_of(1), b = 0;
    REQUIRE(drua_create(context, reference_plane(5, 1), DRUA_UINT8, &b));
    REQUIRE(INVOKE(context, "add_image_and_scalar", IMAGE(a), IMAGE(b), NUMBER(1)));
    drua_image_info info;
    REQUIRE(drua_get_info(context, b, &info));
    ck_assert_int_eq(info.type, DRUA_UINT8);
    ck_assert_int_eq(info.shape.width, 5);
    ck_assert_uint_eq(info.bytes, 5);
    ck_assert_double_eq(harness_first(context, b), 2);
}
END_TEST

START_TEST(metadata_travels)
{
    drua_image a = line_of(1);
    const char *text;
    REQUIRE(drua_get_metadata(context, a, &text));
    ck_assert_str_eq(text, "");
    REQUIRE(drua_set_metadata(context, a, "unit=micron"));
    drua_argument copy[] = {IMAGE(a), NEW};
    REQUIRE(drua_invoke(context, "copy", copy, 2, NULL));
    REQUIRE(drua_get_metadata(context, copy[1].image, &text));
    ck_assert_str_eq(text, "unit=micron");
    REQUIRE(drua_set_metadata(context, a, NULL));
    REQUIRE(drua_get_metadata(context, a, &text));
    ck_assert_str_eq(text, "");
    REQUIRE(drua_get_metadata(context, copy[1].image, &text));
    ck_assert_str_eq(text, "unit=micron");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("handles");
    TCase *tests = tcase_create("handles");
    tcase_add_checked_fixture(tests, open_context, close_context);
    tcase_add_test(tests, slots_are_used_again_under_another_generation);
    tcase_add_test(tests, generations_do_not_begin_again);
    tcase_add_test(tests, use_after_release);
    tcase_add_test(tests, what_was_never_an_image);
    tcase_add_test(tests, release_and_overwrite_before_the_work_runs);
    tcase_add_test(tests, copies_part_when_one_changes);
    tcase_add_test(tests, clear_releases_all);
    tcase_add_test(tests, handles_survive_being_overwritten);
    tcase_add_test(tests, metadata_travels);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
