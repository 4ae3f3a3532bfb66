/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests mosaics that are assembled from files of tiles block by block. For random tiles, positions, fusions, blocks and
 * formats, they must be bit-identical to the result of stitch_positions on the same tiles in memory. Also tests lists
 * of both formats, flat and dark fields, and wrong lists.
 */
#include "block_files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TILES = 9, TEXT = 8192 };

static drua_context *context;
static harness_random chance;

static void open_all(void)
{
    block_folder_make();
    context = harness_open();
    chance.state = harness_new_seed("mosaics");
}

static void close_all(void)
{
    drua_close(context);
    block_folder_remove();
}

/* ---- random mosaics */

typedef struct tiles {
    reference_image stack; /* all tiles, one after the other along z */
    reference_image list; /* positions, as stitch_positions takes them */
    int count;
    int64_t depth;
    const char *fusion;
    bool misses_zeros, zarr;
    char text[TEXT]; /* list of the files */
} tiles;

static const char *const fusions[] = {"linear", "distance", "average", "max"};

static void write_image(const reference_image *image, const char *name)
{
    char path[BLOCK_PATH_SIZE];
    block_folder_path(name, path);
    REQUIRE(INVOKE(context, "write", IMAGE(harness_push(context, image)), NAME(path)));
}

static void write_tile(const tiles *t, int number, const char *name)
{
    const size_t count = reference_count(&t->stack) / (size_t)t->count;
    reference_image tile = reference_make(
        t->stack.type, t->depth > 1 ? reference_stack(t->stack.shape.width, t->stack.shape.height, t->depth)
                                    : reference_plane(t->stack.shape.width, t->stack.shape.height));
    memcpy(tile.pixels, t->stack.pixels + count * (size_t)number, count * sizeof *tile.pixels);
    write_image(&tile, name);
    reference_free(&tile);
}

/* Adds a line about a tile to a table, or to a TileConfiguration.txt. */
static void list_tile(tiles *t, bool table, const char *name, int number)
{
    char *end = t->text + strlen(t->text);
    const double x = reference_at(&t->list, number, 0, 0), y = reference_at(&t->list, number, 1, 0),
                 z = reference_at(&t->list, number, 2, 0);
    if (table)
        sprintf(end, "%.17g;\"%s\";%.17g;note;%.17g\r\n", y, name, z, x);
    else
        sprintf(end, "%s; ; (%.17g, %.17g, %.17g)\n", name, x, y, z);
}

/* Makes random tiles, writes each to a file, and the list to `name`. */
static tiles make_tiles(const char *name, drua_type type, const char *fields)
{
    const bool table = drua_text_has_extension(name, ".csv");
    tiles t = {.count = 1 + harness_below(&chance, MAX_TILES),
               .depth = harness_below(&chance, 2) ? 1 : 2 + harness_below(&chance, 5),
               .fusion = fusions[harness_below(&chance, 4)],
               .misses_zeros = harness_below(&chance, 2),
               .zarr = type != DRUA_UINT8 && type != DRUA_UINT16 && type != DRUA_FLOAT32};
    const int width = 5 + harness_below(&chance, 30), height = 5 + harness_below(&chance, 30);
    t.stack = harness_image(&chance, type, reference_stack(width, height, t.count * t.depth), HARNESS_GREY);
    t.list = reference_make(DRUA_FLOAT32, reference_plane(t.count, 3));
    sprintf(t.text, "# a comment\n# drua: fusion=%s missing=%s%s\n%s", t.fusion, t.misses_zeros ? "zero" : "none",
            fields, table ? "Y;File;z;other;x\n" : "dim = 3\n");
    for (int i = 0; i < t.count; i++) {
        char file[32];
        t.stack.pixels[reference_count(&t.stack) / (size_t)t.count * (size_t)i] = 7; /* no tile is 0 everywhere */
        for (int axis = 0; axis < (t.depth > 1 ? 3 : 2); axis++) {
            const int reach = axis == 2 ? 4 : 3 * width;
            const double whole = harness_below(&chance, reach) - reach / 2,
                         part = harness_below(&chance, 3) ? harness_below(&chance, 1000) / 1000.0 : 0;
            reference_put(&t.list, i, axis, 0, (double)(float)(whole + part));
        }
        snprintf(file, sizeof file, "tile %d.%s", i, t.zarr ? "zarr" : "tif");
        write_tile(&t, i, file);
        list_tile(&t, table, file, i);
    }
    block_write_text(name, t.text);
    return t;
}

