/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What an operation is. One constant descriptor declares it; commands, facade, dialogs, pages, checks and tests read
 * it.
 */
#ifndef DRUA_REGISTRY_OP_H
#define DRUA_REGISTRY_OP_H

#include <drua/types.h>

#include <math.h>
#include <stdbool.h>

/** One call of an operation while it is checked, planned and run; see call/include/plan.h. */
typedef struct drua_plan drua_plan;

typedef enum drua_kind {
    DRUA_KIND_IMAGE_IN,
    DRUA_KIND_IMAGE_OUT,
    DRUA_KIND_IMAGE_INOUT, /**< must exist; the operation changes a part of it */
    DRUA_KIND_NUMBER,
    DRUA_KIND_INTEGER, /**< a whole number within its range; commands of CLIJ's prefixes truncate, as CLIJ2 does */
    DRUA_KIND_BOOLEAN, /**< 0 or 1; commands of CLIJ's prefixes take any other number as 1 */
    DRUA_KIND_CHOICE, /**< one of `choices`, in any case */
    DRUA_KIND_TEXT,
    DRUA_KIND_OPTIONS, /**< "name=value name=value" */
    DRUA_KIND_ARRAY_IN,
    DRUA_KIND_IMAGES, /**< an array of names and images in turn; the call may change each of these images, see
                         only_reads */
    DRUA_KIND_NUMBER_OUT,
    DRUA_KIND_TEXT_OUT,
    DRUA_KIND_TABLE_OUT,
    DRUA_KIND_PATH
} drua_kind;

/** Rule for the shape of a new output; sets *shape or fails with a sentence (plan_fail). */
typedef void (*drua_shape_rule)(drua_plan *plan, drua_shape *shape);

/** Rule for the type of a new output that depends on arguments. */
typedef drua_type (*drua_type_rule)(drua_plan *plan);

/** Element type of an output that is the type of the first image argument. */
#define DRUA_TYPE_OF_SOURCE DRUA_NO_TYPE

/** Layer i of the outputs needs layers step * i + least to step * i + most of the inputs, as far as there are such,
 * else the nearest. */
typedef struct drua_affine_range {
    bool set;
    double step, least, most;
} drua_affine_range;

/** Which pixels of its inputs a pixel of an output needs, so that an operation can run in parts of its images. */
typedef struct drua_parts {
    int64_t halo[3];    /**< pixels to both sides along x, y, z of the inputs; 0 at first */
    int axis[3]; /**< axis of the inputs that x, y, z of the outputs run along; 0, 1, 2 at first; -1: they need all of
                    it */
    bool columns;       /**< they can be cut along x too, where not even one row or column of slices fits */
    bool equal_extents; /**< with a halo: parts of the inputs have one extent as far as possible, as what is made for an
                           extent is costly */
    int64_t align[3]; /**< with a halo: parts of the inputs begin at a multiple of so many pixels, as last bits depend
                         on where in a tile a pixel lies; 0: anywhere */
    drua_affine_range range[3]; /**< instead of the halo, along an axis of the outputs, from the inputs' axis there */
    int64_t first[3], end[3];   /**< pixels of an image changed in place that the call may change; ends of 0: all */
    struct drua_buffer
        *scratch; /**< scratch that all parts share, such as a number of the whole image; see plan_tile_scratch */
} drua_parts;

/** Pixels from `first` to before `end` along x, y, z. */
typedef struct drua_box {
    int64_t first[3], end[3];
} drua_box;

