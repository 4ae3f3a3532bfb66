/* SPDX-License-Identifier: BSD-3-Clause */
/* The group intensity of measure_labels. */
#include "measure_labels.h"

#include "cells_on_host.h"

#include <string.h>

#define COMMON                                                                                                         \
    "MEAN_INTENSITY", "STANDARD_DEVIATION_INTENSITY", "SKEWNESS_INTENSITY", "KURTOSIS_INTENSITY", "SUM_INTENSITY",     \
        "MINIMUM_INTENSITY", "MAXIMUM_INTENSITY", "QUARTILE_1_INTENSITY", "MEDIAN_INTENSITY", "QUARTILE_3_INTENSITY",  \
        "MODE_INTENSITY", "MASS_CENTER_X", "MASS_CENTER_Y"

static const char *const of_plane[] = {COMMON, NULL};
static const char *const of_stack[] = {COMMON, "MASS_CENTER_Z", NULL};

enum { QUANTILES = 3, HISTOGRAM_WORDS = 3 * 256, SUM_WORDS = 8 };

/* ---- on the host, for devices without double precision */

static double wide_sum(const uint32_t *counters)
{
    return (double)pixels_of(counters) + 0x1p32 * (double)pixels_of(counters + 2);
}

#include "../../../kernels/labels/exact_orders.cl"
#include "../../../kernels/labels/intensity_cells.cl"

/* ---- on the device */

/* Integers and statistics of each label, from which the columns follow. */
typedef struct facts {
    measure_centres centres;
    drua_view sums, quantiles, modes;
} facts;

/* Returns the number of bits of the keys, which sort like the intensities of an image. */
static int key_bits(drua_type type)
{
    const size_t size = drua_type_size(type);
    return size == 1 ? 8 : size == 2 ? 16 : 32;
}

/* Finds quartiles and modes, with a histogram for each of these labels. */
static void count_orders(drua_plan *p, const measure_part *part, uint32_t from, uint32_t count, const facts *f)
{
    enum { STATE_WORDS = 2 * QUANTILES };
    const int type = part->intensity.layout.type, bits = key_bits((drua_type)type);
    const uint32_t first = part->first + from, last = first + (count - 1);
    const drua_grid grid = plan_grid(part->labels.layout);
    const drua_view counts = plan_scratch_bytes(p, (uint64_t)count * HISTOGRAM_WORDS * 4),
                    states = plan_scratch_bytes(p, (uint64_t)count * STATE_WORDS * 4);
    const drua_view rows = part->table.rows;
    plan_clear(p, counts);
    plan_clear(p, states);
    LAUNCH(p, "count_modes", grid, ARG(part->labels), ARG(part->intensity), INT(first), INT(last), INT(bits),
           POINTER(rows), INT(from), POINTER(counts));
    LAUNCH(p, "find_modes", LINE(count, 64), INT(from), INT(count), POINTER(counts), POINTER(f->modes));
    plan_clear(p, counts);
    for (int shift = bits - 8; shift >= 0; shift -= 8) {
        LAUNCH(p, "count_keys", grid, ARG(part->labels), ARG(part->intensity), INT(first), INT(last), INT(bits),
               INT(shift), POINTER(states), POINTER(counts));
        LAUNCH(p, "find_bins", LINE(count, 64), POINTER(rows), INT(from), INT(count), INT(shift == bits - 8),
               POINTER(states), POINTER(counts));
    }
    LAUNCH(p, "quantile_keys", LINE(count, 64), INT(from), INT(count), POINTER(states), POINTER(f->quantiles));
    plan_free_scratch(p, states);
    plan_free_scratch(p, counts);
}

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
    const int type = part->intensity.layout.type, bits = key_bits((drua_type)type);
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
    enum { SHARE = 4 };
    const uint32_t count = part->count;
    facts f = {.sums = plan_scratch_bytes(p, (uint64_t)count * SUM_WORDS * 4),
               .quantiles = plan_scratch_bytes(p, (uint64_t)count * QUANTILES * 4),
               .modes = plan_scratch_bytes(p, (uint64_t)count * 4)};
    plan_clear(p, f.sums);
    statistics_values(p, &part->table, VALUES_ALL);
    f.centres = measure_find_centres(p, part);
    statistics_deviations(p, &part->table, f.centres.centres, f.sums);
    const uint64_t max = plan_memory_left(p) / SHARE / (HISTOGRAM_WORDS * 4);
    const uint32_t at_once = (uint32_t)(count < max ? count : max > 0 ? max : 1);
    for (uint32_t from = 0; from < count && !plan_failed(p); from += at_once)
        count_orders(p, part, from, count - from < at_once ? count - from : at_once, &f);
    if (part->cells.buffer)
        LAUNCH(p, "intensity_columns", LINE(count, 64), POINTER(f.centres.statistics), POINTER(f.sums),
               POINTER(f.quantiles), POINTER(f.modes), INT(part->intensity.layout.type),
               INT(key_bits((drua_type)part->intensity.layout.type)), LONG(plan_max_countable_pixels(p)),
               POINTER(part->constants), INT(part->flat ? 2 : 3), INT(count), POINTER(part->cells), INT(part->columns),
               INT(part->column), INT(width));
    else
        fill_on_host(p, part, &f, width);
    measure_drop_centres(p, &f.centres);
    plan_free_scratch(p, f.sums);
    plan_free_scratch(p, f.quantiles);
    plan_free_scratch(p, f.modes);
}

const measure_group measure_intensity = {
    .name = "intensity", .headings = {of_plane, of_stack}, .fill = fill_intensities};
