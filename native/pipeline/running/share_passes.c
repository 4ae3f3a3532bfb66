/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Computes one process's share of a plan that several processes share. For each channel and frame, recording proceeds
 * until it needs a pass that other processes must still complete. When the whole pipeline can be recorded, this process
 * writes the plan with all numbers, as a single process that measured everything would.
 */
#include "share_passes.h"
#include "make_plan.h"
#include "open_job.h"
#include "plan_status.h"
#include "run_blocks.h"
#include "workers.h"

#include "error.h"

#include <inttypes.h>
#include <string.h>

/* ---- one share */

static drua_status check_share(const job *j, const drua_blocks_share *share)
{
    if (share->pass < 0 || share->pass > j->text.pass_count)
        return drua_fail(DRUA_E_ARGUMENT, "pass %" PRId64 " does not exist; choose a pass from 1 to %d", share->pass,
                         j->text.pass_count);
    if (!share->pass)
        return job_check_share(share, j->blocks);
    const plan_pass *p = &j->text.passes[share->pass - 1];
    const drua_box all = drua_box_of(p->extent);
    return job_check_share(share, drua_box_parts(&all, p->step) * j->channels * j->frames);
}

/* Records the pipeline for all channels and frames. Each process starts with a different one. */
static drua_status record_all(job *j)
{
    script s;
    const int64_t volumes = j->channels * j->frames,
                  first = j->share->parts > 0 ? j->share->part * volumes / j->share->parts : 0;
    drua_status status = script_parse(j->text.macro, &s);
    if (status != DRUA_OK)
        return status;
    for (int64_t i = 0; i < volumes && status == DRUA_OK; i++) {
        graph g;
        j->waits = false;
        status = job_record_volume(j, &s, (first + i) % volumes, &g);
        graph_free(&g);
        status = j->waits ? DRUA_OK : status;
    }
    script_free(&s);
    return status;
}

/*
 * Computes this process's share of the unfinished passes; fails if anything has changed since the plan was made. `all`
 * is set if all passes are done, by any process.
 */
static drua_status do_share(job *j, const char *device, bool *all)
{
    DRUA_TRY(job_open(j, device, PASSES_COUNTED, false));
    DRUA_TRY(check_share(j, j->share));
    DRUA_TRY(job_check_input(j, j->share));
    j->passes = PASSES_SHARED;
    DRUA_TRY(record_all(j));
    *all = !first_due_pass(j);
    return DRUA_OK;
}

/*
 * Writes the plan with all numbers. Other processes may do so at the same time, so it uses the text that was read
 * first.
 */
static drua_status write_complete_plan(job *begun, const char *plan, const char *device)
{
    job j = {.text = begun->text,
             .share = begun->share,
             .devices = begun->devices,
             .watch = begun->watch,
             .payload = begun->payload};
    begun->text = (block_plan){.macro = NULL};
    job_set_paths(&j, plan);
    block_plan_reduce_to_request(&j.text);
    drua_status status = job_open(&j, device, PASSES_SHARED, true);
    if (status == DRUA_OK)
        status = job_choose_blocks(&j);
    if (status == DRUA_OK)
        status = block_plan_write(&j);
    job_close(&j);
    return status;
}

drua_status passes_share(const char *plan, const drua_blocks_share *share, drua_blocks_watch watch, void *payload,
                         bool *more)
{
    job j;
    char device[256];
    bool all = true;
    drua_status status = job_load_text(&j, plan);
    j.share = share;
    j.devices = share->devices;
    j.watch = watch;
    j.payload = payload;
    if (status == DRUA_OK && j.text.pass_count) {
        first_device(share->devices, device, sizeof device);
        status = do_share(&j, device, &all);
        if (status == DRUA_OK && all)
            status = write_complete_plan(&j, plan, device);
    }
    job_close(&j);
    *more = all && !share->pass;
    return status;
}
