/* SPDX-License-Identifier: BSD-3-Clause */
/* Medians of windows of a few pixels, read directly from the image. Work-items compute vectors of pixels. */
#include "median.cl"

#define EXCHANGE(a, b) EXCHANGE_BY(KEYS, min, max, a, b)

/* Keys of pixels in an aligned vector. */
inline KEYS load_vector_keys(global const uchar *pixels, int type, INDEX at)
{
    KEYS bits;
    switch (type) {
    case UINT8:
    case INT8: bits = JOIN(convert_uint, LANES)(*CONST_VECTOR_AT(uchar, pixels, at)); break;
    case UINT16:
    case INT16: bits = JOIN(convert_uint, LANES)(*CONST_VECTOR_AT(ushort, pixels, at)); break;
    default: bits = *CONST_VECTOR_AT(uint, pixels, at);
    }
    RETURN_KEYS_OF_BITS(KEYS, INTV, type, bits)
}

/* Keys of LANES pixels of a row from x on; y and z repeat the border. Keys past the row are undefined. */
inline KEYS load_row_keys(global const uchar *pixels, const layout *image, int x, int y, int z, bool in_vectors)
{
    const layout from = *image;
    y = clamp(y, 0, from.height - 1);
    z = clamp(z, 0, from.depth - 1);
    if (in_vectors && from.type == FLOAT32)
        return load_vector_keys(pixels, FLOAT32, AT(from, x, y, z));
    if (in_vectors)
        return load_vector_keys(pixels, from.type, AT(from, x, y, z));
#ifdef ON_CPU
    uint lanes[LANES];
    for (int l = 0; l < LANES; l++)
        lanes[l] = key_of(pixels, from.type, AT(from, clamp(x + l, 0, from.width - 1), y, z));
    return JOIN(vload, LANES)(0, lanes);
#else
    KEYS keys = 0;
    ROLLED for (int l = 0; l < LANES; l++)
        keys = TO_THE_RIGHT(uint, keys, key_of(pixels, from.type, AT(from, clamp(x + l, 0, from.width - 1), y, z)));
    return keys;
#endif
}

inline void store_row_keys(global uchar *pixels, const layout *image, int x, int y, int z, KEYS keys, int type)
{
    const layout to = *image;
    if (type == FLOAT32 && to.type == FLOAT32 && x + LANES <= to.width && IN_VECTORS(to)) {
        const INTV bits = JOIN(as_int, LANES)(keys);
        store_lanes(pixels, FLOAT32, AT(to, x, y, z),
                    JOIN(as_float, LANES)(bits ^ (~(bits >> 31) | (INTV)((int)0x80000000))));
        return;
    }
#ifdef ON_CPU
    uint lanes[LANES];
    JOIN(vstore, LANES)(keys, 0, lanes);
    for (int l = 0; l < LANES && x + l < to.width; l++)
        store_key(pixels, to.type, AT(to, x + l, y, z), lanes[l], type);
#else
    ROLLED for (int l = 0; l < LANES && x + l < to.width; l++) {
        store_key(pixels, to.type, AT(to, x + l, y, z), keys.s0, type);
        keys = TO_THE_RIGHT(uint, keys, keys.s0);
    }
#endif
}

#define SMALL_WINDOW(slices)                                                                                           \
    const int x = LANES * (int)get_global_id(0), y = get_global_id(1), first = (slices) * (int)get_global_id(2);       \
    if (!INSIDE(to, x, y, first))                                                                                      \
        return;                                                                                                        \
    const bool in_vectors = IN_VECTORS(from) && to.width <= from.width;
#define KEY_AT(dx, dy, z)                                                                                              \
    key_of(from_pixels, from.type,                                                                                     \
           AT(from, clamp(x + (dx), 0, from.width - 1), clamp(y + (dy), 0, from.height - 1),                           \
              clamp((int)(z), 0, from.depth - 1)))
#define ROW_KEYS(dy, z) load_row_keys(from_pixels, &from, x, y + (dy), z, in_vectors)

/*
 * ---- 3 x 3: sorted columns, which neighbours share; then the highest low key, the middle of the middle keys, and the
 *   lowest high key
 */
#define SORT_THREE(type_of_key, a, b, c)                                                                               \
    {                                                                                                                  \
        const type_of_key min_value = min(a, min(b, c)), max_value = max(a, max(b, c)), between =                      \
            max(min(a, b), min(max(a, b), c));                                                                         \
        a = min_value;                                                                                                 \
        b = between;                                                                                                   \
        c = max_value;                                                                                                 \
    }
#define MIDDLE_OF(a, b, c) max(min(a, b), min(max(a, b), c))

