/* SPDX-License-Identifier: BSD-3-Clause */
/* Files in folders and on servers, but not in archives; statuses and error messages as in store.h. Any thread. */
#ifndef DRUA_IO_PLAIN_FILES_H
#define DRUA_IO_PLAIN_FILES_H

#include "error.h"
#include "file.h"

#include <stdbool.h>

/** As drua_store_read and drua_store_find. */
drua_status drua_plain_read(const char *path, int64_t offset, size_t max, drua_bytes *bytes, drua_file_info *info,
                            bool *absent);
drua_status drua_plain_find(const char *path, drua_file_info *info, bool *absent);

#endif
