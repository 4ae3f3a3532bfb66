/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of this room share and no other room sees. */
#ifndef DRUA_DEVICE_INTERNAL_H
#define DRUA_DEVICE_INTERNAL_H

#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "device.h"
#include "opencl.h"

enum { DRUA_RING_BYTES = 65536, DRUA_RING_ENTRIES = 128, DRUA_FAMILIES = 64, DRUA_INDEX_WIDTHS = 2 };

struct drua_buffer {
    drua_device *device;
    drua_buffer *next;          /* in the pool's list of its size class */
    cl_mem memory;
    uint64_t bytes;
    int references;
};

/* A kernel of a built program, with the bytes of its arguments as they were last set. */
typedef struct drua_kernel {
    const char *name;           /* points into the source text, `length` characters */
    size_t length;
    int family;
    cl_kernel handle[DRUA_INDEX_WIDTHS];
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
    char platform_version[256];
    char cache_folder[1024];    /* empty: programs are not kept */
    int lanes;
    drua_buffer *pool[512];
    uint64_t used, pooled, budget;
    drua_ring ring;
    drua_family family[DRUA_FAMILIES];
    size_t family_count;
    drua_kernel *kernels;
    size_t kernel_count;
    drua_statistics statistics;
    int unflushed;
};

/** Runs before and after every call that may start a driver's compiler: drivers replace signal handlers that a JVM needs. */
void drua_signals_save(void);
void drua_signals_restore(void);

drua_status drua_device_index_sources(drua_device *device);
drua_status drua_device_kernel(drua_device *device, const char *name, int width, drua_kernel **kernel);
void drua_device_free_programs(drua_device *device);

/* Names a program on disk: a hash of all that its binary depends on. */
typedef struct drua_cache_key {
    uint64_t half[2];
} drua_cache_key;

void drua_cache_open(drua_device *device);
drua_cache_key drua_cache_key_of(const drua_device *device, const char *options, const char *const *texts, size_t count);

/* A program ready for kernels, or NULL. */
cl_program drua_cache_load(drua_device *device, const drua_cache_key *key, const char *options);
void drua_cache_store(drua_device *device, const drua_cache_key *key, cl_program program);

drua_status drua_ring_write(drua_device *device, const void *bytes, size_t length, size_t *at);
void drua_pool_trim(drua_device *device);

#endif
