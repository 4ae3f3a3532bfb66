/* SPDX-License-Identifier: BSD-3-Clause */
#include "statistics.h"

#include <float.h>
#include <string.h>

enum { SCALE_BITS = 29 };

/*
 * Tiles are 32 columns by 8 slices, or by 8 stretches of a column where there are few slices; tall unless they are too few
 * then, or a processor's cache too small.
 */
static drua_grid tile_grid(drua_plan *p, drua_layout l, int32_t *rows)
{
    enum { TALLEST = 128, LOWEST = 16, ENOUGH = 1024, SLICES = 8 };
    bool flat = l.depth < SLICES;
    int64_t columns = ((int64_t)l.width + 31) / 32 * (flat ? l.depth : (l.depth + SLICES - 1) / SLICES);
    int32_t stretches = flat ? SLICES : 1, height = plan_device(p)->is_gpu ? TALLEST : LOWEST;
    while (height > LOWEST && columns * (l.height / ((int64_t)height * stretches) + 1) < ENOUGH)
        height /= 2;
    *rows = height;
    return GRID(l.width, (l.height + height - 1) / height, l.depth, 32, stretches, SLICES / stretches);
}

/* What goes to the device at once of both images, which keeps its positions in them: all, or some slices, or rows of a plane. */
typedef struct stretch {
    drua_view labels, source;
    drua_grid grid;
    int32_t rows;               /* of a tile */
    int axis;
    int32_t end, extent, thick;
} stretch;

static bool is_cut(drua_view view, const drua_layout *labels)
{
    return drua_layout_is_dense(&view.layout) && drua_layout_is_same_size(&view.layout, labels);
}

static stretch begin(drua_plan *p, const drua_label_table *t)
{
    enum { MULTIPLE = 128 };    /* of a tile's height and depth */
    const drua_layout *l = &t->labels.layout;
    stretch s = {.labels = t->labels, .source = t->source, .axis = l->depth > 1 ? 2 : 1};
    s.extent = s.thick = s.axis == 2 ? l->depth : l->height;
    if (plan_holds(p, t->labels, t->source))
        return s;
    const size_t size = drua_type_size((drua_type)l->type) + drua_type_size((drua_type)t->source.layout.type);
    s.thick = (int32_t)(s.extent / plan_parts_of(p, drua_layout_count(l) * (int64_t)size));
    s.thick = s.thick >= MULTIPLE ? s.thick / MULTIPLE * MULTIPLE : s.axis == 1 ? MULTIPLE : s.thick > 0 ? s.thick : 1;
    return s;
}

static void drop(drua_plan *p, const drua_label_table *t, const stretch *s)
{
    if (s->source.buffer != t->source.buffer && s->source.buffer != s->labels.buffer)
        plan_drop(p, s->source);
    if (s->labels.buffer != t->labels.buffer)
        plan_drop(p, s->labels);
}

static bool next(drua_plan *p, const drua_label_table *t, stretch *s)
{
    drop(p, t, s);
    s->labels = t->labels;
    s->source = t->source;
    if (s->end >= s->extent || plan_failed(p))
        return false;
    const int32_t first = s->end, count = s->thick < s->extent - first ? s->thick : s->extent - first;
    s->end += count;
    if (is_cut(t->labels, &t->labels.layout))
        s->labels = plan_stretch(p, t->labels, s->axis, first, count);
    if (t->source.buffer == t->labels.buffer)
        s->source = s->labels;
    else if (is_cut(t->source, &t->labels.layout))
        s->source = plan_stretch(p, t->source, s->axis, first, count);
    s->grid = tile_grid(p, t->labels.layout, &s->rows);
    s->grid.items[s->axis] = s->axis == 2 ? count : (count + s->rows - 1) / s->rows;
    s->grid.from[s->axis] = s->axis == 2 ? first : first / s->rows;
    return true;
}

uint32_t statistics_at_once(drua_plan *p, uint32_t first, uint32_t last)
{
    enum { SHARE = 4, SCALE_BYTES = 16, BYTES = 4 * (STATISTICS_ROW + STATISTICS_CENTRE_ROW + STATISTICS_DISTANCE_ROW + 1) + SCALE_BYTES };
    const uint64_t count = (uint64_t)last - first + 1, most = plan_memory_left(p) / SHARE / BYTES;
    return (uint32_t)(count < most ? count : most > 0 ? most : 1);
}

