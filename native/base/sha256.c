/* SPDX-License-Identifier: BSD-3-Clause */
#include "sha256.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { ROUNDS = 64, WORDS = 8, BLOCK = 64 };

/* The first 32 bits of the fractional parts of cube roots and square roots of the first primes. */
static uint32_t round_constants[ROUNDS], start_state[WORDS];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static uint32_t first_fraction_bits(double root)
{
    return (uint32_t)((root - floor(root)) * 0x1p32);
}

static bool is_prime(int n)
{
    for (int divisor = 2; divisor * divisor <= n; divisor++)
        if (n % divisor == 0)
            return false;
    return true;
}

static void fill_constants(void)
{
    for (int n = 2, count = 0; count < ROUNDS; n++) {
        if (!is_prime(n))
            continue;
        if (count < WORDS)
            start_state[count] = first_fraction_bits(sqrt(n));
        round_constants[count++] = first_fraction_bits(cbrt(n));
    }
}

static uint32_t rotate_right(uint32_t x, int bits)
{
    return x >> bits | x << (32 - bits);
}

static void mix_block(uint32_t state[WORDS], const unsigned char *block)
{
    uint32_t w[ROUNDS], s[WORDS];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 |
               block[4 * i + 3];
    for (int i = 16; i < ROUNDS; i++) {
        const uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + w[i - 7] + (rotate_right(a, 7) ^ rotate_right(a, 18) ^ a >> 3) +
               (rotate_right(b, 17) ^ rotate_right(b, 19) ^ b >> 10);
    }
    memcpy(s, state, sizeof s);
    for (int i = 0; i < ROUNDS; i++) {
        const uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]),
                       majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
        const uint32_t one = s[7] + (rotate_right(s[4], 6) ^ rotate_right(s[4], 11) ^ rotate_right(s[4], 25)) + choice +
                             round_constants[i] + w[i];
        const uint32_t two = (rotate_right(s[0], 2) ^ rotate_right(s[0], 13) ^ rotate_right(s[0], 22)) + majority;
        memmove(s + 1, s, (WORDS - 1) * sizeof *s);
        s[4] += one;
        s[0] = one + two;
    }
    for (int i = 0; i < WORDS; i++)
        state[i] += s[i];
}

void drua_sha256_begin(drua_sha256 *hash)
{
    pthread_once(&once, fill_constants);
    *hash = (drua_sha256){.length = 0};
    memcpy(hash->state, start_state, sizeof hash->state);
}

void drua_sha256_add(drua_sha256 *hash, const void *bytes, size_t length)
{
    const unsigned char *from = bytes;
    while (length > 0) {
        const size_t used = hash->length % BLOCK, room = BLOCK - used, count = length < room ? length : room;
        memcpy(hash->block + used, from, count);
        hash->length += count;
        from += count;
        length -= count;
        if (used + count == BLOCK)
            mix_block(hash->state, hash->block);
    }
}

void drua_sha256_add_text(drua_sha256 *hash, const char *text)
{
    drua_sha256_add(hash, text, strlen(text) + 1);
}

void drua_sha256_end(drua_sha256 *hash, char text[DRUA_SHA256_TEXT])
{
    static const unsigned char one = 0x80, none[BLOCK] = {0};
    const uint64_t bits = 8 * hash->length;
    unsigned char length[8];
    for (int i = 0; i < 8; i++)
        length[i] = (unsigned char)(bits >> (56 - 8 * i));
    drua_sha256_add(hash, &one, 1);
    drua_sha256_add(hash, none, (2 * BLOCK - 8 - hash->length % BLOCK) % BLOCK);
    drua_sha256_add(hash, length, 8);
    for (int i = 0; i < WORDS; i++)
        snprintf(text + 8 * i, 9, "%08x", hash->state[i]);
}
