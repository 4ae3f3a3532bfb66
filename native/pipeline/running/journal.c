/* SPDX-License-Identifier: BSD-3-Clause */
#include "journal.h"

#include "alloc.h"
#include "clock.h"
#include "crc32c.h"
#include "file.h"
#include "hash.h"
#include "little_endian.h"
#include "text.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <time.h>

enum { HASH = DRUA_SHA256_TEXT - 1, MAGIC = 8, HEADER = MAGIC + HASH, RECORD = 40, PATH = 4096 };

static const char START[MAGIC + 1] = "DRUABLK1", ENDING[] = ".blocks", PART[] = ".writing", MERGED[] = "all.blocks",
                                FINISHED[] = "finished";

struct journal {
    FILE *file;
    char folder[PATH], path[PATH];
};

/* ---- one record: numbers with the lowest byte first, then a checksum */

static void pack_record(const block_record *r, unsigned char to[RECORD])
{
    drua_put_number(to, (uint64_t)r->block, 8);
    drua_put_number(to + 8, r->bytes, 8);
    drua_put_number(to + 16, (uint64_t)r->time, 8);
    drua_put_number(to + 24, r->attempt, 4);
    drua_put_number(to + 28, (uint64_t)r->state, 4);
    drua_put_number(to + 32, r->crc, 4);
    drua_put_number(to + 36, drua_crc32c(to, RECORD - 4), 4);
}

static bool unpack_record(const unsigned char from[RECORD], int64_t blocks, block_record *r)
{
    *r = (block_record){.block = (int64_t)drua_get_number(from, 8),
                        .bytes = drua_get_number(from + 8, 8),
                        .time = (int64_t)drua_get_number(from + 16, 8),
                        .attempt = (uint32_t)drua_get_number(from + 24, 4),
                        .state = (block_state)drua_get_number(from + 28, 4),
                        .crc = (uint32_t)drua_get_number(from + 32, 4)};
    return drua_get_number(from + 36, 4) == drua_crc32c(from, RECORD - 4) && r->block >= 0 && r->block < blocks &&
           (r->state == BLOCK_DONE || r->state == BLOCK_LOST);
}

