/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Thinning. 64 pixels of a row are two words, one for its even and one for its odd columns. Together with even and odd
 * rows and slices this gives eight subfields of pixels with separate words. No pixel has a neighbour in its own
 * subfield, so a whole subfield can be thinned at once and in place, with the same result as one pixel after another.
 * Pixels outside the image are background. A 3x3x3 neighbourhood is 27 bits, x fastest; bit 13 is the pixel itself.
 */

enum {
    LEFT = 0x9249249,
    RIGHT = 0x4924924,
    TOP = 0x381c0e07,
    BOTTOM = 0x70381c0, /* neighbours across faces, and the edge neighbours between them as bits beyond bit 26 */
    CENTRE = 1 << 13,
    AROUND = 0x7ffffff ^ CENTRE,
    CORNERS = 0x5140145,
    FACES = 1 << 4 | 1 << 10 | 1 << 12 | 1 << 14 | 1 << 16 | 1 << 22
};

inline uint grow_by_corner(uint cube)
{
    cube |= (cube << 1 & ~LEFT) | (cube >> 1 & ~RIGHT);
    cube |= (cube << 3 & ~TOP) | (cube >> 3 & ~BOTTOM);
    return cube | cube << 9 | cube >> 9;
}

inline uint grow_by_face(uint cube)
{
    return cube | (cube << 1 & ~LEFT) | (cube >> 1 & ~RIGHT) | (cube << 3 & ~TOP) | (cube >> 3 & ~BOTTOM) | cube << 9 |
           cube >> 9;
}

/*
 * Whether removing the pixel keeps the pieces, holes and tunnels of objects and background (Malandain and Bertrand
 * 1992).
 */
inline bool is_simple(uint object)
{
    const uint background = ~object & AROUND & ~CORNERS, beside = background & FACES;
    uint piece = object & -object, before = 0;
    while (piece != before) {
        before = piece;
        piece = grow_by_corner(piece) & object;
    }
    if (piece != object || object == 0 || beside == 0)
        return false;
    piece = beside & -beside;
    before = 0;
    while (piece != before) {
        before = piece;
        piece = grow_by_face(piece) & background;
    }
    return (beside & ~piece) == 0;
}

/* The columns left of, at and right of those of a word, in the row and slice offset by dy and dz. */
inline void load_row(global const uint *bits, int pairs, int height, int depth, int pair, int odd, int y, int z,
                     uint *columns)
{
    columns[0] = columns[1] = columns[2] = 0;
    if (y < 0 || z < 0 || y >= height || z >= depth)
        return;
    global const uint *row = bits + 2 * (((uint)z * height + y) * pairs + pair);
    const uint even_columns = row[0], odd_columns = row[1];
    columns[1] = odd ? odd_columns : even_columns;
    columns[0] = odd ? even_columns : odd_columns << 1 | (pair > 0 ? row[-1] >> 31 : 0);
    columns[2] = odd ? even_columns >> 1 | (pair < pairs - 1 ? row[2] << 31 : 0) : odd_columns;
}

inline uint load_beside(global const uint *bits, int pairs, int height, int depth, int pair, int odd, int y, int z,
                        int column)
{
    uint columns[3];
    load_row(bits, pairs, height, depth, pair, odd, y, z, columns);
    return columns[column];
}

/* The marked pixels of a word that are simple and not ends of lines; with `ends`, ends too. */
inline uint simple_pixels(global const uint *bits, int pairs, int height, int depth, int pair, int odd, int y, int z,
                          uint marked, bool ends)
{
    uint cube[27], simple = 0;
    if (marked == 0)
        return 0;
    for (int i = 0; i < 9; i++)
        load_row(bits, pairs, height, depth, pair, odd, y + i % 3 - 1, z + i / 3 - 1, cube + 3 * i);
    for (uint left = marked; left != 0; left &= left - 1) {
        const int bit = 31 - clz(left & -left);
        uint around = 0;
        for (int i = 0; i < 27; i++)
            around |= (cube[i] >> bit & 1) << i;
        around &= AROUND;
        if ((ends || popcount(around) > 1) && is_simple(around))
            simple |= 1u << bit;
    }
    return simple;
}

enum { SKELETON_WORDS = 128 };     /* words of a work-group, one per work-item */

/* Shared by a work-group: the surroundings of words with marked pixels, these pixels, and those that are simple. */
typedef struct {
    uint cubes[SKELETON_WORDS * 27], simple[SKELETON_WORDS];
    ushort pixels[SKELETON_WORDS * 32];
    int words, count;
} skeleton_group;

/*
 * simple_pixels on GPUs. All work-items of a group must call it, because the marked pixels are divided evenly among
 * them.
 */
inline uint simple_pixels_of_group(local skeleton_group *g, global const uint *bits, int pairs, int height, int depth,
                                   int pair, int odd, int y, int z, uint marked, bool ends)
{
    const int lane = get_local_id(0);
    int mine = 0;
    if (lane == 0)
        g->words = g->count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (marked) {
        mine = atomic_inc((volatile local int *)&g->words);
        int place = atomic_add((volatile local int *)&g->count, (int)popcount(marked));
        g->simple[mine] = 0;
        for (int i = 0; i < 9; i++) {
            uint columns[3];
            load_row(bits, pairs, height, depth, pair, odd, y + i % 3 - 1, z + i / 3 - 1, columns);
            for (int k = 0; k < 3; k++)
                g->cubes[mine * 27 + 3 * i + k] = columns[k];
        }
        for (uint left = marked; left != 0; left &= left - 1)
            g->pixels[place++] = mine * 32 + 31 - clz(left & -left);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = lane; k < g->count; k += SKELETON_WORDS) {
        const int word = g->pixels[k] / 32, bit = g->pixels[k] % 32;
        uint around = 0;
        for (int i = 0; i < 27; i++)
            around |= (g->cubes[word * 27 + i] >> bit & 1) << i;
        around &= AROUND;
        if ((ends || popcount(around) > 1) && is_simple(around))
            atomic_or((volatile local uint *)&g->simple[word], 1u << bit);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return marked ? g->simple[mine] : 0;
}

#define SIMPLE_OF_GROUP(bits, pairs, height, depth, pair, odd, y, z, marked, ends)                                     \
    simple_pixels_of_group(&group, bits, pairs, height, depth, pair, odd, y, z, marked, ends)
