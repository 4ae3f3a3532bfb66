/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows along x for devices with wide registers: one vector of windows, with an unaligned load per tap. */
#if LANES == 16
inline FLOATV load_shifted(global const uchar *pixels, int type, INDEX at)
{
    switch (type) {
    case UINT8: return convert_float16(vload16(0, pixels + at));
    case INT8: return convert_float16(vload16(0, (global const char *)pixels + at));
    case UINT16: return convert_float16(vload16(0, (global const ushort *)pixels + at));
    case INT16: return convert_float16(vload16(0, (global const short *)pixels + at));
    case UINT32: return convert_float16(vload16(0, (global const uint *)pixels + at));
    case INT32: return convert_float16(vload16(0, (global const int *)pixels + at));
    default: return vload16(0, (global const float *)pixels + at);
    }
}

/* Loads a vector that begins before the row or extends past its end. */
inline FLOATV load_across_end(global const uchar *pixels, const layout *from, INDEX at, int x)
{
    float v[3 * LANES];
    if (from->width < LANES) {
        for (int i = 0; i < LANES; i++)
            v[i] = load_float(pixels, from->type, at + clamp(x + i, 0, from->width - 1));
        return vload16(0, v);
    }
    const int near = clamp(x, 0, from->width - LANES);
    const FLOATV inside = load_shifted(pixels, from->type, at + near);
    vstore16((FLOATV)inside.s0, 0, v);
    vstore16(inside, 1, v);
    vstore16((FLOATV)inside.sf, 2, v);
    return vload16(0, v + LANES + clamp(x - near, -LANES, LANES));
}

/* Taps inside the row; the usual types have separate loops. */
#define WIDE_X(start, fold, middle, common, join, finish)                                                              \
    const int x = LANES * (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);                 \
    if (!INSIDE(to, x, y, z))                                                                                          \
        return;                                                                                                        \
    const INDEX at = AT(from, 0, y, z);                                                                                \
    const int inside = clamp(-x, -radius, radius + 1), behind = clamp(from.width - LANES - x + 1, inside, radius + 1); \
    FLOATV sum = start;                                                                                                \
    int i = -radius;                                                                                                   \
    for (; i < inside; i++)                                                                                            \
        sum = fold(sum, i, load_across_end(from_pixels, &from, at, x + i));                                            \
    if (from.type == FLOAT32)                                                                                          \
        for (; i < behind; i++)                                                                                        \
            sum = fold(sum, i, vload16(0, (global const float *)from_pixels + at + x + i));                            \
    else if (from.type == UINT16)                                                                                      \
        for (; i < behind; i++)                                                                                        \
            sum = fold(sum, i, convert_float16(vload16(0, (global const ushort *)from_pixels + at + x + i)));          \
    else if (from.type == UINT8)                                                                                       \
        for (; i < behind; i++)                                                                                        \
            sum = fold(sum, i, convert_float16(vload16(0, from_pixels + at + x + i)));                                 \
    else                                                                                                               \
        for (; i < behind; i++)                                                                                        \
            sum = fold(sum, i, load_shifted(from_pixels, from.type, at + x + i));                                      \
    for (; i <= radius; i++)                                                                                           \
        sum = fold(sum, i, load_across_end(from_pixels, &from, at, x + i));                                            \
    store_row_lanes(to_pixels, &to, x, y, z, finish(sum), true);
#endif
