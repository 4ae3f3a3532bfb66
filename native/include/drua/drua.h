/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Drua: image processing on OpenCL devices with images that stay on the device.
 *
 * A context owns one device, its images and their names. An image is a 64-bit handle that contains a slot and a
 * generation, so that using a released image gives an error message and never a crash. Operations are found by name;
 * drua_describe() lists all operations with their parameters. A call checks its arguments, records the work and
 * returns before the device has finished. Only functions that return pixels or numbers, and drua_sync, wait for the
 * device.
 *
 * Errors: every function that can fail returns drua_status. After a failure drua_error_message() returns a message
 * with the operation, the parameter, the value, the limit and what to do. A failed call changes no image and creates
 * none; its other results are undefined. drua_status explains each failure, and the comment of a function lists the
 * failures that are specific to it. Pointers must not be NULL unless the comment of the function allows it. Text is
 * UTF-8 and ends with a NUL byte.
 *
 * Threads: every function may be called from any thread. Calls on one context run one after the other, but other calls
 * continue while one of them copies pixels or waits in drua_sync. Calls on different contexts and functions without a
 * context run concurrently. During drua_close and drua_restart no other call on the same context is allowed.
 * drua_cancel and drua_stop_calls stop calls from another thread.
 *
 * Ownership: the caller owns a context until drua_close, an image until drua_release, drua_clear or drua_close, and a
 * table until drua_table_free. The library owns every text that it returns; the comment of the function says how long
 * the text is valid. The library copies all texts and arrays that it receives. After a call it keeps no pointer of the
 * caller, except the callback and payload of drua_set_progress_callback.
 *
 * Stability, from version 0.1 on: a program that was linked with one release runs with later releases of the same major
 * version. Functions and values of enumerations keep their names, numbers and meaning. drua_shape, drua_argument and
 * drua_stream keep their members. The other structures may get members at their end. A macro of sized.h, such as
 * drua_get_info, passes the size that the structure has in the caller's header to drua_get_info_sized. That function
 * writes no more than this size, and sets members that it does not know to 0. Other languages call drua_get_info_sized.
 * New values of drua_status and drua_type follow the present ones, so treat an unknown status as a failure. A function
 * whose comment names no version has been there since 0.1.
 *
 * Fork: a child process cannot use a device if its parent used OpenCL before the fork (drua_open, drua_device_count,
 * drua_device_describe, drua_check_computer, drua_process_file). No call hangs in this child: every function that
 * returns drua_status and needs a context or a device fails with DRUA_E_DEVICE at once. drua_close, drua_cancel and
 * drua_prepare_exit do nothing, and exit() works. drua_device_count returns 0, drua_progress -1, drua_is_lost 1, other
 * numbers are 0, and texts about the work of a context are "". Fork before these calls, or start a new program (exec).
 * Windows has no fork.
 */
#ifndef DRUA_H
#define DRUA_H

#include <drua/process_file.h>
#include <drua/sized.h>
#include <drua/types.h>
#include <drua/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/** One device with its images and names. Opaque; created by drua_open, freed by drua_close. */
typedef struct drua_context drua_context;

/**
 * Handle of an image. It identifies the context that created the image, and no later image has the same number. 0 is
 * never an image. Every function that takes a handle fails with DRUA_E_NAME if the image was released or belongs to
 * another context. (A process that opens more than 67 million contexts reuses numbers.)
 */
typedef uint64_t drua_image;

/** Version of the library, such as "0.1.0". Static text. */
DRUA_API const char *drua_version(void);

/** Version of the library as one number, to compare with DRUA_VERSION_NUMBER of the header. */
DRUA_API int drua_version_number(void);

/** The error message of the thread's last failed call, or "" if none failed. Valid until the thread's next call. */
DRUA_API const char *drua_error_message(void);

/* ---- devices ------------------------------------------------------------------------------------------------ */

/** Number of OpenCL devices, 0 without OpenCL. Devices are numbered from the best, from 0: GPUs come first. GPUs are
 * sorted by their memory bandwidth after drua_open has measured it, before that by memory and compute units. */
DRUA_API size_t drua_device_count(void);

/** Describes device `index` (0 is the best). DRUA_E_ARGUMENT unless the index is less than drua_device_count(). */
DRUA_API drua_status drua_device_describe_sized(size_t index, drua_device_info *info, size_t size);

