/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests damaged and malicious chunked images: each must give one error message or be read. DRUA_FUZZ_SECONDS sets the
 * duration.
 */
#include "harness.h"

#include "alloc.h"
#include "codec.h"
#include "zarr_folder.h"

#include "zarr.h"

#include <drua/drua.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

static char folder[HARNESS_FOLDER], path[600];

static void make_folder(void)
{
    harness_make_folder(folder);
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

static void write_file(const char *name, const char *text)
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
static char *replace_once(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    ck_assert_ptr_nonnull(at);
    char *made = malloc(strlen(text) + strlen(to) + 1);
    sprintf(made, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return made;
}

static drua_status read_all(const char *name)
{
    enum { LIMIT = 1 << 22 };
    drua_zarr *zarr;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    drua_status status = drua_zarr_open(path, 0, &zarr);
    if (status != DRUA_OK)
        return status;
    const drua_zarr_metadata *f = drua_zarr_metadata_of(zarr);
    const drua_shape s = f->shape;
    void *pixels = NULL;
    if (s.width <= 1024 && s.height <= 1024 && s.depth <= 1 && s.width * s.height * 4 <= LIMIT) {
        pixels = malloc(LIMIT);
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
    static const struct {
        const char *file, *from, *to, *said;
    } cases[] = {
        {".zarray", "[4,4],\"chunks\"", "[4,-4],\"chunks\"", "shape"},
        {".zarray", "[4,4],\"chunks\"", "[4,0],\"chunks\"", "shape"},
        {".zarray", "[4,4],\"chunks\"", "[9e99,4],\"chunks\"", "shape"},
        {".zarray", "[4,4],\"chunks\"", "[9223372036854775807,9223372036854775807],\"chunks\"", "shape"},
        {".zarray", "[4,4],\"chunks\"", "[4,4,4],\"chunks\"", ""},
        {".zarray", "[4,4],\"dtype\"", "[0,4],\"dtype\"", "chunk"},
        {".zarray", "[4,4],\"dtype\"", "[4294967296,4294967296],\"dtype\"", "chunk"},
        {".zarray", "|u1", "<c8", "<c8"},
        {".zarray", "|u1", "<M8", "<M8"},
        {".zarray", "\"|u1\"", "[[\"a\",\"<u2\"]]", "type"},
        {".zarray", "\"compressor\":null", "\"compressor\":{\"id\":\"lzma\"}", "lzma"},
        {".zarray", "\"filters\":null", "\"filters\":[{\"id\":\"delta\"}]", "delta"},
        {".zarray", "\"filters\":null", "\"filters\":\"delta\"", "filters"},
        {".zarray", "\"filters\":null", "\"filters\":{\"id\":\"delta\"}", "filters"},
        {".zarray", "\"compressor\":null", "\"compressor\":\"gzip\"", "compressor"},
        {".zarray", "\"compressor\":null", "\"compressor\":[{\"id\":\"gzip\"}]", "compressor"},
        {".zarray", "\"compressor\":null", "\"dimension_separator\":1,\"compressor\":null", "separator"},
        {".zarray", "\"order\":\"C\"", "\"order\":null", "order"},
        {".zarray", "\"order\":\"C\"", "\"order\":[\"F\"]", "order"},
        {".zattrs", "\"scale\":[1,1]", "\"scale\":[1,1]},{\"type\":\"rotation\",\"rotation\":[0,1,1,0]", "type"},
        {".zattrs", "\"scale\":[1,1]", "\"scale\":[1,1]},{\"scale\":[2,2]", "type"},
        {".zattrs",
         "\"datasets\":", "\"coordinateTransformations\":{\"type\":\"scale\",\"scale\":[2,2]},\"datasets\":", "list"},
        {".zarray", "\"zarr_format\":2", "\"zarr_format\":7", ""},
        {".zarray", "}", "", ""},
        {".zarray", "\"fill_value\":0", "\"fill_value\":[7]", "fill_value"},
        {".zarray", "\"fill_value\":0", "\"fill_value\":{\"a\":7}", "fill_value"},
        {".zattrs", "\"path\":\"0\"", "\"path\":\"../secret\"", "'../secret'"},
        {".zattrs", "\"path\":\"0\"", "\"path\":\"/etc\"", "'/etc'"},
        {".zattrs", "\"path\":\"0\"", "\"path\":\"0/../../secret\"", "'0/../../secret'"},
        {".zattrs", "\"path\":\"0\"", "\"path\":5", ""},
        {".zattrs", "[1,1]", "[1]", "scale"},
        {".zattrs", "\"scale\":[1,1]", "\"scale\":[1e200,1]},{\"type\":\"scale\",\"scale\":[1e200,1]", "too large"},
        {".zattrs", "\"scale\":[1,1]", "\"scale\":[1e-200,1]},{\"type\":\"scale\",\"scale\":[1e-200,1]", "too small"},
        {".zattrs", "\"name\":\"x\"", "\"name\":\"y\"", ""},
        {".zattrs", "\"name\":\"x\"", "\"name\":\"q\"", "t, c, z, y, x"},
        {".zattrs", "\"datasets\":[{", "\"datasets\":[],\"other\":[{", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bool of_array = !strcmp(cases[i].file, ".zarray");
        char *text = replace_once(of_array ? GOOD_ARRAY : GOOD_IMAGE, cases[i].from, cases[i].to);
        write_file("a.zarr/.zgroup", "{\"zarr_format\":2}");
        write_file("a.zarr/.zattrs", of_array ? GOOD_IMAGE : text);
        write_file("a.zarr/0/.zarray", of_array ? text : GOOD_ARRAY);
        write_file("secret/.zarray", GOOD_ARRAY);
        const drua_status status = read_all("a.zarr");
        ck_assert_msg(status == DRUA_E_ARGUMENT || status == DRUA_E_UNSUPPORTED, "case %zu (%s): status %d", i,
                      cases[i].to, status);
        ck_assert_msg(strstr(drua_error_message(), "a.zarr") && strstr(drua_error_message(), cases[i].said),
                      "case %zu: %s", i, drua_error_message());
        free(text);
    }
    write_file("a.zarr/.zattrs", GOOD_IMAGE);
    write_file("a.zarr/0/.zarray", "");
    ck_assert_int_eq(read_all("a.zarr"), DRUA_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(drua_error_message(), "is empty"));
    write_file("a.zarr/0/.zarray", GOOD_ARRAY);
    REQUIRE(read_all("a.zarr"));
}
END_TEST

/* ---- files of chunks */

static void refuse_chunk(const char *said)
{
    ck_assert_int_eq(read_all("a.zarr"), DRUA_E_ARGUMENT);
    ck_assert_msg(strstr(drua_error_message(), said) != NULL, "%s", drua_error_message());
}

/* A chunk whose name has the other separator does not count as missing, and the reader does not wait for a pipe. */
START_TEST(wrong_names_of_chunks)
{
    char *slash = replace_once(GOOD_ARRAY, "\"order\"", "\"dimension_separator\":\"/\",\"order\""), pipe[200];
    write_file("a.zarr/.zattrs", GOOD_IMAGE);
    write_file("a.zarr/0/.zarray", GOOD_ARRAY);
    write_file("a.zarr/0/0/0", "0123456789abcdef");
    refuse_chunk("must state the separator '/', not '.'");
    write_file("a.zarr/0/.zarray", slash);
    REQUIRE(read_all("a.zarr"));
    snprintf(pipe, sizeof pipe, "%s/a.zarr/0/0/0", folder);
    ck_assert(remove(pipe) == 0 && mkfifo(pipe, 0600) == 0);
    refuse_chunk("cannot be opened or read");
    ck_assert_int_eq(remove(pipe), 0);
    write_file("a.zarr/0/0.0", "0123456789abcdef");
    refuse_chunk("must state the separator '.', not '/'");
    snprintf(pipe, sizeof pipe, "%s/a.zarr/0/0.0", folder);
    ck_assert_int_eq(remove(pipe), 0);
    snprintf(pipe, sizeof pipe, "%s/a.zarr/0/0", folder);
    ck_assert_int_eq(remove(pipe), 0);
    REQUIRE(read_all("a.zarr"));
    write_file("a.zarr/0/0", "a file");
    refuse_chunk("is a file, but must be a folder");
    free(slash);
}
END_TEST

/* ---- members that the reader must understand, and metadata that it may ignore */

static const char GOOD_GROUP_3[] =
    "{\"zarr_format\":3,\"node_type\":\"group\",\"attributes\":{\"ome\":{\"version\":\"0.5\",\"multiscales\":[{"
    "\"axes\":"
    "[{\"name\":\"y\",\"type\":\"space\"},{\"name\":\"x\",\"type\":\"space\"}],\"datasets\":[{\"path\":\"0\","
    "\"coordinateTransformations\":[{\"type\":\"scale\",\"scale\":[1,1]}]}]}]}}}";
static const char GOOD_ARRAY_3[] =
    "{\"zarr_format\":3,\"node_type\":\"array\",\"shape\":[4,4],\"data_type\":\"uint8\",\"chunk_grid\":{\"name\":"
    "\"regular\",\"configuration\":{\"chunk_shape\":[4,4]}},\"chunk_key_encoding\":{\"name\":\"default\"},"
    "\"fill_value\":0,\"codecs\":[{\"name\":\"bytes\"}],\"dimension_names\":[\"y\",\"x\"]}";

START_TEST(members_that_must_be_understood)
{
    static const struct {
        const char *from, *to, *said; /* said: NULL if the reader may ignore it */
    } cases[] = {
        {"\"node_type\"", "\"consolidated_metadata\":null,\"node_type\"", NULL},
        {"\"node_type\"", "\"encryption\":{\"must_understand\":false,\"name\":\"x\"},\"node_type\"", NULL},
        {"\"node_type\"", "\"encryption\":{\"name\":\"x\"},\"node_type\"", "'encryption'"},
        {"\"node_type\"", "\"encryption\":{\"must_understand\":true},\"node_type\"", "'encryption'"},
        {"\"node_type\"", "\"encryption\":\"x\",\"node_type\"", "'encryption'"},
        {"\"node_type\"", "\"offset\":[1,2],\"node_type\"", "'offset'"},
        {"{\"name\":\"bytes\"}", "{\"name\":\"bytes\"},{\"name\":\"hint\",\"must_understand\":false}", NULL},
        {"{\"name\":\"bytes\"}", "{\"name\":\"bytes\"},{\"name\":\"hint\"}", "hint"},
        {"\"node_type\"", "\"storage_transformers\":[{\"name\":\"t\",\"must_understand\":false}],\"node_type\"", NULL},
        {"\"node_type\"", "\"storage_transformers\":[{\"name\":\"turned\"}],\"node_type\"", "turned"},
        {"\"node_type\"", "\"storage_transformers\":[\"turned\"],\"node_type\"", "turned"},
        {"\"node_type\"", "\"storage_transformers\":{\"name\":\"turned\"},\"node_type\"", "storage_transformers"},
        {"[{\"name\":\"bytes\"}]", "[\"bytes\"]", NULL},
        {"[{\"name\":\"bytes\"}]", "[\"turned\"]", "turned"},
        {"{\"name\":\"default\"}", "\"default\"", NULL},
        {"{\"name\":\"default\"}", "\"fanout\"", "chunk_key_encoding"},
        {"\"uint8\"", "{\"name\":\"uint8\"}", NULL},
        {"\"uint8\"", "\"|u1\"", "|u1"},
        {"[\"y\",\"x\"]", "[\"x\"]", "dimension_names"},
        {"[\"y\",\"x\"]", "null", NULL},
        {"[\"y\",\"x\"]", "[null,null]", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int of_group = 0; of_group < (i < 6 ? 2 : 1); of_group++) {
            char *text = replace_once(of_group ? GOOD_GROUP_3 : GOOD_ARRAY_3, cases[i].from, cases[i].to);
            write_file("three.zarr/zarr.json", of_group ? text : GOOD_GROUP_3);
            write_file("three.zarr/0/zarr.json", of_group ? GOOD_ARRAY_3 : text);
            const drua_status status = read_all("three.zarr");
            ck_assert_msg(status == (cases[i].said ? DRUA_E_ARGUMENT : DRUA_OK), "case %zu: %s", i,
                          drua_error_message());
            if (cases[i].said)
                ck_assert_msg(strstr(drua_error_message(), cases[i].said) && strstr(drua_error_message(), "three.zarr"),
                              "case %zu: %s", i, drua_error_message());
            free(text);
        }
}
END_TEST

/* The file of the chunk does not have the name that the array's chunk_key_encoding defines. */
START_TEST(wrong_encodings_of_names)
{
    static const char *const encodings[] = {
        "{\"name\":\"default\"}", "{\"name\":\"default\",\"configuration\":{\"separator\":\".\"}}",
        "{\"name\":\"v2\",\"configuration\":{\"separator\":\"/\"}}", "{\"name\":\"v2\"}"};
    static const char *const files[] = {"key.zarr/0/c/0/0", "key.zarr/0/c.0.0", "key.zarr/0/0/0", "key.zarr/0/0.0"};
    write_file("key.zarr/zarr.json", GOOD_GROUP_3);
    for (int e = 0; e < 4; e++) {
        char *text = replace_once(GOOD_ARRAY_3, "{\"name\":\"default\"}", encodings[e]);
        write_file("key.zarr/0/zarr.json", text);
        for (int f = 0; f < 4; f++) {
            char file[200];
            write_file(files[f], "0123456789abcdef");
            ck_assert_msg(read_all("key.zarr") == (f == e ? DRUA_OK : DRUA_E_ARGUMENT), "%d as %d: %s", e, f,
                          drua_error_message());
            if (f != e)
                ck_assert_ptr_nonnull(strstr(drua_error_message(), files[f]));
            snprintf(file, sizeof file, "%s/%s", folder, files[f]);
            ck_assert_int_eq(remove(file), 0);
        }
        free(text);
    }
}
END_TEST

/* A block of N5 may be smaller than the others only where it touches the array's end. */
START_TEST(small_blocks)
{
    static const char ARRAY[] = "{\"dimensions\":[6,4],\"blockSize\":[4,4],\"dataType\":\"uint8\","
                                "\"compression\":{\"type\":\"raw\"}}";
    static const unsigned char first[28] = {0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0, 4, 1}, /* 4 x 4 pixels */
        last[20] = {0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 4, 1}, /* 2 x 4 */
        small[24] = {0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0, 3, 1}; /* 4 x 3 */
    write_file("small.n5/attributes.json", ARRAY);
    zarr_folder_put(folder, "small.n5/0/0", first, sizeof first);
    zarr_folder_put(folder, "small.n5/1/0", last, sizeof last);
    REQUIRE(read_all("small.n5"));
    zarr_folder_put(folder, "small.n5/0/0", small, sizeof small);
    ck_assert_int_eq(read_all("small.n5"), DRUA_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(drua_error_message(), "3 pixels along axis 2"));
}
END_TEST

/* bioformats2raw writes a time scale of 0 if it knows none. */
START_TEST(unknown_interval)
{
    static const char IMAGE[] =
        "{\"multiscales\":[{\"version\":\"0.4\",\"axes\":[{\"name\":\"t\",\"type\":\"time\",\"unit\":\"second\"},"
        "{\"name\":\"y\",\"type\":\"space\"},{\"name\":\"x\",\"type\":\"space\"}],"
        "\"datasets\":[{\"path\":\"0\",\"coordinateTransformations\":[{\"type\":\"scale\",\"scale\":[0.0,0.5,0.5]}]}]}]"
        "}";
    drua_zarr *zarr;
    char *array = replace_once(GOOD_ARRAY, "\"shape\":[4,4],\"chunks\":[4,4]", "\"shape\":[3,4,4],\"chunks\":[1,4,4]");
    write_file("times.zarr/.zattrs", IMAGE);
    write_file("times.zarr/0/.zarray", array);
    snprintf(path, sizeof path, "%s/times.zarr", folder);
    REQUIRE(drua_zarr_open(path, 0, &zarr));
    ck_assert_int_eq(drua_zarr_metadata_of(zarr)->frames, 3);
    ck_assert_double_eq(drua_zarr_metadata_of(zarr)->frame_interval, 0);
    ck_assert_double_eq(drua_zarr_metadata_of(zarr)->scale[0], 0.5);
    drua_zarr_close(zarr);
    char *flat = replace_once(IMAGE, "[0.0,0.5,0.5]", "[1.0,0.0,0.5]");
    write_file("times.zarr/.zattrs", flat);
    REFUSED(DRUA_E_ARGUMENT, drua_zarr_open(path, 0, &zarr), "times.zarr", "other than 0");
    free(flat);
    free(array);
}
END_TEST

/* z5py writes its whole buffer, and the header of blosc says how many bytes count. */
START_TEST(bytes_after_blosc_data)
{
    enum { MORE = 50 };
    unsigned char pixels[16], got[16];
    drua_bytes packed = {0};
    drua_codec codec;
    drua_zarr *zarr;
    for (int i = 0; i < 16; i++)
        pixels[i] = (unsigned char)(i * 3 + 1);
    REQUIRE(drua_codec_of("blosc-lz4", &codec));
    REQUIRE(drua_codec_encode(&codec, pixels, 16, 1, &packed));
    ck_assert(drua_bytes_reserve(&packed, packed.length + MORE));
    memset(packed.data + packed.length, 0xAB, MORE);
    char *array = replace_once(GOOD_ARRAY, "\"compressor\":null", "\"compressor\":{\"id\":\"blosc\"}");
    write_file("tail.zarr/.zarray", array);
    snprintf(path, sizeof path, "%s/tail.zarr", folder);
    for (int more = 0; more <= MORE; more++) {
        zarr_folder_put(folder, "tail.zarr/0.0", packed.data, packed.length + (size_t)more);
        memset(got, 0, sizeof got);
        REQUIRE(drua_zarr_open(path, 0, &zarr));
        REQUIRE(drua_zarr_read(zarr, &(drua_zarr_box){0, 0, {0, 0, 0}, {4, 4, 1}}, got));
        drua_zarr_close(zarr);
        ck_assert_mem_eq(got, pixels, 16);
    }
    zarr_folder_put(folder, "tail.zarr/0.0", packed.data, packed.length - 1);
    REQUIRE(drua_zarr_open(path, 0, &zarr));
    REFUSED(DRUA_E_ARGUMENT, drua_zarr_read(zarr, &(drua_zarr_box){0, 0, {0, 0, 0}, {4, 4, 1}}, got), "blosc");
    drua_zarr_close(zarr);
    drua_free(packed.data);
    free(array);
}
END_TEST

/* Windows editors put a byte order mark in front of a text. */
START_TEST(byte_order_marks)
{
    static const struct {
        const char *name, *file, *text;
    } files[] = {
        {"marked.zarr", "marked.zarr/.zattrs", GOOD_IMAGE},
        {"marked.zarr", "marked.zarr/0/.zarray", GOOD_ARRAY},
        {"third.zarr", "third.zarr/zarr.json",
         "{\"zarr_format\":3,\"node_type\":\"array\",\"shape\":[4,4],\"data_type\":\"uint8\",\"chunk_grid\":{\"name\":"
         "\"regular\",\"configuration\":{\"chunk_shape\":[4,4]}},\"chunk_key_encoding\":{\"name\":\"default\"},"
         "\"fill_value\":0,\"codecs\":[{\"name\":\"bytes\"}]}"},
        {"five.n5", "five.n5/attributes.json",
         "{\"dimensions\":[4,4],\"blockSize\":[4,4],\"dataType\":\"uint8\",\"compression\":{\"type\":\"raw\"}}"},
    };
    char marked[700];
    for (int marks = 0; marks < 2; marks++)
        for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
            snprintf(marked, sizeof marked, "%s%s", marks ? "\xEF\xBB\xBF" : "", files[i].text);
            write_file(files[i].file, marked);
            if (i > 0)
                REQUIRE(read_all(files[i].name));
        }
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        zarr_folder_put(folder, files[i].file, "\xFF\xFE{\0}", 6);
        ck_assert_int_eq(read_all(files[i].name), DRUA_E_ARGUMENT);
        ck_assert_msg(strstr(drua_error_message(), "UTF-16") && strstr(drua_error_message(), "save it as UTF-8"), "%s",
                      drua_error_message());
        write_file(files[i].file, files[i].text);
    }
}
END_TEST

/* ---- checksums */

/* Writes pixels as the only chunk of an image, and returns the path of the chunk. */
static const char *store_chunk(const char *name, const char *compression, const unsigned char *pixels,
                               drua_zarr_out **out)
{
    static char chunk[700];
    const drua_zarr_metadata metadata = {
        .shape = {64, 64, 1, 2}, .channels = 1, .frames = 1, .type = DRUA_UINT8, .scale = {1, 1, 1}};
    const drua_zarr_options options = {.levels = 1, .compression = compression};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    REQUIRE(drua_zarr_create(path, &metadata, &options, NULL, out));
    REQUIRE(drua_zarr_write(*out, 0, &(drua_zarr_box){0, 0, {0, 0, 0}, {64, 64, 1}}, pixels));
    snprintf(chunk, sizeof chunk, "%s.writing/0/0/0", name);
    return chunk;
}

/*
 * Processes that share a plan may have different versions of a compressor, and store equal pixels as other bytes. Here
 * another compressor inside blosc has that effect.
 */
START_TEST(checksums_of_pixels)
{
    const drua_zarr_box all = {0, 0, {0, 0, 0}, {64, 64, 1}};
    unsigned char pixels[64 * 64], got[64 * 64];
    size_t lengths[3];
    char *chunks[3], name[700];
    drua_zarr_out *outs[3];
    drua_bytes sums = {0};
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (unsigned char)(i % 64 / 3);
    for (int i = 0; i < 3; i++) {
        pixels[100] += i == 2; /* other pixels */
        const char *files[] = {"first.zarr", "other.zarr", "changed.zarr"};
        snprintf(name, sizeof name, "%s", store_chunk(files[i], i == 1 ? "blosc-zstd" : "blosc-lz4", pixels, &outs[i]));
        chunks[i] = zarr_folder_get(folder, name, &lengths[i]);
    }
    pixels[100]--;
    ck_assert(lengths[0] != lengths[1] || memcmp(chunks[0], chunks[1], lengths[0]) != 0);
    for (int i = 0; i < 4; i++) {
        drua_zarr *zarr;
        REQUIRE(drua_zarr_reopen(outs[0], 0, &zarr));
        if (i == 0)
            REQUIRE(drua_zarr_list_sums(zarr, &all, &sums));
        else
            zarr_folder_put(folder, "first.zarr.writing/0/0/0", chunks[i % 3], i == 3 ? lengths[0] - 1 : lengths[i]);
        REQUIRE(drua_zarr_expect_sums(zarr, &sums));
        if (i < 2) {
            REQUIRE(drua_zarr_read(zarr, &all, got));
            ck_assert_mem_eq(got, pixels, sizeof pixels);
        } else
            REFUSED(DRUA_E_ARGUMENT, drua_zarr_read(zarr, &all, got), "has changed since Drua wrote it");
        drua_zarr_close(zarr);
    }
    for (int i = 0; i < 3; i++) {
        drua_zarr_finish(outs[i], DRUA_E_CANCELLED);
        free(chunks[i]);
    }
    drua_free(sums.data);
}
END_TEST

/* ---- deep metadata */

START_TEST(deep_metadata)
{
    enum { DEEP = 1000000 };
    char *text = malloc(DEEP + 1);
    memset(text, '[', DEEP);
    text[DEEP] = 0;
    write_file("a.zarr/.zgroup", "{\"zarr_format\":2}");
    write_file("a.zarr/.zattrs", text);
    write_file("a.zarr/0/.zarray", GOOD_ARRAY);
    ck_assert_int_eq(read_all("a.zarr"), DRUA_E_ARGUMENT);
    ck_assert_msg(strstr(drua_error_message(), ".zattrs") && strlen(drua_error_message()) < 1500, "%s",
                  drua_error_message());
    free(text);
}
END_TEST

/* ---- every byte of every file */

static int names_of(char names[][100], int max)
{
    FILE *list = fopen(TEST_DATA "/../zarr/images.txt", "r");
    int count = 0, c;
    ck_assert_ptr_nonnull(list);
    while (count < max && fscanf(list, "%99s", names[count]) == 1) {
        while ((c = fgetc(list)) != EOF && c != '\n')
            ;
        count += strchr(names[count], '/') != NULL;
    }
    fclose(list);
    return count;
}

static void damage_bytes(harness_random *chance, char *bytes, size_t *length)
{
    if (harness_below(chance, 4) == 0)
        *length = (size_t)harness_below(chance, (int)*length);
    for (int k = harness_below(chance, 4); k >= 0 && *length; k--)
        bytes[harness_below(chance, (int)*length)] =
            harness_below(chance, 3) ? (char)harness_next(chance) : "9-[]{}\"0"[harness_below(chance, 8)];
}

START_TEST(damaged_files)
{
    enum { LIMIT = 1000 };
    static char names[LIMIT][100];
    const time_t end = time(NULL) + fuzz_seconds();
    harness_random chance = {harness_new_seed("damaged_files")};
    long refused = 0, read = 0;
    zarr_folder_unpack(TEST_DATA "/../zarr/images.txt", folder);
    const int count = names_of(names, LIMIT);
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
        damage_bytes(&chance, copy, &length);
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
    tcase_add_test(tests, wrong_names_of_chunks);
    tcase_add_test(tests, wrong_encodings_of_names);
    tcase_add_test(tests, small_blocks);
    tcase_add_test(tests, deep_metadata);
    tcase_add_test(tests, members_that_must_be_understood);
    tcase_add_test(tests, unknown_interval);
    tcase_add_test(tests, bytes_after_blosc_data);
    tcase_add_test(tests, byte_order_marks);
    tcase_add_test(tests, checksums_of_pixels);
    tcase_add_test(tests, damaged_files);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
