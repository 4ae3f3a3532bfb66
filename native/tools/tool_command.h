/* SPDX-License-Identifier: BSD-3-Clause */
/* The type of a command, with the texts of its help. */
#ifndef DRUA_TOOLS_TOOL_COMMAND_H
#define DRUA_TOOLS_TOOL_COMMAND_H

#include "error.h"

#include <stdbool.h>
#include <stdio.h>

/** Exit status after wrong arguments. */
enum { DRUA_TOOL_USAGE = 2 };

/** An option such as "--memory", or a setting that ends with '=', such as "width=". */
typedef struct drua_tool_option {
    const char *name; /**< NULL ends a list */
    const char *value; /**< placeholder of the value in help; NULL: no value follows */
    const char *doc;
    bool needed; /**< the command fails without this option */
    bool repeats; /**< the option may be given several times */
} drua_tool_option;

/** The settings that may follow a command's words. */
typedef enum drua_tool_settings {
    DRUA_TOOL_NO_SETTINGS,
    DRUA_TOOL_LISTED_SETTINGS, /**< those of the command's options */
    DRUA_TOOL_DECONVOLVE, /**< these and the settings of the operation deconvolve */
    DRUA_TOOL_ANY_SETTINGS, /**< name=value, which the command checks */
} drua_tool_settings;

typedef struct drua_tool_command drua_tool_command;

/**
 * Runs a command and returns the exit status. Unknown options, missing words and surplus words have been refused. Words
 * come before options and settings.
 */
typedef int (*drua_tool_run)(const drua_tool_command *command, int count, char **arguments);

struct drua_tool_command {
    const char *name;
    bool is_program; /**< the program drua-NAME, not a command of drua */
    const char *words; /**< placeholders of the arguments that are not options, optional ones in brackets */
    int min, max; /**< number of these arguments */
    drua_tool_settings settings;
    const char *summary; /**< one sentence */
    const char *details; /**< further sentences; "": none */
    const drua_tool_option *options;
    drua_tool_run run;
};

/** Returns a command of a table by name, or NULL. */
const drua_tool_command *drua_tool_find_command(const drua_tool_command *commands, const char *name);

/** Returns a command's option or setting; `name` ends with '=' for a setting. NULL if the command has none. */
const drua_tool_option *drua_tool_find_option(const drua_tool_command *command, const char *name);

/** Prints the usage of a command on one line. */
void drua_tool_print_usage(const drua_tool_command *command, FILE *to);

/** Prints an error message and the command's usage to stderr. Returns DRUA_TOOL_USAGE. */
int drua_tool_refuse(const drua_tool_command *command, const char *format, ...) DRUA_PRINTF(2, 3);

#endif
