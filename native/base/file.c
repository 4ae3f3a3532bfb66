/* SPDX-License-Identifier: BSD-3-Clause */
#include "file_system.h"

#include "alloc.h"
#include "clock.h"
#include "text.h"
#include "variables.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define PART "part"
static const char TEMPORARY[] = ".writing";
enum { PATH_SIZE = 4096, STALE_SECONDS = 3600 };

static bool usual_folder(char *path, size_t size)
{
    char home[PATH_SIZE];
#if defined(_WIN32)
    const char *below = "\\drua\\cache";
    const bool known = drua_environment("LOCALAPPDATA", home, sizeof home);
#elif defined(__APPLE__)
    const char *below = "/Library/Caches/drua";
    const bool known = drua_environment("HOME", home, sizeof home);
#else
    const bool named = drua_environment("XDG_CACHE_HOME", home, sizeof home) && *home == '/';
    const char *below = named ? "/drua" : "/.cache/drua";
    const bool known = named || drua_environment("HOME", home, sizeof home);
#endif
    return known && snprintf(path, size, "%s%s", home, below) < (int)size;
}

/* Makes one folder; *why keeps the first reason why a folder of the path cannot be made. */
static void make_one(const char *path, bool shared, int *why)
{
    errno = 0;
    drua_folder_make(path, shared);
    if (!*why && errno != EEXIST)
        *why = errno;
}

static bool make_folders(const char *path, bool shared)
{
    char part[PATH_SIZE];
    drua_file_info info;
    int why = 0;
    if (snprintf(part, sizeof part, "%s", path) >= (int)sizeof part) {
        errno = ENAMETOOLONG;
        return false;
    }
    drua_path_shorten(part);
    for (char *c = part + 1; *c; c++)
        if (drua_file_is_separator(*c)) {
            const char separator = *c;
            *c = 0;
            make_one(part, shared, &why);
            *c = separator;
        }
    make_one(part, shared, &why);
    if (drua_file_stat(part, &info) && info.is_folder)
        return true;
    errno = why ? why : EEXIST;
    return false;
}

bool drua_file_make_folder(const char *path)
{
    return make_folders(path, false);
}

bool drua_file_make_shared_folder(const char *path)
{
    return make_folders(path, true);
}

static bool choose_folder(char *path, size_t size, bool usual)
{
    char setting[PATH_SIZE];
    const bool is_set = drua_environment(drua_variable_name(DRUA_VARIABLE_CACHE), setting, sizeof setting),
               off = is_set && (!strcmp(setting, "off") || !strcmp(setting, "0"));
    return is_set && !off ? snprintf(path, size, "%s", setting) < (int)size : !off && usual && usual_folder(path, size);
}

static bool is_private(const char *path)
{
    drua_file_info info;
    return drua_file_stat(path, &info) && info.is_private;
}

bool drua_file_cache_folder(char *path, size_t size, bool usual)
{
    const bool serves = choose_folder(path, size, usual) && drua_file_make_folder(path) && is_private(path);
    if (!serves)
        path[0] = 0;
    return serves;
}

bool drua_file_cache_is_open(char *path, size_t size)
{
    return choose_folder(path, size, true) && drua_file_make_folder(path) && !is_private(path);
}

void *drua_file_read(const char *path, uint64_t max, size_t *length)
{
    drua_file_info info;
    FILE *file = drua_file_open(path, "rb");
    void *bytes = NULL;
    if (!file)
        return NULL;
    if (drua_file_stat(path, &info) && info.is_file && info.is_private && info.bytes > 0 && info.bytes <= max &&
        max <= SIZE_MAX / 2)
        bytes = drua_alloc((size_t)info.bytes);
    if (bytes && fread(bytes, 1, (size_t)info.bytes, file) != (size_t)info.bytes) {
        drua_free(bytes);
        bytes = NULL;
    }
    fclose(file);
    if (bytes) {
        *length = (size_t)info.bytes;
        drua_file_touch(path);
    }
    return bytes;
}

/*
 * The name has the number of the process and the nanoseconds since the computer started. Processes on two computers
 * that share a disk may have the same number, but hardly at the same nanosecond.
 */
