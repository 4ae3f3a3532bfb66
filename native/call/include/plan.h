/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Everything that an operation may use: its arguments, device memory, launches, calls of other operations, results.
 * plan_files.h, plan_fft.h and plan_devices.h declare what only a few operations need: files, Fourier transforms,
 * several devices.
 *
 * Errors are sticky. After the first failure every function does nothing and returns zeros, or views that have an
 * extent but no memory. The engine reports that failure, so an operation needs no checks. Arguments are found by the
 * name of their parameter. Called under the context's lock.
 */
#ifndef DRUA_PLAN_H
#define DRUA_PLAN_H

#include "arguments.h"
#include "op.h"
#include "tile.h"

/** An argument of a call inside a composite (op->build), or the result of such a call. */
typedef struct drua_operand {
    struct drua_value *image;
    double number;
    const char *text;
} drua_operand;

/* ---- arguments */

/** The value of a number, an integer or a boolean argument, checked against the parameter, or its default. */
double plan_number(drua_plan *plan, const char *name);
int64_t plan_integer(drua_plan *plan, const char *name);
bool plan_flag(drua_plan *plan, const char *name);

/** A text argument, or the metadata of an image argument; "" if it is missing. Valid until the call ends. */
const char *plan_text(drua_plan *plan, const char *name);

/** The numbers of an array argument and their count; NULL and 0 if it is missing. Valid until the call ends. */
const double *plan_array(drua_plan *plan, const char *name, size_t *length);

/** Index of the chosen entry of a choice. */
int plan_choice(drua_plan *plan, const char *name);

/**
 * Checks that a number from a text argument is a whole number and returns it. Otherwise the call fails, except that
 * commands with a CLIJ prefix truncate, as CLIJ2 does.
 */
double plan_whole_number(drua_plan *plan, const char *name, double number);

/**
 * A setting of a text "name=value name=value": a number, 0 or 1, or the index of a choice; the default if the text does
 * not name it. The text was already checked against the parameter's settings.
 */
double plan_setting(drua_plan *plan, const char *options, const char *name);

/** Reads the numbers of a setting that is an array, such as "name=1,1,3". Sets as many as the setting's default has. */
void plan_setting_numbers(drua_plan *plan, const char *options, const char *name, double *numbers);

/** Copies a setting that is a text; "" if `options` does not name it. */
enum { DRUA_SETTING_TEXT = 128 };
void plan_setting_text(drua_plan *plan, const char *options, const char *name, char text[DRUA_SETTING_TEXT]);

/** Shape and type of an image argument or, once its rule has run, of an output. */
drua_shape plan_shape(drua_plan *plan, const char *image);
drua_type plan_type(drua_plan *plan, const char *image);

/** Fails the call unless two images have the same extent. */
void plan_check_same_extent(drua_plan *plan, const char *image, const char *other);

/**
 * Sets size[0..2] to the width, height and depth of an image's voxels, from its metadata. An axis without a positive,
 * finite size there gets 1, and the function returns false.
 */
bool plan_voxel_size(drua_plan *plan, const char *image, double size[3]);

/** Copies the unit of an image's voxel size, such as "micron", from its metadata; "" if that has no unit. */
void plan_voxel_unit(drua_plan *plan, const char *image, char unit[DRUA_SETTING_TEXT]);

/** The `steps` of an operation whose outputs differ from its first image in extent but not in voxel size. */
void plan_same_voxels(drua_plan *plan, double steps[3][3]);

/** The `place` of an operation whose outputs begin where its first image begins. */
void plan_same_place(drua_plan *plan, double first[3]);

/**
 * For a part of an image: the extent of the whole image, and the position of the part's first pixel in it. For a whole
 * image: its own extent and position 0.
 */
drua_shape plan_whole_shape(drua_plan *plan, const char *image, int64_t origin[3]);

/**
 * Whether this part of the destination, whose pixels each cover `step` pixels of the source, lies beyond the source.
 * The engine still gives such a part a pixel to read, but the operation must not use it.
 */
bool plan_is_beyond_source(drua_plan *plan, const int64_t step[3]);

/** An image of a parameter of kind images. Several names may refer to the same memory. */
typedef struct drua_named_image {
    const char *name;
    drua_shape shape;
    drua_view view;
    size_t first;               /**< index of the first entry with this image */
} drua_named_image;

