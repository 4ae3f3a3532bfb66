/* SPDX-License-Identifier: BSD-3-Clause */
/* What was written, looked at again. */
#include "zarr_out.h"

#include "alloc.h"
#include "crc32c.h"

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
    return DRUA_OK;
}

drua_status drua_zarr_sum(const drua_zarr *z, const drua_zarr_box *box, uint32_t *crc, uint64_t *bytes)
{
    const drua_chunked *a = &z->array;
    int64_t from[DRUA_AXES], counts[DRUA_AXES], index[DRUA_AXES];
    char path[DRUA_PATH];
    drua_bytes file = {0};
    *crc = 0;
    *bytes = 0;
    if (!drua_box_is_inside(&z->metadata, box))
        return drua_chunked_fail(a, "the box to look at does not lie inside of the image");
    const int64_t files = drua_box_grid(a, a->file, box, from, counts);
    drua_status status = DRUA_OK;
    for (int64_t i = 0; i < files && status == DRUA_OK; i++) {
        drua_grid_index(a, from, counts, i, index);
        status = drua_chunked_path(a, index, path);
        if (status == DRUA_OK && drua_file_part(path, 0, SIZE_MAX / 4, &file, NULL) != DRUA_FILE_THERE)
            status = drua_fail(DRUA_E_ARGUMENT, "'%.600s' is missing or cannot be read", path);
        if (status == DRUA_OK) {
            *crc = drua_crc32c_more(*crc, file.data, file.length);
            *bytes += file.length;
        }
    }
    drua_free(file.data);
    return status;
}
