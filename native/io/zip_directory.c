/* SPDX-License-Identifier: BSD-3-Clause */
#include "zip_directory.h"

#include "alloc.h"
#include "error.h"
#include "little_endian.h"
#include "paths.h"
#include "plain_files.h"
#include "store_file.h"

#include <stdlib.h>
#include <string.h>

enum {
    END = 22, /* bytes of the end record */
    LOCATOR = 20, /* bytes of the record that locates ... */
    END64 = 56, /* ... the end record of ZIP64 */
    CENTRAL = 46, /* bytes of a directory entry without its name */
    LOCAL = 30, /* bytes of a local header without its name */
    MAX_COMMENT = 65535,
    MAX_NAME = 1024
};
static const uint64_t MAX_DIRECTORY = 1 << 30;

/* Where the directory is. */
typedef struct directory {
    uint64_t first, bytes, count, end; /* end: offset of the records after it */
} directory;

static drua_status fail_damaged(const char *what)
{
    return drua_fail(DRUA_E_ARGUMENT, "it is not a complete ZIP archive: %s; copy it again from its source", what);
}

/* ---- the records at the end */

/* Replaces the numbers of the end record by those of ZIP64. `tail` holds the last bytes of the archive. */
static drua_status read_end64(const unsigned char *tail, uint64_t tail_at, size_t end, directory *d)
{
    const unsigned char *locator = tail + end - LOCATOR;
    const uint64_t at = drua_get_number(locator + 8, 8);
    if (drua_get_number(locator + 4, 4) != 0 || drua_get_number(locator + 16, 4) > 1)
        return fail_damaged("it is one of several volumes");
    if (at < tail_at || at - tail_at > end - LOCATOR - END64)
        return fail_damaged("its ZIP64 record is not where it should be");
    const unsigned char *record = tail + (at - tail_at);
    const uint64_t length = drua_get_number(record + 4, 8);
    if (drua_get_number(record, 4) != 0x06064b50 || length != end - LOCATOR - (at - tail_at) - 12 ||
        drua_get_number(record + 24, 8) != drua_get_number(record + 32, 8))
        return fail_damaged("its ZIP64 record is damaged");
    *d = (directory){.count = drua_get_number(record + 32, 8),
                     .bytes = drua_get_number(record + 40, 8),
                     .first = drua_get_number(record + 48, 8),
                     .end = at};
    return DRUA_OK;
}

static drua_status read_end(const unsigned char *tail, size_t length, uint64_t all, directory *d)
{
    const uint64_t tail_at = all - length;
    size_t end = length;
    for (size_t at = length < END ? 0 : length - END + 1; at-- > 0 && end == length;)
        if (drua_get_number(tail + at, 4) == 0x06054b50 && drua_get_number(tail + at + 20, 2) == length - at - END)
            end = at;
    if (end == length)
        return fail_damaged("its end is missing");
    const unsigned char *record = tail + end;
    if (drua_get_number(record + 4, 2) != 0 || drua_get_number(record + 6, 2) != 0 ||
        drua_get_number(record + 8, 2) != drua_get_number(record + 10, 2))
        return fail_damaged("it is one of several volumes");
    *d = (directory){.count = drua_get_number(record + 10, 2),
                     .bytes = drua_get_number(record + 12, 4),
                     .first = drua_get_number(record + 16, 4),
                     .end = tail_at + end};
    if (end >= LOCATOR + END64 && drua_get_number(record - LOCATOR, 4) == 0x07064b50)
        DRUA_TRY(read_end64(tail, tail_at, end, d));
    if (d->first > d->end || d->bytes != d->end - d->first || d->bytes > MAX_DIRECTORY || d->count > d->bytes / CENTRAL)
        return fail_damaged("the size and place of its directory are wrong");
    return DRUA_OK;
}

/* ---- entries */

/*
 * Replaces lengths and an offset whose bits are all ones by those of the extra field of ZIP64, which has them in the
 * same order.
 */
static bool read_extra(const unsigned char *extra, size_t length, uint64_t *const numbers[3], const bool wide[3])
{
    bool needed = wide[0] || wide[1] || wide[2];
    for (size_t at = 0; needed && at + 4 <= length;) {
        const size_t kind = (size_t)drua_get_number(extra + at, 2), bytes = (size_t)drua_get_number(extra + at + 2, 2);
        size_t inside = at + 4;
        if (bytes > length - inside)
            return false;
        for (int i = 0; i < 3 && kind == 1; i++) {
            if (!wide[i])
                continue;
            if (inside + 8 > at + 4 + bytes)
                return false;
            *numbers[i] = drua_get_number(extra + inside, 8);
            inside += 8;
        }
        needed = kind != 1;
        at += 4 + bytes;
    }
    return !needed;
}

/* Returns what is wrong with an entry's name, or NULL. */
static const char *fault_of_name(const unsigned char *name, size_t length)
{
    char text[MAX_NAME + 1];
    if (length == 0 || length > MAX_NAME || memchr(name, 0, length))
        return "the name of a file in it is empty, too long or has a NUL byte";
    memcpy(text, name, length);
    text[length] = 0;
    if (!drua_path_stays_inside(text))
        return "the name of a file in it leads out of the archive";
    return NULL;
}

