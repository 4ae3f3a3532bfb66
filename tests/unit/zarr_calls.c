/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests operations that read and write chunked images: round trips with levels, scale and colours, boxes, channels and
 * frames. Stopped and failed calls must leave no files.
 */
#include "harness.h"

#include "zarr.h"
#include "zarr_folder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static drua_context *context;
static char folder[HARNESS_FOLDER], path[200];

static void open_context(void)
{
    context = harness_open();
    harness_make_folder(folder);
    snprintf(path, sizeof path, "%s/image.zarr", folder);
}

static void close_context(void)
{
    zarr_folder_remove(folder);
    drua_close(context);
}

static drua_image random_image(drua_type type, drua_shape shape, harness_content content, reference_image *pixels)
{
    static harness_random chance = {5};
    *pixels = harness_image(&chance, type, shape, content);
    return harness_push(context, pixels);
}

/* Compares a box of pixels from an origin on, with every `step`-th slice. */
static void same(drua_image image, const reference_image *expected, int64_t x, int64_t y, int64_t z, int step)
{
    reference_image got = harness_pull(context, image);
    int64_t i = 0;
    ck_assert_int_eq(got.type, expected->type);
    REFERENCE_EACH_PIXEL (got.shape, a, b, c) {
        const double value = reference_at(expected, x + a, y + b, z + c * step);
        ck_assert_msg(got.pixels[i] == value, "%lld, %lld, %lld is %g, not %g", (long long)a, (long long)b,
                      (long long)c, got.pixels[i], value);
        i++;
    }
    reference_free(&got);
}

static void has_extent(drua_image image, int64_t width, int64_t height, int64_t depth)
{
    drua_image_info info;
    REQUIRE(drua_get_info(context, image, &info));
    ck_assert_int_eq(info.shape.width, width);
    ck_assert_int_eq(info.shape.height, height);
    ck_assert_int_eq(info.shape.depth, depth);
}

static drua_image read_box(const char *options)
{
    drua_argument arguments[] = {NAME(path), NEW, NAME(options)};
    REQUIRE(drua_invoke(context, "read_box", arguments, 3, NULL));
    return arguments[1].image;
}

START_TEST(round_trips)
{
    const struct {
        drua_type type;
        drua_shape shape;
        const char *options;
    } files[] = {{DRUA_UINT8, {40, 30, 1, 2}, ""},
                 {DRUA_INT8, {40, 30, 21, 3}, "version=0.5"},
                 {DRUA_UINT16, {300, 200, 40, 3}, "compression=zstd chunk=64,32,16"},
                 {DRUA_INT16, {300, 40, 50, 3}, "version=0.5 chunk=32,32,16 shard=64,32,32 compression=none"},
                 {DRUA_UINT32, {40, 30, 21, 3}, "compression=gzip"},
                 {DRUA_INT32, {40, 30, 21, 3}, "compression=zlib levels=2"},
                 {DRUA_FLOAT32, {40, 30, 1, 3}, "version=0.5 compression=blosc-zstd"}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        reference_image pixels;
        drua_image image = random_image(files[i].type, files[i].shape, HARNESS_GREY, &pixels), back;
        const drua_shape s = files[i].shape;
        drua_image_info info;
        const char *text;
        REQUIRE(drua_set_metadata(
            context, image,
            "pixelWidth=0.25\npixelHeight=0.5\npixelDepth=2\nunit=\302\265m\nframeInterval=0\nmin=1\nmax=9\n"));
        REQUIRE(INVOKE(context, "write_zarr", IMAGE(image), NAME(path), NAME(files[i].options)));
        REQUIRE(drua_read_tiff(context, path, 0, 0, &back));
        has_extent(back, s.width, s.height, s.depth);
        REQUIRE(drua_get_info(context, back, &info));
        ck_assert_int_eq(info.shape.dimension, s.dimension);
        same(back, &pixels, 0, 0, 0, 1);
        REQUIRE(drua_get_metadata(context, back, &text));
        ck_assert_msg(strstr(text, "pixelWidth=0.25\npixelHeight=0.5\n") && strstr(text, "unit=\302\265m\n") &&
                          strstr(text, "min=1\nmax=9\n"),
                      "%s", text);
        ck_assert_msg(s.dimension == 2 || strstr(text, "pixelDepth=2\n"), "%s", text);
        back = read_box("origin=5,7,0 size=20,0,1");
        has_extent(back, 20, s.height - 7, 1);
        same(back, &pixels, 5, 7, 0, 1);
        reference_free(&pixels);
        REQUIRE(drua_clear(context));
    }
}
END_TEST

