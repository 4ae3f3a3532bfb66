/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of this room share and no other room sees. */
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
    DRUA_LEAST_BUDGET = 1 << 20
};

/* Device memory that a buffer holds, or that the pool keeps. */
struct drua_block {
    struct drua_block *next;    /* in the pool's list of its size class */
    cl_mem memory;
    uint64_t bytes;
    uint64_t last_use;          /* number of the last command of the compute queue that touches it */
    cl_event upload;            /* what the compute queue must wait for before it touches the block; NULL: nothing */
};

struct drua_buffer {
    drua_device *device;
    drua_buffer *older, *newer; /* buffers on the device, by their last use */
    drua_block *block;          /* NULL: not on the device */
    cl_mem memory;              /* the block's */
    void *host;                 /* the content of a buffer that is not on the device; NULL: undefined */
    uint64_t bytes;
    int references, pins;
};

/* Time of a kernel with some numbers; see rate.c. */
typedef struct drua_rate {
    uint64_t key;
    double per_item;            /* nanoseconds; 0: not known */
} drua_rate;

/* A point in the compute queue; see wait.c. */
typedef struct drua_fence {
    cl_event event;
    uint64_t sequence;
    drua_rate *rate;            /* learns how long `items` took, if it is still that of `key`; NULL: nothing to learn */
    uint64_t key, items;
    uint64_t sent_at;           /* 0: it waited for more than the work before it */
} drua_fence;

enum { DRUA_MOST_FENCES = 32, DRUA_RATES = 256, DRUA_MOST_IN_FLIGHT = 32,
       DRUA_FEW_BYTES = 64 << 10,
       DRUA_HEAVY_ITEMS = 1 << 22,      /* launches from here on are watched */
       DRUA_LEAST_CHUNK = 1 << 16 };

typedef struct drua_copy_threads drua_copy_threads;

/* A command in flight between the ring and the device: sent and not yet seen to be complete. */
typedef struct drua_transfer_command {
    cl_event event;
    uint64_t end;               /* place in the ring behind its bytes */
} drua_transfer_command;

/* One direction of transfers: a queue, a ring of pinned memory, threads that copy; see transfer_queue.c. */
typedef struct drua_transfer_queue {
    drua_device *device;
    cl_command_queue queue;
    bool pull;
    pthread_mutex_t lock;       /* of `busy`: one transfer at a time, which does not wait for the context's lock */
    pthread_cond_t free;
    bool busy;
    cl_mem pinned;
    char *host;                 /* mapped; NULL: none yet, or a device that needs none */
    size_t ring_bytes;
    uint64_t head, tail;        /* places in the ring, counted on and on: those from tail to before head are in use */
    drua_transfer_command in_flight[DRUA_MOST_IN_FLIGHT];
    unsigned first_in_flight, in_flight_count;
    drua_copy_threads *copiers, *prefault_threads;    /* the latter for memory that nobody has touched */
} drua_transfer_queue;

/* Variants of a kernel's program: bit 0 says that its indices have 64 bits, bit 1 that its compiler does not optimize;
 * see optimize.c. */
enum { DRUA_WIDE = 1, DRUA_UNOPTIMIZED = 2, DRUA_PROGRAM_VARIANTS = 4 };

/* A program while it is made and after; guarded by the device's build lock. */
typedef struct drua_build {
    cl_program program;
    bool running;
} drua_build;

/* A kernel of a built program, with the bytes of its arguments as they were last set. */
typedef struct drua_kernel {
    const char *name;           /* points into the source text, `length` characters */
    size_t length;
    bool indivisible;           /* counts groups or items, so it cannot be sent in chunks */
    const char *text;           /* of a kernel that was jit while the engine runs; NULL: the name is part of it */
    size_t most_items[DRUA_PROGRAM_VARIANTS];   /* of a group */
    int family;
    const char *together;       /* the text whose kernels are compiled with this one, or NULL */
    size_t first;               /* number of the first of them, else this one's: that has the program */
    drua_build build[DRUA_PROGRAM_VARIANTS];      /* of the kernels whose first this is */
    cl_kernel handle[DRUA_PROGRAM_VARIANTS];
    uint64_t work;              /* usual items that the unoptimized variant was sent */
    int last_variant;           /* whose arguments `last` are */
    uint64_t generation;        /* of the device when the arguments were set */
    uint64_t seen[DRUA_SEEN_LAUNCHES];       /* ways in which it was sent to a processor, which compiles each of them */
    unsigned next_seen;
    struct { size_t size; unsigned char bytes[64]; } last[40];
} drua_kernel;

