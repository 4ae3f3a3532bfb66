/* SPDX-License-Identifier: BSD-3-Clause */
/* What the last launches did, in sentences: which operations were joined, what was moved, which kernel ran and why. */
#include "around.h"
#include "internal.h"

#include "alloc.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

enum { RECORDS = 32 };

static const uint64_t RATE_SAMPLE = 64 << 20;

drua_record *drua_explain_new(drua_engine *engine)
{
    if (!engine->records)
        engine->records = drua_alloc(RECORDS * sizeof *engine->records);
    if (!engine->records)
        return NULL;
    drua_record *record = &engine->records[engine->record_count++ % RECORDS];
    record->bytes = record->seconds = 0;
    record->what[0] = 0;
    return record;
}

static void add_text(drua_record *record, const char *text)
{
    const size_t length = strlen(record->what);
    snprintf(record->what + length, sizeof record->what - length, "%s", text);
}

static void add_steps(drua_record *record, const char *before, const drua_chain *c)
{
    add_text(record, before);
    for (int k = 0; k < c->step_count; k++) {
        add_text(record, k ? " + " : "");
        add_text(record, c->made[k]->node->op->name);
    }
}

/* Of all that the chain reads and writes. */
static double chain_bytes(const drua_chain *c)
{
    double bytes = 0;
    for (int i = 0; i < c->input_count; i++)
        bytes += (double)drua_value_bytes(c->inputs[i]);
    for (int i = 0; i < c->output_count; i++)
        bytes += (double)drua_value_bytes(c->made[c->outputs[i]]);
    return bytes;
}

void drua_explain_chain(drua_engine *engine, const drua_chain *c, const char *variant, const char *why, double seconds)
{
    drua_record *record = drua_explain_new(engine);
    if (!record)
        return;
    add_steps(record, "", c);
    record->bytes = chain_bytes(c);
    snprintf(record->how, sizeof record->how, "%d step%s in 1 launch %s, %d read, %d written, %s%s%s%s", c->step_count,
             c->step_count == 1 ? "" : "s", c->line ? "as one line" : "row by row", c->input_count, c->output_count, variant,
             *why ? " (" : "", why, *why ? ")" : "");
    record->seconds = seconds;
}

void drua_explain_operation(const drua_plan *plan, uint64_t launches, double bytes, double seconds)
{
    const drua_around *around = plan->around;
    drua_record *record = drua_explain_new(plan->engine);
    if (!record)
        return;
    add_text(record, plan->op->name);
    if (around && around->before_is_done) {     /* what it makes is neither written nor read */
        add_steps(record, " after ", around->before);
        bytes += chain_bytes(around->before) - 2 * (double)drua_value_bytes(around->source);
    }
    if (around && around->after_is_done) {      /* nor is the call's result, unless it is kept */
        add_steps(record, " with ", around->after);
        bytes += chain_bytes(around->after) - (around->keeps ? 1 : 2) * (double)drua_value_bytes(around->middle);
    }
    int used = snprintf(record->how, sizeof record->how, "%llu launch%s of its own kernels%s", (unsigned long long)launches, launches == 1 ? "" : "es",
                        plan->compiled ? ", compiled" : "");
    if (plan->choice.why && used > 0 && (size_t)used < sizeof record->how)
        snprintf(record->how + used, sizeof record->how - (size_t)used, " (%s %d of %d, %s)", plan->choice.kind, plan->choice.variant, plan->choice.count,
                 plan->choice.why);
    record->bytes = bytes;
    record->seconds = seconds;
}

void drua_graph_explain(drua_engine *engine, drua_text *text)
{
    const size_t first = engine->record_count > RECORDS ? engine->record_count - RECORDS : 0;
    for (size_t i = first; i < engine->record_count; i++) {
        const drua_record *r = &engine->records[i % RECORDS];
        drua_text_add(text, "%zu. %s: %s, %.3g MB", i + 1, r->what, r->how, r->bytes / 1e6);
        if (r->seconds > 0) {
            if (engine->copy_rate <= 0 && drua_graph_measure_copy(engine, RATE_SAMPLE, &engine->copy_rate) != DRUA_OK)
                engine->copy_rate = 0;
            drua_text_add(text, ", %.3g ms", 1e3 * r->seconds);
            if (engine->copy_rate > 0)
                drua_text_add(text, ", %.0f %% of the copy rate", 1e2 * r->bytes / r->seconds / engine->copy_rate);
        }
        drua_text_add(text, "\n");
    }
}