static int64_t milliseconds_now(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- reading */

static bool is_journal(const char *name)
{
    return drua_text_ends_with(name, ENDING);
}

/*
 * Returns whether a record is newer. The attempt decides first. Within one attempt, "lost" is newer than "done",
 * because damage is found after the block was done. Times decide only between equal states, because the clocks of
 * computers differ.
 */
static bool is_newer(const block_record *r, const block_record *known)
{
    if (r->attempt != known->attempt)
        return r->attempt > known->attempt;
    return r->state != known->state ? r->state == BLOCK_LOST : r->time >= known->time;
}

/* Returns whether two processes have done a block in the same attempt and stored different bytes. */
static bool are_twins(const block_record *a, const block_record *b)
{
    return a->attempt == b->attempt && a->state == BLOCK_DONE && b->state == BLOCK_DONE &&
           (a->crc != b->crc || a->bytes != b->bytes);
}

static drua_status add_twin(journal_state *s, const block_record *r)
{
    block_record *grown = drua_realloc(s->twins, (size_t)(s->twin_count + 1) * sizeof *grown);
    if (!grown)
        return drua_fail_memory((size_t)(s->twin_count + 1) * sizeof *grown);
    s->twins = grown;
    s->twins[s->twin_count++] = *r;
    return DRUA_OK;
}

static drua_status add_record(journal_state *s, const block_record *r)
{
    block_record *known = &s->blocks[r->block];
    const bool newer = known->state == BLOCK_OPEN || is_newer(r, known);
    s->records++;
    if (are_twins(r, known))
        DRUA_TRY(add_twin(s, newer ? known : r));
    if (!newer)
        return DRUA_OK;
    s->done += (r->state == BLOCK_DONE) - (known->state == BLOCK_DONE);
    *known = *r;
    return DRUA_OK;
}

static bool has_sum(const block_record *r, const uint32_t *crc, uint64_t bytes)
{
    return (!crc || r->crc == *crc) && r->bytes == bytes;
}

bool journal_knows(const journal_state *s, int64_t block, const uint32_t *crc, uint64_t bytes)
{
    bool knows = has_sum(&s->blocks[block], crc, bytes);
    for (int64_t i = 0; i < s->twin_count && !knows; i++)
        knows = s->twins[i].block == block && s->twins[i].attempt == s->blocks[block].attempt &&
                has_sum(&s->twins[i], crc, bytes);
    return knows;
}

typedef struct reading {
    const char *folder, *plan;
    journal_state *state;
    uint64_t names; /* a sum over the names of the files, in any order */
    drua_status status;
} reading;

static drua_status read_file(const reading *r, const char *path)
{
    drua_bytes bytes = {0};
    block_record record;
    drua_status status = DRUA_OK;
    const drua_file_state found = drua_file_part(path, 0, SIZE_MAX / 4, &bytes, NULL);
    if (found == DRUA_FILE_ABSENT)
        return DRUA_OK; /* another process has merged this file; the caller compares the names and reads again */
    if (found != DRUA_FILE_PRESENT)
        status = drua_fail(
            DRUA_E_ARGUMENT,
            "the journal '%.600s' cannot be read; check its permissions, or discard its blocks with --anew", path);
    else if (bytes.length >= HEADER && (memcmp(bytes.data, START, MAGIC) || memcmp(bytes.data + MAGIC, r->plan, HASH)))
        status = drua_fail(DRUA_E_ARGUMENT,
                           "'%.600s' has finished blocks of another plan: its pipeline, input, settings or version "
                           "differ; finish that plan, or discard its blocks with --anew",
                           path);
    for (size_t at = HEADER; status == DRUA_OK && at + RECORD <= bytes.length; at += RECORD)
        if (unpack_record(bytes.data + at, r->state->count, &record))
            status = add_record(r->state, &record);
    r->state->files++;
    drua_free(bytes.data);
    return status;
}

static bool sum_name(const char *name, void *data)
{
    if (is_journal(name))
        *(uint64_t *)data += drua_hash(DRUA_HASH_START, name, strlen(name));
    return true;
}

static bool visit_file(const char *name, void *data)
{
    reading *r = data;
    char path[PATH];
    sum_name(name, &r->names);
    if (is_journal(name) && snprintf(path, sizeof path, "%s/%s", r->folder, name) < (int)sizeof path)
        r->status = read_file(r, path);
    return r->status == DRUA_OK;
}

/* Computes the rate from the blocks of the last ten minutes. */
static void find_rate(journal_state *s)
{
    enum { RECENT = 600000 };
    int64_t first = INT64_MAX, last = 0, count = 0;
    for (int64_t i = 0; i < s->count; i++)
        last = s->blocks[i].time > last ? s->blocks[i].time : last;
    for (int64_t i = 0; i < s->count; i++)
        if (s->blocks[i].state == BLOCK_DONE && s->blocks[i].time > last - RECENT) {
            first = s->blocks[i].time < first ? s->blocks[i].time : first;
            count++;
        }
    s->blocks_per_second = count > 1 && last > first ? 1000.0 * (double)(count - 1) / (double)(last - first) : 0;
}

/*
 * Another process may merge the files meanwhile, so that a visit of the folder misses both the old files and the merged
 * one. Reads again until the names stay the same.
 */
drua_status journal_read(const char *folder, const char *plan, int64_t blocks, journal_state *state)
{
    *state = (journal_state){.blocks = drua_alloc((size_t)blocks * sizeof *state->blocks), .count = blocks};
    if (!state->blocks)
        return drua_fail_memory((size_t)blocks * sizeof *state->blocks);
    enum { ATTEMPTS = 20 };
    reading r = {folder, plan, state, 0, DRUA_OK};
    uint64_t names = 0;
    for (int attempt = 0; attempt < ATTEMPTS && (!attempt || names != r.names); attempt++) {
        memset(state->blocks, 0, (size_t)blocks * sizeof *state->blocks);
        state->done = state->records = state->files = state->twin_count = 0;
        r.names = names = 0;
        drua_status listed = drua_folder_list(folder, visit_file, &r);
        if (listed == DRUA_OK)
            listed = drua_folder_list(folder, sum_name, &names);
        if (r.status == DRUA_OK)
            r.status = listed;
    }
    find_rate(state);
    return r.status;
}

void journal_state_free(journal_state *state)
{
    drua_free(state->blocks);
    drua_free(state->twins);
    *state = (journal_state){.blocks = NULL};
}

static bool find_any(const char *name, void *data)
{
    *(bool *)data |= is_journal(name);
    return true;
}

bool journal_exists(const char *folder)
{
    bool any = false;
    const drua_file_state state = drua_folder_visit(folder, find_any, &any);
    return any || (state != DRUA_FILE_PRESENT && state != DRUA_FILE_ABSENT);
}

/* ---- writing */

static drua_status begin_file(const char *plan, journal *j)
{
    if (j->file && fwrite(START, 1, MAGIC, j->file) == MAGIC && fwrite(plan, 1, HASH, j->file) == HASH &&
        fflush(j->file) == 0)
        return DRUA_OK;
    return drua_fail(DRUA_E_ARGUMENT,
                     "'%.600s' cannot be written: %s; check the disk space and whether the folder is write-protected",
                     j->path, strerror(errno));
}

/*
 * Names the file by process number and time: computers that share a disk may have equal process numbers, but hardly at
 * the same nanosecond.
 */
drua_status journal_open(const char *folder, const char *plan, journal **j)
{
    *j = drua_alloc(sizeof **j);
    if (!*j)
        return drua_fail_memory(sizeof **j);
    errno = 0;
    snprintf((*j)->folder, PATH, "%s", folder);
    if (snprintf((*j)->path, PATH, "%s/%" PRId64 ".%llx.%ld%s", folder, milliseconds_now(),
                 (unsigned long long)drua_nanoseconds(), drua_process_number(), ENDING) < PATH &&
        drua_file_make_shared_folder(folder))
        (*j)->file = drua_file_open((*j)->path, "ab");
    const drua_status status = begin_file(plan, *j);
    if (status != DRUA_OK) {
        journal_close(*j);
        *j = NULL;
    }
    return status;
}

static drua_status append_record(journal *j, const block_record *record)
{
    unsigned char bytes[RECORD];
    pack_record(record, bytes);
    errno = 0;
    if (fwrite(bytes, 1, RECORD, j->file) == RECORD)
        return DRUA_OK;
    return drua_fail(DRUA_E_ARGUMENT, "'%.600s' cannot be written: %s; check the disk space", j->path, strerror(errno));
}

/*
 * Fails if the file was removed with its folder: an open file takes records although it no longer has a name. A
 * finisher that has merged the file leaves the merged file.
 */
static drua_status check_place(const journal *j)
{
    char merged[PATH];
    const bool fits = snprintf(merged, sizeof merged, "%s/%s", j->folder, MERGED) < (int)sizeof merged;
    return drua_file_is_ordinary(j->path) || (fits && drua_file_is_ordinary(merged))
               ? DRUA_OK
               : drua_fail(DRUA_E_AWAY,
                           "the plan's journal in '%.600s' has disappeared since this run began; make it accessible, "
                           "then run the same command again",
                           j->folder);
}

drua_status journal_add(journal *j, block_record *record)
{
    record->time = milliseconds_now();
    DRUA_TRY(append_record(j, record));
    errno = 0;
    if (fflush(j->file) != 0)
        return drua_fail(DRUA_E_ARGUMENT, "'%.600s' cannot be written: %s; check the disk space", j->path,
                         strerror(errno));
    return check_place(j);
}

void journal_settle(journal *j)
{
    drua_file_settle(j->file);
}

void journal_close(journal *j)
{
    if (j && j->file)
        fclose(j->file);
    drua_free(j);
}

/* ---- merging and removing */

typedef struct removal {
    const char *folder;
    const char *keep; /* NULL: removes all files */
} removal;

static bool remove_journal(const char *name, void *data)
{
    const removal *r = data;
    char path[PATH];
    if ((is_journal(name) || drua_text_ends_with(name, PART) || !strcmp(name, FINISHED)) &&
        (!r->keep || (strcmp(name, r->keep) && strcmp(name, FINISHED))) &&
        snprintf(path, sizeof path, "%s/%s", r->folder, name) < (int)sizeof path)
        drua_file_remove(path);
    return true;
}

/*
 * Merges the files. Each process writes a separate file and then gives it its name, so that several processes can merge
 * at once.
 */
drua_status journal_merge(const char *folder, const char *plan, const journal_state *state)
{
    char path[PATH];
    if (snprintf(path, sizeof path, "%s/%s", folder, MERGED) >= (int)sizeof path)
        return drua_fail(DRUA_E_ARGUMENT, "the path of the folder '%.600s' is too long; choose a shorter one", folder);
    journal *j = drua_alloc(sizeof *j);
    if (!j)
        return drua_fail_memory(sizeof *j);
    errno = 0;
    j->file = drua_file_create_beside(path, j->path, sizeof j->path);
    drua_status status = begin_file(plan, j);
    for (int64_t i = 0; i < state->count && status == DRUA_OK; i++)
        if (state->blocks[i].state != BLOCK_OPEN)
            status = append_record(j, &state->blocks[i]);
    for (int64_t i = 0; i < state->twin_count && status == DRUA_OK; i++)
        status = append_record(j, &state->twins[i]);
    if (status == DRUA_OK && !drua_file_settle(j->file))
        status = drua_fail(DRUA_E_ARGUMENT, "'%.600s' cannot be written; check the disk space", j->path);
    if (j->file)
        fclose(j->file);
    if (status == DRUA_OK && drua_file_move(j->path, path))
        drua_folder_visit(folder, remove_journal, &(removal){folder, MERGED});
    else if (j->file)
        drua_file_remove(j->path);
    drua_free(j);
    return status;
}

void journal_remove(const char *folder)
{
    drua_folder_visit(folder, remove_journal, &(removal){folder, NULL});
}

/* ---- the end */

drua_status journal_mark_finished(const char *folder)
{
    char path[PATH];
    if (!journal_exists(folder))
        return drua_fail(
            DRUA_E_AWAY,
            "the plan's journal in '%.600s' no longer exists; make it accessible, then run the same command again",
            folder);
    errno = 0;
    FILE *mark = snprintf(path, sizeof path, "%s/%s", folder, FINISHED) < (int)sizeof path
                     ? drua_file_open(path, "ab") /* no temporary file, which a process that merges would remove */
                     : NULL;
    return mark && fclose(mark) == 0
               ? DRUA_OK
               : drua_fail(
                     DRUA_E_ARGUMENT,
                     "'%.600s' cannot be written: %s; check the disk space and whether the folder is write-protected",
                     path, strerror(errno));
}

bool journal_is_finished(const char *folder)
{
    char path[PATH];
    return snprintf(path, sizeof path, "%s/%s", folder, FINISHED) < (int)sizeof path && drua_file_is_ordinary(path);
}
