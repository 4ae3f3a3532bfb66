/* SPDX-License-Identifier: BSD-3-Clause */
/* The text of a kernel around code that a user wrote in the language of CLIJ2's kernels (kernels/custom/pixels.cl). */
#ifndef DRUA_OPS_MATH_USER_CODE_H
#define DRUA_OPS_MATH_USER_CODE_H

#include "plan.h"

enum { USER_IMAGES = 16 };      /* two kernel arguments each */

typedef struct user_code {
    const char *code, *code_name;       /* statements, and the parameter that they came by */
    const char *globals, *globals_name; /* what stands before the kernel; NULL: nothing */
    bool positions;                     /* whether x, y, z are declared */
    drua_named *images;
    size_t count, extent;               /* the kernel runs once for each pixel of image number `extent` */
} user_code;

/** Compiles it and runs it on the images. Fails with a sentence if the images or the code are invalid. */
void user_code_run(drua_plan *plan, const user_code *user);

/** Whether the image is used for nothing but reading by READ_IMAGE and asking for its extent, as far as text can tell.
 */
bool user_code_only_reads(const char *code, const char *globals, const char *image);

#endif
