/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the pixels of pages. Files are untrusted: every size that a file states is compared with the file's length. */
#include "tiff_in.h"

#include "alloc.h"

#include <string.h>

static void swap_bytes(unsigned char *bytes, size_t count, size_t size)
{
    if (size == 2)
        for (size_t i = 0; i < count; i++) {
            uint16_t v;
            memcpy(&v, bytes + 2 * i, 2);
            v = (uint16_t)(v << 8 | v >> 8);
            memcpy(bytes + 2 * i, &v, 2);
        }
    else if (size == 4)
        for (size_t i = 0; i < count; i++) {
            uint32_t v;
            memcpy(&v, bytes + 4 * i, 4);
            v = v << 24 | (v << 8 & 0xff0000) | (v >> 8 & 0xff00) | v >> 24;
            memcpy(bytes + 4 * i, &v, 4);
        }
}

/* Makes the chosen level of libtiff's current page its current directory. */
static drua_status enter_level(drua_tiff *t)
{
    uint16_t count = 0;
    uint64_t *offsets = NULL;
    if (!t->level)
        return DRUA_OK;
    if (!t->lib->TIFFGetField(t->tiff, TIFFTAG_SUBIFD, &count, &offsets) || !offsets || count < t->level)
        return drua_tiff_fail(t, "lacks the chosen level on a page", "choose another level");
    const uint64_t offset = offsets[t->level - 1];
    t->at = DRUA_TIFF_BETWEEN;
    return t->lib->TIFFSetSubDirectory(t->tiff, offset) ? DRUA_OK
                                                        : drua_tiff_fail_truncated(t, "is truncated or damaged");
}

/* libtiff reaches a directory only by reading all directories before it. */
drua_status drua_tiff_enter(drua_tiff *t, int64_t number)
{
    const drua_libtiff *lib = t->lib;
    if (number < t->at) {
        t->at = t->level && number <= UINT16_MAX ? number : 0; /* libtiff before 4.5 has 16 bits for this number */
        if (!lib->TIFFSetDirectory(t->tiff, (tdir_t)t->at))
            return drua_tiff_fail_truncated(t, "is truncated or damaged");
    }
    for (; t->at < number; t->at++)
        if (!lib->TIFFReadDirectory(t->tiff))
            return drua_tiff_fail_truncated(t, "is truncated or damaged");
    return enter_level(t);
}

static drua_status go_to(drua_tiff *t, int64_t number)
{
    DRUA_TRY(drua_tiff_enter(t, number));
    const drua_tiff_page p = drua_tiff_page_info(t);
    if (p.depth > 1)
        return drua_tiff_fail_depth(t, p.depth);
    drua_stored_type stored;
    if (p.width != t->width || p.height != t->height || p.samples != t->samples ||
        drua_tiff_type_of(p.bits, p.format, &stored) != t->type || stored != t->stored)
        return drua_tiff_fail(t, "holds images of several sizes or types", "save each in its own TIFF");
    if (drua_tiff_row_bytes(t, p.width, p.samples) * p.height >
        t->file_bytes * (uint64_t)(p.compression == COMPRESSION_NONE ? 1 : DRUA_TIFF_EXPANSION))
        return drua_tiff_fail_truncated(t, "is truncated or damaged");
    return DRUA_OK;
}

static const char LACKS[] = "is damaged: pixels of a page are missing";

/*
 * Returns whether the page's first `count` strips or tiles have pixels. If a strip has no offset, libtiff reads the
 * header of the file as its pixels.
 */
static bool has_pixels(const drua_tiff *t, uint32_t tag, uint32_t count)
{
    enum { HEADER = 8 };
    uint64_t *offsets = NULL;
    bool good = t->lib->TIFFGetField(t->tiff, tag, &offsets) && offsets;
    for (uint32_t i = 0; good && i < count; i++)
        good = offsets[i] >= HEADER;
    return good;
}

/* The part of a strip or tile that belongs to the image: rows of `row_bytes`, and their place in the image. */
typedef struct piece {
    const unsigned char *from;
    size_t row_bytes;
    uint32_t x, y, width, height;
} piece;

/* Returns the place of the piece's row in a plane. */
static unsigned char *row_in(const drua_tiff *t, void *plane, const piece *c, uint32_t row)
{
    return (unsigned char *)plane + ((size_t)(c->y + row) * t->width + c->x) * drua_tiff_sample_bytes(t);
}

