/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tells whether an image is still present and unchanged. A chunk without a file holds the fill value, but a folder that
 * has gone has no files either. The array's metadata distinguish the two cases.
 */
#include "zarr_image.h"

#include "alloc.h"
#include "crc32c.h"
#include "store_lookup.h"

#include <stdio.h>
#include <string.h>

enum { MAX_TEXT = 64 << 20 };

/* ---- metadata */

/* Reads the array's metadata. A missing file is a failure. */
static drua_status read_text(const drua_chunked *a, char path[DRUA_PATH], drua_bytes *text, drua_file_info *info)
{
    bool absent;
    static const char *const names[] = {
        [DRUA_ZARR_2] = ".zarray", [DRUA_ZARR_3] = "zarr.json", [DRUA_N5] = "attributes.json"};
    if (!drua_path_join(path, a->folder, names[a->format]))
        return DRUA_E_ARGUMENT;
    DRUA_TRY(drua_store_read(path, 0, MAX_TEXT, text, info, &absent));
    return absent ? DRUA_E_AWAY : DRUA_OK;
}

drua_status drua_zarr_keep_text(drua_zarr *z)
{
    char path[DRUA_PATH];
    return read_text(&z->array, path, &z->text, &z->text_info) == DRUA_OK
               ? DRUA_OK
               : drua_fail(DRUA_E_AWAY, "'%.600s' is missing; make it accessible, then run the same command again",
                           path);
}

static drua_status compare_metadata(const drua_zarr *z, bool time_too)
{
    char path[DRUA_PATH];
    drua_bytes now = {0};
    drua_file_info info;
    const bool present = read_text(&z->array, path, &now, &info) == DRUA_OK,
               same = present && now.length == z->text.length &&
                      (!now.length || !memcmp(now.data, z->text.data, now.length)) &&
                      (!time_too || info.changed_exactly == z->text_info.changed_exactly);
    drua_free(now.data);
    return same ? DRUA_OK
                : drua_fail(DRUA_E_AWAY,
                            "the image's metadata '%.600s' %s since it was opened; %s, then run the same command again",
                            path, present ? "have changed" : "have disappeared",
                            present ? "restore them" : "make them accessible");
}

drua_status drua_zarr_check(const drua_zarr *z)
{
    return compare_metadata(z, false);
}

drua_status drua_zarr_check_time(const drua_zarr *z)
{
    return compare_metadata(z, true);
}

uint32_t drua_zarr_metadata_sum(const drua_zarr *z)
{
    return drua_crc32c(z->text.data, z->text.length);
}

bool drua_zarr_is_remote(const drua_zarr *z)
{
    return drua_store_is_remote(z->array.folder);
}

void drua_zarr_expect_all(drua_zarr *z)
{
    z->has_all = true;
}

/* ---- files of chunks */

static uint64_t mix_bits(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

uint64_t drua_file_print(const drua_file_info *info)
{
    return info ? mix_bits(info->bytes + mix_bits((uint64_t)info->changed_exactly)) | 2 : DRUA_ZARR_ABSENT;
}

int64_t drua_zarr_files(const drua_zarr *z)
{
    const drua_chunked *a = &z->array;
    int64_t files = 1;
    for (int d = 0; d < a->dimensions; d++)
        files *= (a->extent[d] + a->file[d] - 1) / a->file[d];
    return files;
}

drua_status drua_zarr_file_path(const drua_zarr *z, int64_t file, char *path, size_t size)
{
    static const int64_t origin[DRUA_AXES] = {0};
    const drua_chunked *a = &z->array;
    int64_t counts[DRUA_AXES], index[DRUA_AXES];
    char whole[DRUA_PATH];
    for (int d = 0; d < a->dimensions; d++)
        counts[d] = (a->extent[d] + a->file[d] - 1) / a->file[d];
    drua_grid_index(a, origin, counts, file, index);
    DRUA_TRY(drua_chunked_path(a, index, whole));
    drua_copy_start(path, whole, size);
    return DRUA_OK;
}

drua_status drua_zarr_file_print(const drua_zarr *z, int64_t file, uint64_t *print)
{
    char path[DRUA_PATH];
    drua_file_info info;
    bool absent;
    DRUA_TRY(drua_zarr_file_path(z, file, path, sizeof path));
    const drua_status status = drua_store_find(path, &info, &absent);
    if (status != DRUA_OK)
        return drua_store_name(path, status);
    *print = drua_file_print(absent ? NULL : &info);
    return DRUA_OK;
}

void drua_zarr_watch(drua_zarr *z, drua_zarr_see see, void *payload)
{
    z->see = see;
    z->viewer = payload;
}
