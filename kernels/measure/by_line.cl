/* SPDX-License-Identifier: BSD-3-Clause */
/* What is done with an image as a line of pixels, x fastest, read four at a time (batches.cl). */

#define ALL_FOUR (int4)(-1)
#define HAS_BATCH (next + (BATCH - 1) * step + 4 <= count)

/*
 * Defines NAME: each work-item takes four pixels, then those a whole launch further; `add` gets a state, the pixels, those of another image
 * there, and which of the four there are. Without the other, `two`, it gets the pixels again. Batches go on for as long as there are whole
 * ones. Which item takes what does not depend on gaps between rows. Layouts are handed over whole: GPUs keep copies of what a pointer leads to.
 */
#define OVER_LINE(NAME, STATE, add)                                                                                              \
    IN_PLACE void NAME(STATE *state, global const uchar *pixels, const layout of_image, global const uchar *other_pixels,        \
                     const layout of_other, const bool two, long count, int is_line)                                             \
    {                                                                                                                            \
        const layout *image = &of_image, *other = &of_other;                                                                     \
        const bool gaps = gap_of(image) > 0 || (two && gap_of(other) > 0);                                                       \
        const long step = 4 * (long)get_global_size(0);                                                                          \
        long next = 4 * (long)get_global_id(0);                                                                                  \
        global const float4 *vectors = (global const float4 *)((global const float *)pixels + image->offset);                    \
        line_walk walk = {0, 0, 0, 0, 0};                                                                                        \
        if (is_line && gaps)                                                                                                     \
            walk = walk_from(image, next, step);                                                                                 \
        for (; is_line && !gaps && image->type == FLOAT32 && HAS_BATCH; next += BATCH * step) {                                  \
            float4 a[BATCH], b[BATCH];                                                                                           \
            for (int k = 0; k < BATCH; k++)                                                                                      \
                a[k] = vectors[(INDEX)(next + k * step) >> 2];                                                                   \
            if (two)                                                                                                             \
                load_batch_of_line(other_pixels, other, walk, (INDEX)next, (INDEX)step, b);                                      \
            for (int k = 0; k < BATCH; k++)                                                                                      \
                add(state, a[k], two ? b[k] : a[k], ALL_FOUR);                                                                   \
        }                                                                                                                        \
        for (; is_line && HAS_BATCH; next += BATCH * step) {                                                                     \
            float4 a[BATCH], b[BATCH];                                                                                           \
            load_batch_of_line(pixels, image, walk, (INDEX)next, (INDEX)step, a);                                                \
            if (two)                                                                                                             \
                load_batch_of_line(other_pixels, other, walk, (INDEX)next, (INDEX)step, b);                                      \
            for (int k = 0; k < BATCH; k++)                                                                                      \
                walk = walk_on(walk);                                                                                            \
            for (int k = 0; k < BATCH; k++)                                                                                      \
                add(state, a[k], two ? b[k] : a[k], ALL_FOUR);                                                                   \
        }                                                                                                                        \
        for (; next < count; next += step) {                                                                                     \
            const int4 there = (int4)(0, 1, 2, 3) < (int4)((int)min(count - next, 4L));                                          \
            const float4 a = load_four(pixels, image, image, next, count, is_line);                                              \
            add(state, a, two ? load_four(other_pixels, other, image, next, count, is_line) : a, there);                         \
        }                                                                                                                        \
    }                                                                                                                            \
    OVER_CHAIN(NAME, STATE, add)

/* Pixels of an image that a chain makes, whose rows follow each other, come from `chain_prologue` (kernels/specialized/common/common.cl). */
#ifdef PROLOGUE_PARAMETERS
#define FROM_CHAIN 1
#define OVER_CHAIN(NAME, STATE, add)                                                                                             \
    IN_PLACE void NAME##_of_chain(STATE *state, const chain_inputs *inputs, long count)                                          \
    {                                                                                                                            \
        const long step = 4 * (long)get_global_size(0);                                                                          \
        long next = 4 * (long)get_global_id(0);                                                                                  \
        for (; HAS_BATCH; next += BATCH * step) {                                                                                \
            float4 a[BATCH];                                                                                                     \
            for (int k = 0; k < BATCH; k++)                                                                                      \
                a[k] = chain_prologue(inputs, (INDEX)(next + k * step), 4, true);                                                \
            for (int k = 0; k < BATCH; k++)                                                                                      \
                add(state, a[k], a[k], ALL_FOUR);                                                                                \
        }                                                                                                                        \
        for (; next < count; next += step) {                                                                                     \
            const int there = (int)min(count - next, 4L);                                                                        \
            const float4 a = chain_prologue(inputs, (INDEX)next, there, there == 4);                                             \
            add(state, a, a, (int4)(0, 1, 2, 3) < (int4)(there));                                                                \
        }                                                                                                                        \
    }
/* NAME of the kernel's source. */
#define SOURCE_LINE(NAME, state) NAME##_of_chain(state, &inputs, count)
#else
#define FROM_CHAIN 0
#define PROLOGUE_PARAMETERS
#define PROLOGUE_INPUTS
#define OVER_CHAIN(NAME, STATE, add)
#define SOURCE_LINE(NAME, state) NAME(state, source_pixels, source, source_pixels, source, false, count, is_line)
#endif
#define BOTH_LINES(NAME, state) NAME(state, source_pixels, source, other_pixels, other, true, count, is_line)
