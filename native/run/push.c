/* SPDX-License-Identifier: BSD-3-Clause */
/* Pixels from the host to values. */
#include "engine_calls.h"

#include "deferred.h"

/* Pixels of an image that the device cannot take as a whole stay on the host. */
static drua_status push_to_host(drua_engine *engine, drua_value *value, const drua_planes *planes)
{
    const uint64_t bytes = drua_value_bytes(value), depth = (uint64_t)value->shape.depth;
    DRUA_TRY(drua_buffer_make_on_host(engine->device, bytes, &value->buffer));
    return drua_planes_gather(planes, (size_t)depth, (size_t)(bytes / depth), drua_buffer_host(value->buffer));
}

drua_status drua_engine_push(drua_engine *engine, drua_shape shape, drua_type type, drua_planes *planes, drua_value **out)
{
    drua_value *value = drua_value_new(shape, type);
    if (!value)
        return DRUA_E_MEMORY;
    const bool holds = drua_device_holds(engine->device, drua_value_bytes(value));
    drua_deferred_send(engine);    /* the device works while pixels come; what fails stays as it is and fails where it is asked for */
    drua_status status = holds ? drua_value_allocate_dense(engine, value) : push_to_host(engine, value, planes);
    if (status == DRUA_OK && holds)
        status = drua_device_upload_from(engine->device, drua_value_view(value), planes);
    if (status == DRUA_OK && holds)
        drua_value_separate_rows(engine, value);
    if (status != DRUA_OK) {
        drua_value_release(engine, value);
        return status;
    }
    *out = value;
    return DRUA_OK;
}
