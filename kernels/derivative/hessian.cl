/* SPDX-License-Identifier: BSD-3-Clause */
/* Eigenvalues of the Hessian matrix of each pixel. */

/* Offsets of the pixels before, at and after a position along one axis; the border is repeated. */
inline void three_places(INDEX *places, int at, int extent, long stride)
{
    for (int i = 0; i < 3; i++)
        places[i] = (INDEX)clamp(at + i - 1, 0, extent - 1) * (INDEX)stride;
}

#define PLACES                                                                                                         \
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);                         \
    INDEX along_x[3], along_y[3], along_z[3];                                                                          \
    three_places(along_x, x, from.width, from.column);                                                                 \
    three_places(along_y, y, from.height, from.row);                                                                   \
    three_places(along_z, z, from.depth, from.plane);

#define PLACE(dx, dy, dz) ((INDEX)from.offset + along_x[1 + (dx)] + along_y[1 + (dy)] + along_z[1 + (dz)])
#define FLOAT_AT(dx, dy, dz) ((global const float *)from_pixels)[PLACE(dx, dy, dz)]
#define SHORT_AT(dx, dy, dz) (float)((global const ushort *)from_pixels)[PLACE(dx, dy, dz)]
#define BYTE_AT(dx, dy, dz) (float)from_pixels[PLACE(dx, dy, dz)]
#define VALUE_AT(dx, dy, dz) load_float(from_pixels, from.type, PLACE(dx, dy, dz))
#define SECOND(PIXEL, dx, dy, dz) (PIXEL(dx, dy, dz) + PIXEL(-(dx), -(dy), -(dz)) - 2.0f * PIXEL(0, 0, 0))
#define MIXED(PIXEL, ax, ay, az, bx, by, bz)                                                                           \
    ((PIXEL(ax + bx, ay + by, az + bz) + PIXEL(-(ax) - bx, -(ay) - by, -(az) - bz) -                                   \
        PIXEL(ax - bx, ay - by, az - bz) -                                                                             \
      PIXEL(bx - ax, by - ay, bz - az)) * 0.25f)

/* Tests the type once, not for each neighbour. */
#define DERIVE_BY_TYPE                                                                                                 \
    switch (from.type) {                                                                                               \
    case FLOAT32: DERIVE(FLOAT_AT) break;                                                                              \
    case UINT16: DERIVE(SHORT_AT) break;                                                                               \
    case UINT8: DERIVE(BYTE_AT) break;                                                                                 \
    default: DERIVE(VALUE_AT)                                                                                          \
    }

/* Square root with an error of at most 3 ulp. */
inline float near_root(float square)
{
    return square > 0.0f && square < INFINITY ? square * rsqrt(square) : square;
}

inline FLOATV near_root_lanes(FLOATV square)
{
    return select(square, square * rsqrt(square), (square > 0.0f) & (square < INFINITY));
}

/* Computes both eigenvalues of a vector of pixels of a slice. */
#define EIGENVALUES_OF_PLANE                                                                                           \
    const int x = LANES * (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);                 \
    const bool wide = IN_VECTORS(from) && max(low.width, high.width) <= from.width;                                    \
    const columns above = read_columns(from_pixels, &from, x, y - 1, z, wide), here =                                  \
        read_columns(from_pixels, &from, x, y, z, wide),                                                               \
                  below = read_columns(from_pixels, &from, x, y + 1, z, wide);                                         \
    const FLOATV xx = here.right + here.left - 2.0f * here.middle, yy = below.middle + above.middle - 2.0f *           \
        here.middle;                                                                                                   \
    const FLOATV xy = (below.right + above.left - above.right - below.left) * 0.25f;                                   \
    const FLOATV middle = 0.5f * (xx + yy), half_gap = 0.5f * near_root_lanes(4.0f * xy * xy + (xx - yy) * (xx - yy)); \
    const FLOATV one = middle - half_gap, two = middle + half_gap;

#define STORE_LANES(to, value)                                                                                         \
    if (INSIDE(to, x, y, z))                                                                                           \
        store_row_lanes(to##_pixels, &to, x, y, z, to.type == FLOAT32 ? value                                          \
            : snap_lanes(value, 2 * ROUNDINGS_OF_ROOT), IN_VECTORS(to));

kernel void hessian_of_planes(INPUT(from), OUTPUT(low), OUTPUT(high))
{
    EIGENVALUES_OF_PLANE
    STORE_LANES(low, one)
    STORE_LANES(high, two)
}

/* Computes the eigenvalues of a stack of one slice, in which derivatives along z are 0. */
kernel void hessian_of_slice(INPUT(from), OUTPUT(low), OUTPUT(mid), OUTPUT(high))
{
    EIGENVALUES_OF_PLANE
    const FLOATV along_z = select((FLOATV)(0.0f), one, isnan(one));
    STORE_LANES(low, select(one, along_z, one > 0.0f))
    STORE_LANES(mid, select(select(along_z, two, two < 0.0f), one, one > 0.0f))
    STORE_LANES(high, select(two, along_z, two < 0.0f))
}

/* Returns the squared length of a vector. */
inline float square_of(float3 v)
{
    return dot(v, v);
}

/*
 * Returns a vector perpendicular to the rows of a matrix of rank 2, computed from the two rows that are least parallel.
 */
