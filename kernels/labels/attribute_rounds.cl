/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An attribute opening finds the result of each pixel bit by bit, from the highest bit down, one bit per round. The
 * level of a pixel consists of the decided bits of its result and the remaining bits of the pixel. A round tests the
 * pixels whose current bit is 1. Connected pixels with equal decided bits form a component. If the component is large
 * enough, the bit stays 1. Otherwise the result is lower than all levels of the component, so the bit becomes 0 and all
 * lower bits become 1.
 *
 * A pixel is settled if a neighbour has higher decided bits. It keeps its level, because it touches a large component
 * that is brighter. A component that touches a settled pixel with the same decided bits and the tested bit is large.
 */
#include "components.cl"
#include "components_block_links.cl"

#define ATTRIBUTE_EXTENT int width, int height, int depth, int row_words
#define LEVEL_AT(x, y, z) (((ulong)(z) * height + (y)) * width + (x))
#define WORD_AT(x, y, z) (((uint)(z) * height + (y)) * row_words + (x) / 32)
#define IS_SET(bits, x, y, z) (bits[WORD_AT(x, y, z)] >> ((x) & 31) & 1)
#define EACH_AROUND(i, j, k, x, y, z)                                                                                  \
    for (int k = max((z) - 1, 0); k <= min((z) + 1, depth - 1); k++)                                                   \
        for (int j = max((y) - 1, 0); j <= min((y) + 1, height - 1); j++)                                              \
            for (int i = max((x) - 1, 0); i <= min((x) + 1, width - 1); i++)                                           \
                if (box || abs(i - (x)) + abs(j - (y)) + abs(k - (z)) < 2)

/* Whether a neighbour has higher decided bits than `own`. */
inline bool has_higher(global const uint *levels, int width, int height, int depth, int box, int x, int y, int z,
                       uint decided, uint own)
{
    const ulong row = width, plane = row * height;
    global const uint *at = levels + LEVEL_AT(x, y, z);
    uint highest = 0;
    if (!box) {
        highest = max(x > 0 ? at[-1] : 0, x < width - 1 ? at[1] : 0);
        highest = max(highest, max(y > 0 ? *(at - row) : 0, y < height - 1 ? at[row] : 0));
        highest = max(highest, max(z > 0 ? *(at - plane) : 0, z < depth - 1 ? at[plane] : 0));
    } else {
        for (int k = max(z - 1, 0); k <= min(z + 1, depth - 1); k++)
            for (int j = max(y - 1, 0); j <= min(y + 1, height - 1); j++) {
                global const uint *line = levels + LEVEL_AT(x, j, k);
                highest = max(highest, max(line[0], max(x > 0 ? line[-1] : 0, x < width - 1 ? line[1] : 0)));
            }
    }
    return (highest & decided) > own;
}

/*
 * Packs the pixels to test and the settled pixels that have the tested bit. A row of the work-group computes one word
 * of each.
 */
kernel void attribute_members(global const uint *levels, ATTRIBUTE_EXTENT, int box, uint decided, uint bit,
                              global uint *members, global uint *settled)
{
    local uint flags[8][8];
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    const int lane = get_local_id(0), line = get_local_id(1);
    const bool inside = x < width && y < height && z < depth;
    const uint level = inside ? levels[LEVEL_AT(x, y, z)] : 0;
    const bool is_settled =
        (level & bit) && has_higher(levels, width, height, depth, box, x, y, z, decided, level & decided);
    ((local uchar *)flags[line])[lane] = level & bit ? 1 << is_settled : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane > 1 || y >= height)
        return;
    uint word = 0;
    for (int i = 0; i < 8; i++)     /* the product moves four flags, one per byte, into adjacent bits */
        word |= ((flags[line][i] >> lane & 0x01010101u) * 0x01020408u >> 24 & 15u) << 4 * i;
    (lane ? settled : members)[WORD_AT(x - lane, y, z)] = word;
}

/*
 * The sizes of components. The table has the number of pixels for each root. With `diagonal`, it has the largest
 * distances of a component's pixels from the six sides of the image, which give the component's box.
 */
typedef struct {
    volatile global uint *table;
    int diagonal;
    ulong least;
    int4 extent;
} attribute_sizes;

#define SIZES_PARAMETERS volatile global uint *table, int diagonal, ulong least
#define SIZES {table, diagonal, least, (int4)(width, height, depth, 0)}

inline bool is_large(const attribute_sizes s, uint root)
{
    volatile global const uint *row = s.table + 6 * (ulong)root;
    if (!s.diagonal)
        return s.table[root] >= s.least;
    const ulong x = (ulong)row[0] + row[1] - s.extent.x - 1, y = (ulong)row[2] + row[3] - s.extent.y - 1,
                z = (ulong)row[4] + row[5] - s.extent.z - 1;
    return x * x + y * y + z * z >= s.least;
}

