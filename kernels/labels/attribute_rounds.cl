/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An attribute opening finds the result of each pixel bit by bit, from the highest bit down, one bit per round. The
 * level of a pixel consists of the decided bits of its result and the remaining bits of the pixel; its bits are in
 * planes, the lowest first. A round tests the pixels whose current bit is 1. Connected pixels with equal decided bits
 * form a component. If the component is large enough, the bit stays 1. Otherwise the result is lower than all levels of
 * the component, so the bit becomes 0 and all lower bits become 1.
 *
 * A pixel is settled if a neighbour has higher decided bits. It keeps its level, because it touches a large component
 * that is brighter. A component that touches a settled pixel with the same decided bits and the tested bit is large.
 * The bits of `settled` are complete for pixels that have the tested bit.
 */
#include "components.cl"
#include "components_block_links.cl"

#define ATTRIBUTE_EXTENT int height, int depth, int row_words, uint words

/* A word, its column, and the row and slice that contain it. */
typedef struct {
    uint word;
    int column, y, z;
} word_place;

inline word_place place_of(uint word, int height, int row_words)
{
    const int line = word / row_words;
    return (word_place){word, word % row_words, line % height, line / height};
}

/* A word, and its pixels' neighbours at smaller and larger x; pixels outside the image are 0. */
typedef struct {
    uint before, here, after;
} neighbours;

/* `alone`: neighbours in adjacent words are not needed. */
inline neighbours load_neighbours(global const uint *bits, uint word, int column, int row_words, bool alone)
{
    const uint here = bits[word], last = alone || column == 0 ? 0 : bits[word - 1],
               next = alone || column == row_words - 1 ? 0 : bits[word + 1];
    return (neighbours){here << 1 | last >> 31, here, here >> 1 | next << 31};
}

/*
 * Compares pixels with their neighbours in a row, from the highest bit down to the bit `low`. Keeps in `equal` those
 * whose bits are equal, and returns the pixels that have a higher neighbour among those in `equal`.
 */
inline uint compare_levels(global const uint *planes, ATTRIBUTE_EXTENT, int low, int places, word_place at, uint other,
                           neighbours *equal)
{
    const bool alone = !(equal->before | equal->after);
    uint higher = 0;
    for (int place = places - 1; place >= low && (equal->before | equal->here | equal->after); place--) {
        global const uint *plane = planes + (ulong)place * words;
        const uint own = plane[at.word];
        const neighbours their = load_neighbours(plane, other, at.column, row_words, alone);
        higher |= ~own & ((equal->before & their.before) | (equal->here & their.here) | (equal->after & their.after));
        equal->before &= ~(own ^ their.before);
        equal->here &= ~(own ^ their.here);
        equal->after &= ~(own ^ their.after);
    }
    return higher;
}

enum { ROWS_AROUND = 9, OWN_ROW = 4 };

/* The word in the same column of one of the rows around a word; the word itself if that row has no neighbours. */
inline uint word_in_row(int row, word_place at, int height, int depth, int row_words, int box)
{
    const int dy = row % 3 - 1, dz = row / 3 - 1, y = at.y + dy, z = at.z + dz;
    const bool is_near = (box || dy == 0 || dz == 0) && y >= 0 && y < height && z >= 0 && z < depth;
    return is_near ? at.word + (uint)((dz * height + dy) * row_words) : at.word;
}

/* The neighbours in a row with which pixels of a word are compared. */
inline neighbours neighbours_in_row(int row, uint word, uint other, uint pixels, int box)
{
    const uint in_row = row == OWN_ROW || other != word ? pixels : 0, beside = box || row == OWN_ROW ? in_row : 0;
    return (neighbours){beside, row == OWN_ROW ? 0 : in_row, beside};
}

/* Finds the pixels to test. */
kernel void attribute_members(global const uint *planes, ATTRIBUTE_EXTENT, int box, int place, int places,
                              global uint *members, global uint *settled)
{
    const uint word = get_global_id(0);
    if (word >= words)
        return;
    const word_place at = place_of(word, height, row_words);
    const uint before = settled[word], tested = planes[(ulong)place * words + word] & ~before;
    uint left = tested;
    for (int row = 0; row < ROWS_AROUND && left; row++) {
        const uint other = word_in_row(row, at, height, depth, row_words, box);
        neighbours equal = neighbours_in_row(row, word, other, left, box);
        left &= ~compare_levels(planes, height, depth, row_words, words, place + 1, places, at, other, &equal);
    }
    members[word] = left;
    if (left != tested)
        settled[word] = before | (tested & ~left);
}

/*
 * The table has the number of pixels for each root. With `diagonal`, it has the largest distances of a component's
 * pixels from the six sides of the image, which give the component's box.
 */
