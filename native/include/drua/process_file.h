/* SPDX-License-Identifier: BSD-3-Clause */
/* Pipelines on images that are larger than any memory. drua.h includes this header. */
#ifndef DRUA_PROCESS_FILE_H
#define DRUA_PROCESS_FILE_H

#include <drua/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Progress of drua_process_file. Texts are valid until the callback returns. */
typedef struct drua_process_progress {
    const char *what; /**< unit that is counted now: "blocks measured", "blocks", "levels", ... */
    int64_t done, all; /**< units that are finished or have failed, and all units; `all` is 0 if it is not known yet */
    double left; /**< estimated seconds for the remaining units, from the measured speed; 0: not known */
    const char *plan; /**< once, before the first block: readable lines with images, blocks and memory; else NULL */
    const char *line; /**< a message for the user, shown once, such as a device that is not used; NULL: no message */
} drua_process_progress;

/** Called repeatedly on the caller's thread with the progress of the work; returns 0 to stop the work. The callback
 * must not call functions of Drua. */
typedef int (*drua_process_watch)(void *payload, const drua_process_progress *progress);

/**
 * Runs a pipeline on an image file block by block, as `drua process` does. Returns when the output is complete and has
 * been read again to check it. Needs no context: the function opens the devices itself.
 *
 * pipeline: a file of macro commands, or an operation with its settings, such as "gaussian_blur sigma_x=2 sigma_y=2".
 * input:    an image in the format OME-Zarr, N5 or TIFF, a list (.csv, .txt) of tiles that make up an image, or a plate
 *           in OME-Zarr.
 * output:   an OME-Zarr (.zarr) or TIFF (.tif), or a folder for them if the pipeline has several results; for a plate,
 *           an OME-Zarr. The output gets its name only when it is complete. It must not be the input, contain it or lie
 *           in it.
 * settings: see below; NULL or "" selects the defaults.
 * watch:    called with the progress and with `payload`; NULL: no callback.
 * Relative paths start at the working folder of the process.
 *
 * The settings are "name=value" pairs separated by spaces, with quotes around values that contain spaces:
 *   memory, host_memory      limits for each device (as for drua_set_memory) and for the host, such as "8GB"
 *   devices                  selectors of drua_open separated by commas, or "all" for the best device and all others of
 *                            the same model and driver; default: the best device
 *   device                   selector of the device that is used for planning
 *   block, chunk, shard      extents "X,Y,Z" in pixels
 *   compression, zarr        compression of the output; version of OME-Zarr, "0.4" or "0.5"
 *   series, level            image of a path with several images (number from 1, or name); its resolution level, from 0
 *   origin, size             box of the input that is processed: its first pixel, from 0, and its extent; both "X,Y,Z"
 *   frames                   frames of the input that are processed, from 1: "3" or "3-7"
 *   channel, input           "NAME=CHANNEL", "NAME=FILE": the pipeline's image NAME is this channel of the input
 *                            (number from 1, or name), or another file of the same extent; may be given several times
 *   margin                   pixels around a block that watersheds, distance maps and Voronoi regions read
 *   labels                   "yes" or "no": all results are label maps, or none; default: those made from labels
 *   store                    "no": do not store expensive images between passes; default: "yes"
 *   anew                     (without a value) discard the blocks of another plan
 *   overwrite                (without a value) replace an existing output
 *   provenance               (without a value) write to OUTPUT.json how a TIFF was made
 *
 * If the callback stops the work, the function returns after the blocks in flight are finished. After DRUA_E_CANCELLED,
 * DRUA_E_DEVICE, DRUA_E_NO_DEVICE, DRUA_E_MEMORY, DRUA_E_AWAY or a crash, the same call continues with the remaining
 * blocks: OUTPUT.plan.json and OUTPUT.plan.json.journal record the finished ones. If the pipeline cannot run block by
 * block, a file is missing, or a setting is wrong, the function fails before anything is written: with DRUA_E_ARGUMENT,
 * DRUA_E_NAME or DRUA_E_UNSUPPORTED. The message then names the command and its line, the file or the setting. May be
 * called from any thread. While another call or process makes the same output, the function waits.
 */
DRUA_API drua_status drua_process_file(const char *pipeline, const char *input, const char *output,
                                       const char *settings, drua_process_watch watch, void *payload);

#ifdef __cplusplus
}
#endif

#endif
