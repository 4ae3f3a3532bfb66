/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads images of zarr-python and tensorstore, and TIFF files, from a server on this computer, which then fails in many
 * ways. No failure may count as pixels.
 */
#include "harness.h"

#include "alloc.h"
#include "file_server.h"
#include "http.h"
#include "image_file.h"
#include "store.h"
#include "store_file.h"
#include "tiff_strips.h"
#include "zarr.h"
#include "zarr_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char address[200];

static const char *address_of(const char *name)
{
    static char whole[600];
    snprintf(whole, sizeof whole, "%s/%s", address, name);
    return whole;
}

#if defined(DRUA_HTTP)
static char folder[HARNESS_FOLDER];
static file_server *server;

static void start_server(void)
{
    int port;
    harness_make_folder(folder);
    server = file_server_start(folder, &port);
    snprintf(address, sizeof address, "http://127.0.0.1:%d", port);
    setenv("no_proxy", "127.0.0.1", 1);
}

static void unpack_images(void)
{
    zarr_folder_unpack(TEST_DATA "/../zarr/images.txt", folder);
}

static void stop_server(void)
{
    file_server_stop(server);
    zarr_folder_remove(folder);
}

static size_t bytes_of(drua_type type)
{
    return type <= DRUA_INT8 ? 1 : type <= DRUA_INT16 ? 2 : 4;
}

/* ---- images that can be read */

/* Pixels of images by exchange.py: (3x + 5y + 7z + 11c + 13t) mod 100, here in uint16. */
static void check_pixels(const char *name, const drua_zarr_metadata *f, const drua_zarr_box *b, const uint16_t *pixels)
{
    for (int64_t z = 0, i = 0; z < f->shape.depth; z++)
        for (int64_t y = 0; y < f->shape.height; y++)
            for (int64_t x = 0; x < f->shape.width; x++, i++)
                ck_assert_msg(pixels[i] == (3 * x + 5 * y + 7 * z + 11 * b->channel + 13 * b->frame) % 100,
                              "%s: x %d y %d z %d is %d", name, (int)x, (int)y, (int)z, pixels[i]);
}

/* Compares all pixels with those in the folder, which unit_zarr compares with their known values. */
static void compare_image(const char *name, drua_zarr *near, drua_zarr *far)
{
    const drua_zarr_metadata *f = drua_zarr_metadata_of(near), *g = drua_zarr_metadata_of(far);
    const size_t bytes = (size_t)(f->shape.width * f->shape.height * f->shape.depth) * bytes_of(f->type);
    void *one = malloc(bytes), *two = malloc(bytes);
    ck_assert(f->type == g->type && f->shape.width == g->shape.width && f->shape.height == g->shape.height &&
              f->shape.depth == g->shape.depth && f->scale[0] == g->scale[0] && !strcmp(f->unit, g->unit));
    for (int64_t t = 0; t < f->frames; t++)
        for (int64_t c = 0; c < f->channels; c++) {
            const drua_zarr_box all = {c, t, {0, 0, 0}, {f->shape.width, f->shape.height, f->shape.depth}};
            REQUIRE(drua_zarr_read(near, &all, one));
            REQUIRE(drua_zarr_read(far, &all, two));
            ck_assert_msg(!memcmp(one, two, bytes), "%s: other pixels", name);
            if (f->type == DRUA_UINT16 && !strstr(name, "missing"))
                check_pixels(name, f, &all, two);
        }
    free(one);
    free(two);
}

START_TEST(images)
{
    char list[600], name[100];
    int count = 0;
    unpack_images();
    snprintf(list, sizeof list, "%s/images.tsv", folder);
    FILE *file = fopen(list, "r");
    while (fscanf(file, "%99s%*[^\n]", name) == 1) {
        char near_path[700];
        drua_zarr *near, *far;
        snprintf(near_path, sizeof near_path, "%s/%s", folder, name);
        REQUIRE(drua_zarr_open(near_path, 0, &near));
        REQUIRE(drua_zarr_open(address_of(name), 0, &far));
        compare_image(name, near, far);
        drua_zarr_close(near);
        drua_zarr_close(far);
        count++;
    }
    fclose(file);
    ck_assert_int_ge(count, 50);
}
END_TEST

