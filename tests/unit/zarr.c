/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks every pixel and all metadata of chunked images by zarr-python, tensorstore and the engine. DRUA_ZARR_IMAGES: a
 * folder of exchange.py whose images are read instead of those in the tree. DRUA_ZARR_OURS: a folder that receives the
 * engine's images for other readers.
 */
#include "harness.h"

#include "alloc.h"
#include "zarr_folder.h"

#include "zarr.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[HARNESS_FOLDER], path[400], other[420];

static void make_folder(void)
{
    harness_make_folder(folder);
    zarr_folder_unpack(TEST_DATA "/../zarr/images.txt", folder);
}

static void remove_folder(void)
{
    zarr_folder_remove(folder);
}

static const char *in(const char *where, const char *name)
{
    snprintf(path, sizeof path, "%s/%s", where, name);
    return path;
}

static const char *in_folder(const char *name)
{
    return in(folder, name);
}

/* ---- pixels: (3x + 5y + 7z + 11c + 13t) mod 100; 50 less in signed types, a quarter of it in float32 */

static double due(drua_type type, int64_t x, int64_t y, int64_t z, int64_t c, int64_t t)
{
    const int value = (int)((3 * x + 5 * y + 7 * z + 11 * c + 13 * t) % 100);
    return type == DRUA_FLOAT32                                            ? value / 4.0
           : type == DRUA_INT8 || type == DRUA_INT16 || type == DRUA_INT32 ? value - 50
                                                                           : value;
}

static double pixel_at(const void *pixels, drua_type type, int64_t i)
{
    switch (type) {
    case DRUA_UINT8: return ((const uint8_t *)pixels)[i];
    case DRUA_INT8: return ((const int8_t *)pixels)[i];
    case DRUA_UINT16: return ((const uint16_t *)pixels)[i];
    case DRUA_INT16: return ((const int16_t *)pixels)[i];
    case DRUA_UINT32: return ((const uint32_t *)pixels)[i];
    case DRUA_INT32: return ((const int32_t *)pixels)[i];
    default: return ((const float *)pixels)[i];
    }
}

static void put_pixel(void *pixels, drua_type type, int64_t i, double value)
{
    switch (type) {
    case DRUA_UINT8: ((uint8_t *)pixels)[i] = (uint8_t)value; break;
    case DRUA_INT8: ((int8_t *)pixels)[i] = (int8_t)value; break;
    case DRUA_UINT16: ((uint16_t *)pixels)[i] = (uint16_t)value; break;
    case DRUA_INT16: ((int16_t *)pixels)[i] = (int16_t)value; break;
    case DRUA_UINT32: ((uint32_t *)pixels)[i] = (uint32_t)value; break;
    case DRUA_INT32: ((int32_t *)pixels)[i] = (int32_t)value; break;
    default: ((float *)pixels)[i] = (float)value; break;
    }
}

static size_t bytes_of(drua_type type)
{
    return type <= DRUA_INT8 ? 1 : type <= DRUA_INT16 ? 2 : 4;
}

static int64_t count_of(const drua_zarr_box *b)
{
    return (b->end[0] - b->first[0]) * (b->end[1] - b->first[1]) * (b->end[2] - b->first[2]);
}

/* Compares a box with the expected pixels; from row `rows` on, pixels must be `fill`. */
static void check_box(const char *name, drua_zarr *zarr, const drua_zarr_box *b, int64_t rows, double fill)
{
    const drua_zarr_metadata *f = drua_zarr_metadata_of(zarr);
    void *pixels = malloc((size_t)count_of(b) * bytes_of(f->type));
    int64_t i = 0;
    REQUIRE(drua_zarr_read(zarr, b, pixels));
    for (int64_t z = b->first[2]; z < b->end[2]; z++)
        for (int64_t y = b->first[1]; y < b->end[1]; y++)
            for (int64_t x = b->first[0]; x < b->end[0]; x++, i++) {
                const double value = y < rows ? due(f->type, x, y, z, b->channel, b->frame) : fill;
                ck_assert_msg(pixel_at(pixels, f->type, i) == value, "%s: x %d, y %d, z %d, c %d, t %d is %g, not %g",
                              name, (int)x, (int)y, (int)z, (int)b->channel, (int)b->frame,
                              pixel_at(pixels, f->type, i), value);
            }
    free(pixels);
}

