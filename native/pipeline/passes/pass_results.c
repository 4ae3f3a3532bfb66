/* SPDX-License-Identifier: BSD-3-Clause */
#include "pass_records.h"

#include "alloc.h"
#include "clock.h"
#include "crc32c.h"
#include "little_endian.h"
#include "sha256.h"
#include "text.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

enum { HASH = DRUA_SHA256_TEXT - 1, MAGIC = 8, HEADER = MAGIC + HASH, RECORD = 24, PATH = 4096, AT_ONCE = 1 << 24 };

static const char START[MAGIC + 1] = "DRUAPAS1", ENDING[] = ".results", JOINED[] = "joined";

/* A file of one process, and the number of bytes read so far. */
typedef struct result_file {
    char path[PATH];
    uint64_t read;
} result_file;

/* Position of a block's result. */
typedef struct place {
    bool present;
    uint32_t crc;
    int file;
    uint64_t at, bytes;
} place;

struct pass_results {
    char folder[PATH], hash[HASH + 1]; /* that of the pass; "" accepts any pass */
    int64_t blocks, count;
    place *places;
    result_file **files;
    int file_count;
    FILE *own; /* file to which this process appends */
    int own_file;
    double refreshed; /* time of the last refresh */
    pthread_mutex_t lock;
};

/* ---- one record: numbers with the lowest byte first, and checksums of the result and of the numbers */

typedef struct record {
    int64_t block;
    uint64_t bytes;
    uint32_t crc;
} record;

static void pack_record(const record *r, unsigned char to[RECORD])
{
    drua_put_number(to, (uint64_t)r->block, 8);
    drua_put_number(to + 8, r->bytes, 8);
    drua_put_number(to + 16, r->crc, 4);
    drua_put_number(to + 20, drua_crc32c(to, RECORD - 4), 4);
}

static bool unpack_record(const unsigned char from[RECORD], int64_t blocks, record *r)
{
    *r = (record){(int64_t)drua_get_number(from, 8), drua_get_number(from + 8, 8),
                  (uint32_t)drua_get_number(from + 16, 4)};
    return drua_get_number(from + 20, 4) == drua_crc32c(from, RECORD - 4) && r->block >= 0 && r->block < blocks &&
           r->bytes < SIZE_MAX / 2;
}

/* ---- reading */

static void note_result(pass_results *r, const record *of, int file, uint64_t at)
{
    place *p = &r->places[of->block];
    r->count += !p->present;
    *p = (place){true, of->crc, file, at, of->bytes};
}

/*
 * Notes the complete records in a part of a file, from r->files[file]->read on. `needed` receives the length of the
 * truncated record at the end of the part.
 */
static void take_part(pass_results *r, int file, const drua_bytes *part, size_t *needed)
{
    record of;
    size_t at = 0;
    *needed = RECORD;
    while (part->length - at >= RECORD && unpack_record(part->data + at, r->blocks, &of)) {
        *needed = RECORD + (size_t)of.bytes;
        if (part->length - at < *needed)
            break;
        if (!r->places[of.block].present && drua_crc32c(part->data + at + RECORD, (size_t)of.bytes) == of.crc)
            note_result(r, &of, file, r->files[file]->read + at + RECORD);
        at += *needed;
        *needed = RECORD;
    }
    r->files[file]->read += at;
}

/* Reads a file that may end within a record, because another process is writing it. */
static void read_records(pass_results *r, int file, drua_bytes *part)
{
    result_file *f = r->files[file];
    uint64_t before = 0, length = f->read;
    for (size_t wanted = AT_ONCE, needed;
         f->read != before && drua_file_part(f->path, (int64_t)f->read, wanted, part, &length) == DRUA_FILE_PRESENT;
         wanted = needed > AT_ONCE ? needed : AT_ONCE) {
        before = f->read;
        take_part(r, file, part, &needed);
        if (f->read == before && needed > wanted && needed <= length - f->read)
            before = 0; /* the record is longer than one read; read again with its length */
    }
}

static drua_status read_header(const pass_results *r, const char *path, bool *whole)
{
    drua_bytes bytes = {0};
    drua_status status = DRUA_OK;
    if (drua_file_part(path, 0, HEADER, &bytes, NULL) != DRUA_FILE_PRESENT)
        status = drua_fail(
            DRUA_E_ARGUMENT,
            "the results of a pass '%.600s' cannot be read; check the permissions, or make the plan again with --anew",
            path);
    *whole = status == DRUA_OK && bytes.length == HEADER;
    if (*whole && (memcmp(bytes.data, START, MAGIC) || (*r->hash && memcmp(bytes.data + MAGIC, r->hash, HASH))))
        status = drua_fail(DRUA_E_ARGUMENT,
                           "'%.600s' has results of another plan: its pipeline, input, settings or version differ; "
                           "discard them by making the plan with --anew",
                           path);
    drua_free(bytes.data);
    return status;
}

