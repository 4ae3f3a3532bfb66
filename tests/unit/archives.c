/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests OME-Zarr in ZIP archives that this file assembles. Hostile and damaged archives must be refused and never give
 * wrong pixels.
 */
#include "harness.h"

#include "alloc.h"
#include "image_file.h"
#include "zarr.h"
#include "zarr_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 1 << 16, FILES = 6, SIDE = 4 };

static char folder[HARNESS_FOLDER], path[200];

static void make_folder(void)
{
    harness_make_folder(folder);
    snprintf(path, sizeof path, "%s/image.ozx", folder);
}

static void remove_folder(void)
{
    zarr_folder_remove(folder);
}

/* ---- archives */

/* A file of the archive, and false statements of its records. */
typedef struct member {
    const char *name, *bytes;
    size_t length;
    const char *local_name; /* NULL: the same */
    int method, flags;
    long more_bytes; /* added to the stated length */
    unsigned crc_change;
    long header_change; /* added to the stated offset */
    bool unlisted; /* not in the directory */
    bool wide; /* the lengths are in a field of ZIP64 */
    bool described; /* a record with the lengths follows the file */
} member;

typedef struct options {
    bool zip64;
    size_t cut; /* bytes cut off the end */
    long more_files; /* added to the stated number */
    const char *comment;
} options;

static unsigned char bytes[MOST];
static size_t end;

static void append_number(uint64_t number, int size)
{
    for (int i = 0; i < size; i++)
        bytes[end++] = (unsigned char)(number >> 8 * i);
}

static void add_bytes(const void *from, size_t length)
{
    memcpy(bytes + end, from, length);
    end += length;
}

static uint32_t crc_of(const char *from, size_t length)
{
    uint32_t crc = ~0u;
    for (size_t i = 0; i < length; i++) {
        crc ^= (unsigned char)from[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}

/* The fields that both headers of a file have, from the needed version on. */
static void add_common(const member *m, const char *name, size_t extra)
{
    const uint64_t length = m->length + (uint64_t)m->more_bytes;
    append_number(m->wide ? 45 : 10, 2);
    append_number((uint64_t)m->flags | (m->described ? 8 : 0), 2);
    append_number((uint64_t)m->method, 2);
    append_number(0, 4);
    append_number(crc_of(m->bytes, m->length) ^ m->crc_change, 4);
    append_number(m->wide ? UINT32_MAX : length, 4);
    append_number(m->wide ? UINT32_MAX : length, 4);
    append_number(strlen(name), 2);
    append_number(extra, 2);
}

static void add_local(const member *m)
{
    const char *name = m->local_name ? m->local_name : m->name;
    append_number(0x04034b50, 4);
    add_common(m, name, m->wide ? 20 : 0);
    add_bytes(name, strlen(name));
    if (m->wide) {
        append_number(1, 2), append_number(16, 2);
        append_number(m->length, 8), append_number(m->length, 8);
    }
    add_bytes(m->bytes, m->length);
    if (m->described) {
        append_number(0x08074b50, 4), append_number(crc_of(m->bytes, m->length), 4);
        append_number(m->length, 4), append_number(m->length, 4);
    }
}

static void add_central(const member *m, size_t header)
{
    append_number(0x02014b50, 4);
    append_number(10, 2);
    add_common(m, m->name, m->wide ? 20 : 0);
    append_number(0, 2), append_number(0, 2), append_number(0, 2), append_number(0, 4);
    append_number(header + (size_t)m->header_change, 4);
    add_bytes(m->name, strlen(m->name));
    if (m->wide) {
        append_number(1, 2), append_number(16, 2);
        append_number(m->length + (uint64_t)m->more_bytes, 8), append_number(m->length + (uint64_t)m->more_bytes, 8);
    }
}

static void write_archive(void)
{
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, end, file), end);
    ck_assert_int_eq(fclose(file), 0);
}

