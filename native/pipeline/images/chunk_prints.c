/* SPDX-License-Identifier: BSD-3-Clause */
#include "chunk_prints.h"

#include "alloc.h"
#include "error.h"
#include "little_endian.h"
#include "parallel.h"
#include "sha256.h"

enum { AT_ONCE = 1024 };

struct chunk_prints {
    drua_zarr *zarr;
    int64_t files;
    uint64_t *prints; /* of each file; 0: it cannot be examined, and its reader reports why */
};

drua_status chunk_print_find(const drua_zarr *zarr, int64_t file, uint64_t *print)
{
    const drua_status status = drua_zarr_file_print(zarr, file, print);
    if (status != DRUA_E_ARGUMENT)
        return status;
    *print = 0;
    return DRUA_OK;
}

static drua_status take_stretch(void *payload, int worker, int64_t item)
{
    const chunk_prints *p = payload;
    (void)worker;
    for (int64_t file = item * AT_ONCE; file < (item + 1) * AT_ONCE && file < p->files; file++)
        DRUA_TRY(chunk_print_find(p->zarr, file, &p->prints[file]));
    return DRUA_OK;
}

/* Compares the print of a file that was read. The reader of a damaged file reports the damage. */
static drua_status see_file(void *payload, int64_t file, uint64_t print, bool damaged)
{
    const chunk_prints *p = payload;
    char path[600] = "";
    if (damaged || p->prints[file] == print)
        return DRUA_OK;
    drua_zarr_file_path(p->zarr, file, path, sizeof path);
    return drua_fail(DRUA_E_AWAY,
                     "'%s' has disappeared or changed since the list of tiles was opened; restore it with its original "
                     "size and modification time, then run the same command again",
                     path);
}

static void add_hash(const chunk_prints *p, drua_text *state)
{
    drua_sha256 hash;
    char result[DRUA_SHA256_TEXT];
    unsigned char bytes[8];
    drua_sha256_begin(&hash);
    for (int64_t i = 0; i < p->files; i++) {
        drua_put_number(bytes, p->prints[i], sizeof bytes);
        drua_sha256_add(&hash, bytes, sizeof bytes);
    }
    drua_sha256_end(&hash, result);
    drua_text_add(state, " files %s", result);
}

drua_status chunk_prints_open(drua_zarr *zarr, drua_text *state, chunk_prints **prints)
{
    chunk_prints *p = *prints = drua_alloc(sizeof *p);
    if (!p)
        return drua_fail_memory(sizeof *p);
    p->zarr = zarr;
    p->files = drua_zarr_files(zarr);
    p->prints = drua_alloc((size_t)p->files * sizeof *p->prints);
    if (!p->prints)
        return drua_fail_memory((size_t)p->files * sizeof *p->prints);
    DRUA_TRY(drua_parallel((p->files + AT_ONCE - 1) / AT_ONCE, take_stretch, p));
    DRUA_TRY(drua_zarr_check(zarr));
    add_hash(p, state);
    drua_zarr_watch(zarr, see_file, p);
    return DRUA_OK;
}

void chunk_prints_close(chunk_prints *p)
{
    if (!p)
        return;
    drua_zarr_watch(p->zarr, NULL, NULL);
    drua_free(p->prints);
    drua_free(p);
}
