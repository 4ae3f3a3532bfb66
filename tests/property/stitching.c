/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests tiles of a scene with known positions, noise and vignette. All positions must be found within 0.2 pixels. Bad
 * tiles are named and keep the positions of the stage.
 */
#include "scene_tiles.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static drua_context *context;
static harness_random chance;

static void open_context(void)
{
    context = harness_open();
    chance.state = harness_new_seed("property_stitching");
    scene_tiles_scatter(&chance);
}

static void close_context(void)
{
    drua_close(context);
}

typedef struct found {
    drua_table *table;
    reference_image mosaic, positions;
} found;

static found stitch(const scene_tiles *t, const char *options)
{
    found f;
    drua_argument arguments[] = {IMAGE(harness_push(context, &t->image)), NEW,          NEW, NUMBER(t->columns),
                                 NUMBER(t->count / t->columns),           NAME(options)};
    REQUIRE(drua_invoke(context, "stitch_grid", arguments, 6, &f.table));
    f.mosaic = harness_pull(context, arguments[1].image);
    f.positions = harness_pull(context, arguments[2].image);
    for (int i = 0; i < 3; i++)
        drua_release(context, arguments[i].image);
    return f;
}

static void free_found(found *f)
{
    drua_table_free(f->table);
    reference_free(&f->mosaic);
    reference_free(&f->positions);
}

/* The largest error of the distance of two tiles, both of which are linked. */
static double worst_error(const scene_tiles *t, const found *f)
{
    double worst = 0;
    for (int i = 0; i < t->count; i++)
        for (int k = 0; k < i; k++)
            for (int axis = 0; axis < 3; axis++)
                if (f->table->cells[9 * i + 8] > 0 && f->table->cells[9 * k + 8] > 0)
                    worst = fmax(worst, fabs(f->table->cells[9 * i + 1 + axis] - f->table->cells[9 * k + 1 + axis] -
                                             t->truth[i][axis] + t->truth[k][axis]));
    return worst;
}

