/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Drua: image processing on OpenCL devices with images that stay on the device.
 *
 * A context owns one device, its images and its names. Images are handles: 64-bit numbers that name a slot and a
 * generation, so that using a released image is an error message and never a crash. Operations are found by name;
 * drua_describe() lists them all with their parameters. A call checks its arguments, records the work and returns;
 * the device works while the caller goes on, and only pulling pixels or asking for a number waits.
 *
 * Errors: every function that can fail returns drua_status. drua_error_message() then holds one sentence that names
 * the operation, the parameter, the value, the limit and what to do. A failed call changes no image and makes none. Its
 * other results are undefined. drua_status says what each failure is; a function's comment names its own failures.
 * Pointers are not NULL unless the function says so. Text is UTF-8.
 *
 * Threads: every function may be called from any thread. Calls on one context run one after the other, except that
 * others go on while one copies pixels or waits in drua_sync. Calls on different contexts run side by side, and so do
 * functions without a context. Only drua_close and drua_restart need the context for themselves. drua_cancel stops
 * calls.
 *
 * Ownership: a context is the caller's until drua_close, an image until drua_release, drua_clear or drua_close, a table
 * until drua_table_free. The library owns every text that it returns; the function says how long the text is valid.
 * The library copies text and arrays that it is given and keeps no pointer after the call.
 *
 * Fork: a process that was forked from one that had used OpenCL (drua_open, drua_device_count, drua_device_describe,
 * drua_check_computer, drua_process_file) cannot use a device. Nothing hangs there: every function that returns
 * drua_status and needs a context or a device fails with DRUA_E_DEVICE at once. drua_close, drua_cancel and
 * drua_prepare_exit do nothing, and exit() works. drua_device_count returns 0, drua_progress -1, drua_is_lost 1, other
 * numbers are 0 and texts about a context's work are "". Fork before these calls, or start a program (exec). Windows
 * has no fork.
 */
#ifndef DRUA_H
#define DRUA_H

#include <drua/types.h>
#include <drua/version.h>

#if defined(_WIN32) && defined(DRUA_ROOM)
#define DRUA_API __declspec(dllexport)
#elif defined(_WIN32) && defined(DRUA_SHARED)
#define DRUA_API __declspec(dllimport)
#elif defined(_WIN32)
#define DRUA_API
#else
#define DRUA_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** One device with its images and names. Opaque; made by drua_open, freed by drua_close. */
typedef struct drua_context drua_context;

/**
 * Handle of an image. It says which context made the image, and no later image has the same number. 0 is never an image.
 * Every function that takes a handle fails with DRUA_E_NAME for a released image and for one of another context. (A
 * process that opens more than 67 million contexts uses numbers again.)
 */
typedef uint64_t drua_image;

/** Version of the library, such as "0.1.0". Static text. */
DRUA_API const char *drua_version(void);

/** Version of the library as one number, to compare with DRUA_VERSION_NUMBER of the header. */
DRUA_API int drua_version_number(void);

/** The sentence of the last call that failed on this thread; empty text if none did. Valid until the thread's next
 * call. */
DRUA_API const char *drua_error_message(void);

/* ---- devices ------------------------------------------------------------------------------------------------ */

/** What is known of a device. Texts are cut to the array's length. */
typedef struct drua_device_info {
    char name[256], platform[256], driver[128], version[128];
    double opencl_version;            /**< 1.2, 3.0, ... */
    int is_gpu;
    uint64_t global_memory;           /**< bytes */
    uint64_t largest_allocation;      /**< bytes */
    uint64_t local_memory;            /**< bytes */
    uint64_t compute_units;
    uint64_t clock_mhz;
    uint64_t largest_work_group;
    char extensions[4096];
    char address[32]; /**< of it alone on this computer: of the PCI bus, "0000:3b:00.0"; where the driver does not tell,
                         "cl:00.01" */
} drua_device_info;

/**
 * Number of OpenCL devices, best first: GPUs before others, of two GPUs the one that copies faster once drua_open has
 * timed them, else by memory and compute units. 0 without OpenCL.
 */
DRUA_API size_t drua_device_count(void);

/** Describes device `index` (0 is the best). DRUA_E_ARGUMENT if there is none of that number. */
DRUA_API drua_status drua_device_describe(size_t index, drua_device_info *info);

/* ---- context ------------------------------------------------------------------------------------------------ */

