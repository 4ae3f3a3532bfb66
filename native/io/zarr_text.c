/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the metadata of an image. */
#include "zarr_out.h"

#include "quote.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
        drua_text_add(text, "%s\"%s\"", d ? "," : "", drua_axis_names[a->axis[d]]);
    drua_text_add(text, "]}\n");
}

void drua_array_text(const drua_chunked *a, drua_text *text)
{
    if (a->format == DRUA_ZARR_2)
        add_array_2(text, a);
    else
        add_array_3(text, a);
}