drua_label_table statistics_extents(drua_plan *p, drua_view labels, drua_view source, uint32_t first, uint32_t last, int parts)
{
    uint64_t count = (uint64_t)last - first + 1;
    drua_label_table t = {labels, source, plan_memory(p, count * STATISTICS_ROW * 4), first, last};
    plan_clear(p, t.rows);
    for (stretch s = begin(p, &t); next(p, &t, &s);)
        LAUNCH(p, "statistics_extents", s.grid, ARG(s.labels), ARG(s.source), INT(first), INT(last), INT(s.rows), INT(parts), POINTER(t.rows));
    return t;
}

void statistics_values(drua_plan *p, const drua_label_table *t, int parts)
{
    uint32_t count = t->last - t->first + 1;
    drua_view scales = plan_memory(p, 16 * (uint64_t)count);
    LAUNCH(p, "statistics_scales", LINE(count, 64), POINTER(t->rows), POINTER(scales), INT(count));
    for (stretch s = begin(p, t); next(p, t, &s);)
        LAUNCH(p, "statistics_values", s.grid, ARG(s.labels), ARG(s.source), INT(t->first), INT(t->last), INT(s.rows), INT(parts), POINTER(scales),
               POINTER(t->rows));
    plan_drop(p, scales);
}

drua_view statistics_distances(drua_plan *p, const drua_label_table *t, drua_view centres)
{
    drua_view distances = plan_memory(p, ((uint64_t)t->last - t->first + 1) * STATISTICS_DISTANCE_ROW * 4);
    const drua_label_table labels = {t->labels, t->labels, t->rows, t->first, t->last};
    plan_clear(p, distances);
    for (stretch s = begin(p, &labels); next(p, &labels, &s);)
        LAUNCH(p, "statistics_distances", s.grid, ARG(s.labels), INT(t->first), INT(t->last), INT(s.rows), POINTER(centres), POINTER(t->rows),
               POINTER(distances));
    return distances;
}

void statistics_centroids(drua_plan *p, drua_view labels, uint32_t first, uint32_t last, drua_view list)
{
    const int64_t columns = list.layout.width, count = (int64_t)last - first + 1, at_once = statistics_at_once(p, first, last);
    for (int64_t done = 0; done < count && done < columns && !plan_failed(p); done += at_once) {
        const int64_t now = count - done < at_once ? count - done : at_once;
        const uint32_t from = first + (uint32_t)done;
        drua_label_table table = statistics_extents(p, labels, labels, from, from + (uint32_t)(now - 1), EXTENTS_POSITIONS);
        drua_view some = list;
        some.layout.offset += done * list.layout.column;
        some.layout.width -= (int32_t)done;
        LAUNCH(p, "list_centroids", GRID(now, list.layout.height, 1, 64, 1, 1), POINTER(table.rows), INT(now), ARG(some));
        plan_drop(p, table.rows);
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
        counted.layout.offset = first > 1;      /* the first ones bring the background */
        counted.layout.width -= first > 1;
        plan_copy(p, counted, all, first > 1 ? first : 0, 0, 0);
        plan_drop(p, values);
    }
    return all;
}

drua_view statistics_given(drua_plan *p)
{
    drua_view values = plan_given(p);
    if (values.buffer)
        values.layout = drua_layout_dense((drua_shape){(int64_t)(drua_buffer_bytes(values.buffer) / sizeof(float)), 1, 1, 3}, DRUA_FLOAT32);
    return values;
}

/* ---- from words to numbers */

static uint64_t counter(const uint32_t *word)
{
    return word[0] | (uint64_t)word[1] << 32;
}

/* A sum that 64 bits hold, and one that they may not. */
static uint64_t whole(const uint32_t *word)
{
    return counter(word) + (counter(word + 2) << 32);
}

static double number(const uint32_t *word, int counters)
{
    uint64_t carry = 0;
    double sum = 0, unit = 1;
    for (int i = 0; i < counters; i++, unit *= 0x1p32) {
        uint64_t piece = counter(word + 2 * i), whole_piece = piece + carry;
        bool top = i == counters - 1;
        sum += unit * (double)(top ? whole_piece : whole_piece & UINT32_MAX);
        carry = whole_piece >> 32;
    }
    return sum;
}

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static float value_of(uint32_t order)
{
    return float_of(order & 0x80000000u ? order & 0x7fffffffu : ~order);
}

/* Intensity = (steps + base) * unit; the same scale as scale_of in kernels/labels/statistics.cl. */
static void find_scale(float least, float most, double *base, double *unit)
{
    float range = most * 0.5f - least * 0.5f;
    *base = least;
    *unit = 1;
    if (range > 0 && !isinf(range)) {
        int exponent = SCALE_BITS - 2 - ilogbf(range);
        *base = rint(ldexp(least, exponent));
        *unit = ldexp(1, -exponent);
    }
}

