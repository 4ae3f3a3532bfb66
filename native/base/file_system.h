/* SPDX-License-Identifier: BSD-3-Clause */
/* What each system does in its own way, for file.c. */
#ifndef DRUA_BASE_FILE_SYSTEM_H
#define DRUA_BASE_FILE_SYSTEM_H

#include "file.h"

/** Makes one folder; if not shared, for its owner alone where systems know that. */
void drua_folder_make(const char *path, bool shared);

/** Removes a folder that is empty, or a link to one. */
bool drua_folder_remove(const char *path);

/** Why a path could not be opened, looked at or read, from the system's last error: never DRUA_FILE_THERE. */
drua_file_state drua_file_why(const char *path);

/** What is known of an open file; false if it is no ordinary file. */
bool drua_file_look_at(FILE *file, drua_file_info *info);

/** To an offset from the start. */
bool drua_file_seek(FILE *file, int64_t offset);

/** Opens a new file for writing; NULL if there is one of that name. If it is not shared, only its owner may read it
 * where systems know that. */
FILE *drua_file_create(const char *path, bool shared);

/** What tells a file or folder from all others of this computer, at any of its names; false if there is none. */
bool drua_file_identity(const char *path, uint64_t identity[2]);

/** The path of something that exists, without links, "." and "..", from the root on. */
bool drua_file_true_path(const char *path, char *resolved, size_t size);

/** What a link leads to, as it stands in the link; false if the path is no link. */
bool drua_file_read_link(const char *path, char *target, size_t size);

/** Marks a file as used now. */
void drua_file_touch(const char *path);

/** A variable of the environment, in UTF-8; false if it is not set, empty, or longer than `size`. */
bool drua_environment(const char *name, char *value, size_t size);

#endif
