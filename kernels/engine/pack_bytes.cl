/* SPDX-License-Identifier: BSD-3-Clause */
/* Like pack_vec4, for pixels of one byte in rows that are aligned to 16 pixels; a work-item writes one word. */

inline uint four_flags(uint bytes)
{
    return (((bytes & 0x7f7f7f7fu) + 0x7f7f7f7fu | bytes) >> 7 & 0x01010101u) * 0x10204080u >> 28;
}

inline uint sixteen_flags(uint4 bytes)
{
    return four_flags(bytes.x) | four_flags(bytes.y) << 4 | four_flags(bytes.z) << 8 | four_flags(bytes.w) << 12;
}

kernel void pack_bytes(INPUT(source), global uint *bits, int row_words, int invert)
{
    const int column = get_global_id(0), y = get_global_id(1), z = get_global_id(2), x = 32 * column;
    if (column >= row_words || y >= source.height)
        return;
    const int rest = source.width - x;
    const uint inside = rest >= 32 ? 0xffffffffu : rest > 0 ? (1u << rest) - 1 : 0;
    uint word = 0;
    for (int half_word = 0; half_word < 2; half_word++)
        if (16 * half_word < rest)
            word |= sixteen_flags(*(global const uint4 *)(source_pixels + AT(source, x + 16 * half_word, y, z)))
                    << 16 * half_word;
    bits[((uint)z * source.height + y) * row_words + column] = (invert ? ~word : word) & inside;
}
