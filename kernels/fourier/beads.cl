/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds beads in an image: quantiles of its pixels, positions of beads, and their average shape. */

enum { RANK_BINS = 2048, CENTRE_REACH = 2 };

/* Integers that sort like the values. */
inline uint rank_key(float value)
{
    const uint bits = as_uint(value);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

/*
 * Counts the pixels from `first` to `end` for a radix select. Counts by the bits from `shift` on those pixels whose key
 * equals `known` above bit `above`.
 */
kernel void beads_rank(INPUT(image), uint known, int above, int shift, long first, long end, global uint *bins)
{
    local uint own[RANK_BINS];
    for (int i = (int)get_local_id(0); i < RANK_BINS; i += (int)get_local_size(0))
        own[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (long n = first + get_global_id(0); n < end; n += get_global_size(0)) {
        const uint key =
            rank_key(LOAD(image, n % image.width, n / image.width % image.height, n / image.width / image.height));
        if (above == 32 || key >> above == known)
            atomic_inc(&own[(key >> shift) % RANK_BINS]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = (int)get_local_id(0); i < RANK_BINS; i += (int)get_local_size(0))
        if (own[i] > 0)
            atomic_add(&bins[i], own[i]);
}

/*
 * Whether a pixel is a bead: no pixel of its box is brighter, and no earlier pixel is as bright. Near pixels are tested
 * first, because they decide most often.
 */
inline bool is_bead(INPUT(image), int x, int y, int z, int rx, int ry, int rz, float value)
{
    for (int near = 1; near >= 0; near--) {
        const int wx = near ? min(rx, 1) : rx, wy = near ? min(ry, 1) : ry, wz = near ? min(rz, 1) : rz;
        for (int k = -wz; k <= wz; k++)
            for (int j = -wy; j <= wy; j++)
                for (int i = -wx; i <= wx; i++) {
                    const float other = LOAD(image, x + i, y + j, z + k);
                    const bool before = k < 0 || (k == 0 && (j < 0 || (j == 0 && i < 0)));
                    if (other > value || (before && other == value))
                        return false;
                }
    }
    return true;
}

/*
 * Whether the camera clipped the bead: more pixels have the image's largest value than can surround a centre between
 * pixels.
 */
inline bool is_saturated(INPUT(image), int x, int y, int z, float brightest)
{
    int equal = 0;
    for (int k = max(-CENTRE_REACH, -z); k <= CENTRE_REACH; k++)
        for (int j = max(-CENTRE_REACH, -y); j <= CENTRE_REACH; j++)
            for (int i = max(-CENTRE_REACH, -x); i <= CENTRE_REACH; i++)
                equal += INSIDE(image, x + i, y + j, z + k) && LOAD(image, x + i, y + j, z + k) == brightest;
    return equal > (image.depth > 1 ? 8 : 4);
}

/*
 * `found` receives the number of beads, the number of saturated beads, which are not listed, and then x, y, z of each
 * bead, up to `max_beads`. A bead's box and a margin of one pixel lie in the image.
 */
kernel void beads_find(INPUT(image), int rx, int ry, int rz, float threshold, float brightest, int max_beads,
                       global int *found)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (x < rx + 1 || y < ry + 1 || z < rz || x + rx + 1 >= image.width || y + ry + 1 >= image.height ||
        z + rz >= image.depth)
        return;
    const float value = LOAD(image, x, y, z);
    if (!(value >= threshold) || !is_bead(image_pixels, image, x, y, z, rx, ry, rz, value))
        return;
    const bool saturated = is_saturated(image_pixels, image, x, y, z, brightest);
    const int n = atomic_inc(&found[saturated]);
    if (!saturated && n < max_beads) {
        found[2 + 3 * n] = x;
        found[3 + 3 * n] = y;
        found[4 + 3 * n] = z;
    }
}

/* Computes the centroid of the light above the background around each bead, as three offsets. */
kernel void beads_centre(INPUT(image), global const int *found, int beads, float background, global float *offsets)
{
    const int n = (int)get_global_id(0);
    if (n >= beads)
        return;
    float sum = 0.0f, mx = 0.0f, my = 0.0f, mz = 0.0f;
    const int rz = image.depth > 2 ? CENTRE_REACH : 0;
    for (int k = -rz; k <= rz; k++)
        for (int j = -CENTRE_REACH; j <= CENTRE_REACH; j++)
            for (int i = -CENTRE_REACH; i <= CENTRE_REACH; i++) {
                const int x = found[2 + 3 * n] + i, y = found[3 + 3 * n] + j, z = found[4 + 3 * n] + k;
                const float light = min(x, min(y, z)) >= 0 && INSIDE(image, x, y, z)
                                        ? fmax(LOAD(image, x, y, z) - background, 0.0f)
                                        : 0.0f;
                sum += light;
                mx += light * (float)i;
                my += light * (float)j;
                mz += light * (float)k;
            }
    offsets[3 * n] = sum > 0.0f ? mx / sum : 0.0f;
    offsets[3 * n + 1] = sum > 0.0f ? my / sum : 0.0f;
    offsets[3 * n + 2] = sum > 0.0f ? mz / sum : 0.0f;
}

/*
 * Weights of the pixels from -1 to 2 for a position between 0 and 1. This cubic preserves widths (Keys 1981), whereas
 * linear interpolation would blur.
 */
inline float4 cubic_weights(float t)
{
    return (float4)(((1.0f - 0.5f * t) * t - 0.5f) * t, (1.5f * t - 2.5f) * t * t + 1.0f,
                    ((2.0f - 1.5f * t) * t + 0.5f) * t, 0.5f * (t - 1.0f) * t * t);
}

/* Sums all beads above the background, each with its centre in the middle. */
kernel void beads_add(INPUT(image), global const int *found, global const float *offsets, int beads, float background,
                      OUTPUT(box))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(box, x, y, z))
        return;
    float all = 0.0f;
    for (int n = 0; n < beads; n++) {
        const float3 offset = vload3(n, offsets), whole = floor(offset), part = offset - whole;
        const int3 at = vload3(n, found + 2) + convert_int3(whole) +
                        (int3)(x - box.width / 2, y - box.height / 2, z - box.depth / 2);
        const float4 wx = cubic_weights(part.x);
        float wy[4], wz[4], sum = 0.0f;
        vstore4(cubic_weights(part.y), 0, wy);
        vstore4(cubic_weights(part.z), 0, wz);
        for (int k = 0; k < 4; k++)
            for (int j = 0; j < 4; j++) {
                const int v = at.y + j - 1, w = at.z + k - 1;
                const float4 row = (float4)(LOAD_CLAMPED(image, at.x - 1, v, w), LOAD_CLAMPED(image, at.x, v, w),
                                            LOAD_CLAMPED(image, at.x + 1, v, w), LOAD_CLAMPED(image, at.x + 2, v, w));
                sum += wz[k] * wy[j] * dot(wx, row);
            }
        all += sum - background;
    }
    STORE(box, x, y, z, all);
}
