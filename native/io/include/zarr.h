/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Images in chunks: reads and writes OME-Zarr 0.4 (Zarr v2) and 0.5 (Zarr v3), and reads N5. A path names the folder of
 * an image, of one of its levels, or of a plain array.
 *
 * Pixels belong to one channel and one frame, both counted from 0. Pixels are dense, x fastest, then y, then z, in the
 * image's type and the computer's byte order. The order of the axes in the file does not matter.
 *
 * Facts and formats follow ngff.openmicroscopy.org 0.4 and 0.5, the Zarr core specifications 2 and 3.1, and N5's file
 * system specification.
 *
 * Threads: several threads may use one image at once, except to open, create or close it.
 */
#ifndef DRUA_IO_ZARR_H
#define DRUA_IO_ZARR_H

#include "file.h"
#include "text.h"

#include <drua/types.h>

#include <stdbool.h>

enum { DRUA_ZARR_LEVELS = 32 };

/** Describes an image, or one level of an image with several levels. */
typedef struct drua_zarr_metadata {
    drua_shape shape; /**< x, y, z; an image without a z axis has depth 1 and dimension 2 */
    int64_t channels, frames; /**< 1 if the image has no such axis */
    drua_type type;
    drua_shape chunk; /**< the unit of compression */
    drua_shape file; /**< the extent of one file, which one writer writes at once: a chunk, or a shard of several
                          chunks */
    double scale[3]; /**< size of a pixel of this level along x, y, z, in `unit`; 1 if unknown */
    double frame_interval;          /**< seconds; 0 if unknown */
    char unit[64]; /**< unit of `scale` in ImageJ's spelling, UTF-8: "nm", "µm", "mm"; "" for pixels */
    int version;                    /**< 4: OME-Zarr 0.4, 5: OME-Zarr 0.5, 0: N5 */
    int levels; /**< number of resolutions, at least 1 */
    bool labels; /**< pixels are object numbers: smaller levels show the most frequent number, not the mean */
} drua_zarr_metadata;

/** A box of pixels of one channel and frame: from `first` to before `end` along x, y, z. */
typedef struct drua_zarr_box {
    int64_t channel, frame, first[3], end[3];
} drua_zarr_box;

/**
 * A part of an image: channels and frames, counted from 0, and one box that applies to each. The box's own channel and
 * frame are ignored.
 */
typedef struct drua_zarr_range {
    int64_t first_channel, channels, first_frame, frames;
    drua_zarr_box box;
} drua_zarr_range;

/** Returns the range of a whole image with these metadata. */
drua_zarr_range drua_zarr_all(const drua_zarr_metadata *metadata);

/**
 * Returns whether these functions handle a path: a folder, a name with the extension .zarr, .n5 or .ozx, or an address
 * on a server without the extension of a TIFF.
 */
bool drua_zarr_is_path(const char *path);

/* ---- reading */

typedef struct drua_zarr drua_zarr;

/**
 * Opens one level of an image; level 0 is the largest. Close *zarr with drua_zarr_close; it is NULL after a failure.
 * DRUA_E_ARGUMENT names the path and the problem: no image, an unfinished image, an unsupported type, an unsupported
 * codec (with its name), or contradictory metadata.
 */
drua_status drua_zarr_open(const char *path, int level, drua_zarr **zarr);

/**
 * Chooses an image of a folder that holds several (series) in the layout of bioformats2raw. `series` is a number from 1
 * or the name in an image's metadata; "": the first; NULL: DRUA_E_ARGUMENT if there are several. Appends the path of
 * the image to `chosen`, and numbers and names of the others to `others`. If the folder holds one image, `chosen`
 * becomes its path, and DRUA_E_ARGUMENT refuses a series other than 1.
 */
drua_status drua_zarr_choose_series(const char *path, const char *series, drua_text *chosen, drua_text *others);
void drua_zarr_close(drua_zarr *zarr);
const drua_zarr_metadata *drua_zarr_metadata_of(const drua_zarr *zarr);

/**
 * Caches the most recently used decoded chunks, up to `bytes`, so that overlapping boxes decode each chunk once. The
 * default, 0, caches nothing. Call it before the first read.
 */
void drua_zarr_set_cache(drua_zarr *zarr, size_t bytes);

/**
 * Reads a box on all cores into an array of the box's size, decoding each chunk once. A chunk that does not exist holds
 * the fill value, as long as drua_zarr_check succeeds. Fails with DRUA_E_ARGUMENT, the file and the chunk's index if a
 * chunk is damaged or does not belong to this image. Fails with DRUA_E_AWAY if a disk does not respond, a symbolic link
 * is broken, or a file is being written. After a failure the pixels are undefined.
 */
drua_status drua_zarr_read(drua_zarr *zarr, const drua_zarr_box *box, void *pixels);

