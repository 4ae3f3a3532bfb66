/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads files of TrackMate as track lists. */
#include "mate_tags.h"
#include "track_mate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static const double max_id = 9007199254740992.0, max_position = 1e9;

/* ---- the spots that TrackMate shows */

typedef struct spot_name {
    double id;
    int64_t spot;
    bool hidden; /* by TrackMate's filters of spots or tracks */
} spot_name;

typedef struct name_list {
    spot_name *names; /* in the order of their IDs */
    int64_t count, hidden;
    double *tracks; /* IDs of the tracks that TrackMate's filters keep, in order */
    int64_t track_count; /* -1: the file does not list them */
} name_list;

static int compare_numbers(const void *a, const void *b)
{
    const double *s = a, *t = b;
    return (*s > *t) - (*s < *t);
}

static int compare_names(const void *a, const void *b)
{
    return compare_numbers(&((const spot_name *)a)->id, &((const spot_name *)b)->id);
}

static spot_name *find_name(const name_list *list, double id)
{
    const spot_name key = {.id = id};
    return bsearch(&key, list->names, (size_t)list->count, sizeof key, compare_names);
}

static void read_names(drua_plan *p, const char *text, name_list *list)
{
    const int64_t spots = mate_count_tags(text, "Spot"), tracks = mate_count_tags(text, "TrackID");
    list->names = plan_host_memory(p, (size_t)(spots + 1) * sizeof *list->names);
    list->tracks = plan_host_memory(p, (size_t)(tracks + 1) * sizeof *list->tracks);
    list->track_count = mate_count_tags(text, "FilteredTracks") > 0 ? 0 : -1;
    for (mate_tag t; !plan_failed(p) && mate_next_tag(&text, &t);)
        if (mate_has_name(t, "Spot"))
            list->names[list->count++] =
                (spot_name){.id = mate_number(p, t, "ID", 0, max_id),
                            .hidden = mate_attribute(t, "VISIBILITY") && mate_number(p, t, "VISIBILITY", 0, 1) == 0};
        else if (mate_has_name(t, "TrackID") && list->track_count >= 0)
            list->tracks[list->track_count++] = mate_number(p, t, "TRACK_ID", 0, max_id);
    if (plan_failed(p))
        return;
    qsort(list->names, (size_t)list->count, sizeof *list->names, compare_names);
    if (list->track_count > 0)
        qsort(list->tracks, (size_t)list->track_count, sizeof *list->tracks, compare_numbers);
    for (int64_t i = 1; i < list->count; i++)
        if (list->names[i].id == list->names[i - 1].id)
            plan_fail(p, "%s has two spots with the ID %.0f; correct the file", plan_text(p, "path"),
                      list->names[i].id);
}

/* Finds the next link, and whether TrackMate shows its track. `shown` is kept between calls. */
static bool next_link(drua_plan *p, const name_list *list, const char **at, mate_tag *link, bool *shown)
{
    while (!plan_failed(p) && mate_next_tag(at, link)) {
        if (mate_has_name(*link, "Track") && list->track_count >= 0) {
            const double id = mate_number(p, *link, "TRACK_ID", 0, max_id);
            *shown = bsearch(&id, list->tracks, (size_t)list->track_count, sizeof id, compare_numbers) != NULL;
        } else if (mate_has_name(*link, "Edge")) {
            return true;
        }
    }
    return false;
}

/* Finds both spots of a link. Fails the call if the file lacks one. */
static void read_ends(drua_plan *p, const name_list *list, mate_tag link, spot_name *ends[2])
{
    static const char *const members[] = {"SPOT_SOURCE_ID", "SPOT_TARGET_ID"};
    for (int i = 0; i < 2; i++) {
        const double id = mate_number(p, link, members[i], 0, max_id);
        ends[i] = find_name(list, id);
        if (!ends[i])
            plan_fail(p, "%s has a link to the spot %.0f, which it does not have; correct the file",
                      plan_text(p, "path"), id);
    }
}

/* Hides or shows all spots of the tracks that TrackMate hides or shows. */
static void show_tracks(drua_plan *p, const char *text, const name_list *list, bool wanted)
{
    bool shown = true;
    for (mate_tag link; next_link(p, list, &text, &link, &shown);) {
        spot_name *ends[2];
        if (shown != wanted)
            continue;
        read_ends(p, list, link, ends);
        for (int i = 0; i < 2 && !plan_failed(p); i++)
            ends[i]->hidden = !shown;
    }
}

/*
 * TrackMate hides no spot of a track that it shows. Before its filter of spots has run, it writes all spots as hidden.
 */
