/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the lines of drua_describe(), which has one line for each operation. */
#include "describe_operation.h"

#include "text.h"
#include "tool_command.h"

#include <drua/drua.h>

#include <stdlib.h>
#include <string.h>

/* A parameter of an operation, or a setting of its options. */
typedef struct entry {
    char name[64], doc[600], kind[32], unit[32], min[32], max[32], preset[128], choices[300];
    bool is_setting;
} entry;

/* Position in the line of an operation. */
typedef struct reader {
    const char *at;
    bool in_settings;
} reader;

/* Returns an operation's line as a text that the caller frees; NULL if there is no such operation. */
static char *copy_line(const char *operation)
{
    drua_text start = {0};
    drua_text_add(&start, "{\"name\":\"%s\",\"category\":", operation);
    const char *at = strstr(drua_describe(), drua_text_characters(&start));
    drua_text_free(&start);
    if (!at)
        return NULL;
    const size_t length = strcspn(at, "\n");
    char *line = malloc(length + 1);
    if (line)
        drua_copy_start(line, at, length + 1);
    return line;
}

/* Copies the value of a key: characters of a text, digits of a number, "" for null, words of an array. */
static void copy_value(const char *at, const char *key, char *value, size_t size)
{
    char quoted[40];
    size_t used = 0;
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    at = strstr(at, quoted);
    *value = 0;
    if (!at || !strncmp(at += strlen(quoted), "null", 4))
        return;
    const char open = *at;
    if (open == '"' || open == '[')
        at++;
    for (; *at && used + 1 < size; at++) {
        if ((open == '"' && *at == '"') || (open == '[' && *at == ']') || (open != '"' && open != '[' && *at == ','))
            break;
        if (*at == '\\' && at[1])
            at++;
        else if (open == '[' && *at == '"')
            continue;
        value[used++] = *at;
    }
    value[used] = 0;
    if (open != '"' && open != '[' && strcmp(value, "true") != 0 && strcmp(value, "false") != 0)
        snprintf(value, size, "%.6g", strtod(value, NULL));
}

/* Reads the next parameter or setting; returns false at the end. */
static bool read_entry(reader *r, entry *e)
{
    const char *begin = strstr(r->at, "{\"name\":\""), *end;
    if (!begin || !(end = strstr(begin, "\"settings\":[")))
        return false;
    copy_value(begin, "name", e->name, sizeof e->name);
    copy_value(begin, "doc", e->doc, sizeof e->doc);
    copy_value(begin, "kind", e->kind, sizeof e->kind);
    copy_value(begin, "unit", e->unit, sizeof e->unit);
    copy_value(begin, "min", e->min, sizeof e->min);
    copy_value(begin, "max", e->max, sizeof e->max);
    copy_value(begin, "default", e->preset, sizeof e->preset);
    copy_value(begin, "choices", e->choices, sizeof e->choices);
    e->is_setting = r->in_settings;
    r->at = end + strlen("\"settings\":[");
    if (*r->at == '{')
        r->in_settings = true;
    else if (!strncmp(r->at, "]}]}", 4))
        r->in_settings = false;
    return true;
}

/* Returns a kind of parameters in words. */
static const char *name_kind(const char *kind)
{
    static const char *const words[][2] = {{"image_in", "image"},
                                           {"image_out", "new image"},
                                           {"image_inout", "image that changes"},
                                           {"array_in", "array"},
                                           {"images", "list of images"},
                                           {"number_out", "number that is returned"},
                                           {"text_out", "text that is returned"},
                                           {"table_out", "table that is returned"},
                                           {"path", "name of a file"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(kind, words[i][0]))
            return words[i][1];
    return kind;
}

static void print_entry(const entry *e, int indent, FILE *to)
{
    fprintf(to, "%*s%-*s %s (%s", indent, "", 24 - indent, e->name, e->doc, name_kind(e->kind));
    if (*e->choices)
        fprintf(to, ": %s", e->choices);
    if (*e->min && *e->max)
        fprintf(to, ", %s to %s", e->min, e->max);
    if (*e->unit)
        fprintf(to, " in %s", e->unit);
    if (*e->preset)
        fprintf(to, ", default %s", e->preset);
    fprintf(to, ")\n");
}

/* Reads the parameters of a line: the array that follows "parameters". */
static reader read_parameters(const char *line)
{
    const char *at = strstr(line, "\"parameters\":[");
    return (reader){at ? at : "", false};
}

static int print_operation(const char *line)
{
    char name[64], category[64], summary[600];
    entry e;
    copy_value(line, "name", name, sizeof name);
    copy_value(line, "category", category, sizeof category);
    copy_value(line, "summary", summary, sizeof summary);
    printf("%s (%s)\n%s\n\n", name, category, summary);
    for (reader r = read_parameters(line); read_entry(&r, &e);)
        print_entry(&e, e.is_setting ? 4 : 2, stdout);
    return 0;
}

static int refuse_operation(const drua_tool_command *command, const char *name)
{
    const size_t count = drua_operation_count();
    const char **names = calloc(count + 1, sizeof *names);
    for (size_t i = 0; names && i < count; i++)
        names[i] = drua_operation_name(i);
    const char *near = names ? drua_text_most_alike(names, name) : NULL;
    free(names);
    return drua_tool_refuse(command, "there is no operation '%s'; %s%s%s", name,
                            near ? "did you mean '" : "'drua describe' lists all operations", near ? near : "",
                            near ? "'?" : "");
}

int drua_tool_describe(const drua_tool_command *command, int count, char **arguments)
{
    if (!count) {
        fputs(drua_describe(), stdout);
        return 0;
    }
    char *line = copy_line(arguments[0]);
    if (!line)
        return refuse_operation(command, arguments[0]);
    const int status = print_operation(line);
    free(line);
    return status;
}

void drua_tool_print_settings(const char *operation, FILE *to)
{
    entry e;
    char *line = copy_line(operation);
    for (reader r = read_parameters(line ? line : ""); read_entry(&r, &e);)
        if (e.is_setting)
            print_entry(&e, 2, to);
    free(line);
}

bool drua_tool_has_setting(const char *operation, const char *name, size_t length)
{
    entry e;
    bool found = false;
    char *line = copy_line(operation);
    for (reader r = read_parameters(line ? line : ""); !found && read_entry(&r, &e);)
        found = e.is_setting && strlen(e.name) == length && !strncmp(e.name, name, length);
    free(line);
    return found;
}

void drua_tool_near_setting(const char *operation, const char *name, char *near, size_t size)
{
    entry e;
    size_t min = strlen(name) / 2 + 1;
    char *line = copy_line(operation);
    *near = 0;
    for (reader r = read_parameters(line ? line : ""); read_entry(&r, &e);) {
        const size_t distance = drua_text_distance(e.name, name);
        if (e.is_setting && distance < min) {
            min = distance;
            drua_copy_start(near, e.name, size);
        }
    }
    free(line);
}
