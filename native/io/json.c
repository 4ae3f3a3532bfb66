/* SPDX-License-Identifier: BSD-3-Clause */
#include "json_checks.h"

#include "alloc.h"
#include "codec_libraries.h"
#include "quote.h"
#include "store.h"
#include "text.h"

#include <math.h>
#include <string.h>

enum { MAX_BYTES = 64 << 20, MAX_DEPTH = 64 };

/*
 * Returns whether the nesting is at most MAX_DEPTH. The parser recurses for each level, and the stacks of Java's
 * threads are small.
 */
static bool is_nesting_allowed(const char *text, size_t length)
{
    int depth = 0;
    bool quoted = false;
    for (size_t i = 0; i < length && depth <= MAX_DEPTH; i++) {
        const char c = text[i];
        if (quoted && c == '\\')
            i++;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted)
            depth += (c == '{' || c == '[') - (c == '}' || c == ']');
    }
    return depth <= MAX_DEPTH;
}

/* Skips a byte order mark of UTF-8, and refuses those of UTF-16. */
static drua_status skip_mark(const char *name, const char **characters, size_t *length)
{
    const char *c = *characters;
    if (*length > 1 && (!memcmp(c, "\xff\xfe", 2) || !memcmp(c, "\xfe\xff", 2)))
        return drua_fail(DRUA_E_ARGUMENT, "'%s' is encoded in UTF-16, but JSON must be UTF-8; save it as UTF-8", name);
    const size_t mark = drua_text_mark(c, *length);
    *characters += mark;
    *length -= mark;
    return DRUA_OK;
}

drua_status drua_json_parse(const char *name, const char *characters, size_t length, drua_json **json)
{
    const drua_jansson *lib = drua_jansson_load();
    json_error_t error = {0};
    *json = NULL;
    if (!lib)
        return DRUA_E_UNSUPPORTED;
    if (length > 0) /* an empty file has no characters to point at */
        DRUA_TRY(skip_mark(name, &characters, &length));
    if (length == 0)
        return drua_fail(DRUA_E_ARGUMENT, "'%s' is empty; write it again", name);
    if (length > MAX_BYTES)
        return drua_fail(DRUA_E_ARGUMENT, "'%s' is longer than the %d MB that metadata may take; write the image again",
                         name, MAX_BYTES >> 20);
    if (!is_nesting_allowed(characters, length))
        return drua_fail(DRUA_E_ARGUMENT,
                         "'%s' is nested more deeply than the %d levels that metadata may have; write the image again",
                         name, MAX_DEPTH);
    *json = lib->json_loadb(characters, length, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &error);
    if (!*json)
        return drua_fail(DRUA_E_ARGUMENT, "'%s' is not JSON (line %d: %.120s); correct the file or write it again",
                         name, error.line, error.text);
    if (drua_json_is_object(*json))
        return DRUA_OK;
    drua_json_free(*json);
    *json = NULL;
    return drua_fail(DRUA_E_ARGUMENT, "'%s' must contain a JSON object", name);
}

drua_status drua_json_read(const char *path, drua_json **json)
{
    drua_bytes text = {0};
    drua_file_info info;
    bool absent;
    *json = NULL;
    drua_status status = drua_store_read(path, 0, (size_t)MAX_BYTES + 1, &text, &info, &absent);
    if (status != DRUA_OK)
        status = drua_store_name(path, status);
    else if (!absent)
        status = drua_json_parse(path, (const char *)text.data, text.length, json);
    drua_free(text.data);
    return status;
}

/* Only the top-level value holds a reference; freeing it frees all members. */
void drua_json_free(drua_json *json)
{
    if (json)
        drua_jansson_load()->json_delete(json);
}

const drua_json *drua_json_get(const drua_json *json, const char *key)
{
    return json ? drua_jansson_load()->json_object_get(json, key) : NULL;
}

const drua_json *drua_json_at(const drua_json *json, int64_t i)
{
    return json && i >= 0 ? drua_jansson_load()->json_array_get(json, (size_t)i) : NULL;
}

int64_t drua_json_length(const drua_json *json)
{
    return json ? (int64_t)drua_jansson_load()->json_array_size(json) : 0;
}

