/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes what a TIFF file says about its pixels as lines key=value. */
#include "tiff_in.h"

#include "chunked.h"
#include "quote.h"

#include <math.h>
#include <string.h>

/* Returns the size of a pixel from a tag of resolution; 0 if the file does not state it. */
static double pixel_size(const drua_tiff *t, uint32_t tag)
{
    float pixels = 0;
    return t->lib->TIFFGetField(t->tiff, tag, &pixels) && pixels > 0 ? 1.0 / (double)pixels : 0;
}

/*
 * Takes the scale from the tags of resolution, as ImageJ's open() does: 72 pixels per inch mean nothing. A file without
 * a unit of resolution has no scale.
 */
static void read_resolution(const drua_tiff *t, double size[2], const char **unit)
{
    uint16_t kind = 0;
    const bool stated = t->lib->TIFFGetField(t->tiff, TIFFTAG_RESOLUTIONUNIT, &kind) || *t->about.unit;
    size[0] = pixel_size(t, TIFFTAG_XRESOLUTION);
    size[1] = pixel_size(t, TIFFTAG_YRESOLUTION);
    const bool means_nothing = kind == RESUNIT_INCH && fabs(size[0] * 72 - 1) < 1e-6;
    for (int k = 0; k < 2; k++)
        if (!stated || means_nothing || size[k] <= 0)
            size[k] = 1;
    if (*t->about.unit || means_nothing)
        return;
    if (kind == RESUNIT_INCH)
        *unit = "inch";
    else if (kind == RESUNIT_CENTIMETER)
        *unit = "cm";
}

/* ImageJ shows small sizes in centimetres as micrometres. */
static void describe_scale(const drua_tiff *t, drua_text *text)
{
    const drua_imagej *a = &t->about;
    const char *unit = *a->unit ? a->unit : "pixel";
    double size[2] = {t->pixel[0], t->pixel[1]}, depth = a->spacing;
    if (size[0] == 0) {
        read_resolution(t, size, &unit);
        if (!strcmp(unit, "cm") && size[0] <= (a->is_imagej ? 0.0001 : 0.001)) {
            unit = "\302\265m";
            size[0] *= 10000;
            size[1] *= 10000;
            depth *= depth == 1 ? 1 : 10000;
        }
    }
    for (int k = 0; k < 2 && t->level; k++)
        size[k] *= t->shrinks[k];
    drua_text_add(text, "pixelWidth=%.9g\npixelHeight=%.9g\npixelDepth=%.9g\nunit=%s\nframeInterval=%.9g\n", size[0],
                  size[1], depth, unit, a->frame_interval);
}

static void describe_colours(const drua_tiff *t, drua_text *text)
{
    uint16_t *map[3] = {NULL, NULL, NULL};
    uint16_t photometric = PHOTOMETRIC_MINISBLACK;
    t->lib->TIFFGetField(t->tiff, TIFFTAG_PHOTOMETRIC, &photometric);
    if (drua_chunked_pixel_bytes(t->type) != 1 || t->samples != 1 || photometric != PHOTOMETRIC_PALETTE ||
        !t->lib->TIFFGetField(t->tiff, TIFFTAG_COLORMAP, &map[0], &map[1], &map[2]))
        return;
    drua_text_add(text, "lut=");
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < 256; i++)
            drua_text_add(text, "%02x", map[c][i] >> 8);
    drua_text_add(text, "\n");
}

/*
 * Returns whether the file stores a tag as numbers of that type. libtiff returns a tag that it does not know in its
 * stored type.
 */
static bool is_stored_as(const drua_tiff *t, uint32_t tag, TIFFDataType type)
{
    const TIFFField *field = t->lib->TIFFFieldWithTag(t->tiff, tag);
    return field && t->lib->TIFFFieldDataType(field) == type;
}

/* Adds names and colours of channels, and the position of the first plane; see ome_line.h. */
static void describe_ome(const drua_tiff *t, bool all_channels, drua_text *text)
{
    const bool one = !all_channels && t->step % t->about.channels == 0;
    const int64_t first = one ? t->first % t->about.channels : 0, count = one ? 1 : t->about.channels;
    bool known = false;
    if (t->has_position && (t->position[0] != 0 || t->position[1] != 0 || t->position[2] != 0))
        drua_text_add(text, "position=%.17g,%.17g,%.17g\n", t->position[0], t->position[1], t->position[2]);
    for (int64_t c = first; c < first + count && c < t->channel_count; c++)
        known |= *t->channels[c].name || t->channels[c].has_colour;
    if (!known || t->samples > 1)
        return;
    if (first < t->channel_count && t->channels[first].has_colour && !strstr(drua_text_characters(text), "lut="))
        drua_imagej_describe_colour(t->channels[first].colour, text);
    drua_text_add(text, "ome={\"omero\":{\"channels\":[");
    for (int64_t c = first; c < first + count; c++) {
        const drua_ome_channel *channel = c < t->channel_count ? &t->channels[c] : NULL;
        const bool named = channel && *channel->name, coloured = channel && channel->has_colour;
        drua_text_add(text, c > first ? ",{" : "{");
        if (named) {
            drua_text_add(text, "\"label\":");
            drua_text_add_json(text, channel->name);
        }
        if (coloured)
            drua_text_add(text, "%s\"color\":\"%06X\"", named ? "," : "", channel->colour);
        drua_text_add(text, "}");
    }
    drua_text_add(text, "]}}\n");
}

void drua_tiff_describe(drua_tiff *t, bool all_channels, drua_text *text)
{
    uint32_t count = 0, size_count = 0;
    uint32_t *sizes = NULL;
    unsigned char *bytes = NULL;
    const drua_shape shape = drua_tiff_shape(t);
    drua_text_add(text, "width=%u\nheight=%u\ndepth=%lld\nbits=%d\n", t->width, t->height, (long long)shape.depth,
                  t->samples == 3 ? 24 : (int)drua_chunked_pixel_bytes(t->type) * 8);
    if (!t->contiguous && t->at != 0 && !t->lib->TIFFSetDirectory(t->tiff, 0))
        return;
    t->at = 0;
    describe_scale(t, text);
    if (t->samples == 3)
        drua_text_add(text, "rgb=1\n");
    else if (t->about.has_range)
        drua_text_add(text, "min=%.17g\nmax=%.17g\n", t->about.minimum, t->about.maximum);
    if (*t->about.function)
        drua_text_add(text, "%s", t->about.function);
    describe_colours(t, text);
    describe_ome(t, all_channels, text);
    if (t->page_of || !t->lib->TIFFGetField(t->tiff, DRUA_TAG_SIZES, &size_count, &sizes) ||
        !t->lib->TIFFGetField(t->tiff, DRUA_TAG_DATA, &count, &bytes) || !is_stored_as(t, DRUA_TAG_SIZES, TIFF_LONG) ||
        !is_stored_as(t, DRUA_TAG_DATA, TIFF_BYTE))
        return;
    const drua_imagej_file_blocks blocks = {sizes, size_count, bytes, count};
    drua_imagej_describe_blocks(&blocks, &(drua_imagej_pages){t->first, t->step, t->count, t->about.channels},
                                t->samples == 1 && !strstr(drua_text_characters(text), "lut="), text);
    if (all_channels && t->samples == 1 && t->about.channels > 1 && !strstr(drua_text_characters(text), "\nome="))
        drua_imagej_describe_channels(&blocks, t->about.channels, text);
}