/* Copies the pixels, which have `samples` values each, into as many planes. */
static void place_pixels(const drua_tiff *t, void *const *planes, uint16_t samples, const piece *c)
{
    for (uint32_t y = 0; y < c->height; y++) {
        const unsigned char *row = c->from + y * c->row_bytes;
        for (uint16_t s = 0; s < samples; s++) {
            unsigned char *to = row_in(t, planes[s], c, y);
            if (samples == 1)
                memcpy(to, row, c->width * drua_tiff_sample_bytes(t));
            else
                for (uint32_t x = 0; x < c->width; x++)
                    to[x] = row[(size_t)x * samples + s];
        }
    }
}

/* As place_pixels for one value per pixel, from rows in the file's type. */
static drua_status convert_rows(const drua_tiff *t, void *plane, const piece *c)
{
    for (uint32_t y = 0; y < c->height; y++)
        if (!drua_convert_stored(t->stored, c->from + y * c->row_bytes, c->width, row_in(t, plane, c, y)))
            return drua_tiff_fail(t, "has values of 64 bits per pixel that fewer bits cannot hold exactly",
                                  "save it again as a TIFF with 8, 16 or 32 bits per pixel");
    return DRUA_OK;
}

static drua_status read_tiles(drua_tiff *t, const drua_tiff_page *p, void *const *planes)
{
    const drua_libtiff *lib = t->lib;
    uint32_t width = 0, height = 0;
    const uint64_t bytes = lib->TIFFTileSize64(t->tiff);
    const bool separate = p->samples > 1 && p->planar == PLANARCONFIG_SEPARATE;
    const uint16_t together = separate ? 1 : p->samples;
    lib->TIFFGetField(t->tiff, TIFFTAG_TILEWIDTH, &width);
    lib->TIFFGetField(t->tiff, TIFFTAG_TILELENGTH, &height);
    if (!width || !height || width > INT32_MAX || height > INT32_MAX ||
        bytes != drua_tiff_row_bytes(t, width, together) * height ||
        bytes > (t->file_bytes + 65536) * (uint64_t)DRUA_TIFF_EXPANSION)
        return drua_tiff_fail_truncated(t, "is truncated or damaged");
    if (!has_pixels(t, TIFFTAG_TILEOFFSETS, lib->TIFFNumberOfTiles(t->tiff)))
        return drua_tiff_fail_truncated(t, LACKS);
    unsigned char *tile = drua_alloc((size_t)bytes);
    const size_t row_bytes = (size_t)(bytes / height);
    drua_status status = tile ? DRUA_OK : drua_fail_memory((size_t)bytes);
    for (uint16_t s = 0; s < p->samples / together && status == DRUA_OK; s++)
        for (uint32_t y = 0; y < t->height && status == DRUA_OK; y += height)
            for (uint32_t x = 0; x < t->width && status == DRUA_OK; x += width) {
                const piece c = {tile,
                                 row_bytes,
                                 x,
                                 y,
                                 t->width - x < width ? t->width - x : width,
                                 t->height - y < height ? t->height - y : height};
                if (lib->TIFFReadEncodedTile(t->tiff, lib->TIFFComputeTile(t->tiff, x, y, 0, s), tile,
                                             (tmsize_t)bytes) < (tmsize_t)bytes)
                    status = drua_tiff_fail_truncated(t, "is truncated or damaged");
                else if (t->stored)
                    status = convert_rows(t, planes[0], &c);
                else
                    place_pixels(t, planes + s, together, &c);
            }
    drua_free(tile);
    return status;
}

