/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The state of each file of the input when the plan was made, and when blocks and passes read it. All processes of a
 * plan keep these records in the folder of its journal, so that no result mixes two states of an input in chunks. A
 * state is the print of a file (zarr.h): its size and time, or its absence.
 */
#ifndef DRUA_BLOCKS_INPUT_RECORD_H
#define DRUA_BLOCKS_INPUT_RECORD_H

#include "zarr.h"

typedef struct input_record input_record;

/* A plan of an image with more files has no list: looking at all of them would take hours. */
enum { INPUT_MOST_LISTED = 1 << 20 };

/*
 * Reads the records of all processes in a folder and watches the image from now on: reading a file fails if the file
 * is in another state than an earlier reader saw. `what`: a hash of the image's metadata; records of another image are
 * skipped. `listed`: a file without an earlier reader must be in the state of the plan's list, unless a reader found it
 * damaged or missing in between: mending a file is not a change. DRUA_E_ARGUMENT if processes read a file in two
 * states. Closed with input_record_close before the image, also after a failure.
 */
drua_status input_record_open(const char *folder, const char *what, drua_zarr *zarr, bool listed, input_record **r);
void input_record_close(input_record *r);

/*
 * Compares the recorded states of files that were read with the present states, by all cores. `parts` > 0: compares
 * only the part-th of so many equal parts. DRUA_E_ARGUMENT with the first file that differs; the errors of
 * drua_zarr_look.
 */
drua_status input_record_check(input_record *r, int64_t part, int64_t parts);

/* Writes the list of a plan, the present states of all files, in the place of an older list. */
drua_status input_record_list(const char *folder, const char *what, const drua_zarr *zarr);

/* Whether a name in the folder belongs to these records; removes all of them. */
bool input_record_is_file(const char *name);
void input_record_remove(const char *folder);

#endif