static void check_all(const char *name, drua_zarr *zarr, int64_t rows, double fill)
{
    const drua_zarr_metadata *f = drua_zarr_metadata_of(zarr);
    for (int64_t t = 0; t < f->frames; t++)
        for (int64_t c = 0; c < f->channels; c++) {
            drua_zarr_box all = {c, t, {0, 0, 0}, {f->shape.width, f->shape.height, f->shape.depth}}, part = all;
            check_box(name, zarr, &all, rows, fill);
            part.first[0] = f->shape.width / 3;
            part.first[1] = f->shape.height / 2;
            part.end[1] = part.first[1] + 1;
            part.end[2] = (f->shape.depth + 1) / 2;
            check_box(name, zarr, &part, rows, fill);
        }
}

/* ---- images by other programs */

static const char *const type_names[] = {"", "uint8", "int8", "uint16", "int16", "uint32", "int32", "float32"};

START_TEST(images_of_others)
{
    const char *made = getenv("DRUA_ZARR_IMAGES"), *where = made ? made : folder;
    FILE *list = fopen(in(where, "images.tsv"), "r");
    char name[100], type[20], scaled[20];
    long long t, c, z, y, x;
    int images = 0;
    ck_assert_ptr_nonnull(list);
    while (fscanf(list, "%99s %19s %lld %lld %lld %lld %lld %19s", name, type, &t, &c, &z, &y, &x, scaled) == 8) {
        drua_zarr *zarr;
        REQUIRE(drua_zarr_open(in(where, name), 0, &zarr));
        const drua_zarr_metadata *f = drua_zarr_metadata_of(zarr);
        const bool is_scaled = !strcmp(scaled, "scaled"), missing = strstr(name, "missing");
        ck_assert_msg(!strcmp(type_names[f->type], type), "%s: type %s, not %s", name, type_names[f->type], type);
        ck_assert_msg(f->frames == t && f->channels == c && f->shape.depth == z && f->shape.height == y &&
                          f->shape.width == x,
                      "%s: other extents", name);
        ck_assert_msg(f->scale[0] == (is_scaled ? 0.125 : 1) && f->scale[1] == (is_scaled ? 0.25 : 1), "%s: scale %g",
                      name, f->scale[0]);
        ck_assert_msg(!strcmp(f->unit, is_scaled ? "\302\265m" : ""), "%s: unit '%s'", name, f->unit);
        ck_assert_msg(f->frame_interval == (is_scaled && t > 1 ? 2.5 : 0), "%s: interval %g", name, f->frame_interval);
        ck_assert_int_eq(f->version, strstr(name, ".n5") ? 0 : strchr("2", name[strcspn(name, "23")]) ? 4 : 5);
        check_all(name, zarr, missing ? 5 : y, 42);
        drua_zarr_set_cache(zarr, 1 << 20);
        check_all(name, zarr, missing ? 5 : y, 42);
        drua_zarr_close(zarr);
        images++;
    }
    fclose(list);
    ck_assert_int_ge(images, 50);
}
END_TEST

