/* SPDX-License-Identifier: BSD-3-Clause */
/* An image that is open, for the files that read and write it. */
#ifndef DRUA_IO_ZARR_IMAGE_H
#define DRUA_IO_ZARR_IMAGE_H

#include "chunk_cache.h"
#include "chunked.h"
#include "multiscales.h"

struct drua_zarr {
    drua_chunked array;
    drua_multiscales about;
    drua_zarr_metadata metadata;
    drua_chunk_cache *kept, *indexes;   /**< NULL: none; indexes: of shards */
    drua_bytes text; /**< of the array's metadata, when it was opened */
    bool has_all; /**< a chunk that is missing is damage */
    drua_zarr_see see; /**< NULL: nobody */
    void *viewer;
};

/** Keeps the text of the array's metadata, with which drua_zarr_check compares. */
drua_status drua_zarr_keep_text(drua_zarr *zarr);

/** What a folder is called until its image is whole. */
#define DRUA_WRITING ".writing"

/** A path without what may follow a folder's name. */
drua_status drua_zarr_folder(const char *path, char folder[DRUA_PATH]);

/** Lets an image say which axis of its array is which, and what is known of both. */
drua_status drua_zarr_set_axes(drua_chunked *array, const drua_multiscales *about);
void drua_zarr_set_metadata(const drua_chunked *array, const drua_multiscales *about, drua_zarr_metadata *metadata);

/** The steps of a grid that a box touches along each dimension; how many in all. */
int64_t drua_box_grid(const drua_chunked *array, const int64_t *step, const drua_zarr_box *box, int64_t *from,
                      int64_t *counts);

/** The place in a grid of the item with that number, the last dimension first. */
void drua_grid_index(const drua_chunked *array, const int64_t *from, const int64_t *counts, int64_t item,
                     int64_t *index);

/** Copies the pixels that a chunk and a box share, from the chunk or into it. */
void drua_chunk_copy(const drua_chunked *array, const drua_zarr_box *box, const int64_t *index, unsigned char *chunk,
                     unsigned char *pixels, bool into_chunk);

/** Whether a box lies inside of an image. */
bool drua_box_is_inside(const drua_zarr_metadata *metadata, const drua_zarr_box *box);

/** Memory of one thread that reads chunks. */
typedef struct drua_chunk_work {
    drua_bytes packed;
    unsigned char *chunk, *block;   /**< a chunk decoded; a block of N5 that is smaller than a chunk */
    uint64_t *index;
    uint64_t print; /**< of the last file that was read and not shown yet; 0: no such file */
} drua_chunk_work;

drua_status drua_chunk_work_open(const drua_chunked *array, drua_chunk_work *work);
void drua_chunk_work_close(drua_chunk_work *work);

/** Bytes of a chunk, and of a shard's index in memory: two numbers, place and length, for each chunk. */
size_t drua_chunk_bytes(const drua_chunked *array);
size_t drua_shard_index_bytes(const drua_chunked *array);

/** A number that differs between states of a file: made of its size and time, or of its absence (NULL). Never 0. */
uint64_t drua_file_print(const drua_file_info *info);

/** Reads a chunk at a place of the grid of chunks into `pixels`, in the computer's byte order. */
drua_status drua_chunk_read(const drua_zarr *zarr, const int64_t *index, drua_chunk_work *work, unsigned char *pixels);

/** Turns the bytes of pixels around where the file has them in the other order. */
void drua_chunk_swap(const drua_chunked *array, unsigned char *pixels, size_t bytes);

#endif
