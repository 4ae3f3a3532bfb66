/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All that an operation may use: its arguments, device memory, launches, calls of other operations, results.
 * Errors stick: after the first failure every further call does nothing and returns zeros, and images without memory
 * but with their extents; the engine reports that failure, so an operation needs no checks of its own after each line.
 * Arguments are found by the parameter's name. Called under the context's lock.
 */
#ifndef DRUA_PLAN_H
#define DRUA_PLAN_H

#include "arguments.h"
#include "op.h"
#include "tile.h"

/* ---- arguments */

double plan_number(drua_plan *plan, const char *name);
int64_t plan_integer(drua_plan *plan, const char *name);
bool plan_flag(drua_plan *plan, const char *name);
const char *plan_text(drua_plan *plan, const char *name);
const double *plan_array(drua_plan *plan, const char *name, size_t *length);

/** Number of the chosen entry of a choice. */
int plan_choice(drua_plan *plan, const char *name);

/**
 * A number of a text argument where a whole number is due. For others the call fails; commands of CLIJ's prefixes
 * truncate, as CLIJ2 does.
 */
double plan_whole_number(drua_plan *plan, const char *name, double number);

/**
 * A setting of a text "name=value name=value": number, 0 or 1, or number of the chosen entry; its preset where the text
 * does not name it. Texts were checked against the parameter's settings before.
 */
double plan_setting(drua_plan *plan, const char *options, const char *name);

/** The numbers of a setting that is an array, "name=1,1,3": as many as its preset has. */
void plan_setting_numbers(drua_plan *plan, const char *options, const char *name, double *numbers);

/** A setting that is a text; "" where it is not named. */
enum { DRUA_SETTING_TEXT = 128 };
void plan_setting_text(drua_plan *plan, const char *options, const char *name, char text[DRUA_SETTING_TEXT]);

/** Shape and type of an image argument or, once its rule has run, of an output. */
drua_shape plan_shape(drua_plan *plan, const char *image);
drua_type plan_type(drua_plan *plan, const char *image);

/** The `steps` of an operation whose outputs have other extents than its first image and the same voxels. */
void plan_same_voxels(drua_plan *plan, double steps[3][3]);

/** In a part, the extent of the image that it is a part of, and the position of its first pixel there; else its own and
 * 0. */
drua_shape plan_whole_shape(drua_plan *plan, const char *image, int64_t origin[3]);

/**
 * Whether this part of the destination, whose pixels each stand for `step` of the source, lies behind the source. A
 * part has at least one pixel to read, here one that does not belong to it.
 */
bool plan_is_behind(drua_plan *plan, const int64_t step[3]);

/** One of the images of a parameter of kind images. An image under several names is one and the same memory. */
typedef struct drua_named {
    const char *name;
    drua_shape shape;
    drua_view view;
    size_t first;               /**< number of the first entry with this image */
} drua_named;

/** What the parameter of kind images holds, in the caller's order; NULL after a failure. */
drua_named *plan_named_images(drua_plan *plan, const char *name, size_t *count);

/** Fails the call: a sentence without the operation's name, which is put in front. */
void plan_fail(drua_plan *plan, const char *format, ...);
bool plan_failed(const drua_plan *plan);

/** Puts in front of the sentence of a call whose arguments failed in which part of them that was, such as "channel 2,
 * frame 3". */
void plan_locate_failure(drua_plan *plan, const char *where);

/** As plan_fail, where the device's memory is too small: an operation that can runs in parts then. */
void plan_fail_memory(drua_plan *plan, const char *format, ...);

/** Largest value of an image argument as an integer of at least 0; computed on the device once for each value; waits.
 * UINT32_MAX is refused. */
int64_t plan_largest_label(drua_plan *plan, const char *image);

/** How many pixels numbers of 32 bits count. */
int64_t plan_most_counted(const drua_plan *plan);

const drua_device_info *plan_device(drua_plan *plan);
const drua_statistics *plan_statistics(drua_plan *plan);

/** LANES of the kernels: pixels that a work-item of a streaming kernel handles. */
int plan_lanes(drua_plan *plan);

