/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the directories of a TIFF file after its pixels, according to TIFF Revision 6.0 (Adobe, 1992) and BigTIFF. */
#include "tiff_out.h"

#include "alloc.h"
#include "imagej_file.h"
#include "little_endian.h"
#include "ome_write.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ENTRIES = 24, COLOURS = 256 };

typedef struct entry {
    uint16_t tag, type;
    uint64_t count;
    unsigned char value[8]; /* the values, or their offset */
} entry;

/* The entries of a page, in any order; write_entries sorts them by tag, as TIFF requires. */
typedef struct directory {
    drua_tiff_out *out;
    entry entries[MAX_ENTRIES];
    int count;
    bool failed; /* writing values has failed */
} directory;

static int offset_bytes(const drua_tiff_out *o)
{
    return o->big ? 8 : 4;
}

size_t tiff_out_header(const drua_tiff_out *o, uint64_t first, unsigned char head[16])
{
    memcpy(head, "II", 2);
    drua_put_number(head + 2, o->big ? 43 : 42, 2);
    drua_put_number(head + 4, o->big ? 8 : first, 4);
    if (!o->big)
        return 8;
    drua_put_number(head + 8, first, 8);
    return 16;
}

/* ---- entries */

/* Adds a byte if the offset is odd, because values begin at even offsets. */
static bool align_to_even(drua_tiff_out *o)
{
    return o->at % 2 == 0 || tiff_out_add(o, "", 1);
}

/*
 * Adds an entry. Immediately writes values that do not fit into the entry to the file. Pages that copy the entry share
 * these values.
 */
static void add_bytes(directory *d, uint16_t tag, uint16_t type, uint64_t count, const void *bytes, size_t length)
{
    entry *e = &d->entries[d->count++];
    *e = (entry){.tag = tag, .type = type, .count = count};
    if (length <= (size_t)offset_bytes(d->out)) {
        memcpy(e->value, bytes, length);
        return;
    }
    d->failed |= !align_to_even(d->out);
    drua_put_number(e->value, d->out->at, 8);
    d->failed |= !tiff_out_add(d->out, bytes, length);
}

static void add_number(directory *d, uint16_t tag, uint16_t type, uint64_t number)
{
    unsigned char bytes[8];
    const int size = type == TIFF_SHORT ? 2 : type == TIFF_LONG ? 4 : 8;
    drua_put_number(bytes, number, size);
    add_bytes(d, tag, type, 1, bytes, (size_t)size);
}

/* Adds the same number for each sample of a pixel. */
static void add_samples(directory *d, uint16_t tag, uint16_t number)
{
    unsigned char bytes[6];
    for (int i = 0; i < d->out->samples; i++)
        drua_put_number(bytes + 2 * i, number, 2);
    add_bytes(d, tag, TIFF_SHORT, d->out->samples, bytes, 2 * (size_t)d->out->samples);
}

/* Approximates a number by a fraction of two 32-bit integers, using continued fractions. */
static void add_fraction(directory *d, uint16_t tag, double number)
{
    double above[2] = {1, 0}, below[2] = {0, 1}, rest = number;
    unsigned char bytes[8];
    for (int i = 0; i < 40; i++) {
        const double whole = floor(rest), p = whole * above[0] + above[1], q = whole * below[0] + below[1];
        if (p > UINT32_MAX || q > UINT32_MAX)
            break;
        above[1] = above[0];
        below[1] = below[0];
        above[0] = p;
        below[0] = q;
        if (rest == whole || fabs(p / q - number) <= 1e-12 * number)
            break;
        rest = 1 / (rest - whole);
    }
    const bool large = below[0] == 0;
    drua_put_number(bytes, large ? UINT32_MAX : (uint64_t)above[0], 4);
    drua_put_number(bytes + 4, large ? 1 : (uint64_t)below[0], 4);
    add_bytes(d, tag, TIFF_RATIONAL, 1, bytes, sizeof bytes);
}

/* ---- entries common to all pages */

