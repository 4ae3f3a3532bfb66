/* SPDX-License-Identifier: BSD-3-Clause */
/* The group intensity of measure_labels. */
#include "measure_orders.h"

#include "cells_on_host.h"

#include <string.h>

#define COMMON                                                                                                         \
    "MEAN_INTENSITY", "STANDARD_DEVIATION_INTENSITY", "SKEWNESS_INTENSITY", "KURTOSIS_INTENSITY", "SUM_INTENSITY",     \
        "MINIMUM_INTENSITY", "MAXIMUM_INTENSITY", "QUARTILE_1_INTENSITY", "MEDIAN_INTENSITY", "QUARTILE_3_INTENSITY",  \
        "MODE_INTENSITY", "MASS_CENTER_X", "MASS_CENTER_Y"

static const char *const of_plane[] = {COMMON, NULL};
static const char *const of_stack[] = {COMMON, "MASS_CENTER_Z", NULL};

enum { QUANTILES = 3, SUM_WORDS = 8 };

/* ---- on the host, for devices without double precision */

static double wide_sum(const uint32_t *counters)
{
    return (double)pixels_of(counters) + 0x1p32 * (double)pixels_of(counters + 2);
}

enum { LOWEST = STATISTICS_LOWEST, HIGHEST = STATISTICS_HIGHEST };

#include "../../../kernels/labels/exact_orders.cl"
#include "../../../kernels/labels/percentile_cells.cl"
#include "../../../kernels/labels/intensity_cells.cl"

/* ---- on the device */

/* Integers and statistics of each label, from which the columns follow. */
typedef struct facts {
    measure_centres centres;
    drua_view sums, quantiles, modes;
} facts;

measure_centres measure_find_centres(drua_plan *p, const measure_part *part)
{
    const uint32_t count = part->count;
    measure_centres found = {.centres = plan_scratch(p, (drua_shape){4, count, 1, 2}, DRUA_FLOAT32)};
    if (part->cells.buffer) {
        const drua_view other = plan_scratch_bytes(p, (uint64_t)count * STATISTICS_CENTRE_ROW * sizeof(float));
        found.statistics = plan_scratch_bytes(p, (uint64_t)count * STATISTICS_COLUMNS * sizeof(double));
        LAUNCH(p, "statistics_columns", LINE(count, 64), POINTER(part->table.rows), INT(part->intensity.layout.type),
               POINTER(found.statistics), POINTER(other), INT(part->first), INT(count));
        LAUNCH(p, "intensity_centres", LINE(count, 64), POINTER(found.statistics), INT(count), POINTER(found.centres));
        plan_free_scratch(p, other);
        return found;
    }
    float *centres = plan_host_memory(p, (uint64_t)count * 4 * sizeof *centres);
    found.host_statistics = plan_host_memory(p, (uint64_t)count * STATISTICS_COLUMNS * sizeof(double));
    statistics_cells(p, &part->table, found.host_statistics);
    for (size_t i = 0; i < count && !plan_failed(p); i++)
        fill_centre(found.host_statistics + i * STATISTICS_COLUMNS, centres + 4 * i);
    plan_write(p, found.centres, centres);
    return found;
}

void measure_drop_centres(drua_plan *p, const measure_centres *centres)
{
    if (!centres->host_statistics)
        plan_free_scratch(p, centres->statistics);
    plan_free_scratch(p, centres->centres);
}

static void fill_on_host(drua_plan *p, const measure_part *part, const facts *f, int width)
{
    const uint64_t count = part->count;
    uint32_t *sums = plan_host_memory(p, count * SUM_WORDS * 4);
    uint32_t *quantiles = plan_host_memory(p, count * QUANTILES * 4), *modes = plan_host_memory(p, count * 4);
    const int type = part->intensity.layout.type, bits = measure_key_bits(part);
    plan_read(p, f->sums, sums, count * SUM_WORDS * 4);
    plan_read(p, f->quantiles, quantiles, count * QUANTILES * 4);
    plan_read(p, f->modes, modes, count * 4);
    for (size_t i = 0; i < count && !plan_failed(p); i++)
        fill_intensity(f->centres.host_statistics + i * STATISTICS_COLUMNS, sums + i * SUM_WORDS,
                       quantiles + i * QUANTILES, modes[i], type, bits, (uint64_t)plan_max_countable_pixels(p),
                       part->size, part->flat ? 2 : 3, part->host_cells + i * (size_t)part->columns + part->column,
                       width);
}

static void fill_intensities(drua_plan *p, const measure_part *part, int width)
{
    static const uint32_t quarters[QUANTILES] = {ORDERS_ALL / 4, ORDERS_ALL / 2, 3 * (ORDERS_ALL / 4)};
    const uint32_t count = part->count;
    facts f = {.sums = plan_scratch_bytes(p, (uint64_t)count * SUM_WORDS * 4),
               .quantiles = plan_scratch_bytes(p, (uint64_t)count * QUANTILES * 4),
               .modes = plan_scratch_bytes(p, (uint64_t)count * 4)};
    plan_clear(p, f.sums);
    statistics_values(p, &part->table, VALUES_ALL);
    f.centres = measure_find_centres(p, part);
    statistics_deviations(p, &part->table, f.centres.centres, f.sums);
    measure_orders(p, part, quarters, QUANTILES, f.quantiles, f.modes);
    if (part->cells.buffer)
        LAUNCH(p, "intensity_columns", LINE(count, 64), POINTER(f.centres.statistics), POINTER(f.sums),
               POINTER(f.quantiles), POINTER(f.modes), INT(part->intensity.layout.type), INT(measure_key_bits(part)),
               LONG(plan_max_countable_pixels(p)), POINTER(part->constants), INT(part->flat ? 2 : 3), INT(count),
               POINTER(part->cells), INT(part->columns), INT(part->column), INT(width));
    else
        fill_on_host(p, part, &f, width);
    measure_drop_centres(p, &f.centres);
    plan_free_scratch(p, f.sums);
    plan_free_scratch(p, f.quantiles);
    plan_free_scratch(p, f.modes);
}

const measure_group measure_intensity = {
    .name = "intensity", .headings = {of_plane, of_stack}, .fill = fill_intensities};
