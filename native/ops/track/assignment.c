/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shortest augmenting paths with column potentials (Jonker and Volgenant 1987) on the sparse graph. Each row also has a
 * private column that costs `unlinked`. No other row can use this column, so a path that reaches it ends there.
 */
#include "assignment.h"

#include <math.h>
#include <stdlib.h>

enum { UNTOUCHED = -1, SCANNED = -2 };

typedef struct search {
    const track_candidates *c;
    int32_t *assigned; /* column of each row */
    double *own; /* cost of that column for its row */
    double *potential, *reach; /* of columns: dual variable; length of the shortest path */
    int32_t *owner, *from; /* of columns: assigned row; row before the column on the shortest path */
    int32_t *place, *heap, *touched; /* index of a column in the heap of waiting columns */
    int32_t waiting, touches;
    double end; /* length of the shortest path to a private column, and its row */
    int32_t end_row;
} search;

size_t track_assign_bytes(int64_t rows, int64_t columns)
{
    return (size_t)rows * sizeof(double) + (size_t)columns * (2 * sizeof(double) + 5 * sizeof(int32_t));
}

static search begin_search(const track_candidates *c, int32_t *assigned, void *scratch)
{
    search s = {.c = c, .assigned = assigned, .own = scratch};
    s.potential = s.own + c->rows;
    s.reach = s.potential + c->columns;
    s.owner = (int32_t *)(s.reach + c->columns);
    s.from = s.owner + c->columns;
    s.place = s.from + c->columns;
    s.heap = s.place + c->columns;
    s.touched = s.heap + c->columns;
    for (int64_t j = 0; j < c->columns; j++) {
        s.potential[j] = 0;
        s.owner[j] = -1;
        s.place[j] = UNTOUCHED;
    }
    return s;
}

static void put_in_heap(search *s, int32_t at, int32_t column)
{
    s->heap[at] = column;
    s->place[column] = at;
}

static void move_up(search *s, int32_t column)
{
    int32_t at = s->place[column];
    for (; at > 0 && s->reach[column] < s->reach[s->heap[(at - 1) / 2]]; at = (at - 1) / 2)
        put_in_heap(s, at, s->heap[(at - 1) / 2]);
    put_in_heap(s, at, column);
}

static int32_t take_nearest(search *s)
{
    const int32_t nearest = s->heap[0], last = s->heap[--s->waiting];
    int32_t at = 0;
    while (2 * at + 1 < s->waiting) {
        int32_t child = 2 * at + 1;
        if (child + 1 < s->waiting && s->reach[s->heap[child + 1]] < s->reach[s->heap[child]])
            child++;
        if (s->reach[last] <= s->reach[s->heap[child]])
            break;
        put_in_heap(s, at, s->heap[child]);
        at = child;
    }
    if (s->waiting > 0)
        put_in_heap(s, at, last);
    s->place[nearest] = SCANNED;
    return nearest;
}

/* Extends paths from a row that is reached at `distance`; `dual` is the row's dual variable. */
static void extend_paths(search *s, int32_t row, double distance, double dual)
{
    const track_candidates *c = s->c;
    if (distance + c->unlinked - dual < s->end) {
        s->end = distance + c->unlinked - dual;
        s->end_row = row;
    }
    for (int64_t k = c->start[row] - c->base; k < c->start[row + 1] - c->base; k++) {
        const int32_t j = c->column[k];
        const double reach = distance + (c->cost[k] - dual - s->potential[j]);
        if (s->place[j] == SCANNED || (s->place[j] != UNTOUCHED && reach >= s->reach[j]))
            continue;
        if (s->place[j] == UNTOUCHED) {
            s->touched[s->touches++] = j;
            s->place[j] = s->waiting++;
        }
        s->reach[j] = reach;
        s->from[j] = row;
        move_up(s, j);
    }
}

static double cost_of(const track_candidates *c, int32_t row, int32_t column)
{
    int64_t k = c->start[row] - c->base;
    while (c->column[k] != column)
        k++;
    return c->cost[k];
}

/* Assigns each column of the path to `column` to the row before it, back to the first row. */
static void swap_along_path(search *s, int32_t first_row, int32_t column)
{
    for (int32_t row = -1; row != first_row;) {
        row = s->from[column];
        const int32_t before = s->assigned[row];
        s->owner[column] = row;
        s->assigned[row] = column;
        s->own[row] = cost_of(s->c, row, column);
        column = before;
    }
}

static void assign_row(search *s, int32_t row)
{
    int32_t last = -1;
    s->waiting = s->touches = 0;
    s->end = INFINITY;
    extend_paths(s, row, 0, 0);
    while (last < 0 && s->waiting > 0 && s->reach[s->heap[0]] <= s->end) {
        const int32_t j = take_nearest(s), owner = s->owner[j];
        if (owner < 0)
            last = j;
        else
            extend_paths(s, owner, s->reach[j], s->own[owner] - s->potential[j]);
    }
    const double length = last < 0 ? s->end : s->reach[last];
    for (int32_t i = 0; i < s->touches; i++) {
        const int32_t j = s->touched[i];
        if (s->place[j] == SCANNED)
            s->potential[j] += s->reach[j] - length;
        s->place[j] = UNTOUCHED;
    }
    if (last >= 0) {
        swap_along_path(s, row, last);
    } else if (s->end_row != row) {
        const int32_t freed = s->assigned[s->end_row];
        s->assigned[s->end_row] = -1;
        swap_along_path(s, row, freed);
    }
}

void track_assign(const track_candidates *c, int32_t *assigned, void *scratch)
{
    search s = begin_search(c, assigned, scratch);
    for (int64_t i = 0; i < c->rows; i++)
        assigned[i] = -1;
    for (int64_t i = 0; i < c->rows; i++)
        if (c->start[i] < c->start[i + 1])
            assign_row(&s, (int32_t)i);
}

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double track_unlinked_cost(double *cost, int64_t count, double fraction)
{
    const double factor = 1.05;
    double largest = 0;
    if (fraction < 1 && count > 0) {
        qsort(cost, (size_t)count, sizeof *cost, compare_numbers);
        return factor * cost[(int64_t)floor((double)(count - 1) * fraction + 0.5)];
    }
    for (int64_t i = 0; i < count; i++)
        largest = fmax(largest, cost[i]);
    return factor * largest;
}
