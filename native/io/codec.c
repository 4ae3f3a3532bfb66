/* SPDX-License-Identifier: BSD-3-Clause */
#include "codec.h"

#include "clock.h"
#include "codec_libraries.h"
#include "codec_times.h"
#include "little_endian.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum {
    CHECKSUM = 4,
    BLOSC_LENGTH = 12, /* offset of the length field in the header */
    DETECT = 47, /* zlib accepts both the gzip and the zlib header */
    GZIP_WINDOW = 31,
    ZLIB_WINDOW = 15,
    MEMORY_LEVEL = 8
};

static const struct { const char *name; drua_codec codec;
} known[] = {{"blosc-lz4", {.kind = DRUA_CODEC_BLOSC, .inner = "lz4"}},
             {"blosc-zstd", {.kind = DRUA_CODEC_BLOSC, .inner = "zstd"}},
             {"zstd", {.kind = DRUA_CODEC_ZSTD}},
             {"gzip", {.kind = DRUA_CODEC_GZIP}},
             {"zlib", {.kind = DRUA_CODEC_ZLIB}},
             {"none", {.kind = DRUA_CODEC_NONE}}};
enum { KNOWN = sizeof known / sizeof *known };

drua_status drua_codec_of(const char *name, drua_codec *codec)
{
    for (int i = 0; i < KNOWN; i++)
        if (!name || !strcmp(name, known[i].name)) {
            *codec = known[i].codec;
            return DRUA_OK;
        }
    return drua_fail(DRUA_E_ARGUMENT,
                     "compression of .zarr must be blosc-lz4, blosc-zstd, zstd, gzip, zlib or none, got '%s'", name);
}

const char *drua_codec_name(const drua_codec *codec)
{
    for (int i = 0; i < KNOWN; i++)
        if (codec->kind == known[i].codec.kind && !strcmp(codec->inner, known[i].codec.inner))
            return known[i].name;
    return "none";
}

/* ---- zlib: several concatenated streams count as one, as in gzip */

/* Whether bytes are only padding, which gzip allows at the end of a file. */
static bool is_padding(const unsigned char *bytes, size_t length)
{
    while (length && !*bytes)
        bytes++, length--;
    return !length;
}

/* Reads members of gzip that follow the last byte of a chunk, which must be empty. */
static int pass_empty_members(const drua_zlib *lib, z_stream *stream)
{
    int state = Z_STREAM_END;
    unsigned char more;
    while (state == Z_STREAM_END && !is_padding(stream->next_in, stream->avail_in) &&
           lib->inflateReset(stream) == Z_OK) {
        stream->next_out = &more;
        stream->avail_out = 1;
        state = lib->inflate(stream, Z_NO_FLUSH);
        if (!stream->avail_out)
            state = Z_DATA_ERROR;
    }
    return state;
}

static drua_status inflate_all(const unsigned char *bytes, size_t length, void *pixels, size_t size)
{
    const drua_zlib *lib = drua_zlib_load();
    z_stream stream = {
        .next_in = (Bytef *)(uintptr_t)bytes, .avail_in = (uInt)length, .next_out = pixels, .avail_out = (uInt)size};
    if (!lib)
        return DRUA_E_UNSUPPORTED;
    if (lib->inflateInit2_(&stream, DETECT, ZLIB_VERSION, sizeof stream) != Z_OK)
        return drua_fail_memory(sizeof stream);
    int state;
    do
        state = lib->inflate(&stream, Z_NO_FLUSH);
    while (state == Z_OK ||
           (state == Z_STREAM_END && stream.avail_in && stream.avail_out && lib->inflateReset(&stream) == Z_OK));
    const bool whole =
        state == Z_STREAM_END && stream.avail_out == 0 && pass_empty_members(lib, &stream) == Z_STREAM_END;
    lib->inflateEnd(&stream);
    return whole ? DRUA_OK : drua_fail(DRUA_E_ARGUMENT, "its gzip data do not hold the %zu bytes of a chunk", size);
}

