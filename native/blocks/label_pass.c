/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Labels of a value are numbered in a pass over its blocks: each block is labelled by itself and kept on the disk with its journal, so that a pass that was
 * cut off goes on; then all are joined. A plan that goes on, or runs, finds them finished.
 */
#include "label_tables.h"
#include "block_passes.h"

#include "alloc.h"
#include "error.h"
#include "file.h"
#include "label_slabs.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct numbering {
    const graph_label_call *call;
    label_join how;
    char folder[LABELS_PATH], what[DRUA_SHA256_TEXT];
    int64_t extent[3], step[3];
    int64_t blocks, kept;
    drua_type type; /* of what has labels */
    journal_state state;
    journal *journal;
    drua_zarr_out *out;
    drua_zarr *back;
} numbering;

/* ---- one block */

/* The labels of components in an image on the device. */
static drua_status look_for_labels(evaluator *e, drua_value *const *images, void *payload, void **found)
{
    const numbering *n = payload;
    drua_bound bound[DRUA_PLAN_PARAMS];
    DRUA_TRY(pass_call(e, n->call->op->name, images[0], NULL, 0, DRUA_UINT32, bound));
    drua_value *labels = bound[1].result;
    const size_t bytes = (size_t)(labels->shape.width * labels->shape.height * labels->shape.depth) * sizeof(uint32_t);
    void *pixels = drua_alloc(bytes);
    drua_status status = pixels ? DRUA_OK : drua_fail_memory(bytes);
    if (status == DRUA_OK && labels->type != DRUA_UINT32)
        status = drua_fail(DRUA_E_INTERNAL, "labels of a block are no uint32");
    if (status == DRUA_OK)
        status = evaluator_download(e, labels, pixels);
    drua_value_release(&e->engine, labels);
    if (status == DRUA_OK)
        *found = pixels;
    else
        drua_free(pixels);
    return status;
}

/* Pixels of any type as labels, by all cores. */
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

drua_status label_pixels(const drua_box *box, drua_type type, const void *pixels, uint32_t **labels)
{
    const size_t bytes = (size_t)drua_box_pixels(box) * sizeof **labels;
    *labels = drua_alloc(bytes);
    return *labels ? label_slabs_each(box, read_slab, &(reading){type, pixels, *labels, box->end[0] - box->first[0]}) : drua_fail_memory(bytes);
}

/* The record comes last, as that of a block of a run. */
static drua_status keep_block(const numbering *n, const label_block *b, int64_t block)
{
    drua_zarr_box box = {.channel = 0};
    block_record record = {.block = block, .state = BLOCK_DONE, .attempt = 1};
    uint32_t sum;
    memcpy(box.first, b->box.first, sizeof box.first);
    memcpy(box.end, b->box.end, sizeof box.end);
    DRUA_TRY(label_block_write(b, n->folder, block, n->how != JOIN_BY_NUMBER, &sum));
    DRUA_TRY(drua_zarr_write(n->out, 0, &box, b->pixels));
    DRUA_TRY(drua_zarr_sum(n->back, &box, &record.crc, &record.bytes));
    record.crc = 31 * record.crc + sum;
    return journal_add(n->journal, &record);
}

static drua_status keep_labels(pass_block *p, void *payload)
{
    enum { BATCH = 32 };
    numbering *n = payload;
    label_block b = {.box = p->box};
    drua_status status = DRUA_OK;
    if (n->how == JOIN_BY_NUMBER) {
        status = label_pixels(&p->box, n->type, p->pixels[0], &b.pixels);
        if (status == DRUA_OK)
            status = label_block_compact(&b);
    } else {
        b.pixels = p->found;
        p->found = NULL;
    }
    if (status == DRUA_OK)
        status = label_block_measure(&b, n->extent);
    if (status == DRUA_OK)
        status = keep_block(n, &b, p->item.block);
    if (status == DRUA_OK && ++n->kept % BATCH == 0) {
        drua_folder_settle(n->folder);
        journal_settle(n->journal);
    }
    label_block_free(&b);
    return status;
}