/* ---- levels, compared with a loop over each box */

static double mean_of(const reference_image *above, int64_t x, int64_t y, int64_t z, bool deep)
{
    double sum = 0;
    int count = 0;
    for (int i = 0; i < (deep ? 8 : 4); i++) {
        const int64_t a = 2 * x + i % 2, b = 2 * y + i / 2 % 2, c = deep ? 2 * z + i / 4 : z;
        if (reference_is_inside(above->shape, a, b, c)) {
            sum += reference_at(above, a, b, c);
            count++;
        }
    }
    return floor(sum / count + 0.5);
}

START_TEST(levels)
{
    reference_image pixels;
    drua_image image = random_image(DRUA_UINT16, reference_stack(601, 301, 5), HARNESS_GREY, &pixels), level;
    REQUIRE(drua_set_metadata(context, image, "pixelWidth=1\npixelHeight=1\npixelDepth=2\nunit=nm\n"));
    REQUIRE(INVOKE(context, "write", IMAGE(image), NAME(path)));
    for (int number = 1; number <= 2; number++) {
        char options[20];
        reference_image got;
        snprintf(options, sizeof options, "level=%d", number);
        level = read_box(options);
        has_extent(level, number == 1 ? 301 : 151, number == 1 ? 151 : 76, number == 1 ? 5 : 3);
        got = harness_pull(context, level);
        int64_t i = 0;
        REFERENCE_EACH_PIXEL (got.shape, x, y, z)
            ck_assert_double_eq(got.pixels[i++], mean_of(&pixels, x, y, z, number == 2));
        reference_free(&pixels);
        pixels = got;
    }
    reference_free(&pixels);
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "read_box", NAME(path), NEW, NAME("level=3")), "read_box", "level",
            "0 to 2", "got 3");
}
END_TEST

/* Lower levels contain only labels of the image. */
START_TEST(levels_of_labels)
{
    reference_image pixels;
    drua_image image = random_image(DRUA_UINT8, reference_plane(64, 64), HARNESS_LABELS, &pixels);
    reference_image got;
    bool has[256] = {false};
    for (int64_t i = 0; i < 64 * 64; i++)
        has[(int)(pixels.pixels[i] *= 10)] = true;
    REQUIRE(drua_release(context, image));
    image = harness_push(context, &pixels);
    REQUIRE(INVOKE(context, "write_zarr", IMAGE(image), NAME(path), NAME("labels levels=3")));
    got = harness_pull(context, read_box("level=2"));
    ck_assert_int_eq(got.shape.width, 16);
    for (int64_t i = 0; i < 16 * 16; i++)
        ck_assert(has[(int)got.pixels[i]]);
    reference_free(&got);
    reference_free(&pixels);
}
END_TEST

/* ---- channels and frames */

