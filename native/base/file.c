/* SPDX-License-Identifier: BSD-3-Clause */
#include "file.h"

#include "alloc.h"
#include "clock.h"

#include <dirent.h>
#include <errno.h>
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
static int make_folder(const char *path, int rights)
{
    (void)rights;
    return _mkdir(path);
}
#define fseeko _fseeki64
#define lstat stat
bool drua_file_move(const char *from, const char *to) { return MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING) != 0; }
#else
static int make_folder(const char *path, int rights) { return mkdir(path, (mode_t)rights); }
bool drua_file_move(const char *from, const char *to) { return rename(from, to) == 0; }
#endif

static const char TEMPORARY[] = ".writing";
enum { MOST_PATH = 4096, STALE_SECONDS = 3600, OWN = 0700, SHARED = 0777 };

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

static bool make_folders(const char *path, int rights)
{
    char part[MOST_PATH];
    struct stat facts;
    if (snprintf(part, sizeof part, "%s", path) >= (int)sizeof part)
        return false;
    for (char *c = part + 1; *c; c++)
        if (*c == '/' || *c == '\\') {
            const char separator = *c;
            *c = 0;
            make_folder(part, rights);
            *c = separator;
        }
    make_folder(part, rights);
    return stat(part, &facts) == 0 && S_ISDIR(facts.st_mode);
}

bool drua_file_make_folder(const char *path)
{
    return make_folders(path, OWN);
}

bool drua_file_make_shared_folder(const char *path)
{
    return make_folders(path, SHARED);
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

drua_file_state drua_file_part(const char *path, int64_t offset, size_t most, drua_bytes *bytes, uint64_t *size)
{
    bytes->length = 0;
    FILE *file = fopen(path, "rb");
    struct stat facts;
    if (!file)
        return errno == ENOENT || errno == ENOTDIR ? DRUA_FILE_ABSENT : DRUA_FILE_UNREADABLE;
    bool good = fstat(fileno(file), &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size >= 0;
    const uint64_t length = good ? (uint64_t)facts.st_size : 0, back = offset < 0 ? (uint64_t)-offset : 0;
    const uint64_t from = offset >= 0 ? (uint64_t)offset : back < length ? length - back : 0, there = from < length ? length - from : 0;
    const size_t wanted = there < most ? (size_t)there : most;
    good = good && drua_bytes_reserve(bytes, wanted) && (from == 0 || fseeko(file, (int64_t)from, SEEK_SET) == 0);
    bytes->length = good && wanted ? fread(bytes->data, 1, wanted, file) : 0;
    good = good && bytes->length == wanted;
    fclose(file);
    if (size)
        *size = length;
    return good ? DRUA_FILE_THERE : DRUA_FILE_UNREADABLE;
}

bool drua_file_is_folder(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

bool drua_file_is_there(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISREG(facts.st_mode);
}

/* Other processes may write or remove at the same time. */
bool drua_file_remove_folder(const char *path, bool (*known)(const char *name))
{
    bool all = true;
    DIR *directory = opendir(path);
    if (!directory)
        return false;
    for (const struct dirent *d; (d = readdir(directory)) != NULL;) {
        char inside[MOST_PATH];
        struct stat facts;
        if (!strcmp(d->d_name, ".") || !strcmp(d->d_name, ".."))
            continue;
        if (!known(d->d_name) || snprintf(inside, sizeof inside, "%s/%s", path, d->d_name) >= (int)sizeof inside || lstat(inside, &facts))
            all = false;
        else
            all &= S_ISDIR(facts.st_mode) ? drua_file_remove_folder(inside, known) : remove(inside) == 0;
    }
    closedir(directory);
    return all && rmdir(path) == 0;
}

bool drua_file_find_unknown(const char *path, bool (*known)(const char *name), char name[256])
{
    bool found = false;
    DIR *directory = opendir(path);
    for (const struct dirent *d; directory && !found && (d = readdir(directory)) != NULL;) {
        found = strcmp(d->d_name, ".") && strcmp(d->d_name, "..") && !known(d->d_name);
        if (found)
            snprintf(name, 256, "%s", d->d_name);
    }
    if (directory)
        closedir(directory);
    return found;
}

/* Computers that share a disk may give the same number to their processes, but not at the same nanosecond after their start. */
static bool replace(const char *start, const char *path, const void *bytes, size_t length)
{
    static atomic_uint number;
    char temporary[MOST_PATH];
    const int all = snprintf(temporary, sizeof temporary, "%s.%ld.%llx.%u%s", start, (long)getpid(), (unsigned long long)drua_nanoseconds(),
                             atomic_fetch_add(&number, 1), TEMPORARY);
    FILE *file = all < (int)sizeof temporary ? fopen(temporary, "wb") : NULL;
    if (!file)
        return false;
    const bool written = fwrite(bytes, 1, length, file) == length;
    const bool closed = fclose(file) == 0;
    if (written && closed && drua_file_move(temporary, path))
        return true;
    remove(temporary);
    return false;
}

bool drua_file_replace(const char *path, const void *bytes, size_t length)
{
    return replace(path, path, bytes, length);
}

bool drua_file_replace_by(const char *folder, const char *path, const void *bytes, size_t length)
{
    char start[MOST_PATH];
    return snprintf(start, sizeof start, "%s/part", folder) < (int)sizeof start && replace(start, path, bytes, length);
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
