/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests the positions of tiles in files. A scene is cut into tiles with known shifts, noise and a vignette. From
 * numbers in file names, lists or positions in metadata, all positions must be found within 0.2 pixels. One solution
 * serves all channels and frames. Missing tiles are named, and wrong names are refused.
 */
#include "block_files.h"
#include "scene_tiles.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static drua_context *context;
static harness_random chance;

static void open_all(void)
{
    block_folder_make();
    context = harness_open();
    chance.state = harness_new_seed("stitch_files");
    scene_tiles_scatter(&chance);
}

static void close_all(void)
{
    drua_close(context);
    block_folder_remove();
}

/* ---- files */

/* Writes a tile, or if `volumes` is above 1, channels in which only volume `shown` shows it; the others show noise. */
static void write_tile(const scene_tiles *t, int number, const char *name, const char *text, int volumes, int shown)
{
    char path[BLOCK_PATH_SIZE];
    const size_t count = (size_t)(TILE * TILE * t->depth);
    reference_image tile = reference_make(DRUA_UINT16, reference_stack(TILE, TILE, t->depth * volumes));
    for (size_t i = 0; i < reference_count(&tile); i++)
        tile.pixels[i] = (int)(i / count) == shown ? t->image.pixels[count * (size_t)number + i % count]
                                                   : harness_below(&chance, 900);
    const drua_image image = harness_push(context, &tile);
    REQUIRE(drua_set_metadata(context, image, text));
    block_folder_path(name, path);
    REQUIRE(INVOKE(context, "write", IMAGE(image), NAME(path)));
    REQUIRE(drua_release(context, image));
    reference_free(&tile);
}

static drua_status stitch(const char *tiles, const char *list, const char *options, drua_table **table)
{
    char from[BLOCK_PATH_SIZE], to[BLOCK_PATH_SIZE];
    block_folder_path(tiles, from);
    block_folder_path(list, to);
    drua_argument arguments[] = {NAME(from), NAME(to), NAME(options)};
    return drua_invoke(context, "stitch_files", arguments, 3, table);
}

enum { COLUMNS = 9 };

/* The largest error of the distance of two tiles; the rows of the table are the tiles `which`. */
static double worst_error(const scene_tiles *t, const drua_table *table, const int *which)
{
    double worst = 0;
    for (size_t i = 0; i < table->rows; i++)
        for (size_t k = 0; k < i; k++)
            for (int axis = 0; axis < 3; axis++)
                worst = fmax(worst, fabs(table->cells[COLUMNS * i + 1 + (size_t)axis] -
                                         table->cells[COLUMNS * k + 1 + (size_t)axis] - t->truth[which[i]][axis] +
                                         t->truth[which[k]][axis]));
    return worst;
}

static const int in_order[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};

/* The list has the positions of the table, without its first rows; the mosaic begins at the smallest of them. */
static void compare_rest(const char *list, const drua_table *table, size_t omitted)
{
    char path[BLOCK_PATH_SIZE];
    block_folder_path(list, path);
    drua_argument arguments[] = {NAME(path), NEW};
    REQUIRE(drua_invoke(context, "read_tile_configuration", arguments, 2, NULL));
    reference_image positions = harness_pull(context, arguments[1].image);
    const size_t count = table->rows - omitted;
    ck_assert_int_eq(positions.shape.width, (int)count);
    for (int axis = 0; axis < 3; axis++) {
        double low = INFINITY;
        for (size_t i = 0; i < count; i++) {
            const double at = table->cells[COLUMNS * (i + omitted) + 1 + (size_t)axis];
            ck_assert_double_eq_tol(reference_at(&positions, (int64_t)i, axis, 0), at, 1e-3);
            low = fmin(low, at);
        }
        ck_assert_double_eq_tol(low, 0, 1e-9);
    }
    reference_free(&positions);
}

static void compare_list(const char *list, const drua_table *table)
{
    compare_rest(list, table, 0);
}

