/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies between images of equal extent. */

/* Copies elements of 16 bytes; the last element of a row has `rest` bytes. */
kernel void copy_quads(INPUT(from), OUTPUT(to), int rest)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const uint4 quad = ((global const uint4 *)from_pixels)[AT(from, x, y, z)];
    global uint4 *target = (global uint4 *)to_pixels + AT(to, x, y, z);
    if (x + 1 < to.width || rest == 16) {
        *target = quad;
        return;
    }
    const uint words[] = {quad.x, quad.y, quad.z, quad.w};
    for (int i = 0; i < rest / 4; i++)
        ((global uint *)target)[i] = words[i];
    for (int i = rest & ~3; i < rest; i++)
        ((global uchar *)target)[i] = (uchar)(words[i / 4] >> 8 * (i % 4));
}

/* Extracts 16 bytes from two consecutive quads, starting at a byte of the first. */
inline uint4 quad_from(uint4 a, uint4 b, int byte)
{
    const uint8 both = (uint8)(a, b), by_two = byte & 8 ? (uint8)(both.s2345, both.s67, both.s67) : both;
    const uint8 v = byte & 4 ? (uint8)(by_two.s1234, by_two.s567, by_two.s7) : by_two;
    const int bits = 8 * (byte & 3);
    return bits ? v.s0123 >> (uint)bits | v.s1234 << (uint)(32 - bits) : v.s0123;
}

/*
 * Copies bytes between rows whose stride is a multiple of a quad. A row of the target begins `before` bytes after the
 * start of a quad; a row of the source begins at another offset.
 */
kernel void copy_shifted(INPUT(from), OUTPUT(to), int before)
{
    const int x = 16 * (int)get_global_id(0) - before, y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const INDEX row = AT(from, 0, y, z), source = row + x, first = row >> 4, last = (row + from.width - 1) >> 4;
    global const uint4 *quads = (global const uint4 *)from_pixels;
    const uint4 quad =
        quad_from(quads[clamp(source >> 4, first, last)], quads[clamp((source >> 4) + 1, first, last)], source & 15);
    global uchar *target = to_pixels + (AT(to, 0, y, z) + x);
    const int begin = max(-x, 0), end = min(to.width - x, 16);
    if (begin == 0 && end == 16) {
        *(global uint4 *)target = quad;
        return;
    }
    const uint words[] = {quad.x, quad.y, quad.z, quad.w};
    for (int i = 0; i < 4; i++)
        if (begin <= 4 * i && 4 * i + 4 <= end)
            ((global uint *)target)[i] = words[i];
        else
            for (int b = max(begin, 4 * i); b < min(end, 4 * i + 4); b++)
                target[b] = (uchar)(words[i] >> 8 * (b & 3));
}

#define ROWS 4

/* Reads all rows before it writes the first, so that the reads do not wait for each other. */
#define COPY(type)                                                                                                     \
    {                                                                                                                  \
        type pixel[ROWS];                                                                                              \
        for (int i = 0; i < ROWS; i++)                                                                                 \
            pixel[i] = ((global const type *)from_pixels)[source + min(i, last) * (INDEX)from.row];                    \
        for (int i = 0; i < ROWS; i++)                                                                                 \
            if (i <= last)                                                                                             \
                ((global type *)to_pixels)[target + i * (INDEX)to.row] = pixel[i];                                     \
        break;                                                                                                         \
    }

kernel void copy_rows(INPUT(from), OUTPUT(to))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1) * ROWS, z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const int last = to.height - 1 - y;
    const INDEX source = AT(from, x, y, z), target = AT(to, x, y, z);
    if (from.type != to.type) {
        for (int i = 0; i <= min(last, ROWS - 1); i++)
            store_float(to_pixels, to.type, target + i * (INDEX)to.row,
                        load_float(from_pixels, from.type, source + i * (INDEX)from.row));
        return;
    }
    switch (from.type) {
    case UINT8:
    case INT8: COPY(uchar)
    case UINT16:
    case INT16: COPY(ushort)
    default: COPY(uint)
    }
}
