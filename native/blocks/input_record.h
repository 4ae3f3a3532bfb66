/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * In which state each file of the input was when a plan was made, and when blocks and passes read it. All processes of
 * a plan keep this beside its journal, so that no result is mixed from two states of an input in chunks. A state is a
 * file's print (zarr.h): size and time, or absence.
 */
#ifndef DRUA_BLOCKS_INPUT_RECORD_H
#define DRUA_BLOCKS_INPUT_RECORD_H

#include "zarr.h"

typedef struct input_record input_record;

/* Larger images are not listed when a plan is made: looking at all files would take hours. */
enum { INPUT_MOST_LISTED = 1 << 20 };

/*
 * Reads what all processes have recorded in a folder, and watches the image from now on: a file that is in another
 * state than when it was read fails to be read. `what`: a hash of the image's metadata; records of another image do not
 * count. `listed`: a file that nobody has read must be in the state of the plan's list too, unless it was damaged
 * meanwhile: mending it is no change. DRUA_E_ARGUMENT where processes have read a file in two states. Closed with
 * input_record_close, before the image, also after a failure.
 */
drua_status input_record_open(const char *folder, const char *what, drua_zarr *zarr, bool listed, input_record **r);
void input_record_close(input_record *r);

/*
 * Compares the files that were read with what they are now, by all cores; `parts` > 0: the part-th of so many equal
 * parts of them. DRUA_E_ARGUMENT with the first that differs, the errors of drua_zarr_look.
 */
drua_status input_record_check(input_record *r, int64_t part, int64_t parts);

/* Writes the list of a plan that is made: the states of all files now. Replaces an older list. */
drua_status input_record_list(const char *folder, const char *what, const drua_zarr *zarr);

/* Whether a name in the folder is one of these files; removes all of them. */
bool input_record_is_file(const char *name);
void input_record_remove(const char *folder);

#endif