static drua_status deflate_all(const void *pixels, size_t size, int window, drua_bytes *bytes)
{
    const drua_zlib *lib = drua_zlib_load();
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)pixels, .avail_in = (uInt)size};
    if (!lib)
        return DRUA_E_UNSUPPORTED;
    if (lib->deflateInit2_(&stream, DRUA_CODEC_LEVEL, Z_DEFLATED, window, MEMORY_LEVEL, Z_DEFAULT_STRATEGY,
                           ZLIB_VERSION, sizeof stream) != Z_OK)
        return drua_fail_memory(sizeof stream);
    const size_t max = lib->deflateBound(&stream, (uLong)size);
    const bool room = drua_bytes_reserve(bytes, bytes->length + max);
    stream.next_out = room ? bytes->data + bytes->length : NULL;
    stream.avail_out = (uInt)max;
    const bool good = room && lib->deflate(&stream, Z_FINISH) == Z_STREAM_END;
    bytes->length += good ? max - stream.avail_out : 0;
    lib->deflateEnd(&stream);
    return good ? DRUA_OK : drua_fail_memory(max);
}

/* ---- zstd and blosc */

static drua_status decode_zstd(const unsigned char *bytes, size_t length, void *pixels, size_t size)
{
    const drua_libzstd *lib = drua_libzstd_load();
    if (!lib)
        return DRUA_E_UNSUPPORTED;
    const size_t got = lib->ZSTD_decompress(pixels, size, bytes, length);
    if (lib->ZSTD_isError(got))
        return drua_fail(DRUA_E_ARGUMENT, "its zstd data do not hold the %zu bytes of a chunk: %s", size,
                         lib->ZSTD_getErrorName(got));
    return got == size ? DRUA_OK
                       : drua_fail(DRUA_E_ARGUMENT, "its zstd data hold %zu bytes, not the %zu of a chunk", got, size);
}

static drua_status encode_zstd(const void *pixels, size_t size, drua_bytes *bytes)
{
    const drua_libzstd *lib = drua_libzstd_load();
    if (!lib)
        return DRUA_E_UNSUPPORTED;
    const size_t max = lib->ZSTD_compressBound(size);
    if (!drua_bytes_reserve(bytes, bytes->length + max))
        return drua_fail_memory(max);
    const size_t got = lib->ZSTD_compress(bytes->data + bytes->length, max, pixels, size, DRUA_CODEC_LEVEL);
    if (lib->ZSTD_isError(got))
        return drua_fail_memory(max);
    bytes->length += got;
    return DRUA_OK;
}

static drua_status decode_blosc(const unsigned char *bytes, size_t length, void *pixels, size_t size)
{
    const drua_libblosc *lib = drua_libblosc_load();
    size_t stored;
    if (!lib)
        return DRUA_E_UNSUPPORTED;
    if (length >= BLOSC_MIN_HEADER_LENGTH && drua_get_number(bytes + BLOSC_LENGTH, 4) < length)
        /* z5py writes its whole buffer; only the header says how much of it is data */
        length = (size_t)drua_get_number(bytes + BLOSC_LENGTH, 4);
    if (lib->blosc_cbuffer_validate(bytes, length, &stored) < 0)
        return drua_fail(DRUA_E_ARGUMENT, "its %zu bytes are not blosc data", length);
    if (stored != size)
        return drua_fail(DRUA_E_ARGUMENT, "its blosc data hold %zu bytes, not the %zu of a chunk", stored, size);
    if (lib->blosc_decompress_ctx(bytes, pixels, size, 1) != (int)size)
        return drua_fail(DRUA_E_ARGUMENT, "its blosc data are damaged, or use a compressor that this c-blosc lacks");
    return DRUA_OK;
}

static drua_status encode_blosc(const drua_codec *codec, const void *pixels, size_t size, size_t pixel_bytes,
                                drua_bytes *bytes)
{
    const drua_libblosc *lib = drua_libblosc_load();
    const size_t max = size + BLOSC_MAX_OVERHEAD;
    if (!lib)
        return DRUA_E_UNSUPPORTED;
    if (!drua_bytes_reserve(bytes, bytes->length + max))
        return drua_fail_memory(max);
    const int level = strcmp(codec->inner, "zstd") ? DRUA_CODEC_CLEVEL : DRUA_CODEC_LEVEL;
    const int got = lib->blosc_compress_ctx(level, BLOSC_SHUFFLE, pixel_bytes, size, pixels,
                                            bytes->data + bytes->length, max, codec->inner, 0, 1);
    if (got <= 0)
        return drua_fail(DRUA_E_UNSUPPORTED,
                         "this computer's c-blosc lacks the compressor %s; write with compression=zstd or none",
                         codec->inner);
    bytes->length += (size_t)got;
    return DRUA_OK;
}

