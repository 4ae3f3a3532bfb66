/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tracks of spots and labels: random movies against the two assignment steps on full matrices, simulated movies against
 * their known truth, and refused input.
 */
#include "harness.h"

#include "full_tracks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static drua_context *context;
static harness_random chance;

enum { FRAME, X, Y, Z, LABEL, SIZE, TRACK, PARENT, INTO, ROWS };

static void open_context(void)
{
    context = harness_open();
    chance.state = harness_new_seed("property_tracks");
}

static void close_context(void)
{
    drua_close(context);
}

static double real_below(double max)
{
    return max * harness_below(&chance, 1 << 20) / (1 << 20);
}

/* ---- lists */

static drua_image push_spots(const reference_spot *s, int count, int rows)
{
    reference_image list = reference_make(DRUA_FLOAT32, reference_plane(count, rows));
    for (int i = 0; i < count; i++) {
        const double numbers[] = {s[i].frame + 1, s[i].at[0], s[i].at[1], s[i].at[2], i + 1, s[i].size};
        for (int row = 0; row < rows; row++)
            reference_put(&list, i, row, 0, numbers[row]);
    }
    const drua_image image = harness_push(context, &list);
    reference_free(&list);
    return image;
}

static reference_image track_list(const reference_spot *s, int count, const char *options)
{
    drua_argument arguments[] = {IMAGE(push_spots(s, count, 6)), NEW, NAME(options)};
    REQUIRE(drua_invoke(context, "track_spots", arguments, 3, NULL));
    reference_image tracks = harness_pull(context, arguments[1].image);
    drua_release(context, arguments[0].image);
    drua_release(context, arguments[1].image);
    ck_assert_int_eq(tracks.shape.width, count);
    ck_assert_int_eq(tracks.shape.height, ROWS);
    return tracks;
}

/* ---- random movies */

/* Objects on random walks, each of which is missing in some frames. */
static int random_spots(reference_spot *s, int frames, int objects, double side, bool flat)
{
    int count = 0;
    for (int object = 0; object < objects; object++) {
        double at[3];
        for (int axis = 0; axis < 3; axis++)
            at[axis] = flat && axis == 2 ? 0 : real_below(side);
        for (int frame = harness_below(&chance, frames); frame < frames; frame++) {
            for (int axis = 0; axis < (flat ? 2 : 3); axis++)
                at[axis] += real_below(6) - 3;
            if (harness_below(&chance, 7) > 0)
                s[count++] = (reference_spot){.frame = frame,
                                              .at = {(float)at[0], (float)at[1], (float)at[2]},
                                              .size = 1 + harness_below(&chance, 50)};
        }
    }
    for (int i = count - 1; i > 0; i--) { /* the order of the list does not matter */
        const int k = harness_below(&chance, i + 1);
        const reference_spot kept = s[i];
        s[i] = s[k];
        s[k] = kept;
    }
    return count;
}

START_TEST(random_movies_have_the_tracks_of_the_reference)
{
    int splits = 0, merges = 0, gaps = 0;
    for (int round = 0; round < 60; round++) {
        reference_spot s[REFERENCE_MAX_SPOTS];
        const int count =
            random_spots(s, 2 + harness_below(&chance, 14), 1 + harness_below(&chance, 20), 30, round % 2);
        reference_linking how = {.distance = 4 + harness_below(&chance, 12),
                                 .gap_distance = harness_below(&chance, 3) * 8,
                                 .split_distance = harness_below(&chance, 2) * 12,
                                 .merge_distance = harness_below(&chance, 2) * 12,
                                 .size_penalty = harness_below(&chance, 2),
                                 .gap_frames = harness_below(&chance, 4)};
        char options[200];
        if (count == 0)
            continue;
        snprintf(options, sizeof options,
                 "distance=%g gap_distance=%g split_distance=%g merge_distance=%g size_penalty=%g gap_frames=%d",
                 how.distance, how.gap_distance, how.split_distance, how.merge_distance, how.size_penalty,
                 how.gap_frames);
        reference_track(s, count, &how);
        reference_image tracks = track_list(s, count, options);
        for (int i = 0; i < count; i++) {
            ck_assert_double_eq(reference_at(&tracks, i, FRAME, 0), s[i].frame + 1);
            ck_assert_double_eq_tol(reference_at(&tracks, i, Y, 0), s[i].at[1], 1e-5);
            ck_assert_msg(reference_at(&tracks, i, TRACK, 0) == s[i].track &&
                              reference_at(&tracks, i, PARENT, 0) == s[i].parent &&
                              reference_at(&tracks, i, INTO, 0) == s[i].into,
                          "round %d, %s: spot %d has track %g, parent %g, merge %g, expected %d, %d, %d", round,
                          options, i, reference_at(&tracks, i, TRACK, 0), reference_at(&tracks, i, PARENT, 0),
                          reference_at(&tracks, i, INTO, 0), s[i].track, s[i].parent, s[i].into);
            splits += s[i].parent > 0;
            merges += s[i].into > 0;
            for (int k = 0; k < count; k++)
                gaps += s[k].track == s[i].track && s[k].frame == s[i].frame + 2;
        }
        reference_free(&tracks);
    }
    printf("%d spots after splits or merges, %d before merges, %d with gaps or longer\n", splits, merges, gaps);
    ck_assert_int_gt(splits, 50);
    ck_assert_int_gt(merges, 10);
    ck_assert_int_gt(gaps, 100);
}
END_TEST

