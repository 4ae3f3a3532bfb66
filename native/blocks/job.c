/* SPDX-License-Identifier: BSD-3-Clause */
#include "job.h"

#include "alloc.h"
#include "workers.h"
#include "device.h"
#include "file.h"
#include "file_name.h"
#include "host_memory.h"
#include "image_file.h"
#include "text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- sizes */

bool job_parse_size(const char *text, uint64_t *bytes)
{
    static const struct {
        const char *unit;
        double bytes;
    } units[] = {{"", 1e6}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {NULL, 0}};
    char *end;
    const double number = strtod(text, &end);
    for (int i = 0; units[i].unit && end != text; i++)
        if (!strcmp(end, units[i].unit) && number > 0 && number * units[i].bytes < 1e18) {
            *bytes = (uint64_t)(number * units[i].bytes);
            return true;
        }
    return false;
}

uint64_t job_host_limit(const job *j)
{
    uint64_t bytes;
    return job_parse_size(j->text.host_memory ? j->text.host_memory : "", &bytes) ? bytes : drua_host_memory() / 4;
}

block_limits job_limits(const job *j)
{
    if (j->text.limits.device)
        return j->text.limits;
    const drua_device_info *info = drua_device_get_info(j->main.device);
    const double pool = 0.8; /* allowance for the memory pool and for rows padded to whole vectors */
    block_limits l = {.device = (uint64_t)(pool * (double)drua_device_statistics(j->main.device)->budget_bytes),
                      .buffer = (uint64_t)(pool * (double)info->largest_allocation),
                      .host = job_host_limit(j)};
    for (int axis = 0; axis < 3; axis++)
        l.file[axis] = 1;
    return l;
}

/* ---- outputs */

bool job_is_tiff(const char *output)
{
    return drua_text_ends_with(output, ".tif") || drua_text_ends_with(output, ".tiff");
}

bool job_makes_tiff(const job *j)
{
    return job_is_tiff(j->text.output);
}

static const char LABELS[] = "/labels/";

int job_image_of(const job *j, int output)
{
    const char *path = j->text.paths[output];
    for (int i = 0; i < j->text.path_count; i++) {
        const size_t length = strlen(j->text.paths[i]);
        if (i != output && !strncmp(path, j->text.paths[i], length) && !strncmp(path + length, LABELS, strlen(LABELS)))
            return i;
    }
    return -1;
}

bool job_has_main_image(const job *j)
{
    bool main = false;
    for (int i = 0; i < j->text.path_count; i++)
        main |= !strcmp(j->text.paths[i], j->text.output);
    return main;
}

void job_output_path(const job *j, int output, char path[JOB_PATH])
{
    const int image = job_image_of(j, output);
    char unfinished[2 * JOB_PATH + 16];
    snprintf(path, JOB_PATH, "%s", j->text.paths[output]);
    if (image < 0)
        return;
    const size_t length = strlen(j->text.paths[image]);
    snprintf(unfinished, sizeof unfinished, "%s.writing", j->text.paths[image]);
    if (!drua_file_is_folder(unfinished))
        return;
    snprintf(unfinished, sizeof unfinished, "%.*s.writing%s", (int)length, path, path + length);
    drua_copy_start(path, unfinished, JOB_PATH);
}

/* Fails if a result's name cannot be the name of a separate file in the output's folder. */
static drua_status check_name(const graph *g, int output)
{
    const char *name = g->outputs[output].name, *fault = drua_file_name_fault(name);
    if (fault)
        return drua_fail(DRUA_E_ARGUMENT,
                         "the result '%.600s' cannot name a file: %s; give it another name in the pipeline", name,
                         fault);
    for (int i = 0; i < output; i++)
        if (drua_file_name_same(g->outputs[i].name, name))
            return drua_fail(
                DRUA_E_ARGUMENT,
                "the results '%.300s' and '%.300s' would be the same file on some systems; give them different names",
                g->outputs[i].name, name);
    return DRUA_OK;
}

static bool is_labels(const job *j, int output)
{
    return j->graphs[0].values[j->outputs[output]].labels;
}

/* Returns the first result that is not a label map, or -1; `count` receives the number of such results. */
static int first_image(const job *j, int *count)
{
    int first = -1;
    *count = 0;
    for (int i = 0; i < j->output_count; i++) {
        if (is_labels(j, i))
            continue;
        first = first < 0 ? i : first;
        ++*count;
    }
    return first;
}

/*
 * Makes the final path of a result. A single one has the output's name, as has the only image among labels if the
 * output ends in .zarr. Labels go into the first image. Other results lie in a folder of the output's name.
 */
static int make_path(const job *j, int output, char path[JOB_PATH - 16])
{
    enum { ROOM = JOB_PATH - 16 };
    int images;
    const int first = first_image(j, &images);
    const char *to = j->text.output, *name = j->graphs[0].outputs[output].name;
    const bool main = images == 1 && drua_text_ends_with(to, ".zarr");
    if (j->output_count == 1)
        return snprintf(path, ROOM, "%s%s", to, job_makes_tiff(j) ? ".zarr" : "");
    if (first < 0 || !is_labels(j, output))
        return main ? snprintf(path, ROOM, "%s", to) : snprintf(path, ROOM, "%s/%s.zarr", to, name);
    if (main)
        return snprintf(path, ROOM, "%s%s%s", to, LABELS, name);
    return snprintf(path, ROOM, "%s/%s.zarr%s%s", to, j->graphs[0].outputs[first].name, LABELS, name);
}