START_TEST(positions_are_found)
{
    static const struct {
        int columns, rows, depth;
        double overlap, error, vignette, noise;
    } cases[] = {{3, 3, 1, 20, 4, 0, 0},    {3, 3, 1, 20, 6, 0.8, 40}, {2, 2, 1, 30, 0, 0.8, 20},
                 {2, 2, 9, 25, 4, 0.5, 30}, {3, 1, 1, 15, 3, 0.5, 20}, {1, 1, 1, 10, 0, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        scene_tiles t = scene_tiles_make(&chance, cases[i].columns, cases[i].rows, cases[i].depth, cases[i].overlap,
                                         cases[i].error, cases[i].vignette, cases[i].noise);
        char options[50];
        snprintf(options, sizeof options, "overlap=%g", cases[i].overlap);
        found f = stitch(&t, options);
        int linked = 0;
        for (int k = 0; k < t.count; k++) {
            linked += f.table->cells[9 * k + 8] > 0;
            for (int axis = 0; axis < 3; axis++)
                ck_assert_double_eq_tol(reference_at(&f.positions, k, axis, 0), f.table->cells[9 * k + 1 + axis], 1e-3);
        }
        printf("%d x %d tiles: at most %.3f pixels off, %d linked\n", cases[i].columns, cases[i].rows,
               worst_error(&t, &f), linked);
        ck_assert_int_eq(linked, t.count > 1 ? t.count : 0);
        ck_assert_double_lt(worst_error(&t, &f), 0.2);
        free_found(&f);
        reference_free(&t.image);
    }
}
END_TEST

/*
 * Stitches the same tiles in another order, and with a list of their positions. The order decides which tile of a pair
 * is compared with the other one, so noise moves positions by up to half of the error that the page allows.
 */
START_TEST(orders_and_lists_give_the_same)
{
    scene_tiles t = scene_tiles_make(&chance, 3, 2, 1, 20, 3, 0.3, 10), snake = t;
    snake.image = reference_duplicate(&t.image);
    const size_t plane = (size_t)TILE * TILE;
    for (int k = 0; k < 3; k++)
        memcpy(snake.image.pixels + plane * (size_t)(3 + k), t.image.pixels + plane * (size_t)(5 - k),
               plane * sizeof(double));
    found a = stitch(&t, "overlap=20"), b = stitch(&snake, "overlap=20 order=snake_rows");
    reference_image list = reference_make(DRUA_FLOAT32, reference_plane(6, 2));
    for (int i = 0; i < 6; i++)
        for (int axis = 0; axis < 2; axis++)
            reference_put(&list, i, axis, 0, t.stage[i][axis] + 1000);
    drua_argument arguments[] = {IMAGE(harness_push(context, &t.image)), IMAGE(harness_push(context, &list)), NEW, NEW,
                                 NAME("")};
    REQUIRE(drua_invoke(context, "stitch_positions", arguments, 5, NULL));
    reference_image positions = harness_pull(context, arguments[3].image);
    for (int i = 0; i < 6; i++)
        for (int axis = 0; axis < 2; axis++) {
            const double expected = reference_at(&a.positions, i, axis, 0);
            ck_assert_double_eq_tol(reference_at(&b.positions, i < 3 ? i : 8 - i, axis, 0), expected, 0.1);
            ck_assert_double_eq_tol(reference_at(&positions, i, axis, 0), expected, 0.1);
        }
    free_found(&a);
    free_found(&b);
    reference_free(&positions);
    reference_free(&list);
    reference_free(&t.image);
    reference_free(&snake.image);
}
END_TEST

/* Stitching with the positions that were found gives the same mosaic, and final positions are never corrected. */
START_TEST(final_positions_are_kept)
{
    scene_tiles t = scene_tiles_make(&chance, 2, 2, 1, 25, 4, 0.3, 10);
    found f = stitch(&t, "overlap=25");
    reference_image list = reference_make(DRUA_FLOAT32, reference_plane(4, 3));
    for (int moved = 0; moved < 2; moved++) {
        for (int k = 0; k < 4; k++)
            for (int axis = 0; axis < 3; axis++)
                reference_put(&list, k, axis, 0,
                              reference_at(&f.positions, k, axis, 0) + (axis < 2 ? 3 * moved * (k % 2) : 0));
        drua_argument arguments[] = {IMAGE(harness_push(context, &t.image)), IMAGE(harness_push(context, &list)), NEW,
                                     NEW, NAME("keep")};
        REQUIRE(drua_invoke(context, "stitch_positions", arguments, 5, NULL));
        reference_image mosaic = harness_pull(context, arguments[2].image),
                        positions = harness_pull(context, arguments[3].image);
        for (int k = 0; k < 4; k++)
            for (int axis = 0; axis < 2; axis++)
                ck_assert_double_eq_tol(reference_at(&positions, k, axis, 0) - reference_at(&positions, 0, axis, 0),
                                        reference_at(&list, k, axis, 0) - reference_at(&list, 0, axis, 0), 1e-4);
        if (!moved) {
            ck_assert_int_eq(reference_count(&mosaic), reference_count(&f.mosaic));
            for (size_t i = 0; i < reference_count(&mosaic); i++)
                ck_assert_double_eq_tol(mosaic.pixels[i], f.mosaic.pixels[i], 1.01);
        }
        reference_free(&mosaic);
        reference_free(&positions);
        drua_clear(context);
    }
    free_found(&f);
    reference_free(&list);
    reference_free(&t.image);
}
END_TEST

/* The mosaic of tiles without noise is the scene, for each way to fuse; outside it is 0. */
START_TEST(the_mosaic_is_the_scene)
{
    static const char *const options[] = {"overlap=25", "overlap=25 fusion=distance", "overlap=25 fusion=average",
                                          "overlap=25 fusion=max"};
    scene_tiles t = scene_tiles_make(&chance, 2, 2, 1, 25, 0, 0, 0);
    const int side = TILE + TILE * 3 / 4;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        found f = stitch(&t, options[i]);
        int far = 0;
        ck_assert_int_ge(f.mosaic.shape.width, side);
        ck_assert_int_le(f.mosaic.shape.width, side + 1);
        for (int y = 0; y < side; y++)
            for (int x = 0; x < side; x++) {
                const int tx = x >= TILE, ty = y >= TILE, tile = tx + 2 * ty;
                const double expected = reference_at(&t.image, x - tx * TILE * 3 / 4, y - ty * TILE * 3 / 4, tile);
                far += fabs(reference_at(&f.mosaic, x, y, 0) - expected) > 0.02 * expected + 3;
            }
        printf("%s: %d of %d pixels differ\n", options[i], far, side * side);
        ck_assert_int_lt(far, side * side / 400);
        free_found(&f);
    }
    reference_free(&t.image);
}
END_TEST

/* ---- TileConfiguration.txt */

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

