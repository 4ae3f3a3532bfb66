/* SPDX-License-Identifier: BSD-3-Clause */
/* Files are untrusted: the reader checks every size that a file states against the length of the file. */
#include "tiff_in.h"

#include "alloc.h"
#include "file.h"
#include "tiff_chain.h"
#include "tiff_ome.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* MOST_EXPANSION: limit of the compression factor (deflate reaches 1032). */
enum { MOST_EXPANSION = 4096, MOST_PAGES = 1 << 24 };

static drua_status fail_on_file(const drua_tiff *t, const char *what)
{
    const char *said = drua_libtiff_said();
    return drua_fail(DRUA_E_ARGUMENT, "the file '%s' %s%s%s; save it again as a TIFF with 8, 16 or 32 bits a pixel",
                     t->path, what, *said ? ": " : "", said);
}

static drua_status fail_cut(const drua_tiff *t, const char *what)
{
    const char *said = drua_libtiff_said();
    return drua_fail(DRUA_E_ARGUMENT, "the file '%s' %s%s%s; copy it again from its source",
                     t->path, what, *said ? ": " : "", said);
}

static drua_type type_of(uint16_t bits, uint16_t format)
{
    static const struct {
        uint16_t bits, format;
        drua_type type;
    } types[] = {{8, SAMPLEFORMAT_UINT, DRUA_UINT8},     {8, SAMPLEFORMAT_INT, DRUA_INT8},
                 {16, SAMPLEFORMAT_UINT, DRUA_UINT16},   {16, SAMPLEFORMAT_INT, DRUA_INT16},
                 {32, SAMPLEFORMAT_UINT, DRUA_UINT32},   {32, SAMPLEFORMAT_INT, DRUA_INT32},
                 {32, SAMPLEFORMAT_IEEEFP, DRUA_FLOAT32}};
    const int known = format == SAMPLEFORMAT_VOID ? SAMPLEFORMAT_UINT : format;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].bits == bits && types[i].format == known)
            return types[i].type;
    return DRUA_NO_TYPE;
}

static size_t sample_bytes(const drua_tiff *t)
{
    return t->type <= DRUA_INT8 ? 1 : t->type <= DRUA_INT16 ? 2 : 4;
}

static size_t plane_bytes(const drua_tiff *t)
{
    return (size_t)t->width * t->height * sample_bytes(t);
}

typedef struct page {
    uint32_t width, height, depth;
    uint16_t bits, samples, format, compression, planar;
} page;

static page page_info(const drua_tiff *t)
{
    page p = {.depth = 1,
              .bits = 1,
              .samples = 1,
              .format = SAMPLEFORMAT_UINT,
              .compression = COMPRESSION_NONE,
              .planar = PLANARCONFIG_CONTIG};
    t->lib->TIFFGetField(t->tiff, TIFFTAG_IMAGEWIDTH, &p.width);
    t->lib->TIFFGetField(t->tiff, TIFFTAG_IMAGELENGTH, &p.height);
    t->lib->TIFFGetField(t->tiff, TIFFTAG_IMAGEDEPTH, &p.depth);
    t->lib->TIFFGetFieldDefaulted(t->tiff, TIFFTAG_BITSPERSAMPLE, &p.bits);
    t->lib->TIFFGetFieldDefaulted(t->tiff, TIFFTAG_SAMPLESPERPIXEL, &p.samples);
    t->lib->TIFFGetFieldDefaulted(t->tiff, TIFFTAG_SAMPLEFORMAT, &p.format);
    t->lib->TIFFGetFieldDefaulted(t->tiff, TIFFTAG_COMPRESSION, &p.compression);
    t->lib->TIFFGetFieldDefaulted(t->tiff, TIFFTAG_PLANARCONFIG, &p.planar);
    return p;
}

/* ---- numbers of pages in the file's text */

