/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies between images of one extent. */

/* Elements of 16 bytes, of which the last of a row has `rest`. */
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

#define ROWS 4

/* Reads all rows before it writes the first, so that the reads do not wait for each other. */
#define COPY(type)                                                                                                               \
    {                                                                                                                            \
        type pixel[ROWS];                                                                                                        \
        for (int i = 0; i < ROWS; i++)                                                                                           \
            pixel[i] = ((global const type *)from_pixels)[source + min(i, last) * (INDEX)from.row];                              \
        for (int i = 0; i < ROWS; i++)                                                                                           \
            if (i <= last)                                                                                                       \
                ((global type *)to_pixels)[target + i * (INDEX)to.row] = pixel[i];                                               \
        break;                                                                                                                   \
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
            store_float(to_pixels, to.type, target + i * (INDEX)to.row, load_float(from_pixels, from.type, source + i * (INDEX)from.row));
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
