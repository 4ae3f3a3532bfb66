/* SPDX-License-Identifier: BSD-3-Clause */
#include "tiff.h"

#include "alloc.h"
#include "imagej.h"
#include "libtiff.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double MOST_CLASSIC = 4.0e9;      /* bytes that 32-bit offsets reach, less directories */

typedef struct output {
    const drua_libtiff *lib;
    TIFF *tiff;
    const char *path, *text;
    drua_shape shape;
    drua_type type;
    uint16_t samples, compression;
    int64_t pages;
} output;

static drua_status fail(const output *o)
{
    const char *said = drua_libtiff_said();
    return drua_fail(DRUA_E_ARGUMENT, "the file '%s' cannot be written%s%s; is there a folder of that name, the right to write, and space?", o->path,
                     *said ? ": " : "", said);
}

static drua_status compression_of(const char *name, uint16_t *compression)
{
    *compression = !name || !*name || !strcmp(name, "none") ? COMPRESSION_NONE
                   : !strcmp(name, "lzw")                   ? COMPRESSION_LZW
                   : !strcmp(name, "deflate")               ? COMPRESSION_ADOBE_DEFLATE
                                                            : 0;
    return *compression ? DRUA_OK : drua_fail(DRUA_E_ARGUMENT, "compression must be none, lzw or deflate, got '%s'", name);
}

static size_t pixel_bytes(const output *o)
{
    return o->type <= DRUA_INT8 ? 1 : o->type <= DRUA_INT16 ? 2 : 4;
}

static void set_scale(const output *o)
{
    char value[64];
    const char *const keys[] = {"pixelWidth", "pixelHeight"};
    const uint32_t tags[] = {TIFFTAG_XRESOLUTION, TIFFTAG_YRESOLUTION};
    bool scaled = false;
    for (int i = 0; i < 2; i++)
        if (drua_imagej_find(o->text, keys[i], value, sizeof value) && atof(value) > 0) {
            o->lib->TIFFSetField(o->tiff, tags[i], 1 / atof(value));
            scaled = true;
        }
    if (scaled)
        o->lib->TIFFSetField(o->tiff, TIFFTAG_RESOLUTIONUNIT, RESUNIT_NONE);
}

/* True if the text has colours for the 8-bit pixels. */
static bool set_colours(const output *o)
{
    char hex[6 * 256 + 1];
    uint16_t map[3][256];
    if (o->type != DRUA_UINT8 || !drua_imagej_find(o->text, "lut", hex, sizeof hex) || strlen(hex) != 6 * 256)
        return false;
    for (int i = 0; i < 3 * 256; i++) {
        unsigned byte;
        if (sscanf((char[]){hex[2 * i], hex[2 * i + 1], 0}, "%2x", &byte) != 1)
            return false;
        map[i / 256][i % 256] = (uint16_t)(byte * 257);
    }
    o->lib->TIFFSetField(o->tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_PALETTE);
    o->lib->TIFFSetField(o->tiff, TIFFTAG_COLORMAP, map[0], map[1], map[2]);
    return true;
}

static void set_about(const output *o)
{
    static const TIFFFieldInfo fields[] = {{DRUA_TAG_SIZES, -3, -3, TIFF_LONG, FIELD_CUSTOM, 1, 1, (char *)(uintptr_t) "ImageJMetaDataByteCounts"},
                                           {DRUA_TAG_DATA, -3, -3, TIFF_BYTE, FIELD_CUSTOM, 1, 1, (char *)(uintptr_t) "ImageJMetaData"}};
    drua_text description = {0};
    uint32_t count, length, *sizes;
    drua_imagej_write(o->text, o->pages, o->samples == 3, &description);
    o->lib->TIFFSetField(o->tiff, TIFFTAG_IMAGEDESCRIPTION, drua_text_characters(&description));
    drua_text_free(&description);
    unsigned char *blocks = drua_imagej_blocks(o->text, o->pages, &sizes, &count, &length);
    if (blocks && o->lib->TIFFMergeFieldInfo(o->tiff, fields, 2) == 0) {
        o->lib->TIFFSetField(o->tiff, DRUA_TAG_SIZES, count, sizes);
        o->lib->TIFFSetField(o->tiff, DRUA_TAG_DATA, length, blocks);
    }
    drua_free(blocks);
    drua_free(sizes);
}

