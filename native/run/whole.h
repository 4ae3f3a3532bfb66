/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a call on whole images: its kernels alone, or fused with the pointwise work before and after the call. */
#ifndef DRUA_WHOLE_H
#define DRUA_WHOLE_H

#include "call.h"

/* Allocates the outputs and calls the operation's `launch`. */
void drua_send_whole(drua_plan *plan);

/* As drua_send_whole, with the chains before and after the operation in its launches. drua_can_fuse returns whether
 * that may be possible; drua_send_fused returns false if it is not. */
bool drua_can_fuse(const drua_plan *plan);
bool drua_send_fused(drua_plan *plan);

#endif
