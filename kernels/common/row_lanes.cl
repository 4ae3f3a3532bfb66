/* SPDX-License-Identifier: BSD-3-Clause */
/* Vectors that begin anywhere in a row, for CPU kernels: CPUs read and write unaligned vectors at full speed. */
#include "prelude.cl"

/* Loads LANES pixels of a line of `count` pixels from `at` on; the last pixel is repeated past the end. */
#define VECTOR_FROM(T) JOIN(convert_float, LANES)(JOIN(vload, LANES)(0, (global const T *)pixels + at))
inline FLOATV load_line_lanes(global const uchar *pixels, int type, INDEX at, INDEX column, int count)
{
    if (column != 1 || count < LANES) {
        float lanes[LANES];
        for (int l = 0; l < LANES; l++)
            lanes[l] = load_float(pixels, type, at + (INDEX)min(l, count - 1) * column);
        return JOIN(vload, LANES)(0, lanes);
    }
    switch (type) {
    case UINT8: return VECTOR_FROM(uchar);
    case INT8: return VECTOR_FROM(char);
    case UINT16: return VECTOR_FROM(ushort);
    case INT16: return VECTOR_FROM(short);
    case UINT32: return VECTOR_FROM(uint);
    case INT32: return VECTOR_FROM(int);
    default: return VECTOR_FROM(float);
    }
}

/* Stores the first `count` lanes with the conversion of STORE. */
#define VECTOR_TO(T) JOIN(vstore, LANES)(JOIN(JOIN(convert_, T), LANES)(value), 0, (global T *)pixels + at)
inline void store_line_lanes(global uchar *pixels, int type, INDEX at, INDEX column, FLOATV value, int count)
{
    if (column != 1 || count < LANES) {
        float lanes[LANES];
        JOIN(vstore, LANES)(value, 0, lanes);
        for (int l = 0; l < LANES && l < count; l++)
            store_float(pixels, type, at + (INDEX)l * column, lanes[l]);
        return;
    }
    value = saturate_lanes(value, type);
    switch (type) {
    case UINT8: VECTOR_TO(uchar); break;
    case INT8: VECTOR_TO(char); break;
    case UINT16: VECTOR_TO(ushort); break;
    case INT16: VECTOR_TO(short); break;
    case UINT32: VECTOR_TO(uint); break;
    case INT32: VECTOR_TO(int); break;
    default: VECTOR_TO(float);
    }
}
