/* SPDX-License-Identifier: BSD-3-Clause */
#include "script.h"

#include "alloc.h"
#include "text.h"
#include "utf8.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 128 };

typedef struct variable {
    char name[WORD];
    script_argument value;
} variable;

typedef struct reader {
    const char *at;
    int line;
    script *out;
    variable *variables;
    size_t count;
} reader;

static drua_status fail_at_line(const reader *r, const char *what)
{
    return drua_fail(DRUA_E_ARGUMENT, "line %d of the pipeline: %s", r->line, what);
}

/* ---- tokens */

/* Skips white space and comments. */
static void skip_blanks(reader *r)
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

static bool take_character(reader *r, char c)
{
    skip_blanks(r);
    const bool matches = *r->at == c;
    r->at += matches;
    return matches;
}

/* Reads a name including its dots, such as Ext.CLIJ2_blur. */
static bool take_word(reader *r, char word[WORD])
{
    size_t length = 0;
    skip_blanks(r);
    if (!isalpha((unsigned char)*r->at) && *r->at != '_')
        return false;
    while (isalnum((unsigned char)*r->at) || *r->at == '_' || *r->at == '.') {
        if (length + 1 < WORD)
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
static uint32_t take_escape(reader *r)
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

static drua_status take_literal(reader *r, literal *to)
{
    const char quote = *r->at++;
    while (*r->at && *r->at != quote && *r->at != '\n') {
        const bool escape = *r->at == '\\' && r->at[1];
        r->at += escape;
        if (escape && strchr("abfnrtv01234567", *r->at)) {
            const uint32_t code = take_escape(r);
            if (!code)
                return fail_at_line(r, "a string contains a NUL byte, which names and settings cannot hold");
            add_unit(to, code);
        } else if ((unsigned char)*r->at < 0x80) {
            add_unit(to, (unsigned char)*r->at++);
        } else {
            drua_text_append(&to->text, r->at++, 1);
        }
    }
    return take_character(r, quote) ? DRUA_OK : fail_at_line(r, "a string has no closing quote");
}

/*
 * Reads the arguments of fromCharCode(numbers), with which macros write characters that a literal cannot hold. The name
 * is already read.
 */
static drua_status take_codes(reader *r, literal *to)
{
    bool more = take_character(r, '(');
    for (; more; more = take_character(r, ',')) {
        char *end;
        skip_blanks(r);
        const long code = strtol(r->at, &end, 10);
        if (end == r->at || code < 1 || code > 0xFFFF)
            return fail_at_line(r, "fromCharCode takes numbers from 1 to 65535");
        r->at = end;
        add_unit(to, (uint32_t)code);
    }
    return take_character(r, ')') ? DRUA_OK
                                  : fail_at_line(r, "fromCharCode takes numbers in parentheses, separated by commas");
}

static bool is_text(reader *r)
{
    static const char codes[] = "fromCharCode";
    skip_blanks(r);
    return *r->at == '"' || *r->at == '\'' ||
           (!strncmp(r->at, codes, sizeof codes - 1) && !isalnum((unsigned char)r->at[sizeof codes - 1]));
}

/* Reads literals and codes joined with +. The caller owns *text. */
static drua_status take_text(reader *r, char **text)
{
    literal made = {.half = 0};
    char word[WORD];
    drua_status status = DRUA_OK;
    do {
        if (!is_text(r))
            status = fail_at_line(r, "only strings and fromCharCode(numbers) can be joined with +");
        else
            status = take_word(r, word) ? take_codes(r, &made) : take_literal(r, &made);
    } while (status == DRUA_OK && take_character(r, '+'));
    if (made.half)
        add_unit(&made, 0xFFFD);
    *text = status == DRUA_OK ? drua_copy_text(drua_text_characters(&made.text)) : NULL;
    if (status == DRUA_OK && (made.text.failed || !*text)) {
        drua_free(*text);
        *text = NULL;
        status = drua_fail_memory(made.text.length);
    }
    drua_text_free(&made.text);
    return status;
}

/* ---- arguments */

static drua_status copy_of(const script_argument *from, script_argument *to)
{
    *to = *from;
    to->text = from->text ? drua_copy_text(from->text) : NULL;
    return to->text || !from->text ? DRUA_OK : drua_fail_memory(strlen(from->text));
}

static drua_status take_named(reader *r, script_argument *a)
{
    char word[WORD];
    take_word(r, word);
    if (!strcmp(word, "true") || !strcmp(word, "false")) {
        *a = (script_argument){.is_number = true, .number = !strcmp(word, "true")};
        return DRUA_OK;
    }
    for (size_t i = r->count; i-- > 0;)
        if (!strcmp(r->variables[i].name, word))
            return copy_of(&r->variables[i].value, a);
    a->text = drua_copy_text(word);
    return a->text ? DRUA_OK : drua_fail_memory(sizeof word);
}

static drua_status take_argument(reader *r, script_argument *a)
{
    char *end;
    *a = (script_argument){.text = NULL};
    skip_blanks(r);
    if (is_text(r))
        return take_text(r, &a->text);
    if (isalpha((unsigned char)*r->at) || *r->at == '_')
        return take_named(r, a);
    a->is_number = true;
    a->number = strtod(r->at, &end);
    if (end == r->at)
        return fail_at_line(r, "an argument must be a number, a string or a name");
    r->at = end;
    return DRUA_OK;
}

/* Reads arguments. Each must end after one value, because pipelines have no arithmetic. */
static drua_status take_arguments(reader *r, script_call *call)
{
    if (!take_character(r, '('))
        return fail_at_line(r, "'(' is missing after a command");
    while (!take_character(r, ')')) {
        script_argument *grown = drua_realloc(call->arguments, (call->count + 1) * sizeof *grown);
        if (!grown)
            return drua_fail_memory(sizeof *grown);
        call->arguments = grown;
        DRUA_TRY(take_argument(r, &grown[call->count++]));
        skip_blanks(r);
        if (*r->at != ')' && !take_character(r, ','))
            return fail_at_line(r, "arguments must be numbers, strings or names, separated by commas; compute other "
                                   "values before you write the pipeline");
    }
    return DRUA_OK;
}

/* ---- statements */

static void free_call(script_call *call)
{
    for (size_t i = 0; i < call->count; i++)
        drua_free(call->arguments[i].text);
    drua_free(call->arguments);
    drua_free(call->name);
}

static drua_status add_call(reader *r, const char *name)
{
    script_call *grown = drua_realloc(r->out->calls, (r->out->count + 1) * sizeof *grown);
    if (!grown)
        return drua_fail_memory(sizeof *grown);
    r->out->calls = grown;
    script_call *call = &grown[r->out->count++];
    *call = (script_call){.line = r->line, .name = drua_copy_text(name)};
    return call->name ? take_arguments(r, call) : drua_fail_memory(strlen(name));
}

/*
 * Returns whether a statement is skipped because blocks do not need it: it starts Drua, opens or selects an image
 * or hides windows.
 */
static bool is_left_out(const char *word)
{
    static const char *const words[] = {"run", "open", "setBatchMode", "close", "selectImage", NULL};
    int i = 0;
    while (words[i] && strcmp(words[i], word))
        i++;
    return words[i];
}

/*
 * Accepts run(...) if it starts Drua's commands, closes windows or removes a selection, which a file does not have.
 * Any other command of ImageJ works on a whole image and fails.
 */
static drua_status check_run(reader *r, const script_call *call)
{
    static const char start[] = "Macro Extensions";
    const char *what = call->count ? call->arguments[0].text : NULL, *end = what ? strstr(what, start) : NULL;
    char sentence[2 * WORD + 160];
    static const char *const harmless[] = {"Close All", "Collect Garbage", "Select None", NULL};
    for (int i = 0; what && harmless[i]; i++)
        if (!strcmp(what, harmless[i]))
            return DRUA_OK;
    if (end && !end[sizeof start - 1])
        return DRUA_OK;
    snprintf(sentence, sizeof sentence,
             "run(\"%.*s\") is a command of ImageJ, which cannot run in blocks; use commands of Ext, or run it before "
             "or after the pipeline",
             WORD, what ? what : "");
    return fail_at_line(r, sentence);
}

static drua_status set_variable(reader *r, const char *name)
{
    variable *grown = drua_realloc(r->variables, (r->count + 1) * sizeof *grown);
    if (!grown)
        return drua_fail_memory(sizeof *grown);
    r->variables = grown;
    variable *v = &grown[r->count++];
    *v = (variable){.value.text = NULL};
    drua_copy_start(v->name, name, sizeof v->name);
    const char *start = r->at;
    char word[WORD];
    if (take_word(r, word) && (!strcmp(word, "getTitle") || !strcmp(word, "getImageID")) && take_character(r, '(') &&
        take_character(r, ')')) {
        v->value.text = drua_copy_text(name);
        return v->value.text ? DRUA_OK : drua_fail_memory(strlen(name));
    }
    r->at = start;
    return take_argument(r, &v->value);
}

static drua_status take_statement(reader *r)
{
    char word[WORD], sentence[2 * WORD + 100];
    const int line = r->line;
    if (!take_word(r, word))
        return fail_at_line(r, "a command is expected");
    if (!strncmp(word, "Ext.", 4)) {
        DRUA_TRY(add_call(r, word + 4));
    } else if (is_left_out(word)) {
        script_call ignored = {.line = line};
        drua_status status = take_arguments(r, &ignored);
        if (status == DRUA_OK && !strcmp(word, "run"))
            status = check_run(r, &ignored);
        free_call(&ignored);
        DRUA_TRY(status);
    } else {
        if (strcmp(word, "var") == 0)
            take_word(r, word);
        if (!take_character(r, '=')) {
            snprintf(sentence, sizeof sentence,
                     "'%s' is not possible in a pipeline: a pipeline consists only of consecutive commands of Ext, the "
                     "same for every block",
                     word);
            return fail_at_line(r, sentence);
        }
        DRUA_TRY(set_variable(r, word));
    }
    skip_blanks(r);
    return take_character(r, ';') || !*r->at ? DRUA_OK : fail_at_line(r, "';' is missing after a command");
}

drua_status script_parse(const char *text, script *s)
{
    reader r = {.at = text, .line = 1, .out = s};
    drua_status status = DRUA_OK;
    *s = (script){.calls = NULL};
    for (skip_blanks(&r); *r.at && status == DRUA_OK; skip_blanks(&r))
        status = take_statement(&r);
    for (size_t i = 0; i < r.count; i++)
        drua_free(r.variables[i].value.text);
    drua_free(r.variables);
    if (status == DRUA_OK && !s->count)
        status = drua_fail(
            DRUA_E_ARGUMENT,
            "the pipeline has no command; write commands such as Ext.Drua_gaussianBlur(image, result, 2, 2, 2);");
    if (status != DRUA_OK)
        script_free(s);
    return status;
}

void script_free(script *s)
{
    for (size_t i = 0; i < s->count; i++)
        free_call(&s->calls[i]);
    drua_free(s->calls);
    *s = (script){.calls = NULL};
}
