/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Definitions for several of the specialized kernels. A definition is active if the constants that it needs are
 * defined.
 */
#define EACH(i, first, end) _Pragma("unroll") for (int i = first; i < end; i++)

/* Vectors of one element, for kernels whose number of pixels is a constant. */
#define float1 float
#define uchar1 uchar
#define char1 char
#define ushort1 ushort
#define short1 short
#define uint1 uint
#define long1 long
#define int1 int

/*
 * Runs chains of pointwise operations in the same launch. Before the filter, `chain_prologue` computes the source's
 * pixels where the kernel reads them. After the filter, `chain_epilogue` computes the stored values from the results;
 * with KEEPS, the results themselves are stored too. The engine prepends the text of both functions; without this text,
 * pixels are read and stored directly. Values between chain and filter are floats that the image between them would
 * represent exactly.
 */
#if defined FROM && defined PROLOGUE_PARAMETERS
#undef FROM
#undef SMALL
#define FROM float
#define SMALL 0
#endif
#if defined TO && defined EPILOGUE_PARAMETERS && !KEEPS
#undef TO
#define TO float
#endif
#if defined ELEMENT && defined PROLOGUE_PARAMETERS
#define PIXEL float
#elif defined FROM
#define PIXEL FROM
#elif defined ELEMENT
#define PIXEL ELEMENT
#endif

#ifdef PROLOGUE_PARAMETERS
typedef struct {
    const chain_inputs *inputs;
    INDEX at;
} line;
#define LINE_AT(image, at) ((line){&inputs, at})
#define PIXEL_AT(row, i) (chain_prologue((row).inputs, (row).at + (i), 1, false).s0)
#define QUAD_AT(row, i) chain_prologue((row).inputs, (row).at + (i), LANES, true)
#else
#define PROLOGUE_PARAMETERS
#define PROLOGUE_INPUTS
#ifdef PIXEL
typedef global const PIXEL *line;
#endif
#define LINE_AT(image, at) ((line)image##_pixels + (at))
#define PIXEL_AT(row, i) (row)[i]
#define QUAD_AT(row, i) (*(global const JOIN(PIXEL, 4) *)((row) + (i)))
#endif
#define LINE_OF(image, y, z) LINE_AT(image, AT(image, 0, y, z))

#ifdef EPILOGUE_PARAMETERS
#define VALUE_OF(pixel)                                                                                                \
    (sizeof(pixel) < sizeof(float) ? as_float(0x4b400000 + (int)(pixel)) - 0x1.8p23f : (float)(pixel))
#define AFTER(count, in_vectors, from, at, left)                                                                       \
    EACH(part, 0, (count + LANES - 1) / LANES)                                                                         \
        if (part * LANES < (left)) {                                                                                   \
            const int readable = count - part * LANES < LANES ? count - part * LANES : LANES;                          \
            float lanes[LANES];                                                                                        \
            EACH(l, 0, LANES)                                                                                          \
                lanes[l] = VALUE_OF(from[part * LANES + (l < readable ? l : 0)]);                                      \
            chain_epilogue(at + part * LANES, readable, readable == 1 || (in_vectors && WHOLE) ? readable              \
                : min(readable, (left) - part * LANES),                                                                \
                        in_vectors && readable > 1, JOIN(vload, LANES)(0, lanes) EPILOGUE_ARGUMENTS);                  \
        }
#else
#define EPILOGUE_PARAMETERS
#define AFTER(count, in_vectors, from, at, left)
#define KEEPS 1
#endif

/*
 * WHOLE: rows begin and end with whole vectors. Otherwise, only `left` pixels of a row's last quad exist, and the lanes
 * after them repeat the last pixel.
 */
#ifndef WHOLE
#define WHOLE 0
#endif
#define END_QUAD(quad, left)                                                                                           \
    if (!WHOLE) {                                                                                                      \
        quad.y = (left) > 1 ? quad.y : quad.x;                                                                         \
        quad.z = (left) > 2 ? quad.z : quad.y;                                                                         \
        quad.w = (left) > 3 ? quad.w : quad.z;                                                                         \
    }

/* The quad of a row from x on, read at a position inside the row. Pixels outside the row repeat its ends. */
#define QUAD_START(x, width) clamp(x, 0, ((width) - 1) & ~3)
#define SPREAD_ENDS(quad, x, width)                                                                                    \
    {                                                                                                                  \
        END_QUAD(quad, (width) - QUAD_START(x, width))                                                                 \
        quad = (x) < 0 ? quad.xxxx : (x) >= (width) ? quad.wwww : quad;                                                \
    }

/* Stores an array of `count` pixels of a row from x on, but only those inside the row. */
#define STORE_PIXELS(T, count, in_vectors, image, x, y, z, from)                                                       \
    {                                                                                                                  \
        const INDEX stored_at = AT(image, x, y, z);                                                                    \
        const int stored_left = in_vectors && WHOLE ? ((x) < image.width ? count : 0) : image.width - (x);             \
        const bool stored_whole = in_vectors && (WHOLE || stored_left >= count);                                       \
        global T *stored_pixel = (global T *)image##_pixels + stored_at;                                               \
        union { JOIN(T, count) all; T one[count]; } stored_row;                                                        \
        EACH(e, 0, count)                                                                                              \
            stored_row.one[e] = (from)[e];                                                                             \
        if (KEEPS && stored_whole) {                                                                                   \
            if (stored_left > 0)                                                                                       \
                *(global JOIN(T, count) *)stored_pixel = stored_row.all;                                               \
        } else if (KEEPS) {                                                                                            \
            EACH(e, 0, count)                                                                                          \
                if (e < stored_left)                                                                                   \
                    stored_pixel[e * (INDEX)image.column] = stored_row.one[e];                                         \
        }                                                                                                              \
        AFTER(count, in_vectors, stored_row.one, stored_at, stored_left)                                               \
    }

/* Converts pixels to integers that sort like the pixels, and back. */
#ifdef KEY
#if FLOATS
inline int key_of(float pixel) { return as_int(pixel) ^ (as_int(pixel) >> 31 & INT_MAX); }
inline float pixel_of(int key) { return as_float(key ^ (key >> 31 & INT_MAX)); }
#else
#define key_of(pixel) ((KEY)(pixel))
#define pixel_of(key) ((ELEMENT)(key))
#endif
#endif

#if defined FROM && defined ALIGNED
typedef JOIN(FROM, 4) quad;

/* Reads four pixels of a row. If rows consist of whole vectors, a later step repeats the ends. */
inline quad quad_at(global const FROM *row, const layout *image, int at)
{
#if ALIGNED
    return *(global const quad *)(row + QUAD_START(at, image->width));
#else
    const int last = image->width - 1;
    const INDEX column = image->column;
    return (quad)(row[clamp(at, 0, last) * column], row[clamp(at + 1, 0, last) * column],
                  row[clamp(at + 2, 0, last) * column], row[clamp(at + 3, 0, last) * column]);
#endif
}
#endif
