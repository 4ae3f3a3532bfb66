/* SPDX-License-Identifier: BSD-3-Clause */
/* Files are untrusted: the reader checks every size that a file states against the length of the file. */
#include "tiff_in.h"

#include "alloc.h"
#include "file.h"
#include "tiff_chain.h"
#include "tiff_ome.h"
#include "tiff_shape.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PAGES = 1 << 24 };

/*
 * Fails if the server did not send the file, or if the file has disappeared or changed since it was opened. libtiff
 * would report such a file as truncated or unreadable.
 */
static drua_status check_access(const drua_tiff *t)
{
    const drua_status status = t->file ? drua_store_file_failure(t->file) : DRUA_OK;
    if (status != DRUA_OK)
        return drua_store_name(t->path, status);
    return t->file && !drua_store_is_remote(t->path) ? drua_tiff_check(t) : DRUA_OK;
}

drua_status drua_tiff_fail(const drua_tiff *t, const char *fault, const char *advice)
{
    const char *message = drua_libtiff_message();
    DRUA_TRY(check_access(t));
    return drua_fail(DRUA_E_ARGUMENT, "the file '%s' %s%s%s; %s", t->path, fault, *message ? ": " : "", message,
                     advice);
}

drua_status drua_tiff_fail_truncated(const drua_tiff *t, const char *fault)
{
    return drua_tiff_fail(t, fault, "copy it again from its source");
}

drua_type drua_tiff_type_of(uint16_t bits, uint16_t format, drua_stored_type *stored)
{
    static const struct {
        uint16_t bits, format;
        drua_type type;
        drua_stored_type stored;
    } types[] = {{8, SAMPLEFORMAT_UINT, DRUA_UINT8, DRUA_STORED_AS_IS},
                 {8, SAMPLEFORMAT_INT, DRUA_INT8, DRUA_STORED_AS_IS},
                 {16, SAMPLEFORMAT_UINT, DRUA_UINT16, DRUA_STORED_AS_IS},
                 {16, SAMPLEFORMAT_INT, DRUA_INT16, DRUA_STORED_AS_IS},
                 {32, SAMPLEFORMAT_UINT, DRUA_UINT32, DRUA_STORED_AS_IS},
                 {32, SAMPLEFORMAT_INT, DRUA_INT32, DRUA_STORED_AS_IS},
                 {32, SAMPLEFORMAT_IEEEFP, DRUA_FLOAT32, DRUA_STORED_AS_IS},
                 {1, SAMPLEFORMAT_UINT, DRUA_UINT8, DRUA_STORED_1_BIT},
                 {12, SAMPLEFORMAT_UINT, DRUA_UINT16, DRUA_STORED_12_BITS},
                 {16, SAMPLEFORMAT_IEEEFP, DRUA_FLOAT32, DRUA_STORED_FLOAT16},
                 {64, SAMPLEFORMAT_IEEEFP, DRUA_FLOAT32, DRUA_STORED_FLOAT64},
                 {64, SAMPLEFORMAT_INT, DRUA_INT32, DRUA_STORED_INT64},
                 {64, SAMPLEFORMAT_UINT, DRUA_UINT32, DRUA_STORED_UINT64}};
    const int known = format == SAMPLEFORMAT_VOID ? SAMPLEFORMAT_UINT : format;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].bits == bits && types[i].format == known) {
            *stored = types[i].stored;
            return types[i].type;
        }
    *stored = DRUA_STORED_AS_IS;
    return DRUA_NO_TYPE;
}

size_t drua_tiff_sample_bytes(const drua_tiff *t)
{
    return t->type <= DRUA_INT8 ? 1 : t->type <= DRUA_INT16 ? 2 : 4;
}

