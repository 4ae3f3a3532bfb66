/* SPDX-License-Identifier: BSD-3-Clause */
#include "blend.h"

#include <math.h>
#include <string.h>

/* Indices in DRUA_FUSIONS. */
enum { LINEAR, DISTANCE, AVERAGE, LARGEST };

/* ---- types */

#define EACH_TYPE(DO)                                                                                                  \
    switch (type) {                                                                                                    \
    case DRUA_UINT8: DO(uint8_t, 0.0f, 255.0f) break;                                                                  \
    case DRUA_INT8: DO(int8_t, -128.0f, 127.0f) break;                                                                 \
    case DRUA_UINT16: DO(uint16_t, 0.0f, 65535.0f) break;                                                              \
    case DRUA_INT16: DO(int16_t, -32768.0f, 32767.0f) break;                                                           \
    case DRUA_UINT32: DO(uint32_t, 0.0f, 4294967040.0f) break;                                                         \
    case DRUA_INT32: DO(int32_t, -2147483648.0f, 2147483520.0f) break;                                                 \
    default: break;                                                                                                    \
    }

void blend_to_floats(const void *pixels, drua_type type, size_t count, float *floats)
{
#define LOAD_ALL(T, low, high)                                                                                         \
    for (size_t i = 0; i < count; i++)                                                                                 \
        floats[i] = (float)((const T *)pixels)[i];
    if (type == DRUA_FLOAT32)
        memcpy(floats, pixels, count * sizeof *floats);
    EACH_TYPE(LOAD_ALL)
#undef LOAD_ALL
}

/* Stores rounded integers, clamped to what float32 and the type can represent; NaN becomes 0. */
static void store_row(const float *values, int64_t count, drua_type type, void *to)
{
#define STORE_ALL(T, low, high)                                                                                        \
    for (int64_t i = 0; i < count; i++) {                                                                              \
        const float value = isnan(values[i]) ? 0.0f : rintf(values[i]);                                                \
        ((T *)to)[i] = (T)(value < (low) ? (low) : value > (high) ? (high) : value);                                   \
    }
    if (type == DRUA_FLOAT32)
        memcpy(to, values, (size_t)count * sizeof *values);
    EACH_TYPE(STORE_ALL)
#undef STORE_ALL
}

/* ---- one tile */

/* A position between two pixels of a tile along an axis, as indices in a piece. */
typedef struct between {
    float at; /* in the tile */
    int64_t index[2];
    float share[2];
    int count; /* 1: the position is that of a pixel */
} between;

/* Returns false if the position in the mosaic lies outside the tile. */
static inline bool find_between(const blend_piece *p, int axis, int64_t position, between *b)
{
    const int64_t extent = p->tile.extent[axis], start = p->box.first[axis];
    b->at = (float)(position - p->first[axis]) - p->rest[axis];
    if (b->at < -0.5f || b->at > (float)extent - 0.5f)
        return false;
    const int64_t i = b->at < 0 ? -1 : (int64_t)b->at;
    b->share[1] = b->at - (float)i;
    b->share[0] = 1.0f - b->share[1];
    b->count = b->share[1] > 0.0f ? 2 : 1;
    b->index[0] = (i < 0 ? 0 : i) - start;
    b->index[1] = (i + 1 < extent ? i + 1 : extent - 1) - start;
    return true;
}

/*
 * Interpolates a pixel of a tile. Pixels whose share is 0 are left out, because infinity times 0 is NaN. `rows` are the
 * places of rows in the piece. Returns false if a pixel is missing.
 */
static inline bool interpolate(const blend_piece *p, int64_t rows[2][2], const between *x, const between *y,
                               const between *z, float *value)
{
    *value = 0.0f;
    for (int k = 0; k < z->count; k++)
        for (int j = 0; j < y->count; j++)
            for (int i = 0; i < x->count; i++) {
                const int64_t at = rows[k][j] + x->index[i];
                if (p->missing && p->missing[at])
                    return false;
                *value += x->share[i] * y->share[j] * z->share[k] * p->pixels[at];
            }
    return true;
}

/* The distance to the nearest border of the tile in its plane as a weight above 0. */
static inline float weight_of(int fusion, drua_shape tile, float x, float y)
{
    const float right = (float)tile.width - 0.5f - x, below = (float)tile.height - 0.5f - y,
                near = fminf(fminf(x + 0.5f, right), fminf(y + 0.5f, below)), distance = fmaxf(near, 0.01f);
    return fusion == AVERAGE ? 1.0f : fusion == DISTANCE ? distance * distance : distance;
}

static void add_piece(const blend_piece *p, int fusion, int64_t first, int64_t end, int64_t y, int64_t z, float *sums,
                      float *weights)
{
    const int64_t width = p->box.end[0] - p->box.first[0], height = p->box.end[1] - p->box.first[1];
    const int64_t low = first > p->first[0] ? first : p->first[0], high = p->first[0] + p->tile.width + 1;
    int64_t rows[2][2];
    between bx, by, bz;
    if (!find_between(p, 1, y, &by) || !find_between(p, 2, z, &bz))
        return;
    for (int k = 0; k < bz.count; k++)
        for (int j = 0; j < by.count; j++)
            rows[k][j] = width * (by.index[j] + height * bz.index[k]);
    for (int64_t x = low; x < (end < high ? end : high); x++) {
        float value, *sum = &sums[x - first], *weight = &weights[x - first];
        if (!find_between(p, 0, x, &bx) || !interpolate(p, rows, &bx, &by, &bz, &value))
            continue;
        if (fusion == LARGEST) {
            *sum = *weight > 0.0f ? fmaxf(*sum, value) : value;
            *weight = 1.0f;
        } else {
            const float own = weight_of(fusion, p->tile, bx.at, by.at);
            *sum += own * value;
            *weight += own;
        }
    }
}

void blend_row(const blend_piece *pieces, int64_t count, int fusion, int64_t first, int64_t end, int64_t y, int64_t z,
               float *sums, float *weights, drua_type type, void *to)
{
    memset(sums, 0, (size_t)(end - first) * sizeof *sums);
    memset(weights, 0, (size_t)(end - first) * sizeof *weights);
    for (int64_t i = 0; i < count; i++)
        add_piece(&pieces[i], fusion, first, end, y, z, sums, weights);
    for (int64_t x = 0; x < end - first; x++)
        sums[x] = weights[x] > 0.0f ? sums[x] / weights[x] : 0.0f;
    store_row(sums, end - first, type, to);
}
