/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory for the pixels of blocks, which later blocks use again: new memory comes page by page from the system when it
 * is first written, which takes longer than to copy as many pixels. Any thread may take and give.
 */
#ifndef DRUA_BLOCKS_MEMORY_H
#define DRUA_BLOCKS_MEMORY_H

#include <stddef.h>

typedef struct block_memory block_memory;

/* NULL where memory is full. */
block_memory *block_memory_open(void);

/* Frees what is kept; all that was taken is given back by then. NULL is none. */
void block_memory_close(block_memory *m);

/* So many bytes of any content, to be given back with block_memory_give; NULL where memory is full. `m` NULL: new
 * memory, which is not kept. */
void *block_memory_take(block_memory *m, size_t bytes);

/* NULL is none. In use and kept together are never more than were in use at once. */
void block_memory_give(void *pixels);

#endif
