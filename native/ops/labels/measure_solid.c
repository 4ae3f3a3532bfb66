/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Convex hulls of the labels of stacks: of small labels on the device, of large ones on the host's cores. If the device
 * has no doubles, the host computes all hulls.
 */
#include "measure_hull.h"

#include "cells_on_host.h"
#include "host_work.h"

enum { LOW = STATISTICS_LOW, HIGH = STATISTICS_HIGH };

/* On the host, one lane builds a hull, so the lanes neither share nor wait. */
#define SHARED
#define MEET() ((void)0)

static inline int add_one(int *count)
{
    return (*count)++;
}

static inline bool mark_seen(int32_t *word, int point)
{
    *word = point;
    return true;
}

#include "../../../kernels/labels/hull_chains.cl"
#include "../../../kernels/labels/hull_plane.cl"
#include "../../../kernels/labels/hull_columns.cl"
#include "../../../kernels/labels/hull_faces.cl"
#include "../../../kernels/labels/hull_solid.cl"
#include "../../../kernels/labels/hull_levels.cl"
#include "../../../kernels/labels/hull_volume.cl"

/* ---- on the device */

/* Returns how many work-items share a label: as many as execute together on GPUs. */
static int32_t lanes_of_label(drua_plan *p)
{
    enum { MOST_LANES = 32 }; /* as in kernels/labels/hull_groups.cl */
    return plan_device(p)->is_gpu ? MOST_LANES : 1;
}

/*
 * Assigns each of `count` labels, from `first` on, its place in the memory for hulls, and sets the bytes that all hulls
 * need. Returns false if they need more than half of the free memory, or have too many points for 32 bits. Always
 * returns true for one label.
 */
static bool place_solids(drua_plan *p, const measure_part *part, const hull_lines *l, uint32_t first, uint32_t count,
                         drua_view points, uint64_t *bytes)
{
    enum { SHARE = 2 };
    uint32_t total[2] = {0};
    const int32_t lanes = lanes_of_label(p);
    const drua_view sum = plan_scratch_bytes(p, sizeof total);
    plan_clear(p, sum);
    LAUNCH(p, "place_solids", LINE((int64_t)count * lanes, lanes), POINTER(part->table.rows), INT(l->from),
           POINTER(l->places), INT(first), INT(count), POINTER(l->rows), POINTER(l->chains), POINTER(points),
           POINTER(sum));
    plan_read(p, sum, total, sizeof total);
    plan_free_scratch(p, sum);
    *bytes = (uint64_t)total[0] * POINT_WORDS * sizeof(int32_t);
    return count == 1 || (!total[1] && *bytes < plan_memory_left(p) / SHARE);
}

void hull_launch_solids(drua_plan *p, const measure_part *part, const hull_lines *l, const hull_columns *c)
{
    const int32_t lanes = lanes_of_label(p);
    const drua_view points = plan_scratch_bytes(p, l->count * 8ull);
    for (uint32_t first = 0, count = l->count; first < l->count && !plan_failed(p); first += count) {
        uint64_t bytes;
        count = count < l->count - first ? count : l->count - first;
        while (!place_solids(p, part, l, first, count, points, &bytes) && !plan_failed(p))
            count /= 2;
        const drua_view memory = plan_scratch_bytes(p, bytes > 0 ? bytes : 1);
        LAUNCH(p, "hull_solid_columns", LINE((int64_t)count * lanes, lanes), POINTER(part->table.rows), INT(l->from),
               POINTER(l->places), INT(first), INT(count), POINTER(l->rows), POINTER(l->chains), POINTER(points),
               POINTER(memory), POINTER(part->constants), POINTER(part->cells), INT(part->columns), INT(c->hull),
               INT(c->perimeter));
        plan_free_scratch(p, memory);
    }
    plan_free_scratch(p, points);
}

/* ---- on the host */

/* A label, and its number of points. */
typedef struct host_label {
    uint32_t index; /* counted from label `from` of hull_lines */
    int points;
    const uint32_t *row;
    uint64_t place;
    double *cell; /* of the label's row of the table */
} host_label;

typedef struct host_solids {
    const measure_part *part;
    const hull_columns *columns;
    host_label *labels;
    int32_t *lines, *chains, *memory;
    uint64_t chain_words, memory_words; /* of a worker */
} host_solids;

static label_lines lines_of_host_label(const host_solids *s, const host_label *label, int worker)
{
    return label_of(label->row, label->place, s->lines, s->chains + s->chain_words * (uint64_t)worker);
}

static void count_points_of_label(void *payload, int worker, int64_t i)
{
    const host_solids *s = payload;
    host_label *label = &s->labels[i];
    const label_lines l = lines_of_host_label(s, label, worker);
    label->points = pixels_of(label->row) > 0 ? larger(count_points(&l, 0, 0, 1), count_points(&l, 1, 0, 1)) : 0;
}

static solid build_solid(const label_lines *l, int middles, int32_t *memory, int points, int counts[2])
{
    solid h = solid_in(memory, points, counts, 0, 1);
    for (int step = 0; step <= last_level(l, middles); step++) {
        const slice_hull polygon = polygon_of_level(l, middles, level_of_step(middles, step), 0);
        add_step(&h, &polygon, middles, step);
    }
    return h;
}

/* Fills the columns of the group hull. The hull of corners lies in `memory` for `points` points and is overwritten. */
static void fill_hull_columns(const label_lines *l, const solid *corners, int32_t *memory, int points,
                              const double *size, double surface, double *cell)
{
    int64_t volume = 0, area = 0;
    int counts[2];
    const double scale = scale_of_areas(l, size);
    add_size_of_faces(corners, size, scale, &volume, &area);
    const solid middles = build_solid(l, 1, memory, points, counts);
    clear_lines_of(l, 0, 1);
    mark_faces(&middles, l);
    fill_hull_of_stack(l, volume, (double)area / scale, count_voxels(l, 0, 1), size, surface, cell);
}

