/* SPDX-License-Identifier: BSD-3-Clause */
#include "ome_line.h"

#include "imagej_file.h"
#include "json_checks.h"
#include "quote.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const drua_axis_names[DRUA_AXES] = {"t", "c", "z", "y", "x"};

/* Members of a group's attributes that a copy of the image does not inherit. */
static const char *const known[] = {
    "multiscales",           "omero",    "image-label",           "labels", "plate", "well", "ome", "series", "version",
    "bioformats2raw.layout", "_creator", "consolidated_metadata", NULL};

/* ---- writing */

static void add_axis(const drua_multiscales *m, drua_axis axis, double translation, drua_text *text)
{
    drua_text_add(text, "{\"axis\":\"%s\",\"name\":", drua_axis_names[axis]);
    drua_text_add_json(text, m->name[axis]);
    drua_text_add(text, ",\"type\":");
    drua_text_add_json(text, m->kind[axis]);
    drua_text_add(text, ",\"unit\":");
    drua_text_add_json(text, m->unit[axis]);
    drua_text_add(text, ",\"scale\":%.17g,\"translation\":%.17g}", m->scale[axis], translation);
}

static void add_axes(const drua_multiscales *m, const drua_zarr_range *r, drua_text *text)
{
    int count = 0;
    drua_text_add(text, "\"axes\":[");
    for (int axis = 0; axis < DRUA_AXES; axis++) {
        const int64_t first = axis == DRUA_AXIS_T   ? r->first_frame
                              : axis >= DRUA_AXIS_Z ? r->box.first[DRUA_AXIS_X - axis]
                                                    : 0;
        if (!*m->name[axis])
            continue;
        drua_text_add(text, count++ ? "," : "");
        add_axis(m, (drua_axis)axis, m->translation[axis] + (double)first * m->scale[axis], text);
    }
    drua_text_add(text, "]");
}

/* ---- members of a wrong type */

typedef struct member {
    const char *name;
    bool (*has_type)(const drua_json *value);
} member;

static bool is_text(const drua_json *value)
{
    return drua_json_text(value) != NULL;
}

static bool is_number(const drua_json *value)
{
    double number;
    return drua_json_number(value, &number);
}

static bool is_truth(const drua_json *value)
{
    bool truth;
    return drua_json_truth(value, &truth);
}

static bool is_window(const drua_json *value)
{
    static const char *const numbers[] = {"start", "end", "min", "max", NULL};
    for (int i = 0; numbers[i]; i++)
        if (drua_json_get(value, numbers[i]) && !is_number(drua_json_get(value, numbers[i])))
            return false;
    return drua_json_is_object(value);
}

static const member of_channel[] = {{"label", is_text},     {"color", is_text},     {"family", is_text},
                                    {"active", is_truth},   {"inverted", is_truth}, {"window", is_window},
                                    {"coefficient", is_number}},
                    of_omero[] = {{"rdefs", drua_json_is_object}};

enum { CHANNEL_MEMBERS = sizeof of_channel / sizeof *of_channel, OMERO_MEMBERS = sizeof of_omero / sizeof *of_omero };

/* Lists the members of a wrong type in `wrong`, which holds count + 1 names; NULL ends it. Returns their number. */
static int find_wrong(const drua_json *object, const member *members, int count, const char **wrong)
{
    int found = 0;
    for (int i = 0; i < count; i++) {
        const drua_json *value = drua_json_get(object, members[i].name);
        if (value && !members[i].has_type(value))
            wrong[found++] = members[i].name;
    }
    wrong[found] = NULL;
    return found;
}

void drua_ome_line_add_left_out(const drua_multiscales *m, drua_text *text)
{
    const drua_json *channels = drua_json_get(m->omero, "channels");
    const char *wrong[CHANNEL_MEMBERS + 1];
    if (m->omero && !drua_json_is_object(m->omero))
        drua_text_add(text, "omero");
    else if (channels && !drua_json_is_array(channels))
        drua_text_add(text, "channels");
    if (find_wrong(m->omero, of_omero, OMERO_MEMBERS, wrong))
        drua_text_add(text, "%s%s", text->length ? "; " : "", wrong[0]);
    for (int64_t c = 0; c < drua_json_length(channels); c++) {
        const drua_json *one = drua_json_at(channels, c);
        if (find_wrong(one, of_channel, CHANNEL_MEMBERS, wrong) || !drua_json_is_object(one)) {
            drua_text_add(text, "%schannel %lld", text->length ? "; " : "", (long long)c + 1);
            for (int i = 0; wrong[i]; i++)
                drua_text_add(text, "%s%s", i ? ", " : ": ", wrong[i]);
        }
    }
}

