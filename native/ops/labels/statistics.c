/* SPDX-License-Identifier: BSD-3-Clause */
#include "statistics.h"

enum { RUN_BYTES = 16 };

/*
 * Tiles are 32 columns by 8 slices or, with few slices, by 8 segments of a column. Tiles are tall, unless there would
 * be too few of them or a CPU's cache is too small.
 */
static drua_grid tile_grid(drua_plan *p, drua_layout l, int32_t *rows)
{
    enum { TALLEST = 128, LOWEST = 16, ENOUGH = 1024, SLICES = 8 };
    bool flat = l.depth < SLICES;
    int64_t columns = ((int64_t)l.width + 31) / 32 * (flat ? l.depth : (l.depth + SLICES - 1) / SLICES);
    int32_t segments = flat ? SLICES : 1, height = plan_device(p)->is_gpu ? TALLEST : LOWEST;
    while (height > LOWEST && columns * (l.height / ((int64_t)height * segments) + 1) < ENOUGH)
        height /= 2;
    *rows = height;
    return GRID(l.width, (l.height + height - 1) / height, l.depth, 32, segments, SLICES / segments);
}

/* The grid for one part of both images, and the number of rows of each tile. */
static drua_grid grid_along(drua_plan *p, const drua_tiles *t, int32_t *rows)
{
    const drua_box *at = &t->at.wanted;
    drua_grid grid = tile_grid(p, t->inputs[0].layout, rows);
    grid.items[t->axis] = at->end[t->axis] - at->first[t->axis];
    grid.from[t->axis] = at->first[t->axis];
    if (t->axis == 1) {
        grid.items[1] = (grid.items[1] + *rows - 1) / *rows;
        grid.from[1] /= *rows;
    }
    return grid;
}

static drua_tiles tiles_of(drua_view labels, drua_view source)
{
    enum { MULTIPLE = 128 }; /* multiple of any tile's height */
    return (drua_tiles){.inputs = {labels, source}, .multiple = MULTIPLE};
}

uint32_t statistics_at_once(drua_plan *p, uint32_t first, uint32_t last)
{
    enum {
        SHARE = 4,
        WORDS = STATISTICS_ROW + STATISTICS_SCALE_ROW + STATISTICS_CENTRE_ROW + STATISTICS_DISTANCE_ROW +
                2 * STATISTICS_COLUMNS + 1
    };
    const uint64_t count = (uint64_t)last - first + 1, max = plan_memory_left(p) / SHARE / (4 * WORDS);
    return (uint32_t)(count < max ? count : max > 0 ? max : 1);
}

/*
 * Lists all runs, so that later sweeps read only labelled pixels. If the runs cannot be listed, the list is empty and
 * its capacity negative.
 */
static void list_runs(drua_plan *p, drua_label_table *t)
{
    enum {
        PIXELS_A_RUN = 16,
        FEW = 1 << 16,
        LIMIT = 1 << 27,
        DEEP = 1 << 24,
        TALLEST = 32,
        LOWEST = 16,
        ENOUGH = 2048,
        SLICES = 4,
        SAMPLERS = 256
    };
    const drua_layout *l = &t->labels.layout;
    const int64_t pixels = drua_layout_count(l), share = pixels / PIXELS_A_RUN,
                  runs = share > FEW    ? share
                         : pixels < FEW ? pixels
                                        : FEW;
    t->capacity = -1;
    if (l->depth < DEEP && plan_fits_both(p, t->labels, t->source) &&
        plan_fits_with_scratch(p, t->labels,
                               (uint64_t)pixels * drua_type_size((drua_type)t->source.layout.type) +
                                   (uint64_t)runs * RUN_BYTES))
        t->capacity = (int32_t)(runs < LIMIT ? runs : LIMIT);
    t->count = plan_scratch_bytes(p, 4);
    t->list = plan_scratch_bytes(p, t->capacity < 0 ? 4 : (uint64_t)t->capacity * RUN_BYTES);
    if (t->capacity < 0) {
        plan_clear(p, t->count);
        return;
    }
    LAUNCH(p, "sample_runs", GRID(SAMPLERS, 1, 1, SAMPLERS, 1, 1), ARG(t->labels), INT(t->first), INT(t->last),
           INT(t->capacity), POINTER(t->count));
    const bool flat = l->depth < SLICES;
    const int32_t segments = flat ? SLICES : 1;
    const int64_t columns = ((int64_t)l->width + 127) / 128 * (flat ? l->depth : (l->depth + SLICES - 1) / SLICES);
    int32_t rows = TALLEST;
    while (rows > LOWEST && columns * (l->height / ((int64_t)rows * segments) + 1) < ENOUGH)
        rows /= 2;
    LAUNCH(p, "list_runs",
           GRID(((int64_t)l->width + 3) / 4, (l->height + rows - 1) / rows, l->depth, 32, segments, SLICES / segments),
           ARG(t->labels), INT(t->first), INT(t->last), INT(rows), INT(labels_are_vec4(t->labels, t->labels)),
           INT(t->capacity), POINTER(t->count), POINTER(t->list));
}

