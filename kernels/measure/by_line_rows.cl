/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines through images whose rows begin with whole vectors, where it does not matter which item takes what. After by_line.cl. */

/* A batch of fours `step` apart, of which those that do not lie before `end` are read where the last one lies. */
inline void load_batch_before(global const uchar *pixels, const layout *image, long next, long step, long end, float4 *batch)
{
    if (next + (BATCH - 1) * step < end)
        load_batch(pixels, image->type, (INDEX)(image->offset + next), (INDEX)step, batch);
    else
        for (int k = 0; k < BATCH; k++)
            batch[k] = load_four_pixels(pixels, image->type, (INDEX)(image->offset + min(next + k * step, end - 4)));
}

/*
 * Rows that begin with whole vectors, `aligned`, go in such, what lies between rows with them; others as `otherwise` says.
 */
#define EACH_FOUR_OF_ROWS(image, aligned, batch_too, of_batch, body, otherwise)                                                  \
    if (is_line && gap_of(&image) > 0 && (aligned)) {                                                                            \
        layout whole = image;                                                                                                    \
        whole.width += (int)gap_of(&image);                                                                                      \
        const long step = 4 * (long)get_global_size(0), end = (count / image.width - 1) * whole.width + (image.width + 3) / 4 * 4;\
        line_walk walk = walk_from(&whole, 4 * (long)get_global_id(0), step);                                                    \
        for (long next = 4 * (long)get_global_id(0); next < end; next += BATCH * step) {                                         \
            float4 batch[BATCH];                                                                                                 \
            load_batch_before(image##_pixels, &image, next, step, end, batch);                                                   \
            batch_too                                                                                                            \
            for (int k = 0; k < BATCH; k++, walk = walk_on(walk)) {                                                              \
                int4 keep = (int4)(0, 1, 2, 3) < (int4)(next + k * step < end ? image.width - walk.x : 0);                       \
                const float4 a = batch[k];                                                                                       \
                of_batch body                                                                                                    \
            }                                                                                                                    \
        }                                                                                                                        \
    } else {                                                                                                                     \
        otherwise                                                                                                                \
    }
#define IS_ALIGNED(image) (((image.offset | (image.width + gap_of(&image))) & 3) == 0)
#ifdef CHAIN_BEFORE
#define EACH_FOUR_IN_ANY_ORDER(image, body) EACH_FOUR(image, body)
#else
#define EACH_FOUR_IN_ANY_ORDER(image, body) EACH_FOUR_OF_ROWS(image, IS_ALIGNED(image), , , body, EACH_FOUR(image, body))
#endif
#define EACH_FOUR_OF_TWO_IN_ANY_ORDER(image, other, body)                                                                        \
    EACH_FOUR_OF_ROWS(image, IS_ALIGNED(image) && IS_ALIGNED(other) && gap_of(&image) == gap_of(&other), float4 others[BATCH];   \
                      load_batch_before(other##_pixels, &other, next, step, end, others);, const float4 b = others[k];, body,    \
                      EACH_FOUR_OF_TWO(image, other, body))