/* tifffile writes the extents of all pages, as in {"shape": [12, 512, 512]}. */
static double promised_by_shape(const drua_tiff *t, const char *text)
{
    static const char KEY[] = "\"shape\": [";
    const double values = (double)t->width * (double)t->height * t->samples;
    double all = 1;
    char *at = *text == '{' ? strstr(text, KEY) : NULL, *end;
    if (!at)
        return 1;
    at += strlen(KEY);
    for (double extent = strtod(at, &end); end != at; extent = strtod(at, &end)) {
        all *= extent;
        at = end + strspn(end, ", ");
    }
    return *at == ']' && isfinite(all) && fmod(all, values) == 0 ? all / values : 1;
}

static int64_t count_promised(const drua_tiff *t, const char *description, const drua_ome *ome,
                              const drua_tiff_chain *chain)
{
    const drua_imagej *a = &t->about;
    const double by_axes = (double)a->channels * (double)a->slices * (double)a->frames;
    double most = fmax(promised_by_shape(t, description), drua_tiff_promised_by_ome(t, ome));
    most = fmax(most, (double)chain->planes);
    if (a->is_imagej)
        most = fmax(most, fmax(by_axes, (double)a->images));
    return (int64_t)fmin(most, 1e18);
}

/* Returns whether the strips of the only directory follow each other. */
static bool strips_follow(const drua_tiff *t, const uint64_t *offsets)
{
    uint64_t *lengths = NULL;
    bool follow = t->lib->TIFFGetField(t->tiff, TIFFTAG_STRIPBYTECOUNTS, &lengths) && lengths;
    for (uint32_t i = 1; follow && i < t->lib->TIFFNumberOfStrips(t->tiff); i++)
        follow = offsets[i] == offsets[i - 1] + lengths[i - 1];
    return follow;
}

/*
 * ImageJ writes one directory for a stack above 4 GB, then the pixels of all pages without gaps. tifffile and MetaMorph
 * do the same. A directory among these pixels belongs to a file of another layout, whose chain is broken.
 */
static drua_status find_contiguous(drua_tiff *t, const page *p, const drua_tiff_chain *chain)
{
    uint64_t *offsets = NULL;
    const int64_t said = t->promised;
    if (t->pages > 1 || said <= 1 || p->compression != COMPRESSION_NONE || t->lib->TIFFIsTiled(t->tiff) ||
        !t->lib->TIFFGetField(t->tiff, TIFFTAG_STRIPOFFSETS, &offsets) || !offsets)
        return DRUA_OK;
    const uint64_t page_bytes = plane_bytes(t) * t->samples;
    t->first_byte = offsets[0];
    t->contiguous = (p->samples == 1 || p->planar == PLANARCONFIG_CONTIG) && said <= MOST_PAGES &&
                    t->first_byte < t->file_bytes && (t->file_bytes - t->first_byte) / page_bytes >= (uint64_t)said &&
                    (chain->first < t->first_byte || chain->first - t->first_byte >= page_bytes * (uint64_t)said) &&
                    strips_follow(t, offsets);
    if (t->contiguous)
        t->pages = said;
    if (t->contiguous || chain->first > t->first_byte) /* a directory after the pixels ends the file */
        return DRUA_OK;
    char what[120];
    snprintf(what, sizeof what, "is cut off or damaged: its text says that it has %lld images, and not all are there",
             (long long)said);
    return fail_cut(t, what);
}

