/* SPDX-License-Identifier: BSD-3-Clause */
/* Pointwise operations as one table of formulas. */
#include "reference.h"

#include <float.h>
#include <math.h>
#include <string.h>

_Static_assert(FLT_EVAL_METHOD == 0, "float expressions must round to float32 after every step");

/* The values that a formula may use: the pixel of the first and second image, three scalars, the coordinates. */
typedef struct pixel {
    float a, b, s, t, u;
    float maximum; /* largest pixel of the first image */
    int64_t x, y, z;
    drua_shape shape;
} pixel;

static float coordinate(const pixel *p)
{
    const int64_t along[3] = {p->x, p->y, p->z};
    return p->s >= 0 && p->s < 3 ? (float)along[(int)p->s] : 0.0f;
}

static bool is_index(int64_t position, float index)
{
    return (float)position == truncf(index);
}

static float defined_value(const pixel *p)
{
    if (isnan(p->a))
        return p->s;
    if (!isinf(p->a))
        return p->a;
    return p->a > 0 ? p->t : p->u;
}

static bool on_border(const pixel *p)
{
    return p->x == 0 || p->x == p->shape.width - 1 || p->y == 0 || p->y == p->shape.height - 1 ||
           (p->shape.dimension == 3 && (p->z == 0 || p->z == p->shape.depth - 1));
}

/* X(name, images, scalars, result at pixel p) */
#define POINTWISE_OPERATIONS(X)                                                        \
    X(absolute, 1, 0, fabsf(p->a))                                                     \
    X(absolute_difference, 2, 0, fabsf(p->a - p->b))                                   \
    X(add_image_and_scalar, 1, 1, p->a + p->s)                                         \
    X(add_images, 2, 0, p->a + p->b)                                                   \
    X(add_images_weighted, 2, 2, p->a * p->s + p->b * p->t)                            \
    X(subtract_images, 2, 0, p->a - p->b)                                              \
    X(multiply_images, 2, 0, p->a * p->b)                                              \
    X(multiply_image_and_scalar, 1, 1, p->a * p->s)                                    \
    X(divide_images, 2, 0, p->a / p->b)                                                \
    X(divide_scalar_by_image, 1, 1, p->s / p->a)                                       \
    X(maximum_images, 2, 0, fmaxf(p->a, p->b))                                         \
    X(minimum_images, 2, 0, fminf(p->a, p->b))                                         \
    X(maximum_image_and_scalar, 1, 1, fmaxf(p->a, p->s))                               \
    X(minimum_image_and_scalar, 1, 1, fminf(p->a, p->s))                               \
    X(power, 1, 1, pow(p->a, p->s))                                                    \
    X(power_images, 2, 0, pow(p->a, p->b))                                             \
    X(exponential, 1, 0, exp(p->a))                                                    \
    X(logarithm, 1, 0, log(p->a))                                                      \
    X(sinus, 1, 0, sin(p->a))                                                          \
    X(cosinus, 1, 0, cos(p->a))                                                        \
    X(invert, 1, 0, -p->a)                                                             \
    X(subtract_image_from_scalar, 1, 1, p->s - p->a)                                   \
    X(sign, 1, 0, (p->a > 0) - (p->a < 0) + (isnan(p->a) ? NAN : 0))                   \
    X(absolute_in_place, 1, 0, fabsf(p->a))                                            \
    X(modulo_images, 2, 0, fmodf(p->a, p->b))                                          \
    X(replace_undefined, 1, 3, defined_value(p))                                       \
    X(out_of_intensity_range, 1, 2, p->a < p->s || p->a > p->t)                        \
    X(squared_difference, 2, 0, (p->a - p->b) * (p->a - p->b))                         \
    X(undefined_to_zero, 1, 0, isfinite(p->a) ? p->a : 0.0f)                           \
    X(gamma_correction, 1, 1, p->maximum * pow((double)p->a / p->maximum, p->s))       \
    X(greater, 2, 0, p->a > p->b)                                                      \
    X(greater_or_equal, 2, 0, p->a >= p->b)                                            \
    X(smaller, 2, 0, p->a < p->b)                                                      \
    X(smaller_or_equal, 2, 0, p->a <= p->b)                                            \
    X(equal, 2, 0, p->a == p->b)                                                       \
    X(not_equal, 2, 0, p->a != p->b)                                                   \
    X(greater_constant, 1, 1, p->a > p->s)                                             \
    X(greater_or_equal_constant, 1, 1, p->a >= p->s)                                   \
    X(smaller_constant, 1, 1, p->a < p->s)                                             \
    X(smaller_or_equal_constant, 1, 1, p->a <= p->s)                                   \
    X(equal_constant, 1, 1, p->a == p->s)                                              \
    X(not_equal_constant, 1, 1, p->a != p->s)                                          \
    X(threshold, 1, 1, p->a >= p->s)                                                   \
    X(local_threshold, 2, 0, p->a >= p->b)                                             \
    X(mask, 2, 0, p->b != 0 ? p->a : 0.0f)                                             \
    X(mask_label, 2, 1, p->b == p->s ? p->a : 0.0f)                                    \
    X(label_to_mask, 1, 1, p->a == p->s)                                               \
    X(binary_and, 2, 0, p->a != 0 && p->b != 0)                                        \
    X(binary_or, 2, 0, p->a != 0 || p->b != 0)                                         \
    X(binary_xor, 2, 0, (p->a != 0) != (p->b != 0))                                    \
    X(binary_not, 1, 0, p->a == 0)                                                     \
    X(binary_subtract, 2, 0, p->b == 0 ? p->a : 0.0f)                                  \
    X(binary_union, 2, 0, p->a != 0 || p->b != 0)                                      \
    X(binary_intersection, 2, 0, p->a != 0 && p->b != 0)                               \
    X(replace_intensity, 1, 2, p->a == p->s ? p->t : p->a)                             \
    X(multiply_image_and_coordinate, 1, 1, p->a * coordinate(p))                       \
    X(multiply_stack_with_plane, 2, 0, p->a * p->b)                                    \
    X(local_id, 1, 0, (float)(p->x % 4 + p->y % 4 * 4 + p->z % 4 * 16))                \
    X(set_ramp_x, 1, 0, (float)p->x)                                                   \
    X(set_ramp_y, 1, 0, (float)p->y)                                                   \
    X(set_ramp_z, 1, 0, (float)p->z)                                                   \
    X(set, 1, 1, p->s)                                                                 \
    X(set_row, 1, 2, is_index(p->y, p->s) ? p->t : p->a)                               \
    X(set_column, 1, 2, is_index(p->x, p->s) ? p->t : p->a)                            \
    X(set_plane, 1, 2, is_index(p->z, p->s) ? p->t : p->a)                             \
    X(set_image_borders, 1, 1, on_border(p) ? p->s : p->a)                             \
    X(set_where_x_equals_y, 1, 1, p->x == p->y ? p->s : p->a)                          \
    X(set_where_x_greater_than_y, 1, 1, p->x > p->y ? p->s : p->a)                     \
    X(set_where_x_smaller_than_y, 1, 1, p->x < p->y ? p->s : p->a)