/* Each smaller level, and a single array, has its own extents and scale. */
START_TEST(levels)
{
    drua_zarr *zarr;
    for (int version = 2; version <= 3; version++) {
        const char *name = version == 2 ? "v2_tczyx.zarr" : "v3_tczyx.zarr";
        REQUIRE(drua_zarr_open(in_folder(name), 1, &zarr));
        const drua_zarr_metadata *f = drua_zarr_metadata_of(zarr);
        ck_assert_int_eq(f->levels, 2);
        ck_assert_int_eq(f->shape.width, 5);
        ck_assert_int_eq(f->shape.height, 4);
        ck_assert_double_eq(f->scale[0], 0.25);
        ck_assert_double_eq(f->scale[2], 0.5);
        drua_zarr_close(zarr);
        REFUSED(DRUA_E_ARGUMENT, drua_zarr_open(in_folder(name), 2, &zarr), "level", "0 to 1", "got 2");
        ck_assert_ptr_null(zarr);
        snprintf(other, sizeof other, "%s/1/", in_folder(name));
        REQUIRE(drua_zarr_open(other, 0, &zarr));
        ck_assert_int_eq(drua_zarr_metadata_of(zarr)->frames, 2);
        ck_assert_int_eq(drua_zarr_metadata_of(zarr)->shape.width, 5);
        drua_zarr_close(zarr);
    }
}
END_TEST

/* ---- images by the engine */

typedef struct sample {
    drua_shape shape;
    int64_t channels, frames;
    drua_type type;
    drua_zarr_options options;
} sample;

static const sample samples[] = {
    {{40, 30, 1, 2}, 1, 1, DRUA_UINT8, {.version = 4}},
    {{40, 30, 1, 3}, 2, 1, DRUA_INT8, {.version = 5, .chunk = {7, 8, 1}, .shard = {14, 16, 1}}},
    {{33, 31, 21, 3}, 1, 3, DRUA_UINT16, {.version = 4, .chunk = {16, 9, 4}, .compression = "gzip", .levels = 3}},
    {{33, 31, 21, 3},
     2,
     2,
     DRUA_INT16,
     {.version = 5, .chunk = {16, 9, 4}, .shard = {32, 9, 8}, .compression = "zstd", .levels = 2}},
    {{300, 200, 150, 3}, 1, 1, DRUA_UINT16, {.version = 5, .shard = {256, 128, 128}}},
    {{33, 31, 21, 3}, 1, 1, DRUA_UINT32, {.version = 4, .chunk = {10, 10, 10}, .compression = "zlib"}},
    {{33, 31, 21, 3}, 1, 1, DRUA_INT32, {.version = 5, .chunk = {10, 10, 10}, .compression = "none"}},
    {{33, 31, 21, 3},
     1,
     2,
     DRUA_FLOAT32,
     {.version = 4, .chunk = {10, 10, 10}, .compression = "blosc-zstd", .labels = true}},
    {{600, 500, 1, 2}, 3, 1, DRUA_FLOAT32, {.version = 5, .compression = "gzip"}}};
enum { SAMPLES = sizeof samples / sizeof *samples };

static drua_zarr_metadata metadata_of(const sample *s)
{
    return (drua_zarr_metadata){.shape = s->shape,
                                .channels = s->channels,
                                .frames = s->frames,
                                .type = s->type,
                                .scale = {0.5, 0.5, 2},
                                .unit = "nm",
                                .frame_interval = 1.5};
}

static void write_box(drua_zarr_out *out, int level, const drua_zarr_box *b, drua_type type)
{
    void *pixels = malloc((size_t)count_of(b) * bytes_of(type));
    int64_t i = 0;
    for (int64_t z = b->first[2]; z < b->end[2]; z++)
        for (int64_t y = b->first[1]; y < b->end[1]; y++)
            for (int64_t x = b->first[0]; x < b->end[0]; x++)
                put_pixel(pixels, type, i++, due(type, x, y, z, b->channel, b->frame));
    REQUIRE(drua_zarr_write(out, level, b, pixels));
    free(pixels);
}

