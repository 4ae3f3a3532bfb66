/* SPDX-License-Identifier: BSD-3-Clause */
/* For random problems, the sparse assignment must cost as little as that of the Hungarian method on the full matrix. */
#include "harness.h"

#include "assignment.h"
#include "hungarian.h"

#include <math.h>
#include <stdlib.h>

enum { LIMIT = 24 };

typedef struct problem {
    int rows, columns;
    double full[LIMIT * LIMIT], cost[LIMIT * LIMIT], unlinked;
    int64_t start[LIMIT + 1];
    int32_t column[LIMIT * LIMIT];
} problem;

static problem random_problem(harness_random *chance, int kind)
{
    problem p = {.rows = 1 + harness_below(chance, LIMIT), .columns = 1 + harness_below(chance, LIMIT)};
    const int density = 1 + harness_below(chance, 10);
    int64_t count = 0;
    for (int i = 0; i < p.rows; i++) {
        p.start[i] = count;
        for (int j = 0; j < p.columns; j++) {
            p.full[i * p.columns + j] = HUNGARIAN_BLOCKED;
            if (harness_below(chance, 10) >= density)
                continue;
            /* few different costs give many ties; large ones make most links too expensive */
            const double cost = kind == 0   ? harness_below(chance, 1000000) / 1000.0
                                : kind == 1 ? harness_below(chance, 3)
                                            : pow(10, harness_below(chance, 8));
            p.full[i * p.columns + j] = p.cost[count] = cost;
            p.column[count++] = j;
        }
    }
    p.start[p.rows] = count;
    double sorted[LIMIT * LIMIT];
    for (int64_t k = 0; k < count; k++)
        sorted[k] = p.cost[k];
    p.unlinked = track_unlinked_cost(sorted, count, harness_below(chance, 2) ? 1 : 0.9);
    return p;
}

static double cost_of_assignment(const problem *p, const int32_t *assigned)
{
    bool taken[LIMIT] = {false};
    double sum = 0;
    for (int i = 0; i < p->rows; i++) {
        if (assigned[i] < 0) {
            sum += p->unlinked;
            continue;
        }
        ck_assert_int_lt(assigned[i], p->columns);
        ck_assert(!taken[assigned[i]]);
        taken[assigned[i]] = true;
        ck_assert_double_lt(p->full[i * p->columns + assigned[i]], HUNGARIAN_BLOCKED);
        sum += p->full[i * p->columns + assigned[i]];
    }
    return sum;
}

START_TEST(the_cost_is_the_smallest)
{
    harness_random chance = {harness_new_seed("unit_sparse_assignment")};
    int unlinked = 0, dear = 0;
    for (int round = 0; round < 3000; round++) {
        const problem p = random_problem(&chance, round % 3);
        const track_candidates c = {.rows = p.rows,
                                    .columns = p.columns,
                                    .start = p.start,
                                    .column = p.column,
                                    .cost = p.cost,
                                    .unlinked = p.unlinked};
        int32_t assigned[LIMIT];
        int target[LIMIT];
        void *scratch = malloc(track_assign_bytes(p.rows, p.columns));
        track_assign(&c, assigned, scratch);
        free(scratch);
        const double expected = hungarian_link(p.rows, p.columns, p.full, p.unlinked, target);
        ck_assert_double_eq_tol(cost_of_assignment(&p, assigned), expected, 1e-9 * (1 + expected));
        for (int i = 0; i < p.rows; i++) {
            unlinked += assigned[i] < 0;
            dear += assigned[i] < 0 && p.start[i] < p.start[i + 1];
        }
    }
    ck_assert_int_gt(unlinked, 1000);
    ck_assert_int_gt(dear, 1000);
}
END_TEST

START_TEST(the_cost_of_no_link_is_a_quantile)
{
    double costs[] = {4, 1, 3, 2, 5, 10, 6, 9, 8, 7, 11};
    ck_assert_double_eq_tol(track_unlinked_cost(costs, 11, 1), 1.05 * 11, 1e-12);
    ck_assert_double_eq_tol(track_unlinked_cost(costs, 11, 0.9), 1.05 * 10, 1e-12);
    ck_assert_double_eq_tol(track_unlinked_cost(costs, 1, 0.9), 1.05, 1e-12);
    ck_assert_double_eq(track_unlinked_cost(costs, 0, 0.9), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sparse assignment");
    TCase *tests = tcase_create("sparse assignment");
    tcase_add_test(tests, the_cost_is_the_smallest);
    tcase_add_test(tests, the_cost_of_no_link_is_a_quantile);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
