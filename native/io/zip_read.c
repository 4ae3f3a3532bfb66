/* SPDX-License-Identifier: BSD-3-Clause */
#include "zip.h"

#include "alloc.h"
#include "codec_libraries.h"
#include "little_endian.h"
#include "plain_files.h"
#include "zip_directory.h"

#include <pthread.h>
#include <string.h>
#include <strings.h>

enum { MAX_KEPT = 8, LOCAL = 30, MAX_ATTEMPTS = 3 };

/* ---- archives that stay open */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static drua_zip *kept[MAX_KEPT];
static uint64_t uses;

static void release_locked(drua_zip *z)
{
    if (--z->users == 0)
        drua_zip_close(z);
}

static void release_archive(drua_zip *z)
{
    pthread_mutex_lock(&lock);
    release_locked(z);
    pthread_mutex_unlock(&lock);
}

/* Returns a kept archive, which the caller releases; NULL if it is not kept. */
static drua_zip *find_kept(const char *path)
{
    drua_zip *found = NULL;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < MAX_KEPT && !found; i++)
        if (kept[i] && !strcmp(kept[i]->path, path))
            found = kept[i];
    if (found) {
        found->users++;
        found->used = ++uses;
    }
    pthread_mutex_unlock(&lock);
    return found;
}

/* Keeps an archive in place of the one that was not used for the longest time. */
static void store_archive(drua_zip *z)
{
    int oldest = 0;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < MAX_KEPT; i++)
        if (!kept[i] || (kept[oldest] && kept[i]->used < kept[oldest]->used))
            oldest = i;
    if (kept[oldest])
        release_locked(kept[oldest]);
    z->users++;
    z->used = ++uses;
    kept[oldest] = z;
    pthread_mutex_unlock(&lock);
}

/* Stops keeping an archive that has changed. */
static void drop_archive(const drua_zip *z)
{
    pthread_mutex_lock(&lock);
    for (int i = 0; i < MAX_KEPT; i++)
        if (kept[i] == z) {
            release_locked(kept[i]);
            kept[i] = NULL;
        }
    pthread_mutex_unlock(&lock);
}

/* Returns an archive, which the caller releases; *z is NULL if the file does not exist. */
static drua_status find_or_open(const char *path, drua_zip **z)
{
    *z = find_kept(path);
    if (*z)
        return DRUA_OK;
    DRUA_TRY(drua_zip_open(path, z));
    if (*z)
        store_archive(*z);
    return DRUA_OK;
}

/* ---- files in archives */

static bool is_same(const drua_zip *z, const drua_file_info *now)
{
    return now->bytes == z->info.bytes && now->changed_exactly == z->info.changed_exactly;
}

static drua_status fail_on_entry(const drua_zip *z, const drua_zip_entry *e, const char *what)
{
    return drua_fail(DRUA_E_ARGUMENT, "the archive is damaged: '%.200s' %s; copy the archive again from its source",
                     drua_zip_name(z, e), what);
}

/*
 * Finds the first byte of an entry from its local header, which repeats the name. *same is false if the archive has
 * changed since it was opened.
 */
static drua_status find_start(const drua_zip *z, drua_zip_entry *e, uint64_t *start, bool *same)
{
    drua_bytes head = {0};
    drua_file_info now;
    bool absent;
    const char *name = drua_zip_name(z, e);
    const size_t length = strlen(name);
    *same = true;
    *start = atomic_load(&e->start);
    if (*start)
        return DRUA_OK;
    drua_status status = drua_plain_read(z->path, (int64_t)e->header, LOCAL + length, &head, &now, &absent);
    *same = status != DRUA_OK || (!absent && is_same(z, &now));
    if (status == DRUA_OK && *same) {
        const unsigned char *b = head.data;
        const bool good = head.length == LOCAL + length && drua_get_number(b, 4) == 0x04034b50 &&
                          drua_get_number(b + 8, 2) == 0 && drua_get_number(b + 26, 2) == length &&
                          !memcmp(b + LOCAL, name, length);
        *start = e->header + LOCAL + length + (good ? drua_get_number(b + 28, 2) : 0);
        if (!good || *start > e->limit || e->bytes > e->limit - *start)
            status = fail_on_entry(z, e, "contradicts the directory of the archive, or overlaps another file");
        else
            atomic_store(&e->start, *start);
    }
    drua_free(head.data);
    return status;
}

