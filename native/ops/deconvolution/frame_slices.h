/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stacks whose slices are read or written in groups. A stack lies on the device, or on the host if several devices use
 * it or the device has too little memory.
 */
#ifndef DRUA_DECONVOLUTION_FRAME_SLICES_H
#define DRUA_DECONVOLUTION_FRAME_SLICES_H

#include "plan.h"

/** Slices of a stack: shape.depth slices from `first` on, with a stride of `step`. */
typedef struct rl_slices {
    int64_t first, step;
    drua_shape shape;
} rl_slices;

typedef struct rl_stack {
    drua_operand image; /* on the device; without an image, the stack is on the host */
    const char *pixels; /* host pixels of an argument */
    drua_layout layout;
    float *made; /* host pixels of a new stack, without gaps */
    drua_type type;
} rl_stack;

size_t rl_bytes_of(drua_shape shape, drua_type type);

/** Returns the stack of an image argument of the call. */
rl_stack rl_given_stack(drua_plan *plan, const char *name, bool on_device);

/** Returns a new float32 stack; the caller must write all its slices with rl_put_slices. */
rl_stack rl_new_stack(drua_plan *plan, drua_shape shape, bool on_device);

/**
 * Returns the slices as a separate image. If the stack is on the host, `plan` may be a plan of any device. `dense` is
 * then host memory for the slices, which must stay valid until the image is freed.
 */
drua_operand rl_take_slices(drua_plan *plan, const rl_stack *stack, rl_slices slices, void *dense);
void rl_put_slices(drua_plan *plan, const rl_stack *stack, rl_slices slices, drua_operand image);

/** Returns a new stack as one image, after all its slices have been written. */
drua_operand rl_made_stack(drua_plan *plan, const rl_stack *stack, drua_shape shape);

#endif
