/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations that treat an image as a line of pixels, x fastest, and read four pixels at a time (batches.cl). */
#include "batches.cl"

#define ALL_FOUR (int4)(-1)
#define HAS_BATCH (next + (BATCH - 1) * step + 4 <= count)

/* On CPUs batches of floats have a separate loop, for which compilers generate better code. */
#ifdef ON_CPU
#define FLOATS_IN_BATCHES(add)                                                                                         \
    for (; is_line && !gaps && image->type == FLOAT32 && HAS_BATCH; next += BATCH * step) {                            \
        global const float4 *vectors = (global const float4 *)((global const float *)pixels + image->offset);          \
        float4 a[BATCH], b[BATCH];                                                                                     \
        for (int k = 0; k < BATCH; k++)                                                                                \
            a[k] = vectors[(INDEX)(next + k * step) >> 2];                                                             \
        if (two)                                                                                                       \
            load_batch_of_line(other_pixels, other, walk, (INDEX)next, (INDEX)step, false, b);                         \
        for (int k = 0; k < BATCH; k++)                                                                                \
            add(state, a[k], two ? b[k] : a[k], ALL_FOUR);                                                             \
    }
#else
#define FLOATS_IN_BATCHES(add)
#endif

/* Processes the pixels that remain after the last whole batch, four at a time. */
#define ONE_BY_ONE(add)                                                                                                \
    ROLLED for (; next < count; next += step) {                                                                        \
        const int4 present = (int4)(0, 1, 2, 3) < (int4)((int)min(count - next, 4L));                                  \
        const float4 a = load_four(pixels, image, image, next, count, is_line);                                        \
        add(state, a, two ? load_four(other_pixels, other, image, next, count, is_line) : a, present);                 \
    }

/*
 * Defines NAME, which takes four pixels from `next` on, then those `step` further, up to `count`. `add` gets a state,
 * the pixels, the pixels of another image at the same position, and a mask of the pixels that exist. Without a second
 * image (`two` is not set), `add` gets the pixels of the first image twice. Whole batches come first. Gaps between rows
 * do not affect which work-item takes which pixels. Layouts are passed by value, because GPUs would copy layouts behind
 * pointers.
 */
#define OVER_LINE(NAME, STATE, add)                                                                                    \
    IN_PLACE void NAME(STATE *state, global const uchar *pixels, const layout of_image,                                \
        global const uchar *other_pixels,                                                                              \
                     const layout of_other, const bool two, long next, const long step, const long count, int is_line) \
    {                                                                                                                  \
        const layout *image = &of_image, *other = &of_other;                                                           \
        const bool gaps = gap_of(image) > 0 || (two && gap_of(other) > 0);                                             \
        line_walk walk = {0, 0, 0, 0, 0};                                                                              \
        if (is_line && gaps)                                                                                           \
            walk = walk_from(image, next, step);                                                                       \
        FLOATS_IN_BATCHES(add)                                                                                         \
        for (; is_line && HAS_BATCH; next += BATCH * step) {                                                           \
            float4 a[BATCH], b[BATCH];                                                                                 \
            load_batch_of_line(pixels, image, walk, (INDEX)next, (INDEX)step, false, a);                               \
            if (two)                                                                                                   \
                load_batch_of_line(other_pixels, other, walk, (INDEX)next, (INDEX)step, false, b);                     \
            for (int k = 0; k < BATCH; k++)                                                                            \
                walk = walk_on(walk);                                                                                  \
            for (int k = 0; k < BATCH; k++)                                                                            \
                add(state, a[k], two ? b[k] : a[k], ALL_FOUR);                                                         \
        }                                                                                                              \
        ONE_BY_ONE(add)                                                                                                \
    }                                                                                                                  \
    OVER_CHAIN(NAME, STATE, add)

/*
 * If a chain computes the image, its pixels are contiguous and come from `chain_prologue`
 * (kernels/specialized/common/common.cl).
 */
#ifdef PROLOGUE_PARAMETERS
#define FROM_CHAIN 1
#define OVER_CHAIN(NAME, STATE, add)                                                                                   \
    IN_PLACE void NAME##_of_chain(STATE *state, const chain_inputs *inputs, long next, const long step,                \
        const long count)                                                                                              \
    {                                                                                                                  \
        for (; HAS_BATCH; next += BATCH * step) {                                                                      \
            float4 a[BATCH];                                                                                           \
            for (int k = 0; k < BATCH; k++)                                                                            \
                a[k] = chain_prologue(inputs, (INDEX)(next + k * step), 4, true);                                      \
            for (int k = 0; k < BATCH; k++)                                                                            \
                add(state, a[k], a[k], ALL_FOUR);                                                                      \
        }                                                                                                              \
        for (; next < count; next += step) {                                                                           \
            const int present = (int)min(count - next, 4L);                                                            \
            const float4 a = chain_prologue(inputs, (INDEX)next, present, present == 4);                               \
            add(state, a, a, (int4)(0, 1, 2, 3) < (int4)(present));                                                    \
        }                                                                                                              \
    }
#define SOURCE_PART(NAME, state, next, step, end) NAME##_of_chain(state, &inputs, next, step, end)
#else
#define FROM_CHAIN 0
#define PROLOGUE_PARAMETERS
#define PROLOGUE_INPUTS
#define OVER_CHAIN(NAME, STATE, add)
#define SOURCE_PART(NAME, state, next, step, end)                                                                      \
    NAME(state, source_pixels, source, source_pixels, source, false, next, step, end, is_line)
#endif

/* Uses NAME to process a work-item's pixels of the kernel's source, or of two images. */
#define SOURCE_LINE(NAME, state)                                                                                       \
    SOURCE_PART(NAME, state, 4 * (long)get_global_id(0), 4 * (long)get_global_size(0), count)
#define BOTH_LINES(NAME, state) BOTH_PART(NAME, state, 4 * (long)get_global_id(0), 4 * (long)get_global_size(0), count)
#define BOTH_PART(NAME, state, next, step, end)                                                                        \
    NAME(state, source_pixels, source, other_pixels, other, true, next, step, end, is_line)
