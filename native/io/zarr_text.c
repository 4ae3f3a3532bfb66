/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the metadata of an image. */
#include "zarr_out.h"

#include "imagej.h"
#include "quote.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[DRUA_AXES] = {"t", "c", "z", "y", "x"};

static void add_list(drua_text *text, const drua_chunked *a, const int64_t *numbers)
{
    for (int d = 0; d < a->dimensions; d++)
        drua_text_add(text, "%s%lld", d ? "," : "[", (long long)numbers[d]);
    drua_text_add(text, "]");
}

/* ---- an array */

static const char *shuffle_name(const drua_chunked *a)
{
    return a->pixel_bytes > 1 ? "shuffle" : "noshuffle";
}

static void add_compressor_2(drua_text *text, const drua_chunked *a)
{
    const char *zstd = strcmp(a->codec.inner, "zstd") ? "" : "zstd";
    const int clevel = *zstd ? DRUA_CODEC_LEVEL : DRUA_CODEC_CLEVEL;
    switch (a->codec.kind) {
    case DRUA_CODEC_BLOSC:
        drua_text_add(text, "{\"id\":\"blosc\",\"cname\":\"%s\",\"clevel\":%d,\"shuffle\":1,\"blocksize\":0}",
                      a->codec.inner, clevel);
        break;
    case DRUA_CODEC_NONE: drua_text_add(text, "null"); break;
    default: drua_text_add(text, "{\"id\":\"%s\",\"level\":%d}", drua_codec_name(&a->codec), DRUA_CODEC_LEVEL);
    }
}

static void add_array_2(drua_text *text, const drua_chunked *a)
{
    static const char kinds[] = {[DRUA_UINT8] = 'u',  [DRUA_INT8] = 'i',  [DRUA_UINT16] = 'u', [DRUA_INT16] = 'i',
                                 [DRUA_UINT32] = 'u', [DRUA_INT32] = 'i', [DRUA_FLOAT32] = 'f'};
    drua_text_add(text, "{\"zarr_format\":2,\"shape\":");
    add_list(text, a, a->extent);
    drua_text_add(text, ",\"chunks\":");
    add_list(text, a, a->chunk);
    drua_text_add(text,
                  ",\"dtype\":\"%c%c%d\",\"fill_value\":0,\"order\":\"C\",\"filters\":null,\"dimension_separator\":\"/"
                  "\",\"compressor\":",
                  a->pixel_bytes > 1 ? '<' : '|', kinds[a->type], (int)a->pixel_bytes);
    add_compressor_2(text, a);
    drua_text_add(text, "}\n");
}

static void add_codecs_3(drua_text *text, const drua_chunked *a)
{
    const int clevel = strcmp(a->codec.inner, "zstd") ? DRUA_CODEC_CLEVEL : DRUA_CODEC_LEVEL;
    drua_text_add(text, "[{\"name\":\"bytes\",\"configuration\":{\"endian\":\"little\"}}");
    if (a->codec.kind == DRUA_CODEC_BLOSC)
        drua_text_add(text,
                      ",{\"name\":\"blosc\",\"configuration\":{\"typesize\":%d,\"cname\":\"%s\",\"clevel\":%d,"
                      "\"shuffle\":\"%s\",\"blocksize\":0}}",
                      (int)a->pixel_bytes, a->codec.inner, clevel, shuffle_name(a));
    else if (a->codec.kind == DRUA_CODEC_ZSTD)
        drua_text_add(text, ",{\"name\":\"zstd\",\"configuration\":{\"level\":%d,\"checksum\":false}}",
                      DRUA_CODEC_LEVEL);
    else if (a->codec.kind == DRUA_CODEC_GZIP)
        drua_text_add(text, ",{\"name\":\"gzip\",\"configuration\":{\"level\":%d}}", DRUA_CODEC_LEVEL);
    drua_text_add(text, "]");
}

static void add_array_3(drua_text *text, const drua_chunked *a)
{
    drua_text_add(text, "{\"zarr_format\":3,\"node_type\":\"array\",\"shape\":");
    add_list(text, a, a->extent);
    drua_text_add(text,
                  ",\"data_type\":\"%s\",\"chunk_grid\":{\"name\":\"regular\",\"configuration\":{\"chunk_shape\":",
                  drua_chunked_type_name(a->type));
    add_list(text, a, a->file);
    drua_text_add(text, "}},\"chunk_key_encoding\":{\"name\":\"default\",\"configuration\":{\"separator\":\"/"
                        "\"}},\"fill_value\":0,\"codecs\":");
    if (a->sharded) {
        drua_text_add(text, "[{\"name\":\"sharding_indexed\",\"configuration\":{\"chunk_shape\":");
        add_list(text, a, a->chunk);
        drua_text_add(text, ",\"codecs\":");
        add_codecs_3(text, a);
        drua_text_add(text, ",\"index_codecs\":[{\"name\":\"bytes\",\"configuration\":{\"endian\":\"little\"}},{"
                            "\"name\":\"crc32c\"}],\"index_location\":\"end\"}}]");
    } else
        add_codecs_3(text, a);
    drua_text_add(text, ",\"attributes\":{},\"dimension_names\":[");
    for (int d = 0; d < a->dimensions; d++)
        drua_text_add(text, "%s\"%s\"", d ? "," : "", names[a->axis[d]]);
    drua_text_add(text, "]}\n");
}

void drua_array_text(const drua_chunked *a, drua_text *text)
{
    if (a->format == DRUA_ZARR_2)
        add_array_2(text, a);
    else
        add_array_3(text, a);
}

/* ---- an image */