static FILE *create_numbered(const char *start, bool shared, char *name, size_t size)
{
    static atomic_uint number;
    const int all = snprintf(name, size, "%s.%ld.%llx.%u%s", start, drua_process_number(),
                             (unsigned long long)drua_nanoseconds(), atomic_fetch_add(&number, 1), TEMPORARY);
    return all < (int)size ? drua_file_create(name, shared) : NULL;
}

FILE *drua_file_create_beside(const char *path, char *name, size_t size)
{
    return create_numbered(path, true, name, size);
}

/* Returns whether a path is a device, a pipe or a socket, which must not be replaced by renaming. */
static bool is_special(const char *path)
{
    drua_file_info info;
    return drua_file_stat(path, &info) && !info.is_file;
}

static bool replace_file(const char *start, const char *path, bool shared, const void *bytes, size_t length)
{
    char temporary[PATH_SIZE];
    FILE *file = !shared && is_special(path) ? NULL : create_numbered(start, shared, temporary, sizeof temporary);
    if (!file)
        return false;
    const bool written = fwrite(bytes, 1, length, file) == length;
    const bool closed = fclose(file) == 0;
    if (written && closed && drua_file_move(temporary, path))
        return true;
    drua_file_remove(temporary);
    return false;
}

bool drua_file_replace(const char *path, const void *bytes, size_t length)
{
    return replace_file(path, path, false, bytes, length);
}

bool drua_file_replace_by(const char *folder, const char *path, const void *bytes, size_t length)
{
    char start[PATH_SIZE];
    return snprintf(start, sizeof start, "%s/" PART, folder) < (int)sizeof start &&
           replace_file(start, path, true, bytes, length);
}

static bool remove_part(const char *name, void *folder)
{
    char path[PATH_SIZE];
    if (!strncmp(name, PART ".", strlen(PART ".")) && drua_text_ends_with(name, TEMPORARY) &&
        snprintf(path, sizeof path, "%s/%s", (const char *)folder, name) < (int)sizeof path)
        drua_file_remove(path);
    return true;
}

void drua_file_remove_parts(const char *folder)
{
    drua_folder_visit(folder, remove_part, (void *)(uintptr_t)folder);
}

typedef struct entry {
    char *path;
    time_t used;
    uint64_t bytes;
} entry;

static int compare_use(const void *a, const void *b)
{
    const time_t x = ((const entry *)a)->used, y = ((const entry *)b)->used;
    return (x > y) - (x < y);
}

/* The files in a cache folder. */
typedef struct stock {
    const char *folder, *ending;
    entry *entries;
    size_t count;
    uint64_t bytes;
} stock;

/* Returns false if memory is short. */
static bool add_entry(stock *s, const char *path, const drua_file_info *info)
{
    entry *grown = drua_realloc(s->entries, (s->count + 1) * sizeof *grown);
    if (!grown)
        return false;
    s->entries = grown;
    s->entries[s->count] = (entry){drua_copy_text(path), info->changed, info->bytes};
    if (!s->entries[s->count].path)
        return false;
    s->bytes += s->entries[s->count++].bytes;
    return true;
}

static bool take_stock(const char *name, void *data)
{
    stock *s = data;
    char path[PATH_SIZE];
    drua_file_info info;
    const bool leftover = drua_text_ends_with(name, TEMPORARY);
    if ((!leftover && !drua_text_ends_with(name, s->ending)) ||
        snprintf(path, sizeof path, "%s/%s", s->folder, name) >= (int)sizeof path || !drua_file_stat(path, &info) ||
        !info.is_file)
        return true;
    if (!leftover)
        return add_entry(s, path, &info);
    if (time(NULL) - info.changed > STALE_SECONDS)
        drua_file_remove(path);
    return true;
}

void drua_file_prune(const char *folder, const char *ending, uint64_t max)
{
    stock s = {.folder = folder, .ending = ending};
    drua_folder_visit(folder, take_stock, &s);
    if (s.count)
        qsort(s.entries, s.count, sizeof *s.entries, compare_use);
    for (size_t i = 0; i < s.count; i++) {
        if (s.bytes > max && drua_file_remove(s.entries[i].path))
            s.bytes -= s.entries[i].bytes;
        drua_free(s.entries[i].path);
    }
    drua_free(s.entries);
}
