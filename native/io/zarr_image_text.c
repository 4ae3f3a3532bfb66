/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the metadata of an image: axes, scale, position, channels, and the attributes that its source had. */
#include "zarr_out.h"

#include "imagej.h"
#include "quote.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- axes: as the source's file has them where the image still has its unit */

typedef struct written_axis {
    const char *name, *kind, *unit;
    double scale, translation; /* of the largest level */
} written_axis;

/* Returns the source's number if the image still has it, so that no digit changes. */
static double keep_number(double source, double number)
{
    return fabs(fabs(source) - number) <= 1e-9 * number ? source : source < 0 ? -number : number;
}

static void set_space(const drua_zarr_out *o, drua_axis axis, written_axis *w)
{
    const drua_zarr_metadata *f = &o->metadata[0];
    const drua_line_axis *own = &o->line.axis[axis];
    const int k = DRUA_AXIS_X - (int)axis;
    const double factor = drua_unit_factor(drua_unit_to_imagej(own->unit), f->unit);
    const bool kept = own->is_present && !strcmp(drua_unit_to_imagej(o->line.axis[DRUA_AXIS_X].unit), f->unit);
    const double by = kept && factor > 0 ? factor : 1;
    w->unit = kept ? own->unit : drua_unit_from_imagej(f->unit);
    w->scale = kept ? keep_number(own->scale, f->scale[k] / by) : f->scale[k];
    w->translation = o->line.position[k] / by;
}

/* An interval in a unit that is not known, or in none, stays as it was unless the image has another interval. */
static void set_time(const drua_zarr_out *o, written_axis *w)
{
    const drua_zarr_metadata *f = &o->metadata[0];
    const drua_line_axis *own = &o->line.axis[DRUA_AXIS_T];
    const double seconds = own->is_present ? drua_seconds_of_unit(own->unit) : 0;
    if (own->is_present && (seconds > 0 || f->frame_interval == 0)) {
        w->unit = own->unit;
        w->scale = f->frame_interval > 0 ? keep_number(own->scale, f->frame_interval / seconds) : own->scale;
        w->translation = own->translation;
    } else {
        w->unit = f->frame_interval > 0 ? "second" : "";
        w->scale = f->frame_interval > 0 ? f->frame_interval : 1;
    }
}

static void set_axis(const drua_zarr_out *o, drua_axis axis, written_axis *w)
{
    static const char *const kinds[DRUA_AXES] = {"time", "channel", "space", "space", "space"};
    const drua_line_axis *own = &o->line.axis[axis];
    *w = (written_axis){.name = *own->name ? own->name : drua_axis_names[axis],
                        .kind = *own->kind ? own->kind : kinds[axis],
                        .unit = own->unit,
                        .scale = own->is_present ? own->scale : 1,
                        .translation = own->translation};
    if (axis >= DRUA_AXIS_Z)
        set_space(o, axis, w);
    else if (axis == DRUA_AXIS_T)
        set_time(o, w);
}

/* Names of a source may collide with the usual name of an axis that the source did not have. */
static void make_names_differ(const drua_chunked *a, written_axis *axes)
{
    bool same = false;
    for (int d = 0; d < a->dimensions; d++)
        for (int other = 0; other < d; other++)
            same |= !strcmp(axes[a->axis[d]].name, axes[a->axis[other]].name);
    for (int axis = 0; same && axis < DRUA_AXES; axis++)
        axes[axis].name = drua_axis_names[axis];
}

static void add_axes(drua_text *text, const drua_chunked *a, const written_axis *axes)
{
    drua_text_add(text, "\"axes\":[");
    for (int d = 0; d < a->dimensions; d++) {
        const written_axis *w = &axes[a->axis[d]];
        drua_text_add(text, "%s{\"name\":", d ? "," : "");
        drua_text_add_json(text, w->name);
        drua_text_add(text, ",\"type\":");
        drua_text_add_json(text, w->kind);
        if (*w->unit) {
            drua_text_add(text, ",\"unit\":");
            drua_text_add_json(text, w->unit);
        }
        drua_text_add(text, "}");
    }
    drua_text_add(text, "]");
}