/* ---- simulated movies with a known truth */

/* Fails unless two spots have the same track exactly if they have the same true track. */
static void check_truth(const reference_image *tracks, const reference_spot *s, int count, const char *what)
{
    for (int i = 0; i < count; i++)
        for (int k = 0; k < count; k++)
            ck_assert_msg((s[i].track == s[k].track) ==
                              (reference_at(tracks, i, TRACK, 0) == reference_at(tracks, k, TRACK, 0)),
                          "%s: spots %d and %d of frames %d and %d have tracks %g and %g, true tracks %d and %d", what,
                          i, k, s[i].frame, s[k].frame, reference_at(tracks, i, TRACK, 0),
                          reference_at(tracks, k, TRACK, 0), s[i].track, s[k].track);
}

static void add_spot(reference_spot *s, int *count, int frame, double x, double y, int track)
{
    const double noise = 0.3;
    s[(*count)++] = (reference_spot){
        .frame = frame, .at = {x + real_below(noise), y + real_below(noise), 0}, .size = 20, .track = track};
}

/* Where two spots cross, the wrong continuations are nearer, and only the prediction keeps the tracks apart. */
START_TEST(crossing_tracks_need_prediction)
{
    reference_spot s[REFERENCE_MAX_SPOTS];
    int count = 0;
    for (int t = 0; t < 21; t++) {
        add_spot(s, &count, t, 10 + 4 * t, 50 + 0.4 * (t - 10.5), 1);
        add_spot(s, &count, t, 92 - 4 * t, 50 - 0.4 * (t - 10.5), 2);
    }
    reference_image predicted = track_list(s, count, "distance=7 predict initial_distance=7");
    check_truth(&predicted, s, count, "crossing");
    reference_image nearest = track_list(s, count, "distance=7");
    ck_assert_double_ne(reference_at(&nearest, 0, TRACK, 0), reference_at(&nearest, count - 2, TRACK, 0));
    reference_free(&predicted);
    reference_free(&nearest);
}
END_TEST

/* A spot that moves on while it is hidden is found again where the prediction says. */
START_TEST(predictions_bridge_gaps)
{
    reference_spot s[REFERENCE_MAX_SPOTS];
    int count = 0;
    for (int t = 0; t < 20; t++)
        if (t != 9 && t != 10)
            add_spot(s, &count, t, 10 + 6 * t, 20, 1);
    reference_image predicted =
        track_list(s, count, "distance=5 predict initial_distance=8 gap_frames=3 gap_distance=0");
    check_truth(&predicted, s, count, "hidden");
    reference_image refused = track_list(s, count, "distance=5 predict initial_distance=8 gap_frames=2 gap_distance=0");
    ck_assert_double_ne(reference_at(&refused, 0, TRACK, 0), reference_at(&refused, count - 1, TRACK, 0));
    reference_free(&predicted);
    reference_free(&refused);
}
END_TEST

