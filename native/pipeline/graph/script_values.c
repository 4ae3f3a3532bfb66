/* SPDX-License-Identifier: BSD-3-Clause */
#include "script_reader.h"

#include "alloc.h"
#include "text.h"
#include "utf8.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 50 }; /* of parentheses and signs in an expression */

drua_status script_fail_at_line(const script_reader *r, const char *what)
{
    return drua_fail(DRUA_E_ARGUMENT, "line %d of the pipeline: %s", r->line, what);
}

/* ---- tokens */

/* Skips white space and comments. */
void script_skip_blanks(script_reader *r)
{
    while (*r->at) {
        if (!strncmp(r->at, "//", 2)) {
            r->at += strcspn(r->at, "\n");
        } else if (!strncmp(r->at, "/*", 2)) {
            for (r->at += 2; *r->at && strncmp(r->at, "*/", 2); r->at++)
                r->line += *r->at == '\n';
            r->at += *r->at ? 2 : 0;
        } else if (isspace((unsigned char)*r->at)) {
            r->line += *r->at++ == '\n';
        } else {
            return;
        }
    }
}

bool script_take_character(script_reader *r, char c)
{
    script_skip_blanks(r);
    const bool matches = *r->at == c;
    r->at += matches;
    return matches;
}

/* Reads a name including its dots, such as Ext.CLIJ2_blur. */
bool script_take_word(script_reader *r, char word[SCRIPT_WORD])
{
    size_t length = 0;
    script_skip_blanks(r);
    if (!isalpha((unsigned char)*r->at) && *r->at != '_')
        return false;
    while (isalnum((unsigned char)*r->at) || *r->at == '_' || *r->at == '.') {
        if (length + 1 < SCRIPT_WORD)
            word[length++] = *r->at;
        r->at++;
    }
    word[length] = 0;
    return true;
}

/* ---- texts */

/* A growing UTF-8 text; `half` is the high surrogate at its end that still lacks its low surrogate. */
typedef struct literal {
    drua_text text;
    uint32_t half;
} literal;

static void add_unit(literal *to, uint32_t unit)
{
    char bytes[8];
    drua_text_append(&to->text, bytes, drua_utf16_write(unit, &to->half, bytes));
}

/* Reads an escape sequence after its backslash, like ImageJ's macros. */
static uint32_t take_escape(script_reader *r)
{
    static const char letters[] = "abfnrtv", meant[] = "\a\b\f\n\r\t\v";
    const char *letter = strchr(letters, *r->at);
    if (letter && *letter) {
        r->at++;
        return (uint32_t)meant[letter - letters];
    }
    uint32_t code = 0;
    const int max = *r->at <= '3' ? 3 : 2;
    for (int digits = 0; digits < max && *r->at >= '0' && *r->at <= '7'; digits++)
        code = 8 * code + (uint32_t)(*r->at++ - '0');
    return code;
}

static drua_status take_literal(script_reader *r, literal *to)
{
    const char quote = *r->at++;
    while (*r->at && *r->at != quote && *r->at != '\n') {
        const bool escape = *r->at == '\\' && r->at[1];
        r->at += escape;
        if (escape && strchr("abfnrtv01234567", *r->at)) {
            const uint32_t code = take_escape(r);
            if (!code)
                return script_fail_at_line(r, "a string contains a NUL byte, which names and settings cannot hold");
            add_unit(to, code);
        } else if ((unsigned char)*r->at < 0x80) {
            add_unit(to, (unsigned char)*r->at++);
        } else {
            drua_text_append(&to->text, r->at++, 1);
        }
    }
    return script_take_character(r, quote) ? DRUA_OK : script_fail_at_line(r, "a string has no closing quote");
}

/*
 * Reads the arguments of fromCharCode(numbers), with which macros write characters that a literal cannot hold. The name
 * is already read.
 */
static drua_status take_codes(script_reader *r, literal *to)
{
    bool more = script_take_character(r, '(');
    for (; more; more = script_take_character(r, ',')) {
        char *end;
        script_skip_blanks(r);
        const long code = strtol(r->at, &end, 10);
        if (end == r->at || code < 1 || code > 0xFFFF)
            return script_fail_at_line(r, "fromCharCode takes numbers from 1 to 65535");
        r->at = end;
        add_unit(to, (uint32_t)code);
    }
    return script_take_character(r, ')')
               ? DRUA_OK
               : script_fail_at_line(r, "fromCharCode takes numbers in parentheses, separated by commas");
}

