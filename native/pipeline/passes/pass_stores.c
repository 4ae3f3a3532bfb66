/* SPDX-License-Identifier: BSD-3-Clause */
#include "pass_stores.h"

#include "alloc.h"
#include "error.h"
#include "file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { CHUNK = 128 };

drua_status pass_grid_choose(job *j, const graph *g, int value, pass_grid *grid)
{
    enum { MAX_PIXELS = 1 << 27 };
    DRUA_TRY(pass_block_extent(j, g, &value, 1, MAX_PIXELS, grid->step));
    for (int axis = 0; axis < 3; axis++) {
        int64_t *step = &grid->step[axis];
        *step = j->text.requested_block[axis] > 0 && j->text.requested_block[axis] < *step
                    ? j->text.requested_block[axis]
                    : *step;
        *step = *step > CHUNK ? *step / CHUNK * CHUNK : *step;
    }
    return job_check_blocks(j, grid->extent, grid->step);
}

static drua_status create_store(const job *j, const char *path, const plan_pass *p, drua_zarr_out **out)
{
    const bool labels = !p->store.image;
    drua_zarr_metadata metadata = *source_metadata(j->source);
    drua_zarr_options options = {.levels = 1, .labels = labels, .replaces = true};
    metadata.shape = (drua_shape){p->extent[0], p->extent[1], p->extent[2], p->extent[2] > 1 ? 3 : 2};
    metadata.channels = metadata.frames = 1;
    metadata.type = labels ? DRUA_UINT32 : p->store.image;
    metadata.labels = labels;
    for (int axis = 0; axis < 3; axis++)
        options.chunk[axis] = p->step[axis] < CHUNK ? p->step[axis] : CHUNK;
    return drua_zarr_create(path, &metadata, &options, NULL, out);
}

/* Returns whether a file has the name of a pass's file, or of a remnant of a crashed writer. */
static bool is_ours(const char *name)
{
    const size_t length = strlen(name);
    return pass_results_is_file(name) || !strcmp(name, "numbers") || !strncmp(name, "part.", 5) ||
           (length > 7 && !strcmp(name + length - 7, ".labels"));
}

static void store_path(const char *folder, char path[PASS_PATH + 32])
{
    snprintf(path, PASS_PATH + 32, "%s/local.zarr", folder);
}

/* If several processes share the plan, the plan step has already created the store. */
drua_status pass_store_open(const job *j, const pass_grid *grid, const char *hash, pass_results **results,
                            drua_zarr_out **out)
{
    const drua_box all = drua_box_of(grid->extent);
    const int64_t blocks = drua_box_parts(&all, grid->step);
    char path[PASS_PATH + 32], step[100], store_hash[DRUA_SHA256_TEXT];
    plan_pass pass = {.store = grid->store};
    drua_sha256 sum;
    memcpy(pass.extent, grid->extent, sizeof pass.extent);
    memcpy(pass.step, grid->step, sizeof pass.step);
    snprintf(step, sizeof step, "%" PRId64 " %" PRId64 " %" PRId64, grid->step[0], grid->step[1], grid->step[2]);
    drua_sha256_begin(&sum);
    drua_sha256_add_text(&sum, hash);
    drua_sha256_add_text(&sum, step);
    drua_sha256_end(&sum, store_hash);
    store_path(grid->folder, path);
    if (!drua_file_make_shared_folder(grid->folder))
        return drua_fail(DRUA_E_ARGUMENT,
                         "the folder '%.600s' cannot be created; check the disk space and whether the parent folder is "
                         "write-protected",
                         grid->folder);
    DRUA_TRY(pass_results_open(grid->folder, store_hash, blocks, results));
    if (j->passes == PASSES_SHARED)
        return drua_zarr_resume(path, out);
    if (pass_results_count(*results))
        return drua_zarr_resume(path, out) == DRUA_OK
                   ? DRUA_OK
                   : drua_fail(
                         DRUA_E_AWAY,
                         "the %s that an interrupted pass wrote to '%.600s' %s missing or cannot be read; make %s "
                         "accessible, then run the same command again, or discard %s with --anew",
                         grid->store.image ? "image" : "labels", path, grid->store.image ? "is" : "are",
                         grid->store.image ? "it" : "them", grid->store.image ? "it" : "them");
    pass_results_close(*results);
    *results = NULL;
    drua_file_remove_folder(grid->folder, is_ours);
    DRUA_TRY(pass_results_open(grid->folder, store_hash, blocks, results));
    return create_store(j, path, &pass, out);
}

