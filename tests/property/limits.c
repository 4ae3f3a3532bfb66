/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests limits of numbers of 24 or 32 bits: labels beyond 2^24, and images with more pixels than a counter holds.
 * DRUA_COUNTED lowers the counter's limit so that small images exceed it.
 */
#include "sides.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- images with more pixels than a counter holds */

typedef struct pair {
    drua_context *usual, *counted;
} pair;

static pair open_pair(const char *max)
{
    return (pair){harness_open(), open_with("DRUA_COUNTED", max)};
}

static void close_pair(const pair *p)
{
    drua_close(p->usual);
    drua_close(p->counted);
}

/*
 * Compares the last image of a call in both contexts; returns how many more launches and tiles the second context
 * needed.
 */
static drua_statistics compare_contexts(const pair *p, const char *operation, const reference_image *sources,
                                        int source_count, const drua_argument *numbers, int number_count)
{
    drua_context *contexts[] = {p->usual, p->counted};
    reference_image results[2];
    drua_statistics statistics[2];
    for (int side = 0; side < 2; side++) {
        const drua_statistics before = statistics_of(contexts[side]);
        drua_argument arguments[8] = {{0}};
        for (int i = 0; i < source_count; i++)
            arguments[i] = IMAGE(harness_push(contexts[side], &sources[i]));
        arguments[source_count] = NEW;
        for (int i = 0; i < number_count; i++)
            arguments[source_count + 1 + i] = numbers[i];
        REQUIRE(drua_invoke(contexts[side], operation, arguments, (size_t)(source_count + 1 + number_count), NULL));
        results[side] = harness_pull(contexts[side], arguments[source_count].image);
        statistics[side] = statistics_of(contexts[side]);
        statistics[side].launches -= before.launches;
        statistics[side].tiles -= before.tiles;
        REQUIRE(drua_clear(contexts[side]));
    }
    ck_assert_uint_eq(reference_count(&results[0]), reference_count(&results[1]));
    for (size_t i = 0; i < reference_count(&results[0]); i++)
        ck_assert_msg(results[0].pixels[i] == results[1].pixels[i], "%s: pixel %d is %g, not %g", operation, (int)i,
                      results[1].pixels[i], results[0].pixels[i]);
    for (int side = 0; side < 2; side++)
        reference_free(&results[side]);
    statistics[1].launches -= statistics[0].launches;
    statistics[1].tiles -= statistics[0].tiles;
    return statistics[1];
}

static const drua_type types[] = {DRUA_UINT8, DRUA_INT16, DRUA_FLOAT32};

/* Parts are several slices, several rows of a slice, or single rows. */
START_TEST(histograms_of_parts)
{
    static const char *const max[] = {"2500", "300", "7"};
    static const drua_shape shape = {40, 20, 9, 3};
    const pair p = open_pair(max[_i]);
    harness_random chance = {5};
    for (int t = 0; t < 3; t++) {
        reference_image source = harness_image(&chance, types[t], shape, HARNESS_GREY);
        for (int measured = 0; measured < 2; measured++) {
            const drua_statistics more = compare_contexts(
                &p, "histogram", &source, 1, (drua_argument[]){NUMBER(50), NUMBER(3), NUMBER(90), NUMBER(measured)}, 4);
            ck_assert_int_gt((int64_t)more.launches, 0);
        }
        static const char *const methods[] = {"Otsu", "Triangle", "Li", "Intermodes"};
        for (int m = 0; m < 4; m++)
            compare_contexts(&p, "automatic_threshold", &source, 1, (drua_argument[]){NAME(methods[m])}, 1);
        reference_free(&source);
    }
    close_pair(&p);
}
END_TEST