/* ---- values */

/* A value while an expression is computed: a number, or a text that can grow. */
typedef struct value {
    bool is_number;
    double number;
    literal text;
    bool is_name; /* a word that is not a variable: the name of an image, with which nothing can be computed */
} value;

static drua_status take_sum(script_reader *r, int depth, value *v);

static bool is_text(script_reader *r)
{
    static const char codes[] = "fromCharCode";
    script_skip_blanks(r);
    return *r->at == '"' || *r->at == '\'' ||
           (!strncmp(r->at, codes, sizeof codes - 1) && !isalnum((unsigned char)r->at[sizeof codes - 1]));
}

/* Reads a literal or codes. Both halves of a character that two codes share belong to one text. */
static drua_status take_text(script_reader *r, literal *to)
{
    char word[SCRIPT_WORD];
    return script_take_word(r, word) ? take_codes(r, to) : take_literal(r, to);
}

script_argument *script_variable(script_reader *r, const char *name)
{
    for (size_t i = 0; i < r->count; i++)
        if (!strcmp(r->variables[i].name, name))
            return &r->variables[i].value;
    return NULL;
}

static drua_status take_named(script_reader *r, value *v)
{
    char word[SCRIPT_WORD];
    script_take_word(r, word);
    const script_argument *known = script_variable(r, word);
    if (!strcmp(word, "true") || !strcmp(word, "false") || (known && known->is_number)) {
        v->is_number = true;
        v->number = known ? known->number : !strcmp(word, "true");
        return DRUA_OK;
    }
    v->is_name = !known;
    drua_text_add(&v->text.text, "%s", known ? known->text : word);
    return DRUA_OK;
}

static drua_status take_number(script_reader *r, value *v)
{
    char *end;
    v->is_number = true;
    v->number = strtod(r->at, &end);
    if (end == r->at)
        return script_fail_at_line(r, "an argument must be a number, a string or a name");
    r->at = end;
    return DRUA_OK;
}

static drua_status require_numbers(const script_reader *r, const value *a, const value *b)
{
    return a->is_number && b->is_number ? DRUA_OK
                                        : script_fail_at_line(r, "-, *, / and % need numbers on both sides; a name "
                                                                 "must get a number in an earlier line");
}

/* Whether a text begins with -inf or -nan, as C prints them; the operation names the parameter that refuses them. */
static bool is_infinite_literal(const char *text)
{
    char *end;
    const double number = strtod(text, &end);
    return end > text && isalpha((unsigned char)text[1]) && !isfinite(number);
}

/* Reads a number, a text, a name or an expression in parentheses, with its sign. */
static drua_status take_part(script_reader *r, int depth, value *v)
{
    *v = (value){.is_number = false};
    script_skip_blanks(r);
    if (depth > MAX_DEPTH)
        return script_fail_at_line(r, "an expression has too many parentheses or signs");
    if (is_text(r))
        return take_text(r, &v->text);
    if (isalpha((unsigned char)*r->at) || *r->at == '_')
        return take_named(r, v);
    if (script_take_character(r, '(')) {
        DRUA_TRY(take_sum(r, depth + 1, v));
        return script_take_character(r, ')') ? DRUA_OK : script_fail_at_line(r, "')' is missing in an expression");
    }
    if (*r->at != '-' || is_infinite_literal(r->at))
        return take_number(r, v);
    r->at++;
    DRUA_TRY(take_part(r, depth + 1, v));
    v->number = -v->number;
    return require_numbers(r, v, v);
}

static void free_value(value *v)
{
    drua_text_free(&v->text.text);
}

static drua_status take_product(script_reader *r, int depth, value *v)
{
    DRUA_TRY(take_part(r, depth, v));
    for (script_skip_blanks(r); *r->at && strchr("*/%", *r->at); script_skip_blanks(r)) {
        const char sign = *r->at++;
        value next;
        drua_status status = take_part(r, depth, &next);
        free_value(&next);
        DRUA_TRY(status);
        DRUA_TRY(require_numbers(r, v, &next));
        if (sign == '*')
            v->number *= next.number;
        else
            v->number = sign == '/' ? v->number / next.number : fmod(v->number, next.number);
    }
    return DRUA_OK;
}

