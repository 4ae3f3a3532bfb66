/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OME-Zarr in one file: a ZIP archive with the extension .ozx, whose files are stored without compression (OME's
 * RFC-9). Structures follow PKWARE's APPNOTE 6.3.10, with ZIP64. Any thread.
 *
 * Drua has its own code instead of a library. It must read parts of files at any place, also on a server, and refuse
 * archives whose entries overlap or contradict each other. Compression is not needed.
 */
#ifndef DRUA_IO_ZIP_H
#define DRUA_IO_ZIP_H

#include "error.h"
#include "file.h"
#include "paths.h"

#include <stdbool.h>

/**
 * Splits a path at a name that ends with .ozx: `archive` receives the path of the archive, and *name points to the
 * rest, or to "". Returns false if the path leads into no archive. A folder of such a name is not an archive.
 */
bool drua_zip_split(const char *path, char archive[DRUA_PATH], const char **name);

/** Returns whether a path is that of an archive, which may not exist yet. */
bool drua_zip_is_archive(const char *path);

/**
 * Reads a part of a file in an archive as drua_store_read does. An archive that has changed is opened again. If the
 * whole file is read, its checksum is compared. DRUA_E_ARGUMENT says what is wrong with the archive: it is truncated,
 * or it has entries that overlap, are compressed or encrypted, or have names that lead out of the archive.
 */
drua_status drua_zip_read(const char *archive, const char *name, int64_t offset, size_t max, drua_bytes *bytes,
                          drua_file_info *info, bool *absent);

/** Finds a file in an archive. Its time is that of the archive. */
drua_status drua_zip_find(const char *archive, const char *name, drua_file_info *info, bool *absent);

/**
 * Writes all files of a folder to an archive, which appears under its name when it is complete. The zarr.json of the
 * folder comes first, then the other zarr.json from outer to inner folders, then the chunks. Equal folders give equal
 * bytes.
 */
drua_status drua_zip_pack(const char *folder, const char *archive);

#endif
