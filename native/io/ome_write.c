/* SPDX-License-Identifier: BSD-3-Clause */
#include "ome_write.h"

#include "chunked.h"
#include "imagej.h"
#include "json.h"
#include "ome_line.h"
#include "utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool drua_ome_is_name(const char *path)
{
    return drua_text_has_extension(path, ".ome.tif") || drua_text_has_extension(path, ".ome.tiff");
}

/* Adds a text as the value of an attribute. Characters that XML does not allow become spaces. */
static void add_escaped(drua_text *xml, const char *text, size_t length)
{
    const char *const end = text + length;
    char bytes[4];
    uint32_t c;
    while (text < end) {
        drua_utf8_next(&text, &c);
        if (c == '&')
            drua_text_add(xml, "&amp;");
        else if (c == '<')
            drua_text_add(xml, "&lt;");
        else if (c == '>')
            drua_text_add(xml, "&gt;");
        else if (c == '"')
            drua_text_add(xml, "&quot;");
        else
            drua_text_append(xml, bytes, drua_utf8_write(c < ' ' || c == 0xFFFE || c == 0xFFFF ? ' ' : c, bytes));
    }
}

static double number_of(const drua_ome_image *o, const char *key, double otherwise)
{
    char value[64];
    const double number = drua_imagej_find(o->text, key, value, sizeof value) ? atof(value) : otherwise;
    return isfinite(number) && number > 0 ? number : otherwise;
}

/* Copies the unit of length in the spelling of OME-XML. */
static void copy_unit(const char *text, char unit[64])
{
    char stated[64] = "";
    drua_imagej_find(text, "unit", stated, sizeof stated);
    const char *usual = drua_unit_to_imagej(stated);
    snprintf(unit, 64, "%s", !*usual ? "pixel" : !strcmp(usual, "inch") ? "in" : usual);
}

/* OME-XML knows these units of length. */
static bool is_known(const char *unit)
{
    static const char *const units[] = {"\302\265m", "nm",       "mm", "cm", "m",  "km",   "pm",
                                        "fm",        "\303\205", "in", "ft", "dm", "pixel"};
    bool known = false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        known |= !strcmp(unit, units[i]);
    return known;
}

bool drua_ome_has_unit(const char *text)
{
    char unit[64];
    copy_unit(text, unit);
    return is_known(unit);
}

static void add_scale(const drua_ome_image *o, const char *unit, drua_text *xml)
{
    static const char *const keys[] = {"pixelWidth", "pixelHeight", "pixelDepth"};
    const double interval = number_of(o, "frameInterval", 0);
    bool stated = strcmp(unit, "pixel");
    for (int k = 0; k < 3; k++)
        stated |= number_of(o, keys[k], 1) != 1;
    for (int k = 0; k < 3 && stated && is_known(unit); k++)
        drua_text_add(xml, " PhysicalSize%c=\"%.17g\" PhysicalSize%cUnit=\"%s\"", "XYZ"[k], number_of(o, keys[k], 1),
                      "XYZ"[k], unit);
    if (interval > 0)
        drua_text_add(xml, " TimeIncrement=\"%.17g\" TimeIncrementUnit=\"s\"", interval);
}

static void add_channels(const drua_ome_image *o, int number, int64_t channels, const drua_json *omero, drua_text *xml)
{
    const drua_json *list = drua_json_get(omero, "channels");
    for (int64_t c = 0; c < channels; c++) {
        const drua_json *channel = drua_json_at(list, c);
        const char *name = drua_json_text(drua_json_get(channel, "label")),
                   *colour = drua_json_text(drua_json_get(channel, "color"));
        char *end;
        const unsigned long rgb = colour ? strtoul(colour, &end, 16) : 0;
        drua_text_add(xml, "<Channel ID=\"Channel:%d:%" PRId64 "\" SamplesPerPixel=\"%d\"", number, c, o->samples);
        if (name) {
            drua_text_add(xml, " Name=\"");
            add_escaped(xml, name, strlen(name));
            drua_text_add(xml, "\"");
        }
        if (colour && end == colour + 6 && !*end)
            drua_text_add(xml, " Color=\"%" PRId32 "\"", (int32_t)((uint32_t)rgb << 8 | 0xff));
        drua_text_add(xml, "/>");
    }
}

