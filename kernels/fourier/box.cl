/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Places an image and a kernel into the box that is transformed: the image at an offset, the kernel's centre at the
 * origin.
 */

enum { EDGES_ZERO, EDGES_REPEAT, EDGES_MIRROR, EDGES_PERIODIC };

/* Maps index i of an image continued without end to an index from 0 to n - 1. -1: the image is 0 there. */
inline int edge_index(int i, int n, int edges)
{
    if (i >= 0 && i < n)
        return i;
    if (edges == EDGES_ZERO)
        return -1;
    if (edges == EDGES_REPEAT)
        return clamp(i, 0, n - 1);
    const int period = edges == EDGES_MIRROR ? 2 * n : n;
    i %= period;
    i += i < 0 ? period : 0;
    return i < n ? i : 2 * n - 1 - i;
}

/*
 * Whether a pixel was observed: it is below the camera's saturation value `limit` and, if `masked`, not marked as bad.
 * The kernel that uses this macro has the arguments `limit` and `masked`.
 */
#define MEASURED(image, bad, i, j, k) (LOAD(image, i, j, k) < limit && !(masked && LOAD(bad, i, j, k) != 0.0f))

kernel void fourier_place(INPUT(image), OUTPUT(box), int ax, int ay, int az, int edges)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(box, x, y, z))
        return;
    const int i = edge_index(x - ax, image.width, edges), j = edge_index(y - ay, image.height, edges);
    const int k = edge_index(z - az, image.depth, edges);
    STORE(box, x, y, z, min(i, min(j, k)) < 0 ? 0.0f : LOAD(image, i, j, k));
}

/* A psf larger than the box wraps around, and overlapping values are added. */
kernel void fourier_place_kernel(INPUT(psf), OUTPUT(box), int cx, int cy, int cz, float scale)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(box, x, y, z))
        return;
    float sum = 0.0f;
    for (int k = (z + cz) % box.depth; k < psf.depth; k += box.depth)
        for (int j = (y + cy) % box.height; j < psf.height; j += box.height)
            for (int i = (x + cx) % box.width; i < psf.width; i += box.width)
                sum += LOAD(psf, i, j, k);
    STORE(box, x, y, z, sum * scale);
}
