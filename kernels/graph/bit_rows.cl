/* SPDX-License-Identifier: BSD-3-Clause */
/* Adjacency of labels as rows of bits. */

inline bool has_bit(global const uint *bits, uint words, uint row, uint column)
{
    return bits[(ulong)row * words + column / 32] >> column % 32 & 1;
}

/* Stores an edge in the row of the larger label. */
inline void connect(volatile global uint *bits, uint words, uint a, uint b)
{
    const uint bit = 1u << min(a, b) % 32;
    volatile global uint *word = &bits[(ulong)max(a, b) * words + min(a, b) / 32];
    if ((*word & bit) == 0)
        atomic_or(word, bit);
}

/* Runs a statement for each set bit of a row, in order; the second form takes only the words of one work-item. */
#define EACH_BIT(row, words, j) EACH_BIT_FROM(0, 1, row, words, j)
#define EACH_OWN_BIT(row, words, j) EACH_BIT_FROM(get_local_id(0), get_local_size(0), row, words, j)
#define EACH_BIT_FROM(first, step, row, words, j)                                                                      \
    for (uint word_ = (first); word_ < (words); word_ += (step))                                                       \
        for (uint left_ = (row)[word_], j; left_ && (j = word_ * 32 + 31 - clz(left_ & -left_), true);                 \
            left_ &= left_ - 1)

/* Distance between two columns of point lists. */
#define DISTANCE(a, i, b, j, result)                                                                                   \
    float result = 0.0f;                                                                                               \
    for (int axis_ = 0; axis_ < a.height; axis_++) {                                                                   \
        const float difference_ = LOAD(a, i, axis_, 0) - LOAD(b, j, axis_, 0);                                         \
        result = fma(difference_, difference_, result);                                                                \
    }                                                                                                                  \
    result = sqrt(result);

/* Reads the entries left of a matrix's diagonal, which are the edges of an undirected graph. */
kernel void graph_rows(INPUT(matrix), global uint *bits, uint count, uint words)
{
    const uint word = get_global_id(0), y = get_global_id(1);
    if (word >= words || y >= count)
        return;
    const uint end = min(y, (uint)matrix.width);
    uint row_bits = 0;
    for (uint x = word * 32; y < (uint)matrix.height && x < min(word * 32 + 32, end); x++)
        if (LOAD(matrix, x, y, 0) > 0.0f)
            row_bits |= 1u << x % 32;
    bits[(ulong)y * words + word] = row_bits;
}

/* Connects labels from `first` to count - 1 whose pixels share a face. */
kernel void graph_touching(INPUT(labels), volatile global uint *bits, uint count, uint words, uint first)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(labels, x, y, z))
        return;
    const uint label = LOAD_LABEL(labels, x, y, z);
    if (label < first || label >= count)
        return;
    const uint3 next = (uint3)(LOAD_LABEL_CLAMPED(labels, x + 1, y, z), LOAD_LABEL_CLAMPED(labels, x, y + 1, z),
                               LOAD_LABEL_CLAMPED(labels, x, y, z + 1));
    if (next.x != label && next.x >= first && next.x < count)
        connect(bits, words, label, next.x);
    if (next.y != label && next.y >= first && next.y < count)
        connect(bits, words, label, next.y);
    if (next.z != label && next.z >= first && next.z < count)
        connect(bits, words, label, next.z);
}

/*
 * Finds faces between pixels of different labels, `low` and `high`, in rows that are aligned to four pixels. `side`
 * runs for each face. When the pair changes, `end` runs for the old pair and `begin` for the new one. A work-item walks
 * through the slices.
 */
#define EACH_TOUCH(slices, end, begin, side)                                                                           \
    const int x = 4 * (int)get_global_id(0), y = (int)get_global_id(1), front = (int)get_global_id(2) * slices;        \
    if (!INSIDE(labels, x, y, front))                                                                                  \
        return;                                                                                                        \
    uint low = 0, high = 0;                                                                                            \
    uint4 here = LOAD_FOUR_LABELS(labels, x, y, front);                                                                \
    for (int z = front; z < min(front + slices, labels.depth); z++) {                                                  \
        const uint4 behind = z + 1 < labels.depth ? LOAD_FOUR_LABELS(labels, x, y, z + 1) : here;                      \
        const uint4 below = y + 1 < labels.height ? LOAD_FOUR_LABELS(labels, x, y + 1, z) : here;                      \
        const uint4 after = (uint4)(here.yzw, x + 4 < labels.width ? LOAD_LABEL(labels, x + 4, y, z) : here.w);        \
        for (int axis = 0; axis < 3; axis++) {                                                                         \
            uint4 a = here, b = axis == 0 ? after : axis == 1 ? below : behind;                                        \
            if (all(a == b))                                                                                           \
                continue;                                                                                              \
            if (x + 4 > labels.width)                                                                                  \
                b = select(a, b, FIRST_OF_FOUR(labels.width - x - (axis == 0)));                                       \
            for (int i = 0; i < 4; i++, a = a.yzwx, b = b.yzwx)                                                        \
                if (a.x != b.x) {                                                                                      \
                    if (min(a.x, b.x) != low || max(a.x, b.x) != high) {                                               \
                        end                                                                                            \
                        low = min(a.x, b.x);                                                                           \
                        high = max(a.x, b.x);                                                                          \
                        begin                                                                                          \
                    }                                                                                                  \
                    side                                                                                               \
                }                                                                                                      \
        }                                                                                                              \
        here = behind;                                                                                                 \
    }

