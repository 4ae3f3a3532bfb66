/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests files that are replaced, while they are read, by another file of the same size and type. */
#include "harness.h"

#include "image_file.h"
#include "zarr_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SIDE = 4 };

static char folder[] = "/tmp/drua-replaced-XXXXXX";

static void path_of(const char *name, char path[200])
{
    snprintf(path, 200, "%s/%s", folder, name);
}

static void rename_in_folder(const char *from, const char *to)
{
    char a[200], b[200];
    path_of(from, a);
    path_of(to, b);
    ck_assert_int_eq(rename(a, b), 0);
}

static void write_zarr(const char *name, int value)
{
    static const char array[] = "{\"zarr_format\":2,\"shape\":[4,4],\"chunks\":[4,4],\"dtype\":\"|u1\",\"compressor\":"
                                "null,\"fill_value\":0,\"order\":\"C\",\"filters\":null}";
    char file[60], pixels[SIDE * SIDE];
    memset(pixels, value, sizeof pixels);
    snprintf(file, sizeof file, "%s/.zarray", name);
    zarr_folder_put(folder, file, array, strlen(array));
    snprintf(file, sizeof file, "%s/0.0", name);
    zarr_folder_put(folder, file, pixels, sizeof pixels);
}

static void write_tiff(drua_context *context, const char *name, int value)
{
    char path[200], pixels[SIDE * SIDE];
    drua_image image;
    memset(pixels, value, sizeof pixels);
    path_of(name, path);
    REQUIRE(drua_push(context, (drua_shape){SIDE, SIDE, 1, 2}, DRUA_UINT8, pixels, &image));
    REQUIRE(drua_write_tiff(context, image, path, NULL));
    REQUIRE(drua_release(context, image));
}

/* The file systems store times to a few milliseconds, so after 20 ms the files have different times. */
static void wait_a_moment(void)
{
    nanosleep(&(struct timespec){0, 20000000}, NULL);
}

static void replace_while_open(const char *name, const char *other)
{
    char path[200];
    drua_image_file *file;
    drua_file_planes *planes;
    path_of(name, path);
    REQUIRE(drua_image_file_open(path, NULL, &file));
    REQUIRE(drua_file_planes_open(file, 0, &planes));
    ck_assert(drua_file_planes_prepare(planes, 0, 0));
    REQUIRE(drua_file_planes_close(planes, DRUA_OK));
    REQUIRE(drua_file_planes_open(file, 0, &planes));
    ck_assert(drua_file_planes_prepare(planes, 0, 0));
    rename_in_folder(name, "kept");
    rename_in_folder(other, name);
    ck_assert_int_eq(drua_file_planes_close(planes, DRUA_OK), DRUA_E_AWAY);
    ck_assert_ptr_nonnull(strstr(drua_error_message(), "changed since"));
    ck_assert_int_eq(drua_image_file_check(file), DRUA_E_AWAY);
    rename_in_folder(name, other);
    ck_assert_int_eq(drua_image_file_check(file), DRUA_E_AWAY);
    ck_assert_ptr_nonnull(strstr(drua_error_message(), "disappeared since"));
    rename_in_folder("kept", name);
    REQUIRE(drua_image_file_check(file));
    drua_image_file_close(file);
}

START_TEST(replaced_while_read)
{
    drua_context *context = harness_open();
    ck_assert_ptr_nonnull(mkdtemp(folder));
    write_zarr("a.zarr", 3);
    write_tiff(context, "a.tif", 3);
    wait_a_moment();
    write_zarr("b.zarr", 5);
    write_tiff(context, "b.tif", 5);
    replace_while_open("a.zarr", "b.zarr");
    replace_while_open("a.tif", "b.tif");
    zarr_folder_remove(folder);
    drua_close(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("replaced_files");
    TCase *tests = tcase_create("replaced_files");
    tcase_add_test(tests, replaced_while_read);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
