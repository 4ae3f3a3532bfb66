/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Images in chunks: OME-Zarr 0.4 (Zarr v2) and 0.5 (Zarr v3) to read and write, N5 to read. A path names the folder of
 * an image, of one of its levels, or of a plain array. Pixels are dense, x fastest, then y, then z, in the image's own
 * type and the computer's byte order, whatever the order of the axes in the file; of one channel and one frame, which
 * count from 0 here. Facts and formats follow ngff.openmicroscopy.org 0.4 and 0.5, the Zarr core specifications 2
 * and 3.1, and N5's file system specification. All functions but open, create and close: any thread, several at once on
 * one image.
 */
#ifndef DRUA_IO_ZARR_H
#define DRUA_IO_ZARR_H

#include "text.h"

#include <drua/types.h>

#include <stdbool.h>

enum { DRUA_ZARR_LEVELS = 32 };

/** What is known of an image; of one level where there are several. */
typedef struct drua_zarr_metadata {
    drua_shape shape;               /**< x, y, z; depth is 1 and dimension 2 without a z axis */
    int64_t channels, frames;       /**< 1 without such an axis */
    drua_type type;
    drua_shape chunk;               /**< what is compressed at once */
    drua_shape file; /**< what one file holds and one writer writes at once: a chunk, or a shard of several */
    double scale[3];                /**< of a pixel of this level along x, y, z, in `unit`; 1 if unknown */
    double frame_interval;          /**< seconds; 0 if unknown */
    char unit[64];                  /**< as ImageJ writes it, UTF-8: "nm", "µm", "mm"; "" for pixels */
    int version;                    /**< 4: OME-Zarr 0.4, 5: OME-Zarr 0.5, 0: N5 */
    int levels;                     /**< resolutions, at least 1 */
    bool labels; /**< pixels are numbers of objects: lower levels show the most frequent one, not the mean */
} drua_zarr_metadata;

/** Pixels of one channel and frame from `first` to before `end` along x, y, z. */
typedef struct drua_zarr_box {
    int64_t channel, frame, first[3], end[3];
} drua_zarr_box;

/** Whether a path is for these functions: a folder, or a name that ends in .zarr or .n5. */
bool drua_zarr_is_path(const char *path);

/* ---- to read */

typedef struct drua_zarr drua_zarr;

/**
 * Opens a level, 0: the largest, of an image. DRUA_E_ARGUMENT with the path and what is wrong: no such image, not
 * finished, a type that Drua does not have, a codec by its name, metadata that contradict themselves. *zarr is NULL
 * then; else closed with drua_zarr_close.
 */
drua_status drua_zarr_open(const char *path, int level, drua_zarr **zarr);
void drua_zarr_close(drua_zarr *zarr);
const drua_zarr_metadata *drua_zarr_metadata_of(const drua_zarr *zarr);

/** Bytes of the chunks that hold a slice of all channels, where chunks have several channels or frames: what is worth
 * keeping; else 0. */
size_t drua_zarr_shared_bytes(const drua_zarr *zarr);

/**
 * Keeps decoded chunks, those used last, up to so many bytes: boxes that overlap then decode each chunk once. 0, the
 * preset: none. Before the first read.
 */
void drua_zarr_keep(drua_zarr *zarr, size_t bytes);

/**
 * Reads a box into as many pixels, each chunk once, by all cores. Chunks that do not exist hold the fill value, as long
 * as drua_zarr_check succeeds. A chunk that is damaged or not of this image is DRUA_E_ARGUMENT with its file and index;
 * a disk that does not answer, a link to nothing, or a file that is being written is DRUA_E_AWAY. The pixels are
 * undefined after a failure.
 */
drua_status drua_zarr_read(drua_zarr *zarr, const drua_zarr_box *box, void *pixels);

/** The same of several boxes, whose pixels follow each other. */
drua_status drua_zarr_read_boxes(drua_zarr *zarr, const drua_zarr_box *boxes, int64_t count, void *pixels);

/* ---- whether it is still the same image */

/** DRUA_E_AWAY unless the array's metadata are still there and as they were when it was opened. */
drua_status drua_zarr_check(const drua_zarr *zarr);

/** The checksum (CRC32C) of these metadata. */
uint32_t drua_zarr_metadata_sum(const drua_zarr *zarr);

/** From now on a chunk that does not exist is DRUA_E_ARGUMENT: for images that Drua wrote whole. */
void drua_zarr_expect_all(drua_zarr *zarr);

/** Files of chunks that the array has room for; the path of one. */
int64_t drua_zarr_files(const drua_zarr *zarr);
drua_status drua_zarr_file_path(const drua_zarr *zarr, int64_t file, char *path, size_t size);

/**
 * The print of a file: a number made of its size and its time in nanoseconds, or DRUA_ZARR_ABSENT, which means something
 * only if drua_zarr_check succeeds afterwards. It tells states of a file apart as far as these do. The errors of
 * drua_zarr_read.
 */
#define DRUA_ZARR_ABSENT ((uint64_t)1)
drua_status drua_zarr_look(const drua_zarr *zarr, int64_t file, uint64_t *print);

/**
 * Called for each file that is read, with its print: after its pixels were decoded, or, with `damaged`, could not be.
 * A status other than DRUA_OK is that of the read. Several threads at once. Before the first read.
 */