static void process(const char *list)
{
    char in[BLOCK_PATH_SIZE], out[BLOCK_PATH_SIZE];
    block_folder_path(list, in);
    block_folder_path("out.zarr", out);
    REQUIRE(drua_process_file("copy", in, out, "overwrite chunk=64,64,3 block=128,64,3", NULL, NULL));
}

/* ---- positions */

START_TEST(positions_are_found_in_files)
{
    static const struct {
        int columns, rows, depth;
        double overlap, error, vignette, noise;
        const char *pattern, *list, *options;
    } cases[] = {{3, 3, 1, 20, 6, 0.8, 40, "a-{y}_{xxx}.tif", "a.csv", "columns=3 rows=3 overlap=20 first=0"},
                 {2, 2, 9, 25, 4, 0.5, 30, "b{ii}.tif", "b.txt", "columns=2 rows=2 overlap=25"},
                 {3, 2, 1, 20, 3, 0, 0, "c{x} {y}.zarr", "c.txt", "columns=3 rows=2 overlap=20 first=0"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        scene_tiles t = scene_tiles_make(&chance, cases[i].columns, cases[i].rows, cases[i].depth, cases[i].overlap,
                                         cases[i].error, cases[i].vignette, cases[i].noise);
        drua_table *table;
        for (int k = 0; k < t.count; k++) {
            char name[64];
            const int x = k % t.columns, y = k / t.columns;
            if (i == 0)
                snprintf(name, sizeof name, "a-%d_%03d.tif", y, x);
            else if (i == 1)
                snprintf(name, sizeof name, "b%02d.tif", k + 1);
            else
                snprintf(name, sizeof name, "c%d %d.zarr", x, y);
            write_tile(&t, k, name, "", 1, 0);
        }
        REQUIRE(stitch(cases[i].pattern, cases[i].list, cases[i].options, &table));
        printf("%s: at most %.3f pixels off\n", cases[i].pattern, worst_error(&t, table, in_order));
        ck_assert_int_eq((int)table->rows, t.count);
        ck_assert_double_lt(worst_error(&t, table, in_order), 0.2);
        compare_list(cases[i].list, table);
        process(cases[i].list);
        drua_table_free(table);
        reference_free(&t.image);
    }
}
END_TEST

/* A list of rough positions, whose first line about a tile names a file that does not exist. */
START_TEST(lists_are_refined_and_missing_tiles_left_out)
{
    scene_tiles t = scene_tiles_make(&chance, 3, 2, 1, 25, 3, 0.3, 10);
    static const int kept[] = {0, 2, 3, 4, 5};
    char list[2000] = "dim = 2\n";
    drua_table *table;
    for (int k = 0; k < t.count; k++) {
        char name[32];
        snprintf(name, sizeof name, "t%d.tif", k);
        sprintf(list + strlen(list), "%s; ; (%.1f, %.1f)\n", name, t.stage[k][0] - 500, t.stage[k][1] + 40);
        if (k != 1)
            write_tile(&t, k, name, "", 1, 0);
    }
    block_write_text("TileConfiguration.txt", list);
    REQUIRE(stitch("TileConfiguration.txt", "found.csv", "fusion=max", &table));
    const char *said = drua_take_messages(context);
    ck_assert_msg(strstr(said, "t1.tif does not exist and is left out") != NULL, "%s", said);
    ck_assert_int_eq((int)table->rows, 5);
    ck_assert_double_lt(worst_error(&t, table, kept), 0.2);
    compare_list("found.csv", table);
    drua_table_free(table);
    char *text = block_read_text("found.csv");
    ck_assert_ptr_nonnull(strstr(text, "# drua: fusion=max missing=none\nfile,x,y,z,quality,pairs\n\"t0.tif\","));
    ck_assert_ptr_null(strstr(text, "t1.tif"));
    free(text);
    process("found.csv");
    REQUIRE(stitch("TileConfiguration.txt", "kept.csv", "keep", &table));
    for (size_t i = 0; i < table->rows; i++)
        for (int axis = 0; axis < 2; axis++)
            ck_assert_double_eq_tol(table->cells[COLUMNS * i + 1 + (size_t)axis],
                                    t.stage[kept[i]][axis] - t.stage[0][axis], 0.06);
    drua_table_free(table);
    reference_free(&t.image);
}
END_TEST

static void put_number(FILE *file, uint32_t number, int bytes)
{
    for (int i = 0; i < bytes; i++)
        fputc((int)(number >> 8 * i & 255), file);
}

/* Writes a tile as an OME-TIFF of one strip, with its position in micrometres. */
static void write_ome_tiff(const scene_tiles *t, int number, const char *name, double x, double y)
{
    enum { ENTRIES = 10, DESCRIPTION = 8 + 2 + 12 * ENTRIES + 4, PIXELS = DESCRIPTION + 1000 };
    char path[BLOCK_PATH_SIZE], xml[1000] = "";
    snprintf(
        xml, sizeof xml,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><OME xmlns=\"http://www.openmicroscopy.org/Schemas/OME/2016-06\">"
        "<Image ID=\"Image:0\"><Pixels ID=\"Pixels:0\" DimensionOrder=\"XYZCT\" Type=\"uint16\" SizeX=\"%d\" "
        "SizeY=\"%d\" SizeZ=\"1\" SizeC=\"1\" SizeT=\"1\" PhysicalSizeX=\"0.5\" PhysicalSizeY=\"0.25\">"
        "<Channel ID=\"Channel:0:0\" SamplesPerPixel=\"1\"/><TiffData/><Plane TheZ=\"0\" TheC=\"0\" TheT=\"0\" "
        "PositionX=\"%.4f\" PositionY=\"%.4f\" PositionXUnit=\"\302\265m\" PositionYUnit=\"\302\265m\"/>"
        "</Pixels></Image></OME>",
        TILE, TILE, x, y);
    const uint32_t entries[ENTRIES][4] = {{256, 4, 1, TILE},   {257, 4, 1, TILE},
                                          {258, 3, 1, 16},     {259, 3, 1, 1},
                                          {262, 3, 1, 1},      {270, 2, (uint32_t)strlen(xml) + 1, DESCRIPTION},
                                          {273, 4, 1, PIXELS}, {277, 3, 1, 1},
                                          {278, 4, 1, TILE},   {279, 4, 1, 2 * TILE * TILE}};
    block_folder_path(name, path);
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    fwrite("II*\0\010\0\0\0", 1, 8, file);
    put_number(file, ENTRIES, 2);
    for (int i = 0; i < ENTRIES; i++)
        for (int k = 0; k < 4; k++)
            put_number(file, entries[i][k], k < 2 ? 2 : 4);
    put_number(file, 0, 4);
    fwrite(xml, 1, sizeof xml, file);
    for (int i = 0; i < TILE * TILE; i++)
        put_number(file, (uint32_t)t->image.pixels[TILE * TILE * number + i], 2);
    fclose(file);
}

/* The stage's positions are those of the metadata, in micrometres. */
START_TEST(metadata_give_positions)
{
    scene_tiles t = scene_tiles_make(&chance, 2, 2, 1, 25, 3, 0.3, 10);
    drua_table *table;
    for (int ome = 0; ome < 2; ome++) {
        for (int k = 0; k < t.count; k++) {
            char name[32], text[200];
            const double x = 0.5 * (t.stage[k][0] + 3000), y = 0.25 * (t.stage[k][1] - 700);
            snprintf(name, sizeof name, ome ? "stage-%d.ome.tif" : "stage-%d.zarr", k);
            snprintf(text, sizeof text,
                     "pixelWidth=0.5\npixelHeight=0.25\npixelDepth=1\nunit=um\nposition=%.3f,%.3f,0\n", x, y);
            if (ome)
                write_ome_tiff(&t, k, name, x, y);
            else
                write_tile(&t, k, name, text, 1, 0);
        }
        REQUIRE(stitch(ome ? "stage-*.ome.tif" : "stage-*.zarr", "list.csv", "", &table));
        ck_assert_int_eq((int)table->rows, 4);
        ck_assert_double_lt(worst_error(&t, table, in_order), 0.2);
        ck_assert_double_eq_tol(table->cells[4], 3000, 0.01);
        ck_assert_double_eq_tol(table->cells[5], -700, 0.01);
        process("list.csv");
        drua_table_free(table);
    }
    reference_free(&t.image);
}
END_TEST

/* The positions come from the only channel and frame that show the scene, and all are blended there. */
START_TEST(one_solution_serves_all_channels_and_frames)
{
    scene_tiles t = scene_tiles_make(&chance, 2, 1, 1, 30, 4, 0.2, 10);
    drua_table *table;
    char name[32], path[BLOCK_PATH_SIZE];
    for (int k = 0; k < t.count; k++) {
        snprintf(name, sizeof name, "m%d.tif", k + 1);
        write_tile(&t, k, name, "channels=2\nslices=1\nframes=3\n", 6, 3);
    }
    REQUIRE(stitch("m{i}.tif", "list.csv", "columns=2 overlap=30 channel=2 frame=2", &table));
    ck_assert_double_lt(worst_error(&t, table, in_order), 0.2);
    const int64_t below = llround(table->cells[2]); /* position of the first tile along y */
    drua_table_free(table);
    REQUIRE(stitch("m{i}.tif", "other.csv", "columns=2 overlap=30 channel=1 frame=2", &table));
    ck_assert_double_eq(table->cells[7], 0);
    drua_table_free(table);
    process("list.csv");
    block_folder_path("out.zarr", path);
    double errors[2] = {0}; /* of a channel and frame of noise, and of the one with the scene */
    for (int i = 0; i < 2; i++) {
        drua_image image;
        REQUIRE(drua_read_tiff(context, path, 1 + i, 1 + i, &image));
        reference_image volume = harness_pull(context, image);
        for (int y = 10; y < TILE - 10; y++) /* only the first tile lies at its left edge */
            errors[i] += fabs(reference_at(&volume, 20, y + below, 0) - reference_at(&t.image, 20, y, 0)) / (TILE - 20);
        reference_free(&volume);
    }
    printf("noise differs from the scene by %.1f, the scene by %.1f\n", errors[0], errors[1]);
    ck_assert_double_lt(8 * errors[1], errors[0]);
    reference_free(&t.image);
}
END_TEST

/* A tile of zeros is named and left out of the list; one without texture keeps the position of the stage. */
START_TEST(empty_tiles_are_left_out)
{
    scene_tiles t = scene_tiles_make(&chance, 4, 1, 1, 25, 2, 0, 0);
    drua_table *table;
    char name[32];
    for (size_t i = 0; i < TILE * TILE; i++) {
        t.image.pixels[i] = 0;
        t.image.pixels[TILE * TILE + i] = 300;
    }
    for (int k = 0; k < t.count; k++) {
        snprintf(name, sizeof name, "e%d.tif", k + 1);
        write_tile(&t, k, name, "", 1, 0);
    }
    REQUIRE(stitch("e{i}.tif", "list.csv", "columns=4 overlap=25", &table));
    const char *said = drua_take_messages(context);
    ck_assert_msg(strstr(said, "tile 1 keeps the position of the stage, because no overlap determines it; all its "
                               "pixels are 0") != NULL &&
                      strstr(said, "tile 2 keeps") != NULL,
                  "%s", said);
    char *text = block_read_text("list.csv");
    ck_assert_ptr_null(strstr(text, "e1.tif"));
    ck_assert_ptr_nonnull(strstr(text, "e2.tif"));
    free(text);
    compare_rest("list.csv", table, 1);
    drua_table_free(table);
    for (size_t i = 0; i < reference_count(&t.image); i++)
        t.image.pixels[i] = 0;
    for (int k = 0; k < 2; k++) {
        snprintf(name, sizeof name, "z%d.tif", k + 1);
        write_tile(&t, k, name, "", 1, 0);
    }
    REFUSED(DRUA_E_ARGUMENT, stitch("z{i}.tif", "none.csv", "columns=2 overlap=25", NULL), "all pixels of all tiles",
            "z{i}.tif");
    reference_free(&t.image);
}
END_TEST

/* ---- refused */

/* Writes a tile with a pixel that is not a number. */
static void write_undefined(const char *name)
{
    char path[BLOCK_PATH_SIZE];
    reference_image tile = reference_make(DRUA_FLOAT32, reference_plane(50, 40));
    tile.pixels[7] = NAN;
    block_folder_path(name, path);
    REQUIRE(INVOKE(context, "write", IMAGE(harness_push(context, &tile)), NAME(path)));
    reference_free(&tile);
}

/* Writes a folder with two images, in the layout of bioformats2raw. */
static void write_several(const char *name)
{
    char path[BLOCK_PATH_SIZE + 8], file[BLOCK_PATH_SIZE];
    reference_image tile = reference_make(DRUA_UINT8, reference_plane(50, 40));
    for (int i = 0; i < 2; i++) {
        block_folder_path(name, file);
        snprintf(path, sizeof path, "%s/%d", file, i);
        REQUIRE(INVOKE(context, "write_zarr", IMAGE(harness_push(context, &tile)), NAME(path), NAME("version=0.4")));
    }
    snprintf(file, sizeof file, "%s/.zattrs", name);
    block_write_text(file, "{\"bioformats2raw.layout\":3}");
    reference_free(&tile);
}

/* Gives the file `name` a second name, by a link or by another entry of the folder. */
static void give_name(const char *name, const char *second, bool is_link)
{
    char from[BLOCK_PATH_SIZE], to[BLOCK_PATH_SIZE];
    block_folder_path(name, from);
    block_folder_path(second, to);
    ck_assert_int_eq(is_link ? symlink(from, to) : link(from, to), 0);
}

START_TEST(inputs_are_kept)
{
    static const char *const lists[] = {"stage.csv", "./stage.csv", "link.csv", "second.csv"};
    scene_tiles t = scene_tiles_make(&chance, 2, 1, 1, 25, 0, 0, 0);
    write_tile(&t, 0, "t1.tif", "", 1, 0);
    write_tile(&t, 1, "t2.tif", "", 1, 0);
    REQUIRE(stitch("t{i}.tif", "stage.csv", "columns=2", NULL));
    give_name("stage.csv", "link.csv", true);
    give_name("stage.csv", "second.csv", false);
    give_name("t1.tif", "tile.csv", true);
    give_name("t2.tif", "tile.txt", false);
    for (int i = 0; i < 4; i++)
        REFUSED(DRUA_E_ARGUMENT, stitch("stage.csv", lists[i], "", NULL), "stage.csv", "would replace it");
    REFUSED(DRUA_E_ARGUMENT, stitch("stage.csv", "tile.csv", "", NULL), "t1.tif", "would replace it");
    REFUSED(DRUA_E_ARGUMENT, stitch("t{i}.tif", "tile.txt", "columns=2", NULL), "t2.tif", "would replace it");
    REFUSED(DRUA_E_ARGUMENT, stitch("t{i}.tif", "tile.csv", "columns=2 flat=t1.tif", NULL), "t1.tif");
    REQUIRE(stitch("stage.csv", "refined.csv", "", NULL));
    reference_free(&t.image);
}
END_TEST

/* A text never gets the name of an image. */
START_TEST(texts_have_names_of_texts)
{
    static const char *const names[] = {"t1.tif", "t1.TIFF", "t1.zarr", "t1.png"};
    char path[BLOCK_PATH_SIZE];
    reference_image positions = reference_make(DRUA_FLOAT32, reference_plane(2, 2));
    const drua_image image = harness_push(context, &positions);
    for (int i = 0; i < 4; i++) {
        block_folder_path(names[i], path);
        REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "write_tile_configuration", IMAGE(image), NAME(path)), names[i],
                "will be a text");
    }
    block_folder_path("t1.txt", path);
    REQUIRE(INVOKE(context, "write_tile_configuration", IMAGE(image), NAME(path)));
    reference_free(&positions);
}
END_TEST

