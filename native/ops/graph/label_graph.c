/* SPDX-License-Identifier: BSD-3-Clause */
#include "label_graph.h"

#include "../labels/statistics.h"

static drua_grid row_grid(drua_graph g)
{
    return GRID(g.count, g.words, 1, 64, 1, 1);
}

static drua_graph graph_like(drua_plan *p, uint32_t count)
{
    uint32_t words = (count + 31) / 32;
    return (drua_graph){plan_scratch_bytes(p, 4 * (uint64_t)count * words), count, words};
}

drua_graph graph_new(drua_plan *p, uint32_t count)
{
    drua_graph g = graph_like(p, count);
    plan_clear(p, g.bits);
    return g;
}

drua_graph graph_of_matrix(drua_plan *p, drua_view matrix)
{
    drua_layout l = matrix.layout;
    drua_graph g = graph_like(p, (uint32_t)(l.width > l.height ? l.width : l.height));
    LAUNCH(p, "graph_rows", GRID(g.words, g.count, 1, 16, 4, 1), ARG(matrix), POINTER(g.bits), INT(g.count),
           INT(g.words));
    return g;
}

drua_grid graph_march_grid(drua_layout l)
{
    return GRID(((int64_t)l.width + 3) / 4, l.height, (l.depth + GRAPH_SLICES - 1) / GRAPH_SLICES, 32, 8, 1);
}

drua_graph graph_of_touching(drua_plan *p, drua_view labels, uint32_t largest, int first)
{
    drua_graph g = graph_new(p, largest + 1);
    for (drua_tiles t = {.inputs = {labels}, .halo = 1}; plan_next_tile(p, &t);)
        if (t.from[0].buffer == labels.buffer && drua_layout_is_vec4(&labels.layout))
            LAUNCH(p, "graph_touching_vec4", graph_march_grid(labels.layout), ARG(labels), POINTER(g.bits),
                   INT(g.count), INT(g.words), INT(first), INT(GRAPH_SLICES));
        else
            LAUNCH(p, "graph_touching", plan_tile_grid(plan_grid(t.from[0].layout), &t), ARG(t.from[0]),
                   POINTER(g.bits), INT(g.count), INT(g.words), INT(first));
    return g;
}

drua_graph graph_of_proximal(drua_plan *p, drua_view points, double low, double high)
{
    drua_graph g = graph_like(p, (uint32_t)points.layout.width + 1);
    LAUNCH(p, "graph_proximal", row_grid(g), ARG(points), POINTER(g.bits), INT(g.count), INT(g.words), REAL(low),
           REAL(high));
    return g;
}

drua_graph graph_of_nearest(drua_plan *p, drua_nearest n)
{
    drua_graph g = graph_new(p, n.columns);
    LAUNCH(p, "graph_lists", GRID(n.columns, n.slots, 1, 64, 1, 1), POINTER(n.indices), POINTER(g.bits), INT(n.columns),
           INT(n.slots), INT(g.words));
    return g;
}

static drua_graph derive_graph(drua_plan *p, const char *kernel, drua_graph from)
{
    drua_graph to = graph_like(p, from.count);
    LAUNCH(p, kernel, row_grid(to), POINTER(from.bits), POINTER(to.bits), INT(to.count), INT(to.words));
    return to;
}

drua_graph graph_two_steps(drua_plan *p, drua_graph graph)
{
    return derive_graph(p, "graph_two_steps", graph);
}

drua_graph graph_mirror(drua_plan *p, drua_graph graph)
{
    return derive_graph(p, "graph_mirror", graph);
}

drua_view graph_centroids(drua_plan *p, drua_view labels, uint32_t largest)
{
    uint32_t count = largest > 0 ? largest : 1;
    drua_view points = plan_scratch(p, (drua_shape){count, 3, 1, 2}, DRUA_FLOAT32);
    statistics_centroids(p, labels, 1, count, points);
    return points;
}