typedef struct drua_family {
    const char *name;
    const char **texts;
    size_t text_count;
    drua_build build[DRUA_PROGRAM_VARIANTS];      /* of all its kernels, where drivers compile at launch */
} drua_family;

/* Small tables travel through one constant buffer that is written in order and starts again when it is full. */
typedef struct drua_ring {
    cl_mem memory;
    unsigned char *shadow;      /* what the device is or will be told; unchanged until the ring starts again */
    size_t used;
    size_t entries;
    struct { size_t at, length; } entry[DRUA_RING_ENTRIES];
} drua_ring;

struct drua_device {
    const drua_opencl *cl;
    cl_device_id id;
    cl_uint vendor; /* as drua_handles has it */
    cl_context context;
    cl_command_queue queue;
    drua_transfer_queue transfer_queues[2];         /* up, down */
    uint64_t sent, completed;   /* commands of the compute queue */
    drua_fence fences[DRUA_MOST_FENCES];
    int first_fence, fence_count;
    uint64_t last_retired, last_look;
    double launch_time;         /* nanoseconds of a launch lately */
    drua_rate rates[DRUA_RATES];
    atomic_ullong tickets, cancelled;
    atomic_int progress;        /* thousandths of the transfer or wait that goes on, -1: none */
    atomic_int launched;        /* thousandths of a kernel that is sent in chunks, -1: none is */
    atomic_int work;            /* the same of a long call */
    atomic_int loss;            /* the code that said that the device is gone */
    drua_device_info info;
    char note[512];
    char warning[640]; /* which better device does not serve, and why */
    char options[256];
    char platform_version[256];
    char cache_folder[1024];    /* empty: programs are not kept */
    int lanes;
    bool compiles_at_launch; /* its driver, PoCL on processors: a family of kernels is one program then, else each
                                kernel is */
    uint64_t
        unoptimized_work; /* usual items that a kernel may have before it is worth being optimized; 0: it is at once */
    bool optimizes_at_once;     /* while work is timed */
    size_t most_along[3];       /* items of a group along an axis */
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
    uint16_t kernel_slot[DRUA_KERNEL_SLOTS];    /* number of a kernel by the hash of its name, + 1 */
    pthread_mutex_t build_lock;
    pthread_cond_t built;       /* a build ended */
    atomic_int wanted;          /* programs that somebody waits for or will soon use, and that are not there yet */
    atomic_ullong last_wanted;  /* when there was one last */
    pthread_t builder;          /* builds ahead */
    double ahead_after;         /* nanoseconds without a call; 0: not at all */
    bool has_builder;
    atomic_bool stop_builder, builder_left;
    atomic_ullong programs_built, programs_loaded;
    drua_statistics statistics;
    int unflushed;
    struct drua_compile_threads *compile_threads;   /* the threads that compile made kernels; NULL until there is one */
};

/* Sets the device's address, once its extensions are known; `platform` and `number` count as the driver does. */
void drua_device_find_address(const drua_opencl *cl, cl_device_id id, unsigned platform, unsigned number,
                              drua_device_info *info);

drua_status drua_device_index_sources(drua_device *device);
drua_kernel *drua_kernel_find(drua_device *device, const char *name);

/* Builds the kernel's program and makes its handle, if they are not there. */
drua_status drua_kernel_prepare(drua_device *device, drua_kernel *kernel, int variant);
void drua_device_free_programs(drua_device *device);

/**
 * Where a thread compiles in the background: a context of its own, opened when it is first needed, as some drivers let
 * nobody send work to a context while they compile for it. Those who are waited for have none (a NULL pointer).
 */
typedef struct drua_program_builder {
    cl_context context;
    bool builds_ahead;          /* what is on disk is left to who needs it, in a moment */
} drua_program_builder;