static drua_status write_page(const output *o, int64_t page, const void *const *planes, unsigned char *strip)
{
    enum { STRIP = 1 << 20 };
    const drua_libtiff *lib = o->lib;
    const size_t row = (size_t)o->shape.width * pixel_bytes(o), strip_row = row * o->samples;
    const int64_t few = (int64_t)(STRIP / strip_row) + 1;
    const int64_t rows = o->compression == COMPRESSION_NONE ? o->shape.height : few < o->shape.height ? few : o->shape.height;
    lib->TIFFSetField(o->tiff, TIFFTAG_IMAGEWIDTH, (uint32_t)o->shape.width);
    lib->TIFFSetField(o->tiff, TIFFTAG_IMAGELENGTH, (uint32_t)o->shape.height);
    lib->TIFFSetField(o->tiff, TIFFTAG_BITSPERSAMPLE, (int)(8 * pixel_bytes(o)));
    lib->TIFFSetField(o->tiff, TIFFTAG_SAMPLESPERPIXEL, (int)o->samples);
    lib->TIFFSetField(o->tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    lib->TIFFSetField(o->tiff, TIFFTAG_COMPRESSION, (int)o->compression);
    if (o->compression == COMPRESSION_ADOBE_DEFLATE)
        lib->TIFFSetField(o->tiff, TIFFTAG_ZIPQUALITY, 1);      /* six times as fast as the usual 6; noisy pixels take 4 % more */
    lib->TIFFSetField(o->tiff, TIFFTAG_ROWSPERSTRIP, (uint32_t)rows);
    lib->TIFFSetField(o->tiff, TIFFTAG_SAMPLEFORMAT,
                      o->type == DRUA_FLOAT32                                                        ? SAMPLEFORMAT_IEEEFP
                      : o->type == DRUA_INT8 || o->type == DRUA_INT16 || o->type == DRUA_INT32 ? SAMPLEFORMAT_INT
                                                                                                      : SAMPLEFORMAT_UINT);
    lib->TIFFSetField(o->tiff, TIFFTAG_PHOTOMETRIC, o->samples == 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK);
    if (o->samples == 1)
        set_colours(o);
    set_scale(o);
    if (page == 0)
        set_about(o);
    const void *const *from = planes + page * o->samples;
    uint32_t number = 0;
    for (int64_t y = 0; y < o->shape.height; y += rows) {
        const int64_t h = o->shape.height - y < rows ? o->shape.height - y : rows;
        const size_t bytes = (size_t)h * strip_row;
        if (o->samples == 1)
            memcpy(strip, (const char *)from[0] + (size_t)y * row, bytes);     /* libtiff may change what it is given */
        else
            for (size_t i = 0; i < (size_t)(h * o->shape.width); i++)
                for (int s = 0; s < 3; s++)
                    strip[3 * i + (size_t)s] = ((const unsigned char *)from[s])[(size_t)y * row + i];
        if (lib->TIFFWriteEncodedStrip(o->tiff, number++, strip, (tmsize_t)bytes) < 0)
            return fail(o);
    }
    return lib->TIFFWriteDirectory(o->tiff) ? DRUA_OK : fail(o);
}

static bool is_rgb(const output *o)
{
    char value[32];
    return o->type == DRUA_UINT8 && o->shape.depth % 3 == 0 && drua_imagej_find(o->text, "rgb", value, sizeof value) && !strcmp(value, "1") &&
           drua_imagej_find(o->text, "depth", value, sizeof value) && atoll(value) == o->shape.depth;
}

drua_status drua_tiff_write(const char *path, drua_shape shape, drua_type type, const void *const *planes, const char *text,
                            const char *compression)
{
    static const char ENDING[] = ".writing";
    output o = {.lib = drua_libtiff_load(), .path = path, .text = text, .shape = shape, .type = type};
    if (!o.lib)
        return DRUA_E_UNSUPPORTED;
    DRUA_TRY(compression_of(compression, &o.compression));
    o.samples = is_rgb(&o) ? 3 : 1;
    o.pages = shape.depth / o.samples;
    const double bytes = (double)shape.width * (double)shape.height * (double)shape.depth * (double)pixel_bytes(&o);
    const size_t plane = (size_t)shape.width * (size_t)shape.height * pixel_bytes(&o) * o.samples;
    char *temporary = drua_alloc(strlen(path) + sizeof ENDING);
    unsigned char *strip = temporary ? drua_alloc(plane) : NULL;
    if (!strip) {
        drua_free(temporary);
        return drua_fail_memory(plane);
    }
    sprintf(temporary, "%s%s", path, ENDING);
    o.tiff = o.lib->TIFFOpen(temporary, bytes > MOST_CLASSIC ? "w8" : "w");
    drua_status status = o.tiff ? DRUA_OK : fail(&o);
    for (int64_t page = 0; page < o.pages && status == DRUA_OK; page++)
        status = write_page(&o, page, planes, strip);
    if (o.tiff)
        o.lib->TIFFClose(o.tiff);
#if defined(_WIN32)
    if (status == DRUA_OK)
        remove(path);
#endif
    if (status == DRUA_OK && (*drua_libtiff_said() || rename(temporary, path) != 0))
        status = fail(&o);
    if (status != DRUA_OK && o.tiff)
        remove(temporary);
    drua_free(strip);
    drua_free(temporary);
    return status;
}
