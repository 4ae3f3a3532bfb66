/* SPDX-License-Identifier: BSD-3-Clause */
/* An open image, shared by the files that read and write it. */
#ifndef DRUA_IO_ZARR_IMAGE_H
#define DRUA_IO_ZARR_IMAGE_H

#include "chunk_cache.h"
#include "chunked.h"
#include "multiscales.h"

/**
 * Checksums of a file with one chunk. Another version of the compressor stores equal pixels as other bytes, so the file
 * is unchanged if either checksum is.
 */
typedef struct drua_chunk_sums {
    bool listed;
    uint32_t file, pixels; /**< of all bytes of the file; of the decoded bytes */
} drua_chunk_sums;

struct drua_zarr {
    drua_chunked array;
    drua_multiscales about;
    drua_zarr_metadata metadata;
    drua_chunk_cache *kept, *indexes;   /**< NULL: no cache; indexes: those of shards */
    drua_bytes text; /**< the array's metadata at the time of opening */
    drua_file_info text_info; /**< of the file of these metadata */
    bool has_all; /**< a missing chunk counts as damage */
    drua_chunk_sums *sums; /**< for each file; NULL: no list */
    drua_zarr_see see; /**< NULL: no receiver */
    void *viewer;
};

/** Keeps the text of the array's metadata for comparison in drua_zarr_check. */
drua_status drua_zarr_keep_text(drua_zarr *zarr);

/**
 * Returns the bytes of the chunks that hold one slice of all channels, if chunks span several channels or frames.
 * Caching that many bytes is worthwhile. Returns 0 for other images.
 */
size_t drua_zarr_shared_bytes(const drua_zarr *zarr);

/** Reads several boxes as drua_zarr_read; their pixels follow each other. */
drua_status drua_zarr_read_boxes(drua_zarr *zarr, const drua_zarr_box *boxes, int64_t count, void *pixels);

/** Suffix of the folder of an unfinished image. */
#define DRUA_WRITING ".writing"

/** Copies a path without trailing characters that may follow a folder's name, and shortens it. */
drua_status drua_zarr_folder(const char *path, char folder[DRUA_PATH]);

/**
 * Assigns the axes that an image's metadata state to the dimensions of its array. Fails if the two contradict each
 * other.
 */
drua_status drua_zarr_set_axes(drua_chunked *array, const drua_multiscales *about);
void drua_zarr_set_metadata(const drua_chunked *array, const drua_multiscales *about, drua_zarr_metadata *metadata);

/** Finds the steps of a grid that a box touches along each dimension; returns their total number. */
int64_t drua_box_grid(const drua_chunked *array, const int64_t *step, const drua_zarr_box *box, int64_t *from,
                      int64_t *counts);

/** Converts an item's number to its index in a grid; the last dimension varies fastest. */
void drua_grid_index(const drua_chunked *array, const int64_t *from, const int64_t *counts, int64_t item,
                     int64_t *index);

/** Copies the pixels that a chunk and a box share, from the chunk or into the chunk. */
void drua_chunk_copy(const drua_chunked *array, const drua_zarr_box *box, const int64_t *index, unsigned char *chunk,
                     unsigned char *pixels, bool into_chunk);

/** Returns the number of a file, counted from 0, from its index in the grid of files. */
int64_t drua_file_number(const drua_chunked *array, const int64_t *file);

/** Returns whether a box lies inside an image. */
bool drua_box_is_inside(const drua_zarr_metadata *metadata, const drua_zarr_box *box);

/** Buffers of one thread that reads chunks. */
typedef struct drua_chunk_work {
    drua_bytes packed;
    unsigned char *chunk, *block;   /**< chunk: a decoded chunk; block: an N5 block smaller than a chunk */
    uint64_t *index;
    uint64_t print; /**< of the last file read but not yet reported; 0: no such file */
    uint64_t file_bytes; /**< length of the last file read */
} drua_chunk_work;

drua_status drua_chunk_work_open(const drua_chunked *array, drua_chunk_work *work);
void drua_chunk_work_close(drua_chunk_work *work);

/** Return the bytes of a chunk, and of a shard's decoded index: two numbers, offset and length, for each chunk. */
size_t drua_chunk_bytes(const drua_chunked *array);
size_t drua_shard_index_bytes(const drua_chunked *array);

/**
 * Returns a number that identifies the state of a file, computed from its size and time; it is never 0. NULL stands
 * for a missing file.
 */
uint64_t drua_file_print(const drua_file_info *info);

/** Reads the chunk at an index of the grid of chunks into `pixels`, in the computer's byte order. */
drua_status drua_chunk_read(const drua_zarr *zarr, const int64_t *index, drua_chunk_work *work, unsigned char *pixels);

/** Swaps the bytes of each pixel if the file has the other byte order. */
void drua_chunk_swap(const drua_chunked *array, unsigned char *pixels, size_t bytes);

#endif
