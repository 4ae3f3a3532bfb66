/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * watershed_step for CPUs. A work-item computes a whole tile, eight pixels of a row at a time, because on a CPU each
 * work-item costs time even if it finds nothing new. Each eight pixels of a slice have two bits: one is set if none of
 * them still climbs, the other if both pairs of images hold the same values for them. Pixels with both bits are
 * skipped.
 */
#include "watershed.cl"
typedef struct {
    uint done, same;
} tile_state;

inline bool is_any(int8 lanes)
{
    const int4 some = lanes.lo | lanes.hi;
    return ((some.x | some.y) | (some.z | some.w)) != 0;
}

#define CLIMB_PARAMETERS                                                                                               \
    global const uint *labels, global const float *heights, global uint *to_labels, global float *to_heights,          \
        int width, int height, int depth,                                                                              \
        float threshold, int x, int y, int z

/*
 * Eight pixels of a row with neighbours on both sides; `bit` belongs to them. Returns which of them moved, and in
 * `gained` which got a label. A neighbour beyond the border is the border pixel.
 */
IN_PLACE int8 climb_eight(CLIMB_PARAMETERS, tile_state *state, uint bit, int8 *gained)
{
    const ulong at = ((ulong)z * height + y) * width + x;
    const uint8 label = vload8(0, labels + at);
    const float8 top = vload8(0, heights + at);
    const int8 climbs = (label == 0) & (top > threshold);
    uint8 name = label;
    float8 best = top;
    if (is_any(climbs))
        for (int i = -1; i <= 1; i++)
            for (int j = max(y - 1, 0); j <= min(y + 1, height - 1); j++)
                for (int k = max(z - 1, 0); k <= min(z + 1, depth - 1); k++) {
                    const ulong there = ((ulong)k * height + j) * width + x + i;
                    const float8 beside = vload8(0, heights + there);
                    const int8 higher = (beside > best) & climbs;
                    best = select(best, beside, higher);
                    name = select(name, vload8(0, labels + there), as_uint8(higher));
                }
    else
        state->done |= bit;
    const int8 moved = best > top;
    const bool moves = is_any(moved);
    if (moves || !(state->same & bit)) {
        vstore8(name, 0, to_labels + at);
        vstore8(best, 0, to_heights + at);
    }
    state->same = moves ? state->same & ~bit : state->same | bit;
    *gained = moved & (name != 0);
    return moved;
}

enum { CLIMB_EIGHTS = CLIMB_COLUMNS / 8 };

/* Like climb_eight, for a single pixel anywhere, in its own lane. */
inline int8 climb_one(CLIMB_PARAMETERS, int8 *gained)
{
    const ulong at = ((ulong)z * height + y) * width + x;
    const float top = heights[at];
    uint name = labels[at];
    float best = top;
    if (name == 0 && top > threshold)
        for (int i = max(x - 1, 0); i <= min(x + 1, width - 1); i++)
            for (int j = max(y - 1, 0); j <= min(y + 1, height - 1); j++)
                for (int k = max(z - 1, 0); k <= min(z + 1, depth - 1); k++) {
                    const ulong there = ((ulong)k * height + j) * width + i;
                    if (heights[there] > best) {
                        best = heights[there];
                        name = labels[there];
                    }
                }
    to_labels[at] = name;
    to_heights[at] = best;
    const int8 moved = (int8)(0, 1, 2, 3, 4, 5, 6, 7) == (best > top ? x % 8 : -1);
    *gained = name != 0 ? moved : 0;
    return moved;
}

/*
 * Runs a step for a row of a tile. `bit` belongs to its first eight pixels. Returns the lanes in which a pixel got a
 * label. `moves` receives, for each eight pixels, the lanes that moved.
 */
IN_PLACE int8 climb_row(CLIMB_PARAMETERS, tile_state *state, uint bit, int8 *moves)
{
    int8 gains = 0;
    for (int n = 0; n < CLIMB_EIGHTS; n++, bit <<= 1) {
        const int first = x + 8 * n;
        int8 gained;
        moves[n] = 0;
        if (state->done & state->same & bit)
            continue;
        if (first > 0 && first + 8 < width) {
            moves[n] = climb_eight(labels, heights, to_labels, to_heights, width, height, depth, threshold, first, y, z,
                                   state, bit, &gained);
            gains |= gained;
            continue;
        }
        for (int one = first; one < min(first + 8, width); one++) {
            moves[n] |=
                climb_one(labels, heights, to_labels, to_heights, width, height, depth, threshold, one, y, z, &gained);
            gains |= gained;
        }
    }
    return gains;
}

/* Marks the tiles that have pixels next to those of a row that moved. */
IN_PLACE void note_moves(global uint *last_change, uint step, int width, int height, int depth, int shift, int x, int y,
                         int z, const int8 *moves)
{
    int8 moved = 0;
    for (int n = 0; n < CLIMB_EIGHTS; n++)
        moved |= moves[n];
    if (!is_any(moved))
        return;
    note_step(last_change, step, width, height, depth, shift, x + 1, y, z, z);
    if (moves[0].s0)
        note_step(last_change, step, width, height, depth, shift, x, y, z, z);
    if (moves[CLIMB_EIGHTS - 1].s7)
        note_step(last_change, step, width, height, depth, shift, x + CLIMB_COLUMNS - 1, y, z, z);
}

/* `states` has one entry for each slice of each tile, zeros before the first step. */
kernel void watershed_step_of_tiles(STEP_PARAMETERS, global tile_state *states)
{
    const int column = (int)get_global_id(0), row = (int)get_global_id(1), layer = (int)get_global_id(2),
              front = layer << shift;
    const int columns = (width + CLIMB_COLUMNS - 1) / CLIMB_COLUMNS, rows = (height + CLIMB_ROWS - 1) / CLIMB_ROWS;
    if (column >= columns || row >= rows || front >= depth || !changed[left + 1] ||
        last_change[((uint)layer * rows + row) * columns + column] + 1 < step)
        return;
    int8 gains = 0;
    for (int z = front; z < min(front + (1 << shift), depth); z++) {
        global tile_state *const kept = states + ((ulong)z * rows + row) * columns + column;
        tile_state state = *kept;
        for (int line = 0; line < min(CLIMB_ROWS, height - row * CLIMB_ROWS); line++) {
            const int x = column * CLIMB_COLUMNS, y = row * CLIMB_ROWS + line;
            int8 moves[CLIMB_EIGHTS];
            gains |= climb_row(labels, heights, to_labels, to_heights, width, height, depth, threshold, x, y, z, &state,
                               1u << CLIMB_EIGHTS * line, moves);
            note_moves(last_change, step, width, height, depth, shift, x, y, z, moves);
        }
        *kept = state;
    }
    if (is_any(gains))
        set_flag(changed + left);
}