/* ---- presence */

/** Fails with DRUA_E_AWAY if the array's metadata have disappeared or changed since the image was opened. */
drua_status drua_zarr_check(const drua_zarr *zarr);

/**
 * As drua_zarr_check, and fails also if the file of the metadata has another time: an array of the same extent may have
 * replaced this one.
 */
drua_status drua_zarr_check_time(const drua_zarr *zarr);

/** Returns whether the image is on a server. */
bool drua_zarr_is_remote(const drua_zarr *zarr);

/** Returns the checksum (CRC32C) of the array's metadata. */
uint32_t drua_zarr_metadata_sum(const drua_zarr *zarr);

/**
 * From now on, reading a chunk that does not exist fails with DRUA_E_ARGUMENT. Use it for images that Drua wrote
 * completely.
 */
void drua_zarr_expect_all(drua_zarr *zarr);

/** Returns the number of chunk files in the array's grid; copies the path of one of them. */
int64_t drua_zarr_files(const drua_zarr *zarr);
drua_status drua_zarr_file_path(const drua_zarr *zarr, int64_t file, char *path, size_t size);

/**
 * Computes the print of a file: a number made of its size and its time in nanoseconds. Two states of a file with equal
 * size and time have the same print. The print of a missing file is DRUA_ZARR_ABSENT, which is only valid if
 * drua_zarr_check succeeds afterwards. Fails like drua_zarr_read.
 */
#define DRUA_ZARR_ABSENT ((uint64_t)1)
drua_status drua_zarr_file_print(const drua_zarr *zarr, int64_t file, uint64_t *print);

/**
 * Receives the print of each file that is read, after its pixels are decoded; `damaged` is true if decoding failed. If
 * it returns a status other than DRUA_OK, the read fails with that status. Several threads call it at once. Set it
 * before the first read.
 */
typedef drua_status (*drua_zarr_see)(void *payload, int64_t file, uint64_t print, bool damaged);
void drua_zarr_watch(drua_zarr *zarr, drua_zarr_see see, void *payload);

/**
 * Computes the checksum (CRC32C) and the length in bytes of all files that hold a box, concatenated as they are on the
 * disk. If `crc` is NULL, the files are not read, only checked for existence. A missing file adds nothing, unless
 * drua_zarr_expect_all was called. DRUA_E_ARGUMENT names a file that is missing or cannot be read; DRUA_E_AWAY if
 * drua_zarr_check fails.
 */
drua_status drua_zarr_sum(const drua_zarr *zarr, const drua_zarr_box *box, uint32_t *crc, uint64_t *bytes);

/**
 * Appends the number and the checksums, of its bytes and of its decoded pixels, of each file that holds a box to
 * `sums`, whose data the caller frees. Only for Zarr images without shards, whose files hold one chunk each.
 * DRUA_E_ARGUMENT names a file that is missing or cannot be decoded.
 */
drua_status drua_zarr_list_sums(const drua_zarr *zarr, const drua_zarr_box *box, drua_bytes *sums);

/**
 * From now on, reading fails with DRUA_E_ARGUMENT if a file of a chunk is not in the list from drua_zarr_list_sums, or
 * both of its checksums differ from the list. A file with the same pixels, which a process with another version of the
 * compressor has written, is read. Call it before the first read.
 */
drua_status drua_zarr_expect_sums(drua_zarr *zarr, const drua_bytes *sums);

/**
 * Adds lines key=value as in tiff.h about a part of the image; NULL: the whole image. Extents are left out. The lines
 * hold scale, unit, frame interval, and display range and colours of the first channel. `position` is the centre of the
 * first pixel along x, y, z in `unit`. `ome` holds what else a copy of the image needs; see ome_line.h.
 */
void drua_zarr_describe(const drua_zarr *zarr, const drua_zarr_range *range, drua_text *text);

/**
 * Adds a sentence without its full stop about the display settings that drua_zarr_describe leaves out, if there are
 * any.
 */
void drua_zarr_describe_left_out(const drua_zarr *zarr, drua_text *text);

/* ---- writing */

/** How an image is written. Zeros select the defaults. */
typedef struct drua_zarr_options {
    int version; /**< 4 or 5; default 4, which most programs read; an archive (.ozx) always has 5 */
    const char *compression; /**< blosc-lz4 (default), blosc-zstd, zstd, gzip, zlib (version 4 only), none; blosc with
                                byte shuffle */
    int64_t chunk[3]; /**< default 128 along each axis, or 1024 by 1024 for a plane; at most the image's size */
    int64_t shard[3]; /**< version 5: extent of one file, a multiple of chunk; default: no shards */
    int levels; /**< default: enough for the smallest level to have no side above 256 pixels */
    bool labels;
    const char *provenance; /**< JSON value for the group's attribute "drua", in which the member "earlier" becomes the
                                 attribute "drua" of the source. NULL: none */
    bool inside_image; /**< labels: `path` is NAME in IMAGE/labels/NAME, which is stated as their source */
    bool replaces; /**< the finished image replaces an existing one, which is kept otherwise */
} drua_zarr_options;

