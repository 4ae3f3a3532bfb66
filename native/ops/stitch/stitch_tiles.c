/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations that assemble overlapping tiles. */
#include "stitch.h"

enum { RESULT_ROWS = 5 };

/* ---- tiles and their positions */

stitch_job stitch_begin(drua_plan *p, int64_t count, drua_shape shape, drua_type type)
{
    stitch_job j = {.count = (int32_t)count, .shape = shape, .type = type};
    j.threshold = plan_setting(p, "options", "threshold");
    j.tolerance = plan_setting(p, "options", "tolerance");
    j.misses_zeros = plan_setting(p, "options", "missing") == 1;
    j.tiles = plan_host_memory(p, (size_t)count * sizeof *j.tiles);
    j.prepared = plan_host_memory(p, (size_t)count * sizeof *j.prepared);
    j.filtered = plan_host_memory(p, (size_t)count * sizeof *j.filtered);
    return j;
}

/* A job for the tiles in the stack "tiles". */
static stitch_job new_job(drua_plan *p, int64_t count)
{
    drua_shape shape = plan_shape(p, "tiles");
    if (!plan_failed(p) && shape.depth % count)
        plan_fail(p,
                  "tiles has %lld slices, which cannot be divided equally among %lld tiles; use a stack with all tiles "
                  "one after the other, with a tile of zeros where one is missing",
                  (long long)shape.depth, (long long)count);
    shape.depth /= count;
    return stitch_begin(p, count, shape, plan_type(p, "tiles"));
}

void stitch_grid_place(drua_plan *p, int64_t number, int64_t columns, int64_t rows, int64_t place[2])
{
    enum { BY_ROWS, BY_COLUMNS, SNAKE_BY_ROWS, SNAKE_BY_COLUMNS };
    const int order = (int)plan_setting(p, "options", "order");
    const bool by_columns = order == BY_COLUMNS || order == SNAKE_BY_COLUMNS, snake = order >= SNAKE_BY_ROWS;
    const int64_t length = by_columns ? rows : columns, line = number / length,
                  along = snake && line % 2 ? length - 1 - number % length : number % length;
    place[0] = by_columns ? line : along;
    place[1] = by_columns ? along : line;
}

static void place_in_grid(drua_plan *p, stitch_job *j, int64_t columns, int64_t rows)
{
    const double step = 1 - plan_setting(p, "options", "overlap") / 100;
    for (int32_t i = 0; i < j->count && !plan_failed(p); i++) {
        int64_t place[2];
        stitch_grid_place(p, i, columns, rows, place);
        for (int axis = 0; axis < 2; axis++)
            j->tiles[i].stage[axis] = step * (double)j->shape.extent[axis] * (double)place[axis];
    }
}

static void place_by_list(drua_plan *p, stitch_job *j)
{
    const drua_shape s = plan_shape(p, "positions");
    if (!plan_failed(p) && (s.width != j->count || s.height < 2 || s.depth != 1))
        plan_fail(p,
                  "positions must have a column for each of the %d tiles and rows for x, y and z, got %lld x %lld x "
                  "%lld pixels",
                  (int)j->count, (long long)s.width, (long long)s.height, (long long)s.depth);
    if (plan_failed(p))
        return;
    float *numbers = plan_host_memory(p, (size_t)(s.width * s.height) * sizeof *numbers);
    plan_read_floats(p, plan_operand_image(p, plan_operand(p, "positions")), numbers);
    for (int32_t i = 0; i < j->count && !plan_failed(p); i++)
        for (int axis = 0; axis < 3 && axis < s.height; axis++) {
            const float at = numbers[axis * s.width + i];
            if (!(at > -1e9f && at < 1e9f))
                plan_fail(p, "positions must be within a billion pixels, got %g for tile %d", (double)at, (int)i + 1);
            j->tiles[i].stage[axis] = at;
        }
}

/* ---- the mosaic */

typedef struct fusing {
    const stitch_job *job;
    drua_shape shape; /* of the mosaic */
    double corner[3];
    int fusion;
} fusing;

void stitch_find_corner(const stitch_job *j, double low[3], double high[3])
{
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = INFINITY;
        high[axis] = -INFINITY;
        for (int32_t i = 0; i < j->count; i++) {
            if (j->paths && j->tiles[i].empty)
                continue;
            low[axis] = fmin(low[axis], j->tiles[i].at[axis]);
            high[axis] = fmax(high[axis], j->tiles[i].at[axis]);
        }
    }
}

