/* SPDX-License-Identifier: BSD-3-Clause */
#include "central_moments.h"

enum { ORDERS = MOMENT_ORDERS, SUMS = ORDERS * ORDERS, GROUP = 256 };

/* The blocks that kernels/measure/moments.cl sums, ordered with x fastest. */
typedef struct blocks {
    int32_t columns, rows, across, down;
    int64_t count;
} blocks;

/*
 * Chooses the blocks. With w x h <= 2^21, the sum of x^2 y^2 is below w^3 / 3 h^3 / 3 < 2^63. With h <= 1024, the sum
 * of y^2 in a column is below 2^31. Each block consists of whole rounds of its work-items. A device gets only as many
 * blocks as it needs, because the host processes the sums of each block.
 */
static blocks blocks_of(drua_layout l)
{
    enum {
        ENOUGH = 512,
        MIN_PIXELS = 16384,
        MAX_PIXELS = 1 << 21,
        MAX_COLUMNS = 16384,
        MAX_ROWS = 1024,
        ROWS_AT_ONCE = 4
    };
    const int64_t share = drua_layout_count(&l) / ENOUGH, pixels = share < MIN_PIXELS   ? MIN_PIXELS
                                                                   : share > MAX_PIXELS ? MAX_PIXELS
                                                                                        : share;
    blocks b = {.columns = l.width < MAX_COLUMNS ? (l.width + 3) / 4 * 4 : MAX_COLUMNS};
    const int64_t vectors = b.columns / 4, round = ROWS_AT_ONCE * (vectors < GROUP ? GROUP / vectors : 1),
                  fitting = pixels / b.columns;
    const int64_t max = fitting < round      ? round
                        : fitting < MAX_ROWS ? fitting / round * round
                                             : MAX_ROWS / round * round;
    b.across = (l.width - 1) / b.columns + 1;
    b.down = (int32_t)((l.height - 1) / max + 1);
    b.rows = (int32_t)(((l.height - 1) / (round * b.down) + 1) * round);
    b.down = (l.height - 1) / b.rows + 1;
    b.count = (int64_t)b.across * b.down * l.depth;
    return b;
}

static void send_blocks(drua_plan *p, drua_view source, blocks b, drua_view sums)
{
    for (drua_tiles t = {.inputs = {source}}; plan_next_tile(p, &t);) {
        const drua_box *at = &t.at.wanted;
        drua_grid grid = plan_tile_grid(GRID((int64_t)b.across * GROUP, b.down, source.layout.depth, GROUP, 1, 1), &t);
        grid.from[1] = at->first[1] / b.rows;
        grid.items[1] = (at->end[1] - 1) / b.rows + 1 - grid.from[1];
        LAUNCH(p, "moments_of_blocks", grid, ARG(t.from[0]), POINTER(sums), INT(b.columns), INT(b.rows),
               INT(at->first[1]), INT(drua_layout_is_vec4(&t.from[0].layout)));
    }
}

static void origin_of(blocks b, int64_t block, double origin[3])
{
    origin[0] = (double)(block % b.across * b.columns);
    origin[1] = (double)(block / b.across % b.down * b.rows);
    origin[2] = (double)(block / b.across / b.down);
}

static void center_of(const uint64_t *sums, blocks b, double center[3])
{
    double number = 0, sum[3] = {0};
    for (int64_t block = 0; block < b.count; block++, sums += SUMS) {
        const double count = (double)sums[0];
        double origin[3];
        origin_of(b, block, origin);
        number += count;
        sum[0] += count * origin[0] + (double)sums[1];
        sum[1] += count * origin[1] + (double)sums[ORDERS];
        sum[2] += count * origin[2];
    }
    for (int axis = 0; axis < 3; axis++)
        center[axis] = number > 0 ? sum[axis] / number : 0;
}

/*
 * Converts the sums of 1, x and x^2, whose stride is `stride` entries, to an origin at x = way. Unsigned numbers wrap,
 * so the results are exact if they fit.
 */
static void move_whole(uint64_t *sums, int stride, uint64_t way)
{
    sums[2 * stride] += way * (way * sums[0] - 2 * sums[stride]);
    sums[stride] -= way * sums[0];
}

static void move_sums(double *sums, int stride, double way)
{
    sums[2 * stride] += way * (way * sums[0] - 2 * sums[stride]);
    sums[stride] -= way * sums[0];
}

/*
 * Moves a block's sums to the centre. Integer arithmetic moves them to the block's pixel nearest to the centre; the
 * remaining distance causes no cancellation.
 */
static void move_block(uint64_t *whole, blocks b, const double way[2], double sums[SUMS])
{
    const double x = fmin(fmax(rint(way[0]), 0), b.columns - 1), y = fmin(fmax(rint(way[1]), 0), b.rows - 1);
    for (int n = 0; n < ORDERS; n++)
        move_whole(whole + ORDERS * n, 1, (uint64_t)x);
    for (int n = 0; n < ORDERS; n++)
        move_whole(whole + n, ORDERS, (uint64_t)y);
    for (int n = 0; n < SUMS; n++)
        sums[n] = (double)(int64_t)whole[n];
    for (int n = 0; n < ORDERS; n++)
        move_sums(sums + ORDERS * n, 1, way[0] - x);
    for (int n = 0; n < ORDERS; n++)
        move_sums(sums + n, ORDERS, way[1] - y);
}

moments central_moments(drua_plan *p, drua_view source)
{
    moments m = {{{{0}}}};
    const blocks b = blocks_of(source.layout);
    const size_t bytes = (size_t)b.count * SUMS * sizeof(uint64_t);
    const drua_view found = plan_scratch_bytes(p, bytes);
    send_blocks(p, source, b, found);
    uint64_t *sums = plan_host_memory(p, bytes);
    if (!sums)
        return m;
    plan_read(p, found, sums, bytes);
    double center[3];
    center_of(sums, b, center);
    for (int64_t block = 0; block < b.count; block++, sums += SUMS) {
        if (sums[0] == 0)
            continue;
        double origin[3], of[SUMS];
        origin_of(b, block, origin);
        move_block(sums, b, (const double[]){center[0] - origin[0], center[1] - origin[1]}, of);
        const double dz = origin[2] - center[2], z[] = {1, dz, dz * dz};
        for (int n = 0; n < ORDERS * SUMS; n++)
            m.of[n % 3][n / 3 % 3][n / 9] += of[n % SUMS] * z[n / SUMS];
    }
    return m;
}
