/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Declares those functions of OpenCL C that Drua's kernels call. PoCL's header declares 14,000, and a program took 0.07
 * s before the compiler reached its text. A name is declared for all scalar types, so that no argument is converted to
 * another scalar type, but only for the vectors that kernels use. If a kernel uses another vector, the compiler fails,
 * and Drua compiles the program again with PoCL's header.
 */
#define OVERLOADED __attribute__((overloadable))
#define FUNCTION OVERLOADED __attribute__((const))
#define READER OVERLOADED __attribute__((pure))

/* Apply F to a function and each type. */
#define FLOATS(F, f) F(f, float) F(f, double) F(f, float2) F(f, float3) F(f, float4) F(f, float8) F(f, float16)
#define WHOLES(F, f)                                                                                                   \
    F(f, char) F(f, uchar) F(f, short) F(f, ushort) F(f, int) F(f, uint) F(f, long) F(f, ulong) F(f, int2) F(f, int3)  \
    F(f, int4) F(f, uint4) F(f, ushort8) F(f, int16) F(f, uint16)
#define SCALARS(F, f, a)                                                                                               \
    F(f, a, char) F(f, a, uchar) F(f, a, short) F(f, a, ushort) F(f, a, int) F(f, a, uint) F(f, a, long)               \
    F(f, a, ulong) F(f, a, float) F(f, a, double)
