/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The contiguous pixels of all pages come first, because ImageJ expects this after images=N. All directories come last,
 * so that every truncated file lacks directories. libtiff compresses the strips.
 */
#include "tiff_out.h"

#include "alloc.h"
#include "imagej.h"
#include "libtiff.h"
#include "ome_write.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double MAX_CLASSIC = 4.0e9; /* bytes that 32-bit offsets can address, less the header */

typedef drua_tiff_out output;

static drua_status fail_with_message(const output *o, const char *message)
{
    return drua_fail(
        DRUA_E_ARGUMENT,
        "the file '%s' cannot be written%s%s; check the disk space, and that the folder exists and is writable",
        o->path, *message ? ": " : "", message);
}

drua_status tiff_out_fail(const drua_tiff_out *o)
{
    return drua_new_file_fail(o->path);
}

static drua_status compression_of(const char *name, uint16_t *compression)
{
    if (!name || !*name || !strcmp(name, "none"))
        *compression = COMPRESSION_NONE;
    else if (!strcmp(name, "lzw"))
        *compression = COMPRESSION_LZW;
    else if (!strcmp(name, "deflate"))
        *compression = COMPRESSION_ADOBE_DEFLATE;
    else
        return drua_fail(DRUA_E_ARGUMENT, "compression must be none, lzw or deflate, got '%s'", name);
    return DRUA_OK;
}

static size_t pixel_bytes(const output *o)
{
    return o->type <= DRUA_INT8 ? 1 : o->type <= DRUA_INT16 ? 2 : 4;
}

static size_t row_bytes(const output *o)
{
    return (size_t)o->shape.width * pixel_bytes(o) * o->samples;
}

static size_t tile_bytes(const output *o)
{
    return (size_t)TIFF_OUT_TILE * TIFF_OUT_TILE * pixel_bytes(o) * o->samples;
}

/* Sets the tags that determine a strip's bytes. The bytes of a tile are those of a strip of its extent. */
static void set_format(const output *o, TIFF *tiff, int64_t height)
{
    const drua_libtiff *lib = o->lib;
    lib->TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, o->levels ? (uint32_t)TIFF_OUT_TILE : (uint32_t)o->shape.width);
    lib->TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, (uint32_t)height);
    lib->TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, (int)(8 * pixel_bytes(o)));
    lib->TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, (int)o->samples);
    lib->TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    lib->TIFFSetField(tiff, TIFFTAG_COMPRESSION, (int)o->compression);
    if (o->compression == COMPRESSION_ADOBE_DEFLATE)
        lib->TIFFSetField(tiff, TIFFTAG_ZIPQUALITY,
                          1); /* six times as fast as the default level 6; noisy pixels take 4 % more space */
    lib->TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, (uint32_t)o->rows);
    lib->TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT,
                      o->type == DRUA_FLOAT32                                                  ? SAMPLEFORMAT_IEEEFP
                      : o->type == DRUA_INT8 || o->type == DRUA_INT16 || o->type == DRUA_INT32 ? SAMPLEFORMAT_INT
                                                                                               : SAMPLEFORMAT_UINT);
    lib->TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, o->samples == 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK);
}

static bool is_rgb(const output *o)
{
    char value[32];
    return o->type == DRUA_UINT8 && o->shape.depth % 3 == 0 && drua_imagej_find(o->text, "rgb", value, sizeof value) &&
           !strcmp(value, "1") && drua_imagej_find(o->text, "depth", value, sizeof value) &&
           atoll(value) == o->shape.depth;
}

int drua_tiff_out_samples(const drua_tiff_out *o)
{
    return o->samples;
}

int64_t drua_tiff_out_pages(const drua_tiff_out *o)
{
    return o->pages;
}

int64_t drua_tiff_out_strips(const drua_tiff_out *o)
{
    int64_t tiles = 0;
    for (int level = 0; level < o->levels; level++)
        tiles += tiff_out_tiles(o, level);
    return o->levels ? tiles : (o->shape.height + o->rows - 1) / o->rows;
}

/* ---- a strip, encoded by libtiff as the only strip of a file in memory */

typedef struct memory_file {
    char *bytes;
    size_t length, capacity, at;
} memory_file;

