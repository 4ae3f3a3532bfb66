/* SPDX-License-Identifier: BSD-3-Clause */
#include "job.h"

#include "alloc.h"
#include "workers.h"
#include "device.h"
#include "file.h"
#include "host_memory.h"
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

/* Share of a device's memory for blocks; the rest is for the memory pool and for rows padded to whole vectors. */
static const double POOL = 0.8;

block_limits job_limits(const job *j)
{
    if (j->text.limits.device)
        return j->text.limits;
    const drua_device_info *info = drua_device_get_info(j->main.device);
    block_limits l = {.device = (uint64_t)(POOL * (double)drua_device_statistics(j->main.device)->budget_bytes),
                      .buffer = (uint64_t)(POOL * (double)info->largest_allocation),
                      .host = job_host_limit(j)};
    for (int axis = 0; axis < 3; axis++)
        l.file[axis] = 1;
    return l;
}

uint64_t job_other_memory(const job *j)
{
    uint64_t bytes = 0;
    return j->text.memory && job_parse_size(j->text.memory, &bytes) &&
                   bytes > drua_device_get_info(j->main.device)->global_memory
               ? bytes
               : 0;
}

block_limits job_planned_limits(const job *j)
{
    block_limits l = job_limits(j);
    const uint64_t other = job_other_memory(j), min = other / 4; /* what OpenCL allows at least in one allocation */
    if (!other || j->text.limits.device)
        return l;
    l.device = (uint64_t)(POOL * (double)other);
    l.buffer = l.buffer > (uint64_t)(POOL * (double)min) ? l.buffer : (uint64_t)(POOL * (double)min);
    return l;
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

bool job_has_plan(const job *j)
{
    return !j->anew && drua_file_is_ordinary(j->path);
}

drua_status job_open_image(const job *j, const char *path, const char *series, int level, size_t keep,
                           block_source **source)
{
    drua_file_info info;
    const drua_status status = source_open(path, series, level, keep, source);
    char why[1024];
    if (status != DRUA_E_ARGUMENT || !(j->was_open || job_has_plan(j)))
        return status;
    if (!drua_file_stat(path, &info))
        return drua_fail(
            DRUA_E_AWAY,
            "the input '%.600s' of the plan is missing; make it accessible, then run the same command again", path);
    snprintf(why, sizeof why, "%s", drua_error_text());
    return drua_fail(DRUA_E_AWAY,
                     "the input '%.600s' cannot be read as when its plan was made: %.800s. Restore the input, then run "
                     "the same command again",
                     path, why);
}

drua_status job_choose_box(const job *j, block_source *source)
{
    return source_choose_box(source, j->text.origin, j->text.extent);
}

drua_status job_choose_frames(const job *j, block_source *source)
{
    const block_plan *p = &j->text;
    return p->first_frame ? source_choose_frames(source, p->first_frame - 1, p->last_frame - p->first_frame + 1)
                          : DRUA_OK;
}

block_sources job_sources(const job *j)
{
    block_sources sources = {{j->source}};
    for (int i = 0; i < j->text.input_count; i++)
        sources.image[i + 1] = j->named[i].source;
    return sources;
}

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
                     step[0], step[1], step[2], JOB_MAX_BLOCKS);
}

void job_set_paths(job *j, const char *path)
{
    snprintf(j->path, JOB_PATH, "%s", path);
    drua_path_shorten(j->path);
    snprintf(j->folder, JOB_PATH, "%.2000s.journal", j->path);
}

drua_status job_load_text(job *j, const char *path)
{
    *j = (job){.graphs = NULL};
    job_set_paths(j, path);
    DRUA_TRY(block_plan_read(j->path, &j->text));
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
    for (int i = 0; i < GRAPH_NAMED; i++) {
        input_record_close(j->named[i].record);
        source_close(j->named[i].source);
    }
    input_record_close(j->record);
    source_close(j->source);
    block_memory_close(j->memory);
    block_plan_free(&j->text);
    drua_text_free(&j->costs);
    *j = (job){.graphs = NULL};
}