/* low, middle and high keys of the columns left, here and right */
#define SORTED_COLUMNS(z)                                                                                              \
    KEYS low = ROW_KEYS(-1, z), middle = ROW_KEYS(0, z), high = ROW_KEYS(1, z);                                        \
    uint before[3] = {KEY_AT(-1, -1, z), KEY_AT(-1, 0, z), KEY_AT(-1, 1, z)};                                          \
    uint after[3] = {KEY_AT(LANES, -1, z), KEY_AT(LANES, 0, z), KEY_AT(LANES, 1, z)};                                  \
    SORT_THREE(KEYS, low, middle, high)                                                                                \
    SORT_THREE(uint, before[0], before[1], before[2])                                                                  \
    SORT_THREE(uint, after[0], after[1], after[2])                                                                     \
    KEYS low_left = TO_THE_LEFT(uint, low, before[0]), low_right =                                                     \
        row_to_the_right_uint(low, after[0], from.width - x);                                                          \
    KEYS middle_left = TO_THE_LEFT(uint, middle, before[1]), middle_right =                                            \
        row_to_the_right_uint(middle, after[1], from.width - x);                                                       \
    KEYS high_left = TO_THE_LEFT(uint, high, before[2]), high_right =                                                  \
        row_to_the_right_uint(high, after[2], from.width - x);

kernel void median_3x3(INPUT(from), OUTPUT(to), int type)
{
    SMALL_WINDOW(1)
    SORTED_COLUMNS(first)
    const KEYS highest = max(low_left, max(low, low_right)), lowest = min(high_left, min(high, high_right));
    const KEYS between = MIDDLE_OF(middle_left, middle, middle_right);
    store_row_keys(to_pixels, &to, x, y, first, MIDDLE_OF(highest, between, lowest), type);
}

/* ---- 3 x 3 x 3: sorted planes of 9 keys; two of them are merged once for the pixel before and the pixel after */
typedef struct {
    KEYS key[9];
} sorted_plane;

inline sorted_plane sort_plane(global const uchar *from_pixels, const layout *image, int x, int y, int z,
                               bool in_vectors)
{
    const layout from = *image;
    SORTED_COLUMNS(z)
    SORT_THREE(KEYS, low_left, low, low_right)
    SORT_THREE(KEYS, middle_left, middle, middle_right)
    SORT_THREE(KEYS, high_left, high, high_right)
    /* rows and columns of the 3 x 3 keys are sorted already; now sort the diagonals */
    EXCHANGE(low, middle_left)
    EXCHANGE(middle_right, high)
    EXCHANGE(low_right, high_left)
    EXCHANGE(low_right, middle)
    EXCHANGE(middle, high_left)
    EXCHANGE(middle_left, low_right)
    EXCHANGE(high_left, middle_right)
    return (sorted_plane){{low_left, low, middle_left, low_right, middle, high_left, middle_right, high, high_right}};
}

kernel void median_3x3x3(INPUT(from), OUTPUT(to), int type)
{
    enum { RUN = 16, HALF = 16 };     /* RUN as in native/ops/window/median.c */
    SMALL_WINDOW(RUN)
    sorted_plane before = sort_plane(from_pixels, &from, x, y, first - 1, in_vectors);
    sorted_plane here = sort_plane(from_pixels, &from, x, y, first, in_vectors);
    for (int z = first; z < min(first + RUN, to.depth); z += 2) {
        const sorted_plane next = sort_plane(from_pixels, &from, x, y, z + 1, in_vectors);
        const sorted_plane after = sort_plane(from_pixels, &from, x, y, z + 2, in_vectors);
        KEYS m[2 * HALF];       /* Batcher's merge of `here` and `next`, padded to a power of 2 */
        _Pragma("unroll") for (int i = 0; i < HALF; i++)
        {
            m[i] = i < 9 ? here.key[min(i, 8)] : (KEYS)(UINT_MAX);
            m[HALF + i] = i < 9 ? next.key[min(i, 8)] : (KEYS)(UINT_MAX);
        }
        _Pragma("unroll") for (int i = 0; i < HALF; i++) EXCHANGE(m[i], m[HALF + i])
            _Pragma("unroll") for (int step = HALF / 2; step > 0; step /= 2)
                _Pragma("unroll") for (int i = step; i < 2 * HALF - step; i++) if (i & step) EXCHANGE(m[i], m[i + step])
            /*
             * Element 13 of the 27 keys: 18 merged keys and 9 of the third plane. Each split takes 13 - j keys and j
             * keys; the result is the smallest, over all splits, of the larger of both last keys.
             */
            KEYS median_before = m[13],
                 median_after = m[13];
        _Pragma("unroll") for (int j = 1; j <= 9; j++)
        {
            median_before = min(median_before, max(m[13 - j], before.key[j - 1]));
            median_after = min(median_after, max(m[13 - j], after.key[j - 1]));
        }
        store_row_keys(to_pixels, &to, x, y, z, median_before, type);
        if (z + 1 < to.depth)
            store_row_keys(to_pixels, &to, x, y, z + 1, median_after, type);
        before = next;
        here = after;
    }
}
