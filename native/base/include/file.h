/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that several processes share: reading and replacing whole files, and limiting the size of folders. Paths are
 * UTF-8 on every system. */
#ifndef DRUA_BASE_FILE_H
#define DRUA_BASE_FILE_H

#include "error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

/**
 * Finds the cache folder, and creates it if needed. The environment variable DRUA_CACHE names the folder. If it is not
 * set and `usual` is true, the folder is the user's usual one, such as ~/.cache/drua. Returns false and an empty path
 * if DRUA_CACHE=off switches the cache off, or if other users can write to the folder. Programs from such a folder must
 * not be executed.
 */
bool drua_file_cache_folder(char *path, size_t size, bool usual);

/**
 * Returns true if the cache folder exists but is refused because other users can write to it. `path` then receives the
 * folder, for a message.
 */
bool drua_file_cache_is_open(char *path, size_t size);

/** Creates a folder and its parents if needed. True if the folder exists afterwards, otherwise errno gives the reason.
 */
bool drua_file_make_folder(const char *path);

/** Reads a file that only the user can write, of at most `max` bytes. Returns its bytes, which the caller frees with
 * drua_free, or NULL. Marks the file as used now. */
void *drua_file_read(const char *path, uint64_t max, size_t *length);

/** Writes a private file of the user under a temporary name and renames it, so that no reader sees an incomplete file.
 * On failure the temporary file is removed. */
bool drua_file_replace(const char *path, const void *bytes, size_t length);

/**
 * As drua_file_replace, but the file has the default permissions, and the temporary file lies in `folder`, which must
 * be on the same disk. Other processes may remove the temporary file.
 */
bool drua_file_replace_by(const char *folder, const char *path, const void *bytes, size_t length);

/**
 * Removes the temporary files that drua_file_replace_by leaves in `folder` if its process is killed. Running calls of
 * drua_file_replace_by with the same folder may fail.
 */
void drua_file_remove_parts(const char *folder);

/** Properties of a file that the system knows without reading it. */
typedef struct drua_file_info {
    uint64_t bytes;
    time_t changed;
    int64_t changed_exactly; /**< nanoseconds since 1970, with the precision of the file system */
    bool is_file, is_folder;
    bool is_private; /**< belongs to this user, and no other user can write it; always true on Windows, which uses
                        access control lists instead */
} drua_file_info;

/** A buffer that grows when more bytes are read; the caller frees `data` with drua_free. */
typedef struct drua_bytes {
    unsigned char *data;
    size_t length, capacity;
} drua_bytes;

/**
 * Increases the capacity to at least `capacity`; the content of new bytes is undefined. Returns false, and does not
 * change `bytes`, if memory is short.
 */
bool drua_bytes_reserve(drua_bytes *bytes, size_t capacity);

/**
 * Unreadable: the process is not permitted to read the file, or it is a folder, a pipe or a device. Away: a link on the
 * path is broken, the disk or server does not respond, or another process is writing the file; the same call may
 * succeed later.
 */
typedef enum drua_file_state {
    DRUA_FILE_PRESENT,
    DRUA_FILE_ABSENT,
    DRUA_FILE_UNREADABLE,
    DRUA_FILE_AWAY
} drua_file_state;

/**
 * Reads at most `max` bytes of an ordinary file, starting at `offset`, which is counted from the end of the file if it
 * is negative. bytes->length receives the number of bytes, and *size the length of the file (NULL: not needed). Other
 * processes may append to the file during the call. The file is not changed.
 */
drua_file_state drua_file_part(const char *path, int64_t offset, size_t max, drua_bytes *bytes, uint64_t *size);

/** As drua_file_part, for a file that must not be written during the call; *info receives the properties of the file
 * that was read. */
drua_file_state drua_file_steady_part(const char *path, int64_t offset, size_t max, drua_bytes *bytes,
                                      drua_file_info *info);

/** Returns the state of a file without reading it; *info receives its properties if it exists. A folder is
 * unreadable. */
drua_file_state drua_file_find(const char *path, drua_file_info *info);

bool drua_file_is_folder(const char *path);

/** Returns true if the path is an ordinary file. */
bool drua_file_is_ordinary(const char *path);

/** As drua_file_make_folder, with the default permissions of the process. */
bool drua_file_make_shared_folder(const char *path);

/** As drua_folder_visit, but fails if the folder exists and visit cannot see all its entries: DRUA_E_AWAY if the same
 * call may succeed later, otherwise DRUA_E_ARGUMENT. */
drua_status drua_folder_list(const char *path, bool (*visit)(const char *name, void *data), void *data);

/**
 * Removes a folder and its contents, except entries for whose name `known` returns false. Links are removed and never
 * followed. Returns false if any entry remains.
 */
bool drua_file_remove_folder(const char *path, bool (*known)(const char *name));

/** Returns the first name in a folder for which `known` returns false, truncated to fit; false if all are known. A
 * folder that exists but cannot be listed counts as having such a name, and `name` is then empty. */
bool drua_file_find_unknown(const char *path, bool (*known)(const char *name), char name[256]);

/**
 * Removes the least recently used files with this suffix until the remaining ones have at most `max` bytes in all.
 * Also removes temporary files older than an hour, because their processes ended while writing.
 */
void drua_file_prune(const char *folder, const char *ending, uint64_t max);

/* ---- functions like those of the C library, for paths in UTF-8 */

/** Returns the properties of a file or folder; false if the path does not exist. */
bool drua_file_stat(const char *path, drua_file_info *info);

/** As fopen, with mode "rb", "wb" or "ab". Other processes may rename and remove the file while it is open. */
FILE *drua_file_open(const char *path, const char *mode);

/** Renames a file and replaces an existing file. The existing file remains if this fails, for example because another
 * program has it open and does not allow replacing it. */
bool drua_file_move(const char *from, const char *to);

bool drua_file_remove(const char *path);

/** Returns true if a path is a link. */
bool drua_file_is_link(const char *path);

/**
 * Finds the absolute path without links, "." and "..". The last names of the path need not exist, and a broken link
 * gives its target. Returns false if the result does not fit.
 */
bool drua_file_resolve(const char *path, char *resolved, size_t size);

/**
 * Returns true if a path is the file or folder `folder`, or lies in it, however the path is spelled or linked. Neither
 * path needs to exist.
 */
bool drua_file_is_inside(const char *path, const char *folder);

/**
 * Removes "NAME/.." from a path if NAME does not exist, and "." after a name. Without this, a caller that creates
 * missing folders would create NAME in vain.
 */
void drua_path_shorten(char *path);

/** Returns the length of a path without the slashes and backslashes at its end; a path of slashes keeps the first. */
size_t drua_path_length(const char *path);

/**
 * Creates a file for writing in the same folder under a unique name: `path` followed by numbers and ".writing". `name`
 * receives this name. NULL if the file cannot be created. The file has the default permissions.
 */
FILE *drua_file_create_beside(const char *path, char *name, size_t size);

/** Writes the data of an open file to the disk, so that it is kept if the computer fails. */
bool drua_file_settle(FILE *file);

/** As drua_file_settle for all files and names below a folder, as far as the system can do this in one step; waits for
 * the disk. */
void drua_folder_settle(const char *path);

/**
 * Calls visit for the name of each entry of a folder until it returns false. Unless the result is DRUA_FILE_PRESENT,
 * visit has not seen all entries: the folder is absent or a file, cannot be read, or its disk stopped responding.
 */
drua_file_state drua_folder_visit(const char *path, bool (*visit)(const char *name, void *data), void *data);

/** The number of this process on this computer. */
long drua_process_number(void);

#endif