static void free_tiles(tiles *t)
{
    reference_free(&t->stack);
    reference_free(&t->list);
}

/* The mosaic of the tiles in memory. */
static drua_image stitch_in_memory(const tiles *t, drua_image stack)
{
    char options[80];
    snprintf(options, sizeof options, "keep fusion=%s missing=%s", t->fusion, t->misses_zeros ? "zero" : "none");
    drua_argument arguments[] = {IMAGE(stack), IMAGE(harness_push(context, &t->list)), NEW, NEW, NAME(options)};
    REQUIRE(drua_invoke(context, "stitch_positions", arguments, 5, NULL));
    return arguments[2].image;
}

static drua_image read_file(const char *name)
{
    char path[BLOCK_PATH_SIZE];
    drua_image image;
    block_folder_path(name, path);
    REQUIRE(drua_read_tiff(context, path, 0, 0, &image));
    return image;
}

static void compare(drua_image whole, drua_image blocks, const char *about)
{
    reference_image a = harness_pull(context, whole), b = harness_pull(context, blocks);
    block_compare(&a, &b, about);
    reference_free(&a);
    reference_free(&b);
}

static drua_status process(const char *pipeline, const char *list, const char *output)
{
    char in[BLOCK_PATH_SIZE], out[BLOCK_PATH_SIZE], settings[200];
    int64_t chunk[3], block[3];
    for (int axis = 0; axis < 3; axis++) {
        chunk[axis] = 3 + harness_below(&chance, 30);
        block[axis] = chunk[axis] * (1 + harness_below(&chance, 3));
    }
    block_folder_path(list, in);
    block_folder_path(output, out);
    snprintf(settings, sizeof settings, "overwrite chunk=%d,%d,%d block=%d,%d,%d", (int)chunk[0], (int)chunk[1],
             (int)chunk[2], (int)block[0], (int)block[1], (int)block[2]);
    return drua_process_file(pipeline, in, out, settings, NULL, NULL);
}

START_TEST(blocks_have_the_bits_of_the_mosaic_in_memory)
{
    enum { TURNS = 6 };
    for (int turn = 0; turn < TURNS; turn++)
        for (int k = 0; harness_types[k] != DRUA_NO_TYPE; k++) {
            const drua_type type = harness_types[k];
            const char *list = harness_below(&chance, 2) ? "list.csv" : "TileConfiguration.txt";
            tiles t = make_tiles(list, type, "");
            const char *output = t.zarr || harness_below(&chance, 2) ? "out.zarr" : "out.tif";
            const drua_image whole = stitch_in_memory(&t, harness_push(context, &t.stack));
            REQUIRE(process("copy", list, output));
            compare(whole, read_file(output), t.text);
            free_tiles(&t);
            REQUIRE(drua_clear(context));
        }
}
END_TEST

/* A pipeline reads the mosaic with a margin. */
START_TEST(pipelines_read_mosaics)
{
    for (int turn = 0; turn < 4; turn++) {
        tiles t = make_tiles("list.csv", DRUA_UINT16, "");
        drua_argument arguments[] = {IMAGE(stitch_in_memory(&t, harness_push(context, &t.stack))), NEW, NUMBER(2),
                                     NUMBER(1), NUMBER(0)};
        REQUIRE(drua_invoke(context, "maximum_box", arguments, 5, NULL));
        REQUIRE(process("maximum_box radius_x=2 radius_y=1 radius_z=0", "list.csv", "out.zarr"));
        compare(arguments[1].image, read_file("out.zarr"), t.text);
        free_tiles(&t);
        REQUIRE(drua_clear(context));
    }
}
END_TEST

