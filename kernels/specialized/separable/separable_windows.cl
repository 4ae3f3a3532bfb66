/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Windows along x, y and z, after separable_axes.cl. Constants:
 *
 * - RX, RY, RZ: radii. RX2, RY2: those of a second filter.
 * - LX, LY: size of a work-group.
 * - Q: number of pixels of a column per work-item of a tile.
 * - RUN: number of pixels per work-item of a single axis.
 */
#include "separable_axes.cl"
#ifdef RX
#ifdef RX2
#define REACH_X (RX > RX2 ? RX : RX2)
#define REACH_Y (RY > RY2 ? RY : RY2)
#else
#define REACH_X RX
#define REACH_Y RY
#endif
/* number of quads on either side of a quad that the quad's windows along x reach */
#define SIDE ((REACH_X + 3) / 4)
#define SPAN (2 * SIDE + 1)

/* Four windows along x; `a` begins at the first centre. */
inline SUMS windows_x(const SUM *a, const int radius, const numbers weights)
{
    SUM v[4];
    if (SELECTS && radius >= 2) {
        SUM shared = a[3 - radius];       /* sum of the pixels that all four windows share */
        EACH(k, 4 - radius, radius + 1)
            shared = BOTH(SUM, shared, a[k]);
        const SUM low2 = a[2 - radius], low1 = BOTH(SUM, a[1 - radius], low2), low0 = BOTH(SUM, a[-radius], low1);
        const SUM high1 = a[radius + 1], high2 = BOTH(SUM, a[radius + 2], high1),
                  high3 = BOTH(SUM, a[radius + 3], high2);
        v[0] = BOTH(SUM, shared, low0);
        v[1] = BOTH(SUM, BOTH(SUM, shared, low1), high1);
        v[2] = BOTH(SUM, BOTH(SUM, shared, low2), high2);
        v[3] = BOTH(SUM, shared, high3);
    } else {
        EACH(e, 0, 4) {
            v[e] = START;
            EACH(k, -radius, radius + 1)
                v[e] = FOLD(SUM, v[e], weights.v[DISTANCE(k)], a[e + k]);
        }
    }
    return (SUMS)(v[0], v[1], v[2], v[3]);
}

inline void read_quads(quad *quads, line row, int x, int width)
{
    EACH(i, 0, SPAN)
        quads[i] = read_quad(row, x + 4 * (i - SIDE), width);
}

/* Spreads quads to values. Tests once for all quads whether they reach an end of the row, because few do. */
inline void spread_quads(SUM *values, const quad *quads, int x, int width)
{
    const int first = x - 4 * SIDE;
    SUMS vectors[SPAN];
    EACH(i, 0, SPAN)
        vectors[i] = SUMS_FROM(4, quads[i]);
#if ALIGNED
    if (WHOLE || first < 0 || first + 4 * SPAN > width)
        EACH(i, 0, SPAN)
            SPREAD_ENDS(vectors[i], first + 4 * i, width)
#endif
    EACH(i, 0, SPAN) {
        values[4 * i] = vectors[i].x;
        values[4 * i + 1] = vectors[i].y;
        values[4 * i + 2] = vectors[i].z;
        values[4 * i + 3] = vectors[i].w;
    }
}

/* A work-group of LX x LY computes a tile of VB x Q pixels per work-item from ROWS rows filtered along x. */
#define TILE_WIDTH (LX * VB)
#define TILE_HEIGHT (LY * Q)
#define ROWS (TILE_HEIGHT + 2 * REACH_Y)
#define VECTORS (TILE_WIDTH / 4)
#define ITEMS ((ROWS * VECTORS + LX * LY - 1) / (LX * LY))
#define TILE_GROUP __attribute__((reqd_work_group_size(LX, LY, 1)))

/* Folds Q windows along y of a work-item's columns; `rows` begins with the first row of the first window. */
inline void windows_y(COLUMN *v, local const SUMS *rows, int lx, int ly, const int radius, const numbers weights)
{
#define COLUMN_OF(j) ((local const COLUMN *)(rows + (ly * Q + (j)) * VECTORS))[lx]
#if SELECTS && 2 * RY >= Q - 1 && Q > 1
    COLUMN q[Q + 2 * RY];
    EACH(j, 0, Q + 2 * RY)
        q[j] = COLUMN_OF(j);
    COLUMN low = q[Q - 1];
    EACH(j, Q, 2 * RY + 1)
        low = BOTH(COLUMN, low, q[j]);
    v[Q - 1] = low;
    EACH(i, 1, Q) {
        low = BOTH(COLUMN, low, q[Q - 1 - i]);
        v[Q - 1 - i] = low;
    }
    COLUMN high = q[2 * RY + 1];
    v[1] = BOTH(COLUMN, v[1], high);
    EACH(i, 2, Q) {
        high = BOTH(COLUMN, high, q[2 * RY + i]);
        v[i] = BOTH(COLUMN, v[i], high);
    }
#else
    EACH(i, 0, Q)
        v[i] = (COLUMN)(START);
    EACH(j, 0, Q + 2 * radius) {
        const COLUMN value = COLUMN_OF(j);
        EACH(i, 0, Q)
            if (j >= i && j - i <= 2 * radius)
                v[i] = FOLD(COLUMN, v[i], weights.v[DISTANCE(j - i - radius)], value);
    }
#endif
}
#endif

/* RUN windows along z, from z on, of the columns of a row's pixels; `pixels` points to their first slice. */
#define WINDOWS_Z(sum, radius, weights, from, pixels, z)                                                               \
    EACH(i, 0, RUN)                                                                                                    \
        sum[i] = (COLUMN)(START);                                                                                      \
    if (z >= radius && z + RUN + radius <= from.depth) {    /* all inside the image */                                 \
        EACH(j, 0, RUN + 2 * radius)                                                                                   \
            FOLD_INTO_RUN(sum, radius, weights, READ_COLUMN(pixels + (INDEX)(z - radius + j) * (INDEX)from.plane))     \
    } else {                                                                                                           \
        EACH(j, 0, RUN + 2 * radius)                                                                                   \
            FOLD_INTO_RUN(sum, radius, weights, READ_COLUMN(pixels +                                                   \
                (INDEX)clamp(z - radius + j, 0, from.depth - 1) * (INDEX)from.plane))                                  \
    }
#define FOLD_INTO_RUN(sum, radius, weights, read)                                                                      \
    {                                                                                                                  \
        const COLUMN value = read;                                                                                     \
        EACH(i, 0, RUN)                                                                                                \
            if (j >= i && j - i <= 2 * radius)                                                                         \
                sum[i] = FOLD(COLUMN, sum[i], weights.v[DISTANCE(j - i - radius)], value);                             \
    }