/**
 * The `count` entries of a parameter of kind images, in the caller's order. The memory lives as long as the call. NULL
 * and 0 after a failure.
 */
drua_named_image *plan_named_images(drua_plan *plan, const char *name, size_t *count);

/** Fails the call with an error message, to which the operation's name is prepended. */
void plan_fail(drua_plan *plan, const char *format, ...);
/** Like plan_fail for a call that the operation cannot run, such as one block by block: DRUA_E_UNSUPPORTED. */
void plan_fail_unsupported(drua_plan *plan, const char *format, ...);
/** Returns whether the call has failed. */
bool plan_failed(const drua_plan *plan);

/**
 * Adds a message for the user about a successful call, which drua_take_messages returns. The engine prepends the
 * operation's name.
 */
void plan_add_message(drua_plan *plan, const char *format, ...);

/** Prepends the location of a failure to its error message, such as "channel 2, frame 3". */
void plan_locate_failure(drua_plan *plan, const char *where);

/** Like plan_fail for a lack of device memory; the call then runs in parts if the operation supports that. */
void plan_fail_memory(drua_plan *plan, const char *format, ...);

/** Waits for an image's largest value, an integer of at least 0. 2^32 - 1 and float32 values near it fail the call. */
int64_t plan_largest_value(drua_plan *plan, const char *image);

/**
 * The largest label of a label map, like plan_largest_value. NaN and numbers below 1 count as background. Fails the
 * call if the image contains pixels that are NaN, negative or between 0 and 1 but no label: then it is not a label map.
 * An image of zeros is allowed.
 */
int64_t plan_largest_label(drua_plan *plan, const char *image);

/** Largest number of pixels that 32-bit counters can count. */
int64_t plan_max_countable_pixels(const drua_plan *plan);

/** Properties and counters of the device. */
const drua_device_info *plan_device(drua_plan *plan);
const drua_statistics *plan_statistics(drua_plan *plan);

/** LANES of the kernels: pixels per work-item of a streaming kernel. */
int plan_lanes(drua_plan *plan);

/* ---- device memory */

/** The argument's pixels: to read for inputs, to write for outputs, both for images that are changed in place. */
drua_view plan_image(drua_plan *plan, const char *name);

/** Scratch pixels with undefined content that live as long as the call. */
drua_view plan_scratch(drua_plan *plan, drua_shape shape, drua_type type);

/** Like plan_scratch, with the extent of `like`. Rows are aligned to whole vectors if those of `like` are. */
drua_view plan_scratch_like(drua_plan *plan, drua_layout like, drua_type type);

/** Scratch memory of `bytes` bytes, seen as a line of uint32. */
drua_view plan_scratch_bytes(drua_plan *plan, uint64_t bytes);

/** Fills a view's memory with zeros. */
void plan_clear(drua_plan *plan, drua_view view);

/** Copies pixels to the position x, y, z of another image, converted to its type; pixels outside are dropped. */
void plan_copy(drua_plan *plan, drua_view from, drua_view to, int64_t x, int64_t y, int64_t z);

/** Copies the first `bytes` bytes to the host; waits. */
void plan_read(drua_plan *plan, drua_view view, void *host, size_t bytes);

/** Copies all pixels of an image to the host as float32, without the gaps that rows may have on the device; waits. */
void plan_read_floats(drua_plan *plan, drua_view image, float *pixels);

/** Copies dense slices to the host, with a stride of `slice_stride` bytes between slices; waits. */
void plan_read_slices(drua_plan *plan, drua_view view, void *host, size_t slice_stride);

/** Copies dense host pixels of the view's type to the device. */
void plan_write(drua_plan *plan, drua_view view, const void *host);

/** Like plan_write, for slices with a stride of `slice_stride` bytes on the host. */
void plan_write_slices(drua_plan *plan, drua_view view, const void *host, size_t slice_stride);

/** Host memory that lives as long as the call, zeroed. NULL after a failure. */
void *plan_host_memory(drua_plan *plan, size_t bytes);

/**
 * Like plan_host_memory, but returns the same memory each time, so that an operation finds in `launch` or `place` what
 * its shape rule computed. Each tile has separate memory.
 */
void *plan_kept_memory(drua_plan *plan, size_t bytes);

