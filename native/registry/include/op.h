/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Descriptors of operations. One constant descriptor declares an operation completely; macro commands, the Java facade,
 * dialogs, reference pages, checks and tests are all derived from it.
 */
#ifndef DRUA_REGISTRY_OP_H
#define DRUA_REGISTRY_OP_H

#include <drua/types.h>

#include <math.h>
#include <stdbool.h>

/** One call of an operation, while it is checked, planned and executed; see call/include/plan.h. */
typedef struct drua_plan drua_plan;

typedef enum drua_kind {
    DRUA_KIND_IMAGE_IN,
    DRUA_KIND_IMAGE_OUT,
    DRUA_KIND_IMAGE_INOUT, /**< an existing image, which the operation changes in place */
    DRUA_KIND_NUMBER,
    DRUA_KIND_INTEGER, /**< an integer within its range; commands named CLIJ2_, CLIJx_ or CLIJ_ truncate other numbers,
                            as CLIJ2 does */
    DRUA_KIND_BOOLEAN, /**< 0 or 1; commands with a CLIJ prefix (CLIJ2_, CLIJx_, CLIJ_) treat any other number as 1 */
    DRUA_KIND_CHOICE, /**< one of `choices`, in upper or lower case */
    DRUA_KIND_TEXT,
    DRUA_KIND_OPTIONS, /**< "name=value name=value" */
    DRUA_KIND_ARRAY_IN,
    DRUA_KIND_IMAGES, /**< a list: name, image, name, image, ...; the call may change any of these images unless
                           op->only_reads returns true for it */
    DRUA_KIND_NUMBER_OUT,
    DRUA_KIND_TEXT_OUT,
    DRUA_KIND_TABLE_OUT,
    DRUA_KIND_PATH
} drua_kind;

/** Computes the shape of a new output: sets *shape or calls plan_fail with an error message. */
typedef void (*drua_shape_rule)(drua_plan *plan, drua_shape *shape);

/** Computes the element type of a new output from the arguments. */
typedef drua_type (*drua_type_rule)(drua_plan *plan);

/** Type of an output that has the type of the first image argument. */
#define DRUA_TYPE_OF_SOURCE DRUA_NO_TYPE

/** Layer i is the pixels at position i of an axis. Layer i of an output needs layers step * i + min to step * i + max
 * of the inputs. The nearest layer replaces layers outside the inputs. */
typedef struct drua_affine_range {
    bool set;
    double step, min, max;
} drua_affine_range;

/** The input pixels that an output pixel depends on, so that an operation can process its images in parts. */
typedef struct drua_parts {
    int64_t halo[3];    /**< number of pixels needed on both sides along x, y, z of the inputs; initially 0 */
    int axis[3]; /**< axis of the inputs for each of the axes x, y, z of the outputs; initially 0, 1, 2; -1:
                             each part needs the whole inputs along this axis */
    bool columns;       /**< parts may also be cut along x, if even one row or column of slices does not fit */
    bool equal_extents; /**< with a halo: input parts have the same extent where possible, because preparation for a
                           new extent is expensive */
    int64_t align[3]; /**< with a halo: input parts begin at a multiple of this number of pixels, because the last
                             bits of a result depend on its position in a tile; 0: they may begin anywhere */
    drua_affine_range range[3]; /**< for each axis of the outputs: the input layers that an output layer needs; if
                                     `set`, used instead of the halo */
    int64_t first[3], end[3];   /**< for an image changed in place: the pixels that the call may change; `end` 0: all */
    struct drua_buffer
        *scratch; /**< scratch memory that all parts share, for example for a value of the whole image; see
                       plan_tile_scratch */
} drua_parts;

/** A box of pixels along x, y, z: `first` is inside, `end` is the pixel after the last. */
typedef struct drua_box {
    int64_t first[3], end[3];
} drua_box;