static bool find_colours(const drua_tiff_out *o, unsigned char map[2 * 3 * COLOURS])
{
    char hex[6 * COLOURS + 1];
    if (o->type != DRUA_UINT8 || o->samples != 1 || !drua_imagej_find(o->text, "lut", hex, sizeof hex) ||
        strlen(hex) != 6 * COLOURS)
        return false;
    for (int i = 0; i < 3 * COLOURS; i++) {
        unsigned byte;
        if (sscanf((char[]){hex[2 * i], hex[2 * i + 1], 0}, "%2x", &byte) != 1)
            return false;
        drua_put_number(map + 2 * i, byte * 257, 2);
    }
    return true;
}

static double pixels_per_unit(const drua_tiff_out *o, const char *key)
{
    char value[64];
    const double size = drua_imagej_find(o->text, key, value, sizeof value) ? atof(value) : 0;
    return size > 0 && isfinite(size) ? 1 / size : 0;
}

/* Adds the entries common to all pages at a level, without the strips or tiles. */
static void add_common(directory *d, int level)
{
    const drua_tiff_out *o = d->out;
    const bool is_signed = o->type == DRUA_INT8 || o->type == DRUA_INT16 || o->type == DRUA_INT32;
    const double x = pixels_per_unit(o, "pixelWidth"), y = pixels_per_unit(o, "pixelHeight");
    const int bits = o->type <= DRUA_INT8 ? 8 : o->type <= DRUA_INT16 ? 16 : 32;
    unsigned char map[2 * 3 * COLOURS];
    const bool colours = find_colours(o, map);
    add_number(d, TIFFTAG_IMAGEWIDTH, TIFF_LONG, (uint64_t)tiff_out_side(o->shape.width, level));
    add_number(d, TIFFTAG_IMAGELENGTH, TIFF_LONG, (uint64_t)tiff_out_side(o->shape.height, level));
    add_samples(d, TIFFTAG_BITSPERSAMPLE, (uint16_t)bits);
    add_number(d, TIFFTAG_COMPRESSION, TIFF_SHORT, o->compression);
    add_number(d, TIFFTAG_PHOTOMETRIC, TIFF_SHORT,
               o->samples == 3 ? PHOTOMETRIC_RGB
               : colours       ? PHOTOMETRIC_PALETTE
                               : PHOTOMETRIC_MINISBLACK);
    add_number(d, TIFFTAG_SAMPLESPERPIXEL, TIFF_SHORT, o->samples);
    if (o->levels) {
        add_number(d, TIFFTAG_TILEWIDTH, TIFF_SHORT, TIFF_OUT_TILE);
        add_number(d, TIFFTAG_TILELENGTH, TIFF_SHORT, TIFF_OUT_TILE);
    } else {
        add_number(d, TIFFTAG_ROWSPERSTRIP, TIFF_LONG, (uint64_t)o->rows);
    }
    if (level > 0)
        add_number(d, TIFFTAG_SUBFILETYPE, TIFF_LONG, FILETYPE_REDUCEDIMAGE);
    if (x > 0)
        add_fraction(d, TIFFTAG_XRESOLUTION, ldexp(x, -level));
    if (y > 0)
        add_fraction(d, TIFFTAG_YRESOLUTION, ldexp(y, -level));
    add_number(d, TIFFTAG_PLANARCONFIG, TIFF_SHORT, PLANARCONFIG_CONTIG);
    if (x > 0 || y > 0)
        add_number(d, TIFFTAG_RESOLUTIONUNIT, TIFF_SHORT, RESUNIT_NONE);
    if (colours)
        add_bytes(d, TIFFTAG_COLORMAP, TIFF_SHORT, 3 * COLOURS, map, sizeof map);
    add_samples(d, TIFFTAG_SAMPLEFORMAT,
                o->type == DRUA_FLOAT32 ? SAMPLEFORMAT_IEEEFP
                : is_signed             ? SAMPLEFORMAT_INT
                                        : SAMPLEFORMAT_UINT);
}

/* ---- entries of the first page only */

static drua_status add_description(directory *d)
{
    drua_text text = {0};
    if (d->out->levels)
        DRUA_TRY(drua_ome_write(d->out, &text));
    else
        drua_imagej_write(d->out->text, d->out->pages, d->out->samples == 3, &text);
    if (!text.failed)
        add_bytes(d, TIFFTAG_IMAGEDESCRIPTION, TIFF_ASCII, text.length + 1, drua_text_characters(&text),
                  text.length + 1);
    const drua_status status = text.failed ? drua_fail_memory(text.length) : DRUA_OK;
    drua_text_free(&text);
    return status;
}

