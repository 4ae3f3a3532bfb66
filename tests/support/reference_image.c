/* SPDX-License-Identifier: BSD-3-Clause */
/* Images of the reference: memory, element types, access, comparison. */
#include "reference.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void *reference_allocate(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory) {
        fprintf(stderr, "reference: out of memory\n");
        abort();
    }
    return memory;
}

drua_shape reference_plane(int64_t width, int64_t height)
{
    return (drua_shape){width, height, 1, 2};
}

drua_shape reference_stack(int64_t width, int64_t height, int64_t depth)
{
    return (drua_shape){width, height, depth, 3};
}

size_t reference_count(const reference_image *image)
{
    return (size_t)(image->shape.width * image->shape.height * image->shape.depth);
}

reference_image reference_make(drua_type type, drua_shape shape)
{
    reference_image image = {shape, type, NULL};
    image.pixels = reference_allocate(reference_count(&image), sizeof *image.pixels);
    return image;
}

reference_image reference_duplicate(const reference_image *image)
{
    reference_image twin = reference_make(image->type, image->shape);
    for (size_t i = 0; i < reference_count(image); i++)
        twin.pixels[i] = image->pixels[i];
    return twin;
}

void reference_free(reference_image *image)
{
    free(image->pixels);
    image->pixels = NULL;
}

size_t reference_type_size(drua_type type)
{
    switch (type) {
    case DRUA_UINT8:
    case DRUA_INT8:
        return 1;
    case DRUA_UINT16:
    case DRUA_INT16:
        return 2;
    case DRUA_UINT32:
    case DRUA_INT32:
    case DRUA_FLOAT32:
        return 4;
    case DRUA_NO_TYPE:
        break;
    }
    return 0;
}

reference_image reference_from_memory(drua_type type, drua_shape shape, const void *memory)
{
    reference_image image = reference_make(type, shape);
    for (size_t i = 0; i < reference_count(&image); i++) {
        double *pixel = &image.pixels[i];
        switch (type) {
        case DRUA_UINT8: *pixel = ((const uint8_t *)memory)[i]; break;
        case DRUA_INT8: *pixel = ((const int8_t *)memory)[i]; break;
        case DRUA_UINT16: *pixel = ((const uint16_t *)memory)[i]; break;
        case DRUA_INT16: *pixel = ((const int16_t *)memory)[i]; break;
        case DRUA_UINT32: *pixel = ((const uint32_t *)memory)[i]; break;
        case DRUA_INT32: *pixel = ((const int32_t *)memory)[i]; break;
        case DRUA_FLOAT32: *pixel = ((const float *)memory)[i]; break;
        case DRUA_NO_TYPE: break;
        }
    }
    return image;
}

void reference_to_memory(const reference_image *image, void *memory)
{
    for (size_t i = 0; i < reference_count(image); i++) {
        double pixel = image->pixels[i];
        switch (image->type) {
        case DRUA_UINT8: ((uint8_t *)memory)[i] = (uint8_t)pixel; break;
        case DRUA_INT8: ((int8_t *)memory)[i] = (int8_t)pixel; break;
        case DRUA_UINT16: ((uint16_t *)memory)[i] = (uint16_t)pixel; break;
        case DRUA_INT16: ((int16_t *)memory)[i] = (int16_t)pixel; break;
        case DRUA_UINT32: ((uint32_t *)memory)[i] = (uint32_t)pixel; break;
        case DRUA_INT32: ((int32_t *)memory)[i] = (int32_t)pixel; break;
        case DRUA_FLOAT32: ((float *)memory)[i] = (float)pixel; break;
        case DRUA_NO_TYPE: break;
        }
    }
}

bool reference_is_integer(drua_type type)
{
    return type != DRUA_FLOAT32 && type != DRUA_NO_TYPE;
}

static double saturated(double value, double min, double greatest)
{
    if (isnan(value))
        return 0;
    /* Adding 0 turns the -0 that truncation may leave into 0. */
    return fmin(fmax(trunc(value), min), greatest) + 0.0;
}

