/* SPDX-License-Identifier: BSD-3-Clause */
/* A bounded first-in, first-out queue of blocks between two steps. Any thread. */
#ifndef DRUA_PIPELINE_QUEUE_H
#define DRUA_PIPELINE_QUEUE_H

#include <pthread.h>
#include <stdbool.h>

enum { QUEUE_MAX = 64 };

typedef struct block_queue {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    void *items[QUEUE_MAX];
    int first, count, room;
    int writers; /* writers that have not called queue_end */
    int held; /* items held by readers that may give them back */
} block_queue;

void queue_open(block_queue *q, int room, int writers);
void queue_close(block_queue *q);

/* Waits until there is space. */
void queue_put(block_queue *q, void *item);

/* Reports that one writer has finished. */
void queue_end(block_queue *q);

/* Waits for an item; returns NULL if the queue is empty, all writers have finished and no reader holds an item. */
void *queue_take(block_queue *q);

/*
 * Takes an item like queue_take and holds it. The reader then calls queue_let_go when it is done, or queue_give_back to
 * make it the next item.
 */
void *queue_hold(block_queue *q);
void queue_let_go(block_queue *q);
void queue_give_back(block_queue *q, void *item);

#endif