/* Reads the next entry of the directory at *at. The names of folders end with a slash. */
static drua_status read_central(const drua_bytes *all, const directory *d, size_t *at, size_t *names, drua_zip *z)
{
    const size_t left = all->length - *at;
    const unsigned char *b = all->data + *at;
    if (left < CENTRAL || drua_get_number(b, 4) != 0x02014b50)
        return fail_damaged("its directory is damaged");
    const size_t name = (size_t)drua_get_number(b + 28, 2), extra = (size_t)drua_get_number(b + 30, 2),
                 comment = (size_t)drua_get_number(b + 32, 2), length = CENTRAL + name + extra + comment;
    if (left < length)
        return fail_damaged("its directory is damaged");
    uint64_t packed = drua_get_number(b + 20, 4), bytes = drua_get_number(b + 24, 4),
             header = drua_get_number(b + 42, 4);
    const bool wide[3] = {bytes == UINT32_MAX, packed == UINT32_MAX, header == UINT32_MAX};
    if (!read_extra(b + CENTRAL + name, extra, (uint64_t *const[]){&bytes, &packed, &header}, wide))
        return fail_damaged("its directory lacks a length of ZIP64");
    const char *fault = fault_of_name(b + CENTRAL, name);
    if (fault)
        return drua_fail(DRUA_E_ARGUMENT, "%s; write the archive again", fault);
    if (drua_get_number(b + 8, 2) & 1)
        return drua_fail(DRUA_E_ARGUMENT, "the archive is encrypted; write it again without a password");
    if (drua_get_number(b + 10, 2) != 0 || packed != bytes)
        return drua_fail(DRUA_E_ARGUMENT,
                         "'%.*s' in the archive is compressed; write the archive again without "
                         "compression (zip -0), as the chunks are compressed already",
                         (int)(name < 200 ? name : 200), (const char *)b + CENTRAL);
    if (header > d->first || d->first - header < LOCAL + name || bytes > d->first - header - LOCAL - name)
        return fail_damaged("a file in it is longer than the archive");
    *at += length;
    if (b[CENTRAL + name - 1] == '/' && bytes)
        return fail_damaged("a folder in it has bytes");
    z->entries[z->count] = (drua_zip_entry){.name = *names,
                                            .header = header,
                                            .bytes = bytes,
                                            .crc = (uint32_t)drua_get_number(b + 16, 4),
                                            .described = drua_get_number(b + 8, 2) & 8};
    z->count++;
    memcpy(z->names + *names, b + CENTRAL, name);
    z->names[*names + name] = 0;
    *names += name + 1;
    return DRUA_OK;
}

static int compare_headers(const void *a, const void *b)
{
    const drua_zip_entry *x = a, *y = b;
    return (x->header > y->header) - (x->header < y->header);
}

/* Names of entries that are sorted, for qsort, whose comparison gets no other argument. */
typedef struct named_entry {
    const char *name;
    drua_zip_entry entry;
} named_entry;

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const named_entry *)a)->name, ((const named_entry *)b)->name);
}

static drua_status sort_by_name(drua_zip *z)
{
    named_entry *named = drua_alloc((size_t)z->count * sizeof *named);
    drua_status status = DRUA_OK;
    if (z->count && !named)
        return drua_fail_memory((size_t)z->count * sizeof *named);
    for (int64_t i = 0; i < z->count; i++)
        named[i] = (named_entry){z->names + z->entries[i].name, z->entries[i]};
    if (z->count)
        qsort(named, (size_t)z->count, sizeof *named, compare_names);
    for (int64_t i = 0; i < z->count && status == DRUA_OK; i++) {
        z->entries[i] = named[i].entry;
        if (i > 0 && !strcmp(named[i].name, named[i - 1].name))
            status = drua_fail(DRUA_E_ARGUMENT, "the archive holds '%.200s' twice; write it again", named[i].name);
    }
    drua_free(named);
    return status;
}

/* Finds where each file must end, and refuses files that overlap. */
static drua_status set_limits(drua_zip *z, const directory *d)
{
    if (z->count)
        qsort(z->entries, (size_t)z->count, sizeof *z->entries, compare_headers);
    for (int64_t i = 0; i < z->count; i++) {
        drua_zip_entry *e = &z->entries[i];
        e->limit = i + 1 < z->count ? z->entries[i + 1].header : d->first;
        const uint64_t min = LOCAL + strlen(z->names + e->name) + e->bytes;
        if (e->limit - e->header < min)
            return drua_fail(DRUA_E_ARGUMENT,
                             "'%.200s' overlaps another file of the archive; copy the archive again from its source",
                             z->names + e->name);
    }
    return DRUA_OK;
}

