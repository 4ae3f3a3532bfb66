/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pipelines by blocks: images larger than any memory, on all devices of a machine and on many machines. A plan is made
 * once and written as a file; a block is a pure function of the plan and its number, so any process may do any block,
 * also twice; what is done stands in a journal beside the plan. Results have the bits of the whole image where the
 * operations promise equal bits; deconvolution stays within a thousandth of the range. plan -> run (any number of
 * processes, again after any of them died) -> finish, which verifies Passes over all blocks that find thresholds,
 * labels and tables come first: the plan's process does them, or those that run a plan which is only begun. Functions
 * that fail return a status whose sentence is drua_error_text(). DRUA_E_DEVICE, NO_DEVICE, MEMORY, CANCELLED and AWAY may
 * end well when they are tried again; others will not before somebody has changed something. Any thread; one plan is used
 * by one thread at a time in a process.
 */
#ifndef DRUA_BLOCK_PIPELINE_H
#define DRUA_BLOCK_PIPELINE_H

#include "text.h"

#include <drua/types.h>

#include <stdbool.h>
#include <stdint.h>

/** Seconds that the steps took, which go on at the same time; those of a device are of all devices together. */
typedef struct drua_blocks_seconds {
    double read, decode, transfer, compute, encode, write;
} drua_blocks_seconds;

/** How far a run, or another command, is. */
typedef struct drua_blocks_progress {
    const char *what; /**< is counted: "blocks", "blocks measured", "levels", ... */
    int64_t blocks; /**< of this share */
    int64_t done; /**< of these, those of earlier runs too */
    int64_t made; /**< by this run */
    int64_t failed;
    uint64_t bytes; /**< read and written by this run, as pixels */
    double seconds; /**< since it began */
    double left; /**< seconds, by the rates that devices, reading and writing have shown; 0: not known */
    drua_blocks_seconds split;
    const char *limit; /**< the step that most of the time goes to, by its name in drua_blocks_seconds */
    const char *line; /**< something that people should know, once; NULL: nothing */
    const char *plan; /**< of drua_blocks_process: what drua_blocks_plan says, once; NULL: nothing */
} drua_blocks_progress;

/** Called now and then on the caller's thread; false stops the run, which ends as DRUA_E_CANCELLED when the blocks in
 * hand are done. */
typedef bool (*drua_blocks_watch)(void *payload, const drua_blocks_progress *progress);

/** What a plan is made for. Texts are UTF-8; NULL or zeros are the presets. */
typedef struct drua_blocks_request {
    const char *pipeline; /**< a file of macro commands, or an operation with its settings: "deconvolve psf=psf.tif
                             iterations=20" */
    const char *input;          /**< OME-Zarr, N5 or TIFF */
    const char *output; /**< OME-Zarr, or one TIFF; where the pipeline gives several images the folder of these */
    const char *memory;         /**< of a device, as drua_set_memory takes it */
    const char *host_memory;    /**< of the computer: "8GB"; preset a quarter of it */
    const char *device; /**< that plans, as drua_open takes it; preset the first of `devices` */
    const char *devices; /**< that measure, as drua_blocks_share has them; NULL: the one that plans */
    const char *compression;    /**< of the output, as drua_zarr_options has it */
    int64_t block[3];           /**< pixels of a block along x, y, z; whole files of the output */
    int64_t chunk[3], shard[3];
    int version;                /**< of OME-Zarr, 4 or 5 */
    bool share; /**< leaves the passes to those that run the plan */
    bool overwrite; /**< lets the outputs replace what others have made; else that is refused before anything is read */
    bool anew; /**< forgets the blocks of another plan that lie under the same name, or that the same outputs have */
    drua_blocks_watch watch; /**< of what is measured of all blocks before they can be made; NULL: nobody */
    void *payload;
} drua_blocks_request;

/**
 * Makes a plan, begins its outputs and writes it to `path`. `said` receives lines for people: images, blocks, memory.
 * Numbers of all pixels, labels and tables of labels are made here, in passes over all blocks, on all devices that are
 * wished: what is found is the same for every number of devices of one kind. A pass over labels that was stopped goes
 * on when the same plan is made again, also on other devices. With `share` the plan is begun: passes are counted, and
 * drua_blocks_run does them; where all of them are done already, or there are none, the plan is made as without.
 */
