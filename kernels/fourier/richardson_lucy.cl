/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Steps of Richardson-Lucy deconvolution between two convolutions. The image lies at ax, ay, az in a larger box;
 * `edges` says, in two bits per axis, how the image continues past its edges.
 */
#include "box.cl"

#define EDGES_ALONG(edges, axis) ((edges) >> 2 * (axis) & 3)

#define OBSERVED                                                                                                       \
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);                         \
    if (!INSIDE(box, x, y, z))                                                                                         \
        return;                                                                                                        \
    const int i = edge_index(x - ax, image.width, EDGES_ALONG(edges, 0)), j =                                          \
        edge_index(y - ay, image.height, EDGES_ALONG(edges, 1));                                                       \
    const int k = edge_index(z - az, image.depth, EDGES_ALONG(edges, 2));                                              \
    const bool seen = min(i, min(j, k)) >= 0 && MEASURED(image, bad, i, j, k);

/* Writes the first estimate: the image without its background, or its mean. */
kernel void rl_start(OUTPUT(box), INPUT(image), INPUT(bad), int masked, float limit, int ax, int ay, int az, int edges,
                     float background, float flat)
{
    OBSERVED
    STORE(box, x, y, z, flat >= 0.0f ? flat : seen ? fmax(LOAD(image, i, j, k) - background, 0.0f) : 0.0f);
}

/*
 * The row of the image, and of its bad pixels, that lies at a row of the box. `at` is -1 if no pixel of that row was
 * observed.
 */
typedef struct {
    long at, bad_at;
    float limit;
    int masked, edges;
} observed_row;

inline observed_row observed_row_at(const layout image, const layout bad, int masked, float limit, int j, int k,
                                    int edges)
{
    const int y = edge_index(j, image.height, EDGES_ALONG(edges, 1)),
              z = edge_index(k, image.depth, EDGES_ALONG(edges, 2));
    const bool seen = min(y, z) >= 0;
    return (observed_row){seen ? AT(image, 0, y, z) : -1, seen ? AT(bad, 0, y, z) : -1, limit, masked,
                          EDGES_ALONG(edges, 0)};
}

/*
 * Observed divided by predicted light, minus 1; 0 for pixels that were not observed. Near convergence the result is
 * small, so it loses little to rounding. The update adds the subtracted 1 back, as the share of the light that was
 * observed.
 */
inline float excess_of(global const uchar *image_pixels, const layout image, global const uchar *bad_pixels,
                       const layout bad, const observed_row row, int i, float predicted)
{
    if ((uint)i >= (uint)image.width)
        i = edge_index(i, image.width, row.edges);
    if (row.at < 0 || i < 0)
        return 0.0f;
    const float observed = load_float(image_pixels, image.type, (INDEX)row.at + (INDEX)i * (INDEX)image.column);
    if (!(observed < row.limit) ||
        (row.masked && load_float(bad_pixels, bad.type, (INDEX)row.bad_at + (INDEX)i * (INDEX)bad.column) != 0.0f))
        return 0.0f;
    const float excess = predicted > 0.0f ? (observed - predicted) / predicted : -1.0f;
    return fabs(excess) > NO_EXCESS ? excess : 0.0f;
}

/* Boxes for transforms have rows of pairs. */
#define PAIR(box, x, y, z) (*(global float2 *)((global float *)box##_pixels + AT(box, x, y, z)))

/* Writes observed minus predicted light. */
kernel void rl_difference(OUTPUT(box), INPUT(image), INPUT(bad), int masked, float limit, int ax, int ay, int az,
                          int edges, float background)
{
    OBSERVED
    STORE(box, x, y, z, seen ? LOAD(image, i, j, k) - (LOAD(box, x, y, z) + background) : 0.0f);
}

kernel void rl_add(OUTPUT(estimate), INPUT(correction), float step)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (INSIDE(estimate, x, y, z))
        STORE(estimate, x, y, z, fmax(LOAD(estimate, x, y, z) + step * LOAD(correction, x, y, z), 0.0f));
}

inline float corrected(float estimate, float correction, float weight, float min_estimate)
{
    return weight > 0.0f ? fmax(fma(estimate, correction * weight, estimate), min_estimate) : estimate;
}

inline float2 corrected_pair(float2 estimate, float2 correction, float2 weight, float min_estimate)
{
    return (float2)(corrected(estimate.x, correction.x, weight.x, min_estimate),
                    corrected(estimate.y, correction.y, weight.y, min_estimate));
}

/* As rl_update, and also writes the step. */
kernel void rl_update_step(OUTPUT(estimate), INPUT(correction), INPUT(weight), int weighted, float min_estimate,
                           OUTPUT(went))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(estimate, x, y, z))
        return;
    const float share = weighted ? LOAD(weight, x, y, z) : 1.0f;
    const float before = LOAD(estimate, x, y, z), after = corrected(before, LOAD(correction, x, y, z), share,
                                                                    min_estimate);
    STORE(estimate, x, y, z, after);
    STORE(went, x, y, z, after - before);
}

/*
 * previous = estimate + alpha (estimate - previous), the start of the next step. At least a tenth of the estimate is
 * kept, because a voxel at 0 would stay 0.
 */
inline float2 predicted_from(float2 now, float2 previous, float alpha)
{
    return fmax(now + alpha * (now - previous), 0.1f * now);
}

kernel void rl_predict(OUTPUT(estimate), OUTPUT(previous), float given, global const float *computed, int use_computed)
{
    const int x = 2 * (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (INSIDE(previous, x, y, z))
        PAIR(previous, x, y, z) =
            predicted_from(PAIR(estimate, x, y, z), PAIR(previous, x, y, z), use_computed ? computed[0] : given);
}
