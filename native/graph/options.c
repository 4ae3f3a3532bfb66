/* SPDX-License-Identifier: BSD-3-Clause */
/* Settings in one text, "name=value name=value", checked against what the parameter declares. */
#include "internal.h"

#include "text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 128 };

static const char *const truths[] = {"false", "true", "0", "1", NULL};

static bool same(const char *a, const char *b)
{
    while (*a && tolower((unsigned char)*a) == tolower((unsigned char)*b))
        a++, b++;
    return *a == *b;
}

/* The next word of the text, cut off where it is longer than any setting; blanks and commas stand between words. */
static const char *next(const char *text, char *word)
{
    size_t length = 0;
    while (isspace((unsigned char)*text) || *text == ',')
        text++;
    for (; *text && !isspace((unsigned char)*text) && *text != ','; text++)
        if (length + 1 < LONGEST)
            word[length++] = *text;
    word[length] = 0;
    return text;
}

/* Cuts a word at its "="; the value, or NULL. */
static char *cut(char *word)
{
    char *value = strchr(word, '=');
    if (value)
        *value++ = 0;
    return value;
}

static const drua_param *find(const drua_param *options, const char *name)
{
    for (const drua_param *s = options->settings; s->name; s++)
        if (same(s->name, name))
            return s;
    return NULL;
}

static const char *const *words_of(const drua_param *setting)
{
    return setting->kind == DRUA_KIND_BOOLEAN ? truths : setting->choices;
}

static int place_of(const char *const *words, const char *value)
{
    for (int i = 0; words[i]; i++)
        if (same(words[i], value))
            return i;
    return -1;
}

static void list(drua_text *text, const drua_param *options)
{
    for (const drua_param *s = options->settings; s->name; s++)
        drua_text_add(text, "%s%s", s == options->settings ? "" : s[1].name ? ", " : " and ", s->name);
}

static void check_word(drua_plan *plan, const drua_param *options, const drua_param *s, const char *value)
{
    drua_text words = {0};
    for (const char *const *w = words_of(s); *w; w++)
        drua_text_add(&words, "%s%s", w == words_of(s) ? "" : ", ", *w);
    if (place_of(words_of(s), value) < 0)
        plan_fail(plan, "%s in %s must be one of %s, got '%s'", s->name, options->name, drua_text_characters(&words), value);
    drua_text_free(&words);
}

static void check_number(drua_plan *plan, const drua_param *options, const drua_param *s, const char *value)
{
    char *end;
    const double number = strtod(value, &end);
    const bool whole = s->kind == DRUA_KIND_INTEGER;
    if (end == value || *end || !(number >= s->minimum && number <= s->maximum) || (whole && number != floor(number)))
        plan_fail(plan, "%s in %s must be %s %.10g to %.10g, got '%s'", s->name, options->name, whole ? "a whole number from" : "a number from",
                  s->minimum, s->maximum, value);
}

void plan_check_settings(drua_plan *plan, const drua_param *options, const char *text)
{
    char word[LONGEST];
    for (text = next(text, word); *word && plan->status == DRUA_OK; text = next(text, word)) {
        const char *value = cut(word);
        const drua_param *s = find(options, word);
        drua_text names = {0};
        list(&names, options);
        if (!value)
            plan_fail(plan, "%s must be name=value words, got '%s'", options->name, word);
        else if (!s)
            plan_fail(plan, "%s has no '%s'; it takes %s", options->name, word, drua_text_characters(&names));
        else if (words_of(s))
            check_word(plan, options, s, value);
        else
            check_number(plan, options, s, value);
        drua_text_free(&names);
    }
}

/* The last word with a name counts. Of choices the first one is the preset. */
double plan_setting(drua_plan *plan, const char *options, const char *name)
{
    const drua_param *param = NULL;
    for (size_t i = 0; i < plan->op->param_count; i++)
        if (!strcmp(plan->op->params[i].name, options))
            param = &plan->op->params[i];
    const drua_param *s = param ? find(param, name) : NULL;
    if (!s) {
        plan_fail(plan, "there is no setting %s of %s", name, options);
        return 0;
    }
    double result = s->preset;
    char word[LONGEST];
    for (const char *text = next(plan_text(plan, options), word); *word; text = next(text, word)) {
        const char *value = cut(word);
        if (!value || !same(word, name))
            continue;
        const int place = words_of(s) ? place_of(words_of(s), value) : 0;
        result = s->choices ? place : words_of(s) ? place % 2 : strtod(value, NULL);
    }
    return result;
}
