/* SPDX-License-Identifier: BSD-3-Clause */
#include "table_fields.h"

#include <stdlib.h>

bool table_next_field(const char **at, const char *end, const char **field, size_t *length)
{
    if (*at >= end)
        return false;
    const char *from = *at, *to = from;
    while (to < end && *to != ',' && *to != ';' && *to != '\t')
        to++;
    *at = to + 1;
    while (from < to && (*from == ' ' || *from == '"'))
        from++;
    while (to > from && (to[-1] == ' ' || to[-1] == '"' || to[-1] == '\r'))
        to--;
    *field = from;
    *length = (size_t)(to - from);
    return true;
}

bool table_is_number(const char *field, size_t length, double *number)
{
    char *end;
    if (length == 0)
        return false;
    *number = strtod(field, &end);
    return end == field + length;
}
