/* SPDX-License-Identifier: BSD-3-Clause */
/* Contrast-limited adaptive histogram equalization (CLAHE), slice by slice. */
#include "../measure/reduction.h"
#include "recorded_calls.h"

enum { ITEMS = 64, LEVELS = 256 };

/*
 * For images that are not uint8: the grey values that the histograms count as 0 and 255. `largest`: the mask's largest
 * value.
 */
typedef struct range {
    double low, high, largest;
} range;

/* The data of a call: the image as 8-bit levels, the weights of the mask, and the bin of each level. */
typedef struct equalizing {
    drua_layout of;
    drua_view levels, made, weights;
    bool masked;
    int radius, last_bin;
    double slope;
    uint8_t bin_of[LEVELS];
} equalizing;

#define BINS_OF(e) TABLE((e)->bin_of, sizeof(e)->bin_of)

/* Writes, for each step, the bit set of the bins step / 2, step / 2 + step, ..., for local_contrast_rows.cl. */
static drua_view write_combs(drua_plan *p)
{
    enum { BITS = 32, WORDS = LEVELS / BITS };
    const drua_view combs = plan_scratch_bytes(p, LEVELS * WORDS * sizeof(uint32_t));
    uint32_t *words = plan_host_memory(p, LEVELS * WORDS * sizeof *words);
    if (plan_failed(p))
        return combs;
    for (int step = 1; step < LEVELS; step++)
        for (int bin = step / 2; bin < LEVELS; bin += step)
            words[step * WORDS + bin / BITS] |= UINT32_C(1) << bin % BITS;
    plan_write(p, combs, words);
    return combs;
}

/*
 * Returns the number of pixels of a row that a work-item processes. Short segments give a large GPU enough work-items,
 * but each work-item first counts the pixels of a whole window.
 */
static int32_t segment_of(const drua_layout *l)
{
    enum { AT_ONCE = 65536, MIN = 32 };
    const int64_t share = drua_layout_count(l) / AT_ONCE;
    return (int32_t)(share < MIN ? MIN : share > l->width ? l->width : share);
}

/* Equalizes with a histogram for each pixel. */
static void equalize_exactly(drua_plan *p, const equalizing *e)
{
    enum { ROW_ITEMS = 32 };
    const drua_layout l = e->of;
    if (!plan_device(p)->is_gpu) {
        LAUNCH(p, "contrast_equalize_in_order", GRID(l.height, l.depth, 1, 1, 1, 1), POINTER(e->levels), BINS_OF(e),
               INT(l.width), INT(l.height), INT(l.depth), INT(e->radius), INT(e->last_bin), REAL(e->slope),
               POINTER(e->weights), INT(e->masked), POINTER(e->made));
        return;
    }
    const int32_t segment = segment_of(&l);
    const drua_view combs = write_combs(p), bins = plan_scratch_bytes(p, (uint64_t)drua_layout_count(&l));
    drua_grid grid = GRID(l.height, (l.width + segment - 1) / segment, l.depth, ROW_ITEMS, 1, 1);
    grid.turns = (int64_t)segment * LEVELS;
    LAUNCH(p, "contrast_bins", plan_grid(l), POINTER(e->levels), BINS_OF(e), INT(l.width), INT(l.height), INT(l.depth),
           POINTER(bins));
    LAUNCH(p, "contrast_equalize", grid, POINTER(bins), POINTER(combs), INT(l.width), INT(l.height), INT(e->radius),
           INT(e->last_bin), REAL(e->slope), POINTER(e->weights), INT(e->masked), INT(segment), POINTER(e->made),
           LOCAL((size_t)ROW_ITEMS * LEVELS * sizeof(uint32_t)));
}

/*
 * Sets the centres of blocks along an axis as ImageJ places them, and returns their number. Whole blocks lie in the
 * middle, with a block at each end if they do not fill the axis. A block that is wider than the image is centred.
 */
