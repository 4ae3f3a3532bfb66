/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Corrects the metadata of a result about its channel. If the result is a mask or comes from two channels, the metadata
 * of its first image do not fit.
 */
#include "recorder.h"

#include "json.h"
#include "quote.h"
#include "text.h"

#include <string.h>

/* The value of the line "ome=" of a text (ome_line.h); NULL without such a line. The caller frees it. */
static drua_json *read_ome(const char *text)
{
    drua_json *json = NULL;
    const char *line = text && strncmp(text, "ome=", 4) ? strstr(text, "\nome=") : text;
    if (line)
        line += *line == '\n' ? 5 : 4;
    if (line && drua_json_parse("metadata", line, strcspn(line, "\n"), &json) != DRUA_OK)
        json = NULL;
    return json;
}

/* The label of the only channel; "" if it is unknown or a number, which other channels have too. */
static const char *label_of(const drua_json *ome)
{
    const drua_json *channels = drua_json_get(drua_json_get(ome, "omero"), "channels");
    const char *label =
        drua_json_length(channels) == 1 ? drua_json_text(drua_json_get(drua_json_at(channels, 0), "label")) : NULL;
    return label && strspn(label, "0123456789") < strlen(label) ? label : "";
}

static bool makes_mask(const drua_op *op)
{
    return op->category && !(op->traits & DRUA_KEEPS_LABELS) &&
           (!strcmp(op->category, "threshold") || !strcmp(op->category, "comparison") ||
            !strcmp(op->category, "binary"));
}

/* Adds the channels without some members, with a label for all of them unless it is NULL. */
static void add_channels(const drua_json *omero, const char *const *without, const char *label, drua_text *to)
{
    static const char *const known[] = {"channels", NULL};
    const drua_json *channels = drua_json_get(omero, "channels");
    int others = 1;
    drua_text_add(to, "\"omero\":{\"channels\":[");
    for (int64_t c = 0; c < drua_json_length(channels); c++) {
        int count = 0;
        drua_text_add(to, c ? ",{" : "{");
        drua_json_add_members(drua_json_at(channels, c), without, NULL, &count, to);
        if (label) {
            drua_text_add(to, "%s\"label\":", count ? "," : "");
            drua_text_add_json(to, label);
        }
        drua_text_add(to, "}");
    }
    drua_text_add(to, "]");
    drua_json_add_members(omero, known, NULL, &others, to);
    drua_text_add(to, "}");
}

/* Copies a text without the display of its channels. */
static void copy_without(const char *text, const drua_json *ome, const char *const *without, const char *label,
                         drua_text *to)
{
    static const char *const omero[] = {"omero", NULL};
    const char *const lines[] = {"min=", "max=", label ? "lut=" : "max=", "ome="};
    int count = 0;
    for (const char *line = text, *end; *line; line = end) {
        bool kept = true;
        end = line + strcspn(line, "\n");
        end += *end == '\n';
        for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
            kept = kept && strncmp(line, lines[i], strlen(lines[i])) != 0;
        if (kept)
            drua_text_append(to, line, (size_t)(end - line));
    }
    if (to->length && drua_text_characters(to)[to->length - 1] != '\n')
        drua_text_add(to, "\n");
    if (!ome)
        return;
    drua_text_add(to, "ome={");
    drua_json_add_members(ome, omero, NULL, &count, to);
    if (drua_json_is_object(drua_json_get(ome, "omero"))) {
        drua_text_add(to, count ? "," : "");
        add_channels(drua_json_get(ome, "omero"), without, label, to);
    }
    drua_text_add(to, "}\n");
}

drua_status recorder_set_channel(graph *g, const drua_op *op, const int *images, int result)
{
    static const char *const window[] = {"window", NULL}, *const all[] = {"label", "color", "window", NULL};
    const char *text = g->values[result].text;
    drua_json *ome = read_ome(text), *other = NULL;
    drua_text to = {0}, both = {0};
    const char *first = label_of(ome);
    for (size_t i = 0; i < op->param_count && *first && !both.length && !(op->traits & DRUA_KEEPS_LABELS); i++)
        if (op->params[i].kind == DRUA_KIND_IMAGE_IN && images[i] != GRAPH_NONE) {
            other = read_ome(g->values[images[i]].text);
            const char *second = label_of(other);
            if (*second && strcmp(first, second))
                drua_text_add(&both, "%s, %s", first, second);
            drua_json_free(other);
        }
    if (text && (makes_mask(op) || both.length))
        copy_without(text, ome, both.length ? all : window, both.length ? drua_text_characters(&both) : NULL, &to);
    /* distance maps are binary operations too */
    if (to.length && makes_mask(op) &&
        (strcmp(op->category, "binary") || g->values[result].image->type != DRUA_FLOAT32))
        drua_text_add(&to, "min=0\nmax=1\n");
    drua_status status = to.failed || both.failed ? drua_fail_memory(to.length) : DRUA_OK;
    if (status == DRUA_OK && to.length)
        status = recorder_set_text(g, result, drua_text_characters(&to));
    drua_json_free(ome);
    drua_text_free(&to);
    drua_text_free(&both);
    return status;
}
