/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads parts of files and removes folders, which other processes may read, write and remove at the same time. */
#include "file_system.h"

#include "alloc.h"
#include "error.h"

#include <errno.h>
#include <string.h>

enum { PATH_SIZE = 4096, MAX_NAME = 256 };

bool drua_bytes_reserve(drua_bytes *bytes, size_t capacity)
{
    if (capacity <= bytes->capacity)
        return true;
    unsigned char *grown = drua_realloc(bytes->data, capacity);
    if (!grown)
        return false;
    bytes->data = grown;
    bytes->capacity = capacity;
    return true;
}

static drua_file_state read_part(FILE *file, const char *path, int64_t offset, size_t max, drua_bytes *bytes,
                                 drua_file_info *info)
{
    if (!drua_file_stat_open(file, info))
        return DRUA_FILE_UNREADABLE;
    const int64_t all = (int64_t)info->bytes,
                  from = offset >= 0     ? offset
                         : offset > -all ? all + offset
                                         : 0,
                  available = from < all ? all - from : 0;
    const size_t wanted = (uint64_t)available < max ? (size_t)available : max;
    if (!drua_bytes_reserve(bytes, wanted))
        return DRUA_FILE_UNREADABLE;
    errno = 0;
    if (from != 0 && !drua_file_seek(file, from))
        return drua_file_why(path);
    bytes->length = wanted ? fread(bytes->data, 1, wanted, file) : 0;
    return ferror(file) ? drua_file_why(path) : bytes->length == wanted ? DRUA_FILE_PRESENT : DRUA_FILE_AWAY;
}

/* Reads a part of a file. With `steady`, a changed size or time shows that the file was written meanwhile. */
static drua_file_state open_part(const char *path, int64_t offset, size_t max, drua_bytes *bytes, bool steady,
                                 drua_file_info *info)
{
    drua_file_info after;
    *info = (drua_file_info){0};
    bytes->length = 0;
    if (drua_file_stat(path, info) && !info->is_file) /* opening a pipe would wait for its writer */
        return DRUA_FILE_UNREADABLE;
    FILE *file = drua_file_open(path, "rb");
    if (!file)
        return drua_file_why(path);
    drua_file_state state = read_part(file, path, offset, max, bytes, info);
    if (state == DRUA_FILE_PRESENT && steady &&
        (!drua_file_stat_open(file, &after) || after.bytes != info->bytes ||
         after.changed_exactly != info->changed_exactly))
        state = DRUA_FILE_AWAY;
    fclose(file);
    return state;
}

drua_file_state drua_file_part(const char *path, int64_t offset, size_t max, drua_bytes *bytes, uint64_t *size)
{
    drua_file_info info;
    const drua_file_state state = open_part(path, offset, max, bytes, false, &info);
    if (size)
        *size = info.bytes;
    return state;
}

drua_file_state drua_file_steady_part(const char *path, int64_t offset, size_t max, drua_bytes *bytes,
                                      drua_file_info *info)
{
    return open_part(path, offset, max, bytes, true, info);
}

drua_file_state drua_file_find(const char *path, drua_file_info *info)
{
    errno = 0;
    if (!drua_file_stat(path, info))
        return drua_file_why(path);
    return info->is_file ? DRUA_FILE_PRESENT : DRUA_FILE_UNREADABLE;
}

bool drua_file_is_folder(const char *path)
{
    drua_file_info info;
    return drua_file_stat(path, &info) && info.is_folder;
}

bool drua_file_is_ordinary(const char *path)
{
    drua_file_info info;
    return drua_file_stat(path, &info) && info.is_file;
}

static bool is_dots(const char *name)
{
    return !strcmp(name, ".") || !strcmp(name, "..");
}

drua_status drua_folder_list(const char *path, bool (*visit)(const char *name, void *data), void *data)
{
    switch (drua_folder_visit(path, visit, data)) {
    case DRUA_FILE_PRESENT:
    case DRUA_FILE_ABSENT: break;
    case DRUA_FILE_AWAY:
        return drua_fail(DRUA_E_AWAY,
                         "the folder '%.600s' cannot be listed, because its disk does not respond; make the disk "
                         "accessible, then run the same command again",
                         path);
    case DRUA_FILE_UNREADABLE:
        return drua_fail(DRUA_E_ARGUMENT, "the folder '%.600s' cannot be listed; check its permissions", path);
    }
    return DRUA_OK;
}

typedef struct removal {
    const char *folder;
    bool (*known)(const char *name);
    bool all;
} removal;

static bool remove_entry(const char *name, void *data)
{
    removal *r = data;
    char inside[PATH_SIZE];
    if (is_dots(name))
        return true;
    if (!r->known(name) || snprintf(inside, sizeof inside, "%s/%s", r->folder, name) >= (int)sizeof inside)
        r->all = false;
    else if (drua_file_is_link(inside) || !drua_file_is_folder(inside))
        r->all &= drua_file_remove(inside) || drua_folder_remove(inside);
    else
        r->all &= drua_file_remove_folder(inside, r->known);
    return true;
}

bool drua_file_remove_folder(const char *path, bool (*known)(const char *name))
{
    removal r = {path, known, true};
    return drua_folder_visit(path, remove_entry, &r) == DRUA_FILE_PRESENT && r.all && drua_folder_remove(path);
}

typedef struct search {
    bool (*known)(const char *name);
    char *name;
    bool found;
} search;

static bool check_entry_name(const char *name, void *data)
{
    search *s = data;
    s->found = !is_dots(name) && !s->known(name);
    if (s->found)
        snprintf(s->name, MAX_NAME, "%s", name);
    return !s->found;
}

bool drua_file_find_unknown(const char *path, bool (*known)(const char *name), char name[256])
{
    search s = {known, name, false};
    name[0] = 0;
    const drua_file_state state = drua_folder_visit(path, check_entry_name, &s);
    return s.found || (state != DRUA_FILE_PRESENT && state != DRUA_FILE_ABSENT);
}
