/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the metadata of Zarr 2, Zarr 3 and N5 arrays, and names any part that Drua does not support. */
#include "chunked.h"

#include <string.h>

/* Assigns the last of the axes t, c, z, y, x to the dimensions. */
static void usual_axes(drua_chunked *a)
{
    for (int d = 0; d < a->dimensions; d++)
        a->axis[d] = (drua_axis)(DRUA_AXES - a->dimensions + d);
}

static void same_files(drua_chunked *a)
{
    memcpy(a->file, a->chunk, sizeof a->file);
}

/* ---- Zarr 2 */

static drua_status separator_of(const drua_json *json, char otherwise, drua_chunked *a)
{
    const char *text = drua_json_text(json);
    if (!text && !drua_json_is_nothing(json))
        return drua_chunked_fail(a, "the separator of its chunks must be / or .");
    if (text && strcmp(text, "/") && strcmp(text, "."))
        return drua_chunked_fail(a, "the separator of its chunks must be / or ., got '%.20s'", text);
    a->separator = text ? *text : otherwise;
    return DRUA_OK;
}

static drua_status read_codecs_2(const drua_json *json, drua_chunked *a)
{
    const drua_json *filters = drua_json_get(json, "filters"), *compressor = drua_json_get(json, "compressor");
    if (!drua_json_is_nothing(filters) && !drua_json_is_array(filters))
        return drua_chunked_fail(a, "its filters must be a list or null");
    if (drua_json_length(filters) > 0) {
        const char *name = drua_json_text(drua_json_get(drua_json_at(filters, 0), "id"));
        return drua_chunked_fail(
            a, "its pixels go through the filter %.60s, which Drua does not support; write it without filters",
            name ? name : "without a name");
    }
    if (drua_json_is_nothing(compressor))
        return DRUA_OK;
    if (!drua_json_is_object(compressor))
        return drua_chunked_fail(a, "its compressor must be an object with an id, or null");
    return drua_chunked_codec(a, drua_json_text(drua_json_get(compressor, "id")),
                              drua_json_text(drua_json_get(compressor, "cname")));
}

drua_status drua_zarr_2_read(const drua_json *json, drua_chunked *a)
{
    const drua_json *fill = drua_json_get(json, "fill_value");
    int64_t version;
    if (!drua_json_integer(drua_json_get(json, "zarr_format"), 2, 2, &version))
        return drua_chunked_fail(a, ".zarray must say zarr_format 2");
    DRUA_TRY(drua_chunked_extents(json, "shape", a, a->extent));
    DRUA_TRY(drua_chunked_extents(json, "chunks", a, a->chunk));
    same_files(a);
    usual_axes(a);
    DRUA_TRY(drua_chunked_type(a, drua_json_text(drua_json_get(json, "dtype"))));
    DRUA_TRY(read_codecs_2(json, a));
    double number;
    bool truth;
    if (drua_json_text(fill) || drua_json_number(fill, &number) || drua_json_truth(fill, &truth) ||
        drua_json_is_object(fill) || drua_json_length(fill) > 0)
        DRUA_TRY(drua_chunked_fill(a, fill));
    const char *order = drua_json_text(drua_json_get(json, "order"));
    if (!order || (strcmp(order, "C") && strcmp(order, "F")))
        return drua_chunked_fail(a, "order must be C or F, got '%.20s'", order ? order : "no text");
    for (int d = 0; *order == 'F' && d < a->dimensions; d++)
        a->order[d] = a->dimensions - 1 - d;
    return separator_of(drua_json_get(json, "dimension_separator"), '.', a);
}

/* ---- Zarr 3 */

/* Returns the name of an extension, which may be an object with a name or the name alone. NULL: it has no name. */
static const char *extension_name(const drua_json *extension)
{
    const char *alone = drua_json_text(extension);
    return alone ? alone : drua_json_text(drua_json_get(extension, "name"));
}

static bool is_extension(const drua_json *extension, const char *name)
{
    const char *own = extension_name(extension);
    return own && !strcmp(own, name);
}

static const drua_json *codec_settings(const drua_json *codec)
{
    return drua_json_get(codec, "configuration");
}

static drua_status read_transpose(const drua_json *codec, drua_chunked *a)
{
    const drua_json *order = drua_json_get(codec_settings(codec), "order");
    bool seen[DRUA_AXES] = {false};
    for (int i = 0; i < a->dimensions; i++) {
        int64_t d;
        if (!drua_json_integer(drua_json_at(order, i), 0, a->dimensions - 1, &d) || seen[d] ||
            drua_json_length(order) != a->dimensions)
            return drua_chunked_fail(a, "the order of its codec transpose must name each axis once, from 0 on");
        a->order[i] = (int)d;
        seen[d] = true;
    }
    return DRUA_OK;
}

