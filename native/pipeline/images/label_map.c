/* SPDX-License-Identifier: BSD-3-Clause */
#include "label_list.h"

#include "alloc.h"
#include "error.h"
#include "parallel.h"
#include "registry.h"
#include "zarr.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The stored labels, which maps with different values share. */
typedef struct stored {
    int users;
    label_list list;
    drua_zarr_out *out;
    drua_zarr *zarr;
    char path[LABELS_PATH];
} stored;

struct label_map {
    stored *stored;
    double *values; /* values of the numbers 0 to largest; NULL: each number is its own value */
};

void pass_file_path(const char *folder, const char *name, char path[LABELS_PATH])
{
    snprintf(path, LABELS_PATH, "%.2100s/%s", folder, name);
}

static void leave_values(stored *s)
{
    if (!s || --s->users > 0)
        return;
    drua_zarr_close(s->zarr);
    if (s->out)
        drua_zarr_finish(s->out, DRUA_E_CANCELLED);
    label_list_free(&s->list);
    drua_free(s);
}

void label_map_close(label_map *l)
{
    if (!l)
        return;
    leave_values(l->stored);
    drua_free(l->values);
    drua_free(l);
}

static drua_status open_stored(const char *folder, const char *hash, const int64_t extent[3], stored *s, bool *exists)
{
    const size_t keep = (size_t)1 << 26;
    DRUA_TRY(label_list_read(folder, hash, &s->list, exists));
    if (!*exists)
        return DRUA_OK;
    pass_file_path(folder, "local.zarr", s->path);
    if (memcmp(s->list.extent, extent, sizeof s->list.extent))
        return label_list_damaged(s->path);
    if (drua_zarr_resume(s->path, &s->out) != DRUA_OK)
        return drua_fail(DRUA_E_AWAY,
                         "the plan's labels in '%.600s' are missing or cannot be read; make them accessible, then run "
                         "the same command again, or make the plan again with drua plan --anew",
                         s->path);
    DRUA_TRY(drua_zarr_reopen(s->out, 0, &s->zarr));
    drua_zarr_set_cache(s->zarr, keep);
    return DRUA_OK;
}

drua_status label_map_open(const char *folder, const char *hash, const int64_t extent[3], label_map **map)
{
    bool exists = false;
    label_map *l = drua_alloc(sizeof *l);
    *map = NULL;
    if (!l || !(l->stored = drua_alloc(sizeof *l->stored))) {
        drua_free(l);
        return drua_fail_memory(sizeof *l->stored);
    }
    l->stored->users = 1;
    const drua_status status = open_stored(folder, hash, extent, l->stored, &exists);
    if (status == DRUA_OK && exists)
        *map = l;
    else
        label_map_close(l);
    return status;
}

drua_status label_map_expect(label_map *l, const drua_bytes *sums)
{
    return drua_zarr_expect_sums(l->stored->zarr, sums);
}

drua_status label_map_none(label_map **map)
{
    label_map *l = *map = drua_alloc(sizeof *l);
    if (l && (l->stored = drua_alloc(sizeof *l->stored)) != NULL) {
        l->stored->users = 1;
        return DRUA_OK;
    }
    drua_free(l);
    *map = NULL;
    return drua_fail_memory(sizeof *l->stored);
}

/*
 * Makes a map of the same labels with a new value for each number, from 0. The new map takes ownership of `values`,
 * also after a failure.
 */
static drua_status label_map_replace(const label_map *l, double *values, label_map **map)
{
    *map = drua_alloc(sizeof **map);
    if (!*map) {
        drua_free(values);
        return drua_fail_memory(sizeof **map);
    }
    **map = (label_map){l->stored, values};
    l->stored->users++;
    return DRUA_OK;
}

/* ---- pixels */

static double at_most(double value, double max)
{
    return value < max ? value : max;
}

/* Stores a value like STORE_LABEL of the kernels: a value beyond the type's range becomes the type's largest value. */
static void store_value(drua_type type, char *pixels, size_t i, double value)
{
    switch (type) {
    case DRUA_UINT8: ((uint8_t *)pixels)[i] = (uint8_t)at_most(value, UINT8_MAX); break;
    case DRUA_INT8: ((int8_t *)pixels)[i] = (int8_t)at_most(value, INT8_MAX); break;
    case DRUA_UINT16: ((uint16_t *)(void *)pixels)[i] = (uint16_t)at_most(value, UINT16_MAX); break;
    case DRUA_INT16: ((int16_t *)(void *)pixels)[i] = (int16_t)at_most(value, INT16_MAX); break;
    case DRUA_UINT32: ((uint32_t *)(void *)pixels)[i] = (uint32_t)at_most(value, UINT32_MAX); break;
    case DRUA_INT32: ((int32_t *)(void *)pixels)[i] = (int32_t)at_most(value, INT32_MAX); break;
    default: ((float *)(void *)pixels)[i] = (float)value;
    }
}