/* ---- context ------------------------------------------------------------------------------------------------ */

/**
 * Opens a device and creates a context, which the caller closes with drua_close.
 *
 * `selector` is a part of the device's or platform's name (upper or lower case), an index of drua_device_describe, an
 * address, or "gpu" or "cpu". NULL or "" uses the environment variable DRUA_DEVICE, else the best device. If no device
 * matches the selector, the best device is opened and drua_context_note says so, because published macros name devices
 * of other computers. But if an OpenCL platform failed to list its devices, the call fails with DRUA_E_NO_DEVICE. A
 * device that matches the selector but cannot be opened makes the call fail. Without a selector the next best device is
 * opened instead, and drua_context_warning says so. On a computer with several GPUs, the first call without a selector
 * or with "gpu" measures the memory bandwidths of the GPUs and stores them in the cache folder. The measurement takes
 * about one second for each GPU. The environment variable DRUA_MEMORY limits the memory as drua_set_memory does.
 * Without OpenCL or without a device the call fails with DRUA_E_NO_DEVICE, and the message says what to install.
 */
DRUA_API drua_status drua_open(const char *selector, drua_context **context);

/** Waits for the device, then frees all images and the context. NULL is allowed. No other call on the context may be
 * running. */
DRUA_API void drua_close(drua_context *context);

/**
 * Prepares for the end of the process: waits until no thread runs a compiler. Later calls fail if they need a kernel
 * that is not compiled yet. The library calls this function at exit(), which is too late if a background thread was
 * the first to use a compiler; a program that ends without drua_close therefore calls it before exit(). May be called
 * from any thread.
 */
DRUA_API void drua_prepare_exit(void);

/**
 * Stops the calls that are running on the context: each returns DRUA_E_CANCELLED, on a GPU within 100 ms, and leaves
 * all images unchanged. A call that has begun to change an image in place is finished instead. If no call is running,
 * this function has no effect: work that earlier calls recorded or sent continues, and later calls run as usual. To
 * stop a sequence of calls, use drua_stop_calls or drua_set_progress_callback. May be called from any thread at any
 * time while the context is open; returns at once.
 */
DRUA_API void drua_cancel(drua_context *context);

/**
 * Stops (1) or allows (0) all calls of a context. With 1, the function stops running calls as drua_cancel does. From
 * then on every call that records work, transfers pixels or waits fails with DRUA_E_CANCELLED, until this function is
 * called with 0 or drua_restart is called. Images can still be released and described. May be called from any thread at
 * any time while the context is open; returns at once.
 */
DRUA_API void drua_stop_calls(drua_context *context, int on);

/**
 * A progress callback: receives drua_progress of a running call; returns 0 to stop the call, which then fails with
 * DRUA_E_CANCELLED.
 */
typedef int (*drua_progress_callback)(void *payload, double progress);

/**
 * Sets a progress callback. Every call that records work, transfers pixels or waits invokes the callback at its start,
 * and then at most every 20 ms while it sends work or waits for the device. A call that compiles kernels does not
 * invoke the callback meanwhile. The callback runs on the thread of the call, receives `payload`, and must not call
 * functions of Drua. Calls that are running keep their earlier callback. NULL: no callback.
 */
DRUA_API void drua_set_progress_callback(drua_context *context, drua_progress_callback watch, void *payload);

/**
 * Progress, from 0 to 1, of the running long operation, transfer, drua_pull or drua_sync. In drua_pull, computing
 * counts for the first nine tenths and copying for the last. -1 if no call reports progress, for example while kernels
 * are compiled. The value starts at 0 again with each call. May be called from any thread; returns at once.
 */
DRUA_API double drua_progress(drua_context *context);

/** 1 while kernels that a call needs are being compiled, else 0. Each kernel is compiled only once per computer. May be
 * called from any thread; returns at once. */
DRUA_API int drua_is_compiling(drua_context *context);

/**
 * 1 if the device no longer responds because its driver failed or it was removed, else 0. Every call then fails until
 * drua_restart. Waits for a running call.
 */
DRUA_API int drua_is_lost(drua_context *context);

/**
 * Sets when the kernels that are fastest for a call are compiled. 1: before the call runs. 0, as after drua_open: in a
 * background thread, and slower general kernels run until then. To prepare a pipeline, turn this on, run the pipeline
 * on one image, pull the results and turn it off. The same calls on images of the same types and sizes then compile
 * nothing.
 */
