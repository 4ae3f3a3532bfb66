/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One OpenCL device: memory, transfers, programs, launches. The only room that sees OpenCL.
 * Everything here is called under the context's lock; nothing waits unless its comment says so.
 */
#ifndef DRUA_DEVICE_H
#define DRUA_DEVICE_H

#include <drua/drua.h>

#include <pthread.h>
#include <stdbool.h>

struct drua_text;
typedef struct drua_device drua_device;

/** Memory of images and of work, counted by references; on the device while it is used, else there or on the host. */
typedef struct drua_buffer drua_buffer;

/**
 * How an image lies in its buffer, in elements; the same bytes as `layout` in kernels/common/prelude.cl.
 * Element (x, y, z) is at offset + x * stride[0] + y * stride[1] + z * stride[2]; a stride is below 0 in a flipped
 * view. An axis has a name where it is a certain one, a number where it may be any.
 */
typedef struct drua_layout {
    union {
        struct {
            int32_t width, height, depth;
        };
        int32_t extent[3];
    };
    int32_t type;
    int64_t offset;
    union {
        struct {
            int64_t column, row, plane;
        };
        int64_t stride[3];
    };
} drua_layout;

/** A part of a buffer seen as an image. Borrowed: whoever made it holds the buffer. */
typedef struct drua_view {
    drua_buffer *buffer;
    drua_layout layout;
} drua_view;

size_t drua_type_size(drua_type type);
const char *drua_type_name(drua_type type);
drua_layout drua_layout_dense(drua_shape shape, drua_type type);

/** Rows that begin with whole vectors of any type and width of vector, for widths that do not do so by themselves. */
drua_layout drua_layout_in_rows(drua_shape shape, drua_type type);

/** Bytes from the first pixel of a layout to the end of its last row, what lies between rows included. */
uint64_t drua_layout_bytes(const drua_layout *layout);

/** Elements from the first pixel to the last one, what lies between rows included. */
int64_t drua_layout_length(const drua_layout *layout);
int64_t drua_layout_count(const drua_layout *layout);
bool drua_layout_is_dense(const drua_layout *layout);

/** Whether rows begin with whole vectors of so many elements and have room for the last one, which may end beyond the
 * row. */
bool drua_layout_is_in_vectors(const drua_layout *layout, int32_t lanes);

/** The same of vectors of four pixels, and of sixteen pixels of one byte. */
bool drua_layout_is_vec4(const drua_layout *layout);
bool drua_layout_is_in_bytes(const drua_layout *layout);
bool drua_layout_is_same_size(const drua_layout *a, const drua_layout *b);

/** Whether width, height and depth are the same, whatever the dimension. */
bool drua_shape_is_same_size(drua_shape a, drua_shape b);

/** Whether 64-bit numbers can count the bytes of an image of that extent with room to spare. */
bool drua_shape_is_countable(drua_shape shape);

/* ---- devices */

/** The file of the OpenCL library that serves; false without one, or where the system does not tell. */
bool drua_device_opencl_file(char *path, size_t size);

drua_status drua_device_open(const char *selector, drua_device **device);

/** How many bytes a second such a device was seen to read and write when copying; 0 if it was never timed. From any
 * thread, without a context. */
double drua_device_speed(const drua_device_info *info);

/** Keeps that for this process and, where there is a cache folder, for later ones: of several GPUs the fastest comes
 * first from now on. */
void drua_device_keep_speed(const drua_device_info *info, double bytes_per_second);
void drua_device_close(drua_device *device);

/** Whether two devices have one name and driver, so that what they compute has the same bits. */
bool drua_device_is_one_kind(const drua_device_info *a, const drua_device_info *b);

enum { DRUA_MOST_CHOSEN = 15 };

/** Devices of one text, each once. */
typedef struct drua_device_choice {
    size_t others[DRUA_MOST_CHOSEN], count; /**< as drua_device_describe counts them, without the caller's own */
    bool has_own;
    bool alike; /**< all are of the own one's kind */
} drua_device_choice;

/** What a text means: "all" is the own device and all of its kind; else selectors of drua_open with commas between.
 * DRUA_E_ARGUMENT where nothing fits one of them. */
