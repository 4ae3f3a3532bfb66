/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Labels that grow into empty pixels: such a pixel becomes the largest label around it, by side and corner (box) or by side.
 * A work-item goes through slices with four pixels of a row, so rows of both images are aligned vectors. In label maps 0 is
 * empty; in scratch images a label is one more, 1 is empty, and 0 is closed: it neither grows nor is grown into.
 */

enum { TILE_SLICES = 8 };

#define FOUR(x, y, z) load_four_labels(pixels, l.type, AT(l, x, y, z))

/* Largest and smallest of each pixel and those beside it in the row. */
#define IN_ROW(name, pick)                                                                                                       \
    inline uint4 name(global const uchar *pixels, const layout *image, int x, int y, int z)                                      \
    {                                                                                                                            \
        const layout l = *image;                                                                                                 \
        const uint4 here = FOUR(x, y, z);                                                                                        \
        const uint before = x > 0 ? load_label(pixels, l.type, AT(l, x - 1, y, z)) : here.x;                                     \
        const uint after = x + 4 < l.width ? load_label(pixels, l.type, AT(l, x + 4, y, z)) : here.w;                            \
        return pick(pick(here, (uint4)(before, here.xyz)), (uint4)(here.yzw, after));                                            \
    }

/* The same in a slice: of nine pixels (box) or of five. */
#define IN_SLICE(name, in_row, pick)                                                                                             \
    inline uint4 name(global const uchar *pixels, const layout *image, int x, int y, int z, int box)                             \
    {                                                                                                                            \
        const layout l = *image;                                                                                                 \
        const int above = max(y - 1, 0), below = min(y + 1, l.height - 1);                                                       \
        const uint4 rows = box ? pick(in_row(pixels, image, x, above, z), in_row(pixels, image, x, below, z))                    \
                               : pick(FOUR(x, above, z), FOUR(x, below, z));                                                     \
        return pick(rows, in_row(pixels, image, x, y, z));                                                                       \
    }

IN_ROW(largest_in_row, max)
IN_ROW(smallest_in_row, min)
IN_SLICE(largest_in_slice, largest_in_row, max)
IN_SLICE(smallest_in_slice, smallest_in_row, min)

/*
 * Goes through `slices` slices: `make` gets the pixels `here` and what was picked `around` them. Where `kind`, the element
 * type, is a constant, loads are free of branches.
 */
#define MARCH(kind, slices, in_slice, pick, make)                                                                                \
    global const uchar *pixels = from_pixels;                                                                                    \
    layout l = from;                                                                                                             \
    l.type = kind;                                                                                                               \
    const int x = 4 * (int)get_global_id(0), y = (int)get_global_id(1), front = (int)get_global_id(2) * slices;                  \
    if (INSIDE(l, x, y, front)) {                                                                                                \
        const int end = min(front + slices, l.depth);                                                                            \
        uint4 here = FOUR(x, y, front), flat = in_slice(pixels, &l, x, y, front, box);                                           \
        uint4 before = front == 0 ? flat : box ? in_slice(pixels, &l, x, y, front - 1, box) : FOUR(x, y, front - 1);             \
        for (int z = front; z < end; z++) {                                                                                      \
            uint4 next = here, after = flat;                                                                                     \
            if (z + 1 < l.depth) {                                                                                               \
                next = FOUR(x, y, z + 1);                                                                                        \
                after = in_slice(pixels, &l, x, y, z + 1, box);                                                                  \
            }                                                                                                                    \
            const uint4 around = pick(pick(before, flat), box ? after : next);                                                   \
            make                                                                                                                 \
            before = box ? flat : here;                                                                                          \
            here = next;                                                                                                         \
            flat = after;                                                                                                        \
        }                                                                                                                        \
    }

kernel void grow_step(INPUT(from), OUTPUT(to), uint empty, int box, int slices)
{
#define STEP store_four_labels(to_pixels, to.type, AT(to, x, y, z), select(here, around, here == empty));
    if (from.type == UINT32) {
        MARCH(UINT32, slices, largest_in_slice, max, STEP)
    } else {
        MARCH(from.type, slices, largest_in_slice, max, STEP)
    }
#undef STEP
}

