/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files of TrackMate and of the Cell Tracking Challenge, read and written, and the challenge's scores on movies whose
 * corrections were counted by hand.
 */
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static drua_context *context;
static char folder[HARNESS_FOLDER], path[200];

enum { FRAME, X, Y, Z, LABEL, SIZE, TRACK, PARENT, INTO, ROWS, SIDE = 40, LIMIT = 64 };

static void open_context(void)
{
    context = harness_open();
    harness_make_folder(folder);
    snprintf(path, sizeof path, "%s/tracks.xml", folder);
}

static void close_context(void)
{
    char command[300];
    drua_close(context);
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    ck_assert_int_eq(system(command), 0);
}

/* ---- movies of squares */

typedef struct movie {
    reference_image labels;
    double spots[LIMIT][ROWS];
    int count, frames;
} movie;

static movie new_movie(int frames)
{
    return (movie){.labels = reference_make(DRUA_FLOAT32, reference_stack(SIDE, SIDE, frames)), .frames = frames};
}

/* Draws a box of `width` x 3 pixels as an object of a track in a frame, counted from 0. */
static void add_box(movie *m, int frame, int x, int y, int width, int track, int parent, int into)
{
    const double spot[ROWS] = {frame + 1, x + (width - 1) / 2.0, y + 1, 0, track, 3 * width, track, parent, into};
    for (int dy = 0; dy < 3; dy++)
        for (int dx = 0; dx < width; dx++)
            reference_put(&m->labels, x + dx, y + dy, frame, track);
    memcpy(m->spots[m->count++], spot, sizeof spot);
}

static drua_image push_list(const movie *m)
{
    reference_image list = reference_make(DRUA_FLOAT32, reference_plane(m->count > 0 ? m->count : 1, ROWS));
    for (int i = 0; i < m->count; i++)
        for (int row = 0; row < ROWS; row++)
            reference_put(&list, i, row, 0, m->spots[i][row]);
    const drua_image image = harness_push(context, &list);
    reference_free(&list);
    return image;
}

/* Track 1 splits into 3 and 4, track 2 has a gap, and 3 merges into 5, which continues 4. */
static movie branching_movie(void)
{
    movie m = new_movie(8);
    for (int t = 0; t < 8; t++) {
        if (t < 3)
            add_box(&m, t, 2 + t, 10, 3, 1, 0, 0);
        if (t < 5 && t != 2)
            add_box(&m, t, 30, 2 + t, 4, 2, 0, 0);
        if (t >= 3 && t < 6) {
            add_box(&m, t, 2 + t, 16, 3, 3, 1, 5);
            add_box(&m, t, 2 + t, 4, 3, 4, 1, 0);
        }
        if (t >= 6)
            add_box(&m, t, 2 + t, 10, 3, 5, 4, 0);
    }
    return m;
}

static void check_list(drua_image image, const movie *m, const char *what)
{
    reference_image list = harness_pull(context, image);
    ck_assert_int_eq(list.shape.width, m->count);
    for (int i = 0; i < m->count; i++)
        for (int row = 0; row < ROWS; row++)
            ck_assert_msg(fabs(reference_at(&list, i, row, 0) - m->spots[i][row]) < 1e-4,
                          "%s: row %d of spot %d is %g, expected %g", what, row, i, reference_at(&list, i, row, 0),
                          m->spots[i][row]);
    reference_free(&list);
}

/* ---- TrackMate */

