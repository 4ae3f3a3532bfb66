/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens a plan: records its pipeline, and compares it with the hashes in its file. */
#include "open_job.h"
#include "job_outputs.h"
#include "named_inputs.h"
#include "passes.h"

#include "alloc.h"
#include "device.h"
#include "file.h"
#include "store.h"
#include "host_memory.h"
#include "image_file.h"
#include "text.h"

#include <drua/version.h>

#include <inttypes.h>
#include <string.h>

/* ---- the pipeline */

static drua_status take_number(job *j, const char *what, double *number)
{
    const block_plan *p = &j->text;
    if (j->next_number >= p->number_count || strcmp(p->numbers[j->next_number].what, what))
        return drua_fail(DRUA_E_ARGUMENT, "the plan lacks a number for %s; make it again with drua plan", what);
    *number = p->numbers[j->next_number++].value;
    return DRUA_OK;
}

static drua_status keep_number(block_plan *p, const char *what, double number)
{
    graph_number *grown = drua_realloc(p->numbers, (size_t)(p->number_count + 1) * sizeof *grown);
    if (!grown)
        return drua_fail_memory(sizeof *grown);
    p->numbers = grown;
    grown[p->number_count] = (graph_number){drua_copy_text(what), number};
    return grown[p->number_count++].what ? DRUA_OK : drua_fail_memory(1);
}

/* Takes the numbers of an operation from the plan, or measures them if the plan does not have them. */
static drua_status find_or_measure_numbers(void *payload, const graph *g, const drua_op *op, const drua_bound *bound,
                                           int value, double numbers[GRAPH_NUMBERS])
{
    job *j = payload;
    drua_status status = j->passes == PASSES_DONE ? DRUA_OK : job_measure(j, g, op, bound, value, numbers);
    int i = 0;
    if (j->passes == PASSES_COUNTED)
        return status;
    for (size_t param = 0; param < op->param_count && i < GRAPH_NUMBERS && status == DRUA_OK; param++)
        if (op->params[param].kind == DRUA_KIND_NUMBER_OUT) {
            status = j->passes == PASSES_DONE ? take_number(j, op->name, &numbers[i])
                                              : keep_number(&j->text, op->name, numbers[i]);
            i++;
        }
    return status;
}

drua_status job_record_volume(job *j, const script *s, int64_t volume, graph *g)
{
    const graph_measure measure = {.measure = find_or_measure_numbers,
                                   .label = job_label,
                                   .tabulate = job_tabulate,
                                   .store = job_store,
                                   .payload = j,
                                   .frame = (j->text.first_frame ? j->text.first_frame : 1) + volume / j->channels,
                                   .frames = source_all_frames(j->source),
                                   .planned = job_has_plan(j),
                                   .margin = j->text.margin};
    j->volume = volume;
    j->pass = 0;
    graph_named inputs[GRAPH_NAMED + 1];
    const int count = named_inputs_graph(j, inputs);
    const drua_status status = graph_record(&j->main.engine, s, inputs, count, &measure, g);
    named_inputs_free_graph(inputs, count);
    DRUA_TRY(status);
    return graph_settle_labels(&j->main.engine, g, j->text.labels, !job_makes_tiff(j));
}

static drua_status record_next(job *j, const script *s)
{
    const int64_t volume = j->graph_count++;
    return job_record_volume(j, s, volume, &j->graphs[volume]);
}

/*
 * Records the pipeline. One graph serves all channels and frames, unless the pipeline has results of passes or named
 * inputs, or calls depend on the frame.
 */
static drua_status record_volumes(job *j)
{
    script s;
    const int64_t volumes = j->channels * j->frames;
    j->graphs = drua_alloc((size_t)volumes * sizeof *j->graphs);
    if (!j->graphs)
        return drua_fail_memory((size_t)volumes * sizeof *j->graphs);
    DRUA_TRY(script_parse(j->text.macro, &s));
    drua_status status = record_next(j, &s);
    while (j->graph_count < volumes && status == DRUA_OK &&
           (j->graphs[0].number_count || j->graphs[0].made_count || j->graphs[0].table_count || j->graphs[0].by_frame))
        status = record_next(j, &s);
    script_free(&s);
    return status;
}

static drua_status set_outputs(job *j)
{
    const graph *g = &j->graphs[0];
    if (g->output_count > JOB_OUTPUTS)
        return drua_fail(DRUA_E_UNSUPPORTED,
                         "the pipeline has %d results, but at most %d are possible; split it into two pipelines",
                         g->output_count, JOB_OUTPUTS);
    j->output_count = g->output_count;
    for (int i = 0; i < g->output_count; i++) {
        j->outputs[i] = g->outputs[i].value;
        const drua_shape shape = g->values[j->outputs[i]].image->shape;
        if (i == 0)
            j->shape = shape;
        if (!drua_shape_is_same_size(shape, j->shape))
            return drua_fail(DRUA_E_UNSUPPORTED,
                             "the results '%s' and '%s' have different sizes; make a pipeline for each",
                             g->outputs[0].name, g->outputs[i].name);
    }
    return DRUA_OK;
}

