/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of this room share and no other room sees. */
#ifndef DRUA_DEVICE_INTERNAL_H
#define DRUA_DEVICE_INTERNAL_H

#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "handles.h"

enum { DRUA_RING_BYTES = 65536, DRUA_RING_ENTRIES = 128, DRUA_FAMILIES = 64, DRUA_INDEX_WIDTHS = 2,
       DRUA_LEAST_BUDGET = 1 << 20 };

/* Device memory that a buffer holds, or that the pool keeps. */
typedef struct drua_block {
    struct drua_block *next;    /* in the pool's list of its size class */
    cl_mem memory;
    uint64_t bytes;
} drua_block;

struct drua_buffer {
    drua_device *device;
    drua_buffer *older, *newer; /* buffers on the device, by their last use */
    drua_block *block;          /* NULL: not on the device */
    cl_mem memory;              /* the block's */
    void *host;                 /* the content of a buffer that is not on the device; NULL: undefined */
    uint64_t bytes;
    int references, pins;
};

/* A kernel of a built program, with the bytes of its arguments as they were last set. */
typedef struct drua_kernel {
    const char *name;           /* points into the source text, `length` characters */
    size_t length;
    int family;
    cl_kernel handle[DRUA_INDEX_WIDTHS];
    uint64_t generation[DRUA_INDEX_WIDTHS];     /* of the device when the arguments were set */
    struct { size_t size; unsigned char bytes[64]; } last[DRUA_INDEX_WIDTHS][40];
} drua_kernel;

typedef struct drua_family {
    const char *name;
    const char **texts;
    size_t text_count;
    cl_program program[DRUA_INDEX_WIDTHS];
} drua_family;

/* Small tables travel through one constant buffer that is written in order and starts again when it is full. */
typedef struct drua_ring {
    cl_mem memory;
    unsigned char *shadow;      /* what the device is or will be told; unchanged until the ring starts again */
    size_t used;
    size_t entries;
    struct { uint64_t hash; size_t at, length; } entry[DRUA_RING_ENTRIES];
} drua_ring;

struct drua_device {
    const drua_opencl *cl;
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;
    drua_device_info info;
    char note[512];
    char options[256];
    int lanes;
    drua_block *pool[512];
    drua_buffer *newest, *oldest;
    uint64_t generation;        /* of memory objects: another one may get the handle of one that is gone */
    uint64_t used, pooled, budget;
    uint64_t reserved;          /* taken for as long as the device is open, such as the ring */
    drua_ring ring;
    drua_family family[DRUA_FAMILIES];
    size_t family_count;
    drua_kernel *kernels;
    size_t kernel_count;
    drua_statistics statistics;
    int unflushed;
    struct drua_maker *maker;   /* the thread that compiles made kernels; NULL until there is one */
};

drua_status drua_device_index_sources(drua_device *device);
drua_status drua_device_kernel(drua_device *device, const char *name, int width, drua_kernel **kernel);
void drua_device_free_programs(drua_device *device);

/** Compiles the common text followed by `texts`; `what` names it in the sentence of a failure. Any thread. */
drua_status drua_device_compile(drua_device *device, const char *what, const char *const *texts, size_t count, int width, int lanes,
                                cl_program *program);

/** Sets a kernel's arguments and sends it. */
drua_status drua_kernel_launch(drua_device *device, drua_kernel *kernel, int width, drua_grid grid, const drua_arg *arguments);

drua_status drua_ring_write(drua_device *device, const void *bytes, size_t length, size_t *at);
/* ---- blocks: pool.c */

/* Gives all that the pool keeps back to the driver. */
void drua_pool_trim(drua_device *device);

/* A block that the pool keeps, or NULL. */
drua_block *drua_pool_take(drua_device *device, uint64_t bytes);
void drua_pool_give(drua_device *device, drua_block *block);

/* Whether the budget allows as many bytes more; the pool gives up blocks for it. */
bool drua_pool_has_room(drua_device *device, uint64_t bytes);

/* Bytes of a new block for so many: those of its class, or no more than needed where the class does not fit. */
uint64_t drua_pool_rounded(const drua_device *device, uint64_t bytes);
drua_status drua_pool_create(drua_device *device, uint64_t bytes, drua_block **block);

/* ---- buffers: buffer.c */

/* Gives the buffer device memory, and its content if it has one elsewhere. */
drua_status drua_buffer_use(drua_buffer *buffer);

/* Copies an image of any layout from a buffer that is on the host. */
void drua_buffer_read_host(drua_view view, void *const *planes);

/* Moves buffers to the host until the budget is kept. */
drua_status drua_buffers_fit(drua_device *device);

#endif
