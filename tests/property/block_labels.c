/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks that labels computed block by block equal those of the whole image: connected components, further operations
 * on the labels, and their tables, for random images, pipelines, extents, chunks and blocks. Tables are summed block by
 * block, so their numbers may differ in the last digits.
 */
#include "block_files.h"
#include "error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 4096, COLUMNS = 36 };

/* A command on the previous image, and its numbers. */
typedef struct step {
    const char *command;
    double numbers[3];
    int count;
} step;

static const step components[] = {{"CLIJ2_connectedComponentsLabelingBox", {0}, 0},
                                  {"CLIJ2_connectedComponentsLabelingDiamond", {0}, 0},
                                  {"CLIJ2_labelSpots", {0}, 0}};

/* Makes a label map with gaps: each grey value is replaced with the number of pixels that have it. */
static const step sizes = {"CLIJ2_pixelCountMap", {0}, 0};

static const step others[] = {
    {"CLIJ2_excludeLabelsOnEdges", {0}, 0},
    {"Drua_excludeLabelsOnEdgesOfAxes", {1, 0, 1}, 3},
    {"CLIJ2_excludeLabelsOutsideSizeRange", {3, 60}, 2},
    {"CLIJ2_closeIndexGapsInLabelMap", {0}, 0},
    {"CLIJ2_pixelCountMap", {0}, 0},
    {"CLIJ2_dilateLabels", {1}, 1},
    {"CLIJ2_detectLabelEdges", {0}, 0},
    {"CLIJ2_maximum3DBox", {1, 1, 0}, 3},
    {"CLIJ2_connectedComponentsLabelingBox", {0}, 0},
};

/* ---- one pipeline on the whole image and block by block */

static void run_step(drua_context *context, const step *s, int number, char *macro)
{
    char from[16], to[16];
    drua_argument arguments[8];
    int count = 2;
    snprintf(from, sizeof from, number > 1 ? "v%d" : "input", number - 1);
    snprintf(to, sizeof to, "v%d", number);
    arguments[0] = NAME(from);
    arguments[1] = NAME(to);
    sprintf(macro + strlen(macro), "Ext.%s(%s, %s", s->command, from, to);
    for (int i = 0; i < s->count; i++) {
        arguments[count++] = NUMBER(s->numbers[i]);
        sprintf(macro + strlen(macro), ", %g", s->numbers[i]);
    }
    strcat(macro, ");\n");
    if (drua_command(context, s->command, arguments, (size_t)count, NULL) != DRUA_OK)
        ck_abort_msg("%s: %s", s->command, drua_error_text());
}

/* Returns random pixels of a density at which objects wind through many blocks. */
static reference_image random_mask(harness_random *random, drua_shape shape)
{
    reference_image image = reference_make(DRUA_UINT8, shape);
    const int density = 15 + harness_below(random, 40);
    REFERENCE_EACH_PIXEL(shape, x, y, z)
    reference_put(&image, x, y, z, harness_below(random, 100) < density ? 1 + harness_below(random, 200) : 0);
    return image;
}

static void choose_extents(harness_random *random, const int64_t extent[3], int64_t block[3], int64_t chunk[3])
{
    for (int axis = 0; axis < 3; axis++) {
        chunk[axis] = 3 + harness_below(random, 8);
        chunk[axis] = chunk[axis] < extent[axis] ? chunk[axis] : extent[axis];
        block[axis] = chunk[axis] * (1 + harness_below(random, 3));
    }
}

/* ---- tables */

/* Reads the rows of the table beside the output, and removes the table. */
static int read_table(double (*rows)[COLUMNS], int max)
{
    char path[BLOCK_PATH_SIZE], line[8192];
    int count = 0;
    block_folder_path("out.csv", path);
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "there is no table %s", path);
    ck_assert(fgets(line, sizeof line, file) != NULL && !strncmp(line, "CHANNEL,FRAME,IDENTIFIER,", 25));
    while (fgets(line, sizeof line, file) && count < max) {
        char *at = line;
        ck_assert(strtod(at, &at) == 1 && *at == ',');
        at++;
        ck_assert(strtod(at, &at) == 1);
        for (int i = 0; i < COLUMNS; i++) {
            ck_assert(*at == ',');
            rows[count][i] = strtod(at + 1, &at);
        }
        count++;
    }
    fclose(file);
    remove(path);
    return count;
}

