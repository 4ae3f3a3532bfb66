/* SPDX-License-Identifier: BSD-3-Clause */
/* Declarations for the files of this room alone. */
#ifndef DRUA_DEVICE_INTERNAL_H
#define DRUA_DEVICE_INTERNAL_H

#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "clock.h"
#include "handles.h"

#include <ctype.h>
#include <pthread.h>
#include <stdatomic.h>

enum {
    DRUA_RING_BYTES = 65536,
    DRUA_RING_ENTRIES = 128,
    DRUA_FAMILIES = 64,
    DRUA_SEEN_LAUNCHES = 8,
    DRUA_KERNEL_SLOTS = 4096,
    DRUA_MAX_USED_KERNELS = 64,
    DRUA_MIN_BUDGET = 1 << 20
};

/* Device memory that a buffer holds or the pool keeps. */
struct drua_block {
    struct drua_block *next;    /* in the pool's list of its size class */
    cl_mem memory;
    uint64_t bytes;
    uint64_t last_use;          /* number of the last command in the compute queue that uses it */
    cl_event upload;            /* event that the compute queue must wait for before it uses the block; NULL: none */
};

struct drua_buffer {
    drua_device *device;
    drua_buffer *older, *newer; /* buffers on the device, ordered by last use */
    drua_block *block;          /* NULL: not on the device */
    cl_mem memory;              /* memory of the block */
    void *host;                 /* content of a buffer that is not on the device; NULL: undefined */
    uint64_t bytes;
    int references, pins;
};

/* Execution time of a kernel for certain numbers; see rate.c. */
typedef struct drua_rate {
    uint64_t key;
    double per_item;            /* nanoseconds; 0: not known */
} drua_rate;

/* A point in the compute queue; see wait.c. */
typedef struct drua_fence {
    cl_event event;
    uint64_t sequence;
    drua_rate *rate;            /* receives the time of `items` if it still belongs to `key`; NULL: none */
    uint64_t key, items;
    uint64_t sent_at; /* 0: the launch also waited for something other than the preceding work */
} drua_fence;

enum { DRUA_MAX_FENCES = 32, DRUA_RATES = 256, DRUA_MAX_IN_FLIGHT = 32,
       DRUA_FEW_BYTES = 64 << 10,
       DRUA_HEAVY_ITEMS = 1 << 22,      /* launches of at least this size are watched */
       DRUA_MIN_CHUNK = 1 << 16 };

typedef struct drua_copy_threads drua_copy_threads;

/* A command between the ring and the device that was sent and is not known to be complete. */
typedef struct drua_transfer_command {
    cl_event event;
    uint64_t end;               /* place in the ring after its bytes */
} drua_transfer_command;

/* One direction of transfers: a queue, a ring of pinned memory, and copying threads; see transfer_queue.c. */
typedef struct drua_transfer_queue {
    drua_device *device;
    cl_command_queue queue;
    bool pull;
    atomic_bool follows_work; /* the caller first waited for work, which accounts for most of the progress */
    pthread_mutex_t lock;       /* protects `busy`: one transfer at a time, without waiting for the context's lock */
    pthread_cond_t free;
    bool busy;
    cl_mem pinned;
    char *host;                 /* mapped; NULL: not allocated yet, or not needed by the device */
    size_t ring_bytes;
    uint64_t head, tail;        /* ever-growing places in the ring; those from tail up to head are in use */
    drua_transfer_command in_flight[DRUA_MAX_IN_FLIGHT];
    unsigned first_in_flight, in_flight_count;
    drua_copy_threads *copiers, *prefault_threads; /* `prefault_threads` copy to memory that was never touched */
} drua_transfer_queue;

/* Variants of a kernel's program: bit 0 for 64-bit indices, bit 1 for code that is not optimized; see optimize.c. */
enum { DRUA_WIDE = 1, DRUA_UNOPTIMIZED = 2, DRUA_PROGRAM_VARIANTS = 4 };

/* A program, before and after it is built; protected by the device's build lock. */
typedef struct drua_build {
    cl_program program;
    bool running;
} drua_build;

/* A kernel that an earlier process used. */
typedef struct drua_used_kernel {
    uint16_t index; /* in the device's kernels */
    uint8_t variant;
} drua_used_kernel;

