/* SPDX-License-Identifier: BSD-3-Clause */
/* The group percentiles of measure_labels, and order statistics for the group intensity. */
#include "measure_orders.h"

#include "cells_on_host.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BINS = 256, MAX_PERCENTILES = 16, HEADING = 40 };

/* ---- on the host, for devices without double precision */

enum { LOWEST = STATISTICS_LOWEST, HIGHEST = STATISTICS_HIGHEST };

#include "../../../kernels/labels/exact_orders.cl"
#include "../../../kernels/labels/percentile_cells.cl"

/* ---- orders */

int measure_key_bits(const measure_part *part)
{
    const size_t size = drua_type_size((drua_type)part->intensity.layout.type);
    return size == 1 ? 8 : size == 2 ? 16 : 32;
}

/* Finds the keys of `some` labels, and their modes, with a histogram for each key. */
static void count_orders(drua_plan *p, const measure_part *part, uint32_t from, uint32_t some, drua_view shares,
                         int count, drua_view keys, drua_view modes)
{
    const int bits = measure_key_bits(part);
    const uint32_t first = part->first + from, last = first + (some - 1);
    const drua_grid grid = plan_grid(part->labels.layout);
    const drua_view counts = plan_scratch_bytes(p, (uint64_t)some * (uint64_t)count * BINS * 4),
                    states = plan_scratch_bytes(p, (uint64_t)some * (uint64_t)count * 8), rows = part->table.rows;
    plan_clear(p, counts);
    plan_clear(p, states);
    if (modes.buffer) {
        LAUNCH(p, "count_modes", grid, ARG(part->labels), ARG(part->intensity), INT(first), INT(last), INT(bits),
               POINTER(rows), INT(from), POINTER(counts));
        LAUNCH(p, "find_modes", LINE(some, 64), INT(from), INT(some), POINTER(counts), POINTER(modes));
        plan_clear(p, counts);
    }
    for (int shift = bits - 8; shift >= 0; shift -= 8) {
        LAUNCH(p, "count_keys", grid, ARG(part->labels), ARG(part->intensity), INT(first), INT(last), INT(bits),
               INT(shift), INT(count), POINTER(states), POINTER(counts));
        LAUNCH(p, "find_bins", LINE(some, 64), POINTER(rows), INT(from), INT(some), INT(shift == bits - 8), INT(count),
               POINTER(shares), POINTER(states), POINTER(counts));
    }
    LAUNCH(p, "quantile_keys", LINE(some, 64), INT(from), INT(some), INT(count), POINTER(states), POINTER(keys));
    plan_free_scratch(p, states);
    plan_free_scratch(p, counts);
}

void measure_orders(drua_plan *p, const measure_part *part, const uint32_t *shares, int count, drua_view keys,
                    drua_view modes)
{
    enum { SHARE = 4 };
    const drua_view sent = plan_scratch_bytes(p, (uint64_t)count * 4);
    plan_write(p, sent, shares);
    const uint64_t max = plan_memory_left(p) / SHARE / ((uint64_t)count * BINS * 4);
    const uint32_t at_once = (uint32_t)(part->count < max ? part->count : max > 0 ? max : 1);
    for (uint32_t from = 0; from < part->count && !plan_failed(p); from += at_once)
        count_orders(p, part, from, part->count - from < at_once ? part->count - from : at_once, sent, count, keys,
                     modes);
    plan_free_scratch(p, sent);
}

/* ---- percentiles */

static int compare_shares(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Reads the percentiles of the options as increasing shares. Returns their number, or -1 if the text is wrong. */
static int read_percentiles(const char *text, uint32_t shares[MAX_PERCENTILES])
{
    int count = 0, kept = 0;
    for (const char *at = text; *at; count++) {
        char *end;
        const double percent = strtod(at, &end);
        if (count == MAX_PERCENTILES || end == at || !(percent >= 0 && percent <= 100) || (*end && *end != ',') ||
            (*end && !end[1]))
            return -1;
        shares[count] = (uint32_t)llround(percent * (ORDERS_ALL / 100));
        at = end + (*end == ',');
    }
    qsort(shares, (size_t)count, sizeof *shares, compare_shares);
    for (int i = 0; i < count; i++)
        if (i == 0 || shares[i] != shares[kept - 1])
            shares[kept++] = shares[i];
    return kept;
}

/* The shares of a call, in memory of the call. */
static uint32_t *find_percentiles(drua_plan *p, int *count)
{
    char text[DRUA_SETTING_TEXT];
    uint32_t *shares = plan_host_memory(p, MAX_PERCENTILES * sizeof *shares);
    *count = 0;
    if (!shares)
        return NULL;
    plan_setting_text(p, "options", "percentiles", text);
    *count = read_percentiles(text, shares);
    if (*count < 0)
        plan_fail(p,
                  "percentiles in options must be at most %d numbers from 0 to 100, separated by commas, such as "
                  "percentiles=10,50,90; got '%s'",
                  MAX_PERCENTILES, text);
    *count = *count < 0 ? 0 : *count;
    return shares;
}

static const char *const *list_percentiles(drua_plan *p)
{
    int count;
    const uint32_t *shares = find_percentiles(p, &count);
    const char **headings = plan_host_memory(p, (MAX_PERCENTILES + 1) * sizeof *headings);
    char(*texts)[HEADING] = plan_host_memory(p, MAX_PERCENTILES * sizeof *texts);
    for (int i = 0; i < count && headings && texts; i++) {
        snprintf(texts[i], HEADING, "PERCENTILE_%.9g_INTENSITY", shares[i] / (ORDERS_ALL / 100.0));
        headings[i] = texts[i];
    }
    return headings;
}

static void fill_percentiles_on_host(drua_plan *p, const measure_part *part, drua_view found, int count)
{
    const uint64_t labels = part->count;
    uint32_t *rows = plan_host_memory(p, labels * STATISTICS_ROW * 4),
             *keys = plan_host_memory(p, labels * (uint64_t)count * 4);
    plan_read(p, part->table.rows, rows, labels * STATISTICS_ROW * 4);
    plan_read(p, found, keys, labels * (uint64_t)count * 4);
    for (size_t i = 0; i < labels && !plan_failed(p); i++)
        fill_percentiles(rows + i * STATISTICS_ROW, keys + i * (size_t)count, count, part->intensity.layout.type,
                         measure_key_bits(part), (uint64_t)plan_max_countable_pixels(p),
                         part->host_cells + i * (size_t)part->columns + part->column);
}

static void fill_percentile_columns(drua_plan *p, const measure_part *part, int width)
{
    int count;
    const uint32_t *shares = find_percentiles(p, &count);
    if (plan_failed(p))
        return;
    const drua_view keys = plan_scratch_bytes(p, (uint64_t)part->count * (uint64_t)count * 4);
    measure_orders(p, part, shares, count, keys, (drua_view){0});
    if (part->cells.buffer)
        LAUNCH(p, "percentile_columns", LINE(part->count, 64), POINTER(part->table.rows), POINTER(keys), INT(count),
               INT(part->intensity.layout.type), INT(measure_key_bits(part)), LONG(plan_max_countable_pixels(p)),
               INT(part->count), POINTER(part->cells), INT(part->columns), INT(part->column));
    else
        fill_percentiles_on_host(p, part, keys, count);
    plan_free_scratch(p, keys);
    (void)width;
}

const measure_group measure_percentiles = {
    .name = "percentiles", .list = list_percentiles, .fill = fill_percentile_columns};
