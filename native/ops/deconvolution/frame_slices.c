/* SPDX-License-Identifier: BSD-3-Clause */
#include "frame_slices.h"

#include <string.h>

size_t rl_bytes_of(drua_shape s, drua_type type)
{
    return (size_t)(s.width * s.height * s.depth) * drua_type_size(type);
}

/* ---- images from the host */

typedef struct sent {
    const void *pixels; /* without gaps */
    drua_shape shape;
} sent;

static void shape_of_sent(drua_plan *p, drua_shape *shape)
{
    *shape = ((const sent *)plan_state(p))->shape;
}

static void send_slices(drua_plan *p)
{
    const sent *s = plan_state(p);
    const drua_type type = plan_type(p, "destination");
    const size_t plane = (size_t)(s->shape.width * s->shape.height) * drua_type_size(type);
    for (drua_tiles t = {.output = "destination", .axis = 2, .separate = true}; plan_next_tile(p, &t);) {
        const drua_box *box = &t.at.wanted;
        const drua_view dense =
            plan_scratch(p, (drua_shape){s->shape.width, s->shape.height, box->end[2] - box->first[2], 3}, type);
        plan_write(p, dense, (const char *)s->pixels + (size_t)box->first[2] * plane);
        plan_copy(p, dense, t.to, 0, 0, 0);
        plan_free_scratch(p, dense);
    }
}

static const drua_op sending = {
    DRUA_PARAMS(DRUA_IMAGE_OUT("destination", "the image", .shape = shape_of_sent, .by_tiles = true)),
    .numeric = DRUA_EXACT,
    .launch = send_slices,
};

static drua_operand send_image(drua_plan *p, const void *pixels, drua_shape shape, drua_type type)
{
    sent s = {pixels, shape};
    return plan_call_private(p, &sending, &s, type, NULL, 0);
}

/* Copies a row whose pixels are not adjacent, as in an image that was flipped or transposed. */
static void gather_row(const char *from, int64_t column, size_t pixel, int64_t width, char *to)
{
    if (column == 1) {
        memcpy(to, from, (size_t)width * pixel);
        return;
    }
    for (int64_t x = 0; x < width; x++)
        memcpy(to + x * (int64_t)pixel, from + x * column * (int64_t)pixel, pixel);
}

/* Copies the slices to contiguous memory. */
static void gather_slices(const rl_stack *from, rl_slices s, void *to)
{
    const int64_t pixel = (int64_t)drua_type_size(from->type);
    char *at = to;
    for (int64_t z = 0; z < s.shape.depth; z++)
        for (int64_t y = 0; y < s.shape.height; y++, at += s.shape.width * pixel)
            gather_row(from->pixels + ((s.first + z * s.step) * from->layout.plane + y * from->layout.row) * pixel,
                       from->layout.column, (size_t)pixel, s.shape.width, at);
}

/* ---- images on the device */

static drua_view view_of_slices(drua_view view, rl_slices s)
{
    drua_view some = plan_slices(view, (int32_t)s.first, (int32_t)s.shape.depth);
    some.layout.plane *= s.step;
    return some;
}

static void shape_of_slices(drua_plan *p, drua_shape *shape)
{
    *shape = ((const rl_slices *)plan_state(p))->shape;
}

static void launch_take_slices(drua_plan *p)
{
    plan_copy(p, view_of_slices(plan_image(p, "source"), *(const rl_slices *)plan_state(p)),
              plan_image(p, "destination"), 0, 0, 0);
}

static const drua_op taking = {
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image"),
                DRUA_IMAGE_OUT("destination", "some of its slices", .shape = shape_of_slices)),
    .numeric = DRUA_EXACT,
    .traits = DRUA_COPIES,
    .launch = launch_take_slices,
};

static void leave_undefined(drua_plan *p)
{
    (void)p;
}

static const drua_op making = {
    DRUA_PARAMS(DRUA_IMAGE_OUT("destination", "an image that receives its slices later", .shape = shape_of_slices)),
    .numeric = DRUA_EXACT,
    .traits = DRUA_WHOLE,
    .launch = leave_undefined,
};

/* ---- given and new stacks */

rl_stack rl_given_stack(drua_plan *p, const char *name, bool on_device)
{
    const drua_operand image = plan_operand(p, name);
    const drua_view view = plan_operand_image(p, image);
    if (on_device)
        return (rl_stack){.image = image, .type = plan_type(p, name)};
    return (rl_stack){.pixels = plan_host_pixels(p, view), .layout = view.layout, .type = plan_type(p, name)};
}

rl_stack rl_new_stack(drua_plan *p, drua_shape shape, bool on_device)
{
    rl_slices all = {0, 1, shape};
    if (on_device)
        return (rl_stack){.image = plan_call_private(p, &making, &all, DRUA_FLOAT32, NULL, 0), .type = DRUA_FLOAT32};
    return (rl_stack){.made = plan_host_memory(p, rl_bytes_of(shape, DRUA_FLOAT32)), .type = DRUA_FLOAT32};
}

drua_operand rl_take_slices(drua_plan *p, const rl_stack *stack, rl_slices s, void *dense)
{
    if (stack->image.image)
        return plan_call_private(p, &taking, &s, stack->type, &stack->image, 1);
    if (!plan_failed(p))
        gather_slices(stack, s, dense);
    return send_image(p, dense, s.shape, stack->type);
}

void rl_put_slices(drua_plan *p, const rl_stack *stack, rl_slices s, drua_operand image)
{
    const drua_view view = plan_operand_image(p, image);
    if (stack->image.image) {
        plan_copy(p, view, view_of_slices(plan_operand_image(p, stack->image), s), 0, 0, 0);
        return;
    }
    const char *pixels = plan_host_pixels(p, view);
    for (int64_t z = 0; pixels && z < s.shape.depth; z++)
        for (int64_t y = 0; y < s.shape.height; y++)
            memcpy(stack->made + ((s.first + z * s.step) * s.shape.height + y) * s.shape.width,
                   pixels + (z * view.layout.plane + y * view.layout.row) * (int64_t)sizeof(float),
                   (size_t)s.shape.width * sizeof(float));
}

drua_operand rl_made_stack(drua_plan *p, const rl_stack *stack, drua_shape shape)
{
    return stack->image.image ? stack->image : send_image(p, stack->made, shape, DRUA_FLOAT32);
}