static drua_status check_sum(const drua_zip *z, const drua_zip_entry *e, const drua_bytes *bytes)
{
    const drua_zlib *lib = drua_zlib_load();
    if (!lib)
        return DRUA_E_UNSUPPORTED;
    uLong sum = lib->crc32(0, NULL, 0);
    for (size_t at = 0; at < bytes->length;) {
        const size_t left = bytes->length - at, step = left < 1 << 30 ? left : 1 << 30;
        sum = lib->crc32(sum, bytes->data + at, (uInt)step);
        at += step;
    }
    return sum == e->crc ? DRUA_OK : fail_on_entry(z, e, "has another checksum than the archive states");
}

static drua_status read_entry(const drua_zip *z, drua_zip_entry *e, int64_t offset, size_t max, drua_bytes *bytes,
                              bool *same)
{
    uint64_t start, from = (uint64_t)offset;
    drua_file_info now;
    bool absent;
    DRUA_TRY(find_start(z, e, &start, same));
    if (offset < 0)
        from = e->bytes > (uint64_t)-offset ? e->bytes - (uint64_t)-offset : 0;
    const uint64_t left = from < e->bytes ? e->bytes - from : 0;
    const size_t step = left < max ? (size_t)left : max;
    bytes->length = 0;
    if (!*same || !step)
        return DRUA_OK;
    DRUA_TRY(drua_plain_read(z->path, (int64_t)(start + from), step, bytes, &now, &absent));
    *same = !absent && is_same(z, &now);
    if (!*same)
        return DRUA_OK;
    if (bytes->length != step)
        return fail_on_entry(z, e, "ends too early");
    return step == e->bytes ? check_sum(z, e, bytes) : DRUA_OK;
}

/* The arguments of drua_zip_read for one file of the archive. */
typedef struct request {
    const char *name;
    int64_t offset;
    size_t max;
    drua_bytes *bytes;
    drua_file_info *info;
    bool *absent;
} request;

/* Serves a request. `same`: whether the archive is still the one whose directory was read. */
static drua_status try_entry(drua_zip *z, const request *r, bool *same)
{
    drua_zip_entry *e = drua_zip_search(z, r->name);
    drua_file_info now;
    bool gone = false;
    *r->absent = !e;
    if (e)
        *r->info = (drua_file_info){
            .bytes = e->bytes, .is_file = true, .changed = z->info.changed, .changed_exactly = z->info.changed_exactly};
    if (e && r->bytes)
        return read_entry(z, e, r->offset, r->max, r->bytes, same);
    DRUA_TRY(drua_plain_find(z->path, &now, &gone));
    *same = !gone && is_same(z, &now);
    return *same && !e ? drua_zip_check(z) : DRUA_OK;
}

drua_status drua_zip_read(const char *archive, const char *name, int64_t offset, size_t max, drua_bytes *bytes,
                          drua_file_info *info, bool *absent)
{
    const request r = {name, offset, max, bytes, info, absent};
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        drua_zip *z;
        bool same = true;
        DRUA_TRY(find_or_open(archive, &z));
        *absent = !z;
        if (!z)
            return DRUA_OK;
        const drua_status status = try_entry(z, &r, &same);
        if (!same)
            drop_archive(z);
        release_archive(z);
        if (same || status != DRUA_OK)
            return status;
    }
    return drua_fail(DRUA_E_AWAY, "the archive is being written; run the same command again later");
}

drua_status drua_zip_find(const char *archive, const char *name, drua_file_info *info, bool *absent)
{
    return drua_zip_read(archive, name, 0, 0, NULL, info, absent);
}

/* ---- paths */

static const char ENDING[] = ".ozx";

bool drua_zip_is_archive(const char *path)
{
    const size_t length = drua_path_length(path), ending = strlen(ENDING);
    return length > ending && !strncasecmp(path + length - ending, ENDING, ending) && path[length - ending - 1] != '/';
}

bool drua_zip_split(const char *path, char archive[DRUA_PATH], const char **name)
{
    for (const char *at = strchr(path, '.'); at; at = strchr(at + 1, '.')) {
        const size_t length = (size_t)(at - path) + strlen(ENDING);
        if (strncasecmp(at, ENDING, strlen(ENDING)) || (path[length] && path[length] != '/') || length >= DRUA_PATH)
            continue;
        memcpy(archive, path, length);
        archive[length] = 0;
        *name = path + length + strspn(path + length, "/");
        return drua_zip_is_archive(archive) && (drua_path_is_remote(archive) || !drua_file_is_folder(archive));
    }
    return false;
}