static drua_status read_strips(drua_tiff *t, const drua_tiff_page *p, void *const *planes)
{
    const drua_libtiff *lib = t->lib;
    uint32_t rows = 0;
    const bool separate = p->samples > 1 && p->planar == PLANARCONFIG_SEPARATE;
    const uint16_t together = separate ? 1 : p->samples;
    const size_t row_bytes = (size_t)drua_tiff_row_bytes(t, t->width, together);
    lib->TIFFGetFieldDefaulted(t->tiff, TIFFTAG_ROWSPERSTRIP, &rows);
    if (rows == 0 || rows > t->height)
        rows = t->height;
    const uint32_t strips = (t->height - 1) / rows + 1;
    if (lib->TIFFNumberOfStrips(t->tiff) < strips * (p->samples / together) ||
        (lib->TIFFStripSize64(t->tiff) != (uint64_t)rows * row_bytes))
        return drua_tiff_fail_truncated(t, "is truncated or damaged");
    if (!has_pixels(t, TIFFTAG_STRIPOFFSETS, strips * (p->samples / together)))
        return drua_tiff_fail_truncated(t, LACKS);
    const bool apart_of_planes = together > 1 || t->stored;
    unsigned char *strip = apart_of_planes ? drua_alloc(rows * row_bytes) : NULL;
    drua_status status = !apart_of_planes || strip ? DRUA_OK : drua_fail_memory(rows * row_bytes);
    for (uint16_t s = 0; s < p->samples / together && status == DRUA_OK; s++)
        for (uint32_t i = 0; i < strips && status == DRUA_OK; i++) {
            const uint32_t y = i * rows, h = t->height - y < rows ? t->height - y : rows;
            unsigned char *to = strip ? strip : (unsigned char *)planes[s] + y * row_bytes;
            const piece c = {strip, row_bytes, 0, y, t->width, h};
            if (lib->TIFFReadEncodedStrip(t->tiff, s * strips + i, to, (tmsize_t)(h * row_bytes)) <
                (tmsize_t)(h * row_bytes))
                status = drua_tiff_fail_truncated(t, "is truncated or damaged");
            else if (t->stored)
                status = convert_rows(t, planes[0], &c);
            else if (strip)
                place_pixels(t, planes, together, &c);
        }
    drua_free(strip);
    return status;
}

/* Reads a page of a contiguous file directly, without libtiff. */
static drua_status read_contiguous(drua_tiff *t, int64_t number, void *const *planes)
{
    const size_t bytes = drua_tiff_plane_bytes(t) * t->samples;
    unsigned char *colours = t->samples > 1 ? drua_alloc(bytes) : NULL;
    void *to = t->samples > 1 ? colours : planes[0];
    if (!to)
        return drua_fail_memory(bytes);
    drua_status status = DRUA_OK;
    if (!drua_store_file_read(t->file, t->first_byte + (uint64_t)number * bytes, to, bytes))
        status = drua_tiff_fail_truncated(t, "is truncated or damaged");
    else if (colours)
        place_pixels(t, planes, t->samples, &(piece){colours, bytes / t->height, 0, 0, t->width, t->height});
    else if (t->lib->TIFFIsByteSwapped(t->tiff))
        swap_bytes(to, bytes / drua_tiff_sample_bytes(t), drua_tiff_sample_bytes(t));
    drua_free(colours);
    return status;
}

/* Reads a page of another file of the set, which stays open until a page of the next one is read. */
static drua_status read_part(drua_tiff *t, int part, int64_t number, void *const *planes)
{
    if (part != t->part_at) {
        drua_tiff_close(t->part);
        t->part = NULL;
        t->part_at = -1;
        DRUA_TRY(drua_tiff_open_part(t->parts[part].path, &t->part));
        t->part_at = part;
    }
    const drua_tiff *p = t->part;
    if (p->width != t->width || p->height != t->height || p->samples != t->samples || p->type != t->type ||
        p->stored != t->stored)
        return drua_tiff_fail(p, "holds pages of another size or type than the other files of its OME-TIFF",
                              "save the OME-TIFF again");
    if (number >= p->pages)
        return drua_tiff_fail_truncated(p, "has fewer pages than the OME-XML of its OME-TIFF states");
    return drua_tiff_read_page(t->part, number, planes);
}

drua_status drua_tiff_read_page(drua_tiff *t, int64_t page_number, void *const *planes)
{
    const int64_t place = t->first + page_number * t->step, number = t->page_of ? t->page_of[place] : place;
    if (t->part_of && t->part_of[place] >= 0)
        return read_part(t, t->part_of[place], number, planes);
    if (t->contiguous)
        return read_contiguous(t, number, planes);
    DRUA_TRY(go_to(t, number));
    const drua_tiff_page p = drua_tiff_page_info(t);
    return t->lib->TIFFIsTiled(t->tiff) ? read_tiles(t, &p, planes) : read_strips(t, &p, planes);
}
