/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums for each label. Sums are exact, so they do not depend on the order of atomics. For this, intensities become
 * integers on a scale that the label's own range sets, and each 32-bit piece of a sum has a counter of 64 bits.
 * native/ops/labels/statistics.h lists the fields of a label's row. A work-item first sums a run of one label down a
 * column, then adds the sums to the work-group's table in local memory. The work-group adds its table to the rows once.
 * Otherwise all work-items would wait for the row of a large label.
 */

enum {
    COUNT = 0, LOWEST = 2, HIGHEST = 3, LOW = 4, HIGH = 7, SUM = 10, VALUE_SUM = 22, WEIGHTED_SUM = 26, SQUARE_SUM = 44,
    ROW = 48,
    DISTANCE_SUM = 0, LONGEST = 8,
    DISTANCE_ROW = 10,
    SCALE_BITS = 29,
    CENTRE_ROW = 16,
    SLOTS = 64, TRIES = 8, NOBODY = 0xffffffff
};

/* Integers that sort like floats. */
inline uint order_of(float value)
{
    const uint bits = as_uint(value);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

/* Steps of the label's scale per unit of intensity: 2^exponent, as two factors so that no float overflows. */
inline float2 scale_of(float min_value, float max_value)
{
    const float range = max_value * 0.5f - min_value * 0.5f;
    if (!(range > 0.0f) || isinf(range))
        return (float2)(0.0f);
    const int exponent = clamp((int)(SCALE_BITS - 2) - ilogb(range), -250, 250);
    return (float2)(ldexp(1.0f, exponent / 2), ldexp(1.0f, exponent - exponent / 2));
}

/* ---- rows */

inline void add_counter(volatile global uint *counter, ulong value)
{
    if (value == 0)
        return;
#ifdef ATOMICS64
    atom_add((volatile global ulong *)counter, value);
#else
    const uint low = (uint)value, carry = atomic_add(counter, low) > 0xffffffffu - low;
    if ((value >> 32) + carry)
        atomic_add(counter + 1, (uint)(value >> 32) + carry);
#endif
}

inline void add_sum(volatile global uint *counters, ulong value)
{
    add_counter(counters, (uint)value);
    add_counter(counters + 2, value >> 32);
}

/* The number of pixels of a label, the first counter of its row. */
inline ulong pixels_of(global const uint *counter)
{
    return counter[0] | (ulong)counter[1] << 32;
}

/* The row of a label, counted from the first one of the table. */
inline global const uint *row_of_label(global const uint *rows, ulong number)
{
    return rows + number * ROW;
}

inline ulong sum_of(global const uint *counters)
{
    return pixels_of(counters) + ((ulong)counters[2] << 32);
}

/* ---- a work-group's table; its fields start at 0 */

/* Index of a label's slot, or -1 if the table is full. */
inline int slot_of(volatile local uint *tags, uint label)
{
    uint slot = label * 0x9e3779b1u >> 26;
    for (int i = 0; i < TRIES; i++, slot = (slot + 1) % SLOTS) {
        uint tag = tags[slot];
        if (tag == NOBODY)
            tag = atomic_cmpxchg(&tags[slot], NOBODY, label);
        if (tag == NOBODY || tag == label)
            return (int)slot;
    }
    return -1;
}

/* Adds a number to a word of local memory and returns the carry. add_words does the same for two words. */
inline uint add_word(volatile local uint *word, uint value)
{
    return value != 0 && atomic_add(word, value) > 0xffffffffu - value;
}

inline uint add_words(volatile local uint *words, ulong value)
{
    const ulong rest = (value >> 32) + add_word(words, (uint)value);
    return (uint)(rest >> 32) + add_word(words + 1, (uint)rest);
}

/* Adds three words. */
inline void add_long_words(volatile local uint *words, const uint *value)
{
    add_word(words + 2, value[2] + add_words(words, value[0] | (ulong)value[1] << 32));
}

inline void raise_word(volatile local uint *max_value, uint value)
{
    if (*max_value < value)
        atomic_max(max_value, value);
}

inline ulong long_of(const uint *words)
{
    return words[0] | (ulong)words[1] << 32;
}

inline void keep_long(uint *words, ulong value)
{
    words[0] = (uint)value;
    words[1] = (uint)(value >> 32);
}

/* Stores a * b + more, which must be below 2^96, in three words. */
inline void keep_product(uint *words, ulong a, uint b, ulong more)
{
    const ulong product = a * b, low = product + more;
    keep_long(words, low);
    words[2] = (uint)mul_hi(a, (ulong)b) + (low < product);
}
