/* SPDX-License-Identifier: BSD-3-Clause */
/* Eigenvalues of the matrix of second derivatives of each pixel. */

/* Offsets of the pixels before, at and after a position along one axis; the border is repeated. */
inline void three_places(INDEX *places, int at, int extent, long stride)
{
    for (int i = 0; i < 3; i++)
        places[i] = (INDEX)clamp(at + i - 1, 0, extent - 1) * (INDEX)stride;
}

#define PLACES                                                                                                                   \
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);                                   \
    INDEX along_x[3], along_y[3], along_z[3];                                                                                    \
    three_places(along_x, x, from.width, from.column);                                                                           \
    three_places(along_y, y, from.height, from.row);                                                                             \
    three_places(along_z, z, from.depth, from.plane);

#define PLACE(dx, dy, dz) ((INDEX)from.offset + along_x[1 + (dx)] + along_y[1 + (dy)] + along_z[1 + (dz)])
#define FLOAT_AT(dx, dy, dz) ((global const float *)from_pixels)[PLACE(dx, dy, dz)]
#define VALUE_AT(dx, dy, dz) load_float(from_pixels, from.type, PLACE(dx, dy, dz))
#define SECOND(PIXEL, dx, dy, dz) (PIXEL(dx, dy, dz) + PIXEL(-(dx), -(dy), -(dz)) - 2.0f * PIXEL(0, 0, 0))
#define MIXED(PIXEL, ax, ay, az, bx, by, bz)                                                                                     \
    ((PIXEL(ax + bx, ay + by, az + bz) + PIXEL(-(ax) - bx, -(ay) - by, -(az) - bz) - PIXEL(ax - bx, ay - by, az - bz) -          \
      PIXEL(bx - ax, by - ay, bz - az)) * 0.25f)

kernel void hessian_of_planes(INPUT(from), OUTPUT(low), OUTPUT(high))
{
    PLACES
    float xx, yy, xy;
#define DERIVE(PIXEL)                                                                                                            \
    xx = SECOND(PIXEL, 1, 0, 0), yy = SECOND(PIXEL, 0, 1, 0);                                                                    \
    xy = MIXED(PIXEL, 1, 0, 0, 0, 1, 0);
    if (from.type == FLOAT32) {
        DERIVE(FLOAT_AT)
    } else {
        DERIVE(VALUE_AT)
    }
#undef DERIVE
    const float middle = 0.5f * (xx + yy), apart = 0.5f * sqrt(4.0f * xy * xy + (xx - yy) * (xx - yy));
    if (INSIDE(low, x, y, z))
        STORE_SNAPPED(low, x, y, z, middle - apart);
    if (INSIDE(high, x, y, z))
        STORE_SNAPPED(high, x, y, z, middle + apart);
}

/* Turns axes p and q of a symmetric matrix so that their entry becomes 0; r is the third axis. */
inline void turn(float *pp, float *qq, float *pq, float *pr, float *qr)
{
    const float apart = *qq - *pp, twice = 2.0f * *pq, length = fabs(apart) + sqrt(apart * apart + twice * twice);
    const float t = length > 0.0f ? copysign(1.0f, apart) * twice / length : 0.0f;
    const float c = rsqrt(t * t + 1.0f), s = t * c, old = *pr;
    *pp -= t * *pq;
    *qq += t * *pq;
    *pq = 0.0f;
    *pr = c * old - s * *qr;
    *qr = s * old + c * *qr;
}

/*
 * Jacobi's rotations: eigenvalues that lie close together keep their digits. The matrix is brought near 1 by a power of 2, so that
 * no square overflows, and done when what is left beside the diagonal is rounding.
 */
kernel void hessian_of_stacks(INPUT(from), OUTPUT(low), OUTPUT(mid), OUTPUT(high))
{
    enum { SWEEPS = 6 };
    PLACES
    float xx, yy, zz, xy, xz, yz;
#define DERIVE(PIXEL)                                                                                                            \
    xx = SECOND(PIXEL, 1, 0, 0), yy = SECOND(PIXEL, 0, 1, 0), zz = SECOND(PIXEL, 0, 0, 1);                                       \
    xy = MIXED(PIXEL, 1, 0, 0, 0, 1, 0), xz = MIXED(PIXEL, 1, 0, 0, 0, 0, 1), yz = MIXED(PIXEL, 0, 1, 0, 0, 0, 1);
    if (from.type == FLOAT32) {
        DERIVE(FLOAT_AT)
    } else {
        DERIVE(VALUE_AT)
    }
    const float size = fmax(fmax(fmax(fabs(xx), fabs(yy)), fabs(zz)), fmax(fmax(fabs(xy), fabs(xz)), fabs(yz)));
    const int scaled = size > 0x1p60f || size < 0x1p-60f;
    const float up = scaled ? size > 1.0f ? 0x1p-70f : 0x1p70f : 1.0f;
    xx *= up, yy *= up, zz *= up, xy *= up, xz *= up, yz *= up;
    const float rest = size * up * 0x1p-27f;
    for (int sweep = 0; sweep < SWEEPS && fmax(fmax(fabs(xy), fabs(xz)), fabs(yz)) > rest; sweep++) {
        turn(&xx, &yy, &xy, &xz, &yz);
        turn(&xx, &zz, &xz, &xy, &yz);
        turn(&yy, &zz, &yz, &xy, &xz);
    }
    const float down = 1.0f / up;
    const float least = fmin(xx, fmin(yy, zz)) * down, most = fmax(xx, fmax(yy, zz)) * down, other = fmax(fmin(xx, yy), fmin(fmax(xx, yy), zz)) * down;
    if (INSIDE(low, x, y, z))
        STORE_SNAPPED(low, x, y, z, least);
    if (INSIDE(mid, x, y, z))
        STORE_SNAPPED(mid, x, y, z, other);
    if (INSIDE(high, x, y, z))
        STORE_SNAPPED(high, x, y, z, most);
}
