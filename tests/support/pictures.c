/* SPDX-License-Identifier: BSD-3-Clause */
#include "pictures.h"

#include <math.h>
#include <stdlib.h>

drua_context *context;

void open_context(void)
{
    context = harness_open();
}

void close_context(void)
{
    drua_close(context);
}

drua_image result(int n, const char *name, drua_argument *arguments, size_t count)
{
    REQUIRE(drua_invoke(context, name, arguments, count, NULL));
    return arguments[n].image;
}

float *pull(drua_image image, drua_shape *shape)
{
    drua_image_info info;
    REQUIRE(drua_get_info(context, image, &info));
    *shape = info.shape;
    float *pixels = malloc((size_t)(shape->width * shape->height * shape->depth) * sizeof *pixels);
    REQUIRE(drua_pull(context, image, pixels));
    return pixels;
}

size_t count_of(drua_shape s)
{
    return (size_t)(s.width * s.height * s.depth);
}

double difference(drua_image a, drua_image b)
{
    drua_argument arguments[] = {IMAGE(a), IMAGE(b), NEW};
    REQUIRE(drua_invoke(context, "mean_squared_error", arguments, 3, NULL));
    return sqrt(arguments[2].number);
}

drua_image phantom(const char *kind, int w, int h, int d)
{
    return RESULT(0, "phantom", NEW, NAME(kind), NUMBER(w), NUMBER(h), NUMBER(d), NUMBER(100), NUMBER(2), NUMBER(12));
}

drua_image gaussian(int extent, int depth, double sigma, double sigma_z)
{
    return RESULT(0, "gaussian_psf", NEW, NUMBER(extent), NUMBER(extent), NUMBER(depth), NUMBER(sigma), NUMBER(sigma),
                  NUMBER(sigma_z));
}

drua_image crop(drua_image image, int x, int y, int z, int w, int h, int d)
{
    return RESULT(1, "crop", IMAGE(image), NEW, NUMBER(x), NUMBER(y), NUMBER(z), NUMBER(w), NUMBER(h), NUMBER(d));
}
