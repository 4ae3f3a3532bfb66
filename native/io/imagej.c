/* SPDX-License-Identifier: BSD-3-Clause */
#include "imagej_file.h"

#include "alloc.h"
#include "quote.h"
#include "utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double MAX_COUNT = 1e15; /* limit for numbers of images, so that their products stay finite */

enum { MAX_LABEL = 4096 };

/* ---- characters */

/*
 * Writes the character that a UTF-16 unit completes, see drua_utf16_write. Replaces other white space with spaces,
 * because the text consists of lines.
 */
static size_t write_utf16(uint32_t unit, uint32_t *half, char out[8])
{
    return drua_utf16_write(unit == 0 || unit == '\n' || unit == '\r' || unit == '\t' ? ' ' : unit, half, out);
}

/* Decodes a value of ImageJ's description, in which \uXXXX is a UTF-16 unit. */
static void unescape_value(const char *from, size_t length, char *to, size_t size)
{
    uint32_t half = 0;
    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        char out[8] = {from[i]};
        size_t bytes = 1;
        unsigned code;
        if (from[i] == '\\' && i + 5 < length && from[i + 1] == 'u' && sscanf(from + i + 2, "%4x", &code) == 1) {
            bytes = write_utf16(code, &half, out);
            i += 5;
        }
        if (n + bytes >= size)
            break;
        memcpy(to + n, out, bytes);
        n += bytes;
    }
    to[n] = 0;
}

/* ---- reading */

const char *drua_imagej_value(const char *text, const char *key)
{
    const size_t length = strlen(key);
    for (const char *line = text; line && *line; line = strchr(line, '\n'), line = line ? line + 1 : NULL)
        if (!strncmp(line, key, length) && line[length] == '=')
            return line + length + 1;
    return NULL;
}

static bool find_key(const char *description, const char *key, char *value, size_t size)
{
    const char *from = drua_imagej_value(description, key);
    if (from)
        unescape_value(from, strcspn(from, "\r\n"), value, size);
    return from;
}

static double number_of_key(const char *description, const char *key, double otherwise)
{
    char value[64], *end;
    if (!find_key(description, key, value, sizeof value))
        return otherwise;
    const double n = strtod(value, &end);
    return end != value && isfinite(n) ? n : otherwise;
}

static int64_t count_of(const char *description, const char *key)
{
    const double n = number_of_key(description, key, 1);
    return n < 0 ? 0 : n < MAX_COUNT ? (int64_t)n : (int64_t)MAX_COUNT;
}

void drua_imagej_parse(drua_imagej *a, const char *description)
{
    char value[200];
    *a = (drua_imagej){.is_imagej = !strncmp(description, "ImageJ=", 7),
                       .images = 1,
                       .channels = 1,
                       .slices = 1,
                       .frames = 1,
                       .spacing = 1};
    if (!a->is_imagej)
        return;
    a->images = count_of(description, "images");
    a->channels = count_of(description, "channels");
    a->slices = count_of(description, "slices");
    a->frames = count_of(description, "frames");
    a->spacing = fabs(number_of_key(description, "spacing", 1));
    a->frame_interval = number_of_key(description, "finterval", 0);
    find_key(description, "unit", a->unit, sizeof a->unit);
    a->has_range =
        find_key(description, "min", value, sizeof value) && find_key(description, "max", value, sizeof value);
    a->minimum = number_of_key(description, "min", 0);
    a->maximum = number_of_key(description, "max", 0);
    if (!find_key(description, "cf", value, sizeof value))
        return;
    size_t length = (size_t)snprintf(a->function, sizeof a->function,
                                     "function=%d\ncoefficients=", (int)count_of(description, "cf"));
    for (int i = 0; i < 10 && length < sizeof a->function - 300; i++) {
        char key[8];
        snprintf(key, sizeof key, "c%d", i);
        if (!find_key(description, key, value, sizeof value))
            break;
        length += (size_t)snprintf(a->function + length, sizeof a->function - length, "%s%.17g", i ? "," : "",
                                   number_of_key(description, key, 0));
    }
    if (!find_key(description, "vunit", value, sizeof value))
        snprintf(value, sizeof value, "Gray Value");
    snprintf(a->function + length, sizeof a->function - length, "\nvalueUnit=%s\n", value);
}

static uint32_t read_integer(const unsigned char *p, bool little, int bytes)
{
    uint32_t v = 0;
    for (int i = 0; i < bytes; i++)
        v = v << 8 | p[little ? bytes - 1 - i : i];
    return v;
}

static void add_label(drua_text *text, const unsigned char *p, uint32_t size, bool little)
{
    uint32_t half = 0;
    for (uint32_t i = 0; i + 1 < size && i < MAX_LABEL; i += 2) {
        char out[8];
        drua_text_append(text, out, write_utf16(read_integer(p + i, little, 2), &half, out));
    }
}

/* Whether all pages belong to this channel, counted from 0. */
static bool is_of_one_channel(const drua_imagej_pages *pages, uint32_t channel)
{
    return (int64_t)channel == pages->first % pages->channels &&
           (pages->step % pages->channels == 0 || pages->count == 1);
}

