/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Definitions shared by all chain kernels: those of chain_table.cl, which read steps from a table, and those that
 * native/fusion/chain_kernel.c generates for one chain. Both follow this file in a program.
 */
#define IF(condition, yes, no) select((FLOATV)(no), (FLOATV)(yes), condition)

#ifdef VECTOR_LIBRARY
/*
 * Vector libraries of CPUs reduce the angles of all lanes by the method that the largest angle needs, and the methods
 * differ in the last bit. A pixel must not depend on its neighbours, so lanes are grouped by range.
 */
#define BY_RANGE(function)                                                                                             \
    inline FLOATV function##_by_range(FLOATV x)                                                                        \
    {                                                                                                                  \
        const float limit[4] = {0.0f, 120.0f, 38000.0f, 0x1p23f};                                                      \
        FLOATV y = x;                                                                                                  \
        for (int i = 0; i < 4; i++) {                                                                                  \
            INTV in_range = !(fabs(x) < limit[i]);                                                                     \
            if (i < 3)                                                                                                 \
                in_range &= fabs(x) < limit[i + 1];                                                                    \
            if (any(in_range))                                                                                         \
                y = select(y, function(select((FLOATV)(limit[i]), x, in_range)), in_range);                            \
        }                                                                                                              \
        return y;                                                                                                      \
    }
BY_RANGE(sin)
BY_RANGE(cos)
#undef sin      /* some drivers define this name */
#undef cos
#define sin(x) sin_by_range(x)
#define cos(x) cos_by_range(x)
#endif

/*
 * Loads a vector of one row: directly if bit `n` of `wide` says that rows are aligned, otherwise lane by lane, clamped.
 */
#define GATHER(v, i, pixel, n)                                                                                         \
    {                                                                                                                  \
        const int row = min(y, i.height - 1), slice = min(z, i.depth - 1);                                             \
        if (wide & 1 << n) {                                                                                           \
            v = load_lanes(i##_pixels, pixel, AT(i, x, row, slice));                                                   \
        } else {                                                                                                       \
            for (int l = 0; l < LANES; l++)                                                                            \
                lanes[l] = load_float(i##_pixels, pixel, AT(i, min(x + l, i.width - 1), row, slice));                  \
            v = JOIN(vload, LANES)(0, lanes);                                                                          \
        }                                                                                                              \
    }

#define SCATTER(i, pixel, v)                                                                                           \
    if (wide & 1 << 4) {                                                                                               \
        store_lanes(i##_pixels, pixel, AT(i, x, y, z), v);                                                             \
    } else {                                                                                                           \
        JOIN(vstore, LANES)(v, 0, lanes);                                                                              \
        for (int l = 0; l < LANES && x + l < i.width; l++)                                                             \
            store_float(i##_pixels, pixel, AT(i, x + l, y, z), lanes[l]);                                              \
    }

/* Sets the position of a work-item in images of more than one row, and returns if it is outside. */
#define PLACE(out, first_row, first_slice)                                                                             \
    const int x = (int)get_global_id(0) * LANES, y = (int)get_global_id(1), z = (int)get_global_id(2);                 \
    if (!INSIDE(out, x, y, z))                                                                                         \
        return;                                                                                                        \
    float lanes[LANES];                                                                                                \
    const FLOATV X = (FLOATV)((float)x) + LANE_NUMBERS, Y = (FLOATV)((float)(y + first_row)),                          \
                 Z = (FLOATV)((float)(z + first_slice));