static int place_blocks(int32_t *centres, int extent, int radius)
{
    const int block = 2 * radius + 1, whole = extent / block, rest = extent % block;
    int count = 0;
    if (whole == 0) {
        centres[0] = extent / 2;
        return 1;
    }
    if (rest > 1)
        centres[count++] = radius + 1;
    for (int i = 0; i < whole; i++)
        centres[count++] = i * block + radius + 1 + (rest > 1 ? rest / 2 : 0);
    if (rest > 0)
        centres[count++] = extent - radius - 1;
    return count;
}

/*
 * Keeps the centres in a part of the axis, with positions relative to the start of the part. If the last block is one
 * pixel wide, its centre is at the end of the axis.
 */
static int crop_blocks(int32_t *centres, int count, int64_t origin, int extent)
{
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (centres[i] >= origin && centres[i] <= origin + extent)
            centres[kept++] = (int32_t)(centres[i] - origin);
    return kept;
}

/* For each position, the number of centres at or before it. */
static void find_cells(int32_t *cells, int extent, const int32_t *centres, int count)
{
    for (int at = 0, cell = 0; at < extent; at++) {
        while (cell < count && centres[cell] <= at)
            cell++;
        cells[at] = cell;
    }
}

/* Equalizes with a histogram for each block. */
static void equalize_blocks(drua_plan *p, const equalizing *e)
{
    enum { MORE = 2 };
    const drua_layout l = e->of;
    const int block = 2 * e->radius + 1;
    int64_t origin[3];
    const drua_shape whole = plan_whole_shape(p, "source", origin);
    const size_t lines = (size_t)(l.width + l.height), words = (size_t)(whole.width + whole.height + 2 * MORE);
    const float clipped = (float)e->slope * (float)block * (float)block / (float)e->last_bin + 0.5f;
    int32_t *cells = plan_host_memory(p, lines * sizeof *cells),
            *centres = plan_host_memory(p, words * sizeof *centres);
    if (plan_failed(p))
        return;
    const int columns = crop_blocks(centres, place_blocks(centres, (int)whole.width, e->radius), origin[0], l.width);
    int32_t *const of_rows = centres + columns;
    const int rows = crop_blocks(of_rows, place_blocks(of_rows, (int)whole.height, e->radius), origin[1], l.height);
    find_cells(cells, l.width, centres, columns);
    find_cells(cells + l.width, l.height, of_rows, rows);
    const drua_view of_pixels = plan_scratch(p, (drua_shape){(int64_t)lines, 1, 1, 2}, DRUA_INT32),
                    of_blocks = plan_scratch(p, (drua_shape){(int64_t)words, 1, 1, 2}, DRUA_INT32),
                    transfers =
                        plan_scratch_bytes(p, (uint64_t)columns * (uint64_t)rows * (uint64_t)l.depth * LEVELS * 4);
    plan_write(p, of_pixels, cells);
    plan_write(p, of_blocks, centres);
    LAUNCH(p, "contrast_transfers", GRID((int64_t)columns * ITEMS, rows, l.depth, ITEMS, 1, 1), POINTER(e->levels),
           BINS_OF(e), INT(l.width), INT(l.height), INT(e->radius), INT(e->last_bin),
           INT(clipped < 1e9f ? (int)clipped : 1000000000), POINTER(of_blocks), INT(columns), INT(rows),
           POINTER(transfers));
    LAUNCH(p, "contrast_interpolate", plan_grid(l), POINTER(e->levels), BINS_OF(e), INT(l.width), INT(l.height),
           INT(l.depth), POINTER(of_pixels), POINTER(of_blocks), INT(columns), INT(rows), POINTER(transfers),
           POINTER(e->made));
}

