/* SPDX-License-Identifier: BSD-3-Clause */
#include "store_lookup.h"

#include "error.h"
#include "plain_files.h"
#include "text.h"
#include "zip.h"

#include <string.h>

bool drua_store_is_remote(const char *path)
{
    return drua_path_is_remote(path);
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

/* ---- files */

drua_status drua_store_read(const char *path, int64_t offset, size_t max, drua_bytes *bytes, drua_file_info *info,
                            bool *absent)
{
    char archive[DRUA_PATH];
    const char *name;
    *absent = false;
    bytes->length = 0;
    return drua_zip_split(path, archive, &name) && *name
               ? drua_zip_read(archive, name, offset, max, bytes, info, absent)
               : drua_plain_read(path, offset, max, bytes, info, absent);
}

drua_status drua_store_find(const char *path, drua_file_info *info, bool *absent)
{
    char archive[DRUA_PATH];
    const char *name;
    *absent = false;
    return drua_zip_split(path, archive, &name) && *name ? drua_zip_find(archive, name, info, absent)
                                                         : drua_plain_find(path, info, absent);
}
