/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Learns how long each device takes for a block. A slow device leaves the last blocks to devices that will finish them
 * sooner, and the remaining time follows from all rates. Any thread.
 */
#ifndef DRUA_DEVICE_RATES_H
#define DRUA_DEVICE_RATES_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { RATES_MAX = 16 };

typedef struct device_rate {
    double seconds; /* per block; 0: not known yet */
    double since; /* when the device took its current block */
    int blocks; /* number of completed blocks */
    bool busy, gone;
} device_rate;

typedef struct device_rates {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    device_rate devices[RATES_MAX];
    int count;
    int64_t waiting; /* blocks that no device has taken */
    double written, pace; /* when the last block was written; seconds between blocks, 0: not known yet */
} device_rates;

void rates_open(device_rates *r, int devices, int64_t blocks);
void rates_close(device_rates *r);

/*
 * Waits while other devices would finish all waiting blocks before this device could finish one. Call it before the
 * device takes a block.
 */
void rates_wait(device_rates *r, int device);

/* Whether rates_wait would wait now. */
bool rates_leaves(device_rates *r, int device);

/*
 * rates_take: the device has taken a block. rates_done: it has completed the block. rates_leave: it takes no more
 * blocks; `gives_back`: it has returned one.
 */
void rates_take(device_rates *r, int device);
void rates_done(device_rates *r, int device);
void rates_leave(device_rates *r, int device, bool gives_back);

/* A block was written. */
void rates_written(device_rates *r);

/* Seconds for this many more blocks; 0 while nothing is known. */
double rates_left(device_rates *r, int64_t blocks);

/* The decision of rates_wait at time `now`. */
bool rates_leaves_to_others(const device_rate *devices, int count, int device, int64_t waiting, double now);

#endif
