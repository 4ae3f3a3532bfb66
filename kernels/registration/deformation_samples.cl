/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Images of one level of a non-rigid registration are dense float32. A deformation holds four floats per pixel: the
 * shift along x, y and z, and 0. A pixel p of the reference looks at p + shift of the other image.
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
        const float4 last = (float4)(width - 1, height - 1, depth - 1, 0);                                             \
        const float4 inside = clamp(position, 0.0f, last), low = floor(inside), part = inside - low;                   \
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

/* Maps a pixel by twelve numbers, the rows of a matrix with a shift. */
inline float4 mapped(global const float *map, float x, float y, float z)
{
    return (float4)(map[0] * x + map[1] * y + map[2] * z + map[3], map[4] * x + map[5] * y + map[6] * z + map[7],
                    map[8] * x + map[9] * y + map[10] * z + map[11], 0.0f);
}

/* Whether a position lies at most half a pixel outside the image. */
inline bool is_covered(SIZE, float4 position)
{
    return position.x >= -0.5f && position.y >= -0.5f && position.z >= -0.5f && position.x <= width - 0.5f &&
           position.y <= height - 0.5f && position.z <= depth - 0.5f;
}