/* ---- device memory */

/** The argument's pixels: of an input to read, of an output to write, of an image changed in place both. */
drua_view plan_image(drua_plan *plan, const char *name);

/** Undefined pixels that live as long as the call. */
drua_view plan_scratch(drua_plan *plan, drua_shape shape, drua_type type);

/** The same of a layout's extent; rows begin with whole vectors where those of the layout do. */
drua_view plan_scratch_like(drua_plan *plan, drua_layout like, drua_type type);

/** Scratch memory of `bytes` bytes, seen as a line of uint32. */
drua_view plan_memory(drua_plan *plan, uint64_t bytes);

/** Fills a view's memory with zeros. */
void plan_clear(drua_plan *plan, drua_view view);

/** Copies pixels to x, y, z of another image, converted to its type; what falls outside is dropped. */
void plan_copy(drua_plan *plan, drua_view from, drua_view to, int64_t x, int64_t y, int64_t z);

/** Copies the first `bytes` bytes to the host; waits. */
void plan_read(drua_plan *plan, drua_view view, void *host, size_t bytes);

/** Copies dense slices to the host, where they are so many bytes apart; waits. */
void plan_read_slices(drua_plan *plan, drua_view view, void *host, size_t apart);

/** Copies dense host pixels of the view's type to the device. */
void plan_write(drua_plan *plan, drua_view view, const void *host);

/** The same of slices that are so many bytes apart on the host. */
void plan_write_slices(drua_plan *plan, drua_view view, const void *host, size_t apart);

/** Host memory that lives as long as the call, zeroed. NULL after a failure. */
void *plan_host(drua_plan *plan, size_t bytes);

/** Gives scratch back before the call ends. */
void plan_drop(drua_plan *plan, drua_view scratch);

/** `count` slices of a view from `first` on, as an image of its own. */
drua_view plan_slices(drua_view view, int32_t first, int32_t count);

/** Bytes of device memory that are still free within the budget. */
uint64_t plan_memory_left(drua_plan *plan);

/* ---- the image file that a parameter of kind path names, TIFF or in chunks; the first four also inside shape and type
 * rules */

/** Opens it and chooses a channel and frame, from 1; 0 for both: what a push in ImageJ takes. Before the others, once a
 * call. */
void plan_open_file(drua_plan *plan, const char *path, int64_t channel, int64_t frame);

/** The same for what a text of settings says: arrays channels, frames (first and last, from 1), origin, size (x, y, z),
 * and level; zeros: all. */
void plan_open_box(drua_plan *plan, const char *path, const char *options);

/**
 * Extent and type of what was chosen. Where nothing was, of all frames, which must be grey values: the slices of the
 * first channel, or its frames if it has one slice.
 */
drua_shape plan_file_shape(drua_plan *plan, const char *path);
drua_type plan_file_type(drua_plan *plan, const char *path);

/** Some of them as dense scratch. In order they are read ahead; the host never holds more than some. */
drua_view plan_file_frames(drua_plan *plan, const char *path, int64_t first, int32_t count);

/** The same of some rows of each. */
drua_view plan_file_rows(drua_plan *plan, const char *path, int64_t first, int32_t count, int64_t row, int32_t rows);

/** Makes what was chosen an output whose parameter says `replaces`, with the file's text. Others may use the device
 * while pixels move. */
void plan_read_file(drua_plan *plan, const char *output);

/**
 * Writes an image with its text, by the path's ending as TIFF or OME-Zarr; `compression` as drua_write_tiff takes it. A
 * file that is there is replaced when the new one is whole. Only inside op->build.
 */
void plan_write_file(drua_plan *plan, const char *image, const char *path, const char *compression);

/**
 * Writes OME-Zarr with its levels by a text of settings: version, compression, chunk, shard, levels, labels; NULL:
 * their presets, with that compression (NULL: the preset too). Only inside op->build.
 */
#define DRUA_CHUNK_COMPRESSIONS "blosc-lz4", "blosc-zstd", "zstd", "gzip", "zlib", "none"
void plan_write_chunks(drua_plan *plan, const char *image, const char *path, const char *options,
                       const char *compression);

