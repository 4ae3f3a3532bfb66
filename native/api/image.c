/* SPDX-License-Identifier: BSD-3-Clause */
/* Creates images, pushes pixels to them and pulls pixels from them. */
#include "context.h"

#include "alloc.h"
#include "error.h"

#include <string.h>

static drua_status check_and_normalize_shape(drua_shape *shape, drua_type type)
{
    if (type < DRUA_UINT8 || type > DRUA_FLOAT32)
        return drua_fail(DRUA_E_ARGUMENT, "%d is not an element type; use 1 (uint8) to 7 (float32)", (int)type);
    for (int i = 0; i < 3; i++)
        if (shape->extent[i] < 1 || shape->extent[i] > INT32_MAX)
            return drua_fail(DRUA_E_ARGUMENT, "%s must be 1 to 2147483647 pixels, got %lld",
                             i == 0   ? "width"
                             : i == 1 ? "height"
                                      : "depth",
                             (long long)shape->extent[i]);
    if (!drua_shape_is_countable(*shape))
        return drua_fail(
            DRUA_E_ARGUMENT,
            "an image of %lld x %lld x %lld pixels is larger than any device can hold; choose a smaller size",
            (long long)shape->width, (long long)shape->height, (long long)shape->depth);
    if (shape->dimension != 2 && shape->dimension != 3)
        return drua_fail(DRUA_E_ARGUMENT, "dimension must be 2 (a plane) or 3 (a stack), got %d",
                         (int)shape->dimension);
    shape->dimension = shape->depth > 1 || shape->dimension == 3 ? 3 : 2;
    return DRUA_OK;
}

drua_status drua_create(drua_context *context, drua_shape shape, drua_type type, drua_image *image)
{
    DRUA_TRY(check_and_normalize_shape(&shape, type));
    DRUA_TRY(drua_enter(context));
    drua_value *value;
    drua_status status = drua_value_constant(&context->engine, shape, type, 0, &value);
    if (status == DRUA_OK)
        status = drua_slot_new(context, value, image);
    drua_leave(context);
    return status;
}

static drua_planes planes_from_pointers(const void *planes)
{
    return (drua_planes){.payload = (void *)(uintptr_t)planes};
}

static drua_planes planes_from_stream(const drua_stream *stream)
{
    return (drua_planes){.prepare = stream->prepare, .copy = stream->copy, .payload = stream->payload};
}

static drua_status push_image(drua_context *context, drua_shape shape, drua_type type, drua_planes planes,
                              drua_image *image)
{
    DRUA_TRY(check_and_normalize_shape(&shape, type));
    DRUA_TRY(drua_enter_work(context));
    planes.lock = &context->lock;
    drua_value *value;
    drua_status status = drua_engine_push(&context->engine, shape, type, &planes, &value);
    if (status == DRUA_OK)
        status = drua_slot_new(context, value, image);
    drua_leave(context);
    return status;
}

drua_status drua_push_planes(drua_context *context, drua_shape shape, drua_type type, const void *const *planes,
                             drua_image *image)
{
    return push_image(context, shape, type, planes_from_pointers(planes), image);
}

drua_status drua_push_stream(drua_context *context, drua_shape shape, drua_type type, const drua_stream *stream,
                             drua_image *image)
{
    return push_image(context, shape, type, planes_from_stream(stream), image);
}

static const void **plane_pointers(drua_shape shape, drua_type type, const void *pixels)
{
    size_t bytes = (size_t)shape.width * (size_t)shape.height * drua_type_size(type);
    const void **planes = drua_alloc((size_t)shape.depth * sizeof *planes);
    for (int64_t z = 0; planes && z < shape.depth; z++)
        planes[z] = (const char *)pixels + (size_t)z * bytes;
    return planes;
}

drua_status drua_push(drua_context *context, drua_shape shape, drua_type type, const void *pixels, drua_image *image)
{
    DRUA_TRY(check_and_normalize_shape(&shape, type));
    const void **planes = plane_pointers(shape, type, pixels);
    drua_status status = planes ? drua_push_planes(context, shape, type, planes, image)
                                : drua_fail_memory((size_t)shape.depth * sizeof *planes);
    drua_free(planes);
    return status;
}

