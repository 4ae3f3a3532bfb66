/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Medians: element n/2 of the sorted window. Pixels become unsigned keys that sort in the same order. Sorting networks
 * handle small windows (median_small.cl). For other windows, the image is first copied as keys, with borders repeated
 * by the radii, so that a window consists of whole rows of keys. The kernel then bisects the range of keys: it counts
 * the keys up to the middle, and continues with one half until a single key is left.
 */

inline bool is_signed(int type) { return type == INT8 || type == INT16 || type == INT32; }

/*
 * Ends a function: returns the keys of one or more pixels with these bits. Signed numbers become their 32-bit value
 * plus 2^31.
 */
#define RETURN_KEYS_OF_BITS(T, SIGNED, type, bits)                                                                     \
    const uint sign_bit = type == INT8 ? 0x80u : type == INT16 ? 0x8000u : 0x80000000u;                                \
    if (type == FLOAT32)                                                                                               \
        return bits ^ (JOIN(as_, T)(JOIN(as_, SIGNED)(bits) >> 31) | 0x80000000u);                                     \
    return is_signed(type) ? (bits ^ sign_bit) + (0x80000000u - sign_bit) : bits;

inline uint key_of(global const uchar *pixels, int type, INDEX at)
{
    const uint bits = load_bits(pixels, type, at);
    RETURN_KEYS_OF_BITS(uint, int, type, bits)
}

inline void store_key(global uchar *pixels, int type, INDEX at, uint key, int key_type)
{
    uint bits = is_signed(key_type) ? key ^ 0x80000000u : key;
    if (key_type == FLOAT32)
        bits = key & 0x80000000u ? key ^ 0x80000000u : ~key;
    if (type == key_type)
        store_bits(pixels, type, at, bits);
    else if (key_type == FLOAT32)
        store_float(pixels, type, at, as_float(bits));
    else
        store_whole(pixels, type, at, is_signed(key_type) ? (long)(int)bits : (long)bits);
}

kernel void median_keys(INPUT(from), OUTPUT(keys), int rx, int ry, int rz)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (!INSIDE(keys, x, y, z))
        return;
    const int i = clamp(x - rx, 0, from.width - 1), j = clamp(y - ry, 0, from.height - 1),
              k = clamp(z - rz, 0, from.depth - 1);
    ((global uint *)keys_pixels)[AT(keys, x, y, z)] = key_of(from_pixels, from.type, AT(from, i, j, k));
}

#define KEYS JOIN(uint, LANES)

/* Stores LANES pixels of a row from x on, except those beyond the row. */
inline void store_keys(global uchar *to_pixels, const layout to, int x, int y, int z, KEYS keys, int key_type)
{
    uint out[LANES];
    JOIN(vstore, LANES)(keys, 0, out);
    for (int k = 0; k < LANES && x + k < to.width; k++)
        store_key(to_pixels, to.type, AT(to, x + k, y, z), out[k], key_type);
}

