/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Histograms in local memory, several copies of each so that equal pixels meet less often; one flush a group.
 * low..high are the arguments, or the minimum and maximum of a tally of the image. Pixels outside are not counted.
 */

/* The bins of four pixels, -1 for those that have none. */
#define FIND_BINS                                                                                                                \
    const int4 bin = select((int4)(-1), convert_int4(clamp((a - low) * last * factor, 0.0f, last)), (a >= low) & (a <= high) & keep); \
    int found[4];                                                                                                                \
    vstore4(bin, 0, found);

inline void count_pixels(volatile global uint *bins, volatile local uint *copies, int bin, int copy_count, uint number)
{
    if (copy_count > 0)
        atomic_add(&copies[bin * copy_count + (int)get_local_id(0) % copy_count], number);
    else
        atomic_add(&bins[bin], number);
}

/* Equal neighbours are counted at once: processors' atomics are slow. */
#define COUNT_RUNS                                                                                                               \
    FIND_BINS                                                                                                                    \
    uint number = 1;                                                                                                             \
    for (int n = 0; n < 4; n++, number++)                                                                                        \
        if (n == 3 || found[n + 1] != found[n]) {                                                                                \
            if (found[n] >= 0)                                                                                                   \
                count_pixels(bins, copies, found[n], copy_count, number);                                                        \
            number = 0;                                                                                                          \
        }

#define COUNT_EACH                                                                                                               \
    FIND_BINS                                                                                                                    \
    for (int n = 0; n < 4; n++)                                                                                                  \
        if (found[n] >= 0)                                                                                                       \
            atomic_inc(&mine[found[n] * copy_count]);

/* copy_count 0: bins that no local memory holds are counted in global memory. */
kernel void histogram(INPUT(source), global const float *all, global uint *bins, local uint *copies, int bin_count,
                      int copy_count, int measured, float low, float high, long count, int dense, int joined)
{
    if (measured) {
        low = all[2 * SUMS];
        high = all[2 * SUMS + 1];
    }
    for (int i = (int)get_local_id(0); i < bin_count * copy_count; i += (int)get_local_size(0))
        copies[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const float last = (float)(bin_count - 1), range = high - low, factor = range > 0.0f ? DIVIDE((FLOATV)(1.0f), (FLOATV)(range)).s0 : 0.0f;
    if (joined || copy_count == 0) {
        EACH_FOUR(source, COUNT_RUNS)
    } else {
        volatile local uint *mine = copies + (int)get_local_id(0) % copy_count;
        EACH_FOUR(source, COUNT_EACH)
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = (int)get_local_id(0); copy_count > 0 && i < bin_count; i += (int)get_local_size(0)) {
        uint sum = 0;
        for (int k = 0; k < copy_count; k++)
            sum += copies[i * copy_count + k];
        if (sum > 0)
            atomic_add((volatile global uint *)&bins[i], sum);
    }
}

kernel void histogram_image(global const uint *bins, OUTPUT(to))
{
    const int x = (int)get_global_id(0);
    if (x < to.width)
        STORE(to, x, 0, 0, (float)bins[x]);
}