/* ---- tiles: parts of images that go to the device one after the other where it does not hold them at once */

/**
 * Inputs to read and an output to write, tile by tile. What the operation asks for stands first and is 0 where it asks
 * nothing; the rest plan_next_tile finds. for (drua_tiles t = {.inputs = {labels}, .output = "destination"};
 * plan_next_tile(p, &t);) LAUNCH(p, "paint", plan_tile_grid(plan_grid(t.to.layout), &t), ARG(t.from[0]), ARG(t.to));
 * Layers are slices, or rows of a plane. An image that the device holds, or whose rows have gaps, is not copied: its
 * tile is a view of it.
 */
typedef struct drua_tiles {
    drua_view inputs[2]; /**< the second one is cut only where it has the extents of the first; else it comes whole with
                            each tile */
    const char *output; /**< parameter that says by_slices; tiles are of its extents, and show the last layers of
                           smaller inputs */
    int64_t halo;           /**< layers to both sides of a tile that its inputs show too, as far as there are such */
    int64_t thickness; /**< layers of a tile, which is then sent even if the device holds all; 0: as many as fit, an
                          even number or one */
    int64_t multiple;       /**< tiles of some rows begin at a multiple of so many */
    int axis;               /**< 2: slices also of a plane */
    bool rows;              /**< inputs: a slice that does not fit is cut into rows */
    bool separate; /**< tiles are images of their own; else pixels keep their positions in the whole image, whose end a
                      tile cuts off */
    bool backwards;         /**< the last tile comes first */

    drua_tile at;           /**< positions in the whole images; `read` those of the first input */
    drua_view from[2], to;  /**< the tile's pixels, until the next one is asked for */
    drua_box all;           /**< what all tiles are together */
    int64_t step[3];        /**< extents of a tile; the last one may have less */
    int64_t number;         /**< how many there were */
    bool whole;             /**< inputs are not cut */
} drua_tiles;

/**
 * The next tile, while there is one and nothing failed. Frees what the tile before it read and copies what that wrote
 * to the host; once it returned false nothing is left to free.
 */
bool plan_next_tile(drua_plan *plan, drua_tiles *tiles);

/** The grid of a kernel with an item for each layer, for those of a tile. */
drua_grid plan_tile_grid(drua_grid grid, const drua_tiles *tiles);

/**
 * A box of an image, whose pixels follow each other in rows, as dense scratch. The image goes to the host if it is not
 * there. Pixels that its last row lacks are undefined.
 */
drua_view plan_send_box(drua_plan *plan, drua_view view, const drua_box *box);

/**
 * The first pixel of a view on the host, where its memory goes if it is not there; NULL after a failure. Borrowed until
 * a kernel of this plan's engine uses the view; any thread may read.
 */
const void *plan_host_pixels(drua_plan *plan, drua_view view);

/** Whether the device has room for two views at once; where it has not, they are read in tiles. */
bool plan_holds(drua_plan *plan, drua_view a, drua_view b);

/** Whether it has room for a view's memory and so many bytes of work beside it. */
bool plan_holds_beside(drua_plan *plan, drua_view view, uint64_t bytes);

/** Into how many parts so many bytes are cut so that each fits the device with room to spare. */
int64_t plan_parts_of(drua_plan *plan, int64_t bytes);

/* ---- long calls */

/** Seconds since some moment in the past, which pass evenly. */
double plan_seconds(void);

/** What part of the call's work is sent, 0 to 1. */
void plan_progress(drua_plan *plan, double part);

/** From here on a request to stop does not end the call; plan_is_stopped says whether there is one. */
void plan_keep_partial(drua_plan *plan);
bool plan_is_stopped(drua_plan *plan);

/* ---- several devices: pieces of one call, of which each device takes the next one when it is done with the last */

typedef struct drua_spread drua_spread;

/** A piece, which the operation that does it finds by plan_state. */
typedef struct drua_piece {
    drua_spread *spread;
    drua_box box;
    int64_t number; /**< halves of a piece for which a device has too little memory have one number */
} drua_piece;

