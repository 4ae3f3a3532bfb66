/* SPDX-License-Identifier: BSD-3-Clause */
/* Resamples a point spread function along one axis. */

enum { ZEROS = 6 };     /* zeros of the sinc on each side */

/*
 * Sinc with a Kaiser window, I0(8 sqrt(1 - (x / ZEROS)^2)) / I0(8). The window is 0 at all other whole numbers, so
 * equal pixels do not change.
 */
inline float kaiser_sinc(float x)
{
    const float quarter = 16.0f * (1.0f - x * x / (float)(ZEROS * ZEROS));
    float window = 1.0f;
    if (x == 0.0f || quarter <= 0.0f)
        return x == 0.0f ? 1.0f : 0.0f;
    for (int k = 18; k > 0; k--)
        window = fma(window, quarter / (float)(k * k), 1.0f);
    return window / 427.564116f * sinpi(x) / (M_PI_F * x);
}

/*
 * `centre` of the source moves to the middle. A pixel of the result is `ratio` source pixels wide. The filter passes
 * the frequencies that the coarser of both grids can represent and suppresses the others, so that they do not alias.
 */
kernel void psf_resample(INPUT(psf), OUTPUT(to), int axis, float centre, float ratio)
{
    const int at[] = {(int)get_global_id(0), (int)get_global_id(1), (int)get_global_id(2)};
    if (!INSIDE(to, at[0], at[1], at[2]))
        return;
    const int extent = axis == 0   ? psf.width
                       : axis == 1 ? psf.height
                                   : psf.depth,
              middle = (axis == 0   ? to.width
                        : axis == 1 ? to.height
                                    : to.depth) /
                       2;
    const float place = centre + ratio * (float)(at[axis] - middle), coarser = fmax(ratio, 1.0f),
                reach = (float)ZEROS * coarser;
    float sum = 0.0f, shares = 0.0f;
    for (int i = (int)ceil(place - reach); (float)i <= place + reach; i++) {
        const float share = kaiser_sinc(((float)i - place) / coarser);
        shares += share;
        if (i >= 0 && i < extent)
            sum += share * LOAD(psf, axis == 0 ? i : at[0], axis == 1 ? i : at[1], axis == 2 ? i : at[2]);
    }
    STORE(to, at[0], at[1], at[2], sum / shares);
}
