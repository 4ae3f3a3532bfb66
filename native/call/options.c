/* SPDX-License-Identifier: BSD-3-Clause */
/* Settings in one text, "name=value name=value", checked against the parameter's declaration. */
#include "call_parts.h"

#include "text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = DRUA_SETTING_TEXT, MAX_NUMBERS = 16 };

static const char *const truths[] = {"false", "true", "0", "1", NULL};

static bool is_same_word(const char *a, const char *b)
{
    while (*a && tolower((unsigned char)*a) == tolower((unsigned char)*b))
        a++, b++;
    return *a == *b;
}

static bool same_start(const char *a, const char *b, size_t length)
{
    while (length && tolower((unsigned char)*a) == tolower((unsigned char)*b))
        a++, b++, length--;
    return !length;
}

static const drua_param *find_setting(const drua_param *options, const char *name, size_t length)
{
    for (const drua_param *s = options->settings; s->name; s++)
        if (strlen(s->name) == length && same_start(s->name, name, length))
            return s;
    return NULL;
}

/*
 * Returns whether the text begins with a gap between words: white space or a comma. A comma before a digit or a sign
 * separates numbers instead.
 */
static bool is_gap(const char *text)
{
    return isspace((unsigned char)*text) || (*text == ',' && !strchr("0123456789+-.,", text[1] ? text[1] : ' '));
}

/* Whether the text begins with a comma and a further item of a list, as in "devices=H200,A100", but not "name=". */
static bool is_in_list(const char *text)
{
    return *text == ',' && text[1] && !isspace((unsigned char)text[1]) &&
           text[1 + strcspn(text + 1, "=, \t\r\n")] != '=';
}

/* Whether a word begins with the name of a text setting and "=". */
static bool is_text(const drua_param *options, const char *word, size_t length)
{
    const char *value = memchr(word, '=', length);
    const drua_param *s = value ? find_setting(options, word, (size_t)(value - word)) : NULL;
    return s && s->kind == DRUA_KIND_TEXT;
}

static const char *skip_gaps(const char *text)
{
    while (is_gap(text) || *text == ',')
        text++;
    return text;
}

/* The next word of the text, truncated if it is longer than any setting. */
static const char *copy_next_word(const drua_param *options, const char *text, char *word)
{
    size_t length = 0;
    text = skip_gaps(text);
    for (; *text && (!is_gap(text) || (is_in_list(text) && is_text(options, word, length))); text++)
        if (length + 1 < LONGEST)
            word[length++] = *text;
    word[length] = 0;
    return text;
}

/* Splits a word at its "=". Returns the value, or NULL. */
static const char *split_word(char *word)
{
    char *value = strchr(word, '=');
    if (value)
        *value++ = 0;
    return value;
}

static const char *const *words_of(const drua_param *setting)
{
    return setting->kind == DRUA_KIND_BOOLEAN ? truths : setting->choices;
}

/* Returns the value that a setting has if the text holds only its name, without "="; NULL if it must have "=". */
static const char *value_alone(const drua_param *setting)
{
    return setting->kind == DRUA_KIND_BOOLEAN ? "true" : setting->bare;
}

static int place_of(const char *const *words, const char *value)
{
    for (int i = 0; words[i]; i++)
        if (is_same_word(words[i], value))
            return i;
    return -1;
}

static void list_settings(drua_text *text, const drua_param *options)
{
    for (const drua_param *s = options->settings; s->name && !s->unlisted; s++)
        drua_text_add(text, "%s%s",
                      s == options->settings        ? ""
                      : s[1].name && !s[1].unlisted ? ", "
                                                    : " and ",
                      s->name);
}

/* Fails the call for a word that is not a setting, and names the most similar setting. */
static void fail_setting(drua_plan *plan, const drua_param *options, const char *word)
{
    enum { LIMIT = 64 };
    const char *names[LIMIT + 1] = {NULL};
    drua_text list = {0};
    for (int i = 0; i < LIMIT && options->settings[i].name && !options->settings[i].unlisted; i++)
        names[i] = options->settings[i].name;
    const char *alike = drua_text_most_alike(names, word);
    list_settings(&list, options);
    plan_fail(plan, "%s has no '%s'; it takes %s%s%s%s", options->name, word, drua_text_characters(&list),
              alike ? "; did you mean " : "", alike ? alike : "", alike ? "?" : "");
    drua_text_free(&list);
}

void plan_fail_choice(drua_plan *plan, const char *name, const char *const *choices, const char *given)
{
    const char *alike = drua_text_most_alike(choices, given);
    drua_text list = {0};
    for (int i = 0; choices[i]; i++)
        drua_text_add(&list, "%s%s", i ? ", " : "", choices[i]);
    plan_fail(plan, "%s must be one of %s, got '%s'%s%s%s", name, drua_text_characters(&list), given,
              alike ? "; did you mean " : "", alike ? alike : "", alike ? "?" : "");
    drua_text_free(&list);
}

static void check_word(drua_plan *plan, const drua_param *options, const drua_param *s, const char *value)
{
    char name[LONGEST];
    snprintf(name, sizeof name, "%s in %s", s->name, options->name);
    if (place_of(words_of(s), value) < 0)
        plan_fail_choice(plan, name, words_of(s), value);
}

static void check_number(drua_plan *plan, const drua_param *options, const drua_param *s, const char *value)
{
    char *end;
    const double number = strtod(value, &end);
    const bool is_integer = s->kind == DRUA_KIND_INTEGER;
    if (end == value || *end || !(number >= s->minimum && number <= s->maximum) ||
        (is_integer && number != floor(number)))
        plan_fail(plan, "%s in %s must be %s %.10g to %.10g, got '%s'", s->name, options->name,
                  is_integer ? "a whole number from" : "a number from", s->minimum, s->maximum, value);
}

