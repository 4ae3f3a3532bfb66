/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Builds and runs a kernel around code that a user has written in the language of CLIJ2's kernels
 * (kernels/custom/pixels.cl).
 */
#ifndef DRUA_OPS_MATH_USER_CODE_H
#define DRUA_OPS_MATH_USER_CODE_H

#include "plan.h"

enum { USER_IMAGES = 16 };      /* each image takes two kernel arguments */

typedef struct user_code {
    const char *code, *code_name;       /* statements, and the name of the parameter that holds them */
    const char *globals, *globals_name; /* code before the kernel; NULL: none */
    bool positions;                     /* whether the kernel declares x, y, z */
    drua_named_image *images;
    size_t count, extent;               /* the kernel runs once for each pixel of image number `extent` */
} user_code;

/** Compiles the code and runs it on the images. Fails the call if the images or the code are invalid. */
void user_code_run(drua_plan *plan, const user_code *user);

/** Whether the code uses the image only in READ_IMAGE and in queries of its extent, as far as the text shows. */
bool user_code_only_reads(const char *code, const char *globals, const char *image);

/**
 * Returns the first word outside comments and literals that depends on work-groups, or NULL. *length receives its
 * length. A variable may have the name `barrier`.
 */
const char *user_code_find_group_word(const char *text, size_t *length);

#endif
