/* SPDX-License-Identifier: BSD-3-Clause */
/* Encodes boxes of pixels into chunks, and chunks into files. */
#include "zarr_out.h"

#include "alloc.h"
#include "little_endian.h"
#include "parallel.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

typedef struct writing {
    const drua_zarr_out *out;
    const drua_chunked *array;
    const drua_zarr_box *box;
    unsigned char *pixels;
    /* numbers for files of the box, and for chunks of a file */
    int64_t from[DRUA_AXES], counts[DRUA_AXES], inside[DRUA_AXES];
    int64_t in_file;
    drua_bytes *packed;             /* one per chunk of the box, until its file is written */
    _Atomic int64_t *left;          /* for each file: number of chunks not yet encoded */
    unsigned char **chunk;          /* one per worker */
} writing;

/* Concatenates the chunks of a shard and appends the index of their offsets. */
static drua_status gather_shard(const writing *w, const drua_bytes *chunks, drua_bytes *file)
{
    const drua_chunked *a = w->array;
    const size_t index_bytes = drua_shard_index_bytes(a);
    unsigned char *index = drua_alloc(index_bytes);
    size_t bytes = index_bytes + 4;
    for (int64_t i = 0; i < w->in_file; i++)
        bytes += chunks[i].length;
    if (!index || !drua_bytes_reserve(file, bytes)) {
        drua_free(index);
        return drua_fail_memory(bytes);
    }
    for (int64_t i = 0; i < w->in_file; i++) {
        const bool present = chunks[i].length > 0;
        drua_put_number(index + 16 * i, present ? file->length : UINT64_MAX, 8);
        drua_put_number(index + 16 * i + 8, present ? chunks[i].length : UINT64_MAX, 8);
        if (present)
            memcpy(file->data + file->length, chunks[i].data, chunks[i].length);
        file->length += chunks[i].length;
    }
    const drua_status status = drua_codec_encode(&a->index_codec, index, index_bytes, 8, file);
    drua_free(index);
    return status;
}

static drua_status put_file(const writing *w, int64_t number, const drua_bytes *file)
{
    const drua_chunked *a = w->array;
    char path[DRUA_PATH];
    int64_t index[DRUA_AXES];
    drua_grid_index(a, w->from, w->counts, number, index);
    DRUA_TRY(drua_chunked_path(a, index, path));
    if (drua_file_replace_by(w->out->parts, path, file->data, file->length))
        return DRUA_OK;
    char *slash = strrchr(path, '/');
    *slash = 0;
    errno = 0;
    const bool folders_exist = drua_file_make_shared_folder(path) && drua_file_make_shared_folder(w->out->parts);
    *slash = '/';
    if (folders_exist && drua_file_replace_by(w->out->parts, path, file->data, file->length))
        return DRUA_OK;
    return drua_zarr_fail_to_write(path, folders_exist);
}

/* Writes a file after all of its chunks are encoded. */
static drua_status finish_file(const writing *w, int64_t number)
{
    drua_bytes *chunks = w->packed + number * w->in_file, file = {0};
    drua_status status = w->array->sharded ? gather_shard(w, chunks, &file) : DRUA_OK;
    if (status == DRUA_OK)
        status = put_file(w, number, w->array->sharded ? &file : chunks);
    drua_free(file.data);
    for (int64_t i = 0; i < w->in_file; i++) {
        drua_free(chunks[i].data);
        chunks[i] = (drua_bytes){0};
    }
    return status;
}

/* A shard at the image's end has index entries for chunks outside the image. */
static bool is_outside(const drua_chunked *a, const int64_t *index)
{
    bool outside = false;
    for (int d = 0; d < a->dimensions; d++)
        outside |= index[d] * a->chunk[d] >= a->extent[d];
    return outside;
}

static drua_status pack_chunk(const writing *w, unsigned char *chunk, const int64_t *index, drua_bytes *packed)
{
    const drua_chunked *a = w->array;
    memset(chunk, 0, drua_chunk_bytes(a));
    drua_chunk_copy(a, w->box, index, chunk, w->pixels, true);
    drua_chunk_swap(a, chunk, drua_chunk_bytes(a));
    return drua_codec_encode(&a->codec, chunk, drua_chunk_bytes(a), a->pixel_bytes, packed);
}