drua_label_table statistics_extents(drua_plan *p, drua_view labels, drua_view source, uint32_t first, uint32_t last,
                                    int parts)
{
    uint64_t count = (uint64_t)last - first + 1;
    drua_label_table t = {.labels = labels,
                          .source = source,
                          .rows = plan_scratch_bytes(p, count * STATISTICS_ROW * 4),
                          .first = first,
                          .last = last};
    plan_clear(p, t.rows);
    list_runs(p, &t);
    for (drua_tiles s = tiles_of(labels, source); plan_next_tile(p, &s);) {
        int32_t rows;
        const drua_grid grid = grid_along(p, &s, &rows);
        LAUNCH(p, "statistics_extents", grid, ARG(s.from[0]), ARG(s.from[1]), INT(first), INT(last), INT(rows),
               INT(t.capacity), POINTER(t.count), POINTER(t.list), INT(parts), POINTER(t.rows));
    }
    return t;
}

void statistics_values(drua_plan *p, const drua_label_table *t, int parts)
{
    uint32_t count = t->last - t->first + 1;
    drua_view scales = plan_scratch_bytes(p, STATISTICS_SCALE_ROW * 4 * (uint64_t)count);
    LAUNCH(p, "statistics_scales", LINE(count, 64), POINTER(t->rows), INT(t->source.layout.type), POINTER(scales),
           INT(count));
    for (drua_tiles s = tiles_of(t->labels, t->source); plan_next_tile(p, &s);) {
        int32_t rows;
        const drua_grid grid = grid_along(p, &s, &rows);
        LAUNCH(p, "statistics_values", grid, ARG(s.from[0]), ARG(s.from[1]), INT(t->first), INT(t->last), INT(rows),
               INT(t->capacity), POINTER(t->count), POINTER(t->list), INT(parts), POINTER(scales), POINTER(t->rows));
    }
    plan_free_scratch(p, scales);
}

void statistics_powers(drua_plan *p, const drua_label_table *t, bool third, drua_view powers)
{
    enum { SECOND = 6, ALL = 16 };
    for (drua_tiles s = tiles_of(t->labels, t->labels); plan_next_tile(p, &s);) {
        int32_t rows;
        const drua_grid grid = grid_along(p, &s, &rows);
        LAUNCH(p, "shape_powers", grid, ARG(s.from[0]), INT(t->first), INT(t->last), INT(rows), INT(t->capacity),
               POINTER(t->count), POINTER(t->list), INT(third ? ALL : SECOND), POINTER(t->rows), POINTER(powers));
    }
}

void statistics_deviations(drua_plan *p, const drua_label_table *t, drua_view centres, drua_view sums)
{
    for (drua_tiles s = tiles_of(t->labels, t->source); plan_next_tile(p, &s);) {
        int32_t rows;
        const drua_grid grid = grid_along(p, &s, &rows);
        LAUNCH(p, "intensity_deviations", grid, ARG(s.from[0]), ARG(s.from[1]), INT(t->first), INT(t->last), INT(rows),
               INT(t->capacity), POINTER(t->count), POINTER(t->list), POINTER(centres), POINTER(sums));
    }
}

