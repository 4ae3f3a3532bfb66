/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Processes a whole image: plan, run, finish. The plan stays beside the output until everything is done, so that the
 * same call resumes after an interruption.
 */
#include <drua/drua.h>

#include "process_plate.h"
#include "block_settings.h"
#include "job.h"
#include "remove_plan.h"

#include "alloc.h"
#include "lock_file.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { ROOM = 64 }; /* for the suffix that makes the journal's path from the plan's path */

static drua_status report_plan(const char *report, drua_blocks_watch watch, void *payload)
{
    const drua_blocks_progress progress = {.what = "blocks", .limit = "read", .plan = report};
    return !watch || watch(payload, &progress)
               ? DRUA_OK
               : drua_fail(DRUA_E_CANCELLED, "stopped before the first block; run the same command again");
}

static drua_status make_plan(const drua_blocks_request *request, const char *devices, const char *path,
                             drua_blocks_watch watch, void *payload)
{
    drua_text report = {0};
    drua_blocks_request watched = *request;
    watched.devices = devices;
    watched.share = false;
    watched.watch = watch;
    watched.payload = payload;
    drua_status status = drua_blocks_plan(&watched, path, &report);
    if (status == DRUA_OK && (status = report_plan(drua_text_characters(&report), watch, payload)) != DRUA_OK)
        drua_blocks_withdraw(path);
    drua_text_free(&report);
    return status;
}

drua_status drua_blocks_process(const drua_blocks_request *request, const drua_blocks_share *share,
                                drua_blocks_watch watch, void *payload)
{
    plate p;
    drua_blocks_request r = *request;
    char *output = drua_copy_text(request->output);
    if (!output)
        return drua_fail_memory(strlen(request->output));
    drua_path_shorten(output);
    r.output = output;
    drua_status status = plate_read(request->input, &p);
    if (status == DRUA_OK)
        status = p.about ? process_plate(&p, &r, share, watch, payload) : process_image(&r, share, watch, payload);
    plate_free(&p);
    drua_free(output);
    return status;
}

static drua_status plan_and_run(const drua_blocks_request *request, const drua_blocks_share *share, const char *path,
                                drua_blocks_watch watch, void *payload)
{
    DRUA_TRY(make_plan(request, share->devices, path, watch, payload));
    DRUA_TRY(drua_blocks_run(path, share, watch, payload));
    DRUA_TRY(drua_blocks_finish(path, true, watch, payload));
    drua_blocks_forget(path);
    return DRUA_OK;
}

/*
 * Waits until no other process makes the same output; it could remove the plan while this one still needs it. Where
 * locks are impossible, such processes share the blocks.
 */
static drua_status take_turn(drua_lock_file *lock, const char *output, const char *plan, drua_blocks_watch watch,
                             void *payload)
{
    char path[JOB_PATH], line[JOB_PATH];
    snprintf(path, sizeof path, "%s.lock", plan);
    snprintf(line, sizeof line, "another process writes '%.600s'; waiting until it ends", output);
    drua_blocks_progress progress = {.what = "blocks", .limit = "read", .line = line};
    for (; drua_lock_file_try(lock, path) == DRUA_LOCK_FILE_BUSY; progress.line = NULL) {
        if (watch && !watch(payload, &progress))
            return drua_fail(DRUA_E_CANCELLED,
                             "stopped while another process wrote '%.600s'; run the same command again", output);
        nanosleep(&(struct timespec){0, 200000000}, NULL);
    }
    return DRUA_OK;
}

drua_status process_image(const drua_blocks_request *request, const drua_blocks_share *share, drua_blocks_watch watch,
                          void *payload)
{
    char path[JOB_PATH - ROOM];
    const size_t length = drua_path_length(request->output); /* the plan of "out/" lies beside the folder */
    if (snprintf(path, sizeof path, "%.*s.plan.json", (int)(length < sizeof path ? length : sizeof path),
                 request->output) >= (int)sizeof path)
        return drua_fail(DRUA_E_ARGUMENT, "the output's path '%.100s...' has more than %d bytes; choose a shorter one",
                         request->output, JOB_PATH - 2 * ROOM);
    drua_lock_file lock;
    DRUA_TRY(take_turn(&lock, request->output, path, watch, payload));
    const drua_status status = plan_and_run(request, share, path, watch, payload);
    drua_lock_file_end(&lock);
    return status;
}

/* ---- the public function */

/* The caller's callback in the types of the public interface. */
typedef struct listener {
    drua_process_watch watch;
    void *payload;
} listener;

static bool pass_on(void *payload, const drua_blocks_progress *p)
{
    const listener *l = payload;
    const drua_process_progress progress = {.what = p->what,
                                            .done = p->done + p->failed,
                                            .all = p->blocks,
                                            .left = p->left,
                                            .plan = p->plan,
                                            .line = p->line};
    return !l->watch || l->watch(l->payload, &progress);
}

/* Fails if a setting is given twice, except for channels and further inputs. */
static drua_status check_repetitions(const char *settings)
{
    setting s, later;
    while (setting_next(&settings, &s)) {
        const bool may = (s.name_length == 7 && !strncmp(s.name, "channel", 7)) ||
                         (s.name_length == 5 && !strncmp(s.name, "input", 5));
        for (const char *rest = settings; !may && setting_next(&rest, &later);)
            if (later.name_length == s.name_length && !strncmp(later.name, s.name, s.name_length))
                return drua_fail(DRUA_E_ARGUMENT, "settings: %.*s is given twice; give it once", (int)s.name_length,
                                 s.name);
    }
    return DRUA_OK;
}

/* Splits the text into settings in place; the request points into the text. */
static drua_status take_settings(char *settings, drua_blocks_request *request, drua_blocks_share *share)
{
    const char *at = settings;
    setting s;
    DRUA_TRY(check_repetitions(settings));
    while (setting_next(&at, &s)) {
        char *name = settings + (s.name - settings), *value = s.value ? settings + (s.value - settings) : NULL;
        char *end = value ? value + s.length : name + s.name_length;
        at += at == end && *end;
        *end = 0;
        name[s.name_length] = 0;
        if (!drua_blocks_set(request, share, name, value))
            return drua_fail(DRUA_E_ARGUMENT,
                             "settings: unknown setting or value '%.60s%s%.200s'; use memory=8GB, host_memory=8GB, "
                             "devices=all, device=NAME, block=X,Y,Z, chunk=X,Y,Z, shard=X,Y,Z, compression=NAME, "
                             "zarr=0.4 or 0.5, series=NAME, level=N, origin=X,Y,Z, size=X,Y,Z, frames=A-B, margin=N, "
                             "channel=NAME=CHANNEL, input=NAME=FILE, labels=yes or no, store=yes or no, anew, "
                             "overwrite, provenance",
                             name, value ? "=" : "", value ? value : "");
    }
    return DRUA_OK;
}

drua_status drua_process_file(const char *pipeline, const char *input, const char *output, const char *settings,
                              drua_process_watch watch, void *payload)
{
    drua_blocks_request request = {.pipeline = pipeline, .input = input, .output = output};
    drua_blocks_share share = {.devices = NULL};
    listener l = {watch, payload};
    DRUA_TRY(drua_device_check_fork());
    char *text = drua_copy_text(settings ? settings : "");
    if (!text)
        return drua_fail_memory(1);
    drua_status status = take_settings(text, &request, &share);
    if (status == DRUA_OK)
        status = drua_blocks_process(&request, &share, pass_on, &l);
    drua_free(text);
    return status;
}