struct drua_spread {
    const char *devices; /**< as drua_device_choose takes it; the call's device computes too where it is among them */
    /**
     * Does a piece, with errors as those of any call: a descriptor of the operation's own file, without images. It is
     * called in any thread, with an engine of that thread's, and hands over its results through the payload.
     */
    const drua_op *op;
    const char *text; /**< what its first parameter gets, if it has one */
    void *payload;

    /** Cuts the work for so many devices: sets `all`, `step` and `room`. `alike`: of one kind. NULL: they are set
     * before. */
    void (*cut)(drua_plan *plan, drua_spread *work, int devices, bool alike);
    /** Takes a piece that is whole, one after the other in the order of their numbers, in the call's thread and on its
     * device. NULL: nothing is left to do. */
    void (*collect)(drua_plan *plan, drua_spread *work, int64_t number);
    /** What part of all pieces is done, 0 to 1; in the call's thread. */
    double (*progress)(const drua_spread *work);
    drua_box all;
    int64_t step[3]; /**< pieces are those of drua_box_part */
    int64_t room; /**< so many pieces may be under way or wait to be collected: more than there are devices */
};

/** Fails the call where a text does not name devices. */
void plan_check_devices(drua_plan *plan, const char *devices);

/** Whether the call's own device is the only one that a text names; an empty one names no other. */
bool plan_serves_alone(drua_plan *plan, const char *devices);

/**
 * Does all pieces. A device that fails gives its piece back and is left out, with a line (drua_take_lines); a piece for
 * which one has too little memory is cut in halves along the longest of its axes, down to single pixels of the box.
 * Progress goes from `from` to 1.
 */
void plan_spread(drua_plan *plan, drua_spread *work, double from);

/* ---- Fourier transforms, in place, of real images whose rows have room for the half spectrum */

/** Whether any library of transforms is here. */
bool plan_fft_is_there(drua_plan *plan);

/** The smallest extent of at least `least` whose transform is fast. */
int64_t plan_fft_extent(int64_t least);

/** Makes the transforms of that extent while memory is free for their test. */
void plan_fft_prepare(drua_plan *plan, drua_shape shape, bool convolution);

/** Scratch memory for a real image of that extent; plan_fft_spectrum sees what `forward` leaves there: pairs of numbers
 * along x. */
drua_view plan_fft_scratch(drua_plan *plan, drua_shape shape);
drua_view plan_fft_spectrum(drua_view image);
uint64_t plan_fft_bytes(drua_shape shape);

void plan_fft_forward(drua_plan *plan, drua_view image);

/** Scaled, so that it undoes `forward`. */
void plan_fft_inverse(drua_plan *plan, drua_view image);

/** Convolves (or correlates) around the edges with an image that has been transformed forward. `from` may be `to`. */
void plan_fft_convolve(drua_plan *plan, drua_view from, drua_view kernel, drua_view to, bool correlate);

/**
 * Convolutions that follow each other, with the caller's work between two of them in the same kernel. plan_fft_rows and
 * then plan_fft_columns do all of a convolution but its last pass. The kernel of plan_fft_join, below
 * kernels/specialized, does that pass in registers, then what the caller computes from it, then the first pass of the
 * next convolution. Its `arguments` follow the work image, the table of roots of unity and the scale; `ahead`: it is
 * compiled in the background and not launched. plan_fft_joins: whether transforms of this extent can do so.
 */
bool plan_fft_joins(drua_plan *plan, drua_shape shape);
void plan_fft_rows(drua_plan *plan, drua_view from, drua_view to);
void plan_fft_columns(drua_plan *plan, drua_view work, drua_view kernel, bool correlate);
void plan_fft_join(drua_plan *plan, drua_view work, const char *kernel, const char *constants,
                   const drua_arg *arguments, bool ahead);
#define JOIN_ROWS(plan, ahead, work, kernel, constants, ...) \
    plan_fft_join(plan, work, kernel, constants, (const drua_arg[]){__VA_ARGS__, {.kind = DRUA_LAUNCH_END}}, ahead)

/** Which library makes the transforms of that extent. */
const char *plan_fft_note(drua_plan *plan, drua_shape shape);