/* From DRUA_OK on the process does not end before drua_compiler_exit; pairs may be nested. DRUA_E_CANCELLED: it ends,
 * nothing is compiled any more. */
drua_status drua_compiler_enter(void);
void drua_compiler_exit(void);
bool drua_is_leaving(void);

/* The process does not end before that launch; NULL: before none of this device's. */
void drua_launch_compiles(const drua_device *device, cl_event event);

/* What a thread of ours does in place of its end while the process ends. */
_Noreturn void drua_stay_until_end(void);

void drua_program_builder_close(drua_device *device, drua_program_builder *builder);

/* A program is wanted, and is there or wanted no more. Any thread. */
void drua_program_wanted(drua_device *device);
void drua_program_there(drua_device *device);

/* Whether no program was wanted for so long: who compiles one operation's programs soon compiles the next one's. Any
 * thread. */
bool drua_compiler_is_idle(drua_device *device, uint64_t nanoseconds);

/* The built program that a kernel is in, by whoever comes first; others wait for it. NULL ahead of use where the disk
 * has it. Any thread. */
drua_status drua_kernel_build(drua_device *device, drua_program_builder *builder, drua_kernel *kernel, int variant,
                              cl_program *program);

/* Whether a name of C may have it behind its first character. */
static inline bool drua_is_in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Leaves out of a program's text the functions that its kernels do not call (prune.c). */
void drua_prune(char *text);

/* Names a program on disk: a hash of all that its binary depends on. */
typedef struct drua_cache_key {
    uint64_t half[2];
} drua_cache_key;

void drua_cache_open(drua_device *device);
drua_cache_key drua_cache_key_of(const drua_device *device, const char *options, const char *const *texts,
                                 size_t count);

/* Whether the disk has it, whole. */
bool drua_cache_holds(const drua_device *device, const drua_cache_key *key);

/* A program ready for kernels, or NULL. */
cl_program drua_cache_load(drua_device *device, const drua_cache_key *key, const char *options);
void drua_cache_store(drua_device *device, const drua_cache_key *key, cl_program program);

/* The same program, which another context of the device has, in the device's own, and stored; NULL if that fails. */
cl_program drua_cache_bring(drua_device *device, const drua_cache_key *key, cl_program program, const char *options);

/* ---- wait.c */

/* The lock that this thread may give up while it moves these planes, or NULL. */
pthread_mutex_t *drua_lent_lock(const void *planes);
bool drua_is_cancelled(drua_device *device);
drua_status drua_fail_cancelled(void);
drua_status drua_fail_lost(const drua_device *device);

/* Of work that was accepted and failed nobody knows what it left in which image. Any thread. */
void drua_lose(drua_device *device, cl_int code);

/* The sentence for an OpenCL error; finds out whether the device is lost. */
drua_status drua_device_fail(drua_device *device, cl_int code, const char *what);

void drua_set_progress(drua_device *device, uint64_t done, uint64_t all);
void drua_pause(const drua_device *device, uint64_t since);
cl_int drua_poll(drua_device *device, cl_event event);

/* Has the driver begin with what is in the queue. */
cl_int drua_flush(drua_device *device, cl_command_queue queue);
drua_status drua_wait(drua_device *device, cl_event event);
drua_status drua_make_room(drua_device *device);
void drua_fence_add(drua_device *device, cl_event event, drua_rate *rate, uint64_t items, bool timed);

/* Launches after which a fence is due. */
int drua_launches_a_fence(const drua_device *device);
void drua_fences_forget(drua_device *device);

/* An event that comes when all commands up to that number are done, with a reference for the caller; NULL if they are.
 */
drua_status drua_fence_for(drua_device *device, uint64_t sequence, cl_event *event);

/* After a wait for a command that ended with `status`: fails if one of those before it failed, as drivers go on behind
 * it. */
drua_status drua_look_back(drua_device *device, drua_status status);

/* All commands that were sent are known to be done. */
void drua_all_done(drua_device *device);
drua_status drua_wait_for(drua_device *device, uint64_t sequence);

/* ---- rate.c */

