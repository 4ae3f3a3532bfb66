/* SPDX-License-Identifier: BSD-3-Clause */
#include "store.h"

#include "alloc.h"
#include "error.h"
#include "http.h"
#include "text.h"
#include "zarr.h"
#include "zip.h"

#include <stdio.h>
#include <string.h>

bool drua_store_is_remote(const char *path)
{
    static const char *const schemes[] = {"http://", "https://", "s3://"};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        if (!strncmp(path, schemes[i], strlen(schemes[i])))
            return true;
    return false;
}

drua_status drua_store_name(const char *path, drua_status status)
{
    char what[600];
    drua_copy_start(what, drua_error_text(), sizeof what);
    if (drua_store_is_remote(path) && strpbrk(path, "@?#")) /* these may begin a password or a key */
        return drua_fail(status, "an address cannot be read: %s", what);
    return drua_fail(status, "'%.600s' cannot be read: %s", path, what);
}

bool drua_store_parent(char *path)
{
    char *root = drua_store_is_remote(path) ? strstr(path, "://") + 3 : path, *slash = strrchr(root, '/');
    if (!slash || slash == root)
        return false;
    *slash = 0;
    return true;
}

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
static drua_status read_remote(const char *path, int64_t offset, size_t most, drua_bytes *bytes, drua_file_info *info,
                               bool *absent)
{
    char address[DRUA_HTTP_ADDRESS];
    DRUA_TRY(drua_http_address(path, address));
    return drua_http_read(address, &drua_http_usual, offset, most, bytes, info, absent);
}
#else
static drua_status read_remote(const char *path, int64_t offset, size_t most, drua_bytes *bytes, drua_file_info *info,
                               bool *absent)
{
    (void)path, (void)offset, (void)most, (void)bytes, (void)info, (void)absent;
    return drua_fail(DRUA_E_UNSUPPORTED, "this Drua was built without libcurl and reads no addresses; download the "
                                         "image, or build Drua where libcurl's headers are installed");
}
#endif

/* ---- both */

drua_status drua_store_read(const char *path, int64_t offset, size_t most, drua_bytes *bytes, drua_file_info *info,
                            bool *absent)
{
    char archive[DRUA_PATH];
    const char *name;
    *absent = false;
    bytes->length = 0;
    if (drua_zip_split(path, archive, &name) && *name)
        return drua_zip_read(archive, name, offset, most, bytes, info, absent);
    return drua_store_is_remote(path) ? read_remote(path, offset, most, bytes, info, absent)
                                      : status_of(drua_file_steady_part(path, offset, most, bytes, info), absent);
}

drua_status drua_store_find(const char *path, drua_file_info *info, bool *absent)
{
    drua_bytes first = {0};
    char archive[DRUA_PATH];
    const char *name;
    if (drua_zip_split(path, archive, &name) && *name)
        return drua_zip_find(archive, name, info, absent);
    if (!drua_store_is_remote(path))
        return status_of(drua_file_find(path, info), absent);
    *absent = false;
    const drua_status status = read_remote(path, 0, 1, &first, info, absent);
    drua_free(first.data);
    return status;
}

bool drua_store_look(const char *path, drua_file_info *info)
{
    bool absent;
    if (!drua_store_is_remote(path))
        return drua_file_look(path, info);
    *info = (drua_file_info){.is_folder = true};
    return drua_zarr_is_path(path) || (drua_store_find(path, info, &absent) == DRUA_OK && !absent);
}
