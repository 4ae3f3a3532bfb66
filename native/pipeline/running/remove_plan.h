/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of finish_blocks.c that remove plans, for the files of this room alone. */
#ifndef DRUA_PIPELINE_REMOVE_PLAN_H
#define DRUA_PIPELINE_REMOVE_PLAN_H

/* Removes the plan and its journal; keeps the outputs. */
void drua_blocks_forget(const char *plan);

/*
 * Removes a plan and its unfinished outputs if it has neither blocks nor results of passes over labels. Otherwise it
 * keeps everything.
 */
void drua_blocks_withdraw(const char *plan);

#endif
