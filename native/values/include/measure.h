/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the device's speed while it does nothing else. */
#ifndef DRUA_MEASURE_H
#define DRUA_MEASURE_H

#include "engine.h"

/** Rate of a plain copy of `bytes` bytes on the device: bytes read plus written per second, median of nine; waits. */
drua_status drua_engine_measure_copy(drua_engine *engine, uint64_t bytes, double *bytes_per_second);

/** Rate of independent multiplications and additions of floats: operations per second, median of nine; waits. */
drua_status drua_engine_measure_arithmetic(drua_engine *engine, double *operations_per_second);

#endif