/* Writes a level in boxes of two files along z, the last box first. */
static void write_level(drua_zarr_out *out, int level)
{
    const drua_zarr_metadata *f = drua_zarr_out_metadata(out, level);
    const int64_t step = 2 * f->file.depth;
    for (int64_t t = 0; t < f->frames; t++)
        for (int64_t c = 0; c < f->channels; c++)
            for (int64_t z = (f->shape.depth - 1) / step * step; z >= 0; z -= step) {
                const drua_zarr_box box = {
                    c,
                    t,
                    {0, 0, z},
                    {f->shape.width, f->shape.height, z + step < f->shape.depth ? z + step : f->shape.depth}};
                ck_assert(!drua_zarr_has(out, level, &box));
                write_box(out, level, &box, f->type);
                ck_assert(drua_zarr_has(out, level, &box));
            }
}

static void write_sample(const char *to, const sample *s)
{
    const drua_zarr_metadata metadata = metadata_of(s);
    drua_zarr_options options = s->options;
    drua_zarr_out *out;
    options.replaces = true;
    REQUIRE(drua_zarr_create(to, &metadata, &options, "min=3\nmax=77\n", &out));
    for (int level = 0; level < drua_zarr_out_metadata(out, 0)->levels; level++)
        write_level(out, level);
    REQUIRE(drua_zarr_finish(out, DRUA_OK));
}

START_TEST(round_trips)
{
    const char *ours = getenv("DRUA_ZARR_OURS");
    for (int i = 0; i < SAMPLES; i++) {
        const sample *s = &samples[i];
        char name[20];
        drua_zarr *zarr;
        drua_text text = {0};
        snprintf(name, sizeof name, "ours_%d.zarr", i);
        write_sample(in(ours ? ours : folder, name), s);
        REQUIRE(drua_zarr_open(path, 0, &zarr));
        const drua_zarr_metadata *f = drua_zarr_metadata_of(zarr);
        ck_assert_int_eq(f->version, s->options.version);
        ck_assert_int_eq(f->type, s->type);
        ck_assert_int_eq(f->shape.dimension, s->shape.dimension);
        ck_assert_str_eq(f->unit, "nm");
        ck_assert_double_eq(f->scale[2], s->shape.dimension == 3 ? 2 : 1);
        ck_assert_double_eq(f->frame_interval, s->frames > 1 ? 1.5 : 0);
        ck_assert_int_eq(f->labels, s->options.labels);
        check_all(name, zarr, s->shape.height, 0);
        drua_zarr_describe(zarr, NULL, &text);
        ck_assert_msg(strstr(text.characters, "unit=nm\n"), "%s", text.characters);
        ck_assert_int_eq(strstr(text.characters, "min=3\nmax=77\n") == NULL, s->options.labels);
        drua_text_free(&text);
        drua_zarr_close(zarr);
    }
    ck_assert(!zarr_folder_holds(folder, ".writing"));
}
END_TEST

/* x and y are always halved, z only if that brings pixels closer to cubes; in the end no side exceeds 256. */
START_TEST(halved_levels)
{
    const drua_zarr_metadata metadata = {
        .shape = {1001, 600, 100, 3}, .channels = 1, .frames = 1, .type = DRUA_UINT8, .scale = {1, 1, 4}};
    const int64_t extents[][3] = {{1001, 600, 100}, {501, 300, 100}, {251, 150, 100}};
    const double depths[] = {4, 4, 4};
    drua_zarr_out *out;
    REQUIRE(drua_zarr_create(in_folder("halved.zarr"), &metadata, &(drua_zarr_options){0}, NULL, &out));
    ck_assert_int_eq(drua_zarr_out_metadata(out, 0)->levels, 3);
    for (int level = 0; level < 3; level++) {
        const drua_zarr_metadata *f = drua_zarr_out_metadata(out, level);
        for (int k = 0; k < 3; k++)
            ck_assert_int_eq((&f->shape.width)[k], extents[level][k]);
        ck_assert_double_eq(f->scale[0], 1 << level);
        ck_assert_double_eq(f->scale[2], depths[level]);
        ck_assert_int_eq(f->chunk.depth, 100);
        ck_assert_int_eq(f->chunk.width, 128);
    }
    ck_assert_int_eq(drua_zarr_finish(out, DRUA_E_MEMORY), DRUA_E_MEMORY);
    ck_assert(!zarr_folder_holds(folder, "halved"));
}
END_TEST

