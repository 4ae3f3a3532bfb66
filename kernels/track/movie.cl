/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Labels of the frames of a movie. A frame has `slices` slices of the image. The table `frames` has two numbers for
 * each frame: its smallest label and the row of this label in the tables. The rows of the frame's larger labels follow
 * in order. After the last frame comes a pair that holds the total number of rows. Images are tiles that begin at slice
 * `origin` of the movie.
 */

#define WALK 32
#define SUM_WORDS 8

/* Row of a label in the tables, or -1. */
inline long row_of(global const uint *frames, int frame, uint label)
{
    const uint row = frames[2 * frame + 1], end = frames[2 * frame + 3];
    return label > 0 && label >= frames[2 * frame] && label - frames[2 * frame] < end - row
               ? (long)row + (label - frames[2 * frame])
               : -1;
}

/* Adds to a 64-bit counter of two words. */
inline void add_wide(volatile global uint *counter, ulong number)
{
    const uint low = (uint)number, before = atomic_add(counter, low);
    const uint high = (uint)(number >> 32) + (before + low < before);
    if (high > 0)
        atomic_add(counter + 1, high);
}

/* Finds the complement of the smallest label, and the largest label, of each frame. */
kernel void movie_label_ranges(INPUT(labels), int slices, int origin, volatile global uint *ranges)
{
    volatile local uint low, high;
    const int x = (int)get_global_id(0), first = (int)get_global_id(1) * WALK, z = (int)get_global_id(2);
    uint min_value = 0, max_value = 0;
    if (get_local_id(0) == 0)
        low = high = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    ROLLED
    for (int y = first; INSIDE(labels, x, y, z) && y < first + WALK; y++) {
        const uint label = LOAD_LABEL(labels, x, y, z);
        if (label > 0)
            min_value = max(min_value, ~label);
        max_value = max(max_value, label);
    }
    if (max_value > 0) {
        atomic_max(&low, min_value);
        atomic_max(&high, max_value);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0 && high > 0) {
        atomic_max(ranges + 2 * ((origin + z) / slices), low);
        atomic_max(ranges + 2 * ((origin + z) / slices) + 1, high);
    }
}

/* Sums pixels, x, y and z of each label, from runs along y. */
kernel void movie_sums(INPUT(labels), int slices, int origin, global const uint *frames, volatile global uint *sums)
{
    const int x = (int)get_global_id(0), first = (int)get_global_id(1) * WALK, z = (int)get_global_id(2);
    const int frame = (origin + z) / slices, depth = (origin + z) % slices;
    uint label = 0, count = 0;
    ulong along_y = 0;
    ROLLED
    for (int y = first; y <= first + WALK; y++) {
        const bool inside = INSIDE(labels, x, y, z) && y < first + WALK;
        const uint here = inside ? LOAD_LABEL(labels, x, y, z) : 0;
        if (here != label) {
            const long row = row_of(frames, frame, label);
            if (row >= 0) {
                volatile global uint *sum = sums + row * SUM_WORDS;
                atomic_add(sum, count);
                add_wide(sum + 2, (ulong)x * count);
                add_wide(sum + 4, along_y);
                if (depth > 0)
                    add_wide(sum + 6, (ulong)depth * count);
            }
            label = here;
            count = 0;
            along_y = 0;
        }
        count++;
        along_y += y;
    }
}

/*
 * Counts the pixels that each label of slices `from` to `to` - 1 of the tile shares with labels of another tile that is
 * `shift` slices later. A row has `slots` pairs of a label and a count. Sets `overfull` if a label shares pixels with
 * more labels than that.
 */
kernel void movie_overlaps(INPUT(labels), INPUT(others), int shift, int slices, int origin, int from, int to,
                           global const uint *frames, int slots, volatile global uint *shared, global uint *overfull)
{
    const int x = (int)get_global_id(0), first = (int)get_global_id(1) * WALK, z = (int)get_global_id(2);
    const int frame = (origin + z) / slices;
    uint label = 0, other = 0, count = 0;
    if (z < from || z >= to || z + shift >= others.depth)
        return;
    ROLLED
    for (int y = first; y <= first + WALK; y++) {
        const bool inside = INSIDE(labels, x, y, z) && y < first + WALK;
        const uint here = inside ? LOAD_LABEL(labels, x, y, z) : 0;
        const uint next = here > 0 ? LOAD_LABEL(others, x, y, z + shift) : 0;
        if (here != label || next != other) {
            const long row = label > 0 && other > 0 ? row_of(frames, frame, label) : -1;
            bool found = row < 0;
            ROLLED
            for (int i = 0; i < slots && !found; i++) {
                volatile global uint *slot = shared + 2 * (row * slots + (other + i) % (uint)slots);
                const uint owner = atomic_cmpxchg(slot, 0u, other);
                found = owner == 0 || owner == other;
                if (found)
                    atomic_add(slot + 1, count);
            }
            if (!found)
                set_flag(overfull);
            label = here;
            other = next;
            count = 0;
        }
        count++;
    }
}

/* Replaces each label with the number of its row. */
kernel void movie_paint(INPUT(labels), int slices, int origin, global const uint *frames, global const uint *numbers,
                        OUTPUT(to))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const long row = row_of(frames, (origin + z) / slices, LOAD_LABEL(labels, x, y, z));
    STORE_LABEL(to, x, y, z, row < 0 ? 0 : numbers[row]);
}
