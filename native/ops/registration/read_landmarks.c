/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads pairs of points from text tables: a line for each pair, with numbers separated by commas, semicolons or tabs.
 * Names before and after the numbers are ignored, such as the name and "true" of BigWarp; so are ImageJ's row numbers
 * and labels, and lines without numbers before the first pair. BigWarp's pairs with "false" are left out.
 */
#include "table_fields.h"

#include "host_work.h"

#include <string.h>

enum { MAX_PAIRS = 2000, MAX_NUMBERS = 7 };

typedef struct pair_list {
    float *numbers;
    int64_t pairs;
    int columns; /* of the list; 0 until the first line */
    int numbers_of_line; /* with a row number, if the lines have one */
} pair_list;

static void read_line(drua_plan *p, const char *line, size_t length, int number, pair_list *list)
{
    double numbers[MAX_NUMBERS + 1];
    int count = 0, fields = 0, end = 0, place = 0; /* end: place of the last number */
    table_line rest = table_begin(line, length);
    const char *field;
    bool interrupted = false, label = false, broken = false; /* label: text directly after the first number */
    for (size_t n; table_next_field(&rest, &field, &n); fields += n > 0) {
        place++;
        if (n == 5 && !strncmp(field, "false", 5))
            return;
        if (!table_is_number(field, n, &numbers[count < MAX_NUMBERS ? count : MAX_NUMBERS])) {
            const bool begins = table_begins_number(field, n);
            broken |= begins;
            label |= count == 1 && place == end + 1 && n > 0 && !begins;
            continue;
        }
        interrupted |= count > 0 && place > end + 1 + (count == 1 && label);
        end = place;
        count++;
    }
    if (fields == 0 || (count == 0 && list->pairs == 0 && !broken))
        return;
    const bool numbered = (count == 5 || count == 7) && numbers[0] == (double)list->pairs + 1;
    if (interrupted || (count == 0 && broken) || (count > 1 && label && !numbered))
        plan_fail(p,
                  "line %d of %s has a field between its numbers that is no number; write numbers with decimal points",
                  number, plan_text(p, "path"));
    if (list->numbers_of_line != 0 && list->numbers_of_line != count)
        plan_fail(p, "line %d of %s has %d numbers, but the lines before it have %d", number, plan_text(p, "path"),
                  count, list->numbers_of_line);
    list->numbers_of_line = count;
    if (numbered)
        memmove(numbers, numbers + 1, (size_t)--count * sizeof *numbers);
    if (!plan_failed(p) && count != 4 && count != 6)
        plan_fail(p, "line %d of %s has %d numbers; it needs 4 (x, y, x, y) or 6 (x, y, z, x, y, z)", number,
                  plan_text(p, "path"), count);
    if (list->pairs == MAX_PAIRS)
        plan_fail(p, "%s has more than %d pairs of points; leave some out", plan_text(p, "path"), MAX_PAIRS);
    for (int i = 0; i < count && !plan_failed(p); i++) {
        if (!(fabs(numbers[i]) < 1e6))
            plan_fail(p, "line %d of %s has the position %g; positions must be within a million pixels", number,
                      plan_text(p, "path"), numbers[i]);
        list->numbers[list->pairs * count + i] = (float)numbers[i];
    }
    list->columns = count;
    list->pairs++;
}

static void write_pairs(drua_plan *p)
{
    const pair_list *list = plan_state(p);
    const drua_view dense = plan_scratch(p, (drua_shape){list->columns, list->pairs, 1, 2}, DRUA_FLOAT32);
    plan_write(p, dense, list->numbers);
    plan_copy(p, dense, plan_image(p, "landmarks"), 0, 0, 0);
}

static void shape_of_pairs(drua_plan *p, drua_shape *shape)
{
    const pair_list *list = plan_state(p);
    *shape = (drua_shape){list->columns, list->pairs, 1, 2};
}

static void shape_until_read(drua_plan *p, drua_shape *shape)
{
    *shape = (drua_shape){4, 1, 1, 2};
    (void)p;
}

static const drua_op list_pairs = {
    .name = "list_pairs",
    DRUA_PARAMS(DRUA_IMAGE_OUT("landmarks", "list", .shape = shape_of_pairs, .type = DRUA_FLOAT32)),
    .numeric = DRUA_EXACT,
    .launch = write_pairs,
};

static void build_read_landmarks(drua_plan *p)
{
    pair_list list = {.numbers = plan_host_memory(p, sizeof(float) * MAX_NUMBERS * MAX_PAIRS)};
    const char *text = plan_read_text(p, plan_text(p, "path"));
    for (int number = 1; !plan_failed(p) && *text; number++) {
        const size_t length = strcspn(text, "\n");
        read_line(p, text, length, number, &list);
        text += length + (text[length] == '\n');
    }
    if (!plan_failed(p) && list.pairs == 0)
        plan_fail(p, "%s has no pair of points; a pair is a line such as 10.5,20,12,21.5", plan_text(p, "path"));
    if (!plan_failed(p))
        plan_return(p, "landmarks", plan_call_private(p, &list_pairs, &list, DRUA_FLOAT32, NULL, 0));
}

DRUA_OP(read_landmarks) = {
    .name = "read_landmarks",
    .category = "transform",
    .summary = "Reads pairs of points from a CSV file, for example one of BigWarp, for registerLandmarks.",
    .source = "numbers separated by commas, semicolons or tabs; names before and after the numbers are ignored, lines "
              "with false are left out",
    .before_example = "File.saveString(\"10,20,12,21\\n100,30,99,33\\n50,90,52,88\\n\", getDirectory(\"temp\") + "
                      "\"drua-example-landmarks.csv\");",
    DRUA_PARAMS({.name = "path",
                 .doc = "text with a line for each pair: x, y (z) in the source, x, y (z) in the result, in pixels",
                 .kind = DRUA_KIND_PATH,
                 .example_text = "drua-example-landmarks.csv"},
                DRUA_IMAGE_OUT("landmarks", "a row of 4 or 6 numbers for each pair", .shape = shape_until_read,
                               .type = DRUA_FLOAT32, .replaces = true)),
    .numeric = DRUA_EXACT,
    .build = build_read_landmarks,
};
