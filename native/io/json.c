/* SPDX-License-Identifier: BSD-3-Clause */
#include "json.h"

#include "alloc.h"
#include "codec_libraries.h"
#include "file.h"

#include <math.h>
#include <string.h>

enum { MOST_BYTES = 64 << 20, MOST_DEPTH = 64 };

/*
 * Returns whether the nesting is within its limit: the parser recurses for each level, and Java's threads have small
 * stacks.
 */
static bool is_flat(const drua_bytes *text)
{
    int depth = 0;
    bool quoted = false;
    for (size_t i = 0; i < text->length && depth <= MOST_DEPTH; i++) {
        const unsigned char c = text->data[i];
        if (quoted && c == '\\')
            i++;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted)
            depth += (c == '{' || c == '[') - (c == '}' || c == ']');
    }
    return depth <= MOST_DEPTH;
}

static drua_status parse_json(const char *path, const drua_bytes *text, drua_json **json)
{
    const drua_jansson *lib = drua_jansson_load();
    json_error_t error = {0};
    if (!lib)
        return DRUA_E_UNSUPPORTED;
    if (text->length > MOST_BYTES)
        return drua_fail(DRUA_E_ARGUMENT, "'%s' is longer than the %d MB that metadata may take", path,
                         MOST_BYTES >> 20);
    if (!is_flat(text))
        return drua_fail(DRUA_E_ARGUMENT, "'%s' is nested more deeply than the %d levels that metadata may have", path,
                         MOST_DEPTH);
    *json = lib->json_loadb((const char *)text->data, text->length, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL,
                            &error);
    if (!*json)
        return drua_fail(DRUA_E_ARGUMENT, "'%s' is not JSON: line %d, %.120s", path, error.line, error.text);
    return drua_json_is_object(*json) ? DRUA_OK
                                      : drua_fail(DRUA_E_ARGUMENT, "'%s' must hold an object in braces", path);
}

drua_status drua_json_read(const char *path, drua_json **json)
{
    drua_bytes text = {0};
    *json = NULL;
    const drua_file_state state = drua_file_part(path, 0, (size_t)MOST_BYTES + 1, &text, NULL);
    drua_status status = DRUA_OK;
    if (state == DRUA_FILE_THERE)
        status = parse_json(path, &text, json);
    else if (state == DRUA_FILE_UNREADABLE)
        status = drua_fail(DRUA_E_ARGUMENT, "'%s' cannot be read; check whether you have permission to read it", path);
    else if (state == DRUA_FILE_AWAY)
        status =
            drua_fail(DRUA_E_AWAY, "the disk of '%s' does not answer, or a link on its path leads to nothing", path);
    drua_free(text.data);
    if (status != DRUA_OK) {
        drua_json_free(*json);
        *json = NULL;
    }
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

const char *drua_json_unknown(const drua_json *json, const char *const *names)
{
    const drua_jansson *lib = drua_jansson_load();
    /* jansson's iterators are not const, but this code changes nothing */
    drua_json *object = (drua_json *)(uintptr_t)json;
    for (void *at = lib->json_object_iter(object); at; at = lib->json_object_iter_next(object, at)) {
        const char *key = lib->json_object_iter_key(at);
        int i = 0;
        while (names[i] && strcmp(names[i], key))
            i++;
        if (!names[i] && !drua_json_is_false(drua_json_get(lib->json_object_iter_value(at), "must_understand")))
            return key;
    }
    return NULL;
}

bool drua_json_is_object(const drua_json *json)
{
    return json_is_object(json);
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

bool drua_json_number(const drua_json *json, double *number)
{
    if (!json_is_real(json))
        return false;
    *number = drua_jansson_load()->json_real_value(json);
    return true;
}

bool drua_json_integer(const drua_json *json, int64_t least, int64_t most, int64_t *integer)
{
    double number;
    if (!drua_json_number(json, &number) || number < (double)least || number > (double)most || number != floor(number))
        return false;
    *integer = (int64_t)number;
    return true;
}