/* Compares the first `columns` columns of the table beside the output with those of the whole image. */
static void compare_table(drua_context *context, const char *command, const char *source, const char *labels,
                          int columns, const char *macro)
{
    enum { ROWS = 20000 };
    double(*rows)[COLUMNS] = malloc(ROWS * sizeof *rows);
    drua_table *table = NULL;
    drua_argument arguments[] = {NAME(source), NAME(labels)};
    REQUIRE(drua_command(context, command, arguments, 2, &table));
    const int count = read_table(rows, ROWS);
    ck_assert_msg((size_t)count == table->rows, "the table has %d rows, expected %zu; macro:\n%s", count, table->rows,
                  macro);
    for (int row = 0; row < count; row++)
        for (int column = 0; column < columns; column++) {
            const double whole = table->cells[(size_t)row * COLUMNS + (size_t)column], blocks = rows[row][column];
            const double tolerance = 1e-6 * fmax(fabs(whole), 1);
            if (whole != blocks && !(isnan(whole) && isnan(blocks)) && !(fabs(whole - blocks) <= tolerance))
                ck_abort_msg("row %d, column %d is %.17g, expected %.17g; macro:\n%s", row + 1, column + 1, blocks,
                             whole, macro);
        }
    drua_table_free(table);
    free(rows);
}

/* ---- random pipelines */

static void try_labels(drua_context *context, harness_random *random)
{
    static const char *const tables[] = {"CLIJ2_statisticsOfLabelledPixels",
                                         "CLIJ2_statisticsOfBackgroundAndLabelledPixels"};
    char macro[TEXT] = "Ext.Drua_push(input);\n", last[16];
    int64_t chunk[3], block[3];
    const drua_shape shape = {6 + harness_below(random, 30), 6 + harness_below(random, 30),
                              1 + harness_below(random, 20), 3};
    choose_extents(random, (const int64_t[]){shape.width, shape.height, shape.depth}, block, chunk);
    reference_image pixels = random_mask(random, shape);
    block_write_input(context, harness_push(context, &pixels), chunk);
    const int count = 1 + harness_below(random, 4);
    for (int i = 1; i <= count; i++)
        run_step(context,
                 i == 1 ? &components[harness_below(random, sizeof components / sizeof *components)]
                        : &others[harness_below(random, sizeof others / sizeof *others)],
                 i, macro);
    snprintf(last, sizeof last, "v%d", count);
    const char *table = tables[harness_below(random, 2)];
    sprintf(macro + strlen(macro), "Ext.%s(input, %s);\nExt.Drua_pull(%s);\n", table, last, last);
    block_process_macro(macro, block, chunk);
    block_compare_output(context, last, macro);
    compare_table(context, table, "input", last, COLUMNS, macro);
    reference_free(&pixels);
    REQUIRE(drua_clear(context));
}

START_TEST(labels_are_those_of_the_whole_image)
{
    enum { PIPELINES = 10 };
    harness_random random = {harness_new_seed("labels by blocks")};
    drua_context *context = harness_open();
    for (int i = 0; i < PIPELINES; i++)
        if (harness_is_sampled(i))
            try_labels(context, &random);
    drua_close(context);
}
END_TEST

/* ---- tables of shapes */