/* Adds the channels of the range; a channel without an entry gets an empty one. */
static void add_omero(const drua_json *omero, const drua_zarr_range *r, drua_text *text)
{
    const drua_json *channels = drua_json_get(omero, "channels");
    const char *wrong[CHANNEL_MEMBERS + 1], *without[OMERO_MEMBERS + 2] = {"channels"};
    int count = 1;
    if (!drua_json_is_object(omero))
        return;
    drua_text_add(text, ",\"omero\":{\"channels\":[");
    for (int64_t c = 0; c < r->channels; c++) {
        const drua_json *one = drua_json_at(channels, r->first_channel + c);
        int members = 0;
        find_wrong(one, of_channel, CHANNEL_MEMBERS, wrong);
        drua_text_add(text, c ? ",{" : "{");
        drua_json_add_members(one, wrong, NULL, &members, text);
        drua_text_add(text, "}");
    }
    drua_text_add(text, "]");
    find_wrong(omero, of_omero, OMERO_MEMBERS, without + 1);
    drua_json_add_members(omero, without, NULL, &count, text);
    drua_text_add(text, "}");
}

static void add_unknown(const char *name, const drua_json *json, drua_text *text)
{
    drua_text members = {0};
    int count = 0;
    drua_json_add_members(json, known, NULL, &count, &members);
    if (count)
        drua_text_add(text, ",\"%s\":{%s}", name, drua_text_characters(&members));
    text->failed |= members.failed;
    drua_text_free(&members);
}

static void add_position(const drua_multiscales *m, const drua_zarr_metadata *f, const drua_zarr_range *r,
                         drua_text *text)
{
    double position[3];
    bool any = false;
    for (int k = 0; k < 3; k++) {
        const drua_axis axis = (drua_axis)(DRUA_AXIS_X - k);
        const double factor = drua_unit_factor(drua_unit_to_imagej(m->unit[axis]), f->unit);
        const double first = m->translation[axis] + (double)r->box.first[k] * m->scale[axis];
        position[k] = first * (factor > 0 ? factor : 1);
        any |= position[k] != 0;
    }
    if (any)
        drua_text_add(text, "position=%.17g,%.17g,%.17g\n", position[0], position[1], position[2]);
}

void drua_ome_line_add(const drua_multiscales *m, const drua_zarr_metadata *f, const drua_zarr_range *r,
                       drua_text *text)
{
    add_position(m, f, r, text);
    if (!m->json)
        return;
    drua_text_add(text, "ome={");
    add_axes(m, r, text);
    add_omero(m->omero, r, text);
    add_unknown("attributes", m->attributes, text);
    add_unknown("ome", m->ome, text);
    drua_text_add(text, "}\n");
}

/* ---- reading */

static drua_status fail_line(const char *what)
{
    return drua_fail(DRUA_E_ARGUMENT, "the image's metadata are damaged: %s; read the image from its file again", what);
}

static bool read_number(const drua_json *axis, const char *key, double *number)
{
    return drua_json_number(drua_json_get(axis, key), number) && isfinite(*number);
}

static drua_status read_axes(const drua_json *list, drua_ome_line *line)
{
    for (int64_t i = 0; i < drua_json_length(list); i++) {
        const drua_json *one = drua_json_at(list, i);
        const char *name = drua_json_text(drua_json_get(one, "axis"));
        drua_axis axis;
        if (!name || !drua_axis_of(name, &axis) || line->axis[axis].is_present)
            return fail_line("in the line 'ome', an axis is unknown or occurs twice");
        drua_line_axis *a = &line->axis[axis];
        a->is_present = true;
        drua_json_copy(drua_json_get(one, "name"), a->name, sizeof a->name);
        drua_json_copy(drua_json_get(one, "type"), a->kind, sizeof a->kind);
        drua_json_copy(drua_json_get(one, "unit"), a->unit, sizeof a->unit);
        if (!read_number(one, "scale", &a->scale) || !read_number(one, "translation", &a->translation))
            return fail_line("in the line 'ome', scale and translation of an axis must be numbers");
    }
    return DRUA_OK;
}

drua_status drua_ome_line_read(const char *text, drua_ome_line *line)
{
    char position[200];
    double *p = line->position;
    *line = (drua_ome_line){0};
    if (drua_imagej_find(text, "position", position, sizeof position) &&
        (sscanf(position, "%lf,%lf,%lf", &p[0], &p[1], &p[2]) != 3 || !isfinite(p[0]) || !isfinite(p[1]) ||
         !isfinite(p[2])))
        return fail_line("the line 'position' must hold three numbers");
    const char *ome = drua_imagej_value(text, "ome");
    if (!ome)
        return DRUA_OK;
    DRUA_TRY(drua_json_parse("the line 'ome' of the image's metadata", ome, strcspn(ome, "\n"), &line->json));
    line->omero = drua_json_get(line->json, "omero");
    line->attributes = drua_json_get(line->json, "attributes");
    line->ome = drua_json_get(line->json, "ome");
    return read_axes(drua_json_get(line->json, "axes"), line);
}

void drua_ome_line_close(drua_ome_line *line)
{
    drua_json_free(line->json);
    line->json = NULL;
}
