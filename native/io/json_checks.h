/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks of the JSON values that describe images. */
#ifndef DRUA_IO_JSON_CHECKS_H
#define DRUA_IO_JSON_CHECKS_H

#include "json.h"

/** Returns whether a member is absent or the value null. */
bool drua_json_is_nothing(const drua_json *json);

bool drua_json_is_array(const drua_json *json);

/** Returns whether a value is this string. */
bool drua_json_is(const drua_json *json, const char *text);

/** Copies the characters of a string, truncated to `size`; other values give "". */
void drua_json_copy(const drua_json *json, char *to, size_t size);

/** Returns whether a member is the value false. */
bool drua_json_is_false(const drua_json *json);

/** Reads the value true or false; returns false for other values. */
bool drua_json_truth(const drua_json *json, bool *truth);

/**
 * Returns the name of the first member of an object that is not in `names` (which ends with NULL). Ignores members that
 * are objects whose must_understand is false. Returns NULL if every member is known.
 */
const char *drua_json_unknown(const drua_json *json, const char *const *names);

#endif