START_TEST(channels_and_frames)
{
    enum { C = 2, Z = 5, T = 3 };
    reference_image pixels;
    drua_image image = random_image(DRUA_UINT16, reference_stack(600, 30, C * Z * T), HARNESS_GREY, &pixels), back;
    const char *text;
    char options[60];
    REQUIRE(drua_set_metadata(context, image, "channels=2\nslices=5\nframes=3\nframeInterval=4\n"));
    for (int version = 0; version < 2; version++) {
        REQUIRE(INVOKE(context, "write_zarr", IMAGE(image), NAME(path),
                       NAME(version ? "version=0.5 chunk=16,16,2 shard=32,32,4" : "")));
        REQUIRE(drua_read_tiff(context, path, 0, 0, &back));
        has_extent(back, 600, 30, Z);
        same(back, &pixels, 0, 0, 0, C);
        REQUIRE(drua_read_tiff(context, path, 2, 3, &back));
        same(back, &pixels, 0, 0, 2 * C * Z + 1, C);
        back = read_box("channels=1,2 frames=2,3");
        has_extent(back, 600, 30, C * Z * 2);
        same(back, &pixels, 0, 0, C * Z, 1);
        REQUIRE(drua_get_metadata(context, back, &text));
        ck_assert_msg(strstr(text, "channels=2\nslices=5\nframes=2\n") && strstr(text, "frameInterval=4\n"), "%s",
                      text);
        back = read_box("channels=1,2 frames=1,1 origin=10,20,3 size=5,4,2");
        has_extent(back, 5, 4, C * 2);
        same(back, &pixels, 10, 20, 3 * C, 1);
        for (int t = 0; t < T; t++)
            for (int c = 0; c < C; c++) {
                snprintf(options, sizeof options, "level=1 channels=%d,0 frames=%d,%d", c + 1, t + 1, t + 1);
                reference_image got = harness_pull(context, read_box(options)),
                                stack = reference_make(DRUA_UINT16, reference_stack(600, 30, Z));
                int64_t i = 0;
                REFERENCE_EACH_PIXEL (stack.shape, x, y, z)
                    stack.pixels[i++] = reference_at(&pixels, x, y, (t * Z + z) * C + c);
                i = 0;
                ck_assert_int_eq(got.shape.depth, 3);
                REFERENCE_EACH_PIXEL (got.shape, x, y, z)
                    ck_assert_double_eq(got.pixels[i++], mean_of(&stack, x, y, z, true));
                reference_free(&got);
                reference_free(&stack);
            }
    }
    REFUSED(DRUA_E_ARGUMENT, drua_read_tiff(context, path, 3, 1, &back), "channels 3 to 3", "has 2; choose numbers");
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "read_box", NAME(path), NEW, NAME("frames=2,4")), "frames 2 to 4",
            "has 3; choose numbers");
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "read_box", NAME(path), NEW, NAME("origin=599,0,0 size=2,1,1")),
            "origin 599 and size 2", "600 pixels", "along x");
    reference_free(&pixels);
}
END_TEST

/* Slices are not divided into channels and frames if one of these numbers is invalid, even if their product matches. */
START_TEST(parts_of_channels)
{
    static const char *const texts[] = {"channels=1.5\nslices=2\nframes=2\n", "channels=2\nslices=0.5\nframes=6\n",
                                        "slices=12\nframes=0.5\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        reference_image pixels;
        drua_image image = random_image(DRUA_UINT16, reference_stack(40, 30, 6), HARNESS_GREY, &pixels), back;
        REQUIRE(drua_set_metadata(context, image, texts[i]));
        REQUIRE(INVOKE(context, "write_zarr", IMAGE(image), NAME(path)));
        REQUIRE(drua_read_tiff(context, path, 0, 0, &back));
        has_extent(back, 40, 30, 6);
        same(back, &pixels, 0, 0, 0, 1);
        reference_free(&pixels);
    }
}
END_TEST