double reference_store(drua_type type, double value)
{
    switch (type) {
    case DRUA_UINT8: return saturated(value, 0, UINT8_MAX);
    case DRUA_INT8: return saturated(value, INT8_MIN, INT8_MAX);
    case DRUA_UINT16: return saturated(value, 0, UINT16_MAX);
    case DRUA_INT16: return saturated(value, INT16_MIN, INT16_MAX);
    case DRUA_UINT32: return saturated(value, 0, UINT32_MAX);
    case DRUA_INT32: return saturated(value, INT32_MIN, INT32_MAX);
    case DRUA_FLOAT32: return (float)value;
    case DRUA_NO_TYPE: break;
    }
    return value;
}

double reference_store_snapped(drua_type type, double value)
{
    if (reference_is_integer(type)) {
        const double next = ceil(fabs(value));
        if (next - fabs(value) <= 1e-12 * next)
            value = copysign(next, value);
    }
    return reference_store(type, value);
}

static int64_t clamped(int64_t coordinate, int64_t extent)
{
    if (coordinate < 0)
        return 0;
    return coordinate < extent ? coordinate : extent - 1;
}

bool reference_is_inside(drua_shape s, int64_t x, int64_t y, int64_t z)
{
    return x >= 0 && y >= 0 && z >= 0 && x < s.width && y < s.height && z < s.depth;
}

double reference_at(const reference_image *image, int64_t x, int64_t y, int64_t z)
{
    const drua_shape s = image->shape;
    x = clamped(x, s.width);
    y = clamped(y, s.height);
    z = clamped(z, s.depth);
    return image->pixels[(z * s.height + y) * s.width + x];
}

static void store_pixel(reference_image *image, int64_t x, int64_t y, int64_t z, double stored)
{
    const drua_shape s = image->shape;
    if (x >= 0 && x < s.width && y >= 0 && y < s.height && z >= 0 && z < s.depth)
        image->pixels[(z * s.height + y) * s.width + x] = stored;
}

void reference_put(reference_image *image, int64_t x, int64_t y, int64_t z, double value)
{
    store_pixel(image, x, y, z, reference_store(image->type, value));
}

void reference_put_snapped(reference_image *image, int64_t x, int64_t y, int64_t z, double value)
{
    store_pixel(image, x, y, z, reference_store_snapped(image->type, value));
}

static bool pixels_agree(double expected, double actual, double allowed)
{
    if (isnan(expected) || isnan(actual))
        return isnan(expected) && isnan(actual);
    /* Compare for equality first: the difference of two infinities is NaN. */
    return expected == actual || fabs(expected - actual) <= allowed;
}

bool reference_agrees(const reference_image *expected, const reference_image *actual, double allowed,
                      bool off_by_one, char *message, size_t message_size)
{
    const drua_shape e = expected->shape, a = actual->shape;
    if (expected->type != actual->type || e.width != a.width || e.height != a.height || e.depth != a.depth) {
        snprintf(message, message_size,
                 "expected type %d and %" PRId64 " x %" PRId64 " x %" PRId64 " pixels, got type %d and %" PRId64
                 " x %" PRId64 " x %" PRId64,
                 (int)expected->type, e.width, e.height, e.depth, (int)actual->type, a.width, a.height, a.depth);
        return false;
    }

    if (reference_is_integer(expected->type))
        allowed = off_by_one ? 1 : 0;

    size_t first = 0, differences = 0;
    for (size_t i = 0; i < reference_count(expected); i++) {
        if (pixels_agree(expected->pixels[i], actual->pixels[i], allowed))
            continue;
        if (differences++ == 0)
            first = i;
    }
    if (differences == 0)
        return true;
    const size_t width = (size_t)e.width, height = (size_t)e.height;
    snprintf(message, message_size, "%zu of %zu pixels differ, first at (%zu, %zu, %zu): expected %.9g, got %.9g",
             differences, reference_count(expected), first % width, first / width % height, first / width / height,
             expected->pixels[first], actual->pixels[first]);
    return false;
}
