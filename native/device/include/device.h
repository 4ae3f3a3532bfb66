/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One OpenCL device: memory, transfers, programs, launches. Only this room sees OpenCL. Callers hold the context's
 * lock. Functions wait for the device only if their comment says so.
 */
#ifndef DRUA_DEVICE_H
#define DRUA_DEVICE_H

#include <drua/drua.h>

#include <pthread.h>
#include <stdbool.h>

struct drua_text;
typedef struct drua_device drua_device;

/**
 * Reference-counted memory of images and temporary data. A buffer in use is on the device; an unused one is on the
 * device or on the host.
 */
typedef struct drua_buffer drua_buffer;

/**
 * Layout of an image in its buffer, in elements; the same bytes as `layout` in kernels/common/prelude.cl. Element (x,
 * y, z) is at offset + x * stride[0] + y * stride[1] + z * stride[2]. A stride is negative in a flipped view. Code uses
 * names for fixed axes and indices for variable ones.
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

/** Part of a buffer, seen as an image. Borrowed: the code that made the view holds the buffer. */
typedef struct drua_view {
    drua_buffer *buffer;
    drua_layout layout;
} drua_view;

size_t drua_type_size(drua_type type);

/** Whether the type is uint32 or int32, whose numbers float32 can round. */
bool drua_type_is_wide_integer(drua_type type);

const char *drua_type_name(drua_type type);
drua_layout drua_layout_dense(drua_shape shape, drua_type type);

/** A layout of any width whose rows are aligned to vectors of any type and length. */
drua_layout drua_layout_in_rows(drua_shape shape, drua_type type);

/** Bytes from the first pixel of a layout to the end of its last row, including gaps between rows. */
uint64_t drua_layout_bytes(const drua_layout *layout);

/** Elements from the first pixel to the last one, including gaps between rows. */
int64_t drua_layout_length(const drua_layout *layout);
int64_t drua_layout_count(const drua_layout *layout);
bool drua_layout_is_dense(const drua_layout *layout);

/**
 * Whether rows are aligned to vectors of this many elements and have space for the last one, which may extend past the
 * row.
 */
bool drua_layout_is_in_vectors(const drua_layout *layout, int32_t lanes);

/** Like drua_layout_is_in_vectors, for vectors of four pixels, and of sixteen pixels of one byte. */
bool drua_layout_is_vec4(const drua_layout *layout);
bool drua_layout_is_in_bytes(const drua_layout *layout);
bool drua_layout_is_same_size(const drua_layout *a, const drua_layout *b);

/** Whether width, height and depth are equal; the dimension is ignored. */
bool drua_shape_is_same_size(drua_shape a, drua_shape b);

/** Whether 64-bit numbers can count the bytes of an image of that extent with room to spare. */
bool drua_shape_is_countable(drua_shape shape);

/* ---- devices */

/** Path of the OpenCL library in use. Returns false if no library is loaded or the system does not report it. */
bool drua_device_opencl_file(char *path, size_t size);

/**
 * Whether this process was forked from one that had loaded OpenCL. The driver's threads do not exist in this process,
 * and locks may be held forever, so the device must not be used. Any thread, without the lock.
 */
bool drua_device_is_forked(void);

/** Fails if drua_device_is_forked. */
drua_status drua_device_check_fork(void);

drua_status drua_device_open(const char *selector, drua_device **device);

/**
 * Describes a GPU of another computer by the bytes of its memory, for planning. Its largest allocation is a quarter of
 * the memory, the least that OpenCL allows. It computes nothing: making a buffer on it fails with DRUA_E_NO_DEVICE.
 */
drua_status drua_device_describe_absent(uint64_t memory, drua_device **device);

/** Describes device `index` as drua_device_describe does. */
drua_status drua_device_inspect(size_t index, drua_device_info *info);

/**
 * Measured memory bandwidth of a device with this name and driver, in bytes per second, read plus written; 0 if it was
 * never measured. Any thread, without a context.
 */
double drua_device_speed(const drua_device_info *info);

/**
 * Stores this rate for the process and, if there is a cache folder, for later ones. If there are several GPUs, the
 * fastest one is listed first from then on.
 */
void drua_device_keep_speed(const drua_device_info *info, double bytes_per_second);
void drua_device_close(drua_device *device);

