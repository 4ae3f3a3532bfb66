/* SPDX-License-Identifier: BSD-3-Clause */
/* Stores the image of a value in a pass over its blocks, if the plan says that later passes read it from the disk. */
#include "passes.h"
#include "block_passes.h"
#include "pass_parts.h"
#include "pass_stores.h"

#include "alloc.h"
#include "error.h"

#include <string.h>

static const char WHAT[] = "blocks stored";

typedef struct storing {
    pass_grid grid;
    char hash[DRUA_SHA256_TEXT];
    pass_results *results;
    drua_zarr_out *out;
    drua_zarr *written; /* reads what `out` has written */
    drua_bytes sums; /* checksums of all files */
} storing;

static bool is_chosen(const job *j, const drua_op *op, int value)
{
    bool chosen = false;
    for (int i = 0; i < j->text.stored_count; i++)
        chosen |= j->text.stored[i].value == value && !strcmp(j->text.stored[i].operation, op->name);
    return chosen;
}

static drua_status write_block(pass_block *p, void *payload)
{
    const storing *s = payload;
    return pass_store_write(s->out, s->written, &p->box, p->pixels[0], &p->found);
}

static drua_status run_pass(job *j, const graph *g, int value, storing *s)
{
    DRUA_TRY(pass_store_open(j, &s->grid, s->hash, &s->results, &s->out));
    DRUA_TRY(drua_zarr_reopen(s->out, 0, &s->written));
    const block_pass pass = {
        .keep = write_block, .results = s->results, .payload = s, .what = WHAT, .store = s->grid.store};
    DRUA_TRY(pass_run(j, g, &value, 1, s->grid.step, &pass));
    return pass_sums_join(s->results, &s->grid, s->hash, &s->sums);
}

static drua_status find_or_store(job *j, const graph *g, int value, storing *s, bool *is_whole)
{
    *is_whole = pass_joined_read(s->grid.folder, s->hash, &s->sums);
    if (*is_whole || j->passes == PASSES_DONE) { /* the image of a finished plan is gone, and no block reads it */
        pass_skip(j, 1);
        return DRUA_OK;
    }
    *is_whole = true;
    DRUA_TRY(pass_grid_choose(j, g, value, &s->grid));
    if (j->passes != PASSES_COUNTED)
        return run_pass(j, g, value, s);
    const block_pass pass = {.what = WHAT, .store = s->grid.store};
    return pass_run(j, g, &value, 1, s->grid.step, &pass);
}

drua_status job_store(void *payload, const graph *g, const drua_op *op, int value, stored_image **made)
{
    job *j = payload;
    storing s = {.grid.store = {g->made_count, g->values[value].image->type}};
    drua_text about = {0};
    bool is_whole = false;
    *made = NULL;
    if (!is_chosen(j, op, value))
        return DRUA_OK;
    memcpy(s.grid.extent, g->values[value].image->shape.extent, sizeof s.grid.extent);
    pass_folder(j->folder, 0, &s.grid.store, j->volume, s.grid.folder);
    drua_text_add(&about, "store with sums v%d", value);
    drua_status status =
        about.failed ? drua_fail_memory(about.length) : pass_hash(j, g, drua_text_characters(&about), s.hash);
    drua_text_free(&about);
    if (status == DRUA_OK)
        status = find_or_store(j, g, value, &s, &is_whole);
    pass_results_close(s.results);
    drua_zarr_close(s.written);
    if (s.out)
        drua_zarr_finish(s.out, DRUA_E_CANCELLED);
    if (status == DRUA_OK)
        return stored_image_make(s.grid.folder, is_whole, s.sums, made);
    drua_free(s.sums.data);
    return status;
}