/* A level by its own address has the scale of its image, and a slash at the end changes nothing. */
START_TEST(levels)
{
    drua_zarr *zarr;
    unpack_images();
    for (int version = 2; version <= 3; version++) {
        const char *const names[] = {version == 2 ? "v2_tczyx.zarr/1/" : "v3_tczyx.zarr/1/",
                                     version == 2 ? "v2_tczyx.zarr/" : "v3_tczyx.zarr/"};
        for (int i = 0; i < 2; i++) {
            REQUIRE(drua_zarr_open(address_of(names[i]), i, &zarr));
            ck_assert_int_eq(drua_zarr_metadata_of(zarr)->shape.width, 5);
            ck_assert_double_eq(drua_zarr_metadata_of(zarr)->scale[0], 0.25);
            drua_zarr_close(zarr);
        }
    }
    REFUSED(DRUA_E_ARGUMENT, drua_zarr_open(address_of("nothing.zarr"), 0, &zarr), "neither an OME-Zarr or N5 image");
}
END_TEST

/* ---- failures */

static const drua_http_limits quick = {.tries = 3, .pause = 1, .connecting = 2000, .stalled = 1},
                              once = {.tries = 1, .pause = 1, .connecting = 2000, .stalled = 1};

static drua_status get(const drua_http_limits *limits, const char *name, int64_t offset, size_t max, drua_bytes *bytes,
                       drua_file_info *info, bool *absent)
{
    bytes->length = 0;
    return drua_http_read(address_of(name), limits, offset, max, bytes, info, absent);
}

START_TEST(parts)
{
    static const struct {
        int64_t offset;
        size_t max;
        const char *text;
    } reads[] = {{0, 10, "0123456789"},
                 {0, 100, "0123456789"},
                 {3, 4, "3456"},
                 {8, 100, "89"},
                 {-3, 100, "789"},
                 {-30, 100, "0123456789"},
                 {10, 5, ""},
                 {50, 5, ""},
                 {2, 0, ""},
                 {0, 0, ""}};
    drua_bytes bytes = {0};
    drua_file_info info;
    bool absent;
    zarr_folder_put(folder, "digits", "0123456789", 10);
    zarr_folder_put(folder, "empty", "", 0);
    for (size_t i = 0; i < sizeof reads / sizeof *reads; i++) {
        REQUIRE(get(&once, "digits", reads[i].offset, reads[i].max, &bytes, &info, &absent));
        ck_assert(!absent && info.bytes == 10 && info.is_file && info.changed_exactly != 0);
        ck_assert_msg(bytes.length == strlen(reads[i].text) && !memcmp(bytes.data, reads[i].text, bytes.length),
                      "part %d: %.*s", (int)i, (int)bytes.length, (const char *)bytes.data);
    }
    REQUIRE(get(&once, "empty", 0, 10, &bytes, &info, &absent));
    ck_assert(!absent && bytes.length == 0 && info.bytes == 0);
    REQUIRE(get(&once, "nothing", 0, 10, &bytes, &info, &absent));
    ck_assert(absent);
    drua_free(bytes.data);
}
END_TEST

/* A failed request is repeated. If it keeps failing, the error message states the number of attempts and what to do. */
START_TEST(repeats)
{
    static const struct {
        server_fault fault;
        int number;
        const char *says;
    } faults[] = {{SERVER_STATUS, 500, "status 500"}, {SERVER_STATUS, 503, "status 503"},
                  {SERVER_STATUS, 429, "status 429"}, {SERVER_CUT, 0, "connection to the server failed"},
                  {SERVER_LIES, 0, "other bytes"},    {SERVER_SHIFTS_RANGE, 0, "other bytes"}};
    drua_bytes bytes = {0};
    drua_file_info info;
    bool absent;
    zarr_folder_put(folder, "digits", "0123456789", 10);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        file_server_fail(server, faults[i].fault, faults[i].number, "digits", 0, 2);
        REQUIRE(get(&quick, "digits", 2, 5, &bytes, &info, &absent));
        ck_assert_msg(bytes.length == 5 && !memcmp(bytes.data, "23456", 5), "fault %d", (int)i);
        file_server_fail(server, faults[i].fault, faults[i].number, "digits", 0, -1);
        const int before = file_server_requests(server);
        REFUSED(DRUA_E_AWAY, get(&quick, "digits", 2, 5, &bytes, &info, &absent), faults[i].says, "3 attempts",
                "run the same command again");
        ck_assert_int_eq(file_server_requests(server) - before, 3);
    }
    drua_free(bytes.data);
}
END_TEST

