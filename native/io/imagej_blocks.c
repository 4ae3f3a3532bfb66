/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tags in which ImageJ keeps labels of slices, and display ranges and colours of channels. Source: ImageJ's
 * TiffEncoder and TiffDecoder.
 */
#include "imagej_file.h"

#include "alloc.h"
#include "ome_line.h"
#include "utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- channels */

/* Reads a colour such as FF8000; other texts give white. */
static uint32_t colour_of(const drua_json *channel)
{
    const char *text = drua_json_text(drua_json_get(channel, "color"));
    const bool good = text && strlen(text) == 6 && strspn(text, "0123456789abcdefABCDEF") == 6;
    return good ? (uint32_t)strtoul(text, NULL, 16) : 0xffffff;
}

/*
 * Returns the list of channels if it has `channels` entries, at least two, and one of them has a colour; otherwise
 * NULL.
 */
static const drua_json *coloured_channels(const drua_ome_line *line, int64_t channels)
{
    const drua_json *list = drua_json_get(line->omero, "channels");
    bool any = false;
    for (int64_t c = 0; c < drua_json_length(list); c++)
        any = any || drua_json_text(drua_json_get(drua_json_at(list, c), "color"));
    return any && channels > 1 && drua_json_length(list) == channels ? list : NULL;
}

bool drua_imagej_has_colours(const char *text, int64_t channels)
{
    drua_ome_line line = {.json = NULL};
    const bool has = drua_ome_line_read(text, &line) == DRUA_OK && coloured_channels(&line, channels);
    drua_ome_line_close(&line);
    return has;
}

static bool read_window(const drua_json *channel, double range[2])
{
    const drua_json *window = drua_json_get(channel, "window");
    return drua_json_number(drua_json_get(window, "start"), &range[0]) &&
           drua_json_number(drua_json_get(window, "end"), &range[1]) && range[0] < range[1];
}

/* ---- writing */

/* Blocks while they are made: the head lists their kinds, and the bytes of all entries follow it. */
typedef struct making {
    drua_text head, bytes;
    uint32_t *sizes; /* the head's size, then those of the entries */
    uint32_t count;
} making;

/* ImageJ reads the blocks in the byte order of the file, and Drua's files have the lowest byte first. */
static void add_integer(drua_text *to, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        drua_text_append(to, &(char){(char)(value >> 8 * i)}, 1);
}

static void add_kind(making *m, uint32_t kind, uint32_t entries)
{
    if (!m->head.length)
        drua_text_append(&m->head, "JIJI", 4);
    add_integer(&m->head, kind, 4);
    add_integer(&m->head, entries, 4);
}

static void add_labels(making *m, const char *labels, int64_t pages)
{
    uint32_t page = 0;
    size_t start = m->bytes.length;
    add_kind(m, DRUA_IMAGEJ_LABELS, (uint32_t)pages);
    for (const char *c = labels, *end = labels + strcspn(labels, "\n"); page < pages; page++) {
        for (uint32_t character = 0; c < end;) {
            drua_utf8_next(&c, &character);
            if (character == '\t')
                break;
            if (character >= 0x10000) {
                add_integer(&m->bytes, 0xD800 + ((character - 0x10000) >> 10), 2);
                character = 0xDC00 + ((character - 0x10000) & 0x3FF);
            }
            add_integer(&m->bytes, character, 2);
        }
        m->sizes[m->count++] = (uint32_t)(m->bytes.length - start);
        start = m->bytes.length;
    }
}

/* Adds the display ranges if all channels have one. */
static void add_ranges(making *m, const drua_json *list)
{
    const int64_t channels = drua_json_length(list);
    double range[2];
    for (int64_t c = 0; c < channels; c++)
        if (!read_window(drua_json_at(list, c), range))
            return;
    add_kind(m, DRUA_IMAGEJ_RANGES, 1);
    for (int64_t c = 0; c < channels; c++) {
        read_window(drua_json_at(list, c), range);
        for (int i = 0; i < 2; i++) {
            uint64_t bits;
            memcpy(&bits, &range[i], sizeof bits);
            add_integer(&m->bytes, bits, 8);
        }
    }
    m->sizes[m->count++] = (uint32_t)(16 * channels);
}

static void add_tables(making *m, const drua_json *list)
{
    const int64_t channels = drua_json_length(list);
    add_kind(m, DRUA_IMAGEJ_LUTS, (uint32_t)channels);
    for (int64_t c = 0; c < channels; c++) {
        const uint32_t rgb = colour_of(drua_json_at(list, c));
        for (int part = 16; part >= 0; part -= 8)
            for (uint32_t i = 0; i < 256; i++)
                add_integer(&m->bytes, (rgb >> part & 255) * i / 255, 1);
        m->sizes[m->count++] = DRUA_IMAGEJ_LUT_BYTES;
    }
}

