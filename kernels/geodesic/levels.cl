/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Grey values flood an image as high as a limit at each pixel allows. Values are uint32 levels in the order of the grey
 * values, so all types keep all their bits. Level 0 of float32 is NaN, which floods nothing and lets nothing pass.
 * Erosions are dilations of the complements of the levels (`down`). The images here have no gaps between rows.
 */
#define SIGN_BIT 0x80000000u

/* The level of a float32 value; -0 counts as 0. */
inline uint level_of_float(float value, bool down)
{
    const uint bits = as_uint(value) == SIGN_BIT ? 0 : as_uint(value);
    if ((bits & ~SIGN_BIT) > 0x7F800000u)
        return 0;
    const uint level = bits & SIGN_BIT ? ~bits : bits | SIGN_BIT;
    return down ? ~level : level;
}

inline float float_of_level(uint level, bool down)
{
    const uint key = down ? ~level : level;
    return level == 0 ? NAN : as_float(key & SIGN_BIT ? key & ~SIGN_BIT : ~key);
}

/* The level of a pixel of a type; with `type` FLOAT32, pixels of any type are converted. */
inline uint load_level(global const uchar *pixels, int own, int type, INDEX at, bool down)
{
    uint key;
    switch (type) {
    case UINT8: key = pixels[at]; break;
    case INT8: key = (uint)((global const char *)pixels)[at] ^ SIGN_BIT; break;
    case UINT16: key = ((global const ushort *)pixels)[at]; break;
    case INT16: key = (uint)((global const short *)pixels)[at] ^ SIGN_BIT; break;
    case UINT32: key = ((global const uint *)pixels)[at]; break;
    case INT32: key = ((global const uint *)pixels)[at] ^ SIGN_BIT; break;
    default: return level_of_float(load_float(pixels, own, at), down);
    }
    return down ? ~key : key;
}

/* Stores a level of a type in a pixel. If the pixel has this type too, nothing is rounded. */
inline void store_level(global uchar *pixels, int own, int type, INDEX at, uint level, bool down)
{
    const uint key = down ? ~level : level;
    const bool is_signed = type == INT8 || type == INT16 || type == INT32;
    if (type == FLOAT32)
        store_float(pixels, own, at, float_of_level(level, down));
    else if (own == type)
        store_bits(pixels, own, at, is_signed ? key ^ SIGN_BIT : key);
    else
        store_float(pixels, own, at, is_signed ? (float)(int)(key ^ SIGN_BIT) : (float)key);
}

#define DENSE_AT(of, x, y, z) (((ulong)(z) * (of).height + (y)) * (of).width + (x))

#define BEGIN_AT_PIXEL(image)                                                                                          \
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);                         \
    if (!INSIDE(image, x, y, z))                                                                                       \
        return;                                                                                                        \
    const ulong at = DENSE_AT(image, x, y, z)

/* Starts a reconstruction of `mask` from `marker`. */
kernel void geodesic_begin(INPUT(marker), INPUT(mask), global uint *levels, global uint *limits, int type, int down)
{
    BEGIN_AT_PIXEL(marker);
    const uint limit = load_level(mask_pixels, mask.type, type, AT(mask, x, y, z), down);
    limits[at] = limit;
    levels[at] = min(load_level(marker_pixels, marker.type, type, AT(marker, x, y, z), down), limit);
}

/* Starts a flood from the pixels at the image's border. */
kernel void geodesic_begin_at_border(INPUT(source), global uint *levels, global uint *limits, int down)
{
    BEGIN_AT_PIXEL(source);
    const bool is_border = x == 0 || y == 0 || x == source.width - 1 || y == source.height - 1 ||
                           (source.depth > 1 && (z == 0 || z == source.depth - 1));
    const uint limit = load_level(source_pixels, source.type, source.type, AT(source, x, y, z), down);
    limits[at] = limit;
    levels[at] = is_border ? limit : 0;
}

/*
 * Starts the search for extrema of a height: levels of one image may rise by `height` above those of the other. Maxima
 * flood from the image up to the image plus height; minima sink from the image plus height down to the image.
 */
kernel void geodesic_begin_extrema(INPUT(source), global uint *levels, global uint *limits, float height, int down)
{
    BEGIN_AT_PIXEL(source);
    const INDEX pixel = AT(source, x, y, z);
    const uint own = load_level(source_pixels, source.type, source.type, pixel, down);
    uint raised;
    if (source.type == FLOAT32)
        raised = level_of_float(load_float(source_pixels, FLOAT32, pixel) + height, down);
    else if (down)
        raised = own - min(own, convert_uint_sat(height));
    else
        raised = own + min(~own, convert_uint_sat(height));
    levels[at] = down ? raised : own;
    limits[at] = down ? own : raised;
}

