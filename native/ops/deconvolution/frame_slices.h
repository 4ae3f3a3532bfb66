/* SPDX-License-Identifier: BSD-3-Clause */
/* Stacks of which slices are taken, or put together from slices. They stay on the device, or lie on the host for
 * several devices or for want of memory. */
#ifndef DRUA_DECONVOLUTION_FRAME_SLICES_H
#define DRUA_DECONVOLUTION_FRAME_SLICES_H

#include "plan.h"

/** Some slices of a stack, `step` apart. */
typedef struct rl_slices {
    int64_t first, step;
    drua_shape shape;
} rl_slices;

typedef struct rl_stack {
    drua_operand image; /* on the device; without an image it is on the host */
    const char *pixels; /* there, of an argument */
    drua_layout layout;
    float *made; /* there, of a new one: dense */
    drua_type type;
} rl_stack;

size_t rl_bytes_of(drua_shape shape, drua_type type);

/** An argument of the call. */
rl_stack rl_given_stack(drua_plan *plan, const char *name, bool on_device);

/** A new one of float32, whose slices all come by rl_put_slices. */
rl_stack rl_new_stack(drua_plan *plan, drua_shape shape, bool on_device);

/** Slices as an image of their own; any device's plan where the stack is on the host. `dense`: memory for them there,
 * in use until the image is forgotten. */
drua_operand rl_take_slices(drua_plan *plan, const rl_stack *stack, rl_slices slices, void *dense);
void rl_put_slices(drua_plan *plan, const rl_stack *stack, rl_slices slices, drua_operand image);

/** All of a new one. */
drua_operand rl_made_stack(drua_plan *plan, const rl_stack *stack, drua_shape shape);

#endif