static drua_status read_entries(const drua_bytes *all, const directory *d, drua_zip *z)
{
    size_t at = 0, names = 0;
    z->entries = drua_alloc((size_t)(d->count + 1) * sizeof *z->entries);
    z->names = drua_alloc(all->length + 1);
    if (!z->entries || !z->names)
        return drua_fail_memory((size_t)(d->count + 1) * sizeof *z->entries);
    for (uint64_t i = 0; i < d->count; i++)
        DRUA_TRY(read_central(all, d, &at, &names, z));
    if (at != all->length)
        return fail_damaged("its directory holds more files than it states");
    DRUA_TRY(set_limits(z, d));
    return sort_by_name(z);
}

/* ---- archives */

/* Reads a part of the archive, which must not change meanwhile. */
static drua_status read_steady(const drua_zip *z, uint64_t at, size_t length, drua_bytes *bytes)
{
    drua_file_info now;
    bool absent;
    DRUA_TRY(drua_plain_read(z->path, (int64_t)at, length, bytes, &now, &absent));
    return !absent && bytes->length == length && now.bytes == z->info.bytes &&
                   now.changed_exactly == z->info.changed_exactly
               ? DRUA_OK
               : drua_fail(DRUA_E_AWAY, "the archive is being written; run the same command again later");
}

static drua_status open_archive(drua_zip *z, drua_bytes *bytes)
{
    enum { MAX_TAIL = MAX_COMMENT + END + LOCATOR + END64 };
    directory d = {0};
    const size_t tail = z->info.bytes < MAX_TAIL ? (size_t)z->info.bytes : MAX_TAIL;
    DRUA_TRY(read_steady(z, z->info.bytes - tail, tail, bytes));
    DRUA_TRY(read_end(bytes->data, tail, z->info.bytes, &d));
    DRUA_TRY(read_steady(z, d.first, (size_t)d.bytes, bytes));
    return read_entries(bytes, &d, z);
}

/* ---- all bytes of an archive */

static int compare_places(const void *a, const void *b)
{
    return compare_headers(*(drua_zip_entry *const *)a, *(drua_zip_entry *const *)b);
}

/* Compares an entry with its local header, which must be at *at, and moves *at past the file. */
static bool check_local_header(const drua_zip *z, const drua_zip_entry *e, drua_store_file *file, uint64_t *at)
{
    unsigned char head[LOCAL];
    char name[MAX_NAME];
    const char *own = z->names + e->name;
    const size_t length = strlen(own);
    if (e->header != *at || !drua_store_file_read(file, *at, head, LOCAL) ||
        !drua_store_file_read(file, *at + LOCAL, name, length) || drua_get_number(head, 4) != 0x04034b50 ||
        drua_get_number(head + 26, 2) != length || memcmp(name, own, length))
        return false;
    *at += LOCAL + length + drua_get_number(head + 28, 2) + e->bytes;
    if (e->described && e->limit > *at && e->limit - *at <= 24)
        *at = e->limit;
    return *at == e->limit;
}

drua_status drua_zip_check(drua_zip *z)
{
    drua_store_file *file;
    if (atomic_load(&z->complete))
        return DRUA_OK;
    drua_zip_entry **places = drua_alloc((size_t)(z->count + 1) * sizeof *places);
    if (!places)
        return drua_fail_memory((size_t)(z->count + 1) * sizeof *places);
    for (int64_t i = 0; i < z->count; i++)
        places[i] = &z->entries[i];
    qsort(places, (size_t)z->count, sizeof *places, compare_places);
    drua_status status = drua_store_file_open(z->path, &file);
    uint64_t at = 0;
    bool good = status == DRUA_OK;
    for (int64_t i = 0; i < z->count && good; i++)
        good = check_local_header(z, places[i], file, &at);
    if (status == DRUA_OK && !good && (status = drua_store_file_failure(file)) == DRUA_OK)
        status = drua_fail(DRUA_E_ARGUMENT, "the archive has bytes that belong to no file of its directory, so a "
                                            "missing chunk may be a lost one; write the archive again");
    drua_store_file_close(file);
    drua_free(places);
    atomic_store(&z->complete, status == DRUA_OK);
    return status;
}

/* ---- open and close */

drua_status drua_zip_open(const char *path, drua_zip **zip)
{
    drua_file_info info;
    drua_bytes bytes = {0};
    bool absent;
    *zip = NULL;
    DRUA_TRY(drua_plain_find(path, &info, &absent));
    if (absent)
        return DRUA_OK;
    drua_zip *z = drua_alloc(sizeof *z);
    if (!z || !(z->path = drua_copy_text(path))) {
        drua_free(z);
        return drua_fail_memory(sizeof *z);
    }
    z->info = info;
    z->users = 1;
    const drua_status status = open_archive(z, &bytes);
    drua_free(bytes.data);
    if (status == DRUA_OK)
        *zip = z;
    else
        drua_zip_close(z);
    return status;
}

void drua_zip_close(drua_zip *z)
{
    drua_free(z->path);
    drua_free(z->names);
    drua_free(z->entries);
    drua_free(z);
}

const char *drua_zip_name(const drua_zip *z, const drua_zip_entry *e)
{
    return z->names + e->name;
}

drua_zip_entry *drua_zip_search(const drua_zip *z, const char *name)
{
    int64_t low = 0, high = z->count;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        const int order = strcmp(z->names + z->entries[middle].name, name);
        if (order == 0)
            return &z->entries[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}
