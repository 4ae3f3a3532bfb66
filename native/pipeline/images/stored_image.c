/* SPDX-License-Identifier: BSD-3-Clause */
#include "stored_image.h"

#include "alloc.h"
#include "label_files.h"
#include "zarr.h"

#include <string.h>

struct stored_image {
    bool is_whole; /* false: reading fails with DRUA_E_AWAY */
    drua_bytes checksums;
    char path[LABELS_PATH];
    drua_zarr_out *out; /* NULL before the first read */
    drua_zarr *zarr;
};

drua_status stored_image_make(const char *folder, bool is_whole, drua_bytes sums, stored_image **made)
{
    stored_image *s = *made = drua_alloc(sizeof *s);
    if (!s) {
        drua_free(sums.data);
        return drua_fail_memory(sizeof *s);
    }
    s->is_whole = is_whole;
    s->checksums = sums;
    pass_file_path(folder, "local.zarr", s->path);
    return DRUA_OK;
}

void stored_image_close(stored_image *s)
{
    if (!s)
        return;
    drua_zarr_close(s->zarr);
    if (s->out)
        drua_zarr_finish(s->out, DRUA_E_CANCELLED);
    drua_free(s->checksums.data);
    drua_free(s);
}

static drua_status open_files(stored_image *s)
{
    const size_t cache_bytes = (size_t)1 << 28;
    if (s->zarr)
        return DRUA_OK;
    if (!s->is_whole || (!s->out && drua_zarr_resume(s->path, &s->out) != DRUA_OK))
        return drua_fail(DRUA_E_AWAY,
                         "the image in '%.600s', which a pass of the plan has stored, is missing; make it accessible, "
                         "then run the same command again, or make the plan again with drua plan --anew",
                         s->path);
    DRUA_TRY(drua_zarr_reopen(s->out, 0, &s->zarr));
    drua_zarr_set_cache(s->zarr, cache_bytes);
    return drua_zarr_expect_sums(s->zarr, &s->checksums);
}

drua_status stored_image_read(stored_image *s, const drua_box *box, void *pixels)
{
    drua_zarr_box b = {.channel = 0};
    memcpy(b.first, box->first, sizeof b.first);
    memcpy(b.end, box->end, sizeof b.end);
    DRUA_TRY(open_files(s));
    return drua_zarr_read(s->zarr, &b, pixels);
}
