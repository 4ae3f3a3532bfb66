/* SPDX-License-Identifier: BSD-3-Clause */
/* The directory at the end of a ZIP archive, all of it checked before use. */
#ifndef DRUA_IO_ZIP_DIRECTORY_H
#define DRUA_IO_ZIP_DIRECTORY_H

#include "file.h"

#include <stdatomic.h>

/** A file in an archive. */
typedef struct drua_zip_entry {
    size_t name; /**< place of its name in the archive's names */
    uint64_t header, bytes; /**< offset of its local header; length of the file */
    uint64_t limit; /**< offset at which it must have ended: the next header, or the directory */
    uint32_t crc;
    bool described; /**< a record of 12 to 24 bytes with its lengths may follow it */
    _Atomic uint64_t start; /**< offset of its first byte; 0: its local header is not read yet */
} drua_zip_entry;

typedef struct drua_zip {
    char *path, *names;
    drua_file_info info; /**< of the archive when it was opened */
    drua_zip_entry *entries; /**< in the order of their names */
    int64_t count;
    int users; /**< number of users that must release it, including the list of kept archives */
    uint64_t used; /**< when it was used last */
    atomic_bool complete; /**< all its bytes belong to the files of its directory */
} drua_zip;

/** Opens an archive with one user; *zip is NULL if there is no such file, or after a failure. */
drua_status drua_zip_open(const char *path, drua_zip **zip);
void drua_zip_close(drua_zip *zip);

/**
 * Fails unless all bytes of the archive belong to the files of its directory, under the same names. Otherwise a file
 * may be missing in the directory only because the directory is damaged.
 */
drua_status drua_zip_check(drua_zip *zip);

/** Returns the entry of a name, or NULL. */
drua_zip_entry *drua_zip_search(const drua_zip *zip, const char *name);
const char *drua_zip_name(const drua_zip *zip, const drua_zip_entry *entry);

#endif