static drua_status choose_pages(drua_tiff *t, int64_t channel, int64_t frame)
{
    drua_imagej *a = &t->about;
    const bool known = a->channels >= 1 && a->slices >= 1 && a->frames >= 1 && a->channels <= MOST_PAGES &&
                       a->slices <= MOST_PAGES && a->frames <= MOST_PAGES && a->channels * a->slices <= MOST_PAGES;
    t->missing = t->promised > t->pages ? t->promised - t->pages : 0;
    if (!known || a->channels * a->slices * a->frames != t->pages) {
        a->channels = a->frames = 1;
        a->slices = t->pages;
    }
    if (channel > a->channels || frame > a->frames || channel < 0 || frame < 0)
        return drua_fail(DRUA_E_ARGUMENT,
                         "the file '%s' has %lld channels and %lld frames, got channel %lld and frame %lld", t->path,
                         (long long)a->channels, (long long)a->frames, (long long)channel, (long long)frame);
    const int64_t c = channel ? channel - 1 : 0, f = frame ? frame - 1 : 0;
    const bool slices = a->slices > 1 || (channel && frame) || t->pages == 1,
               channels = !slices && !channel && a->channels > 1;
    t->first = c + f * a->channels * a->slices;
    const int64_t frames = frame ? 1 : a->frames;
    t->step = slices ? a->channels : channels ? 1 : a->channels * a->slices;
    t->count = slices ? a->slices : channels ? a->channels : frames;
    return DRUA_OK;
}

/*
 * Rejects files with the tag ImageDepth: their strips and tiles hold several slices, and libtiff cannot read such
 * strips.
 */
static drua_status fail_depth(const drua_tiff *t, uint32_t depth)
{
    return drua_fail(DRUA_E_ARGUMENT,
                     "the file '%s' is a volumetric TIFF with %lu slices in one page (tag ImageDepth), which Drua does "
                     "not read; save it with one page for each slice",
                     t->path, (unsigned long)depth);
}

/* Reads the axes, the scale and the number of pages from the file's text, and compares them with the pages. */
static drua_status examine_text(drua_tiff *t, const page *p, const drua_tiff_chain *chain)
{
    drua_ome ome;
    char *found = NULL;
    t->lib->TIFFGetField(t->tiff, TIFFTAG_IMAGEDESCRIPTION, &found);
    const char *text = found ? found : "";
    drua_imagej_parse(&t->about, text);
    t->pages = chain->pages;
    drua_status status = drua_tiff_read_ome(t, text, &ome);
    if (status == DRUA_OK) {
        t->promised = count_promised(t, text, &ome, chain);
        status = find_contiguous(t, p, chain);
    }
    if (status == DRUA_OK)
        status = drua_tiff_follow_ome(t, &ome);
    drua_ome_close(&ome);
    return status;
}

static drua_status examine_pages(drua_tiff *t, const drua_tiff_chain *chain)
{
    const page p = page_info(t);
    t->type = type_of(p.bits, p.format);
    t->width = p.width;
    t->height = p.height;
    t->samples = p.samples;
    if (t->type == DRUA_NO_TYPE || (p.samples != 1 && !(p.samples == 3 && t->type == DRUA_UINT8)))
        return drua_fail(DRUA_E_ARGUMENT,
                         "the file '%s' has %d samples of %d bits a pixel, which Drua cannot hold; save it with 8, 16 "
                         "or 32 bits a pixel",
                         t->path, p.samples, p.bits);
    if (p.depth > 1)
        return fail_depth(t, p.depth);
    if (!p.width || !p.height || p.width > INT32_MAX || p.height > INT32_MAX ||
        (uint64_t)p.width * p.height * p.samples >
            t->file_bytes * (uint64_t)(p.compression == COMPRESSION_NONE ? 1 : MOST_EXPANSION))
        return fail_cut(t, "is cut off or damaged");
    return examine_text(t, &p, chain);
}

