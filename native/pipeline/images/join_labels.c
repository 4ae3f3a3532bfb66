/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Joins the labels of all blocks to labels of the image. Labels that touch across faces, edges or corners of blocks
 * become one label.
 */
#include "label_list.h"

#include "alloc.h"
#include "error.h"
#include "file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The labels of all blocks in one array: label k of block b has index begins[b] + k - 1. */
typedef struct joining {
    const char *folder;
    drua_box all;
    const int64_t *step;
    int64_t counts[3]; /* number of blocks along each axis */
    label_list list;
    label_row *rows;
    uint32_t *parent;
    uint32_t *faces[2];
} joining;

/* ---- union-find: a parent never has a larger index than its child */

static uint32_t root_of(joining *j, uint32_t node)
{
    while (j->parent[node] != node)
        node = j->parent[node] = j->parent[j->parent[node]];
    return node;
}

static void unite_roots(joining *j, uint32_t a, uint32_t b)
{
    a = root_of(j, a);
    b = root_of(j, b);
    j->parent[a > b ? a : b] = a < b ? a : b;
}

/* ---- neighbouring blocks */

/* The part of a face along one axis that touches the neighbour: the whole face or one end. */
typedef struct face_range {
    int64_t first, end, shift; /* `shift` converts a position in this block to a position in the neighbour */
} face_range;

static face_range touching_range(int64_t side, int64_t other_side, int offset)
{
    return offset < 0   ? (face_range){0, 1, other_side - 1}
           : offset > 0 ? (face_range){side - 1, side, 1 - side}
                        : (face_range){0, side, 0};
}

/*
 * Joins labels that touch across two faces of this extent. `reach` is the largest distance along each axis at which
 * pixels still touch.
 */
static void unite_faces(joining *j, uint32_t base, uint32_t other_base, const int64_t extent[2], const int64_t other[2],
                        const face_range s[2], const int reach[2])
{
    for (int64_t v = s[1].first; v < s[1].end; v++)
        for (int64_t u = s[0].first; u < s[0].end; u++) {
            const uint32_t label = j->faces[0][v * extent[0] + u];
            for (int dv = -reach[1]; dv <= reach[1] && label; dv++)
                for (int du = -reach[0]; du <= reach[0]; du++) {
                    const int64_t to_u = u + s[0].shift + du, to_v = v + s[1].shift + dv;
                    const uint32_t other_label = to_u >= 0 && to_u < other[0] && to_v >= 0 && to_v < other[1]
                                               ? j->faces[1][to_v * other[0] + to_u]
                                               : 0;
                    if (other_label)
                        unite_roots(j, base + label - 1, other_base + other_label - 1);
                }
        }
}

static drua_status join_block_pair(joining *j, int64_t block, const int64_t at[3], const int offset[3], bool corners)
{
    const int axis = offset[2] ? 2 : offset[1] ? 1 : 0, axes[] = {axis == 0, axis == 2 ? 1 : 2};
    int64_t other = 0, along = 1, extent[2], other_extent[2];
    int reach[2];
    face_range s[2];
    for (int k = 0; k < 3; along *= j->counts[k++]) {
        if (at[k] + offset[k] < 0 || at[k] + offset[k] >= j->counts[k])
            return DRUA_OK;
        other += (at[k] + offset[k]) * along;
    }
    const drua_box mine = drua_box_part(&j->all, j->step, block), theirs = drua_box_part(&j->all, j->step, other);
    for (int k = 0; k < 2; k++) {
        extent[k] = mine.end[axes[k]] - mine.first[axes[k]];
        other_extent[k] = theirs.end[axes[k]] - theirs.first[axes[k]];
        s[k] = touching_range(extent[k], other_extent[k], offset[axes[k]]);
        reach[k] = corners && !offset[axes[k]];
    }
    DRUA_TRY(label_block_face(j->folder, block, axis, offset[axis] > 0, extent[0] * extent[1], j->faces[0]));
    DRUA_TRY(
        label_block_face(j->folder, other, axis, offset[axis] < 0, other_extent[0] * other_extent[1], j->faces[1]));
    unite_faces(j, (uint32_t)j->list.begins[block], (uint32_t)j->list.begins[other], extent, other_extent, s, reach);
    return DRUA_OK;
}

/* Joins a block with its earlier neighbours. Later neighbours are joined with it when they are processed. */
static drua_status join_neighbours(joining *j, int64_t block, bool corners)
{
    const int64_t at[] = {block % j->counts[0], block / j->counts[0] % j->counts[1],
                          block / j->counts[0] / j->counts[1]};
    for (int k = 0; k < 13; k++) {
        const int offset[] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
        if (corners || abs(offset[0]) + abs(offset[1]) + abs(offset[2]) == 1)
            DRUA_TRY(join_block_pair(j, block, at, offset, corners));
    }
    return DRUA_OK;
}

/* ---- numbering */

typedef struct root {
    uint64_t first;
    uint32_t label;
} root;

static int compare_roots(const void *a, const void *b)
{
    const uint64_t first = ((const root *)a)->first, other = ((const root *)b)->first;
    return (first > other) - (first < other);
}

