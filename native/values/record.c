/* SPDX-License-Identifier: BSD-3-Clause */
#include "record.h"

#include "alloc.h"
#include "measure.h"

#include <stdio.h>
#include <string.h>

enum { RECORDS = 32 };

static const uint64_t RATE_SAMPLE = 64 << 20;

drua_record *drua_record_new(drua_engine *engine)
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

void drua_record_add(drua_record *record, const char *text)
{
    const size_t length = strlen(record->what);
    snprintf(record->what + length, sizeof record->what - length, "%s", text);
}

void drua_record_explain(drua_engine *engine, drua_text *text)
{
    const size_t first = engine->record_count > RECORDS ? engine->record_count - RECORDS : 0;
    for (size_t i = first; i < engine->record_count; i++) {
        const drua_record *r = &engine->records[i % RECORDS];
        drua_text_add(text, "%zu. %s: %s, %.3g MB", i + 1, r->what, r->how, r->bytes / 1e6);
        if (r->seconds > 0) {
            if (engine->copy_rate <= 0 && drua_engine_measure_copy(engine, RATE_SAMPLE, &engine->copy_rate) != DRUA_OK)
                engine->copy_rate = 0;
            drua_text_add(text, ", %.3g ms", 1e3 * r->seconds);
            if (engine->copy_rate > 0)
                drua_text_add(text, ", %.0f %% of the memory bandwidth",
                              1e2 * r->bytes / r->seconds / engine->copy_rate);
        }
        drua_text_add(text, "\n");
    }
}