drua_status drua_blocks_plan(const drua_blocks_request *request, const char *path, drua_text *said);

/** Which blocks, and where. */
typedef struct drua_blocks_share {
    int64_t first, end;         /**< blocks from `first` to before `end`; 0, 0: all */
    int64_t part, parts;        /**< of these the part-th of so many parts, from 0; parts 0: all */
    int64_t pass; /**< of a plan that is begun: the blocks are those of this pass, from 1, and nothing behind it is
                     done; 0: of the plan */
    const char *devices; /**< "all": the best and all of its kind; or wishes of drua_open with commas between; NULL:
                            one, the best */
} drua_blocks_share;

struct drua_device_info;

/** Whether two devices are of one kind; others round differently, so that seams would show. */
bool drua_blocks_are_one_kind(const struct drua_device_info *a, const struct drua_device_info *b);

/**
 * Does what is left to do of a share. Of a plan that is begun it does first whatever is left of the passes before, also
 * blocks that are of others' shares and not done: nobody waits. When the last pass is done the plan is written anew,
 * and has the bytes of one that was made without `share`; until then an end with DRUA_OK means that the share of `pass`
 * is done. A block that fails does not stop the others: the status is that of the first one, and the sentence names it
 * and how many failed. DRUA_E_ARGUMENT where the plan does not fit its input any more.
 */
drua_status drua_blocks_run(const char *plan, const drua_blocks_share *share, drua_blocks_watch watch, void *payload);

/**
 * Looks whether the files of all blocks are there and have their lengths, with `verify` also their checksums, and else
 * does as drua_blocks_verify. With `verify` an input in chunks must be as blocks have read it. Then makes the lower levels and writes the metadata, with which the outputs appear under
 * their names. DRUA_E_CANCELLED where blocks are not done. Twice is as good as once.
 */
drua_status drua_blocks_finish(const char *plan, bool verify, drua_blocks_watch watch, void *payload);

/** What there is of a plan. */
typedef struct drua_blocks_status {
    int pass, passes; /**< that is due, from 1, of a plan that is begun; 0: blocks are */
    char what[64]; /**< its blocks are called: "blocks measured" */
    int64_t blocks, done, lost; /**< of the pass that is due, of all channels and frames; else of the plan */
    int64_t all; /**< blocks of the plan */
    int64_t processes;          /**< that wrote something */
    double blocks_per_second;   /**< lately; 0: unknown */
    bool finished;              /**< outputs have their names */
} drua_blocks_status;

drua_status drua_blocks_look(const char *plan, drua_blocks_status *status);

/** Adds the blocks that are not done to `ranges`: "A:B" a line for those from A to before B. Before them "pass K of N"
 * where these are of a pass. */
drua_status drua_blocks_open(const char *plan, drua_text *ranges);

/**
 * Reads the files of all finished blocks again and compares their checksums. What differs is marked as lost, so that
 * the next run does it again, where outputs do not have their names yet; then DRUA_E_ARGUMENT with the first one and
 * how many.
 */
drua_status drua_blocks_verify(const char *plan, drua_blocks_watch watch, void *payload);

/** Removes the plan and its journal; outputs stay. */
void drua_blocks_forget(const char *plan);

/** Removes a plan and its unfinished outputs where it holds no work yet: neither blocks nor what passes over labels
 * found. Else all stays. */
void drua_blocks_withdraw(const char *plan);

/**
 * Plans, runs, verifies, finishes and forgets the plan, which is called as the output with ".plan.json" behind it: the
 * same call goes on after one that was stopped or failed. A plan that the watch refuses is withdrawn. The watch is that
 * of all steps, and so are the share's devices; the request's own are not asked, nor is its `share`.
 */
drua_status drua_blocks_process(const drua_blocks_request *request, const drua_blocks_share *share,
                                drua_blocks_watch watch, void *payload);

/**
 * Sets what a request or a share has under a name: memory, host_memory, device, devices, compression, block, chunk,
 * shard ("X,Y,Z"), zarr ("0.4", "0.5"), anew and overwrite (NULL, "true", "false"). Texts are kept as they are. Returns
 * false if the name does not exist or does not take the value.
 */
bool drua_blocks_set(drua_blocks_request *request, drua_blocks_share *share, const char *name, const char *value);

#endif
