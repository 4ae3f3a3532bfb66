/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loads libtiff at run time, because only TIFF files need it. With DRUA_TIFF_INSIDE it is linked into the library
 * instead.
 */
#ifndef DRUA_IO_LIBTIFF_H
#define DRUA_IO_LIBTIFF_H

#include "error.h"

#include <tiffio.h>

#define DRUA_TIFF_FUNCTIONS(F)                                                                                         \
    F(TIFFOpen)                                                                                                        \
    F(TIFFClose) F(TIFFGetField) F(TIFFGetFieldDefaulted) F(TIFFSetField) F(TIFFSetErrorHandler)                       \
        F(TIFFSetWarningHandler) F(TIFFReadDirectory) F(TIFFSetDirectory) F(TIFFSetSubDirectory) F(TIFFIsTiled)        \
            F(TIFFNumberOfTiles) F(TIFFTileSize64) F(TIFFReadEncodedTile) F(TIFFComputeTile) F(TIFFReadEncodedStrip)   \
                F(TIFFNumberOfStrips) F(TIFFStripSize64) F(TIFFIsByteSwapped) F(TIFFWriteEncodedStrip)                 \
                    F(TIFFWriteDirectory) F(TIFFClientOpen) F(TIFFFdOpen) F(TIFFFieldWithTag) F(TIFFFieldDataType)

/** Declared as in tiffio.h. On Windows, TIFFOpen also takes paths in UTF-8. */
typedef struct drua_libtiff {
#define F(name) __typeof__(&name) name;
    DRUA_TIFF_FUNCTIONS(F)
#undef F
} drua_libtiff;

/** Loads libtiff and returns its functions; returns NULL with the error message set on failure. */
const drua_libtiff *drua_libtiff_load(void);

/** Returns and clears libtiff's last message on this thread, without a full stop; "" if there was no message. */
const char *drua_libtiff_message(void);

#endif