inline float3 across(float3 a, float3 b, float3 c)
{
    const float3 ab = cross(a, b), bc = cross(b, c), ca = cross(c, a);
    const float of_ab = square_of(ab), of_bc = square_of(bc), of_ca = square_of(ca);
    const float3 best = of_ab >= of_bc ? (of_ab >= of_ca ? ab : ca) : of_bc >= of_ca ? bc : ca;
    const float max_value = fmax(of_ab, fmax(of_bc, of_ca));
    return max_value > 0.0f ? best * rsqrt(max_value) : (float3)(1.0f, 0.0f, 0.0f);
}

/*
 * Eigenvalues of a symmetric matrix, smallest first. If the trace is 0 and the squared elements add up to 6, the
 * eigenvalues are the roots of x^3 - 3 x = determinant. The most isolated root and its eigenvector are found first. The
 * other two are those of the matrix in the plane perpendicular to this vector, so eigenvalues that lie close together
 * keep their digits.
 */
inline float3 eigenvalues_of(float xx, float yy, float zz, float xy, float xz, float yz)
{
    const float size = fmax(fmax(fmax(fabs(xx), fabs(yy)), fabs(zz)), fmax(fmax(fabs(xy), fabs(xz)), fabs(yz)));
    /* scale, so that no square overflows */
    const float up = size > 0x1p30f ? 0x1p-80f : size < 0x1p-30f ? 0x1p80f : 1.0f;
    const float down = size > 0x1p30f ? 0x1p80f : size < 0x1p-30f ? 0x1p-80f : 1.0f;
    const float middle = (xx * up + yy * up + zz * up) * 0.33333333f;
    const float3 diagonal = (float3)(xx, yy, zz) * up - middle, beside = (float3)(xy, xz, yz) * up;
    const float sixth = (square_of(diagonal) + 2.0f * square_of(beside)) * 0.16666667f;
    const float unit = sixth > 0.0f ? rsqrt(sixth) : 0.0f, scale = sixth * unit;
    const float3 d = diagonal * unit, b = beside * unit;
    const float determinant =
        d.x * (d.y * d.z - b.z * b.z) - b.x * (b.x * d.z - b.z * b.y) + b.y * (b.x * b.z - d.y * b.y);
    const float sign = determinant < 0.0f ? -1.0f : 1.0f, positive = fmin(fabs(determinant), 2.0f);
    float root =
        1.7320508f + 0.1339746f * positive; /* exact at 0 and 2; two Newton steps suffice in between */
    for (int i = 0; i < 2; i++)
        root -= native_divide(root * (root * root - 3.0f) - positive, 3.0f * (root * root - 1.0f));
    root *= sign;
    const float3 alone =
        across((float3)(d.x - root, b.x, b.y), (float3)(b.x, d.y - root, b.z), (float3)(b.y, b.z, d.z - root));
    const float3 u = normalize(fabs(alone.x) > fabs(alone.y) ? (float3)(-alone.z, 0.0f, alone.x)
                                                             : (float3)(0.0f, alone.z, -alone.y)),
                 v = cross(alone, u);
#define TIMES(w)                                                                                                       \
    ((float3)(d.x * (w).x + b.x * (w).y + b.y * (w).z, b.x * (w).x + d.y * (w).y + b.z * (w).z,                        \
              b.y * (w).x + b.z * (w).y + d.z * (w).z))
    const float3 of_u = TIMES(u), of_v = TIMES(v), of_alone = TIMES(alone);
    const float uu = dot(u, of_u), vv = dot(v, of_v), uv = dot(u, of_v), first = dot(alone, of_alone);
    const float center = 0.5f * (uu + vv), half_gap = 0.5f * near_root((uu - vv) * (uu - vv) + 4.0f * uv * uv);
    const float3 sorted =
        sign > 0.0f ? (float3)(center - half_gap, center + half_gap, first)
                    : (float3)(first, center - half_gap, center + half_gap);
    return (sorted * scale + middle) * down;
}

kernel void hessian_of_stacks(INPUT(from), OUTPUT(low), OUTPUT(mid), OUTPUT(high))
{
    PLACES
    float xx, yy, zz, xy, xz, yz;
#define DERIVE(PIXEL)                                                                                                  \
    xx = SECOND(PIXEL, 1, 0, 0), yy = SECOND(PIXEL, 0, 1, 0), zz = SECOND(PIXEL, 0, 0, 1);                             \
    xy = MIXED(PIXEL, 1, 0, 0, 0, 1, 0), xz = MIXED(PIXEL, 1, 0, 0, 0, 0, 1), yz = MIXED(PIXEL, 0, 1, 0, 0, 0, 1);
    DERIVE_BY_TYPE
    const float3 values = eigenvalues_of(xx, yy, zz, xy, xz, yz);
    if (INSIDE(low, x, y, z))
        STORE_SNAPPED(low, x, y, z, values.x, 6 * ROUNDINGS_OF_ROOT);
    if (INSIDE(mid, x, y, z))
        STORE_SNAPPED(mid, x, y, z, values.y, 6 * ROUNDINGS_OF_ROOT);
    if (INSIDE(high, x, y, z))
        STORE_SNAPPED(high, x, y, z, values.z, 6 * ROUNDINGS_OF_ROOT);
}
