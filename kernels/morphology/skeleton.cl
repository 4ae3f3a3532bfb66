/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Thinning. 64 pixels of a row are two words, one for its even and one for its odd columns. The parities of column, row
 * and slice divide the pixels into eight subfields, and a word has pixels of one subfield. No pixel has a neighbour in
 * its subfield, so a whole subfield can be thinned at once and in place, with the same result as pixel by pixel. Pixels
 * outside the image are background. A 3x3x3 neighbourhood is 27 bits, x fastest; bit 13 is the pixel itself.
 */

enum {
    LEFT = 0x9249249,
    RIGHT = 0x4924924,
    TOP = 0x381c0e07,
    BOTTOM = 0x70381c0, /* the pixels on one side of the cube; bits above 26 clear the overflow of shifts */
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
    const uint background = ~object & AROUND & ~CORNERS, background_faces = background & FACES;
    uint piece = object & -object, previous = 0;
    while (piece != previous) {
        previous = piece;
        piece = grow_by_corner(piece) & object;
    }
    if (piece != object || object == 0 || background_faces == 0)
        return false;
    piece = background_faces & -background_faces;
    previous = 0;
    while (piece != previous) {
        previous = piece;
        piece = grow_by_face(piece) & background;
    }
    return (background_faces & ~piece) == 0;
}

/* Loads the words left of, at and right of a word, in row y of slice z; 0 outside the image. */
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

/* Returns the marked pixels of a word that are simple; ends of lines only with `removes_ends`. */
inline uint simple_pixels(global const uint *bits, int pairs, int height, int depth, int pair, int odd, int y, int z,
                          uint marked, bool removes_ends)
{
    uint cube[27], simple = 0;
    if (marked == 0)
        return 0;
    for (int i = 0; i < 9; i++)
        load_row(bits, pairs, height, depth, pair, odd, y + i % 3 - 1, z + i / 3 - 1, cube + 3 * i);
    for (uint remaining = marked; remaining != 0; remaining &= remaining - 1) {
        const int bit = 31 - clz(remaining & -remaining);
        uint around = 0;
        for (int i = 0; i < 27; i++)
            around |= (cube[i] >> bit & 1) << i;
        around &= AROUND;
        if ((removes_ends || popcount(around) > 1) && is_simple(around))
            simple |= 1u << bit;
    }
    return simple;
}

enum { SKELETON_WORDS = 128 };     /* words of a work-group, one per work-item */

/* Shared by a work-group. A word takes part if it has marked pixels. */
typedef struct {
    uint cubes[SKELETON_WORDS * 27];   /* 3x3x3 words around each word */
    uint simple[SKELETON_WORDS];       /* simple pixels of each word */
    ushort pixels[SKELETON_WORDS * 32];        /* marked pixels: 32 times the word, plus the bit */
    int words, count;                  /* number of words, and of marked pixels */
} skeleton_group;

/*
 * Does the same as simple_pixels, for GPUs. All work-items of a group must call it, because they share the marked
 * pixels of all their words evenly.
 */
inline uint simple_pixels_shared(local skeleton_group *g, global const uint *bits, int pairs, int height, int depth,
                                   int pair, int odd, int y, int z, uint marked, bool removes_ends)
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
        for (uint remaining = marked; remaining != 0; remaining &= remaining - 1)
            g->pixels[place++] = mine * 32 + 31 - clz(remaining & -remaining);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = lane; k < g->count; k += SKELETON_WORDS) {
        const int word = g->pixels[k] / 32, bit = g->pixels[k] % 32;
        uint around = 0;
        for (int i = 0; i < 27; i++)
            around |= (g->cubes[word * 27 + i] >> bit & 1) << i;
        around &= AROUND;
        if ((removes_ends || popcount(around) > 1) && is_simple(around))
            atomic_or((volatile local uint *)&g->simple[word], 1u << bit);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return marked ? g->simple[mine] : 0;
}

#define SIMPLE_SHARED(bits, pairs, height, depth, pair, odd, y, z, marked, removes_ends)                               \
    simple_pixels_shared(&group, bits, pairs, height, depth, pair, odd, y, z, marked, removes_ends)
