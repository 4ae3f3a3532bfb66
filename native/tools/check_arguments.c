/* SPDX-License-Identifier: BSD-3-Clause */
#include "check_arguments.h"

#include "describe_operation.h"
#include "help.h"
#include "text.h"

#include <drua/drua.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NAMES = 64 };

/* Arguments by kind, in the order of the command line. */
typedef struct sorted {
    char **words, **rest; /* rest: options with their values, and settings */
    int word_count, rest_count;
} sorted;

static bool is_among(const char *name, int count, char **arguments)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(arguments[i], name))
            return true;
    return false;
}

/* Refuses an option or a setting. The error message names the most similar one. */
static int refuse_option(const drua_tool_command *c, const char *word)
{
    const char *names[MAX_NAMES + 1] = {NULL};
    char name[200], setting[64] = "";
    const size_t length = strcspn(word, "=");
    int count = 0;
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    for (const drua_tool_option *o = c->options; o->name && count < MAX_NAMES; o++)
        names[count++] = o->name;
    if (c->settings == DRUA_TOOL_DECONVOLVE && *word != '-')
        drua_tool_near_setting("deconvolve", name, setting, sizeof setting);
    const char *near = *setting ? setting : drua_text_most_alike(names, name);
    return drua_tool_refuse(c, "there is no option '%s'%s%s%s", name, near ? "; did you mean '" : "", near ? near : "",
                            near ? "'?" : "");
}

/* Returns whether the command has the setting that a word sets: name=value, or a name alone. */
static bool is_setting(const drua_tool_command *c, const char *word)
{
    char name[64];
    const size_t length = strcspn(word, "=");
    if (c->settings == DRUA_TOOL_ANY_SETTINGS)
        return length > 0 && word[length] == '=';
    snprintf(name, sizeof name, "%.*s", (int)length + (word[length] == '='), word);
    return drua_tool_find_option(c, name) ||
           (c->settings == DRUA_TOOL_DECONVOLVE && drua_tool_has_setting("deconvolve", word, length));
}

/* Whether a setting of the same name comes before a word NAME=VALUE. */
static bool is_set(const sorted *s, const char *word)
{
    const size_t length = strcspn(word, "=") + 1;
    for (int i = 0; i < s->rest_count; i++)
        if (strlen(s->rest[i]) >= length && !strncmp(s->rest[i], word, length))
            return true;
    return false;
}

/* Sorts an option and its value, which is the next argument or follows '='. */
static int sort_option(const drua_tool_command *c, int *i, int count, char **arguments, sorted *s)
{
    char *word = arguments[*i], *equals = strncmp(word, "--", 2) ? NULL : strchr(word, '=');
    if (equals)
        *equals = 0;
    const drua_tool_option *option = drua_tool_find_option(c, word);
    if (!option)
        return refuse_option(c, word);
    if (option->value && !option->repeats && is_among(word, s->rest_count, s->rest))
        return drua_tool_refuse(c, "the option '%s' is given twice; give it once", word);
    s->rest[s->rest_count++] = word;
    if (!option->value && equals)
        return drua_tool_refuse(c, "the option '%s' takes no value", word);
    if (!option->value)
        return 0;
    if (!equals && ++*i == count)
        return drua_tool_refuse(c, "the option '%s' needs a value: %s %s", word, word, option->value);
    char *value = equals ? equals + 1 : arguments[*i];
    if (!*value)
        return drua_tool_refuse(c, "the value of '%s' is empty; write %s %s", word, word, option->value);
    s->rest[s->rest_count++] = value;
    return 0;
}

/* Returns the listed setting NAME= that a word leaves empty; NULL if the word is something else. */
static const drua_tool_option *find_empty(const drua_tool_command *c, const char *word)
{
    const size_t length = strlen(word);
    return length > 1 && word[length - 1] == '=' ? drua_tool_find_option(c, word) : NULL;
}

/* Returns 0, or the exit status after a refusal. Increments *i for an option's value. */
static int sort_argument(const drua_tool_command *c, int *i, int count, char **arguments, sorted *s)
{
    char *word = arguments[*i];
    if (*word == '-') {
        return sort_option(c, i, count, arguments, s);
    } else if (s->word_count < c->max) {
        s->words[s->word_count++] = word;
    } else if (!c->settings) {
        return drua_tool_refuse(c, "the argument '%s' is one too many", word);
    } else if (!is_setting(c, word)) {
        return refuse_option(c, word);
    } else if (find_empty(c, word)) {
        return drua_tool_refuse(c, "the value of '%s' is empty; write %s%s", word, word, find_empty(c, word)->value);
    } else if (strchr(word, '=') && is_set(s, word)) {
        return drua_tool_refuse(c, "the setting '%.*s' is given twice; give it once", (int)strcspn(word, "="), word);
    } else {
        s->rest[s->rest_count++] = word;
    }
    return 0;
}

/* Names the first placeholder whose argument is empty or missing, and each option that is missing. */
static int check_missing(const drua_tool_command *c, const sorted *s)
{
    const char *word = c->words;
    for (int i = 0; i < s->word_count; i++) {
        if (!*s->words[i])
            return drua_tool_refuse(c, "the argument %.*s is empty", (int)strcspn(word, " "), word);
        word += strcspn(word, " ") + (word[strcspn(word, " ")] == ' ');
    }
    if (s->word_count < c->min)
        return drua_tool_refuse(c, "the argument %.*s is missing", (int)strcspn(word, " "), word);
    for (const drua_tool_option *o = c->options; o->name; o++)
        if (o->needed && !is_among(o->name, s->rest_count, s->rest))
            return drua_tool_refuse(c, "the option %s %s is missing", o->name, o->value);
    return 0;
}

int drua_tool_start(const drua_tool_command *c, int count, char **arguments)
{
    if (is_among("--help", count, arguments) || is_among("-h", count, arguments)) {
        drua_tool_print_help(c, stdout);
        return 0;
    }
    if (is_among("--version", count, arguments)) {
        puts(drua_version());
        return 0;
    }
    const size_t max = 2 * (size_t)count + 1; /* an argument may hold an option and its value */
    sorted s = {.words = calloc(max, sizeof *s.words), .rest = calloc(max, sizeof *s.rest)};
    int status = s.words && s.rest ? 0 : 1;
    for (int i = 0; i < count && !status; i++)
        status = sort_argument(c, &i, count, arguments, &s);
    if (!status)
        status = check_missing(c, &s);
    if (!status) {
        memcpy(s.words + s.word_count, s.rest, (size_t)s.rest_count * sizeof *s.rest);
        status = c->run(c, s.word_count + s.rest_count, s.words);
    }
    free(s.words);
    free(s.rest);
    return status;
}
