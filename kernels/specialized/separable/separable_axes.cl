/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Definitions for the compiled kernels of separable filters. Windows are folded in order of position as in
 * kernels/filter/separable.cl, so results are bit-identical. All private arrays have constant indices and are kept in
 * registers. Constants:
 *
 * - FILTER: one of the filters below. LAST: whether this is the filter's last pass.
 * - FROM, TO: element types. TO_TYPE: the number of type TO.
 * - RESULT: number of the filter's result type. It differs from TO_TYPE if a DIFFERENCE is also taken.
 * - SAME: whether FROM is the result type.
 * - ALIGNED: whether rows lie in vectors of four.
 * - SUM: type of sums; INTEGERS is defined unless it is float. COUNT: type of counts, long if SUM is long.
 * - VB: number of pixels of a row that a work-item stores at once.
 */
#define GAUSSIAN 0
#define MEAN 1
#define MINIMUM 2
#define MAXIMUM 3

#define DISTANCE(k) ((k) < 0 ? -(k) : (k))

/* Weights of distances from 0 on; as by-value operands they cost nothing. */
typedef struct {
    float v[16];
} numbers;
typedef struct {
    float v[64];
} many_numbers;

#ifdef FILTER
#if FILTER == GAUSSIAN
#define START 0.0f
#define FOLD(T, sum, weight, value) fma((T)(weight), value, sum)
#elif FILTER == MEAN
#define START 0
#define FOLD(T, sum, weight, value) ((sum) + (value))
#elif FILTER == MINIMUM
#define START NAN
#define FOLD(T, sum, weight, value) fmin(sum, value)
#else
#define START NAN
#define FOLD(T, sum, weight, value) fmax(sum, value)
#endif
#define SELECTS (FILTER == MINIMUM || FILTER == MAXIMUM)    /* the order does not matter */
#define BOTH(T, a, b) FOLD(T, a, 0.0f, b)

#ifndef SUM
#define SUM float
#endif
#ifndef COUNT
#define COUNT float
#endif
#define COLUMN JOIN(SUM, VB)
#define SUMS JOIN(SUM, 4)
#if LAST
#define VALUE float
#else
#define VALUE SUM
#endif
typedef union {
    COLUMN all;
    SUM one[VB];
} column;
typedef union {
    JOIN(VALUE, VB) all;
    VALUE one[VB];
} result;
#if VB == 1
#define LANES_OF_VB
#else
#define LANES_OF_VB VB
#endif

/*
 * Devices convert eight times slower than they add, so bytes are converted through the bits of a float. For 16 bits
 * this was slower.
 */
#define FLOATS_FROM(n, pixels)                                                                                         \
    (sizeof(pixels) == sizeof(JOIN(char, n)) ? JOIN(as_float, n)(0x4b400000 + JOIN(convert_int, n)(pixels)) -          \
        0x1.8p23f                                                                                                      \
                                             : JOIN(convert_float, n)(pixels))
#ifdef INTEGERS
#define SUMS_FROM(n, pixels) JOIN(JOIN(convert_, SUM), n)(pixels)
#else
#define SUMS_FROM(n, pixels) FLOATS_FROM(n, pixels)
#endif

typedef struct {
    TO one[VB];
} stored;

#define CONST_ROW(T, image, y, z) ((global const T *)image##_pixels + AT(image, 0, y, z))

/* Like saturate, but uses additions instead of the slow truncation where they suffice. */
inline float saturated(float value)
{
    if (RESULT != UINT8 && RESULT != UINT16)
        return saturate(value, RESULT);
    return truncate_small_lanes((FLOATV)(fmin(fmax(value, 0.0f), RESULT == UINT8 ? 255.0f : 65535.0f))).s0;
}

inline float divided(float value, float by)
{
#ifdef EXACT_DIVIDE
    return value / by;
#else
    return exact_divide((float4)(value), (float4)(by)).x;
#endif
}

