/* SPDX-License-Identifier: BSD-3-Clause */
/* An image as a line of pixels, x fastest, read four at a time. */

/* Position of pixel i of a line through an image, and the way to the next. */
inline int4 position_of(const layout *shape, long i)
{
    const long row = i / shape->width;
    return (int4)((int)(i % shape->width), (int)(row % shape->height), (int)(row / shape->height), 0);
}

inline int4 next_position(const layout *shape, int4 at)
{
    if (++at.x == shape->width) {
        at.x = 0;
        if (++at.y == shape->height) {
            at.y = 0;
            at.z++;
        }
    }
    return at;
}

/* How far a row ends before the next begins, in images of which every row does so. */
inline INDEX gap_of(const layout *image)
{
    return (INDEX)((image->height > 1 ? image->row : image->depth > 1 ? image->plane : image->width) - image->width);
}

/* Pixels i to i + 3 of the line; an image of another size is read at its border. */
inline float4 load_four(global const uchar *pixels, const layout *image, const layout *shape, long i, long count, int is_line)
{
    if (is_line && gap_of(image) == 0 && i + 4 <= count)
        return load_four_pixels(pixels, image->type, (INDEX)(image->offset + i));
    const layout l = *image;
    float v[4];
    int4 at = position_of(shape, i);
    for (int k = 0; k < 4; k++) {
        const int x = min(at.x, l.width - 1), y = min(at.y, l.height - 1), z = min(at.z, l.depth - 1);
        v[k] = load_float(pixels, l.type, AT(l, x, y, z));
        at = next_position(shape, at);
    }
    return vload4(0, v);
}

/* Pixels x to x + 3 of a row; the last is repeated. */
inline float4 load_at(global const uchar *pixels, const layout *image, int x, int y, int z)
{
    const layout i = *image;
    float v[4];
    for (int k = 0; k < 4; k++)
        v[k] = load_float(pixels, i.type, AT(i, min(x + k, i.width - 1), y, z));
    return vload4(0, v);
}

/* Several vectors of the line, `step` pixels apart, asked for before the first is used. */
enum { BATCH = 4 };

inline void load_batch(global const uchar *pixels, int type, INDEX at, INDEX step, float4 *batch)
{
#define LINES(T)                                                                                                                 \
    for (int k = 0; k < BATCH; k++)                                                                                              \
        batch[k] = convert_float4(*(global const JOIN(T, 4) *)((global const T *)pixels + at + k * step));                       \
    break;
    SWITCH_TYPE(type, LINES)
#undef LINES
}

/* Where an item is in a line whose rows have gaps between them: number of the row, place there, and how far to its next four. */
typedef struct {
    INDEX row, rows;
    int x, columns, width;
} line_walk;

inline line_walk walk_from(const layout *image, long next, long step)
{
    const long width = image->width;
    return (line_walk){(INDEX)(next / width), (INDEX)(step / width), (int)(next % width), (int)(step % width), (int)width};
}

inline line_walk walk_on(line_walk w)
{
    const bool wraps = w.x >= w.width - w.columns;
    w.x += wraps ? w.columns - w.width : w.columns;
    w.row += wraps ? w.rows + 1 : w.rows;
    return w;
}

/* As load_batch from pixel `next` of a line on, where `w` is; fours may go on in the next row, which has four pixels or more. */
inline void load_batch_of_line(global const uchar *pixels, const layout *image, line_walk w, INDEX next, INDEX step, float4 *batch)
{
    const INDEX gap = gap_of(image), first = (INDEX)image->offset + next;
    if (gap == 0) {
        load_batch(pixels, image->type, first, step, batch);
        return;
    }
#define LINES(T)                                                                                                                 \
    for (int k = 0; k < BATCH; k++, w = walk_on(w)) {                                                                            \
        const INDEX here = first + k * step + w.row * gap, there = here + gap;                                                   \
        const int left = w.width - w.x;                                                                                          \
        global const T *values = (global const T *)pixels;                                                                       \
        batch[k] = (float4)(values[here], values[(left > 1 ? here : there) + 1], values[(left > 2 ? here : there) + 2],          \
                            values[(left > 3 ? here : there) + 3]);                                                              \
    }                                                                                                                            \
    break;
    SWITCH_TYPE(image->type, LINES)
#undef LINES
}

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
