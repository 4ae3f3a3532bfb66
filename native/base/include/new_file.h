/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files that appear under their name only when they are complete. Until then the new file has another name, which ends
 * in ".writing", and an existing file keeps the name. Any thread; one thread at a time may use a file.
 */
#ifndef DRUA_BASE_NEW_FILE_H
#define DRUA_BASE_NEW_FILE_H

#include "error.h"

#include <stdio.h>

enum { DRUA_NEW_FILE_PATH = 4096 };

typedef struct drua_new_file {
    FILE *file; /**< open for writing; NULL after a failure */
    FILE *lock; /**< holds the lock of the unfinished file; NULL if the disk has no locks */
    char path[DRUA_NEW_FILE_PATH], unfinished[DRUA_NEW_FILE_PATH];
} drua_new_file;

/**
 * Begins a file at `path`, or at the target of a link. If a file exists there, the new one gets its owner and
 * permissions. The unfinished file lies beside it, or in `folder` if `folder` is not NULL and lies on the same disk; it
 * is locked until it has its name or the process ends. Beside the file, it is called PATH.drua-1.writing; further
 * writers of the same path take the next numbers. drua_new_file_begin removes the unfinished files of the same path
 * that dead processes have left. DRUA_E_ARGUMENT names the obstacle. Examples are a folder, a device or a pipe of that
 * name, a file that is write-protected or belongs to another user, a missing folder, a name that is too long, and a
 * full disk.
 */
drua_status drua_new_file_begin(drua_new_file *file, const char *path, const char *folder);

/** Gives the file its name. Unless `status` is DRUA_OK, removes the unfinished file and returns `status`. */
drua_status drua_new_file_end(drua_new_file *file, drua_status status);

/** Fails because of errno with an error message that names `path`. */
drua_status drua_new_file_fail(const char *path);

/** Writes a whole file; `folder` as for drua_new_file_begin. */
drua_status drua_new_file_write(const char *path, const char *folder, const void *bytes, size_t length);

/** Fails if something exists at `path`, or at the target of a link, that a new file must not replace. */
drua_status drua_new_file_may_replace(const char *path);

/** Begins a file, writes some bytes and removes it again, to find obstacles before hours of work. */
drua_status drua_new_file_check(const char *path);

/**
 * Removes unfinished files in `folder` whose process has ended. The folder must belong to the caller's work alone. On a
 * disk without locks, no file is removed.
 */
void drua_new_file_remove_abandoned(const char *folder);

#endif
