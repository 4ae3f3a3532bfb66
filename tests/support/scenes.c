/* SPDX-License-Identifier: BSD-3-Clause */
#include "scenes.h"

#include <math.h>
#include <stdlib.h>

static double random_share(harness_random *chance)
{
    return (harness_next(chance) >> 8) / 16777216.0;
}

volume random_volume(harness_random *chance, int w, int h, int d, double low, double high)
{
    volume a = volume_make(w, h, d);
    for (int i = 0; i < volume_count(a); i++)
        a.v[i] = (float)(low + (high - low) * random_share(chance));
    return a;
}

volume lopsided_psf(harness_random *chance, int w, int h, int d, bool rough)
{
    volume a = random_volume(chance, w, h, d, rough ? 0.1 : 1, 1);
    for (int z = 0; z < d; z++)
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++) {
                const double dx = x - w / 2 - 0.4, dy = y - h / 2 + 0.3, dz = z - d / 2 - 0.2;
                *volume_at(a, x, y, z) = (float)(*volume_at(a, x, y, z) * exp(-(dx * dx + dy * dy) / 5 - dz * dz / 3));
            }
    return a;
}

volume rough_psf(harness_random *chance, int w, int h, int d)
{
    return lopsided_psf(chance, w, h, d, true);
}

volume blurred_scene(harness_random *chance, int w, int h, int d, volume psf, double background)
{
    volume truth = volume_make(w, h, d);
    for (int n = 0; n < w * h * d / 60 + 1; n++)
        *volume_at(truth, harness_below(chance, w), harness_below(chance, h), harness_below(chance, d)) +=
            200 * random_share(chance);
    for (int i = 0; i < volume_count(truth); i++)
        truth.v[i] += 5 + 20 * random_share(chance);
    volume g = volume_convolve(truth, psf, true, false);
    const double all = volume_sum(psf);
    for (int i = 0; i < volume_count(g); i++)
        g.v[i] = (float)(g.v[i] / all + background);
    free(truth.v);
    return g;
}

/* A sum of many uniform random numbers is nearly normal. */
volume noisy_scene(harness_random *chance, volume psf, int w, int h, int d, double background, double photons)
{
    enum { THROWS = 12 };
    volume g = blurred_scene(chance, w, h, d, psf, background);
    for (int i = 0; i < volume_count(g); i++) {
        double normal = -THROWS / 2.0;
        for (int n = 0; n < THROWS; n++)
            normal += harness_below(chance, 1 << 20) / (double)(1 << 20);
        g.v[i] = (float)fmax(g.v[i] + normal * sqrt(g.v[i] / photons), 0);
    }
    return g;
}

drua_image volume_push(drua_context *context, volume a)
{
    drua_image image;
    float *pixels = malloc((size_t)volume_count(a) * sizeof *pixels);
    for (int i = 0; i < volume_count(a); i++)
        pixels[i] = (float)a.v[i];
    REQUIRE(drua_push(context, (drua_shape){a.w, a.h, a.d, 3}, DRUA_FLOAT32, pixels, &image));
    free(pixels);
    return image;
}

volume volume_pull(drua_context *context, drua_image image)
{
    drua_image_info info;
    REQUIRE(drua_get_info(context, image, &info));
    volume a = volume_make((int)info.shape.width, (int)info.shape.height, (int)info.shape.depth);
    float *pixels = malloc((size_t)volume_count(a) * sizeof *pixels);
    REQUIRE(drua_pull(context, image, pixels));
    for (int i = 0; i < volume_count(a); i++)
        a.v[i] = pixels[i];
    free(pixels);
    return a;
}

volume volume_deconvolve(drua_context *context, volume g, volume psf, const char *options, drua_table **table)
{
    drua_argument arguments[] = {IMAGE(volume_push(context, g)), IMAGE(volume_push(context, psf)), NEW, NAME(options)};
    REQUIRE(drua_invoke(context, "deconvolve", arguments, 4, table));
    volume out = volume_pull(context, arguments[2].image);
    REQUIRE(drua_clear(context));
    return out;
}

double volume_seam(volume whole, volume other)
{
    double low = INFINITY, high = -INFINITY, worst = 0;
    for (int i = 0; i < volume_count(whole); i++) {
        low = fmin(low, whole.v[i]);
        high = fmax(high, whole.v[i]);
        worst = fmax(worst, fabs(whole.v[i] - other.v[i]));
    }
    return worst / (high - low);
}