START_TEST(files_of_track_mate_keep_tracks)
{
    movie m = branching_movie();
    const drua_image list = push_list(&m);
    REQUIRE(INVOKE(context, "write_track_mate", IMAGE(list), NAME(path), NAME("voxel=0.5,0.5,2 interval=3")));
    char *text = harness_read(path);
    ck_assert_ptr_nonnull(strstr(text, "<AllSpots nspots=\"15\">"));
    ck_assert_ptr_nonnull(strstr(text, "name=\"5\" QUALITY=\"9\" POSITION_X=\"4.5\" POSITION_Y=\"5.5\" "
                                       "POSITION_Z=\"0\" POSITION_T=\"18\" FRAME=\"6\""));
    ck_assert_ptr_nonnull(strstr(text, "<TrackID TRACK_ID=\"1\" />")); /* one tree, and the track alone */
    ck_assert_ptr_null(strstr(text, "<TrackID TRACK_ID=\"2\" />"));
    int edges = 0;
    for (const char *at = text; (at = strstr(at, "<Edge ")); at++)
        edges++;
    ck_assert_int_eq(edges, 14);
    free(text);
    drua_argument arguments[] = {NAME(path), NEW, NAME("voxel=0.5,0.5,2")};
    REQUIRE(drua_invoke(context, "read_track_mate", arguments, 3, NULL));
    check_list(arguments[1].image, &m, "read again");
    reference_free(&m.labels);
}
END_TEST

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

#define SPOT(id, name, frame, x)                                                                                       \
    "<Spot ID='" id "' name=\"" name "\" POSITION_X=\"" x "\" POSITION_Y=\"1\" POSITION_Z=\"0\" FRAME=\"" frame        \
    "\" RADIUS=\"2\" />"

/* Comments, both kinds of quotes, links against time, a reversed order of spots, and a link to a spot's own frame. */
START_TEST(a_file_of_another_writer)
{
    write_file(
        path,
        "<?xml version=\"1.0\"?>\n<!-- <Spot ID='1'> --><TrackMate version=\"7\">\n"
        "<Log>&lt;Spot&gt;<![CDATA[<Spot ID='2'>]]></Log><Model>\n"
        "<AllSpots>" SPOT("12", "ID12", "2", "5") SPOT("11", "a > b", "1", "4") SPOT("10", "7", "0", "3") SPOT(
            "13", "ID13", "2",
            "9") "</AllSpots>\n"
                 "<AllTracks><Track><Edge SPOT_SOURCE_ID=\"11\" SPOT_TARGET_ID=\"10\"/>"
                 "<Edge SPOT_TARGET_ID=\"12\" SPOT_SOURCE_ID=\"11\"/><Edge SPOT_SOURCE_ID='12' SPOT_TARGET_ID='13'/>"
                 "</Track></AllTracks></Model></TrackMate>\n");
    drua_argument arguments[] = {NAME(path), NEW, NAME("")};
    REQUIRE(drua_invoke(context, "read_track_mate", arguments, 3, NULL));
    const double area = 4 * 3.14159265358979;
    const movie expected = {.count = 4,
                            .spots = {{3, 5, 1, 0, 12, area, 1, 0, 0},
                                      {2, 4, 1, 0, 11, area, 1, 0, 0},
                                      {1, 3, 1, 0, 7, area, 1, 0, 0},
                                      {3, 9, 1, 0, 13, area, 2, 0, 0}}};
    check_list(arguments[1].image, &expected, "another writer");
    ck_assert_ptr_nonnull(strstr(drua_take_messages(context), "1 links"));
}
END_TEST

#define HIDDEN_SPOT(id, frame, x)                                                                                      \
    "<Spot ID='" id "' VISIBILITY='0' POSITION_X='" x "' POSITION_Y='1' POSITION_Z='0' FRAME='" frame "' RADIUS='2'/>"