/* ---- levels */

static double level_scale(const drua_zarr_out *o, const written_axis *axes, drua_axis axis, int level)
{
    const int k = DRUA_AXIS_X - (int)axis;
    return k < 3 ? axes[axis].scale * (o->metadata[level].scale[k] / o->metadata[0].scale[k]) : axes[axis].scale;
}

/* Adds scales or translations. The centre of a smaller level's pixel is the centre of the pixels that it combines. */
static void add_numbers(drua_text *text, const drua_zarr_out *o, const written_axis *axes, int level, bool place)
{
    const drua_chunked *a = &o->arrays[level];
    drua_text_add(text, place ? ",{\"type\":\"translation\",\"translation\":[" : "{\"type\":\"scale\",\"scale\":[");
    for (int d = 0; d < a->dimensions; d++) {
        const drua_axis axis = a->axis[d];
        const double scale = level_scale(o, axes, axis, level), first = axes[axis].scale;
        drua_text_add(text, "%s%.17g", d ? "," : "", place ? axes[axis].translation + (scale - first) / 2 : scale);
    }
    drua_text_add(text, "]}");
}

static void add_levels(drua_text *text, const drua_zarr_out *o, const written_axis *axes)
{
    bool has_place = false;
    for (int d = 0; d < o->arrays[0].dimensions; d++)
        has_place |= axes[o->arrays[0].axis[d]].translation != 0;
    drua_text_add(text, "\"datasets\":[");
    for (int level = 0; level < o->levels; level++) {
        drua_text_add(text, "%s{\"path\":\"%d\",\"coordinateTransformations\":[", level ? "," : "", level);
        add_numbers(text, o, axes, level, false);
        if (level || has_place)
            add_numbers(text, o, axes, level, true);
        drua_text_add(text, "]}");
    }
    drua_text_add(text, "]");
}

/* ---- channels */

typedef struct shown {
    bool is_known;
    double start, end; /* the display range */
    char colour[7];
} shown;

/* Reads the display range of a text, and the last colour of its lookup table. */
static shown read_shown(const char *about)
{
    char low[64], high[64], lut[6 * 256 + 1];
    shown s = {.colour = "FFFFFF"};
    s.is_known = drua_imagej_find(about, "min", low, sizeof low) && drua_imagej_find(about, "max", high, sizeof high) &&
                 isfinite(atof(low)) && isfinite(atof(high));
    s.start = s.is_known ? atof(low) : 0;
    s.end = s.is_known ? atof(high) : 0;
    if (drua_imagej_find(about, "lut", lut, sizeof lut) && strlen(lut) == sizeof lut - 1 &&
        strspn(lut, "0123456789abcdefABCDEF") == sizeof lut - 1)
        for (int part = 0; part < 3; part++)
            memcpy(s.colour + 2 * part, lut + 2 * (256 * (part + 1) - 1), 2);
    return s;
}

static void add_window(drua_text *text, const drua_zarr_metadata *f, const shown *s)
{
    static const double min[] = {
        [DRUA_INT8] = -128, [DRUA_INT16] = -32768, [DRUA_INT32] = -2147483648.0, [DRUA_FLOAT32] = 0};
    static const double max[] = {
        [DRUA_UINT8] = 255,           [DRUA_INT8] = 127,         [DRUA_UINT16] = 65535, [DRUA_INT16] = 32767,
        [DRUA_UINT32] = 4294967295.0, [DRUA_INT32] = 2147483647, [DRUA_FLOAT32] = 1};
    const bool range = s->is_known && f->type == DRUA_FLOAT32;
    const double low = range ? s->start : min[f->type], high = range ? s->end : max[f->type];
    drua_text_add(text, "\"window\":{\"start\":%.17g,\"end\":%.17g,\"min\":%.17g,\"max\":%.17g}",
                  s->is_known ? s->start : low, s->is_known ? s->end : high, low, high);
}