/* ---- flat and dark field */

/*
 * Computes the corrected tiles that a mosaic should use. A pixel that is 0 in the file is missing and stays 0. With
 * missing=zero, other pixels that the correction would make 0 become 1e-30, so that stitch_positions keeps them.
 */
static void correct_tiles(tiles *t, drua_image corrected)
{
    reference_image all = harness_pull(context, corrected);
    for (size_t i = 0; i < reference_count(&all) && t->misses_zeros; i++)
        all.pixels[i] = t->stack.pixels[i] == 0 ? 0 : all.pixels[i] == 0 ? (double)1e-30f : all.pixels[i];
    reference_free(&t->stack);
    t->stack = all;
}

static void put_1e_30_back(reference_image *image)
{
    for (size_t i = 0; i < reference_count(image); i++)
        image->pixels[i] = fabs(image->pixels[i]) < 1e-20 ? 0 : image->pixels[i];
}

START_TEST(tiles_are_corrected_on_the_fly)
{
    for (int turn = 0; turn < 8; turn++) {
        tiles t = make_tiles("list.csv", DRUA_FLOAT32, turn % 2 ? " flat=flat.tif dark=dark.tif" : " flat=flat.tif");
        const drua_shape plane = reference_plane(t.stack.shape.width, t.stack.shape.height);
        const size_t pixels = (size_t)(plane.width * plane.height);
        reference_image flat = harness_image(&chance, DRUA_FLOAT32, plane, HARNESS_POSITIVE),
                        dark = harness_image(&chance, DRUA_FLOAT32, plane, HARNESS_GREY);
        char path[BLOCK_PATH_SIZE];
        for (size_t i = 0; i < pixels; i++)
            dark.pixels[i] = turn % 2 == 0 ? 0 : i % 3 ? dark.pixels[i] : t.stack.pixels[i]; /* some equal tile 0 */
        drua_argument arguments[] = {IMAGE(harness_push(context, &t.stack)), IMAGE(harness_push(context, &flat)),
                                     IMAGE(harness_push(context, &dark)), NEW};
        block_folder_path("flat.tif", path);
        REQUIRE(INVOKE(context, "write", IMAGE(arguments[1].image), NAME(path)));
        block_folder_path("dark.tif", path);
        REQUIRE(INVOKE(context, "write", IMAGE(arguments[2].image), NAME(path)));
        REQUIRE(drua_invoke(context, "apply_flat_field", arguments, 4, NULL));
        REQUIRE(process("copy", "list.csv", "out.zarr"));
        correct_tiles(&t, arguments[3].image);
        reference_image whole = harness_pull(context, stitch_in_memory(&t, harness_push(context, &t.stack))),
                        blocks = harness_pull(context, read_file("out.zarr"));
        put_1e_30_back(&whole);
        put_1e_30_back(&blocks);
        block_compare(&whole, &blocks, t.text);
        reference_free(&whole);
        reference_free(&blocks);
        reference_free(&flat);
        reference_free(&dark);
        free_tiles(&t);
        REQUIRE(drua_clear(context));
    }
}
END_TEST

/* A pixel of 0 in the file is missing, whatever the dark field. A pixel that equals the dark field becomes 0. */
START_TEST(zeros_are_missing_before_the_correction)
{
    enum { SIDE = 4 };
    static const double values[] = {0, 3, 5, 3};
    static const char *const names[] = {"a.tif", "b.tif", "c.tif", "dark.tif"};
    static const double expected[] = {2, 1, 0}; /* a is missing everywhere; b minus the dark field is 0, and c 2 */
    for (int i = 0; i < 4; i++) {
        reference_image image = reference_make(DRUA_FLOAT32, reference_plane(SIDE, SIDE));
        for (int k = 0; k < SIDE * SIDE; k++)
            image.pixels[k] = values[i];
        write_image(&image, names[i]);
        reference_free(&image);
    }
    static const char *const lists[] = {"a.tif,0,0\nc.tif,0,0\n", "a.tif,0,0\nb.tif,0,0\nc.tif,0,0\n",
                                        "a.tif,0,0\nb.tif,0,0\n"};
    for (int i = 0; i < 3; i++) {
        char text[200];
        snprintf(text, sizeof text, "# drua: fusion=average missing=zero dark=dark.tif\nfile,x,y\n%s", lists[i]);
        block_write_text("list.csv", text);
        REQUIRE(process("copy", "list.csv", "out.zarr"));
        reference_image found = harness_pull(context, read_file("out.zarr"));
        for (int k = 0; k < SIDE * SIDE; k++)
            ck_assert_double_eq(found.pixels[k], expected[i]);
        reference_free(&found);
    }
}
END_TEST

