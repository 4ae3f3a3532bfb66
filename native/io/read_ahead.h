/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Several threads read pages of a TIFF file ahead of their use, so that disk, decoding and bus work at the same time.
 * Memory holds a few pages, not the whole file.
 */
#ifndef DRUA_IO_READ_AHEAD_H
#define DRUA_IO_READ_AHEAD_H

#include "tiff.h"

typedef struct drua_read_ahead drua_read_ahead;

/**
 * Starts reading at the page of plane `first`; the caller must not ask for earlier planes. The file must stay open
 * until the pages are closed.
 */
drua_status drua_read_ahead_open(const drua_tiff *tiff, size_t first, drua_read_ahead **pages);

/** The functions of a drua_stream whose payload is the pages. */
int drua_read_ahead_prepare(void *pages, size_t first, size_t last);
void drua_read_ahead_copy(void *pages, size_t plane, size_t inside, void *memory, size_t bytes);

/**
 * Ends the threads. Takes the transfer's status and returns it, or returns the file error that made the transfer fail.
 */
drua_status drua_read_ahead_close(drua_read_ahead *pages, drua_status status);

#endif
