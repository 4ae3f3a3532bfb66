/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts the pieces of each label by union-find on pixels: pixels of a piece touch at a side, edge or corner. Also
 * traces outlines as ImageJ does.
 */
#include "components.cl"
#include "statistics.cl"

UNION_FIND(global, find_piece, join_pixels, join_rows_of_pieces)

inline INDEX place_in(const layout l, int x, int y, int z)
{
    return ((INDEX)z * l.height + y) * l.width + x;
}

/* Joins each pixel with the pixel before it in its row. */
kernel void pieces_of_rows(INPUT(labels), global uint *parent)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(labels, x, y, z))
        return;
    const INDEX at = place_in(labels, x, y, z);
    const bool goes_on = x > 0 && LOAD_LABEL(labels, x - 1, y, z) == LOAD_LABEL(labels, x, y, z);
    parent[at] = (uint)at - (goes_on ? 1 : 0);
}

/*
 * Joins each pixel of labels `first` to `last` with the row above and with rows of the slice before. If the pixel at
 * the same x in such a row has the label, its neighbours in the row need no join, because pieces_of_rows has joined
 * them.
 */
kernel void join_pieces(INPUT(labels), uint first, uint last, volatile global uint *parent)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(labels, x, y, z))
        return;
    const uint label = LOAD_LABEL(labels, x, y, z), at = (uint)place_in(labels, x, y, z);
    if (label - first > last - first)
        return;
    ROLLED for (int row = z > 0 ? -1 : 2; row < 3; row++) {
        const int b = row < 2 ? y + row : y - 1, c = row < 2 ? z - 1 : z;
        if (b < 0 || b >= labels.height)
            continue;
        if (LOAD_LABEL(labels, x, b, c) == label) {
            join_pixels(parent, at, (uint)place_in(labels, x, b, c));
            continue;
        }
        if (x > 0 && LOAD_LABEL(labels, x - 1, b, c) == label)
            join_pixels(parent, at, (uint)place_in(labels, x - 1, b, c));
        if (x + 1 < labels.width && LOAD_LABEL(labels, x + 1, b, c) == label)
            join_pixels(parent, at, (uint)place_in(labels, x + 1, b, c));
    }
}

/* Counts the roots of each label. */
kernel void count_pieces(INPUT(labels), uint first, uint last, global const uint *parent, volatile global uint *counts)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(labels, x, y, z))
        return;
    const uint at = (uint)place_in(labels, x, y, z);
    if (parent[at] != at)
        return;
    const uint i = LOAD_LABEL(labels, x, y, z) - first;
    if (i <= last - first)
        atomic_inc(counts + i);
}

inline bool is_of_label(global const uchar *pixels, const layout l, int x, int y, uint label)
{
    return x >= 0 && y >= 0 && x < l.width && y < l.height && load_label(pixels, l.type, AT(l, x, y, 0)) == label;
}

/* Whether the pixel to the right of a step from a corner belongs to the label. Directions: right, up, left, down. */
inline bool is_right_of_step(global const uchar *pixels, const layout l, int x, int y, int direction, uint label)
{
    const int d = direction & 3;
    return is_of_label(pixels, l, x - (d > 1), y - (d == 1 || d == 2), label);
}

enum { UP = 1, LEFT = 2, DOWN = 3, SEARCH = 4, END = 5, STEPS_OF_LAUNCH = 1 << 16 };

/*
 * State of a label between launches: the corner and the direction of the last step; the steps since the last corner
 * that turns; whether this corner counted; and x where the outline begins. In a SEARCH, `side` is 1 inside the label.
 */
typedef struct {
    int x, y, direction, side, counted, begin;
} trace;

/* Clears the numbers of each label. If the label has pixels, its trace begins at its first row. */
kernel void begin_outlines(uint count, global const uint *rows, global trace *traces, global uint *outlines)
{
    const uint i = get_global_id(0);
    if (i >= count)
        return;
    global const uint *row = rows + (ulong)i * ROW;
    const trace t = {(int)~row[LOW], (int)~row[LOW + 1], pixels_of(row) > 0 ? SEARCH : END, 0, 0, 0};
    traces[i] = t;
    for (int k = 0; k < 3; k++)
        outlines[3 * (ulong)i + k] = 0;
}

/*
 * Traces the outline of each label of a plane along the sides of pixels, clockwise from the last pixel of the first run
 * in its first row. Counts the steps along x and along y, and the corners. Among successive corners one step apart,
 * only every second one counts. Sets `more` if an outline is longer than the steps of one launch.
 */
kernel void trace_outlines(INPUT(labels), uint first, uint count, global const uint *rows, global trace *traces,
                           global uint *outlines, global uint *more)
{
    const uint i = get_global_id(0);
    if (i >= count || traces[i].direction == END)
        return;
    const layout l = labels;
    const uint label = first + i;
    const int top = (int)~rows[(ulong)i * ROW + LOW + 1];
    trace t = traces[i];
    uint steps[2] = {0, 0}, corners = 0;
    for (int step = 0; step < STEPS_OF_LAUNCH && t.direction != END; step++) {
        if (t.direction == SEARCH) {
            const bool inside = is_of_label(labels_pixels, l, t.x, top, label);
            if (t.side && !inside) {
                const trace start = {t.x, top + 1, DOWN, 0, 0, t.x};
                t = start;
            } else {
                t.side = inside;
                t.x++;
            }
            continue;
        }
        int next = t.direction + 1;
        while (next >= t.direction && !is_right_of_step(labels_pixels, l, t.x, t.y, next, label))
            next--;
        if (next != t.direction) {
            t.counted = t.side > 1 || !t.counted;
            corners += t.counted;
            t.side = 0;
        }
        t.direction = next & 3;
        t.x += t.direction == 0 ? 1 : t.direction == LEFT ? -1 : 0;
        t.y += t.direction == UP ? -1 : t.direction == DOWN ? 1 : 0;
        steps[t.direction & 1]++;
        t.side++;
        if (t.x == t.begin && t.y == top + 1 && t.direction == DOWN)
            t.direction = END;
    }
    outlines[3 * (ulong)i] += steps[0];
    outlines[3 * (ulong)i + 1] += steps[1];
    outlines[3 * (ulong)i + 2] += corners;
    traces[i] = t;
    if (t.direction != END)
        set_flag(more);
}