typedef struct drua_param {
    const char *name, *doc;
    drua_kind kind;
    const char *unit;               /**< "pixel", "degree", ...; NULL: none */
    bool has_range;                 /**< required for integers, so that arithmetic with them stays within 64 bits */
    double minimum, maximum;        /**< inclusive */
    const int *only; /**< integers: allowed values, then -1; commands with a CLIJ prefix replace other values by the
                          default */
    double default_value;
    const char *default_text;
    double example; /**< value for the example on the reference page, if the default has little visible effect; 0: the
                         default */
    const char *example_text;
    const char *const *choices;     /**< ends with NULL */
    const char *otherwise; /**< commands with a CLIJ prefix: the choice for unknown words; NULL: they are an error */
    const struct drua_param
        *settings; /**< options: the settings in the text (numbers, booleans, choices, arrays); ends without a name */
    bool are_integers; /**< settings that are arrays: the numbers are integers */
    const char *bare; /**< settings: value if the text has only the setting's name; a boolean is then always true */
    const char *group; /**< settings: heading in dialogs above this and the following settings; NULL: the heading of
                            the previous setting */
    /**
     * Conditions for a parameter or setting to have an effect, separated by spaces; all of them must hold.
     * "method=a|b": the choice `method` has one of these values. "tv": the number `tv` is not 0, or the switch is on.
     * Dialogs grey the field out if a condition does not hold. NULL: always.
     */
    const char *enabled_if;
    bool unlisted; /**< settings: written by op->write_measured_settings and not entered by users; these come last in
                        `settings` */
    drua_shape_rule shape;          /**< outputs; NULL: the shape of the first image argument */
    drua_type type;                 /**< outputs */
    drua_type_rule type_rule;       /**< outputs; used instead of `type` if it is not NULL */
    bool whole; /**< image inputs: each part needs the whole image. If this parameter is the first input, `range`
                         describes the other inputs */
    bool by_tiles; /**< outputs: written tile by tile (plan_next_tile), so they may be larger than device memory */
    bool partial;   /**< outputs: an existing image keeps the pixels that the operation does not write; in a new image
                       they are 0 */
    bool replaces; /**< outputs: `launch` creates the image (see plan_read_file), which replaces an existing image of
                         any extent and type */
    bool written;                   /**< paths: the operation writes the file; otherwise it reads it */
    bool labels;                    /**< image outputs: a label map, which programs show in colours */
} drua_param;

/** How reproducible the results are. Tests must check at least this guarantee. */
typedef enum drua_numeric {
    DRUA_EXACT, /**< bit-identical on every device and code path */
    DRUA_DEVICE, /**< bit-identical on one device, also if calls are fused, spilled or cached; equal within a tolerance
                        between devices */
    DRUA_APPROXIMATE /**< equal within a stated tolerance */
} drua_numeric;

enum {
    DRUA_HOST = 1, /**< only an application that embeds the library, such as ImageJ, can run it (windows, tables on
                        screen) */
    DRUA_SOURCE_EXTENT =
        2, /**< if an existing destination differs in size from the source, only the extent of the source is written */
    DRUA_READS_PART = 8, /**< reads or writes only some pixels, so the size of its images gives no lower bound for its
                              run time */
    DRUA_COPIES = 16, /**< only clears and copies pixels, so images may stay on the host */
    DRUA_PROLOGUE = 32, /**< kernels read each pixel of the first image only a few times, so the chain of pointwise
                             operations that computes this image may be fused into these reads */
    DRUA_PROLOGUE_FLOATS = 64, /**< as DRUA_PROLOGUE, but kernels read each pixel more often: only chains of float32
                                    images, whose values need no rounding, are fused */
    DRUA_EPILOGUE = 128, /**< one launch writes the whole destination, and no launch reads it: a chain may be fused into
                              these writes */
    DRUA_KEEPS_LABELS = 512, /**< every pixel of a result is 0, a pixel of the first image or some other label, so a
                                  label map stays a label map. Copies, views and conversions keep labels without this
                                  trait */
    DRUA_WHOLE = 256 /**< keeps data for all pixels on the device; the call fails with a message if an image is too
                        large for this */
};

/** Size of the text that op->write_measured_settings writes. */
enum { DRUA_SETTINGS_BYTES = 100 };

/**
 * Integer sums that describe the shape of a label. Each block measures its own sums, and the engine adds those of all
 * blocks. Positions count from the corner `low` of the label's box. Each sum is a pair: [0] adds the low 32 bits of the
 * summands, [1] their high 32 bits.
 */
typedef struct drua_label_shape {
    uint64_t pixels;
    uint32_t low[3], high[3]; /**< corners of the label's box, inclusive */
    uint64_t positions[3][2]; /**< sums of x, y, z */
    uint64_t powers[16][2]; /**< sums of xx yy zz xy xz yz xxx yyy zzz xxy xxz xyy yyz xzz yzz xyz */
    uint32_t configurations[256]; /**< numbers of neighbourhoods of 2 x 2 x 2 pixels for each set of pixels that belong
                                       to the label: bit x + 2 y + 4 z of the index is 1 if pixel (x, y, z) does.
                                       Neighbourhoods of one value are not counted. A plane uses 16 entries. */
} drua_label_shape;