static void make_archive(const member *members, int count, options o)
{
    size_t headers[FILES + 2];
    uint64_t listed = 0;
    end = 0;
    for (int i = 0; i < count; i++) {
        headers[i] = end;
        add_local(&members[i]);
        listed += !members[i].unlisted;
    }
    const size_t first = end;
    for (int i = 0; i < count; i++)
        if (!members[i].unlisted)
            add_central(&members[i], headers[i]);
    const size_t length = end - first, record = end;
    listed += (uint64_t)o.more_files;
    if (o.zip64) {
        append_number(0x06064b50, 4), append_number(44, 8), append_number(45, 2), append_number(45, 2),
            append_number(0, 8), append_number(listed, 8), append_number(listed, 8);
        append_number(length, 8), append_number(first, 8);
        append_number(0x07064b50, 4), append_number(0, 4), append_number(record, 8), append_number(1, 4);
    }
    append_number(0x06054b50, 4), append_number(0, 4);
    append_number(o.zip64 ? UINT16_MAX : listed, 2), append_number(o.zip64 ? UINT16_MAX : listed, 2);
    append_number(o.zip64 ? UINT32_MAX : length, 4), append_number(o.zip64 ? UINT32_MAX : first, 4);
    append_number(o.comment ? strlen(o.comment) : 0, 2);
    if (o.comment)
        add_bytes(o.comment, strlen(o.comment));
    end -= o.cut;
    write_archive();
}

/* ---- an image of 4 x 4 pixels of uint8 in four chunks; pixel i is 10 + i */

static char chunks[4][SIDE];
static const char
    IMAGE[] =
        "{\"zarr_format\":3,\"node_type\":\"group\",\"attributes\":{\"ome\":{\"version\":\"0.5\",\"multiscales\":[{"
        "\"axes\":[{\"name\":\"y\",\"type\":\"space\"},{\"name\":\"x\",\"type\":\"space\"}],\"datasets\":[{\"path\":"
        "\"0\","
        "\"coordinateTransformations\":[{\"type\":\"scale\",\"scale\":[1,1]}]}]}]}}}",
    ARRAY[] =
        "{\"zarr_format\":3,\"node_type\":\"array\",\"shape\":[4,4],\"data_type\":\"uint8\",\"chunk_grid\":{\"name\":"
        "\"regular\",\"configuration\":{\"chunk_shape\":[2,2]}},\"chunk_key_encoding\":{\"name\":\"default\"},"
        "\"fill_value\":7,\"codecs\":[{\"name\":\"bytes\"}]}";

static void make_members(member members[FILES + 2])
{
    static const char *const names[] = {"0/c/0/0", "0/c/0/1", "0/c/1/0", "0/c/1/1"};
    memset(members, 0, (FILES + 2) * sizeof *members);
    members[0] = (member){.name = "zarr.json", .bytes = IMAGE, .length = strlen(IMAGE)};
    members[1] = (member){.name = "0/zarr.json", .bytes = ARRAY, .length = strlen(ARRAY)};
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < SIDE; k++)
            chunks[i][k] = (char)(10 + (2 * (i / 2) + k / 2) * SIDE + 2 * (i % 2) + k % 2);
        members[2 + i] = (member){.name = names[i], .bytes = chunks[i], .length = SIDE};
    }
}

static drua_status read_image(unsigned char pixels[SIDE * SIDE])
{
    drua_zarr *zarr;
    DRUA_TRY(drua_zarr_open(path, 0, &zarr));
    const drua_shape s = drua_zarr_metadata_of(zarr)->shape;
    const bool same = s.width == SIDE && s.height == SIDE && s.depth == 1;
    const drua_status status =
        same ? drua_zarr_read(zarr, &(drua_zarr_box){0, 0, {0, 0, 0}, {SIDE, SIDE, 1}}, pixels) : DRUA_E_ARGUMENT;
    drua_zarr_close(zarr);
    return status;
}

static void check_image(const char *what)
{
    unsigned char pixels[SIDE * SIDE];
    REQUIRE(read_image(pixels));
    for (int i = 0; i < SIDE * SIDE; i++)
        ck_assert_msg(pixels[i] == 10 + i, "%s: pixel %d is %d", what, i, pixels[i]);
}

