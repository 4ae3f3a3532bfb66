/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tiles of an OME-TIFF: those of each page, then those of its smaller copies. Each copy has half the width and
 * height of the previous one, rounded up; slices stay. A pixel of a copy is the mean of its square of the page or, for
 * labels, the first pixel of the square.
 */
#include "tiff_out.h"

#include "alloc.h"
#include "imagej.h"

#include <math.h>
#include <string.h>

int64_t tiff_out_side(int64_t side, int level)
{
    return (side + ((int64_t)1 << level) - 1) >> level;
}

static int64_t tiles_along(int64_t side, int level)
{
    return (tiff_out_side(side, level) + TIFF_OUT_TILE - 1) / TIFF_OUT_TILE;
}

int tiff_out_levels(drua_shape shape)
{
    int levels = 1;
    while (tiff_out_side(shape.width, levels - 1) > TIFF_OUT_TILE ||
           tiff_out_side(shape.height, levels - 1) > TIFF_OUT_TILE)
        levels++;
    return levels;
}

int64_t tiff_out_tiles(const drua_tiff_out *o, int level)
{
    return tiles_along(o->shape.width, level) * tiles_along(o->shape.height, level);
}

/* Sums of a square of pixels, and a pixel of a plane. */
#define MEAN_OF(TYPE, ROUND)                                                                                           \
    static void mean_of_##TYPE(const void *plane, int64_t width, const int64_t first[2], const int64_t end[2],         \
                               void *to)                                                                               \
    {                                                                                                                  \
        double sum = 0;                                                                                                \
        for (int64_t y = first[1]; y < end[1]; y++)                                                                    \
            for (int64_t x = first[0]; x < end[0]; x++)                                                                \
                sum += (double)((const TYPE *)plane)[y * width + x];                                                   \
        *(TYPE *)to = (TYPE)ROUND(sum / (double)((end[0] - first[0]) * (end[1] - first[1])));                          \
    }
#define AS_IT_IS(number) (number)
MEAN_OF(uint8_t, rint)
MEAN_OF(int8_t, rint)
MEAN_OF(uint16_t, rint)
MEAN_OF(int16_t, rint)
MEAN_OF(float, AS_IT_IS)

typedef void (*mean_of)(const void *plane, int64_t width, const int64_t first[2], const int64_t end[2], void *to);

static mean_of mean_of_type(drua_type type)
{
    switch (type) {
    case DRUA_UINT8: return mean_of_uint8_t;
    case DRUA_INT8: return mean_of_int8_t;
    case DRUA_UINT16: return mean_of_uint16_t;
    case DRUA_INT16: return mean_of_int16_t;
    case DRUA_FLOAT32: return mean_of_float;
    default: return NULL;
    }
}

/* Integers of 32 bits are object numbers. */
static bool has_labels(const drua_tiff_out *o)
{
    char value[8];
    return o->type == DRUA_UINT32 || o->type == DRUA_INT32 ||
           (drua_imagej_find(o->text, "labelMap", value, sizeof value) && *value == '1');
}

/* Fills a row of a tile with samples of one plane. */
static void fill_row(const drua_tiff_out *o, const void *plane, int level, int64_t x0, int64_t y, int64_t width,
                     unsigned char *to)
{
    const size_t size = o->type <= DRUA_INT8 ? 1 : o->type <= DRUA_INT16 ? 2 : 4;
    const mean_of mean = has_labels(o) ? NULL : mean_of_type(o->type);
    if (level == 0 && o->samples == 1) {
        memcpy(to, (const char *)plane + (size_t)(y * o->shape.width + x0) * size, (size_t)width * size);
        return;
    }
    for (int64_t x = 0; x < width; x++, to += size * o->samples) {
        const int64_t first[] = {(x0 + x) << level, y << level};
        const int64_t end[] = {(x0 + x + 1) << level < o->shape.width ? (x0 + x + 1) << level : o->shape.width,
                               (y + 1) << level < o->shape.height ? (y + 1) << level : o->shape.height};
        if (mean && level)
            mean(plane, o->shape.width, first, end, to);
        else
            memcpy(to, (const char *)plane + (size_t)(first[1] * o->shape.width + first[0]) * size, size);
    }
}

drua_status tiff_out_tile(const drua_tiff_out *o, int64_t number, void *const *planes, unsigned char **pixels)
{
    const size_t size = o->type <= DRUA_INT8 ? 1 : o->type <= DRUA_INT16 ? 2 : 4, step = size * o->samples;
    int level = 0;
    *pixels = drua_alloc((size_t)TIFF_OUT_TILE * TIFF_OUT_TILE * step);
    if (!*pixels)
        return drua_fail_memory((size_t)TIFF_OUT_TILE * TIFF_OUT_TILE * step);
    for (int64_t tiles; number >= (tiles = tiff_out_tiles(o, level)); level++)
        number -= tiles;
    const int64_t along = tiles_along(o->shape.width, level), x0 = number % along * TIFF_OUT_TILE,
                  y0 = number / along * TIFF_OUT_TILE, wide = tiff_out_side(o->shape.width, level) - x0,
                  high = tiff_out_side(o->shape.height, level) - y0,
                  width = wide < TIFF_OUT_TILE ? wide : TIFF_OUT_TILE,
                  height = high < TIFF_OUT_TILE ? high : TIFF_OUT_TILE;
    for (int64_t y = 0; y < height; y++)
        for (int s = 0; s < o->samples; s++)
            fill_row(o, planes[s], level, x0, y0 + y, width,
                     *pixels + (size_t)y * TIFF_OUT_TILE * step + (size_t)s * size);
    return DRUA_OK;
}
