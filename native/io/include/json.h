/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts in JSON from files that anyone may have written, read by jansson. A value that is NULL, or of another kind, has
 * no members and no number. */
#ifndef DRUA_IO_JSON_H
#define DRUA_IO_JSON_H

#include "error.h"

#include <stdbool.h>

typedef struct json_t drua_json;

/** The file's value, an object; *json is NULL if there is no such file. DRUA_E_ARGUMENT with path and line if it is no
 * JSON, too long or nested too deeply. */
drua_status drua_json_read(const char *path, drua_json **json);
void drua_json_free(drua_json *json);

/** A member of an object, an entry of an array, its length. They live as long as the whole. */
const drua_json *drua_json_get(const drua_json *json, const char *key);
const drua_json *drua_json_at(const drua_json *json, int64_t i);
int64_t drua_json_length(const drua_json *json);

/** Whether a member is the value false. */
bool drua_json_is_false(const drua_json *json);

/** The first member of an object, by its name and value, that is neither one of the names, which end with NULL, nor an
 * object whose must_understand is false; NULL if there is none. */
const char *drua_json_unknown(const drua_json *json, const char *const *names);

bool drua_json_is_object(const drua_json *json);

/** Its characters, or NULL. */
const char *drua_json_text(const drua_json *json);
bool drua_json_is(const drua_json *json, const char *text);

/** A number; or a whole number from `least` to `most`, which are within 2^53. */
bool drua_json_number(const drua_json *json, double *number);
bool drua_json_integer(const drua_json *json, int64_t least, int64_t most, int64_t *integer);

#endif
