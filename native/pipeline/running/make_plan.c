/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes plans. */
#include "make_plan.h"
#include "block_pipeline.h"
#include "finish_blocks.h"
#include "job_outputs.h"
#include "named_inputs.h"
#include "open_job.h"
#include "pass_results.h"
#include "passes.h"
#include "places.h"
#include "plan_report.h"
#include "plan_status.h"
#include "provenance.h"
#include "psf_advice.h"
#include "workers.h"

#include "alloc.h"
#include "c_locale.h"
#include "device.h"
#include "file.h"
#include "quote.h"
#include "utf8.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- the request */

/* A pipeline is the path of a macro file, or one operation with its settings. */
static drua_status read_pipeline(const char *pipeline, char **macro)
{
    return drua_file_is_ordinary(pipeline) ? script_read(pipeline, macro) : graph_macro_of(pipeline, macro);
}

/* Fails for a path that is not UTF-8: JSON would return it as the path of another file. */
static drua_status check_texts(const block_plan *p)
{
    const char *const texts[] = {p->macro, p->input, p->output, p->series};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i] && !drua_is_utf8(texts[i]))
            return drua_fail(
                DRUA_E_ARGUMENT,
                "the path '%.600s' is not UTF-8, so it cannot be stored in a plan; rename the files and folders",
                texts[i]);
    return DRUA_OK;
}

static drua_status take_request(const drua_blocks_request *r, block_plan *p)
{
    uint64_t bytes;
    if (r->host_memory && *r->host_memory && !job_parse_size(r->host_memory, &bytes))
        return drua_fail(DRUA_E_ARGUMENT, "host memory must be a size such as 8GB, got '%s'", r->host_memory);
    DRUA_TRY(read_pipeline(r->pipeline, &p->macro));
    p->input = drua_copy_text(r->input);
    p->output = drua_copy_text(r->output);
    p->memory = drua_copy_text(r->memory ? r->memory : "");
    p->host_memory = drua_copy_text(r->host_memory ? r->host_memory : "");
    p->compression = drua_copy_text(r->compression ? r->compression : "");
    p->series = drua_copy_text(r->series ? r->series : "");
    memcpy(p->block, r->block, sizeof p->block);
    memcpy(p->requested_block, r->block, sizeof p->requested_block);
    memcpy(p->chunk, r->chunk, sizeof p->chunk);
    memcpy(p->shard, r->shard, sizeof p->shard);
    p->version = drua_text_has_extension(r->output, ".ozx") ? 5 : r->version;
    p->level = r->level;
    p->first_frame = r->first_frame;
    p->last_frame = r->last_frame;
    memcpy(p->origin, r->origin, sizeof p->origin);
    memcpy(p->extent, r->size, sizeof p->extent);
    p->margin = r->margin ? r->margin : BLOCKS_MARGIN;
    p->writes_provenance = r->provenance;
    p->one_image = r->one_image;
    p->replaces = r->overwrite;
    p->labels = r->labels;
    DRUA_TRY(named_inputs_take(r, p));
    return p->input && p->output && p->memory && p->host_memory && p->compression && p->series ? check_texts(p)
                                                                                               : drua_fail_memory(1);
}

/* ---- outputs */

static void close_outputs(drua_zarr_out **outs, int count, drua_status status)
{
    for (int i = 0; i < count; i++)
        if (outs[i])
            drua_zarr_finish(outs[i], status == DRUA_OK ? DRUA_E_CANCELLED : status);
}

/* Fails if an output already has blocks: they may belong to another plan that is running, under any name. */
static drua_status check_outputs(const job *j)
{
    for (int i = 0; i < j->output_count && !j->anew; i++) {
        char path[JOB_PATH];
        job_output_path(j, i, path);
        if (drua_zarr_has_any(path))
            return drua_fail(DRUA_E_ARGUMENT,
                             "'%.600s.writing' has blocks of another plan; finish that plan, use another output, or "
                             "discard its blocks with --anew",
                             path);
    }
    return DRUA_OK;
}

static drua_status create_output(job *j, int output, drua_zarr_out **out)
{
    char path[JOB_PATH];
    const drua_zarr_metadata metadata = job_output_metadata(j, output);
    const drua_zarr_options options = job_output_options(j, output);
    job_output_path(j, output, path);
    const bool is_archive = drua_text_has_extension(path, ".ozx");
    if (!options.inside_image && drua_file_is_ordinary(path) && !is_archive)
        return drua_fail(DRUA_E_ARGUMENT, "'%.600s' is a file, which no OME-Zarr replaces; choose another name", path);
    if (!options.inside_image && !drua_zarr_is_path(path))
        return drua_fail(DRUA_E_ARGUMENT,
                         "the output '%.600s' must be an OME-Zarr or a TIFF: a name with the extension .zarr or .tif",
                         path);
    return drua_zarr_create(path, &metadata, &options, job_output_text(j, output), out);
}