inline void raise(volatile global uint *distances, int first, int last, int extent)
{
    const uint end = last + 1, rest = extent - first;
    if (distances[0] < end)
        atomic_max(&distances[0], end);
    if (distances[1] < rest)
        atomic_max(&distances[1], rest);
}

/* Adds the pixels from first to last to the box of a component. */
inline void extend_box(const attribute_sizes s, uint root, int4 first, int4 last)
{
    volatile global uint *row = s.table + 6 * (ulong)root;
    raise(row, first.x, last.x, s.extent.x);
    raise(row + 2, first.y, last.y, s.extent.y);
    raise(row + 4, first.z, last.z, s.extent.z);
}

inline uint root_of_member(global const uint *members, global const uint *parent, int box, int row_words, int height,
                           int x, int y, int z)
{
    const uint word = WORD_AT(x, y, z);
    return box ? root_of_block(parent, node_of_pixel(row_words / 2, height, x, y, z))
               : parent[node_of(word, members[word], x & 31)];
}

#define ROOT_AT(x, y, z) root_of_member(members, parent, box, row_words, height, x, y, z)

/* Measures components from their runs in words. Components that are large enough are not measured further. */
kernel void attribute_measure(global const uint *members, global const uint *parent, ATTRIBUTE_EXTENT, int box,
                              uint words, SIZES_PARAMETERS)
{
    const attribute_sizes s = SIZES;
    const uint word = get_global_id(0), here = word < words ? members[word] : 0;
    const int column = word % row_words, y = word / row_words % height, z = word / row_words / height;
    for (uint left = here; left;) {
        const int first = BIT_NUMBER(ONE_BIT(left)), x = 32 * column + first;
        const uint gap = ~(left >> first), run = gap ? ONE_BIT(gap) - 1 : 0xffffffffu;
        const int length = popcount(run);
        const uint root = ROOT_AT(x, y, z);
        left &= ~(run << first);
        if (diagonal)
            extend_box(s, root, (int4)(x, y, z, 0), (int4)(x + length - 1, y, z, 0));
        else if (table[root] < least)
            atomic_add(&table[root], (uint)length);
    }
}

/*
 * The pixels of a word that have settled neighbours. Without `box`, some of these neighbours touch only at an edge, so
 * the caller checks each pixel.
 */
inline uint beside(global const uint *settled, ATTRIBUTE_EXTENT, int box, int column, int y, int z)
{
    uint found = 0;
    for (int k = max(z - 1, 0); k <= min(z + 1, depth - 1); k++)
        for (int j = max(y - 1, 0); j <= min(y + 1, height - 1); j++) {
            global const uint *word = settled + WORD_AT(32 * column, j, k);
            if (!box && j != y && k != z)
                continue;
            found |= word[0] | word[0] << 1 | word[0] >> 1 | (column > 0 ? word[-1] >> 31 : 0) |
                     (column < row_words - 1 ? word[1] << 31 : 0);
        }
    return found;
}

/* Makes components that touch a settled pixel with the tested bit large enough to keep the bit. */
kernel void attribute_touch(global const uint *levels, global const uint *members, global const uint *settled,
                            global const uint *parent, ATTRIBUTE_EXTENT, int box, uint decided, uint words,
                            SIZES_PARAMETERS)
{
    const attribute_sizes s = SIZES;
    const uint word = get_global_id(0), here = word < words ? members[word] : 0;
    const int column = word % row_words, y = word / row_words % height, z = word / row_words / height;
    if (!here)
        return;
    uint left = here & beside(settled, width, height, depth, row_words, box, column, y, z);
    for (; left; left &= left - 1) {
        const int x = 32 * column + BIT_NUMBER(ONE_BIT(left));
        const uint root = ROOT_AT(x, y, z), own = levels[LEVEL_AT(x, y, z)] & decided;
        bool touches = false;
        if (is_large(s, root))
            continue;
        EACH_AROUND(i, j, k, x, y, z)
            touches |= IS_SET(settled, i, j, k) && (levels[LEVEL_AT(i, j, k)] & decided) == own;
        if (touches && diagonal)
            extend_box(s, root, 0, s.extent - 1);
        else if (touches)
            atomic_max(&table[root], (uint)least);
    }
}

/* Lowers the pixels of small components. */
kernel void attribute_lower(global uint *levels, global const uint *members, global const uint *parent,
                            ATTRIBUTE_EXTENT, int box, uint bit, SIZES_PARAMETERS)
{
    const attribute_sizes s = SIZES;
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (x >= width || y >= height || z >= depth || !IS_SET(members, x, y, z))
        return;
    if (!is_large(s, ROOT_AT(x, y, z)))
        levels[LEVEL_AT(x, y, z)] = (levels[LEVEL_AT(x, y, z)] & ~bit) | (bit - 1);
}