typedef drua_status (*drua_zarr_see)(void *payload, int64_t file, uint64_t print, bool damaged);
void drua_zarr_watch(drua_zarr *zarr, drua_zarr_see see, void *payload);

/**
 * The checksum (CRC32C) and the bytes of all files that hold a box, one after the other, as they are on the disk.
 * DRUA_E_ARGUMENT with the path of one that is missing or cannot be read. `crc` NULL: files are looked at, and not
 * read.
 */
drua_status drua_zarr_sum(const drua_zarr *zarr, const drua_zarr_box *box, uint32_t *crc, uint64_t *bytes);

/** Adds lines key=value as in tiff.h: scale, unit, frame interval, display range and colours of a channel; no extents.
 */
void drua_zarr_describe(const drua_zarr *zarr, int64_t channel, drua_text *text);

/* ---- to write */

/** How an image is written. Zeros are the presets. */
typedef struct drua_zarr_options {
    int version;                    /**< 4 or 5; preset 4, which most programs read */
    const char *compression; /**< blosc-lz4 (preset), blosc-zstd, zstd, gzip, zlib (version 4 only), none; blosc with
                                byte shuffle */
    int64_t chunk[3]; /**< preset 128 along each axis, of a plane 1024 by 1024; not larger than the image */
    int64_t shard[3];               /**< version 5: multiples of chunk that one file holds; preset: no shards */
    int levels;                     /**< preset: until no side is above 256 pixels */
    bool labels;
    bool replaces; /**< an image that is there goes when this one is finished; else it stays */
} drua_zarr_options;

typedef struct drua_zarr_out drua_zarr_out;

/**
 * Begins an image of shape, channels, frames, type, scale, unit, frame interval of `metadata`, beside its path: in the
 * folder `path`.writing, which appears under its own name when it is finished. A folder that an earlier try left there
 * is emptied. DRUA_E_ARGUMENT where something is at `path` that may not be replaced: a link, a file, a folder with
 * anything that does not belong to an image, or without options->replaces an image. `text` (NULL: none) holds lines
 * key=value with display range and colours. Sides halve from level to level, rounded up: x and y always, z where that
 * keeps pixels nearer to cubes; drua_zarr_out_metadata tells.
 */
drua_status drua_zarr_create(const char *path, const drua_zarr_metadata *metadata, const drua_zarr_options *options,
                             const char *text, drua_zarr_out **out);

/** Whether an image can be begun at a path: DRUA_E_ARGUMENT with what is there or why nothing can be. Leaves nothing,
 * and all that is there. `replaces` as in the options. */
drua_status drua_zarr_can_create(const char *path, bool replaces);

/** Whether pixels were written of an image that is not finished. */
bool drua_zarr_has_any(const char *path);

/** What drua_zarr_create would decide for the largest level, without writing anything: chunk, file, version. */
drua_status drua_zarr_grid(const drua_zarr_metadata *metadata, const drua_zarr_options *options,
                           drua_zarr_metadata *grid);

/** Goes on with an image that another process (or a try that was cut off) has begun, and is not finished. It does not
 * replace an image that is there. */
drua_status drua_zarr_resume(const char *path, drua_zarr_out **out);

/** Sets whether the image replaces one that is there when it is finished. */
void drua_zarr_set_replaces(drua_zarr_out *out, bool replaces);

/** What was decided for a level: shape, chunk, file, scale. */
const drua_zarr_metadata *drua_zarr_out_metadata(const drua_zarr_out *out, int level);

/**
 * Writes a box of a level: its pixels as for drua_zarr_read, encoded by all cores, each file under another name and
 * renamed. The box begins at multiples of metadata->file and ends at such or at the image's end, else DRUA_E_ARGUMENT.
 * The same box may be written again, by whomever: the last one stays. Two writers of one level never need the same
 * file.
 */
drua_status drua_zarr_write(drua_zarr_out *out, int level, const drua_zarr_box *box, const void *pixels);

/** Opens what is written of a level, to read what an unfinished image has so far; chunks that are not written yet are
 * DRUA_E_ARGUMENT. */
drua_status drua_zarr_reopen(const drua_zarr_out *out, int level, drua_zarr **zarr);

/** Whether all files of a box are there. */
bool drua_zarr_has(const drua_zarr_out *out, int level, const drua_zarr_box *box);

/**
 * Ends the writing and frees `out`. DRUA_OK: writes the metadata that make it an image and moves it to its path; only
 * by the last of several processes. An image that is there goes if it may be replaced; else both stay, and the result
 * is DRUA_E_ARGUMENT. DRUA_E_CANCELLED, which is returned: leaves what is there to the other processes or for
 * drua_zarr_resume. Any other status, which is returned too: removes it.
 */
drua_status drua_zarr_finish(drua_zarr_out *out, drua_status status);

/** Removes an image that is not finished, if there is one. */
void drua_zarr_discard(const char *path);

/** Removes what a dead process left of an image in whose place the finished one at that path has come. */
void drua_zarr_clean(const char *path);

/** Removes a finished image, if there is one: its name goes first, so that half of it never looks whole. Ends a removal
 * that was cut off. */
drua_status drua_zarr_remove(const char *path);

#endif
