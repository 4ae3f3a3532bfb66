/* SPDX-License-Identifier: BSD-3-Clause */
#include "input_record.h"

#include "alloc.h"
#include "chunk_prints.h"
#include "clock.h"
#include "crc32c.h"
#include "error.h"
#include "file.h"
#include "little_endian.h"
#include "parallel.h"
#include "sha256.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { HASH = DRUA_SHA256_TEXT - 1, MAGIC = 8, HEADER = MAGIC + HASH, RECORD = 24, PATH = 4096, AT_ONCE = 4096 };

static const char START[MAGIC + 1] = "DRUAINP1", ENDING[] = ".inputs", LIST[] = "plan.inputs";

typedef enum record_kind { LISTED = 1, READ, DAMAGED } record_kind;

/* The known states of a file; 0: none is known. */
typedef struct seen_file {
    int64_t file; /* -1: the place is free */
    uint64_t listed, read;
    bool damaged;
} seen_file;

struct input_record {
    char folder[PATH], hash[HASH + 1], path[PATH];
    drua_zarr *zarr;
    bool listed;
    seen_file *files; /* a hash table by file number; `places` is a power of two, and at least half of them are free */
    int64_t places, count;
    int64_t mixed; /* a file that processes read in two states; -1: no such file */
    FILE *own; /* this process writes it; NULL: it has written nothing yet */
    pthread_mutex_t lock;
};

/* ---- one record: numbers with the lowest byte first, then a checksum */

static void pack_record(int64_t file, uint64_t print, record_kind kind, unsigned char to[RECORD])
{
    drua_put_number(to, (uint64_t)file, 8);
    drua_put_number(to + 8, print, 8);
    drua_put_number(to + 16, (uint64_t)kind, 4);
    drua_put_number(to + 20, drua_crc32c(to, RECORD - 4), 4);
}

/* ---- the known files */

static seen_file *place_of(seen_file *files, int64_t places, int64_t file)
{
    uint64_t at = (uint64_t)file * 0x9e3779b97f4a7c15u >> 20;
    while (files[at & (uint64_t)(places - 1)].file >= 0 && files[at & (uint64_t)(places - 1)].file != file)
        at++;
    return &files[at & (uint64_t)(places - 1)];
}

static drua_status grow_table(input_record *r)
{
    const int64_t places = r->places ? 2 * r->places : 1024;
    seen_file *files = drua_alloc((size_t)places * sizeof *files);
    if (!files)
        return drua_fail_memory((size_t)places * sizeof *files);
    for (int64_t i = 0; i < places; i++)
        files[i].file = -1;
    for (int64_t i = 0; i < r->places; i++)
        if (r->files[i].file >= 0)
            *place_of(files, places, r->files[i].file) = r->files[i];
    drua_free(r->files);
    r->files = files;
    r->places = places;
    return DRUA_OK;
}

static drua_status find_file(input_record *r, int64_t file, seen_file **found)
{
    if (2 * (r->count + 1) > r->places)
        DRUA_TRY(grow_table(r));
    *found = place_of(r->files, r->places, file);
    if ((*found)->file < 0) {
        **found = (seen_file){.file = file};
        r->count++;
    }
    return DRUA_OK;
}

/* ---- reading */

static drua_status take_record(input_record *r, const unsigned char from[RECORD])
{
    const int64_t file = (int64_t)drua_get_number(from, 8);
    const uint64_t print = drua_get_number(from + 8, 8);
    seen_file *f;
    if (drua_get_number(from + 20, 4) != drua_crc32c(from, RECORD - 4) || file < 0 || file >= drua_zarr_files(r->zarr))
        return DRUA_OK; /* a truncated or damaged record */
    DRUA_TRY(find_file(r, file, &f));
    switch ((record_kind)drua_get_number(from + 16, 4)) {
    case LISTED: f->listed = print; break;
    case DAMAGED: f->damaged = true; break;
    case READ:
        if (f->read && f->read != print)
            r->mixed = file;
        f->read = print;
        break;
    }
    return DRUA_OK;
}

static drua_status read_file(input_record *r, const char *path)
{
    drua_bytes bytes = {0};
    drua_status status = DRUA_OK;
    const drua_file_state state = drua_file_part(path, 0, SIZE_MAX / 4, &bytes, NULL);
    if (state != DRUA_FILE_PRESENT && state != DRUA_FILE_ABSENT)
        status = drua_fail(DRUA_E_ARGUMENT,
                           "the record of input files '%.600s' cannot be read; check its permissions, or make the plan "
                           "again with drua plan --anew",
                           path);
    const bool ours =
        bytes.length >= HEADER && !memcmp(bytes.data, START, MAGIC) && !memcmp(bytes.data + MAGIC, r->hash, HASH);
    for (size_t at = HEADER; status == DRUA_OK && ours && at + RECORD <= bytes.length; at += RECORD)
        status = take_record(r, bytes.data + at);
    drua_free(bytes.data);
    return status;
}

