/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The pinned memory of one direction of transfers, and the commands in flight between it and the device: sent and not
 * known to be complete. All functions except enter are for the thread that has entered the queue.
 */
#ifndef DRUA_DEVICE_PINNED_H
#define DRUA_DEVICE_PINNED_H

#include "internal.h"

/*
 * Takes the queue for this thread until it leaves. A transfer of another thread may take as long as its pixels need to
 * arrive, so the wait can be cancelled.
 */
drua_status drua_transfer_queue_enter(drua_transfer_queue *transfers);
void drua_transfer_queue_leave(drua_transfer_queue *transfers);

void drua_forget_event(drua_device *device, cl_event *event);

/* Makes a ring of at least that size, once: a few milliseconds for a small ring, fifteen for a large one. */
cl_int drua_transfer_queue_pin(drua_transfer_queue *transfers, size_t bytes);

/* Adds a command in flight whose bytes end at that place in the ring. */
void drua_transfer_queue_add(drua_transfer_queue *transfers, cl_event event, uint64_t end);

/* Removes the oldest command in flight, which is complete; its place in the ring becomes free. */
void drua_transfer_queue_retire(drua_transfer_queue *transfers);

/* Removes complete commands. Returns the error of a command that belongs to the transfer that began at `start`. */
cl_int drua_transfer_queue_poll(drua_transfer_queue *transfers, uint64_t start);

/* Waits for all commands in flight. */
drua_status drua_transfer_queue_wait(drua_transfer_queue *transfers, uint64_t start);

/* Waits until the driver has finished all commands; some reads are in the compute queue. */
void drua_transfer_queue_finish(drua_transfer_queue *transfers);

/* Readers of the buffer wait for the last command through its event. If the event cannot be kept, this waits for it. */
drua_status drua_transfer_queue_keep_last(drua_transfer_queue *transfers, uint64_t start, cl_event *landed);

#endif