typedef struct drua_zarr_out drua_zarr_out;

/**
 * Begins an image with the shape, channels, frames, type, scale, unit and frame interval of `metadata`. It grows in the
 * folder `path`.writing, which gets its final name when it is finished. If an earlier run left such a folder,
 * drua_zarr_create empties it.
 *
 * Fails with DRUA_E_ARGUMENT if `path` exists and may not be replaced: a link, a file, a folder with anything that does
 * not belong to an image, or an image without options->replaces.
 *
 * `text` may be NULL; otherwise it holds lines as drua_zarr_describe makes them. From level to level the sides halve,
 * rounded up: x and y always, z only if that brings pixels closer to cubes. drua_zarr_out_metadata returns the result.
 */
drua_status drua_zarr_create(const char *path, const drua_zarr_metadata *metadata, const drua_zarr_options *options,
                             const char *text, drua_zarr_out **out);

/**
 * Checks whether an image can be begun at a path, without changing anything there. DRUA_E_ARGUMENT names the obstacle.
 * `replaces` is as in the options.
 */
drua_status drua_zarr_can_create(const char *path, bool replaces);

/** Returns whether an unfinished image has any pixels. */
bool drua_zarr_has_any(const char *path);

/**
 * Computes the values that drua_zarr_create would choose for the largest level (chunk, file, version), and writes
 * nothing.
 */
drua_status drua_zarr_grid(const drua_zarr_metadata *metadata, const drua_zarr_options *options,
                           drua_zarr_metadata *grid);

/**
 * Resumes writing an unfinished image that another process, or an interrupted run, has begun. The finished image does
 * not replace an existing one.
 */
drua_status drua_zarr_resume(const char *path, drua_zarr_out **out);

/** Sets whether the finished image replaces an existing one. */
void drua_zarr_set_replaces(drua_zarr_out *out, bool replaces);

/** Returns the shape, chunk, file and scale that were chosen for a level. */
const drua_zarr_metadata *drua_zarr_out_metadata(const drua_zarr_out *out, int level);

/**
 * Writes a box of a level from pixels ordered as in drua_zarr_read, encoding on all cores. Each file gets a temporary
 * name first and is then renamed. The box must begin at multiples of metadata->file and end at such multiples or at the
 * image's end; otherwise fails with DRUA_E_ARGUMENT. Any process may write the same box again; the last version stays.
 * Writers of different boxes of a level never write the same file.
 */
drua_status drua_zarr_write(drua_zarr_out *out, int level, const drua_zarr_box *box, const void *pixels);

/** Opens a level of an unfinished image for reading. A chunk that is not written yet is DRUA_E_ARGUMENT. */
drua_status drua_zarr_reopen(const drua_zarr_out *out, int level, drua_zarr **zarr);

/** Returns whether all files of a box exist. */
bool drua_zarr_has(const drua_zarr_out *out, int level, const drua_zarr_box *box);

/**
 * Ends the writing and frees `out`. The effect depends on `status`:
 *
 * - DRUA_OK: writes the metadata that complete the image and moves it to its path. If several processes write the
 *   image, only the last one passes DRUA_OK. It replaces an existing image if that is allowed; otherwise both stay and
 *   the result is DRUA_E_ARGUMENT.
 *
 * - DRUA_E_CANCELLED: keeps the files for other processes or drua_zarr_resume, and returns DRUA_E_CANCELLED.
 *
 * - any other status: removes the files and returns that status.
 */
drua_status drua_zarr_finish(drua_zarr_out *out, drua_status status);

/**
 * Writes the metadata of a group in the format of OME-Zarr 0.4 or 0.5 (`version` 4 or 5; 0: 4), and makes its folder.
 * `attributes` holds the members of its JSON object, without braces.
 */
drua_status drua_zarr_write_group(const char *folder, int version, const char *attributes);

/**
 * Makes a folder of finished images a group that lists them by name, in the layout of bioformats2raw: the order of the
 * images in OME, and their metadata in OME/METADATA.ome.xml. Any process may write the same again.
 */
drua_status drua_zarr_write_collection(const char *folder, int version, const char *const *names, int count);

/** Removes an unfinished image if there is one. */
void drua_zarr_discard(const char *path);

/** Removes the remains of a replaced image that a crashed process left when it moved the finished one to `path`. */
void drua_zarr_clean(const char *path);

/**
 * Removes a finished image if there is one. It renames the image first, so that a partly removed image never looks
 * complete. It also completes an interrupted removal.
 */
drua_status drua_zarr_remove(const char *path);

#endif