static void fill_intensities(const uint32_t *row, double *cell)
{
    float least = value_of(~row[STATISTICS_LEAST]), most = value_of(row[STATISTICS_MOST]);
    uint64_t count = counter(row + STATISTICS_COUNT);
    double n = (double)count, base, unit, steps = (double)whole(row + STATISTICS_VALUE_SUM);
    find_scale(least, most, &base, &unit);
    if (isnan(least) || isinf(least) || isnan(most) || isinf(most))
        base = (double)least + most;        /* infinity and NaN spread to every sum */
    cell[COLUMN_MINIMUM] = count ? least : DBL_MAX;
    cell[COLUMN_MAXIMUM] = count ? most : -DBL_MAX;
    cell[COLUMN_PIXELS] = n;
    cell[COLUMN_SUM] = count ? (steps + n * base) * unit : 0;
    cell[COLUMN_MEAN] = cell[COLUMN_SUM] / n;
    double mean_steps = steps / n, variance = number(row + STATISTICS_SQUARE_SUM, 2) / n - mean_steps * mean_steps;
    cell[COLUMN_DEVIATION] = isfinite(base) ? sqrt(fmax(variance, 0)) * unit : NAN;
    for (int axis = 0; axis < 3 && count; axis++) {
        uint64_t corner = ~row[STATISTICS_LOW + axis], positions = whole(row + STATISTICS_SUM + 4 * axis);
        double weighted = number(row + STATISTICS_WEIGHTED_SUM + 6 * axis, 3) + base * (double)(positions - count * corner);
        cell[COLUMN_WEIGHTED + axis] = (weighted + (steps + n * base) * (double)corner) * unit;
        cell[COLUMN_MASS_CENTRE + axis] = (double)corner + weighted / (steps + n * base);
        cell[COLUMN_POSITIONS + axis] = (double)positions;
        cell[COLUMN_CENTROID + axis] = (double)corner + (double)(positions - count * corner) / n;
    }
}

static void fill_box(const uint32_t *row, double *cell)
{
    bool present = counter(row + STATISTICS_COUNT) > 0;
    for (int axis = 0; axis < 3; axis++) {
        cell[COLUMN_BOX + axis] = present ? ~row[STATISTICS_LOW + axis] : DBL_MAX;
        cell[COLUMN_BOX_END + axis] = present ? row[STATISTICS_HIGH + axis] : -DBL_MAX;
        cell[COLUMN_BOX_SIZE + axis] = cell[COLUMN_BOX_END + axis] - cell[COLUMN_BOX + axis] + 1;
        if (!present)
            cell[COLUMN_MASS_CENTRE + axis] = cell[COLUMN_CENTROID + axis] = NAN;
    }
}

void statistics_fill_sums(const uint32_t *row, double *cell)
{
    fill_intensities(row, cell);
    fill_box(row, cell);
}

/* Steps in a pixel, so that the farthest corner of the box is 2^29 steps away or less. */
static double distance_scale(const double *cell, const double *centre)
{
    double square = 0;
    for (int axis = 0; axis < 3; axis++) {
        double before = centre[axis] - cell[COLUMN_BOX + axis], behind = cell[COLUMN_BOX_END + axis] - centre[axis];
        square += fmax(before * before, behind * behind);
    }
    return !isfinite(square) ? 0 : square > 0 ? ldexp(1, SCALE_BITS - 1 - ilogb(sqrt(square))) : 1;
}

void statistics_fill_centres(const double *cell, float *centres)
{
    static const int column[] = {COLUMN_MASS_CENTRE, COLUMN_CENTROID};
    for (int i = 0; i < 2; i++) {
        for (int axis = 0; axis < 3; axis++)
            centres[4 * i + axis] = (float)(cell[column[i] + axis] - cell[COLUMN_BOX + axis]);
        centres[4 * i + 3] = (float)distance_scale(cell, cell + column[i]);
    }
}

void statistics_fill_distances(const uint32_t *row, const float *centre, double *cell)
{
    double n = cell[COLUMN_PIXELS];
    for (int i = 0; i < 2; i++) {
        float steps = centre[4 * i + 3];
        double *out = cell + COLUMN_DISTANCES + 4 * i, sum = (double)whole(row + STATISTICS_DISTANCE_SUM + 4 * i);
        out[0] = n == 0 ? 0 : steps > 0 ? sum / steps : NAN;
        out[1] = out[0] / n;
        out[2] = float_of(row[STATISTICS_LONGEST + i]);
        out[3] = out[2] / out[1];
    }
}