DRUA_API drua_status drua_prepare(drua_context *context, int on);

/** Opens the device again with the selector of drua_open. All images and names are freed; the context stays valid and
 * keeps its progress callback and the budget of drua_set_memory. drua_prepare, drua_stop_calls, drua_time_launches,
 * drua_trace and the line number are reset. On failure nothing changes. No other call on the context may be running. */
DRUA_API drua_status drua_restart(drua_context *context);

/** Describes the device of the context, as drua_device_describe does. */
DRUA_API void drua_context_device_sized(drua_context *context, drua_device_info *info, size_t size);

/** A line about the device that drua_open chose if none matched the selector, else "". Valid as long as the context. */
DRUA_API const char *drua_context_note(drua_context *context);

/** One line if a better device cannot be used, or if the system has a GPU that OpenCL does not list: the device, the
 * reason and the device that is used instead; else "". A program with a user interface shows this line once. Valid as
 * long as the context. */
DRUA_API const char *drua_context_warning(drua_context *context);

/** The name of the context's device, as in drua_device_info. Valid until drua_restart or drua_close. */
DRUA_API const char *drua_device_name(drua_context *context);

/** Sets how much device memory the context may use at once, such as "64MB", "2GB", "50%" or "512" (MB). NULL or "" uses
 * the environment variable DRUA_MEMORY, else 85 % of the device's memory, or 60 % for a CPU. A size larger than the
 * device's memory means all of it. DRUA_E_ARGUMENT if the text is not a size of at least 1 MB. */
DRUA_API drua_status drua_set_memory(drua_context *context, const char *budget);

/** Sets the line number in the caller's program (such as a macro). Errors of the following calls report this line, even
 * if a later call finds the error. 0: unknown. */
DRUA_API void drua_set_line_number(drua_context *context, int line);

/** Sends all recorded work, except work whose results were released, and waits until the device has finished it. */
DRUA_API drua_status drua_sync(drua_context *context);

/** Counters since drua_open or drua_restart. */
typedef struct drua_statistics {
    uint64_t calls;             /**< operations recorded */
    uint64_t launches;          /**< kernels sent to the device */
    uint64_t chains;            /**< launches that ran a chain of pointwise operations */
    uint64_t chained_steps;     /**< pointwise operations run inside those chains */
    uint64_t compiled_chains;   /**< chains that ran as kernels compiled for them */
    uint64_t programs_built;    /**< programs compiled from source */
    uint64_t programs_loaded;   /**< compiled programs of earlier runs, read from disk */
    uint64_t waits;             /**< times the host waited for the device */
    uint64_t device_bytes;      /**< bytes of device memory allocated now, including the pool */
    uint64_t peak_bytes;        /**< highest value of device_bytes */
    uint64_t budget_bytes;      /**< upper limit of device_bytes */
    uint64_t host_bytes; /**< bytes of images and of tables of transforms moved to the host for lack of room */
    uint64_t spilled_bytes;     /**< bytes copied from the device to the host for that reason */
    uint64_t tiles; /**< tiles sent, for operations whose images did not fit into device memory at once */
} drua_statistics;

/** Copies the counters; does not wait for the device. */
DRUA_API void drua_get_statistics_sized(drua_context *context, drua_statistics *statistics, size_t size);

/* ---- images ------------------------------------------------------------------------------------------------- */

/** Properties of an image. */
typedef struct drua_image_info {
    drua_shape shape;
    drua_type type;
    uint64_t bytes;             /**< width * height * depth * bytes per element */
    int labels;                 /**< 1 if the image is the result of an operation that makes label maps, else 0 */
} drua_image_info;

/** Creates an image of zeros, which the caller releases with drua_release. Width, height and depth are 1 to 2147483647
 * pixels, else DRUA_E_ARGUMENT. An image with more than one slice always has dimension 3. Memory is allocated when the
 * image is first used. */
DRUA_API drua_status drua_create(drua_context *context, drua_shape shape, drua_type type, drua_image *image);

/** Creates an image, as drua_create does, and copies `pixels` to it: width * height * depth elements of `type` without
 * gaps, x fastest, then y, then z. The caller may change or free them after the call. Pixels that do not fit into
 * device memory stay in host memory; DRUA_E_MEMORY if that is full, too. */
