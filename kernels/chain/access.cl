/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pixel access for chains inside other kernels. Integers of 8 and 16 bits are converted through the bits of a float,
 * because devices convert integers much more slowly than they add.
 */
#define FLOATS_OF(n, integers) (JOIN(as_float, n)(0x4b400000 + JOIN(convert_int, n)(integers)) - 0x1.8p23f)
#define DIGITS_OF(n, floats) JOIN(as_int, n)((floats) + 0x1.8p23f)
#define PIXELS_AT(T, n) (*(global const JOIN(T, n) *)((global const T *)pixels + at))
#define PIXELS_TO(T, n) *(global JOIN(T, n) *)((global T *)pixels + at)

#define LOAD_PIXELS(n)                                                                                                 \
    switch (type) {                                                                                                    \
    case UINT8: values = FLOATS_OF(n, PIXELS_AT(uchar, n)); break;                                                     \
    case INT8: values = FLOATS_OF(n, PIXELS_AT(char, n)); break;                                                       \
    case UINT16: values = FLOATS_OF(n, PIXELS_AT(ushort, n)); break;                                                   \
    case INT16: values = FLOATS_OF(n, PIXELS_AT(short, n)); break;                                                     \
    case UINT32: values = JOIN(convert_float, n)(PIXELS_AT(uint, n)); break;                                           \
    case INT32: values = JOIN(convert_float, n)(PIXELS_AT(int, n)); break;                                             \
    default: values = PIXELS_AT(float, n);                                                                             \
    }

#define STORE_VALUES(n)                                                                                                \
    switch (type) {                                                                                                    \
    case UINT8: PIXELS_TO(uchar, n) = JOIN(convert_uchar, n)(DIGITS_OF(n, values)); break;                             \
    case INT8: PIXELS_TO(char, n) = JOIN(convert_char, n)(DIGITS_OF(n, values)); break;                                \
    case UINT16: PIXELS_TO(ushort, n) = JOIN(convert_ushort, n)(DIGITS_OF(n, values)); break;                          \
    case INT16: PIXELS_TO(short, n) = JOIN(convert_short, n)(DIGITS_OF(n, values)); break;                             \
    case UINT32: PIXELS_TO(uint, n) = JOIN(convert_uint, n)(values); break;                                            \
    case INT32: PIXELS_TO(int, n) = JOIN(convert_int, n)(values); break;                                               \
    default: PIXELS_TO(float, n) = values;                                                                             \
    }

inline float load_one(global const uchar *pixels, int type, INDEX at)
{
    float values;
    LOAD_PIXELS()
    return values;
}

inline void store_one(global uchar *pixels, int type, INDEX at, const float values)
{
    STORE_VALUES()
}

/* Loads the first `count` pixels of a vector. If `whole` is set, all of its pixels exist and are aligned. */
inline FLOATV load_some(global const uchar *pixels, int type, INDEX at, int count, bool whole)
{
    float some[LANES];
    if (whole && count == LANES) {
        FLOATV values;
        LOAD_PIXELS(LANES)
        return values;
    }
    if (whole && count == 2) {
        float2 values;
        LOAD_PIXELS(2)
        for (int l = 0; l < LANES; l++)
            some[l] = l == 0 ? values.x : values.y;
    } else {
        for (int l = 0; l < LANES; l++)
            some[l] = load_one(pixels, type, at + min(l, count - 1));
    }
    return JOIN(vload, LANES)(0, some);
}

/* Expects `vector` to be saturated. */
inline void store_some(global uchar *pixels, int type, INDEX at, int count, bool whole, FLOATV vector)
{
    if (whole && count == LANES) {
        const FLOATV values = vector;
        STORE_VALUES(LANES)
    } else if (whole && count == 2) {
        const float2 values = (float2)(vector.s0, vector.s1);
        STORE_VALUES(2)
    } else {
        float some[LANES];
        JOIN(vstore, LANES)(vector, 0, some);
        for (int l = 0; l < LANES; l++)
            if (l < count)
                store_one(pixels, type, at + l, some[l]);
    }
}
