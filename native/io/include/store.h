/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the files of an image are: in folders, on a server, or in an archive. The path decides: one that begins with
 * http://, https:// or s3:// is an address, and one that leads through a file with the extension .ozx is in an archive.
 * Files on servers and in archives are only read. Any thread.
 *
 * A failed call leaves an error message without the path; drua_store_name adds the path. Statuses of failures:
 * DRUA_E_AWAY if the same call may succeed later, because a disk or server does not respond, a link is broken, a file
 * is being written, or a server sent something else than the file; DRUA_E_ARGUMENT if it cannot succeed;
 * DRUA_E_UNSUPPORTED if Drua was built without libcurl or libcurl is not installed.
 */
#ifndef DRUA_IO_STORE_H
#define DRUA_IO_STORE_H

#include "file.h"

#include <stdbool.h>

/** Returns whether a path is an address on a server. */
bool drua_store_is_remote(const char *path);

/**
 * Reads at most `max` bytes of a file, starting at `offset`, which is counted from the end of the file if it is
 * negative. *absent is true if there is no such file: on a server, if it answers 404 or 410. *info receives the length
 * of the file and its time; on a server, a number made of its ETag or else its time.
 */
drua_status drua_store_read(const char *path, int64_t offset, size_t max, drua_bytes *bytes, drua_file_info *info,
                            bool *absent);

/**
 * Puts "'path' cannot be read: " before this thread's error message and returns `status`. Leaves out an address that
 * may hold a password.
 */
drua_status drua_store_name(const char *path, drua_status status);

#endif