START_TEST(refusals)
{
    drua_bytes bytes = {0};
    drua_file_info info;
    bool absent;
    zarr_folder_put(folder, "digits", "0123456789", 10);
    for (int status = 400; status <= 403; status++) {
        file_server_fail(server, SERVER_STATUS, status, "digits", 0, -1);
        const int before = file_server_requests(server);
        REFUSED(DRUA_E_AWAY, get(&quick, "digits", 2, 5, &bytes, &info, &absent), "status 40", "1 attempt;");
        ck_assert_int_eq(file_server_requests(server) - before, 1);
    }
    file_server_fail(server, SERVER_ENCODES, 0, "digits", 0, -1);
    REFUSED(DRUA_E_ARGUMENT, get(&quick, "digits", 2, 5, &bytes, &info, &absent), "compresses");
    file_server_fail(server, SERVER_IGNORES_RANGE, 0, "digits", 0, -1);
    REFUSED(DRUA_E_ARGUMENT, get(&quick, "digits", 2, 5, &bytes, &info, &absent), "ignores range requests");
    REFUSED(DRUA_E_ARGUMENT, get(&quick, "digits", -2, 5, &bytes, &info, &absent), "ignores range requests");
    REQUIRE(get(&quick, "digits", 0, 5, &bytes, &info, &absent));
    ck_assert(bytes.length == 5 && info.bytes == 10);
    REQUIRE(get(&quick, "digits", 0, 50, &bytes, &info, &absent));
    ck_assert(bytes.length == 10 && info.bytes == 10);
    file_server_fail(server, SERVER_WHOLE_WITHOUT_LENGTH, 0, "digits", 0, -1);
    REFUSED(DRUA_E_AWAY, get(&quick, "digits", 0, 50, &bytes, &info, &absent), "does not state the length");
    file_server_fail(server, SERVER_REDIRECT, 2, "digits", 0, -1);
    REQUIRE(get(&quick, "digits", 2, 5, &bytes, &info, &absent));
    ck_assert(bytes.length == 5 && !memcmp(bytes.data, "23456", 5));
    file_server_fail(server, SERVER_REDIRECT, 9, "digits", 0, -1);
    REFUSED(DRUA_E_ARGUMENT, get(&quick, "digits", 2, 5, &bytes, &info, &absent), "redirects", "5 times");
    drua_free(bytes.data);
}
END_TEST

/* A server that stops, or sends a few bytes per second, ends the request after the time that the limits allow. */
START_TEST(slow_servers)
{
    static const server_fault faults[] = {SERVER_STALL, SERVER_DRIP};
    drua_bytes bytes = {0};
    drua_file_info info;
    bool absent;
    char many[4000];
    memset(many, 'x', sizeof many);
    zarr_folder_put(folder, "many", many, sizeof many);
    for (int i = 0; i < 2; i++) {
        file_server_fail(server, faults[i], 4000, "many", 0, -1);
        REFUSED(DRUA_E_AWAY, get(&once, "many", 0, sizeof many, &bytes, &info, &absent), "connection to the server");
        file_server_works(server);
    }
    drua_free(bytes.data);
    int port;
    file_server *other = file_server_start(folder, &port);
    file_server_stop(other); /* nobody listens there now */
    snprintf(address, sizeof address, "http://127.0.0.1:%d", port);
    REFUSED(DRUA_E_AWAY, get(&once, "many", 0, 1, &bytes, &info, &absent), "connection to the server failed");
}
END_TEST

/* ---- images that change or disappear while they are open */

static drua_status read_whole(drua_zarr *zarr)
{
    static char pixels[1 << 20];
    const drua_shape s = drua_zarr_metadata_of(zarr)->shape;
    return drua_zarr_read(zarr, &(drua_zarr_box){0, 0, {0, 0, 0}, {s.width, s.height, s.depth}}, pixels);
}

START_TEST(absence)
{
    static const char *const names[] = {"v2_raw.zarr", "v2_missing.zarr", "v3_missing.zarr", "ts3_shards_end.zarr"};
    unpack_images();
    for (int i = 0; i < 4; i++) {
        drua_zarr *zarr;
        REQUIRE(drua_zarr_open(address_of(names[i]), 0, &zarr));
        REQUIRE(read_whole(zarr));
        REQUIRE(drua_zarr_check_time(zarr));
        file_server_fail(server, SERVER_STATUS, 404, "", 0, -1); /* everything is gone, the metadata too */
        REFUSED(DRUA_E_AWAY, read_whole(zarr), "have disappeared");
        file_server_fail(server, SERVER_STATUS, 403, "", 0, -1);
        REFUSED(DRUA_E_AWAY, read_whole(zarr), "status 403");
        file_server_fail(server, SERVER_OTHER, 0, "", 0, -1);
        REFUSED(DRUA_E_AWAY, drua_zarr_check_time(zarr), "have changed");
        file_server_works(server);
        REQUIRE(read_whole(zarr));
        drua_zarr_close(zarr);
    }
}
END_TEST

/* ---- TIFF */

