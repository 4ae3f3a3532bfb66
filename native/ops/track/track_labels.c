/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations that track labels and spots. */
#include "movie_labels.h"

static void join_spots(drua_plan *p, track_graph *g, const track_options *o, const track_overlaps *overlaps)
{
    if (o->predicts)
        track_predict(p, g, o);
    else
        track_link(p, g, o, overlaps);
    track_join_segments(p, g, o);
    track_number(p, g);
}

static void build_track_spots(drua_plan *p)
{
    const track_options o = track_read_options(p, false);
    track_graph g = track_read(p, "spots", o.voxel);
    for (int64_t i = 0; i < g.count && !plan_failed(p); i++)
        g.next[i] = g.previous[i] = -1;
    join_spots(p, &g, &o, NULL);
    track_return(p, "tracks", &g, o.voxel);
}

static const double pixels[3] = {1, 1, 1};

static void build_spots_of_labels(drua_plan *p)
{
    int64_t count;
    movie_labels m = movie_open_labels(p, "labels", plan_integer(p, "frames"));
    track_spot *spots = movie_spots(p, &m, pixels, &count);
    const track_graph g = {.count = count, .spots = spots};
    track_return(p, "spots", &g, pixels);
}

static void build_track_labels(drua_plan *p)
{
    int64_t count;
    const track_options o = track_read_options(p, true);
    movie_labels m = movie_open_labels(p, "labels", plan_integer(p, "frames"));
    track_spot *spots = movie_spots(p, &m, o.voxel, &count);
    track_graph g = {0};
    if (!plan_failed(p))
        g = track_of_spots(p, spots, count, m.frames);
    track_overlaps overlaps = {0};
    if (o.by_overlap)
        overlaps = movie_overlaps(p, &m, &g);
    if (!plan_failed(p))
        join_spots(p, &g, &o, &overlaps);
    uint32_t *numbers = plan_host_memory(p, (size_t)(m.rows + 1) * sizeof *numbers);
    for (int64_t i = 0; i < g.count && !plan_failed(p); i++) {
        const track_spot *s = &g.spots[i];
        numbers[m.base[s->frame] + s->label - m.min[s->frame]] = (uint32_t)g.track[i];
    }
    const drua_operand painted = movie_paint(p, "labels", &m, numbers);
    if (!plan_failed(p))
        plan_return(p, "tracked", painted);
    track_return(p, "tracks", &g, o.voxel);
}

#define FRAMES                                                                                                         \
    DRUA_INTEGER("frames", "number of frames, which follow each other along z", DRUA_RANGE(1, 2147483647),             \
                 .default_value = 1, .example = 4)
#define LIST(name_, doc_) DRUA_IMAGE_OUT(name_, doc_, .type = DRUA_FLOAT32, .replaces = true)
#define TRACKS                                                                                                         \
    LIST("tracks", "a column for each spot; rows are frame, x, y, z, label, size, track, parent of the track, and "    \
                   "track that the track merges into (0: no track)")
#define OPTIONS(...)                                                                                                   \
    {                                                                                                                  \
        .name = "options", .doc = "settings as name=value words, such as \"distance=20 gap_frames=3\"",                \
        .kind = DRUA_KIND_OPTIONS, .default_text = "", .example_text = "distance=20", DRUA_SETTINGS(__VA_ARGS__)       \
    }

DRUA_OP(spots_of_labels) = {
    .name = "spots_of_labels",
    .category = "tracking",
    .menu = true,
    .summary = "Lists the centroid and size of each label of each frame of a movie.",
    .source = "means of the positions of a label's pixels",
    DRUA_PARAMS(DRUA_IMAGE_IN("labels", "label movie"),
                LIST("spots", "a column for each label of each frame; rows are frame (from 1), x, y, z, label, size"),
                FRAMES),
    .numeric = DRUA_EXACT,
    .traits = DRUA_WHOLE,
    .build = build_spots_of_labels,
};

DRUA_OP(track_spots) = {
    .name = "track_spots",
    .category = "tracking",
    .menu = true,
    .summary = "Links the spots of a list from frame to frame, which makes tracks.",
    .source = TRACK_SOURCE,
    DRUA_PARAMS(DRUA_IMAGE_IN("spots", "a column for each spot; rows are frame (from 1), x, y, and optionally z, "
                                       "label, size"),
                TRACKS, OPTIONS(TRACK_SETTINGS_OF_LINKS)),
    .numeric = DRUA_EXACT,
    .traits = DRUA_WHOLE,
    .build = build_track_spots,
};

DRUA_OP(track_labels) = {
    .name = "track_labels",
    .category = "tracking",
    .menu = true,
    .summary = "Renumbers the labels of a movie so that an object keeps its number in all frames, and lists its track.",
    .source = TRACK_SOURCE,
    DRUA_PARAMS(DRUA_IMAGE_IN("labels", "label movie; each frame may number its labels differently"),
                DRUA_LABELS_OUT("tracked", "labels with the numbers of their tracks", .type = DRUA_FLOAT32), TRACKS,
                FRAMES,
                OPTIONS(DRUA_CHOICE("link", "distance between centroids, or overlap of labels",
                                    DRUA_CHOICES("distance", "overlap")),
                        DRUA_NUMBER("overlap",
                                    "with link=overlap: smallest share of the union that two labels have in "
                                    "common",
                                    DRUA_RANGE(0, 1), .default_value = 0.1),
                        TRACK_SETTINGS_OF_LINKS)),
    .numeric = DRUA_EXACT,
    .traits = DRUA_WHOLE,
    .build = build_track_labels,
};
