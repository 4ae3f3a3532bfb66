/* SPDX-License-Identifier: BSD-3-Clause */
/* Paths and metadata of the results of a plan. */
#include "job_outputs.h"

#include "alloc.h"
#include "error.h"
#include "file.h"
#include "file_name.h"
#include "image_file.h"
#include "new_file.h"
#include "quote.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

bool job_is_tiff(const char *output)
{
    return drua_text_has_extension(output, ".tif") || drua_text_has_extension(output, ".tiff") ||
           drua_text_has_extension(output, ".btf");
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
 * Makes the final path of a result. A single result has the output's name. So has the only image among labels if the
 * output has the extension .zarr. Labels go into the first image. Other results lie in a folder of the output's name.
 */
static int make_path(const job *j, int output, char path[JOB_PATH - 16])
{
    enum { ROOM = JOB_PATH - 16 };
    int images;
    const int first = first_image(j, &images);
    const char *to = j->text.output, *name = j->graphs[0].outputs[output].name;
    const bool main = images == 1 && drua_text_has_extension(to, ".zarr");
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
    int images;
    first_image(j, &images);
    if (p->one_image && images > 1)
        return drua_fail(DRUA_E_ARGUMENT,
                         "the pipeline has %d images as results, but a field of a plate can hold only one image and "
                         "its labels; pull one image",
                         images);
    if ((job_makes_tiff(j) || drua_text_has_extension(p->output, ".ozx")) && j->output_count > 1)
        return drua_fail(DRUA_E_ARGUMENT,
                         "the pipeline has %d results, but a TIFF or .ozx holds only one; use a folder as output, a "
                         "name without .tif or .ozx",
                         j->output_count);
    for (p->path_count = 0; p->path_count < j->output_count; p->path_count++) {
        char path[JOB_PATH - 16];
        if (j->output_count > 1)
            DRUA_TRY(check_name(&j->graphs[0], p->path_count));
        if (make_path(j, p->path_count, path) >= (int)sizeof path)
            return drua_fail(DRUA_E_ARGUMENT, "the output's path may have at most %d bytes; choose a shorter path",
                             JOB_PATH - 17);
        if (!(p->paths[p->path_count] = drua_copy_text(path)))
            return drua_fail_memory(sizeof path);
    }
    return DRUA_OK;
}

drua_status job_write_labels_group(const job *j, int image)
{
    char folder[JOB_PATH + 32];
    drua_text names = {0};
    drua_text_add(&names, "\"labels\":[");
    int count = 0;
    for (int i = 0; i < j->output_count; i++)
        if (job_image_of(j, i) == image) {
            drua_text_add(&names, count++ ? "," : "");
            drua_text_add_json(&names, strrchr(j->text.paths[i], '/') + 1);
        }
    drua_text_add(&names, "]");
    snprintf(folder, sizeof folder, "%s.writing/labels", j->text.paths[image]);
    drua_status status = names.failed ? drua_fail_memory(names.length) : DRUA_OK;
    if (status == DRUA_OK && count)
        status = drua_zarr_write_group(folder, j->text.version, drua_text_characters(&names));
    drua_text_free(&names);
    return status;
}

const char *job_output_text(const job *j, int output)
{
    const char *text = j->graphs[0].values[j->outputs[output]].text;
    return text ? text : "";
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
    source_take_scale(job_output_text(j, output), &f);
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
                           .provenance = p->provenance,
                           .inside_image = job_image_of(j, output) >= 0};
    memcpy(o.chunk, p->chunk, sizeof o.chunk);
    memcpy(o.shard, p->shard, sizeof o.shard);
    return o;
}

static bool file_equals(const char *path, const drua_text *text)
{
    drua_bytes bytes = {0};
    const bool same = drua_file_part(path, 0, text->length + 1, &bytes, NULL) == DRUA_FILE_PRESENT &&
                      bytes.length == text->length && !memcmp(bytes.data, text->characters, text->length);
    drua_free(bytes.data);
    return same;
}

drua_status job_write_new(const char *path, const char *folder, bool replaces, drua_text *text)
{
    drua_file_info info;
    drua_status status = text->failed ? drua_fail_memory(text->length) : DRUA_OK;
    if (status == DRUA_OK && !replaces && drua_file_stat(path, &info) && !file_equals(path, text))
        status = drua_fail(DRUA_E_ARGUMENT,
                           "'%.600s' already exists, and this plan did not begin it; move it away, then run the same "
                           "command again",
                           path);
    if (status == DRUA_OK)
        status = drua_new_file_write(path, folder, text->characters, text->length);
    drua_text_free(text);
    return status;
}

drua_status job_write_beside(const job *j, const char *path, drua_text *text)
{
    return job_write_new(path, j->folder, j->text.replaces, text);
}
