/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports the progress of a plan, for the user and for schedulers that distribute blocks. */
#include "plan_status.h"
#include "block_pipeline.h"
#include "finish_blocks.h"
#include "pass_results.h"
#include "passes.h"

#include "c_locale.h"
#include "error.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Called for each block of the current pass or, after the last pass, of the plan. */
typedef void (*block_visit)(void *payload, int64_t block, bool done);

/* ---- passes */

static int64_t pass_blocks(const plan_pass *p)
{
    const drua_box all = drua_box_of(p->extent);
    return drua_box_parts(&all, p->step);
}

static bool is_joined(const job *j, int pass, int64_t volume)
{
    const pass_store *store = &j->text.passes[pass - 1].store;
    char folder[PASS_PATH];
    pass_folder(j->folder, pass, store, volume, folder);
    return store->number >= 0 && !store->image ? label_map_exists(folder) : pass_joined_exists(folder);
}

int first_due_pass(const job *j)
{
    for (int pass = 1; pass <= j->text.pass_count; pass++)
        for (int64_t volume = 0; volume < j->channels * j->frames; volume++)
            if (!is_joined(j, pass, volume))
                return pass;
    return 0;
}

static drua_status visit_pass(const job *j, int pass, block_visit visit, void *payload)
{
    const plan_pass *p = &j->text.passes[pass - 1];
    const int64_t blocks = pass_blocks(p);
    for (int64_t volume = 0; volume < j->channels * j->frames; volume++) {
        const bool joined = is_joined(j, pass, volume);
        pass_results *results = NULL;
        char folder[PASS_PATH];
        pass_folder(j->folder, pass, &p->store, volume, folder);
        const drua_status status = joined ? DRUA_OK : pass_results_open(folder, NULL, blocks, &results);
        for (int64_t block = 0; block < blocks && status == DRUA_OK; block++)
            visit(payload, volume * blocks + block, joined || pass_results_has(results, block));
        pass_results_close(results);
        DRUA_TRY(status);
    }
    return DRUA_OK;
}

/* ---- counting and listing blocks */

static drua_status visit_blocks(const job *j, const journal_state *state, int due, block_visit visit, void *payload)
{
    if (due)
        return visit_pass(j, due, visit, payload);
    for (int64_t block = 0; block < state->count; block++)
        visit(payload, block, state->blocks[block].state == BLOCK_DONE);
    return DRUA_OK;
}

static void count_block(void *payload, int64_t block, bool done)
{
    drua_blocks_status *s = payload;
    (void)block;
    s->blocks++;
    s->done += done;
}

drua_status status_count_pass(const job *j, int pass, int64_t *done, int64_t *blocks)
{
    drua_blocks_status s = {.blocks = 0};
    const drua_status status = visit_pass(j, pass, count_block, &s);
    *done = s.done;
    *blocks = s.blocks;
    return status;
}

/* Unfinished blocks from `first` to before `end`. */
typedef struct unfinished_range {
    int64_t first, end;
    drua_text *ranges;
} unfinished_range;

static void end_range(unfinished_range *r)
{
    if (r->end > r->first)
        drua_text_add(r->ranges, "%" PRId64 ":%" PRId64 "\n", r->first, r->end);
}

static void add_block(void *payload, int64_t block, bool done)
{
    unfinished_range *r = payload;
    if (done)
        return;
    if (block != r->end) {
        end_range(r);
        r->first = block;
    }
    r->end = block + 1;
}

/* ---- the plan */

drua_status status_load(const char *plan, job *j, journal_state *state, int *due)
{
    *state = (journal_state){.blocks = NULL};
    DRUA_TRY(job_load_text(j, plan));
    *due = first_due_pass(j);
    if (j->text.pass_count && !*due)
        *due = j->text.pass_count;
    return *due ? DRUA_OK : journal_read(j->folder, j->text.all, j->blocks, state);
}

static drua_status fill_status(const job *j, const journal_state *state, int due, drua_blocks_status *s)
{
    *s = (drua_blocks_status){.processes = state->files,
                              .blocks_per_second = state->blocks_per_second,
                              .pass = due,
                              .passes = j->text.pass_count};
    s->plan_blocks = j->blocks;
    if (due)
        snprintf(s->what, sizeof s->what, "%s", j->text.passes[due - 1].what);
    DRUA_TRY(visit_blocks(j, state, due, count_block, s));
    for (int64_t i = 0; i < state->count; i++)
        s->lost += state->blocks[i].state == BLOCK_LOST;
    s->finished = !due && s->done == s->blocks && job_is_finished(j);
    return DRUA_OK;
}

static drua_status list_unfinished_blocks(const job *j, const journal_state *state, int due, drua_text *ranges)
{
    unfinished_range r = {.ranges = ranges};
    if (due)
        drua_text_add(ranges, "pass %d of %d\n", due, j->text.pass_count);
    DRUA_TRY(visit_blocks(j, state, due, add_block, &r));
    end_range(&r);
    return ranges->failed ? drua_fail_memory(ranges->length) : DRUA_OK;
}

/* Fills in either `s` or `ranges`. */
static drua_status report_plan(const char *plan, drua_blocks_status *s, drua_text *ranges)
{
    job j;
    journal_state state;
    int due = 0;
    drua_locale_enter();
    drua_status status = status_load(plan, &j, &state, &due);
    if (status == DRUA_OK)
        status = s ? fill_status(&j, &state, due, s) : list_unfinished_blocks(&j, &state, due, ranges);
    journal_state_free(&state);
    job_close(&j);
    drua_locale_leave();
    return status;
}

drua_status drua_blocks_read_status(const char *plan, drua_blocks_status *status)
{
    return report_plan(plan, status, NULL);
}

drua_status drua_blocks_list_unfinished(const char *plan, drua_text *ranges)
{
    return report_plan(plan, NULL, ranges);
}