/* Translates the pixels of one block in the box. Their labels are already at the positions of the results. */
static drua_status translate_block(const label_map *l, int64_t block, const drua_box *part, const drua_box *box,
                                   const uint32_t *local, drua_type type, char *pixels)
{
    const label_list *list = &l->stored->list;
    const uint64_t begin = list->begins[block], count = list->begins[block + 1] - begin;
    const int64_t row = box->end[0] - box->first[0], rows = box->end[1] - box->first[1];
    for (int64_t z = part->first[2]; z < part->end[2]; z++)
        for (int64_t y = part->first[1]; y < part->end[1]; y++) {
            size_t i =
                (size_t)(((z - box->first[2]) * rows + y - box->first[1]) * row + part->first[0] - box->first[0]);
            for (int64_t x = part->first[0]; x < part->end[0]; x++, i++) {
                if (local[i] > count)
                    return label_list_damaged(l->stored->path);
                const uint32_t number = local[i] ? list->numbers[begin + local[i] - 1] : 0;
                store_value(type, pixels, i, l->values ? l->values[number] : number);
            }
        }
    return DRUA_OK;
}

static drua_status translate_all(const label_map *l, const drua_box *box, const uint32_t *local, drua_type type,
                                 char *pixels)
{
    const label_list *list = &l->stored->list;
    const drua_box all = drua_box_of(list->extent);
    int64_t first[3], count[3], along[3];
    for (int axis = 0; axis < 3; axis++) {
        along[axis] =
            axis ? along[axis - 1] * ((list->extent[axis - 1] + list->step[axis - 1] - 1) / list->step[axis - 1]) : 1;
        first[axis] = box->first[axis] / list->step[axis];
        count[axis] = (box->end[axis] - 1) / list->step[axis] - first[axis] + 1;
    }
    for (int64_t i = 0; i < count[0] * count[1] * count[2]; i++) {
        const int64_t at[] = {first[0] + i % count[0], first[1] + i / count[0] % count[1],
                              first[2] + i / count[0] / count[1]};
        const int64_t block = at[0] + at[1] * along[1] + at[2] * along[2];
        drua_box part = drua_box_part(&all, list->step, block);
        for (int axis = 0; axis < 3; axis++) {
            part.first[axis] = part.first[axis] > box->first[axis] ? part.first[axis] : box->first[axis];
            part.end[axis] = part.end[axis] < box->end[axis] ? part.end[axis] : box->end[axis];
        }
        DRUA_TRY(translate_block(l, block, &part, box, local, type, pixels));
    }
    return DRUA_OK;
}

/* Source and destination of the planes to translate. */
typedef struct translation {
    const label_map *labels;
    const drua_box *box;
    const uint32_t *local;
    drua_type type;
    char *pixels;
} translation;

static drua_status translate_plane(void *payload, int worker, int64_t item)
{
    const translation *t = payload;
    drua_box plane = *t->box;
    (void)worker;
    plane.first[2] += item;
    plane.end[2] = plane.first[2] + 1;
    const size_t before = (size_t)(drua_box_pixels(&plane) * item);
    return translate_all(t->labels, &plane, t->local + before, t->type, t->pixels + before * drua_type_size(t->type));
}

drua_status label_map_read(label_map *l, block_memory *memory, const drua_box *box, drua_type type, void *pixels)
{
    const size_t bytes = (size_t)drua_box_pixels(box) * sizeof(uint32_t);
    drua_zarr_box b = {.channel = 0};
    uint32_t *local = block_memory_take(memory, bytes);
    if (!local)
        return drua_fail_memory(bytes);
    memcpy(b.first, box->first, sizeof b.first);
    memcpy(b.end, box->end, sizeof b.end);
    drua_status status = drua_zarr_read(l->stored->zarr, &b, local);
    if (status == DRUA_OK)
        status =
            drua_parallel(box->end[2] - box->first[2], translate_plane, &(translation){l, box, local, type, pixels});
    block_memory_give(local);
    return status;
}

drua_status label_map_limit(label_map *l, drua_type type)
{
    const uint32_t largest = l->stored->list.largest;
    if (!l->values) {
        l->values = drua_alloc(((size_t)largest + 1) * sizeof *l->values);
        if (!l->values)
            return drua_fail_memory(((size_t)largest + 1) * sizeof *l->values);
        for (uint32_t i = 0; i <= largest; i++)
            l->values[i] = i;
    }
    for (uint32_t i = 0; i <= largest; i++) {
        uint32_t pixel = 0;
        store_value(type, (char *)&pixel, 0, l->values[i]);
        l->values[i] = label_value(type, &pixel, 0);
    }
    return DRUA_OK;
}

