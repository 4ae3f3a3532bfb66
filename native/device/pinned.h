/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The pinned memory of one direction of transfers, and the commands in flight between it and the device: sent and not
 * known to be complete. All functions except enter are for the thread that has entered the queue.
 */
#ifndef DRUA_DEVICE_PINNED_H
#define DRUA_DEVICE_PINNED_H

#include "internal.h"

/*
 * Takes the queue for this thread until it leaves. Waits while another thread uses the queue. A large transfer takes
 * long, so the wait ends if the call is cancelled.
 */
drua_status drua_transfer_queue_enter(drua_transfer_queue *transfers);
void drua_transfer_queue_leave(drua_transfer_queue *transfers);

void drua_forget_event(drua_device *device, cl_event *event);

/*
 * Makes sure that the ring has at least that size; replaces a smaller ring. Making a small ring takes a few
 * milliseconds, and making a large one takes fifteen.
 */
cl_int drua_transfer_queue_pin(drua_transfer_queue *transfers, size_t bytes);

/* Adds a command in flight whose bytes end at that place in the ring. */
void drua_transfer_queue_add(drua_transfer_queue *transfers, cl_event event, uint64_t end);

/* Removes the oldest command in flight, which is complete; its place in the ring becomes free. */
void drua_transfer_queue_retire(drua_transfer_queue *transfers);

/* Removes complete commands. Returns the error of a command that belongs to the transfer that began at `start`. */
cl_int drua_transfer_queue_poll(drua_transfer_queue *transfers, uint64_t start);

/* Waits for all commands in flight. */
drua_status drua_transfer_queue_wait(drua_transfer_queue *transfers, uint64_t start);

/*
 * Waits until the driver has finished all commands. For pulls, this includes the compute queue, which has some of the
 * reads.
 */
void drua_transfer_queue_finish(drua_transfer_queue *transfers);

/*
 * Stores the event of the last command in `landed`, so that readers of the buffer can wait for it. If the driver cannot
 * retain the event, waits for all commands instead.
 */
drua_status drua_transfer_queue_keep_last(drua_transfer_queue *transfers, uint64_t start, cl_event *landed);

#endif
