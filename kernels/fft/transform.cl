/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps between transforms, and the test of a plan: images of two points, whose spectra are known. */

enum { FFT_GROUP = 256 };

/* An image is 1 at one place and 1/2 at another. */
inline float two_points(int3 at, int3 one, int3 other)
{
    return (all(at == one) ? 1.0f : 0.0f) + (all(at == other) ? 0.5f : 0.0f);
}

kernel void fft_test_fill(OUTPUT(image), int ax, int ay, int az, int bx, int by, int bz)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (INSIDE(image, x, y, z))
        STORE(image, x, y, z, two_points((int3)(x, y, z), (int3)(ax, ay, az), (int3)(bx, by, bz)));
}

/* exp(-2 pi i k p / n), summed over the axes */
inline float2 wave(int3 k, int3 p, int3 n)
{
    const float turn = (float)((long)k.x * p.x % n.x) / (float)n.x + (float)((long)k.y * p.y % n.y) / (float)n.y +
                       (float)((long)k.z * p.z % n.z) / (float)n.z;
    const float half_turns = 2.0f * (turn - floor(turn));
    return (float2)(cospi(half_turns), -sinpi(half_turns));
}

/* Each group writes the largest error that it meets. */
inline void write_worst(local float *worst, float error, global float *results)
{
    const int i = (int)get_local_id(0);
    worst[i] = isnan(error) ? INFINITY : error;
    for (int step = FFT_GROUP / 2; step > 0; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i < step)
            worst[i] = fmax(worst[i], worst[i + step]);
    }
    if (i == 0)
        results[get_group_id(0)] = worst[0];
}

kernel void fft_test_spectrum(INPUT(spectrum), int width, int ax, int ay, int az, int bx, int by, int bz, long count, global float *results)
{
    local float worst[FFT_GROUP];
    const int3 n = (int3)(width, spectrum.height, spectrum.depth);
    const int columns = spectrum.width / 2;
    float error = 0.0f;
    for (long i = get_global_id(0); i < count; i += get_global_size(0)) {
        const int3 k = (int3)((int)(i % columns), (int)(i / columns % n.y), (int)(i / columns / n.y));
        const float2 due = wave(k, (int3)(ax, ay, az), n) + 0.5f * wave(k, (int3)(bx, by, bz), n);
        const float2 got = (float2)(LOAD(spectrum, 2 * k.x, k.y, k.z), LOAD(spectrum, 2 * k.x + 1, k.y, k.z));
        error = isnan(got.x + got.y) ? INFINITY : fmax(error, fmax(fabs(got.x - due.x), fabs(got.y - due.y)));
    }
    write_worst(worst, error, results);
}

kernel void fft_test_image(INPUT(image), int ax, int ay, int az, int bx, int by, int bz, long count, global float *results)
{
    local float worst[FFT_GROUP];
    float error = 0.0f;
    for (long i = get_global_id(0); i < count; i += get_global_size(0)) {
        const int3 at = (int3)((int)(i % image.width), (int)(i / image.width % image.height), (int)(i / image.width / image.height));
        const float got = LOAD(image, at.x, at.y, at.z);
        error = isnan(got) ? INFINITY : fmax(error, fabs(got - two_points(at, (int3)(ax, ay, az), (int3)(bx, by, bz))));
    }
    write_worst(worst, error, results);
}

/* Rows of width 1 hold one number each, which a complex transform reads as a pair. */
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
    const float2 a = *target, k = *(global const float2 *)((global const float *)factor_pixels + AT(factor, 2 * x, y, z));
    const float s = conjugate ? -k.y : k.y;
    *target = (float2)(a.x * k.x - a.y * s, a.x * s + a.y * k.x);
}

/* Whole rows, in pairs. */
kernel void fft_copy(INPUT(from), OUTPUT(to))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (x < to.width / 2 && y < to.height && z < to.depth)
        *(global float2 *)((global float *)to_pixels + AT(to, 2 * x, y, z)) =
            *(global const float2 *)((global const float *)from_pixels + AT(from, 2 * x, y, z));
}

/* Does nothing, to memory that others read or write before or after. */
kernel void fft_touch(global const uchar *a, global const uchar *b, global const uchar *c)
{
}
