/* SPDX-License-Identifier: BSD-3-Clause */
/* TIFF files of 8-bit pages, assembled in memory with the layouts of several programs. */
#ifndef DRUA_TESTS_ASSEMBLED_TIFF_H
#define DRUA_TESTS_ASSEMBLED_TIFF_H

#include "harness.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WIDTH = 19, HEIGHT = 13, PAGES = 12, MOST_PAGES = 14, LIMIT = 1 << 18 };

/* Positions where programs put the directories. */
typedef enum layout { AT_END, AT_FRONT, FIRST_AT_FRONT, ONE, ONE_AT_END, BETWEEN } layout;

typedef struct file {
    unsigned char bytes[LIMIT];
    size_t length;
    size_t last_link; /* position of the last directory's link, which is 0 */
    bool big;
} file;

static const char IMAGEJ[] = "ImageJ=1.54p\nimages=12\nslices=12\nloop=false\n",
                  HYPERSTACK[] = "ImageJ=1.54p\nchannels=2\n"
                                 "slices=3\nframes=2\nhyperstack=true\n",
                  PAIRS[] = "ImageJ=1.54p\nimages=11\nchannels=2\nslices=3\n",
                  FRAMES[] = "ImageJ=1.54p\nimages=12\nframes=12\n",
                  CHANNELS[] = "{\"axes\": \"CYX\", \"shape\": [12, 13, 19]}",
                  UNNAMED[] = "{\"shape\": [3, 4, 13, 19]}", SHAPED[] = "{\"shape\": [12, 13, 19]}",
                  OLD_SHAPE[] = "shape=(12, 13, 19)", DENSE_SHAPE[] = "{\"shape\":[12,13,19]}",
                  PLAIN[] = "pixels of a camera", AXES[] = "{\"axes\": \"ZYX\", \"shape\": [12, 13, 19]}",
                  OME[] = "<OME xmlns=\"http://www.openmicroscopy.org/Schemas/OME/2016-06\"><Image ID=\"Image:0\">"
                          "<Pixels ID=\"Pixels:0\" SizeC=\"1\" SizeT=\"1\" SizeX=\"19\" SizeY=\"13\" SizeZ=\"12\">"
                          "<Channel ID=\"Channel:0:0\"/><TiffData/></Pixels></Image></OME>",
                  OME_PLANE[] = "<OME xmlns=\"http://www.openmicroscopy.org/Schemas/OME/2016-06\"><Image>"
                                "<Pixels SizeC=\"1\" SizeT=\"1\" SizeX=\"19\" SizeY=\"13\" SizeZ=\"1\">"
                                "<TiffData/></Pixels></Image></OME>";

static inline void put_number(file *f, size_t at, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        f->bytes[at + (size_t)i] = (unsigned char)(value >> 8 * i);
    f->length = at + (size_t)bytes > f->length ? at + (size_t)bytes : f->length;
}

static inline unsigned char pixel_of(int page, int i)
{
    return (unsigned char)(page * 17 + i * 3 % 251 + 1);
}

static inline void put_pixels(file *f, size_t at, int page)
{
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        put_number(f, at + (size_t)i, pixel_of(page, i), 1);
}

static inline size_t directory_bytes(const file *f)
{
    return f->big ? 8 + 9 * 20 + 8 : 2 + 9 * 12 + 4;
}

/* Writes a directory at `at`. Its ImageDescription has `length` bytes and begins at `text`. */
static inline void put_directory(file *f, size_t at, size_t pixels, size_t text, size_t length, size_t next)
{
    const int wide = f->big ? 8 : 4;
    const uint64_t tags[9][4] = {{256, 3, 1, WIDTH},  {257, 3, 1, HEIGHT}, {258, 3, 1, 8},
                                 {259, 3, 1, 1},      {262, 3, 1, 1},      {270, 2, length, text},
                                 {273, 4, 1, pixels}, {278, 3, 1, HEIGHT}, {279, 4, 1, WIDTH * HEIGHT}};
    put_number(f, at, 9, f->big ? 8 : 2);
    at += f->big ? 8 : 2;
    for (int i = 0; i < 9; i++, at += (size_t)(4 + 2 * wide)) {
        put_number(f, at, tags[i][0], 2);
        put_number(f, at + 2, tags[i][1], 2);
        put_number(f, at + 4, tags[i][2], wide);
        put_number(f, at + 4 + (size_t)wide, tags[i][3], wide);
    }
    put_number(f, at, next, wide);
    f->last_link = at;
}

