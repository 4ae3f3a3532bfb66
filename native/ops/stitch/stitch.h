/* SPDX-License-Identifier: BSD-3-Clause */
/* Positions of overlapping tiles. */
#ifndef DRUA_OPS_STITCH_H
#define DRUA_OPS_STITCH_H

#include "plan.h"
#include "tile_list.h"

/** A tile, with two positions of its first pixel, in pixels: that of the stage and that of the fit. */
typedef struct stitch_tile {
    double stage[3], at[3];
    bool flat; /**< all pixels are equal */
    bool empty; /**< all pixels are 0 */
    int links; /**< number of pairs that determine the position */
    double quality; /**< largest correlation of these pairs; 0: the position is that of the stage */
} stitch_tile;

/** Two overlapping tiles, and the position of the second relative to the first. */
typedef struct stitch_pair {
    int32_t first, second;
    double shift[3], correlation;
    double chance; /**< largest correlation that tiles without a common scene can have over so few pixels */
    double rival; /**< largest correlation of the tiles at another shift; -1: no other shift was a candidate */
    bool used;
} stitch_pair;

typedef struct stitch_job {
    stitch_tile *tiles;
    stitch_pair *pairs;
    int32_t count, pair_count;
    drua_shape shape; /**< of a tile */
    drua_type type;
    const char *const *paths; /**< files of the tiles; NULL: the tiles are slices of the image "tiles" */
    int64_t channel, frame; /**< of the files, from 1 */
    bool *prepared; /**< of each tile */
    drua_operand *filtered; /**< tiles without their background, for correlation; NaN or infinite at missing pixels */
    bool misses_zeros; /**< pixels that are 0 are missing */
    double threshold, tolerance;
} stitch_job;

/** Makes a job for `count` tiles of this shape and type, with the settings of the call. */
stitch_job stitch_begin(drua_plan *plan, int64_t count, drua_shape shape, drua_type type);

/** Sets `place` to the column and row, from 0, of tile `number` in the call's `order`. */
void stitch_grid_place(drua_plan *plan, int64_t number, int64_t columns, int64_t rows, int64_t place[2]);

/**
 * Unless done before, sets `flat` and `empty` of a tile and makes its filtered image. The filter removes the background
 * and the finest noise. Fails if a pixel is not finite.
 */
void stitch_prepare_tile(drua_plan *plan, stitch_job *job, int32_t tile);

/** Measures pairs and solves for the positions of all tiles. */
void stitch_find_positions(drua_plan *plan, stitch_job *job);

/**
 * Finds the corner of the mosaic: the smallest coordinates of its tiles. Returns the largest ones in `high`. Empty
 * tiles of files do not count, because the list omits them.
 */
void stitch_find_corner(const stitch_job *job, double low[3], double high[3]);

/** Makes the call's table: a row for each tile with its position relative to `corner`. */
void stitch_make_table(drua_plan *plan, const stitch_job *job, const double corner[3]);

/** Whether the tiles of a pair fit about as well at another shift, as tiles with a repeating pattern do. */
static inline bool stitch_is_ambiguous(const stitch_pair *pair)
{
    return pair->rival > 0.95 * pair->correlation;
}

/**
 * Returns whether two tiles lie side by side according to the stage. Sets the extent of their overlap, and `from`, the
 * first pixel of the overlap in each tile.
 */
bool stitch_find_overlap(const stitch_job *job, int32_t first, int32_t second, drua_shape *shape, double from[2][3]);

/** Lists the pairs of tiles that lie side by side according to the stage, ordered by the first and the second tile. */
void stitch_list_pairs(drua_plan *plan, stitch_job *job);

/**
 * Lists the tiles that lie side by side according to the stage, and measures the shift of each pair. A pair is used if
 * its correlation reaches the threshold, cannot be chance, and is clearly higher than at any other shift. Prepares each
 * tile before its first pair and releases its filtered image after its last.
 */
void stitch_measure_pairs(drua_plan *plan, stitch_job *job);

/**
 * Finds the positions that fit the shifts of all pairs best, by least squares. Repeatedly leaves out and reports the
 * pair that contradicts the others most. Tiles without a pair keep the position of the stage.
 */
void stitch_solve(drua_plan *plan, stitch_job *job);

/* ---- parameters that several operations have */

#define STITCH_TABLE                                                                                                   \
    DRUA_TABLE_OUT("table", "a row for each tile: position in the mosaic and on the stage, correlation (0: the stage " \
                            "alone decided), number of pairs")
#define STITCH_OPTIONS(example_, ...)                                                                                  \
    {                                                                                                                  \
        .name = "options", .doc = "settings as name=value words, such as \"overlap=15 order=snake_rows\"",             \
        .kind = DRUA_KIND_OPTIONS, .default_text = "", .example_text = example_,                                       \
        DRUA_SETTINGS(                                                                                                 \
            __VA_ARGS__ DRUA_CHOICE("fusion",                                                                          \
                                    "how overlapping tiles are combined: weights that fall to the border linearly or " \
                                    "with the square of the distance, equal weights, or the largest value",            \
                                    DRUA_CHOICES(DRUA_FUSIONS)),                                                       \
            DRUA_NUMBER("threshold", "smallest correlation at which a pair of tiles is used", DRUA_RANGE(0, 1),        \
                        .default_value = 0.3),                                                                         \
            DRUA_NUMBER("tolerance", "largest disagreement of a pair with the other pairs, in pixels",                 \
                        DRUA_RANGE(0, 1e6), .default_value = 2, .unit = "pixel"),                                      \
            DRUA_CHOICE("missing",                                                                                     \
                        "pixels that are missing; zero: those that are 0, such as borders that a deskew left empty",   \
                        DRUA_CHOICES(DRUA_MISSING_PIXELS)))                                                            \
    }
#define STITCH_GRID                                                                                                    \
    DRUA_NUMBER("overlap", "overlap of neighbouring tiles on the stage", DRUA_RANGE(0, 99), .default_value = 10,       \
                .unit = "percent"),                                                                                    \
        DRUA_CHOICE("order", "order of the tiles: row by row, column by column, or every second line backwards",       \
                    DRUA_CHOICES("rows", "columns", "snake_rows", "snake_columns"))
#define STITCH_KEEP(doc_) DRUA_BOOLEAN("keep", doc_, .default_value = 0)
#define STITCH_SOURCE                                                                                                  \
    "phase correlation (Kuglin and Hines 1975), peaks tested by the correlation of the overlap, and least squares "    \
    "without contradicting pairs (Preibisch et al. 2009)"

#endif
