/* SPDX-License-Identifier: BSD-3-Clause */
/* An open TIFF file, shared by the files that read its pixels and its text. */
#ifndef DRUA_IO_TIFF_IN_H
#define DRUA_IO_TIFF_IN_H

#include "tiff.h"

#include "imagej_file.h"
#include "libtiff.h"
#include "stored_types.h"
#include "ome_xml.h"
#include "store_file.h"
#include "store_lookup.h"

#include <stdbool.h>

/* Another file of an OME-TIFF of several files, and its state when the first one was opened. */
typedef struct drua_tiff_part {
    char *path;
    uint64_t bytes;
    int64_t changed;
} drua_tiff_part;

struct drua_tiff {
    const drua_libtiff *lib;
    TIFF *tiff;
    char *path;
    uint64_t file_bytes;
    int64_t changed; /* time of the file's last change, in nanoseconds */
    drua_type type;
    drua_stored_type stored; /* the file's type, if it is not `type` */
    uint32_t width, height;
    uint16_t samples; /* 1, or 3 for colours */
    int64_t pages, at; /* slices in the file; libtiff's current directory, or DRUA_TIFF_BETWEEN */
    int level; /* resolution level that is read; 0: the largest */
    double shrinks[2]; /* width and height of the largest level, in those of this one */
    int64_t promised, missing; /* pages that the file's text states; see drua_tiff_missing */
    int64_t unlisted; /* OME-TIFF of one series: pages of this file that the OME-XML does not list */
    bool has_surplus; /* the file has more pages than its text states, and all are slices */
    bool has_axes; /* tifffile's text states channels, frames or several axes of pages */
    bool axes_unknown; /* the text states several axes of pages without their names */
    bool contiguous; /* one directory describes all pages */
    uint64_t first_byte; /* offset of the first page's pixels */
    drua_store_file *file; /* reads the chain and contiguous pages, and on a server all bytes for libtiff */
    int64_t first, step, count; /* the selected pages */
    int32_t *page_of; /* OME-TIFF: the page of each plane in ImageJ's order; NULL: the same order */
    bool shares; /* another open file owns the lists below, page_of and the texts */
    drua_tiff_part *parts; /* OME-TIFF of several files: the other files */
    int part_count;
    int32_t *part_of; /* for each plane in ImageJ's order the index of its file in `parts`, or -1; NULL: all -1 */
    drua_tiff *part; /* the file of `parts` that was read last, and its index */
    int part_at;
    char *others; /* OME-TIFF: numbers and names of the series that were not chosen; NULL: all were */
    drua_ome_channel *channels; /* OME-TIFF: names and colours */
    int64_t channel_count;
    bool has_position; /* OME-TIFF: the position of the first plane is known */
    double position[3]; /* in the unit `about.unit` */
    double pixel[2]; /* OME-TIFF: width and height of a pixel in the unit `about.unit`; 0: the tags tell */
    drua_imagej about;
};

/** Value of `at` while libtiff's current directory is in no chain: TIFFReadDirectory does not lead to the next page. */
#define DRUA_TIFF_BETWEEN INT64_MAX

/** Limit of the factor of a compression; deflate reaches 1032. */
enum { DRUA_TIFF_EXPANSION = 4096 };

/** The tags of a page that describe its pixels. */
typedef struct drua_tiff_page {
    uint32_t width, height, depth;
    uint16_t bits, samples, format, compression, planar;
} drua_tiff_page;

/** Reads the tags of libtiff's current directory. */
drua_tiff_page drua_tiff_page_info(const drua_tiff *t);

/** Returns the type of samples with these tags, and how the file stores them; DRUA_NO_TYPE for others. */
drua_type drua_tiff_type_of(uint16_t bits, uint16_t format, drua_stored_type *stored);

/** Returns the bytes of a row of pixels with `samples` values in the file. */
uint64_t drua_tiff_row_bytes(const drua_tiff *t, uint32_t width, uint16_t samples);
size_t drua_tiff_sample_bytes(const drua_tiff *t);

/** Fail with an error message: "the file 'PATH' FAULT: LIBTIFF'S MESSAGE; ADVICE". */
drua_status drua_tiff_fail(const drua_tiff *t, const char *fault, const char *advice);
drua_status drua_tiff_fail_truncated(const drua_tiff *t, const char *fault);

/** Fails because a page has several slices. */
drua_status drua_tiff_fail_depth(const drua_tiff *t, uint32_t depth);

/** Counts missing and surplus pages. `has_axes`: the text states channels, frames or several axes of pages. */
void drua_tiff_compare_pages(drua_tiff *t, bool has_axes);

/** Opens a file for libtiff, which reads a file on a server by `file`. */
TIFF *drua_tiff_handle(const drua_libtiff *lib, const char *path, drua_store_file *file);

/** Makes a page libtiff's current directory. */
drua_status drua_tiff_enter(drua_tiff *t, int64_t page);

/** Takes size and type from a page, which becomes libtiff's current directory. */
drua_status drua_tiff_take_page(drua_tiff *t, int64_t page);

/** Opens another file of an OME-TIFF of several files; its pages are numbered as in the file. */
drua_status drua_tiff_open_part(const char *path, drua_tiff **part);

#endif
