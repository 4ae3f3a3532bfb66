/* SPDX-License-Identifier: BSD-3-Clause */
#include "chunked.h"

#include "text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Larger values mean damaged metadata. With at most MAX_PIXELS pixels, no product of extents overflows int64. */
enum { MAX_CHUNK_BYTES = 1 << 30 };
static const int64_t MAX_EXTENT = (int64_t)1 << 40, MAX_PIXELS = (int64_t)1 << 60;

static const struct {
    const char *name;
    drua_type type;
    char kind;
    size_t bytes;
    drua_stored_type stored;
} types[] = {{"uint8", DRUA_UINT8, 'u', 1, DRUA_STORED_AS_IS},       {"int8", DRUA_INT8, 'i', 1, DRUA_STORED_AS_IS},
             {"uint16", DRUA_UINT16, 'u', 2, DRUA_STORED_AS_IS},     {"int16", DRUA_INT16, 'i', 2, DRUA_STORED_AS_IS},
             {"uint32", DRUA_UINT32, 'u', 4, DRUA_STORED_AS_IS},     {"int32", DRUA_INT32, 'i', 4, DRUA_STORED_AS_IS},
             {"float32", DRUA_FLOAT32, 'f', 4, DRUA_STORED_AS_IS},   {"bool", DRUA_UINT8, 'b', 1, DRUA_STORED_AS_IS},
             {"float64", DRUA_FLOAT32, 'f', 8, DRUA_STORED_FLOAT64}, {"int64", DRUA_INT32, 'i', 8, DRUA_STORED_INT64},
             {"uint64", DRUA_UINT32, 'u', 8, DRUA_STORED_UINT64}};
enum { TYPES = sizeof types / sizeof *types };

drua_status drua_chunked_fail(const drua_chunked *a, const char *format, ...)
{
    char what[600];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return drua_fail(DRUA_E_ARGUMENT, "'%.600s': %s", a->folder, what);
}

bool drua_is_big_endian(void)
{
    const uint16_t one = 1;
    return *(const unsigned char *)&one == 0;
}

/* ---- parsing that the formats share */

drua_status drua_chunked_extents(const drua_json *json, const char *key, drua_chunked *a, int64_t *extents)
{
    const drua_json *list = drua_json_get(json, key);
    const int64_t count = drua_json_length(list);
    if (count < 1 && !a->dimensions)
        return drua_chunked_fail(a, "%s must be a list with a number for each axis of the array", key);
    if (count < 1 || (a->dimensions && count != a->dimensions))
        return drua_chunked_fail(a, "%s must be a list with a number for each of the array's %d axes", key,
                                 a->dimensions);
    if (count > DRUA_AXES)
        return drua_chunked_fail(a, "it has %lld axes; Drua reads at most %d: t, c, z, y, x", (long long)count,
                                 DRUA_AXES);
    a->dimensions = (int)count;
    for (int d = 0; d < count; d++)
        if (!drua_json_integer(drua_json_at(list, d), 1, MAX_EXTENT, &extents[d]))
            return drua_chunked_fail(a, "entry %d of %s must be a whole number from 1 to 2^40", d + 1, key);
    return DRUA_OK;
}

bool drua_axis_of(const char *name, drua_axis *axis)
{
    static const char names[] = "tczyxTCZYX";
    const char *at = name && name[0] && !name[1] ? strchr(names, name[0]) : NULL;
    if (at)
        *axis = (drua_axis)((at - names) % DRUA_AXES);
    return at;
}

drua_status drua_chunked_type(drua_chunked *a, const char *name)
{
    for (int i = 0; name && i < TYPES; i++) {
        const bool numpy = a->format == DRUA_ZARR_2 && name[0] && strchr("<>|=", name[0]) && name[1] == types[i].kind &&
                           name[2] == '0' + (int)types[i].bytes && !name[3];
        if (!numpy && strcmp(name, types[i].name))
            continue;
        a->type = types[i].type;
        a->stored = types[i].stored;
        a->stored_bytes = types[i].bytes;
        a->pixel_bytes = drua_chunked_pixel_bytes(a->type);
        if (numpy)
            a->big_endian = types[i].bytes > 1 && (name[0] == '>' || (name[0] == '=' && drua_is_big_endian()));
        return DRUA_OK;
    }
    return drua_chunked_fail(a,
                             "its pixels have the type %.40s, which Drua does not read; convert them to bool, an "
                             "integer of 8 to 64 bits, float32 or float64",
                             name ? name : "of a structure, or none");
}

const char *drua_chunked_type_name(drua_type type)
{
    for (int i = 0; i < TYPES; i++)
        if (types[i].type == type)
            return types[i].name;
    return "";
}

size_t drua_chunked_pixel_bytes(drua_type type)
{
    return type <= DRUA_INT8 ? 1 : type <= DRUA_INT16 ? 2 : 4;
}