/* All lines of an existing plane or stack get the counts; lines without bins get 0. */
START_TEST(histogram_lines)
{
    enum { BINS = 16 };
    static const drua_shape shapes[] = {{BINS, 1, 1, 2}, {BINS, 3, 1, 2}, {BINS + 4, 2, 4, 3}, {BINS - 4, 2, 1, 2}};
    drua_context *context = _i ? open_with("DRUA_COUNTED", "300") : harness_open();
    harness_random chance = {6};
    reference_image source = harness_image(&chance, DRUA_UINT8, (drua_shape){40, 30, 1, 2}, HARNESS_GREY), counts = {0};
    for (int s = 0; s < 4; s++) {
        reference_image full = harness_image(&chance, DRUA_FLOAT32, shapes[s], HARNESS_GREY);
        const drua_image to = harness_push(context, &full);
        REQUIRE(INVOKE(context, "histogram", IMAGE(harness_push(context, &source)), IMAGE(to), NUMBER(BINS), NUMBER(0),
                       NUMBER(255), NUMBER(0)));
        reference_image lines = harness_pull(context, to);
        if (s == 0)
            counts = reference_duplicate(&lines);
        REFERENCE_EACH_PIXEL (shapes[s], x, y, z)
            ck_assert_double_eq(reference_at(&lines, x, y, z), x < BINS ? reference_at(&counts, x, 0, 0) : 0);
        reference_free(&lines);
        reference_free(&full);
    }
    reference_free(&counts);
    reference_free(&source);
    drua_close(context);
}
END_TEST

/* Each word of bits counts 16 nodes; there are four words per row here. */
START_TEST(components_of_parts)
{
    static const drua_shape shape = {100, 40, 30, 3};
    static const struct {
        const char *operation;
        int sources;
    } calls[] = {{"connected_components_box", 1},
                 {"connected_components_diamond", 1},
                 {"binary_fill_holes", 1},
                 {"voronoi_labeling", 1},
                 {"masked_voronoi_labeling", 2}};
    const pair p = open_pair("16000");
    drua_context *few = open_with("DRUA_COUNTED", "16");
    harness_random chance = {7};
    reference_image sources[2];
    for (int i = 0; i < 2; i++)
        sources[i] = harness_image(&chance, DRUA_UINT8, shape, HARNESS_BINARY);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        ck_assert_int_gt((int64_t)compare_contexts(&p, calls[i].operation, sources, calls[i].sources, NULL, 0).tiles,
                         0);
    REFUSED(DRUA_E_MEMORY, INVOKE(few, "connected_components_box", IMAGE(harness_push(few, sources)), NEW),
            "too large for 32-bit labels; with rows padded to");
    for (int i = 0; i < 2; i++)
        reference_free(&sources[i]);
    drua_close(few);
    close_pair(&p);
}
END_TEST

START_TEST(overlaps_of_parts)
{
    static const char *const operations[] = {"generate_jaccard_index_matrix", "generate_binary_overlap_matrix"};
    drua_context *context = open_with("DRUA_COUNTED", "6");
    const uint16_t labels[] = {1, 1, 2, 0, 2, 3, 3};
    drua_image seven, six;
    REQUIRE(drua_push(context, (drua_shape){7, 1, 1, 2}, DRUA_UINT16, labels, &seven));
    REQUIRE(drua_push(context, (drua_shape){6, 1, 1, 2}, DRUA_UINT16, labels, &six));
    for (int i = 0; i < 2; i++) {
        REFUSED(DRUA_E_ARGUMENT, INVOKE(context, operations[i], IMAGE(seven), IMAGE(seven), NEW), operations[i],
                "labels1 has 7 pixels, but at most 6");
        REQUIRE(INVOKE(context, operations[i], IMAGE(six), IMAGE(six), NEW));
    }
    drua_close(context);
}
END_TEST

/* A line of seven pixels has six sides between them. */
START_TEST(sides_of_parts)
{
    drua_context *context = open_with("DRUA_COUNTED", "6");
    const uint16_t labels[] = {1, 2, 1, 2, 1, 2, 1, 2};
    drua_image eight, seven;
    REQUIRE(drua_push(context, (drua_shape){8, 1, 1, 2}, DRUA_UINT16, labels, &eight));
    REQUIRE(drua_push(context, (drua_shape){7, 1, 1, 2}, DRUA_UINT16, labels, &seven));
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "generate_touch_count_matrix", IMAGE(eight), NEW),
            "labels has 7 sides between pixels, but at most 6");
    drua_argument arguments[] = {IMAGE(seven), NEW};
    REQUIRE(drua_invoke(context, "generate_touch_count_matrix", arguments, 2, NULL));
    reference_image matrix = harness_pull(context, arguments[1].image);
    ck_assert_double_eq(reference_at(&matrix, 1, 2, 0), 6);
    reference_free(&matrix);
    drua_close(context);
}
END_TEST

