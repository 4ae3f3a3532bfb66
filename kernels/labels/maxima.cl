/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Regional maxima, using the components of components_blocks.cl. A top is a pixel that no neighbour exceeds, so
 * adjacent tops are equal. A top without an equal neighbour is a peak, which is a maximum. A top with an equal
 * neighbour is flat. Connected flat tops are a maximum unless one of them has an equal neighbour that is not a top,
 * because this neighbour leads to a higher pixel. Peaks and flat tops are stored as bits, 32 pixels of a row per word.
 */
#include "components.cl"
#include "components_block_links.cl"

#define EACH_NEIGHBOUR(l, i, j, k)                                                                                     \
    for (int i = max(x - 1, 0); i <= min(x + 1, l.width - 1); i++)                                                     \
        for (int j = max(y - 1, 0); j <= min(y + 1, l.height - 1); j++)                                                \
            for (int k = max(z - 1, 0); k <= min(z + 1, l.depth - 1); k++)

/* A row of the work-group computes one word of peaks and one of flat tops. */
kernel void maxima_find(INPUT(from), global uint *peaks, global uint *flat, int row_words)
{
    local uint flags[8][32];
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    const int lane = get_local_id(0), line = get_local_id(1);
    bool is_top = false, has_equal = false;
    if (INSIDE(from, x, y, z)) {
        const float here = LOAD(from, x, y, z);
        is_top = !isnan(here);
        EACH_NEIGHBOUR(from, i, j, k) {
            const float beside = LOAD(from, i, j, k);
            is_top = is_top && !(beside > here);
            has_equal = has_equal || (beside == here && (i != x || j != y || k != z));
        }
    }
    flags[line][lane] = is_top ? 1 + has_equal : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane > 1 || y >= from.height)
        return;
    uint word = 0;
    for (int i = 0; i < 32; i++)
        word |= (uint)(flags[line][i] == (uint)lane + 1) << i;
    (lane == 0 ? peaks : flat)[((uint)z * from.height + y) * row_words + x / 32] = word;
}

/* Four pixels of a slice, and the maximum of the eight neighbours of each. */
typedef struct {
    float4 pixels, around;
} four_around;

inline float pixel_or_low(global const uchar *pixels, const layout l, int kind, int x, int y, int z)
{
    return x < 0 || y < 0 || x >= l.width || y >= l.height ? -INFINITY : load_float(pixels, kind, AT(l, x, y, z));
}

inline float4 four_or_low(global const uchar *pixels, const layout l, int kind, int x, int y, int z)
{
    return y < 0 || y >= l.height ? (float4)(-INFINITY) : load_four_pixels(pixels, kind, AT(l, x, y, z));
}

inline four_around read_around(global const uchar *pixels, const layout l, int kind, int x, int y, int z)
{
    four_around f = {-INFINITY, -INFINITY};
    if (x >= l.width || y >= l.height || z < 0 || z >= l.depth)
        return f;
    f.pixels = load_four_pixels(pixels, kind, AT(l, x, y, z));
    const float4 rows = fmax(four_or_low(pixels, l, kind, x, y - 1, z), four_or_low(pixels, l, kind, x, y + 1, z)),
                 columns = fmax(rows, f.pixels);
#define BESIDE(at)                                                                                                     \
    fmax(fmax(pixel_or_low(pixels, l, kind, at, y - 1, z), pixel_or_low(pixels, l, kind, at, y + 1, z)),               \
        pixel_or_low(pixels, l, kind, at, y, z))
    const float4 next =
        select((float4)(-INFINITY), (float4)(columns.yzw, BESIDE(x + 4)), FIRST_OF_FOUR(l.width - 1 - x));
    f.around = fmax(rows, fmax((float4)(BESIDE(x - 1), columns.xyz), next));
    return f;
}

/* If the type is a constant, the loads have no branches. */
#define READ_AROUND(z)                                                                                                 \
    from.type == FLOAT32 ? read_around(from_pixels, from, FLOAT32, x, y, z)                                            \
        : read_around(from_pixels, from, from.type, x, y, z)

/* Like maxima_find, for rows that are aligned to four pixels; a work-item walks through slices. */
kernel void maxima_find_vec4(INPUT(from), global uint *peaks, global uint *flat, int row_words, int slices)
{
    local uchar flags[2][8][32];        /* of this slice and of the one before, which some work-items may still read */
    const int x = 4 * (int)get_global_id(0), y = (int)get_global_id(1), front = slices * (int)get_global_id(2);
    const int lane = get_local_id(0), line = get_local_id(1), column = x / 128 * 4 + lane % 4,
              inside = (1 << clamp(from.width - x, 0, 4)) - 1;
    four_around before = READ_AROUND(front - 1), here = READ_AROUND(front);
    for (int z = front; z < min(front + slices, from.depth); z++) {
        const four_around behind = READ_AROUND(z + 1);
        const float4 max_value = fmax(fmax(fmax(before.pixels, before.around), fmax(behind.pixels, behind.around)),
                                 fmax(here.around, -INFINITY));
        const int4 top = (here.pixels >= max_value) & (int4)(1, 2, 4, 8),
                   equal = (here.pixels == max_value) & (int4)(1, 2, 4, 8);
        const int tops = top.x | top.y | top.z | top.w, equals = equal.x | equal.y | equal.z | equal.w;
        local const uchar *row = flags[z & 1][line];
        flags[z & 1][line][lane] = (uchar)((tops & ~equals & inside) | (equals & inside) << 4);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < 8 && column < row_words && y < from.height) {
            uint word = 0;
            for (int i = 0; i < 8; i++)
                word |= ((uint)row[8 * (lane % 4) + i] >> (lane < 4 ? 0 : 4) & 15) << 4 * i;
            (lane < 4 ? peaks : flat)[((uint)z * from.height + y) * row_words + column] = word;
        }
        before = here;
        here = behind;
    }
}