START_TEST(valid_archives)
{
    member m[FILES + 2];
    make_members(m);
    make_archive(m, FILES, (options){0});
    check_image("plain");
    make_archive(m, FILES, (options){.zip64 = true, .comment = "{\"ome\":{\"version\":\"0.5\"}}"});
    check_image("ZIP64 with a comment");
    m[3].wide = m[0].wide = true;
    make_archive(m, FILES, (options){0});
    check_image("long lengths");
    m[4].described = m[1].described = true;
    make_archive(m, FILES, (options){0});
    check_image("lengths after the files");
    m[FILES] = (member){.name = "0/", .bytes = "", .length = 0};
    make_archive(m, FILES + 1, (options){0});
    check_image("with a folder");
}
END_TEST

/* A chunk that the archive does not hold has the fill value. */
START_TEST(missing_chunk)
{
    member m[FILES + 2];
    unsigned char pixels[SIDE * SIDE];
    make_members(m);
    make_archive(m, FILES - 1, (options){0});
    REQUIRE(read_image(pixels));
    for (int i = 0; i < SIDE * SIDE; i++)
        ck_assert_int_eq(pixels[i], i % SIDE >= 2 && i / SIDE >= 2 ? 7 : 10 + i);
    m[FILES - 1] = (member){.name = "0/c/", .bytes = ""};
    make_archive(m, FILES, (options){0});
    REQUIRE(read_image(pixels));
    make_members(m);
    m[2].unlisted = true; /* bytes without an entry mean a damaged directory, not a missing chunk */
    make_archive(m, FILES, (options){0});
    REFUSED(DRUA_E_ARGUMENT, read_image(pixels), "belong to no file");
    make_members(m);
    m[2].name = "0/c/9/9"; /* only the directory has another name */
    m[2].local_name = "0/c/0/0";
    make_archive(m, FILES, (options){0});
    REFUSED(DRUA_E_ARGUMENT, read_image(pixels), "belong to no file");
}
END_TEST

START_TEST(hostile_archives)
{
    static const struct {
        member change;
        options o;
        const char *says;
    } cases[] = {
        {{.name = "../c/0/0"}, {0}, "leads out of the archive"},
        {{.name = "0/../../x"}, {0}, "leads out of the archive"},
        {{.name = "/etc/x"}, {0}, "leads out of the archive"},
        {{.name = "0\\c"}, {0}, "leads out of the archive"},
        {{.name = "C:x"}, {0}, "leads out of the archive"},
        {{.name = ""}, {0}, "is empty"},
        {{.name = "0/c/0/1"}, {0}, "twice"},
        {{.method = 8}, {0}, "compressed"},
        {{.flags = 1}, {0}, "encrypted"},
        {{.more_bytes = 5}, {0}, "overlaps another file"},
        {{.more_bytes = 100000}, {0}, "longer than the archive"},
        {{.more_bytes = -1}, {0}, ""},
        {{.header_change = 3}, {0}, "archive"},
        {{.header_change = -3}, {0}, "overlaps another file"},
        {{.header_change = 1000000}, {0}, "longer than the archive"},
        {{.crc_change = 1}, {0}, "checksum"},
        {{.local_name = "0/c/0/2"}, {0}, "contradicts the directory"},
        {{.method = 0}, {.more_files = 1}, "directory"},
        {{.method = 0}, {.more_files = -1}, "directory"},
        {{.method = 0}, {.more_files = 60000}, "directory"},
        {{.method = 0}, {.zip64 = true, .more_files = 1L << 40}, "directory"},
        {{.method = 0}, {.cut = 1}, "its end is missing"},
        {{.method = 0}, {.cut = 40}, "its end is missing"},
        {{.method = 0}, {.cut = 300}, "its end is missing"},
    };
    unsigned char pixels[SIDE * SIDE];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        member m[FILES + 2];
        make_members(m);
        member *one = &m[2];
        const member *c = &cases[i].change;
        one->name = c->name ? c->name : one->name;
        one->local_name = c->local_name;
        one->method = c->method;
        one->flags = c->flags;
        one->more_bytes = c->more_bytes;
        one->crc_change = c->crc_change;
        one->header_change = c->header_change;
        make_archive(m, FILES, cases[i].o);
        const drua_status status = read_image(pixels);
        ck_assert_msg(status == DRUA_E_ARGUMENT && strstr(drua_error_message(), cases[i].says),
                      "case %d: status %d, %s", (int)i, (int)status, drua_error_message());
    }
}
END_TEST

