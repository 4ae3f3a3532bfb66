/* SPDX-License-Identifier: BSD-3-Clause */
#include "flood_grid.h"

#include <stdlib.h>
#include <string.h>

static void list_neighbours(flood_grid *g, int64_t connectivity)
{
    const bool flat = g->extent[2] == 1, box = connectivity == 8 || connectivity == 26;
    const int64_t row = g->padded[0], plane = row * g->padded[1];
    if (flat && connectivity == 4) {
        const int64_t around[4] = {-1, -row, 1, row};
        g->neighbours = 4;
        memcpy(g->offsets, around, sizeof around);
        return;
    }
    for (int dz = flat ? 0 : -1; dz <= (flat ? 0 : 1); dz++)
        for (int dx = -1; dx <= 1; dx++)
            for (int dy = -1; dy <= 1; dy++) {
                const int distance = abs(dx) + abs(dy) + abs(dz);
                if (distance > 0 && (box || distance == 1))
                    g->offsets[g->neighbours++] = dz * plane + dy * row + dx;
            }
}

flood_grid flood_grid_of(drua_plan *p, const char *image, int64_t connectivity)
{
    const drua_shape of = plan_shape(p, image);
    flood_grid g = {.extent = {(int32_t)of.width, (int32_t)of.height, (int32_t)of.depth},
                    .padded = {(int32_t)of.width + 2, (int32_t)of.height + 2, (int32_t)of.depth + 2 * (of.depth > 1)}};
    if (of.width * of.height > INT32_MAX / of.depth ||
        (of.width + 2) * (of.height + 2) > (UINT32_MAX - 1) / (of.depth + 2))
        plan_fail(p, "%s has more than 2147483647 pixels, borders included; crop it or split it", image);
    g.count = (int64_t)g.padded[0] * g.padded[1] * g.padded[2];
    list_neighbours(&g, connectivity);
    return g;
}

int64_t flood_grid_at(const flood_grid *g, int64_t x, int64_t y, int64_t z)
{
    return ((z + (g->padded[2] > 1)) * g->padded[1] + y + 1) * g->padded[0] + x + 1;
}

float *flood_grid_read(drua_plan *p, const char *image, const flood_grid *g)
{
    const drua_shape padded = {g->padded[0], g->padded[1], g->padded[2], 3};
    drua_view on_device = plan_scratch(p, padded, DRUA_FLOAT32);
    const size_t bytes = (size_t)g->count * sizeof(float);
    float *pixels = plan_host_memory(p, bytes);
    plan_clear(p, on_device);
    plan_copy(p, plan_image(p, image), on_device, 1, 1, g->padded[2] > 1);
    if (pixels)
        plan_read(p, on_device, pixels, bytes);
    plan_free_scratch(p, on_device);
    return plan_failed(p) ? NULL : pixels;
}

void flood_grid_write(drua_plan *p, const flood_grid *g, int32_t *labels)
{
    const drua_shape of = {g->extent[0], g->extent[1], g->extent[2], g->extent[2] > 1 ? 3 : 2};
    int32_t *to = labels;
    for (int64_t z = 0; z < g->extent[2]; z++)
        for (int64_t y = 0; y < g->extent[1]; y++) {
            const int32_t *from = labels + flood_grid_at(g, 0, y, z);
            for (int32_t x = 0; x < g->extent[0]; x++)
                *to++ = from[x] > 0 ? from[x] : 0;
        }
    const drua_view dense = plan_scratch(p, of, DRUA_UINT32), image = plan_image(p, "destination");
    plan_write(p, dense, labels);
    LAUNCH(p, "watershed_end", plan_grid(image.layout), POINTER(dense), INT(of.width), INT(of.height), INT(of.depth),
           ARG(image));
}

uint32_t flood_key(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (isnan(value))
        return UINT32_MAX;
    return bits >> 31 ? ~bits : bits | 0x80000000u;
}