/* Appends a value to a text. ImageJ writes whole numbers without decimals. */
static drua_status append_value(const script_reader *r, literal *to, const value *from)
{
    enum { MOST = 1000000000 };
    if (from->is_name)
        return script_fail_at_line(r, "a name that is joined with + must get a value in an earlier line");
    if (!from->is_number)
        drua_text_append(&to->text, drua_text_characters(&from->text.text), from->text.text.length);
    else if (from->number == floor(from->number) && fabs(from->number) < MOST)
        drua_text_add(&to->text, "%d", (int)from->number);
    else
        return script_fail_at_line(r, "only whole numbers below 1e9 can be joined with a string; write the number as a "
                                      "string");
    return DRUA_OK;
}

static void finish_text(literal *text)
{
    if (text->half)
        add_unit(text, 0xFFFD);
    text->half = 0;
}

/* Adds numbers, or joins two values if one is a text. */
static drua_status add_value(const script_reader *r, value *v, value *next)
{
    value joined = {.is_number = false};
    if (v->is_number && next->is_number) {
        v->number += next->number;
        return DRUA_OK;
    }
    finish_text(&v->text);
    finish_text(&next->text);
    drua_status status = append_value(r, &joined.text, v);
    if (status == DRUA_OK)
        status = append_value(r, &joined.text, next);
    free_value(v);
    *v = joined;
    return status;
}

static drua_status take_sum(script_reader *r, int depth, value *v)
{
    DRUA_TRY(take_product(r, depth, v));
    for (script_skip_blanks(r); *r->at && strchr("+-", *r->at); script_skip_blanks(r)) {
        const char sign = *r->at++;
        value next;
        if (sign == '+' && !v->is_number && !v->is_name && is_text(r)) {
            DRUA_TRY(take_text(r, &v->text));
            continue;
        }
        drua_status status = take_product(r, depth, &next);
        if (status == DRUA_OK && sign == '-')
            status = require_numbers(r, v, &next);
        if (sign == '-')
            next.number = -next.number;
        if (status == DRUA_OK)
            status = add_value(r, v, &next);
        free_value(&next);
        DRUA_TRY(status);
    }
    return DRUA_OK;
}

drua_status script_take_value(script_reader *r, script_argument *a)
{
    value v;
    drua_status status = take_sum(r, 0, &v);
    *a = (script_argument){.is_number = v.is_number, .number = v.number};
    if (status == DRUA_OK && !v.is_number) {
        finish_text(&v.text);
        a->text = v.text.text.failed ? NULL : drua_copy_text(drua_text_characters(&v.text.text));
        status = a->text ? DRUA_OK : drua_fail_memory(v.text.text.length);
    }
    free_value(&v);
    return status;
}

drua_status script_take_condition(script_reader *r, bool *holds)
{
    static const char *const signs[] = {"<=", ">=", "==", "!=", "<", ">"};
    value a, b = {.is_number = true};
    int sign = 0;
    drua_status status = take_sum(r, 0, &a);
    script_skip_blanks(r);
    while (sign < 6 && strncmp(r->at, signs[sign], strlen(signs[sign])))
        sign++;
    r->at += sign < 6 ? strlen(signs[sign]) : 0;
    if (status == DRUA_OK)
        status = sign < 6 ? take_sum(r, 0, &b)
                          : script_fail_at_line(r, "the condition of a loop must compare two numbers, as in i < 4");
    if (status == DRUA_OK && !(a.is_number && b.is_number))
        status = script_fail_at_line(r, "the condition of a loop must compare two numbers; a name must get a number in "
                                        "an earlier line");
    const bool results[] = {a.number <= b.number,
                            a.number >= b.number,
                            a.number == b.number,
                            a.number != b.number,
                            a.number<b.number, a.number> b.number,
                            false};
    *holds = results[sign];
    free_value(&a);
    free_value(&b);
    return status;
}

drua_status script_skip_text(script_reader *r)
{
    literal skipped = {.half = 0};
    const drua_status status = take_literal(r, &skipped);
    drua_text_free(&skipped.text);
    return status;
}
