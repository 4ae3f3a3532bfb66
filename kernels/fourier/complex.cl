/* SPDX-License-Identifier: BSD-3-Clause */
/* Images of complex numbers, stored as pairs along x. */

kernel void complex_multiply(INPUT(a), INPUT(b), OUTPUT(to))
{
    const int x = 2 * (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const float ar = LOAD_CLAMPED(a, x, y, z), ai = LOAD_CLAMPED(a, x + 1, y, z);
    const float br = LOAD_CLAMPED(b, x, y, z), bi = LOAD_CLAMPED(b, x + 1, y, z);
    STORE(to, x, y, z, ar * br - ai * bi);
    if (x + 1 < to.width)
        STORE(to, x + 1, y, z, ar * bi + ai * br);
}

kernel void complex_split(INPUT(from), OUTPUT(real), OUTPUT(imaginary))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (INSIDE(real, x, y, z))
        STORE(real, x, y, z, LOAD_CLAMPED(from, 2 * x, y, z));
    if (INSIDE(imaginary, x, y, z))
        STORE(imaginary, x, y, z, LOAD_CLAMPED(from, 2 * x + 1, y, z));
}

kernel void complex_combine(INPUT(real), INPUT(imaginary), OUTPUT(to))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (INSIDE(to, 2 * x, y, z))
        STORE(to, 2 * x, y, z, LOAD_CLAMPED(real, x, y, z));
    if (INSIDE(to, 2 * x + 1, y, z))
        STORE(to, 2 * x + 1, y, z, LOAD_CLAMPED(imaginary, x, y, z));
}

/* Writes the whole power spectrum of a real image from its half spectrum, with frequency 0 in the middle. */
kernel void power_of_spectrum(INPUT(spectrum), OUTPUT(power), int logarithmic)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(power, x, y, z))
        return;
    int kx = (x + power.width - power.width / 2) % power.width,
        ky = (y + power.height - power.height / 2) % power.height;
    int kz = (z + power.depth - power.depth / 2) % power.depth;
    if (kx > power.width / 2) {     /* the conjugate is at the opposite frequency */
        kx = power.width - kx;
        ky = (power.height - ky) % power.height;
        kz = (power.depth - kz) % power.depth;
    }
    const float re = LOAD(spectrum, 2 * kx, ky, kz), im = LOAD(spectrum, 2 * kx + 1, ky, kz);
    const float value = re * re + im * im;
    STORE(power, x, y, z, logarithmic ? log1p(value) : value);
}

/* a = conj(a) b, or only its phase */
kernel void correlate_spectra(OUTPUT(a), INPUT(b), int phase)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (x >= a.width / 2 || y >= a.height || z >= a.depth)
        return;
    global float2 *target = (global float2 *)((global float *)a_pixels + AT(a, 2 * x, y, z));
    const float2 p = *target, q = *(global const float2 *)((global const float *)b_pixels + AT(b, 2 * x, y, z));
    float2 product = (float2)(p.x * q.x + p.y * q.y, p.x * q.y - p.y * q.x);
    if (phase) {
        const float size = length(product);
        product = size > 0.0f ? product / size : (float2)(0.0f);
    }
    *target = product;
}
