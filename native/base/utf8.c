/* SPDX-License-Identifier: BSD-3-Clause */
#include "utf8.h"

bool drua_utf8_next(const char **at, uint32_t *c)
{
    static const uint32_t min[] = {0, 0x80, 0x800, 0x10000};
    const unsigned char *p = (const unsigned char *)*at;
    const bool is_first = p[0] < 0x80 || (p[0] >= 0xC2 && p[0] < 0xF5);
    const int following = p[0] >= 0xF0 ? 3 : p[0] >= 0xE0 ? 2 : p[0] >= 0xC2, more = is_first ? following : -1;
    uint32_t code = more <= 0 ? p[0] : p[0] & (0x3Fu >> more);
    int i = 1;
    for (; i <= more && (p[i] & 0xC0) == 0x80; i++)
        code = code << 6 | (p[i] & 0x3Fu);
    const bool good =
        more >= 0 && i > more && code >= min[more] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
    *at += good ? more + 1 : 1;
    *c = good ? code : 0xFFFD;
    return good;
}

size_t drua_utf8_write(uint32_t c, char to[4])
{
    if (c < 0x80) {
        to[0] = (char)c;
        return 1;
    }
    const size_t length = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = length; i-- > 1; c >>= 6)
        to[i] = (char)(0x80 | (c & 0x3F));
    to[0] = (char)((0xF00 >> length & 0xFF) | c);
    return length;
}

bool drua_is_utf8(const char *text)
{
    uint32_t c;
    while (*text)
        if (!drua_utf8_next(&text, &c))
            return false;
    return true;
}

size_t drua_utf16_write(uint32_t unit, uint32_t *half, char to[8])
{
    const bool first = unit >= 0xD800 && unit < 0xDC00, second = unit >= 0xDC00 && unit < 0xE000;
    size_t length = 0;
    if (*half && second)
        unit = 0x10000 + ((*half - 0xD800) << 10) + (unit - 0xDC00);
    else if (*half)
        length = drua_utf8_write(0xFFFD, to);
    if (second && !*half)
        unit = 0xFFFD;
    *half = first ? unit : 0;
    return first ? length : length + drua_utf8_write(unit, to + length);
}