DRUA_API drua_status drua_push(drua_context *context, drua_shape shape, drua_type type, const void *pixels,
                               drua_image *image);

/** As drua_push, but `planes` has shape.depth pointers, one for each plane of width * height elements. */
DRUA_API drua_status drua_push_planes(drua_context *context, drua_shape shape, drua_type type,
                                      const void *const *planes, drua_image *image);

/** Replaces the pixels of an image, whose shape and type stay the same. `planes` is as for drua_push_planes. */
DRUA_API drua_status drua_overwrite_planes(drua_context *context, drua_image image, const void *const *planes);

/** Copies the pixels of an image to `pixels`, in the type of the image, without gaps, x fastest, then y, then z.
 * `pixels` is a buffer of the caller with at least drua_image_info.bytes bytes (see drua_get_info). Sends the recorded
 * work that computes the image and waits for it. */
DRUA_API drua_status drua_pull(drua_context *context, drua_image image, void *pixels);

/** As drua_pull, to one buffer of width * height elements for each of the image's `depth` planes. */
DRUA_API drua_status drua_pull_planes(drua_context *context, drua_image image, void *const *planes);

/** Callbacks that copy pixels which have no fixed address, such as arrays of a virtual machine. */
typedef struct drua_stream {
    /** Called in order, on the thread of the caller, before the planes from `first` to `last` (counted from 0) are
     * copied. Planes before `first` are not copied again. Returns 0 to stop the transfer, which then fails with
     * DRUA_E_CANCELLED. NULL: no preparation needed. */
    int (*prepare)(void *payload, size_t first, size_t last);
    /** Copies `bytes` bytes of a plane, from byte `inside` of the plane on: to `memory` for a push or overwrite, from
     * `memory` for a pull. Several threads call it concurrently. */
    void (*copy)(void *payload, size_t plane, size_t inside, void *memory, size_t bytes);
    void *payload;              /**< passed to both callbacks; the library does not read it */
} drua_stream;

/** As drua_push_planes, drua_overwrite_planes and drua_pull_planes, with callbacks instead of pointers. The callbacks
 * must not call functions of Drua. */
DRUA_API drua_status drua_push_stream(drua_context *context, drua_shape shape, drua_type type,
                                      const drua_stream *stream, drua_image *image);
DRUA_API drua_status drua_overwrite_stream(drua_context *context, drua_image image, const drua_stream *stream);
DRUA_API drua_status drua_pull_stream(drua_context *context, drua_image image, const drua_stream *stream);

/** Returns the shape, type and size of an image. Does not wait, even if the image is not computed yet. */
DRUA_API drua_status drua_get_info_sized(drua_context *context, drua_image image, drua_image_info *info, size_t size);

/** Frees an image and removes its names. Recorded work that reads the image still runs. */
DRUA_API drua_status drua_release(drua_context *context, drua_image image);

/**
 * Sets the metadata of an image: a text, for example with its scale and lookup table. Pixels do not depend on it.
 * Functions that write files read lines key=value from it, such as "channels=2". The result of an operation gets the
 * metadata of the first image argument. NULL removes the metadata.
 */
DRUA_API drua_status drua_set_metadata(drua_context *context, drua_image image, const char *text);

/** Returns the metadata of an image, or "" if it has none. Valid until the thread's next call. */
DRUA_API drua_status drua_get_metadata(drua_context *context, drua_image image, const char **text);

/* ---- files -------------------------------------------------------------------------------------------------- */

/**
 * Reads a TIFF file: ImageJ's hyperstacks (also above 4 GB), BigTIFF, strips or tiles, and the compressions of libtiff.
 * The image contains the slices of one channel and one frame, which are counted from 1. If both numbers are 0, it
 * contains the slices of the first channel and frame. A file with only one slice then gives all channels, and a file
 * with only one slice and one channel gives all frames. A push from ImageJ does the same. A colour slice becomes three
 * planes. Scale, colours and labels become the image's metadata (drua_get_metadata). The caller releases the image.
 * DRUA_E_ARGUMENT if the file is missing, damaged or in an unknown format; DRUA_E_UNSUPPORTED without libtiff.
 */
DRUA_API drua_status drua_read_tiff(drua_context *context, const char *path, int64_t channel, int64_t frame,
                                    drua_image *image);

