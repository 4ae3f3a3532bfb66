/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRUA_REGISTRY_DESCRIBE_H
#define DRUA_REGISTRY_DESCRIBE_H

#include "op.h"

/** The whole registry as JSON, in the form that drua_describe documents; "" if memory is short. Written by the first
 * call; static text; any thread. */
const char *drua_registry_json(const char *version);

/** The name of a kind of parameter in the JSON. */
const char *drua_kind_name(drua_kind kind);

#endif