/** Number of kinds of steps between two neighbouring pixels: along x, y, z, then diagonally xy, xz, yz, xyz. */
enum { DRUA_PAIR_STEPS = 7 };

/** The columns of a table of label shapes, or of pairs of labels. */
typedef struct drua_label_columns {
    char headings[4000]; /**< separated by commas; the first is that of the label's number */
    int count; /**< number of columns after the first */
    bool flat; /**< the image has one slice */
    unsigned groups; /**< bit set of the groups of columns to compute; its bits are private to the operation */
    double constants[32]; /**< factors from sums to lengths, areas and volumes; the first three are the voxel size along
                               x, y, z, the others are private to the operation */
    signed char features[4096]; /**< contributions of each configuration, for shape_row; private to the operation */
} drua_label_columns;

typedef struct drua_op {
    const char *name;               /**< snake_case, unique */
    const char *category, *summary;
    const char *source;             /**< publication or program that the method comes from */
    const char *estimate; /**< name of an operation with the same inputs that writes an estimate of this operation's
                               time and memory to its text output "estimate"; NULL: none */
    const char *before_example; /**< macro lines before the example on the reference page, besides images; NULL: none */
    const drua_param *params;
    size_t param_count;
    /**
     * Macro commands that run this operation, as texts, ending with NULL:
     *   "CLIJ2/CLIJx gaussianBlur3D: source, &destination, sigma_x, sigma_y, sigma_z"
     * Prefixes and name, then the arguments in the order of the macro. `&name` is passed by reference, but not under
     * CLIJ_, which passes only names. `&name:type` is an output with a different element type. `name=value` is a fixed
     * value that the macro does not pass. `~name` is a number that is accepted and ignored. After ';' the numbers for
     * the results table: "Column=number_output". A name may have several signatures that differ in the number of
     * arguments.
     */
    const char *const *aliases;
    drua_numeric numeric;
    unsigned traits;
    bool menu;                      /**< useful on its own: ImageJ's menus list it under its category */
    /**
     * Pointwise operations: the result for one pixel as an OpenCL C expression that also works on vectors. It may use
     * the images a, b, c and the numbers s, t, u, in the order of the parameters, and the position X, Y, Z.
     * IF(condition, yes, no) selects a value. For an operation with a `view`, the expression is
     * the pixel of the view. If the operation also has a `launch`, it runs instead of the expression for images of
     * 32-bit integers and for numbers that float32 cannot hold exactly.
     */
    const char *expression;
    /** The largest number of float32 roundings in `expression`. If they can explain why a result is slightly smaller in
     * magnitude than an integer, the integer is stored; see snap in kernels/common/prelude.cl. */
    int roundings;
    /**
     * Sets steps[axis] to the vector, in voxels of the first image, from one output voxel to the next along `axis`.
     * Initially one voxel along the same axis (plan_same_voxels). NULL: outputs without a shape rule have the voxels of
     * the first image, and the voxels of other outputs are unknown.
     */
    void (*steps)(drua_plan *plan, double steps[3][3]);
    /**
     * Sets `first` to the centre of the first output voxel, relative to the centre of the first image's first voxel, in
     * voxels of that image (plan_same_place: 0). Used with `steps`. NULL: an output with the first image's extent and
     * voxels keeps its position; other outputs have no position.
     */
    void (*place)(drua_plan *plan, double first[3]);
    /**
     * Makes the result by index arithmetic without a copy. Returns false if this call needs a copy, which `launch` then
     * makes.
     */
    bool (*view)(drua_plan *plan);
    /** Returns true if this call only reads `image`: the name of a parameter, or of an entry in a parameter of kind
     * images. NULL: the call may change all of its images in place. */
    bool (*only_reads)(drua_plan *plan, const char *image);
    /** Launches the kernels that read and write device memory. */
    void (*launch)(drua_plan *plan);
    /**
     * Describes how `launch` can run in parts if the images do not fit into device memory. The description holds for
     * all outputs; inputs have the extent of the first input that is cut. Code that depends on the position of a part
     * uses plan_whole_shape. NULL: the operation cannot run in parts.
     */
    void (*parts)(drua_plan *plan, drua_parts *parts);
    /**
     * As `parts`, for operations whose inputs are not a fixed window around the output position, such as a rotation:
     * sets the box of the first image that a box of the outputs needs. The boxes have positions in the whole images;
     * the engine clips `read` to the image. Used if `parts` is NULL or its parts do not fit, before `build_large`.
     */
    void (*region)(drua_plan *plan, const drua_box *made, drua_box *read);
    /**
     * For operations where neither `parts` nor `region` gives bit-identical results: describes blocks that are
     * processed as separate images, for example by several processes. The halo is so large that the error is at most a
     * thousandth of the range of the whole result. Fails for arguments with which a result depends on distant pixels.
     * NULL: not possible.
     */
    void (*describe_blocks)(drua_plan *plan, drua_parts *parts);
    /**
     * With `describe_blocks`: writes settings that replace measurements on the whole image. The library adds these
     * settings to the options of the call; `options` has room for DRUA_SETTINGS_BYTES bytes.
     */
    void (*write_measured_settings)(drua_plan *plan, char *options);
    /**
     * Bytes of scratch memory that `launch` needs in addition to its images. NULL: fewer bytes than the images have.
     */
    uint64_t (*scratch)(drua_plan *plan);
    /** Cost of a pixel of the result, in reads and writes of a float32 pixel in the device's memory. For a pipeline
     * that runs block by block, this cost is compared with that of storing the result. NULL: estimated from the halo.
     * */
    double (*effort)(drua_plan *plan);
    /**
     * For an operation that computes a number from the histogram of an image: returns this number from the counts of
     * 256 bins. `choice` is the index of the chosen method. `low` and `high` are the grey values of the first and last
     * bin: 0 and 255 for uint8, otherwise the minimum and maximum of the image. Used for images that are processed in
     * blocks. NULL: the operation computes no number from a histogram.
     */
    double (*number_from_histogram)(const double *counts, int choice, double low, double high);
    /**
     * For an operation that makes a table of label shapes from `labels`, if the image is processed in blocks: sets the
     * columns, or fails if blocks cannot measure them. `shape_row` computes the cells of a label. NULL: not possible.
     */
    void (*shape_columns)(drua_plan *plan, drua_label_columns *columns);
    void (*shape_row)(const drua_label_columns *columns, const drua_label_shape *shape, double *cells);
    /**
     * For an operation with `shape_columns` that makes a table of pairs of labels: computes the cells of a pair that
     * follow its two labels, from the numbers of steps between their pixels. A pair without steps along x, y or z has
     * no row.
     */
    void (*pair_row)(const drua_label_columns *columns, const uint64_t steps[DRUA_PAIR_STEPS], double *cells);
    /** As `build`, for images that do not fit into device memory, not even in `parts`. NULL: not possible. */
    void (*build_large)(drua_plan *plan);
    /** For a composite: calls other operations and returns their results. */
    void (*build)(drua_plan *plan);
    /**
     * As `build`, for block by block processing by an operation whose result pixels depend on the whole image. Numbers
     * of the whole image are measured before the blocks. Operations that depend on pixels at any distance read `margin`
     * pixels around a block. They fail if a pixel of the block depends on more distant ones, so results equal those of
     * the whole image. The function calls private operations with plan_call_recorded (recorded_calls.h), because the
     * pipeline that runs block by block records the calls. NULL: not possible.
     */
    void (*build_in_blocks)(drua_plan *plan, int64_t margin);
} drua_op;

