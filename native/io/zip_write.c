/* SPDX-License-Identifier: BSD-3-Clause */
#include "zip.h"

#include "alloc.h"
#include "codec_libraries.h"
#include "little_endian.h"
#include "new_file.h"
#include "text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { AT_ONCE = 4 << 20, LONGEST = 1024, UTF8_NAMES = 1 << 11, PLAIN = 20, WIDE = 45, FIRST_DAY = 33 };

static const char COMMENT[] = "{\"ome\":{\"version\":\"0.5\",\"zipFile\":{\"centralDirectory\":{\"jsonFirst\":true}}}}",
                  METADATA[] = "zarr.json";

/* A file to pack. */
typedef struct item {
    char *name; /* in the archive */
    int depth; /* number of folders around metadata; other files come after all metadata */
    uint64_t header, bytes;
    uint32_t crc;
} item;

typedef struct packing {
    const char *folder;
    item *items;
    int64_t count, room;
    FILE *file;
    uint64_t at; /* bytes written so far */
    drua_status status;
} packing;

/* ---- the files of a folder */

typedef struct visit {
    packing *p;
    const char *inside; /* the visited folder, relative to the packed one; "" or with a slash at its end */
} visit;

static drua_status add_item(packing *p, const char *name)
{
    if (p->count == p->room) {
        const int64_t room = 2 * p->room + 64;
        item *more = drua_realloc(p->items, (size_t)room * sizeof *more);
        if (!more)
            return drua_fail_memory((size_t)room * sizeof *more);
        p->items = more;
        p->room = room;
    }
    const char *slash = strrchr(name, '/'), *last = slash ? slash + 1 : name;
    item *i = &p->items[p->count];
    *i = (item){.name = drua_copy_text(name), .depth = INT32_MAX};
    if (!i->name)
        return drua_fail_memory(strlen(name));
    p->count++;
    if (strcmp(last, METADATA))
        return DRUA_OK;
    i->depth = 0;
    for (const char *c = name; *c; c++)
        i->depth += *c == '/';
    return DRUA_OK;
}

static bool add_below(const char *name, void *data)
{
    const visit *v = data;
    packing *p = v->p;
    char inside[LONGEST], path[DRUA_PATH];
    if (!strcmp(name, ".") || !strcmp(name, ".."))
        return true;
    if (snprintf(inside, sizeof inside, "%s%s", v->inside, name) >= (int)sizeof inside - 1 ||
        !drua_path_join(path, p->folder, inside))
        p->status = drua_fail(DRUA_E_ARGUMENT, "the paths in '%.600s' are too long for an archive", p->folder);
    else if (drua_file_is_folder(path)) {
        strcat(inside, "/");
        const drua_status status = drua_folder_list(path, add_below, &(visit){p, inside});
        p->status = p->status == DRUA_OK ? status : p->status;
    } else
        p->status = add_item(p, inside);
    return p->status == DRUA_OK;
}

static int compare_items(const void *a, const void *b)
{
    const item *x = a, *y = b;
    return x->depth != y->depth ? (x->depth > y->depth) - (x->depth < y->depth) : strcmp(x->name, y->name);
}

/* ---- records */

static drua_status put_bytes(packing *p, const void *bytes, size_t length)
{
    if (length && fwrite(bytes, 1, length, p->file) != length)
        return drua_fail(DRUA_E_ARGUMENT, "the archive cannot be written: %s; check the disk space", strerror(errno));
    p->at += length;
    return DRUA_OK;
}

static void put_limited(unsigned char *to, uint64_t number)
{
    drua_put_number(to, number < UINT32_MAX ? number : UINT32_MAX, 4);
}

/* The fields that local headers and directory entries share, from the needed version on. */
static void put_common(const item *i, bool wide, size_t extra, unsigned char *b)
{
    drua_put_number(b, wide ? WIDE : PLAIN, 2);
    drua_put_number(b + 2, UTF8_NAMES, 2);
    drua_put_number(b + 4, 0, 2); /* stored */
    drua_put_number(b + 6, 0, 2);
    drua_put_number(b + 8, FIRST_DAY, 2); /* 1 January 1980, so that equal images have equal bytes */
    drua_put_number(b + 10, i->crc, 4);
    put_limited(b + 14, i->bytes);
    put_limited(b + 18, i->bytes);
    drua_put_number(b + 22, strlen(i->name), 2);
    drua_put_number(b + 24, extra, 2);
}

static drua_status put_local(packing *p, item *i)
{
    unsigned char b[30 + 20] = {0};
    const bool wide = i->bytes >= UINT32_MAX;
    const size_t extra = wide ? 20 : 0;
    i->header = p->at;
    drua_put_number(b, 0x04034b50, 4);
    put_common(i, wide, extra, b + 4);
    drua_put_number(b + 30, 1, 2);
    drua_put_number(b + 32, 16, 2);
    drua_put_number(b + 34, i->bytes, 8);
    drua_put_number(b + 42, i->bytes, 8);
    DRUA_TRY(put_bytes(p, b, 30));
    DRUA_TRY(put_bytes(p, i->name, strlen(i->name)));
    return put_bytes(p, b + 30, extra);
}