/* A movie is read several frames at a time, in every format. */
START_TEST(movies)
{
    reference_image pixels;
    char tiff[220];
    drua_image image = random_image(DRUA_UINT16, reference_stack(24, 20, 40), HARNESS_POSITIVE, &pixels);
    drua_argument of_tiff[] = {NAME(tiff), NEW, NAME("magnification=2")},
                  of_zarr[] = {NAME(path), NEW, NAME("magnification=2")};
    snprintf(tiff, sizeof tiff, "%s/movie.tif", folder);
    REQUIRE(drua_set_metadata(context, image, "channels=1\nslices=1\nframes=40\n"));
    REQUIRE(INVOKE(context, "write", IMAGE(image), NAME(tiff)));
    REQUIRE(INVOKE(context, "write", IMAGE(image), NAME(path)));
    REQUIRE(drua_invoke(context, "esrrf_from_file", of_tiff, 3, NULL));
    REQUIRE(drua_invoke(context, "esrrf_from_file", of_zarr, 3, NULL));
    reference_image a = harness_pull(context, of_tiff[1].image), b = harness_pull(context, of_zarr[1].image);
    ck_assert(!memcmp(a.pixels, b.pixels, sizeof *a.pixels * (size_t)(a.shape.width * a.shape.height * a.shape.depth)));
    reference_free(&a);
    reference_free(&b);
    reference_free(&pixels);
}
END_TEST

/* ---- names and errors */

static void has_words(const char *text, const char *const *words)
{
    for (; *words; words++)
        ck_assert_msg(strstr(text, *words), "%s is not in %s", *words, text);
}

/* Labels are written as integers, and are still known as labels when the file is read. */
START_TEST(known_labels)
{
    drua_image mask = harness_line(context, (float[]){1, 0, 1, 1, 0, 1}, 6), read;
    size_t length;
    REQUIRE(drua_bind(context, "mask", mask));
    REQUIRE(COMMAND(context, "CLIJ2_connectedComponentsLabelingBox", NAME("mask"), NAME("labels")));
    REQUIRE(COMMAND(context, "CLIJ2_copy", NAME("labels"), NAME("again")));
    REQUIRE(COMMAND(context, "Drua_write", NAME("again"), NAME(path)));
    REQUIRE(COMMAND(context, "Drua_read", NAME(path), NAME("read")));
    REQUIRE(COMMAND(context, "Drua_write", NAME("read"), NAME(path)));
    REQUIRE(drua_find(context, "read", &read));
    reference_image got = harness_pull(context, read);
    ck_assert_int_eq(got.type, DRUA_UINT32);
    for (int x = 0; x < 6; x++)
        ck_assert_double_eq(got.pixels[x], ((double[]){1, 0, 2, 2, 0, 3})[x]);
    reference_free(&got);
    char *written = zarr_folder_get(path, ".zattrs", &length);
    has_words(written, (const char *const[]){"\"image-label\"", "\"type\":\"mode\"", NULL});
    free(written);
}
END_TEST

