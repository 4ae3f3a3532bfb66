/* SPDX-License-Identifier: BSD-3-Clause */
/* Where numbers of 32 bits end: images of more pixels than counters take, of which DRUA_COUNTED makes small ones. */
#include "sides.h"

#include <string.h>

/* ---- images of more pixels than counters take */

typedef struct pair {
    drua_context *usual, *counted;
} pair;

static pair open_pair(const char *most)
{
    return (pair){harness_open(), open_with("DRUA_COUNTED", most)};
}

static void close_pair(const pair *p)
{
    drua_close(p->usual);
    drua_close(p->counted);
}

/* The call's last image is the same in both contexts; what the second one needed more, in launches or in tiles. */
static drua_statistics compare(const pair *p, const char *operation, const reference_image *sources, int source_count, const drua_argument *numbers,
                               int number_count)
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
        statistics[side].slabs -= before.slabs;
        REQUIRE(drua_clear(contexts[side]));
    }
    ck_assert_uint_eq(reference_count(&results[0]), reference_count(&results[1]));
    for (size_t i = 0; i < reference_count(&results[0]); i++)
        ck_assert_msg(results[0].pixels[i] == results[1].pixels[i], "%s: pixel %d is %g, not %g", operation, (int)i, results[1].pixels[i],
                      results[0].pixels[i]);
    for (int side = 0; side < 2; side++)
        reference_free(&results[side]);
    statistics[1].launches -= statistics[0].launches;
    statistics[1].slabs -= statistics[0].slabs;
    return statistics[1];
}

static const drua_type types[] = {DRUA_UINT8, DRUA_INT16, DRUA_FLOAT32};

/* Parts are some slices, some rows of a slice, or single rows. */
START_TEST(histograms_of_parts)
{
    static const char *const most[] = {"2500", "300", "7"};
    static const drua_shape shape = {40, 20, 9, 3};
    const pair p = open_pair(most[_i]);
    harness_random chance = {5};
    for (int t = 0; t < 3; t++) {
        reference_image source = harness_image(&chance, types[t], shape, HARNESS_GREY);
        for (int measured = 0; measured < 2; measured++) {
            const drua_statistics more =
                compare(&p, "histogram", &source, 1, (drua_argument[]){NUMBER(50), NUMBER(3), NUMBER(90), NUMBER(measured)}, 4);
            ck_assert_int_gt((int64_t)more.launches, 0);
        }
        static const char *const methods[] = {"Otsu", "Triangle", "Li", "Intermodes"};
        for (int m = 0; m < 4; m++)
            compare(&p, "automatic_threshold", &source, 1, (drua_argument[]){NAME(methods[m])}, 1);
        reference_free(&source);
    }
    close_pair(&p);
}
END_TEST

/* All lines of a plane or stack that is there get the counts, and 0 where there are no bins. */
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
        REQUIRE(INVOKE(context, "histogram", IMAGE(harness_push(context, &source)), IMAGE(to), NUMBER(BINS), NUMBER(0), NUMBER(255), NUMBER(0)));
        reference_image lines = harness_pull(context, to);
        if (s == 0)
            counts = reference_duplicate(&lines);
        REFERENCE_EACH_PIXEL(shapes[s], x, y, z)
            ck_assert_double_eq(reference_at(&lines, x, y, z), x < BINS ? reference_at(&counts, x, 0, 0) : 0);
        reference_free(&lines);
        reference_free(&full);
    }
    reference_free(&counts);
    reference_free(&source);
    drua_close(context);
}
END_TEST

/* Words of bits are counted, 16 nodes each; four words a row here. */
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
        ck_assert_int_gt((int64_t)compare(&p, calls[i].operation, sources, calls[i].sources, NULL, 0).slabs, 0);
    REFUSED(DRUA_E_MEMORY, INVOKE(few, "connected_components_box", IMAGE(harness_push(few, sources)), NEW),
            "too many for labels of 32 bits, at most 1 words");
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
        REFUSED(DRUA_E_ARGUMENT, INVOKE(context, operations[i], IMAGE(seven), IMAGE(seven), NEW), operations[i], "labels1 has 7 pixels, at most 6");
        REQUIRE(INVOKE(context, operations[i], IMAGE(six), IMAGE(six), NEW));
    }
    drua_close(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("limits");
    TCase *tests = tcase_create("limits");
    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, histograms_of_parts, 0, 3);
    tcase_add_loop_test(tests, histogram_lines, 0, 2);
    tcase_add_test(tests, components_of_parts);
    tcase_add_test(tests, overlaps_of_parts);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
