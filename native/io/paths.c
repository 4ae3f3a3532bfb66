/* SPDX-License-Identifier: BSD-3-Clause */
#include "paths.h"

#include <stdio.h>
#include <string.h>

bool drua_path_join(char path[DRUA_PATH], const char *folder, const char *name)
{
    const size_t length = strlen(folder);
    const bool has_slash = length && folder[length - 1] == '/';
    return snprintf(path, DRUA_PATH, "%s%s%s", folder, has_slash || !*name ? "" : "/", name) < DRUA_PATH;
}

bool drua_path_stays_inside(const char *path)
{
    if (*path == '/' || strchr(path, '\\') || strchr(path, ':') || strlen(path) > DRUA_PATH / 4)
        return false;
    for (const char *part = path; part; part = strchr(part, '/'), part = part ? part + 1 : NULL)
        if (!strncmp(part, "..", 2) && (part[2] == '/' || !part[2]))
            return false;
    return true;
}

bool drua_path_is_remote(const char *path)
{
    static const char *const schemes[] = {"http://", "https://", "s3://"};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        if (!strncmp(path, schemes[i], strlen(schemes[i])))
            return true;
    return false;
}