drua_status job_name_outputs(job *j)
{
    block_plan *p = &j->text;
    if (j->output_count == 1)
        DRUA_TRY(drua_image_file_check_name(p->output, DRUA_FILE_TIFF | DRUA_FILE_ZARR));
    if (job_makes_tiff(j) && j->output_count > 1)
        return drua_fail(
            DRUA_E_ARGUMENT,
            "the pipeline has %d results, but a TIFF holds only one; give a folder as output, a name without .tif",
            j->output_count);
    for (p->path_count = 0; p->path_count < j->output_count; p->path_count++) {
        char path[JOB_PATH - 16];
        if (j->output_count > 1)
            DRUA_TRY(check_name(&j->graphs[0], p->path_count));
        if (make_path(j, p->path_count, path) >= (int)sizeof path)
            return drua_fail(DRUA_E_ARGUMENT, "the output's path is too long: it may have at most %d bytes",
                             JOB_PATH - 17);
        if (!(p->paths[p->path_count] = drua_copy_text(path)))
            return drua_fail_memory(sizeof path);
    }
    return DRUA_OK;
}

void label_table_path(const job *j, int table, char path[JOB_PATH])
{
    char number[20] = "";
    const char *output = j->text.output, *point = strrchr(output, '.');
    const size_t length = point && !strchr(point, '/') ? (size_t)(point - output) : strlen(output);
    if (table)
        snprintf(number, sizeof number, "-%d", table + 1);
    if (j->output_count > 1 && !job_has_main_image(j))
        snprintf(path, JOB_PATH, "%.1900s/labels%s.csv", output, number);
    else
        snprintf(path, JOB_PATH, "%.*s%s.csv", (int)(length < 1900 ? length : 1900), output, number);
}

drua_zarr_metadata job_output_metadata(const job *j, int output)
{
    drua_zarr_metadata f = *source_metadata(j->source);
    f.shape = j->shape;
    f.type = j->graphs[0].values[j->outputs[output]].image->type;
    f.channels = j->channels;
    f.frames = j->frames;
    f.labels = is_labels(j, output);
    return f;
}

drua_zarr_options job_output_options(const job *j, int output)
{
    const block_plan *p = &j->text;
    const bool tiff = job_makes_tiff(j);
    drua_zarr_options o = {.version = p->version,
                           .compression = p->compression && *p->compression && !tiff ? p->compression : NULL,
                           .levels = tiff,
                           .replaces = p->replaces,
                           .labels = is_labels(j, output),
                           .inside_image = job_image_of(j, output) >= 0};
    memcpy(o.chunk, p->chunk, sizeof o.chunk);
    memcpy(o.shard, p->shard, sizeof o.shard);
    return o;
}

/* ---- the grid */

void job_set_grid(job *j)
{
    const drua_box all = drua_box_of(j->text.size);
    j->per_image = drua_box_parts(&all, j->text.block);
    j->blocks = j->per_image * j->channels * j->frames;
}

block_place job_block(const job *j, int64_t block)
{
    const drua_box all = drua_box_of(j->text.size);
    const int64_t volume = block / j->per_image;
    return (block_place){volume % j->channels, volume / j->channels,
                         drua_box_part(&all, j->text.block, block % j->per_image),
                         j->graphs ? &j->graphs[j->graph_count > 1 ? volume : 0] : NULL};
}

/* ---- opening and closing */

drua_status job_open_workers(job *j)
{
    if (j->workers)
        return DRUA_OK;
    j->workers = drua_alloc(sizeof *j->workers);
    if (!j->workers)
        return drua_fail_memory(sizeof *j->workers);
    workers_open(j->workers, &j->main, j->planner, j->text.memory, j->devices);
    return DRUA_OK;
}

drua_status job_check_blocks(const job *j, const int64_t extent[3], const int64_t step[3])
{
    if (job_can_count(extent, step, j->channels * j->frames))
        return DRUA_OK;
    return drua_fail(DRUA_E_ARGUMENT,
                     "blocks of %" PRId64 " x %" PRId64 " x %" PRId64
                     " pixels would be more than %d, the limit of a plan; choose larger blocks",
                     step[0], step[1], step[2], JOB_MOST_BLOCKS);
}

void job_set_paths(job *j, const char *path)
{
    snprintf(j->path, JOB_PATH, "%s", path);
    snprintf(j->folder, JOB_PATH, "%.2000s.journal", path);
}

drua_status job_load_text(job *j, const char *path)
{
    *j = (job){.graphs = NULL};
    job_set_paths(j, path);
    DRUA_TRY(block_plan_read(path, &j->text));
    j->channels = j->text.channels;
    j->frames = j->text.frames;
    j->output_count = j->text.path_count;
    job_set_grid(j);
    return DRUA_OK;
}

void job_close(job *j)
{
    if (j->workers)
        workers_close(j->workers);
    drua_free(j->workers);
    for (int64_t i = 0; i < j->graph_count; i++)
        graph_free(&j->graphs[i]);
    drua_free(j->graphs);
    evaluator_close(&j->main);
    input_record_close(j->record);
    source_close(j->source);
    block_memory_close(j->memory);
    block_plan_free(&j->text);
    *j = (job){.graphs = NULL};
}
