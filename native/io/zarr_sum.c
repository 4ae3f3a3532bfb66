/* SPDX-License-Identifier: BSD-3-Clause */
/* Checksums of written files. */
#include "zarr_out.h"

#include "alloc.h"
#include "crc32c.h"
#include "little_endian.h"
#include "parallel.h"
#include "store_lookup.h"

#include <string.h>

/* Bytes that a worker reads at a time. */
enum { PIECE = 4 << 20 };

drua_status drua_zarr_reopen(const drua_zarr_out *out, int level, drua_zarr **zarr)
{
    enum { INDEX_BYTES = 64 << 20 };
    drua_zarr *z = *zarr = drua_alloc(sizeof *z);
    if (!z)
        return drua_fail_memory(sizeof *z);
    z->array = out->arrays[level];
    z->metadata = out->metadata[level];
    if (z->array.sharded)
        z->indexes = drua_chunk_cache_open(INDEX_BYTES, drua_shard_index_bytes(&z->array));
    drua_zarr_expect_all(z);
    const drua_status status = drua_zarr_keep_text(z);
    if (status != DRUA_OK) {
        drua_zarr_close(z);
        *zarr = NULL;
    }
    return status;
}

/* A part of a file. */
typedef struct piece {
    int64_t file; /* index of the file in the grid of the box */
    uint64_t first, length;
    uint32_t crc;
} piece;

typedef struct summing {
    const drua_zarr *zarr;
    const drua_chunked *array;
    int64_t from[DRUA_AXES], counts[DRUA_AXES];
    piece *pieces;
    int64_t count, room;
    drua_bytes *bytes; /* one per worker */
} summing;

static drua_status path_of(const summing *s, int64_t file, char *path)
{
    int64_t index[DRUA_AXES];
    drua_grid_index(s->array, s->from, s->counts, file, index);
    return drua_chunked_path(s->array, index, path);
}

/* Fails for a file that is missing or shorter than before; DRUA_E_AWAY if the whole image has gone. */
static drua_status fail_to_read(const drua_zarr *z, const char *path)
{
    DRUA_TRY(drua_zarr_check(z));
    return drua_fail(DRUA_E_ARGUMENT,
                     "'%.600s' is missing or cannot be read; make it accessible, then run the same command again",
                     path);
}

static drua_status add_piece(summing *s, piece p)
{
    if (s->count == s->room) {
        const int64_t room = 2 * s->room + 64;
        piece *more = drua_realloc(s->pieces, (size_t)room * sizeof *more);
        if (!more)
            return drua_fail_memory((size_t)room * sizeof *more);
        s->pieces = more;
        s->room = room;
    }
    s->pieces[s->count++] = p;
    return DRUA_OK;
}

static drua_status cut_file(summing *s, int64_t file)
{
    char path[DRUA_PATH];
    drua_file_info info;
    bool absent;
    DRUA_TRY(path_of(s, file, path));
    const drua_status status = drua_store_find(path, &info, &absent);
    if (status == DRUA_OK && absent && !s->zarr->has_all)
        return drua_zarr_check(s->zarr); /* an empty chunk */
    if (status != DRUA_OK || absent)
        return fail_to_read(s->zarr, path);
    for (uint64_t first = 0; first < info.bytes; first += PIECE)
        DRUA_TRY(add_piece(s, (piece){file, first, info.bytes - first < PIECE ? info.bytes - first : PIECE, 0}));
    return DRUA_OK;
}

static drua_status sum_piece(void *payload, int worker, int64_t item)
{
    summing *s = payload;
    piece *p = &s->pieces[item];
    drua_bytes *bytes = &s->bytes[worker];
    char path[DRUA_PATH];
    drua_file_info info;
    bool absent;
    DRUA_TRY(path_of(s, p->file, path));
    if (drua_store_read(path, (int64_t)p->first, (size_t)p->length, bytes, &info, &absent) != DRUA_OK ||
        bytes->length != p->length)
        return fail_to_read(s->zarr, path);
    p->crc = drua_crc32c(bytes->data, bytes->length);
    return DRUA_OK;
}

static drua_status sum_pieces(summing *s)
{
    const int workers = drua_parallel_workers(s->count);
    s->bytes = drua_alloc((size_t)workers * sizeof *s->bytes);
    if (!s->bytes)
        return drua_fail_memory((size_t)workers * sizeof *s->bytes);
    const drua_status status = drua_parallel(s->count, sum_piece, s);
    for (int i = 0; i < workers; i++)
        drua_free(s->bytes[i].data);
    drua_free(s->bytes);
    return status;
}

