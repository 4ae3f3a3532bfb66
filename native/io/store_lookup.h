/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds files and folders of images, for the files of this room alone. */
#ifndef DRUA_IO_STORE_LOOKUP_H
#define DRUA_IO_STORE_LOOKUP_H

#include "store.h"

/** Finds the properties of a file as drua_store_read does. */
drua_status drua_store_find(const char *path, drua_file_info *info, bool *absent);

/** Shortens a path to that of its folder. Returns false if it has none: the root, or an address without a path. */
bool drua_store_parent(char *path);

#endif
