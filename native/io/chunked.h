/* SPDX-License-Identifier: BSD-3-Clause */
/* A chunked array as its metadata describe it, in any format, and the location of its chunks. */
#ifndef DRUA_IO_CHUNKED_H
#define DRUA_IO_CHUNKED_H

#include "codec.h"
#include "json_checks.h"
#include "stored_types.h"
#include "paths.h"
#include "zarr.h"

typedef enum drua_axis { DRUA_AXIS_T, DRUA_AXIS_C, DRUA_AXIS_Z, DRUA_AXIS_Y, DRUA_AXIS_X, DRUA_AXES } drua_axis;
typedef enum drua_chunk_format { DRUA_ZARR_2, DRUA_ZARR_3, DRUA_N5 } drua_chunk_format;

/** The fields that are arrays follow the order of dimensions in the metadata. */
typedef struct drua_chunked {
    char folder[DRUA_PATH];
    drua_chunk_format format;
    int dimensions;
    int64_t extent[DRUA_AXES], file[DRUA_AXES], chunk[DRUA_AXES]; /**< file: the extent of one file, which is a chunk
                                                                       or a shard */
    drua_axis axis[DRUA_AXES];      /**< the axis of each dimension */
    int order[DRUA_AXES]; /**< order of the dimensions within a chunk, slowest first */
    drua_type type;
    size_t pixel_bytes;
    drua_stored_type stored; /**< the files' type, if it is not `type` */
    size_t stored_bytes; /**< of a pixel in files, at least pixel_bytes */
    bool big_endian;
    unsigned char fill[4];          /**< one pixel in the computer's byte order */
    drua_codec codec;
    bool sharded, index_first;      /**< index_first: the index is at the start of the shard */
    drua_codec index_codec;
    bool index_big_endian;
    const char *prefix; /**< prefix of a chunk's key: "" or "c" */
    char separator;
} drua_chunked;

/**
 * Reads the metadata of the array in a folder. If the folder has no array, *found is false and the status is DRUA_OK.
 * If the metadata do not name the axes, the array has the last ones of t, c, z, y, x.
 */
drua_status drua_chunked_read(const char *folder, drua_chunked *array, bool *found);

/**
 * Read the metadata of one of the three formats. The caller sets the folder, and sets codec and order to their
 * defaults.
 */
drua_status drua_zarr_2_read(const drua_json *json, drua_chunked *array);
drua_status drua_zarr_3_read(const drua_json *json, drua_chunked *array);

/** Refuses the zarr.json of an array or a group if it has an unknown member that a reader must understand. */
drua_status drua_zarr_3_check_members(const char *folder, const drua_json *json);
drua_status drua_n5_read(const drua_json *json, drua_chunked *array);

/** Fails with an error message about metadata, which begins with this path. */
drua_status drua_chunked_fail(const drua_chunked *array, const char *format, ...) DRUA_PRINTF(2, 3);

/**
 * Reads a list of positive whole numbers, one for each of the array's `dimensions`. If `dimensions` is 0, the list's
 * length becomes `dimensions`.
 */
drua_status drua_chunked_extents(const drua_json *json, const char *key, drua_chunked *array, int64_t *extents);

/** Finds the axis of a name: t, c, z, y or x, in upper or lower case. */
bool drua_axis_of(const char *name, drua_axis *axis);

/** Converts the name of a type, such as "uint16" or "<u2". The second form also sets the byte order. */
drua_status drua_chunked_type(drua_chunked *array, const char *name);
drua_status drua_chunked_fill(drua_chunked *array, const drua_json *value);

/** Returns whether Drua supports a compressor of this name; false for NULL. */
bool drua_chunked_has_codec(const char *name);

/** Sets the codec. `inner` is the compressor inside blosc, or NULL. */
drua_status drua_chunked_codec(drua_chunked *array, const char *name, const char *inner);
const char *drua_chunked_type_name(drua_type type);
size_t drua_chunked_pixel_bytes(drua_type type);
bool drua_is_big_endian(void);

/**
 * Return the dimension of an axis, or -1 if the array lacks the axis. Return the entry of `numbers` for an axis, or 1
 * if the array lacks the axis.
 */
int drua_chunked_dimension(const drua_chunked *array, drua_axis axis);
int64_t drua_chunked_along(const drua_chunked *array, const int64_t *numbers, drua_axis axis);

/** Makes the path of the file at an index in the grid of files. */
drua_status drua_chunked_path(const drua_chunked *array, const int64_t *index, char path[DRUA_PATH]);

/** Formats an index for error messages, such as "1, 0, 3". */
const char *drua_chunked_index_text(const drua_chunked *array, const int64_t *index, char text[128]);

/** Computes the distance in pixels between neighbours along each dimension of a block of the given extents. */
void drua_chunked_strides(const drua_chunked *array, const int64_t *extents, int64_t *strides);

/** Multiplies the numbers of all dimensions. */
int64_t drua_chunked_product(const drua_chunked *array, const int64_t *numbers);

/**
 * Fails with an error message that names the path and explains errno. DRUA_E_AWAY if the folder was `made` but has
 * disappeared.
 */
drua_status drua_zarr_fail_to_write(const char *path, bool made);

/* Whether a file has exactly this text. */
bool drua_zarr_has_text(const char *path, const char *text);

/*
 * Writes a text to a file by drua_file_replace_by. Writes nothing if the file has exactly this text, so that no
 * temporary copy can be left over. Other processes may write the same text at the same time. Returns whether the file
 * has the text.
 */
bool drua_zarr_replace_text(const char *folder, const char *path, const char *text);

#endif