inline uint root_at(global const uint *parent, int row_words, int height, int x, int y, int z)
{
    return root_of_block(parent, node_of_pixel(row_words / 2, height, x, y, z));
}

#define IS_OPEN(root) (open[(root) / 32] >> (root) % 32 & 1)

/*
 * Marks components of flat tops as open if they touch an equal pixel that is not a top. A pixel surrounded by flat tops
 * is skipped, because it cannot touch such a pixel.
 */
kernel void maxima_open(INPUT(from), global const uint *flat, global const uint *parent, volatile global uint *open,
                        uint words, int row_words)
{
    const uint word = get_global_id(0);
    const uint here = word < words ? flat[word] : 0;
    if (here == 0)
        return;
    const int column = word % row_words, y = word / row_words % from.height, z = word / row_words / from.height;
    uint inner = here;
    for (int k = max(z - 1, 0); k <= min(z + 1, from.depth - 1); k++)
        for (int j = max(y - 1, 0); j <= min(y + 1, from.height - 1); j++) {
            global const uint *row = flat + ((uint)k * from.height + j) * row_words + column;
            inner &= row[0] & (row[0] << 1 | (column > 0 ? row[-1] >> 31 : 1)) &
                     (row[0] >> 1 | (column < row_words - 1 ? row[1] << 31 : 0));
        }
    for (uint left = here & ~inner; left; left &= left - 1) {
        const int x = 32 * column + BIT_NUMBER(ONE_BIT(left));
        const uint root = root_at(parent, row_words, from.height, x, y, z);
        if (IS_OPEN(root))
            continue;
        const float value = LOAD(from, x, y, z);
        bool goes_on = false;
        EACH_NEIGHBOUR(from, i, j, k)
        goes_on = goes_on || (!(flat[((uint)k * from.height + j) * row_words + i / 32] >> (i & 31) & 1) &&
                              LOAD(from, i, j, k) == value);
        if (goes_on)
            atomic_or(&open[root / 32], 1u << root % 32);
    }
}

/* Adds the flat tops of components that are not open to the peaks. */
kernel void maxima_join(global uint *peaks, global const uint *flat, global const uint *parent, global const uint *open,
                        uint words, int row_words, int height)
{
    const uint word = get_global_id(0);
    const uint here = word < words ? flat[word] : 0;
    if (here == 0)
        return;
    const int column = word % row_words, y = word / row_words % height, z = word / row_words / height;
    uint closed = 0;
    for (uint left = here; left;) {
        const int i = BIT_NUMBER(ONE_BIT(left));
        const uint block = 3u << (i & ~1), root = root_at(parent, row_words, height, 32 * column + i, y, z);
        closed |= IS_OPEN(root) ? 0 : here & block;
        left &= ~block;
    }
    if (closed)
        peaks[word] |= closed;
}

/* Writes an image of any size with repeated borders. */
kernel void maxima_write(global const uint *peaks, int row_words, int width, int height, int depth, OUTPUT(to))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const int from = min(x, width - 1);
    STORE(
        to, x, y, z,
        (float)(peaks[((uint)min(z, depth - 1) * height + min(y, height - 1)) * row_words + from / 32] >> (from & 31) &
                1));
}

/* ---- plateaus */

kernel void plateaus_end(global const uchar *marks, int width, int height, int depth, OUTPUT(to))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (INSIDE(to, x, y, z))
        STORE(to, x, y, z,
              (float)marks[((ulong)min(z, depth - 1) * height + min(y, height - 1)) * width + min(x, width - 1)]);
}

/*
 * Marks runs of equal values along an axis (0 is x). The first pixel of a run decides for all of it. A run stays marked
 * if neither the pixel before it nor the one after it is higher. `first`: no axis was processed before.
 */
kernel void plateaus_of_lines(INPUT(from), global uchar *marks, int axis, int first)
{
    int at[3] = {(int)get_global_id(0), (int)get_global_id(1), (int)get_global_id(2)};
    if (!INSIDE(from, at[0], at[1], at[2]))
        return;
    const int extent = axis == 0 ? from.width : axis == 1 ? from.height : from.depth, begin = at[axis];
    const INDEX stride = (INDEX)(axis == 0 ? from.column : axis == 1 ? from.row : from.plane);
    const ulong step = axis == 0 ? 1 : axis == 1 ? (ulong)from.width : (ulong)from.width * from.height;
    const INDEX pixel = AT(from, at[0], at[1], at[2]);
    const float here = load_float(from_pixels, from.type, pixel),
                before = begin > 0 ? load_float(from_pixels, from.type, pixel - stride) : -INFINITY;
    if (begin > 0 && before == here)
        return;
    int end = begin + 1;
    float behind = -INFINITY;
    for (; end < extent; end++) {
        behind = load_float(from_pixels, from.type, pixel + (INDEX)(end - begin) * stride);
        if (behind != here)
            break;
    }
    const uchar is_top = !(before > here) && !(end < extent && behind > here) && !isnan(here);
    global uchar *mark = marks + (((ulong)at[2] * from.height + at[1]) * from.width + at[0]);
    for (int i = begin; i < end; i++, mark += step)
        *mark = first ? is_top : (uchar)(*mark & is_top);
}