static drua_status add_file(pass_results *r, const char *path)
{
    result_file **grown = drua_realloc(r->files, (size_t)(r->file_count + 1) * sizeof *grown);
    result_file *f = grown ? drua_alloc(sizeof *f) : NULL;
    r->files = grown ? grown : r->files;
    if (!f)
        return drua_fail_memory(sizeof *f);
    snprintf(f->path, PATH, "%s", path);
    f->read = HEADER;
    r->files[r->file_count++] = f;
    return DRUA_OK;
}

typedef struct visiting {
    pass_results *results;
    drua_status status;
} visiting;

static bool visit_file(const char *name, void *data)
{
    visiting *v = data;
    pass_results *r = v->results;
    char path[PATH];
    bool known = !drua_text_ends_with(name, ENDING) ||
                 snprintf(path, sizeof path, "%s/%s", r->folder, name) >= (int)sizeof path,
         whole = false;
    for (int i = 0; i < r->file_count && !known; i++)
        known = !strcmp(r->files[i]->path, path);
    if (!known)
        v->status = read_header(r, path, &whole);
    if (v->status == DRUA_OK && whole)
        v->status = add_file(r, path);
    return v->status == DRUA_OK;
}

static drua_status read_new_records(pass_results *r)
{
    visiting v = {r, DRUA_OK};
    drua_bytes part = {0};
    DRUA_TRY(drua_folder_list(r->folder, visit_file, &v));
    for (int i = 0; i < r->file_count && v.status == DRUA_OK; i++) {
        drua_file_info info;
        if (drua_file_stat(r->files[i]->path, &info) && info.bytes > r->files[i]->read)
            read_records(r, i, &part);
    }
    drua_free(part.data);
    r->refreshed = drua_seconds();
    return v.status;
}

drua_status pass_results_open(const char *folder, const char *hash, int64_t blocks, pass_results **results)
{
    pass_results *r = *results = drua_alloc(sizeof *r);
    if (!r)
        return drua_fail_memory(sizeof *r);
    pthread_mutex_init(&r->lock, NULL);
    snprintf(r->folder, PATH, "%s", folder);
    snprintf(r->hash, sizeof r->hash, "%s", hash ? hash : "");
    r->blocks = blocks;
    r->places = drua_alloc((size_t)blocks * sizeof *r->places);
    return r->places ? read_new_records(r) : drua_fail_memory((size_t)blocks * sizeof *r->places);
}

drua_status pass_results_refresh(pass_results *r, double seconds)
{
    pthread_mutex_lock(&r->lock);
    const drua_status status = drua_seconds() - r->refreshed >= seconds ? read_new_records(r) : DRUA_OK;
    pthread_mutex_unlock(&r->lock);
    return status;
}

bool pass_results_has(pass_results *r, int64_t block)
{
    pthread_mutex_lock(&r->lock);
    const bool present = r->places[block].present;
    pthread_mutex_unlock(&r->lock);
    return present;
}

int64_t pass_results_count(pass_results *r)
{
    pthread_mutex_lock(&r->lock);
    const int64_t count = r->count;
    pthread_mutex_unlock(&r->lock);
    return count;
}

static drua_status get_locked(pass_results *r, int64_t block, drua_bytes *found)
{
    place *p = &r->places[block];
    const char *path = p->present ? r->files[p->file]->path : r->folder;
    const bool good = p->present &&
                      drua_file_part(path, (int64_t)p->at, (size_t)p->bytes, found, NULL) == DRUA_FILE_PRESENT &&
                      found->length == p->bytes && drua_crc32c(found->data, found->length) == p->crc;
    if (good)
        return DRUA_OK;
    r->count -= p->present;
    p->present = false;
    return drua_fail(
        DRUA_E_ARGUMENT,
        "the result of block %lld in '%.600s' is damaged or missing; run the plan again to repeat the block",
        (long long)block, path);
}

drua_status pass_results_get(pass_results *r, int64_t block, drua_bytes *found)
{
    pthread_mutex_lock(&r->lock);
    const drua_status status = get_locked(r, block, found);
    pthread_mutex_unlock(&r->lock);
    return status;
}

/* ---- writing */

static drua_status cannot_write(const char *path)
{
    return drua_fail(DRUA_E_ARGUMENT,
                     "'%.600s' cannot be written: %s; check the disk space and whether the folder is write-protected",
                     path, strerror(errno));
}

/*
 * Names the file by process number and time: computers that share a disk may have equal process numbers, but hardly at
 * the same nanosecond.
 */
