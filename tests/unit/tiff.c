/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads files of libtiff and of the engine back, pixel by pixel, and checks that a damaged file gives one error
 * message. DRUA_FUZZ_SECONDS sets the duration of the test with damaged files.
 */
#include "harness.h"

#include "libtiff.h"
#include "source.h"
#include "tiff.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { WIDTH = 37, HEIGHT = 21 };

static drua_context *context;
static const drua_libtiff *lib;
static __typeof__(&TIFFWriteEncodedTile) write_tile;
static char folder[HARNESS_FOLDER], path[200];

static void open_context(void)
{
    context = harness_open();
    lib = drua_libtiff_load();
    ck_assert_ptr_nonnull(lib);
    *(void **)&write_tile = dlsym(dlopen("libtiff.so.6", RTLD_NOW), "TIFFWriteEncodedTile");
    ck_assert_ptr_nonnull(*(void **)&write_tile);
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

/* Every page has the same pixels plus its number. */
static void write_page(TIFF *tiff, int number, int bits, int format, int samples, int planar, int compression, int tile)
{
    const size_t size = (size_t)bits / 8;
    lib->TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, (uint32_t)WIDTH);
    lib->TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, (uint32_t)HEIGHT);
    lib->TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, bits);
    lib->TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, samples);
    lib->TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, format);
    lib->TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, planar);
    lib->TIFFSetField(tiff, TIFFTAG_COMPRESSION, compression);
    lib->TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, samples == 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK);
    const int together = planar == PLANARCONFIG_CONTIG ? samples : 1, width = tile ? tile : WIDTH,
              rows = tile ? tile : 5;
    lib->TIFFSetField(tiff, tile ? TIFFTAG_TILEWIDTH : TIFFTAG_ROWSPERSTRIP, (uint32_t)rows);
    if (tile)
        lib->TIFFSetField(tiff, TIFFTAG_TILELENGTH, (uint32_t)rows);
    unsigned char block[64 * 64 * 12];
    uint32_t n = 0;
    for (int s = 0; s < samples / together; s++)
        for (int y = 0; y < HEIGHT; y += rows)
            for (int x = 0; x < WIDTH; x += width, n++) {
                unsigned char *to = block;
                for (int j = y; j < y + rows; j++)
                    for (int i = x; i < x + width; i++)
                        for (int k = s; k < s + together; k++, to += size) {
                            const int value = (i * 3 + j * 5 + number * 7 + k * 11) % 100;
                            const float real = (float)value;
                            const uint32_t whole = (uint32_t)value;
                            if (format == SAMPLEFORMAT_IEEEFP)
                                memcpy(to, &real, 4);
                            else
                                memcpy(to, &whole, size);
                        }
                const tmsize_t bytes = (tmsize_t)((size_t)(tile || y + rows <= HEIGHT ? rows : HEIGHT - y) *
                                                  (size_t)width * (size_t)together * size);
                ck_assert_int_eq((tile ? write_tile : lib->TIFFWriteEncodedStrip)(tiff, n, block, bytes), bytes);
            }
    ck_assert(lib->TIFFWriteDirectory(tiff));
}

static void check_pages(drua_image image, int planes, int colours, int first, int step)
{
    reference_image got = harness_pull(context, image);
    ck_assert_int_eq(got.shape.width, WIDTH);
    ck_assert_int_eq(got.shape.height, HEIGHT);
    ck_assert_int_eq(got.shape.depth, planes * colours);
    size_t at = 0;
    for (int z = 0; z < planes * colours; z++)
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) {
                const int expected = (x * 3 + y * 5 + (first + z / colours * step) * 7 + z % colours * 11) % 100;
                ck_assert_msg(got.pixels[at++] == expected, "pixel %d, %d, %d is %g, not %d", x, y, z,
                              got.pixels[at - 1], expected);
            }
    reference_free(&got);
}

