/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the compiled kernels of separable filters share. Constants: FILTER; elements FROM and TO, the number TO_TYPE; RESULT, the
 * number of the filter's own type, which differs from TO_TYPE where a DIFFERENCE is taken too; LAST pass or not; ALIGNED, whether
 * rows are whole vectors of four; VB, pixels of a row that a work-item stores at once. Windows are folded in order of
 * position as in kernels/filter/separable.cl, so bits are the same; all private arrays have constant indices and lie in registers.
 */
#define GAUSSIAN 0
#define MEAN 1
#define MINIMUM 2
#define MAXIMUM 3

#define EACH(i, first, end) _Pragma("unroll") for (int i = first; i < end; i++)
#define DISTANCE(k) ((k) < 0 ? -(k) : (k))

/* Weights of distances 0 to 15; passed by value they are operands that cost nothing. */
typedef struct {
    float v[16];
} numbers;

#ifdef FILTER
#if FILTER == GAUSSIAN
#define START 0.0f
#define FOLD(T, sum, weight, value) fma((T)(weight), value, sum)
#elif FILTER == MEAN
#define START 0.0f
#define FOLD(T, sum, weight, value) ((sum) + (value))
#elif FILTER == MINIMUM
#define START INFINITY
#define FOLD(T, sum, weight, value) fmin(sum, value)
#else
#define START (-INFINITY)
#define FOLD(T, sum, weight, value) fmax(sum, value)
#endif
#define SELECTS (FILTER == MINIMUM || FILTER == MAXIMUM)    /* the order does not matter */
#define BOTH(T, a, b) FOLD(T, a, 0.0f, b)

#define float1 float
#define COLUMN JOIN(float, VB)
typedef JOIN(FROM, 4) quad;
typedef union {
    COLUMN all;
    float one[VB];
} column;

#define uchar1 uchar
#define char1 char
#define ushort1 ushort
#define short1 short
#define uint1 uint
#define int1 int
typedef union {
    JOIN(TO, VB) all;
    TO one[VB];
} stored;

#define ROW(T, image, y, z) ((global T *)image##_pixels + AT(image, 0, y, z))
#define CONST_ROW(T, image, y, z) ((global const T *)image##_pixels + AT(image, 0, y, z))

inline float finish_one(float value, float count)
{
#if FILTER == GAUSSIAN
    value = RESULT == FLOAT32 ? value : snap(value);
#elif FILTER == MEAN
#ifdef EXACT_DIVIDE
    value = value / count;
#else
    value = exact_divide((float4)(value), (float4)(count)).x;
#endif
#endif
    return saturate(value, RESULT);
}

/* What the filter gives by itself. */
inline COLUMN finish(COLUMN values, float count)
{
#if LAST
    column from;
    from.all = values;
    EACH(i, 0, VB)
        from.one[i] = finish_one(from.one[i], count);
    values = from.all;
#endif
    return values;
}

/* Stores those that are in the row. */
inline void put(global TO *row, int x, int width, COLUMN values)
{
    column from;
    stored to;
    from.all = values;
    EACH(i, 0, VB)
        to.one[i] = (TO)(DIFFERENCE ? saturate(from.one[i], TO_TYPE) : from.one[i]);
#if ALIGNED
    if (x < width)
        *(global JOIN(TO, VB) *)(row + x) = to.all;
#else
    EACH(i, 0, VB)
        if (x + i < width)
            row[x + i] = to.one[i];
#endif
}

/* DIFFERENCE 1: another image less the filter's result, 2: the result less the image; 3: one filter's less another's; 0: none. */
#if DIFFERENCE == 1 || DIFFERENCE == 2
#define OTHER_INPUT INPUT(other),
#define PUT(x, y, z, values, count) put_joined(ROW(TO, to, y, z), CONST_ROW(OTHER, other, y, z), x, to.width, finish(values, count));

inline void put_joined(global TO *row, global const OTHER *other, int x, int width, COLUMN values)
{
    column beside;
    EACH(i, 0, VB)
        beside.one[i] = (float)other[min(x + i, width - 1)];
    put(row, x, width, DIFFERENCE == 1 ? beside.all - values : values - beside.all);
}
#else
#define OTHER_INPUT
#define PUT(x, y, z, values, count) put(ROW(TO, to, y, z), x, to.width, finish(values, count));
#endif

/* VB pixels of a row. */
inline COLUMN read_column(global const FROM *pixels)
{
#if VB == 1
    return (float)*pixels;
#else
    return JOIN(convert_float, VB)(*(global const JOIN(FROM, VB) *)pixels);
#endif
}

/* The quad of a row at x, a multiple of four, with repeated ends once it is spread. */
inline quad read_quad(global const FROM *row, int x, int width)
{
#if ALIGNED
    return *(global const quad *)(row + clamp(x, 0, width - 4));
#else
    return (quad)(row[clamp(x, 0, width - 1)], row[clamp(x + 1, 0, width - 1)], row[clamp(x + 2, 0, width - 1)], row[clamp(x + 3, 0, width - 1)]);
#endif
}

inline float4 spread(quad pixels, int x, int width)
{
    float4 values = JOIN(convert_float, 4)(pixels);
#if ALIGNED
    values = x < 0 ? values.xxxx : x >= width ? values.wwww : values;
#endif
    return values;
}
#endif

#ifdef RX
#ifdef RX2
#define REACH_X (RX > RX2 ? RX : RX2)
#define REACH_Y (RY > RY2 ? RY : RY2)
#else
#define REACH_X RX
#define REACH_Y RY
#endif
#define SIDE ((REACH_X + 3) / 4)    /* quads beside a quad that its windows along x reach */
#define SPAN (2 * SIDE + 1)

