/* SPDX-License-Identifier: BSD-3-Clause */
#include "process_plate.h"
#include "graph.h"
#include "job_outputs.h"
#include "remove_plan.h"

#include "alloc.h"
#include "error.h"
#include "file.h"
#include "image_file.h"
#include "sha256.h"

#include <drua/version.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { ROOM = PLATE_PATH + 3 * PLATE_NAME, TABLES = 8 };

static const char MARK[] = "drua.writing", WRITING[] = ".writing";

typedef struct processing {
    const plate *plate;
    const drua_blocks_request *request;
    const drua_blocks_share *share;
    drua_blocks_watch watch;
    void *payload;
    char folder[ROOM]; /* of the unfinished plate */
    int64_t field; /* the one being processed */
    bool is_reported; /* the plan of a field has been reported */
    int64_t failed;
    drua_status status; /* of the first failed field */
    char sentence[2048];
} processing;

/* Makes the path of a field in a plate; `ending` is appended to its name. */
static void field_path(const char *folder, const plate_field *f, const char *ending, char path[ROOM])
{
    snprintf(path, ROOM, "%.2000s/%s/%s%s", folder, f->well, f->name, ending);
}

/* ---- the unfinished plate */

/* Computes a hash of everything that determines the fields. */
static drua_status hash_request(const processing *s, char hash[DRUA_SHA256_TEXT])
{
    const drua_blocks_request *r = s->request;
    char *macro = NULL;
    drua_text text = {0};
    drua_sha256 sum;
    DRUA_TRY(drua_file_is_ordinary(r->pipeline) ? script_read(r->pipeline, &macro)
                                                : graph_macro_of(r->pipeline, &macro));
    drua_text_add(&text, "%s\n%s\n%s\n%s\n%s\n%d %d %d frames %" PRId64 " %" PRId64, DRUA_VERSION, macro, r->input,
                  r->compression ? r->compression : "", r->series ? r->series : "", r->version, r->level,
                  (int)r->labels, r->first_frame, r->last_frame);
    for (int i = 0; i < 3; i++)
        drua_text_add(&text, " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64, r->chunk[i], r->shard[i], r->origin[i],
                      r->size[i]);
    for (int i = 0; i < r->channel_count; i++)
        drua_text_add(&text, "\nchannel %s", r->channels[i]);
    for (int i = 0; i < r->input_count; i++)
        drua_text_add(&text, "\ninput %s", r->inputs[i]);
    drua_free(macro);
    drua_sha256_begin(&sum);
    drua_sha256_add_text(&sum, drua_text_characters(&text));
    drua_sha256_end(&sum, hash);
    const drua_status status = text.failed ? drua_fail_memory(text.length) : DRUA_OK;
    drua_text_free(&text);
    return status;
}

static void discard_fields(const processing *s)
{
    char path[ROOM], plan[ROOM + 16];
    for (int64_t i = 0; i < s->plate->count; i++) {
        field_path(s->folder, &s->plate->fields[i], "", path);
        drua_zarr_remove(path);
        field_path(s->folder, &s->plate->fields[i], ".zarr", path);
        drua_zarr_discard(path);
        drua_zarr_remove(path);
        snprintf(plan, sizeof plan, "%s.plan.json", path);
        drua_blocks_forget(plan);
    }
}

/* Begins the folder, or resumes one that the same call has begun. */
static drua_status begin_folder(const processing *s)
{
    char mark[ROOM + 16], hash[DRUA_SHA256_TEXT];
    drua_bytes before = {0};
    drua_file_info info;
    snprintf(mark, sizeof mark, "%s/%s", s->folder, MARK);
    DRUA_TRY(hash_request(s, hash));
    const bool begun = drua_file_stat(s->folder, &info);
    const bool same = drua_file_part(mark, 0, sizeof hash, &before, NULL) == DRUA_FILE_PRESENT &&
                      before.length == sizeof hash - 1 && !memcmp(before.data, hash, sizeof hash - 1);
    const bool ours = before.length == sizeof hash - 1;
    drua_free(before.data);
    if (same && !s->request->anew)
        return DRUA_OK;
    if (begun && !(ours && s->request->anew))
        return drua_fail(DRUA_E_ARGUMENT, "'%.600s' has fields of another run; %s", s->folder,
                         ours ? "finish that run, use another output, or discard its fields with --anew"
                              : "use another output");
    if (begun)
        discard_fields(s);
    errno = 0;
    return drua_file_make_shared_folder(s->folder) && drua_file_replace_by(s->folder, mark, hash, sizeof hash - 1)
               ? DRUA_OK
               : drua_fail(DRUA_E_ARGUMENT, "'%.600s' cannot be written: %s; check the disk space", s->folder,
                           strerror(errno));
}

/* ---- fields */

/* Passes progress on. Only the first field's plan is reported, because the others are alike. */
static bool pass_on(void *payload, const drua_blocks_progress *p)
{
    processing *s = payload;
    drua_blocks_progress own = *p;
    own.plan = s->is_reported ? NULL : p->plan;
    s->is_reported |= p->plan != NULL;
    return !s->watch || s->watch(s->payload, &own);
}

