/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that only the files of this room call. */
#ifndef DRUA_CALL_PARTS_H
#define DRUA_CALL_PARTS_H

#include "call.h"

/* ---- arguments and results */

/* Index of a parameter. A missing parameter is a fault of the operation. */
int plan_find(drua_plan *plan, const char *name);

/* Memory of the first output image. */
drua_buffer *plan_result_memory(const drua_plan *plan);

/*
 * Replaces an image that could not be made: it has no memory but keeps its extents, because operations divide by them.
 * `value` may be NULL.
 */
drua_view plan_without_memory(const drua_value *value);

/*
 * Check an argument: plan_fit_number checks integers and booleans, plan_fit_only numbers that must be one of a list,
 * and plan_fit_choice choices. An argument that does not fit fails the call. Commands with a CLIJ prefix instead use
 * the value that CLIJ2 would use, and add a message for drua_take_messages.
 */
void plan_fit_number(drua_plan *plan, const drua_param *param, drua_bound *bound);
void plan_fit_only(drua_plan *plan, const drua_param *param, drua_bound *bound);
void plan_fit_choice(drua_plan *plan, const drua_param *param, drua_bound *bound);

/* Fails the call with a list of all choices and the most similar one. */
void plan_fail_choice(drua_plan *plan, const char *name, const char *const *choices, const char *given);

/* Fails the call at the first word of the text that is not a setting. */
void plan_check_settings(drua_plan *plan, const drua_param *options, const char *text);

/* ---- files */

/* An image argument and its metadata, both held unchanged until the call ends. NULL after a failure. */
drua_value *plan_keep_image(drua_plan *plan, const char *image, char **text);

/* Writes an image as TIFF. */
void plan_write_tiff(drua_plan *plan, const char *image, const char *path, const char *compression);

/* ---- state */

/* Returns a new entry for an object that lives as long as the call, or NULL if the call has failed. */
drua_held *plan_hold(drua_plan *plan);

/* Stops reading ahead. Returns `status` if it is a failure, otherwise the file's failure or DRUA_OK. */
drua_status plan_close_pages(drua_plan *plan, drua_status status);

/*
 * Makes sure that a view has its pixels: if a pending chain computes them, the chain runs now instead of being fused
 * into a later kernel. Returns false if the call has failed.
 */
bool plan_need(drua_plan *plan, drua_view view);

/*
 * Returns whether the call may allocate `bytes` bytes of host memory. If the largest label of an image argument exceeds
 * its number of pixels, the limit is 1 GB.
 */
bool plan_may_take(const drua_plan *plan, size_t bytes);

#endif
