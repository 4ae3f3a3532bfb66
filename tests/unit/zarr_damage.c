/* SPDX-License-Identifier: BSD-3-Clause */
/* Images in chunks that are damaged or made to do harm: each is one sentence, or read; never more. DRUA_FUZZ_SECONDS:
 * how long. */
#include "harness.h"

#include "zarr_folder.h"

#include "zarr.h"

#include <drua/drua.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static char folder[] = "/tmp/drua-zarr-damage-XXXXXX", path[600];

static void make_folder(void)
{
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void remove_folder(void)
{
    zarr_folder_remove(folder);
}

static int fuzz_seconds(void)
{
    const char *seconds = getenv("DRUA_FUZZ_SECONDS");
    return seconds ? atoi(seconds) : 5;
}

/* ---- metadata */

static void put(const char *name, const char *text)
{
    zarr_folder_put(folder, name, text, strlen(text));
}

static const char GOOD_ARRAY[] =
    "{\"zarr_format\":2,\"shape\":[4,4],\"chunks\":[4,4],\"dtype\":\"|u1\",\"compressor\":null,\"fill_value\":0,"
    "\"order\":\"C\",\"filters\":null}";
static const char GOOD_IMAGE[] =
    "{\"multiscales\":[{\"version\":\"0.4\",\"axes\":[{\"name\":\"y\",\"type\":\"space\"},{\"name\":\"x\",\"type\":"
    "\"space\"}],"
    "\"datasets\":[{\"path\":\"0\",\"coordinateTransformations\":[{\"type\":\"scale\",\"scale\":[1,1]}]}]}]}";

/* A copy of the text with `from` replaced once. */
static char *with(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    ck_assert_ptr_nonnull(at);
    char *made = malloc(strlen(text) + strlen(to) + 1);
    sprintf(made, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return made;
}

static drua_status read_all(const char *name)
{
    enum { MOST = 1 << 22 };
    drua_zarr *zarr;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    drua_status status = drua_zarr_open(path, 0, &zarr);
    if (status != DRUA_OK)
        return status;
    const drua_zarr_metadata *f = drua_zarr_metadata_of(zarr);
    const drua_shape s = f->shape;
    void *pixels = NULL;
    if (s.width <= 1024 && s.height <= 1024 && s.depth <= 1 && s.width * s.height * 4 <= MOST) {
        pixels = malloc(MOST);
        status = drua_zarr_read(zarr, &(drua_zarr_box){0, 0, {0, 0, 0}, {s.width, s.height, s.depth}}, pixels);
    } else {
        pixels = malloc(4);
        status = drua_zarr_read(zarr, &(drua_zarr_box){0, 0, {0, 0, 0}, {1, 1, 1}}, pixels);
    }
    free(pixels);
    drua_zarr_close(zarr);
    return status;
}

START_TEST(harmful_metadata)
{
    static const struct { const char *file, *from, *to, *said; } cases[] = {
        {".zarray", "[4,4],\"chunks\"", "[4,-4],\"chunks\"", "shape"},
        {".zarray", "[4,4],\"chunks\"", "[4,0],\"chunks\"", "shape"},
        {".zarray", "[4,4],\"chunks\"", "[9e99,4],\"chunks\"", "shape"},
        {".zarray", "[4,4],\"chunks\"", "[9223372036854775807,9223372036854775807],\"chunks\"", "shape"},
        {".zarray", "[4,4],\"chunks\"", "[4,4,4],\"chunks\"", ""},
        {".zarray", "[4,4],\"dtype\"", "[0,4],\"dtype\"", "chunk"},
        {".zarray", "[4,4],\"dtype\"", "[4294967296,4294967296],\"dtype\"", "chunk"},
        {".zarray", "|u1", "<f8", "<f8"},
        {".zarray", "|u1", "<u8", "<u8"},
        {".zarray", "\"|u1\"", "[[\"a\",\"<u2\"]]", "type"},
        {".zarray", "\"compressor\":null", "\"compressor\":{\"id\":\"lzma\"}", "lzma"},
        {".zarray", "\"filters\":null", "\"filters\":[{\"id\":\"delta\"}]", "delta"},
        {".zarray", "\"zarr_format\":2", "\"zarr_format\":7", ""},
        {".zarray", "}", "", ""},
        {".zattrs", "\"path\":\"0\"", "\"path\":\"../secret\"", "'../secret'"},
        {".zattrs", "\"path\":\"0\"", "\"path\":\"/etc\"", "'/etc'"},
        {".zattrs", "\"path\":\"0\"", "\"path\":\"0/../../secret\"", "'0/../../secret'"},
        {".zattrs", "\"path\":\"0\"", "\"path\":5", ""},
        {".zattrs", "[1,1]", "[1]", "scale"},
        {".zattrs", "\"name\":\"x\"", "\"name\":\"y\"", ""},
        {".zattrs", "\"name\":\"x\"", "\"name\":\"q\"", "t, c, z, y, x"},
        {".zattrs", "\"datasets\":[{", "\"datasets\":[],\"other\":[{", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bool of_array = !strcmp(cases[i].file, ".zarray");
        char *text = with(of_array ? GOOD_ARRAY : GOOD_IMAGE, cases[i].from, cases[i].to);
        put("a.zarr/.zgroup", "{\"zarr_format\":2}");
        put("a.zarr/.zattrs", of_array ? GOOD_IMAGE : text);
        put("a.zarr/0/.zarray", of_array ? text : GOOD_ARRAY);
        put("secret/.zarray", GOOD_ARRAY);
        const drua_status status = read_all("a.zarr");
        ck_assert_msg(status == DRUA_E_ARGUMENT || status == DRUA_E_UNSUPPORTED, "case %zu (%s): status %d", i,
                      cases[i].to, status);
        ck_assert_msg(strstr(drua_error_message(), "a.zarr") && strstr(drua_error_message(), cases[i].said),
                      "case %zu: %s", i, drua_error_message());
        free(text);
    }
    put("a.zarr/.zattrs", GOOD_IMAGE);
    put("a.zarr/0/.zarray", GOOD_ARRAY);
    REQUIRE(read_all("a.zarr"));
}
END_TEST

START_TEST(deep_metadata)
{
    enum { DEEP = 1000000 };
    char *text = malloc(DEEP + 1);
    memset(text, '[', DEEP);
    text[DEEP] = 0;
    put("a.zarr/.zgroup", "{\"zarr_format\":2}");
    put("a.zarr/.zattrs", text);
    put("a.zarr/0/.zarray", GOOD_ARRAY);
    ck_assert_int_eq(read_all("a.zarr"), DRUA_E_ARGUMENT);
    ck_assert_msg(strstr(drua_error_message(), ".zattrs") && strlen(drua_error_message()) < 1500, "%s",
                  drua_error_message());
    free(text);
}
END_TEST

/* ---- any byte of any file */

static int names_of(char names[][100], int most)
{
    FILE *list = fopen(TEST_DATA "/../zarr/images.txt", "r");
    int count = 0, c;
    ck_assert_ptr_nonnull(list);
    while (count < most && fscanf(list, "%99s", names[count]) == 1) {
        while ((c = fgetc(list)) != EOF && c != '\n')
            ;
        count += strchr(names[count], '/') != NULL;
    }
    fclose(list);
    return count;
}

static void damage(harness_random *chance, char *bytes, size_t *length)
{
    if (harness_below(chance, 4) == 0)
        *length = (size_t)harness_below(chance, (int)*length);
    for (int k = harness_below(chance, 4); k >= 0 && *length; k--)
        bytes[harness_below(chance, (int)*length)] =
            harness_below(chance, 3) ? (char)harness_next(chance) : "9-[]{}\"0"[harness_below(chance, 8)];
}

START_TEST(damaged_files)
{
    enum { MOST = 1000 };
    static char names[MOST][100];
    const time_t end = time(NULL) + fuzz_seconds();
    harness_random chance = {harness_new_seed("damaged_files")};
    long refused = 0, read = 0;
    zarr_folder_unpack(TEST_DATA "/../zarr/images.txt", folder);
    const int count = names_of(names, MOST);
    for (int i = 0; i < 50 || time(NULL) < end; i++) {
        const char *name = names[harness_below(&chance, count)];
        size_t length, all;
        char *bytes = zarr_folder_get(folder, name, &all), image[100];
        length = all;
        if (!all) {
            free(bytes);
            continue;
        }
        char *copy = malloc(all);
        memcpy(copy, bytes, all);
        damage(&chance, copy, &length);
        zarr_folder_put(folder, name, copy, length);
        snprintf(image, sizeof image, "%.*s", (int)strcspn(name, "/"), name);
        if (read_all(image) == DRUA_OK)
            read++;
        else {
            refused++;
            ck_assert_msg(*drua_error_message() && !strchr(drua_error_message(), '\n'), "'%s'", drua_error_message());
        }
        zarr_folder_put(folder, name, bytes, all);
        free(copy);
        free(bytes);
    }
    printf("%ld damaged files refused, %ld read\n", refused, read);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("zarr_damage");
    TCase *tests = tcase_create("damage");
    tcase_set_timeout(tests, 120 + fuzz_seconds());
    tcase_add_checked_fixture(tests, make_folder, remove_folder);
    tcase_add_test(tests, harmful_metadata);
    tcase_add_test(tests, deep_metadata);
    tcase_add_test(tests, damaged_files);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
