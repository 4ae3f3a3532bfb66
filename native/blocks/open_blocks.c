/* SPDX-License-Identifier: BSD-3-Clause */
/* What is left of a plan, for those who hand out blocks. */
#include "job.h"

#include "c_locale.h"

#include <inttypes.h>

static void add_ranges(const journal_state *state, drua_text *ranges)
{
    for (int64_t first = 0; first < state->count; first++) {
        int64_t end = first;
        while (end < state->count && state->blocks[end].state != BLOCK_DONE)
            end++;
        if (end > first)
            drua_text_add(ranges, "%" PRId64 ":%" PRId64 "\n", first, end);
        first = end; /* which is done */
    }
}

drua_status drua_blocks_open(const char *plan, drua_text *ranges)
{
    job j;
    journal_state state = {.blocks = NULL};
    drua_locale_enter();
    drua_status status = job_load_text(&j, plan);
    if (status == DRUA_OK) {
        status = journal_read(j.folder, j.text.all, j.blocks, &state);
        if (status == DRUA_OK)
            add_ranges(&state, ranges);
        journal_state_free(&state);
        job_close(&j);
    }
    if (status == DRUA_OK && ranges->failed)
        status = drua_fail_memory(ranges->length);
    drua_locale_leave();
    return status;
}