static drua_status finish_blocks(making *m, unsigned char **blocks, uint32_t **sizes, uint32_t *count, uint32_t *length)
{
    m->sizes[0] = (uint32_t)m->head.length;
    drua_text_append(&m->head, drua_text_characters(&m->bytes), m->bytes.length);
    const bool failed = m->head.failed || m->bytes.failed;
    drua_text_free(&m->bytes);
    if (failed || m->count < 2) {
        const size_t bytes = m->head.length;
        drua_text_free(&m->head);
        drua_free(m->sizes);
        return failed ? drua_fail_memory(bytes) : DRUA_OK;
    }
    *blocks = (unsigned char *)m->head.characters;
    *sizes = m->sizes;
    *count = m->count;
    *length = (uint32_t)m->head.length;
    return DRUA_OK;
}

drua_status drua_imagej_blocks(const char *text, int64_t pages, unsigned char **blocks, uint32_t **sizes,
                               uint32_t *count, uint32_t *length)
{
    enum { MAX_PAGES = 1 << 20 };
    const char *labels = drua_imagej_value(text, "labels");
    int64_t extents[3];
    drua_ome_line line = {.json = NULL};
    const drua_json *list = NULL;
    *blocks = NULL;
    *sizes = NULL;
    *count = *length = 0;
    if (pages > MAX_PAGES)
        return DRUA_OK;
    if (drua_imagej_axes(text, pages, extents)) {
        DRUA_TRY(drua_ome_line_read(text, &line));
        list = coloured_channels(&line, extents[0]);
    }
    const int64_t entries = 2 + (labels ? pages : 0) + (list ? drua_json_length(list) : 0);
    making m = {.sizes = drua_alloc((size_t)entries * sizeof *m.sizes), .count = 1};
    if (m.sizes && labels)
        add_labels(&m, labels, pages);
    if (m.sizes && list) {
        add_ranges(&m, list);
        add_tables(&m, list);
    }
    drua_ome_line_close(&line);
    return m.sizes ? finish_blocks(&m, blocks, sizes, count, length)
                   : drua_fail_memory((size_t)entries * sizeof *m.sizes);
}

/* ---- reading */

/* The entries of a file's blocks that belong to channels; NULL: none. */
typedef struct found_channels {
    const unsigned char *ranges, *tables;
    bool little;
} found_channels;

static uint64_t read_integer(const unsigned char *p, bool little, int bytes)
{
    uint64_t v = 0;
    for (int i = 0; i < bytes; i++)
        v = v << 8 | p[little ? bytes - 1 - i : i];
    return v;
}

static found_channels find_channels(const drua_imagej_file_blocks *b, int64_t channels)
{
    found_channels found = {.ranges = NULL};
    if (b->count < 2 || b->length < 4 || b->sizes[0] > b->length || b->sizes[0] < 12)
        return found;
    found.little = !memcmp(b->bytes, "JIJI", 4);
    if (!found.little && memcmp(b->bytes, "IJIJ", 4))
        return found;
    uint64_t at = b->sizes[0];
    uint32_t entry = 1;
    for (uint32_t k = 4; k + 8 <= b->sizes[0]; k += 8) {
        const uint64_t kind = read_integer(b->bytes + k, found.little, 4),
                       entries = read_integer(b->bytes + k + 4, found.little, 4);
        const uint64_t start = at;
        bool tables = kind == DRUA_IMAGEJ_LUTS && (int64_t)entries == channels;
        for (uint64_t i = 0; i < entries && entry < b->count; i++, entry++) {
            tables = tables && b->sizes[entry] == DRUA_IMAGEJ_LUT_BYTES;
            if (kind == DRUA_IMAGEJ_RANGES && b->sizes[entry] == 16 * (uint64_t)channels)
                found.ranges = b->bytes + at;
            at += b->sizes[entry];
        }
        if (at > b->length || (tables && at - start != (uint64_t)channels * DRUA_IMAGEJ_LUT_BYTES))
            return (found_channels){.ranges = NULL};
        if (tables)
            found.tables = b->bytes + start;
    }
    return found;
}

static double read_double(const unsigned char *p, bool little)
{
    const uint64_t bits = read_integer(p, little, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

void drua_imagej_describe_channels(const drua_imagej_file_blocks *blocks, int64_t channels, drua_text *text)
{
    const found_channels found = find_channels(blocks, channels);
    if (!found.tables)
        return;
    drua_text_add(text, "ome={\"omero\":{\"channels\":[");
    for (int64_t c = 0; c < channels; c++) {
        const unsigned char *last = found.tables + c * DRUA_IMAGEJ_LUT_BYTES + 255;
        drua_text_add(text, "%s{\"color\":\"%02X%02X%02X\"", c ? "," : "", last[0], last[256], last[512]);
        const double low = found.ranges ? read_double(found.ranges + 16 * c, found.little) : 0,
                     high = found.ranges ? read_double(found.ranges + 16 * c + 8, found.little) : 0;
        if (isfinite(low) && isfinite(high) && low < high)
            drua_text_add(text, ",\"window\":{\"start\":%.17g,\"end\":%.17g,\"min\":%.17g,\"max\":%.17g}", low, high,
                          low, high);
        drua_text_add(text, "}");
    }
    drua_text_add(text, "]}}\n");
}
