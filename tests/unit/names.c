/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests that names are bound to images, and that commands name their results as CLIJ2 does. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static drua_context *context;

static void open_context(void)
{
    context = harness_open();
    const float numbers[] = {1, 2, 3};
    REQUIRE(drua_bind(context, "blobs.gif", harness_line(context, numbers, 3)));
}

static void close_context(void)
{
    drua_close(context);
}

static double first_of(const char *name)
{
    drua_image image;
    REQUIRE(drua_find(context, name, &image));
    return harness_first(context, image);
}

START_TEST(bound_names_are_listed_in_order)
{
    const float number = 5;
    REQUIRE(drua_bind(context, "b", harness_line(context, &number, 1)));
    REQUIRE(drua_bind(context, "a \xc3\xa4 name, with blanks", harness_line(context, &number, 1)));
    ck_assert_str_eq(drua_names(context), "blobs.gif\nb\na \xc3\xa4 name, with blanks");
    ck_assert_double_eq(first_of("b"), 5);
    drua_image image;
    REFUSED(DRUA_E_NAME, drua_find(context, "B", &image), "'B'", "'b'");
    ck_assert_uint_eq(image, 0);
    REQUIRE(drua_release_name(context, "b"));
    REFUSED(DRUA_E_NAME, drua_release_name(context, "b"), "'b'");
    ck_assert_str_eq(drua_names(context), "blobs.gif\na \xc3\xa4 name, with blanks");
}
END_TEST

/* If two results have one name, the last result keeps it and the other is released. */
START_TEST(one_name_for_two_results)
{
    const float deep[] = {5, 7};
    drua_image stack;
    REQUIRE(drua_push(context, (drua_shape){1, 1, 2, 3}, DRUA_FLOAT32, deep, &stack));
    REQUIRE(drua_bind(context, "stack", stack));
    REQUIRE(COMMAND(context, "CLIJ_argMaximumZProjection", NAME("stack"), NAME("same"), NAME("same")));
    ck_assert_str_eq(drua_names(context), "blobs.gif\nstack\nsame");
    ck_assert_double_eq(first_of("same"), 1);
}
END_TEST

START_TEST(binding_again)
{
    const float number = 5;
    drua_image old, fresh = harness_line(context, &number, 1);
    REQUIRE(drua_find(context, "blobs.gif", &old));
    REQUIRE(drua_bind(context, "blobs.gif", fresh));
    drua_image_info info;
    REFUSED(DRUA_E_NAME, drua_get_info(context, old, &info), "released");
    REQUIRE(drua_bind(context, "second", fresh));
    REQUIRE(drua_bind(context, "blobs.gif", harness_line(context, &number, 1)));
    REQUIRE(drua_get_info(context, fresh, &info));
    REQUIRE(drua_bind(context, "second", fresh));
    REQUIRE(drua_release(context, fresh));
    ck_assert_str_eq(drua_names(context), "blobs.gif");
    REFUSED(DRUA_E_ARGUMENT, drua_bind(context, "", fresh), "name");
}
END_TEST

/* A missing, empty or numeric output name becomes CLIJ2_copy_resultN, with one counter for all. */
START_TEST(results_are_named)
{
    drua_argument unset[] = {NAME("blobs.gif"), NEW}, empty[] = {NAME("blobs.gif"), NAME("")},
                  number[] = {NAME("blobs.gif"), NUMBER(0)};
    REQUIRE(drua_command(context, "CLIJ2_copy", unset, 2, NULL));
    ck_assert_int_eq(unset[1].kind, DRUA_ARG_TEXT);
    ck_assert_int_eq(strncmp(unset[1].text, "CLIJ2_copy_result", 17), 0);
    int n = atoi(unset[1].text + 17);
    char names[3][64];
    strcpy(names[0], unset[1].text);
    REQUIRE(drua_command(context, "CLIJ2_copy", empty, 2, NULL));
    strcpy(names[1], empty[1].text);
    ck_assert_int_eq(atoi(names[1] + 17), n + 1);
    REQUIRE(drua_command(context, "CLIJx_copy", number, 2, NULL));
    strcpy(names[2], number[1].text);
    ck_assert_int_eq(strncmp(names[2], "CLIJx_copy_result", 17), 0);
    ck_assert_int_eq(atoi(names[2] + 17), n + 2);
    for (int i = 0; i < 3; i++)
        ck_assert_double_eq(first_of(names[i]), 1);
}
END_TEST

