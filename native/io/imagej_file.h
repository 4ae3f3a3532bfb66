/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The metadata that ImageJ writes into TIFF files: a description in lines key=value, and blocks with labels and
 * colours.
 */
#ifndef DRUA_IO_IMAGEJ_FILE_H
#define DRUA_IO_IMAGEJ_FILE_H

#include "error.h"
#include "imagej.h"
#include "text.h"

#include <drua/types.h>

enum { DRUA_TAG_SIZES = 50838, DRUA_TAG_DATA = 50839 };

typedef struct drua_imagej {
    bool is_imagej, has_range;
    int64_t images, channels, slices, frames; /**< at least 1 unless the file states a different number */
    double spacing, frame_interval, minimum, maximum;
    char unit[64]; /**< UTF-8; "" if unknown */
    char function[512]; /**< lines of the text that state how grey values are scaled */
} drua_imagej;

void drua_imagej_parse(drua_imagej *about, const char *description);

/** The blocks of a file: the first of them lists the kinds of the others. */
typedef struct drua_imagej_file_blocks {
    const uint32_t *sizes;
    uint32_t count;
    const unsigned char *bytes;
    uint32_t length; /**< of all bytes */
} drua_imagej_file_blocks;

/** Some pages of a file. */
typedef struct drua_imagej_pages {
    int64_t first, step, count;
    int64_t channels; /**< of the file */
} drua_imagej_pages;

/** Appends the labels of the pages and, if requested, the colours of their channel. */
void drua_imagej_describe_blocks(const drua_imagej_file_blocks *blocks, const drua_imagej_pages *pages, bool colours,
                                 drua_text *text);

/** Adds the colour table from black to a colour, 0xrrggbb. White adds nothing, because grey is the default. */
void drua_imagej_describe_colour(uint32_t rgb, drua_text *text);

/** Returns the value of a key in an image's text, which ends at the end of its line; NULL if the text lacks the key. */
const char *drua_imagej_value(const char *text, const char *key);

/**
 * Writes the description of a file with the given number of pages. From "images=", ImageJ concludes that the pixels of
 * an uncompressed file are contiguous.
 */
void drua_imagej_write(const char *text, int64_t pages, bool rgb, drua_text *description);

/**
 * Returns whether a text states channels, slices and frames of this many pages, and more than one channel or frame.
 * `extents` receives them.
 */
bool drua_imagej_axes(const char *text, int64_t pages, int64_t extents[3]);

/** Returns whether the line "ome=" of a text has the colours of this many channels, at least two. */
bool drua_imagej_has_colours(const char *text, int64_t channels);

/** Codes of the blocks: labels of slices, display ranges of channels, lookup tables of channels. */
enum {
    DRUA_IMAGEJ_LABELS = 0x6c61626c,
    DRUA_IMAGEJ_RANGES = 0x72616e67,
    DRUA_IMAGEJ_LUTS = 0x6c757473,
    DRUA_IMAGEJ_LUT_BYTES = 768
};

/**
 * Makes little-endian blocks with the labels of a text, and with the display ranges and colours of its channels; NULL
 * if the text has none of them, or if the file has more than 2^20 pages. sizes has count entries. The caller frees both
 * with drua_free.
 */
drua_status drua_imagej_blocks(const char *text, int64_t pages, unsigned char **blocks, uint32_t **sizes,
                               uint32_t *count, uint32_t *length);

/**
 * Adds the line "ome=" with the display ranges and colours of all channels, if the blocks have a lookup table for
 * each of the `channels` channels. The last colour of a table is the channel's colour.
 */
void drua_imagej_describe_channels(const drua_imagej_file_blocks *blocks, int64_t channels, drua_text *text);

#endif
