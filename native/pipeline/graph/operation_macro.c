/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts one operation with its settings to a macro. */
#include "graph.h"

#include "block_settings.h"
#include "error.h"
#include "quote.h"
#include "registry.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool find_setting(const char *text, const char *name, setting *s)
{
    while (setting_next(&text, s))
        if (s->name_length == strlen(name) && !strncmp(s->name, name, s->name_length))
            return true;
    return false;
}

/* Fails if a setting is given twice, because only one of its values could count. */
static drua_status check_repetitions(const drua_op *op, const char *settings)
{
    setting s, later;
    while (setting_next(&settings, &s)) {
        const char *rest = settings;
        while (setting_next(&rest, &later))
            if (later.name_length == s.name_length && !strncmp(later.name, s.name, s.name_length))
                return drua_fail(DRUA_E_ARGUMENT, "%s: %.*s is given twice; give it once", op->name, (int)s.name_length,
                                 s.name);
    }
    return DRUA_OK;
}

static bool is_parameter(const drua_op *op, const setting *s)
{
    for (size_t i = 0; i < op->param_count; i++)
        if (op->params[i].kind != DRUA_KIND_OPTIONS && strlen(op->params[i].name) == s->name_length &&
            !strncmp(op->params[i].name, s->name, s->name_length))
            return true;
    return false;
}

/* Adds the settings that are not parameters to the operation's options. */
static drua_status add_options(const drua_op *op, const char *settings, bool takes, drua_text *call)
{
    setting s;
    drua_text options = {0};
    while (setting_next(&settings, &s))
        if (!is_parameter(op, &s)) {
            if (!takes) {
                drua_text_free(&options);
                return drua_fail(DRUA_E_ARGUMENT, "%s has no parameter '%.*s'; 'drua describe' lists its parameters",
                                 op->name, (int)s.name_length, s.name);
            }
            drua_text_append(&options, s.name, s.value ? (size_t)(s.value + s.length - s.name) : s.name_length);
            drua_text_add(&options, " ");
        }
    if (takes)
        drua_text_add_macro(call, drua_text_characters(&options), options.length);
    call->failed |= options.failed;
    drua_text_free(&options);
    return DRUA_OK;
}

/* Adds a number with the digits that the user gave. */
static drua_status add_number(const drua_op *op, const drua_param *param, const setting *s, drua_text *call)
{
    char text[64], *end;
    snprintf(text, sizeof text, "%.*s", (int)s->length, s->value);
    const bool truth = param->kind == DRUA_KIND_BOOLEAN && (!strcmp(text, "true") || !strcmp(text, "false"));
    strtod(text, &end);
    if (!truth && (s->length >= sizeof text || end == text || *end))
        return drua_fail(DRUA_E_ARGUMENT, "%s: %s must be a number, got '%.*s'", op->name, param->name, (int)s->length,
                         s->value);
    drua_text_add(call, "%s", text);
    return DRUA_OK;
}

static drua_status add_parameter(const drua_op *op, const drua_param *param, bool first, const char *settings,
                                 drua_text *before, drua_text *call)
{
    setting s;
    const bool given = find_setting(settings, param->name, &s) && s.value;
    if (param->kind == DRUA_KIND_IMAGE_IN && !first) {
        if (!given)
            return drua_fail(DRUA_E_ARGUMENT, "%s needs %s=FILE: %s", op->name, param->name, param->doc);
        drua_text_add(before, "Ext.Drua_read(");
        drua_text_add_macro(before, s.value, s.length);
        drua_text_add(before, ", %s);\n", param->name);
    }
    if (param->kind == DRUA_KIND_OPTIONS)
        return add_options(op, settings, true, call);
    if (param->kind == DRUA_KIND_IMAGE_IN || param->kind == DRUA_KIND_IMAGE_OUT) {
        drua_text_add(call, "%s", first ? "input" : param->kind == DRUA_KIND_IMAGE_OUT ? "result" : param->name);
    } else if (drua_kind_is_text(param->kind)) {
        const char *text = given ? s.value : param->default_text ? param->default_text : "";
        drua_text_add_macro(call, text, given ? s.length : strlen(text));
    } else if (given) {
        return add_number(op, param, &s, call);
    } else {
        drua_text_add(call, "%.17g", param->default_value);
    }
    return DRUA_OK;
}

/* Finds a command by the operation's name, or by the command's name without its prefix. */
static const drua_command_entry *command_of(const char *name, size_t length)
{
    for (size_t i = 0; drua_command_at(i); i++) {
        const drua_command_entry *e = drua_command_at(i);
        if (strncmp(e->name, "Drua_", 5))
            continue;
        if ((strlen(e->op->name) == length && !strncmp(e->op->name, name, length)) ||
            (strlen(e->name + 5) == length && !strncmp(e->name + 5, name, length)))
            return e;
    }
    return NULL;
}

drua_status graph_macro_of(const char *operation, char **macro)
{
    const char *at = operation;
    setting s;
    drua_text before = {0}, call = {0}, dummy = {0};
    *macro = NULL;
    const drua_command_entry *entry = setting_next(&at, &s) && !s.value ? command_of(s.name, s.name_length) : NULL;
    if (!entry)
        return drua_fail(DRUA_E_ARGUMENT,
                         "the pipeline '%.200s' is neither a file of commands nor an operation with settings, such as "
                         "gaussian_blur sigma_x=2; check the path or the name",
                         operation);
    const drua_op *op = entry->op;
    bool first = true, options = false;
    drua_status status = check_repetitions(op, at);
    drua_text_add(&before, "Ext.Drua_push(input);\n");
    drua_text_add(&call, "Ext.%s(", entry->name);
    for (size_t k = 0; k < entry->argument_count && status == DRUA_OK; k++) {
        const drua_command_argument *a = &entry->arguments[k];
        if (a->fixed)
            continue;
        if (call.characters[call.length - 1] != '(')
            drua_text_add(&call, ", ");
        if (a->param < 0) {
            drua_text_add(&call, "0");
            continue;
        }
        const drua_param *param = &op->params[a->param];
        options |= param->kind == DRUA_KIND_OPTIONS;
        status = add_parameter(op, param, first && param->kind == DRUA_KIND_IMAGE_IN, at, &before, &call);
        first = first && param->kind != DRUA_KIND_IMAGE_IN;
    }
    if (status == DRUA_OK && !options)
        status = add_options(op, at, false, &dummy);
    drua_text_add(&before, "%s);\nExt.Drua_pull(result);\n", drua_text_characters(&call));
    if (status == DRUA_OK && (before.failed || call.failed))
        status = drua_fail_memory(before.length);
    if (status == DRUA_OK)
        *macro = before.characters;
    else
        drua_text_free(&before);
    drua_text_free(&call);
    drua_text_free(&dummy);
    return status;
}
