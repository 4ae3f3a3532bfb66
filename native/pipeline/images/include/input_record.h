/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The state of each file of the input when the plan was made, and when blocks and passes read it. All processes of a
 * plan keep these records in the folder of its journal, so that no result mixes two states of an input in chunks. A
 * state is the print of a file (zarr.h): its size and time, or its absence.
 */
#ifndef DRUA_PIPELINE_INPUT_RECORD_H
#define DRUA_PIPELINE_INPUT_RECORD_H

#include "zarr.h"

typedef struct input_record input_record;

/* A plan does not list the files of an image with more files than this: examining them would take hours. */
enum { INPUT_MAX_LISTED = 1 << 20 };

/*
 * Reads the records of all processes in a folder and watches the image from now on. Reading a file fails if its state
 * differs from the state that an earlier reader saw.
 *
 * `hash` is that of the image's metadata; records of another image are skipped. If `listed`, a file without an
 * earlier reader must be in the state of the plan's list. A file that a reader has found damaged or missing may later
 * differ from the list, because repairing a file is not a change.
 *
 * Fails with DRUA_E_ARGUMENT if processes read a file in two states. Call input_record_close before closing the image,
 * also after a failure.
 */
drua_status input_record_open(const char *folder, const char *hash, drua_zarr *zarr, bool listed, input_record **r);
void input_record_close(input_record *r);

/*
 * Compares the recorded states of the files that were read with their present states, on all cores. If `parts` > 0,
 * compares only files whose number modulo `parts` is `part`. DRUA_E_ARGUMENT names one file that differs; other errors
 * are those of drua_zarr_file_print and drua_zarr_check.
 */
drua_status input_record_check(input_record *r, int64_t part, int64_t parts);

/*
 * Writes the plan's list: the present state of each file. Removes an older list; a remote image or one with more than
 * INPUT_MAX_LISTED files gets none.
 */
drua_status input_record_list(const char *folder, const char *hash, const drua_zarr *zarr);

/*
 * Returns whether a name in the folder is that of a file of these records, or of a folder that begins with "inputs" and
 * has records about further inputs.
 */
bool input_record_is_ours(const char *name);

/* Removes all of these files and folders. */
void input_record_remove(const char *folder);

#endif
