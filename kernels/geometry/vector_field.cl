/* SPDX-License-Identifier: BSD-3-Clause */
#include "resample.cl"

#define SPLIT(at, whole, broken)                                                                                       \
    const int whole = (int)floor(at);                                                                                  \
    const float broken = (at) - floor(at);

#define AMONG_EIGHT(number, T)                                                                                         \
    case number: value = among_eight_##T((global const T *)from_pixels + AT(from, ix, iy, iz), from, fx, fy, fz); break;

/*
 * The vectors and the result begin at row y0 and slice z0 of the source, which has this height and depth. Only pixels
 * that read its layers from `first` up to `end` along y (axis 1) or z (axis 2) are computed.
 */
kernel void apply_vector_field(INPUT(from), INPUT(vector_x), INPUT(vector_y), INPUT(vector_z), int stack, int y0,
                               int z0, int height, int depth, int axis, int first, int end, OUTPUT(to))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const float px = (float)x + LOAD_CLAMPED(vector_x, x, y, z), py = (float)(y + y0) + LOAD_CLAMPED(vector_y, x, y, z);
    const float pz = (float)(z + z0) + (stack ? LOAD_CLAMPED(vector_z, x, y, z) : 0.0f);
    /* 0 if the position is outside the source, as in CLIJ2 */
    float value = isnan(px) || isnan(py) || isnan(pz) ? NAN : 0.0f;
    const int layer = axis == 2 ? clamp(convert_int_sat(floor(pz)), 0, depth - 1)
                                : clamp(convert_int_sat(floor(py)), 0, height - 1);
    if (layer < first || layer >= end)
        return;
    const float ex = px + 0.5f, ey = py + 0.5f, ez = pz + 0.5f;
    if (ex >= 0.0f && ey >= 0.0f && ez >= 0.0f && ex < (float)from.width && ey < (float)height && ez < (float)depth) {
        SPLIT(px, ix, fx)
        SPLIT(py, iy, fy)
        SPLIT(pz, iz, fz)
        if ((uint)ix < (uint)from.width - 1 && (uint)iy < (uint)from.height - 1 && (uint)iz < (uint)from.depth - 1)
            switch (from.type) {
            AMONG_EIGHT(UINT8, uchar)
            AMONG_EIGHT(INT8, char)
            AMONG_EIGHT(UINT16, ushort)
            AMONG_EIGHT(INT16, short)
            AMONG_EIGHT(UINT32, uint)
            AMONG_EIGHT(INT32, int)
            AMONG_EIGHT(FLOAT32, float)
            }
        else
            value = value_at(from_pixels, from, ix, iy, iz, fx, fy, fz);
    }
    STORE_SNAPPED(to, x, y, z, value, ROUNDINGS_OF_INTERPOLATION);
}
