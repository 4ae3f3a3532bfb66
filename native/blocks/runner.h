/* SPDX-License-Identifier: BSD-3-Clause */
/* A run of a plan's blocks, for the files that do its steps. */
#ifndef DRUA_BLOCKS_RUNNER_H
#define DRUA_BLOCKS_RUNNER_H

#include "device_rates.h"
#include "job.h"
#include "levels.h"
#include "queue.h"

enum { SENTENCE = 2048, RUN_DEVICES = RATES_MOST };

/* A block on its way. */
typedef struct block_work {
    int64_t block;
    uint32_t attempt;
    block_place place;
    block_boxes boxes;
    block_inputs in;
    void *made[JOB_OUTPUTS];
    drua_box level[JOB_OUTPUTS]; /* of the first lower level, where the block makes it */
    void *lower[JOB_OUTPUTS]; /* its pixels; NULL: finish makes it */
    drua_blocks_seconds seconds;
    drua_status status;
    char sentence[SENTENCE];
} block_work;

struct runner;

/* A device of the run, and its thread. */
typedef struct run_device {
    struct runner *runner;
    int number;
    evaluator own, *evaluator;      /* own, or that of the job */
    pthread_t thread;
} run_device;

typedef struct runner {
    job *job;
    const journal_state *state;
    const drua_blocks_share *share;
    drua_blocks_watch watch;
    void *payload;
    block_queue ready, made;
    run_device devices[RUN_DEVICES];
    int device_count;
    device_rates rates;
    pthread_mutex_t lock;           /* of the next three */
    bool stop;
    int devices_left;               /* that did not fail */
    char line[SENTENCE];            /* that people should know; "": none */
    drua_zarr_out *outs[JOB_OUTPUTS];
    level_maker levels[JOB_OUTPUTS];
    drua_zarr *back[JOB_OUTPUTS];   /* what is written, to be read again */
    journal *journal;
    drua_blocks_progress progress;
    double begun;
    drua_status status;             /* of the first block that failed */
    int64_t failed_block;
    char sentence[SENTENCE];
} runner;

bool runner_is_stopped(runner *r);
void runner_stop(runner *r);

/* Adds a line for people, which the next progress shows. */
void runner_say(runner *r, const char *format, ...) DRUA_PRINTF(2, 3);

/* Keeps why a block failed, from the thread's sentence. */
void work_fail(block_work *w, drua_status status);

/* Opens the devices that a share wishes; the job has the first one already. Those that cannot be opened are left out with a line. */
void runner_open_devices(runner *r);
void runner_close_devices(runner *r);

/* The first of those wishes, for the job; "all" is the best. */
void first_device(const char *wishes, char *first, size_t size);

/* The thread of a device: takes blocks that are ready until there are none. One that fails gives its block back. */
void *compute_blocks(void *run_device);

#endif
