/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line: finds the command in the table of commands and starts it. */
#include "check_arguments.h"
#include "command_table.h"
#include "help.h"
#include "text.h"

#include <drua/drua.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#include "windows_text.h"

#include <stdbool.h>
#include <windows.h>

#include <shellapi.h>
#endif

#if defined(_WIN32)
/* Windows passes arguments and shows text in the machine's local encoding; this function switches both to UTF-8. */
static void speak_utf8(int *count, char ***arguments)
{
    enum { LIMIT = 4096 };
    int wide_count = 0;
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &wide_count);
    char **narrow = calloc((size_t)wide_count + 1, sizeof *narrow);
    bool whole = wide && narrow;
    for (int i = 0; whole && i < wide_count; i++)
        whole = (narrow[i] = malloc(LIMIT)) && drua_narrow(wide[i], narrow[i], LIMIT);
    if (whole) {
        *count = wide_count;
        *arguments = narrow;
    }
    SetConsoleOutputCP(CP_UTF8);
}
#else
static void speak_utf8(int *count, char ***arguments)
{
    (void)count;
    (void)arguments;
}
#endif

static int refuse_command(const char *name)
{
    enum { LIMIT = 32 };
    const char *names[LIMIT + 1] = {NULL};
    for (int i = 0; i < LIMIT && drua_tool_commands[i].name; i++)
        names[i] = drua_tool_commands[i].name;
    if (!strcmp(name, "bench")) {
        fprintf(stderr, "benchmarks are a separate program, drua-bench, which is built from source\n");
        return DRUA_TOOL_USAGE;
    }
    const char *similar = drua_text_most_alike(names, name); /* windows.h defines `near` */
    fprintf(stderr, "there is no command '%s'%s%s%s\n", name, similar ? "; did you mean '" : "",
            similar ? similar : "", similar ? "'?" : "");
    drua_tool_print_overview(drua_tool_commands, stderr);
    return DRUA_TOOL_USAGE;
}

int main(int count, char **arguments)
{
    speak_utf8(&count, &arguments);
    if (count < 2) {
        drua_tool_print_overview(drua_tool_commands, stderr);
        return DRUA_TOOL_USAGE;
    }
    const char *name = arguments[1];
    if (!strcmp(name, "--help") || !strcmp(name, "-h"))
        name = "help";
    else if (!strcmp(name, "--version"))
        name = "version";
    const drua_tool_command *command = drua_tool_find_command(drua_tool_commands, name);
    return command ? drua_tool_start(command, count - 2, arguments + 2) : refuse_command(name);
}