/* A filter of spots hides spot 5, and a filter of tracks hides the track of the spots 3 and 4. */
START_TEST(filters_of_track_mate_hide_spots)
{
    static const char start[] = "<TrackMate version='7'><Model><AllSpots>" SPOT("1", "1", "0", "1")
        HIDDEN_SPOT("2", "1", "2") SPOT("3", "3", "0", "5") SPOT("4", "4", "1", "6") HIDDEN_SPOT("5", "0", "8")
            SPOT("6", "6", "1", "9") "</AllSpots><AllTracks><Track TRACK_ID='0'><Edge SPOT_SOURCE_ID='1' "
                                     "SPOT_TARGET_ID='2'/></Track><Track TRACK_ID='1'><Edge SPOT_SOURCE_ID='3' "
                                     "SPOT_TARGET_ID='4'/></Track></AllTracks>",
                      end[] = "</Model></TrackMate>";
    char text[2000];
    drua_argument arguments[] = {NAME(path), NEW, NAME("")};
    const double area = 4 * 3.14159265358979;
    const movie shown = {.count = 3,
                         .spots = {{1, 1, 1, 0, 1, area, 1, 0, 0},
                                   {2, 2, 1, 0, 2, area, 1, 0, 0},
                                   {2, 9, 1, 0, 6, area, 2, 0, 0}}},
                alone = {.count = 1, .spots = {{2, 9, 1, 0, 6, area, 1, 0, 0}}};
    snprintf(text, sizeof text, "%s<FilteredTracks><TrackID TRACK_ID='0'/></FilteredTracks>%s", start, end);
    write_file(path, text);
    REQUIRE(drua_invoke(context, "read_track_mate", arguments, 3, NULL));
    check_list(arguments[1].image, &shown, "a filter of tracks");
    ck_assert_ptr_nonnull(strstr(drua_take_messages(context), "3 of 6 spots of "));
    snprintf(text, sizeof text, "%s<FilteredTracks/>%s", start, end);
    write_file(path, text);
    REQUIRE(drua_invoke(context, "read_track_mate", arguments, 3, NULL));
    check_list(arguments[1].image, &alone, "a filter of all tracks");
    ck_assert_ptr_nonnull(strstr(drua_take_messages(context), "5 of 6 spots of "));
}
END_TEST

/* A file that TrackMate saves after detection hides every spot, because no filter of spots has run. */
START_TEST(spots_before_the_filter_are_read)
{
    drua_argument arguments[] = {NAME(path), NEW, NAME("")};
    const double area = 4 * 3.14159265358979;
    const movie all = {.count = 2, .spots = {{1, 1, 1, 0, 5, area, 1, 0, 0}, {2, 2, 1, 0, 6, area, 2, 0, 0}}};
    write_file(path, "<TrackMate version='7'><Model><AllSpots>" HIDDEN_SPOT("5", "0", "1")
                         HIDDEN_SPOT("6", "1", "2") "</AllSpots></Model></TrackMate>");
    REQUIRE(drua_invoke(context, "read_track_mate", arguments, 3, NULL));
    check_list(arguments[1].image, &all, "a file before the filter of spots");
    ck_assert_str_eq(drua_take_messages(context), "");
}
END_TEST

START_TEST(other_files_are_refused)
{
    static const char *const texts[][2] = {
        {"<html><Spot/></html>", "TrackMate"},
        {"<TrackMate><Spot ID=\"1\" FRAME=\"0\"/></TrackMate>", "POSITION_X"},
        {"<TrackMate>" SPOT("1", "", "-1", "0") "</TrackMate>", "FRAME"},
        {"<TrackMate>" SPOT("1", "", "0", "nan") "</TrackMate>", "POSITION_X"},
        {"<TrackMate>" SPOT("1", "", "0", "1") SPOT("1", "", "0", "2") "</TrackMate>", "two spots"},
        {"<TrackMate>" SPOT("1", "", "0", "1") "<Edge SPOT_SOURCE_ID=\"1\" SPOT_TARGET_ID=\"2\"/></TrackMate>",
         "spot 2"},
        {"<TrackMate>" SPOT("1", "", "0", "1") "<Edge SPOT_SOURCE_ID=\"1\"/></TrackMate>", "SPOT_TARGET_ID"},
        {"", "TrackMate"},
        {"<TrackMate>" SPOT("1", "", "0", "1"), "truncated"},
        {"<TrackMate>" SPOT("1", "", "0", "1") "</TrackMate><TrackMate>" SPOT("2", "", "0", "1"), "truncated"},
        {"<TrackMate>" SPOT("1", "", "0.5", "0") "</TrackMate>", "whole number"},
        {"<!DOCTYPE TrackMate [<!ENTITY spots '" SPOT("1", "", "0", "1") "'>]><TrackMate>&spots;</TrackMate>",
         "document type"},
        {"<TrackMate", "TrackMate"}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        write_file(path, texts[i][0]);
        REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "read_track_mate", NAME(path), NEW, NAME("")), texts[i][1]);
    }
    unlink(path);
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "read_track_mate", NAME(path), NEW, NAME("")), "does not exist");
    movie m = branching_movie();
    REFUSED(DRUA_E_ARGUMENT,
            INVOKE(context, "write_track_mate", IMAGE(push_list(&m)), NAME("/nowhere/else/a.xml"), NAME("")),
            "/nowhere/else/a.xml");
    reference_free(&m.labels);
}
END_TEST