/* A kernel of a built program, with the bytes of its arguments as last set. */
typedef struct drua_kernel {
    const char *name;           /* points into the source text, `length` characters */
    size_t length;
    bool was_used; /* is in the list of used kernels; see used.c */
    bool indivisible;           /* counts work-groups or work-items, so it cannot be sent in chunks */
    /* text of a kernel generated while the engine runs; NULL: the kernel is in a source text */
    const char *text;
    size_t max_items[DRUA_PROGRAM_VARIANTS]; /* per work-group */
    int family;
    const char *together;       /* the text whose kernels are compiled together with this one, or NULL */
    /* index of the first of these kernels, which owns the program; otherwise this kernel's own */
    size_t first;
    drua_build build[DRUA_PROGRAM_VARIANTS];      /* programs of the kernels whose first this is */
    cl_kernel handle[DRUA_PROGRAM_VARIANTS];
    uint64_t work; /* work of the unoptimized variant so far, in typical work-items */
    struct drua_jit_kernel *optimizing[2]; /* builds of the optimized program in the background, by index width */
    int last_variant;           /* variant to which the arguments in `last` belong */
    uint64_t generation;        /* generation of the device when the arguments were set */
    uint64_t seen[DRUA_SEEN_LAUNCHES];       /* kinds of launches on a CPU so far, each of which the driver compiles */
    unsigned next_seen;
    struct { size_t size; unsigned char bytes[64]; } last[40];
} drua_kernel;

typedef struct drua_family {
    const char *name;
    const char **texts;
    size_t text_count;
    drua_build build[DRUA_PROGRAM_VARIANTS];      /* programs of all its kernels, for drivers that compile at launch */
} drua_family;

/* Small tables travel through one constant buffer, which is written in order and restarts when it is full. */
typedef struct drua_ring {
    cl_mem memory;
    unsigned char *shadow;      /* content that the device has or will get; unchanged until the ring restarts */
    size_t used;
    size_t entries;
    struct { size_t at, length; } entry[DRUA_RING_ENTRIES];
} drua_ring;

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
     * the driver, PoCL on CPUs, compiles at launch: then a family of kernels is one program, otherwise each kernel is
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
    atomic_bool stop_builder, builder_left;
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

drua_status drua_device_index_sources(drua_device *device);
drua_kernel *drua_kernel_find(drua_device *device, const char *name);

/* Builds the kernel's program and creates its handle, unless they exist. */
drua_status drua_kernel_prepare(drua_device *device, drua_kernel *kernel, int variant);
void drua_device_free_programs(drua_device *device);

/**
 * The separate context in which a thread compiles in the background. The first use opens this context, because some
 * drivers block commands to a context while they compile for it. NULL for threads that a caller waits for.
 */
typedef struct drua_program_builder {
    cl_context context;
    /* leaves programs that are on disk to the caller that will need them, which loads them quickly */
    bool builds_ahead;
    /* loads a program from disk, and compiles none */
    bool only_loads;
} drua_program_builder;

/*
 * After DRUA_OK the process does not end before drua_compiler_exit; pairs may be nested. DRUA_E_CANCELLED: the process
 * is ending and nothing more is compiled.
 */
drua_status drua_compiler_enter(void);
void drua_compiler_exit(void);
bool drua_is_leaving(void);

/* Keeps the process from ending before this launch has completed. NULL forgets the launches of this device. */
void drua_launch_compiles(const drua_device *device, cl_event event);

/* Suspends a thread of ours that would otherwise end while the process is ending. */
_Noreturn void drua_stay_until_end(void);

void drua_program_builder_close(drua_device *device, drua_program_builder *builder);

/*
 * drua_program_wanted notes that a program is wanted, drua_program_done that it is built or no longer wanted. Any
 * thread.
 */
void drua_program_wanted(drua_device *device);
void drua_program_done(drua_device *device);

/*
 * Whether no program has been wanted for this long: code that compiles one operation's programs soon compiles the next
 * one's. Any thread.
 */
bool drua_compiler_is_idle(drua_device *device, uint64_t nanoseconds);

/*
 * Returns the built program of a kernel. The first caller builds it and others wait. NULL if it is built ahead and is
 * already on disk. Any thread.
 */
drua_status drua_kernel_build(drua_device *device, drua_program_builder *builder, drua_kernel *kernel, int variant,
                              cl_program *program);

/* Whether a C identifier may contain this character after its first one. */
static inline bool drua_is_in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Removes functions that the kernels do not call from a program's text (prune.c). */
void drua_prune(char *text);

/* Identifies a program on disk: a hash of everything that its binary depends on. */
typedef struct drua_cache_key {
    uint64_t half[2];
} drua_cache_key;