START_TEST(positions_go_to_files_and_back)
{
    static const char *const wrong[][2] = {{"dim = 4\n", "line 1"},
                                           {"dim = 2\na.tif; ; (1.0)\n", "line 2"},
                                           {"dim = 3\na.tif; ; (1.0, 2.0)\n", "line 2"},
                                           {"a.tif; ; (1.0, x)", "line 1"},
                                           {"file,x,y,z\na.tif,1,2,3\nb.tif,1,2\n", "line 3"},
                                           {"# drua: blend=max\na.tif; ; (1.0, 0)\n", "blend=max"},
                                           {"dim = 2\na.tif; ; (1, 2)\ndim = 3\nb.tif; ; (1, 2, 3)\n", "line 3"},
                                           {"dim = 2\ndim = 3\na.tif; ; (1, 2, 3)\n", "line 2"},
                                           {"# nothing\n", "no tile"}};
    char path[] = "/tmp/drua-tiles-XXXXXX";
    const int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    close(file);
    write_file(
        path,
        "\xEF\xBB\xBF# of another program\ndim = 3\r\n\nb (1).tif; ; (0.5, -7.25, 3)\r\n  a.tif; ; ( 1e2,2 , 0.0 )");
    drua_argument arguments[] = {NAME(path), NEW};
    REQUIRE(drua_invoke(context, "read_tile_configuration", arguments, 2, NULL));
    reference_image read = harness_pull(context, arguments[1].image);
    static const double expected[] = {0.5, 100, -7.25, 2, 3, 0};
    ck_assert_int_eq(read.shape.width, 2);
    for (int i = 0; i < 6; i++)
        ck_assert_double_eq(read.pixels[i], expected[i]);
    reference_free(&read);
    REQUIRE(INVOKE(context, "write_tile_configuration", IMAGE(arguments[1].image), NAME(path)));
    char *text = harness_read(path);
    ck_assert_ptr_nonnull(strstr(text, "dim = 3\n\ntile_1.tif; ; (0.5000, -7.2500, 3.0000)\n"
                                       "tile_2.tif; ; (100.0000, 2.0000, 0.0000)\n"));
    free(text);
    write_file(path, "Name;y;file;X\n1;-2.5;\"b;1.tif\";4\n2;0;a.tif;1e2\n");
    REQUIRE(drua_invoke(context, "read_tile_configuration", arguments, 2, NULL));
    read = harness_pull(context, arguments[1].image);
    static const double table[] = {4, 100, -2.5, 0, 0, 0};
    for (int i = 0; i < 6; i++)
        ck_assert_double_eq(read.pixels[i], table[i]);
    reference_free(&read);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        write_file(path, wrong[i][0]);
        REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "read_tile_configuration", NAME(path), NEW), wrong[i][1]);
    }
    unlink(path);
}
END_TEST

/* ---- bad tiles */

/*
 * A missing tile, a tile without texture and a tile of another scene keep the positions of the stage; the Log names
 * each.
 */
START_TEST(bad_tiles_are_named)
{
    scene_tiles t = scene_tiles_make(&chance, 3, 3, 1, 20, 3, 0.3, 20);
    const size_t plane = (size_t)TILE * TILE;
    for (size_t k = 0; k < plane; k++) {
        t.image.pixels[k] = 0;
        t.image.pixels[2 * plane + k] = 700;
        t.image.pixels[8 * plane + k] = harness_below(&chance, 2000);
    }
    found f = stitch(&t, "overlap=20");
    const char *lines = drua_take_messages(context);
    ck_assert_ptr_nonnull(strstr(lines, "tile 1 keeps the position of the stage, because no overlap determines it; all "
                                        "its pixels are 0"));
    ck_assert_ptr_nonnull(strstr(lines, "tile 3 keeps"));
    ck_assert_ptr_nonnull(strstr(lines, "tile 9 keeps"));
    ck_assert_ptr_nonnull(strstr(lines, "tiles 1 and 2 have no texture"));
    ck_assert_ptr_nonnull(strstr(lines, "tiles 8 and 9 correlate by"));
    ck_assert_double_lt(worst_error(&t, &f), 0.2);
    for (int i = 0; i < 9; i++) {
        const bool bad = i == 0 || i == 2 || i == 8;
        ck_assert_int_eq(f.table->cells[9 * i + 7] == 0, bad);
        for (int axis = 0; axis < 2 && bad; axis++) /* relative to the first tile, which is bad too */
            ck_assert_double_eq_tol(f.table->cells[9 * i + 1 + axis] - f.table->cells[1 + axis],
                                    t.stage[i][axis] - t.stage[0][axis], 1e-9);
    }
    free_found(&f);
    reference_free(&t.image);
}
END_TEST

