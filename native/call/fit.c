/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arguments that do not fit their parameter. They fail the call or, in commands with a CLIJ prefix, get the value that
 * CLIJ2 uses.
 */
#include "call_parts.h"

#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Adds a message about the value that CLIJ2's rule gives to an argument, unless the same message is there already. */
static void note_argument(drua_plan *plan, const drua_bound *bound, const char *format, ...) DRUA_PRINTF(3, 4);
static void note_argument(drua_plan *plan, const drua_bound *bound, const char *format, ...)
{
    enum { LIMIT = 1 << 16 };
    drua_text *lines = &plan->engine->lines;
    char text[512], line[640];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    snprintf(line, sizeof line, "%.100s: %s\n", bound->clij2, text);
    if (lines->length < LIMIT && !strstr(drua_text_characters(lines), line))
        drua_text_add(lines, "%s", line);
}

static bool is_one_of(const int *only, double number)
{
    while (*only >= 0 && *only != number)
        only++;
    return *only >= 0;
}

void plan_fit_number(drua_plan *plan, const drua_param *param, drua_bound *bound)
{
    const double given = bound->number;
    const bool flag = param->kind == DRUA_KIND_BOOLEAN, integer = param->kind == DRUA_KIND_INTEGER;
    const double fits = flag ? given != 0 : integer ? trunc(given) : given;
    if (fits == given)
        return;
    if (!bound->clij2) {
        plan_fail(plan, "%s must be %s, got %.10g", param->name, flag ? "0 (false) or 1 (true)" : "a whole number",
                  given);
        return;
    }
    bound->number = fits;
    note_argument(plan, bound,
                  flag ? "%s is neither 0 nor 1, so it counts as 1, as in CLIJ2"
                       : "%s is not a whole number, so digits after the decimal point are dropped, as in CLIJ2",
                  param->name);
}

double plan_whole_number(drua_plan *plan, const char *name, double number)
{
    const drua_param whole = {.name = name, .kind = DRUA_KIND_INTEGER};
    drua_bound bound = {.number = number, .clij2 = plan->bound[plan_find(plan, name)].clij2};
    plan_fit_number(plan, &whole, &bound);
    return trunc(number);
}

void plan_fit_only(drua_plan *plan, const drua_param *param, drua_bound *bound)
{
    if (is_one_of(param->only, bound->number))
        return;
    drua_text list = {0};
    for (const int *value = param->only; *value >= 0; value++)
        drua_text_add(&list, "%s%d", value == param->only ? "" : value[1] < 0 ? " or " : ", ", *value);
    if (bound->clij2)
        note_argument(plan, bound, "%s should be %s; %.10g counts as %.10g, as in CLIJ2", param->name,
                      drua_text_characters(&list), bound->number, param->default_value);
    else
        plan_fail(plan, "%s must be %s, got %.10g", param->name, drua_text_characters(&list), bound->number);
    bound->number = param->default_value;
    drua_text_free(&list);
}

static int number_of(const char *const *choices, const char *word)
{
    for (int i = 0; choices[i]; i++)
        if (drua_text_distance(choices[i], word) == 0)
            return i;
    return -1;
}

void plan_fit_choice(drua_plan *plan, const drua_param *param, drua_bound *bound)
{
    int chosen = number_of(param->choices, bound->text);
    if (chosen < 0 && bound->clij2 && param->otherwise) {
        const char *alike = drua_text_most_alike(param->choices, bound->text);
        note_argument(plan, bound, "%s '%.100s' does not exist, so %s is used, as in CLIJ2%s%s%s", param->name,
                      bound->text, param->otherwise, alike ? "; did you mean " : "", alike ? alike : "",
                      alike ? "?" : "");
        chosen = number_of(param->choices, param->otherwise);
    }
    if (chosen < 0) {
        plan_fail_choice(plan, param->name, param->choices, bound->text);
        return;
    }
    bound->number = chosen;
    bound->text = param->choices[chosen];
}
