/* SPDX-License-Identifier: BSD-3-Clause */
#include "gaussian_weights.h"

#include <math.h>

static double gaussian_at(double sigma, int i)
{
    return sigma > 0 ? exp(-(double)i * i / (2 * sigma * sigma)) : 1;
}

void gaussian_half(double sigma, int radius, float *half)
{
    double sum = 0;
    for (int i = -radius; i <= radius; i++)
        sum += gaussian_at(sigma, i);
    for (int i = 0; i <= radius; i++)
        half[i] = (float)(gaussian_at(sigma, i) / sum);
}

void gaussian_weights(double sigma, int radius, float *weights)
{
    gaussian_half(sigma, radius, weights + radius);
    for (int i = 1; i <= radius; i++)
        weights[radius - i] = weights[radius + i];
}