static bool is_same(drua_shape a, drua_shape b)
{
    return a.width == b.width && a.height == b.height && a.depth == b.depth && a.dimension == b.dimension;
}

/* An image is complete or absent; another process resumes an incomplete one. */
START_TEST(unfinished)
{
    const sample *s = &samples[3];
    const drua_zarr_metadata metadata = metadata_of(s);
    drua_zarr_out *out, *again;
    drua_zarr *zarr;
    REQUIRE(drua_zarr_create(in_folder("half.zarr"), &metadata, &s->options, NULL, &out));
    write_level(out, 1);
    REFUSED(DRUA_E_ARGUMENT, drua_zarr_open(path, 0, &zarr), "half.zarr", "not finished");
    snprintf(other, sizeof other, "%s.writing", path);
    REFUSED(DRUA_E_ARGUMENT, drua_zarr_open(other, 0, &zarr), "holds neither");
    REQUIRE(drua_zarr_resume(path, &again));
    for (int level = 0; level < 2; level++) {
        const drua_zarr_metadata *a = drua_zarr_out_metadata(out, level), *b = drua_zarr_out_metadata(again, level);
        ck_assert(a->levels == b->levels && a->type == b->type && a->scale[2] == b->scale[2] &&
                  is_same(a->shape, b->shape) && is_same(a->file, b->file) && is_same(a->chunk, b->chunk));
    }
    ck_assert_int_eq(drua_zarr_finish(out, DRUA_E_CANCELLED), DRUA_E_CANCELLED);
    ck_assert(!drua_zarr_has_any(path));
    write_level(again, 0);
    REQUIRE(drua_zarr_can_create(path, false));
    ck_assert(drua_zarr_has_any(path));
    zarr_folder_put(folder, "half.zarr", "in the way", 10);
    ck_assert_int_ne(drua_zarr_finish(again, DRUA_OK), DRUA_OK);
    remove(path);
    REFUSED(DRUA_E_ARGUMENT, drua_zarr_open(other, 0, &zarr), "holds neither");
    REQUIRE(drua_zarr_resume(path, &again));
    REQUIRE(drua_zarr_finish(again, DRUA_OK));
    REQUIRE(drua_zarr_open(path, 0, &zarr));
    check_all("half.zarr", zarr, s->shape.height, 0);
    drua_zarr_close(zarr);
    REFUSED(DRUA_E_ARGUMENT, drua_zarr_resume(path, &again), "half.zarr.writing", "start again");
}
END_TEST

static void move_inside(const char *image, const char *from, const char *to)
{
    char source[1024], target[1024];
    snprintf(source, sizeof source, "%s/%s", image, from);
    snprintf(target, sizeof target, "%s/%s", image, to);
    ck_assert_int_eq(rename(source, target), 0);
}

/* A process died just before it gave the image its final name. */
START_TEST(all_but_the_name)
{
    const drua_zarr_metadata metadata = metadata_of(&samples[3]);
    drua_zarr_out *out;
    drua_zarr *zarr;
    REQUIRE(drua_zarr_create(in_folder("named.zarr"), &metadata, &samples[3].options, NULL, &out));
    snprintf(other, sizeof other, "%s.writing", path);
    write_level(out, 0);
    write_level(out, 1);
    ck_assert_int_eq(drua_zarr_finish(out, DRUA_E_CANCELLED), DRUA_E_CANCELLED);
    move_inside(other, "ome.writing", samples[3].options.version == 5 ? "zarr.json" : ".zattrs");
    REQUIRE(drua_zarr_resume(path, &out));
    REQUIRE(drua_zarr_finish(out, DRUA_OK));
    REQUIRE(drua_zarr_open(path, 0, &zarr));
    check_all("named.zarr", zarr, samples[3].shape.height, 0);
    drua_zarr_close(zarr);
    REQUIRE(drua_zarr_remove(path));
    REQUIRE(drua_zarr_remove(path));
    REFUSED(DRUA_E_ARGUMENT, drua_zarr_open(path, 0, &zarr), "no folder");
}
END_TEST