static tmsize_t read_memory(thandle_t handle, void *bytes, tmsize_t length)
{
    memory_file *f = handle;
    const size_t available = f->at < f->length ? f->length - f->at : 0,
                 n = (size_t)length < available ? (size_t)length : available;
    memcpy(bytes, f->bytes + f->at, n);
    f->at += n;
    return (tmsize_t)n;
}

static tmsize_t write_memory(thandle_t handle, void *bytes, tmsize_t length)
{
    memory_file *f = handle;
    const size_t end = f->at + (size_t)length;
    if (end > f->capacity) {
        const size_t capacity = end + end / 2;
        char *grown = drua_realloc(f->bytes, capacity);
        if (!grown)
            return -1;
        memset(grown + f->capacity, 0, capacity - f->capacity);
        f->bytes = grown;
        f->capacity = capacity;
    }
    memcpy(f->bytes + f->at, bytes, (size_t)length);
    f->at = end;
    f->length = end > f->length ? end : f->length;
    return length;
}

static toff_t seek_memory(thandle_t handle, toff_t offset, int from)
{
    memory_file *f = handle;
    f->at = (size_t)offset + (from == SEEK_SET ? 0 : from == SEEK_CUR ? f->at : f->length);
    return f->at;
}

static toff_t size_of_memory(thandle_t handle)
{
    return ((memory_file *)handle)->length;
}

static int close_memory(thandle_t handle)
{
    (void)handle;
    return 0;
}

static drua_status compress_strip(const output *o, void *pixels, size_t length, drua_strip *encoded)
{
    const drua_libtiff *lib = o->lib;
    memory_file file = {.bytes = encoded->memory, .capacity = encoded->capacity};
    TIFF *tiff = lib->TIFFClientOpen(o->path, "w", &file, read_memory, write_memory, seek_memory, close_memory,
                                     size_of_memory, NULL, NULL);
    if (tiff)
        set_format(o, tiff, o->levels ? TIFF_OUT_TILE : (int64_t)(length / row_bytes(o)));
    const size_t first = file.length;       /* after the header */
    const bool good = tiff && lib->TIFFWriteEncodedStrip(tiff, 0, pixels, (tmsize_t)length) >= 0;
    const size_t end = file.length;
    const drua_status status = good ? DRUA_OK : fail_with_message(o, drua_libtiff_message());
    if (tiff)
        lib->TIFFClose(tiff);
    drua_libtiff_message();
    *encoded = (drua_strip){.bytes = file.bytes ? file.bytes + first : NULL,
                            .memory = file.bytes,
                            .length = end - first,
                            .capacity = file.capacity};
    return status;
}

static drua_status encode_tile(const output *o, int64_t tile, void *const *planes, drua_strip *encoded)
{
    const size_t length = tile_bytes(o);
    unsigned char *pixels;
    DRUA_TRY(tiff_out_tile(o, tile, planes, &pixels));
    if (o->compression != COMPRESSION_NONE) {
        const drua_status status = compress_strip(o, pixels, length, encoded);
        drua_free(pixels);
        return status;
    }
    drua_free(encoded->memory);
    *encoded = (drua_strip){.bytes = pixels, .memory = pixels, .length = length, .capacity = length};
    return DRUA_OK;
}

drua_status drua_tiff_encode(const drua_tiff_out *o, int64_t strip, void *const *planes, drua_strip *encoded)
{
    if (o->levels)
        return encode_tile(o, strip, planes, encoded);
    const int64_t y = strip * o->rows, height = o->shape.height - y < o->rows ? o->shape.height - y : o->rows;
    const size_t length = (size_t)height * row_bytes(o), from = (size_t)y * row_bytes(o) / o->samples;
    char *pixels = (char *)planes[0] + from;
    unsigned char *colours = o->samples == 3 ? drua_alloc(length) : NULL;
    if (o->samples == 3 && !colours)
        return drua_fail_memory(length);
    for (size_t i = 0; colours && i < length; i++)
        colours[i] = ((const unsigned char *)planes[i % 3])[from + i / 3];
    if (colours)
        pixels = (char *)colours;
    if (o->compression != COMPRESSION_NONE) {
        const drua_status status = compress_strip(o, pixels, length, encoded);
        drua_free(colours);
        return status;
    }
    if (colours)
        drua_free(encoded->memory);
    *encoded = (drua_strip){.bytes = pixels,
                            .memory = colours ? colours : encoded->memory,
                            .length = length,
                            .capacity = colours ? length : encoded->capacity};
    return DRUA_OK;
}

