/* SPDX-License-Identifier: BSD-3-Clause */
/* Folders of files for tests of chunked images. */
#ifndef DRUA_TESTS_ZARR_FOLDER_H
#define DRUA_TESTS_ZARR_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

/** Unpacks a list (a path and base64 on each line) into a folder. */
void zarr_folder_unpack(const char *list, const char *folder);

/** Writes a file in a folder, creating the folders in between. */
void zarr_folder_put(const char *folder, const char *name, const void *bytes, size_t length);

/** Reads a file. The caller frees the bytes. */
char *zarr_folder_get(const char *folder, const char *name, size_t *length);

/** Whether any name below the folder contains `part`. */
bool zarr_folder_holds(const char *folder, const char *part);

void zarr_folder_remove(const char *folder);

#endif
