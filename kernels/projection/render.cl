/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parallel rays through a volume, a work-item for each ray. Positions are indices of pixels, so that slices are one
 * apart.
 */

/* As in native/ops/projection/render.c. */
enum { RENDER_MAXIMUM, RENDER_SURFACE, RENDER_LABELS, RENDER_LABEL_SURFACE };

/* Pixel 0 of the picture, the steps of a pixel to the right and down and of a sample, and the direction of view. */
typedef struct {
    float corner[3], right[3], down[3], step[3], view[3];
    float slice_distance;
} camera;

/* Narrows the numbers of the samples to those within a pixel of the image along one axis. */
inline float2 within_extent(float2 samples, float start, float step, int extent)
{
    const float near = (-1 - start) / step, far = (extent - start) / step;
    if (fabs(step) < 1e-6f)
        return start > -1 && start < extent ? samples : (float2)(0, -1);
    return (float2)(fmax(samples.x, fmin(near, far)), fmin(samples.y, fmax(near, far)));
}

inline bool is_in_volume(float3 at, layout l)
{
    return at.x >= -0.5f && at.y >= -0.5f && at.z >= -0.5f && at.x < l.width - 0.5f && at.y < l.height - 0.5f &&
           at.z < l.depth - 0.5f;
}

/* Interpolates between pixels. Outside the image, pixels repeat the nearest one or, with `ends`, are 0. */
inline float between_pixels(INPUT(from), float3 at, bool ends)
{
    const float3 low = floor(at), share = at - low;
    float value = 0;
    ROLLED for (int i = 0; i < 8; i++) {
        const int x = (int)low.x + (i & 1), y = (int)low.y + (i >> 1 & 1), z = (int)low.z + (i >> 2);
        const float weight = (i & 1 ? share.x : 1 - share.x) * (i & 2 ? share.y : 1 - share.y) *
                             (i & 4 ? share.z : 1 - share.z);
        const bool inside = x >= 0 && y >= 0 && z >= 0 && INSIDE(from, x, y, z);
        if (weight > 0 && (inside || !ends))
            value += weight * LOAD_CLAMPED(from, x, y, z);
    }
    return value;
}

/* Brightness of a surface whose inner side lies in this direction: 255 if it faces the viewer. */
inline float brightness(float3 inwards, camera c)
{
    const float3 direction = (float3)(inwards.x, inwards.y, inwards.z / c.slice_distance),
                 view = (float3)(c.view[0], c.view[1], c.view[2]);
    const float size = sqrt(dot(direction, direction)), facing = size > 0 ? dot(direction, view) / size : 1.0f;
    return 255.0f * (0.2f + 0.8f * clamp(facing, 0.0f, 1.0f));
}

inline float3 slope_at(INPUT(from), float3 at)
{
    const float3 x = (float3)(1, 0, 0), y = (float3)(0, 1, 0), z = (float3)(0, 0, 1);
    return (float3)(between_pixels(from_pixels, from, at + x, true) - between_pixels(from_pixels, from, at - x, true),
                    between_pixels(from_pixels, from, at + y, true) - between_pixels(from_pixels, from, at - y, true),
                    between_pixels(from_pixels, from, at + z, true) - between_pixels(from_pixels, from, at - z, true));
}

/* The direction from a pixel to the other pixels of its label nearby. */
inline float3 inside_of_label(INPUT(labels), int3 at, uint label)
{
    enum { REACH = 3, SIDE = 2 * REACH + 1 };
    float3 sum = 0;
    ROLLED for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
        const int3 step = (int3)(i % SIDE - REACH, i / SIDE % SIDE - REACH, i / (SIDE * SIDE) - REACH), to = at + step;
        if (to.x >= 0 && to.y >= 0 && to.z >= 0 && INSIDE(labels, to.x, to.y, to.z) &&
            LOAD_LABEL(labels, to.x, to.y, to.z) == label)
            sum += convert_float3(step);
    }
    return sum;
}

inline float3 sample_of_ray(float3 start, camera c, float sample)
{
    return start + sample * (float3)(c.step[0], c.step[1], c.step[2]);
}

/* `level`: grey value above which a pixel belongs to the object. */
kernel void render_volume(INPUT(from), OUTPUT(to), TABLE(of_camera), int mode, float level, int samples)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1);
    if (x >= to.width || y >= to.height)
        return;
    const camera c = *TABLE_OF(camera, of_camera);
    const float3 start = (float3)(c.corner[0] + x * c.right[0] + y * c.down[0],
                                  c.corner[1] + x * c.right[1] + y * c.down[1],
                                  c.corner[2] + x * c.right[2] + y * c.down[2]);
    float2 range = (float2)(0, samples - 1);
    range = within_extent(range, start.x, c.step[0], from.width);
    range = within_extent(range, start.y, c.step[1], from.height);
    range = within_extent(range, start.z, c.step[2], from.depth);
    float found = 0, before = 0;
    uint label = 0;
    bool any = false;
    for (int i = (int)ceil(range.x); i <= (int)range.y; i++) {
        const float3 at = sample_of_ray(start, c, i);
        if (mode == RENDER_MAXIMUM && is_in_volume(at, from)) {
            const float value = between_pixels(from_pixels, from, at, false);
            found = any ? fmax(found, value) : value;
            any = true;
        } else if (mode == RENDER_SURFACE) {
            const float value = between_pixels(from_pixels, from, at, true);
            if (value > level) {
                const float back = value > before ? (value - level) / (value - before) : 0.0f;
                const float3 hit = sample_of_ray(start, c, i - fmin(back, 1.0f));
                found = brightness(slope_at(from_pixels, from, hit), c);
                break;
            }
            before = value;
        } else if (mode >= RENDER_LABELS && is_in_volume(at, from)) {
            const int3 nearest = convert_int3_rtn(at + 0.5f);
            label = LOAD_LABEL_CLAMPED(from, nearest.x, nearest.y, nearest.z);
            if (label != 0) {
                if (mode == RENDER_LABEL_SURFACE)
                    found = brightness(inside_of_label(from_pixels, from, nearest, label), c);
                break;
            }
        }
    }
    if (mode == RENDER_LABELS)
        STORE_LABEL(to, x, y, 0, label);
    else
        STORE(to, x, y, 0, found);
}