drua_status drua_tiff_open(const char *path, int64_t channel, int64_t frame, drua_tiff **out)
{
    const drua_libtiff *lib = drua_libtiff_load();
    drua_file_info file;
    drua_tiff_chain chain;
    *out = NULL;
    if (!lib)
        return DRUA_E_UNSUPPORTED;
    if (!drua_file_look(path, &file) || !file.is_file)
        return drua_fail(DRUA_E_ARGUMENT, "there is no file '%s'", path);
    drua_tiff *t = drua_alloc(sizeof *t);
    if (!t || !(t->path = drua_copy_text(path))) {
        drua_free(t);
        return drua_fail_memory(sizeof *t);
    }
    t->lib = lib;
    t->file_bytes = file.bytes;
    t->changed = file.changed_exactly;
    t->tiff = lib->TIFFOpen(path, "rm");
    const char *wrong = t->tiff ? drua_tiff_follow(path, file.bytes, &chain) : NULL;
    drua_status status = !t->tiff ? fail_on_file(t, "is not a readable TIFF file")
                         : wrong  ? fail_cut(t, wrong)
                                  : examine_pages(t, &chain);
    if (status == DRUA_OK)
        status = choose_pages(t, channel, frame);
    if (status == DRUA_OK) {
        *out = t;
        return DRUA_OK;
    }
    drua_tiff_close(t);
    return status;
}

void drua_tiff_close(drua_tiff *t)
{
    if (!t)
        return;
    if (t->tiff)
        t->lib->TIFFClose(t->tiff);
    if (t->file)
        fclose(t->file);
    drua_free(t->path);
    drua_free(t->page_of);
    drua_free(t);
}

drua_status drua_tiff_again(const drua_tiff *t, drua_tiff **out)
{
    drua_tiff *again = *out = drua_alloc(sizeof *again);
    if (!again)
        return drua_fail_memory(sizeof *again);
    *again = *t;
    again->file = NULL;
    again->at = 0;
    again->path = drua_copy_text(t->path);
    again->tiff = again->path ? t->lib->TIFFOpen(t->path, "rm") : NULL;
    const size_t bytes = (size_t)t->pages * sizeof *t->page_of;
    again->page_of = again->tiff && t->page_of ? drua_alloc(bytes) : NULL;
    if (again->page_of)
        memcpy(again->page_of, t->page_of, bytes);
    if (again->tiff && (again->page_of || !t->page_of))
        return DRUA_OK;
    drua_status status = again->path && !again->tiff ? fail_on_file(t, "cannot be read") : drua_fail_memory(bytes);
    drua_tiff_close(again);
    *out = NULL;
    return status;
}

drua_status drua_tiff_check(const drua_tiff *t)
{
    drua_file_info now;
    const bool there = drua_file_find(t->path, &now) == DRUA_FILE_THERE;
    if (there && now.bytes == t->file_bytes && now.changed_exactly == t->changed)
        return DRUA_OK;
    return drua_fail(DRUA_E_AWAY, "'%.600s' %s since it was opened; give the same command again when %s", t->path,
                     there ? "has changed" : "has gone", there ? "it is as before" : "it is back");
}

int64_t drua_tiff_pages(const drua_tiff *t)
{
    return t->count;
}

size_t drua_tiff_plane_bytes(const drua_tiff *t)
{
    return plane_bytes(t);
}

drua_shape drua_tiff_shape(const drua_tiff *t)
{
    const int64_t depth = t->count * t->samples;
    return (drua_shape){t->width, t->height, depth, depth > 1 ? 3 : 2};
}

drua_type drua_tiff_type(const drua_tiff *t)
{
    return t->type;
}

int drua_tiff_samples(const drua_tiff *t)
{
    return t->samples;
}

void drua_tiff_axes(const drua_tiff *t, int64_t *channels, int64_t *frames)
{
    *channels = t->about.channels;
    *frames = t->about.frames;
}

int64_t drua_tiff_missing(const drua_tiff *t)
{
    return t->missing;
}

void drua_tiff_tell_missing(const drua_tiff *t, drua_text *text)
{
    if (t->missing > 0)
        drua_text_add(text, "the text of the file '%.600s' states %lld images, but the file has %lld", t->path,
                      (long long)t->promised, (long long)t->pages);
}

/* ---- pixels */

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

