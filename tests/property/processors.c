/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks that CPU kernels, which use vectors and integers and add in any order, give the same bits as GPU
 * kernels, and that results are exact where operations promise it.
 */
#include "harness.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROCESSOR, GPU, SIDES, MAX_ARGUMENTS = 6 };

typedef struct work {
    const char *operation;
    double numbers[4]; /* arguments after source and result */
    int count;
    bool table;
    int slices; /* minimum number of slices */
} work;

static const work works[] = {
    {"maximum_z_projection", {0, 1e9}, 2, false, 1},
    {"minimum_z_projection", {1, 30}, 2, false, 2},
    {"minimum_y_projection", {0}, 0, false, 1},
    {"mean_z_projection", {0, 1e9}, 2, false, 1},
    {"mean_y_projection", {0}, 0, false, 1},
    {"sum_z_projection", {1, 1e9}, 2, false, 2},
    {"standard_deviation_z_projection", {0}, 0, false, 1},
    {"statistics_of_image", {0}, 0, true, 1},
    {"center_of_mass_table", {0}, 0, true, 1},
    {"bin_mean", {2, 2, 1}, 3, false, 1},
    {"bin_mean", {2, 1, 2}, 3, false, 1},
    {"bin_mean", {3, 2, 1}, 3, false, 1},
    {"bin_mean", {1, 5, 3}, 3, false, 1},
    {"resample", {2, 2, 1, 1}, 4, false, 1},
    {"resample", {0.7, 1.3, 0.9, 1}, 4, false, 1},
    {"resample", {3.5, 0.5, 1, 1}, 4, false, 1},
};
enum { WORKS = sizeof works / sizeof *works };

/*
 * Widths around those of vectors and runs, one pixel along each axis, and rows and slices around the numbers that
 * work-items share or add at once.
 */
