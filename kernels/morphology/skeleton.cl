/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Thinning. 64 pixels of a row are two words, one of its even and one of its odd columns. With every other row and slice, each
 * of eight subfields of pixels then has words of its own, and no pixel has a neighbour in its own subfield: a whole
 * subfield can be thinned at once, in place, as if pixel after pixel. What lies outside the image is background.
 * A 3x3x3 neighbourhood is 27 bits, x fastest; bit 13 is the pixel itself.
 */

enum {
    LEFT = 0x9249249, RIGHT = 0x4924924, TOP = 0x381c0e07, BOTTOM = 0x70381c0,     /* sides, and where they go beyond bit 26 */
    CENTRE = 1 << 13, AROUND = 0x7ffffff ^ CENTRE, CORNERS = 0x5140145,
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
    return cube | (cube << 1 & ~LEFT) | (cube >> 1 & ~RIGHT) | (cube << 3 & ~TOP) | (cube >> 3 & ~BOTTOM) | cube << 9 | cube >> 9;
}

/* Whether objects and background keep their pieces, holes and tunnels without the pixel (Malandain and Bertrand 1992). */
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

/* The columns left of, at and right of those of a word, of the row and slice that lie dy and dz further. */
inline void load_row(global const uint *bits, int pairs, int height, int depth, int pair, int odd, int y, int z, uint *columns)
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

inline uint load_beside(global const uint *bits, int pairs, int height, int depth, int pair, int odd, int y, int z, int column)
{
    uint columns[3];
    load_row(bits, pairs, height, depth, pair, odd, y, z, columns);
    return columns[column];
}

/* Which of the marked pixels of a word are simple and no ends of lines; ends: ends too. */
inline uint simple_pixels(global const uint *bits, int pairs, int height, int depth, int pair, int odd, int y, int z, uint marked, bool ends)
{
    uint cube[27], simple = 0;
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

/*
 * A tile is the words of one place along x in TILE rows of TILE slices; it knows the last step in which something in it or
 * beside it went. Where nothing did since a side was last seen, nothing can go from that side, and the marks are 0.
 */
enum { TILE = 8 };

inline uint tile_at(int pairs, int height, int pair, int y, int z)
{
    return ((uint)(z / TILE) * ((height + TILE - 1) / TILE) + y / TILE) * pairs + pair;
}

/* For the neighbours of the pixels that went from a word; all write the same number. */
inline void note_change(global uint *last_change, uint step, int pairs, int height, int depth, int pair, int odd, int y, int z, uint removed)
{
    const int left = max(pair - (odd == 0 && removed & 1), 0), right = min(pair + (odd && removed >> 31), pairs - 1);
    for (int k = max(z - 1, 0) / TILE; k <= min(z + 1, depth - 1) / TILE; k++)
        for (int j = max(y - 1, 0) / TILE; j <= min(y + 1, height - 1) / TILE; j++)
            for (int i = left; i <= right; i++)
                last_change[tile_at(pairs, height, i, j * TILE, k * TILE)] = step;
}

kernel void skeleton_pack(INPUT(from), global uint *bits, int pairs, uint words)
{
    const uint word = get_global_id(0);
    if (word >= words)
        return;
    const int first = word / 2 % pairs * 64 + word % 2, y = word / 2 / pairs % from.height, z = word / 2 / pairs / from.height;
    uint value = 0;
    for (int i = 0; i < 32 && first + 2 * i < from.width; i++)
        value |= (LOAD(from, first + 2 * i, y, z) != 0.0f ? 1u : 0u) << i;
    bits[word] = value;
}

kernel void skeleton_unpack(global const uint *bits, int pairs, int width, int height, int depth, OUTPUT(to))
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const bool inside = x < width && y < height && z < depth;
    STORE(to, x, y, z, inside ? (float)(bits[2 * (((uint)z * height + y) * pairs + x / 64) + x % 2] >> (x % 64 / 2) & 1) : 0.0f);
}

/* A batch of rounds starts as if the round before had changed something. */
kernel void skeleton_batch(global uint *changed, int rounds)
{
    const int i = get_global_id(0);
    if (i <= rounds)
        changed[i] = i == 0;
}

/* Marks what may go: simple pixels, no ends of lines, that have background at the side (dx, dy, dz). */
kernel void skeleton_mark(global const uint *bits, global uint *marks, int pairs, int height, int depth, uint words,
                          global const uint *changed, int round, global const uint *last_change, uint step, uint sides, int dx, int dy,
                          int dz)
{
    const uint word = get_global_id(0);
    if (word >= words || changed[round] == 0)
        return;
    const int odd = word % 2, pair = word / 2 % pairs, y = word / 2 / pairs % height, z = word / 2 / pairs / height;
    if (last_change[tile_at(pairs, height, pair, y, z)] + sides < step)
        return;
    const uint here = bits[word];
    uint marked = here ? here & ~load_beside(bits, pairs, height, depth, pair, odd, y + dy, z + dz, dx + 1) : 0;
    if (marked)
        marked = simple_pixels(bits, pairs, height, depth, pair, odd, y, z, marked, false);
    marks[word] = marked;
}

/* Removes the marked pixels of one subfield that are simple still. */
kernel void skeleton_thin(global uint *bits, global const uint *marks, int pairs, int height, int depth, uint words,
                          global uint *changed, int round, global uint *last_change, uint step, int odd, int first_row, int first_plane)
{
    const uint item = get_global_id(0);
    const int pair = item % pairs, rows = (height - first_row + 1) / 2, y = item / pairs % rows * 2 + first_row,
              z = item / pairs / rows * 2 + first_plane;
    if (z >= depth || changed[round] == 0)
        return;
    const uint word = 2 * (((uint)z * height + y) * pairs + pair) + odd, marked = marks[word];
    if (marked == 0)
        return;
    const uint removed = simple_pixels(bits, pairs, height, depth, pair, odd, y, z, marked, true);
    if (removed) {
        bits[word] &= ~removed;
        changed[round + 1] = 1;
        note_change(last_change, step, pairs, height, depth, pair, odd, y, z, removed);
    }
}
