/* SPDX-License-Identifier: BSD-3-Clause */
/* An open TIFF file, shared by the files that read its pixels and its text. */
#ifndef DRUA_IO_TIFF_IN_H
#define DRUA_IO_TIFF_IN_H

#include "tiff.h"

#include "imagej.h"
#include "libtiff.h"

#include <stdbool.h>
#include <stdio.h>

struct drua_tiff {
    const drua_libtiff *lib;
    TIFF *tiff;
    char *path;
    uint64_t file_bytes;
    int64_t changed; /* time of the file's last change, in nanoseconds */
    drua_type type;
    uint32_t width, height;
    uint16_t samples; /* 1, or 3 for colours */
    int64_t pages, at; /* slices in the file; libtiff's current directory */
    int64_t promised, missing; /* pages that the file's text states; stated pages that the file lacks */
    bool contiguous; /* one directory describes all pages */
    uint64_t first_byte; /* offset of the first page's pixels */
    FILE *file; /* opened when contiguous pages are read */
    int64_t first, step, count; /* the selected pages */
    int32_t *page_of; /* OME-TIFF: the page of each plane in ImageJ's order; NULL: the same order */
    double pixel[2]; /* OME-TIFF: width and height of a pixel in the unit `about.unit`; 0: the tags tell */
    drua_imagej about;
};

#endif
