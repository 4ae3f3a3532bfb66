/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves one frame of a movie by its row of a table. If a pipeline runs block by block, each frame uses its own row. */
#include "plan.h"
#include "host_work.h"
#include "recorded_calls.h"
#include "table_fields.h"

#include <stdio.h>
#include <string.h>

enum { FRAME, XX, XY, SHIFT_X, YX, YY, SHIFT_Y, SHIFT_Z, TWIST_X, TWIST_Y, COLUMNS };

static const struct {
    const char *name;
    double otherwise; /* of a table without this column */
} columns[COLUMNS] = {{"Frame", 0}, {"XX", 1},      {"XY", 0},      {"Shift_X", 0}, {"YX", 0},
                      {"YY", 1},    {"Shift_Y", 0}, {"Shift_Z", 0}, {"Twist_X", 0}, {"Twist_Y", 0}};

/* places: the column of the table for each of our columns, from 0; -1: it has none. */
typedef struct shift_table {
    const char *path;
    int places[COLUMNS];
    int64_t rows, found; /* found: rows of the wanted frame */
    double last; /* the last frame that has a row */
    double numbers[COLUMNS];
} shift_table;

static void read_headings(drua_plan *p, const char *line, size_t length, shift_table *t)
{
    table_line rest = table_begin(line, length);
    const char *field;
    size_t n;
    for (int i = 0; i < COLUMNS; i++)
        t->places[i] = -1;
    for (int place = 0; table_next_field(&rest, &field, &n); place++)
        for (int i = 0; i < COLUMNS; i++)
            if (n == strlen(columns[i].name) && !strncmp(field, columns[i].name, n)) {
                if (t->places[i] >= 0)
                    plan_fail(p, "%s has two columns %s; leave one out", t->path, columns[i].name);
                t->places[i] = place;
            }
    if (t->places[SHIFT_X] < 0 || t->places[SHIFT_Y] < 0)
        plan_fail(p,
                  "%s has no columns Shift_X and Shift_Y; its first line must have headings such as "
                  "Frame,Shift_X,Shift_Y,Shift_Z or those that estimateRegistration gives",
                  t->path);
}

/* Keeps the numbers of a row if the row is that of the frame. */
static void read_row(drua_plan *p, const char *line, size_t length, int64_t frame, shift_table *t)
{
    double numbers[COLUMNS];
    table_line rest = table_begin(line, length);
    const char *field;
    size_t n;
    int fields = 0, seen = 0;
    for (int i = 0; i < COLUMNS; i++)
        numbers[i] = columns[i].otherwise;
    for (int place = 0; table_next_field(&rest, &field, &n); place++, fields += n > 0)
        for (int i = 0; i < COLUMNS && !plan_failed(p); i++)
            if (t->places[i] == place) {
                seen++;
                if (!table_is_number(field, n, &numbers[i]) || !(fabs(numbers[i]) < 1e6))
                    plan_fail(
                        p, "row %lld of %s has '%.*s' as %s; it must be a number below a million, with a decimal point",
                        (long long)t->rows + 1, t->path, (int)n, field, columns[i].name);
            }
    if (fields == 0 || plan_failed(p))
        return;
    t->rows++;
    int wanted = 0;
    for (int i = 0; i < COLUMNS; i++)
        wanted += t->places[i] >= 0;
    if (seen < wanted)
        plan_fail(p, "row %lld of %s ends before all columns", (long long)t->rows, t->path);
    t->last = fmax(t->last, t->places[FRAME] >= 0 ? numbers[FRAME] : (double)t->rows);
    if (t->places[FRAME] >= 0 ? numbers[FRAME] != (double)frame : t->rows != frame)
        return;
    t->found++;
    memcpy(t->numbers, numbers, sizeof numbers);
}

