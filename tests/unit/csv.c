/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests tables that are written as files of comma-separated values. */
#include "harness.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[HARNESS_FOLDER];

static void read_whole(const char *path, char *text, size_t size)
{
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    text[fread(text, 1, size - 1, file)] = 0;
    fclose(file);
}

START_TEST(writes_every_cell)
{
    char path[100], text[400];
    char *headings[] = {"plain", "with, comma", "with \"quotes\""};
    double cells[] = {1, 0.1, -1e300, NAN, 16777217, INFINITY};
    const drua_table table = {.columns = 3, .rows = 2, .headings = headings, .cells = cells};
    harness_make_folder(folder);
    snprintf(path, sizeof path, "%s/table.csv", folder);
    setlocale(LC_ALL, "de_DE.UTF-8"); /* where this locale is installed, printf writes 0,1 */
    for (int i = 0; i < 2; i++) { /* the second time, the file exists */
        REQUIRE(drua_table_write(&table, path));
        read_whole(path, text, sizeof text);
        ck_assert_str_eq(text, "plain,\"with, comma\",\"with \"\"quotes\"\"\"\n"
                               "1,0.10000000000000001,-1.0000000000000001e+300\n"
                               "NaN,16777217,inf\n");
    }
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(rmdir(folder), 0); /* no temporary file is left */
}
END_TEST

START_TEST(keeps_the_rights_of_a_replaced_file)
{
    static const mode_t modes[] = {0600, 0664, 0640};
    char path[100];
    struct stat now;
    const drua_table table = {.columns = 0};
    harness_make_folder(folder);
    snprintf(path, sizeof path, "%s/table.csv", folder);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        REQUIRE(drua_table_write(&table, path));
        ck_assert_int_eq(chmod(path, modes[i]), 0);
        REQUIRE(drua_table_write(&table, path));
        ck_assert_int_eq(stat(path, &now), 0);
        ck_assert_int_eq(now.st_mode & 07777, modes[i]);
    }
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

START_TEST(names_the_file_that_cannot_be_written)
{
    const drua_table table = {.columns = 0};
    REFUSED(DRUA_E_ARGUMENT, drua_table_write(&table, "/missing/folder/table.csv"), "'/missing/folder/table.csv'");
    REFUSED(DRUA_E_ARGUMENT, drua_table_write(&table, "/tmp"), "'/tmp'");
    REFUSED(DRUA_E_ARGUMENT, drua_table_write(&table, "/tmp/cells.TIF"),
            "'/tmp/cells.TIF' has the extension .TIF of an image");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("csv");
    TCase *tests = tcase_create("csv");
    tcase_add_test(tests, writes_every_cell);
    tcase_add_test(tests, keeps_the_rights_of_a_replaced_file);
    tcase_add_test(tests, names_the_file_that_cannot_be_written);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
