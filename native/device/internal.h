/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of a device, for the files of this room alone. */
#ifndef DRUA_DEVICE_INTERNAL_H
#define DRUA_DEVICE_INTERNAL_H

#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "clock.h"
#include "device_memory.h"
#include "handles.h"
#include "opencl_error.h"
#include "programs.h"
#include "transfer_queue.h"
#include "waiting.h"

#include <pthread.h>
#include <stdatomic.h>

struct drua_device {
    const drua_opencl *cl;
    cl_device_id id;
    cl_uint vendor; /* as in drua_handles */
    cl_context context;
    cl_command_queue queue;
    drua_transfer_queue transfer_queues[2];         /* up, down */
    uint64_t sent, completed;   /* commands of the compute queue */
    drua_fence fences[DRUA_MAX_FENCES];
    int first_fence, fence_count;
    uint64_t last_retired, last_check;
    double launch_time;         /* recent duration of a launch in nanoseconds */
    drua_rate rates[DRUA_RATES];
    atomic_ullong tickets, cancelled;
    atomic_bool stops_calls; /* all calls, also later ones */
    atomic_int progress;        /* thousandths of the current transfer or wait, -1: none */
    atomic_int launched;        /* thousandths of a kernel that is sent in chunks, -1: none */
    atomic_int work; /* thousandths of a long call, -1: none */
    atomic_int loss;            /* the OpenCL code that reported the loss of the device */
    drua_device_info info;
    char note[512];
    char warning[640]; /* a better device that cannot be used, and the reason */
    char options[256];
    char platform_version[256];
    char cache_folder[1024];    /* empty: programs are not kept on disk */
    int lanes;
    /*
     * the driver (PoCL on CPUs) compiles kernels at launch; a family of kernels is then one program, otherwise each
     * kernel is one
     */
    bool compiles_at_launch;
    bool declares_functions; /* Drua's programs declare OpenCL's functions themselves, without the driver's header */
    uint64_t
        /* work, in typical work-items, after which optimizing a kernel pays; 0: kernels are optimized at once */
        unoptimized_work;
    bool optimizes_at_once;     /* while work is being timed */
    size_t max_along[3]; /* work-items of a group along an axis */
    drua_block *pool[512];
    drua_buffer *newest, *oldest;
    uint64_t generation; /* generation of memory objects: a new object may get the handle of a released one */
    uint64_t used, pooled, budget;
    uint64_t reserved;          /* bytes taken for as long as the device is open, such as the ring */
    drua_ring ring;
    drua_family family[DRUA_FAMILIES];
    size_t family_count;
    drua_kernel *kernels;
    size_t kernel_count;
    uint16_t kernel_slot[DRUA_KERNEL_SLOTS];    /* index + 1 of a kernel by the hash of its name */
    pthread_mutex_t build_lock;
    pthread_cond_t built;       /* a build has ended */
    atomic_int wanted;          /* programs that a caller waits for or will soon use, and that are not built yet */
    atomic_ullong last_wanted; /* time when a program was last wanted */
    drua_used_kernel to_load[DRUA_MAX_USED_KERNELS]; /* see used.c */
    int to_load_count;
    bool keeps_used; /* the kernels that this process uses are listed for later processes */
    pthread_t builder;          /* builds programs ahead */
    double ahead_after;         /* nanoseconds without a call after which it starts; 0: never */
    bool has_builder;
    atomic_bool stop_builder, builder_exited;
    atomic_ullong programs_built, programs_loaded;
    atomic_ullong programs_awaited; /* programs that launches had to wait for */
    drua_statistics statistics;
    int unflushed;
    struct drua_compile_threads *compile_threads;   /* threads that compile generated kernels; NULL until the first */
};

/*
 * Sets the device's address once its extensions are known. `platform` and `number` are indices in the driver's order.
 */
void drua_device_find_address(const drua_opencl *cl, cl_device_id id, unsigned platform, unsigned number,
                              const drua_device_info *info, char *address, size_t size);

/* Initializes the locks and counters of a device whose other members are zero or described. */
void drua_device_init(drua_device *device);

/* Whether a selector of drua_open matches this device. */
bool drua_device_fits(const drua_device_info *info, size_t index, const char *selector);

#endif