/* An archive with any damaged byte or any end cut off is refused, or read with the right pixels. */
START_TEST(damaged_archives)
{
    static unsigned char good[MOST];
    unsigned char pixels[SIDE * SIDE];
    member m[FILES + 2];
    make_members(m);
    m[3].wide = true;
    make_archive(m, FILES, (options){.zip64 = true});
    const size_t length = end;
    memcpy(good, bytes, length);
    for (size_t at = 0; at < 2 * length; at++) {
        memcpy(bytes, good, length);
        end = at < length ? length : at - length;
        if (at < length)
            bytes[at] ^= (unsigned char)(1 << at % 8);
        write_archive();
        if (read_image(pixels) != DRUA_OK)
            continue;
        for (int i = 0; i < SIDE * SIDE; i++)
            ck_assert_msg(pixels[i] == 10 + i, "byte %d: pixel %d is %d", (int)at, i, pixels[i]);
    }
}
END_TEST

/* An archive that is replaced or disappears while it is open is never read as the old one. */
START_TEST(changed_archives)
{
    drua_zarr *zarr;
    unsigned char pixels[SIDE * SIDE];
    const drua_zarr_box all = {0, 0, {0, 0, 0}, {SIDE, SIDE, 1}};
    member m[FILES + 2];
    make_members(m);
    make_archive(m, FILES - 1, (options){0});
    REQUIRE(drua_zarr_open(path, 0, &zarr));
    REQUIRE(drua_zarr_read(zarr, &all, pixels));
    ck_assert_int_eq(pixels[SIDE * SIDE - 1], 7);
    make_archive(m, FILES, (options){0});
    REQUIRE(drua_zarr_read(zarr, &all, pixels));
    ck_assert_int_eq(pixels[SIDE * SIDE - 1], 10 + SIDE * SIDE - 1);
    REFUSED(DRUA_E_AWAY, drua_zarr_check_time(zarr), "have changed");
    ck_assert_int_eq(remove(path), 0);
    REFUSED(DRUA_E_AWAY, drua_zarr_read(zarr, &all, pixels), "have disappeared");
    drua_zarr_close(zarr);
    REFUSED(DRUA_E_ARGUMENT, drua_zarr_open(path, 0, &zarr), "there is no file");
}
END_TEST

/* The engine replaces an existing file by an archive only with permission to overwrite. */
START_TEST(written_archives)
{
    const drua_zarr_metadata f = {
        .shape = {SIDE, SIDE, 1, 2}, .channels = 1, .frames = 1, .type = DRUA_UINT8, .scale = {1, 1, 1}};
    const drua_zarr_box all = {0, 0, {0, 0, 0}, {SIDE, SIDE, 1}};
    unsigned char pixels[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++)
        pixels[i] = (unsigned char)(10 + i);
    for (int i = 0; i < 2; i++) {
        drua_zarr_out *out;
        REQUIRE(drua_zarr_create(path, &f, &(drua_zarr_options){.chunk = {2, 2, 1}, .replaces = i}, NULL, &out));
        REQUIRE(drua_zarr_write(out, 0, &all, pixels));
        ck_assert_int_eq(access(path, F_OK), i - 1); /* it appears when it is complete */
        REQUIRE(drua_zarr_finish(out, DRUA_OK));
        check_image("written");
        ck_assert(!zarr_folder_holds(folder, "writing"));
        REFUSED(DRUA_E_ARGUMENT, drua_zarr_create(path, &f, &(drua_zarr_options){0}, NULL, &out), "already exists");
        REFUSED(DRUA_E_ARGUMENT, drua_zarr_can_create(path, false), "already exists");
        REQUIRE(drua_zarr_can_create(path, true));
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("archives");
    TCase *tests = tcase_create("archives");
    tcase_add_checked_fixture(tests, make_folder, remove_folder);
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, valid_archives);
    tcase_add_test(tests, missing_chunk);
    tcase_add_test(tests, hostile_archives);
    tcase_add_test(tests, damaged_archives);
    tcase_add_test(tests, changed_archives);
    tcase_add_test(tests, written_archives);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