#define VECTORS(F, f, a, n)                                                                                            \
    F(f, a, char##n) F(f, a, uchar##n) F(f, a, short##n) F(f, a, ushort##n) F(f, a, int##n) F(f, a, uint##n)           \
    F(f, a, float##n) F(f, a, double##n)

/* Declare a function of one, two or three values of a type; of a vector and a number. */
#define ONE(f, T) T FUNCTION f(T);
#define TWO(f, T) T FUNCTION f(T, T);
#define THREE(f, T) T FUNCTION f(T, T, T);
#define WITH_NUMBER(f, T, S) T FUNCTION f(T, S);
#define WITH_TWO_NUMBERS(f, T, S) T FUNCTION f(T, S, S);
#define OF_NUMBER(f, T, S) T FUNCTION f(S);

FLOATS(ONE, atan) FLOATS(ONE, cbrt) FLOATS(ONE, ceil) FLOATS(ONE, cos) FLOATS(ONE, cospi) FLOATS(ONE, exp)
FLOATS(ONE, exp2) FLOATS(ONE, fabs) FLOATS(ONE, floor) FLOATS(ONE, log) FLOATS(ONE, log10) FLOATS(ONE, log1p)
FLOATS(ONE, log2) FLOATS(ONE, rint) FLOATS(ONE, rsqrt) FLOATS(ONE, sin) FLOATS(ONE, sinpi) FLOATS(ONE, sqrt)
FLOATS(ONE, trunc) FLOATS(TWO, atan2) FLOATS(TWO, copysign) FLOATS(TWO, fmax) FLOATS(TWO, fmin) FLOATS(TWO, fmod)
FLOATS(TWO, pow) FLOATS(TWO, powr) FLOATS(TWO, max) FLOATS(TWO, min) FLOATS(THREE, clamp) FLOATS(THREE, fma)
FLOATS(THREE, mix)
WHOLES(TWO, add_sat) WHOLES(TWO, max) WHOLES(TWO, min) WHOLES(TWO, mul_hi) WHOLES(THREE, clamp) WHOLES(ONE, clz)
WHOLES(ONE, popcount)

#define WITH_FLOAT(f) WITH_NUMBER(f, float2, float) WITH_NUMBER(f, float4, float) WITH_NUMBER(f, float16, float)
WITH_FLOAT(fmax)
WITH_FLOAT(fmin)
WITH_FLOAT(max)
WITH_FLOAT(min)
WITH_NUMBER(max, int4, int)
WITH_NUMBER(max, uint4, uint)
WITH_NUMBER(min, int4, int)
WITH_NUMBER(min, uint4, uint)
WITH_TWO_NUMBERS(clamp, float2, float)
WITH_TWO_NUMBERS(clamp, float4, float)
WITH_TWO_NUMBERS(clamp, float16, float)
float2 FUNCTION mix(float2, float2, float);
float4 FUNCTION mix(float4, float4, float);
WITH_NUMBER(ldexp, float, int)
WITH_NUMBER(ldexp, double, int)
OF_NUMBER(ilogb, int, float)
OF_NUMBER(ilogb, int, double)
float FUNCTION native_divide(float, float);
ONE(native_recip, float)
ONE(native_rsqrt, float)
ONE(native_rsqrt, float2)
float OVERLOADED sincos(float, private float *);
double OVERLOADED sincos(double, private double *);

/* Magnitudes, whose type has no sign. */
#define MAGNITUDE(S, U)                                                                                                \
    U FUNCTION abs(S);                                                                                                 \
    U FUNCTION abs(U);                                                                                                 \
    U FUNCTION abs_diff(S, S);                                                                                         \
    U FUNCTION abs_diff(U, U);
MAGNITUDE(char, uchar)
MAGNITUDE(short, ushort)
MAGNITUDE(int, uint)
MAGNITUDE(long, ulong)
MAGNITUDE(int4, uint4)

/* Tests: the result is 1 for a number, and a lane of set bits for an element of a vector. */
#define QUESTION(f)                                                                                                    \
    int FUNCTION f(float);                                                                                             \
    int FUNCTION f(double);                                                                                            \
    int2 FUNCTION f(float2);                                                                                           \
    int4 FUNCTION f(float4);                                                                                           \
    int16 FUNCTION f(float16);
QUESTION(isfinite)
QUESTION(isinf)
QUESTION(isnan)
#define LANES_SAY(f)                                                                                                   \
    OF_NUMBER(f, int, char)                                                                                            \
    OF_NUMBER(f, int, short)                                                                                           \
    OF_NUMBER(f, int, int) OF_NUMBER(f, int, long) OF_NUMBER(f, int, int2) OF_NUMBER(f, int, int3)                     \
        OF_NUMBER(f, int, int4) OF_NUMBER(f, int, int8) OF_NUMBER(f, int, int16) OF_NUMBER(f, int, short8)
LANES_SAY(all)
LANES_SAY(any)
#define SELECT(T, M) T FUNCTION select(T, T, M);
SELECT(char, char) SELECT(char, uchar) SELECT(uchar, char) SELECT(uchar, uchar)
SELECT(short, short) SELECT(short, ushort) SELECT(ushort, short) SELECT(ushort, ushort)
SELECT(int, int) SELECT(int, uint) SELECT(uint, int) SELECT(uint, uint) SELECT(float, int) SELECT(float, uint)
SELECT(long, long) SELECT(long, ulong) SELECT(ulong, long) SELECT(ulong, ulong) SELECT(double, long)
SELECT(double, ulong)
#define SELECTS(n)                                                                                                     \
    SELECT(int##n, int##n)                                                                                             \
    SELECT(int##n, uint##n)                                                                                            \
    SELECT(uint##n, int##n) SELECT(uint##n, uint##n) SELECT(float##n, int##n) SELECT(float##n, uint##n)
SELECTS(4)
SELECTS(8)
SELECTS(16)

/* Geometry. */
float3 FUNCTION cross(float3, float3);
float4 FUNCTION cross(float4, float4);
#define GEOMETRY(T)                                                                                                    \
    float FUNCTION dot(T, T);                                                                                          \
    float FUNCTION length(T);                                                                                          \
    T FUNCTION normalize(T);
GEOMETRY(float)
GEOMETRY(float2)
GEOMETRY(float3)
GEOMETRY(float4)

/* Conversions, of all scalars or of all vectors of a length. */
#define CONVERT(f, T, S) T FUNCTION f(S);
SCALARS(CONVERT, convert_char_sat, char) SCALARS(CONVERT, convert_uchar_sat, uchar)
SCALARS(CONVERT, convert_short_sat, short) SCALARS(CONVERT, convert_ushort_sat, ushort)
SCALARS(CONVERT, convert_int_sat, int) SCALARS(CONVERT, convert_int_sat_rtz, int)
SCALARS(CONVERT, convert_uint_sat, uint) SCALARS(CONVERT, convert_long_rte, long)
SCALARS(CONVERT, convert_float_rtz, float) SCALARS(CONVERT, convert_int, int) SCALARS(CONVERT, convert_uint, uint)
SCALARS(CONVERT, convert_float, float) SCALARS(CONVERT, convert_double, double)
VECTORS(CONVERT, convert_char4, char4, 4) VECTORS(CONVERT, convert_uchar4, uchar4, 4)
VECTORS(CONVERT, convert_short4, short4, 4) VECTORS(CONVERT, convert_ushort4, ushort4, 4)
VECTORS(CONVERT, convert_int4, int4, 4) VECTORS(CONVERT, convert_uint4, uint4, 4)
VECTORS(CONVERT, convert_long4, long4, 4) VECTORS(CONVERT, convert_float4, float4, 4)
VECTORS(CONVERT, convert_double4, double4, 4) VECTORS(CONVERT, convert_char4_sat, char4, 4)
VECTORS(CONVERT, convert_uchar4_sat, uchar4, 4) VECTORS(CONVERT, convert_short4_sat, short4, 4)
VECTORS(CONVERT, convert_ushort4_sat, ushort4, 4) VECTORS(CONVERT, convert_int4_sat, int4, 4)
VECTORS(CONVERT, convert_uint4_sat, uint4, 4) VECTORS(CONVERT, convert_char16, char16, 16)
VECTORS(CONVERT, convert_uchar16, uchar16, 16) VECTORS(CONVERT, convert_short16, short16, 16)
VECTORS(CONVERT, convert_ushort16, ushort16, 16) VECTORS(CONVERT, convert_int16, int16, 16)
VECTORS(CONVERT, convert_uint16, uint16, 16) VECTORS(CONVERT, convert_float16, float16, 16)
VECTORS(CONVERT, convert_double16, double16, 16) VECTORS(CONVERT, convert_int2, int2, 2)
VECTORS(CONVERT, convert_int2_rte, int2, 2) VECTORS(CONVERT, convert_ulong2, ulong2, 2)
VECTORS(CONVERT, convert_int3, int3, 3) VECTORS(CONVERT, convert_int3_rtn, int3, 3)

/* Vectors in memory. */
#define MOVE_IN(T, n, space)                                                                                           \
    T##n READER vload##n(size_t, const space T *);                                                                     \
    void OVERLOADED vstore##n(T##n, size_t, space T *);
#define MOVE(T, n) MOVE_IN(T, n, global) MOVE_IN(T, n, private) MOVE_IN(T, n, local)
#define MOVES(n)                                                                                                       \
    MOVE(char, n) MOVE(uchar, n) MOVE(short, n) MOVE(ushort, n) MOVE(int, n) MOVE(uint, n) MOVE(float, n)              \
    MOVE(double, n)
MOVES(2)
MOVES(3)
MOVES(4)
MOVES(8)
MOVES(16)

/* Work-items, barriers, atomic operations. */
#define ITEM(f) size_t FUNCTION f(uint);
ITEM(get_global_id)
ITEM(get_global_size)
ITEM(get_group_id)
ITEM(get_local_id)
ITEM(get_local_size)
ITEM(get_num_groups)
void OVERLOADED __attribute__((convergent)) barrier(cl_mem_fence_flags);
#define ATOMIC_IN(T, space)                                                                                            \
    T OVERLOADED atomic_add(volatile space T *, T);                                                                    \
    T OVERLOADED atomic_sub(volatile space T *, T);                                                                    \
    T OVERLOADED atomic_and(volatile space T *, T);                                                                    \
    T OVERLOADED atomic_or(volatile space T *, T);                                                                     \
    T OVERLOADED atomic_max(volatile space T *, T);                                                                    \
    T OVERLOADED atomic_min(volatile space T *, T);                                                                    \
    T OVERLOADED atomic_xchg(volatile space T *, T);                                                                   \
    T OVERLOADED atomic_inc(volatile space T *);                                                                       \
    T OVERLOADED atomic_cmpxchg(volatile space T *, T, T);
ATOMIC_IN(int, global)
ATOMIC_IN(int, local)
ATOMIC_IN(uint, global)
ATOMIC_IN(uint, local)
ulong OVERLOADED atom_add(volatile global ulong *, ulong);
ulong OVERLOADED atom_add(volatile local ulong *, ulong);