/* ---- channels and frames */

/* Each channel and frame is fused at the same positions. */
START_TEST(channels_and_frames_share_positions)
{
    enum { SIDE = 12, VOLUMES = 6, TILES = 2 };
    char path[BLOCK_PATH_SIZE];
    reference_image all[TILES];
    for (int i = 0; i < TILES; i++) {
        char text[100];
        all[i] = harness_image(&chance, DRUA_UINT16, reference_stack(SIDE, SIDE, VOLUMES), HARNESS_POSITIVE);
        const drua_image image = harness_push(context, &all[i]);
        snprintf(text, sizeof text, "channels=2\nslices=1\nframes=3\nhyperstack=true\n");
        REQUIRE(drua_set_metadata(context, image, text));
        snprintf(path, sizeof path, "tile%d.tif", i);
        char full[BLOCK_PATH_SIZE];
        block_folder_path(path, full);
        REQUIRE(INVOKE(context, "write", IMAGE(image), NAME(full)));
    }
    block_write_text("list.csv", "# drua: fusion=max\nfile,x,y\ntile0.tif,0,0\ntile1.tif,7.5,1\n");
    REQUIRE(process("copy", "list.csv", "out.zarr"));
    block_folder_path("out.zarr", path);
    for (int volume = 0; volume < VOLUMES; volume++) {
        tiles t = {.count = TILES,
                   .depth = 1,
                   .fusion = "max",
                   .stack = reference_make(DRUA_UINT16, reference_stack(SIDE, SIDE, TILES)),
                   .list = reference_make(DRUA_FLOAT32, reference_plane(TILES, 3))};
        for (int i = 0; i < TILES; i++)
            memcpy(t.stack.pixels + i * SIDE * SIDE, all[i].pixels + volume * SIDE * SIDE,
                   SIDE * SIDE * sizeof *t.stack.pixels);
        reference_put(&t.list, 1, 0, 0, 7.5);
        reference_put(&t.list, 1, 1, 0, 1);
        drua_image image;
        REQUIRE(drua_read_tiff(context, path, volume % 2 + 1, volume / 2 + 1, &image));
        compare(stitch_in_memory(&t, harness_push(context, &t.stack)), image, "a channel and frame");
        free_tiles(&t);
    }
    for (int i = 0; i < TILES; i++)
        reference_free(&all[i]);
}
END_TEST

/* ---- lists */

/* Makes a mosaic of a list, and compares it with that of another list. */
static void compare_lists(const char *text, const char *list, const char *same)
{
    block_write_text("same.csv", same);
    block_write_text(list, text);
    REQUIRE(process("copy", "same.csv", "same.zarr"));
    REQUIRE(process("copy", list, "out.zarr"));
    compare(read_file("same.zarr"), read_file("out.zarr"), text);
    REQUIRE(drua_clear(context));
}

static void write_tiles(const char *const *names, int count)
{
    for (int i = 0; i < count; i++) {
        reference_image image = harness_image(&chance, DRUA_UINT16, reference_plane(20, 20), HARNESS_POSITIVE);
        write_image(&image, names[i]);
        reference_free(&image);
    }
}

