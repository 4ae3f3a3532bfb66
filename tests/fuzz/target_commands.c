/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Interprets any text as a macro command: its name, then one argument per line. A line that C reads as a number is a
 * number; a line that begins with '[' is an array of its numbers. Images "a", "b" and "c" exist.
 */
#include "fuzz.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ARGUMENTS = 40, MAX_NUMBERS = 64 };

static double numbers[MAX_ARGUMENTS][MAX_NUMBERS];

static size_t read_numbers(const char *text, double *to)
{
    size_t count = 0;
    char *after;
    for (; *text && count < MAX_NUMBERS; text = after) {
        to[count] = strtod(text, &after);
        if (after == text)
            after++;
        else
            count++;
    }
    return count;
}

static drua_argument parse_argument(const char *line, int index)
{
    char *after;
    const double number = strtod(line, &after);
    if (*line == '[')
        return (drua_argument){
            .kind = DRUA_ARG_ARRAY, .array = numbers[index], .length = read_numbers(line, numbers[index])};
    if (*line && !*after)
        return (drua_argument){.kind = DRUA_ARG_NUMBER, .number = number};
    return (drua_argument){.kind = DRUA_ARG_TEXT, .text = line};
}

static void make_images(drua_context *context)
{
    static const char *const names[] = {"a", "b", "c"};
    static const drua_shape shapes[] = {{9, 7, 1, 2}, {9, 7, 3, 3}, {4, 4, 1, 2}};
    uint8_t pixels[9 * 7 * 3];
    for (int i = 0; i < 9 * 7 * 3; i++)
        pixels[i] = (uint8_t)(i % 5);
    for (int i = 0; i < 3; i++) {
        drua_image made;
        const drua_status status = drua_push(context, shapes[i], i == 2 ? DRUA_INT8 : DRUA_UINT8, pixels, &made);
        fuzz_check("drua_push", status);
        if (status == DRUA_OK)
            fuzz_check("drua_bind", drua_bind(context, names[i], made));
    }
}

/* Whether no argument can be the size of a large image. */
static bool is_modest(const drua_argument *arguments, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (arguments[i].kind == DRUA_ARG_NUMBER && (arguments[i].number > 200 || arguments[i].number < -200))
            return false;
    return true;
}

/* Splits a text into lines. */
static size_t split_lines(char *text, char **lines, size_t max)
{
    size_t count = 0;
    for (char *line = text; line && count < max; count++) {
        char *end = strchr(line, '\n');
        if (end)
            *end++ = 0;
        lines[count] = line;
        line = end;
    }
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    drua_context *context = fuzz_context();
    char *text = malloc(size + 1), *lines[1 + MAX_ARGUMENTS];
    memcpy(text, bytes, size);
    text[size] = 0;
    drua_argument arguments[MAX_ARGUMENTS];
    const size_t count = split_lines(text, lines, 1 + MAX_ARGUMENTS) - 1;
    for (size_t i = 0; i < count; i++)
        arguments[i] = parse_argument(lines[1 + i], (int)i);
    if (is_modest(arguments, count)) {
        make_images(context);
        drua_table *table = NULL;
        fuzz_check(lines[0], drua_command(context, lines[0], arguments, count, &table));
        drua_table_free(table);
        fuzz_check("drua_sync", drua_sync(context));
    }
    fuzz_check("drua_clear", drua_clear(context));
    free(text);
    return 0;
}
