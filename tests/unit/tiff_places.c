/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests existing files, links, pipes and devices at the path of a new TIFF. */
#include "harness.h"

#include "image_file.h"
#include "libtiff.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static drua_context *context;
static char folder[HARNESS_FOLDER], path[200];

static void open_context(void)
{
    context = harness_open();
    harness_make_folder(folder);
    snprintf(path, sizeof path, "%s/image.tif", folder);
}

static void close_context(void)
{
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    ck_assert_int_eq(system(command), 0);
    drua_close(context);
}

static void check_written(const char *where, double expected)
{
    drua_image back;
    REQUIRE(drua_read_tiff(context, where, 0, 0, &back));
    ck_assert_double_eq(harness_first(context, back), expected);
}

static const char *beside(const char *name)
{
    static char other[300];
    snprintf(other, sizeof other, "%s/%s", folder, name);
    return other;
}

/* A write replaces a link's target; a replaced file keeps its permissions and owner. */
START_TEST(replaced_files)
{
    const mode_t modes[] = {0604, 0600, 0664, 0640};
    struct stat s;
    char link[300];
    const drua_image image = harness_line(context, (float[]){7, 8}, 2);
    snprintf(link, sizeof link, "%s", beside("link.tif"));
    ck_assert_int_eq(symlink("image.tif", link), 0);
    REQUIRE(drua_write_tiff(context, image, link, NULL)); /* image.tif does not exist yet */
    check_written(path, 7);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        const drua_image other = harness_line(context, (float[]){(float)i, 8}, 2);
        ck_assert_int_eq(chmod(path, modes[i]), 0);
        ck_assert(geteuid() || chown(path, 12345, 54321) == 0);
        REQUIRE(drua_write_tiff(context, other, i % 2 ? link : path, NULL));
        check_written(path, (double)i);
        ck_assert(lstat(path, &s) == 0 && S_ISREG(s.st_mode));
        ck_assert_int_eq(s.st_mode & 07777, modes[i]);
        ck_assert(geteuid() || (s.st_uid == 12345 && s.st_gid == 54321));
        ck_assert(lstat(link, &s) == 0 && S_ISLNK(s.st_mode));
    }
}
END_TEST

START_TEST(kept_files)
{
    struct stat s;
    char pipe[300];
    const drua_image image = harness_line(context, (float[]){7, 8}, 2);
    snprintf(pipe, sizeof pipe, "%s", beside("pipe.tif"));
    ck_assert_int_eq(mkfifo(pipe, 0600), 0);
    ck_assert_int_eq(symlink(pipe, beside("pipe_link.tif")), 0);
    REFUSED(DRUA_E_ARGUMENT, drua_write_tiff(context, image, pipe, NULL), pipe, "pipe");
    REFUSED(DRUA_E_ARGUMENT, drua_write_tiff(context, image, beside("pipe_link.tif"), NULL), "pipe_link.tif");
    REFUSED(DRUA_E_ARGUMENT, drua_write_tiff(context, image, "/dev/null", NULL), "'/dev/null' is a device");
    REFUSED(DRUA_E_ARGUMENT, drua_write_tiff(context, image, folder, NULL), "the folder", folder);
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "write", IMAGE(image), NAME("/dev/null")), "'/dev/null' is a device");
    ck_assert(lstat(pipe, &s) == 0 && S_ISFIFO(s.st_mode));
    ck_assert(lstat("/dev/null", &s) == 0 && S_ISCHR(s.st_mode));
}
END_TEST

static char second_name[300];
static int strips;
static __typeof__(&TIFFReadEncodedStrip) read_strip;

/* Writes, in another thread or context, the file that is being read. */
static tmsize_t write_and_read(TIFF *tiff, uint32_t strip, void *bytes, tmsize_t size)
{
    REFUSED(DRUA_E_ARGUMENT, drua_image_file_may_write(path), path, "is being read");
    REFUSED(DRUA_E_ARGUMENT, drua_image_file_may_write(second_name), second_name, "is being read");
    REQUIRE(drua_image_file_may_write("/tmp/another.tif"));
    strips++;
    return read_strip(tiff, strip, bytes, size);
}

START_TEST(files_that_are_read)
{
    drua_libtiff *functions = (drua_libtiff *)(uintptr_t)drua_libtiff_load();
    drua_image image;
    REQUIRE(drua_write_tiff(context, harness_line(context, (float[]){7, 8}, 2), path, NULL));
    snprintf(second_name, sizeof second_name, "%s/second.tif", folder);
    ck_assert_int_eq(linkat(AT_FDCWD, path, AT_FDCWD, second_name, 0), 0);
    strips = 0;
    read_strip = functions->TIFFReadEncodedStrip;
    functions->TIFFReadEncodedStrip = write_and_read;
    const drua_status status = drua_read_tiff(context, path, 0, 0, &image);
    functions->TIFFReadEncodedStrip = read_strip;
    REQUIRE(status);
    ck_assert_int_gt(strips, 0);
    REQUIRE(drua_write_tiff(context, image, path, NULL));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tiff_places");
    TCase *tests = tcase_create("tiff_places");
    tcase_add_checked_fixture(tests, open_context, close_context);
    tcase_add_test(tests, replaced_files);
    tcase_add_test(tests, kept_files);
    tcase_add_test(tests, files_that_are_read);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