START_TEST(cut_files_of_track_mate_are_refused)
{
    movie m = branching_movie();
    drua_argument arguments[] = {NAME(path), NEW, NAME("")};
    REQUIRE(INVOKE(context, "write_track_mate", IMAGE(push_list(&m)), NAME(path), NAME("")));
    char *text = harness_read(path), *count = strstr(text, "nspots=\"15");
    for (size_t length = strlen(text) - 2; length > 0; length -= length > 700 && length % 7 ? 7 : 1) {
        char kept = text[length];
        text[length] = 0;
        write_file(path, text);
        ck_assert_int_eq(drua_invoke(context, "read_track_mate", arguments, 3, NULL), DRUA_E_ARGUMENT);
        text[length] = kept;
    }
    count[9] = '9'; /* whole, but another program has changed it */
    write_file(path, text);
    REQUIRE(drua_invoke(context, "read_track_mate", arguments, 3, NULL));
    check_list(arguments[1].image, &m, "a changed number of spots");
    ck_assert_ptr_nonnull(strstr(drua_take_messages(context), "states 19 spots (nspots), but has 15"));
    free(text);
    reference_free(&m.labels);
}
END_TEST

/* ---- the Cell Tracking Challenge */

START_TEST(the_challenge_format_has_tracks_without_gaps)
{
    movie m = branching_movie();
    const drua_image labels = harness_push(context, &m.labels);
    REQUIRE(INVOKE(context, "write_cell_tracking", IMAGE(labels), IMAGE(push_list(&m)), NAME(folder), NUMBER(8)));
    snprintf(path, sizeof path, "%s/res_track.txt", folder);
    char *text = harness_read(path);
    ck_assert_str_eq(text, "1 0 2 0\n2 0 1 0\n3 3 4 2\n4 3 5 1\n5 3 5 1\n6 6 7 5\n");
    free(text);
    drua_argument arguments[] = {NAME(folder), NEW, NEW, NUMBER(0)};
    REQUIRE(drua_invoke(context, "read_cell_tracking", arguments, 4, NULL));
    ck_assert_double_eq(arguments[3].number, 8);
    static const int piece_of[] = {0, 1, 2, 4, 5, 6};
    reference_image read = harness_pull(context, arguments[1].image);
    for (int t = 0; t < 8; t++)
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++) {
                const int label = (int)reference_at(&m.labels, x, y, t);
                ck_assert_double_eq(reference_at(&read, x, y, t), label == 2 && t > 2 ? 3 : piece_of[label]);
            }
    reference_image list = harness_pull(context, arguments[2].image);
    static const int parents[] = {0, 0, 0, 2, 1, 1, 5};
    ck_assert_int_eq(list.shape.width, 15);
    for (int i = 0; i < 15; i++)
        ck_assert_double_eq(reference_at(&list, i, PARENT, 0), parents[(int)reference_at(&list, i, TRACK, 0)]);
    reference_free(&read);
    reference_free(&list);
    reference_free(&m.labels);
}
END_TEST

