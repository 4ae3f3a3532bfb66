/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of a track list whose numbers were worked out by hand, and lists that are refused. */
#include "harness.h"

#include <math.h>

static drua_context *context;

enum { FRAME, X, Y, Z, LABEL, SIZE, TRACK, PARENT, INTO, ROWS };

static void open_context(void)
{
    context = harness_open();
}

static void close_context(void)
{
    drua_close(context);
}

/* Track 1 goes along a right angle with a gap, 2 is its daughter with two daughters 3 and 4, 5 has a single spot. */
static reference_image list_by_hand(void)
{
    static const double spots[][ROWS] = {{1, 0, 0, 0, 7, 5, 1, 0, 0},  {2, 3, 4, 0, 7, 5, 1, 0, 0},
                                         {4, 3, 10, 0, 7, 5, 1, 0, 0}, {5, 3, 10, 2, 1, 5, 2, 1, 0},
                                         {6, 3, 10, 2, 1, 5, 2, 1, 0}, {7, 0, 0, 0, 1, 5, 3, 2, 5},
                                         {7, 1, 0, 0, 2, 5, 4, 2, 5},  {8, 1, 1, 1, 2, 5, 5, 0, 0}};
    enum { COUNT = sizeof spots / sizeof *spots };
    reference_image list = reference_make(DRUA_FLOAT32, reference_plane(COUNT, ROWS));
    for (int i = 0; i < COUNT; i++)
        for (int row = 0; row < ROWS; row++)
            reference_put(&list, i, row, 0, spots[i][row]);
    return list;
}

START_TEST(tracks_are_measured)
{
    const double unknown = NAN,
                 expected[5][12] = {/* track, start, end, spots, parent, merge, generation, length, displacement */
                                    {1, 1, 4, 3, 0, 0, 1, 22, sqrt(436), 22.0 / 3 / 5, sqrt(436) / 22, 100},
                                    {2, 5, 6, 2, 1, 0, 2, 0, 0, 0, unknown, 0},
                                    {3, 7, 7, 1, 2, 5, 3, 0, 0, unknown, unknown, unknown},
                                    {4, 7, 7, 1, 2, 5, 3, 0, 0, unknown, unknown, unknown},
                                    {5, 8, 8, 1, 0, 0, 1, 0, 0, unknown, unknown, unknown}};
    reference_image list = list_by_hand();
    drua_table *table;
    drua_argument arguments[] = {IMAGE(harness_push(context, &list)), NAME("voxel=2,2,9 interval=5")};
    REQUIRE(drua_invoke(context, "measure_tracks", arguments, 2, &table));
    ck_assert_uint_eq(table->rows, 5);
    ck_assert_uint_eq(table->columns, 12);
    for (int row = 0; row < 5; row++)
        for (int column = 0; column < 12; column++) {
            const double cell = table->cells[12 * row + column], wanted = expected[row][column];
            ck_assert_msg(isnan(wanted) ? isnan(cell) : fabs(cell - wanted) < 1e-9, "row %d, %s: %g, expected %g", row,
                          table->headings[column], cell, wanted);
        }
    drua_table_free(table);
    arguments[1] = NAME("lag=2");
    REQUIRE(drua_invoke(context, "measure_tracks", arguments, 2, &table));
    ck_assert_double_eq(table->cells[11], 36);
    drua_table_free(table);
    REQUIRE(drua_invoke(context, "list_tracked_spots", arguments, 1, &table));
    ck_assert_uint_eq(table->rows, 8);
    static const int rows[] = {FRAME, LABEL, TRACK, X, Y, Z, SIZE, PARENT, INTO};
    for (int i = 0; i < 8; i++)
        for (int column = 0; column < 9; column++)
            ck_assert_double_eq(table->cells[9 * i + column], reference_at(&list, i, rows[column], 0));
    drua_table_free(table);
    reference_free(&list);
}
END_TEST

START_TEST(wrong_lists_are_refused)
{
    static const struct {
        int spot, row;
        double number;
        const char *message;
    } cases[] = {
        {1, FRAME, 1, "two spots of track 1 in frame 1"},        {3, PARENT, 9, "track 9"},
        {0, TRACK, 1.5, "the track of spot 1 in tracks is 1.5"}, {0, SIZE, -1, "the size of spot 1 in tracks is -1"},
        {0, X, INFINITY, "the x of spot 1 in tracks is inf"},    {0, PARENT, 2, "ancestors"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        reference_image list = list_by_hand();
        reference_put(&list, cases[k].spot, cases[k].row, 0, cases[k].number);
        for (int i = 1; i < 3 && cases[k].row == PARENT && cases[k].spot == 0; i++)
            reference_put(&list, i, PARENT, 0, cases[k].number);
        REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "measure_tracks", IMAGE(harness_push(context, &list)), NAME("")),
                cases[k].message);
        reference_free(&list);
    }
    reference_image spots = reference_make(DRUA_FLOAT32, reference_plane(1, TRACK));
    spots.pixels[FRAME] = 1;
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "measure_tracks", IMAGE(harness_push(context, &spots)), NAME("")),
            "trackSpots");
    reference_free(&spots);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("track tables");
    TCase *tests = tcase_create("track tables");
    tcase_add_checked_fixture(tests, open_context, close_context);
    tcase_add_test(tests, tracks_are_measured);
    tcase_add_test(tests, wrong_lists_are_refused);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
