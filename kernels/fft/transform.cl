/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Steps between transforms, and a self-test of a transform. The test uses images of two points, whose spectra are
 * known.
 */

enum { FFT_GROUP = 256 };
enum { FFT_FILL, FFT_IMAGE, FFT_SPECTRUM };

/* The image is 1 at one place and 1/2 at the other. */
inline float two_points(int3 at, int3 one, int3 other)
{
    return (all(at == one) ? 1.0f : 0.0f) + (all(at == other) ? 0.5f : 0.0f);
}

/* exp(-2 pi i k p / n), summed over the axes */
inline float2 wave(int3 k, int3 p, int3 n)
{
    const float turn = (float)((long)k.x * p.x % n.x) / (float)n.x + (float)((long)k.y * p.y % n.y) / (float)n.y +
                       (float)((long)k.z * p.z % n.z) / (float)n.z;
    const float half_turns = 2.0f * (turn - floor(turn));
    return (float2)(cospi(half_turns), -sinpi(half_turns));
}

/*
 * Fills an image of two points, or compares an image or spectrum with it pair by pair. Each work-group writes its
 * largest error.
 */
kernel void fft_test(OUTPUT(pairs), int what, int width, int ax, int ay, int az, int bx, int by, int bz, long count,
                     global float *results)
{
    local float worst[FFT_GROUP];
    const int3 n = (int3)(width, pairs.height, pairs.depth), a = (int3)(ax, ay, az), b = (int3)(bx, by, bz);
    const int columns = pairs.width / 2, item = (int)get_local_id(0);
    float error = 0.0f;
    for (long i = get_global_id(0); i < count; i += get_global_size(0)) {
        const int3 k = (int3)((int)(i % columns), (int)(i / columns % n.y), (int)(i / columns / n.y)),
                   at = (int3)(2 * k.x, k.y, k.z);
        global float2 *pair = (global float2 *)((global float *)pairs_pixels + AT(pairs, at.x, at.y, at.z));
        const float2 due = what == FFT_SPECTRUM
                               ? wave(k, a, n) + 0.5f * wave(k, b, n)
                               : (float2)(two_points(at, a, b), two_points(at + (int3)(1, 0, 0), a, b));
        if (what == FFT_FILL) {
            *pair = due;
            continue;
        }
        const float2 off = fabs(*pair - due);
        const float x = what == FFT_SPECTRUM || at.x < width ? off.x : 0.0f,
                    y = what == FFT_SPECTRUM || at.x + 1 < width ? off.y : 0.0f;
        error = isnan(x + y) ? INFINITY : fmax(error, fmax(x, y));
    }
    if (what == FFT_FILL)
        return;
    worst[item] = error;
    for (int step = FFT_GROUP / 2; step > 0; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < step)
            worst[item] = fmax(worst[item], worst[item + step]);
    }
    if (item == 0)
        results[get_group_id(0)] = worst[0];
}

/*
 * For rows of width 1, which hold one number each: sets the second number of the pair that a complex transform reads.
 */
kernel void fft_make_real(OUTPUT(rows))
{
    const int y = (int)get_global_id(0), z = (int)get_global_id(1);
    if (y < rows.height && z < rows.depth)
        STORE(rows, 1, y, z, 0.0f);
}

/* spectrum *= kernel, or its conjugate */
kernel void fft_multiply(OUTPUT(spectrum), INPUT(factor), int conjugate)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (x >= spectrum.width / 2 || y >= spectrum.height || z >= spectrum.depth)
        return;
    global float2 *target = (global float2 *)((global float *)spectrum_pixels + AT(spectrum, 2 * x, y, z));
    const float2 a = *target,
                 k = *(global const float2 *)((global const float *)factor_pixels + AT(factor, 2 * x, y, z));
    const float s = conjugate ? -k.y : k.y;
    *target = (float2)(a.x * k.x - a.y * s, a.x * s + a.y * k.x);
}

/* Copies whole rows as pairs. */
kernel void fft_copy(INPUT(from), OUTPUT(to))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (x < to.width / 2 && y < to.height && z < to.depth)
        *(global float2 *)((global float *)to_pixels + AT(to, 2 * x, y, z)) =
            *(global const float2 *)((global const float *)from_pixels + AT(from, 2 * x, y, z));
}

/* Does nothing. Its arguments make it depend on the memory that other commands read or write. */
kernel void fft_touch(global const uchar *a, global const uchar *b, global const uchar *c)
{
}
