/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRUA_REGISTRY_DESCRIBE_H
#define DRUA_REGISTRY_DESCRIBE_H

#include "op.h"

/** Returns the whole registry as JSON, in the form that drua_describe documents, or "" if there is not enough memory.
 * `version` is the version of Drua. The first call writes the text, which stays valid. Any thread. */
const char *drua_registry_json(const char *version);

/** The name of a kind of parameter in the JSON. */
const char *drua_kind_name(drua_kind kind);

#endif