START_TEST(files_of_libtiff)
{
    const struct { int bits, format; drua_type type;
    } kinds[] = {{8, SAMPLEFORMAT_UINT, DRUA_UINT8},     {8, SAMPLEFORMAT_INT, DRUA_INT8},
                 {16, SAMPLEFORMAT_UINT, DRUA_UINT16},   {16, SAMPLEFORMAT_INT, DRUA_INT16},
                 {32, SAMPLEFORMAT_UINT, DRUA_UINT32},   {32, SAMPLEFORMAT_INT, DRUA_INT32},
                 {32, SAMPLEFORMAT_IEEEFP, DRUA_FLOAT32}};
    const int compressions[] = {COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_PACKBITS};
    const char *const modes[] = {"wl", "wb", "w8"};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (size_t c = 0; c < sizeof compressions / sizeof *compressions; c++)
            for (size_t m = 0; m < sizeof modes / sizeof *modes; m++)
                for (int planar = PLANARCONFIG_CONTIG; planar <= (k ? PLANARCONFIG_CONTIG : PLANARCONFIG_SEPARATE);
                     planar++) {
                    const int samples = k == 0 && m == 1 ? 3 : 1;
                    TIFF *tiff = lib->TIFFOpen(path, modes[m]);
                    for (int n = 0; n < 4; n++)
                        write_page(tiff, n, kinds[k].bits, kinds[k].format, samples, planar, compressions[c], 0);
                    lib->TIFFClose(tiff);
                    drua_image image;
                    drua_image_info info;
                    REQUIRE(drua_read_tiff(context, path, 0, 0, &image));
                    REQUIRE(drua_get_info(context, image, &info));
                    ck_assert_int_eq(info.type, kinds[k].type);
                    check_pages(image, 4, samples, 0, 1);
                    REQUIRE(drua_release(context, image));
                }
}
END_TEST

START_TEST(tiles)
{
    for (int bits = 8; bits <= 16; bits += 8) {
        TIFF *tiff = lib->TIFFOpen(path, "w");
        write_page(tiff, 0, bits, SAMPLEFORMAT_UINT, 1, PLANARCONFIG_CONTIG, COMPRESSION_LZW, 16);
        lib->TIFFClose(tiff);
        drua_image image;
        REQUIRE(drua_read_tiff(context, path, 0, 0, &image));
        check_pages(image, 1, 1, 0, 1);
    }
}
END_TEST

static void hyperstack(const char *description, int pages)
{
    TIFF *tiff = lib->TIFFOpen(path, "w");
    for (int n = 0; n < pages; n++) {
        if (n == 0)
            lib->TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, description);
        write_page(tiff, n, 16, SAMPLEFORMAT_UINT, 1, PLANARCONFIG_CONTIG, COMPRESSION_NONE, 0);
    }
    lib->TIFFClose(tiff);
}

START_TEST(channels_and_frames)
{
    drua_image image;
    const char *text;
    hyperstack("ImageJ=1.54p\nimages=24\nchannels=2\nslices=3\nframes=4\nhyperstack=true\nunit=\\u00B5m\nspacing=0."
               "5\nfinterval=2\n",
               24);
    REQUIRE(drua_read_tiff(context, path, 0, 0, &image));
    check_pages(image, 3, 1, 0, 2);
    REQUIRE(drua_get_metadata(context, image, &text));
    ck_assert_ptr_nonnull(strstr(text, "unit=\302\265m\n"));
    ck_assert_ptr_nonnull(strstr(text, "pixelDepth=0.5\n"));
    REQUIRE(drua_read_tiff(context, path, 2, 3, &image));
    check_pages(image, 3, 1, 13, 2);
    REFUSED(DRUA_E_ARGUMENT, drua_read_tiff(context, path, 3, 1, &image), "2 channels", "channel 3");
    REFUSED(DRUA_E_ARGUMENT, drua_read_tiff(context, path, 1, 5, &image), "4 frames", "frame 5");
    hyperstack("ImageJ=1.54p\nimages=6\nchannels=2\nframes=3\n", 6);
    REQUIRE(drua_read_tiff(context, path, 0, 0, &image));
    check_pages(image, 2, 1, 0, 1);
    REQUIRE(drua_read_tiff(context, path, 2, 0, &image));
    check_pages(image, 3, 1, 1, 2);
    hyperstack("ImageJ=1.54p\nimages=6\nchannels=1000000000\nslices=1000000000\nframes=7\n", 6);
    REQUIRE(drua_read_tiff(context, path, 0, 0, &image));
    check_pages(image, 6, 1, 0, 1);
}
END_TEST

