/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads files of TrackMate as track lists. */
#include "track_mate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* A start tag: the characters from its name to before its ">". */
typedef struct tag {
    const char *start, *end;
} tag;

/* Finds the next start tag from *at on, and moves *at past it. Skips comments, instructions and CDATA sections. */
static bool next_tag(const char **at, tag *found)
{
    for (const char *c = *at; (c = strchr(c, '<'));) {
        const char *ending = !strncmp(c, "<!--", 4) ? "-->" : !strncmp(c, "<![CDATA[", 9) ? "]]>" : NULL;
        if (ending) {
            c = strstr(c, ending);
            if (!c)
                return false;
            continue;
        }
        const char *end = c + 1;
        for (char quote = 0; *end && (quote || *end != '>'); end++)
            if (quote ? *end == quote : *end == '"' || *end == '\'')
                quote = quote ? 0 : *end;
        if (!*end)
            return false;
        *at = end + 1;
        if (c[1] != '/' && c[1] != '?' && c[1] != '!') {
            *found = (tag){c + 1, end};
            return true;
        }
        c = end;
    }
    return false;
}

static bool has_name(tag t, const char *name)
{
    const size_t length = strlen(name);
    return (size_t)(t.end - t.start) >= length && !strncmp(t.start, name, length) &&
           strchr(" \t\r\n/>", t.start[length]);
}

/* The value of an attribute, up to its closing quote; NULL if the tag does not have the attribute. */
static const char *attribute_of(tag t, const char *name)
{
    const size_t length = strlen(name);
    char quote = 0;
    for (const char *c = t.start; c < t.end; c++) {
        if (quote) {
            quote = *c == quote ? 0 : quote;
        } else if (*c == '"' || *c == '\'') {
            quote = *c;
        } else if (strchr(" \t\r\n", *c) && !strncmp(c + 1, name, length)) {
            const char *value = c + 1 + length;
            value += strspn(value, " \t\r\n");
            if (*value != '=')
                continue;
            value++;
            value += strspn(value, " \t\r\n");
            if (value < t.end && (*value == '"' || *value == '\''))
                return value + 1;
        }
    }
    return NULL;
}

/* A number of a tag. Fails the call if the tag does not have it or it is outside its limits. */
static double number_of(drua_plan *p, tag t, const char *name, double min, double max)
{
    const char *text = attribute_of(t, name);
    char *end = NULL;
    const double number = text ? strtod(text, &end) : (double)NAN;
    if (!plan_failed(p) && (!text || end == text || (*end != '"' && *end != '\'') || !(number >= min && number <= max)))
        plan_fail(p,
                  "%s has an element %.*s whose %s is not a number from %g to %g; save the file with TrackMate again",
                  plan_text(p, "path"), (int)strcspn(t.start, " \t\r\n/>"), t.start, name, min, max);
    return plan_failed(p) ? 0 : number;
}

/* Spots by their ID, for the links. */
typedef struct spot_name {
    double id;
    int64_t spot;
} spot_name;

static int compare_names(const void *a, const void *b)
{
    const spot_name *s = a, *t = b;
    return (s->id > t->id) - (s->id < t->id);
}

static int64_t count_tags(const char *text, const char *name)
{
    int64_t count = 0;
    for (tag t; next_tag(&text, &t);)
        count += has_name(t, name);
    return count;
}

/* Whether a text ends with the end tag of the element TrackMate, and white space. */
static bool is_complete(const char *text)
{
    static const char name[] = "TrackMate";
    const char *end = strrchr(text, '<');
    if (!end || end[1] != '/' || strncmp(end + 2, name, strlen(name)))
        return false;
    end += 2 + strlen(name);
    end += strspn(end, " \t\r\n");
    return *end == '>' && !end[1 + strspn(end + 1, " \t\r\n")];
}

/*
 * Fails the call for a file of another program, for a truncated file, and for a file with a document type, which may
 * hide elements.
 */