static drua_status byte_order(const drua_json *codec, const drua_chunked *a, bool *big_endian)
{
    const drua_json *endian = drua_json_get(codec_settings(codec), "endian");
    *big_endian = drua_json_is(endian, "big");
    return !endian || *big_endian || drua_json_is(endian, "little")
               ? DRUA_OK
               : drua_chunked_fail(a, "the endian of its codec bytes must be little or big");
}

/*
 * Returns whether a reader may ignore an extension. The specification requires readers to understand every extension
 * that its author does not mark as optional.
 */
static bool may_be_passed_over(const drua_json *extension)
{
    return drua_json_is_false(drua_json_get(extension, "must_understand"));
}

/* Reads the codecs from bytes to bytes: one compressor, then a checksum. */
static drua_status read_compressors(const drua_json *list, int64_t i, drua_chunked *a)
{
    for (; i < drua_json_length(list); i++) {
        const char *name = extension_name(drua_json_at(list, i));
        const bool sum = name && !strcmp(name, "crc32c");
        if (!sum && !drua_chunked_has_codec(name) && may_be_passed_over(drua_json_at(list, i)))
            continue;
        if (a->codec.checksum || (!sum && a->codec.kind != DRUA_CODEC_NONE))
            return drua_chunked_fail(a, "its codec %.60s comes after others; Drua reads one compressor, then crc32c",
                                     name ? name : "without a name");
        if (sum)
            a->codec.checksum = true;
        else
            DRUA_TRY(drua_chunked_codec(
                a, name,
                drua_json_text(drua_json_get(drua_json_get(drua_json_at(list, i), "configuration"), "cname"))));
    }
    return DRUA_OK;
}

static drua_status index_codecs(const drua_json *list, drua_chunked *a)
{
    const int64_t count = drua_json_length(list);
    const bool plain = is_extension(drua_json_at(list, 0), "bytes");
    a->index_codec.checksum = count == 2 && is_extension(drua_json_at(list, 1), "crc32c");
    if (!plain || (count != 1 && !a->index_codec.checksum))
        return drua_chunked_fail(a, "the index of its shards must have the codecs bytes and crc32c");
    return byte_order(drua_json_at(list, 0), a, &a->index_big_endian);
}

static drua_status read_codecs(const drua_json *list, drua_chunked *a, bool inside);

static drua_status read_sharding(const drua_json *codec, drua_chunked *a)
{
    const drua_json *about = codec_settings(codec), *place = drua_json_get(about, "index_location");
    a->sharded = true;
    a->index_first = drua_json_is(place, "start");
    if (place && !a->index_first && !drua_json_is(place, "end"))
        return drua_chunked_fail(a, "the index_location of its shards must be start or end");
    for (int d = 0; d < a->dimensions; d++)
        if (a->order[d] != d)
            return drua_chunked_fail(a, "its codec transpose comes before the shards; Drua reads it inside the shards");
    DRUA_TRY(drua_chunked_extents(about, "chunk_shape", a, a->chunk));
    DRUA_TRY(index_codecs(drua_json_get(about, "index_codecs"), a));
    return read_codecs(drua_json_get(about, "codecs"), a, true);
}

static drua_status read_codecs(const drua_json *list, drua_chunked *a, bool inside)
{
    int64_t i = 0;
    if (is_extension(drua_json_at(list, i), "transpose"))
        DRUA_TRY(read_transpose(drua_json_at(list, i++), a));
    const drua_json *codec = drua_json_at(list, i);
    const char *name = extension_name(codec);
    if (is_extension(codec, "sharding_indexed") && !inside)
        return i + 1 < drua_json_length(list)
                   ? drua_chunked_fail(
                         a, "its shards are compressed as a whole; Drua reads shards whose chunks are compressed")
                   : read_sharding(codec, a);
    if (!is_extension(codec, "bytes"))
        return drua_chunked_fail(a,
                                 "its codec %.60s is not supported here; Drua reads transpose, "
                                 "sharding_indexed (once), bytes, gzip, zstd, blosc, crc32c",
                                 name ? name : "without a name");
    DRUA_TRY(byte_order(codec, a, &a->big_endian));
    return read_compressors(list, i + 1, a);
}

/* Assigns axes by their names. Ignores all names if one of them is unknown or occurs twice. */
static void named_axes(const drua_json *names, drua_chunked *a)
{
    drua_axis axis[DRUA_AXES] = {0};
    bool seen[DRUA_AXES] = {false};
    for (int d = 0; d < a->dimensions; d++) {
        if (!drua_axis_of(drua_json_text(drua_json_at(names, d)), &axis[d]) || seen[axis[d]])
            return;
        seen[axis[d]] = true;
    }
    memcpy(a->axis, axis, sizeof axis);
}