START_TEST(a_split_makes_two_children)
{
    reference_spot s[REFERENCE_MAX_SPOTS];
    int count = 0;
    for (int t = 0; t < 12; t++) {
        add_spot(s, &count, t, 70, 20 + t, 9); /* a third spot, far from both */
        if (t < 6) {
            add_spot(s, &count, t, 20 + t, 40, 1);
        } else {
            add_spot(s, &count, t, 26, 40 + 2 * (t - 5), 2);
            add_spot(s, &count, t, 26, 40 - 2 * (t - 5), 3);
        }
    }
    reference_image tracks = track_list(s, count, "distance=5 split_distance=6");
    check_truth(&tracks, s, count, "split");
    for (int i = 0; i < count; i++)
        ck_assert_double_eq(reference_at(&tracks, i, PARENT, 0),
                            s[i].track == 2 || s[i].track == 3 ? reference_at(&tracks, 1, TRACK, 0) : 0);
    reference_free(&tracks);
}
END_TEST

START_TEST(a_merge_begins_a_new_track)
{
    reference_spot s[REFERENCE_MAX_SPOTS];
    int count = 0;
    for (int t = 0; t < 12; t++) {
        if (t < 6) {
            add_spot(s, &count, t, 20 + t, 40 - 2 * (6 - t), 1);
            add_spot(s, &count, t, 20 + t, 40 + 2.2 * (6 - t), 2);
        } else {
            add_spot(s, &count, t, 20 + t, 40, 3);
        }
    }
    reference_image tracks = track_list(s, count, "distance=5 merge_distance=6");
    check_truth(&tracks, s, count, "merge");
    const double merged = reference_at(&tracks, count - 1, TRACK, 0);
    int parents = 0, into = 0;
    for (int i = 0; i < count; i++) {
        parents += reference_at(&tracks, i, PARENT, 0) > 0;
        into += reference_at(&tracks, i, INTO, 0) == merged;
    }
    ck_assert_int_eq(parents, 6);
    ck_assert_int_eq(into, 6);
    reference_free(&tracks);
}
END_TEST

/*
 * Twenty drifting spots appear, vanish for up to two frames, and disappear. They vanish at the same time, so that most
 * possible joins are wrong. Otherwise the quantile of all costs would exclude some true joins.
 */
START_TEST(gaps_close_and_new_objects_appear)
{
    reference_spot s[REFERENCE_MAX_SPOTS];
    int count = 0;
    for (int track = 1; track <= 20; track++) {
        const int begin = harness_below(&chance, 5), end = 14 + harness_below(&chance, 6), hidden = 8,
                  hides = harness_below(&chance, 3);
        for (int t = begin; t < end; t++)
            if (t < hidden || t >= hidden + hides)
                add_spot(s, &count, t, 20 * (track % 5) + 0.4 * t, 20 * (track / 5) + 0.3 * t, track);
    }
    reference_image tracks = track_list(s, count, "distance=5 gap_distance=30 gap_frames=3");
    check_truth(&tracks, s, count, "gaps");
    reference_free(&tracks);
}
END_TEST

/* ---- label movies */

enum { SIDE = 48, DEPTH = 3 };

typedef struct label_movie {
    reference_image image;
    int frames, slices, offset; /* `offset` is added to the labels of each frame, times the number of the frame */
} label_movie;

static label_movie random_labels(int slices, bool unique)
{
    label_movie m = {.frames = 3 + harness_below(&chance, 5), .slices = slices, .offset = unique ? 1000 : 0};
    m.image = reference_make(unique ? DRUA_FLOAT32 : DRUA_UINT8, reference_stack(SIDE, SIDE - 3, m.frames * slices));
    for (int t = 0; t < m.frames; t++)
        for (int i = harness_below(&chance, 10); i > 0; i--) {
            const int x = harness_below(&chance, SIDE), y = harness_below(&chance, SIDE),
                      r = 3 + harness_below(&chance, 5);
            for (int z = 0; z < slices; z++)
                for (int dy = -r; dy <= r; dy++)
                    for (int dx = -r; dx <= r; dx++)
                        if (x + dx < SIDE) /* an index beyond the row would be the next row's pixel */
                            reference_put(&m.image, x + dx, y + dy, t * slices + z, 2 * i + m.offset * t);
        }
    return m;
}

static double label_at(const label_movie *m, int x, int y, int z, int t)
{
    return reference_at(&m->image, x, y, t * m->slices + z);
}