/* ---- the file */

bool tiff_out_add(drua_tiff_out *o, const void *bytes, size_t length)
{
    errno = 0;
    o->at += length;
    return fwrite(bytes, 1, length, o->new.file) == length;
}

drua_status drua_tiff_put(drua_tiff_out *o, int64_t page, int64_t strip, const drua_strip *encoded)
{
    o->lengths[page * drua_tiff_out_strips(o) + strip] = encoded->length;
    return tiff_out_add(o, encoded->bytes, encoded->length) ? DRUA_OK : tiff_out_fail(o);
}

/* Returns an upper bound on the file's length. LZW can enlarge noise, and each page needs a directory. */
static double max_bytes(const output *o)
{
    const double worst = o->compression == COMPRESSION_LZW ? 1.5 : 1, directory = 2048, strip = 8,
                 strips = (double)drua_tiff_out_strips(o);
    if (o->levels)
        return (double)o->pages * (strips * (worst * (double)tile_bytes(o) + 1024 + strip) + directory * o->levels);
    return (double)o->pages * (worst * (double)row_bytes(o) * (double)o->shape.height + directory + strip * strips);
}

static drua_status open_file(output *o, const char *folder)
{
    unsigned char head[16];
    o->big = max_bytes(o) > MAX_CLASSIC;
    o->lengths = drua_alloc((size_t)(o->pages * drua_tiff_out_strips(o)) * sizeof *o->lengths);
    if (!o->lengths)
        return drua_fail_memory((size_t)(o->pages * drua_tiff_out_strips(o)) * sizeof *o->lengths);
    DRUA_TRY(drua_new_file_begin(&o->new, o->path, folder));
    return tiff_out_add(o, head, tiff_out_header(o, 0, head)) && fflush(o->new.file) == 0 ? DRUA_OK : tiff_out_fail(o);
}

drua_status drua_tiff_create(const char *path, drua_shape shape, drua_type type, const char *text,
                             const char *compression, const char *folder, drua_tiff_out **out)
{
    enum { STRIP = 1 << 20 };
    const drua_libtiff *lib = drua_libtiff_load();
    uint16_t scheme = COMPRESSION_NONE;
    *out = NULL;
    if (!lib)
        return DRUA_E_UNSUPPORTED;
    DRUA_TRY(compression_of(compression, &scheme));
    output *o = drua_alloc(sizeof *o);
    if (!o)
        return drua_fail_memory(sizeof *o);
    *o = (output){.lib = lib, .path = path, .text = text, .shape = shape, .type = type, .compression = scheme};
    o->samples = is_rgb(o) ? 3 : 1;
    o->levels = drua_ome_is_name(path) ? tiff_out_levels(shape) : 0;
    o->pages = shape.depth / o->samples;
    const int64_t few = (int64_t)(STRIP / row_bytes(o)) + 1;
    o->rows = scheme == COMPRESSION_NONE || few > shape.height ? shape.height : few;
    const drua_status status = open_file(o, folder);
    if (status != DRUA_OK)
        return drua_tiff_finish(o, status);
    *out = o;
    return DRUA_OK;
}

/* Writes the header, which points to the first directory, after all directories are written. */
static drua_status end_file(output *o)
{
    unsigned char head[16];
    uint64_t first;
    DRUA_TRY(tiff_out_directories(o, &first));
    const size_t length = tiff_out_header(o, first, head);
    errno = 0;
    return fseeko(o->new.file, 0, SEEK_SET) == 0 && fwrite(head, 1, length, o->new.file) == length &&
                   fflush(o->new.file) == 0
               ? DRUA_OK
               : tiff_out_fail(o);
}

drua_status drua_tiff_finish(drua_tiff_out *o, drua_status status)
{
    if (status == DRUA_OK)
        status = end_file(o);
    status = drua_new_file_end(&o->new, status);
    drua_free(o->lengths);
    drua_free(o);
    return status;
}
