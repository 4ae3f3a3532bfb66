/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers the labels of a value in a pass over its blocks. Each block is labelled separately and stored on the disk
 * with a record, so that an interrupted pass resumes and several processes can share it. Then the labels of all blocks
 * are joined. When a plan is run or resumed later, the labels are already complete.
 */
#include "passes.h"
#include "block_passes.h"
#include "label_slabs.h"
#include "pass_parts.h"
#include "pass_stores.h"

#include "alloc.h"
#include "error.h"
#include "file.h"

#include <string.h>

typedef struct numbering {
    const graph_label_call *call;
    label_join how;
    pass_grid grid;
    char hash[DRUA_SHA256_TEXT];
    drua_type type; /* type of the value whose labels are numbered */
    pass_results *results;
    drua_zarr *written; /* reads what `out` has written */
    drua_zarr_out *out;
} numbering;

static const char WHAT[] = "blocks labelled";

/* ---- one block */

/* Labels the components or the spots of an image on the device. */
static drua_status label_components(evaluator *e, drua_value *const *images, void *payload, drua_bytes *found)
{
    const numbering *n = payload;
    drua_bound bound[DRUA_PLAN_PARAMS];
    DRUA_TRY(pass_call(e, n->call->op->name, images[0], NULL, 0, DRUA_UINT32, bound));
    drua_value *labels = bound[1].result;
    const size_t bytes = (size_t)(labels->shape.width * labels->shape.height * labels->shape.depth) * sizeof(uint32_t);
    void *pixels = drua_alloc(bytes);
    drua_status status = pixels ? DRUA_OK : drua_fail_memory(bytes);
    if (status == DRUA_OK && labels->type != DRUA_UINT32)
        status = drua_fail(DRUA_E_INTERNAL, "internal error: block labels are not uint32");
    if (status == DRUA_OK)
        status = evaluator_download(e, labels, pixels);
    drua_value_release(&e->engine, labels);
    if (status == DRUA_OK)
        *found = (drua_bytes){pixels, bytes, bytes};
    else
        drua_free(pixels);
    return status;
}

/* State of converting pixels of any type to labels. */
typedef struct reading {
    drua_type type;
    const void *pixels;
    uint32_t *labels;
    int64_t width;
} reading;

static drua_status read_slab(void *payload, const label_slab *slab)
{
    const reading *r = payload;
    for (int64_t i = slab->first * r->width; i < slab->end * r->width; i++)
        r->labels[i] = label_value(r->type, r->pixels, (size_t)i);
    return DRUA_OK;
}

/* Converts the pixels of a box to labels, on all cores. The caller frees them, also after a failure. */
static drua_status label_pixels(const drua_box *box, drua_type type, const void *pixels, uint32_t **labels)
{
    const size_t bytes = (size_t)drua_box_pixels(box) * sizeof **labels;
    *labels = drua_alloc(bytes);
    return *labels ? label_slabs_each(box, read_slab, &(reading){type, pixels, *labels, box->end[0] - box->first[0]})
                   : drua_fail_memory(bytes);
}

static drua_status write_block(const numbering *n, const label_block *b, int64_t block, drua_bytes *sums)
{
    DRUA_TRY(drua_zarr_check(n->written));
    drua_status status = label_block_write(b, n->grid.folder, block, label_join_needs_faces(n->how));
    if (status == DRUA_OK)
        status = pass_store_write(n->out, n->written, &b->box, b->pixels, sums);
    DRUA_TRY(drua_zarr_check(n->written));
    return status;
}

static drua_status keep_labels(pass_block *p, void *payload)
{
    const numbering *n = payload;
    label_block b = {.box = p->box};
    drua_status status = DRUA_OK;
    if (n->how == JOIN_BY_NUMBER) {
        status = label_pixels(&p->box, n->type, p->pixels[0], &b.pixels);
        if (status == DRUA_OK)
            status = label_block_compact(&b);
    } else {
        b.pixels = (uint32_t *)(void *)p->found.data;
        p->found = (drua_bytes){0};
    }
    if (status == DRUA_OK)
        status = label_block_measure(&b, n->grid.extent);
    if (status == DRUA_OK && n->how == JOIN_BY_NUMBER)
        label_block_note_odd(&b, n->type, p->pixels[0]);
    if (status == DRUA_OK)
        status = write_block(n, &b, p->item.block, &p->found);
    label_block_free(&b);
    return status;
}

/* ---- the pass */

/*
 * Joins the labels and removes the files of blocks. If processes share the plan, the files stay, because another
 * process may be joining them too.
 */
static drua_status join_blocks(const job *j, const numbering *n, int64_t blocks)
{
    drua_bytes sums = {0};
    const drua_status status = pass_sums_join(n->results, &n->grid, n->hash, &sums);
    drua_free(sums.data);
    DRUA_TRY(status);
    DRUA_TRY(label_map_join(n->grid.folder, n->hash, n->grid.extent, n->grid.step, n->how));
    for (int64_t block = 0; block < blocks && j->passes != PASSES_SHARED; block++)
        label_block_remove(n->grid.folder, block);
    return DRUA_OK;
}