/* `count` is the number of pixels for a mean, and the number of roundings for a Gaussian. */
inline float finish_one(SUM sum, COUNT count)
{
    float value = (float)sum;
    if (SELECTS && SAME)
        return value;
#if FILTER == GAUSSIAN
    value = RESULT == FLOAT32 ? value : snap(value, count);
#elif FILTER == MEAN
#ifdef INTEGERS
    if (RESULT != FLOAT32)
        return saturate((float)(sum / (SUM)count), RESULT);
    if (sizeof(SUM) == sizeof(long))
        return (float)(sum / (SUM)count) + divided((float)(sum % (SUM)count), (float)count);
#endif
    value = divided(value, (float)count);
#endif
    return saturated(value);
}

/* Returns the result of the filter alone. */
inline JOIN(VALUE, VB) finish(COLUMN sums, COUNT count)
{
#if LAST
    column from;
    result to;
    from.all = sums;
    EACH(i, 0, VB)
        to.one[i] = finish_one(from.one[i], count);
    return to.all;
#else
    return sums;
#endif
}

inline stored stored_of(JOIN(VALUE, VB) values)
{
    result from;
    stored to;
    from.all = values;
    EACH(i, 0, VB) {
        VALUE value = from.one[i];
        if (DIFFERENCE)
            value = saturate((float)value, TO_TYPE);
        to.one[i] = sizeof(TO) == sizeof(char) ? (TO)as_int((float)value + 0x1.8p23f) : (TO)value;
    }
    return to;
}

#define PUT_VALUES(image, x, y, z, values)                                                                             \
    {                                                                                                                  \
        const stored out = stored_of(values);                                                                          \
        STORE_PIXELS(TO, VB, ALIGNED, image, x, y, z, out.one)                                                         \
    }

/*
 * DIFFERENCE 1: another image minus the filter's result; 2: the result minus the image; 3: one filter minus another; 0:
 * no difference.
 */
#if DIFFERENCE == 1 || DIFFERENCE == 2
#define OTHER_INPUT INPUT(other),
#define PUT(x, y, z, values, count)                                                                                    \
    PUT_VALUES(to, x, y, z, joined(CONST_ROW(OTHER, other, y, z), x, to.width, finish(values, count)))

inline JOIN(float, VB) joined(global const OTHER *other, int x, int width, JOIN(float, VB) values)
{
#if ALIGNED
    const JOIN(float, VB) beside =
        FLOATS_FROM(LANES_OF_VB, *(global const JOIN(OTHER, VB) *)(other + min(x, (width - 1) & -VB)));
#else
    result from;
    EACH(i, 0, VB)
        from.one[i] = (float)other[min(x + i, width - 1)];
    const JOIN(float, VB) beside = from.all;
#endif
    return DIFFERENCE == 1 ? beside - values : values - beside;
}
#else
#define OTHER_INPUT
#define PUT(x, y, z, values, count) PUT_VALUES(to, x, y, z, finish(values, count))
#endif

#define READ_COLUMN(pixels) SUMS_FROM(LANES_OF_VB, *(global const JOIN(FROM, VB) *)(pixels))

/* The quad of a row at x, a multiple of four; spread_quads repeats the ends. */
inline quad read_quad(line row, int x, int width)
{
#if ALIGNED
    return QUAD_AT(row, QUAD_START(x, width));
#else
    return (quad)(PIXEL_AT(row, clamp(x, 0, width - 1)), PIXEL_AT(row, clamp(x + 1, 0, width - 1)),
                  PIXEL_AT(row, clamp(x + 2, 0, width - 1)), PIXEL_AT(row, clamp(x + 3, 0, width - 1)));
#endif
}

inline SUMS spread(quad pixels, int x, int width)
{
    SUMS values = SUMS_FROM(4, pixels);
#if ALIGNED
    if (WHOLE || x < 0 || x + 4 > width)
        SPREAD_ENDS(values, x, width)
#endif
    return values;
}
#endif