START_TEST(wrong_names_are_refused)
{
    scene_tiles t = scene_tiles_make(&chance, 2, 1, 1, 25, 0, 0, 0);
    write_tile(&t, 0, "r1.tif", "", 1, 0);
    write_tile(&t, 1, "r2.tif", "", 2, 0);
    write_tile(&t, 1, "s1.tif", "", 1, 0);
    write_tile(&t, 1, "s2.tif", "", 1, 0);
    REFUSED(DRUA_E_ARGUMENT, stitch("r{i}.tif", "l.csv", "columns=2 channel=2", NULL), "r1.tif", "channel");
    REFUSED(DRUA_E_ARGUMENT, stitch("r{x}.tif", "l.csv", "columns=2", NULL), "{x} and {y}", "r{x}.tif");
    REFUSED(DRUA_E_ARGUMENT, stitch("r.tif", "l.csv", "", NULL), "{x} and {y}", "r.tif");
    REFUSED(DRUA_E_ARGUMENT, stitch("none{i}.tif", "l.csv", "columns=2", NULL), "no file matches", "none{i}.tif");
    REFUSED(DRUA_E_ARGUMENT, stitch("*none.tif", "l.csv", "", NULL), "no file matches", "*none.tif");
    REFUSED(DRUA_E_ARGUMENT, stitch("nowhere/*.tif", "l.csv", "", NULL), "does not exist", "nowhere");
    REFUSED(DRUA_E_ARGUMENT, stitch("s*.tif", "l.csv", "", NULL), "state no different positions", "s*.tif");
    REFUSED(DRUA_E_ARGUMENT, stitch("s{i}.tif", "l.tif", "columns=2", NULL), "extension .csv or .txt", "l.tif");
    REFUSED(DRUA_E_ARGUMENT, stitch("s{i}.tif", "l.csv", "columns=2 flat=none.tif", NULL), "flat field", "none.tif");
    REFUSED(DRUA_E_ARGUMENT, stitch("s*/r*.tif", "l.csv", "", NULL), "may have one *", "s*/r*.tif");
    reference_image small = reference_make(DRUA_UINT16, reference_plane(50, 40));
    char path[BLOCK_PATH_SIZE];
    block_folder_path("s3.tif", path);
    REQUIRE(INVOKE(context, "write", IMAGE(harness_push(context, &small)), NAME(path)));
    REFUSED(DRUA_E_ARGUMENT, stitch("s{i}.tif", "l.csv", "columns=3", NULL), "s3.tif has 50 x 40 x 1 pixels",
            "the same size and type");
    reference_free(&small);
    write_several("n1.zarr");
    REFUSED(DRUA_E_ARGUMENT, stitch("n{i}.zarr", "l.csv", "", NULL), "n1.zarr", "holds several images");
    write_undefined("f1.tif");
    write_undefined("f2.tif");
    REFUSED(DRUA_E_ARGUMENT, stitch("f{i}.tif", "l.csv", "columns=2", NULL), "f1.tif has pixels", "not finite");
    REFUSED(DRUA_E_ARGUMENT, stitch("f{i}.tif", "l.csv", "columns=2 dark=none.tif", NULL), "dark field", "none.tif");
    reference_free(&t.image);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("stitch_files");
    TCase *tests = tcase_create("stitch_files");
    tcase_add_checked_fixture(tests, open_all, close_all);
    tcase_add_test(tests, positions_are_found_in_files);
    tcase_add_test(tests, lists_are_refined_and_missing_tiles_left_out);
    tcase_add_test(tests, metadata_give_positions);
    tcase_add_test(tests, one_solution_serves_all_channels_and_frames);
    tcase_add_test(tests, empty_tiles_are_left_out);
    tcase_add_test(tests, inputs_are_kept);
    tcase_add_test(tests, texts_have_names_of_texts);
    tcase_add_test(tests, wrong_names_are_refused);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