START_TEST(a_new_name_makes_an_image_and_an_old_one_keeps_its_own)
{
    drua_argument copy[] = {NAME("blobs.gif"), NAME("mine")};
    REQUIRE(drua_command(context, "CLIJ2_copy", copy, 2, NULL));
    ck_assert_str_eq(copy[1].text, "mine");
    drua_image before, after;
    REQUIRE(drua_find(context, "mine", &before));
    REQUIRE(COMMAND(context, "CLIJ2_addImageAndScalar", NAME("blobs.gif"), NAME("mine"), NUMBER(4)));
    REQUIRE(drua_find(context, "mine", &after));
    ck_assert_uint_eq(before, after);
    ck_assert_double_eq(first_of("mine"), 5);
    REQUIRE(COMMAND(context, "CLIJ2_addImageAndScalar", NAME("mine"), NAME("mine"), NUMBER(4)));
    ck_assert_double_eq(first_of("mine"), 9);
}
END_TEST

static int64_t width_of(const char *name)
{
    drua_image image;
    drua_image_info info;
    REQUIRE(drua_find(context, name, &image));
    REQUIRE(drua_get_info(context, image, &info));
    return info.shape.width;
}

static void bind_line(const char *name, int count)
{
    const float numbers[] = {1, 2, 3, 4, 5, 6, 7, 8};
    REQUIRE(drua_bind(context, name, harness_line(context, numbers, count)));
}

/* Commands with CLIJ2's names keep an existing image's extent, and report this once until the report is read. */
START_TEST(a_result_that_does_not_fit_is_told)
{
    bind_line("line", 3);
    ck_assert_str_eq(drua_take_misfit(context), "");
    drua_set_line_number(context, 7);
    REQUIRE(COMMAND(context, "CLIJ2_addImageAndScalar", NAME("line"), NAME("sum"), NUMBER(1)));
    REQUIRE(COMMAND(context, "CLIJ2_addImageAndScalar", NAME("line"), NAME("sum"), NUMBER(2)));
    ck_assert_str_eq(drua_take_misfit(context), "");
    bind_line("line", 5);
    REQUIRE(COMMAND(context, "CLIJ2_addImageAndScalar", NAME("line"), NAME("sum"), NUMBER(1)));
    bind_line("line", 2);
    drua_set_line_number(context, 8);
    REQUIRE(COMMAND(context, "CLIJ2_addImageAndScalar", NAME("line"), NAME("sum"), NUMBER(1)));
    ck_assert_int_eq(width_of("sum"), 3);
    ck_assert_str_eq(drua_take_misfit(context),
                     "CLIJ2_addImageAndScalar: destination: the image 'sum' exists and keeps its 3 x 1 pixels, where a "
                     "new one would have 5 x 1; release it first to have a new one (line 7)");
    ck_assert_str_eq(drua_take_misfit(context), "");
}
END_TEST

/* An image that the macro created or pushed keeps its extent without a message, unless it is created again. */
START_TEST(a_created_image_has_the_extent_that_the_macro_wants)
{
    bind_line("line", 3);
    REQUIRE(COMMAND(context, "CLIJ2_create2D", NAME("matrix"), NUMBER(2), NUMBER(2), NUMBER(32)));
    REQUIRE(COMMAND(context, "CLIJx_generateIntegerGreyValueCooccurrenceCountMatrixHalfBox", NAME("line"),
                    NAME("matrix")));
    bind_line("pushed", 2);
    REQUIRE(COMMAND(context, "CLIJ2_addImageAndScalar", NAME("line"), NAME("pushed"), NUMBER(1)));
    ck_assert_str_eq(drua_take_misfit(context), "");
    REQUIRE(COMMAND(context, "CLIJ2_create2D", NAME("matrix"), NUMBER(4), NUMBER(4), NUMBER(32)));
    ck_assert_int_eq(width_of("matrix"), 2);
    ck_assert_str_eq(drua_take_misfit(context),
                     "CLIJ2_create2D: destination: the image 'matrix' exists and keeps its 2 x 2 pixels, where a new "
                     "one would have 4 x 4; release it first to have a new one");
}
END_TEST