/* Reads the cells of a table beside the output, row by row, without CHANNEL and FRAME; returns the number of rows. */
static size_t read_cells(const drua_table *whole, double *cells, size_t max)
{
    char path[BLOCK_PATH_SIZE], line[16384];
    size_t rows = 0;
    block_folder_path("out.csv", path);
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "there is no table %s", path);
    ck_assert(fgets(line, sizeof line, file) != NULL);
    char *word = strtok(line, ",\n");
    ck_assert_str_eq(word, "CHANNEL");
    ck_assert_str_eq(strtok(NULL, ",\n"), "FRAME");
    for (size_t i = 0; i < whole->columns; i++)
        ck_assert_str_eq(strtok(NULL, ",\n"), whole->headings[i]);
    while (fgets(line, sizeof line, file) && rows < max) {
        char *at = line;
        ck_assert(strtod(at, &at) == 1 && strtod(at + 1, &at) == 1);
        for (size_t i = 0; i < whole->columns; i++) {
            ck_assert(*at == ',');
            cells[rows * whole->columns + i] = strtod(at + 1, &at);
        }
        rows++;
    }
    fclose(file);
    return rows;
}

static bool is_near(double whole, double blocks, bool exact)
{
    return whole == blocks || (isnan(whole) && isnan(blocks)) ||
           (!exact && fabs(whole - blocks) <= 1e-9 * fmax(fabs(whole), 1));
}

/* Checks that counts, boxes, Euler numbers and labels are equal; other columns may differ in their last digits. */
static void compare_table_file(drua_context *context, const char *command, drua_argument *arguments, size_t count,
                               const char *macro)
{
    enum { ROWS = 20000 };
    drua_table *table = NULL;
    REQUIRE(drua_command(context, command, arguments, count, &table));
    double *cells = malloc(ROWS * table->columns * sizeof *cells);
    const size_t rows = read_cells(table, cells, ROWS);
    ck_assert_msg(rows == table->rows, "the table has %zu rows, expected %zu; macro:\n%s", rows, table->rows, macro);
    for (size_t i = 0; i < rows * table->columns; i++) {
        const char *heading = table->headings[i % table->columns];
        const bool exact = strstr(heading, "PIXEL_COUNT") || strstr(heading, "BOX") || strstr(heading, "EULER") ||
                           strstr(heading, "LABEL") || strstr(heading, "SIDES");
        if (!is_near(table->cells[i], cells[i], exact))
            ck_abort_msg("row %zu, column %s is %.17g, expected %.17g; macro:\n%s", i / table->columns + 1, heading,
                         cells[i], table->cells[i], macro);
    }
    free(cells);
    drua_table_free(table);
}

START_TEST(shapes_and_pairs_are_those_of_the_whole_image)
{
    static const char shapes[] = "Drua_measureLabels", pairs[] = "Drua_measureLabelPairs";
    static const struct {
        const char *command, *options;
        const step *labels; /* makes the labels; only `sizes` makes labels that touch each other */
    } tables[] = {{shapes, "shape", &components[0]},
                  {shapes, "moments", &components[1]},
                  {shapes, "shape moments voxel=0.2,0.3,1", &components[0]},
                  {shapes, "units=pixels units_in_headings prefix=p_", &components[1]},
                  {shapes, "shape size moments raw_moments", &sizes},
                  {shapes, "raw_moments voxel=0.2,0.3,1", &components[0]},
                  {pairs, "voxel=0.2,0.3,1", &sizes},
                  {pairs, "units=pixels units_in_headings", &sizes}};
    harness_random random = {harness_new_seed("shapes by blocks")};
    drua_context *context = harness_open();
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        char macro[TEXT] = "Ext.Drua_push(input);\n";
        int64_t chunk[3], block[3];
        const bool of_pairs = tables[i].command == pairs;
        const char *options = tables[i].options;
        drua_argument arguments[] = {NAME("input"), NAME("v1"), NAME(options)};
        const drua_shape shape = {6 + harness_below(&random, 30), 6 + harness_below(&random, 30),
                                  i % 2 ? 1 : 2 + harness_below(&random, 12), 3};
        choose_extents(&random, (const int64_t[]){shape.width, shape.height, shape.depth}, block, chunk);
        reference_image pixels = random_mask(&random, shape);
        block_write_input(context, harness_push(context, &pixels), chunk);
        run_step(context, tables[i].labels, 1, macro);
        sprintf(macro + strlen(macro), "Ext.%s(%sv1, \"%s\");\nExt.Drua_pull(v1);\n", tables[i].command,
                of_pairs ? "" : "input, ", options);
        block_process_macro(macro, block, chunk);
        compare_table_file(context, tables[i].command, arguments + of_pairs, 3 - of_pairs, macro);
        reference_free(&pixels);
        REQUIRE(drua_clear(context));
    }
    drua_close(context);
}
END_TEST