/**
 * Opens a device. `selector` is part of a device's or platform's name in any case, an index of drua_device_describe, an
 * address, or "gpu" / "cpu"; NULL or "" takes DRUA_DEVICE from the environment, else the best device. Where there are
 * several GPUs, the first call on a computer times them, which takes about a second for each, and keeps the times in
 * the cache folder. A selector that nothing fits takes the best device too (drua_context_note says so), because
 * published macros name devices of other machines. Without a selector, a device that cannot be opened is left for the
 * next best (drua_context_warning says so); one that was wished for fails. DRUA_MEMORY in the environment limits its
 * memory as drua_set_memory does. DRUA_E_NO_DEVICE with what to install where there is no OpenCL or no device.
 */
DRUA_API drua_status drua_open(const char *selector, drua_context **context);

/** Waits for the device, frees all images and the context. NULL is allowed. No other call may be under way on it. */
DRUA_API void drua_close(drua_context *context);

/**
 * The process is about to end: returns when no thread is inside a compiler any more; calls that need a kernel that is
 * not compiled fail from then on. Called by itself at exit(), which comes too late where a compiler was first used by a
 * thread in the background: those who end without drua_close call it before. From any thread.
 */
DRUA_API void drua_prepare_exit(void);

/**
 * Stops the calls that are under way on the context: each returns DRUA_E_CANCELLED soon, on a GPU within 100 ms, with
 * all images as they were. A call that began to change an image in place is finished instead. If no call is under way,
 * nothing happens: work that earlier calls recorded or sent goes on, and later calls run as usual. A program that stops
 * a sequence of calls therefore sets its own flag and reads it before each call. From any thread, at any time
 * while the context is open; returns at once.
 */
DRUA_API void drua_cancel(drua_context *context);

/**
 * How far the call that is under way is, 0 to 1: the work of a long call, or the transfer, or the work that a pull or
 * drua_sync waits for, of which copying is the last tenth. -1 if no call reports progress, such as while kernels are
 * compiled. Calls report one after the other, so the value begins again with each. From any thread; returns at once.
 */
DRUA_API double drua_progress(drua_context *context);

/** 1 while kernels are compiled that a call asked for, which happens once on a machine; else 0. From any thread;
 * returns at once. */
DRUA_API int drua_is_compiling(drua_context *context);

/** 1 if the device does not answer any more (its driver failed, it was removed): then every call fails, see
 * drua_restart. Waits for a call that is under way. */
DRUA_API int drua_is_lost(drua_context *context);

/**
 * Opens the device anew, as drua_open did with the same selector: all images and names are gone, the context stays
 * valid and keeps the budget of drua_set_memory. On failure all is as before. No other call may be under way.
 */
DRUA_API drua_status drua_restart(drua_context *context);

/** Describes the context's device, as drua_device_describe does. */
DRUA_API void drua_context_device(drua_context *context, drua_device_info *info);

/** One line on how drua_open chose the device if the selector did not fit, else "". Valid as long as the context. */
DRUA_API const char *drua_context_note(drua_context *context);

/**
 * One line if a better device is there and cannot be used, or the system has a GPU that OpenCL does not list: which,
 * why, and what serves instead; else "". Programs that people look at show it once. Valid as long as the context.
 */
DRUA_API const char *drua_context_warning(drua_context *context);

/** The name of the context's device, as drua_device_info has it. Valid as long as the context and until drua_restart.
 */
DRUA_API const char *drua_device_name(drua_context *context);

/**
 * Sets how much device memory the context may use at once, such as "64MB", "2GB", "50%" or "512" (MB); NULL or "" takes
 * DRUA_MEMORY from the environment, else 85 % of a GPU's memory and 60 % of the host's for a CPU. More than the device
 * has counts as all of it. DRUA_E_ARGUMENT with a sentence if the text says no size of at least 1 MB.
 */
DRUA_API drua_status drua_set_memory(drua_context *context, const char *budget);

/** Line of the caller's program that the next calls belong to; errors found later name it. 0: unknown. */
DRUA_API void drua_set_line(drua_context *context, int line);

/** Sends all recorded work whose result can still be asked for and waits until the device has done it. */
DRUA_API drua_status drua_sync(drua_context *context);

