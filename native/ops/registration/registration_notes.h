/* SPDX-License-Identifier: BSD-3-Clause */
/* Notes to the user about frames of a movie that could not be registered, or look doubtful. */
#ifndef DRUA_OPS_REGISTRATION_NOTES_H
#define DRUA_OPS_REGISTRATION_NOTES_H

#include "registration.h"

typedef enum registration_state { REGISTRATION_FOUND, REGISTRATION_EMPTY, REGISTRATION_FAILED } registration_state;

/** The state of each frame; EMPTY: no texture. */
typedef struct registration_notes {
    registration_state *state;
} registration_notes;

/** Whether the transform of a frame is plausible: it keeps the frame in view and roughly its size. */
bool registration_is_found(const registration_row *row, drua_layout frame);

/** Names the frames that have no texture, whose search failed, or that correlate little with their reference. */
void registration_tell(drua_plan *plan, const registration_notes *notes, const registration_row *rows, int32_t frames);

#endif