static void fill_tile(scene_tiles *t, int tile, double (*value)(int x, int y))
{
    for (int y = 0; y < TILE; y++)
        for (int x = 0; x < TILE; x++)
            reference_put(&t->image, x, y, tile, value(x, y));
}

static double noise_at(int x, int y)
{
    (void)x;
    (void)y;
    return harness_below(&chance, 2000);
}

/* Spots in a square lattice with a period of 12 pixels. */
static double lattice_at(int x, int y)
{
    const double dx = x % 12 - 5.5, dy = y % 12 - 5.5;
    return 100 + 1000 * exp(-(dx * dx + dy * dy) / 8);
}

/* Tiles of noise share no scene, although small overlaps of them correlate by more than the threshold by chance. */
START_TEST(chance_gives_no_positions)
{
    for (int turn = 0; turn < 6; turn++) {
        scene_tiles t = scene_tiles_make(&chance, 3, 2, 1, 7, 0, 0, 0);
        for (int i = 0; i < t.count; i++)
            fill_tile(&t, i, noise_at);
        found f = stitch(&t, "overlap=7 threshold=0.1");
        ck_assert_ptr_nonnull(strstr(drua_take_messages(context), "tiles 1 and 2"));
        for (int i = 0; i < t.count; i++) {
            ck_assert_double_eq(f.table->cells[9 * i + 7], 0);
            for (int axis = 0; axis < 2; axis++)
                ck_assert_double_eq_tol(f.table->cells[9 * i + 1 + axis] - f.table->cells[1 + axis],
                                        t.stage[i][axis] - t.stage[0][axis], 1e-9);
        }
        free_found(&f);
        reference_free(&t.image);
    }
}
END_TEST

/* A repeating pattern fits at several shifts, so it determines no position. */
START_TEST(a_repeating_pattern_is_named)
{
    scene_tiles t = scene_tiles_make(&chance, 2, 1, 1, 30, 0, 0, 0);
    for (int i = 0; i < t.count; i++)
        fill_tile(&t, i, lattice_at);
    found f = stitch(&t, "overlap=30");
    const char *lines = drua_take_messages(context);
    ck_assert_msg(strstr(lines, "tiles 1 and 2 fit about equally well at two shifts") != NULL, "%s", lines);
    ck_assert_double_eq(f.table->cells[9 + 7], 0);
    free_found(&f);
    reference_free(&t.image);
}
END_TEST

/* A pair that correlates well at a wrong shift contradicts the others, and is named. */
START_TEST(a_contradicting_pair_is_left_out)
{
    scene_tiles t = scene_tiles_make(&chance, 3, 3, 1, 25, 2, 0.3, 10);
    const int wide = TILE / 4;
    for (int y = 0; y < TILE; y++) /* the right edge of the middle tile shows the left edge of its neighbour, shifted */
        for (int x = 0; x < wide; x++)
            reference_put(&t.image, TILE - wide + x, y, 4, reference_at(&t.image, x, y > 9 ? y - 9 : 0, 5));
    found f = stitch(&t, "overlap=25");
    ck_assert_ptr_nonnull(strstr(drua_take_messages(context), "tiles 5 and 6 contradict the other pairs"));
    ck_assert_double_lt(worst_error(&t, &f), 0.5); /* the tile shows a wrong scene to its other neighbours too */
    free_found(&f);
    reference_free(&t.image);
}
END_TEST

/*
 * Borders of zeros that lie at the same place in all tiles, as after a deskew, neither move the positions nor darken
 * the mosaic.
 */