static void check_box(block_source *source, int64_t channel, int64_t frame, const drua_box *box)
{
    uint16_t pixels[8 * WIDTH * HEIGHT], *got = pixels;
    REQUIRE(source_read(source, channel, frame, box, pixels));
    for (int64_t z = box->first[2]; z < box->end[2]; z++)
        for (int64_t y = box->first[1]; y < box->end[1]; y++)
            for (int64_t x = box->first[0]; x < box->end[0]; x++, got++) {
                const int64_t page = channel + 2 * (z + 8 * frame), expected = (x * 3 + y * 5 + page * 7) % 100;
                ck_assert_msg(*got == expected, "channel %d, frame %d: pixel %d, %d, %d is %d, not %d", (int)channel,
                              (int)frame, (int)x, (int)y, (int)z, *got, (int)expected);
            }
}

/* Blocks of a pipeline read planes together, up to a limit of cached planes. */
START_TEST(boxes)
{
    static const drua_box some[] = {
        {{0, 0, 0}, {WIDTH, HEIGHT, 8}}, {{3, 2, 1}, {30, 20, 7}}, {{36, 20, 7}, {37, 21, 8}}, {{0, 0, 0}, {5, 5, 8}}};
    hyperstack("ImageJ=1.54p\nimages=48\nchannels=2\nslices=8\nframes=3\nhyperstack=true\n", 48);
    for (size_t kept = 0; kept <= 9; kept += 3) {
        block_source *source;
        REQUIRE(source_open(path, "", 0, kept * WIDTH * HEIGHT * sizeof(uint16_t), &source));
        for (int turn = 0; turn < 24; turn++)
            check_box(source, turn / 4 % 2, turn / 8, &some[turn % 4]);
        source_close(source);
    }
}
END_TEST

static char *load_file(size_t *length)
{
    FILE *file = fopen(path, "rb");
    fseek(file, 0, SEEK_END);
    *length = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*length);
    ck_assert_uint_eq(fread(bytes, 1, *length, file), *length);
    fclose(file);
    return bytes;
}

static void store_file(const char *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    fwrite(bytes, 1, length, file);
    fclose(file);
}

static unsigned char *put_number(unsigned char *to, uint32_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        to[i] = (unsigned char)(value >> 8 * (bytes - 1 - i));
    return to + bytes;
}

/* One directory with contiguous pixels of all pages, as ImageJ writes files above 4 GB. */
START_TEST(contiguous_stack)
{
    static const char description[] = "ImageJ=1.54p\nimages=3\nslices=3\n";
    enum { TAGS = 9, TEXT = 8 + 2 + 12 * TAGS + 4, PIXELS = TEXT + sizeof description };
    static unsigned char file[PIXELS + 3 * WIDTH * HEIGHT * 2];
    const uint32_t tags[TAGS][4] = {{256, 4, 1, WIDTH},  {257, 4, 1, HEIGHT}, {258, 3, 1, 16}, {259, 3, 1, 1},
                                    {262, 3, 1, 1},      {270, 2, sizeof description, TEXT}, {273, 4, 1, PIXELS},
                                    {278, 4, 1, HEIGHT}, {279, 4, 1, WIDTH * HEIGHT * 2}};
    memcpy(file, "MM", 2);
    unsigned char *to = put_number(put_number(put_number(file + 2, 42, 2), 8, 4), TAGS, 2);
    for (int i = 0; i < TAGS; i++) {
        to = put_number(put_number(put_number(to, tags[i][0], 2), tags[i][1], 2), tags[i][2], 4);
        to = tags[i][1] == 3 ? put_number(put_number(to, tags[i][3], 2), 0, 2) : put_number(to, tags[i][3], 4);
    }
    put_number(to, 0, 4);
    memcpy(file + TEXT, description, sizeof description);
    to = file + PIXELS;
    for (int z = 0; z < 3; z++)
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++)
                to = put_number(to, (uint32_t)(x * 3 + y * 5 + z * 7) % 100, 2);
    store_file((char *)file, sizeof file);
    drua_image image;
    REQUIRE(drua_read_tiff(context, path, 0, 0, &image));
    check_pages(image, 3, 1, 0, 1);
    store_file((char *)file, sizeof file - 1);
    REFUSED(DRUA_E_ARGUMENT, drua_read_tiff(context, path, 0, 0, &image), "is truncated", "3 images");
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "esrrf_from_file", NAME(path), NEW, NAME("magnification=2")),
            "is truncated", "3 images");
}
END_TEST