#define DEFINE(name, images, scalars, result)  \
    static double pixel_##name(const pixel *p) \
    {                                          \
        return result;                         \
    }
POINTWISE_OPERATIONS(DEFINE)

typedef struct operation {
    const char *name;
    int images, scalars;
    double (*at)(const pixel *p);
} operation;

#define LIST(name, images, scalars, result) {#name, images, scalars, pixel_##name},
static const operation operations[] = {POINTWISE_OPERATIONS(LIST)};

static const operation *find_operation(const char *name)
{
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++)
        if (strcmp(operations[i].name, name) == 0)
            return &operations[i];
    return NULL;
}

bool reference_pointwise_arity(const char *name, int *images, int *scalars)
{
    const operation *found = find_operation(name);
    if (!found)
        return false;
    *images = found->images;
    *scalars = found->scalars;
    return true;
}

bool reference_pointwise(const char *name, const reference_image *const *inputs, const double *scalars,
                         reference_image *output)
{
    const operation *found = find_operation(name);
    if (!found)
        return false;
    pixel p = {.shape = output->shape, .maximum = (float)reference_reduce(inputs[0], REFERENCE_MAXIMUM)};
    if (found->scalars > 0)
        p.s = (float)scalars[0];
    if (found->scalars > 1)
        p.t = (float)scalars[1];
    if (found->scalars > 2)
        p.u = (float)scalars[2];
    REFERENCE_EACH_PIXEL(output->shape, x, y, z) {
        p.x = x;
        p.y = y;
        p.z = z;
        p.a = (float)reference_at(inputs[0], x, y, z);
        if (found->images > 1)
            p.b = (float)reference_at(inputs[1], x, y, z);
        reference_put(output, x, y, z, found->at(&p));
    }
    return true;
}