/* The old image stays until the new one is complete. A folder that is not an image is never removed. */
START_TEST(replaced)
{
    const drua_zarr_metadata metadata = metadata_of(&samples[0]);
    drua_zarr_options options = samples[0].options;
    drua_zarr_out *out;
    drua_zarr *zarr;
    options.replaces = true;
    write_sample(in_folder("twice.zarr"), &samples[0]);
    REQUIRE(drua_zarr_create(path, &metadata, &options, NULL, &out));
    ck_assert_int_eq(drua_zarr_finish(out, DRUA_E_DEVICE), DRUA_E_DEVICE);
    REQUIRE(drua_zarr_open(path, 0, &zarr));
    drua_zarr_close(zarr);
    write_sample(path, &samples[5]);
    REQUIRE(drua_zarr_open(path, 0, &zarr));
    check_all("twice.zarr", zarr, samples[5].shape.height, 0);
    drua_zarr_close(zarr);
    zarr_folder_put(path, "notes.txt", "mine", 4);
    REFUSED(DRUA_E_ARGUMENT, drua_zarr_create(path, &metadata, &options, NULL, &out), "notes.txt",
            "choose another name");
    REFUSED(DRUA_E_ARGUMENT, drua_zarr_create(folder, &metadata, &options, NULL, &out), "does not belong to an image");
    REQUIRE(drua_zarr_open(path, 0, &zarr));
    drua_zarr_close(zarr);
}
END_TEST

static void check_kept(const char *name)
{
    size_t length;
    char *bytes = zarr_folder_get(path, name, &length);
    ck_assert(length == 4 && !memcmp(bytes, "mine", 4));
    free(bytes);
}

/*
 * Links, folders that are not images, and images without permission to overwrite are never removed, even if a folder
 * contains files with names of image files. The same holds for a folder that appears while an image is written.
 */
START_TEST(kept)
{
    static const char *const notes[] = {"0/0/notes.txt", "0/0.0", "c/0/0/mine"};
    const drua_zarr_metadata metadata = metadata_of(&samples[0]);
    drua_zarr_options options = samples[0].options;
    drua_zarr_out *out;
    for (int late = 0; late < 2; late++)
        for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
            char name[40], inside[80];
            snprintf(name, sizeof name, "kept%d_%zu.zarr", late, i);
            snprintf(inside, sizeof inside, "%s/%s", name, notes[i]);
            options.replaces = true;
            if (late) {
                REQUIRE(drua_zarr_create(in_folder(name), &metadata, &options, NULL, &out));
                write_level(out, 0);
            }
            in_folder(name);
            zarr_folder_put(folder, inside, "mine", 4);
            if (late)
                REFUSED(DRUA_E_ARGUMENT, drua_zarr_finish(out, DRUA_OK), path, "choose another name");
            else
                REFUSED(DRUA_E_ARGUMENT, drua_zarr_create(path, &metadata, &options, NULL, &out), path,
                        "choose another name");
            check_kept(notes[i]);
        }
    write_sample(in_folder("image.zarr"), &samples[5]);
    options.replaces = false;
    REFUSED(DRUA_E_ARGUMENT, drua_zarr_create(path, &metadata, &options, NULL, &out), "already exists", path);
    snprintf(other, sizeof other, "%s", path);
    ck_assert_int_eq(symlink(other, in_folder("link.zarr")), 0);
    options.replaces = true;
    REFUSED(DRUA_E_ARGUMENT, drua_zarr_create(path, &metadata, &options, NULL, &out), "link.zarr' is a link");
    ck_assert(!zarr_folder_holds(folder, ".old.writing"));
}
END_TEST