/* ---- overlap of two images */

START_TEST(overlap_is_that_of_the_whole_image)
{
    static const char *const commands[] = {"CLIJ2_jaccardIndex", "CLIJ2_sorensenDiceCoefficient"};
    harness_random random = {harness_new_seed("overlap by blocks")};
    drua_context *context = harness_open();
    for (int i = 0; i < 4; i++) {
        char macro[TEXT];
        double cell;
        drua_table *table = NULL;
        const drua_shape shape = {20, 17, 5, 3};
        const int64_t block[] = {7, 5, 2};
        drua_argument arguments[] = {NAME("input"), NAME("v")};
        reference_image pixels = i < 3 ? random_mask(&random, shape) : reference_make(DRUA_UINT8, shape);
        block_write_input(context, harness_push(context, &pixels), block);
        snprintf(macro, sizeof macro,
                 "Ext.Drua_push(input);\nExt.CLIJ2_threshold(input, v, 100);\nExt.%s(input, v);\nExt.Drua_pull(v);\n",
                 commands[i % 2]);
        REQUIRE(COMMAND(context, "CLIJ2_threshold", NAME("input"), NAME("v"), NUMBER(100)));
        REQUIRE(drua_command(context, commands[i % 2], arguments, 2, &table));
        block_process_macro(macro, block, block);
        ck_assert_uint_eq(read_cells(table, &cell, 1), 1);
        ck_assert_msg(is_near(table->cells[0], cell, true), "the overlap is %.17g, expected %.17g", cell,
                      table->cells[0]);
        ck_assert(i < 3 ? cell > 0 && cell < 1 : isnan(cell) != 0);
        drua_table_free(table);
        reference_free(&pixels);
        REQUIRE(drua_clear(context));
    }
    drua_close(context);
}
END_TEST

/* ---- lists of spots */

/* Compares the table beside the output with the positions of pixels that are not 0, in raster order. */
static void compare_list(const reference_image *spots, const char *about)
{
    char path[BLOCK_PATH_SIZE], line[256], wanted[256];
    block_folder_path("out.csv", path);
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "there is no list %s", path);
    ck_assert(fgets(line, sizeof line, file) != NULL);
    ck_assert_str_eq(line, "CHANNEL,FRAME,X,Y,Z\n");
    REFERENCE_EACH_PIXEL (spots->shape, x, y, z)
        if (reference_at(spots, x, y, z) > 0) {
            snprintf(wanted, sizeof wanted, "1,1,%d,%d,%d\n", (int)x, (int)y, (int)z);
            ck_assert_msg(fgets(line, sizeof line, file) && !strcmp(line, wanted),
                          "the line is %s, expected %s; macro:\n%s", line, wanted, about);
        }
    ck_assert_msg(!fgets(line, sizeof line, file), "the list is longer: %s", line);
    fclose(file);
}

