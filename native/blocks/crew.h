/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The devices that were asked for, and the way of blocks through them: one thread reads, one for each device computes,
 * the caller's takes what is made, with bounded queues between. Each device pulls; one that fails gives its block back
 * and is left out. The run of a plan's blocks is such a work, and each pass that a plan makes first.
 */
#ifndef DRUA_BLOCKS_CREW_H
#define DRUA_BLOCKS_CREW_H

#include "block_pipeline.h"
#include "device_rates.h"
#include "evaluate.h"
#include "queue.h"

enum { CREW_SENTENCE = 2048, CREW_MOST = RATES_MOST };

/* How many blocks are in hand at once: read, computed and taken by different threads. */
enum { BLOCKS_READ = 2, BLOCKS_MADE = 2 };

/* A block on its way: the first member of what a work has of it. One that fails goes on, so that it is counted. */
typedef struct crew_item {
    int64_t block;
    block_boxes boxes;
    block_inputs in; /* freed when it was computed */
    uint64_t bytes; /* read and made, as pixels */
    drua_blocks_seconds seconds;
    drua_status status;
    char sentence[CREW_SENTENCE];
} crew_item;

/* What is done with blocks. */
typedef struct crew_work {
    crew_item *(*read)(void *payload); /* the next one, read; NULL: no more. One thread */
    drua_status (*compute)(void *payload, evaluator *e,
                           crew_item *item); /* leaves it as it was where it fails. A thread for each device */
    void (*take)(void *payload, crew_item *item); /* also one that failed. The caller's thread, as they come */
    void (*free)(crew_item *item);
    void *payload;
    uint64_t host_bytes, host_limit; /* of the computer, with one device in hand; that may be used */
    drua_blocks_progress *progress; /* has `what`, `blocks` and `done` */
    drua_blocks_watch watch; /* NULL: nobody */
    void *watcher;
} crew_work;

struct crew;

/* A device and its thread. */
typedef struct crew_member {
    struct crew *crew;
    int number; /* in the work in hand */
    evaluator own, *evaluator; /* own, or that of the job */
    pthread_t thread;
    bool left_out; /* it failed */
    bool has_no_room; /* which was said */
} crew_member;

typedef struct crew {
    crew_member members[CREW_MOST];
    int count;
    const crew_work *work; /* in hand, and who serves */
    crew_member *serving[CREW_MOST];
    int serving_count;
    block_queue ready, made;
    device_rates rates;
    double begun;
    bool refused; /* by who watches */
    pthread_mutex_t lock; /* of the next three */
    bool stop;
    int left; /* that did not fail */
    char line[CREW_SENTENCE]; /* that people should know; "": none */
} crew;

/*
 * Opens the devices of `wishes` (drua_blocks_share has them) beside one that is open, which is the first of them, or
 * `planner`: it serves only where no other one does. Those that cannot be opened are left out with a line. Closed with
 * crew_close; the first one stays open.
 */
void crew_open(crew *c, evaluator *first, bool planner, const char *memory, const char *wishes);
void crew_close(crew *c);

/* The first device of wishes; "all" is the best. */
void first_device(const char *wishes, char *first, size_t size);

/* Does a work; DRUA_OK also where blocks failed or it was stopped, which is for the work to say. One at a time. */
drua_status crew_run(crew *c, const crew_work *w);

/* Reads no more blocks; those in hand are done. Any thread. */
void crew_stop(crew *c);

/* Adds a line for people, which the next progress shows. Any thread. */
void crew_say(crew *c, const char *format, ...) DRUA_PRINTF(2, 3);

/* Keeps why a block failed, from the thread's sentence. */
void crew_fail(crew_item *item, drua_status status);

#endif