static drua_status record_pipeline(job *j)
{
    DRUA_TRY(record_volumes(j));
    return set_outputs(j);
}

/* Records the pipeline once more if later passes should read some values from the disk. */
static drua_status choose_stored_images(job *j)
{
    DRUA_TRY(stored_images_choose(j));
    if (!j->text.stored_count)
        return DRUA_OK;
    for (int64_t i = 0; i < j->graph_count; i++)
        graph_free(&j->graphs[i]);
    drua_free(j->graphs);
    j->graphs = NULL;
    j->graph_count = 0;
    block_plan_forget_passes(&j->text);
    drua_text_free(&j->main.engine.lines);
    return record_pipeline(j);
}

/* ---- hashes that must match when a plan is resumed */

static drua_status fail_without(const char *path)
{
    return drua_fail(DRUA_E_AWAY,
                     "'%.600s' is missing or cannot be read; make it accessible, then run the same command again",
                     path);
}

static drua_status hash_file(drua_sha256 *hash, const char *path)
{
    enum { AT_ONCE = 1 << 20 };
    drua_bytes bytes = {0};
    drua_file_info info;
    bool absent = false;
    block_source *source;
    if (drua_zarr_is_path(path)) {
        drua_status status = source_open(path, "", 0, 0, &source);
        if (status == DRUA_OK)
            status = source_hash(source, hash);
        source_close(source);
        return status == DRUA_OK || drua_image_file_stat(path, &info) ? status : fail_without(path);
    }
    drua_status status = drua_store_read(path, 0, AT_ONCE, &bytes, &info, &absent);
    for (int64_t at = 0; status == DRUA_OK && bytes.length;) {
        drua_sha256_add(hash, bytes.data, bytes.length);
        at += (int64_t)bytes.length;
        status = drua_store_read(path, at, AT_ONCE, &bytes, &info, &absent);
    }
    drua_free(bytes.data);
    return status == DRUA_OK && !absent ? DRUA_OK : fail_without(path);
}

static void hash_text(const char *text, char result[DRUA_SHA256_TEXT])
{
    drua_sha256 hash;
    drua_sha256_begin(&hash);
    drua_sha256_add_text(&hash, text);
    drua_sha256_end(&hash, result);
}

static drua_status find_hashes(const job *j, block_plan *p)
{
    drua_text graphs = {0}, image = {0}, settings = {0}, all = {0};
    drua_sha256 files;
    drua_status status = DRUA_OK;
    for (int64_t i = 0; i < j->graph_count; i++)
        graph_describe(&j->graphs[i], &graphs);
    source_identify(j->source, &image);
    named_inputs_identify(j, &image);
    drua_text_add(&settings, "%s %d block", p->compression, p->version);
    for (int axis = 0; axis < 3; axis++)
        drua_text_add(&settings, " %" PRId64 " %" PRId64 " %" PRId64, p->block[axis], p->chunk[axis], p->shard[axis]);
    drua_sha256_begin(&files);
    for (int i = 0; i < j->graphs[0].file_count && status == DRUA_OK; i++)
        status = hash_file(&files, j->graphs[0].files[i].path);
    drua_sha256_end(&files, p->files);
    hash_text(drua_text_characters(&graphs), p->graph);
    hash_text(drua_text_characters(&image), p->image);
    hash_text(drua_text_characters(&settings), p->settings);
    drua_text_add(&all, "%s %s %s %s %s", DRUA_VERSION, p->graph, p->files, p->image, p->settings);
    hash_text(drua_text_characters(&all), p->all);
    if (graphs.failed || image.failed || settings.failed || all.failed)
        status = drua_fail_memory(1);
    drua_text_free(&graphs);
    drua_text_free(&image);
    drua_text_free(&settings);
    drua_text_free(&all);
    return status;
}

static drua_status compare_hashes(const job *j)
{
    const block_plan *p = &j->text;
    block_plan now = {.compression = p->compression, .version = p->version};
    memcpy(now.block, p->block, sizeof now.block);
    memcpy(now.chunk, p->chunk, sizeof now.chunk);
    memcpy(now.shard, p->shard, sizeof now.shard);
    DRUA_TRY(find_hashes(j, &now));
    const struct {
        const char *now, *before, *what;
    } hashes[] = {{now.image, p->image, "its input"},
                  {now.files, p->files, "a file that its pipeline reads"},
                  {now.graph, p->graph, "what its commands do"},
                  {now.settings, p->settings, "a setting"},
                  {now.all, p->all, "Drua's version"}};
    const char *what = NULL;
    for (size_t i = 0; i < sizeof hashes / sizeof *hashes && !what; i++)
        what = strcmp(hashes[i].now, hashes[i].before) ? hashes[i].what : NULL;
    return what ? drua_fail(
                      DRUA_E_ARGUMENT,
                      "the plan '%.600s' is out of date: %s has changed since; make it again with drua plan --anew",
                      j->path, what)
                : DRUA_OK;
}