/**
 * Writes an image and its metadata to a TIFF file that ImageJ can open; a BigTIFF above 4 GB. `compression` is "none",
 * "lzw" or "deflate"; NULL means "none". An existing file is replaced when the new file is complete, and is kept if the
 * call fails.
 */
DRUA_API drua_status drua_write_tiff(drua_context *context, drua_image image, const char *path,
                                     const char *compression);

/* ---- names -------------------------------------------------------------------------------------------------- */

/** Gives an image a name. If another image had this name, it loses the name, and is released if it has no other name.
 * DRUA_E_ARGUMENT if the name is "". */
DRUA_API drua_status drua_bind(drua_context *context, const char *name, drua_image image);

/** Finds an image by name. DRUA_E_NAME, with the most similar names in the message, if no image has this name. */
DRUA_API drua_status drua_find(drua_context *context, const char *name, drua_image *image);

/** Releases the image with this name. DRUA_E_NAME if no image has it. */
DRUA_API drua_status drua_release_name(drua_context *context, const char *name);

/** Releases all images, with and without names. */
DRUA_API drua_status drua_clear(drua_context *context);

/** All names, one per line, in the order in which they were first used. Valid until the thread's next call. */
DRUA_API const char *drua_names(drua_context *context);

/* ---- operations --------------------------------------------------------------------------------------------- */

/** Kind of an argument: which member of drua_argument has the value. */
typedef enum drua_argument_kind {
    DRUA_ARG_NONE = 0, /**< an output to create, or a parameter that keeps its default */
    DRUA_ARG_NUMBER = 1,
    DRUA_ARG_TEXT = 2,
    DRUA_ARG_IMAGE = 3, /**< a handle */
    DRUA_ARG_ARRAY = 4, /**< numbers */
    DRUA_ARG_LIST = 5 /**< a list of arguments: name, image, name, image, ...; images are handles or names (texts) */
} drua_argument_kind;

/**
 * One argument of a call. The call writes outputs into it: the handle of a created image into `image` (kind becomes
 * DRUA_ARG_IMAGE), a number into `number`, a text into `text` (valid until the thread's next call).
 */
typedef struct drua_argument {
    drua_argument_kind kind;
    double number;
    const char *text;
    drua_image image;
    const double *array;
    const struct drua_argument *list;
    size_t length;      /**< elements of array or list */
} drua_argument;

/** Numbers with a heading for each column. `cells`: rows * columns numbers, row by row. drua_table_free frees it. */
typedef struct drua_table {
    size_t columns, rows;
    char **headings;
    double *cells;
} drua_table;

/** Frees a table and its headings. NULL is allowed. */
DRUA_API void drua_table_free(drua_table *table);

/**
 * Writes a table as CSV: a line of headings, then a line for each row, separated by commas. Numbers have decimal points
 * and 17 significant digits. Headings are in quotes if they contain commas, quotes or line breaks. An existing file is
 * replaced when the new file is complete. DRUA_E_ARGUMENT if the file cannot be written. Needs no context.
 */
DRUA_API drua_status drua_table_write(const drua_table *table, const char *path);

/** DRUA_E_ARGUMENT if a file that will be a text has the extension of an image, such as .tif. Needs no context. */
DRUA_API drua_status drua_check_text_path(const char *path);

/**
 * Runs an operation by its name ("gaussian_blur") with `count` arguments in the order of its parameters, without tables
 * (kind "table_out"); images are handles. An image output of kind DRUA_ARG_NONE is created, and the caller releases it;
 * an image that is passed as an output is overwritten and keeps its shape and type. Parameters after the last argument
 * use their defaults. If `table` is not NULL, *table receives the table that the operation makes, which the caller
 * frees with drua_table_free, or NULL.
 */
DRUA_API drua_status drua_invoke(drua_context *context, const char *operation, drua_argument *arguments, size_t count,
                                 drua_table **table);

/** A part of an image that an operation makes. */
typedef struct drua_part {
    int64_t first[3], end[3];   /**< along x, y, z: first pixel, and the pixel after the last; limited to the image; an
                                   axis without pixels in this range uses all of its pixels */
    drua_shape whole;           /**< output: the shape of the whole image */
    int reads_all;              /**< output: 1 if the operation read whole images, as Otsu's threshold does; 0 if it
                                   read only the neighbourhood of the part */
} drua_part;