drua_status drua_device_choose(const char *text, const drua_device_info *own, drua_device_choice *choice);
const drua_device_info *drua_device_get_info(const drua_device *device);
const char *drua_device_note(const drua_device *device);

/** As drua_context_warning. */
const char *drua_device_warning(const drua_device *device);

/** Elements of a float32 image that one work-item of a streaming kernel handles. */
int drua_device_lanes(const drua_device *device);

/** Puts text before the kernels of a family; `text` must live as long as the device. Before that family's first launch.
 */
drua_status drua_device_add_source(drua_device *device, const char *family, const char *text);

/** Begins to build the programs that are used most, in a thread of its own; after the last drua_device_add_source. */
void drua_device_build_ahead(drua_device *device);

/** Waits until that thread has ended; before texts that were added go. NULL is allowed. */
void drua_device_stop_building(drua_device *device);

/** As drua_prepare_exit. */
void drua_device_prepare_exit(void);

/** Counters; the caller may reset nothing. */
drua_statistics *drua_device_statistics(drua_device *device);

/** As drua_profile; adds to the text. Any thread, also beside launches. */
void drua_device_take_profile(struct drua_text *text);

/* ---- memory */

/** A buffer with at least `bytes` bytes of undefined content and one reference. Fails if they can never be on the
 * device at once. */
drua_status drua_buffer_make(drua_device *device, uint64_t bytes, drua_buffer **buffer);
void drua_buffer_retain(drua_buffer *buffer);

/** Returns the memory to the pool when nobody holds it; work that was sent before still sees it. NULL is allowed. */
void drua_buffer_release(drua_buffer *buffer);
bool drua_buffer_is_shared(const drua_buffer *buffer);
uint64_t drua_buffer_bytes(const drua_buffer *buffer);
uint64_t drua_buffer_block_bytes(const drua_buffer *buffer); /**< of device memory that it takes, with what the pool
                                                                adds; 0 while it is on the host */

/** Keeps a buffer on the device until it is unpinned. */
drua_status drua_buffer_pin(drua_buffer *buffer);
void drua_buffer_unpin(drua_buffer *buffer);

/** A buffer of zeros that starts on the host and may be larger than the device allows; such a buffer is only read
 * there. */
drua_status drua_buffer_make_on_host(drua_device *device, uint64_t bytes, drua_buffer **buffer);

/** Moves the buffer to the host; waits. Nothing happens if it is there or has no content yet. */
drua_status drua_buffer_spill(drua_buffer *buffer);

/** The same, and a buffer without content gets zeros there. */
drua_status drua_buffer_move_to_host(drua_buffer *buffer);

/** The content of a buffer that is on the host, else NULL. Borrowed until the buffer is used. */
void *drua_buffer_host(const drua_buffer *buffer);

/** Whether so many bytes in one buffer can be on the device. */
bool drua_device_holds(const drua_device *device, uint64_t bytes);

/** Sets how much device memory may be in use at once; see drua_set_memory. */
drua_status drua_device_set_budget(drua_device *device, const char *text);

/** Bytes in buffers that somebody holds, and bytes that the pool keeps for later. */
void drua_device_memory(const drua_device *device, uint64_t *used, uint64_t *pooled);

/** Bytes that one step can have: all else can move to the host. */
uint64_t drua_device_memory_left(const drua_device *device);

/** Bytes of that share of the budget, or of the largest block that the device gives. */
uint64_t drua_device_share(const drua_device *device, unsigned share);

/* ---- transfers */

/** Where the pixels of an image come from or go to: dense planes, copied in parts by several threads at once. */
typedef struct drua_planes {
    /** Makes planes up to `last` ready to be copied, on the caller's thread; those before `first` are done. 0 stops.
     * NULL: all are. */
    int (*prepare)(void *payload, size_t first, size_t last);
    /** Copies `bytes` bytes between `memory` and plane `z` from `inside` on; any thread. NULL: `payload` is an array of
     * pointers. */
    void (*copy)(void *payload, size_t z, size_t inside, void *memory, size_t bytes);
    void *payload;
    size_t bytes;       /**< of a plane; set by the device */
} drua_planes;