/* Begins the images before the labels that lie in them. */
static drua_status create_outputs(job *j, drua_zarr_out **outs)
{
    DRUA_TRY(places_check_job(j));
    DRUA_TRY(check_outputs(j));
    journal_remove(j->folder); /* the mark of a finished plan */
    for (int labels = 0; labels < 2; labels++)
        for (int i = 0; i < j->output_count; i++)
            if ((job_image_of(j, i) >= 0) == labels)
                DRUA_TRY(create_output(j, i, &outs[i]));
    for (int i = 0; i < j->output_count; i++)
        DRUA_TRY(job_write_labels_group(j, i));
    return DRUA_OK;
}

/* ---- blocks */

/*
 * Chooses blocks of two files along each axis, which also cover whole files of the smaller level. If memory is too
 * small for such blocks, or the image has fewer than ENOUGH of them, it chooses blocks of one file or more.
 */
static drua_status choose_whole_files(job *j, const block_limits *limits, block_bytes *bytes)
{
    enum { ENOUGH = 16 };
    const drua_box all = drua_box_of(j->shape.extent);
    block_limits doubled = *limits;
    int64_t block[3] = {0};
    for (int axis = 0; axis < 3; axis++)
        doubled.file[axis] *= 2;
    if (j->text.block[0] ||
        choose_block(&j->graphs[0], j->outputs, j->output_count, &doubled, block, bytes) != DRUA_OK ||
        drua_box_parts(&all, block) < ENOUGH)
        return choose_block(&j->graphs[0], j->outputs, j->output_count, limits, j->text.block, bytes);
    memcpy(j->text.block, block, sizeof block);
    return DRUA_OK;
}

static drua_status choose_in_grid(job *j, const drua_zarr_metadata *grid)
{
    block_limits limits = job_planned_limits(j);
    block_boxes b;
    block_bytes bytes;
    memcpy(limits.file, grid->file.extent, sizeof limits.file);
    for (int axis = 0; axis < 3 && j->text.block[0]; axis++) {
        int64_t *block = &j->text.block[axis];
        *block = *block < j->shape.extent[axis]
                     ? *block
                     : (j->shape.extent[axis] + limits.file[axis] - 1) / limits.file[axis] * limits.file[axis];
        if (*block < 1 || *block % limits.file[axis])
            return drua_fail(DRUA_E_ARGUMENT,
                             "block along %c must be a multiple of %" PRId64
                             ", the size of the output's files, got %" PRId64,
                             "xyz"[axis], limits.file[axis], *block);
    }
    DRUA_TRY(choose_whole_files(j, &limits, &bytes));
    const drua_box box = middle_block(j->shape.extent, j->text.block);
    const drua_status status = boxes_find(&j->graphs[0], j->outputs, j->output_count, &box, &b);
    if (status == DRUA_OK)
        boxes_halo(&j->graphs[0], &b, j->text.halo);
    boxes_free(&b);
    j->text.device_bytes = bytes.max;
    j->text.host_bytes = job_host_bytes(&bytes);
    return status;
}

/* Chooses blocks before anything is written. The grid of files depends only on the settings. */
drua_status job_choose_blocks(job *j)
{
    drua_zarr_metadata grid;
    const drua_zarr_metadata metadata = job_output_metadata(j, 0);
    const drua_zarr_options options = job_output_options(j, 0);
    DRUA_TRY(drua_zarr_grid(&metadata, &options, &grid));
    DRUA_TRY(choose_in_grid(j, &grid));
    return job_seal(j);
}

/* ---- resuming */

/*
 * Keeps and counts finished blocks if the plan is the same. Fails if they belong to another plan, unless the request
 * discards them.
 */
static drua_status check_journal(job *j, bool *resumes, int64_t *done)
{
    journal_state state;
    block_plan before;
    *resumes = false;
    if (!journal_exists(j->folder))
        return DRUA_OK;
    const drua_status status = journal_read(j->folder, j->text.all, j->blocks, &state);
    *done = state.done;
    journal_state_free(&state);
    DRUA_TRY(status);
    DRUA_TRY(block_plan_read(j->path, &before));
    *resumes = !strcmp(before.all, j->text.all) && !strcmp(before.output, j->text.output);
    block_plan_free(&before);
    return *resumes ? DRUA_OK
                    : drua_fail(DRUA_E_ARGUMENT,
                                "'%.600s' has blocks of another output; give the plan another name, or discard these "
                                "blocks with --anew",
                                j->path);
}

