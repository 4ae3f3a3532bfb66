/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prominence for CPUs, which can follow one path after another at little cost. A peak floods all connected pixels that
 * are less than the tolerance below it. The peak does not count if its flood meets a higher pixel, or a pixel that a
 * higher peak has flooded. That higher peak reaches the pixel at the same or a smaller depth. Each pixel is therefore
 * flooded about once. First, each work-item floods a few pixels in its own strip of lines. One work-item then decides
 * the remaining peaks in the whole image, highest first.
 */
#include "prominence.cl"

enum { RISES_NOWHERE, STANDS_OUT, IS_BELOW, UNDECIDED };

/* The flood of a peak, in the pixels from `first` up to, but not including, `end`. `queue` has room for all of them. */
typedef struct {
    global const uint *ranks;
    global uint *owners, *queue;        /* the last peak that flooded a pixel */
    uint width, height, depth, first, end;
    float tolerance;
    uint top, rank, head, tail;         /* the peak and its rank; ends of the queue */
    uint rises;                         /* whether the peak rises enough above a pixel next to the flooded area */
    /* whether the flood reached an end of the strip, so that its outcome is not known */
    uint is_cut;
} flood;

inline void begin_flood(flood *f, uint top)
{
    f->top = f->queue[0] = f->owners[top] = top;
    f->rank = f->ranks[top];
    f->head = f->rises = f->is_cut = 0;
    f->tail = 1;
}

/* Floods one more pixel and returns whether the flood continues. */
IN_PLACE bool flood_pixel(flood *f, uint at)
{
    if (rises(f->rank, f->ranks[at], f->tolerance)) {
        f->rises = 1;
        return true;
    }
    if (is_higher(f->ranks, at, f->top))
        return false;
    if (at < f->first || at >= f->end) {
        f->is_cut = 1;
        return true;
    }
    const uint owner = f->owners[at];
    if (owner == f->top)
        return true;
    if (owner != NOBODY && is_higher(f->ranks, owner, f->top))
        return false;
    f->owners[at] = f->top;
    f->queue[f->tail++] = at;
    return true;
}

/* Floods until the peak is decided or `max_pixels` pixels are done. */
IN_PLACE uint flood_on(flood *f, uint max_pixels)
{
    const uint row = f->width, plane = f->width * f->height;
    for (uint done = 0; f->head < f->tail; done++) {
        if (done == max_pixels)
            return UNDECIDED;
        const uint at = f->queue[f->head++], x = at % row, line = at / row, y = line % f->height, z = line / f->height;
        if ((x > 0 && !flood_pixel(f, at - 1)) || (x < row - 1 && !flood_pixel(f, at + 1)) ||
            (y > 0 && !flood_pixel(f, at - row)) || (y < f->height - 1 && !flood_pixel(f, at + row)) ||
            (z > 0 && !flood_pixel(f, at - plane)) || (z < f->depth - 1 && !flood_pixel(f, at + plane)))
            return IS_BELOW;
    }
    return f->is_cut ? UNDECIDED : f->rises ? STANDS_OUT : RISES_NOWHERE;
}

kernel void prominence_ranks_of_lines(INPUT(from), global uint *ranks, global uint *owners, global uchar *found,
                                      uint lines)
{
    const uint line = get_global_id(0), first = line * from.width;
    if (line >= lines)
        return;
    for (int x = 0; x < from.width; x++) {
        ranks[first + x] = rank_of(LOAD(from, x, line % from.height, line / from.height));
        owners[first + x] = NOBODY;
        found[first + x] = 0;
    }
}

/* Whether no neighbour is higher. */
inline bool is_top(global const uint *ranks, uint at, uint x, uint y, uint z, uint width, uint height, uint depth)
{
    const uint plane = width * height, rank = ranks[at];
    const uint before =
        max(max(x > 0 ? ranks[at - 1] : 0, y > 0 ? ranks[at - width] : 0), z > 0 ? ranks[at - plane] : 0);
    const uint behind = max(max(x < width - 1 ? ranks[at + 1] : 0, y < height - 1 ? ranks[at + width] : 0),
                            z < depth - 1 ? ranks[at + plane] : 0);
    return (rank > before || (x + y + z == 0)) & (rank >= behind);
}