/** Returns whether two devices have the same model and driver, so that their results are bit-identical. */
bool drua_device_is_alike(const drua_device_info *a, const drua_device_info *b);

enum { DRUA_MAX_CHOSEN = 15 };

/** The devices that a text names, each once. */
typedef struct drua_device_choice {
    size_t others[DRUA_MAX_CHOSEN], count; /**< indices as in drua_device_describe, without the caller's own device */
    bool has_own;
    bool alike; /**< all have the model and driver of the caller's device */
} drua_device_choice;

/**
 * Parses a list of devices: "all" means the context's device and all of the same model and driver; otherwise selectors
 * of drua_open, separated by commas. DRUA_E_ARGUMENT if no device fits one of them.
 */
drua_status drua_device_choose(const char *text, const drua_device_info *own, drua_device_choice *choice);
const drua_device_info *drua_device_get_info(const drua_device *device);
const char *drua_device_note(const drua_device *device);

/** Like drua_context_warning. */
const char *drua_device_warning(const drua_device *device);

/** Number of float32 pixels per work-item of a streaming kernel. */
int drua_device_lanes(const drua_device *device);

/**
 * Prepends text to the kernels of a family, before that family's first launch. `text` must live as long as the device.
 */
drua_status drua_device_add_source(drua_device *device, const char *family, const char *text);

/** Starts the background thread that builds the most used programs; call it after the last drua_device_add_source. */
void drua_device_build_ahead(drua_device *device);

/** Waits until the building thread has ended; call it before the added texts are freed. NULL is allowed. */
void drua_device_stop_building(drua_device *device);

/** Like drua_prepare_exit. */
void drua_device_prepare_exit(void);

/** Counters; the caller must not reset them. */
drua_statistics *drua_device_statistics(drua_device *device);

/** Like drua_profile; appends to the text. Any thread, also during launches. */
void drua_device_take_profile(struct drua_text *text);

/* ---- memory */

/**
 * Makes a buffer of at least `bytes` bytes with undefined content and one reference. Fails if the device can never hold
 * them.
 */
drua_status drua_buffer_make(drua_device *device, uint64_t bytes, drua_buffer **buffer);
void drua_buffer_retain(drua_buffer *buffer);

/**
 * Drops a reference. The last one returns the memory to the pool; commands sent before still see it. NULL is allowed.
 */
void drua_buffer_release(drua_buffer *buffer);
bool drua_buffer_is_shared(const drua_buffer *buffer);
uint64_t drua_buffer_bytes(const drua_buffer *buffer);
uint64_t drua_buffer_block_bytes(const drua_buffer *buffer); /**< device memory that the buffer occupies, including
                                                                  the pool's rounding; 0 while the buffer is on the
                                                                  host */

/** Keeps a buffer on the device until it is unpinned. */
drua_status drua_buffer_pin(drua_buffer *buffer);
void drua_buffer_unpin(drua_buffer *buffer);

/**
 * Makes a buffer of zeros on the host, possibly larger than the device allows; a larger one is only read on the host.
 */
drua_status drua_buffer_make_on_host(drua_device *device, uint64_t bytes, drua_buffer **buffer);

/** Moves the buffer to the host; waits. Does nothing if it is already there or has no content yet. */
drua_status drua_buffer_spill(drua_buffer *buffer);

/** Like drua_buffer_spill, but fills a buffer without content with zeros. */
drua_status drua_buffer_move_to_host(drua_buffer *buffer);

/** The content of a buffer that is on the host, otherwise NULL. Borrowed until the buffer is used. */
void *drua_buffer_host(const drua_buffer *buffer);

/** Whether the device can hold this many bytes in one buffer. */
bool drua_device_holds(const drua_device *device, uint64_t bytes);

/** Sets how much device memory may be in use at once; see drua_set_memory. */
drua_status drua_device_set_budget(drua_device *device, const char *text);

/** Bytes in buffers with a reference, and bytes that the pool keeps for later. */
void drua_device_memory(const drua_device *device, uint64_t *used, uint64_t *pooled);

/** Bytes that one step can use if everything else moves to the host. */
uint64_t drua_device_memory_left(const drua_device *device);

/** One `share`-th of the budget, or of the largest block that the device allows, if that is less. */
uint64_t drua_device_share(const drua_device *device, unsigned share);

/* ---- transfers */