/* `pages` is the number of pages in the file, whatever its text claims. */
static inline void make_file(file *f, layout kind, const char *description, int pages, bool big)
{
    const size_t head = big ? 16 : 8, plane = WIDTH * HEIGHT, length = strlen(description) + 1;
    memset(f, 0, sizeof *f);
    f->big = big;
    const size_t one = directory_bytes(f), all = (size_t)pages, text = head;
    const bool single = kind == ONE || kind == ONE_AT_END;
    put_number(f, 0, 'I', 1);
    put_number(f, 1, 'I', 1);
    put_number(f, 2, big ? 43 : 42, 2);
    if (big)
        put_number(f, 4, 8, 2);
    memcpy(f->bytes + text, description, length);
    const size_t start = text + length;
    size_t pixels[MOST_PAGES], directories[MOST_PAGES];
    for (size_t p = 0; p < all; p++) {
        pixels[p] = start + p * plane;
        directories[p] = start + all * plane + p * one;
        if (kind == AT_FRONT) {
            directories[p] = start + p * one;
            pixels[p] = start + all * one + p * plane;
        }
        if (kind == FIRST_AT_FRONT || kind == ONE) {
            directories[p] = p == 0 ? start : start + all * plane + p * one;
            pixels[p] = start + one + p * plane;
        }
        if (kind == BETWEEN) {
            pixels[p] = start + p * (plane + one);
            directories[p] = pixels[p] + plane;
        }
    }
    for (size_t p = 0; p < all; p++)
        put_pixels(f, pixels[p], (int)p);
    for (size_t p = 0; p < (single ? 1 : all); p++)
        put_directory(f, directories[p], pixels[p], text, p ? 1 : length,
                      !single && p + 1 < all ? directories[p + 1] : 0);
    put_number(f, big ? 8 : 4, directories[0], big ? 8 : 4);
}

typedef struct sample {
    layout kind;
    const char *description;
    bool big;
} sample;

/* If the first directory precedes the pixels, directories may be complete while pixels are missing. */
static const sample samples[] = {
    {AT_END, IMAGEJ, false},  {AT_FRONT, IMAGEJ, false},       {FIRST_AT_FRONT, IMAGEJ, false},
    {ONE, IMAGEJ, false},     {ONE_AT_END, IMAGEJ, false},     {BETWEEN, IMAGEJ, false},
    {BETWEEN, PLAIN, false},  {AT_FRONT, PLAIN, true},         {AT_END, HYPERSTACK, true},
    {ONE, HYPERSTACK, false}, {BETWEEN, HYPERSTACK, false},    {ONE, SHAPED, false},
    {ONE, SHAPED, true},      {FIRST_AT_FRONT, SHAPED, false}, {ONE, OLD_SHAPE, false},
    {ONE, DENSE_SHAPE, false}};
enum { SAMPLES = sizeof samples / sizeof *samples };

/* ---- a folder with one file */

static drua_context *context;
static char folder[HARNESS_FOLDER], path[200];

static inline void open_context(void)
{
    context = harness_open();
    harness_make_folder(folder);
    snprintf(path, sizeof path, "%s/image.tif", folder);
}

static inline void close_context(void)
{
    remove(path);
    ck_assert_int_eq(rmdir(folder), 0);
    drua_close(context);
}

static inline void store_file(const unsigned char *bytes, size_t length)
{
    FILE *out = fopen(path, "wb");
    ck_assert(out && fwrite(bytes, 1, length, out) == length && fclose(out) == 0);
}

#endif
