/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that several processes share: whole files read at once, replaced at once, folders kept below a size. Paths are
 * UTF-8 on every system. */
#ifndef DRUA_BASE_FILE_H
#define DRUA_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

/**
 * The folder for files that can be made again, which is there afterwards: the one that DRUA_CACHE names, or, if that
 * names none and `usual` is true, such as ~/.cache/drua. False if there is none, as DRUA_CACHE=off wishes, or if it is
 * not the user's alone: what others can write must not be run. The path is empty then.
 */
bool drua_file_cache_folder(char *path, size_t size, bool usual);

/** Whether the folder is there and refused because it is not the user's alone; its path, for a sentence. */
bool drua_file_cache_is_open(char *path, size_t size);

/** Makes a folder with its parents; true if it is there afterwards. */
bool drua_file_make_folder(const char *path);

/** The bytes of a file that is the user's alone and has at most `most`, to be freed with drua_free, or NULL. Marks the
 * file as used now. */
void *drua_file_read(const char *path, uint64_t most, size_t *length);

/** Writes a file for the user alone under another name and renames it, so that no reader sees a part of it. On failure
 * nothing is left. */
bool drua_file_replace(const char *path, const void *bytes, size_t length);

/** The same, with the other name in a folder of the same disk, which others may remove as a whole. */
bool drua_file_replace_by(const char *folder, const char *path, const void *bytes, size_t length);

/** What the system says of a file without its content. */
typedef struct drua_file_info {
    uint64_t bytes;
    time_t changed;
    int64_t changed_exactly; /**< nanoseconds since 1970, as exact as the file system keeps them */
    bool is_file, is_folder;
    bool is_private; /**< belongs to this user, and no other can write it; on Windows, which has lists of rights
                        instead, true */
} drua_file_info;

/** Bytes that grow as more are read; `data` is freed with drua_free. */
typedef struct drua_bytes {
    unsigned char *data;
    size_t length, capacity;
} drua_bytes;

/** Makes room for so many bytes, whose content is undefined; false without memory, and the bytes are as before then. */
bool drua_bytes_reserve(drua_bytes *bytes, size_t capacity);

/**
 * Unreadable: the process has no right to the file, or it is a folder, a pipe or a device. Away: a link on the path
 * leads to nothing, the disk or server does not answer, or another process writes the file: the same call may succeed
 * later.
 */
typedef enum drua_file_state {
    DRUA_FILE_THERE,
    DRUA_FILE_ABSENT,
    DRUA_FILE_UNREADABLE,
    DRUA_FILE_AWAY
} drua_file_state;

/**
 * Reads at most `most` bytes of an ordinary file from `offset` on, counted from its end if negative. bytes->length says
 * how many there were; *size (NULL: not wanted) how long the file is. Other processes may append to it meanwhile.
 * Changes nothing about the file.
 */
drua_file_state drua_file_part(const char *path, int64_t offset, size_t most, drua_bytes *bytes, uint64_t *size);

/** The same of a file that nobody may write meanwhile; *info describes the file whose bytes these are. */
drua_file_state drua_file_steady_part(const char *path, int64_t offset, size_t most, drua_bytes *bytes,
                                      drua_file_info *info);

/** The state of a file that is not read; *info describes one that is there. A folder is unreadable. */
drua_file_state drua_file_find(const char *path, drua_file_info *info);

bool drua_file_is_folder(const char *path);

/** Whether there is an ordinary file. */
bool drua_file_is_there(const char *path);

/** Makes a folder with its parents that others may read as far as the process' usual rights allow; true if it is there
 * afterwards. */
bool drua_file_make_shared_folder(const char *path);

/**
 * Removes a folder with all that is in it, as long as `known` is true of every name. Links are removed, never followed.
 * False if anything is left; what is unknown is left.
 */
bool drua_file_remove_folder(const char *path, bool (*known)(const char *name));

/** The first name in a folder that is not known, cut to fit; false if there is none. */
bool drua_file_find_unknown(const char *path, bool (*known)(const char *name), char name[256]);

/** Removes the files with that ending that were used longest ago until those left have at most `most` bytes, and
 * leftovers of writers that died. */
void drua_file_prune(const char *folder, const char *ending, uint64_t most);

/* ---- as the C library's, but for paths in UTF-8 */

/** False if there is nothing of that name. */
bool drua_file_look(const char *path, drua_file_info *info);

/** As fopen, in "rb", "wb" or "ab". Others may rename and remove the file while it is open. */
FILE *drua_file_open(const char *path, const char *mode);

/** Renames a file, also onto one that is there, which stays if that fails: where another program keeps it open and lets
 * nobody replace it. */
bool drua_file_move(const char *from, const char *to);

bool drua_file_remove(const char *path);

/** Whether a path is a link. */
bool drua_file_is_link(const char *path);

/**
 * The path without links, "." and "..", from the root on. Names at its end need not exist, and a link that leads
 * nowhere gives the name that it leads to. False if the result does not fit.
 */
bool drua_file_resolve(const char *path, char *resolved, size_t size);

/**
 * Whether a path names a folder or file, or lies in that folder, by whatever spelling, link or hard link. Neither needs
 * to exist.
 */
bool drua_file_is_inside(const char *path, const char *folder);

/**
 * Creates a file for writing in the same folder, under a name that no other has: `path` with a number and ".writing"
 * behind it, which `name` receives. NULL if it cannot be created. Its rights are those that any new file has.
 */
FILE *drua_file_create_beside(const char *path, char *name, size_t size);

/** Gives one file the owner, group and rights of another. False if the system refuses that. */
bool drua_file_copy_rights(const char *from, const char *to);

/** Hands what was written to an open file to the disk, so that it outlives the computer's failure. */
bool drua_file_settle(FILE *file);

/** The same for all that was written below a folder, with its names, as far as the system can do that at once; waits
 * for the disk. */
void drua_folder_settle(const char *path);

/** Calls visit for the name of each entry of a folder until it returns false. */
void drua_folder_visit(const char *path, bool (*visit)(const char *name, void *data), void *data);

/** Of this process, among those of this computer. */
long drua_process_number(void);

#endif
