/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers the labels of a value in a pass over its blocks. Each block is labelled separately and stored on the disk
 * with a record, so that an interrupted pass resumes and several processes can share it. Then the labels of all blocks
 * are joined. When a plan is run or resumed later, the labels are already complete.
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
    int number; /* index of this numbering */
    drua_type type; /* type of the value whose labels are numbered */
    pass_results *results;
    drua_zarr_out *out;
} numbering;

static const char WHAT[] = "blocks labelled";

/* ---- one block */

/* Labels the components of an image on the device. */
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

static drua_status write_block(const numbering *n, const label_block *b, int64_t block)
{
    drua_zarr_box box = {.channel = 0};
    memcpy(box.first, b->box.first, sizeof box.first);
    memcpy(box.end, b->box.end, sizeof box.end);
    DRUA_TRY(label_block_write(b, n->folder, block, n->how != JOIN_BY_NUMBER));
    return drua_zarr_write(n->out, 0, &box, b->pixels);
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
        status = label_block_measure(&b, n->extent);
    if (status == DRUA_OK)
        status = write_block(n, &b, p->item.block);
    label_block_free(&b);
    return status;
}

/* ---- the pass */

/* Returns whether a file has the name of a pass's file, or of a remnant of a crashed writer. */
static bool is_ours(const char *name)
{
    const size_t length = strlen(name);
    return pass_results_is_file(name) || !strcmp(name, "numbers") || !strncmp(name, "part.", 5) ||
           (length > 7 && !strcmp(name + length - 7, ".labels"));
}

/* Rounds blocks down to whole chunks; blocks smaller than a chunk stay. */
static drua_status choose_step(job *j, const graph *g, numbering *n)
{
    enum { MOST_PIXELS = 1 << 27, CHUNK = 128 };
    const int value = n->call->labels;
    DRUA_TRY(pass_step(j, g, &value, 1, MOST_PIXELS, n->step));
    for (int axis = 0; axis < 3; axis++) {
        int64_t *step = &n->step[axis];
        *step = j->text.requested_block[axis] > 0 && j->text.requested_block[axis] < *step
                    ? j->text.requested_block[axis]
                    : *step;
        *step = *step > CHUNK ? *step / CHUNK * CHUNK : *step;
    }
    return job_check_blocks(j, n->extent, n->step);
}

static drua_status create_store(const job *j, const char *path, const int64_t extent[3], const int64_t step[3],
                                drua_zarr_out **out)
{
    enum { CHUNK = 128 };
    drua_zarr_metadata metadata = *source_metadata(j->source);
    drua_zarr_options options = {.levels = 1, .labels = true, .replaces = true};
    metadata.shape = (drua_shape){extent[0], extent[1], extent[2], extent[2] > 1 ? 3 : 2};
    metadata.channels = metadata.frames = 1;
    metadata.type = DRUA_UINT32;
    metadata.labels = true;
    for (int axis = 0; axis < 3; axis++)
        options.chunk[axis] = step[axis] < CHUNK ? step[axis] : CHUNK;
    return drua_zarr_create(path, &metadata, &options, NULL, out);
}

/* If several processes share the plan, the plan step has already created the file. */
static drua_status open_store(const job *j, numbering *n, const char *hash, int64_t blocks)
{
    char path[LABELS_PATH];
    label_map_path(n->folder, "local.zarr", path);
    DRUA_TRY(pass_results_open(n->folder, hash, blocks, &n->results));
    if (j->passes == PASSES_SHARED)
        return drua_zarr_resume(path, &n->out);
    if (pass_results_count(n->results))
        return drua_zarr_resume(path, &n->out) == DRUA_OK
                   ? DRUA_OK
                   : drua_fail(DRUA_E_AWAY,
                               "the labels in '%.600s', which an interrupted pass of the plan has made, are missing or "
                               "cannot be read; give the same command again when they are back, or discard them with "
                               "--anew",
                               path);
    pass_results_close(n->results);
    n->results = NULL;
    drua_file_remove_folder(n->folder, is_ours);
    DRUA_TRY(pass_results_open(n->folder, hash, blocks, &n->results));
    return create_store(j, path, n->extent, n->step, &n->out);
}

/*
 * Joins the labels and removes the files of blocks. If processes share the plan, the files stay, because another
 * process may be joining them too.
 */
static drua_status join_blocks(const job *j, const numbering *n, int64_t blocks)
{
    DRUA_TRY(label_map_join(n->folder, n->what, n->extent, n->step, n->how));
    for (int64_t block = 0; block < blocks && j->passes != PASSES_SHARED; block++)
        label_block_remove(n->folder, block);
    return DRUA_OK;
}