typedef struct drua_param {
    const char *name, *doc;
    drua_kind kind;
    const char *unit;               /**< "pixel", "degree", ...; NULL: none */
    bool has_range; /**< integers must have one, so that arithmetic on them stays within 64 bits */
    double minimum, maximum;        /**< inclusive */
    const int *only; /**< of an integer: its values, then -1; commands of CLIJ's prefixes take others as the preset */
    double preset;
    const char *preset_text;
    double example; /**< what its page's example passes where the preset would show little; 0: the preset */
    const char *example_text;
    const char *const *choices;     /**< ends with NULL */
    const char *otherwise; /**< the choice that an unknown word means in commands of CLIJ's prefixes; NULL: an error */
    const struct drua_param
        *settings; /**< of options: what its text may set, numbers, booleans, choices and arrays; ends without a name */
    bool counts; /**< of a setting that is an array: whole numbers */
    const char *bare;               /**< of a setting: the value that its name alone stands for; of booleans true */
    const char *group; /**< of a setting: heading above it and those that follow, in dialogs; NULL: as the one before */
    /**
     * When a parameter or setting has a meaning at all: conditions with blanks between, all of which must hold.
     * "method=a|b": that choice has one of these values; "tv": that number is not 0, that switch is on. Dialogs grey
     * the field out otherwise. NULL: always.
     */
    const char *when;
    bool unlisted; /**< of a setting: what op->settle writes, for nobody to enter; such come last */
    drua_shape_rule shape;          /**< NULL: as the first image argument */
    drua_type type;                 /**< outputs */
    drua_type_rule type_rule;       /**< outputs; before `type` */
    bool whole; /**< image inputs: every part of an operation needs all of it; if it is the first, `range` says the rest
                 */
    bool by_slices; /**< outputs: written tile by tile (plan_next_tile), so that they may be larger than the device */
    bool partial; /**< outputs: an image that exists keeps the pixels that the operation does not write; a new one has
                     zeros there */
    bool replaces; /**< outputs: `plan` makes the image itself, see plan_read_file; one that exists gives way to it,
                      whatever its extent and type */
    bool written;                   /**< paths: the file is made, not read */
    bool labels;                    /**< image outputs: a label map, which programs show in colours */
} drua_param;

/** Which results are promised to be equal; no test may be weaker. */
typedef enum drua_numeric {
    DRUA_EXACT, /**< the same bits on every device and path */
    DRUA_DEVICE, /**< the same bits on one device whatever was fused, spilled or cached; devices within a tolerance */
    DRUA_APPROXIMATE /**< a stated tolerance */
} drua_numeric;

enum {
    DRUA_HOST = 1, /**< only a host program can do it (windows, tables on screen); the engine has no body */
    DRUA_SOURCE_EXTENT =
        2, /**< writes the source's extent into an existing destination of another size, not the destination's */
    DRUA_READS_PART = 8, /**< reads or writes some pixels only, so the bytes of its images are no floor for its time */
    DRUA_COPIES = 16, /**< clears and copies pixels and does nothing else, so images may stay on the host */
    DRUA_PROLOGUE = 32, /**< its kernels read each pixel of the first image a few times: chains may come before */
    DRUA_PROLOGUE_FLOATS = 64, /**< the same more often, so that only chains without rounding pay */
    DRUA_EPILOGUE = 128, /**< one launch writes all of the destination and none reads it: chains may come after */
    DRUA_WHOLE = 256 /**< keeps something of all pixels on the device; images for which that is too much are refused
                        with a sentence */
};

enum { DRUA_SETTLED = 100 };

