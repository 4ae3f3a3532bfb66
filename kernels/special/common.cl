/* SPDX-License-Identifier: BSD-3-Clause */
/* What several of the compiled kernels share, as far as their constants are there. */
#define EACH(i, first, end) _Pragma("unroll") for (int i = first; i < end; i++)

/* Vectors of one, where the number of pixels is a constant. */
#define float1 float
#define uchar1 uchar
#define char1 char
#define ushort1 ushort
#define short1 short
#define uint1 uint
#define int1 int

/* Integers in the order of pixels, and back. */
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

/* Four pixels of a row; those of a row of whole vectors are repeated later. */
inline quad quad_at(global const FROM *row, const layout *image, int at)
{
    const int last = image->width - 1;
#if ALIGNED
    return *(global const quad *)(row + clamp(at, 0, last - 3));
#else
    const INDEX column = image->column;
    return (quad)(row[clamp(at, 0, last) * column], row[clamp(at + 1, 0, last) * column], row[clamp(at + 2, 0, last) * column],
                  row[clamp(at + 3, 0, last) * column]);
#endif
}
#endif
