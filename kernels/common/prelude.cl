/* SPDX-License-Identifier: BSD-3-Clause */
/* Prepended to every kernel: element types, addressing, borders and conversion. The build sets INDEX and LANES. */
#pragma OPENCL FP_CONTRACT OFF      /* fused and separate steps must give bit-identical results */
#ifdef DOUBLES
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#ifdef ATOMICS64
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#endif

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define UNROLLED(i, count) _Pragma("unroll") for (int i = 0; i < count; i++)
/* Keeps a loop rolled. Use it for loops that take little time, because unrolled copies would slow the compiler down. */
#define ROLLED _Pragma("unroll 1")
/* Marks a function that compilers must inline, so that state that it gets by pointer stays in registers. */
#define IN_PLACE __attribute__((always_inline)) inline

enum { UINT8 = 1, INT8, UINT16, INT16, UINT32, INT32, FLOAT32 };

/* Layout of an image in its buffer, in elements. */
typedef struct {
    int width, height, depth, type;
    long offset, column, row, plane;
} layout;

/*
 * Kernel parameters: an image is a pointer and its layout; a table is a constant buffer and the position where the
 * table starts.
 */
#define INPUT(name) global const uchar *restrict name##_pixels, const layout name
#define OUTPUT(name) global uchar *name##_pixels, const layout name
#define TABLE(name) constant uchar *name##_bytes, const int name##_at
#define TABLE_OF(type, name) ((constant type *)(name##_bytes + name##_at))

#define AT(i, x, y, z)                                                                                                 \
    ((INDEX)i.offset + (INDEX)(x) * (INDEX)i.column + (INDEX)(y) * (INDEX)i.row + (INDEX)(z) * (INDEX)i.plane)
#define INSIDE(i, x, y, z) ((x) < i.width && (y) < i.height && (z) < i.depth)

/* Value of a pixel as float; the clamped form repeats the nearest pixel of the border. */
#define LOAD(i, x, y, z) load_float(i##_pixels, i.type, AT(i, x, y, z))
#define LOAD_CLAMPED(i, x, y, z)                                                                                       \
    LOAD(i, clamp((int)(x), 0, i.width - 1), clamp((int)(y), 0, i.height - 1), clamp((int)(z), 0, i.depth - 1))
/*
 * Stores with saturation and truncation. STORE_SNAPPED first moves a value to the integer just above it in magnitude if
 * `n` roundings can explain the difference.
 */
