/* SPDX-License-Identifier: BSD-3-Clause */
#include "mate_tags.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool mate_next_tag(const char **at, mate_tag *found)
{
    for (const char *c = *at; (c = strchr(c, '<'));) {
        const char *ending = !strncmp(c, "<!--", 4) ? "-->" : !strncmp(c, "<![CDATA[", 9) ? "]]>" : NULL;
        if (ending) {
            c = strstr(c, ending);
            if (!c)
                return false;
            continue;
        }
        const char *end = c + 1;
        for (char quote = 0; *end && (quote || *end != '>'); end++)
            if (quote ? *end == quote : *end == '"' || *end == '\'')
                quote = quote ? 0 : *end;
        if (!*end)
            return false;
        *at = end + 1;
        if (c[1] != '/' && c[1] != '?' && c[1] != '!') {
            *found = (mate_tag){c + 1, end};
            return true;
        }
        c = end;
    }
    return false;
}

bool mate_has_name(mate_tag t, const char *name)
{
    const size_t length = strlen(name);
    return (size_t)(t.end - t.start) >= length && !strncmp(t.start, name, length) &&
           strchr(" \t\r\n/>", t.start[length]);
}

const char *mate_attribute(mate_tag t, const char *name)
{
    const size_t length = strlen(name);
    char quote = 0;
    for (const char *c = t.start; c < t.end; c++) {
        if (quote) {
            quote = *c == quote ? 0 : quote;
        } else if (*c == '"' || *c == '\'') {
            quote = *c;
        } else if (strchr(" \t\r\n", *c) && !strncmp(c + 1, name, length)) {
            const char *value = c + 1 + length;
            value += strspn(value, " \t\r\n");
            if (*value != '=')
                continue;
            value++;
            value += strspn(value, " \t\r\n");
            if (value < t.end && (*value == '"' || *value == '\''))
                return value + 1;
        }
    }
    return NULL;
}

double mate_number(drua_plan *p, mate_tag t, const char *name, double min, double max)
{
    const char *text = mate_attribute(t, name);
    char *end = NULL;
    const double number = text ? strtod(text, &end) : (double)NAN;
    if (!plan_failed(p) && (!text || end == text || (*end != '"' && *end != '\'') || !(number >= min && number <= max)))
        plan_fail(p,
                  "%s has an element %.*s whose %s is not a number from %g to %g; save the file with TrackMate again",
                  plan_text(p, "path"), (int)strcspn(t.start, " \t\r\n/>"), t.start, name, min, max);
    return plan_failed(p) ? 0 : number;
}

int64_t mate_count_tags(const char *text, const char *name)
{
    int64_t count = 0;
    for (mate_tag t; mate_next_tag(&text, &t);)
        count += mate_has_name(t, name);
    return count;
}
