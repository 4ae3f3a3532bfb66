/* SPDX-License-Identifier: BSD-3-Clause */
/* File functions that differ between operating systems, for file.c. */
#ifndef DRUA_BASE_FILE_SYSTEM_H
#define DRUA_BASE_FILE_SYSTEM_H

#include "file.h"
#include "variables.h"

/** Returns whether a character separates the names of a path. Only Windows also accepts a backslash. */
static inline bool drua_file_is_separator(char c)
{
#if defined(_WIN32)
    return c == '/' || c == '\\';
#else
    return c == '/';
#endif
}

/** Creates one folder. If it is not shared, only its owner can use it, on systems with such permissions. */
void drua_folder_make(const char *path, bool shared);

/** Removes an empty folder; on Windows also a link to a folder. */
bool drua_folder_remove(const char *path);

/** The reason why a path could not be opened, examined or read, from the last error of the system. Never
 * DRUA_FILE_PRESENT. */
drua_file_state drua_file_why(const char *path);

/** Returns the properties of an open file; false if it is not an ordinary file. */
bool drua_file_stat_open(FILE *file, drua_file_info *info);

/** Sets the position in a file, in bytes from its start. */
bool drua_file_seek(FILE *file, int64_t offset);

/** Creates a file for writing; NULL if the name exists. If it is not shared, only its owner can read it, on systems
 * with such permissions. */
FILE *drua_file_create(const char *path, bool shared);

/** Copies the owner, group and permissions of one file to another. False if the system does not allow this. */
bool drua_file_copy_rights(const char *from, const char *to);

/** Returns two numbers that identify a file or folder on this computer, whichever of its names is used; false if the
 * path does not exist. */
bool drua_file_identity(const char *path, uint64_t identity[2]);

/** Returns whether `path` names an open file, and not a link or another file that has taken its place. */
bool drua_file_is_at(FILE *file, const char *path);

/** Returns the absolute path of an existing file or folder, without links, "." and "..". */
bool drua_file_true_path(const char *path, char *resolved, size_t size);

/** Returns the target of a link as it is stored; false if the path is not a link. */
bool drua_file_read_link(const char *path, char *target, size_t size);

/** Returns whether the user may write to an existing file. */
bool drua_file_may_change(const char *path);

/** Returns whether a folder lies on the disk of the folder that holds `path`, so that renaming needs no copy. */
bool drua_file_same_disk(const char *folder, const char *path);

typedef enum drua_lock {
    DRUA_LOCK_OWN, /**< this process has locked the file */
    DRUA_LOCK_OTHER, /**< another process, or another stream of this one, has locked it */
    DRUA_LOCK_NONE /**< the disk has no locks */
} drua_lock;

/** Locks a file until it is closed or the process ends. The file must be open for writing, because NFS demands it. */
drua_lock drua_file_lock(FILE *file);

/** Marks a file as used now. */
void drua_file_touch(const char *path);

#endif
