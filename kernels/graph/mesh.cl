/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lines in steps of half a pixel from the first point on, without the last; positions are truncated. Of an image the rows before y0
 * and the slices before z0 may be missing; `shift_y` and `shift_z` are where it begins in the image that points lie in.
 */

typedef struct {
    int y0, z0, shift_y, shift_z;
} mesh_part;

#define PART int y0, int z0, int shift_y, int shift_z
#define THE_PART const mesh_part part = {y0, z0, shift_y, shift_z};
#define COORDINATE(i, axis) ((axis) < points.height ? LOAD(points, i, axis, 0) : 0.0f)
/* Does something for each pixel (x, y, z) of the line. */
#define EACH_STEP(first, second, x, y, z)                                                                                        \
    const float3 start_ = (float3)(COORDINATE(first, 0), COORDINATE(first, 1), COORDINATE(first, 2));                            \
    const float3 way_ = (float3)(COORDINATE(second, 0), COORDINATE(second, 1), COORDINATE(second, 2)) - start_;                  \
    const float length_ = sqrt(way_.x * way_.x + way_.y * way_.y + way_.z * way_.z);                                             \
    for (int step_ = 0, x, y, z; (float)step_ * 0.5f < length_ && length_ < INFINITY &&                                          \
         (x = (int)(start_.x + way_.x * ((float)step_ * 0.5f) / length_), y = (int)(start_.y + way_.y * ((float)step_ * 0.5f) / length_) - part.shift_y, \
          z = (int)(start_.z + way_.z * ((float)step_ * 0.5f) / length_) - part.shift_z, true);                                  \
         step_++)                                                                                                                \
        if (x >= 0 && y >= part.y0 && z >= part.z0 && INSIDE(mesh, x, y, z))
/*
 * Does something for each edge of a word of bits, or of each eighth bit for one of eight `shares`, from the smaller point to the larger.
 * Large ones come first, so that others find what they cannot exceed.
 */
#define EACH_EDGE(second, first)                                                                                                 \
    const uint second = get_global_id(0), word_number = words - 1 - get_global_id(1);                                            \
    if (second >= count || get_global_id(1) >= words)                                                                            \
        return;                                                                                                                  \
    const uint own = shares > 1 ? 0x01010101u << get_global_id(2) : 0xffffffffu;                                                 \
    for (uint left = bits[(ulong)second * words + word_number] & own, first; left && (first = word_number * 32 + 31 - clz(left), true); \
         left ^= 1u << first % 32)                                                                                               \
        if (first > 0 && first < second && second <= (uint)points.width)

/* Every line is of the same 1, so it does not matter who comes first. Where lines are dense, reading saves most stores. */
kernel void mesh_ones(INPUT(points), global const uint *bits, uint count, uint words, int shares, PART, OUTPUT(mesh))
{
    THE_PART
    EACH_EDGE(second, first) {
        EACH_STEP(first - 1, second - 1, x, y, z)
            if (shares == 1 || LOAD(mesh, x, y, z) != 1.0f)
                STORE(mesh, x, y, z, 1.0f);
    }
}

/* Pass 0 finds each pixel's largest first point, pass 1 the largest second point of that one. */
kernel void mesh_ends(INPUT(points), global const uint *bits, uint count, uint words, int shares, int pass, volatile global uint *firsts,
                      volatile global uint *seconds, PART, OUTPUT(mesh))
{
    THE_PART
    global const uint *known_firsts = (global const uint *)firsts, *known_seconds = (global const uint *)seconds;  /* may be old */
    EACH_EDGE(second, first) {
        EACH_STEP(first - 1, second - 1, x, y, z) {
            const ulong at = ((ulong)(z - z0) * mesh.height + (y - y0)) * mesh.width + x;
            if (pass == 0) {
                if (shares == 1 || known_firsts[at] < first)
                    atomic_max(&firsts[at], first);
            } else if (known_firsts[at] == first && (shares == 1 || known_seconds[at] < second)) {
                atomic_max(&seconds[at], second);
            }
        }
    }
}

/* What lines show: their lengths between the points `source`, entries of a matrix, or shares of them in the sum of their column. */
enum { LENGTHS = 1, SHARES_OF_SUMS = 2 };

kernel void mesh_values(INPUT(source), int shown, global const float *sums, global const uint *firsts, global const uint *seconds, int y0, int z0, OUTPUT(mesh))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(mesh, x, y, z) || y < y0 || z < z0)
        return;
    const ulong at = ((ulong)(z - z0) * mesh.height + (y - y0)) * mesh.width + x;
    const uint first = firsts[at], second = seconds[at];
    if (first == 0)
        return;
    float value;
    if (shown == LENGTHS) {
        DISTANCE(source, first - 1, source, second - 1, distance)
        value = distance;
    } else {
        value = LOAD(source, first, second, 0);
        value = shown == SHARES_OF_SUMS ? value / sums[first] : value;
    }
    STORE(mesh, x, y, z, value);
}

kernel void mesh_list(INPUT(points), INPUT(list), PART, OUTPUT(mesh))
{
    THE_PART
    const int first = (int)get_global_id(0), slot = (int)get_global_id(1);
    if (first == 0 || first >= list.width || first > points.width || slot >= list.height)
        return;
    const uint second = LOAD_LABEL(list, first, slot, 0);
    if (second == 0 || second > (uint)points.width)
        return;
    EACH_STEP(first - 1, second - 1, x, y, z)
        STORE(mesh, x, y, z, 1.0f);
}

kernel void graph_below(INPUT(matrix), global uint *bits, uint count, uint words, float limit)
{
    const uint word = get_global_id(0), y = get_global_id(1);
    if (word >= words || y >= count)
        return;
    uint made = 0;
    for (uint x = max(word * 32, 1u); y < (uint)matrix.height && x < min(word * 32 + 32, min(y, (uint)matrix.width)); x++)
        if (LOAD(matrix, x, y, 0) < limit)
            made |= 1u << x % 32;
    bits[(ulong)y * words + word] = made;
}
