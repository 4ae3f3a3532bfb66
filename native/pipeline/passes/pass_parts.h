/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that all passes use: hashes, results as bytes, and calls of operations. */
#ifndef DRUA_PIPELINE_PASS_PARTS_H
#define DRUA_PIPELINE_PASS_PARTS_H

#include "job.h"

/*
 * Computes a hash of a pass on a graph; `about` adds everything that the graph does not contain. Fails with DRUA_E_AWAY
 * if a file that every block reads as a whole is missing.
 */
drua_status pass_hash(const job *j, const graph *g, const char *about, char hash[DRUA_SHA256_TEXT]);

/* Copies an object without padding to bytes. */
drua_status pass_bytes(const void *data, size_t length, drua_bytes *bytes);

/* Calls an operation with an image followed by numbers. `type` is the result's type, for operations with a choice. */
drua_status pass_call(evaluator *e, const char *operation, drua_value *image, const double *numbers, int count,
                      drua_type type, drua_bound bound[DRUA_PLAN_PARAMS]);

#endif