static fusing frame_mosaic(drua_plan *p, const stitch_job *j)
{
    fusing f = {.job = j, .shape = {.dimension = j->shape.depth > 1 ? 3 : 2}};
    double high[3];
    f.fusion = (int)plan_setting(p, "options", "fusion");
    stitch_find_corner(j, f.corner, high);
    for (int axis = 0; axis < 3; axis++)
        f.shape.extent[axis] = drua_mosaic_extent(j->shape.extent[axis], f.corner[axis], high[axis]);
    if (f.shape.depth > 1)
        f.shape.dimension = 3;
    return f;
}

static void launch_fusion(drua_plan *p)
{
    const fusing *f = plan_state(p);
    drua_view tiles = plan_image(p, "tiles"), to = plan_image(p, "mosaic");
    drua_view sums = plan_scratch(p, f->shape, DRUA_FLOAT32), weights = plan_scratch(p, f->shape, DRUA_FLOAT32);
    const int32_t depth = (int32_t)f->job->shape.depth;
    plan_clear(p, sums);
    plan_clear(p, weights);
    for (int32_t i = 0; i < f->job->count && !plan_failed(p); i++) {
        const stitch_tile *t = &f->job->tiles[i];
        drua_view tile = plan_slices(tiles, i * depth, depth);
        int64_t first[3];
        float at[3];
        for (int axis = 0; axis < 3; axis++)
            drua_mosaic_place(t->at[axis], f->corner[axis], &first[axis], &at[axis]);
        if (!t->empty)
            LAUNCH(p, "stitch_add", GRID(tile.layout.width + 1, tile.layout.height + 1, depth + 1, 32, 4, 1), ARG(tile),
                   ARG(sums), ARG(weights), INT((int32_t)first[0]), INT((int32_t)first[1]), INT((int32_t)first[2]),
                   REAL(at[0]), REAL(at[1]), REAL(at[2]), INT(f->fusion), INT(f->job->misses_zeros));
    }
    LAUNCH(p, "stitch_finish", plan_grid(to.layout), ARG(sums), ARG(weights), ARG(to));
}

static void shape_of_mosaic(drua_plan *p, drua_shape *shape)
{
    *shape = ((const fusing *)plan_state(p))->shape;
}

static const drua_op fuse = {
    .name = "fuse",
    DRUA_PARAMS(DRUA_IMAGE_IN("tiles", "stack of tiles"),
                DRUA_IMAGE_OUT("mosaic", "assembled tiles", .shape = shape_of_mosaic)),
    .numeric = DRUA_DEVICE,
    .traits = DRUA_WHOLE,
    .launch = launch_fusion,
};

/* ---- results */

static void write_positions(drua_plan *p)
{
    const fusing *f = plan_state(p);
    drua_view list = plan_image(p, "positions");
    const int32_t count = f->job->count;
    float *numbers = plan_host_memory(p, (size_t)count * RESULT_ROWS * sizeof *numbers);
    for (int32_t i = 0; i < count && numbers; i++) {
        const stitch_tile *t = &f->job->tiles[i];
        for (int axis = 0; axis < 3; axis++)
            numbers[axis * count + i] = (float)(t->at[axis] - f->corner[axis]);
        numbers[3 * count + i] = (float)t->quality;
        numbers[4 * count + i] = (float)t->links;
    }
    drua_view dense = plan_scratch(p, (drua_shape){count, RESULT_ROWS, 1, 2}, DRUA_FLOAT32);
    plan_write(p, dense, numbers);
    plan_copy(p, dense, list, 0, 0, 0);
}

static void shape_of_positions(drua_plan *p, drua_shape *shape)
{
    *shape = (drua_shape){((const fusing *)plan_state(p))->job->count, RESULT_ROWS, 1, 2};
}

static const drua_op list_positions = {
    .name = "list_positions",
    DRUA_PARAMS(DRUA_IMAGE_OUT("positions", "list", .shape = shape_of_positions, .type = DRUA_FLOAT32)),
    .numeric = DRUA_EXACT,
    .launch = write_positions,
};

static void keep_positions(drua_plan *p, stitch_job *j)
{
    for (int32_t i = 0; i < j->count && !plan_failed(p); i++) {
        stitch_prepare_tile(p, j, i);
        plan_release_image(p, j->filtered[i]);
        for (int axis = 0; axis < 3; axis++)
            j->tiles[i].at[axis] = j->tiles[i].stage[axis];
        if (j->tiles[i].empty)
            plan_add_message(p, "tile %d is not in the mosaic, because all its pixels are 0", (int)i + 1);
    }
}