static void fill_label(void *payload, int worker, int64_t i)
{
    const host_solids *s = payload;
    const host_label *label = &s->labels[i];
    const hull_columns *c = s->columns;
    const label_lines l = lines_of_host_label(s, label, worker);
    int32_t *memory = s->memory + s->memory_words * (uint64_t)worker;
    hull_clear_cells(c, label->cell);
    if (label->points == 0)
        return;
    int counts[2];
    const solid corners = build_solid(&l, 0, memory, label->points, counts);
    if (c->feret >= 0)
        fill_feret_of_hull(&corners, &l, s->part->size, label->cell + c->feret);
    if (c->hull >= 0)
        fill_hull_columns(&l, &corners, memory, label->points, s->part->size, label->cell[c->perimeter],
                          label->cell + c->hull);
}

void hull_read_words(drua_plan *p, drua_view words, uint64_t first, uint64_t count, void *host)
{
    enum { MAX_WORDS = 1 << 28 }; /* a transfer has at most 2^31 - 1 bytes */
    uint32_t *to = host;
    for (uint64_t done = 0; done < count && !plan_failed(p);) {
        const uint64_t now = count - done < MAX_WORDS ? count - done : MAX_WORDS;
        drua_view part = words;
        part.layout.offset += (int64_t)(first + done);
        plan_read(p, part, to + done, (size_t)now * sizeof *to);
        done += now;
    }
}

/* Copies what the hulls of the labels need. Returns their number. */
static uint32_t read_labels(drua_plan *p, const measure_part *part, const hull_lines *l, host_solids *s)
{
    const bool all = !part->cells.buffer;
    const uint32_t count = all ? l->count : l->large_count;
    uint32_t *indices = plan_host_memory(p, count * sizeof *indices),
             *places = plan_host_memory(p, l->count * sizeof *places),
             *rows = plan_host_memory(p, l->count * sizeof *rows * STATISTICS_ROW);
    s->labels = plan_host_memory(p, count * sizeof *s->labels);
    s->lines = plan_host_memory(p, l->total * 2ull * sizeof *s->lines);
    if (!all)
        hull_read_words(p, l->large, 0, count, indices);
    hull_read_words(p, l->places, 0, l->count, places);
    hull_read_words(p, part->table.rows, l->from * (uint64_t)STATISTICS_ROW, l->count * (uint64_t)STATISTICS_ROW, rows);
    hull_read_words(p, l->rows, 0, l->total * 2ull, s->lines);
    for (uint32_t i = 0; i < count && !plan_failed(p); i++) {
        const uint32_t index = all ? i : indices[i];
        s->labels[i] = (host_label){index, 0, rows + index * (uint64_t)STATISTICS_ROW, places[index], NULL};
        const uint64_t height = s->labels[i].row[HIGH + 1] - (uint64_t)(uint32_t)~s->labels[i].row[LOW + 1] + 1;
        if (pixels_of(s->labels[i].row) > 0 && 8 * (height + 2) > s->chain_words)
            s->chain_words = 8 * (height + 2);
    }
    return count;
}

/* Copies the rows of the table to the host, or, once they are filled, back to the device. */
static void move_rows(drua_plan *p, const measure_part *part, const hull_lines *l, const host_solids *s, uint32_t count,
                      bool back)
{
    for (uint32_t i = 0; i < count && !plan_failed(p); i++) {
        const uint64_t first = (uint64_t)(l->from + s->labels[i].index) * (uint64_t)part->columns;
        if (!part->cells.buffer) {
            s->labels[i].cell = part->host_cells + first;
        } else if (back) {
            drua_view row = part->cells;
            row.layout.offset += (int64_t)(2 * first);
            row.layout.width = 2 * part->columns;
            row.layout.height = row.layout.depth = 1;
            plan_write(p, row, s->labels[i].cell);
        } else {
            s->labels[i].cell = plan_host_memory(p, (size_t)part->columns * sizeof(double));
            hull_read_words(p, part->cells, 2 * first, 2 * (uint64_t)part->columns, s->labels[i].cell);
        }
    }
}

void hull_fill_stack_on_host(drua_plan *p, const measure_part *part, const hull_lines *l, const hull_columns *c)
{
    enum { MAX_WORDS = 1 << 28 };
    host_solids s = {.part = part, .columns = c};
    const uint32_t count = read_labels(p, part, l, &s);
    const uint64_t workers = (uint64_t)plan_workers(count);
    s.chains = plan_host_memory(p, workers * s.chain_words * sizeof *s.chains);
    plan_on_cores(p, count, count_points_of_label, &s);
    for (uint32_t i = 0; i < count && !plan_failed(p); i++) {
        const uint64_t words = (uint64_t)s.labels[i].points * POINT_WORDS;
        s.memory_words = words > s.memory_words ? words : s.memory_words;
    }
    /* labels that need much memory follow one another, with the memory of one worker */
    const bool one_by_one = workers * s.memory_words > MAX_WORDS;
    s.memory = plan_host_memory(p, (one_by_one ? 1 : workers) * s.memory_words * sizeof *s.memory);
    move_rows(p, part, l, &s, count, false);
    for (uint32_t i = 0; one_by_one && i < count && !plan_failed(p); i++)
        fill_label(&s, 0, i);
    if (!one_by_one)
        plan_on_cores(p, count, fill_label, &s);
    if (part->cells.buffer)
        move_rows(p, part, l, &s, count, true);
}
