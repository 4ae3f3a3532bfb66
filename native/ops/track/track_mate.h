/* SPDX-License-Identifier: BSD-3-Clause */
/* Parameters of the operations on files of TrackMate. */
#ifndef DRUA_OPS_TRACK_MATE_H
#define DRUA_OPS_TRACK_MATE_H

#include "track.h"

#define TRACK_MATE_FORMAT "TrackMate's XML, version 7"
#define TRACK_MATE_VOXEL                                                                                               \
    {                                                                                                                  \
        .name = "voxel", .doc = "extent of a pixel along x, y, z in the file's unit", .kind = DRUA_KIND_ARRAY_IN,      \
        .default_text = "1,1,1", DRUA_RANGE(1e-9, 1e9)                                                                 \
    }
#define TRACK_MATE_OPTIONS(...)                                                                                        \
    {                                                                                                                  \
        .name = "options", .doc = "settings as name=value words, such as \"voxel=0.2,0.2,1\"",                         \
        .kind = DRUA_KIND_OPTIONS, .default_text = "", DRUA_SETTINGS(__VA_ARGS__)                                      \
    }

#endif