drua_tiff_page drua_tiff_page_info(const drua_tiff *t)
{
    drua_tiff_page p = {.depth = 1,
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

/* ---- page counts in the ImageDescription */

static int64_t count_promised(const drua_tiff *t, const char *description, const drua_ome *ome,
                              const drua_tiff_chain *chain)
{
    const drua_imagej *a = &t->about;
    const double by_axes = (double)a->channels * (double)a->slices * (double)a->frames;
    double max = fmax(drua_tiff_promised_by_shape(t, description), drua_tiff_pages_by_ome(t, ome));
    max = fmax(max, (double)chain->planes);
    if (a->is_imagej)
        max = fmax(max, fmax(by_axes, (double)a->images));
    return (int64_t)fmin(max, 1e18);
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
 * do the same. If a directory or its values lie among these pixels, the file has fewer pages than its ImageDescription
 * states.
 */
static drua_status find_contiguous(drua_tiff *t, const drua_tiff_page *p, const drua_tiff_chain *chain)
{
    uint64_t *offsets = NULL;
    const int64_t promised = t->promised;
    if (t->pages > 1 || promised <= 1 || t->stored || p->compression != COMPRESSION_NONE ||
        t->lib->TIFFIsTiled(t->tiff) || !t->lib->TIFFGetField(t->tiff, TIFFTAG_STRIPOFFSETS, &offsets) || !offsets)
        return DRUA_OK;
    const uint64_t page_bytes = drua_tiff_plane_bytes(t) * t->samples;
    t->first_byte = offsets[0];
    t->contiguous = (p->samples == 1 || p->planar == PLANARCONFIG_CONTIG) && promised <= MAX_PAGES &&
                    t->first_byte < t->file_bytes &&
                    (t->file_bytes - t->first_byte) / page_bytes >= (uint64_t)promised &&
                    !drua_tiff_has_part_in(chain, t->first_byte, t->first_byte + page_bytes * (uint64_t)promised) &&
                    strips_follow(t, offsets);
    if (t->contiguous)
        t->pages = promised;
    if (t->contiguous || chain->parts[0] > t->first_byte) /* the directory follows the pixels: no such stack */
        return DRUA_OK;
    char what[120];
    snprintf(what, sizeof what,
             "is truncated or damaged: its ImageDescription states %lld images, and some are missing",
             (long long)promised);
    return drua_tiff_fail_truncated(t, what);
}

void drua_tiff_compare_pages(drua_tiff *t, bool has_axes)
{
    t->has_surplus = t->promised < t->pages && !has_axes;
    t->missing = t->has_surplus ? 0 : llabs(t->promised - t->pages);
}

/* Counts missing and surplus pages. If the stated axes do not fit the pages, all pages become slices. */
static void settle_axes(drua_tiff *t)
{
    drua_imagej *a = &t->about;
    const bool known = a->channels >= 1 && a->slices >= 1 && a->frames >= 1 && a->channels <= MAX_PAGES &&
                       a->slices <= MAX_PAGES && a->frames <= MAX_PAGES && a->channels * a->slices <= MAX_PAGES;
    const int64_t stated = known ? a->channels * a->slices * a->frames : 0;
    if (a->is_imagej && stated < t->pages && t->promised <= t->pages && (a->channels > 1 || a->frames > 1))
        t->promised = stated;
    if (t->promised > 1)
        drua_tiff_compare_pages(t, t->has_axes || a->channels > 1 || a->frames > 1);
    if (stated != t->pages) {
        a->channels = a->frames = 1;
        a->slices = t->pages;
    }
}

static drua_status choose_pages(drua_tiff *t, int64_t channel, int64_t frame)
{
    const drua_imagej *a = &t->about;
    if (channel > a->channels || frame > a->frames || channel < 0 || frame < 0)
        return drua_fail(
            DRUA_E_ARGUMENT,
            "the file '%s' has %lld channels and %lld frames, got channel %lld and frame %lld; count both from 1",
            t->path, (long long)a->channels, (long long)a->frames, (long long)channel, (long long)frame);
    const int64_t c = channel ? channel - 1 : 0, f = frame ? frame - 1 : 0;
    const bool selects_slices = a->slices > 1 || (channel && frame) || t->pages == 1,
               selects_channels = !selects_slices && !channel && a->channels > 1;
    t->first = c + f * a->channels * a->slices;
    const int64_t frames = frame ? 1 : a->frames;
    t->step = selects_slices ? a->channels : selects_channels ? 1 : a->channels * a->slices;
    t->count = selects_slices ? a->slices : selects_channels ? a->channels : frames;
    return DRUA_OK;
}

/*
 * Rejects files with the tag ImageDepth: their strips and tiles hold several slices, and libtiff cannot read such
 * strips.
 */
drua_status drua_tiff_fail_depth(const drua_tiff *t, uint32_t depth)
{
    return drua_fail(DRUA_E_ARGUMENT,
                     "the file '%s' is a volumetric TIFF with %lu slices in one page (tag ImageDepth), which Drua does "
                     "not read; save it with one page for each slice",
                     t->path, (unsigned long)depth);
}

/* Reads axes, scale and page counts from the ImageDescription, and compares the counts with the pages. */
static drua_status examine_text(drua_tiff *t, const drua_tiff_page *p, const char *series, const drua_tiff_chain *chain)
{
    drua_ome ome;
    char *found = NULL;
    t->lib->TIFFGetField(t->tiff, TIFFTAG_IMAGEDESCRIPTION, &found);
    const char *text = found ? found : "";
    drua_imagej_parse(&t->about, text);
    t->pages = chain->pages;
    drua_status status = drua_tiff_read_ome(t, text, series, &ome);
    if (status == DRUA_OK) {
        t->promised = count_promised(t, text, &ome, chain);
        status = find_contiguous(t, p, chain);
    }
    if (status == DRUA_OK)
        status = drua_tiff_apply_ome(t, series, &ome);
    if (status == DRUA_OK && !ome.has_pixels)
        status = drua_tiff_follow_shape(t, text);
    drua_ome_close(&ome);
    return status;
}

/* Takes size and type from libtiff's current directory. */
static drua_status take_facts(drua_tiff *t, const drua_tiff_page *p)
{
    t->type = drua_tiff_type_of(p->bits, p->format, &t->stored);
    t->width = p->width;
    t->height = p->height;
    t->samples = p->samples;
    if (t->type == DRUA_NO_TYPE || (p->samples != 1 && !(p->samples == 3 && t->type == DRUA_UINT8 && !t->stored)))
        return drua_fail(DRUA_E_ARGUMENT,
                         "the file '%s' has %d samples of %d bits per pixel, which Drua cannot hold; save it as "
                         "grey values of 8, 16 or 32 bits, or as RGB with 8 bits per sample",
                         t->path, p->samples, p->bits);
    if (p->depth > 1)
        return drua_tiff_fail_depth(t, p->depth);
    if (!p->width || !p->height || p->width > INT32_MAX || p->height > INT32_MAX ||
        drua_tiff_row_bytes(t, p->width, p->samples) * p->height >
            t->file_bytes * (uint64_t)(p->compression == COMPRESSION_NONE ? 1 : DRUA_TIFF_EXPANSION))
        return drua_tiff_fail_truncated(t, "is truncated or damaged");
    return DRUA_OK;
}

drua_status drua_tiff_take_page(drua_tiff *t, int64_t number)
{
    DRUA_TRY(drua_tiff_enter(t, number));
    const drua_tiff_page p = drua_tiff_page_info(t);
    return take_facts(t, &p);
}

static drua_status check_presence(const char *path)
{
    drua_file_info file;
    bool absent;
    const drua_status status = drua_store_find(path, &file, &absent);
    if (status == DRUA_OK && absent)
        return drua_fail(DRUA_E_ARGUMENT, "there is no file '%s'; check the path", path);
    if (status == DRUA_E_ARGUMENT && drua_file_stat(path, &file) && !file.is_file)
        return drua_fail(DRUA_E_ARGUMENT, "'%s' is not a file but a device or a pipe", path);
    return status == DRUA_OK ? DRUA_OK : drua_store_name(path, status);
}

/* Opens a file and checks the chain of its directories. */
static drua_status open_chain(const char *path, drua_tiff **out, drua_tiff_chain *chain)
{
    const drua_libtiff *lib = drua_libtiff_load();
    *out = NULL;
    if (!lib)
        return DRUA_E_UNSUPPORTED;
    DRUA_TRY(check_presence(path));
    drua_tiff *t = drua_alloc(sizeof *t);
    if (!t || !(t->path = drua_copy_text(path))) {
        drua_free(t);
        return drua_fail_memory(sizeof *t);
    }
    *out = t;
    t->lib = lib;
    t->part_at = -1;
    const drua_status status = drua_store_file_open(path, &t->file);
    if (status != DRUA_OK)
        return drua_store_name(path, status);
    t->file_bytes = drua_store_file_info(t->file)->bytes;
    t->changed = drua_store_file_info(t->file)->changed_exactly;
    t->tiff = drua_tiff_handle(lib, path, t->file);
    const char *wrong = t->tiff ? drua_tiff_follow(t->file, chain) : NULL;
    return !t->tiff ? drua_tiff_fail(t, "is not a readable TIFF file", "save it again as a TIFF")
           : wrong  ? drua_tiff_fail_truncated(t, wrong)
                    : DRUA_OK;
}

/* Fails for a file that may lack pages because its end was reserved and not written, unless its text counts them. */
static drua_status refuse_unwritten_end(const drua_tiff *t, const drua_tiff_chain *chain)
{
    char what[200];
    if (!chain->unwritten || t->contiguous || (t->promised > 1 && t->promised == t->pages))
        return DRUA_OK;
    snprintf(what, sizeof what,
             "was perhaps not written to its end: it has %" PRId64 " pages, then %" PRIu64
             " bytes of value 0 that belong to no page",
             t->pages, chain->unwritten);
    return drua_tiff_fail(
        t, what,
        "if pages are missing, copy it again from its source; otherwise open it in ImageJ and save it "
        "as a new file");
}

static drua_status end_open(drua_tiff **out, drua_status status)
{
    if (status == DRUA_OK)
        return DRUA_OK;
    drua_tiff_close(*out);
    *out = NULL;
    return status;
}

drua_status drua_tiff_open(const char *path, const char *series, int64_t channel, int64_t frame, drua_tiff **out)
{
    drua_tiff_chain chain;
    drua_tiff_page p;
    drua_status status = open_chain(path, out, &chain);
    if (status == DRUA_OK) {
        p = drua_tiff_page_info(*out);
        status = take_facts(*out, &p);
    }
    if (status == DRUA_OK)
        status = examine_text(*out, &p, series, &chain);
    if (status == DRUA_OK)
        status = refuse_unwritten_end(*out, &chain);
    if (status == DRUA_OK && series && *series && strcmp(series, "1") && !(*out)->others)
        status = drua_fail(DRUA_E_ARGUMENT, "the file '%s' has one series; leave series out", path);
    if (status == DRUA_OK) {
        settle_axes(*out);
        status = choose_pages(*out, channel, frame);
    }
    return end_open(out, status);
}

drua_status drua_tiff_open_part(const char *path, drua_tiff **out)
{
    drua_tiff_chain chain;
    drua_status status = open_chain(path, out, &chain);
    if (status == DRUA_OK) {
        const drua_tiff_page p = drua_tiff_page_info(*out);
        status = take_facts(*out, &p);
        (*out)->pages = (*out)->count = chain.pages;
        (*out)->step = 1;
    }
    return end_open(out, status);
}

drua_status drua_tiff_choose_level(drua_tiff *t, int level)
{
    uint16_t count = 0;
    uint64_t *offsets = NULL;
    const int64_t page = t->page_of ? t->page_of[t->first] : t->first;
    if (!level)
        return DRUA_OK;
    if (!t->part_of && !t->contiguous) {
        DRUA_TRY(drua_tiff_enter(t, page));
        t->lib->TIFFGetField(t->tiff, TIFFTAG_SUBIFD, &count, &offsets);
    }
    if (level < 0 || level > count || !offsets)
        return drua_fail(DRUA_E_ARGUMENT, "'%.600s' has %d levels, counted from 0; got level %d", t->path,
                         offsets ? count + 1 : 1, level);
    const drua_tiff whole = *t;
    const double width = t->width, height = t->height;
    t->level = level;
    DRUA_TRY(drua_tiff_take_page(t, page));
    if (t->type != whole.type || t->samples != whole.samples || t->width > whole.width || t->height > whole.height)
        return drua_fail(DRUA_E_ARGUMENT,
                         "level %d of '%.600s' has pixels of another type than the image, or is larger than it; save "
                         "the file again",
                         level, t->path);
    t->shrinks[0] = width / t->width;
    t->shrinks[1] = height / t->height;
    return DRUA_OK;
}

drua_status drua_tiff_select(drua_tiff *t, int64_t channel, int64_t frame)
{
    return choose_pages(t, channel, frame);
}

void drua_tiff_close(drua_tiff *t)
{
    if (!t)
        return;
    if (t->tiff)
        t->lib->TIFFClose(t->tiff);
    drua_store_file_close(t->file);
    drua_tiff_close(t->part);
    for (int i = 0; i < t->part_count && !t->shares; i++)
        drua_free(t->parts[i].path);
    void *const lists[] = {t->path, t->page_of, t->part_of, t->parts, t->channels, t->others};
    for (size_t i = 0; i < (t->shares ? 1 : sizeof lists / sizeof *lists); i++)
        drua_free(lists[i]);
    drua_free(t);
}

drua_status drua_tiff_reopen(const drua_tiff *t, drua_tiff **out)
{
    drua_tiff *again = *out = drua_alloc(sizeof *again);
    if (!again)
        return drua_fail_memory(sizeof *again);
    *again = *t;
    again->shares = true;
    again->file = NULL;
    again->part = NULL;
    again->part_at = -1;
    again->at = 0;
    again->tiff = NULL;
    again->path = drua_copy_text(t->path);
    drua_status status = again->path ? drua_store_file_open(t->path, &again->file) : drua_fail_memory(strlen(t->path));
    if (status == DRUA_OK && !(again->tiff = drua_tiff_handle(t->lib, t->path, again->file)))
        status = drua_tiff_fail(again, "cannot be read", "check the file");
    return end_open(out, status);
}

static drua_status check_file(const char *path, uint64_t bytes, int64_t changed)
{
    drua_file_info now;
    bool absent;
    const bool present = drua_store_find(path, &now, &absent) == DRUA_OK && !absent;
    if (present && now.bytes == bytes && now.changed_exactly == changed)
        return DRUA_OK;
    return drua_fail(DRUA_E_AWAY, "'%.600s' %s since it was opened; %s, then run the same command again", path,
                     present ? "has changed" : "has disappeared", present ? "restore it" : "make it accessible");
}

drua_status drua_tiff_check(const drua_tiff *t)
{
    DRUA_TRY(check_file(t->path, t->file_bytes, t->changed));
    for (int i = 0; i < t->part_count; i++)
        DRUA_TRY(check_file(t->parts[i].path, t->parts[i].bytes, t->parts[i].changed));
    return DRUA_OK;
}

const char *drua_tiff_part_path(const drua_tiff *t, int64_t part)
{
    return part < t->part_count ? t->parts[part].path : NULL;
}

void drua_tiff_identify(const drua_tiff *t, drua_text *text)
{
    drua_text_add(text, " bytes %" PRIu64 " changed %" PRId64, t->file_bytes, t->changed);
    for (int i = 0; i < t->part_count; i++)
        drua_text_add(text, " part %s bytes %" PRIu64 " changed %" PRId64, t->parts[i].path, t->parts[i].bytes,
                      t->parts[i].changed);
}

const char *drua_tiff_other_series(const drua_tiff *t)
{
    return t->others;
}

int64_t drua_tiff_selected_pages(const drua_tiff *t)
{
    return t->count;
}

uint64_t drua_tiff_row_bytes(const drua_tiff *t, uint32_t width, uint16_t samples)
{
    const uint64_t values = (uint64_t)width * samples;
    return t->stored ? drua_stored_row_bytes(t->stored, values) : values * drua_tiff_sample_bytes(t);
}

size_t drua_tiff_plane_bytes(const drua_tiff *t)
{
    return (size_t)t->width * t->height * drua_tiff_sample_bytes(t);
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
    return t->axes_unknown ? t->pages : t->missing;
}

static void add_page_counts(const drua_tiff *t, drua_text *text)
{
    drua_text_add(text, "the ImageDescription of the file '%.600s' states %lld images, but the file has %lld", t->path,
                  (long long)t->promised, (long long)t->pages);
}

void drua_tiff_describe_left_out(const drua_tiff *t, drua_text *text)
{
    if (t->has_surplus) {
        add_page_counts(t, text);
        drua_text_add(text, "; Drua reads these as slices");
    }
    if (t->unlisted)
        drua_text_add(text, "the OME-XML of the file '%.600s' does not list %lld of its pages, which are left out",
                      t->path, (long long)t->unlisted);
}

void drua_tiff_describe_missing(const drua_tiff *t, drua_text *text)
{
    if (t->missing > 0)
        add_page_counts(t, text);
    else if (t->axes_unknown)
        drua_text_add(text,
                      "the ImageDescription of the file '%.600s' states several axes of its %lld images, but not which "
                      "ones are channels, slices and frames (tifffile writes them with metadata={'axes': 'CZYX'})",
                      t->path, (long long)t->pages);
}