drua_status drua_zarr_3_check_members(const char *folder, const drua_json *json)
{
    static const char *const known[] = {
        "zarr_format", "node_type",  "shape",           "data_type",  "chunk_grid",           "chunk_key_encoding",
        "codecs",      "fill_value", "dimension_names", "attributes", "storage_transformers", "consolidated_metadata",
        NULL};
    const char *unknown = drua_json_unknown(json, known);
    return unknown
               ? drua_fail(DRUA_E_ARGUMENT,
                           "'%.600s': its zarr.json has the member '%.60s', which Drua does not support and which is "
                           "not marked must_understand: false; write the image again without it",
                           folder, unknown)
               : DRUA_OK;
}

static drua_status check_transformers(const drua_json *list, const drua_chunked *a)
{
    if (!drua_json_is_nothing(list) && !drua_json_is_array(list))
        return drua_chunked_fail(a, "storage_transformers must be a list");
    for (int64_t i = 0; i < drua_json_length(list); i++) {
        const drua_json *one = drua_json_at(list, i);
        const char *name = extension_name(one);
        if (!may_be_passed_over(one))
            return drua_chunked_fail(a, "it has the storage transformer %.60s, which Drua does not support",
                                     name ? name : "without a name");
    }
    return DRUA_OK;
}

drua_status drua_zarr_3_read(const drua_json *json, drua_chunked *a)
{
    const drua_json *grid = drua_json_get(json, "chunk_grid"), *keys = drua_json_get(json, "chunk_key_encoding");
    int64_t version;
    if (!drua_json_integer(drua_json_get(json, "zarr_format"), 3, 3, &version))
        return drua_chunked_fail(a, "zarr.json must say zarr_format 3");
    DRUA_TRY(drua_zarr_3_check_members(a->folder, json));
    DRUA_TRY(check_transformers(drua_json_get(json, "storage_transformers"), a));
    DRUA_TRY(drua_chunked_extents(json, "shape", a, a->extent));
    if (!is_extension(grid, "regular"))
        return drua_chunked_fail(a, "its chunk_grid must be regular");
    DRUA_TRY(drua_chunked_extents(codec_settings(grid), "chunk_shape", a, a->chunk));
    same_files(a);
    usual_axes(a);
    DRUA_TRY(drua_chunked_type(a, extension_name(drua_json_get(json, "data_type"))));
    DRUA_TRY(drua_chunked_fill(a, drua_json_get(json, "fill_value")));
    const bool preset = is_extension(keys, "default");
    if (!preset && !is_extension(keys, "v2"))
        return drua_chunked_fail(a, "its chunk_key_encoding must be default or v2");
    a->prefix = preset ? "c" : "";
    DRUA_TRY(separator_of(drua_json_get(codec_settings(keys), "separator"), preset ? '/' : '.', a));
    const drua_json *names = drua_json_get(json, "dimension_names");
    if (!drua_json_is_nothing(names) && drua_json_length(names) != a->dimensions)
        return drua_chunked_fail(a, "dimension_names must be a list with a name for each of the array's %d axes",
                                 a->dimensions);
    named_axes(names, a);
    return read_codecs(drua_json_get(json, "codecs"), a, false);
}

/* ---- N5: axes and pixels begin with x */

drua_status drua_n5_read(const drua_json *json, drua_chunked *a)
{
    static const drua_axis usual[DRUA_AXES] = {DRUA_AXIS_X, DRUA_AXIS_Y, DRUA_AXIS_Z, DRUA_AXIS_C, DRUA_AXIS_T};
    const drua_json *packing = drua_json_get(json, "compression");
    DRUA_TRY(drua_chunked_extents(json, "dimensions", a, a->extent));
    DRUA_TRY(drua_chunked_extents(json, "blockSize", a, a->chunk));
    same_files(a);
    DRUA_TRY(drua_chunked_type(a, drua_json_text(drua_json_get(json, "dataType"))));
    for (int d = 0; d < a->dimensions; d++) {
        a->axis[d] = usual[d];
        a->order[d] = a->dimensions - 1 - d;
    }
    named_axes(drua_json_get(json, "axes"), a);
    a->big_endian = a->stored_bytes > 1;
    const char *older = drua_json_text(drua_json_get(json, "compressionType"));
    return drua_chunked_codec(a, older ? older : drua_json_text(drua_json_get(packing, "type")), NULL);
}
