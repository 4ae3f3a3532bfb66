/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the pixels of an image as a line, x fastest, in vectors of four. */

/* Position of pixel i of a line through an image, and the step to the next. */
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

/* Distance from the end of a row to the next row, for images with the same distance everywhere. */
inline INDEX gap_of(const layout *image)
{
    return (INDEX)((image->height > 1 ? image->row : image->depth > 1 ? image->plane : image->width) - image->width);
}

/* N pixels at arbitrary places. */
#define LOAD_APART(N)                                                                                                  \
    inline void load_apart_##N(global const uchar *pixels, int type, const INDEX *at, float *values)                   \
    {                                                                                                                  \
        switch (type) {                                                                                                \
        case UINT8: UNROLLED(n, N) values[n] = pixels[at[n]]; break;                                                   \
        case INT8: UNROLLED(n, N) values[n] = ((global const char *)pixels)[at[n]]; break;                             \
        case UINT16: UNROLLED(n, N) values[n] = ((global const ushort *)pixels)[at[n]]; break;                         \
        case INT16: UNROLLED(n, N) values[n] = ((global const short *)pixels)[at[n]]; break;                           \
        case UINT32: UNROLLED(n, N) values[n] = ((global const uint *)pixels)[at[n]]; break;                           \
        case INT32: UNROLLED(n, N) values[n] = ((global const int *)pixels)[at[n]]; break;                             \
        default: UNROLLED(n, N) values[n] = ((global const float *)pixels)[at[n]];                                     \
        }                                                                                                              \
    }
LOAD_APART(4)
LOAD_APART(16)

/* Pixels i to i + 3 of a line through `shape`; an image of another size repeats its border. */
inline float4 load_four(global const uchar *pixels, const layout *image, const layout *shape, long i, long count,
                        int is_line)
{
    if (is_line && gap_of(image) == 0 && i + 4 <= count)
        return load_four_pixels(pixels, image->type, (INDEX)(image->offset + i));
    const layout l = *image;
    INDEX places[4];
    float v[4];
    int4 at = position_of(shape, i);
    for (int k = 0; k < 4; k++) {
        places[k] = AT(l, min(at.x, l.width - 1), min(at.y, l.height - 1), min(at.z, l.depth - 1));
        at = next_position(shape, at);
    }
    load_apart_4(pixels, l.type, places, v);
    return vload4(0, v);
}

/* Pixels x to x + 3 of a row; pixels past the row repeat its last one. */
inline float4 load_at(global const uchar *pixels, const layout *image, int x, int y, int z)
{
    const layout i = *image;
    float v[4];
    for (int k = 0; k < 4; k++)
        v[k] = load_float(pixels, i.type, AT(i, min(x + k, i.width - 1), y, z));
    return vload4(0, v);
}

/*
 * Loads several vectors of the line, with a stride of `step` pixels, before the first is used. The loads then overlap.
 */
enum { BATCH = 4 };

#define BATCH_OF(T)                                                                                                    \
    inline void load_batch_##T(global const T *values, const INDEX *at, float4 *batch)                                 \
    {                                                                                                                  \
        for (int k = 0; k < BATCH; k++)                                                                                \
            batch[k] = convert_float4(*(global const JOIN(T, 4) *)(values + at[k]));                                   \
    }
BATCH_OF(uchar)
BATCH_OF(char)
BATCH_OF(ushort)
BATCH_OF(short)
BATCH_OF(uint)
BATCH_OF(int)
BATCH_OF(float)

inline void load_batch_at(global const uchar *pixels, int type, const INDEX *at, float4 *batch)
{
    switch (type) {
    case UINT8: load_batch_uchar(pixels, at, batch); break;
    case INT8: load_batch_char((global const char *)pixels, at, batch); break;
    case UINT16: load_batch_ushort((global const ushort *)pixels, at, batch); break;
    case INT16: load_batch_short((global const short *)pixels, at, batch); break;
    case UINT32: load_batch_uint((global const uint *)pixels, at, batch); break;
    case INT32: load_batch_int((global const int *)pixels, at, batch); break;
    default: load_batch_float((global const float *)pixels, at, batch);
    }
}

inline void load_batch(global const uchar *pixels, int type, INDEX at, INDEX step, float4 *batch)
{
    const INDEX places[BATCH] = {at, at + step, at + 2 * step, at + 3 * step};
    load_batch_at(pixels, type, places, batch);
}

/*
 * A work-item's position in a line whose rows have gaps between them: row number, position in the row, and distance to
 * the next four pixels.
 */
typedef struct {
    INDEX row, rows;
    int x, columns, width;
} line_walk;

inline line_walk walk_from(const layout *image, long next, long step)
{
    const long width = image->width;
    return (line_walk){(INDEX)(next / width), (INDEX)(step / width), (int)(next % width), (int)(step % width),
                       (int)width};
}

inline line_walk walk_on(line_walk w)
{
    const bool wraps = w.x >= w.width - w.columns;
    w.x += wraps ? w.columns - w.width : w.columns;
    w.row += wraps ? w.rows + 1 : w.rows;
    return w;
}

/*
 * Like load_batch, from pixel `next` of a line on; `w` is the position of this pixel. A vector may continue in the next
 * row; rows must have at least four pixels. `gaps`: the caller knows that rows have gaps.
 */
inline void load_batch_of_line(global const uchar *pixels, const layout *image, line_walk w, INDEX next, INDEX step,
                               const bool gaps, float4 *batch)
{
    const INDEX gap = gap_of(image), first = (INDEX)image->offset + next;
    if (!gaps && gap == 0) {
        load_batch(pixels, image->type, first, step, batch);
        return;
    }
    INDEX at[4 * BATCH];
    float values[4 * BATCH];
    for (int k = 0; k < BATCH; k++, w = walk_on(w)) {
        const INDEX here = first + k * step + w.row * gap, there = here + gap;
        const int left = w.width - w.x;
        at[4 * k] = here;
        at[4 * k + 1] = (left > 1 ? here : there) + 1;
        at[4 * k + 2] = (left > 2 ? here : there) + 2;
        at[4 * k + 3] = (left > 3 ? here : there) + 3;
    }
    load_apart_16(pixels, image->type, at, values);
    for (int k = 0; k < BATCH; k++)
        batch[k] = vload4(k, values);
}
