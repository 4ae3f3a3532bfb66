/* SPDX-License-Identifier: BSD-3-Clause */
/* For operations that read or write the image file, TIFF or Zarr, that a path parameter names. */
#ifndef DRUA_PLAN_FILES_H
#define DRUA_PLAN_FILES_H

#include "plan.h"

/* ---- reading. Shape and type rules may also call the first four functions. */

/**
 * Opens the file and chooses a channel and a frame, counted from 1. 0 for both chooses the frames that a push in ImageJ
 * would take. Call this function once per call, before the other functions for files.
 */
void plan_open_file(drua_plan *plan, const char *path, int64_t channel, int64_t frame);

/**
 * Like plan_open_file, with a text of settings instead: arrays channels, frames (first and last, from 1), origin, size
 * (x, y, z), and level; zeros mean all.
 */
void plan_open_box(drua_plan *plan, const char *path, const char *options);

/**
 * Returns the extent and type of the chosen part. If nothing was chosen, the part is all frames, which must be grey:
 * the slices of the first channel, or its frames if it has one slice.
 */
drua_shape plan_file_shape(drua_plan *plan, const char *path);
drua_type plan_file_type(drua_plan *plan, const char *path);

/**
 * Reads `count` frames from `first` (from 0) on into dense scratch memory. Frames requested in order are read ahead;
 * the host never holds more than a few.
 */
drua_view plan_file_frames(drua_plan *plan, const char *path, int64_t first, int32_t count);

/** Like plan_file_frames, for `rows` rows of each frame, from `row` (from 0) on. */
drua_view plan_file_rows(drua_plan *plan, const char *path, int64_t first, int32_t count, int64_t row, int32_t rows);

/**
 * Reads the chosen part into an output whose parameter says `replaces`, with the file's metadata. Other threads may use
 * the device while pixels move.
 */
void plan_read_file(drua_plan *plan, const char *output);

/** A channel and frame of an image file, without its pixels. */
typedef struct plan_file_facts {
    drua_shape shape;
    drua_type type;
    double position[3]; /**< of the first pixel on the stage along x, y, z, in pixels; 0 if the metadata have none */
} plan_file_facts;

/**
 * Finds facts about an image file, from its metadata alone. `channel` and `frame` count from 1. Returns false if the
 * file does not exist. The call fails if the file cannot be read or holds several images.
 */
bool plan_find_file(drua_plan *plan, const char *path, int64_t channel, int64_t frame, plan_file_facts *facts);

/**
 * Lists the names in a folder ("": the process's folder) that begin with one text and end with another, in the order
 * of their characters. The memory lives as long as the call. Returns 0 and fails the call if the folder cannot be read.
 */
int64_t plan_list_folder(drua_plan *plan, const char *folder, const char *begin, const char *end, char ***names);

/**
 * Writes an image with its metadata, as TIFF or OME-Zarr according to the path's extension; `compression` as in
 * drua_write_tiff. An existing file is replaced once the new one is complete. Only inside op->build.
 */
void plan_write_file(drua_plan *plan, const char *image, const char *path, const char *compression);

/**
 * Writes OME-Zarr with its levels. `options` is a text of settings: version, compression, chunk, shard, levels, labels.
 * NULL: their defaults, but the given compression unless that is NULL, too. Only inside op->build.
 */
#define DRUA_CHUNK_COMPRESSIONS "blosc-lz4", "blosc-zstd", "zstd", "gzip", "zlib", "none"
void plan_write_chunks(drua_plan *plan, const char *image, const char *path, const char *options,
                       const char *compression);

/** Writes an image, which a call returned, to an uncompressed TIFF. Only inside op->build. */
void plan_write_operand(drua_plan *plan, drua_operand operand, const char *path);

#endif
