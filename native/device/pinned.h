/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The pinned memory of one direction of transfers, and the commands between it and the device that were sent and are
 * not yet seen to be complete (in flight). All but enter are for the thread that has entered the queue.
 */
#ifndef DRUA_DEVICE_PINNED_H
#define DRUA_DEVICE_PINNED_H

#include "internal.h"

/* The queue is this thread's until it leaves; a transfer of another thread may take as long as its pixels need to come,
 * so the wait can be cancelled. */
drua_status drua_transfer_queue_enter(drua_transfer_queue *transfers);
void drua_transfer_queue_leave(drua_transfer_queue *transfers);

void drua_forget_event(drua_device *device, cl_event *event);

/* A ring of at least that size, made once: a few milliseconds for a small one, fifteen for a large one. */
cl_int drua_transfer_queue_pin(drua_transfer_queue *transfers, size_t bytes);

/* Adds a command in flight, whose bytes end at that place in the ring. */
void drua_transfer_queue_add(drua_transfer_queue *transfers, cl_event event, uint64_t end);

/* Forgets the oldest command in flight, which is complete: its place in the ring is free. */
void drua_transfer_queue_retire(drua_transfer_queue *transfers);

/* Forgets the commands that are complete; returns the error of one of a transfer that began at `start`. */
cl_int drua_transfer_queue_poll(drua_transfer_queue *transfers, uint64_t start);

/* Waits for all commands in flight. */
drua_status drua_transfer_queue_wait(drua_transfer_queue *transfers, uint64_t start);

/* Waits for the driver to finish all; some reads are in the compute queue. */
void drua_transfer_queue_finish(drua_transfer_queue *transfers);

/* Who reads the buffer waits for the last command; where its event cannot be kept, it is waited for here. */
drua_status drua_transfer_queue_keep_last(drua_transfer_queue *transfers, uint64_t start, cl_event *landed);

#endif
