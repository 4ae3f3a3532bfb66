/* SPDX-License-Identifier: BSD-3-Clause */
#include "places.h"
#include "job_outputs.h"
#include "provenance.h"

#include "error.h"
#include "file.h"
#include "new_file.h"
#include "store.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

/* ---- inputs */

/* Suffixes of an image in chunks while it is written, and of the image that it replaces. */
static const char *const endings[] = {"", ".writing", ".old.writing", NULL};

static drua_status keep_apart(const char *output, const char *read, const char *what)
{
    char name[JOB_PATH + 16];
    const int length = (int)drua_path_length(output); /* the folder of "out/" is "out.writing" */
    for (int i = 0; endings[i]; i++) {
        snprintf(name, sizeof name, "%.*s%s", length, output, endings[i]);
        if (drua_file_is_inside(read, name))
            return drua_fail(DRUA_E_ARGUMENT,
                             "the output '%.600s' would replace %s '%.600s', which is the same file or folder, or lies "
                             "inside it; use another output",
                             output, what, read);
        if (drua_file_is_inside(name, read))
            return drua_fail(DRUA_E_ARGUMENT, "the output '%.600s' lies inside %s '%.600s'; use another output", output,
                             what, read);
    }
    return DRUA_OK;
}

/* ---- existing files */

static bool no_name(const char *name)
{
    (void)name;
    return false;
}

/* Fails if the path leads nowhere now, but would exist if a disk were mounted. */
static drua_status require_path(const char *path)
{
    drua_file_info info;
    return drua_file_find(path, &info) != DRUA_FILE_AWAY
               ? DRUA_OK
               : drua_fail(DRUA_E_AWAY,
                           "the disk of '%.600s' does not respond, or a symbolic link in its path is broken; mount the "
                           "disk, or use another output",
                           path);
}

static bool is_empty_folder_or_absent(const char *path)
{
    char name[256];
    drua_file_info info;
    return !drua_file_stat(path, &info) || (info.is_folder && !drua_file_find_unknown(path, no_name, name));
}

static drua_status refuse_existing(const char *path)
{
    if (is_empty_folder_or_absent(path))
        return DRUA_OK;
    return drua_fail(
        DRUA_E_ARGUMENT,
        "'%.600s' already exists, and this plan did not begin it; use another output, or replace it with --overwrite",
        path);
}

/* Fails if the path is a link, or if something exists there that a file must not replace. */
static drua_status require_file(const char *path)
{
    DRUA_TRY(require_path(path));
    if (drua_file_is_link(path))
        return drua_fail(DRUA_E_ARGUMENT,
                         "'%.600s' is a link, which Drua does not replace; use the path of the file that it leads to",
                         path);
    return drua_new_file_may_replace(path);
}

static bool has_begun(const char *plan, const char *output)
{
    block_plan before;
    if (!drua_file_is_ordinary(plan) || block_plan_read(plan, &before) != DRUA_OK)
        return false;
    const bool same = !strcmp(before.output, output);
    block_plan_free(&before);
    return same;
}

/*
 * Fails if the plan cannot be written, or if a file exists that is not a plan of this version, unless the request
 * replaces it. A missing folder is made later.
 */
static drua_status refuse_existing_plan(const drua_blocks_request *r, const char *plan)
{
    block_plan before;
    char folder[JOB_PATH];
    const char *slash = strrchr(plan, '/');
    DRUA_TRY(require_file(plan));
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - plan) + 1 : 1, slash ? plan : ".");
    DRUA_TRY(drua_file_is_folder(folder) ? drua_new_file_check(plan) : DRUA_OK);
    if (!drua_file_is_ordinary(plan) || r->anew || r->overwrite)
        return DRUA_OK;
    if (block_plan_read(plan, &before) != DRUA_OK)
        return drua_fail(
            DRUA_E_ARGUMENT,
            "'%.600s' already exists and is not a plan that Drua can read; give the plan another name, or "
            "replace the file with --overwrite",
            plan);
    block_plan_free(&before);
    return DRUA_OK;
}

/* ---- names */

/* Fails if the suffixes of temporary files would make the output's name longer than the 255 bytes of most disks. */
static drua_status check_length(const char *output)
{
    enum { LIMIT = 200 };
    const char *slash = strrchr(output, '/'), *name = slash ? slash + 1 : output;
    return strlen(name) <= LIMIT ? DRUA_OK
                                 : drua_fail(DRUA_E_ARGUMENT,
                                             "the name of the output '%.600s' has more than %d bytes; choose a shorter "
                                             "one",
                                             name, LIMIT);
}

/* ---- all checks */

