/* SPDX-License-Identifier: BSD-3-Clause */
/* libtiff, found at run time, as only those who read files need it; or linked into the library (DRUA_TIFF_INSIDE). */
#ifndef DRUA_IO_LIBTIFF_H
#define DRUA_IO_LIBTIFF_H

#include "error.h"

#include <tiffio.h>

#define DRUA_TIFF_FUNCTIONS(F)                                                                                         \
    F(TIFFOpen) F(TIFFClose) F(TIFFGetField) F(TIFFGetFieldDefaulted) F(TIFFSetField) F(TIFFSetErrorHandler)           \
    F(TIFFSetWarningHandler) F(TIFFReadDirectory) F(TIFFSetDirectory) F(TIFFIsTiled)                                   \
    F(TIFFTileSize64) F(TIFFReadEncodedTile) F(TIFFComputeTile) F(TIFFReadEncodedStrip) F(TIFFNumberOfStrips)          \
    F(TIFFStripSize64) F(TIFFIsByteSwapped) F(TIFFWriteEncodedStrip) F(TIFFWriteDirectory) F(TIFFClientOpen)           \
    F(TIFFFdOpen) F(TIFFFieldWithTag) F(TIFFFieldDataType)

/** As in tiffio.h; on Windows TIFFOpen takes paths in UTF-8, too. */
typedef struct drua_libtiff {
#define F(name) __typeof__(&name) name;
    DRUA_TIFF_FUNCTIONS(F)
#undef F
} drua_libtiff;

/** The functions, or NULL with the sentence set. */
const drua_libtiff *drua_libtiff_load(void);

/** What libtiff said last on this thread, without a full stop; "" if nothing. Forgets it. */
const char *drua_libtiff_said(void);

#endif