static void hide_spots(drua_plan *p, const char *text, name_list *list)
{
    bool filtered = false;
    for (int64_t i = 0; i < list->count; i++)
        filtered = filtered || !list->names[i].hidden;
    for (int64_t i = 0; i < list->count && !filtered; i++)
        list->names[i].hidden = false;
    show_tracks(p, text, list, false);
    show_tracks(p, text, list, true);
    for (int64_t i = 0; i < list->count; i++)
        list->hidden += list->names[i].hidden;
    if (!plan_failed(p) && list->hidden > 0)
        plan_add_message(p,
                         "%lld of %lld spots of %s are left out, because TrackMate's filters hide them or their "
                         "tracks",
                         (long long)list->hidden, (long long)list->count, plan_text(p, "path"));
}

/* ---- the file */

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
    if (mate_count_tags(text, "TrackMate") == 0)
        plan_fail(p, "%s is not a file of TrackMate, because it has no element TrackMate; save it with TrackMate again",
                  path);
    else if (!is_complete(text))
        plan_fail(p,
                  "%s is truncated: it does not end with </TrackMate>; copy it again, or save it with TrackMate again",
                  path);
    else if (strstr(text, "<!DOCTYPE"))
        plan_fail(p, "%s has a document type, whose entities are not read; save it with TrackMate again", path);
}

static track_spot read_spot(drua_plan *p, mate_tag t, const double voxel[3], double id)
{
    static const char *const positions[] = {"POSITION_X", "POSITION_Y", "POSITION_Z"};
    const double frame = mate_number(p, t, "FRAME", 0, TRACK_MAX - 1);
    track_spot s = {.frame = (int32_t)frame};
    if (frame != floor(frame))
        plan_fail(p, "%s has a spot in frame %g, which must be a whole number; save the file with TrackMate again",
                  plan_text(p, "path"), frame);
    const char *label = mate_attribute(t, "name");
    char *end = NULL;
    const unsigned long given = label ? strtoul(label, &end, 10) : 0;
    for (int axis = 0; axis < 3; axis++)
        s.at[axis] = mate_number(p, t, positions[axis], -max_position, max_position) / voxel[axis];
    const double radius = mate_attribute(t, "RADIUS") ? mate_number(p, t, "RADIUS", 0, max_position) / voxel[0] : 0;
    s.size = radius; /* becomes the size of a disk or a ball once all spots are known */
    if (end && end > label && (*end == '"' || *end == '\'') && given <= TRACK_MAX)
        s.label = (uint32_t)given;
    else
        s.label = id <= TRACK_MAX ? (uint32_t)id : 0;
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

static track_graph read_spots(drua_plan *p, const char *text, const double voxel[3], const name_list *list)
{
    track_spot *spots = plan_host_memory(p, (size_t)(list->count + 1) * sizeof *spots);
    int64_t count = 0, frames = 0;
    bool flat = true;
    for (mate_tag t; !plan_failed(p) && mate_next_tag(&text, &t);) {
        if (mate_has_name(t, "AllSpots") && mate_attribute(t, "nspots"))
            check_count(p, mate_number(p, t, "nspots", 0, TRACK_MAX), list->count);
        if (!mate_has_name(t, "Spot"))
            continue;
        spot_name *name = find_name(list, mate_number(p, t, "ID", 0, max_id));
        if (name->hidden)
            continue;
        spots[count] = read_spot(p, t, voxel, name->id);
        name->spot = count;
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

static void read_links(drua_plan *p, const char *text, track_graph *g, const name_list *list)
{
    int64_t lost = 0;
    bool shown = true;
    int32_t *place = plan_host_memory(p, (size_t)(g->count + 1) * sizeof *place);
    for (int64_t i = 0; i < g->count && place; i++)
        place[g->spots[i].source] = (int32_t)i;
    for (mate_tag link; next_link(p, list, &text, &link, &shown);) {
        spot_name *ends[2];
        if (!shown)
            continue;
        read_ends(p, list, link, ends);
        int32_t from = place[ends[0]->spot], to = place[ends[1]->spot];
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
    name_list list = {.count = 0};
    plan_setting_numbers(p, "options", "voxel", voxel);
    const char *text = plan_read_text(p, plan_text(p, "path"));
    if (text)
        check_file(p, text);
    if (!plan_failed(p))
        read_names(p, text, &list);
    if (!plan_failed(p))
        hide_spots(p, text, &list);
    if (plan_failed(p))
        return;
    track_graph g = read_spots(p, text, voxel, &list);
    if (!plan_failed(p))
        read_links(p, text, &g, &list);
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