/* The spots of a movie in the order of frames and labels. */
static int spots_of(const label_movie *m, reference_spot *s, double *labels)
{
    int count = 0;
    for (int t = 0; t < m->frames; t++)
        for (int label = 1 + m->offset * t; label <= 20 + m->offset * t; label++) {
            reference_spot spot = {.frame = t};
            for (int z = 0; z < m->slices; z++)
                for (int y = 0; y < SIDE - 3; y++)
                    for (int x = 0; x < SIDE; x++)
                        if (label_at(m, x, y, z, t) == label) {
                            spot.size++;
                            spot.at[0] += x;
                            spot.at[1] += y;
                            spot.at[2] += z;
                        }
            if (spot.size == 0)
                continue;
            for (int axis = 0; axis < 3; axis++)
                spot.at[axis] /= spot.size;
            labels[count] = label;
            s[count++] = spot;
        }
    return count;
}

typedef struct overlap_data {
    const label_movie *movie;
    const reference_spot *spots;
    const double *labels;
    double min;
} overlap_data;

static double overlap_cost(const reference_spot *a, const reference_spot *b, void *payload)
{
    const overlap_data *d = payload;
    int shared = 0;
    for (int z = 0; z < d->movie->slices; z++)
        for (int y = 0; y < SIDE - 3; y++)
            for (int x = 0; x < SIDE; x++)
                shared += label_at(d->movie, x, y, z, a->frame) == d->labels[a - d->spots] &&
                          label_at(d->movie, x, y, z, b->frame) == d->labels[b - d->spots];
    const double all = a->size + b->size - shared;
    return shared > 0 && shared >= d->min * all ? 1 - shared / all : INFINITY;
}

static void check_label_movie(int round)
{
    const label_movie m = random_labels(round % 3 ? 1 : DEPTH, round % 2);
    reference_spot s[REFERENCE_MAX_SPOTS];
    double labels[REFERENCE_MAX_SPOTS];
    const int count = spots_of(&m, s, labels);
    const bool overlaps = round % 4 > 1;
    overlap_data data = {&m, s, labels, 0.1};
    const reference_linking how = {.distance = 15,
                                   .gap_distance = 15,
                                   .gap_frames = 2,
                                   .split_distance = 10,
                                   .cost = overlaps ? overlap_cost : NULL,
                                   .data = &data};
    reference_track(s, count, &how);
    drua_argument arguments[] = {IMAGE(harness_push(context, &m.image)), NEW, NEW, NUMBER(m.frames),
                                 NAME(overlaps ? "link=overlap split_distance=10" : "split_distance=10")};
    REQUIRE(drua_invoke(context, "track_labels", arguments, 5, NULL));
    reference_image tracked = harness_pull(context, arguments[1].image),
                    list = harness_pull(context, arguments[2].image);
    ck_assert_int_eq(list.shape.width, count > 0 ? count : 1);
    for (int i = 0; i < count; i++) {
        const double expected[] = {s[i].frame + 1, s[i].at[0], s[i].at[1],  s[i].at[2], labels[i],
                                   s[i].size,      s[i].track, s[i].parent, s[i].into};
        for (int row = 0; row < ROWS; row++)
            ck_assert_msg(fabs(reference_at(&list, i, row, 0) - expected[row]) < 1e-5,
                          "round %d: row %d of spot %d is %g, expected %g", round, row, i,
                          reference_at(&list, i, row, 0), expected[row]);
    }
    for (int t = 0; t < m.frames; t++)
        for (int z = 0; z < m.slices; z++)
            for (int y = 0; y < SIDE - 3; y++)
                for (int x = 0; x < SIDE; x++) {
                    double expected = 0;
                    for (int i = 0; i < count; i++)
                        if (s[i].frame == t && labels[i] == label_at(&m, x, y, z, t))
                            expected = s[i].track;
                    ck_assert_double_eq(reference_at(&tracked, x, y, t * m.slices + z), expected);
                }
    reference_free(&tracked);
    reference_free(&list);
    for (int i = 0; i < 3; i++)
        drua_release(context, arguments[i].image);
    reference_image image = m.image;
    reference_free(&image);
}

/*
 * The seed is fixed, because centres of small labels may have equal distances, so that several sets of links cost the
 * same.
 */
START_TEST(label_movies_have_the_tracks_of_the_reference)
{
    chance.state = 20261129;
    for (int round = 0; round < 12; round++)
        check_label_movie(round);
}
END_TEST

