/* SPDX-License-Identifier: BSD-3-Clause */
/* A computer with two GPUs gives no hint at which is fast, so both are timed when Drua is first used there. */
#include "time_devices.h"

#include "context.h"

#include <stdio.h>

enum { MOST = 64, SAMPLE = 32 << 20 };

static pthread_once_t once = PTHREAD_ONCE_INIT;

/* 0 where the device cannot be opened: whoever opens it later is told why. */
static double copy_rate(size_t index)
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

/* Devices are numbered by speed, so all are timed before one is kept. */
static void time_gpus(void)
{
    static drua_device_info gpus[MOST];
    double rates[MOST] = {0};
    size_t count = 0;
    while (count < MOST && drua_device_describe(count, &gpus[count]) == DRUA_OK && gpus[count].is_gpu)
        count++;
    for (size_t i = 0; i < count && count > 1; i++)
        if (drua_device_speed(&gpus[i]) == 0)
            rates[i] = copy_rate(i);
    for (size_t i = 0; i < count; i++)
        if (rates[i] > 0)
            drua_device_keep_speed(&gpus[i], rates[i]);
}

void drua_time_devices(void)
{
    pthread_once(&once, time_gpus);
}