static drua_status write_chunk(void *payload, int worker, int64_t item)
{
    static const int64_t origin[DRUA_AXES] = {0};
    writing *w = payload;
    const drua_chunked *a = w->array;
    const int64_t number = item / w->in_file;
    int64_t file[DRUA_AXES], index[DRUA_AXES];
    drua_grid_index(a, w->from, w->counts, number, file);
    drua_grid_index(a, origin, w->inside, item % w->in_file, index);
    for (int d = 0; d < a->dimensions; d++)
        index[d] += file[d] * w->inside[d];
    if (!w->chunk[worker] && !(w->chunk[worker] = drua_alloc(drua_chunk_bytes(a))))
        return drua_fail_memory(drua_chunk_bytes(a));
    if (!is_outside(a, index))
        DRUA_TRY(pack_chunk(w, w->chunk[worker], index, &w->packed[item]));
    return atomic_fetch_sub(&w->left[number], 1) == 1 ? finish_file(w, number) : DRUA_OK;
}

static drua_status write_files(writing *w, int64_t files)
{
    const int64_t items = files * w->in_file;
    const int workers = drua_parallel_workers(items);
    w->packed = drua_alloc((size_t)items * sizeof *w->packed);
    w->left = drua_alloc((size_t)files * sizeof *w->left);
    w->chunk = drua_alloc((size_t)workers * sizeof *w->chunk);
    const bool room = w->packed && w->left && w->chunk;
    for (int64_t i = 0; room && i < files; i++)
        atomic_init(&w->left[i], w->in_file);
    const drua_status status =
        room ? drua_parallel(items, write_chunk, w) : drua_fail_memory((size_t)items * sizeof *w->packed);
    for (int64_t i = 0; room && i < items; i++)
        drua_free(w->packed[i].data);
    for (int i = 0; room && i < workers; i++)
        drua_free(w->chunk[i]);
    drua_free(w->packed);
    drua_free(w->left);
    drua_free(w->chunk);
    return status;
}

static drua_status check_box(const drua_zarr_out *out, int level, const drua_zarr_box *box)
{
    if (level < 0 || level >= out->levels || !drua_box_is_inside(&out->metadata[level], box))
        return drua_fail(DRUA_E_ARGUMENT, "'%.600s': the box to write must lie inside the image", out->path);
    for (int k = 0; k < 3; k++) {
        const int64_t step = out->metadata[level].file.extent[k];
        if (box->first[k] % step || (box->end[k] % step && box->end[k] != out->metadata[level].shape.extent[k]))
            return drua_fail(DRUA_E_ARGUMENT,
                             "'%.600s': the box to write must begin and end at multiples of %lld along axis %c, as "
                             "files do, got %lld to %lld",
                             out->path, (long long)step, "xyz"[k], (long long)box -> first[k],
                             (long long)box -> end[k]);
    }
    return DRUA_OK;
}

drua_status drua_zarr_write(drua_zarr_out *out, int level, const drua_zarr_box *box, const void *pixels)
{
    DRUA_TRY(check_box(out, level, box));
    const drua_chunked *a = &out->arrays[level];
    writing w = {.out = out, .array = a, .box = box, .pixels = (unsigned char *)(uintptr_t)pixels, .in_file = 1};
    const int64_t files = drua_box_grid(a, a->file, box, w.from, w.counts);
    for (int d = 0; d < a->dimensions; d++) {
        w.inside[d] = a->file[d] / a->chunk[d];
        w.in_file *= w.inside[d];
    }
    return write_files(&w, files);
}

bool drua_zarr_has(const drua_zarr_out *out, int level, const drua_zarr_box *box)
{
    const drua_chunked *a = &out->arrays[level];
    int64_t from[DRUA_AXES], counts[DRUA_AXES], index[DRUA_AXES];
    char path[DRUA_PATH];
    if (check_box(out, level, box) != DRUA_OK)
        return false;
    const int64_t files = drua_box_grid(a, a->file, box, from, counts);
    bool all = true;
    for (int64_t i = 0; i < files && all; i++) {
        drua_grid_index(a, from, counts, i, index);
        all = drua_chunked_path(a, index, path) == DRUA_OK && drua_file_is_ordinary(path);
    }
    return all;
}
