/* SPDX-License-Identifier: BSD-3-Clause */
/* The linear congruential generator of java.util.Random, step by step. */
#include "reference.h"

void reference_random(double min, double max, int64_t seed, reference_image *output)
{
    const uint64_t multiplier = 0x5DEECE66Du, modulus = (uint64_t)1 << 48;
    const float low = (float)min, range = (float)max - (float)min;
    uint64_t state = ((uint64_t)seed ^ multiplier) % modulus;
    for (size_t i = 0; i < reference_count(output); i++) {
        state = (state * multiplier + 0xB) % modulus;
        const float number = (float)(state >> 24) / (1 << 24), scaled = number * range;
        output->pixels[i] = reference_store(output->type, scaled + low);
    }
}
