/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Merges peaks of insufficient prominence, for GPUs, in rounds; each pixel has the number of its peak as its owner. A
 * peak that rises enough above its highest pass is decided. Each other peak merges with the peak beyond its highest
 * pass, and the higher of the two remains. If the peak itself remains, the other one does not count either: it rises
 * even less above this pass. The merged peak may then have a higher pass, which changes no decision, because the peak
 * rises even less above it. A decided peak only merges with peaks whose highest pass leads to it, which bring no higher
 * pass. Two lists therefore only get shorter from round to round: the undecided peaks, and the pixels on borders where
 * peaks may merge. Each undecided peak merges in each round, so a round at least halves the number of these peaks.
 */
#include "prominence_lists.cl"

/* Whether a peak has no pass, or rises enough above its highest one. */
inline bool is_decided(const peak_table t, uint peak, float tolerance)
{
    return t.goals[peak] == NOBODY || rises(t.ranks[peak], t.passes[peak], tolerance);
}

/* Records a pass from peak a to peak b: in turn 0 its height, and in turn 1 its goal if no pass is higher. */
inline void note_pass(const peak_table t, uint a, uint b, uint pass, int turn)
{
    volatile global uint *const highest = &t.passes[a];
    if (turn == 0 && *highest < pass)
        atomic_max(highest, pass);
    if (turn == 1 && t.passes[a] == pass)
        t.goals[a] = b;
}

/*
 * The host launches this kernel twice. In later rounds, the passes of decided peaks can only become lower, so these
 * peaks stay decided. Of equally high passes, any may win: the same peaks remain.
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

/* Finds the peak that remains of a peak, and shortens the path to it. */
inline uint last_of(volatile global uint *joined_to, uint peak)
{
    for (;;) {
        const uint next = joined_to[peak], last = joined_to[next];
        if (next == last)
            return next;
        joined_to[peak] = last;
        peak = last;
    }
}

inline bool is_higher_peak(const peak_table t, uint a, uint b)
{
    return t.ranks[a] > t.ranks[b] || (t.ranks[a] == t.ranks[b] && t.pixels[a] < t.pixels[b]);
}

/* Merges each undecided peak with the peak beyond its highest pass. */
kernel void prominence_join(global const uint *list, uint length, PEAKS, float tolerance)
{
    const uint i = get_global_id(0);
    if (i >= length || is_decided(TABLE, list[i], tolerance))
        return;
    uint peak = list[i], other = goals[peak];
    for (;;) {
        peak = last_of(joined_to, peak);
        other = last_of(joined_to, other);
        const uint low = is_higher_peak(TABLE, peak, other) ? other : peak, high = low == peak ? other : peak;
        if (low == high || atomic_cmpxchg((volatile global uint *)&joined_to[low], low, high) == low)
            return;
    }
}

/* Keeps the undecided peaks that remain, without their passes, and shortens the paths of the others. */
kernel void prominence_keep_peaks(global const uint *list, uint length, PEAKS, float tolerance, global uint *kept,
                                  volatile global uint *lengths)
{
    const uint i = get_global_id(0), peak = i < length ? list[i] : 0;
    const bool stays = i < length && last_of(joined_to, peak) == peak && !is_decided(TABLE, peak, tolerance);
    PLACE_IN_LIST(stays, &lengths[1], place);
    if (!stays)
        return;
    kept[place] = peak;
    passes[peak] = 0;
    goals[peak] = NOBODY;
}

/* Keeps the pixels where peaks may merge. The new owner of a pixel is what remains of its old owner. */
kernel void prominence_keep_borders(global const uint *list, uint length, global const uint *ranks, global uint *owners,
                                    uint width, uint height, uint depth, PEAKS, float tolerance, global uint *kept,
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
            stays |= own != other && may_merge(peak_ranks[own], peak_ranks[other], min(ranks[at], ranks[after[axis]]),
                                               tolerance);
        }
    }
    PLACE_IN_LIST(stays, &lengths[0], place);
    if (stays)
        kept[place] = at;
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
        is_top && rises(peak_ranks[peak], goals[peak] == NOBODY ? *min_rank : passes[peak], tolerance);
    STORE(to, x, y, z, marked ? 1.0f : 0.0f);
}