/* A label that lies on more labels than the first table has room for. */
START_TEST(a_label_over_many_labels)
{
    reference_image image = reference_make(DRUA_UINT16, reference_stack(64, 64, 2));
    for (int y = 0; y < 64; y++)
        for (int x = 0; x < 64; x++) {
            reference_put(&image, x, y, 0, 1);
            reference_put(&image, x, y, 1, y < 40 ? 50 : 1 + x / 2);
        }
    drua_argument arguments[] = {IMAGE(harness_push(context, &image)), NEW, NEW, NUMBER(2), NAME("link=overlap")};
    REQUIRE(drua_invoke(context, "track_labels", arguments, 5, NULL));
    reference_image tracked = harness_pull(context, arguments[1].image);
    ck_assert_double_eq(reference_at(&tracked, 0, 0, 0), 1);
    ck_assert_double_eq(reference_at(&tracked, 0, 0, 1), 1);
    ck_assert_double_ne(reference_at(&tracked, 0, 63, 1), 1);
    reference_free(&tracked);
    reference_free(&image);
}
END_TEST

/* ---- input that cannot be tracked, and movies with nothing to track */

START_TEST(empty_movies_have_no_tracks)
{
    reference_image image = reference_make(DRUA_UINT8, reference_stack(9, 8, 6));
    for (int frames = 1; frames <= 6; frames += frames == 1 ? 1 : 4) {
        drua_argument arguments[] = {IMAGE(harness_push(context, &image)), NEW, NEW, NUMBER(frames),
                                     NAME(frames == 2 ? "link=overlap" : "")};
        REQUIRE(drua_invoke(context, "track_labels", arguments, 5, NULL));
        reference_image tracked = harness_pull(context, arguments[1].image),
                        list = harness_pull(context, arguments[2].image);
        ck_assert_int_eq(list.shape.width, 1);
        for (size_t i = 0; i < reference_count(&tracked); i++)
            ck_assert_double_eq(tracked.pixels[i], 0);
        for (size_t i = 0; i < reference_count(&list); i++)
            ck_assert_double_eq(list.pixels[i], 0);
        REQUIRE(INVOKE(context, "track_spots", IMAGE(arguments[2].image), NEW, NAME("")));
        reference_free(&tracked);
        reference_free(&list);
    }
    reference_free(&image);
}
END_TEST

START_TEST(wrong_input_is_refused)
{
    reference_image image = reference_make(DRUA_FLOAT32, reference_stack(4, 4, 6));
    image.pixels[3] = 3;
    image.pixels[20] = 2e8;
    const drua_image labels = harness_push(context, &image);
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "track_labels", IMAGE(labels), NEW, NEW, NUMBER(4), NAME("")), "labels",
            "6 slices", "4 frames");
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "track_labels", IMAGE(labels), NEW, NEW, NUMBER(6), NAME("")),
            "label 200000000", "frame 2", "closeIndexGapsInLabelMap");
    REFUSED(DRUA_E_ARGUMENT,
            INVOKE(context, "track_labels", IMAGE(labels), NEW, NEW, NUMBER(6), NAME("link=overlap predict")),
            "predict", "overlap");
    reference_spot s[] = {{.frame = 0}, {.frame = 1, .at = {NAN, 1, 1}}};
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "track_spots", IMAGE(push_spots(s, 2, 6)), NEW, NAME("")),
            "the x of spot 2 in spots is nan");
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "track_spots", IMAGE(push_spots(s, 1, 2)), NEW, NAME("")), "rows",
            "1 x 2 x 1");
    s[0].frame = -2;
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "track_spots", IMAGE(push_spots(s, 1, 3)), NEW, NAME("")),
            "the frame of spot 1 in spots is -1");
    reference_free(&image);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tracks");
    TCase *tests = tcase_create("tracks");
    tcase_add_checked_fixture(tests, open_context, close_context);
    tcase_add_test(tests, random_movies_have_the_tracks_of_the_reference);
    tcase_add_test(tests, crossing_tracks_need_prediction);
    tcase_add_test(tests, predictions_bridge_gaps);
    tcase_add_test(tests, a_split_makes_two_children);
    tcase_add_test(tests, a_merge_begins_a_new_track);
    tcase_add_test(tests, gaps_close_and_new_objects_appear);
    tcase_add_test(tests, label_movies_have_the_tracks_of_the_reference);
    tcase_add_test(tests, a_label_over_many_labels);
    tcase_add_test(tests, empty_movies_have_no_tracks);
    tcase_add_test(tests, wrong_input_is_refused);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