START_TEST(other_folders_are_refused)
{
    movie m = branching_movie();
    const drua_image labels = harness_push(context, &m.labels), list = push_list(&m);
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "read_cell_tracking", NAME(folder), NEW, NEW, NUMBER(0)), "mask000.tif");
    REQUIRE(INVOKE(context, "write_cell_tracking", IMAGE(labels), IMAGE(list), NAME(folder), NUMBER(8)));
    snprintf(path, sizeof path, "%s/res_track.txt", folder);
    write_file(path, "1 0 2 0\n\n2 zero 1 0\n");
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "read_cell_tracking", NAME(folder), NEW, NEW, NUMBER(0)), "line 3");
    movie shorter = new_movie(2);
    add_box(&shorter, 0, 2, 2, 3, 1, 0, 0);
    REFUSED(DRUA_E_ARGUMENT,
            INVOKE(context, "write_cell_tracking", IMAGE(harness_push(context, &shorter.labels)),
                   IMAGE(push_list(&shorter)), NAME(folder), NUMBER(2)),
            "another movie");
    REFUSED(DRUA_E_ARGUMENT,
            INVOKE(context, "write_cell_tracking", IMAGE(labels), IMAGE(push_list(&shorter)), NAME(folder), NUMBER(8)),
            "label 2 in frame 1");
    REFUSED(DRUA_E_ARGUMENT,
            INVOKE(context, "write_cell_tracking", IMAGE(harness_push(context, &shorter.labels)), IMAGE(list),
                   NAME(folder), NUMBER(2)),
            "track");
    reference_free(&m.labels);
    reference_free(&shorter.labels);
}
END_TEST

START_TEST(incomplete_folders_are_refused)
{
    static const char *const texts[][2] = {
        {"1 0 2 0\n2 0 1 0\n3 3 4 2\n4 3 5 1\n5 3 5 1\n", "label 6 in frame 6, but its text has no line"},
        {"1 0 2 0\n2 0 1 0\n3 3 4 2\n4 3 4 1\n5 3 5 1\n6 6 7 5\n", "label 4 in frame 5, but its text has this track"},
        {"1 0 2 0\n2 0 1 0\n3 3 4 2\n4 3 5 1\n5 3 5 1\n6 6 8 5\n", "line 6"},
        {"1 0 2 0\n2 0 1 0\n3 3 4 2\n4 3 5 1\n5 3 5 1\n6 6 7 7\n", "no line for track 7, the parent of track 6"},
        {"1 0 2 0\n2 0 1 0\n3 3 4 2\n4 3 5 1\n5 3 5 1\n6 6 7 6\n", "its parent, track 6, in frame 6"},
        {"1 0 2 0 4\n", "line 1 of "},
        {"1 0 2 4\n2 0 1 0\n3 3 4 2\n4 3 5 1\n5 3 5 1\n6 6 7 5\n", "its parent, track 4, in frame 3"},
        {"1 0 2 0\n2 0 1 0\n3 3 4 2\n4 3 5 1\n5 3 5 1\n6 6 7 5\n1 0 2 0\n", "second line of track 1"}};
    movie m = branching_movie();
    char lost[200];
    REQUIRE(INVOKE(context, "write_cell_tracking", IMAGE(harness_push(context, &m.labels)), IMAGE(push_list(&m)),
                   NAME(folder), NUMBER(8)));
    snprintf(path, sizeof path, "%s/mask003.tif", folder);
    snprintf(lost, sizeof lost, "%s/lost.tif", folder);
    ck_assert_int_eq(rename(path, lost), 0);
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "read_cell_tracking", NAME(folder), NEW, NEW, NUMBER(0)),
            "has mask004.tif, but lacks frame 3");
    ck_assert_int_eq(rename(lost, path), 0);
    snprintf(path, sizeof path, "%s/res_track.txt", folder);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        write_file(path, texts[i][0]);
        REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "read_cell_tracking", NAME(folder), NEW, NEW, NUMBER(0)), texts[i][1]);
    }
    const char *const lines[] = {"", "7 0 1 0\n"};
    for (int i = 0; i < 2; i++) { /* track 7 has no label */
        char text[200];
        snprintf(text, sizeof text, "1 0 2 0\n2 0 1 0\n3 3 4 2\n4 3 5 1\n5 3 5 1\n6 6 7 5\n%s", lines[i]);
        write_file(path, text);
        drua_take_messages(context);
        REQUIRE(INVOKE(context, "read_cell_tracking", NAME(folder), NEW, NEW, NUMBER(0)));
        ck_assert_int_eq(strstr(drua_take_messages(context), "the images lack 2 labels") != NULL, i);
    }
    reference_free(&m.labels);
}
END_TEST