drua_status places_check_request(const drua_blocks_request *r, const char *plan)
{
    const char *const outputs[] = {r->output, plan};
    const size_t length = strlen(r->output);
    const bool named = job_is_tiff(r->output) || drua_text_has_extension(r->output, ".zarr") ||
                       drua_text_has_extension(r->output, ".ozx");
    if (!*r->input || !*r->output || length > JOB_PATH - 64)
        return drua_fail(DRUA_E_ARGUMENT, "give an input and an output, with paths of at most %d bytes", JOB_PATH - 64);
    if (drua_store_is_remote(r->output))
        return drua_fail(DRUA_E_ARGUMENT, "the output is an address; Drua writes only to this computer");
    DRUA_TRY(check_length(r->output));
    for (int i = 0; i < 2; i++) {
        DRUA_TRY(keep_apart(outputs[i], r->input, "the input"));
        for (int k = 0; k < r->input_count; k++) {
            const char *between = strchr(r->inputs[k], '=');
            DRUA_TRY(between ? keep_apart(outputs[i], between + 1, "the input") : DRUA_OK);
        }
        if (drua_file_is_ordinary(r->pipeline))
            DRUA_TRY(keep_apart(outputs[i], r->pipeline, "the pipeline"));
    }
    DRUA_TRY(refuse_existing_plan(r, plan));
    if (job_is_tiff(r->output))
        DRUA_TRY(require_file(r->output));
    if (named && drua_file_is_inside(plan, r->output))
        return drua_fail(DRUA_E_ARGUMENT, "the plan '%.600s' lies in the output '%.600s'; choose another folder for it",
                         plan, r->output);
    DRUA_TRY(require_path(r->output));
    return !named || r->overwrite || has_begun(plan, r->output) ? DRUA_OK : refuse_existing(r->output);
}

/* Fails if finishing the plan would replace the plan itself by an output or a table. */
static drua_status keep_plan(const job *j, const char *path)
{
    char name[JOB_PATH + 16];
    bool lost = false;
    for (int i = 0; endings[i] && !lost; i++) {
        snprintf(name, sizeof name, "%s%s", path, endings[i]);
        lost = drua_file_is_inside(j->path, name);
    }
    return lost ? drua_fail(DRUA_E_ARGUMENT,
                            "the plan '%.600s' lies in '%.600s', which it makes; choose another folder for the plan",
                            j->path, path)
                : DRUA_OK;
}

/* Fails if the output would replace one of several files of an input. */
static drua_status keep_parts(const char *output, const block_source *source)
{
    const char *file;
    for (int64_t i = 0; source && (file = source_file(source, i)); i++)
        DRUA_TRY(keep_apart(output, file, "a file of the input,"));
    return DRUA_OK;
}

static drua_status keep_file(void *output, const char *path)
{
    return keep_apart(output, path, "a file that the pipeline reads,");
}

/* An output that this plan has made may be replaced when the plan is made again. */
static drua_status check_output(job *j, char *path, bool begun)
{
    DRUA_TRY(keep_apart(path, j->text.input, "the input"));
    DRUA_TRY(keep_parts(path, j->source));
    for (int i = 0; i < j->text.input_count; i++)
        DRUA_TRY(keep_parts(path, j->named[i].source));
    DRUA_TRY(keep_plan(j, path));
    if (j->pipeline && drua_file_is_ordinary(j->pipeline))
        DRUA_TRY(keep_apart(path, j->pipeline, "the pipeline"));
    DRUA_TRY(script_visit_files(j->text.macro, keep_file, path));
    DRUA_TRY(require_path(path));
    if (j->text.replaces || is_empty_folder_or_absent(path))
        return DRUA_OK;
    j->text.replaces = begun;
    return begun ? DRUA_OK : refuse_existing(path);
}

drua_status places_check_job(job *j)
{
    char path[JOB_PATH];
    const bool begun = has_begun(j->path, j->text.output);
    if (job_makes_tiff(j))
        DRUA_TRY(check_output(j, j->text.output, begun));
    for (int i = 0; i < j->output_count; i++) {
        job_output_path(j, i, path);
        DRUA_TRY(check_output(j, path, begun));
    }
    for (int i = 0; i < j->text.table_count; i++) {
        label_table_path(j, i, path);
        DRUA_TRY(require_file(path));
        DRUA_TRY(check_output(j, path, begun));
    }
    if (j->text.writes_provenance && job_makes_tiff(j)) {
        char file[JOB_PATH + 8];
        provenance_path(j, file);
        DRUA_TRY(require_file(file));
        DRUA_TRY(check_output(j, file, begun));
    }
    return DRUA_OK;
}

/* ---- the page about progress */

static drua_status keep_page_outside(const char *page, const char *path)
{
    char name[JOB_PATH + 16];
    const int length = (int)drua_path_length(path);
    for (int i = 0; *path && endings[i]; i++) {
        snprintf(name, sizeof name, "%.*s%s", length, path, endings[i]);
        if (drua_file_is_inside(page, name))
            return drua_fail(
                DRUA_E_ARGUMENT,
                "the page '%.600s' lies in '%.600s', which the plan reads or writes; choose another folder "
                "for the page",
                page, name);
    }
    return DRUA_OK;
}

drua_status places_check_page(const job *j, const char *page)
{
    char path[JOB_PATH + 8];
    DRUA_TRY(keep_page_outside(page, j->path));
    DRUA_TRY(keep_page_outside(page, j->folder));
    DRUA_TRY(keep_page_outside(page, j->text.input));
    DRUA_TRY(keep_page_outside(page, j->text.output));
    for (int i = 0; i < j->text.input_count; i++)
        DRUA_TRY(keep_page_outside(page, j->text.inputs[i].path));
    for (int i = 0; i < j->output_count; i++) {
        job_output_path(j, i, path);
        DRUA_TRY(keep_page_outside(page, path));
    }
    for (int i = 0; i < j->text.table_count; i++) {
        label_table_path(j, i, path);
        DRUA_TRY(keep_page_outside(page, path));
    }
    provenance_path(j, path);
    return j->text.writes_provenance ? keep_page_outside(page, path) : DRUA_OK;
}
