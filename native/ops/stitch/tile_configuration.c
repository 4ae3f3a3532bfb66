/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Positions of tiles in the text format of Fiji's stitching: a line "dim = 2" or "dim = 3", then for each tile a line
 * with its file, a field that is usually empty, and its position, such as "tile_1.tif; ; (0.0, 921.6)". Lines that
 * begin with # are comments.
 */
#include "host_work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TILES = 100000 };

typedef struct positions {
    float *numbers; /* x of all tiles, then y of all tiles, then z of all tiles */
    int64_t count, max;
} positions;

/* Reads "( x, y )" or "( x, y, z )" at the end of a line. Returns false if the line does not end with a position. */
static bool read_position(const char *line, size_t length, int dimension, double at[3])
{
    const char *text = line + length;
    while (text > line && *text != '(')
        text--;
    at[2] = 0;
    if (*text != '(')
        return false;
    for (int axis = 0; axis < dimension; axis++) {
        char *end;
        at[axis] = strtod(++text, &end);
        if (end == text || !(at[axis] > -1e9 && at[axis] < 1e9))
            return false;
        text = end + strspn(end, " \t");
        if (text >= line + length || *text != (axis + 1 < dimension ? ',' : ')'))
            return false;
    }
    return true;
}

static void read_line(drua_plan *p, const char *line, size_t length, int number, int *dimension, positions *all)
{
    const size_t blank = strspn(line, " \t\r");
    int given;
    double at[3];
    if (blank >= length || line[blank] == '#' || !strncmp(line + blank, "multiseries", 11))
        return;
    if (sscanf(line + blank, "dim = %d", &given) == 1) {
        *dimension = given;
        if (given < 2 || given > 3)
            plan_fail(p, "line %d of %s must say dim = 2 or dim = 3, got %d", number, plan_text(p, "path"), given);
        return;
    }
    if (all->count == all->max || !read_position(line, length, *dimension, at)) {
        plan_fail(p, "line %d of %s must be a tile such as \"a.tif; ; (0.0, 0.0)\" with %d numbers", number,
                  plan_text(p, "path"), *dimension);
        return;
    }
    for (int axis = 0; axis < 3; axis++)
        all->numbers[axis * all->max + all->count] = (float)at[axis];
    all->count++;
}

static void write_positions_image(drua_plan *p)
{
    const positions *all = plan_state(p);
    drua_view list = plan_image(p, "positions"), dense = plan_scratch(p, (drua_shape){all->max, 3, 1, 2}, DRUA_FLOAT32);
    plan_write(p, dense, all->numbers);
    plan_copy(p, dense, list, 0, 0, 0);
}

static void shape_of_positions(drua_plan *p, drua_shape *shape)
{
    *shape = (drua_shape){((const positions *)plan_state(p))->count, 3, 1, 2};
}

/* Replaced when the file is read. */
static void placeholder_shape(drua_plan *p, drua_shape *shape)
{
    *shape = (drua_shape){1, 3, 1, 2};
    (void)p;
}

static const drua_op list_positions = {
    .name = "list_positions",
    DRUA_PARAMS(DRUA_IMAGE_OUT("positions", "list", .shape = shape_of_positions, .type = DRUA_FLOAT32)),
    .numeric = DRUA_EXACT,
    .launch = write_positions_image,
};

static void build_read(drua_plan *p)
{
    positions all = {0};
    int dimension = 2, number = 1;
    const char *text = plan_read_text(p, plan_text(p, "path"));
    for (const char *c = text; c && *c; c++)
        all.max += *c == '\n' || !c[1];
    if (all.max > MAX_TILES)
        plan_fail(p, "%s has more than %d lines; stitch parts of the mosaic from smaller files", plan_text(p, "path"),
                  MAX_TILES);
    all.numbers = plan_host_memory(p, 3 * (size_t)(all.max + 1) * sizeof *all.numbers);
    while (!plan_failed(p) && *text) {
        const size_t length = strcspn(text, "\n");
        read_line(p, text, length, number++, &dimension, &all);
        text += length + (text[length] == '\n');
    }
    if (!plan_failed(p) && all.count == 0)
        plan_fail(p, "%s has no tile; a tile is a line such as \"a.tif; ; (0.0, 0.0)\"", plan_text(p, "path"));
    if (!plan_failed(p))
        plan_return(p, "positions", plan_call_private(p, &list_positions, &all, DRUA_FLOAT32, NULL, 0));
}

static void build_write(drua_plan *p)
{
    const drua_shape s = plan_shape(p, "positions");
    drua_plan_text text = {0};
    if (s.depth != 1 || s.height < 2 || s.width > MAX_TILES)
        plan_fail(p,
                  "positions must have a column for each of at most %d tiles and rows for x, y and z, got %lld x %lld "
                  "x %lld pixels",
                  MAX_TILES, (long long)s.width, (long long)s.height, (long long)s.depth);
    float *numbers = plan_failed(p) ? NULL : plan_host_memory(p, (size_t)(s.width * s.height) * sizeof *numbers);
    if (!numbers)
        return;
    plan_read_floats(p, plan_operand_image(p, plan_operand(p, "positions")), numbers);
    bool has_z = false;
    for (int64_t i = 0; i < s.width && s.height > 2; i++)
        has_z = has_z || numbers[2 * s.width + i] != 0;
    plan_print(p, &text, "# positions in pixels\ndim = %d\n\n", has_z ? 3 : 2);
    for (int64_t i = 0; i < s.width && !plan_failed(p); i++) {
        plan_print(p, &text, "tile_%lld.tif; ; (%.4f, %.4f", (long long)i + 1, (double)numbers[i],
                   (double)numbers[s.width + i]);
        if (has_z)
            plan_print(p, &text, ", %.4f", (double)numbers[2 * s.width + i]);
        plan_print(p, &text, ")\n");
    }
    plan_write_text(p, plan_text(p, "path"), &text);
}

#define FORMAT "TileConfiguration.txt of Fiji's Grid/Collection stitching"

DRUA_OP(read_tile_configuration) = {
    .name = "read_tile_configuration",
    .category = "stitching",
    .summary = "Reads the positions of tiles from a TileConfiguration.txt of Fiji.",
    .source = FORMAT,
    .before_example = "File.saveString(\"dim = 2\\na.tif; ; (0.0, 0.0)\\nb.tif; ; (118.0, 2.5)\\n\", "
                      "getDirectory(\"temp\") + \"drua-example-tiles.txt\");",
    DRUA_PARAMS({.name = "path",
                 .doc = "text with a line for each tile",
                 .kind = DRUA_KIND_PATH,
                 .example_text = "drua-example-tiles.txt"},
                DRUA_IMAGE_OUT("positions", "a column for each tile; rows are x, y, z in pixels",
                               .shape = placeholder_shape, .type = DRUA_FLOAT32, .replaces = true)),
    .numeric = DRUA_EXACT,
    .build = build_read,
};

DRUA_OP(write_tile_configuration) = {
    .name = "write_tile_configuration",
    .category = "stitching",
    .summary = "Writes the positions of tiles as a TileConfiguration.txt of Fiji.",
    .source = FORMAT,
    DRUA_PARAMS(DRUA_IMAGE_IN("positions", "a column for each tile; rows are x, y, and optionally z, in pixels"),
                {.name = "path",
                 .doc = "text to write; it names the tiles tile_1.tif, tile_2.tif, ...",
                 .kind = DRUA_KIND_PATH,
                 .written = true,
                 .example_text = "drua-example.txt"}),
    .numeric = DRUA_EXACT,
    .build = build_write,
};