static bool report_field(processing *s)
{
    const plate_field *f = &s->plate->fields[s->field];
    char line[3 * PLATE_NAME + 64];
    snprintf(line, sizeof line, "field %s/%s, %" PRId64 " of %" PRId64, f->well, f->name, s->field + 1,
             s->plate->count);
    const drua_blocks_progress progress = {.what = "fields", .limit = "read", .line = line};
    return !s->watch || s->watch(s->payload, &progress);
}

/* Returns whether a failure of a field would also stop the others: a retry may succeed. */
static bool stops_plate(drua_status status)
{
    return status == DRUA_E_DEVICE || status == DRUA_E_NO_DEVICE || status == DRUA_E_MEMORY ||
           status == DRUA_E_CANCELLED || status == DRUA_E_AWAY;
}

/* A field has its name without ".zarr" when it is complete. */
static drua_status process_field(processing *s)
{
    const plate_field *f = &s->plate->fields[s->field];
    char input[ROOM], growing[ROOM], done[ROOM], well[ROOM];
    drua_blocks_request r = *s->request;
    field_path(r.input, f, "", input);
    field_path(s->folder, f, ".zarr", growing);
    field_path(s->folder, f, "", done);
    snprintf(well, sizeof well, "%.2000s/%s", s->folder, f->well);
    if (drua_file_is_folder(done))
        return DRUA_OK;
    if (!report_field(s))
        return drua_fail(DRUA_E_CANCELLED, "stopped before the field %s/%s; run the same command again", f->well,
                         f->name);
    r.input = input;
    r.output = growing;
    r.one_image = true;
    r.anew = false;
    if (!drua_file_make_shared_folder(well))
        return drua_fail(DRUA_E_ARGUMENT, "the folder '%.600s' cannot be created; check the disk space", well);
    if (!drua_file_is_folder(growing)) /* otherwise it was complete when the last run was interrupted */
        DRUA_TRY(process_image(&r, s->share, pass_on, s));
    errno = 0;
    return drua_file_move(growing, done)
               ? DRUA_OK
               : drua_fail(
                     DRUA_E_ARGUMENT,
                     "'%.600s' cannot be renamed to its final name: %s; check whether the folder is write-protected",
                     growing, strerror(errno));
}

/* Processes a field. *absent: it failed because the plate lacks the field, which does not stop the others. */
static drua_status try_field(processing *s, bool *absent)
{
    char input[ROOM], sentence[sizeof s->sentence];
    const drua_status status = process_field(s);
    *absent = false;
    if (status != DRUA_E_ARGUMENT && status != DRUA_E_AWAY)
        return status;
    snprintf(sentence, sizeof sentence, "%s", drua_error_text());
    field_path(s->request->input, &s->plate->fields[s->field], "", input);
    *absent = !plate_has_field(s->request->input, input);
    return *absent ? drua_fail(DRUA_E_AWAY,
                               "its folder '%.600s' is missing, but the well lists the field; make it accessible, then "
                               "run the same command again",
                               input)
                   : drua_fail(status, "%s", sentence);
}

static drua_status process_fields(processing *s)
{
    for (s->field = 0; s->field < s->plate->count; s->field++) {
        char sentence[sizeof s->sentence];
        bool absent;
        const drua_status status = try_field(s, &absent);
        if (stops_plate(status) && !absent)
            return status;
        if (status == DRUA_OK)
            continue;
        snprintf(sentence, sizeof sentence, "field %s/%s: %.1700s", s->plate->fields[s->field].well,
                 s->plate->fields[s->field].name, drua_error_text());
        DRUA_TRY(plate_check(s->request->input));
        if (!s->failed++ || (s->status == DRUA_E_AWAY && !absent)) { /* damage comes before absence */
            s->status = status;
            memcpy(s->sentence, sentence, sizeof sentence);
        }
    }
    return s->failed ? drua_fail(s->status, "%s (%" PRId64 " of %" PRId64 " fields failed)", s->sentence, s->failed,
                                 s->plate->count)
                     : DRUA_OK;
}

/* ---- tables */

/* The path of a field's table, and of the joined one; tables count from 0. */
static void table_paths(const processing *s, int64_t field, int table, char part[ROOM + 16], char all[ROOM + 16])
{
    const plate_field *f = &s->plate->fields[field];
    const char *output = s->request->output;
    char number[16] = "";
    if (table)
        snprintf(number, sizeof number, "-%d", table + 1);
    snprintf(part, ROOM + 16, "%.2000s/%s/%s%s.csv", s->folder, f->well, f->name, number);
    snprintf(all, ROOM + 16, "%.*s%s.csv", (int)(strlen(output) - strlen(".zarr")), output, number);
}