/* ---- selection: bisects the range of keys until one key is left */
#define MASK(T, condition) select((T)(0), (T)(0xffffffffu), condition)
#define SELECTION(NAME, T)                                                                                             \
    typedef struct {                                                                                                   \
        T low, high;                                        /* range of the key */                                     \
        T middle, count_to_middle, largest_to_middle, smallest_above;                                                  \
    } NAME;                                                                                                            \
                                                                                                                       \
    inline void NAME##_widen(NAME *s, T key)                                                                           \
    {                                                                                                                  \
        s->low = min(s->low, key);                                                                                     \
        s->high = max(s->high, key);                                                                                   \
    }                                                                                                                  \
                                                                                                                       \
    inline void NAME##_bisect(NAME *s)                                                                                 \
    {                                                                                                                  \
        s->middle = s->low + (s->high - s->low) / 2;                                                                   \
        s->count_to_middle = 0;                                                                                        \
        s->largest_to_middle = 0;                                                                                      \
        s->smallest_above = 0xffffffffu;                                                                               \
    }                                                                                                                  \
                                                                                                                       \
    inline void NAME##_count(NAME *s, T key)                                                                           \
    {                                                                                                                  \
        const T is_above = MASK(T, key > s->middle);                                                                   \
        s->count_to_middle += 1 + is_above;                                                                            \
        s->largest_to_middle = max(s->largest_to_middle, key & ~is_above);                                             \
        s->smallest_above = min(s->smallest_above, key | ~is_above);                                                   \
    }                                                                                                                  \
                                                                                                                       \
    inline void NAME##_narrow(NAME *s, uint rank)                                                                      \
    {                                                                                                                  \
        const T is_high = MASK(T, s->count_to_middle > rank), is_open = MASK(T, s->low < s->high);                     \
        const T lower_part = is_open & is_high, upper_part = is_open & ~is_high;                                       \
        s->high = (s->largest_to_middle & lower_part) | (s->high & ~lower_part);                                       \
        s->low = (s->smallest_above & upper_part) | (s->low & ~upper_part);                                            \
    }
SELECTION(selection, uint)
SELECTION(selections, KEYS)

/* Defines NAME, which calls `add` for all keys in the windows around LANES pixels, of which `centre` is the first. */
#define OVER_KEYS(NAME, add)                                                                                           \
    inline void NAME(selections *s, global const uint *centre, const layout *keys, constant short *half_chords,        \
        int ry, int rz)                                                                                                \
    {                                                                                                                  \
        const layout k = *keys;                                                                                        \
        for (int dz = -rz; dz <= rz; dz++)                                                                             \
            for (int dy = -ry; dy <= ry; dy++) {                                                                       \
                const int half_length = half_chords[abs(dz) * (ry + 1) + abs(dy)];                                     \
                global const uint *row = centre + (INDEX)dz * k.plane + (INDEX)dy * k.row;                             \
                for (int dx = -half_length; dx <= half_length; dx++)                                                   \
                    add(s, JOIN(vload, LANES)(0, row + dx));                                                           \
            }                                                                                                          \
    }
OVER_KEYS(widen_to_window, selections_widen)
OVER_KEYS(count_window, selections_count)

/* Each work-item computes LANES pixels of a row. */
kernel void median_window(INPUT(keys), OUTPUT(to), int key_type, int rx, int ry, int rz, TABLE(chords), uint rank)
{
    const int x = LANES * (int)get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    constant short *half_chords = TABLE_OF(short, chords);
    global const uint *centre = (global const uint *)keys_pixels + AT(keys, x + rx, y + ry, z + rz);
    selections s = {.low = 0xffffffffu, .high = 0};
    widen_to_window(&s, centre, &keys, half_chords, ry, rz);
    while (any(s.low < s.high)) {
        selections_bisect(&s);
        count_window(&s, centre, &keys, half_chords, ry, rz);
        selections_narrow(&s, rank);
    }
    store_keys(to_pixels, to, x, y, z, s.low, key_type);
}

kernel void median_of_slices(INPUT(from), OUTPUT(to))
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (!INSIDE(to, x, y, 0))
        return;
    const int i = min(x, from.width - 1), j = min(y, from.height - 1);
    selection s = {.low = 0xffffffffu, .high = 0};
    for (int z = 0; z < from.depth; z++)
        selection_widen(&s, key_of(from_pixels, from.type, AT(from, i, j, z)));
    while (s.low < s.high) {
        selection_bisect(&s);
        for (int z = 0; z < from.depth; z++)
            selection_count(&s, key_of(from_pixels, from.type, AT(from, i, j, z)));
        selection_narrow(&s, (uint)from.depth / 2);
    }
    for (int z = 0; z < to.depth; z++)
        store_key(to_pixels, to.type, AT(to, x, y, z), s.low, from.type);
}