static const drua_shape shapes[] = {
    {1, 1, 2, 3},   {5, 1, 3, 3},    {1, 70, 2, 3},    {16, 9, 1, 2},    {17, 5, 18, 3},   {63, 8, 15, 3},
    {64, 3, 16, 3}, {65, 33, 40, 3}, {130, 7, 33, 3},  {20, 20, 257, 3}, {60, 20, 260, 3}, {257, 3, 5, 3},
    {3, 900, 2, 3}, {515, 40, 2, 3}, {1030, 50, 1, 2}, {2100, 11, 1, 2}, {4, 1, 300, 3}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/*
 * FEW: numbers below 100. ANY: all bit patterns, for floats the finite ones. MOST: the largest or lowest number
 * everywhere. STRANGE: some pixels are NaN or infinite.
 */
enum { FEW, ANY, MOST, STRANGE, CONTENTS };

static harness_random chance;
static drua_context *sides[SIDES];

static size_t bytes_of(drua_type type)
{
    return type == DRUA_UINT8 || type == DRUA_INT8 ? 1 : type == DRUA_UINT16 || type == DRUA_INT16 ? 2 : 4;
}

static float real_of(int content)
{
    static const float strange[] = {NAN, INFINITY, -INFINITY, -0.0f};
    const float some = (float)harness_below(&chance, 100000) / 1000;
    if (content == STRANGE && harness_below(&chance, 500) == 0)
        return strange[harness_below(&chance, 4)];
    return content == ANY ? ldexpf(some - 50, harness_below(&chance, 80) - 40) : content == MOST ? -65535.1f : some;
}

static void *pixels_of(drua_type type, int64_t count, int content)
{
    static const uint32_t max[] = {[DRUA_UINT8] = 0xff,   [DRUA_INT8] = 0x80,         [DRUA_UINT16] = 0xffff,
                                   [DRUA_INT16] = 0x8000, [DRUA_UINT32] = 0xffffffff, [DRUA_INT32] = 0x80000000};
    const size_t size = bytes_of(type);
    char *pixels = malloc((size_t)count * size);
    ck_assert_ptr_nonnull(pixels);
    for (int64_t i = 0; i < count; i++) {
        uint32_t bits = 0;
        if (type == DRUA_FLOAT32) {
            const float real = real_of(content);
            memcpy(&bits, &real, sizeof bits);
        } else {
            bits = content == MOST  ? max[type]
                   : content == FEW ? (uint32_t)harness_below(&chance, 100)
                                    : harness_next(&chance);
        }
        memcpy(pixels + (size_t)i * size, &bits, size); /* little-endian: the low bytes come first */
    }
    return pixels;
}

/* An operation's result, pixels or a table's numbers, for comparison by bits. All NaN are equal. */
typedef struct made {
    size_t bytes;
    void *data;
} made;

static made pixels_made(drua_context *context, drua_image image)
{
    drua_image_info info;
    REQUIRE(drua_get_info(context, image, &info));
    const size_t count = (size_t)(info.shape.width * info.shape.height * info.shape.depth);
    made m = {count * bytes_of(info.type), malloc(count * bytes_of(info.type))};
    ck_assert_ptr_nonnull(m.data);
    REQUIRE(drua_pull(context, image, m.data));
    for (size_t i = 0; info.type == DRUA_FLOAT32 && i < count; i++)
        if (isnan(((float *)m.data)[i]))
            ((float *)m.data)[i] = NAN;
    return m;
}

static made numbers_made(const drua_table *table)
{
    const size_t count = table->columns * table->rows;
    made m = {count * sizeof(double), malloc(count * sizeof(double))};
    ck_assert_ptr_nonnull(m.data);
    for (size_t i = 0; i < count; i++)
        ((double *)m.data)[i] = isnan(table->cells[i]) ? NAN : table->cells[i];
    return m;
}

static made run_work(drua_context *context, const work *w, drua_image image)
{
    drua_argument arguments[MAX_ARGUMENTS] = {IMAGE(image)};
    drua_table *table = NULL;
    size_t count = w->table ? 1 : 2;
    for (int i = 0; i < w->count; i++)
        arguments[count++] = NUMBER(w->numbers[i]);
    REQUIRE(drua_invoke(context, w->operation, arguments, count, &table));
    const made m = w->table ? numbers_made(table) : pixels_made(context, arguments[1].image);
    drua_table_free(table);
    if (!w->table)
        REQUIRE(drua_release(context, arguments[1].image));
    return m;
}

/* An image: a part of a larger one, with gaps between rows, or a whole one. */
static drua_image image_of(drua_context *context, drua_shape shape, drua_type type, const void *pixels, bool part)
{
    drua_image image;
    if (!part) {
        REQUIRE(drua_push(context, shape, type, pixels, &image));
        return image;
    }
    const drua_shape whole = {shape.width + 3, shape.height + 2, shape.depth, shape.dimension};
    REQUIRE(drua_push(context, whole, type, pixels, &image));
    drua_argument cut[] = {IMAGE(image),
                           NEW,
                           NUMBER(1),
                           NUMBER(1),
                           NUMBER(0),
                           NUMBER((double)shape.width),
                           NUMBER((double)shape.height),
                           NUMBER((double)shape.depth)};
    REQUIRE(drua_invoke(context, "crop", cut, sizeof cut / sizeof *cut, NULL));
    REQUIRE(drua_release(context, image));
    return cut[1].image;
}

static void compare_sides(drua_shape shape, drua_type type, int content, bool part)
{
    void *pixels = pixels_of(type, (shape.width + 3) * (shape.height + 2) * shape.depth, content);
    drua_image images[SIDES];
    for (int side = 0; side < SIDES; side++)
        images[side] = image_of(sides[side], shape, type, pixels, part);
    for (int i = 0; i < WORKS; i++) {
        if (shape.depth < works[i].slices)
            continue;
        const made one = run_work(sides[PROCESSOR], &works[i], images[PROCESSOR]),
                   other = run_work(sides[GPU], &works[i], images[GPU]);
        ck_assert_uint_eq(one.bytes, other.bytes);
        ck_assert_msg(!memcmp(one.data, other.data, one.bytes),
                      "%s, work %d, of %lld x %lld x %lld, type %d, content %d, part %d: other bits",
                      works[i].operation, i, (long long)shape.width, (long long)shape.height, (long long)shape.depth,
                      (int)type, content, (int)part);
        free(one.data);
        free(other.data);
    }
    for (int side = 0; side < SIDES; side++)
        REQUIRE(drua_clear(sides[side]));
    free(pixels);
}

START_TEST(same_bits)
{
    int number = 0;
    chance.state = harness_new_seed("property_processors");
    sides[PROCESSOR] = harness_open();
    harness_as_gpu();
    sides[GPU] = harness_open();
    for (int i = 0; i < SHAPES; i++)
        for (const drua_type *type = harness_types; *type != DRUA_NO_TYPE; type++)
            for (int content = 0; content < CONTENTS; content++)
                if ((content != STRANGE || *type == DRUA_FLOAT32) && harness_is_sampled(number++))
                    compare_sides(shapes[i], *type, content, harness_below(&chance, 2));
    for (int side = 0; side < SIDES; side++)
        drua_close(sides[side]);
    unsetenv("DRUA_AS_GPU");
}
END_TEST

static double cell(const drua_table *table, const char *heading)
{
    for (size_t i = 0; i < table->columns; i++)
        if (!strcmp(table->headings[i], heading))
            return table->cells[i];
    ck_abort_msg("no column %s", heading);
    return NAN;
}

/* The standard deviation of one slice is 0. The mean and standard deviation of non-finite values are undefined. */
START_TEST(deviations_of_what_is_not_finite)
{
    static const float slices[][3] = {{1, NAN, 3}, {1, INFINITY, 3}, {NAN, 1, 1}, {-INFINITY, 2, -INFINITY},
                                      {1, 2, 3},   {7, 7, 7}};
    enum { COLUMNS = sizeof slices / sizeof *slices };
    float pixels[3 * COLUMNS], got[COLUMNS];
    for (int i = 0; i < 3 * COLUMNS; i++)
        pixels[i] = slices[i % COLUMNS][i / COLUMNS];
    if (_i == GPU)
        harness_as_gpu();
    drua_context *context = harness_open();
    for (int depth = 1; depth <= 3; depth += 2) {
        drua_argument arguments[] = {
            IMAGE(image_of(context, (drua_shape){COLUMNS, 1, depth, 3}, DRUA_FLOAT32, pixels, false)), NEW};
        REQUIRE(drua_invoke(context, "standard_deviation_z_projection", arguments, 2, NULL));
        REQUIRE(drua_pull(context, arguments[1].image, got));
        for (int i = 0; i < COLUMNS; i++)
            ck_assert_msg(depth == 3 && i < 4 ? isnan(got[i]) : got[i] == (depth == 3 && i == 4),
                          "column %d of %d slices: %g", i, depth, (double)got[i]);
    }
    drua_close(context);
}
END_TEST

/* More pixels than the integers of float32, all but the first as large as possible: no float holds their sum. */
static void measure_full(drua_type type, double max)
{
    const drua_shape shape = {4099, 4099, 1, 2};
    const int64_t count = shape.width * shape.height;
    const size_t size = bytes_of(type);
    char *pixels = malloc((size_t)count * size);
    ck_assert_ptr_nonnull(pixels);
    memset(pixels, 0xff, (size_t)count * size);
    memset(pixels, 0, size);
    drua_context *context = harness_open();
    drua_image image;
    drua_table *table = NULL;
    REQUIRE(drua_push(context, shape, type, pixels, &image));
    REQUIRE(drua_invoke(context, "statistics_of_image", (drua_argument[]){IMAGE(image)}, 1, &table));
    ck_assert_double_eq(cell(table, "SUM_INTENSITY"), max * (double)(count - 1));
    ck_assert_double_eq(cell(table, "MEAN_INTENSITY"), max * (double)(count - 1) / (double)count);
    ck_assert_double_eq(cell(table, "MINIMUM_INTENSITY"), 0);
    ck_assert_double_eq(cell(table, "MAXIMUM_INTENSITY"), max);
    ck_assert_double_eq(cell(table, "SUM_INTENSITY_TIMES_X"),
                        max * (double)((shape.width - 1) * shape.width / 2 * shape.height));
    ck_assert_double_eq(cell(table, "SUM_INTENSITY_TIMES_Y"),
                        max * (double)((shape.width - 1) * shape.width / 2 * shape.height));
    drua_table_free(table);
    drua_close(context);
    free(pixels);
}

START_TEST(sums_beyond_float32)
{
    measure_full(DRUA_UINT8, 255);
    measure_full(DRUA_UINT16, 65535);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("processors");
    TCase *tests = tcase_create("processors");
    tcase_set_timeout(tests, 3600);
    tcase_add_test(tests, same_bits);
    tcase_add_loop_test(tests, deviations_of_what_is_not_finite, 0, SIDES);
    tcase_add_test(tests, sums_beyond_float32);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