/**
 * As drua_invoke, but computes only a part of the operation's first output image, such as the slice on screen. The
 * pixels of the part are equal to those of the whole image, and only the input pixels that they need are read. The part
 * is a new image, which the caller releases; it may use the memory of more pixels than it has. Other outputs are not
 * computed. DRUA_E_UNSUPPORTED for operations that make no image or change an image in place.
 */
DRUA_API drua_status drua_invoke_part_sized(drua_context *context, const char *operation, drua_argument *arguments,
                                            size_t count, drua_part *part, size_t size);

/**
 * Runs a macro command ("CLIJ2_gaussianBlur3D") with its arguments in the order of the command; images are names
 * (texts). A command named Drua_... also accepts the arguments of the command of the same name with a CLIJ prefix, such
 * as CLIJ2_. The name of an output may belong to an image, which is overwritten, or be new. If the argument of an
 * output is an empty text, a number or of kind DRUA_ARG_NONE, the result gets a name from drua_result_name. This name
 * is written into the argument. `table` is as for drua_invoke. DRUA_E_UNSUPPORTED for commands that only an application
 * such as ImageJ can run (marked "host" by drua_describe).
 */
DRUA_API drua_status drua_command(drua_context *context, const char *command, drua_argument *arguments, size_t count,
                                  drua_table **table);

/** Makes a new name for a result of `command`, such as "CLIJ2_copy_result7". Valid until the thread's next call. */
DRUA_API const char *drua_result_name(const char *command);

/**
 * All operations and commands as JSON: {"version", "operations": [{"name", "category", "summary", "source",
 * "expression", "estimate", "before_example", "menu", "numeric", "mechanism", "host", "parameters": [{"name", "doc",
 * "kind", "unit", "min", "max", "default", "example", "type", "written", "replaces", "labels", "group", "enabled_if",
 * "choices", "settings"}]}], "commands": [{"name", "operation", "arguments": [{"name", "kind", "output", "ignored",
 * "typed"}], "fixed": [{"name", "value"}], "results": [{"column", "parameter"}], "others": [{"name", "operation",
 * "arguments", "fixed", "results"}]}], "absent": [{"begins", "advice"}]}. A missing text is "", a missing number null.
 * The text is static, and "" if there is not enough memory for it.
 *
 * Operations: "numeric" is "exact" (bit-identical on every device), "device" (bit-identical on one device) or
 * "approximate" (equal within a tolerance). "mechanism" is "host", "pointwise", "composite", "view" or "kernel".
 * "host": only an application such as ImageJ can run the operation. "estimate": the operation that estimates time and
 * memory.
 *
 * Parameters: "type" is the element type of an output, "source" if it is that of the first image, or "rule" if it
 * depends on arguments. "written": the operation writes the file at this path. "replaces": the result replaces an
 * existing image of any shape. "labels": the output is a label map. "group": heading in dialogs. "enabled_if":
 * conditions, separated by spaces, for the parameter to have an effect. "settings": parameters that the text may set.
 *
 * Commands: "output": passed by reference. "ignored": accepted without effect. "typed": the type of a new output
 * differs from the one that the operation would give it. "fixed": values that the command sets itself. "results":
 * numbers for the results table. "others": further signatures, chosen by the number of arguments. "absent": CLIJ2
 * commands that Drua lacks; "begins" is the start of their names without the prefix, "advice" says what to use instead.
 */
DRUA_API const char *drua_describe(void);

/** Properties of a parameter of an operation. The texts are static. */
typedef struct drua_parameter_info {
    const char *name, *doc;
    const char *kind;           /**< as in drua_describe: "image_in", "image_out", "image_inout", "number", ... */
    const char *unit;           /**< "" if it has no unit */
    int has_range;              /**< 1 if minimum and maximum are set, else 0 */
    double minimum, maximum;    /**< inclusive */
    double default_value; /**< value if a call does not pass the argument */
    const char *default_text; /**< the same for texts and choices; NULL: no default */
} drua_parameter_info;

/** Number of operations. Their indices start at 0. */
DRUA_API size_t drua_operation_count(void);

/** Name of an operation, or NULL if the index is too large. Static text. */
DRUA_API const char *drua_operation_name(size_t operation);

/** Category of an operation, such as "filter" or "labels", or NULL if the index is too large. Static text. */
DRUA_API const char *drua_operation_category(size_t operation);