/* A part of an image keeps the OME-Zarr metadata that ImageJ does not have, and they are written to its file. */
START_TEST(ome_metadata)
{
    reference_image pixels;
    drua_image image = random_image(DRUA_UINT8, reference_stack(12, 10, 6), HARNESS_GREY, &pixels), part, moved;
    const char *text;
    size_t length;
    REQUIRE(drua_set_metadata(
        context, image,
        "pixelWidth=0.5\npixelHeight=0.5\npixelDepth=2\nunit=\302\265m\nchannels=2\nslices=3\nframes=1\n"
        "position=10,-5,3\n"
        "ome={\"axes\":[{\"axis\":\"z\",\"name\":\"z\",\"type\":\"space\",\"unit\":\"nanometer\",\"scale\":2000,"
        "\"translation\":3000}, "
        "{\"axis\":\"x\",\"name\":\"x\",\"type\":\"space\",\"unit\":\"micrometer\",\"scale\":0.5,"
        "\"translation\":10}],\"omero\":{\"channels\":[{\"label\":\"one\"},{\"label\":\"two\",\"color\":\"12AB00\"}]}}"
        "\n"));
    REQUIRE(INVOKE(context, "write_zarr", IMAGE(image), NAME(path), NAME("")));
    part = read_box("channels=2,2 origin=4,0,1");
    REQUIRE(drua_get_metadata(context, part, &text));
    has_words(text, (const char *const[]){"position=12,-5,5\n", "\"omero\":{\"channels\":[{\"label\":\"two\"", NULL});
    ck_assert_msg(!strstr(text, "one"), "%s", text);
    REQUIRE(INVOKE(context, "write_zarr", IMAGE(part), NAME(path), NAME("")));
    char *written = zarr_folder_get(path, ".zattrs", &length);
    has_words(written,
              (const char *const[]){"\"unit\":\"nanometer\"", "\"unit\":\"micrometer\"", "\"scale\":[1,2000,0.5,0.5]",
                                    "\"translation\":[0,5000,-5,12]", "\"color\":\"12AB00\"", NULL});
    free(written);
    drua_argument crop[] = {IMAGE(part), NEW, NUMBER(1), NUMBER(0), NUMBER(0), NUMBER(5), NUMBER(5), NUMBER(2)};
    REQUIRE(drua_invoke(context, "crop", crop, 8, NULL));
    moved = crop[1].image;
    REQUIRE(drua_get_metadata(context, moved, &text));
    ck_assert_msg(strstr(text, "two") && strstr(text, "position=12.5,-5,5\n"), "%s", text);
    REQUIRE(drua_set_metadata(context, image, "ome={\n"));
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "write_zarr", IMAGE(image), NAME(path), NAME("")), "the line 'ome'");
    reference_free(&pixels);
}
END_TEST

START_TEST(by_name)
{
    drua_image found;
    const drua_image image = harness_line(context, (float[]){7, 8}, 2);
    REQUIRE(drua_bind(context, "a", image));
    REQUIRE(COMMAND(context, "Drua_write", NAME("a"), NAME(path)));
    REQUIRE(COMMAND(context, "Drua_read", NAME(path), NAME("b")));
    REQUIRE(drua_find(context, "b", &found));
    ck_assert_double_eq(harness_first(context, found), 7);
    REQUIRE(COMMAND(context, "Drua_readBox", NAME(path), NAME("b"), NAME("origin=1,0,0")));
    REQUIRE(drua_find(context, "b", &found));
    ck_assert_double_eq(harness_first(context, found), 8);
    REQUIRE(drua_write_tiff(context, image, path, "zstd"));
    REFUSED(DRUA_E_ARGUMENT, drua_write_tiff(context, image, path, "lzw"), "compression", "'lzw'", "blosc-lz4");
    REFUSED(DRUA_E_ARGUMENT, COMMAND(context, "Drua_write", NAME("a"), NAME("/proc/a.zarr")),
            "Drua_write: '/proc/a.zarr", "cannot be written");
    REFUSED(DRUA_E_ARGUMENT, COMMAND(context, "Drua_read", NAME("/nowhere/a.zarr"), NAME("c")),
            "Drua_read: there is no folder '/nowhere/a.zarr'");
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "write_zarr", IMAGE(image), NAME(path), NAME("version=0.6")), "version",
            "0.4, 0.5");
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "write_zarr", IMAGE(image), NAME(path), NAME("shard=4,4,4")),
            "version=0.5");
    REQUIRE(drua_read_tiff(context, path, 0, 0, &found));
    ck_assert(!zarr_folder_holds(folder, ".writing"));
}
END_TEST

/* A damaged chunk gives one error message; the image that had the name stays. */
START_TEST(damaged)
{
    reference_image pixels;
    drua_image image = random_image(DRUA_UINT16, reference_stack(40, 30, 20), HARNESS_GREY, &pixels), found;
    REQUIRE(drua_bind(context, "a", harness_line(context, (float[]){7, 8}, 2)));
    REQUIRE(INVOKE(context, "write_zarr", IMAGE(image), NAME(path), NAME("chunk=16,16,8")));
    zarr_folder_put(path, "0/1/0/2", "nonsense", 8);
    REFUSED(DRUA_E_ARGUMENT, COMMAND(context, "Drua_read", NAME(path), NAME("a")), "Drua_read: '",
            "image.zarr/0/1/0/2', chunk 1, 0, 2,", "blosc");
    REQUIRE(drua_find(context, "a", &found));
    ck_assert_double_eq(harness_first(context, found), 7);
    reference_free(&pixels);
}
END_TEST