drua_status pass_stores_create(const job *j)
{
    for (int i = 0; i < j->text.pass_count; i++) {
        const plan_pass *p = &j->text.passes[i];
        for (int64_t volume = 0; volume < j->channels * j->frames && p->store.number >= 0; volume++) {
            char folder[PASS_PATH], path[PASS_PATH + 32];
            drua_zarr_out *out;
            pass_folder(j->folder, 0, &p->store, volume, folder);
            store_path(folder, path);
            DRUA_TRY(create_store(j, path, p, &out));
            drua_zarr_finish(out, DRUA_E_CANCELLED);
        }
    }
    return DRUA_OK;
}

drua_status pass_store_write(drua_zarr_out *out, const drua_zarr *written, const drua_box *block, const void *pixels,
                             drua_bytes *sums)
{
    drua_zarr_box box = {.channel = 0};
    memcpy(box.first, block->first, sizeof box.first);
    memcpy(box.end, block->end, sizeof box.end);
    DRUA_TRY(drua_zarr_check(written));
    drua_status status = drua_zarr_write(out, 0, &box, pixels);
    if (status == DRUA_OK)
        status = drua_zarr_list_sums(written, &box, sums);
    DRUA_TRY(drua_zarr_check(written));
    return status;
}

/* ---- removal */

/* Removes a store with the results of its pass. */
static void remove_store(const char *folder)
{
    char path[PASS_PATH + 32];
    store_path(folder, path);
    drua_zarr_discard(path);
    drua_file_remove_folder(folder, is_ours);
}

static bool forget_image(const char *name, void *data)
{
    char folder[PASS_PATH];
    snprintf(folder, sizeof folder, "%.1990s/%.200s", (const char *)data, name);
    if (!strncmp(name, "image", 5) && drua_file_is_folder(folder))
        remove_store(folder);
    return true;
}

void stored_images_remove(const job *j)
{
    drua_folder_visit(j->folder, forget_image, (void *)(uintptr_t)j->folder);
}

static bool forget_entry(const char *name, void *data)
{
    char path[PASS_PATH];
    snprintf(path, sizeof path, "%.1990s/%.200s", (const char *)data, name);
    if (drua_file_is_folder(path) && pass_is_folder(name))
        remove_store(path);
    else if (!strncmp(name, "table", 5))
        drua_file_remove(path);
    return true;
}

void passes_forget(const char *journal_folder)
{
    drua_folder_visit(journal_folder, forget_entry, (void *)(uintptr_t)journal_folder);
}

/* ---- checksums of stored files */

drua_status pass_sums_join(pass_results *results, const pass_grid *grid, const char *hash, drua_bytes *sums)
{
    const drua_box all = drua_box_of(grid->extent);
    const int64_t blocks = drua_box_parts(&all, grid->step);
    drua_bytes found = {0};
    drua_status status = DRUA_OK;
    for (int64_t block = 0; block < blocks && status == DRUA_OK; block++) {
        status = pass_results_get(results, block, &found);
        if (status == DRUA_OK && !drua_bytes_reserve(sums, 2 * (sums->length + found.length)))
            status = drua_fail_memory(sums->length + found.length);
        if (status == DRUA_OK && found.length) {
            memcpy(sums->data + sums->length, found.data, found.length);
            sums->length += found.length;
        }
    }
    drua_free(found.data);
    return status == DRUA_OK ? pass_joined_write(grid->folder, hash, sums) : status;
}
