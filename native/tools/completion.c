/* SPDX-License-Identifier: BSD-3-Clause */
#include "completion.h"

#include <drua/drua.h>

#include <string.h>

/* Returns whether an option is a setting, whose value follows '='. */
static bool is_setting(const drua_tool_option *o)
{
    return o->name[strlen(o->name) - 1] == '=';
}

/* Returns whether operations are values of a command's first argument. */
static bool takes_operation(const drua_tool_command *c)
{
    return !strncmp(c->words, "[OPERATION]", 11) || !strncmp(c->words, "PIPELINE", 8);
}

static void print_names(const drua_tool_command *commands, FILE *to)
{
    for (const drua_tool_command *c = commands; c->name; c++)
        fprintf(to, "%s%s", c == commands ? "" : " ", c->name);
}

static void print_operations(FILE *to)
{
    for (size_t i = 0; i < drua_operation_count(); i++)
        fprintf(to, "%s%s", i ? " " : "", drua_operation_name(i));
}

/* ---- bash */

/* Prints the words that may follow a command. bash completes file names where no word matches. */
static void print_bash_case(const drua_tool_command *c, FILE *to)
{
    fprintf(to, "            %s) words='--help --version", c->name);
    for (const drua_tool_option *o = c->options; o->name; o++)
        fprintf(to, " %s", o->name);
    fprintf(to, "'%s ;;\n",
            takes_operation(c)               ? "; first=$operations"
            : !strcmp(c->words, "[COMMAND]") ? "; first=$commands"
                                             : "");
}

void drua_tool_print_bash_completion(const drua_tool_command *commands, FILE *to)
{
    fputs("# bash completion for drua\n_drua()\n{\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} words='' first='' commands operations\n    commands='",
          to);
    print_names(commands, to);
    fputs("'\n    operations='", to);
    print_operations(to);
    fputs("'\n    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
          "        words=\"--help --version $commands\"\n    else\n        case ${COMP_WORDS[1]} in\n",
          to);
    for (const drua_tool_command *c = commands; c->name; c++)
        print_bash_case(c, to);
    fputs("        esac\n        if [ \"$COMP_CWORD\" -eq 2 ]; then words=\"$words $first\"; fi\n    fi\n    # The "
          "words contain no spaces.\n    # shellcheck disable=SC2207\n    COMPREPLY=($(compgen -W \"$words\" -- "
          "\"$word\"))\n    case ${COMPREPLY[0]} in\n        *=) compopt -o nospace 2>/dev/null ;;\n    "
          "esac\n}\ncomplete -o default -F _drua drua\n",
          to);
}

/* ---- zsh */

/* Prints an element of a list for zsh's _describe, 'NAME:TEXT', in single quotes. */
static void print_zsh_entry(const char *name, const char *text, FILE *to)
{
    fprintf(to, " '%s:", name);
    for (; *text; text++)
        fputs(*text == '\'' ? "'\\''" : (char[]){*text, 0}, to);
    fputc('\'', to);
}

static void print_zsh_case(const drua_tool_command *c, FILE *to)
{
    fprintf(to, "    %s)\n        options=(", c->name);
    for (const drua_tool_option *o = c->options; o->name; o++)
        if (!is_setting(o))
            print_zsh_entry(o->name, o->doc, to);
    print_zsh_entry("--help", "print the help of this command", to);
    print_zsh_entry("--version", "print the version", to);
    fputs(" )\n        settings=(", to);
    for (const drua_tool_option *o = c->options; o->name; o++)
        if (is_setting(o))
            fprintf(to, " %s", o->name);
    fprintf(to, " )\n%s        ;;\n",
            takes_operation(c)               ? "        first=( $operations )\n"
            : !strcmp(c->words, "[COMMAND]") ? "        first=( ${commands%%:*} )\n"
                                             : "");
}

void drua_tool_print_zsh_completion(const drua_tool_command *commands, FILE *to)
{
    fputs("#compdef drua\nlocal -a commands operations options settings first\ncommands=(", to);
    for (const drua_tool_command *c = commands; c->name; c++)
        print_zsh_entry(c->name, c->summary, to);
    fputs(" )\noperations=( ", to);
    print_operations(to);
    fputs(" )\nif (( CURRENT == 2 )); then\n    _describe command commands\n    return\nfi\ncase $words[2] in\n", to);
    for (const drua_tool_command *c = commands; c->name; c++)
        print_zsh_case(c, to);
    fputs("esac\n"
          "if [[ $PREFIX == -* ]]; then\n    _describe -o option options\n    return\nfi\n"
          "(( $#settings )) && compadd -S '' -- $settings\n"
          "(( CURRENT == 3 && $#first )) && compadd -- $first\n"
          "_files\n",
          to);
}