/**
 * Begins the descriptor of an operation at the start of a line: DRUA_OP(local_range) = {.name = "local_range", ...};
 * Instead of the braces, a macro that writes them may follow; its first argument is the name. The build finds
 * operations by the word DRUA_OP alone, and refuses a descriptor whose member .name differs from the macro's argument.
 */
#define DRUA_OP(name_) const drua_op drua_op_##name_

#define DRUA_PARAMS(...)                                                                                               \
    .params = (const drua_param[]){__VA_ARGS__},                                                                       \
    .param_count = sizeof((const drua_param[]){__VA_ARGS__}) / sizeof(drua_param)
#define DRUA_ALIASES(...) .aliases = (const char *const[]){__VA_ARGS__, NULL}
#define DRUA_IN_MENU(...) __VA_ARGS__, .menu = true     /* around DRUA_PARAMS in macros that write a descriptor */
#define DRUA_SETTINGS(...) .settings = (const drua_param[]){__VA_ARGS__, {0}}
#define DRUA_CHOICES(...) .choices = (const char *const[]){__VA_ARGS__, NULL}

#define DRUA_IMAGE_IN(name_, doc_) {.name = name_, .doc = doc_, .kind = DRUA_KIND_IMAGE_IN}
#define DRUA_IMAGE_WHOLE(name_, doc_) {.name = name_, .doc = doc_, .kind = DRUA_KIND_IMAGE_IN, .whole = true}
#define DRUA_IMAGE_OUT(name_, doc_, ...) {.name = name_, .doc = doc_, .kind = DRUA_KIND_IMAGE_OUT, __VA_ARGS__}
#define DRUA_LABELS_OUT(name_, doc_, ...) DRUA_IMAGE_OUT(name_, doc_, .labels = true, __VA_ARGS__)
#define DRUA_IMAGE_INOUT(name_, doc_) {.name = name_, .doc = doc_, .kind = DRUA_KIND_IMAGE_INOUT}
#define DRUA_NUMBER(name_, doc_, ...) {.name = name_, .doc = doc_, .kind = DRUA_KIND_NUMBER, __VA_ARGS__}
#define DRUA_INTEGER(name_, doc_, ...) {.name = name_, .doc = doc_, .kind = DRUA_KIND_INTEGER, __VA_ARGS__}
#define DRUA_BOOLEAN(name_, doc_, ...) {.name = name_, .doc = doc_, .kind = DRUA_KIND_BOOLEAN, __VA_ARGS__}
#define DRUA_CHOICE(name_, doc_, ...) {.name = name_, .doc = doc_, .kind = DRUA_KIND_CHOICE, __VA_ARGS__}
#define DRUA_TEXT(name_, doc_, ...) {.name = name_, .doc = doc_, .kind = DRUA_KIND_TEXT, __VA_ARGS__}
#define DRUA_ARRAY_IN(name_, doc_) {.name = name_, .doc = doc_, .kind = DRUA_KIND_ARRAY_IN}
#define DRUA_IMAGES(name_, doc_) {.name = name_, .doc = doc_, .kind = DRUA_KIND_IMAGES}
#define DRUA_NUMBER_OUT(name_, doc_) {.name = name_, .doc = doc_, .kind = DRUA_KIND_NUMBER_OUT}
#define DRUA_TEXT_OUT(name_, doc_) {.name = name_, .doc = doc_, .kind = DRUA_KIND_TEXT_OUT}
#define DRUA_TABLE_OUT(name_, doc_) {.name = name_, .doc = doc_, .kind = DRUA_KIND_TABLE_OUT}