static drua_status read_tiff(const char *path, uint8_t *pixels, int64_t *pages)
{
    drua_tiff *tiff;
    DRUA_TRY(drua_tiff_open(path, NULL, 0, 0, &tiff));
    const size_t bytes = drua_tiff_plane_bytes(tiff);
    drua_status status = DRUA_OK;
    *pages = drua_tiff_selected_pages(tiff);
    for (int64_t i = 0; i < *pages && status == DRUA_OK; i++)
        status = drua_tiff_read_page(tiff, i, (void *[]){pixels + (size_t)i * bytes});
    if (status == DRUA_OK)
        status = drua_tiff_check(tiff);
    drua_tiff_close(tiff);
    return status;
}

enum { SIDE = 700, PAGES = 3, TIFF_BYTES = SIDE * SIDE * PAGES };

/* Writes a stack of planes whose pixels follow a formula; each plane is larger than a piece that Drua keeps. */
static void write_tiff(const char *name, const char *compression)
{
    char path[600];
    drua_tiff_out *out;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    const drua_shape shape = {SIDE, SIDE, PAGES, 3};
    uint8_t *plane = malloc(SIDE * SIDE);
    REQUIRE(drua_tiff_create(path, shape, DRUA_UINT8, "", compression, NULL, &out));
    drua_status status = DRUA_OK;
    for (int64_t page = 0; page < PAGES; page++) {
        for (int i = 0; i < SIDE * SIDE; i++)
            plane[i] = (uint8_t)(i / 3 + 7 * page);
        for (int64_t strip = 0; strip < drua_tiff_out_strips(out) && status == DRUA_OK; strip++) {
            drua_strip packed = {0};
            status = drua_tiff_encode(out, strip, (void *[]){plane}, &packed);
            if (status == DRUA_OK)
                status = drua_tiff_put(out, page, strip, &packed);
            drua_free(packed.memory);
        }
    }
    REQUIRE(drua_tiff_finish(out, status));
    free(plane);
}

START_TEST(tiffs)
{
    static const char *const kinds[] = {"none", "deflate"};
    uint8_t *pixels = malloc(TIFF_BYTES);
    char name[40];
    for (int k = 0; k < 2; k++) {
        int64_t pages = 0;
        snprintf(name, sizeof name, "%s.tif", kinds[k]);
        write_tiff(name, kinds[k]);
        REQUIRE(read_tiff(address_of(name), pixels, &pages));
        ck_assert_int_eq(pages, PAGES);
        for (int64_t i = 0; i < TIFF_BYTES; i++)
            ck_assert_msg(pixels[i] == (uint8_t)(i % (SIDE * SIDE) / 3 + 7 * (i / (SIDE * SIDE))), "pixel %d", (int)i);
        file_server_fail(server, SERVER_IGNORES_RANGE, 0, name, 0, -1);
        if (k == 0) /* Drua reads the smaller file with one request that begins at 0 */
            REFUSED(DRUA_E_ARGUMENT, read_tiff(address_of(name), pixels, &pages), "ignores range requests");
        file_server_works(server);
    }
    int64_t pages;
    REFUSED(DRUA_E_ARGUMENT, read_tiff(address_of("nothing.tif"), pixels, &pages), "there is no file");
    free(pixels);
}
END_TEST

/* A file that disappears or changes between two pages gives DRUA_E_AWAY and does not count as truncated. */
START_TEST(tiff_absence)
{
    static const struct {
        server_fault fault;
        int number;
        const char *says;
    } faults[] = {
        {SERVER_STATUS, 404, "no longer has it"}, {SERVER_STATUS, 403, "status 403"}, {SERVER_OTHER, 0, "has changed"}};
    uint8_t *pixels = malloc(SIDE * SIDE);
    write_tiff("a.tif", "none");
    for (int i = 0; i < 3; i++) {
        drua_tiff *tiff;
        REQUIRE(drua_tiff_open(address_of("a.tif"), NULL, 0, 0, &tiff));
        REQUIRE(drua_tiff_read_page(tiff, 0, (void *[]){pixels}));
        file_server_fail(server, faults[i].fault, faults[i].number, "a.tif", 0, -1);
        REFUSED(DRUA_E_AWAY, drua_tiff_read_page(tiff, 2, (void *[]){pixels}), faults[i].says);
        REFUSED(DRUA_E_AWAY, drua_tiff_check(tiff), "since it was opened");
        file_server_works(server);
        drua_tiff_close(tiff);
    }
    free(pixels);
}
END_TEST

/* ---- addresses */