/** Frees scratch before the call ends. */
void plan_free_scratch(drua_plan *plan, drua_view scratch);

/** `count` slices of a view from `first` on, as a separate image. */
drua_view plan_slices(drua_view view, int32_t first, int32_t count);

/** Bytes of device memory that are free within the budget. */
uint64_t plan_memory_left(drua_plan *plan);

/* ---- tiles: parts of images that go to the device one after another if it cannot hold them at once */

/**
 * Inputs to read and an output to write, tile by tile. The operation sets the members above the empty line, which
 * default to 0; plan_next_tile sets the others.
 *
 *   for (drua_tiles t = {.inputs = {labels}, .output = "destination"}; plan_next_tile(p, &t);)
 *       LAUNCH(p, "paint", plan_tile_grid(plan_grid(t.to.layout), &t), ARG(t.from[0]), ARG(t.to));
 *
 * Layers are slices, or rows of a plane. An image that the device holds, or whose rows have gaps, is not copied: its
 * tile is a view of it.
 */
typedef struct drua_tiles {
    drua_view inputs[2]; /**< the second one is cut only if it has the extents of the first; otherwise each tile gets
                              all of it */
    const char *output; /**< output with `by_tiles`, cut into tiles; smaller inputs repeat their last layers */
    int64_t halo; /**< layers beyond each side of a tile that its inputs include, where they exist */
    int64_t thickness; /**< layers of a tile, also if the device can hold everything; 0: as many as fit, rounded down to
                            an even number, at least 1 */
    int64_t multiple;       /**< tiles of rows begin at a multiple of this number */
    int axis; /**< axis along which images are cut: 1 rows, 2 slices; 0: slices of a stack, rows of a
                                 plane */
    bool rows;              /**< for inputs: a slice that does not fit is cut into rows */
    bool separate; /**< tiles are separate images. Otherwise pixels keep their positions in the whole image, and the
                        view ends with the tile */
    bool backwards;         /**< starts with the last tile */

    drua_tile at;           /**< positions in the whole images; `read` is that of the first input */
    drua_view from[2], to;  /**< pixels of the tile, valid until the next one is requested */
    drua_box all;           /**< union of all tiles */
    int64_t step[3]; /**< extent of a tile; the last one may be smaller */
    int64_t number; /**< number of tiles requested */
    bool whole;             /**< inputs are not cut */
} drua_tiles;

/**
 * Advances to the next tile. Returns false after the last one or a failure. Frees the inputs of the previous tile and
 * copies its output to the host; after false there is nothing to free.
 */
bool plan_next_tile(drua_plan *plan, drua_tiles *tiles);

/** The grid for the layers of a tile, from that of a kernel with a work-item per layer. */
drua_grid plan_tile_grid(drua_grid grid, const drua_tiles *tiles);

/**
 * Copies a box of an image with contiguous rows to dense scratch memory on the device. Moves the image to the host
 * first if necessary. If the last row of the box goes beyond the image's memory, the pixels there are undefined.
 */
drua_view plan_send_box(drua_plan *plan, drua_view view, const drua_box *box);

/**
 * The first pixel of a view on the host, to which its memory moves if necessary. NULL after a failure. Borrowed until a
 * kernel of this engine uses the view; any thread may read.
 */
const void *plan_host_pixels(drua_plan *plan, drua_view view);

/** Whether the device has room for two views at once; otherwise they are read in tiles. */
bool plan_fits_both(drua_plan *plan, drua_view a, drua_view b);

/** Whether the device has room for a view's memory and this many bytes of scratch. */
bool plan_fits_with_scratch(drua_plan *plan, drua_view view, uint64_t bytes);

/** Number of parts into which this many bytes must be divided so that each fits the device with room to spare. */
int64_t plan_part_count(drua_plan *plan, int64_t bytes);

/* ---- long calls */

/** Monotonic time in seconds. */
double plan_seconds(void);

/** Reports the fraction of the call's work that was sent to the device, 0 to 1. */
void plan_progress(drua_plan *plan, double fraction);

/** From now on, a request to stop does not end the call. plan_is_stopped returns whether the user has asked to stop. */
void plan_keep_partial(drua_plan *plan);
bool plan_is_stopped(drua_plan *plan);

