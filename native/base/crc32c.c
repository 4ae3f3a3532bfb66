/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Processes eight bytes at a time with eight tables (Kounavis and Berry, Novel Table Lookup-Based Algorithms for
 * High-Performance CRC Generation, 2008). A checksum is a polynomial over bits, and its highest bit is the coefficient
 * of x^0. Appending bytes multiplies the polynomial by a power of x.
 */
#include "crc32c.h"

#include <pthread.h>

#define POLYNOMIAL UINT32_C(0x82f63b78)
#define ONE        (UINT32_C(1) << 31) /* x^0 */
#define BYTE       (ONE >> 8) /* x^8 */

static uint32_t tables[8][256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static uint32_t times_x(uint32_t a)
{
    return a & 1 ? a >> 1 ^ POLYNOMIAL : a >> 1;
}

static void fill_table(void)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int bit = 0; bit < 8; bit++)
            c = times_x(c);
        tables[0][i] = c;
    }
    for (int t = 1; t < 8; t++)
        for (int i = 0; i < 256; i++)
            tables[t][i] = tables[t - 1][i] >> 8 ^ tables[0][tables[t - 1][i] & 255];
}

uint32_t drua_crc32c(const void *bytes, size_t length)
{
    const unsigned char *b = bytes;
    uint32_t c = UINT32_MAX;
    pthread_once(&once, fill_table);
    for (; length >= 8; length -= 8, b += 8) {
        c ^= (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
        c = tables[7][c & 255] ^ tables[6][c >> 8 & 255] ^ tables[5][c >> 16 & 255] ^ tables[4][c >> 24] ^
            tables[3][b[4]] ^ tables[2][b[5]] ^ tables[1][b[6]] ^ tables[0][b[7]];
    }
    while (length--)
        c = c >> 8 ^ tables[0][(c ^ *b++) & 255];
    return ~c;
}

static uint32_t multiply_polynomials(uint32_t a, uint32_t b)
{
    uint32_t product = 0;
    for (uint32_t bit = ONE; bit; bit >>= 1, b = times_x(b))
        product ^= a & bit ? b : 0;
    return product;
}

uint32_t drua_crc32c_join(uint32_t before, uint32_t after, uint64_t length)
{
    uint32_t shift = ONE;
    for (uint32_t power = BYTE; length; length >>= 1, power = multiply_polynomials(power, power))
        shift = length & 1 ? multiply_polynomials(shift, power) : shift;
    return multiply_polynomials(shift, before) ^ after;
}