/** Members of a parameter: DRUA_NUMBER("sigma_x", "...", DRUA_RANGE(0, 1000), .default_value = 1, .unit = "pixel"). */
#define DRUA_RANGE(minimum_, maximum_) .has_range = true, .minimum = minimum_, .maximum = maximum_
/** The width of a Gaussian along an axis: DRUA_SIGMA("x", 1). */
#define DRUA_SIGMA(axis_, default_)                                                                                    \
    DRUA_NUMBER("sigma_" axis_, "standard deviation of the Gaussian along " axis_, .unit = "pixel",                    \
                DRUA_RANGE(0, 1000), .default_value = default_)
#define DRUA_RANGE_ANY                 DRUA_RANGE(-2147483648.0, 2147483647)
#define DRUA_ONLY(...)                                                                                                 \
    .only = (const int[])                                                                                              \
    {                                                                                                                  \
        __VA_ARGS__, -1                                                                                                \
    }

static inline bool drua_kind_is_image(drua_kind kind)
{
    return kind == DRUA_KIND_IMAGE_IN || kind == DRUA_KIND_IMAGE_OUT || kind == DRUA_KIND_IMAGE_INOUT;
}

static inline bool drua_kind_is_output(drua_kind kind)
{
    return kind == DRUA_KIND_IMAGE_OUT || kind == DRUA_KIND_NUMBER_OUT || kind == DRUA_KIND_TEXT_OUT ||
           kind == DRUA_KIND_TABLE_OUT;
}

static inline bool drua_kind_is_text(drua_kind kind)
{
    return kind == DRUA_KIND_CHOICE || kind == DRUA_KIND_TEXT || kind == DRUA_KIND_OPTIONS || kind == DRUA_KIND_PATH;
}

#endif