START_TEST(spots_are_listed_in_the_order_of_the_whole_image)
{
    enum { IMAGES = 3 };
    static const char macro[] = "Ext.Drua_push(input);\nExt.CLIJ2_spotsToPointList(input, list);\n"
                                "Ext.CLIJ2_labelSpots(input, v1);\nExt.Drua_pull(v1);\n";
    harness_random random = {harness_new_seed("spots by blocks")};
    drua_context *context = harness_open();
    for (int i = 0; i < IMAGES; i++) {
        int64_t chunk[3], block[3];
        const drua_shape shape = {5 + harness_below(&random, 30), 5 + harness_below(&random, 30),
                                  1 + harness_below(&random, 12), 3};
        choose_extents(&random, (const int64_t[]){shape.width, shape.height, shape.depth}, block, chunk);
        reference_image pixels = i ? random_mask(&random, shape) : reference_make(DRUA_UINT8, shape);
        block_write_input(context, harness_push(context, &pixels), chunk);
        REQUIRE(COMMAND(context, "CLIJ2_labelSpots", NAME("input"), NAME("v1")));
        block_process_macro(macro, block, chunk);
        block_compare_output(context, "v1", macro);
        compare_list(&pixels, macro);
        reference_free(&pixels);
        REQUIRE(drua_clear(context));
    }
    drua_close(context);
}
END_TEST

/* ---- results known by hand */

/* Labels a comb whose teeth cross several blocks. Only its back, in the last row of blocks along y, joins the teeth. */
START_TEST(a_comb_is_one_object)
{
    static const char macro[] =
        "Ext.Drua_push(input);\nExt.CLIJ2_connectedComponentsLabelingDiamond(input, v1);\nExt.Drua_pull(v1);\n";
    const drua_shape shape = {21, 12, 4, 3};
    drua_context *context = harness_open();
    reference_image comb = reference_make(DRUA_UINT8, shape);
    REFERENCE_EACH_PIXEL(shape, x, y, z)
        reference_put(&comb, x, y, z,
                      (z == 1 && x % 2 == 0 && y < 11) || (z == 1 && y == 11) || (x == 20 && y == 0 && z == 3));
    block_write_input(context, harness_push(context, &comb), (const int64_t[]){4, 4, 2});
    block_process_macro(macro, (const int64_t[]){4, 4, 2}, (const int64_t[]){4, 4, 2});
    reference_image blocks = block_read_output(context);
    REFERENCE_EACH_PIXEL(shape, x, y, z)
    ck_assert_int_eq((int)reference_at(&blocks, x, y, z), reference_at(&comb, x, y, z) > 0 ? (z == 3 ? 2 : 1) : 0);
    reference_free(&comb);
    reference_free(&blocks);
    drua_close(context);
}
END_TEST

/*
 * A diagonal through the corners of blocks is one object if corners connect, and as many objects as pixels if only
 * sides connect.
 */
START_TEST(corners_join_blocks)
{
    const drua_shape shape = {12, 12, 12, 3};
    const int64_t block[] = {3, 3, 3};
    drua_context *context = harness_open();
    reference_image line = reference_make(DRUA_UINT8, shape);
    for (int i = 0; i < 12; i++)
        reference_put(&line, 11 - i, i, i, 1);
    block_write_input(context, harness_push(context, &line), block);
    block_process_macro("Ext.Drua_push(a);\nExt.CLIJ2_connectedComponentsLabelingBox(a, b);\n", block, block);
    reference_image box = block_read_output(context);
    block_process_macro("Ext.Drua_push(a);\nExt.CLIJ2_connectedComponentsLabelingDiamond(a, b);\n", block, block);
    reference_image diamond = block_read_output(context);
    for (int i = 0; i < 12; i++) {
        ck_assert_int_eq((int)reference_at(&box, 11 - i, i, i), 1);
        ck_assert_int_eq((int)reference_at(&diamond, 11 - i, i, i), i + 1);
    }
    reference_free(&line);
    reference_free(&box);
    reference_free(&diamond);
    drua_close(context);
}
END_TEST

/* ---- pixels that are not labels */

/* Writes a map with the pixel `odd` in its last block and, if `has_labels`, a label in its first block. */
static void write_odd_map(drua_context *context, drua_type type, double odd, bool has_labels, const int64_t block[3])
{
    const drua_shape shape = {12, 10, 6, 3};
    reference_image map = reference_make(type, shape);
    reference_put(&map, 11, 9, 5, odd);
    reference_put(&map, 1, 2, 0, has_labels ? 3 : 0);
    block_write_input(context, harness_push(context, &map), block);
    reference_free(&map);
}