/** Copies one dense plane for each slice to the view (dense rows). Returns when the planes may change. */
drua_status drua_device_upload(drua_device *device, drua_view view, const void *const *planes);

/** Copies a dense view's planes to the host; waits for what the view is made by, and for nothing else. */
drua_status drua_device_download(drua_device *device, drua_view view, void *const *planes);

/** The same from and to planes that need not be pointers, such as arrays of Java. */
drua_status drua_device_upload_from(drua_device *device, drua_view view, drua_planes *planes);
drua_status drua_device_download_to(drua_device *device, drua_view view, drua_planes *planes);

/** Copies all planes, each of `bytes` bytes, to dense memory. */
drua_status drua_planes_gather(const drua_planes *planes, size_t count, size_t bytes, void *memory);

/** Copies `bytes` from the start of the view to the host; waits. */
drua_status drua_device_read(drua_device *device, drua_view view, void *host, size_t bytes);

/** Fills the first `bytes` bytes of the view with zeros. */
drua_status drua_device_clear(drua_device *device, drua_view view, uint64_t bytes);

/** Sends what is queued and waits for it; without the lock if it is lent for `device`: only then for all that others
 * have begun to transfer. */
drua_status drua_device_finish(drua_device *device);

/* ---- calls, and stopping them */

/** The number of a call that begins; any thread, without the lock. */
uint64_t drua_device_ticket(drua_device *device);

/** This thread runs that call from now on. */
void drua_device_enter(uint64_t ticket);

/** Stops the calls that have a ticket by now; any thread, without the lock. */
void drua_device_cancel(drua_device *device);

/** Fails if the device is lost or this thread's call was stopped. */
drua_status drua_device_check(drua_device *device);

/** The call begins to change an image in place, so it runs to its end. */
void drua_device_forbid_cancel(void);

/** While these planes are moved (or, for the device's own pointer, while drua_device_finish waits) the lock is given
 * up. */
void drua_device_lend_lock(pthread_mutex_t *lock, const void *planes);

/** Whether somebody wants this thread's call to stop, also after drua_device_forbid_cancel. */
bool drua_device_wants_stop(drua_device *device);

/** What part of a long call is sent; it counts before transfers. Below 0: nothing is said any more. */
void drua_device_report(drua_device *device, double part);

/** Part of the call, transfer or waiting that goes on, 0 to 1, or -1; any thread. */
double drua_device_progress(drua_device *device);

/** Whether kernels are compiled that a call asked for; any thread. */
bool drua_device_is_compiling(drua_device *device);

/** Waits for all that was sent; false, with the sentence of a lost device, if the device does not answer any more. For
 * libraries that keep to themselves why they failed. */
bool drua_device_answers(drua_device *device);

/** Whether the device was found not to answer any more. */
bool drua_device_is_lost(const drua_device *device);

/* ---- launches */

typedef enum drua_arg_kind {
    DRUA_LAUNCH_END = 0,
    DRUA_LAUNCH_VIEW,       /**< two kernel arguments: pointer, layout */
    DRUA_LAUNCH_POINTER,    /**< one kernel argument: the view's buffer */
    DRUA_LAUNCH_INT,
    DRUA_LAUNCH_LONG,
    DRUA_LAUNCH_FLOAT,
    DRUA_LAUNCH_TABLE,      /**< two kernel arguments: constant pointer, byte offset; at most DRUA_TABLE_BYTES */
    DRUA_LAUNCH_NUMBERS,    /**< one kernel argument by value: a struct of DRUA_NUMBERS floats */
    DRUA_LAUNCH_WEIGHTS,    /**< the same of DRUA_WEIGHTS */
    DRUA_LAUNCH_LOCAL       /**< local memory of that many bytes */
} drua_arg_kind;

enum { DRUA_TABLE_BYTES = 32768, DRUA_NUMBERS = 16, DRUA_WEIGHTS = 64 };

typedef struct drua_arg {
    drua_arg_kind kind;
    union {
        drua_view view;
        int32_t integer;
        int64_t wide;
        float real;
        struct { const void *bytes; size_t length; } table;
        const float *numbers;
        size_t local;
    } as;
} drua_arg;

