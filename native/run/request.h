/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that other calls make. */
#ifndef DRUA_RUN_REQUEST_H
#define DRUA_RUN_REQUEST_H

#include "engine_calls.h"

/** As drua_engine_call, for a call that another one makes. */
drua_status drua_engine_request(drua_engine *engine, const drua_request *request);

#endif
