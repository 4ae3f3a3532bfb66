/* SPDX-License-Identifier: BSD-3-Clause */
/* Folders of files for the tests of images in chunks. */
#ifndef DRUA_TESTS_ZARR_FOLDER_H
#define DRUA_TESTS_ZARR_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

/** Writes the files of a list, a path and base64 on each line, into a folder. */
void zarr_folder_unpack(const char *list, const char *folder);

/** Writes a file of a folder; folders between are made. */
void zarr_folder_put(const char *folder, const char *name, const void *bytes, size_t length);

/** The bytes of a file, freed with free. */
char *zarr_folder_get(const char *folder, const char *name, size_t *length);

/** Whether any name below has that text in it. */
bool zarr_folder_holds(const char *folder, const char *part);

void zarr_folder_remove(const char *folder);

#endif
