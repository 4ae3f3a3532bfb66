/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pages of a TIFF file read ahead by several threads while others take them: disk, decoding and the bus work at once,
 * and memory holds some pages, not the file.
 */
#ifndef DRUA_IO_READ_AHEAD_H
#define DRUA_IO_READ_AHEAD_H

#include "tiff.h"

typedef struct drua_read_ahead drua_read_ahead;

/** Starts to read with the page of plane `first`; those before are not asked for. The file stays open until the pages
 * are closed. */
drua_status drua_read_ahead_open(const drua_tiff *tiff, size_t first, drua_read_ahead **pages);

/** The functions of a drua_stream with the pages as payload. */
int drua_read_ahead_prepare(void *pages, size_t first, size_t last);
void drua_read_ahead_copy(void *pages, size_t plane, size_t inside, void *memory, size_t bytes);

/** Ends the threads. `status` is that of the transfer; what failed in a file is told in its place. */
drua_status drua_read_ahead_close(drua_read_ahead *pages, drua_status status);

#endif
