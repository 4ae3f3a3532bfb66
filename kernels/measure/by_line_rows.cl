/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations on an image as one line of pixels (see by_line.cl), for results that do not depend on the order of pixels.
 * This is faster than by_line.cl on CPUs, and on GPUs if rows are padded.
 */
#include "batches.cl"
#include "by_line.cl"

/*
 * Loads a batch of vectors with a stride of `step` pixels. For a vector that does not lie before `end`, the last vector
 * before `end` is loaded instead.
 */
inline void load_batch_before(global const uchar *pixels, const layout *image, long next, long step, long end,
                              float4 *batch)
{
    INDEX at[BATCH];
    for (int k = 0; k < BATCH; k++)
        at[k] = (INDEX)(image->offset + min(next + k * step, end - 4));
    load_batch_at(pixels, image->type, at, batch);
}

inline bool is_aligned(const layout *image) { return ((image->offset | (image->width + gap_of(image))) & 3) == 0; }

/* On a CPU each work-group has one work-item, which reads one contiguous stretch of the line. */
#ifdef ON_CPU
#define STRETCH ((count / (long)get_num_groups(0) / 4 + 1) * 4)
#define STRETCH_BEGINS min(STRETCH * (long)get_group_id(0), count)
#define STRETCH_ENDS min(STRETCH * ((long)get_group_id(0) + 1), count)
#define OVER_LINE_IN_ANY_ORDER(NAME, STATE, add) OVER_LINE(NAME, STATE, add)
#define SOURCE_IN_ANY_ORDER(NAME, state) SOURCE_PART(NAME, state, STRETCH_BEGINS, 4L, STRETCH_ENDS)
#define BOTH_IN_ANY_ORDER(NAME, state) BOTH_PART(NAME, state, STRETCH_BEGINS, 4L, STRETCH_ENDS)
#else

/*
 * Defines NAME_in_any_order like OVER_LINE. If all rows are aligned to whole vectors, it reads whole vectors, including
 * the gaps between rows, and masks the gaps.
 */
#define OVER_LINE_IN_ANY_ORDER(NAME, STATE, add)                                                                       \
    IN_PLACE void NAME##_in_any_order(STATE *state, global const uchar *pixels, const layout of_image,                 \
        global const uchar *other_pixels,                                                                              \
                                      const layout of_other, const bool two, long next, const long step,               \
                                          const long count, int is_line)                                               \
    {                                                                                                                  \
        const layout *image = &of_image, *other = &of_other;                                                           \
        const bool gaps = gap_of(image) > 0 || (two && gap_of(other) > 0);                                             \
        const bool aligned = is_line && gap_of(image) > 0 && is_aligned(image) &&                                      \
                             (!two || (is_aligned(other) && gap_of(image) == gap_of(other)));                          \
        layout whole = *image;                                                                                         \
        whole.width += aligned ? (int)gap_of(image) : 0;                                                               \
        const long end = aligned ? (count / image->width - 1) * whole.width + (image->width + 3) / 4 * 4 : count;      \
        line_walk walk = {0, 0, 0, 0, 0};                                                                              \
        if (is_line && gaps)                                                                                           \
            walk = walk_from(&whole, next, step);                                                                      \
        for (; is_line && !gaps && HAS_BATCH; next += BATCH * step) {                                                  \
            float4 a[BATCH], b[BATCH];                                                                                 \
            load_batch(pixels, image->type, (INDEX)(image->offset + next), (INDEX)step, a);                            \
            if (two)                                                                                                   \
                load_batch(other_pixels, other->type, (INDEX)(other->offset + next), (INDEX)step, b);                  \
            for (int k = 0; k < BATCH; k++)                                                                            \
                add(state, a[k], two ? b[k] : a[k], ALL_FOUR);                                                         \
        }                                                                                                              \
        for (; is_line && gaps && (aligned ? next < end : HAS_BATCH); next += BATCH * step) {                          \
            float4 a[BATCH], b[BATCH];                                                                                 \
            if (aligned) {                                                                                             \
                load_batch_before(pixels, image, next, step, end, a);                                                  \
                if (two)                                                                                               \
                    load_batch_before(other_pixels, other, next, step, end, b);                                        \
            } else {                                                                                                   \
                load_batch_of_line(pixels, image, walk, (INDEX)next, (INDEX)step, !two, a);                            \
                if (two)                                                                                               \
                    load_batch_of_line(other_pixels, other, walk, (INDEX)next, (INDEX)step, false, b);                 \
            }                                                                                                          \
            for (int k = 0; k < BATCH; k++, walk = walk_on(walk))                                                      \
                add(state, a[k], two ? b[k] : a[k],                                                                    \
                    (int4)(0, 1, 2, 3) < (int4)(!aligned ? 4 : next + k * step < end ? image->width - walk.x : 0));    \
        }                                                                                                              \
        ONE_BY_ONE(add)                                                                                                \
    }                                                                                                                  \
    OVER_CHAIN(NAME, STATE, add)

#if FROM_CHAIN
#define SOURCE_IN_ANY_ORDER(NAME, state) SOURCE_LINE(NAME, state)
#else
#define SOURCE_IN_ANY_ORDER(NAME, state) SOURCE_LINE(NAME##_in_any_order, state)
#endif
#define BOTH_IN_ANY_ORDER(NAME, state) BOTH_LINES(NAME##_in_any_order, state)
#endif
