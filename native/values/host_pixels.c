/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves pixels from the host to values and back. */
#include "value.h"

#include "error.h"

/* Keeps the pixels on the host if the device cannot hold the image, ever or at the moment. */
static drua_status upload_to_host(drua_engine *engine, drua_value *value, const drua_planes *planes)
{
    const uint64_t bytes = drua_value_bytes(value), depth = (uint64_t)value->shape.depth;
    DRUA_TRY(drua_buffer_make_on_host(engine->device, bytes, &value->buffer));
    return drua_planes_gather(planes, (size_t)depth, (size_t)(bytes / depth), drua_buffer_host(value->buffer));
}

/*
 * Spreads the contiguous rows of an uploaded value to the layout that computed values have; without enough memory they
 * stay contiguous.
 */
static void pad_rows(drua_engine *engine, drua_value *value)
{
    drua_value *apart = drua_value_new(value->shape, value->type);
    if (!apart)
        return;
    const drua_layout wanted = drua_value_place(engine, apart);
    const bool fits = drua_layout_bytes(&wanted) <= drua_device_memory_left(engine->device);
    if (fits && !drua_layout_is_dense(&wanted) && drua_value_allocate(engine, apart) == DRUA_OK &&
        drua_copy_region(engine, drua_value_view(value), drua_value_view(apart), 0, 0, 0) == DRUA_OK) {
        const drua_value dense = *value;
        value->buffer = apart->buffer;
        value->layout = apart->layout;
        apart->buffer = dense.buffer;
    }
    drua_value_release(engine, apart);
}

drua_status drua_value_upload(drua_engine *engine, drua_shape shape, drua_type type, drua_planes *planes,
                              drua_value **out)
{
    drua_value *value = drua_value_new(shape, type);
    if (!value)
        return DRUA_E_MEMORY;
    drua_status status = drua_value_allocate_dense(engine, value);
    if (status == DRUA_OK)
        status = drua_buffer_pin(value->buffer); /* before the first pixels are requested */
    if (status == DRUA_OK) {
        status = drua_device_upload_from(engine->device, drua_value_view(value), planes);
        drua_buffer_unpin(value->buffer);
        if (status == DRUA_OK)
            pad_rows(engine, value);
    } else if (status == DRUA_E_MEMORY) {
        drua_buffer_release(value->buffer);
        value->buffer = NULL;
        status = upload_to_host(engine, value, planes);
    }
    if (status != DRUA_OK) {
        drua_value_release(engine, value);
        return status;
    }
    *out = value;
    return DRUA_OK;
}

/* Returns a dense copy of a view that is not dense, otherwise the view itself. On the host every view is accepted. */
static drua_status make_dense(drua_engine *engine, drua_value *value, drua_view *view, drua_buffer **copy)
{
    *copy = NULL;
    *view = drua_value_view(value);
    if (drua_layout_is_dense(&value->layout) || drua_buffer_host(value->buffer))
        return DRUA_OK;
    drua_layout layout = drua_layout_dense(value->shape, value->type);
    DRUA_TRY(
        drua_buffer_make(engine->device, (uint64_t)drua_layout_count(&layout) * drua_type_size(value->type), copy));
    view->buffer = *copy;
    view->layout = layout;
    return drua_copy_region(engine, drua_value_view(value), *view, 0, 0, 0);
}

drua_status drua_value_download(drua_engine *engine, drua_value *value, drua_planes *planes)
{
    DRUA_TRY(drua_value_materialize(engine, value));
    drua_view view;
    drua_buffer *copy;
    drua_status status = make_dense(engine, value, &view, &copy);
    if (status == DRUA_E_MEMORY) {
        view = drua_value_view(value);
        status = drua_buffer_spill(value->buffer);
    }
    if (status == DRUA_OK)
        status = drua_device_download_to(engine->device, view, planes);
    drua_buffer_release(copy);
    return status;
}