/* Marks prominent peaks, and lists peaks that a flood of few pixels inside the work-item's strip cannot decide. */
kernel void prominence_of_strips(global const uint *ranks, global uint *owners, global uint *queue, global uchar *found,
                                 global uint *list, global uint *counts, uint width, uint height, uint depth,
                                 uint lines_of_strip, float tolerance)
{
    enum { FEW = 64 };
    const uint strip = get_global_id(0), lines = height * depth, first_line = strip * lines_of_strip;
    if (first_line >= lines)
        return;
    const uint end_line = first_line + min(lines_of_strip, lines - first_line), first = first_line * width;
    flood f = {ranks, owners, queue + first, width, height, depth, first, end_line * width, tolerance, 0, 0, 0, 0,
               0,     0};
    uint count = 0;
    for (uint line = first_line; line < end_line; line++)
        for (uint x = 0; x < width; x++) {
            const uint at = line * width + x;
            if (!is_top(ranks, at, x, line % height, line / height, width, height, depth) ||
                (owners[at] != NOBODY && is_higher(ranks, owners[at], at)))
                continue;
            begin_flood(&f, at);
            const uint state = flood_on(&f, FEW);
            found[at] = state == STANDS_OUT;
            if (state != UNDECIDED)
                continue;
            list[first + count++] = at;
            for (uint i = 0; i < f.tail; i++)
                owners[f.queue[i]] = NOBODY;
        }
    counts[strip] = count;
}

/*
 * Sorts the lists of all strips by rank, highest first: a radix sort, one byte per pass, back and forth between two
 * buffers.
 */
kernel void prominence_order(global const uint *ranks, global const uint *list, global const uint *counts,
                             uint pixels_of_strip, uint strips, global uint *tops, global uint *spare)
{
    uint count = 0;
    for (uint strip = 0; strip < strips; strip++)
        for (uint i = 0; i < counts[strip]; i++)
            tops[count++] = list[strip * pixels_of_strip + i];
    for (int shift = 0; shift < 32; shift += 8) {
        uint places[256] = {0}, before = 0;
        for (uint i = 0; i < count; i++)
            places[~ranks[tops[i]] >> shift & 255]++;
        for (int i = 0; i < 256; i++) {
            const uint number = places[i];
            places[i] = before;
            before += number;
        }
        for (uint i = 0; i < count; i++)
            spare[places[~ranks[tops[i]] >> shift & 255]++] = tops[i];
        global uint *const other = tops;
        tops = spare;
        spare = other;
    }
}

/*
 * Decides the peaks of a list in the whole image and stops after `max_pixels` pixels. `state` has the next peak, the
 * state of its flood, and whether this flood has begun.
 */
kernel void prominence_of_list(global const uint *ranks, global uint *owners, global uint *queue, global uchar *found,
                               global const uint *tops, uint count, uint width, uint height, uint depth,
                               float tolerance, global uint *state, uint max_pixels)
{
    enum { NEXT, BEGUN, HEAD, TAIL, RISES };
    flood f = {ranks,     owners, queue, width,       height,      depth,        0, width * height * depth,
               tolerance, 0,      0,     state[HEAD], state[TAIL], state[RISES], 0};
    uint next = state[NEXT], begun = state[BEGUN];
    while (next < count && max_pixels > 0) {
        const uint top = tops[next], owner = owners[top];
        if (!begun && owner != NOBODY && is_higher(ranks, owner, top)) {
            next++;
            continue;
        }
        if (!begun)
            begin_flood(&f, top);
        f.top = top;
        f.rank = ranks[top];
        const uint before = f.head, outcome = flood_on(&f, max_pixels);
        begun = outcome == UNDECIDED;
        max_pixels -= min(max_pixels, f.head - before + 1);
        if (begun)
            continue;
        found[top] = outcome == STANDS_OUT;
        next++;
    }
    state[NEXT] = next;
    state[BEGUN] = begun;
    state[HEAD] = f.head;
    state[TAIL] = f.tail;
    state[RISES] = f.rises;
}

kernel void prominence_of_found(global const uchar *found, int width, int height, int depth, OUTPUT(to))
{
    const int line = (int)get_global_id(0), y = line % to.height, z = line / to.height;
    if (z >= to.depth)
        return;
    const int inside = y < height && z < depth ? min(width, to.width) : 0;
    const uint first = ((uint)z * height + y) * width;
    for (int x = 0; x < to.width; x++)
        STORE_LABEL(to, x, y, z, x < inside ? found[first + x] : 0);
}
