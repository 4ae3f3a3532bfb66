/* SPDX-License-Identifier: BSD-3-Clause */
/* A TIFF file that is being written. */
#ifndef DRUA_IO_TIFF_OUT_H
#define DRUA_IO_TIFF_OUT_H

#include "libtiff.h"
#include "tiff.h"

#include <stdbool.h>
#include <stdio.h>

enum { TIFF_OUT_PATH = 4096 };

struct drua_tiff_out {
    const drua_libtiff *lib;
    const char *path, *text;
    char resolved[TIFF_OUT_PATH], temporary[TIFF_OUT_PATH]; /* the path without links; the file while it is not whole */
    FILE *file;
    drua_shape shape;
    drua_type type;
    uint16_t samples, compression;
    int64_t pages, rows; /* rows of a strip */
    bool big, replaces; /* offsets have 64 bits; a file of that name is there */
    uint64_t at, *lengths; /* bytes that are written; those of each strip */
};

/** Fails with a sentence that names the file and says what errno means. */
drua_status tiff_out_fail(const drua_tiff_out *out);

/** Writes bytes behind those that are there; false with errno. */
bool tiff_out_add(drua_tiff_out *out, const void *bytes, size_t length);

/** The start of a file whose first directory is at an offset; returns how many bytes it has. */
size_t tiff_out_header(const drua_tiff_out *out, uint64_t first, unsigned char head[16]);

/** Writes the directories of all pages behind the pixels. *first is the offset of the first one. */
drua_status tiff_out_directories(drua_tiff_out *out, uint64_t *first);

#endif