void drua_imagej_describe_blocks(const drua_imagej_file_blocks *blocks, const drua_imagej_pages *pages, bool colours,
                                 drua_text *text)
{
    const uint32_t *sizes = blocks->sizes, count = blocks->count, length = blocks->length;
    const unsigned char *bytes = blocks->bytes;
    const int64_t first = pages->first, step = pages->step, last = first + (pages->count - 1) * step;
    if (count < 2 || length < 4 || sizes[0] > length || sizes[0] < 12)
        return;
    const bool little = !memcmp(bytes, "JIJI", 4);
    if (!little && memcmp(bytes, "IJIJ", 4))
        return;
    uint64_t at = sizes[0];
    uint32_t entry = 1;
    for (uint32_t k = 4; k + 8 <= sizes[0]; k += 8) {
        const uint32_t type = read_integer(bytes + k, little, 4), n = read_integer(bytes + k + 4, little, 4);
        int64_t next = first;
        for (uint32_t i = 0; i < n && entry < count; i++, entry++) {
            if (at + sizes[entry] > length)
                return;
            const bool chosen = (int64_t)i == next && i <= last;
            if (type == DRUA_IMAGEJ_LABELS && chosen) {
                drua_text_add(text, next == first ? "labels=" : "\t");
                add_label(text, bytes + at, sizes[entry], little);
                next += step;
            }
            if (type == DRUA_IMAGEJ_LUTS && colours && is_of_one_channel(pages, i) &&
                sizes[entry] == DRUA_IMAGEJ_LUT_BYTES) {
                drua_text_add(text, "lut=");
                for (uint32_t b = 0; b < DRUA_IMAGEJ_LUT_BYTES; b++)
                    drua_text_add(text, "%02x", bytes[at + b]);
                drua_text_add(text, "\n");
            }
            at += sizes[entry];
        }
        if (type == DRUA_IMAGEJ_LABELS && next != first)
            drua_text_add(text, "\n");
    }
}

void drua_imagej_describe_colour(uint32_t rgb, drua_text *text)
{
    if (rgb == 0xffffff)
        return;
    drua_text_add(text, "lut=");
    for (int part = 16; part >= 0; part -= 8)
        for (unsigned i = 0; i < 256; i++)
            drua_text_add(text, "%02x", (unsigned)((rgb >> part & 255) * i / 255));
    drua_text_add(text, "\n");
}

/* ---- writing */

bool drua_imagej_find(const char *text, const char *key, char *value, size_t size)
{
    const char *from = drua_imagej_value(text, key);
    const size_t n = from ? strcspn(from, "\n") : 0;
    if (from)
        snprintf(value, size, "%.*s", (int)(n < size ? n : size - 1), from);
    return from;
}

static void add_escaped(drua_text *out, const char *key, const char *value)
{
    drua_text_add(out, "%s=", key);
    drua_text_add_property(out, value);
    drua_text_append(out, "\n", 1);
}

static void copy_line(drua_text *out, const char *text, const char *from, const char *to, const char *not_written)
{
    char value[200];
    if (drua_imagej_find(text, from, value, sizeof value) && strcmp(value, not_written))
        add_escaped(out, to, value);
}

bool drua_imagej_axes(const char *text, int64_t pages, int64_t extents[3])
{
    static const char *const keys[] = {"channels", "slices", "frames"};
    int64_t all = 1;
    char value[32];
    for (int i = 0; i < 3; i++) {
        extents[i] = drua_imagej_find(text, keys[i], value, sizeof value) ? strtoll(value, NULL, 10) : 0;
        all = extents[i] > 0 && extents[i] <= pages ? all * extents[i] : 0;
    }
    return all == pages && extents[0] * extents[2] > 1;
}

static void write_axes(const char *text, int64_t pages, drua_text *out)
{
    int64_t extents[3];
    if (!drua_imagej_axes(text, pages, extents))
        return;
    drua_text_add(out, "channels=%lld\nslices=%lld\nframes=%lld\nhyperstack=true\n", (long long)extents[0],
                  (long long)extents[1], (long long)extents[2]);
    if (drua_imagej_has_colours(text, extents[0]))
        drua_text_add(out, "mode=composite\n");
}

void drua_imagej_write(const char *text, int64_t pages, bool rgb, drua_text *out)
{
    char value[300];
    drua_text_add(out, "ImageJ=1.54p\n");
    if (pages > 1)
        drua_text_add(out, "images=%lld\n", (long long)pages);
    copy_line(out, text, "unit", "unit", "pixel");
    if (!rgb && drua_imagej_find(text, "function", value, sizeof value)) {
        add_escaped(out, "cf", value);
        if (drua_imagej_find(text, "coefficients", value, sizeof value)) {
            int i = 0;
            for (char *rest = value, *one; (one = strtok_r(rest, ",", &rest)) != NULL; i++)
                drua_text_add(out, "c%d=%s\n", i, one);
        }
        copy_line(out, text, "valueUnit", "vunit", "");
    }
    copy_line(out, text, "frameInterval", "finterval", "0");
    if (!rgb)
        write_axes(text, pages, out);
    if (pages > 1) {
        copy_line(out, text, "pixelDepth", "spacing", "1");
        drua_text_add(out, "loop=false\n");
    }
    if (!rgb) {
        copy_line(out, text, "min", "min", "");
        copy_line(out, text, "max", "max", "");
    }
}