/* Adds the rows of a field's table; the first one also gives the headings. */
static drua_status add_rows(const plate_field *f, const char *path, bool first, drua_text *text)
{
    drua_bytes bytes = {0};
    if (drua_file_part(path, 0, SIZE_MAX / 4, &bytes, NULL) != DRUA_FILE_PRESENT)
        return drua_fail(DRUA_E_AWAY,
                         "the table '%.600s' is missing; make it accessible, then run the same command again", path);
    const char *at = (const char *)bytes.data, *end = at + bytes.length;
    for (bool heading = true; at < end; heading = false) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        const size_t length = stop ? (size_t)(stop - at) : (size_t)(end - at);
        if (heading && first)
            drua_text_add(text, "WELL,FIELD,");
        else if (!heading)
            drua_text_add(text, "%s,%s,", f->well, f->name);
        if (!heading || first) {
            drua_text_append(text, at, length);
            drua_text_add(text, "\n");
        }
        at += length + 1;
    }
    drua_free(bytes.data);
    return DRUA_OK;
}

static drua_status join_table(const processing *s, int table)
{
    char part[ROOM + 16], all[ROOM + 16];
    drua_text text = {0};
    drua_status status = DRUA_OK;
    for (int64_t i = 0; i < s->plate->count && status == DRUA_OK; i++) {
        table_paths(s, i, table, part, all);
        status = add_rows(&s->plate->fields[i], part, i == 0, &text);
    }
    if (status == DRUA_OK)
        return job_write_new(all, s->folder, s->request->overwrite, &text);
    drua_text_free(&text);
    return status;
}

/* Joins each table that any field has. */
static drua_status join_tables(const processing *s)
{
    char part[ROOM + 16], all[ROOM + 16];
    for (int table = 0; table < TABLES; table++) {
        bool any = false;
        for (int64_t i = 0; i < s->plate->count; i++) {
            table_paths(s, i, table, part, all);
            any |= drua_file_is_ordinary(part);
        }
        if (any)
            DRUA_TRY(join_table(s, table));
    }
    return DRUA_OK;
}

/* Removes the tables of fields, which are in the joined ones. */
static void remove_tables(processing *s)
{
    char part[ROOM + 16], all[ROOM + 16];
    snprintf(s->folder, sizeof s->folder, "%.2000s", s->request->output);
    for (int table = 0; table < TABLES; table++)
        for (int64_t i = 0; i < s->plate->count; i++) {
            table_paths(s, i, table, part, all);
            drua_file_remove(part);
        }
}

/* ---- the plate */

/* A joined table beside an unfinished plate may be that of an interrupted run, and is compared with the new one. */
static drua_status check_outputs(const processing *s)
{
    const drua_blocks_request *r = s->request;
    const bool is_new = !r->overwrite && !drua_file_is_folder(s->folder);
    char part[ROOM + 16], path[ROOM + 16];
    drua_file_info info;
    snprintf(path, sizeof path, "%.2000s", r->output);
    bool taken = drua_file_stat(path, &info);
    for (int table = 0; is_new && !taken && table < TABLES; table++) {
        table_paths(s, 0, table, part, path);
        taken = drua_file_stat(path, &info);
    }
    return taken ? drua_fail(DRUA_E_ARGUMENT, "'%.600s' already exists; remove it, or use another output", path)
                 : DRUA_OK;
}

static drua_status check_request(const processing *s)
{
    const drua_blocks_request *r = s->request;
    if (!drua_text_has_extension(r->output, ".zarr") || strlen(r->output) > PLATE_PATH - 64)
        return drua_fail(DRUA_E_ARGUMENT, "the result of a plate is a plate, so the output needs the extension .zarr");
    if (drua_file_is_inside(r->output, r->input) || drua_file_is_inside(r->input, r->output))
        return drua_fail(DRUA_E_ARGUMENT,
                         "the output '%.600s' and the plate '%.600s' must not contain each other; choose "
                         "another output",
                         r->output, r->input);
    return check_outputs(s);
}

static drua_status finish_plate(processing *s)
{
    const drua_blocks_request *r = s->request;
    char mark[ROOM + 16];
    DRUA_TRY(plate_write(s->plate, r->input, s->folder, r->version));
    DRUA_TRY(join_tables(s));
    errno = 0;
    if (!drua_file_move(s->folder, r->output))
        return drua_fail(
            DRUA_E_ARGUMENT,
            "'%.600s' cannot be renamed to its final name: %s; check whether the folder is write-protected", s->folder,
            strerror(errno));
    snprintf(mark, sizeof mark, "%.2000s/%s", r->output, MARK);
    drua_file_remove(mark);
    remove_tables(s);
    return DRUA_OK;
}

drua_status process_plate(const plate *p, const drua_blocks_request *request, const drua_blocks_share *share,
                          drua_blocks_watch watch, void *payload)
{
    processing s = {.plate = p, .request = request, .share = share, .watch = watch, .payload = payload};
    snprintf(s.folder, sizeof s.folder, "%.2000s%s", request->output, WRITING);
    DRUA_TRY(check_request(&s));
    DRUA_TRY(begin_folder(&s));
    DRUA_TRY(process_fields(&s));
    return finish_plate(&s);
}