/* ---- launches */

void plan_launch(drua_plan *plan, const char *kernel, drua_grid grid, const drua_arg *arguments);

/** LAUNCH(p, "kernel", GRID(w, h, d, 32, 8, 1), ARG(view), INT(n), REAL(s), TABLE(bytes, length), LOCAL(bytes)) */
#define LAUNCH(plan, kernel, grid, ...)                                                                                \
    plan_launch(plan, kernel, grid, (const drua_arg[]){__VA_ARGS__, {.kind = DRUA_LAUNCH_END}})

/**
 * The same with the chain that makes the operation's first image computed where the kernel reads it: for DRUA_PROLOGUE,
 * by a kernel that mentions PROLOGUE_PARAMETERS (kernels/specialized/common/common.cl). Where none is ready the chain
 * has a pass of its own. plan_prologue_bytes: how many bytes the chain that makes that image reads for a pixel, 0:
 * there is none.
 */
void plan_launch_with_prologue(drua_plan *plan, const char *kernel, drua_grid grid, const drua_arg *arguments);
int plan_prologue_bytes(const drua_plan *plan, drua_view view);
#define LAUNCH_WITH_PROLOGUE(plan, kernel, grid, ...) \
    plan_launch_with_prologue(plan, kernel, grid, (const drua_arg[]){__VA_ARGS__, {.kind = DRUA_LAUNCH_END}})

/** A kernel below kernels/specialized, and the constants that it is compiled for, such as "RADIUS=3 STEP=1". */
typedef struct drua_specialized {
    const char *kernel, *constants;
    bool reads_alone; /**< chains that follow and read more than its result are a pass of their own until measurement
                         finds that slower */
} drua_specialized;

/**
 * The same by such a kernel, for GPUs. False where it is not ready: it is being compiled in the background, the device
 * is a processor, or the work is too small to be worth it; then the operation launches its general kernel, whose
 * results must have the same bits.
 */
bool plan_launch_specialized(drua_plan *plan, const drua_specialized *kernel, drua_grid grid,
                             const drua_arg *arguments);
#define LAUNCH_SPECIALIZED(plan, kernel, grid, ...) \
    plan_launch_specialized(plan, kernel, grid, (const drua_arg[]){__VA_ARGS__, {.kind = DRUA_LAUNCH_END}})

/**
 * Compiles a kernel that the caller of the operation wrote, after the embedded texts of a family, and sends it. It is
 * kept by its text. A line of DRUA_PART and a name begins a part; what the compiler says about the text fails the call,
 * by part and its line.
 */
#define DRUA_PART "//: "
void plan_launch_user_kernel(drua_plan *plan, const char *family, const char *text, const char *kernel, drua_grid grid,
                             const drua_arg *arguments);

/**
 * Whether plan_launch_specialized comes first even where another kernel is faster: pointwise operations wait for a
 * launch that can compute them too, or the user wants compiled kernels at once (DRUA_CHAINS=compile).
 */
bool plan_prefers_specialized(const drua_plan *plan);

/**
 * Which of `count` variants (at most 4) that give the same bits to launch: the fastest by measurement on this device
 * for work of that kind (a word) on about so many pixels, the preset where timing does not pay. While it is unknown the
 * rest of the call is timed, so at most one choice a call.
 */
int plan_choose(drua_plan *plan, const char *kind, int64_t pixels, int count, int preset);

/** The usual grid of a kernel with one work-item a pixel. */
drua_grid plan_grid(drua_layout layout);

/** The same with a work-item for each four pixels of a row; the last one of a row has those that are left. */
drua_grid plan_grid_vec4(drua_layout layout);

/** That of a kernel whose work-items make a vector of pixels each, with so many rows a group. */
drua_grid plan_grid_of_vectors(drua_plan *plan, drua_layout layout, int32_t rows);

/* ---- parts: rules for op->parts that several operations share */

/** A pixel of an output needs the pixels there alone. */
void plan_parts_pixels(drua_plan *plan, drua_parts *parts);

/** It needs its neighbours too. */
void plan_parts_neighbours(drua_plan *plan, drua_parts *parts);

