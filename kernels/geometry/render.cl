/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parallel rays through a volume, a work-item for each ray. Positions are indices of pixels, so that slices are one
 * apart.
 */

/* As in native/ops/geometry/render.c. */
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

inline float part_between(float a, float b, float share)
{
    return a + share * (b - a); /* exact if both are equal */
}

/* Interpolates between pixels. Outside the image, pixels repeat the nearest one or, with `ends`, are 0. */
inline float between_pixels(INPUT(from), float3 at, bool ends)
{
    const float3 low = floor(at), share = at - low;
    float corners[8];
    UNROLLED(i, 8)
    {
        const int x = (int)low.x + (i & 1), y = (int)low.y + (i >> 1 & 1), z = (int)low.z + (i >> 2);
        const bool inside = x >= 0 && y >= 0 && z >= 0 && INSIDE(from, x, y, z);
        corners[i] = inside || !ends ? LOAD_CLAMPED(from, x, y, z) : 0.0f;
    }
    const float first = part_between(part_between(corners[0], corners[1], share.x),
                                     part_between(corners[2], corners[3], share.x), share.y),
                second = part_between(part_between(corners[4], corners[5], share.x),
                                      part_between(corners[6], corners[7], share.x), share.y);
    return part_between(first, second, share.z);
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

inline uint label_at(INPUT(labels), float3 at)
{
    const int3 nearest = convert_int3_rtn(at + 0.5f);
    return LOAD_LABEL_CLAMPED(labels, nearest.x, nearest.y, nearest.z);
}

/* The direction from a position to the pixels of its label nearby. The weights of pixels decrease to 0. */
inline float3 inside_of_label(INPUT(labels), float3 at, uint label)
{
    enum { REACH = 3, SIDE = 2 * REACH + 1 };
    const float3 nearest = floor(at + 0.5f);
    float3 sum = 0;
    ROLLED for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
        const float3 to = nearest + (float3)(i % SIDE - REACH, i / SIDE % SIDE - REACH, i / (SIDE * SIDE) - REACH),
                     away = to - at;
        const float weight = REACH * REACH - dot(away, away);
        if (weight > 0 && is_in_volume(to, labels) && label_at(labels_pixels, labels, to) == label)
            sum += weight * away;
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
    float found = 0, before = 0, hit = -1;
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
        } else if (mode >= RENDER_LABELS && is_in_volume(at, from) && label_at(from_pixels, from, at) != 0) {
            hit = i;
            break;
        }
    }
    if (hit >= 0) { /* where the ray enters the label */
        float outside = hit - 1;
        ROLLED for (int i = 0; i < 4; i++) {
            const float middle = (outside + hit) / 2;
            const float3 at = sample_of_ray(start, c, middle);
            if (is_in_volume(at, from) && label_at(from_pixels, from, at) != 0)
                hit = middle;
            else
                outside = middle;
        }
        const float3 at = sample_of_ray(start, c, hit);
        label = label_at(from_pixels, from, at);
        if (mode == RENDER_LABEL_SURFACE)
            found = brightness(inside_of_label(from_pixels, from, at, label), c);
    }
    if (mode == RENDER_LABELS)
        STORE_LABEL(to, x, y, 0, label);
    else
        STORE(to, x, y, 0, found);
}
