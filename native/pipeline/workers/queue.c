/* SPDX-License-Identifier: BSD-3-Clause */
#include "queue.h"

void queue_open(block_queue *q, int room, int writers)
{
    *q = (block_queue){.room = room < QUEUE_MAX / 2 ? room : QUEUE_MAX / 2, .writers = writers};
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->changed, NULL);
}

void queue_close(block_queue *q)
{
    pthread_mutex_destroy(&q->lock);
    pthread_cond_destroy(&q->changed);
}

void queue_put(block_queue *q, void *item)
{
    pthread_mutex_lock(&q->lock);
    while (q->count >= q->room)
        pthread_cond_wait(&q->changed, &q->lock);
    q->items[(q->first + q->count++) % QUEUE_MAX] = item;
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
}

void queue_end(block_queue *q)
{
    pthread_mutex_lock(&q->lock);
    q->writers--;
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
}

static void *take_item(block_queue *q, int held)
{
    void *item = NULL;
    pthread_mutex_lock(&q->lock);
    while (!q->count && (q->writers || q->held))
        pthread_cond_wait(&q->changed, &q->lock);
    if (q->count) {
        item = q->items[q->first];
        q->first = (q->first + 1) % QUEUE_MAX;
        q->count--;
        q->held += held;
        pthread_cond_broadcast(&q->changed);
    }
    pthread_mutex_unlock(&q->lock);
    return item;
}

void *queue_take(block_queue *q)
{
    return take_item(q, 0);
}

void *queue_hold(block_queue *q)
{
    return take_item(q, 1);
}

void queue_let_go(block_queue *q)
{
    pthread_mutex_lock(&q->lock);
    q->held--;
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
}

/* Needs no wait: the array has at least twice as many places as `room`. */
void queue_give_back(block_queue *q, void *item)
{
    pthread_mutex_lock(&q->lock);
    q->first = (q->first + QUEUE_MAX - 1) % QUEUE_MAX;
    q->items[q->first] = item;
    q->count++;
    q->held--;
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
}