static drua_status add_labels(directory *d)
{
    uint32_t count, length, *sizes;
    unsigned char *blocks;
    DRUA_TRY(drua_imagej_blocks(d->out->text, d->out->pages, &blocks, &sizes, &count, &length));
    if (blocks) {
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t size = sizes[i];
            drua_put_number((unsigned char *)&sizes[i], size, 4);
        }
        add_bytes(d, DRUA_TAG_SIZES, TIFF_LONG, count, sizes, count * sizeof *sizes);
        add_bytes(d, DRUA_TAG_DATA, TIFF_BYTE, length, blocks, length);
    }
    drua_free(blocks);
    drua_free(sizes);
    return DRUA_OK;
}

/* ---- pages */

/* Writes, for each page, the offsets and then the lengths of its strips, or of the tiles of all its levels. */
static drua_status write_strips(drua_tiff_out *o)
{
    const int64_t strips = drua_tiff_out_strips(o);
    const size_t size = (size_t)offset_bytes(o), length = 2 * (size_t)strips * size;
    uint64_t at = o->big ? 16 : 8;
    unsigned char *bytes = drua_alloc(length);
    bool good = bytes && align_to_even(o);
    for (int64_t page = 0; page < o->pages && good; page++) {
        for (int64_t i = 0; i < strips; i++) {
            const uint64_t one = o->lengths[page * strips + i];
            drua_put_number(bytes + (size_t)i * size, at, (int)size);
            drua_put_number(bytes + (size_t)(strips + i) * size, one, (int)size);
            at += one;
        }
        good = tiff_out_add(o, bytes, length);
    }
    const drua_status status = !bytes ? drua_fail_memory(length) : good ? DRUA_OK : tiff_out_fail(o);
    drua_free(bytes);
    return status;
}

/*
 * The strips of a page, or its tiles at one level. `first` is the index of the first piece within the page, `at` its
 * offset in the file.
 */
typedef struct piece_list {
    int64_t page, first, count;
    uint64_t at;
} piece_list;

/* `arrays`: offset of the arrays from write_strips. */
static void add_pieces(directory *d, const piece_list *p, uint64_t arrays)
{
    const drua_tiff_out *o = d->out;
    const uint16_t type = o->big ? TIFF_LONG8 : TIFF_LONG;
    const uint64_t size = (uint64_t)offset_bytes(o), all = (uint64_t)drua_tiff_out_strips(o),
                   own = arrays + (2 * (uint64_t)p->page * all + (uint64_t)p->first) * size;
    const bool one = p->count == 1;
    add_number(d, o->levels ? TIFFTAG_TILEOFFSETS : TIFFTAG_STRIPOFFSETS, type, one ? p->at : own);
    d->entries[d->count - 1].count = (uint64_t)p->count;
    add_number(d, o->levels ? TIFFTAG_TILEBYTECOUNTS : TIFFTAG_STRIPBYTECOUNTS, type,
               one ? o->lengths[(uint64_t)p->page * all + (uint64_t)p->first] : own + all * size);
    d->entries[d->count - 1].count = (uint64_t)p->count;
}

static void pass_pieces(const drua_tiff_out *o, piece_list *p)
{
    for (int64_t i = 0; i < p->count; i++)
        p->at += o->lengths[p->page * drua_tiff_out_strips(o) + p->first + i];
    p->first += p->count;
}

static int by_tag(const void *a, const void *b)
{
    return ((const entry *)a)->tag - ((const entry *)b)->tag;
}

static void write_entries(directory *d, bool last)
{
    drua_tiff_out *o = d->out;
    unsigned char bytes[8 + 20 * MAX_ENTRIES + 8], *to = bytes;
    const int number = o->big ? 8 : 2, size = offset_bytes(o);
    qsort(d->entries, (size_t)d->count, sizeof *d->entries, by_tag);
    drua_put_number(to, (uint64_t)d->count, number);
    to += number;
    for (int i = 0; i < d->count; i++, to += 4 + 2 * size) {
        const entry *e = &d->entries[i];
        drua_put_number(to, e->tag, 2);
        drua_put_number(to + 2, e->type, 2);
        drua_put_number(to + 4, e->count, size);
        memcpy(to + 4 + size, e->value, (size_t)size);
    }
    const size_t length = (size_t)(to - bytes) + (size_t)size;
    drua_put_number(to, last ? 0 : o->at + length, size);
    d->failed |= !tiff_out_add(o, bytes, length);
}

