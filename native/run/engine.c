/* SPDX-License-Identifier: BSD-3-Clause */
#include "engine_calls.h"

#include "alloc.h"
#include "deferred.h"
#include "error.h"
#include "fft.h"
#include "kernel_cache.h"
#include "materialize.h"
#include "others.h"
#include "request.h"
#include "spread.h"
#include "tune.h"

/* Padding would enlarge narrow images by much, and CPUs load unaligned vectors at full speed. */
static int64_t min_padded_row(const drua_settings *settings, const drua_device_info *info)
{
    enum { NARROWEST = 65 };
    const int64_t row = settings->min_padded_row >= 0 ? settings->min_padded_row : info->is_gpu ? NARROWEST : 0;
    return row > 0 ? row : INT64_MAX;
}

drua_status drua_engine_open(drua_engine *engine, drua_device *device, pthread_mutex_t *lock)
{
    static const drua_executor executor = {drua_materialize, drua_engine_request, drua_run_spread};
    *engine = (drua_engine){.device = device, .lock = lock, .executor = &executor, .settings = drua_settings_read()};
    engine->eager = engine->settings.eager;
    engine->min_padded_row = min_padded_row(&engine->settings, drua_device_get_info(device));
    engine->chain_source = drua_expressions_source();
    if (engine->settings.tune)
        engine->tuner = drua_tuner_open(drua_device_get_info(device));
    if (!engine->chain_source)
        return drua_fail_memory(1);
    return drua_device_add_source(device, "chain", engine->chain_source);
}

void drua_engine_use_presets(drua_engine *engine)
{
    drua_tuner_close(engine->tuner);
    engine->tuner = NULL;
}

void drua_engine_close(drua_engine *engine)
{
    drua_others_close(engine);
    drua_text_free(&engine->lines);
    drua_fft_close(engine->fft);
    drua_kernel_cache_close(engine);
    drua_tuner_close(engine->tuner);
    drua_free(engine->records);
    drua_free(engine->chain_source);
}

drua_status drua_engine_push(drua_engine *engine, drua_shape shape, drua_type type, drua_planes *planes,
                             drua_value **value)
{
    drua_deferred_send(
        engine); /* the device works while pixels arrive; a failure is reported when the result is requested */
    return drua_value_upload(engine, shape, type, planes, value);
}
