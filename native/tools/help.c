/* SPDX-License-Identifier: BSD-3-Clause */
#include "help.h"

#include "completion.h"
#include "describe_operation.h"
#include "manual.h"

#include <drua/drua.h>

#include <string.h>

void drua_tool_print_overview(const drua_tool_command *commands, FILE *to)
{
    fprintf(to, "usage: drua COMMAND [ARGUMENT ...]\n\n");
    for (const drua_tool_command *c = commands; c->name; c++)
        fprintf(to, "  %-12s%s\n", c->name, c->summary);
    fprintf(to, "\n'drua help COMMAND' and 'drua COMMAND --help' explain a command.\n");
}

void drua_tool_print_help(const drua_tool_command *c, FILE *to)
{
    drua_tool_print_usage(c, to);
    fprintf(to, "\n%s\n%s%s", c->summary, c->details, *c->details ? "\n" : "");
    fprintf(to, "\noptions:\n");
    for (const drua_tool_option *o = c->options; o->name; o++) {
        char form[64];
        const bool is_setting = o->name[strlen(o->name) - 1] == '=';
        snprintf(form, sizeof form, "%s%s%s", o->name, o->value && !is_setting ? " " : "", o->value ? o->value : "");
        fprintf(to, "  %-30s %s%s\n", form, o->doc, o->needed ? "; always needed" : "");
    }
    fprintf(to, "  %-30s %s\n  %-30s %s\n", "--help", "print this help", "--version", "print the version");
    if (c->settings == DRUA_TOOL_DECONVOLVE) {
        fprintf(to, "\nsettings:\n");
        drua_tool_print_settings("deconvolve", to);
    }
}

int drua_tool_help(const drua_tool_command *commands, const drua_tool_command *command, int count, char **arguments)
{
    static const struct {
        const char *option;
        void (*print)(const drua_tool_command *commands, FILE *to);
    } files[] = {{"--man", drua_tool_print_manual},
                 {"--bash", drua_tool_print_bash_completion},
                 {"--zsh", drua_tool_print_zsh_completion}};
    const char *what = count > 0 ? arguments[0] : "";
    const drua_tool_command *about = drua_tool_find_command(commands, what);
    if (count > 1)
        return drua_tool_refuse(command, "give one command or one option");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (!strcmp(what, files[i].option)) {
            files[i].print(commands, stdout);
            return 0;
        }
    if (!*what)
        drua_tool_print_overview(commands, stdout);
    else if (about)
        drua_tool_print_help(about, stdout);
    else
        return drua_tool_refuse(command, "there is no command '%s'; 'drua help' lists all commands", what);
    return 0;
}

int drua_tool_version(const drua_tool_command *command, int count, char **arguments)
{
    (void)command;
    (void)count;
    (void)arguments;
    puts(drua_version());
    return 0;
}