static bool set_fill_value(drua_chunked *a, double value)
{
    const int bits = 8 * (int)a->pixel_bytes;
    const bool is_signed = a->type == DRUA_INT8 || a->type == DRUA_INT16 || a->type == DRUA_INT32;
    if (a->type == DRUA_FLOAT32) {
        const float number = (float)value;
        memcpy(a->fill, &number, sizeof number);
        if (isinf(number) && !isinf(value))
            return false;
        return a->stored != DRUA_STORED_FLOAT64 || (double)number == value || isnan(value);
    }
    const double min = is_signed ? -ldexp(1, bits - 1) : 0, max = ldexp(1, bits - is_signed) - 1;
    if (!(value >= min && value <= max) || value != floor(value))
        return false;
    const uint8_t one = (uint8_t)(int64_t)value;
    const uint16_t two = (uint16_t)(int64_t)value;
    const uint32_t four = (uint32_t)(int64_t)value;
    memcpy(a->fill,
           a->pixel_bytes == 1   ? (const void *)&one
           : a->pixel_bytes == 2 ? (const void *)&two
                                 : &four,
           a->pixel_bytes);
    return true;
}

/*
 * Sets the fill value from the bits of a float, "0x" and two hexadecimal digits for each byte that a file stores. Bits
 * of 32-bit floats are not converted, because processors change the bits of a signalling NaN when they convert it.
 */
static bool set_fill_bits(drua_chunked *a, const char *text)
{
    static const char digits[] = "0123456789abcdefABCDEF";
    if (strncmp(text, "0x", 2) || strlen(text) != 2 + 2 * a->stored_bytes || text[2 + strspn(text + 2, digits)])
        return false;
    const uint64_t bits = strtoull(text + 2, NULL, 16);
    const uint32_t low = (uint32_t)bits;
    double number;
    memcpy(&number, &bits, sizeof number);
    if (a->stored_bytes > sizeof low)
        return set_fill_value(a, number);
    memcpy(a->fill, &low, sizeof low);
    return true;
}

/* Converts a text that stands for a float: a name or a decimal number. */
static bool read_float(const char *text, double *number)
{
    static const struct {
        const char *name;
        double number;
    } names[] = {{"NaN", NAN}, {"Infinity", INFINITY}, {"-Infinity", -INFINITY}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(text, names[i].name)) {
            *number = names[i].number;
            return true;
        }
    char *end;
    *number = strtod(text, &end);
    const bool decimal = *text && !text[strspn(text, "0123456789+-.eE")];
    return decimal && !*end;
}

drua_status drua_chunked_fill(drua_chunked *a, const drua_json *value)
{
    const char *text = drua_json_text(value);
    bool truth;
    double number = 0;
    bool known = drua_json_number(value, &number);
    if (drua_json_truth(value, &truth)) {
        number = truth;
        known = true;
    } else if (text && a->type == DRUA_FLOAT32) {
        if (set_fill_bits(a, text))
            return DRUA_OK;
        known = read_float(text, &number);
    }
    if (known && set_fill_value(a, number))
        return DRUA_OK;
    return drua_chunked_fail(a, "fill_value must be a number that a pixel of %s can have",
                             drua_chunked_type_name(a->type));
}

static const struct {
    const char *name;
    drua_codec_kind kind;
} codecs[] = {{"gzip", DRUA_CODEC_GZIP}, {"zlib", DRUA_CODEC_ZLIB},   {"numcodecs.zlib", DRUA_CODEC_ZLIB},
              {"zstd", DRUA_CODEC_ZSTD}, {"blosc", DRUA_CODEC_BLOSC}, {"raw", DRUA_CODEC_NONE}};
enum { CODECS = sizeof codecs / sizeof *codecs };

static int find_codec(const char *name)
{
    int i = 0;
    while (i < CODECS && (!name || strcmp(name, codecs[i].name)))
        i++;
    return i;
}

bool drua_chunked_has_codec(const char *name)
{
    return find_codec(name) < CODECS;
}

drua_status drua_chunked_codec(drua_chunked *a, const char *name, const char *inner)
{
    const int i = find_codec(name);
    if (i == CODECS)
        return drua_chunked_fail(a,
                                 "its pixels are compressed with the codec %.60s; Drua reads raw, gzip, zlib, zstd and "
                                 "blosc: write the image again with one of them",
                                 name ? name : "(none is named)");
    a->codec.kind = codecs[i].kind;
    drua_copy_start(a->codec.inner, inner ? inner : "lz4", sizeof a->codec.inner);
    return DRUA_OK;
}

int drua_chunked_dimension(const drua_chunked *a, drua_axis axis)
{
    for (int d = 0; d < a->dimensions; d++)
        if (a->axis[d] == axis)
            return d;
    return -1;
}

int64_t drua_chunked_along(const drua_chunked *a, const int64_t *numbers, drua_axis axis)
{
    const int d = drua_chunked_dimension(a, axis);
    return d < 0 ? 1 : numbers[d];
}

