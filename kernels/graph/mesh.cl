/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A line is drawn in steps of half a pixel from the first point on, without the last point; positions are truncated.
 * The image may lack the rows before y0 and the slices before z0. `shift_y` and `shift_z` are its origin in the image
 * that contains the points.
 */
#include "bit_rows.cl"

typedef struct {
    int y0, z0, shift_y, shift_z;
} mesh_part;

#define PART int y0, int z0, int shift_y, int shift_z
#define THE_PART const mesh_part part = {y0, z0, shift_y, shift_z};
#define COORDINATE(i, axis) ((axis) < points.height ? LOAD(points, i, axis, 0) : 0.0f)

typedef struct {
    float3 start, way;
    float length;
} line;

#define LINE(first, second) line_between((float3)(COORDINATE(first, 0), COORDINATE(first, 1), COORDINATE(first, 2)),   \
                                         (float3)(COORDINATE(second, 0), COORDINATE(second, 1), COORDINATE(second, 2)))

inline line line_between(float3 from, float3 to)
{
    const float3 way = to - from;
    const line l = {from, way, sqrt(way.x * way.x + way.y * way.y + way.z * way.z)};
    return l;
}

enum { MAX_LENGTH = 1 << 24 }; /* float32 cannot tell the steps of longer lines apart, so they are not drawn */

inline bool has_step(const line *l, int step)
{
    return (float)step * 0.5f < l->length && l->length < MAX_LENGTH;
}

/*
 * Returns the range of steps that may lie between `first` and `end` along one axis. The margin exceeds the
 * rounding errors of positions and of this calculation, so that no pixel inside is lost.
 */
inline float2 steps_along_axis(float start, float way, float length, float first, float end)
{
    enum { MARGIN = 32 };
    const float margin = MARGIN + (fabs(start) + end) * 0x1p-20f;
    const float to_first = (first - margin - start) * length / way, to_end = (end + margin - start) * length / way;
    return (float2)(fmin(to_first, to_end) * 2.0f - MARGIN, fmax(to_first, to_end) * 2.0f + MARGIN);
}

/*
 * Returns the steps that may lie in the image. Other steps are skipped, so that points far outside the image cost no
 * time.
 */
inline int2 steps_in_image(const line *l, const mesh_part *part, int width, int height, int depth)
{
    const float2 x = steps_along_axis(l->start.x, l->way.x, l->length, 0, width),
                 y = steps_along_axis(l->start.y, l->way.y, l->length, (float)part->shift_y + part->y0,
                                      (float)part->shift_y + height),
                 z = steps_along_axis(l->start.z, l->way.z, l->length, (float)part->shift_z + part->z0,
                                      (float)part->shift_z + depth);
    const float first = fmax(fmax(x.x, 0.0f), fmax(y.x, z.x)), end = fmin(fmin(x.y, 2.0f * MAX_LENGTH), fmin(y.y, z.y));
    return first < end ? (int2)((int)first, (int)end) : (int2)(0, 0);
}

#define STEPS_IN_MESH(l) steps_in_image(&(l), &part, mesh.width, mesh.height, mesh.depth)

inline int3 pixel_of_step(const line *l, int step, const mesh_part *part)
{
    const float far = (float)step * 0.5f;
    return (int3)((int)(l->start.x + l->way.x * far / l->length),
                  (int)(l->start.y + l->way.y * far / l->length) - part->shift_y,
                  (int)(l->start.z + l->way.z * far / l->length) - part->shift_z);
}

#define IS_DRAWN(pixel)                                                                                                \
    ((pixel).x >= 0 && (pixel).y >= part.y0 && (pixel).z >= part.z0 && INSIDE(mesh, (pixel).x, (pixel).y, (pixel).z))

/*
 * Runs a statement for each edge in a word of bits, from the smaller to the larger point. With eight `shares`, a
 * work-item handles every eighth edge. Points with large numbers come first, so that later edges find a value that they
 * cannot exceed and store nothing.
 */
#define EACH_EDGE(second, first)                                                                                       \
    const uint second = get_global_id(0), word_number = words - 1 - get_global_id(1);                                  \
    if (second >= count || get_global_id(1) >= words)                                                                  \
        return;                                                                                                        \
    const uint own = shares > 1 ? 0x01010101u << get_global_id(2) : 0xffffffffu;                                       \
    for (uint left = bits[(ulong)second * words + word_number] & own, first; left &&                                   \
        (first = word_number * 32 + 31 - clz(left), true);                                                             \
         left ^= 1u << first % 32)                                                                                     \
        if (first > 0 && first < second && second <= (uint)points.width)