typedef struct visiting {
    input_record *record;
    drua_status status;
} visiting;

/* Returns whether a name in the folder is that of a file of these records. */
static bool is_record(const char *name)
{
    const size_t length = strlen(name), ending = strlen(ENDING);
    return length > ending && !strcmp(name + length - ending, ENDING);
}

static bool visit_file(const char *name, void *data)
{
    visiting *v = data;
    char path[PATH];
    if (is_record(name) && (v->record->listed || strcmp(name, LIST)) &&
        snprintf(path, sizeof path, "%s/%s", v->record->folder, name) < (int)sizeof path)
        v->status = read_file(v->record, path);
    return v->status == DRUA_OK;
}

static drua_status fail_changed(const input_record *r, int64_t file, const char *since)
{
    char path[600] = "";
    drua_zarr_file_path(r->zarr, file, path, sizeof path);
    return drua_fail(DRUA_E_ARGUMENT,
                     "the input '%s' has changed since %s; restore it with its original size and modification time, or "
                     "make the plan again with drua plan --anew",
                     path, since);
}

static const char BLOCKS_READ_IT[] = "finished blocks read it";

/* ---- writing */

static drua_status cannot_write(const char *path)
{
    return drua_fail(DRUA_E_ARGUMENT,
                     "'%.600s' cannot be written: %s; check the disk space and whether the folder is write-protected",
                     path, strerror(errno));
}

/*
 * Begins the file of this process. Its name has the time, because processes of two computers may have the same number,
 * but hardly at the same nanosecond.
 */
static bool begin_file(input_record *r)
{
    const int length = snprintf(r->path, PATH, "%s/%lld.%llx.%ld%s", r->folder, (long long)time(NULL),
                                (unsigned long long)drua_nanoseconds(), drua_process_number(), ENDING);
    return length < PATH && drua_file_make_shared_folder(r->folder) &&
           (r->own = drua_file_open(r->path, "ab")) != NULL && fwrite(START, 1, MAGIC, r->own) == MAGIC &&
           fwrite(r->hash, 1, HASH, r->own) == HASH;
}

/* Appends a record and flushes it before a block is recorded as done, so a killed process loses no record. */
static bool append_record(input_record *r, int64_t file, uint64_t print, record_kind kind)
{
    unsigned char bytes[RECORD];
    pack_record(file, print, kind, bytes);
    errno = 0;
    if ((r->own || begin_file(r)) && fwrite(bytes, 1, RECORD, r->own) == RECORD && fflush(r->own) == 0)
        return true;
    if (r->own)
        fclose(r->own); /* nothing may follow a truncated record */
    r->own = NULL;
    return false;
}

/* Records the state of a file. A damaged file is recorded without an error, because its reader reports the damage. */
static drua_status see_locked(input_record *r, int64_t file, uint64_t print, bool damaged)
{
    seen_file *f;
    if (damaged) {
        if (find_file(r, file, &f) == DRUA_OK && !f->damaged)
            f->damaged = append_record(r, file, print, DAMAGED);
        return DRUA_OK;
    }
    DRUA_TRY(find_file(r, file, &f));
    if (f->read == print)
        return DRUA_OK;
    if (f->read)
        return fail_changed(r, file, BLOCKS_READ_IT);
    if (r->listed && f->listed && f->listed != print) {
        if (print == DRUA_ZARR_ABSENT && !f->damaged)
            f->damaged = append_record(r, file, print, DAMAGED);
        if (print == DRUA_ZARR_ABSENT || !f->damaged)
            return fail_changed(r, file, "the plan was made");
    }
    if (!append_record(r, file, print, READ))
        return cannot_write(r->path);
    f->read = print;
    return DRUA_OK;
}

static drua_status see_file(void *payload, int64_t file, uint64_t print, bool damaged)
{
    input_record *r = payload;
    pthread_mutex_lock(&r->lock);
    const drua_status status = see_locked(r, file, print, damaged);
    pthread_mutex_unlock(&r->lock);
    return status;
}

/* ---- the record of a process */

drua_status input_record_open(const char *folder, const char *hash, drua_zarr *zarr, bool listed, input_record **made)
{
    input_record *r = *made = drua_alloc(sizeof *r);
    if (!r)
        return drua_fail_memory(sizeof *r);
    pthread_mutex_init(&r->lock, NULL);
    snprintf(r->folder, PATH, "%s", folder);
    snprintf(r->hash, sizeof r->hash, "%s", hash);
    r->zarr = zarr;
    r->listed = listed;
    r->mixed = -1;
    visiting v = {r, DRUA_OK};
    DRUA_TRY(drua_folder_list(folder, visit_file, &v));
    drua_zarr_watch(zarr, see_file, r);
    return v.status == DRUA_OK && r->mixed >= 0 ? fail_changed(r, r->mixed, BLOCKS_READ_IT) : v.status;
}

