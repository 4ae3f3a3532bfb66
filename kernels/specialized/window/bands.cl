/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bands of rows, for work-groups of LX times LY that march down the slices and compute WIDE times ROWS pixels per
 * work-item. Quads of the next slice's band are loaded into registers before those of the current one are used up.
 */
#if defined LEVELS || (defined WANTED && defined CHORDS)
enum {
    ITEMS = LX * LY,
    SIDE = (REACH_X + 3) / 4,       /* quads next to a tile that chords reach */
#ifdef LEVELS
    QUADS = LX * WIDE / 4,
    READ = 2 * SIDE + 1,            /* quads per pixel quad: also those next to it */
#else
    QUADS = LX * WIDE / 4 + 2 * SIDE,
    READ = BLOCKS > 3 ? 1 + (1 << (BLOCKS - 1)) / 4 : 2,        /* quads that contain the blocks of its pixels */
#endif
    BAND = LY * ROWS + 2 * REACH_Y,
    TURNS = (BAND * QUADS + ITEMS - 1) / ITEMS
};

/* Loads a work-item's part of a slice for a tile that begins at `left` and `top`. */
inline void read_band(quad (*band)[READ], global const uchar *pixels, const layout *image, int left, int top, int slice,
                      int item)
{
    const layout from = *image;
    EACH(t, 0, TURNS) {
        const int id = item + t * ITEMS, x = left + 4 * (id % QUADS),
                  y = clamp(top - REACH_Y + id / QUADS, 0, from.height - 1);
        if (id < BAND * QUADS) {
            global const FROM *row = (global const FROM *)pixels + AT(from, 0, y, clamp(slice, 0, from.depth - 1));
            EACH(i, 0, READ)
                band[t][i] = quad_at(row, image, x + 4 * (i - SIDE));
        }
    }
}
#endif
