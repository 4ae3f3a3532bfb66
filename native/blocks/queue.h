/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks that wait between two steps: as many as there is room for, the first one out first. Any thread. */
#ifndef DRUA_BLOCKS_QUEUE_H
#define DRUA_BLOCKS_QUEUE_H

#include <pthread.h>
#include <stdbool.h>

enum { QUEUE_MOST = 64 };

typedef struct block_queue {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    void *items[QUEUE_MOST];
    int first, count, room;
    int writers;                /* that may still bring something */
    int held;                   /* items taken by those who may give them back */
} block_queue;

void queue_open(block_queue *q, int room, int writers);
void queue_close(block_queue *q);

/* Waits for room. */
void queue_put(block_queue *q, void *item);

/* One of those that bring will bring no more. */
void queue_end(block_queue *q);

/* Waits for an item; NULL when there will be none. */
void *queue_take(block_queue *q);

/* As queue_take, for one who says then that it is done with the item, or gives it back to be the next one taken. */
void *queue_hold(block_queue *q);
void queue_let_go(block_queue *q);
void queue_give_back(block_queue *q, void *item);

#endif