START_TEST(round_trips)
{
    const char *const compressions[] = {NULL, "lzw", "deflate"};
    const drua_type types[] = {DRUA_UINT8, DRUA_UINT16, DRUA_FLOAT32, DRUA_INT32};
    harness_random chance = {7};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (size_t c = 0; c < 3; c++)
            for (int depth = 1; depth <= 5; depth += 4) {
                reference_image pixels =
                    harness_image(&chance, types[t], reference_stack(WIDTH, HEIGHT, depth), HARNESS_GREY);
                drua_image image = harness_push(context, &pixels), back;
                const char *text, *unit = "pixelWidth=0.25\npixelHeight=0.5\npixelDepth=2\nunit="
                                          "\302\265m\nframeInterval=0\nlabels=one\tz\303\274ei\n";
                REQUIRE(drua_set_metadata(context, image, unit));
                REQUIRE(drua_write_tiff(context, image, path, compressions[c]));
                REQUIRE(drua_read_tiff(context, path, 0, 0, &back));
                reference_image got = harness_pull(context, back);
                char message[256];
                ck_assert_msg(got.type == pixels.type &&
                                  reference_agrees(&pixels, &got, 0, false, message, sizeof message),
                              "%s", message);
                REQUIRE(drua_get_metadata(context, back, &text));
                ck_assert_msg(strstr(text, "pixelWidth=0.25\npixelHeight=0.5\n") && strstr(text, "unit=\302\265m\n"),
                              "%s", text);
                ck_assert_msg(strstr(text, depth > 1 ? "labels=one\tz\303\274ei" : "labels=one"), "%s", text);
                reference_free(&got);
                reference_free(&pixels);
                REQUIRE(drua_clear(context));
            }
    REFUSED(DRUA_E_ARGUMENT, drua_write_tiff(context, harness_line(context, (float[]){1}, 1), path, "zip"),
            "compression", "'zip'");
    REFUSED(DRUA_E_ARGUMENT, drua_write_tiff(context, harness_line(context, (float[]){1}, 1), "/nowhere/a.tif", NULL),
            "'/nowhere/a.tif'");
    REFUSED(DRUA_E_ARGUMENT, drua_read_tiff(context, "/nowhere/a.tif", 0, 0, &(drua_image){0}), "no file",
            "'/nowhere/a.tif'");
}
END_TEST

/*
 * Reads by operations. If only the file's name is given, the result replaces an existing image. The image gets the text
 * of the file.
 */
START_TEST(read_by_name)
{
    drua_image image, other, found;
    const char *text;
    hyperstack("ImageJ=1.54p\nimages=24\nchannels=2\nslices=3\nframes=4\nhyperstack=true\nunit=cm\n", 24);
    drua_argument part[] = {NAME(path), NEW, NUMBER(2), NUMBER(3)}, all[] = {NAME(path), NEW};
    REQUIRE(drua_invoke(context, "read_part", part, 4, NULL));
    check_pages(part[1].image, 3, 1, 13, 2);
    image = harness_line(context, (float[]){7, 8}, 2);
    REQUIRE(drua_set_metadata(context, image, "unit=mm\n"));
    all[1] = IMAGE(image);
    REQUIRE(drua_invoke(context, "read", all, 2, NULL));
    ck_assert_uint_eq(all[1].image, image);
    check_pages(image, 3, 1, 0, 2);
    REQUIRE(drua_get_metadata(context, image, &text));
    ck_assert_msg(strstr(text, "unit=cm\n") && !strstr(text, "unit=mm"), "%s", text);
    other = harness_line(context, (float[]){7, 8}, 2);
    REQUIRE(drua_bind(context, "a", other));
    REQUIRE(drua_bind(context, "b", other));
    REQUIRE(COMMAND(context, "Drua_read", NAME(path), NAME("a")));
    REQUIRE(drua_find(context, "a", &found));
    check_pages(found, 3, 1, 0, 2);
    REQUIRE(drua_find(context, "b", &found));
    ck_assert_uint_eq(found, other);
    ck_assert_double_eq(harness_first(context, other), 7);
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "read_part", NAME(path), NEW, NUMBER(3), NUMBER(1)), "read_part: the file",
            "2 channels", "channel 3");
    REFUSED(DRUA_E_ARGUMENT, COMMAND(context, "Drua_read", NAME("/nowhere/a.tif"), NAME("a")),
            "Drua_read: there is no file '/nowhere/a.tif'");
    REQUIRE(drua_find(context, "a", &found));
    check_pages(found, 3, 1, 0, 2);
}
END_TEST