/*
 * Writes the directories of the smaller levels; no directory points to them as its successor. *value receives the
 * offset of a single directory, or of an array of offsets.
 */
static bool write_levels(drua_tiff_out *o, const directory *levels, piece_list *p, uint64_t arrays, uint64_t *value)
{
    unsigned char offsets[8 * TIFF_OUT_LEVELS];
    const int size = offset_bytes(o), count = o->levels - 1;
    bool good = true;
    for (int level = 1; level <= count && good; level++) {
        directory d = levels[level];
        p->count = tiff_out_tiles(o, level);
        add_pieces(&d, p, arrays);
        good = align_to_even(o);
        *value = o->at;
        drua_put_number(offsets + (level - 1) * size, o->at, size);
        write_entries(&d, true);
        good = good && !d.failed;
        pass_pieces(o, p);
    }
    if (count < 2)
        return good;
    good = good && align_to_even(o);
    *value = o->at;
    return good && tiff_out_add(o, offsets, (size_t)(count * size));
}

/* Writes the smaller levels of all pages. `values` receives the *value of write_levels for each page. */
static drua_status write_all_levels(drua_tiff_out *o, uint64_t arrays, uint64_t *values)
{
    directory levels[TIFF_OUT_LEVELS];
    bool good = true;
    piece_list p = {.at = o->big ? 16 : 8};
    for (int level = 1; level < o->levels; level++) {
        levels[level] = (directory){.out = o};
        add_common(&levels[level], level);
        good = good && !levels[level].failed;
    }
    for (; p.page < o->pages && good; p.page++) {
        p.first = 0;
        p.count = tiff_out_tiles(o, 0);
        pass_pieces(o, &p);
        good = write_levels(o, levels, &p, arrays, &values[p.page]);
    }
    return good ? DRUA_OK : tiff_out_fail(o);
}

/* Writes the directories of the pages one after another. `values`: from write_all_levels, or NULL. */
static drua_status write_pages(drua_tiff_out *o, const directory *common, const directory *about, uint64_t arrays,
                               const uint64_t *values)
{
    const int64_t pieces = drua_tiff_out_strips(o), own = o->levels ? tiff_out_tiles(o, 0) : pieces;
    piece_list p = {.at = o->big ? 16 : 8};
    bool good = true;
    for (; p.page < o->pages && good; p.page++) {
        directory d = *common;
        for (int i = 0; i < about->count && p.page == 0; i++)
            d.entries[d.count++] = about->entries[i];
        p.first = 0;
        p.count = own;
        add_pieces(&d, &p, arrays);
        if (values) {
            add_number(&d, TIFFTAG_SUBIFD, o->big ? TIFF_IFD8 : TIFF_LONG, values[p.page]);
            d.entries[d.count - 1].count = (uint64_t)o->levels - 1;
        }
        write_entries(&d, p.page + 1 == o->pages);
        good = !d.failed;
        p.count = pieces;
        pass_pieces(o, &p);
    }
    return good ? DRUA_OK : tiff_out_fail(o);
}

drua_status tiff_out_directories(drua_tiff_out *o, uint64_t *first)
{
    directory common = {.out = o}, about = {.out = o};
    uint64_t *values = NULL;
    add_common(&common, 0);
    DRUA_TRY(add_description(&about));
    if (!o->levels)
        DRUA_TRY(add_labels(&about));
    if (common.failed || about.failed || !align_to_even(o))
        return tiff_out_fail(o);
    const uint64_t arrays = o->at;
    if (drua_tiff_out_strips(o) > 1)
        DRUA_TRY(write_strips(o));
    drua_status status = DRUA_OK;
    if (o->levels > 1) {
        values = drua_alloc((size_t)o->pages * sizeof *values);
        status = values ? write_all_levels(o, arrays, values) : drua_fail_memory((size_t)o->pages * sizeof *values);
    }
    if (status == DRUA_OK && !align_to_even(o))
        status = tiff_out_fail(o);
    *first = o->at;
    if (status == DRUA_OK)
        status = write_pages(o, &common, &about, arrays, values);
    drua_free(values);
    return status;
}