drua_view graph_last_pixels(drua_plan *p, drua_view labels, uint32_t largest)
{
    uint64_t pixels = (uint64_t)drua_layout_count(&labels.layout);
    if (pixels >= UINT32_MAX)
        plan_fail(p, "the label map has %llu pixels, but at most 4294967294 can be read at once; crop it or split it",
                  (unsigned long long)pixels);
    drua_view last = plan_scratch_bytes(p, 4 * ((uint64_t)largest + 1));
    plan_clear(p, last);
    for (drua_tiles t = {.inputs = {labels}, .halo = 1}; plan_next_tile(p, &t);) {
        const drua_layout l = t.from[0].layout;
        const int32_t slices = l.depth < 16 || t.from[0].buffer != labels.buffer ? 1 : 16;
        drua_grid grid = GRID(l.width, l.height, (l.depth + slices - 1) / slices, 32, 4,
                              1); /* the kernel starts with the last layer */
        if (t.from[0].buffer != labels.buffer)
            grid.items[t.axis] -= t.at.wanted.first[t.axis];
        LAUNCH(p, "last_positions", grid, ARG(t.from[0]), POINTER(last), INT(largest), INT(slices),
               INT(t.at.wanted.first[1]));
    }
    return last;
}

static void read_values(drua_plan *p, drua_view labels, drua_view map, uint32_t largest, drua_view values)
{
    drua_view last = graph_last_pixels(p, labels, largest);
    for (drua_tiles t = {.inputs = {map}}; plan_next_tile(p, &t);)
        LAUNCH(p, "values_at", plan_grid(values.layout), POINTER(last), ARG(t.from[0]), INT(map.layout.height),
               INT(map.layout.depth), INT(t.at.wanted.first[1]), INT(t.at.wanted.first[2]), INT(labels.layout.width),
               INT(labels.layout.height), INT(largest), ARG(values));
}

drua_view graph_values(drua_plan *p, drua_view labels, drua_view map, uint32_t largest)
{
    drua_view values = graph_vector(p, largest);
    read_values(p, labels, map, largest, values);
    return values;
}

drua_view graph_vector(drua_plan *p, uint32_t largest)
{
    return plan_scratch(p, (drua_shape){(int64_t)largest + 1, 1, 1, 3}, DRUA_FLOAT32);
}

static drua_nearest nearest_list(drua_plan *p, uint32_t columns, uint32_t slots, uint32_t parts)
{
    uint64_t bytes = 4 * (uint64_t)columns * slots * parts;
    return (drua_nearest){plan_scratch_bytes(p, bytes), plan_scratch_bytes(p, bytes), columns, slots};
}

/* Number of parts into which the rows are divided, because few columns alone would leave a GPU partly idle. */
static uint32_t parts_of_rows(drua_plan *p, uint32_t columns, uint32_t rows)
{
    enum { MAX_PARTS = 32 /* as in kernels/graph/nearest.cl */, MIN_ROWS = 32, ITEMS = 1 << 18 };
    uint32_t parts = rows / MIN_ROWS < ITEMS / (columns + 1) ? rows / MIN_ROWS : ITEMS / (columns + 1);
    return !plan_device(p)->is_gpu || parts < 1 ? 1 : parts < MAX_PARTS ? parts : MAX_PARTS;
}

drua_nearest graph_nearest(drua_plan *p, drua_view source, bool points, int64_t slots, int flags)
{
    enum { MAX_AXES = 3, TILE = 64 }; /* as in kernels/graph/nearest.cl */
    slots = slots < 1 ? 1 : slots;
    const bool tiles = points && flags & NEAREST_SKIP_BACKGROUND && source.layout.height <= MAX_AXES;
    const uint32_t columns = (uint32_t)source.layout.width + points,
                   rows = points ? columns : (uint32_t)source.layout.height,
                   kept = slots < rows ? (uint32_t)slots : rows, wanted = parts_of_rows(p, columns, rows),
                   unit = tiles ? TILE : 1, thick = ((rows + wanted - 1) / wanted + unit - 1) / unit * unit,
                   parts = (rows + thick - 1) / thick, held = kept < thick ? kept : thick;
    const double sign = flags & NEAREST_FARTHEST ? -1 : 1;
    const drua_grid grid = GRID(columns, parts, 1, 64, 1, 1);
    drua_nearest n = nearest_list(p, columns, held, parts);
    if (tiles)
        LAUNCH(p, "nearest_in_tiles", grid, ARG(source), INT(columns), INT(thick), INT(held),
               INT(flags & NEAREST_SKIP_SELF), REAL(sign), POINTER(n.distances), POINTER(n.indices));
    else
        LAUNCH(p, "nearest_rows", grid, ARG(source), INT(points), INT(columns), INT(rows), INT(thick), INT(held),
               INT(flags & NEAREST_SKIP_SELF), INT(flags & NEAREST_SKIP_BACKGROUND ? 1 : 0), REAL(sign),
               POINTER(n.distances), POINTER(n.indices));
    if (parts == 1)
        return n;
    drua_nearest joined = nearest_list(p, columns, kept, 1);
    LAUNCH(p, "nearest_join", LINE(columns, 64), POINTER(n.distances), POINTER(n.indices), INT(columns), INT(parts),
           INT(held), INT(kept), REAL(sign), POINTER(joined.distances), POINTER(joined.indices));
    plan_free_scratch(p, n.distances);
    plan_free_scratch(p, n.indices);
    return joined;
}

