/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads untrusted JSON files with jansson. A value that is NULL, or of another kind, has no members and no number. */
#ifndef DRUA_IO_JSON_H
#define DRUA_IO_JSON_H

#include "text.h"

#include <stdbool.h>

typedef struct json_t drua_json;

/**
 * Reads a file whose value is an object; *json is NULL if the file does not exist. DRUA_E_ARGUMENT with path and line
 * if the file is not JSON, not in UTF-8, too long or nested too deeply. A byte order mark at the start is skipped.
 */
drua_status drua_json_read(const char *path, drua_json **json);

/** As drua_json_read, from characters in memory; error messages about them begin with `name`. */
drua_status drua_json_parse(const char *name, const char *characters, size_t length, drua_json **json);
void drua_json_free(drua_json *json);

/**
 * Return a member of an object, an entry of an array, and an array's length. The results live as long as the whole
 * value.
 */
const drua_json *drua_json_get(const drua_json *json, const char *key);
const drua_json *drua_json_at(const drua_json *json, int64_t i);
int64_t drua_json_length(const drua_json *json);

bool drua_json_is_object(const drua_json *json);

/**
 * Add a value, or the members of an object, to a text of one line. Leaves out members whose names are in
 * `excluded_names`, which ends with NULL, or in the object `excluded_members`. Both may be NULL. A member begins with a
 * comma if `*count` is not 0; `*count` grows with each member. Whole numbers up to 2^53 stay exact.
 */
void drua_json_add(const drua_json *json, drua_text *text);
void drua_json_add_members(const drua_json *json, const char *const *excluded_names, const drua_json *excluded_members,
                           int *count, drua_text *text);

/** Returns the characters of a string; NULL for other values. */
const char *drua_json_text(const drua_json *json);

/** Read a number, or a whole number from `min` to `max`, which must lie within 2^53. */
bool drua_json_number(const drua_json *json, double *number);
bool drua_json_integer(const drua_json *json, int64_t min, int64_t max, int64_t *integer);

#endif
