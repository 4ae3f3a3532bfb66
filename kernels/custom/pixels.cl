/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions and macros for user code in custom_operation. Their names and meanings are those of CLIJ2's kernels.
 * Positions of pixels are int2 in planes and int4 in stacks. Reads past the edge return the nearest pixel, and writes
 * past it do nothing. For each call, native/ops/math/user_code.c defines the names that depend on an image.
 */
#undef INDEX
#undef LANES
#undef DOUBLES
#undef ATOMICS64
#undef EXACT_DIVIDE
#pragma OPENCL FP_CONTRACT OFF
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

#ifndef M_PI
#define M_PI 3.14159265358979323846f
#endif
#ifndef M_LOG2E
#define M_LOG2E 1.4426950408889634074f
#define M_LOG10E 0.43429448190325182765f
#define M_LN2 0.69314718055994530942f
#define M_LN10 2.30258509299404568402f
#endif
#define MAX_ARRAY_SIZE 1000
#define MINMAX_TYPE int

#ifdef __IMAGE_SUPPORT__
constant sampler_t sampler = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
#else
enum { sampler };
#endif

/* Has the same bytes as `layout` in common/prelude.cl; the pixels of a row are contiguous. */
typedef struct {
    int width, height, depth, type;
    long offset, column, row, plane;
} drua_layout;

#define GET_IMAGE_WIDTH(image) IMAGE_SIZE_##image##_WIDTH
#define GET_IMAGE_HEIGHT(image) IMAGE_SIZE_##image##_HEIGHT
#define GET_IMAGE_DEPTH(image) IMAGE_SIZE_##image##_DEPTH
#define READ_IMAGE(image, sampler, position) READ_##image##_IMAGE(image, sampler, position)
#define WRITE_IMAGE(image, position, value) WRITE_##image##_IMAGE(image, position, value)

#define DRUA_PLANE_POSITION int2
#define DRUA_PLANE_AT(x, y, z, w) ((int2)(x, y))
#define DRUA_STACK_POSITION int4
#define DRUA_STACK_AT(x, y, z, w) ((int4)(x, y, z, w))

/* The stride of rows is `row` pixels, that of slices `plane` pixels. */
#define DRUA_PIXELS(type)                                                                                              \
    inline type##2 drua_stack_read_##type(int width, int height, int depth, long row, long plane,                      \
        global const type *pixels, int4 at)                                                                            \
    {                                                                                                                  \
        const int x = clamp(at.x, 0, width - 1), y = clamp(at.y, 0, height - 1), z = clamp(at.z, 0, depth - 1);        \
        return (type##2)(pixels[x + row * y + plane * z], 0);                                                          \
    }                                                                                                                  \
    inline void drua_stack_write_##type(int width, int height, int depth, long row, long plane, global type *pixels,   \
        int4 at, type value)                                                                                           \
    {                                                                                                                  \
        if (at.x >= 0 && at.x < width && at.y >= 0 && at.y < height && at.z >= 0 && at.z < depth)                      \
            pixels[at.x + row * at.y + plane * at.z] = value;                                                          \
    }                                                                                                                  \
    inline type##2 drua_plane_read_##type(int width, int height, int depth, long row, long plane,                      \
        global const type *pixels, int2 at)                                                                            \
    {                                                                                                                  \
        return drua_stack_read_##type(width, height, 1, row, plane, pixels, (int4)(at, 0, 0));                         \
    }                                                                                                                  \
    inline void drua_plane_write_##type(int width, int height, int depth, long row, long plane, global type *pixels,   \
        int2 at, type value)                                                                                           \
    {                                                                                                                  \
        drua_stack_write_##type(width, height, 1, row, plane, pixels, (int4)(at, 0, 0), value);                        \
    }

DRUA_PIXELS(uchar)
DRUA_PIXELS(char)
DRUA_PIXELS(ushort)
DRUA_PIXELS(short)
DRUA_PIXELS(uint)
DRUA_PIXELS(int)
DRUA_PIXELS(float)

/* Values are converted to float32 before they are stored, except in images of 32-bit integers. */
inline uchar clij_convert_uchar_sat(float value) { return convert_uchar_sat(value); }
inline char clij_convert_char_sat(float value) { return convert_char_sat(value); }
inline ushort clij_convert_ushort_sat(float value) { return convert_ushort_sat(value); }
inline short clij_convert_short_sat(float value) { return convert_short_sat(value); }
inline float clij_convert_float_sat(float value) { return value; }
#define clij_convert_uint_sat(value) convert_uint_sat(value)
#define clij_convert_int_sat(value) convert_int_sat(value)
