/* SPDX-License-Identifier: BSD-3-Clause */
/* Paths of files and addresses on servers. */
#ifndef DRUA_IO_PATHS_H
#define DRUA_IO_PATHS_H

#include <stdbool.h>

enum { DRUA_PATH = 4096 };

/** Writes folder/name; returns false if the path is too long. */
bool drua_path_join(char path[DRUA_PATH], const char *folder, const char *name);

/** Returns whether a path in metadata stays in its folder: no "..", root, drive or backslash. */
bool drua_path_stays_inside(const char *path);

/** Returns whether a path is an address: it begins with http://, https:// or s3://. */
bool drua_path_is_remote(const char *path);

#endif