/** Counters since the context was opened. */
typedef struct drua_statistics {
    uint64_t calls;             /**< operations recorded */
    uint64_t launches;          /**< kernels sent to the device */
    uint64_t chains;            /**< launches that ran a chain of pointwise operations */
    uint64_t chained_steps;     /**< pointwise operations run inside those chains */
    uint64_t compiled_chains;   /**< chains that ran as kernels compiled for them */
    uint64_t programs_built;    /**< programs compiled from source */
    uint64_t programs_loaded;   /**< programs that an earlier run compiled, read from disk */
    uint64_t waits;             /**< times the host waited for the device */
    uint64_t device_bytes;      /**< bytes of device memory held now, pool included */
    uint64_t peak_bytes;        /**< highest value of device_bytes */
    uint64_t budget_bytes;      /**< device_bytes never exceeds it */
    uint64_t host_bytes;        /**< bytes of images that are on the host now because the device had no room */
    uint64_t spilled_bytes;     /**< bytes that went from the device to the host for that reason */
    uint64_t slabs;             /**< tiles of operations whose images were too large for the device at once */
} drua_statistics;

/** Copies the counters; does not wait for the device. */
DRUA_API void drua_get_statistics(drua_context *context, drua_statistics *statistics);

/* ---- images ------------------------------------------------------------------------------------------------- */

/** What an image is. */
typedef struct drua_image_info {
    drua_shape shape;
    drua_type type;
    uint64_t bytes;             /**< width * height * depth * bytes per element */
    int labels;                 /**< 1: the operation that made it makes label maps, else 0 */
} drua_image_info;

/**
 * Creates an image of zeros, which the caller releases with drua_release. Every extent is 1 to 2147483647 pixels, else
 * DRUA_E_ARGUMENT; more than one slice is dimension 3, whatever the shape says. Takes no memory before it is used.
 */
DRUA_API drua_status drua_create(drua_context *context, drua_shape shape, drua_type type, drua_image *image);

/**
 * Creates an image, as drua_create does, with dense pixels of its type, x fastest; they may change as soon as the call
 * returns. What the device has no room for stays in the host's memory. DRUA_E_MEMORY where that is short, too.
 */
DRUA_API drua_status drua_push(drua_context *context, drua_shape shape, drua_type type, const void *pixels,
                               drua_image *image);

/** As drua_push, from one pointer for each of shape.depth planes. */
DRUA_API drua_status drua_push_planes(drua_context *context, drua_shape shape, drua_type type,
                                      const void *const *planes, drua_image *image);

/** Gives an existing image new pixels of its own shape and type, as drua_push_planes does. DRUA_E_NAME if it was
 * released. */
DRUA_API drua_status drua_overwrite_planes(drua_context *context, drua_image image, const void *const *planes);

/** Copies an image's pixels, dense, x fastest, in its own type, to the `bytes` of drua_image_info; sends what makes
 * them, and waits. */
DRUA_API drua_status drua_pull(drua_context *context, drua_image image, void *pixels);

/** As drua_pull, into one pointer for each plane. */
DRUA_API drua_status drua_pull_planes(drua_context *context, drua_image image, void *const *planes);

/** Pixels that are not at fixed addresses, such as those of a virtual machine's arrays. */
typedef struct drua_stream {
    /**
     * Called on the caller's thread, in order: planes up to `last`, counted from 0, are about to be copied, and those
     * before `first` will not be copied again. 0 stops the transfer, which fails with DRUA_E_CANCELLED. NULL: nothing
     * to do.
     */
    int (*prepare)(void *payload, size_t first, size_t last);
    /** Copies `bytes` bytes of a plane from its byte `inside` on, to `memory` or for a pull from there; several threads
     * at once. */
    void (*copy)(void *payload, size_t plane, size_t inside, void *memory, size_t bytes);
    void *payload;
} drua_stream;

/** As drua_push_planes, drua_overwrite_planes and drua_pull_planes. No function of Drua may be called from inside. */
DRUA_API drua_status drua_push_stream(drua_context *context, drua_shape shape, drua_type type,
                                      const drua_stream *stream, drua_image *image);
DRUA_API drua_status drua_overwrite_stream(drua_context *context, drua_image image, const drua_stream *stream);
DRUA_API drua_status drua_pull_stream(drua_context *context, drua_image image, const drua_stream *stream);

/** Shape, type and size of an image, also of one that is not computed yet; does not wait. DRUA_E_NAME if it was
 * released. */
DRUA_API drua_status drua_get_info(drua_context *context, drua_image image, drua_image_info *info);

/** Frees an image; its names are unbound. Recorded work that reads it still runs. DRUA_E_NAME if it was released
 * before. */
DRUA_API drua_status drua_release(drua_context *context, drua_image image);

