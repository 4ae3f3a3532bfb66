/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chains inside the launch of another operation: a prologue is computed where the operation's kernel reads its source,
 * an epilogue where it stores its result. The images between them need no memory and no pass.
 */
#ifndef DRUA_FUSION_H
#define DRUA_FUSION_H

#include "chain.h"

/* The chains that may be fused into one call. Without a kernel that supports this, each chain runs separately. */
typedef struct drua_fusion {
    const drua_chain *prologue; /* NULL: none */
    /* the prologue's result, which the call reads; it has memory, but its pixels are missing until it is filled */
    drua_value *source;
    bool source_is_filled, prologue_is_done;
    const drua_chain *epilogue; /* NULL: none; its outputs have memory */
    const drua_value *result;   /* the call's result, an input of the epilogue */
    bool keeps_result;          /* the result itself is needed too */
    bool epilogue_is_done;
    /* trial of the epilogue inside the call's last launch (1) or in a separate launch (0) */
    drua_trial trial;
} drua_fusion;

/* A launch with chains in it: its own arguments and theirs. */
typedef struct drua_fused_launch {
    enum { DRUA_FUSED_ARGUMENTS = 30 } max;
    bool prologue, epilogue;
    uint64_t hash;              /* of everything on which the chains' text depends */
    drua_arg arguments[DRUA_FUSED_ARGUMENTS];
    float numbers[2][DRUA_CHAIN_NUMBERS * DRUA_NUMBERS];
} drua_fused_launch;

/* Whether a chain can be a prologue or an epilogue; finds out whether it is a line. */
bool drua_chain_can_fuse(const drua_engine *engine, drua_chain *chain);

/* Whether the prologue still has to be computed. */
bool drua_fusion_waits_for_source(const drua_fusion *fusion);

/*
 * Whether the wanted chains can be part of a launch with these arguments. With `prologue`, the launch must read the
 * source exactly once. With `epilogue`, it must write the result, whose memory is `result`.
 */
bool drua_fusion_fits(const drua_fusion *fusion, bool prologue, bool epilogue, const drua_buffer *result,
                      const drua_arg *arguments, drua_fused_launch *launch);

/* Text that comes before the kernel; NULL without memory; drua_free. */
char *drua_fusion_text(const drua_fusion *fusion, const drua_fused_launch *launch);

/* Computes the source in a separate launch if it is one of the arguments. `fusion` may be NULL. */
drua_status drua_fusion_fill_source(drua_engine *engine, drua_fusion *fusion, const drua_arg *arguments);

#endif