/* ---- the input */

/* Opens the inputs. Watches no files if passes are only counted, because counting reads no pixels. */
static drua_status open_inputs(job *j, size_t keep)
{
    drua_text image = {0};
    char hash[DRUA_SHA256_TEXT];
    DRUA_TRY(job_open_image(j, j->text.input, j->text.series, j->text.level, keep, &j->source));
    DRUA_TRY(job_choose_frames(j, j->source));
    DRUA_TRY(job_choose_box(j, j->source));
    DRUA_TRY(named_inputs_open(j, keep));
    if (j->fresh && j->passes == PASSES_COUNTED)
        return DRUA_OK;
    source_identify(j->source, &image);
    named_inputs_identify(j, &image);
    hash_text(drua_text_characters(&image), hash);
    drua_status status = image.failed ? drua_fail_memory(image.length) : DRUA_OK;
    if (status == DRUA_OK && source_zarr(j->source))
        status = input_record_open(j->folder, hash, source_zarr(j->source), !j->fresh, &j->record);
    if (status == DRUA_OK)
        status = named_inputs_watch(j, hash, !j->fresh);
    drua_text_free(&image);
    return status;
}

drua_status job_check_input(job *j, const drua_blocks_share *share)
{
    if (!j->source)
        DRUA_TRY(open_inputs(j, 0));
    const int64_t part = share ? share->part : 0, parts = share ? share->parts : 0;
    if (j->record)
        DRUA_TRY(input_record_check(j->record, part, parts));
    return named_inputs_check(j, part, parts);
}

/* ---- opening */

/*
 * Opens the device that records the pipeline. A computer without a device, such as a cluster's login node, can make a
 * plan if the request states the memory of the devices that will run it.
 */
static drua_status open_planner(job *j, const char *device)
{
    uint64_t bytes;
    char reason[512];
    const drua_status status = evaluator_open(device, j->text.memory, &j->main);
    if (status != DRUA_E_NO_DEVICE || !j->for_others)
        return status;
    evaluator_close(&j->main);
    drua_copy_start(reason, drua_error_text(), sizeof reason);
    if (!job_parse_size(j->text.memory, &bytes))
        return drua_fail(status, "%s; to plan for a device of another computer, give its --memory, such as 80GB",
                         reason);
    return evaluator_open_absent(j->text.memory, bytes, &j->main);
}

drua_status job_open(job *j, const char *device, pass_mode passes, bool fresh)
{
    const size_t keep = (size_t)1 << 30;
    j->passes = passes;
    j->fresh = fresh;
    j->memory = block_memory_open();
    if (!j->memory)
        return drua_fail(DRUA_E_MEMORY, "host memory is full; close other programs, then run the same command again");
    DRUA_TRY(open_inputs(j, keep < drua_host_memory() / 16 ? keep : (size_t)(drua_host_memory() / 16)));
    if (j->channels > JOB_MAX_VOLUMES || j->frames > JOB_MAX_VOLUMES / j->channels)
        return drua_fail(DRUA_E_UNSUPPORTED,
                         "'%.600s' has %" PRId64 " channels and %" PRId64
                         " frames, but a plan can have at most %d volumes (channels times frames); split the image",
                         j->text.input, j->channels, j->frames, JOB_MAX_VOLUMES);
    DRUA_TRY(open_planner(j, device));
    if (fresh && passes == PASSES_COUNTED)
        j->text.limits = job_planned_limits(j);
    DRUA_TRY(record_pipeline(j));
    if (fresh && passes == PASSES_COUNTED && !j->stores_nothing)
        DRUA_TRY(choose_stored_images(j));
    memcpy(j->text.size, j->shape.extent, sizeof j->text.size);
    j->text.table_count = j->graphs[0].table_count;
    if (fresh)
        return job_name_outputs(j);
    job_set_grid(j);
    return compare_hashes(j);
}

drua_status job_seal(job *j)
{
    DRUA_TRY(job_check_blocks(j, j->text.size, j->text.block));
    job_set_grid(j);
    return find_hashes(j, &j->text);
}

drua_status job_load(job *j, const char *path, const char *device)
{
    drua_status status = job_load_text(j, path);
    if (status == DRUA_OK)
        status = job_open(j, device, PASSES_DONE, false);
    if (status != DRUA_OK)
        job_close(j);
    return status;
}