/** Work-items along x, y, z and a work-group from a short fixed list; the items are rounded up to whole groups. */
typedef struct drua_grid {
    int64_t items[3];
    int32_t group[3];
    int64_t from[3];        /**< the first item */
    int64_t effort; /**< what an item costs in usual items, where that is many: long work is sent in chunks; 0: one */
    int64_t turns; /**< of the innermost loop, where arguments say how many: an item counts so often as work
                      (optimize.c); 0: few */
} drua_grid;

/** Sends one kernel; arguments end with DRUA_LAUNCH_END. Builds the kernel's program if it is not there yet. */
drua_status drua_device_launch(drua_device *device, const char *kernel, drua_grid grid, const drua_arg *arguments);

/** Whether kernels are optimized at once from here on, as work that is timed needs; usually a processor's are when it
 * pays. */
void drua_device_optimize(drua_device *device, bool at_once);

/** Whether indices of that width (0: 32 bits, 1: 64 bits) are needed to reach every pixel of these arguments. */
int drua_device_index_width(const drua_arg *arguments);

/* ---- kernels made of text while the engine runs */

/** A kernel that one of the device's threads compiles. */
typedef struct drua_jit_kernel drua_jit_kernel;

typedef enum drua_jit_state { DRUA_JIT_BUILDING, DRUA_JIT_READY, DRUA_JIT_REFUSED } drua_jit_state;

typedef enum drua_jit_when {
    DRUA_JIT_NOW,      /* before the function returns */
    DRUA_JIT_SOON,     /* in the background, before others: a caller will wait for it */
    DRUA_JIT_BESIDE,   /* in the background */
    DRUA_JIT_LATER     /* in the background, when nothing else is to be compiled or somebody waits for it */
} drua_jit_when;

/**
 * Starts to compile kernel `name` of `text`, before which the embedded texts of `family` come. Sizes of the group and
 * kinds of the arguments are those of `grid` and `arguments`. NULL without memory.
 */
drua_jit_kernel *drua_jit_start(drua_device *device, const char *family, const char *text, const char *name, int lanes,
                                drua_grid grid, const drua_arg *arguments, drua_jit_when when);

/**
 * The same of a text that a user wrote, compiled on return. Where it is wrong: DRUA_E_ARGUMENT, and the sentence is the
 * line of the compiler's log that tells the first error, or empty.
 */
drua_status drua_jit_user_kernel(drua_device *device, const char *family, const char *text, const char *name,
                                 drua_grid grid, const drua_arg *arguments, drua_jit_kernel **jit);

/** How many lines the embedded texts of a family have: the compiler counts a user's text from behind them. */
int drua_jit_lines_before(const char *family);

/**
 * The same of a kernel below kernels/specialized, for constants such as "RADIUS=3 STEP=1" that its file leaves open.
 * `chain_text`: text of chains, which need the family "chain", or NULL; a kernel that does not mention the parameters
 * that it defines there is none. With chains it may be a kernel of any other family, whose texts without kernels come
 * before its own.
 */
drua_jit_kernel *drua_jit_start_specialized(drua_device *device, const char *kernel, const char *constants,
                                            const char *chain_text, drua_grid grid, const drua_arg *arguments,
                                            drua_jit_when when);

/** Whether it is compiled by now; does not wait. */
drua_jit_state drua_jit_ask(drua_jit_kernel *jit);

/** Waits until it is compiled or refused. */
drua_jit_state drua_jit_wait(drua_jit_kernel *jit);

/** Only when it is ready, with arguments that need the same index width as those it was made for. */
drua_status drua_jit_launch(drua_jit_kernel *jit, drua_grid grid, const drua_arg *arguments);

/** Waits for the compiler if it is at this kernel; one that is not begun is not compiled any more. NULL is allowed. */
void drua_jit_free(drua_jit_kernel *jit);

/** Ends the threads that compile, after the kernels that they are at; those that are not begun are not compiled. */
void drua_jit_stop(drua_device *device);

#endif
