/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * eSRRF of one movie on several devices. Each device computes some rows of the results from all frames of some time
 * points. The results are identical to those of a single device.
 */
#ifndef DRUA_OPS_ESRRF_BY_DEVICES_H
#define DRUA_OPS_ESRRF_BY_DEVICES_H

#include "esrrf_options.h"
#include "movie.h"

/**
 * As esrrf_run. `chunk`: number of frames at a time during drift measurement on the call's device; `group`: number of
 * frames in a time point.
 */
void esrrf_run_on_devices(drua_plan *p, const esrrf_options *options, esrrf_movie *movie, int32_t chunk, int32_t group);

#endif