/* Fails unless the outputs are finished, or can be resumed. */
static drua_status check_outputs_exist(const job *j)
{
    for (int i = 0; i < j->output_count && !job_is_finished(j); i++) {
        char path[JOB_PATH];
        drua_zarr_out *out;
        job_output_path(j, i, path);
        if (job_makes_tiff(j) && drua_file_is_folder(path))
            continue; /* the chunks are finished, only the TIFF is missing */
        DRUA_TRY(drua_zarr_resume(path, &out));
        drua_zarr_finish(out, DRUA_E_CANCELLED);
    }
    return DRUA_OK;
}

/* ---- a shared plan */

static bool find_results(const char *name, void *data)
{
    *(bool *)data |= pass_results_is_file(name) || !strcmp(name, "numbers");
    return true;
}

typedef struct visiting {
    const char *folder;
    bool any;
    drua_status status;
} visiting;

static bool visit_folder(const char *name, void *data)
{
    visiting *v = data;
    char folder[PASS_PATH];
    if (!pass_is_folder(name))
        return true;
    snprintf(folder, sizeof folder, "%.2000s/%.190s", v->folder, name);
    v->status = drua_folder_list(folder, find_results, &v->any);
    return v->status == DRUA_OK;
}

static drua_status find_passes(const job *j, bool *any)
{
    visiting v = {j->folder, false, DRUA_OK};
    DRUA_TRY(drua_folder_list(j->folder, visit_folder, &v));
    *any = v.any;
    return v.status;
}

/*
 * Keeps the results of passes if the plan is the same. Fails if they belong to another plan, unless the request
 * discards them.
 */
static drua_status check_passes(const job *j, bool *resumes)
{
    block_plan before = {.macro = NULL};
    bool any = false;
    *resumes = drua_file_is_ordinary(j->path) && block_plan_read(j->path, &before) == DRUA_OK && before.pass_count &&
               !strcmp(before.all, j->text.all) && !strcmp(before.output, j->text.output);
    block_plan_free(&before);
    if (*resumes)
        return DRUA_OK;
    DRUA_TRY(find_passes(j, &any));
    return any || journal_exists(j->folder) ? drua_fail(DRUA_E_ARGUMENT,
                                            "'%.600s' has blocks of another plan; give the plan another name, or "
                                            "discard these blocks with --anew",
                                            j->folder)
                                : DRUA_OK;
}

/* Writes the plan after the list of its input's files. */
static drua_status write_plan(job *j)
{
    if (source_zarr(j->source))
        DRUA_TRY(input_record_list(j->folder, j->text.image, source_zarr(j->source)));
    DRUA_TRY(named_inputs_list(j));
    return block_plan_write(j);
}

/* Writes the plan unless it resumes as it is, and reports it with the number of finished blocks. */
static drua_status write_and_report(job *j, bool resumes, int64_t done, drua_text *report)
{
    if (!resumes)
        DRUA_TRY(write_plan(j));
    else if (j->text.replaces)
        DRUA_TRY(block_plan_write(j));
    DRUA_TRY(psf_advice_add(j));
    plan_report_add(j, done, report);
    return DRUA_OK;
}

static drua_status begin_shared_plan(job *j, drua_text *report)
{
    drua_zarr_out *outs[JOB_OUTPUTS] = {NULL};
    bool resumes = false;
    DRUA_TRY(job_choose_blocks(j));
    DRUA_TRY(passes_price(j));
    DRUA_TRY(provenance_make(j));
    if (!j->anew)
        DRUA_TRY(check_passes(j, &resumes));
    drua_status status = resumes ? check_outputs_exist(j) : create_outputs(j, outs);
    close_outputs(outs, j->output_count, status);
    if (status == DRUA_OK && !resumes)
        status = pass_stores_create(j);
    return status == DRUA_OK ? write_and_report(j, resumes, 0, report) : status;
}

/* ---- a complete plan */

static drua_status make_complete_plan(job *j, drua_text *report)
{
    drua_zarr_out *outs[JOB_OUTPUTS] = {NULL};
    bool resumes = false;
    int64_t done = 0;
    DRUA_TRY(job_choose_blocks(j));
    DRUA_TRY(provenance_make(j));
    DRUA_TRY(check_journal(j, &resumes, &done));
    drua_status status = resumes ? check_outputs_exist(j) : create_outputs(j, outs);
    close_outputs(outs, j->output_count, status);
    return status == DRUA_OK ? write_and_report(j, resumes, done, report) : status;
}

/* ---- all plans */

