/* SPDX-License-Identifier: BSD-3-Clause */
/* Images as text: columns are separated by spaces, each row is a line, and slices are separated by an empty line. */
#include "plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading text */

/*
 * Returns the number of pieces in a text up to `end`. A separator at the end starts no empty piece, as in Java's split.
 */
static int64_t count_pieces(const char *text, const char *end, const char *separator)
{
    size_t length = strlen(separator);
    int64_t pieces = 1;
    for (const char *at = strstr(text, separator); at && at < end && at + length < end;
         at = strstr(at + length, separator))
        pieces++;
    return pieces;
}

static const char *end_of(const char *text, const char *separator)
{
    const char *end = strstr(text, separator);
    return end ? end : text + strlen(text);
}

static void text_shape(drua_plan *p, drua_shape *shape)
{
    const char *text = plan_text(p, "input"), *slice = end_of(text, "\n\n"), *line = end_of(text, "\n");
    *shape = (drua_shape){count_pieces(text, line, " "), count_pieces(text, slice, "\n"),
                          count_pieces(text, text + strlen(text), "\n\n"), 3};
}

/* Parses the numbers. Lines that are too long or too many fail the call; missing numbers are 0. */
static void parse_numbers(drua_plan *p, const char *text, drua_shape shape, float *pixels)
{
    int64_t x = 0, y = 0, z = 0;
    for (const char *at = text; *at && !plan_failed(p);) {
        if (!strncmp(at, "\n\n", 2)) {
            x = y = 0;
            z++;
            at += 2;
        } else if (*at == '\n') {
            x = 0;
            y++;
            at++;
        } else if (*at == ' ' || *at == '\r') {
            at++;
        } else {
            char *end;
            float value = strtof(at, &end);
            if (end == at)
                plan_fail(p, "input must hold numbers, got '%.20s'", at);
            else if (x >= shape.width || y >= shape.height || z >= shape.depth)
                plan_fail(p,
                          "input must have %lld numbers in each line and %lld lines in each slice, as its first slice "
                          "has; slice %lld has more",
                          (long long)shape.width, (long long)shape.height, (long long)z + 1);
            else
                pixels[(z * shape.height + y) * shape.width + x++] = value;
            at = end;
        }
    }
}

static void push_string(drua_plan *p)
{
    drua_shape shape;
    text_shape(p, &shape);
    float *pixels = plan_host_memory(p, (size_t)(shape.width * shape.height * shape.depth) * sizeof *pixels);
    if (pixels)
        parse_numbers(p, plan_text(p, "input"), shape, pixels);
    drua_view scratch = plan_scratch(p, shape, DRUA_FLOAT32), to = plan_image(p, "destination");
    plan_write(p, scratch, pixels);
    LAUNCH(p, "copy_window", plan_grid(to.layout), ARG(scratch), ARG(to), INT(0), INT(0), INT(0));
}

DRUA_OP(push_string) = {
    .name = "push_string",
    .category = "image",
    .summary =
        "Makes a stack from text: spaces separate columns, each row is a line, and an empty line separates slices.",
    .source = "numbers are read from the text, rows by line",
    DRUA_PARAMS(DRUA_IMAGE_OUT("destination", "image of the numbers", .shape = text_shape, .type = DRUA_FLOAT32),
                DRUA_TEXT("input", "the numbers as text", .example_text = "1 2 3\\n4 5 6")),
    DRUA_ALIASES("CLIJ2 pushString: &destination, input, ~width, ~height, ~depth"),
    .numeric = DRUA_EXACT,
    .launch = push_string,
};

/* ---- writing text */

/* Writes the shortest digits that convert back to the same float32, and returns their decimal exponent. */
static int write_shortest(float value, char *digits)
{
    char text[32];
    for (int precision = 1; precision < 9; precision++) {
        snprintf(text, sizeof text, "%.*e", precision, (double)value);
        if (strtof(text, NULL) == value)
            break;
    }
    char *exponent = strchr(text, 'e');
    size_t count = 0;
    for (char *c = text; c < exponent; c++)
        if (*c >= '0' && *c <= '9')
            digits[count++] = *c;
    while (count > 1 && digits[count - 1] == '0')
        count--;
    digits[count] = 0;
    return atoi(exponent + 1);
}

enum { LONGEST = 20 };      /* characters of a number with its sign, exponent and separator */

/*
 * Writes a float as Java does: without exponent from 0.001 to 10 million, else with one, and always with a digit after
 * the point.
 */
static size_t write_float(char *text, float value)
{
    if (isnan(value))
        return (size_t)sprintf(text, "NaN");
    const char *sign = signbit(value) ? "-" : "";
    value = fabsf(value);
    if (isinf(value) || value == 0)
        return (size_t)sprintf(text, "%s%s", sign, value == 0 ? "0.0" : "Infinity");
    char digits[32];
    int exponent = write_shortest(value, digits), count = (int)strlen(digits);
    if (value >= 1e7f || value < 1e-3f)
        return (size_t)sprintf(text, "%s%c.%sE%d", sign, digits[0], count > 1 ? digits + 1 : "0", exponent);
    if (exponent < 0)
        return (size_t)sprintf(text, "%s0.%.*s%s", sign, -exponent - 1, "00", digits);
    if (count <= exponent + 1)
        return (size_t)sprintf(text, "%s%s%.*s.0", sign, digits, exponent + 1 - count, "000000");
    return (size_t)sprintf(text, "%s%.*s.%s", sign, exponent + 1, digits, digits + exponent + 1);
}

/* Copies a tile to its position in contiguous pixels. */
static void read_tile(drua_plan *p, const drua_tiles *t, float *pixels)
{
    const drua_layout l = t->from[0].layout;
    const int64_t *first = t->at.wanted.first, before = (first[2] * t->all.end[1] + first[1]) * l.width;
    plan_read_floats(p, t->from[0], pixels + before);
}

static void pull_string(drua_plan *p)
{
    drua_shape shape = plan_shape(p, "source");
    drua_view from = plan_image(p, "source");
    size_t row = (size_t)shape.width, slice = row * (size_t)shape.height, count = slice * (size_t)shape.depth;
    float *pixels = plan_host_memory(p, count * sizeof *pixels);
    char *text = plan_host_memory(p, count * LONGEST + 1), *end = text;
    for (drua_tiles t = {.inputs = {from}, .separate = true}; pixels && plan_next_tile(p, &t);)
        read_tile(p, &t, pixels);
    if (plan_failed(p))
        return;
    for (size_t i = 0; i < count; i++) {
        if (i)
            end += sprintf(end, "%s", i % slice == 0 ? "\n\n" : i % row == 0 ? "\n" : " ");
        end += write_float(end, pixels[i]);
    }
    plan_set_text(p, "output", text);
}

DRUA_OP(pull_string) = {
    .name = "pull_string",
    .category = "image",
    .summary = "Writes an image's pixels as text: spaces separate columns, each row is a line, and an empty line "
               "separates slices.",
    .source = "numbers are written as text, a line for each row",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to write"), DRUA_TEXT_OUT("output", "the text")),
    DRUA_ALIASES("CLIJ2 pullString: source, &output"),
    .numeric = DRUA_EXACT,
    .launch = pull_string,
};