/* The smallest label around each pixel, background included. */
kernel void shrink_step(INPUT(from), OUTPUT(to), int box, int slices)
{
    MARCH(from.type, slices, smallest_in_slice, min, store_four_labels(to_pixels, to.type, AT(to, x, y, z), around);)
}

/* `to` may be wider than the labels: what lies beyond is closed. */
kernel void grow_begin(INPUT(labels), INPUT(mask), int masked, OUTPUT(to))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const bool closed = x >= labels.width || (masked && LOAD_CLAMPED(mask, x, y, z) == 0.0f);
    ((global uint *)to_pixels)[AT(to, x, y, z)] = closed ? 0 : LOAD_LABEL_CLAMPED(labels, x, y, z) + 1;
}

/* The same where the labels' rows are vectors and the mask, if there is one, is as large. */
kernel void grow_begin_in_fours(INPUT(labels), INPUT(mask), int masked, OUTPUT(to))
{
    const int x = 4 * (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    uint4 label = load_four_labels(labels_pixels, labels.type, AT(labels, x, y, z)) + 1;
    if (masked)
        label = select((uint4)(0), label, is_not_zero(mask_pixels, mask.type, AT(mask, x, y, z)));
    store_four_labels(to_pixels, to.type, AT(to, x, y, z), label);
}

kernel void grow_end_in_fours(INPUT(grown), OUTPUT(labels))
{
    const int x = 4 * (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(labels, x, y, z))
        return;
    const uint4 label = load_four_labels(grown_pixels, grown.type, AT(grown, x, y, z));
    store_four_labels(labels_pixels, labels.type, AT(labels, x, y, z), max(label, 1u) - 1);
}

kernel void grow_end(INPUT(grown), int width, OUTPUT(labels))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(labels, x, y, z))
        return;
    const uint label = LOAD_LABEL_CLAMPED(grown, min(x, width - 1), y, z);
    STORE_LABEL(labels, x, y, z, max(label, 1u) - 1);
}

/* A batch starts as if its two steps before had changed something. */
kernel void grow_batch(global uint *changed, int steps)
{
    const int i = get_global_id(0);
    if (i < steps + 2)
        changed[i] = i >= steps;
}

/* Whether this tile or one that touches it changed in the two steps before; if none did, both images hold the same there. */
inline bool is_active(global const uint *last_change, uint step, local int *active)
{
    const int lane = get_local_id(1) * get_local_size(0) + get_local_id(0);
    *active = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const int x = (int)get_group_id(0) + lane % 3 - 1, y = (int)get_group_id(1) + lane / 3 % 3 - 1, z = (int)get_group_id(2) + lane / 9 - 1;
    const int columns = get_num_groups(0), rows = get_num_groups(1), planes = get_num_groups(2);
    if (lane < 27 && x >= 0 && y >= 0 && z >= 0 && x < columns && y < rows && z < planes &&
        last_change[((uint)z * rows + y) * columns + x] + 2 >= step)
        *active = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    return *active;
}

/* One step, from 1, of growth until nothing changes. changed[left]: when the two steps before changed nothing, nothing will. */
kernel void grow_until_full(INPUT(from), OUTPUT(to), global uint *changed, int left, global uint *last_change, uint step, int box)
{
    local int active, changes;
    if (changed[left + 1] == 0 && changed[left + 2] == 0)
        return;
    if (!is_active(last_change, step, &active))
        return;
    const bool first = get_local_id(0) == 0 && get_local_id(1) == 0;
    if (first)
        changes = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    MARCH(UINT32, TILE_SLICES, largest_in_slice, max,
          const uint4 grown = select(here, around, here == 1u);
          *(global uint4 *)((global uint *)to_pixels + AT(to, x, y, z)) = grown;
          if (any(grown != here))
              changes = 1;)
    barrier(CLK_LOCAL_MEM_FENCE);
    if (first && changes) {
        changed[left] = 1;
        last_change[(get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0)] = step;
    }
}
