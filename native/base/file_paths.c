/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether two paths lead to the same place. */
#include "file_system.h"

#include <string.h>

enum { PATH_SIZE = 4096, MAX_DEPTH = 100 };

size_t drua_path_length(const char *path)
{
    size_t length = strlen(path);
    while (length > 1 && (path[length - 1] == '/' || path[length - 1] == '\\'))
        length--;
    return length;
}

/* Removes the characters from `at` to `end` and the separators that follow. */
static void cut_out(char *path, char *at, const char *end)
{
    while (drua_file_is_separator(*end))
        end++;
    memmove(at, end, strlen(end) + 1);
    if (!*path)
        memcpy(path, ".", 2);
}

static bool is_missing(char *path, char *end)
{
    drua_file_info info;
    const char separator = *end;
    *end = 0;
    const bool missing = !drua_file_stat(path, &info) && !drua_file_is_link(path);
    *end = separator;
    return missing;
}

/* Removes the name `dots`, which is "." or "..", from a path as far as that is possible; returns whether it was. */
static bool remove_dots(char *path, char *dots, size_t length)
{
    char *end = dots;
    while (end > path && drua_file_is_separator(end[-1]))
        end--;
    char *start = end;
    while (start > path && !drua_file_is_separator(start[-1]))
        start--;
    const bool is_name = start < end && !(end - start == 2 && !memcmp(start, "..", 2));
    if (length == 2 && !(is_name && is_missing(path, end)))
        return false;
    cut_out(path, length == 1 ? dots : start, dots + length);
    return true;
}

void drua_path_shorten(char *path)
{
    for (char *at = path; *at;) {
        const bool begins = at > path && drua_file_is_separator(at[-1]);
        size_t length = begins ? strspn(at, ".") : 0;
        length = length > 2 || (at[length] && !drua_file_is_separator(at[length])) ? 0 : length;
        at = length && remove_dots(path, at, length) ? path : at + 1;
    }
}

/* Cuts the last name off a path, whose separators at the end do not count: "a/b/" gives "a" and "b". Without a folder
 * in it the path becomes ".", at the root it stays "/". The root leaves an empty name. */
static void split_off_name(char *path, char name[PATH_SIZE])
{
    size_t end = strlen(path);
    while (end > 1 && drua_file_is_separator(path[end - 1]))
        path[--end] = 0;
    size_t start = end;
    while (start > 0 && !drua_file_is_separator(path[start - 1]))
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

/* Adds a name to a path that is resolved already. */
static bool append_name(char *resolved, size_t size, char *name)
{
    char rest[PATH_SIZE];
    const size_t length = strlen(resolved);
    if (!*name || !strcmp(name, "."))
        return true;
    if (!strcmp(name, "..")) {
        split_off_name(resolved, rest);
        return true;
    }
    return snprintf(resolved + length, size - length, "%s%s", drua_file_is_separator(resolved[length - 1]) ? "" : "/",
                    name) < (int)(size - length);
}

/* A ".." after a name that does not exist cancels this name, because a folder of the name may be made later. */
static bool resolve_path(const char *path, char *resolved, size_t size, int depth)
{
    char folder[PATH_SIZE], name[PATH_SIZE], target[PATH_SIZE];
    if (drua_file_true_path(path, resolved, size))
        return true;
    if (depth > MAX_DEPTH || snprintf(folder, sizeof folder, "%s", path) >= (int)sizeof folder)
        return false;
    const bool is_link = drua_file_read_link(path, target, sizeof target);
    split_off_name(folder, name);
    if (!*name || !strcmp(folder, path))
        return false;
    if (!is_link)
        return resolve_path(folder, resolved, size, depth + 1) && append_name(resolved, size, name);
    if (snprintf(name, sizeof name, drua_file_is_separator(*target) ? "%.0s%s" : "%s/%s", folder, target) >=
        (int)sizeof name)
        return false;
    return resolve_path(name, resolved, size, depth + 1);
}

bool drua_file_resolve(const char *path, char *resolved, size_t size)
{
    return resolve_path(path, resolved, size, 0);
}

bool drua_file_is_inside(const char *path, const char *folder)
{
    char at[PATH_SIZE], place[PATH_SIZE], name[PATH_SIZE];
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
        split_off_name(at, name);
    }
}