/** It needs a box of radius_x, radius_y, radius_z. */
void plan_parts_radii(drua_plan *plan, drua_parts *parts);

/** It needs all of its slice and no other. */
void plan_parts_slices(drua_plan *plan, drua_parts *parts);

/** In a part, what the whole call gave (drua_parts); else a view without a buffer. */
drua_view plan_tile_scratch(drua_plan *plan);

/* ---- views: only inside op->view */

/** Makes the output share the input's memory under another layout. */
void plan_share(drua_plan *plan, const char *output, const char *input, drua_layout layout);

/* ---- composites: only inside op->build */

/** An argument of a call inside a composite, and its result. */
typedef struct drua_operand {
    struct drua_value *image;
    double number;
    const char *text;
} drua_operand;

drua_operand plan_operand(drua_plan *plan, const char *image);
#define NUMBER(value) ((drua_operand){.number = (value)})
#define TEXT(value) ((drua_operand){.text = (value)})

/**
 * Calls another operation with its inputs in the order of its parameters (outputs are left out, missing inputs take
 * their presets) and returns its first image output as an image of `type` (DRUA_NO_TYPE: by the operation's own rule).
 * CALL(p, "gaussian_blur", DRUA_FLOAT32, source, NUMBER(1), NUMBER(1), NUMBER(0))
 */
drua_operand plan_call(drua_plan *plan, const char *operation, drua_type type, const drua_operand *operands,
                       size_t count);
#define CALL(plan, operation, type, ...)                                                                               \
    plan_call(plan, operation, type, (const drua_operand[]){__VA_ARGS__},                                              \
              sizeof((const drua_operand[]){__VA_ARGS__}) / sizeof(drua_operand))

/**
 * As plan_call, for work that an operation wants the engine to run in tiles: `op` is a descriptor of its own file,
 * which users need not see; errors name the calling operation. Its functions find `state`, once or for each tile, by
 * plan_state.
 */
drua_operand plan_call_private(drua_plan *plan, const drua_op *op, void *state, drua_type type,
                               const drua_operand *operands, size_t count);
void *plan_state(drua_plan *plan);

/**
 * The same with its tiles on several devices, as plan_spread does pieces; `devices` as there. Tiles are those of the
 * calling device alone, which finds out which of them it has memory for by calls that are trials (plan_is_trial). Tiles
 * are done in any order and in any thread, so `state` is shared by these.
 */
drua_operand plan_call_on_devices(drua_plan *plan, const drua_op *op, const char *devices, void *state, drua_type type,
                                  const drua_operand *operands, size_t count);

/** Whether nothing but memory is wanted: the operation takes all that such a tile needs, computes as little as it can,
 * and its results are dropped. */
bool plan_is_trial(const drua_plan *plan);

/** Pixels of an operand. */
drua_view plan_operand_image(drua_plan *plan, drua_operand operand);

/** Gives the image that a call returned back before this one ends. */
void plan_forget(drua_plan *plan, drua_operand operand);

/** As plan_call, for the first `wanted` number outputs of an operation; 0 where it fails. */
void plan_call_numbers(drua_plan *plan, const char *operation, const drua_operand *operands, size_t count,
                       double *numbers, size_t wanted);

/** The first one alone. */
double plan_call_number(drua_plan *plan, const char *operation, const drua_operand *operands, size_t count);

/** Makes an operand the output, converted to the type and shape of the image that is there. */
void plan_return(drua_plan *plan, const char *output, drua_operand result);

/* ---- results that are not images */

void plan_set_number(drua_plan *plan, const char *name, double value);
void plan_set_text(drua_plan *plan, const char *name, const char *text);

/** Makes the table and returns its cells, undefined, row by row, all to be filled while the call lasts; NULL after a
 * failure. */
double *plan_new_table(drua_plan *plan, const char *const *headings, size_t columns, size_t rows);

/** Sets the table: `headings` are static texts; `cells` (rows x columns, row by row) is copied. */
void plan_set_table(drua_plan *plan, const char *const *headings, size_t columns, const double *cells, size_t rows);

#endif
