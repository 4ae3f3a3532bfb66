/* SPDX-License-Identifier: BSD-3-Clause */
/* A file in a folder or on a server, read at any place. */
#ifndef DRUA_IO_STORE_FILE_H
#define DRUA_IO_STORE_FILE_H

#include "error.h"
#include "file.h"

#include <stdbool.h>

typedef struct drua_store_file drua_store_file;

/** Opens a file for reading at any place. One thread at a time may use it. */
drua_status drua_store_file_open(const char *path, drua_store_file **file);
void drua_store_file_close(drua_store_file *file);
const drua_file_info *drua_store_file_info(const drua_store_file *file);

/** Reads `size` bytes at an offset. Returns false if the file ends before, or cannot be read. */
bool drua_store_file_read(drua_store_file *file, uint64_t at, void *to, size_t size);

/**
 * Returns why drua_store_file_read last returned false: a failure, with its error message, or DRUA_OK if the file is
 * only too short.
 */
drua_status drua_store_file_failure(const drua_store_file *file);

#endif