/* Numbers objects in the order of their first pixels. */
static drua_status number_roots(joining *j)
{
    label_list *l = &j->list;
    size_t count = 0;
    for (uint64_t i = 0; i < l->labels; i++) {
        const uint32_t top = root_of(j, (uint32_t)i);
        count += top == i;
        if (top != i)
            label_row_add(&j->rows[top], &j->rows[i]);
    }
    root *roots = drua_alloc((count + 1) * sizeof *roots);
    l->rows = drua_alloc((count + 1) * sizeof *l->rows);
    if (!roots || !l->rows) {
        drua_free(roots);
        return drua_fail_memory(count * sizeof *roots);
    }
    l->largest = (uint32_t)count;
    count = 0;
    for (uint64_t i = 0; i < l->labels; i++)
        if (j->parent[i] == i)
            roots[count++] = (root){j->rows[i].first, (uint32_t)i};
    qsort(roots, count, sizeof *roots, compare_roots);
    for (size_t i = 0; i < count; i++) {
        l->rows[i + 1] = j->rows[roots[i].label];
        l->rows[i + 1].number = l->numbers[roots[i].label] = (uint32_t)i + 1;
    }
    for (uint64_t i = 0; i < l->labels; i++)
        l->numbers[i] = l->numbers[root_of(j, (uint32_t)i)];
    drua_free(roots);
    return DRUA_OK;
}

static drua_status keep_numbers(joining *j)
{
    label_list *l = &j->list;
    float odd;
    for (uint64_t i = 0; i < l->labels; i++)
        l->largest = j->rows[i].number > l->largest ? j->rows[i].number : l->largest;
    if (l->labels && !l->largest) { /* all rows are those of odd pixels */
        memcpy(&odd, &j->rows[0].sides, sizeof odd);
        return label_map_refuse((double)odd);
    }
    DRUA_TRY(label_rows_fit(l->largest, ((size_t)l->largest + 1) * sizeof *l->rows));
    l->rows = drua_alloc(((size_t)l->largest + 1) * sizeof *l->rows);
    if (!l->rows)
        return drua_fail_memory(((size_t)l->largest + 1) * sizeof *l->rows);
    for (uint64_t i = 0; i <= l->largest; i++)
        l->rows[i] = (label_row){.first = UINT64_MAX, .number = (uint32_t)i};
    for (uint64_t i = 0; i < l->labels; i++) {
        l->numbers[i] = j->rows[i].number;
        label_row_add(&l->rows[j->rows[i].number], &j->rows[i]);
    }
    return DRUA_OK;
}

/* ---- joining */

static drua_status load_rows(joining *j)
{
    label_list *l = &j->list;
    for (int64_t block = 0; block < l->blocks; block++) {
        label_row *rows = NULL;
        uint32_t count;
        DRUA_TRY(label_block_read(j->folder, block, &rows, &count));
        label_row *grown = drua_realloc(j->rows, (size_t)(l->labels + count + 1) * sizeof *grown);
        j->rows = grown ? grown : j->rows;
        if (grown && count)
            memcpy(grown + l->labels, rows, count * sizeof *rows);
        drua_free(rows);
        if (!grown)
            return drua_fail_memory((size_t)(l->labels + count) * sizeof *grown);
        l->labels += count;
        l->begins[block + 1] = l->labels;
    }
    return l->labels < UINT32_MAX
               ? DRUA_OK
               : drua_fail(DRUA_E_UNSUPPORTED, "all blocks together have more than 4294967295 labels; choose larger "
                                               "blocks, or smooth the image first");
}

static drua_status join_all_blocks(joining *j, label_join how)
{
    label_list *l = &j->list;
    int64_t largest = 1;
    for (int axis = 0; axis < 3; axis++) {
        j->counts[axis] = (j->all.end[axis] + j->step[axis] - 1) / j->step[axis];
        largest = j->step[axis] * j->step[(axis + 1) % 3] > largest ? j->step[axis] * j->step[(axis + 1) % 3] : largest;
    }
    l->begins = drua_alloc((size_t)(l->blocks + 1) * sizeof *l->begins);
    if (!l->begins)
        return drua_fail_memory((size_t)l->blocks * sizeof *l->begins);
    DRUA_TRY(load_rows(j));
    l->numbers = drua_alloc((size_t)(l->labels + 1) * sizeof *l->numbers);
    j->parent = drua_alloc((size_t)(l->labels + 1) * sizeof *j->parent);
    for (int i = 0; i < 2; i++)
        j->faces[i] = drua_alloc((size_t)largest * sizeof *j->faces[i]);
    if (!l->numbers || !j->parent || !j->faces[0] || !j->faces[1])
        return drua_fail_memory((size_t)l->labels * sizeof *l->numbers);
    if (how == JOIN_BY_NUMBER)
        return keep_numbers(j);
    for (uint64_t i = 0; i < l->labels; i++)
        j->parent[i] = (uint32_t)i;
    for (int64_t block = 0; block < l->blocks && label_join_needs_faces(how); block++)
        DRUA_TRY(join_neighbours(j, block, how == JOIN_BY_CORNERS));
    return number_roots(j);
}

drua_status label_map_join(const char *folder, const char *hash, const int64_t extent[3], const int64_t step[3],
                           label_join how)
{
    joining j = {.folder = folder, .all = drua_box_of(extent), .step = step};
    j.list.blocks = drua_box_parts(&j.all, step);
    memcpy(j.list.extent, extent, sizeof j.list.extent);
    memcpy(j.list.step, step, sizeof j.list.step);
    drua_status status = join_all_blocks(&j, how);
    if (status == DRUA_OK)
        status = label_list_write(&j.list, folder, hash);
    label_list_free(&j.list);
    drua_free(j.rows);
    drua_free(j.parent);
    drua_free(j.faces[0]);
    drua_free(j.faces[1]);
    return status;
}