START_TEST(written_by_name)
{
    const char *text;
    drua_argument back[] = {NAME(path), NEW};
    const drua_image image = harness_line(context, (float[]){7, 8}, 2);
    REQUIRE(drua_set_metadata(context, image, "pixelWidth=0.25\nunit=mm\n"));
    for (int compressed = 0; compressed < 2; compressed++) {
        REQUIRE(compressed ? INVOKE(context, "write_compressed", IMAGE(image), NAME(path), NAME("lzw"))
                           : INVOKE(context, "write", IMAGE(image), NAME(path)));
        back[1] = NEW;
        REQUIRE(drua_invoke(context, "read", back, 2, NULL));
        ck_assert_double_eq(harness_first(context, back[1].image), 7);
        REQUIRE(drua_get_metadata(context, back[1].image, &text));
        ck_assert_msg(strstr(text, "pixelWidth=0.25\n") && strstr(text, "unit=mm\n"), "%s", text);
        remove(path);
    }
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "write_compressed", IMAGE(image), NAME(path), NAME("zip")),
            "write_compressed: compression", "'zip'");
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "write", IMAGE(image), NAME("/nowhere/a.tif")),
            "write: the file '/nowhere/a.tif'");
    ck_assert_int_ne(access(path, F_OK), 0);
}
END_TEST

static __typeof__(&TIFFReadEncodedStrip) read_strip;
static __typeof__(&TIFFWriteEncodedStrip) write_strip;
static drua_image gone;
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

/* Makes another call from a thread that reads pages, while the call that needs these pages waits for them. */
static tmsize_t call_and_read(TIFF *tiff, uint32_t strip, void *bytes, tmsize_t size)
{
    REQUIRE(drua_set_metadata(context, gone, "unit=mm\n"));
    return read_strip(tiff, strip, bytes, size);
}

/* Releases the image being written, and its text. */
static tmsize_t release_and_write(TIFF *tiff, uint32_t strip, void *bytes, tmsize_t size)
{
    pthread_mutex_lock(&one_at_a_time);
    if (gone) {
        REQUIRE(drua_set_metadata(context, gone, NULL));
        REQUIRE(drua_release(context, gone));
    }
    gone = 0;
    pthread_mutex_unlock(&one_at_a_time);
    return write_strip(tiff, strip, bytes, size);
}

START_TEST(others_go_on_meanwhile)
{
    enum { SIDE = 1500, SLICES = 40 };      /* more than the reader prefetches */
    drua_libtiff *functions = (drua_libtiff *)(uintptr_t)lib;
    drua_image image;
    const char *text;
    unsigned char *pixels = malloc((size_t)SIDE * SIDE * SLICES);
    memset(pixels, 9, (size_t)SIDE * SIDE * SLICES);
    REQUIRE(drua_push(context, reference_stack(SIDE, SIDE, SLICES), DRUA_UINT8, pixels, &gone));
    REQUIRE(drua_set_metadata(context, gone, "unit=cm\n"));
    free(pixels);
    write_strip = functions->TIFFWriteEncodedStrip;
    functions->TIFFWriteEncodedStrip = release_and_write;
    const drua_status written = drua_write_tiff(context, gone, path, "lzw");
    functions->TIFFWriteEncodedStrip = write_strip;
    REQUIRE(written);
    ck_assert_uint_eq(gone, 0);
    gone = harness_line(context, (float[]){7, 8}, 2);
    read_strip = functions->TIFFReadEncodedStrip;
    functions->TIFFReadEncodedStrip = call_and_read;
    const drua_status status = drua_read_tiff(context, path, 0, 0, &image);
    functions->TIFFReadEncodedStrip = read_strip;
    REQUIRE(status);
    ck_assert_double_eq(harness_first(context, image), 9);
    REQUIRE(drua_get_metadata(context, image, &text));
    ck_assert_msg(strstr(text, "unit=cm\n"), "%s", text);
}
END_TEST