/* ---- launches */

/** Launches a kernel that the build embeds; does not wait for it. */
void plan_launch(drua_plan *plan, const char *kernel, drua_grid grid, const drua_arg *arguments);

/** LAUNCH(p, "kernel", GRID(w, h, d, 32, 8, 1), ARG(view), INT(n), REAL(s), TABLE(bytes, length), LOCAL(bytes)) */
#define LAUNCH(plan, kernel, grid, ...)                                                                                \
    plan_launch(plan, kernel, grid, (const drua_arg[]){__VA_ARGS__, {.kind = DRUA_LAUNCH_END}})

/**
 * Like plan_launch, for operations with DRUA_PROLOGUE and kernels with PROLOGUE_PARAMETERS
 * (kernels/specialized/common/common.cl). If a pending chain of pointwise operations computes the operation's first
 * image, the kernel computes this chain where it reads the image. If no kernel with this chain is ready, the chain gets
 * a separate pass. plan_prologue_bytes returns the bytes per pixel that the chain reads, or 0 without a chain.
 */
void plan_launch_with_prologue(drua_plan *plan, const char *kernel, drua_grid grid, const drua_arg *arguments);
int plan_prologue_bytes(const drua_plan *plan, drua_view view);
#define LAUNCH_WITH_PROLOGUE(plan, kernel, grid, ...) \
    plan_launch_with_prologue(plan, kernel, grid, (const drua_arg[]){__VA_ARGS__, {.kind = DRUA_LAUNCH_END}})

/** A kernel below kernels/specialized, and the constants for which it is compiled, such as "RADIUS=3 STEP=1". */
typedef struct drua_specialized {
    const char *kernel, *constants;
    bool prefers_unfused; /**< a following chain that reads further images is not fused into this kernel unless
                               measurement finds that faster */
    bool compiles_slowly; /**< takes seconds: general kernels serve until it is compiled in the background */
} drua_specialized;

/**
 * Launches a specialized kernel, for GPUs. Returns false if the kernel is not ready, the device is a CPU, or the work
 * is too small. Then the operation launches its general kernel, whose result must be bit-identical.
 */
bool plan_launch_specialized(drua_plan *plan, const drua_specialized *kernel, drua_grid grid,
                             const drua_arg *arguments);
#define LAUNCH_SPECIALIZED(plan, kernel, grid, ...) \
    plan_launch_specialized(plan, kernel, grid, (const drua_arg[]){__VA_ARGS__, {.kind = DRUA_LAUNCH_END}})

/**
 * Compiles a kernel from a user's source code, which follows the built-in source of a family, and launches it. Compiled
 * kernels are cached by their source. A line with DRUA_PART and a name begins a part of the source. A compiler error
 * fails the call and names the part and the line.
 */
#define DRUA_PART "//: "
void plan_launch_user_kernel(drua_plan *plan, const char *family, const char *source, const char *kernel,
                             drua_grid grid, const drua_arg *arguments);

/**
 * Whether plan_launch_specialized is preferred even if another kernel is faster: pointwise operations could be fused
 * into its launch, or the user asked for compiled kernels at once (DRUA_CHAINS=compile).
 */
bool plan_prefers_specialized(const drua_plan *plan);

/**
 * Chooses one of `count` variants (at most 4) whose results are bit-identical. Returns the fastest one measured on this
 * device for work of this `kind` (a word) on about `pixels` pixels, or the variant `preset` if timing does not pay.
 * `kernels` names the kernels of all variants, that of `preset` first; NULL ends the list. On GPUs, `preset` runs until
 * a background thread has built all kernels. While the fastest variant is unknown, the rest of the call is timed, so a
 * call can make only one such choice.
 */
int plan_choose_variant(drua_plan *plan, const char *kind, int64_t pixels, int count, int preset,
                        const char *const *kernels);

/** The usual grid: one work-item per pixel. */
drua_grid plan_grid(drua_layout layout);

/** Like plan_grid, with one work-item for four pixels of a row; the last one has the row's remaining pixels. */
drua_grid plan_grid_vec4(drua_layout layout);

/** The grid for kernels whose work-items compute a vector of pixels, with this many rows per work-group. */
drua_grid plan_grid_of_vectors(drua_plan *plan, drua_layout layout, int32_t rows);

