/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Steps of a non-rigid registration. Images of a level are dense float32. A deformation holds four floats per pixel:
 * the shift along x, y and z, and 0. A pixel p of the reference looks at p + shift of the other image.
 */

#define SIZE const int width, const int height, const int depth
#define OF_SIZE width, height, depth
#define PIXEL(x, y, z) (((ulong)(z) * height + (y)) * width + (x))
/* Leaves the kernel outside the image, and defines x, y, z and `at`, the pixel's index. */
#define EACH_PIXEL                                                                                                     \
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);                         \
    if (x >= width || y >= height || z >= depth)                                                                       \
        return;                                                                                                        \
    const ulong at = PIXEL(x, y, z);

/* Linear interpolation between the eight pixels around a position; the border repeats. */
#define SAMPLE(T)                                                                                                      \
    IN_PLACE T sample_##T(global const T *pixels, SIZE, float4 position)                                               \
    {                                                                                                                  \
        const float4 inside = clamp(position, 0.0f, (float4)(width - 1, height - 1, depth - 1, 0)), low = floor(inside), \
                     part = inside - low;                                                                              \
        const int x0 = (int)low.x, y0 = (int)low.y, z0 = (int)low.z;                                                   \
        const int x1 = min(x0 + 1, width - 1), y1 = min(y0 + 1, height - 1), z1 = min(z0 + 1, depth - 1);              \
        const T front = mix(mix(pixels[PIXEL(x0, y0, z0)], pixels[PIXEL(x1, y0, z0)], (T)part.x),                      \
                            mix(pixels[PIXEL(x0, y1, z0)], pixels[PIXEL(x1, y1, z0)], (T)part.x), (T)part.y);          \
        const T back = mix(mix(pixels[PIXEL(x0, y0, z1)], pixels[PIXEL(x1, y0, z1)], (T)part.x),                       \
                           mix(pixels[PIXEL(x0, y1, z1)], pixels[PIXEL(x1, y1, z1)], (T)part.x), (T)part.y);           \
        return mix(front, back, (T)part.z);                                                                            \
    }
SAMPLE(float)
SAMPLE(float4)

/* Whether a position lies at most half a pixel outside the image. */
inline bool is_covered(SIZE, float4 position)
{
    return position.x >= -0.5f && position.y >= -0.5f && position.z >= -0.5f && position.x <= width - 0.5f &&
           position.y <= height - 0.5f && position.z <= depth - 0.5f;
}

/* Halves the axes along which the result is smaller: the mean of 2 pixels along each of them. */
kernel void deformation_halve(global const float *from, const int from_width, const int from_height, const int from_depth,
                              global float *to, SIZE)
{
    EACH_PIXEL
    const int3 step = (int3)(from_width > width ? 2 : 1, from_height > height ? 2 : 1, from_depth > depth ? 2 : 1);
    float sum = 0.0f;
    for (int k = 0; k < step.z; k++)
        for (int j = 0; j < step.y; j++)
            for (int i = 0; i < step.x; i++)
                sum += from[((ulong)(step.z * z + k) * from_height + step.y * y + j) * from_width + step.x * x + i];
    to[at] = sum / (step.x * step.y * step.z);
}

/* Brings a deformation to the next finer level. */
kernel void deformation_grow(global const float4 *coarse, const int coarse_width, const int coarse_height,
                             const int coarse_depth, global float4 *to, SIZE)
{
    EACH_PIXEL
    const float4 step = (float4)(width > coarse_width ? 2 : 1, height > coarse_height ? 2 : 1,
                                 depth > coarse_depth ? 2 : 1, 1);
    const float4 position = ((float4)(x, y, z, 0) - 0.5f * (step - 1.0f)) / step;
    to[at] = step * sample_float4(coarse, coarse_width, coarse_height, coarse_depth, position);
}

/* Reads an image as floats, less `offset`, so that squares keep their digits. */
kernel void deformation_load(INPUT(from), const float offset, global float *to, SIZE)
{
    EACH_PIXEL
    to[at] = LOAD(from, x, y, z) - offset;
}

kernel void deformation_warp(global const float *source, global const float4 *shifts, global float *warped, SIZE)
{
    EACH_PIXEL
    warped[at] = sample_float(source, OF_SIZE, (float4)(x, y, z, 0) + shifts[at]);
}

