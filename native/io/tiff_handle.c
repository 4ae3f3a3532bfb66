/* SPDX-License-Identifier: BSD-3-Clause */
/* Lets libtiff read a file on a server. */
#include "tiff_in.h"

#include "alloc.h"

#include <string.h>

typedef struct stream {
    drua_store_file *file;
    uint64_t at;
} stream;

static tmsize_t read_stream(thandle_t handle, void *to, tmsize_t size)
{
    stream *s = handle;
    const uint64_t all = drua_store_file_info(s->file)->bytes, left = s->at < all ? all - s->at : 0;
    const size_t step = (uint64_t)size < left ? (size_t)size : (size_t)left;
    if (!drua_store_file_read(s->file, s->at, to, step))
        return -1;
    s->at += step;
    return (tmsize_t)step;
}

static tmsize_t refuse_to_write(thandle_t handle, void *from, tmsize_t size)
{
    (void)handle, (void)from, (void)size;
    return -1;
}

static toff_t seek_stream(thandle_t handle, toff_t offset, int from)
{
    stream *s = handle;
    s->at = from == SEEK_CUR   ? s->at + offset
            : from == SEEK_END ? drua_store_file_info(s->file)->bytes + offset
                               : offset;
    return s->at;
}

static int close_stream(thandle_t handle)
{
    drua_free(handle);
    return 0;
}

static toff_t stream_size(thandle_t handle)
{
    const stream *s = handle;
    return drua_store_file_info(s->file)->bytes;
}

static int refuse_to_map(thandle_t handle, void **bytes, toff_t *size)
{
    (void)handle, (void)bytes, (void)size;
    return 0;
}

static void unmap_nothing(thandle_t handle, void *bytes, toff_t size)
{
    (void)handle, (void)bytes, (void)size;
}

TIFF *drua_tiff_handle(const drua_libtiff *lib, const char *path, drua_store_file *file)
{
    if (!drua_store_is_remote(path))
        return lib->TIFFOpen(path, "rm");
    stream *s = drua_alloc(sizeof *s);
    if (!s)
        return NULL;
    *s = (stream){.file = file};
    TIFF *tiff = lib->TIFFClientOpen(path, "rm", s, read_stream, refuse_to_write, seek_stream, close_stream,
                                     stream_size, refuse_to_map, unmap_nothing);
    if (!tiff)
        drua_free(s);
    return tiff;
}