void graph_nearest_mean(drua_plan *p, drua_nearest n, drua_view destination)
{
    LAUNCH(p, "nearest_mean", plan_grid(destination.layout), POINTER(n.distances), INT(n.columns), INT(n.slots),
           ARG(destination));
}

/* A work-group for each entry of a vector; on CPUs, a group has one work-item. */
static drua_grid lanes_grid(drua_plan *p, drua_view vector)
{
    const int64_t lanes = plan_device(p)->is_gpu ? 32 : 1;
    return GRID(vector.layout.width * lanes, 1, 1, lanes, 1, 1);
}

void graph_statistic(drua_plan *p, drua_graph g, drua_view values, int statistic, drua_view out)
{
    if (statistic == NEIGHBOR_MODE)
        LAUNCH(p, "neighbor_mode", GRID((int64_t)out.layout.width * 32, 1, 1, 32, 1, 1), POINTER(g.bits), INT(g.count),
               INT(g.words), ARG(values), ARG(out));
    else if (statistic == NEIGHBOR_MEDIAN)
        LAUNCH(p, "neighbor_median", lanes_grid(p, out), POINTER(g.bits), INT(g.count), INT(g.words), ARG(values),
               ARG(out));
    else
        LAUNCH(p, "neighbor_statistic", lanes_grid(p, out), POINTER(g.bits), INT(g.count), INT(g.words), ARG(values),
               INT(statistic), ARG(out));
}

void graph_distances(drua_plan *p, drua_graph g, drua_view source, bool points, int statistic, drua_view out)
{
    LAUNCH(p, "neighbor_distances", lanes_grid(p, out), POINTER(g.bits), INT(g.count), INT(g.words), ARG(source),
           INT(points), INT(statistic), ARG(out));
}

void graph_paint(drua_plan *p, drua_view labels, drua_view vector)
{
    const drua_layout v = vector.layout;
    for (drua_tiles t = {.inputs = {labels}, .output = "destination"}; plan_next_tile(p, &t);) {
        const drua_layout l = t.to.layout, m = t.from[0].layout;
        const bool vec4 = drua_layout_is_vec4(&l) && drua_layout_is_vec4(&m) && drua_layout_is_same_size(&l, &m) &&
                          v.type == DRUA_FLOAT32 && drua_layout_is_dense(&v);
        LAUNCH(p, vec4 ? "paint_labels_vec4" : "paint_labels",
               plan_tile_grid((vec4 ? plan_grid_vec4 : plan_grid)(l), &t), ARG(t.from[0]), ARG(vector), ARG(t.to));
    }
}

void graph_vector_shape(drua_plan *p, drua_shape *shape)
{
    *shape = (drua_shape){shape->width, 1, 1, 3};
    (void)p;
}

static void shape_of_values(drua_plan *p, drua_shape *shape)
{
    *shape = (drua_shape){plan_largest_label(p, "labels") + 1, 1, 1, 3};
}

static void launch_read_values(drua_plan *p)
{
    read_values(p, plan_image(p, "labels"), plan_image(p, "map"), (uint32_t)plan_largest_label(p, "labels"),
                plan_image(p, "destination"));
}

DRUA_OP(read_values_from_map) = {
    .name = "read_values_from_map",
    .category = "labels",
    .summary = "Reads the value of each label from a map in which all pixels of a label have one value; the label's "
               "last pixel counts.",
    .source = "the value at the last pixel of each label",
    DRUA_PARAMS(DRUA_IMAGE_IN("labels", "label map"),
                DRUA_IMAGE_IN("map", "map in which all pixels of a label have the label's value"),
                DRUA_IMAGE_OUT("destination", "vector: one value for each label, the first for background",
                               .shape = shape_of_values, .type = DRUA_FLOAT32)),
    DRUA_ALIASES("CLIJ2/CLIJx readValuesFromMap: labels, map, &destination",
                 "CLIJx readIntensitiesFromMap: labels, map, &destination"),
    .numeric = DRUA_EXACT,
    .launch = launch_read_values,
};