START_TEST(zeros_can_be_missing_pixels)
{
    enum { BORDER = 9 };
    scene_tiles t = scene_tiles_make(&chance, 3, 2, 1, 30, 4, 0.2, 5);
    REFERENCE_EACH_PIXEL (t.image.shape, x, y, z)
        if (x < BORDER || x >= TILE - BORDER || y < BORDER || y >= TILE - BORDER)
            reference_put(&t.image, x, y, z, 0);
    found plain = stitch(&t, "overlap=30 fusion=average"), f = stitch(&t, "overlap=30 fusion=average missing=zero");
    ck_assert_double_gt(worst_error(&t, &plain), 0.2);
    ck_assert_double_lt(worst_error(&t, &f), 0.2);
    int64_t dark = 0, dark_plain = 0;
    for (int64_t y = 20; y < f.mosaic.shape.height - 20; y++)
        for (int64_t x = 20; x < f.mosaic.shape.width - 20; x++)
            dark += reference_at(&f.mosaic, x, y, 0) < 120;
    for (int64_t y = 20; y < plain.mosaic.shape.height - 20; y++)
        for (int64_t x = 20; x < plain.mosaic.shape.width - 20; x++)
            dark_plain += reference_at(&plain.mosaic, x, y, 0) < 120;
    ck_assert_int_eq(dark, 0);
    ck_assert_int_gt(dark_plain, 100);
    free_found(&plain);
    free_found(&f);
    reference_free(&t.image);
}
END_TEST

/* A pixel that is NaN is named with its tile, also where no overlap contains it and where positions are final. */
START_TEST(undefined_pixels_are_refused)
{
    scene_tiles t = scene_tiles_make(&chance, 2, 1, 1, 20, 0, 0, 0);
    reference_image floats = reference_make(DRUA_FLOAT32, t.image.shape),
                    list = reference_make(DRUA_FLOAT32, reference_plane(2, 2));
    memcpy(floats.pixels, t.image.pixels, reference_count(&floats) * sizeof *floats.pixels);
    floats.pixels[TILE * TILE + 70 * TILE + 150] = NAN;
    const drua_image stack = harness_push(context, &floats);
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "stitch_grid", IMAGE(stack), NEW, NEW, NUMBER(2), NUMBER(1), NAME("")),
            "tile 2", "not finite");
    REFUSED(
        DRUA_E_ARGUMENT,
        INVOKE(context, "stitch_positions", IMAGE(stack), IMAGE(harness_push(context, &list)), NEW, NEW, NAME("keep")),
        "tile 2", "not finite");
    reference_free(&list);
    reference_free(&floats);
    reference_free(&t.image);
}
END_TEST

START_TEST(wrong_input_is_refused)
{
    scene_tiles t = scene_tiles_make(&chance, 2, 2, 1, 20, 0, 0, 0);
    const drua_image stack = harness_push(context, &t.image);
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "stitch_grid", IMAGE(stack), NEW, NEW, NUMBER(3), NUMBER(1), NAME("")),
            "4 slices", "3 tiles");
    REFUSED(DRUA_E_ARGUMENT,
            INVOKE(context, "stitch_grid", IMAGE(stack), NEW, NEW, NUMBER(1000), NUMBER(1000), NAME("")),
            "1000 x 1000");
    REFUSED(DRUA_E_ARGUMENT,
            INVOKE(context, "stitch_grid", IMAGE(stack), NEW, NEW, NUMBER(2), NUMBER(2), NAME("overlap=120")),
            "overlap");
    reference_image list = reference_make(DRUA_FLOAT32, reference_plane(4, 1));
    REFUSED(DRUA_E_ARGUMENT,
            INVOKE(context, "stitch_positions", IMAGE(stack), IMAGE(harness_push(context, &list)), NEW, NEW, NAME("")),
            "positions", "4 x 1 x 1");
    reference_free(&list);
    list = reference_make(DRUA_FLOAT32, reference_plane(4, 2));
    list.pixels[1] = NAN;
    REFUSED(DRUA_E_ARGUMENT,
            INVOKE(context, "stitch_positions", IMAGE(stack), IMAGE(harness_push(context, &list)), NEW, NEW, NAME("")),
            "nan for tile 2");
    reference_free(&list);
    reference_free(&t.image);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("stitching");
    TCase *tests = tcase_create("stitching");
    tcase_add_checked_fixture(tests, open_context, close_context);
    tcase_add_test(tests, positions_are_found);
    tcase_add_test(tests, orders_and_lists_give_the_same);
    tcase_add_test(tests, final_positions_are_kept);
    tcase_add_test(tests, the_mosaic_is_the_scene);
    tcase_add_test(tests, positions_go_to_files_and_back);
    tcase_add_test(tests, bad_tiles_are_named);
    tcase_add_test(tests, chance_gives_no_positions);
    tcase_add_test(tests, a_repeating_pattern_is_named);
    tcase_add_test(tests, a_contradicting_pair_is_left_out);
    tcase_add_test(tests, zeros_can_be_missing_pixels);
    tcase_add_test(tests, undefined_pixels_are_refused);
    tcase_add_test(tests, wrong_input_is_refused);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