int64_t drua_chunked_product(const drua_chunked *a, const int64_t *numbers)
{
    int64_t product = 1;
    for (int d = 0; d < a->dimensions; d++)
        product *= numbers[d];
    return product;
}

void drua_chunked_strides(const drua_chunked *a, const int64_t *extents, int64_t *strides)
{
    int64_t step = 1;
    for (int i = a->dimensions - 1; i >= 0; i--) {
        strides[a->order[i]] = step;
        step *= extents[a->order[i]];
    }
}

/* ---- paths */

drua_status drua_chunked_path(const drua_chunked *a, const int64_t *index, char path[DRUA_PATH])
{
    char key[200];
    int at = snprintf(key, sizeof key, "%s", a->prefix);
    for (int d = 0; d < a->dimensions; d++)
        at += snprintf(key + at, sizeof key - (size_t)at, "%.*s%lld", d || *a->prefix ? 1 : 0, &a->separator,
                       (long long)index[d]);
    return drua_path_join(path, a->folder, key)
               ? DRUA_OK
               : drua_chunked_fail(
                     a, "the paths of its chunks are too long; move the image to a folder with a shorter path");
}

const char *drua_chunked_index_text(const drua_chunked *a, const int64_t *index, char text[128])
{
    int at = 0;
    for (int d = 0; d < a->dimensions; d++)
        at += snprintf(text + at, 128 - (size_t)at, "%s%lld", d ? ", " : "", (long long)index[d]);
    return text;
}

/* ---- reading any format */

static drua_status check_array(const drua_chunked *a)
{
    double pixels = 1, file = 1, chunk = 1, chunks = 1;
    for (int d = 0; d < a->dimensions; d++) {
        pixels *= (double)a->extent[d];
        file *= (double)a->file[d];
        chunk *= (double)a->chunk[d];
        chunks *= (double)(a->file[d] / a->chunk[d]);
        if (a->file[d] % a->chunk[d])
            return drua_chunked_fail(a,
                                     "its shards must consist of whole chunks, but along axis %d a shard has %lld "
                                     "pixels and a chunk %lld; write it again",
                                     d + 1, (long long)a->file[d], (long long)a->chunk[d]);
    }
    if (pixels > (double)MAX_PIXELS || file > (double)MAX_PIXELS)
        return drua_chunked_fail(a, "%s more than the 2^60 pixels that Drua can count",
                                 pixels > (double)MAX_PIXELS ? "it has"
                                 : a->sharded                ? "each of its shards has"
                                                             : "each of its chunks has");
    if (chunk * (double)a->stored_bytes > MAX_CHUNK_BYTES)
        return drua_chunked_fail(
            a, "its chunks have %.0f bytes; Drua reads chunks of at most 1 GB: write the image again in smaller chunks",
            chunk * (double)a->stored_bytes);
    return a->sharded && chunks > 1 << 24 ? drua_chunked_fail(a,
                                                              "its shards have %.0f chunks, but Drua reads at most "
                                                              "2^24; write the image again in smaller shards",
                                                              chunks)
                                          : DRUA_OK;
}

static drua_status read_format(const char *name, drua_status (*read)(const drua_json *json, drua_chunked *array),
                               drua_chunked *a, bool *found)
{
    char path[DRUA_PATH];
    drua_json *json;
    if (!drua_path_join(path, a->folder, name))
        return drua_chunked_fail(a, "the path is too long; move the image to a folder with a shorter path");
    DRUA_TRY(drua_json_read(path, &json));
    const bool is_array = a->format == DRUA_ZARR_3 ? !drua_json_is(drua_json_get(json, "node_type"), "group")
                          : a->format == DRUA_N5   ? drua_json_get(json, "dimensions") != NULL
                                                   : true;
    *found = json && is_array;
    const drua_status status = *found ? read(json, a) : DRUA_OK;
    drua_json_free(json);
    return status;
}

drua_status drua_chunked_read(const char *folder, drua_chunked *a, bool *found)
{
    static const struct {
        const char *name;
        drua_chunk_format format;
        drua_status (*read)(const drua_json *json, drua_chunked *array);
    } formats[] = {{"zarr.json", DRUA_ZARR_3, drua_zarr_3_read},
                   {".zarray", DRUA_ZARR_2, drua_zarr_2_read},
                   {"attributes.json", DRUA_N5, drua_n5_read}};
    *found = false;
    for (int i = 0; i < 3 && !*found; i++) {
        *a = (drua_chunked){.format = formats[i].format, .prefix = "", .separator = '/'};
        for (int d = 0; d < DRUA_AXES; d++)
            a->order[d] = d;
        if (!drua_path_join(a->folder, folder, ""))
            return drua_fail(DRUA_E_ARGUMENT,
                             "the path '%.200s...' is too long; move the image to a folder with a shorter path",
                             folder);
        DRUA_TRY(read_format(formats[i].name, formats[i].read, a, found));
    }
    return *found ? check_array(a) : DRUA_OK;
}
