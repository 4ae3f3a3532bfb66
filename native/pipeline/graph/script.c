/* SPDX-License-Identifier: BSD-3-Clause */
#include "script_reader.h"

#include "alloc.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

/* ---- commands */

/* Reads the arguments of a command in parentheses. */
static drua_status take_arguments(script_reader *r, script_call *call)
{
    if (!script_take_character(r, '('))
        return script_fail_at_line(r, "'(' is missing after a command");
    while (!script_take_character(r, ')')) {
        script_argument *grown = drua_realloc(call->arguments, (call->count + 1) * sizeof *grown);
        if (!grown)
            return drua_fail_memory(sizeof *grown);
        call->arguments = grown;
        DRUA_TRY(script_take_value(r, &grown[call->count++]));
        script_skip_blanks(r);
        if (*r->at != ')' && !script_take_character(r, ','))
            return script_fail_at_line(
                r, "arguments must be numbers, strings, names or their sums and products, separated by "
                   "commas; pipelines have no functions");
    }
    return DRUA_OK;
}

static void free_call(script_call *call)
{
    for (size_t i = 0; i < call->count; i++)
        drua_free(call->arguments[i].text);
    drua_free(call->arguments);
    drua_free(call->name);
}

static drua_status add_call(script_reader *r, const char *name)
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
static drua_status check_run(script_reader *r, const script_call *call)
{
    static const char start[] = "Macro Extensions";
    const char *what = call->count ? call->arguments[0].text : NULL, *end = what ? strstr(what, start) : NULL;
    char sentence[2 * SCRIPT_WORD + 160];
    static const char *const harmless[] = {"Close All", "Collect Garbage", "Select None", NULL};
    for (int i = 0; what && harmless[i]; i++)
        if (!strcmp(what, harmless[i]))
            return DRUA_OK;
    if (end && !end[sizeof start - 1])
        return DRUA_OK;
    snprintf(
        sentence, sizeof sentence,
        "run(\"%.*s\") is a command of ImageJ, which cannot run block by block; use commands of Ext, or run it before "
        "or after the pipeline",
        SCRIPT_WORD, what ? what : "");
    return script_fail_at_line(r, sentence);
}

/* Reads getTitle() or getImageID(), whose value is the name of the variable. Otherwise reads nothing. */
static bool take_title(script_reader *r)
{
    const script_reader start = *r;
    char word[SCRIPT_WORD];
    if (script_take_word(r, word) && (!strcmp(word, "getTitle") || !strcmp(word, "getImageID")) &&
        script_take_character(r, '(') && script_take_character(r, ')'))
        return true;
    *r = start;
    return false;
}

/* Gives a variable a value, which it then owns. */
static drua_status set_variable(script_reader *r, const char *name, script_argument value)
{
    script_argument *known = script_variable(r, name);
    if (known) {
        drua_free(known->text);
        *known = value;
        return DRUA_OK;
    }
    script_variable_entry *grown = drua_realloc(r->variables, (r->count + 1) * sizeof *grown);
    if (!grown) {
        drua_free(value.text);
        return drua_fail_memory(sizeof *grown);
    }
    r->variables = grown;
    script_variable_entry *v = &grown[r->count++];
    drua_copy_start(v->name, name, sizeof v->name);
    v->value = value;
    return DRUA_OK;
}

/* Reads the signs ++ or --, whose step is 1, or += or -= with the number after them. */
static drua_status take_step(script_reader *r, double *step)
{
    const char sign = *r->at++;
    script_argument a = {.is_number = true, .number = 1};
    if (*r->at++ == '=')
        DRUA_TRY(script_take_value(r, &a));
    drua_free(a.text);
    *step = sign == '+' ? a.number : -a.number;
    return a.is_number ? DRUA_OK : script_fail_at_line(r, "+= and -= need a number");
}

/* Reads the rest of an assignment after the variable's name: = value, += value, -= value, ++ or --. */
static drua_status take_assignment(script_reader *r, const char *name)
{
    static const char *const steps[] = {"++", "--", "+=", "-="};
    script_argument value = {.is_number = false};
    double step;
    script_skip_blanks(r);
    for (int i = 0; i < 4; i++) {
        if (strncmp(r->at, steps[i], 2))
            continue;
        DRUA_TRY(take_step(r, &step));
        script_argument *known = script_variable(r, name);
        if (!known || !known->is_number)
            return script_fail_at_line(r, "a variable must get a number before ++, --, += or -=");
        known->number += step;
        return DRUA_OK;
    }
    if (!script_take_character(r, '=')) {
        char sentence[2 * SCRIPT_WORD + 160];
        snprintf(sentence, sizeof sentence,
                 "'%s' is not possible in a pipeline: a pipeline consists of commands of Ext, variables and for loops, "
                 "the same for every block",
                 name);
        return script_fail_at_line(r, sentence);
    }
    if (take_title(r)) {
        value.text = drua_copy_text(name);
        if (!value.text)
            return drua_fail_memory(strlen(name));
    } else {
        const drua_status status = script_take_value(r, &value);
        if (status != DRUA_OK) {
            drua_free(value.text);
            return status;
        }
    }
    return set_variable(r, name, value);
}

