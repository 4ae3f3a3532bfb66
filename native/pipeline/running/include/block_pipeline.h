/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A pipeline that runs block by block can process images larger than any memory, on all devices of a computer and on
 * many computers. A plan is made once and written to a file. The plan and a block's number determine the result of the
 * block, so any process may compute any block, even twice. A journal beside the plan records the finished blocks.
 *
 *   plan -> run (any number of processes, restarted after crashes) -> finish, which verifies
 *
 * Results are bit-identical to those of the whole image if the operations are exact. Deconvolution differs by at most a
 * thousandth of the range of grey values. Thresholds, labels and tables first need passes over all blocks:
 * drua_blocks_plan does these passes or, with `share`, drua_blocks_run.
 *
 * Functions that fail return a status, and drua_error_text() returns the error message. After DRUA_E_DEVICE,
 * DRUA_E_NO_DEVICE, DRUA_E_MEMORY, DRUA_E_CANCELLED and DRUA_E_AWAY a retry may succeed; after any other status a retry
 * fails until its cause is removed. Any thread may call these functions, but only one thread of a process may use a
 * plan at a time.
 */
#ifndef DRUA_BLOCK_PIPELINE_H
#define DRUA_BLOCK_PIPELINE_H

#include "block_types.h"
#include "text.h"

/**
 * Makes a plan, begins its outputs and writes the plan to `path`. `report` receives lines for the user: images, blocks,
 * memory.
 *
 * Runs the passes on all requested devices: these measure numbers such as thresholds, store labels, and fill tables.
 * Their results do not depend on how many devices of the same model and driver take part. If a pass over labels was
 * interrupted, planning again resumes it, also on other devices.
 *
 * With `share` the passes are only counted, and drua_blocks_run does them. A plan without unfinished passes is complete
 * at once.
 */
drua_status drua_blocks_plan(const drua_blocks_request *request, const char *path, drua_text *report);

struct drua_device_info;

/** Returns whether two devices have the same model and driver. Others round differently, so seams would show. */
bool drua_devices_are_alike(const struct drua_device_info *a, const struct drua_device_info *b);

/**
 * Computes the unfinished blocks of a share. If the plan has unfinished passes, the function first completes these,
 * taking over unfinished blocks of other shares, so that no process waits. After the last pass it writes the complete
 * plan, with the same bytes as a plan made without `share`. If share->pass is not 0, DRUA_OK means only that this share
 * of that pass is done.
 *
 * A failed block does not stop the other blocks. The result is the status of the first failed block; the error message
 * names this block and the number of failed blocks. Fails with DRUA_E_ARGUMENT if the plan no longer fits its input.
 */
drua_status drua_blocks_run(const char *plan, const drua_blocks_share *share, drua_blocks_watch watch, void *payload);

/**
 * Checks that the files of all blocks exist and have the recorded lengths. With `verify` it also checks their
 * checksums, as drua_blocks_verify does, and that the chunks of an input have not changed since blocks read them. Then
 * it makes the smaller levels and writes the metadata, which makes the outputs appear under their names. Fails with
 * DRUA_E_CANCELLED if blocks are unfinished. Calling it again has no further effect.
 */
drua_status drua_blocks_finish(const char *plan, bool verify, drua_blocks_watch watch, void *payload);

/** State of a plan. */
typedef struct drua_blocks_status {
    int pass; /**< the first unfinished pass, from 1; the last pass if only the plan is incomplete; otherwise 0 */
    int passes; /**< for a shared plan, the number of passes */
    char what[64]; /**< the things that are counted: "blocks measured" */
    int64_t blocks, done, lost; /**< numbers of blocks, finished blocks and lost blocks of `pass`, over all channels and
                                     frames; if `pass` is 0, of the plan */
    int64_t plan_blocks; /**< number of blocks of the plan */
    int64_t processes; /**< number of processes that have written results */
    double blocks_per_second; /**< recent rate; 0: unknown */
    bool finished; /**< the outputs have their final names */
} drua_blocks_status;

/** Reads the state of a plan, also while processes run it. */
drua_status drua_blocks_read_status(const char *plan, drua_blocks_status *status);

/**
 * Adds the unfinished blocks to `ranges`, one line "A:B" for the blocks from A to before B. If a pass is unfinished,
 * the line "pass K of N" comes first and the blocks belong to that pass.
 */
drua_status drua_blocks_list_unfinished(const char *plan, drua_text *ranges);

/**
 * Lists the local files and folders of a plan, one per line: "reads PATH" for images, tiles and files that blocks read,
 * "makes PATH" for outputs. Until an output is finished, its folder is PATH.writing.
 */
drua_status drua_blocks_places(const char *plan, drua_text *places);

/**
 * Adds a page of HTML about the progress: passes, rates, failures, and a map of the blocks. Refuses a `path` for the
 * page that would replace a file of the plan or lie in one of its images.
 */
drua_status drua_blocks_page(const char *plan, const char *path, drua_text *html);

/**
 * Reads the files of all finished blocks again and compares their checksums. Before drua_blocks_finish it marks
 * differing blocks as lost, so that the next run repeats them. If blocks differ it fails with DRUA_E_ARGUMENT; the
 * error message names the first one and their number.
 */
drua_status drua_blocks_verify(const char *plan, drua_blocks_watch watch, void *payload);

/**
 * Makes, runs, verifies and finishes a plan, then removes it. The plan's file is OUTPUT.plan.json. If the input is a
 * plate of OME-Zarr, does so for each field, and makes a plate of the results; see process_plate.h. The same call
 * resumes after an interruption or a failure. If `watch` cancels before the first block, a plan without any results is
 * removed. `watch` and the devices of `share` apply to all steps; the request's own fields watch, devices and share are
 * ignored.
 */
drua_status drua_blocks_process(const drua_blocks_request *request, const drua_blocks_share *share,
                                drua_blocks_watch watch, void *payload);

/**
 * Sets a field of a request or a share by a name that drua_process_file lists, such as memory, block ("X,Y,Z") or zarr
 * ("0.4", "0.5"). anew, overwrite and provenance take NULL, "true" or "false". Texts are not copied and must outlive
 * the request. Returns false if the name does not exist or the value is not valid.
 */
bool drua_blocks_set(drua_blocks_request *request, drua_blocks_share *share, const char *name, const char *value);

#endif
