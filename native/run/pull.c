/* SPDX-License-Identifier: BSD-3-Clause */
/* Pixels from values to the host. */
#include "engine_calls.h"

/* A dense copy of a view that is not dense, or the view itself; on the host any view serves. */
static drua_status dense(drua_engine *engine, drua_value *value, drua_view *view, drua_buffer **copy)
{
    *copy = NULL;
    *view = drua_value_view(value);
    if (drua_layout_is_dense(&value->layout) || drua_buffer_host(value->buffer))
        return DRUA_OK;
    drua_layout layout = drua_layout_dense(value->shape, value->type);
    DRUA_TRY(drua_buffer_make(engine->device, (uint64_t)drua_layout_count(&layout) * drua_type_size(value->type), copy));
    view->buffer = *copy;
    view->layout = layout;
    return drua_copy_region(engine, drua_value_view(value), *view, 0, 0, 0);
}

drua_status drua_engine_pull(drua_engine *engine, drua_value *value, drua_planes *planes)
{
    DRUA_TRY(drua_value_materialize(engine, value));
    drua_view view;
    drua_buffer *copy;
    drua_status status = dense(engine, value, &view, &copy);
    if (status == DRUA_E_MEMORY) {
        view = drua_value_view(value);
        status = drua_buffer_spill(value->buffer);
    }
    if (status == DRUA_OK)
        status = drua_device_download_to(engine->device, view, planes);
    drua_buffer_release(copy);
    return status;
}