static drua_status overwrite_image(drua_context *context, drua_image image, drua_planes planes)
{
    DRUA_TRY(drua_enter_work(context));
    planes.lock = &context->lock;
    slot *s = drua_slot(context, image);
    drua_status status = DRUA_E_NAME;
    if (s) {
        drua_value *value;
        status =
            drua_engine_push(&context->engine, drua_value_shape(s->value), drua_value_type(s->value), &planes, &value);
        /* the image may have been released while the lock was free */
        s = status == DRUA_OK ? drua_slot(context, image) : NULL;
        if (s) {
            drua_value_release(&context->engine, s->value);
            s->value = value;
            s->labels = false;
        } else if (status == DRUA_OK) {
            drua_value_release(&context->engine, value);
            status = DRUA_E_NAME;
        }
    }
    drua_leave(context);
    return status;
}

drua_status drua_overwrite_planes(drua_context *context, drua_image image, const void *const *planes)
{
    return overwrite_image(context, image, planes_from_pointers(planes));
}

drua_status drua_overwrite_stream(drua_context *context, drua_image image, const drua_stream *stream)
{
    return overwrite_image(context, image, planes_from_stream(stream));
}

static drua_status pull_image(drua_context *context, drua_image image, drua_planes planes)
{
    DRUA_TRY(drua_enter_work(context));
    planes.lock = &context->lock;
    slot *s = drua_slot(context, image);
    drua_status status = DRUA_E_NAME;
    if (s) {
        drua_value *value = s->value;
        drua_value_retain(value);       /* the lock is free while pixels are copied */
        status = drua_value_download(&context->engine, value, &planes);
        drua_value_release(&context->engine, value);
    }
    drua_leave(context);
    return status;
}

drua_status drua_pull_planes(drua_context *context, drua_image image, void *const *planes)
{
    return pull_image(context, image, planes_from_pointers(planes));
}

drua_status drua_pull_stream(drua_context *context, drua_image image, const drua_stream *stream)
{
    return pull_image(context, image, planes_from_stream(stream));
}

drua_status drua_pull(drua_context *context, drua_image image, void *pixels)
{
    drua_image_info info;
    DRUA_TRY(drua_get_info(context, image, &info));
    const void **planes = plane_pointers(info.shape, info.type, pixels);
    drua_status status =
        planes ? drua_pull_planes(context, image, (void *const *)planes)
               : drua_fail_memory((size_t)info.shape.depth * sizeof *planes);
    drua_free(planes);
    return status;
}

drua_status drua_get_info_sized(drua_context *context, drua_image image, drua_image_info *info, size_t size)
{
    DRUA_TRY(drua_enter(context));
    slot *s = drua_slot(context, image);
    if (s) {
        drua_shape shape = drua_value_shape(s->value);
        drua_type type = drua_value_type(s->value);
        const drua_image_info whole = {
            shape, type, (uint64_t)shape.width * (uint64_t)shape.height * (uint64_t)shape.depth * drua_type_size(type),
            s->labels};
        drua_copy_known(info, size, &whole, sizeof whole);
    }
    drua_leave(context);
    return s ? DRUA_OK : DRUA_E_NAME;
}

drua_status drua_set_metadata(drua_context *context, drua_image image, const char *text)
{
    char *copy = text ? drua_copy_text(text) : NULL;
    if (text && !copy)
        return drua_fail_memory(strlen(text));
    const drua_status status = drua_enter(context);
    if (status != DRUA_OK) {
        drua_free(copy);
        return status;
    }
    slot *s = drua_slot(context, image);
    if (s) {
        drua_free(s->metadata);
        s->metadata = copy;
    } else {
        drua_free(copy);
    }
    drua_leave(context);
    return s ? DRUA_OK : DRUA_E_NAME;
}

drua_status drua_get_metadata(drua_context *context, drua_image image, const char **text)
{
    drua_text *copy = drua_thread_text();
    *text = "";
    DRUA_TRY(drua_enter(context));
    slot *s = drua_slot(context, image);
    if (s && s->metadata)
        drua_text_append(copy, s->metadata, strlen(s->metadata));
    drua_status status = s ? DRUA_OK : DRUA_E_NAME;
    if (copy->failed)
        status = drua_fail_memory(strlen(s->metadata));
    drua_leave(context);
    *text = drua_text_characters(copy);
    return status;
}
