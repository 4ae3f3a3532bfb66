/* SPDX-License-Identifier: BSD-3-Clause */
#include "tool_command.h"

#include <stdarg.h>
#include <string.h>

const drua_tool_command *drua_tool_find_command(const drua_tool_command *commands, const char *name)
{
    for (const drua_tool_command *c = commands; c->name; c++)
        if (!strcmp(c->name, name))
            return c;
    return NULL;
}

const drua_tool_option *drua_tool_find_option(const drua_tool_command *command, const char *name)
{
    for (const drua_tool_option *o = command->options; o->name; o++)
        if (!strcmp(o->name, name))
            return o;
    return NULL;
}

void drua_tool_print_usage(const drua_tool_command *c, FILE *to)
{
    fprintf(to, "usage: drua%c%s%s%s%s", c->is_program ? '-' : ' ', c->name, *c->words ? " " : "", c->words,
            c->settings ? " [NAME=VALUE ...]" : "");
    bool optional = false;
    for (const drua_tool_option *o = c->options; o->name; o++) {
        if (o->needed)
            fprintf(to, " %s %s", o->name, o->value);
        optional = optional || (!o->needed && *o->name == '-');
    }
    fprintf(to, "%s\n", optional ? " [OPTION ...]" : "");
}

int drua_tool_refuse(const drua_tool_command *c, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fprintf(stderr, "drua%c%s: ", c->is_program ? '-' : ' ', c->name);
    vfprintf(stderr, format, list);
    va_end(list);
    fprintf(stderr, "\n");
    drua_tool_print_usage(c, stderr);
    fprintf(stderr,
            c->is_program ? "'drua-%s --help' explains the program.\n" : "'drua help %s' explains the command.\n",
            c->name);
    return DRUA_TOOL_USAGE;
}
