/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Steps of BaSiC (Peng et al. 2017): frame t = flat field * brightness[t] + dark field + rest, where the flat field has
 * few cosine waves and the rest is sparse. All images are float32 and dense, frames are slices.
 */
enum { SHADING_GROUP = 128, SHADING_SUMS = 8 };

#define PIXEL(image, x, y, z) ((global float *)image##_pixels)[AT(image, x, y, z)]

inline float shrunk(float value, float limit) { return copysign(fmax(fabs(value) - limit, 0.0f), value); }

/* Sum over frames of factor[t] (frame - rest). */
kernel void shading_combine(INPUT(frames), INPUT(rest), OUTPUT(to), global const float *factors)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1);
    if (!INSIDE(to, x, y, 0))
        return;
    float sum = 0.0f;
    ROLLED for (int t = 0; t < frames.depth; t++)
        sum = fma(factors[t], PIXEL(frames, x, y, t) - PIXEL(rest, x, y, t), sum);
    PIXEL(to, x, y, 0) = sum;
}

/* Computes the mean over frames of the part that the model leaves unexplained, plus the multipliers divided by mu. */
kernel void shading_unexplained(INPUT(frames), INPUT(rest), INPUT(multipliers), INPUT(flat), INPUT(dark), OUTPUT(to),
                                global const float *brightness, const float per_mu)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1);
    if (!INSIDE(to, x, y, 0))
        return;
    const float f = PIXEL(flat, x, y, 0), d = PIXEL(dark, x, y, 0);
    float sum = 0.0f;
    ROLLED for (int t = 0; t < frames.depth; t++)
        sum += PIXEL(frames, x, y, t) - fma(f, brightness[t], d) - PIXEL(rest, x, y, t) +
               per_mu * PIXEL(multipliers, x, y, t);
    PIXEL(to, x, y, 0) = sum / frames.depth;
}

/* Multiplies each line along an axis by a square matrix of its length, or by the transposed matrix. */
kernel void shading_multiply_lines(INPUT(from), OUTPUT(to), global const float *matrix, const int axis,
                                   const int transposed)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1);
    if (!INSIDE(to, x, y, 0))
        return;
    const int length = axis == 0 ? from.width : from.height, row = axis == 0 ? x : y;
    float sum = 0.0f;
    ROLLED for (int k = 0; k < length; k++)
        sum = fma(transposed ? matrix[k * length + row] : matrix[row * length + k],
                  axis == 0 ? PIXEL(from, k, y, 0) : PIXEL(from, x, k, 0), sum);
    PIXEL(to, x, y, 0) = sum;
}

/* to = shrunk(to * keeps + change). */
kernel void shading_shrink(INPUT(change), OUTPUT(to), const float limit, const int keeps)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1);
    if (INSIDE(to, x, y, 0))
        PIXEL(to, x, y, 0) = shrunk((keeps ? PIXEL(to, x, y, 0) : 0.0f) + PIXEL(change, x, y, 0), limit);
}

/* to = from + a * flat + b. */
kernel void shading_add_flat(INPUT(from), INPUT(flat), OUTPUT(to), const float a, const float b)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1);
    if (INSIDE(to, x, y, 0))
        PIXEL(to, x, y, 0) = PIXEL(from, x, y, 0) + fma(a, PIXEL(flat, x, y, 0), b);
}

/* Adds up eight numbers over a work-group; item 0 writes the sums. */
inline void write_sums(local float *part, const float *sums, global float *to)
{
    const int l = get_local_id(0);
    UNROLLED(i, SHADING_SUMS)
    {
        part[l] = sums[i];
        ROLLED for (int half_size = SHADING_GROUP / 2; half_size > 0; half_size /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            if (l < half_size)
                part[l] += part[l + half_size];
        }
        if (l == 0)
            to[i] = part[0];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

#define FRAME_GROUP                                                                                                    \
    const int t = get_group_id(2), parts = get_num_groups(0), count = frames.width * frames.height;                   \
    global float *mine = results + (t * parts + (int)get_group_id(0)) * SHADING_SUMS
#define EACH_PIXEL_OF_GROUP(i, x, y)                                                                                   \
    ROLLED for (int i = get_global_id(0), x = i % frames.width, y = i / frames.width; i < count;                       \
                i += parts * SHADING_GROUP, x = i % frames.width, y = i / frames.width)

/*
 * Splits each frame into model and rest, and updates the multipliers. Sums for each frame: explained pixels (frame -
 * rest); explained pixels where the flat field is above its mean, and where it is below, with the numbers of these
 * pixels; squares of the error.
 */
kernel void shading_split(INPUT(frames), OUTPUT(rest), OUTPUT(multipliers), INPUT(weights), INPUT(flat), INPUT(dark),
                          global const float *brightness, global float *results, const float mu, const float weight,
                          const float mean)
{
    local float part[SHADING_GROUP];
    FRAME_GROUP;
    const float b = brightness[t], near = 1e-6f;
    float sums[SHADING_SUMS] = {0.0f};
    EACH_PIXEL_OF_GROUP(i, x, y)
    {
        const float f = PIXEL(flat, x, y, 0), pixel = PIXEL(frames, x, y, t), model = fma(f, b, PIXEL(dark, x, y, 0)),
                    multiplier = PIXEL(multipliers, x, y, t);
        const float e = shrunk(pixel - model + multiplier / mu, weight * PIXEL(weights, x, y, t) / mu),
                    explained = pixel - e, error = pixel - model - e;
        PIXEL(rest, x, y, t) = e;
        PIXEL(multipliers, x, y, t) = fma(mu, error, multiplier);
        const int above = f > mean - near, below = f < mean + near;
        sums[0] += explained;
        sums[1] += above ? explained : 0.0f;
        sums[2] += below ? explained : 0.0f;
        sums[3] += above;
        sums[4] += below;
        sums[5] = fma(error, error, sums[5]);
    }
    write_sums(part, sums, mine);
}

/*
 * Computes the weights of the rest, which are large where the rest is small compared with the mean of the model. With
 * `inverse`, they are large where the rest is large.
 */
kernel void shading_weigh(INPUT(frames), INPUT(rest), OUTPUT(weights), global const float *means,
                          global float *results, const int inverse)
{
    local float part[SHADING_GROUP];
    FRAME_GROUP;
    const float m = means[t], little = 1e-6f, epsilon = 0.1f;
    float sums[SHADING_SUMS] = {0.0f};
    EACH_PIXEL_OF_GROUP(i, x, y)
    {
        const float e = PIXEL(rest, x, y, t), share = inverse ? m / (e + little) : e / (m + little),
                    weight = 1.0f / (fabs(share) + epsilon);
        PIXEL(weights, x, y, t) = weight;
        sums[0] += weight;
    }
    write_sums(part, sums, mine);
}

/* Sums for each frame: pixels, pixels times an image, and squares. */
kernel void shading_project(INPUT(frames), INPUT(image), global float *results)
{
    local float part[SHADING_GROUP];
    FRAME_GROUP;
    float sums[SHADING_SUMS] = {0.0f};
    EACH_PIXEL_OF_GROUP(i, x, y)
    {
        const float pixel = PIXEL(frames, x, y, t);
        sums[0] += pixel;
        sums[1] = fma(pixel, PIXEL(image, x, y, 0), sums[1]);
        sums[2] = fma(pixel, pixel, sums[2]);
    }
    write_sums(part, sums, mine);
}
