/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts the pixels of a chunk to the bytes of a file and back. Any thread. */
#ifndef DRUA_IO_CODEC_H
#define DRUA_IO_CODEC_H

#include "crc32c.h"
#include "error.h"
#include "file.h"

typedef enum drua_codec_kind {
    DRUA_CODEC_NONE,
    DRUA_CODEC_GZIP,
    DRUA_CODEC_ZLIB,
    DRUA_CODEC_ZSTD,
    DRUA_CODEC_BLOSC
} drua_codec_kind;

typedef struct drua_codec {
    drua_codec_kind kind;
    bool checksum;          /**< four bytes of CRC32C follow */
    char inner[16];         /**< compressor inside blosc, for encoding: lz4 or zstd */
} drua_codec;

/** Sets a codec by a name of drua_zarr_options; NULL selects the default. */
drua_status drua_codec_of(const char *name, drua_codec *codec);

/** Returns the name that drua_codec_of accepts. */
const char *drua_codec_name(const drua_codec *codec);

/** Decodes exactly `size` bytes. If it fails, the error message describes the chunk as "it". */
drua_status drua_codec_decode(const drua_codec *codec, const unsigned char *bytes, size_t length, void *pixels,
                              size_t size);

/** Encodes pixels and appends the bytes. */
drua_status drua_codec_encode(const drua_codec *codec, const void *pixels, size_t size, size_t pixel_bytes,
                              drua_bytes *bytes);

/* compression levels for writing: blosc, and the other codecs */
enum { DRUA_CODEC_CLEVEL = 5, DRUA_CODEC_LEVEL = 1 };

#endif