static drua_status put_central(packing *p, const item *i)
{
    unsigned char b[46] = {0}, extra[28];
    size_t length = 4;
    const bool wide = i->bytes >= UINT32_MAX, far = i->header >= UINT32_MAX;
    for (int k = 0; k < 2 && wide; k++, length += 8)
        drua_put_number(extra + length, i->bytes, 8);
    if (far) {
        drua_put_number(extra + length, i->header, 8);
        length += 8;
    }
    drua_put_number(extra, 1, 2);
    drua_put_number(extra + 2, length - 4, 2);
    length = wide || far ? length : 0;
    drua_put_number(b, 0x02014b50, 4);
    drua_put_number(b + 4, WIDE, 2);
    put_common(i, wide || far, length, b + 6);
    put_limited(b + 42, i->header);
    DRUA_TRY(put_bytes(p, b, sizeof b));
    DRUA_TRY(put_bytes(p, i->name, strlen(i->name)));
    return put_bytes(p, extra, length);
}

static drua_status put_end(packing *p, uint64_t first)
{
    unsigned char b[56 + 20] = {0}, end[22] = {0};
    const uint64_t bytes = p->at - first, count = (uint64_t)p->count;
    drua_put_number(b, 0x06064b50, 4);
    drua_put_number(b + 4, 44, 8);
    drua_put_number(b + 12, WIDE, 2);
    drua_put_number(b + 14, WIDE, 2);
    drua_put_number(b + 24, count, 8);
    drua_put_number(b + 32, count, 8);
    drua_put_number(b + 40, bytes, 8);
    drua_put_number(b + 48, first, 8);
    drua_put_number(b + 56, 0x07064b50, 4);
    drua_put_number(b + 64, p->at, 8);
    drua_put_number(b + 72, 1, 4);
    if (count >= UINT16_MAX || bytes >= UINT32_MAX || first >= UINT32_MAX)
        DRUA_TRY(put_bytes(p, b, sizeof b));
    drua_put_number(end, 0x06054b50, 4);
    drua_put_number(end + 8, count < UINT16_MAX ? count : UINT16_MAX, 2);
    drua_put_number(end + 10, count < UINT16_MAX ? count : UINT16_MAX, 2);
    put_limited(end + 12, bytes);
    put_limited(end + 16, first);
    drua_put_number(end + 20, strlen(COMMENT), 2);
    DRUA_TRY(put_bytes(p, end, sizeof end));
    return put_bytes(p, COMMENT, strlen(COMMENT));
}

/* ---- files */

/* Reads a file piece by piece: once for its length and checksum, which its header states, and once to copy it. */
static drua_status read_file(packing *p, item *i, bool copies)
{
    const drua_zlib *lib = drua_zlib_load();
    char path[DRUA_PATH];
    unsigned char *bytes = lib ? drua_alloc(AT_ONCE) : NULL;
    if (!bytes)
        return lib ? drua_fail_memory(AT_ONCE) : DRUA_E_UNSUPPORTED;
    drua_path_join(path, p->folder, i->name);
    FILE *file = drua_file_open(path, "rb");
    uLong crc = lib->crc32(0, NULL, 0);
    uint64_t length = 0;
    drua_status status = DRUA_OK;
    for (size_t got; status == DRUA_OK && file && (got = fread(bytes, 1, AT_ONCE, file)) > 0;) {
        crc = lib->crc32(crc, bytes, (uInt)got);
        length += got;
        if (copies)
            status = put_bytes(p, bytes, got);
    }
    if (status == DRUA_OK && (!file || ferror(file) || (copies && (length != i->bytes || crc != i->crc))))
        status = drua_fail(DRUA_E_AWAY, "'%.600s' cannot be read, or has changed; run the same command again", path);
    i->bytes = length;
    i->crc = (uint32_t)crc;
    if (file)
        fclose(file);
    drua_free(bytes);
    return status;
}

static drua_status put_items(packing *p)
{
    for (int64_t i = 0; i < p->count; i++) {
        DRUA_TRY(read_file(p, &p->items[i], false));
        DRUA_TRY(put_local(p, &p->items[i]));
        DRUA_TRY(read_file(p, &p->items[i], true));
    }
    const uint64_t first = p->at;
    for (int64_t i = 0; i < p->count; i++)
        DRUA_TRY(put_central(p, &p->items[i]));
    return put_end(p, first);
}

drua_status drua_zip_pack(const char *folder, const char *archive)
{
    packing p = {.folder = folder};
    drua_new_file file;
    drua_status status = drua_folder_list(folder, add_below, &(visit){&p, ""});
    status = p.status == DRUA_OK ? status : p.status;
    if (status == DRUA_OK)
        status = drua_new_file_begin(&file, archive, NULL);
    if (status == DRUA_OK) {
        qsort(p.items, (size_t)p.count, sizeof *p.items, compare_items);
        p.file = file.file;
        status = drua_new_file_end(&file, put_items(&p));
    }
    for (int64_t i = 0; i < p.count; i++)
        drua_free(p.items[i].name);
    drua_free(p.items);
    return status;
}
