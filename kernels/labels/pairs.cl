/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pairs of labels that share a side of pixels or a dam, in a hash table. A dam is a background pixel between two
 * labels. A key is the position where a pair was first seen, with three directions for each pixel. The labels are read
 * again at this position, so that a key fits 32 bits. A slot has counts of steps between both labels along x, y, z, xy,
 * xz, yz and xyz, and the count of dams.
 */

enum { NO_PAIR = 0xffffffff, PAIR_TRIES = 64, PAIR_WORDS = 8, DAM_WORD = 7, NOT_FOUND = 0x7fffffff };

inline uint2 sorted_labels(uint a, uint b)
{
    return (uint2)(min(a, b), max(a, b));
}

/* Returns the labels at both ends of a step from a pixel, or two equal labels if the step leads outside the image. */
inline uint2 labels_across(global const uchar *pixels, const layout *image, int x, int y, int z, int dx, int dy, int dz)
{
    const layout l = *image;
    const uint here = load_label(pixels, l.type, AT(l, x, y, z));
    if (x + dx < 0 || y + dy < 0 || x + dx >= l.width || y + dy >= l.height || z + dz >= l.depth)
        return (uint2)(here);
    return sorted_labels(here, load_label(pixels, l.type, AT(l, x + dx, y + dy, z + dz)));
}

/* Returns the labels across some pixels along x, y or z. */
inline uint2 labels_along(global const uchar *pixels, const layout *image, int x, int y, int z, int direction, int step)
{
    return labels_across(pixels, image, x, y, z, direction == 0 ? step : 0, direction == 1 ? step : 0,
                         direction == 2 ? step : 0);
}

/*
 * Returns the labels at both ends of the step of a key. If the next pixel is background, the step has two pixels, and
 * there is a dam if the labels differ and neither is 0.
 */
inline uint2 pair_of_key(global const uchar *pixels, const layout *image, uint key)
{
    const uint place = key / 3, line = place / image->width;
    const int x = (int)(place % image->width), y = (int)(line % image->height), z = (int)(line / image->height);
    const uint2 near = labels_along(pixels, image, x, y, z, (int)(key % 3), 1);
    return near.x != 0 ? near : labels_along(pixels, image, x, y, z, (int)(key % 3), 2);
}

/*
 * Returns the slot of a pair. Returns NOT_FOUND if the pair has no slot and `key` is NO_PAIR, or if the table is too
 * full for a new key.
 */
inline uint slot_of_pair(global const uchar *pixels, const layout *image, volatile global uint *keys, uint mask,
                         uint2 pair, uint key)
{
    uint slot = (pair.x * 0x9e3779b1u ^ pair.y * 0x85ebca6bu) * 0xc2b2ae35u;
    slot = (slot ^ slot >> 15) & mask;
    for (int i = 0; i < PAIR_TRIES; i++, slot = (slot + 1) & mask) {
        uint found = keys[slot];
        if (found == NO_PAIR) {
            if (key == NO_PAIR)
                return NOT_FOUND;
            found = atomic_cmpxchg(keys + slot, NO_PAIR, key);
            if (found == NO_PAIR)
                return slot;
        }
        const uint2 other = pair_of_key(pixels, image, found);
        if (other.x == pair.x && other.y == pair.y)
            return slot;
    }
    return NOT_FOUND;
}

kernel void clear_keys(global uint *keys, uint slots)
{
    const uint slot = get_global_id(0);
    if (slot < slots)
        keys[slot] = NO_PAIR;
}

/*
 * Enters the pairs along x, y and z, and counts their sides and, with `dams`, their dams. Sets `failed` if the table is
 * too small.
 */
kernel void find_pairs(INPUT(labels), volatile global uint *keys, uint mask, volatile global uint *counts,
                       global uint *failed, int dams)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(labels, x, y, z))
        return;
    const uint place = ((uint)z * (uint)labels.height + (uint)y) * (uint)labels.width + (uint)x;
    ROLLED for (int direction = 0; direction < 3; direction++) {
        uint2 pair = labels_along(labels_pixels, &labels, x, y, z, direction, 1);
        const bool dam = dams && pair.x == 0 && pair.y != 0;
        if (dam)
            pair = labels_along(labels_pixels, &labels, x, y, z, direction, 2);
        if (pair.x == 0 || pair.x == pair.y)
            continue;
        const uint slot = slot_of_pair(labels_pixels, &labels, keys, mask, pair, 3 * place + (uint)direction);
        if (slot == NOT_FOUND)
            set_flag(failed);
        else
            atomic_inc(counts + (ulong)slot * PAIR_WORDS + (dam ? DAM_WORD : direction));
    }
}

