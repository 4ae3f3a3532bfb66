/* SPDX-License-Identifier: BSD-3-Clause */
#include "quote.h"

#include "utf8.h"

#include <string.h>

static void add_character(drua_text *text, uint32_t c)
{
    char bytes[4];
    drua_text_append(text, bytes, drua_utf8_write(c, bytes));
}

void drua_text_add_json(drua_text *text, const char *characters)
{
    uint32_t c;
    drua_text_append(text, "\"", 1);
    while (*characters) {
        drua_utf8_next(&characters, &c);
        if (c == '"' || c == '\\')
            drua_text_add(text, "\\%c", (int)c);
        else if (c < 0x20)
            drua_text_add(text, "\\u%04x", (unsigned)c);
        else
            add_character(text, c);
    }
    drua_text_append(text, "\"", 1);
}

void drua_text_add_shell(drua_text *text, const char *word)
{
    drua_text_append(text, "'", 1);
    for (; *word; word++)
        if (*word == '\'')
            drua_text_append(text, "'\\''", 4);
        else
            drua_text_append(text, word, 1);
    drua_text_append(text, "'", 1);
}

/* Adds the one or two UTF-16 units of a character, each in the given format. */
static void add_units(drua_text *text, uint32_t c, const char *first, const char *next)
{
    if (c >= 0x10000) {
        drua_text_add(text, first, (unsigned)(0xD800 + ((c - 0x10000) >> 10)));
        drua_text_add(text, next, (unsigned)(0xDC00 + (c & 0x3FF)));
    } else {
        drua_text_add(text, first, (unsigned)c);
    }
}

static bool is_plain(uint32_t c)
{
    return (c >= ' ' && c <= '~') || c == '\n' || c == '\t';
}

/* Adds plain characters from *at on as a literal, which may be empty. */
static void add_macro_literal(drua_text *text, const char **at, const char *end)
{
    uint32_t c;
    drua_text_append(text, "\"", 1);
    for (const char *next = *at; *at < end && drua_utf8_next(&next, &c) && is_plain(c); *at = next)
        if (c == '\n' || c == '\t')
            drua_text_append(text, c == '\n' ? "\\n" : "\\t", 2);
        else
            drua_text_add(text, c == '"' || c == '\\' ? "\\%c" : "%c", (int)c);
    drua_text_append(text, "\"", 1);
}

/* Adds characters that are not plain from *at on as a call of fromCharCode(), which takes up to 100 numbers. */
static void add_macro_codes(drua_text *text, const char **at, const char *end)
{
    enum { LIMIT = 50 };
    uint32_t c;
    drua_text_add(text, "fromCharCode(");
    for (int count = 0; *at < end && count < LIMIT; count++) {
        const char *next = *at;
        drua_utf8_next(&next, &c);
        if (is_plain(c))
            break;
        add_units(text, c, count ? ", %u" : "%u", ", %u");
        *at = next;
    }
    drua_text_append(text, ")", 1);
}

void drua_text_add_macro(drua_text *text, const char *characters, size_t length)
{
    const char *at = characters, *end = characters + length;
    do {
        const char *next = at;
        uint32_t c = ' ';
        if (at < end)
            drua_utf8_next(&next, &c);
        drua_text_add(text, "%s", at > characters ? " + " : "");
        if (is_plain(c))
            add_macro_literal(text, &at, end);
        else
            add_macro_codes(text, &at, end);
    } while (at < end);
}

void drua_text_add_property(drua_text *text, const char *characters)
{
    uint32_t c;
    for (const char *start = characters; *characters;) {
        const bool leads = characters == start;
        drua_utf8_next(&characters, &c);
        if ((c > ' ' || (c == ' ' && !leads)) && c <= '~' && c != '\\')
            drua_text_add(text, "%c", (int)c);
        else
            add_units(text, c, "\\u%04X", "\\u%04X");
    }
}

void drua_text_add_xml(drua_text *text, const char *characters)
{
    uint32_t c;
    while (*characters) {
        drua_utf8_next(&characters, &c);
        if (strchr("&<>\"'", c < 0x80 ? (int)c : 'x'))
            drua_text_add(text, "&#%u;", (unsigned)c);
        else
            /* XML allows no other characters below the space */
            add_character(text, c < ' ' && c != '\n' && c != '\t' ? 0xFFFD : c);
    }
}
