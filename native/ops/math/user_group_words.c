/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds words of work-groups in the user's code. */
#include "user_code.h"

#include <ctype.h>
#include <string.h>

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Returns the end of a comment that starts with two slashes. A backslash continues it on the next line. */
static const char *end_of_comment(const char *at)
{
    const char *end = at + strcspn(at, "\n");
    while (*end && (end[-1] == '\\' || (end[-1] == '\r' && end[-2] == '\\')))
        end += 1 + strcspn(end + 1, "\n");
    return end;
}

/* Returns the end of a string or character literal, or of its line if it has no end. */
static const char *end_of_literal(const char *at)
{
    const char quote = *at++;
    while (*at && *at != quote && *at != '\n')
        at += *at == '\\' && at[1] ? 2 : 1;
    return *at == quote ? at + 1 : at;
}

const char *user_code_find_group_word(const char *text, size_t *length)
{
    enum { BARRIER };
    static const char *const words[] = {[BARRIER] = "barrier", "work_group_barrier",  "local",          "__local",
                                        "get_local_id",        "get_local_linear_id", "get_local_size", "get_group_id",
                                        "get_num_groups"};
    for (const char *at = text, *next; *at; at = next) {
        const char *end = strncmp(at, "/*", 2) ? NULL : strstr(at + 2, "*/");
        if (!strncmp(at, "//", 2))
            next = end_of_comment(at);
        else if (end)
            next = end + 2;
        else if (*at == '"' || *at == '\'')
            next = end_of_literal(at);
        else if (!is_word(*at))
            next = at + 1;
        else {
            for (next = at; is_word(*next);)
                next++;
            *length = (size_t)(next - at);
            for (size_t i = 0; i < sizeof words / sizeof *words; i++)
                if (strlen(words[i]) == *length && !strncmp(at, words[i], *length) &&
                    (i != BARRIER || next[strspn(next, " \t\r\n")] == '('))
                    return at;
        }
    }
    return NULL;
}
