/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chains in the launches of another operation: a prologue is computed where the operation's kernel reads its source, an
 * epilogue where it stores its result. What lies between takes no memory and no pass of its own.
 */
#ifndef DRUA_FUSION_H
#define DRUA_FUSION_H

#include "chain.h"

/* The chains that may go along with one call. Without a kernel that does it each runs by itself. */
typedef struct drua_fusion {
    const drua_chain *prologue; /* NULL: none */
    drua_value *source; /* what it makes and the call reads: has memory, whose pixels are missing until it is filled */
    bool source_is_filled, prologue_is_done;
    const drua_chain *epilogue; /* NULL: none; its outputs have memory */
    const drua_value *result;   /* the call's result, an input of the epilogue */
    bool keeps_result;          /* somebody wants that too */
    bool epilogue_is_done;
    drua_trial trial;           /* of the epilogue in the call's last launch (1) or in one of its own (0) */
} drua_fusion;

/* A launch with chains in it: its own arguments and theirs. */
typedef struct drua_fused_launch {
    enum { DRUA_FUSED_ARGUMENTS = 30 } most;
    bool prologue, epilogue;
    uint64_t hash;              /* of all that the chains' text depends on */
    drua_arg arguments[DRUA_FUSED_ARGUMENTS];
    float numbers[2][DRUA_CHAIN_NUMBERS * DRUA_NUMBERS];
} drua_fused_launch;

/* Whether a chain can be a prologue or an epilogue; finds out whether it is a line. */
bool drua_chain_can_fuse(const drua_engine *engine, drua_chain *chain);

/* Whether the prologue is still to be computed. */
bool drua_fusion_waits_for_source(const drua_fusion *fusion);

/*
 * Whether the wanted chains belong to a launch with these arguments: it reads the source once, if `prologue` is wanted,
 * or makes the result, whose memory is `result`, if `epilogue` is.
 */
bool drua_fusion_fits(const drua_fusion *fusion, bool prologue, bool epilogue, const drua_buffer *result,
                      const drua_arg *arguments, drua_fused_launch *launch);

/* Text that comes before the kernel; NULL without memory; drua_free. */
char *drua_fusion_text(const drua_fusion *fusion, const drua_fused_launch *launch);

/* Computes the source by a launch of its own if one of the arguments is it. `fusion` may be NULL. */
drua_status drua_fusion_fill_source(drua_engine *engine, drua_fusion *fusion, const drua_arg *arguments);

#endif
