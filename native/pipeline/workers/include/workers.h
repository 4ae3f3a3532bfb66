/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Workers move blocks through several devices. One thread reads, one thread for each device computes, and the caller's
 * thread takes the results; bounded queues connect them. Each device takes the next ready block. A device that fails
 * returns its block to the queue and is left out. The blocks of a plan and the passes before them both use workers.
 */
#ifndef DRUA_PIPELINE_WORKERS_H
#define DRUA_PIPELINE_WORKERS_H

#include "block_types.h"
#include "device_rates.h"
#include "evaluate.h"
#include "queue.h"

enum { WORKERS_SENTENCE = 2048, WORKERS_MAX = RATES_MAX };

/* Capacity of the queues of blocks that are read and blocks that are computed. */
enum { BLOCKS_READ = 2, BLOCKS_MADE = 2 };

/*
 * A block in flight; the first member of a larger struct of the caller. A failed block passes through all steps, so
 * that it is counted.
 */
typedef struct block_item {
    int64_t block;
    block_boxes boxes;
    block_inputs in; /* freed after the computation */
    uint64_t bytes; /* read and made, as pixels */
    drua_blocks_seconds seconds;
    drua_status status;
    char sentence[WORKERS_SENTENCE];
} block_item;

/* The steps that each block passes through, and their limits. */
typedef struct block_steps {
    block_item *(*read)(void *payload); /* reads and returns the next block; NULL: no more blocks. Runs on one thread */
    /* leaves the block unchanged if it fails. Runs on a thread for each device */
    drua_status (*compute)(void *payload, evaluator *e, block_item *item);
    /* also takes failed blocks. Runs on the caller's thread, in order of completion */
    void (*take)(void *payload, block_item *item);
    void (*free)(block_item *item);
    void *payload;
    uint64_t host_bytes, host_limit; /* host memory in use with one device; host memory that may be used */
    drua_blocks_progress *progress; /* the caller sets `what`, `blocks` and `done` */
    drua_blocks_watch watch; /* NULL: no reports */
    void *watcher;
} block_steps;

struct block_workers;

/* A device and its thread. */
typedef struct device_worker {
    struct block_workers *workers;
    int number; /* index among the serving devices */
    evaluator own, *evaluator; /* own, or the job's evaluator */
    pthread_t thread;
    bool left_out; /* the device failed */
    bool has_no_room; /* it was reported that memory has no room for the device */
} device_worker;

typedef struct block_workers {
    device_worker members[WORKERS_MAX];
    int count;
    const block_steps *work; /* current steps; `serving` lists the devices that take part */
    device_worker *serving[WORKERS_MAX];
    int serving_count;
    block_queue ready, made;
    device_rates rates;
    double begun;
    bool refused; /* the watch function cancelled the run */
    pthread_mutex_t lock; /* protects the next three fields */
    bool stop;
    int left; /* number of devices that have not failed */
    char line[WORKERS_SENTENCE]; /* message for the user; "": no message */
} block_workers;

/*
 * Opens the devices in `devices` (see drua_blocks_share) in addition to `first`, which is open. `first` counts as the
 * first of them. If `planner`, `first` computes blocks only if `devices` is NULL or "all", or if no device in `devices`
 * can be opened. A device that cannot be opened is left out with a message. Close with workers_close, which leaves
 * `first` open.
 */
void workers_open(block_workers *c, evaluator *first, bool planner, const char *memory, const char *devices);
void workers_close(block_workers *c);

/* Copies the name of the first device in `devices`; for "all", of the best device. */
void first_device(const char *devices, char *first, size_t size);

/*
 * Passes all blocks through the steps. DRUA_OK does not mean that all blocks succeeded: the steps themselves record
 * failed blocks and interruptions. Only one call at a time.
 */
drua_status workers_run(block_workers *c, const block_steps *w);

/* Stops reading blocks; the blocks in flight are finished. Any thread. */
void workers_stop(block_workers *c);

/* Adds a message for the user, which the next progress report shows. Any thread. */
void workers_report(block_workers *c, const char *format, ...) DRUA_PRINTF(2, 3);

/* Stores the status and the error message of the current thread in a failed block. */
void item_fail(block_item *item, drua_status status);

#endif
