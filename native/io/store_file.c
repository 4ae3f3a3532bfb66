/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a file at any place. From a server it reads pieces, and keeps those that it used last. */
#include "store_file.h"

#include "alloc.h"
#include "paths.h"
#include "plain_files.h"
#include "text.h"

#include <string.h>

enum { PIECE = 256 << 10, PIECES = 16 };

typedef struct piece {
    uint64_t number, used; /* which piece of the file; when it was used */
    drua_bytes bytes; /* empty: no piece */
} piece;

struct drua_store_file {
    char *path;
    drua_file_info info;
    FILE *file; /* NULL on a server */
    uint64_t at; /* place of the next byte of `file` */
    uint64_t clock;
    piece pieces[PIECES];
    drua_bytes large;
    drua_status status; /* of the last failure */
    char what[400];
};

/* Stores this thread's error message. */
static bool keep_failure(drua_store_file *f, drua_status status)
{
    f->status = status;
    drua_copy_start(f->what, drua_error_text(), sizeof f->what);
    return false;
}

/* Reads a part of a file on a server, which must be the file that was opened. */
static bool read_part(drua_store_file *f, uint64_t at, size_t size, drua_bytes *bytes)
{
    drua_file_info info;
    bool absent;
    drua_status status = drua_plain_read(f->path, (int64_t)at, size, bytes, &info, &absent);
    if (status == DRUA_OK && absent)
        status = drua_fail(DRUA_E_AWAY, "the server no longer has it; make it accessible, then run the same command "
                                        "again");
    else if (status == DRUA_OK && (info.bytes != f->info.bytes || info.changed_exactly != f->info.changed_exactly))
        status = drua_fail(DRUA_E_AWAY, "it has changed since it was opened; run the same command again");
    return status == DRUA_OK || keep_failure(f, status);
}

static piece *take_piece(drua_store_file *f, uint64_t number)
{
    piece *oldest = &f->pieces[0];
    for (piece *p = f->pieces; p < f->pieces + PIECES; p++) {
        if (p->bytes.length && p->number == number) {
            p->used = ++f->clock;
            return p;
        }
        if (p->used < oldest->used)
            oldest = p;
    }
    if (!read_part(f, number * PIECE, PIECE, &oldest->bytes)) {
        oldest->bytes.length = 0;
        return NULL;
    }
    oldest->number = number;
    oldest->used = ++f->clock;
    return oldest;
}

static bool read_pieces(drua_store_file *f, uint64_t at, unsigned char *to, size_t size)
{
    while (size) {
        const piece *p = take_piece(f, at / PIECE);
        const size_t inside = at % PIECE, left = p ? p->bytes.length - inside : 0, step = size < left ? size : left;
        if (!step)
            return false;
        memcpy(to, p->bytes.data + inside, step);
        at += step;
        to += step;
        size -= step;
    }
    return true;
}

static bool read_large(drua_store_file *f, uint64_t at, void *to, size_t size)
{
    if (!read_part(f, at, size, &f->large) || f->large.length != size)
        return false;
    memcpy(to, f->large.data, size);
    return true;
}

static bool read_local(drua_store_file *f, uint64_t at, void *to, size_t size)
{
    if (f->at != at && fseeko(f->file, (off_t)at, SEEK_SET) != 0)
        return false;
    const size_t got = fread(to, 1, size, f->file);
    f->at = got == size ? at + size : UINT64_MAX;
    return got == size;
}

bool drua_store_file_read(drua_store_file *f, uint64_t at, void *to, size_t size)
{
    f->status = DRUA_OK;
    if (at > f->info.bytes || size > f->info.bytes - at)
        return false;
    if (!size)
        return true;
    return f->file        ? read_local(f, at, to, size)
           : size > PIECE ? read_large(f, at, to, size)
                          : read_pieces(f, at, to, size);
}

drua_status drua_store_file_failure(const drua_store_file *f)
{
    return f->status == DRUA_OK ? DRUA_OK : drua_fail(f->status, "%s", f->what);
}

const drua_file_info *drua_store_file_info(const drua_store_file *f)
{
    return &f->info;
}

static drua_status open_file(drua_store_file *f)
{
    bool absent;
    DRUA_TRY(drua_plain_find(f->path, &f->info, &absent));
    if (absent)
        return drua_fail(DRUA_E_ARGUMENT, "there is no such file; check the path");
    if (drua_path_is_remote(f->path))
        return DRUA_OK;
    f->file = drua_file_open(f->path, "rb");
    if (f->file)
        return DRUA_OK;
    return drua_file_stat(f->path, &f->info)
               ? drua_fail(DRUA_E_ARGUMENT, "the file cannot be opened; check its permissions")
               : drua_fail(DRUA_E_AWAY, "the file has just disappeared; make it accessible, then run the same command "
                                        "again");
}

drua_status drua_store_file_open(const char *path, drua_store_file **file)
{
    drua_store_file *f = *file = drua_alloc(sizeof *f);
    if (!f)
        return drua_fail_memory(sizeof *f);
    f->path = drua_copy_text(path);
    const drua_status status = f->path ? open_file(f) : drua_fail_memory(strlen(path));
    if (status == DRUA_OK)
        return DRUA_OK;
    drua_store_file_close(f);
    *file = NULL;
    return status;
}

void drua_store_file_close(drua_store_file *f)
{
    if (!f)
        return;
    if (f->file)
        fclose(f->file);
    for (int i = 0; i < PIECES; i++)
        drua_free(f->pieces[i].bytes.data);
    drua_free(f->large.data);
    drua_free(f->path);
    drua_free(f);
}