/** Source or destination of an image's pixels: dense planes, copied in parts by several threads. */
typedef struct drua_planes {
    /**
     * Makes planes up to `last` ready to be copied, on the caller's thread; those before `first` are done. Returns 0 to
     * stop. NULL: all planes are ready.
     */
    int (*prepare)(void *payload, size_t first, size_t last);
    /**
     * Copies `bytes` bytes between `memory` and plane `z`, from byte `inside` on; any thread. NULL: `payload` is an
     * array of pointers.
     */
    void (*copy)(void *payload, size_t z, size_t inside, void *memory, size_t bytes);
    void *payload;
    pthread_mutex_t *lock; /**< the caller's lock, released while the planes move; NULL: no lock is released */
    size_t bytes;       /**< per plane; set by the device */
} drua_planes;

/** Copies one dense plane per slice to the view (dense rows). Returns when the planes may change. */
drua_status drua_device_upload(drua_device *device, drua_view view, const void *const *planes);

/** Copies a dense view's planes to the host. Waits only for the commands that compute the view. */
drua_status drua_device_download(drua_device *device, drua_view view, void *const *planes);

/** As drua_device_upload and drua_device_download, for planes that need not be pointers, such as Java arrays. */
drua_status drua_device_upload_from(drua_device *device, drua_view view, drua_planes *planes);
drua_status drua_device_download_to(drua_device *device, drua_view view, drua_planes *planes);

/** Copies all planes, each of `bytes` bytes, to dense memory. */
drua_status drua_planes_gather(const drua_planes *planes, size_t count, size_t bytes, void *memory);

/** Copies `bytes` bytes from the start of the view to the host; waits. */
drua_status drua_device_read(drua_device *device, drua_view view, void *host, size_t bytes);

/** Fills the first `bytes` bytes of the view with zeros. */
drua_status drua_device_clear(drua_device *device, drua_view view, uint64_t bytes);

/** Sends queued commands and waits for them. */
drua_status drua_device_finish(drua_device *device);

/**
 * Like drua_device_finish, and reports progress. If `lock` is not NULL, releases it meanwhile, and also waits for
 * transfers that other threads have begun.
 */
drua_status drua_device_finish_reporting(drua_device *device, pthread_mutex_t *lock);

/* ---- calls, and stopping them */

/** The ticket of a call that begins. Any thread, without the lock. */
uint64_t drua_device_ticket(drua_device *device);

/** Marks this thread as running the call of this ticket from now on, without a watch. */
void drua_device_enter(uint64_t ticket);

/**
 * Sets the function that this thread's call on the device asks whether to stop; see drua_set_progress_callback. NULL:
 * none.
 */
void drua_device_watch_call(const drua_device *device, drua_progress_callback watch, void *payload);

/** Stops all calls that have a ticket by now. Any thread, without the lock. */
void drua_device_cancel(drua_device *device);

/** Stops all calls, those that begin later too, until it is called with false. Any thread, without the lock. */
void drua_device_stop_calls(drua_device *device, bool on);

/** The error message for a call that was stopped. */
drua_status drua_fail_cancelled(void);

/** Fails if the device is lost or this thread's call was stopped. */
drua_status drua_device_check(drua_device *device);

/** The call begins to change an image in place, so from now on it runs to its end. */
void drua_device_forbid_cancel(void);

/** Whether this thread's call should stop, also after drua_device_forbid_cancel. */
bool drua_device_wants_stop(drua_device *device);

/** Reports the part of a long call that was sent; takes precedence over transfers. Negative: ends the report. */
void drua_device_report(drua_device *device, double part);

/** Progress of the current call, transfer or wait, from 0 to 1, or -1. Any thread. */
double drua_device_progress(drua_device *device);

/** Whether kernels are being compiled for a call. Any thread. */
bool drua_device_is_compiling(drua_device *device);

/**
 * Waits for all commands. Returns false, with the error of a lost device, if the device no longer answers. For
 * libraries that do not report why they failed.
 */
bool drua_device_answers(drua_device *device);

/** Whether the device was found to no longer answer. */
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
    DRUA_LAUNCH_WEIGHTS,    /**< like DRUA_LAUNCH_NUMBERS, with DRUA_WEIGHTS floats */
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

