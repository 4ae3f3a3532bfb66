/* SPDX-License-Identifier: BSD-3-Clause */
#include "table_fields.h"

#include <stdlib.h>
#include <string.h>

/* Returns the end of the field that begins at `from`. */
static const char *end_of_field(const char *from, const char *end, char separator)
{
    bool quoted = false;
    for (; from < end && (quoted || *from != separator); from++)
        quoted ^= *from == '"';
    return from;
}

table_line table_begin(const char *line, size_t length)
{
    static const char separators[] = "\t;";
    const char *end = line + length;
    for (const char *s = separators; *s; s++)
        if (end_of_field(line, end, *s) < end)
            return (table_line){line, end, *s};
    return (table_line){line, end, ','};
}

bool table_next_field(table_line *line, const char **field, size_t *length)
{
    if (line->at >= line->end)
        return false;
    const char *from = line->at, *to = end_of_field(from, line->end, line->separator);
    line->at = to + 1;
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

bool table_begins_number(const char *field, size_t length)
{
    size_t i = 0;
    if (i < length && (field[i] == '+' || field[i] == '-'))
        i++;
    if (i < length && field[i] == '.')
        i++;
    return i < length && field[i] >= '0' && field[i] <= '9';
}