/* Adds a channel with the members that its source states, and the members that OME-Zarr asks for. */
static void add_channel(drua_text *text, const drua_zarr_metadata *f, const drua_json *own, const shown *s,
                        int64_t channel)
{
    int count = 0;
    drua_text_add(text, channel ? ",{" : "{");
    drua_json_add_members(own, NULL, NULL, &count, text);
    if (!drua_json_get(own, "active"))
        drua_text_add(text, "%s\"active\":true", count++ ? "," : "");
    if (!drua_json_get(own, "color"))
        drua_text_add(text, "%s\"color\":\"%s\"", count++ ? "," : "", s->colour);
    if (!drua_json_get(own, "label"))
        drua_text_add(text, "%s\"label\":\"%lld\"", count++ ? "," : "", (long long)channel + 1);
    if (!drua_json_get(own, "window")) {
        drua_text_add(text, count++ ? "," : "");
        add_window(text, f, s);
    }
    drua_text_add(text, "}");
}

/* Adds the channels if the source states them for this number of channels, or if the text has a display range. */
static void add_omero(drua_text *text, const drua_zarr_out *o, const char *about)
{
    static const char *const without[] = {"channels", NULL};
    const drua_zarr_metadata *f = &o->metadata[0];
    const drua_json *channels = drua_json_get(o->line.omero, "channels");
    const bool carried = drua_json_length(channels) == f->channels;
    const shown s = read_shown(about);
    int count = 1;
    if (f->labels || !(carried || s.is_known))
        return;
    drua_text_add(text, ",\"omero\":{\"channels\":[");
    for (int64_t c = 0; c < f->channels; c++)
        add_channel(text, f, carried ? drua_json_at(channels, c) : NULL, &s, c);
    drua_text_add(text, "]");
    drua_json_add_members(carried ? o->line.omero : NULL, without, NULL, &count, text);
    drua_text_add(text, "}");
}

/* ---- how the image came about */

/* Adds the provenance, an object, with that of the source as its last member. */
static void add_provenance(drua_text *text, const drua_zarr_out *o)
{
    const drua_json *earlier = drua_json_get(o->line.attributes, "drua");
    const size_t length = strlen(o->provenance);
    drua_text_add(text, ",\"drua\":");
    drua_text_append(text, o->provenance, length - 1); /* without the last brace */
    if (earlier) {
        drua_text_add(text, ",\"earlier\":");
        drua_json_add(earlier, text);
    }
    drua_text_add(text, "}");
}

/* ---- the text of an image */

void drua_image_text(const drua_zarr_out *o, const char *about, drua_text *text)
{
    const bool three = o->arrays[0].format == DRUA_ZARR_3;
    static const char *const replaced[] = {"drua", NULL};
    const char *slash = strrchr(o->path, '/');
    written_axis axes[DRUA_AXES];
    int count = 1;
    for (int axis = 0; axis < DRUA_AXES; axis++)
        set_axis(o, (drua_axis)axis, &axes[axis]);
    make_names_differ(&o->arrays[0], axes);
    drua_text_add(
        text, three ? "{\"zarr_format\":3,\"node_type\":\"group\",\"attributes\":{\"ome\":{\"version\":\"0.5\"," : "{");
    drua_text_add(text, "\"multiscales\":[{%s\"name\":", three ? "" : "\"version\":\"0.4\",");
    drua_text_add_json(text, slash ? slash + 1 : o->path);
    drua_text_add(text, ",");
    add_axes(text, &o->arrays[0], axes);
    drua_text_add(text, ",");
    add_levels(text, o, axes);
    drua_text_add(text, ",\"type\":\"%s\"}]", o->metadata[0].labels ? "mode" : "mean");
    if (o->metadata[0].labels)
        drua_text_add(text, ",\"image-label\":{\"version\":\"%s\"%s}", three ? "0.5" : "0.4",
                      o->inside_image ? ",\"source\":{\"image\":\"../../\"}" : "");
    add_omero(text, o, about ? about : "");
    drua_json_add_members(o->line.ome, NULL, NULL, &count, text);
    drua_text_add(text, three ? "}" : "");
    if (o->provenance)
        add_provenance(text, o);
    drua_json_add_members(o->line.attributes, o->provenance ? replaced : NULL, three ? NULL : o->line.ome, &count,
                          text);
    drua_text_add(text, three ? "}}\n" : "}\n");
}
