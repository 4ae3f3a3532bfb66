/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pages for a TIFF file, encoded by several threads and written by whoever's turn it is while others bring more: the
 * bus, encoding and the disk work at once, and memory holds some pages, not the file.
 */
#ifndef DRUA_IO_WRITE_BEHIND_H
#define DRUA_IO_WRITE_BEHIND_H

#include "tiff.h"

typedef struct drua_write_behind drua_write_behind;

/** Starts the threads. The file is that of tiff.h; it stays open until the writer is closed. */
drua_status drua_write_behind_open(drua_tiff_out *out, size_t plane_bytes, drua_write_behind **writer);

/** The functions of a drua_stream with the writer as payload. */
int drua_write_behind_prepare(void *writer, size_t first, size_t last);
void drua_write_behind_copy(void *writer, size_t plane, size_t inside, void *memory, size_t bytes);

/** Waits until all is written and ends the threads. `status` is that of the transfer; what failed in a file is told in
 * its place. */
drua_status drua_write_behind_close(drua_write_behind *writer, drua_status status);

#endif
