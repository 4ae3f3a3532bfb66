/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Converts integers that sort like intensities back to intensities. The integers of uint32 and int32 images keep all
 * bits, which float32 would round. The same source serves devices and the host, which defines METHOD, WORD and
 * bits_as_float itself.
 */
#define TOGETHER
#ifdef __OPENCL_VERSION__
#define METHOD inline
#define WORD uint
#define bits_as_float(bits) as_float(bits)
#else
enum { INT8 = DRUA_INT8, INT16 = DRUA_INT16, UINT32 = DRUA_UINT32, INT32 = DRUA_INT32 };
#endif

/* The intensity, as the nearest float. */
METHOD float value_of(WORD order, int type)
{
    if (type == UINT32)
        return (float)order;
    if (type == INT32)
        return order & 0x80000000u ? (float)(order & 0x7fffffffu) : -(float)(0x80000000u - order);
    return bits_as_float(order & 0x80000000u ? order & 0x7fffffffu : ~order);
}

#if !defined(__OPENCL_VERSION__) || defined(DOUBLES)
METHOD double exact_value_of(WORD order, int type)
{
    if (type == UINT32)
        return (double)order;
    return type == INT32 ? (double)order - 0x1p31 : (double)value_of(order, type);
}
#endif