static bool is_done(int64_t number, void *payload)
{
    return ((const numbering *)payload)->state.blocks[number].state == BLOCK_DONE;
}

/* ---- the pass */

/* Blocks of whole chunks; small ones are one. */
static drua_status choose_step(job *j, const graph *g, numbering *n)
{
    enum { MOST_PIXELS = 1 << 27, CHUNK = 128 };
    const int value = n->call->labels;
    DRUA_TRY(pass_step(j, g, &value, 1, MOST_PIXELS, n->step));
    for (int axis = 0; axis < 3; axis++) {
        int64_t *step = &n->step[axis];
        *step = j->text.block[axis] > 0 && j->text.block[axis] < *step ? j->text.block[axis] : *step;
        *step = *step > CHUNK ? *step / CHUNK * CHUNK : *step;
    }
    return DRUA_OK;
}

static drua_status open_store(job *j, numbering *n)
{
    enum { CHUNK = 128 };
    char path[LABELS_PATH];
    drua_zarr_metadata metadata = *source_metadata(j->source);
    drua_zarr_options options = {.levels = 1, .labels = true};
    metadata.shape = (drua_shape){n->extent[0], n->extent[1], n->extent[2], n->extent[2] > 1 ? 3 : 2};
    metadata.channels = metadata.frames = 1;
    metadata.type = DRUA_UINT32;
    metadata.labels = true;
    for (int axis = 0; axis < 3; axis++)
        options.chunk[axis] = n->step[axis] < CHUNK ? n->step[axis] : CHUNK;
    label_map_path(n->folder, "local.zarr", path);
    if (n->state.done == 0 || drua_zarr_resume(path, &n->out) != DRUA_OK) {
        memset(n->state.blocks, 0, (size_t)n->blocks * sizeof *n->state.blocks);
        DRUA_TRY(drua_zarr_create(path, &metadata, &options, NULL, &n->out));
    }
    return drua_zarr_reopen(n->out, 0, &n->back);
}

static drua_status run_pass(job *j, const graph *g, numbering *n)
{
    const drua_box all = drua_box_of(n->extent);
    const int value = n->call->labels;
    char step[100], hash[DRUA_SHA256_TEXT];
    drua_sha256 sum;
    DRUA_TRY(choose_step(j, g, n));
    snprintf(step, sizeof step, "%" PRId64 " %" PRId64 " %" PRId64, n->step[0], n->step[1], n->step[2]);
    drua_sha256_begin(&sum);
    drua_sha256_add_text(&sum, n->what);
    drua_sha256_add_text(&sum, step);
    drua_sha256_end(&sum, hash);
    n->blocks = drua_box_parts(&all, n->step);
    DRUA_TRY(journal_read(n->folder, hash, n->blocks, &n->state));
    if (!drua_file_make_shared_folder(n->folder))
        return drua_fail(DRUA_E_ARGUMENT, "the folder '%.600s' cannot be made; see the disk's space and whether its folder is write-protected",
                         n->folder);
    DRUA_TRY(open_store(j, n));
    DRUA_TRY(journal_open(n->folder, hash, &n->journal));
    const block_pass pass = {.look = n->how == JOIN_BY_NUMBER ? NULL : look_for_labels,
                             .keep = keep_labels,
                             .is_done = is_done,
                             .found_bytes = sizeof(uint32_t),
                             .payload = n,
                             .what = "blocks labelled"};
    DRUA_TRY(pass_run(j, g, &value, 1, n->step, &pass));
    drua_folder_settle(n->folder);
    return label_map_join(n->folder, n->what, n->extent, n->step, n->how);
}