static void check_file(drua_plan *p, const char *text)
{
    const char *path = plan_text(p, "path");
    if (count_tags(text, "TrackMate") == 0)
        plan_fail(p, "%s is not a file of TrackMate, because it has no element TrackMate; save it with TrackMate again",
                  path);
    else if (!is_complete(text))
        plan_fail(p,
                  "%s is truncated: it does not end with </TrackMate>; copy it again, or save it with TrackMate again",
                  path);
    else if (strstr(text, "<!DOCTYPE"))
        plan_fail(p, "%s has a document type, whose entities are not read; save it with TrackMate again", path);
}

static const double max_id = 9007199254740992.0, max_position = 1e9;

static track_spot read_spot(drua_plan *p, tag t, const double voxel[3], spot_name *name)
{
    static const char *const positions[] = {"POSITION_X", "POSITION_Y", "POSITION_Z"};
    const double frame = number_of(p, t, "FRAME", 0, TRACK_MAX - 1);
    track_spot s = {.frame = (int32_t)frame};
    if (frame != floor(frame))
        plan_fail(p, "%s has a spot in frame %g, which must be a whole number; save the file with TrackMate again",
                  plan_text(p, "path"), frame);
    const char *label = attribute_of(t, "name");
    char *end = NULL;
    const unsigned long given = label ? strtoul(label, &end, 10) : 0;
    name->id = number_of(p, t, "ID", 0, max_id);
    for (int axis = 0; axis < 3; axis++)
        s.at[axis] = number_of(p, t, positions[axis], -max_position, max_position) / voxel[axis];
    const double radius = attribute_of(t, "RADIUS") ? number_of(p, t, "RADIUS", 0, max_position) / voxel[0] : 0;
    s.size = radius; /* becomes the size of a disk or a ball once all spots are known */
    if (end && end > label && (*end == '"' || *end == '\'') && given <= TRACK_MAX)
        s.label = (uint32_t)given;
    else
        s.label = name->id <= TRACK_MAX ? (uint32_t)name->id : 0;
    return s;
}

/*
 * Adds a message if the number of spots differs from the number that the file states. Another program may have changed
 * the file.
 */
static void check_count(drua_plan *p, double stated, int64_t count)
{
    if (!plan_failed(p) && stated != (double)count)
        plan_add_message(p, "%s states %.0f spots (nspots), but has %lld", plan_text(p, "path"), stated,
                         (long long)count);
}

static track_graph read_spots(drua_plan *p, const char *text, const double voxel[3], spot_name **names)
{
    const int64_t max = count_tags(text, "Spot");
    track_spot *spots = plan_host_memory(p, (size_t)(max + 1) * sizeof *spots);
    *names = plan_host_memory(p, (size_t)(max + 1) * sizeof **names);
    int64_t count = 0, frames = 0;
    bool flat = true;
    for (tag t; !plan_failed(p) && next_tag(&text, &t);) {
        if (has_name(t, "AllSpots") && attribute_of(t, "nspots"))
            check_count(p, number_of(p, t, "nspots", 0, TRACK_MAX), max);
        if (!has_name(t, "Spot"))
            continue;
        spots[count] = read_spot(p, t, voxel, &(*names)[count]);
        spots[count].source = count;
        flat = flat && spots[count].at[2] == 0;
        frames = spots[count].frame >= frames ? spots[count].frame + 1 : frames;
        count++;
    }
    for (int64_t i = 0; i < count && !plan_failed(p); i++) {
        const double r = spots[i].size, deep = voxel[0] / voxel[2] * 4 / 3 * r;
        spots[i].size = pi * r * r * voxel[0] / voxel[1] * (flat ? 1 : deep);
    }
    return plan_failed(p) ? (track_graph){0} : track_of_spots(p, spots, count, frames);
}

static int32_t place_of_id(const spot_name *names, int64_t count, double id)
{
    const spot_name key = {.id = id}, *found = bsearch(&key, names, (size_t)count, sizeof *names, compare_names);
    return found ? (int32_t)found->spot : -1;
}

