/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How long each device takes for a block, learned while it runs: a slow one leaves the last blocks to those that will
 * be done with them before it could be, and the time that is left follows from all of them. Any thread.
 */
#ifndef DRUA_DEVICE_RATES_H
#define DRUA_DEVICE_RATES_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { RATES_MOST = 16 };

typedef struct device_rate {
    double seconds; /* for a block; 0: not known yet */
    double since; /* when it took the block that it has */
    int blocks; /* that it did */
    bool busy, gone;
} device_rate;

typedef struct device_rates {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    device_rate devices[RATES_MOST];
    int count;
    int64_t waiting; /* blocks that no device has taken */
    double written, pace; /* when the last block was written; seconds from one to the next, 0: not known yet */
} device_rates;

void rates_open(device_rates *r, int devices, int64_t blocks);
void rates_close(device_rates *r);

/* Waits while others will be done with all that waits before this device could be with one block; to be called before
 * it takes one. */
void rates_wait(device_rates *r, int device);

/* Whether it would wait now. */
bool rates_leaves(device_rates *r, int device);

/* It took a block, did it, or takes no more and may have given one back. */
void rates_take(device_rates *r, int device);
void rates_done(device_rates *r, int device);
void rates_leave(device_rates *r, int device, bool gives_back);

/* A block was written. */
void rates_written(device_rates *r);

/* Seconds for so many more blocks; 0 while nothing is known. */
double rates_left(device_rates *r, int64_t blocks);

/* What rates_wait decides by, at the time `now`. */
bool rates_leaves_to_others(const device_rate *devices, int count, int device, int64_t waiting, double now);

#endif