/* Items of a chunk that tests ask for with DRUA_CHUNK; 0: none. */
uint64_t drua_chunk_forced(void);
drua_rate *drua_rate_find(drua_device *device, const drua_kernel *kernel, const drua_arg *arguments);
void drua_rate_learn(drua_rate *rate, uint64_t items, double nanoseconds);
uint64_t drua_rate_chunk(const drua_rate *rate, uint64_t before, uint64_t effort);

/* ---- transfer_queue.c */

cl_int drua_transfer_queue_open(drua_transfer_queue *transfers, drua_device *device, bool pull);
void drua_transfer_queue_close(drua_transfer_queue *transfers);

/**
 * Moves dense bytes between planes and a buffer from `offset` on, after the events. A push returns when the planes may
 * change, with an event (also on failure, if anything was sent) for when the device has them; a pull when they are
 * filled.
 */
drua_status drua_transfer_queue_move(drua_transfer_queue *transfers, cl_mem memory, size_t offset,
                                     const drua_planes *planes, size_t first, size_t total, const cl_event *after,
                                     cl_uint after_count, cl_event *landed);

/* Pulls some bytes (at most DRUA_FEW_BYTES, of a GPU) of a buffer that the last command writes: next in the compute
 * queue, no events between. */
drua_status drua_transfer_queue_read_next(drua_transfer_queue *transfers, cl_mem memory, size_t offset, void *host,
                                          size_t bytes);

/* Waits for all commands in flight; with a lock, which is given up meanwhile, for all of another thread's transfer,
 * whose pixels may take long. */
drua_status drua_transfer_queue_drain(drua_transfer_queue *transfers, pthread_mutex_t *lock);
drua_status drua_fail_source(void);

/* ---- transfer.c */

/* The memory that one launch touches, and the uploads that it must wait for. */
enum { DRUA_MOST_USED = 40 };

typedef struct drua_use {
    drua_block *blocks[DRUA_MOST_USED];
    cl_event waits[DRUA_MOST_USED];     /* borrowed from the blocks */
    int count;
    cl_uint wait_count;
} drua_use;

void drua_use_add(drua_use *use, drua_block *block);

/* A command with these waits is in the compute queue: what comes later needs them no more. */
void drua_use_waited(drua_device *device, drua_use *use);

/* All commands are sent. */
void drua_use_end(drua_device *device, drua_use *use);
/** Whether kernels of this text need their whole grid in one launch. */
bool drua_kernels_are_indivisible(const char *text);

/* ---- optimize.c */

/* Finds out how much work a kernel of this device has to have before it is optimized. */
void drua_device_choose_optimizing(drua_device *device);

/* Whether a selector of drua_open means this device. */
bool drua_device_fits(const drua_device_info *info, size_t index, const char *selector);

/* The variant that serves a launch of that index width and grid. */
int drua_kernel_choose_variant(const drua_device *device, drua_kernel *kernel, int width, const drua_grid *grid,
                               const drua_arg *arguments);

/* ---- groups.c */

/* Asks the driver for the limits of a kernel with a handle, and of the device. */
void drua_kernel_ask_limit(const drua_device *device, drua_kernel *kernel, int variant);
void drua_device_ask_axes(drua_device *device);

/* Makes a group as small as it must be; fails where the kernel computes with its groups. */
drua_status drua_kernel_fit_group(const drua_device *device, const drua_kernel *kernel, int variant, int32_t group[3]);

/**
 * Compiles the common text followed by `texts`; `what` names it in the sentence of a failure; lanes 0: the texts alone.
 * Any thread. `what` NULL: a user wrote the text, so nothing common comes before it, and where it is wrong
 * (DRUA_E_ARGUMENT) the compiler speaks. `kept`: whether the disk had it.
 */
drua_status drua_device_compile(drua_device *device, drua_program_builder *builder, const char *what,
                                const char *const *texts, size_t count, int variant, int lanes, cl_program *program,
                                bool *kept);

/** Sets a kernel's arguments and sends it. */
drua_status drua_kernel_launch(drua_device *device, drua_kernel *kernel, int variant, drua_grid grid,
                               const drua_arg *arguments);

drua_status drua_ring_write(drua_device *device, const void *bytes, size_t length, size_t *at);
/* Moves plain memory to or from a block, in order with the kernels that touch it. */
drua_status drua_block_move(drua_device *device, bool pull, drua_block *block, void *host, size_t bytes);

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