bool drua_json_is_false(const drua_json *json)
{
    return json_is_false(json);
}

bool drua_json_truth(const drua_json *json, bool *truth)
{
    *truth = json_is_true(json);
    return json_is_true(json) || json_is_false(json);
}

static bool is_listed(const char *name, const char *const *names)
{
    while (names && *names && strcmp(*names, name))
        names++;
    return names && *names;
}

const char *drua_json_unknown(const drua_json *json, const char *const *names)
{
    const drua_jansson *lib = drua_jansson_load();
    /* jansson's iterators are not const, but this code changes nothing */
    drua_json *object = (drua_json *)(uintptr_t)json;
    for (void *at = lib->json_object_iter(object); at; at = lib->json_object_iter_next(object, at)) {
        const char *key = lib->json_object_iter_key(at);
        if (!is_listed(key, names) &&
            !drua_json_is_false(drua_json_get(lib->json_object_iter_value(at), "must_understand")))
            return key;
    }
    return NULL;
}

bool drua_json_is_object(const drua_json *json)
{
    return json_is_object(json);
}

bool drua_json_is_array(const drua_json *json)
{
    return json_is_array(json);
}

bool drua_json_is_nothing(const drua_json *json)
{
    return !json || json_is_null(json);
}

const char *drua_json_text(const drua_json *json)
{
    return json ? drua_jansson_load()->json_string_value(json) : NULL;
}

bool drua_json_is(const drua_json *json, const char *text)
{
    const char *own = drua_json_text(json);
    return own && !strcmp(own, text);
}

void drua_json_copy(const drua_json *json, char *to, size_t size)
{
    const char *text = drua_json_text(json);
    drua_copy_start(to, text ? text : "", size);
}

bool drua_json_number(const drua_json *json, double *number)
{
    if (!json_is_real(json))
        return false;
    *number = drua_jansson_load()->json_real_value(json);
    return true;
}

bool drua_json_integer(const drua_json *json, int64_t min, int64_t max, int64_t *integer)
{
    double number;
    if (!drua_json_number(json, &number) || number < (double)min || number > (double)max || number != floor(number))
        return false;
    *integer = (int64_t)number;
    return true;
}

/* ---- writing */

static void add_number(double number, drua_text *text)
{
    const double exact = 9007199254740992.0; /* 2^53 */
    drua_text_add(text, number == floor(number) && fabs(number) <= exact ? "%.0f" : "%.17g", number);
}

void drua_json_add_members(const drua_json *json, const char *const *excluded_names, const drua_json *excluded_members,
                           int *count, drua_text *text)
{
    const drua_jansson *lib = drua_jansson_load();
    /* jansson's iterators are not const, but this code changes nothing */
    drua_json *object = (drua_json *)(uintptr_t)json;
    for (void *at = json ? lib->json_object_iter(object) : NULL; at; at = lib->json_object_iter_next(object, at)) {
        const char *key = lib->json_object_iter_key(at);
        if (is_listed(key, excluded_names) || drua_json_get(excluded_members, key))
            continue;
        drua_text_add(text, (*count)++ ? "," : "");
        drua_text_add_json(text, key);
        drua_text_add(text, ":");
        drua_json_add(lib->json_object_iter_value(at), text);
    }
}

void drua_json_add(const drua_json *json, drua_text *text)
{
    int count = 0;
    if (json_is_object(json)) {
        drua_text_add(text, "{");
        drua_json_add_members(json, NULL, NULL, &count, text);
        drua_text_add(text, "}");
    } else if (json_is_array(json)) {
        drua_text_add(text, "[");
        for (int64_t i = 0; i < drua_json_length(json); i++) {
            drua_text_add(text, i ? "," : "");
            drua_json_add(drua_json_at(json, i), text);
        }
        drua_text_add(text, "]");
    } else if (json_is_string(json))
        drua_text_add_json(text, drua_json_text(json));
    else if (json_is_real(json))
        add_number(drua_jansson_load()->json_real_value(json), text);
    else
        drua_text_add(text, json_is_true(json) ? "true" : json_is_false(json) ? "false" : "null");
}
