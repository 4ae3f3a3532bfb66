/* SPDX-License-Identifier: BSD-3-Clause */
/* An array in chunks as its metadata describe it, of whatever format, and where its chunks lie. */
#ifndef DRUA_IO_CHUNKED_H
#define DRUA_IO_CHUNKED_H

#include "codec.h"
#include "json.h"
#include "zarr.h"

typedef enum drua_axis { DRUA_AXIS_T, DRUA_AXIS_C, DRUA_AXIS_Z, DRUA_AXIS_Y, DRUA_AXIS_X, DRUA_AXES } drua_axis;
typedef enum drua_chunk_format { DRUA_ZARR_2, DRUA_ZARR_3, DRUA_N5 } drua_chunk_format;

enum { DRUA_PATH = 4096 };

/** Arrays of numbers stand in the order of the metadata. */
typedef struct drua_chunked {
    char folder[DRUA_PATH];
    drua_chunk_format format;
    int dimensions;
    int64_t extent[DRUA_AXES], file[DRUA_AXES], chunk[DRUA_AXES]; /**< file: of what a file holds, a chunk or a shard */
    drua_axis axis[DRUA_AXES];      /**< which axis a dimension is */
    int order[DRUA_AXES];           /**< dimensions in a chunk, the slowest first */
    drua_type type;
    size_t pixel_bytes;
    bool big_endian;
    unsigned char fill[4];          /**< a pixel as the computer holds it */
    drua_codec codec;
    bool sharded, index_first;      /**< index_first: a shard's index is at its start */
    drua_codec index_codec;
    bool index_big_endian;
    const char *prefix;             /**< of a chunk's key: "" or "c" */
    char separator;
} drua_chunked;

/** Reads the array in a folder. *found is false, and the status DRUA_OK, if there is none. Axes are the last of t, c,
 * z, y, x unless it names them. */
drua_status drua_chunked_read(const char *folder, drua_chunked *array, bool *found);

/** The three formats, from the folder's metadata. The folder, codec and order are set to their presets before. */
drua_status drua_zarr_2_read(const drua_json *json, drua_chunked *array);
drua_status drua_zarr_3_read(const drua_json *json, drua_chunked *array);

/** Refuses a zarr.json, of an array or of a group, with a member that is unknown and has to be understood. */
drua_status drua_zarr_3_check_members(const char *folder, const drua_json *json);
drua_status drua_n5_read(const drua_json *json, drua_chunked *array);

/** Sentences about metadata begin with this path. */
drua_status drua_chunked_fail(const drua_chunked *array, const char *format, ...) DRUA_PRINTF(2, 3);

/** `count` positive whole numbers; how many there are is `dimensions` unless that is 0, which sets it. */
drua_status drua_chunked_extents(const drua_json *json, const char *key, drua_chunked *array, int64_t *extents);

/** The axis of a name: t, c, z, y, x, in any case. */
bool drua_axis_of(const char *name, drua_axis *axis);

/** "uint16" to a type; bytes of "<u2" and the like too. */
drua_status drua_chunked_type(drua_chunked *array, const char *name);
drua_status drua_chunked_fill(drua_chunked *array, const drua_json *value);

/** Whether the name is that of a codec that packs and that Drua has; NULL is none. */
bool drua_chunked_has_codec(const char *name);

/** `inner`: the compressor of blosc, or NULL. */
drua_status drua_chunked_codec(drua_chunked *array, const char *name, const char *inner);
const char *drua_chunked_type_name(drua_type type);
size_t drua_chunked_pixel_bytes(drua_type type);
bool drua_is_big_endian(void);

/** The extent along an axis, 1 where there is none; its dimension or -1. */
int drua_chunked_dimension(const drua_chunked *array, drua_axis axis);
int64_t drua_chunked_along(const drua_chunked *array, const int64_t *numbers, drua_axis axis);

/** The path of the file at a place of the grid of files. */
drua_status drua_chunked_path(const drua_chunked *array, const int64_t *index, char path[DRUA_PATH]);

/** "1, 0, 3", for sentences. */
const char *drua_chunked_index_text(const drua_chunked *array, const int64_t *index, char text[128]);

/** Pixels between neighbours along each dimension in a block of those extents. */
void drua_chunked_strides(const drua_chunked *array, const int64_t *extents, int64_t *strides);

/** The product of numbers of all dimensions. */
int64_t drua_chunked_product(const drua_chunked *array, const int64_t *numbers);

/** folder/name; false if too long. */
bool drua_path_join(char path[DRUA_PATH], const char *folder, const char *name);

/** Whether a path in metadata stays in its folder: no "..", no root, no drive, no backslash. */
bool drua_path_is_inside(const char *path);

#endif