/* Annotators of segmentations leave out frames; the movie ends before the first missing one, and the Log says so. */
START_TEST(segmentations_lack_frames)
{
    movie m = branching_movie();
    char other[200];
    drua_argument arguments[] = {NAME(folder), NEW, NEW, NUMBER(0)};
    REQUIRE(INVOKE(context, "write_cell_tracking", IMAGE(harness_push(context, &m.labels)), IMAGE(push_list(&m)),
                   NAME(folder), NUMBER(8)));
    for (int t = 0; t < 8; t++) {
        snprintf(path, sizeof path, "%s/mask%03d.tif", folder, t);
        snprintf(other, sizeof other, "%s/%s%03d.tif", folder, t == 3 ? "lost" : "man_seg", t);
        ck_assert_int_eq(rename(path, other), 0);
    }
    drua_take_messages(context);
    REQUIRE(drua_invoke(context, "read_cell_tracking", arguments, 4, NULL));
    ck_assert_double_eq(arguments[3].number, 3);
    ck_assert_ptr_nonnull(strstr(drua_take_messages(context), "lacks frame 3; only the 3 frames before it are read"));
    reference_free(&m.labels);
}
END_TEST

/* ---- scores */

/* Track 1 in four frames, then its daughters 2 and 3 in two: 8 objects, 7 edges. */
static movie divided_movie(void)
{
    movie m = new_movie(6);
    for (int t = 0; t < 6; t++) {
        if (t < 4)
            add_box(&m, t, 10, 10, 3, 1, 0, 0);
        for (int i = 0; i < 2 && t >= 4; i++)
            add_box(&m, t, 8 + 3 * i, 10, 3, 2 + i, 1, 0);
    }
    return m;
}

/* An object is missing, one is too small, one is extra, track 1 is broken, and a daughter has no parent. */
static movie faulty_movie(void)
{
    movie m = new_movie(6);
    add_box(&m, 0, 30, 30, 3, 7, 0, 0);
    for (int t = 0; t < 4; t++)
        add_box(&m, t, 10, 10, 3, t < 2 ? 1 : 9, t < 2 ? 0 : 1, 0);
    add_box(&m, 4, 8, 10, 3, 2, 9, 0);
    add_box(&m, 4, 11, 10, 3, 3, 0, 0);
    add_box(&m, 5, 11, 10, 2, 3, 0, 0);
    return m;
}

/* The daughters are one object in their first frame. */
static movie joined_movie(void)
{
    movie m = new_movie(6);
    for (int t = 0; t < 4; t++)
        add_box(&m, t, 10, 10, 3, 1, 0, 0);
    add_box(&m, 4, 8, 10, 6, 2, 1, 0);
    add_box(&m, 5, 8, 10, 3, 2, 1, 0);
    add_box(&m, 5, 11, 10, 3, 3, 0, 0);
    return m;
}