/*
 * Starts the search for flat tops of a flood: each pixel may be flooded up to its level, and starts just below it.
 * `high` becomes 1 if any level is not the lowest one.
 */
kernel void geodesic_begin_tops(global uint *levels, global uint *limits, ulong count, global uint *high)
{
    const ulong i = get_global_id(0);
    if (i >= count)
        return;
    const uint level = levels[i];
    limits[i] = level;
    levels[i] = level - min(level, 1u);
    if (level)
        set_flag(high);
}

#define CLAMPED_AT(to, width, height, depth)                                                                           \
    (((ulong)min(z, depth - 1) * height + min(y, height - 1)) * width + min(x, width - 1))

kernel void geodesic_end(global const uint *levels, int width, int height, int depth, int type, int down, OUTPUT(to))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (INSIDE(to, x, y, z))
        store_level(to_pixels, to.type, type, AT(to, x, y, z), levels[CLAMPED_AT(to, width, height, depth)], down);
}

/* Subtracts what was flooded from the image. */
kernel void geodesic_end_difference(global const uint *levels, INPUT(source), OUTPUT(to))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const int i = min(x, source.width - 1), j = min(y, source.height - 1), k = min(z, source.depth - 1);
    const uint flooded = levels[DENSE_AT(source, i, j, k)];
    const INDEX pixel = AT(source, i, j, k);
    if (source.type == UINT32 || source.type == UINT16 || source.type == UINT8) {
        const uint rest = load_level(source_pixels, source.type, source.type, pixel, false) - flooded;
        store_level(to_pixels, to.type, source.type, AT(to, x, y, z), rest, false);
        return;
    }
    const bool is_float = source.type == FLOAT32;
    const float low = is_float ? float_of_level(flooded, false) : (float)(int)(flooded ^ SIGN_BIT);
    STORE(to, x, y, z, LOAD(source, i, j, k) - low);
}

/* Marks the flat tops. An image of one level everywhere is a flat top; NaN is not. */
kernel void geodesic_end_tops(global const uint *levels, global const uint *limits, global const uint *high, int width,
                              int height, int depth, int is_float, float value, OUTPUT(to))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const ulong at = CLAMPED_AT(to, width, height, depth);
    STORE(to, x, y, z, limits[at] > levels[at] || (!is_float && !*high) ? value : 0);
}

/* ---- extrema that a mask imposes */

/* Keeps the highest level of the image in `highest`, which starts at 0. */
kernel void geodesic_highest(INPUT(source), global uint *highest, int down)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(source, x, y, z))
        return;
    const uint level = load_level(source_pixels, source.type, source.type, AT(source, x, y, z), down);
    if (level > *highest)
        atomic_max(highest, level);
}

/*
 * The level of the largest or the smallest number of a type. For 32-bit integers, the largest number is the largest one
 * that float32 holds.
 */
inline uint level_of_end(int type, bool largest, bool down)
{
    uint key = 0;
    switch (type) {
    case UINT8: key = largest ? 255 : 0; break;
    case UINT16: key = largest ? 65535 : 0; break;
    case UINT32: key = largest ? 4294967040u : 0; break;
    case INT8: key = (largest ? 127u : (uint)-128) ^ SIGN_BIT; break;
    case INT16: key = (largest ? 32767u : (uint)-32768) ^ SIGN_BIT; break;
    case INT32: key = largest ? 2147483520u ^ SIGN_BIT : 0; break;
    default: return level_of_float(largest ? INFINITY : -INFINITY, down);
    }
    return down ? ~key : key;
}

/*
 * Starts a flood from the marked pixels. All other pixels are limited to one grey value less than they have, so that no
 * extremum remains there. `down`: they are limited to one grey value more.
 */
kernel void geodesic_begin_imposed(INPUT(source), INPUT(marked), global const uint *highest, global uint *levels,
                                   global uint *limits, int down)
{
    BEGIN_AT_PIXEL(source);
    const INDEX pixel = AT(source, x, y, z);
    const int type = source.type;
    uint imposed = level_of_end(type, !down, down), limit;
    if (type == FLOAT32) {
        const float extreme = float_of_level(*highest, down);
        imposed = level_of_float(down ? fmin(0.0f, extreme) : fmax(255.0f, extreme), down);
        limit = level_of_float(load_float(source_pixels, type, pixel) + (down ? 1 : -1), down);
    } else {
        const uint own = load_level(source_pixels, type, type, pixel, down);
        limit = own - (own > level_of_end(type, down, down));
    }
    const bool is_marked = LOAD(marked, x, y, z) > 0;
    limits[at] = is_marked ? imposed : limit;
    levels[at] = is_marked ? imposed : min(limit, level_of_end(type, down, down));
}
