/* SPDX-License-Identifier: BSD-3-Clause */
/* A call on whole images: its kernels alone, or with the pointwise work before and after it in their launches. */
#ifndef DRUA_WHOLE_H
#define DRUA_WHOLE_H

#include "call.h"

/* Allocates the outputs and runs the operation's plan. */
void drua_send_whole(drua_plan *plan);

/* As drua_send_whole, with the chains before and after the operation in its launches. drua_can_fuse returns whether
 * that is possible; drua_send_fused returns false if it is not. */
bool drua_can_fuse(const drua_plan *plan);
bool drua_send_fused(drua_plan *plan);

#endif
