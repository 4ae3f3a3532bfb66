/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stores one bit per pixel in 32-bit words, and finds the rank of each set bit among all set bits. Ranks take three
 * launches, so that no work-group waits for another: rank_count, rank_scan if there are many chunks of words, and
 * rank_words.
 */

enum { CHUNK = 4096, CHUNK_LANES = 256, LANE_WORDS = CHUNK / CHUNK_LANES };

/* Exclusive prefix sum over the work-group; *total is the sum of all. */
inline uint scan_lanes(local uint *sums, uint value, uint *total)
{
    const int lane = get_local_id(0);
    sums[lane] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 1; step < CHUNK_LANES; step *= 2) {
        const uint below = lane >= step ? sums[lane - step] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        sums[lane] += below;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    *total = sums[CHUNK_LANES - 1];
    return sums[lane] - value;
}

kernel void rank_count(global const uint *bits, global uint *counts, uint words)
{
    local uint sums[CHUNK_LANES];
    const int lane = get_local_id(0);
    const uint chunk = get_group_id(0);
    uint mine = 0;
    for (uint i = lane; i < CHUNK; i += CHUNK_LANES)
        if (chunk * CHUNK + i < words)
            mine += popcount(bits[chunk * CHUNK + i]);
    sums[lane] = mine;
    for (int half_size = CHUNK_LANES / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < half_size)
            sums[lane] += sums[lane + half_size];
    }
    if (lane == 0)
        counts[chunk] = sums[0];
}

/* Replaces, in one work-group, the counts by the number of bits before each chunk, followed by the total. */
kernel void rank_scan(global uint *counts, uint chunks)
{
    local uint sums[CHUNK_LANES];
    const uint lane = get_local_id(0), share = (chunks + CHUNK_LANES - 1) / CHUNK_LANES;
    const uint end = min(chunks, (lane + 1) * share);
    uint mine = 0, total;
    for (uint i = lane * share; i < end; i++)
        mine += counts[i];
    uint before = scan_lanes(sums, mine, &total);
    for (uint i = lane * share; i < end; i++) {
        const uint count = counts[i];
        counts[i] = before;
        before += count;
    }
    if (lane == 0)
        counts[chunks] = total;
}

/*
 * before[word] receives the number of set bits in all earlier words. Words are read in quads, except the last ones. If
 * there are few chunks, rank_scan is not launched (`scanned` is 0). Each work-group then adds the counts of the chunks
 * before its own, and the last work-group writes the total after the counts.
 */
kernel void rank_words(global const uint *bits, global uint *counts, global uint *before, uint words, uint chunks,
                       int scanned)
{
    local uint sums[CHUNK_LANES], earlier;
    const uint lane = get_local_id(0), first = get_group_id(0) * CHUNK + lane * LANE_WORDS;
    const bool whole = first + LANE_WORDS <= words;
    uint mine = 0, total;
    uint4 quad[LANE_WORDS / 4];
    for (uint i = 0; i < LANE_WORDS / 4; i++) {
        quad[i] = whole ? *(global const uint4 *)(bits + first + 4 * i) : (uint4)(0);
        const uint4 pixels = popcount(quad[i]);
        mine += pixels.x + pixels.y + pixels.z + pixels.w;
    }
    for (uint i = first; !whole && i < words; i++)
        mine += popcount(bits[i]);
    if (lane == 0)
        earlier = scanned ? counts[get_group_id(0)] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = lane; !scanned && i < get_group_id(0); i += CHUNK_LANES)
        atomic_add(&earlier, counts[i]);
    uint rank = scan_lanes(sums, mine, &total);
    rank += earlier;
    if (!scanned && lane == 0 && get_group_id(0) == chunks - 1)
        counts[chunks] = earlier + total;
    for (uint i = 0; whole && i < LANE_WORDS / 4; i++) {
        const uint4 pixels = popcount(quad[i]);
        const uint second = rank + pixels.x, third = second + pixels.y, fourth = third + pixels.z;
        *(global uint4 *)(before + first + 4 * i) = (uint4)(rank, second, third, fourth);
        rank = fourth + pixels.w;
    }
    for (uint i = first; !whole && i < words; i++) {
        before[i] = rank;
        rank += popcount(bits[i]);
    }
}

/* Rank, from 1, of a set bit. `bit` may also be any position between this bit and the previous set bit. */
inline uint rank_of(global const uint *bits, global const uint *before, uint word, uint bit)
{
    return before[word] + popcount(bits[word] & ((1u << bit) - 1)) + 1;
}

/*
 * Packs one bit for each pixel, 1 if the pixel is not 0, with `row_words` words per row. A row of the work-group
 * computes one word.
 */
kernel void pack_bits(INPUT(source), global uint *bits, int row_words)
{
    local uint flags[8][8];
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    const int lane = get_local_id(0), line = get_local_id(1);
    ((local uchar *)flags[line])[lane] = INSIDE(source, x, y, z) && LOAD(source, x, y, z) != 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane > 0 || y >= source.height)
        return;
    uint word = 0;
    for (int i = 0; i < 8; i++)     /* the product moves four flags, one per byte, into adjacent bits */
        word |= (flags[line][i] * 0x01020408u >> 24 & 15u) << 4 * i;
    bits[((uint)z * source.height + y) * row_words + x / 32] = word;
}

/*
 * Reads the labels of four pixels as words that sort like the labels. In a float32 image, a word has the bits of the
 * float, which saves a conversion. label_of_word converts a word to its label.
 */
inline uint4 load_four_words(global const uchar *pixels, int type, INDEX at)
{
    if (type != FLOAT32)
        return load_four_labels(pixels, type, at);
    const uint4 bits = *(global const uint4 *)((global const uint *)pixels + at);
    return select(bits, (uint4)(0), bits > (uint4)(0x7f800000));       /* NaN and negative values become background */
}

inline uint load_word(global const uchar *pixels, int type, INDEX at)
{
    if (type != FLOAT32)
        return load_label(pixels, type, at);
    const uint bits = ((global const uint *)pixels)[at];
    return bits > 0x7f800000 ? 0 : bits;
}

inline uint label_of_word(uint word, int type)
{
    return type == FLOAT32 ? (uint)min(as_float(word), 4294967040.0f) : word;
}