static drua_status begin_file(pass_results *r)
{
    char path[PATH];
    errno = 0;
    const int length = snprintf(path, PATH, "%s/%lld.%llx.%ld%s", r->folder, (long long)time(NULL),
                                (unsigned long long)drua_nanoseconds(), drua_process_number(), ENDING);
    if (length >= PATH || !drua_file_make_shared_folder(r->folder) || !(r->own = drua_file_open(path, "ab")) ||
        fwrite(START, 1, MAGIC, r->own) != MAGIC || fwrite(r->hash, 1, HASH, r->own) != HASH || fflush(r->own) != 0)
        return cannot_write(path);
    r->own_file = r->file_count;
    return add_file(r, path);
}

/* Appends a record. After a write error the file is closed, because nothing may follow a truncated record. */
static drua_status add_locked(pass_results *r, const record *of, const unsigned char *bytes, size_t length)
{
    drua_status status = r->own ? DRUA_OK : begin_file(r);
    errno = 0;
    if (status == DRUA_OK && (fwrite(bytes, 1, length, r->own) != length || fflush(r->own) != 0))
        status = cannot_write(r->files[r->own_file]->path);
    if (status == DRUA_OK) {
        result_file *f = r->files[r->own_file];
        note_result(r, of, r->own_file, f->read + RECORD);
        f->read += length;
    } else if (r->own) {
        fclose(r->own);
        r->own = NULL;
    }
    return status;
}

drua_status pass_results_add(pass_results *r, int64_t block, const drua_bytes *found)
{
    const size_t length = RECORD + found->length;
    const record of = {block, found->length, drua_crc32c(found->data, found->length)};
    unsigned char *bytes = drua_alloc(length);
    if (!bytes)
        return drua_fail_memory(length);
    pack_record(&of, bytes);
    if (found->length)
        memcpy(bytes + RECORD, found->data, found->length);
    pthread_mutex_lock(&r->lock);
    const drua_status status = add_locked(r, &of, bytes, length);
    pthread_mutex_unlock(&r->lock);
    drua_free(bytes);
    return status;
}

void pass_results_settle(pass_results *r)
{
    pthread_mutex_lock(&r->lock);
    if (r->own)
        drua_file_settle(r->own);
    pthread_mutex_unlock(&r->lock);
}

void pass_results_close(pass_results *r)
{
    if (!r)
        return;
    if (r->own)
        fclose(r->own);
    for (int i = 0; i < r->file_count; i++)
        drua_free(r->files[i]);
    drua_free(r->files);
    drua_free(r->places);
    pthread_mutex_destroy(&r->lock);
    drua_free(r);
}

/* ---- the joined result */

drua_status pass_joined_write(const char *folder, const char *hash, const drua_bytes *joined)
{
    const size_t length = HEADER + joined->length + sizeof(uint32_t);
    unsigned char *bytes = drua_alloc(length);
    char path[PATH];
    if (!bytes)
        return drua_fail_memory(length);
    memcpy(bytes, START, MAGIC);
    memcpy(bytes + MAGIC, hash, HASH);
    if (joined->length)
        memcpy(bytes + HEADER, joined->data, joined->length);
    drua_put_number(bytes + HEADER + joined->length, drua_crc32c(bytes, HEADER + joined->length), sizeof(uint32_t));
    snprintf(path, sizeof path, "%.4000s/%s", folder, JOINED);
    errno = 0;
    const bool written = drua_file_make_shared_folder(folder) && drua_file_replace_by(folder, path, bytes, length);
    drua_free(bytes);
    return written ? DRUA_OK : cannot_write(path);
}

bool pass_joined_read(const char *folder, const char *hash, drua_bytes *joined)
{
    char path[PATH];
    snprintf(path, sizeof path, "%.4000s/%s", folder, JOINED);
    const bool present = drua_file_part(path, 0, SIZE_MAX / 4, joined, NULL) == DRUA_FILE_PRESENT &&
                         joined->length >= HEADER + sizeof(uint32_t);
    const size_t length = present ? joined->length - HEADER - sizeof(uint32_t) : 0;
    if (present && !memcmp(joined->data, START, MAGIC) && !memcmp(joined->data + MAGIC, hash, HASH) &&
        drua_get_number(joined->data + HEADER + length, sizeof(uint32_t)) ==
            drua_crc32c(joined->data, HEADER + length)) {
        memmove(joined->data, joined->data + HEADER, length);
        joined->length = length;
        return true;
    }
    drua_free(joined->data);
    *joined = (drua_bytes){0};
    return false;
}

bool pass_joined_exists(const char *folder)
{
    char path[PATH];
    snprintf(path, sizeof path, "%.4000s/%s", folder, JOINED);
    return drua_file_is_ordinary(path);
}

bool pass_results_is_file(const char *name)
{
    return drua_text_ends_with(name, ENDING) || !strcmp(name, JOINED);
}