/* Pixels and products whose local means give the regression of the reference on the warped image. */
kernel void deformation_products(global const float *reference, global const float *warped, global float4 *products,
                                 SIZE)
{
    EACH_PIXEL
    const float r = reference[at], w = warped[at];
    products[at] = (float4)(r, w, w * w, r * w);
}

/* Central difference along each axis; one-sided at borders, 0 along an axis of one pixel. */
inline float4 slopes(global const float *image, SIZE, int x, int y, int z)
{
    const int x0 = max(x - 1, 0), x1 = min(x + 1, width - 1), y0 = max(y - 1, 0), y1 = min(y + 1, height - 1),
              z0 = max(z - 1, 0), z1 = min(z + 1, depth - 1);
    return (float4)((image[PIXEL(x1, y, z)] - image[PIXEL(x0, y, z)]) / max(x1 - x0, 1),
                    (image[PIXEL(x, y1, z)] - image[PIXEL(x, y0, z)]) / max(y1 - y0, 1),
                    (image[PIXEL(x, y, z1)] - image[PIXEL(x, y, z0)]) / max(z1 - z0, 1), 0);
}

/*
 * The step of each pixel, at most half a pixel long. `means`: local means of deformation_products; with them the
 * brightness of the warped image is first fitted to the reference in each neighbourhood, by linear regression.
 */
kernel void deformation_step(global const float *reference, global const float *warped, global const float4 *means,
                             int is_local, global const float4 *shifts, global float4 *steps, SIZE)
{
    EACH_PIXEL
    float difference = reference[at] - warped[at], gain = 1.0f;
    if (is_local) {
        const float4 mean = means[at];
        const float variance = mean.z - mean.y * mean.y, covariance = mean.w - mean.x * mean.y;
        gain = variance > 1e-5f * mean.z ? covariance / variance : 0.0f;
        difference = reference[at] - mean.x - gain * (warped[at] - mean.y);
    }
    const float4 slope = 0.5f * (slopes(reference, OF_SIZE, x, y, z) + gain * slopes(warped, OF_SIZE, x, y, z));
    const float square = dot(slope, slope) + difference * difference;
    const bool counts = square > 0.0f && gain != 0.0f && is_covered(OF_SIZE, (float4)(x, y, z, 0) + shifts[at]);
    steps[at] = counts ? difference / square * slope : (float4)(0.0f);
}

/* Applies the steps first, then the deformation. */
kernel void deformation_compose(global const float4 *shifts, global const float4 *steps, global float4 *to, SIZE)
{
    EACH_PIXEL
    to[at] = steps[at] + sample_float4(shifts, OF_SIZE, (float4)(x, y, z, 0) + steps[at]);
}

/* Gaussian along one axis; `weights` has radius + 1 numbers from the middle on. */
kernel void deformation_smooth(global const float4 *from, global float4 *to, SIZE, const int axis, const int radius,
                               TABLE(weights))
{
    EACH_PIXEL
    const int extent = axis == 0 ? width : axis == 1 ? height : depth, here = axis == 0 ? x : axis == 1 ? y : z;
    const long stride = axis == 0 ? 1 : axis == 1 ? width : (long)width * height;
    float4 sum = TABLE_OF(float, weights)[0] * from[at];
    for (int i = 1; i <= radius; i++) {
        const long before = max(here - i, 0) - here, after = min(here + i, extent - 1) - here;
        sum += TABLE_OF(float, weights)[i] * (from[(long)at + before * stride] + from[(long)at + after * stride]);
    }
    to[at] = sum;
}

/* Writes the shifts along x, y and z below each other along z. */
kernel void deformation_to_image(global const float4 *shifts, SIZE, OUTPUT(to))
{
    EACH_PIXEL
    const float4 shift = shifts[at];
    STORE(to, x, y, z, shift.x);
    STORE(to, x, y, z + depth, shift.y);
    if (to.depth == 3 * depth)
        STORE(to, x, y, z + 2 * depth, shift.z);
}

/* The reverse. */
kernel void deformation_from_image(INPUT(from), global float4 *shifts, SIZE)
{
    EACH_PIXEL
    shifts[at] = (float4)(LOAD(from, x, y, z), LOAD(from, x, y, z + depth),
                          from.depth == 3 * depth ? LOAD(from, x, y, z + 2 * depth) : 0.0f, 0.0f);
}