static void add_position(const drua_ome_line *line, const char *unit, drua_text *xml)
{
    const double *at = line->position;
    if ((at[0] == 0 && at[1] == 0 && at[2] == 0) || !is_known(unit))
        return;
    drua_text_add(xml, "<Plane TheC=\"0\" TheZ=\"0\" TheT=\"0\"");
    for (int k = 0; k < 3; k++)
        drua_text_add(xml, " Position%c=\"%.17g\" Position%cUnit=\"%s\"", "XYZ"[k], at[k], "XYZ"[k], unit);
    drua_text_add(xml, "/>");
}

static const char *type_name(drua_type type)
{
    return type == DRUA_FLOAT32 ? "float" : drua_chunked_type_name(type);
}

static void add_image(const drua_ome_image *o, int number, const drua_ome_line *line, drua_text *xml)
{
    int64_t channels = (int64_t)number_of(o, "channels", 1), slices = (int64_t)number_of(o, "slices", 1),
            frames = (int64_t)number_of(o, "frames", 1);
    char unit[64];
    if (channels > o->pages || slices > o->pages || frames > o->pages || channels * slices * frames != o->pages) {
        channels = frames = 1;
        slices = o->pages;
    }
    copy_unit(o->text, unit);
    drua_text_add(xml, "<Image ID=\"Image:");
    add_escaped(xml, o->id, strlen(o->id));
    drua_text_add(xml, "\" Name=\"");
    add_escaped(xml, o->name, o->name_length);
    drua_text_add(xml,
                  "\"><Pixels ID=\"Pixels:%d\" DimensionOrder=\"%s\" Type=\"%s\" BigEndian=\"false\" SizeX=\"%" PRId64
                  "\" SizeY=\"%" PRId64 "\" SizeC=\"%" PRId64 "\" SizeZ=\"%" PRId64 "\" SizeT=\"%" PRId64 "\"",
                  number, o->in_tiff ? "XYCZT" : "XYZCT", type_name(o->type), o->shape.width, o->shape.height,
                  channels * o->samples, slices, frames);
    add_scale(o, unit, xml);
    drua_text_add(xml, ">");
    add_channels(o, number, channels, line->omero, xml);
    if (o->in_tiff)
        drua_text_add(xml, "<TiffData IFD=\"0\" PlaneCount=\"%" PRId64 "\"/>", o->pages);
    else
        drua_text_add(xml, "<MetadataOnly/>");
    add_position(line, unit, xml);
    drua_text_add(xml, "</Pixels></Image>");
}

void drua_ome_begin(drua_text *xml)
{
    drua_text_add(xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
                       "<OME xmlns=\"http://www.openmicroscopy.org/Schemas/OME/2016-06\" "
                       "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
                       "xsi:schemaLocation=\"http://www.openmicroscopy.org/Schemas/OME/2016-06 "
                       "http://www.openmicroscopy.org/Schemas/OME/2016-06/ome.xsd\" Creator=\"Drua\">");
}

drua_status drua_ome_add(const drua_ome_image *image, int number, drua_text *xml)
{
    drua_ome_line line;
    const drua_status status = drua_ome_line_read(image->text, &line);
    if (status == DRUA_OK)
        add_image(image, number, &line, xml);
    drua_ome_line_close(&line);
    return status == DRUA_OK && xml->failed ? drua_fail_memory(xml->length) : status;
}

void drua_ome_end(drua_text *xml)
{
    drua_text_add(xml, "</OME>");
}

drua_status drua_ome_write(const drua_tiff_out *o, drua_text *xml)
{
    const char *slash = strrchr(o->path, '/'), *name = slash ? slash + 1 : o->path;
    const char *ending = drua_text_has_extension(name, ".tiff") ? ".ome.tiff" : ".ome.tif";
    const drua_ome_image image = {.id = "0",
                                  .name = name,
                                  .name_length = strlen(name) - strlen(ending),
                                  .text = o->text,
                                  .shape = o->shape,
                                  .type = o->type,
                                  .samples = o->samples,
                                  .pages = o->pages,
                                  .in_tiff = true};
    drua_ome_begin(xml);
    DRUA_TRY(drua_ome_add(&image, 0, xml));
    drua_ome_end(xml);
    return xml->failed ? drua_fail_memory(xml->length) : DRUA_OK;
}
