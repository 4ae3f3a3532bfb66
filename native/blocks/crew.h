/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Workers move blocks through several devices. One thread reads, one thread for each device computes, and the caller's
 * thread takes the results; bounded queues connect them. Each device takes the next ready block. A device that fails
 * returns its block to the queue and is left out. Both the blocks of a plan and the passes before them run so.
 */
#ifndef DRUA_BLOCKS_CREW_H
#define DRUA_BLOCKS_CREW_H

#include "block_pipeline.h"
#include "device_rates.h"
#include "evaluate.h"
#include "queue.h"

enum { CREW_SENTENCE = 2048, CREW_MOST = RATES_MOST };

/* Capacity of the queues of blocks that are read and blocks that are computed. */
enum { BLOCKS_READ = 2, BLOCKS_MADE = 2 };

/*
 * A block in flight; the first member of a work's own struct. A failed block passes through all steps, so that it is
 * counted.
 */
typedef struct crew_item {
    int64_t block;
    block_boxes boxes;
    block_inputs in; /* freed after the computation */
    uint64_t bytes; /* read and made, as pixels */
    drua_blocks_seconds seconds;
    drua_status status;
    char sentence[CREW_SENTENCE];
} crew_item;

/* The functions and limits of one kind of work on blocks. */
typedef struct crew_work {
    crew_item *(*read)(void *payload); /* reads and returns the next block; NULL: no more blocks. Runs on one thread */
    drua_status (*compute)(void *payload, evaluator *e,
                           /* leaves the block unchanged if it fails. Runs on a thread for each device */
                           crew_item *item);
    /* also takes failed blocks. Runs on the caller's thread, in order of completion */
    void (*take)(void *payload, crew_item *item);
    void (*free)(crew_item *item);
    void *payload;
    uint64_t host_bytes, host_limit; /* computer memory in use with one device; computer memory that may be used */
    drua_blocks_progress *progress; /* the caller sets `what`, `blocks` and `done` */
    drua_blocks_watch watch; /* NULL: no reports */
    void *watcher;
} crew_work;

struct crew;

/* A device and its thread. */
typedef struct crew_member {
    struct crew *crew;
    int number; /* index among the serving devices */
    evaluator own, *evaluator; /* own, or the job's evaluator */
    pthread_t thread;
    bool left_out; /* the device failed */
    bool has_no_room; /* it was reported that memory has no room for the device */
} crew_member;

typedef struct crew {
    crew_member members[CREW_MOST];
    int count;
    const crew_work *work; /* current work; the members that serve it are in `serving` */
    crew_member *serving[CREW_MOST];
    int serving_count;
    block_queue ready, made;
    device_rates rates;
    double begun;
    bool refused; /* the watch function cancelled the work */
    pthread_mutex_t lock; /* protects the next three fields */
    bool stop;
    int left; /* number of devices that have not failed */
    char line[CREW_SENTENCE]; /* message for the user; "": no message */
} crew;

/*
 * Opens the devices in `wishes` (see drua_blocks_share) in addition to `first`, which is open. `first` counts as the
 * first of them. If `planner`, it serves only if no other device does. A device that cannot be opened is left out with
 * a message. Close with crew_close, which leaves `first` open.
 */
void crew_open(crew *c, evaluator *first, bool planner, const char *memory, const char *wishes);
void crew_close(crew *c);

/* Copies the name of the first device in `wishes`; for "all", of the best device. */
void first_device(const char *wishes, char *first, size_t size);

/*
 * Runs a work. DRUA_OK does not mean that all blocks succeeded: the work itself records failed blocks and
 * interruptions. Runs one work at a time.
 */
drua_status crew_run(crew *c, const crew_work *w);

/* Stops reading blocks; the blocks in flight are finished. Any thread. */
void crew_stop(crew *c);

/* Adds a message for the user, which the next progress report shows. Any thread. */
void crew_say(crew *c, const char *format, ...) DRUA_PRINTF(2, 3);

/* Stores the status and the error sentence of the current thread in a failed block. */
void crew_fail(crew_item *item, drua_status status);

#endif