#define STORE(i, x, y, z, value) store_float(i##_pixels, i.type, AT(i, x, y, z), value)
#define STORE_SNAPPED(i, x, y, z, value, n)                                                                            \
    store_float(i##_pixels, i.type, AT(i, x, y, z), i.type == FLOAT32 ? (value) : snap(value, n))
/* Loads a label; types of 32 bits keep all bits. */
#define LOAD_LABEL(i, x, y, z) load_label(i##_pixels, i.type, AT(i, x, y, z))
#define LOAD_LABEL_CLAMPED(i, x, y, z)                                                                                 \
    LOAD_LABEL(i, clamp((int)(x), 0, i.width - 1), clamp((int)(y), 0, i.height - 1), clamp((int)(z), 0, i.depth - 1))
#define STORE_LABEL(i, x, y, z, value) store_label(i##_pixels, i.type, AT(i, x, y, z), value)

inline float load_float(global const uchar *pixels, int type, INDEX at)
{
    switch (type) {
    case UINT8: return pixels[at];
    case INT8: return ((global const char *)pixels)[at];
    case UINT16: return ((global const ushort *)pixels)[at];
    case INT16: return ((global const short *)pixels)[at];
    case UINT32: return ((global const uint *)pixels)[at];
    case INT32: return ((global const int *)pixels)[at];
    default: return ((global const float *)pixels)[at];
    }
}

/* Clamps to the smallest and largest value of the type that float32 can represent. */
inline float saturate(float value, int type)
{
    if (type == FLOAT32)
        return value;
    /* adding 0 removes -0, which integers do not have but a fused step would pass on */
    value = isnan(value) ? 0.0f : trunc(value) + 0.0f;
    switch (type) {
    case UINT8: return clamp(value, 0.0f, 255.0f);
    case INT8: return clamp(value, -128.0f, 127.0f);
    case UINT16: return clamp(value, 0.0f, 65535.0f);
    case INT16: return clamp(value, -32768.0f, 32767.0f);
    case UINT32: return clamp(value, 0.0f, 4294967040.0f);
    default: return clamp(value, -2147483648.0f, 2147483520.0f);
    }
}

inline void store_float(global uchar *pixels, int type, INDEX at, float value)
{
    value = saturate(value, type);
    switch (type) {
    case UINT8: pixels[at] = (uchar)value; break;
    case INT8: ((global char *)pixels)[at] = (char)value; break;
    case UINT16: ((global ushort *)pixels)[at] = (ushort)value; break;
    case INT16: ((global short *)pixels)[at] = (short)value; break;
    case UINT32: ((global uint *)pixels)[at] = (uint)value; break;
    case INT32: ((global int *)pixels)[at] = (int)value; break;
    default: ((global float *)pixels)[at] = value;
    }
}

/*
 * Tolerance within which a value just below an integer counts as that integer. Each rounding of float32 contributes
 * 2^-24 of the value.
 */
#define LITTLE(up, roundings) fmin(fabs(up) * ((roundings) * 0x1p-24f), 0.5f)
/* Roundings go in both directions, so the error of a long sum grows with the square root of its length. */
#define ROUNDINGS_OF_SUM(terms) (4.0f + 1.25f * sqrt((float)(terms)))
#define ROUNDINGS_OF_INTERPOLATION 16.0f
/* in a square root of a quotient, OpenCL allows an error of 6 ulp for the root and 5 ulp for the quotient */
#define ROUNDINGS_OF_ROOT 10.0f

inline float snap(float value, float roundings)
{
    const float up = copysign(ceil(fabs(value)), value);
    return fabs(up - value) <= LITTLE(up, roundings) ? up : value;
}

/*
 * Sets a flag that many work-items share. Only the first writer stores, because many stores to one address wait for
 * each other.
 */
inline void set_flag(global uint *flag)
{
    if (!*flag)
        *flag = 1;
}

/* The bits of a pixel; a small type uses the low bits. */
inline uint load_bits(global const uchar *pixels, int type, INDEX at)
{
    switch (type) {
    case UINT8:
    case INT8: return pixels[at];
    case UINT16:
    case INT16: return ((global const ushort *)pixels)[at];
    default: return ((global const uint *)pixels)[at];
    }
}

inline void store_bits(global uchar *pixels, int type, INDEX at, uint bits)
{
    switch (type) {
    case UINT8:
    case INT8: pixels[at] = (uchar)bits; break;
    case UINT16:
    case INT16: ((global ushort *)pixels)[at] = (ushort)bits; break;
    default: ((global uint *)pixels)[at] = bits;
    }
}

/* Moves one pixel: as bits if the types are equal, so that nothing is rounded, otherwise as a value. */
#define MOVE(from, at, to, target)                                                                                     \
    if (from.type == to.type)                                                                                          \
        store_bits(to##_pixels, to.type, target, load_bits(from##_pixels, from.type, at));                             \
    else                                                                                                               \
        store_float(to##_pixels, to.type, target, load_float(from##_pixels, from.type, at));

inline uint load_label(global const uchar *pixels, int type, INDEX at)
{
    switch (type) {
    case UINT8: return pixels[at];
    case INT8: return (uint)max((int)((global const char *)pixels)[at], 0);
    case UINT16: return ((global const ushort *)pixels)[at];
    case INT16: return (uint)max((int)((global const short *)pixels)[at], 0);
    case UINT32: return ((global const uint *)pixels)[at];
    case INT32: return (uint)max(((global const int *)pixels)[at], 0);
    default: return (uint)clamp(((global const float *)pixels)[at], 0.0f, 4294967040.0f);
    }
}

inline void store_label(global uchar *pixels, int type, INDEX at, uint value)
{
    switch (type) {
    case UINT8: pixels[at] = (uchar)min(value, 255u); break;
    case INT8: ((global char *)pixels)[at] = (char)min(value, 127u); break;
    case UINT16: ((global ushort *)pixels)[at] = (ushort)min(value, 65535u); break;
    case INT16: ((global short *)pixels)[at] = (short)min(value, 32767u); break;
    case UINT32: ((global uint *)pixels)[at] = value; break;
    case INT32: ((global int *)pixels)[at] = (int)min(value, 2147483647u); break;
    default: ((global float *)pixels)[at] = (float)value;
    }
}

/*
 * Mask for four pixels of a row. Rows are aligned to whole vectors and x is a multiple of 4, so the last vector may
 * extend past the row. Pixels past the row have undefined values when read and must not be written. Kernels mask them
 * after their last load, so that loads do not wait for each other.
 */
#define FIRST_OF_FOUR(count) ((int4)(0, 1, 2, 3) < (int4)(count))
#define LOAD_FOUR_LABELS(i, x, y, z) load_four_labels(i##_pixels, i.type, AT(i, x, y, z))
#define STORE_FOUR_LABELS(i, x, y, z, labels)                                                                          \
    store_four_labels(i##_pixels, i.type, AT(i, x, y, z), labels, i.width - (x))
#define STORE_FOUR(i, x, y, z, values) store_four(i##_pixels, i.type, AT(i, x, y, z), values, i.width - (x))

/* Labels of four pixels of a row; `at` is a multiple of 4. */
inline uint4 load_four_labels(global const uchar *pixels, int type, INDEX at)
{
    switch (type) {
    case UINT8: return convert_uint4(*(global const uchar4 *)(pixels + at));
    case INT8: return convert_uint4_sat(*(global const char4 *)(pixels + at));
    case UINT16: return convert_uint4(*(global const ushort4 *)((global const ushort *)pixels + at));
    case INT16: return convert_uint4_sat(*(global const short4 *)((global const short *)pixels + at));
    case UINT32: return *(global const uint4 *)((global const uint *)pixels + at);
    case INT32: return convert_uint4_sat(*(global const int4 *)((global const int *)pixels + at));
    default:
        return convert_uint4(clamp(*(global const float4 *)((global const float *)pixels + at), 0.0f, 4294967040.0f));
    }
}

/* Stores the first `count` of four labels. */
inline void store_four_labels(global uchar *pixels, int type, INDEX at, uint4 labels, int count)
{
    if (count < 4) {
        for (int i = 0; i < count; i++, labels = labels.yzwx)
            store_label(pixels, type, at + i, labels.x);
        return;
    }
    switch (type) {
    case UINT8: *(global uchar4 *)(pixels + at) = convert_uchar4_sat(labels); break;
    case INT8: *(global char4 *)(pixels + at) = convert_char4_sat(labels); break;
    case UINT16: *(global ushort4 *)((global ushort *)pixels + at) = convert_ushort4_sat(labels); break;
    case INT16: *(global short4 *)((global short *)pixels + at) = convert_short4_sat(labels); break;
    case UINT32: *(global uint4 *)((global uint *)pixels + at) = labels; break;
    case INT32: *(global int4 *)((global int *)pixels + at) = convert_int4_sat(labels); break;
    default: *(global float4 *)((global float *)pixels + at) = convert_float4(labels);
    }
}

/* Values of four pixels of a row. */
inline float4 load_four_pixels(global const uchar *pixels, int type, INDEX at)
{
    switch (type) {
    case UINT8: return convert_float4(*(global const uchar4 *)(pixels + at));
    case INT8: return convert_float4(*(global const char4 *)(pixels + at));
    case UINT16: return convert_float4(*(global const ushort4 *)((global const ushort *)pixels + at));
    case INT16: return convert_float4(*(global const short4 *)((global const short *)pixels + at));
    case UINT32: return convert_float4(*(global const uint4 *)((global const uint *)pixels + at));
    case INT32: return convert_float4(*(global const int4 *)((global const int *)pixels + at));
    default: return *(global const float4 *)((global const float *)pixels + at);
    }
}

inline int4 is_not_zero(global const uchar *pixels, int type, INDEX at)
{
    switch (type) {
    case UINT8:
    case INT8: return convert_int4(*(global const uchar4 *)(pixels + at)) != 0;
    case UINT16:
    case INT16: return convert_int4(*(global const ushort4 *)((global const ushort *)pixels + at)) != 0;
    case FLOAT32: return *(global const float4 *)((global const float *)pixels + at) != 0.0f;
    default: return *(global const int4 *)((global const int *)pixels + at) != 0;
    }
}

/* Stores the first `count` of four pixels of a row with the conversion of STORE. */
inline void store_four(global uchar *pixels, int type, INDEX at, float4 values, int count)
{
    if (type == FLOAT32 && count > 3) {
        *(global float4 *)((global float *)pixels + at) = values;
        return;
    }
    store_float(pixels, type, at, values.x);
    if (count > 1)
        store_float(pixels, type, at + 1, values.y);
    if (count > 2)
        store_float(pixels, type, at + 2, values.z);
    if (count > 3)
        store_float(pixels, type, at + 3, values.w);
}

/* Correctly rounded division, for devices whose own division is not correctly rounded. */
#ifdef EXACT_DIVIDE
#define DIVIDE(a, b) ((a) / (b))
#else
#define DIVIDE(a, b) exact_divide(a, b)
#endif

/*
 * Upper bound on the relative difference that float32 transforms cause between equal numbers. Without this bound, each
 * iteration of a deconvolution would sharpen the difference.
 */
#define NO_EXCESS 0x1p-21f

/* ---- vectors of LANES pixels, for kernels that stream */
#define FLOATV JOIN(float, LANES)
#define INTV JOIN(int, LANES)
#if LANES == 16
#define LANE_NUMBERS ((float16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
#define TO_THE_LEFT(T, v, first) ((JOIN(T, 16))(first, v.s01234567, v.s89ab, v.scd, v.se))
#define TO_THE_RIGHT(T, v, last) ((JOIN(T, 16))(v.s12345678, v.s9abc, v.sde, v.sf, last))
#elif LANES == 8
#define LANE_NUMBERS ((float8)(0, 1, 2, 3, 4, 5, 6, 7))
#define TO_THE_LEFT(T, v, first) ((JOIN(T, 8))(first, v.s0123, v.s45, v.s6))
#define TO_THE_RIGHT(T, v, last) ((JOIN(T, 8))(v.s1234, v.s56, v.s7, last))
#else
#define LANE_NUMBERS ((float4)(0, 1, 2, 3))
#define TO_THE_LEFT(T, v, first) ((JOIN(T, 4))(first, v.s012))
#define TO_THE_RIGHT(T, v, last) ((JOIN(T, 4))(v.s123, last))
#endif

/*
 * Whether the LANES pixels at every multiple of LANES lie in one aligned vector. The last vector of a row can be read
 * whole, but its pixels past the row are undefined.
 */
#define IN_VECTORS(i)                                                                                                  \
    (i.column == 1 && ((i.offset | i.row | i.plane) & (LANES - 1)) == 0 && i.row >= i.width + (-i.width & (LANES - 1)))

/*
 * Shifts a vector of a row by one pixel towards the row's start. The row ends `left` pixels after the vector's start.
 * The pixels that the vector lacks become `next`: the pixel after the vector, or the row's last pixel at the end of the
 * row.
 */
#if LANES == 4
#define BEFORE_NEXT(T, v, next, left)                                                                                  \
    (JOIN(T, 4))(left == 1 ? next : v.y, left == 2 ? next : v.z, left == 3 ? next : v.w, next)
#else
#define BEFORE_NEXT(T, v, next, left)                                                                                  \
    select(TO_THE_RIGHT(T, v, next), (JOIN(T, LANES))(next), LANE_NUMBERS == (FLOATV)((float)(left - 1)))
#endif
#define ROW_TO_THE_RIGHT(T)                                                                                            \
    inline JOIN(T, LANES) row_to_the_right_##T(JOIN(T, LANES) v, T next,                                               \
        int left) { return BEFORE_NEXT(T, v, next, left); }
ROW_TO_THE_RIGHT(float)
ROW_TO_THE_RIGHT(uint)

#define VECTOR_AT(type, pixels, at) ((global JOIN(type, LANES) *)((global type *)(pixels) + (at)))
#define CONST_VECTOR_AT(type, pixels, at) ((global const JOIN(type, LANES) *)((global const type *)(pixels) + (at)))

/* Requires `at` to be a multiple of LANES. */
inline FLOATV load_lanes(global const uchar *pixels, int type, INDEX at)
{
    switch (type) {
    case UINT8: return JOIN(convert_float, LANES)(*CONST_VECTOR_AT(uchar, pixels, at));
    case INT8: return JOIN(convert_float, LANES)(*CONST_VECTOR_AT(char, pixels, at));
    case UINT16: return JOIN(convert_float, LANES)(*CONST_VECTOR_AT(ushort, pixels, at));
    case INT16: return JOIN(convert_float, LANES)(*CONST_VECTOR_AT(short, pixels, at));
    case UINT32: return JOIN(convert_float, LANES)(*CONST_VECTOR_AT(uint, pixels, at));
    case INT32: return JOIN(convert_float, LANES)(*CONST_VECTOR_AT(int, pixels, at));
    default: return *CONST_VECTOR_AT(float, pixels, at);
    }
}

/*
 * Limits a value; NaN becomes `lowest`. A CPU needs one instruction for each line, because the comparison is false for
 * NaN.
 */
inline FLOATV limit_lanes(FLOATV value, float lowest, float highest)
{
    value = select((FLOATV)(lowest), value, value > lowest);
    return select((FLOATV)(highest), value, value < highest);
}

/*
 * Truncates values from 0 to 2^22. Adding a constant rounds to nearest, and the result is corrected afterwards, because
 * devices truncate eight times slower than they add.
 */
inline FLOATV truncate_small_lanes(FLOATV value)
{
    const FLOATV nearest = (value + 0x1p23f) - 0x1p23f;
    return select(nearest, nearest - 1.0f, nearest > value);
}

inline FLOATV saturate_lanes(FLOATV value, int type)
{
    const FLOATV zero = (FLOATV)(0.0f);
    switch (type) {
    case UINT8: return truncate_small_lanes(limit_lanes(value, 0.0f, 255.0f));
    case UINT16: return truncate_small_lanes(limit_lanes(value, 0.0f, 65535.0f));
    case UINT32: return trunc(limit_lanes(value, 0.0f, 4294967040.0f));
    case INT8: return trunc(limit_lanes(select(value, zero, isnan(value)), -128.0f, 127.0f)) + 0.0f;
    case INT16: return trunc(limit_lanes(select(value, zero, isnan(value)), -32768.0f, 32767.0f)) + 0.0f;
    case INT32: return trunc(limit_lanes(select(value, zero, isnan(value)), -2147483648.0f, 2147483520.0f)) + 0.0f;
    default: return value;
    }
}

inline FLOATV snap_lanes(FLOATV value, float roundings)
{
    const FLOATV up = copysign(ceil(fabs(value)), value);
    return select(value, up, fabs(up - value) <= LITTLE(up, roundings));
}

/* Expects `value` to be saturated. */
inline void store_lanes(global uchar *pixels, int type, INDEX at, FLOATV value)
{
    switch (type) {
    case UINT8: *VECTOR_AT(uchar, pixels, at) = JOIN(convert_uchar, LANES)(value); break;
    case INT8: *VECTOR_AT(char, pixels, at) = JOIN(convert_char, LANES)(value); break;
    case UINT16: *VECTOR_AT(ushort, pixels, at) = JOIN(convert_ushort, LANES)(value); break;
    case INT16: *VECTOR_AT(short, pixels, at) = JOIN(convert_short, LANES)(value); break;
    case UINT32: *VECTOR_AT(uint, pixels, at) = JOIN(convert_uint, LANES)(value); break;
    case INT32: *VECTOR_AT(int, pixels, at) = JOIN(convert_int, LANES)(value); break;
    default: *VECTOR_AT(float, pixels, at) = value;
    }
}

/*
 * Loads LANES pixels of a row from x on, a multiple of LANES; y and z repeat the border. Pixels past the row repeat its
 * last pixel, or are undefined if the row is in vectors. Without vectors, x may lie past the row.
 */
inline FLOATV load_row_lanes(global const uchar *pixels, const layout *image, int x, int y, int z, bool in_vectors)
{
    const layout i = *image;
    y = clamp(y, 0, i.height - 1);
    z = clamp(z, 0, i.depth - 1);
    if (in_vectors)
        return load_lanes(pixels, i.type, AT(i, x, y, z));
#ifdef ON_CPU
    float lanes[LANES];
    for (int l = 0; l < LANES; l++)
        lanes[l] = load_float(pixels, i.type, AT(i, min(x + l, i.width - 1), y, z));
    return JOIN(vload, LANES)(0, lanes);
#else
    FLOATV lanes = 0.0f;
    ROLLED for (int l = 0; l < LANES; l++)
        lanes = TO_THE_RIGHT(float, lanes, load_float(pixels, i.type, AT(i, min(x + l, i.width - 1), y, z)));
    return lanes;
#endif
}

/*
 * LANES pixels of a row with the pixel before and the pixel after them. Borders are repeated; pixels past the row are
 * undefined.
 */
typedef struct {
    FLOATV left, middle, right;
} columns;

inline columns read_columns(global const uchar *pixels, const layout *image, int x, int y, int z, bool in_vectors)
{
    const layout i = *image;
    const INDEX row = AT(i, 0, clamp(y, 0, i.height - 1), clamp(z, 0, i.depth - 1));
    const int before = clamp(x - 1, 0, i.width - 1), after = min(x + LANES, i.width - 1);
    FLOATV middle;
    float first, last;
    if (in_vectors && i.type == FLOAT32) {      /* loads without a branch between them overlap better */
        global const float *values = (global const float *)pixels + row;
        middle = *(global const FLOATV *)(values + x);
        first = values[before];
        last = values[after];
    } else {
        middle = load_row_lanes(pixels, image, x, y, z, in_vectors);
        first = load_float(pixels, i.type, row + (INDEX)before * (INDEX)i.column);
        last = load_float(pixels, i.type, row + (INDEX)after * (INDEX)i.column);
    }
    columns c;
    c.left = TO_THE_LEFT(float, middle, first);
    c.middle = middle;
    c.right = row_to_the_right_float(middle, last, i.width - x);
    return c;
}

#ifdef ON_CPU
#define STORE_FIRST(T)                                                                                                 \
    inline void store_first_##T(global T *pixels, FLOATV value, int count)                                             \
    {                                                                                                                  \
        T lanes[LANES];                                                                                                \
        JOIN(vstore, LANES)(JOIN(JOIN(convert_, T), LANES)(value), 0, lanes);                                          \
        _Pragma("unroll") for (int l = 0; l < LANES; l++)                                                              \
            if (l < count)                                                                                             \
                pixels[l] = lanes[l];                                                                                  \
    }
STORE_FIRST(uchar)
STORE_FIRST(char)
STORE_FIRST(ushort)
STORE_FIRST(short)
STORE_FIRST(uint)
STORE_FIRST(int)
STORE_FIRST(float)

/* Stores the first `count` lanes. */
inline void store_first_lanes(global uchar *pixels, int type, INDEX at, FLOATV value, int count)
{
    switch (type) {
    case UINT8: store_first_uchar(pixels + at, value, count); break;
    case INT8: store_first_char((global char *)pixels + at, value, count); break;
    case UINT16: store_first_ushort((global ushort *)pixels + at, value, count); break;
    case INT16: store_first_short((global short *)pixels + at, value, count); break;
    case UINT32: store_first_uint((global uint *)pixels + at, value, count); break;
    case INT32: store_first_int((global int *)pixels + at, value, count); break;
    default: store_first_float((global float *)pixels + at, value, count);
    }
}

/* Stores the lanes that lie in the row. The caller has already snapped `value` if necessary. */
inline void store_row_lanes(global uchar *pixels, const layout *image, int x, int y, int z, FLOATV value,
                            bool in_vectors)
{
    const layout i = *image;
    if (in_vectors) {
        value = saturate_lanes(value, i.type);
        if (x + LANES <= i.width)
            store_lanes(pixels, i.type, AT(i, x, y, z), value);
        else
            store_first_lanes(pixels, i.type, AT(i, x, y, z), value, i.width - x);
        return;
    }
    float lanes[LANES];
    JOIN(vstore, LANES)(value, 0, lanes);
    for (int l = 0; l < LANES && x + l < i.width; l++)
        store_float(pixels, i.type, AT(i, x + l, y, z), lanes[l]);
}
#else
inline void store_row_lanes(global uchar *pixels, const layout *image, int x, int y, int z, FLOATV value,
                            bool in_vectors)
{
    const layout i = *image;
    if (in_vectors && x + LANES <= i.width) {
        store_lanes(pixels, i.type, AT(i, x, y, z), saturate_lanes(value, i.type));
        return;
    }
    ROLLED for (int l = 0; l < LANES && x + l < i.width; l++) {
        store_float(pixels, i.type, AT(i, x + l, y, z), value.s0);
        value = TO_THE_RIGHT(float, value, value.s0);
    }
}
#endif

#ifndef EXACT_DIVIDE
/* One Newton step that uses the exact remainder. */
inline FLOATV exact_divide(FLOATV a, FLOATV b)
{
    FLOATV q = a / b, better = fma(fma(-q, b, a), 1.0f / b, q);
    return select(q, better, isfinite(better) & isfinite(b));
}
#endif

/* Sorts two keys. */
#define EXCHANGE_BY(T, LOWER, HIGHER, a, b)                                                                            \
    {                                                                                                                  \
        const T lower_key = LOWER(a, b);                                                                               \
        b = HIGHER(a, b);                                                                                              \
        a = lower_key;                                                                                                 \
    }
