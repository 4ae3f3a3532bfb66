/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts searches for chamfer distances, and stores their results. The images of keys have no gaps between rows. */
#include "chamfer.cl"
#include "levels.cl"

/* Whether a pixel belongs to a mask; NaN does not. */
#define IS_IN(mask, x, y, z) (fabs(LOAD(mask, x, y, z)) > 0)

/* Sets a, b, c to the pixel one step away, and skips steps that leave the image. */
#define EACH_STEP(image, k, a, b, c)                                                                                   \
    for (int k = 0, a, b, c; k < count; k++)                                                                           \
        if ((a = x + step[k].x, b = y + step[k].y, c = z + step[k].z,                                                  \
             a >= 0 && b >= 0 && c >= 0 && INSIDE(image, a, b, c)))

#define REGION(x, y, z) (binary ? (uint)IS_IN(source, x, y, z) : LOAD_LABEL(source, x, y, z))

/* Pixels start at the weight of the shortest step to another region. Region 0 has distance 0. */
kernel void chamfer_begin_borders(INPUT(source), int binary, TABLE(steps), int count, global ulong *keys)
{
    BEGIN_AT_PIXEL(source);
    constant chamfer_step *step = TABLE_OF(chamfer_step, steps);
    const uint own = REGION(x, y, z);
    float distance = own ? INFINITY : 0.0f;
    if (own)
        EACH_STEP (source, k, a, b, c)
            if (REGION(a, b, c) != own)
                distance = fmin(distance, step[k].weight);
    keys[at] = chamfer_key(distance, own);
}

/* Markers start at distance 0. Markers beside the mask start paths into it. */
kernel void chamfer_begin_markers(INPUT(marker), INPUT(mask), TABLE(steps), int count, global ulong *keys)
{
    BEGIN_AT_PIXEL(marker);
    constant chamfer_step *step = TABLE_OF(chamfer_step, steps);
    const uint inside = IS_IN(mask, x, y, z);
    float distance = IS_IN(marker, x, y, z) ? 0.0f : INFINITY;
    if (inside && distance > 0)
        EACH_STEP (marker, k, a, b, c)
            if (!IS_IN(mask, a, b, c) && IS_IN(marker, a, b, c))
                distance = fmin(distance, step[k].weight);
    keys[at] = chamfer_key(distance, inside);
}

/* Labels start to grow. */
kernel void chamfer_begin_growth(INPUT(source), global ulong *keys)
{
    BEGIN_AT_PIXEL(source);
    const uint label = LOAD_LABEL(source, x, y, z);
    keys[at] = label ? chamfer_key(0, label) : FARTHEST;
}

/* Stores the distances in units of `unit`. */
kernel void chamfer_end_distances(global const ulong *keys, int width, int height, int depth, float unit, OUTPUT(to))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (INSIDE(to, x, y, z))
        STORE(to, x, y, z, chamfer_distance(keys[CLAMPED_AT(to, width, height, depth)]) / unit);
}

/* Stores the labels of the pixels that were reached. */
kernel void chamfer_end_labels(global const ulong *keys, int width, int height, int depth, OUTPUT(to))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const ulong key = keys[CLAMPED_AT(to, width, height, depth)];
    STORE_LABEL(to, x, y, z, key == FARTHEST ? 0 : (uint)key);
}