/* Writes a folder of two images in bioformats2raw's layout, of 11 and 12 pixels, at `path`; lists them if `list`. */
static void write_series(int version, bool list, reference_image pixels[2])
{
    static const char *const names[] = {"0", "1"}, *const listed[] = {"late", "early"};
    const char *layout = version == 5 ? "{\"zarr_format\":3,\"node_type\":\"group\",\"attributes\":{\"ome\":{"
                                        "\"version\":\"0.5\",\"bioformats2raw.layout\":3}}}"
                                      : "{\"bioformats2raw.layout\":3}",
               *series = version == 5 ? "{\"zarr_format\":3,\"node_type\":\"group\",\"attributes\":{\"ome\":{"
                                        "\"version\":\"0.5\",\"series\":[\"late\",\"early\"]}}}"
                                      : "{\"series\":[\"late\",\"early\"]}",
               *file = version == 5 ? "zarr.json" : ".zattrs";
    char name[100];
    zarr_folder_remove(path);
    snprintf(name, sizeof name, "image.zarr/%s", file);
    zarr_folder_put(folder, name, layout, strlen(layout));
    snprintf(name, sizeof name, "image.zarr/OME/%s", file);
    if (list)
        zarr_folder_put(folder, name, series, strlen(series));
    for (int i = 0; i < 2; i++) {
        drua_image image = random_image(DRUA_UINT8, (drua_shape){11 + i, 9, 3, 3}, HARNESS_GREY, &pixels[i]);
        char inside[300];
        snprintf(inside, sizeof inside, "%s/%s", path, list ? listed[i] : names[i]);
        REQUIRE(INVOKE(context, "write_zarr", IMAGE(image), NAME(inside),
                       NAME(version == 5 ? "version=0.5" : "version=0.4")));
    }
}

START_TEST(series)
{
    for (int k = 0; k < 4; k++) {
        const bool list = k % 2;
        reference_image pixels[2];
        write_series(k < 2 ? 4 : 5, list, pixels);
        const char *const options[] = {"", "series=2", list ? "series=early" : "series=1"};
        const int expected[] = {0, 1, list ? 1 : 0};
        for (int i = 0; i < 3; i++)
            same(read_box(options[i]), &pixels[expected[i]], 0, 0, 0, 1);
        drua_take_messages(context);
        REQUIRE(drua_read_tiff(context, path, 0, 0, &(drua_image){0}));
        ck_assert_ptr_nonnull(strstr(drua_take_messages(context), list ? "2 'early'" : "2 '1'"));
        REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "read_box", NAME(path), NEW, NAME("series=3")), "no series '3'",
                list ? "1 'late', 2 'early'" : "1 '0', 2 '1'");
        REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "esrrf_from_file", NAME(path), NEW, NAME("magnification=2")),
                "several images (series)");
        reference_free(&pixels[0]);
        reference_free(&pixels[1]);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("zarr_calls");
    TCase *calls = tcase_create("calls");
    tcase_add_checked_fixture(calls, open_context, close_context);
    tcase_add_test(calls, round_trips);
    tcase_add_test(calls, levels);
    tcase_add_test(calls, levels_of_labels);
    tcase_add_test(calls, channels_and_frames);
    tcase_add_test(calls, parts_of_channels);
    tcase_add_test(calls, movies);
    tcase_add_test(calls, ome_metadata);
    tcase_add_test(calls, known_labels);
    tcase_add_test(calls, by_name);
    tcase_add_test(calls, damaged);
    tcase_add_test(calls, series);
    suite_add_tcase(suite, calls);
    return harness_run(suite);
}
