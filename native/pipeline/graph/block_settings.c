/* SPDX-License-Identifier: BSD-3-Clause */
#include "block_settings.h"

#include <string.h>

bool setting_next(const char **at, setting *s)
{
    *at += strspn(*at, " \t\n");
    if (!**at)
        return false;
    s->name = *at;
    s->name_length = strcspn(*at, "= \t\n");
    *at += s->name_length;
    s->value = NULL;
    s->length = 0;
    if (**at == '=') {
        const char quote = (*at)[1] == '"' || (*at)[1] == '\'' ? (*at)[1] : 0;
        s->value = *at + 1 + (quote != 0);
        s->length = quote ? strcspn(s->value, quote == '"' ? "\"" : "'") : strcspn(s->value, " \t\n");
        *at = s->value + s->length + (quote && s->value[s->length]);
    }
    return true;
}
