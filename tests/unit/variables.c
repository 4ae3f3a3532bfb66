/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests that a library that is built without tests reads only the variables for users, and that docs/settings.md lists
 * them. CMake compiles base/variables.c for this program as for that library.
 */
#include "harness.h"

#include "variables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

START_TEST(variables_for_tests_are_unknown)
{
    for (drua_variable v = 0; v < DRUA_VARIABLES; v++) {
        setenv(drua_variable_name(v), "7", 1);
        ck_assert_int_eq(drua_variable_is(v, "7"), v < DRUA_VARIABLES_FOR_USERS);
        ck_assert_int_eq(drua_variable_text(v) != NULL, v < DRUA_VARIABLES_FOR_USERS);
        unsetenv(drua_variable_name(v));
        ck_assert_ptr_null(drua_variable_text(v));
    }
}
END_TEST

START_TEST(variables_are_named_and_explained)
{
    for (drua_variable v = 0; v < DRUA_VARIABLES; v++) {
        ck_assert_int_eq(strncmp(drua_variable_name(v), "DRUA_", 5), 0);
        for (drua_variable other = 0; other < v; other++)
            ck_assert_str_ne(drua_variable_name(v), drua_variable_name(other));
        ck_assert_int_eq(drua_variable_doc(v) != NULL, v < DRUA_VARIABLES_FOR_USERS);
    }
}
END_TEST

/* Counts the rows of the page of settings, or only the rows of one variable. */
static int rows_of(const char *page, const char *name)
{
    char row[80];
    int count = 0;
    snprintf(row, sizeof row, "\n| `%s", name);
    for (const char *at = strstr(page, row); at; at = strstr(at + 1, row))
        count++;
    return count;
}

START_TEST(page_lists_the_variables_for_users)
{
    static char page[1 << 16];
    FILE *file = fopen(SETTINGS_PAGE, "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_gt(fread(page, 1, sizeof page - 1, file), 0);
    fclose(file);
    ck_assert_int_eq(rows_of(page, "DRUA_"), DRUA_VARIABLES_FOR_USERS);
    for (drua_variable v = 0; v < DRUA_VARIABLES_FOR_USERS; v++) {
        char ended[64];
        snprintf(ended, sizeof ended, "%s`", drua_variable_name(v));
        ck_assert_msg(rows_of(page, ended) == 1, "docs/settings.md has no row for %s", drua_variable_name(v));
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("variables");
    TCase *tests = tcase_create("variables");
    tcase_add_test(tests, variables_for_tests_are_unknown);
    tcase_add_test(tests, variables_are_named_and_explained);
    tcase_add_test(tests, page_lists_the_variables_for_users);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