START_TEST(positions_far_from_0_are_exact)
{
    write_tiles((const char *[]){"a.tif", "b.tif"}, 2);
    compare_lists("file,x,y\na.tif,1048575.45,-3\nb.tif,1048590.45,-2\n", "l.csv",
                  "file,x,y\na.tif,0,0\nb.tif,15,1\n");
}
END_TEST

START_TEST(names_of_tiles_are_read_as_they_are_written)
{
    static const char *const names[] = {"multiseries_1.tif", "#1.tif", "tile (1).tif", "a\"b;c.tif", "d\"e.tif"};
    static const char same[] = "file,x,y\nmultiseries_1.tif,0,0\n\"#1.tif\",9,0\ntile (1).tif,18,0\n";
    write_tiles(names, 5);
    compare_lists("dim = 2\nmultiseries = false\n# a comment (1, 2)\nmultiseries_1.tif; ; (0.0, 0.0)\n./#1.tif; ; "
                  "(9.0, 0.0)\ntile (1).tif; ; (18.0, 0.0)\n",
                  "l.txt", same);
    compare_lists("multiseries_1.tif (0.0, 0.0)\n./#1.tif (9.0, 0.0)\ntile (1).tif (18.0, 0.0)\n", "l.txt", same);
    compare_lists("file;x;y\n\"a\"\"b;c.tif\";0;0\nd\"e.tif;9;0\n", "l.csv",
                  "file,x,y\n\"a\"\"b;c.tif\",0,0\n\"d\"\"e.tif\",9,0\n");
    compare_lists("#drua: fusion=max\nfile,x,y\nmultiseries_1.tif,0,0\ntile (1).tif,9,0\n", "l.csv",
                  "# drua: fusion=max\nfile,x,y\nmultiseries_1.tif,0,0\ntile (1).tif,9,0\n");
}
END_TEST

/* ---- wrong lists */

static void refuse(const char *list, const char *text, const char *part, const char *other)
{
    block_write_text(list, text);
    REFUSED(DRUA_E_ARGUMENT, process("copy", list, "out.zarr"), part, other);
}

START_TEST(wrong_lists_are_refused)
{
    char path[BLOCK_PATH_SIZE];
    write_tiles((const char *[]){"a.tif"}, 1);
    reference_image other = harness_image(&chance, DRUA_UINT8, reference_plane(20, 20), HARNESS_POSITIVE);
    write_image(&other, "b.tif");
    reference_free(&other);
    other = harness_image(&chance, DRUA_UINT16, reference_plane(20, 21), HARNESS_GREY);
    other.pixels[0] = 0;
    write_image(&other, "c.tif");
    reference_free(&other);
    refuse("l.csv", "file,x,y\na.tif,0,0\nb.tif,9,0\n", "b.tif", "uint8");
    refuse("l.csv", "file,x,y\na.tif,0,0\nc.tif,9,0\n", "c.tif", "20 x 21 x 1");
    refuse("l.csv", "file,x,y\na.tif,0,0\ngone.tif,9,0\n", "gone.tif", "remove it from the list");
    refuse("l.csv", "file,x,y\na.tif,0,left\n", "line 2", "numbers for x, y");
    refuse("l.csv", "file,x,y\n", "no tile", "l.csv");
    refuse("l.csv", "# drua: fusion=mean\nfile,x,y\na.tif,0,0\n", "line 1", "fusion=mean");
    refuse("l.csv", "# drua: flat=c.tif\nfile,x,y\na.tif,0,0\n", "20 x 21 x 1", "20 x 20 x 1");
    refuse("l.csv", "# drua: flat=none.tif\nfile,x,y\na.tif,0,0\n", "none.tif", "l.csv");
    refuse("l.txt", "dim = 2\na.tif; ; (0, 0\n", "line 2", "a.tif");
    refuse("l.csv", "#drua: fusion=max\n# drua: fusion=linear\nfile,x,y\na.tif,0,0\n", "line 2", "fusion again");
    refuse("l.csv", "file,x,y\na.tif,0,0\n#b.tif,3,0\n", "line 3", "the tile #b.tif");
    refuse("l.txt", "#a.tif; ; (0, 0)\n", "line 1", "the tile #a.tif");
    refuse("l.txt", "dim = 2\na.tif; ; (0, 0) b.tif\n", "line 2", "2 numbers");
    refuse("l.txt", "multiseries = true\na.tif; 0; (0, 0)\na.tif; 1; (9, 0)\n", "line 3", "the series 1 of a file");
    block_write_text("l.csv", "file,x,y\na.tif,0,0\nb.tif,1,1\n");
    block_folder_path("l.csv", path);
    FILE *file = fopen(path, "r+b");
    ck_assert(file && !fseek(file, 19, SEEK_SET) && fputc(0, file) == 0 && !fclose(file));
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "read_tile_configuration", NAME(path), NEW), "l.csv", "NUL byte");
    refuse("l.csv", "file,x,y\nl.csv,0,0\n", "l.csv", "a list of tiles too");
    block_write_text("m.txt", "l.csv (0, 0)\n");
    refuse("l.csv", "file,x,y\nm.txt,0,0\n", "m.txt", "a list of tiles too");
    refuse("l.csv", "# drua: dark=m.txt\nfile,x,y\na.tif,0,0\n", "m.txt", "a list of tiles too");
    refuse("l.csv", "# drua: flat=c.tif\nfile,x,y\nc.tif,0,0\n", "pixel of 0", "above 0");
}
END_TEST