static void leads_to(const char *path, const char *expected)
{
    char made[DRUA_HTTP_ADDRESS];
    REQUIRE(drua_http_address(path, made));
    ck_assert_str_eq(made, expected);
}

START_TEST(addresses)
{
    char made[DRUA_HTTP_ADDRESS];
    static const char *const wrong[] = {"http://",   "http:///a",  "https://a b/c",     "s3://",
                                        "s3:///key", "s3://a@b/c", "https://host/a\\b", "http://host/a\n"},
                             *const secret[] = {"https://user:hidden@host/a.zarr", "https://host/a.tif?hidden",
                                                "https://host/a#hidden"};
    static const char *const variables[] = {"AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_REGION",
                                            "AWS_DEFAULT_REGION"};
    for (int i = 0; i < 4; i++)
        unsetenv(variables[i]);
    leads_to("s3://bucket/a/b.zarr", "https://bucket.s3.us-east-1.amazonaws.com/a/b.zarr");
    leads_to("s3://bucket/a b+\303\274?.zarr", "https://bucket.s3.us-east-1.amazonaws.com/a%20b%2B%C3%BC%3F.zarr");
    leads_to("s3://a.bucket/b", "https://s3.us-east-1.amazonaws.com/a.bucket/b");
    setenv("AWS_DEFAULT_REGION", "eu-west-1", 1);
    leads_to("s3://bucket/b", "https://bucket.s3.eu-west-1.amazonaws.com/b");
    setenv("AWS_REGION", "eu-north-1", 1);
    leads_to("s3://bucket/b", "https://bucket.s3.eu-north-1.amazonaws.com/b");
    setenv("AWS_ENDPOINT_URL", "http://localhost:9000/", 1);
    leads_to("s3://bucket/b", "http://localhost:9000/bucket/b");
    setenv("AWS_ENDPOINT_URL_S3", "https://store.example", 1);
    leads_to("s3://bucket/b", "https://store.example/bucket/b");
    leads_to("https://host/a%20b.zarr", "https://host/a%20b.zarr");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        REFUSED(DRUA_E_ARGUMENT, drua_http_address(wrong[i], made), "the address must");
    for (size_t i = 0; i < sizeof secret / sizeof *secret; i++) {
        REFUSED(DRUA_E_ARGUMENT, drua_http_address(secret[i], made), "no user, password");
        ck_assert_ptr_null(strstr(drua_error_message(), "hidden"));
    }
}
END_TEST

/* A bucket is read as the folder of that name at AWS_ENDPOINT_URL. */
START_TEST(buckets)
{
    drua_zarr *zarr;
    unpack_images();
    setenv("AWS_ENDPOINT_URL_S3", address, 1);
    REQUIRE(drua_zarr_open("s3://v2_raw.zarr", 0, &zarr));
    REQUIRE(read_whole(zarr));
    drua_zarr_close(zarr);
}
END_TEST
#else
static void start_server(void)
{
    snprintf(address, sizeof address, "http://127.0.0.1:1");
}

static void stop_server(void)
{
}

START_TEST(without_libcurl)
{
    drua_zarr *zarr;
    drua_tiff *tiff;
    REFUSED(DRUA_E_UNSUPPORTED, drua_zarr_open(address_of("a.zarr"), 0, &zarr), "without libcurl");
    REFUSED(DRUA_E_UNSUPPORTED, drua_tiff_open(address_of("a.tif"), NULL, 0, 0, &tiff), "without libcurl");
}
END_TEST
#endif

START_TEST(outputs)
{
    drua_zarr_out *out;
    const drua_zarr_metadata f = {.shape = {4, 4, 1, 2}, .channels = 1, .frames = 1, .type = DRUA_UINT8};
    REFUSED(DRUA_E_ARGUMENT, drua_zarr_create(address_of("out.zarr"), &f, &(drua_zarr_options){0}, NULL, &out),
            "writes only to folders of this computer");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("servers");
    TCase *tests = tcase_create("servers");
    tcase_add_checked_fixture(tests, start_server, stop_server);
    tcase_set_timeout(tests, 120);
#if defined(DRUA_HTTP)
    tcase_add_test(tests, images);
    tcase_add_test(tests, levels);
    tcase_add_test(tests, parts);
    tcase_add_test(tests, repeats);
    tcase_add_test(tests, refusals);
    tcase_add_test(tests, slow_servers);
    tcase_add_test(tests, absence);
    tcase_add_test(tests, tiffs);
    tcase_add_test(tests, tiff_absence);
    tcase_add_test(tests, addresses);
    tcase_add_test(tests, buckets);
#else
    tcase_add_test(tests, without_libcurl);
#endif
    tcase_add_test(tests, outputs);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