/**
 * Text that travels with an image (calibration, lookup table, ...). No pixel depends on it; what writes a file reads
 * lines key=value of it, such as "channels=2". A result inherits the text of its first image argument. NULL clears it.
 */
DRUA_API drua_status drua_set_metadata(drua_context *context, drua_image image, const char *text);

/** The image's text or "". Valid until the thread's next call. */
DRUA_API drua_status drua_get_metadata(drua_context *context, drua_image image, const char **text);

/* ---- files -------------------------------------------------------------------------------------------------- */

/**
 * Reads a TIFF file: ImageJ's hyperstacks, also above 4 GB, BigTIFF, strips or tiles, compressions of libtiff. An image
 * has the slices of one channel and one frame, counted from 1; with 0 for both it has what a push in ImageJ takes: the
 * slices of the first channel and frame, else all channels, else all frames. A colour slice is three planes. Scale,
 * colours and labels become the image's text (drua_get_metadata). The image is the caller's. DRUA_E_ARGUMENT for a file
 * that is not there, damaged or unknown, DRUA_E_UNSUPPORTED without libtiff.
 */
DRUA_API drua_status drua_read_tiff(drua_context *context, const char *path, int64_t channel, int64_t frame,
                                    drua_image *image);

/**
 * Writes an image with its text as a TIFF file that ImageJ opens; above 4 GB as a BigTIFF. compression is "none", "lzw"
 * or "deflate"; NULL is none. A file that is there is replaced when the new one is whole, and stays if anything fails.
 */
DRUA_API drua_status drua_write_tiff(drua_context *context, drua_image image, const char *path,
                                     const char *compression);

/* ---- names -------------------------------------------------------------------------------------------------- */

/** Binds a name to an image. A name that was bound before is unbound; an image that has no name left is released. */
DRUA_API drua_status drua_bind(drua_context *context, const char *name, drua_image image);

/** Finds an image by name. DRUA_E_NAME with the nearest names if there is none. */
DRUA_API drua_status drua_find(drua_context *context, const char *name, drua_image *image);

/** Releases the image of that name. DRUA_E_NAME if there is none. */
DRUA_API drua_status drua_release_name(drua_context *context, const char *name);

/** Releases all images, named or not. */
DRUA_API drua_status drua_clear(drua_context *context);

/** All names, one a line, in the order in which they were bound. Valid until the thread's next call. */
DRUA_API const char *drua_names(drua_context *context);

/* ---- operations --------------------------------------------------------------------------------------------- */

typedef enum drua_argument_kind {
    DRUA_ARG_NONE = 0,  /**< output that is to be created, or a parameter left at its preset */
    DRUA_ARG_NUMBER,
    DRUA_ARG_TEXT,
    DRUA_ARG_IMAGE,     /**< a handle */
    DRUA_ARG_ARRAY,     /**< numbers */
    DRUA_ARG_LIST       /**< arguments: names in turn with images, which are handles or texts that name them */
} drua_argument_kind;

/**
 * One argument. Outputs are written back: a created image into `image` (kind becomes DRUA_ARG_IMAGE), a number into
 * `number`, a text into `text` (valid until the thread's next call).
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

/** A table: columns with headings, rows of numbers, row by row in `cells`. Freed by drua_table_free. */
typedef struct drua_table {
    size_t columns, rows;
    char **headings;
    double *cells;
} drua_table;

/** Frees a table with its texts. NULL is allowed. */
DRUA_API void drua_table_free(drua_table *table);

/**
 * Runs an operation by its own name ("gaussian_blur") with arguments in the order of its parameters; images are
 * handles. An image output of kind DRUA_ARG_NONE is created and belongs to the caller; an image given there is
 * overwritten and keeps its shape and type. Arguments left out at the end take their presets. `table` receives the
 * operation's table, if it makes one and `table` is not NULL; it belongs to the caller.
 */
DRUA_API drua_status drua_invoke(drua_context *context, const char *operation, drua_argument *arguments, size_t count,
                                 drua_table **table);

/** A part of an image that an operation makes. */
typedef struct drua_part {
    int64_t first[3], end[3]; /**< pixels from `first` to before `end` along x, y, z; cut to the image; where that is
                                 none, all along the axis */
    drua_shape whole;           /**< out: the shape of the whole image */
    int reads_all; /**< out: 1 if images had to be read as a whole for it, as Otsu's threshold does; else it took what
                      surrounds the part */
} drua_part;

