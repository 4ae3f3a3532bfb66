/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations that choose or mark pixels by their values. */
#include "reference.h"

#include <math.h>
#include <stdlib.h>

void reference_similar(const reference_image *a, const reference_image *b, double tolerance, bool similar,
                       reference_image *output)
{
    REFERENCE_EACH_PIXEL(a->shape, x, y, z) {
        const float difference = fabsf((float)reference_at(a, x, y, z) - (float)reference_at(b, x, y, z));
        reference_put(output, x, y, z, similar ? difference <= (float)tolerance : difference > (float)tolerance);
    }
}

void reference_within(const reference_image *a, double low, double high, reference_image *output)
{
    REFERENCE_EACH_PIXEL(a->shape, x, y, z) {
        const float value = (float)reference_at(a, x, y, z);
        reference_put(output, x, y, z, value > (float)low && value < (float)high);
    }
}

void reference_fill_zeros(const reference_image *a, const reference_image *b, reference_image *output)
{
    REFERENCE_EACH_PIXEL(output->shape, x, y, z) {
        const float value = (float)reference_at(a, x, y, z);
        reference_put(output, x, y, z, value != 0 ? value : (float)reference_at(b, x, y, z));
    }
}

void reference_farther_from_zero(const reference_image *a, const reference_image *b, reference_image *output)
{
    REFERENCE_EACH_PIXEL(output->shape, x, y, z) {
        const float first = (float)reference_at(a, x, y, z), second = (float)reference_at(b, x, y, z);
        reference_put(output, x, y, z, fabsf(first) > fabsf(second) ? first : second);
    }
}

static bool is_edge(const reference_image *labels, int64_t x, int64_t y, int64_t z)
{
    for (int64_t dz = -1; dz <= 1; dz++)
        for (int64_t dy = -1; dy <= 1; dy++)
            for (int64_t dx = -1; dx <= 1; dx++)
                if (llabs(dx) + llabs(dy) + llabs(dz) == 1 &&
                    reference_at(labels, x + dx, y + dy, z + dz) != reference_at(labels, x, y, z))
                    return true;
    return false;
}

void reference_outlines(const reference_image *image, const reference_image *labels, reference_image *output)
{
    const double bright = (float)((float)reference_reduce(image, REFERENCE_MAXIMUM) + 1.0f);
    REFERENCE_EACH_PIXEL(output->shape, x, y, z)
        reference_put(output, x, y, z, is_edge(labels, x, y, z) ? bright : reference_at(image, x, y, z));
}
