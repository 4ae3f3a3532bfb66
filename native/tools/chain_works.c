/* SPDX-License-Identifier: BSD-3-Clause */
#include "chain_works.h"

#include <stdlib.h>

#define POINT(operation, number)                                                                                       \
    {                                                                                                                  \
        operation, number, 0, false                                                                                    \
    }
#define JOIN(operation)                                                                                                \
    {                                                                                                                  \
        operation, 0, 0, true                                                                                          \
    }
#define FILTER(operation, number, numbers)                                                                             \
    {                                                                                                                  \
        operation, number, numbers, false                                                                              \
    }

static const chain_step exact[CHAIN_STEPS] = {
    POINT("multiply_image_and_scalar", 1.5),  POINT("add_image_and_scalar", 3),
    POINT("maximum_image_and_scalar", 2),     POINT("minimum_image_and_scalar", 200),
    POINT("subtract_image_from_scalar", 250), POINT("multiply_image_and_scalar", 0.5)};
static const chain_step functions[CHAIN_STEPS] = {POINT("power", 1.1),     POINT("logarithm", 0), POINT("cosine", 0),
                                                  POINT("exponential", 0), POINT("power", 0.5),   POINT("sine", 0)};
static const chain_step sums[2] = {JOIN("add_images"), JOIN("multiply_images")};
static const chain_step blur_threshold[] = {FILTER("gaussian_blur", 1, 3), POINT("greater_constant", 100)};
static const chain_step subtract_blur[] = {JOIN("subtract_images"), FILTER("gaussian_blur", 1, 3)};
static const chain_step subtract_blur_threshold[] = {JOIN("subtract_images"), FILTER("gaussian_blur", 1, 3),
                                                     POINT("greater_constant", 20)};
static const chain_step sobel_threshold[] = {FILTER("sobel", 0, 1), POINT("greater_constant", 100)};
static const chain_step top_hat_multiply[] = {FILTER("top_hat_box", 3, 3), POINT("multiply_image_and_scalar", 2)};
static const chain_step median_threshold[] = {{"median_box", 1, 2, false}, POINT("greater_constant", 100)};
static const chain_step dilate_subtract[] = {FILTER("maximum_sphere", 2, 3), JOIN("subtract_images")};
static const chain_step mean_subtract[] = {FILTER("mean_box", 2, 3), JOIN("subtract_images")};

static const chain_step multiply_sum[] = {JOIN("multiply_images"), POINT("sum_of_all_pixels", 0)};
static const chain_step threshold_count[] = {POINT("greater_constant", 100), POINT("count_nonzero_pixels", 0)};
static const chain_step multiply_histogram[] = {POINT("multiply_image_and_scalar", 0.7), POINT("histogram", 0)};
static const chain_step subtract_project[] = {JOIN("subtract_images"), POINT("maximum_z_projection", 0)};
static const chain_step threshold_components[] = {POINT("greater_constant", 250), POINT("connected_components_box", 0)};

#define WORK(name, steps, count, images, results)                                                                      \
    {                                                                                                                  \
        name, steps, count, images, results, false                                                                     \
    }
#define WORK_OF_FLOATS(name, steps, count, images, results)                                                            \
    {                                                                                                                  \
        name, steps, count, images, results, true                                                                      \
    }

const chain_work chain_works[CHAIN_WORKS] = {
    WORK("1 exact step", exact, 1, 1, 1),
    WORK("6 exact steps", exact, CHAIN_STEPS, 1, 1),
    WORK_OF_FLOATS("1 function", functions, 1, 1, 1),
    WORK_OF_FLOATS("6 functions", functions, CHAIN_STEPS, 1, 1),
    WORK("3 images, 2 steps", sums, 2, 3, 1),
    WORK("2 results of 1 image", exact, 2, 1, 2),
    WORK("blur, threshold", blur_threshold, 2, 1, 1),
    WORK("subtract, blur", subtract_blur, 2, 2, 1),
    WORK("subtract, blur, threshold", subtract_blur_threshold, 3, 2, 1),
    WORK("sobel, threshold", sobel_threshold, 2, 1, 1),
    WORK("top hat, multiply", top_hat_multiply, 2, 1, 1),
    WORK("median, threshold", median_threshold, 2, 1, 1),
    WORK("dilate, subtract", dilate_subtract, 2, 2, 1),
    WORK("mean, subtract", mean_subtract, 2, 2, 1),
    WORK("multiply, sum", multiply_sum, 2, 2, 0),
    WORK("threshold, count", threshold_count, 2, 1, 0),
    WORK("multiply, histogram", multiply_histogram, 2, 1, 0),
    WORK("subtract, project", subtract_project, 2, 2, 0),
    WORK_OF_FLOATS("threshold, components", threshold_components, 2, 1, 1),
};

const struct chain_type chain_types[CHAIN_TYPES] = {
    {DRUA_FLOAT32, "float32", 4}, {DRUA_UINT16, "uint16", 2}, {DRUA_UINT8, "uint8", 1}};

static drua_argument image_argument(drua_image handle)
{
    return (drua_argument){.kind = DRUA_ARG_IMAGE, .image = handle};
}

drua_status chain_work_push(drua_context *context, drua_shape shape, const struct chain_type *type, drua_image *images)
{
    const size_t count = (size_t)(shape.width * shape.height * shape.depth);
    unsigned char *pixels = malloc(count * type->element);
    uint32_t seed = 12345;
    drua_status status = pixels ? DRUA_OK : DRUA_E_MEMORY;
    for (int n = 0; n < 3 && status == DRUA_OK; n++) {
        for (size_t i = 0; i < count; i++) {
            const unsigned char grey = (unsigned char)((seed = seed * 1664525u + 1013904223u) >> 24);
            if (type->type == DRUA_FLOAT32)
                ((float *)(void *)pixels)[i] = grey;
            else if (type->type == DRUA_UINT16)
                ((uint16_t *)(void *)pixels)[i] = grey;
            else
                pixels[i] = grey;
        }
        status = drua_push(context, shape, type->type, pixels, &images[n]);
    }
    free(pixels);
    return status;
}

drua_status chain_work_run(drua_context *context, const chain_work *w, const drua_image *sources)
{
    drua_image made[CHAIN_STEPS];
    drua_status status = DRUA_OK;
    for (int k = 0; k < w->count && status == DRUA_OK; k++) {
        const chain_step *s = &w->steps[k];
        drua_argument arguments[6] = {image_argument(k == 0 || w->results > 1 ? sources[0] : made[k - 1])};
        size_t out = 1;
        if (s->joins)
            arguments[out++] = image_argument(sources[(k + 1) % 3]);
        const size_t numbers = s->numbers ? (size_t)s->numbers : s->number != 0;
        for (size_t i = 0; i < numbers; i++)
            arguments[out + 1 + i] = (drua_argument){.kind = DRUA_ARG_NUMBER, .number = s->number};
        status = drua_invoke(context, s->operation, arguments, out + 1 + numbers, NULL);
        made[k] = arguments[out].kind == DRUA_ARG_IMAGE ? arguments[out].image : 0;
        if (k > 0 && w->results <= 1)
            drua_release(context, made[k - 1]);
    }
    if (status == DRUA_OK)
        status = drua_sync(context);
    for (int k = w->results > 1 ? 0 : w->count - 1; k < w->count && status == DRUA_OK; k++)
        status = made[k] ? drua_release(context, made[k]) : DRUA_OK;
    return status;
}