void statistics_common(drua_plan *p, const drua_label_table *t, drua_view other, drua_view centres1, drua_view centres2,
                       const float thresholds[2], drua_view sums)
{
    int32_t rows;
    const drua_grid grid = tile_grid(p, t->labels.layout, &rows);
    LAUNCH(p, "common_sums", grid, ARG(t->labels), ARG(t->source), ARG(other), INT(t->first), INT(t->last), INT(rows),
           INT(t->capacity), POINTER(t->count), POINTER(t->list), POINTER(centres1), POINTER(centres2),
           REAL(thresholds[0]), REAL(thresholds[1]), POINTER(sums));
}

drua_view statistics_distances(drua_plan *p, const drua_label_table *t, drua_view centres)
{
    drua_view distances = plan_scratch_bytes(p, ((uint64_t)t->last - t->first + 1) * STATISTICS_DISTANCE_ROW * 4);
    plan_clear(p, distances);
    for (drua_tiles s = tiles_of(t->labels, t->labels); plan_next_tile(p, &s);) {
        int32_t rows;
        const drua_grid grid = grid_along(p, &s, &rows);
        LAUNCH(p, "statistics_distances", grid, ARG(s.from[0]), INT(t->first), INT(t->last), INT(rows),
               INT(t->capacity), POINTER(t->count), POINTER(t->list), POINTER(centres), POINTER(t->rows),
               POINTER(distances));
    }
    return distances;
}

void statistics_drop(drua_plan *p, const drua_label_table *t)
{
    plan_free_scratch(p, t->list);
    plan_free_scratch(p, t->count);
    plan_free_scratch(p, t->rows);
}

void statistics_centroids(drua_plan *p, drua_view labels, uint32_t first, uint32_t last, drua_view list)
{
    const int64_t columns = list.layout.width, count = (int64_t)last - first + 1,
                  at_once = statistics_at_once(p, first, last);
    for (int64_t done = 0; done < count && done < columns && !plan_failed(p); done += at_once) {
        const int64_t now = count - done < at_once ? count - done : at_once;
        const uint32_t from = first + (uint32_t)done;
        drua_label_table table =
            statistics_extents(p, labels, labels, from, from + (uint32_t)(now - 1), EXTENTS_POSITIONS);
        drua_view some = list;
        some.layout.offset += done * list.layout.column;
        some.layout.width -= (int32_t)done;
        LAUNCH(p, "list_centroids", GRID(now, list.layout.height, 1, 64, 1, 1), POINTER(table.rows), INT(now),
               ARG(some));
        statistics_drop(p, &table);
    }
}

drua_view statistics_join(drua_plan *p, uint32_t largest, const char *source, int measurement, statistics_some *some)
{
    int64_t last = largest > 0 ? largest : 1;
    if (statistics_at_once(p, 1, (uint32_t)last) < last)
        last = plan_largest_label(p, "labels") > 0 ? plan_largest_label(p, "labels") : 1;
    const int64_t at_once = statistics_at_once(p, 1, (uint32_t)last);
    if (at_once == last || plan_failed(p))
        return some(p, source, measurement, 1, (uint32_t)last);
    drua_view all = plan_scratch(p, (drua_shape){last + 1, 1, 1, 3}, DRUA_FLOAT32);
    for (int64_t first = 1; first <= last && !plan_failed(p); first += at_once) {
        const int64_t end = first + at_once <= last ? first + at_once : last + 1;
        drua_view values = some(p, source, measurement, (uint32_t)first, (uint32_t)end - 1), counted = values;
        counted.layout.offset = first > 1;      /* the first labels include the background */
        counted.layout.width -= first > 1;
        plan_copy(p, counted, all, first > 1 ? first : 0, 0, 0);
        plan_free_scratch(p, values);
    }
    return all;
}

drua_view statistics_given(drua_plan *p)
{
    drua_view values = plan_tile_scratch(p);
    if (values.buffer)
        values.layout = drua_layout_dense(
            (drua_shape){(int64_t)(drua_buffer_bytes(values.buffer) / sizeof(float)), 1, 1, 3}, DRUA_FLOAT32);
    return values;
}
