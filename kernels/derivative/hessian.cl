/* SPDX-License-Identifier: BSD-3-Clause */
/* Eigenvalues of the matrix of second derivatives of each pixel. */

#define SECOND(dx, dy, dz)                                                                                                       \
    (LOAD_CLAMPED(from, x + dx, y + dy, z + dz) + LOAD_CLAMPED(from, x - dx, y - dy, z - dz) - 2.0f * pixel)
#define MIXED(ax, ay, az, bx, by, bz)                                                                                            \
    ((LOAD_CLAMPED(from, x + ax + bx, y + ay + by, z + az + bz) + LOAD_CLAMPED(from, x - ax - bx, y - ay - by, z - az - bz) -    \
      LOAD_CLAMPED(from, x + ax - bx, y + ay - by, z + az - bz) - LOAD_CLAMPED(from, x - ax + bx, y - ay + by, z - az + bz)) * 0.25f)

kernel void hessian_of_planes(INPUT(from), OUTPUT(low), OUTPUT(high))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (x >= max(low.width, high.width) || y >= max(low.height, high.height) || z >= max(low.depth, high.depth))
        return;
    const float pixel = LOAD_CLAMPED(from, x, y, z), xx = SECOND(1, 0, 0), yy = SECOND(0, 1, 0), xy = MIXED(1, 0, 0, 0, 1, 0);
    const float middle = 0.5f * (xx + yy), apart = 0.5f * sqrt(4.0f * xy * xy + (xx - yy) * (xx - yy));
    if (INSIDE(low, x, y, z))
        STORE_SNAPPED(low, x, y, z, middle - apart);
    if (INSIDE(high, x, y, z))
        STORE_SNAPPED(high, x, y, z, middle + apart);
}

/* Turns axes p and q of a symmetric matrix so that their entry becomes 0; r is the third axis. */
inline void turn(float *pp, float *qq, float *pq, float *pr, float *qr)
{
    if (*pq == 0.0f)
        return;
    const float theta = (*qq - *pp) / (2.0f * *pq), size = fabs(theta);
    const float t = copysign(size > 1e18f ? 0.5f / size : 1.0f / (size + sqrt(size * size + 1.0f)), theta);
    const float c = 1.0f / sqrt(t * t + 1.0f), s = t * c, old = *pr;
    *pp -= t * *pq;
    *qq += t * *pq;
    *pq = 0.0f;
    *pr = c * old - s * *qr;
    *qr = s * old + c * *qr;
}

/* Jacobi's rotations: eigenvalues that lie close together keep their digits. */
kernel void hessian_of_stacks(INPUT(from), OUTPUT(low), OUTPUT(mid), OUTPUT(high))
{
    enum { SWEEPS = 6 };
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    const float pixel = LOAD_CLAMPED(from, x, y, z);
    float xx = SECOND(1, 0, 0), yy = SECOND(0, 1, 0), zz = SECOND(0, 0, 1);
    float xy = MIXED(1, 0, 0, 0, 1, 0), xz = MIXED(1, 0, 0, 0, 0, 1), yz = MIXED(0, 1, 0, 0, 0, 1);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        turn(&xx, &yy, &xy, &xz, &yz);
        turn(&xx, &zz, &xz, &xy, &yz);
        turn(&yy, &zz, &yz, &xy, &xz);
    }
    const float least = fmin(xx, fmin(yy, zz)), most = fmax(xx, fmax(yy, zz)), other = fmax(fmin(xx, yy), fmin(fmax(xx, yy), zz));
    if (INSIDE(low, x, y, z))
        STORE_SNAPPED(low, x, y, z, least);
    if (INSIDE(mid, x, y, z))
        STORE_SNAPPED(mid, x, y, z, other);
    if (INSIDE(high, x, y, z))
        STORE_SNAPPED(high, x, y, z, most);
}
