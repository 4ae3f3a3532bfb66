/* SPDX-License-Identifier: BSD-3-Clause */
/* Pixels of an image as a line, x fastest, read in vectors of four. This file comes before by_line.cl. */

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

#define BATCH_OF(T)                                                                                                              \
    inline void load_batch_##T(global const T *values, INDEX step, float4 *batch)                                                \
    {                                                                                                                            \
        for (int k = 0; k < BATCH; k++)                                                                                          \
            batch[k] = convert_float4(*(global const JOIN(T, 4) *)(values + k * step));                                          \
    }
BATCH_OF(uchar)
BATCH_OF(char)
BATCH_OF(ushort)
BATCH_OF(short)
BATCH_OF(uint)
BATCH_OF(int)
BATCH_OF(float)

inline void load_batch(global const uchar *pixels, int type, INDEX at, INDEX step, float4 *batch)
{
    switch (type) {
    case UINT8: load_batch_uchar(pixels + at, step, batch); break;
    case INT8: load_batch_char((global const char *)pixels + at, step, batch); break;
    case UINT16: load_batch_ushort((global const ushort *)pixels + at, step, batch); break;
    case INT16: load_batch_short((global const short *)pixels + at, step, batch); break;
    case UINT32: load_batch_uint((global const uint *)pixels + at, step, batch); break;
    case INT32: load_batch_int((global const int *)pixels + at, step, batch); break;
    default: load_batch_float((global const float *)pixels + at, step, batch);
    }
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

#define BATCH_OF_LINE(T)                                                                                                         \
    inline void load_batch_of_line_##T(global const T *values, line_walk w, INDEX first, INDEX step, INDEX gap, float4 *batch)   \
    {                                                                                                                            \
        for (int k = 0; k < BATCH; k++, w = walk_on(w)) {                                                                        \
            const INDEX here = first + k * step + w.row * gap, there = here + gap;                                               \
            const int left = w.width - w.x;                                                                                      \
            batch[k] = (float4)(values[here], values[(left > 1 ? here : there) + 1], values[(left > 2 ? here : there) + 2],      \
                                values[(left > 3 ? here : there) + 3]);                                                          \
        }                                                                                                                        \
    }
BATCH_OF_LINE(uchar)
BATCH_OF_LINE(char)
BATCH_OF_LINE(ushort)
BATCH_OF_LINE(short)
BATCH_OF_LINE(uint)
BATCH_OF_LINE(int)
BATCH_OF_LINE(float)

/* As load_batch from pixel `next` of a line on, where `w` is; a vector may go on in the next row, which has four pixels or more. */
inline void load_batch_of_line(global const uchar *pixels, const layout *image, line_walk w, INDEX next, INDEX step, float4 *batch)
{
    const INDEX gap = gap_of(image), first = (INDEX)image->offset + next;
    if (gap == 0) {
        load_batch(pixels, image->type, first, step, batch);
        return;
    }
    switch (image->type) {
    case UINT8: load_batch_of_line_uchar(pixels, w, first, step, gap, batch); break;
    case INT8: load_batch_of_line_char((global const char *)pixels, w, first, step, gap, batch); break;
    case UINT16: load_batch_of_line_ushort((global const ushort *)pixels, w, first, step, gap, batch); break;
    case INT16: load_batch_of_line_short((global const short *)pixels, w, first, step, gap, batch); break;
    case UINT32: load_batch_of_line_uint((global const uint *)pixels, w, first, step, gap, batch); break;
    case INT32: load_batch_of_line_int((global const int *)pixels, w, first, step, gap, batch); break;
    default: load_batch_of_line_float((global const float *)pixels, w, first, step, gap, batch);
    }
}
