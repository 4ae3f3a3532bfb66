/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Merges peaks of insufficient prominence, for GPUs, in rounds; each pixel has the number of its peak as its owner. A
 * peak that rises enough above its highest pass is decided. A peak that joins it later brings no higher pass, because
 * it joins through its own highest pass. Two lists therefore only get shorter from round to round: the undecided peaks,
 * and the pixels on their borders.
 */
#include "prominence_lists.cl"

kernel void prominence_forget(global const uint *list, uint length, PEAKS)
{
    const uint i = get_global_id(0);
    if (i >= length)
        return;
    passes[list[i]] = goal_ranks[list[i]] = 0;
    goal_pixels[list[i]] = NOBODY;
}

/* Whether a peak has no pass, or rises enough above its highest one. */
inline bool is_decided(const peak_table t, uint peak, float tolerance)
{
    return t.goal_pixels[peak] == NOBODY || rises(t.ranks[peak], t.passes[peak], tolerance);
}

/*
 * Records a pass from peak a to peak b. The highest pass wins; of equally high passes, the one to the highest peak
 * wins.
 */
inline void note_pass(const peak_table t, uint a, uint b, uint pass, int turn)
{
    volatile global uint *const passes = t.passes, *const goal_ranks = t.goal_ranks, *const goal_pixels = t.goal_pixels;
    if (turn == 0 && passes[a] < pass)
        atomic_max(&passes[a], pass);
    if (turn == 1 && passes[a] == pass && goal_ranks[a] < t.ranks[b])
        atomic_max(&goal_ranks[a], t.ranks[b]);
    if (turn == 2 && passes[a] == pass && goal_ranks[a] == t.ranks[b] && goal_pixels[a] > t.pixels[b])
        atomic_min(&goal_pixels[a], t.pixels[b]);
}

/*
 * The host launches this kernel three times: for the heights of passes, for the peaks on their other side, and to
 * choose among equal peaks. In later rounds, the passes of decided peaks can only become lower, so these peaks stay
 * decided.
 */
kernel void prominence_passes(global const uint *list, uint length, global const uint *ranks, global const uint *owners,
                              uint width, uint height, uint depth, PEAKS, int turn)
{
    const uint i = get_global_id(0);
    uint after[3];
    if (i >= length)
        return;
    const uint at = list[i], a = owners[at];
    pixels_after(at, (extent){width, height, depth}, after);
    for (int axis = 0; axis < 3; axis++) {
        const uint b = owners[after[axis]], pass = min(ranks[at], ranks[after[axis]]);
        if (a == b)
            continue;
        note_pass(TABLE, a, b, pass, turn);
        note_pass(TABLE, b, a, pass, turn);
    }
}

/* Joins undecided peaks to higher ones, and sets lengths[2] if there were any. */
kernel void prominence_join(global const uint *list, uint length, global const uint *owners, PEAKS, float tolerance,
                            global uint *lengths)
{
    const uint i = get_global_id(0);
    if (i >= length || is_decided(TABLE, list[i], tolerance))
        return;
    const uint peak = list[i], other = owners[goal_pixels[peak]];
    if (goal_ranks[peak] > peak_ranks[peak] ||
        (goal_ranks[peak] == peak_ranks[peak] && goal_pixels[peak] < pixels[peak])) {
        joined_to[peak] = other;
        set_flag(lengths + 2);
    }
}

inline uint last_of(global const uint *joined_to, uint peak)
{
    while (joined_to[peak] != peak)
        peak = joined_to[peak];
    return peak;
}

/*
 * Keeps the pixels on borders of undecided peaks. The new owner of such a pixel is the peak that its old owner has
 * joined.
 */
kernel void prominence_keep_borders(global const uint *list, uint length, global uint *owners, uint width, uint height,
                                    uint depth, PEAKS, float tolerance, global uint *kept,
                                    volatile global uint *lengths)
{
    const uint i = get_global_id(0);
    bool stays = false;
    uint at = 0, after[3];
    if (i < length) {
        at = list[i];
        const uint own = owners[at] = last_of(joined_to, owners[at]);
        pixels_after(at, (extent){width, height, depth}, after);
        for (int axis = 0; axis < 3; axis++) {
            const uint other = owners[after[axis]] = last_of(joined_to, owners[after[axis]]);
            stays |=
                own != other && !(is_decided(TABLE, own, tolerance) && is_decided(TABLE, other, tolerance));
        }
    }
    PLACE_IN_LIST(stays, &lengths[0], place);
    if (stays)
        kept[place] = at;
}

/* Keeps the undecided peaks. */
kernel void prominence_keep_peaks(global const uint *list, uint length, PEAKS, float tolerance, global uint *kept,
                                  volatile global uint *lengths)
{
    const uint i = get_global_id(0);
    const bool stays = i < length && joined_to[list[i]] == list[i] && !is_decided(TABLE, list[i], tolerance);
    PLACE_IN_LIST(stays, &lengths[1], place);
    if (stays)
        kept[place] = list[i];
}

/* Marks the remaining peaks. The only peak of an image has no pass, and must rise enough above the lowest pixel. */
kernel void prominence_mark(global const uint *owners, PEAKS, global const uint *min_rank, float tolerance,
                            int width, int height, int depth, OUTPUT(to))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const uint at = ((uint)min(z, depth - 1) * height + min(y, height - 1)) * width + min(x, width - 1);
    const uint peak = owners[at];
    const bool is_top = x < width && y < height && z < depth && pixels[peak] == at && joined_to[peak] == peak;
    const bool marked =
        is_top && rises(peak_ranks[peak], goal_pixels[peak] == NOBODY ? *min_rank : passes[peak], tolerance);
    STORE(to, x, y, z, marked ? 1.0f : 0.0f);
}