/* Reads numbers separated by commas. Returns their number, or -1. */
static int read_numbers(const char *text, double *numbers, int max)
{
    for (int count = 0; count < max; text++) {
        char *end;
        numbers[count++] = strtod(text, &end);
        if (end == text || (*end && *end != ','))
            return -1;
        text = end;
        if (!*text)
            return count;
    }
    return -1;
}

static void check_numbers(drua_plan *plan, const drua_param *options, const drua_param *s, const char *value)
{
    double preset[MAX_NUMBERS], numbers[MAX_NUMBERS];
    const int count = read_numbers(s->default_text, preset, MAX_NUMBERS);
    bool right = read_numbers(value, numbers, MAX_NUMBERS) == count;
    for (int i = 0; right && i < count; i++)
        right = numbers[i] >= s->minimum && numbers[i] <= s->maximum &&
                (!s->are_integers || numbers[i] == floor(numbers[i]));
    if (!right)
        plan_fail(plan, "%s in %s must be %d %snumbers from %.10g to %.10g such as %s, got '%s'", s->name,
                  options->name, count, s->are_integers ? "whole " : "", s->minimum, s->maximum, s->default_text,
                  value);
}

/* Whether a text contains a setting. */
static bool has_setting(const drua_param *options, const char *text, const drua_param *s)
{
    char word[LONGEST];
    for (text = copy_next_word(options, text, word); *word; text = copy_next_word(options, text, word)) {
        split_word(word);
        if (find_setting(options, word, strlen(word)) == s)
            return true;
    }
    return false;
}

void plan_replace_settings(const drua_param *options, const char *text, const char *settings, drua_text *all)
{
    char word[LONGEST];
    for (const char *at = skip_gaps(text), *end = copy_next_word(options, at, word); *word;
         at = skip_gaps(end), end = copy_next_word(options, at, word)) {
        split_word(word);
        if (!has_setting(options, settings, find_setting(options, word, strlen(word)))) {
            drua_text_append(all, at, (size_t)(end - at));
            drua_text_add(all, " ");
        }
    }
    drua_text_add(all, "%s", settings);
}

void plan_check_settings(drua_plan *plan, const drua_param *options, const char *text)
{
    char word[LONGEST];
    for (text = copy_next_word(options, text, word); *word && plan->status == DRUA_OK;
         text = copy_next_word(options, text, word)) {
        const bool is_cut = strlen(word) == LONGEST - 1;
        const char *given = split_word(word);
        const drua_param *s = find_setting(options, word, strlen(word));
        const char *value = given || !s ? given : value_alone(s);
        if (!s)
            fail_setting(plan, options, word);
        else if (is_cut)
            plan_fail(plan, "%s in %s is too long; a setting may have at most %d characters with its name", s->name,
                      options->name, LONGEST - 2);
        else if (has_setting(options, text, s))
            plan_fail(plan, "%s in %s is given twice; give it once", s->name, options->name);
        else if (!value)
            plan_fail(plan, "%s in %s needs a value: write %s=value", word, options->name, s->name);
        else if (s->kind == DRUA_KIND_TEXT && !*value)
            plan_fail(plan, "%s in %s needs a value: write %s=value", word, options->name, s->name);
        else if (words_of(s))
            check_word(plan, options, s, value);
        else if (s->kind == DRUA_KIND_ARRAY_IN)
            check_numbers(plan, options, s, value);
        else if (s->kind != DRUA_KIND_TEXT)
            check_number(plan, options, s, value);
    }
}

/*
 * Finds a setting that an operation's options declare, and its value in the text. *value is NULL if the text does not
 * contain it.
 */
static const drua_param *find_setting_and_value(drua_plan *plan, const char *options, const char *name, char *word,
                                                const char **value)
{
    const drua_param *param = NULL;
    for (size_t i = 0; i < plan->op->param_count; i++)
        if (!strcmp(plan->op->params[i].name, options))
            param = &plan->op->params[i];
    const drua_param *s = param ? find_setting(param, name, strlen(name)) : NULL;
    const char *found = NULL;
    if (!s)
        plan_fail(plan, "there is no setting %s of %s", name, options);
    for (const char *at = s ? plan_text(plan, options) : "", *after = copy_next_word(param, at, word); *word;
         at = after, after = copy_next_word(param, at, word)) {
        split_word(word);
        found = is_same_word(word, name) ? at : found;
    }
    *value = NULL;
    if (found) {
        copy_next_word(param, found, word);
        *value = split_word(word);
        *value = *value ? *value : value_alone(s);
    }
    return s;
}

/* The default of a choice is its first entry. */
double plan_setting(drua_plan *plan, const char *options, const char *name)
{
    char word[LONGEST];
    const char *value;
    const drua_param *s = find_setting_and_value(plan, options, name, word, &value);
    if (!s || !value)
        return s ? s->default_value : 0;
    const int place = words_of(s) ? place_of(words_of(s), value) : 0;
    return s->choices ? place : words_of(s) ? place % 2 : strtod(value, NULL);
}

void plan_setting_numbers(drua_plan *plan, const char *options, const char *name, double *numbers)
{
    char word[LONGEST];
    const char *value;
    const drua_param *s = find_setting_and_value(plan, options, name, word, &value);
    if (s)
        read_numbers(value ? value : s->default_text, numbers, MAX_NUMBERS);
}

void plan_setting_text(drua_plan *plan, const char *options, const char *name, char text[DRUA_SETTING_TEXT])
{
    char word[LONGEST];
    const char *value;
    find_setting_and_value(plan, options, name, word, &value);
    drua_copy_start(text, value ? value : "", DRUA_SETTING_TEXT);
}