void drua_cache_open(drua_device *device);
drua_cache_key drua_cache_key_of(const drua_device *device, const char *options, const char *const *texts,
                                 size_t count);

/* Whether the disk has a complete file for it. */
bool drua_cache_holds(const drua_device *device, const drua_cache_key *key);

/* Loads a program for kernels. NULL if the disk has no valid program. */
cl_program drua_cache_load(drua_device *device, const drua_cache_key *key, const char *options);
void drua_cache_store(drua_device *device, const drua_cache_key *key, cl_program program);

/* Copies a program from another context of the device into the device's own, and stores it on disk. NULL on failure. */
cl_program drua_cache_bring(drua_device *device, const drua_cache_key *key, cl_program program, const char *options);

/* ---- wait.c */

bool drua_is_cancelled(drua_device *device);
drua_status drua_fail_lost(const drua_device *device);

/* Marks the device as lost: after accepted work failed, the content of images is unknown. Any thread. */
void drua_lose(drua_device *device, cl_int code);

/* Sets the error message for an OpenCL error and finds out whether the device is lost. */
drua_status drua_device_fail(drua_device *device, cl_int code, const char *what);

void drua_set_progress(drua_device *device, uint64_t done, uint64_t all);
void drua_pause(const drua_device *device, uint64_t since);
cl_int drua_poll(drua_device *device, cl_event event);

/* Makes the driver start the commands in the queue. */
cl_int drua_flush(drua_device *device, cl_command_queue queue);
drua_status drua_wait(drua_device *device, cl_event event);
/* Waits until the queue has room for a launch at this rate; NULL: for another command. */
drua_status drua_make_room(drua_device *device, const drua_rate *rate);
void drua_fence_add(drua_device *device, cl_event event, drua_rate *rate, uint64_t items, bool timed);

/* Number of launches between two fences. */
int drua_launches_a_fence(const drua_device *device);
void drua_fences_forget(drua_device *device);

/*
 * An event for the completion of all commands up to that number, with a reference for the caller; NULL if they are
 * complete.
 */
drua_status drua_fence_for(drua_device *device, uint64_t sequence, cl_event *event);

/*
 * Call this after waiting for a command that ended with `status`. It fails if an earlier command failed, because
 * drivers continue after a failure.
 */
drua_status drua_check_earlier_commands(drua_device *device, drua_status status);

/* Records that all sent commands are complete. */
void drua_all_done(drua_device *device);

/* Waits for all sent commands and reports progress. Releases the lock meanwhile unless it is NULL. */
drua_status drua_wait_reporting(drua_device *device, pthread_mutex_t *lock);

/* The fences before a command that a caller waits for, with a reference to each event. */
typedef struct drua_steps {
    cl_event events[DRUA_MAX_FENCES];
    int count;
} drua_steps;

void drua_steps_take(drua_device *device, uint64_t sequence, drua_steps *steps);

/* Waits for one fence after the other, so that drua_device_progress rises to 0.9, and releases all. Needs no lock. */
drua_status drua_steps_wait(drua_device *device, drua_steps *steps);

/* ---- rate.c */

/* Chunk size in work-items that tests set with DRUA_CHUNK; 0: not set. */
uint64_t drua_chunk_forced(void);
drua_rate *drua_rate_find(drua_device *device, const drua_kernel *kernel, const drua_arg *arguments);
void drua_rate_learn(drua_rate *rate, uint64_t items, double nanoseconds);

/* Cost of a work-item in typical work-items, at least 1. */
uint64_t drua_grid_effort(const drua_device *device, const drua_grid *grid);

/* Whether a launch of that many items surely ends soon. On a GPU chunks cost little, so all launches are divided. */
bool drua_rate_is_short(const drua_device *device, const drua_rate *rate, uint64_t items, uint64_t effort);

/* Items of the next chunk; `before`: those of the last one, 0 for the first. */
uint64_t drua_rate_chunk(const drua_device *device, const drua_rate *rate, uint64_t before, uint64_t effort);

/* ---- transfer_queue.c */

cl_int drua_transfer_queue_open(drua_transfer_queue *transfers, drua_device *device, bool pull);
void drua_transfer_queue_close(drua_transfer_queue *transfers);

/** `total` dense bytes that move, after all events of `after`, between the planes and a buffer. */
typedef struct drua_transfer {
    const drua_planes *planes;
    size_t first; /**< the first of these bytes in the planes */
    cl_mem memory;
    size_t offset; /**< and in the buffer */
    size_t total;
    const cl_event *after;
    cl_uint after_count;
} drua_transfer;

