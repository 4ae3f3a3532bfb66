/* SPDX-License-Identifier: BSD-3-Clause */
/* A TIFF file during writing. */
#ifndef DRUA_IO_TIFF_OUT_H
#define DRUA_IO_TIFF_OUT_H

#include "libtiff.h"
#include "new_file.h"
#include "tiff_strips.h"

#include <stdbool.h>

enum { TIFF_OUT_TILE = 256, TIFF_OUT_LEVELS = 32 };

struct drua_tiff_out {
    const drua_libtiff *lib;
    const char *path, *text;
    drua_new_file new;
    drua_shape shape;
    drua_type type;
    uint16_t samples, compression;
    int64_t pages, rows; /* rows: of a strip */
    int levels; /* of an OME-TIFF, which has tiles; 0: a file in strips */
    bool big; /* offsets have 64 bits */
    uint64_t at, *lengths; /* at: bytes written so far; lengths: bytes of each strip */
};

/** Fails with an error message that names the file and explains errno. */
drua_status tiff_out_fail(const drua_tiff_out *out);

/** Appends bytes to the file; returns false with errno set on failure. */
bool tiff_out_add(drua_tiff_out *out, const void *bytes, size_t length);

/** Makes the header of a file whose first directory is at offset `first`; returns the header's length in bytes. */
size_t tiff_out_header(const drua_tiff_out *out, uint64_t first, unsigned char head[16]);

/** Writes the directories of all pages after the pixels. *first receives the offset of the first directory. */
drua_status tiff_out_directories(drua_tiff_out *out, uint64_t *first);

/** Returns the number of levels of an OME-TIFF: the smallest one is one tile. */
int tiff_out_levels(drua_shape shape);

/** Returns a side of a page at a level, and the number of tiles at a level. */
int64_t tiff_out_side(int64_t side, int level);
int64_t tiff_out_tiles(const drua_tiff_out *out, int level);

/** Makes the pixels of a tile of a page, counted over all levels; the caller frees them. Pixels beyond the edge of the
 * page are 0. */
drua_status tiff_out_tile(const drua_tiff_out *out, int64_t tile, void *const *planes, unsigned char **pixels);

#endif
