/* SPDX-License-Identifier: BSD-3-Clause */
/* eSRRF of one movie by several devices: each does some rows of the results, of all frames of some time points, with
 * the bits of one device. */
#ifndef DRUA_OPS_ESRRF_BY_DEVICES_H
#define DRUA_OPS_ESRRF_BY_DEVICES_H

#include "esrrf_options.h"
#include "movie.h"

/** As esrrf_run. `chunk`: frames at a time while drift is found, on the call's device; `group`: frames of a time point.
 */
void esrrf_run_on_devices(drua_plan *p, const esrrf_options *options, esrrf_movie *movie, int32_t chunk, int32_t group);

#endif