/* ---- loops */

static drua_status take_statement(script_reader *r);

/* Skips to the end of a part of a loop, whose strings may hold the character `end`. */
static drua_status skip_to(script_reader *r, char end)
{
    int open = 0;
    for (script_skip_blanks(r); *r->at && (open || *r->at != end); script_skip_blanks(r)) {
        open += *r->at == '(' || *r->at == '{';
        open -= *r->at == ')' || *r->at == '}';
        if (*r->at == '"' || *r->at == '\'')
            DRUA_TRY(script_skip_text(r));
        else
            r->at++;
    }
    return script_take_character(r, end) ? DRUA_OK : script_fail_at_line(r, "a loop has no end");
}

/* Reads the statements of a loop once. */
static drua_status take_body(script_reader *r)
{
    if (!script_take_character(r, '{'))
        return take_statement(r);
    while (!script_take_character(r, '}')) {
        if (!*r->at)
            return script_fail_at_line(r, "a loop has no end");
        DRUA_TRY(take_statement(r));
    }
    return DRUA_OK;
}

static drua_status skip_body(script_reader *r)
{
    return script_take_character(r, '{') ? skip_to(r, '}') : skip_to(r, ';');
}

static void return_to(script_reader *r, const script_reader *place)
{
    r->at = place->at;
    r->line = place->line;
}

static drua_status take_variable(script_reader *r, char end)
{
    char word[SCRIPT_WORD];
    bool named = script_take_word(r, word);
    if (named && !strcmp(word, "var"))
        named = script_take_word(r, word);
    if (!named)
        return script_fail_at_line(r, "a loop is written as for (i = 1; i <= 4; i++) { ... }");
    DRUA_TRY(take_assignment(r, word));
    return script_take_character(r, end)
               ? DRUA_OK
               : script_fail_at_line(r, "a loop is written as for (i = 1; i <= 4; i++) { ... }");
}

/* Reads the rest of for (...) statement; the commands of each round follow those of the previous round. */
static drua_status take_loop(script_reader *r)
{
    enum { MAX_LOOPS = 8, MAX_ROUNDS = 10000 };
    if (r->depth >= MAX_LOOPS)
        return script_fail_at_line(r, "more than 8 loops lie inside each other");
    if (!script_take_character(r, '('))
        return script_fail_at_line(r, "'(' is missing after for");
    DRUA_TRY(take_variable(r, ';'));
    const script_reader condition = *r;
    DRUA_TRY(skip_to(r, ';'));
    const script_reader step = *r;
    DRUA_TRY(skip_to(r, ')'));
    const script_reader body = *r;
    bool goes_on;
    for (r->depth++;;) {
        return_to(r, &condition);
        DRUA_TRY(script_take_condition(r, &goes_on));
        if (!script_take_character(r, ';'))
            return script_fail_at_line(r, "the condition of a loop must compare two numbers, as in i < 4");
        return_to(r, &body);
        if (!goes_on)
            break;
        if (r->rounds++ >= MAX_ROUNDS)
            return script_fail_at_line(r, "loops have more than 10000 rounds");
        DRUA_TRY(take_body(r));
        return_to(r, &step);
        DRUA_TRY(take_variable(r, ')'));
    }
    r->depth--;
    return skip_body(r);
}

/* ---- all statements */

static drua_status take_statement(script_reader *r)
{
    char word[SCRIPT_WORD];
    const int line = r->line;
    if (!script_take_word(r, word))
        return script_fail_at_line(r, "a command is expected");
    if (!strcmp(word, "for"))
        return take_loop(r);
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
            script_take_word(r, word);
        DRUA_TRY(take_assignment(r, word));
    }
    script_skip_blanks(r);
    return script_take_character(r, ';') || !*r->at ? DRUA_OK
                                                    : script_fail_at_line(r, "';' is missing after a command");
}

drua_status script_parse(const char *text, script *s)
{
    script_reader r = {.at = text, .line = 1, .out = s};
    drua_status status = DRUA_OK;
    *s = (script){.calls = NULL};
    for (script_skip_blanks(&r); *r.at && status == DRUA_OK; script_skip_blanks(&r))
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