/* Counts diagonal steps between the labels of each pair: xy, xz, yz and xyz. */
kernel void count_pair_diagonals(INPUT(labels), volatile global uint *keys, uint mask, volatile global uint *counts)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(labels, x, y, z))
        return;
    ROLLED for (int step = 0; step < 10; step++) {
        const int side = step % 2 ? -1 : 1, plane = min(step / 2, 3);
        int3 to = (int3)(side, step < 8 ? 1 : -1, 1);
        if (plane == 0)
            to = (int3)(1, side, 0);
        else if (plane == 1)
            to = (int3)(side, 0, 1);
        else if (plane == 2)
            to = (int3)(0, side, 1);
        const uint2 pair = labels_across(labels_pixels, &labels, x, y, z, to.x, to.y, to.z);
        if (pair.x == 0 || pair.x == pair.y)
            continue;
        const uint slot = slot_of_pair(labels_pixels, &labels, keys, mask, pair, NO_PAIR);
        if (slot != NOT_FOUND)
            atomic_inc(counts + (ulong)slot * PAIR_WORDS + 3 + plane);
    }
}

/* Counts for each label the pairs in which it is the smaller label. */
kernel void count_pairs(INPUT(labels), global const uint *keys, uint slots, volatile global uint *per_label)
{
    const uint slot = get_global_id(0);
    if (slot < slots && keys[slot] != NO_PAIR)
        atomic_inc(per_label + pair_of_key(labels_pixels, &labels, keys[slot]).x);
}

/* Replaces each count with the sum of all counts before it; the last entry is the total. Runs in one work-group. */
kernel void add_up_pairs(global uint *per_label, uint count)
{
    enum { LANES_OF_GROUP = 256 };
    local uint sums[LANES_OF_GROUP];
    const uint lane = get_local_id(0), share = count / LANES_OF_GROUP + 1, from = min(lane * share, count),
               end = min(from + share, count);
    uint sum = 0;
    for (uint i = from; i < end; i++)
        sum += per_label[i];
    sums[lane] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum = 0;
    for (uint other = 0; other < lane; other++)
        sum += sums[other];
    for (uint i = from; i < end; i++) {
        const uint own = per_label[i];
        per_label[i] = sum;
        sum += own;
    }
    if (lane == LANES_OF_GROUP - 1)
        per_label[count] = sum;
}

/* Lists the pairs by their smaller label: both labels and the slot. `next` has been cleared. */
kernel void list_pairs(INPUT(labels), global const uint *keys, uint slots, global const uint *per_label,
                       volatile global uint *next, global uint4 *list)
{
    const uint slot = get_global_id(0);
    if (slot >= slots || keys[slot] == NO_PAIR)
        return;
    const uint2 pair = pair_of_key(labels_pixels, &labels, keys[slot]);
    list[per_label[pair.x] + atomic_inc(next + pair.x)] = (uint4)(pair, slot, 0);
}

/* Sorts the pairs of each smaller label by the larger one, in place (heap sort). */
kernel void sort_pairs(global const uint *per_label, uint count, global uint4 *list)
{
    const uint label = get_global_id(0);
    if (label >= count)
        return;
    global uint4 *heap = list + per_label[label];
    const uint size = per_label[label + 1] - per_label[label];
    for (uint end = size, start = size / 2; end > 1;) {
        if (start > 0) {
            start--;
        } else {
            const uint4 max_value = heap[0];
            heap[0] = heap[--end];
            heap[end] = max_value;
        }
        const uint4 item = heap[start];
        uint at = start;
        for (uint child = 2 * at + 1; child < end; child = 2 * at + 1) {
            child += child + 1 < end && heap[child + 1].y > heap[child].y;
            if (heap[child].y <= item.y)
                break;
            heap[at] = heap[child];
            at = child;
        }
        heap[at] = item;
    }
}