static drua_status go_to(drua_tiff *t, int64_t number)
{
    const drua_libtiff *lib = t->lib;
    if (number != t->at) {
        if (number < t->at && !lib->TIFFSetDirectory(t->tiff, (tdir_t)(t->at = 0)))
            return fail_cut(t, "is cut off or damaged");
        for (; t->at < number; t->at++) /* libtiff reaches a directory only by reading all directories before it */
            if (!lib->TIFFReadDirectory(t->tiff))
                return fail_cut(t, "is cut off or damaged");
    }
    const page p = page_info(t);
    if (p.depth > 1)
        return fail_depth(t, p.depth);
    if (p.width != t->width || p.height != t->height || p.samples != t->samples || type_of(p.bits, p.format) != t->type)
        return fail_on_file(t, "holds images of several sizes or types");
    if ((uint64_t)p.width * p.height * p.samples * sample_bytes(t) >
        t->file_bytes * (uint64_t)(p.compression == COMPRESSION_NONE ? 1 : MOST_EXPANSION))
        return fail_cut(t, "is cut off or damaged");
    return DRUA_OK;
}

static const char LACKS[] = "is damaged: pixels of a page are missing";

/*
 * Returns whether the page's first `count` strips or tiles have pixels. libtiff reads a strip without an offset from
 * the file's header.
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

/*
 * Copies the pixels of one strip or tile into the planes. `from` has rows of `from_width` pixels with `samples` values
 * each.
 */
static void place_pixels(const drua_tiff *t, void *const *planes, const unsigned char *from, uint32_t from_width,
                         uint16_t samples, uint32_t x0, uint32_t y0, uint32_t width, uint32_t height)
{
    const size_t size = sample_bytes(t);
    for (uint32_t y = 0; y < height; y++) {
        const unsigned char *row = from + (size_t)y * from_width * samples * size;
        for (uint16_t s = 0; s < samples; s++) {
            unsigned char *to = (unsigned char *)planes[s] + ((size_t)(y0 + y) * t->width + x0) * size;
            if (samples == 1)
                memcpy(to, row, width * size);
            else
                for (uint32_t x = 0; x < width; x++)
                    to[x] = row[(size_t)x * samples + s];
        }
    }
}

static drua_status read_tiles(drua_tiff *t, const page *p, void *const *planes)
{
    const drua_libtiff *lib = t->lib;
    uint32_t width = 0, height = 0;
    const uint64_t bytes = lib->TIFFTileSize64(t->tiff);
    const bool apart = p->samples > 1 && p->planar == PLANARCONFIG_SEPARATE;
    const uint16_t together = apart ? 1 : p->samples;
    lib->TIFFGetField(t->tiff, TIFFTAG_TILEWIDTH, &width);
    lib->TIFFGetField(t->tiff, TIFFTAG_TILELENGTH, &height);
    if (!width || !height || width > INT32_MAX || height > INT32_MAX ||
        bytes != (uint64_t)width * height * together * sample_bytes(t) ||
        bytes > (t->file_bytes + 65536) * (uint64_t)MOST_EXPANSION)
        return fail_cut(t, "is cut off or damaged");
    if (!has_pixels(t, TIFFTAG_TILEOFFSETS, lib->TIFFNumberOfTiles(t->tiff)))
        return fail_cut(t, LACKS);
    unsigned char *tile = drua_alloc((size_t)bytes);
    drua_status status = tile ? DRUA_OK : drua_fail_memory((size_t)bytes);
    for (uint16_t s = 0; s < p->samples / together && status == DRUA_OK; s++)
        for (uint32_t y = 0; y < t->height && status == DRUA_OK; y += height)
            for (uint32_t x = 0; x < t->width && status == DRUA_OK; x += width) {
                const uint32_t w = t->width - x < width ? t->width - x : width,
                               h = t->height - y < height ? t->height - y : height;
                if (lib->TIFFReadEncodedTile(t->tiff, lib->TIFFComputeTile(t->tiff, x, y, 0, s), tile,
                                             (tmsize_t)bytes) < (tmsize_t)bytes)
                    status = fail_cut(t, "is cut off or damaged");
                else
                    place_pixels(t, planes + s, tile, width, together, x, y, w, h);
            }
    drua_free(tile);
    return status;
}

