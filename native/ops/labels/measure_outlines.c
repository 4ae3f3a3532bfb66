/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The group `outline` of measure_labels: the number of pieces, area or volume with filled holes; for planes also the
 * number of holes and ImageJ's perimeter, for stacks the numbers of cavities and tunnels.
 */
#include "measure_labels.h"

#include "cells_on_host.h"

static const char *const of_plane[] = {"PIECES", "HOLES", "PERIMETER_IMAGEJ", "FILLED_AREA", NULL};
static const char *const of_stack[] = {"PIECES", "CAVITIES", "TUNNELS", "FILLED_VOLUME", NULL};

enum { OUTLINE_WORDS = 3, CAVITY_WORDS = 2, TRACE_WORDS = 6 };

/* ---- on the host, for devices without double precision */

#include "../../../kernels/labels/outlines_cells.cl"

/* Words of the device, copied to the host. */
static const uint32_t *copy_words(drua_plan *p, drua_view words, const measure_part *part, int per_label)
{
    const size_t bytes = 4ull * part->count * (size_t)per_label;
    uint32_t *copy = plan_host_memory(p, bytes);
    plan_read(p, words, copy, bytes);
    return copy;
}

static void fill_on_host(drua_plan *p, const measure_part *part, drua_view pieces, drua_view outlines,
                         drua_view cavities)
{
    const uint32_t *counts = copy_words(p, pieces, part, 1), *traced = copy_words(p, outlines, part, OUTLINE_WORDS),
                   *enclosed = copy_words(p, cavities, part, CAVITY_WORDS),
                   *rows = copy_words(p, part->table.rows, part, STATISTICS_ROW);
    for (size_t i = 0; i < part->count && !plan_failed(p); i++) {
        double *row = part->host_cells + i * (size_t)part->columns;
        const outline_facts facts = {
            counts[i], rows + i * STATISTICS_ROW, traced + i * OUTLINE_WORDS, enclosed + i * CAVITY_WORDS, part->size,
            part->flat};
        fill_outline(&facts, row[part->euler], row + part->column);
    }
}

/* ---- on the device */

static void count_pieces(drua_plan *p, const measure_part *part, drua_view pieces)
{
    const drua_grid grid = plan_grid(part->labels.layout);
    const uint64_t pixels = (uint64_t)drua_layout_count(&part->labels.layout);
    const uint32_t last = part->first + (part->count - 1);
    if (pixels > UINT32_MAX)
        plan_fail(p, "the columns of outline can be measured in at most %u pixels, but labels has %llu; crop it",
                  UINT32_MAX, (unsigned long long)pixels);
    const drua_view parent = plan_scratch_bytes(p, pixels * 4);
    plan_clear(p, pieces);
    LAUNCH(p, "pieces_of_rows", grid, ARG(part->labels), POINTER(parent));
    LAUNCH(p, "join_pieces", grid, ARG(part->labels), INT(part->first), INT(last), POINTER(parent));
    LAUNCH(p, "count_pieces", grid, ARG(part->labels), INT(part->first), INT(last), POINTER(parent), POINTER(pieces));
    plan_free_scratch(p, parent);
}

/*
 * Traces the outlines in launches of limited length, because a device may abort a longer one. Waits for each launch.
 */
static void trace_outlines(drua_plan *p, const measure_part *part, drua_view outlines)
{
    const drua_view traces = plan_scratch_bytes(p, 4ull * part->count * TRACE_WORDS), more = plan_scratch_bytes(p, 4);
    LAUNCH(p, "begin_outlines", LINE(part->count, 64), INT(part->count), POINTER(part->table.rows), POINTER(traces),
           POINTER(outlines));
    for (uint32_t unfinished = 1; unfinished && !plan_failed(p);) {
        plan_clear(p, more);
        LAUNCH(p, "trace_outlines", LINE(part->count, 64), ARG(part->labels), INT(part->first), INT(part->count),
               POINTER(part->table.rows), POINTER(traces), POINTER(outlines), POINTER(more));
        plan_read(p, more, &unfinished, sizeof unfinished);
    }
    plan_free_scratch(p, more);
    plan_free_scratch(p, traces);
}

static void fill_outlines(drua_plan *p, const measure_part *part, int width)
{
    const drua_view pieces = plan_scratch_bytes(p, part->count * 4ull),
                    outlines = plan_scratch_bytes(p, 4ull * part->count * OUTLINE_WORDS),
                    cavities = plan_scratch_bytes(p, 4ull * part->count * CAVITY_WORDS);
    count_pieces(p, part, pieces);
    measure_cavities(p, part, cavities);
    if (part->flat)
        trace_outlines(p, part, outlines);
    if (part->cells.buffer)
        LAUNCH(p, "outline_columns", LINE(part->count, 64), POINTER(pieces), POINTER(part->table.rows),
               POINTER(outlines), POINTER(cavities), POINTER(part->constants), INT(part->flat), INT(part->count),
               POINTER(part->cells), INT(part->columns), INT(part->column), INT(part->euler));
    else
        fill_on_host(p, part, pieces, outlines, cavities);
    plan_free_scratch(p, cavities);
    plan_free_scratch(p, outlines);
    plan_free_scratch(p, pieces);
    (void)width;
}

const measure_group measure_outline = {.name = "outline", .headings = {of_plane, of_stack}, .fill = fill_outlines};
