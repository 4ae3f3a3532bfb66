/* SPDX-License-Identifier: BSD-3-Clause */
#include "file.h"

#include "alloc.h"

#include <dirent.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

#if defined(_WIN32)
#include <direct.h>
#include <windows.h>
static int make_folder(const char *path) { return _mkdir(path); }
bool drua_file_move(const char *from, const char *to) { return MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING) != 0; }
#else
static int make_folder(const char *path) { return mkdir(path, 0700); }
bool drua_file_move(const char *from, const char *to) { return rename(from, to) == 0; }
#endif

static const char TEMPORARY[] = ".writing";
enum { MOST_PATH = 4096, STALE_SECONDS = 3600 };

static bool usual_folder(char *path, size_t size)
{
#if defined(_WIN32)
    const char *home = getenv("LOCALAPPDATA"), *below = "\\drua\\cache";
#elif defined(__APPLE__)
    const char *home = getenv("HOME"), *below = "/Library/Caches/drua";
#else
    const char *home = getenv("XDG_CACHE_HOME"), *below = "/drua";
    if (!home || *home != '/') {
        home = getenv("HOME");
        below = "/.cache/drua";
    }
#endif
    return home && *home && snprintf(path, size, "%s%s", home, below) < (int)size;
}

bool drua_file_make_folder(const char *path)
{
    char part[MOST_PATH];
    struct stat facts;
    if (snprintf(part, sizeof part, "%s", path) >= (int)sizeof part)
        return false;
    for (char *c = part + 1; *c; c++)
        if (*c == '/' || *c == '\\') {
            const char separator = *c;
            *c = 0;
            make_folder(part);
            *c = separator;
        }
    make_folder(part);
    return stat(part, &facts) == 0 && S_ISDIR(facts.st_mode);
}

bool drua_file_cache_folder(char *path, size_t size, bool usual)
{
    const char *wish = getenv("DRUA_CACHE");
    const bool off = wish && (!strcmp(wish, "off") || !strcmp(wish, "0")), named = wish && *wish && !off;
    const bool known = named ? snprintf(path, size, "%s", wish) < (int)size : !off && usual && usual_folder(path, size);
    const bool there = known && drua_file_make_folder(path);
    if (!there)
        path[0] = 0;
    return there;
}

void *drua_file_read(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    struct stat facts;
    void *bytes = NULL;
    if (!file)
        return NULL;
    if (fstat(fileno(file), &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size > 0 && (uint64_t)facts.st_size <= SIZE_MAX / 2)
        bytes = drua_alloc((size_t)facts.st_size);
    if (bytes && fread(bytes, 1, (size_t)facts.st_size, file) != (size_t)facts.st_size) {
        drua_free(bytes);
        bytes = NULL;
    }
    fclose(file);
    if (bytes) {
        *length = (size_t)facts.st_size;
        utime(path, NULL);
    }
    return bytes;
}

bool drua_file_replace(const char *path, const void *bytes, size_t length)
{
    static atomic_uint number;
    char temporary[MOST_PATH];
    if (snprintf(temporary, sizeof temporary, "%s.%ld.%u%s", path, (long)getpid(), atomic_fetch_add(&number, 1), TEMPORARY) >= (int)sizeof temporary)
        return false;
    FILE *file = fopen(temporary, "wb");
    if (!file)
        return false;
    const bool written = fwrite(bytes, 1, length, file) == length;
    const bool closed = fclose(file) == 0;
    if (written && closed && drua_file_move(temporary, path))
        return true;
    remove(temporary);
    return false;
}

typedef struct entry {
    char *path;
    time_t used;
    uint64_t bytes;
} entry;

static int older(const void *a, const void *b)
{
    const time_t x = ((const entry *)a)->used, y = ((const entry *)b)->used;
    return (x > y) - (x < y);
}

static bool ends_with(const char *text, const char *ending)
{
    const size_t length = strlen(text), tail = strlen(ending);
    return length >= tail && !strcmp(text + length - tail, ending);
}

void drua_file_prune(const char *folder, const char *ending, uint64_t most)
{
    DIR *directory = opendir(folder);
    entry *entries = NULL;
    size_t count = 0;
    uint64_t sum = 0;
    if (!directory)
        return;
    for (const struct dirent *d; (d = readdir(directory)) != NULL;) {
        char path[MOST_PATH];
        struct stat facts;
        const bool leftover = ends_with(d->d_name, TEMPORARY);
        if ((!leftover && !ends_with(d->d_name, ending)) || snprintf(path, sizeof path, "%s/%s", folder, d->d_name) >= (int)sizeof path ||
            stat(path, &facts) || !S_ISREG(facts.st_mode))
            continue;
        if (leftover) {
            if (time(NULL) - facts.st_mtime > STALE_SECONDS)
                remove(path);
            continue;
        }
        entry *grown = drua_realloc(entries, (count + 1) * sizeof *grown);
        if (!grown)
            break;
        entries = grown;
        entries[count] = (entry){drua_copy_text(path), facts.st_mtime, (uint64_t)facts.st_size};
        if (!entries[count].path)
            break;
        sum += entries[count++].bytes;
    }
    closedir(directory);
    if (count)
        qsort(entries, count, sizeof *entries, older);
    for (size_t i = 0; i < count; i++) {
        if (sum > most && remove(entries[i].path) == 0)
            sum -= entries[i].bytes;
        drua_free(entries[i].path);
    }
    drua_free(entries);
}