static void equalize(drua_plan *p, const range *r, bool masked, bool fast)
{
    const drua_view from = plan_image(p, "source"), to = plan_image(p, "destination");
    const drua_layout l = from.layout;
    const uint64_t pixels = (uint64_t)l.width * (uint64_t)l.height * (uint64_t)l.depth;
    equalizing e = {.of = l,
                    .masked = masked,
                    .radius = ((int)plan_integer(p, "block_size") - 1) / 2,
                    .last_bin = (int)plan_integer(p, "bins") - 1,
                    .slope = plan_number(p, "slope")};
    e.levels = plan_scratch_bytes(p, pixels);
    e.made = plan_scratch_bytes(p, pixels);
    e.weights = masked ? plan_scratch_bytes(p, pixels * sizeof(float)) : e.levels;
    for (int level = 0; level < LEVELS; level++)
        e.bin_of[level] = (uint8_t)((float)level / 255.0f * (float)e.last_bin + 0.5f);
    LAUNCH(p, "contrast_levels", plan_grid(l), ARG(from), POINTER(e.levels), REAL(r->low), REAL(r->high));
    if (masked)
        LAUNCH(p, "contrast_weights", plan_grid(l), ARG(plan_image(p, "mask")), POINTER(e.weights), REAL(r->largest));
    (fast ? equalize_blocks : equalize_exactly)(p, &e);
    LAUNCH(p, "contrast_apply", plan_grid(to.layout), ARG(from), POINTER(e.levels), POINTER(e.made), POINTER(e.weights),
           INT(masked), REAL(r->low), ARG(to));
}

#define SOURCE DRUA_IMAGE_IN("source", "image")
#define MASK   DRUA_IMAGE_IN("mask", "image of weights: 0 keeps a pixel, the mask's largest value equalizes it fully")
#define RESULT DRUA_IMAGE_OUT("destination", "image with even contrast")
#define SETTINGS                                                                                                       \
    DRUA_INTEGER("block_size", "side of the square around each pixel from which the histogram is made",                \
                 .unit = "pixel", DRUA_RANGE(1, 4095), .default_value = 127),                                          \
        DRUA_INTEGER("bins", "number of grey values in histograms", DRUA_RANGE(2, 256), .default_value = 256),         \
        DRUA_NUMBER("slope", "limit of contrast: 1 changes nothing, large values equalize fully", DRUA_RANGE(1, 1000), \
                    .default_value = 3),                                                                               \
        DRUA_BOOLEAN("fast", "makes one histogram for each block, and interpolates between blocks")

static void window_parts(drua_plan *p, drua_parts *parts)
{
    const int64_t radius = (plan_integer(p, "block_size") - 1) / 2;
    /* with `fast`, a pixel needs the blocks with the nearest centre on each side */
    parts->halo[0] = parts->halo[1] = plan_flag(p, "fast") ? 3 * radius + 2 : radius;
    parts->columns = true;
}

static uint64_t scratch_of_equalizing(drua_plan *p)
{
    const drua_shape of = plan_shape(p, "source");
    const int64_t block = (plan_integer(p, "block_size") - 1) / 2 * 2 + 1;
    const uint64_t pixels = (uint64_t)of.width * (uint64_t)of.height * (uint64_t)of.depth,
                   blocks = (uint64_t)((of.width / block + 2) * (of.height / block + 2) * of.depth);
    return pixels * (3 + sizeof(float)) + (plan_flag(p, "fast") ? blocks * LEVELS * sizeof(float) : 0);
}

static void launch_equalize(drua_plan *p)
{
    equalize(p, plan_state(p), false, plan_flag(p, "fast"));
}

static void launch_equalize_masked(drua_plan *p)
{
    equalize(p, plan_state(p), true, plan_flag(p, "fast"));
}

static const drua_op equalize_parts = {.name = "enhance_local_contrast",
                                       DRUA_PARAMS(SOURCE, RESULT, SETTINGS),
                                       .numeric = DRUA_EXACT,
                                       .launch = launch_equalize,
                                       .scratch = scratch_of_equalizing,
                                       .parts = window_parts},
                     equalize_masked_parts = {.name = "enhance_local_contrast_in_mask",
                                              DRUA_PARAMS(SOURCE, MASK, RESULT, SETTINGS),
                                              .numeric = DRUA_EXACT,
                                              .launch = launch_equalize_masked,
                                              .scratch = scratch_of_equalizing,
                                              .parts = window_parts};

/* Pipelines that run block by block record numbers instead of a state. */
static void launch_equalize_between(drua_plan *p)
{
    equalize(p, &(range){plan_number(p, "low"), plan_number(p, "high"), 0}, false, false);
}