static drua_status run_pass(job *j, const graph *g, numbering *n)
{
    const drua_box all = drua_box_of(n->extent);
    const int64_t blocks = drua_box_parts(&all, n->step);
    const int value = n->call->labels;
    char step[100], hash[DRUA_SHA256_TEXT];
    drua_sha256 sum;
    snprintf(step, sizeof step, "%" PRId64 " %" PRId64 " %" PRId64, n->step[0], n->step[1], n->step[2]);
    drua_sha256_begin(&sum);
    drua_sha256_add_text(&sum, n->what);
    drua_sha256_add_text(&sum, step);
    drua_sha256_end(&sum, hash);
    if (!drua_file_make_shared_folder(n->folder))
        return drua_fail(DRUA_E_ARGUMENT,
                         "the folder '%.600s' cannot be created; check the disk's space and whether the parent folder "
                         "is write-protected",
                         n->folder);
    DRUA_TRY(open_store(j, n, hash, blocks));
    const block_pass pass = {.measure = n->how == JOIN_BY_NUMBER ? NULL : label_components,
                             .keep = keep_labels,
                             .results = n->results,
                             .found_bytes = sizeof(uint32_t),
                             .payload = n,
                             .what = WHAT,
                             .labels = n->number};
    DRUA_TRY(pass_run(j, g, &value, 1, n->step, &pass));
    return join_blocks(j, n, blocks);
}

static drua_status find_labels(job *j, const graph *g, numbering *n, label_map **made)
{
    DRUA_TRY(label_map_open(n->folder, n->what, n->extent, made));
    if (*made) {
        pass_skip(j, 1);
        return DRUA_OK;
    }
    if (j->passes == PASSES_DONE)
        return drua_fail(DRUA_E_AWAY,
                         "the plan's labels in '%.600s' are missing; give the same command again when they are back, "
                         "or make the plan again with drua plan --anew",
                         n->folder);
    DRUA_TRY(choose_step(j, g, n));
    DRUA_TRY(run_pass(j, g, n));
    return label_map_open(n->folder, n->what, n->extent, made);
}

static drua_status count_labels(job *j, const graph *g, numbering *n, label_map **made)
{
    const int value = n->call->labels;
    const block_pass pass = {.what = WHAT, .labels = n->number};
    DRUA_TRY(choose_step(j, g, n));
    DRUA_TRY(pass_run(j, g, &value, 1, n->step, &pass));
    return label_map_none(made);
}

static drua_status number_labels(job *j, const graph *g, const graph_label_call *c, label_join how, label_map **made)
{
    numbering n = {.call = c, .how = how, .number = g->numbered_count};
    n.type = g->values[c->labels].image->type;
    memcpy(n.extent, g->values[c->labels].image->shape.extent, sizeof n.extent);
    pass_folder(j->folder, 0, n.number, j->volume, n.folder);
    DRUA_TRY(pass_hash(j, g, drua_text_characters(&c->text), n.what));
    const drua_status status = j->passes == PASSES_COUNTED ? count_labels(j, g, &n, made) : find_labels(j, g, &n, made);
    pass_results_close(n.results);
    if (n.out)
        drua_zarr_finish(n.out, DRUA_E_CANCELLED);
    return status;
}

drua_status label_stores_create(const job *j)
{
    for (int i = 0; i < j->text.pass_count; i++) {
        const plan_pass *p = &j->text.passes[i];
        for (int64_t volume = 0; volume < j->channels * j->frames && p->labels >= 0; volume++) {
            char folder[LABELS_PATH], path[LABELS_PATH];
            drua_zarr_out *out;
            pass_folder(j->folder, 0, p->labels, volume, folder);
            label_map_path(folder, "local.zarr", path);
            DRUA_TRY(create_store(j, path, p->extent, p->step, &out));
            drua_zarr_finish(out, DRUA_E_CANCELLED);
        }
    }
    return DRUA_OK;
}

/* ---- operations on labels */

static const label_map *find_numbered_labels(const graph *g, int value)
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
    const label_map *from = find_numbered_labels(g, c->labels);
    if (!from) {
        DRUA_TRY(number_labels(payload, g, c, JOIN_BY_NUMBER, &own));
        from = own;
    }
    const drua_status status = label_map_apply(from, c->op, c->bound, made);
    label_map_close(own);
    return status;
}

/* ---- removal */

static bool forget_entry(const char *name, void *data)
{
    char folder[LABELS_PATH], path[LABELS_PATH];
    label_map_path(data, name, folder);
    if (drua_file_is_folder(folder) && (!strncmp(name, "labels", 6) || !strncmp(name, "pass", 4))) {
        label_map_path(folder, "local.zarr", path);
        drua_zarr_discard(path);
        drua_file_remove_folder(folder, is_ours);
    } else if (!strncmp(name, "table", 5)) {
        drua_file_remove(folder);
    }
    return true;
}

void passes_forget(const char *journal_folder)
{
    drua_folder_visit(journal_folder, forget_entry, (void *)(uintptr_t)journal_folder);
}
