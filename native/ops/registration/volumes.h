/* SPDX-License-Identifier: BSD-3-Clause */
/* Two volumes on the levels of a pyramid, and the search for the map between them. */
#ifndef DRUA_OPS_REGISTRATION_VOLUMES_H
#define DRUA_OPS_REGISTRATION_VOLUMES_H

#include "plan.h"
#include "volume_fit.h"

enum { VOLUME_LEVELS = 16, VOLUME_MAP_NUMBERS = 18 };

/** Pixels that are missing. */
typedef enum volume_missing { VOLUME_NONE, VOLUME_ZERO, VOLUME_NAN } volume_missing;

/**
 * A volume on one level: dense float32, NaN where pixels are missing. Pixel p lies at step * p + start, in the units of
 * the search.
 */
typedef struct volume {
    drua_view pixels;
    int32_t extent[3];
    double step[3], start[3];
} volume;

/** Both volumes on all levels, finest first. */
typedef struct volume_pyramid {
    volume reference[VOLUME_LEVELS], source[VOLUME_LEVELS];
    int count;
    double difference; /**< mean of the reference less that of the source */
    double counted_reference, counted_source; /**< volume of the pixels that are not missing */
    double unit; /**< length of a unit of the search, in the unit of the voxel size; in pixels if a size is unknown */
} volume_pyramid;

typedef struct volume_search {
    drua_plan *p;
    volume_mode mode;
    volume_pyramid levels;
    drua_view sent_map, sent_sums;
    float *sums;
} volume_search;

/** The kernel arguments for the extent of a volume. */
#define VOLUME_SIZE(v) INT((v).extent[0]), INT((v).extent[1]), INT((v).extent[2])

/**
 * Reads the arguments "reference" and "source" into a pyramid. The origin of each volume is its own centre. All axes
 * have the same unit. Fails for planes, for pixels that are NaN or infinite but not missing, and if all pixels of an
 * image are missing.
 */
volume_search volume_search_begin(drua_plan *plan, volume_mode mode, volume_missing missing);

/** Volume of a pixel, in cubic units. */
double volume_of_pixel(const volume *v);

/** Converts a map in units of the search to one from pixels of the reference to pixels of the source. */
volume_map volume_to_pixels(const volume_map *map, const volume *reference, const volume *source);

/** Compares both volumes of a level under a map: `totals` gets VOLUME_AXES times VOLUME_SUMS numbers. Waits. */
void volume_compare(const volume_search *search, int level, const volume_map *map, double *totals);

/** Improves a map up to a maximum of the correlation on a level. */
void volume_search_level(const volume_search *search, int level, volume_map *map);

#endif