static void read_table(drua_plan *p, int64_t frame, shift_table *t)
{
    const char *text = plan_read_text(p, t->path);
    for (bool first = true; !plan_failed(p) && *text; first = false) {
        const size_t length = strcspn(text, "\n");
        if (first)
            read_headings(p, text, length, t);
        else
            read_row(p, text, length, frame, t);
        text += length + (text[length] == '\n');
    }
    if (!plan_failed(p) && t->found != 1)
        plan_fail(p, "%s has %lld rows for frame %lld; it must have one row for each frame", t->path,
                  (long long)t->found, (long long)frame);
    if (!plan_failed(p) && (t->numbers[TWIST_X] != 0 || t->numbers[TWIST_Y] != 0))
        plan_fail(
            p,
            "%s twists frame %lld (Twist_X, Twist_Y), which moveFrame cannot do; estimate the registration with a "
            "mode other than bilinear",
            t->path, (long long)frame);
    if (!plan_failed(p) && fabs(t->numbers[XX] * t->numbers[YY] - t->numbers[XY] * t->numbers[YX]) < 1e-6)
        plan_fail(p, "%s shrinks frame %lld to a line or a point", t->path, (long long)frame);
}

static void build_move_frame(drua_plan *p)
{
    const drua_operand source = plan_operand(p, "source");
    int64_t frames = 0;
    const int64_t given = plan_integer(p, "frame"), frame = given ? given : plan_frame(p, &frames);
    const double *n;
    char matrix[400];
    shift_table t = {.path = plan_text(p, "path")};
    if (frame == 0)
        plan_fail(p, "frame must be 1 or more unless a pipeline runs block by block, got 0");
    if (!plan_failed(p))
        read_table(p, frame, &t);
    if (!plan_failed(p) && frames > 0 && t.last > (double)frames)
        plan_fail(p, "%s has a row for frame %g, but the movie has %lld frames; use the table of this movie", t.path,
                  t.last, (long long)frames);
    if (plan_failed(p))
        return;
    n = t.numbers;
    /* the table counts from the centre of the first pixel, and affine_transform from its corner */
    const double shift_x = n[SHIFT_X] + (1 - n[XX] - n[XY]) / 2, shift_y = n[SHIFT_Y] + (1 - n[YX] - n[YY]) / 2;
    if (plan_operand_shape(p, source).dimension == 3)
        snprintf(matrix, sizeof matrix, "matrix=%.17g,%.17g,0,%.17g,%.17g,%.17g,0,%.17g,0,0,1,%.17g", n[XX], n[XY],
                 shift_x, n[YX], n[YY], shift_y, n[SHIFT_Z]);
    else
        snprintf(matrix, sizeof matrix, "matrix=%.17g,%.17g,%.17g,%.17g,%.17g,%.17g", n[XX], n[XY], shift_x, n[YX],
                 n[YY], shift_y);
    plan_return(p, "destination", CALL(p, "affine_transform", plan_type(p, "destination"), source, TEXT(matrix)));
}

DRUA_OP(move_frame) = {
    .name = "move_frame",
    .category = "transform",
    .menu = true,
    .summary = "Moves one frame of a movie by its row of a table. Block by block (drua process), each frame moves "
               "by its own row, so that drift can be undone in movies larger than any memory.",
    .source = "linear interpolation between pixel centres",
    .before_example = "File.saveString(\"Frame,Shift_X,Shift_Y\\n1,0,0\\n2,12.5,-8\\n\", getDirectory(\"temp\") + "
                      "\"drua-example-shifts.csv\");",
    DRUA_PARAMS(
        DRUA_IMAGE_IN("source", "a frame: a plane or a stack"),
        DRUA_IMAGE_OUT("destination", "moved frame; 0 where no source pixel moved to"),
        {.name = "path",
         .doc = "table with a row for each frame and the columns Shift_X, Shift_Y and, if present, Frame (from 1; "
                "without it, rows are counted), Shift_Z, XX, XY, YX, YY, such as the table of estimateRegistration: "
                "pixel x, y of the result lies at XX x + XY y + Shift_X, YX x + YY y + Shift_Y of the source",
         .kind = DRUA_KIND_PATH,
         .example_text = "drua-example-shifts.csv"},
        DRUA_INTEGER("frame", "frame of the table, from 1; 0: block by block, the frame that is processed",
                     DRUA_RANGE(0, 2147483647), .default_value = 0, .example = 2)),
    DRUA_ALIASES("Drua moveFrame: source, &destination, path, frame=0"),
    .numeric = DRUA_EXACT,
    .build = build_move_frame,
};
