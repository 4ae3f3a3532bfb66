/* SPDX-License-Identifier: BSD-3-Clause */
/* Records the last launches and calls as text: one line each with bytes, and with times if each launch is awaited. */
#ifndef DRUA_RECORD_H
#define DRUA_RECORD_H

#include "engine.h"
#include "text.h"

typedef struct drua_record {
    char what[400], how[200];
    double bytes, seconds;      /* seconds 0: not measured */
} drua_record;

/** Returns the next entry of the ring, emptied. NULL without memory. */
drua_record *drua_record_new(drua_engine *engine);

/** Appends to the description, as far as there is room. */
void drua_record_add(drua_record *record, const char *text);

/**
 * Appends all entries to the text, oldest first, one line each. May measure the device's memory bandwidth, and then
 * waits.
 */
void drua_record_explain(drua_engine *engine, drua_text *text);

#endif