void input_record_close(input_record *r)
{
    if (!r)
        return;
    drua_zarr_watch(r->zarr, NULL, NULL);
    if (r->own)
        fclose(r->own);
    drua_free(r->files);
    pthread_mutex_destroy(&r->lock);
    drua_free(r);
}

typedef struct checking {
    const input_record *record;
    int64_t part, parts;
} checking;

/* Compares the files in a range of places. */
static drua_status check_stretch(void *payload, int worker, int64_t item)
{
    const checking *c = payload;
    const input_record *r = c->record;
    (void)worker;
    for (int64_t i = item * AT_ONCE; i < (item + 1) * AT_ONCE && i < r->places; i++) {
        const seen_file *f = &r->files[i];
        uint64_t print;
        if (f->file < 0 || !f->read || (c->parts > 0 && f->file % c->parts != c->part))
            continue;
        DRUA_TRY(drua_zarr_file_print(r->zarr, f->file, &print));
        if (print == f->read)
            continue;
        DRUA_TRY(drua_zarr_check(r->zarr));
        DRUA_TRY(drua_zarr_file_print(r->zarr, f->file, &print)); /* the image came back after the first comparison */
        if (print != f->read)
            return fail_changed(r, f->file, BLOCKS_READ_IT);
    }
    return DRUA_OK;
}

drua_status input_record_check(input_record *r, int64_t part, int64_t parts)
{
    return drua_parallel((r->places + AT_ONCE - 1) / AT_ONCE, check_stretch, &(checking){r, part, parts});
}

/* ---- the list of a plan */

typedef struct listing {
    const drua_zarr *zarr;
    unsigned char *bytes; /* a record of each file */
    int64_t files;
} listing;

static drua_status list_stretch(void *payload, int worker, int64_t item)
{
    const listing *l = payload;
    (void)worker;
    for (int64_t file = item * AT_ONCE; file < (item + 1) * AT_ONCE && file < l->files; file++) {
        uint64_t print;
        DRUA_TRY(chunk_print_find(l->zarr, file, &print));
        pack_record(file, print, LISTED, l->bytes + file * RECORD);
    }
    return DRUA_OK;
}

drua_status input_record_list(const char *folder, const char *hash, const drua_zarr *zarr)
{
    listing l = {.zarr = zarr, .files = drua_zarr_files(zarr)};
    char path[PATH];
    if (snprintf(path, sizeof path, "%s/%s", folder, LIST) >= (int)sizeof path)
        return drua_fail(DRUA_E_ARGUMENT, "the path of the plan '%.600s' is too long; choose a shorter one", folder);
    if (l.files > INPUT_MAX_LISTED || drua_zarr_is_remote(zarr)) {
        drua_file_remove(path);
        return DRUA_OK;
    }
    const size_t length = HEADER + (size_t)l.files * RECORD;
    unsigned char *bytes = drua_alloc(length);
    if (!bytes)
        return drua_fail_memory(length);
    memcpy(bytes, START, MAGIC);
    memcpy(bytes + MAGIC, hash, HASH);
    l.bytes = bytes + HEADER;
    drua_status status = drua_parallel((l.files + AT_ONCE - 1) / AT_ONCE, list_stretch, &l);
    if (status == DRUA_OK)
        status = drua_zarr_check(zarr);
    errno = 0;
    if (status == DRUA_OK &&
        (!drua_file_make_shared_folder(folder) || !drua_file_replace_by(folder, path, bytes, length)))
        status = cannot_write(path);
    drua_free(bytes);
    return status;
}

/* ---- names */

bool input_record_is_ours(const char *name)
{
    return is_record(name) || !strncmp(name, ENDING + 1, strlen(ENDING + 1));
}

static bool no_name(const char *name)
{
    (void)name;
    return false;
}

static bool remove_file(const char *name, void *data)
{
    char path[PATH];
    if (!is_record(name) && input_record_is_ours(name) &&
        snprintf(path, sizeof path, "%s/%s", (const char *)data, name) < PATH) {
        input_record_remove(path);
        drua_file_remove_folder(path, no_name);
    }
    if (is_record(name) && snprintf(path, sizeof path, "%s/%s", (const char *)data, name) < PATH)
        drua_file_remove(path);
    return true;
}

void input_record_remove(const char *folder)
{
    drua_folder_visit(folder, remove_file, (void *)(uintptr_t)folder);
}