START_TEST(wrong_wishes)
{
    drua_zarr_metadata metadata = metadata_of(&samples[2]);
    drua_zarr_out *out;
    drua_zarr *zarr;
    unsigned char pixels[100];
    const char *to = in_folder("wishes.zarr");
    REFUSED(DRUA_E_ARGUMENT, drua_zarr_create(to, &metadata, &(drua_zarr_options){.compression = "lzw"}, NULL, &out),
            "compression", "'lzw'", "blosc-lz4");
    REFUSED(DRUA_E_ARGUMENT,
            drua_zarr_create(to, &metadata, &(drua_zarr_options){.version = 5, .compression = "zlib"}, NULL, &out),
            "zlib", "0.5");
    REFUSED(DRUA_E_ARGUMENT, drua_zarr_create(to, &metadata, &(drua_zarr_options){.shard = {16, 16, 16}}, NULL, &out),
            "shards need version");
    REFUSED(DRUA_E_ARGUMENT,
            drua_zarr_create(to, &metadata,
                             &(drua_zarr_options){.version = 5, .chunk = {10, 10, 10}, .shard = {15, 10, 10}}, NULL,
                             &out),
            "multiple of chunk", "15 and 10");
    REFUSED(DRUA_E_ARGUMENT, drua_zarr_create(to, &metadata, &(drua_zarr_options){.version = 6}, NULL, &out),
            "0.4 or 0.5");
    REFUSED(DRUA_E_ARGUMENT, drua_zarr_create("", &metadata, &(drua_zarr_options){0}, NULL, &out), "path");
    REFUSED(DRUA_E_ARGUMENT, drua_zarr_create("/proc/nowhere.zarr", &metadata, &(drua_zarr_options){0}, NULL, &out),
            "/proc/nowhere.zarr", "cannot be written");
    REQUIRE(drua_zarr_create(to, &metadata, &samples[2].options, NULL, &out));
    REFUSED(DRUA_E_ARGUMENT, drua_zarr_write(out, 0, &(drua_zarr_box){0, 0, {1, 0, 0}, {33, 31, 4}}, pixels),
            "multiples of 16 along axis x", "got 1 to 33");
    REFUSED(DRUA_E_ARGUMENT, drua_zarr_write(out, 0, &(drua_zarr_box){0, 3, {0, 0, 0}, {33, 31, 4}}, pixels), "inside");
    REFUSED(DRUA_E_ARGUMENT, drua_zarr_write(out, 3, &(drua_zarr_box){0, 0, {0, 0, 0}, {33, 31, 4}}, pixels), "inside");
    drua_zarr_finish(out, DRUA_E_ARGUMENT);
    REFUSED(DRUA_E_ARGUMENT, drua_zarr_open("/nowhere.zarr", 0, &zarr), "no folder '/nowhere.zarr'");
    REFUSED(DRUA_E_ARGUMENT, drua_zarr_open("/usr/include", 0, &zarr), "'/usr/include'", "holds neither");
    REQUIRE(drua_zarr_open(in_folder("v2_uint8.zarr"), 0, &zarr));
    REFUSED(DRUA_E_ARGUMENT, drua_zarr_read(zarr, &(drua_zarr_box){0, 0, {0, 0, 0}, {12, 1, 1}}, pixels), "inside");
    drua_zarr_close(zarr);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("zarr");
    TCase *images = tcase_create("images");
    tcase_add_unchecked_fixture(images, make_folder, remove_folder);
    tcase_add_test(images, images_of_others);
    tcase_add_test(images, levels);
    tcase_add_test(images, round_trips);
    tcase_add_test(images, halved_levels);
    tcase_add_test(images, unfinished);
    tcase_add_test(images, all_but_the_name);
    tcase_add_test(images, replaced);
    tcase_add_test(images, kept);
    tcase_add_test(images, wrong_wishes);
    suite_add_tcase(suite, images);
    return harness_run(suite);
}