static const drua_op equalize_between = {
    .name = "enhance_local_contrast",
    DRUA_PARAMS(SOURCE, RESULT, SETTINGS, DRUA_NUMBER("low", "grey value that counts as 0"),
                DRUA_NUMBER("high", "grey value that counts as 255")),
    .numeric = DRUA_EXACT,
    .launch = launch_equalize_between,
    .parts = window_parts,
};

static range measure_range(drua_plan *p)
{
    range r = {0, 255, 0};
    if (plan_type(p, "source") != DRUA_UINT8)
        reduction_finite_extremes(p, "source", &r.low, &r.high);
    return r;
}

#define SETTING_OPERANDS(p)                                                                                            \
    NUMBER((double)plan_integer(p, "block_size")), NUMBER((double)plan_integer(p, "bins")),                            \
        NUMBER(plan_number(p, "slope")), NUMBER(plan_flag(p, "fast"))

static void local_contrast_within(drua_plan *p, int64_t margin)
{
    const range r = measure_range(p);
    if (plan_flag(p, "fast"))
        plan_fail_unsupported(p, "fast places blocks in whole slices, so it cannot run block by block; set fast to 0");
    (void)margin;
    plan_return(p, "destination",
                CALL_RECORDED(p, &equalize_between, plan_type(p, "destination"), plan_operand(p, "source"),
                              SETTING_OPERANDS(p), NUMBER(r.low), NUMBER(r.high)));
}

static void build_local_contrast(drua_plan *p)
{
    range r = measure_range(p);
    const drua_operand operands[] = {plan_operand(p, "source"), SETTING_OPERANDS(p)};
    plan_return(p, "destination",
                plan_call_private(p, &equalize_parts, &r, plan_type(p, "destination"), operands,
                                  sizeof operands / sizeof *operands));
}

static void build_local_contrast_in_mask(drua_plan *p)
{
    const drua_operand operands[] = {plan_operand(p, "source"), plan_operand(p, "mask"), SETTING_OPERANDS(p)};
    range r = measure_range(p);
    double smallest;
    plan_check_same_extent(p, "source", "mask");
    reduction_finite_extremes(p, "mask", &smallest, &r.largest);
    plan_return(p, "destination",
                plan_call_private(p, &equalize_masked_parts, &r, plan_type(p, "destination"), operands,
                                  sizeof operands / sizeof *operands));
}

#define CLAHE                                                                                                          \
    "contrast-limited adaptive histogram equalization (Zuiderveld 1994) as ImageJ's Enhance Local Contrast computes "  \
    "it for uint8. At its borders, ImageJ leaves out pixels: the last column if half a block is wider than the "       \
    "image; with \"fast\", the last row and column, and images smaller than a block. Images of other types are "       \
    "equalized as if they had 8 bits from their smallest to their largest grey value, and scaled by the result"

DRUA_OP(enhance_local_contrast) = {
    .name = "enhance_local_contrast",
    .category = "filter",
    .menu = true,
    .summary = "Stretches the contrast around each pixel of a slice according to the grey values near it (CLAHE).",
    .source = CLAHE,
    DRUA_ALIASES("Drua enhanceLocalContrast: source, &destination, block_size, bins, slope, fast=0"),
    DRUA_PARAMS(SOURCE, RESULT, SETTINGS),
    .numeric = DRUA_EXACT,
    .build = build_local_contrast,
    .build_in_blocks = local_contrast_within,
};

DRUA_OP(enhance_local_contrast_in_mask) = {
    .name = "enhance_local_contrast_in_mask",
    .category = "filter",
    .summary = "Stretches the contrast around each pixel of a slice (CLAHE) as far as a mask allows.",
    .source = CLAHE ". A weight w limits the slope to 1 + w (slope - 1), without \"fast\", and mixes the result with "
                    "the image",
    DRUA_PARAMS(SOURCE, MASK, RESULT, SETTINGS),
    .numeric = DRUA_EXACT,
    .build = build_local_contrast_in_mask,
};
