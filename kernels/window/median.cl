/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Medians: element n/2 of the sorted window. Pixels become unsigned keys of the same order. The few keys of a small window go
 * through networks of exchanges (median_small.cl); those of others lie in a copy with borders repeated as far as the window
 * reaches, so that a window is rows of plain words, and are counted in ranges that shrink to keys that occur.
 */

inline uint key_of(global const uchar *pixels, int type, INDEX at)
{
    switch (type) {
    case UINT8: return pixels[at];
    case INT8: return (uint)(int)((global const char *)pixels)[at] ^ 0x80000000u;
    case UINT16: return ((global const ushort *)pixels)[at];
    case INT16: return (uint)(int)((global const short *)pixels)[at] ^ 0x80000000u;
    case UINT32: return ((global const uint *)pixels)[at];
    case INT32: return ((global const uint *)pixels)[at] ^ 0x80000000u;
    default: {
        const uint bits = ((global const uint *)pixels)[at];
        return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
    }
    }
}

inline void store_key(global uchar *pixels, int type, INDEX at, uint key, int key_type)
{
    const bool is_signed = key_type == INT8 || key_type == INT16 || key_type == INT32;
    uint bits = is_signed ? key ^ 0x80000000u : key;
    if (key_type == FLOAT32)
        bits = key & 0x80000000u ? key ^ 0x80000000u : ~key;
    if (type == key_type)
        store_bits(pixels, type, at, bits);
    else
        store_float(pixels, type, at, key_type == FLOAT32 ? as_float(bits) : is_signed ? (float)(int)bits : (float)bits);
}

kernel void median_keys(INPUT(from), OUTPUT(keys), int rx, int ry, int rz)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (!INSIDE(keys, x, y, z))
        return;
    const int i = clamp(x - rx, 0, from.width - 1), j = clamp(y - ry, 0, from.height - 1), k = clamp(z - rz, 0, from.depth - 1);
    ((global uint *)keys_pixels)[AT(keys, x, y, z)] = key_of(from_pixels, from.type, AT(from, i, j, k));
}

#define KEYS JOIN(uint, LANES)
#define LOAD_KEYS(at) JOIN(vload, LANES)(0, at)

/* Work-items make vectors of pixels. */
#define STORE_KEYS(keys_found)                                                                                                   \
    uint out[LANES];                                                                                                             \
    JOIN(vstore, LANES)(keys_found, 0, out);                                                                                     \
    for (int k = 0; k < LANES && x + k < to.width; k++)                                                                          \
        store_key(to_pixels, to.type, AT(to, x + k, y, z), out[k], type);

/* ---- selection: halves the ranges of keys until one is left in each; `visit` runs over the window with `key` */
#define SELECT(T, rank, visit, any_of)                                                                                           \
    T low = 0xffffffffu, high = 0;                                                                                               \
    visit(low = min(low, key); high = max(high, key);)                                                                           \
    while (any_of(low < high)) {                                                                                                 \
        const T middle = low + (high - low) / 2;                                                                                 \
        T not_above = 0, below = 0, above = 0xffffffffu;                                                                         \
        visit(const T is_above = IS_TRUE(T, key > middle); not_above += 1 + is_above; below = max(below, key & ~is_above);       \
              above = min(above, key | ~is_above);)                                                                              \
        const T is_high = IS_TRUE(T, not_above > rank), is_open = IS_TRUE(T, low < high);                                        \
        const T lower_part = is_open & is_high, upper_part = is_open & ~is_high;                                                 \
        high = (below & lower_part) | (high & ~lower_part);                                                                      \
        low = (above & upper_part) | (low & ~upper_part);                                                                        \
    }

#define WINDOW_KEYS(body)                                                                                                        \
    for (int dz = -rz; dz <= rz; dz++)                                                                                           \
        for (int dy = -ry; dy <= ry; dy++) {                                                                                     \
            const int half_length = half_chords[abs(dz) * (ry + 1) + abs(dy)];                                                   \
            global const uint *row = centre + (INDEX)dz * keys.plane + (INDEX)dy * keys.row;                                     \
            for (int dx = -half_length; dx <= half_length; dx++) {                                                               \
                const KEYS key = LOAD_KEYS(row + dx);                                                                            \
                body                                                                                                             \
            }                                                                                                                    \
        }

kernel void median_window(INPUT(keys), OUTPUT(to), int type, int rx, int ry, int rz, TABLE(chords), uint rank)
{
    const int x = LANES * (int)get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    constant short *half_chords = TABLE_OF(short, chords);
    global const uint *centre = (global const uint *)keys_pixels + AT(keys, x + rx, y + ry, z + rz);
#define IS_TRUE(T, condition) JOIN(as_uint, LANES)(condition)
    SELECT(KEYS, rank, WINDOW_KEYS, any)
#undef IS_TRUE
    STORE_KEYS(low)
}

#define SAME_CONDITION(condition) (condition)
#define SLICE_KEYS(body)                                                                                                         \
    for (int z = 0; z < from.depth; z++) {                                                                                       \
        const uint key = key_of(from_pixels, from.type, AT(from, i, j, z));                                                      \
        body                                                                                                                     \
    }

kernel void median_of_slices(INPUT(from), OUTPUT(to))
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (!INSIDE(to, x, y, 0))
        return;
    const int i = min(x, from.width - 1), j = min(y, from.height - 1);
    const uint rank = from.depth / 2;
#define IS_TRUE(T, condition) ((condition) ? 0xffffffffu : 0u)
    SELECT(uint, rank, SLICE_KEYS, SAME_CONDITION)
#undef IS_TRUE
    for (int z = 0; z < to.depth; z++)
        store_key(to_pixels, to.type, AT(to, x, y, z), low, from.type);
}
