/* SPDX-License-Identifier: BSD-3-Clause */
/* What was done last, for people: a line for each launch or call, with bytes, and times where launches are waited for.
 */
#ifndef DRUA_RECORD_H
#define DRUA_RECORD_H

#include "engine.h"
#include "text.h"

typedef struct drua_record {
    char what[400], how[200];
    double bytes, seconds;      /* seconds 0: not measured */
} drua_record;

/** The next entry of the ring, empty; NULL without memory. */
drua_record *drua_record_new(drua_engine *engine);

/** Adds to what was done, as far as there is room. */
void drua_record_add(drua_record *record, const char *text);

/** All entries, oldest first, one line each; adds to the text. May measure the device's copy rate, and waits then. */
void drua_record_explain(drua_engine *engine, drua_text *text);

#endif
