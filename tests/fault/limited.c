/* SPDX-License-Identifier: BSD-3-Clause */
#include "limited.h"

#include <math.h>

drua_context *limited_open(const char *budget)
{
    drua_context *context = harness_open();
    REQUIRE(drua_set_memory(context, budget));
    loader.forget_peak();
    return context;
}

drua_statistics limited_statistics(drua_context *context)
{
    drua_statistics s;
    drua_get_statistics(context, &s);
    return s;
}

double limited_largest(const reference_image *image)
{
    double largest = 0;
    for (int64_t i = 0; i < image->shape.width * image->shape.height * image->shape.depth; i++)
        largest = fmax(largest, isfinite(image->pixels[i]) ? fabs(image->pixels[i]) : 0);
    return largest;
}

drua_image limited_image(const drua_argument *argument)
{
    return argument->image;
}
