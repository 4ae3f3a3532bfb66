/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether two paths lead to the same place. */
#include "file_system.h"

#include <string.h>

enum { MOST_PATH = 4096, MOST_LINKS = 40 };

static bool is_separator(char c)
{
#if defined(_WIN32)
    return c == '/' || c == '\\';
#else
    return c == '/';
#endif
}

/* Cuts the last name off a path, whose separators at the end do not count: "a/b/" gives "a" and "b". Without a folder
 * in it the path becomes ".", at the root it stays "/". The name is empty if there is none left. */
static void split(char *path, char name[MOST_PATH])
{
    size_t end = strlen(path);
    while (end > 1 && is_separator(path[end - 1]))
        path[--end] = 0;
    size_t start = end;
    while (start > 0 && !is_separator(path[start - 1]))
        start--;
    memcpy(name, path + start, end - start + 1);
    if (start == 0)
        memcpy(path, ".", 2);
    else
        path[start > 1 ? start - 1 : 1] = 0;
}

static bool is_root(const char *path)
{
    return strlen(path) <= 1 || (path[1] == ':' && strlen(path) <= 3);
}

/* Of a name that does not exist the folder is resolved. */
static bool resolve(const char *path, char *resolved, size_t size, int links)
{
    char folder[MOST_PATH], name[MOST_PATH], target[MOST_PATH], whole[MOST_PATH];
    if (drua_file_true_path(path, resolved, size))
        return true;
    if (links > MOST_LINKS || snprintf(folder, sizeof folder, "%s", path) >= (int)sizeof folder)
        return false;
    if (drua_file_read_link(path, target, sizeof target)) {
        split(folder, name);
        if (snprintf(whole, sizeof whole, is_separator(*target) ? "%.0s%s" : "%s/%s", folder, target) >=
            (int)sizeof whole)
            return false;
        return resolve(whole, resolved, size, links + 1);
    }
    split(folder, name);
    if (!*name || !strcmp(name, ".") || !strcmp(name, "..") || !drua_file_true_path(folder, whole, sizeof whole))
        return false;
    return snprintf(resolved, size, "%s%s%s", whole, is_separator(whole[strlen(whole) - 1]) ? "" : "/", name) <
           (int)size;
}

bool drua_file_resolve(const char *path, char *resolved, size_t size)
{
    return resolve(path, resolved, size, 0);
}

bool drua_file_is_inside(const char *path, const char *folder)
{
    char at[MOST_PATH], place[MOST_PATH], name[MOST_PATH];
    uint64_t one[2], wanted[2];
    const bool exists = drua_file_identity(folder, wanted);
    if (drua_file_identity(path, one) && exists && one[0] == wanted[0] && one[1] == wanted[1])
        return true;
    if (!drua_file_resolve(path, at, sizeof at) || !drua_file_resolve(folder, place, sizeof place))
        return false;
    for (;;) {
        if (!strcmp(at, place) || (exists && drua_file_identity(at, one) && one[0] == wanted[0] && one[1] == wanted[1]))
            return true;
        if (is_root(at))
            return false;
        split(at, name);
    }
}