/* In an image with labels, NaN and numbers below 1 are background. An image without labels is refused. */
START_TEST(maps_without_labels_are_refused)
{
    static const struct {
        drua_type type;
        double odd;
        const char *text;
    } maps[] = {{DRUA_INT8, -1, "-1"},        {DRUA_INT16, -300, "-300"}, {DRUA_INT32, -70000, "-70000"},
                {DRUA_FLOAT32, -1.5, "-1.5"}, {DRUA_FLOAT32, NAN, "nan"}, {DRUA_FLOAT32, 0.5, "0.5"}};
    static const char *const commands[] = {
        "CLIJ2_closeIndexGapsInLabelMap(a, b)", "CLIJ2_pixelCountMap(a, b)", "CLIJ2_statisticsOfLabelledPixels(a, a)",
        "CLIJ2_statisticsOfBackgroundAndLabelledPixels(a, a)", "Drua_measureLabelPairs(a, \"\")"};
    const int64_t block[] = {4, 4, 4};
    char macro[400], path[BLOCK_PATH_SIZE];
    drua_context *context = harness_open();
    block_folder_path("pipeline.ijm", path);
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        for (size_t k = 0; k < 2 * (sizeof commands / sizeof *commands); k++) {
            drua_blocks_request request = {.pipeline = path, .anew = true, .overwrite = true};
            memcpy(request.block, block, sizeof block);
            memcpy(request.chunk, block, sizeof block);
            write_odd_map(context, maps[i].type, maps[i].odd, k % 2, block);
            snprintf(macro, sizeof macro, "Ext.Drua_push(a);\nExt.%s;\nExt.Drua_pull(%s);\n", commands[k / 2],
                     strstr(commands[k / 2], " b)") ? "b" : "a");
            block_write_text("pipeline.ijm", macro);
            if (k % 2)
                REQUIRE(block_plan(&request));
            else
                REFUSED(DRUA_E_ARGUMENT, block_plan(&request), "no label", maps[i].text);
            REQUIRE(drua_clear(context));
        }
    drua_close(context);
}
END_TEST

/* Objects that cross blocks have infinite pixels and NaN of both signs. Their statistics do not depend on blocks. */
START_TEST(undefined_intensities)
{
    static const char macro[] = "Ext.Drua_push(input);\nExt.CLIJ2_notEqualConstant(input, v1, 0);\n"
                                "Ext.CLIJ2_connectedComponentsLabelingBox(v1, v2);\n"
                                "Ext.CLIJ2_statisticsOfLabelledPixels(input, v2);\nExt.Drua_pull(v2);\n";
    static const double odd[][2] = {{NAN, 1},       {-NAN, 1},       {NAN, -NAN}, {INFINITY, 1},
                                    {-INFINITY, 1}, {INFINITY, NAN}, {1, 2},      {-NAN, INFINITY}};
    enum { OBJECTS = sizeof odd / sizeof *odd, WIDTH = 16, EXTREMES = 14 }; /* the columns up to the sum */
    const drua_shape shape = {WIDTH, 2 * OBJECTS, 1, 2};
    const int64_t block[] = {4, 4, 1};
    float pixels[2 * OBJECTS][WIDTH] = {{0}};
    drua_image image;
    drua_context *context = harness_open();
    for (int i = 0; i < OBJECTS; i++)
        for (int x = 0; x < WIDTH; x++)
            pixels[2 * i][x] = x == 2 ? (float)odd[i][0] : x == 9 ? (float)odd[i][1] : (float)(5 + x);
    REQUIRE(drua_push(context, shape, DRUA_FLOAT32, pixels, &image));
    block_write_input(context, image, block);
    block_process_macro(macro, block, block);
    REQUIRE(COMMAND(context, "CLIJ2_notEqualConstant", NAME("input"), NAME("v1"), NUMBER(0)));
    REQUIRE(COMMAND(context, "CLIJ2_connectedComponentsLabelingBox", NAME("v1"), NAME("v2")));
    compare_table(context, "CLIJ2_statisticsOfLabelledPixels", "input", "v2", EXTREMES, macro);
    drua_close(context);
}
END_TEST