/* Lists with random bytes in random places are read or refused with a sentence that names the file. */
START_TEST(damaged_lists_are_read_or_refused)
{
    enum { TURNS = 3000 };
    static const char *const lists[] = {
        "# drua: fusion=max missing=zero flat=f.tif dark=d.tif\nfile,x,y,z\n\"a,b.tif\",1,2,3\nb.tif,4.5,-6,7e2\n",
        "\xEF\xBB\xBF# comment\r\ndim = 3\r\nmultiseries = false\r\na (1).tif; 0; (0.5, 1e2, -3)\r\nb.tif; ; (4, 5, "
        "6)\r\n"};
    static const char bytes[] = "\n\r\t \"#,;(){}=.-+0159ex\377";
    char path[BLOCK_PATH_SIZE];
    int read = 0;
    block_folder_path("damaged.txt", path);
    for (int turn = 0; turn < TURNS; turn++) {
        char text[300];
        snprintf(text, sizeof text, "%s", lists[turn % 2]);
        for (int k = 0; k < 1 + harness_below(&chance, 4); k++)
            text[harness_below(&chance, (int)strlen(text))] = bytes[harness_below(&chance, sizeof bytes - 1)];
        text[harness_below(&chance, 4) ? strlen(text) : (size_t)harness_below(&chance, (int)strlen(text))] = 0;
        block_write_text("damaged.txt", text);
        const drua_status status = INVOKE(context, "read_tile_configuration", NAME(path), NEW);
        ck_assert_msg(status == DRUA_OK || (status == DRUA_E_ARGUMENT && strstr(drua_error_message(), "damaged.txt")),
                      "%s: %s", text, drua_error_message());
        read += status == DRUA_OK;
        REQUIRE(drua_clear(context));
    }
    printf("%d of %d damaged lists can be read\n", read, TURNS);
    ck_assert_int_gt(read, 0);
    ck_assert_int_lt(read, TURNS);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mosaics");
    TCase *tests = tcase_create("mosaics");
    tcase_add_checked_fixture(tests, open_all, close_all);
    tcase_add_test(tests, blocks_have_the_bits_of_the_mosaic_in_memory);
    tcase_add_test(tests, pipelines_read_mosaics);
    tcase_add_test(tests, tiles_are_corrected_on_the_fly);
    tcase_add_test(tests, zeros_are_missing_before_the_correction);
    tcase_add_test(tests, channels_and_frames_share_positions);
    tcase_add_test(tests, positions_far_from_0_are_exact);
    tcase_add_test(tests, names_of_tiles_are_read_as_they_are_written);
    tcase_add_test(tests, wrong_lists_are_refused);
    tcase_add_test(tests, damaged_lists_are_read_or_refused);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
