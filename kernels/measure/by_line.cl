/* SPDX-License-Identifier: BSD-3-Clause */
/* What is done with an image as a line of pixels, x fastest, read four at a time (batches.cl). */

/* Batches of a line as long as there are whole ones; `read` fills `batch`. The rest as for EACH_FOUR_WITH. */
#define EACH_BATCH(served, read, batch_too, of_batch, body)                                                                      \
    for (; served && next + (BATCH - 1) * step + 4 <= count; next += BATCH * step) {                                             \
        float4 batch[BATCH];                                                                                                     \
        read                                                                                                                     \
        batch_too                                                                                                                \
        for (int k = 0; k < BATCH; k++) {                                                                                        \
            const long i = next + k * step;                                                                                      \
            int4 keep = (int4)(-1);                                                                                              \
            const float4 a = batch[k];                                                                                           \
            of_batch body                                                                                                        \
        }                                                                                                                        \
    }

/*
 * Each work-item takes four pixels, then those a whole launch further: `body` sees them as `a`, their place in the line as
 * `i`, and in `keep` which of them there are. Before it comes what else it reads: for a batch, from the batch, for four alone.
 * `gaps`, whether there are any. Which item takes what does not depend on them.
 */
#define EACH_FOUR_WITH(image, gaps, batch_too, of_batch, four_too, body)                                                         \
    const long step = 4 * (long)get_global_size(0);                                                                              \
    long next = 4 * (long)get_global_id(0);                                                                                      \
    global const float4 *fours = (global const float4 *)((global const float *)image##_pixels + image.offset);                   \
    line_walk walk = {0, 0, 0, 0, 0};                                                                                            \
    if (is_line && (gaps))                                                                                                       \
        walk = walk_from(&image, next, step);                                                                                    \
    EACH_BATCH(is_line && !(gaps) && image.type == FLOAT32,                                                                      \
               for (int k = 0; k < BATCH; k++) batch[k] = fours[(INDEX)(next + k * step) >> 2];, batch_too, of_batch, body)      \
    EACH_BATCH(is_line, load_batch_of_line(image##_pixels, &image, walk, (INDEX)next, (INDEX)step, batch);,                      \
               batch_too for (int k = 0; k < BATCH; k++) walk = walk_on(walk);, of_batch, body)                                  \
    for (; next < count; next += step) {                                                                                         \
        const long i = next;                                                                                                     \
        int4 keep = (int4)(0, 1, 2, 3) < (int4)((int)min(count - i, 4L));                                                        \
        const float4 a = load_four(image##_pixels, &image, &image, i, count, is_line);                                           \
        four_too body                                                                                                            \
    }

/* Pixels of an image that a chain makes, whose rows follow each other, come from `chain_prologue` (kernels/specialized/common/common.cl). */
#ifdef PROLOGUE_PARAMETERS
#define CHAIN_BEFORE
#define EACH_FOUR(image, body)                                                                                                   \
    const long step = 4 * (long)get_global_size(0);                                                                              \
    long next = 4 * (long)get_global_id(0);                                                                                      \
    EACH_BATCH(true, for (int k = 0; k < BATCH; k++) batch[k] = chain_prologue(&inputs, (INDEX)(next + k * step), 4, true);, , , body) \
    for (; next < count; next += step) {                                                                                         \
        const long i = next;                                                                                                     \
        const int there = (int)min(count - i, 4L);                                                                               \
        int4 keep = (int4)(0, 1, 2, 3) < (int4)(there);                                                                          \
        const float4 a = chain_prologue(&inputs, (INDEX)i, there, there == 4);                                                     \
        body                                                                                                                     \
    }
#else
#define PROLOGUE_PARAMETERS
#define PROLOGUE_INPUTS
#define EACH_FOUR(image, body) EACH_FOUR_WITH(image, gap_of(&image) > 0, , , , body)
#endif

/* With the pixels of another image there as `b`. */
#define EACH_FOUR_OF_TWO(image, other, body)                                                                                     \
    EACH_FOUR_WITH(image, gap_of(&image) > 0 || gap_of(&other) > 0, float4 others[BATCH];                                        \
                   load_batch_of_line(other##_pixels, &other, walk, (INDEX)next, (INDEX)step, others);                           \
                   , const float4 b = others[k];, const float4 b = load_four(other##_pixels, &other, &image, i, count, is_line);, body)