/**
 * As drua_invoke, for a part of the first image that the operation makes, such as the slice on screen: the same pixels
 * as the whole image has there, computed from what these need. The part is a new image of the caller's, and may keep
 * the memory of more than its pixels; other outputs are left out. DRUA_E_UNSUPPORTED for operations that make no image
 * or change one.
 */
DRUA_API drua_status drua_invoke_part(drua_context *context, const char *operation, drua_argument *arguments,
                                      size_t count, drua_part *part);

/**
 * Runs a macro command ("CLIJ2_gaussianBlur3D") with that command's own argument order; images are names (texts).
 * An output name that is empty, a number, or not bound yet follows the naming rules of CLIJ2; the name is written back.
 * Commands that only a host program can do (drua_describe marks them "host") give DRUA_E_UNSUPPORTED.
 */
DRUA_API drua_status drua_command(drua_context *context, const char *command, drua_argument *arguments, size_t count,
                                  drua_table **table);

/** A fresh name for a command's result, such as "CLIJ2_copy_result7". Valid until the thread's next call. */
DRUA_API const char *drua_result_name(const char *command);

/**
 * Everything there is, as JSON: {"version", "operations": [{"name", "category", "summary", "source", "expression",
 * "estimate", "before_example", "menu", "numeric", "mechanism", "host", "parameters": [{"name", "doc", "kind", "unit",
 * "min", "max", "preset", "example", "type", "choices", "settings"}]}], "commands": [{"name", "operation", "arguments":
 * [{"name", "kind", "output", "ignored", "typed"}], "fixed": [{"name", "value"}], "results": [{"column",
 * "parameter"}]}]}. typed: a new output has another type than the operation's own; fixed: what the command does not ask
 * for. A text that there is none of is "", a number null. Static text.
 */
DRUA_API const char *drua_describe(void);

/** One parameter of an operation; the texts are static. */
typedef struct drua_parameter_info {
    const char *name, *doc;
    const char *kind;           /**< as in drua_describe: "image_in", "image_out", "image_inout", "number", ... */
    const char *unit;           /**< "" without one */
    int has_range;
    double minimum, maximum;    /**< inclusive, if has_range */
    double preset;
    const char *preset_text;    /**< NULL: none */
} drua_parameter_info;

/** Number of operations; their indices go from 0. */
DRUA_API size_t drua_operation_count(void);

/** Name of an operation, or NULL. */
DRUA_API const char *drua_operation_name(size_t operation);

/** Family of an operation, such as "filter" or "labels", or NULL. */
DRUA_API const char *drua_operation_category(size_t operation);

/** 1 if an operation touches some pixels of its images only, so that their bytes are no floor for its time. */
DRUA_API int drua_operation_reads_part(size_t operation);

/** Describes a parameter of an operation. DRUA_E_ARGUMENT behind the last one. */
DRUA_API drua_status drua_operation_parameter(size_t operation, size_t parameter, drua_parameter_info *info);

/* ---- images larger than any memory ------------------------------------------------------------------------------ */

/** How far drua_process_file is. */
typedef struct drua_process_progress {
    const char *what; /**< is counted now: "blocks measured", "blocks", "levels", ... */
    int64_t done, all; /**< of these; all is 0 where it is not known yet */
    double left; /**< seconds that these still take, by what devices and files have shown; 0: not known */
    const char *plan; /**< once, before the first block: lines for people with images, blocks and memory; else NULL */
    const char *line; /**< something that people should know, once, such as a device that was left out; NULL: nothing */
} drua_process_progress;

/** Told now and then, on the caller's thread, how far the work is; returns 0 to stop it. No function of Drua may be
 * called from inside. */
typedef int (*drua_process_watch)(void *payload, const drua_process_progress *progress);