typedef struct drua_op {
    const char *name;               /**< snake_case, unique */
    const char *category, *summary;
    const char *source;             /**< where the method comes from */
    const char *estimate; /**< operation that tells time and memory before, from inputs of the same names, as its text
                             "estimate" */
    const char *before_example;     /**< macro lines that its page's example needs first, beside images; NULL: none */
    const drua_param *params;
    size_t param_count;
    /**
     * Commands that mean this operation, as text, ending with NULL:
     *   "CLIJ2/CLIJx gaussianBlur3D: source, &destination, sigma_x, sigma_y, sigma_z"
     * Prefixes, name, then what the macro passes in its order: & by reference (never under CLIJ_, which passes names
     * only), `name=value` a fixed value that the macro does not pass, `~name` a number that is accepted and has no
     * meaning here,
     * `&name:type` another type of a new output.
     * After ';' what goes to the results table: "Column=number_output".
     */
    const char *const *aliases;
    drua_numeric numeric;
    unsigned traits;
    bool menu;                      /**< people use it alone: ImageJ's menus have it under its category */
    /**
     * Pointwise operations: the result of one pixel from images a, b, c (in order of the image parameters), numbers s,
     * t, u (in order of the numbers) and the position X, Y, Z, in OpenCL C on vectors; IF(condition, yes, no) selects.
     * Of an operation with a `view` it is the pixel of that; `plan` then copies integers of 32 bits, which expressions
     * round to float32.
     */
    const char *expression;
    /** Of an expression: how many roundings of float32 its result may be off by where an integer may be meant; see snap
     * in kernels/common/prelude.cl. */
    int roundings;
    /**
     * Of each axis of the outputs, what one voxel along it is along x, y, z in voxels of the first image; as there, one
     * along the same axis, where the function changes nothing (plan_same_voxels). NULL: outputs without a shape rule
     * have the first image's voxels, of others nothing is known.
     */
    void (*steps)(drua_plan *plan, double steps[3][3]);
    /** Index arithmetic without a copy: returns false where this call needs a copy, which `plan` then makes. */
    bool (*view)(drua_plan *plan);
    /** Whether this call only reads the image of that parameter, or of that name in a parameter of kind images; NULL:
     * it may change all. */
    bool (*only_reads)(drua_plan *plan, const char *image);
    /** Sends kernels that read and write device memory. */
    void (*plan)(drua_plan *plan);
    /**
     * For `plan`: how the operation can run in parts, when its images do not fit the device at once. All outputs
     * together; inputs have the extent of the first one that is cut. What depends on where a part lies asks
     * plan_whole_shape. NULL: not in parts.
     */
    void (*parts)(drua_plan *plan, drua_parts *parts);
    /**
     * The same for operations that look elsewhere: the box of the first image that a box of the outputs reads, both in
     * positions of the whole images; what is beyond the image is cut off. Where `parts` do not fit or are none, and
     * before `large`.
     */
    void (*region)(drua_plan *plan, const drua_box *made, drua_box *read);
    /**
     * Where neither gives the same bits: parts that are images of their own, as those of other processes are, with a
     * halo that keeps what they make within a thousandth of the range of the whole result. Fails for arguments whose
     * result depends on pixels anywhere. NULL: none.
     */
    void (*blocks)(drua_plan *plan, drua_parts *parts);
    /** With `blocks`: settings to add to the call's text of options for what it would measure on the whole image, at
     * most DRUA_SETTLED bytes. */
    void (*settle)(drua_plan *plan, char *options);
    /** Bytes of scratch that `plan` takes beside its images of these extents, where that is more than they have; NULL:
     * less. */
    uint64_t (*scratch)(drua_plan *plan);
    /**
     * Of an operation that finds a number by the histogram of an image: that number from the counts of 256 bins, the
     * number of the entry of its choice, and the grey values of the first and last bin, 0 and 255 for uint8, else the image's extremes. For
     * images that come in blocks. NULL: none.
     */
    double (*of_histogram)(const double *counts, int choice, double low, double high);
    /** As `build`, for images that do not fit the device at once, nor their `parts`; NULL: none. */
    void (*large)(drua_plan *plan);
    /** A composite: calls other operations and returns their results. */
    void (*build)(drua_plan *plan);
} drua_op;

#define DRUA_PARAMS(...)                                                                                               \
    .params = (const drua_param[]){__VA_ARGS__}, .param_count = sizeof((const drua_param[]){__VA_ARGS__}) / sizeof(drua_param)
#define DRUA_ALIASES(...) .aliases = (const char *const[]){__VA_ARGS__, NULL}
#define DRUA_IN_MENU(...) __VA_ARGS__, .menu = true     /* around DRUA_PARAMS, where a macro writes the descriptor */
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

/** Members of a parameter: DRUA_NUMBER("sigma_x", "...", DRUA_RANGE(0, 1000), .preset = 1, .unit = "pixel"). */
#define DRUA_RANGE(minimum_, maximum_) .has_range = true, .minimum = minimum_, .maximum = maximum_
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