static drua_status run_pass(job *j, const graph *g, numbering *n)
{
    const drua_box all = drua_box_of(n->grid.extent);
    const int value = n->call->labels;
    DRUA_TRY(pass_store_open(j, &n->grid, n->hash, &n->results, &n->out));
    DRUA_TRY(drua_zarr_reopen(n->out, 0, &n->written));
    const block_pass pass = {.measure = n->how == JOIN_BY_NUMBER ? NULL : label_components,
                             .keep = keep_labels,
                             .results = n->results,
                             .found_bytes = sizeof(uint32_t),
                             .payload = n,
                             .what = WHAT,
                             .store = n->grid.store};
    DRUA_TRY(pass_run(j, g, &value, 1, n->grid.step, &pass));
    return join_blocks(j, n, drua_box_parts(&all, n->grid.step));
}

/* Opens the labels if a pass has completed them. Reading them then checks each file against the pass's checksum. */
static drua_status open_labels(const numbering *n, label_map **made)
{
    drua_bytes sums = {0};
    DRUA_TRY(label_map_open(n->grid.folder, n->hash, n->grid.extent, made));
    if (!*made)
        return DRUA_OK;
    const drua_status status =
        pass_joined_read(n->grid.folder, n->hash, &sums)
            ? label_map_expect(*made, &sums)
            : drua_fail(DRUA_E_AWAY,
                        "the checksums of the plan's labels in '%.600s' are missing; make them accessible, then run "
                        "the same command again, or make the plan again with drua plan --anew",
                        n->grid.folder);
    drua_free(sums.data);
    if (status == DRUA_OK)
        return DRUA_OK;
    label_map_close(*made);
    *made = NULL;
    return status;
}

static drua_status find_labels(job *j, const graph *g, numbering *n, label_map **made)
{
    DRUA_TRY(open_labels(n, made));
    if (*made) {
        pass_skip(j, 1);
        return DRUA_OK;
    }
    if (j->passes == PASSES_DONE)
        return drua_fail(DRUA_E_AWAY,
                         "the plan's labels in '%.600s' are missing; make them accessible, then run the same command "
                         "again, or make the plan again with drua plan --anew",
                         n->grid.folder);
    DRUA_TRY(pass_grid_choose(j, g, n->call->labels, &n->grid));
    DRUA_TRY(run_pass(j, g, n));
    return open_labels(n, made);
}

static drua_status count_labels(job *j, const graph *g, numbering *n, label_map **made)
{
    const int value = n->call->labels;
    const block_pass pass = {.what = WHAT, .store = n->grid.store};
    DRUA_TRY(pass_grid_choose(j, g, n->call->labels, &n->grid));
    DRUA_TRY(pass_run(j, g, &value, 1, n->grid.step, &pass));
    return label_map_none(made);
}

static drua_status number_labels(job *j, const graph *g, const graph_label_call *c, label_join how, label_map **made)
{
    numbering n = {.call = c, .how = how, .grid.store.number = g->made_count};
    n.type = g->values[c->labels].image->type;
    memcpy(n.grid.extent, g->values[c->labels].image->shape.extent, sizeof n.grid.extent);
    pass_folder(j->folder, 0, &n.grid.store, j->volume, n.grid.folder);
    DRUA_TRY(pass_hash(j, g, drua_text_characters(&c->text), n.hash));
    const drua_status status = j->passes == PASSES_COUNTED ? count_labels(j, g, &n, made) : find_labels(j, g, &n, made);
    pass_results_close(n.results);
    drua_zarr_close(n.written);
    if (n.out)
        drua_zarr_finish(n.out, DRUA_E_CANCELLED);
    return status;
}

/* ---- operations on labels */

/* Returns how the labels that an operation makes in blocks are joined; JOIN_BY_NUMBER: it changes given labels. */
static label_join join_of(const drua_op *op)
{
    if (!strcmp(op->name, "connected_components_box"))
        return JOIN_BY_CORNERS;
    if (!strcmp(op->name, "connected_components_diamond"))
        return JOIN_BY_SIDES;
    return !strcmp(op->name, "label_spots") ? JOIN_NEVER : JOIN_BY_NUMBER;
}

drua_status job_label(void *payload, const graph *g, const graph_label_call *c, label_map **made)
{
    const label_join how = join_of(c->op);
    label_map *own = NULL;
    *made = NULL;
    if (how != JOIN_BY_NUMBER)
        return number_labels(payload, g, c, how, made);
    const label_map *from = graph_labels(g, c->labels);
    if (!from) {
        DRUA_TRY(number_labels(payload, g, c, JOIN_BY_NUMBER, &own));
        from = own;
    }
    const drua_status status = label_map_apply(from, c->op, c->bound, made);
    label_map_close(own);
    return status;
}
