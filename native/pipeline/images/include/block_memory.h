/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A pool of memory for the pixels of blocks. Reuse saves time: the system supplies new memory page by page on the first
 * write, which takes longer than copying as many pixels. Any thread may take and give.
 */
#ifndef DRUA_PIPELINE_MEMORY_H
#define DRUA_PIPELINE_MEMORY_H

#include <stddef.h>

typedef struct block_memory block_memory;

/* Returns NULL if memory is full. */
block_memory *block_memory_open(void);

/* Frees the pool. All memory taken from it must have been given back. Accepts NULL. */
void block_memory_close(block_memory *m);

/*
 * Returns uninitialized memory, to be given back with block_memory_give; NULL if memory is full. If `m` is NULL, the
 * memory is new and is freed when given back.
 */
void *block_memory_take(block_memory *m, size_t bytes);

/* Accepts NULL. The pool never holds more bytes, used and free together, than were once in use at the same time. */
void block_memory_give(void *pixels);

#endif
