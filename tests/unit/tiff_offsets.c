/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests which TIFFs use 64-bit offsets. */
#include "harness.h"

#include "tiff_strips.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/*
 * LZW enlarges noise, and each page adds a directory, so 32-bit offsets may not suffice for pixels of less than 4 GB.
 */
START_TEST(large_files_have_large_offsets)
{
    enum { VERSION = 2, CLASSIC = 42, BIG = 43 };
    const struct {
        drua_shape shape;
        const char *compression;
        int version;
    } files[] = {{{40000, 40000, 2, 3}, NULL, CLASSIC},
                 {{40000, 40000, 2, 3}, "lzw", BIG},
                 {{40000, 40000, 3, 3}, NULL, BIG},
                 {{1, 1, 5000000, 3}, NULL, BIG}};
    char folder[] = "/tmp/drua-tiff-XXXXXX", path[200], pattern[220];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/image.tif", folder);
    snprintf(pattern, sizeof pattern, "%s.*.writing", path);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        unsigned char start[4] = {0};
        drua_tiff_out *out;
        glob_t found;
        REQUIRE(drua_tiff_create(path, files[i].shape, DRUA_UINT8, "", files[i].compression, NULL, &out));
        ck_assert_int_eq(glob(pattern, 0, NULL, &found), 0);
        ck_assert_int_eq(found.gl_pathc, 1);
        FILE *file = fopen(found.gl_pathv[0], "rb");
        ck_assert(file && fread(start, 1, sizeof start, file) == sizeof start && fclose(file) == 0);
        ck_assert_int_eq(start[VERSION] + start[VERSION + 1], files[i].version);
        ck_assert_int_eq(drua_tiff_finish(out, DRUA_E_CANCELLED), DRUA_E_CANCELLED);
        globfree(&found);
    }
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tiff_offsets");
    TCase *tests = tcase_create("tiff_offsets");
    tcase_add_test(tests, large_files_have_large_offsets);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