drua_status drua_zarr_sum(const drua_zarr *z, const drua_zarr_box *box, uint32_t *crc, uint64_t *bytes)
{
    summing s = {.zarr = z, .array = &z->array};
    uint32_t sum = 0;
    *bytes = 0;
    if (!drua_box_is_inside(&z->metadata, box))
        return drua_chunked_fail(s.array, "the box to check must lie inside the image");
    const int64_t files = drua_box_grid(s.array, s.array->file, box, s.from, s.counts);
    drua_status status = DRUA_OK;
    for (int64_t i = 0; i < files && status == DRUA_OK; i++)
        status = cut_file(&s, i);
    if (status == DRUA_OK && crc)
        status = sum_pieces(&s);
    for (int64_t i = 0; i < s.count && status == DRUA_OK; i++) {
        sum = drua_crc32c_join(sum, s.pieces[i].crc, s.pieces[i].length);
        *bytes += s.pieces[i].length;
    }
    if (crc)
        *crc = sum;
    drua_free(s.pieces);
    return status;
}

/* ---- the checksums of each file */

enum { ENTRY = 16 }; /* bytes of a list's entry: the file's number, the checksums of its bytes and of its pixels */

typedef struct listing {
    const drua_zarr *zarr;
    const drua_chunked *array;
    int64_t from[DRUA_AXES], counts[DRUA_AXES];
    drua_chunk_work *work; /* one per worker */
    unsigned char *entries;
} listing;

static drua_status list_file(void *payload, int worker, int64_t item)
{
    const listing *l = payload;
    const drua_chunked *a = l->array;
    drua_chunk_work *w = &l->work[worker];
    const size_t bytes = drua_chunk_bytes(a);
    unsigned char *entry = l->entries + item * ENTRY;
    char path[DRUA_PATH];
    int64_t index[DRUA_AXES];
    if (!w->chunk)
        DRUA_TRY(drua_chunk_work_open(a, w));
    drua_grid_index(a, l->from, l->counts, item, index);
    DRUA_TRY(drua_chunked_path(a, index, path));
    if (drua_file_part(path, 0, SIZE_MAX / 4, &w->packed, NULL) != DRUA_FILE_PRESENT ||
        drua_codec_decode(&a->codec, w->packed.data, w->packed.length, w->chunk, bytes) != DRUA_OK)
        return fail_to_read(l->zarr, path);
    drua_put_number(entry, (uint64_t)drua_file_number(a, index), 8);
    drua_put_number(entry + 8, drua_crc32c(w->packed.data, w->packed.length), 4);
    drua_put_number(entry + 12, drua_crc32c(w->chunk, bytes), 4);
    return DRUA_OK;
}

drua_status drua_zarr_list_sums(const drua_zarr *z, const drua_zarr_box *box, drua_bytes *sums)
{
    listing l = {.zarr = z, .array = &z->array};
    const int64_t files = drua_box_grid(l.array, l.array->file, box, l.from, l.counts);
    const int workers = drua_parallel_workers(files);
    l.work = drua_alloc((size_t)workers * sizeof *l.work);
    if (!l.work || !drua_bytes_reserve(sums, sums->length + (size_t)files * ENTRY)) {
        drua_free(l.work);
        return drua_fail_memory((size_t)files * ENTRY);
    }
    l.entries = sums->data + sums->length;
    const drua_status status = drua_parallel(files, list_file, &l);
    if (status == DRUA_OK)
        sums->length += (size_t)files * ENTRY;
    for (int i = 0; i < workers; i++)
        drua_chunk_work_close(&l.work[i]);
    drua_free(l.work);
    return status;
}

drua_status drua_zarr_expect_sums(drua_zarr *z, const drua_bytes *sums)
{
    uint64_t files = 1;
    for (int d = 0; d < z->array.dimensions; d++)
        files *= (uint64_t)((z->array.extent[d] + z->array.file[d] - 1) / z->array.file[d]);
    z->sums = drua_alloc((size_t)files * sizeof *z->sums);
    if (!z->sums)
        return drua_fail_memory((size_t)files * sizeof *z->sums);
    memset(z->sums, 0, (size_t)files * sizeof *z->sums);
    for (size_t at = 0; at + ENTRY <= sums->length; at += ENTRY) {
        const uint64_t file = drua_get_number(sums->data + at, 8);
        if (file < files)
            z->sums[file] = (drua_chunk_sums){true, (uint32_t)drua_get_number(sums->data + at + 8, 4),
                                              (uint32_t)drua_get_number(sums->data + at + 12, 4)};
    }
    return DRUA_OK;
}