/*
 * All lines store the same 1, so their order does not matter. Where lines are dense, testing first saves most stores.
 */
kernel void mesh_ones(INPUT(points), global const uint *bits, uint count, uint words, int shares, PART, OUTPUT(mesh))
{
    THE_PART
    EACH_EDGE(second, first) {
        const line l = LINE(first - 1, second - 1);
        const int2 steps = STEPS_IN_MESH(l);
        for (int step = steps.x; step < steps.y && has_step(&l, step); step++) {
            const int3 pixel = pixel_of_step(&l, step, &part);
            if (IS_DRAWN(pixel) && (shares == 1 || LOAD(mesh, pixel.x, pixel.y, pixel.z) != 1.0f))
                STORE(mesh, pixel.x, pixel.y, pixel.z, 1.0f);
        }
    }
}

/*
 * The result of a pass over the edges, for each pixel. FIRSTS: the largest first point. SECONDS: the largest second
 * point among edges from that first point. BOTH: both as halves of a word.
 */
enum { FIRSTS, SECONDS, BOTH };

enum { STEPS_AT_ONCE = 4 };     /* loads that overlap */

kernel void mesh_ends(INPUT(points), global const uint *bits, uint count, uint words, int shares, int pass,
                      volatile global uint *firsts, volatile global uint *seconds, PART, OUTPUT(mesh))
{
    THE_PART
    global const uint *known_firsts = (global const uint *)firsts,
                      *known_seconds = (global const uint *)seconds; /* this value may be outdated */
    EACH_EDGE(second, first) {
        const uint ends = pass == BOTH ? first << 16 | second : first;
        const line l = LINE(first - 1, second - 1);
        const int2 steps = STEPS_IN_MESH(l);
        for (int step = steps.x; step < steps.y && has_step(&l, step); step += STEPS_AT_ONCE) {
            ulong at[STEPS_AT_ONCE];
            bool wins[STEPS_AT_ONCE];
            for (int k = 0; k < STEPS_AT_ONCE; k++) {
                const int3 pixel = pixel_of_step(&l, step + k, &part);
                wins[k] = has_step(&l, step + k) && IS_DRAWN(pixel);
                at[k] = wins[k] ? ((ulong)(pixel.z - z0) * mesh.height + (pixel.y - y0)) * mesh.width + pixel.x : 0;
                if (pass == SECONDS)
                    wins[k] = wins[k] && known_firsts[at[k]] == first && (shares == 1 || known_seconds[at[k]] < second);
                else
                    wins[k] = wins[k] && (shares == 1 || known_firsts[at[k]] < ends);
            }
            for (int k = 0; k < STEPS_AT_ONCE; k++)
                if (wins[k])
                    atomic_max(pass == SECONDS ? &seconds[at[k]] : &firsts[at[k]], pass == SECONDS ? second : ends);
        }
    }
}

/*
 * Value of a line: the distance between its points in `source`, an entry of a matrix, or that entry's share of its
 * column's sum.
 */
enum { LENGTHS = 1, SHARES_OF_SUMS = 2 };

kernel void mesh_values(INPUT(source), int shown, global const float *sums, global const uint *firsts,
                        global const uint *seconds, int halves, int y0, int z0, OUTPUT(mesh))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(mesh, x, y, z) || y < y0 || z < z0)
        return;
    const ulong at = ((ulong)(z - z0) * mesh.height + (y - y0)) * mesh.width + x;
    const uint found = firsts[at], first = halves ? found >> 16 : found, second = halves ? found & 0xffff : seconds[at];
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
    const line l = LINE(first - 1, (int)second - 1);
    const int2 steps = STEPS_IN_MESH(l);
    for (int step = steps.x; step < steps.y && has_step(&l, step); step++) {
        const int3 pixel = pixel_of_step(&l, step, &part);
        if (IS_DRAWN(pixel))
            STORE(mesh, pixel.x, pixel.y, pixel.z, 1.0f);
    }
}

kernel void graph_below(INPUT(matrix), global uint *bits, uint count, uint words, float limit)
{
    const uint word = get_global_id(0), y = get_global_id(1);
    if (word >= words || y >= count)
        return;
    uint row_bits = 0;
    for (uint x = max(word * 32, 1u); y < (uint)matrix.height && x < min(word * 32 + 32, min(y, (uint)matrix.width));
         x++)
        if (LOAD(matrix, x, y, 0) < limit)
            row_bits |= 1u << x % 32;
    bits[(ulong)y * words + word] = row_bits;
}