static drua_status read_strips(drua_tiff *t, const page *p, void *const *planes)
{
    const drua_libtiff *lib = t->lib;
    uint32_t rows = 0;
    const bool apart = p->samples > 1 && p->planar == PLANARCONFIG_SEPARATE;
    const uint16_t together = apart ? 1 : p->samples;
    const size_t row_bytes = (size_t)t->width * together * sample_bytes(t);
    lib->TIFFGetFieldDefaulted(t->tiff, TIFFTAG_ROWSPERSTRIP, &rows);
    if (rows == 0 || rows > t->height)
        rows = t->height;
    const uint32_t strips = (t->height - 1) / rows + 1;
    if (lib->TIFFNumberOfStrips(t->tiff) < strips * (p->samples / together) ||
        (lib->TIFFStripSize64(t->tiff) != (uint64_t)rows * row_bytes))
        return fail_cut(t, "is cut off or damaged");
    if (!has_pixels(t, TIFFTAG_STRIPOFFSETS, strips * (p->samples / together)))
        return fail_cut(t, LACKS);
    unsigned char *strip = together > 1 ? drua_alloc(rows * row_bytes) : NULL;
    drua_status status = together == 1 || strip ? DRUA_OK : drua_fail_memory(rows * row_bytes);
    for (uint16_t s = 0; s < p->samples / together && status == DRUA_OK; s++)
        for (uint32_t i = 0; i < strips && status == DRUA_OK; i++) {
            const uint32_t y = i * rows, h = t->height - y < rows ? t->height - y : rows;
            unsigned char *to = strip ? strip : (unsigned char *)planes[s] + y * row_bytes;
            if (lib->TIFFReadEncodedStrip(t->tiff, s * strips + i, to, (tmsize_t)(h * row_bytes)) <
                (tmsize_t)(h * row_bytes))
                status = fail_cut(t, "is cut off or damaged");
            else if (strip)
                place_pixels(t, planes, strip, t->width, together, 0, y, t->width, h);
        }
    drua_free(strip);
    return status;
}

/* Reads a page of a contiguous file directly, without libtiff. */
static drua_status read_contiguous(drua_tiff *t, int64_t number, void *const *planes)
{
    const size_t bytes = plane_bytes(t) * t->samples;
    unsigned char *colours = t->samples > 1 ? drua_alloc(bytes) : NULL;
    void *to = t->samples > 1 ? colours : planes[0];
    if (!to)
        return drua_fail_memory(bytes);
    drua_status status = DRUA_OK;
    if (!t->file && !(t->file = drua_file_open(t->path, "rb")))
        status = fail_on_file(t, "cannot be read");
    else if (fseeko(t->file, (off_t)(t->first_byte + (uint64_t)number * bytes), SEEK_SET) != 0 ||
             fread(to, 1, bytes, t->file) != bytes)
        status = fail_cut(t, "is cut off or damaged");
    else if (colours)
        place_pixels(t, planes, colours, t->width, t->samples, 0, 0, t->width, t->height);
    else if (t->lib->TIFFIsByteSwapped(t->tiff))
        swap_bytes(to, bytes / sample_bytes(t), sample_bytes(t));
    drua_free(colours);
    return status;
}

drua_status drua_tiff_read_page(drua_tiff *t, int64_t page_number, void *const *planes)
{
    const int64_t place = t->first + page_number * t->step, number = t->page_of ? t->page_of[place] : place;
    if (t->contiguous)
        return read_contiguous(t, number, planes);
    DRUA_TRY(go_to(t, number));
    const page p = page_info(t);
    return t->lib->TIFFIsTiled(t->tiff) ? read_tiles(t, &p, planes) : read_strips(t, &p, planes);
}