/* Adds a link from a spot to a later one. Returns false if the graph has no room for it. */
static bool add_link(track_graph *g, int32_t from, int32_t to)
{
    if (g->previous[to] < 0 && g->mother[to] < 0 && g->next[from] < 0 && g->into[from] < 0) {
        g->next[from] = to;
        g->previous[to] = from;
    } else if (g->previous[to] < 0 && g->mother[to] < 0) {
        g->mother[to] = from;
    } else if (g->next[from] < 0 && g->into[from] < 0) {
        g->into[from] = to;
    } else {
        return false;
    }
    return true;
}

static void read_links(drua_plan *p, const char *text, track_graph *g, spot_name *names)
{
    int64_t lost = 0;
    int32_t *place = plan_host_memory(p, (size_t)(g->count + 1) * sizeof *place);
    for (int64_t i = 0; i < g->count && place; i++)
        place[g->spots[i].source] = (int32_t)i;
    for (int64_t i = 0; i < g->count && place; i++)
        names[i].spot = place[i];
    qsort(names, (size_t)g->count, sizeof *names, compare_names);
    for (int64_t i = 1; i < g->count && !plan_failed(p); i++)
        if (names[i].id == names[i - 1].id)
            plan_fail(p, "%s has two spots with the ID %.0f; correct the file", plan_text(p, "path"), names[i].id);
    for (tag t; !plan_failed(p) && next_tag(&text, &t);) {
        if (!has_name(t, "Edge"))
            continue;
        const double ids[2] = {number_of(p, t, "SPOT_SOURCE_ID", 0, max_id),
                               number_of(p, t, "SPOT_TARGET_ID", 0, max_id)};
        int32_t from = place_of_id(names, g->count, ids[0]), to = place_of_id(names, g->count, ids[1]);
        if (!plan_failed(p) && (from < 0 || to < 0))
            plan_fail(p, "%s has a link to the spot %.0f, which it does not have; correct the file",
                      plan_text(p, "path"), from < 0 ? ids[0] : ids[1]);
        if (plan_failed(p))
            return;
        if (g->spots[from].frame > g->spots[to].frame) { /* links of TrackMate have no direction */
            const int32_t kept = from;
            from = to;
            to = kept;
        }
        lost += g->spots[from].frame == g->spots[to].frame || !add_link(g, from, to);
    }
    if (lost > 0)
        plan_add_message(p, "%lld links of %s were left out: they join spots of one frame, or both split and merge",
                         (long long)lost, plan_text(p, "path"));
}

static void build_read(drua_plan *p)
{
    static const double pixels[3] = {1, 1, 1};
    double voxel[3];
    spot_name *names;
    plan_setting_numbers(p, "options", "voxel", voxel);
    const char *text = plan_read_text(p, plan_text(p, "path"));
    if (text)
        check_file(p, text);
    if (plan_failed(p))
        return;
    track_graph g = read_spots(p, text, voxel, &names);
    if (!plan_failed(p))
        read_links(p, text, &g, names);
    if (!plan_failed(p))
        track_number(p, &g);
    track_return(p, "tracks", &g, pixels);
}

DRUA_OP(read_track_mate) = {
    .name = "read_track_mate",
    .category = "tracking",
    .summary =
        "Reads the spots and tracks of a file of TrackMate. A tree of TrackMate becomes a track for each branch.",
    .source = TRACK_MATE_FORMAT,
    .before_example = "Ext.Drua_push(getTitle());\nExt.Drua_voronoiOtsuLabeling(getTitle(), cells, 3, 1);\n"
                      "Ext.Drua_trackLabels(cells, tracked, found, 1, \"\");\n"
                      "Ext.Drua_writeTrackMate(found, getDirectory(\"temp\") + \"drua-example.xml\", \"\");",
    DRUA_PARAMS(
        {.name = "path", .doc = "file of TrackMate", .kind = DRUA_KIND_PATH, .example_text = "drua-example.xml"},
        DRUA_IMAGE_OUT("tracks", "track list; a label is the name of the spot if that is a number, otherwise its ID",
                       .type = DRUA_FLOAT32, .replaces = true, .shape = track_shape_until_read),
        TRACK_MATE_OPTIONS(TRACK_MATE_VOXEL)),
    .numeric = DRUA_EXACT,
    .build = build_read,
};