/* Four windows along x; a is the first centre. */
inline float4 windows_x(const float *a, const int radius, const numbers weights)
{
    float v[4];
    if (SELECTS && radius >= 2) {
        float shared = a[3 - radius];       /* in all four */
        EACH(k, 4 - radius, radius + 1)
            shared = BOTH(float, shared, a[k]);
        const float low2 = a[2 - radius], low1 = BOTH(float, a[1 - radius], low2), low0 = BOTH(float, a[-radius], low1);
        const float high1 = a[radius + 1], high2 = BOTH(float, a[radius + 2], high1), high3 = BOTH(float, a[radius + 3], high2);
        v[0] = BOTH(float, shared, low0);
        v[1] = BOTH(float, BOTH(float, shared, low1), high1);
        v[2] = BOTH(float, BOTH(float, shared, low2), high2);
        v[3] = BOTH(float, shared, high3);
    } else {
        EACH(e, 0, 4) {
            v[e] = START;
            EACH(k, -radius, radius + 1)
                v[e] = FOLD(float, v[e], weights.v[DISTANCE(k)], a[e + k]);
        }
    }
    return (float4)(v[0], v[1], v[2], v[3]);
}

inline void read_quads(quad *quads, global const FROM *row, int x, int width)
{
    EACH(i, 0, SPAN)
        quads[i] = read_quad(row, x + 4 * (i - SIDE), width);
}

inline void spread_quads(float *values, const quad *quads, int x, int width)
{
    EACH(i, 0, SPAN) {
        const float4 four = spread(quads[i], x + 4 * (i - SIDE), width);
        values[4 * i] = four.x;
        values[4 * i + 1] = four.y;
        values[4 * i + 2] = four.z;
        values[4 * i + 3] = four.w;
    }
}

/* A group of LX x LY makes a tile of VB x Q pixels an item from ROWS rows filtered along x. */
#define TILE_WIDTH (LX * VB)
#define TILE_HEIGHT (LY * Q)
#define ROWS (TILE_HEIGHT + 2 * REACH_Y)
#define FOURS (TILE_WIDTH / 4)
#define ITEMS ((ROWS * FOURS + LX * LY - 1) / (LX * LY))
#define TILE_GROUP __attribute__((reqd_work_group_size(LX, LY, 1)))

/* Q windows along y of an item's columns; rows begin with the first one's. */
inline void windows_y(COLUMN *v, local const float4 *rows, int lx, int ly, const int radius, const numbers weights)
{
#define COLUMN_OF(j) ((local const COLUMN *)(rows + (ly * Q + (j)) * FOURS))[lx]
#if SELECTS && 2 * RY >= Q - 1 && Q > 1
    COLUMN q[Q + 2 * RY];
    EACH(j, 0, Q + 2 * RY)
        q[j] = COLUMN_OF(j);
    COLUMN low = q[Q - 1];
    EACH(j, Q, 2 * RY + 1)
        low = BOTH(COLUMN, low, q[j]);
    v[Q - 1] = low;
    EACH(i, 1, Q) {
        low = BOTH(COLUMN, low, q[Q - 1 - i]);
        v[Q - 1 - i] = low;
    }
    COLUMN high = q[2 * RY + 1];
    v[1] = BOTH(COLUMN, v[1], high);
    EACH(i, 2, Q) {
        high = BOTH(COLUMN, high, q[2 * RY + i]);
        v[i] = BOTH(COLUMN, v[i], high);
    }
#else
    EACH(i, 0, Q)
        v[i] = (COLUMN)(START);
    EACH(j, 0, Q + 2 * radius) {
        const COLUMN value = COLUMN_OF(j);
        EACH(i, 0, Q)
            if (j >= i && j - i <= 2 * radius)
                v[i] = FOLD(COLUMN, v[i], weights.v[DISTANCE(j - i - radius)], value);
    }
#endif
}
#endif

/* Weights of distances up to 63, for kernels of one axis. */
#define LONG_WEIGHTS const numbers near, const numbers far, const numbers farther, const numbers farthest
#define LONG_WEIGHT(k)                                                                                                           \
    (DISTANCE(k) < 16   ? near.v[DISTANCE(k) & 15]                                                                               \
     : DISTANCE(k) < 32 ? far.v[DISTANCE(k) & 15]                                                                                \
     : DISTANCE(k) < 48 ? farther.v[DISTANCE(k) & 15]                                                                            \
                        : farthest.v[DISTANCE(k) & 15])

/* RUN windows along z of a radius, from z on, of the columns of a row's pixels that `pixels` is the first slice's. */
#define WINDOWS_Z(sum, radius, weight_of, from, pixels, z)                                                                       \
    EACH(i, 0, RUN)                                                                                                              \
        sum[i] = (COLUMN)(START);                                                                                                \
    if (z >= radius && z + RUN + radius <= from.depth) {    /* all inside */                                                     \
        EACH(j, 0, RUN + 2 * radius)                                                                                             \
            FOLD_INTO_RUN(sum, radius, weight_of, read_column(pixels + (INDEX)(z - radius + j) * (INDEX)from.plane))             \
    } else {                                                                                                                     \
        EACH(j, 0, RUN + 2 * radius)                                                                                             \
            FOLD_INTO_RUN(sum, radius, weight_of, read_column(pixels + (INDEX)clamp(z - radius + j, 0, from.depth - 1) * (INDEX)from.plane)) \
    }
#define FOLD_INTO_RUN(sum, radius, weight_of, read)                                                                              \
    {                                                                                                                            \
        const COLUMN value = read;                                                                                               \
        EACH(i, 0, RUN)                                                                                                          \
            if (j >= i && j - i <= 2 * radius)                                                                                   \
                sum[i] = FOLD(COLUMN, sum[i], weight_of(j - i - radius), value);                                                 \
    }