static void add_axes(drua_text *text, const drua_chunked *a, const drua_zarr_metadata *f)
{
    drua_text_add(text, "\"axes\":[");
    for (int d = 0; d < a->dimensions; d++) {
        const drua_axis axis = a->axis[d];
        drua_text_add(text, "%s{\"name\":\"%s\",\"type\":\"%s\"", d ? "," : "", names[axis],
                      axis == DRUA_AXIS_T   ? "time"
                      : axis == DRUA_AXIS_C ? "channel"
                                            : "space");
        if (axis == DRUA_AXIS_T && f->frame_interval > 0)
            drua_text_add(text, ",\"unit\":\"second\"");
        if (axis >= DRUA_AXIS_Z && *f->unit) {
            drua_text_add(text, ",\"unit\":");
            drua_text_add_json(text, drua_unit_from_imagej(f->unit));
        }
        drua_text_add(text, "}");
    }
    drua_text_add(text, "]");
}

/* Adds scales or translations. The centre of a lower level's pixel is the centre of the pixels that it combines. */
static void add_numbers(drua_text *text, const drua_zarr_out *o, int level, bool place)
{
    const drua_chunked *a = &o->arrays[level];
    drua_text_add(text, place ? ",{\"type\":\"translation\",\"translation\":[" : "{\"type\":\"scale\",\"scale\":[");
    for (int d = 0; d < a->dimensions; d++) {
        const bool space = a->axis[d] >= DRUA_AXIS_Z;
        const double interval =
            a->axis[d] == DRUA_AXIS_T && o->metadata[0].frame_interval > 0 ? o->metadata[0].frame_interval : 1;
        const double scale = space ? o->metadata[level].scale[DRUA_AXIS_X - a->axis[d]] : interval,
                     first = space ? o->metadata[0].scale[DRUA_AXIS_X - a->axis[d]] : scale;
        drua_text_add(text, "%s%.17g", d ? "," : "", place ? (scale - first) / 2 : scale);
    }
    drua_text_add(text, "]}");
}

static void add_levels(drua_text *text, const drua_zarr_out *o)
{
    drua_text_add(text, "\"datasets\":[");
    for (int level = 0; level < o->levels; level++) {
        drua_text_add(text, "%s{\"path\":\"%d\",\"coordinateTransformations\":[", level ? "," : "", level);
        add_numbers(text, o, level, false);
        if (level)
            add_numbers(text, o, level, true);
        drua_text_add(text, "]}");
    }
    drua_text_add(text, "]");
}

/* Writes the text's display range, and the last colour of its lookup table, for all channels. */
static void add_shown(drua_text *text, const drua_zarr_metadata *f, const char *about)
{
    static const double least[] = {
        [DRUA_INT8] = -128, [DRUA_INT16] = -32768, [DRUA_INT32] = -2147483648.0, [DRUA_FLOAT32] = 0};
    static const double most[] = {
        [DRUA_UINT8] = 255,           [DRUA_INT8] = 127,         [DRUA_UINT16] = 65535, [DRUA_INT16] = 32767,
        [DRUA_UINT32] = 4294967295.0, [DRUA_INT32] = 2147483647, [DRUA_FLOAT32] = 1};
    char low[64], high[64], lut[6 * 256 + 1], colour[7] = "FFFFFF";
    if (!drua_imagej_find(about, "min", low, sizeof low) || !drua_imagej_find(about, "max", high, sizeof high) ||
        !isfinite(atof(low)) || !isfinite(atof(high)))
        return;
    if (drua_imagej_find(about, "lut", lut, sizeof lut) && strlen(lut) == sizeof lut - 1 &&
        strspn(lut, "0123456789abcdefABCDEF") == sizeof lut - 1)
        for (int part = 0; part < 3; part++)
            memcpy(colour + 2 * part, lut + 2 * (256 * (part + 1) - 1), 2);
    drua_text_add(text, ",\"omero\":{\"channels\":[");
    for (int64_t c = 0; c < f->channels; c++)
        drua_text_add(text,
                      "%s{\"active\":true,\"color\":\"%s\",\"label\":\"%lld\",\"window\":{\"start\":%.17g,\"end\":%."
                      "17g,\"min\":%.17g,\"max\":%.17g}}",
                      c ? "," : "", colour, (long long)c + 1, atof(low), atof(high),
                      f->type == DRUA_FLOAT32 ? atof(low) : least[f->type],
                      f->type == DRUA_FLOAT32 ? atof(high) : most[f->type]);
    drua_text_add(text, "]}");
}

void drua_image_text(const drua_zarr_out *o, const char *about, drua_text *text)
{
    const bool three = o->arrays[0].format == DRUA_ZARR_3;
    const char *slash = strrchr(o->path, '/');
    drua_text_add(
        text, three ? "{\"zarr_format\":3,\"node_type\":\"group\",\"attributes\":{\"ome\":{\"version\":\"0.5\"," : "{");
    drua_text_add(text, "\"multiscales\":[{%s\"name\":", three ? "" : "\"version\":\"0.4\",");
    drua_text_add_json(text, slash ? slash + 1 : o->path);
    drua_text_add(text, ",");
    add_axes(text, &o->arrays[0], &o->metadata[0]);
    drua_text_add(text, ",");
    add_levels(text, o);
    drua_text_add(text, ",\"type\":\"%s\"}]", o->metadata[0].labels ? "mode" : "mean");
    if (o->metadata[0].labels)
        drua_text_add(text, ",\"image-label\":{\"version\":\"%s\"}", three ? "0.5" : "0.4");
    add_shown(text, &o->metadata[0], about ? about : "");
    drua_text_add(text, three ? "}}}\n" : "}\n");
}
