/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures how fast an otherwise idle device multiplies and adds. */
#include "measure.h"

#include "arguments.h"
#include "clock.h"
#include "median.h"

drua_status drua_engine_measure_arithmetic(drua_engine *engine, double *operations_per_second)
{
    enum { WARM_UP = 2, TIMED = 9, GROUP = 64, CHAINS = 8, PER_STEP = 2 };
    const drua_device_info *info = drua_device_get_info(engine->device);
    const int64_t items = (int64_t)info->compute_units * GROUP * (info->is_gpu ? 128 : 4),
                  rounds = info->is_gpu ? 1024 : 4096;
    double time[TIMED];
    drua_buffer *buffer = NULL;
    drua_device_optimize(engine->device, true);
    drua_status status = drua_buffer_make(engine->device, (uint64_t)items * sizeof(float), &buffer);
    for (int i = 0; i < WARM_UP + TIMED && status == DRUA_OK; i++) {
        const drua_arg arguments[] = {
            POINTER((drua_view){.buffer = buffer}), REAL(0.5), INT(rounds), {.kind = DRUA_LAUNCH_END}};
        const double start = drua_seconds();
        status = drua_device_launch(engine->device, "multiply_add", GRID(items, 1, 1, GROUP, 1, 1), arguments);
        if (status == DRUA_OK)
            status = drua_device_finish(engine->device);
        if (i >= WARM_UP)
            time[i - WARM_UP] = drua_seconds() - start;
    }
    drua_buffer_release(buffer);
    drua_device_optimize(engine->device, false);
    if (status != DRUA_OK)
        return status;
    *operations_per_second = (double)items * (double)rounds * CHAINS * PER_STEP * drua_device_lanes(engine->device) /
                             drua_median(time, TIMED);
    return DRUA_OK;
}
