/* SPDX-License-Identifier: BSD-3-Clause */
/* Names and limits of movies in the format of the Cell Tracking Challenge. */
#ifndef DRUA_OPS_CELL_TRACKING_H
#define DRUA_OPS_CELL_TRACKING_H

#include "movie_labels.h"
#include "plan_files.h"

enum { CELL_TRACKING_MAX_LABEL = 65535 };

/* Path of the image of a frame. Its memory lives as long as the call. */
static inline const char *mask_path(drua_plan *p, const char *folder, const char *name, int digits, int64_t frame)
{
    drua_plan_text path = {0};
    plan_print(p, &path, "%s/%s%0*lld.tif", folder, name, digits, (long long)frame);
    return path.characters;
}

static inline const char *text_path(drua_plan *p, const char *folder, const char *name)
{
    drua_plan_text path = {0};
    plan_print(p, &path, "%s/%s", folder, name);
    return path.characters;
}

#define CELL_TRACKING_FORMAT                                                                                           \
    "conventions of the Cell Tracking Challenge: mask000.tif and res_track.txt of results, man_track000.tif, "         \
    "man_seg000.tif and man_track.txt of ground truths"
#define CELL_TRACKING_FOLDER(doc_, ...)                                                                                \
    {                                                                                                                  \
        .name = "folder", .doc = doc_, .kind = DRUA_KIND_PATH, __VA_ARGS__                                             \
    }

#endif