/** 1 if an operation reads or writes only some pixels of its images, so that the size of the images gives no lower
 * bound for its time; else 0. */
DRUA_API int drua_operation_reads_part(size_t operation);

/** Describes a parameter of an operation. Both indices start at 0. DRUA_E_ARGUMENT if there is no such parameter. */
DRUA_API drua_status drua_operation_parameter_sized(size_t operation, size_t parameter, drua_parameter_info *info,
                                                    size_t size);

/* ---- reports ------------------------------------------------------------------------------------------------ */

/** A text for a log window: all images with their names, if they have any, their sizes and memory (device or host), and
 * the size of the pool of freed device memory. Valid until the thread's next call. */
DRUA_API const char *drua_report_memory(drua_context *context);

/** Called with the progress of a check, from 0 to 1; returns 0 to stop the check. */
typedef int (*drua_check_callback)(void *payload, double progress);

/**
 * Tests this computer: the OpenCL library, the cache folder, and for each device its driver, eight operations with
 * known results and its memory bandwidth. *report receives a readable text, also after a failure; its first sentence
 * says whether Drua works on this computer, or why not. The text is valid until the thread's next call. The test takes
 * seconds for each device; `watch`, which may be NULL, is called between its steps with `payload`. Fails as drua_open
 * does; DRUA_E_DEVICE if no device gives correct results; DRUA_E_CANCELLED if `watch` stops the test.
 */
DRUA_API drua_status drua_check_computer(drua_check_callback watch, void *payload, const char **report);

/**
 * Messages of successful calls since the last call of this function, one per line: for example, that a device was not
 * used, or had too little memory for a part of the work. "" if there are no messages. Valid until the thread's next
 * call.
 */
DRUA_API const char *drua_take_messages(drua_context *context);

/**
 * Describes the first command since the last call of this function whose result differs in extent from the existing
 * image that the command names as its output: a message with the command, the image's name, both extents and the line
 * of drua_set_line_number. "" if all results had the extent of their image. Valid until the thread's next call.
 */
DRUA_API const char *drua_take_misfit(drua_context *context);

/**
 * Describes the last kernel launches, one line each, the newest last: operations, whether they were fused, images read
 * and written, bytes, the variant of the kernel and why it was chosen. While drua_time_launches or drua_trace is on,
 * also the time and the fraction of the device's memory bandwidth; the function then waits for the device. Valid until
 * the thread's next call.
 */
DRUA_API const char *drua_explain_launches(drua_context *context);

/**
 * Measures the memory bandwidth of the device: copies `bytes` bytes nine times with 16-byte accesses and returns the
 * median. The bandwidth is bytes read plus bytes written per second. An operation takes at least the bytes that it
 * reads and writes divided by this bandwidth. DRUA_E_MEMORY if the device has no memory for 2 * `bytes` bytes.
 */
DRUA_API drua_status drua_measure_copy(drua_context *context, uint64_t bytes, double *bytes_per_second);

/** Measures the rate of float32 multiplications and additions: operations per second (a fused multiply-add counts as
 * two), median of nine runs. */
DRUA_API drua_status drua_measure_arithmetic(drua_context *context, double *operations_per_second);

/**
 * Starts (1) or stops (0) measuring the time of launches for drua_explain_launches. While measuring is on, the host
 * waits for the device before and after each launch. Fusion and results do not change.
 */
DRUA_API drua_status drua_time_launches(drua_context *context, int on);

/**
 * Time of kernels on all devices of the process since the last call of this function, one kernel per line, the longest
 * first: name, launches and milliseconds, separated by tabs. Waits for all work that was sent. "" unless the
 * environment variable DRUA_TIME_KERNELS was set when the process opened its first device; launches then take a few
 * microseconds longer. Valid until the thread's next call.
 */
DRUA_API const char *drua_profile(drua_context *context);

/** Starts (1) or stops (0) measuring the time of each operation and command. While measuring is on, every call waits
 * for the device, so that the measured time belongs to the call. */
DRUA_API drua_status drua_trace(drua_context *context, int on);

/**
 * The times measured since drua_trace was last turned on, two lines per call: "> CLIJ2_gaussianBlur3D" and
 * "< CLIJ2_gaussianBlur3D 1.25 ms". Valid until the thread's next call.
 */
DRUA_API const char *drua_trace_text(drua_context *context);

#ifdef __cplusplus
}
#endif

#endif