static drua_status number_labels(job *j, const graph *g, const graph_label_call *c, label_join how, label_map **made)
{
    numbering n = {.call = c, .how = how};
    drua_status status = DRUA_OK;
    n.type = g->values[c->labels].image->type;
    memcpy(n.extent, g->values[c->labels].image->shape.extent, sizeof n.extent);
    snprintf(n.folder, sizeof n.folder, "%.2000s/labels%" PRId64 ".%d", j->folder, j->volume, g->numbered_count);
    label_hash(j, g, c, n.what);
    DRUA_TRY(label_map_open(n.folder, n.what, made));
    if (*made)
        return DRUA_OK;
    if (!j->fresh)
        return drua_fail(DRUA_E_ARGUMENT, "the plan's labels in '%.600s' are gone; make the plan anew by drua plan with --anew", n.folder);
    status = run_pass(j, g, &n);
    journal_close(n.journal);
    journal_state_free(&n.state);
    drua_zarr_close(n.back);
    if (n.out)
        drua_zarr_finish(n.out, DRUA_E_CANCELLED);
    if (status == DRUA_OK)
        status = label_map_open(n.folder, n.what, made);
    return status;
}

void label_hash(const job *j, const graph *g, const graph_label_call *c, char hash[DRUA_SHA256_TEXT])
{
    drua_text text = {0};
    drua_sha256 sum;
    drua_text_add(&text, "%s\n", DRUA_VERSION);
    source_identify(j->source, &text);
    drua_text_add(&text, "\nvolume %" PRId64 "\n", j->volume);
    graph_describe(g, &text);
    for (int i = 0; i < g->file_count; i++) {
        drua_file_info info = {0};
        drua_file_look(g->files[i].path, &info);
        drua_text_add(&text, "file %d bytes %" PRIu64 " changed %lld\n", i, info.bytes, (long long)info.changed);
    }
    drua_text_add(&text, "%s", drua_text_characters(&c->text));
    drua_sha256_begin(&sum);
    drua_sha256_add_text(&sum, drua_text_characters(&text));
    drua_sha256_end(&sum, hash);
    drua_text_free(&text);
}

/* ---- what operations make of labels */

static const label_map *numbered(const graph *g, int value)
{
    for (int i = 0; i < g->numbered_count; i++)
        if (g->numbered[i].value == value)
            return g->numbered[i].labels;
    return NULL;
}

drua_status job_label(void *payload, const graph *g, const graph_label_call *c, label_map **made)
{
    const bool box = !strcmp(c->op->name, "connected_components_box");
    label_map *own = NULL;
    *made = NULL;
    if (box || !strcmp(c->op->name, "connected_components_diamond"))
        return number_labels(payload, g, c, box ? JOIN_BY_CORNERS : JOIN_BY_SIDES, made);
    const label_map *from = numbered(g, c->labels);
    if (!from) {
        DRUA_TRY(number_labels(payload, g, c, JOIN_BY_NUMBER, &own));
        from = own;
    }
    const drua_status status = label_map_apply(from, c->op, c->bound, made);
    label_map_close(own);
    return status;
}

/* ---- the end */

static bool is_ours(const char *name)
{
    const size_t length = strlen(name);
    return !strcmp(name, "numbers") || (length > 7 && (!strcmp(name + length - 7, ".labels") || !strcmp(name + length - 7, ".blocks")));
}

static bool forget(const char *name, void *data)
{
    char folder[LABELS_PATH], path[LABELS_PATH];
    label_map_path(data, name, folder);
    if (!strncmp(name, "labels", 6) && drua_file_is_folder(folder)) {
        label_map_path(folder, "local.zarr", path);
        drua_zarr_discard(path);
        drua_file_remove_folder(folder, is_ours);
    } else if (!strncmp(name, "table", 5)) {
        drua_file_remove(folder);
    }
    return true;
}

void label_map_forget(const char *journal_folder)
{
    drua_folder_visit(journal_folder, forget, (void *)(uintptr_t)journal_folder);
}