/* Commands with Drua's own names replace an image only if the same argument of the same line made it. */
START_TEST(a_line_makes_its_own_image_anew)
{
    bind_line("line", 3);
    drua_set_line_number(context, 7);
    REQUIRE(COMMAND(context, "Drua_addImageAndScalar", NAME("line"), NAME("sum"), NUMBER(1)));
    bind_line("line", 5);
    REQUIRE(COMMAND(context, "Drua_addImageAndScalar", NAME("line"), NAME("sum"), NUMBER(1)));
    ck_assert_int_eq(width_of("sum"), 5);
    ck_assert_str_eq(drua_take_misfit(context), "");
    REQUIRE(COMMAND(context, "Drua_addImageAndScalar", NAME("sum"), NAME("sum"), NUMBER(1)));
    ck_assert_double_eq(first_of("sum"), 3);
    bind_line("line", 2);
    REQUIRE(COMMAND(context, "Drua_absolute", NAME("line"), NAME("sum")));
    ck_assert_int_eq(width_of("sum"), 5);
    drua_set_line_number(context, 8);
    REQUIRE(COMMAND(context, "Drua_addImageAndScalar", NAME("line"), NAME("sum"), NUMBER(1)));
    ck_assert_int_eq(width_of("sum"), 5);
    REQUIRE(drua_release_name(context, "sum"));
    bind_line("sum", 4);
    drua_set_line_number(context, 7);
    REQUIRE(COMMAND(context, "Drua_addImageAndScalar", NAME("line"), NAME("sum"), NUMBER(1)));
    ck_assert_int_eq(width_of("sum"), 4);
    REFUSED(
        DRUA_E_ARGUMENT,
        COMMAND(context, "Drua_pushArray", NAME("sum"), ARRAY(((double[]){1, 2}), 2), NUMBER(2), NUMBER(1), NUMBER(1)),
        "the image 'sum' exists and keeps its 4 x 1 pixels");
}
END_TEST

/* divideImages makes float32 in CLIJ2 and the source's type in CLIJ. */
START_TEST(types_follow_the_dialect)
{
    const uint8_t pixels[] = {7, 2};
    drua_image image;
    REQUIRE(drua_push(context, reference_plane(2, 1), DRUA_UINT8, pixels, &image));
    REQUIRE(drua_bind(context, "bytes", image));
    REQUIRE(COMMAND(context, "CLIJ2_power", NAME("bytes"), NAME("new"), NUMBER(2)));
    REQUIRE(COMMAND(context, "CLIJ_power", NAME("bytes"), NAME("old"), NUMBER(2)));
    drua_image_info info;
    REQUIRE(drua_find(context, "new", &image));
    REQUIRE(drua_get_info(context, image, &info));
    ck_assert_int_eq(info.type, DRUA_FLOAT32);
    REQUIRE(drua_find(context, "old", &image));
    REQUIRE(drua_get_info(context, image, &info));
    ck_assert_int_eq(info.type, DRUA_UINT8);
    ck_assert_double_eq(first_of("old"), 49);
}
END_TEST

START_TEST(many_and_long_names)
{
    char name[3000];
    const float number = 3;
    for (int i = 0; i < 300; i++) {
        snprintf(name, sizeof name, "image %d", i);
        REQUIRE(drua_bind(context, name, harness_line(context, &number, 1)));
    }
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = 0;
    REQUIRE(drua_bind(context, name, harness_line(context, &number, 1)));
    ck_assert_double_eq(first_of(name), 3);
    const char *names = drua_names(context);
    ck_assert_msg(strlen(strrchr(names, '\n') + 1) == sizeof name - 1, "the long name is cut in the list");
    name[100] = 'y';
    drua_image image;
    REFUSED(DRUA_E_NAME, drua_find(context, name, &image), "image");
    REQUIRE(drua_clear(context));
    REFUSED(DRUA_E_NAME, drua_find(context, "image 7", &image), "holds no images");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("names");
    TCase *tests = tcase_create("names");
    tcase_add_checked_fixture(tests, open_context, close_context);
    tcase_add_test(tests, bound_names_are_listed_in_order);
    tcase_add_test(tests, one_name_for_two_results);
    tcase_add_test(tests, binding_again);
    tcase_add_test(tests, results_are_named);
    tcase_add_test(tests, a_new_name_makes_an_image_and_an_old_one_keeps_its_own);
    tcase_add_test(tests, a_result_that_does_not_fit_is_told);
    tcase_add_test(tests, a_created_image_has_the_extent_that_the_macro_wants);
    tcase_add_test(tests, a_line_makes_its_own_image_anew);
    tcase_add_test(tests, types_follow_the_dialect);
    tcase_add_test(tests, many_and_long_names);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
