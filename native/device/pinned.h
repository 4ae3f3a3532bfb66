/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The pinned memory of one direction of transfers, and the commands between it and the device that were sent and are not yet
 * seen to be over (flights). Of whoever has entered the transfers.
 */
#ifndef DRUA_DEVICE_PINNED_H
#define DRUA_DEVICE_PINNED_H

#include "internal.h"

/* The transfers is this thread's until it leaves; another one's transfer may take as long as its pixels need to come, so the wait can be cancelled. */
drua_status drua_transfer_queue_enter(drua_transfer_queue *transfers);
void drua_transfer_queue_leave(drua_transfer_queue *transfers);

void drua_forget_event(drua_device *device, cl_event *event);

/* A ring of at least that size, made once: a few milliseconds for a small one, fifteen for a large one. */
cl_int drua_transfer_queue_pin(drua_transfer_queue *transfers, size_t bytes);

/* A command whose bytes end at that place in the ring. */
void drua_transfer_queue_give_back(drua_transfer_queue *transfers, cl_event event, uint64_t end);

/* Gives up the place of the oldest flight, which is over. */
void drua_transfer_queue_land(drua_transfer_queue *transfers);

/* Lands what the device is done with; an error of a transfer that began at `start`. */
cl_int drua_transfer_queue_look(drua_transfer_queue *transfers, uint64_t start);

/* Waits for all. */
drua_status drua_transfer_queue_land_all(drua_transfer_queue *transfers, uint64_t start);

/* Nothing moves any more; some reads are in the compute queue. */
void drua_transfer_queue_settle(drua_transfer_queue *transfers);

/* Who reads the buffer waits for the last command; where its event cannot be kept, it is waited for here. */
drua_status drua_transfer_queue_keep_last(drua_transfer_queue *transfers, uint64_t start, cl_event *landed);

#endif