/* Quartiles and modes of a label with more pixels than a counter holds are NaN; other columns and labels are right. */
START_TEST(quartiles_of_large_labels)
{
    drua_context *context = open_with("DRUA_COUNTED", "6");
    const uint16_t labels[] = {1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2};
    drua_image line;
    REQUIRE(drua_push(context, (drua_shape){13, 1, 1, 2}, DRUA_UINT16, labels, &line));
    drua_table *table = NULL;
    REQUIRE(drua_invoke(context, "measure_labels",
                        (drua_argument[]){IMAGE(line), IMAGE(line), NAME("intensity units=pixels")}, 3, &table));
    for (size_t k = 0; k < table->columns; k++) {
        const char *heading = table->headings[k];
        const bool counted =
            !strncmp(heading, "QUARTILE", 8) || !strncmp(heading, "MEDIAN", 6) || !strncmp(heading, "MODE", 4);
        if (counted)
            ck_assert(isnan(table->cells[k]) && table->cells[table->columns + k] == 2);
        else if (!strncmp(heading, "MAXIMUM", 7))
            ck_assert(table->cells[k] == 1 && table->cells[table->columns + k] == 2);
    }
    drua_table_free(table);
    drua_close(context);
}
END_TEST

/* ---- labels that float32 does not tell apart */

enum { WIDTH = 13, HEIGHT = 12, PIXELS = WIDTH * HEIGHT, MAX_NUMBERS = 2 };

typedef struct label_call {
    const char *operation;
    int inputs;
    double numbers[MAX_NUMBERS];
    int number_count;
} label_call;

static const label_call label_calls[] = {
    {"opening_labels", 1, {1}, 1}, {"opening_labels", 1, {2}, 1},      {"closing_labels", 1, {1}, 1},
    {"smooth_labels", 1, {1}, 1},  {"smooth_labels", 1, {2}, 1},       {"smooth_labels", 1, {0}, 1},
    {"combine_labels", 2, {0}, 0}, {"subtract_labels", 2, {0}, 0},     {"mask_labels", 2, {1}, 1},
    {"mask_labels", 2, {0}, 1},    {"overlay_labels", 2, {0}, 0},      {"grow_labels_in_mask", 2, {1}, 1},
    {"peel_labels", 1, {0}, 0},    {"grow_labels_in_mask", 2, {0}, 1},
};

/*
 * Runs an operation on two touching blocks and two blocks on another map's objects, with small labels or, with `large`,
 * with large labels in the same order.
 */
static void run_labels(drua_context *context, const label_call *c, bool large, uint32_t *result)
{
    static const uint32_t numbers[] = {0, 16777216, 16777217, 16777219, 16777220};
    uint32_t maps[2][PIXELS] = {{0}};
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const int label = y < 7 ? (x < 6 ? 1 : x < 12 ? 2 : 0) : y < 11 && x > 0 ? (x < 5 ? 3 : x < 11 ? 4 : 0) : 0;
            maps[0][y * WIDTH + x] = large ? numbers[label] : (uint32_t)label;
            maps[1][y * WIDTH + x] = y > 8 && x < 4;
        }
    drua_argument arguments[6] = {{0}};
    for (int i = 0; i < c->inputs; i++)
        REQUIRE(drua_push(context, (drua_shape){WIDTH, HEIGHT, 1, 2}, DRUA_UINT32, maps[i], &arguments[i].image));
    for (int i = 0; i < c->inputs; i++)
        arguments[i].kind = DRUA_ARG_IMAGE;
    REQUIRE(drua_create(context, (drua_shape){WIDTH, HEIGHT, 1, 2}, DRUA_UINT32, &arguments[c->inputs].image));
    arguments[c->inputs].kind = DRUA_ARG_IMAGE;
    for (int i = 0; i < c->number_count; i++)
        arguments[c->inputs + 1 + i] = NUMBER(c->numbers[i]);
    REQUIRE(drua_invoke(context, c->operation, arguments, (size_t)(c->inputs + 1 + c->number_count), NULL));
    REQUIRE(drua_pull(context, arguments[c->inputs].image, result));
    REQUIRE(drua_clear(context));
}

