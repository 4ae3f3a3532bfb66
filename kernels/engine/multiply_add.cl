/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Measures how fast a device computes: independent chains of fused multiply-adds. The factor is an argument, so that
 * the compiler cannot compute the result.
 */
kernel void multiply_add(global float *restrict to, float factor, int rounds)
{
    enum { CHAINS = 8 };
    FLOATV value[CHAINS];
    for (int i = 0; i < CHAINS; i++)
        value[i] = (FLOATV)((float)i);
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < CHAINS; i++)
            value[i] = fma(value[i], (FLOATV)(factor), (FLOATV)(1.0f));
    FLOATV sum = value[0];
    for (int i = 1; i < CHAINS; i++)
        sum += value[i];
    if (sum.x < 0.0f)
        to[get_global_id(0)] = sum.x + sum.y;
}
