/* SPDX-License-Identifier: BSD-3-Clause */
/* An empty file that one process at a time holds, so that only this process does some work. */
#ifndef DRUA_BASE_LOCK_FILE_H
#define DRUA_BASE_LOCK_FILE_H

#include <stdio.h>

enum { DRUA_LOCK_FILE_PATH = 4096 };

typedef struct drua_lock_file {
    FILE *file; /**< NULL: not held */
    char path[DRUA_LOCK_FILE_PATH];
} drua_lock_file;

typedef enum drua_lock_file_state {
    DRUA_LOCK_FILE_HELD,
    DRUA_LOCK_FILE_BUSY, /**< another process, or another call of this one, holds it */
    DRUA_LOCK_FILE_IMPOSSIBLE /**< the folder cannot be written, the disk has no locks, or the file is not empty */
} drua_lock_file_state;

/** Tries to take the lock of this path without waiting. Creates the file if necessary. */
drua_lock_file_state drua_lock_file_try(drua_lock_file *lock, const char *path);

/** Frees the lock and removes its file. Does nothing if the lock is not held. If the process dies, the system frees the
 * lock, and the next owner removes the file. */
void drua_lock_file_end(drua_lock_file *lock);

#endif