static drua_status append_bytes(const void *from, size_t length, drua_bytes *bytes)
{
    if (!drua_bytes_reserve(bytes, bytes->length + length))
        return drua_fail_memory(length);
    memcpy(bytes->data + bytes->length, from, length);
    bytes->length += length;
    return DRUA_OK;
}

/* ---- a chunk with its checksum */

static uint32_t checksum_at(const unsigned char *b)
{
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static drua_status decode_chunk(const drua_codec *codec, const unsigned char *bytes, size_t length, void *pixels,
                                size_t size)
{
    if (codec->checksum && length < CHECKSUM)
        return drua_fail(DRUA_E_ARGUMENT, "it has %zu bytes, too few for the checksum alone", length);
    if (codec->checksum && checksum_at(bytes + length - CHECKSUM) != drua_crc32c(bytes, length - CHECKSUM))
        return drua_fail(DRUA_E_ARGUMENT, "its checksum (crc32c) is wrong, so it is damaged");
    length -= codec->checksum ? CHECKSUM : 0;
    if (length > INT_MAX)
        return drua_fail(DRUA_E_ARGUMENT, "its %zu bytes are more than the 2 GB that a chunk may have", length);
    switch (codec->kind) {
    case DRUA_CODEC_GZIP:
    case DRUA_CODEC_ZLIB: return inflate_all(bytes, length, pixels, size);
    case DRUA_CODEC_ZSTD: return decode_zstd(bytes, length, pixels, size);
    case DRUA_CODEC_BLOSC: return decode_blosc(bytes, length, pixels, size);
    default: break;
    }
    if (length != size)
        return drua_fail(DRUA_E_ARGUMENT, "it has %zu bytes, not the %zu of a chunk", length, size);
    memcpy(pixels, bytes, size);
    return DRUA_OK;
}

static drua_status compress_pixels(const drua_codec *codec, const void *pixels, size_t size, size_t pixel_bytes,
                                   drua_bytes *bytes)
{
    switch (codec->kind) {
    case DRUA_CODEC_GZIP: return deflate_all(pixels, size, GZIP_WINDOW, bytes);
    case DRUA_CODEC_ZLIB: return deflate_all(pixels, size, ZLIB_WINDOW, bytes);
    case DRUA_CODEC_ZSTD: return encode_zstd(pixels, size, bytes);
    case DRUA_CODEC_BLOSC: return encode_blosc(codec, pixels, size, pixel_bytes, bytes);
    default: return append_bytes(pixels, size, bytes);
    }
}

static drua_status encode_pixels(const drua_codec *codec, const void *pixels, size_t size, size_t pixel_bytes,
                                 drua_bytes *bytes)
{
    const size_t from = bytes->length;
    DRUA_TRY(compress_pixels(codec, pixels, size, pixel_bytes, bytes));
    if (!codec->checksum)
        return DRUA_OK;
    const uint32_t sum = drua_crc32c(bytes->data + from, bytes->length - from);
    return append_bytes((const unsigned char[]){(unsigned char)sum, (unsigned char)(sum >> 8),
                                                (unsigned char)(sum >> 16), (unsigned char)(sum >> 24)},
                        CHECKSUM, bytes);
}

/* ---- times of encoding and decoding */

static _Atomic uint64_t decoding, encoding; /* nanoseconds that all threads have spent */

drua_status drua_codec_decode(const drua_codec *codec, const unsigned char *bytes, size_t length, void *pixels,
                              size_t size)
{
    const uint64_t start = drua_nanoseconds();
    const drua_status status = decode_chunk(codec, bytes, length, pixels, size);
    atomic_fetch_add(&decoding, drua_nanoseconds() - start);
    return status;
}

drua_status drua_codec_encode(const drua_codec *codec, const void *pixels, size_t size, size_t pixel_bytes,
                              drua_bytes *bytes)
{
    const uint64_t start = drua_nanoseconds();
    const drua_status status = encode_pixels(codec, pixels, size, pixel_bytes, bytes);
    atomic_fetch_add(&encoding, drua_nanoseconds() - start);
    return status;
}

void drua_codec_seconds(double *decode_seconds, double *encode_seconds)
{
    *decode_seconds = 1e-9 * (double)atomic_load(&decoding);
    *encode_seconds = 1e-9 * (double)atomic_load(&encoding);
}
