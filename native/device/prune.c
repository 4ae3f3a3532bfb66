/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Removes functions that no kernel calls from a program's text: compilers for GPUs spend up to half of their time on
 * the code that a family shares. A function is a definition that begins at the start of a line and ends with the first
 * brace at the start of a line. Calls are found by name, also through macros. A macro that pastes names counts as a
 * call to every function whose name it could produce.
 */
#include "internal.h"

#include "alloc.h"
#include "error.h"
#include "hash.h"

#include <ctype.h>
#include <string.h>

/* A function, whose text may be removed, or a macro, which stays and counts only if it is used. */
typedef struct part {
    const char *name, *from, *end;
    size_t length;
    bool is_function, is_used;
    int next; /* next part with this hash, -1: none */
} part;

enum { SLOTS = 1024 };

typedef struct parts {
    part *all;
    int count, capacity;
    int slot[SLOTS]; /* first part of each hash, -1: none */
    int *used; /* parts whose text must still be searched */
    int used_count;
    bool failed; /* out of memory */
} parts;

static bool is_first(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

static size_t length_of_name(const char *at)
{
    size_t length = 0;
    while (drua_is_in_name(at[length]))
        length++;
    return length;
}

static unsigned slot_of(const char *name, size_t length)
{
    return (unsigned)(drua_hash(DRUA_HASH_START, name, length) % SLOTS);
}

static void add_part(parts *p, part what)
{
    if (p->count == p->capacity) {
        const int capacity = p->capacity ? 2 * p->capacity : 512;
        part *grown = drua_realloc(p->all, (size_t)capacity * sizeof *grown);
        if (!grown) {
            p->failed = true;
            return;
        }
        p->all = grown;
        p->capacity = capacity;
    }
    int *slot = &p->slot[slot_of(what.name, what.length)];
    what.next = *slot;
    *slot = p->count;
    p->all[p->count++] = what;
}

/* Position after a comment that begins here, or here if there is no comment. */
static const char *after_comment(const char *at, const char *end)
{
    if (at + 1 < end && at[0] == '/' && at[1] == '*') {
        const char *close = strstr(at + 2, "*/");
        return close && close + 2 <= end ? close + 2 : end;
    }
    if (at + 1 < end && at[0] == '/' && at[1] == '/') {
        const char *line = memchr(at, '\n', (size_t)(end - at));
        return line ? line : end;
    }
    return at;
}

static const char *next_line(const char *at)
{
    const char *end = strchr(at, '\n');
    return end ? end + 1 : at + strlen(at);
}

/* End of a directive, including its continuation lines. */
static const char *end_of_directive(const char *at)
{
    const char *next = next_line(at);
    while (*next && next - at >= 2 && next[-2] == '\\')
        next = next_line(next);
    return next;
}

static const char *after_parentheses(const char *at)
{
    int depth = 0;
    for (; *at; at++) {
        depth += *at == '(';
        depth -= *at == ')';
        if (depth == 0)
            return at + 1;
    }
    return at;
}

/* Whether a function definition begins on this line; sets its name and end. */
static bool is_definition(const char *line, part *what)
{
    static const char attribute[] = "__attribute__", kernel[] = "kernel";
    const char *name = NULL;
    size_t length = 0;
    for (const char *at = line; *at; at++) {
        if (is_first(*at)) {
            name = at;
            length = length_of_name(at);
            if (length == sizeof kernel - 1 && !memcmp(at, kernel, length))
                return false;
            at += length - 1;
        } else if (*at == '(' && name && length == sizeof attribute - 1 && !memcmp(name, attribute, length)) {
            at = after_parentheses(at) - 1;
        } else if (*at == '(') {
            at = after_parentheses(at);
            at += strspn(at, " \t\r\n");
            const char *end = *at == '{' && at[-1] == '\n' ? strstr(at, "\n}") : NULL;
            *what =
                (part){.name = name, .length = length, .from = line, .end = end ? end + 2 : NULL, .is_function = true};
            return name && end;
        } else if (strchr(";{=#/\"", *at)) {
            return false;
        }
    }
    return false;
}

static void find_parts(parts *p, const char *text)
{
    static const char define[] = "#define ";
    const char *const last = text + strlen(text);
    for (const char *at = text; at < last && !p->failed;) {
        part what;
        const char *behind = after_comment(at, last);
        if (behind != at) {
            at = behind;
        } else if (*at == '#') {
            const char *end = end_of_directive(at), *name = at + sizeof define - 1;
            if (!strncmp(at, define, sizeof define - 1))
                add_part(p, (part){.name = name, .length = length_of_name(name), .from = name, .end = end});
            at = end;
        } else if (is_first(*at) && is_definition(at, &what)) {
            add_part(p, what);
            at = what.end;
        } else {
            at = *at == '\n' ? at + 1 : next_line(at);
        }
    }
}

static void mark_part_used(parts *p, int i)
{
    if (!p->all[i].is_used)
        p->used[p->used_count++] = i;
    p->all[i].is_used = true;
}

static void use_name(parts *p, const char *name, size_t length)
{
    for (int i = p->slot[slot_of(name, length)]; i >= 0; i = p->all[i].next)
        if (p->all[i].length == length && !memcmp(p->all[i].name, name, length))
            mark_part_used(p, i);
}

/*
 * Marks every function whose name begins or ends with the known part of a pasted name. Names of macro parameters have
 * no underscore.
 */
static void use_like(parts *p, const char *known, size_t length, bool is_begin)
{
    if (!memchr(known, '_', length))
        return;
    for (int i = 0; i < p->count; i++) {
        const part *f = &p->all[i];
        if (f->length >= length && !memcmp(is_begin ? f->name : f->name + f->length - length, known, length))
            mark_part_used(p, i);
    }
}

static void use_what_is_named(parts *p, const char *from, const char *end)
{
    const char *name = from;
    size_t length = 0;
    for (const char *at = from; at < end;) {
        const char *behind = after_comment(at, end);
        if (behind != at) {
            at = behind;
        } else if (is_first(*at)) {
            name = at;
            length = length_of_name(at);
            use_name(p, name, length);
            at += length;
        } else if (at[0] == '#' && at[1] == '#') {
            const char *next = at + 2 + strspn(at + 2, " ");
            use_like(p, name, length, true);
            use_like(p, next, length_of_name(next), false);
            at += 2;
        } else {
            at += drua_is_in_name(*at) ? length_of_name(at) : 1;
        }
    }
}

/* Marks the names that a text uses: text outside functions and macros, or the text of a used part. */
static void mark_used_names(parts *p, const char *text)
{
    const char *at = text;
    for (int i = 0; i < p->count; i++) {
        use_what_is_named(p, at, p->all[i].from);
        at = p->all[i].end;
    }
    use_what_is_named(p, at, at + strlen(at));
    while (p->used_count) {
        const part *next = &p->all[p->used[--p->used_count]];
        use_what_is_named(p, next->from + (next->is_function ? 0 : next->length), next->end);
    }
}

void drua_prune(char *text)
{
    parts p = {.capacity = 0};
    memset(p.slot, -1, sizeof p.slot);
    find_parts(&p, text);
    p.used = drua_alloc((size_t)(p.count + 1) * sizeof *p.used);
    if (p.used && !p.failed) {
        char *to = text;
        const char *at = text;
        mark_used_names(&p, text);
        for (int i = 0; i <= p.count; i++) {
            const char *stop = i == p.count                                ? at + strlen(at) + 1
                               : p.all[i].is_function && !p.all[i].is_used ? p.all[i].from
                                                                           : p.all[i].end;
            memmove(to, at, (size_t)(stop - at));
            to += stop - at;
            at = i == p.count ? stop : p.all[i].end;
        }
    }
    drua_free(p.used);
    drua_free(p.all);
}
