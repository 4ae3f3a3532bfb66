/* SPDX-License-Identifier: BSD-3-Clause */
/* Thinning of all labels of a plane at once, as in skeleton_plane.cl: pixels of another label are background. */
#include "skeleton_plane.cl"

enum {
    LINKS = 8, /* directions, in the order of compass */
    PACKED = LINKS + 1, /* words of a word: its links, and its pixels */
    PACKED_ROWS = 4,
    PACKED_COLUMNS = 64,
    BORDERED = PACKED_COLUMNS + 2
};

/*
 * Bits for each direction in which a pixel's neighbour has its label, and the bit LINKS; 0 for a pixel without a label.
 */
inline uint links_of_pixel(local const uint *labels, int row, int column)
{
    local const uint *own = labels + (row + 1) * BORDERED + column + 1, *up = own - BORDERED, *down = own + BORDERED;
    const uint label = *own;
    const uint links = (own[-1] == label) | (up[-1] == label) << 1 | (up[0] == label) << 2 | (up[1] == label) << 3 |
                       (own[1] == label) << 4 | (down[1] == label) << 5 | (down[0] == label) << 6 |
                       (down[-1] == label) << 7;
    return label != 0 ? links | 1u << LINKS : 0;
}

/* Packs the pixels of the labels from `first` to `last` and their links. */
kernel void thin_pack_plane(INPUT(labels), uint first, uint last, int pairs, global uint *bits, global uint *links)
{
    local uint seen[(PACKED_ROWS + 2) * BORDERED];
    local ushort found[PACKED_ROWS][PACKED_COLUMNS];
    const int column = get_local_id(0), row = get_local_id(1), lane = row * PACKED_COLUMNS + column;
    const int left = (int)get_global_id(0) - column, top = (int)get_global_id(1) - row;
    for (int i = lane; i < (PACKED_ROWS + 2) * BORDERED; i += PACKED_ROWS * PACKED_COLUMNS) {
        const int x = left + i % BORDERED - 1, y = top + i / BORDERED - 1;
        const bool inside = x >= 0 && y >= 0 && x < labels.width && y < labels.height;
        const uint label = inside ? LOAD_LABEL(labels, x, y, 0) - first : last - first + 1;
        seen[i] = label <= last - first ? label + 1 : 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    found[row][column] = links_of_pixel(seen, row, column);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane >= PACKED_ROWS * 2 * PACKED)
        return;
    const int y = top + lane / (2 * PACKED), odd = lane % 2, which = lane / 2 % PACKED;
    uint word = 0;
    for (int i = 0; i < PACKED_COLUMNS / 2; i++)
        word |= (found[lane / (2 * PACKED)][2 * i + odd] >> which & 1u) << i;
    const INDEX at = 2 * ((INDEX)y * pairs + left / PACKED_COLUMNS) + odd;
    if (y < labels.height && which == LINKS)
        bits[at] = word;
    else if (y < labels.height)
        links[LINKS * at + which] = word;
}

/* Runs the rounds from 4 (step - 1) on. */
kernel void thin_plane(global const uint *from, global uint *to, global const uint *links, int pairs, int height,
                       global uint *changed, int launch, global uint *last_change, uint step)
{
    local plane_tile tile;
    thin_tile(&tile, from, to, links, true, pairs, height, changed, launch, last_change, step);
}

/* Writes the labels of the pixels that are left, counted from 1, and 0 elsewhere. */
kernel void thin_unpack_plane(INPUT(labels), uint first, int pairs, global const uint *bits, global uint *thinned)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1);
    if (x >= labels.width || y >= labels.height)
        return;
    const uint word = bits[2 * ((INDEX)y * pairs + x / 64) + x % 2];
    thinned[(INDEX)y * labels.width + x] = word >> x % 64 / 2 & 1 ? LOAD_LABEL(labels, x, y, 0) - first + 1 : 0;
}
