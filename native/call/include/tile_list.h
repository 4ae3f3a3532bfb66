/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lists of tiles: a text that says which image files make up a mosaic, where they lie, and how they are combined. Two
 * formats are read:
 *
 * - a table whose first line names its columns: file, x, y and optionally z, in any order beside other columns, with
 *   commas, semicolons or tabs between them;
 * - the TileConfiguration.txt of Fiji's stitching: a line "dim = 2" or "dim = 3", then for each tile a line such as
 *   "tile_1.tif; ; (0.0, 921.6)".
 *
 * Lines that begin with # are comments, except for one with settings: "# drua: fusion=max missing=zero flat=flat.tif
 * dark=dark.tif". A line that begins with # but lists a tile is an error. In a table, a field may lie
 * between quotes, and a quote in it is doubled. Names of files are relative to the folder of the list. Positions are in
 * pixels. Any thread.
 */
#ifndef DRUA_TILE_LIST_H
#define DRUA_TILE_LIST_H

#include <drua/types.h>

#include <stdbool.h>

struct drua_plan;

enum { DRUA_MAX_TILES = 100000, DRUA_TILE_PATH = 4096 };

/** The words for how overlapping tiles are combined, and for which pixels are missing; settings and lists use them. */
#define DRUA_FUSIONS        "linear", "distance", "average", "max"
#define DRUA_MISSING_PIXELS "none", "zero"

/** A tile of the list. */
typedef struct drua_listed_tile {
    char *name; /**< as in the list */
    double at[3]; /**< position of the first pixel along x, y, z, in pixels */
} drua_listed_tile;

/** A list that was read. */
typedef struct drua_tile_list {
    const char *path; /**< of the list; the caller's */
    char *text; /**< owned by the list; all names lie in it */
    drua_listed_tile *tiles; /**< owned by the list */
    int64_t count;
    int fusion; /**< index in DRUA_FUSIONS */
    bool misses_zeros; /**< pixels that are 0 are missing */
    const char *flat, *dark; /**< names of the images of the flat and the dark field; NULL: none */
} drua_tile_list;

/** Returns whether a path has the extension of a list, .csv or .txt. */
bool drua_tile_list_is_path(const char *path);

/** Returns whether a path has the extension of a table, .csv. */
bool drua_tile_list_is_table(const char *path);

/**
 * Reads a list. `path` must stay valid as long as the list. Fails with DRUA_E_ARGUMENT and a message that names the
 * wrong line, or with DRUA_E_AWAY if the disk does not respond. Free the list with drua_tile_list_free, also after a
 * failure.
 */
drua_status drua_tile_list_read(const char *path, drua_tile_list *list);
void drua_tile_list_free(drua_tile_list *list);

/** As drua_tile_list_read, for an operation. The memory lives as long as the call. */
void plan_read_tile_list(struct drua_plan *plan, const char *path, drua_tile_list *list);

/** Writes the path of a file that a list names, as seen from the process's folder. */
void drua_tile_list_path(const char *list, const char *name, char path[DRUA_TILE_PATH]);

/** Returns the extent of a mosaic along an axis whose tiles of `extent` pixels begin at positions from `low` to `high`.
 * */
int64_t drua_mosaic_extent(int64_t extent, double low, double high);

/**
 * Divides the position of a tile in the mosaic into a whole number of pixels and the rest, from 0 to below 1. The first
 * pixel of the mosaic lies at `low`. A position that is almost a whole number is rounded to this number.
 */
void drua_mosaic_place(double at, double low, int64_t *first, float *rest);

#endif
