/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests the values of missing chunks, and chunks that hold more or fewer bytes than their pixels. */
#include "harness.h"

#include "alloc.h"
#include "codec.h"
#include "zarr_folder.h"

#include "zarr.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static char folder[HARNESS_FOLDER];

static void make_folder(void)
{
    harness_make_folder(folder);
}

static void remove_folder(void)
{
    zarr_folder_remove(folder);
}

static union {
    float real;
    uint8_t whole;
    uint32_t bits;
} pixel; /* the one that read_fill has read */

/* Reads the only pixel of an array without chunks. */
static drua_status read_fill(const char *type, const char *fill, double *value)
{
    char text[600], path[600];
    drua_zarr *zarr;
    snprintf(text, sizeof text,
             "{\"zarr_format\":3,\"node_type\":\"array\",\"shape\":[1,1],\"data_type\":\"%s\",\"chunk_grid\":{\"name\":"
             "\"regular\",\"configuration\":{\"chunk_shape\":[1,1]}},\"chunk_key_encoding\":{\"name\":\"default\"},"
             "\"fill_value\":%s,\"codecs\":[\"bytes\"]}",
             type, fill);
    zarr_folder_put(folder, "fill.zarr/zarr.json", text, strlen(text));
    snprintf(path, sizeof path, "%s/fill.zarr", folder);
    const drua_status status = drua_zarr_open(path, 0, &zarr);
    if (status != DRUA_OK)
        return status;
    REQUIRE(drua_zarr_read(zarr, &(drua_zarr_box){0, 0, {0, 0, 0}, {1, 1, 1}}, &pixel));
    *value = *type == 'f' ? (double)pixel.real : pixel.whole;
    drua_zarr_close(zarr);
    return DRUA_OK;
}

START_TEST(fill_values)
{
    static const struct {
        const char *type, *fill;
        double value;
    } read[] = {{"float32", "\"NaN\"", NAN},
                {"float32", "\"-Infinity\"", -INFINITY},
                {"float32", "\"-0.0\"", -0.0},
                {"float32", "-0.0", -0.0},
                {"float32", "\"1.5e2\"", 150},
                {"float32", "\"0x3fC00000\"", 1.5},
                {"float32", "\"0xffc00000\"", NAN},
                {"float64", "\"0xbff8000000000000\"", -1.5},
                {"float64", "\"0x7ff8000000000000\"", NAN},
                {"uint8", "255", 255},
                {"bool", "true", 1}};
    static const struct {
        const char *type, *fill;
    } refused[] = {{"float32", "\"0x3fc0\""},
                   {"float32", "\"0x-fc00000\""},
                   {"float32", "\"0x 3fc0000\""},
                   {"float32", "\"0x3fc0000000000000\""},
                   {"float32", "\"infinitely\""},
                   {"float32", "\"1.5.\""},
                   {"float32", "\"\""},
                   {"float32", "\"AADAPw==\""},
                   {"float32", "1e39"},
                   {"float32", "null"},
                   {"float64", "\"0x3fc00000\""},
                   {"float64", "0.1"},
                   {"float64", "\"0x3fb999999999999a\""},
                   {"uint8", "\"0xff\""},
                   {"uint8", "\"NaN\""},
                   {"uint8", "256"}};
    double value = 0;
    for (size_t i = 0; i < sizeof read / sizeof *read; i++) {
        ck_assert_msg(read_fill(read[i].type, read[i].fill, &value) == DRUA_OK, "%s: %s", read[i].fill,
                      drua_error_message());
        ck_assert_msg(isnan(value) == isnan(read[i].value) && (isnan(value) || value == read[i].value) &&
                          (isnan(value) || !signbit(value) == !signbit(read[i].value)),
                      "%s is read as %g", read[i].fill, value);
    }
    const uint32_t nans[] = {0x7fa00001, 0x7f800001, 0xffa5a5a5, 0xffc12345};
    for (size_t i = 0; i < sizeof nans / sizeof *nans; i++) {
        char fill[16];
        snprintf(fill, sizeof fill, "\"0x%08x\"", nans[i]);
        REQUIRE(read_fill("float32", fill, &value));
        ck_assert_uint_eq(pixel.bits, nans[i]);
    }
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        REFUSED(DRUA_E_ARGUMENT, read_fill(refused[i].type, refused[i].fill, &value), "fill.zarr", "fill_value");
}
END_TEST

/* Appends another stream of the codec, or plain bytes, to the data of a chunk. */
START_TEST(bytes_after_compressed_data)
{
    static const char *const names[] = {"gzip", "zlib", "zstd"};
    unsigned char pixels[16] = {1, 2, 3}, got[16];
    for (int i = 0; i < 3; i++) {
        drua_bytes packed = {0};
        drua_codec codec;
        REQUIRE(drua_codec_of(names[i], &codec));
        REQUIRE(drua_codec_encode(&codec, pixels, 10, 1, &packed));
        const size_t part = packed.length;
        REQUIRE(drua_codec_encode(&codec, pixels + 10, 6, 1, &packed));
        REQUIRE(drua_codec_decode(&codec, packed.data, packed.length, got, 16));
        ck_assert_mem_eq(got, pixels, 16);
        REFUSED(DRUA_E_ARGUMENT, drua_codec_decode(&codec, packed.data, packed.length, got, 10), "of a chunk");
        REFUSED(DRUA_E_ARGUMENT, drua_codec_decode(&codec, packed.data, part + 4, got, 10), "of a chunk");
        REFUSED(DRUA_E_ARGUMENT, drua_codec_decode(&codec, packed.data, packed.length - 1, got, 16), "of a chunk");
        drua_free(packed.data);
    }
}
END_TEST

/* A gzip file may end with empty members, as bgzip writes one, and with padding. */
START_TEST(empty_members_after_gzip)
{
    static const unsigned char empty[] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    unsigned char pixels[16] = {1, 2, 3}, got[16], file[256] = {0};
    drua_bytes packed = {0};
    drua_codec codec;
    REQUIRE(drua_codec_of("gzip", &codec));
    REQUIRE(drua_codec_encode(&codec, pixels, 16, 1, &packed));
    ck_assert_uint_le(packed.length + 2 * sizeof empty + 8, sizeof file);
    memcpy(file, packed.data, packed.length);
    for (size_t members = 0; members <= 2; members++) {
        const size_t length = packed.length + members * sizeof empty;
        if (members)
            memcpy(file + length - sizeof empty, empty, sizeof empty);
        memset(file + length, 0, sizeof file - length);
        REQUIRE(drua_codec_decode(&codec, file, length, got, 16));
        REQUIRE(drua_codec_decode(&codec, file, length + 8, got, 16));
        ck_assert_mem_eq(got, pixels, 16);
        file[length] = 'x';
        REFUSED(DRUA_E_ARGUMENT, drua_codec_decode(&codec, file, length + 1, got, 16), "of a chunk");
        if (members)
            REFUSED(DRUA_E_ARGUMENT, drua_codec_decode(&codec, file, length - 1, got, 16), "of a chunk");
    }
    drua_free(packed.data);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("zarr_values");
    TCase *tests = tcase_create("values");
    tcase_add_checked_fixture(tests, make_folder, remove_folder);
    tcase_add_test(tests, fill_values);
    tcase_add_test(tests, bytes_after_compressed_data);
    tcase_add_test(tests, empty_members_after_gzip);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
