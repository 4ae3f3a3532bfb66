/* SPDX-License-Identifier: BSD-3-Clause */
/* The group texture of measure_labels. */
#include "measure_labels.h"

#include "cells_on_host.h"

/* In the order in which kernels/labels/texture_cells.cl fills the columns. */
static const char *const headings[] = {"TEXTURE_ANGULAR_SECOND_MOMENT",
                                       "TEXTURE_CONTRAST",
                                       "TEXTURE_CORRELATION",
                                       "TEXTURE_VARIANCE",
                                       "TEXTURE_INVERSE_DIFFERENCE_MOMENT",
                                       "TEXTURE_SUM_AVERAGE",
                                       "TEXTURE_SUM_VARIANCE",
                                       "TEXTURE_SUM_ENTROPY",
                                       "TEXTURE_ENTROPY",
                                       "TEXTURE_DIFFERENCE_VARIANCE",
                                       "TEXTURE_DIFFERENCE_ENTROPY",
                                       "TEXTURE_INFORMATION_1",
                                       "TEXTURE_INFORMATION_2",
                                       NULL};

/* ---- on the host, for devices without double precision */

#include "../../../kernels/labels/texture_cells.cl"

/* ---- on the device */

enum { PLANE_DIRECTIONS = 4, STACK_DIRECTIONS = 13 };

/* Matrices of some labels of a part: the first index, the number of labels, and host copies for devices without
 * doubles. */
typedef struct matrices {
    uint32_t from, count, cells, *host_counts, *host_flags;
    double *host_features;
    int levels, directions;
    drua_view of_pixels, flags, counts;
} matrices;

/* Finds the grey level of each pixel. */
static void find_levels(drua_plan *p, const measure_part *part, matrices *m)
{
    double range[2];
    const drua_grid grid = plan_grid(part->labels.layout);
    const drua_view found = plan_scratch_bytes(p, 2 * sizeof(uint32_t));
    m->of_pixels = plan_scratch_bytes(p, (uint64_t)drua_layout_count(&part->labels.layout));
    m->flags = plan_scratch_bytes(p, part->count * 4ull);
    plan_setting_numbers(p, "options", "grey_range", range);
    if (range[1] < range[0] || (range[0] == range[1] && range[0] != 0))
        plan_fail(p,
                  "options has grey_range=%g,%g, but the second intensity must be larger than the first; correct them, "
                  "or leave grey_range out",
                  range[0], range[1]);
    plan_clear(p, found);
    plan_clear(p, m->flags);
    if (range[0] == range[1])
        LAUNCH(p, "texture_range", grid, ARG(part->labels), ARG(part->intensity), POINTER(found));
    LAUNCH(p, "texture_levels", grid, ARG(part->labels), ARG(part->intensity), INT(part->first),
           INT(part->first + (part->count - 1)), POINTER(found), REAL(range[0]), REAL(range[1]), INT(m->levels),
           POINTER(m->of_pixels), POINTER(m->flags));
    plan_free_scratch(p, found);
}

static void count_pairs_of_levels(drua_plan *p, const measure_part *part, const matrices *m)
{
    enum { ROWS = 16, GROUP_WIDTH = 32, GROUP_DEPTH = 4 };
    const drua_layout l = part->labels.layout;
    const uint32_t first = part->first + m->from;
    plan_clear(p, m->counts);
    LAUNCH(p, "texture_pairs",
           GRID(l.width, ((int64_t)l.height + ROWS - 1) / ROWS, l.depth, GROUP_WIDTH, part->flat ? GROUP_DEPTH : 1,
                part->flat ? 1 : GROUP_DEPTH),
           ARG(part->labels), POINTER(m->of_pixels), INT(first), INT(first + (m->count - 1)), INT(ROWS),
           INT(m->directions), INT(m->cells), POINTER(m->counts));
}

static void fill_on_host(drua_plan *p, const measure_part *part, const matrices *m)
{
    const size_t all = (size_t)m->count * (size_t)m->directions;
    plan_read(p, m->counts, m->host_counts, all * m->cells * sizeof *m->host_counts);
    plan_read(p, m->flags, m->host_flags, part->count * sizeof *m->host_flags);
    for (size_t i = 0; i < all && !plan_failed(p); i++)
        fill_direction(m->host_counts + i * m->cells, m->levels, true, m->host_features + i * TEXTURE_FEATURES);
    for (size_t i = 0; i < m->count && !plan_failed(p); i++)
        fill_texture(m->host_features + i * (size_t)m->directions * TEXTURE_FEATURES, m->directions,
                     m->host_flags[m->from + i],
                     part->host_cells + (m->from + i) * (size_t)part->columns + part->column);
}

static void fill_on_device(drua_plan *p, const measure_part *part, const matrices *m, drua_view features)
{
    const int64_t all = (int64_t)m->count * m->directions;
    LAUNCH(p, "texture_directions", LINE(all, 64), POINTER(part->table.rows), INT(m->from), POINTER(m->counts),
           INT(m->cells), INT(m->levels), INT(m->directions), INT(all), POINTER(features));
    LAUNCH(p, "texture_columns", LINE(m->count, 64), POINTER(features), INT(m->directions), POINTER(m->flags),
           INT(m->from), INT(m->count), POINTER(part->cells), INT(part->columns), INT(part->column));
}

/* Fills the columns for as many labels at a time as have matrices that fit a quarter of the free memory. */
static void fill_texture_columns(drua_plan *p, const measure_part *part, int width)
{
    enum { SHARE = 4 };
    matrices m = {.levels = (int)plan_setting(p, "options", "grey_levels"),
                  .directions = part->flat ? PLANE_DIRECTIONS : STACK_DIRECTIONS};
    m.cells = (uint32_t)m.levels * ((uint32_t)m.levels + 1) / 2;
    find_levels(p, part, &m);
    const uint64_t keys = (uint64_t)m.directions * m.cells,
                   bytes = keys * 4 + (uint64_t)m.directions * TEXTURE_FEATURES * sizeof(double),
                   room = plan_memory_left(p) / SHARE / bytes, numbers = (UINT32_MAX - 1) / keys,
                   max = room < numbers ? room : numbers;
    const uint32_t at_once = (uint32_t)(part->count < max ? part->count : max > 0 ? max : 1);
    const uint64_t features = (uint64_t)at_once * (uint64_t)m.directions * TEXTURE_FEATURES * sizeof(double);
    m.counts = plan_scratch_bytes(p, at_once * keys * 4);
    const drua_view on_device = part->cells.buffer ? plan_scratch_bytes(p, features) : (drua_view){0};
    if (!part->cells.buffer) {
        m.host_counts = plan_host_memory(p, at_once * keys * 4);
        m.host_flags = plan_host_memory(p, part->count * sizeof *m.host_flags);
        m.host_features = plan_host_memory(p, features);
    }
    for (; m.from < part->count && !plan_failed(p); m.from += m.count) {
        m.count = at_once < part->count - m.from ? at_once : part->count - m.from;
        count_pairs_of_levels(p, part, &m);
        if (part->cells.buffer)
            fill_on_device(p, part, &m, on_device);
        else
            fill_on_host(p, part, &m);
    }
    if (part->cells.buffer)
        plan_free_scratch(p, on_device);
    plan_free_scratch(p, m.counts);
    plan_free_scratch(p, m.flags);
    plan_free_scratch(p, m.of_pixels);
    (void)width;
}

const measure_group measure_texture = {
    .name = "texture", .headings = {headings, headings}, .fill = fill_texture_columns};
