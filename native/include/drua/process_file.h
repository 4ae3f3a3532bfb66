/* SPDX-License-Identifier: BSD-3-Clause */
/* Pipelines on images that are larger than any memory. drua.h includes this header. */
#ifndef DRUA_PROCESS_FILE_H
#define DRUA_PROCESS_FILE_H

#include <drua/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Progress of drua_process_file. Texts are valid during the call of the callback. */
typedef struct drua_process_progress {
    const char *what; /**< unit that is counted now: "blocks measured", "blocks", "levels", ... */
    int64_t done, all; /**< units that are finished, and all units; `all` is 0 if it is not known yet */
    double left; /**< estimated seconds for the remaining units, from the measured speed; 0: not known */
    const char *plan; /**< once, before the first block: readable lines with images, blocks and memory; else NULL */
    const char *line; /**< a message for the user, shown once, such as a device that is not used; NULL: no message */
} drua_process_progress;

/** Called repeatedly on the caller's thread with the progress of the work; returns 0 to stop it. The callback must not
 * call functions of Drua. */
typedef int (*drua_process_watch)(void *payload, const drua_process_progress *progress);

/**
 * Runs a pipeline on an image file block by block, as `drua process` does. Returns when the output is complete and has
 * been read again to check it. Needs no context: the function opens the devices itself.
 *
 * pipeline: a file of macro commands, or an operation with its settings, such as "gaussian_blur sigma_x=2 sigma_y=2".
 * input:    an image in the format OME-Zarr, N5 or TIFF, or a list (.csv, .txt) of tiles that make up an image.
 * output:   an OME-Zarr (.zarr) or TIFF (.tif), or a folder for them if the pipeline has several results. The output
 *           gets its name only when it is complete. It must not be the input, contain it or lie in it.
 * settings: "name=value" pairs separated by spaces, with quotes around values that contain spaces; NULL or "" for none.
 *           memory and host_memory: limits for each device (as for drua_set_memory) and for the host ("8GB").
 *           devices: selectors of drua_open separated by commas, or "all" for the best device and all others of the
 *           same model and driver; default: the best device. device: the device that is used for planning. block,
 *           chunk, shard: extents "X,Y,Z" in pixels. compression: of the output. zarr: version of OME-Zarr, "0.4" or
 *           "0.5". Without a value: anew discards blocks of another plan; overwrite replaces an existing output, which
 *           is kept otherwise.
 * watch:    called with the progress and with `payload`; NULL: no callback.
 * Relative paths start at the working folder of the process.
 *
 * If the callback stops the work, the function returns after the blocks in flight are finished. After DRUA_E_CANCELLED,
 * DRUA_E_DEVICE, DRUA_E_NO_DEVICE, DRUA_E_MEMORY, DRUA_E_AWAY or a crash, the same call continues with the remaining
 * blocks, which are recorded in OUTPUT.plan.json and OUTPUT.plan.json.journal. DRUA_E_ARGUMENT, DRUA_E_NAME or
 * DRUA_E_UNSUPPORTED is returned before anything is written: if the pipeline cannot run in blocks (the message has the
 * command and its line), if a file is missing, or if a setting is wrong. May be called from any thread. While another
 * call or process makes the same output, the function waits.
 */
DRUA_API drua_status drua_process_file(const char *pipeline, const char *input, const char *output,
                                       const char *settings, drua_process_watch watch, void *payload);

#ifdef __cplusplus
}
#endif

#endif
