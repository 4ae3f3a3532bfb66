/* SPDX-License-Identifier: BSD-3-Clause */
#include "plain_files.h"

#include "alloc.h"
#include "http.h"
#include "paths.h"

/* ---- folders */

static drua_status status_of(drua_file_state state, bool *absent)
{
    *absent = state == DRUA_FILE_ABSENT;
    if (state == DRUA_FILE_AWAY)
        return drua_fail(DRUA_E_AWAY, "its disk does not respond, a symbolic link in its path is broken, or the file "
                                      "is being written; run the same command again later");
    if (state == DRUA_FILE_UNREADABLE)
        return drua_fail(DRUA_E_ARGUMENT, "the file cannot be opened or read; check whether you have permission to "
                                          "read it");
    return DRUA_OK;
}

/* ---- servers */

#if defined(DRUA_HTTP)
static drua_status read_remote(const char *path, int64_t offset, size_t max, drua_bytes *bytes, drua_file_info *info,
                               bool *absent)
{
    char address[DRUA_HTTP_ADDRESS];
    DRUA_TRY(drua_http_address(path, address));
    return drua_http_read(address, &drua_http_usual, offset, max, bytes, info, absent);
}
#else
static drua_status read_remote(const char *path, int64_t offset, size_t max, drua_bytes *bytes, drua_file_info *info,
                               bool *absent)
{
    (void)path, (void)offset, (void)max, (void)bytes, (void)info, (void)absent;
    return drua_fail(DRUA_E_UNSUPPORTED, "this Drua was built without libcurl and reads no addresses; download the "
                                         "image, or build Drua where libcurl's headers are installed");
}
#endif

/* ---- both */

drua_status drua_plain_read(const char *path, int64_t offset, size_t max, drua_bytes *bytes, drua_file_info *info,
                            bool *absent)
{
    return drua_path_is_remote(path) ? read_remote(path, offset, max, bytes, info, absent)
                                     : status_of(drua_file_steady_part(path, offset, max, bytes, info), absent);
}

drua_status drua_plain_find(const char *path, drua_file_info *info, bool *absent)
{
    drua_bytes first = {0};
    if (!drua_path_is_remote(path))
        return status_of(drua_file_find(path, info), absent);
    const drua_status status = read_remote(path, 0, 1, &first, info, absent);
    drua_free(first.data);
    return status;
}
