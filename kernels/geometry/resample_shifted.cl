/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Resamples without rotation or shear while x and y keep their scale, for GPUs. A work-item computes vectors of some
 * rows, each from two vectors of two rows and slices. It reuses one of these rows from the vector above.
 */
#include "resample.cl"
#if LANES == 4

inline FLOATV between_lanes(float fraction, FLOATV first, FLOATV second)
{
    return fraction > 0.0f ? first + fraction * (second - first) : first;
}

/*
 * Interpolates between pixel `by` of two consecutive vectors and its right neighbour. Neighbours with a 0 in
 * `is_present` are outside.
 */
inline FLOATV between_columns(FLOATV left, FLOATV right, int by, INTV is_present, int is_next_present, float fraction)
{
    if (by & 2) {
        left = (FLOATV)(left.s23, right.s01);
        right.s01 = right.s23;
    }
    if (by & 1) {
        left = (FLOATV)(left.s123, right.s0);
        right.s0 = right.s1;
    }
    left = as_float4(as_int4(left) & is_present);
    const FLOATV beside = (FLOATV)(left.s123, as_float(as_int(right.s0) & is_next_present));
    return between_lanes(fraction, left, beside);
}

inline FLOATV load_vector(global const uchar *pixels, int type, INDEX at)
{
    return type == FLOAT32 ? *CONST_VECTOR_AT(float, pixels, at) : load_lanes(pixels, type, at);
}

#define ROW_OF(slice)                                                                                                  \
    ((uint)iy < (uint)from.height                                                                                      \
         ? between_columns(load_vector(from_pixels, from.type, (slice) + at + left),                                   \
                           two ? load_vector(from_pixels, from.type, (slice) + at + right) : none, by, is_present,     \
                               is_next_present, fx) : none)

/* Requires rows that consist of whole vectors, and positions of 32 bits. Pixels with weight 0 are not read. */
kernel void resample_linear_shifted(INPUT(from), OUTPUT(to), TABLE(matrix), int rows)
{
    const int x = LANES * (int)get_global_id(0), first = rows * (int)get_global_id(1), z = get_global_id(2);
    if (!INSIDE(to, x, first, z))
        return;
    constant long *m = TABLE_OF(long, matrix);
    const long px = ((long)x << 32) + m[3], py = ((long)first << 32) + m[7], pz = m[10] * z + m[11];
    const int ix = pixels_of(px, 32), iz = pixels_of(pz, 32), by = ix & (LANES - 1), last = (from.width - 1) & -LANES;
    const float fx = fraction_of(px, 32), fy = fraction_of(py, 32), fz = fraction_of(pz, 32);
    const INTV places = ix + (INTV)(0, 1, 2, 3), is_present = places >= 0 && places < from.width;
    const int is_next_present = ix + LANES >= 0 && ix + LANES < from.width ? -1 : 0;
    const bool two = by || fx > 0.0f,
               here = (uint)iz<(uint)from.depth, next = fz> 0.0f && (uint)iz + 1 < (uint)from.depth;
    const INDEX left = clamp(ix - by, 0, last), right = clamp(ix - by + LANES, 0, last), nearer = AT(from, 0, 0, iz),
                farther = nearer + (INDEX)from.plane;
    const FLOATV none = (FLOATV)(0.0f);
    int iy = pixels_of(py, 32);
    INDEX at = (INDEX)iy * (INDEX)from.row;
    FLOATV above = here ? ROW_OF(nearer) : none, next_above = next ? ROW_OF(farther) : none;
    _Pragma("unroll 2") for (int y = first; y < min(first + rows, to.height); y++)
    {
        iy++;
        at += (INDEX)from.row;
        const FLOATV below = here ? ROW_OF(nearer) : none, next_below = next ? ROW_OF(farther) : none;
        const FLOATV near = between_lanes(fy, above, below),
                     value = between_lanes(fz, near, between_lanes(fy, next_above, next_below));
        store_row_lanes(to_pixels, &to, x, y, z,
                        to.type == FLOAT32 ? value : snap_lanes(value, ROUNDINGS_OF_INTERPOLATION), true);
        above = below;
        next_above = next_below;
    }
}
#endif
