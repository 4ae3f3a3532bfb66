/* SPDX-License-Identifier: BSD-3-Clause */
/* The group inscribed of measure_labels. */
#include "measure_labels.h"

static const char *const of_plane[] = {"INSCRIBED_X", "INSCRIBED_Y", "INSCRIBED_RADIUS", NULL};
static const char *const of_stack[] = {"INSCRIBED_X", "INSCRIBED_Y", "INSCRIBED_Z", "INSCRIBED_RADIUS", NULL};

/* On the host, for devices without double precision. */
static void fill_on_host(drua_plan *p, const measure_part *part)
{
    const int axes = part->flat ? 2 : 3;
    const drua_layout l = part->labels.layout;
    float *squares = plan_host_memory(p, part->count * sizeof *squares);
    uint32_t *found = plan_host_memory(p, part->count * sizeof *found);
    plan_read(p, part->longest, squares, part->count * sizeof *squares);
    plan_read(p, part->centres, found, part->count * sizeof *found);
    for (size_t i = 0; i < part->count && !plan_failed(p); i++) {
        double *cell = part->host_cells + i * (size_t)part->columns + part->column;
        const uint32_t place = ~found[i], width = (uint32_t)l.width, height = (uint32_t)l.height;
        const double at[3] = {place % width, place / width % height, place / width / height};
        const bool known = squares[i] > 0 && !isinf(squares[i]);
        for (int axis = 0; axis < axes; axis++)
            cell[axis] = known ? part->size[axis] * (at[axis] + 0.5) : (double)NAN;
        cell[axes] = known ? sqrt((double)squares[i]) : (double)NAN;
    }
}

drua_view measure_distances(drua_plan *p, const measure_part *part)
{
    const drua_grid grid = plan_grid(part->labels.layout);
    const uint64_t pixels = (uint64_t)drua_layout_count(&part->labels.layout);
    drua_view squares = plan_scratch_bytes(p, pixels * sizeof(float)),
              other = plan_scratch_bytes(p, pixels * sizeof(float));
    LAUNCH(p, "inscribed_x", grid, ARG(part->labels), POINTER(squares), REAL(part->size[0] * part->size[0]));
    for (int axis = 1; axis < (part->flat ? 2 : 3); axis++) {
        LAUNCH(p, "inscribed_next", grid, ARG(part->labels), POINTER(squares), POINTER(other),
               REAL(part->size[axis] * part->size[axis]), INT(axis));
        const drua_view swap = squares;
        squares = other;
        other = swap;
    }
    plan_free_scratch(p, other);
    return squares;
}

void measure_longest(drua_plan *p, const measure_part *part, drua_view distances, drua_view longest)
{
    plan_clear(p, longest);
    LAUNCH(p, "inscribed_largest", plan_grid(part->labels.layout), ARG(part->labels), INT(part->first),
           INT(part->first + (part->count - 1)), POINTER(distances), POINTER(longest));
}

void measure_first(drua_plan *p, const measure_part *part, drua_view distances, drua_view longest, const char *group,
                   drua_view places)
{
    const uint64_t pixels = (uint64_t)drua_layout_count(&part->labels.layout);
    if (pixels > UINT32_MAX)
        plan_fail(p, "the columns of %s can be measured in at most %u pixels, but labels has %llu; crop it", group,
                  UINT32_MAX, (unsigned long long)pixels);
    plan_clear(p, places);
    LAUNCH(p, "inscribed_first", plan_grid(part->labels.layout), ARG(part->labels), INT(part->first),
           INT(part->first + (part->count - 1)), POINTER(distances), POINTER(longest), POINTER(places));
}

static void fill_inscribed(drua_plan *p, const measure_part *part, int width)
{
    const drua_layout l = part->labels.layout;
    if (part->cells.buffer)
        LAUNCH(p, "inscribed_columns", LINE(part->count, 64), POINTER(part->table.rows), INT(part->count),
               POINTER(part->longest), POINTER(part->centres), INT(l.width), INT(l.height), INT(width - 1),
               POINTER(part->constants), POINTER(part->cells), INT(part->columns), INT(part->column));
    else
        fill_on_host(p, part);
}

const measure_group measure_inscribed = {
    .name = "inscribed", .headings = {of_plane, of_stack}, .fill = fill_inscribed, .distances = true};
