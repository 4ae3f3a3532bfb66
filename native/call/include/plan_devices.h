/* SPDX-License-Identifier: BSD-3-Clause */
/* For operations that use several devices. A device that has finished a piece of the call takes the next one. */
#ifndef DRUA_PLAN_DEVICES_H
#define DRUA_PLAN_DEVICES_H

#include "plan.h"

typedef struct drua_spread drua_spread;

/** A piece; the operation that computes it gets it from plan_state. */
typedef struct drua_piece {
    drua_spread *spread;
    drua_box box;
    int64_t number; /**< halves of a piece that did not fit a device keep its number */
} drua_piece;

/** Work that several devices share, divided into pieces. */
struct drua_spread {
    const char *devices; /**< as in drua_device_choose; the call's device takes part if it is among them */
    /**
     * The operation that computes a piece: a descriptor in the caller's source file, without image parameters. It runs
     * in any thread with that thread's engine, stores its results through `payload`, and fails like any call.
     */
    const drua_op *op;
    const char *text; /**< argument of the first parameter of `op`, if it has one */
    void *payload;

    /**
     * Divides the work among this many devices: sets `all`, `step` and `room`. `alike` says whether all devices have
     * the same model and driver. NULL: the caller has set `all`, `step` and `room`.
     */
    void (*cut)(drua_plan *plan, drua_spread *work, int devices, bool alike);
    /**
     * Processes a complete piece, in the call's thread and on its device. Pieces come in the order of their numbers.
     * NULL: complete pieces need no processing.
     */
    void (*collect)(drua_plan *plan, drua_spread *work, int64_t number);
    /** Returns the completed part of all pieces, 0 to 1. Called in the call's thread. */
    double (*progress)(const drua_spread *work);
    drua_box all;
    int64_t step[3]; /**< pieces are those of drua_box_part */
    int64_t room; /**< number of pieces that may be in progress or wait to be collected; it must exceed the number of
                       devices */
};

/** Fails the call if a text does not name devices. */
void plan_check_devices(drua_plan *plan, const char *devices);

/** Returns whether a text names only the call's own device. The text "" stands for that device. */
bool plan_serves_alone(drua_plan *plan, const char *devices);

/**
 * Computes all pieces. A device that fails returns its piece and is no longer used, which a message for
 * drua_take_messages says. A piece that does not fit a device is halved along its longest axis, down to single pixels
 * of the box. Progress goes from `from` to 1.
 */
void plan_spread(drua_plan *plan, drua_spread *work, double from);

/**
 * Like plan_call_private, but several devices compute the tiles, as they do the pieces of plan_spread. `devices` is as
 * in drua_spread. The tiles are those that the calling device alone would use; it finds them by trial calls
 * (plan_is_trial). Tiles are computed in any order and in any thread, and all of them share `state`.
 */
drua_operand plan_call_on_devices(drua_plan *plan, const drua_op *op, const char *devices, void *state, drua_type type,
                                  const drua_operand *operands, size_t count);

#endif