/* Pixels of the results must be equal with large labels exactly where they are equal with small labels. */
START_TEST(large_labels_stay_apart)
{
    uint32_t small[PIXELS], large[PIXELS];
    drua_context *context = harness_open();
    for (size_t n = 0; n < sizeof label_calls / sizeof *label_calls; n++) {
        const label_call *c = &label_calls[n];
        run_labels(context, c, false, small);
        run_labels(context, c, true, large);
        for (int i = 0; i < PIXELS; i++)
            for (int k = 0; k < i; k++)
                ck_assert_msg((small[i] == small[k]) == (large[i] == large[k]),
                              "%s: pixels %d and %d have %u and %u, with small labels %u and %u", c->operation, k, i,
                              large[k], large[i], small[k], small[i]);
    }
    drua_close(context);
}
END_TEST

/* One stray label asks for tables that no memory holds, or that would be almost empty. */
START_TEST(one_stray_label)
{
    static const struct {
        const char *operation;
        size_t images, outputs;
    } calls[] = {{"statistics_of_labelled_pixels", 2, 0},
                 {"measure_labels", 2, 0},
                 {"touching_neighbor_count_map", 1, 1},
                 {"average_neighbor_distance_map", 1, 1},
                 {"mean_of_touching_neighbors_map", 2, 1}};
    static const double labels[] = {40000000, 4000000000, 4294967294};
    drua_context *context = harness_open();
    for (int k = 0; k < 3; k++) {
        reference_image map = reference_make(DRUA_UINT32, reference_stack(8, 8, 1));
        map.pixels[9] = labels[k];
        map.pixels[10] = 7;
        for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
            const drua_argument image = IMAGE(harness_push(context, &map));
            drua_argument arguments[] = {image, calls[i].images > 1 ? image : NEW, NEW};
            drua_table *table = NULL;
            REFUSED(DRUA_E_MEMORY,
                    drua_invoke(context, calls[i].operation, arguments, calls[i].images + calls[i].outputs, &table),
                    calls[i].operation, "Renumber the labels");
        }
        reference_free(&map);
    }
    drua_close(context);
}
END_TEST

/* A constant image has no contrast and becomes 0. The slope times the pixels of this window does not fit 32 bits. */
START_TEST(contrast_of_large_windows)
{
    enum { WIDE = 4095, HIGH = 600, ALL = WIDE * HIGH };
    drua_context *context = harness_open();
    unsigned char *pixels = reference_allocate(ALL, 1);
    unsigned char *result = reference_allocate(ALL, 1);
    drua_image image;
    memset(pixels, 255, ALL);
    REQUIRE(drua_push(context, (drua_shape){WIDE, HIGH, 1, 2}, DRUA_UINT8, pixels, &image));
    drua_argument arguments[] = {IMAGE(image), NEW, NUMBER(4095), NUMBER(2), NUMBER(1000), NUMBER(0)};
    REQUIRE(drua_invoke(context, "enhance_local_contrast", arguments, sizeof arguments / sizeof *arguments, NULL));
    REQUIRE(drua_pull(context, arguments[1].image, result));
    for (int i = 0; i < ALL; i++)
        ck_assert_msg(result[i] == 0, "pixel %d is %d", i, result[i]);
    free(pixels);
    free(result);
    drua_close(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("limits");
    TCase *counters = tcase_create("counters"), *labels = tcase_create("labels");
    tcase_set_timeout(counters, 300);
    tcase_set_timeout(labels, 300);
    tcase_add_loop_test(counters, histograms_of_parts, 0, 3);
    tcase_add_loop_test(counters, histogram_lines, 0, 2);
    tcase_add_test(counters, components_of_parts);
    tcase_add_test(counters, overlaps_of_parts);
    tcase_add_test(counters, sides_of_parts);
    tcase_add_test(counters, quartiles_of_large_labels);
    tcase_add_test(counters, one_stray_label);
    tcase_add_test(counters, contrast_of_large_windows);
    tcase_add_test(labels, large_labels_stay_apart);
    suite_add_tcase(suite, counters);
    suite_add_tcase(suite, labels);
    return harness_run(suite);
}
