/* SPDX-License-Identifier: BSD-3-Clause */
/* Positions of tiles in lists; see tile_list.h. */
#include "host_work.h"
#include "tile_list.h"

static void write_positions_image(drua_plan *p)
{
    const drua_tile_list *all = plan_state(p);
    const drua_shape shape = {all->count, 3, 1, 2};
    drua_view list = plan_image(p, "positions"), dense = plan_scratch(p, shape, DRUA_FLOAT32);
    float *numbers = plan_host_memory(p, 3 * (size_t)all->count * sizeof *numbers);
    for (int64_t i = 0; i < 3 * all->count && numbers; i++)
        numbers[i] = (float)all->tiles[i % all->count].at[i / all->count];
    plan_write(p, dense, numbers);
    plan_copy(p, dense, list, 0, 0, 0);
}

static void shape_of_positions(drua_plan *p, drua_shape *shape)
{
    *shape = (drua_shape){((const drua_tile_list *)plan_state(p))->count, 3, 1, 2};
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
    drua_tile_list all;
    plan_read_tile_list(p, plan_text(p, "path"), &all);
    if (!plan_failed(p))
        plan_return(p, "positions", plan_call_private(p, &list_positions, &all, DRUA_FLOAT32, NULL, 0));
}

static void build_write(drua_plan *p)
{
    const drua_shape s = plan_shape(p, "positions");
    drua_plan_text text = {0};
    if (s.depth != 1 || s.height < 2 || s.width > DRUA_MAX_TILES)
        plan_fail(p,
                  "positions must have a column for each of at most %d tiles and rows for x, y and z, got %lld x %lld "
                  "x %lld pixels",
                  DRUA_MAX_TILES, (long long)s.width, (long long)s.height, (long long)s.depth);
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
    .summary = "Reads the positions of tiles from a TileConfiguration.txt of Fiji, or from a table.",
    .source = FORMAT,
    .before_example = "File.saveString(\"dim = 2\\na.tif; ; (0.0, 0.0)\\nb.tif; ; (118.0, 2.5)\\n\", "
                      "getDirectory(\"temp\") + \"drua-example-tiles.txt\");",
    DRUA_PARAMS(
        {.name = "path",
         .doc = "text with a line for each tile: a TileConfiguration.txt, or a table with the columns file, x and y",
         .kind = DRUA_KIND_PATH,
         .example_text = "drua-example-tiles.txt"},
        DRUA_IMAGE_OUT("positions", "a column for each tile; rows are x, y, z in pixels", .shape = placeholder_shape,
                       .type = DRUA_FLOAT32, .replaces = true)),
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
