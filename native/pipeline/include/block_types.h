/* SPDX-License-Identifier: BSD-3-Clause */
/* The request for a pipeline that runs block by block, and the types of its reports. */
#ifndef DRUA_BLOCK_TYPES_H
#define DRUA_BLOCK_TYPES_H

#include <drua/types.h>
#include <stdbool.h>
#include <stdint.h>

/** Seconds that each step took. The steps overlap in time; device steps are sums over all devices. */
typedef struct drua_blocks_seconds {
    double read, decode, transfer, compute, encode, write;
} drua_blocks_seconds;

/** Progress of a run or of another command. */
typedef struct drua_blocks_progress {
    const char *what; /**< the things that are counted: "blocks", "blocks measured", "levels", ... */
    int64_t blocks; /**< number of blocks in this share */
    int64_t done; /**< finished blocks of this share, including those of earlier runs */
    int64_t made; /**< blocks that this run finished */
    int64_t failed;
    uint64_t bytes; /**< bytes of pixels that this run has read and written */
    double seconds; /**< seconds since the start of this run */
    double left; /**< estimated remaining seconds, from the measured rates of devices, reading and writing; 0:
                      unknown */
    drua_blocks_seconds split;
    const char *limit; /**< the slowest step, by its name in drua_blocks_seconds */
    const char *line; /**< a message for the user, reported once; NULL: no message */
    const char *plan; /**< only from drua_blocks_process: the lines of drua_blocks_plan, reported once; NULL
                           otherwise */
} drua_blocks_progress;

/**
 * Called from time to time on the caller's thread. If it returns false, the run finishes the blocks in flight and ends
 * with DRUA_E_CANCELLED.
 */
typedef bool (*drua_blocks_watch)(void *payload, const drua_blocks_progress *progress);

/** Which results of a plan are label maps: those that operations make from labels, all results, or no result. */
typedef enum drua_blocks_labels { DRUA_LABELS_KNOWN, DRUA_LABELS_ALL, DRUA_LABELS_NONE } drua_blocks_labels;

/** The margin that operations with a margin use by default, and the largest one. */
enum { BLOCKS_MARGIN = 64, BLOCKS_MAX_MARGIN = 4096 };

/** The largest number of named inputs. */
enum { DRUA_BLOCKS_INPUTS = 8 };

/** Describes the plan to make. Texts are UTF-8; NULL and zeros select the defaults. */
typedef struct drua_blocks_request {
    const char *pipeline; /**< a file of macro commands, or an operation with its settings: "deconvolve psf=psf.tif
                             iterations=20" */
    const char *input; /**< OME-Zarr, N5, TIFF, or a list of tiles */
    const char *channels[DRUA_BLOCKS_INPUTS]; /**< "NAME=CHANNEL": a channel of `input`, by its number from 1 or its
                                                 name, is the pipeline's image NAME. Results then have one channel. */
    const char *inputs[DRUA_BLOCKS_INPUTS]; /**< "NAME=FILE": another image of the same extent. With one channel or
                                               one frame, it serves all channels or frames of `input`. */
    int channel_count, input_count; /**< together at most DRUA_BLOCKS_INPUTS */
    const char *output; /**< OME-Zarr, or one TIFF; if the pipeline has several results, a folder for them */
    const char *memory; /**< memory of a device, as drua_set_memory takes it */
    const char *host_memory; /**< host memory: "8GB"; default: a quarter of the computer's memory */
    const char *device; /**< the device that makes the plan, as drua_open takes it; default: the first of `devices` */
    const char *devices; /**< the devices that measure, as in drua_blocks_share; NULL: the planning device */
    const char *series; /**< of a path with several images: the number from 1, or the name; default: the first */
    const char *compression; /**< of the output, as in drua_zarr_options */
    int64_t block[3]; /**< pixels of a block along x, y, z; multiples of the output's files */
    int64_t chunk[3], shard[3];
    int version; /**< OME-Zarr version, 4 or 5 */
    bool provenance; /**< also write the provenance of a TIFF to OUT.json */
    int level; /**< resolution level of `input`: 0 is the largest */
    int64_t origin[3], size[3]; /**< box of `input` to process: first pixel along x, y, z, from 0, and its size; 0: to
                                     the end */
    int64_t first_frame, last_frame; /**< frames of `input` to process, from 1; 0: all frames */
    int64_t margin; /**< pixels around a block that are read for operations whose pixels depend on pixels at any
                         distance, such as watersheds; 0: BLOCKS_MARGIN */
    drua_blocks_labels labels;
    bool stores_nothing; /**< compute expensive values again in each pass; otherwise the plan stores them if it
                              estimates that this is faster */
    bool one_image; /**< fail if the pipeline has several images as results, besides labels */
    bool share; /**< leave the passes to the processes that run the plan */
    bool for_others; /**< other computers run the plan: if this one has no device, plan for one with `memory` */
    bool overwrite; /**< let outputs replace files that other programs or plans made; otherwise such a plan fails
                         before it reads anything */
    bool anew; /**< discard the blocks of another plan with the same name or the same outputs */
    drua_blocks_watch watch; /**< reports the passes that come before the blocks; NULL: no reports */
    void *payload;
} drua_blocks_request;

/** Selects blocks and devices. */
typedef struct drua_blocks_share {
    int64_t first, end; /**< blocks from `first` to before `end`; both 0: all blocks */
    int64_t part, parts; /**< only part number `part`, from 0, of `parts` equal parts of these blocks; `parts` 0: all
                              of these blocks */
    int64_t pass; /**< for a shared plan: the blocks belong to this pass (from 1), and later passes are not done; 0:
                       the plan's blocks */
    const char *devices; /**< "all": the best device and all others of the same model and driver; or device names as in
                              drua_open, separated by commas; NULL: the best device */
} drua_blocks_share;

#endif