/**
 * Runs a pipeline on an image file block by block, as `drua process` does, and returns when the output is whole and was
 * read again. No context is needed: devices are opened for it. pipeline: a file of macro commands, or an operation with
 * its settings, "gaussian_blur sigma_x=2 sigma_y=2". input: OME-Zarr, N5 or TIFF. output: an OME-Zarr (.zarr) or TIFF
 * (.tif), of several results the folder of these; it has its name only when it is whole. Paths are meant from the
 * working folder of the process.
 * settings: "name=value" with blanks between, in quotes where a value has blanks; NULL or "" for none. memory (of a
 * device, as drua_set_memory takes it), host_memory ("8GB"), devices ("all": the best and all of its kind, or selectors
 * of drua_open with commas between; the best), device (that plans), block, chunk, shard ("X,Y,Z", in pixels),
 * compression, zarr ("0.4", "0.5"), and the words anew, which forgets blocks of another plan, and overwrite, which lets
 * the output replace a file or an image that is there and else is kept. An output that is the input, or lies in it or
 * around it, is refused. watch: NULL for nobody.
 * Work that is stopped ends when the blocks in hand are done. After DRUA_E_CANCELLED, DRUA_E_DEVICE, DRUA_E_NO_DEVICE,
 * DRUA_E_MEMORY or DRUA_E_AWAY the same call goes on with what is left, which is kept in OUTPUT.plan.json and
 * OUTPUT.plan.json.journal; so it does after a crash. DRUA_E_ARGUMENT, DRUA_E_NAME or DRUA_E_UNSUPPORTED, before
 * anything is written, for a pipeline that cannot run by blocks, with the command and its line, for files that are not
 * there, and for settings. From any thread; an output is one call's at a time.
 */
DRUA_API drua_status drua_process_file(const char *pipeline, const char *input, const char *output,
                                       const char *settings, drua_process_watch watch, void *payload);

/* ---- reports ------------------------------------------------------------------------------------------------ */

/** Images with names, sizes and where they live, and the pool: text for a log window. Valid until the thread's next
 * call. */
DRUA_API const char *drua_report_memory(drua_context *context);

/** Told how far a check is, 0 to 1; returns 0 to stop it. */
typedef int (*drua_check_watch)(void *payload, double part);

/**
 * Tests this computer: the OpenCL library, the cache folder, and of each device its driver, eight operations with known
 * results and its copy rates. `report` is a text for people, also on failure, whose reason it ends with; it is valid
 * until the thread's next call. Takes seconds for each device, between which steps `watch`, if it is not NULL, is told.
 * The errors of drua_open; DRUA_E_DEVICE if no device gives the right results; DRUA_E_CANCELLED if the watch stops it.
 */
DRUA_API drua_status drua_check_computer(drua_check_watch watch, void *payload, const char **report);

/**
 * What calls that went well have left for people since this was asked last, a line each: that a device was left out, or
 * had too little memory for a part of the work. "" if there is nothing. Valid until the thread's next call.
 */
DRUA_API const char *drua_take_lines(drua_context *context);

/**
 * The first command since this was asked last whose result did not fit the image that had its name: a sentence with the
 * command, the name, both extents and the line of drua_set_line. "" if every result fitted. Valid until the thread's
 * next call.
 */
DRUA_API const char *drua_take_misfit(drua_context *context);

/**
 * What the last launches did, one line each, the newest last: which operations, joined or not, images read and written,
 * bytes, which variant of a kernel and why; while drua_time_launches or drua_trace is on also the time and its share of
 * the device's copy rate. Waits if a time is told. Valid until the thread's next call.
 */
DRUA_API const char *drua_explain(drua_context *context);

/**
 * Measures how fast the device copies memory with 16-byte accesses: reads and writes of `bytes` bytes each, median of
 * nine. The rate counts bytes read plus bytes written a second; no operation can be faster than its bytes at this rate.
 */
DRUA_API drua_status drua_measure_copy(drua_context *context, uint64_t bytes, double *bytes_per_second);

/** Measures how fast the device multiplies and adds float32 numbers: operations a second (two for each fused step),
 * median of nine. */
DRUA_API drua_status drua_measure_arithmetic(drua_context *context, double *operations_per_second);

/**
 * Starts or stops measuring launches, for drua_explain: while on, each is waited for before and after. What is joined
 * stays joined, and results are the same.
 */
DRUA_API drua_status drua_time_launches(drua_context *context, int on);

/**
 * How long kernels took on the device since this was asked last, a line each, the longest first: name, launches,
 * milliseconds, with tabs between; of all devices of the process. Waits for what was sent. "" unless the environment
 * had DRUA_TIME_KERNELS when the process opened its first device: launches take some microseconds more then. Valid
 * until the thread's next call.
 */
DRUA_API const char *drua_profile(drua_context *context);

/** Starts or stops measuring each call; while on, every call waits for the device so that times belong to calls. */
DRUA_API drua_status drua_trace(drua_context *context, int on);

/**
 * The times measured since the last start, two lines a call: "> CLIJ2_gaussianBlur3D", "< CLIJ2_gaussianBlur3D 1.25
 * ms". Valid until the thread's next call.
 */
DRUA_API const char *drua_trace_text(drua_context *context);

#ifdef __cplusplus
}
#endif

#endif