kernel void graph_touching_vec4(INPUT(labels), volatile global uint *bits, uint count, uint words, uint first,
                                int slices)
{
    EACH_TOUCH(slices, , if (low >= first && high < count) connect(bits, words, low, high);, )
}

/* Points have at most MAX_AXES axes. */
enum { MAX_AXES = 3 };

/* Distance from a point to point j of a work-group's points, which have `stride` numbers per axis. */
inline float distance_to(const float *here, local const float *others, uint stride, uint j)
{
    float square = 0.0f;
    for (int axis = 0; axis < MAX_AXES; axis++) {
        const float difference = here[axis] - others[axis * stride + j];
        square = fma(difference, difference, square);
    }
    return sqrt(square);
}

/* A work-group compares its points with the 32 points of one word. */
kernel void graph_proximal(INPUT(points), global uint *bits, uint count, uint words, float low, float high)
{
    local float others[MAX_AXES * 32];
    const uint i = get_global_id(0), word = get_global_id(1);
    float here[MAX_AXES];
    for (uint n = get_local_id(0); n < MAX_AXES * 32; n += get_local_size(0)) {
        const uint j = word * 32 + n % 32;
        others[n] =
            j > 0 && j <= (uint)points.width && (int)n / 32 < points.height ? LOAD(points, j - 1, n / 32, 0) : 0.0f;
    }
    for (int axis = 0; axis < MAX_AXES; axis++)
        here[axis] = i > 0 && i <= (uint)points.width && axis < points.height ? LOAD(points, i - 1, axis, 0) : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i >= count || word >= words)
        return;
    uint row_bits = 0;
    for (uint j = max(word * 32, 1u); i > 0 && j < min(word * 32 + 32, i); j++) {
        const float distance = distance_to(here, others, 32, j % 32);
        if (distance >= low && distance <= high)
            row_bits |= 1u << j % 32;
    }
    bits[(ulong)i * words + word] = row_bits;
}

/* Connects each column to the rows in its list; 0 is not a row. */
kernel void graph_lists(global const uint *indices, volatile global uint *bits, uint columns, uint slots, uint words)
{
    const uint x = get_global_id(0), slot = get_global_id(1);
    if (x == 0 || x >= columns || slot >= slots)
        return;
    const uint other = indices[(ulong)slot * columns + x];
    if (other > 0 && other < columns && other != x)
        connect(bits, words, x, other);
}

/* Joins the rows of all neighbours of a label. `from` has both directions of each edge (graph_mirror). */
kernel void graph_two_steps(global const uint *from, global uint *to, uint count, uint words)
{
    const uint i = get_global_id(0), word = get_global_id(1);
    if (i >= count || word >= words)
        return;
    uint row_bits = 0;
    EACH_BIT(from + (ulong)i * words, words, j)
        if (j < count)
            row_bits |= from[(ulong)j * words + word];
    if (word == i / 32)
        row_bits &= ~(1u << i % 32);
    to[(ulong)i * words + word] = row_bits;
}

/* Adds the other direction of each edge, so that a row has all neighbours of its label. */
kernel void graph_mirror(global const uint *from, global uint *to, uint count, uint words)
{
    const uint i = get_global_id(0), word = get_global_id(1);
    if (i >= count || word >= words)
        return;
    uint row_bits = from[(ulong)i * words + word];
    for (uint j = max(word * 32, i + 1); j < min(word * 32 + 32, count); j++)
        if (has_bit(from, words, j, i))
            row_bits |= 1u << j % 32;
    to[(ulong)i * words + word] = row_bits;
}

/* Writes the edges left of the diagonal. */
kernel void graph_matrix(global const uint *bits, uint count, uint words, OUTPUT(matrix))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (INSIDE(matrix, x, y, z))
        STORE(matrix, x, y, z, x < y && (uint)y < count && has_bit(bits, words, y, x) ? 1.0f : 0.0f);
}