/* Images larger than one transfer, pages of several strips, and colours. */
START_TEST(large_round_trips)
{
    const struct { drua_shape shape; drua_type type; const char *compression, *text; } files[] = {
        {{1024, 1024, 40, 3}, DRUA_UINT16, NULL, ""},
        {{1501, 1403, 2, 3}, DRUA_FLOAT32, "deflate", ""},
        {{1201, 1303, 2, 3}, DRUA_UINT16, "lzw", ""},
        {{801, 903, 6, 3}, DRUA_UINT8, "deflate", "rgb=1\ndepth=6\n"},
        {{801, 903, 6, 3}, DRUA_UINT8, NULL, "rgb=1\ndepth=6\n"}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const drua_shape shape = files[i].shape;
        const size_t bytes = (size_t)(shape.width * shape.height * shape.depth) * (files[i].type == DRUA_UINT8    ? 1
                                                                                   : files[i].type == DRUA_UINT16 ? 2
                                                                                                                  : 4);
        unsigned char *pixels = malloc(bytes), *got = malloc(bytes);
        uint32_t seed = 5;
        drua_image image, back;
        for (size_t k = 0; k < bytes; k++)
            pixels[k] = (unsigned char)((seed = seed * 1664525u + 1013904223u) >> 27);
        REQUIRE(drua_push(context, shape, files[i].type, pixels, &image));
        REQUIRE(drua_set_metadata(context, image, files[i].text));
        REQUIRE(drua_write_tiff(context, image, path, files[i].compression));
        REQUIRE(drua_read_tiff(context, path, 0, 0, &back));
        REQUIRE(drua_pull(context, back, got));
        ck_assert_msg(!memcmp(pixels, got, bytes), "file %zu: other pixels came back", i);
        REQUIRE(drua_clear(context));
        free(pixels);
        free(got);
    }
}
END_TEST

static int fuzz_seconds(void)
{
    const char *seconds = getenv("DRUA_FUZZ_SECONDS");
    return seconds ? atoi(seconds) : 5;
}

START_TEST(damaged_files)
{
    const time_t end = time(NULL) + fuzz_seconds();
    harness_random chance = {harness_new_seed("damaged_files")};
    long refused = 0, read = 0;
    for (int kind = 0; time(NULL) < end; kind++) {
        size_t length;
        if (kind % 3 == 0)
            hyperstack("ImageJ=1.54p\nimages=4\nslices=2\nframes=2\nunit=cm\n", 4);
        else {
            TIFF *tiff = lib->TIFFOpen(path, kind % 2 ? "w8" : "wb");
            write_page(tiff, 0, 8, SAMPLEFORMAT_UINT, 3, PLANARCONFIG_CONTIG,
                       kind % 3 == 1 ? COMPRESSION_LZW : COMPRESSION_ADOBE_DEFLATE, kind % 5 ? 0 : 16);
            lib->TIFFClose(tiff);
        }
        char *bytes = load_file(&length), *copy = malloc(length);
        for (int i = 0; i < 300 && time(NULL) < end; i++) {
            size_t n = length;
            memcpy(copy, bytes, length);
            if (harness_below(&chance, 4) == 0)
                n = (size_t)harness_below(&chance, (int)length);
            for (int k = harness_below(&chance, 6); k >= 0 && n; k--) {
                const size_t at = harness_below(&chance, 2)
                                      ? (size_t)harness_below(&chance, n < 300 ? (int)n : 300)
                                      : n - 1 - (size_t)harness_below(&chance, n < 300 ? (int)n : 300);
                copy[at] = harness_below(&chance, 3) ? (char)harness_next(&chance) : (char)-1;
            }
            store_file(copy, n);
            drua_image image;
            if (drua_read_tiff(context, path, 0, 0, &image) == DRUA_OK) {
                read++;
                REQUIRE(drua_release(context, image));
            } else {
                refused++;
                ck_assert_msg(*drua_error_message() && !strchr(drua_error_message(), '\n'), "'%s'",
                              drua_error_message());
            }
        }
        free(bytes);
        free(copy);
    }
    printf("%ld damaged files refused, %ld read\n", refused, read);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tiff");
    TCase *tests = tcase_create("tiff");
    tcase_set_timeout(tests, 120 + fuzz_seconds());
    tcase_add_checked_fixture(tests, open_context, close_context);
    tcase_add_test(tests, files_of_libtiff);
    tcase_add_test(tests, tiles);
    tcase_add_test(tests, channels_and_frames);
    tcase_add_test(tests, boxes);
    tcase_add_test(tests, contiguous_stack);
    tcase_add_test(tests, round_trips);
    tcase_add_test(tests, read_by_name);
    tcase_add_test(tests, written_by_name);
    tcase_add_test(tests, others_go_on_meanwhile);
    tcase_add_test(tests, large_round_trips);
    tcase_add_test(tests, damaged_files);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
