/* SPDX-License-Identifier: BSD-3-Clause */
/* Tracks of spots by the two assignment steps of TrackMate's LAP tracker, on full matrices. */
#ifndef DRUA_TESTS_FULL_TRACKS_H
#define DRUA_TESTS_FULL_TRACKS_H

enum { REFERENCE_MAX_SPOTS = 400 };

typedef struct reference_spot {
    int frame; /* from 0 */
    double at[3], size;
    int track, parent, into; /* results: numbers from 1; 0: no track */
} reference_spot;

typedef struct reference_linking {
    double distance, gap_distance, split_distance, merge_distance, size_penalty;
    int gap_frames;
    /* the cost of a link between two spots of successive frames; NULL: the cost that follows from their distance */
    double (*cost)(const reference_spot *a, const reference_spot *b, void *data);
    void *data;
} reference_linking;

/** Tracks the spots of a list, of which at most REFERENCE_MAX_SPOTS are allowed. Returns the number of tracks. */
int reference_track(reference_spot *spots, int count, const reference_linking *how);

#endif