inline bool is_large(global const uint *table, uint root, int diagonal, ulong least, int width, int height, int depth)
{
    global const uint *row = table + 6 * (ulong)root;
    if (!diagonal)
        return table[root] >= least;
    const ulong x = (ulong)row[0] + row[1] - width - 1, y = (ulong)row[2] + row[3] - height - 1,
                z = (ulong)row[4] + row[5] - depth - 1;
    return x * x + y * y + z * z >= least;
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
inline void extend_box(volatile global uint *table, uint root, int4 first, int4 last, int4 extent)
{
    volatile global uint *row = table + 6 * (ulong)root;
    raise(row, first.x, last.x, extent.x);
    raise(row + 2, first.y, last.y, extent.y);
    raise(row + 4, first.z, last.z, extent.z);
}

/* The lowest run of set bits. */
inline uint first_run(uint bits)
{
    return bits & ~(bits + ONE_BIT(bits));
}

/* The root of a run of members in a word. */
inline uint root_of_run(global const uint *parent, int height, int row_words, int box, word_place at, uint members,
                        uint run)
{
    const int first = BIT_NUMBER(ONE_BIT(run));
    return box ? root_of_block(parent, node_of_pixel(row_words / 2, height, 32 * at.column + first, at.y, at.z))
               : parent[node_of(at.word, members, first)];
}

/* The members of a word that touch a settled pixel with the same decided bits and the tested bit. */
inline uint touching(global const uint *planes, ATTRIBUTE_EXTENT, int box, int place, int places,
                     global const uint *settled, word_place at, uint members)
{
    uint found = 0;
    for (int row = 0; row < ROWS_AROUND && found != members; row++) {
        const uint other = word_in_row(row, at, height, depth, row_words, box);
        neighbours equal = neighbours_in_row(row, at.word, other, members & ~found, box);
        const neighbours their =
            load_neighbours(settled, other, at.column, row_words, !(equal.before | equal.after));
        equal = (neighbours){equal.before & their.before, equal.here & their.here, equal.after & their.after};
        compare_levels(planes, height, depth, row_words, words, place, places, at, other, &equal);
        found |= equal.before | equal.here | equal.after;
    }
    return found;
}

/* Adds a run's pixels to its component, and returns whether the component is large enough. */
inline bool count_run(volatile global uint *table, uint root, uint run, bool touches, ulong least)
{
    if (table[root] >= least)
        return true;
    if (touches)
        atomic_max(&table[root], (uint)least);
    else
        atomic_add(&table[root], (uint)popcount(run));
    return touches;
}

/*
 * Measures components from their runs in words, and makes components that touch settled pixels large enough to keep the
 * bit. Components that are large enough are not measured further.
 */
kernel void attribute_measure(global const uint *planes, ATTRIBUTE_EXTENT, int box, int place, int places,
                              global const uint *members, global const uint *settled, global const uint *parent,
                              volatile global uint *table, int width, int diagonal, ulong least)
{
    const uint word = get_global_id(0), here = word < words ? members[word] : 0;
    if (!here)
        return;
    const word_place at = place_of(word, height, row_words);
    const int4 extent = (int4)(width, height, depth, 0);
    const uint touch = touching(planes, height, depth, row_words, words, box, place, places, settled, at, here);
    uint large = NO_NODE;           /* many runs of a word belong to one large component */
    for (uint left = here, run; left; left &= ~run) {
        run = first_run(left);
        const uint root = root_of_run(parent, height, row_words, box, at, here, run);
        const int first = 32 * at.column + BIT_NUMBER(ONE_BIT(run)), last = first + (int)popcount(run) - 1;
        if (diagonal && (touch & run))
            extend_box(table, root, 0, extent - 1, extent);
        else if (diagonal)
            extend_box(table, root, (int4)(first, at.y, at.z, 0), (int4)(last, at.y, at.z, 0), extent);
        else if (root != large && count_run(table, root, run, touch & run, least))
            large = root;
    }
}

/* Lowers the pixels of small components. */
kernel void attribute_lower(global uint *planes, ATTRIBUTE_EXTENT, int box, int place, global const uint *members,
                            global const uint *parent, global const uint *table, int width, int diagonal, ulong least)
{
    const uint word = get_global_id(0), here = word < words ? members[word] : 0;
    const word_place at = place_of(word, height, row_words);
    uint low = 0;
    for (uint left = here, run; left; left &= ~run) {
        run = first_run(left);
        const uint root = root_of_run(parent, height, row_words, box, at, here, run);
        if (!is_large(table, root, diagonal, least, width, height, depth))
            low |= run;
    }
    if (!low)
        return;
    planes[(ulong)place * words + word] &= ~low;
    for (int i = 0; i < place; i++)
        planes[(ulong)i * words + word] |= low;
}
