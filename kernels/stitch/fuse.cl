/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds tiles to a mosaic. */

enum { LINEAR, DISTANCE, AVERAGE, LARGEST };

/* Returns the distance to the nearest border of the tile in its plane, in pixels, as a weight above 0. */
inline float weight_at(layout tile, float x, float y, int fusion)
{
    const float near = min(min(x + 0.5f, tile.width - 0.5f - x), min(y + 0.5f, tile.height - 0.5f - y));
    const float distance = max(near, 0.01f);
    return fusion == AVERAGE ? 1.0f : fusion == DISTANCE ? distance * distance : distance;
}

/*
 * Adds a tile to the sums and weights of the mosaic, at a position between pixels by linear interpolation. A work-item
 * computes the pixel of the mosaic at its own position plus `first_x`, `first_y` and `first_z`. If `misses_zeros`, a
 * pixel that is 0 adds nothing, and neither does a position between pixels of which one is 0.
 */
kernel void stitch_add(INPUT(tile), OUTPUT(sums), OUTPUT(weights), int first_x, int first_y, int first_z, float at_x,
                       float at_y, float at_z, int fusion, int misses_zeros)
{
    const int x = (int)get_global_id(0) + first_x, y = (int)get_global_id(1) + first_y,
              z = (int)get_global_id(2) + first_z;
    const float tx = (int)get_global_id(0) - at_x, ty = (int)get_global_id(1) - at_y,
                tz = (int)get_global_id(2) - at_z;
    if (!INSIDE(sums, x, y, z) || tx < -0.5f || ty < -0.5f || tz < -0.5f || tx > tile.width - 0.5f ||
        ty > tile.height - 0.5f || tz > tile.depth - 0.5f)
        return;
    const int ix = (int)floor(tx), iy = (int)floor(ty), iz = (int)floor(tz);
    const float fx = tx - ix, fy = ty - iy, fz = tz - iz;
    float value = 0.0f;
    ROLLED
    for (int i = 0; i < 8; i++) {
        const int dx = i & 1, dy = i >> 1 & 1, dz = i >> 2;
        const float share = (dx ? fx : 1.0f - fx) * (dy ? fy : 1.0f - fy) * (dz ? fz : 1.0f - fz),
                    pixel = LOAD_CLAMPED(tile, ix + dx, iy + dy, iz + dz);
        if (misses_zeros && share > 0.0f && pixel == 0.0f)
            return;
        value += share * pixel;
    }
    const float weight = LOAD(weights, x, y, z), own = weight_at(tile, tx, ty, fusion);
    if (fusion == LARGEST) {
        STORE(sums, x, y, z, weight > 0.0f ? fmax(LOAD(sums, x, y, z), value) : value);
        STORE(weights, x, y, z, 1.0f);
    } else {
        STORE(sums, x, y, z, LOAD(sums, x, y, z) + own * value);
        STORE(weights, x, y, z, weight + own);
    }
}

/* Divides sums by weights; 0 where no tile lies. Integers are rounded. */
kernel void stitch_finish(INPUT(sums), INPUT(weights), OUTPUT(to))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const float weight = LOAD(weights, x, y, z);
    const float value = weight > 0.0f ? DIVIDE((FLOATV)(LOAD(sums, x, y, z)), (FLOATV)(weight)).s0 : 0.0f;
    STORE(to, x, y, z, to.type == FLOAT32 ? value : rint(value));
}
