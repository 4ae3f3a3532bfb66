/* SPDX-License-Identifier: BSD-3-Clause */
#include "text.h"

#include "alloc.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Makes room for `length` more characters and a final zero; false if memory is short. */
static bool make_room(drua_text *text, size_t length)
{
    if (text->length + length + 1 <= text->capacity)
        return true;
    const size_t capacity = 2 * text->capacity + length + 64;
    char *grown = drua_realloc(text->characters, capacity);
    if (grown) {
        text->characters = grown;
        text->capacity = capacity;
    } else {
        text->failed = true;
    }
    return grown != NULL;
}

void drua_text_append(drua_text *text, const char *characters, size_t length)
{
    if (!make_room(text, length))
        return;
    if (length) /* `characters` may be NULL then, which memcpy does not allow */
        memcpy(text->characters + text->length, characters, length);
    text->length += length;
    text->characters[text->length] = 0;
}

void drua_text_add(drua_text *text, const char *format, ...)
{
    va_list arguments, again;
    const size_t room = text->capacity - text->length;
    va_start(arguments, format);
    va_copy(again, arguments);
    int added = vsnprintf(room ? text->characters + text->length : NULL, room, format, arguments);
    if (added > 0 && (size_t)added >= room)
        added = make_room(text, (size_t)added)
                    ? vsnprintf(text->characters + text->length, (size_t)added + 1, format, again)
                    : 0;
    text->length += added > 0 ? (size_t)added : 0;
    if (text->capacity)
        text->characters[text->length] = 0; /* removes a truncated addition */
    va_end(again);
    va_end(arguments);
}

const char *drua_text_characters(const drua_text *text)
{
    return text->characters ? text->characters : "";
}

void drua_text_free(drua_text *text)
{
    drua_free(text->characters);
    *text = (drua_text){0};
}

size_t drua_text_mark(const void *characters, size_t length)
{
    return length > 2 && !memcmp(characters, "\xef\xbb\xbf", 3) ? 3 : 0;
}

bool drua_text_ends_with(const char *text, const char *ending)
{
    const size_t length = strlen(text), end = strlen(ending);
    return length > end && !strcmp(text + length - end, ending);
}

bool drua_text_has_extension(const char *name, const char *extension)
{
    const size_t length = strlen(name), end = strlen(extension);
    return length > end && !strcasecmp(name + length - end, extension);
}

void drua_copy_start(char *to, const char *from, size_t room)
{
    const size_t length = strlen(from), max = room - 1;
    const size_t copied = length < max ? length : max;
    memcpy(to, from, copied);
    to[copied] = 0;
}

size_t drua_text_distance(const char *a, const char *b)
{
    enum { LONGEST = 96 };
    size_t row[LONGEST + 1], n = strlen(a), m = strlen(b);
    if (n > LONGEST || m > LONGEST)
        return n > m ? n : m;
    for (size_t j = 0; j <= m; j++)
        row[j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t above = row[j];
            size_t best = diagonal + (tolower((unsigned char)a[i - 1]) != tolower((unsigned char)b[j - 1]));
            if (above + 1 < best)
                best = above + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            row[j] = best;
            diagonal = above;
        }
    }
    return row[m];
}

const char *drua_text_most_alike(const char *const *words, const char *word)
{
    const char *best = NULL;
    const size_t length = strlen(word), half = length / 2, third = length / 3 + 1;
    size_t min = (half < third ? half : third) + 1;
    for (; *words; words++) {
        const size_t distance = drua_text_distance(*words, word);
        if (distance < min) {
            min = distance;
            best = *words;
        }
    }
    return best;
}