/* Opens the request that is stored in the job's text. */
static drua_status open_new(job *j, const drua_blocks_request *request, pass_mode passes)
{
    char first[256];
    bool passes_exist = false;
    if (job_makes_tiff(j) && *j->text.compression && strcmp(j->text.compression, "none") &&
        strcmp(j->text.compression, "lzw") && strcmp(j->text.compression, "deflate"))
        return drua_fail(DRUA_E_ARGUMENT, "compression of a TIFF must be none, lzw or deflate, got '%s'",
                         j->text.compression);
    first_device(request->devices, first, sizeof first);
    j->devices = request->devices;
    j->pipeline = request->pipeline;
    j->anew = request->anew;
    j->stores_nothing = request->stores_nothing;
    j->for_others = request->for_others;
    j->planner = request->device && *request->device;
    j->watch = request->watch;
    j->payload = request->payload;
    DRUA_TRY(find_passes(j, &passes_exist));
    if (!passes_exist && !journal_exists(j->folder))
        input_record_remove(j->folder); /* no result depends on these records */
    DRUA_TRY(job_open(j, j->planner ? request->device : first, passes, true));
    return job_check_input(j, NULL);
}

/* Makes a shared plan. If all its passes are done, or it has no passes, the plan is complete immediately. */
static drua_status plan_shared(job *j, const drua_blocks_request *request, const char *path, drua_text *report)
{
    DRUA_TRY(open_new(j, request, PASSES_COUNTED));
    if (first_due_pass(j))
        return begin_shared_plan(j, report);
    block_plan text = j->text;
    j->text = (block_plan){.macro = NULL};
    job_close(j);
    job_set_paths(j, path);
    j->was_open = true;
    j->text = text;
    block_plan_reduce_to_request(&j->text);
    DRUA_TRY(open_new(j, request, PASSES_SHARED));
    return make_complete_plan(j, report);
}

/*
 * Finds errors before anything is discarded and before passes, which may take hours. `to` receives the images to store
 * and the costs of passes.
 */
static drua_status check_request(const drua_blocks_request *request, const char *path, job *to)
{
    job j = {.graphs = NULL};
    job_set_paths(&j, path);
    drua_status status = take_request(request, &j.text);
    if (status == DRUA_OK)
        status = open_new(&j, request, PASSES_COUNTED);
    if (status == DRUA_OK && j.main.is_absent && first_due_pass(&j) && !request->share)
        status =
            drua_fail(DRUA_E_NO_DEVICE, "the pipeline measures the whole image first, and this computer has no "
                                        "OpenCL device; add --share to let the processes that run the plan measure");
    if (status == DRUA_OK)
        status = places_check_job(&j);
    if (status == DRUA_OK)
        status = job_choose_blocks(&j);
    if (status == DRUA_OK)
        status = passes_price(&j);
    if (status == DRUA_OK) {
        memcpy(to->text.stored, j.text.stored, sizeof to->text.stored);
        to->text.stored_count = j.text.stored_count;
        j.text.stored_count = 0;
        to->costs = j.costs;
        j.costs = (drua_text){0};
    }
    job_close(&j);
    return status;
}

static drua_status forget_blocks(const drua_blocks_request *request, const char *path, job *to)
{
    job j = {.graphs = NULL};
    DRUA_TRY(check_request(request, path, to));
    job_set_paths(&j, path);
    journal_remove(j.folder);
    passes_forget(j.folder);
    input_record_remove(j.folder);
    return DRUA_OK;
}

static drua_status plan_alone(job *j, const drua_blocks_request *request, const char *path, drua_text *report)
{
    if (!request->anew)
        DRUA_TRY(check_request(request, path, j)); /* with --anew, forget_blocks() has already checked the request */
    j->was_open = true;
    DRUA_TRY(open_new(j, request, PASSES_ALONE));
    return make_complete_plan(j, report);
}

static drua_status make_plan(const drua_blocks_request *request, const char *path, drua_text *report)
{
    job j = {.graphs = NULL};
    drua_locale_enter();
    job_set_paths(&j, path);
    drua_status status = places_check_request(request, path);
    if (status == DRUA_OK && request->anew)
        status = forget_blocks(request, path, &j);
    if (status == DRUA_OK)
        status = take_request(request, &j.text);
    if (status == DRUA_OK)
        status = request->share ? plan_shared(&j, request, path, report) : plan_alone(&j, request, path, report);
    job_close(&j);
    drua_locale_leave();
    return status;
}

/* Temporary names are the output's name and a suffix, so the name must not end in a slash. */
drua_status drua_blocks_plan(const drua_blocks_request *request, const char *path, drua_text *report)
{
    drua_blocks_request r = *request;
    char *output = drua_copy_text(request->output), *plan = drua_copy_text(path);
    drua_status status = output && plan ? DRUA_OK : drua_fail_memory(strlen(request->output) + strlen(path));
    if (status == DRUA_OK) {
        drua_path_shorten(output);
        drua_path_shorten(plan);
        output[drua_path_length(output)] = 0;
        r.output = output;
        status = make_plan(&r, plan, report);
    }
    drua_free(output);
    drua_free(plan);
    return status;
}
