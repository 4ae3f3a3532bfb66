/* SPDX-License-Identifier: BSD-3-Clause */
/* Correctly rounded quotient of two numbers. */
#ifdef EXACT_DIVIDE
#define QUOTIENT(a, b) ((a) / (b))
#else
#define QUOTIENT(a, b) rounded_quotient(a, b)
/* One Newton step that uses the exact remainder. */
inline float rounded_quotient(float a, float b)
{
    const float q = a / b, better = fma(fma(-q, b, a), 1.0f / b, q);
    return isfinite(better) && isfinite(b) ? better : q;
}
#endif