/**
 * Moves the bytes. A push returns when the planes may change; its event, which is set even on failure if anything was
 * sent, signals that the device has the data. A pull returns when the planes are filled.
 */
drua_status drua_transfer_queue_move(drua_transfer_queue *transfers, const drua_transfer *transfer, cl_event *landed);

/*
 * Pulls a few bytes (at most DRUA_FEW_BYTES, on a GPU) of a buffer that the last command writes. The read goes directly
 * into the compute queue, without events.
 */
drua_status drua_transfer_queue_read_next(drua_transfer_queue *transfers, cl_mem memory, size_t offset, void *host,
                                          size_t bytes);

/*
 * Waits for all commands in flight. With a lock, which is released meanwhile, it waits for the whole transfer of
 * another thread, whose pixels may take long.
 */
drua_status drua_transfer_queue_drain(drua_transfer_queue *transfers, pthread_mutex_t *lock);
drua_status drua_fail_source(void);

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
/** Whether kernels of this text need their whole grid in one launch. */
bool drua_kernels_are_indivisible(const char *text);

/* ---- optimize.c */

/* Determines how much work a kernel of this device must have before it is optimized. */
void drua_device_choose_optimizing(drua_device *device);

/* Whether a selector of drua_open matches this device. */
bool drua_device_fits(const drua_device_info *info, size_t index, const char *selector);

/* The variant for a launch with that index width and grid. */
int drua_kernel_choose_variant(drua_device *device, drua_kernel *kernel, int width, const drua_grid *grid,
                               const drua_arg *arguments);

/* ---- used.c */

/*
 * Reads the list of the kernels that earlier processes used, in each line a name and, unless it is 0, the variant. The
 * caller frees it.
 */
char *drua_used_read(const drua_device *device, size_t *length);

/* Adds a kernel to that list unless it is already in it. */
void drua_used_add(drua_device *device, drua_kernel *kernel, int variant);

/* ---- jit.c */

/* The parts of a generated kernel that a launch needs. */
typedef struct drua_jit_part {
    drua_device *device;
    drua_kernel *kernel;
    int width;
} drua_jit_part;

drua_jit_part drua_jit_part_of(struct drua_jit_kernel *jit);

/* Starts to build the program of a kernel in the background. NULL without memory or threads. */
struct drua_jit_kernel *drua_jit_start_optimizing(drua_device *device, drua_kernel *kernel, int variant);

/* ---- groups.c */

/* Queries the driver for the limits of a kernel with a handle, and of the device. */
void drua_kernel_ask_limit(const drua_device *device, drua_kernel *kernel, int variant);
void drua_device_ask_axes(drua_device *device);

/* Shrinks a work-group to the allowed size; fails if the kernel's result depends on the group. */
drua_status drua_kernel_fit_group(const drua_device *device, const drua_kernel *kernel, int variant, int32_t group[3]);

/** The text of a program. */
typedef struct drua_program_text {
    const char *what; /**< names it in error messages; NULL: a user wrote the text, and nothing common precedes it */
    const char *const *texts;
    size_t count;
    int variant;
    int lanes; /**< 0: nothing common precedes the texts */
} drua_program_text;

/**
 * Compiles the common text followed by the program's. Any thread. If a user's text is wrong (DRUA_E_ARGUMENT), the
 * error is the compiler's. `kept`: receives whether the disk had the program.
 */
drua_status drua_device_compile(drua_device *device, drua_program_builder *builder, const drua_program_text *text,
                                cl_program *program, bool *kept);

/* Copies a table of numbers to the device. `at`: receives its first byte in the ring of tables. */
drua_status drua_ring_write(drua_device *device, const void *bytes, size_t length, size_t *at);
/* Moves plain memory to or from a block, in order with the kernels that use it. */
drua_status drua_block_move(drua_device *device, bool pull, drua_block *block, void *host, size_t bytes);

/* ---- blocks: pool.c */

/* Returns all memory of the pool to the driver. */
void drua_pool_trim(drua_device *device);

/* Takes a block from the pool. NULL if it has none that fits. */
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

/* ---- buffers: buffer.c */

/* Gives the buffer device memory, and moves its content there if it has any. */
drua_status drua_buffer_use(drua_buffer *buffer);

/* Copies an image of any layout from a buffer that is on the host. */
void drua_buffer_read_host(drua_view view, void *const *planes);

/* Moves buffers to the host until the budget is met. */
drua_status drua_buffers_fit(drua_device *device);

#endif