/** Work-items along x, y, z and a work-group from a short fixed list. The items are rounded up to whole groups. */
typedef struct drua_grid {
    int64_t items[3];
    int32_t group[3];
    int64_t from[3];        /**< the first item */
    int64_t effort; /**< cost of a work-item in units of a typical work-item, if large; such launches are sent in
                         chunks. 0: one */
    int64_t turns; /**< iterations of the innermost loop, if arguments decide them; multiplies the work of an item
                        (optimize.c); 0: few */
} drua_grid;

/** Sends one kernel; the arguments end with DRUA_LAUNCH_END. Builds the kernel's program if necessary. */
drua_status drua_device_launch(drua_device *device, const char *kernel, drua_grid grid, const drua_arg *arguments);

/**
 * Sets whether kernels are optimized immediately from now on, as timed work needs. Otherwise, kernels for a CPU are
 * optimized only when it pays.
 */
void drua_device_optimize(drua_device *device, bool at_once);

/** Index width (0: 32 bits, 1: 64 bits) needed to reach every pixel of these arguments. */
int drua_device_index_width(const drua_arg *arguments);

/* ---- kernels generated while the engine runs */

/** A kernel that one of the device's threads compiles. */
typedef struct drua_jit_kernel drua_jit_kernel;

typedef enum drua_jit_state { DRUA_JIT_BUILDING, DRUA_JIT_READY, DRUA_JIT_REFUSED } drua_jit_state;

typedef enum drua_jit_when {
    DRUA_JIT_NOW, /* before the function returns */
    DRUA_JIT_SOON, /* in the background, before others, because a caller will wait for it */
    DRUA_JIT_BESIDE, /* in the background; a kernel that the disk has is loaded immediately */
    DRUA_JIT_LATER /* in the background, when nothing else is left to compile, or when a caller waits for it */
} drua_jit_when;

/** Kernel `name` of `text`, which follows the embedded texts of `family`; `lanes`: pixels of its vectors. */
typedef struct drua_jit_source {
    const char *family, *text, *name;
    int lanes;
} drua_jit_source;

/**
 * Starts to compile a kernel. `grid` and `arguments` give the group size and the argument kinds. The texts may be freed
 * after the call, except for `family`. Returns NULL without memory.
 */
drua_jit_kernel *drua_jit_start(drua_device *device, drua_jit_source source, drua_grid grid, const drua_arg *arguments,
                                drua_jit_when when);

/**
 * Like drua_jit_start, for a user's text, and compiles it before it returns. A wrong text gives DRUA_E_ARGUMENT; the
 * error message is then the line of the compiler's log with the first error, or empty.
 */
drua_status drua_jit_user_kernel(drua_device *device, drua_jit_source source, drua_grid grid, const drua_arg *arguments,
                                 drua_jit_kernel **jit);

/** Number of lines in the embedded texts of a family, which precede a user's text in the compiler's numbering. */
int drua_jit_lines_before(const char *family);

/**
 * Like drua_jit_start, for a kernel below kernels/specialized with constants such as "RADIUS=3 STEP=1" that its file
 * leaves open. `chain_text` is the text of chains, or NULL. With chains, the kernel may belong to any family, and the
 * texts of the family "chain" and this family's files without kernels precede it. Returns NULL if the kernel lacks the
 * parameters that the chains need.
 */
drua_jit_kernel *drua_jit_start_specialized(drua_device *device, const char *kernel, const char *constants,
                                            const char *chain_text, drua_grid grid, const drua_arg *arguments,
                                            drua_jit_when when);

/** Whether a kernel of the build has been launched, so that its program is built. */
bool drua_device_has_launched(drua_device *device, const char *kernel);

/** Whether the program of a kernel of the build is built; the first question begins to build it in the background. */
bool drua_device_is_built(drua_device *device, const char *kernel);

/** Whether the kernel is compiled by now; does not wait. */
drua_jit_state drua_jit_ask(drua_jit_kernel *jit);

/** Waits until the kernel is compiled or rejected. */
drua_jit_state drua_jit_wait(drua_jit_kernel *jit);

/** Requires a compiled kernel and arguments of the index width for which it was made. */
drua_status drua_jit_launch(drua_jit_kernel *jit, drua_grid grid, const drua_arg *arguments);

/**
 * Waits if the compiler is working on this kernel; a kernel whose compilation has not begun is not compiled. NULL is
 * allowed.
 */
void drua_jit_free(drua_jit_kernel *jit);

/** Ends the compiling threads after their current kernels; others are not compiled. */
void drua_jit_stop(drua_device *device);

#endif