/* ---- tables */

static double value_of(const label_map *l, uint32_t number)
{
    return l->values ? l->values[number] : number;
}

drua_status label_map_rows(const label_map *l, label_row **rows, uint32_t *largest)
{
    const label_list *list = &l->stored->list;
    *largest = 0;
    for (uint32_t i = 1; i <= list->largest; i++)
        if (list->rows[i].pixels && value_of(l, i) > *largest)
            *largest = (uint32_t)value_of(l, i);
    DRUA_TRY(label_rows_fit(*largest, ((size_t)*largest + 1) * sizeof **rows));
    *rows = drua_alloc(((size_t)*largest + 1) * sizeof **rows);
    if (!*rows)
        return drua_fail_memory(((size_t)*largest + 1) * sizeof **rows);
    for (uint32_t i = 0; i <= *largest; i++)
        (*rows)[i] = (label_row){.first = UINT64_MAX, .number = i};
    for (uint32_t i = 1; i <= list->largest; i++)
        if (list->rows[i].pixels)
            label_row_add(&(*rows)[(uint32_t)value_of(l, i)], &list->rows[i]);
    return DRUA_OK;
}

/* Returns whether an operation keeps a label. */
typedef bool (*keeps)(const label_row *row, const drua_op *op, const drua_bound *bound);

static bool is_inside(const label_row *row, const drua_op *op, const drua_bound *bound)
{
    static const char *const names[] = {"exclude_x", "exclude_y", "exclude_z"};
    uint32_t sides = 0;
    for (int axis = 0; axis < 3; axis++) {
        const int param = drua_find_param(op, names[axis]);
        const bool chosen =
            param < 0 || (bound[param].is_set ? bound[param].number : op->params[param].default_value) != 0;
        sides |= chosen ? 3u << 2 * axis : 0;
    }
    return !(row->sides & sides);
}

static double size_limit(const drua_op *op, const drua_bound *bound, const char *name)
{
    const int param = drua_find_param(op, name);
    return bound[param].is_set ? bound[param].number : op->params[param].default_value;
}

static bool has_size(const label_row *row, const drua_op *op, const drua_bound *bound)
{
    return (double)row->pixels >= ceil(size_limit(op, bound, "minimum_size")) &&
           (double)row->pixels <= floor(size_limit(op, bound, "maximum_size"));
}

/* Numbers the kept labels consecutively, in their order. */
static void number_kept(const label_row *rows, uint32_t largest, keeps keep, const drua_op *op, const drua_bound *bound,
                        double *values)
{
    double next = 0;
    for (uint32_t i = 1; i <= largest; i++)
        values[i] = keep(&rows[i], op, bound) ? ++next : 0;
}

static int compare_first(const void *a, const void *b)
{
    const uint64_t first = ((const label_row *)a)->first, other = ((const label_row *)b)->first;
    return (first > other) - (first < other);
}

static void number_by_first(label_row *rows, uint32_t largest, double *values)
{
    if (largest)
        qsort(rows + 1, largest, sizeof *rows, compare_first);
    for (uint32_t i = 1; i <= largest; i++)
        values[rows[i].number] = rows[i].pixels ? i : 0;
}

/* Computes the values of numbers after an operation. */
static void apply_operation(label_row *rows, uint32_t largest, const drua_op *op, const drua_bound *bound,
                            double *values)
{
    if (!strcmp(op->name, "close_index_gaps_in_label_map"))
        number_by_first(rows, largest, values);
    else if (!strcmp(op->name, "exclude_labels_outside_size_range"))
        number_kept(rows, largest, has_size, op, bound, values);
    else if (!strcmp(op->name, "pixel_count_map"))
        for (uint32_t i = 1; i <= largest; i++)
            values[i] = (double)rows[i].pixels;
    else
        number_kept(rows, largest, is_inside, op, bound, values);
}

drua_status label_map_apply(const label_map *l, const drua_op *op, const drua_bound *bound, label_map **map)
{
    const uint32_t count = l->stored->list.largest;
    label_row *rows = NULL;
    uint32_t largest;
    DRUA_TRY(label_map_rows(l, &rows, &largest));
    double *now = drua_alloc(((size_t)largest + 1) * sizeof *now),
           *values = drua_alloc(((size_t)count + 1) * sizeof *values);
    drua_status status = now && values ? DRUA_OK : drua_fail_memory(((size_t)count + 1) * sizeof *values);
    if (status == DRUA_OK) {
        apply_operation(rows, largest, op, bound, now);
        for (uint32_t i = 1; i <= count; i++)
            values[i] = value_of(l, i) <= largest ? now[(uint32_t)value_of(l, i)] : 0;
        status = label_map_replace(l, values, map);
    } else {
        drua_free(values);
    }
    drua_free(now);
    drua_free(rows);
    return status;
}
