/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of device memory, the buffers that they serve, and the ring of tables. */
#ifndef DRUA_DEVICE_DEVICE_MEMORY_H
#define DRUA_DEVICE_DEVICE_MEMORY_H

#include "handles.h"

enum { DRUA_RING_BYTES = 65536, DRUA_RING_ENTRIES = 128, DRUA_MIN_BUDGET = 1 << 20 };

/* Device memory that a buffer holds or the pool keeps. */
struct drua_block {
    struct drua_block *next; /* in the pool's list of its size class */
    cl_mem memory;
    uint64_t bytes;
    uint64_t last_use; /* number of the last command in the compute queue that uses it */
    cl_event upload; /* event that the compute queue must wait for before it uses the block; NULL: none */
};

struct drua_buffer {
    drua_device *device;
    drua_buffer *older, *newer; /* buffers on the device, ordered by last use */
    drua_block *block; /* NULL: not on the device */
    cl_mem memory; /* memory of the block */
    void *host; /* content of a buffer that is not on the device; NULL: undefined */
    uint64_t bytes;
    int references, pins;
};

/* Small tables travel through one constant buffer, which is written in order and restarts when it is full. */
typedef struct drua_ring {
    cl_mem memory;
    unsigned char *shadow; /* content that the device has or will get; unchanged until the ring restarts */
    size_t used;
    size_t entries;
    struct {
        size_t at, length;
    } entry[DRUA_RING_ENTRIES];
} drua_ring;

/* ---- pool.c */

/* Returns all memory of the pool to the driver. */
void drua_pool_trim(drua_device *device);

/* Takes a block of this size class from the pool. NULL if the pool has none that fits. */
drua_block *drua_pool_take(drua_device *device, uint64_t bytes);
void drua_pool_give(drua_device *device, drua_block *block);

/* Whether the budget allows this many more bytes; the pool frees blocks for it. */
bool drua_pool_has_room(drua_device *device, uint64_t bytes);

/*
 * Size of a new block for this many bytes: that of the size class, or exactly the needed size if the class does not
 * fit.
 */
uint64_t drua_pool_rounded(const drua_device *device, uint64_t bytes);
drua_status drua_pool_create(drua_device *device, uint64_t bytes, drua_block **block);

/* ---- buffer.c */

/* Gives the buffer device memory, and moves its content there if it has any. */
drua_status drua_buffer_use(drua_buffer *buffer);

/* Copies an image of any layout from a buffer that is on the host. */
void drua_buffer_read_host(drua_view view, void *const *planes);

/* Moves buffers to the host until the budget is met. */
drua_status drua_buffers_fit(drua_device *device);

/* ---- transfer.c */

/* The memory that one launch uses, and the uploads that it must wait for. */
enum { DRUA_MAX_USED = 40 };

typedef struct drua_use {
    drua_block *blocks[DRUA_MAX_USED];
    cl_event waits[DRUA_MAX_USED]; /* borrowed from the blocks */
    int count;
    cl_uint wait_count;
} drua_use;

void drua_use_add(drua_use *use, drua_block *block);

/* A command with these waits is in the compute queue, so later commands do not need them. */
void drua_use_waited(drua_device *device, drua_use *use);

/* All commands are sent. */
void drua_use_end(drua_device *device, drua_use *use);

/* Copies a table of numbers to the device. `at`: receives its first byte in the ring of tables. */
drua_status drua_ring_write(drua_device *device, const void *bytes, size_t length, size_t *at);

/* Moves plain memory to or from a block, in order with the kernels that use it. */
drua_status drua_block_move(drua_device *device, bool pull, drua_block *block, void *host, size_t bytes);

#endif
