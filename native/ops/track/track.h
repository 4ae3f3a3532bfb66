/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Spots, their links and their tracks, on the host. Images that hold them have a column for each spot and the rows of
 * track_row. In these images, frames count from 1, and an entry with frame 0 holds no spot.
 */
#ifndef DRUA_OPS_TRACK_H
#define DRUA_OPS_TRACK_H

#include "assignment.h"
#include "host_work.h"

enum track_row {
    TRACK_FRAME,
    TRACK_X,
    TRACK_Y,
    TRACK_Z,
    TRACK_LABEL,
    TRACK_SIZE,
    TRACK_SPOT_ROWS, /**< rows of a spot list; a track list has the following rows too */
    TRACK_NUMBER = TRACK_SPOT_ROWS,
    TRACK_PARENT, /**< track from which this spot's track began by a split or merge; 0: no track */
    TRACK_INTO, /**< track that this spot's track ends in by a merge; 0: no track */
    TRACK_ROWS
};

/** Largest number that a float32 image holds with all smaller integers. */
enum { TRACK_MAX = 16777216 };

/** A spot: position in scaled pixels, size in pixels (0: unknown), frame from 0, and column in the list. */
typedef struct track_spot {
    double at[3], size;
    int32_t frame;
    uint32_t label;
    int64_t source;
} track_spot;

typedef struct track_options {
    double distance, initial_distance, gap_distance, split_distance, merge_distance, size_penalty, overlap, voxel[3];
    int64_t gap_frames;
    bool by_overlap, predicts;
} track_options;

/**
 * Spots of all frames, sorted by frame and then by x, and their links. Frame t has the spots first[t] to first[t + 1] -
 * 1. Links are indices of spots; -1: no link.
 */
typedef struct track_graph {
    int64_t count, frames, largest; /**< `largest`: number of spots in the fullest frame */
    track_spot *spots;
    int64_t *first;
    int32_t *next, *previous; /**< along a track */
    int32_t *mother; /**< of the first spot of a split branch: the spot that splits */
    int32_t *into; /**< of the last spot of a merging branch: the spot that it merges into */
    int32_t *track; /**< number of the track, from 1; set by track_number */
    int32_t tracks;
    int32_t *parent, *ends_in; /**< of track number i, at i; 0: no track */
} track_graph;

/** Pixels that a spot shares with a label of the next frame: entries first[i] to first[i + 1] - 1 of spot i. */
typedef struct track_overlaps {
    const int64_t *first;
    const int32_t *spot;
    const uint32_t *pixels;
} track_overlaps;

/** Settings of track_options, for the parameter `options`. */
#define TRACK_DISTANCE(name_, doc_, default_)                                                                          \
    DRUA_NUMBER(name_, doc_, DRUA_RANGE(0, 1e9), .default_value = (default_), .unit = "pixel")
#define TRACK_SETTINGS_OF_LINKS                                                                                        \
    TRACK_DISTANCE("distance", "largest distance from one frame to the next", 15),                                     \
        TRACK_DISTANCE("gap_distance", "largest distance across a gap; 0: gaps stay open", 15),                        \
        DRUA_INTEGER("gap_frames",                                                                                     \
                     "largest number of frames from the end of a track to its continuation; 0: gaps "                  \
                     "stay open",                                                                                      \
                     DRUA_RANGE(0, 100000), .default_value = 2),                                                       \
        TRACK_DISTANCE("split_distance", "largest distance from a mother to a daughter; 0: tracks do not split", 0),   \
        TRACK_DISTANCE("merge_distance", "largest distance to the track that another merges into; 0: no merges", 0),   \
        DRUA_NUMBER("size_penalty", "weight of a difference in size; 0: sizes do not matter", DRUA_RANGE(0, 1000)),    \
        {.name = "voxel",                                                                                              \
         .doc = "extent of a pixel along x, y, z, in the unit of the distances",                                       \
         .kind = DRUA_KIND_ARRAY_IN,                                                                                   \
         .default_text = "1,1,1",                                                                                      \
         DRUA_RANGE(1e-9, 1e9)},                                                                                       \
        DRUA_BOOLEAN("predict", "whether a Kalman filter predicts where a track continues"),                           \
        TRACK_DISTANCE("initial_distance", "with predict: largest distance from the first to the second spot", 15)
#define TRACK_SOURCE                                                                                                   \
    "linear assignment in two steps (Jaqaman et al. 2008) with the costs of TrackMate's LAP tracker (Tinevez et al. "  \
    "2017): squared distance, 1.05 times the largest cost for no link, and 1.05 times the 90 % quantile in the "       \
    "second step; solved exactly by shortest augmenting paths (Jonker and Volgenant 1987)"

/** Reads these settings from the parameter `options`. */
track_options track_read_options(drua_plan *plan, bool overlaps);

/**
 * Reads a list image that has the rows of spots, or at least frame, x and y, or those of tracks. The graph has links
 * only if the list has tracks: each track is a chain of its spots. Fails the call if the list is not valid.
 */
track_graph track_read(drua_plan *plan, const char *image, const double voxel[3]);

/** As track_read, without links, for spots in any order, which it sorts. */
track_graph track_of_spots(drua_plan *plan, track_spot *spots, int64_t count, int64_t frames);

/** Links the spots of successive frames. `overlaps` may be NULL unless the options say by_overlap. */
void track_link(drua_plan *plan, track_graph *graph, const track_options *options, const track_overlaps *overlaps);

/** As track_link, with a Kalman filter for each track, which also bridges gaps. */
void track_predict(drua_plan *plan, track_graph *graph, const track_options *options);

/** Closes gaps, splits and merges the tracks that the functions above made. */
void track_join_segments(drua_plan *plan, track_graph *graph, const track_options *options);

/** Cost of a link: squared distance, larger if the sizes differ. */
double track_cost(const track_spot *a, const track_spot *b, double size_penalty);

/** Place of the first spot of a frame whose x is at least `x`. */
int64_t track_from(const track_graph *graph, int64_t frame, double x);

/**
 * Numbers the tracks in the order of frames and of the list. A track ends where it splits and where another merges into
 * it.
 */
void track_number(drua_plan *plan, track_graph *graph);

/** Places of all spots in the order of frames and, within a frame, of the list. NULL after a failure. */
int64_t *track_order(drua_plan *plan, const track_graph *graph);

/** Shape of an output whose extent is only known once a file has been read; the operation returns another image. */
void track_shape_until_read(drua_plan *plan, drua_shape *shape);

/**
 * Writes a track list to the output, with positions in pixels: they are divided by `voxel`. The list has at least one
 * column.
 */
void track_return(drua_plan *plan, const char *output, const track_graph *graph, const double voxel[3]);

#endif
