/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenCL does not report which of two GPUs is faster, so all GPUs are timed when Drua is first used on a computer. */
#include "time_devices.h"

#include "context.h"

#include <stdio.h>

enum { LIMIT = 64, SAMPLE = 32 << 20 };

static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Returns the memory bandwidth of a device; 0 if the device cannot be opened, which drua_open reports later. */
static double measure_bandwidth(size_t index)
{
    char selector[24];
    drua_context *context;
    double rate = 0;
    snprintf(selector, sizeof selector, "%zu", index);
    if (drua_open(selector, &context) != DRUA_OK)
        return 0;
    if (drua_measure_copy(context, SAMPLE, &rate) != DRUA_OK)
        rate = 0;
    drua_close(context);
    return rate;
}

/* Device indices depend on stored bandwidths, so all are measured before the first one is stored. */
static void time_gpus(void)
{
    static drua_device_info gpus[LIMIT];
    double rates[LIMIT] = {0};
    size_t count = 0;
    while (count < LIMIT && drua_device_inspect(count, &gpus[count]) == DRUA_OK && gpus[count].is_gpu)
        count++;
    for (size_t i = 0; i < count && count > 1; i++)
        if (drua_device_speed(&gpus[i]) == 0)
            rates[i] = measure_bandwidth(i);
    for (size_t i = 0; i < count; i++)
        if (rates[i] > 0)
            drua_device_keep_speed(&gpus[i], rates[i]);
}

void drua_time_devices(void)
{
    pthread_once(&once, time_gpus);
}
