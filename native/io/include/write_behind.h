/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Several threads encode pages for a TIFF file, and write them in order while further pages arrive. Bus, encoding and
 * disk work at the same time. Memory holds a few pages, not the whole file.
 */
#ifndef DRUA_IO_WRITE_BEHIND_H
#define DRUA_IO_WRITE_BEHIND_H

#include "tiff.h"

typedef struct drua_write_behind drua_write_behind;

/** Starts the threads. The file (see tiff.h) must stay open until the writer is closed. */
drua_status drua_write_behind_open(drua_tiff_out *out, size_t plane_bytes, drua_write_behind **writer);

/** The functions of a drua_stream whose payload is the writer. */
int drua_write_behind_prepare(void *writer, size_t first, size_t last);
void drua_write_behind_copy(void *writer, size_t plane, size_t inside, void *memory, size_t bytes);

/**
 * Waits until all pages are written and ends the threads. Takes the transfer's status and returns it, or returns the
 * file error that made the transfer fail.
 */
drua_status drua_write_behind_close(drua_write_behind *writer, drua_status status);

#endif
