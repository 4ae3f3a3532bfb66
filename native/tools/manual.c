/* SPDX-License-Identifier: BSD-3-Clause */
#include "manual.h"

#include "variables.h"

#include <drua/drua.h>

#include <string.h>

/*
 * Prints a text with escapes for roff. roff fills lines; a line that begins with spaces, and the line after it, start
 * on a new line.
 */
static void print_roff(const char *text, FILE *to)
{
    bool was_indented = false;
    for (bool starts_line = true; *text; text++) {
        if (starts_line) {
            fputs(was_indented && *text != ' ' ? ".br\n" : "", to);
            was_indented = *text == ' ';
            fputs(*text == '.' || *text == '\'' ? "\\&" : "", to);
        }
        if (*text == '\\')
            fputs("\\e", to);
        else if (*text == '-')
            fputs("\\-", to);
        else
            fputc(*text, to);
        starts_line = *text == '\n';
    }
    fputc('\n', to);
}

/* Prints a placeholder such as "[WHAT ...]": its capital letters in italics. */
static void print_placeholder(const char *text, FILE *to)
{
    bool italic = false;
    for (; *text; text++) {
        const bool is_name = (*text >= 'A' && *text <= 'Z') || (italic && (*text == '.' || *text == '_'));
        if (is_name != italic)
            fputs(is_name ? "\\fI" : "\\fR", to);
        italic = is_name;
        fputc(*text, to);
    }
    fputs(italic ? "\\fR" : "", to);
}

static void print_option(const drua_tool_option *o, FILE *to)
{
    fputs(".TP\n\\fB", to);
    for (const char *c = o->name; *c; c++)
        fprintf(to, "%s%c", *c == '-' ? "\\" : "", *c);
    fputs("\\fR", to);
    if (o->value) {
        fputs(o->name[strlen(o->name) - 1] == '=' ? "" : " ", to);
        print_placeholder(o->value, to);
    }
    fputc('\n', to);
    print_roff(o->doc, to);
}

static void print_section(const drua_tool_command *c, FILE *to)
{
    fprintf(to, ".SS drua %s", c->name);
    if (*c->words) {
        fputc(' ', to);
        print_placeholder(c->words, to);
    }
    fputs(c->settings ? " [\\fINAME\\fR=\\fIVALUE\\fR ...]" : "", to);
    fprintf(to, "%s\n", c->options->name ? " [\\fIOPTION\\fR ...]" : "");
    print_roff(c->summary, to);
    if (*c->details) {
        fputs(".PP\n", to);
        print_roff(c->details, to);
    }
    for (const drua_tool_option *o = c->options; o->name; o++)
        print_option(o, to);
    if (c->settings == DRUA_TOOL_DECONVOLVE)
        fprintf(to, ".PP\n\\fBdrua help %s\\fR lists further settings.\n", c->name);
}

void drua_tool_print_manual(const drua_tool_command *commands, FILE *to)
{
    fprintf(to, ".TH DRUA 1 \"\" \"Drua %s\" \"User Commands\"\n", drua_version());
    fputs(".SH NAME\ndrua \\- process images on OpenCL devices\n"
          ".SH SYNOPSIS\n\\fBdrua\\fR \\fICOMMAND\\fR [\\fIARGUMENT\\fR ...]\n"
          ".SH DESCRIPTION\n"
          "\\fBdrua\\fR deconvolves images, runs pipelines on images that are larger than any memory,\n"
          "and inspects the OpenCL devices of a computer.\n"
          ".PP\n"
          "Each command prints its help with \\fB\\-\\-help\\fR and the version with \\fB\\-\\-version\\fR.\n"
          "Options and settings may come between the other arguments.\n"
          "\\-\\-NAME=VALUE is the same as \\-\\-NAME VALUE.\n"
          ".SH COMMANDS\n",
          to);
    for (const drua_tool_command *c = commands; c->name; c++)
        print_section(c, to);
    fputs(".SH ENVIRONMENT\n", to);
    for (drua_variable v = 0; v < DRUA_VARIABLES_FOR_USERS; v++) {
        fprintf(to, ".TP\n\\fB%s\\fR\n", drua_variable_name(v));
        print_roff(drua_variable_doc(v), to);
    }
    fputs(".SH EXIT STATUS\n"
          ".TP\n0\nsuccess\n"
          ".TP\n1\nfailure; standard error says why\n"
          ".TP\n2\nwrong arguments; nothing was done\n"
          ".TP\n75\na device, its memory or a disk failed, and the same command may succeed later\n"
          ".SH EXAMPLES\n"
          ".nf\n"
          "drua deconvolve image.tif psf.tif restored.tif iterations=50 accelerate\n"
          "drua process gaussian_blur in.zarr out.zarr sigma_x=2 sigma_y=2\n"
          "drua describe gaussian_blur\n"
          ".fi\n",
          to);
}