/* Change of volume at a pixel: the determinant of the derivatives of p + shift(p). */
inline float jacobian(global const float4 *shifts, SIZE, int x, int y, int z)
{
    const int x0 = max(x - 1, 0), x1 = min(x + 1, width - 1), y0 = max(y - 1, 0), y1 = min(y + 1, height - 1),
              z0 = max(z - 1, 0), z1 = min(z + 1, depth - 1);
    const float4 a = (shifts[PIXEL(x1, y, z)] - shifts[PIXEL(x0, y, z)]) / max(x1 - x0, 1) + (float4)(1, 0, 0, 0),
                 b = (shifts[PIXEL(x, y1, z)] - shifts[PIXEL(x, y0, z)]) / max(y1 - y0, 1) + (float4)(0, 1, 0, 0),
                 c = (shifts[PIXEL(x, y, z1)] - shifts[PIXEL(x, y, z0)]) / max(z1 - z0, 1) + (float4)(0, 0, 1, 0);
    return dot(a, cross(b, c));
}

kernel void deformation_jacobian(global const float4 *shifts, SIZE, OUTPUT(to))
{
    EACH_PIXEL
    STORE(to, x, y, z, jacobian(shifts, OF_SIZE, x, y, z));
}

/*
 * Finds the shift v of each pixel with v = -shift(p + v) by repeated insertion. The fourth number becomes the error of
 * this equation, in pixels.
 */
kernel void deformation_invert(global const float4 *shifts, global float4 *inverse, const int most_turns, SIZE)
{
    EACH_PIXEL
    const float4 here = (float4)(x, y, z, 0);
    float4 v = 0.0f, left = -shifts[at];
    ROLLED for (int i = 0; i < most_turns && dot(left, left) > 1e-8f; i++) {
        v += left;
        left = -sample_float4(shifts, OF_SIZE, here + v) - v;
    }
    inverse[at] = (float4)(v.xyz, length(left));
}

enum { JUDGE_GROUP = 128, JUDGE_SUMS = 10, JUDGE_NUMBERS = 13 };

/*
 * Compares the reference with the image before and after the deformation. Each work-group writes sums over pixels that
 * both cover: their number, the reference, both images, the three squares, both products with the reference, and the
 * number of folded pixels; then the smallest Jacobian, the longest shift and the largest fourth number of a shift.
 */
kernel void deformation_judge(global const float *reference, global const float *before, global const float *after,
                              global const float4 *shifts, global float *results, SIZE)
{
    local float numbers[JUDGE_NUMBERS][JUDGE_GROUP];
    const ulong pixels = (ulong)width * height * depth;
    float mine[JUDGE_NUMBERS] = {0};
    mine[JUDGE_SUMS] = INFINITY;
    for (ulong at = get_global_id(0); at < pixels; at += get_global_size(0)) {
        const int x = (int)(at % width), y = (int)(at / width % height), z = (int)(at / width / height);
        const float change = jacobian(shifts, OF_SIZE, x, y, z);
        const float4 shift = shifts[at];
        mine[9] += change <= 0.0f;
        mine[JUDGE_SUMS] = fmin(mine[JUDGE_SUMS], change);
        mine[JUDGE_SUMS + 1] = fmax(mine[JUDGE_SUMS + 1], length(shift.xyz));
        mine[JUDGE_SUMS + 2] = fmax(mine[JUDGE_SUMS + 2], shift.w);
        if (!is_covered(OF_SIZE, (float4)(x, y, z, 0) + (float4)(shift.xyz, 0)))
            continue;
        const float r = reference[at], b = before[at], a = after[at];
        const float terms[9] = {1.0f, r, b, a, r * r, b * b, a * a, r * b, r * a};
        for (int i = 0; i < 9; i++)
            mine[i] += terms[i];
    }
    const int lane = (int)get_local_id(0);
    for (int i = 0; i < JUDGE_NUMBERS; i++)
        numbers[i][lane] = mine[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane >= JUDGE_NUMBERS)
        return;
    float all = numbers[lane][0];
    for (int i = 1; i < JUDGE_GROUP; i++) {
        const float one = numbers[lane][i];
        all = lane < JUDGE_SUMS ? all + one : lane == JUDGE_SUMS ? fmin(all, one) : fmax(all, one);
    }
    results[get_group_id(0) * JUDGE_NUMBERS + lane] = all;
}