static void check_scores(movie m, const double scores[3], const double corrections[6])
{
    movie truth = divided_movie();
    drua_table *table;
    drua_argument arguments[] = {IMAGE(harness_push(context, &truth.labels)),
                                 IMAGE(push_list(&truth)),
                                 IMAGE(harness_push(context, &m.labels)),
                                 IMAGE(push_list(&m)),
                                 NUMBER(6),
                                 NUMBER(0),
                                 NUMBER(0),
                                 NUMBER(0)};
    REQUIRE(drua_invoke(context, "score_tracking", arguments, 8, &table));
    for (int i = 0; i < 3; i++)
        ck_assert_double_eq_tol(arguments[5 + i].number, scores[i], 1e-12);
    for (int i = 0; i < 6; i++)
        ck_assert_msg(table->cells[i] == corrections[i], "%s is %g, expected %g", table->headings[i], table->cells[i],
                      corrections[i]);
    ck_assert_double_eq(table->cells[6], 8);
    ck_assert_double_eq(table->cells[7], 7);
    drua_table_free(table);
    reference_free(&truth.labels);
    reference_free(&m.labels);
}

START_TEST(scores_are_those_counted_by_hand)
{
    const double all = 8 * 10 + 7 * 1.5;
    check_scores(divided_movie(), (double[]){1, 1, 1}, (double[]){0, 0, 0, 0, 0, 0});
    check_scores(faulty_movie(), (double[]){(6 + 6 / 9.0) / 8, 1 - (10 + 1 + 2 * 1.5 + 1) / all, 1 - 11 / 80.0},
                 (double[]){0, 1, 1, 0, 2, 1});
    check_scores(joined_movie(), (double[]){7 / 8.0, 1 - (5 + 4 * 1.5) / all, 1 - 5 / 80.0},
                 (double[]){1, 0, 0, 0, 4, 0});
    check_scores(new_movie(6), (double[]){0, 0, 0}, (double[]){0, 8, 0, 0, 7, 0});
}
END_TEST

START_TEST(other_movies_are_not_scored)
{
    movie truth = divided_movie(), other = branching_movie();
    const drua_image labels = harness_push(context, &truth.labels), list = push_list(&truth);
    REFUSED(DRUA_E_ARGUMENT,
            INVOKE(context, "score_tracking", IMAGE(labels), IMAGE(list), IMAGE(harness_push(context, &other.labels)),
                   IMAGE(push_list(&other)), NUMBER(6), NUMBER(0), NUMBER(0), NUMBER(0)),
            "the same size");
    REFUSED(DRUA_E_ARGUMENT,
            INVOKE(context, "score_tracking", IMAGE(labels), IMAGE(push_list(&other)), IMAGE(labels), IMAGE(list),
                   NUMBER(6), NUMBER(0), NUMBER(0), NUMBER(0)),
            "true_tracks has 15 spots", "8 labels");
    reference_free(&truth.labels);
    reference_free(&other.labels);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("track files");
    TCase *tests = tcase_create("track files");
    tcase_add_checked_fixture(tests, open_context, close_context);
    tcase_add_test(tests, files_of_track_mate_keep_tracks);
    tcase_add_test(tests, a_file_of_another_writer);
    tcase_add_test(tests, filters_of_track_mate_hide_spots);
    tcase_add_test(tests, spots_before_the_filter_are_read);
    tcase_add_test(tests, other_files_are_refused);
    tcase_add_test(tests, cut_files_of_track_mate_are_refused);
    tcase_add_test(tests, the_challenge_format_has_tracks_without_gaps);
    tcase_add_test(tests, other_folders_are_refused);
    tcase_add_test(tests, incomplete_folders_are_refused);
    tcase_add_test(tests, segmentations_lack_frames);
    tcase_add_test(tests, scores_are_those_counted_by_hand);
    tcase_add_test(tests, other_movies_are_not_scored);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