void stitch_find_positions(drua_plan *p, stitch_job *j)
{
    stitch_measure_pairs(p, j);
    stitch_solve(p, j);
}

void stitch_make_table(drua_plan *p, const stitch_job *j, const double corner[3])
{
    static const char *const headings[] = {"TILE", "X", "Y", "Z", "STAGE_X", "STAGE_Y", "STAGE_Z", "QUALITY", "PAIRS"};
    enum { COLUMNS = sizeof headings / sizeof *headings };
    double *cells = plan_new_table(p, headings, COLUMNS, (size_t)j->count), *cell = cells;
    for (int32_t i = 0; i < j->count && cells; i++, cell += COLUMNS) {
        cell[0] = i + 1;
        for (int axis = 0; axis < 3; axis++) {
            cell[1 + axis] = j->tiles[i].at[axis] - corner[axis];
            cell[4 + axis] = j->tiles[i].stage[axis];
        }
        cell[7] = j->tiles[i].quality;
        cell[8] = j->tiles[i].links;
    }
}

static void stitch_tiles(drua_plan *p, stitch_job *j, bool keeps)
{
    if (keeps)
        keep_positions(p, j);
    else
        stitch_find_positions(p, j);
    if (plan_failed(p))
        return;
    fusing f = frame_mosaic(p, j);
    const drua_operand tiles = plan_operand(p, "tiles");
    plan_return(p, "mosaic", plan_call_private(p, &fuse, &f, plan_type(p, "tiles"), &tiles, 1));
    if (!plan_failed(p))
        plan_return(p, "found", plan_call_private(p, &list_positions, &f, DRUA_FLOAT32, NULL, 0));
    stitch_make_table(p, j, f.corner);
}

static void build_grid(drua_plan *p)
{
    const int64_t columns = plan_integer(p, "columns"), rows = plan_integer(p, "rows");
    if (columns * rows > DRUA_MAX_TILES)
        plan_fail(p, "there may be at most %d tiles, got %lld x %lld", DRUA_MAX_TILES, (long long)columns,
                  (long long)rows);
    stitch_job j = new_job(p, columns * rows);
    place_in_grid(p, &j, columns, rows);
    stitch_tiles(p, &j, false);
}

static void build_positions(drua_plan *p)
{
    const int64_t count = plan_shape(p, "positions").width;
    if (count > DRUA_MAX_TILES)
        plan_fail(p, "there may be at most %d tiles, got %lld positions", DRUA_MAX_TILES, (long long)count);
    stitch_job j = new_job(p, count);
    place_by_list(p, &j);
    stitch_tiles(p, &j, plan_setting(p, "options", "keep") != 0);
}

#define TILES DRUA_IMAGE_IN("tiles", "stack of all tiles, one after the other along z; a missing tile is 0 everywhere")
#define RESULTS                                                                                                        \
    DRUA_IMAGE_OUT("mosaic", "assembled tiles; 0 where no tile lies", .replaces = true),                               \
        DRUA_IMAGE_OUT("found",                                                                                        \
                       "a column for each tile; rows are x, y, z in the mosaic, largest correlation with a "           \
                       "neighbour, and number of neighbours that determine the position",                              \
                       .type = DRUA_FLOAT32, .replaces = true)
DRUA_OP(stitch_grid) = {
    .name = "stitch_grid",
    .category = "stitching",
    .menu = true,
    .summary = "Assembles overlapping tiles that were taken in a grid.",
    .source = STITCH_SOURCE,
    DRUA_PARAMS(TILES, RESULTS,
                DRUA_INTEGER("columns", "tiles along x", DRUA_RANGE(1, DRUA_MAX_TILES), .default_value = 1,
                             .example = 2),
                DRUA_INTEGER("rows", "tiles along y", DRUA_RANGE(1, DRUA_MAX_TILES), .default_value = 1),
                STITCH_OPTIONS("overlap=40", STITCH_GRID, ), STITCH_TABLE),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_WHOLE,
    .build = build_grid,
};

DRUA_OP(stitch_positions) = {
    .name = "stitch_positions",
    .category = "stitching",
    .menu = true,
    .summary = "Assembles overlapping tiles whose positions on the stage are in a list.",
    .source = STITCH_SOURCE,
    DRUA_PARAMS(TILES, DRUA_IMAGE_IN("positions", "a column for each tile; rows are x, y, and optionally z, in pixels"),
                RESULTS,
                STITCH_OPTIONS("fusion=average",
                               STITCH_KEEP("whether the positions are final, such as those found in another channel or "
                                           "time point"), ),
                STITCH_TABLE),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_WHOLE,
    .build = build_positions,
};