/* ---- parts: rules for op->parts that several operations share */

/** An output pixel needs only the input pixels at its position. */
void plan_parts_pixels(drua_plan *plan, drua_parts *parts);

/** An output pixel also needs the direct neighbours. */
void plan_parts_neighbours(drua_plan *plan, drua_parts *parts);

/** An output pixel needs a box of radius_x, radius_y, radius_z. */
void plan_parts_radii(drua_plan *plan, drua_parts *parts);

/** An output pixel needs all of its slice and no other slice. */
void plan_parts_slices(drua_plan *plan, drua_parts *parts);

/** In a part: the scratch that the whole call provided (drua_parts); otherwise a view without a buffer. */
drua_view plan_tile_scratch(drua_plan *plan);

/* ---- views: only inside op->view */

/** Makes the output share the input's memory under another layout. */
void plan_share(drua_plan *plan, const char *output, const char *input, drua_layout layout);

/* ---- composites: only inside op->build */

/** Operands of plan_call: an image argument of this call, a number, a text. */
drua_operand plan_operand(drua_plan *plan, const char *image);
#define NUMBER(value) ((drua_operand){.number = (value)})
#define TEXT(value) ((drua_operand){.text = (value)})

/**
 * Calls another operation with its inputs in the order of its parameters; outputs are left out, and missing inputs take
 * their defaults. Returns its first image output as an image of `type` (DRUA_NO_TYPE: by the operation's rule). CALL(p,
 * "gaussian_blur", DRUA_FLOAT32, source, NUMBER(1), NUMBER(1), NUMBER(0))
 */
drua_operand plan_call(drua_plan *plan, const char *operation, drua_type type, const drua_operand *operands,
                       size_t count);
#define CALL(plan, operation, type, ...)                                                                               \
    plan_call(plan, operation, type, (const drua_operand[]){__VA_ARGS__},                                              \
              sizeof((const drua_operand[]){__VA_ARGS__}) / sizeof(drua_operand))

/**
 * Like plan_call, for work that an operation wants to run in tiles. `op` is a descriptor that is private to the
 * operation's file and invisible to users. Errors name the calling operation. The functions of `op`, called once or for
 * each tile, get `state` from plan_state.
 */
drua_operand plan_call_private(drua_plan *plan, const drua_op *op, void *state, drua_type type,
                               const drua_operand *operands, size_t count);
void *plan_state(drua_plan *plan);

/**
 * Whether this is a trial call, which only finds out whether a tile fits into memory. The operation then allocates
 * everything that the real call needs and computes as little as it can; its results are not used.
 */
bool plan_is_trial(const drua_plan *plan);

/** Extent of an operand that is an image; zeros after a failure. */
drua_shape plan_operand_shape(drua_plan *plan, drua_operand operand);

/** Pixels of an operand that is an image. */
drua_view plan_operand_image(drua_plan *plan, drua_operand operand);

/** Releases the result of plan_call early, before the running call ends. */
void plan_release_image(drua_plan *plan, drua_operand operand);

/** Like plan_call, for the first `wanted` number outputs of an operation. Sets them to 0 after a failure. */
void plan_call_numbers(drua_plan *plan, const char *operation, const drua_operand *operands, size_t count,
                       double *numbers, size_t wanted);

/** Like plan_call_numbers, for the first number output only. */
double plan_call_number(drua_plan *plan, const char *operation, const drua_operand *operands, size_t count);

/**
 * Makes `result` the result of the output. If the output image exists already, `result` is converted to its type and
 * shape.
 */
void plan_return(drua_plan *plan, const char *output, drua_operand result);

/* ---- results that are not images */

/** Sets an output that is a number or a text. The text is copied. */
void plan_set_number(drua_plan *plan, const char *name, double value);
void plan_set_text(drua_plan *plan, const char *name, const char *text);

/**
 * Makes the table and returns its uninitialized cells, row by row. The operation must fill all cells before the call
 * ends. NULL after a failure.
 */
double *plan_new_table(drua_plan *plan, const char *const *headings, size_t columns, size_t rows);

/** Sets the table: `headings` are static texts; `cells` (rows x columns, row by row) is copied. */
void plan_set_table(drua_plan *plan, const char *const *headings, size_t columns, const double *cells, size_t rows);

#endif
