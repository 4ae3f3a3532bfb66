/* SPDX-License-Identifier: BSD-3-Clause */
/* What ImageJ writes into TIFF files beside pixels: a description of lines key=value, and blocks with labels and
 * colours. */
#ifndef DRUA_IO_IMAGEJ_H
#define DRUA_IO_IMAGEJ_H

#include "error.h"
#include "text.h"

#include <drua/types.h>

enum { DRUA_TAG_SIZES = 50838, DRUA_TAG_DATA = 50839 };

typedef struct drua_imagej {
    bool is_imagej, has_range;
    int64_t images, channels, slices, frames;   /**< at least 1 unless the file says otherwise */
    double spacing, frame_interval, minimum, maximum;
    char unit[64];                              /**< UTF-8; "" if none */
    char function[512];                         /**< lines of the text: how grey values are scaled */
} drua_imagej;

void drua_imagej_parse(drua_imagej *about, const char *description);

/** Adds the labels of the chosen pages and, if wanted, the colours of their channel, from the blocks of a file. */
void drua_imagej_describe_blocks(const uint32_t *sizes, uint32_t count, const unsigned char *bytes, uint32_t length,
                                 int64_t first, int64_t step, int64_t pages, int64_t channels, bool colours,
                                 drua_text *text);

/** Value of a key of an image's text up to the line's end, cut to `size`; false without that key. */
bool drua_imagej_find(const char *text, const char *key, char *value, size_t size);

/** The description of a file with so many pages. ImageJ takes its "images=" as a promise that the pixels of a file
 * without compression lie without gaps. */
void drua_imagej_write(const char *text, int64_t pages, bool rgb, drua_text *description);

/** Blocks with the labels of a text, big-endian; NULL if it has none. sizes has count entries. drua_free both. */
drua_status drua_imagej_blocks(const char *text, int64_t pages, unsigned char **blocks, uint32_t **sizes,
                               uint32_t *count, uint32_t *length);

#endif
