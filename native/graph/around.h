/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chains of pointwise operations in the launches of another operation: computed before a call where its compiled kernels read
 * their source, and after it where they store its result. What lies between takes no memory and no pass of its own.
 */
#ifndef DRUA_GRAPH_AROUND_H
#define DRUA_GRAPH_AROUND_H

#include "chain.h"

/* What is to be computed around a call. Without a kernel that does it the call runs by itself. */
typedef struct drua_around {
    const drua_chain *after;    /* NULL: none; its outputs have memory */
    const drua_value *middle;   /* the call's result, an input of `after` */
    bool keeps;                 /* somebody wants that too */
    bool after_is_done;
    const drua_chain *before;   /* NULL: none */
    drua_value *source;         /* what it makes and the call reads: has a buffer, whose pixels are missing until it is filled */
    bool is_filled, before_is_done;
    drua_trial trial;           /* of `after` in the call's last launch (1) or in one of its own (0) */
} drua_around;

/* A launch with chains around it: its own arguments and theirs. */
typedef struct drua_around_call {
    enum { DRUA_AROUND_ARGUMENTS = 30 } most;
    bool before, after;
    uint64_t hash;              /* of all that the chains' text depends on */
    drua_arg arguments[DRUA_AROUND_ARGUMENTS];
    float numbers[2][DRUA_CHAIN_NUMBERS * DRUA_NUMBERS];
} drua_around_call;

/* Whether chains belong to a launch with these arguments: it reads the source, if `before` is wished, or makes the result `made`, if `after` is. */
bool drua_around_fits(const drua_around *around, bool before, bool after, const drua_buffer *made, const drua_arg *arguments, drua_around_call *call);

/* Text that comes before the kernel; NULL without memory; drua_free. */
char *drua_around_text(const drua_around *around, const drua_around_call *call);

/* Computes the source if one of the arguments is it. */
drua_status drua_around_fill(drua_engine *engine, drua_around *around, const drua_arg *arguments);

/* Sends the call that makes `value`; `around` may be NULL. Where what comes after is done the value gets memory only if it is kept. */
drua_status drua_call_send(drua_engine *engine, drua_value *value, drua_around *around);

/*
 * The chain that ends in `root`, if it can be computed where one call reads it, and is of float32 alone if only `floats` pay: then
 * root has a buffer for its pixels, which drua_chain_fill computes.
 */
drua_status drua_chain_promise(drua_engine *engine, drua_value *root, bool floats, drua_chain *chain, bool *promised);
drua_status drua_chain_fill(drua_engine *engine, drua_value *root);

/* Drops the buffer of what was promised and not filled. */
void drua_chain_take_back(drua_value *root);

#endif