/* ---- a pass stopped midway */

static bool stop_after(void *payload, const drua_blocks_progress *progress)
{
    (void)progress;
    return --*(int *)payload > 0;
}

START_TEST(a_pass_that_was_stopped_goes_on)
{
    static const char macro[] = "Ext.Drua_push(input);\nExt.CLIJ2_connectedComponentsLabelingBox(input, "
                                "v1);\nExt.CLIJ2_statisticsOfLabelledPixels(input, v1);\nExt.Drua_pull(v1);\n";
    const int64_t block[] = {5, 5, 5};
    const drua_shape shape = {20, 15, 10, 3};
    char in[BLOCK_PATH_SIZE], out[BLOCK_PATH_SIZE], plan[BLOCK_PATH_SIZE], pipeline[BLOCK_PATH_SIZE];
    harness_random random = {harness_new_seed("labels that were stopped")};
    drua_context *context = harness_open();
    reference_image pixels = random_mask(&random, shape);
    block_write_input(context, harness_push(context, &pixels), block);
    block_write_text("pipeline.ijm", macro);
    block_folder_path("in.zarr", in);
    block_folder_path("out.zarr", out);
    block_folder_path("plan.json", plan);
    block_folder_path("pipeline.ijm", pipeline);
    int left = 0, tries = 0;
    drua_blocks_request request = {
        .pipeline = pipeline, .input = in, .output = out, .watch = stop_after, .payload = &left};
    memcpy(request.block, block, sizeof block);
    memcpy(request.chunk, block, sizeof block);
    drua_status status;
    do {
        drua_text said = {0};
        left = tries > 4 ? 100 : 5; /* a stopped table pass starts over, so later attempts get more calls */
        status = drua_blocks_plan(&request, plan, &said);
        drua_text_free(&said);
        ck_assert_msg(status == DRUA_OK || status == DRUA_E_CANCELLED, "%s", drua_error_text());
    } while (status != DRUA_OK && ++tries < 40);
    ck_assert_msg(status == DRUA_OK && tries > 4, "%d tries: %s", tries, drua_error_text());
    if (block_run(NULL) != DRUA_OK)
        ck_abort_msg("run: %s", drua_error_text());
    block_finish();
    drua_argument arguments[] = {NAME("input"), NAME("v1")};
    REQUIRE(drua_command(context, "CLIJ2_connectedComponentsLabelingBox", arguments, 2, NULL));
    block_compare_output(context, "v1", macro);
    compare_table(context, "CLIJ2_statisticsOfLabelledPixels", "input", "v1", COLUMNS, macro);
    reference_free(&pixels);
    drua_close(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("labels by blocks");
    TCase *tests = tcase_create("labels");
    tcase_add_checked_fixture(tests, block_folder_make, block_folder_remove);
    tcase_add_test(tests, labels_are_those_of_the_whole_image);
    tcase_add_test(tests, shapes_and_pairs_are_those_of_the_whole_image);
    tcase_add_test(tests, overlap_is_that_of_the_whole_image);
    tcase_add_test(tests, spots_are_listed_in_the_order_of_the_whole_image);
    harness_add(tests, a_comb_is_one_object, 1);
    harness_add(tests, corners_join_blocks, 1);
    tcase_add_test(tests, a_pass_that_was_stopped_goes_on);
    suite_add_tcase(suite, tests);
    TCase *odd = tcase_create("odd pixels");
    tcase_add_checked_fixture(odd, block_folder_make, block_folder_remove);
    harness_add(odd, maps_without_labels_are_refused, 1);
    harness_add(odd, undefined_intensities, 1);
    suite_add_tcase(suite, odd);
    return harness_run(suite);
}
